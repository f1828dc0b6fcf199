//! The texts of actions in all games, and the two notations of the Eleusis paper. The first byte chooses.
//!
//! No panic; what is read as an action is written as a text that reads back as it is written; a reading in the paper's
//! notation has an automaton whose lines go on as it says.
#![no_main]

use ken_fuzz::{lines, shown};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::notation::{Unreadable, read_any};
use ken_games::list::{GAMES, Kind};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fn action(kind: &dyn Kind, text: &str) {
    let game = kind.with_options(&Value::Null).expect("defaults");
    if let Ok(written) = game.read(text) {
        assert_eq!(game.read(&written).as_ref(), Ok(&written), "it is written as it reads back");
    }
}

fuzz_target!(|text: &str| {
    let Some(first) = text.chars().next().filter(char::is_ascii) else { return };
    let rest = &text[1..];
    match GAMES.iter().nth(first as usize % (GAMES.iter().count() + 1)) {
        Some(kind) => action(kind, rest),
        None => paper(rest),
    }
});

fn paper(text: &str) {
    let deck = Deck::two_suits(13).expect("thirteen values");
    match read_any(text, &deck) {
        Ok(reading) => {
            let automaton = &reading.automaton;
            let accepted = |line: &[_]| automaton.run(line).map(|state| automaton.accepted(state)).unwrap_or_default();
            for line in lines(text, accepted) {
                assert!(line.is_empty() || automaton.refuses(&line).is_none(), "{line:?}");
            }
        }
        Err(Unreadable::Text(problems)) => shown(text, &problems),
        Err(Unreadable::Unbounded(why)) => assert!(!why.to_string().is_empty()),
    }
}
