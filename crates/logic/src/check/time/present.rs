//! The reachable states as a model of worlds: what agents without memory know at any of them.

use super::points::Bias;
use super::{Checked, Listed, SystemChecker};
use crate::check::CheckError;
use crate::model::explore::Labels;
use crate::model::kripke::{Classes, Relation, VarColumn};
use crate::model::{BitSet, Kripke};

impl SystemChecker {
    /// The reachable states as worlds that agents confuse if they see the same now, whatever they saw before. A single
    /// initial state is its point. With fairness the worlds are the states on fair runs, as for every other question.
    pub(crate) fn without_memory(&mut self) -> Checked<Kripke> {
        if let Some(span) = self.asks_knowledge() {
            return Err(CheckError::NeedsMemory(span));
        }
        let Listed { system, graph, fairness } = self.listed(Labels::None)?;
        let counts = |point: usize| fairness.as_ref().is_none_or(|f| f.counts(Bias::Certain).contains(point));
        let points: Vec<usize> = (0..graph.size()).filter(|&point| counts(point)).collect();
        let size = points.len();
        let state = |world: usize| graph.state[points[world]] as usize;
        let mut model = Kripke::new(size, system.agents.clone(), system.prop_order.clone());
        for (prop, column) in system.prop_order.iter().zip(&mut model.columns) {
            let states = system.props.get(prop);
            *column = BitSet::from_fn(size, |p| states.is_some_and(|states| states.contains(state(p))));
        }
        let value = |column: &crate::model::transitions::Column, p| column.domain[column.of[state(p)] as usize].clone();
        model.vars = system
            .vars
            .iter()
            .map(|var| VarColumn { name: var.name.clone(), values: (0..size).map(|p| value(var, p)).collect() })
            .collect();
        for (agent, local) in system.local.iter().enumerate() {
            let classes = Classes::by_key((0..size).map(|p| local[state(p)]));
            model.set_relation(agent, Relation::Classes(classes));
        }
        if !system.names.is_empty() {
            model.set_names((0..size).map(|p| system.names[state(p)].clone()).collect());
        }
        let initial: Vec<usize> =
            graph.initial.iter().filter_map(|&p| points.binary_search(&(p as usize)).ok()).collect();
        if let [only] = initial[..] {
            model.add_point(None, only);
        }
        Ok(model)
    }
}
