//! Formulas of L0 written out for evaluation: what is a step through hash maps in the [store](super::Store) is one through
//! a slice here.

use super::language::{Alpha, Basic, Store};
use std::collections::HashMap;

/// A part of a formula; parts come before what is made of them.
#[derive(Clone, Copy)]
enum Op {
    Atom(u32),
    Not(u32),
    And(u32, u32),
}

/// A formula and its atoms, each once.
struct Tree {
    ops: Box<[Op]>,
    atoms: Box<[u32]>,
}

/// Formulas over atoms that are numbered from 0. What is inside a belief is not looked at.
#[derive(Default)]
pub(super) struct Trees {
    trees: Vec<Tree>,
    names: Vec<Alpha>,
    number: HashMap<Alpha, u32>,
}

/// What is needed on the way, kept so that it is not made anew.
#[derive(Default)]
pub(super) struct Scratch {
    truths: Vec<Option<bool>>,
    demands: Vec<Option<bool>>,
}

impl Trees {
    /// Adds a formula; gives back its number.
    pub(super) fn add(&mut self, store: &Store, alpha: Alpha) -> usize {
        let mut place: HashMap<Alpha, u32> = HashMap::new();
        let (mut ops, mut atoms) = (Vec::new(), Vec::new());
        let mut open = vec![alpha];
        while let Some(&at) = open.last() {
            if place.contains_key(&at) {
                open.pop();
                continue;
            }
            let op = match store.basic(at) {
                Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::Machine(_) => {
                    let atom = self.atom(at);
                    atoms.push(atom);
                    Op::Atom(atom)
                }
                Basic::Not(part) => match place.get(&part) {
                    Some(&part) => Op::Not(part),
                    None => {
                        open.push(part);
                        continue;
                    }
                },
                Basic::And(a, b) => match (place.get(&a), place.get(&b)) {
                    (Some(&a), Some(&b)) => Op::And(a, b),
                    (first, second) => {
                        open.extend(second.is_none().then_some(b));
                        open.extend(first.is_none().then_some(a));
                        continue;
                    }
                },
            };
            place.insert(at, ops.len() as u32);
            ops.push(op);
            open.pop();
        }
        self.trees.push(Tree { ops: ops.into(), atoms: atoms.into() });
        self.trees.len() - 1
    }

    fn atom(&mut self, alpha: Alpha) -> u32 {
        *self.number.entry(alpha).or_insert_with(|| {
            self.names.push(alpha);
            self.names.len() as u32 - 1
        })
    }

    /// How many formulas there are.
    pub(super) fn len(&self) -> usize {
        self.trees.len()
    }

    /// The atoms of all formulas, by their numbers.
    pub(super) fn names(&self) -> &[Alpha] {
        &self.names
    }

    /// The atoms of a formula.
    pub(super) fn atoms(&self, tree: usize) -> &[u32] {
        &self.trees[tree].atoms
    }

    /// How much work it is to evaluate a formula.
    pub(super) fn size(&self, tree: usize) -> usize {
        self.trees[tree].ops.len()
    }

    /// The truth of a formula, as far as the values of its atoms settle it part by part.
    pub(super) fn truth(
        &self,
        tree: usize,
        scratch: &mut Scratch,
        value: impl Fn(u32) -> Option<bool>,
    ) -> Option<bool> {
        let truths = &mut scratch.truths;
        truths.clear();
        for &op in &self.trees[tree].ops {
            truths.push(match op {
                Op::Atom(atom) => value(atom),
                Op::Not(part) => truths[part as usize].map(|truth| !truth),
                Op::And(a, b) => match (truths[a as usize], truths[b as usize]) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    (None, _) | (_, None) => None,
                },
            });
        }
        truths.last().copied().flatten()
    }

    /// What the truth of a formula says of its atoms, part by part: `tell` hears each value that is forced.
    pub(super) fn forced(
        &self,
        tree: usize,
        scratch: &mut Scratch,
        value: impl Fn(u32) -> Option<bool>,
        mut tell: impl FnMut(u32, bool),
    ) {
        self.truth(tree, scratch, value);
        let Scratch { truths, demands } = scratch;
        demands.clear();
        demands.resize(truths.len(), None);
        if let Some(last) = demands.last_mut() {
            *last = Some(true);
        }
        for (at, &op) in self.trees[tree].ops.iter().enumerate().rev() {
            let Some(wanted) = demands[at] else { continue };
            match op {
                Op::Atom(atom) => tell(atom, wanted),
                Op::Not(part) => demands[part as usize] = Some(!wanted),
                Op::And(a, b) => {
                    let (a, b) = (a as usize, b as usize);
                    if wanted || truths[b] == Some(true) {
                        demands[a] = Some(wanted);
                    }
                    if wanted || truths[a] == Some(true) {
                        demands[b] = Some(wanted);
                    }
                }
            }
        }
    }

    /// The truth of a formula for all values of at most six atoms, a bit for each: `place` says which atom is which.
    pub(super) fn table(&self, tree: usize, place: impl Fn(u32) -> Result<usize, bool>) -> u64 {
        let mut tables: Vec<u64> = Vec::with_capacity(self.size(tree));
        for &op in &self.trees[tree].ops {
            tables.push(match op {
                Op::Atom(atom) => match place(atom) {
                    Ok(place) => COLUMNS[place],
                    Err(value) => {
                        if value {
                            u64::MAX
                        } else {
                            0
                        }
                    }
                },
                Op::Not(part) => !tables[part as usize],
                Op::And(a, b) => tables[a as usize] & tables[b as usize],
            });
        }
        tables.last().copied().unwrap_or(0)
    }
}

/// Where each of six atoms is true in a table.
pub(super) const COLUMNS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];
