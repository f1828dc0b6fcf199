//! Positions of Cluedo and Yōkai, layouts and instances of Eleusis, in JSON. The first byte chooses.
//!
//! No panic, every problem can be shown, and what is read is written as data that reads back equal.
#![no_main]

use ken_fuzz::shown;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::{layout, properties};
use ken_games::{cluedo, yokai};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(first) = text.chars().next().filter(char::is_ascii) else { return };
    let rest = &text[1..];
    match first as u8 % 4 {
        0 => cluedo_position(rest),
        1 => yokai_position(rest),
        2 => layout_of(rest),
        _ => {
            if let Err(problems) = properties::instances(rest) {
                shown(rest, &problems);
            }
        }
    }
});

fn cluedo_position(text: &str) {
    match cluedo::read::position(text) {
        Ok(position) => {
            let data = cluedo::read::position_data(&position).to_string();
            let again = cluedo::read::position(&data).expect("what was written reads back");
            assert_eq!(again, position);
        }
        Err(problems) => shown(text, &problems),
    }
}

fn yokai_position(text: &str) {
    match yokai::read::position(text) {
        Ok(position) => {
            let data = yokai::read::position_data(&position).to_string();
            let again = yokai::read::position(&data).expect("what was written reads back");
            assert_eq!(again, position);
        }
        Err(problems) => shown(text, &problems),
    }
}

fn layout_of(text: &str) {
    let deck = Deck::STANDARD;
    match layout::position(text, &deck) {
        Ok(position) => {
            let data = position.layout.to_data(&deck).to_string();
            let again = layout::position(&data, &deck).expect("what was written reads back");
            assert_eq!(again.layout, position.layout);
            position.layout.draw(&deck, 40);
        }
        Err(problems) => shown(text, &problems),
    }
}
