//! The deals that fit, counted in another way: envelope by envelope, seat by seat, whole hands at a time.
//!
//! It shares nothing with the library's counting but the constraints it reads.

use ken_games::cards::CardSet;
use ken_games::cluedo::Deck;
use ken_games::cluedo::position::{Constraints, Deal};
use std::collections::HashMap;

/// What the counting has to find.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) total: u128,
    pub(crate) marginals: Vec<Vec<u128>>,
    pub(crate) envelopes: Vec<(CardSet, u128)>,
}

/// Every possible hand of every seat, as a set of cards.
fn hands(deck: &Deck, constraints: &Constraints) -> Vec<Vec<CardSet>> {
    let seats = constraints.sizes.len() - 1;
    let fits = |seat: usize, hand: CardSet| {
        constraints.some.iter().all(|&(s, cards)| s.index() != seat || !hand.is_disjoint(cards))
    };
    (0..seats)
        .map(|seat| {
            let can: Vec<_> = deck.cards().iter().filter(|c| constraints.may[c.index()] >> seat & 1 == 1).collect();
            let must = deck.cards().iter().filter(|c| constraints.may[c.index()] == 1 << seat).collect::<CardSet>();
            let mut found = vec![CardSet::EMPTY];
            for (i, &card) in can.iter().enumerate() {
                let size = constraints.sizes[seat] as usize;
                let rest = can.len() - i - 1;
                let with = found.iter().map(|h| h.with(card)).collect::<Vec<_>>();
                if must.has(card) {
                    found.clear();
                }
                found.extend(with);
                found.retain(|h| h.len() <= size && h.len() + rest >= size);
            }
            found.retain(|&h| fits(seat, h) && h.len() == constraints.sizes[seat] as usize);
            found
        })
        .collect()
}

/// The envelopes that are not excluded by themselves.
fn envelopes(deck: &Deck, constraints: &Constraints) -> Vec<CardSet> {
    let bit = constraints.sizes.len() - 1;
    let can = deck.cards().iter().filter(|c| constraints.may[c.index()] >> bit & 1 == 1).collect();
    let must = deck.cards().iter().filter(|c| constraints.may[c.index()] == 1 << bit).collect::<CardSet>();
    let mut all = deck.triples(can);
    all.retain(|e| must.is_subset(*e) && !constraints.never.contains(e));
    all
}

/// How many ways there are, and in how many of them each seat holds each card.
type Ways = (u128, Vec<Vec<u128>>);

/// Gives each seat in turn a hand from the cards that are left; the same cards left means the same count.
struct Table<'a> {
    hands: &'a [Vec<CardSet>],
    memo: Vec<HashMap<u64, Ways>>,
    cards: usize,
}

impl Table<'_> {
    fn count(&mut self, seat: usize, left: CardSet) -> Ways {
        let places = self.hands.len();
        let mut table = vec![vec![0u128; self.cards]; places];
        if seat == places {
            return (u128::from(left.is_empty()), table);
        }
        if let Some(known) = self.memo[seat].get(&left.0) {
            return known.clone();
        }
        let mut total = 0;
        for &hand in self.hands[seat].iter().filter(|h| h.is_subset(left)) {
            let (ways, below) = self.count(seat + 1, left.minus(hand));
            if ways == 0 {
                continue;
            }
            total += ways;
            hand.iter().for_each(|c| table[seat][c.index()] += ways);
            for later in seat + 1..places {
                (0..self.cards).for_each(|c| table[later][c] += below[later][c]);
            }
        }
        self.memo[seat].insert(left.0, (total, table.clone()));
        (total, table)
    }
}

/// Counts by hands.
pub(crate) fn count(deck: &Deck, constraints: &Constraints) -> Counted {
    let hands = hands(deck, constraints);
    let seats = hands.len();
    let mut table = Table { hands: &hands, memo: vec![HashMap::new(); seats], cards: deck.len() };
    let mut counted = Counted { total: 0, marginals: vec![vec![0; deck.len()]; seats + 1], envelopes: Vec::new() };
    for envelope in envelopes(deck, constraints) {
        let (ways, below) = table.count(0, deck.cards().minus(envelope));
        if ways == 0 {
            continue;
        }
        counted.total += ways;
        counted.envelopes.push((envelope, ways));
        envelope.iter().for_each(|c| counted.marginals[seats][c.index()] += ways);
        for (row, more) in counted.marginals.iter_mut().zip(below) {
            row.iter_mut().zip(more).for_each(|(n, m)| *n += m);
        }
    }
    counted
}

/// Every deal of the deck with these sizes that the constraints admit, by trying every place for every card.
pub(crate) fn brute(deck: &Deck, constraints: &Constraints) -> Vec<Deal> {
    let mut found = Vec::new();
    let mut deal = Deal { places: vec![CardSet::EMPTY; constraints.sizes.len()] };
    try_places(deck, constraints, 0, &mut deal, &mut found);
    found.sort();
    found
}

fn try_places(deck: &Deck, constraints: &Constraints, card: usize, deal: &mut Deal, found: &mut Vec<Deal>) {
    let Some(next) = deck.cards().iter().nth(card) else {
        if deck.is_triple(deal.envelope()) && constraints.admits(deal) {
            found.push(deal.clone());
        }
        return;
    };
    for place in 0..deal.places.len() {
        if deal.places[place].len() < constraints.sizes[place] as usize {
            deal.places[place] = deal.places[place].with(next);
            try_places(deck, constraints, card + 1, deal, found);
            deal.places[place] = deal.places[place].without(next);
        }
    }
}
