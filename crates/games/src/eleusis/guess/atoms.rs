//! The simple conditions that rules are made of, with their lengths in bits.

use super::prior::Kind;
use super::space::{Context, DECK, Looks, Reach};
use crate::cards::{Card, CardSet};
use crate::eleusis::rule::{Attribute, CardRef, Cmp, Num, Scope, Test};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// A simple condition on the next card.
pub(super) struct Atom {
    /// What it says.
    pub test: Test,
    /// What kind of condition it is.
    pub kind: Kind,
    /// Its prior as a rule of its own.
    pub weight: f64,
    /// Its prior as a part of a rule.
    pub part: f64,
    /// Whether it may look at a card that is not there: then it accepts, which and and either–or would not keep.
    pub far: bool,
    reach: Reach,
}

impl Atom {
    /// Whether it is joined with others: atoms that may look at a missing card are not, nor those that are hardly
    /// ever a part.
    pub(super) fn joins(&self) -> bool {
        !self.far && self.part >= RARE
    }

    /// The cards that pass after the line.
    pub(super) fn cards(&self, context: Context) -> u64 {
        self.reach.cards(context)
    }
}

/// The least prior of a part that is joined with others.
const RARE: f64 = 0.0004;

pub(super) const NEXT: CardRef = CardRef::Next;
pub(super) const PREV: CardRef = CardRef::Back(1);
const FIBONACCI: [u8; 6] = [1, 2, 3, 5, 8, 13];
const PRIMES: [u8; 6] = [2, 3, 5, 7, 11, 13];
const SQUARES: [u8; 3] = [1, 4, 9];
const POWERS: [u8; 4] = [1, 2, 4, 8];

/// Properties of one card, with their kinds and their lengths within the kind: what people call a card.
pub(super) fn properties() -> Vec<(CardSet, Kind, f64)> {
    let mut all: Vec<(CardSet, Kind, f64)> = Vec::new();
    let mut both = |kind: Kind, set: CardSet, bits: f64, other: f64| {
        all.push((set, kind, bits));
        all.push((DECK.all().minus(set), kind, other));
    };
    let ranks = |test: &dyn Fn(u8) -> bool| DECK.ranks(test);
    both(Kind::Colour, DECK.red(), 0.0, 0.0);
    both(Kind::Parity, ranks(&|r| r % 2 == 0), 0.0, 0.0);
    both(Kind::Face, ranks(&|r| r > 10), 0.0, 0.5);
    both(Kind::Prime, ranks(&|r| PRIMES.contains(&r)), 0.0, 0.5);
    for suit in 0..4 {
        both(Kind::Suit, DECK.of_suit(suit), 0.0, 1.0);
    }
    for suit in [0, 3] {
        both(Kind::SuitPair, DECK.of_suit(1).or(DECK.of_suit(suit)), 0.0, 0.0);
    }
    for bound in 1..13u8 {
        let bits = match bound {
            6 | 7 => 0.0,
            4 | 5 | 8 | 9 => 0.7,
            _ => 1.5,
        };
        both(Kind::Bound, ranks(&|r| r <= bound), bits, bits);
    }
    for modulus in 3..=5u8 {
        for rest in 0..modulus {
            let bits = 0.7 * f64::from(modulus - 3) + if rest == 0 { 0.0 } else { 2.5 };
            both(Kind::Multiple, ranks(&|r| r % modulus == rest), bits, bits + 1.0);
        }
    }
    both(Kind::Named, ranks(&|r| FIBONACCI.contains(&r)), 0.0, 1.0);
    both(Kind::Named, ranks(&|r| SQUARES.contains(&r)), 0.0, 1.5);
    both(Kind::Named, ranks(&|r| POWERS.contains(&r)), 0.5, 2.0);
    both(Kind::Named, ranks(&|r| r > 1 && !PRIMES.contains(&r)), 0.0, 1.0);
    for rank in 1..=13u8 {
        let bits = if rank == 1 { 0.0 } else { 2.0 };
        both(Kind::OneRank, ranks(&|r| r == rank), bits, bits + 1.5);
    }
    for low in 2..13u8 {
        for high in low + 1..13 {
            both(Kind::Range, ranks(&|r| (low..=high).contains(&r)), 0.0, 2.0);
        }
    }
    all
}

pub(super) fn rank(who: CardRef) -> Num {
    Num::Of(Attribute::Rank, who)
}

fn suit(who: CardRef) -> Num {
    Num::Of(Attribute::Suit, who)
}

fn colour(who: CardRef) -> Num {
    Num::Of(Attribute::Colour, who)
}

fn modulo(num: Num, by: u32) -> Num {
    Num::Mod(Box::new(num), by)
}

fn add(a: Num, b: Num) -> Num {
    Num::Add(Box::new(a), Box::new(b))
}

fn mul(a: Num, b: Num) -> Num {
    Num::Mul(Box::new(a), Box::new(b))
}

fn gap(a: Num, b: Num) -> Num {
    Num::Sub(Box::new(a), Box::new(b))
}

fn apart(a: Num, b: Num) -> Num {
    Num::Abs(Box::new(gap(a, b)))
}

pub(super) fn is(a: Num, cmp: Cmp, b: Num) -> Test {
    Test::Compare(a, cmp, b)
}

fn number(n: impl Into<i32>) -> Num {
    Num::Const(n.into())
}

fn not(test: Test) -> Test {
    Test::Not(Box::new(test))
}

pub(super) fn pos() -> Num {
    Num::Count(Scope::Line, Box::new(Test::Const(true)))
}

/// How many cards of the line pass.
pub(super) fn count(test: Test) -> Num {
    Num::Count(Scope::Line, Box::new(test))
}

/// Whether the two cards have the same of something: a comparison that can be turned into "different".
pub(super) fn likenesses(a: &CardRef, b: &CardRef) -> Vec<(Test, f64)> {
    let like = |f: fn(CardRef) -> Num| is(f(a.clone()), Cmp::Eq, f(b.clone()));
    let mut all = vec![
        (like(colour), 0.0),
        (like(suit), 0.0),
        (like(rank), 0.5),
        (is(modulo(rank(a.clone()), 2), Cmp::Eq, modulo(rank(b.clone()), 2)), 0.5),
    ];
    for by in 3..=5 {
        all.push((
            is(modulo(rank(a.clone()), by), Cmp::Eq, modulo(rank(b.clone()), by)),
            3.0 + 0.7 * f64::from(by - 3),
        ));
    }
    all
}

/// Comparisons of two ranks.
pub(super) fn orders(a: &CardRef, b: &CardRef) -> Vec<(Test, f64)> {
    [Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge].map(|cmp| (is(rank(a.clone()), cmp, rank(b.clone())), 0.0)).to_vec()
}

struct List {
    found: FxHashMap<Vec<u64>, usize>,
    atoms: Vec<Atom>,
    probes: Vec<Vec<Card>>,
    far: bool,
}

impl List {
    /// Adds an atom of that length, unless one with the same meaning is there.
    fn add(&mut self, kind: Kind, test: Test, bits: f64, looks: Looks) {
        let atom =
            Atom { kind, reach: Reach::of(&test, looks), test, weight: (-bits).exp2(), part: 0.0, far: self.far };
        let meaning = self.meaning(&atom);
        if let Entry::Vacant(new) = self.found.entry(meaning) {
            new.insert(self.atoms.len());
            self.atoms.push(atom);
        }
    }

    fn meaning(&self, atom: &Atom) -> Vec<u64> {
        self.probes.iter().map(|line| atom.cards(Context { line })).collect()
    }

    fn opposites(&self) -> Vec<(u16, u16)> {
        let mut found = Vec::new();
        for (at, atom) in self.atoms.iter().enumerate() {
            let opposite = self.meaning(atom).into_iter().map(|cards| DECK.all().0 & !cards).collect::<Vec<u64>>();
            found.extend(self.found.get(&opposite).map(|&other| (at as u16, other as u16)));
            if let Test::Compare(a @ Num::Of(Attribute::Rank, CardRef::Next), cmp, b) = &atom.test
                && !matches!(b, Num::Const(_))
                && let Some(mirrored) = mirrored(*cmp)
            {
                let mirror = is(a.clone(), mirrored, b.clone());
                let other = self.atoms.iter().position(|atom| atom.test == mirror);
                found.extend(other.map(|other| (at as u16, other as u16)));
            }
        }
        found
    }

    /// Adds the atom and its opposite.
    fn both(&mut self, kind: Kind, test: Test, bits: f64, looks: Looks) {
        let opposite = match test.clone() {
            Test::Compare(a, cmp, b) => Test::Compare(a, cmp.negated(), b),
            Test::Not(test) => *test,
            other => not(other),
        };
        self.add(kind, opposite, bits, looks);
        self.add(kind, test, bits, looks);
    }
}

/// Every atom, and which are opposites of each other: what one accepts the other refuses, or one asks for higher and
/// the other for lower.
pub(super) fn all() -> (Vec<Atom>, Vec<(u16, u16)>) {
    let mut list = List { found: FxHashMap::default(), atoms: Vec::new(), probes: probes(), far: false };
    sets(&mut list);
    relations(&mut list);
    list.far = true;
    farther_back(&mut list);
    list.far = false;
    places(&mut list);
    memories(&mut list);
    let opposites = list.opposites();
    (list.atoms, opposites)
}

fn mirrored(cmp: Cmp) -> Option<Cmp> {
    match cmp {
        Cmp::Lt => Some(Cmp::Gt),
        Cmp::Le => Some(Cmp::Ge),
        Cmp::Gt => Some(Cmp::Lt),
        Cmp::Ge => Some(Cmp::Le),
        Cmp::Eq | Cmp::Ne => None,
    }
}

/// Lines on which two atoms that differ are told apart: every card as the last one, and some longer lines.
fn probes() -> Vec<Vec<Card>> {
    // The product may leave a byte: any card will do before the last one.
    let before = |card: Card| Card(card.0.wrapping_mul(7).wrapping_add(3) % 52);
    let mut lines: Vec<Vec<Card>> = DECK.all().iter().map(|card| vec![before(card), card]).collect();
    let mut dice = crate::dice::Dice::new(7);
    for length in 1..=40 {
        lines.push((0..1 + length / 2).map(|_| Card(dice.below(52) as u8)).collect());
    }
    lines
}

fn sets(list: &mut List) {
    list.add(Kind::Anything, Test::Const(true), 0.0, Looks::Nowhere);
    list.add(Kind::Nothing, Test::Const(false), 0.0, Looks::Nowhere);
    for (set, kind, bits) in properties() {
        list.add(kind, Test::In(NEXT, set), bits, Looks::Nowhere);
    }
}

fn relations(list: &mut List) {
    let back = Looks::Back(1);
    for (at, (test, bits)) in likenesses(&NEXT, &PREV).into_iter().enumerate() {
        let kind = [Kind::LikeColour, Kind::LikeSuit, Kind::LikeRank, Kind::LikeParity];
        list.both(kind.get(at).copied().unwrap_or(Kind::LikeRemainder), test, bits, back);
    }
    for (test, bits) in orders(&NEXT, &PREV) {
        list.add(Kind::Order, test, bits, back);
    }
    for (set, kind, bits) in properties() {
        let alike = Test::Iff(Box::new(Test::In(NEXT, set)), Box::new(Test::In(PREV, set)));
        let bits = bits + kind.turns();
        list.add(Kind::Turns, not(alike.clone()), bits, back);
        list.add(Kind::Alike, alike, bits, back);
    }
    let gaps = || apart(rank(NEXT), rank(PREV));
    for k in 1..=8 {
        let bits = 0.3 * f64::from(k);
        list.both(Kind::Near, is(gaps(), Cmp::Le, number(k)), bits, back);
        list.both(Kind::Apart, is(gaps(), Cmp::Eq, number(k)), bits, back);
        let between = vec![is(gaps(), Cmp::Ge, number(1)), is(gaps(), Cmp::Le, number(k))];
        list.add(Kind::Near, Test::And(between), bits + 1.5, back);
        for sign in [-1, 1] {
            list.add(Kind::Step, is(gap(rank(NEXT), rank(PREV)), Cmp::Eq, number(sign * k)), bits, back);
            let (up, down) = if sign > 0 { (NEXT, PREV) } else { (PREV, NEXT) };
            let (up, down) = (rank(up), rank(down));
            let near = vec![is(up.clone(), Cmp::Gt, down.clone()), is(gap(up, down), Cmp::Le, number(k))];
            list.add(Kind::Step, Test::And(near), bits + 1.5, back);
        }
        let around = modulo(gap(rank(NEXT), rank(PREV)), 13);
        let exactly = |k: i32| is(around.clone(), Cmp::Eq, number(k));
        list.add(Kind::Around, Test::Or(vec![exactly(k), exactly(13 - k)]), bits, back);
        list.add(Kind::Around, exactly(k), bits, back);
        let within = vec![is(around.clone(), Cmp::Ge, number(1)), is(around.clone(), Cmp::Le, number(k))];
        list.add(Kind::Around, Test::And(within), bits + 1.0, back);
    }
    let sum = || add(rank(NEXT), rank(PREV));
    for by in 3..=7u32 {
        for rest in 0..by {
            let bits = 0.7 * f64::from(by - 3) + if rest == 0 { 0.0 } else { 3.0 };
            list.both(Kind::SumMod, is(modulo(sum(), by), Cmp::Eq, number(rest as i32)), bits, back);
        }
    }
    for bound in 4..=22 {
        let bits = if bound % 5 == 0 || (12..=14).contains(&bound) { 0.0 } else { 1.5 };
        list.both(Kind::SumBound, is(sum(), Cmp::Le, number(bound)), bits, back);
        list.add(Kind::SumBound, is(sum(), Cmp::Eq, number(bound)), bits + 2.0, back);
    }
    for bound in (10..=100).step_by(5) {
        let bits = if bound % 10 == 0 { 0.0 } else { 1.5 };
        list.both(Kind::Product, is(mul(rank(NEXT), rank(PREV)), Cmp::Lt, number(bound)), bits, back);
    }
    let gcd = Num::Gcd(Box::new(rank(NEXT)), Box::new(rank(PREV)));
    list.both(Kind::Gcd, is(gcd, Cmp::Eq, number(1)), 0.0, back);
    for sequence in [&FIBONACCI[..], &PRIMES, &SQUARES, &POWERS] {
        let step = |pair: &[u8]| {
            let of = |at: usize| DECK.ranks(|r| r == pair[at]);
            Test::And(vec![Test::In(PREV, of(0)), Test::In(NEXT, of(1))])
        };
        list.add(Kind::Sequence, Test::Or(sequence.windows(2).map(step).collect()), 0.0, back);
    }
    // The suits in a circle: three circles, each in two directions.
    for circle in [[0usize, 1, 2, 3], [0, 1, 3, 2], [0, 2, 1, 3]] {
        for steps in [1, 3] {
            let step = |at: usize| {
                let of = |at: usize| DECK.of_suit(circle[at % 4]);
                Test::And(vec![Test::In(PREV, of(at)), Test::In(NEXT, of(at + steps))])
            };
            list.add(Kind::Circle, Test::Or((0..4).map(step).collect()), 0.0, back);
        }
    }
    let same = |f: fn(CardRef) -> Num| is(f(NEXT), Cmp::Eq, f(PREV));
    list.add(Kind::LikeSuit, Test::And(vec![same(colour), not(same(suit))]), 2.0, back);
}

fn farther_back(list: &mut List) {
    for k in 2..=4u8 {
        let (who, looks, far) = (CardRef::Back(k), Looks::Back(k as usize), 1.5 * f64::from(k - 2));
        for (test, bits) in likenesses(&NEXT, &who) {
            list.both(Kind::Farther, test, bits + far, looks);
        }
        for (test, bits) in orders(&NEXT, &who) {
            list.add(Kind::Farther, test, bits + far, looks);
        }
        if k == 2 {
            for gaps in 1..=5 {
                let near = is(apart(rank(NEXT), rank(who.clone())), Cmp::Le, number(gaps));
                list.both(Kind::Farther, near, 3.0, looks);
            }
        }
    }
    let sum = |by: u32| modulo(add(rank(PREV), rank(CardRef::Back(2))), by);
    for by in 2..=4 {
        list.add(Kind::Farther, is(modulo(rank(NEXT), by), Cmp::Eq, sum(by)), 3.0, Looks::Line);
    }
    let before = || rank(CardRef::Back(2));
    let within = |a: Cmp, b: Cmp| Test::And(vec![is(rank(NEXT), a, rank(PREV)), is(rank(NEXT), b, before())]);
    list.both(Kind::Farther, Test::Or(vec![within(Cmp::Ge, Cmp::Le), within(Cmp::Le, Cmp::Ge)]), 3.0, Looks::Line);
}

fn places(list: &mut List) {
    for by in 2..=6u32 {
        for shift in 0..by {
            let bits = 0.5 * f64::from(by - 2) + if shift <= 1 { 0.0 } else { 2.0 };
            let place = modulo(add(pos(), number(shift as i32)), by);
            list.add(Kind::PlaceMod, is(modulo(rank(NEXT), by), Cmp::Eq, place.clone()), bits, Looks::Line);
            if by > 2 {
                list.add(Kind::PlaceRank, is(rank(NEXT), Cmp::Eq, place), bits, Looks::Line);
            }
        }
    }
    for shift in 0..=2 {
        for cmp in [Cmp::Le, Cmp::Ge] {
            list.add(Kind::PlaceBound, is(rank(NEXT), cmp, add(pos(), number(shift))), 0.0, Looks::Line);
        }
    }
    list.add(Kind::PlaceRank, is(modulo(gap(rank(NEXT), pos()), 13), Cmp::Eq, number(0)), 1.0, Looks::Line);
    for length in 2..=12 {
        list.add(Kind::Length, is(pos(), Cmp::Lt, number(length)), 0.0, Looks::Line);
    }
}

fn memories(list: &mut List) {
    let this = CardRef::This;
    let seen = |test: Test| is(count(test), Cmp::Ge, number(1));
    let alike: Vec<(Test, f64)> = likenesses(&this, &NEXT).into_iter().take(4).collect();
    for (test, bits) in &alike {
        list.both(Kind::Seen, seen(test.clone()), *bits, Looks::Line);
        for most in 2..=5 {
            list.add(
                Kind::Often,
                is(count(test.clone()), Cmp::Lt, number(most)),
                0.4 * f64::from(most - 2),
                Looks::Line,
            );
        }
        for last in 2..=4u8 {
            let among = Num::Count(Scope::Last(last), Box::new(test.clone()));
            list.both(Kind::Lately, is(among, Cmp::Eq, number(0)), bits + f64::from(last - 2), Looks::Line);
        }
        for run in 2..=3 {
            let since = Num::Count(Scope::Since(Box::new(not(test.clone()))), Box::new(Test::Const(true)));
            list.add(Kind::Run, is(since, Cmp::Lt, number(run)), *bits, Looks::Line);
        }
    }
    let (top, low) = (|| Num::Highest(Scope::Line), || Num::Lowest(Scope::Line));
    for cmp in Cmp::ALL {
        list.add(Kind::Extreme, is(rank(NEXT), cmp, top()), 0.0, Looks::Line);
        list.add(Kind::Extreme, is(rank(NEXT), cmp, low()), 0.0, Looks::Line);
    }
    for (a, b) in [(Cmp::Gt, Cmp::Lt), (Cmp::Ge, Cmp::Le)] {
        let outside = Test::Or(vec![is(rank(NEXT), a, top()), is(rank(NEXT), b, low())]);
        list.both(Kind::Extreme, outside, 0.5, Looks::Line);
    }
    let first = CardRef::Nth(1);
    for (test, bits) in likenesses(&NEXT, &first).into_iter().take(4).chain(orders(&NEXT, &first)) {
        list.both(Kind::Starter, test, bits, Looks::Line);
    }
    for limit in (20..=100).step_by(2) {
        let bits = if limit % 10 == 0 || limit == 42 { 0.0 } else { 3.0 };
        let total = add(Num::Sum(Scope::Line), rank(NEXT));
        list.add(Kind::Total, is(total, Cmp::Le, number(limit)), bits, Looks::Line);
    }
    for (set, _, _) in properties().into_iter().take(6) {
        let counted = || count(Test::In(CardRef::This, set));
        for by in 2..=3 {
            let alike = is(modulo(rank(NEXT), by), Cmp::Eq, modulo(counted(), by));
            list.add(Kind::CountMod, alike, 1.5 * f64::from(by - 2), Looks::Line);
        }
    }
    for by in 2..=3 {
        let total = modulo(add(Num::Sum(Scope::Line), rank(NEXT)), by);
        for rest in 0..by {
            list.add(Kind::CountMod, is(total.clone(), Cmp::Eq, number(rest as i32)), 1.0, Looks::Line);
        }
    }
}
