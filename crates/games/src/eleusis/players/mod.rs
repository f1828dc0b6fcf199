//! Artificial players of both games, one idea each. They receive sights and options and nothing else.
//!
//! | file | one line |
//! |---|---|
//! | `survivors` | the rules of a family that fit all that was judged |
//! | `random` | plays random cards |
//! | `careful` | plays what every rule accepts that fits |
//! | `mind` | a guesser fed with what a seat sees |
//! | `inquirer` | plays what tells most, names the rule when it pays |
//! | `finisher` | weighs shedding cards against finding the rule |
//!
//! A player that deals takes a rule of the library, or one that [`dealer`](super::dealer) makes.

pub mod careful;
pub mod finisher;
pub mod inquirer;
pub mod mind;
pub mod random;
pub mod survivors;

use super::table::Eleusis;
use crate::game::{Illegal, Player};

/// A kind of player.
#[derive(Clone, Copy, Debug)]
pub struct PlayerInfo {
    /// Its name, as in `--against NAME,NAME`.
    pub name: &'static str,
    /// Its idea in a line.
    pub about: &'static str,
}

/// The players, from the simplest on.
pub const PLAYERS: &[PlayerInfo] = &[
    PlayerInfo { name: "random", about: "plays random cards, and guesses only when it must" },
    PlayerInfo {
        name: "careful",
        about: "plays what all library rules accept that fit; names the rule when they agree",
    },
    PlayerInfo { name: "inquirer", about: "plays the card that tells most; names the rule when it pays" },
    PlayerInfo { name: "finisher", about: "weighs shedding cards against finding and naming the rule" },
];

/// The player of this name for a seat of this game. Its own randomness comes from the seed.
pub fn seat<G: Eleusis + 'static>(name: &str, game: &G, seed: u64) -> Result<Box<dyn Player<G>>, Illegal> {
    match name {
        "random" => Ok(Box::new(random::Random::new(seed))),
        "careful" => Ok(Box::new(careful::Careful::new(game, seed))),
        "inquirer" => Ok(Box::new(inquirer::inquirer(game, seed))),
        "finisher" => Ok(Box::new(finisher::finisher(game, seed))),
        _ => {
            let names = || PLAYERS.iter().map(|p| p.name);
            let wrong = Illegal::new(format!("there is no player `{name}`"));
            Err(match ken_logic::syntax::nearest(name, names()) {
                Some(near) => wrong.help(format!("did you mean `{near}`?")),
                None => wrong.help(format!("the players are {}", names().collect::<Vec<_>>().join(", "))),
            })
        }
    }
}
