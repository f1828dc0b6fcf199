//! Cards that played the same part in all that a seat has seen are alike.
//!
//! Two cards of one category are alike in a position if both or neither are in the hand of the observer, and every event
//! names both or neither. If alike cards change places everywhere, the position stays the same, so whatever depends on the
//! position alone (counts, chances, bits) is the same for questions that differ only by alike cards.

use super::position::{Observed, Position};
use crate::cards::{Card, CardSet};
use std::collections::BTreeMap;

/// The cards of a position, alike ones together.
#[derive(Clone, Debug)]
pub struct Alike {
    classes: Vec<CardSet>,
    /// The class of each card.
    class: Vec<u8>,
}

impl Alike {
    /// The cards that are alike in a position.
    pub fn of(position: &Position) -> Alike {
        let deck = position.deck();
        let mut found: BTreeMap<Vec<bool>, CardSet> = BTreeMap::new();
        for card in deck.cards().iter() {
            let mut part: Vec<bool> = (0..deck.categories()).map(|k| deck.category(k).has(card)).collect();
            part.push(position.hand().has(card));
            for event in position.events() {
                match *event {
                    Observed::Ask { cards, shown, .. } => part.extend([cards.has(card), shown == Some(card)]),
                    Observed::Accuse { cards, envelope, .. } => {
                        part.extend([cards.has(card), envelope.is_some_and(|seen| seen.has(card))]);
                    }
                    Observed::Endmove { .. } => {}
                }
            }
            let class = found.entry(part).or_insert(CardSet::EMPTY);
            *class = class.with(card);
        }
        let classes: Vec<CardSet> = found.into_values().collect();
        let class_of = |card: Card| classes.iter().position(|c| c.has(card)).expect("every card is in a class") as u8;
        let class = deck.cards().iter().map(class_of).collect();
        Alike { classes, class }
    }

    /// The classes of alike cards.
    pub fn classes(&self) -> &[CardSet] {
        &self.classes
    }

    /// Every question that differs from this one only by alike cards, itself among them.
    pub fn orbit(&self, question: CardSet) -> Vec<CardSet> {
        let mut all = vec![CardSet::EMPTY];
        for card in question.iter() {
            let class = self.classes[self.class[card.index()] as usize];
            all = all.into_iter().flat_map(|q| class.iter().map(move |c| q.with(c))).collect();
        }
        all
    }

    /// Which of the questions differ only by alike cards: one of each kind, and for each question its kind.
    pub fn kinds(&self, questions: &[CardSet]) -> (Vec<CardSet>, Vec<usize>) {
        let mut index: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let mut kinds = Vec::new();
        let mut kind_of = |&question: &CardSet| {
            let key = question.iter().map(|c| self.class[c.index()]).collect();
            *index.entry(key).or_insert_with(|| {
                kinds.push(question);
                kinds.len() - 1
            })
        };
        let kind = questions.iter().map(&mut kind_of).collect();
        (kinds, kind)
    }
}
