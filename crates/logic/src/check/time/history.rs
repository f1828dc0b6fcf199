//! Where in a system a question is asked: the points that a state, or a history of steps, leads to.

use super::graph::Graph;
use super::runs::Run;
use super::{Checked, Side};
use crate::check::CheckError;
use crate::check::question::{Question, Start};
use crate::document::{HistoryStep, WorldName};
use crate::model::Transitions;
use std::borrow::Cow;

/// A question at its points: a graph that begins there, and the question to ask at the beginning of it.
pub(crate) struct Seat<'g> {
    pub(crate) graph: Cow<'g, Graph>,
    pub(crate) question: Cow<'g, Question>,
    /// The runs that lead there; empty if the question is asked at the initial points of the graph.
    runs: Vec<Run<u32>>,
    place: String,
}

impl<'g> Seat<'g> {
    /// The points that a question means. A state that is not initial is looked for among all only if it may be anywhere.
    pub(crate) fn find(
        system: &Transitions,
        graph: &'g Graph,
        question: &'g Question,
        anywhere: bool,
    ) -> Checked<Seat<'g>> {
        let place = question.place().unwrap_or_default();
        let plain = Seat { graph: Cow::Borrowed(graph), question: Cow::Borrowed(question), runs: Vec::new(), place };
        let Some(at) = question.at.as_ref().filter(|_| question.kind.is_judged()) else { return Ok(plain) };
        let is = |p: u32| {
            let state = graph.state[p as usize] as usize;
            match at {
                Start::Point | Start::Everywhere => true,
                Start::Named(name) => system.name(state) == *name,
                Start::Facts(facts) => facts.agrees(&system.facts(state)),
            }
        };
        let mut starts: Vec<u32> = graph.initial.iter().copied().filter(|&p| is(p)).collect();
        if !starts.is_empty() && question.steps.is_empty() {
            return Ok(plain);
        }
        if starts.is_empty() && anywhere {
            starts = (0..graph.size() as u32).filter(|&p| is(p)).collect();
        }
        if starts.is_empty() {
            let name = Question { steps: Vec::new(), ..question.clone() }.place().unwrap_or_default();
            return Err(CheckError::UnknownState { name, initial: !anywhere });
        }
        starts.dedup();
        let mut runs: Vec<Run<u32>> = starts.into_iter().map(Run::at).collect();
        for (done, step) in question.steps.iter().enumerate() {
            runs = follow(system, graph, &runs, step);
            if runs.is_empty() {
                let before = Question { steps: question.steps[..done].to_vec(), ..question.clone() };
                let after = before.place().unwrap_or_default();
                return Err(CheckError::NoSuchStep { after, step: step.label() });
            }
        }
        let seated = graph.beginning_at(runs.iter().map(|run| *run.end()).collect());
        let question = Question { at: None, steps: Vec::new(), ..question.clone() };
        Ok(Seat { graph: Cow::Owned(seated), question: Cow::Owned(question), runs, ..plain })
    }

    /// A run that leads to one of the points.
    pub(crate) fn run(&self, point: u32) -> Run<u32> {
        self.runs.iter().find(|run| *run.end() == point).cloned().unwrap_or_else(|| Run::at(point))
    }

    /// The answer at the place; refused if several points fit it and do not agree.
    pub(crate) fn settle(&self, side: Side) -> Checked<Side> {
        if self.runs.is_empty() {
            return Ok(side);
        }
        let (none, one) = (0u8.into(), 1u8.into());
        if side.asked == none {
            return Err(CheckError::Unfair(self.place.clone()));
        }
        if side.holding != none && side.holding != side.asked {
            return Err(CheckError::Ambiguous(self.place.clone()));
        }
        let truth = side.truth.iter().take(1).copied().collect();
        let holds_at = side.holds_at.map(|names| names.into_iter().take(1).collect());
        let holding = side.holding.min(one);
        Ok(Side { asked: 1u8.into(), holding, truth, holds_at, dropped: none, ..side })
    }
}

/// The runs with a step more that fits, one for each point at which they end.
fn follow(system: &Transitions, graph: &Graph, runs: &[Run<u32>], step: &HistoryStep) -> Vec<Run<u32>> {
    let called = |label: u32| {
        let label = &system.labels[label as usize];
        let one = |name: &str| label.names.iter().any(|n| **n == *name);
        let fits = |action: &String| *label.text == **action || action.split(',').all(|name| one(name.trim()));
        step.action.as_ref().is_none_or(fits)
    };
    let there = |p: u32| {
        let state = graph.state[p as usize] as usize;
        match &step.state {
            WorldName::Named(name) => system.name(state) == *name,
            WorldName::Facts(facts) => facts.agrees(&system.facts(state)),
        }
    };
    let mut found: Vec<Run<u32>> = Vec::new();
    for run in runs {
        for &(label, p) in graph.from(*run.end() as usize) {
            if called(label) && there(p) && found.iter().all(|other| *other.end() != p) {
                found.push(run.and(&[(label, p)]));
            }
        }
    }
    found
}
