//! The interpreted system of Garanina's paper (*Eleusis: perfect recall for inductive reasoning*), and its properties.
//!
//! The dealer's rule is one of a family of candidates: the system is the disjoint union of one copy of the game for each,
//! and only the dealer sees which copy it is. A player with perfect recall keeps the candidates that explain what it
//! saw, and *knows the rule* when they agree ([`Reading`]). The four properties of the paper, each asked of every copy:
//!
//! 1. `AF (K_A Rule | K_B Rule)`: somebody will know.
//! 2. `AF (K_A Rule & !K_B Rule)`: Alice will know before Bob does.
//! 3. `Turn = A -> AF (K_A Rule & !K_B Rule)`: the same if Alice begins.
//! 4. `A(!(K_A Rule | K_B Rule) U (K_A Rule | K_B Rule) & Moves < m)`: in fewer than m moves, with the least such m.
//!
//! Two ways to the answers: [`decide`] searches through what the players may still think; `bridge::eleusis` writes the
//! system as a `.ken` file, for the engine of perfect recall. They agree (`tests/eleusis_properties`).

mod family;
mod read;
mod report;
mod search;
mod story;
mod strategy;
mod table;

use super::automaton::{Automaton, State, Unbounded};
use super::deck::Deck;
use super::rule::Rule;
use crate::cards::{Card, CardSet};
pub(crate) use family::Family;
pub use read::instances;
pub use report::{Verdicts, in_all, property_3, property_4, result};
pub use search::{Decision, End, Evidence, Limit, Outcome, decide};
pub use story::{Play, Story, story};
pub use strategy::best_strategy_depth;

/// A player of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Person {
    /// Alice.
    A,
    /// Bob.
    B,
}

impl Person {
    /// Both.
    pub const ALL: [Person; 2] = [Person::A, Person::B];

    /// 0 or 1.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Person {
        match self {
            Person::A => Person::B,
            Person::B => Person::A,
        }
    }

    /// How the player is called in files: `A` or `B`.
    pub fn name(self) -> &'static str {
        match self {
            Person::A => "A",
            Person::B => "B",
        }
    }
}

/// Where cards come from, and who moves next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Any card of the deck at any time; the turn passes after every move.
    Unlimited,
    /// The hands of Alice and of Bob, known to both. An accepted card leaves its hand and keeps the turn; a refused one
    /// returns and passes it. The match ends with an empty hand.
    Decks([CardSet; 2]),
}

macro_rules! named {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $name:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $kind { $($(#[$doc])* $name,)* }

        impl $kind {
            /// All of them.
            pub const ALL: &'static [$kind] = &[$($kind::$name,)*];

            /// How it is written in files.
            pub fn name(self) -> &'static str {
                match self { $($kind::$name => $text,)* }
            }
        }
    };
}

named! {
    /// What the players see of a move.
    Observation {
        /// Both see card and verdict.
        Public = "public",
        /// A refused card is seen by its player only. The other learns that some card of the hand was refused: a
        /// candidate survives for the other iff it refuses some card of that hand there.
        Whisper = "whisper",
        /// Bob keeps the accepted line only: no refused card, not even that there was one.
        Forgetful = "B_forgets_rejections",
    }
}

named! {
    /// Which cards a player plays. It is no secret from anybody, but players do not reason from it: what is known
    /// depends on the cards and verdicts alone.
    Protocol {
        /// Any card of the hand: the paper's.
        Any = "any",
        /// No card that was refused since the last accepted one, while another is there.
        NoRepeat = "norepeat",
        /// A card on which the mover's candidates disagree, else one that some of them accepts, else any.
        Informative = "informative",
        /// A card of a best plan: one that leaves the fewest plays in the worst case to somebody who plays every card
        /// and sees every verdict; without a plan, as `informative`.
        Planned = "planned",
    }
}

named! {
    /// When a player knows the rule.
    Reading {
        /// Exactly one candidate is left.
        Which = "which",
        /// All candidates left judge every continuation of the present line alike.
        Residual = "residual",
    }
}

/// A game to be asked about.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name, if it has one.
    pub id: Option<String>,
    /// The candidates, all of the same deck.
    pub rules: Vec<Candidate>,
    /// The deck.
    pub deck: Deck,
    /// The first card of the line.
    pub starter: Card,
    /// Where cards come from.
    pub mode: Mode,
    /// Who begins.
    pub first: Person,
    /// What the players see.
    pub observation: Observation,
    /// What they play.
    pub protocol: Protocol,
    /// When they know.
    pub reading: Reading,
    /// After how many moves every match stops; none: never.
    pub bound: Option<u32>,
}

/// The most candidates of a family.
pub const MAX_RULES: usize = 64;

/// A rule that may be the dealer's.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// How it is called.
    pub name: String,
    /// What it says.
    pub rule: Rule,
    automaton: Automaton,
}

impl Candidate {
    /// The candidate of that name; a rule that needs unbounded memory cannot be one.
    pub fn new(name: impl Into<String>, rule: Rule) -> Result<Candidate, Unbounded> {
        let automaton = Automaton::of(&rule)?;
        Ok(Candidate { name: name.into(), rule, automaton })
    }
}

/// The candidates as one automaton.
pub(crate) fn family_of(instance: &Instance) -> Family {
    let after = |candidate: &Candidate| {
        candidate.automaton.run(&[instance.starter]).expect("a rule takes any card as the first one")
    };
    let starts: Vec<State> = instance.rules.iter().map(after).collect();
    let step = |rule: usize, state: &State, card| instance.rules[rule].automaton.step(*state, card);
    Family::new(instance.deck.size(), instance.reading, &starts, step)
}
