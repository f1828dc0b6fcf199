//! Sets of points of a graph: fixpoints for time, tables or partitions for knowledge.
//!
//! Where a graph has open points (not everything was explored) a formula has two sets: where it *certainly* holds and
//! where it *may* hold. [`Bias`] says which of the [`Bounds`] is meant; negation turns it round. On a closed graph both are
//! the same and only one is computed.

use super::fairness::Fairness;
use super::graph::Graph;
use crate::check::core::{Core, Lit, Steps, Tally, Who};
use crate::check::evaluate::{self, Aim, Algebra, Moves};
use crate::check::{CheckError, Limit};
use crate::formula::{F, Formula, Group};
use crate::model::kripke::Classes;
use crate::model::{BitSet, Transitions};
use crate::stop;
use std::collections::HashMap;
use std::convert::Infallible;
use std::rc::Rc;

type Checked<T> = Result<T, CheckError>;

/// Which bound of a formula's truth is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bias {
    /// Where it certainly holds.
    Certain,
    /// Where it may hold.
    Maybe,
}

impl Bias {
    pub(super) fn turned(self) -> Bias {
        match self {
            Bias::Certain => Bias::Maybe,
            Bias::Maybe => Bias::Certain,
        }
    }
}

/// A set that is not known exactly where a graph has open points.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    certain: Rc<BitSet>,
    maybe: Rc<BitSet>,
}

impl Bounds {
    pub(super) fn exactly(set: BitSet) -> Bounds {
        let certain = Rc::new(set);
        Bounds { maybe: certain.clone(), certain }
    }

    /// The points that are certainly, or maybe, in the set.
    pub(crate) fn with(&self, bias: Bias) -> &Rc<BitSet> {
        match bias {
            Bias::Certain => &self.certain,
            Bias::Maybe => &self.maybe,
        }
    }

    /// Whether a point is in the set.
    pub(crate) fn decides(&self, point: usize) -> Checked<bool> {
        let certain = self.certain.contains(point);
        if certain == self.maybe.contains(point) { Ok(certain) } else { Err(Limit::Steps(0).into()) }
    }
}

/// For each body of a knowledge operator: the points all of whose alternatives satisfy it, and those none of whose do.
pub(crate) type Table = HashMap<(Who, Lit), (BitSet, BitSet)>;

/// How points are confused.
pub(crate) trait Confusion {
    /// The points in classes of those that look the same; `None` if a [`Table`] says it.
    fn classes(&mut self, who: &Who) -> Option<Rc<Classes>>;

    /// The table of what all and no alternatives satisfy.
    fn table(&self) -> Option<&Table>;
}

/// Sets of the points of a graph.
pub(crate) struct PointSets<'g> {
    pub(crate) system: &'g Transitions,
    pub(crate) graph: &'g Graph,
    confusion: Box<dyn Confusion + 'g>,
    /// Which points count; `None` if all do.
    pub(super) fairness: Option<Rc<Fairness>>,
    /// For programs, the points from which a fair run starts.
    pub(super) fair: HashMap<(Steps, Bias), Rc<BitSet>>,
}

/// Evaluates formulas on a graph.
pub(crate) type Evaluator<'g> = evaluate::Evaluator<PointSets<'g>>;

impl<'g> Evaluator<'g> {
    /// One for which every point counts and every run is fair, or only those that fairness says.
    pub(crate) fn on(
        system: &'g Transitions,
        graph: &'g Graph,
        confusion: Box<dyn Confusion + 'g>,
        core: &Core,
        fairness: Option<Rc<Fairness>>,
    ) -> Evaluator<'g> {
        let sets = PointSets { system, graph, confusion, fairness, fair: HashMap::new() };
        Evaluator::new(sets, core.clone())
    }

    /// The points at which the formula holds.
    pub(crate) fn points(&mut self, f: &F) -> Checked<Bounds> {
        self.formula(0, f)
    }

    /// The points at which the formula certainly holds.
    pub(crate) fn certainly(&mut self, f: &F) -> Checked<Rc<BitSet>> {
        Ok(self.points(f)?.certain)
    }
}

/// A program that is one step: for each label whether it is one of its actions.
fn one_step(system: &Transitions, program: &Moves<Bounds>) -> Option<Vec<bool>> {
    match program {
        Moves::Any => Some(vec![true; system.labels.len()]),
        Moves::Action(name) => Some(system.labels.iter().map(|l| l.names.contains(name)).collect()),
        Moves::Choice(parts) => {
            let mut all = vec![false; system.labels.len()];
            for part in parts {
                all.iter_mut().zip(one_step(system, part)?).for_each(|(a, b)| *a |= b);
            }
            Some(all)
        }
        Moves::Seq(_) | Moves::Star(_) | Moves::Test(_) => None,
    }
}

impl Algebra for PointSets<'_> {
    type Set = Bounds;
    /// A system has no updates.
    type Update = Infallible;
    type Stop = CheckError;

    fn all(&mut self, _stage: usize) -> Checked<Bounds> {
        Ok(Bounds::exactly(BitSet::full(self.graph.size())))
    }

    fn fact(&mut self, _stage: usize, fact: &Formula) -> Checked<Bounds> {
        let size = self.graph.size();
        Ok(Bounds::exactly(match self.system.objective(fact) {
            Some(states) => BitSet::from_fn(size, |p| states.contains(self.graph.state[p] as usize)),
            None => BitSet::empty(size),
        }))
    }

    fn not(&mut self, _stage: usize, set: &Bounds) -> Checked<Bounds> {
        self.both(|_, bias| Ok((**set.with(bias.turned())).clone().complement()))
    }

    fn meet(&mut self, stage: usize, sets: Vec<Bounds>) -> Checked<Bounds> {
        let Some((first, rest)) = sets.split_first() else { return self.all(stage) };
        self.both(|_, bias| {
            let mut all = (**first.with(bias)).clone();
            rest.iter().for_each(|set| all.intersect(set.with(bias)));
            Ok(all)
        })
    }

    fn tally(&mut self, _stage: usize, tally: Tally, sets: Vec<Bounds>) -> Checked<Bounds> {
        let size = self.graph.size();
        let (mut least, mut most) = (vec![0u64; size], vec![0u64; size]);
        for set in &sets {
            set.certain.iter().for_each(|p| least[p] += 1);
            set.maybe.iter().for_each(|p| most[p] += 1);
        }
        self.both(|_, bias| {
            Ok(BitSet::from_fn(size, |p| match bias {
                Bias::Certain => (least[p]..=most[p]).all(|n| tally.admits(n)),
                Bias::Maybe => (least[p]..=most[p]).any(|n| tally.admits(n)),
            }))
        })
    }

    fn found(&mut self, who: &Who, body: Lit) -> Checked<Option<Bounds>> {
        let Some(table) = self.confusion.table() else { return Ok(None) };
        let look = |agent: Who| match (table.get(&(agent, body.positive())), body.parts().1) {
            (Some((all, _)), false) => Ok(all.clone()),
            (Some((_, none)), true) => Ok(none.clone()),
            (None, _) => Err(CheckError::NotHere("common knowledge over time needs a bound")),
        };
        let set = match who {
            Who::Each(group) => {
                let mut all = BitSet::full(self.graph.size());
                for &agent in group {
                    all.intersect(&look(Who::Agent(agent))?);
                }
                all
            }
            who => look(who.clone())?,
        };
        Ok(Some(Bounds::exactly(set)))
    }

    fn known(&mut self, _stage: usize, who: &Who, set: &Bounds) -> Checked<Bounds> {
        match who {
            Who::Each(group) => self.both(|p, bias| {
                let mut all = BitSet::full(p.graph.size());
                for &agent in group {
                    all.intersect(&p.within_classes(&Who::Agent(agent), set.with(bias), bias));
                }
                Ok(all)
            }),
            Who::Commonly(group) => self.both(|p, bias| Ok(p.commonly(group, set.with(bias), bias))),
            Who::Agent(_) | Who::Together(_) => self.both(|p, bias| Ok(p.within_classes(who, set.with(bias), bias))),
        }
    }

    fn stage_after(&self, update: &Infallible) -> usize {
        match *update {}
    }

    fn back(&mut self, _stage: usize, update: &Infallible, _then: &Bounds) -> Checked<Bounds> {
        match *update {}
    }

    fn next(&mut self, (steps, moves): (&Steps, &Moves<Bounds>), set: &Bounds) -> Checked<Bounds> {
        self.both(|p, bias| {
            let mut set = (**set.with(bias)).clone();
            if let Some(fair) = p.fair((steps, moves), bias)? {
                set.intersect(&fair);
            }
            p.leads(moves, &set, bias)
        })
    }

    fn until(&mut self, (steps, moves): (&Steps, &Moves<Bounds>), a: &Bounds, b: &Bounds) -> Checked<Bounds> {
        self.both(|p, bias| {
            let mut goal = (**b.with(bias)).clone();
            if let Some(fair) = p.fair((steps, moves), bias)? {
                goal.intersect(&fair);
            }
            p.leading(moves, a.with(bias), &goal, bias)
        })
    }

    fn lasting(&mut self, (_, moves): (&Steps, &Moves<Bounds>), set: &Bounds) -> Checked<Bounds> {
        self.both(|p, bias| p.fairly_lasting(moves, set.with(bias), bias))
    }

    fn ensure(&mut self, group: &Group, aim: Aim<'_, Bounds>) -> Checked<Bounds> {
        let choice = self.choices(group)?;
        self.both(|p, bias| {
            Ok(match aim {
                Aim::Next(set) => p.ensured(&choice, set.with(bias), bias),
                Aim::Until(a, b) => p.ensured_until(&choice, a.with(bias), b.with(bias), bias),
                Aim::Always(set) => {
                    let ends = p.dead_ends(bias);
                    let mut now = (**set.with(bias)).clone();
                    loop {
                        let mut next = p.ensured(&choice, &now, bias);
                        next.unite(&ends);
                        next.intersect(set.with(bias));
                        if next == now || stop::asked() {
                            break now;
                        }
                        now = next;
                    }
                }
            })
        })
    }

    fn ought(&mut self, agent: usize, set: &Bounds) -> Checked<Bounds> {
        if self.system.actors.is_empty() {
            return Err(CheckError::NotHere("this system does not say which states are as they ought to be"));
        }
        let name = &self.system.agents[agent];
        let red = self.system.red.iter().find(|(a, _)| a == name).map(|(_, red)| red);
        self.both(|p, bias| {
            let size = p.graph.size();
            let green = |at: usize| red.is_none_or(|red| !red.contains(p.graph.state[at] as usize));
            let counts = p.part_that_counts(&BitSet::full(size), bias.turned());
            let holds = counts.iter().all(|at| !green(at) || set.with(bias).contains(at));
            Ok(if holds { BitSet::full(size) } else { BitSet::empty(size) })
        })
    }

    fn before(&mut self, set: &Bounds) -> Checked<Bounds> {
        self.both(|p, bias| p.leads(&Moves::Any, set.with(bias), bias))
    }

    fn conditions(&mut self) -> Vec<Bounds> {
        self.fairness.as_ref().map(|fairness| fairness.conditions().to_vec()).unwrap_or_default()
    }

    fn counting(&mut self, set: &Bounds) -> Checked<Bounds> {
        self.both(|p, bias| Ok(p.part_that_counts(set.with(bias), bias)))
    }

    fn same(&self, a: &Bounds, b: &Bounds) -> bool {
        a.certain == b.certain && a.maybe == b.maybe
    }
}

/// Knowledge.
impl PointSets<'_> {
    /// Both bounds; on a closed graph they are the same.
    pub(super) fn both(&mut self, find: impl Fn(&mut Self, Bias) -> Checked<BitSet>) -> Checked<Bounds> {
        let certain = find(self, Bias::Certain)?;
        if self.graph.is_closed() {
            return Ok(Bounds::exactly(certain));
        }
        let maybe = find(self, Bias::Maybe)?;
        Ok(Bounds { certain: Rc::new(certain), maybe: Rc::new(maybe) })
    }

    /// The points in classes of those that somebody confuses.
    pub(crate) fn classes(&mut self, who: &Who) -> Option<Rc<Classes>> {
        self.confusion.classes(who)
    }

    /// The points all of whose look-alikes that count are in the set.
    fn within_classes(&mut self, who: &Who, set: &BitSet, bias: Bias) -> BitSet {
        let size = self.graph.size();
        match self.confusion.classes(who) {
            Some(classes) => self.whole(&classes, set, bias),
            None => BitSet::empty(size),
        }
    }

    fn whole(&self, classes: &Classes, set: &BitSet, bias: Bias) -> BitSet {
        let size = self.graph.size();
        let mut whole = vec![true; classes.count as usize];
        for p in self.part_that_counts(&set.clone().complement(), bias.turned()).iter() {
            whole[classes.of[p] as usize] = false;
        }
        BitSet::from_fn(size, |p| whole[classes.of[p] as usize])
    }

    /// Common knowledge: the links of a chain are points that count.
    fn commonly(&mut self, members: &[usize], set: &BitSet, bias: Bias) -> BitSet {
        let Some(links) = self.counts(bias.turned()) else {
            return self.within_classes(&Who::Commonly(members.to_vec()), set, bias);
        };
        let size = self.graph.size();
        // A point that does not count is a link of no chain.
        let mut linked: Vec<Classes> = Vec::new();
        for &member in members {
            let Some(classes) = self.confusion.classes(&Who::Agent(member)) else { return BitSet::empty(size) };
            let key = |p: usize| if links.contains(p) { (classes.of[p], usize::MAX) } else { (0, p) };
            linked.push(Classes::by_key((0..size).map(key)));
        }
        let chains = Classes::join(size, linked.iter());
        let mut found = self.whole(&chains, set, bias);
        found.intersect(&links);
        // Elsewhere: whatever any of them considers possible.
        let mut elsewhere = (*links).clone().complement();
        for &member in members {
            let considered = self.within_classes(&Who::Agent(member), &found, bias);
            elsewhere.intersect(&considered);
        }
        found.unite(&elsewhere);
        found
    }
}

/// Time.
impl PointSets<'_> {
    /// The points from which some execution of the program leads into the set, along points that count.
    pub(super) fn leads(&mut self, program: &Moves<Bounds>, set: &BitSet, bias: Bias) -> Checked<BitSet> {
        stop::go_on()?;
        if let Some(labels) = one_step(self.system, program) {
            let mut found = self.part_that_counts(&self.open_points(bias), bias);
            for target in self.part_that_counts(set, bias).iter() {
                for &(label, source) in self.graph.into(target) {
                    if labels[label as usize] {
                        found.insert(source as usize);
                    }
                }
            }
            return Ok(found);
        }
        Ok(match program {
            Moves::Any | Moves::Action(_) => BitSet::empty(self.graph.size()),
            Moves::Seq(parts) => {
                let mut set = set.clone();
                for part in parts.iter().rev() {
                    set = self.leads(part, &set, bias)?;
                }
                set
            }
            Moves::Choice(parts) => {
                let mut found = BitSet::empty(self.graph.size());
                for part in parts {
                    found.unite(&self.leads(part, set, bias)?);
                }
                found
            }
            Moves::Star(inner) => {
                let mut found = set.clone();
                let mut fresh = set.clone();
                // At least once: an open point may lead into the set even if no known point does.
                loop {
                    let mut more = self.leads(inner, &fresh, bias)?;
                    more.intersect(&found.clone().complement());
                    if more.is_empty() {
                        break found;
                    }
                    found.unite(&more);
                    fresh = more;
                }
            }
            Moves::Test(test) => {
                let mut found = (**test.with(bias)).clone();
                found.intersect(set);
                found
            }
        })
    }

    fn open_points(&self, bias: Bias) -> BitSet {
        match (&self.graph.open, bias) {
            (Some(open), Bias::Maybe) => open.clone(),
            (_, Bias::Certain) | (None, _) => BitSet::empty(self.graph.size()),
        }
    }

    /// The points at which no step is possible at all, whether they count or not.
    fn dead_ends(&self, bias: Bias) -> BitSet {
        let open = self.open_points(Bias::Maybe);
        let ends = |p: usize| self.graph.from(p).is_empty() && (bias == Bias::Maybe || !open.contains(p));
        BitSet::from_fn(self.graph.size(), ends)
    }

    /// The points without a successor by the program, among those that count.
    pub(super) fn ends(&mut self, program: &Moves<Bounds>, bias: Bias) -> Checked<BitSet> {
        let all = BitSet::full(self.graph.size());
        Ok(self.leads(program, &all, bias.turned())?.complement())
    }

    /// The least set with `goal`, and with every point of `a` from which the program leads into it.
    pub(super) fn leading(
        &mut self,
        program: &Moves<Bounds>,
        a: &BitSet,
        goal: &BitSet,
        bias: Bias,
    ) -> Checked<BitSet> {
        let mut found = self.part_that_counts(goal, bias);
        let mut open = self.part_that_counts(&self.open_points(bias), bias);
        open.intersect(a);
        found.unite(&open);
        let Some(labels) = one_step(self.system, program) else {
            let mut fresh = found.clone();
            loop {
                let mut more = self.leads(program, &fresh, bias)?;
                more.intersect(a);
                more.intersect(&found.clone().complement());
                if more.is_empty() {
                    return Ok(found);
                }
                found.unite(&more);
                fresh = more;
            }
        };
        let mut todo: Vec<usize> = found.iter().collect();
        while let Some(target) = todo.pop() {
            for &(label, source) in self.graph.into(target) {
                let source = source as usize;
                if labels[label as usize] && a.contains(source) && !found.contains(source) {
                    found.insert(source);
                    todo.push(source);
                }
            }
        }
        Ok(found)
    }

    /// `EG`: the greatest set within `set` in which every point goes on inside it or has nowhere to go.
    pub(super) fn staying(&mut self, program: &Moves<Bounds>, set: &BitSet, bias: Bias) -> Checked<BitSet> {
        let ends = self.ends(program, bias)?;
        let Some(labels) = one_step(self.system, program) else {
            let mut now = set.clone();
            loop {
                let mut next = self.leads(program, &now, bias)?;
                next.unite(&ends);
                next.intersect(&now);
                if next == now {
                    return Ok(now);
                }
                now = next;
            }
        };
        // Points are taken out as soon as they have no step left inside; each edge is looked at twice.
        let open = self.open_points(bias);
        let mut inside: Vec<u32> = (0..self.graph.size())
            .map(|p| {
                let steps = self.graph.from(p).iter();
                steps.filter(|&&(l, t)| labels[l as usize] && set.contains(t as usize)).count() as u32
            })
            .collect();
        let mut now = set.clone();
        let stays = |p: usize, inside: &[u32]| inside[p] > 0 || ends.contains(p) || open.contains(p);
        let mut todo: Vec<usize> = set.iter().filter(|&p| !stays(p, &inside)).collect();
        for &p in &todo {
            now.remove(p);
        }
        while let Some(gone) = todo.pop() {
            for &(label, source) in self.graph.into(gone) {
                let source = source as usize;
                if labels[label as usize] {
                    inside[source] -= 1;
                    if now.contains(source) && !stays(source, &inside) {
                        now.remove(source);
                        todo.push(source);
                    }
                }
            }
        }
        Ok(now)
    }
}

/// Strategies.
impl PointSets<'_> {
    /// For each label, what the group does in it, as a number.
    fn choices(&self, group: &Group) -> Checked<Vec<u32>> {
        if self.system.actors.is_empty() {
            return Err(CheckError::NotHere("this system does not say who does what, so nobody can ensure anything"));
        }
        let inside: Vec<bool> = self
            .system
            .actors
            .iter()
            .map(|actor| match group {
                Group::All => self.system.agents.contains(actor),
                Group::Of(names) => names.contains(actor),
            })
            .collect();
        let mut seen: HashMap<Vec<u32>, u32> = HashMap::new();
        let parts = self.system.labels.iter().map(|label| {
            let own: Vec<u32> = label.choices.iter().zip(&inside).filter(|(_, i)| **i).map(|(c, _)| *c).collect();
            let next = seen.len() as u32;
            *seen.entry(own).or_insert(next)
        });
        Ok(parts.collect())
    }

    /// The points at which the group has a choice after which only points of the set follow.
    fn ensured(&self, choice: &[u32], set: &BitSet, bias: Bias) -> BitSet {
        let mut found = self.open_points(bias);
        let mut good: Vec<(u32, bool)> = Vec::new();
        for p in 0..self.graph.size() {
            good.clear();
            for &(label, target) in self.graph.from(p) {
                let (own, stays) = (choice[label as usize], set.contains(target as usize));
                match good.iter_mut().find(|(c, _)| *c == own) {
                    Some((_, all)) => *all &= stays,
                    None => good.push((own, stays)),
                }
            }
            if good.iter().any(|(_, all)| *all) {
                found.insert(p);
            }
        }
        found
    }

    fn ensured_until(&self, choice: &[u32], a: &BitSet, b: &BitSet, bias: Bias) -> BitSet {
        let mut now = b.clone();
        loop {
            let mut next = self.ensured(choice, &now, bias);
            next.intersect(a);
            next.unite(&now);
            if next == now || stop::asked() {
                return now;
            }
            now = next;
        }
    }
}
