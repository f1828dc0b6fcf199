//! The situations in which a rule may say different things: the conditions of if–then–else and the cases.

use super::atoms::{self, NEXT, PREV, count, is, likenesses, orders, pos, properties, rank};
use super::prior::Case;
use super::space::{Context, DECK, Looks, Reach};
use crate::cards::CardSet;
use crate::eleusis::rule::{Attribute, CardRef, Cmp, Num, Scope, Test};

/// Up to four branches, told apart by the line and the next card.
pub(super) struct Split {
    /// When each branch applies; the last applies when none of these does.
    pub tests: Vec<Test>,
    reaches: Vec<Reach>,
    /// How many cards must lie before it can tell.
    needs: usize,
    /// What kind of situation it is.
    pub kind: Case,
    /// Its prior among splits.
    pub weight: f64,
}

/// The most branches of a split.
pub(super) const BRANCHES: usize = 4;

impl Split {
    fn new(kind: Case, tests: Vec<Test>, bits: f64, looks: Looks) -> Split {
        let reaches = tests.iter().map(|test| Reach::of(test, looks)).collect();
        Split { tests, reaches, needs: 1, kind, weight: (-bits).exp2() }
    }

    /// The same split of a situation that needs two cards.
    fn of_two(self) -> Split {
        Split { needs: 2, ..self }
    }

    /// How many branches it has.
    pub(super) fn branches(&self) -> usize {
        self.tests.len() + 1
    }

    /// Which next cards fall into which branch after the line; `None` while it looks at a card that is not there,
    /// when everything is accepted.
    pub(super) fn cards(&self, context: Context) -> Option<[u64; BRANCHES]> {
        if context.line.len() < self.needs {
            return None;
        }
        let mut cards = [0; BRANCHES];
        let mut rest = DECK.all().0;
        for (at, reach) in self.reaches.iter().enumerate() {
            cards[at] = reach.cards(context) & rest;
            rest &= !cards[at];
        }
        cards[self.tests.len()] = rest;
        Some(cards)
    }

    /// The rule that has these tests in its branches.
    pub(super) fn rule(&self, branches: &[Test]) -> Test {
        let last = branches[self.tests.len()].clone();
        let tests = self.tests.iter().zip(branches).rev();
        tests.fold(last, |other, (test, branch)| {
            Test::If(Box::new(test.clone()), Box::new(branch.clone()), Box::new(other))
        })
    }
}

/// Every split.
pub(super) fn all() -> Vec<Split> {
    let mut all = Vec::new();
    // One of each property and its opposite: the branches are symmetric.
    let mut halves: Vec<(CardSet, f64)> = Vec::new();
    for (set, kind, bits) in properties() {
        if !halves.iter().any(|&(known, _)| known == set || known == DECK.all().minus(set)) {
            halves.push((set, bits + kind.case()));
        }
    }
    for (set, bits) in halves.into_iter().filter(|&(_, bits)| bits < 6.0) {
        all.push(Split::new(Case::Last, vec![Test::In(PREV, set)], bits, Looks::Back(1)));
        if bits < 4.5 {
            all.push(Split::new(Case::Next, vec![Test::In(NEXT, set)], bits, Looks::Nowhere));
            all.push(Split::new(Case::Before, vec![Test::In(CardRef::Back(2), set)], bits, Looks::Back(2)).of_two());
            let odd = Num::Mod(Box::new(count(Test::In(CardRef::This, set))), 2);
            all.push(Split::new(Case::Count, vec![is(odd, Cmp::Eq, Num::Const(0))], bits, Looks::Line));
            let seen = count(Test::In(CardRef::This, set));
            all.push(Split::new(Case::Count, vec![is(seen, Cmp::Eq, Num::Const(0))], bits + 1.0, Looks::Line));
        }
    }
    for (test, bits) in likenesses(&NEXT, &PREV).into_iter().chain(orders(&NEXT, &PREV)) {
        all.push(Split::new(Case::Relation, vec![test], bits, Looks::Back(1)));
    }
    let before = CardRef::Back(2);
    for (test, bits) in likenesses(&PREV, &before).into_iter().chain(orders(&PREV, &before)) {
        all.push(Split::new(Case::LastTwo, vec![test], bits, Looks::Line).of_two());
    }
    for length in 2..=6 {
        all.push(Split::new(Case::Length, vec![is(pos(), Cmp::Lt, Num::Const(length))], 0.0, Looks::Line));
    }
    let cases = |num: &dyn Fn() -> Num, by: i32| -> Vec<Test> {
        (0..by - 1).map(|rest| is(num(), Cmp::Eq, Num::Const(rest))).collect()
    };
    let modulo = |num: Num, by: u32| Num::Mod(Box::new(num), by);
    for by in 2..=4u32 {
        let kind = if by == 2 { Case::Odd } else { Case::Period };
        all.push(Split::new(kind, cases(&|| modulo(pos(), by), by as i32), 0.0, Looks::Line));
        if by > 2 {
            all.push(Split::new(Case::Many, cases(&|| modulo(rank(PREV), by), by as i32), 1.0, Looks::Back(1)));
            all.push(Split::new(Case::Many, cases(&|| modulo(rank(NEXT), by), by as i32), 2.0, Looks::Nowhere));
        }
    }
    let suit = |who: CardRef| Num::Of(Attribute::Suit, who);
    all.push(Split::new(Case::Many, cases(&|| suit(PREV), 4), 0.0, Looks::Back(1)));
    all.push(Split::new(Case::Many, cases(&|| suit(NEXT), 4), 1.0, Looks::Nowhere));
    let turn = || modulo(Num::Sub(Box::new(suit(NEXT)), Box::new(suit(PREV))), 4);
    all.push(Split::new(Case::Many, cases(&turn, 4), 1.0, Looks::Back(1)));
    let up_to = |top: u8| Test::In(PREV, DECK.ranks(|r| r <= top));
    all.push(Split::new(Case::Many, vec![up_to(4), up_to(8)], 1.0, Looks::Back(1)));
    let ace = Scope::Since(Box::new(Test::In(CardRef::This, DECK.ranks(|r| r == 1))));
    let since = Num::Count(ace, Box::new(Test::Const(true)));
    all.push(Split::new(Case::Count, vec![is(since, Cmp::Eq, atoms::pos())], 2.0, Looks::Line));
    all
}
