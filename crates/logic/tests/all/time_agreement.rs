//! The engines for time agree with the definitions, with one another and with dynamic epistemic logic.
//!
//! Random systems and formulas go to the engines and to the judges of `support/traces.rs`; knowledge-based protocols go
//! to a judge of their own, level by level. What an engine says to account for its answer is followed step by step on the
//! plain transitions. Tables say how many cases exercised which form, and a form that was hardly drawn is a failure too.
//!
//! `KEN_CASES` sets the number of cases of each test, `KEN_SEED` the first seed.

use crate::support::cases::{quietly, run};
use crate::support::forms::{Forms, Tally};
use crate::support::generate::Rng;
use crate::support::judge::{Judge, TRACES, ensure, found};
use crate::support::systems::{Talk, cyclic, layered, system_forms, talk_forms};
use crate::support::traces::{Act, Forgetful, Plain, Recalling, State, unroll};
use ken_logic::check::{Limit, Memory};
use ken_logic::formula::{Action, Along, ArithOp, Cmp, F, Formula, Group, Name, Path, Program, Term, Value};
use ken_logic::model::law::{Facts, Law, LawModel, Observation, Variable};
use ken_logic::model::system::{Actor, Allow, Evolution, Next, Precedence, Rule, System, Visibility};
use ken_logic::model::{Model, Time};
use ken_logic::syntax::Span;
use ken_logic::{Answer, CheckError, Checker, Document, Format, Limits, Options, Query, QueryKind};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// How many points an unrolled system may have; each formula is tried at every depth below that.
const POINTS: usize = 2500;

/// How many knowledge states an engine may make here.
const STATES: usize = 100_000;

/// What the cases of all tests of this file were made of, and how many tests have finished.
static SUITE: Mutex<Option<(Tally, usize)>> = Mutex::new(None);

/// How many tests draw cases.
const TESTS: usize = 6;

fn note(tally: &mut Tally, forms: &Forms) {
    tally.add(forms);
    SUITE.lock().unwrap().get_or_insert_default().0.add(forms);
}

/// The table of one test; the last test to finish prints that of all.
fn finish(tally: &Tally, title: &str, floors: &[(&'static str, f64)]) {
    tally.require(title, floors);
    let mut suite = SUITE.lock().unwrap();
    let (all, finished) = suite.get_or_insert_default();
    *finished += 1;
    if *finished == TESTS {
        let quarter = [";", "*", "?K", "guard with K", "hidden", "E", "D"].map(|form| (form, 25.0));
        all.require("all tests of this file", &quarter);
    }
}

/// What is drawn on purpose, since chance alone draws it too rarely.
const WANTED: &[&str] = &[";", "*", "?K", "E", "D", "C", "?K", "*"];

/// The least share in percent of cases with each of these, where formulas speak of programs.
const FLOORS: &[(&str, f64)] = &[
    (";", 25.0),
    ("+", 20.0),
    ("*", 25.0),
    ("?", 25.0),
    ("?K", 25.0),
    ("? inside *", 5.0),
    ("K", 25.0),
    ("S", 10.0),
    ("Kw", 10.0),
    ("E", 25.0),
    ("D", 25.0),
    ("AX", 15.0),
    ("EX", 15.0),
    ("AG", 15.0),
    ("EG", 15.0),
    ("AF", 15.0),
    ("EF", 15.0),
    ("AU", 15.0),
    ("EU", 15.0),
    ("knowledge of knowledge", 20.0),
    ("(true here, false there)", 5.0),
];

fn floors(more: &[(&'static str, f64)]) -> Vec<(&'static str, f64)> {
    FLOORS.iter().chain(more).copied().collect()
}

/// Some formulas about a system; every other one has a form that is drawn on purpose.
fn some_formulas(rng: &mut Rng, system: &Plain, common: bool, named: bool, forms: &mut Forms) -> Vec<F> {
    let mut all = Vec::new();
    for _ in 0..3 {
        let wanted = *rng.pick(WANTED);
        let wanted = (rng.chance(80) && (common || wanted != "C")).then_some(wanted);
        let mut tries = 0;
        let formula = loop {
            let depth = rng.between(1, 4);
            let formula = Talk { rng, system, common, named }.formula(depth, 3);
            let mut drawn = Forms::new();
            talk_forms(&formula, &mut drawn);
            tries += 1;
            if tries > 40 || (formula.size() < 60 && wanted.is_none_or(|form| drawn.contains(form))) {
                forms.extend(drawn);
                break formula;
            }
        };
        all.push(formula);
    }
    all
}

fn some_visibility(rng: &mut Rng, forms: &mut Forms) -> Visibility {
    if rng.chance(50) {
        forms.insert("hidden");
        Visibility::Hidden
    } else {
        Visibility::Seen
    }
}

/// A system as an engine reads it.
fn document(system: &Plain) -> Document {
    Document::read(&system.to_json(), Format::Json)
        .unwrap_or_else(|problems| panic!("{problems:?}\n{}", system.to_json()))
}

fn read(document: &Document, formula: &F) -> F {
    document.formula(&formula.to_string()).unwrap_or_else(|problems| panic!("{formula}: {problems:?}"))
}

fn options(memory: Memory, visibility: Visibility) -> Options {
    let limits = Limits { worlds: STATES, ..Limits::default() };
    Options { memory: Some(memory), visibility: Some(visibility), limits, ..Options::default() }
}

/// The answer of the engine.
fn ask(time: &Time, formula: &F, options: Options) -> Result<Answer, CheckError> {
    asked(time, formula, options, false)
}

/// The answer of the engine with its account, which changes nothing else.
fn explained(time: &Time, formula: &F, options: Options) -> Result<Answer, String> {
    let side = asked(time, formula, options, true).map_err(|error| format!("no account: {error}"))?;
    let plain = ask(time, formula, options).map_err(|error| format!("no answer: {error}"))?;
    ensure(side.holds_at == plain.holds_at, || format!("with account {side:?}, without {plain:?}"))?;
    Ok(side)
}

fn asked(time: &Time, formula: &F, options: Options, explain: bool) -> Result<Answer, CheckError> {
    let query = Query::new(QueryKind::Check, formula.clone());
    let ask = query.listing(10_000);
    Checker::of_system(time.clone(), options).ask(if explain { ask.explained() } else { ask })
}

/// Checks a formula about a system; a failure is made smaller.
fn shrunk(system: &Plain, formula: &F, check: &dyn Fn(&Plain, &F) -> Result<(), String>) -> Result<(), String> {
    quietly(|| check(system, formula)).map_err(|_| smallest(system, formula, check))
}

/// A failure as small as it can easily be made.
fn smallest(system: &Plain, formula: &F, fails: &dyn Fn(&Plain, &F) -> Result<(), String>) -> String {
    let still = |system: &Plain, formula: &F| quietly(|| fails(system, formula)).err();
    let (mut system, mut formula) = (system.clone(), formula.clone());
    let mut account = still(&system, &formula).unwrap_or_else(|| "it fails no more".into());
    'again: loop {
        for child in formula.children().into_iter().cloned().collect::<Vec<_>>() {
            if let Some(text) = still(&system, &child) {
                (formula, account) = (child, text);
                continue 'again;
            }
        }
        let mut smaller: Vec<Plain> = Vec::new();
        for s in 0..system.states.len() {
            smaller.push(without(&system, s));
        }
        for &s in &system.initial {
            let mut less = system.clone();
            less.initial.remove(&s);
            smaller.push(less);
        }
        for step in &system.steps {
            let mut less = system.clone();
            less.steps.remove(step);
            smaller.push(less);
        }
        for (s, state) in system.states.iter().enumerate() {
            for prop in &state.props {
                let mut less = system.clone();
                less.states[s].props.remove(prop);
                smaller.push(less);
            }
        }
        for less in smaller.into_iter().filter(|less| !less.initial.is_empty()) {
            if let Some(text) = still(&less, &formula) {
                (system, account) = (less, text);
                continue 'again;
            }
        }
        return format!("{formula}\n{account}\n{}", system.to_json());
    }
}

fn without(system: &Plain, state: usize) -> Plain {
    let new = |s: usize| if s > state { s - 1 } else { s };
    let mut less = system.clone();
    less.states.remove(state);
    less.initial = system.initial.iter().filter(|&&s| s != state).map(|&s| new(s)).collect();
    let kept = system.steps.iter().filter(|&&(s, _, t)| s != state && t != state);
    less.steps = kept.map(|&(s, act, t)| (new(s), act, new(t))).collect();
    less
}

fn note_effects(system: &Plain, expected: &BTreeSet<usize>, forms: &mut Forms) {
    if !expected.is_empty() && *expected != system.initial {
        forms.insert("(true here, false there)");
    }
}

/// The engine's answer, compared with what is so by definition.
fn compare(system: &Plain, expected: &BTreeSet<usize>, raw: &F, options: Options) -> Result<(), String> {
    let document = document(system);
    let time = document.time.as_ref().expect("a system");
    let side = ask(time, &read(&document, raw), options).map_err(|error| format!("no answer: {error}"))?;
    let (expected, found) = (system.names(expected), found(&side));
    ensure(expected == found, || format!("by definition at {expected:?}, by the engine at {found:?}, {options:?}"))
}

// 1. Without memory.

#[test]
fn without_memory_the_engine_agrees_with_the_definition() {
    let mut tally = Tally::default();
    run(500, |rng| {
        let mut forms = Forms::new();
        let system = if rng.chance(50) { layered(rng) } else { cyclic(rng, 3, 14) };
        system_forms(&system, &mut forms);
        let formulas = some_formulas(rng, &system, true, true, &mut forms);
        let check = |system: &Plain, formula: &F| {
            let expected = Forgetful::new(system).initial(formula);
            compare(system, &expected, formula, options(Memory::None, Visibility::Seen))
        };
        for formula in &formulas {
            note_effects(&system, &Forgetful::new(&system).initial(formula), &mut forms);
            shrunk(&system, formula, &check)?;
        }
        note(&mut tally, &forms);
        Ok(())
    });
    finish(&tally, "without memory", &floors(&[("C", 20.0), ("(cycles)", 35.0), ("(no cycles)", 35.0)]));
}

// 2. Perfect recall without cycles.

#[test]
fn with_perfect_recall_the_engine_agrees_with_all_traces_of_systems_without_cycles() {
    let mut tally = Tally::default();
    let mut left_out = 0;
    run(500, |rng| {
        let mut forms = Forms::new();
        let system = layered(rng);
        system_forms(&system, &mut forms);
        let visibility = some_visibility(rng, &mut forms);
        let formulas = some_formulas(rng, &system, true, true, &mut forms);
        let Some(recalling) = Recalling::new(&system, visibility, TRACES) else {
            left_out += 1;
            return Ok(());
        };
        let check = |system: &Plain, formula: &F| {
            let expected = Recalling::new(system, visibility, TRACES).expect("few traces").initial(formula);
            compare(system, &expected, formula, options(Memory::Perfect, visibility))
        };
        for formula in &formulas {
            let expected = recalling.initial(formula);
            note_effects(&system, &expected, &mut forms);
            if expected != Forgetful::new(&system).initial(formula) {
                forms.insert("(memory matters)");
            }
            shrunk(&system, formula, &check)?;
        }
        note(&mut tally, &forms);
        Ok(())
    });
    println!("{left_out} systems with more than {TRACES} traces left out");
    let more = [("C", 20.0), ("hidden", 35.0), ("(memory matters)", 5.0)];
    finish(&tally, "perfect recall, no cycles", &floors(&more));
}

// 3. Perfect recall with cycles.

#[test]
fn with_perfect_recall_the_engine_agrees_with_unrolling_where_that_decides() {
    let mut tally = Tally::default();
    let (mut asked, mut open, mut full) = (0, 0, 0);
    run(250, |rng| {
        let mut forms = Forms::new();
        let system = cyclic(rng, 3, 30);
        system_forms(&system, &mut forms);
        let visibility = some_visibility(rng, &mut forms);
        let formulas = some_formulas(rng, &system, false, true, &mut forms);
        for raw in &formulas {
            let verdicts = unroll(&system, raw, visibility, POINTS);
            asked += 1;
            open += usize::from(verdicts.values().any(Option::is_none));
            let yes = verdicts.iter().filter(|(_, v)| **v == Some(true)).map(|(s, _)| *s).collect();
            if verdicts.values().all(Option::is_some) {
                note_effects(&system, &yes, &mut forms);
                if yes != Forgetful::new(&system).initial(raw) {
                    forms.insert("(memory matters)");
                }
            }
            full += usize::from(matches!(
                ask(document(&system).time.as_ref().unwrap(), &read(&document(&system), raw), {
                    options(Memory::Perfect, visibility)
                }),
                Err(CheckError::Limit(_))
            ));
            let check = |system: &Plain, raw: &F| {
                let document = document(system);
                let formula = read(&document, raw);
                let side = match ask(document.time.as_ref().unwrap(), &formula, options(Memory::Perfect, visibility)) {
                    Ok(side) => side,
                    Err(CheckError::Limit(_)) => return Ok(()),
                    Err(error) => return Err(format!("no answer: {error}")),
                };
                let found = found(&side);
                for (state, verdict) in unroll(system, raw, visibility, POINTS) {
                    let name = &system.states[state].name;
                    if verdict.is_some_and(|verdict| verdict != found.contains(name)) {
                        return Err(format!("at {name} unrolled {verdict:?}, the engine otherwise, {visibility:?}"));
                    }
                }
                Ok(())
            };
            shrunk(&system, raw, &check)?;
        }
        note(&mut tally, &forms);
        Ok(())
    });
    println!("unrolling left {open} of {asked} formulas undecided; the engine gave up on {full}");
    assert!(open * 10 <= asked, "more than 10 % undecided");
    assert!(full * 50 <= asked, "the engine gave up on more than 2 %");
    finish(&tally, "perfect recall, cycles", &floors(&[("hidden", 35.0), ("(cycles)", 100.0)]));
}

// 4. Layers and moments.

/// The same formula with a tautology about common knowledge: it makes the engine look at whole moments.
fn with_common(formula: &F, group: Group) -> F {
    let common = Arc::new(Formula::Common(group, Formula::atom("p")));
    let tautology = Arc::new(Formula::Or(vec![common.clone(), Arc::new(Formula::Not(common))]));
    Arc::new(Formula::And(vec![formula.clone(), tautology]))
}

#[test]
fn layers_and_moments_give_the_same_answers() {
    let mut tally = Tally::default();
    let (mut asked, mut open) = (0, 0);
    run(450, |rng| {
        let mut forms = Forms::new();
        let system = if rng.chance(20) { layered(rng) } else { cyclic(rng, 3, 9) };
        system_forms(&system, &mut forms);
        let visibility = some_visibility(rng, &mut forms);
        let formulas = some_formulas(rng, &system, false, true, &mut forms);
        let group = if rng.chance(50) { Group::All } else { Group::Of(vec![rng.pick(&system.agents).clone()]) };
        let bounded = Options {
            bound: Some(8),
            limits: Limits { worlds: 3000, ..Limits::default() },
            ..options(Memory::Perfect, visibility)
        };
        for raw in &formulas {
            let (gave_up, differs) = (std::cell::Cell::new(false), std::cell::Cell::new(false));
            let check = |system: &Plain, raw: &F| {
                let document = document(system);
                let (formula, time) = (read(&document, raw), document.time.as_ref().unwrap());
                let layers = ask(time, &formula, options(Memory::Perfect, visibility)).map_err(|e| e.to_string())?;
                let moments = match ask(time, &with_common(&formula, group.clone()), bounded) {
                    Ok(moments) => moments,
                    Err(CheckError::Limit(Limit::Steps(_) | Limit::States(_))) => {
                        gave_up.set(true);
                        return Ok(());
                    }
                    Err(error) => return Err(format!("moments: {error}")),
                };
                let (layers, moments) = (found(&layers), found(&moments));
                differs.set(!layers.is_empty() && layers.len() < system.initial.len());
                ensure(layers == moments, || format!("layers {layers:?}, moments {moments:?}, {visibility:?}"))
            };
            shrunk(&system, raw, &check)?;
            asked += 1;
            open += usize::from(gave_up.get());
            if differs.get() {
                forms.insert("(true here, false there)");
            }
            if gave_up.get() {
                forms.insert("(moments gave up)");
            }
        }
        note(&mut tally, &forms);
        Ok(())
    });
    println!("moments gave up on {open} of {asked} formulas");
    assert!(open * 2 < asked, "moments gave up on half or more");
    finish(&tally, "layers and moments", &floors(&[("hidden", 35.0), ("(cycles)", 60.0)]));
}

// Once the points beyond the limit were listed without the moment that they belong to, and the engine panicked.
#[test]
fn moments_beyond_the_limit_are_given_up() {
    let text = r#"{"agents":["a"],"initial":["s"],"transitions":[["s","x","t"]],
        "states":{"s":{"local":{"a":"0"},"props":["p"]},"t":{"local":{"a":"0"},"props":["p"]}}}"#;
    let document = Document::read(text, Format::Json).expect("a system");
    let formula = document.formula("AG C[a] p").expect("a formula");
    let few = Limits { worlds: 1, ..Limits::default() };
    let options = Options { limits: few, ..options(Memory::Perfect, Visibility::Seen) };
    let answer = ask(document.time.as_ref().expect("a system"), &formula, options);
    assert!(matches!(answer, Err(CheckError::Limit(_))), "{answer:?}");
}

// 5. Dynamic epistemic logic.

/// An objective formula over some atoms.
fn objective(rng: &mut Rng, atoms: &[&str], depth: usize) -> F {
    if depth == 0 {
        return Formula::atom(*rng.pick(atoms));
    }
    let (f, g) = (objective(rng, atoms, depth - 1), objective(rng, atoms, depth - 1));
    Arc::new(match rng.below(5) {
        0 => Formula::Not(f),
        1 => Formula::And(vec![f, g]),
        2 => Formula::Or(vec![f, g]),
        3 => Formula::Imp(f, g),
        _ => Formula::Iff(f, g),
    })
}

/// A formula about facts and knowledge.
fn epistemic(rng: &mut Rng, agents: &[Name], atoms: &[&str], depth: usize) -> F {
    if depth == 0 {
        let level = rng.below(2);
        return objective(rng, atoms, level);
    }
    let agent = rng.pick(agents).clone();
    let mut members = agents.to_vec();
    rng.shuffle(&mut members);
    members.truncate(rng.between(2, agents.len()));
    let group = if rng.chance(25) { Group::All } else { Group::Of(members) };
    let f = epistemic(rng, agents, atoms, depth - 1);
    Arc::new(match rng.below(10) {
        0 | 1 => Formula::Knows(agent, f),
        2 => Formula::Possible(agent, f),
        3 => Formula::KnowsWhether(agent, f),
        4 => Formula::Everyone(group, f),
        5 => Formula::Common(group, f),
        6 => Formula::Distributed(group, f),
        7 => Formula::Not(f),
        8 => Formula::Or(vec![f, epistemic(rng, agents, atoms, depth - 1)]),
        _ => Formula::Iff(f, epistemic(rng, agents, atoms, depth - 1)),
    })
}

/// Something that an agent can tell by what it knows.
fn own_knowledge(rng: &mut Rng, me: &Name, agents: &[Name], atoms: &[&str]) -> F {
    let depth = rng.below(3);
    let f = epistemic(rng, agents, atoms, depth);
    let knows = Formula::knows(me.clone(), f.clone());
    match rng.below(6) {
        0 | 1 => knows,
        2 => Formula::negation(knows),
        3 => Arc::new(Formula::KnowsWhether(me.clone(), f)),
        4 => Formula::negation(Arc::new(Formula::KnowsWhether(me.clone(), f))),
        _ => {
            let more = epistemic(rng, agents, atoms, 0);
            Formula::or(vec![knows, Formula::knows(me.clone(), more)])
        }
    }
}

fn var(name: &str) -> Term {
    Term::Var(name.into())
}

fn int(n: usize) -> Value {
    Value::Int(n as i64)
}

fn round_is(cmp: Cmp, n: usize) -> F {
    Arc::new(Formula::Compare(cmp, var("round"), Term::Value(int(n))))
}

/// A model of some propositions, of which each agent sees some, with a round that is 0.
fn vocabulary(rng: &mut Rng, agents: &[Name], props: &[&str], rounds: usize) -> LawModel {
    let mut laws = vec![Law { formula: round_is(Cmp::Eq, 0), span: Span::default() }];
    if rng.chance(40) {
        let formula = Arc::new(Formula::Or(props.iter().map(|p| Formula::atom(*p)).collect()));
        laws.push(Law { formula, span: Span::default() });
    }
    let mut observes = Vec::new();
    for _ in agents {
        let mut seen: Vec<Observation> = Vec::new();
        for p in props {
            if rng.chance(45) {
                seen.push(Observation::Formula(Formula::atom(*p)));
            }
        }
        if rng.chance(20) {
            seen.push(Observation::Formula(objective(rng, props, 1)));
        }
        if rng.chance(30) {
            seen.push(Observation::Term(var("round")));
        }
        observes.push(seen);
    }
    LawModel {
        agents: agents.to_vec(),
        props: props.iter().map(|p| Name::from(*p)).collect(),
        vars: vec![Variable { name: "round".into(), values: (0..=rounds).map(int).collect() }],
        laws,
        observes,
        ..LawModel::default()
    }
}

/// The round goes on until it is the last.
fn rounds_pass(rounds: usize) -> Evolution {
    let next = Term::Bin(ArithOp::Add, Box::new(var("round")), Box::new(Term::Value(int(1))));
    let sets = vec![("round".into(), Next::Term(next))];
    let rule = Rule { guard: round_is(Cmp::Lt, rounds), sets, span: Span::default() };
    Evolution { rules: vec![rule], precedence: Precedence::First }
}

fn allow(guard: F, actions: &[usize]) -> Allow {
    Allow { guard, actions: actions.to_vec(), span: Span::default() }
}

#[test]
fn public_actions_in_a_system_say_what_announcements_say() {
    let mut tally = Tally::default();
    run(600, |rng| {
        let mut forms = Forms::new();
        let agents: Vec<Name> = ["a", "b", "c"][..rng.between(2, 3)].iter().map(|&a| a.into()).collect();
        let props = &["p", "q", "r"][..rng.between(2, 3)];
        let rounds = rng.between(1, 3);
        let model = vocabulary(rng, &agents, props, rounds);
        // Who says what in which round; nobody who knows is the environment.
        let said: Vec<(Name, F)> = (0..rounds)
            .map(|_| {
                if rng.chance(30) {
                    return ("env".into(), objective(rng, props, 2));
                }
                let me = rng.pick(&agents).clone();
                let what = own_knowledge(rng, &me, &agents, props);
                (me, what)
            })
            .collect();
        if said.iter().any(|(_, f)| !f.is_objective()) {
            forms.insert("guard with K");
        }
        // Where it is not so nothing is said, or nothing happens at all. The silence tells something only if it is seen.
        let silence = rng.chance(50);
        let visibility = if !silence && rng.chance(70) { Visibility::Hidden } else { Visibility::Seen };
        forms.insert(if silence { "silence" } else { "no silence" });
        if visibility == Visibility::Hidden {
            forms.insert("hidden");
        }
        let actors = agents.iter().cloned().chain(["env".into()]).map(|name: Name| {
            let mut protocol = Vec::new();
            let mut waits = vec![round_is(Cmp::Lt, rounds)];
            for (i, (_, what)) in said.iter().enumerate().filter(|(_, (who, _))| *who == name) {
                let now = round_is(Cmp::Eq, i);
                protocol.push(allow(Formula::and(vec![now.clone(), what.clone()]), &[0]));
                if silence {
                    let not = Formula::negation(what.clone());
                    protocol.push(allow(Formula::and(vec![now.clone(), not]), &[1]));
                }
                waits.push(Formula::negation(now));
            }
            protocol.push(allow(Formula::and(waits), &[1]));
            let actions = vec!["say".into(), "wait".into()];
            Actor { name, actions, protocol, otherwise: Vec::new(), span: Span::default() }
        });
        let system = System {
            vocabulary: model.clone(),
            actors: actors.collect(),
            evolution: vec![rounds_pass(rounds)],
            may_end: true,
            ..System::default()
        };
        for _ in 0..3 {
            let depth = rng.between(1, 3);
            let then = epistemic(rng, &agents, props, depth);
            talk_forms(&then, &mut forms);
            let (mut announced, mut timed) = (then.clone(), then);
            for (_, what) in said.iter().rev() {
                let (action, say) = (Arc::new(Action::Announce(what.clone())), Program::Action("say".into()));
                let can = rng.chance(40);
                forms.insert(if can { "EX{say}" } else { "AX{say}" });
                (announced, timed) = if can {
                    (Formula::Can(action, announced).into(), Formula::Path(Path::Some, Along::Next, say, timed).into())
                } else {
                    (Formula::After(action, announced).into(), Formula::Path(Path::All, Along::Next, say, timed).into())
                };
            }
            let query = Query::new(QueryKind::Where, announced);
            let mut checker = Checker::of(Model::Law(model.clone()), Options::default());
            let answer = checker.ask(query.listing(100)).expect("an answer");
            let expected: BTreeSet<Name> = answer.names().expect("few worlds").into_iter().map(Name::from).collect();
            let story = || format!("{timed}\n{visibility:?}, silence {silence}, said: {said:?}\n{:?}", model);
            let side = ask(&Time::System(system.clone()), &timed, options(Memory::Perfect, visibility))
                .map_err(|error| format!("no answer: {error}\n{}", story()))?;
            if found(&side) != expected {
                return Err(format!("announced {expected:?}, in the system {:?}\n{}", found(&side), story()));
            }
            if answer.holding > 0u32.into() && answer.holding < answer.asked {
                forms.insert("(true here, false there)");
            }
        }
        note(&mut tally, &forms);
        Ok(())
    });
    let more = [
        ("guard with K", 70.0),
        ("hidden", 25.0),
        ("silence", 35.0),
        ("no silence", 35.0),
        ("C", 25.0),
        ("E", 25.0),
        ("D", 25.0),
        ("(true here, false there)", 30.0),
    ];
    finish(&tally, "announcements", &more);
}

// 6. Knowledge-based protocols.

/// A small system of two agents, and perhaps an observer and an environment, whose guards ask what they know.
fn knowing_protocols(rng: &mut Rng, forms: &mut Forms) -> System {
    let agents: Vec<Name> = ["a", "b", "c"][..rng.between(2, 3)].iter().map(|&a| a.into()).collect();
    let props = ["p", "q"];
    let rounds = rng.between(2, 3);
    let vocabulary = vocabulary(rng, &agents, &props, rounds);
    let mut actors = Vec::new();
    for (i, me) in agents.iter().take(2).enumerate() {
        let actions: Vec<Name> = ["x", ["y", "z"][i]].map(Name::from).to_vec();
        let mut protocol = Vec::new();
        for _ in 0..rng.between(1, 2) {
            let guard = if rng.chance(75) {
                forms.insert("guard with K");
                let own = own_knowledge(rng, me, &agents, &props);
                match rng.below(3) {
                    0 => own,
                    1 => Formula::and(vec![own, objective(rng, &props, 1)]),
                    _ => Formula::implies(objective(rng, &props, 0), own),
                }
            } else {
                objective(rng, &props, 1)
            };
            let ways: [&[usize]; 4] = [&[0], &[1], &[0, 1], &[0]];
            let way: &&[usize] = rng.pick(&ways);
            protocol.push(allow(guard, way));
        }
        let choices: [&[usize]; 5] = [&[], &[1], &[0], &[1], &[0, 1]];
        let otherwise = *rng.pick(&choices);
        if otherwise.is_empty() {
            forms.insert("(a protocol may enable nothing)");
        }
        let otherwise = otherwise.to_vec();
        actors.push(Actor { name: me.clone(), actions, protocol, otherwise, span: Span::default() });
    }
    // It ends everything in the last round.
    let clock = vec![allow(round_is(Cmp::Lt, rounds), &[0])];
    let actions = vec!["tick".into()];
    actors.push(Actor { name: "clock".into(), actions, protocol: clock, otherwise: vec![], span: Span::default() });
    let atoms = ["p", "q", "a.x", "b.x", "b.z", "a.y"];
    let mut evolution = vec![rounds_pass(rounds)];
    let both = rng.chance(30);
    let targets: &[&[&str]] = if both { &[&["p", "q"]] } else { &[&["p"], &["q"]] };
    for names in targets {
        let mut rules = Vec::new();
        for _ in 0..rng.between(0, 2) {
            let level = rng.below(2);
            let guard = objective(rng, &atoms, level);
            let mut sets: Vec<(Name, Next)> = Vec::new();
            for name in *names {
                let next = if rng.chance(20) { Next::Either } else { Next::Formula(objective(rng, &atoms, 1)) };
                sets.push(((*name).into(), next));
            }
            rules.push(Rule { guard, sets, span: Span::default() });
        }
        let precedence = *rng.pick(&[Precedence::First, Precedence::Any]);
        evolution.push(Evolution { rules, precedence });
    }
    System { vocabulary, actors, evolution, may_end: true, ..System::default() }
}

/// Values of propositions and of the round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Values {
    props: BTreeMap<Name, bool>,
    round: i64,
}

impl Values {
    /// The truth of an objective formula; actions are atoms.
    fn satisfy(&self, f: &Formula, done: &BTreeSet<Name>) -> bool {
        let yes = |g: &F| self.satisfy(g, done);
        match f {
            Formula::Const(b) => *b,
            Formula::Atom(name) => self.props.get(name).copied().unwrap_or_else(|| done.contains(name)),
            Formula::Compare(cmp, Term::Var(_), Term::Value(Value::Int(n))) => cmp.admits(self.round.cmp(n)),
            Formula::Not(g) => !yes(g),
            Formula::And(parts) => parts.iter().all(yes),
            Formula::Or(parts) => parts.iter().any(yes),
            Formula::Imp(g, h) => !yes(g) || yes(h),
            Formula::Iff(g, h) => yes(g) == yes(h),
            other => panic!("not objective: {other}"),
        }
    }

    fn label(&self) -> String {
        let props = self.props.iter().filter(|(_, b)| **b).map(|(p, _)| p.clone()).collect();
        Facts { props, vars: vec![("round".into(), Value::Int(self.round))] }.label()
    }

    fn seen(&self, observed: &[Observation]) -> String {
        let see = |o: &Observation| match o {
            Observation::Formula(f) => self.satisfy(f, &BTreeSet::new()).to_string(),
            Observation::Term(_) => self.round.to_string(),
        };
        observed.iter().map(see).collect::<Vec<_>>().join(",")
    }
}

/// A trace of a written system: its last values, what each agent has seen.
#[derive(Clone, Debug)]
struct Told {
    values: Values,
    seen: Vec<String>,
}

/// The system whose states are the traces of another, level by level: an agent's local state is its history.
///
/// `None` if there are more than `limit` traces.
fn tree(system: &System, visibility: Visibility, limit: usize) -> Option<Plain> {
    let law = &system.vocabulary;
    let mut plain = Plain { agents: law.agents.clone(), ..Plain::default() };
    let mut level: Vec<Told> = Vec::new();
    for bits in 0..1usize << law.props.len() {
        let props = law.props.iter().enumerate().map(|(i, p)| (p.clone(), bits >> i & 1 == 1)).collect();
        let values = Values { props, round: 0 };
        if law.laws.iter().all(|law| values.satisfy(&law.formula, &BTreeSet::new())) {
            let seen = law.observes.iter().map(|o| format!("0:{}", values.seen(o))).collect();
            level.push(Told { values, seen });
        }
    }
    plain.initial = (0..level.len()).collect();
    let state = |told: &Told, name: String| State {
        name: name.into(),
        local: told.seen.iter().map(|s| s.as_str().into()).collect(),
        props: told.values.props.iter().filter(|(_, b)| **b).map(|(p, _)| p.clone()).collect(),
    };
    plain.states = level.iter().map(|told| state(told, told.values.label())).collect();
    let mut first = 0;
    while !level.is_empty() {
        // All traces of this length together: what is known now.
        let moment = Plain {
            agents: law.agents.clone(),
            states: plain.states[first..].to_vec(),
            initial: (0..level.len()).collect(),
            ..Plain::default()
        };
        let judge = Forgetful::new(&moment);
        let holds = |guard: &F| -> BTreeSet<usize> {
            if guard.is_objective() {
                let satisfied = |i: &usize| level[*i].values.satisfy(guard, &BTreeSet::new());
                (0..level.len()).filter(satisfied).collect()
            } else {
                judge.everywhere(guard)
            }
        };
        let lines = |actor: &Actor| actor.protocol.iter().map(|line| holds(&line.guard)).collect();
        let applies: Vec<Vec<BTreeSet<usize>>> = system.actors.iter().map(lines).collect();
        let mut longer: Vec<Told> = Vec::new();
        for (i, told) in level.iter().enumerate() {
            let mut joint: Vec<Vec<usize>> = vec![Vec::new()];
            for (actor, applies) in system.actors.iter().zip(&applies) {
                let lines = actor.protocol.iter().zip(applies).filter(|(_, at)| at.contains(&i));
                let lines: Vec<&Allow> = lines.map(|(line, _)| line).collect();
                let mut enabled: BTreeSet<usize> = lines.iter().flat_map(|line| line.actions.clone()).collect();
                if lines.is_empty() {
                    enabled = actor.otherwise.iter().copied().collect();
                }
                let with = |choice: &Vec<usize>| {
                    let more = enabled.iter().map(|&x| [choice.as_slice(), &[x]].concat());
                    more.collect::<Vec<_>>()
                };
                joint = joint.iter().flat_map(with).collect();
            }
            for choice in joint {
                let by = |(actor, &x): (&Actor, &usize)| format!("{}.{}", actor.name, actor.actions[x]);
                let full: Vec<String> = system.actors.iter().zip(&choice).map(by).collect();
                let text = full.join(" ");
                let done: BTreeSet<Name> = full.iter().map(|n| n.as_str().into()).collect();
                let act = plain.acts.iter().position(|act| *act.text == *text).unwrap_or_else(|| {
                    let short = system.actors.iter().zip(&choice).map(|(actor, &x)| actor.actions[x].clone());
                    let names = done.iter().cloned().chain(short).collect();
                    plain.acts.push(Act { text: text.as_str().into(), names });
                    plain.acts.len() - 1
                });
                for values in after(system, &told.values, &done) {
                    let shown = if visibility == Visibility::Seen { text.as_str() } else { "" };
                    let look = |(past, o): (&String, &Vec<Observation>)| {
                        format!("{past} {shown} {}:{}", past.split(':').count() - 1, values.seen(o))
                    };
                    let seen = told.seen.iter().zip(&law.observes).map(look).collect();
                    let new = Told { values: values.clone(), seen };
                    plain.steps.insert((first + i, act, plain.states.len()));
                    plain.states.push(state(&new, format!("t{}", plain.states.len())));
                    longer.push(new);
                }
            }
            if plain.states.len() > limit {
                return None;
            }
        }
        first += level.len();
        level = longer;
    }
    Some(plain)
}

/// What may follow when this is done.
fn after(system: &System, values: &Values, done: &BTreeSet<Name>) -> BTreeSet<Values> {
    let mut all = BTreeSet::from([values.clone()]);
    for group in &system.evolution {
        let mut rules: Vec<&Rule> = group.rules.iter().filter(|r| values.satisfy(&r.guard, done)).collect();
        if group.precedence == Precedence::First {
            rules.truncate(1);
        }
        if rules.is_empty() {
            continue;
        }
        let mut next = BTreeSet::new();
        for before in &all {
            for rule in &rules {
                let mut ways = vec![before.clone()];
                for (target, new) in &rule.sets {
                    ways = ways
                        .into_iter()
                        .flat_map(|way| {
                            let with = |value: bool| {
                                let mut way = way.clone();
                                way.props.insert(target.clone(), value);
                                way
                            };
                            match new {
                                Next::Formula(f) => vec![with(values.satisfy(f, done))],
                                Next::Either => vec![with(false), with(true)],
                                Next::Term(_) => vec![Values { round: values.round + 1, ..way.clone() }],
                                Next::OneOf(_) => panic!("not drawn"),
                            }
                        })
                        .collect();
                }
                next.extend(ways);
            }
        }
        all = next;
    }
    all
}

#[test]
fn protocols_that_ask_what_is_known_agree_with_all_traces_level_by_level() {
    let mut tally = Tally::default();
    let mut left_out = 0;
    run(600, |rng| {
        let mut forms = Forms::new();
        let system = knowing_protocols(rng, &mut forms);
        let visibility = some_visibility(rng, &mut forms);
        let Some(tree) = tree(&system, visibility, 300) else {
            left_out += 1;
            return Ok(());
        };
        let judge = Forgetful::new(&tree);
        // Programs call actions by their names, with or without who does them.
        let mut words = Plain { agents: tree.agents.clone(), ..Plain::default() };
        for name in ["x", "y", "z", "a.x", "b.z", "tick"] {
            words.act(name);
        }
        let mut formulas = some_formulas(rng, &words, true, false, &mut forms);
        // Straight into some round, and what is known there.
        let (depth, mut chain) = (rng.between(1, 2), rng.between(1, 3));
        let mut known = epistemic(rng, &tree.agents, &["p", "q"], depth);
        while chain > 0 {
            let path = *rng.pick(&[Path::All, Path::Some]);
            let program =
                if rng.chance(50) { Program::Any } else { Program::Action((*rng.pick(&["x", "y", "z"])).into()) };
            known = Formula::Path(path, Along::Next, program, known).into();
            chain -= 1;
        }
        talk_forms(&known, &mut forms);
        formulas.push(known);
        for formula in &formulas {
            let expected = judge.initial(formula);
            note_effects(&tree, &expected, &mut forms);
            let expected = tree.names(&expected);
            let side = ask(&Time::System(system.clone()), formula, options(Memory::Perfect, visibility))
                .map_err(|error| format!("{formula}\nno answer: {error}\n{system:#?}"))?;
            if found(&side) != expected {
                let found = found(&side);
                return Err(format!(
                    "{formula}\nby definition {expected:?}, by the engine {found:?}, {visibility:?}\n{system:#?}"
                ));
            }
        }
        note(&mut tally, &forms);
        Ok(())
    });
    println!("{left_out} systems with too many traces left out");
    finish(&tally, "knowledge-based protocols", &floors(&[("guard with K", 70.0), ("hidden", 35.0), ("C", 25.0)]));
}

// 7. Accounts.

// Once the body was asked for in a layer that does not have it.
#[test]
fn knowing_whether_somebody_knows_is_accounted_for() {
    let text = r#"{"agents":["a"],"initial":["s"],"states":{"s":{"local":{"a":"0"},"props":[]}},"transitions":[]}"#;
    let document = Document::read(text, Format::Json).expect("a system");
    let formula = document.formula("Kw[a] K[a] p").expect("a formula");
    let options = options(Memory::Perfect, Visibility::Seen);
    let side = asked(document.time.as_ref().expect("a system"), &formula, options, true);
    assert!(side.expect("an account does not make an answer impossible").account().is_some());
}

// Once the members of D were not put in the order in which layers and moments know the group.
#[test]
fn groups_are_accounted_for_in_any_order() {
    let text = r#"{"agents":["a","b"],"initial":["s","t"],"transitions":[],
        "states":{"s":{"local":{"a":"0","b":"0"},"props":["p"]},"t":{"local":{"a":"0","b":"0"},"props":[]}}}"#;
    let system = Plain::from_json(&serde_json::from_str(text).unwrap());
    let document = document(&system);
    let wrong = ["D[a,b] p", "D[b,a] p", "D[a,b] p & C[a] true", "D[b,a] p & C[a] true"].map(|text| {
        let (formula, options) = (document.formula(text).unwrap(), options(Memory::Perfect, Visibility::Seen));
        let account = right_account(&Judge::perfect(&system, Visibility::Seen), &document, &formula, options);
        account.err().map(|problem| format!("{text}\n{problem}\n"))
    });
    let wrong: String = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong}");
}

/// The account of an answer, followed step by step; whether there is one.
fn right_account(judge: &Judge<'_>, document: &Document, formula: &F, options: Options) -> Result<bool, String> {
    let side = match explained(document.time.as_ref().expect("a system"), formula, options) {
        Ok(side) => side,
        Err(text) if options.bound.is_some() && text.contains("gave up") => return Ok(false),
        Err(text) => return Err(text),
    };
    judge.account(document, &side).map_err(|wrong| format!("{wrong}\n{:?}", side.account()))?;
    Ok(side.account().is_some())
}

#[test]
fn accounts_without_memory_are_right() {
    run(500, |rng| {
        let system = if rng.chance(50) { layered(rng) } else { cyclic(rng, 3, 10) };
        let check = |system: &Plain, raw: &F| {
            let document = document(system);
            let options = options(Memory::None, Visibility::Seen);
            let told = right_account(&Judge::forgetful(system), &document, &read(&document, raw), options)?;
            ensure(told, || "no account".into())
        };
        for raw in &some_formulas(rng, &system, true, true, &mut Forms::new()) {
            shrunk(&system, raw, &check)?;
        }
        Ok(())
    });
}

#[test]
fn accounts_with_perfect_recall_are_right() {
    run(500, |rng| {
        let system = if rng.chance(50) { layered(rng) } else { cyclic(rng, 3, 14) };
        let visibility = some_visibility(rng, &mut Forms::new());
        let check = |system: &Plain, raw: &F| {
            let document = document(system);
            let options = options(Memory::Perfect, visibility);
            let told = right_account(&Judge::perfect(system, visibility), &document, &read(&document, raw), options)?;
            ensure(told, || "no account".into())
        };
        for raw in some_formulas(rng, &system, false, true, &mut Forms::new()).iter() {
            shrunk(&system, raw, &check)?;
        }
        Ok(())
    });
}

#[test]
fn accounts_with_common_knowledge_over_time_are_right() {
    let (missing, mut all) = (std::cell::Cell::new(0), 0);
    run(500, |rng| {
        let acyclic = rng.chance(60);
        let system = if acyclic { layered(rng) } else { cyclic(rng, 3, 8) };
        let visibility = some_visibility(rng, &mut Forms::new());
        let bounded = Options {
            bound: (!acyclic).then_some(6),
            limits: Limits { worlds: if acyclic { STATES } else { 2000 }, ..Limits::default() },
            ..options(Memory::Perfect, visibility)
        };
        let check = |system: &Plain, raw: &F| {
            let document = document(system);
            let formula = with_common(&read(&document, raw), Group::Of(vec![system.agents[0].clone()]));
            let told = right_account(&Judge::perfect(system, visibility), &document, &formula, bounded)?;
            missing.set(missing.get() + usize::from(!told));
            Ok(())
        };
        for raw in some_formulas(rng, &system, true, true, &mut Forms::new()).iter() {
            all += 1;
            shrunk(&system, raw, &check)?;
        }
        Ok(())
    });
    // Moments are followed until the answer is certain; what the account would speak of may still be open then.
    println!("{} of {all} answers without an account, or none within the bound", missing.get());
    assert!(missing.get() * 10 < all, "10 % or more without an account");
}

#[test]
fn there_are_accounts_where_protocols_ask_what_is_known() {
    let (mut missing, mut all) = (0, 0);
    run(250, |rng| {
        let forms = &mut Forms::new();
        let system = knowing_protocols(rng, forms);
        let visibility = some_visibility(rng, forms);
        let agents = &system.vocabulary.agents;
        let mut words = Plain { agents: agents.clone(), ..Plain::default() };
        ["x", "y", "z", "a.x", "b.z", "tick"].iter().for_each(|name| _ = words.act(name));
        for formula in some_formulas(rng, &words, true, false, forms).iter() {
            let time = Time::System(system.clone());
            let side = explained(&time, formula, options(Memory::Perfect, visibility))
                .map_err(|error| format!("{formula}\n{error}\n{system:?}"))?;
            all += 1;
            let Some((name, account)) = side.account() else {
                missing += 1;
                continue;
            };
            let fits = account.holds == side.holds && account.holds == found(&side).contains(name);
            ensure(fits, || format!("{formula}\n{side:?}\n{system:?}"))?;
        }
        Ok(())
    });
    println!("{missing} of {all} answers without an account");
    assert!(missing * 10 < all, "10 % or more without an account");
}
