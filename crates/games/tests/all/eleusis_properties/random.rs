//! Three ways agree on random small games.

use crate::eleusis_properties::plays::Plays;
use ken_games::bridge::eleusis as bridge;
use ken_games::cards::CardSet;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::properties::{
    Candidate, Instance, Mode, Observation, Person, Protocol, Reading, Verdicts, decide,
};
use ken_games::eleusis::rule::{Attribute, CardRef, Cmp, Num, Rule, Test};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

/// Candidates that look at no more than two cards back.
const WINDOW: usize = 2;

fn deck() -> Deck {
    Deck::two_suits(2).unwrap()
}

fn test() -> impl Strategy<Value = Test> {
    let number = |who| {
        prop_oneof![Just(Attribute::Rank), Just(Attribute::Colour)].prop_map(move |a| Num::Of(a, CardRef::clone(&who)))
    };
    let cards = subsequence(deck().all().iter().collect::<Vec<_>>(), 0..=4).prop_map(|c| c.into_iter().collect());
    let who = select(vec![CardRef::Next, CardRef::Back(1), CardRef::Back(2)]);
    let leaf = prop_oneof![
        (number(CardRef::Next), select(&Cmp::ALL[..]), number(CardRef::Back(1)))
            .prop_map(|(a, c, b)| Test::Compare(a, c, b)),
        (number(CardRef::Next), select(&Cmp::ALL[..]), number(CardRef::Back(2)))
            .prop_map(|(a, c, b)| Test::Compare(a, c, b)),
        (who, cards).prop_map(|(who, cards): (CardRef, CardSet)| Test::In(who, cards)),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let three = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|a| Test::Not(Box::new(a))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Test::Or(vec![a, b])),
            three.prop_map(|(a, b, c)| Test::If(Box::new(a), Box::new(b), Box::new(c))),
        ]
    })
}

fn instance(bound: u32) -> impl Strategy<Value = Instance> {
    let ways = (
        select(Observation::ALL),
        select(vec![Protocol::Any, Protocol::NoRepeat, Protocol::Informative]),
        select(Reading::ALL),
        select(&Person::ALL[..]),
    );
    (prop::collection::vec(test(), 1..=4), ways, any::<bool>(), 0u8..4, 0..=bound).prop_map(
        |(tests, (observation, protocol, reading, first), unlimited, starter, bound)| {
            let deck = deck();
            let all: Vec<_> = deck.all().iter().collect();
            let starter = all[starter as usize];
            let rest: Vec<_> = all.into_iter().filter(|&card| card != starter).collect();
            let hands = [rest[..2].iter().copied().collect(), rest[2..].iter().copied().collect()];
            let candidate = |(k, test)| Candidate::new(format!("r{k}"), Rule::new(deck.clone(), test)).unwrap();
            Instance {
                id: None,
                rules: tests.into_iter().enumerate().map(candidate).collect(),
                starter,
                mode: if unlimited { Mode::Unlimited } else { Mode::Decks(hands) },
                first,
                observation,
                protocol,
                reading,
                bound: Some(bound),
                deck,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn the_search_agrees_with_every_play_one_by_one(instance in instance(4)) {
        let found: Vec<Verdicts> = decide(&instance, 100_000).unwrap().iter().map(Verdicts::from).collect();
        prop_assert_eq!(found, Plays { instance: &instance, window: WINDOW }.verdicts());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Always follow the copies that accept: then both players see the same all the time.
    #[test]
    fn in_some_copy_alice_is_never_bound_to_be_ahead(instance in instance(6), protocol in select(Protocol::ALL)) {
        let instance = Instance { protocol, bound: None, ..instance };
        let ahead = decide(&instance, 100_000).unwrap().into_iter().map(|d| d.alice_first.unwrap().holds());
        prop_assert!(ahead.into_iter().any(|holds| !holds));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn the_engine_of_perfect_recall_agrees_with_the_search(instance in instance(5)) {
        let found: Vec<Verdicts> = decide(&instance, 100_000).unwrap().iter().map(Verdicts::from).collect();
        let checked: Vec<Verdicts> = bridge::check(&instance).unwrap().iter().map(Verdicts::from).collect();
        prop_assert_eq!(found, checked);
    }
}
