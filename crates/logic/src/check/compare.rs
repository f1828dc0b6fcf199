//! Comparing two models: bisimilar at their worlds, or a formula that holds at one and not at the other.
//!
//! The worlds of both models are partitioned by their facts and then refined, round by round, by what each agent
//! considers possible. Worlds that part in round n differ in a formula of knowledge depth n and in none of smaller depth
//! (Hennessy and Milner); the rounds are kept as a tree of splits, from which such a formula is read off. Every formula
//! is verified by the explicit engine before it is returned.

use super::CheckError;
use super::explicit::Explicit;
use super::limits::Limits;
use crate::formula::{F, Formula, Name, Value};
use crate::model::kripke::{Classes, Relation};
use crate::model::{BitSet, Kripke};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use tell::Teller;

mod tell;

/// The answer to a comparison.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// No formula without distributed knowledge tells the two worlds apart.
    Bisimilar {
        /// How many classes of bisimilar worlds the two models have together.
        classes: usize,
        /// The class of each world of the left model.
        left: Vec<u32>,
        /// The class of each world of the right model: worlds of the same class are bisimilar.
        right: Vec<u32>,
    },
    /// A formula that is true at the left world and false at the right one, of the smallest possible depth.
    Different(F),
}

/// Why two models cannot be compared.
#[derive(Clone, Debug)]
pub enum CompareError {
    /// The models speak of different agents.
    Agents {
        /// Those that only the left model has.
        only_left: Vec<Name>,
        /// Those that only the right model has.
        only_right: Vec<Name>,
    },
    /// A model has no world with this index.
    NoWorld {
        /// The index.
        world: usize,
        /// How many worlds the model has.
        size: usize,
    },
    /// The models differ, but every formula found that says so is too long to be of use.
    TooLong {
        /// The knowledge depth of such a formula.
        depth: u32,
    },
    /// The explicit engine could not confirm the formula.
    Check(CheckError),
    /// The explicit engine contradicts the formula found: a defect of this program.
    Unconfirmed(F),
}

impl fmt::Display for CompareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |names: &[Name]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        match self {
            CompareError::Agents { only_left, only_right } => {
                f.write_str("the models have different agents: ")?;
                match (only_left.as_slice(), only_right.as_slice()) {
                    (left, []) => write!(f, "only the left one has {}", list(left)),
                    ([], right) => write!(f, "only the right one has {}", list(right)),
                    (left, right) => {
                        write!(f, "only the left one has {}, only the right one {}", list(left), list(right))
                    }
                }
            }
            CompareError::NoWorld { world, size } => write!(f, "there is no world {world} in a model of {size} worlds"),
            CompareError::TooLong { depth } => {
                write!(f, "the models differ, in a formula of knowledge depth {depth} that is too long to print")
            }
            CompareError::Check(error) => write!(f, "{error}"),
            CompareError::Unconfirmed(formula) => write!(f, "the engine does not confirm `{formula}`"),
        }
    }
}

impl std::error::Error for CompareError {}

impl From<CheckError> for CompareError {
    fn from(error: CheckError) -> CompareError {
        CompareError::Check(error)
    }
}

/// The most operators and atoms of a formula.
const MAX_SIZE: u64 = 20_000;
/// The largest knowledge depth of a formula: printing and checking recurse.
const MAX_DEPTH: u32 = 500;
/// Formulas up to this size are shortened by leaving parts out and checking again.
const SHORTEN_SIZE: u64 = 250;

/// Compares two models at a world of each: bisimilar, or a formula true at the left world and false at the right one.
///
/// The vocabulary is that of both models together: what a model does not mention is false there. The agents must be the
/// same, in any order.
pub fn compare(
    left: &Kripke,
    left_world: usize,
    right: &Kripke,
    right_world: usize,
) -> Result<Comparison, CompareError> {
    let missing = |from: &Kripke, other: &Kripke| -> Vec<Name> {
        from.agents().iter().filter(|a| other.agent(a).is_none()).cloned().collect()
    };
    let (only_left, only_right) = (missing(left, right), missing(right, left));
    if !only_left.is_empty() || !only_right.is_empty() {
        return Err(CompareError::Agents { only_left, only_right });
    }
    for (model, world) in [(left, left_world), (right, right_world)] {
        if world >= model.size() {
            return Err(CompareError::NoWorld { world, size: model.size() });
        }
    }
    let union = Union::new(left, right);
    let (u, v) = (left_world, left.size() + right_world);
    let (tree, blocks) = union.refine(u, v);
    let Some((node, _)) = tree.split(u, v) else {
        let of = blocks.of.get(..left.size()).unwrap_or_default().to_vec();
        let right = blocks.of.get(left.size()..).unwrap_or_default().to_vec();
        return Ok(Comparison::Bisimilar { classes: blocks.count as usize, left: of, right });
    };
    let depth = tree.nodes[node as usize].round;
    if depth > MAX_DEPTH {
        return Err(CompareError::TooLong { depth });
    }
    let Some(found) = Teller::new(&union, &tree).tell(u, v) else { return Err(CompareError::TooLong { depth }) };
    let mut judge = Judge {
        left: (Explicit::new(left.clone(), Limits::default()), left_world),
        right: (Explicit::new(right.clone(), Limits::default()), right_world),
    };
    if !judge.tells_apart(&found.formula)? {
        return Err(CompareError::Unconfirmed(found.formula));
    }
    let short = if found.size <= SHORTEN_SIZE { judge.shorten(found.formula)? } else { found.formula };
    Ok(Comparison::Different(short))
}

/// One of the two models: where its worlds stand in the union, and its agents in the order of the left one.
struct Side<'m> {
    model: &'m Kripke,
    offset: usize,
    agents: Vec<usize>,
    /// For each agent, the worlds of each class, if it has classes.
    members: Vec<Vec<Vec<u32>>>,
}

/// The disjoint union of both models: the worlds of the left one, then those of the right one.
struct Union<'m> {
    size: usize,
    agents: Vec<Name>,
    sides: [Side<'m>; 2],
    props: Vec<(Name, BitSet)>,
    /// Variables, and whether both models have them.
    vars: Vec<(Name, bool)>,
}

impl<'m> Union<'m> {
    fn new(left: &'m Kripke, right: &'m Kripke) -> Union<'m> {
        let side = |model: &'m Kripke, offset: usize| {
            let agents: Vec<usize> = left.agents().iter().filter_map(|a| model.agent(a)).collect();
            let members = agents.iter().map(|&a| match model.relation(a) {
                Relation::Classes(c) => c.members(),
                Relation::Edges(_) => Vec::new(),
            });
            Side { model, offset, members: members.collect(), agents }
        };
        let sides = [side(left, 0), side(right, left.size())];
        let size = left.size() + right.size();
        let fresh = right.props().iter().filter(|p| !left.props().contains(p));
        let props = left.props().iter().chain(fresh).map(|prop| {
            let mut all = BitSet::empty(size);
            for side in &sides {
                for world in side.model.column(prop).iter().flat_map(|column| column.iter()) {
                    all.insert(side.offset + world);
                }
            }
            (prop.clone(), all)
        });
        let has = |model: &Kripke, name: &Name| model.vars.iter().any(|v| v.name == *name);
        let fresh = right.vars.iter().map(|v| &v.name).filter(|name| !has(left, name));
        let vars = left.vars.iter().map(|v| &v.name).chain(fresh);
        let vars = vars.map(|name| (name.clone(), has(left, name) && has(right, name)));
        Union { size, agents: left.agents().to_vec(), props: props.collect(), vars: vars.collect(), sides }
    }

    fn side(&self, world: usize) -> (&Side<'m>, usize) {
        let [left, right] = &self.sides;
        if world < right.offset { (left, world) } else { (right, world - right.offset) }
    }

    fn value(&self, var: usize, world: usize) -> Option<&Value> {
        let (side, at) = self.side(world);
        side.model.value(&self.vars[var].0, at)
    }

    /// The worlds that an agent considers possible.
    fn possible(&self, agent: usize, world: usize) -> Vec<usize> {
        let (side, at) = self.side(world);
        let targets: &[u32] = match side.model.relation(side.agents[agent]) {
            Relation::Classes(c) => &side.members[agent][c.of[at] as usize],
            Relation::Edges(e) => e.from(at),
        };
        targets.iter().map(|&t| side.offset + t as usize).collect()
    }

    /// The worlds at which an agent considers some world of the set possible.
    fn possibly(&self, agent: usize, set: &BitSet) -> BitSet {
        let mut result = BitSet::empty(self.size);
        for side in &self.sides {
            let inside = |world: usize| set.contains(side.offset + world);
            let size = side.model.size();
            match side.model.relation(side.agents[agent]) {
                Relation::Classes(c) => {
                    let mut hit = vec![false; c.count as usize];
                    (0..size).filter(|&w| inside(w)).for_each(|w| hit[c.of[w] as usize] = true);
                    (0..size).filter(|&w| hit[c.of[w] as usize]).for_each(|w| result.insert(side.offset + w));
                }
                Relation::Edges(e) => (0..size)
                    .filter(|&w| e.from(w).iter().any(|&t| inside(t as usize)))
                    .for_each(|w| result.insert(side.offset + w)),
            }
        }
        result
    }

    /// The partition by facts.
    fn facts(&self) -> Classes {
        let mut blocks = Classes { of: vec![0; self.size], count: 1 };
        for (_, column) in &self.props {
            blocks = Classes::by_key((0..self.size).map(|w| (blocks.of[w], column.contains(w))));
        }
        for var in 0..self.vars.len() {
            blocks = Classes::by_key((0..self.size).map(|w| (blocks.of[w], self.value(var, w))));
        }
        blocks
    }

    /// For each world, a number that says which blocks an agent considers possible there.
    fn outlook(&self, agent: usize, blocks: &Classes) -> Vec<u32> {
        let mut seen: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut number = |targets: &[u32], offset: usize| {
            let mut set: Vec<u32> = targets.iter().map(|&t| blocks.of[offset + t as usize]).collect();
            set.sort_unstable();
            set.dedup();
            let next = seen.len() as u32;
            *seen.entry(set).or_insert(next)
        };
        let mut result = Vec::with_capacity(self.size);
        for side in &self.sides {
            match side.model.relation(side.agents[agent]) {
                Relation::Classes(c) => {
                    let of: Vec<u32> = side.members[agent].iter().map(|m| number(m, side.offset)).collect();
                    result.extend(c.of.iter().map(|&class| of[class as usize]));
                }
                Relation::Edges(e) => result.extend((0..side.model.size()).map(|w| number(e.from(w), side.offset))),
            }
        }
        result
    }

    /// Refines the partition by facts until it is stable or the two worlds are apart.
    fn refine(&self, u: usize, v: usize) -> (Tree, Classes) {
        let mut blocks = self.facts();
        let mut tree = Tree::new(&blocks);
        while blocks.of[u] == blocks.of[v] {
            let mut next = blocks.clone();
            for agent in 0..self.agents.len() {
                let outlook = self.outlook(agent, &blocks);
                next = Classes::by_key(next.of.iter().zip(outlook));
            }
            if next.count == blocks.count {
                break;
            }
            tree.grow(&blocks, &next);
            blocks = next;
        }
        (tree, blocks)
    }
}

/// How blocks split: each node is a block, its children the blocks it fell into, all in one round.
struct Tree {
    nodes: Vec<Node>,
    /// The node of each block of the present partition.
    current: Vec<u32>,
    /// The node of each world.
    leaf: Vec<u32>,
    round: u32,
}

struct Node {
    parent: u32,
    round: u32,
}

impl Tree {
    fn new(blocks: &Classes) -> Tree {
        let mut nodes = vec![Node { parent: 0, round: 0 }];
        nodes.extend((0..blocks.count).map(|_| Node { parent: 0, round: 0 }));
        let current: Vec<u32> = (1..=blocks.count).collect();
        let leaf = blocks.of.iter().map(|&b| current[b as usize]).collect();
        Tree { nodes, current, leaf, round: 0 }
    }

    fn grow(&mut self, old: &Classes, new: &Classes) {
        self.round += 1;
        let mut parent = vec![0u32; new.count as usize];
        for (&before, &after) in old.of.iter().zip(&new.of) {
            parent[after as usize] = before;
        }
        let mut children = vec![0; old.count as usize];
        parent.iter().for_each(|&p| children[p as usize] += 1);
        let mut current = Vec::with_capacity(parent.len());
        for &p in &parent {
            let node = self.current[p as usize];
            if children[p as usize] == 1 {
                current.push(node);
            } else {
                current.push(self.nodes.len() as u32);
                self.nodes.push(Node { parent: node, round: self.round });
            }
        }
        self.leaf = new.of.iter().map(|&b| current[b as usize]).collect();
        self.current = current;
    }

    /// The two blocks in which worlds were when they first parted; `None` if they never did.
    fn split(&self, u: usize, v: usize) -> Option<(u32, u32)> {
        let (mut a, mut b) = (self.leaf[u], self.leaf[v]);
        if a == b {
            return None;
        }
        loop {
            let (x, y) = (&self.nodes[a as usize], &self.nodes[b as usize]);
            if x.parent == y.parent {
                return Some((a, b));
            }
            // Children of one node are born in the same round, so the younger one can never be such a child.
            if x.round >= y.round {
                a = x.parent;
            }
            if y.round >= x.round {
                b = y.parent;
            }
        }
    }

    /// The block of a world after a round.
    fn block(&self, world: usize, round: u32) -> u32 {
        let mut node = self.leaf[world];
        while self.nodes[node as usize].round > round {
            node = self.nodes[node as usize].parent;
        }
        node
    }
}

/// Both models with their worlds: what a formula must tell apart.
struct Judge {
    left: (Explicit, usize),
    right: (Explicit, usize),
}

impl Judge {
    /// Whether the formula is true at the left world and false at the right one.
    fn tells_apart(&mut self, formula: &F) -> Result<bool, CheckError> {
        let (engine, world) = &mut self.left;
        if !engine.check(formula)?.contains(*world) {
            return Ok(false);
        }
        let (engine, world) = &mut self.right;
        Ok(!engine.check(formula)?.contains(*world))
    }

    /// Leaves out parts of conjunctions and disjunctions as long as the rest still tells the worlds apart.
    fn shorten(&mut self, mut formula: F) -> Result<F, CheckError> {
        'again: loop {
            for shorter in without_one(&formula) {
                if self.tells_apart(&shorter)? {
                    formula = shorter;
                    continue 'again;
                }
            }
            return Ok(formula);
        }
    }
}

/// The formulas with one part of one conjunction or disjunction left out.
fn without_one(formula: &F) -> Vec<F> {
    let mut shorter = Vec::new();
    match &**formula {
        Formula::And(parts) | Formula::Or(parts) => {
            let join = if matches!(**formula, Formula::And(_)) { Formula::and } else { Formula::or };
            for at in 0..parts.len() {
                let mut rest = parts.clone();
                rest.remove(at);
                shorter.push(join(rest));
            }
            for (at, part) in parts.iter().enumerate() {
                for smaller in without_one(part) {
                    let mut rest = parts.clone();
                    rest[at] = smaller;
                    shorter.push(join(rest));
                }
            }
        }
        Formula::Knows(a, f) => {
            shorter.extend(without_one(f).into_iter().map(|f| Arc::new(Formula::Knows(a.clone(), f))));
        }
        Formula::Possible(a, f) => {
            shorter.extend(without_one(f).into_iter().map(|f| Arc::new(Formula::Possible(a.clone(), f))));
        }
        _ => {}
    }
    shorter
}
