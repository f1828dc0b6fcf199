//! The game of 1959: all cards are dealt, an accepted card keeps the turn.
//!
//! | file | one line |
//! |---|---|
//! | `rules` | the rules |
//! | `notation` | the options as data; the text of both games is in [`text`](super::text) |

mod notation;
mod rules;

pub use rules::{Classic, MOVES};
