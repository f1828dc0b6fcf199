//! Answers: the verdict, where it holds, and why.

use super::options::Engine;
use super::reason::Reason;
use super::time::Account;
use crate::document::{Expected, QueryKind, WorldName};
use crate::model::law::Facts;
use crate::model::system::Recall;
use num_bigint::{BigInt, BigUint};
use std::fmt;

/// A world or a state at which a formula holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its name, or its facts as text if it has none.
    pub name: String,
    /// What is true there; `None` for a state that was found on functions, which is called by its facts.
    pub facts: Option<Facts>,
}

/// An answer, of a model of worlds and of a system alike.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What was asked.
    pub kind: QueryKind,
    /// For `check` and `valid`: whether it holds where it was asked. For `where` and `count`: whether it holds anywhere.
    pub holds: bool,
    /// The one world, state or history at which it was asked, if it was one.
    pub at: Option<String>,
    /// How many there are to hold at: the worlds of the model. In a system the initial states that count, or the one
    /// place where it was asked; of `where` and `count` the reachable states.
    pub asked: BigUint,
    /// At how many of them it holds.
    pub holding: BigUint,
    /// Those, unless they are more than the question allows.
    pub holds_at: Option<Vec<Found>>,
    /// Which engine found it.
    pub engine: Engine,
    /// Why it holds or fails where it was asked, or at a place where it fails; if the question wants it, and if it was
    /// found within the limits.
    pub reason: Option<Explanation>,
    /// What answers of systems say besides.
    pub system: Option<OfSystem>,
}

/// What an answer of a system says besides.
#[derive(Clone, Debug)]
pub struct OfSystem {
    /// What agents remember; with both kinds of memory the answer is that of perfect recall.
    pub recall: Recall,
    /// How many points were looked at: reachable states, or knowledge states.
    pub points: BigUint,
    /// How many initial states were left out: no fair run starts there.
    pub dropped: BigUint,
    /// Whether the formula asks for strategies in a system with fairness: they are judged on all runs, fair or not.
    pub strategies_ignore_fairness: bool,
    /// With both kinds of memory, the answer without memory.
    pub forgetful: Option<Forgetful>,
}

/// The answer without memory, beside that of perfect recall.
#[derive(Clone, Debug)]
pub struct Forgetful {
    /// Whether it holds where it was asked.
    pub holds: bool,
    /// Of how many states it was asked.
    pub asked: BigUint,
    /// At how many of them it holds.
    pub holding: BigUint,
    /// Those, unless they are more than the question allows.
    pub holds_at: Option<Vec<Found>>,
    /// Why.
    pub reason: Option<Explanation>,
    /// A state at which the two answers differ.
    pub parting: Option<String>,
}

impl Answer {
    /// Whether this is the answer that a file expects; `None` for a `where` with more worlds than were listed.
    pub fn meets(&self, expected: &Expected) -> Option<bool> {
        Some(match expected {
            Expected::Truth(truth) => self.holds == *truth,
            Expected::Number(number) => BigInt::from(self.holding.clone()) == *number,
            Expected::Worlds(worlds) => {
                if BigUint::from(worlds.len()) != self.holding {
                    return Some(false);
                }
                let found = self.holds_at.as_ref()?;
                let is = |world: &WorldName, found: &Found| match (world, &found.facts) {
                    (WorldName::Facts(facts), Some(there)) => facts.agrees(there),
                    _ => found.name == world.label(),
                };
                worlds.iter().all(|world| found.iter().any(|found| is(world, found)))
            }
        })
    }

    /// With both kinds of memory, the answer without memory.
    pub fn forgetful(&self) -> Option<&Forgetful> {
        self.system.as_ref()?.forgetful.as_ref()
    }

    /// What else there is to know about the answer, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let Some(system) = &self.system else { return Vec::new() };
        let mut notes = Vec::new();
        if system.dropped > 0u8.into() && self.asked == 0u8.into() && self.kind.is_judged() {
            notes.push("no fair run starts at any initial state: nothing is left to fail".to_string());
        } else if system.dropped == 1u8.into() {
            notes.push("1 initial state does not count: no fair run starts there".to_string());
        } else if system.dropped > 0u8.into() {
            notes.push(format!("{} initial states do not count: no fair run starts there", system.dropped));
        }
        if system.strategies_ignore_fairness {
            notes.push("strategies are judged on all runs, fair or not".to_string());
        }
        notes
    }

    /// The account of runs that is the reason, with the name of its state.
    pub fn account(&self) -> Option<(&str, &Account)> {
        self.reason.as_ref()?.account()
    }

    /// The names of the worlds or states at which it holds, if they are listed.
    pub fn names(&self) -> Option<Vec<&str>> {
        Some(self.holds_at.as_ref()?.iter().map(|found| found.name.as_str()).collect())
    }

    /// The reason, to be printed; nothing if there is none.
    pub fn reason(&self) -> impl fmt::Display + '_ {
        Shown(self.reason.as_ref())
    }
}

struct Shown<'a>(Option<&'a Explanation>);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |reason| reason.fmt(f))
    }
}

/// Why a formula holds or fails.
#[derive(Clone, Debug)]
pub enum Explanation {
    /// At a world.
    World(Reason),
    /// At a state of a system, with runs.
    Run {
        /// The name of the state.
        at: String,
        /// Why.
        account: Account,
    },
}

impl Explanation {
    /// The explanation as lines of text.
    pub fn lines(&self) -> Vec<Line> {
        match self {
            Explanation::World(reason) => reason.lines(),
            Explanation::Run { account, .. } => account.lines(),
        }
    }

    /// The reason at a world, if it is one.
    pub fn world(&self) -> Option<&Reason> {
        match self {
            Explanation::World(reason) => Some(reason),
            Explanation::Run { .. } => None,
        }
    }

    /// The account of runs with the name of its state, if it is one.
    pub fn account(&self) -> Option<(&str, &Account)> {
        match self {
            Explanation::World(_) => None,
            Explanation::Run { at, account } => Some((at, account)),
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.lines().iter().map(Line::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// A line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How far it is indented, in levels.
    pub depth: usize,
    /// Its text.
    pub text: String,
    /// Whether it is a row of a table, to be printed as it is.
    pub row: bool,
    /// If it tells what an update with which the question begins leaves of the model: which one, counted from 1.
    pub update: Option<usize>,
}

impl Line {
    /// A sentence.
    pub(crate) fn new(depth: usize, text: impl Into<String>) -> Line {
        Line { depth, text: text.into(), row: false, update: None }
    }

    /// A row of a table.
    pub(crate) fn row(depth: usize, text: impl Into<String>) -> Line {
        Line { row: true, ..Line::new(depth, text) }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", "  ".repeat(self.depth), self.text)
    }
}
