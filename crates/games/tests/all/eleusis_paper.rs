//! The five rules of the paper in three notations, from `examples/eleusis/paper`: where the paper is right they give
//! one automaton; where it is not, a line shows it.

use ken_games::cards::Card;
use ken_games::eleusis::automaton::{Automaton, Separation, Which, separate};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::notation::protocol::Protocol;
use ken_games::eleusis::notation::temporal::Temporal;
use ken_games::eleusis::notation::{Notation, read_any};
use ken_games::eleusis::rule::{Attribute, CardRef, Cmp, Num, Rule, Test};

const DECK: Deck = Deck::STANDARD;

macro_rules! protocol {
    ($name:literal) => {
        Protocol::parse(include_str!(concat!("../../../../examples/eleusis/paper/", $name, ".protocol")), &DECK)
            .expect($name)
    };
}

macro_rules! temporal {
    ($name:literal) => {
        Temporal::parse(include_str!(concat!("../../../../examples/eleusis/paper/", $name, ".temporal")), &DECK)
            .expect($name)
    };
}

fn same(what: Attribute, a: CardRef, b: CardRef) -> Test {
    Test::Compare(Num::Of(what, a), Cmp::Eq, Num::Of(what, b))
}

fn not(test: Test) -> Test {
    Test::Not(Box::new(test))
}

fn if_else(condition: Test, yes: Test, no: Test) -> Test {
    Test::If(Box::new(condition), Box::new(yes), Box::new(no))
}

/// The rule as meant, by its number; 6 is the prose of rule 3.
fn rule(number: usize) -> Automaton {
    let (next, top, second) = (CardRef::Next, CardRef::Back(1), CardRef::Back(2));
    let ranks = |from, to| Test::In(CardRef::Next, DECK.ranks(|rank| (from..=to).contains(&rank)));
    let odd = |who| Test::In(who, DECK.ranks(|rank| rank % 2 == 1));
    let rank =
        |cmp| Test::Compare(Num::Of(Attribute::Rank, CardRef::Next), cmp, Num::Of(Attribute::Rank, CardRef::Back(2)));
    let one_colour = same(Attribute::Colour, top.clone(), second.clone());
    let same_colour = same(Attribute::Colour, next.clone(), top.clone());
    let body = match number {
        1 => not(Test::Iff(Box::new(odd(next)), Box::new(odd(top)))),
        2 => Test::Or(vec![same(Attribute::Suit, next.clone(), top.clone()), same(Attribute::Rank, next, top)]),
        3 => if_else(one_colour, ranks(1, 7), ranks(8, 13)),
        4 => if_else(Test::In(second, DECK.red()), rank(Cmp::Ge), rank(Cmp::Le)),
        5 => if_else(Test::In(top, DECK.ranks(|rank| rank == 1)), not(same_colour.clone()), same_colour),
        _ => if_else(one_colour, ranks(1, 7), ranks(7, 13)),
    };
    Automaton::of(&Rule::new(DECK, body)).expect("a regular rule")
}

/// A shortest separation from every starter, as text, and which of the two accepts its last card.
fn apart(a: &Automaton, b: &Automaton) -> Option<(String, Which)> {
    let Separation { mut line, card, accepted_by } = separate((a, a.start()), (b, b.start()))?;
    line.push(card);
    let written: Vec<String> = line.iter().map(|&card: &Card| DECK.write(card)).collect();
    Some((written.join(" "), accepted_by))
}

fn expect(found: Option<(String, Which)>, line: &str, by: Which) {
    assert_eq!(found, Some((line.to_owned(), by)));
}

#[test]
fn where_the_paper_is_right_all_notations_give_the_same_automaton() {
    let rules = [
        (protocol!("1"), temporal!("1"), 3),
        (protocol!("2"), temporal!("2"), 53),
        (protocol!("3"), temporal!("3"), 7),
        (protocol!("4"), temporal!("4"), 625),
        (protocol!("5"), temporal!("5"), 3),
    ];
    for (at, (protocol, formula, states)) in rules.into_iter().enumerate() {
        let rule = rule(at + 1);
        assert_eq!(rule.states(), states);
        assert_eq!(rule, protocol.automaton().expect("small"));
        assert_eq!(rule, formula.automaton().expect("small"));
        assert_eq!((protocol.notes(), formula.notes()), (Vec::new(), Vec::new()));
        assert_eq!(formula.start(), DECK.all());
    }
}

#[test]
fn the_rule_texts_mean_the_same_and_every_notation_is_recognised() {
    let texts = [
        include_str!("../../../../examples/eleusis/paper/1.rule"),
        include_str!("../../../../examples/eleusis/paper/2.rule"),
        include_str!("../../../../examples/eleusis/paper/3.rule"),
        include_str!("../../../../examples/eleusis/paper/4.rule"),
        include_str!("../../../../examples/eleusis/paper/5.rule"),
        include_str!("../../../../examples/eleusis/paper/3b.rule"),
    ];
    for (at, text) in texts.into_iter().enumerate() {
        let reading = read_any(text, &DECK).expect(text);
        assert_eq!(reading.notation, Notation::Rule);
        assert_eq!(reading.automaton, rule(at + 1));
    }
    let others = [
        (include_str!("../../../../examples/eleusis/paper/4-printed.protocol"), Notation::Protocol, 1),
        (include_str!("../../../../examples/eleusis/paper/4.temporal"), Notation::Temporal, 0),
    ];
    for (text, notation, notes) in others {
        let reading = read_any(text, &DECK).expect(text);
        assert_eq!((reading.notation, reading.notes.len()), (notation, notes));
        assert_eq!(reading.automaton, rule(4));
    }
    assert!(read_any("obs in Evn -> accept", &DECK).is_err());
}

#[test]
fn the_prose_of_rule_3_counts_the_seven_twice() {
    expect(apart(&rule(3), &rule(6)), "AC AD 7C", Which::Second);
}

#[test]
fn the_printed_formulas_of_rules_3_and_4_allow_every_line() {
    let [third, fourth] = [temporal!("3-printed"), temporal!("4-printed")].map(|f| f.automaton().expect("small"));
    assert_eq!((third.states(), fourth.states()), (1, 1));
    expect(apart(&rule(3), &third), "AC AC 8C", Which::Second);
    expect(apart(&rule(4), &fourth), "AC AC 2C", Which::Second);
    // With "and" between the implications but inside them too, nothing may follow a starter.
    let conjunction = temporal!("3-conjunction").automaton().expect("small");
    expect(apart(&rule(3), &conjunction), "AC AC", Which::First);
}

#[test]
fn the_printed_formula_of_rule_4_joined_by_and_is_a_rule_about_the_next_card() {
    let printed = temporal!("4-conjunction").automaton().expect("small");
    let rank =
        |cmp| Test::Compare(Num::Of(Attribute::Rank, CardRef::Next), cmp, Num::Of(Attribute::Rank, CardRef::Back(1)));
    let next = if_else(Test::In(CardRef::Back(1), DECK.red()), rank(Cmp::Ge), rank(Cmp::Le));
    assert_eq!(printed, Automaton::of(&Rule::new(DECK, next)).expect("a regular rule"));
    expect(apart(&rule(4), &printed), "AC 2C", Which::First);
    // With one AX inside the other it is the rule, of 625 states.
    assert_eq!(temporal!("4").automaton().expect("small"), rule(4));
    assert_eq!(rule(4).states(), 625);
}

#[test]
fn the_printed_protocol_of_rule_4_accepts_and_rejects_an_equal_value() {
    let printed = protocol!("4-printed");
    assert_eq!(printed.notes(), ["both accepted and rejected: AC after AC AC (read as accepted)"]);
    assert_eq!(printed.automaton().expect("small"), rule(4));
}

#[test]
fn the_printed_protocol_of_rule_5_says_nothing_after_a_card_that_is_not_an_ace() {
    let printed = protocol!("5-printed");
    assert_eq!(printed.notes(), ["nothing is said of AC after 2C AC (read as rejected)"]);
    expect(apart(&rule(5), &printed.automaton().expect("small")), "AC AC", Which::Second);
}

#[test]
fn the_printed_until_of_rule_5_leaves_the_colour_of_the_ace_free() {
    let (rule, printed) = (rule(5), temporal!("5-printed").automaton().expect("small"));
    // An ace need not change the colour, since a later one may.
    expect(apart(&rule, &printed), "AC AC", Which::Second);
    // And it may itself be of the other colour.
    let line = [DECK.read("2C").expect("a card")];
    let [a, b] = [&rule, &printed].map(|automaton| automaton.run(&line).expect("a starter"));
    let Separation { line, card, accepted_by } = separate((&rule, a), (&printed, b)).expect("they differ");
    assert_eq!((line, DECK.write(card), accepted_by), (Vec::new(), "AD".to_owned(), Which::Second));
}
