//! Small sets of premises: a minimal one that entails a claim, and a smallest set of events that clash.

use super::super::position::Position;
use super::ended::{Effort, GaveUp, Standpoint};
use super::rules::Premise;
use crate::cluedo::atoms::Fact;

/// Whether the premises entail the claim.
fn entail(position: &Position, premises: &[Premise], claim: &Fact, effort: &mut Effort) -> Result<bool, GaveUp> {
    Ok(Standpoint::top(position, premises, effort).find(claim, None, effort)?.is_none())
}

/// A minimal set of the premises that entails the claim: none of it can be left out. Premises that come first are kept
/// rather than those that come later. All of them must entail it.
pub(super) fn minimal(
    position: &Position,
    premises: &[Premise],
    claim: &Fact,
    effort: &mut Effort,
) -> Result<Vec<Premise>, GaveUp> {
    smallest(premises, &mut |kept| entail(position, kept, claim, effort))
}

/// A minimal part of the premises that suffices; all of them do. Those that come first are kept rather than others.
pub(super) fn smallest<T: Copy>(
    premises: &[T],
    suffices: &mut dyn FnMut(&[T]) -> Result<bool, GaveUp>,
) -> Result<Vec<T>, GaveUp> {
    let mut kept = Vec::new();
    if !premises.is_empty() && !suffices(&kept)? {
        halve(&mut kept, false, premises, suffices)?;
    }
    Ok(kept)
}

/// Adds to `kept` what it takes of the premises to suffice (the divide and conquer of Junker's QuickXplain).
/// Unless `kept` has just `grown`, it is known not to suffice alone.
fn halve<T: Copy>(
    kept: &mut Vec<T>,
    grown: bool,
    premises: &[T],
    suffices: &mut dyn FnMut(&[T]) -> Result<bool, GaveUp>,
) -> Result<(), GaveUp> {
    if grown && suffices(kept)? {
        return Ok(());
    }
    if let [one] = premises {
        kept.push(*one);
        return Ok(());
    }
    let (first, second) = premises.split_at(premises.len() / 2);
    // What the second half needs beyond the first, then what the first needs beyond that.
    let before = kept.len();
    kept.extend(first);
    halve(kept, true, second, suffices)?;
    let from_second = kept.split_off(before + first.len());
    kept.truncate(before);
    let grown = !from_second.is_empty();
    let middle = kept.len();
    kept.extend(&from_second);
    halve(kept, grown, first, suffices)?;
    // The order of the premises is kept: those of the first half come first.
    let from_first = kept.split_off(middle + from_second.len());
    kept.truncate(middle);
    kept.extend(from_first);
    kept.extend(from_second);
    Ok(())
}

/// How many sets of events are tried before a minimal one must do.
const ROUNDS: usize = 400;

/// Events that clash, and whether no smaller set of events does. `rules` are the premises that are no events.
pub(super) fn clashing(
    position: &Position,
    premises: &[Premise],
    effort: &mut Effort,
) -> Result<(Vec<usize>, bool), GaveUp> {
    let nothing = Fact::Const(false);
    let rules: Vec<Premise> = premises.iter().copied().filter(|p| p.event().is_none()).collect();
    let all: Vec<usize> = {
        let mut events: Vec<usize> = premises.iter().filter_map(|p| p.event()).collect();
        events.dedup();
        events
    };
    let parts = |events: &[usize]| -> Vec<Premise> {
        let those = premises.iter().copied().filter(|p| p.event().is_some_and(|e| events.contains(&e)));
        rules.iter().copied().chain(those).collect()
    };
    // A set of events clashes only if it hits every set whose absence leaves the rest without a clash. So a smallest
    // hitting set of those found so far is a lower bound, and the answer once it clashes.
    let mut to_hit: Vec<Vec<usize>> = Vec::new();
    for _ in 0..ROUNDS {
        let Some(hit) = smallest_hit(&to_hit, &all) else { break };
        if entail(position, &parts(&hit), &nothing, effort)? {
            return Ok((hit, true));
        }
        let mut grown = hit;
        for &event in &all {
            if !grown.contains(&event) {
                grown.push(event);
                if entail(position, &parts(&grown), &nothing, effort)? {
                    grown.pop();
                }
            }
        }
        to_hit.push(all.iter().copied().filter(|e| !grown.contains(e)).collect());
    }
    let mut left = all;
    let mut i = 0;
    while i < left.len() {
        let event = left.remove(i);
        if !entail(position, &parts(&left), &nothing, effort)? {
            left.insert(i, event);
            i += 1;
        }
    }
    Ok((left, false))
}

/// The most events of a smallest clash that are looked for.
const MOST: usize = 6;

fn smallest_hit(to_hit: &[Vec<usize>], all: &[usize]) -> Option<Vec<usize>> {
    (0..=MOST.min(all.len())).find_map(|size| hit(to_hit, size, &mut Vec::new()))
}

fn hit(to_hit: &[Vec<usize>], size: usize, chosen: &mut Vec<usize>) -> Option<Vec<usize>> {
    let Some(missed) = to_hit.iter().find(|set| !set.iter().any(|e| chosen.contains(e))) else {
        return Some(chosen.clone());
    };
    if size == 0 {
        return None;
    }
    for &event in missed {
        chosen.push(event);
        let found = hit(to_hit, size - 1, chosen);
        chosen.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}
