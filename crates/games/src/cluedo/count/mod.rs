//! How many deals fit, exactly.
//!
//! First what follows at once is drawn (`simplify`). Each place then demands something of the cards that are left:
//! a hand of some size that meets each clause, an envelope with one card of each category that is not one of those
//! excluded. Each demand is a small automaton that reads the cards in one order (`local`). A deal is a way through
//! all of them at once in which every card is taken by one place and left by the others: the product is a layered
//! diagram (`diagram`) in which deals are paths, so that counting, marginals, listing and uniform sampling are sums
//! over its edges.
//!
//! Counts cannot overflow: a deck has at most 40 cards and a card at most 7 places, and 7⁴⁰ < 2¹¹³.

mod alike;
mod diagram;
mod local;
mod simplify;
pub mod split;

use super::deck::Deck;
use super::position::{Constraints, Deal};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use diagram::{Diagram, Edge, Layer};
use std::cmp::Reverse;
use std::ops::Range;

/// All deals that fit some constraints.
#[derive(Clone, Debug)]
pub struct Deals {
    /// How many cards there are.
    cards: usize,
    /// For each place the cards that are there in every deal.
    fixed: Vec<CardSet>,
    /// The other cards, in the order of the diagram.
    order: Vec<Card>,
    /// The places that the diagram speaks of; the envelope last, if it does.
    places: Vec<usize>,
    /// Where the cards of each category stand in `order`.
    blocks: Vec<Range<usize>>,
    /// None if the constraints contradict each other at once.
    diagram: Option<Diagram>,
}

impl Deals {
    /// The deals that fit.
    pub fn of(deck: &Deck, constraints: &Constraints) -> Deals {
        let none = Deals {
            cards: deck.len(),
            fixed: vec![CardSet::EMPTY; constraints.sizes.len()],
            order: Vec::new(),
            places: Vec::new(),
            blocks: Vec::new(),
            diagram: None,
        };
        let Some(simple) = simplify::simplify(deck, constraints) else {
            return none;
        };
        let order = simplify::order(deck, &simple);
        let envelope = constraints.sizes.len() - 1;
        let places: Vec<usize> = (0..=envelope).filter(|&p| !simple.can[p].is_empty()).collect();
        let local = |&p: &usize| match p == envelope {
            false => local::seat(&order, simple.can[p], simple.need[p], &simple.some[p]),
            true => {
                let wanted = (0..deck.categories()).map(|k| deck.category(k).and(simple.can[envelope]));
                let wanted: Vec<CardSet> = wanted.filter(|k| !k.is_empty()).collect();
                local::envelope(&order, simple.can[p], &wanted, &simple.never)
            }
        };
        let Some(locals) = places.iter().map(local).collect::<Option<Vec<_>>>() else {
            return none;
        };
        let begin = |k: usize| order.iter().take_while(|c| deck.category_of(**c) < k).count();
        let blocks = (0..deck.categories()).map(|k| begin(k)..begin(k + 1)).collect();
        let diagram = Diagram::new(order.len(), &locals);
        Deals { cards: deck.len(), fixed: simple.fixed, order, places, blocks, diagram: Some(diagram) }
    }

    fn diagram(&self) -> Option<&Diagram> {
        self.diagram.as_ref().filter(|d| d.total > 0)
    }

    /// How many there are; 0 if the constraints contradict each other.
    pub fn total(&self) -> u128 {
        self.diagram.as_ref().map_or(0, |d| d.total)
    }

    /// How many states the diagram has: what counting costs.
    pub fn states(&self) -> usize {
        self.diagram.as_ref().map_or(0, |d| d.layers.iter().map(|l| l.len()).sum())
    }

    /// For each place, the seats and then the envelope, and for each card, in how many deals the card is there.
    pub fn marginals(&self) -> Vec<Vec<u128>> {
        let mut table = vec![vec![0; self.cards]; self.fixed.len()];
        let Some(diagram) = self.diagram() else {
            return table;
        };
        for (row, fixed) in table.iter_mut().zip(&self.fixed) {
            fixed.iter().for_each(|c| row[c.index()] = diagram.total);
        }
        for (i, card) in self.order.iter().enumerate() {
            let (layer, next) = (&diagram.layers[i], &diagram.layers[i + 1]);
            let mut sums = vec![0; self.places.len()];
            for (state, &ways) in layer.forward.iter().enumerate() {
                for edge in layer.edges(state) {
                    sums[edge.place as usize] += ways * next.backward[edge.to as usize];
                }
            }
            for (&place, sum) in self.places.iter().zip(sums) {
                table[place][card.index()] = sum;
            }
        }
        table
    }

    /// The possible envelopes in the order of the deck, each with its number of deals.
    pub fn envelopes(&self) -> Vec<(CardSet, u128)> {
        let Some(diagram) = self.diagram() else {
            return Vec::new();
        };
        // From the front category by category, from the end the last one; they meet where the last category begins.
        let (last, first) = self.blocks.split_last().expect("a deck has a category");
        let mut heads = vec![(self.fixed[self.fixed.len() - 1], vec![1])];
        for block in first {
            let longer = |(envelope, ways): (CardSet, Vec<u128>)| {
                self.choices(block.clone(), envelope, ways, |i, ways, lies| self.push(diagram, i, ways, lies))
            };
            heads = heads.into_iter().flat_map(longer).collect();
        }
        let end = vec![1; diagram.layers[last.end].len()];
        let pull = |i: usize, ways: &[u128], lies| self.pull(diagram, i, ways, lies);
        let tails = self.choices(last.clone().rev(), CardSet::EMPTY, end, pull);
        let mut found = Vec::with_capacity(heads.len() * tails.len());
        for (head, to) in &heads {
            for (tail, from) in &tails {
                let ways = to.iter().zip(from).filter(|(n, _)| **n > 0).map(|(n, m)| n * m).sum();
                if ways > 0 {
                    found.push((head.or(*tail), ways));
                }
            }
        }
        // The lower card at the first difference comes first.
        found.sort_unstable_by_key(|(envelope, _)| Reverse(envelope.0.reverse_bits()));
        found
    }

    /// Continues `ways` through the layers of a category, once for each card of it that may lie in the envelope, or once
    /// if none is left to choose. `step` goes through a layer whose card lies there or does not.
    fn choices(
        &self,
        layers: impl Iterator<Item = usize>,
        envelope: CardSet,
        ways: Vec<u128>,
        step: impl Fn(usize, &[u128], bool) -> Vec<u128>,
    ) -> Vec<(CardSet, Vec<u128>)> {
        // The first is the one where no card has been chosen yet.
        let mut running = vec![(envelope, ways)];
        for i in layers {
            let chosen = step(i, &running[0].1, true);
            running.iter_mut().for_each(|(_, ways)| *ways = step(i, ways, false));
            running.push((envelope.with(self.order[i]), chosen));
        }
        running.retain(|(_, ways)| ways.iter().any(|&n| n > 0));
        running
    }

    /// The edges of a layer where its card lies in the envelope, or those where it does not.
    fn edges<'a>(&self, layer: &'a Layer, state: usize, lies: bool) -> impl Iterator<Item = usize> + 'a {
        let envelope = self.places.iter().position(|&p| p + 1 == self.fixed.len());
        let of = move |e: &&Edge| (Some(e.place as usize) == envelope) == lies;
        layer.edges(state).iter().filter(of).map(|e| e.to as usize)
    }

    fn push(&self, diagram: &Diagram, i: usize, ways: &[u128], lies: bool) -> Vec<u128> {
        let mut next = vec![0; diagram.layers[i + 1].len()];
        for (state, &n) in ways.iter().enumerate().filter(|(_, n)| **n > 0) {
            self.edges(&diagram.layers[i], state, lies).for_each(|to| next[to] += n);
        }
        next
    }

    fn pull(&self, diagram: &Diagram, i: usize, ways: &[u128], lies: bool) -> Vec<u128> {
        let layer = &diagram.layers[i];
        (0..layer.len()).map(|state| self.edges(layer, state, lies).map(|to| ways[to]).sum()).collect()
    }

    /// One of the deals, all equally likely; none if there is none.
    pub fn sample(&self, dice: &mut Dice) -> Option<Deal> {
        let diagram = self.diagram()?;
        let mut places = self.fixed.clone();
        let mut state = 0;
        for (i, &card) in self.order.iter().enumerate() {
            let (layer, next) = (&diagram.layers[i], &diagram.layers[i + 1]);
            let mut drawn = dice.below_wide(layer.backward[state]);
            for edge in layer.edges(state) {
                let ways = next.backward[edge.to as usize];
                if drawn < ways {
                    let place = &mut places[self.places[edge.place as usize]];
                    *place = place.with(card);
                    state = edge.to as usize;
                    break;
                }
                drawn -= ways;
            }
        }
        Some(Deal { places })
    }

    /// All deals and `true` if there are at most `limit`, else a uniform sample of that many and `false`.
    pub fn all_or_sample(&self, limit: usize, dice: &mut Dice) -> (Vec<Deal>, bool) {
        let all = if self.total() <= limit as u128 { self.list(limit) } else { None };
        let exact = all.is_some();
        (all.unwrap_or_else(|| (0..limit).filter_map(|_| self.sample(dice)).collect()), exact)
    }

    /// All deals in ascending order, if there are at most `limit`.
    pub fn list(&self, limit: usize) -> Option<Vec<Deal>> {
        if self.total() > limit as u128 {
            return None;
        }
        let mut found = Vec::new();
        if let Some(diagram) = self.diagram() {
            self.list_from(diagram, 0, 0, &mut Deal { places: self.fixed.clone() }, &mut found);
        }
        found.sort_unstable();
        Some(found)
    }

    fn list_from(&self, diagram: &Diagram, i: usize, state: usize, deal: &mut Deal, found: &mut Vec<Deal>) {
        let Some(&card) = self.order.get(i) else {
            found.push(deal.clone());
            return;
        };
        for edge in diagram.layers[i].edges(state) {
            if diagram.layers[i + 1].backward[edge.to as usize] > 0 {
                let place = self.places[edge.place as usize];
                deal.places[place] = deal.places[place].with(card);
                self.list_from(diagram, i + 1, edge.to as usize, deal, found);
                deal.places[place] = deal.places[place].without(card);
            }
        }
    }
}
