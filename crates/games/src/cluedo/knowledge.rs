//! What one seat knows about the deal: a fold of its sights that counts, judges and explains.

use super::atoms::Fact;
use super::count::Deals;
use super::know::{Knower, Solved};
use super::position::{Constraints, Position};
use super::rules::{Cluedo, Sight};
use super::why::{Answer, Proof, why};
use crate::game::{Knowledge, Verdict};
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

/// What finding a proof may take in a match: some tenths of a second.
const EXPLAIN: Budget = Budget { steps: 200_000 };

/// What a seat of a match knows.
pub struct Memory {
    game: Cluedo,
    position: Option<Position>,
}

impl Memory {
    /// Somebody who has seen nothing yet.
    pub fn new(game: &Cluedo) -> Memory {
        Memory { game: game.clone(), position: None }
    }

    /// The position that the sights make; `None` before the deal.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }
}

impl Knowledge<Cluedo> for Memory {
    type Fact = Fact;
    type Proof = Proof;

    fn learn(&mut self, sight: &Sight) {
        match &mut self.position {
            None => self.position = Some(Position::dealt(self.game.deck(), sight)),
            Some(position) => position.learn(sight, self.game.endmove()),
        }
    }

    /// Open where the search for an answer takes too long: never a wrong certainty.
    fn verdict(&self, fact: &Fact) -> Verdict {
        let Some(position) = &self.position else { return Verdict::Open };
        match Knower::new(position).ask(fact, &Budget::default()) {
            Ok(answer) => answer.verdict,
            Err(_) => Verdict::Open,
        }
    }

    fn explain(&self, fact: &Fact) -> Option<Proof> {
        match why(self.position.as_ref()?, fact, &EXPLAIN) {
            Answer::Known(proof) => Some(proof),
            Answer::Refuted(_) | Answer::Open { .. } | Answer::Clash(_) | Answer::Unproved => None,
        }
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
