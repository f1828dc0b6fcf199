//! A text with the document in it, and problems with their places.

use super::{LogicKind, MAX_FORMULA, MAX_FORMULAS, MAX_TEXT};
use crate::api::{Problem, Squiggle};
use ken_logic::check::{At, CheckError, Limit};
use ken_logic::formula::F;
use ken_logic::import::{model_from_ispl, model_from_smcdel};
use ken_logic::model::law::Facts;
use ken_logic::model::{Document, Model};
use ken_logic::syntax::{Span, model_from_json, model_from_ken};
pub(crate) use ken_logic::text::amount;

/// A text that was read.
pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    pub(crate) kind: LogicKind,
    pub(crate) document: Document,
}

impl<'t> Source<'t> {
    /// Reads a text in the language that is given or can be seen.
    pub(crate) fn read(text: &'t str, kind: LogicKind) -> Result<Source<'t>, Problem> {
        if text.len() > MAX_TEXT {
            let message = format!("the text has {} kB, and at most {} are read here", text.len() >> 10, MAX_TEXT >> 10);
            return Err(Problem::new("too-large", message).help("`ken check` on your own machine takes larger files"));
        }
        let kind = seen(text, kind);
        let read = match kind {
            LogicKind::Auto | LogicKind::Ken => model_from_ken(text, &[]),
            LogicKind::Json => model_from_json(text),
            LogicKind::Ispl => model_from_ispl(text),
            LogicKind::Smcdel => model_from_smcdel(text),
        };
        match read {
            Ok(document) => Ok(Source { text, kind, document }),
            Err(problems) => Err(Problem::text(text, &problems)),
        }
    }

    /// Reads a further formula with the names of the text.
    pub(crate) fn formula(&self, text: &str) -> Result<F, Problem> {
        if text.len() > MAX_FORMULA {
            let message = format!("a formula has at most {} kB here", MAX_FORMULA >> 10);
            return Err(Problem::new("too-large", message));
        }
        self.document.formula(text).map_err(|problems| Problem::text(text, &problems))
    }

    /// The world that a text means: a name, or facts.
    pub(crate) fn at(&self, text: &str) -> Result<At, Problem> {
        if !matches!(self.document.model, Model::Law(_)) || !text.trim_start().starts_with('{') {
            return Ok(At::Named(text.to_string()));
        }
        self.document.scope.facts(text).map(At::Facts).map_err(|problems| Problem::text(text, &problems))
    }

    /// A place of the text in UTF-16 units.
    pub(crate) fn place(&self, span: Span) -> (usize, usize) {
        (utf16(self.text, span.start), utf16(self.text, span.end))
    }

    /// An error of the engine, with its place in the text if it has one.
    pub(crate) fn problem(&self, error: &CheckError) -> Problem {
        let (code, span) = match error {
            CheckError::Limit(_) => ("gave-up", None),
            CheckError::NoWorld(laws) => ("no-world", laws.first().map(|law| law.span)),
            CheckError::NotAWorld(span) => ("no-world", Some(*span)),
            CheckError::NeedsMemory(span) => ("needs-memory", Some(*span)),
            CheckError::Stuck { span, .. } | CheckError::NoStep { span, .. } | CheckError::OutOfRange { span, .. } => {
                ("step", Some(*span))
            }
            CheckError::UnknownWorld(_) | CheckError::Unfair(_) => ("no-such-world", None),
            CheckError::Temporal | CheckError::NotHere(_) => ("not-here", None),
            CheckError::UnknownAgent(_)
            | CheckError::BeliefInSymbolic
            | CheckError::BeliefInS5(_)
            | CheckError::Action(_) => ("refused", None),
        };
        let mut problem = Problem::new(code, error.to_string());
        problem.help = help(error).map(str::to_string);
        if let Some(span) = span {
            let (from, to) = self.place(span);
            let (severity, message) = ("error".to_string(), problem.message.clone());
            problem.marks.push(Squiggle { from, to, severity, message, help: problem.help.clone() });
        }
        problem
    }
}

/// What to try where the engine has no answer.
fn help(error: &CheckError) -> Option<&'static str> {
    Some(match error {
        CheckError::Limit(Limit::Steps(_)) => {
            "what the agents know may keep changing for ever; `ken check --bound` goes on"
        }
        CheckError::Limit(_) => "choose smaller parameters; `ken check` on your own machine goes further",
        CheckError::NoWorld(_) => "the laws contradict each other: take one back",
        CheckError::NotAWorld(_) => "the facts of the point contradict a law",
        CheckError::Stuck { .. } | CheckError::NoStep { .. } => {
            "enable something `otherwise`, or write `system may end`"
        }
        CheckError::NeedsMemory(_) => "ask with perfect recall, or write `system recall perfect`",
        CheckError::Temporal => "use [α] φ for what holds after an action",
        _ => return None,
    })
}

/// At most so many formulas or announcements.
pub(crate) fn few(formulas: &[String]) -> Result<(), Problem> {
    if formulas.len() <= MAX_FORMULAS {
        return Ok(());
    }
    Err(Problem::new("too-large", format!("at most {MAX_FORMULAS} formulas are taken at once")))
}

/// The facts of a world, one by one: `p`, `x = 3`.
pub(crate) fn fact_list(facts: &Facts) -> Vec<String> {
    let props = facts.props.iter().map(|p| p.to_string());
    props.chain(facts.vars.iter().map(|(x, v)| format!("{x} = {v}"))).collect()
}

/// A place in UTF-16 units, as editors count.
pub(crate) fn utf16(text: &str, byte: u32) -> usize {
    let mut byte = (byte as usize).min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    text[..byte].encode_utf16().count()
}

/// The language of a text, by its first word outside comments.
fn seen(text: &str, kind: LogicKind) -> LogicKind {
    if kind != LogicKind::Auto {
        return kind;
    }
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with("--") {
        rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
    }
    let start = rest.split_whitespace().next().unwrap_or("");
    if start.starts_with('{') {
        LogicKind::Json
    } else if start == "VARS" {
        LogicKind::Smcdel
    } else if start == "Agent" || start.starts_with("Semantics") {
        LogicKind::Ispl
    } else {
        LogicKind::Ken
    }
}

/// A number with its noun: "1 world", "8 worlds".
pub(crate) fn count(n: impl ToString, noun: &str) -> String {
    let n = amount(n);
    if n == "1" { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
