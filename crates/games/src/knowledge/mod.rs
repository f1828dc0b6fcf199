//! Who knows what, in any game.
//!
//! A *position* is what one seat saw. Its *worlds* are all that may be hidden there; a seat knows what is true in every
//! world that it cannot tell from the real one. A game says how its facts are read and said ([`Language`]) and what its
//! worlds are ([`Worlds`]); the rest is the same for all of them: what is known of what others know, to any depth, common
//! knowledge, what would be known after a move, and why something is not known.
//!
//! | file | one line |
//! |---|---|
//! | `asked` | a question as a text, and the answer with its reason |
//! | `fact` | facts: formulas with the atoms of a game |
//! | `language` | facts as text and in words |
//! | `mind` | what one seat knows at one moment: the interface to every engine |
//! | `inspect` | who knows what, since when, why, and why not |
//! | `inspector` | the same as an object, whatever the game |
//! | `proof` | proofs, their checker, their sentences |
//! | `seats` | sets of seats |
//! | `worlds` | worlds as sets, and what is known by them |

mod asked;
mod fact;
mod inspect;
mod inspector;
mod language;
mod mind;
pub mod proof;
mod seats;
#[cfg(test)]
mod tests;
mod worlds;

pub use asked::{Asked, Explained, Reason, Stop, Unanswered, WorldTold};
pub use fact::{Fact, Outcomes};
pub use inspect::{CHAIN, ROWS, chain_words, inspect, learned, since, why};
pub use inspector::{Inspector, NoPast, Past, Placed, Sights};
pub use language::{Language, Stands, Supposed, Voice, read, seat, words, write, write_with};
pub use mind::{AtomOf, FactOf, Inspected, Mind, Part, Proved, Remembers, Row, Shown};
pub use seats::Seats;
pub use worlds::{Answer, Budget, Done, Knower, Other, Refused, Worlds};
