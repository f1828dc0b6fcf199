//! What explanations need, from each engine.

use super::explicit::{Explicit, intersection};
use super::limits::CheckError;
use super::reason::{Ground, Steps, WorldView};
use super::symbolic::SymbolicChecker;
use crate::bdd::{Bdd, closest, count, evaluate, models};
use crate::formula::{Action, ActionModel, F, Name};
use crate::model::kripke::Relation;
use crate::model::law::Facts;
use crate::model::symbolic::{Stopped, Symbolic};
use crate::stop;
use num_bigint::BigUint;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

impl Ground for Explicit {
    type World = usize;

    fn agents(&self) -> Vec<Name> {
        self.model(0).agents().to_vec()
    }

    fn truth(&mut self, stage: usize, f: &F, world: &usize) -> Result<bool, CheckError> {
        Ok(self.eval(stage, f)?.contains(*world))
    }

    fn view(&self, stage: usize, world: &usize) -> WorldView {
        let model = self.model(stage);
        WorldView { name: model.name(*world), facts: model.facts(*world) }
    }

    fn nearest(
        &mut self,
        stage: usize,
        agents: &[usize],
        world: &usize,
        f: &F,
        value: bool,
    ) -> Result<Option<usize>, CheckError> {
        let set = self.eval(stage, f)?;
        let model = self.model(stage);
        let others = possible_together(self, stage, agents, *world);
        Ok(others.into_iter().filter(|&v| set.contains(v) == value).min_by_key(|&v| (model.distance(*world, v), v)))
    }

    fn reflexive(&mut self, stage: usize, agents: &[usize], world: &usize) -> bool {
        agents.iter().all(|&agent| match self.model(stage).relation(agent) {
            Relation::Classes(_) => true,
            Relation::Edges(e) => e.from(*world).contains(&(*world as u32)),
        })
    }

    fn pairs(&mut self, stage: usize, action: &Action) -> Result<BigUint, CheckError> {
        Ok(Explicit::update(self, stage, action)?.product.world.len().into())
    }

    fn alternatives(&mut self, stage: usize, agents: &[usize], world: &usize) -> Result<BigUint, CheckError> {
        Ok(possible_together(self, stage, agents, *world).len().into())
    }

    fn path(
        &mut self,
        stage: usize,
        agents: &[usize],
        world: &usize,
        f: &F,
    ) -> Result<Option<Steps<usize>>, CheckError> {
        let set = self.eval(stage, f)?;
        let mut search = Walk::from(*world);
        while let Some(at) = search.next() {
            if !set.contains(at) {
                return Ok(Some(search.path_to(at)));
            }
            search.spread(self, stage, agents, at);
        }
        Ok(None)
    }

    fn reachable(&mut self, stage: usize, agents: &[usize], world: &usize) -> Result<BigUint, CheckError> {
        let mut search = Walk::from(*world);
        while let Some(at) = search.next() {
            search.spread(self, stage, agents, at);
        }
        Ok(search.came.len().into())
    }

    fn count(&mut self, stage: usize) -> Result<BigUint, CheckError> {
        Ok(self.model(stage).size().into())
    }

    fn update(&mut self, stage: usize, action: &Action) -> Result<(usize, Arc<ActionModel>), CheckError> {
        let update = Explicit::update(self, stage, action)?;
        Ok((update.stage, update.action.clone()))
    }

    fn removed(&mut self, stage: usize, action: &Action, most: usize) -> Result<Vec<WorldView>, CheckError> {
        let update = Explicit::update(self, stage, action)?;
        let model = self.model(stage);
        if model.size() - update.product.world.len() > most {
            return Ok(Vec::new());
        }
        let gone = (0..model.size()).filter(|&w| update.product.find(w, 0).is_none());
        Ok(gone.map(|w| self.view(stage, &w)).collect())
    }

    fn execute(
        &mut self,
        stage: usize,
        action: &Action,
        world: &usize,
        event: usize,
    ) -> Result<Option<usize>, CheckError> {
        Ok(Explicit::update(self, stage, action)?.find(*world, event))
    }
}

fn possible_together(checker: &Explicit, stage: usize, agents: &[usize], world: usize) -> Vec<usize> {
    let model = checker.model(stage);
    match agents {
        [one] => model.possible(*one, world),
        _ => match intersection(model, agents) {
            Relation::Classes(c) => (0..model.size()).filter(|&v| c.of[v] == c.of[world]).collect(),
            Relation::Edges(e) => e.from(world).iter().map(|&v| v as usize).collect(),
        },
    }
}

/// A breadth-first walk through the agents' relations.
struct Walk {
    queue: VecDeque<usize>,
    /// For each world seen, by which agent and from where it was first reached.
    came: HashMap<usize, Option<(usize, usize)>>,
    /// For each agent with classes: the worlds of each class, taken out when the class has been walked through.
    classes: HashMap<usize, Vec<Vec<u32>>>,
}

impl Walk {
    fn from(world: usize) -> Walk {
        Walk { queue: VecDeque::from([world]), came: HashMap::from([(world, None)]), classes: HashMap::new() }
    }

    fn next(&mut self) -> Option<usize> {
        self.queue.pop_front()
    }

    fn spread(&mut self, checker: &Explicit, stage: usize, agents: &[usize], at: usize) {
        for &agent in agents {
            let next: Vec<u32> = match checker.model(stage).relation(agent) {
                Relation::Classes(c) => {
                    let members = self.classes.entry(agent).or_insert_with(|| c.members());
                    std::mem::take(&mut members[c.of[at] as usize])
                }
                Relation::Edges(e) => e.from(at).to_vec(),
            };
            for next in next {
                let next = next as usize;
                if let std::collections::hash_map::Entry::Vacant(entry) = self.came.entry(next) {
                    entry.insert(Some((agent, at)));
                    self.queue.push_back(next);
                }
            }
        }
    }

    fn path_to(&self, world: usize) -> Steps<usize> {
        let mut steps = Vec::new();
        let mut at = world;
        while let Some(Some((agent, from))) = self.came.get(&at) {
            steps.push((*agent, at));
            at = *from;
        }
        steps.reverse();
        steps
    }
}

/// A world of a symbolic structure: a value for each of its variables, sorted by variable.
pub(crate) type Assignment = Vec<(u32, bool)>;

fn value_of(world: &Assignment, var: u32) -> bool {
    world.binary_search_by_key(&var, |(v, _)| *v).is_ok_and(|at| world[at].1)
}

/// Explanations cannot start again in a larger manager: a full one is a limit.
fn settled<T>(result: Symbolic<T>, bytes: usize) -> Result<T, CheckError> {
    result.map_err(|stopped| match stopped {
        Stopped::Full => stop::go_on().err().unwrap_or(super::Limit::DiagramBytes(bytes)).into(),
        Stopped::Error(error) => error,
    })
}

/// A symbolic checker with the size to name when it is full.
pub(crate) struct SymbolicGround<'c, B: Bdd> {
    pub(crate) checker: &'c mut SymbolicChecker<B>,
    pub(crate) bytes: usize,
}

impl<B: Bdd> SymbolicGround<'_, B> {
    /// The worlds that all of the agents confuse with this one, restricted to a set.
    fn confused(&self, stage: usize, agents: &[usize], world: &Assignment, set: &B::F) -> Symbolic<(B::F, Vec<u32>)> {
        let structure = self.checker.structure(stage);
        let hidden = structure.hidden(agents);
        let seen: Vec<(u32, bool)> = world.iter().copied().filter(|(v, _)| hidden.binary_search(v).is_err()).collect();
        let bdd = self.checker.bdd();
        let here = bdd.restrict(&bdd.and(&structure.law, set)?, &seen)?;
        Ok((here, hidden))
    }

    fn join(&self, world: &Assignment, hidden: &[u32], values: &[bool]) -> Assignment {
        let mut other = world.clone();
        for (var, value) in hidden.iter().zip(values) {
            if let Ok(at) = other.binary_search_by_key(var, |(v, _)| *v) {
                other[at].1 = *value;
            }
        }
        other
    }

    fn nearest_in(
        &self,
        stage: usize,
        agents: &[usize],
        world: &Assignment,
        set: &B::F,
    ) -> Symbolic<Option<Assignment>> {
        let (here, hidden) = self.confused(stage, agents, world, set)?;
        let reference: Vec<bool> = hidden.iter().map(|&v| value_of(world, v)).collect();
        let found = closest(self.checker.bdd(), &here, &hidden, &reference, |_| 1);
        Ok(found.map(|values| self.join(world, &hidden, &values)))
    }

    fn holding(&mut self, stage: usize, f: &F, value: bool) -> Symbolic<B::F> {
        let f = self.checker.eval(stage, f)?;
        Ok(if value { f } else { self.checker.bdd().not(&f)? })
    }

    /// The set, and what the agents cannot tell from it, one agent at a time.
    fn spread(&self, stage: usize, agents: &[usize], set: &B::F) -> Symbolic<B::F> {
        let structure = self.checker.structure(stage);
        let bdd = self.checker.bdd();
        let mut wider = set.clone();
        for &agent in agents {
            let cube = structure.unobserved(bdd, &[agent])?;
            let more = bdd.exists(set, &cube)?;
            wider = bdd.or(&wider, &bdd.and(&structure.law, &more)?)?;
        }
        Ok(wider)
    }

    fn path_to(
        &mut self,
        stage: usize,
        agents: &[usize],
        world: &Assignment,
        f: &F,
    ) -> Symbolic<Option<Steps<Assignment>>> {
        let failing = self.holding(stage, f, false)?;
        let mut layers = vec![self.checker.bdd().and(&self.checker.structure(stage).law, &failing)?];
        loop {
            let last = &layers[layers.len() - 1];
            if evaluate(self.checker.bdd(), last, |v| value_of(world, v)) {
                break;
            }
            let wider = self.spread(stage, agents, last)?;
            if wider == *last {
                return Ok(None);
            }
            layers.push(wider);
        }
        let mut steps = Vec::new();
        let mut at = world.clone();
        for layer in layers.iter().rev().skip(1) {
            for &agent in agents {
                if let Some(next) = self.nearest_in(stage, &[agent], &at, layer)? {
                    at = next.clone();
                    steps.push((agent, next));
                    break;
                }
            }
        }
        Ok(Some(steps))
    }
}

impl<B: Bdd> Ground for SymbolicGround<'_, B> {
    type World = Assignment;

    fn agents(&self) -> Vec<Name> {
        self.checker.agents().to_vec()
    }

    fn truth(&mut self, stage: usize, f: &F, world: &Assignment) -> Result<bool, CheckError> {
        let f = settled(self.checker.eval(stage, f), self.bytes)?;
        Ok(evaluate(self.checker.bdd(), &f, |v| value_of(world, v)))
    }

    fn view(&self, stage: usize, world: &Assignment) -> WorldView {
        let value = |v: u32| value_of(world, v);
        let facts = self.checker.facts(stage, &value);
        let name = self.checker.original_name(&value).map_or_else(|| facts.label(), |name| name.to_string());
        WorldView { name, facts }
    }

    fn nearest(
        &mut self,
        stage: usize,
        agents: &[usize],
        world: &Assignment,
        f: &F,
        value: bool,
    ) -> Result<Option<Assignment>, CheckError> {
        let bytes = self.bytes;
        let set = settled(self.holding(stage, f, value), bytes)?;
        settled(self.nearest_in(stage, agents, world, &set), bytes)
    }

    fn reflexive(&mut self, _: usize, _: &[usize], _: &Assignment) -> bool {
        true
    }

    fn pairs(&mut self, stage: usize, action: &Action) -> Result<BigUint, CheckError> {
        let after = settled(self.checker.update(stage, action), self.bytes)?.stage;
        self.count(after)
    }

    fn alternatives(&mut self, stage: usize, agents: &[usize], world: &Assignment) -> Result<BigUint, CheckError> {
        let all = self.checker.bdd().constant(true);
        let (here, hidden) = settled(self.confused(stage, agents, world, &all), self.bytes)?;
        Ok(count(self.checker.bdd(), &here, &hidden))
    }

    fn path(
        &mut self,
        stage: usize,
        agents: &[usize],
        world: &Assignment,
        f: &F,
    ) -> Result<Option<Steps<Assignment>>, CheckError> {
        let bytes = self.bytes;
        settled(self.path_to(stage, agents, world, f), bytes)
    }

    fn reachable(&mut self, stage: usize, agents: &[usize], world: &Assignment) -> Result<BigUint, CheckError> {
        let reach = || -> Symbolic<BigUint> {
            let bdd = self.checker.bdd();
            let mut set = bdd.constant(true);
            for &(v, value) in world.iter().rev() {
                let literal = bdd.var(v)?;
                set = bdd.and(&if value { literal } else { bdd.not(&literal)? }, &set)?;
            }
            loop {
                let wider = self.spread(stage, agents, &set)?;
                if wider == set {
                    return Ok(count(bdd, &set, &self.checker.structure(stage).frame.vars));
                }
                set = wider;
            }
        };
        settled(reach(), self.bytes)
    }

    fn count(&mut self, stage: usize) -> Result<BigUint, CheckError> {
        let structure = self.checker.structure(stage);
        Ok(count(self.checker.bdd(), &structure.law, &structure.frame.vars))
    }

    fn update(&mut self, stage: usize, action: &Action) -> Result<(usize, Arc<ActionModel>), CheckError> {
        let update = settled(self.checker.update(stage, action), self.bytes)?;
        Ok((update.stage, update.action.clone()))
    }

    fn removed(&mut self, stage: usize, action: &Action, most: usize) -> Result<Vec<WorldView>, CheckError> {
        let update = settled(self.checker.update(stage, action), self.bytes)?;
        let bdd = self.checker.bdd();
        let structure = self.checker.structure(stage);
        let gone = || -> Symbolic<B::F> { Ok(bdd.and(&structure.law, &bdd.not(&update.pre[0])?)?) };
        let gone = settled(gone(), self.bytes)?;
        let vars = &structure.frame.vars;
        if count(bdd, &gone, vars) > most.into() {
            return Ok(Vec::new());
        }
        let worlds = models(bdd, &gone, vars).map(|values| vars.iter().copied().zip(values).collect());
        Ok(worlds.map(|w: Assignment| self.view(stage, &w)).collect())
    }

    fn execute(
        &mut self,
        stage: usize,
        action: &Action,
        world: &Assignment,
        event: usize,
    ) -> Result<Option<Assignment>, CheckError> {
        let update = settled(self.checker.update(stage, action), self.bytes)?;
        if !evaluate(self.checker.bdd(), &update.pre[event], |v| value_of(world, v)) {
            return Ok(None);
        }
        let mut after = world.clone();
        after.extend(&update.literals[event]);
        after.sort_unstable();
        Ok(Some(after))
    }
}

impl<B: Bdd> SymbolicChecker<B> {
    /// What is true where the variables of a stage have these values.
    pub(crate) fn facts(&self, stage: usize, value: &dyn Fn(u32) -> bool) -> Facts {
        let structure = self.structure(stage);
        let mut props: Vec<Name> = Vec::new();
        for (name, f) in structure.atoms.iter() {
            if evaluate(self.bdd(), f, value) {
                props.push(name.clone());
            }
        }
        let mut vars = Vec::new();
        for (name, parts) in structure.terms.iter() {
            if let Some((v, _)) = parts.iter().find(|(_, f)| evaluate(self.bdd(), f, value)) {
                vars.push((name.clone(), v.clone()));
            }
        }
        let order = self.declared();
        props.sort_by_key(|p| order.get(p).copied());
        vars.sort_by_key(|(x, _)| order.get(x).copied());
        Facts { props, vars }
    }
}
