//! A model as it is written: propositions and variables, laws, and who observes what.
//!
//! This is the knowledge structure of Van Benthem, Van Eijck, Gattinger and Su, before it is represented: vocabulary V,
//! state law θ, observations Oᵢ. Its worlds are the valuations of V that satisfy θ; agent i confuses two of them iff
//! everything that i observes has the same value in both. Observing a formula or a term is allowed.

use crate::formula::{F, Name, Term, Value};
use crate::syntax::Span;

/// A typed variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its canonical name.
    pub name: Name,
    /// Its possible values, in order, without repetition.
    pub values: Vec<Value>,
}

/// A constraint that every world satisfies.
#[derive(Clone, Debug)]
pub struct Law {
    /// The constraint: objective.
    pub formula: F,
    /// Where it stands in the file.
    pub span: Span,
}

/// What an agent sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The truth value of a formula: objective.
    Formula(F),
    /// The value of a term.
    Term(Term),
}

/// The facts of one world: the true propositions and the values of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Propositions that are true; all others are false.
    pub props: Vec<Name>,
    /// Values of variables.
    pub vars: Vec<(Name, Value)>,
}

impl Facts {
    /// The facts as text: `{p, x = 3}`.
    pub fn label(&self) -> String {
        let props = self.props.iter().map(|p| p.to_string());
        let vars = self.vars.iter().map(|(x, v)| format!("{x} = {v}"));
        format!("{{{}}}", props.chain(vars).collect::<Vec<_>>().join(", "))
    }
}

impl Facts {
    /// Whether these are the same facts, in whatever order.
    pub fn agrees(&self, other: &Facts) -> bool {
        self.props.len() == other.props.len()
            && self.vars.len() == other.vars.len()
            && self.props.iter().all(|p| other.props.contains(p))
            && self.vars.iter().all(|v| other.vars.contains(v))
    }
}

/// A world singled out by the file.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name for `--at`, if it has one.
    pub name: Option<Name>,
    /// What is true there.
    pub facts: Facts,
    /// Where it stands in the file.
    pub span: Span,
}

/// A model given by laws and observations.
#[derive(Clone, Debug, Default)]
pub struct LawModel {
    /// The agents.
    pub agents: Vec<Name>,
    /// The propositions.
    pub props: Vec<Name>,
    /// The typed variables.
    pub vars: Vec<Variable>,
    /// The state law, as a conjunction.
    pub laws: Vec<Law>,
    /// What each agent observes, in the order of `agents`.
    pub observes: Vec<Vec<Observation>>,
    /// The points; the first is the model's point.
    pub points: Vec<Point>,
    /// Whether relations are arbitrary: actions may then be private.
    pub belief: bool,
    /// Propositions and variables in the order of their declaration: a hint for variable orders, may be empty.
    pub declaration: Vec<Name>,
}
