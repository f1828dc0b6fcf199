//! `ken check` and `ken explain`.

use crate::args::{CheckArgs, EngineArg, LimitArgs};
use crate::input::{Failure, Loaded, load};
use crate::memory::Memory;
use crate::monitor::Monitor;
use crate::output::{Style, complain, emit, facts_json, line, number, reason_json, wrap};
use ken_logic::check::time::{TimeAnswer, TimeSession};
use ken_logic::check::{Answer, At, CheckError, EngineChoice, Limits, Question, Session};
use ken_logic::model::{Expected, Model, Query, QueryKind, Refused};
use ken_logic::syntax::Span;
use ken_logic::text::amount;
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
                if let Value::Object(gave_up) = failure.json() {
                    object.extend(gave_up);
                }
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
    let mut asker = Asker::open(args, &loaded, &queries, witness)?;
    if !json {
        let heading = asker.heading(&loaded)?;
        monitor.quietly(|| line(&heading));
    }
    let mut tally = Tally::default();
    let tell_refused = |refused: &Refused, tally: &mut Tally| {
        tally.refused += 1;
        let failure = loaded.refusal(refused);
        if json {
            let mut value = Map::new();
            value.insert("formula".into(), json!(refused.text));
            value.insert("refused".into(), failure.json()["error"].take());
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
        match asker.ask(query, args, witness) {
            Ok(outcome) => {
                let met = query.expected.as_ref().map(|e| outcome.meets(e).unwrap_or(false));
                tally.count(&outcome, met);
                if json {
                    let value = outcome.json(query, met, monitor.seconds() - before);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push(value);
                } else {
                    monitor.quietly(|| outcome.show(query, met));
                }
            }
            Err(error) => {
                let failure = loaded.failure(error, Some((query.span, &query.text)));
                if failure.exit_code() != 3 {
                    return Err(failure);
                }
                tally.gave_up += 1;
                if json {
                    let mut value = Map::new();
                    value.insert("formula".into(), json!(query.text));
                    if let Value::Object(gave_up) = failure.json() {
                        value.extend(gave_up);
                    }
                    results.lock().unwrap_or_else(PoisonError::into_inner).push(Value::Object(value));
                } else {
                    monitor.quietly(|| {
                        line(&format!("gave up       {}", query.text));
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

fn queries(args: &CheckArgs, loaded: &Loaded) -> Result<Vec<Query>, Failure> {
    if args.formulas.is_empty() {
        return Ok(loaded.document.queries.clone());
    }
    args.formulas
        .iter()
        .map(|text| {
            Ok(Query {
                kind: QueryKind::Check,
                formula: loaded.formula(text)?,
                text: text.clone(),
                at: None,
                expected: None,
                span: Span::default(),
            })
        })
        .collect()
}

fn question(query: &Query, args: &CheckArgs, at: Option<&At>, explain: bool) -> Question {
    let at = match (at, &query.at) {
        (Some(at), _) => at.clone(),
        (None, Some(facts)) => At::Facts(facts.clone()),
        (None, None) => At::Point,
    };
    let expected = match &query.expected {
        Some(Expected::Worlds(worlds)) => worlds.len(),
        _ => 0,
    };
    let list = match (args.json, query.kind) {
        (true, _) => LISTED,
        (false, QueryKind::Where) => SHOWN.max(expected),
        (false, _) => 0,
    };
    Question { kind: query.kind, formula: query.formula.clone(), at, list, explain }
}

/// What a document with time, or without, is called in JSON.
fn kind(timed: bool) -> &'static str {
    if timed { "system" } else { "kripke" }
}

/// Somebody to ask: a model of worlds, or a system, whose beginning is a model of worlds.
struct Asker {
    worlds: Option<Session>,
    time: Option<TimeSession>,
    /// Where everything is asked.
    at: Option<At>,
}

/// An answer of either.
enum Outcome {
    Worlds(Box<Answer>),
    Time(Box<TimeAnswer>),
}

impl Asker {
    fn open(args: &CheckArgs, loaded: &Loaded, queries: &[Query], witness: bool) -> Result<Asker, Failure> {
        let document = &loaded.document;
        let mixed = |q: &&Query| q.formula.is_dynamic() && q.formula.is_temporal();
        if let (Some(_), Some(query)) = (&document.time, queries.iter().find(mixed)) {
            let error = CheckError::NotHere("knowledge actions `[α]` and time do not go into one formula");
            return Err(loaded.failure(error, Some((query.span, query.text.as_str()))));
        }
        let about_worlds: Vec<&Query> =
            queries.iter().filter(|q| document.time.is_none() || q.formula.is_dynamic()).collect();
        let at = args.at.as_deref().map(|name| loaded.at(name)).transpose()?;
        let worlds = if about_worlds.is_empty() && document.time.is_some() {
            None
        } else {
            let questions = about_worlds.iter().map(|q| question(q, args, at.as_ref(), witness)).collect();
            let session = Session::open(document.model.clone(), questions, engine(args.engine), limits(&args.limits))
                .map_err(|error| {
                let temporal = about_worlds.iter().find(|q| q.formula.is_temporal());
                loaded.failure(error, temporal.map(|q| (q.span, q.text.as_str())))
            })?;
            Some(session.with_names(document.scope.names()))
        };
        let time = document.time.clone().map(|time| {
            let session =
                TimeSession::open(time, crate::time::options(&args.memory, engine(args.engine), limits(&args.limits)));
            session.with_names(document.scope.names())
        });
        if document.time.is_none()
            && let Some(flag) = crate::time::given(&args.memory)
        {
            return Err(Failure::Usage {
                message: format!("`{}` has no time: `{flag}` is for systems", loaded.name),
                help: Some("leave it out".to_string()),
            });
        }
        Ok(Asker { worlds, time, at })
    }

    fn heading(&mut self, loaded: &Loaded) -> Result<String, Failure> {
        match (&mut self.time, &self.worlds) {
            (Some(time), _) => crate::time::heading(loaded, time),
            (None, Some(session)) => Ok(heading(loaded, session)),
            (None, None) => Ok(String::new()),
        }
    }

    fn ask(&mut self, query: &Query, args: &CheckArgs, witness: bool) -> Result<Outcome, CheckError> {
        if let Some(time) = &mut self.time
            && !query.formula.is_dynamic()
        {
            let list = question(query, args, None, witness).list;
            return time
                .ask(&crate::time::question(query, self.at.clone(), list, witness))
                .map(|answer| Outcome::Time(Box::new(answer)));
        }
        match self.worlds.as_mut().and_then(Session::answer) {
            Some(answer) => answer.map(|answer| Outcome::Worlds(Box::new(answer))),
            None => Err(CheckError::Temporal),
        }
    }
}

impl Outcome {
    fn meets(&self, expected: &Expected) -> Option<bool> {
        match self {
            Outcome::Worlds(answer) => answer.meets(expected),
            Outcome::Time(answer) => answer.meets(expected),
        }
    }

    fn json(&self, query: &Query, met: Option<bool>, seconds: f64) -> Value {
        match self {
            Outcome::Worlds(answer) => result_json(query, answer, met, seconds),
            Outcome::Time(answer) => crate::time::result_json(query, answer, met, seconds),
        }
    }

    fn show(&self, query: &Query, met: Option<bool>) {
        match self {
            Outcome::Worlds(answer) => show(query, answer, met),
            Outcome::Time(answer) => crate::time::show(query, answer, met),
        }
    }
}

fn heading(loaded: &Loaded, session: &Session) -> String {
    let agents = loaded.document.model.agent_count();
    let worlds = session.worlds();
    let kind = match &loaded.document.model {
        model if model.is_belief() => "belief model, ",
        Model::Law(_) | Model::Kripke(_) => "",
    };
    let worlds = amount(&worlds);
    let plural = |n: &str, one: &str| if n == "1" { one.to_string() } else { format!("{one}s") };
    format!(
        "{}: {kind}{agents} {}, {worlds} {}, {} engine\n",
        loaded.name,
        plural(&agents.to_string(), "agent"),
        plural(&worlds, "world"),
        session.engine().name()
    )
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
    fn count(&mut self, outcome: &Outcome, met: Option<bool>) {
        self.answers += 1;
        match met {
            Some(true) => self.expected += 1,
            Some(false) => self.unexpected += 1,
            None => {
                let (kind, holds) = match outcome {
                    Outcome::Worlds(answer) => (answer.kind, answer.holds),
                    Outcome::Time(answer) => (answer.kind, answer.side.holds),
                };
                let judged = matches!(kind, QueryKind::Check | QueryKind::Valid);
                self.failing += usize::from(judged && !holds);
            }
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
pub(crate) const COLUMN: usize = 14;

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
pub(crate) fn unmet(query: &Query) -> String {
    let expected = match &query.expected {
        Some(Expected::Truth(truth)) => truth.to_string(),
        Some(Expected::Number(n)) => n.to_string(),
        Some(Expected::Worlds(worlds)) => format!("{} worlds as listed in the file", worlds.len()),
        None => String::new(),
    };
    format!("expected {expected}")
}

fn show(query: &Query, answer: &Answer, met: Option<bool>) {
    let style = Style::stdout();
    let judged = matches!(query.kind, QueryKind::Check | QueryKind::Valid);
    let verdict = match (query.kind, &answer.at, answer.holds) {
        (QueryKind::Check, Some(_), true) => "holds here".to_string(),
        (QueryKind::Check, Some(_), false) => "fails here".to_string(),
        (QueryKind::Check | QueryKind::Valid, _, true) => "valid".to_string(),
        (QueryKind::Check | QueryKind::Valid, _, false) => "not valid".to_string(),
        (QueryKind::Where, _, _) => format!("in {} of {}", amount(&answer.holding), amount(&answer.worlds)),
        (QueryKind::Count, _, _) => amount(&answer.holding),
    };
    let painted = match (met, judged, answer.holds) {
        (Some(true), _, _) | (None, true, true) => style.good(&verdict),
        (Some(false), _, _) | (None, true, false) => style.bad(&verdict),
        (None, false, _) => verdict.clone(),
    };
    verdict_line(&verdict, &painted, &query.text);
    let note = |text: &str| line(&format!("{}{text}", " ".repeat(COLUMN)));
    if judged && !answer.holds && answer.at.is_none() {
        let failing = &answer.worlds - &answer.holding;
        note(&style.dim(&format!("fails in {} of {} worlds", amount(&failing), amount(&answer.worlds))));
    }
    if query.kind == QueryKind::Where {
        match &answer.holds_at {
            Some(worlds) => worlds.iter().for_each(|w| note(&w.name)),
            None => note(&style.dim("too many to list here; --json lists more")),
        }
    }
    if met == Some(false) {
        note(&style.bad(&unmet(query)));
    }
    if let Some(reason) = &answer.reason {
        for (depth, text) in reason.lines() {
            let indent = 2 + 2 * depth;
            for (i, part) in wrap(&text, 74usize.saturating_sub(indent).max(40)).iter().enumerate() {
                line(&format!("{}{part}", " ".repeat(indent + if i == 0 { 0 } else { 4 })));
            }
        }
        line("");
    }
}

fn result_json(query: &Query, answer: &Answer, met: Option<bool>, seconds: f64) -> Value {
    let mut object = Map::new();
    object.insert("formula".into(), json!(query.text));
    object.insert("holds".into(), json!(answer.holds));
    match (query.kind, &answer.holds_at) {
        (QueryKind::Where, Some(worlds)) => {
            object.insert("states".into(), json!(worlds.iter().map(state_json).collect::<Vec<_>>()));
        }
        (QueryKind::Count, _) => {
            object.insert("count".into(), number(&answer.holding));
        }
        (_, Some(worlds)) => {
            object.insert("holds_at".into(), json!(worlds.iter().map(|w| &w.name).collect::<Vec<_>>()));
        }
        (_, None) => {
            object.insert("holds_at_count".into(), number(&answer.holding));
        }
    }
    object.insert("worlds".into(), number(&answer.worlds));
    if let Some(at) = &answer.at {
        object.insert("at".into(), json!(at.name));
    }
    if let Some(met) = met {
        object.insert("as_expected".into(), json!(met));
    }
    object.insert("engine".into(), json!(answer.engine.name()));
    if let Some(reason) = &answer.reason {
        object.insert("witness".into(), reason_json(reason));
    }
    object.insert("seconds".into(), json!(seconds));
    Value::Object(object)
}

/// A state of a `where`: the list of its true propositions, or an object when it has variables too.
fn state_json(view: &ken_logic::check::reason::WorldView) -> Value {
    if view.facts.vars.is_empty() {
        json!(view.facts.props.iter().map(|p| &**p).collect::<Vec<_>>())
    } else {
        facts_json(&view.facts)
    }
}
