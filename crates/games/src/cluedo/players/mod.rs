//! Artificial players, one idea each. They receive sights and options and nothing else.
//!
//! | file | one line |
//! |---|---|
//! | `simple` | what the simple players share: ask at random among what they like, show the first card, accuse when sure |
//! | `random` | asks at random, in three readings |
//! | `elimination` | strikes out the cards that were shown to it |
//! | `modal` | the analyzer of the thesis: what each player may hold |
//! | `notes` | what the reasoning players share: their position, and the deals that fit it |
//! | `exact` | exact knowledge, a random question |
//! | `inquirer` | exact knowledge, the most useful question |
//! | `diplomat` | the same, counting what the others learn |

use super::rules::{Cluedo, Endmove};
use crate::game::{Illegal, Player};

pub mod diplomat;
pub mod elimination;
pub mod exact;
pub mod inquirer;
pub mod modal;
mod notes;
pub mod random;
pub mod simple;

/// A kind of player: its name, its idea, and how to make one.
#[derive(Clone, Copy, Debug)]
pub struct PlayerInfo {
    /// Its name, as in `--seats NAME,NAME`.
    pub name: &'static str,
    /// Its idea in a line.
    pub about: &'static str,
    make: fn(&Cluedo, u64) -> Box<dyn Player<Cluedo>>,
}

/// The players, from the simplest on.
pub const PLAYERS: &[PlayerInfo] = &[
    PlayerInfo { name: "random", about: "asks any triple", make: |_, seed| Box::new(random::Random::any(seed)) },
    PlayerInfo {
        name: "random-unheld",
        about: "asks any triple without a card of its own",
        make: |_, seed| Box::new(random::Random::unheld(seed)),
    },
    PlayerInfo {
        name: "random-fresh",
        about: "asks any triple that it has not asked before",
        make: |_, seed| Box::new(random::Random::fresh(seed)),
    },
    PlayerInfo {
        name: "elimination",
        about: "asks a triple without cards that it holds or was shown",
        make: |game, seed| Box::new(elimination::Elimination::player(game, seed)),
    },
    PlayerInfo {
        name: "modal",
        about: "the analyzer of the thesis as it was meant: what each player may hold, one pass a round",
        make: |game, seed| Box::new(modal::Modal::player(game, modal::Reading::MEANT, seed)),
    },
    PlayerInfo {
        name: "modal-printed",
        about: "the analyzer with the errors of the printed program; it may rule out the truth",
        make: |game, seed| Box::new(modal::Modal::player(game, modal::Reading::PRINTED, seed)),
    },
    PlayerInfo {
        name: "modal-improved",
        about: "the analyzer with the three improvements that the thesis proposes",
        make: |game, seed| Box::new(modal::Modal::player(game, modal::Reading::IMPROVED, seed)),
    },
    PlayerInfo {
        name: "exact",
        about: "knows all that follows; asks a random envelope that is possible",
        make: |game, seed| Box::new(exact::Exact::new(game, seed)),
    },
    PlayerInfo {
        name: "inquirer",
        about: "knows all that follows; asks what tells it most",
        make: |game, seed| Box::new(inquirer::Inquirer::new(game, seed)),
    },
    PlayerInfo {
        name: "diplomat",
        about: "an inquirer that also counts what the others learn",
        make: |game, seed| Box::new(diplomat::Diplomat::new(game, seed)),
    },
];

/// Those that accuse as soon as they know: under `endmove = ignorance` the others rely on it.
const RELIABLE: [&str; 3] = ["exact", "inquirer", "diplomat"];

/// The player of this name for a seat of this game. Its own randomness comes from the seed.
pub fn seat(name: &str, game: &Cluedo, seed: u64) -> Result<Box<dyn Player<Cluedo>>, Illegal> {
    if let Some(info) = PLAYERS.iter().find(|p| p.name == name) {
        if game.endmove() == Endmove::Ignorance && !RELIABLE.contains(&name) {
            let message = format!("`{name}` does not keep the convention that whoever knows accuses");
            return Err(Illegal::new(message).help(format!("{} do", RELIABLE.join(", "))));
        }
        return Ok((info.make)(game, seed));
    }
    let names = || PLAYERS.iter().map(|p| p.name);
    let wrong = Illegal::new(format!("there is no player `{name}`"));
    Err(match ken_logic::syntax::nearest(name, names()) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help(format!("the players are {}", names().collect::<Vec<_>>().join(", "))),
    })
}
