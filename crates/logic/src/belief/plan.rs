//! Choosing an action: Definition 7, as repaired.
//!
//! A solution of an action selection problem ⟨Σ, Op, αG⟩ is an action `+α @t` of the repertoire Op, with its
//! precondition P, such that Σ ⊨ P and Σ ⊨ `[+ α @t] I[m] αG`. As printed it has none or too many: the preconditions
//! hold the clock outside `I[m]`, which no Σ entails, and an expansion that contradicts Σ makes the machine believe
//! everything. So the clock is the caller's, and an action counts only if Σ and what it teaches are consistent; that
//! is asked first.

use super::language::{Alpha, Formula, Store};
use super::model::Model;
use super::reason::{Entailment, Reasoner};

/// An action of the repertoire: what the machine learns by it, when, and when it may be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// α: what is learned.
    pub learn: Alpha,
    /// t: the time at which it is learned.
    pub time: u32,
    /// P: what must follow from the base.
    pub precondition: Formula,
}

/// What an action does for a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It can be done, and the goal is implicitly believed afterwards.
    Solves {
        /// A minimal set of premises for the precondition.
        precondition: Vec<Alpha>,
        /// A minimal set of premises for the goal.
        goal: Vec<Alpha>,
    },
    /// What it teaches cannot be true.
    Contradicts {
        /// A minimal set of premises that exclude it.
        premises: Vec<Alpha>,
    },
    /// Its precondition does not follow.
    PreconditionFails {
        /// A model of the base in which it is false.
        model: Model,
    },
    /// The goal is not believed afterwards.
    GoalNotBelieved {
        /// A model of the base in which it is not.
        model: Model,
    },
}

impl Outcome {
    /// Whether the action is a solution.
    pub fn solves(&self) -> bool {
        matches!(self, Outcome::Solves { .. })
    }
}

impl Reasoner {
    /// The formula that says that what the action teaches is impossible.
    fn impossible(store: &mut Store, action: &Action) -> Formula {
        let now = store.now(action.time);
        let after = store.and(action.learn, now);
        let never = store.not(after);
        store.implicit(never)
    }

    fn reached(store: &mut Store, action: &Action, goal: Alpha) -> Formula {
        let believed = store.implicit(goal);
        store.after(action.learn, action.time, believed)
    }

    /// Whether the action is a solution for the goal: three questions at most, no reasons.
    pub fn solves(&mut self, store: &mut Store, action: &Action, goal: Alpha) -> bool {
        let never = Reasoner::impossible(store, action);
        if self.entails(store, never) || !self.entails(store, action.precondition) {
            return false;
        }
        let reached = Reasoner::reached(store, action, goal);
        self.entails(store, reached)
    }

    /// What the action does for the goal, with the reason.
    pub fn attempt(&mut self, store: &mut Store, action: &Action, goal: Alpha) -> Outcome {
        let never = Reasoner::impossible(store, action);
        if let Entailment::Follows { premises } = self.explain(store, never) {
            return Outcome::Contradicts { premises };
        }
        let precondition = match self.explain(store, action.precondition) {
            Entailment::Follows { premises } => premises,
            Entailment::Fails { model } => return Outcome::PreconditionFails { model },
        };
        let reached = Reasoner::reached(store, action, goal);
        match self.explain(store, reached) {
            Entailment::Follows { premises } => Outcome::Solves { precondition, goal: premises },
            Entailment::Fails { model } => Outcome::GoalNotBelieved { model },
        }
    }
}
