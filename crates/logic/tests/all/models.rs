//! The model library and the examples of the language page: every file says what it expects, and gets it.

use ken_logic::check::EngineChoice;
use ken_logic::syntax::{Source, format};
use ken_logic::{Document, Format, Options};
use num_bigint::BigInt;
use std::fs;
use std::path::{Path, PathBuf};

/// Values of parameters under which the expectations of a library model hold too.
const OTHER_PARAMETERS: &[(&str, &str, &[i64])] = &[
    ("attack", "rounds", &[1, 2, 6]),
    ("card-recall", "cards", &[6]),
    ("cluedo", "n", &[2, 3, 4, 5]),
    ("consecutive", "max", &[4, 5, 31]),
    ("dealer-line", "cards", &[2, 4]),
    ("dealer-window", "cards", &[2, 4]),
    ("dealer-window", "window", &[2]),
    ("dealer-window", "rules", &[4]),
    ("dining", "n", &[4, 5, 7]),
    ("dining-protocol", "n", &[4, 5]),
    ("dining-separate", "n", &[4, 5]),
    ("drinking", "n", &[4, 5, 9]),
    ("false-coin", "k", &[3]),
    ("letters", "n", &[2, 4, 6]),
    ("muddy", "n", &[2, 4, 8]),
    ("muddy-protocol", "n", &[2, 4]),
    ("prisoners", "n", &[4]),
    ("sum-and-product", "max", &[65, 80]),
    ("surprise", "days", &[3, 4, 9]),
    ("train-gate", "n", &[3, 4]),
    ("what-sum", "max", &[50, 55]),
];

/// Models with more worlds than can be listed.
const NEVER_LISTED: &[&str] = &["cluedo"];

/// Larger values, for the symbolic engine alone.
const LARGE_PARAMETERS: &[(&str, &str, i64)] =
    &[("dining", "n", 60), ("dining-separate", "n", 20), ("drinking", "n", 80), ("muddy", "n", 40)];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Name and text of every library model.
fn library() -> Vec<(String, String)> {
    let mut models: Vec<(String, String)> = fs::read_dir(root().join("models"))
        .expect("the model library")
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|x| x == "ken"))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_string(), fs::read_to_string(&path).unwrap()))
        .collect();
    models.sort();
    models
}

/// Asks every question of the file and compares the answers with what it expects.
fn meets_expectations(name: &str, text: &str, set: &[(&str, i64)], choice: EngineChoice) {
    let overrides: Vec<(String, BigInt)> = set.iter().map(|(n, v)| (n.to_string(), BigInt::from(*v))).collect();
    let document = Document::read_with(text, Format::Ken, &overrides).unwrap_or_else(|problems| {
        let source = Source { name, text };
        panic!("{}", problems.iter().map(|p| source.render(p)).collect::<String>())
    });
    assert!(!document.queries.is_empty(), "{name} asks nothing");
    let mut checker = document.checker_with(Options { engine: choice, ..Options::default() });
    for query in &document.queries {
        let place = format!("{name} {set:?} {choice:?}: {}", query.text);
        let expected = query.expected.as_ref().unwrap_or_else(|| panic!("{place}: nothing is expected"));
        // Every answer about time comes with an account of it.
        let of_time = document.time.is_some() && !query.formula.is_dynamic();
        let ask = if of_time { query.listing(50).explained() } else { query.into() };
        let answer = checker.ask(ask).unwrap_or_else(|error| panic!("{place}: {error:?}"));
        assert_eq!(answer.meets(expected), Some(true), "{place}: holds at {} of them", answer.holding);
        assert_eq!(answer.account().is_some(), of_time && query.kind.is_judged(), "{place}: the account");
    }
}

/// The engines that can check the model.
fn engines(name: &str, text: &str) -> &'static [EngineChoice] {
    if NEVER_LISTED.contains(&name) {
        &[EngineChoice::Auto, EngineChoice::Symbolic]
    } else if Document::read(text, Format::Ken).is_ok_and(|document| document.model.is_belief()) {
        &[EngineChoice::Auto, EngineChoice::Explicit]
    } else {
        &[EngineChoice::Auto, EngineChoice::Explicit, EngineChoice::Symbolic]
    }
}

#[test]
fn library_models_meet_their_expectations() {
    let models = library();
    assert!(models.len() >= 19, "{} models found", models.len());
    for (name, text) in &models {
        let mut lines = text.lines();
        let title = lines.next().and_then(|l| l.strip_prefix("-- ")).unwrap_or_else(|| panic!("{name} has no title"));
        assert!(!title.trim().is_empty() && !title.starts_with("Source:"), "{name} has no title");
        let source = lines.next().and_then(|l| l.strip_prefix("-- Source: "));
        assert!(source.is_some_and(|s| !s.trim().is_empty()), "{name} has no `-- Source:` in its second line");
        assert_eq!(format(text).ok().as_deref(), Some(text.as_str()), "{name} is not formatted");
        for &choice in engines(name, text) {
            meets_expectations(name, text, &[], choice);
        }
    }
}

#[test]
fn library_models_meet_their_expectations_for_other_parameters() {
    let models = library();
    let text = |name: &str| &models.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("no model {name}")).1;
    for &(name, parameter, values) in OTHER_PARAMETERS {
        for &value in values {
            for &choice in engines(name, text(name)) {
                meets_expectations(name, text(name), &[(parameter, value)], choice);
            }
        }
    }
    for &(name, parameter, value) in LARGE_PARAMETERS {
        meets_expectations(name, text(name), &[(parameter, value)], EngineChoice::Symbolic);
    }
    for (name, text) in &models {
        for parameter in text.lines().filter_map(|l| l.strip_prefix("param ")?.split_once('=')).map(|(p, _)| p.trim()) {
            let tried = OTHER_PARAMETERS.iter().any(|(n, p, _)| n == name && *p == parameter);
            assert!(tried, "no other value of `{parameter}` is tried for {name}");
        }
    }
}

#[test]
fn examples_of_the_language_page_are_true() {
    let page = fs::read_to_string(root().join("docs/language.md")).unwrap();
    let examples: Vec<&str> = page.split("```ken\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(examples.len() >= 14, "{} examples found", examples.len());
    for (i, text) in examples.iter().enumerate() {
        let name = format!("example {} of docs/language.md", i + 1);
        assert_eq!(format(text).ok().as_deref(), Some(*text), "{name} is not formatted");
        for choice in [EngineChoice::Auto, EngineChoice::Explicit] {
            meets_expectations(&name, text, &[], choice);
        }
    }
}
