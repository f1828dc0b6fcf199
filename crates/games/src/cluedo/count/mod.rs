//! How many deals fit, exactly.
//!
//! First what follows at once is drawn ([`simplify`]). Each place then demands something of the cards that are left:
//! a hand of some size that meets each clause, an envelope with one card of each category that is not one of those
//! excluded. Each demand is a small automaton that reads the cards in one order ([`local`]). A deal is a way through
//! all of them at once in which every card is taken by one place and left by the others: the product is a layered
//! diagram ([`diagram`]) in which deals are paths, so that counting, marginals, listing and uniform sampling are sums
//! over its edges.
//!
//! Counts cannot overflow: a deck has at most 40 cards and a card at most 7 places, and 7⁴⁰ < 2¹¹³.

mod diagram;
mod local;
mod simplify;

use super::deck::Deck;
use super::position::{Constraints, Deal};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use diagram::Diagram;

/// All deals that fit some constraints.
pub struct Deals {
    /// How many cards there are.
    cards: usize,
    /// For each place the cards that are there in every deal.
    fixed: Vec<CardSet>,
    /// The other cards, in the order of the diagram.
    order: Vec<Card>,
    /// The places that the diagram speaks of; the envelope last, if it does.
    places: Vec<usize>,
    /// Where the cards of each category begin in `order`, and last where they end.
    categories: Vec<usize>,
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
            categories: Vec::new(),
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
        let categories = (0..=deck.categories()).map(begin).collect();
        let diagram = Diagram::new(order.len(), &locals);
        Deals { cards: deck.len(), fixed: simple.fixed, order, places, categories, diagram: Some(diagram) }
    }

    fn diagram(&self) -> Option<&Diagram> {
        self.diagram.as_ref().filter(|d| d.total > 0)
    }

    /// How many there are; 0 if the constraints contradict each other.
    pub fn total(&self) -> u128 {
        self.diagram.as_ref().map_or(0, |d| d.total)
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
            for (state, &ways) in layer.forward.iter().enumerate() {
                for edge in layer.edges(state) {
                    table[self.places[edge.place as usize]][card.index()] += ways * next.backward[edge.to as usize];
                }
            }
        }
        table
    }

    /// The possible envelopes in the order of the deck, each with its number of deals.
    pub fn envelopes(&self) -> Vec<(CardSet, u128)> {
        let mut found = Vec::new();
        if let Some(diagram) = self.diagram() {
            let fixed = self.fixed[self.fixed.len() - 1];
            self.envelopes_from(diagram, 0, &[1], fixed, &mut found);
        }
        found.sort_unstable_by_key(|(envelope, _)| envelope.iter().map(|c| c.0).collect::<Vec<_>>());
        found
    }

    /// Follows category by category the ways that begin with the envelope so far: `ways` leads to each state of the
    /// layer where `category` begins.
    fn envelopes_from(
        &self,
        diagram: &Diagram,
        category: usize,
        ways: &[u128],
        envelope: CardSet,
        found: &mut Vec<(CardSet, u128)>,
    ) {
        if category + 1 == self.categories.len() {
            found.push((envelope, ways.iter().sum()));
            return;
        }
        let (begin, end) = (self.categories[category], self.categories[category + 1]);
        let open: Vec<usize> = (begin..end).filter(|&i| self.can_lie(diagram, i)).collect();
        if open.is_empty() {
            let ways = self.advance(diagram, begin, end, None, ways.to_vec());
            return self.envelopes_from(diagram, category + 1, &ways, envelope, found);
        }
        for i in open {
            let ways = self.advance(diagram, begin, end, Some(i), ways.to_vec());
            if ways.iter().any(|&n| n > 0) {
                self.envelopes_from(diagram, category + 1, &ways, envelope.with(self.order[i]), found);
            }
        }
    }

    fn can_lie(&self, diagram: &Diagram, i: usize) -> bool {
        diagram.layers[i].edges.iter().any(|e| self.places[e.place as usize] == self.fixed.len() - 1)
    }

    /// The ways from layer `begin` to layer `end` in which the envelope gets card `chosen` and no other.
    fn advance(&self, d: &Diagram, begin: usize, end: usize, chosen: Option<usize>, mut ways: Vec<u128>) -> Vec<u128> {
        let envelope = self.fixed.len() - 1;
        for i in begin..end {
            let (layer, after) = (&d.layers[i], &d.layers[i + 1]);
            let mut next = vec![0; after.len()];
            for (state, &n) in ways.iter().enumerate().filter(|(_, n)| **n > 0) {
                for edge in layer.edges(state) {
                    let lies = self.places[edge.place as usize] == envelope;
                    if lies == (Some(i) == chosen) && after.backward[edge.to as usize] > 0 {
                        next[edge.to as usize] += n;
                    }
                }
            }
            ways = next;
        }
        ways
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
