//! Cards that are interchangeable: exchanging two of them turns the deals that fit into themselves.

use super::simplify::Simplified;
use crate::cards::{Card, CardSet};
use std::ops::Range;

/// For each card of the order the first card of its category with which it can be exchanged: its own place if there is
/// none before it.
pub(super) fn alike(order: &[Card], blocks: &[Range<usize>], simple: &Simplified) -> Vec<usize> {
    let mut first: Vec<usize> = (0..order.len()).collect();
    for block in blocks {
        for at in block.clone() {
            let earlier = (block.start..at).filter(|&i| first[i] == i);
            first[at] = earlier.into_iter().find(|&i| exchangeable(order[i], order[at], simple)).unwrap_or(at);
        }
    }
    first
}

/// Whether what is demanded stays the same if the two cards of a category are exchanged everywhere.
fn exchangeable(a: Card, b: Card, simple: &Simplified) -> bool {
    let same = |cards: &CardSet| cards.has(a) == cards.has(b);
    let keeps = |sets: &[CardSet]| {
        let moved = sets.iter().filter(|set| !same(set)).map(|set| exchanged(*set, a, b));
        moved.into_iter().all(|set| sets.contains(&set))
    };
    simple.can.iter().all(same) && simple.some.iter().all(|clauses| keeps(clauses)) && keeps(&simple.never)
}

/// The set with one of the two cards instead of the other.
fn exchanged(set: CardSet, a: Card, b: Card) -> CardSet {
    match set.has(a) {
        true => set.without(a).with(b),
        false => set.without(b).with(a),
    }
}
