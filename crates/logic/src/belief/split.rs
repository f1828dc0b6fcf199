//! Taking a question of what clashes apart before a solver sees it.
//!
//! Given hard formulas, which hold, and soft ones, of which the minimal sets inconsistent with the hard ones are wanted:
//!
//! 1. What the hard formulas force is worked out, formula by formula (unit propagation). A soft formula that is false then
//!    is a minimal set alone; one that is true is in none; the atoms that are forced connect nothing.
//! 2. Formulas that can always be made true without touching the others go, again and again: those with an atom that makes
//!    every formula true in which it occurs, and those with an atom of their own of which some value does, whatever the
//!    others are. Were one of them in a minimal inconsistent set, the rest of that set would have a model, and it could be
//!    made one of the whole.
//! 3. What remains falls into parts that share no atom. A minimal inconsistent set, with as few hard formulas as it needs,
//!    is connected: it lies in one part.

use super::language::{Alpha, Store};
use super::tree::{COLUMNS, Scratch, Trees};
use crate::stop;

/// An atom in more formulas than this is not tried in step 2 until some of them have gone.
const CROWD: usize = 64;

/// So often a formula of more than [`LONG`] parts is looked at again in step 1.
const AGAIN: u32 = 64;
const LONG: usize = 1_000;

/// A part: formulas that share atoms with each other and with no formula of another part.
#[derive(Default)]
pub(super) struct Part {
    /// The hard formulas.
    pub(super) hard: Vec<Alpha>,
    /// The soft formulas, by their places in what was given.
    pub(super) soft: Vec<usize>,
    /// What the hard formulas of all parts force, as far as atoms of this part are concerned.
    pub(super) forced: Vec<(Alpha, bool)>,
}

/// What was found out without a solver.
pub(super) struct Split {
    /// The soft formulas that the hard ones exclude, by their places.
    pub(super) excluded: Vec<usize>,
    /// Where the others can clash.
    pub(super) parts: Vec<Part>,
}

/// Takes apart a question. The hard formulas must be consistent.
pub(super) fn split(store: &Store, hard: &[Alpha], soft: &[Alpha]) -> Split {
    let mut all = All::new(store, hard, soft);
    all.propagate(hard.len());
    let mut excluded = Vec::new();
    for at in 0..all.trees.len() {
        let truth = all.truth(at);
        all.live[at] = truth.is_none();
        if at >= hard.len() && truth == Some(false) {
            excluded.push(at - hard.len());
        }
    }
    all.thin_out();
    let parts = all.parts(hard, soft);
    Split { excluded, parts }
}

struct All {
    /// The hard formulas, then the soft ones.
    trees: Trees,
    with_atom: Vec<Vec<u32>>,
    forced: Vec<Option<bool>>,
    live: Vec<bool>,
    scratch: Scratch,
}

impl All {
    fn new(store: &Store, hard: &[Alpha], soft: &[Alpha]) -> All {
        let mut trees = Trees::default();
        hard.iter().chain(soft).for_each(|&alpha| _ = trees.add(store, alpha));
        let mut with_atom = vec![Vec::new(); trees.names().len()];
        for at in 0..trees.len() {
            trees.atoms(at).iter().for_each(|&atom| with_atom[atom as usize].push(at as u32));
        }
        let (forced, live) = (vec![None; with_atom.len()], vec![true; trees.len()]);
        All { trees, with_atom, forced, live, scratch: Scratch::default() }
    }

    fn truth(&mut self, at: usize) -> Option<bool> {
        let forced = &self.forced;
        self.trees.truth(at, &mut self.scratch, |atom| forced[atom as usize])
    }

    /// What the first formulas force.
    fn propagate(&mut self, hard: usize) {
        let mut looked = vec![0u32; hard];
        let mut waiting = vec![true; hard];
        let mut open: Vec<usize> = (0..hard).rev().collect();
        let mut news = Vec::new();
        while let Some(at) = open.pop().filter(|_| !stop::asked()) {
            waiting[at] = false;
            if self.trees.size(at) > LONG {
                looked[at] += 1;
                if looked[at] > AGAIN {
                    continue;
                }
            }
            let forced = &self.forced;
            self.trees.forced(at, &mut self.scratch, |atom| forced[atom as usize], |atom, to| news.push((atom, to)));
            for (atom, to) in news.drain(..) {
                if self.forced[atom as usize].is_some() {
                    continue;
                }
                self.forced[atom as usize] = Some(to);
                for &other in self.with_atom[atom as usize].iter().filter(|&&other| (other as usize) < hard) {
                    if !waiting[other as usize] {
                        waiting[other as usize] = true;
                        open.push(other as usize);
                    }
                }
            }
        }
    }

    /// Takes out what can always be made true.
    fn thin_out(&mut self) {
        let mut waiting: Vec<bool> = self.forced.iter().map(Option::is_none).collect();
        let mut left: Vec<usize> =
            self.with_atom.iter().map(|all| all.iter().filter(|&&at| self.live[at as usize]).count()).collect();
        let mut open: Vec<u32> = (0..waiting.len() as u32).rev().filter(|&atom| waiting[atom as usize]).collect();
        while let Some(atom) = open.pop().filter(|_| !stop::asked()) {
            waiting[atom as usize] = false;
            if left[atom as usize] == 0 || left[atom as usize] > CROWD {
                continue;
            }
            let with: Vec<usize> =
                self.with_atom[atom as usize].iter().map(|&at| at as usize).filter(|&at| self.live[at]).collect();
            if !self.can_go(atom, &with) {
                continue;
            }
            for at in with {
                self.live[at] = false;
                for &other in self.trees.atoms(at) {
                    left[other as usize] -= 1;
                    if self.forced[other as usize].is_none() && !waiting[other as usize] {
                        waiting[other as usize] = true;
                        open.push(other);
                    }
                }
            }
        }
    }

    /// Whether some value of the atom makes all these formulas true, which are all those with it; or, if there is one only,
    /// whether for all values of the others some value does.
    fn can_go(&mut self, atom: u32, with: &[usize]) -> bool {
        let forced = &self.forced;
        let (trees, scratch) = (&self.trees, &mut self.scratch);
        let mut all_true = |to: bool| {
            let value = |other: u32| if other == atom { Some(to) } else { forced[other as usize] };
            with.iter().all(|&at| trees.truth(at, scratch, value) == Some(true))
        };
        if all_true(true) || all_true(false) {
            return true;
        }
        let &[only] = with else { return false };
        let mut free: Vec<u32> =
            trees.atoms(only).iter().copied().filter(|&a| a != atom && forced[a as usize].is_none()).collect();
        free.push(atom);
        if free.len() > COLUMNS.len() {
            return false;
        }
        let place = |a: u32| free.iter().position(|&f| f == a).ok_or(forced[a as usize] == Some(true));
        let table = trees.table(only, place);
        let (last, width) = (COLUMNS[free.len() - 1], 1 << (free.len() - 1));
        // Beside each line the one that differs in the atom alone.
        (table & last) >> width | (table & !last) | (table & last) | (table & !last) << width == u64::MAX
    }

    fn parts(&self, hard: &[Alpha], soft: &[Alpha]) -> Vec<Part> {
        let mut groups = Groups { above: (0..self.trees.len() as u32).collect() };
        for (atom, all) in self.with_atom.iter().enumerate() {
            if self.forced[atom].is_some() {
                continue;
            }
            let mut live = all.iter().copied().filter(|&at| self.live[at as usize]);
            if let Some(first) = live.next() {
                live.for_each(|other| groups.join(first, other));
            }
        }
        let mut place = vec![None; self.trees.len()];
        let mut parts: Vec<Part> = Vec::new();
        // The soft ones first: a part without any cannot clash.
        for at in (hard.len()..hard.len() + soft.len()).chain(0..hard.len()).filter(|&at| self.live[at]) {
            let root = groups.root(at as u32) as usize;
            let part = match (place[root], at < hard.len()) {
                (Some(part), _) => &mut parts[part],
                (None, true) => continue,
                (None, false) => {
                    place[root] = Some(parts.len());
                    parts.push(Part::default());
                    parts.last_mut().expect("just made")
                }
            };
            match at < hard.len() {
                true => part.hard.push(hard[at]),
                false => part.soft.push(at - hard.len()),
            }
            let forced = self.trees.atoms(at).iter().map(|&atom| (atom as usize, self.forced[atom as usize]));
            part.forced.extend(forced.filter_map(|(atom, to)| Some((self.trees.names()[atom], to?))));
        }
        parts
    }
}

/// Who belongs together: union-find.
struct Groups {
    above: Vec<u32>,
}

impl Groups {
    fn root(&mut self, mut at: u32) -> u32 {
        while self.above[at as usize] != at {
            let above = self.above[at as usize];
            self.above[at as usize] = self.above[above as usize];
            at = above;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.above[a.max(b) as usize] = a.min(b);
    }
}
