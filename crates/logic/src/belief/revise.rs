//! Belief bases, and how they change: section 4.2.

use super::clash::{Clashes, clashes};
use super::language::{Alpha, Basic, Store};
use super::rotate::Rotation;
use super::sat::{Atoms, Sat, World};
use crate::stop;
use batsat::Lit;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The machine's information Σ in three parts: the core, which nothing changes, and the mutable part, of which
/// hypotheses give way before facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Base {
    /// Σc: rules that no observation can refute.
    pub core: Vec<Alpha>,
    /// Σh: what is assumed until something speaks against it.
    pub hypothetical: Vec<Alpha>,
    /// Σf: what was observed.
    pub factual: Vec<Alpha>,
}

impl Base {
    /// Time goes on by one: every time index of the mutable part moves by one, and `now>=0` is added to the facts.
    /// By default nothing changes in the world and nobody forgets. `None` if a time is as large as times can be.
    ///
    /// A program whose base is about the present only can leave its formulas as they are and count the steps beside
    /// it: moving all times is a renaming, and neither revision nor what follows depends on names. A [`Reviser`] kept
    /// that way needs no work at an update.
    pub fn update(&self, store: &mut Store) -> Option<Base> {
        let hypothetical = store.shift_all(&self.hypothetical, 1)?;
        let mut factual = store.shift_all(&self.factual, 1)?;
        factual.push(store.now(0));
        Some(Base { core: self.core.clone(), hypothetical, factual })
    }

    /// The base after an input: see [`Reviser::revise`].
    pub fn revise(&self, store: &Store, input: &[Alpha]) -> (Base, Change) {
        let mut reviser = Reviser::new(store, self);
        let change = reviser.revise(store, input);
        let Reviser { hypothetical, factual, .. } = reviser;
        (Base { core: self.core.clone(), hypothetical: hypothetical.formulas, factual: factual.formulas }, change)
    }
}

/// Which part of the base a formula was in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The facts.
    Factual,
    /// The hypotheses.
    Hypothetical,
}

/// A formula that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The formula.
    pub formula: Alpha,
    /// Where it was.
    pub part: Part,
    /// A minimal set that cannot hold together, the core granted, with the formula in it: members of the input, and of the
    /// facts (for a hypothesis the new facts, and hypotheses). Formulas that go for the same reason share it.
    pub clash: Arc<[Alpha]>,
}

impl Dropped {
    /// What the formula cannot hold with: the others of the clash.
    pub fn because(&self) -> impl Iterator<Item = Alpha> + '_ {
        self.clash.iter().copied().filter(|&alpha| alpha != self.formula)
    }
}

/// What a revision did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The input contradicts the core: nothing was changed.
    Refused {
        /// A minimal part of the input that contradicts it; empty if the core contradicts itself.
        because: Vec<Alpha>,
    },
    /// The input is among the facts.
    Accepted {
        /// What of the input is new.
        added: Vec<Alpha>,
        /// What was given up.
        dropped: Vec<Dropped>,
    },
}

impl Change {
    /// Whether the input was accepted.
    pub fn accepted(&self) -> bool {
        matches!(self, Change::Accepted { .. })
    }
}

/// Every timed formula and every `B[m] α` is an atom that means nothing more: revision is propositional.
struct Opaque;

impl Atoms for Opaque {
    fn atom(&mut self, sat: &mut Sat, _: &Store, _: Alpha, _: Basic) -> Lit {
        sat.fresh()
    }
}

/// Formulas, each once, with their literals.
#[derive(Default)]
struct Members {
    formulas: Vec<Alpha>,
    lits: Vec<Lit>,
    known: HashSet<Alpha>,
}

impl Members {
    fn add(&mut self, alpha: Alpha, lit: Lit) -> bool {
        let new = self.known.insert(alpha);
        if new {
            self.formulas.push(alpha);
            self.lits.push(lit);
        }
        new
    }

    /// Takes out those whose literal is in `gone`, and gives them back.
    fn remove(&mut self, gone: impl Fn(Lit) -> bool) -> Vec<(Alpha, Lit)> {
        if !self.lits.iter().any(|&lit| gone(lit)) {
            return Vec::new();
        }
        let mut removed = Vec::new();
        let kept = std::mem::take(self);
        for (alpha, lit) in kept.formulas.into_iter().zip(kept.lits) {
            if gone(lit) {
                removed.push((alpha, lit));
            } else {
                self.formulas.push(alpha);
                self.lits.push(lit);
            }
        }
        self.known = kept.known;
        for (alpha, _) in &removed {
            self.known.remove(alpha);
        }
        removed
    }

    /// The literals that are false in the solver's model.
    fn lacking(&self, sat: &Sat) -> Vec<Lit> {
        self.lits.iter().copied().filter(|&lit| !sat.holds(lit)).collect()
    }

    fn named(&self, lit: Lit) -> Option<Alpha> {
        self.lits.iter().position(|&own| own == lit).map(|at| self.formulas[at])
    }
}

/// Turns models that the solver finds into others, with the core and `given` true in them; made ready when it is needed.
fn turning<'a>(
    store: &'a Store,
    world: &'a World,
    core: &'a [Alpha],
    given: &'a Members,
    soft: &'a Members,
) -> impl FnMut(&Sat, Lit, &HashSet<Lit>) -> Vec<Lit> + 'a {
    let mut rotation: Option<Rotation> = None;
    move |sat, only, counts| {
        let rotation = rotation.get_or_insert_with(|| {
            let mut rotation = Rotation::default();
            core.iter().chain(&given.formulas).for_each(|&alpha| rotation.add(store, alpha, None));
            soft.formulas.iter().zip(&soft.lits).for_each(|(&alpha, &lit)| rotation.add(store, alpha, Some(lit)));
            rotation
        });
        rotation.turn(store, sat, world, only, counts)
    }
}

/// A base that is revised again and again; the solver keeps the core and everything it has learned.
pub struct Reviser {
    sat: Sat,
    world: World,
    core: Vec<Alpha>,
    hypothetical: Members,
    factual: Members,
    /// Everything is known to be consistent with the core.
    sound: bool,
}

impl Reviser {
    /// Loads a base.
    pub fn new(store: &Store, base: &Base) -> Reviser {
        let mut reviser = Reviser {
            sat: Sat::new(),
            world: World::default(),
            core: Vec::new(),
            hypothetical: Members::default(),
            factual: Members::default(),
            sound: false,
        };
        for &alpha in &base.core {
            reviser.fix(store, alpha);
        }
        for (part, all) in [(Part::Factual, &base.factual), (Part::Hypothetical, &base.hypothetical)] {
            for &alpha in all {
                reviser.add(store, part, alpha);
            }
        }
        // The solver starts every search where the last one ended: near the base, from now on.
        let all = [&reviser.factual.lits[..], &reviser.hypothetical.lits[..]].concat();
        reviser.sound = reviser.sat.solve(&all);
        reviser
    }

    /// Adds to the core.
    pub fn fix(&mut self, store: &Store, alpha: Alpha) {
        self.sound = false;
        self.core.push(alpha);
        self.world.assert(&mut self.sat, store, &mut Opaque, &[], alpha);
    }

    /// Adds to the mutable part as it is, without revising anything; says whether it is new there.
    pub fn add(&mut self, store: &Store, part: Part, alpha: Alpha) -> bool {
        let lit = self.lit(store, alpha);
        self.sound = false;
        match part {
            Part::Factual => self.factual.add(alpha, lit),
            Part::Hypothetical => self.hypothetical.add(alpha, lit),
        }
    }

    /// The facts.
    pub fn factual(&self) -> &[Alpha] {
        &self.factual.formulas
    }

    /// The hypotheses.
    pub fn hypothetical(&self) -> &[Alpha] {
        &self.hypothetical.formulas
    }

    /// Whether the formula is among the facts or the hypotheses.
    pub fn holds(&self, alpha: Alpha) -> bool {
        self.factual.known.contains(&alpha) || self.hypothetical.known.contains(&alpha)
    }

    fn lit(&mut self, store: &Store, alpha: Alpha) -> Lit {
        self.world.lit(&mut self.sat, store, &mut Opaque, alpha)
    }

    /// Revises by an input.
    ///
    /// If the input contradicts the core nothing changes. Otherwise the new facts are those that are in every maximal
    /// subset of facts and input that contains the input and is consistent with the core; then the new hypotheses are
    /// those that are in every maximal subset of the hypotheses consistent with the core and the new facts. Formulas
    /// count as propositional here: `now>=1` and `now>=0` have nothing to do with each other.
    pub fn revise(&mut self, store: &Store, input: &[Alpha]) -> Change {
        let lits: Vec<Lit> = input.iter().map(|&alpha| self.lit(store, alpha)).collect();
        if !self.sat.solve(&lits) {
            let guilty = self.sat.minimal(&[], &lits, |_| false, |_, _, _| Vec::new());
            let because = guilty.iter().filter_map(|lit| lits.iter().position(|own| own == lit));
            return Change::Refused { because: because.map(|at| input[at]).collect() };
        }
        let mut doubtful = self.hypothetical.lacking(&self.sat);
        let lacking = self.factual.lacking(&self.sat);
        let mut given = Members::default();
        input.iter().zip(&lits).for_each(|(&alpha, &lit)| _ = given.add(alpha, lit));
        let turn = turning(store, &self.world, &self.core, &given, &self.factual);
        let Clashes { found, settled } = clashes(&mut self.sat, &lits, &self.factual.lits, lacking, turn);
        let removed = self.factual.remove(|lit| found.contains_key(&lit));
        let mut dropped = self.told(Part::Factual, &removed, &found, &given, &lits);
        let added: Vec<Alpha> =
            input.iter().zip(&lits).filter(|&(&a, &l)| self.factual.add(a, l)).map(|(&a, _)| a).collect();
        let facts = std::mem::take(&mut self.factual);
        if !settled {
            self.sat.solve(&facts.lits);
            doubtful = self.hypothetical.lacking(&self.sat);
        }
        let turn = turning(store, &self.world, &self.core, &facts, &self.hypothetical);
        let Clashes { found, .. } = clashes(&mut self.sat, &facts.lits, &self.hypothetical.lits, doubtful, turn);
        let removed = self.hypothetical.remove(|lit| found.contains_key(&lit));
        dropped.extend(self.told(Part::Hypothetical, &removed, &found, &facts, &lits));
        self.factual = facts;
        self.sound = true;
        Change::Accepted { added, dropped }
    }

    /// The formulas that go, each with what it cannot hold with: others that go, and a minimal part of `stayed`.
    fn told(
        &mut self,
        part: Part,
        removed: &[(Alpha, Lit)],
        found: &HashMap<Lit, Arc<[Lit]>>,
        stayed: &Members,
        input: &[Lit],
    ) -> Vec<Dropped> {
        let sound = self.sound;
        // Formulas with the same literal say the same: the first of them stands for all.
        let mut named: HashMap<Lit, Alpha> = HashMap::new();
        removed.iter().for_each(|&(alpha, lit)| _ = named.entry(lit).or_insert(alpha));
        let mut clashes: HashMap<*const Lit, Arc<[Alpha]>> = HashMap::new();
        let mut dropped = Vec::new();
        for &(formula, lit) in removed.iter().take_while(|_| !stop::asked()) {
            let set = &found[&lit];
            let clash = clashes.entry(set.as_ptr()).or_insert_with(|| {
                self.sat.solve(&[set, &stayed.lits[..]].concat());
                let mut suspects: Vec<Lit> = stayed.lits.iter().copied().filter(|&lit| self.sat.in_core(lit)).collect();
                suspects.sort_unstable();
                suspects.dedup();
                // Without the input everything was consistent.
                let fine = |all: &[Lit]| sound && !all.iter().any(|lit| input.contains(lit));
                let needed = self.sat.minimal(set, &suspects, fine, |_, _, _| Vec::new());
                let stayed = needed.into_iter().filter_map(|lit| stayed.named(lit));
                stayed.chain(set.iter().filter_map(|own| named.get(own).copied())).collect()
            });
            let clash = if clash.contains(&formula) {
                clash.clone()
            } else {
                // The formula itself, in the place of the one that says the same.
                let same = named.get(&lit).copied();
                clash.iter().map(|&alpha| if Some(alpha) == same { formula } else { alpha }).collect()
            };
            dropped.push(Dropped { formula, part, clash });
        }
        dropped
    }
}
