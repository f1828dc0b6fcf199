//! A file that was read: a model, questions about it, and the names for asking more.

use super::kripke::Kripke;
use super::law::{Facts, LawModel};
use super::system::System;
use super::transitions::Transitions;
use crate::formula::F;
use crate::syntax::{Diagnostic, Scope, Span};
use num_bigint::BigInt;

/// A model of either kind.
#[derive(Clone, Debug)]
pub enum Model {
    /// Given by laws and observations.
    Law(LawModel),
    /// Given world by world.
    Kripke(Kripke),
}

impl Model {
    /// Whether relations are arbitrary rather than equivalences.
    pub fn is_belief(&self) -> bool {
        match self {
            Model::Law(m) => m.belief,
            Model::Kripke(m) => m.is_belief(),
        }
    }

    /// The number of agents.
    pub fn agent_count(&self) -> usize {
        match self {
            Model::Law(m) => m.agents.len(),
            Model::Kripke(m) => m.agents().len(),
        }
    }
}

/// A system of either kind.
#[derive(Clone, Debug)]
pub enum Time {
    /// Given by actors, protocols and evolution.
    System(System),
    /// Given state by state.
    Transitions(Transitions),
}

/// What a statement asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// Whether the formula holds at the point, or in every world if there is no point.
    Check,
    /// Whether the formula holds in every world.
    Valid,
    /// In which worlds the formula holds.
    Where,
    /// In how many worlds the formula holds.
    Count,
}

/// The answer that a file expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Of `check` and `check valid`.
    Truth(bool),
    /// Of `count`.
    Number(BigInt),
    /// Of `where`.
    Worlds(Vec<ExpectedWorld>),
}

/// A world that a `where` expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedWorld {
    /// By its name.
    Named(String),
    /// By its facts.
    Facts(Facts),
}

impl ExpectedWorld {
    /// The name of the world, or its facts.
    pub fn label(&self) -> String {
        match self {
            ExpectedWorld::Named(name) => name.clone(),
            ExpectedWorld::Facts(facts) => facts.label(),
        }
    }
}

/// A question of a file.
#[derive(Clone, Debug)]
pub struct Query {
    /// What is asked.
    pub kind: QueryKind,
    /// Of which formula.
    pub formula: F,
    /// The formula as it was written.
    pub text: String,
    /// A world to ask at, for formats that name one for each question.
    pub at: Option<Facts>,
    /// What the file expects.
    pub expected: Option<Expected>,
    /// Where it stands.
    pub span: Span,
}

/// A formula of a file that is read but cannot be asked; the others of the file can.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The formula as it was written.
    pub text: String,
    /// Why it cannot be asked, and where it stands.
    pub problem: Diagnostic,
    /// The whole of it.
    pub span: Span,
}

/// A model file: the model, its questions, and the names that further formulas may use.
#[derive(Clone, Debug)]
pub struct Document {
    /// The model; of a system, its beginning: the initial states.
    pub model: Model,
    /// How the model goes on, if it describes a system.
    pub time: Option<Time>,
    /// The questions, in order.
    pub queries: Vec<Query>,
    /// Formulas that cannot be asked, in order.
    pub refused: Vec<Refused>,
    /// The declared names.
    pub scope: Scope,
}

impl Document {
    /// Reads a further formula with the names of the file.
    pub fn formula(&self, text: &str) -> Result<F, Vec<Diagnostic>> {
        self.scope.formula(text)
    }
}
