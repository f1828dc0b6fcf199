//! Path formulas: what the engines say of runs, against runs that are written out.
//!
//! The oracle knows nothing of automata. It writes out every run of a small system up to a length, as a stem and a loop or
//! as a run that ends, and evaluates a path formula on it by the definitions. Where an engine says that no run is as
//! asked for, none of those may be; where it says that some run is, the run that it shows must be one. Where CTL and
//! path formulas meet, both ways to write the same must have one answer, with memory too.
//!
//! `KEN_CASES` sets the number of cases of each test, `KEN_SEED` the first seed.

use crate::support::by_hand::{ByHand, Judge, is_so};
use crate::support::cases::run;
use crate::support::generate::Rng;
use crate::support::random_systems::{Care, Speaker, Words, random_system, shown};
use ken_logic::check::time::{RunView, Why};
use ken_logic::check::{EngineChoice, Memory};
use ken_logic::formula::{Along, F, Formula, Path, Program};
use ken_logic::model::Time;
use ken_logic::model::system::System;
use ken_logic::{CheckError, Checker, Document, Format, Limits, Options, Query, QueryKind};
use std::collections::HashMap;
use std::sync::Arc;

/// The longest run that is written out, stem and loop together.
const LENGTH: usize = 6;

/// The most states of a system here, and the most runs from one of them.
const STATES: usize = 9;
const RUNS: usize = 4_000;

/// A run: its states, and where it goes on after the last; nowhere if it ends there.
struct Written {
    states: Vec<usize>,
    again: Option<usize>,
}

struct Oracle<'s> {
    system: &'s System,
    graph: &'s ByHand,
    judge: Judge<'s>,
    next: Vec<Vec<usize>>,
    known: HashMap<(F, usize), bool>,
}

impl<'s> Oracle<'s> {
    fn new(system: &'s System, graph: &'s ByHand) -> Oracle<'s> {
        let next = graph.steps.iter().map(|steps| {
            let mut targets: Vec<usize> = steps.iter().map(|(_, target)| *target).collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        });
        Oracle { system, graph, judge: Judge::new(system, graph), next: next.collect(), known: HashMap::new() }
    }

    /// The fair runs from a state; `None` if they are too many.
    fn runs(&self, from: usize) -> Option<Vec<Written>> {
        let mut found = Vec::new();
        let mut todo = vec![vec![from]];
        while let Some(states) = todo.pop() {
            let last = states[states.len() - 1];
            if self.next[last].is_empty() {
                found.push(Written { states: states.clone(), again: None });
            }
            for &target in &self.next[last] {
                for again in (0..states.len()).filter(|&i| states[i] == target) {
                    let fair = (0..self.system.fairness.len())
                        .all(|c| states[again..].iter().any(|&s| self.judge.meets(c, s)));
                    if fair {
                        found.push(Written { states: states.clone(), again: Some(again) });
                    }
                }
                if states.len() < LENGTH {
                    let mut longer = states.clone();
                    longer.push(target);
                    todo.push(longer);
                }
            }
            if found.len() + todo.len() > RUNS {
                return None;
            }
        }
        Some(found)
    }

    /// Whether a formula of states holds at one.
    fn at(&mut self, f: &F, state: usize) -> bool {
        if let Some(&found) = self.known.get(&(f.clone(), state)) {
            return found;
        }
        let holds = match &**f {
            Formula::Not(g) => !self.at(g, state),
            Formula::And(parts) => parts.iter().all(|g| self.at(g, state)),
            Formula::Or(parts) => parts.iter().any(|g| self.at(g, state)),
            Formula::Imp(a, b) => !self.at(a, state) || self.at(b, state),
            Formula::Iff(a, b) => self.at(a, state) == self.at(b, state),
            Formula::Xor(parts) => parts.iter().filter(|g| self.at(g, state)).count() % 2 == 1,
            Formula::Knows(agent, g) => {
                let agent = self.system.vocabulary.agents.iter().position(|a| a == agent).expect("an agent");
                let sight = self.graph.sight(self.system, agent, state);
                let same = |s: &usize| self.graph.sight(self.system, agent, *s) == sight && self.judge.counts(*s);
                let same: Vec<usize> = (0..self.graph.states.len()).filter(same).collect();
                same.into_iter().all(|s| self.at(g, s))
            }
            Formula::Runs(path, g) => {
                let runs = self.runs(state).expect("few runs");
                match path {
                    Path::Some => runs.iter().any(|run| self.on(g, run)[0]),
                    Path::All => runs.iter().all(|run| self.on(g, run)[0]),
                }
            }
            _ => is_so(self.system, f, &self.graph.states[state], None),
        };
        self.known.insert((f.clone(), state), holds);
        holds
    }

    /// For each place of a run, whether a path formula holds of the rest.
    fn on(&mut self, f: &F, run: &Written) -> Vec<bool> {
        let length = run.states.len();
        let follows = |i: usize| if i + 1 < length { Some(i + 1) } else { run.again };
        let both = |a: Vec<bool>, b: Vec<bool>, join: &dyn Fn(bool, bool) -> bool| -> Vec<bool> {
            a.into_iter().zip(b).map(|(x, y)| join(x, y)).collect()
        };
        // The rest decides: from what is assumed of it until nothing changes.
        let fixpoint = |start: bool, step: &dyn Fn(usize, bool) -> bool| -> Vec<bool> {
            let mut now = vec![start; length];
            for _ in 0..=2 * length {
                for i in (0..length).rev() {
                    now[i] = step(i, follows(i).map_or(start, |j| now[j]));
                }
            }
            now
        };
        match &**f {
            _ if !f.is_of_runs() => run.states.iter().map(|&s| self.at(f, s)).collect(),
            Formula::Not(g) => self.on(g, run).into_iter().map(|x| !x).collect(),
            Formula::And(parts) => parts.iter().fold(vec![true; length], |all, g| {
                let next = self.on(g, run);
                both(all, next, &|x, y| x && y)
            }),
            Formula::Or(parts) => parts.iter().fold(vec![false; length], |any, g| {
                let next = self.on(g, run);
                both(any, next, &|x, y| x || y)
            }),
            Formula::Imp(a, b) => both(self.on(a, run), self.on(b, run), &|x, y| !x || y),
            Formula::Iff(a, b) => both(self.on(a, run), self.on(b, run), &|x, y| x == y),
            Formula::Xor(parts) => parts.iter().fold(vec![false; length], |odd, g| {
                let next = self.on(g, run);
                both(odd, next, &|x, y| x != y)
            }),
            Formula::Count(cmp, n, parts) => {
                let all: Vec<Vec<bool>> = parts.iter().map(|g| self.on(g, run)).collect();
                (0..length).map(|i| cmp.admits((all.iter().filter(|v| v[i]).count() as u64).cmp(n))).collect()
            }
            Formula::Linear(Along::Next, g) => {
                let inner = self.on(g, run);
                (0..length).map(|i| follows(i).is_some_and(|j| inner[j])).collect()
            }
            Formula::Linear(Along::Eventually, g) => {
                let inner = self.on(g, run);
                fixpoint(false, &|i, rest| inner[i] || rest)
            }
            Formula::Linear(Along::Always, g) => {
                let inner = self.on(g, run);
                fixpoint(true, &|i, rest| inner[i] && rest)
            }
            Formula::LinearUntil(a, b) => {
                let (a, b) = (self.on(a, run), self.on(b, run));
                fixpoint(false, &|i, rest| b[i] || (a[i] && rest))
            }
            Formula::Release(a, b) => {
                let (a, b) = (self.on(a, run), self.on(b, run));
                fixpoint(true, &|i, rest| b[i] && (a[i] || rest))
            }
            other => panic!("not a path formula: {other}"),
        }
    }

    /// A run as it was shown, if it is one.
    fn written(&self, view: &RunView) -> Result<Written, String> {
        let number = |name: &str| {
            let found = (0..self.graph.states.len()).find(|&s| self.graph.name(self.system, s) == name);
            found.ok_or_else(|| format!("no state {name}"))
        };
        let mut states = vec![number(&view.start.name)?];
        for step in &view.steps {
            let (before, state) = (states[states.len() - 1], number(&step.state.name)?);
            if !self.next[before].contains(&state) {
                return Err(format!("no step to {}", step.state.name));
            }
            states.push(state);
        }
        match view.loops_to {
            Some(to) => {
                let last = states.pop().ok_or("an empty run")?;
                if states.is_empty() || to >= states.len() || states[to] != last {
                    return Err(format!("the loop does not close: {view:?}"));
                }
                let fair =
                    (0..self.system.fairness.len()).all(|c| states[to..].iter().any(|&s| self.judge.meets(c, s)));
                if fair { Ok(Written { states, again: Some(to) }) } else { Err(format!("not fair: {view:?}")) }
            }
            None if view.ends && self.next[states[states.len() - 1]].is_empty() => Ok(Written { states, again: None }),
            None => Err(format!("neither a loop nor an end: {view:?}")),
        }
    }
}

/// A formula of states for a path formula: a fact, sometimes what somebody knows, or what some run is like.
fn of_states(rng: &mut Rng, words: &Words, agents: &[ken_logic::formula::Name], depth: usize) -> F {
    let mut speaker = Speaker { rng, words, common: false, strategies: false, obligations: false };
    let fact = speaker.formula(0);
    if rng.chance(15) {
        return Arc::new(Formula::Knows(rng.pick(agents).clone(), fact));
    }
    if depth > 0 && rng.chance(15) {
        let path = *rng.pick(&[Path::All, Path::Some]);
        return Arc::new(Formula::Runs(path, of_runs(rng, words, agents, depth - 1)));
    }
    fact
}

fn of_runs(rng: &mut Rng, words: &Words, agents: &[ken_logic::formula::Name], depth: usize) -> F {
    if depth == 0 {
        return of_states(rng, words, agents, 0);
    }
    let below = |rng: &mut Rng| of_runs(rng, words, agents, depth - 1);
    Arc::new(match rng.weighted(&[2, 2, 2, 1, 1, 3, 4, 4, 5, 3, 1, 2]) {
        0 => Formula::Not(below(rng)),
        1 => Formula::And(vec![below(rng), below(rng)]),
        2 => Formula::Or(vec![below(rng), below(rng)]),
        3 => Formula::Imp(below(rng), below(rng)),
        4 => Formula::Iff(below(rng), below(rng)),
        5 => Formula::Linear(Along::Next, below(rng)),
        6 => Formula::Linear(Along::Always, below(rng)),
        7 => Formula::Linear(Along::Eventually, below(rng)),
        8 => Formula::LinearUntil(below(rng), below(rng)),
        9 => Formula::Release(below(rng), below(rng)),
        10 => Formula::Xor(vec![below(rng), below(rng)]),
        _ => return of_states(rng, words, agents, depth),
    })
}

fn checker(system: &System, memory: Memory, engine: EngineChoice) -> Checker {
    let limits = Limits { worlds: 4_000, ..Limits::default() };
    let options = Options { memory: Some(memory), engine, limits, ..Options::default() };
    Checker::of_system(Time::System(system.clone()), options)
}

/// More states than any system here has.
const ALL: usize = 10_000;

const ENGINES: [EngineChoice; 2] = [EngineChoice::Explicit, EngineChoice::Symbolic];

/// A small system with its states, and how many of its runs loop and end.
fn small(rng: &mut Rng) -> System {
    loop {
        let system = random_system(rng, Care::Careful);
        if let Ok(graph) = ByHand::new(&system)
            && graph.states.len() <= STATES
        {
            let oracle = Oracle::new(&system, &graph);
            if (0..graph.states.len()).all(|s| oracle.runs(s).is_some()) {
                return system;
            }
        }
    }
}

#[test]
fn a_run_that_is_shown_is_as_said_and_where_none_is_shown_none_is_written_out() {
    let (mut shown_runs, mut refuted) = (0, 0);
    run(400, |rng| {
        let system = small(rng);
        let graph = ByHand::new(&system).map_err(|trouble| format!("{trouble:?}"))?;
        let words = Words::of(&system);
        let agents = system.vocabulary.agents.clone();
        let depth = rng.between(1, 3);
        let path = *rng.pick(&[Path::All, Path::Some]);
        let formula: F = Arc::new(Formula::Runs(path, of_runs(rng, &words, &agents, depth)));
        let Formula::Runs(_, body) = &*formula else { return Ok(()) };
        let mut oracle = Oracle::new(&system, &graph);
        let mut answers = Vec::new();
        for engine in ENGINES {
            let account = |what: String| format!("{engine:?}: {formula}\n{what}\n{}", shown(&system));
            let query = Query::new(QueryKind::Check, formula.clone());
            let answer = match checker(&system, Memory::None, engine).ask(query.listing(ALL).explained()) {
                Ok(answer) => answer,
                Err(CheckError::Limit(_)) => return Ok(()),
                Err(error) => return Err(account(error.to_string())),
            };
            let holding = answer.names().unwrap_or_default();
            let starts: Vec<usize> = (0..graph.starts).filter(|&s| oracle.judge.counts(s)).collect();
            for state in starts {
                let says = holding.contains(&graph.name(&system, state).as_str());
                // Of some run only that there is one is certain when it is written out, of every run only that one is not.
                let decided = if path == Path::Some { !says } else { says };
                if decided && oracle.at(&formula, state) != says {
                    return Err(account(format!("at {} it says {says}", graph.name(&system, state))));
                }
                refuted += usize::from(decided);
            }
            if let Some((_, told)) = answer.account()
                && let Why::Run(view, _) = &told.why
            {
                let written = oracle.written(view).map_err(account)?;
                if oracle.on(body, &written)[0] != (path == Path::Some) {
                    return Err(account(format!("this run shows nothing: {view:?}")));
                }
                shown_runs += 1;
            }
            answers.push((answer.holds, answer.holding.clone()));
        }
        if answers[0] == answers[1] { Ok(()) } else { Err(format!("{formula}: {answers:?}\n{}", shown(&system))) }
    });
    assert!(shown_runs > 200 && refuted > 200, "too little was tried: {shown_runs} runs, {refuted} without one");
}

/// The same formula with the operators of path formulas in the place of those of CTL.
fn star(f: &F) -> F {
    let runs = |path: Path, g: Formula| Arc::new(Formula::Runs(path, Arc::new(g)));
    let all = |parts: &[F]| parts.iter().map(star).collect::<Vec<F>>();
    match &**f {
        Formula::Not(g) => Arc::new(Formula::Not(star(g))),
        Formula::And(parts) => Arc::new(Formula::And(all(parts))),
        Formula::Or(parts) => Arc::new(Formula::Or(all(parts))),
        Formula::Imp(a, b) => Arc::new(Formula::Imp(star(a), star(b))),
        Formula::Iff(a, b) => Arc::new(Formula::Iff(star(a), star(b))),
        Formula::Knows(a, g) => Arc::new(Formula::Knows(a.clone(), star(g))),
        Formula::Possible(a, g) => Arc::new(Formula::Possible(a.clone(), star(g))),
        Formula::KnowsWhether(a, g) => Arc::new(Formula::KnowsWhether(a.clone(), star(g))),
        Formula::Everyone(a, g) => Arc::new(Formula::Everyone(a.clone(), star(g))),
        Formula::Distributed(a, g) => Arc::new(Formula::Distributed(a.clone(), star(g))),
        Formula::Common(a, g) => Arc::new(Formula::Common(a.clone(), star(g))),
        // At the end of a run there is no next point: `AX` holds there, `A X` does not.
        Formula::Path(Path::All, Along::Next, Program::Any, g) => {
            let fails = Formula::Linear(Along::Next, Formula::negation(star(g)));
            Arc::new(Formula::Not(runs(Path::Some, fails)))
        }
        Formula::Path(path, along, Program::Any, g) => runs(*path, Formula::Linear(*along, star(g))),
        Formula::Until(path, Program::Any, a, b) => runs(*path, Formula::LinearUntil(star(a), star(b))),
        _ => f.clone(),
    }
}

/// Where a program stands none is left out.
fn plain(f: &F) -> bool {
    !f.any(&mut |g| {
        matches!(g, Formula::Path(_, _, p, _) | Formula::Until(_, p, ..) if *p != Program::Any) || g.is_linear()
    })
}

#[test]
fn where_ctl_and_path_formulas_meet_there_is_one_answer() {
    let mut asked = 0;
    run(500, |rng| {
        let system = random_system(rng, Care::Careful);
        let words = Words::of(&system);
        let depth = rng.between(1, 3);
        let common = rng.chance(20);
        let formula = loop {
            let f = Speaker { rng, words: &words, common, strategies: false, obligations: false }.formula(depth);
            let f = with_any(&f);
            if plain(&f) && f.is_temporal() && f.size() < 40 {
                break f;
            }
        };
        let other = star(&formula);
        let ways = [
            (Memory::None, EngineChoice::Explicit),
            (Memory::None, EngineChoice::Symbolic),
            (Memory::Perfect, EngineChoice::Auto),
        ];
        for (memory, engine) in ways {
            let mut checker = checker(&system, memory, engine);
            let mut said = |f: &F| {
                let answer = checker.ask(Query::new(QueryKind::Check, f.clone()).listing(ALL));
                answer.map(|answer| (answer.holds, answer.holds_at)).map_err(|error| error.to_string())
            };
            let (first, second) = (said(&formula), said(&other));
            asked += usize::from(first.is_ok());
            if first != second {
                return Err(format!("{memory:?} {formula}: {first:?}\n{other}: {second:?}\n{}", shown(&system)));
            }
        }
        Ok(())
    });
    assert!(asked > 900, "too little was tried: {asked} answers");
}

/// The formula with any step in the place of every program.
fn with_any(f: &F) -> F {
    let go = |g: &F| with_any(g);
    let all = |parts: &[F]| parts.iter().map(with_any).collect::<Vec<F>>();
    Arc::new(match &**f {
        Formula::Not(g) => Formula::Not(go(g)),
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Imp(a, b) => Formula::Imp(go(a), go(b)),
        Formula::Iff(a, b) => Formula::Iff(go(a), go(b)),
        Formula::Knows(a, g) => Formula::Knows(a.clone(), go(g)),
        Formula::Possible(a, g) => Formula::Possible(a.clone(), go(g)),
        Formula::KnowsWhether(a, g) => Formula::KnowsWhether(a.clone(), go(g)),
        Formula::Everyone(a, g) => Formula::Everyone(a.clone(), go(g)),
        Formula::Distributed(a, g) => Formula::Distributed(a.clone(), go(g)),
        Formula::Common(a, g) => Formula::Common(a.clone(), go(g)),
        Formula::Path(path, along, _, g) => Formula::Path(*path, *along, Program::Any, go(g)),
        Formula::Until(path, _, a, b) => Formula::Until(*path, Program::Any, go(a), go(b)),
        other => other.clone(),
    })
}

#[test]
fn path_formulas_print_and_read_back_equal() {
    let system = "agents a\nprops p, q\ncheck p";
    let document = Document::read(system, Format::Ken).expect("a model");
    for text in [
        "A G F p",
        "E(F p & G q)",
        "A(p U q)",
        "A((p U q))",
        "E(p R q)",
        "A(X p -> F q)",
        "A G (p -> X (q U (p R !q)))",
        "E X !E G p",
        "A(G F p -> G F q)",
        "K[a] A F G p",
        "A G K[a] E F p",
        "A(p)",
        "A(xor(F p, G q))",
        "E(p U (q U p))",
        "E(!F p)",
    ] {
        let formula = document.formula(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
        let printed = formula.to_string();
        assert_eq!(document.formula(&printed).as_ref(), Ok(&formula), "{text} prints as {printed}");
    }
}

#[test]
fn the_letters_of_path_formulas_are_names_elsewhere() {
    let text = "agents a\nprops F, G, X, R, A\ncheck F & G | X -> R";
    let document = Document::read(text, Format::Ken).expect("a model");
    assert!(document.formula("A & F").is_ok_and(|f| !f.is_temporal()));
    assert!(document.formula("K[a] F").is_ok_and(|f| !f.is_temporal()));
    // Inside a path formula they are names where nothing follows that they could speak of.
    let inside = document.formula("A G F").expect("a formula");
    assert_eq!(inside.to_string(), "A G F");
    assert!(
        matches!(&*inside, Formula::Runs(_, g) if matches!(&**g, Formula::Linear(Along::Always, h) if matches!(&**h, Formula::Atom(_))))
    );
    assert!(document.formula("A G K[a] F G").is_err(), "a formula of states is read as elsewhere");
}

/// `E(F(p) U q)` was the operator of CTL with a declared `F(p)`, and became a path formula without a word.
#[test]
fn a_declared_name_with_arguments_is_not_taken_for_an_operator() {
    for declared in ["let F(f) = !f", "props F(i) for i in 1..2"] {
        let text = format!("agents a\nprops p, q\n{declared}\ncheck p");
        let document = Document::read(&text, Format::Ken).expect("a model");
        assert!(document.formula("E(F(p) U q)").is_err_and(|problems| problems[0].message.contains("is declared")));
        assert!(document.formula("E(F (p) U q)").is_ok_and(|f| matches!(&*f, Formula::Runs(..))));
        assert!(document.formula("A G(p)").is_ok());
    }
}

/// Operators that say the same again make no larger automata.
#[test]
fn repeated_operators_of_time_are_one() {
    let text = "system may end\nagents a\nprops p\nobserve a sees p\nactions a: go, stop\nprotocol a: go if p\n\
                protocol a: stop if p\ninitial p\nnext p := false if stop";
    let document = Document::read(text, Format::Ken).expect("a system");
    let mut checker = document.checker(Limits::default());
    for (long, short) in [("G F ", "G F "), ("F G ", "F G "), ("F ", "F "), ("G ", "G ")] {
        for path in ["A", "E"] {
            let ask = |n: usize| document.query(&format!("{path} {}p", long.repeat(n))).expect("a formula");
            let (one, many) = (checker.ask(&ask(1)).expect("an answer"), checker.ask(&ask(40)).expect("an answer"));
            assert_eq!(one.holds, many.holds, "{path} {short}p");
        }
    }
}

#[test]
fn a_path_formula_whose_cases_all_contradict_each_other_ends_soon() {
    let text = "agents a\nprops p, q\nactions a: go, stay\nnext p := true if go\n";
    let document = Document::read(text, Format::Ken).expect("a system");
    let cases = vec!["(X X p | X X q)"; 40].join(" & ");
    let contradiction = document.query(&format!("E (p & !p & {cases})")).expect("a formula");
    assert!(!document.checker(Limits::default()).ask(&contradiction).expect("at once").holds);
    // Where the contradiction is found last, a limit ends it.
    let late: Vec<String> = (1..40).map(|i| format!("({0} p | {0} q)", "X ".repeat(i))).collect();
    let late = document.query(&format!("E ({} & (F (p & !p)))", late.join(" & "))).expect("a formula");
    let ended = document.checker(Limits::default()).ask(&late);
    assert!(matches!(ended, Ok(_) | Err(CheckError::Limit(_))), "{ended:?}");
}

#[test]
fn operators_of_runs_outside_a_and_e_are_named_in_the_advice() {
    let text = "agents a\nprops p, q\nactions a: go\nnext p := true if go\n";
    let document = Document::read(text, Format::Ken).expect("a system");
    for formula in ["G F p", "F p", "AG F p", "K[a] F p", "p U q", "A (K[a] F p)", "A G p U q"] {
        let problems = document.formula(formula).expect_err(formula);
        let help = problems[0].help.clone().unwrap_or_default();
        assert!(help.contains("speaks of a run"), "{formula}: {problems:?}");
    }
}
