//! What went wrong in a check, as a problem with its place.

use super::limits::CheckError;
use crate::document::{Document, Format, Query};
use crate::syntax::{Code, Diagnostic, Source, Span, Within};

impl Document {
    /// An error of a check as a problem: with its place in this document, or in the text of the question if that was
    /// asked beside it. A limit is named, and what to do about it is left to whoever shows the problem.
    pub fn diagnose(&self, error: &CheckError, query: Option<&Query>) -> Diagnostic {
        let here = |code, span, message: &str| Diagnostic::new(code, span, message);
        let nowhere = |code| Diagnostic::new(code, Span::default(), error.to_string()).nowhere();
        match error {
            CheckError::Limit(limit) => {
                Diagnostic { limit: Some(*limit), message: limit.to_string(), ..nowhere(Code::Limit) }
            }
            CheckError::NoWorld(laws) => {
                let span = laws.first().map_or(Span::default(), |law| law.span);
                let others: Vec<Span> = laws.iter().skip(1).map(|law| law.span).collect();
                here(Code::NoWorld, span, "the model has no world")
                    .label(self.contradicts(span, &others))
                    .help("the laws contradict each other: take one back")
            }
            CheckError::NotAWorld(span) => {
                here(Code::Point, *span, "the point is not a world of the model").label("these facts contradict a law")
            }
            CheckError::UnknownWorld(_) => {
                nowhere(Code::World).help("name a point of the model, or give the facts: `{p, q}`")
            }
            CheckError::UnknownState { initial: true, .. } => nowhere(Code::World)
                .help("where agents remember, give the name of an initial state, its facts, or a history from one"),
            CheckError::UnknownState { initial: false, .. } => {
                nowhere(Code::World).help("give the name of a reachable state, or its facts")
            }
            CheckError::NoSuchStep { .. } => {
                nowhere(Code::World).help("a history is `START > STATE > ACTION: STATE`, step by step")
            }
            CheckError::Ambiguous(_) => nowhere(Code::World).help("name the actions: `START > ACTION: STATE`"),
            CheckError::Unfair(_) => nowhere(Code::World).help("name another state, or ask at all of them"),
            CheckError::Temporal => of_question(
                query,
                Diagnostic::new(Code::Temporal, Span::default(), "temporal operators need a system with transitions")
                    .label("this model has worlds but no time")
                    .help("use [α] φ for what holds after an action"),
            ),
            CheckError::Action(broken) => of_question(
                query,
                Diagnostic::new(Code::Action, Span::default(), broken.to_string()).label("in this formula"),
            ),
            CheckError::NotHere(what) => {
                of_question(query, Diagnostic::new(Code::Temporal, Span::default(), *what).label("in this formula"))
            }
            CheckError::BeliefInSymbolic | CheckError::BeliefInS5(_) => nowhere(Code::Relation),
            CheckError::UnknownAgent(_) => nowhere(Code::UnknownAgent),
            CheckError::Stuck { span, .. } | CheckError::NoStep { span, .. } => {
                let help = match self.format() {
                    Format::Ispl => "enable something there, for instance with `Other : {..};`",
                    Format::Ken | Format::Json | Format::Smcdel => {
                        "enable something `otherwise`, or write `system may end`"
                    }
                };
                here(Code::Step, *span, &error.to_string()).label("a run would have to end there").help(help)
            }
            CheckError::OutOfRange { span, .. } => here(Code::Step, *span, &error.to_string()).label("by this rule"),
            CheckError::NeedsMemory(span) => {
                here(Code::System, *span, "this protocol asks what an agent knows: it needs perfect recall")
                    .label("without memory the reachable states would depend on themselves")
                    .help("ask with perfect recall, or write `system recall perfect`")
            }
        }
    }

    /// What a law without a model contradicts.
    fn contradicts(&self, law: Span, others: &[Span]) -> String {
        let line = |span: Span| Source { name: "", text: self.text() }.position(span.start).0;
        let mut lines: Vec<usize> = others.iter().map(|span| line(*span)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines.retain(|l| *l != line(law));
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        match lines.as_slice() {
            [] => "this cannot be satisfied".to_string(),
            [one] => format!("contradicts line {one}"),
            several => format!("contradicts lines {} together", several.join(", ")),
        }
    }
}

/// A problem with a question: where it stands in the file, or all of its own text.
fn of_question(query: Option<&Query>, problem: Diagnostic) -> Diagnostic {
    match query {
        None => problem.nowhere(),
        Some(query) if query.is_of_file() => Diagnostic { span: query.span, ..problem },
        Some(query) => Diagnostic { span: Span::new(0, query.text.len()), within: Within::Question, ..problem },
    }
}
