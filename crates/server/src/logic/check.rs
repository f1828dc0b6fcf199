//! Every formula with its verdict, its reasons and its runs.

use super::source::{Source, amount, few};
use super::{LIMITS, LogicAnswer, LogicCheck, LogicChecked, LogicModel, LogicRecall, trace};
use crate::api::{Problem, Sentence};
use ken_logic::check::{Ask, Engine, Explanation, Limit, Line, Memory};
use ken_logic::document::Expected;
use ken_logic::formula::{Action, F, Formula};
use ken_logic::model::Model;
use ken_logic::model::system::Recall;
use ken_logic::text::plural;
use ken_logic::{Answer, CheckError, Checker, Options, Query, QueryKind};
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
    progress.found().kind = source.kind();
    let at = request.at.as_deref().filter(|at| !at.trim().is_empty()).map(|at| source.at(at)).transpose()?;
    let announced = request.announced.iter().map(|text| source.formula(text)).collect::<Result<Vec<F>, Problem>>()?;
    let mut asked = asked(&source, &request.formulas, &announced);
    if let Some(at) = at {
        for asked in &mut asked {
            asked.query = asked.query.take().map(|query| query.asked_at(at.clone()));
        }
    }
    {
        let mut found = progress.found();
        found.answers = asked.iter().map(|a| a.answer.clone()).collect();
    }
    let memory = request.recall.map(|recall| match recall {
        LogicRecall::None => Memory::None,
        LogicRecall::Perfect => Memory::Perfect,
        LogicRecall::Both => Memory::Both,
    });
    let checker = source.document.checker_with(Options { memory, limits: LIMITS, ..Options::default() });
    let mut checker = checker.planning(asked.iter().filter_map(|asked| asked.query.as_ref()));
    match describe(&source, &mut checker) {
        Ok(model) => progress.found().model = Some(model),
        Err(error) => {
            let problem = source.problem(&error);
            let mut found = progress.found();
            let wrong = !problem.marks.is_empty();
            if wrong {
                found.problems = problem.marks;
                found.answers.clear();
            } else {
                found.gave_up = Some(problem);
            }
            // Where states are too many to be counted there may still be answers.
            if wrong || source.document.time.is_none() {
                return Ok(());
            }
        }
    }
    for (i, asked) in asked.iter().enumerate() {
        let Some(query) = &asked.query else { continue };
        let begun = Instant::now();
        let mut answer = asked.answer.clone();
        match ask(&mut checker, query) {
            Ok(found) => tell(&mut answer, query, &found, &mut checker),
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
fn asked(source: &Source, formulas: &[String], announced: &[F]) -> Vec<Asked> {
    let of_text = source.document.queries.iter().map(|query| {
        let (from, to) = source.place(query.span);
        let mut answer = blank(query);
        (answer.from, answer.to) = (Some(from), Some(to));
        Asked { answer, query: Some(query.clone()) }
    });
    let beside = formulas.iter().map(|text| match source.query(text) {
        Ok(query) => {
            let after = |then, f: &F| Formula::after(Action::Announce(f.clone()), then);
            let query = Query { formula: announced.iter().rev().fold(query.formula.clone(), after), ..query };
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

/// Asks a question with its reason, where that costs little: on functions it can cost more than the answer, and there only
/// formulas that somebody asks beside the text are explained.
fn ask(checker: &mut Checker, query: &Query) -> Result<Answer, CheckError> {
    checker.admits(query)?;
    let ask: Ask<'_> = query.listing(LISTED);
    let told = !query.is_of_file() || checker.engine(query)? != Some(Engine::Symbolic);
    checker.ask(if told { ask.explained() } else { ask })
}

/// What the text describes.
fn describe(source: &Source, checker: &mut Checker) -> Result<LogicModel, CheckError> {
    let model = &source.document.model;
    let (props, vars, points) = match model {
        Model::Law(law) => {
            let points = law.points.iter().filter_map(|p| p.name.as_ref()).map(|n| n.to_string()).collect();
            (law.props.len(), law.vars.len(), points)
        }
        Model::Kripke(kripke) => (kripke.props().len(), 0, Vec::new()),
    };
    let size = checker.size()?;
    let memory = checker.remembered();
    let (what, noun) = if memory.is_some() { ("system", "reachable state") } else { ("kripke", "world") };
    let worlds = format!("{}{}", if size.exact { "" } else { "at most " }, amount(&size.count));
    let agents: Vec<String> = model.agents().iter().map(|a| a.to_string()).collect();
    let mut words = vec![
        format!("{worlds} {noun}{}", if worlds == "1" { "" } else { "s" }),
        plural(agents.len(), "agent"),
        plural(props, "proposition"),
    ];
    if vars > 0 {
        words.push(plural(vars, "variable"));
    }
    words.extend(memory.clone());
    Ok(LogicModel {
        what: what.to_string(),
        words: words.join(", "),
        worlds: Some(worlds),
        agents,
        props,
        vars,
        belief: model.is_belief(),
        points,
        engine: size.engine.name().to_string(),
        memory,
    })
}

/// The verdict in words, and its mark.
fn verdict(query: &Query, found: &Answer) -> (String, &'static str) {
    let (holding, of) = (amount(&found.holding), amount(&found.asked));
    let timed = found.system.is_some();
    let one = found.asked == 1u8.into();
    match (query.kind, found.holds) {
        (QueryKind::Check | QueryKind::Valid, true) => {
            let verdict = match (timed, &found.at) {
                (_, Some(_)) => "holds here",
                (true, None) if one => "holds at the start",
                (true, None) => "holds at every initial state",
                (false, None) => "valid in the model",
            };
            (verdict.to_string(), "yes")
        }
        (QueryKind::Check | QueryKind::Valid, false) => {
            let verdict = match (timed, &found.at) {
                (_, Some(_)) => "does not hold here".to_string(),
                (true, None) if one => "does not hold at the start".to_string(),
                (true, None) => {
                    let failing = amount(&found.asked - &found.holding);
                    format!("does not hold at {failing} of {of} initial states")
                }
                (false, None) => "not valid in the model".to_string(),
            };
            (verdict, "no")
        }
        (kind, holds) => {
            let places = if timed { format!("{of} reachable states") } else { plural(&found.asked, "world") };
            let verdict = match (kind == QueryKind::Where, holds) {
                (false, _) => format!("in {holding} of {places}"),
                (true, true) => format!("satisfiable: in {holding} of {places}"),
                (true, false) if timed => "not satisfiable in a reachable state".to_string(),
                (true, false) => "not satisfiable in the model".to_string(),
            };
            (verdict, "number")
        }
    }
}

/// An answer with its reasons and its runs.
fn tell(answer: &mut LogicAnswer, query: &Query, found: &Answer, checker: &mut Checker) {
    let (verdict, mark) = verdict(query, found);
    (answer.verdict, answer.mark) = (verdict, mark.to_string());
    answer.met = query.expected.as_ref().and_then(|expected| found.meets(expected));
    (answer.holding, answer.of) = (Some(amount(&found.holding)), Some(amount(&found.asked)));
    answer.listed = found.holds_at.is_some();
    answer.holds_at = found.names().into_iter().flatten().map(str::to_string).collect();
    let sentence = |text| Sentence { depth: 0, text, event: None };
    answer.why.extend(found.notes().into_iter().map(sentence));
    // Where both ways of remembering agree one account is enough.
    let parts = found.forgetful().and_then(|without| Some((without, without.parting.as_ref()?)));
    if let Some((without, at)) = parts {
        let word = |holds: bool| if holds { "holds" } else { "does not hold" };
        answer.why.push(sentence(format!(
            "memory makes the difference at {at}: it {} with perfect recall, and {} without memory",
            word(found.holds),
            word(without.holds)
        )));
    }
    let recall = found.system.as_ref().map_or(Recall::Perfect, |system| system.recall);
    let without = parts.and_then(|(without, _)| without.reason.as_ref());
    let reasons = found.reason.iter().map(|reason| (reason, recall));
    let mut runs = Vec::new();
    for (reason, recall) in reasons.chain(without.map(|reason| (reason, Recall::Forgetful))) {
        let lines = reason.lines().into_iter().filter(|line| !line.row);
        answer.why.extend(lines.map(|Line { depth, text, .. }| Sentence { depth, text, event: None }));
        if let Explanation::Run { at, account } = reason {
            answer.at = answer.at.take().or_else(|| Some(at.clone()));
            runs.extend(trace::runs(account, recall));
        }
    }
    if found.system.is_none() {
        answer.at = found.at.clone();
    }
    answer.runs = trace::tell(runs, checker);
}
