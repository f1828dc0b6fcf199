//! A text that was read: a model, questions about it, and the names for asking more.

use crate::check::{Checker, Limits, Options};
use crate::formula::F;
use crate::import::{model_from_ispl, model_from_smcdel};
use crate::model::law::Facts;
use crate::model::{Kripke, Model, Time};
use crate::syntax::{Code, Diagnostic, Scope, Span, model_from_json, model_from_ken};
use num_bigint::BigInt;
use std::sync::Arc;

/// The languages in which a document may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The language of `ken`.
    Ken,
    /// A Kripke model or a transition system in JSON.
    Json,
    /// The language of MCMAS.
    Ispl,
    /// The language of SMCDEL.
    Smcdel,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 4] = [Format::Ken, Format::Json, Format::Ispl, Format::Smcdel];

    /// The format of a text: by the ending of its file's name if that says it, else by its first word outside comments.
    /// The name may be empty.
    pub fn of(name: &str, text: &str) -> Format {
        let named = Format::ALL.into_iter().find(|format| name.ends_with(format.ending()));
        named.unwrap_or_else(|| {
            let mut rest = text.trim_start_matches('\u{feff}').trim_start();
            while rest.starts_with("--") {
                rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
            }
            match rest.split_whitespace().next().unwrap_or("") {
                "VARS" => Format::Smcdel,
                "Agent" => Format::Ispl,
                word if word.starts_with("Semantics") => Format::Ispl,
                word if word.starts_with('{') => Format::Json,
                _ => Format::Ken,
            }
        })
    }

    /// The name of the format: `ken`, `json`, `ispl` or `smcdel`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Ken => "ken",
            Format::Json => "json",
            Format::Ispl => "ispl",
            Format::Smcdel => "smcdel",
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Format::Ken => ".ken",
            Format::Json => ".json",
            Format::Ispl => ".ispl",
            Format::Smcdel => ".smcdel.txt",
        }
    }
}

/// What a statement asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// Whether the formula holds at the point, or in every world if there is no point.
    Check,
    /// Whether the formula holds in every world.
    Valid,
    /// In which worlds the formula holds.
    Where,
    /// In how many worlds the formula holds.
    Count,
}

impl QueryKind {
    /// Whether the answer is that the formula holds or fails, and not where or how often.
    pub fn is_judged(self) -> bool {
        matches!(self, QueryKind::Check | QueryKind::Valid)
    }
}

/// The answer that a file expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Of `check` and `check valid`.
    Truth(bool),
    /// Of `count`.
    Number(BigInt),
    /// Of `where`.
    Worlds(Vec<WorldName>),
}

/// A world, or a state of a system, as a text names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldName {
    /// By its name.
    Named(String),
    /// By its facts.
    Facts(Facts),
}

impl WorldName {
    /// The name, or the facts as text.
    pub fn label(&self) -> String {
        match self {
            WorldName::Named(name) => name.clone(),
            WorldName::Facts(facts) => facts.label(),
        }
    }
}

/// A step of a history: an action, if it is named, and the state it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryStep {
    /// What happens: the action as runs show it, or one of its names; `None` for whatever leads there.
    pub action: Option<String>,
    /// The state after it.
    pub state: WorldName,
}

impl HistoryStep {
    /// The step as text: `STATE`, or `ACTION: STATE`.
    pub fn label(&self) -> String {
        let state = self.state.label();
        self.action.as_ref().map_or(state.clone(), |action| format!("{action}: {state}"))
    }
}

/// Where a question is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// At the model's point, or in every world if it has none; in a system, at every initial state.
    #[default]
    Point,
    /// At the world, point or state of this name.
    Named(String),
    /// At the world or state with these facts.
    Facts(Facts),
    /// In every world; in a system, at every initial state.
    Everywhere,
    /// In a system, after these steps. The first names the initial state and no action.
    History(Vec<HistoryStep>),
}

impl At {
    /// The place as text: the name, the facts, or the history; `None` if it is no single one.
    pub fn label(&self) -> Option<String> {
        match self {
            At::Point | At::Everywhere => None,
            At::Named(name) => Some(name.clone()),
            At::Facts(facts) => Some(facts.label()),
            At::History(steps) => Some(steps.iter().map(HistoryStep::label).collect::<Vec<_>>().join(" > ")),
        }
    }

    /// The world of a listed model that is meant, if it is one and exists.
    pub fn world(&self, model: &Kripke) -> Option<usize> {
        match self {
            At::Point => model.point(),
            At::Named(name) => model.world(name),
            At::Facts(facts) => crate::model::enumerate::find(model, facts),
            At::Everywhere | At::History(_) => None,
        }
    }
}

/// A question: of a file, or asked beside it.
#[derive(Clone, Debug)]
pub struct Query {
    /// What is asked.
    pub kind: QueryKind,
    /// Of which formula.
    pub formula: F,
    /// The formula as it was written.
    pub text: String,
    /// Where it is asked; `None` for the model's own point.
    pub at: Option<At>,
    /// What the file expects.
    pub expected: Option<Expected>,
    /// Where it stands in the file; empty for a question that was asked beside it.
    pub span: Span,
}

impl Query {
    /// A question of this kind that was not read from a text: its own text is empty.
    pub fn new(kind: QueryKind, formula: F) -> Query {
        Query { kind, formula, text: String::new(), at: None, expected: None, span: Span::default() }
    }

    /// The same question, asked there.
    #[must_use]
    pub fn asked_at(mut self, at: At) -> Query {
        // What a file expects of a check is about its own place.
        if self.kind == QueryKind::Check {
            self.expected = None;
        }
        self.at = Some(at);
        self
    }

    /// Whether a file contains it, so that its place is in that file.
    pub fn is_of_file(&self) -> bool {
        self.span != Span::default()
    }
}

/// A formula of a file that is read but cannot be asked; the others of the file can.
#[derive(Clone, Debug)]
pub struct Refused {
    /// The formula as it was written.
    pub text: String,
    /// Why it cannot be asked, and where it stands.
    pub problem: Diagnostic,
    /// The whole of it.
    pub span: Span,
}

/// What the reader of a format finds in a text.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) model: Model,
    pub(crate) time: Option<Time>,
    pub(crate) queries: Vec<Query>,
    pub(crate) refused: Vec<Refused>,
    pub(crate) scope: Scope,
}

/// A text that was read: the model, its questions, and the names that further formulas may use. It keeps the text, so
/// that every problem can be shown at its place.
#[derive(Clone, Debug)]
pub struct Document {
    /// The model; of a system, its beginning: the initial states.
    pub model: Model,
    /// How the model goes on, if it describes a system.
    pub time: Option<Time>,
    /// The questions, in order.
    pub queries: Vec<Query>,
    /// Formulas that cannot be asked, in order.
    pub refused: Vec<Refused>,
    /// The declared names.
    pub scope: Scope,
    text: Arc<str>,
    format: Format,
}

impl Document {
    /// Reads a text; on failure, every problem found in it.
    pub fn read(text: &str, format: Format) -> Result<Document, Vec<Diagnostic>> {
        Document::read_with(text, format, &[])
    }

    /// Reads a text with values for its parameters. Only the language of `ken` has parameters.
    pub fn read_with(text: &str, format: Format, parameters: &[(String, BigInt)]) -> Result<Document, Vec<Diagnostic>> {
        if let (true, [(name, _), ..]) = (format != Format::Ken, parameters) {
            let message = format!("`{name}` is not a parameter: only .ken files have parameters");
            return Err(vec![Diagnostic::new(Code::UnknownName, Span::default(), message).nowhere()]);
        }
        let Content { model, time, queries, refused, scope } = match format {
            Format::Ken => model_from_ken(text, parameters),
            Format::Json => model_from_json(text),
            Format::Ispl => model_from_ispl(text),
            Format::Smcdel => model_from_smcdel(text),
        }?;
        Ok(Document { model, time, queries, refused, scope, text: text.into(), format })
    }

    /// The text that was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The language it is written in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Reads a further formula with the names of the document.
    pub fn formula(&self, text: &str) -> Result<F, Vec<Diagnostic>> {
        self.scope.formula(text)
    }

    /// Reads a further question, whether a formula holds, with the names of the document.
    pub fn query(&self, text: &str) -> Result<Query, Vec<Diagnostic>> {
        Ok(Query { text: text.to_string(), ..Query::new(QueryKind::Check, self.formula(text)?) })
    }

    /// Reads where to ask: the name of a world, point or state; its facts, `{p, x = 3}`; or, of a system, a history
    /// `START > STATE > ACTION: STATE`. Whether the model has such a place is found when something is asked there.
    pub fn point(&self, text: &str) -> Result<At, Vec<Diagnostic>> {
        let steps = if self.time.is_some() { split(text, '>') } else { vec![(0, text)] };
        let parts = match self.is_state(text.trim()) {
            true if steps.len() > 1 && steps.iter().all(|(_, step)| self.ends_in_state(step)) => {
                let message = format!("`{}` is the name of a state, and also a history of several", text.trim());
                let problem = Diagnostic::new(Code::World, Span::new(0, text.len()), message);
                return Err(vec![problem.help("give the state a name without `>`")]);
            }
            true => vec![(0, text)],
            false => steps,
        };
        let [(start, first), steps @ ..] = parts.as_slice() else { return Ok(At::Named(text.to_string())) };
        let start = self.place(*start, first)?;
        if steps.is_empty() {
            return Ok(match start {
                WorldName::Named(name) => At::Named(name),
                WorldName::Facts(facts) => At::Facts(facts),
            });
        }
        let mut history = vec![HistoryStep { action: None, state: start }];
        for &(at, step) in steps {
            let after_action = split(step, ':').get(1).map(|&(from, _)| step[from..].trim());
            if self.is_state(step.trim()) && after_action.is_some_and(|state| self.is_state(state)) {
                let message = format!("`{}` is the name of a state, and also an action with a state", step.trim());
                let problem = Diagnostic::new(Code::World, Span::new(at, at + step.len()), message);
                return Err(vec![problem.help("give the state a name without `:`")]);
            }
            let (action, at, state) = match split(step, ':').as_slice() {
                [(_, action), (from, _), ..] if !self.is_state(step.trim()) => {
                    (Some(action.trim().to_string()), at + from, &step[*from..])
                }
                _ => (None, at, step),
            };
            history.push(HistoryStep { action, state: self.place(at, state)? });
        }
        Ok(At::History(history))
    }

    /// Whether a state is called so; names in JSON may contain anything.
    fn is_state(&self, name: &str) -> bool {
        matches!(&self.time, Some(Time::Transitions(system)) if system.names.iter().any(|n| **n == *name))
    }

    /// Whether a step of a history leads to a state that there is.
    fn ends_in_state(&self, step: &str) -> bool {
        let after_action = split(step, ':').get(1).map(|&(from, _)| step[from..].trim());
        self.is_state(step.trim()) || after_action.is_some_and(|state| self.is_state(state))
    }

    /// Reads a world or a state that begins at this byte of a longer text.
    fn place(&self, from: usize, text: &str) -> Result<WorldName, Vec<Diagnostic>> {
        let name = text.trim();
        if !matches!(self.model, Model::Law(_)) || !name.starts_with('{') {
            if name.is_empty() {
                let span = Span::new(from, from + text.len());
                return Err(vec![Diagnostic::new(Code::World, span, "a state is missing here")]);
            }
            return Ok(WorldName::Named(name.to_string()));
        }
        let shifted = |problem: Diagnostic| {
            let Span { start, end } = problem.span;
            Diagnostic { span: Span { start: start + from as u32, end: end + from as u32 }, ..problem }
        };
        let facts = self.scope.facts(text);
        facts.map(WorldName::Facts).map_err(|problems| problems.into_iter().map(shifted).collect())
    }

    /// Somebody to ask, with these limits and every other choice left to the document.
    pub fn checker(&self, limits: Limits) -> Checker {
        self.checker_with(Options { limits, ..Options::default() })
    }

    /// Somebody to ask, in this way. What it plans for are the questions of the document.
    pub fn checker_with(&self, options: Options) -> Checker {
        Checker::of_document(self, options)
    }
}

/// The parts of a text between separators outside braces and parentheses, each with the byte at which it begins.
fn split(text: &str, separator: char) -> Vec<(usize, &str)> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth = depth.saturating_sub(1),
            _ if c == separator && depth == 0 => {
                parts.push((start, &text[start..at]));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push((start, &text[start..]));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_told_by_the_name_and_else_by_the_first_word() {
        assert_eq!(Format::of("a.ken", "{}"), Format::Ken);
        assert_eq!(Format::of("a.smcdel.txt", ""), Format::Smcdel);
        assert_eq!(Format::of("-", "-- a comment\n\n  Semantics=SingleAssignment;"), Format::Ispl);
        assert_eq!(Format::of("", "\u{feff} {\"agents\": []}"), Format::Json);
        assert_eq!(Format::of("", "VARS 1,2"), Format::Smcdel);
        assert_eq!(Format::of("", "agents a"), Format::Ken);
        for format in Format::ALL {
            assert_eq!(Format::of(&format!("x{}", format.ending()), ""), format);
        }
    }

    #[test]
    fn a_place_is_a_name_or_facts_or_a_history() {
        let text = "agents a\nprops p\nvars x : 0..3\nactions a: go, stay\nnext p := true if go\n";
        let document = Document::read(text, Format::Ken).expect("a system");
        let label = |text: &str| document.point(text).expect("a place").label();
        assert_eq!(label(" here ").as_deref(), Some("here"));
        assert_eq!(label("{x = 2, p}").as_deref(), Some("{p, x = 2}"));
        let history = "{x=0} > go: {p,x=0}>{p, x = 0}";
        assert_eq!(label(history).as_deref(), Some("{x = 0} > go: {p, x = 0} > {p, x = 0}"));
        let problem = &document.point("{x=0} > go: {q, x=0}").expect_err("no such fact")[0];
        assert_eq!(problem.span, Span::new(13, 14));
        assert!(document.point("{x=0} > ").is_err());
        let refused = Document::read_with("{}", Format::Json, &[("n".to_string(), 3.into())]);
        assert!(refused.expect_err("no parameters")[0].message.contains("only .ken files"));
    }

    #[test]
    fn a_state_whose_name_reads_as_a_history_is_refused_where_both_are_there() {
        let read = |states: &str| {
            let states = states.replace("{}", r#"{"local": {"a": "x"}, "props": []}"#);
            let text = format!(r#"{{"agents": ["a"], "initial": ["s"], "states": {states}, "transitions": []}}"#);
            Document::read(&text, Format::Json).expect("a system")
        };
        let both = read(r#"{"s": {}, "t": {}, "s > t": {}, "s > go: t": {}}"#);
        assert!(both.point("s > t").expect_err("two readings")[0].message.contains("the name of a state"));
        assert!(both.point("s > go: t").is_err());
        assert!(read(r#"{"s": {}, "t": {}, "go: t": {}}"#).point("s > go: t").is_err());
        assert_eq!(both.point("s > s"), read(r#"{"s": {}}"#).point("s > s"));
        assert_eq!(read(r#"{"s": {}, "s > t": {}}"#).point("s > t"), Ok(At::Named("s > t".to_string())));
    }
}
