//! Which formulas are in some minimal inconsistent set.
//!
//! A formula is in every maximal consistent subset iff it is in no minimal inconsistent one. So the union of the
//! minimal inconsistent sets is wanted, and subsets are not enumerated for it: D grows by one minimal inconsistent set
//! at a time, found from the solver's cores, and the rest R is done when every consistent X ⊆ D is consistent with all
//! of R. (Then a minimal inconsistent set M lies inside D: else M ∩ D is consistent, and with R it would not be.) A
//! second solver proposes the X; a failure gives a new set, a success rules out every X that its model covers.

use super::sat::Sat;
use crate::stop;
use batsat::Lit;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// With so few formulas false in a first model each is tried alone before anything else: most clashes are with one
/// formula, and then nothing more is needed.
const FEW: usize = 64;

/// What clashes with something.
pub(super) struct Clashes {
    /// The literals that are in some minimal inconsistent set, each with such a set; those of one set share it.
    pub(super) found: HashMap<Lit, Arc<[Lit]>>,
    /// Whether all the others were true in the model of which `lacking` was told.
    pub(super) settled: bool,
}

/// The literals of `soft` that are in some minimal set inconsistent with `hard`. `lacking` are those that are false in
/// some model of `hard`; `more` is that of [`Sat::minimal`].
pub(super) fn clashes(
    sat: &mut Sat,
    hard: &[Lit],
    soft: &[Lit],
    mut lacking: Vec<Lit>,
    mut more: impl FnMut(&Sat, Lit, &HashSet<Lit>) -> Vec<Lit>,
) -> Clashes {
    let mut found = HashMap::new();
    lacking.sort_unstable();
    lacking.dedup();
    let mut assumed = hard.to_vec();
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
    let all: HashSet<Lit> = soft.iter().copied().collect();
    let mut guide = Sat::new();
    let mut guess: BTreeMap<Lit, Lit> = BTreeMap::new();
    while !stop::asked() && guide.solve(&[]) {
        assumed.truncate(hard.len());
        assumed.extend(soft.iter().copied().filter(|lit| match guess.get(lit) {
            Some(&taken) => guide.holds(taken),
            None => !found.contains_key(lit),
        }));
        if sat.solve(&assumed) {
            let more: Vec<Lit> = guess.iter().filter(|(lit, _)| !sat.holds(**lit)).map(|(_, &taken)| taken).collect();
            guide.clause(&more);
            continue;
        }
        let mut suspects: Vec<Lit> = assumed[hard.len()..].iter().copied().filter(|&lit| sat.in_core(lit)).collect();
        suspects.sort_unstable();
        suspects.dedup();
        let minimal = sat.minimal(hard, &suspects, |_| false, &mut more);
        if minimal.len() > 1 {
            let not_all: Vec<Lit> =
                minimal.iter().map(|&lit| !*guess.entry(lit).or_insert_with(|| guide.hopeful())).collect();
            guide.clause(&not_all);
        }
        let minimal: Arc<[Lit]> = minimal.into();
        for &lit in minimal.iter() {
            found.entry(lit).or_insert_with(|| minimal.clone());
        }
        // Nothing is left that could be in a further one.
        if found.len() == all.len() {
            break;
        }
    }
    Clashes { found, settled: false }
}
