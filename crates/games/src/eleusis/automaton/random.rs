//! Random rules, for property tests.

use crate::cards::{Card, CardSet};
use crate::eleusis::deck::Deck;
use crate::eleusis::rule::{Attribute, CardRef, Cmp, Num, Rule, Scope, Test};
use proptest::prelude::*;

/// A set of cards: half at random, half made of ranks or suits as people do.
fn set(deck: Deck) -> impl Strategy<Value = CardSet> {
    let by_rank = deck.clone();
    prop_oneof![
        any::<u64>().prop_map({
            let deck = deck.clone();
            move |bits| deck.all().and(CardSet(bits))
        }),
        any::<u16>().prop_map(move |bits| by_rank.ranks(|rank| bits >> rank & 1 == 1)),
        (0..deck.suits().len()).prop_map(move |suit| deck.of_suit(suit)),
    ]
}

fn cmp() -> impl Strategy<Value = Cmp> {
    (0..6usize).prop_map(|at| Cmp::ALL[at])
}

fn attribute() -> impl Strategy<Value = Attribute> + Clone {
    prop_oneof![3 => Just(Attribute::Rank), 1 => Just(Attribute::Suit), 1 => Just(Attribute::Colour)]
}

/// A card seen from inside a count: the one counted, or the next.
fn inner_card() -> impl Strategy<Value = CardRef> + Clone {
    prop_oneof![3 => Just(CardRef::This), 1 => Just(CardRef::Next)]
}

/// A test inside a count.
fn inner_test(deck: Deck) -> impl Strategy<Value = Test> + Clone {
    let number = (attribute(), inner_card()).prop_map(|(what, who)| Num::Of(what, who));
    let atom = prop_oneof![
        1 => Just(Test::Const(true)),
        2 => set(deck).prop_map(|set| Test::In(CardRef::This, set)),
        2 => (number.clone(), cmp(), number).prop_map(|(a, cmp, b)| Test::Compare(a, cmp, b)),
    ];
    atom.boxed()
}

fn card(deck: Deck) -> impl Strategy<Value = CardRef> + Clone {
    let latest = set(deck).prop_map(|set| CardRef::LastWith(Box::new(Test::In(CardRef::This, set))));
    prop_oneof![
        4 => Just(CardRef::Next),
        4 => (1..=3u8).prop_map(CardRef::Back),
        1 => (0..=3u8).prop_map(CardRef::Nth),
        1 => latest,
    ]
    .boxed()
}

fn scope(deck: Deck) -> impl Strategy<Value = Scope> + Clone {
    prop_oneof![
        Just(Scope::Line),
        (0..=2u8).prop_map(Scope::Last),
        inner_test(deck).prop_map(|test| Scope::Since(Box::new(test))),
    ]
    .boxed()
}

fn number(deck: Deck) -> impl Strategy<Value = Num> + Clone {
    let leaf = prop_oneof![
        2 => (-3..=9i32).prop_map(Num::Const),
        5 => (attribute(), card(deck.clone())).prop_map(|(what, who)| Num::Of(what, who)),
        1 => (scope(deck.clone()), inner_test(deck.clone())).prop_map(|(scope, test)| Num::Count(scope, Box::new(test))),
        1 => scope(deck.clone()).prop_map(Num::Sum),
        1 => scope(deck.clone()).prop_map(Num::Highest),
        1 => scope(deck).prop_map(Num::Lowest),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let two = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            two.clone().prop_map(|(a, b)| Num::Add(a, b)),
            two.clone().prop_map(|(a, b)| Num::Sub(a, b)),
            two.clone().prop_map(|(a, b)| Num::Mul(a, b)),
            (inner.clone(), 1..=4u32).prop_map(|(a, by)| Num::Mod(Box::new(a), by)),
            inner.prop_map(|a| Num::Abs(Box::new(a))),
            two.prop_map(|(a, b)| Num::Gcd(a, b)),
        ]
    })
    .boxed()
}

/// A random condition on the line and the next card.
pub(crate) fn test(deck: Deck) -> impl Strategy<Value = Test> {
    let atom = prop_oneof![
        1 => any::<bool>().prop_map(Test::Const),
        3 => (card(deck.clone()), set(deck.clone())).prop_map(|(who, set)| Test::In(who, set)),
        5 => (number(deck.clone()), cmp(), number(deck)).prop_map(|(a, cmp, b)| Test::Compare(a, cmp, b)),
    ];
    atom.prop_recursive(2, 6, 3, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(Test::Not),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Test::And),
            prop::collection::vec(inner, 1..3).prop_map(Test::Or),
            (boxed.clone(), boxed.clone()).prop_map(|(a, b)| Test::Iff(a, b)),
            (boxed.clone(), boxed.clone(), boxed).prop_map(|(a, b, c)| Test::If(a, b, c)),
        ]
    })
}

/// A random rule over the deck.
pub(crate) fn rule(deck: Deck) -> impl Strategy<Value = Rule> {
    test(deck.clone()).prop_map(move |body| Rule::new(deck.clone(), body))
}

/// A random line; its cards need not be accepted.
pub(crate) fn line(deck: &Deck, most: usize) -> impl Strategy<Value = Vec<Card>> {
    prop::collection::vec((0..deck.size() as u8).prop_map(Card), 0..=most)
}
