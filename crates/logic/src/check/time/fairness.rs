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

use super::evaluate::{Bias, Evaluator};
use super::graph::Graph;
use crate::check::CheckError;
use crate::formula::Program;
use crate::model::{BitSet, Transitions};
use std::sync::Arc;

type Checked<T> = Result<T, CheckError>;

/// The conditions of a system on a graph of points, and the points that count.
#[derive(Clone, Debug)]
pub(crate) struct Fairness {
    /// For each condition, where it certainly holds and where it may.
    conditions: Vec<Bounds>,
    counts: Bounds,
}

/// A set that is not known exactly where a graph has open points.
#[derive(Clone, Debug)]
struct Bounds {
    certain: Arc<BitSet>,
    maybe: Arc<BitSet>,
}

impl Bounds {
    fn exactly(set: BitSet) -> Bounds {
        let certain = Arc::new(set);
        Bounds { maybe: certain.clone(), certain }
    }

    fn with(&self, bias: Bias) -> &Arc<BitSet> {
        match bias {
            Bias::Certain => &self.certain,
            Bias::Maybe => &self.maybe,
        }
    }
}

impl Fairness {
    /// The points that certainly, or maybe, count.
    pub(crate) fn counts(&self, bias: Bias) -> &Arc<BitSet> {
        self.counts.with(bias)
    }

    /// Where a condition certainly, or maybe, holds.
    pub(crate) fn meets(&self, condition: usize, bias: Bias) -> Option<&Arc<BitSet>> {
        self.conditions.get(condition).map(|bounds| bounds.with(bias))
    }

    /// The conditions on this graph, judged by an evaluator that leaves no point out; `None` if there are none.
    ///
    /// With `states`, the states that lie on a fair run, the points that count are known even where the graph is open.
    pub(crate) fn of(mut plain: Evaluator<'_>, states: Option<&BitSet>) -> Checked<Option<Arc<Fairness>>> {
        let (system, graph) = (plain.system, plain.graph);
        if system.fairness.is_empty() {
            return Ok(None);
        }
        let mut conditions = Vec::new();
        for f in &system.fairness {
            let (certain, maybe) = (plain.eval(f, Bias::Certain)?, plain.eval(f, Bias::Maybe)?);
            conditions.push(Bounds { certain: Arc::new((*certain).clone()), maybe: Arc::new((*maybe).clone()) });
        }
        let all = Bounds::exactly(BitSet::full(graph.size()));
        let counts = match states {
            Some(states) => {
                Bounds::exactly(BitSet::from_fn(graph.size(), |p| states.contains(graph.state[p] as usize)))
            }
            None => {
                let everything = Arc::new(Fairness { conditions: conditions.clone(), counts: all.clone() });
                let mut evaluator = plain.fairly(Some(everything));
                let certain = evaluator.fairly_lasting(&Program::Any, &all.certain, Bias::Certain)?;
                let maybe = evaluator.fairly_lasting(&Program::Any, &all.certain, Bias::Maybe)?;
                Bounds { certain: Arc::new(certain), maybe: Arc::new(maybe) }
            }
        };
        Ok(Some(Arc::new(Fairness { conditions, counts })))
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

impl Evaluator<'_> {
    /// The points that count; `None` if all do.
    pub(crate) fn counts(&self, bias: Bias) -> Option<Arc<BitSet>> {
        self.fairness.as_ref().map(|fairness| fairness.counts(bias).clone())
    }

    /// Where a condition of fairness certainly, or maybe, holds.
    pub(crate) fn meets(&self, condition: usize, bias: Bias) -> Option<Arc<BitSet>> {
        self.fairness.as_ref().and_then(|fairness| fairness.meets(condition, bias).cloned())
    }

    /// The part of a set that counts.
    pub(crate) fn counting(&self, set: &BitSet, bias: Bias) -> BitSet {
        let mut found = set.clone();
        if let Some(fairness) = &self.fairness {
            found.intersect(fairness.counts(bias));
        }
        found
    }

    /// The points from which a fair run of the program starts; `None` if every run is fair.
    pub(crate) fn fair(&mut self, program: &Program, bias: Bias) -> Checked<Option<Arc<BitSet>>> {
        let Some(counts) = self.counts(bias) else { return Ok(None) };
        if *program == Program::Any {
            return Ok(Some(counts));
        }
        if let Some(found) = self.fair.get(&(program.clone(), bias)) {
            return Ok(Some(found.clone()));
        }
        let found = Arc::new(self.fairly_lasting(program, &counts, bias)?);
        self.fair.insert((program.clone(), bias), found.clone());
        Ok(Some(found))
    }

    /// Fair `EG` (Emerson and Lei): inside the set one can always reach each condition again, or the end.
    pub(crate) fn fairly_lasting(&mut self, program: &Program, set: &BitSet, bias: Bias) -> Checked<BitSet> {
        let ends = self.ends(program, bias)?;
        let Some(fairness) = self.fairness.clone() else { return self.lasting(program, set, bias) };
        let set = self.counting(set, bias);
        let mut now = set.clone();
        loop {
            let mut next = now.clone();
            for condition in &fairness.conditions {
                let mut goal = (**condition.with(bias)).clone();
                goal.unite(&ends);
                goal.intersect(&now);
                let leading = self.leading(program, &set, &goal, bias)?;
                let mut step = self.before(program, &leading, bias)?;
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
