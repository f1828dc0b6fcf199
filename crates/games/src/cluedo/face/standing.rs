//! Where a seat stands: what it has seen, and the deals that fit.

use crate::cards::{Card, CardSet};
use crate::cluedo::know::Solved;
use crate::cluedo::knowledge::solve;
use crate::cluedo::{Cluedo, Deck, Endmove, Observed, Position, Sight};
use crate::game::Seat;
use crate::knowledge::{Budget, Refused};
use crate::table::page::Problem;

/// What a page may take to find out what ends of turns tell: about half a second.
pub(super) const PAGE: Budget = Budget { steps: 300_000 };

/// Said where a convention was broken.
pub(super) const BROKEN: &str = "No deal fits: somebody ended a turn although it knew the envelope, against the \
                                 convention of this match. Here ends of turns are taken to tell nothing.";

/// Said where ends of turns are left out since they take too long.
pub(super) const LEFT_OUT: &str = "What the ends of turns tell takes too long to find out here, and is left out.";

/// What a seat has seen, with the deals that fit it.
pub(super) struct Standing {
    /// What was seen, all of it.
    pub(super) position: Position,
    /// The deals that fit. If something had to be left out, those that fit the rest: what they have in common is
    /// certain all the same.
    pub(super) solved: Solved,
    /// Why something had to be left out.
    pub(super) left_out: Option<Refused>,
}

impl Standing {
    /// Where the seat stands whose memory this is.
    pub(super) fn of(game: &Cluedo, memory: &[Sight]) -> Standing {
        Standing::at(position(game, memory))
    }

    /// Where the observer of a position stands.
    pub(super) fn at(position: Position) -> Standing {
        match solve(&position, &PAGE) {
            Ok(solved) => Standing { position, solved, left_out: None },
            Err(error) => {
                // Whatever was announced, the deal fits all the rest.
                let solved = solve(&silent(&position), &PAGE).unwrap_or(Solved {
                    deals: 0,
                    envelopes: Vec::new(),
                    marginals: vec![vec![0; position.deck().len()]; position.seats() as usize + 1],
                });
                Standing { position, solved, left_out: Some(error) }
            }
        }
    }

    /// What a reader must know about it.
    pub(super) fn note(&self) -> Option<String> {
        let said = match &self.left_out {
            Some(Refused::NoWorld) => BROKEN,
            Some(Refused::Limit | Refused::Unfit(_)) => LEFT_OUT,
            None if self.position.has_endmoves() => {
                "As certain as the convention: whoever ends a turn does not know the envelope."
            }
            None => return None,
        };
        Some(said.to_string())
    }

    /// In how many of the deals the card is at the place.
    pub(super) fn ways(&self, card: Card, place: usize) -> u128 {
        self.solved.marginals[place][card.index()]
    }

    /// Whether the card is certainly at the place (`true`), certainly not there (`false`), or either is possible.
    pub(super) fn settled(&self, card: Card, place: usize) -> Option<bool> {
        match self.ways(card, place) {
            _ if self.solved.deals == 0 => None,
            0 => Some(false),
            n if n == self.solved.deals => Some(true),
            _ => None,
        }
    }

    /// How likely the card is at the place, every deal that fits counting the same.
    pub(super) fn chance(&self, card: Card, place: usize) -> Option<f64> {
        let sure = self.left_out.is_none() && self.solved.deals > 0;
        sure.then(|| self.ways(card, place) as f64 / self.solved.deals as f64)
    }
}

/// What the seat has seen.
pub(super) fn position(game: &Cluedo, memory: &[Sight]) -> Position {
    Position::of_memory(game.deck(), game.endmove(), memory)
}

/// The position without the ends of turns.
pub(super) fn silent(position: &Position) -> Position {
    let kept = position.events().iter().copied().filter(|e| !matches!(e, Observed::Endmove { .. }));
    position.with_events(kept.collect())
}

/// The index of each observation of the position in the memory.
pub(super) fn counted(game: &Cluedo, memory: &[Sight]) -> Vec<usize> {
    let counts = |sight: &Sight| match sight {
        Sight::Asked { .. } | Sight::Accused { .. } => true,
        Sight::Dealt { .. } | Sight::Shown { .. } => false,
        Sight::Ended { .. } => game.endmove() == Endmove::Ignorance,
    };
    (0..memory.len()).filter(|&i| counts(&memory[i])).collect()
}

/// Said where no deal fits what was seen.
pub(super) fn no_deal() -> Problem {
    Problem::new(
        "no-deal-fits",
        "no deal fits what you saw: somebody ended a turn although it knew the envelope, against the convention",
    )
}

/// The names of the cards as a list.
pub(super) fn names(deck: &Deck, cards: CardSet) -> Vec<String> {
    cards.iter().map(|c| deck.name(c).to_string()).collect()
}

/// The seat as the reader calls it.
pub(super) fn who(me: Seat, seat: Seat) -> String {
    if seat == me { "you".to_string() } else { format!("seat {seat}") }
}
