//! Why something is known: proofs that a person can follow, their checker, and positions that cannot be.
//!
//! | file | one line |
//! |---|---|
//! | `proof` | premises, rules and steps |
//! | `search` | whether some deal fits, exactly |
//! | `ended` | the same after announced endmoves |
//! | `core` | minimal premises, smallest clashes |
//! | `propagate` | what follows without cases, with reasons |
//! | `prove` | the search for a short proof |
//! | `check` | the independent checker |
//! | `words` | proofs as sentences and as data |
//!
//! ```
//! use ken_games::cluedo::{read, why::{self, Answer}};
//! use ken_games::knowledge::{self, Budget};
//! let text = r#"{"hand_sizes": [3,3,3,3,3,3], "observer": 0, "hand": ["plum","rope","hall"],
//!     "events": [{"ask": 1, "cards": ["green","rope","study"], "passed": [], "shown_by": 2},
//!                {"ask": 3, "cards": ["green","wrench","hall"], "passed": [4,5], "shown_by": 0, "shown": "hall"},
//!                {"ask": 1, "cards": ["green","dagger","lounge"], "passed": [2], "shown_by": 3}]}"#;
//! let position = read::position(text).unwrap();
//! let claim = knowledge::read(&position, "holds(2,study)").unwrap();
//! let Answer::Known(proof) = why::why(&position, &claim, &Budget::default()) else { panic!("it is known") };
//! assert_eq!(proof.words(&position), "\
//! 1. Seat 2 does not hold green (event 3: it passed on green, dagger and lounge).
//! 2. You hold rope (your hand).
//! 3. Seat 2 does not hold rope (by 2: a card is at one place).
//! 4. Seat 2 holds study (event 1: it showed green, rope or study; by 1 and 3).
//! ");
//! ```

mod check;
mod core;
mod ended;
mod proof;
mod propagate;
mod prove;
mod search;
mod words;

#[cfg(test)]
mod tests;

pub use super::atoms::{Fact, Place};
pub use check::{Fault, check};
pub use proof::{Case, Finding, Group, Insight, Knew, Premise, Proof, Rule, Split, Step};
pub use words::Sentence;

use super::know::Knower;
use super::position::{Position, World};
use crate::knowledge::{Budget, Refused};
use ended::{Effort, GaveUp, Standpoint};

/// Whether a claim is known, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is known to be true.
    Known(Proof),
    /// It is known to be false: a proof of its negation.
    Refuted(Proof),
    /// Both are possible: two deals that fit everything seen, near each other if that is easy.
    Open {
        /// One in which it is true.
        yes: World,
        /// One in which it is false.
        no: World,
    },
    /// Nothing fits what was seen.
    Clash(Clash),
    /// It is beyond the budget to find out, or to find a proof.
    Unproved,
}

/// A position that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The events that clash, in order, counted from 0; none of them can be left out.
    pub events: Vec<usize>,
    /// Whether no smaller set of events clashes.
    pub smallest: bool,
    /// A proof of `false`; none if it is beyond the budget to find one.
    pub proof: Option<Proof>,
}

/// Whether the observer knows the claim, and why. Every proof returned has passed [`check`].
///
/// Whether the position can be at all is not decided here but by [`Knower::possible`], as everywhere: where `solve` and
/// `know` find nothing that fits, nothing is proved. What is known, refuted or open agrees with [`Knower::ask`]. The
/// budget counts for each of the searches that it takes: for a world, for the verdict, for each of a few proofs. There are
/// proofs for what is about cards: of what others know, [`Knower::ask`] tells whether it is known.
pub fn why(position: &Position, claim: &Fact, budget: &Budget) -> Answer {
    let mut knower = Knower::new(position);
    match knower.possible(budget) {
        Ok(()) if !claim.is_about_cards() => Answer::Unproved,
        Ok(()) => answer(position, claim, &mut knower, budget).unwrap_or(Answer::Unproved),
        Err(Refused::NoWorld) => match contradiction(position, budget) {
            Ok(clash) => Answer::Clash(clash),
            Err(GaveUp) => Answer::Unproved,
        },
        Err(Refused::Limit | Refused::Unfit(_)) => Answer::Unproved,
    }
}

/// The same in a position that can be.
fn answer(position: &Position, claim: &Fact, knower: &mut Knower, budget: &Budget) -> Result<Answer, GaveUp> {
    let premises = search::premises(position);
    let silent: Vec<Premise> = premises.iter().copied().filter(|p| !matches!(p, Premise::Ended(_))).collect();
    let negation = claim.clone().negated();
    // What follows without the endmoves is found without asking what others knew.
    let mut effort = Effort::new(budget);
    let all = Standpoint::top(position, &silent, &mut effort);
    let Some(no) = all.find(claim, None, &mut effort)? else {
        return Ok(Answer::Known(shortest(position, &silent, claim, budget)?));
    };
    let Some(yes) = all.find(&negation, Some(&no.deal), &mut effort)? else {
        return Ok(Answer::Refuted(shortest(position, &silent, &negation, budget)?));
    };
    if silent.len() == premises.len() {
        return Ok(Answer::Open { yes, no });
    }
    let found = knower.ask(claim, budget).map_err(|_| GaveUp)?;
    match (found.witness, found.counterexample) {
        (_, None) => Ok(Answer::Known(shortest(position, &premises, claim, budget)?)),
        (None, Some(_)) => Ok(Answer::Refuted(shortest(position, &premises, &negation, budget)?)),
        (Some(yes), Some(no)) => Ok(near(position, &premises, claim, &no)
            .map_or(Answer::Open { yes, no }, |(yes, no)| Answer::Open { yes, no })),
    }
}

/// What a luxury may cost: a second proof that may be shorter, two deals that are nearer to each other.
const LUXURY: Budget = Budget { steps: 200_000 };

/// Two worlds near each other, one in which the claim is true and one in which it is false, if they are found soon.
fn near(position: &Position, premises: &[Premise], claim: &Fact, no: &World) -> Option<(World, World)> {
    let mut effort = Effort::new(&LUXURY);
    let all = Standpoint::top(position, premises, &mut effort);
    let no = all.find(claim, Some(&no.deal), &mut effort).ok()??;
    let yes = all.find(&claim.clone().negated(), Some(&no.deal), &mut effort).ok()??;
    Some((yes, no))
}

/// Why nothing fits the position, if nothing does; `Err` if that is beyond the budget.
pub fn clash(position: &Position, budget: &Budget) -> Result<Option<Clash>, Unproved> {
    match Knower::new(position).possible(budget) {
        Ok(()) => Ok(None),
        Err(Refused::NoWorld) => contradiction(position, budget).map(Some).map_err(|GaveUp| Unproved),
        Err(Refused::Limit | Refused::Unfit(_)) => Err(Unproved),
    }
}

/// It is beyond the budget to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproved;

/// The clash of a position that cannot be: of the events without the ends of turns, if those clash by themselves.
fn contradiction(position: &Position, budget: &Budget) -> Result<Clash, GaveUp> {
    let premises = search::premises(position);
    let silent: Vec<Premise> = premises.iter().copied().filter(|p| !matches!(p, Premise::Ended(_))).collect();
    let mut effort = Effort::new(budget);
    let quiet = Standpoint::top(position, &silent, &mut effort).find(&Fact::Const(false), None, &mut effort)?;
    let all = if quiet.is_none() { silent } else { premises };
    let (mut events, smallest) = match core::clashing(position, &all, &mut effort) {
        Ok(found) => found,
        Err(GaveUp) => (clashing(position, budget)?, false),
    };
    events.sort_unstable();
    let those = |p: &Premise| p.event().is_none_or(|e| events.contains(&e));
    let premises: Vec<Premise> = all.iter().copied().filter(those).collect();
    let proof = shortest(position, &premises, &Fact::Const(false), budget).ok();
    Ok(Clash { events, smallest, proof })
}

/// Events that clash by themselves, none of which can be left out, by leaving out one after the other.
fn clashing(position: &Position, budget: &Budget) -> Result<Vec<usize>, GaveUp> {
    let mut events: Vec<usize> = (0..position.events().len()).collect();
    for e in (0..position.events().len()).rev() {
        let without: Vec<usize> = events.iter().copied().filter(|&other| other != e).collect();
        let rest = position.with_events(without.iter().map(|&e| position.events()[e]).collect());
        match Knower::new(&rest).possible(budget) {
            Ok(()) => {}
            Err(Refused::NoWorld) => events = without,
            Err(Refused::Limit | Refused::Unfit(_)) => return Err(GaveUp),
        }
    }
    Ok(events)
}

/// The shorter of a few proofs, each from minimal premises.
fn shortest(position: &Position, premises: &[Premise], claim: &Fact, budget: &Budget) -> Result<Proof, GaveUp> {
    let mut best: Option<Proof> = None;
    for order in ORDERS {
        let mut ordered = premises.to_vec();
        ordered.sort_by_key(|p| order[kind(p)]);
        let allowed = if best.is_some() { budget.steps.min(LUXURY.steps) } else { budget.steps };
        let mut effort = Effort::new(&Budget { steps: allowed });
        let found = core::minimal(position, &ordered, claim, &mut effort).and_then(|mut premises| {
            premises.sort();
            let steps = prove::prove(position, &premises, &[], claim, &mut effort)?;
            Ok(Proof { claim: claim.clone(), premises, steps })
        });
        match found {
            Ok(proof) if best.as_ref().is_none_or(|b| proof.len() < b.len()) => best = Some(proof),
            Ok(_) | Err(GaveUp) => {}
        }
    }
    let proof = best.ok_or(GaveUp)?;
    match check(position, &proof, claim) {
        Ok(()) => Ok(proof),
        Err(fault) => {
            // A mistake in the search must not reach a person as a proof.
            debug_assert!(false, "a proof was found that does not pass: {fault}");
            Err(GaveUp)
        }
    }
}

/// Which premises are kept rather than others, by their kind: what was seen before what must be counted, and the other
/// way round.
const ORDERS: [[u8; 9]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 3, 7, 6, 5, 4, 8]];

fn kind(premise: &Premise) -> usize {
    match premise {
        Premise::Right(_) | Premise::Saw(_) => 0,
        Premise::Hand => 1,
        Premise::Shown(_) => 2,
        Premise::Pass(..) => 3,
        Premise::Category(_) => 4,
        Premise::Wrong(_) => 5,
        Premise::Show(_) => 6,
        Premise::Size(_) => 7,
        Premise::Ended(_) => 8,
    }
}
