//! The thesis agent with modal logic: the [`Analyzer`] as a player.
//!
//! It collects the questions of a round, from its own to the one before its next, and analyzes them when it is to ask
//! again, as the thesis does. A card that it is shown counts at once.

mod analyzer;

pub use analyzer::{Analyzer, Reading};

use super::simple::{Idea, Simple};
use crate::cards::CardSet;
use crate::cluedo::deck::Deck;
use crate::cluedo::rules::{Cluedo, Sight};
use crate::game::Seat;
use std::sync::Arc;

/// Asks a random triple of those that the analyzer leaves.
pub struct Modal {
    deck: Arc<Deck>,
    reading: Reading,
    seat: Seat,
    analyzer: Option<Analyzer>,
}

impl Modal {
    /// A player of this game with this reading of the thesis.
    pub fn player(game: &Cluedo, reading: Reading, seed: u64) -> Simple<Modal> {
        Simple::new(Modal { deck: game.deck().clone(), reading, seat: Seat(0), analyzer: None }, seed)
    }
}

impl Idea for Modal {
    fn watch(&mut self, sight: &Sight) {
        match (sight, &mut self.analyzer) {
            (Sight::Dealt { seat, hand, sizes }, _) => {
                let hand = hand.iter().copied().collect();
                self.seat = *seat;
                self.analyzer = Some(Analyzer::new(self.deck.clone(), self.reading, *seat, hand, sizes));
            }
            (&Sight::Asked { asker, cards, answer }, Some(analyzer)) => analyzer.asked(asker, cards, answer),
            (&Sight::Shown { by, to, card: Some(card) }, Some(analyzer)) if to == self.seat => analyzer.shown(by, card),
            // Once it has accused it asks no more.
            (Sight::Accused { seat, .. }, _) if *seat == self.seat => self.analyzer = None,
            (Sight::Asked { .. } | Sight::Shown { .. } | Sight::Accused { .. } | Sight::Ended { .. }, _) => {}
        }
    }

    fn think(&mut self) {
        if let Some(analyzer) = &mut self.analyzer {
            analyzer.end_round();
        }
    }

    fn likes(&self, question: CardSet) -> bool {
        self.analyzer.as_ref().is_some_and(|a| question.is_subset(a.open()))
    }

    fn solution(&self) -> Option<CardSet> {
        self.analyzer.as_ref().map(Analyzer::open).filter(|&open| self.deck.is_triple(open))
    }
}
