//! Truth as sets of reachable states: fixpoints for time, quantification for knowledge.

use super::encode::Encoder;
use super::{Schedule, SymbolicSystem, X, schedule};
use crate::bdd::Bdd;
use crate::check::CheckError;
use crate::formula::{Along, F, Formula, Group, Name, Path, Program};
use crate::model::symbolic::{Symbolic, all, any};
use std::sync::Arc;

impl<B: Bdd> SymbolicSystem<B> {
    /// The reachable states at which a formula holds.
    pub(crate) fn eval(&mut self, f: &F) -> Symbolic<X<B>> {
        let key = Arc::as_ptr(f).addr();
        if let Some(found) = self.memo.get(&key) {
            return Ok(found.clone());
        }
        let set = self.compute(f)?;
        self.memo.insert(key, set.clone());
        self.kept.push(f.clone());
        Ok(set)
    }

    fn fact(&mut self, f: &F) -> Symbolic<X<B>> {
        if let Some(found) = self.objective.get(f) {
            return Ok(found.clone());
        }
        let set = Encoder::new(&self.bdd, &self.layout).formula(f)?;
        let set = self.bdd.and(&set, &self.reach)?;
        self.objective.insert(f.clone(), set.clone());
        Ok(set)
    }

    fn compute(&mut self, f: &F) -> Symbolic<X<B>> {
        Ok(match &**f {
            Formula::Const(true) => self.reach.clone(),
            Formula::Const(false) => self.bdd.constant(false),
            Formula::Atom(_) | Formula::Compare(..) => self.fact(f)?,
            Formula::Xor(_) | Formula::Count(..) if f.is_objective() => self.fact(f)?,
            Formula::Xor(parts) => {
                let mut odd = self.bdd.constant(false);
                for part in parts {
                    let part = self.eval(part)?;
                    odd = self.bdd.xor(&odd, &part)?;
                }
                odd
            }
            Formula::Count(cmp, n, parts) => {
                let parts = parts.iter().map(|p| self.eval(p)).collect::<Symbolic<Vec<_>>>()?;
                let found = crate::model::symbolic::count_of(&self.bdd, *cmp, *n, parts)?;
                self.bdd.and(&found, &self.reach)?
            }
            Formula::Not(g) => {
                let set = self.eval(g)?;
                self.not(&set)?
            }
            Formula::And(parts) => {
                let mut sets = vec![self.reach.clone()];
                for part in parts {
                    sets.push(self.eval(part)?);
                }
                all(&self.bdd, sets)?
            }
            Formula::Or(parts) => {
                let sets = parts.iter().map(|p| self.eval(p)).collect::<Symbolic<Vec<_>>>()?;
                any(&self.bdd, sets)?
            }
            Formula::Imp(a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.bdd.or(&self.not(&a)?, &b)?
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.not(&self.bdd.xor(&a, &b)?)?
            }
            Formula::Knows(name, g) => {
                let set = self.eval(g)?;
                self.known(&[self.agent(name)?], &set)?
            }
            Formula::Possible(name, g) => {
                let set = self.eval(g)?;
                self.confused(&[self.agent(name)?], &set)?
            }
            Formula::KnowsWhether(name, g) => {
                let set = self.eval(g)?;
                let agent = [self.agent(name)?];
                self.bdd.or(&self.known(&agent, &set)?, &self.known(&agent, &self.not(&set)?)?)?
            }
            Formula::Everyone(group, g) => {
                let set = self.eval(g)?;
                let mut sets = Vec::new();
                for agent in self.members(group)? {
                    sets.push(self.known(&[agent], &set)?);
                }
                all(&self.bdd, sets)?
            }
            Formula::Distributed(group, g) => {
                let set = self.eval(g)?;
                self.known(&self.members(group)?, &set)?
            }
            Formula::Common(group, g) => {
                let set = self.eval(g)?;
                let members = self.members(group)?;
                // The links of a chain lie on fair runs; its beginning need not, and then its own facts do not matter.
                let mut doubt = self.counting(&self.not(&set)?)?;
                loop {
                    let mut seen = doubt.clone();
                    for &agent in &members {
                        seen = self.bdd.or(&seen, &self.confused(&[agent], &seen)?)?;
                    }
                    let more = self.counting(&seen)?;
                    if more == doubt {
                        break self.not(&seen)?;
                    }
                    doubt = more;
                }
            }
            Formula::After(..) | Formula::Can(..) => {
                return Err(CheckError::NotHere("knowledge actions `[α]` and time do not go into one formula").into());
            }
            Formula::Path(Path::Some, along, program, g) => {
                let set = self.eval(g)?;
                self.some(*along, program, &set)?
            }
            Formula::Path(Path::All, along, program, g) => {
                let set = self.eval(g)?;
                let not = self.not(&set)?;
                let dual = match along {
                    Along::Next => Along::Next,
                    Along::Always => Along::Eventually,
                    Along::Eventually => Along::Always,
                };
                let fails = self.some(dual, program, &not)?;
                self.not(&fails)?
            }
            Formula::Until(Path::Some, program, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.some_until(program, &a, &b)?
            }
            Formula::Until(Path::All, program, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let not_b = self.not(&b)?;
                let neither = self.bdd.and(&not_b, &self.not(&a)?)?;
                let escapes = self.some_until(program, &not_b, &neither)?;
                let lasts = self.some(Along::Always, program, &not_b)?;
                self.not(&self.bdd.or(&escapes, &lasts)?)?
            }
            Formula::Ensure(group, along, g) => {
                let set = self.eval(g)?;
                let choices = self.choices(group)?;
                match along {
                    Along::Next => self.ensured(&choices, &set)?,
                    Along::Eventually => self.ensured_until(&choices, &self.reach, &set)?,
                    Along::Always => {
                        let ends = self.dead_ends()?;
                        let mut now = set.clone();
                        loop {
                            let stays = self.bdd.or(&self.ensured(&choices, &now)?, &ends)?;
                            let next = self.bdd.and(&stays, &now)?;
                            if next == now {
                                break now;
                            }
                            now = next;
                        }
                    }
                }
            }
            Formula::EnsureUntil(group, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let choices = self.choices(group)?;
                self.ensured_until(&choices, &a, &b)?
            }
            Formula::Ought(name, g) => {
                self.agent(name)?;
                let set = self.eval(g)?;
                let red = self.system.red.iter().find(|(a, _)| a == name).map(|(_, f)| f.clone());
                let mut breaks = self.counting(&self.not(&set)?)?;
                if let Some(red) = red {
                    let red = self.fact(&red)?;
                    breaks = self.bdd.and(&breaks, &self.bdd.not(&red)?)?;
                }
                if breaks == self.bdd.constant(false) { self.reach.clone() } else { self.bdd.constant(false) }
            }
        })
    }

    /// The states from which some execution of the program leads into the set.
    fn before(&mut self, program: &Program, set: &X<B>) -> Symbolic<X<B>> {
        Ok(match program {
            Program::Any => self.before_step(set, None)?,
            Program::Action(name) => self.before_step(set, Some(name))?,
            Program::Seq(parts) => {
                let mut set = set.clone();
                for part in parts.iter().rev() {
                    set = self.before(part, &set)?;
                }
                set
            }
            Program::Choice(parts) => {
                let mut sets = Vec::new();
                for part in parts {
                    sets.push(self.before(part, set)?);
                }
                any(&self.bdd, sets)?
            }
            Program::Star(inner) => {
                let all = self.reach.clone();
                self.leading(inner, &all, set)?
            }
            Program::Test(f) => {
                let test = self.eval(f)?;
                self.bdd.and(&test, set)?
            }
        })
    }

    /// The states at which no step is possible at all.
    fn dead_ends(&mut self) -> Symbolic<X<B>> {
        if let Some(ends) = &self.ends {
            return Ok(ends.clone());
        }
        let next = self.primed(&self.reach)?;
        let goes_on = self.follow(&self.backward, &next)?;
        let ends = self.not(&goes_on)?;
        self.ends = Some(ends.clone());
        Ok(ends)
    }

    /// The states on fair runs without a successor by the program.
    fn ends(&mut self, program: &Program) -> Symbolic<X<B>> {
        let ends = match program {
            Program::Any => self.dead_ends()?,
            _ => {
                let all = self.reach.clone();
                let goes_on = self.before(program, &all)?;
                self.not(&goes_on)?
            }
        };
        self.counting(&ends)
    }

    /// Finds the states on fair runs. The conditions are judged before any state is left out.
    pub(super) fn leave_out_unfair(&mut self) -> Symbolic<()> {
        let fairness = self.system.fairness.clone();
        if fairness.is_empty() {
            return Ok(());
        }
        self.conditions = fairness.iter().map(|f| self.eval(f)).collect::<Symbolic<Vec<_>>>()?;
        let all = self.reach.clone();
        self.fair_states = Some(self.lasting(&Program::Any, &all)?);
        // Of what was found so far only facts stay as they are.
        self.memo.clear();
        Ok(())
    }

    fn some(&mut self, along: Along, program: &Program, set: &X<B>) -> Symbolic<X<B>> {
        match along {
            Along::Next => {
                let set = self.fairly(program, set)?;
                self.before(program, &set)
            }
            Along::Eventually => {
                let all = self.reach.clone();
                self.some_until(program, &all, set)
            }
            Along::Always => self.lasting(program, set),
        }
    }

    fn some_until(&mut self, program: &Program, a: &X<B>, b: &X<B>) -> Symbolic<X<B>> {
        let goal = self.fairly(program, b)?;
        self.leading(program, a, &goal)
    }

    /// The part of a set from which a fair run starts.
    fn fairly(&mut self, program: &Program, set: &X<B>) -> Symbolic<X<B>> {
        let Some(all) = &self.fair_states else { return Ok(set.clone()) };
        let fair = match self.fair.get(program) {
            Some(found) => found.clone(),
            None if *program == Program::Any => all.clone(),
            None => {
                let all = self.reach.clone();
                let found = self.lasting(program, &all)?;
                self.fair.insert(program.clone(), found.clone());
                found
            }
        };
        Ok(self.bdd.and(set, &fair)?)
    }

    /// The least set with `goal`, and with every state of `a` from which the program leads into it.
    fn leading(&mut self, program: &Program, a: &X<B>, goal: &X<B>) -> Symbolic<X<B>> {
        let no = self.bdd.constant(false);
        let mut found = goal.clone();
        let mut fresh = goal.clone();
        while fresh != no {
            let more = self.before(program, &fresh)?;
            let more = self.bdd.and(&more, a)?;
            fresh = self.bdd.and(&more, &self.bdd.not(&found)?)?;
            found = self.bdd.or(&found, &fresh)?;
        }
        Ok(found)
    }

    /// The greatest set within `set` in which every state goes on inside it, fairly, or has nowhere to go.
    fn lasting(&mut self, program: &Program, set: &X<B>) -> Symbolic<X<B>> {
        let ends = self.ends(program)?;
        let mut conditions = Vec::new();
        for condition in &self.conditions {
            conditions.push(self.bdd.or(condition, &ends)?);
        }
        let set = &self.counting(set)?;
        let mut now = set.clone();
        loop {
            let mut next = now.clone();
            if conditions.is_empty() {
                let goes_on = self.before(program, &now)?;
                next = self.bdd.and(&next, &self.bdd.or(&goes_on, &ends)?)?;
            }
            for condition in &conditions {
                let goal = self.bdd.and(&now, condition)?;
                let leading = self.leading(program, set, &goal)?;
                let goes_on = self.before(program, &leading)?;
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
        let outside = self.primed(&self.not(set)?)?;
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
