//! What one place demands: a minimal layered automaton that reads the open cards in order, each taken or left.

use super::simplify::{disjoint, minimal};
use crate::cards::{Card, CardSet};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// There is no way on.
pub(super) const DEAD: u32 = u32::MAX;

/// A minimal automaton: every state can be reached and has a way to the end, and no two of a layer accept the same.
/// Layer `i` reads card `i`; the only state of the first layer and of the one after the last card is 0.
pub(super) struct Local {
    pub(super) layers: Vec<Steps>,
}

/// For each state of a layer, where it goes; [`DEAD`] if it may not.
#[derive(Default)]
pub(super) struct Steps {
    /// If the place gets the card.
    pub(super) take: Vec<u32>,
    /// If it does not.
    pub(super) leave: Vec<u32>,
}

impl Steps {
    pub(super) fn len(&self) -> usize {
        self.take.len()
    }
}

/// The hands of a seat: `need` of the cards, all from `can`, at least one of each clause.
pub(super) fn seat(order: &[Card], can: CardSet, need: usize, clauses: &[CardSet]) -> Option<Local> {
    let ahead: Vec<CardSet> =
        (0..=order.len()).map(|i| order[i..].iter().copied().collect::<CardSet>().and(can)).collect();
    let step = |(need, open): &(usize, Vec<CardSet>), layer: usize, take: bool| {
        let card = order[layer];
        if take && (*need == 0 || !can.has(card)) {
            return None;
        }
        let need = need - usize::from(take);
        let ahead = ahead[layer + 1];
        let matters = open.iter().any(|c| c.has(card));
        let open = open.iter().copied().filter(|c| !(take && c.has(card))).map(|c| c.without(card));
        let mut open: Vec<CardSet> = open.filter(|c| ahead.minus(*c).len() >= need).collect();
        if matters && !take {
            minimal(&mut open);
        }
        let empty = open.first().is_some_and(|c| c.is_empty());
        let lost = ahead.len() < need || empty || disjoint(&open, CardSet::EMPTY).0 > need;
        (!lost).then_some((need, open))
    };
    build(order.len(), (need, clauses.to_vec()), step, |(need, open)| *need == 0 && open.is_empty())
}

/// The envelopes: one card of each category that still lacks one, all from `can`, and no set of `never`.
pub(super) fn envelope(order: &[Card], can: CardSet, categories: &[CardSet], never: &[CardSet]) -> Option<Local> {
    let step = |(wanted, open): &(Vec<CardSet>, Vec<CardSet>), layer: usize, take: bool| {
        let card = order[layer];
        let mut wanted = wanted.clone();
        if take {
            let at = wanted.iter().position(|k| k.has(card))?;
            wanted.remove(at);
        } else {
            wanted.iter_mut().for_each(|k| *k = k.without(card));
        }
        if take && !can.has(card) || wanted.iter().any(|k| k.is_empty()) {
            return None;
        }
        let open = open.iter().filter(|n| n.has(card) == take).map(|n| n.without(card)).collect();
        Some((wanted, open))
    };
    let start = (categories.to_vec(), never.to_vec());
    build(order.len(), start, step, |(wanted, open)| wanted.is_empty() && open.is_empty())
}

/// Explores forward, then joins states backward that have the same ways on.
fn build<S: Clone + Eq + Hash>(
    cards: usize,
    start: S,
    step: impl Fn(&S, usize, bool) -> Option<S>,
    accept: impl Fn(&S) -> bool,
) -> Option<Local> {
    let mut states = vec![start];
    let mut layers: Vec<Steps> = Vec::with_capacity(cards);
    let mut index: FxHashMap<S, u32> = FxHashMap::default();
    for layer in 0..cards {
        index.clear();
        let mut next: Vec<S> = Vec::new();
        let mut steps = Steps::default();
        let mut number = |state: Option<S>| match state {
            None => DEAD,
            Some(state) => *index.entry(state).or_insert_with_key(|state| {
                next.push(state.clone());
                next.len() as u32 - 1
            }),
        };
        for state in &states {
            steps.take.push(number(step(state, layer, true)));
            steps.leave.push(number(step(state, layer, false)));
        }
        layers.push(steps);
        states = next;
    }
    let mut class: Vec<u32> = states.iter().map(|s| if accept(s) { 0 } else { DEAD }).collect();
    let mut index: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for steps in layers.iter_mut().rev() {
        index.clear();
        let mut joined = Steps::default();
        let go = |to: u32| if to == DEAD { DEAD } else { class[to as usize] };
        class = std::iter::zip(&steps.take, &steps.leave)
            .map(|(&take, &leave)| match (go(take), go(leave)) {
                (DEAD, DEAD) => DEAD,
                ways => *index.entry(ways).or_insert_with(|| {
                    joined.take.push(ways.0);
                    joined.leave.push(ways.1);
                    joined.len() as u32 - 1
                }),
            })
            .collect();
        *steps = joined;
    }
    (class == [0]).then_some(Local { layers })
}
