//! Limits on work, and the ways in which a check can end without an answer.

use crate::bdd::NoRoom;
use crate::formula::Name;
use crate::model::law::Law;
use crate::syntax::Span;
use crate::text::{grouped, plural};
use crate::update::BrokenAction;
use std::fmt;

/// How much work a check may do. Limits never change an answer: at a limit there is none.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most worlds of an explicit model, updates included.
    pub worlds: usize,
    /// The most memory for decision diagrams, in bytes.
    pub diagram_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { worlds: 5_000_000, diagram_bytes: 8 << 30 }
    }
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// An explicit model would have more worlds than this.
    Worlds(usize),
    /// Decision diagrams would need more bytes than this.
    DiagramBytes(usize),
    /// A term takes too many values for a symbolic representation.
    TermValues,
    /// A system has more reachable states, or knowledge states, than this.
    States(usize),
    /// A system has more steps between its states than this.
    Transitions(usize),
    /// Common knowledge or knowledge-based protocols were followed this many steps without an answer.
    Steps(usize),
    /// The system does not give the memory for decision diagrams of this many bytes.
    NoRoom(u64),
    /// A path formula needs an automaton with more nodes than this.
    PathFormula(usize),
    /// Somebody stopped the work.
    Stopped,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Worlds(n) => write!(f, "more than {} worlds", grouped(n)),
            Limit::DiagramBytes(n) => write!(f, "decision diagrams larger than {} MB", n >> 20),
            Limit::States(n) => write!(f, "more than {} states", grouped(n)),
            Limit::Transitions(n) => write!(f, "more than {} steps between states", grouped(n)),
            Limit::Steps(n) => write!(f, "undecided after {}", plural(n, "step")),
            Limit::TermValues => f.write_str("a term with more than a million combinations of values"),
            Limit::NoRoom(n) => write!(f, "no memory to be had for decision diagrams of {} MB", n.div_ceil(1 << 20)),
            Limit::PathFormula(n) => write!(f, "a path formula whose automaton has more than {} nodes", grouped(n)),
            Limit::Stopped => f.write_str("stopped before an answer was found"),
        }
    }
}

/// Why a check has no answer.
#[derive(Clone, Debug)]
pub enum CheckError {
    /// A limit was reached.
    Limit(Limit),
    /// The laws of the model contradict each other: no world satisfies all of these.
    NoWorld(Vec<Law>),
    /// A point is not a world of the model.
    NotAWorld(Span),
    /// No world or point has this name.
    UnknownWorld(String),
    /// The system has no state of this name, or none where it may be asked.
    UnknownState {
        /// The name, or the facts.
        name: String,
        /// Whether only initial states may be named, because agents remember.
        initial: bool,
    },
    /// A history cannot go on: no step from where it has come fits this one.
    NoSuchStep {
        /// The history up to there.
        after: String,
        /// The step.
        step: String,
    },
    /// Several histories fit this one, and the formula holds after some of them only.
    Ambiguous(String),
    /// The state, or history, of this name does not count: no fair run starts there.
    Unfair(String),
    /// The formula names an agent that the model does not have.
    UnknownAgent(Name),
    /// The formula speaks of time, and the model has none.
    Temporal,
    /// The symbolic engine is for S5; this model or action has arbitrary relations.
    BeliefInSymbolic,
    /// An action with arbitrary relations was applied to an S5 model.
    BeliefInS5(Name),
    /// An action breaks a rule of the action language.
    Action(BrokenAction),
    /// A protocol enables nothing in a reachable state.
    Stuck {
        /// Whose protocol.
        actor: Name,
        /// The state, as text.
        state: String,
        /// Where the actor stands in the file.
        span: Span,
    },
    /// What the agents know enables no joint action in a reachable state.
    NoStep {
        /// The state, as text.
        state: String,
        /// Where a protocol asks what its agent knows.
        span: Span,
    },
    /// A step would give a variable a value that it cannot have.
    OutOfRange {
        /// The variable.
        target: Name,
        /// The value, if it is one.
        value: Option<String>,
        /// The state before the step, as text.
        state: String,
        /// Where the rule stands in the file.
        span: Span,
    },
    /// A protocol, at this place, asks what an agent knows, and the question is asked without memory.
    NeedsMemory(Span),
    /// The operator, by its name, is not defined with this kind of memory or model.
    NotHere(&'static str),
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Limit(limit) => write!(f, "gave up: {limit}"),
            CheckError::NoWorld(laws) if laws.len() == 1 => f.write_str("no world satisfies this law"),
            CheckError::NoWorld(laws) => write!(f, "no world satisfies these {} laws together", laws.len()),
            CheckError::NotAWorld(_) => f.write_str("the point is not a world of the model"),
            CheckError::UnknownWorld(name) => write!(f, "no world or point is called `{name}`"),
            CheckError::UnknownState { name, initial: true } => {
                write!(f, "`{name}` is not an initial state of the system")
            }
            CheckError::UnknownState { name, initial: false } => {
                write!(f, "`{name}` is not a reachable state of the system")
            }
            CheckError::NoSuchStep { after, step } => write!(f, "no step leads from {after} to {step}"),
            CheckError::Ambiguous(history) => {
                write!(f, "several histories are written {history}, and it holds after some of them only")
            }
            CheckError::Unfair(name) => write!(f, "the state {name} does not count: no fair run starts there"),
            CheckError::UnknownAgent(name) => write!(f, "unknown agent `{name}`"),
            CheckError::Temporal => {
                f.write_str("temporal operators need a system with transitions; this model has worlds but no time")
            }
            CheckError::BeliefInSymbolic => {
                f.write_str("the symbolic engine is for S5 models; this one has arbitrary relations (belief)")
            }
            CheckError::BeliefInS5(name) => write!(f, "the action `{name}` has arbitrary relations, the model is S5"),
            CheckError::Action(broken) => write!(f, "{broken}"),
            CheckError::Stuck { actor, state, .. } => {
                write!(f, "the protocol of `{actor}` enables nothing in the state {state}")
            }
            CheckError::NoStep { state, .. } => {
                write!(f, "after what the agents know, somebody's protocol enables nothing in the state {state}")
            }
            CheckError::OutOfRange { target, value: Some(value), state, .. } => {
                write!(f, "`{target}` would become {value}, which it cannot be, after the state {state}")
            }
            CheckError::OutOfRange { target, value: None, state, .. } => {
                write!(f, "`{target}` would have no value after the state {state}")
            }
            CheckError::NeedsMemory(_) => f.write_str("protocols that ask what an agent knows need perfect recall"),
            CheckError::NotHere(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for CheckError {}

impl From<NoRoom> for CheckError {
    fn from(NoRoom(bytes): NoRoom) -> CheckError {
        CheckError::Limit(Limit::NoRoom(bytes))
    }
}

impl From<Limit> for CheckError {
    fn from(limit: Limit) -> CheckError {
        CheckError::Limit(limit)
    }
}

impl From<BrokenAction> for CheckError {
    fn from(broken: BrokenAction) -> CheckError {
        CheckError::Action(broken)
    }
}
