//! Why something is known: proofs that a person can follow, their checker, and positions that cannot be.
//!
//! | file | one line |
//! |---|---|
//! | `claim` | what can be asked for |
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
//! use ken_games::cluedo::{read, why::{self, Answer, Claim}};
//! let text = r#"{"hand_sizes": [3,3,3,3,3,3], "observer": 0, "hand": ["plum","rope","hall"],
//!     "events": [{"ask": 1, "cards": ["green","rope","study"], "passed": [], "shown_by": 2},
//!                {"ask": 3, "cards": ["green","wrench","hall"], "passed": [4,5], "shown_by": 0, "shown": "hall"},
//!                {"ask": 1, "cards": ["green","dagger","lounge"], "passed": [2], "shown_by": 3}]}"#;
//! let position = read::position(text).unwrap();
//! let claim = Claim::read("holds(2,study)", &position).unwrap();
//! let Answer::Known(proof) = why::why(&position, &claim) else { panic!("it is known") };
//! assert_eq!(proof.words(&position), "\
//! 1. Seat 2 does not hold green (event 3: it passed on green, dagger and lounge).
//! 2. You hold rope (your hand).
//! 3. Seat 2 does not hold rope (by 2: a card is at one place).
//! 4. Seat 2 holds study (event 1: it showed green, rope or study; by 1 and 3).
//! ");
//! ```

mod check;
mod claim;
mod core;
mod ended;
mod proof;
mod propagate;
mod prove;
mod search;
mod words;

#[cfg(test)]
mod tests;

pub use check::{Fault, check};
pub use claim::{Claim, Place};
pub use proof::{Case, Fact, Group, Insight, Knew, Premise, Proof, Rule, Split, Step};
pub use words::Sentence;

use super::position::{Position, World};
use ended::{Effort, GaveUp, Standpoint};

/// Whether a claim is known, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is known to be true.
    Known(Proof),
    /// It is known to be false: a proof of its negation.
    Refuted(Proof),
    /// Both are possible: two deals that fit everything seen, near each other.
    Open {
        /// One in which it is true.
        yes: World,
        /// One in which it is false.
        no: World,
    },
    /// Nothing fits what was seen.
    Clash(Clash),
    /// The search would take too long: the claim is about what seats knew when they ended their turns.
    Unproved,
}

/// A position that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The events that clash, counted from 0; none of them can be left out.
    pub events: Vec<usize>,
    /// Whether no smaller set of events clashes.
    pub smallest: bool,
    /// A proof of `false`.
    pub proof: Proof,
}

/// How much is tried where endmoves are announced.
const EFFORT: u64 = 20_000;

/// Whether the observer knows the claim, and why. Every proof returned has passed [`check`].
pub fn why(position: &Position, claim: &Claim) -> Answer {
    answer(position, claim).unwrap_or(Answer::Unproved)
}

fn answer(position: &Position, claim: &Claim) -> Result<Answer, GaveUp> {
    let premises = search::premises(position);
    let silent: Vec<Premise> = premises.iter().copied().filter(|p| !matches!(p, Premise::Ended(_))).collect();
    let nothing = Claim::Const(false);
    let negation = claim.negated();
    // What follows without the endmoves is found without asking what others knew.
    let stages = if silent.len() < premises.len() { vec![&silent, &premises] } else { vec![&premises] };
    let mut open = None;
    for premises in stages {
        let mut effort = Effort::new(EFFORT);
        let all = Standpoint::top(position, premises, &mut effort);
        if all.find(&nothing, None, &mut effort)?.is_none() {
            let clash = contradiction(position, premises, &mut effort)?;
            return Ok(Answer::Clash(clash));
        }
        let Some(no) = all.find(claim, None, &mut effort)? else {
            return Ok(Answer::Known(shortest(position, premises, claim)?));
        };
        let Some(yes) = all.find(&negation, Some(&no.deal), &mut effort)? else {
            return Ok(Answer::Refuted(shortest(position, premises, &negation)?));
        };
        open = Some(Answer::Open { yes, no });
    }
    open.ok_or(GaveUp)
}

/// Why nothing fits the position, if nothing does; `Err` if that would take too long to find out.
pub fn clash(position: &Position) -> Result<Option<Clash>, Unproved> {
    match answer(position, &Claim::Const(false)) {
        Ok(Answer::Clash(clash)) => Ok(Some(clash)),
        Ok(_) => Ok(None),
        Err(GaveUp) => Err(Unproved),
    }
}

/// The search would take too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproved;

fn contradiction(position: &Position, all: &[Premise], effort: &mut Effort) -> Result<Clash, GaveUp> {
    let (events, smallest) = core::clashing(position, all, effort)?;
    let those = |p: &Premise| p.event().is_none_or(|e| events.contains(&e));
    let premises: Vec<Premise> = all.iter().copied().filter(those).collect();
    let proof = shortest(position, &premises, &Claim::Const(false))?;
    Ok(Clash { events, smallest, proof })
}

/// The shortest of a few proofs, each from minimal premises.
fn shortest(position: &Position, premises: &[Premise], claim: &Claim) -> Result<Proof, GaveUp> {
    let mut best: Option<Proof> = None;
    for order in ORDERS {
        let mut ordered = premises.to_vec();
        ordered.sort_by_key(|p| order[kind(p)]);
        let mut effort = Effort::new(EFFORT);
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
