//! A family of candidate rules as one automaton.

use super::Reading;
use crate::cards::{Card, CardSet};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// What a candidate still asks of the line, by its number.
///
/// Under [`Reading::Residual`] candidates that judge every continuation alike are at the same point; under
/// [`Reading::Which`] two candidates never are. So in both readings *a player knows the rule exactly when one point is
/// left*.
pub(crate) type Point = u32;

/// The disjoint union of the candidates' automata from the starter on, points that cannot be told apart merged.
pub(crate) struct Family {
    cards: usize,
    /// For each point and card the point after it, or none if it is refused.
    next: Vec<Option<Point>>,
    accepted: Vec<CardSet>,
    starts: Vec<Point>,
}

impl Family {
    /// Follows each candidate from its state after the starter.
    pub(crate) fn new<S: Clone + Eq + Hash>(
        cards: usize,
        reading: Reading,
        starts: &[S],
        step: impl Fn(usize, &S, Card) -> Option<S>,
    ) -> Family {
        let mut states: Vec<(usize, S)> = Vec::new();
        let mut index: FxHashMap<(usize, S), u32> = FxHashMap::default();
        let mut number = |state: (usize, S), states: &mut Vec<(usize, S)>| {
            *index.entry(state).or_insert_with_key(|state| {
                states.push(state.clone());
                states.len() as u32 - 1
            })
        };
        let first: Vec<u32> = starts.iter().cloned().enumerate().map(|s| number(s, &mut states)).collect();
        let mut next: Vec<Option<u32>> = Vec::new();
        let mut at = 0;
        while at < states.len() {
            let (rule, state) = states[at].clone();
            for card in CardSet::first(cards).iter() {
                next.push(step(rule, &state, card).map(|s| number((rule, s), &mut states)));
            }
            at += 1;
        }
        let apart = |(rule, _): &(usize, S)| match reading {
            Reading::Which => *rule as u32,
            Reading::Residual => 0,
        };
        let classes = merged(cards, &next, states.iter().map(apart).collect());
        let count = classes.iter().max().map_or(0, |&c| c as usize + 1);
        let mut family = Family {
            cards,
            next: vec![None; count * cards],
            accepted: vec![CardSet::EMPTY; count],
            starts: first.iter().map(|&s| classes[s as usize]).collect(),
        };
        for (state, steps) in next.chunks(cards).enumerate() {
            let class = classes[state] as usize;
            for card in CardSet::first(cards).iter() {
                let target = steps[card.index()].map(|s| classes[s as usize]);
                family.next[class * cards + card.index()] = target;
                if target.is_some() {
                    family.accepted[class] = family.accepted[class].with(card);
                }
            }
        }
        family
    }

    /// How many cards there are.
    pub(crate) fn cards(&self) -> usize {
        self.cards
    }

    /// How many points there are.
    pub(crate) fn points(&self) -> usize {
        self.accepted.len()
    }

    /// Where each candidate is after the starter.
    pub(crate) fn starts(&self) -> &[Point] {
        &self.starts
    }

    /// The point after the card, or none if it is refused there.
    pub(crate) fn next(&self, point: Point, card: Card) -> Option<Point> {
        self.next[point as usize * self.cards + card.index()]
    }

    /// The cards that are accepted there.
    pub(crate) fn accepted(&self, point: Point) -> CardSet {
        self.accepted[point as usize]
    }
}

/// The coarsest classes, finer than the given ones, whose members accept the same cards into the same classes
/// (Moore's refinement); numbered in the order of their first members.
fn merged(cards: usize, next: &[Option<u32>], mut classes: Vec<u32>) -> Vec<u32> {
    let mut count = 0;
    loop {
        let mut index: FxHashMap<(u32, Vec<Option<u32>>), u32> = FxHashMap::default();
        let finer: Vec<u32> = (next.chunks(cards).zip(&classes))
            .map(|(steps, &class)| {
                let key = (class, steps.iter().map(|s| s.map(|s| classes[s as usize])).collect());
                let fresh = index.len() as u32;
                *index.entry(key).or_insert(fresh)
            })
            .collect();
        classes = finer;
        if index.len() == count {
            return classes;
        }
        count = index.len();
    }
}
