//! Belief files and formulas of belief bases. The first byte chooses.
//!
//! No panic, every problem can be shown; a formula prints as a text that reads back as the same one, and so does every
//! formula of a file.
#![no_main]

use ken_fuzz::shown;
use ken_logic::belief::{Alpha, BeliefFile, Purpose, Store};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Some(first) = text.chars().next().filter(char::is_ascii) else { return };
    let rest = &text[1..];
    let mut store = Store::new();
    let purpose = match first as u8 % 4 {
        0 => Purpose::Base,
        1 => Purpose::Revision,
        2 => Purpose::Plan,
        _ => return formula(&mut store, rest),
    };
    match BeliefFile::read(&mut store, rest, purpose) {
        Ok(file) => {
            let all = file.input.iter().chain(&file.goal).chain(file.actions.iter().map(|(_, action)| &action.learn));
            for alpha in all.copied().collect::<Vec<Alpha>>() {
                let printed = store.show_basic(alpha);
                if let Ok(again) = store.parse_basic(&printed) {
                    assert_eq!(again, alpha, "printed as `{printed}`");
                }
            }
        }
        Err(problems) => shown(rest, &problems),
    }
});

fn formula(store: &mut Store, text: &str) {
    match store.parse(text) {
        Ok(formula) => {
            let printed = store.show(formula);
            // What is written out may be deeper than a text may be.
            if let Ok(again) = store.parse(&printed) {
                assert_eq!(again, formula, "printed as `{printed}`");
            }
        }
        Err(problems) => shown(text, &problems),
    }
}
