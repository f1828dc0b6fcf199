//! Eleusis Express: seven cards, a starter, and a rule to be found.
//!
//! | file | one line |
//! |---|---|
//! | `rules` | the rules and their editions |
//! | `notation` | the options as data; the text of both games is in [`text`](super::text) |

mod notation;
mod rules;

pub use rules::{CROWD, Express, HAND, MayGuess, Penalties};
