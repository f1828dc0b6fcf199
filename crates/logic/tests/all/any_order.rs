//! Questions in any order: no answer depends on what was asked before, nor on what gave up; and histories as places.

use ken_logic::check::{EngineChoice, Limit, Memory};
use ken_logic::{Answer, CheckError, Checker, Document, Format, Limits, Options, Query};
use std::path::Path;

/// Numbers from a seed (SplitMix64).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// All that an answer says, as text.
fn said(answer: &Result<Answer, CheckError>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(error) => format!("{error:?}"),
    }
}

fn ask(checker: &mut Checker, query: &Query) -> String {
    said(&checker.ask(query.listing(30).explained()))
}

/// The models of the library with few worlds or states, each by its name.
fn library() -> Vec<(String, Document)> {
    const FEW: u32 = 3000;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut models = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the models are part of the project") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let document = Document::read(&text, Format::Ken).unwrap_or_else(|problems| panic!("{path:?}: {problems:?}"));
        if document.checker(Limits::default()).size().expect("a size").count <= FEW.into() {
            models.push((path.display().to_string(), document));
        }
    }
    models.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(models.len() > 10, "{} models", models.len());
    models
}

#[test]
fn questions_in_any_order_and_twice_have_the_answers_of_the_file_in_its_order() {
    let mut draw = Draw(7);
    let small = Limits { worlds: 40, ..Limits::default() };
    let ways = [
        Options::default(),
        Options { engine: EngineChoice::Symbolic, ..Options::default() },
        Options { memory: Some(Memory::None), ..Options::default() },
        // With so few worlds allowed some questions give up, or go to the other engine.
        Options { limits: small, ..Options::default() },
    ];
    for (name, document) in library() {
        for options in ways {
            let mut in_order = document.checker_with(options);
            let right: Vec<String> = document.queries.iter().map(|query| ask(&mut in_order, query)).collect();
            let mut order: Vec<usize> = (0..document.queries.len()).chain(0..document.queries.len()).collect();
            draw.shuffle(&mut order);
            let mut shuffled = document.checker_with(options);
            for i in order {
                let found = ask(&mut shuffled, &document.queries[i]);
                assert_eq!(found, right[i], "{name} {options:?}: {}", document.queries[i].text);
            }
        }
    }
}

/// Few worlds, but an action that copies them many times over.
const COPIES: &str = "agents a, b\nprops p, q\nvars x : 0..9\naction copy = events {\n  e(i) for i in 1..60: pre p | q\n  \
                      confuse b: e(i) for i in 1..60\n}\npoint p, q, x = 3\n";

#[test]
fn a_limit_that_one_question_reaches_changes_no_other_answer() {
    let document = Document::read(COPIES, Format::Ken).expect("a model");
    let easy = document.query("K[a] p").expect("a formula");
    let hard = document.query("[copy] [copy] K[a] p").expect("a formula");
    let limits = Limits { worlds: 1000, ..Limits::default() };
    for engine in [EngineChoice::Explicit, EngineChoice::Auto] {
        let options = Options { engine, limits, ..Options::default() };
        let alone = ask(&mut document.checker_with(options), &easy);
        let mut checker = document.checker_with(options);
        let gave_up = checker.ask(&hard);
        match engine {
            EngineChoice::Explicit => {
                assert!(matches!(gave_up, Err(CheckError::Limit(Limit::Worlds(1000)))), "{gave_up:?}");
            }
            EngineChoice::Auto | EngineChoice::Symbolic => assert!(gave_up.is_ok(), "{gave_up:?}"),
        }
        assert_eq!(ask(&mut checker, &easy), alone, "{engine:?}");
        assert_eq!(said(&checker.ask(&hard)), said(&gave_up), "{engine:?}: twice");
    }
}

#[test]
fn formulas_with_updates_that_nobody_planned_for_are_answered_on_functions_too() {
    let document = Document::read(COPIES, Format::Ken).expect("a model");
    let mut symbolic = document.checker_with(Options { engine: EngineChoice::Symbolic, ..Options::default() });
    let mut explicit = document.checker_with(Options { engine: EngineChoice::Explicit, ..Options::default() });
    for text in ["[copy] K[a] p", "K[a] p", "[announce p] K[a] p", "[copy] [announce p] K[b] q", "[copy] K[a] p"] {
        let query = document.query(text).expect("a formula");
        let (one, other) = (symbolic.ask(&query).expect("an answer"), explicit.ask(&query).expect("an answer"));
        assert_eq!((one.holds, one.holding), (other.holds, other.holding), "{text}");
    }
}

/// A counter that only its owner sees, and a lamp that both see.
const LAMP: &str = "agents owner, other\nvars x : 0..3 of owner\nprops lit of owner\nobserve other sees lit\n\
                    actions owner: up, flash, stay\nprotocol owner: up if x < 3\nprotocol owner: flash if x > 1\n\
                    protocol owner: stay\ninitial x < 2 & !lit\nnext x := x + 1 if up\nnext lit := true if flash\n";

/// `φ` after a history is what every run says that begins with it: `AX{a} (state -> φ)`, step by step.
#[test]
fn a_history_is_a_place_where_formulas_hold_as_after_its_steps() {
    let histories: [&[(&str, &str)]; 5] = [
        &[("", "{x = 0}")],
        &[("", "{x = 0}"), ("up", "{x = 1}")],
        &[("", "{x = 1}"), ("up", "{x = 2}"), ("flash", "{lit, x = 2}")],
        &[("", "{x = 0}"), ("up", "{x = 1}"), ("up", "{x = 2}"), ("up", "{x = 3}"), ("stay", "{x = 3}")],
        &[("", "{x = 1}"), ("stay", "{x = 1}"), ("up", "{x = 2}"), ("flash", "{lit, x = 2}"), ("stay", "{lit, x = 2}")],
    ];
    let formulas = [
        "x = 2",
        "K[other] x > 0",
        "K[owner] x = 2",
        "!K[owner] K[other] x > 1",
        "C[all] x > 1",
        "EX K[other] x > 1",
        "AG (lit -> K[other] x > 1)",
        "AF lit",
        "K[other] EF lit",
    ];
    for (recall, actions) in [("none", "seen"), ("perfect", "seen"), ("perfect", "hidden")] {
        let text = format!("system recall {recall}, actions {actions}\n{LAMP}");
        let document = Document::read(&text, Format::Ken).unwrap_or_else(|problems| panic!("{problems:?}"));
        let mut checker = document.checker(Limits::default());
        for history in histories {
            let written: Vec<String> = history
                .iter()
                .map(|(action, state)| if action.is_empty() { state.to_string() } else { format!("{action}: {state}") })
                .collect();
            let at = document.point(&written.join(" > ")).expect("a history");
            for formula in formulas {
                // Written from the last step to the first.
                let chain = history.iter().rev().fold(formula.to_string(), |inner, (action, state)| {
                    let lit = if state.contains("lit") { "lit" } else { "!lit" };
                    let x = &state[state.find("x = ").expect("a value")..state.len() - 1];
                    let there = format!("(({lit} & {x}) -> {inner})");
                    if action.is_empty() { there } else { format!("AX{{{action}}} {there}") }
                });
                let query = document.query(formula).expect("a formula").asked_at(at.clone());
                let here = checker.ask(query.explained()).unwrap_or_else(|e| panic!("{written:?} {formula}: {e}"));
                let all = document.query(&chain).unwrap_or_else(|problems| panic!("{chain}: {problems:?}"));
                let after = checker.ask(&all).unwrap_or_else(|e| panic!("{chain}: {e}"));
                let place = format!("{recall} {actions}: {formula} after {written:?}");
                assert_eq!(here.holds, after.holds, "{place}");
                assert_eq!(here.asked, 1u8.into(), "{place}");
                let (_, account) = here.account().expect("an account");
                assert_eq!(account.holds, here.holds, "{place}");
            }
        }
    }
}

#[test]
fn without_memory_any_reachable_state_is_a_place_and_with_it_only_initial_ones_are() {
    let asked = |recall: &str, at: &str| {
        let document = Document::read(&format!("system recall {recall}\n{LAMP}"), Format::Ken).expect("a system");
        let at = document.point(at).expect("a place");
        let query = document.query("K[other] x > 1").expect("a formula").asked_at(at);
        let answer = document.checker(Limits::default()).ask(&query);
        answer.map(|answer| answer.holds).map_err(|error| document.diagnose(&error, Some(&query)).message)
    };
    assert_eq!(asked("none", "{lit, x = 2}"), Ok(true));
    assert_eq!(asked("none", "{x = 3}"), Ok(false));
    assert_eq!(asked("perfect", "{x = 0}"), Ok(false));
    assert_eq!(asked("perfect", "{x = 1} > up: {x = 2} > flash: {lit, x = 2}"), Ok(true));
    assert_eq!(asked("none", "{lit, x = 0}"), Err("`{lit, x = 0}` is not a reachable state of the system".to_string()));
    assert_eq!(asked("perfect", "{x = 3}"), Err("`{x = 3}` is not an initial state of the system".to_string()));
    let wrong = asked("perfect", "{x = 0} > up: {x = 2}").expect_err("no such step");
    assert_eq!(wrong, "no step leads from {x = 0} to up: {x = 2}");
}

#[test]
fn a_history_that_fits_two_runs_is_refused_only_where_they_disagree() {
    // Only who is wet swims, and the watcher sees whether somebody does; both ways lead to the same state.
    let text = "system recall perfect, actions seen\nagents walker, watcher\nprops done, wet of walker\n\
                actions walker: swim, walk\nprotocol walker: swim if wet\nprotocol walker: walk\n\
                initial !done\nnext done := true\n";
    let document = Document::read(text, Format::Ken).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut checker = document.checker(Limits::default());
    let mut ask = |at: &str, formula: &str| {
        let query = document.query(formula).expect("a formula").asked_at(document.point(at).expect("a place"));
        checker.ask(&query).map(|answer| answer.holds)
    };
    let either = "{wet} > {done, wet}";
    assert_eq!(ask(either, "done & K[walker] wet").ok(), Some(true));
    assert!(matches!(ask(either, "K[watcher] wet"), Err(CheckError::Ambiguous(_))));
    assert_eq!(ask("{wet} > swim: {done, wet}", "K[watcher] wet").ok(), Some(true));
    assert_eq!(ask("{wet} > walker.walk: {done, wet}", "K[watcher] wet").ok(), Some(false));
    assert!(matches!(ask("{} > swim: {done}", "done"), Err(CheckError::NoSuchStep { .. })));
}
