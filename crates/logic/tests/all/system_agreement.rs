//! Written systems: the engines agree with one another and with the definitions.
//!
//! Random systems and formulas about them go to the explicit engine, to the symbolic engine and to the judge of
//! `support/random_systems.rs`, which lists systems by definition. Tables say how many cases exercised which form, and a
//! form that was hardly drawn is a failure too.
//!
//! `KEN_CASES` sets the number of cases of each test, `KEN_SEED` the first seed.

use crate::support::by_hand::{ByHand, Judge, Trouble};
use crate::support::cases::{quietly, run};
use crate::support::forms::{Forms, Tally};
use crate::support::generate::Rng;
use crate::support::random_systems::{
    Care, Speaker, Words, random_system, shown, smaller, spoken_forms, written_forms,
};
use crate::support::remembered::Remembered;
use crate::support::shown::is_shown;
use ken_logic::check::{EngineChoice, Memory, Size};
use ken_logic::formula::{F, Formula, Group};
use ken_logic::model::enumerate::Budget;
use ken_logic::model::explore::{Effort, Labels, explore};
use ken_logic::model::system::{System, Visibility};
use ken_logic::model::{Time, Transitions};
use ken_logic::{Answer, At, CheckError, Checker, Document, Format, Limits, Options, Query, QueryKind};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// The most states that go to the judge.
const JUDGED: usize = 48;

/// The most nodes of a level of runs that look the same.
const REMEMBERED: usize = 250;

/// The most knowledge states of an engine here.
const KNOWLEDGE_STATES: usize = 4_000;

fn ensure(test: bool, account: impl FnOnce() -> String) -> Result<(), String> {
    if test { Ok(()) } else { Err(account()) }
}

/// Checks a formula about a system; a failure is made smaller.
fn shrunk(system: &System, formula: &F, check: &dyn Fn(&System, &F) -> Result<(), String>) -> Result<(), String> {
    let still = |system: &System, formula: &F| quietly(|| check(system, formula)).err();
    let Some(mut account) = still(system, formula) else { return Ok(()) };
    let careful = ByHand::new(system).is_ok();
    let (mut system, mut formula) = (system.clone(), formula.clone());
    'again: loop {
        for child in formula.children().into_iter().cloned().collect::<Vec<_>>() {
            if let Some(text) = still(&system, &child) {
                (formula, account) = (child, text);
                continue 'again;
            }
        }
        for less in smaller(&system).into_iter().filter(|less| !careful || ByHand::new(less).is_ok()) {
            if let Some(text) = still(&less, &formula) {
                (system, account) = (less, text);
                continue 'again;
            }
        }
        return Err(format!("{formula}\n{account}\n{}", shown(&system)));
    }
}

fn options(memory: Memory, engine: EngineChoice) -> Options {
    let limits = Limits { worlds: KNOWLEDGE_STATES, ..Limits::default() };
    Options { memory: Some(memory), engine, limits, ..Options::default() }
}

fn checker(system: &System, engine: EngineChoice) -> Checker {
    Checker::of_system(Time::System(system.clone()), options(Memory::None, engine))
}

const ENGINES: [EngineChoice; 2] = [EngineChoice::Explicit, EngineChoice::Symbolic];

/// More states than any system here has.
const ALL: usize = 10_000;

fn query(kind: QueryKind, formula: &F) -> Query {
    Query::new(kind, formula.clone())
}

/// What an answer says, in an order that does not depend on the engine.
type Said = (bool, String, String, Option<BTreeSet<String>>);

fn said(answer: &Answer) -> Said {
    let at = answer.names().map(|names| names.into_iter().map(str::to_string).collect());
    (answer.holds, answer.asked.to_string(), answer.holding.to_string(), at)
}

fn answer(checker: &mut Checker, query: &Query) -> Result<Said, String> {
    let answer = checker.ask(query.listing(ALL)).map_err(|error| format!("no answer: {error}"))?;
    let many = answer.holds_at.as_ref().map(Vec::len);
    let said = said(&answer);
    ensure(many == said.3.as_ref().map(BTreeSet::len), || format!("a state listed twice: {answer:?}"))?;
    Ok(said)
}

/// How many initial states do not count.
fn dropped(answer: &Answer) -> BigUint {
    answer.system.as_ref().expect("a system").dropped.clone()
}

/// The answer to a question about these states, if the formula holds at those.
fn expected(kind: QueryKind, asked: &BTreeSet<String>, holding: &BTreeSet<String>) -> Said {
    let here: BTreeSet<String> = asked.intersection(holding).cloned().collect();
    let holds = if kind == QueryKind::Check { here.len() == asked.len() } else { !here.is_empty() };
    (holds, asked.len().to_string(), here.len().to_string(), Some(here))
}

fn everything() -> Effort {
    let all = Budget { worlds: 100_000, steps: 10_000_000 };
    Effort { starts: all, states: all }
}

fn listed(system: &System, labels: Labels) -> Result<Transitions, CheckError> {
    explore(system, labels, everything(), &Limits::default()).map(|found| found.expect("few states"))
}

/// A formula about a system, at least a little interesting.
fn some_formula(rng: &mut Rng, words: &Words, memory: Memory, forms: &mut Forms) -> F {
    loop {
        let depth = rng.between(1, 3);
        let forgetful = memory == Memory::None;
        let formula =
            Speaker { rng, words, common: forgetful, strategies: true, obligations: forgetful }.formula(depth);
        if (!formula.is_objective() || rng.chance(5)) && formula.size() < 50 {
            spoken_forms(&formula, forms);
            return formula;
        }
    }
}

/// The least share in percent of cases with each of these, of what systems are made of.
const SYSTEMS: &[(&str, f64)] = &[
    ("(range)", 40.0),
    ("(enumeration)", 20.0),
    ("(domain of 1)", 10.0),
    ("(domain of 3 or 5)", 40.0),
    ("(no variable)", 8.0),
    ("(sees an element)", 50.0),
    ("(sees a formula)", 35.0),
    ("(sees a term)", 20.0),
    ("(initial: x compared with y)", 6.0),
    ("(one action only)", 25.0),
    ("(an action of several)", 35.0),
    ("(no protocol)", 35.0),
    ("(protocol, otherwise)", 40.0),
    ("(environment)", 30.0),
    ("(an agent without actions)", 4.0),
    ("(first rule)", 40.0),
    ("(any rule)", 40.0),
    ("(guard with actions)", 50.0),
    ("(several targets)", 30.0),
    ("(rule without change)", 15.0),
    ("(:= constant)", 50.0),
    ("(:= variable)", 6.0),
    ("(:= arithmetic)", 25.0),
    ("(:= formula)", 35.0),
    ("(:= formula with actions)", 25.0),
    ("(one of several)", 20.0),
    ("(in bool)", 25.0),
];

const ENDS: &[(&str, f64)] = &[("(may end)", 25.0), ("(must go on)", 40.0), ("(protocol, no otherwise)", 8.0)];

const EXTRAS: &[(&str, f64)] = &[
    ("(red)", 40.0),
    ("(fair: one condition)", 15.0),
    ("(fair: two conditions)", 10.0),
    ("(fair: knowledge)", 5.0),
    ("(an end is reached)", 8.0),
];

/// The same, of what formulas are made of.
const FORMULAS: &[(&str, f64)] = &[
    ("comparison", 30.0),
    ("arithmetic", 15.0),
    ("xor", 8.0),
    ("exactly, atleast, atmost", 8.0),
    ("K", 15.0),
    ("S", 10.0),
    ("Kw", 10.0),
    ("E", 10.0),
    ("D", 10.0),
    ("AX", 10.0),
    ("EX", 10.0),
    ("AG", 10.0),
    ("EG", 10.0),
    ("AF", 10.0),
    ("EF", 10.0),
    ("AU", 10.0),
    ("EU", 10.0),
    ("no program", 15.0),
    ("action", 25.0),
    ("actor.action", 25.0),
    (";", 25.0),
    ("+", 15.0),
    ("*", 15.0),
    ("?", 20.0),
    ("?K", 15.0),
    ("<<>>X", 6.0),
    ("<<>>G", 6.0),
    ("<<>>F", 6.0),
    ("<<>>U", 6.0),
];

fn floors(lists: &[&[(&'static str, f64)]]) -> Vec<(&'static str, f64)> {
    lists.concat()
}

// 1. Without memory: both engines and the definitions.

/// The engines' answers about one formula, compared with one another and with what is so by definition.
fn agreement(system: &System, formula: &F) -> Result<(), String> {
    let mut checkers = ENGINES.map(|engine| checker(system, engine));
    agree(system, &mut checkers, formula)
}

fn agree(system: &System, checkers: &mut [Checker; 2], formula: &F) -> Result<(), String> {
    let graph = ByHand::new(system).map_err(|wrong| format!("it should be careful: {wrong:?}"))?;
    let named = |states: &mut dyn Iterator<Item = usize>| -> BTreeSet<String> {
        states.map(|s| graph.name(system, s)).collect()
    };
    let size = graph.states.len();
    let mut judge = Judge::new(system, &graph);
    let (starts, all) = {
        let counts = |s: &usize| judge.counts(*s);
        (named(&mut (0..graph.starts).filter(counts)), named(&mut (0..size).filter(counts)))
    };
    let holding = (size <= JUDGED).then(|| named(&mut judge.everywhere(formula).into_iter()));
    for checker in checkers.iter_mut() {
        let answer = checker.ask(&query(QueryKind::Check, formula)).map_err(|error| format!("no answer: {error}"))?;
        let dropped = dropped(&answer);
        ensure(dropped == (graph.starts - starts.len()).into(), || format!("{dropped} initial states do not count"))?;
    }
    for kind in [QueryKind::Check, QueryKind::Where, QueryKind::Count] {
        let query = query(kind, formula);
        let mut answers = Vec::new();
        for checker in checkers.iter_mut() {
            answers.push(answer(checker, &query));
        }
        ensure(answers[0] == answers[1], || {
            let right = holding
                .as_ref()
                .map(|holding| expected(kind, if kind == QueryKind::Check { &starts } else { &all }, holding));
            format!("{kind:?}: explicit {:?}\nsymbolic {:?}\nby definition {right:?}", answers[0], answers[1])
        })?;
        if let Some(holding) = &holding {
            let right = expected(kind, if kind == QueryKind::Check { &starts } else { &all }, holding);
            ensure(answers[0] == Ok(right.clone()), || {
                format!("{kind:?}: both engines {:?}\nby definition {right:?}", answers[0])
            })?;
        }
    }
    // At one initial state alone.
    let everywhere = named(&mut (0..graph.starts));
    if let Some(name) = everywhere.difference(&starts).next() {
        let query = query(QueryKind::Check, formula).asked_at(At::Named(name.clone()));
        for checker in checkers.iter_mut() {
            let refused = matches!(checker.ask(&query), Err(CheckError::Unfair(_)));
            ensure(refused, || format!("asked at {name}, where no fair run starts"))?;
        }
    }
    let Some(name) = starts.iter().next() else { return Ok(()) };
    let query = query(QueryKind::Check, formula).asked_at(At::Named(name.clone()));
    let answers = [0, 1].map(|i| answer(&mut checkers[i], &query));
    ensure(answers[0] == answers[1], || format!("at {name}: explicit {:?}\nsymbolic {:?}", answers[0], answers[1]))?;
    if let Some(holding) = &holding {
        let right = expected(QueryKind::Check, &BTreeSet::from([name.clone()]), holding);
        ensure(answers[0] == Ok(right), || format!("at {name}: both engines {:?}", answers[0]))?;
    }
    Ok(())
}

#[test]
fn the_engines_agree_with_one_another_and_with_the_definitions() {
    let mut tally = Tally::default();
    let (mut states, mut most) = (0, 0);
    run(1200, |rng| {
        let mut forms = Forms::new();
        let system = random_system(rng, Care::Careful);
        written_forms(&system, &mut forms);
        let words = Words::of(&system);
        let formulas: Vec<F> = (0..3).map(|_| some_formula(rng, &words, Memory::None, &mut forms)).collect();
        let graph = ByHand::new(&system).map_err(|wrong| format!("it should be careful: {wrong:?}"))?;
        states += graph.states.len();
        most = most.max(graph.states.len());
        if graph.steps.iter().any(BTreeSet::is_empty) {
            forms.insert("(an end is reached)");
        }
        if graph.starts > 1 {
            forms.insert("(several initial states)");
        }
        let judge = Judge::new(&system, &graph);
        let unfair = (0..graph.states.len()).filter(|&s| !judge.counts(s)).count();
        if unfair > 0 && unfair < graph.states.len() && formulas.iter().any(|f| f.knowledge_depth() > 0) {
            forms.insert("(knowledge where some states do not count)");
        }
        if (0..graph.starts).any(|s| !judge.counts(s)) {
            forms.insert("(an initial state does not count)");
        }
        forms.insert(if graph.states.len() > JUDGED { "(not judged)" } else { "(judged)" });
        let mut checkers = ENGINES.map(|engine| checker(&system, engine));
        for checker in &mut checkers {
            let Size { count, exact, .. } = checker.size().map_err(|error| format!("{error}\n{}", shown(&system)))?;
            ensure(exact && count == graph.states.len().into(), || {
                format!("{count} states instead of {}\n{}", graph.states.len(), shown(&system))
            })?;
        }
        for formula in &formulas {
            if graph.states.len() <= JUDGED {
                let mut judge = Judge::new(&system, &graph);
                let holding = judge.everywhere(formula);
                if judge.tried.0 {
                    forms.insert("(strategies tried one by one)");
                }
                if judge.tried.1 {
                    forms.insert("(too many strategies to try)");
                }
                if !holding.is_empty() && holding.len() < graph.states.len() {
                    forms.insert("(true here, false there)");
                }
                if !system.fairness.is_empty() {
                    let free = System { fairness: Vec::new(), ..system.clone() };
                    if Judge::new(&free, &graph).everywhere(formula) != holding {
                        forms.insert("(fairness matters)");
                    }
                }
            }
            // The same checkers for all formulas; a failure is made smaller with new ones.
            if let Err(account) = quietly(|| agree(&system, &mut checkers, formula)) {
                shrunk(&system, formula, &agreement)?;
                return Err(format!("only after other questions: {formulas:?}\n{account}\n{}", shown(&system)));
            }
        }
        tally.add(&forms);
        Ok(())
    });
    println!("{states} states in all, {most} at most");
    let more = [
        ("C", 8.0),
        ("O", 6.0),
        ("<<env>>", 2.0),
        ("(several initial states)", 40.0),
        ("(judged)", 75.0),
        ("(not judged)", 1.0),
        ("(true here, false there)", 30.0),
        ("(fairness matters)", 4.0),
        ("(strategies tried one by one)", 15.0),
        ("(too many strategies to try)", 2.0),
        ("(knowledge where some states do not count)", 4.0),
        ("(an initial state does not count)", 4.0),
    ];
    tally.require("without memory", &floors(&[SYSTEMS, ENDS, EXTRAS, FORMULAS, &more]));
}

#[test]
fn without_memory_only_what_lies_on_fair_runs_is_considered_possible() {
    let mut tally = Tally::default();
    run(300, |rng| {
        let mut forms = Forms::new();
        // Something counts at the beginning, and something does not later on.
        let system = loop {
            let system = random_system(rng, Care::Careful);
            let Ok(graph) = ByHand::new(&system) else { continue };
            let judge = Judge::new(&system, &graph);
            let (some, all) = ((0..graph.starts).any(|s| judge.counts(s)), (0..graph.states.len()));
            if graph.states.len() <= JUDGED && some && !all.into_iter().all(|s| judge.counts(s)) {
                break system;
            }
        };
        let words = Words::of(&system);
        let graph = ByHand::new(&system).map_err(|wrong| format!("{wrong:?}"))?;
        for _ in 0..3 {
            let formula = loop {
                let formula = some_formula(rng, &words, Memory::None, &mut Forms::new());
                if formula.knowledge_depth() > 0 {
                    break formula;
                }
            };
            spoken_forms(&formula, &mut forms);
            let mut judge = Judge::new(&system, &graph);
            let holding = judge.everywhere(&formula);
            let counts: BTreeSet<usize> = (0..graph.states.len()).filter(|&s| judge.counts(s)).collect();
            if judge.known_everywhere(&formula).intersection(&counts).ne(holding.intersection(&counts)) {
                forms.insert("(what does not count would matter to knowledge)");
            }
            shrunk(&system, &formula, &agreement)?;
        }
        tally.add(&forms);
        Ok(())
    });
    let forms = ["K", "S", "Kw", "E", "D", "C"].map(|form| (form, 15.0));
    let more = [("(what does not count would matter to knowledge)", 8.0), ("<<>>F", 3.0), ("O", 3.0)];
    tally.require("knowledge under fairness", &floors(&[&forms, &more]));
}

// 2. Listing.

/// The steps of a listed system: from, what is done, to.
type Steps = BTreeSet<(String, BTreeSet<String>, String)>;

fn steps(system: &Transitions) -> Steps {
    let each = (0..system.size()).flat_map(|s| system.from(s).iter().map(move |step| (s, step)));
    each.map(|(s, step)| {
        let names = system.labels[step.label as usize].names.iter().map(|n| n.to_string()).collect();
        (system.name(s), names, system.name(step.target as usize))
    })
    .collect()
}

fn without_labels(steps: &Steps) -> BTreeSet<(String, String)> {
    steps.iter().map(|(from, _, to)| (from.clone(), to.clone())).collect()
}

/// For each agent, the states in classes of those that look the same.
fn sights(
    states: usize,
    name: &dyn Fn(usize) -> String,
    class: &dyn Fn(usize) -> String,
) -> BTreeSet<BTreeSet<String>> {
    let mut by: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for s in 0..states {
        by.entry(class(s)).or_default().insert(name(s));
    }
    by.into_values().collect()
}

fn listing(system: &System) -> Result<(), String> {
    let graph = ByHand::new(system).map_err(|wrong| format!("it should be careful: {wrong:?}"))?;
    let name = |s: usize| graph.name(system, s);
    let list = |labels| listed(system, labels).map_err(|error| error.to_string());
    let (joint, bare) = (list(Labels::Joint)?, list(Labels::None)?);
    let states: BTreeSet<String> = (0..graph.states.len()).map(name).collect();
    let starts: BTreeSet<String> = (0..graph.starts).map(name).collect();
    for found in [&joint, &bare] {
        let names: Vec<String> = (0..found.size()).map(|s| found.name(s)).collect();
        let all: BTreeSet<String> = names.iter().cloned().collect();
        ensure(all.len() == names.len(), || format!("a state listed twice: {names:?}"))?;
        ensure(all == states, || format!("states {all:?}\nby definition {states:?}"))?;
        let initial: BTreeSet<String> = found.initial.iter().map(|&s| found.name(s as usize)).collect();
        ensure(initial == starts, || format!("initial {initial:?}\nby definition {starts:?}"))?;
        for (a, local) in found.local.iter().enumerate() {
            let classes = sights(found.size(), &|s| found.name(s), &|s| local[s].to_string());
            let right = sights(graph.states.len(), &name, &|s| graph.sight(system, a, s));
            ensure(classes == right, || format!("agent {a} sees {classes:?}\nby definition {right:?}"))?;
        }
        for s in 0..found.size() {
            let here: BTreeSet<_> = found.from(s).iter().collect();
            ensure(here.len() == found.from(s).len(), || format!("a step listed twice from {}", found.name(s)))?;
        }
    }
    // Which state is which does not depend on labels either.
    let names = |found: &Transitions| (0..found.size()).map(|s| found.name(s)).collect::<Vec<_>>();
    ensure(names(&joint) == names(&bare), || "another order without labels".into())?;
    let by_definition: Steps = graph
        .steps
        .iter()
        .enumerate()
        .flat_map(|(s, here)| here.iter().map(move |(acts, t)| (s, acts, t)))
        .map(|(s, acts, t)| {
            let called = ByHand::called(system, acts).iter().map(|n| n.to_string()).collect();
            (name(s), called, name(*t))
        })
        .collect();
    let found = steps(&joint);
    ensure(found == by_definition, || {
        let (more, less): (Vec<_>, Vec<_>) =
            (found.difference(&by_definition).collect(), by_definition.difference(&found).collect());
        format!("steps that there are not: {more:?}\nmissing: {less:?}")
    })?;
    let bare = without_labels(&steps(&bare));
    ensure(bare == without_labels(&by_definition), || format!("without labels {bare:?}\n{by_definition:?}"))?;
    // Labels are different joint actions.
    let choices: BTreeSet<_> = joint.labels.iter().map(|l| &l.choices).collect();
    ensure(choices.len() == joint.labels.len(), || format!("a label listed twice: {:?}", joint.labels))
}

#[test]
fn systems_are_listed_as_they_are_by_definition_with_labels_and_without() {
    let mut tally = Tally::default();
    run(1000, |rng| {
        let mut forms = Forms::new();
        let system = random_system(rng, Care::Careful);
        written_forms(&system, &mut forms);
        let graph = ByHand::new(&system).map_err(|wrong| format!("it should be careful: {wrong:?}"))?;
        if graph.steps.iter().any(BTreeSet::is_empty) {
            forms.insert("(an end is reached)");
        }
        tally.add(&forms);
        shrunk(&system, &Formula::truth(), &|system, _| listing(system))
    });
    tally.require("listing", &floors(&[SYSTEMS, ENDS, EXTRAS]));
}

// 3. Systems that go wrong.

/// What an engine finds wrong with a system.
fn trouble(error: &CheckError) -> Result<Trouble, String> {
    match error {
        CheckError::NoWorld(_) => Ok(Trouble::NoWorld),
        CheckError::Stuck { .. } => Ok(Trouble::Stuck),
        CheckError::OutOfRange { .. } => Ok(Trouble::OutOfRange),
        other => Err(format!("another error: {other}")),
    }
}

/// Each engine refuses a system iff there is something wrong with it, and says what.
fn refusal(system: &System) -> Result<(), String> {
    let wrong = ByHand::new(system).err().unwrap_or_default();
    let truth = Formula::truth();
    let mut all = Vec::new();
    for engine in ENGINES {
        for labelled in [false, true] {
            let query = query(QueryKind::Check, &truth);
            let ask = if labelled { query.explained() } else { (&query).into() };
            let error = checker(system, engine).ask(ask).err();
            let said = error.as_ref().map(trouble).transpose()?;
            ensure(said.is_some() != wrong.is_empty(), || format!("{engine:?} says {error:?}, wrong is {wrong:?}"))?;
            ensure(said.is_none_or(|said| wrong.contains(&said)), || {
                format!("{engine:?} says {error:?}, wrong is {wrong:?}")
            })?;
            all.push(said);
        }
        let counted = checker(system, engine).size().err();
        ensure(counted.is_some() != wrong.is_empty(), || format!("{engine:?} counts {counted:?}, wrong is {wrong:?}"))?;
    }
    // Where only one thing is wrong that is what both say.
    ensure(wrong.len() > 1 || all.iter().all(|said| *said == all[0]), || format!("they say {all:?}"))
}

// The symbolic engine once left a group out that changes nothing wherever it is in range, and complained of a state that
// is not reachable.
#[test]
fn a_rule_that_goes_out_of_range_is_no_step() {
    let text = "system recall none
        agents a
        props p
        vars x: 0..0
        actions a: go
        protocol a: go if p
        initial p
        next p := false
        next x := x + 1";
    let document = Document::read(text, Format::Ken).unwrap_or_else(|problems| panic!("{problems:?}"));
    let Some(Time::System(system)) = &document.time else { panic!("no system") };
    for engine in ENGINES {
        let error = checker(system, engine).ask(&query(QueryKind::Check, &Formula::truth())).err();
        assert!(matches!(error, Some(CheckError::OutOfRange { .. })), "{engine:?}: {error:?}");
    }
}

#[test]
fn the_engines_refuse_the_same_systems_for_the_same_reasons() {
    let mut tally = Tally::default();
    run(1500, |rng| {
        let mut forms = Forms::new();
        let system = random_system(rng, Care::Careless);
        written_forms(&system, &mut forms);
        match ByHand::new(&system) {
            Ok(_) => _ = forms.insert("(nothing wrong)"),
            Err(wrong) => {
                forms.extend(wrong.iter().map(|trouble| match trouble {
                    Trouble::NoWorld => "(no initial state)",
                    Trouble::Stuck => "(stuck)",
                    Trouble::OutOfRange => "(out of range)",
                }));
                if wrong.len() > 1 {
                    forms.insert("(several troubles)");
                }
            }
        }
        tally.add(&forms);
        shrunk(&system, &Formula::truth(), &|system, _| refusal(system))
    });
    let wrong = [
        ("(nothing wrong)", 20.0),
        ("(no initial state)", 1.0),
        ("(stuck)", 10.0),
        ("(out of range)", 10.0),
        ("(several troubles)", 0.5),
    ];
    tally.require("systems that go wrong", &floors(&[SYSTEMS, ENDS, &wrong]));
}

// 4. Perfect recall.

/// A written system, and the same system listed, give the same answers.
fn recalled(system: &System, formula: &F, visibility: Visibility) -> Result<Option<Said>, String> {
    let listed = listed(system, Labels::Joint).map_err(|error| error.to_string())?;
    let options = Options { visibility: Some(visibility), ..options(Memory::Perfect, EngineChoice::Auto) };
    let mut all = Vec::new();
    for time in [Time::System(system.clone()), Time::Transitions(listed)] {
        all.push(match Checker::of_system(time, options).ask(query(QueryKind::Check, formula).listing(ALL)) {
            Ok(answer) => Ok(said(&answer)),
            Err(CheckError::Limit(_)) => Err("a limit".to_string()),
            Err(error) => return Err(format!("no answer: {error}")),
        });
    }
    ensure(all[0] == all[1], || format!("{visibility:?}: written {:?}\nlisted {:?}", all[0], all[1]))?;
    Ok(all.swap_remove(0).ok())
}

#[test]
fn with_perfect_recall_a_system_answers_as_its_listing_does() {
    let mut tally = Tally::default();
    let (mut full, mut all) = (0, 0);
    run(400, |rng| {
        let mut forms = Forms::new();
        let mut system = random_system(rng, Care::Careful);
        // Fairness that asks for knowledge is compared with the definitions below.
        system.fairness.retain(|f| f.is_objective());
        written_forms(&system, &mut forms);
        let words = Words::of(&system);
        let mut visibility = Visibility::Seen;
        if rng.chance(50) {
            forms.insert("hidden");
            visibility = Visibility::Hidden;
        }
        for _ in 0..2 {
            let formula = loop {
                let formula = some_formula(rng, &words, Memory::Perfect, &mut Forms::new());
                if formula.knowledge_depth() < 3 && (formula.knowledge_depth() > 0 || rng.chance(30)) {
                    break formula;
                }
            };
            spoken_forms(&formula, &mut forms);
            all += 1;
            let check = |system: &System, formula: &F| recalled(system, formula, visibility).map(|_| ());
            shrunk(&system, &formula, &check)?;
            match recalled(&system, &formula, visibility)? {
                None => full += 1,
                Some(perfect) => {
                    let mut checker = checker(&system, EngineChoice::Explicit);
                    if answer(&mut checker, &query(QueryKind::Check, &formula))? != perfect {
                        forms.insert("(memory matters)");
                    }
                }
            }
        }
        tally.add(&forms);
        Ok(())
    });
    println!("{full} of {all} questions with too many knowledge states");
    assert!(full * 4 < all, "hardly any answer");
    let formulas = ["K", "S", "Kw", "E", "D", "AX", "EX", "AG", "EG", "AF", "EF", "AU", "EU", "action", "actor.action"];
    let formulas: Vec<_> = formulas.map(|form| (form, 6.0)).to_vec();
    let more = [("hidden", 35.0), ("?K", 10.0), ("(memory matters)", 3.0), ("(fair: one condition)", 15.0)];
    tally.require("perfect recall", &floors(&[SYSTEMS, ENDS, &formulas, &more]));
}

/// The engine's answer with perfect recall, compared with what is so by definition; whether there is one to compare.
fn remembered(system: &System, formula: &F, visibility: Visibility) -> Result<bool, String> {
    let graph = ByHand::new(system).map_err(|wrong| format!("it should be careful: {wrong:?}"))?;
    let Some(judge) = Remembered::new(system, &graph, visibility, formula, REMEMBERED) else { return Ok(false) };
    let initial = judge.initial(formula);
    let named = |states: Vec<usize>| states.into_iter().map(|s| graph.name(system, s)).collect::<BTreeSet<String>>();
    let starts = named(initial.iter().map(|(s, _)| *s).collect());
    let holding = named(initial.iter().filter(|(_, holds)| *holds).map(|(s, _)| *s).collect());
    let right = expected(QueryKind::Check, &starts, &holding);
    let options = Options { visibility: Some(visibility), ..options(Memory::Perfect, EngineChoice::Auto) };
    // In layers, and in whole moments, which common knowledge asks for.
    let common: F = Formula::Common(Group::All, Formula::truth()).into();
    for (how, formula) in [("layers", formula.clone()), ("moments", Formula::and(vec![formula.clone(), common]))] {
        let mut checker = Checker::of_system(Time::System(system.clone()), options);
        let answer = match checker.ask(query(QueryKind::Check, &formula).listing(ALL)) {
            Ok(answer) => answer,
            Err(CheckError::Limit(_)) => continue,
            Err(error) => return Err(format!("no answer: {error}")),
        };
        let said = said(&answer);
        ensure(said == right, || format!("{visibility:?}, {how}: {said:?}\nby definition {right:?}"))?;
        let (right, found) = (graph.starts - starts.len(), dropped(&answer));
        ensure(found == right.into(), || format!("{right} do not count, found {found}"))?;
    }
    Ok(true)
}

#[test]
fn with_perfect_recall_only_what_lies_on_fair_runs_is_considered_possible() {
    let mut tally = Tally::default();
    let (mut compared, mut all) = (0, 0);
    run(250, |rng| {
        let mut forms = Forms::new();
        let system = loop {
            let system = random_system(rng, Care::Careful);
            if !system.fairness.is_empty() {
                break system;
            }
        };
        let words = Words::of(&system);
        let visibility = if rng.chance(50) { Visibility::Hidden } else { Visibility::Seen };
        for _ in 0..2 {
            let formula = loop {
                let depth = rng.between(1, 3);
                let mut speaker = Speaker { rng, words: &words, common: false, strategies: false, obligations: false };
                let formula = speaker.formula(depth);
                if (1..3).contains(&formula.knowledge_depth()) && formula.size() < 50 {
                    break formula;
                }
            };
            all += 1;
            let check = |system: &System, formula: &F| remembered(system, formula, visibility).map(|_| ());
            shrunk(&system, &formula, &check)?;
            if !remembered(&system, &formula, visibility)? {
                continue;
            }
            compared += 1;
            spoken_forms(&formula, &mut forms);
            let graph = ByHand::new(&system).map_err(|wrong| format!("{wrong:?}"))?;
            let free = System { fairness: Vec::new(), ..system.clone() };
            let judges = [&system, &free].map(|s| Remembered::new(s, &graph, visibility, &formula, REMEMBERED));
            if let [Some(fair), Some(free)] = judges {
                let (fair, free) = (fair.initial(&formula), free.initial(&formula));
                if fair.len() < free.len() {
                    forms.insert("(an initial state does not count)");
                }
                if fair.iter().any(|known| !free.contains(known)) {
                    forms.insert("(fairness matters)");
                }
            }
        }
        written_forms(&system, &mut forms);
        tally.add(&forms);
        Ok(())
    });
    println!("{compared} of {all} formulas compared");
    assert!(compared * 10 > all * 6, "too few to compare");
    let forms = ["K", "S", "Kw", "E", "D", "AX", "EX", "AG", "EG", "AF", "EF", "AU", "EU"].map(|form| (form, 4.0));
    let more = [("(fair: knowledge)", 10.0), ("(an initial state does not count)", 4.0), ("(fairness matters)", 3.0)];
    tally.require("perfect recall with fairness", &floors(&[&forms, &more]));
}

// 5. Accounts.

/// The engines' accounts of formulas about a system in a file; a failure for each that is wrong.
fn wrong_accounts(text: &str, formulas: &[&str]) -> String {
    let document = Document::read(text, Format::Ken).unwrap_or_else(|problems| panic!("{problems:?}"));
    let Some(Time::System(system)) = &document.time else { panic!("no system") };
    let graph = ByHand::new(system).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let mut wrong = String::new();
    for text in formulas {
        let formula = document.formula(text).unwrap_or_else(|problems| panic!("{problems:?}"));
        for engine in ENGINES {
            let query = query(QueryKind::Check, &formula);
            let answer = checker(system, engine).ask(query.explained()).expect("an answer");
            if let Err(what) = is_shown(system, &graph, &formula, &answer) {
                wrong += &format!("{engine:?}: {text}: {what}\n");
            }
        }
    }
    wrong
}

// A run that came to its end while the first condition was looked for was once searched for the
// second one all the same; there was no step to it, and the account said that it is so on every run.
#[test]
fn fair_runs_that_end_are_shown() {
    let text = "system recall none, may end
        agents a
        props p
        actions a: go
        protocol a: go if !p
        initial !p
        next p := true
        fair p
        fair !p";
    let wrong = wrong_accounts(text, &["EG true", "AF false", "A(true U false)"]);
    assert!(wrong.is_empty(), "{wrong}");
}

// A step or a way was once shown to a point from which no fair run goes on, which is
// not what makes the formula true.
#[test]
fn steps_that_are_shown_lead_to_fair_runs() {
    let text = "system recall none
        agents a
        vars x: 0..2
        actions a: go
        initial x = 0
        next x in {1, 2} if x = 0
        fair x = 2";
    let formulas = ["EX x > 0", "AX x = 0", "EF x > 0", "AG x = 0", "E(x = 0 U x > 0)", "A(x = 0 U x = 3)"];
    let wrong = wrong_accounts(text, &formulas);
    assert!(wrong.is_empty(), "{wrong}");
}

/// Both engines account for their answers, and the answers stay the same.
fn accounted(system: &System, formula: &F) -> Result<(), String> {
    let graph = ByHand::new(system).map_err(|wrong| format!("it should be careful: {wrong:?}"))?;
    for engine in ENGINES {
        let mut checker = checker(system, engine);
        let query = query(QueryKind::Check, formula);
        let plain = answer(&mut checker, &query)?;
        let told = checker.ask(query.listing(ALL).explained());
        let told = told.map_err(|error| format!("{engine:?}: no account: {error}"))?;
        ensure(said(&told) == plain, || format!("{engine:?}: with account {told:?}\nwithout {plain:?}"))?;
        if told.asked == 0u8.into() {
            ensure(told.holds && told.account().is_none(), || format!("{engine:?}: nothing was asked: {told:?}"))?;
            continue;
        }
        let Some((name, account)) = told.account() else { return Err(format!("{engine:?}: no account")) };
        let holding = told.names().expect("few states");
        ensure(account.holds == told.holds && account.holds == holding.contains(&name), || {
            format!("{engine:?}: {told:?}")
        })?;
        if graph.states.len() <= JUDGED {
            is_shown(system, &graph, formula, &told).map_err(|wrong| format!("{engine:?}: {wrong}"))?;
        }
        for kind in [QueryKind::Where, QueryKind::Count] {
            let query = Query::new(kind, formula.clone());
            let told = checker.ask(query.explained()).map_err(|error| format!("{engine:?}: {kind:?}: {error}"))?;
            ensure(told.account().is_none(), || format!("{engine:?}: {kind:?} with an account: {told:?}"))?;
        }
    }
    Ok(())
}

#[test]
fn both_engines_account_for_their_answers() {
    let mut tally = Tally::default();
    run(800, |rng| {
        let mut forms = Forms::new();
        let system = random_system(rng, Care::Careful);
        written_forms(&system, &mut forms);
        let words = Words::of(&system);
        for _ in 0..3 {
            let formula = some_formula(rng, &words, Memory::None, &mut forms);
            shrunk(&system, &formula, &accounted)?;
        }
        tally.add(&forms);
        Ok(())
    });
    let fair = [("(fair: one condition)", 15.0), ("(fair: two conditions)", 10.0), ("C", 8.0), ("O", 6.0)];
    tally.require("accounts", &floors(&[SYSTEMS, ENDS, FORMULAS, &fair]));
}
