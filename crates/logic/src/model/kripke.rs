//! Explicit Kripke models: worlds as dense indices, facts as columns, one relation per agent.

use super::bitset::BitSet;
use super::law::Facts;
use crate::formula::{Name, Value};
use std::collections::HashMap;
use std::hash::Hash;

/// What an agent considers possible at each world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Relation {
    /// An equivalence (S5): worlds of the same class are confused.
    Classes(Classes),
    /// Any relation (belief): from each world, the worlds considered possible.
    Edges(Edges),
}

/// A partition of the worlds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The class of each world, numbered from 0 by first appearance.
    pub of: Vec<u32>,
    /// How many classes there are.
    pub count: u32,
}

impl Classes {
    /// The partition of worlds by a key: equal keys, same class.
    pub fn by_key<K: Hash + Eq>(keys: impl IntoIterator<Item = K>) -> Classes {
        let mut seen: HashMap<K, u32> = HashMap::new();
        let of: Vec<u32> = keys
            .into_iter()
            .map(|key| {
                let next = seen.len() as u32;
                *seen.entry(key).or_insert(next)
            })
            .collect();
        Classes { of, count: seen.len() as u32 }
    }

    /// The worlds of each class, in order.
    pub fn members(&self) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new(); self.count as usize];
        for (world, &class) in self.of.iter().enumerate() {
            members[class as usize].push(world as u32);
        }
        members
    }

    /// The coarsest partition finer than both.
    pub fn meet(&self, other: &Classes) -> Classes {
        Classes::by_key(self.of.iter().zip(&other.of))
    }

    /// The finest partition coarser than all of these (at least one).
    pub fn join<'a>(size: usize, all: impl Iterator<Item = &'a Classes>) -> Classes {
        let mut parent: Vec<u32> = (0..size as u32).collect();
        fn root(parent: &mut [u32], mut i: u32) -> u32 {
            while parent[i as usize] != i {
                parent[i as usize] = parent[parent[i as usize] as usize];
                i = parent[i as usize];
            }
            i
        }
        for classes in all {
            let mut first = vec![u32::MAX; classes.count as usize];
            for world in 0..size as u32 {
                let class = classes.of[world as usize] as usize;
                if first[class] == u32::MAX {
                    first[class] = world;
                } else {
                    let (a, b) = (root(&mut parent, first[class]), root(&mut parent, world));
                    parent[a.max(b) as usize] = a.min(b);
                }
            }
        }
        Classes::by_key((0..size as u32).map(|w| root(&mut parent, w)).collect::<Vec<_>>())
    }
}

/// A relation as adjacency lists in one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edges {
    offsets: Vec<u32>,
    targets: Vec<u32>,
}

impl Edges {
    /// The relation with these pairs; repetitions count once.
    pub fn from_pairs(size: usize, mut pairs: Vec<(u32, u32)>) -> Edges {
        pairs.sort_unstable();
        pairs.dedup();
        let mut offsets = vec![0; size + 1];
        for &(from, _) in &pairs {
            offsets[from as usize + 1] += 1;
        }
        for i in 0..size {
            offsets[i + 1] += offsets[i];
        }
        Edges { offsets, targets: pairs.into_iter().map(|(_, to)| to).collect() }
    }

    /// The worlds considered possible at a world, in order.
    pub fn from(&self, world: usize) -> &[u32] {
        &self.targets[self.offsets[world] as usize..self.offsets[world + 1] as usize]
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }
}

/// A variable's value in each world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarColumn {
    /// The variable.
    pub name: Name,
    /// Its values, by world.
    pub values: Vec<Value>,
}

/// An explicit model.
#[derive(Clone, Debug)]
pub struct Kripke {
    pub(crate) size: usize,
    pub(crate) agents: Vec<Name>,
    pub(crate) props: Vec<Name>,
    pub(crate) columns: Vec<BitSet>,
    pub(crate) vars: Vec<VarColumn>,
    pub(crate) relations: Vec<Relation>,
    /// Whether arbitrary relations are allowed, even if none is here yet.
    pub(crate) belief: bool,
    /// Given names; without them a world is called by its facts.
    pub(crate) names: Option<Vec<Name>>,
    /// The points with their names; the first is the model's point.
    pub(crate) points: Vec<(Option<Name>, u32)>,
}

impl Kripke {
    /// A model of `size` worlds in which every agent tells all worlds apart and nothing is true.
    pub fn new(size: usize, agents: Vec<Name>, props: Vec<Name>) -> Kripke {
        let apart = Relation::Classes(Classes { of: (0..size as u32).collect(), count: size as u32 });
        Kripke {
            size,
            columns: vec![BitSet::empty(size); props.len()],
            relations: vec![apart; agents.len()],
            agents,
            props,
            vars: Vec::new(),
            belief: false,
            names: None,
            points: Vec::new(),
        }
    }

    /// How many worlds there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The agents.
    pub fn agents(&self) -> &[Name] {
        &self.agents
    }

    /// The propositions.
    pub fn props(&self) -> &[Name] {
        &self.props
    }

    /// The index of an agent.
    pub fn agent(&self, name: &str) -> Option<usize> {
        self.agents.iter().position(|a| &**a == name)
    }

    /// The relation of an agent.
    pub fn relation(&self, agent: usize) -> &Relation {
        &self.relations[agent]
    }

    /// The relations of all agents.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// Whether relations may be arbitrary: declared so, or some relation is not given as an equivalence.
    pub fn is_belief(&self) -> bool {
        self.belief || self.relations.iter().any(|r| matches!(r, Relation::Edges(_)))
    }

    /// Makes a proposition true at a world; a new proposition is added.
    pub fn set_true(&mut self, world: usize, prop: &str) {
        let at = self.props.iter().position(|p| &**p == prop).unwrap_or_else(|| {
            self.props.push(prop.into());
            self.columns.push(BitSet::empty(self.size));
            self.props.len() - 1
        });
        self.columns[at].insert(world);
    }

    /// Replaces the relation of an agent.
    pub fn set_relation(&mut self, agent: usize, relation: Relation) {
        self.relations[agent] = relation;
    }

    /// Gives the worlds their names.
    pub fn set_names(&mut self, names: Vec<Name>) {
        self.names = Some(names);
    }

    /// Adds a point; the first one added is the model's point.
    pub fn add_point(&mut self, name: Option<Name>, world: usize) {
        self.points.push((name, world as u32));
    }

    /// The model's point.
    pub fn point(&self) -> Option<usize> {
        self.points.first().map(|(_, w)| *w as usize)
    }

    /// The world that goes by this name: that of a named point, or its own.
    pub fn world(&self, name: &str) -> Option<usize> {
        let point = self.points.iter().find(|(n, _)| n.as_deref() == Some(name));
        point.map(|(_, w)| *w as usize).or_else(|| match &self.names {
            Some(names) => names.iter().position(|n| &**n == name),
            None => (0..self.size).find(|&w| self.name(w) == name),
        })
    }

    /// The name of a world: as given, or its facts.
    pub fn name(&self, world: usize) -> String {
        match &self.names {
            Some(names) => names[world].to_string(),
            None => self.facts(world).label(),
        }
    }

    /// What is true at a world.
    pub fn facts(&self, world: usize) -> Facts {
        Facts {
            props: (0..self.props.len())
                .filter(|&p| self.columns[p].contains(world))
                .map(|p| self.props[p].clone())
                .collect(),
            vars: self.vars.iter().map(|v| (v.name.clone(), v.values[world].clone())).collect(),
        }
    }

    /// In how many facts two worlds differ.
    pub fn distance(&self, one: usize, other: usize) -> usize {
        let props = self.columns.iter().filter(|c| c.contains(one) != c.contains(other)).count();
        props + self.vars.iter().filter(|v| v.values[one] != v.values[other]).count()
    }

    /// The worlds at which a proposition holds; `None` if the model does not mention it.
    pub fn column(&self, prop: &str) -> Option<&BitSet> {
        self.props.iter().position(|p| &**p == prop).map(|at| &self.columns[at])
    }

    /// A variable's value at a world.
    pub fn value(&self, var: &str, world: usize) -> Option<&Value> {
        self.vars.iter().find(|v| &*v.name == var).map(|v| &v.values[world])
    }

    /// The worlds that an agent considers possible at a world, in order.
    pub fn possible(&self, agent: usize, world: usize) -> Vec<usize> {
        match &self.relations[agent] {
            Relation::Classes(c) => (0..self.size).filter(|&v| c.of[v] == c.of[world]).collect(),
            Relation::Edges(e) => e.from(world).iter().map(|&v| v as usize).collect(),
        }
    }

    /// The model restricted to some worlds, with the old index of each new world.
    pub fn restrict(&self, keep: &BitSet) -> (Kripke, Vec<u32>) {
        let old: Vec<u32> = keep.iter().map(|w| w as u32).collect();
        let mut new_of = vec![u32::MAX; self.size];
        for (new, &w) in old.iter().enumerate() {
            new_of[w as usize] = new as u32;
        }
        let relations = self
            .relations
            .iter()
            .map(|relation| match relation {
                Relation::Classes(c) => Relation::Classes(Classes::by_key(old.iter().map(|&w| c.of[w as usize]))),
                Relation::Edges(e) => {
                    let pairs = old.iter().enumerate().flat_map(|(new, &w)| {
                        let targets = e.from(w as usize).iter().map(|&t| new_of[t as usize]);
                        targets.filter(|&t| t != u32::MAX).map(move |t| (new as u32, t))
                    });
                    Relation::Edges(Edges::from_pairs(old.len(), pairs.collect()))
                }
            })
            .collect();
        let model = self.rebuilt(&old, relations);
        (model, old)
    }

    /// A model whose world i has the facts of `source[i]` here, with the given relations.
    pub(crate) fn rebuilt(&self, source: &[u32], relations: Vec<Relation>) -> Kripke {
        Kripke {
            size: source.len(),
            agents: self.agents.clone(),
            props: self.props.clone(),
            columns: self
                .columns
                .iter()
                .map(|column| BitSet::from_fn(source.len(), |i| column.contains(source[i] as usize)))
                .collect(),
            vars: self
                .vars
                .iter()
                .map(|v| VarColumn {
                    name: v.name.clone(),
                    values: source.iter().map(|&w| v.values[w as usize].clone()).collect(),
                })
                .collect(),
            relations,
            belief: self.belief,
            names: self.names.as_ref().map(|names| source.iter().map(|&w| names[w as usize].clone()).collect()),
            points: Vec::new(),
        }
    }
}
