//! Why something is known: proofs that a person can follow, their checker, and positions that cannot be.
//!
//! | file | one line |
//! |---|---|
//! | `rules` | premises and rules, and what they say: the side of the checker |
//! | `words` | how they are said |
//! | `search` | whether some deal fits, exactly |
//! | `ended` | the same after announced endmoves |
//! | `lemma` | what the ends of turns say, with proofs |
//! | `core` | minimal premises, smallest clashes |
//! | `propagate` | what follows without cases, with reasons |
//! | `prove` | the search for a proof from given premises |
//! | `minds` | what somebody knows, by looking through their eyes |
//! | `emit` | the lines of what it found |
//! | `short` | the shortest of some proofs, each from premises of which none can be left out |
//!
//! The format of proofs, their checker and their sentences are those of all games: [`crate::knowledge::proof`].
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
//! 3. Seat 2 holds study (event 1: it showed green, rope or study; by 1 and 2).
//! ");
//! ```

mod core;
mod emit;
mod ended;
mod lemma;
mod minds;
mod propagate;
mod prove;
mod rules;
mod search;
mod short;
mod words;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;

pub use super::atoms::{Fact, Place};
pub use crate::knowledge::proof::{Fault, LINES, check};
pub use rules::{Group, Line, Premise, Proof, Rule, Step};

use super::know::Knower;
use super::position::{Position, World};
use crate::knowledge::{Budget, Refused};
use ended::{Effort, GaveUp, Standpoint};
use short::{Short, shortest};

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
    /// It is known to be true, or to be false, but the shortest proof that was found has more than [`LINES`] sentences.
    Long {
        /// Whether it is true.
        holds: bool,
        /// How many sentences the proof has.
        lines: usize,
    },
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
    /// A proof of `false`; none if it is beyond the budget to find one, or if it has more than [`LINES`] sentences.
    pub proof: Option<Proof>,
}

/// Whether the observer knows the claim, and why. Every proof returned has passed [`check`].
///
/// Whether the position can be at all is not decided here but by [`Knower::possible`], as everywhere: where `solve` and
/// `know` find nothing that fits, nothing is proved. What is known, refuted or open agrees with [`Knower::ask`]. The
/// budget counts for each of the searches that it takes: for a world, for the verdict, for each of a few proofs.
pub fn why(position: &Position, claim: &Fact, budget: &Budget) -> Answer {
    let mut knower = Knower::new(position);
    match knower.possible(budget) {
        Ok(()) if claim.speaks_of_moves() => Answer::Unproved,
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
    let cards = claim.is_about_cards();
    let premises = search::premises(position, !cards || position.has_endmoves());
    let silent: Vec<Premise> = premises.iter().copied().filter(|p| !matches!(p, Premise::Ended(_))).collect();
    let negation = claim.clone().negated();
    if cards {
        // What follows without the endmoves is found without asking what others knew.
        let mut effort = Effort::new(budget);
        let all = Standpoint::top(position, &silent, &mut effort);
        let Some(no) = all.find(claim, None, &mut effort)? else {
            return proved(true, shortest(position, &silent, claim, budget)?);
        };
        let Some(yes) = all.find(&negation, Some(&no.deal), &mut effort)? else {
            return proved(false, shortest(position, &silent, &negation, budget)?);
        };
        if silent.len() == premises.len() {
            return Ok(Answer::Open { yes, no });
        }
    }
    let found = knower.ask(claim, budget).map_err(|_| GaveUp)?;
    match (found.witness, found.counterexample) {
        (_, None) => proved(true, shortest(position, &premises, claim, budget)?),
        (None, Some(_)) => proved(false, shortest(position, &premises, &negation, budget)?),
        (Some(yes), Some(no)) if !cards => Ok(Answer::Open { yes, no }),
        (Some(yes), Some(no)) => Ok(near(position, &premises, claim, &no)
            .map_or(Answer::Open { yes, no }, |(yes, no)| Answer::Open { yes, no })),
    }
}

fn proved(holds: bool, found: Short) -> Result<Answer, GaveUp> {
    Ok(match (found, holds) {
        (Short::Proof(proof), true) => Answer::Known(proof),
        (Short::Proof(proof), false) => Answer::Refuted(proof),
        (Short::Long(lines), holds) => Answer::Long { holds, lines },
    })
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
    let premises = search::premises(position, position.has_endmoves());
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
    let proof = match shortest(position, &premises, &Fact::Const(false), budget) {
        Ok(Short::Proof(proof)) => Some(proof),
        Ok(Short::Long(_)) | Err(GaveUp) => None,
    };
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
