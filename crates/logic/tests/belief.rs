//! Belief bases: the vectors, the law of time, text there and back, bad input.
//!
//! `vectors/belief.json` and `vectors/revise.json` are copies of the project's shared test data.

use ken_logic::belief::{Alpha, Base, Change, Entailment, Part, Reasoner, Reviser, Store};
use ken_logic::syntax::{Code, Diagnostic};
use serde_json::Value;
use std::collections::BTreeSet;

fn satisfiable(text: &str) -> bool {
    let mut store = Store::new();
    let formula = store.parse(text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
    let found = Reasoner::new().model(&mut store, formula);
    if let Ok(model) = &found {
        assert!(model.satisfies(&store, formula), "{text}: {model:?}");
    }
    found.is_ok()
}

fn cases(text: &str) -> Vec<Value> {
    let mut vectors: Value = serde_json::from_str(text).unwrap();
    let Value::Array(cases) = vectors["cases"].take() else { panic!("a list of cases") };
    assert_eq!(cases.len(), 150);
    cases
}

#[test]
fn satisfiability_agrees_with_the_vectors_and_every_model_is_one() {
    for case in cases(include_str!("vectors/belief.json")) {
        let text = case["formula"].as_str().unwrap();
        assert_eq!(satisfiable(text), case["satisfiable"].as_bool().unwrap(), "{text}");
    }
}

fn formulas(store: &mut Store, list: &Value) -> Vec<Alpha> {
    let texts = list.as_array().unwrap().iter().map(|text| text.as_str().unwrap());
    texts.map(|text| store.parse_basic(text).unwrap_or_else(|p| panic!("{text}: {p:?}"))).collect()
}

fn set(list: &[Alpha]) -> BTreeSet<Alpha> {
    list.iter().copied().collect()
}

#[test]
fn revision_agrees_with_the_vectors() {
    for case in cases(include_str!("vectors/revise.json")) {
        let mut store = Store::new();
        let mut read = |list| formulas(&mut store, list);
        let given = &case["base"];
        let base = Base {
            core: read(&given["core"]),
            hypothetical: read(&given["hypothetical"]),
            factual: read(&given["factual"]),
        };
        let input = read(&given["input"]);
        let (hypothetical, factual) = (read(&case["hypothetical"]), read(&case["factual"]));
        let (after, change) = base.revise(&store, &input);
        assert_eq!(change.accepted(), case["accepted"].as_bool().unwrap(), "{case}");
        assert_eq!(set(&after.factual), set(&factual), "{case}");
        assert_eq!(set(&after.hypothetical), set(&hypothetical), "{case}");
    }
}

#[test]
fn the_time_constraints_hold_in_the_actual_state_too() {
    for text in ["!now>=0", "now>=3 & !now>=2", "now>=3 & !I[m] now>=3"] {
        assert!(!satisfiable(text), "{text}");
    }
    for text in ["now>=3 & !B[m] now>=2", "B[m] now>=3 & !now>=3", "now>=3 & !I[m] (now>=1 & B[m] now>=2)"] {
        assert!(!satisfiable(text), "{text}");
    }
    for text in ["!now>=3 & now>=2", "!now>=3 & !I[m] !now>=5", "!I[m] !B[m] now>=7"] {
        assert!(satisfiable(text), "{text}");
    }
}
