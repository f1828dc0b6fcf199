//! Positions of Yōkai in JSON: what is left out, and what is wrong with a file, each with its place.

use ken_games::cards::{Card, CardSet};
use ken_games::game::Seat;
use ken_games::yokai::read::{position, position_data};
use ken_games::yokai::{Cell, Colour, Colours, Position, Step, Steps};
use serde_json::{Value, json};

fn cells() -> Value {
    let cell = |i: i32| (i.to_string(), json!([15 + (i - 1) / 4, 15 + (i - 1) % 4]));
    Value::Object((1..=16).map(cell).collect())
}

/// A position with this beside its cells.
fn with(more: Value) -> String {
    let mut data = json!({"cells": cells()});
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    data.to_string()
}

#[test]
fn what_is_left_out_has_its_default() {
    assert_eq!(position(&with(json!({"marks": {}}))), Ok(Position::start(Seat(0))));
    let marked = position(&with(json!({"marked": [3, 9, 16]}))).unwrap();
    assert_eq!(marked.stage.marked(), [2, 8, 15].map(Card).into_iter().collect());
    assert_eq!(marked.stage.marks()[2], Some(Colours::ALL), "the hint is not known");
    assert_eq!(marked.stage.available().iter().sum::<u8>(), 4);
    assert_eq!(marked.stage.activated(), 3);
}

#[test]
fn everything_that_can_be_said_is_read() {
    let text = with(json!({
        "marks": {"3": ["red", "green"]}, "active": [["blue"]], "available": {"1": 1, "2": 2, "3": 2},
        "seen": {"1": "red", "16": "Y"}, "partner_seen": [4, 7], "seat": 1, "step": "move", "looked": 1,
    }));
    let read = position(&text).unwrap();
    assert_eq!((read.me, read.stage.seat()), (Seat(1), Seat(1)));
    assert_eq!(read.stage.marks()[2], Colours::read("rg"));
    assert_eq!(read.stage.active(), [Colours::of(Colour::Blue)]);
    assert_eq!(read.stage.available(), [1, 2, 2]);
    assert_eq!((read.seen[0], read.seen[15], read.known().len()), (Some(Colour::Red), Some(Colour::Yellow), 2));
    assert_eq!(read.partner_seen, [3, 6].map(Card).into_iter().collect::<CardSet>());
    assert_eq!(read.stage.steps(), Steps { looks: 2, first: Some(Card(0)), moved: false, hinted: false });
    assert_eq!(read.stage.turns(), 3, "two hints were drawn and one was used");
    assert_eq!(position(&position_data(&read).to_string()), Ok(read));
    let early = position(&with(json!({"marks": {}, "step": "look", "looked": 2, "done": ["hint"]}))).unwrap();
    assert_eq!(early.stage.steps(), Steps { looks: 1, first: Some(Card(1)), moved: false, hinted: true });
    assert_eq!(early.stage.steps().next(), Some(Step::Look));
}

#[test]
fn coordinates_may_be_negative_and_large() {
    let cell = |i: i32| (i.to_string(), json!([-1_000_000_000 + i, -3]));
    let cells: Value = Value::Object((0..16).map(|i| cell(i + 1)).collect());
    let read = position(&json!({"cells": cells, "marks": {}}).to_string()).unwrap();
    assert_eq!(read.stage.layout().cell(Card(15)), Cell::new(-999_999_984, -3));
}

/// What is said about a wrong position, with the text that it points at and the help.
fn problems(text: &str) -> Vec<(String, String, String)> {
    let wrong = position(text).expect_err("it should be wrong");
    let place = |d: &ken_logic::syntax::Diagnostic| text[d.span.start as usize..d.span.end as usize].to_string();
    wrong.iter().map(|d| (d.message.clone(), place(d), d.help.clone().unwrap_or_default())).collect()
}

fn only(more: Value) -> (String, String, String) {
    let mut found = problems(&with(more));
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn says(more: Value, message: &str, place: &str, help: &str) {
    let (said, at, helped) = only(more);
    assert_eq!((said.as_str(), at.as_str(), helped.as_str()), (message, place, help));
}

#[test]
fn layouts_that_cannot_be_say_which_card_lies_wrong() {
    let moved = |card: &str, to: Value| {
        let mut cells = cells();
        cells[card] = to;
        json!({"cells": cells, "marks": {}})
    };
    says(moved("7", json!([15, 15])), "cards 1 and 7 lie on the same cell", "[15,15]", "");
    says(
        moved("7", json!([30, 15])),
        "card 7 is not connected with card 1",
        "[30,15]",
        "all cards must be connected by their sides",
    );
    says(moved("7", json!([15])), "expected a row and a column: [15, 15]", "[15]", "");
    says(moved("7", json!([15, 1.5])), "expected a whole number up to 1,000,000,000", "1.5", "");
    says(moved("17", json!([15, 19])), "there is no card `17`", "\"17\"", "the cards are \"1\" to \"16\"");
    let mut few = cells();
    few.as_object_mut().unwrap().retain(|k, _| k != "3" && k != "12");
    assert_eq!(only(json!({"cells": few, "marks": {}})).0, "no cell is given for 3, 12");
    let nothing = problems("{}");
    assert_eq!(nothing.iter().map(|p| p.0.as_str()).collect::<Vec<_>>(), ["`cells` is missing", "`marks` is missing"]);
    assert_eq!(problems("[1]")[0].0, "expected a position: an object with \"cells\" and \"marks\"");
}

#[test]
fn hints_that_cannot_be_say_why() {
    let none = "a hint has one to three colours, not 0";
    says(json!({"marks": {"3": []}}), none, "[]", "");
    let four = json!({"marks": {"3": ["red", "green", "blue", "yellow"]}});
    assert_eq!(only(four).0, "a hint has one to three colours, not 4");
    says(json!({"marks": {"3": ["red", "red"]}}), "the hint has red twice", "\"red\"", "");
    says(json!({"marks": {"3": ["rod"]}}), "there is no colour `rod`", "\"rod\"", "did you mean `red`?");
    let twice = json!({"marks": {"3": ["red"]}, "active": [["red"]]});
    says(twice, "the hint r is there twice", "[\"red\"]", "all hints are different");
    let three = json!({"marks": {}, "active": [["red"], ["green"], ["blue"]]});
    says(three, "only 2 hints of 1 colour lie in a match", "[\"blue\"]", "");
    assert_eq!(
        only(json!({"marked": [1, 2, 3, 4, 5, 6, 7, 8]})).0,
        "8 cards are marked, and seven hints lie in a match"
    );
    let more = json!({"marked": [1, 2, 3, 4, 5, 6, 7], "active": [["red"]]});
    says(more, "seven hints lie in a match", "[\"red\"]", "");
    says(
        json!({"marks": {"3": ["red"]}, "available": {"1": 2, "2": 3, "3": 2}}),
        "the hints do not add up",
        "{\"1\":2,\"2\":3,\"3\":2}",
        "with those drawn, 1, 3 and 2 of one, two and three colours are left",
    );
    // A position may leave hints out: it says what is left, not what there was.
    let few = json!({"marks": {}, "available": {"2": 3, "3": 2}});
    assert_eq!(position(&with(few)).expect("fewer hints will do").stage.available(), [0, 3, 2]);
    let unknown = json!({"marked": [1, 2], "available": {"1": 2, "2": 3, "3": 2}});
    assert_eq!(only(unknown).2, "with those drawn, 2, 3 and 2 are left at most, 2 less in all");
    assert_eq!(only(json!({"marks": {}, "available": {"1": 3}})).0, "expected a number from 0 to 2");
    assert_eq!(only(json!({"marks": {}, "available": {"4": 1}})).0, "no hint has 4 colours");
}

#[test]
fn what_was_seen_must_be_possible() {
    let five = json!({"marks": {}, "seen": {"1": "red", "2": "red", "3": "red", "4": "red", "5": "red"}});
    says(five, "more than four cards are red", "\"red\"", "");
    let twice = r#"{"seen": {"1": "red", "1": "blue"}}"#;
    assert_eq!(problems(twice), [("`1` is given twice".into(), "\"1\"".into(), String::new())]);
    says(json!({"marks": {}, "partner_seen": [4, 4]}), "card 4 is there twice", "4", "");
    says(json!({"marks": {}, "partner_seen": [0]}), "expected a card: a number from 1 to 16", "0", "");
    says(json!({"marks": {}, "seat": 2}), "expected a seat: 0 or 1", "2", "");
    says(json!({"marks": {}, "step": "mark"}), "expected a step: \"look\", \"move\" or \"hint\"", "\"mark\"", "");
    says(
        json!({"marks": {}, "step": "move", "done": ["look"]}),
        "`look` cannot be done if `move` is the next step",
        "\"look\"",
        "",
    );
    says(
        json!({"marks": {}, "partner_sen": []}),
        "unknown key `partner_sen`",
        "\"partner_sen\"",
        "did you mean `partner_seen`?",
    );
}

#[test]
fn all_problems_of_a_file_are_told_at_once() {
    let found = problems(&with(json!({"marks": {"17": ["red"]}, "seen": {"1": "rod"}, "seat": 7, "steps": 1})));
    assert_eq!(found.len(), 4, "{found:?}");
}
