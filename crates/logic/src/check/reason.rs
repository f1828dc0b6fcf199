//! Why a formula holds or fails at a world: the alternative an agent cannot exclude, the path of agents, what an
//! update removed.

use super::limits::CheckError;
use crate::formula::{Action, ActionModel, F, Formula, Group, Name, Names};
use crate::model::law::Facts;
use num_bigint::BigUint;
use std::sync::Arc;

/// A world as it is shown: its name and what is true in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldView {
    /// The name, or the facts if it has none.
    pub name: String,
    /// What is true there.
    pub facts: Facts,
}

/// A fact in which two worlds differ, as text: `muddy(1)`, `!muddy(1)`, `x = 4`.
pub type Difference = String;

/// Another world that agents cannot tell from the first.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Who cannot tell them apart.
    pub agents: Vec<Name>,
    /// The other world.
    pub world: WorldView,
    /// What is different there.
    pub differs: Vec<Difference>,
}

/// Why a formula has its truth value at a world.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The formula, as text with the names of the file.
    pub formula: String,
    /// Whether it holds.
    pub holds: bool,
    /// Where.
    pub world: WorldView,
    /// Why.
    pub because: Because,
}

/// The kinds of reasons.
#[derive(Clone, Debug)]
pub enum Because {
    /// A fact of the world.
    Fact,
    /// It follows from these parts.
    Parts(Vec<Reason>),
    /// Every one of the parts holds, or fails, and there are too many to go through.
    ManyParts(usize),
    /// The agents cannot exclude this world, where the inner formula decides.
    Alternative(Alternative, Box<Reason>),
    /// A path of agents leads to a world where the inner formula decides.
    Path(Vec<Alternative>, Box<Reason>),
    /// Several worlds that the agent cannot exclude, with different values of the inner formula.
    Alternatives(Vec<(Alternative, Reason)>),
    /// The inner formula is the same in all worlds that these agents consider possible.
    AllAlternatives {
        /// The agents.
        agents: Vec<Name>,
        /// How many worlds there are; of several agents the largest number.
        worlds: BigUint,
        /// Whether the actual world is among them; in belief models it need not be.
        actual: bool,
    },
    /// The inner formula holds in all worlds that can be reached through the agents: how many there are.
    AllReachable(Vec<Name>, BigUint),
    /// The action leads from so many worlds to so many, and there the inner formula decides.
    Update {
        /// The action.
        action: String,
        /// The event that happens, where there are several.
        event: Option<String>,
        /// The worlds before.
        before: BigUint,
        /// The worlds after.
        after: BigUint,
        /// The worlds that are gone, if they are few.
        removed: Vec<WorldView>,
        /// Why the rest of the formula has its value.
        then: Box<Reason>,
    },
    /// The action cannot be executed here.
    CannotHappen(String, Vec<Reason>),
    /// The same for every way in which the action can happen: how many there are.
    EveryWay(String, usize),
}

/// Steps from world to world, each by an agent.
pub(crate) type Steps<W> = Vec<(usize, W)>;

/// What explanations need of an engine.
pub(crate) trait Ground {
    /// A world of a stage.
    type World: Clone;

    fn agents(&self) -> Vec<Name>;
    fn truth(&mut self, stage: usize, f: &F, world: &Self::World) -> Result<bool, CheckError>;
    fn view(&self, stage: usize, world: &Self::World) -> WorldView;
    /// The world nearest to this one that all of the agents confuse with it and where the formula has the value.
    fn nearest(
        &mut self,
        stage: usize,
        agents: &[usize],
        world: &Self::World,
        f: &F,
        value: bool,
    ) -> Result<Option<Self::World>, CheckError>;
    /// Whether the world is among its own alternatives.
    fn reflexive(&mut self, stage: usize, agents: &[usize], world: &Self::World) -> bool;
    /// How many worlds all of the agents confuse with this one.
    fn alternatives(&mut self, stage: usize, agents: &[usize], world: &Self::World) -> Result<BigUint, CheckError>;
    /// A shortest path of single agents to a world where the formula fails; empty if it fails here.
    fn path(
        &mut self,
        stage: usize,
        agents: &[usize],
        world: &Self::World,
        f: &F,
    ) -> Result<Option<Steps<Self::World>>, CheckError>;
    /// How many worlds can be reached through the agents.
    fn reachable(&mut self, stage: usize, agents: &[usize], world: &Self::World) -> Result<BigUint, CheckError>;
    /// How many worlds the stage has.
    fn count(&mut self, stage: usize) -> Result<BigUint, CheckError>;
    /// How many pairs of a world and an event an action leaves.
    fn pairs(&mut self, stage: usize, action: &Action) -> Result<BigUint, CheckError>;
    /// Executes an action: the stage after it, and its action model.
    fn update(&mut self, stage: usize, action: &Action) -> Result<(usize, Arc<ActionModel>), CheckError>;
    /// The worlds in which a public action of one event cannot happen, if they are at most so many.
    fn removed(&mut self, stage: usize, action: &Action, most: usize) -> Result<Vec<WorldView>, CheckError>;
    /// The world after an event of an executed action; `None` if it cannot happen here.
    fn execute(
        &mut self,
        stage: usize,
        action: &Action,
        world: &Self::World,
        event: usize,
    ) -> Result<Option<Self::World>, CheckError>;
}

/// More parts than this are counted, not listed.
const LISTED: usize = 6;

/// What `[α] g` or `<α> g` says of what comes after the action.
#[derive(Clone, Copy)]
struct Goal<'f> {
    g: &'f F,
    /// The truth value to explain.
    holds: bool,
    diamond: bool,
}

/// Explains formulas at worlds.
pub(crate) struct Explainer<'g, G: Ground> {
    pub(crate) ground: &'g mut G,
    pub(crate) names: &'g Names,
}

type Explained<T> = Result<T, CheckError>;

impl<G: Ground> Explainer<'_, G> {
    pub(crate) fn explain(&mut self, stage: usize, f: &F, world: &G::World) -> Explained<Reason> {
        let holds = self.ground.truth(stage, f, world)?;
        let because = self.because(stage, f, world, holds)?;
        Ok(Reason { formula: self.names.formula(f), holds, world: self.ground.view(stage, world), because })
    }

    fn indices(&self, group: &Group) -> Vec<usize> {
        let agents = self.ground.agents();
        match group {
            Group::All => (0..agents.len()).collect(),
            Group::Of(names) => names.iter().filter_map(|n| agents.iter().position(|a| a == n)).collect(),
        }
    }

    fn names(&self, indices: &[usize]) -> Vec<Name> {
        let agents = self.ground.agents();
        indices.iter().map(|&i| agents[i].clone()).collect()
    }

    fn because(&mut self, stage: usize, f: &F, world: &G::World, holds: bool) -> Explained<Because> {
        Ok(match &**f {
            Formula::Const(_) | Formula::Atom(_) | Formula::Compare(..) => Because::Fact,
            Formula::Not(g) => Because::Parts(vec![self.explain(stage, g, world)?]),
            Formula::And(parts) => self.parts(stage, parts, world, holds, false)?,
            Formula::Or(parts) => self.parts(stage, parts, world, holds, true)?,
            Formula::Imp(a, b) => {
                let cause = if holds && !self.ground.truth(stage, a, world)? { vec![a] } else { vec![b] };
                let cause = if holds { cause } else { vec![a, b] };
                Because::Parts(cause.into_iter().map(|g| self.explain(stage, g, world)).collect::<Explained<_>>()?)
            }
            Formula::Iff(a, b) => Because::Parts(vec![self.explain(stage, a, world)?, self.explain(stage, b, world)?]),
            Formula::Xor(parts) | Formula::Count(_, _, parts) => {
                let mut true_parts = Vec::new();
                for part in parts {
                    if self.ground.truth(stage, part, world)? {
                        true_parts.push(part);
                    }
                }
                if true_parts.len() > LISTED {
                    Because::ManyParts(true_parts.len())
                } else {
                    let parts = true_parts.into_iter().map(|g| self.explain(stage, g, world));
                    Because::Parts(parts.collect::<Explained<_>>()?)
                }
            }
            Formula::Knows(agent, g) => {
                let agents = self.indices(&Group::Of(vec![agent.clone()]));
                self.alternatives(stage, &agents, g, world, holds, false)?
            }
            Formula::Possible(agent, g) => {
                let agents = self.indices(&Group::Of(vec![agent.clone()]));
                self.alternatives(stage, &agents, g, world, !holds, true)?
            }
            Formula::KnowsWhether(agent, g) => {
                let agents = self.indices(&Group::Of(vec![agent.clone()]));
                let here = self.ground.truth(stage, g, world)?;
                if holds {
                    self.all_alternatives(stage, &agents, world)?
                } else if self.ground.reflexive(stage, &agents, world) {
                    self.one_alternative(stage, &agents, g, world, !here)?
                } else {
                    let mut both = Vec::new();
                    for wanted in [true, false] {
                        if let Some(other) = self.ground.nearest(stage, &agents, world, g, wanted)? {
                            both.push((self.step(stage, &agents, world, &other), self.explain(stage, g, &other)?));
                        }
                    }
                    Because::Alternatives(both)
                }
            }
            Formula::Everyone(group, g) => {
                let agents = self.indices(group);
                let mut failing = None;
                for &agent in &agents {
                    if !holds && self.ground.nearest(stage, &[agent], world, g, false)?.is_some() {
                        failing = Some(agent);
                        break;
                    }
                }
                match failing {
                    Some(agent) => self.one_alternative(stage, &[agent], g, world, false)?,
                    None => {
                        let mut worlds = BigUint::ZERO;
                        for &agent in &agents {
                            worlds = worlds.max(self.ground.alternatives(stage, &[agent], world)?);
                        }
                        Because::AllAlternatives { agents: self.names(&agents), worlds, actual: true }
                    }
                }
            }
            Formula::Distributed(group, g) => {
                let agents = self.indices(group);
                self.alternatives(stage, &agents, g, world, holds, false)?
            }
            Formula::Common(group, g) => {
                let agents = self.indices(group);
                match self.ground.path(stage, &agents, world, g)? {
                    None => Because::AllReachable(self.names(&agents), self.ground.reachable(stage, &agents, world)?),
                    Some(steps) => {
                        let mut path = Vec::new();
                        let mut at = world.clone();
                        for (agent, next) in steps {
                            path.push(self.step(stage, &[agent], &at, &next));
                            at = next;
                        }
                        Because::Path(path, Box::new(self.explain(stage, g, &at)?))
                    }
                }
            }
            Formula::After(action, g) => {
                self.after(stage, &mut vec![action], world, Goal { g, holds, diamond: false })?
            }
            Formula::Can(action, g) => self.after(stage, &mut vec![action], world, Goal { g, holds, diamond: true })?,
            Formula::Path(..)
            | Formula::Until(..)
            | Formula::Ensure(..)
            | Formula::EnsureUntil(..)
            | Formula::Ought(..)
            | Formula::Runs(..)
            | Formula::Linear(..)
            | Formula::LinearUntil(..)
            | Formula::Release(..) => return Err(CheckError::Temporal),
        })
    }

    /// A conjunction (or, with `any`, a disjunction): the part that decides, or all of them.
    fn parts(&mut self, stage: usize, parts: &[F], world: &G::World, holds: bool, any: bool) -> Explained<Because> {
        if holds == any {
            for part in parts {
                if self.ground.truth(stage, part, world)? == any {
                    return Ok(Because::Parts(vec![self.explain(stage, part, world)?]));
                }
            }
        }
        if parts.len() > LISTED {
            return Ok(Because::ManyParts(parts.len()));
        }
        let parts = parts.iter().map(|p| self.explain(stage, p, world));
        Ok(Because::Parts(parts.collect::<Explained<_>>()?))
    }

    fn step(&mut self, stage: usize, agents: &[usize], from: &G::World, to: &G::World) -> Alternative {
        let (here, there) = (self.ground.view(stage, from), self.ground.view(stage, to));
        Alternative { agents: self.names(agents), differs: differences(&here.facts, &there.facts), world: there }
    }

    /// All alternatives are alike (`alike`), or one of them shows that they are not.
    fn alternatives(
        &mut self,
        stage: usize,
        agents: &[usize],
        g: &F,
        world: &G::World,
        alike: bool,
        wanted: bool,
    ) -> Explained<Because> {
        if alike {
            return self.all_alternatives(stage, agents, world);
        }
        self.one_alternative(stage, agents, g, world, wanted)
    }

    fn all_alternatives(&mut self, stage: usize, agents: &[usize], world: &G::World) -> Explained<Because> {
        Ok(Because::AllAlternatives {
            agents: self.names(agents),
            worlds: self.ground.alternatives(stage, agents, world)?,
            actual: self.ground.reflexive(stage, agents, world),
        })
    }

    fn one_alternative(
        &mut self,
        stage: usize,
        agents: &[usize],
        g: &F,
        world: &G::World,
        wanted: bool,
    ) -> Explained<Because> {
        Ok(match self.ground.nearest(stage, agents, world, g, wanted)? {
            Some(other) => {
                let step = self.step(stage, agents, world, &other);
                Because::Alternative(step, Box::new(self.explain(stage, g, &other)?))
            }
            None => self.all_alternatives(stage, agents, world)?,
        })
    }

    /// `[α₁; α₂; …] g` or `<…> g`, the next action last in `todo`.
    fn after(&mut self, stage: usize, todo: &mut Vec<&Action>, world: &G::World, goal: Goal<'_>) -> Explained<Because> {
        let Goal { g, holds, diamond } = goal;
        let Some(action) = todo.pop() else { return Ok(Because::Parts(vec![self.explain(stage, g, world)?])) };
        match action {
            Action::Test(test) => {
                if !self.ground.truth(stage, test, world)? {
                    let why = self.explain(stage, test, world)?;
                    return Ok(Because::CannotHappen(self.names.action(action), vec![why]));
                }
                self.after(stage, todo, world, goal)
            }
            Action::Seq(parts) => {
                todo.extend(parts.iter().rev());
                self.after(stage, todo, world, goal)
            }
            Action::Choice(parts) => {
                // One alternative decides a false box or a true diamond.
                if holds == diamond {
                    for part in parts {
                        if self.leads(stage, part, todo, g, world, diamond)? == holds {
                            todo.push(part);
                            return self.after(stage, todo, world, goal);
                        }
                    }
                }
                Ok(Because::EveryWay(self.names.action(action), parts.len()))
            }
            Action::Both(a, b) => {
                // Concurrent actions turn the quantifier round: one suffices for a true box or a false diamond.
                if holds != diamond {
                    for part in [&**a, &**b] {
                        if self.leads(stage, part, todo, g, world, diamond)? == holds {
                            todo.push(part);
                            return self.after(stage, todo, world, goal);
                        }
                    }
                }
                Ok(Because::EveryWay(self.names.action(action), 2))
            }
            Action::Learn(..) | Action::Announce(_) | Action::Model(_) => {
                self.through(stage, action, todo, world, goal)
            }
            Action::Local(_) => Err(crate::update::BrokenAction::Mark.into()),
            Action::Move(_) => Err(crate::update::BrokenAction::Move.into()),
        }
    }

    /// The truth of `[action; todo] g` (or `<…>`), by walking through it.
    fn leads(
        &mut self,
        stage: usize,
        action: &Action,
        todo: &[&Action],
        g: &F,
        world: &G::World,
        diamond: bool,
    ) -> Explained<bool> {
        let mut next: Vec<&Action> = todo.to_vec();
        match action {
            Action::Test(test) => {
                if !self.ground.truth(stage, test, world)? {
                    return Ok(!diamond);
                }
                self.leads_rest(stage, &next, g, world, diamond)
            }
            Action::Seq(parts) => {
                next.extend(parts.iter().rev());
                self.leads_rest(stage, &next, g, world, diamond)
            }
            Action::Choice(parts) => {
                for part in parts {
                    if self.leads(stage, part, todo, g, world, diamond)? == diamond {
                        return Ok(diamond);
                    }
                }
                Ok(!diamond)
            }
            Action::Both(a, b) => {
                for part in [&**a, &**b] {
                    if self.leads(stage, part, todo, g, world, diamond)? != diamond {
                        return Ok(!diamond);
                    }
                }
                Ok(diamond)
            }
            Action::Learn(..) | Action::Announce(_) | Action::Model(_) => {
                let (after, model) = self.ground.update(stage, action)?;
                for (e, event) in model.events.iter().enumerate() {
                    if event.designated
                        && let Some(there) = self.ground.execute(stage, action, world, e)?
                        && self.leads_rest(after, todo, g, &there, diamond)? == diamond
                    {
                        return Ok(diamond);
                    }
                }
                Ok(!diamond)
            }
            Action::Local(_) => Err(crate::update::BrokenAction::Mark.into()),
            Action::Move(_) => Err(crate::update::BrokenAction::Move.into()),
        }
    }

    fn leads_rest(
        &mut self,
        stage: usize,
        todo: &[&Action],
        g: &F,
        world: &G::World,
        diamond: bool,
    ) -> Explained<bool> {
        match todo.split_last() {
            None => self.ground.truth(stage, g, world),
            Some((next, rest)) => self.leads(stage, next, rest, g, world, diamond),
        }
    }

    fn through(
        &mut self,
        stage: usize,
        action: &Action,
        todo: &mut Vec<&Action>,
        world: &G::World,
        goal: Goal<'_>,
    ) -> Explained<Because> {
        let Goal { g, holds, diamond } = goal;
        let (after, model) = self.ground.update(stage, action)?;
        let mut ways = Vec::new();
        for (e, event) in model.events.iter().enumerate() {
            if event.designated
                && let Some(there) = self.ground.execute(stage, action, world, e)?
            {
                ways.push((e, there));
            }
        }
        if ways.is_empty() {
            let mut why = Vec::new();
            for event in model.events.iter().filter(|e| e.designated).take(1) {
                why.push(self.explain(stage, &event.pre, world)?);
            }
            return Ok(Because::CannotHappen(self.names.action(action), why));
        }
        let mut chosen = None;
        for (i, (_, there)) in ways.iter().enumerate() {
            if self.leads_rest(after, todo, g, there, diamond)? == holds {
                chosen = Some(i);
                break;
            }
        }
        // A true box (false diamond) is so for every way; one way is shown when there is only one.
        if holds != diamond && ways.len() > 1 {
            return Ok(Because::EveryWay(self.names.action(action), ways.len()));
        }
        let (event, there) = &ways[chosen.unwrap_or(0)];
        let then = if todo.is_empty() {
            self.explain(after, g, there)?
        } else {
            let rest = Action::Seq(todo.iter().rev().map(|a| (*a).clone()).collect());
            let rest = self.names.action(&rest);
            let rest = if diamond { format!("<{rest}> …") } else { format!("[{rest}] …") };
            let because = self.after(after, todo, there, goal)?;
            Reason { formula: rest, holds, world: self.ground.view(after, there), because }
        };
        let several = model.events.len() > 1;
        Ok(Because::Update {
            action: self.names.action(action),
            event: several.then(|| model.events[*event].name.to_string()),
            before: self.ground.count(stage)?,
            after: self.ground.pairs(stage, action)?,
            removed: if several { Vec::new() } else { self.ground.removed(stage, action, LISTED)? },
            then: Box::new(then),
        })
    }
}

/// What is true at the second and not at the first, as text.
pub(crate) fn differences(here: &Facts, there: &Facts) -> Vec<Difference> {
    let mut all: Vec<Difference> = Vec::new();
    all.extend(there.props.iter().filter(|p| !here.props.contains(p)).map(|p| p.to_string()));
    all.extend(here.props.iter().filter(|p| !there.props.contains(p)).map(|p| format!("!{p}")));
    let changed = there.vars.iter().filter(|v| !here.vars.contains(v));
    all.extend(changed.map(|(x, v)| format!("{x} = {v}")));
    all
}
