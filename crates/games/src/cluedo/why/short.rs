//! The shortest of some proofs, each from premises of which none can be left out.

use super::super::know::Knower;
use super::super::position::{Observed, Position};
use super::LUXURY;
use super::core::{minimal, smallest};
use super::ended::{Effort, GaveUp};
use super::prove::prove;
use super::rules::{Premise, Proof};
use crate::cluedo::atoms::{Atom, Fact};
use crate::dice::mix;
use crate::knowledge::proof::{LINES, check, premises_used, tidy, trim};
use crate::knowledge::{Budget, Refused};

/// A proof, or how many sentences it would have.
pub(super) enum Short {
    /// One that can be read.
    Proof(Proof),
    /// More than that.
    Long(usize),
}

/// The shortest of a few proofs, checked. All premises must entail the claim.
pub(super) fn shortest(
    position: &Position,
    premises: &[Premise],
    claim: &Fact,
    budget: &Budget,
) -> Result<Short, GaveUp> {
    let ends = premises.iter().any(|p| matches!(p, Premise::Ended(_)));
    let proof = match claim.is_about_cards() && !ends {
        true => by_entailment(position, premises, claim, budget)?,
        false => by_proving(position, premises, claim, budget)?,
    };
    if let Err(fault) = check(position, &proof, claim) {
        // A mistake in the search must not reach a person as a proof.
        debug_assert!(false, "a proof was found that does not pass: {fault}\n{proof:?}");
        return Err(GaveUp);
    }
    let lines = proof.sentences(position).len();
    Ok(if lines > LINES { Short::Long(lines) } else { Short::Proof(proof) })
}

/// The proof from just these premises.
fn attempt(position: &Position, premises: &[Premise], claim: &Fact, effort: &mut Effort) -> Result<Proof, GaveUp> {
    effort.forget();
    let mut found = prove(position, premises, claim, effort)?;
    trim(&mut found.lines, &found.same);
    let mut premises = premises_used(position, &found.lines);
    premises.sort();
    let mut proof = Proof { goal: claim.clone(), premises, lines: found.lines };
    tidy(position, &mut proof);
    Ok(proof)
}

fn length(position: &Position, proof: &Proof) -> usize {
    proof.sentences(position).len()
}

/// What is about cards and follows without ends of turns: the premises are made minimal first, by looking for deals.
fn by_entailment(position: &Position, premises: &[Premise], claim: &Fact, budget: &Budget) -> Result<Proof, GaveUp> {
    let mut best: Option<Proof> = None;
    let mut luxury = Effort::new(&LUXURY);
    for order in 0..ORDERS {
        if best.as_ref().is_some_and(|best| order >= FEW && length(position, best) <= SHORT) {
            break;
        }
        let found = match best {
            None => from_minimal(position, premises, claim, order, &mut Effort::new(budget)),
            Some(_) => from_minimal(position, premises, claim, order, &mut luxury),
        };
        best = shorter(position, best, found);
    }
    best.ok_or(GaveUp)
}

/// A proof from premises that were made minimal by looking for deals, in this order.
fn from_minimal(
    position: &Position,
    premises: &[Premise],
    claim: &Fact,
    order: u64,
    effort: &mut Effort,
) -> Result<Proof, GaveUp> {
    let mut ordered = premises.to_vec();
    ordered.sort_by_key(|p| rank(p, order));
    let mut premises = minimal(position, &ordered, claim, effort)?;
    premises.sort();
    effort.exactly = order % 2 == 1;
    attempt(position, &premises, claim, effort)
}

fn shorter(position: &Position, best: Option<Proof>, found: Result<Proof, GaveUp>) -> Option<Proof> {
    match (best, found) {
        (Some(best), Ok(proof)) if length(position, &proof) >= length(position, &best) => Some(best),
        (_, Ok(proof)) => Some(proof),
        (best, Err(GaveUp)) => best,
    }
}

/// What speaks of knowledge, or needs ends of turns: a proof is found first, and then premises are left out of it as long
/// as there is still one.
fn by_proving(position: &Position, premises: &[Premise], claim: &Fact, budget: &Budget) -> Result<Proof, GaveUp> {
    let is_end = |p: &Premise| matches!(p, Premise::Ended(_));
    let (ends, silent): (Vec<Premise>, Vec<Premise>) = premises.iter().copied().partition(is_end);
    let asked = stand_in(claim, position);
    let needed = smallest(&ends, &mut |kept| with_ends(position, kept, &asked, budget)).unwrap_or(ends);
    let all: Vec<Premise> = silent.into_iter().chain(needed).collect();
    // That somebody does not know something has a short proof or none.
    let lasts = claim.lasts(&|atom: &Atom| matches!(atom, Atom::Solved(_)));
    let most = if lasts { budget.steps } else { budget.steps.min(DENIED) };
    let mut first = attempt(position, &all, claim, &mut Effort::new(&Budget { steps: most }));
    if lasts && first.as_ref().map_or(true, |first| length(position, first) > FAIR) {
        let mut effort = Effort::new(&Budget { steps: most });
        effort.exactly = true;
        let exact = attempt(position, &all, claim, &mut effort);
        first = shorter(position, first.ok(), exact).ok_or(GaveUp);
    }
    let mut best: Option<Proof> = None;
    // The first proof from minimal premises may cost as much again, all others together too if
    // they are needed to be fair to a reader.
    let (mut again, mut luxury) = (Effort::new(budget), Effort::new(budget));
    for order in 0..ORDERS {
        let enough = if luxury.spent() < LUXURY.steps { SHORT } else { FAIR };
        if best.as_ref().is_some_and(|best| order >= FEW && length(position, best) <= enough) {
            break;
        }
        let effort = if best.is_some() { &mut luxury } else { &mut again };
        if claim.is_about_cards() {
            // What a proof uses is few enough to look for deals; without one, all must be looked at.
            let used = first.as_ref().map_or(&all, |first| if order % 2 == 0 { &first.premises } else { &all });
            best = shorter(position, best, from_minimal(position, used, claim, order, effort));
        } else if let Ok(first) = &first {
            let found = fewer(position, first, order, effort);
            // What was cut off may have premises that can be left out.
            best = shorter(position, best, if effort.is_spent() { Err(GaveUp) } else { Ok(found) });
        }
    }
    match best {
        Some(best) => Ok(best),
        None => first.map(|first| fewer(position, &first, 0, &mut Effort::new(budget))),
    }
}

/// What is asked instead of what is common knowledge, which takes long: whether somebody knows that another knows it.
fn stand_in(claim: &Fact, position: &Position) -> Fact {
    match claim {
        Fact::Common(seats, inner) => {
            let others = seats.iter().filter(|&seat| seat != position.observer()).take(2);
            others.fold((**inner).clone(), |fact, seat| fact.known_to(seat))
        }
        claim => claim.clone(),
    }
}

/// The proof with premises left out, one after the other, as long as there is another one without them.
fn fewer(position: &Position, proof: &Proof, order: u64, effort: &mut Effort) -> Proof {
    (effort.order, effort.exactly) = (order, order % 2 == 1);
    let again = attempt(position, &proof.premises, &proof.goal, effort);
    let mut proof = again.unwrap_or_else(|GaveUp| proof.clone());
    let mut rest = proof.premises.clone();
    rest.sort_by_key(|p| rank(p, order));
    for premise in rest.into_iter().rev() {
        let fewer: Vec<Premise> = proof.premises.iter().copied().filter(|p| *p != premise).collect();
        if fewer.len() < proof.premises.len()
            && let Ok(shorter) = attempt(position, &fewer, &proof.goal, effort)
        {
            proof = shorter;
        }
    }
    proof
}

/// What a proof may cost that somebody does not know something.
const DENIED: u64 = 20_000;

/// Whether the claim is known with these ends of turns and everything else.
fn with_ends(position: &Position, ends: &[Premise], claim: &Fact, budget: &Budget) -> Result<bool, GaveUp> {
    let kept = |event: usize| {
        let is_end = matches!(position.events()[event], Observed::Endmove { .. });
        !is_end || ends.contains(&Premise::Ended(event))
    };
    let events = (0..position.events().len()).filter(|&e| kept(e)).map(|e| position.events()[e]).collect();
    match Knower::new(&position.with_events(events)).ask(claim, budget) {
        Ok(answer) => Ok(answer.known()),
        Err(Refused::NoWorld) => Ok(true),
        Err(Refused::Limit | Refused::Unfit(_)) => Err(GaveUp),
    }
}

/// How many orders of the premises are tried at most: what comes first is kept rather than what comes last.
const ORDERS: u64 = 8;

/// How many of them are tried though the proof is short.
const FEW: u64 = 2;

/// A proof of so few sentences need not be shorter.
const SHORT: usize = 6;

/// A proof of so few sentences is fair to a reader: for a shorter one no more is spent than for a luxury.
const FAIR: usize = 24;

/// Which premises are kept rather than others: what was seen before what must be counted, the other way round, those of
/// early events or of late ones, and then at random.
pub(super) fn rank(premise: &Premise, order: u64) -> (u64, u64) {
    let kind = match premise {
        Premise::Right(_) | Premise::Saw(_) => 0,
        Premise::Hand => 1,
        Premise::Shown(_) => 2,
        Premise::Pass(..) => 3,
        Premise::Category(_) => 4,
        Premise::Wrong(_) => 5,
        Premise::Show(_) => 6,
        Premise::Size(_) => 7,
        Premise::Ended(_) => 8,
    };
    let event = premise.event().map_or(0, |event| event as u64 + 1);
    match order {
        0 => (kind, event),
        1 => (if (4..=7).contains(&kind) { 11 - kind } else { kind }, event),
        2 => (event, kind),
        3 => (u64::MAX - event, kind),
        _ => (mix(order, kind * 1_000 + event), 0),
    }
}
