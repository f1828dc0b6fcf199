//! The thesis, replayed: its printed games, its printed examples, and its analyzer in two ways.

mod examples;
mod experiment;
mod printed;
mod prolog;
mod traces;

use ken_games::cards::{Card, CardSet};

/// The cards of the thesis, numbered from 1.
pub(crate) fn cards(numbers: &[u8]) -> CardSet {
    numbers.iter().map(|&n| Card(n - 1)).collect()
}
