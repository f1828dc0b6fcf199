//! How questions are asked: which engine, which memory, how much work.

use super::limits::Limits;
use crate::model::system::Visibility;

/// Which engine to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// Explicit where the worlds can be listed quickly, else symbolic; the other one where the first reaches a limit.
    #[default]
    Auto,
    /// Worlds one by one.
    Explicit,
    /// Boolean functions; S5 only.
    Symbolic,
}

/// Which engine was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Worlds one by one.
    Explicit,
    /// Boolean functions.
    Symbolic,
}

impl Engine {
    /// The name, as printed.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
        }
    }
}

/// What agents are taken to remember when a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing but the present.
    None,
    /// Everything they saw.
    Perfect,
    /// Both are asked, and compared.
    Both,
}

/// How questions are asked. Memory, visibility and bound concern systems only.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Which engine to use; with perfect recall the states of a system are always listed.
    pub engine: EngineChoice,
    /// What agents remember; the system's own word, or the default, if it is not given.
    pub memory: Option<Memory>,
    /// Whether agents see which actions happen; the system's own word, or seen, if it is not given.
    pub visibility: Option<Visibility>,
    /// How many steps to follow where nothing else ends the search.
    pub bound: Option<usize>,
    /// How much work to do.
    pub limits: Limits,
}
