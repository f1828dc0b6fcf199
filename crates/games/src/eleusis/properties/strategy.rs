//! The best plan of somebody who plays every card and sees every verdict.

use super::table::{SetId, Sets};
use super::{Instance, family_of};
use crate::cards::CardSet;
use rustc_hash::{FxHashMap, FxHashSet};

/// For the sets of candidates looked at so far, how many plays it takes in the worst case to know; sets from which no
/// plan is sure to succeed are missing.
#[derive(Default)]
pub(super) struct Plan {
    seen: FxHashSet<SetId>,
    depth: FxHashMap<SetId, u32>,
}

impl Plan {
    /// Adds plans for a set and for everything that can be left of it, with any card at any time.
    fn grow(&mut self, sets: &mut Sets, root: SetId) {
        let cards = CardSet::first(sets.family().cards());
        let mut open: Vec<(SetId, Vec<[SetId; 2]>)> = Vec::new();
        let mut queue = vec![root];
        while let Some(set) = queue.pop() {
            if set == 0 || !self.seen.insert(set) {
                continue;
            }
            if sets.settled(set) {
                self.depth.insert(set, 0);
                continue;
            }
            let mut ways: Vec<[SetId; 2]> = cards.iter().map(|card| sets.judged(set, card).into()).collect();
            ways.sort_unstable();
            ways.dedup();
            queue.extend(ways.iter().flatten());
            open.push((set, ways));
        }
        // Round n finds the sets from which n plays are enough.
        let deepest = self.depth.values().max().copied().unwrap_or_default();
        for round in 1.. {
            let sure = |&next: &SetId| self.of(next).is_some_and(|depth| depth < round);
            let (found, rest): (Vec<_>, Vec<_>) =
                open.into_iter().partition(|(_, ways)| ways.iter().any(|way| way.iter().all(sure)));
            if found.is_empty() && round > deepest {
                return;
            }
            self.depth.extend(found.into_iter().map(|(set, _)| (set, round)));
            open = rest;
        }
    }

    fn of(&self, set: SetId) -> Option<u32> {
        if set == 0 { Some(0) } else { self.depth.get(&set).copied() }
    }

    /// The cards of the hand that leave the fewest plays in the worst case; none if none of them belongs to a plan.
    pub(super) fn best(&mut self, sets: &mut Sets, set: SetId, hand: CardSet) -> Option<CardSet> {
        self.grow(sets, set);
        let mut best: Option<(u32, CardSet)> = None;
        for card in hand.iter() {
            let (accepted, refused) = sets.judged(set, card);
            let Some(depth) = self.of(accepted).zip(self.of(refused)).map(|(a, b)| a.max(b)) else { continue };
            match &mut best {
                Some((least, cards)) if *least == depth => *cards = cards.with(card),
                Some((least, _)) if *least < depth => {}
                _ => best = Some((depth, CardSet::of(card))),
            }
        }
        best.map(|(_, cards)| cards)
    }
}

/// The least number of plays after which one player who chooses every card, any card of the deck at any time, is sure to
/// know the rule, whichever candidate it is; none if no number is enough.
pub fn best_strategy_depth(instance: &Instance) -> Option<u32> {
    let mut sets = Sets::new(family_of(instance));
    let everything = sets.everything();
    let mut plan = Plan::default();
    plan.grow(&mut sets, everything);
    plan.of(everything)
}
