//! Short lessons, each with an exercise that the engine checks.
//!
//! A lesson is a file `NAME.toml`: its words, its data, answers to try, and every sentence that its check can say. The
//! check computes, and picks a sentence. `shared.toml` has the sentences of all lessons.
//!
//! | file | what it does |
//! |---|---|
//! | `read` | how a lesson is written; its words with what the engine finds |
//! | `worlds` | checks about knowledge: `Knows`, `Announced`, `Pictures` |
//! | `cluedo` | checks about a note sheet: `Holder`, `Question` |
//! | `eleusis` | checks about a layout: `Fitting`, `Apart` |
//! | `yokai` | a check about the colours of a card: `Possible` |
//! | `change` | checks about beliefs and runs: `Revision`, `Promises` |

mod change;
mod cluedo;
mod eleusis;
mod read;
#[cfg(test)]
mod tests;
mod worlds;
mod yokai;

use crate::api::{CheckedAnswer, Choice, Group, Lesson, LessonInfo, Problem};
use ken_logic::syntax::{Diagnostic, Source};
use read::{Taught, Words, read};
use serde::Deserialize;
use std::sync::LazyLock;

/// How long an answer may be, in bytes.
const LONGEST: usize = 600;

/// How many things an answer may choose.
const MOST: usize = 40;

/// Reads the lesson of this name, whose exercise has a check of this kind.
macro_rules! lesson {
    ($name:literal, $check:ty) => {
        read::<$check>($name, include_str!(concat!($name, ".toml"))).map(|file| Box::new(file) as Box<dyn Taught>)
    };
}

/// All lessons in the order in which they are read, or what is wrong with the first broken file.
fn all() -> Result<Vec<Box<dyn Taught>>, String> {
    Ok(vec![
        lesson!("knowing", worlds::Knows)?,
        lesson!("muddy", worlds::Announced)?,
        lesson!("common", worlds::Pictures)?,
        lesson!("sheet", cluedo::Holder)?,
        lesson!("asking", cluedo::Question)?,
        lesson!("fitting", eleusis::Fitting)?,
        lesson!("apart", eleusis::Apart)?,
        lesson!("colours", yokai::Possible)?,
        lesson!("beliefs", change::Revision)?,
        lesson!("time", change::Promises)?,
    ])
}

static LESSONS: LazyLock<Vec<Box<dyn Taught>>> = LazyLock::new(|| all().expect("a test reads every file"));

/// The sentences that lessons share.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    long: Words,
    empty: Words,
    stranger: Words,
    stuck: Words,
    problem: Words,
    advised: Words,
    formula: worlds::Refusals,
    cluedo: cluedo::Log,
}

static SHARED: LazyLock<Shared> =
    LazyLock::new(|| toml::from_str(include_str!("shared.toml")).expect("a test reads every file"));

/// The lessons.
pub(crate) fn list() -> Vec<LessonInfo> {
    LESSONS.iter().map(|lesson| lesson.info()).collect()
}

/// The lesson of this name.
pub(crate) fn lesson(id: &str) -> Option<Lesson> {
    let at = LESSONS.iter().position(|lesson| lesson.info().id == id)?;
    let lesson = &LESSONS[at];
    let name = |at: Option<usize>| at.and_then(|at| LESSONS.get(at)).map(|lesson| lesson.info().id);
    Some(Lesson {
        info: lesson.info(),
        blocks: lesson.blocks(),
        exercise: lesson.exercise(),
        before: name(at.checked_sub(1)),
        after: name(Some(at + 1)),
    })
}

/// What the engine says to an answer to the exercise of this lesson.
pub(crate) fn check(id: &str, answer: &[String]) -> Option<CheckedAnswer> {
    Some(LESSONS.iter().find(|lesson| lesson.info().id == id)?.check(answer))
}

/// A right answer.
fn right(explanation: String) -> CheckedAnswer {
    CheckedAnswer { right: true, explanation, ..CheckedAnswer::default() }
}

/// A wrong answer.
fn wrong(explanation: String) -> CheckedAnswer {
    CheckedAnswer { explanation, ..CheckedAnswer::default() }
}

/// An answer that no check needs to look at.
fn long_or_empty(answer: &[String]) -> Option<CheckedAnswer> {
    if answer.len() > MOST || answer.iter().any(|text| text.len() > LONGEST) {
        return Some(wrong(SHARED.long.plain()));
    }
    answer.iter().all(|text| text.trim().is_empty()).then(|| wrong(SHARED.empty.plain()))
}

/// An answer that names something that is not offered.
fn stranger(answer: &[String], offered: &[Group]) -> Option<CheckedAnswer> {
    let offers = |name: &str| offered.iter().flat_map(|group| &group.options).any(|choice| choice.id == name);
    let stranger = answer.iter().find(|name| !offers(name))?;
    let short: String = stranger.chars().take(40).collect();
    Some(wrong(SHARED.stranger.with(&[("name", short)])))
}

/// A text that could not be read, with the places where it went wrong. The sentence names the problem.
fn unread(sentence: &Words, text: &str, problems: &[Diagnostic]) -> CheckedAnswer {
    let Problem { message, help, marks, .. } = Problem::text(text, problems);
    let problem = match help {
        Some(help) => SHARED.advised.with(&[("message", message), ("help", help)]),
        None => SHARED.problem.with(&[("message", message)]),
    };
    CheckedAnswer { marks, ..wrong(sentence.with(&[("problem", problem)])) }
}

/// What is wrong with a part of a lesson's file that has a language of its own.
fn broken(part: &str, text: &str, problems: &[Diagnostic]) -> String {
    let source = Source { name: part, text };
    problems.iter().map(|problem| source.render(problem)).collect::<Vec<_>>().join("\n")
}

/// Choices that are not in groups.
fn ungrouped(options: Vec<Choice>) -> Vec<Group> {
    vec![Group { name: String::new(), options }]
}

/// A choice that says its own name.
fn named(name: &str) -> Choice {
    Choice { id: name.to_string(), label: name.to_string() }
}

/// `a`, `a and b`, `a, b and c`, or `nothing`.
fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_string(),
        names => ken_logic::text::listed(names, "and"),
    }
}
