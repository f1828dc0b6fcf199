//! The random player in three readings. The thesis does not say which one it measured.

use super::simple::{Idea, Simple};
use crate::cards::CardSet;
use crate::cluedo::rules::Sight;
use crate::game::Seat;
use rustc_hash::FxHashSet;

/// Asks at random; learns nothing.
pub struct Random {
    reading: Reading,
    seat: Seat,
    hand: CardSet,
    asked: FxHashSet<CardSet>,
}

enum Reading {
    Any,
    Unheld,
    Fresh,
}

impl Random {
    /// Any triple, again and again: 324 rounds on average.
    pub fn any(seed: u64) -> Simple<Random> {
        Random::player(Reading::Any, seed)
    }

    /// Any triple without a card of its own.
    pub fn unheld(seed: u64) -> Simple<Random> {
        Random::player(Reading::Unheld, seed)
    }

    /// Any triple that it has not asked before: 162.5 rounds on average.
    pub fn fresh(seed: u64) -> Simple<Random> {
        Random::player(Reading::Fresh, seed)
    }

    fn player(reading: Reading, seed: u64) -> Simple<Random> {
        Simple::new(Random { reading, seat: Seat(0), hand: CardSet::EMPTY, asked: FxHashSet::default() }, seed)
    }
}

impl Idea for Random {
    fn watch(&mut self, sight: &Sight) {
        match sight {
            Sight::Dealt { seat, hand, .. } => {
                (self.seat, self.hand) = (*seat, hand.iter().copied().collect());
                self.asked.clear();
            }
            Sight::Asked { asker, cards, .. } if *asker == self.seat => {
                self.asked.insert(*cards);
            }
            Sight::Asked { .. } | Sight::Shown { .. } | Sight::Accused { .. } | Sight::Ended { .. } => {}
        }
    }

    fn likes(&self, question: CardSet) -> bool {
        match self.reading {
            Reading::Any => true,
            Reading::Unheld => question.is_disjoint(self.hand),
            Reading::Fresh => !self.asked.contains(&question),
        }
    }
}
