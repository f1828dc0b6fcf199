//! Where machine dealers take their rules from: the library, or a generator of fair rules at a chosen difficulty.
//!
//! [`generate`] draws rules at random from a small grammar and keeps the first that is fair as
//! [measured](super::automaton::Measure). With *p*, *q*, *r* properties of cards (red,
//! even, high, prime, a multiple of three, two of the suits), the levels are:
//!
//! | level | rules |
//! |---|---|
//! | 1 | *p* changes from card to card |
//! | 2 | after a *p* card a *q* card, otherwise not |
//! | 3 | after a *p* card higher, otherwise lower; or near the last rank, or two properties at once |
//! | 4 | as 2 and 3, looking at the card before the last, or at both |
//! | 5 | what was counted over the whole line, or the latest *p* card, decides |
//!
//! The level is that of the idea, not a measured difficulty.

use super::deck::Deck;
use super::library as rules;
use super::rule::{Attribute, CardRef, Cmp, Num, Rule, Scope, Test};
use super::secret::Secret;
use crate::cards::CardSet;
use crate::dice::Dice;
use rustc_hash::FxHashSet;
use std::sync::{Arc, OnceLock};

/// The highest level.
pub const LEVELS: u8 = 5;

/// The levels that a machine deals at unless it is told otherwise.
const USUAL: u8 = 3;

/// A rule of the library that remembers more different pasts is not one that players keep in mind.
const PASTS: usize = 1 << 13;

/// The rules of the library over this deck, each meaning once, that are not too large to be kept in mind by the dozen.
pub fn library(deck: &Deck) -> Arc<[Arc<Secret>]> {
    static STANDARD: OnceLock<Arc<[Arc<Secret>]>> = OnceLock::new();
    match *deck == Deck::STANDARD {
        true => STANDARD.get_or_init(|| read_library(deck)).clone(),
        false => read_library(deck),
    }
}

fn read_library(deck: &Deck) -> Arc<[Arc<Secret>]> {
    let mut meanings = FxHashSet::default();
    let read = |entry: &rules::Entry| Secret::within(entry.text, deck, PASTS).ok();
    let read = rules::rules().iter().filter(|entry| entry.same_as.is_none()).filter_map(read);
    // Minimal automata are equal exactly when the rules mean the same, over this deck.
    read.filter(|secret| meanings.insert(secret.automaton().clone())).map(Arc::new).collect()
}

/// A fair rule: of the library or a new one, equally likely.
pub fn choose(deck: &Deck, dice: &mut Dice) -> Arc<Secret> {
    if dice.below(2) == 0 {
        let fair: Vec<Arc<Secret>> = library(deck).iter().filter(|s| is_fair(s)).cloned().collect();
        if !fair.is_empty() {
            return dice.pick(&fair).clone();
        }
    }
    let level = 1 + dice.below(USUAL.into()) as u8;
    Arc::new(generate(deck, level, dice))
}

/// Whether the rule is [fair](super::automaton::Measure::fair).
pub fn is_fair(secret: &Secret) -> bool {
    secret.automaton().measure(secret.rule().start).fair
}

/// A fair rule of a level from 1 to [`LEVELS`]. The same dice give the same rule.
pub fn generate(deck: &Deck, level: u8, dice: &mut Dice) -> Secret {
    for _ in 0..TRIES {
        let rule = Rule::new(deck.clone(), Draw { deck, dice }.body(level));
        if let Ok(secret) = Secret::read(&rule.to_string(), deck)
            && is_fair(&secret)
        {
            return secret;
        }
    }
    // A deck may be too small for a fair rule of this level: then one that lets half of it through.
    let rule = Rule::new(deck.clone(), changes(deck.red()));
    Secret::read(&rule.to_string(), deck).expect("colours can change in any deck")
}

/// How many rules are drawn before the generator gives up on a level.
const TRIES: usize = 200;

/// Draws parts of rules.
struct Draw<'a> {
    deck: &'a Deck,
    dice: &'a mut Dice,
}

impl Draw<'_> {
    fn body(&mut self, level: u8) -> Test {
        let (p, q) = (self.property(), self.property());
        match level {
            0 | 1 => changes(p),
            2 => after(CardRef::Back(1), p, is(CardRef::Next, q)),
            3 => match self.dice.below(3) {
                0 => self.turns(CardRef::Back(1), p),
                1 => self.near(CardRef::Back(1), p),
                _ => both(after(CardRef::Back(1), p, is(CardRef::Next, q)), is(CardRef::Next, self.property())),
            },
            4 => match self.dice.below(4) {
                0 => after(CardRef::Back(2), p, is(CardRef::Next, q)),
                1 => self.turns(CardRef::Back(2), p),
                2 => self.near(CardRef::Back(2), p),
                _ => {
                    let same = iff(is(CardRef::Back(1), p), is(CardRef::Back(2), p));
                    iff(same, is(CardRef::Next, q))
                }
            },
            _ => match self.dice.below(3) {
                0 => {
                    let by = 2 + self.dice.below(2) as u32;
                    let count = Num::Count(Scope::Line, Box::new(is(CardRef::This, p)));
                    let rest = Num::Mod(Box::new(count), by);
                    iff(Test::Compare(rest, Cmp::Eq, Num::Const(0)), is(CardRef::Next, q))
                }
                1 => self.turns(CardRef::LastWith(Box::new(is(CardRef::This, p))), q),
                _ => {
                    let latest = CardRef::LastWith(Box::new(is(CardRef::This, p)));
                    after(latest, q, is(CardRef::Next, self.property()))
                }
            },
        }
    }

    /// A property that some cards of the deck have and some have not.
    fn property(&mut self) -> CardSet {
        let deck = self.deck;
        let middle = deck.values().div_ceil(2);
        let set = match self.dice.below(6) {
            0 => deck.red(),
            1 => deck.ranks(|r| r % 2 == 0),
            2 => deck.ranks(|r| r > middle),
            3 => deck.ranks(|r| [2, 3, 5, 7, 11, 13].contains(&r)),
            4 => deck.ranks(|r| r % 3 == 0),
            _ => {
                let first = self.dice.below(deck.suits().len());
                let second = self.dice.below(deck.suits().len());
                deck.of_suit(first).or(deck.of_suit(second))
            }
        };
        if set.is_empty() || set == deck.all() { deck.red() } else { set }
    }

    /// After a card with the property higher than `card`, otherwise lower.
    fn turns(&mut self, card: CardRef, p: CardSet) -> Test {
        let ranks = |cmp| Test::Compare(rank(CardRef::Next), cmp, rank(card.clone()));
        let (up, down) = match self.dice.below(2) {
            0 => (Cmp::Ge, Cmp::Le),
            _ => (Cmp::Gt, Cmp::Lt),
        };
        Test::If(Box::new(is(card.clone(), p)), Box::new(ranks(up)), Box::new(ranks(down)))
    }

    /// A rank not far from that of `card`, or with the property.
    fn near(&mut self, card: CardRef, p: CardSet) -> Test {
        let apart = Num::Abs(Box::new(Num::Sub(Box::new(rank(CardRef::Next)), Box::new(rank(card.clone())))));
        let far = 2 + self.dice.below(3) as i32;
        let near = Test::Compare(apart, Cmp::Le, Num::Const(far));
        match self.dice.below(2) {
            0 => near,
            _ => Test::If(Box::new(is(card, p)), Box::new(near), Box::new(is(CardRef::Next, p))),
        }
    }
}

fn rank(card: CardRef) -> Num {
    Num::Of(Attribute::Rank, card)
}

fn is(card: CardRef, set: CardSet) -> Test {
    Test::In(card, set)
}

fn iff(a: Test, b: Test) -> Test {
    Test::Iff(Box::new(a), Box::new(b))
}

fn both(a: Test, b: Test) -> Test {
    Test::And(vec![a, b])
}

fn changes(p: CardSet) -> Test {
    iff(is(CardRef::Next, p), Test::Not(Box::new(is(CardRef::Back(1), p))))
}

fn after(card: CardRef, p: CardSet, then: Test) -> Test {
    iff(is(card, p), then)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eleusis::automaton::separate;

    #[test]
    fn generated_rules_of_every_level_are_fair_and_depend_on_the_dice_alone() {
        for level in 1..=LEVELS {
            for seed in 0..6 {
                let secret = generate(&Deck::STANDARD, level, &mut Dice::new(seed));
                assert!(is_fair(&secret), "level {level}: {}", secret.text());
                let again = generate(&Deck::STANDARD, level, &mut Dice::new(seed));
                assert_eq!(secret.text(), again.text());
            }
        }
    }

    #[test]
    fn the_levels_look_further_back_or_remember_more() {
        let states = |level| -> usize {
            (0..6)
                .map(|seed| generate(&Deck::STANDARD, level, &mut Dice::new(seed)).automaton().states())
                .max()
                .unwrap()
        };
        assert!(states(1) <= 3, "two kinds of cards, and the start");
        assert!(states(1) < states(3) && states(2) < states(4));
    }

    #[test]
    fn the_library_of_a_deck_has_each_meaning_once_and_rules_that_fit_it() {
        let library = library(&Deck::STANDARD);
        assert!(library.len() > 100, "{}", library.len());
        for (i, a) in library.iter().enumerate() {
            for b in &library[..i] {
                let apart = separate((a.automaton(), a.automaton().start()), (b.automaton(), b.automaton().start()));
                assert!(apart.is_some(), "{} is {}", a.text(), b.text());
            }
        }
        assert!(!super::library(&Deck::two_suits(4).expect("four values")).is_empty());
    }
}
