//! Tests of the language by its phrases: two ways to say the same are the same rule.

use ken_logic::syntax::{Code, Diagnostic};

use super::super::deck::Deck;
use super::Rule;

#[test]
fn the_same_rule_can_be_said_in_many_ways() {
    let same = [
        ("red", "next is red"),
        ("red", "color(next) = red"),
        ("next is a spade", "suit(next) = S"),
        ("spades only", "suit is spades"),
        ("different colour", "color(next) != color(prev)"),
        ("another colour than the previous card", "colour differs from previous"),
        ("higher than previous", "rank(next) > rank(prev)"),
        ("rank of next > previous", "rank(next) > rank(prev)"),
        ("next > previous", "rank(next) > rank(prev)"),
        ("same suit or same rank", "suit(next)=suit(prev) or rank(next)=rank(prev)"),
        ("within 3 of previous", "rank within 3 of previous"),
        ("if previous is black then odd else even", "if black(prev) then odd(next) else even(next)"),
        ("after a black card: odd, otherwise even", "if black(prev) then odd(next) else even(next)"),
        ("odd if previous is black, otherwise even", "if black(prev) then odd(next) else even(next)"),
        ("alternate red and black", "red and black take turns"),
        ("7 to king", "next in 7..K"),
        ("rank one of A 4 9", "rank in {1, 4, 9}"),
        ("position mod 3 = 1", "number of cards mod 3 = 1"),
        ("pos odd", "the number of cards is odd"),
        ("previous is a spade or a heart", "suit(prev) = S or suit(prev) = H"),
        ("rank is 3 or 4", "next is 3 or next is 4"),
        ("d >= 0", "rank(next) - rank(prev) >= 0"),
        ("count(rank = rank(next), line) < 2", "fewer than 2 cards of its rank"),
        ("rank not yet seen", "rank(next) not in ranks(line)"),
        ("rank not among the last three ranks", "not count(rank = rank(next), the last 3) > 0"),
        ("higher than the highest so far", "rank(next) > max(line)"),
        ("cards since the last ace < 4", "number of cards since the last ace < 4"),
        ("same suit as the starter", "suit of next = suit of the starter"),
        ("the card before the previous is red", "red(prev2)"),
        ("second card from the top is red", "prev2 is red"),
        ("red(prev) implies even(next)", "if previous is red then even"),
        ("let low = A..7; low(previous)", "previous is A to 7"),
        ("sum with previous is a multiple of 5", "(rank(next)+rank(prev)) mod 5 = 0"),
        ("colour changes", "opposite colour"),
        ("rule gar-1", "alternate even and odd"),
        ("not gar-1", "not (alternate even and odd)"),
        ("exists x in line: suit(x)=suit(next)", "suit already seen"),
    ];
    let mut wrong = Vec::new();
    for (a, b) in same {
        let (first, second) = (Rule::parse(a, &Deck::STANDARD), Rule::parse(b, &Deck::STANDARD));
        if first.is_err() || first != second {
            wrong.push((a, first, b, second));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The code, the marked text, and the help of each problem.
fn problems(text: &str) -> Vec<(Code, &str, String)> {
    let found = Rule::parse(text, &Deck::STANDARD).expect_err(text);
    let marked = |p: &Diagnostic| &text[p.span.start as usize..p.span.end as usize];
    found.iter().map(|p| (p.code, marked(p), p.help.clone().unwrap_or_default())).collect()
}

#[test]
fn unknown_words_are_all_reported_with_the_nearest_word() {
    let found = problems("if previus is blak then odd");
    assert_eq!(found[0], (Code::UnknownName, "previus", "did you mean `previous`?".to_string()));
    assert_eq!((found[1].0, found[1].1), (Code::UnknownName, "blak"));
    assert_eq!(found.len(), 2);
}

#[test]
fn problems_are_marked_where_they_are() {
    let cases = [
        ("red and", Code::Syntax, ""),
        ("red red and )", Code::Syntax, ")"),
        ("rank is 15", Code::Number, "15"),
        ("rank mod 0 = 1", Code::Number, "0"),
        ("rank is red", Code::Type, "red"),
        ("suit(next) = rank(prev)", Code::Type, "rank(prev)"),
        ("prime(position)", Code::Type, "prime(position)"),
        ("let a = not a; a", Code::Cycle, "a"),
        ("let a = red; let a = black; a", Code::Duplicate, "a"),
        ("let red = black; red", Code::Reserved, "red"),
        ("start: higher than previous; red", Code::Type, "higher than previous"),
        ("start: red and black; red", Code::Number, "red and black"),
        ("let up = higher than previous; up(previous)", Code::Type, "up(previous)"),
        ("rule nobody", Code::UnknownName, "nobody"),
        ("previous of 300 cards back is red", Code::Syntax, "of"),
        ("card 300 is red", Code::Number, "300"),
        ("99999999999 < rank", Code::Number, "99999999999"),
    ];
    let mut wrong = Vec::new();
    for (text, code, marked) in cases {
        let found = problems(text);
        if (found[0].0, found[0].1) != (code, marked) {
            wrong.push((text, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn deep_and_large_texts_are_refused_not_followed() {
    let nested = format!("{}red{}", "(".repeat(5000), ")".repeat(5000));
    assert_eq!(problems(&nested)[0].0, Code::Depth);
    let chain = format!("rank{} > 3", " + 1".repeat(5000));
    assert_eq!(problems(&chain)[0].0, Code::Depth);
    assert_eq!(problems(&"not ".repeat(5000))[0].0, Code::Depth);
    let doubling: String = (1..40).map(|i| format!("let x{i} = x{} and x{}; ", i - 1, i - 1)).collect();
    assert_eq!(problems(&format!("let x0 = red; {doubling} x39"))[0].0, Code::Large);
    assert_eq!(problems(&"red or ".repeat(20_000))[0].0, Code::Large);
}

#[test]
fn both_decks_have_colours_values_and_parity() {
    let deck = Deck::two_suits(3).expect("three values");
    for text in [
        "color(next)!=color(prev)",
        "parity(next)!=parity(prev)",
        "value(next)>=value(prev)",
        "red(next)",
        "odd",
        "R or 2",
        "one of R1 B3",
    ] {
        let rule = Rule::parse(text, &deck).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        assert!(!rule.accepted(&[deck.card(1, 0)]).is_empty(), "{text}");
    }
    assert!(Rule::parse("rank is 4", &deck).is_err());
    assert!(Rule::parse("rule gar-3", &deck).is_err_and(|problems| problems[0].code == Code::Type));
}
