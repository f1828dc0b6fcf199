//! Which formulas are in some minimal inconsistent set.
//!
//! A formula is in every maximal consistent subset iff it is in no minimal inconsistent one. So the union of the
//! minimal inconsistent sets is wanted, and subsets are not enumerated for it. The question is [taken apart](super::split);
//! then, part by part, D grows by one minimal inconsistent set at a time, found from the solver's cores, and the rest R is
//! done when every consistent X ⊆ D is consistent with all of R. (Then a minimal inconsistent set M lies inside D: else
//! M ∩ D is consistent, and with R it would not be.) A second solver, the guide, knows the formulas too and proposes the X
//! that one of its models makes true, so that X is consistent: a failure gives a set with something new, so there are no
//! more failures than formulas. A success rules out every X that its model covers; of those there can be exponentially
//! many in the worst case.

use super::language::{Alpha, Basic, Store};
use super::rotate::{Kind, Rotation};
use super::sat::{Atoms, Sat, World};
use super::split::{Part, split};
use crate::stop;
use batsat::Lit;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// With so few formulas false in a first model each is tried alone before anything else: most clashes are with one
/// formula, and then nothing more is needed.
const FEW: usize = 64;

/// Every timed formula and every `B[m] α` is an atom that means nothing more: revision is propositional.
pub(super) struct Opaque;

impl Atoms for Opaque {
    fn atom(&mut self, sat: &mut Sat, _: &Store, _: Alpha, _: Basic) -> Lit {
        sat.fresh()
    }
}

/// Formulas with their literals.
#[derive(Clone, Copy)]
pub(super) struct Named<'a> {
    pub(super) formulas: &'a [Alpha],
    pub(super) lits: &'a [Lit],
}

/// What clashes with something.
pub(super) struct Clashes {
    /// The literals that are in some minimal inconsistent set, each with such a set; those of one set share it.
    pub(super) found: HashMap<Lit, Arc<[Lit]>>,
    /// Whether all the others were true in the model of which `lacking` was told.
    pub(super) settled: bool,
}

/// The literals of `soft` that are in some minimal set inconsistent with `core` and `given`. The solver has the core;
/// `lacking` are the soft ones that are false in some model of core and given.
pub(super) fn clashes(
    sat: &mut Sat,
    store: &Store,
    core: &[Alpha],
    given: Named<'_>,
    soft: Named<'_>,
    mut lacking: Vec<Lit>,
) -> Clashes {
    let mut found: HashMap<Lit, Arc<[Lit]>> = HashMap::new();
    lacking.sort_unstable();
    lacking.dedup();
    let mut assumed = given.lits.to_vec();
    if lacking.len() <= FEW {
        lacking.retain(|&lit| {
            assumed.insert(0, lit);
            let possible = sat.solve(&assumed);
            assumed.remove(0);
            if !possible {
                found.insert(lit, Arc::from([lit]));
            }
            possible
        });
    }
    if lacking.is_empty() {
        return Clashes { found, settled: true };
    }
    // Formulas with one literal say the same: the first counts.
    let mut met: HashSet<Lit> = found.keys().copied().collect();
    let (formulas, lits): (Vec<Alpha>, Vec<Lit>) =
        soft.formulas.iter().zip(soft.lits).filter(|&(_, &lit)| met.insert(lit)).unzip();
    let apart = split(store, &[core, given.formulas].concat(), &formulas);
    found.extend(apart.excluded.iter().map(|&at| (lits[at], Arc::from([lits[at]]))));
    let mut world = World::default();
    for part in &apart.parts {
        // All of it is true in one model, unless something is lacking.
        if part.soft.iter().any(|&at| lacking.binary_search(&lits[at]).is_ok()) {
            Search::new(store, part, &formulas, &mut world).run(|set| {
                let set: Arc<[Lit]> = set.iter().map(|&at| lits[at]).collect();
                for &lit in set.iter() {
                    found.entry(lit).or_insert_with(|| set.clone());
                }
            });
        }
        if stop::asked() {
            break;
        }
    }
    Clashes { found, settled: false }
}

/// The search in one part, with solvers of its own.
struct Search<'a> {
    store: &'a Store,
    part: &'a Part,
    formulas: &'a [Alpha],
    world: &'a mut World,
    probe: Sat,
    /// The literals of the soft formulas, each once.
    lits: Vec<Lit>,
    /// Whose literal it is. A solver may give two formulas one literal that another tells apart.
    owners: HashMap<Lit, Vec<usize>>,
}

impl<'a> Search<'a> {
    fn new(store: &'a Store, part: &'a Part, formulas: &'a [Alpha], world: &'a mut World) -> Search<'a> {
        let (probe, mut lits) = encode(store, part, formulas, world);
        let mut owners: HashMap<Lit, Vec<usize>> = HashMap::new();
        lits.iter().zip(&part.soft).for_each(|(&lit, &owner)| owners.entry(lit).or_default().push(owner));
        let mut met = HashSet::new();
        lits.retain(|&lit| met.insert(lit));
        Search { store, part, formulas, world, probe, lits, owners }
    }

    /// Tells minimal inconsistent sets until every formula that is in one has been in one told.
    fn run(mut self, mut tell: impl FnMut(&[usize])) {
        let all = self.lits.clone();
        if self.probe.solve(&all) {
            return;
        }
        let mut rotation = None;
        let mut known: HashSet<Lit> = HashSet::new();
        let set = self.minimal(&all, &mut rotation);
        self.told(&set, &mut tell);
        known.extend(set);
        if known.len() == all.len() || stop::asked() {
            return;
        }
        // Numbered as in the probe. What it tries first is near all of them.
        let (mut guide, _) = encode(self.store, self.part, self.formulas, self.world);
        guide.solve(&all);
        let mut said = usize::MAX;
        while !stop::asked() && known.len() < all.len() {
            // A model of X that satisfies R would settle X. Said again when it says much more.
            let left = all.len() - known.len();
            if left <= said / 2 {
                said = left;
                let some: Vec<Lit> = all.iter().filter(|lit| !known.contains(lit)).map(|&lit| !lit).collect();
                guide.clause(&some);
            }
            if !guide.solve(&[]) {
                break;
            }
            let with = |lit: &Lit| !known.contains(lit) || guide.holds(*lit);
            let assumed: Vec<Lit> = all.iter().copied().filter(with).collect();
            if self.probe.solve(&assumed) {
                let missed = |lit: &Lit| known.contains(lit) && !self.probe.holds(*lit);
                let more: Vec<Lit> = all.iter().copied().filter(missed).collect();
                guide.clause(&more);
                continue;
            }
            let set = self.minimal(&assumed, &mut rotation);
            self.told(&set, &mut tell);
            known.extend(set);
        }
    }

    /// Tells a set by the places of its formulas, and those sets in which one stands for another of the same literal.
    fn told(&self, set: &[Lit], tell: &mut impl FnMut(&[usize])) {
        let mut places: Vec<usize> = set.iter().map(|lit| self.owners[lit][0]).collect();
        tell(&places);
        for (i, lit) in set.iter().enumerate() {
            for &twin in &self.owners[lit][1..] {
                let first = std::mem::replace(&mut places[i], twin);
                tell(&places);
                places[i] = first;
            }
        }
    }

    /// A minimal inconsistent set of these, which the probe has just refuted.
    fn minimal(&mut self, assumed: &[Lit], rotation: &mut Option<Rotation>) -> Vec<Lit> {
        let suspects: Vec<Lit> = assumed.iter().copied().filter(|&lit| self.probe.in_core(lit)).collect();
        let Search { store, part, formulas, world, probe, lits, owners } = self;
        let turn = |sat: &Sat, only: Lit, counts: &HashSet<Lit>| {
            let rotation = rotation.get_or_insert_with(|| {
                let mut rotation = Rotation::default();
                part.hard.iter().for_each(|&alpha| rotation.add(store, alpha, Kind::Always));
                lits.iter().for_each(|&lit| rotation.add(store, formulas[owners[&lit][0]], Kind::Soft(lit)));
                rotation
            });
            rotation.turn(only, |lit| counts.contains(&lit), |atom| sat.atom(world.known(atom)))
        };
        probe.minimal(&[], &suspects, |_| false, turn)
    }
}

/// A solver that has the hard formulas of a part and what is forced, and the literals of the soft ones. It numbers them in
/// the same way each time.
fn encode(store: &Store, part: &Part, formulas: &[Alpha], world: &mut World) -> (Sat, Vec<Lit>) {
    world.clear();
    let mut sat = Sat::new();
    for &(atom, to) in &part.forced {
        let lit = world.lit(&mut sat, store, &mut Opaque, atom);
        sat.clause(&[if to { lit } else { !lit }]);
    }
    for &alpha in &part.hard {
        world.assert(&mut sat, store, &mut Opaque, &[], alpha);
    }
    let lits = part.soft.iter().map(|&at| world.lit(&mut sat, store, &mut Opaque, formulas[at])).collect();
    (sat, lits)
}
