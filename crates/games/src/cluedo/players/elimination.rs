//! The player that strikes out cards: the thesis agent without modal logic.

use super::simple::{Idea, Simple};
use crate::cards::CardSet;
use crate::cluedo::deck::Deck;
use crate::cluedo::rules::{Cluedo, Sight};
use std::sync::Arc;

/// Uses its hand and the cards that were shown to it, and nothing else: neither who passed nor what others were shown.
pub struct Elimination {
    deck: Arc<Deck>,
    open: CardSet,
}

impl Elimination {
    /// A player of this game that asks a random remaining triple.
    pub fn player(game: &Cluedo, seed: u64) -> Simple<Elimination> {
        Simple::new(Elimination { deck: game.deck().clone(), open: game.deck().cards() }, seed)
    }
}

impl Idea for Elimination {
    fn watch(&mut self, sight: &Sight) {
        match sight {
            Sight::Dealt { hand, .. } => self.open = self.deck.cards().minus(hand.iter().copied().collect()),
            // A card that it showed itself is its own.
            Sight::Shown { card: Some(card), .. } => self.open = self.open.without(*card),
            Sight::Asked { .. } | Sight::Shown { .. } | Sight::Accused { .. } | Sight::Ended { .. } => {}
        }
    }

    fn likes(&self, question: CardSet) -> bool {
        question.is_subset(self.open)
    }

    fn solution(&self) -> Option<CardSet> {
        self.deck.is_triple(self.open).then_some(self.open)
    }
}
