//! Random rules for tests.

use proptest::prelude::*;

use super::{Attribute, CardRef, Cmp, Num, Scope, Test};
use crate::cards::CardSet;
use crate::eleusis::deck::Deck;

/// Any condition over the deck, small and with small constants. [`CardRef::This`] stands only inside searches.
pub(crate) fn test(deck: &Deck) -> BoxedStrategy<Test> {
    tests(deck.clone(), 3, false)
}

fn tests(deck: Deck, depth: u32, searching: bool) -> BoxedStrategy<Test> {
    let compared = (numbers(deck.clone(), depth, searching), cmp(), numbers(deck.clone(), depth, searching));
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Test::Const),
        6 => (cards(deck.clone(), depth, searching), sets(&deck)).prop_map(|(card, set)| Test::In(card, set)),
        // A thing is never compared with itself.
        6 => compared.prop_map(|(a, cmp, b)| Test::Compare(a.clone(), cmp, if a == b { Num::Const(3) } else { b })),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = || tests(deck.clone(), depth - 1, searching);
    prop_oneof![
        4 => leaf,
        1 => inner().prop_map(|a| Test::Not(Box::new(a))),
        1 => prop::collection::vec(inner(), 2..4).prop_map(Test::And),
        1 => prop::collection::vec(inner(), 2..4).prop_map(Test::Or),
        1 => (inner(), inner()).prop_map(|(a, b)| Test::Iff(Box::new(a), Box::new(b))),
        1 => (inner(), inner(), inner()).prop_map(|(a, b, c)| Test::If(Box::new(a), Box::new(b), Box::new(c))),
    ]
    .boxed()
}

fn cmp() -> impl Strategy<Value = Cmp> {
    prop::sample::select(&Cmp::ALL[..])
}

fn sets(deck: &Deck) -> impl Strategy<Value = CardSet> + use<> {
    let (all, deck) = (deck.all(), deck.clone());
    prop_oneof![
        any::<u64>().prop_map(move |bits| CardSet(bits).and(all)),
        (1..14u8, 1..14u8).prop_map(move |(a, b)| deck.ranks(|rank| (a..=b).contains(&rank) || rank % b == a)),
        any::<bool>().prop_map(move |none| if none { CardSet::EMPTY } else { all }),
    ]
}

fn cards(deck: Deck, depth: u32, searching: bool) -> BoxedStrategy<CardRef> {
    let own = if searching { CardRef::This } else { CardRef::Next };
    let leaf = prop_oneof![
        4 => Just(CardRef::Next),
        4 => (1..4u8).prop_map(CardRef::Back),
        1 => (1..4u8).prop_map(CardRef::Nth),
        3 => Just(own),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let with = tests(deck, depth - 1, true).prop_map(|test| CardRef::LastWith(Box::new(test)));
    prop_oneof![8 => leaf, 1 => with].boxed()
}

fn scopes(deck: Deck, depth: u32) -> BoxedStrategy<Scope> {
    let leaf = prop_oneof![Just(Scope::Line), (1..4u8).prop_map(Scope::Last)];
    if depth == 0 {
        return leaf.boxed();
    }
    prop_oneof![2 => leaf, 1 => tests(deck, depth - 1, true).prop_map(|test| Scope::Since(Box::new(test)))].boxed()
}

fn numbers(deck: Deck, depth: u32, searching: bool) -> BoxedStrategy<Num> {
    let attribute = prop::sample::select(&[Attribute::Rank, Attribute::Suit, Attribute::Colour][..]);
    let leaf = prop_oneof![
        2 => (-3..15i32).prop_map(Num::Const),
        4 => (attribute, cards(deck.clone(), depth.min(1), searching)).prop_map(|(of, card)| Num::Of(of, card)),
    ];
    if depth == 0 {
        return leaf.boxed();
    }
    let inner = || numbers(deck.clone(), depth - 1, searching);
    let scope = || scopes(deck.clone(), depth - 1);
    let pair = (inner(), inner(), 0..4u8).prop_map(|(a, b, join)| {
        let (a, b) = (Box::new(a), Box::new(b));
        match join {
            0 => Num::Add(a, b),
            1 => Num::Sub(a, b),
            2 => Num::Mul(a, b),
            _ => Num::Gcd(a, b),
        }
    });
    let count = (scope(), tests(deck.clone(), depth - 1, true));
    prop_oneof![
        4 => leaf,
        2 => pair,
        1 => count.prop_map(|(scope, test)| Num::Count(scope, Box::new(test))),
        1 => scope().prop_map(Num::Sum),
        1 => scope().prop_map(Num::Highest),
        1 => scope().prop_map(Num::Lowest),
        1 => (inner(), 1..6u32).prop_map(|(a, by)| Num::Mod(Box::new(a), by)),
        1 => inner().prop_map(|a| Num::Abs(Box::new(a))),
    ]
    .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_rule_prints_and_parses_back_to_itself(body in test(&Deck::STANDARD), start in sets(&Deck::STANDARD)) {
        let start = if start.is_empty() { Deck::STANDARD.all() } else { start };
        let rule = super::Rule { start, ..super::Rule::new(Deck::STANDARD, body) };
        let text = rule.to_string();
        prop_assert_eq!(super::Rule::parse(&text, &Deck::STANDARD), Ok(rule), "{}", text);
    }

    #[test]
    fn a_rule_of_a_small_deck_prints_and_parses_back_to_itself(body in test(&small())) {
        let rule = super::Rule::new(small(), body);
        let text = rule.to_string();
        prop_assert_eq!(super::Rule::parse(&text, &small()), Ok(rule), "{}", text);
    }

    #[test]
    fn no_soup_of_words_breaks_the_parser(picks in prop::collection::vec(any::<u16>(), 0..24)) {
        let words = soup();
        let text: Vec<&str> = picks.iter().map(|&i| words[i as usize % words.len()]).collect();
        check(&text.join(" "));
    }

    #[test]
    fn no_change_of_a_text_breaks_the_parser(which in any::<u16>(), at in any::<u16>(), put in "[ -~♥é\n]{0,3}", cut in 0..4usize) {
        let rules = crate::eleusis::library::rules();
        let chars: Vec<char> = rules[which as usize % rules.len()].text.chars().collect();
        let at = at as usize % (chars.len() + 1);
        let rest = chars.iter().skip(at + cut);
        check(&chars[..at].iter().copied().chain(put.chars()).chain(rest.copied()).collect::<String>());
    }
}

fn small() -> Deck {
    Deck::two_suits(3).expect("three values")
}

/// Words and signs of all library rules, and a few more.
fn soup() -> Vec<&'static str> {
    let more = "let x = ; start : exists every no ( ) | { } [ ] - + * mod case of 0 99 300 card with since last this it's rule gar-1 if then else not line A a";
    let texts = crate::eleusis::library::rules().iter().map(|rule| rule.text);
    let mut words: Vec<&str> = texts.flat_map(str::split_whitespace).chain(more.split(' ')).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// What is read prints and reads again; what is refused has a place in the text.
fn check(text: &str) {
    match super::Rule::parse(text, &Deck::STANDARD) {
        Ok(rule) => {
            let printed = rule.to_string();
            assert_eq!(super::Rule::parse(&printed, &Deck::STANDARD), Ok(rule), "{text} prints as {printed}");
        }
        Err(problems) => {
            assert!(!problems.is_empty());
            let help = problems[0].help.clone().unwrap_or_default();
            if let Some((_, near)) = help.split_once("a sentence that is understood: `") {
                let near = near.trim_end_matches('`');
                assert!(super::Rule::parse(near, &Deck::STANDARD).is_ok(), "{text}: {near}");
            }
            for problem in problems {
                let (start, end) = (problem.span.start as usize, problem.span.end as usize);
                assert!(text.get(start..end).is_some(), "{text}: {problem:?}");
            }
        }
    }
}
