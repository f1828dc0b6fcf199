use super::*;
use ken_logic::syntax::Source;

/// The classic table of six with this hand and these events.
fn file(events: &str) -> String {
    format!(
        "{{\"hand_sizes\": [3,3,3,3,3,3], \"observer\": 0, \"hand\": [\"plum\",\"rope\",\"hall\"],\n\"events\": [{events}]}}"
    )
}

fn problems(text: &str) -> String {
    let source = Source { name: "p.json", text };
    position(text).unwrap_err().iter().map(|p| source.render(p)).collect::<Vec<_>>().join("")
}

const WRONG: &[&str] = &[
    r#"[1]"#,
    r#"{"hand_sizes": [3,3,3,3,3,3], "observer": 0, "hands": ["plum","rope","hall"], "events": []}"#,
    r#"{"hand_sizes": [3,3,3,3,3], "observer": 5, "hand": ["plum","rope","plum"], "events": []}"#,
    r#"{"hand_sizes": [3,3,3,3,3,3], "observer": 0, "hand": ["plum","rope"], "events": {}}"#,
    r#"{"deck": {"a": ["x","y"], "b": ["x"]}, "hand_sizes": [1,1], "observer": 0, "hand": ["x"], "events": []}"#,
    r#"{"deck": {"a": []}, "hand_sizes": [1,1], "observer": 0, "hand": ["x"], "events": []}"#,
];

const WRONG_EVENTS: &[&str] = &[
    r#"{"ask": 1, "cards": ["gren","rope","study"], "passed": [2,3], "shown_by": 4}, {"endmove": 9}"#,
    r#"{"ask": 1, "cards": ["green","plum","study"], "passed": [], "shown_by": 2}"#,
    r#"{"ask": 1, "cards": ["green","wrench","study"], "passed": [2,4], "shown_by": 5}"#,
    r#"{"ask": 1, "cards": ["green","wrench","study"], "passed": [2], "shown_by": 4}"#,
    r#"{"ask": 1, "cards": ["green","wrench","study"], "passed": [], "shown_by": 1}"#,
    r#"{"ask": 1, "cards": ["green","wrench","study"], "passed": [2,3,4,5,0], "shown_by": null, "shown": "green"}"#,
    r#"{"ask": 1, "cards": ["green","rope","study"], "passed": [2,3,4,5,0], "shown_by": null}"#,
    r#"{"ask": 0, "cards": ["green","rope","study"], "passed": [1], "shown_by": 2}"#,
    r#"{"ask": 0, "cards": ["green","rope","study"], "passed": [], "shown_by": 1, "shown": "dagger"}"#,
    r#"{"ask": 3, "cards": ["green","rope","study"], "passed": [4,5], "shown_by": 0, "shown": "green"}"#,
    r#"{"ask": 1, "cards": ["green","rope","study"], "passed": [], "shown_by": 2, "shown": "green"}"#,
    r#"{"ask": 1, "cards": ["green","rope","study"], "past": [], "shown_by": 2}"#,
    r#"{"ask": 1, "accuse": 2, "cards": ["green","rope","study"]}"#,
    r#"{"askk": 1, "cards": ["green","rope","study"]}"#,
    r#"{"accuse": 2, "cards": ["green","wrench","study"], "correct": 1}"#,
    r#"{"accuse": 2, "cards": ["green","wrench","study"], "correct": false, "envelope": ["white","wrench","study"]}"#,
    r#"{"accuse": 0, "cards": ["green","wrench","study"], "correct": false, "envelope": ["green","wrench","study"]}"#,
    r#"{"accuse": 1, "cards": ["green","wrench","study"], "correct": true}, {"endmove": 2}"#,
    r#"{"accuse": 0, "cards": ["green","wrench","study"], "correct": false}"#,
];

#[test]
fn every_problem_of_a_file_is_shown_with_its_place() {
    let mut shown = String::new();
    for text in WRONG.iter().map(|t| t.to_string()).chain(WRONG_EVENTS.iter().map(|e| file(e))) {
        shown.push_str(&problems(&text));
        shown.push('\n');
    }
    assert_eq!(shown, include_str!("../../../tests/data/cluedo-problems.txt"), "{shown}");
}

#[test]
fn positions_read_back_what_is_written() {
    let knowledge = include_str!("../../../tests/data/cluedo-knowledge.json");
    let counts = include_str!("../../../tests/data/cluedo-counts.json");
    for data in [knowledge, counts] {
        let data: Value = serde_json::from_str(data).unwrap();
        for case in data["cases"].as_array().unwrap() {
            let first = position(&case["position"].to_string()).unwrap();
            let written = position_data(&first);
            assert_eq!(position(&written.to_string()), Ok(first.clone()));
            assert_eq!(written["events"].as_array().map(Vec::len), Some(first.events().len()));
        }
    }
}

#[test]
fn cards_come_in_any_order_and_a_right_accusation_may_repeat_the_envelope() {
    let right = r#"{"accuse": 0, "cards": ["study","green","wrench"], "correct": true, "envelope": ["green","study","wrench"]}"#;
    assert!(position(&file(right)).is_ok());
}

#[test]
fn an_own_wrong_accusation_without_the_envelope_that_was_seen_is_refused() {
    let own = r#"{"accuse": 0, "cards": ["green","wrench","study"], "correct": false}"#;
    let told = problems(&file(own));
    assert!(told.contains("`envelope` is missing: seat 0, the observer, accused wrongly and saw it"), "{told}");
    assert!(told.contains("help: add \"envelope\""), "{told}");
    let other = own.replace(": 0", ": 1");
    assert!(position(&file(&other)).is_ok(), "another seat's envelope is not seen");
    let mut position = position(&file("")).unwrap();
    let cards = position.deck().triples(position.deck().cards())[0];
    let pushed = position.push(Observed::Accuse { seat: Seat(0), cards, correct: false, envelope: None });
    assert!(pushed.is_err(), "nor can it be added to a position otherwise");
}
