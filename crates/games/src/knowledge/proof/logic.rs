//! What follows from facts by logic alone, and what is seen by whom.

use super::{Eyes, NOW, Rules};
use crate::knowledge::{Fact, Seats};

/// The value of a fact, given those of some facts: atoms, what somebody knows, and whatever else is known. `None` if they do
/// not decide it.
pub fn value<A>(fact: &Fact<A>, leaf: &dyn Fn(&Fact<A>) -> Option<bool>) -> Option<bool> {
    if let Some(value) = leaf(fact) {
        return Some(value);
    }
    match fact {
        Fact::Const(value) => Some(*value),
        Fact::Not(inner) => value(inner, leaf).map(|value| !value),
        Fact::All(parts) => decided(parts, leaf, false),
        Fact::Any(parts) => decided(parts, leaf, true),
        Fact::Iff(a, b) => Some(value(a, leaf)? == value(b, leaf)?),
        Fact::Count(cmp, n, parts) => {
            let values: Vec<Option<bool>> = parts.iter().map(|part| value(part, leaf)).collect();
            let least = values.iter().filter(|value| **value == Some(true)).count() as u64;
            let most = values.iter().filter(|value| **value != Some(false)).count() as u64;
            let fits = |count: u64| cmp.admits(count.cmp(n));
            (least..=most).all(|count| fits(count) == fits(least)).then(|| fits(least))
        }
        Fact::Atom(_) | Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => None,
    }
}

fn decided<A>(parts: &[Fact<A>], leaf: &dyn Fn(&Fact<A>) -> Option<bool>, by: bool) -> Option<bool> {
    let mut all = true;
    for part in parts {
        match value(part, leaf) {
            Some(value) if value == by => return Some(by),
            Some(_) => {}
            None => all = false,
        }
    }
    all.then_some(!by)
}

/// Whether the fact follows from the others by logic alone: by their truth values, by what is known being true, and by
/// what is not known along some chain of seats not being common knowledge.
pub fn follows<A: Clone + Eq>(have: &[Fact<A>], fact: &Fact<A>) -> bool {
    let mut all: Vec<Fact<A>> = Vec::new();
    have.iter().for_each(|fact| open(fact, &mut all));
    all.contains(&Fact::Const(false)) || all.contains(fact) || value(fact, &|leaf| known(&all, leaf)) == Some(true)
}

/// The fact, and what it says beyond itself: the parts of a conjunction, and what is known.
fn open<A: Clone + Eq>(fact: &Fact<A>, all: &mut Vec<Fact<A>>) {
    all.push(fact.clone());
    match fact {
        Fact::All(parts) => parts.iter().for_each(|part| open(part, all)),
        Fact::Knows(seats, inner) | Fact::Common(seats, inner) if !seats.is_empty() => open(inner, all),
        Fact::Const(_)
        | Fact::Atom(_)
        | Fact::Not(_)
        | Fact::Any(_)
        | Fact::Count(..)
        | Fact::Iff(..)
        | Fact::Knows(..)
        | Fact::Common(..)
        | Fact::After(..) => {}
    }
}

/// The value of a leaf, if the facts tell it.
fn known<A: Clone + Eq>(have: &[Fact<A>], leaf: &Fact<A>) -> Option<bool> {
    if have.contains(leaf) {
        return Some(true);
    }
    let not = |fact: &Fact<A>| have.iter().any(|h| matches!(h, Fact::Not(inner) if **inner == *fact));
    let untrue = match leaf {
        Fact::Knows(seats, inner) => !seats.is_empty() && value(inner, &|leaf| known(have, leaf)) == Some(false),
        Fact::Common(seats, inner) => {
            value(inner, &|leaf| known(have, leaf)) == Some(false)
                || have.iter().any(|h| matches!(h, Fact::Not(chain) if is_chain(chain, *seats, inner)))
        }
        Fact::Const(_)
        | Fact::Atom(_)
        | Fact::Not(_)
        | Fact::All(_)
        | Fact::Any(_)
        | Fact::Count(..)
        | Fact::Iff(..)
        | Fact::After(..) => false,
    };
    (not(leaf) || untrue).then_some(false)
}

/// Whether the fact says that one of the seats knows that another one knows that … the inner fact.
fn is_chain<A: Eq>(fact: &Fact<A>, seats: Seats, inner: &Fact<A>) -> bool {
    match fact {
        Fact::Knows(of, next) => {
            of.single().is_some_and(|seat| seats.has(seat)) && (**next == *inner || is_chain(next, seats, inner))
        }
        Fact::Const(_)
        | Fact::Atom(_)
        | Fact::Not(_)
        | Fact::All(_)
        | Fact::Any(_)
        | Fact::Count(..)
        | Fact::Iff(..)
        | Fact::Common(..)
        | Fact::After(..) => false,
    }
}

impl Eyes {
    /// By which premises it is clear that these eyes see the atoms of the facts, each once.
    pub(super) fn shown<G: Rules>(self, game: &G, facts: &[Fact<G::Atom>], before: usize) -> Vec<G::Premise> {
        let mut found: Vec<G::Premise> = Vec::new();
        for atom in facts.iter().flat_map(Fact::seen_atoms) {
            let by = match self {
                // One of them is enough.
                Eyes::Pooled(seats) => seats
                    .iter()
                    .filter(|&seat| game.sees(seat, atom, before))
                    .map(|seat| game.sees_by(seat, atom, before))
                    .min_by_key(Vec::len)
                    .unwrap_or_default(),
                Eyes::Each(seats) => seats.iter().flat_map(|seat| game.sees_by(seat, atom, before)).collect(),
            };
            for premise in by {
                if !found.contains(&premise) {
                    found.push(premise);
                }
            }
        }
        found
    }

    /// Whether these eyes see, before this event, whether the fact is true, whatever is the case: it is made of what they
    /// see by themselves and of what they know or do not know.
    pub fn settle<G: Rules>(self, game: &G, fact: &Fact<G::Atom>, before: usize) -> bool {
        let parts = |parts: &[Fact<G::Atom>]| parts.iter().all(|part| self.settle(game, part, before));
        match fact {
            Fact::Const(_) => true,
            Fact::Atom(atom) => match self {
                Eyes::Pooled(seats) => seats.iter().any(|seat| game.sees(seat, atom, before)),
                Eyes::Each(seats) => seats.iter().all(|seat| game.sees(seat, atom, before)),
            },
            Fact::Not(inner) => self.settle(game, inner, before),
            Fact::All(facts) | Fact::Any(facts) | Fact::Count(_, _, facts) => parts(facts),
            Fact::Iff(a, b) => self.settle(game, a, before) && self.settle(game, b, before),
            // Who knows something now knows that it knows it; what it knew then is another question.
            Fact::Knows(of, _) if before == NOW => match self {
                Eyes::Pooled(seats) => !of.is_empty() && of.iter().all(|seat| seats.has(seat)),
                Eyes::Each(seats) => seats.len() == 1 && *of == seats,
            },
            Fact::Common(of, _) if before == NOW => match self {
                Eyes::Pooled(seats) => seats.iter().any(|seat| of.has(seat)),
                Eyes::Each(seats) => seats.iter().all(|seat| of.has(seat)),
            },
            Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => false,
        }
    }
}
