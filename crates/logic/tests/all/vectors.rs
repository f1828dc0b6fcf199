//! The vectors for dynamic epistemic logic, computed by brute force from the definitions: every engine agrees.
//!
//! `vectors/del.json` and `vectors/actions.json` are copies of the project's shared test data.

use crate::support::biodivine::BiodivineBdd;
use ken_logic::bdd::{Capacity, OxiddBdd};
use ken_logic::check::explicit::Explicit;
use ken_logic::check::symbolic::worlds_by_symbolic;
use ken_logic::formula::F;
use ken_logic::model::{BitSet, Kripke, Model};
use ken_logic::{Document, Format, Limits};
use serde_json::Value;

struct Case {
    model: Kripke,
    formulas: Vec<F>,
    holds_at: Vec<BitSet>,
}

fn cases(text: &str) -> Vec<Case> {
    let vectors: Value = serde_json::from_str(text).unwrap();
    let mut all = Vec::new();
    for case in vectors["cases"].as_array().unwrap() {
        let document = Document::read(&case["model"].to_string(), Format::Json).unwrap();
        let Model::Kripke(model) = document.model.clone() else { panic!("an explicit model") };
        let (mut formulas, mut holds_at) = (Vec::new(), Vec::new());
        for check in case["checks"].as_array().unwrap() {
            let text = check["formula"].as_str().unwrap();
            let formula = document.formula(text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
            assert_eq!(document.formula(&formula.to_string()).unwrap(), formula, "{text} does not round-trip");
            formulas.push(formula);
            let names: Vec<&str> = check["holds_at"].as_array().unwrap().iter().map(|w| w.as_str().unwrap()).collect();
            holds_at.push(BitSet::from_fn(model.size(), |w| names.contains(&model.name(w).as_str())));
        }
        all.push(Case { model, formulas, holds_at });
    }
    assert_eq!(all.len(), 150);
    all
}

fn agree(text: &str) {
    let mut checked = 0;
    for Case { model, formulas, holds_at } in cases(text) {
        let mut contracting = Explicit::new(model.clone(), Limits::default());
        let mut plain = Explicit::new(model.clone(), Limits::default()).contracting(false);
        let oxidd =
            worlds_by_symbolic(&model, &formulas, |n| OxiddBdd::new(n, Capacity::new(1 << 14, 1 << 12))).unwrap();
        let biodivine = worlds_by_symbolic(&model, &formulas, BiodivineBdd::new).unwrap();
        for (i, formula) in formulas.iter().enumerate() {
            assert_eq!(plain.check(formula).unwrap(), holds_at[i], "explicit: {formula}");
            assert_eq!(contracting.check(formula).unwrap(), holds_at[i], "explicit, contracted: {formula}");
            assert_eq!(oxidd[i], holds_at[i], "symbolic: {formula}");
            assert_eq!(biodivine[i], holds_at[i], "symbolic, second library: {formula}");
            checked += 1;
        }
    }
    assert!(checked > 800, "only {checked} formulas");
}

#[test]
fn every_engine_agrees_with_the_vectors_of_announcements_and_choices() {
    agree(include_str!("../vectors/del.json"));
}

#[test]
fn every_engine_agrees_with_the_vectors_of_nested_learning() {
    agree(include_str!("../vectors/actions.json"));
}
