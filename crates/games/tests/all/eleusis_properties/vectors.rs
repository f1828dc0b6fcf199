//! The published instances.

use ken_games::bridge::eleusis as bridge;
use ken_games::eleusis::properties::{
    Instance, Mode, Observation, Person, Protocol, Reading, Verdicts, best_strategy_depth, decide, instances, result,
    story,
};
use serde_json::{Value, json};

pub(crate) fn file() -> Value {
    serde_json::from_str(include_str!("../../data/eleusis-properties.json")).unwrap()
}

/// The instances with their published results.
fn published() -> Vec<(Instance, Value)> {
    let file = file();
    let text = json!({"rules": file["rules"], "instances": file["instances"]}).to_string();
    let results = file["instances"].as_array().unwrap().iter().map(|data| data["result"].clone());
    instances(&text).unwrap().into_iter().zip(results).collect()
}

#[test]
fn the_search_decides_every_published_instance_as_published() {
    let published = published();
    assert_eq!(published.len(), 80);
    for (instance, wanted) in &published {
        let decisions = decide(instance, 100_000).unwrap();
        let verdicts: Vec<Verdicts> = decisions.iter().map(Verdicts::from).collect();
        assert_eq!(result(instance, &verdicts), *wanted, "{:?}", instance.id);
    }
}

fn engine_agrees(instance: &Instance, wanted: &Value) {
    let verdicts: Vec<Verdicts> = bridge::check(instance).unwrap().iter().map(Verdicts::from).collect();
    assert_eq!(result(instance, &verdicts), *wanted, "{:?}", instance.id);
}

/// A forgetful Bob needs idle steps, which multiply what he considers possible: with five or eight candidates these
/// take seconds each.
fn slow(instance: &Instance) -> bool {
    instance.observation == Observation::Forgetful && instance.rules.len() > 3
}

#[test]
fn the_engine_of_perfect_recall_decides_the_published_instances_as_published() {
    let quick: Vec<_> = published().into_iter().filter(|(instance, _)| !slow(instance)).collect();
    assert_eq!(quick.len(), 64);
    quick.iter().for_each(|(instance, wanted)| engine_agrees(instance, wanted));
}

#[test]
#[ignore = "a minute: cargo test --release -p ken-games --test all eleusis_properties -- --ignored"]
fn the_engine_of_perfect_recall_decides_the_slow_instances_as_published() {
    published().iter().filter(|(instance, _)| slow(instance)).for_each(|(i, wanted)| engine_agrees(i, wanted));
}

#[test]
fn counterexamples_are_lines_on_which_nobody_knows_until_they_end() {
    let mut told = 0;
    for (instance, _) in published() {
        for (rule, decision) in decide(&instance, 100_000).unwrap().iter().enumerate() {
            let line = story(&instance, rule, decision.someone.evidence());
            let known = line.plays.iter().position(|play| play.knows.contains(&true)).map(|at| at + 1);
            match decision.someone.within() {
                Some(0) => assert!(line.plays.is_empty()),
                Some(moves) => assert_eq!(known, Some(moves as usize), "{:?}", instance.id),
                None => assert_eq!(known, None, "{:?}", instance.id),
            }
            told += line.plays.len();
        }
    }
    assert!(told > 500, "{told}");
}

#[test]
fn best_strategies_are_as_deep_as_published() {
    let file = file();
    let mut asked = 0;
    for data in file["best_strategy_depth"].as_array().unwrap() {
        for (starter, depth) in data["least_worst_case_plays_by_starter"].as_object().unwrap() {
            let all = file["instances"].as_array().unwrap();
            let rules = &all.iter().find(|instance| instance["family"] == data["family"]).unwrap()["rules"];
            let instance = json!({
                "rules": rules, "deck": format!("suits R,B x values 1..{}", data["values"]), "starter": starter,
                "knowledge": data["knowledge"],
            });
            let text = json!({"rules": file["rules"], "instances": [instance]}).to_string();
            let instance = &instances(&text).unwrap()[0];
            assert_eq!(best_strategy_depth(instance), depth.as_u64().map(|n| n as u32), "{data} {starter}");
            asked += 1;
        }
    }
    assert_eq!(asked, 112);
}

#[test]
fn who_plays_by_plan_needs_as_many_moves_as_the_best_strategy() {
    for (mut instance, _) in published() {
        if instance.mode == Mode::Unlimited && instance.observation == Observation::Public {
            instance.protocol = Protocol::Planned;
            instance.bound = None;
            let decisions = decide(&instance, 100_000).unwrap();
            let worst: Option<Vec<u32>> = decisions.iter().map(|d| d.someone.within()).collect();
            let depth = best_strategy_depth(&instance);
            assert_eq!(worst.map(|all| all.into_iter().max().unwrap()), depth, "{:?}", instance.id);
        }
    }
}

#[test]
fn an_instance_needs_only_rules_and_a_starter() {
    let text = r#"{"rules": ["red(next)", "black(next)"], "starter": "7C"}"#;
    let instance = &instances(text).unwrap()[0];
    assert_eq!((instance.first, instance.mode, instance.bound), (Person::A, Mode::Unlimited, None));
    assert_eq!(instance.reading, Reading::Residual);
    let decisions = decide(instance, 1_000).unwrap();
    assert_eq!(decisions[0].least_m(), Some(2));
}

#[test]
fn candidates_may_stand_in_the_family() {
    let names = |text: &str| -> Vec<String> {
        instances(text).unwrap()[0].rules.iter().map(|candidate| candidate.name.clone()).collect()
    };
    assert_eq!(names(r#"{"family": ["red(next)", "black(next)"], "starter": "7C"}"#), ["red(next)", "black(next)"]);
    let map = r#""family": {"r": "red(next)", "b": "black(next)"}, "starter": "7C""#;
    assert_eq!(names(&format!("{{{map}}}")), ["r", "b"]);
    assert_eq!(names(&format!(r#"{{{map}, "rules": ["b"]}}"#)), ["b"]);
}

#[test]
fn problems_of_a_file_are_found_at_once_with_their_places() {
    let text = r#"{"rules": {"a": "colour(next) = purple"}, "starter": "99", "protocl": "any", "observation": "loud"}"#;
    let problems = instances(text).unwrap_err();
    let marked: Vec<&str> = problems.iter().map(|p| &text[p.span.start as usize..p.span.end as usize]).collect();
    for wanted in ["\"99\"", "\"protocl\"", "\"loud\""] {
        assert!(marked.contains(&wanted), "{wanted}: {marked:?}");
    }
    assert!(problems.len() >= 4, "{problems:?}");
    let rule = text.find("colour(next)").unwrap()..text.find("\"}, \"starter").unwrap();
    assert!(problems.iter().any(|p| rule.contains(&(p.span.start as usize))), "{problems:?}");
}
