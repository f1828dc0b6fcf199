//! What can be asked for in a category, and what may lie in the envelope beside it.

use super::super::super::deck::Deck;
use super::super::Deals;
use super::Splitter;
use crate::cards::{Card, CardSet};
use std::ops::Range;

/// A card that can be asked for, of one category.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The card of a layer, which stands for all that it can be exchanged with.
    Open(usize),
    /// A card whose holder is known, by the rank of the holder.
    Held(usize),
    /// The card that is known to lie in the envelope.
    Found,
}

/// One category.
pub(super) struct Block {
    /// The layers of its open cards.
    pub(super) layers: Range<usize>,
    /// What can be asked for.
    pub(super) choices: Vec<Choice>,
    /// For each choice the cards that may lie in the envelope, by layer, each with how many cards it stands for. There is
    /// no layer if the card of this category is known.
    pub(super) lying: Vec<Vec<(Option<usize>, f64)>>,
    /// For each card of the deck its choice, if it is of this category.
    of: Vec<Option<usize>>,
}

impl Block {
    /// The category, if these cards can be asked for and places are asked in the order of their ranks.
    pub(super) fn of(deck: &Deck, category: usize, asked: CardSet, splitter: &Splitter, ranks: &[usize]) -> Block {
        let Splitter { deals, alike, seats } = splitter;
        let layers = deals.blocks[category].clone();
        let mut block =
            Block { layers: layers.clone(), choices: Vec::new(), lying: Vec::new(), of: vec![None; deck.len()] };
        for layer in layers.clone().filter(|&layer| asked.has(deals.order[layer])) {
            block.offer(deals.order[layer], Choice::Open(alike[layer]));
        }
        for (place, held) in deals.fixed.iter().enumerate() {
            for card in held.and(deck.category(category)).and(asked).iter() {
                let choice = if place == *seats { Choice::Found } else { Choice::Held(ranks[place]) };
                block.offer(card, choice);
            }
        }
        let found = !deals.fixed[*seats].is_disjoint(deck.category(category));
        let firsts: Vec<usize> = layers.clone().filter(|&i| alike[i] == i && may_lie(deals, *seats, i)).collect();
        let lying = |choice: &Choice| {
            let mut lying = Vec::new();
            for &first in &firsts {
                let mut same = layers.clone().filter(|&i| alike[i] == first);
                let many = same.clone().count() as f64;
                if *choice != Choice::Open(first) {
                    lying.push((Some(first), many));
                    continue;
                }
                lying.push((Some(first), 1.0));
                lying.extend(same.nth(1).map(|second| (Some(second), many - 1.0)));
            }
            lying
        };
        block.lying = block.choices.iter().map(|c| if found { vec![(None, 1.0)] } else { lying(c) }).collect();
        block
    }

    fn offer(&mut self, card: Card, choice: Choice) {
        let known = self.choices.iter().position(|c| *c == choice);
        self.of[card.index()] = Some(known.unwrap_or(self.choices.len()));
        if known.is_none() {
            self.choices.push(choice);
        }
    }

    /// How many kinds of cards may lie in the envelope beside a choice, at most.
    pub(super) fn kinds(&self) -> usize {
        self.lying.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The choice of a card of this category.
    pub(super) fn choice_of(&self, card: Card) -> usize {
        self.of[card.index()].expect("a card of this category")
    }

    /// Which of the cards in the envelope is the one asked for, if it may be.
    pub(super) fn named(&self, choice: usize) -> Option<usize> {
        match self.choices[choice] {
            Choice::Open(layer) => self.lying[choice].iter().position(|l| l.0 == Some(layer)),
            Choice::Held(_) => None,
            Choice::Found => Some(0),
        }
    }
}

/// Whether the card of a layer may lie in the envelope.
fn may_lie(deals: &Deals, envelope: usize, layer: usize) -> bool {
    let place = deals.places.iter().position(|&p| p == envelope);
    let edges = deals.diagram.iter().flat_map(|diagram| &diagram.layers[layer].edges);
    place.is_some_and(|place| edges.into_iter().any(|edge| edge.place as usize == place))
}
