//! What a rule has to remember.

use super::Unbounded;
use super::machine::{Cell, Check, Lens, Look, Machine, Number};
use super::tally::Form;
use crate::cards::{Card, CardSet};
use crate::eleusis::deck::Deck;
use crate::eleusis::rule::{Attribute, CardRef, Cmp, Num, Rule, Scope, Test};

/// Something that a rule sees of a card.
#[derive(Clone, Copy, PartialEq)]
enum Trait {
    Number(Attribute),
    /// The remainder of a number.
    Residue(Attribute, i64),
    Member(CardSet),
}

type Seen = Vec<(Look, Trait)>;

/// What is tallied.
#[derive(PartialEq)]
enum Kind<'a> {
    Latest(&'a Test),
    Count(&'a Scope, &'a Test),
    Sum(&'a Scope),
    Highest(&'a Scope),
    Lowest(&'a Scope),
}

/// A thing remembered, with the demands made on it so far.
struct Kept<'a> {
    kind: Kind<'a>,
    /// For tallies: exact below this, modulo the period above.
    from: i64,
    period: i64,
}

struct Lower<'a> {
    deck: &'a Deck,
    kept: Vec<Kept<'a>>,
    nths: Vec<u8>,
    seen: Seen,
    window: u8,
}

/// The machine of the rule.
pub(super) fn machine(rule: &Rule) -> Result<Machine, Unbounded> {
    let mut lower = Lower { deck: &rule.deck, kept: Vec::new(), nths: Vec::new(), seen: Vec::new(), window: 0 };
    let mut seen = Vec::new();
    let body = lower.test(&rule.body, &mut seen, Place::Body)?;
    lower.seen = seen;
    lower.finish(body)
}

/// Where a test stands: in the rule itself, or inside a count or a search.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Body,
    Inside,
}

fn refuse<T>(part: &str, why: &'static str) -> Result<T, Unbounded> {
    Err(Unbounded::NotRegular { part: part.to_owned(), why })
}

const NESTED: &str = "it may look at the card counted and at the next card only";

fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).saturating_mul(b)
}

impl<'a> Lower<'a> {
    fn test(&mut self, test: &'a Test, seen: &mut Seen, place: Place) -> Result<Check, Unbounded> {
        let mut all = |parts: &'a [Test]| -> Result<Vec<Check>, Unbounded> {
            parts.iter().map(|part| self.test(part, seen, place)).collect()
        };
        Ok(match test {
            Test::Const(value) => Check::Const(*value),
            Test::And(parts) => Check::And(all(parts)?),
            Test::Or(parts) => Check::Or(all(parts)?),
            Test::In(who, set) => {
                let who = self.look(who, place)?;
                seen.push((who.clone(), Trait::Member(*set)));
                Check::In(who, *set)
            }
            Test::Compare(a, cmp, b) => {
                let mut inner = Vec::new();
                let (a, left) = self.number(a, &mut inner, place)?;
                let (b, right) = self.number(b, &mut inner, place)?;
                for (tally, from) in left.plus(right.negated())?.settled(*cmp)? {
                    self.demand(tally, from, 1);
                }
                self.atom(a, *cmp, b, inner, seen)
            }
            Test::Not(a) => Check::Not(Box::new(self.test(a, seen, place)?)),
            Test::Iff(a, b) => Check::Iff(Box::new(self.test(a, seen, place)?), Box::new(self.test(b, seen, place)?)),
            Test::If(condition, yes, no) => Check::If(
                Box::new(self.test(condition, seen, place)?),
                Box::new(self.test(yes, seen, place)?),
                Box::new(self.test(no, seen, place)?),
            ),
        })
    }

    /// A comparison that looks at one card only is a set of cards: one bit to remember instead of a rank.
    fn atom(&self, mut a: Number, cmp: Cmp, mut b: Number, inner: Seen, seen: &mut Seen) -> Check {
        let who = inner.first().map(|(who, _)| who.clone());
        match who {
            Some(who) if inner.iter().all(|(other, _)| *other == who) && a.of_cards() && b.of_cards() => {
                a.aim();
                b.aim();
                let (bare, compare) = (Machine::bare(self.deck.clone()), Check::Compare(a, cmp, b));
                let set = self.deck.filter(|card| bare.holds(&compare, card, card));
                seen.push((who.clone(), Trait::Member(set)));
                Check::In(who, set)
            }
            _ => {
                seen.extend(inner);
                Check::Compare(a, cmp, b)
            }
        }
    }

    fn look(&mut self, who: &'a CardRef, place: Place) -> Result<Look, Unbounded> {
        Ok(match (who, place) {
            (CardRef::Next, _) => Look::Next,
            (CardRef::This, _) => Look::This,
            (CardRef::Back(_) | CardRef::Nth(_) | CardRef::LastWith(_), Place::Inside) => {
                return refuse("the test of a count or search", NESTED);
            }
            // There is no such card, as there is no card counted in the rule itself.
            (CardRef::Back(0), Place::Body) => Look::This,
            (CardRef::Back(k), Place::Body) => {
                self.window = self.window.max(*k);
                Look::Back(*k)
            }
            (CardRef::Nth(k), Place::Body) => {
                let at = self.nths.iter().position(|n| n == k).unwrap_or_else(|| {
                    self.nths.push(*k);
                    self.nths.len() - 1
                });
                Look::Nth(at)
            }
            (CardRef::LastWith(test), Place::Body) => Look::Kept(self.keep(Kind::Latest(test))),
        })
    }

    fn keep(&mut self, kind: Kind<'a>) -> usize {
        self.kept.iter().position(|kept| kept.kind == kind).unwrap_or_else(|| {
            self.kept.push(Kept { kind, from: 0, period: 1 });
            self.kept.len() - 1
        })
    }

    fn demand(&mut self, tally: usize, from: i64, period: i64) {
        let kept = &mut self.kept[tally];
        kept.from = kept.from.max(from);
        kept.period = lcm(kept.period, period);
    }

    /// The number, and how it depends on tallies.
    fn number(&mut self, num: &'a Num, seen: &mut Seen, place: Place) -> Result<(Number, Form), Unbounded> {
        let values = i64::from(self.deck.values());
        let both = |lower: &mut Self, a: &'a Num, b: &'a Num, seen: &mut Seen| {
            let (a, left) = lower.number(a, seen, place)?;
            let (b, right) = lower.number(b, seen, place)?;
            Ok(((Box::new(a), left), (Box::new(b), right)))
        };
        Ok(match num {
            Num::Const(value) => {
                (Number::Const(i64::from(*value)), Form::Bounded(i64::from(*value), i64::from(*value)))
            }
            Num::Of(attribute, who) => {
                let who = self.look(who, place)?;
                seen.push((who.clone(), Trait::Number(*attribute)));
                let form = match attribute {
                    Attribute::Rank => Form::Bounded(1, values),
                    Attribute::Suit => Form::Bounded(0, self.deck.suits().len() as i64 - 1),
                    Attribute::Colour => Form::Bounded(0, 1),
                };
                (Number::Of(*attribute, who), form)
            }
            Num::Count(..) | Num::Sum(_) | Num::Highest(_) | Num::Lowest(_) if place == Place::Inside => {
                return refuse("the test of a count or search", NESTED);
            }
            Num::Count(Scope::Last(k), test) => (self.last_count(*k, test, seen)?, Form::Bounded(0, i64::from(*k))),
            Num::Sum(Scope::Last(k)) => {
                self.last(*k, Trait::Number(Attribute::Rank), seen);
                (Number::Sum(*k), Form::Bounded(0, i64::from(*k) * values))
            }
            Num::Highest(Scope::Last(k)) => {
                self.last(*k, Trait::Number(Attribute::Rank), seen);
                (Number::Highest(*k), Form::Bounded(1, values))
            }
            Num::Lowest(Scope::Last(k)) => {
                self.last(*k, Trait::Number(Attribute::Rank), seen);
                (Number::Lowest(*k), Form::Bounded(1, values))
            }
            Num::Count(scope, test) => {
                let tally = self.keep(Kind::Count(scope, test));
                (Number::Tally(tally), Form::tally(tally))
            }
            Num::Sum(scope) => {
                let tally = self.keep(Kind::Sum(scope));
                (Number::Tally(tally), Form::tally(tally))
            }
            Num::Highest(scope) => (Number::Extreme(self.keep(Kind::Highest(scope))), Form::Bounded(1, values)),
            Num::Lowest(scope) => (Number::Extreme(self.keep(Kind::Lowest(scope))), Form::Bounded(1, values)),
            Num::Add(a, b) => {
                let ((a, left), (b, right)) = both(self, a, b, seen)?;
                (Number::Add(a, b), left.plus(right)?)
            }
            Num::Sub(a, b) => {
                let ((a, left), (b, right)) = both(self, a, b, seen)?;
                (Number::Sub(a, b), left.plus(right.negated())?)
            }
            Num::Mul(a, b) => {
                let ((a, left), (b, right)) = both(self, a, b, seen)?;
                (Number::Mul(a, b), left.times(right)?)
            }
            Num::Mod(a, by) => {
                let by = i64::from(*by).max(1);
                (Number::Mod(Box::new(self.residue(a, by, seen, place)?), by), Form::Bounded(0, by - 1))
            }
            Num::Abs(a) => {
                let (a, form) = self.number(a, seen, place)?;
                (Number::Abs(Box::new(a)), form.abs()?)
            }
            Num::Gcd(a, b) => self.gcd(a, b, seen, place)?,
        })
    }

    /// The number as far as its remainder counts.
    fn residue(&mut self, num: &'a Num, by: i64, seen: &mut Seen, place: Place) -> Result<Number, Unbounded> {
        let both = |lower: &mut Self, a: &'a Num, b: &'a Num, seen: &mut Seen| {
            let a = lower.residue(a, by, seen, place)?;
            Ok((Box::new(a), Box::new(lower.residue(b, by, seen, place)?)))
        };
        Ok(match num {
            Num::Add(a, b) => both(self, a, b, seen).map(|(a, b)| Number::Add(a, b))?,
            Num::Sub(a, b) => both(self, a, b, seen).map(|(a, b)| Number::Sub(a, b))?,
            Num::Mul(a, b) => both(self, a, b, seen).map(|(a, b)| Number::Mul(a, b))?,
            Num::Of(attribute, who) => {
                let who = self.look(who, place)?;
                seen.push((who.clone(), Trait::Residue(*attribute, by)));
                Number::Of(*attribute, who)
            }
            Num::Sum(Scope::Last(k)) if place == Place::Body => {
                self.last(*k, Trait::Residue(Attribute::Rank, by), seen);
                Number::Sum(*k)
            }
            _ => {
                let (number, form) = self.number(num, seen, place)?;
                for (tally, from) in form.eventually() {
                    self.demand(tally, from, by);
                }
                number
            }
        })
    }

    fn gcd(&mut self, a: &'a Num, b: &'a Num, seen: &mut Seen, place: Place) -> Result<(Number, Form), Unbounded> {
        let before = seen.len();
        let forms = (self.number(a, seen, place)?, self.number(b, seen, place)?);
        let (grows, (other, low, high)) = match forms {
            ((x, Form::Bounded(p, q)), (y, Form::Bounded(r, s))) => {
                let most = [p, q, r, s].map(i64::abs).into_iter().max().expect("four bounds");
                return Ok((Number::Gcd(Box::new(x), Box::new(y)), Form::Bounded(0, most)));
            }
            ((_, Form::Linear(_)), (y, Form::Bounded(r, s))) => (a, (y, r, s)),
            ((x, Form::Bounded(p, q)), (_, Form::Linear(_))) => (b, (x, p, q)),
            _ => return refuse("a greatest common divisor", "both numbers grow with the line"),
        };
        // gcd(t, b) = gcd(t mod m, b) if b divides m.
        let period =
            if low <= 0 && high >= 0 { 0 } else { (low..=high).map(i64::abs).try_fold(1, small_lcm).unwrap_or(0) };
        if period == 0 {
            return refuse(
                "a greatest common divisor",
                "with a number that grows with the line the other must be small and not 0",
            );
        }
        seen.truncate(before);
        let other_num = if std::ptr::eq(grows, a) { b } else { a };
        self.number(other_num, seen, place)?;
        let rest = self.residue(grows, period, seen, place)?;
        let most = low.abs().max(high.abs());
        Ok((Number::Gcd(Box::new(Number::Mod(Box::new(rest), period)), Box::new(other)), Form::Bounded(1, most)))
    }

    /// The last cards, all seen so.
    fn last(&mut self, k: u8, what: Trait, seen: &mut Seen) {
        self.window = self.window.max(k);
        seen.extend((1..=k).map(|back| (Look::Back(back), what)));
    }

    fn last_count(&mut self, k: u8, test: &'a Test, seen: &mut Seen) -> Result<Number, Unbounded> {
        let mut inner = Vec::new();
        let test = self.test(test, &mut inner, Place::Inside)?;
        self.window = self.window.max(k);
        for (who, what) in inner {
            match who {
                Look::This => self.last(k, what, seen),
                other => seen.push((other, what)),
            }
        }
        Ok(Number::Count(k, Box::new(test)))
    }
}

fn small_lcm(a: i64, b: i64) -> Option<i64> {
    Some(lcm(a, b)).filter(|&m| m <= 1 << 15)
}

impl Number {
    /// Whether it is made of numbers of cards and constants alone.
    fn of_cards(&self) -> bool {
        match self {
            Number::Const(_) | Number::Of(..) => true,
            Number::Tally(_) | Number::Extreme(_) | Number::Count(..) => false,
            Number::Sum(_) | Number::Highest(_) | Number::Lowest(_) => false,
            Number::Add(a, b) | Number::Sub(a, b) | Number::Mul(a, b) | Number::Gcd(a, b) => {
                a.of_cards() && b.of_cards()
            }
            Number::Mod(a, _) | Number::Abs(a) => a.of_cards(),
        }
    }

    /// Makes all its cards [`Look::This`].
    fn aim(&mut self) {
        match self {
            Number::Of(_, who) => *who = Look::This,
            Number::Const(_) | Number::Tally(_) | Number::Extreme(_) | Number::Count(..) => (),
            Number::Sum(_) | Number::Highest(_) | Number::Lowest(_) => (),
            Number::Add(a, b) | Number::Sub(a, b) | Number::Mul(a, b) | Number::Gcd(a, b) => {
                a.aim();
                b.aim();
            }
            Number::Mod(a, _) | Number::Abs(a) => a.aim(),
        }
    }
}

impl Trait {
    fn of(self, deck: &Deck, card: Card) -> i64 {
        match self {
            Trait::Number(attribute) => attribute.of(deck, card),
            Trait::Residue(attribute, by) => attribute.of(deck, card).rem_euclid(by),
            Trait::Member(set) => i64::from(set.has(card)),
        }
    }
}

/// The machine with the memory that was asked for.
impl Lower<'_> {
    fn finish(mut self, body: Check) -> Result<Machine, Unbounded> {
        let window = (1..=self.window).map(|j| self.lens(|who| matches!(who, Look::Back(k) if *k >= j))).collect();
        let nths = self.nths.iter().enumerate();
        let nths = nths.map(|(at, &k)| (k, self.lens(|who| *who == Look::Nth(at)))).collect();
        let next = self.lens(|who| *who == Look::Next);
        let mut machine = Machine { body, next, window, nths, ..Machine::bare(self.deck.clone()) };
        for (at, kept) in std::mem::take(&mut self.kept).into_iter().enumerate() {
            let mut by_next = Vec::new();
            let lens = self.lens(|who| *who == Look::Kept(at));
            for cell in self.cells(kept, &lens)? {
                let place = machine.cells.iter().position(|other| *other == cell).unwrap_or_else(|| {
                    machine.cells.push(cell);
                    machine.cells.len() - 1
                });
                by_next.push(place as u16);
            }
            machine.kept.push(by_next);
        }
        Ok(machine)
    }

    /// The lowest card that looks the same wherever it is looked at so.
    fn lens(&self, which: impl Fn(&Look) -> bool) -> Lens {
        let mut traits: Vec<Trait> = Vec::new();
        for (who, what) in &self.seen {
            if which(who) && !traits.contains(what) {
                traits.push(*what);
            }
        }
        let look = |card: Card| -> Vec<i64> { traits.iter().map(|what| what.of(self.deck, card)).collect() };
        let looks: Vec<Vec<i64>> = self.deck.all().iter().map(look).collect();
        let lowest = |at: &Vec<i64>| looks.iter().position(|other| other == at).expect("it looks like itself") as u8;
        looks.iter().map(lowest).collect()
    }

    /// The cell of a thing remembered, for every next card.
    fn cells(&mut self, kept: Kept, lens: &Lens) -> Result<Vec<Cell>, Unbounded> {
        const MOST: i64 = 60_000;
        if kept.from.saturating_add(kept.period) > MOST {
            return refuse("a count or sum", "it has to be remembered beyond 60,000");
        }
        let (from, period) = (kept.from as u16, kept.period as u16);
        let ranks: Vec<u8> = self.deck.all().iter().map(|card| self.deck.rank(card)).collect();
        let tally = |(since, mut weights): (CardSet, Vec<u8>)| {
            if from == 0 {
                weights.iter_mut().for_each(|weight| *weight = (u16::from(*weight) % period) as u8);
            }
            Cell::Tally { since, weights, from, period }
        };
        Ok(match kept.kind {
            Kind::Latest(test) => {
                let latest = |set| Cell::Latest { set, lens: lens.clone() };
                self.sets(test)?.into_iter().map(latest).collect()
            }
            Kind::Count(scope, test) => {
                let bits = |set: CardSet| self.deck.all().iter().map(|card| u8::from(set.has(card))).collect();
                let weights: Vec<Vec<u8>> = self.sets(test)?.into_iter().map(bits).collect();
                self.since(scope)?.into_iter().zip(weights).map(tally).collect()
            }
            Kind::Sum(scope) => self.since(scope)?.into_iter().map(|since| tally((since, ranks.clone()))).collect(),
            Kind::Highest(scope) => {
                self.since(scope)?.into_iter().map(|since| Cell::Extreme { since, highest: true }).collect()
            }
            Kind::Lowest(scope) => {
                self.since(scope)?.into_iter().map(|since| Cell::Extreme { since, highest: false }).collect()
            }
        })
    }

    /// The cards after which a stretch begins anew, for every next card.
    fn since(&self, scope: &Scope) -> Result<Vec<CardSet>, Unbounded> {
        match scope {
            Scope::Since(test) => self.sets(test),
            Scope::Line | Scope::Last(_) => Ok(vec![CardSet::EMPTY; self.deck.size()]),
        }
    }

    /// The cards of the line that pass the test, for every next card.
    fn sets(&self, test: &Test) -> Result<Vec<CardSet>, Unbounded> {
        let mut lower = Lower { deck: self.deck, kept: Vec::new(), nths: Vec::new(), seen: Vec::new(), window: 0 };
        let mut seen = Vec::new();
        let test = lower.test(test, &mut seen, Place::Inside)?;
        let bare = Machine::bare(self.deck.clone());
        let set = |next: Card| self.deck.filter(|this| bare.holds(&test, this, next));
        Ok(if seen.iter().any(|(who, _)| *who == Look::Next) {
            self.deck.all().iter().map(set).collect()
        } else {
            vec![set(Card(0)); self.deck.size()]
        })
    }
}
