//! The deals that one seat considers possible, counted.

use super::count::Deals;
use super::know::{Knower, Solved};
use super::position::{Constraints, Position};
use crate::knowledge::{Budget, Refused};

/// Counts the deals that the observer considers possible: how many, which envelopes, where each card is in them.
///
/// Without endmoves, or where they tell nothing, that is a matter of deals; else of what others knew.
/// [`Refused::NoWorld`] exactly if [`Knower::possible`] says so.
pub fn solve(position: &Position, budget: &Budget) -> Result<Solved, Refused> {
    let mut knower = Knower::new(position);
    knower.possible(budget)?;
    if position.has_endmoves() && knower.endmoves_tell(budget)? {
        return knower.deals(budget);
    }
    let deals = Deals::of(position.deck(), &Constraints::of(position));
    match deals.total() {
        0 => Err(Refused::NoWorld),
        total => Ok(Solved { deals: total, envelopes: deals.envelopes(), marginals: deals.marginals() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluedo::read;

    #[test]
    fn ending_twice_tells_as_much_as_ending_once() {
        // Nobody else holds `a`. Had seat 0 not held it, it would have known the envelope; so it holds it.
        let deals = |ends: usize| {
            let ends = r#", {"endmove": 0}"#.repeat(ends);
            let text = format!(
                r#"{{"deck": {{"k": ["a", "b", "c", "d"]}}, "hand_sizes": [1, 2], "observer": 1, "hand": ["c", "d"],
                    "events": [{{"ask": 0, "cards": ["a"], "passed": [1], "shown_by": null}}{ends}]}}"#
            );
            solve(&read::position(&text).unwrap(), &Budget::default()).unwrap().deals
        };
        assert_eq!([deals(0), deals(1), deals(2), deals(3)], [2, 1, 1, 1]);
    }
}
