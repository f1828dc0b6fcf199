//! Runs in a symbolic system: truth is looked up in functions, steps are followed state by state.

use super::{StateSets, SymbolicSystem};
use crate::bdd::Bdd;
use crate::check::core::Who;
use crate::check::linear::Automaton;
use crate::check::time::runs::{Run, Scene};
use crate::check::{CheckError, Limit};
use crate::formula::{F, Name};
use crate::model::explore::State;
use crate::model::law::Facts;
use crate::model::symbolic::{Stopped, Symbolic};
use crate::model::system::Visibility;
use crate::model::transitions::Label;
use crate::stop;
use std::collections::HashMap;
use std::rc::Rc;

type Checked<T> = Result<T, CheckError>;

/// How many look-alikes are looked at.
const LOOKALIKES: usize = 1_000;

/// A symbolic system in which runs can be followed.
pub(crate) struct SymbolicScene<'s, B: Bdd> {
    system: &'s mut SymbolicSystem<B>,
    visibility: Visibility,
    labels: Vec<Label>,
    index: HashMap<Vec<u32>, u32>,
}

fn plain<T>(result: Symbolic<T>) -> Checked<T> {
    result.map_err(|stopped| match stopped {
        Stopped::Error(error) => error,
        // Whoever asked for the account starts again in a larger manager.
        Stopped::Full => stop::go_on().err().unwrap_or(Limit::DiagramBytes(0)).into(),
    })
}

impl<'s, B: Bdd> SymbolicScene<'s, B> {
    pub(crate) fn new(system: &'s mut SymbolicSystem<B>, visibility: Visibility) -> SymbolicScene<'s, B> {
        SymbolicScene { system, visibility, labels: Vec::new(), index: HashMap::new() }
    }

    /// The look-alikes of a state as a set.
    fn same(&self, state: &State, who: &Who) -> Checked<B::F> {
        let agents = StateSets::<B>::members_of(who);
        let one = plain(self.system.singleton(state))?;
        let same = plain(self.system.confused(&agents, &one))?;
        plain(self.system.on_fair_runs(&same))
    }
}

impl<B: Bdd> Scene for SymbolicScene<'_, B> {
    type P = State;

    fn holds(&mut self, f: &F, point: &State) -> Checked<bool> {
        let set = plain(self.system.eval(f))?;
        Ok(self.system.contains(&set, point))
    }

    fn steps(&mut self, point: &State) -> Checked<Vec<(u32, State)>> {
        let mut found = Vec::new();
        for successor in self.system.stepper.successors(point)? {
            if !self.system.counts(&successor.state) {
                continue;
            }
            let label = match self.index.get(&successor.choices) {
                Some(&label) => label,
                None => {
                    let label = self.labels.len() as u32;
                    self.labels.push(self.system.stepper.label(&successor.choices));
                    self.index.insert(successor.choices, label);
                    label
                }
            };
            found.push((label, successor.state));
        }
        Ok(found)
    }

    fn called(&self, label: u32, name: &Name) -> bool {
        self.labels[label as usize].names.contains(name)
    }

    fn label(&self, label: u32) -> String {
        self.labels[label as usize].text.to_string()
    }

    fn sees_actions(&self) -> bool {
        self.visibility == Visibility::Seen
    }

    fn parts(&self, label: u32) -> Vec<(Name, Name)> {
        let choices = &self.labels[label as usize].choices;
        let actors = self.system.system.actors.iter();
        actors.zip(choices).map(|(a, &x)| (a.name.clone(), a.actions[x as usize].clone())).collect()
    }

    fn noticed(&self, before: &State, after: &State) -> Vec<Name> {
        let stepper = &self.system.stepper;
        let agents = self.system.system.vocabulary.agents.iter().enumerate();
        agents
            .filter(|(a, _)| stepper.sight(*a, before) != stepper.sight(*a, after))
            .map(|(_, name)| name.clone())
            .collect()
    }

    fn state(&self, point: &State) -> (String, Facts) {
        let facts = self.system.stepper.facts(point);
        (facts.label(), facts)
    }

    fn lookalikes(&mut self, run: &Run<State>, who: &Who) -> Checked<Vec<State>> {
        let same = self.same(run.end(), who)?;
        Ok(self.system.some_states(&same, LOOKALIKES))
    }

    fn count_lookalikes(&mut self, run: &Run<State>, who: &Who) -> Checked<Option<usize>> {
        let same = self.same(run.end(), who)?;
        Ok(usize::try_from(self.system.count(&same)).ok())
    }

    fn such_lookalike(&mut self, run: &Run<State>, who: &Who, f: &F, value: bool) -> Checked<Option<State>> {
        let same = self.same(run.end(), who)?;
        let holds = plain(self.system.eval(f))?;
        let found = plain(self.system.split(&same, &holds, value))?;
        Ok(self.system.pick(&found))
    }

    /// Back from ring to ring: a shortest run from an initial state.
    fn lookalike(&mut self, _run: &Run<State>, _who: &Who, end: &State) -> Checked<Run<State>> {
        let mut ring = self.system.rings.iter().position(|r| self.system.contains(r, end)).unwrap_or(0);
        let mut path = vec![end.clone()];
        while ring > 0 {
            let one = plain(self.system.singleton(&path[path.len() - 1]))?;
            let before = plain(self.system.before_in_ring(&one, ring - 1))?;
            let Some(state) = self.system.pick(&before) else { break };
            path.push(state);
            ring -= 1;
        }
        path.reverse();
        let mut run = Run::at(path[0].clone());
        for state in &path[1..] {
            let steps = self.steps(run.end())?;
            let Some(step) = steps.into_iter().find(|(_, s)| s == state) else { break };
            run.steps.push(step);
        }
        Ok(run)
    }

    fn conditions(&self) -> usize {
        self.system.system.fairness.len()
    }

    fn meets(&mut self, condition: usize, point: &State) -> Checked<bool> {
        Ok(self.system.meets(condition, point))
    }

    fn automaton(&mut self, f: &F, _point: &State) -> Checked<Option<Rc<Automaton>>> {
        Ok(plain(self.system.accepted(f))?.map(|accepted| accepted.automaton))
    }

    fn accepts(&mut self, f: &F, node: usize, point: &State) -> Checked<bool> {
        let found = plain(self.system.accepted(f))?;
        Ok(found.is_some_and(|accepted| self.system.contains(&accepted.from[node], point)))
    }
}
