//! Questions: as they are asked, and as the engines take them.

use crate::document::{At, Expected, HistoryStep, Query, QueryKind, WorldName};
use crate::formula::F;
use crate::model::law::Facts;

/// A question with how much its answer is to say.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'q> {
    query: &'q Query,
    list: usize,
    explain: bool,
}

impl<'q> From<&'q Query> for Ask<'q> {
    fn from(query: &'q Query) -> Ask<'q> {
        let list = match &query.expected {
            Some(Expected::Worlds(worlds)) => worlds.len(),
            Some(Expected::Truth(_) | Expected::Number(_)) | None => 0,
        };
        Ask { query, list, explain: false }
    }
}

impl Query {
    /// The question, to be answered with the reason.
    pub fn explained(&self) -> Ask<'_> {
        Ask::from(self).explained()
    }

    /// The question, to be answered with the worlds at which the formula holds if they are at most so many. As many as
    /// the question expects are always listed.
    pub fn listing(&self, most: usize) -> Ask<'_> {
        Ask::from(self).listing(most)
    }
}

impl Ask<'_> {
    /// With the reason.
    #[must_use]
    pub fn explained(mut self) -> Self {
        self.explain = true;
        self
    }

    /// With the worlds at which the formula holds, if they are at most so many.
    #[must_use]
    pub fn listing(mut self, most: usize) -> Self {
        self.list = self.list.max(most);
        self
    }

    pub(crate) fn query(&self) -> &Query {
        self.query
    }

    /// The question as the engines take it.
    pub(crate) fn question(&self) -> Question {
        let Query { kind, formula, at, .. } = self.query;
        let (at, steps) = match at {
            None => (None, Vec::new()),
            Some(at) => place(at),
        };
        Question { kind: *kind, formula: formula.clone(), list: self.list, at, steps, explain: self.explain }
    }
}

/// The world or state at which an engine begins.
#[derive(Clone, Debug)]
pub(crate) enum Start {
    /// At the model's point, or in every world if it has none.
    Point,
    /// At the world, point or state of this name.
    Named(String),
    /// At the world or state with these facts.
    Facts(Facts),
    /// In every world.
    Everywhere,
}

fn place(at: &At) -> (Option<Start>, Vec<HistoryStep>) {
    let start = match at {
        At::Point => Start::Point,
        At::Everywhere => Start::Everywhere,
        At::Named(name) => Start::Named(name.clone()),
        At::Facts(facts) => Start::Facts(facts.clone()),
        At::History(steps) => {
            let Some((first, rest)) = steps.split_first() else { return (None, Vec::new()) };
            let start = match &first.state {
                WorldName::Named(name) => Start::Named(name.clone()),
                WorldName::Facts(facts) => Start::Facts(facts.clone()),
            };
            return (Some(start), rest.to_vec());
        }
    };
    (Some(start), Vec::new())
}

/// A question to an engine.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// What is asked. In a system `where` and `count` speak of reachable states.
    pub(crate) kind: QueryKind,
    /// Of which formula.
    pub(crate) formula: F,
    /// The most worlds or states to list in the answer.
    pub(crate) list: usize,
    /// Where.
    pub(crate) at: Option<Start>,
    /// After which steps from there, in a system.
    pub(crate) steps: Vec<HistoryStep>,
    /// Whether to say why.
    pub(crate) explain: bool,
}

impl Question {
    /// The one place at which it is asked, as text.
    pub(crate) fn place(&self) -> Option<String> {
        let start = match self.at.as_ref()? {
            Start::Point | Start::Everywhere => return None,
            Start::Named(name) => name.clone(),
            Start::Facts(facts) => facts.label(),
        };
        Some(self.steps.iter().fold(start, |place, step| format!("{place} > {}", step.label())))
    }
}
