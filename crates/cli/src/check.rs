//! `ken check` and `ken explain`.

use crate::args::{CheckArgs, EngineArg, LimitArgs};
use crate::input::{Failure, Loaded, load};
use crate::memory::Memory;
use crate::monitor::Monitor;
use crate::output::{Style, complain, emit, facts_json, line, number, reason_json};
use ken_logic::check::{Ask, EngineChoice, Explanation, Found};
use ken_logic::document::{Expected, Refused};
use ken_logic::text::wrap;
use ken_logic::text::{amount, plural};
use ken_logic::{Answer, Checker, Limits, Query, QueryKind};
use serde_json::{Map, Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Worlds listed under a `where` in text.
const SHOWN: usize = 20;
/// Worlds listed in JSON; larger answers give their number.
const LISTED: usize = 10_000;

pub(crate) fn limits(args: &LimitArgs) -> Limits {
    let default = Limits::default();
    Limits {
        worlds: args.max_states.unwrap_or(default.worlds),
        diagram_bytes: Memory::new(args.max_memory).diagrams(default.diagram_bytes),
    }
}

pub(crate) fn engine(arg: EngineArg) -> EngineChoice {
    match arg {
        EngineArg::Auto => EngineChoice::Auto,
        EngineArg::Explicit => EngineChoice::Explicit,
        EngineArg::Symbolic => EngineChoice::Symbolic,
    }
}

/// Results so far, shared with the monitor, which prints them if a limit ends the command.
type Results = Arc<Mutex<Vec<Value>>>;

fn envelope(file: &str, kind: &str, results: &Results) -> Map<String, Value> {
    let results = results.lock().unwrap_or_else(PoisonError::into_inner);
    let mut object = Map::new();
    object.insert("file".into(), json!(file));
    object.insert("kind".into(), json!(kind));
    object.insert("results".into(), json!(*results));
    object
}

pub(crate) fn run(args: &CheckArgs, explain: bool) -> Result<u8, Failure> {
    let results: Results = Arc::default();
    let timed: Arc<AtomicBool> = Arc::default();
    let json = args.json;
    let on_limit = {
        let (results, timed, file) = (results.clone(), timed.clone(), args.model.file.clone());
        move |failure: &Failure| {
            if json {
                let mut object = envelope(&file, kind(timed.load(Ordering::Relaxed)), &results);
                object.extend(failure.members());
                emit(&Value::Object(object));
            } else {
                complain(&failure.text());
            }
        }
    };
    let monitor = Monitor::start(args.limits.max_seconds, args.limits.max_memory, Box::new(on_limit));
    monitor.doing(format!("reading {}", args.model.file));
    let loaded = load(&args.model.file, &args.model.set)?;
    timed.store(loaded.document.time.is_some(), Ordering::Relaxed);
    let queries = queries(args, &loaded)?;
    let mut refused = if args.formulas.is_empty() { &loaded.document.refused[..] } else { &[] };
    if queries.is_empty() && refused.is_empty() {
        return Err(Failure::Usage {
            message: format!("`{}` asks nothing", loaded.name),
            help: Some("give a formula with -f, or add `check φ` to the file".to_string()),
        });
    }
    let witness = explain || args.witness;
    let mut checker = checker(args, &loaded, &queries)?;
    if !json {
        let heading = heading(&loaded, &mut checker)?;
        monitor.quietly(|| line(&heading));
    } else if loaded.document.time.is_none() {
        // A model without worlds, or with too many, is no matter of a single question.
        checker.size().map_err(|error| loaded.failure(&error, None))?;
    }
    let mut tally = Tally::default();
    let tell_refused = |refused: &Refused, tally: &mut Tally| {
        tally.refused += 1;
        let failure = loaded.refusal(refused);
        if json {
            let mut value = Map::new();
            value.insert("formula".into(), json!(refused.text));
            value.insert("refused".into(), failure.problem(&refused.problem));
            results.lock().unwrap_or_else(PoisonError::into_inner).push(Value::Object(value));
        } else {
            monitor.quietly(|| {
                verdict_line("refused", &Style::stdout().bad("refused"), &refused.text);
                complain(&failure.text());
            });
        }
    };
    for (i, query) in queries.iter().enumerate() {
        // In the order of the file.
        while let Some((first, rest)) = refused.split_first().filter(|(first, _)| first.span.start < query.span.start) {
            tell_refused(first, &mut tally);
            refused = rest;
        }
        monitor.doing(format!("{} of {}: {}", i + 1, queries.len(), query.text));
        let before = monitor.seconds();
        match checker.ask(ask(query, json, witness)) {
            Ok(answer) => {
                let met = query.expected.as_ref().map(|e| answer.meets(e).unwrap_or(false));
                tally.count(&answer, met);
                if json {
                    let value = result_json(query, &answer, met, monitor.seconds() - before);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push(value);
                } else {
                    monitor.quietly(|| show(query, &answer, met));
                }
            }
            Err(error) => {
                let failure = loaded.failure(&error, Some(query));
                if failure.exit_code() != 3 {
                    return Err(failure);
                }
                tally.gave_up += 1;
                if json {
                    let mut value = Map::new();
                    value.insert("formula".into(), json!(query.text));
                    value.extend(failure.members());
                    results.lock().unwrap_or_else(PoisonError::into_inner).push(Value::Object(value));
                } else {
                    monitor.quietly(|| {
                        verdict_line("gave up", "gave up", &query.text);
                        complain(&failure.text());
                    });
                }
            }
        }
    }
    refused.iter().for_each(|rest| tell_refused(rest, &mut tally));
    if json {
        emit(&Value::Object(envelope(&loaded.name, kind(loaded.document.time.is_some()), &results)));
    } else {
        monitor.quietly(|| tally.print());
    }
    Ok(tally.exit_code())
}

/// What is asked, and where.
fn queries(args: &CheckArgs, loaded: &Loaded) -> Result<Vec<Query>, Failure> {
    let queries: Vec<Query> = match args.formulas.as_slice() {
        [] => loaded.document.queries.clone(),
        formulas => formulas.iter().map(|text| loaded.query(text)).collect::<Result<_, Failure>>()?,
    };
    match &args.at {
        None => Ok(queries),
        Some(text) => {
            let at = loaded.at(text)?;
            Ok(queries.into_iter().map(|query| query.asked_at(at.clone())).collect())
        }
    }
}

/// How much an answer is to say.
fn ask(query: &Query, json: bool, witness: bool) -> Ask<'_> {
    let ask = match (json, query.kind) {
        (true, _) => query.listing(LISTED),
        (false, QueryKind::Where) => query.listing(SHOWN),
        (false, _) => query.into(),
    };
    if witness { ask.explained() } else { ask }
}

/// What a document with time, or without, is called in JSON.
fn kind(timed: bool) -> &'static str {
    if timed { "system" } else { "kripke" }
}

/// Somebody to ask, if everything can be asked.
fn checker(args: &CheckArgs, loaded: &Loaded, queries: &[Query]) -> Result<Checker, Failure> {
    let document = &loaded.document;
    if document.time.is_none()
        && let Some(flag) = crate::time::given(&args.memory)
    {
        return Err(Failure::Usage {
            message: format!("`{}` has no time: `{flag}` is for systems", loaded.name),
            help: Some("leave it out".to_string()),
        });
    }
    let options = crate::time::options(&args.memory, engine(args.engine), limits(&args.limits));
    let checker = document.checker_with(options).planning(queries);
    for query in queries {
        checker.admits(query).map_err(|error| loaded.failure(&error, Some(query)))?;
    }
    Ok(checker)
}

fn heading(loaded: &Loaded, checker: &mut Checker) -> Result<String, Failure> {
    let size = checker.size().map_err(|error| loaded.failure(&error, None))?;
    let agents = plural(loaded.document.model.agents().len(), "agent");
    let (count, engine) = (&size.count, size.engine.name());
    let text = match checker.remembered() {
        None => {
            let kind = if loaded.document.model.is_belief() { "belief model, " } else { "" };
            format!("{}: {kind}{agents}, {}, {engine} engine", loaded.name, plural(count, "world"))
        }
        Some(memory) => {
            let states = plural(count, "reachable state");
            let at_most = if size.exact { "" } else { "at most " };
            format!("{}: system, {agents}, {at_most}{states}, {memory}, {engine} engine", loaded.name)
        }
    };
    Ok(format!("{}\n", wrap(&text, 76).join("\n    ")))
}

#[derive(Default)]
struct Tally {
    answers: usize,
    expected: usize,
    unexpected: usize,
    failing: usize,
    gave_up: usize,
    refused: usize,
}

impl Tally {
    fn count(&mut self, answer: &Answer, met: Option<bool>) {
        self.answers += 1;
        match met {
            Some(true) => self.expected += 1,
            Some(false) => self.unexpected += 1,
            None => self.failing += usize::from(answer.kind.is_judged() && !answer.holds),
        }
    }

    fn exit_code(&self) -> u8 {
        match (self.refused, self.gave_up) {
            (0, 0) => u8::from(self.unexpected + self.failing > 0),
            (0, _) => 3,
            _ => 2,
        }
    }

    fn print(&self) {
        let asked = self.expected + self.unexpected;
        if asked == 0 {
            return;
        }
        let style = Style::stdout();
        let answers = if asked == 1 { "answer" } else { "answers" };
        if self.unexpected == 0 {
            line(&format!("\n{}", style.good(&format!("{asked} {answers}, as expected"))));
        } else {
            line(&format!("\n{}", style.bad(&format!("{} of {asked} {answers} not as expected", self.unexpected))));
        }
    }
}

/// Where formulas start, after the verdict.
const COLUMN: usize = 14;

/// The verdict, then the formula in lines of its own column.
pub(crate) fn verdict_line(verdict: &str, painted: &str, formula: &str) {
    let pad = " ".repeat(COLUMN.saturating_sub(verdict.chars().count()).max(1));
    for (i, part) in wrap(formula, 78 - COLUMN).iter().enumerate() {
        if i == 0 {
            line(&format!("{painted}{pad}{part}"));
        } else {
            line(&format!("{}{part}", " ".repeat(COLUMN)));
        }
    }
}

/// What was expected and not found.
fn unmet(query: &Query) -> String {
    let expected = match &query.expected {
        Some(Expected::Truth(truth)) => truth.to_string(),
        Some(Expected::Number(n)) => n.to_string(),
        Some(Expected::Worlds(worlds)) => format!("{} worlds as listed in the file", worlds.len()),
        None => String::new(),
    };
    format!("expected {expected}")
}

fn verdict(query: &Query, answer: &Answer) -> String {
    let here = answer.at.is_some() && query.kind == QueryKind::Check;
    match (query.kind, answer.holds) {
        (QueryKind::Where, _) => format!("in {} of {}", amount(&answer.holding), amount(&answer.asked)),
        (QueryKind::Count, _) => amount(&answer.holding),
        (_, true) if answer.system.is_some() => "holds".to_string(),
        (_, false) if answer.system.is_some() => "fails".to_string(),
        (_, true) if here => "holds here".to_string(),
        (_, false) if here => "fails here".to_string(),
        (_, true) => "valid".to_string(),
        (_, false) => "not valid".to_string(),
    }
}

fn show(query: &Query, answer: &Answer, met: Option<bool>) {
    let style = Style::stdout();
    let judged = query.kind.is_judged();
    let verdict = verdict(query, answer);
    let painted = match (met, judged, answer.holds) {
        (Some(true), _, _) | (None, true, true) => style.good(&verdict),
        (Some(false), _, _) | (None, true, false) => style.bad(&verdict),
        (None, false, _) => verdict.clone(),
    };
    verdict_line(&verdict, &painted, &query.text);
    let note = |text: &str| line(&format!("{}{text}", " ".repeat(COLUMN)));
    let (several, places) = match &answer.system {
        None => (answer.at.is_none(), "in {} worlds"),
        Some(_) => (answer.asked != 1u8.into(), "at {} initial states"),
    };
    if judged && !answer.holds && several {
        let of = format!("{} of {}", amount(&answer.asked - &answer.holding), amount(&answer.asked));
        note(&style.dim(&format!("fails {}", places.replace("{}", &of))));
    }
    let notes =
        answer.notes().into_iter().chain(answer.forgetful().map(|without| crate::time::parting(answer, without)));
    for text in notes {
        wrap(&text, 78 - COLUMN).iter().for_each(|part| note(&style.dim(part)));
    }
    if query.kind == QueryKind::Where {
        match answer.names() {
            Some(names) => names.into_iter().for_each(note),
            None => note(&style.dim("too many to list here; --json lists more")),
        }
    }
    if met == Some(false) {
        note(&style.bad(&unmet(query)));
    }
    crate::time::explain(answer);
}

fn result_json(query: &Query, answer: &Answer, met: Option<bool>, seconds: f64) -> Value {
    let mut object = Map::new();
    object.insert("formula".into(), json!(query.text));
    object.insert("holds".into(), json!(answer.holds));
    match (query.kind, &answer.holds_at) {
        (QueryKind::Where, Some(found)) => {
            let states: Vec<Value> = found.iter().map(|found| state_json(found, answer.system.is_some())).collect();
            object.insert("states".into(), json!(states));
        }
        (QueryKind::Count, _) => {
            object.insert("count".into(), number(&answer.holding));
        }
        (_, Some(_)) => {
            object.insert("holds_at".into(), json!(answer.names()));
        }
        (_, None) => {
            object.insert("holds_at_count".into(), number(&answer.holding));
        }
    }
    let asked = match (&answer.system, query.kind.is_judged()) {
        (None, _) => "worlds",
        (Some(_), true) if answer.at.is_some() => "places",
        (Some(_), true) => "initial_states",
        (Some(_), false) => "reachable_states",
    };
    object.insert(asked.into(), number(&answer.asked));
    if let Some(system) = &answer.system {
        crate::time::insert(&mut object, answer, system);
    }
    if let Some(at) = &answer.at {
        object.insert("at".into(), json!(at));
    }
    if let Some(met) = met {
        object.insert("as_expected".into(), json!(met));
    }
    object.insert("engine".into(), json!(answer.engine.name()));
    match &answer.reason {
        None => {}
        Some(Explanation::World(reason)) => {
            object.insert("witness".into(), reason_json(reason));
        }
        Some(Explanation::Run { at, account }) => {
            object.insert("witness".into(), crate::time::witness_json(at, account));
        }
    }
    object.insert("seconds".into(), json!(seconds));
    Value::Object(object)
}

/// A state of a `where`: in a system its name; else the list of its true propositions, or an object when it has variables
/// too.
fn state_json(found: &Found, timed: bool) -> Value {
    match &found.facts {
        Some(facts) if !timed && facts.vars.is_empty() => {
            json!(facts.props.iter().map(|p| &**p).collect::<Vec<_>>())
        }
        Some(facts) if !timed => facts_json(facts),
        _ => json!(found.name),
    }
}
