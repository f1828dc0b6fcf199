//! The chance of a win, by how many moves the cards are away from lying together and how many own turns are left.

use crate::yokai::plan::distance::{Classes, Gaps};
use crate::yokai::plan::outlook::cost;
use std::sync::LazyLock;

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

/// The same in thousandths, by hundredths of moves.
pub(super) struct Table(&'static [u16]);

/// The greatest cost of a layout: four colours that are kept apart.
const MOST: usize = 2400;

static TABLES: LazyLock<[Vec<u16>; 1 + HALF.len()]> = LazyLock::new(|| {
    let row = |left: usize| (0..=MOST).map(|cost| (1000.0 * chance(left as u8, cost as f64 / 100.0)) as u16).collect();
    std::array::from_fn(row)
});

impl Table {
    /// With so many own turns left.
    pub(super) fn of(left: u8) -> Table {
        Table(&TABLES[usize::from(left).min(HALF.len())])
    }

    /// The chance with these gaps under this colouring.
    pub(super) fn at(&self, gaps: &Gaps, classes: &Classes, marked: u16) -> u16 {
        self.0[usize::from(cost(gaps, classes, marked))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_missing_moves_and_more_turns_are_never_worse() {
        for left in 0..=7 {
            for moves in 0..24 {
                let here = chance(left, moves.into());
                assert!(here >= chance(left, f64::from(moves + 1)), "{left} turns, {moves} moves");
                assert!(moves == 0 || here <= chance(left + 1, moves.into()) + 1e-9, "{left} turns, {moves} moves");
            }
        }
        assert_eq!((chance(0, 0.0), chance(0, 1.0)), (1.0, 0.0), "without a turn it is won or lost");
    }
}
