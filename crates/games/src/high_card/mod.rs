//! *High card*, the smallest game: two seats get a card each, from 1 to some number, and see only their own. In turn a
//! seat asks whether the other's card is above a number (both hear the answer), or bets that its own card is the higher
//! or the lower one, which ends the match. When all questions are asked, the seat to move must bet.
//!
//! It is all that a game needs, and a copy of this folder is a good beginning for another: a description and players are
//! enough, and the terminal, the browser and the arena can play it. `knowledge` adds the inspector.
//!
//! | file | one line |
//! |---|---|
//! | `rules` | state, actions, events, sights |
//! | `notation` | their text |
//! | `face` | the description; everything else of a [`Face`](crate::table::Face) is left to its defaults |
//! | `knowledge` | what each seat knows, as sets of pairs of cards |
//! | `players` | machine players |

mod face;
pub mod knowledge;
mod notation;
pub mod players;
mod rules;

pub use rules::{Action, Event, HighCard, Sight, State};
