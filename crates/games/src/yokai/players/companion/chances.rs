//! The chance of a win, by how many moves the cards are away from lying together and how many own turns are left.

use crate::yokai::plan::distance::{Classes, Gaps};
use crate::yokai::plan::outlook::cost;

/// For each number of own turns left, from one on: where the chance is one half, in moves, and how fast it falls there.
/// Found by play with stand-ins for people.
const HALF: [(f64, f64); 7] = [(0.9, 2.2), (2.0, 1.5), (3.2, 1.2), (4.3, 1.0), (5.4, 0.9), (6.4, 0.8), (7.4, 0.7)];

/// The chance of a win at the beginning of an own turn, with so many own turns left, itself included, if the cards are so
/// many moves away from lying together. Without a turn left it is won or lost.
pub(super) fn chance(left: u8, moves: f64) -> f64 {
    match left {
        0 => f64::from(moves == 0.0),
        _ => {
            let (half, slope) = HALF[usize::from(left).min(HALF.len()) - 1];
            1.0 / (1.0 + (slope * (moves - half)).exp())
        }
    }
}

/// The same in a table by hundredths of moves, in thousandths.
pub(super) struct Table {
    thousandths: Vec<u16>,
}

impl Table {
    pub(super) fn of(left: u8) -> Table {
        let thousandths = (0..=2400).map(|cost| (1000.0 * chance(left, f64::from(cost) / 100.0)) as u16).collect();
        Table { thousandths }
    }

    /// The chance with these gaps under this colouring.
    pub(super) fn at(&self, gaps: &Gaps, classes: &Classes, marked: u16) -> u16 {
        self.thousandths[usize::from(cost(gaps, classes, marked))]
    }
}
