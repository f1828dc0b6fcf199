//! Every formula with its verdict, its reasons and its runs.

use super::source::{Source, amount, count, few};
use super::{LIMITS, LogicAnswer, LogicCheck, LogicChecked, LogicModel, LogicRecall, trace};
use crate::api::{Problem, Sentence};
use ken_logic::check::time::{Memory, TimeAnswer, TimeOptions, TimeQuestion, TimeSession};
use ken_logic::check::{Answer, At, CheckError, Engine, EngineChoice, Limit, Question, Session};
use ken_logic::formula::{Action, F, Formula};
use ken_logic::model::system::Visibility;
use ken_logic::model::{Expected, Model, Query, QueryKind};
use ken_logic::syntax::Span;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The most worlds at which a formula holds that are listed.
const LISTED: usize = 200;

/// What is found so far; another thread can take it when it has waited long enough.
#[derive(Debug, Default)]
pub struct Progress {
    found: Mutex<LogicChecked>,
}

impl Progress {
    /// What is found so far.
    pub fn found(&self) -> MutexGuard<'_, LogicChecked> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A formula to be answered: of the text, or asked beside it and perhaps unreadable.
struct Asked {
    answer: LogicAnswer,
    query: Option<Query>,
}

/// Checks every formula; answers appear in `progress` one by one. What cannot be read at all is an error.
pub fn check(request: &LogicCheck, progress: &Progress) -> Result<(), Problem> {
    few(&request.formulas)?;
    few(&request.announced)?;
    let source = match Source::read(&request.text, request.kind) {
        Ok(source) => source,
        Err(problem) if !problem.marks.is_empty() => {
            progress.found().problems = problem.marks;
            return Ok(());
        }
        Err(problem) => return Err(problem),
    };
    progress.found().kind = source.kind;
    let at = request.at.as_deref().filter(|at| !at.trim().is_empty()).map(|at| source.at(at)).transpose()?;
    let announced = request.announced.iter().map(|text| source.formula(text)).collect::<Result<Vec<F>, Problem>>()?;
    let asked = asked(&source, &request.formulas, &announced);
    {
        let mut found = progress.found();
        found.answers = asked.iter().map(|a| a.answer.clone()).collect();
    }
    let mut asker = match Asker::open(&source, &asked, at, request.recall) {
        Ok(asker) => asker,
        Err(error) => {
            let problem = source.problem(&error);
            let mut found = progress.found();
            if problem.marks.is_empty() {
                found.gave_up = Some(problem);
            } else {
                found.problems = problem.marks;
                found.answers.clear();
            }
            return Ok(());
        }
    };
    let model = asker.describe(&source);
    match model {
        Ok(model) => progress.found().model = Some(model),
        Err(error) => {
            let problem = source.problem(&error);
            let mut found = progress.found();
            if !problem.marks.is_empty() {
                found.problems = problem.marks;
                found.answers.clear();
                return Ok(());
            }
            found.gave_up = Some(problem);
        }
    }
    for (i, asked) in asked.iter().enumerate() {
        let Some(query) = &asked.query else { continue };
        let begun = Instant::now();
        let mut answer = asked.answer.clone();
        match asker.ask(&source, query) {
            Ok(Outcome::Worlds(found)) => tell_worlds(&mut answer, query, &found),
            Ok(Outcome::Time(found)) => tell_time(&mut answer, query, &found, asker.time.as_mut()),
            // Nobody waits for the rest.
            Err(CheckError::Limit(Limit::Stopped)) => return Ok(()),
            Err(error) => refuse(&mut answer, source.problem(&error)),
        }
        answer.seconds = begun.elapsed().as_secs_f64();
        progress.found().answers[i] = answer;
    }
    Ok(())
}

/// The formulas of the text, then those asked beside it after the announcements.
fn asked(source: &Source<'_>, formulas: &[String], announced: &[F]) -> Vec<Asked> {
    let of_text = source.document.queries.iter().map(|query| {
        let (from, to) = source.place(query.span);
        let mut answer = blank(query);
        (answer.from, answer.to) = (Some(from), Some(to));
        Asked { answer, query: Some(query.clone()) }
    });
    let beside = formulas.iter().map(|text| match source.formula(text) {
        Ok(formula) => {
            let after = |then, f: &F| Formula::after(Action::Announce(f.clone()), then);
            let query = Query {
                kind: QueryKind::Check,
                formula: announced.iter().rev().fold(formula, after),
                text: text.clone(),
                at: None,
                expected: None,
                span: Span::default(),
            };
            Asked { answer: blank(&query), query: Some(query) }
        }
        Err(problem) => {
            let mut answer =
                LogicAnswer { formula: text.clone(), question: "check".to_string(), ..LogicAnswer::default() };
            refuse(&mut answer, problem);
            Asked { answer, query: None }
        }
    });
    let refused = source.document.refused.iter().map(|refused| {
        let (from, to) = source.place(refused.span);
        let question = "check".to_string();
        let mut answer = LogicAnswer { formula: refused.text.clone(), question, ..LogicAnswer::default() };
        (answer.from, answer.to) = (Some(from), Some(to));
        let mut problem = Problem::new("not-here", refused.problem.message.clone());
        problem.help = refused.problem.help.clone();
        refuse(&mut answer, problem);
        Asked { answer, query: None }
    });
    let mut of_text: Vec<Asked> = of_text.chain(refused).collect();
    of_text.sort_by_key(|asked| asked.answer.from);
    of_text.into_iter().chain(beside).collect()
}

/// A formula that was not reached yet.
fn blank(query: &Query) -> LogicAnswer {
    let question = match query.kind {
        QueryKind::Check => "check",
        QueryKind::Valid => "valid",
        QueryKind::Where => "where",
        QueryKind::Count => "count",
    };
    let expected = query.expected.as_ref().map(|expected| match expected {
        Expected::Truth(truth) => truth.to_string(),
        Expected::Number(n) => n.to_string(),
        Expected::Worlds(worlds) => worlds.iter().map(|w| w.label()).collect::<Vec<_>>().join(" "),
    });
    LogicAnswer {
        formula: query.text.clone(),
        question: question.to_string(),
        verdict: "gave up at a limit".to_string(),
        mark: "gave-up".to_string(),
        expected,
        ..LogicAnswer::default()
    }
}

/// A formula without an answer, and why.
fn refuse(answer: &mut LogicAnswer, problem: Problem) {
    let (verdict, mark) = match problem.code.as_str() {
        "gave-up" => ("gave up at a limit", "gave-up"),
        "unread" => ("does not parse", "unread"),
        _ => ("parses, but cannot be asked here", "unread"),
    };
    (answer.verdict, answer.mark) = (verdict.to_string(), mark.to_string());
    answer.problem = Some(problem);
}

/// Somebody to ask: a model of worlds, or a system, whose beginning is a model of worlds.
struct Asker {
    worlds: Option<Session>,
    time: Option<TimeSession>,
    at: Option<At>,
}

/// An answer of either.
enum Outcome {
    Worlds(Box<Answer>),
    Time(Box<TimeAnswer>),
}

/// Whether a formula speaks of the worlds of the beginning.
fn of_worlds(query: &Query, timed: bool) -> bool {
    !query.formula.is_temporal() && (!timed || query.formula.is_dynamic())
}

fn listed(query: &Query) -> usize {
    match &query.expected {
        Some(Expected::Worlds(worlds)) => LISTED.max(worlds.len()),
        _ => LISTED,
    }
}

/// A question to a model of worlds.
fn question(query: &Query, at: Option<&At>, explain: bool) -> Question {
    let at = match (at, &query.at) {
        (Some(at), _) => at.clone(),
        (None, Some(facts)) => At::Facts(facts.clone()),
        (None, None) => At::Point,
    };
    Question { kind: query.kind, formula: query.formula.clone(), at, list: listed(query), explain }
}

impl Asker {
    fn open(
        source: &Source<'_>,
        asked: &[Asked],
        at: Option<At>,
        recall: Option<LogicRecall>,
    ) -> Result<Asker, CheckError> {
        let document = &source.document;
        let timed = document.time.is_some();
        let about_worlds: Vec<&Query> =
            asked.iter().filter_map(|a| a.query.as_ref()).filter(|query| of_worlds(query, timed)).collect();
        let open = |explain: &dyn Fn(&Query) -> bool| {
            let questions = about_worlds.iter().map(|query| question(query, at.as_ref(), explain(query))).collect();
            let session = Session::open(document.model.clone(), questions, EngineChoice::Auto, LIMITS)?;
            Ok::<Session, CheckError>(session.with_names(document.scope.names()))
        };
        let worlds = if timed && about_worlds.is_empty() {
            None
        } else {
            // Reasons cost little where worlds are listed. On functions they can cost more than the answer: there only
            // formulas that somebody asks beside the text are explained.
            let plain = open(&|query| query.span == Span::default())?;
            Some(if plain.engine() == Engine::Explicit { open(&|_| true)? } else { plain })
        };
        let memory = recall.map(|recall| match recall {
            LogicRecall::None => Memory::None,
            LogicRecall::Perfect => Memory::Perfect,
            LogicRecall::Both => Memory::Both,
        });
        let options = TimeOptions { memory, limits: LIMITS, ..TimeOptions::default() };
        let time = document.time.clone();
        let time = time.map(|time| TimeSession::open(time, options).with_names(document.scope.names()));
        Ok(Asker { worlds, time, at })
    }

    /// Asks a single question without reasons, for which there was no room.
    fn plainly(&self, source: &Source<'_>, query: &Query) -> Result<Outcome, CheckError> {
        let questions = vec![question(query, self.at.as_ref(), false)];
        let mut session = Session::open(source.document.model.clone(), questions, EngineChoice::Auto, LIMITS)?;
        let answer = session.answer().unwrap_or(Err(CheckError::Temporal))?;
        Ok(Outcome::Worlds(Box::new(answer)))
    }

    /// What the text describes.
    fn describe(&mut self, source: &Source<'_>) -> Result<LogicModel, CheckError> {
        let model = &source.document.model;
        let (agents, props, vars, points) = match model {
            Model::Law(law) => {
                let points = law.points.iter().filter_map(|p| p.name.as_ref()).map(|n| n.to_string()).collect();
                (law.agents.clone(), law.props.len(), law.vars.len(), points)
            }
            Model::Kripke(kripke) => (kripke.agents().to_vec(), kripke.props().len(), 0, Vec::new()),
        };
        let belief = model.is_belief();
        let (what, worlds, engine, memory) = match (&mut self.time, &self.worlds) {
            (Some(time), _) => {
                let (states, exact) = time.states()?;
                let seen = match time.visibility() {
                    Visibility::Seen => "",
                    Visibility::Hidden => ", actions hidden",
                };
                let memory = match time.memory() {
                    Memory::None => "no memory".to_string(),
                    Memory::Perfect => format!("perfect recall{seen}"),
                    Memory::Both => format!("with and without memory{seen}"),
                };
                let at_most = if exact { "" } else { "at most " };
                ("system", format!("{at_most}{}", amount(states)), time.engine().name(), Some(memory))
            }
            (None, Some(session)) => ("kripke", amount(session.worlds()), session.engine().name(), None),
            (None, None) => ("kripke", String::new(), "", None),
        };
        let nouns = if what == "system" { "reachable state" } else { "world" };
        let mut words = vec![
            format!("{worlds} {nouns}{}", if worlds == "1" { "" } else { "s" }),
            count(agents.len(), "agent"),
            count(props, "proposition"),
        ];
        if vars > 0 {
            words.push(count(vars, "variable"));
        }
        words.extend(memory.clone());
        Ok(LogicModel {
            what: what.to_string(),
            words: words.join(", "),
            worlds: Some(worlds),
            agents: agents.iter().map(|a| a.to_string()).collect(),
            props,
            vars,
            belief,
            points,
            engine: engine.to_string(),
            memory,
        })
    }

    fn ask(&mut self, source: &Source<'_>, query: &Query) -> Result<Outcome, CheckError> {
        if of_worlds(query, self.time.is_some()) {
            return match self.worlds.as_mut().and_then(Session::answer) {
                Some(Err(CheckError::Limit(_))) => self.plainly(source, query),
                Some(answer) => answer.map(|answer| Outcome::Worlds(Box::new(answer))),
                None => Err(CheckError::Temporal),
            };
        }
        let Some(time) = &mut self.time else { return Err(CheckError::Temporal) };
        let question = TimeQuestion {
            kind: query.kind,
            formula: query.formula.clone(),
            list: listed(query),
            at: self.at.clone(),
            explain: true,
        };
        time.ask(&question).map(|answer| Outcome::Time(Box::new(answer)))
    }
}

/// The verdict of a model of worlds.
fn tell_worlds(answer: &mut LogicAnswer, query: &Query, found: &Answer) {
    let (holding, of) = (amount(&found.holding), amount(&found.worlds));
    let (verdict, mark) = match (query.kind, &found.at, found.holds) {
        (QueryKind::Check, Some(_), true) => ("holds here".to_string(), "yes"),
        (QueryKind::Check, Some(_), false) => ("does not hold here".to_string(), "no"),
        (QueryKind::Check | QueryKind::Valid, _, true) => ("valid in the model".to_string(), "yes"),
        (QueryKind::Check | QueryKind::Valid, _, false) => ("not valid in the model".to_string(), "no"),
        (QueryKind::Where, _, true) => {
            (format!("satisfiable: in {holding} of {}", count(&found.worlds, "world")), "number")
        }
        (QueryKind::Where, _, false) => ("not satisfiable in the model".to_string(), "number"),
        (QueryKind::Count, _, _) => (format!("in {holding} of {}", count(&found.worlds, "world")), "number"),
    };
    (answer.verdict, answer.mark) = (verdict, mark.to_string());
    answer.met = query.expected.as_ref().and_then(|expected| found.meets(expected));
    answer.at = found.at.as_ref().map(|world| world.name.clone());
    (answer.holding, answer.of) = (Some(holding), Some(of));
    answer.listed = found.holds_at.is_some();
    answer.holds_at = found.holds_at.iter().flatten().map(|world| world.name.clone()).collect();
    let lines = found.reason.iter().flat_map(|reason| reason.lines());
    answer.why = lines.map(|(depth, text)| Sentence { depth, text, event: None }).collect();
}

/// The verdict of a system.
fn tell_time(answer: &mut LogicAnswer, query: &Query, found: &TimeAnswer, session: Option<&mut TimeSession>) {
    let side = &found.side;
    let (holding, of) = (amount(&side.holding), amount(&side.asked));
    let one = side.asked == 1u8.into();
    let (verdict, mark) = match (query.kind, side.holds) {
        (QueryKind::Check | QueryKind::Valid, true) if one => ("holds at the start".to_string(), "yes"),
        (QueryKind::Check | QueryKind::Valid, true) => ("holds at every initial state".to_string(), "yes"),
        (QueryKind::Check | QueryKind::Valid, false) if one => ("does not hold at the start".to_string(), "no"),
        (QueryKind::Check | QueryKind::Valid, false) => {
            let failing = amount(&side.asked - &side.holding);
            (format!("does not hold at {failing} of {of} initial states"), "no")
        }
        (QueryKind::Where, true) => (format!("satisfiable: in {holding} of {of} reachable states"), "number"),
        (QueryKind::Where, false) => ("not satisfiable in a reachable state".to_string(), "number"),
        (QueryKind::Count, _) => (format!("in {holding} of {of} reachable states"), "number"),
    };
    (answer.verdict, answer.mark) = (verdict, mark.to_string());
    answer.met = query.expected.as_ref().and_then(|expected| found.meets(expected));
    (answer.holding, answer.of) = (Some(holding), Some(of));
    answer.why.extend(found.notes().into_iter().map(|text| Sentence { depth: 0, text, event: None }));
    answer.listed = side.holds_at.is_some();
    answer.holds_at = side.holds_at.clone().unwrap_or_default();
    // Where both ways of remembering agree one account is enough.
    let parts = found.forgetful.as_ref().filter(|_| found.parting.is_some());
    if let (Some(forgetful), Some(at)) = (parts, &found.parting) {
        let word = |holds: bool| if holds { "holds" } else { "does not hold" };
        let text = format!(
            "memory makes the difference at {at}: it {} with perfect recall, and {} without memory",
            word(side.holds),
            word(forgetful.holds)
        );
        answer.why.push(Sentence { depth: 0, text, event: None });
    }
    let mut runs = Vec::new();
    for side in std::iter::once(side).chain(parts) {
        let Some((at, account)) = &side.account else { continue };
        answer.at = answer.at.take().or_else(|| Some(at.clone()));
        let lines = account.lines().into_iter().filter(|line| !line.row);
        answer.why.extend(lines.map(|line| Sentence { depth: line.depth, text: line.text, event: None }));
        runs.extend(trace::runs(account, side.recall));
    }
    if let Some(session) = session {
        answer.runs = trace::tell(runs, session);
    }
}
