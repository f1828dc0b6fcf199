//! Explicit transition systems: states as dense indices, labelled transitions, what each agent sees of a state.

use super::bitset::BitSet;
use super::kripke::VarColumn;
use crate::formula::{F, Name};
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
    pub vars: Vec<VarColumn>,
    /// What steps may depend on: epistemic formulas (knowledge-based programs).
    pub conditions: Vec<F>,
    /// For some agents, the states in which they are not as they ought to be.
    pub red: Vec<(Name, BitSet)>,
    /// What holds infinitely often on every run that counts.
    pub fairness: Vec<F>,
}

impl Transitions {
    /// How many states there are.
    pub fn size(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The steps from a state.
    pub fn from(&self, state: usize) -> &[Step] {
        &self.steps[self.offsets[state] as usize..self.offsets[state + 1] as usize]
    }

    /// The index of an agent.
    pub fn agent(&self, name: &str) -> Option<usize> {
        self.agents.iter().position(|a| &**a == name)
    }
}
