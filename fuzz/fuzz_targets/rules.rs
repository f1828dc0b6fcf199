//! Rules of Eleusis: no panic, every problem can be shown, what was read prints as a text that reads back as a rule that
//! prints and judges alike, and the three ways to judge a card agree: the plain evaluation, all cards at once, and the
//! automaton.
#![no_main]

use ken_fuzz::{lines, shown};
use ken_games::eleusis::automaton::Automaton;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::rule::Rule;
use ken_logic::syntax::Code;
use libfuzzer_sys::fuzz_target;

/// Larger automata take longer than a run of the fuzzer should.
const MEMORIES: usize = 500;

fuzz_target!(|text: &str| {
    let deck = Deck::STANDARD;
    let rule = match Rule::parse(text, &deck) {
        Ok(rule) => rule,
        Err(problems) => return shown(text, &problems),
    };
    let printed = rule.to_string();
    let again = Rule::parse(&printed, &deck);
    match &again {
        // A condition that no value meets may be an empty choice, and `never` when it is read again: it judges alike.
        Ok(again) => assert_eq!(again.to_string(), printed),
        // What is written out may be longer or deeper than a text may be.
        Err(problems) => {
            assert!(problems.iter().any(|p| matches!(p.code, Code::Large | Code::Depth)), "`{printed}`: {problems:?}");
        }
    }
    let automaton = Automaton::within(&rule, MEMORIES).ok();
    for line in lines(text, |line| rule.accepted(line)) {
        let together = rule.accepted(&line);
        let single = deck.filter(|card| rule.accepts(&line, card));
        assert_eq!(together, single, "after {line:?}");
        if let Ok(again) = &again {
            assert_eq!(again.accepted(&line), together, "after {line:?}, printed as `{printed}`");
        }
        if let Some(automaton) = &automaton {
            let state = automaton.run(&line).expect("accepted cards lead on");
            assert_eq!(automaton.accepted(state), together, "after {line:?}");
        }
    }
});
