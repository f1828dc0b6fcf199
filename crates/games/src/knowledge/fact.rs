//! Facts about a position: formulas of the logic, with the atoms of a game.
//!
//! A [`Fact`] is what a formula comes to when a game has read its atoms. The operators are few, as in the core of the
//! logic: `S`, `Kw`, `E` and `D` are put together from `Knows`, and their words are found again when a fact is said.

use super::seats::Seats;
use crate::game::Seat;
use ken_logic::formula::{Cmp, Name};
use std::sync::Arc;

/// Something that is true or false in every world of a position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact<A> {
    /// True or false.
    Const(bool),
    /// A fact of the game.
    Atom(A),
    /// It is false.
    Not(Arc<Fact<A>>),
    /// All are true.
    All(Vec<Fact<A>>),
    /// Some are true.
    Any(Vec<Fact<A>>),
    /// The number of true ones compares so with the number.
    Count(Cmp, u64, Vec<Fact<A>>),
    /// Both are true or both are false.
    Iff(Arc<Fact<A>>, Arc<Fact<A>>),
    /// The seats know it when they pool what they know; a single seat knows it.
    Knows(Seats, Arc<Fact<A>>),
    /// All of the seats know it, know that all know it, and so on.
    Common(Seats, Arc<Fact<A>>),
    /// After the move, in the game's own words, it is true: whatever happens, or in at least one way.
    After(Name, Outcomes, Arc<Fact<A>>),
}

/// For which outcomes of a move something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcomes {
    /// For all: `[move] φ`.
    Every,
    /// For at least one: `<move> φ`.
    Some,
}

impl<A> From<A> for Fact<A> {
    fn from(atom: A) -> Fact<A> {
        Fact::Atom(atom)
    }
}

impl<A> Fact<A> {
    /// The seat knows that this is true.
    #[must_use]
    pub fn known_to(self, seat: Seat) -> Fact<A> {
        Fact::Knows(Seats::of(seat), Arc::new(self))
    }

    /// The first of the seats knows that the next one knows that … this is true.
    #[must_use]
    pub fn known_along(self, chain: &[Seat]) -> Fact<A> {
        chain.iter().rev().fold(self, |fact, &seat| fact.known_to(seat))
    }

    /// The parts that stand directly in it.
    pub fn parts(&self) -> Vec<&Fact<A>> {
        match self {
            Fact::Const(_) | Fact::Atom(_) => Vec::new(),
            Fact::Not(inner) | Fact::Knows(_, inner) | Fact::Common(_, inner) | Fact::After(_, _, inner) => {
                vec![inner]
            }
            Fact::All(parts) | Fact::Any(parts) | Fact::Count(_, _, parts) => parts.iter().collect(),
            Fact::Iff(a, b) => vec![a, b],
        }
    }

    /// The atoms in it.
    pub fn atoms(&self) -> Vec<&A> {
        match self {
            Fact::Atom(atom) => vec![atom],
            other => other.parts().into_iter().flat_map(Fact::atoms).collect(),
        }
    }

    /// The atoms that stand behind no knowledge and no move.
    pub(super) fn seen_atoms(&self) -> Vec<&A> {
        match self {
            Fact::Atom(atom) => vec![atom],
            Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => Vec::new(),
            other => other.parts().into_iter().flat_map(Fact::seen_atoms).collect(),
        }
    }

    /// How deep knowledge is nested in it. Common knowledge counts once.
    pub fn depth(&self) -> usize {
        let inside = self.parts().into_iter().map(Fact::depth).max().unwrap_or(0);
        inside + usize::from(matches!(self, Fact::Knows(..) | Fact::Common(..)))
    }

    /// Whether it says nothing about knowledge and nothing about moves.
    pub fn is_plain(&self) -> bool {
        match self {
            Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => false,
            other => other.parts().into_iter().all(Fact::is_plain),
        }
    }

    /// Whether it says something about moves to come.
    pub fn speaks_of_moves(&self) -> bool {
        matches!(self, Fact::After(..)) || self.parts().into_iter().any(Fact::speaks_of_moves)
    }

    /// Whether learning more can never make it false in a world that still fits: it says of nobody that he does *not*
    /// know something, and nothing about moves to come. `knows` are the atoms that speak of knowledge themselves.
    pub fn lasts(&self, knows: &impl Fn(&A) -> bool) -> bool {
        self.denies_nothing(true, knows)
    }

    /// Whether no knowledge is denied here or, without `sign`, in the negation.
    fn denies_nothing(&self, sign: bool, knows: &impl Fn(&A) -> bool) -> bool {
        match self {
            Fact::Const(_) => true,
            Fact::Atom(atom) => sign || !knows(atom),
            Fact::Not(fact) => fact.denies_nothing(!sign, knows),
            Fact::All(facts) | Fact::Any(facts) => facts.iter().all(|f| f.denies_nothing(sign, knows)),
            Fact::Count(_, _, facts) => {
                facts.iter().all(|f| f.denies_nothing(true, knows) && f.denies_nothing(false, knows))
            }
            Fact::Iff(a, b) => [a, b].iter().all(|f| f.denies_nothing(true, knows) && f.denies_nothing(false, knows)),
            Fact::Knows(_, fact) | Fact::Common(_, fact) => sign && fact.denies_nothing(true, knows),
            Fact::After(..) => false,
        }
    }
}

impl<A: Clone> Fact<A> {
    /// So many of these are true; of none, that is decided.
    pub fn counted(cmp: Cmp, n: u64, parts: Vec<Fact<A>>) -> Fact<A> {
        if parts.is_empty() { Fact::Const(cmp.admits(0.cmp(&n))) } else { Fact::Count(cmp, n, parts) }
    }

    /// A fact that counts, put together from its first part and a count of the rest; `None` for any other.
    pub fn unrolled(&self) -> Option<Fact<A>> {
        let Fact::Count(cmp, n, parts) = self else { return None };
        let (first, rest) = parts.split_first()?;
        let less = match n.checked_sub(1) {
            Some(less) => Fact::counted(*cmp, less, rest.to_vec()),
            // One is true already: more than none.
            None => Fact::Const(cmp.admits(std::cmp::Ordering::Greater)),
        };
        let same = Fact::counted(*cmp, *n, rest.to_vec());
        let with_first = Fact::All(vec![first.clone(), less]);
        Some(Fact::Any(vec![with_first, Fact::All(vec![first.clone().negated(), same])]))
    }

    /// This is false.
    #[must_use]
    pub fn negated(self) -> Fact<A> {
        match self {
            Fact::Not(fact) => Arc::unwrap_or_clone(fact),
            Fact::Const(value) => Fact::Const(!value),
            fact => Fact::Not(Arc::new(fact)),
        }
    }
}
