//! The engines agree with each other and with the definitions on random models, actions and formulas.
//!
//! Explicit, explicit on contracted models, symbolic on two libraries of decision diagrams, and a naive evaluator that
//! follows the definitions word by word must find the same worlds. Models are explicit or given by laws; a table says
//! how many cases exercised which form, and a form that was hardly drawn is a failure too.
//!
//! `KEN_CASES` sets the number of cases of each test, `KEN_SEED` the first seed.

use crate::support::biodivine::BiodivineBdd;
use crate::support::cases::run;
use crate::support::forms::{Forms, Tally, formula_forms};
use crate::support::generate::{Draw, Words, as_file, kripke, law_model, names, relation};
use crate::support::naive::{Executed, Naive, Oracle, types};
use ken_logic::bdd::{Bdd, Capacity, OxiddBdd, Split, count};
use ken_logic::check::explicit::Explicit;
use ken_logic::check::symbolic::{SymbolicChecker, plan, worlds_by_symbolic};
use ken_logic::formula::{Action, ActionModel, Change, EventPoint, F, Formula, Group, Name, Sight, Term, Value};
use ken_logic::model::enumerate::{Budget, enumerate};
use ken_logic::model::kripke::{Classes, Edges, Relation};
use ken_logic::model::law::{LawModel, Observation};
use ken_logic::model::symbolic::{Stopped, Symbolic};
use ken_logic::model::{BitSet, Kripke, Model};
use ken_logic::syntax::Scope;
use ken_logic::update::{BrokenAction, Keep, contract, resolve};
use ken_logic::{CheckError, Document, Format, Limits};
use num_bigint::BigUint;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// How much the naive evaluator may do for one formula before it is left out.
const FUEL: u64 = 150_000;

/// The worlds that each engine found for each formula.
#[derive(Default)]
struct Opinions {
    all: Vec<(&'static str, Vec<Option<BitSet>>)>,
}

impl Opinions {
    fn add(&mut self, engine: &'static str, worlds: Vec<BitSet>) {
        self.all.push((engine, worlds.into_iter().map(Some).collect()));
    }

    /// The common opinion on each formula.
    fn agree(&self, formulas: &[F], model: impl Fn() -> String) -> Result<Vec<BitSet>, String> {
        let mut common = Vec::new();
        for (i, formula) in formulas.iter().enumerate() {
            let given = self.all.iter().filter_map(|(engine, sets)| Some((engine, sets[i].as_ref()?)));
            let given: Vec<_> = given.collect();
            let (_, first) = given[0];
            if given.iter().any(|(_, set)| *set != first) {
                let list =
                    given.iter().map(|(engine, set)| format!("  {engine}: {:?}\n", set.iter().collect::<Vec<_>>()));
                return Err(format!("{formula}\n{}{}{formula:?}\n", list.collect::<String>(), model()));
            }
            common.push(first.clone());
        }
        Ok(common)
    }
}

fn ok<T>(result: Result<T, CheckError>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

fn explicitly(model: &Kripke, formulas: &[F], contracting: bool) -> Vec<BitSet> {
    let mut checker = Explicit::new(model.clone(), Limits::default()).contracting(contracting);
    formulas.iter().map(|f| ok(checker.check(f))).collect()
}

/// The answers on the contracted model, carried back.
fn on_contraction(model: &Kripke, formulas: &[F], keep: Keep) -> (Vec<Option<BitSet>>, bool) {
    let contraction = contract(model, keep);
    let mut checker = Explicit::new(contraction.model.clone(), Limits::default());
    let mut sets = Vec::new();
    for formula in formulas {
        let fits = keep == Keep::Everything || !formula.any(&mut |f| matches!(f, Formula::Distributed(..)));
        sets.push(fits.then(|| {
            let small = ok(checker.check(formula));
            BitSet::from_fn(model.size(), |w| small.contains(contraction.world[w] as usize))
        }));
    }
    (sets, contraction.model.size() < model.size())
}

/// Repeats the computation in larger and larger managers until it fits.
fn in_oxidd<T>(compute: impl Fn(Capacity) -> Symbolic<T>) -> T {
    let mut capacity = Capacity::new(1 << 14, 1 << 12);
    loop {
        match compute(capacity) {
            Ok(value) => return value,
            Err(Stopped::Full) => capacity = capacity.grown().expect("a larger manager"),
            Err(Stopped::Error(error)) => panic!("{error}"),
        }
    }
}

fn symbolically(model: &Kripke, formulas: &[F], opinions: &mut Opinions) {
    let oxidd = in_oxidd(|capacity| worlds_by_symbolic(model, formulas, |n| OxiddBdd::new(n, capacity)));
    opinions.add("symbolic", oxidd);
    opinions.add("symbolic, second library", worlds_by_symbolic(model, formulas, BiodivineBdd::new).unwrap());
}

/// The naive opinion, where the fuel suffices.
fn naively(model: &Naive, formulas: &[F], forms: &mut Forms) -> Vec<Option<BitSet>> {
    let sets: Vec<_> = formulas.iter().map(|f| Oracle::with_fuel(FUEL).worlds(model, f).ok()).collect();
    forms.insert(if sets.iter().all(Option::is_some) { "(naive: all formulas)" } else { "(naive: out of fuel)" });
    sets
}

/// Notes whether formulas separate worlds, and whether contraction after their first action merges any.
fn note_effects(model: &Kripke, formulas: &[F], worlds: &[BitSet], forms: &mut Forms) {
    for (formula, set) in formulas.iter().zip(worlds) {
        if !set.is_empty() && !set.is_full() {
            forms.insert("(true here, false there)");
        }
        let mut checker = Explicit::new(model.clone(), Limits::default());
        ok(checker.check(formula));
        let mut actions: Vec<&Action> = match &**formula {
            Formula::After(action, _) | Formula::Can(action, _) => vec![action],
            _ => Vec::new(),
        };
        while let Some(action) = actions.pop() {
            match action {
                Action::Seq(parts) => actions.extend(parts.first()),
                Action::Choice(parts) => actions.extend(parts),
                Action::Both(a, b) => actions.extend([&**a, &**b]),
                Action::Test(_) | Action::Local(_) | Action::Move(_) => {}
                Action::Learn(..) | Action::Announce(_) | Action::Model(_) => {
                    let update = ok(checker.update(0, action));
                    if update.contracted.is_some() {
                        forms.insert("(contracted after an action)");
                    }
                    if checker.model(update.stage).size() < update.product.world.len() {
                        forms.insert("(contraction merges worlds)");
                    }
                    let events: HashSet<u32> = update.product.event.iter().copied().collect();
                    if events.len() > 1 {
                        forms.insert("(several events executable)");
                    }
                }
            }
        }
    }
}

fn show(model: &Kripke) -> String {
    let mut text = String::new();
    for w in 0..model.size() {
        text += &format!("  world {w}: {}\n", model.facts(w).label());
    }
    for (agent, relation) in model.agents().iter().zip(model.relations()) {
        text += &match relation {
            Relation::Classes(classes) => format!("  {agent}: classes {:?}\n", classes.of),
            Relation::Edges(edges) => {
                format!("  {agent}: edges {:?}\n", (0..model.size()).map(|w| edges.from(w)).collect::<Vec<_>>())
            }
        };
    }
    text
}

/// Some formulas for one case, most of them about actions.
fn some_formulas(draw: &mut Draw<'_>) -> Vec<F> {
    (0..3)
        .map(|i| {
            let depth = draw.rng.between(1, 3);
            let dynamic = draw.rng.between(1, 2);
            if i < 2 { draw.dynamic(depth, dynamic) } else { draw.formula(depth + 1, dynamic) }
        })
        .collect()
}

/// Forms that every test of actions must exercise, with the least share of its cases in percent.
const EVERYWHERE: &[(&str, f64)] = &[
    ("atom", 50.0),
    ("!", 20.0),
    ("&", 20.0),
    ("|", 20.0),
    ("->", 10.0),
    ("<->", 10.0),
    ("xor", 10.0),
    ("exactly, atleast, atmost", 10.0),
    ("K", 30.0),
    ("S", 20.0),
    ("Kw", 20.0),
    ("E", 20.0),
    ("C", 20.0),
    ("D", 20.0),
    ("[]", 50.0),
    ("<>", 50.0),
    ("test outside L", 10.0),
    ("; outside L", 10.0),
    ("+ outside L", 10.0),
    ("&& outside L", 10.0),
    ("announce", 20.0),
    ("announce of knowledge", 10.0),
    ("L[all]", 50.0),
    ("L: test", 40.0),
    ("L: test of knowledge", 20.0),
    ("L: announce", 5.0),
    ("L: +", 20.0),
    ("L: + inside +", 5.0),
    ("L: ;", 15.0),
    ("L: ; of three or more", 4.0),
    ("L: + inside ;", 4.0),
    ("L: several ; in one +", 2.0),
    ("L: sequences with a common step", 0.3),
    ("L: ; directly inside an inner L", 2.0),
    ("L: L inside", 20.0),
    ("L: L three or more levels deep", 4.0),
    ("L: smaller group", 20.0),
    ("L: overlapping groups", 2.0),
    ("L: ! mark", 10.0),
    ("L: ! on a choice", 2.0),
    ("action model", 30.0),
    ("action model: several events", 20.0),
    ("action model: an event not designated", 20.0),
    ("action model: epistemic precondition", 20.0),
    ("action model: changed proposition", 20.0),
    ("action model: change by knowledge", 10.0),
    ("action model: classes", 20.0),
    ("(true here, false there)", 30.0),
    ("(several events executable)", 30.0),
    ("(naive: all formulas)", 50.0),
];

#[test]
fn every_engine_finds_the_same_worlds_of_random_explicit_models() {
    let mut tally = Tally::default();
    run(150, |rng| {
        let (model, words) = kripke(rng, false);
        let formulas = some_formulas(&mut Draw::new(rng, &words));
        let mut forms = Forms::new();
        formulas.iter().for_each(|f| formula_forms(f, words.agents.len(), &mut forms));
        let mut opinions = Opinions::default();
        opinions.add("explicit", explicitly(&model, &formulas, false));
        opinions.add("explicit, contracted", explicitly(&model, &formulas, true));
        let (worlds, merged) = on_contraction(&model, &formulas, Keep::Bisimilar);
        opinions.all.push(("explicit on the contraction", worlds));
        if merged {
            forms.insert("(bisimilar worlds in the model)");
        }
        let (worlds, _) = on_contraction(&model, &formulas, Keep::Everything);
        opinions.all.push(("explicit on the careful contraction", worlds));
        symbolically(&model, &formulas, &mut opinions);
        opinions.all.push(("naive", naively(&Naive::from_kripke(&model), &formulas, &mut forms)));
        let worlds = opinions.agree(&formulas, || show(&model))?;
        note_effects(&model, &formulas, &worlds, &mut forms);
        tally.add(&forms);
        Ok(())
    });
    let own = [
        ("(contracted after an action)", 10.0),
        ("(contraction merges worlds)", 4.0),
        ("(bisimilar worlds in the model)", 10.0),
    ];
    tally.require("explicit models", &[EVERYWHERE, &own].concat());
}

const BUDGET: Budget = Budget { worlds: 1 << 16, steps: 1 << 22 };

/// What a law model exercises.
fn law_forms(model: &LawModel, forms: &mut Forms) {
    for law in &model.laws {
        let mut inside = Forms::new();
        formula_forms(&law.formula, model.agents.len(), &mut inside);
        for (form, name) in [
            ("xor", "law: xor"),
            ("exactly, atleast, atmost", "law: exactly, oneof"),
            ("comparison", "law: comparison"),
            ("arithmetic", "law: arithmetic"),
        ] {
            if inside.contains(form) {
                forms.insert(name);
            }
        }
    }
    for observation in model.observes.iter().flatten() {
        forms.insert(match observation {
            Observation::Formula(f) if matches!(**f, Formula::Atom(_)) => "observed: proposition",
            Observation::Formula(_) => "observed: formula",
            Observation::Term(Term::Var(_)) => "observed: variable",
            Observation::Term(_) => "observed: term",
        });
    }
    for var in &model.vars {
        forms.insert(if matches!(var.values[0], Value::Int(_)) { "variable: number" } else { "variable: constant" });
    }
}

/// The worlds of the listed model at which the formulas hold by the symbolic engine on the law model itself.
fn by_law<B: Bdd>(
    law: &LawModel,
    listed: &Naive,
    formulas: &[F],
    make: impl FnOnce(u32) -> B,
) -> Symbolic<Vec<BitSet>> {
    let model = Model::Law(law.clone());
    let order = plan(&model, formulas)?;
    let mut checker = SymbolicChecker::new(make(order.len()), &model, &order)?;
    // Checked before anything else is made, as planned.
    let functions: Vec<B::F> = formulas.iter().map(|f| checker.check(f)).collect::<Symbolic<_>>()?;
    let (bdd, structure) = (checker.bdd(), checker.structure(0));
    assert_eq!(count(bdd, &structure.law, &structure.frame.vars), BigUint::from(listed.worlds.len()), "worlds");
    let mut codes = Vec::new();
    for facts in &listed.worlds {
        let mut code = structure.law.clone();
        for prop in &law.props {
            let atom = &structure.atoms[prop];
            code = bdd.and(&code, &if facts.props.contains(prop) { atom.clone() } else { bdd.not(atom)? })?;
        }
        for (name, value) in &facts.vars {
            let (_, here) = structure.terms[name].iter().find(|(v, _)| v == value).expect("a possible value");
            code = bdd.and(&code, here)?;
        }
        codes.push(code);
    }
    let mut sets = Vec::new();
    for function in &functions {
        let mut set = BitSet::empty(listed.worlds.len());
        for (w, code) in codes.iter().enumerate() {
            let (yes, no) = (bdd.and(code, function)?, bdd.and(code, &bdd.not(function)?)?);
            let possible = |f: &B::F| !matches!(bdd.split(f), Split::Const(false));
            assert!(possible(&yes) != possible(&no), "one world, one truth value");
            if possible(&yes) {
                set.insert(w);
            }
        }
        let holds = bdd.and(&structure.law, function)?;
        assert_eq!(count(bdd, &holds, &structure.frame.vars), BigUint::from(set.count()), "worlds of the formula");
        sets.push(set);
    }
    Ok(sets)
}

/// The law model with its worlds listed, unless it has none; every way of listing finds the same.
fn listed(law: &LawModel) -> Option<(Kripke, Naive)> {
    let naive = Naive::from_law(law);
    let kripke = match enumerate(law, BUDGET) {
        Ok(kripke) => kripke.expect("within the budget"),
        Err(CheckError::NoWorld(laws)) => {
            assert!(naive.worlds.is_empty(), "there is a world");
            let few = LawModel { laws, ..law.clone() };
            assert!(Naive::from_law(&few).worlds.is_empty(), "these laws do not contradict each other");
            in_oxidd(|capacity| by_law(law, &naive, &[], |n| OxiddBdd::new(n, capacity)));
            return None;
        }
        Err(error) => panic!("{error}"),
    };
    // The same worlds, in the order of the listed model.
    let place = |w: usize| {
        let facts = kripke.facts(w);
        naive.worlds.iter().position(|other| *other == facts).expect("a world")
    };
    let order: Vec<usize> = (0..kripke.size()).map(place).collect();
    assert_eq!(order.len(), naive.worlds.len(), "worlds");
    let back = |w: &usize| order.iter().position(|v| v == w).expect("a world");
    let sees = naive
        .sees
        .iter()
        .map(|sees| order.iter().map(|&w| sees[w].iter().map(back).collect::<BTreeSet<_>>().into_iter().collect()));
    let ordered = Naive {
        agents: naive.agents.clone(),
        worlds: order.iter().map(|&w| naive.worlds[w].clone()).collect(),
        sees: sees.map(Iterator::collect).collect(),
    };
    Some((kripke, ordered))
}

#[test]
fn every_engine_finds_the_same_worlds_of_random_models_of_laws() {
    let mut tally = Tally::default();
    run(150, |rng| {
        let mut contradictions = 0;
        let (law, words, model, naive) = loop {
            let (law, words) = law_model(rng);
            match listed(&law) {
                Some((model, naive)) if model.size() <= 24 => break (law, words, model, naive),
                Some(_) => {}
                None => contradictions += 1,
            }
        };
        let mut forms = Forms::new();
        if contradictions > 0 {
            forms.insert("(contradictory laws before)");
        }
        law_forms(&law, &mut forms);
        let formulas = some_formulas(&mut Draw::new(rng, &words));
        formulas.iter().for_each(|f| formula_forms(f, words.agents.len(), &mut forms));
        let mut opinions = Opinions::default();
        opinions.add("explicit", explicitly(&model, &formulas, false));
        opinions.add("explicit, contracted", explicitly(&model, &formulas, true));
        let oxidd = in_oxidd(|capacity| by_law(&law, &naive, &formulas, |n| OxiddBdd::new(n, capacity)));
        opinions.add("symbolic from the laws", oxidd);
        let biodivine = by_law(&law, &naive, &formulas, BiodivineBdd::new).unwrap();
        opinions.add("symbolic from the laws, second library", biodivine);
        symbolically(&model, &formulas, &mut opinions);
        opinions.all.push(("naive", naively(&naive, &formulas, &mut forms)));
        let worlds = opinions.agree(&formulas, || as_file(&law))?;
        note_effects(&model, &formulas, &worlds, &mut forms);
        tally.add(&forms);
        Ok(())
    });
    let own = [
        ("comparison", 40.0),
        ("arithmetic", 20.0),
        ("action model: changed variable", 20.0),
        ("law: xor", 5.0),
        ("law: exactly, oneof", 10.0),
        ("law: comparison", 30.0),
        ("law: arithmetic", 10.0),
        ("observed: proposition", 20.0),
        ("observed: formula", 20.0),
        ("observed: variable", 20.0),
        ("observed: term", 10.0),
        ("variable: number", 50.0),
        ("variable: constant", 30.0),
        ("(contradictory laws before)", 2.0),
        ("(contracted after an action)", 10.0),
    ];
    tally.require("models of laws", &[EVERYWHERE, &own].concat());
}

#[test]
fn every_engine_for_belief_finds_the_same_worlds() {
    let mut tally = Tally::default();
    run(150, |rng| {
        let mut forms = Forms::new();
        let (model, words) = if rng.chance(60) {
            kripke(rng, true)
        } else {
            // Typed variables; relations partly as observed, partly arbitrary.
            let (mut law, words) = law_model(rng);
            law.belief = true;
            law.laws.clear();
            let mut model = ok(enumerate(&law, BUDGET)).expect("within the budget");
            let few = BitSet::from_fn(model.size(), |_| rng.chance(1000 / model.size() as u64));
            if !few.is_empty() {
                model = model.restrict(&few).0;
            }
            for agent in 0..words.agents.len() {
                if rng.chance(50) {
                    let size = model.size();
                    model.set_relation(agent, relation(rng, size, true));
                }
            }
            (model, words)
        };
        let edges = model.relations().iter().filter(|r| matches!(r, Relation::Edges(_))).count();
        match edges {
            0 => _ = forms.insert("relations: classes"),
            n if n == words.agents.len() => _ = forms.insert("relations: edges"),
            _ => _ = forms.insert("relations: classes and edges"),
        }
        let mut draw = Draw::new(rng, &words);
        draw.belief = model.is_belief();
        let formulas = some_formulas(&mut draw);
        formulas.iter().for_each(|f| formula_forms(f, words.agents.len(), &mut forms));
        let mut opinions = Opinions::default();
        opinions.add("explicit", explicitly(&model, &formulas, false));
        opinions.add("explicit, contracted", explicitly(&model, &formulas, true));
        let (worlds, merged) = on_contraction(&model, &formulas, Keep::Bisimilar);
        opinions.all.push(("explicit on the contraction", worlds));
        if merged {
            forms.insert("(bisimilar worlds in the model)");
        }
        let (worlds, _) = on_contraction(&model, &formulas, Keep::Everything);
        opinions.all.push(("explicit on the careful contraction", worlds));
        opinions.all.push(("naive", naively(&Naive::from_kripke(&model), &formulas, &mut forms)));
        let worlds = opinions.agree(&formulas, || show(&model))?;
        note_effects(&model, &formulas, &worlds, &mut forms);
        if edges > 0 {
            let refused = worlds_by_symbolic(&model, &formulas, BiodivineBdd::new);
            assert!(matches!(refused, Err(Stopped::Error(CheckError::BeliefInSymbolic))), "belief in S5");
        }
        tally.add(&forms);
        Ok(())
    });
    let own = [
        ("action model: edges", 20.0),
        ("relations: classes", 2.0),
        ("relations: edges", 10.0),
        ("relations: classes and edges", 20.0),
        ("(contracted after an action)", 10.0),
        ("(contraction merges worlds)", 4.0),
    ];
    tally.require("belief models", &[EVERYWHERE, &own].concat());
}

#[test]
fn contraction_preserves_what_it_says_and_merges_all_it_may() {
    let mut tally = Tally::default();
    run(500, |rng| {
        let belief = rng.chance(50);
        let (model, _) = kripke(rng, belief);
        let before = Naive::from_kripke(&model);
        let mut forms = Forms::new();
        for (keep, pooled) in [(Keep::Bisimilar, false), (Keep::Everything, true)] {
            let contraction = contract(&model, keep);
            let after = Naive::from_kripke(&contraction.model);
            let types = types(&[&before, &after], pooled);
            if (0..model.size()).any(|w| types[0][w] != types[1][contraction.world[w] as usize]) {
                return Err(format!("{keep:?}\n{}{}", show(&model), show(&contraction.model)));
            }
            if after.worlds.len() < before.worlds.len() {
                forms.insert(if pooled { "(careful contraction merges)" } else { "(contraction merges)" });
            }
            let kinds = types[0].iter().collect::<BTreeSet<_>>().len();
            if !pooled && after.worlds.len() != kinds {
                return Err(format!("{} worlds of {kinds} kinds are left\n{}", after.worlds.len(), show(&model)));
            }
        }
        tally.add(&forms);
        Ok(())
    });
    tally.require("contraction", &[("(contraction merges)", 40.0), ("(careful contraction merges)", 10.0)]);
}

#[test]
fn updated_models_are_the_same_for_all_formulas() {
    let mut tally = Tally::default();
    run(600, |rng| {
        let belief = rng.chance(30);
        let (model, words) = match rng.below(3) {
            0 => {
                let agents = names(&["a", "b", "c"]);
                let props = names(&["p", "q", "r"]);
                (all_valuations(&agents, &props), Words { agents, props, vars: Vec::new() })
            }
            _ => kripke(rng, belief),
        };
        let mut draw = Draw::new(rng, &words);
        draw.belief = model.is_belief();
        let action = if draw.rng.chance(80) { draw.learn(1) } else { Action::Model(Arc::new(draw.action_model(1))) };
        let formula = Formula::after(action.clone(), Formula::falsity());
        let mut forms = Forms::new();
        formula_forms(&formula, words.agents.len(), &mut forms);
        let naive = Naive::from_kripke(&model);
        let Ok(Executed { after, from, designated }) = Oracle::with_fuel(20 * FUEL).execute(&naive, &action) else {
            forms.insert("(naive: out of fuel)");
            tally.add(&forms);
            return Ok(());
        };
        for pooled in [false, true] {
            let mut checker = Explicit::new(model.clone(), Limits::default()).contracting(!pooled);
            let update = ok(checker.update(0, &action));
            let found = Naive::from_kripke(checker.model(update.stage));
            let types = types(&[&after, &found], pooled);
            for w in 0..model.size() {
                let events = (0..update.action.events.len()).filter(|&e| update.action.events[e].designated);
                let ours: BTreeSet<usize> = events.filter_map(|e| update.find(w, e)).map(|v| types[1][v]).collect();
                let theirs = (0..from.len()).filter(|&v| from[v].0 == w && designated[from[v].1]);
                let theirs: BTreeSet<usize> = theirs.map(|v| types[0][v]).collect();
                if ours != theirs {
                    let what = if pooled { "with distributed knowledge" } else { "contracted" };
                    return Err(format!("{action}\n  differs at world {w}, {what}\n{}{action:?}", show(&model)));
                }
                if ours.len() > 1 {
                    forms.insert("(several different outcomes)");
                }
            }
            if types[1].iter().max() > Some(&1) {
                forms.insert("(more than two kinds of worlds)");
            }
        }
        tally.add(&forms);
        Ok(())
    });
    let floors = [
        ("L: +", 20.0),
        ("L: ;", 15.0),
        ("L: ; of three or more", 4.0),
        ("L: several ; in one +", 2.0),
        ("L: sequences with a common step", 2.0),
        ("L: ; directly inside an inner L", 2.0),
        ("L: L three or more levels deep", 4.0),
        ("L: overlapping groups", 2.0),
        ("L: ! mark", 10.0),
        ("L: ! on a choice", 2.0),
        ("L: announce", 2.0),
        ("action model: several events", 5.0),
        ("(several different outcomes)", 5.0),
        ("(more than two kinds of worlds)", 40.0),
    ];
    tally.require("updated models", &floors);
}

/// Checks that formulas hold in every world, by every engine.
fn all_valid(model: &Kripke, laws: &[(&str, F)], s5: bool) -> Result<(), String> {
    let formulas: Vec<F> = laws.iter().map(|(_, f)| f.clone()).collect();
    let mut opinions = Opinions::default();
    opinions.add("explicit", explicitly(model, &formulas, false));
    opinions.add("explicit, contracted", explicitly(model, &formulas, true));
    if s5 {
        let oxidd = in_oxidd(|capacity| worlds_by_symbolic(model, &formulas, |n| OxiddBdd::new(n, capacity)));
        opinions.add("symbolic", oxidd);
    }
    let sets = opinions.agree(&formulas, || show(model))?;
    match laws.iter().zip(sets).find(|(_, set)| !set.is_full()) {
        None => Ok(()),
        Some(((name, formula), set)) => {
            let worlds: Vec<usize> = set.iter().collect();
            Err(format!("{name}\n{formula}\n  holds only at {worlds:?}\n{}", show(model)))
        }
    }
}

/// Short words for building formulas.
mod say {
    use super::*;

    pub(super) fn not(f: &F) -> F {
        Arc::new(Formula::Not(f.clone()))
    }
    pub(super) fn and(f: &F, g: &F) -> F {
        Formula::and(vec![f.clone(), g.clone()])
    }
    pub(super) fn or(f: &F, g: &F) -> F {
        Formula::or(vec![f.clone(), g.clone()])
    }
    pub(super) fn imp(f: &F, g: &F) -> F {
        Formula::implies(f.clone(), g.clone())
    }
    pub(super) fn iff(f: &F, g: &F) -> F {
        Formula::iff(f.clone(), g.clone())
    }
    pub(super) fn knows(a: &Name, f: &F) -> F {
        Formula::knows(a.clone(), f.clone())
    }
    pub(super) fn possible(a: &Name, f: &F) -> F {
        Arc::new(Formula::Possible(a.clone(), f.clone()))
    }
    pub(super) fn whether(a: &Name, f: &F) -> F {
        Arc::new(Formula::KnowsWhether(a.clone(), f.clone()))
    }
    pub(super) fn everyone(g: &Group, f: &F) -> F {
        Arc::new(Formula::Everyone(g.clone(), f.clone()))
    }
    pub(super) fn common(g: &Group, f: &F) -> F {
        Arc::new(Formula::Common(g.clone(), f.clone()))
    }
    pub(super) fn pooled(g: &Group, f: &F) -> F {
        Arc::new(Formula::Distributed(g.clone(), f.clone()))
    }
    pub(super) fn after(a: &Action, f: &F) -> F {
        Formula::after(a.clone(), f.clone())
    }
    pub(super) fn can(a: &Action, f: &F) -> F {
        Arc::new(Formula::Can(Arc::new(a.clone()), f.clone()))
    }
    pub(super) fn announce(f: &F) -> Action {
        Action::Announce(f.clone())
    }
    pub(super) fn test(f: &F) -> Action {
        Action::Test(f.clone())
    }
    pub(super) fn learn(g: &Group, a: Action) -> Action {
        Action::Learn(g.clone(), Box::new(a))
    }
    pub(super) fn choice(a: &Action, b: &Action) -> Action {
        Action::Choice(vec![a.clone(), b.clone()])
    }
}

/// Agents of a group, by name.
fn members(group: &Group, words: &Words) -> Vec<Name> {
    match group {
        Group::All => words.agents.clone(),
        Group::Of(some) => some.clone(),
    }
}

#[test]
fn the_laws_of_knowledge_hold_in_random_models() {
    use say::*;
    run(60, |rng| {
        let belief = rng.chance(35);
        let (model, words) = kripke(rng, belief);
        let s5 = !model.is_belief();
        let mut draw = Draw::new(rng, &words);
        draw.belief = !s5;
        let (f, g) = (draw.formula(3, 1), draw.formula(2, 1));
        let group = draw.group();
        let a = draw.rng.pick(&words.agents).clone();
        let one = Group::Of(vec![a.clone()]);
        let kf = knows(&a, &f);
        let each = Formula::and(members(&group, &words).iter().map(|b| knows(b, &f)).collect());
        let cf = common(&group, &f);
        let mut laws = vec![
            ("K is normal", imp(&knows(&a, &imp(&f, &g)), &imp(&kf, &knows(&a, &g)))),
            ("S is the dual of K", iff(&possible(&a, &f), &not(&knows(&a, &not(&f))))),
            ("Kw", iff(&whether(&a, &f), &or(&kf, &knows(&a, &not(&f))))),
            ("E is everyone's K", iff(&everyone(&group, &f), &each)),
            ("C is a fixed point", iff(&cf, &and(&f, &everyone(&group, &cf)))),
            ("C by induction", imp(&common(&group, &imp(&f, &everyone(&group, &f))), &imp(&f, &cf))),
            ("C is normal", imp(&common(&group, &imp(&f, &g)), &imp(&cf, &common(&group, &g)))),
            ("D of one is K", iff(&pooled(&one, &f), &kf)),
            ("D is normal", imp(&pooled(&group, &imp(&f, &g)), &imp(&pooled(&group, &f), &pooled(&group, &g)))),
            ("D pools K", imp(&knows(&members(&group, &words)[0], &f), &pooled(&group, &f))),
            ("D of all is the strongest", imp(&pooled(&group, &f), &pooled(&Group::All, &f))),
        ];
        if s5 {
            laws.extend([
                ("truth", imp(&kf, &f)),
                ("positive introspection", imp(&kf, &knows(&a, &kf))),
                ("negative introspection", imp(&not(&kf), &knows(&a, &not(&kf)))),
                ("C is positively introspective", imp(&cf, &common(&group, &cf))),
                ("C is negatively introspective", imp(&not(&cf), &common(&group, &not(&cf)))),
                ("D is true", imp(&pooled(&group, &f), &f)),
                ("D is negatively introspective", {
                    let no = not(&pooled(&group, &f));
                    imp(&no, &pooled(&group, &no))
                }),
                ("C of one is K", iff(&common(&one, &f), &kf)),
            ]);
        }
        all_valid(&model, &laws, s5)
    });
}

#[test]
fn the_reduction_laws_of_actions_hold_in_random_models() {
    use say::*;
    run(60, |rng| {
        let belief = rng.chance(35);
        let (model, words) = kripke(rng, belief);
        let s5 = !model.is_belief();
        let mut draw = Draw::new(rng, &words);
        draw.belief = !s5;
        let (f, g, h) = (draw.formula(2, 1), draw.formula(2, 1), draw.formula(2, 1));
        let p = Formula::atom(draw.rng.pick(&words.props).clone());
        let a = draw.rng.pick(&words.agents).clone();
        let group = draw.group();
        let said = announce(&f);
        let (alpha, beta) = (draw.action(1, 1), draw.action(1, 1));
        let first_then = Action::Seq(vec![alpha.clone(), beta.clone()]);
        let both = Action::Both(Box::new(alpha.clone()), Box::new(beta.clone()));
        let gamma = draw.action(0, 0);
        let both_then = Action::Seq(vec![both.clone(), gamma.clone()]);
        let seen_by_all = learn(&Group::All, choice(&learn(&Group::All, test(&f)), &learn(&Group::All, test(&g))));
        let unseen = learn(&Group::All, choice(&test(&f), &test(&g)));
        let learned = learn(&Group::All, test(&f));
        let laws = vec![
            ("announce, atoms", iff(&after(&said, &p), &imp(&f, &p))),
            ("announce, not", iff(&after(&said, &not(&g)), &imp(&f, &not(&after(&said, &g))))),
            ("announce, and", iff(&after(&said, &and(&g, &h)), &and(&after(&said, &g), &after(&said, &h)))),
            ("announce, K", iff(&after(&said, &knows(&a, &g)), &imp(&f, &knows(&a, &imp(&f, &after(&said, &g)))))),
            (
                "announce, D",
                iff(&after(&said, &pooled(&group, &g)), &imp(&f, &pooled(&group, &imp(&f, &after(&said, &g))))),
            ),
            (
                "announce, announce",
                iff(&after(&said, &after(&announce(&g), &h)), &after(&announce(&and(&f, &after(&said, &g))), &h)),
            ),
            ("announce is a partial function", iff(&can(&said, &g), &and(&f, &after(&said, &g)))),
            ("announce is learning by all", iff(&after(&said, &g), &after(&learned, &g))),
            ("test, box", iff(&after(&test(&f), &g), &imp(&f, &g))),
            ("test, diamond", iff(&can(&test(&f), &g), &and(&f, &g))),
            ("sequence", iff(&after(&first_then, &h), &after(&alpha, &after(&beta, &h)))),
            ("sequence, diamond", iff(&can(&first_then, &h), &can(&alpha, &can(&beta, &h)))),
            ("choice", iff(&after(&choice(&alpha, &beta), &h), &and(&after(&alpha, &h), &after(&beta, &h)))),
            ("choice, diamond", iff(&can(&choice(&alpha, &beta), &h), &or(&can(&alpha, &h), &can(&beta, &h)))),
            ("both", iff(&after(&both, &h), &or(&after(&alpha, &h), &after(&beta, &h)))),
            ("both, diamond", iff(&can(&both, &h), &and(&can(&alpha, &h), &can(&beta, &h)))),
            (
                "both, then",
                iff(&after(&both_then, &h), &or(&after(&alpha, &after(&gamma, &h)), &after(&beta, &after(&gamma, &h)))),
            ),
            ("duality", iff(&can(&first_then, &h), &not(&after(&first_then, &not(&h))))),
            ("duality of both", iff(&can(&both, &h), &not(&after(&both, &not(&h))))),
            ("a choice that all see", iff(&after(&seen_by_all, &h), &after(&choice(&said, &announce(&g)), &h))),
            ("a choice that nobody sees", iff(&after(&unseen, &h), &after(&announce(&or(&f, &g)), &h))),
        ];
        all_valid(&model, &laws, s5)?;
        all_valid(&model, &action_model_laws(&mut draw, &words, &h, &a), s5)
    });
}

/// The reduction of an action model with one designated event: facts, negation, knowledge and belief.
fn action_model_laws(draw: &mut Draw<'_>, words: &Words, f: &F, a: &Name) -> Vec<(&'static str, F)> {
    use say::*;
    let model = draw.action_model(1);
    let at = draw.rng.below(model.events.len());
    let point = |e: usize| {
        let mut model = model.clone();
        model.events.iter_mut().enumerate().for_each(|(i, event)| event.designated = i == e);
        Action::Model(Arc::new(model))
    };
    let (pre, here) = (&model.events[at].pre, point(at));
    let mut laws = Vec::new();
    for prop in &words.props {
        let change = model.events[at].changes.iter().rev().find_map(|c| match c {
            Change::Prop(name, new) if name == prop => Some(new.clone()),
            _ => None,
        });
        let atom = Formula::atom(prop.clone());
        let new = change.unwrap_or_else(|| atom.clone());
        laws.push(("action model, facts", iff(&after(&here, &atom), &imp(pre, &new))));
    }
    laws.push(("action model, not", iff(&after(&here, &not(f)), &imp(pre, &not(&after(&here, f))))));
    let sight = model.sights.iter().find(|(name, _)| name == a).map(|(_, s)| s);
    let seen = |e: usize| match sight {
        None => e == at,
        Some(Sight::Classes(of)) => of[e] == of[at],
        Some(Sight::Edges(pairs)) => pairs.contains(&(at as u32, e as u32)),
    };
    let considered = (0..model.events.len()).filter(|&e| seen(e)).map(|e| knows(a, &after(&point(e), f)));
    let considered = Formula::and(considered.collect());
    laws.push(("action model, K", iff(&after(&here, &knows(a, f)), &imp(pre, &considered))));
    laws
}

#[test]
fn formulas_read_back_as_they_print() {
    let mut tally = Tally::default();
    let words = Words {
        agents: names(&["a", "bob", "child(2)", "3"]),
        props: names(&["p", "c'", "muddy(1)", "muddy(2)", "holds(anne,red)"]),
        vars: Vec::new(),
    };
    let file = "enum things = anne, red\nagents a, bob, child(2), 3\nprops p, c', muddy(i) for i in 1..2\n\
                props holds(anne,red)\n";
    let declared = Document::read(file, Format::Ken).expect("a model").scope;
    let scopes = [declared, Scope::free(&words.agents)];
    run(1000, |rng| {
        let mut draw = Draw::new(rng, &words);
        (draw.readable, draw.temporal) = (true, true);
        let depth = draw.rng.between(1, 5);
        let formula = draw.formula(depth, 2);
        let text = formula.to_string();
        let mut forms = Forms::new();
        formula_forms(&formula, words.agents.len(), &mut forms);
        tally.add(&forms);
        for scope in &scopes {
            let read = scope.formula(&text).map_err(|problems| format!("{text}\n{problems:?}"))?;
            if read != formula {
                return Err(format!("{text}\n{read}\n{formula:?}\n{read:?}"));
            }
        }
        Ok(())
    });
    tally.require("formulas as text", &[("L: ! mark", 2.0), ("&& outside L", 2.0), ("U", 2.0), ("C", 5.0)]);
}

#[test]
fn models_of_laws_read_back_as_they_print() {
    let mut tally = Tally::default();
    run(400, |rng| {
        let (law, words) = law_model(rng);
        let text = as_file(&law);
        let document = Document::read(&text, Format::Ken).map_err(|problems| format!("{text}\n{problems:?}"))?;
        let Model::Law(read) = &document.model else { return Err("not a law model".into()) };
        let worlds = |law: &LawModel| match enumerate(law, BUDGET) {
            Ok(model) => show(&model.expect("within the budget")),
            Err(_) => "none".into(),
        };
        let (before, after) = (worlds(&law), worlds(read));
        if before != after {
            return Err(format!("{text}\n{before}\n{after}"));
        }
        let mut draw = Draw::new(rng, &words);
        (draw.readable, draw.temporal) = (true, true);
        let depth = draw.rng.between(1, 4);
        let formula = draw.formula(depth, 2);
        let mut forms = Forms::new();
        formula_forms(&formula, words.agents.len(), &mut forms);
        tally.add(&forms);
        let printed = formula.to_string();
        let read = document.formula(&printed).map_err(|problems| format!("{printed}\n{problems:?}\n{text}"))?;
        if read != formula {
            return Err(format!("{printed}\n{read}\n{formula:?}\n{read:?}"));
        }
        Ok(())
    });
    tally.require("formulas with terms as text", &[("comparison", 30.0), ("arithmetic", 10.0)]);
}

/// The S5 model of all valuations, between which nobody can tell.
fn all_valuations(agents: &[Name], props: &[Name]) -> Kripke {
    let size = 1 << props.len();
    let mut model = Kripke::new(size, agents.to_vec(), props.to_vec());
    for world in 0..size {
        for (_, prop) in props.iter().enumerate().filter(|(i, _)| world >> i & 1 == 1) {
            model.set_true(world, prop);
        }
    }
    for agent in 0..agents.len() {
        model.set_relation(agent, Relation::Classes(Classes::by_key(vec![0; size])));
    }
    model
}

/// Where formulas given as text hold among all valuations of p, q, r, in the opinion of every engine.
fn opinions_on(agents: &[&str], formulas: &[&str]) -> Vec<Vec<usize>> {
    let (agents, props) = (names(agents), names(&["p", "q", "r"]));
    let model = all_valuations(&agents, &props);
    let scope = Scope::declared(&agents, &props);
    let formulas: Vec<F> = formulas.iter().map(|text| scope.formula(text).expect("a formula")).collect();
    let mut opinions = Opinions::default();
    opinions.add("explicit", explicitly(&model, &formulas, false));
    opinions.add("explicit, contracted", explicitly(&model, &formulas, true));
    symbolically(&model, &formulas, &mut opinions);
    opinions.all.push(("naive", naively(&Naive::from_kripke(&model), &formulas, &mut Forms::new())));
    let sets = opinions.agree(&formulas, || show(&model)).unwrap_or_else(|account| panic!("{account}"));
    sets.iter().map(|set| set.iter().collect()).collect()
}

#[test]
fn a_common_step_in_other_words_is_still_common() {
    let forms = [
        "<L[all] ((L[a,b] ?p ; ?q) + (L[a,b] ?p ; ?r))> K[a] q",
        "<L[all] ((L[a,b] ?p ; ?q) + (L[b,a] ?p ; ?r))> K[a] q",
        "<L[all] ((L[all] ?p ; ?q) + (announce p ; ?r))> K[a] q",
        "<L[all] ((L[all] ?p ; ?q) + (L[b,a] ?p ; ?r))> K[a] q",
        "<L[all] ((L[a] (?p + (?q + ?r)) ; ?q) + (L[a] ((?p + ?q) + ?r) ; ?r))> K[a] q",
    ];
    assert_eq!(opinions_on(&["a", "b"], &forms), vec![vec![0; 0]; 5]);
}

#[test]
fn the_later_steps_of_an_inner_sequence_stay_inside_its_group() {
    // Agent a sees that q was tested and not r, so it knows q then; b is left with p and one of the two.
    let forms = [
        "<L[all] (!L[a] (?p ; ?q ; ?K[a] q) + (?p ; ?r ; ?r))> true",
        "<L[all] (!L[a] (?p ; ?q ; ?K[b] q) + (?p ; ?r ; ?r))> true",
        "<L[all] (!L[a] (?p ; ?q ; ?K[b] (q | r)) + (?p ; ?r ; ?r))> true",
    ];
    assert_eq!(opinions_on(&["a", "b"], &forms), [vec![3, 7], vec![], vec![3, 7]]);
}

#[test]
fn broken_rules_of_learning_are_refused() {
    let agents = names(&["a", "b"]);
    let p = || Action::Test(Formula::atom("p"));
    let local = || Action::Local(Box::new(p()));
    let learn = |group: &[&str], inner| Action::Learn(Group::Of(names(group)), Box::new(inner));
    let all = |inner| Action::Learn(Group::All, Box::new(inner));
    let model = Action::Model(Arc::new(ActionModel { name: "m".into(), events: Vec::new(), sights: Vec::new() }));
    let choices = Action::Choice((0..20).map(|_| p()).collect());
    let broken = [
        (p(), BrokenAction::Mark),
        (learn(&["a"], p()), BrokenAction::OutermostGroup),
        (all(learn(&["a"], learn(&["b"], p()))), BrokenAction::InnerGroup),
        (all(learn(&["a"], all(p()))), BrokenAction::InnerGroup),
        (all(learn(&["c"], p())), BrokenAction::InnerGroup),
        (all(learn(&["a"], Action::Announce(Formula::truth()))), BrokenAction::InnerGroup),
        (all(local()), BrokenAction::Mark),
        (all(Action::Seq(vec![local(), p()])), BrokenAction::Mark),
        (all(learn(&["a"], local())), BrokenAction::Mark),
        (all(Action::Choice(vec![local(), p(), local()])), BrokenAction::TwoMarks),
        (all(Action::Choice(vec![Action::Choice(vec![local(), p()]), local()])), BrokenAction::TwoMarks),
        (all(Action::Both(Box::new(p()), Box::new(p()))), BrokenAction::Concurrent),
        (all(Action::Choice(vec![model, p()])), BrokenAction::ModelInside),
        (all(Action::Seq(vec![choices.clone(), choices.clone(), choices])), BrokenAction::TooManyPoints),
    ];
    for (action, rule) in broken {
        assert_eq!(resolve(&action, &agents).err(), Some(rule), "{action}");
    }
}

#[test]
fn marks_designate_what_they_say() {
    let forms = [
        "<L[all] (!L[all] ?p + L[all] ?q + L[all] ?r)> true",
        "<L[all] (!(L[all] ?p + L[all] ?q) + L[all] ?r)> true",
        "<L[all] (!(L[all] ?p + !L[all] ?q) + L[all] ?r)> true",
        "<L[all] ((L[all] ?p + !L[all] ?q) + L[all] ?r)> true",
        "<L[all] ((?p + !?q) ; (?r + ?!r))> true",
        // The mark of a choice inside a sequence is not a mark of the choice around the sequence.
        "<L[all] (((?p + !?q) ; ?r) + ?!r)> true",
    ];
    let p_or_q = vec![1, 2, 3, 5, 6, 7];
    let q = vec![2, 3, 6, 7];
    let expected = [vec![1, 3, 5, 7], p_or_q, q.clone(), q.clone(), q, vec![0, 1, 2, 3, 6, 7]];
    assert_eq!(opinions_on(&["a", "b"], &forms), expected);
}

#[test]
fn a_sequence_of_one_step_is_that_step() {
    let forms = [
        "<L[all] (L[a] ?p + !(L[a] ?p ; ?q))> K[a] q",
        "<L[all] ((each i in 1..1: L[a] ?p) + !(L[a] ?p ; ?q))> K[a] q",
        "<L[all] ((each i in 1..1: L[a] ?p) + !(L[a] ?p ; ?q))> K[b] q",
    ];
    assert_eq!(opinions_on(&["a", "b"], &forms), [vec![3, 7], vec![3, 7], vec![]]);
}

#[test]
fn common_knowledge_sees_the_edges_of_every_member() {
    // Agent a tells all worlds apart, agent b believes at w0 to be at w1: it is not common that p.
    let mut model = Kripke::new(2, names(&["a", "b"]), names(&["p"]));
    model.set_true(0, "p");
    model.set_relation(1, Relation::Edges(Edges::from_pairs(2, vec![(0, 1), (1, 1)])));
    for group in ["a,b", "b,a", "all"] {
        let scope = Scope::declared(model.agents(), model.props());
        let formula = scope.formula(&format!("C[{group}] p")).expect("a formula");
        assert!(explicitly(&model, &[formula], false)[0].is_empty(), "C[{group}] p");
    }
}

#[test]
fn answers_after_an_error_do_not_come_from_formulas_that_are_gone() {
    let (agents, props) = (names(&["a"]), names(&["p", "q", "r"]));
    let model = all_valuations(&agents, &props);
    let scope = Scope::declared(&agents, &props);
    // The sequences make preconditions that live no longer than the action, and the action makes too many worlds.
    let large = scope.formula("[L[all] ((?p ; ?q) + (?p ; ?r) + (?p ; ?!q))] p").expect("a formula");
    let fine = ["!p & q", "q & (r | p)", "p & !r", "K[a] p & q"].map(|text| scope.formula(text).expect("a formula"));
    let expected = explicitly(&model, &fine, false);
    let mut checker = Explicit::new(model, Limits { worlds: 5, ..Limits::default() });
    for _ in 0..200 {
        assert!(matches!(checker.check(&large), Err(CheckError::Limit(_))));
        for (formula, expected) in fine.iter().zip(&expected) {
            // Copies: each may lie where a precondition was.
            let copy = Arc::new(Formula::clone(formula));
            assert_eq!(ok(checker.check(&copy)), *expected, "{formula}");
        }
    }
}

#[test]
fn contraction_spares_distributed_knowledge() {
    // Worlds 0 and 2 are bisimilar, as are 1 and 3; together a and b tell all of them apart, and merged they do not.
    let mut model = Kripke::new(4, names(&["a", "b"]), names(&["p"]));
    model.set_true(0, "p");
    model.set_true(2, "p");
    model.set_relation(0, Relation::Classes(Classes::by_key([0, 0, 1, 1])));
    model.set_relation(1, Relation::Classes(Classes::by_key([0, 1, 1, 0])));
    let event = |i: usize| EventPoint {
        name: format!("e{i}").into(),
        pre: Formula::truth(),
        changes: Vec::new(),
        designated: i == 0,
    };
    let events = ActionModel { name: "drawn".into(), events: (0..5).map(event).collect(), sights: Vec::new() };
    let action = Action::Model(Arc::new(events));
    let p = Formula::atom("p");
    let pooled = |f: &F| Formula::after(action.clone(), Arc::new(Formula::Distributed(Group::All, f.clone())));
    let formulas = [Formula::or(vec![pooled(&p), pooled(&say::not(&p))])];
    for contracting in [false, true] {
        assert!(explicitly(&model, &formulas, contracting)[0].is_full(), "contracting: {contracting}");
    }
    let update = Explicit::new(model, Limits::default());
    assert_eq!(contract(update.model(0), Keep::Bisimilar).model.size(), 2);
    assert_eq!(contract(update.model(0), Keep::Everything).model.size(), 4);
}

/// A model of two worlds that nobody tells apart, and an action with one event.
fn one_event(changes: Vec<Change>, sights: Vec<(Name, Sight)>) -> (Kripke, Action) {
    let mut model = Kripke::new(2, names(&["a", "b"]), names(&["p", "q"]));
    model.set_true(0, "p");
    for agent in 0..2 {
        model.set_relation(agent, Relation::Classes(Classes::by_key([0, 0])));
    }
    let event = EventPoint { name: "e".into(), pre: Formula::truth(), changes, designated: true };
    (model, Action::Model(Arc::new(ActionModel { name: "drawn".into(), events: vec![event], sights })))
}

#[test]
fn a_private_action_is_refused_in_s5_even_with_a_single_event() {
    let (model, action) = one_event(Vec::new(), vec![("a".into(), Sight::Edges(Vec::new()))]);
    let formula = Formula::after(action, Formula::knows("a", Formula::falsity()));
    let explicit = Explicit::new(model.clone(), Limits::default()).check(&formula);
    assert!(matches!(explicit, Err(CheckError::BeliefInS5(_))), "{explicit:?}");
    let symbolic = worlds_by_symbolic(&model, &[formula], BiodivineBdd::new);
    assert!(matches!(symbolic, Err(Stopped::Error(CheckError::BeliefInSymbolic))), "{symbolic:?}");
}

#[test]
fn of_two_changes_of_one_proposition_the_later_counts() {
    let set_to = |to: bool| Change::Prop("p".into(), Arc::new(Formula::Const(to)));
    let (model, action) = one_event(vec![set_to(false), set_to(true)], Vec::new());
    let formulas = [Formula::after(action, Formula::atom("p"))];
    let mut opinions = Opinions::default();
    opinions.add("explicit", explicitly(&model, &formulas, true));
    symbolically(&model, &formulas, &mut opinions);
    assert!(opinions.agree(&formulas, || show(&model)).unwrap()[0].is_full());
}

#[test]
fn a_proposition_listed_nowhere_can_become_true() {
    let (model, action) = one_event(vec![Change::Prop("new".into(), Formula::atom("p"))], Vec::new());
    let formulas = [Formula::atom("new"), Formula::after(action, Formula::atom("new"))];
    let mut opinions = Opinions::default();
    opinions.add("explicit", explicitly(&model, &formulas, true));
    symbolically(&model, &formulas, &mut opinions);
    let sets = opinions.agree(&formulas, || show(&model)).unwrap();
    assert_eq!(sets.iter().map(|set| set.iter().collect()).collect::<Vec<Vec<_>>>(), [vec![], vec![0]]);
}

#[test]
fn a_double_minus_does_not_print_as_a_comment() {
    let document = Document::read("agents a\nvars x: 0..2\n", Format::Ken).expect("a model");
    let formula = document.formula("-(-x) = 1").expect("a formula");
    assert_eq!(document.formula(&formula.to_string()).ok(), Some(formula));
}
