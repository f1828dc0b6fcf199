//! A question put to a seat as a text, and the answer with its reason: what `ken know` and `ken why` tell of any game.

use super::mind::{FactOf, Inspected, Part, Proved};
use super::worlds::{Answer, Budget, Other, Refused};
use super::{AtomOf, Voice, words};
use crate::game::{Illegal, Verdict};
use crate::table::page::Problem;
use ken_logic::syntax::Diagnostic;
use serde_json::Value;

/// A world that may be the true one.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldTold {
    /// As data.
    pub data: Value,
    /// In few words: what the seat itself does not see of it.
    pub parts: Vec<Part>,
}

/// What a seat knows of a fact.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Known, known to be false, or open.
    pub verdict: Verdict,
    /// In how many worlds it is true, and in how many false, where worlds are counted.
    pub counts: Option<(u128, u128)>,
    /// A world in which it is true.
    pub holds: Option<WorldTold>,
    /// A world in which it is false.
    pub fails: Option<WorldTold>,
}

/// What a seat knows of a fact, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// Known, known to be false, or open.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
}

/// Why something is known, or why it is not.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// A checked proof of the fact or, where it is known to be false, of its contrary.
    Proof(Proved),
    /// The verdict is sure, but there is no proof to show: why.
    Unproved(String),
    /// It is open: two worlds, and from the second on those that somebody cannot tell apart, down to where something
    /// plain is false.
    Open {
        /// A world in which the fact is true.
        holds: WorldTold,
        /// One in which it is false.
        fails: WorldTold,
        /// The way on.
        trail: Vec<Stop>,
    },
}

/// A world on the way to where a fact fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// Who cannot tell it from the world before.
    pub seats: Vec<u8>,
    /// The world.
    pub world: WorldTold,
    /// What is false there, in words.
    pub fails: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Unanswered {
    /// The text is no formula of this game: every problem in it.
    Unread(Vec<Diagnostic>),
    /// It takes more than the limits allow: the answer is unknown.
    Limit,
    /// The question cannot be asked of this position.
    Unfit(Illegal),
    /// Nothing fits what was seen: why.
    Clash(Problem),
}

/// What the seat of the mind knows of a fact.
///
/// # Errors
/// There is no answer.
pub(super) fn ask<M: Inspected>(mind: &mut M, text: &str, budget: &Budget) -> Result<Asked, Unanswered> {
    let (_, Answer { verdict, counts, witness, counterexample }) = answer(mind, text, budget)?;
    let [holds, fails] = [witness, counterexample].map(|world| world.map(|world| told(mind, &world)));
    Ok(Asked { verdict, counts, holds, fails })
}

/// What the seat of the mind knows of a fact, and why.
///
/// # Errors
/// There is no answer.
pub(super) fn explain<M: Inspected>(mind: &mut M, text: &str, budget: &Budget) -> Result<Explained, Unanswered> {
    let (fact, found) = answer(mind, text, budget)?;
    let reason = match (found.verdict, found.witness, found.counterexample) {
        (Verdict::Open, Some(holds), Some(fails)) => {
            let (holds, fails) = mind.near(&fact).unwrap_or((holds, fails));
            let trail = mind.trail(&fact, &fails);
            let trail = trail.into_iter().map(|other| stop(mind, other)).collect();
            Reason::Open { holds: told(mind, &holds), fails: told(mind, &fails), trail }
        }
        (Verdict::No, ..) => reason(mind, &fact.negated(), budget),
        (Verdict::Yes | Verdict::Open, ..) => reason(mind, &fact, budget),
    };
    Ok(Explained { verdict: found.verdict, reason })
}

/// Why something is known.
fn reason<M: Inspected>(mind: &mut M, known: &FactOf<M>, budget: &Budget) -> Reason {
    prove(mind, known, budget).map_or_else(Reason::Unproved, Reason::Proof)
}

/// A proof of something that the seat knows, or why there is none.
pub(super) fn prove<M: Inspected>(mind: &mut M, known: &FactOf<M>, budget: &Budget) -> Result<Proved, String> {
    match known.speaks_of_moves() {
        true => Err("There are no proofs of what would come of a move.".to_string()),
        false => mind.prove(known, budget),
    }
}

type Found<M> = (FactOf<M>, Answer<<M as super::Mind>::World>);

fn answer<M: Inspected>(mind: &mut M, text: &str, budget: &Budget) -> Result<Found<M>, Unanswered> {
    let fact = super::read(mind.language(), text).map_err(Unanswered::Unread)?;
    match mind.ask(&fact, budget) {
        Ok(answer) => Ok((fact, answer)),
        Err(Refused::Limit) => Err(Unanswered::Limit),
        Err(Refused::Unfit(why)) => Err(Unanswered::Unfit(why)),
        Err(Refused::NoWorld) => Err(Unanswered::Clash(mind.contradiction(budget))),
    }
}

fn told<M: Inspected>(mind: &M, world: &M::World) -> WorldTold {
    WorldTold { data: mind.data(world), parts: mind.brief(world) }
}

fn stop<M: Inspected>(mind: &M, other: Other<AtomOf<M>, M::World>) -> Stop {
    Stop {
        seats: other.seats.iter().map(|seat| seat.0).collect(),
        world: told(mind, &other.world),
        fails: words(mind.language(), &other.fails, &Voice::default()),
    }
}
