//! Systems: the vectors, two engines and the oracles.

use ken_logic::check::time::{Memory, TimeOptions, TimeQuestion, TimeSession};
use ken_logic::model::system::Visibility;
use ken_logic::model::QueryKind;
use ken_logic::syntax::model_from_json;
use serde_json::Value;

fn vectors(name: &str) -> Value {
    let path = format!("{}/tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the vectors are part of the project")).expect("JSON")
}

fn names(value: &Value) -> Vec<String> {
    let mut all: Vec<String> =
        value.as_array().expect("a list").iter().map(|v| v.as_str().expect("a state").to_string()).collect();
    all.sort();
    all
}

/// The initial states at which a formula holds.
fn ask(system: &str, formula: &str, memory: Memory, visibility: Visibility) -> Vec<String> {
    let document = model_from_json(system).expect("a system");
    let formula = document.formula(formula).expect("a formula");
    let options = TimeOptions { memory: Some(memory), visibility: Some(visibility), ..TimeOptions::default() };
    let mut session = TimeSession::open(document.time.expect("a system"), options);
    let question = TimeQuestion { kind: QueryKind::Check, formula, list: 100, at: None, explain: true };
    let mut found = session.ask(&question).expect("an answer").side.holds_at.expect("few");
    found.sort();
    found
}

#[test]
fn acyclic_vectors_agree_with_and_without_memory() {
    let file = vectors("actctl.json");
    let mut checks = 0;
    for case in file["cases"].as_array().expect("cases") {
        let system = case["system"].to_string();
        for check in case["checks"].as_array().expect("checks") {
            let formula = check["formula"].as_str().expect("a formula");
            let forgetful = ask(&system, formula, Memory::None, Visibility::Seen);
            assert_eq!(forgetful, names(&check["forgetful"]), "without memory: {formula}\n{system}");
            let perfect = ask(&system, formula, Memory::Perfect, Visibility::Seen);
            assert_eq!(perfect, names(&check["perfect_recall"]), "perfect recall: {formula}\n{system}");
            checks += 1;
        }
    }
    println!("{checks} formulas");
    assert!(checks > 800);
}

#[test]
fn cyclic_vectors_agree_with_actions_seen_and_hidden() {
    let file = vectors("recall.json");
    let mut checks = [0, 0];
    for case in file["cases"].as_array().expect("cases") {
        let system = case["system"].to_string();
        let hidden = case["actions"] == "hidden";
        let visibility = if hidden { Visibility::Hidden } else { Visibility::Seen };
        for check in case["checks"].as_array().expect("checks") {
            let formula = check["formula"].as_str().expect("a formula");
            let perfect = ask(&system, formula, Memory::Perfect, visibility);
            assert_eq!(perfect, names(&check["perfect_recall"]), "{visibility:?}: {formula}\n{system}");
            checks[usize::from(hidden)] += 1;
        }
    }
    println!("{} formulas with actions seen, {} hidden", checks[0], checks[1]);
    assert!(checks[0] > 100 && checks[1] > 100);
}
