//! The oracles for interpreted systems agree with the vectors and with one another.
//!
//! `vectors/actctl.json` and `vectors/recall.json` are copies of the project's shared test data. What is tested here is
//! `support/traces.rs`, with which other tests compare the engines, and that `support/systems.rs` draws what it should.

use crate::support::forms::{Forms, Tally};
use crate::support::generate::Rng;
use crate::support::systems::{Talk, cyclic, layered, system_forms, talk_forms};
use crate::support::traces::{Forgetful, Plain, Recalling, State, Unrolled, unroll};
use ken_logic::formula::{Formula, Name};
use ken_logic::model::system::Visibility;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How many points an unrolled system may have here; each formula is tried at every depth below that.
const POINTS: usize = 6000;

/// How many traces of a system without cycles are compared pair by pair.
const TRACES: usize = 600;

fn cases(text: &str) -> Vec<Value> {
    let vectors: Value = serde_json::from_str(text).unwrap();
    let cases = vectors["cases"].as_array().unwrap().clone();
    assert!(cases.len() >= 150);
    cases
}

fn states(list: &Value) -> BTreeSet<Name> {
    list.as_array().unwrap().iter().map(|s| s.as_str().unwrap().into()).collect()
}

/// The system read again from its own text: both must say the same.
fn read(system: &Value) -> Plain {
    let plain = Plain::from_json(system);
    assert_eq!(Plain::from_json(&serde_json::from_str(&plain.to_json()).unwrap()), plain);
    plain
}

/// Which of the initial states are certain.
fn split(verdicts: &BTreeMap<usize, Option<bool>>) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let those = |what: Option<bool>| verdicts.iter().filter(|(_, v)| **v == what).map(|(s, _)| *s).collect();
    (those(Some(true)), those(None))
}

#[test]
fn brute_force_agrees_with_the_vectors_of_systems_without_cycles() {
    let mut checked = 0;
    for case in cases(include_str!("../vectors/actctl.json")) {
        let system = read(&case["system"]);
        let forgetful = Forgetful::new(&system);
        let recalling = Recalling::new(&system, Visibility::Seen, usize::MAX).expect("no cycles");
        for check in case["checks"].as_array().unwrap() {
            let text = check["formula"].as_str().unwrap();
            let formula = system.formula(text);
            assert_eq!(system.names(&forgetful.initial(&formula)), states(&check["forgetful"]), "forgetful: {text}");
            assert_eq!(
                system.names(&recalling.initial(&formula)),
                states(&check["perfect_recall"]),
                "perfect recall: {text}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 900);
}

#[test]
fn unrolling_agrees_with_the_vectors_of_systems_with_cycles() {
    let (mut formulas, mut open, mut hidden) = (0, Vec::new(), 0);
    for (number, case) in cases(include_str!("../vectors/recall.json")).iter().enumerate() {
        let system = read(&case["system"]);
        let visibility = match case["actions"].as_str().unwrap() {
            "seen" => Visibility::Seen,
            "hidden" => Visibility::Hidden,
            other => panic!("actions {other}"),
        };
        for check in case["checks"].as_array().unwrap() {
            let text = check["formula"].as_str().unwrap();
            let verdicts = unroll(&system, &system.formula(text), visibility, POINTS);
            let (yes, undecided) = split(&verdicts);
            let expected = states(&check["perfect_recall"]);
            for s in system.initial.difference(&undecided) {
                let name = &system.states[*s].name;
                assert_eq!(yes.contains(s), expected.contains(name), "case {number}, {visibility:?}, {name}: {text}");
            }
            formulas += 1;
            hidden += usize::from(visibility == Visibility::Hidden);
            if !undecided.is_empty() {
                open.push(format!("case {number}, {}: {text}", visibility.name()));
            }
        }
    }
    println!("{formulas} formulas ({hidden} with hidden actions), {} undecided:", open.len());
    open.iter().for_each(|line| println!("  {line}"));
    assert!(formulas > 800 && hidden > 200);
    assert!(open.len() * 100 < formulas, "1 % or more undecided");
}

#[test]
fn brute_force_and_unrolling_agree_where_there_are_no_cycles() {
    let mut tally = Tally::default();
    for seed in 1..=250 {
        let rng = &mut Rng::new(seed);
        let system = layered(rng);
        let visibility = if rng.chance(50) { Visibility::Hidden } else { Visibility::Seen };
        let depth = rng.between(1, 4);
        let formula = Talk { rng, system: &system, common: true, named: true }.formula(depth, 3);
        assert_eq!(system.formula(&formula.to_string()), formula, "{formula} does not read back");
        let mut forms = Forms::new();
        talk_forms(&formula, &mut forms);
        system_forms(&system, &mut forms);
        if visibility == Visibility::Hidden {
            forms.insert("hidden");
        }
        let Some(recalling) = Recalling::new(&system, visibility, TRACES) else { continue };
        let expected = recalling.initial(&formula);
        if !expected.is_empty() && expected != system.initial {
            forms.insert("(true here, false there)");
        }
        if expected != Forgetful::new(&system).initial(&formula) {
            forms.insert("(memory matters)");
        }
        // Deep enough, nothing is left open; not deep enough, nothing is wrong.
        for (depth, window) in [(4, 0), (3, 1), (2, 2), (2, 0), (1, 1), (1, 0), (0, 0)] {
            let unrolled = Unrolled::new(&system, visibility, depth, window, usize::MAX).expect("no limit");
            for (state, verdict) in unrolled.initial(&formula) {
                let right = expected.contains(&state);
                let account = format!("seed {seed}, depth {depth}, window {window}, {}\n{formula}", visibility.name());
                match verdict {
                    Some(verdict) => assert_eq!(verdict, right, "{account}\n{}", system.to_json()),
                    None => assert!(depth < 3, "undecided: {account}\n{}", system.to_json()),
                }
            }
        }
        tally.add(&forms);
    }
    tally.require("systems without cycles", FLOORS);
}

/// Forms that must be drawn, with the least share of cases in percent.
const FLOORS: &[(&str, f64)] = &[
    ("hidden", 30.0),
    (";", 30.0),
    ("+", 20.0),
    ("*", 20.0),
    ("?", 25.0),
    ("?K", 15.0),
    ("? inside *", 4.0),
    ("E", 8.0),
    ("D", 8.0),
    ("K", 15.0),
    ("S", 8.0),
    ("Kw", 8.0),
    ("AX", 10.0),
    ("EX", 10.0),
    ("AG", 10.0),
    ("EG", 10.0),
    ("AF", 10.0),
    ("EF", 10.0),
    ("AU", 10.0),
    ("EU", 10.0),
    ("knowledge of knowledge", 10.0),
    ("knowledge three deep", 2.0),
    ("(true here, false there)", 5.0),
    ("(memory matters)", 4.0),
];

#[test]
fn unrolling_agrees_with_forgetful_agents_where_memory_is_no_use() {
    // Without knowledge there is nothing to remember, so the two semantics agree; and an agent that tells all states
    // apart, with actions hidden, knows the same with and without memory.
    let mut undecided = 0;
    for seed in 1..=150 {
        let rng = &mut Rng::new(seed);
        let mut system = cyclic(rng, 3, 8);
        let knowing = rng.below(2) * 2;
        if knowing > 0 {
            for (i, state) in system.states.iter_mut().enumerate() {
                state.local.iter_mut().for_each(|l| *l = format!("l{i}").into());
            }
        }
        let depth = rng.between(1, 4);
        let formula = Talk { rng, system: &system, common: true, named: true }.formula(depth, knowing);
        let expected = Forgetful::new(&system).initial(&formula);
        let unrolled = Unrolled::new(&system, Visibility::Hidden, 1, 0, usize::MAX).expect("no limit");
        for (state, verdict) in unrolled.initial(&formula) {
            match verdict {
                Some(verdict) => {
                    assert_eq!(verdict, expected.contains(&state), "seed {seed}: {formula}\n{}", system.to_json());
                }
                None => undecided += 1,
            }
        }
    }
    assert_eq!(undecided, 0);
}

#[test]
fn random_systems_with_cycles_are_mostly_decided() {
    let (mut tally, mut open) = (Tally::default(), 0);
    for seed in 1..=200 {
        let rng = &mut Rng::new(seed);
        let system = cyclic(rng, 3, 30);
        let visibility = if rng.chance(50) { Visibility::Hidden } else { Visibility::Seen };
        let depth = rng.between(1, 4);
        let formula = Talk { rng, system: &system, common: false, named: false }.formula(depth, 3);
        assert_eq!(system.formula(&formula.to_string()), formula, "{formula} does not read back");
        let mut forms = Forms::new();
        talk_forms(&formula, &mut forms);
        system_forms(&system, &mut forms);
        if visibility == Visibility::Hidden {
            forms.insert("hidden");
        }
        let (yes, undecided) = split(&unroll(&system, &formula, visibility, POINTS));
        if undecided.is_empty() {
            if !yes.is_empty() && yes != system.initial {
                forms.insert("(true here, false there)");
            }
            if yes != Forgetful::new(&system).initial(&formula) {
                forms.insert("(memory matters)");
            }
        } else {
            open += 1;
        }
        tally.add(&forms);
    }
    println!("{open} of {} undecided", tally.cases());
    tally
        .require("systems with cycles", &[("(cycles)", 100.0), ("(states confused)", 90.0), ("(memory matters)", 1.0)]);
    assert!(open * 20 < tally.cases(), "5 % or more undecided");
}

#[test]
fn systems_come_back_from_the_form_that_engines_take() {
    for seed in 1..=100 {
        let rng = &mut Rng::new(seed);
        let system = if rng.chance(50) { layered(rng) } else { cyclic(rng, 3, 8) };
        let back = Plain::from_transitions(&system.to_transitions());
        // Local states have other names, and programs none.
        assert_eq!((&back.agents, &back.initial, &back.acts, &back.steps), {
            (&system.agents, &system.initial, &system.acts, &system.steps)
        });
        let same = |s: &State, t: &State| (&s.name, &s.props) == (&t.name, &t.props);
        assert!(back.states.iter().zip(&system.states).all(|(s, t)| same(s, t)), "seed {seed}");
        for agent in 0..system.agents.len() {
            let alike = |of: &Plain| -> Vec<bool> {
                let local = |s: usize| &of.states[s].local[agent];
                let pairs = (0..of.states.len()).flat_map(|s| (0..of.states.len()).map(move |t| (s, t)));
                pairs.map(|(s, t)| local(s) == local(t)).collect()
            };
            assert_eq!(alike(&back), alike(&system), "seed {seed}");
        }
        let depth = rng.between(1, 3);
        let formula = Talk { rng, system: &system, common: true, named: false }.formula(depth, 2);
        assert_eq!(Forgetful::new(&back).everywhere(&formula), Forgetful::new(&system).everywhere(&formula));
    }
}

#[test]
fn what_the_semantics_says_of_ends_and_stars_holds() {
    let text = r#"{"agents":["a"],"initial":["s","t"],
        "states":{"s":{"local":{"a":"0"},"props":["p"]},"t":{"local":{"a":"0"},"props":[]},
                  "u":{"local":{"a":"1"},"props":["p"]},"v":{"local":{"a":"1"},"props":[]}},
        "transitions":[["s","x","u"],["t","y","v"]],"programs":{}}"#;
    let system = Plain::from_json(&serde_json::from_str(text).unwrap());
    let judge = |text: &str, visibility: Visibility| -> Vec<Name> {
        let formula: &Formula = &system.formula(text);
        let found = Recalling::new(&system, visibility, TRACES).expect("no cycles").initial(formula);
        let (yes, undecided) = split(&unroll(&system, formula, visibility, TRACES));
        assert_eq!((&yes, undecided.len()), (&found, 0), "{text}");
        system.names(&found).into_iter().collect()
    };
    let none: [Name; 0] = [];
    let (s, t): (Name, Name) = ("s".into(), "t".into());
    // Where the program leads nowhere: AX true, EX false, the others what their body is.
    for (text, holds) in [
        ("AX{z} p", vec![&s, &t]),
        ("EX{z} true", vec![]),
        ("AG{z} p", vec![&s]),
        ("EG{z} p", vec![&s]),
        ("AF{z} p", vec![&s]),
        ("EF{z} p", vec![&s]),
        ("A(true U{z} p)", vec![&s]),
        ("E(true U{z} p)", vec![&s]),
        // A star may stay where it is, for ever.
        ("AF{(x + y)*} !p", vec![&t]),
        ("AF{x + y} K[a] p", vec![&s]),
        ("EG{?p} p", vec![&s]),
    ] {
        let holds: Vec<Name> = holds.into_iter().cloned().collect();
        assert_eq!(judge(text, Visibility::Seen), holds, "{text}");
    }
    // The agent learns from the action what it was, if it sees it.
    assert_eq!(judge("EX K[a] p", Visibility::Seen), vec![s]);
    assert_eq!(judge("EX K[a] p", Visibility::Hidden), none);
}
