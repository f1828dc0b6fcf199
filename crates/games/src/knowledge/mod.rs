//! Who knows what, in any game.
//!
//! A *position* is what one seat saw. Its *worlds* are all that may be hidden there; a seat knows what is true in every
//! world that it cannot tell from the real one. A game says how its facts are read and said ([`Language`]) and what its
//! worlds are ([`Worlds`]); the rest is the same for all of them: what is known of what others know, to any depth, common
//! knowledge, what would be known after a move, and why something is not known.
//!
//! | file | one line |
//! |---|---|
//! | `fact` | facts: formulas with the atoms of a game |
//! | `language` | facts as text and in words |
//! | `mind` | what one seat knows at one moment: the interface to every engine |
//! | `inspect` | who knows what, since when, why, and why not |
//! | `proof` | proofs, their checker, their sentences |
//! | `seats` | sets of seats |
//! | `worlds` | worlds as sets, and what is known by them |

mod fact;
mod inspect;
mod language;
mod mind;
pub mod proof;
mod seats;
#[cfg(test)]
mod tests;
mod worlds;

pub use fact::{Fact, Outcomes};
pub use inspect::{CHAIN, Inspector, NoPast, Past, Placed, ROWS, Sights, chain_words, inspect, learned, since, why};
pub use language::{Language, Supposed, Voice, read, seat, words, write, write_with};
pub use mind::{AtomOf, FactOf, Inspected, Mind, Part, Remembers, Row, Shown};
pub use seats::Seats;
pub use worlds::{Answer, Budget, Done, Knower, Other, Refused, Worlds};
