//! What every agent considers possible along a run.

use super::account::{RunView, StateView};
use super::graph::Graph;
use super::moments::Moments;
use super::points::{Bias, Confusion};
use super::{Checked, Listed, SystemChecker};
use crate::check::CheckError;
use crate::check::core::Who;
use crate::formula::{F, Formula, Group, Name};
use crate::model::explore::Labels;
use crate::model::system::Recall;
use crate::model::{BitSet, Time, Transitions};

/// What an agent considers possible after some steps of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// The agent.
    pub agent: Name,
    /// The states, the actual one included, unless they are more than was asked for: then the first of them.
    pub states: Vec<StateView>,
    /// How many there are.
    pub count: usize,
}

impl SystemChecker {
    /// For the start and for each step of a run, what every agent considers possible there, `list` states of each at
    /// most; `None` if the states cannot be listed within the limits.
    pub(crate) fn possible(
        &mut self,
        run: &RunView,
        recall: Recall,
        list: usize,
    ) -> Checked<Option<Vec<Vec<Possible>>>> {
        match self.follow(run, recall, list) {
            Err(CheckError::Limit(_)) => Ok(None),
            found => found,
        }
    }

    fn follow(&mut self, run: &RunView, recall: Recall, list: usize) -> Checked<Option<Vec<Vec<Possible>>>> {
        if matches!(self.time, Time::System(_)) && !self.quickly(Labels::Joint)? {
            return Ok(None);
        }
        self.listed(Labels::Joint)?;
        let (visibility, may_end) = (self.visibility(), self.may_end());
        let (_, limits) = self.reach();
        let Some(Listed { system, graph, fairness }) = &self.explicit else { return Ok(None) };
        match recall {
            Recall::Forgetful => {
                let sight = |agent: usize, p: u32| system.local[agent][graph.state[p as usize] as usize];
                let counts = |q: u32| fairness.as_ref().is_none_or(|f| f.counts(Bias::Certain).contains(q as usize));
                let alike = |agent: usize, p: u32| -> Vec<u32> {
                    (0..graph.size() as u32).filter(|&q| counts(q) && sight(agent, q) == sight(agent, p)).collect()
                };
                Ok(walk(system, graph, run).map(|points| views(system, graph, &points, list, alike)))
            }
            Recall::Perfect => {
                // Everybody is followed, whoever the questions are about.
                let all = F::new(Formula::Everyone(Group::All, Formula::truth()));
                let mut moments = Moments::new(system, visibility, may_end, limits, &[all])?;
                while moments.depth < run.steps.len() && !moments.closed() {
                    moments.follow()?;
                }
                let graph = moments.graph();
                let evaluator = moments.evaluator(&graph)?;
                let counts = |bias| evaluator.algebra.part_that_counts(&BitSet::full(graph.size()), bias);
                let (certain, maybe) = (counts(Bias::Certain), counts(Bias::Maybe));
                if certain != maybe {
                    return Ok(None);
                }
                let Some(points) = walk(system, &graph, run) else { return Ok(None) };
                let mut confusion = moments.everywhere();
                let classes: Vec<_> =
                    (0..system.agents.len()).map(|agent| confusion.classes(&Who::Agent(agent))).collect();
                let alike = |agent: usize, p: u32| -> Vec<u32> {
                    let Some(classes) = &classes[agent] else { return vec![p] };
                    let alike = |q: &usize| classes.of[*q] == classes.of[p as usize];
                    certain.iter().filter(alike).map(|q| q as u32).collect()
                };
                Ok(Some(views(system, &graph, &points, list, alike)))
            }
        }
    }
}

/// The points of a run in a graph.
fn walk(system: &Transitions, graph: &Graph, run: &RunView) -> Option<Vec<u32>> {
    let called = |p: u32, state: &StateView| system.name(graph.state[p as usize] as usize) == state.name;
    let mut points = vec![graph.initial.iter().copied().find(|&p| called(p, &run.start))?];
    for step in &run.steps {
        let from = graph.from(*points.last()? as usize);
        let same = |label: u32| *system.labels[label as usize].text == *step.action;
        points.push(from.iter().find(|(label, p)| same(*label) && called(*p, &step.state))?.1);
    }
    Some(points)
}

/// What the agents consider possible at each of the points.
fn views(
    system: &Transitions,
    graph: &Graph,
    points: &[u32],
    list: usize,
    alike: impl Fn(usize, u32) -> Vec<u32>,
) -> Vec<Vec<Possible>> {
    let of = |agent: usize, p: u32| {
        let mut states: Vec<u32> = alike(agent, p).into_iter().map(|q| graph.state[q as usize]).collect();
        states.sort_unstable();
        states.dedup();
        let view = |&s: &u32| StateView { name: system.name(s as usize), facts: system.facts(s as usize) };
        Possible {
            agent: system.agents[agent].clone(),
            count: states.len(),
            states: states.iter().take(list).map(view).collect(),
        }
    };
    points.iter().map(|&p| (0..system.agents.len()).map(|agent| of(agent, p)).collect()).collect()
}
