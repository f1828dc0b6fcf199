//! Fairness: which points count, and runs on which every condition holds again and again.
//!
//! A run is fair if it ends, or if each condition of the system holds infinitely often on it. The points that count, for
//! time and for knowledge, are those on a fair run: from them a fair run goes on. Every point before such a point is one
//! too, so those that count are reached from initial points that count. The conditions themselves are judged before any
//! point is left out: knowledge in them ranges over everything reachable.
//!
//! A run of a program is a maximal sequence of executions between points that count. It is fair if it ends, or if each
//! condition holds infinitely often at the ends of its executions; what lies between those is not looked at.
//!
//! Strategies know nothing of this: a group that ensures something does so on every run, and over points that do not
//! count too. There knowledge ranges over look-alikes that count (perhaps none), and no fair run begins.

use super::graph::Graph;
use super::points::{Bias, Bounds, Evaluator, PointSets};
use crate::check::CheckError;
use crate::check::core::Steps;
use crate::check::evaluate::Moves;
use crate::model::{BitSet, Transitions};
use std::rc::Rc;

type Checked<T> = Result<T, CheckError>;

/// The conditions of a system on a graph of points, and the points that count.
#[derive(Clone, Debug)]
pub(crate) struct Fairness {
    /// For each condition, where it certainly holds and where it may.
    conditions: Vec<Bounds>,
    counts: Bounds,
}

impl Fairness {
    /// The points that count.
    pub(crate) fn counting(&self) -> &Bounds {
        &self.counts
    }

    /// The points that certainly, or maybe, count.
    pub(crate) fn counts(&self, bias: Bias) -> &Rc<BitSet> {
        self.counts.with(bias)
    }

    /// Where the conditions hold.
    pub(crate) fn conditions(&self) -> &[Bounds] {
        &self.conditions
    }

    /// The conditions on this graph, judged by an evaluator that leaves no point out; `None` if there are none.
    ///
    /// With `states`, the states that lie on a fair run, the points that count are known even where the graph is open.
    pub(crate) fn of(mut plain: Evaluator<'_>, states: Option<&BitSet>) -> Checked<Option<Rc<Fairness>>> {
        let (system, graph) = (plain.algebra.system, plain.algebra.graph);
        if system.fairness.is_empty() {
            return Ok(None);
        }
        let conditions = system.fairness.iter().map(|f| plain.points(f)).collect::<Checked<Vec<Bounds>>>()?;
        let all = Bounds::exactly(BitSet::full(graph.size()));
        let counts = match states {
            Some(states) => {
                Bounds::exactly(BitSet::from_fn(graph.size(), |p| states.contains(graph.state[p] as usize)))
            }
            None => {
                let mut sets = plain.algebra;
                sets.fairness = Some(Rc::new(Fairness { conditions: conditions.clone(), counts: all.clone() }));
                sets.both(|sets, bias| sets.fairly_lasting(&Moves::Any, all.with(bias), bias))?
            }
        };
        Ok(Some(Rc::new(Fairness { conditions, counts })))
    }
}

/// The states that lie on a fair run, where that is a matter of states alone: no protocol and no condition of fairness
/// asks what is known.
pub(crate) fn fair_states(system: &Transitions) -> Checked<Option<BitSet>> {
    let of_states = system.conditions.is_empty() && system.fairness.iter().all(|f| f.is_objective());
    if system.fairness.is_empty() || !of_states {
        return Ok(None);
    }
    let graph = Graph::reachable(system);
    let Some(fairness) = super::forgetful::fairness(system, &graph)? else { return Ok(None) };
    let mut found = BitSet::empty(system.size());
    fairness.counts(Bias::Certain).iter().for_each(|p| found.insert(graph.state[p] as usize));
    Ok(Some(found))
}

impl PointSets<'_> {
    /// The points that count; `None` if all do.
    pub(crate) fn counts(&self, bias: Bias) -> Option<Rc<BitSet>> {
        self.fairness.as_ref().map(|fairness| fairness.counts(bias).clone())
    }

    /// Where a condition of fairness holds.
    pub(crate) fn meets(&self, condition: usize) -> Option<&Bounds> {
        self.fairness.as_ref().and_then(|fairness| fairness.conditions.get(condition))
    }

    /// The part of a set that counts.
    pub(crate) fn part_that_counts(&self, set: &BitSet, bias: Bias) -> BitSet {
        let mut found = set.clone();
        if let Some(fairness) = &self.fairness {
            found.intersect(fairness.counts(bias));
        }
        found
    }

    /// The points from which a fair run of the program starts; `None` if every run is fair.
    pub(super) fn fair(&mut self, (steps, moves): (&Steps, &Moves<Bounds>), bias: Bias) -> Checked<Option<Rc<BitSet>>> {
        let Some(counts) = self.counts(bias) else { return Ok(None) };
        if *steps == Steps::Any {
            return Ok(Some(counts));
        }
        if let Some(found) = self.fair.get(&(steps.clone(), bias)) {
            return Ok(Some(found.clone()));
        }
        let found = Rc::new(self.fairly_lasting(moves, &counts, bias)?);
        self.fair.insert((steps.clone(), bias), found.clone());
        Ok(Some(found))
    }

    /// Fair `EG` (Emerson and Lei): inside the set one can always reach each condition again, or the end.
    pub(super) fn fairly_lasting(&mut self, program: &Moves<Bounds>, set: &BitSet, bias: Bias) -> Checked<BitSet> {
        let ends = self.ends(program, bias)?;
        let Some(fairness) = self.fairness.clone() else { return self.staying(program, set, bias) };
        let set = self.part_that_counts(set, bias);
        let mut now = set.clone();
        loop {
            let mut next = now.clone();
            for condition in &fairness.conditions {
                let mut goal = (**condition.with(bias)).clone();
                goal.unite(&ends);
                goal.intersect(&now);
                let leading = self.leading(program, &set, &goal, bias)?;
                let mut step = self.leads(program, &leading, bias)?;
                step.unite(&ends);
                next.intersect(&step);
            }
            if next == now {
                return Ok(now);
            }
            now = next;
        }
    }
}
