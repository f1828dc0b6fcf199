//! Model rotation (after Belov and Marques-Silva): from a model in which one formula alone is false to models in which
//! another one alone is, by changing one atom at a time. Each such formula is needed for the inconsistency, and the solver
//! need not be asked about it: of a chain of n formulas it is asked once, not n times.

use super::language::{Alpha, Store};
use super::tree::{Scratch, Trees};
use crate::stop;
use batsat::Lit;
use std::collections::HashMap;

/// The most parts of formulas that are looked at for one model; what is not found then is left to the solver.
const MAX_WORK: usize = 200_000_000;

/// What is known of a formula.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// It must hold.
    Always,
    /// It must hold if its literal counts.
    If(Lit),
    /// It may be left out; till then it must hold if its literal counts.
    Soft(Lit),
}

/// Formulas by the atoms in them.
#[derive(Default)]
pub(super) struct Rotation {
    trees: Trees,
    kinds: Vec<Kind>,
    by_lit: HashMap<Lit, usize>,
    /// For each atom the formulas that it is in.
    with_atom: Vec<Vec<u32>>,
}

impl Rotation {
    /// Adds a formula. Soft formulas with one literal say the same: the first counts.
    pub(super) fn add(&mut self, store: &Store, alpha: Alpha, kind: Kind) {
        let at = self.trees.len();
        if let Kind::Soft(lit) = kind {
            if self.by_lit.contains_key(&lit) {
                return;
            }
            self.by_lit.insert(lit, at);
        }
        self.trees.add(store, alpha);
        self.kinds.push(kind);
        self.with_atom.resize(self.trees.names().len(), Vec::new());
        for &atom in self.trees.atoms(at) {
            self.with_atom[atom as usize].push(at as u32);
        }
    }

    /// Whether the soft formula with this literal is false if the atoms have these values.
    pub(super) fn fails(&self, lit: Lit, value: impl Fn(Alpha) -> bool) -> bool {
        let value = |atom: u32| Some(value(self.trees.names()[atom as usize]));
        self.by_lit.get(&lit).is_some_and(|&at| self.trees.truth(at, &mut Scratch::default(), value) == Some(false))
    }

    /// Others of which the same is true in some model, given one in which, of the formulas that count, that of `only` alone
    /// is false. `value` says which atoms are true there, and which can be changed.
    pub(super) fn turn(
        &self,
        only: Lit,
        counts: impl Fn(Lit) -> bool,
        value: impl Fn(Alpha) -> (bool, Turns),
    ) -> Vec<Lit> {
        let Some(&start) = self.by_lit.get(&only) else { return Vec::new() };
        let (mut values, turns): (Vec<bool>, Vec<Turns>) = self.trees.names().iter().map(|&atom| value(atom)).unzip();
        let counted = |kind: &Kind| match *kind {
            Kind::Always => true,
            Kind::If(lit) | Kind::Soft(lit) => counts(lit),
        };
        let counted: Vec<bool> = self.kinds.iter().map(counted).collect();
        let mut seen = vec![false; self.trees.len()];
        let mut found = Vec::new();
        let mut walk = Walk { work: 0, scratch: Scratch::default() };
        seen[start] = true;
        // Where the walk is: a formula, the next of its atoms to change, and the atom whose change led there.
        let mut path = vec![(start, 0, None)];
        while let Some((at, next, led)) = path.last_mut() {
            let Some(&atom) = self.trees.atoms(*at).get(*next) else {
                if let Some(atom) = *led {
                    values[atom as usize] ^= true;
                }
                path.pop();
                continue;
            };
            *next += 1;
            if turns[atom as usize] == Turns::Never {
                continue;
            }
            if walk.work > MAX_WORK || stop::asked() {
                break;
            }
            values[atom as usize] ^= true;
            match self.alone(&mut walk, &values, atom, &counted).filter(|&(next, _)| !seen[next]) {
                Some((next, lit)) => {
                    seen[next] = true;
                    found.push(lit);
                    path.push((next, 0, Some(atom)));
                }
                None => values[atom as usize] ^= true,
            }
        }
        found
    }

    /// The only formula that is false after an atom has changed, if there is exactly one and it may be left out.
    fn alone(&self, walk: &mut Walk, values: &[bool], atom: u32, counted: &[bool]) -> Option<(usize, Lit)> {
        let mut wrong = None;
        for &at in &self.with_atom[atom as usize] {
            let at = at as usize;
            if !counted[at] {
                continue;
            }
            walk.work += self.trees.size(at);
            if self.trees.truth(at, &mut walk.scratch, |atom| Some(values[atom as usize])) == Some(true) {
                continue;
            }
            match self.kinds[at] {
                Kind::Soft(lit) if wrong.is_none() => wrong = Some((at, lit)),
                Kind::Always | Kind::If(_) | Kind::Soft(_) => return None,
            }
        }
        wrong
    }
}

/// Whether an atom may be changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turns {
    /// It has nothing to do with other atoms.
    Freely,
    /// Others depend on it in ways that no formula says.
    Never,
}

struct Walk {
    work: usize,
    scratch: Scratch,
}
