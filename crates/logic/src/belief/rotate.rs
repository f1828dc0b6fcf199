//! Model rotation (after Belov and Marques-Silva): from a model in which one formula alone is false to models in which
//! another one alone is, by changing one atom at a time. Each such formula is needed for the inconsistency, and the solver
//! need not be asked about it: of a chain of n formulas it is asked once, not n times.

use super::language::{Alpha, Basic, Store};
use super::sat::{Sat, World};
use batsat::Lit;
use std::collections::{HashMap, HashSet};

/// The most parts of a formula that is looked at; larger ones are left to the solver.
const MAX_PARTS: usize = 2_000;

/// Formulas by the atoms in them.
#[derive(Default)]
pub(super) struct Rotation {
    /// Each formula, with its literal if it may be left out.
    formulas: Vec<(Alpha, Option<Lit>)>,
    atoms: Vec<Vec<Alpha>>,
    with_atom: HashMap<Alpha, Vec<usize>>,
    by_lit: HashMap<Lit, usize>,
    /// Some formula is too large: nothing is known of what a change does to it.
    blind: bool,
}

impl Rotation {
    /// A formula that must hold, or may be left out if it has a literal. Formulas with one literal say the same: the
    /// first counts.
    pub(super) fn add(&mut self, store: &Store, alpha: Alpha, lit: Option<Lit>) {
        let at = self.formulas.len();
        if let Some(lit) = lit {
            if self.by_lit.contains_key(&lit) {
                return;
            }
            self.by_lit.insert(lit, at);
        }
        let Some(atoms) = atoms(store, alpha) else {
            self.blind = true;
            return;
        };
        atoms.iter().for_each(|&atom| self.with_atom.entry(atom).or_default().push(at));
        self.formulas.push((alpha, lit));
        self.atoms.push(atoms);
    }

    /// After a solve that found a model in which, of the formulas that count, that of `only` alone is false: others of
    /// which the same is true in some model. `counts` says which literals are looked at; formulas without one always are.
    pub(super) fn turn(&self, store: &Store, sat: &Sat, world: &World, only: Lit, counts: &HashSet<Lit>) -> Vec<Lit> {
        let mut found = Vec::new();
        let Some(&start) = self.by_lit.get(&only).filter(|_| !self.blind) else { return found };
        let mut seen: HashSet<usize> = HashSet::from([start]);
        let mut changed: HashMap<Alpha, bool> = HashMap::new();
        let mut at = start;
        while let Some(next) = self.atoms[at].iter().find_map(|&atom| {
            let value = value(sat, world, &changed, atom)?;
            changed.insert(atom, !value);
            let next = self.alone(store, sat, world, &changed, atom, counts).filter(|next| !seen.contains(next));
            if next.is_none() {
                changed.insert(atom, value);
            }
            next
        }) {
            seen.insert(next);
            found.extend(self.formulas[next].1);
            at = next;
        }
        found
    }

    /// The only formula that is false after an atom has changed, if there is exactly one and it may be left out.
    fn alone(
        &self,
        store: &Store,
        sat: &Sat,
        world: &World,
        changed: &HashMap<Alpha, bool>,
        atom: Alpha,
        counts: &HashSet<Lit>,
    ) -> Option<usize> {
        let mut wrong = None;
        for &at in self.with_atom.get(&atom)? {
            let (alpha, lit) = self.formulas[at];
            if lit.is_some_and(|lit| !counts.contains(&lit)) || holds(store, sat, world, changed, alpha)? {
                continue;
            }
            if wrong.is_some() || lit.is_none() {
                return None;
            }
            wrong = Some(at);
        }
        wrong
    }
}

/// The atoms of a formula, those inside beliefs apart; `None` if it has too many parts.
fn atoms(store: &Store, alpha: Alpha) -> Option<Vec<Alpha>> {
    let (mut open, mut seen, mut found) = (vec![alpha], HashSet::new(), Vec::new());
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        if seen.len() > MAX_PARTS {
            return None;
        }
        match store.basic(at) {
            Basic::Not(part) => open.push(part),
            Basic::And(a, b) => open.extend([a, b]),
            Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::Machine(_) => found.push(at),
        }
    }
    Some(found)
}

fn value(sat: &Sat, world: &World, changed: &HashMap<Alpha, bool>, atom: Alpha) -> Option<bool> {
    changed.get(&atom).copied().or_else(|| world.known(atom).map(|lit| sat.holds(lit)))
}

/// Whether a formula is true in the solver's model after some atoms have changed.
fn holds(store: &Store, sat: &Sat, world: &World, changed: &HashMap<Alpha, bool>, alpha: Alpha) -> Option<bool> {
    let mut known: HashMap<Alpha, bool> = HashMap::new();
    let mut open = vec![alpha];
    while let Some(&at) = open.last() {
        let truth = match store.basic(at) {
            Basic::Not(part) => match known.get(&part) {
                Some(&truth) => !truth,
                None => {
                    open.push(part);
                    continue;
                }
            },
            Basic::And(a, b) => match (known.get(&a), known.get(&b)) {
                (Some(false), _) | (_, Some(false)) => false,
                (Some(true), Some(true)) => true,
                (None, _) => {
                    open.push(a);
                    continue;
                }
                (_, None) => {
                    open.push(b);
                    continue;
                }
            },
            Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::Machine(_) => value(sat, world, changed, at)?,
        };
        known.insert(at, truth);
        open.pop();
    }
    known.get(&alpha).copied()
}
