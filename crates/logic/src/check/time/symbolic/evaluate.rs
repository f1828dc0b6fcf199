//! Sets of reachable states: fixpoints for time, quantification for knowledge.

use super::encode::Encoder;
use super::{Schedule, StateSets, X, schedule};
use crate::bdd::Bdd;
use crate::check::core::{Steps, Tally, Who};
use crate::check::evaluate::{Aim, Algebra, Moves};
use crate::formula::{F, Formula, Group, Name};
use crate::model::symbolic::{Stopped, Symbolic, all, any, count_of};
use std::convert::Infallible;

impl<B: Bdd> Algebra for StateSets<B> {
    type Set = X<B>;
    /// A system has no updates.
    type Update = Infallible;
    type Stop = Stopped;

    fn all(&mut self, _stage: usize) -> Symbolic<X<B>> {
        Ok(self.reach.clone())
    }

    fn fact(&mut self, _stage: usize, fact: &Formula) -> Symbolic<X<B>> {
        self.objective(&F::new(fact.clone()))
    }

    fn not(&mut self, _stage: usize, set: &X<B>) -> Symbolic<X<B>> {
        self.outside(set)
    }

    fn meet(&mut self, _stage: usize, mut sets: Vec<X<B>>) -> Symbolic<X<B>> {
        if sets.is_empty() {
            sets.push(self.reach.clone());
        }
        Ok(all(&self.bdd, sets)?)
    }

    fn tally(&mut self, _stage: usize, tally: Tally, sets: Vec<X<B>>) -> Symbolic<X<B>> {
        match tally {
            Tally::Is(cmp, n) => {
                let found = count_of(&self.bdd, cmp, n, sets)?;
                Ok(self.bdd.and(&found, &self.reach)?)
            }
            Tally::Odd => {
                let mut odd = self.bdd.constant(false);
                for set in sets {
                    odd = self.bdd.xor(&odd, &set)?;
                }
                Ok(odd)
            }
        }
    }

    fn known(&mut self, _stage: usize, who: &Who, set: &X<B>) -> Symbolic<X<B>> {
        match who {
            Who::Agent(agent) => self.pooled(&[*agent], set),
            Who::Together(group) => self.pooled(group, set),
            Who::Each(group) => {
                let mut sets = vec![self.reach.clone()];
                for &agent in group {
                    sets.push(self.pooled(&[agent], set)?);
                }
                Ok(all(&self.bdd, sets)?)
            }
            Who::Commonly(group) => {
                // The links of a chain lie on fair runs; its beginning need not, and then its own facts do not matter.
                let mut doubt = self.on_fair_runs(&self.outside(set)?)?;
                loop {
                    let mut seen = doubt.clone();
                    for &agent in group {
                        seen = self.bdd.or(&seen, &self.confused(&[agent], &seen)?)?;
                    }
                    let more = self.on_fair_runs(&seen)?;
                    if more == doubt {
                        return self.outside(&seen);
                    }
                    doubt = more;
                }
            }
        }
    }

    fn stage_after(&self, update: &Infallible) -> usize {
        match *update {}
    }

    fn back(&mut self, _stage: usize, update: &Infallible, _then: &X<B>) -> Symbolic<X<B>> {
        match *update {}
    }

    fn next(&mut self, (steps, moves): (&Steps, &Moves<X<B>>), set: &X<B>) -> Symbolic<X<B>> {
        let set = self.fairly((steps, moves), set)?;
        self.leads(moves, &set)
    }

    fn until(&mut self, (steps, moves): (&Steps, &Moves<X<B>>), a: &X<B>, b: &X<B>) -> Symbolic<X<B>> {
        let goal = self.fairly((steps, moves), b)?;
        self.leading(moves, a, &goal)
    }

    fn lasting(&mut self, (_, moves): (&Steps, &Moves<X<B>>), set: &X<B>) -> Symbolic<X<B>> {
        self.staying(moves, set)
    }

    fn ensure(&mut self, group: &Group, aim: Aim<'_, X<B>>) -> Symbolic<X<B>> {
        let choices = self.choices(group)?;
        match aim {
            Aim::Next(set) => self.ensured(&choices, set),
            Aim::Until(a, b) => self.ensured_until(&choices, a, b),
            Aim::Always(set) => {
                let ends = self.dead_ends()?;
                let mut now = set.clone();
                loop {
                    let stays = self.bdd.or(&self.ensured(&choices, &now)?, &ends)?;
                    let next = self.bdd.and(&stays, &now)?;
                    if next == now {
                        return Ok(now);
                    }
                    now = next;
                }
            }
        }
    }

    fn ought(&mut self, agent: usize, set: &X<B>) -> Symbolic<X<B>> {
        let name = &self.system.vocabulary.agents[agent];
        let red = self.system.red.iter().find(|(a, _)| a == name).map(|(_, f)| f.clone());
        let mut breaks = self.on_fair_runs(&self.outside(set)?)?;
        if let Some(red) = red {
            let red = self.objective(&red)?;
            breaks = self.bdd.and(&breaks, &self.bdd.not(&red)?)?;
        }
        Ok(if breaks == self.bdd.constant(false) { self.reach.clone() } else { self.bdd.constant(false) })
    }

    fn before(&mut self, set: &X<B>) -> Symbolic<X<B>> {
        self.before_step(set, None)
    }

    fn conditions(&mut self) -> Vec<X<B>> {
        self.conditions.clone()
    }

    fn counting(&mut self, set: &X<B>) -> Symbolic<X<B>> {
        self.on_fair_runs(set)
    }

    fn same(&self, a: &X<B>, b: &X<B>) -> bool {
        a == b
    }
}

impl<B: Bdd> StateSets<B> {
    /// The reachable states at which an objective formula holds.
    fn objective(&mut self, f: &F) -> Symbolic<X<B>> {
        let set = Encoder::new(&self.bdd, &self.layout).formula(f)?;
        Ok(self.bdd.and(&set, &self.reach)?)
    }

    /// The states from which some execution of the program leads into the set.
    fn leads(&mut self, program: &Moves<X<B>>, set: &X<B>) -> Symbolic<X<B>> {
        Ok(match program {
            Moves::Any => self.before_step(set, None)?,
            Moves::Action(name) => self.before_step(set, Some(name))?,
            Moves::Seq(parts) => {
                let mut set = set.clone();
                for part in parts.iter().rev() {
                    set = self.leads(part, &set)?;
                }
                set
            }
            Moves::Choice(parts) => {
                let mut sets = Vec::new();
                for part in parts {
                    sets.push(self.leads(part, set)?);
                }
                any(&self.bdd, sets)?
            }
            Moves::Star(inner) => {
                let all = self.reach.clone();
                self.leading(inner, &all, set)?
            }
            Moves::Test(test) => self.bdd.and(test, set)?,
        })
    }

    /// The states at which no step is possible at all.
    fn dead_ends(&mut self) -> Symbolic<X<B>> {
        if let Some(ends) = &self.ends {
            return Ok(ends.clone());
        }
        let next = self.primed(&self.reach)?;
        let goes_on = self.follow(&self.backward, &next)?;
        let ends = self.outside(&goes_on)?;
        self.ends = Some(ends.clone());
        Ok(ends)
    }

    /// The states on fair runs without a successor by the program.
    fn ends(&mut self, program: &Moves<X<B>>) -> Symbolic<X<B>> {
        let ends = match program {
            Moves::Any => self.dead_ends()?,
            _ => {
                let all = self.reach.clone();
                let goes_on = self.leads(program, &all)?;
                self.outside(&goes_on)?
            }
        };
        self.on_fair_runs(&ends)
    }

    /// Leaves out states that lie on no fair run, where these are the conditions of fairness.
    pub(super) fn leave_out_unfair(&mut self, conditions: Vec<X<B>>) -> Symbolic<()> {
        if !conditions.is_empty() {
            self.conditions = conditions;
            let all = self.reach.clone();
            self.fair_states = Some(self.staying(&Moves::Any, &all)?);
        }
        Ok(())
    }

    /// The part of a set from which a fair run starts.
    fn fairly(&mut self, (steps, moves): (&Steps, &Moves<X<B>>), set: &X<B>) -> Symbolic<X<B>> {
        let Some(all) = &self.fair_states else { return Ok(set.clone()) };
        let fair = match self.fair.get(steps) {
            Some(found) => found.clone(),
            None if *steps == Steps::Any => all.clone(),
            None => {
                let all = self.reach.clone();
                let found = self.staying(moves, &all)?;
                self.fair.insert(steps.clone(), found.clone());
                found
            }
        };
        Ok(self.bdd.and(set, &fair)?)
    }

    /// The least set with `goal`, and with every state of `a` from which the program leads into it.
    fn leading(&mut self, program: &Moves<X<B>>, a: &X<B>, goal: &X<B>) -> Symbolic<X<B>> {
        let no = self.bdd.constant(false);
        let mut found = goal.clone();
        let mut fresh = goal.clone();
        while fresh != no {
            let more = self.leads(program, &fresh)?;
            let more = self.bdd.and(&more, a)?;
            fresh = self.bdd.and(&more, &self.bdd.not(&found)?)?;
            found = self.bdd.or(&found, &fresh)?;
        }
        Ok(found)
    }

    /// The greatest set within `set` in which every state goes on inside it, fairly, or has nowhere to go.
    fn staying(&mut self, program: &Moves<X<B>>, set: &X<B>) -> Symbolic<X<B>> {
        let ends = self.ends(program)?;
        let mut conditions = Vec::new();
        for condition in &self.conditions {
            conditions.push(self.bdd.or(condition, &ends)?);
        }
        let set = &self.on_fair_runs(set)?;
        let mut now = set.clone();
        loop {
            let mut next = now.clone();
            if conditions.is_empty() {
                let goes_on = self.leads(program, &now)?;
                next = self.bdd.and(&next, &self.bdd.or(&goes_on, &ends)?)?;
            }
            for condition in &conditions {
                let goal = self.bdd.and(&now, condition)?;
                let leading = self.leading(program, set, &goal)?;
                let goes_on = self.leads(program, &leading)?;
                next = self.bdd.and(&next, &self.bdd.or(&goes_on, &ends)?)?;
            }
            if next == now {
                return Ok(now);
            }
            now = next;
        }
    }

    /// What a group can choose, made ready once for all rounds of a fixpoint.
    fn choices(&mut self, group: &Group) -> Symbolic<Choices<B>> {
        let ends = self.dead_ends()?;
        let names: Vec<&Name> = match group {
            Group::All => self.system.vocabulary.agents.iter().collect(),
            Group::Of(names) => names.iter().collect(),
        };
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            (0..self.system.actors.len()).partition(|&a| names.contains(&&self.system.actors[a].name));
        let vars = |actors: &[usize]| -> Vec<u32> {
            actors.iter().flat_map(|&a| self.layout.choice_vars(a).iter().copied()).collect()
        };
        let moved: Vec<usize> = (0..self.moving.len()).filter(|&e| self.moving[e]).collect();
        let mut forget = self.layout.after_vars(&moved);
        forget.extend(vars(&outside));
        let relations: Vec<X<B>> = self.parts.iter().map(|p| p.relation.clone()).collect();
        // Where nothing can be done nothing is ensured about what follows.
        let mut enabled = vec![self.reach.clone(), self.bdd.not(&ends)?];
        enabled.extend(inside.iter().map(|&a| self.protocols[a].clone()));
        Ok(Choices {
            leaving: schedule(&self.bdd, relations, &forget)?,
            enabled: all(&self.bdd, enabled)?,
            own: self.bdd.cube(vars(&inside))?,
        })
    }

    /// The states at which the group has a choice after which only states of the set follow.
    fn ensured(&self, choices: &Choices<B>, set: &X<B>) -> Symbolic<X<B>> {
        let outside = self.primed(&self.outside(set)?)?;
        let may_leave = self.follow(&choices.leaving, &outside)?;
        Ok(self.bdd.and_exists(&choices.enabled, &self.bdd.not(&may_leave)?, &choices.own)?)
    }

    fn ensured_until(&self, choices: &Choices<B>, a: &X<B>, b: &X<B>) -> Symbolic<X<B>> {
        let mut now = b.clone();
        loop {
            let next = self.bdd.or(&now, &self.bdd.and(&self.ensured(choices, &now)?, a)?)?;
            if next == now {
                return Ok(now);
            }
            now = next;
        }
    }
}

/// What a group can choose.
struct Choices<B: Bdd> {
    /// From a set after the step to the states and own choices from which it may be reached.
    leaving: Schedule<B>,
    /// The reachable states with a step, and what the group's protocols enable there.
    enabled: X<B>,
    /// The variables of the group's choices.
    own: B::Cube,
}
