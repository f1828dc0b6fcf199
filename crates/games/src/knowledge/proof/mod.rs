//! Proofs of what is known, in any game and to any depth.
//!
//! A proof has a goal, the premises that it uses, and numbered lines. Each line concludes facts, names the lines that it
//! uses, and is one of a few steps: a premise says it, a rule of the game leads there, it follows by logic, it holds in
//! every case, or a knowledge step. A *knowledge step* is a proof inside the proof, from the eyes of somebody: it may use
//! what everybody saw, and those earlier facts whose truth the eyes see by themselves. What it concludes, they know.
//!
//! A game says what its premises and rules are ([`Rules`]: the side of the checker) and how they are said ([`Telling`]).
//! The format, the checker, the sentences and the data are the same for all games; the search for a proof is the game's.
//!
//! | file | one line |
//! |---|---|
//! | `mod` | the format |
//! | `check` | the checker |
//! | `logic` | what follows from facts by logic alone, and what is seen by whom |
//! | `lines` | counting, numbering, leaving out what is not used |
//! | `words` | proofs as sentences and as data |

mod check;
mod lines;
mod logic;
mod words;

pub use check::{Fault, check, premises_used};
pub use lines::{Numbers, repeats, tidy, trim};
pub use logic::{follows, value};
pub use words::{Telling, paragraphs};

use super::fact::Fact;
use super::language::Language;
use super::seats::Seats;
use crate::game::Seat;
use std::fmt::Debug;

/// The most sentences that a proof may have to be shown: nobody reads more.
pub const LINES: usize = 60;

/// The moment after everything that was seen.
pub const NOW: usize = usize::MAX;

/// A proof of a fact, with the atoms, premises and rules of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<A, P, R> {
    /// What is proved; `false` for a position that cannot be.
    pub goal: Fact<A>,
    /// What is used.
    pub premises: Vec<P>,
    /// The lines; the last one concludes the goal.
    pub lines: Vec<Line<A, P, R>>,
}

/// A line of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<A, P, R> {
    /// Its number; no two lines and assumptions of a proof have the same.
    pub number: usize,
    /// What it concludes.
    pub facts: Vec<Fact<A>>,
    /// How.
    pub step: Step<A, P, R>,
    /// From which earlier lines and assumptions.
    pub from: Vec<usize>,
}

/// How a line follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<A, P, R> {
    /// Premises say it, each fact by itself.
    Given(Vec<P>),
    /// A rule of the game leads there from the lines named.
    Rule(R),
    /// It follows from the lines named by logic alone; what is false nobody knows.
    Logic,
    /// One of the cases holds, or what is concluded holds anyway: by a rule of the game, or since it is so or not so.
    /// Each case leads to what is concluded, or cannot be.
    Cases(Option<R>, Vec<Case<A, P, R>>),
    /// Somebody knows it: the lines are a proof from the first one's eyes of what is to be seen through the next one's
    /// eyes, and so on. Without lines, they see themselves what the lines named say.
    Mind(Vec<Eyes>, Vec<Line<A, P, R>>),
    /// This cannot be: by the premise somebody did not know the fact at some time, but would have, as these lines show
    /// from the eyes of then.
    Knew(P, Fact<A>, Vec<Line<A, P, R>>),
    /// The seats do not know it: with a change that they do not see, and that leaves everything true that everybody saw,
    /// other facts hold; from these the lines conclude that it is false.
    Unsure(Seats, R, Case<A, P, R>),
}

/// An assumption and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case<A, P, R> {
    /// The number of the assumption.
    pub number: usize,
    /// What is assumed: all of it.
    pub assume: Vec<Fact<A>>,
    /// What follows. Without lines the assumption itself is what is wanted.
    pub lines: Vec<Line<A, P, R>>,
}

/// Through whose eyes something is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eyes {
    /// A seat's, or those of several who pool what they saw.
    Pooled(Seats),
    /// What each of the seats sees, and knows that each sees, and so on.
    Each(Seats),
}

impl Eyes {
    /// The fact that they know the fact.
    pub fn know<A>(self, fact: Fact<A>) -> Fact<A> {
        match self {
            Eyes::Pooled(seats) => Fact::Knows(seats, fact.into()),
            Eyes::Each(seats) => Fact::Common(seats, fact.into()),
        }
    }
}

/// The atoms, premises and rules of a game's proofs.
pub type ProofOf<G> = Proof<<G as Language>::Atom, <G as Rules>::Premise, <G as Rules>::Rule>;

/// A line of a game's proofs.
pub type LineOf<G> = Line<<G as Language>::Atom, <G as Rules>::Premise, <G as Rules>::Rule>;

/// A step of a game's proofs.
pub type StepOf<G> = Step<<G as Language>::Atom, <G as Rules>::Premise, <G as Rules>::Rule>;

/// A case of a game's proofs.
pub type CaseOf<G> = Case<<G as Language>::Atom, <G as Rules>::Premise, <G as Rules>::Rule>;

/// A fact of a game.
pub type FactOf<G> = Fact<<G as Language>::Atom>;

/// How a premise may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Whether everybody has it, and knows that everybody has it, and so on; else the observer alone.
    pub public: bool,
    /// The event that brought it; what the rules of the game say has none.
    pub event: Option<usize>,
}

/// What the checker must know of a game. Whoever implements it must not use the search for proofs.
pub trait Rules: Language {
    /// Something that was seen, or that the rules of the game say.
    type Premise: Clone + Eq + Debug;
    /// A rule by which facts follow from facts, or by which there are no other cases, or a change that is not seen.
    type Rule: Clone + Eq + Debug;

    /// Whose proofs they are.
    fn observer(&self) -> Seat;

    /// How a premise may be used; `None` if it is none of this position.
    fn access(&self, premise: &Self::Premise) -> Option<Access>;

    /// Whether the premise says the fact.
    fn says(&self, premise: &Self::Premise, fact: &FactOf<Self>) -> bool;

    /// Whether the rule leads from these facts to that one: the premises that it needs for it.
    ///
    /// # Errors
    /// Why it does not.
    fn leads(&self, rule: &Self::Rule, from: &[FactOf<Self>], to: &FactOf<Self>) -> Result<Vec<Self::Premise>, String>;

    /// Whether the seat sees, before this event, whether the atom is true, whatever is the case.
    fn sees(&self, seat: Seat, atom: &Self::Atom, before: usize) -> bool;

    /// The premises, which everybody has, by which it is clear that the seat sees the atom; what it sees without any, such
    /// as its own hand, needs none.
    fn sees_by(&self, seat: Seat, atom: &Self::Atom, before: usize) -> Vec<Self::Premise> {
        let _ = (seat, atom, before);
        Vec::new()
    }

    /// Whether these eyes know only what is true. Where they do not, since the observer knows that they take something false
    /// for granted, nothing can be said in a proof of what they know or do not know.
    fn factive(&self, eyes: Eyes) -> bool {
        let _ = eyes;
        true
    }

    /// Who, by the premise, did not know the fact before which event.
    fn denies(&self, premise: &Self::Premise, fact: &FactOf<Self>) -> Option<(Seat, usize)>;

    /// Whether there is, wherever these facts hold, another world that the seats cannot tell apart and in which everything
    /// public holds, and in which those others hold.
    ///
    /// # Errors
    /// Why it need not be so.
    fn changes(
        &self,
        change: &Self::Rule,
        seats: Seats,
        from: &[FactOf<Self>],
        to: &[FactOf<Self>],
    ) -> Result<(), String>;
}
