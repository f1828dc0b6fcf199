//! The direct evaluation of rules: slow, plain, the reference.
//!
//! `None` means that a card was looked at which is not there. It spreads through every operation but the branch of
//! an if–then–else that is not taken.

use super::{Attribute, CardRef, Num, Scope, Test};
use crate::cards::Card;
use crate::eleusis::deck::Deck;

/// What a rule looks at.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    deck: &'a Deck,
    line: &'a [Card],
    next: Card,
    this: Option<Card>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(deck: &'a Deck, line: &'a [Card], next: Card) -> Scene<'a> {
        Scene { deck, line, next, this: None }
    }

    /// The same scene, looking at one card of the line.
    fn at(&self, card: Card) -> Scene<'a> {
        Scene { this: Some(card), ..*self }
    }
}

pub(super) fn test(test_: &Test, scene: &Scene) -> Option<bool> {
    Some(match test_ {
        Test::Const(value) => *value,
        Test::In(who, set) => set.has(card(who, scene)?),
        Test::Compare(a, cmp, b) => cmp.holds(number(a, scene)?, number(b, scene)?),
        Test::Not(a) => !test(a, scene)?,
        Test::And(parts) => parts.iter().try_fold(true, |so_far, part| Some(so_far & test(part, scene)?))?,
        Test::Or(parts) => parts.iter().try_fold(false, |so_far, part| Some(so_far | test(part, scene)?))?,
        Test::Iff(a, b) => test(a, scene)? == test(b, scene)?,
        Test::If(condition, yes, no) => test(if test(condition, scene)? { yes } else { no }, scene)?,
    })
}

fn card(who: &CardRef, scene: &Scene) -> Option<Card> {
    match who {
        CardRef::Next => Some(scene.next),
        CardRef::Back(k) => scene.line.get(scene.line.len().checked_sub(*k as usize)?).copied(),
        CardRef::Nth(k) => scene.line.get((*k as usize).checked_sub(1)?).copied(),
        CardRef::LastWith(condition) => {
            let found = scene.line.iter().rev().find(|&&c| test(condition, &scene.at(c)) == Some(true));
            found.copied()
        }
        CardRef::This => scene.this,
    }
}

/// The cards of the stretch.
fn stretch<'a>(scope: &Scope, scene: &Scene<'a>) -> &'a [Card] {
    let line = scene.line;
    match scope {
        Scope::Line => line,
        Scope::Last(k) => &line[line.len().saturating_sub(*k as usize)..],
        Scope::Since(condition) => {
            let last = line.iter().rposition(|&c| test(condition, &scene.at(c)) == Some(true));
            &line[last.map_or(0, |at| at + 1)..]
        }
    }
}

pub(super) fn number(num: &Num, scene: &Scene) -> Option<i64> {
    let ranks = |scope| stretch(scope, scene).iter().map(|&c| i64::from(scene.deck.rank(c)));
    Some(match num {
        Num::Const(value) => i64::from(*value),
        Num::Of(attribute, who) => attribute.of(scene.deck, card(who, scene)?),
        Num::Count(scope, condition) if **condition == Test::Const(true) => stretch(scope, scene).len() as i64,
        Num::Count(scope, condition) => {
            let mut count = 0;
            for &c in stretch(scope, scene) {
                count += i64::from(test(condition, &scene.at(c))?);
            }
            count
        }
        Num::Sum(scope) => ranks(scope).sum(),
        Num::Highest(scope) => ranks(scope).max()?,
        Num::Lowest(scope) => ranks(scope).min()?,
        Num::Add(a, b) => number(a, scene)?.saturating_add(number(b, scene)?),
        Num::Sub(a, b) => number(a, scene)?.saturating_sub(number(b, scene)?),
        Num::Mul(a, b) => number(a, scene)?.saturating_mul(number(b, scene)?),
        Num::Mod(a, by) => number(a, scene)?.rem_euclid(i64::from(*by).max(1)),
        Num::Abs(a) => number(a, scene)?.abs(),
        Num::Gcd(a, b) => gcd(number(a, scene)?, number(b, scene)?),
    })
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Attribute {
    /// The number of the card.
    pub fn of(self, deck: &Deck, card: Card) -> i64 {
        match self {
            Attribute::Rank => i64::from(deck.rank(card)),
            Attribute::Suit => deck.suit(card) as i64,
            Attribute::Colour => i64::from(deck.is_red(card)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cmp, Rule};
    use super::*;

    fn line(text: &str) -> Vec<Card> {
        text.split_whitespace().map(|c| Deck::STANDARD.read(c).expect("a card")).collect()
    }

    fn rank(who: CardRef) -> Num {
        Num::Of(Attribute::Rank, who)
    }

    #[test]
    fn a_window_that_is_not_filled_accepts_everything() {
        let higher = Test::Compare(rank(CardRef::Next), Cmp::Gt, rank(CardRef::Back(2)));
        let never = Test::And(vec![Test::Const(false), higher]);
        let rule = Rule::new(Deck::STANDARD, never);
        assert_eq!(rule.accepted(&line("")).len(), 52);
        assert_eq!(rule.accepted(&line("7C")).len(), 52);
        assert_eq!(rule.accepted(&line("7C 8C")).len(), 0);
    }

    #[test]
    fn the_branch_not_taken_is_not_looked_at() {
        let red = Test::In(CardRef::Next, Deck::STANDARD.red());
        let old = Test::In(CardRef::Back(3), Deck::STANDARD.red());
        let rule = Rule::new(Deck::STANDARD, Test::If(Box::new(Test::Const(true)), Box::new(red), Box::new(old)));
        assert_eq!(rule.accepted(&line("7C")), Deck::STANDARD.red());
    }

    #[test]
    fn memory_counts_the_stretch_it_names() {
        let ace = Test::In(CardRef::This, Deck::STANDARD.ranks(|r| r == 1));
        let since = Num::Count(Scope::Since(Box::new(ace)), Box::new(Test::Const(true)));
        let rule = Rule::new(Deck::STANDARD, Test::Compare(since, Cmp::Lt, Num::Const(2)));
        assert_eq!(rule.accepted(&line("7C AC 8C")).len(), 52);
        assert_eq!(rule.accepted(&line("7C AC 8C 9D")).len(), 0);
        let top = Test::Compare(rank(CardRef::Next), Cmp::Gt, Num::Highest(Scope::Last(2)));
        let rule = Rule::new(Deck::STANDARD, top);
        assert!(rule.accepts(&line("KC 3C 4C"), line("5D")[0]));
        assert!(!rule.accepts(&line("3C KC 4C"), line("5D")[0]));
    }
}
