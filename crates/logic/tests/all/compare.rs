//! Comparing models: bisimilar exactly when contraction merges, and formulas that really tell apart.

use ken_logic::check::compare::{CompareError, Comparison, compare};
use ken_logic::check::explicit::Explicit;
use ken_logic::formula::{F, Formula, Name};
use ken_logic::model::enumerate::{Budget, enumerate};
use ken_logic::model::kripke::{Classes, Edges, Relation};
use ken_logic::model::{BitSet, Kripke, Model};
use ken_logic::syntax::Scope;
use ken_logic::update::{Keep, contract};
use ken_logic::{Document, Format, Limits};
use proptest::prelude::*;

const AGENTS: [&str; 3] = ["a", "b", "c"];
const PROPS: [&str; 3] = ["p", "q", "r"];

fn names(list: &[&str]) -> Vec<Name> {
    list.iter().map(|&n| n.into()).collect()
}

fn holds(model: &Kripke, world: usize, formula: &F) -> bool {
    Explicit::new(model.clone(), Limits::default()).check(formula).unwrap().contains(world)
}

/// The formula that tells the worlds apart, verified here once more.
fn difference(left: &Kripke, u: usize, right: &Kripke, v: usize) -> Option<F> {
    match compare(left, u, right, v).unwrap() {
        Comparison::Bisimilar { classes, left: of_left, right: of_right } => {
            assert_eq!((of_left.len(), of_right.len()), (left.size(), right.size()));
            assert_eq!(of_left[u], of_right[v]);
            assert!(of_left.iter().chain(&of_right).all(|&c| (c as usize) < classes));
            None
        }
        Comparison::Different(formula) => {
            assert!(holds(left, u, &formula), "{formula} is false on the left");
            assert!(!holds(right, v, &formula), "{formula} is true on the right");
            Some(formula)
        }
    }
}

fn text(left: &Kripke, u: usize, right: &Kripke, v: usize) -> String {
    difference(left, u, right, v).map_or("bisimilar".into(), |f| f.to_string())
}

/// A model with these classes for each agent; worlds not listed stand alone.
fn s5(facts: &[&[&str]], classes: &[(&str, &[&[usize]])]) -> Kripke {
    let agents: Vec<&str> = classes.iter().map(|(a, _)| *a).collect();
    let mut model = Kripke::new(facts.len(), names(&agents), Vec::new());
    for (world, facts) in facts.iter().enumerate() {
        facts.iter().for_each(|p| model.set_true(world, p));
    }
    for (agent, (_, classes)) in classes.iter().enumerate() {
        let class = |w: usize| classes.iter().position(|c| c.contains(&w)).ok_or(w);
        model.set_relation(agent, Relation::Classes(Classes::by_key((0..facts.len()).map(class))));
    }
    model
}

fn ken(source: &str) -> Kripke {
    let document = Document::read(source, Format::Ken).unwrap_or_else(|problems| panic!("{problems:?}"));
    match document.model {
        Model::Kripke(model) => model,
        Model::Law(law) => enumerate(&law, Budget { worlds: 10_000, steps: 1_000_000 }).unwrap().unwrap(),
    }
}

#[test]
fn facts_are_told_apart_by_literals() {
    let left = s5(&[&["p"]], &[("a", &[])]);
    let right = s5(&[&["q"]], &[("a", &[])]);
    assert_eq!(text(&left, 0, &right, 0), "p");
    let none = s5(&[&[]], &[("a", &[])]);
    assert_eq!(text(&none, 0, &right, 0), "!q");
}

#[test]
fn knowledge_is_told_apart_by_one_modality() {
    let knows = s5(&[&["p"], &[]], &[("a", &[])]);
    let unsure = s5(&[&["p"], &[]], &[("a", &[&[0, 1]])]);
    assert_eq!(text(&knows, 0, &unsure, 0), "K[a] p");
    assert_eq!(text(&unsure, 0, &knows, 0), "S[a] !p");
    assert_eq!(text(&knows, 0, &knows, 0), "bisimilar");
}

#[test]
fn agents_may_come_in_any_order_but_must_be_the_same() {
    let left = s5(&[&["p"], &[]], &[("a", &[&[0, 1]]), ("b", &[])]);
    let right = s5(&[&["p"], &[]], &[("b", &[]), ("a", &[&[0, 1]])]);
    assert_eq!(text(&left, 0, &right, 0), "bisimilar");
    let swapped = s5(&[&["p"], &[]], &[("b", &[&[0, 1]]), ("a", &[])]);
    assert_eq!(text(&left, 0, &swapped, 0), "K[b] p");
    let other = s5(&[&["p"], &[]], &[("a", &[]), ("c", &[])]);
    let error = compare(&left, 0, &other, 0).unwrap_err();
    assert!(matches!(&error, CompareError::Agents { .. }));
    assert_eq!(
        error.to_string(),
        "the models have different agents: only the left one has `b`, only the right one `c`"
    );
    let error = compare(&left, 7, &right, 0).unwrap_err().to_string();
    assert_eq!(error, "there is no world 7 in a model of 2 worlds");
}

#[test]
fn believing_nothing_possible_is_a_difference() {
    let mut dead = Kripke::new(1, names(&["a"]), Vec::new());
    dead.set_relation(0, Relation::Edges(Edges::from_pairs(1, Vec::new())));
    let mut live = dead.clone();
    live.set_relation(0, Relation::Edges(Edges::from_pairs(1, vec![(0, 0)])));
    assert_eq!(text(&dead, 0, &live, 0), "K[a] false");
    assert_eq!(text(&live, 0, &dead, 0), "S[a] true");
    // A reflexive world given as an equivalence is the same as one given by an edge.
    let s5 = Kripke::new(1, names(&["a"]), Vec::new());
    assert_eq!(text(&live, 0, &s5, 0), "bisimilar");
}

#[test]
fn variables_are_compared_by_value() {
    let source = |seen: &str| format!("agents a, b\nvars x, y: 1..3\nobserve a sees {seen}\npoint x = 1, y = 2\n");
    let left = ken(&source("x"));
    let right = ken(&source("x, y"));
    let formula = difference(&left, left.point().unwrap(), &right, right.point().unwrap()).unwrap();
    assert_eq!(formula.to_string(), "S[a] y = 1");
    let formula = difference(&right, right.point().unwrap(), &left, left.point().unwrap()).unwrap();
    assert_eq!(formula.to_string(), "K[a] y != 1");
    let worlds = |x: usize| left.world(&format!("{{x = {x}, y = 2}}")).unwrap();
    assert_eq!(text(&left, worlds(3), &left, worlds(2)), "x = 3");
}

#[test]
fn a_variable_that_a_model_lacks_has_no_value_there() {
    let with = ken("agents a\nvars x: 1..2\nobserve a sees x\npoint x = 2\n");
    let without = s5(&[&[]], &[("a", &[])]);
    assert_eq!(text(&with, 1, &without, 0), "x = 2");
    let formula = difference(&without, 0, &with, 1).unwrap();
    assert_eq!(formula, Formula::negation(difference(&with, 1, &without, 0).unwrap()));
}

#[test]
fn muddy_children_before_and_after_the_father_speaks() {
    let before = ken(include_str!("../../../../models/muddy.ken"));
    let some = BitSet::from_fn(before.size(), |w| !before.facts(w).props.is_empty());
    let (after, _) = before.restrict(&some);
    let all = |m: &Kripke| (0..m.size()).find(|&w| m.facts(w).props.len() == 3).unwrap();
    let formula = difference(&before, all(&before), &after, all(&after)).unwrap();
    assert_eq!(formula.knowledge_depth(), 3, "{formula}");
    assert!(formula.size() <= 10, "{formula}");
}

/// A chain of worlds 0..n in which a confuses 2i with 2i+1 and b confuses 2i+1 with 2i+2; p holds at the end.
fn chain(n: usize) -> Kripke {
    let mut model = Kripke::new(n, names(&["a", "b"]), Vec::new());
    model.set_true(n - 1, "p");
    model.set_relation(0, Relation::Classes(Classes::by_key((0..n).map(|w| w / 2))));
    model.set_relation(1, Relation::Classes(Classes::by_key((0..n).map(|w| w.div_ceil(2)))));
    model
}

#[test]
fn deep_differences_are_found_and_too_deep_ones_reported() {
    let formula = difference(&chain(400), 0, &chain(402), 0).unwrap();
    assert_eq!(formula.knowledge_depth(), 399);
    assert_eq!(formula.size(), 400);
    let error = compare(&chain(900), 0, &chain(902), 0).unwrap_err();
    assert!(matches!(error, CompareError::TooLong { depth: 899 }), "{error}");
}

#[test]
fn large_models_take_no_time_to_speak_of() {
    // Twelve muddy children; afterwards the world without mud is gone.
    let n = 12;
    let agents: Vec<Name> = (0..n).map(|i| format!("c{i}").into()).collect();
    let mut model = Kripke::new(1 << n, agents, Vec::new());
    for i in 0..n {
        (0..1usize << n).filter(|w| w >> i & 1 == 1).for_each(|w| model.set_true(w, &format!("m{i}")));
        model.set_relation(i, Relation::Classes(Classes::by_key((0..1usize << n).map(|w| w & !(1 << i)))));
    }
    let (after, _) = model.restrict(&BitSet::from_fn(1 << n, |w| w != 0));
    let formula = difference(&model, (1 << n) - 1, &after, (1 << n) - 2).unwrap();
    assert_eq!(formula.knowledge_depth(), n as u32);
    let contracted = contract(&model, Keep::Bisimilar);
    assert_eq!(difference(&model, 77, &contracted.model, contracted.world[77] as usize), None);
}

/// The two models side by side, as one: the worlds of the left one first.
fn union(left: &Kripke, right: &Kripke) -> Kripke {
    let (n, size) = (left.size(), left.size() + right.size());
    let mut both = Kripke::new(size, left.agents().to_vec(), Vec::new());
    for (model, offset) in [(left, 0), (right, n)] {
        for world in 0..model.size() {
            model.facts(world).props.iter().for_each(|p| both.set_true(offset + world, p));
        }
    }
    for (agent, name) in left.agents().iter().enumerate() {
        let mut pairs = Vec::new();
        for (model, offset) in [(left, 0), (right, n)] {
            let agent = model.agent(name).unwrap();
            for world in 0..model.size() {
                let targets = model.possible(agent, world).into_iter();
                pairs.extend(targets.map(|t| ((offset + world) as u32, (offset + t) as u32)));
            }
        }
        both.set_relation(agent, Relation::Edges(Edges::from_pairs(size, pairs)));
    }
    both
}

prop_compose! {
    /// A model of up to 7 worlds over two agents and some of the propositions.
    fn any_model(belief: bool)(size in 1..8usize)(
        size in Just(size),
        facts in prop::collection::vec(prop::collection::vec(any::<bool>(), 2), size),
        which in 0..2usize,
        reversed in any::<bool>(),
        classes in prop::collection::vec(prop::collection::vec(0..3u32, size), 2),
        edges in prop::collection::vec(prop::collection::vec((0..size as u32, 0..size as u32), 0..12), 2),
        as_classes in any::<bool>(),
    ) -> Kripke {
        let mut agents = names(&AGENTS[..2]);
        if reversed {
            agents.reverse();
        }
        let mut model = Kripke::new(size, agents, Vec::new());
        for (world, facts) in facts.iter().enumerate() {
            for (p, &truth) in facts.iter().enumerate() {
                if truth {
                    // Some models speak of p and q, others of p and r.
                    model.set_true(world, PROPS[if p == 1 { 1 + which } else { 0 }]);
                }
            }
        }
        for agent in 0..2 {
            model.set_relation(agent, if belief && !(as_classes && agent == 0) {
                Relation::Edges(Edges::from_pairs(size, edges[agent].clone()))
            } else {
                Relation::Classes(Classes::by_key(classes[agent].iter()))
            });
        }
        model
    }
}

fn check_pair(left: &Kripke, right: &Kripke) -> Result<(), TestCaseError> {
    let merged = contract(&union(left, right), Keep::Bisimilar).world;
    for u in 0..left.size() {
        for v in 0..right.size() {
            let formula = difference(left, u, right, v);
            prop_assert_eq!(formula.is_none(), merged[u] == merged[left.size() + v]);
            if let Some(formula) = formula {
                let scope = Scope::declared(left.agents(), &names(&PROPS)).with_belief(true);
                prop_assert_eq!(&scope.formula(&formula.to_string()).unwrap(), &formula);
                prop_assert!(formula.size() < 200, "{}", formula);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn s5_models_are_bisimilar_iff_contraction_merges_them(left in any_model(false), right in any_model(false)) {
        check_pair(&left, &right)?;
    }

    #[test]
    fn belief_models_are_bisimilar_iff_contraction_merges_them(left in any_model(true), right in any_model(true)) {
        check_pair(&left, &right)?;
    }

    #[test]
    fn mixed_models_are_bisimilar_iff_contraction_merges_them(left in any_model(false), right in any_model(true)) {
        check_pair(&left, &right)?;
    }

    #[test]
    fn a_model_and_its_contraction_are_bisimilar(belief in any::<bool>(), model in any_model(true), other in any_model(false)) {
        let model = if belief { model } else { other };
        let small = contract(&model, Keep::Bisimilar);
        for world in 0..model.size() {
            prop_assert_eq!(difference(&model, world, &small.model, small.world[world] as usize), None);
        }
    }
}
