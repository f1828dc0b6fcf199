//! What lies on the table: the mainline of accepted cards, and below each of them the cards that were refused after it.

mod draw;
mod read;

pub use read::{Position, position};

use super::deck::Deck;
use super::rule::Rule;
use crate::cards::Card;
use serde_json::{Map, Value, json};

/// A layout. The order in which its cards were judged can be told from it: a card that was refused after the third
/// card of the mainline was judged before the fourth was accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Layout {
    mainline: Vec<Card>,
    /// Each with the place in the mainline that it was tried after, in the order of the judgements.
    refused: Vec<(u32, Card)>,
}

/// A card that was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// How many cards lay in the mainline before it.
    pub after: usize,
    /// The card.
    pub card: Card,
    /// Whether it was accepted.
    pub accepted: bool,
}

impl Layout {
    /// The layout of a starter.
    pub fn start(starter: Card) -> Layout {
        Layout { mainline: vec![starter], refused: Vec::new() }
    }

    /// Puts a card at the end of the mainline.
    pub fn accept(&mut self, card: Card) {
        self.mainline.push(card);
    }

    /// Puts a card below the last one of the mainline.
    ///
    /// # Panics
    /// If there is no starter: on an empty line every card is accepted.
    pub fn refuse(&mut self, card: Card) {
        let after = self.mainline.len().checked_sub(1).expect("a starter");
        self.refused.push((after as u32, card));
    }

    /// The accepted cards, the starter first.
    pub fn mainline(&self) -> &[Card] {
        &self.mainline
    }

    /// The cards that were refused after the card at this place of the mainline, counted from 0.
    pub fn sideline(&self, at: usize) -> impl Iterator<Item = Card> {
        let from = self.refused.partition_point(|&(after, _)| (after as usize) < at);
        self.refused[from..].iter().take_while(move |&&(after, _)| after as usize == at).map(|&(_, card)| card)
    }

    /// How many cards lie on the table.
    pub fn size(&self) -> usize {
        self.mainline.len() + self.refused.len()
    }

    /// The cards in the order of their judgements, but for the starter, which was not judged.
    pub fn judged(&self) -> impl Iterator<Item = Judged> {
        let mut refused = self.refused.iter().peekable();
        let mut after = 1;
        std::iter::from_fn(move || {
            if let Some(&(_, card)) = refused.next_if(|&&(at, _)| at as usize + 1 == after) {
                return Some(Judged { after, card, accepted: false });
            }
            let card = *self.mainline.get(after)?;
            after += 1;
            Some(Judged { after: after - 1, card, accepted: true })
        })
    }

    /// A card that was accepted and refused at one place: no rule does that.
    pub fn contradiction(&self) -> Option<Card> {
        let both = |judged: &Judged| judged.accepted && self.sideline(judged.after - 1).any(|card| card == judged.card);
        self.judged().find(both).map(|judged| judged.card)
    }

    /// Whether the rule judges every card as it was judged.
    pub fn fits(&self, rule: &Rule) -> bool {
        self.judged().all(|judged| rule.accepts(&self.mainline[..judged.after], judged.card) == judged.accepted)
    }

    /// The layout as data: `{"mainline": ["3S", "7D"], "sidelines": {"1": ["9C"]}}`; [`position`] reads it back.
    pub fn to_data(&self, deck: &Deck) -> Value {
        let names = |cards: &mut dyn Iterator<Item = Card>| -> Vec<String> { cards.map(|c| deck.write(c)).collect() };
        let mut sidelines = Map::new();
        for at in 0..self.mainline.len() {
            let cards = names(&mut self.sideline(at));
            if !cards.is_empty() {
                sidelines.insert(at.to_string(), json!(cards));
            }
        }
        json!({"mainline": names(&mut self.mainline.iter().copied()), "sidelines": sidelines})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_judgements_is_told_by_the_layout() {
        let deck = Deck::STANDARD;
        let card = |text: &str| deck.read(text).expect("a card");
        let plays = [("7D", true), ("9C", false), ("TD", true), ("4S", true), ("2H", false), ("6S", false)];
        let mut layout = Layout::start(card("3S"));
        for (text, accepted) in plays {
            match accepted {
                true => layout.accept(card(text)),
                false => layout.refuse(card(text)),
            }
        }
        let judged: Vec<(String, bool)> = layout.judged().map(|j| (deck.write(j.card), j.accepted)).collect();
        assert_eq!(judged, plays.map(|(text, accepted)| (text.to_string(), accepted)));
        assert_eq!(layout.judged().map(|j| j.after).collect::<Vec<_>>(), [1, 2, 2, 3, 4, 4]);
        assert_eq!(layout.size(), 7);
        assert_eq!(layout.sideline(3).map(|c| deck.write(c)).collect::<Vec<_>>(), ["2H", "6S"]);
    }
}
