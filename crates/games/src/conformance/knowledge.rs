//! Laws about what seats know.

use super::{Broken, Holds, random_match, require};
use crate::game::{Game, Knowledge, Seat, Verdict};
use crate::record::Match;

/// Calls `look` after each sight of each seat with the seat's knowledge and the number of events so far. `begin` makes
/// knowledge from the sight of the deal.
fn for_knowledge<G: Game, K: Knowledge<G>>(
    played: &Match<G>,
    begin: impl Fn(&G::Sight) -> K,
    mut look: impl FnMut(Seat, usize, &K) -> Holds,
) -> Holds {
    for seat in Seat::all(played.game().seats()) {
        let memory = played.memory(seat);
        let mut knowledge = begin(&memory[0]);
        look(seat, 1, &knowledge)?;
        for (i, sight) in memory.iter().enumerate().skip(1) {
            knowledge.learn(sight);
            look(seat, i + 1, &knowledge)?;
        }
    }
    Ok(())
}

/// The true world is never excluded: what a seat knows is true and what it excludes is false, where `holds` says what is
/// true of a state.
pub fn knowledge_is_true<G: Game, K: Knowledge<G>>(
    game: &G,
    seed: u64,
    begin: impl Fn(&G::Sight) -> K,
    facts: &[K::Fact],
    holds: impl Fn(&G::State, &K::Fact) -> bool,
) -> Holds {
    let law = "the true world is never excluded";
    let played = random_match(game, seed);
    for_knowledge(&played, begin, |seat, n, knowledge| {
        for (i, fact) in facts.iter().enumerate() {
            let verdict = knowledge.verdict(fact);
            let wrong = if holds(&played.states()[n - 1], fact) { Verdict::No } else { Verdict::Yes };
            require(law, seed, verdict != wrong, || {
                format!("after {n} events seat {seat} says {verdict:?} to fact {i} of the list")
            })?;
        }
        Ok(())
    })
}

/// A known fact stays known. Only for facts that do not change: those about the deal.
pub fn known_stays_known<G: Game, K: Knowledge<G>>(
    game: &G,
    seed: u64,
    begin: impl Fn(&G::Sight) -> K,
    facts: &[K::Fact],
) -> Holds {
    let law = "a known fact stays known";
    let mut before = vec![Verdict::Open; facts.len()];
    for_knowledge(&random_match(game, seed), begin, |seat, n, knowledge| {
        for (i, (fact, before)) in facts.iter().zip(&mut before).enumerate() {
            let verdict = knowledge.verdict(fact);
            let kept = n == 1 || *before == Verdict::Open || *before == verdict;
            require(law, seed, kept, || {
                format!("seat {seat} went from {before:?} to {verdict:?} on fact {i} of the list at event {n}")
            })?;
            *before = verdict;
        }
        Ok(())
    })
}

/// Two engines give the same verdict on every fact after every sight. Returns how many verdicts were compared.
pub fn engines_agree<G: Game, K: Knowledge<G>, L: Knowledge<G, Fact = K::Fact>>(
    game: &G,
    seed: u64,
    one: impl Fn(&G::Sight) -> K,
    other: impl Fn(&G::Sight) -> L,
    facts: &[K::Fact],
) -> Result<usize, Broken> {
    let law = "engines agree";
    let played = random_match(game, seed);
    let mut verdicts = Vec::new();
    for_knowledge(&played, one, |_, _, knowledge| {
        verdicts.extend(facts.iter().map(|f| knowledge.verdict(f)));
        Ok(())
    })?;
    let mut compared = 0;
    for_knowledge(&played, other, |seat, n, knowledge| {
        for (i, fact) in facts.iter().enumerate() {
            let (x, y) = (verdicts[compared], knowledge.verdict(fact));
            compared += 1;
            require(law, seed, x == y, || {
                format!("after {n} events of seat {seat} the verdicts on fact {i} of the list are {x:?} and {y:?}")
            })?;
        }
        Ok(())
    })?;
    Ok(compared)
}
