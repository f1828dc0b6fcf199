//! Verdicts with their reasons.

use super::atoms::{Atom, Fact};
use super::colourings::{Colourings, allowed};
use super::memory::{Noted, Notes, Premise};
use super::prove::prove;
use super::rules::Proof;
use crate::game::Verdict;
use crate::knowledge::proof::{LINES, check};
use crate::knowledge::{Knower, Other, Refused};
use crate::yokai::colour::Colouring;

/// What a seat knows of a fact, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is known to be true.
    Known(Proof),
    /// It is known to be false; the proof is one of the contrary.
    Refuted(Proof),
    /// It is open.
    Open {
        /// A colouring that the seat considers possible in which it is true.
        holds: Colouring,
        /// One in which it is false.
        fails: Colouring,
        /// From `fails` on, worlds that somebody cannot tell apart, down to where something plain is false.
        trail: Vec<Other<Atom, Colouring>>,
    },
    /// What the seat saw contradicts what is assumed: nothing is claimed. The proof is one of a falsehood.
    Clash(Proof),
    /// The verdict is sure, but its proof would be too long, or there is no rule for it.
    Unproved(Verdict),
}

/// What the seat knows of a fact, and why. Every proof has passed [`check`].
pub fn why(notes: &Notes, fact: &Fact) -> Why {
    let mut knower = Knower::about(notes);
    let answer = match knower.ask(fact) {
        Ok(answer) => answer,
        Err(Refused::NoWorld) => {
            return proof(notes, &Fact::Const(false)).map_or(Why::Unproved(Verdict::Open), Why::Clash);
        }
        Err(Refused::Limit | Refused::Unfit(_)) => return Why::Unproved(Verdict::Open),
    };
    match (answer.witness, answer.counterexample) {
        (Some(holds), Some(fails)) => Why::Open { holds, fails, trail: knower.trail(fact, &fails).unwrap_or_default() },
        (_, None) => proof(notes, fact).map_or(Why::Unproved(Verdict::Yes), Why::Known),
        (None, _) => proof(notes, &fact.clone().negated()).map_or(Why::Unproved(Verdict::No), Why::Refuted),
    }
}

/// Why no colouring fits the notes; `None` if one does.
pub fn clash(notes: &Notes) -> Option<Proof> {
    let fits = Knower::about(notes).count() > 0;
    if fits { None } else { proof(notes, &Fact::Const(false)) }
}

/// A checked proof of a fact that follows from the notes.
fn proof(notes: &Notes, fact: &Fact) -> Option<Proof> {
    let proof = prove(notes, &core(notes, fact), fact)?;
    let short = proof.sentences(notes).len() <= LINES;
    debug_assert!(check(notes, &proof, fact).is_ok(), "{:?}: {proof:?}", check(notes, &proof, fact));
    check(notes, &proof, fact).ok().filter(|()| short).map(|()| proof)
}

/// Premises from which the fact follows and of which none can be left out. If the fact says that somebody does not know
/// something then all of them: what is public must stay so, and ignorance is shown best where much is settled.
fn core(notes: &Notes, fact: &Fact) -> Vec<Noted> {
    let mut kept = notes.noted().to_vec();
    if !fact.lasts(&|_: &Atom| false) {
        return kept;
    }
    // What was seen is a better reason than what is assumed.
    let weight = |premise: Premise| match premise {
        Premise::WentOn(_) => 0,
        Premise::Same(..) | Premise::Joins(..) => 1,
        Premise::Hint(..) | Premise::Told(..) => 2,
        Premise::Look(..) | Premise::Shown(..) | Premise::Looked(..) => 3,
    };
    let mut order: Vec<Noted> = kept.iter().rev().copied().filter(|n| n.premise.is_public()).collect();
    order.sort_by_key(|noted| weight(noted.premise));
    for noted in order {
        let less: Vec<Noted> = kept.iter().copied().filter(|other| *other != noted).collect();
        if follows(&mut Knower::about(&notes.with(less.clone())), &less, fact) {
            kept = less;
        }
    }
    let mut knower = Knower::about(&notes.with(kept.clone()));
    for noted in notes.noted().iter().rev().filter(|noted| !noted.premise.is_public()) {
        let less: Vec<Noted> = kept.iter().copied().filter(|other| other != noted).collect();
        if follows(&mut knower, &less, fact) {
            kept = less;
        }
    }
    kept
}

/// Whether the fact follows from these premises, of which the knower has those that are public.
fn follows(knower: &mut Knower<Colourings>, premises: &[Noted], fact: &Fact) -> bool {
    knower.sure(&allowed(premises.iter().map(|noted| noted.premise)), fact)
}
