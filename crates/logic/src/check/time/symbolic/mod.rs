//! Without memory, symbolically: sets of reachable states as Boolean functions.
//!
//! The step relation is never built as a whole. It is a list of parts (protocols and groups of rules); an image
//! conjoins them one after the other and forgets each variable as soon as no later part mentions it. Choices that only
//! few parts depend on are forgotten once, before any image. Elements that never change have no copy after the step.

mod encode;
mod evaluate;
mod scene;

use crate::bdd::{Bdd, Capacity, OxiddBdd, count, evaluate, models, renamed, support};
use crate::check::CheckError;
use crate::check::core::{Core, Steps, Who};
use crate::check::evaluate::{Accepted, Evaluator};
use crate::formula::{F, Formula, Name};
use crate::model::System;
use crate::model::explore::{State, Stepper};
use crate::model::symbolic::{Symbolic, all, any};
use encode::{Encoder, Layout, Part};
use num_bigint::BigUint;
use std::collections::{HashMap, HashSet};
use std::ops::Deref;

pub(crate) use scene::SymbolicScene;

type X<B> = <B as Bdd>::F;

/// Parts larger than this are not merged.
const MERGED: usize = 2_000;

/// A list of parts with the variables to forget after each; the first entry is what no part mentions.
struct Schedule<B: Bdd> {
    first: B::Cube,
    steps: Vec<(X<B>, B::Cube)>,
}

/// A system with its reachable states, and formulas evaluated on them.
pub(crate) struct SymbolicSystem<B: Bdd>(Evaluator<StateSets<B>>);

impl<B: Bdd> SymbolicSystem<B> {
    /// The reachable states at which a formula holds.
    pub(crate) fn eval(&mut self, f: &F) -> Symbolic<X<B>> {
        self.0.formula(0, f)
    }

    /// What accepts the runs of `E ψ`; `None` of any other formula.
    pub(crate) fn accepted(&mut self, f: &F) -> Symbolic<Option<Accepted<X<B>>>> {
        self.0.accepted(f)
    }
}

impl<B: Bdd> Deref for SymbolicSystem<B> {
    type Target = StateSets<B>;

    fn deref(&self) -> &StateSets<B> {
        &self.0.algebra
    }
}

/// Sets of the reachable states of a system.
pub(crate) struct StateSets<B: Bdd> {
    pub(crate) bdd: B,
    pub(crate) layout: Layout,
    pub(crate) stepper: Stepper,
    pub(crate) system: System,
    /// Protocols and rules as written.
    parts: Vec<Part<X<B>>>,
    protocols: Vec<X<B>>,
    /// Elements that have a copy after the step.
    moving: Vec<bool>,
    forward: Schedule<B>,
    backward: Schedule<B>,
    /// As `backward`, with the choices of actors kept in every part.
    labelled: Schedule<B>,
    pub(crate) initial: X<B>,
    pub(crate) reach: X<B>,
    /// The states first reached after so many steps.
    pub(crate) rings: Vec<X<B>>,
    /// The reachable states on fair runs; `None` if all are.
    fair_states: Option<X<B>>,
    /// Where the conditions of fairness hold.
    conditions: Vec<X<B>>,
    ends: Option<X<B>>,
    sights: Vec<(Vec<usize>, Vec<X<B>>)>,
    fair: HashMap<Steps, X<B>>,
}

/// The system in a manager of this capacity.
pub(crate) fn open_in(system: &System, capacity: Capacity) -> Symbolic<SymbolicSystem<OxiddBdd>> {
    let layout = Layout::new(system);
    let bdd = OxiddBdd::open(layout.vars, capacity).map_err(CheckError::from)?;
    SymbolicSystem::new(bdd, layout, system)
}

impl<B: Bdd> SymbolicSystem<B> {
    /// A system with fair runs only.
    fn new(bdd: B, layout: Layout, system: &System) -> Symbolic<SymbolicSystem<B>> {
        let core = Core::new(&system.vocabulary.agents);
        // The conditions are judged before any state is left out.
        let mut plain = Evaluator::new(StateSets::new(bdd, layout, system)?, core.clone());
        let conditions = system.fairness.iter().map(|f| plain.formula(0, f)).collect::<Symbolic<Vec<_>>>()?;
        let mut sets = plain.algebra;
        sets.leave_out_unfair(conditions)?;
        Ok(SymbolicSystem(Evaluator::new(sets, core)))
    }
}

impl<B: Bdd> StateSets<B> {
    fn new(bdd: B, layout: Layout, system: &System) -> Symbolic<StateSets<B>> {
        let mut encoder = Encoder::new(&bdd, &layout);
        let protocols = encoder.protocols(system)?;
        let (groups, wrong) = encoder.evolution(system)?;
        let mut laws = vec![encoder.valid()?];
        for law in &system.vocabulary.laws {
            laws.push(encoder.formula(&law.formula)?);
        }
        let initial = all(&bdd, laws)?;
        if initial == bdd.constant(false) {
            return Err(CheckError::NoWorld(system.vocabulary.laws.clone()).into());
        }
        let sights = system.vocabulary.observes.iter().map(|seen| encoder.sight(seen)).collect::<Symbolic<Vec<_>>>()?;
        let mut moving = vec![false; layout.size()];
        groups.iter().flat_map(|g| &g.targets).for_each(|&e| moving[e] = true);
        let own: Vec<X<B>> = protocols.iter().map(|p| p.relation.clone()).collect();
        let parts: Vec<Part<X<B>>> = protocols.into_iter().chain(groups).collect();
        let merged = merge(&bdd, &layout, &parts)?;
        let moved: Vec<usize> = (0..moving.len()).filter(|&e| moving[e]).collect();
        let choices: Vec<u32> = (0..system.actors.len()).flat_map(|a| layout.choice_vars(a).iter().copied()).collect();
        let mut before = layout.before_vars(&moved);
        before.extend(&choices);
        let mut after = layout.after_vars(&moved);
        after.extend(&choices);
        let relations = |parts: &[Part<X<B>>]| parts.iter().map(|p| p.relation.clone()).collect::<Vec<_>>();
        let forward = schedule(&bdd, relations(&merged), &before)?;
        let backward = schedule(&bdd, relations(&merged), &after)?;
        let labelled = schedule(&bdd, relations(&parts), &after)?;
        drop(encoder);
        let no = bdd.constant(false);
        let mut found = StateSets {
            stepper: Stepper::new(system),
            system: system.clone(),
            parts,
            protocols: own,
            moving,
            forward,
            backward,
            labelled,
            reach: initial.clone(),
            rings: vec![initial.clone()],
            initial,
            fair_states: None,
            conditions: Vec::new(),
            ends: None,
            sights,
            fair: HashMap::new(),
            bdd,
            layout,
        };
        loop {
            let frontier = found.rings[found.rings.len() - 1].clone();
            let next = found.image(&frontier)?;
            let new = found.bdd.and(&next, &found.bdd.not(&found.reach)?)?;
            if new == no {
                break;
            }
            found.reach = found.bdd.or(&found.reach, &new)?;
            found.rings.push(new);
        }
        found.sound(&wrong)?;
        Ok(found)
    }

    /// Refuses a system with a reachable state in which a protocol enables nothing or a rule goes out of range.
    fn sound(&self, wrong: &[encode::Wrong<X<B>>]) -> Symbolic<()> {
        let no = self.bdd.constant(false);
        for wrong in wrong {
            let mut here = self.bdd.and(&self.reach, &wrong.states)?;
            for enabled in &self.protocols {
                here = self.bdd.and(&here, enabled)?;
            }
            let choices = (0..self.protocols.len()).flat_map(|a| self.layout.choice_vars(a).iter().copied());
            let here = self.bdd.exists(&here, &self.bdd.cube(choices)?)?;
            if here != no
                && let Some(state) = self.pick(&here)
            {
                // The rule in question says which value it would be.
                self.stepper.successors(&state)?;
                return Err(CheckError::OutOfRange {
                    target: wrong.target.clone(),
                    value: None,
                    state: self.stepper.facts(&state).label(),
                    span: wrong.span,
                }
                .into());
            }
        }
        if !self.system.may_end {
            for (a, enabled) in self.protocols.iter().enumerate() {
                let some = self.bdd.exists(enabled, &self.bdd.cube(self.layout.choice_vars(a).iter().copied())?)?;
                let stuck = self.bdd.and(&self.reach, &self.bdd.not(&some)?)?;
                if stuck != no
                    && let Some(state) = self.pick(&stuck)
                {
                    let actor = &self.system.actors[a];
                    let state = self.stepper.facts(&state).label();
                    return Err(CheckError::Stuck { actor: actor.name.clone(), state, span: actor.span }.into());
                }
            }
        }
        Ok(())
    }

    /// Some state of a set.
    pub(crate) fn pick(&self, set: &X<B>) -> Option<State> {
        let vars = self.layout.state_vars();
        let values = models(&self.bdd, set, &vars).next()?;
        let by_var: HashMap<u32, bool> = vars.into_iter().zip(values).collect();
        Some(self.layout.state(|v| by_var.get(&v).copied().unwrap_or(false)))
    }

    /// The states of a set, at most `most`.
    pub(crate) fn some_states(&self, set: &X<B>, most: usize) -> Vec<State> {
        let vars = self.layout.state_vars();
        models(&self.bdd, set, &vars)
            .take(most)
            .map(|values| {
                let by_var: HashMap<u32, bool> = vars.iter().copied().zip(values).collect();
                self.layout.state(|v| by_var.get(&v).copied().unwrap_or(false))
            })
            .collect()
    }

    /// How many states a set has.
    pub(crate) fn count(&self, set: &X<B>) -> BigUint {
        count(&self.bdd, set, &self.layout.state_vars())
    }

    /// Whether a state is in a set.
    pub(crate) fn contains(&self, set: &X<B>, state: &[u16]) -> bool {
        let bits = self.layout.assignment(state);
        evaluate(&self.bdd, set, |v| bits.get(&v).copied().unwrap_or(false))
    }

    fn follow(&self, schedule: &Schedule<B>, set: &X<B>) -> Symbolic<X<B>> {
        let mut now = self.bdd.exists(set, &schedule.first)?;
        for (relation, cube) in &schedule.steps {
            now = self.bdd.and_exists(&now, relation, cube)?;
        }
        Ok(now)
    }

    /// The states that follow those of a set.
    fn image(&self, set: &X<B>) -> Symbolic<X<B>> {
        let after = self.follow(&self.forward, set)?;
        let back = self.renaming(true);
        Ok(renamed(&self.bdd, &after, &|v| back.get(&v).copied().unwrap_or(v))?)
    }

    /// From bits after the step to bits before, or the other way.
    fn renaming(&self, back: bool) -> HashMap<u32, u32> {
        let moved: Vec<usize> = (0..self.moving.len()).filter(|&e| self.moving[e]).collect();
        let (before, after) = (self.layout.before_vars(&moved), self.layout.after_vars(&moved));
        if back { after.into_iter().zip(before).collect() } else { before.into_iter().zip(after).collect() }
    }

    fn primed(&self, set: &X<B>) -> Symbolic<X<B>> {
        let to = self.renaming(false);
        Ok(renamed(&self.bdd, set, &|v| to.get(&v).copied().unwrap_or(v))?)
    }

    /// The part of a set that lies on fair runs.
    pub(crate) fn on_fair_runs(&self, set: &X<B>) -> Symbolic<X<B>> {
        match &self.fair_states {
            Some(fair) => Ok(self.bdd.and(set, fair)?),
            None => Ok(set.clone()),
        }
    }

    /// Whether a state lies on a fair run.
    pub(crate) fn counts(&self, state: &[u16]) -> bool {
        self.fair_states.as_ref().is_none_or(|fair| self.contains(fair, state))
    }

    /// Whether a condition of fairness holds at a state.
    pub(crate) fn meets(&self, condition: usize, state: &[u16]) -> bool {
        self.conditions.get(condition).is_none_or(|set| self.contains(set, state))
    }

    /// The states on fair runs with a step into those of a set: any step, or one that somebody calls so.
    fn before_step(&self, set: &X<B>, name: Option<&Name>) -> Symbolic<X<B>> {
        let next = self.primed(&self.on_fair_runs(set)?)?;
        let found = match name {
            None => self.follow(&self.backward, &next)?,
            Some(name) => {
                let called = self.called(name)?;
                self.follow(&self.labelled, &self.bdd.and(&next, &called)?)?
            }
        };
        self.on_fair_runs(&self.bdd.and(&found, &self.reach)?)
    }

    /// The joint choices in which somebody does what is called so.
    fn called(&self, name: &Name) -> Symbolic<X<B>> {
        let mut encoder = Encoder::new(&self.bdd, &self.layout);
        let mut found = Vec::new();
        for actor in &self.system.actors {
            for action in &actor.actions {
                let full: Name = format!("{}.{action}", actor.name).into();
                if full == *name || action == name {
                    found.push(encoder.formula(&Formula::atom(full))?);
                }
            }
        }
        Ok(any(&self.bdd, found)?)
    }

    fn outside(&self, set: &X<B>) -> Symbolic<X<B>> {
        Ok(self.bdd.and(&self.reach, &self.bdd.not(set)?)?)
    }

    /// The reachable states that somebody confuses with one of a set, if that one lies on a fair run.
    pub(crate) fn confused(&self, who: &[usize], set: &X<B>) -> Symbolic<X<B>> {
        let set = &self.on_fair_runs(set)?;
        let mut seen: HashSet<usize> = HashSet::new();
        let mut other: Vec<X<B>> = Vec::new();
        for &agent in who {
            let (plain, functions) = &self.sights[agent];
            seen.extend(plain);
            other.extend(functions.iter().cloned());
        }
        let unseen: Vec<usize> = (0..self.layout.size()).filter(|e| !seen.contains(e)).collect();
        let unseen = self.bdd.cube(self.layout.before_vars(&unseen))?;
        if other.is_empty() {
            return Ok(self.bdd.and(&self.bdd.exists(set, &unseen)?, &self.reach)?);
        }
        let mut says = Vec::new();
        for (i, f) in other.iter().enumerate() {
            says.push(self.bdd.iff(&self.bdd.var(self.layout.spare + i as u32)?, f)?);
        }
        let says = all(&self.bdd, says)?;
        let spare = self.bdd.cube((0..other.len() as u32).map(|i| self.layout.spare + i))?;
        let looks = self.bdd.and_exists(set, &says, &unseen)?;
        Ok(self.bdd.and(&self.bdd.and_exists(&looks, &says, &spare)?, &self.reach)?)
    }

    /// The reachable states all of whose look-alikes on fair runs are in a set.
    fn pooled(&self, who: &[usize], set: &X<B>) -> Symbolic<X<B>> {
        self.outside(&self.confused(who, &self.outside(set)?)?)
    }

    /// The set of one state.
    pub(crate) fn singleton(&self, state: &[u16]) -> Symbolic<X<B>> {
        let encoder = Encoder::new(&self.bdd, &self.layout);
        let mut parts = Vec::new();
        for (e, &value) in state.iter().enumerate() {
            parts.push(encoder.is(e, value as usize)?);
        }
        Ok(all(&self.bdd, parts)?)
    }

    /// The states of a set at which a formula's set has them, or has them not.
    fn split(&self, set: &X<B>, holds: &X<B>, value: bool) -> Symbolic<X<B>> {
        let side = if value { holds.clone() } else { self.bdd.not(holds)? };
        Ok(self.bdd.and(set, &side)?)
    }

    /// The states of a ring with a step into a set.
    fn before_in_ring(&self, set: &X<B>, ring: usize) -> Symbolic<X<B>> {
        Ok(self.bdd.and(&self.before_step(set, None)?, &self.rings[ring])?)
    }

    /// The agents of somebody who pools knowledge.
    pub(crate) fn members_of(who: &Who) -> Vec<usize> {
        match who {
            Who::Agent(a) => vec![*a],
            Who::Each(group) | Who::Together(group) | Who::Commonly(group) => group.clone(),
        }
    }
}

/// Conjoins the parts that depend on one actor's choice, and forgets the choice, wherever the result stays small.
fn merge<B: Bdd>(bdd: &B, layout: &Layout, parts: &[Part<X<B>>]) -> Symbolic<Vec<Part<X<B>>>> {
    let mut parts = parts.to_vec();
    let actors: HashSet<usize> = parts.iter().flat_map(|p| p.actors.iter().copied()).collect();
    let mut actors: Vec<usize> = actors.into_iter().collect();
    actors.sort_unstable();
    for actor in actors {
        let (with, without): (Vec<_>, Vec<_>) = parts.iter().cloned().partition(|p| p.actors.contains(&actor));
        let mut joined = Part { relation: bdd.constant(true), targets: Vec::new(), actors: Vec::new() };
        let mut small = true;
        for part in &with {
            joined.relation = bdd.and(&joined.relation, &part.relation)?;
            joined.targets.extend(&part.targets);
            joined.actors.extend(&part.actors);
            small = bdd.node_count(&joined.relation) <= MERGED;
            if !small {
                break;
            }
        }
        if !small {
            continue;
        }
        joined.actors.sort_unstable();
        joined.actors.dedup();
        joined.actors.retain(|&a| a != actor);
        joined.relation = bdd.exists(&joined.relation, &bdd.cube(layout.choice_vars(actor).iter().copied())?)?;
        parts = without;
        parts.push(joined);
    }
    parts.retain(|p| p.relation != bdd.constant(true));
    Ok(parts)
}

/// Puts parts in an order in which variables can be forgotten early.
fn schedule<B: Bdd>(bdd: &B, relations: Vec<X<B>>, forget: &[u32]) -> Symbolic<Schedule<B>> {
    let forget: HashSet<u32> = forget.iter().copied().collect();
    let mut left: Vec<(X<B>, Vec<u32>)> = relations
        .into_iter()
        .map(|r| {
            let mentioned = support(bdd, &r).into_iter().filter(|v| forget.contains(v)).collect();
            (r, mentioned)
        })
        .collect();
    let mentioned: HashSet<u32> = left.iter().flat_map(|(_, vars)| vars.iter().copied()).collect();
    let first = bdd.cube(forget.iter().copied().filter(|v| !mentioned.contains(v)))?;
    let mut steps = Vec::new();
    while !left.is_empty() {
        // Next comes the part with the most variables that nothing else mentions, then the fewest others.
        let alone = |i: usize| {
            left[i].1.iter().filter(|v| left.iter().enumerate().all(|(j, (_, o))| j == i || !o.contains(v))).count()
        };
        let best = (0..left.len()).max_by_key(|&i| {
            let alone = alone(i);
            (alone as i64 - (left[i].1.len() - alone) as i64, std::cmp::Reverse(i))
        });
        let (relation, vars) = left.remove(best.unwrap_or(0));
        let done = vars.iter().copied().filter(|v| left.iter().all(|(_, o)| !o.contains(v)));
        let cube = bdd.cube(done)?;
        steps.push((relation, cube));
    }
    Ok(Schedule { first, steps })
}
