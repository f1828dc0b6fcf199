//! Explicit transition systems: states as dense indices, labelled transitions, what each agent sees of a state.

use super::bitset::BitSet;
use super::kripke::{Classes, Kripke, Relation};
use super::law::Facts;
use crate::check::CheckError;
use crate::formula::{Cmp, F, Formula, Name, Plain, Term, Value};
use std::collections::HashMap;

/// What labels a transition: an action, or the joint action of all actors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// How it is shown.
    pub text: Name,
    /// The names by which programs may call it: `send`, `sender.send`.
    pub names: Vec<Name>,
    /// In a system with actors, the index of the action that each of them does.
    pub choices: Vec<u32>,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Index of the label.
    pub label: u32,
    /// The state it leads to.
    pub target: u32,
    /// What must be known for it to happen: 0 for nothing, else one more than the index of a condition.
    pub condition: u32,
}

/// A variable's value in each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The variable.
    pub name: Name,
    /// Its values.
    pub domain: Vec<Value>,
    /// For each state, the index of its value.
    pub of: Vec<u16>,
}

/// An explicit transition system: exactly the states reachable from the initial ones, when it comes from a
/// [`System`](super::System); any states, when it comes from a file.
#[derive(Clone, Debug, Default)]
pub struct Transitions {
    /// The agents.
    pub agents: Vec<Name>,
    /// The actors whose choices make up a label, if it is a joint action.
    pub actors: Vec<Name>,
    /// The names of the states; empty when they are called by their facts.
    pub names: Vec<Name>,
    /// The initial states.
    pub initial: Vec<u32>,
    /// The labels.
    pub labels: Vec<Label>,
    /// Where the steps of each state start in `steps`; one entry more than there are states.
    pub offsets: Vec<u32>,
    /// The steps, state by state, without repetition.
    pub steps: Vec<Step>,
    /// For each agent the class of each state: same class, same local state.
    pub local: Vec<Vec<u32>>,
    /// In which states each proposition holds.
    pub props: HashMap<Name, BitSet>,
    /// The propositions in the order of their declaration.
    pub prop_order: Vec<Name>,
    /// The values of variables.
    pub vars: Vec<Column>,
    /// What steps may depend on: epistemic formulas (knowledge-based programs).
    pub conditions: Vec<F>,
    /// Steps that would go wrong if they were taken: from which state, under which condition (as in [`Step`]), and how.
    pub wrong: Vec<(u32, u32, CheckError)>,
    /// For some agents, the states in which they are not as they ought to be.
    pub red: Vec<(Name, BitSet)>,
    /// What holds infinitely often on every run that counts.
    pub fairness: Vec<F>,
}

impl Transitions {
    /// The initial states as worlds that agents confuse if they see the same in them.
    pub fn beginning(&self) -> Kripke {
        let size = self.initial.len();
        let mut model = Kripke::new(size, self.agents.clone(), self.prop_order.clone());
        for (world, &state) in self.initial.iter().enumerate() {
            for prop in self.facts(state as usize).props {
                model.set_true(world, &prop);
            }
        }
        for agent in 0..self.agents.len() {
            let classes = Classes::by_key(self.initial.iter().map(|&s| self.local[agent][s as usize]));
            model.set_relation(agent, Relation::Classes(classes));
        }
        model.set_names(self.initial.iter().map(|&s| self.name(s as usize).into()).collect());
        model
    }

    /// How many states there are.
    pub fn size(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The steps from a state.
    pub fn from(&self, state: usize) -> &[Step] {
        &self.steps[self.offsets[state] as usize..self.offsets[state + 1] as usize]
    }

    /// In a system with actors, who does what in a step with this label.
    pub fn parts(&self, label: u32) -> Vec<(Name, Name)> {
        let names = &self.labels[label as usize].names;
        let does = |actor: &Name| {
            let start = format!("{actor}.");
            names.iter().find_map(|n| n.strip_prefix(start.as_str()))
        };
        self.actors.iter().filter_map(|actor| Some((actor.clone(), does(actor)?.into()))).collect()
    }

    /// The agents to whom two states look different.
    pub fn noticed(&self, before: u32, after: u32) -> Vec<Name> {
        let differs = |local: &Vec<u32>| local[before as usize] != local[after as usize];
        self.agents.iter().zip(&self.local).filter(|(_, local)| differs(local)).map(|(a, _)| a.clone()).collect()
    }

    /// The name of a state: as given, or its facts.
    pub fn name(&self, state: usize) -> String {
        match self.names.get(state) {
            Some(name) => name.to_string(),
            None => self.facts(state).label(),
        }
    }

    /// What is true in a state.
    pub fn facts(&self, state: usize) -> Facts {
        Facts {
            props: self
                .prop_order
                .iter()
                .filter(|p| self.props.get(*p).is_some_and(|set| set.contains(state)))
                .cloned()
                .collect(),
            vars: self.vars.iter().map(|v| (v.name.clone(), v.domain[v.of[state] as usize].clone())).collect(),
        }
    }

    /// The states in which an objective formula holds; `None` if it is not objective.
    pub fn objective(&self, f: &Formula) -> Option<BitSet> {
        let size = self.size();
        let counted = |parts: &[F], admits: &dyn Fn(u64) -> bool| {
            let mut counts = vec![0u64; size];
            for part in parts {
                self.objective(part)?.iter().for_each(|s| counts[s] += 1);
            }
            Some(BitSet::from_fn(size, |s| admits(counts[s])))
        };
        Some(match f.plain() {
            Plain::Const(true) => BitSet::full(size),
            Plain::Const(false) => BitSet::empty(size),
            Plain::Atom(name) => self.props.get(name).cloned().unwrap_or_else(|| BitSet::empty(size)),
            Plain::Compare(cmp, a, b) => self.compare(cmp, a, b),
            Plain::Not(g) => self.objective(g)?.complement(),
            Plain::And(parts) => counted(parts, &|n| n == parts.len() as u64)?,
            Plain::Or(parts) => counted(parts, &|n| n > 0)?,
            Plain::Imp(a, b) => {
                let mut set = self.objective(a)?.complement();
                set.unite(&self.objective(b)?);
                set
            }
            Plain::Iff(a, b) => {
                let mut set = self.objective(a)?.complement();
                set.toggle(&self.objective(b)?);
                set
            }
            Plain::Xor(parts) => counted(parts, &|n| n % 2 == 1)?,
            Plain::Count(cmp, n, parts) => counted(parts, &|k| cmp.admits(k.cmp(&n)))?,
            Plain::Modal => return None,
        })
    }

    fn compare(&self, cmp: Cmp, a: &Term, b: &Term) -> BitSet {
        let mut columns: Vec<&Column> = Vec::new();
        for term in [a, b] {
            term.for_each_var(&mut |name| {
                if let Some(column) = self.vars.iter().find(|v| v.name == *name)
                    && columns.iter().all(|c| c.name != column.name)
                {
                    columns.push(column);
                }
            });
        }
        let truth = |lookup: &dyn Fn(&str) -> Option<Value>| match (a.eval(lookup), b.eval(lookup)) {
            (Some(x), Some(y)) => cmp.admits(x.cmp(&y)),
            _ => false,
        };
        // One variable: decided once a value, not once a state.
        if let [column] = columns.as_slice() {
            let by_value: Vec<bool> = column
                .domain
                .iter()
                .map(|value| truth(&|name: &str| (*column.name == *name).then(|| value.clone())))
                .collect();
            return BitSet::from_fn(self.size(), |s| by_value[column.of[s] as usize]);
        }
        BitSet::from_fn(self.size(), |s| {
            truth(&|name: &str| {
                let column = columns.iter().find(|c| *c.name == *name)?;
                Some(column.domain[column.of[s] as usize].clone())
            })
        })
    }

    /// The index of an agent.
    pub fn agent(&self, name: &str) -> Option<usize> {
        self.agents.iter().position(|a| &**a == name)
    }
}
