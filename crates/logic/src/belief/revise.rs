//! Belief bases, and how they change: section 4.2.

use super::clash::{Clashes, Named, Opaque, clashes};
use super::language::{Alpha, Store};
use super::rotate::{Kind, Rotation};
use super::sat::{Sat, World};
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

    /// The base after an input: see [`Reviser::revise`], which also tells the reasons.
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

/// A formula that was given up. Why is asked of the reviser: [`Reviser::because`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The formula.
    pub formula: Alpha,
    /// Where it was.
    pub part: Part,
    /// Formulas of its part, itself among them, that cannot all be kept, while all but any one could: a minimal set.
    /// Formulas that go for the same reason share it.
    pub clash: Arc<[Alpha]>,
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

    fn named(&self) -> Named<'_> {
        Named { formulas: &self.formulas, lits: &self.lits }
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
    last: Last,
}

/// Formulas that go together, and those with which they cannot hold.
type Reasons = (Arc<[Alpha]>, Arc<[Alpha]>);

/// What the reasons of the last revision are made of.
#[derive(Default)]
struct Last {
    input: Vec<Alpha>,
    /// Whether everything was consistent with the core before the input came.
    sound: bool,
    /// What was found out already: for formulas that go together, by where their set lies, with what else they cannot hold.
    reasons: HashMap<usize, Reasons>,
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
            last: Last::default(),
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
        self.last = Last { input: input.to_vec(), sound: self.sound, reasons: HashMap::new() };
        let mut doubtful = self.hypothetical.lacking(&self.sat);
        let lacking = self.factual.lacking(&self.sat);
        let (sat, core) = (&mut self.sat, &self.core);
        let given = Named { formulas: input, lits: &lits };
        let Clashes { found, settled } = clashes(sat, store, core, given, self.factual.named(), lacking);
        let mut dropped = told(Part::Factual, &self.factual.remove(|lit| found.contains_key(&lit)), &found);
        let new = |&(&alpha, &lit): &(&Alpha, &Lit)| self.factual.add(alpha, lit);
        let added: Vec<Alpha> = input.iter().zip(&lits).filter(new).map(|(&alpha, _)| alpha).collect();
        let facts = self.factual.named();
        if !settled {
            sat.solve(facts.lits);
            doubtful = self.hypothetical.lacking(sat);
        }
        let Clashes { found, .. } = clashes(sat, store, core, facts, self.hypothetical.named(), doubtful);
        let removed = self.hypothetical.remove(|lit| found.contains_key(&lit));
        dropped.extend(told(Part::Hypothetical, &removed, &found));
        self.sound = true;
        Change::Accepted { added, dropped }
    }

    /// What a formula that the last revision gave up cannot hold with: with it, a minimal set that is inconsistent, the core
    /// granted. Its members are of the input and of the old facts; for a hypothesis, of the new facts and the old hypotheses.
    ///
    /// Of `dropped`, only what the last revision gave up can be asked about. Formulas that go together are looked into once.
    pub fn because(&mut self, store: &Store, dropped: &Dropped) -> Vec<Alpha> {
        let set = &dropped.clash;
        let place = set.as_ptr() as usize;
        let given = match self.last.reasons.get(&place) {
            Some((_, given)) => given.clone(),
            None => {
                let given: Arc<[Alpha]> = self.granted(store, dropped).into();
                self.last.reasons.insert(place, (set.clone(), given.clone()));
                given
            }
        };
        given.iter().chain(set.iter()).copied().filter(|&alpha| alpha != dropped.formula).collect()
    }

    /// A minimal part of the input, for a hypothesis of the facts, that excludes the formulas that go together.
    fn granted(&mut self, store: &Store, dropped: &Dropped) -> Vec<Alpha> {
        let set: Vec<Lit> = dropped.clash.iter().map(|&alpha| self.lit(store, alpha)).collect();
        let input: Vec<Lit> = self.last.input.clone().iter().map(|&alpha| self.lit(store, alpha)).collect();
        let (formulas, lits) = match dropped.part {
            Part::Factual => (&self.last.input, &input),
            Part::Hypothetical => (&self.factual.formulas, &self.factual.lits),
        };
        // Formulas with one literal say the same: the first counts.
        let mut names: HashMap<Lit, Alpha> = HashMap::new();
        lits.iter().zip(formulas).for_each(|(&lit, &alpha)| _ = names.entry(lit).or_insert(alpha));
        self.sat.solve(&[&set, &lits[..]].concat());
        let mut suspects: Vec<Lit> = lits.iter().copied().filter(|&lit| self.sat.in_core(lit)).collect();
        suspects.sort_unstable();
        suspects.dedup();
        // Without the input everything was consistent.
        let (sound, input): (bool, HashSet<Lit>) = (self.last.sound, input.into_iter().collect());
        let fine = |all: &[Lit]| sound && !all.iter().any(|lit| input.contains(lit));
        let (core, world) = (&self.core, &self.world);
        let mut rotation: Option<Rotation> = None;
        let turn = |sat: &Sat, only: Lit, counts: &HashSet<Lit>| {
            let rotation = rotation.get_or_insert_with(|| {
                let mut rotation = Rotation::default();
                let fixed = core.iter().chain(dropped.clash.iter());
                fixed.for_each(|&alpha| rotation.add(store, alpha, Kind::Always));
                suspects.iter().for_each(|lit| rotation.add(store, names[lit], Kind::Soft(*lit)));
                rotation
            });
            rotation.turn(only, |lit| counts.contains(&lit), |atom| sat.atom(world.known(atom)))
        };
        self.sat.minimal(&set, &suspects, fine, turn).iter().map(|lit| names[lit]).collect()
    }
}

/// The formulas that go, each with others of its part that go with it.
fn told(part: Part, removed: &[(Alpha, Lit)], found: &HashMap<Lit, Arc<[Lit]>>) -> Vec<Dropped> {
    // Formulas with the same literal say the same: the first of them stands for all.
    let mut named: HashMap<Lit, Alpha> = HashMap::new();
    removed.iter().for_each(|&(alpha, lit)| _ = named.entry(lit).or_insert(alpha));
    let mut clashes: HashMap<*const Lit, Arc<[Alpha]>> = HashMap::new();
    let mut dropped = Vec::new();
    for &(formula, lit) in removed {
        let set = &found[&lit];
        let clash = clashes
            .entry(set.as_ptr())
            .or_insert_with(|| set.iter().filter_map(|own| named.get(own).copied()).collect())
            .clone();
        let first = named[&lit];
        // The formula itself, in the place of the one that says the same.
        let own = |&alpha: &Alpha| if alpha == first { formula } else { alpha };
        let clash = if formula == first { clash } else { clash.iter().map(own).collect() };
        dropped.push(Dropped { formula, part, clash });
    }
    dropped
}
