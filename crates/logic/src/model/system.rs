//! Interpreted systems as they are written: local variables, actions, protocols, evolution.
//!
//! A state gives every proposition and variable of the [vocabulary](System::vocabulary) a value. In a step every
//! [`Actor`] chooses one of the actions that its protocol enables; the joint action labels the transition, and the
//! [`Evolution`] groups say what changes. Initial states are the worlds of the vocabulary's laws, so the beginning of a
//! system is a Kripke model: an agent's local state is what it observes there.
//!
//! In guards an action is an atom: `sender.send` is true in the steps in which `sender` does `send`.

use super::law::LawModel;
use crate::formula::{F, Name, Term, Value};
use crate::syntax::Span;

/// What agents remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Recall {
    /// Nothing but the present local state: points are reachable states.
    Forgetful,
    /// Everything they saw: points are traces.
    Perfect,
}

impl Recall {
    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Recall::Forgetful => "none",
            Recall::Perfect => "perfect",
        }
    }
}

/// Whether agents with perfect recall see which actions happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Two traces look the same only if their actions are the same (Definition 4 of the paper).
    Seen,
    /// Only local states count; an agent does not see its own actions either.
    Hidden,
}

impl Visibility {
    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Visibility::Seen => "seen",
            Visibility::Hidden => "hidden",
        }
    }
}

/// An interpreted system.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// Agents, propositions, variables and observations; the laws describe the initial states.
    pub vocabulary: LawModel,
    /// Who acts in every step. An actor that is not an agent of the vocabulary is an environment: it knows nothing.
    pub actors: Vec<Actor>,
    /// What changes; no proposition or variable is a target of two groups. What is in no group never changes.
    pub evolution: Vec<Evolution>,
    /// For some agents, the states in which they are not as they ought to be: objective.
    pub red: Vec<(Name, F)>,
    /// Runs on which one of these holds only finitely often are left out: no knowledge actions.
    pub fairness: Vec<F>,
    /// What the file says about memory.
    pub recall: Option<Recall>,
    /// What the file says about actions.
    pub visibility: Option<Visibility>,
    /// Whether runs may end: otherwise a reachable state without a step is an error.
    pub may_end: bool,
}

/// Somebody who acts: an agent, or an environment.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Its name.
    pub name: Name,
    /// Its actions, at least one, without its name: `send`.
    pub actions: Vec<Name>,
    /// Which actions are enabled where: those of every line whose guard holds.
    pub protocol: Vec<Allow>,
    /// What is enabled where no line's guard holds, as indices into `actions`.
    pub otherwise: Vec<usize>,
    /// Where it stands in the file.
    pub span: Span,
}

impl Actor {
    /// An actor that may always do anything.
    pub fn free(name: Name, actions: Vec<Name>, span: Span) -> Actor {
        let otherwise = (0..actions.len()).collect();
        Actor { name, actions, protocol: Vec::new(), otherwise, span }
    }
}

/// A line of a protocol.
#[derive(Clone, Debug)]
pub struct Allow {
    /// Where the line applies: objective, or with `K[self] φ` under perfect recall.
    pub guard: F,
    /// What it enables, as indices into the actor's actions.
    pub actions: Vec<usize>,
    /// Where it stands in the file.
    pub span: Span,
}

/// Which rule of a group happens when the guards of several hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// The first.
    First,
    /// Any one of them: the run may go on in as many ways.
    Any,
}

/// Rules of which at most one happens in a step. Where none applies nothing of its targets changes.
#[derive(Clone, Debug)]
pub struct Evolution {
    /// The rules, in order.
    pub rules: Vec<Rule>,
    /// Which one happens.
    pub precedence: Precedence,
}

/// What changes in a step in which the guard holds; targets of the group that are not mentioned keep their values.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Objective, over the state before the step; atoms `actor.action` say who does what.
    pub guard: F,
    /// What becomes of propositions and variables, all at once, by values before the step.
    pub sets: Vec<(Name, Next)>,
    /// Where it stands in the file.
    pub span: Span,
}

/// A value after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Of a variable: the value of the term before the step.
    Term(Term),
    /// Of a proposition: the truth value of the formula before the step (actions are atoms).
    Formula(F),
    /// Of a variable: one of these.
    OneOf(Vec<Value>),
    /// Of a proposition: either truth value.
    Either,
}
