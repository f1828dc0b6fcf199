//! The five rules of the paper in three notations, from `examples/eleusis/paper`: where the paper is right they give
//! one automaton; where it is not, a line shows it.

use ken_games::cards::Card;
use ken_games::eleusis::automaton::{Automaton, Separation, Which, separate};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::notation::{Notation, Reading, read_any};

const DECK: Deck = Deck::STANDARD;

macro_rules! read {
    ($name:literal) => {
        read($name, include_str!(concat!("../../../examples/eleusis/paper/", $name)))
    };
}

fn read(name: &str, text: &str) -> Reading {
    let reading = read_any(text, &DECK).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let ending = match reading.notation {
        Notation::Rule => ".rule",
        Notation::Protocol => ".protocol",
        Notation::Temporal => ".temporal",
    };
    assert!(name.ends_with(ending), "{name} is read as {:?}", reading.notation);
    reading
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
        (read!("1.rule"), read!("1.protocol"), read!("1.temporal"), 3),
        (read!("2.rule"), read!("2.protocol"), read!("2.temporal"), 53),
        (read!("3.rule"), read!("3.protocol"), read!("3.temporal"), 7),
        (read!("4.rule"), read!("4.protocol"), read!("4.temporal"), 625),
        (read!("5.rule"), read!("5.protocol"), read!("5.temporal"), 3),
    ];
    for (rule, protocol, formula, states) in rules {
        assert_eq!(rule.automaton.states(), states);
        assert_eq!(apart(&rule.automaton, &protocol.automaton), None);
        assert_eq!(apart(&rule.automaton, &formula.automaton), None);
        assert_eq!(rule.automaton, protocol.automaton);
        assert_eq!(rule.automaton, formula.automaton);
        assert!(protocol.notes.is_empty(), "{:?}", protocol.notes);
        assert!(formula.notes.is_empty() && formula.start == DECK.all());
    }
}

#[test]
fn the_prose_of_rule_3_counts_the_seven_twice() {
    expect(apart(&read!("3.rule").automaton, &read!("3b.rule").automaton), "AC AD 7C", Which::Second);
}

#[test]
fn the_printed_formulas_of_rules_3_and_4_allow_every_line() {
    let (third, fourth) = (read!("3-printed.temporal").automaton, read!("4-printed.temporal").automaton);
    assert_eq!((third.states(), fourth.states()), (1, 1));
    expect(apart(&read!("3.rule").automaton, &third), "AC AC 8C", Which::Second);
    expect(apart(&read!("4.rule").automaton, &fourth), "AC AC 2C", Which::Second);
    // With "and" between the implications but inside them too, nothing may follow a starter.
    let conjunction = read!("3-conjunction.temporal");
    expect(apart(&read!("3.rule").automaton, &conjunction.automaton), "AC AC", Which::First);
}

#[test]
fn the_printed_protocol_of_rule_4_accepts_and_rejects_an_equal_value() {
    let printed = read!("4-printed.protocol");
    assert_eq!(printed.notes, ["both accepted and rejected: AC after AC AC (read as accepted)"]);
    assert_eq!(printed.automaton, read!("4.rule").automaton);
}

#[test]
fn the_printed_protocol_of_rule_5_says_nothing_after_a_card_that_is_not_an_ace() {
    let printed = read!("5-printed.protocol");
    assert_eq!(printed.notes, ["nothing is said of AC after 2C AC (read as rejected)"]);
    expect(apart(&read!("5.rule").automaton, &printed.automaton), "AC AC", Which::Second);
}

#[test]
fn the_printed_until_of_rule_5_leaves_the_colour_of_the_ace_free() {
    expect(apart(&read!("5.rule").automaton, &read!("5-printed.temporal").automaton), "2C AD", Which::Second);
}
