//! Walks over rules: their size, and the cards they look at.

use super::{CardRef, Num, Scope, Test};

impl Test {
    /// How many parts it has, and how deep they nest.
    pub(super) fn weight(&self) -> (usize, usize) {
        let (mut size, mut depth) = (0, 0);
        let mut rest = vec![(Part::Test(self), 1)];
        while let Some((part, at)) = rest.pop() {
            size += 1;
            depth = depth.max(at);
            part.each(&mut |inner| rest.push((inner, at + 1)));
        }
        (size, depth)
    }

    /// Whether it has a comparison such as `rank of next = rank of next`.
    pub(super) fn compares_a_thing_with_itself(&self) -> bool {
        let mut rest = vec![Part::Test(self)];
        while let Some(part) = rest.pop() {
            if let Part::Test(Test::Compare(a, _, b)) = part
                && a == b
                && !matches!(a, Num::Const(_))
            {
                return true;
            }
            part.each(&mut |inner| rest.push(inner));
        }
        false
    }

    /// Shows every card it looks at, with how many stretches of the line are being looked through there.
    pub(in crate::eleusis) fn cards(&mut self, inside: usize, see: &mut impl FnMut(&mut CardRef, usize)) {
        match self {
            Test::Const(_) => {}
            Test::In(card, _) => card_of(card, inside, see),
            Test::Compare(a, _, b) => {
                a.cards(inside, see);
                b.cards(inside, see);
            }
            Test::Not(a) => a.cards(inside, see),
            Test::And(parts) | Test::Or(parts) => parts.iter_mut().for_each(|part| part.cards(inside, see)),
            Test::Iff(a, b) => {
                a.cards(inside, see);
                b.cards(inside, see);
            }
            Test::If(a, b, c) => {
                a.cards(inside, see);
                b.cards(inside, see);
                c.cards(inside, see);
            }
        }
    }
}

impl Num {
    /// As for tests.
    pub(super) fn cards(&mut self, inside: usize, see: &mut impl FnMut(&mut CardRef, usize)) {
        match self {
            Num::Const(_) => {}
            Num::Of(_, card) => card_of(card, inside, see),
            Num::Count(scope, test) => {
                scope_of(scope, inside, see);
                test.cards(inside + 1, see);
            }
            Num::Sum(scope) | Num::Highest(scope) | Num::Lowest(scope) => scope_of(scope, inside, see),
            Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Gcd(a, b) => {
                a.cards(inside, see);
                b.cards(inside, see);
            }
            Num::Mod(a, _) | Num::Abs(a) => a.cards(inside, see),
        }
    }

    /// Its least and greatest value in a deck of so many ranks and suits, if it has both.
    pub(super) fn bounds(&self, ranks: i64, suits: i64) -> Option<(i64, i64)> {
        let of = |a: &Num| a.bounds(ranks, suits);
        Some(match self {
            Num::Const(n) => (i64::from(*n), i64::from(*n)),
            Num::Of(super::Attribute::Rank, _) => (1, ranks),
            Num::Of(super::Attribute::Suit, _) => (0, suits - 1),
            Num::Of(super::Attribute::Colour, _) => (0, 1),
            Num::Count(Scope::Last(k), _) => (0, i64::from(*k)),
            Num::Sum(Scope::Last(k)) => (0, i64::from(*k) * ranks),
            Num::Count(..) | Num::Sum(_) => return None,
            Num::Highest(_) | Num::Lowest(_) => (1, ranks),
            Num::Add(a, b) => {
                let ((a, z), (b, y)) = (of(a)?, of(b)?);
                (a.checked_add(b)?, z.checked_add(y)?)
            }
            Num::Sub(a, b) => {
                let ((a, z), (b, y)) = (of(a)?, of(b)?);
                (a.checked_sub(y)?, z.checked_sub(b)?)
            }
            Num::Mul(a, b) => {
                let ((a, z), (b, y)) = (of(a)?, of(b)?);
                let corners = [a.checked_mul(b)?, a.checked_mul(y)?, z.checked_mul(b)?, z.checked_mul(y)?];
                (*corners.iter().min()?, *corners.iter().max()?)
            }
            Num::Mod(_, by) => (0, i64::from(*by) - 1),
            Num::Abs(a) => {
                let (low, high) = of(a)?;
                (0, low.abs().max(high.abs()))
            }
            Num::Gcd(a, b) => {
                let ((a, z), (b, y)) = (of(a)?, of(b)?);
                (0, [a, z, b, y].iter().map(|n| n.abs()).max()?)
            }
        })
    }
}

fn card_of(card: &mut CardRef, inside: usize, see: &mut impl FnMut(&mut CardRef, usize)) {
    if let CardRef::LastWith(test) = card {
        test.cards(inside + 1, see);
    }
    see(card, inside);
}

fn scope_of(scope: &mut Scope, inside: usize, see: &mut impl FnMut(&mut CardRef, usize)) {
    match scope {
        Scope::Line | Scope::Last(_) => {}
        Scope::Since(test) => test.cards(inside + 1, see),
    }
}

/// A part of a rule.
#[derive(Clone, Copy)]
enum Part<'a> {
    Test(&'a Test),
    Num(&'a Num),
    Card(&'a CardRef),
    Scope(&'a Scope),
}

impl<'a> Part<'a> {
    /// Its own parts.
    fn each(self, see: &mut dyn FnMut(Part<'a>)) {
        match self {
            Part::Test(test) => match test {
                Test::Const(_) => {}
                Test::In(card, _) => see(Part::Card(card)),
                Test::Compare(a, _, b) => {
                    see(Part::Num(a));
                    see(Part::Num(b));
                }
                Test::Not(a) => see(Part::Test(a)),
                Test::And(parts) | Test::Or(parts) => parts.iter().for_each(|part| see(Part::Test(part))),
                Test::Iff(a, b) => {
                    see(Part::Test(a));
                    see(Part::Test(b));
                }
                Test::If(a, b, c) => [a, b, c].into_iter().for_each(|part| see(Part::Test(part))),
            },
            Part::Num(num) => match num {
                Num::Const(_) => {}
                Num::Of(_, card) => see(Part::Card(card)),
                Num::Count(scope, test) => {
                    see(Part::Scope(scope));
                    see(Part::Test(test));
                }
                Num::Sum(scope) | Num::Highest(scope) | Num::Lowest(scope) => see(Part::Scope(scope)),
                Num::Add(a, b) | Num::Sub(a, b) | Num::Mul(a, b) | Num::Gcd(a, b) => {
                    see(Part::Num(a));
                    see(Part::Num(b));
                }
                Num::Mod(a, _) | Num::Abs(a) => see(Part::Num(a)),
            },
            Part::Card(CardRef::LastWith(test)) => see(Part::Test(test)),
            Part::Card(CardRef::Next | CardRef::Back(_) | CardRef::Nth(_) | CardRef::This) => {}
            Part::Scope(Scope::Since(test)) => see(Part::Test(test)),
            Part::Scope(Scope::Line | Scope::Last(_)) => {}
        }
    }
}
