//! Fair runs by definition: they end, or go round in a strongly connected component in which every condition is met.

use ken_logic::formula::{Along, Path};
use std::collections::BTreeSet;

/// For each point whether it is in a set.
pub(crate) type Set = Vec<bool>;

/// The points that are not in a set.
pub(crate) fn not(set: &[bool]) -> Set {
    set.iter().map(|b| !b).collect()
}

/// The points to which paths through `good` lead, the start included.
pub(crate) fn reached(after: &[BTreeSet<usize>], start: usize, good: &[bool]) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(s) = open.pop() {
        if good[s] {
            open.extend(after[s].iter().copied().filter(|&t| found.insert(t)));
        }
    }
    found
}

/// The maximal runs of a relation that end, or on which each condition holds again and again, among what counts.
pub(crate) struct FairRuns {
    pub(crate) after: Vec<BTreeSet<usize>>,
    pub(crate) conditions: Vec<Set>,
    pub(crate) counts: Set,
}

impl FairRuns {
    /// Where a fair run begins that stays in `good`: it ends, or goes round in a component with all conditions.
    pub(crate) fn always(&self, good: &[bool]) -> Set {
        let size = good.len();
        let good: Set = (0..size).map(|s| good[s] && self.counts[s]).collect();
        let good = good.as_slice();
        let within: Vec<BTreeSet<usize>> =
            (0..size).map(|s| reached(&self.after, s, good).into_iter().filter(|&t| good[t]).collect()).collect();
        let lasting = |s: usize| {
            if !good[s] {
                return false;
            }
            if self.after[s].is_empty() {
                return true;
            }
            // The strongly connected component of s, if it has a cycle.
            let component: Vec<usize> =
                within[s].iter().copied().filter(|&t| good[t] && within[t].contains(&s)).collect();
            let cycle = component.len() > 1 || self.after[s].contains(&s);
            cycle && self.conditions.iter().all(|c| component.iter().any(|&t| c[t]))
        };
        let lasting: Set = (0..size).map(lasting).collect();
        (0..size).map(|s| good[s] && within[s].iter().any(|&t| lasting[t])).collect()
    }

    pub(crate) fn fair(&self) -> Set {
        self.always(&vec![true; self.after.len()])
    }

    /// Where a fair run comes next to a point of the set.
    pub(crate) fn next(&self, set: &[bool]) -> Set {
        let fair = self.fair();
        self.after.iter().map(|here| here.iter().any(|&t| set[t] && fair[t])).collect()
    }

    /// Where a fair run goes through `good` to `goal`.
    pub(crate) fn until(&self, good: &[bool], goal: &[bool]) -> Set {
        let fair = self.fair();
        (0..good.len()).map(|s| reached(&self.after, s, good).iter().any(|&t| goal[t] && fair[t])).collect()
    }

    /// Where some or all fair runs are in `set` next, some time or always.
    pub(crate) fn along(&self, path: Path, along: Along, set: &[bool]) -> Set {
        let all = vec![true; set.len()];
        match (path, along) {
            (Path::Some, Along::Next) => self.next(set),
            (Path::All, Along::Next) => not(&self.next(&not(set))),
            (Path::Some, Along::Eventually) => self.until(&all, set),
            (Path::All, Along::Always) => not(&self.until(&all, &not(set))),
            (Path::Some, Along::Always) => self.always(set),
            (Path::All, Along::Eventually) => not(&self.always(&not(set))),
        }
    }

    /// Where some or all fair runs go through `good` to `goal`.
    pub(crate) fn through(&self, path: Path, good: &[bool], goal: &[bool]) -> Set {
        match path {
            Path::Some => self.until(good, goal),
            Path::All => {
                let neither: Set = good.iter().zip(goal).map(|(good, goal)| !good && !goal).collect();
                let (never, fails) = (self.always(&not(goal)), self.until(&not(goal), &neither));
                never.iter().zip(fails).map(|(never, fails)| !never && !fails).collect()
            }
        }
    }
}
