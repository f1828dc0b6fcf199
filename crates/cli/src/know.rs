//! `ken know` and `ken why`, for positions of every game: questions put to an inspector, and the answers as text and as
//! JSON. The commands of single games are the same, with the game named and what only it has.

use crate::args::{KnowArgs, LimitArgs, WhyArgs};
use crate::check::verdict_line;
use crate::commands::watch;
use crate::input::{Failure, batch_items, read_text};
use crate::monitor::Monitor;
use crate::output::{Style, complain, emit, line, number};
use ken_games::game::Verdict;
use ken_games::knowledge::proof::paragraphs;
use ken_games::knowledge::{Asked, Budget, Explained, Inspector, Reason, Stop, Unanswered, WorldTold};
use ken_games::list::GAMES;
use ken_games::table::page::Problem;
use ken_logic::syntax::Diagnostic;
use ken_logic::text::{grouped, hang, listed, wrap};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// The exit code of a question that is given up.
const GAVE_UP: u8 = 3;

/// More steps than any machine makes in a second.
const STEPS_A_SECOND: f64 = 1e7;

/// The budget of a search: `--max-states` are its steps, of about a microsecond each. Without it the budget is the same
/// on every machine, unless `--max-seconds` asks for more than it would take: then the time ends the search first.
pub(crate) fn budget(limits: &LimitArgs) -> Budget {
    let usual = Budget::default();
    match (limits.max_states, limits.max_seconds) {
        (Some(n), _) => Budget { steps: n as u64 },
        (None, Some(seconds)) => Budget { steps: usual.steps.max((seconds * STEPS_A_SECOND) as u64) },
        (None, None) => usual,
    }
}

/// How a position is read: by its name and its text.
type Reader<'r> = &'r dyn Fn(&str, &str) -> Result<Box<dyn Inspector>, Failure>;

/// A position of the game of this name or, without one, of the game that it is of.
pub(crate) fn placed(game: Option<&str>, name: &str, text: &str) -> Result<Box<dyn Inspector>, Failure> {
    let kind = match game {
        Some(game) => GAMES.find(game).map_err(|why| Failure::usage(why.to_string()))?,
        None => GAMES.of_position(text).map_err(unread(name, text))?,
    };
    kind.placed(text).map_err(unread(name, text))
}

/// What is wrong with a text.
pub(crate) fn unread<'t>(name: &'t str, text: &'t str) -> impl Fn(Vec<Diagnostic>) -> Failure + 't {
    |problems| Failure::Text { name: name.to_string(), text: text.to_string(), problems }
}

/// Why there is no answer to the question.
fn unanswered(asked: &str, why: Unanswered) -> Failure {
    match why {
        Unanswered::Unread(problems) => unread("formula", asked)(problems),
        Unanswered::Limit => Failure::GaveUp {
            message: "the question takes more steps than the limits allow".to_string(),
            help: "raise --max-states (the steps of the search) or --max-seconds, or ask less deeply".to_string(),
        },
        Unanswered::Unfit(why) => Failure::usage(why.to_string()),
        Unanswered::Clash(problem) => clash(problem),
    }
}

/// The failure of a position that nothing fits.
pub(crate) fn clash(problem: Problem) -> Failure {
    Failure::Usage { message: problem.message, help: problem.help }
}

/// `know`, for positions that are read so.
pub(crate) fn know(args: &KnowArgs, read: Reader) -> Result<u8, Failure> {
    if args.batch {
        return batch(&args.limits, |data| {
            let mut inspector = read("position", &data["position"].to_string())?;
            let texts = data["formulas"].as_array().and_then(|l| l.iter().map(Value::as_str).collect());
            let texts: Vec<&str> = texts.ok_or_else(|| Failure::usage("`formulas` must be a list of texts"))?;
            let mut answers = Vec::new();
            for text in &texts {
                answers.push(answer(&mut *inspector, text, &budget(&args.limits))?);
            }
            let results: Vec<Value> = texts.iter().zip(&answers).map(|(text, answer)| result(text, answer)).collect();
            Ok((merged([json!({"results": results}), relative(inspector.relative())]), exit_code(&answers)))
        });
    }
    let (name, text) = read_text(args.position.as_deref().unwrap_or("-"))?;
    let mut inspector = read(&name, &text)?;
    // The answers so far, and what they rest on.
    let told: Arc<Mutex<(Vec<Value>, Value)>> = Arc::new(Mutex::new((Vec::new(), json!({}))));
    let (so_far, json) = (told.clone(), args.json);
    let on_limit = move |failure: &Failure| match json {
        true => {
            let (results, rest) = so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
            emit(&merged([json!({"results": results}), failure.json(), rest]));
        }
        false => complain(&failure.text()),
    };
    let monitor = Monitor::start(args.limits.max_seconds, args.limits.max_memory, Box::new(on_limit));
    monitor.doing("finding out");
    let mut answers = Vec::new();
    for text in &args.formulas {
        let answer = answer(&mut *inspector, text, &budget(&args.limits))?;
        let rest = answers.is_empty().then(|| inspector.relative());
        if json {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.0.push(result(text, &answer));
            if let Some(rest) = rest {
                told.1 = relative(rest);
            }
        } else {
            monitor.quietly(|| {
                rest.iter().for_each(|(text, _)| note(text.as_deref()));
                print(text, &answer);
            });
        }
        answers.push(answer);
    }
    drop(monitor);
    if json {
        let (results, rest) = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
        emit(&merged([json!({"results": results}), rest]));
    }
    Ok(exit_code(&answers))
}

/// Runs a command for each item of a JSON array on standard input and prints a line for each; an item that is wrong gets
/// a line that says so. What was run says its exit code, which counts if it gave something up.
pub(crate) fn batch(limits: &LimitArgs, run: impl Fn(&Value) -> Result<(Value, u8), Failure>) -> Result<u8, Failure> {
    let items = batch_items()?;
    let monitor = watch(limits, true, "answering");
    let mut code = 0;
    for item in &items {
        match run(item) {
            Ok((result, ended)) => {
                monitor.quietly(|| emit(&result));
                code = code.max(if ended == GAVE_UP { GAVE_UP } else { 0 });
            }
            Err(failure) => {
                monitor.quietly(|| emit(&failure.json()));
                code = code.max(failure.exit_code());
            }
        }
    }
    Ok(code)
}

/// An answer, or that it takes more than the limits allow.
type Answered = Result<Asked, Failure>;

/// The answer to a question; that one is given up is no reason not to go on.
fn answer(inspector: &mut dyn Inspector, text: &str, budget: &Budget) -> Result<Answered, Failure> {
    match inspector.ask(text, budget).map_err(|why| unanswered(text, why)) {
        Err(failure) if failure.exit_code() != GAVE_UP => Err(failure),
        answered => Ok(answered),
    }
}

/// The exit code of answers: the largest that one of them has.
fn exit_code(answers: &[Answered]) -> u8 {
    let code = |answer: &Answered| match answer {
        Ok(answer) => u8::from(answer.verdict != Verdict::Yes),
        Err(failure) => failure.exit_code(),
    };
    answers.iter().map(code).max().unwrap_or(0)
}

/// An answer as data.
fn result(text: &str, answer: &Answered) -> Value {
    let answer = match answer {
        Ok(answer) => answer,
        Err(failure) => return merged([json!({"formula": text}), failure.json()]),
    };
    let world = |world: &Option<WorldTold>| world.as_ref().map(|world| world.data.clone());
    let (known, possible) = (answer.verdict == Verdict::Yes, answer.verdict != Verdict::No);
    let mut result = json!({
        "formula": text, "known": known, "possible": possible,
        "witness": world(&answer.holds), "counterexample": world(&answer.fails),
    });
    if let Some((yes, no)) = answer.counts {
        result["holds"] = number(&yes.into());
        result["fails"] = number(&no.into());
    }
    result
}

/// What the answers rest on, as data.
fn relative((note, mut data): (Option<String>, Map<String, Value>)) -> Value {
    data.extend(note.map(|note| ("note".to_string(), note.into())));
    Value::Object(data)
}

/// The members of several objects in one.
fn merged<const N: usize>(objects: [Value; N]) -> Value {
    let members = |data: Value| match data {
        Value::Object(members) => members,
        _ => unreachable!("it is written as an object"),
    };
    Value::Object(objects.into_iter().flat_map(members).collect())
}

/// What the answers rest on, for people.
fn note(note: Option<&str>) {
    if let Some(note) = note {
        wrap(note, 80).iter().for_each(|row| line(&Style::stdout().dim(row)));
    }
}

fn print(text: &str, answer: &Answered) {
    let answer = match answer {
        Ok(answer) => answer,
        Err(failure) => {
            verdict_line("gave up", "gave up", text);
            return complain(&failure.text());
        }
    };
    say(answer.verdict, text);
    if answer.verdict == Verdict::Open {
        if let Some((yes, no)) = answer.counts {
            line(&format!("  true in {} of {} worlds", grouped(yes), grouped(yes + no)));
        }
        sides(answer.holds.as_ref(), answer.fails.as_ref());
    }
}

/// `why`, for positions that are read so.
pub(crate) fn why(args: &WhyArgs, read: Reader) -> Result<u8, Failure> {
    let (name, text) = read_text(&args.position)?;
    let mut inspector = read(&name, &text)?;
    let monitor = watch(&args.limits, args.json, "proving");
    let explained = inspector.explain(&args.fact, &budget(&args.limits));
    drop(monitor);
    let Explained { verdict, reason } = explained.map_err(|why| unanswered(&args.fact, why))?;
    let (word, _) = words(verdict);
    let data = match &reason {
        Reason::Proof(proof) => json!({"proof": proof.data}),
        Reason::Open { holds, fails, trail } => {
            let trail: Vec<Value> = trail.iter().map(stop).collect();
            let worlds = [(true, holds), (false, fails)].map(|(holds, w)| json!({"holds": holds, "world": w.data}));
            json!({"worlds": worlds, "trail": trail})
        }
        Reason::Unproved(why) if args.json => json!({"proof": null, "unproved": why}),
        Reason::Unproved(why) => {
            let message = format!("it is {word}, but there is no proof to show");
            return Err(Failure::GaveUp { message, help: why.clone() });
        }
    };
    if args.json {
        let verdict = json!({"fact": args.fact, "verdict": word});
        emit(&merged([verdict, data, relative(inspector.relative())]));
    } else {
        note(inspector.relative().0.as_deref());
        say(verdict, &args.fact);
        match &reason {
            Reason::Proof(proof) => line(paragraphs(&proof.sentences).trim_end()),
            Reason::Open { holds, fails, trail } => {
                sides(Some(holds), Some(fails));
                trail.iter().for_each(print_stop);
            }
            Reason::Unproved(_) => {}
        }
    }
    Ok(match (&reason, verdict) {
        (Reason::Unproved(_), _) => 3,
        (_, Verdict::Yes) => 0,
        (_, Verdict::No | Verdict::Open) => 1,
    })
}

fn stop(stop: &Stop) -> Value {
    json!({"seats": stop.seats, "world": stop.world.data, "false_there": stop.fails})
}

fn print_stop(stop: &Stop) {
    let who = match stop.seats[..] {
        [seat] => format!("seat {seat}"),
        ref seats => format!("seats {} together", listed(seats.iter(), "and")),
    };
    let parts = stop.world.parts.iter().map(|part| format!("{} {}", part.name, part.value));
    let there = parts.collect::<Vec<_>>().join("; ");
    let text = format!("{who} cannot tell that from this: {there}; there it is false that {}", stop.fails);
    hang("  ", &text).iter().for_each(|row| line(row));
}

/// A verdict as the commands say it, plain and painted.
fn words(verdict: Verdict) -> (&'static str, String) {
    let style = Style::stdout();
    match verdict {
        Verdict::Yes => ("known", style.good("known")),
        Verdict::No => ("excluded", style.bad("excluded")),
        Verdict::Open => ("open", style.dim("open")),
    }
}

/// The verdict of a fact.
fn say(verdict: Verdict, text: &str) {
    let (verdict, painted) = words(verdict);
    verdict_line(verdict, &painted, text);
}

/// A world in which a fact is true, and one in which it is false.
fn sides(holds: Option<&WorldTold>, fails: Option<&WorldTold>) {
    for (what, world) in [("true if", holds), ("false if", fails)] {
        let Some(world) = world else { continue };
        line(&format!("  {what}:"));
        let width = world.parts.iter().map(|part| part.name.chars().count()).max().unwrap_or(0);
        for part in &world.parts {
            hang(&format!("    {:width$} ", part.name), &part.value).iter().for_each(|row| line(row));
        }
    }
}
