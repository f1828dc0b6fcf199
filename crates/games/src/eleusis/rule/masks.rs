//! All cards at once: the set of cards that a rule accepts after a line, without asking card by card.
//!
//! Agrees with [`eval`](super::eval) by a test; it is what players use, who ask for the whole deck all the time.

use super::eval::{self, Scene};
use super::{CardRef, Num, Scope, Test};
use crate::cards::{Card, CardSet};
use crate::eleusis::deck::Deck;

/// For which next cards a test can be told, and for which of those it holds.
#[derive(Clone, Copy)]
struct Told {
    known: CardSet,
    yes: CardSet,
}

/// How a number or a test depends on the next card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Depends {
    Not,
    OnRank,
    Fully,
}

/// The cards after which the test holds or cannot be told.
pub(super) fn accepted(test_: &Test, deck: &Deck, line: &[Card]) -> CardSet {
    let told = test(test_, deck, line);
    told.yes.or(deck.all().minus(told.known))
}

fn test(test_: &Test, deck: &Deck, line: &[Card]) -> Told {
    let all = deck.all();
    let one = |value: Option<bool>| Told {
        known: if value.is_some() { all } else { CardSet::EMPTY },
        yes: if value == Some(true) { all } else { CardSet::EMPTY },
    };
    match test_ {
        Test::Const(value) => one(Some(*value)),
        Test::In(CardRef::Next, set) => Told { known: all, yes: set.and(all) },
        Test::In(..) => one(eval::test(test_, &Scene::new(deck, line, Card(0)))),
        Test::Compare(a, cmp, b) => {
            let at = |card| {
                let scene = Scene::new(deck, line, card);
                Some(cmp.holds(eval::number(a, &scene)?, eval::number(b, &scene)?))
            };
            match number_depends(a).max(number_depends(b)) {
                Depends::Not => one(at(Card(0))),
                Depends::OnRank => each(deck, deck.suits().len(), at),
                Depends::Fully => each(deck, 1, at),
            }
        }
        Test::Not(a) => {
            let a = test(a, deck, line);
            Told { known: a.known, yes: a.known.minus(a.yes) }
        }
        Test::And(parts) => {
            let start = Told { known: all, yes: all };
            parts.iter().fold(start, |so_far, part| {
                let part = test(part, deck, line);
                let known = so_far.known.and(part.known);
                Told { known, yes: so_far.yes.and(part.yes).and(known) }
            })
        }
        Test::Or(parts) => {
            let start = Told { known: all, yes: CardSet::EMPTY };
            parts.iter().fold(start, |so_far, part| {
                let part = test(part, deck, line);
                let known = so_far.known.and(part.known);
                Told { known, yes: so_far.yes.or(part.yes).and(known) }
            })
        }
        Test::Iff(a, b) => {
            let (a, b) = (test(a, deck, line), test(b, deck, line));
            let known = a.known.and(b.known);
            Told { known, yes: CardSet(!(a.yes.0 ^ b.yes.0)).and(known) }
        }
        Test::If(condition, yes, no) => {
            let condition = test(condition, deck, line);
            let (then, other) = (condition.yes, condition.known.minus(condition.yes));
            let side = |part: &Test, cards: CardSet| match cards.is_empty() {
                true => Told { known: CardSet::EMPTY, yes: CardSet::EMPTY },
                false => {
                    let told = test(part, deck, line);
                    Told { known: told.known.and(cards), yes: told.yes.and(cards) }
                }
            };
            let (yes, no) = (side(yes, then), side(no, other));
            Told { known: yes.known.or(no.known), yes: yes.yes.or(no.yes) }
        }
    }
}

/// Asks once per group of `width` neighbouring cards.
fn each(deck: &Deck, width: usize, at: impl Fn(Card) -> Option<bool>) -> Told {
    let mut told = Told { known: CardSet::EMPTY, yes: CardSet::EMPTY };
    for first in (0..deck.size()).step_by(width) {
        let group = CardSet(CardSet::first(width).0 << first);
        if let Some(holds) = at(Card(first as u8)) {
            told.known = told.known.or(group);
            if holds {
                told.yes = told.yes.or(group);
            }
        }
    }
    told
}

fn number_depends(num: &Num) -> Depends {
    match num {
        Num::Const(_) => Depends::Not,
        Num::Of(super::Attribute::Rank, CardRef::Next) => Depends::OnRank,
        Num::Of(_, CardRef::Next) => Depends::Fully,
        Num::Of(..) => Depends::Not,
        Num::Count(scope, condition) => scope_depends(scope).max(test_depends(condition)),
        Num::Sum(scope) | Num::Highest(scope) | Num::Lowest(scope) => scope_depends(scope),
        Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Gcd(a, b) => number_depends(a).max(number_depends(b)),
        Num::Mod(a, _) | Num::Abs(a) => number_depends(a),
    }
}

fn scope_depends(scope: &Scope) -> Depends {
    match scope {
        Scope::Line | Scope::Last(_) => Depends::Not,
        Scope::Since(condition) => test_depends(condition),
    }
}

fn test_depends(test_: &Test) -> Depends {
    match test_ {
        Test::Const(_) => Depends::Not,
        Test::In(CardRef::Next, _) => Depends::Fully,
        Test::In(..) => Depends::Not,
        Test::Compare(a, _, b) => number_depends(a).max(number_depends(b)),
        Test::Not(a) => test_depends(a),
        Test::And(parts) | Test::Or(parts) => parts.iter().map(test_depends).max().unwrap_or(Depends::Not),
        Test::Iff(a, b) => test_depends(a).max(test_depends(b)),
        Test::If(a, b, c) => test_depends(a).max(test_depends(b)).max(test_depends(c)),
    }
}
