//! From a written system to its steps: what every actor may do in a state, and which states follow.
//!
//! Formulas are compiled to trees over value indices, and evaluated with three values: what is not yet chosen (an action)
//! or not decided by the state alone (knowledge) is unknown.

mod compile;
mod stepper;

use super::BitSet;
use super::enumerate::Budget;
use super::system::System;
use super::transitions::{Column, Label, Step, Transitions};
use crate::check::{CheckError, Limit, Limits};
use crate::formula::{F, Name};
use crate::progress::{self, Stage};
use crate::stop;
use ::oxidd::util::FxHasher;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

pub(crate) use stepper::Stepper;

/// A state: for each proposition (0 or 1), then each variable, the index of its value.
pub(crate) type State = Box<[u16]>;

/// Whether the steps of a listed system tell who does what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Every joint action is a label of its own.
    Joint,
    /// All steps have the same label: enough where a question does not ask who does what, and much less to list.
    None,
}

type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// How much listing a system may cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// For its initial states.
    pub starts: Budget,
    /// For all states, and for the steps between them.
    pub states: Budget,
}

/// The states reachable in a system, listed; `None` if that costs more than the budget.
///
/// Where steps depend on knowledge they are all followed, each with its condition.
pub fn explore(
    system: &System,
    labelling: Labels,
    effort: Effort,
    limits: &Limits,
) -> Result<Option<Transitions>, CheckError> {
    let stepper = Stepper::new(system);
    let Some(initial) = stepper.initial(&system.vocabulary, effort.starts)? else {
        let all = effort.starts.worlds >= limits.worlds;
        return if all { Err(Limit::States(limits.worlds).into()) } else { Ok(None) };
    };
    let mut index: FastMap<State, u32> = FastMap::default();
    let mut states: Vec<State> = Vec::new();
    for state in initial {
        index.entry(state.clone()).or_insert_with(|| {
            states.push(state);
            states.len() as u32 - 1
        });
    }
    let starts = states.len() as u32;
    let mut labels: Vec<Label> = Vec::new();
    if labelling == Labels::None {
        labels.push(Label { text: "step".into(), names: Vec::new(), choices: Vec::new() });
    }
    let mut label_index: FastMap<Box<[u32]>, u32> = FastMap::default();
    let mut conditions: Vec<F> = Vec::new();
    let mut condition_index: HashMap<F, u32> = HashMap::new();
    let mut wrong: Vec<(u32, u32, CheckError)> = Vec::new();
    let mut offsets = vec![0u32];
    let mut steps: Vec<Step> = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        let first = steps.len();
        let mut refused = None;
        let all = stepper.for_each_successor(&state, &mut |choices, condition, next| {
            let condition = match condition {
                None => 0,
                Some(f) => *condition_index.entry(f.clone()).or_insert_with(|| {
                    conditions.push(f.clone());
                    conditions.len() as u32
                }),
            };
            let next = match next {
                Ok(next) => next,
                Err(error) if condition == 0 => {
                    refused = Some(error.clone());
                    return false;
                }
                Err(error) => {
                    wrong.push((at as u32, condition, error.clone()));
                    return true;
                }
            };
            let label = match (labelling, label_index.get(choices)) {
                (Labels::None, _) => 0,
                (Labels::Joint, Some(&label)) => label,
                (Labels::Joint, None) => {
                    labels.push(stepper.label(choices));
                    label_index.insert(choices.into(), labels.len() as u32 - 1);
                    labels.len() as u32 - 1
                }
            };
            let target = match index.get(next) {
                Some(&target) => target,
                None => {
                    let target = states.len() as u32;
                    let next: State = next.into();
                    index.insert(next.clone(), target);
                    states.push(next);
                    target
                }
            };
            steps.push(Step { label, target, condition });
            let fits = steps.len() - first <= effort.states.steps && states.len() <= effort.states.worlds;
            fits && !stop::asked()
        })?;
        stop::go_on()?;
        progress::report(Stage::States, states.len());
        if let Some(error) = refused {
            return Err(error);
        }
        steps[first..].sort_unstable();
        let mut kept = first;
        for i in first..steps.len() {
            if kept == first || steps[i] != steps[kept - 1] {
                steps[kept] = steps[i];
                kept += 1;
            }
        }
        steps.truncate(kept);
        offsets.push(steps.len() as u32);
        if !all || states.len() > effort.states.worlds || steps.len() > effort.states.steps {
            return if states.len() > limits.worlds { Err(Limit::States(limits.worlds).into()) } else { Ok(None) };
        }
        at += 1;
    }
    drop(index);
    let size = states.len();
    let local = (0..system.vocabulary.agents.len())
        .map(|agent| {
            let mut seen: HashMap<Vec<i64>, u32> = HashMap::new();
            states
                .iter()
                .map(|s| {
                    let next = seen.len() as u32;
                    *seen.entry(stepper.sight(agent, s)).or_insert(next)
                })
                .collect()
        })
        .collect();
    let law = &system.vocabulary;
    let props: HashMap<Name, BitSet> =
        law.props.iter().enumerate().map(|(e, p)| (p.clone(), BitSet::from_fn(size, |s| states[s][e] == 1))).collect();
    let vars = law
        .vars
        .iter()
        .enumerate()
        .map(|(i, v)| Column {
            name: v.name.clone(),
            domain: v.values.clone(),
            of: states.iter().map(|s| s[law.props.len() + i]).collect(),
        })
        .collect();
    let mut compiled = Transitions {
        agents: law.agents.clone(),
        actors: system.actors.iter().map(|a| a.name.clone()).collect(),
        names: Vec::new(),
        initial: (0..starts).collect(),
        labels,
        offsets,
        steps,
        local,
        props,
        prop_order: law.props.clone(),
        vars,
        conditions,
        wrong,
        red: Vec::new(),
        fairness: system.fairness.clone(),
    };
    let red: Vec<(Name, BitSet)> = system
        .red
        .iter()
        .map(|(agent, f)| (agent.clone(), compiled.objective(f).unwrap_or_else(|| BitSet::empty(size))))
        .collect();
    compiled.red = red;
    Ok(Some(compiled))
}
