//! Artificial players, one idea each. They receive sights and options and nothing else.
//!
//! | file | one line |
//! |---|---|
//! | `announce` | what each player says before the deal of how it reads moves and what its own mean |
//! | `random` | does anything that is allowed |
//! | `forgetful` | any player that remembers only its last looks |
//! | `observed` | what a match tells of who played it |
//! | `notes`, `thinker` | what a strong player writes down, and the mind that the strong ones share |
//! | `believer`, `conventional`, `adapter` | the thinker that reads nothing into moves, keeps a convention, or earns trust |
//! | `coder` | a declared code, for the ceiling |
//! | `companion` | a partner for people, which reckons with one who forgets and keeps no convention |
//! | `standin` | stand-ins for people: they forget, keep no convention, mark rarely, move greedily |
//! | `paper` | the player of the paper on Yōkai: in plain code, and by belief base and SAT; with other orders of its goals, `explorer` and `learner` |
//!
//! A player that looks at a card again and sees no colour has forgotten it: `NAME@6` remembers the colours of its last
//! six looks.

mod adapter;
mod announce;
mod believer;
mod coder;
pub mod companion;
mod conventional;
pub mod forgetful;
mod notes;
mod observed;
pub mod paper;
pub mod random;
#[cfg(test)]
mod staged;
pub mod standin;
mod thinker;

pub use announce::{Announced, Trust, announced, says};
pub(super) use coder::read as code_read;

use super::count::Evidence;
use super::knowledge::{self, Atom, Fact, Why, why};
use super::layout::Shape;
use super::partner::PartnerModel;
use super::position::Position;
use super::rules::{Action, Yokai};
use crate::game::{Illegal, Notation, Player};
use companion::Companion;
use forgetful::Forgetful;
pub use observed::observed;
use paper::{Logical, Order, Paper, Plain, learn};
use serde_json::{Value, json};
use standin::StandIn;

/// Why a player chose what it chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// In a line.
    pub headline: String,
    /// In more lines.
    pub lines: Vec<String>,
    /// The same as data.
    pub data: Value,
}

impl Reason {
    /// Why a strong player does this, with so many colourings left: the first line goes beside the action.
    fn of(action: &Action, colourings: u64, lines: Vec<String>) -> Reason {
        let data = json!({"colourings": colourings, "lines": &lines});
        let mut lines = lines.into_iter();
        let headline = format!("{}: {}", Yokai::default().write(action), lines.next().unwrap_or_default());
        Reason { headline, lines: lines.collect(), data }
    }
}

/// Why every colour is connected, in sentences, if that follows from the notes by a proof that has passed the checker.
fn proof_of_grouping(notes: &knowledge::Notes) -> Vec<String> {
    match why(notes, &Fact::Atom(Atom::Grouped)) {
        Why::Known(proof) => proof.words(notes).lines().map(String::from).collect(),
        Why::Refuted(_) | Why::Open { .. } | Why::Clash(_) | Why::Unproved(_) => Vec::new(),
    }
}

/// What a stop rests on. It is called certain only if it follows from the rules and from the player's own looks; else it
/// says under which condition on the partner all colourings that fit, or how many of them, are grouped.
fn resting(certain: &Evidence, shape: &Shape, (grouped, count): (u64, u64), told: Option<&str>) -> String {
    let looks = certain.count();
    if looks > 0 && certain.grouped(shape) == looks {
        return format!("certain by my looks: {looks} of the {looks} colourings that fit are grouped");
    }
    let condition = told.map_or(String::new(), |told| format!("if {told}, "));
    format!("{condition}{grouped} of the {count} colourings that fit are grouped")
}

/// A player that can say why.
pub trait Reasoned {
    /// Why the last choice was made; `None` if there is no reason to tell.
    fn reason(&self) -> Option<Reason>;

    /// The belief base by which the last choice was made, if it was made by one.
    fn basis(&mut self) -> Option<Basis> {
        None
    }
}

/// A belief base, and what was asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The base, with all axioms in its core, as `ken belief` reads it.
    pub base: Value,
    /// Each question that was asked for the choice, as text, with its answer: does it follow from the base?
    pub questions: Vec<(String, bool)>,
}

/// A player that can begin in the middle of a match.
pub trait Placed {
    /// Takes its place: from now on it has seen what the position says, and nothing else. Sights may follow.
    fn place(&mut self, position: &Position);
}

/// What every player of Yōkai is.
pub trait Mind: Player<Yokai> + Placed + Reasoned {}

impl<P: Player<Yokai> + Placed + Reasoned> Mind for P {}

/// How to make a player: game, and seed of its own chance.
pub type Make = fn(&Yokai, u64) -> Box<dyn Mind>;

/// A kind of player: its name, its idea, and how to make one.
#[derive(Clone, Copy, Debug)]
pub struct PlayerInfo {
    /// Its name, as in `--against NAME`.
    pub name: &'static str,
    /// Its idea in a line.
    pub about: &'static str,
    make: Make,
}

/// The players, from the simplest on.
pub const PLAYERS: &[PlayerInfo] = &[
    PlayerInfo {
        name: "random",
        about: "does anything that is allowed, but stops only in the last turns",
        make: |_, seed| Box::new(random::Random::new(seed)),
    },
    PlayerInfo {
        name: "paper",
        about: "the player of the paper, in plain code",
        make: |_, seed| Box::new(Paper::new(Plain::default(), Order::PAPER, seed)),
    },
    PlayerInfo {
        name: "paper-sat",
        about: "the player of the paper, by its belief base and a SAT solver",
        make: |_, seed| Box::new(Paper::new(Logical::default(), Order::PAPER, seed)),
    },
    PlayerInfo {
        name: learn::EXPLORER,
        about: "the player of the paper with an order of goals that is drawn for the match",
        make: |_, seed| Box::new(Paper::new(Plain::default(), Order::explored(seed), seed)),
    },
    PlayerInfo {
        name: "learner",
        about: "the player of the paper with the order of goals that was learned from matches of explorers",
        make: |_, seed| Box::new(Paper::new(Plain::default(), Order::LEARNED, seed)),
    },
    PlayerInfo {
        name: "believer",
        about: "exact beliefs by counting colourings; believes hints, reads nothing into moves",
        make: |_, seed| Box::new(believer::believer(seed)),
    },
    PlayerInfo {
        name: "conventional",
        about: "a known card that is moved joins a known card of its colour; stops when its win follows",
        make: |_, seed| Box::new(conventional::conventional(seed)),
    },
    PlayerInfo {
        name: "coder",
        about: "a declared code: second looks and moves tell what was seen",
        make: |_, seed| Box::new(coder::Coder::new(seed)),
    },
    PlayerInfo {
        name: "adapter",
        about: "keeps the convention, relies on it if the partner does, reckons with a simple one",
        make: |_, seed| Box::new(adapter::adapter(seed)),
    },
    PlayerInfo {
        name: "companion",
        about: "a partner for people: remembers for both, weighs what the partner does, reckons with its next turn",
        make: |game, seed| Box::new(Companion::new(companion::Assumed::PERSON, game, seed)),
    },
    PlayerInfo {
        name: "person-typical",
        about: "a stand-in for a person: remembers seven cards, moves greedily; two of them win as often as people do",
        make: |game, seed| Box::new(StandIn::new(standin::TYPICAL, game, seed)),
    },
    PlayerInfo {
        name: "person-careful",
        about: "a stand-in for a person who remembers twelve cards and marks often",
        make: |game, seed| Box::new(StandIn::new(standin::CAREFUL, game, seed)),
    },
    PlayerInfo {
        name: "person-forgetful",
        about: "a stand-in for a person who remembers four cards and marks rarely",
        make: |game, seed| Box::new(StandIn::new(standin::FORGETFUL, game, seed)),
    },
    PlayerInfo {
        name: "person-hasty",
        about: "a stand-in for a person who remembers five cards and often moves without thought",
        make: |game, seed| Box::new(StandIn::new(standin::HASTY, game, seed)),
    },
];

/// What stands behind the name of a player in the record of a match for which it was told what is known of its partner.
pub const TAUGHT_SUFFIX: &str = "+partner";

/// How to make a player that knows its partner from earlier matches.
type Teach = fn(&Yokai, u64, &PartnerModel) -> Box<dyn Mind>;

/// The players that make use of what is known of a partner.
const TAUGHT: &[(&str, Teach)] = &[
    ("adapter", |_, seed, partner| Box::new(adapter::taught(seed, partner))),
    ("companion", |game, seed, partner| Box::new(Companion::new(companion::Assumed::of(partner), game, seed))),
];

/// The player of this name that makes use of what is known of its partner, if anything is.
///
/// # Errors
/// There is no such player, or it makes no use of it.
pub fn mind_with(
    name: &str,
    game: &Yokai,
    seed: u64,
    partner: Option<&PartnerModel>,
) -> Result<Box<dyn Mind>, Illegal> {
    let alone = mind(name, game, seed)?;
    let Some(partner) = partner else { return Ok(alone) };
    match TAUGHT.iter().find(|(taught, _)| *taught == name) {
        Some((_, teach)) => Ok(teach(game, seed, partner)),
        None => {
            let names: Vec<&str> = TAUGHT.iter().map(|(name, _)| *name).collect();
            let wrong = Illegal::new(format!("`{name}` makes no use of what is known of a partner"));
            Err(wrong.help(format!("{} do", names.join(", "))))
        }
    }
}

/// The player of this name for a seat of this game: a name of the list, with `@k` if it remembers only the colours of its
/// last k looks. Its own randomness comes from the seed.
pub fn mind(name: &str, game: &Yokai, seed: u64) -> Result<Box<dyn Mind>, Illegal> {
    let (base, looks) = match name.split_once('@') {
        None => (name, None),
        Some((base, looks)) => match looks.parse::<u8>() {
            Ok(looks) => (base, Some(looks)),
            Err(_) => {
                let wrong = Illegal::new(format!("`{looks}` is not a number of looks"));
                return Err(wrong.help(format!("as in `{base}@6`: it remembers its last six looks")));
            }
        },
    };
    let Some(info) = PLAYERS.iter().find(|p| p.name == base) else {
        let names = || PLAYERS.iter().map(|p| p.name);
        let wrong = Illegal::new(format!("there is no player `{base}`"));
        return Err(match ken_logic::syntax::nearest(base, names()) {
            Some(near) => wrong.help(format!("did you mean `{near}`?")),
            None => wrong.help(format!("the players are {}", names().collect::<Vec<_>>().join(", "))),
        });
    };
    Ok(match looks {
        None => (info.make)(game, seed),
        Some(looks) => Box::new(Forgetful::new(info.make, *game, looks.into(), seed)),
    })
}

/// The same for those who only want it to play.
pub fn seat(name: &str, game: &Yokai, seed: u64) -> Result<Box<dyn Player<Yokai>>, Illegal> {
    mind(name, game, seed).map(|mind| mind as Box<dyn Player<Yokai>>)
}
