//! Truth on a graph of points: fixpoints for time, tables or partitions for knowledge.
//!
//! Where a graph has open points (not everything was explored) a formula has two sets: where it *certainly* holds and
//! where it *may* hold. `Bias` says which one is computed; negation turns it round. On a closed graph both are the same
//! and only one is computed.

use super::fairness::Fairness;
use super::graph::Graph;
use crate::check::CheckError;
use crate::formula::{Along, Cmp, F, Formula, Group, Name, Path, Program};
use crate::model::kripke::Classes;
use crate::model::{BitSet, Transitions};
use crate::stop;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

type Checked<T> = Result<T, CheckError>;

/// Which bound of a formula's truth is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bias {
    /// Where it certainly holds.
    Certain,
    /// Where it may hold.
    Maybe,
}

impl Bias {
    fn turned(self) -> Bias {
        match self {
            Bias::Certain => Bias::Maybe,
            Bias::Maybe => Bias::Certain,
        }
    }
}

/// Somebody whose alternatives are looked at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Who {
    /// One agent.
    Agent(usize),
    /// Several who pool what they know: points that all of them confuse.
    Together(Vec<usize>),
    /// The closure of what any of them confuses.
    Commonly(Vec<usize>),
}

/// For each body of a knowledge operator: the points all of whose alternatives satisfy it, and those none of whose do.
pub(crate) type Table = HashMap<(Who, F), (BitSet, BitSet)>;

/// How points are confused.
pub(crate) trait Confusion {
    /// The points in classes of those that look the same; `None` if a [`Table`] says it.
    fn classes(&mut self, who: &Who) -> Option<Rc<Classes>>;

    /// The table of what all and no alternatives satisfy.
    fn table(&self) -> Option<&Table>;
}

/// Evaluates formulas on a graph.
pub(crate) struct Evaluator<'g> {
    pub(crate) system: &'g Transitions,
    pub(crate) graph: &'g Graph,
    confusion: Box<dyn Confusion + 'g>,
    memo: HashMap<(usize, Bias), Rc<BitSet>>,
    /// Formulas whose addresses are keys of the memo.
    kept: Vec<F>,
    /// Which points count; `None` if all do.
    pub(super) fairness: Option<Arc<Fairness>>,
    /// For programs, the points from which a fair run starts.
    pub(super) fair: HashMap<(Program, Bias), Arc<BitSet>>,
}

/// The members of a group.
pub(crate) fn members(system: &Transitions, group: &Group) -> Checked<Vec<usize>> {
    match group {
        Group::All => Ok((0..system.agents.len()).collect()),
        Group::Of(names) => {
            let mut all = names.iter().map(|n| agent(system, n)).collect::<Checked<Vec<usize>>>()?;
            all.sort_unstable();
            all.dedup();
            Ok(all)
        }
    }
}

pub(crate) fn agent(system: &Transitions, name: &Name) -> Checked<usize> {
    system.agent(name).ok_or_else(|| CheckError::UnknownAgent(name.clone()))
}

/// A program that is one step: for each label whether it is one of its actions.
fn one_step(system: &Transitions, program: &Program) -> Option<Vec<bool>> {
    match program {
        Program::Any => Some(vec![true; system.labels.len()]),
        Program::Action(name) => Some(system.labels.iter().map(|l| l.names.contains(name)).collect()),
        Program::Choice(parts) => {
            let mut all = vec![false; system.labels.len()];
            for part in parts {
                all.iter_mut().zip(one_step(system, part)?).for_each(|(a, b)| *a |= b);
            }
            Some(all)
        }
        Program::Seq(_) | Program::Star(_) | Program::Test(_) => None,
    }
}

impl<'g> Evaluator<'g> {
    /// One for which every point counts and every run is fair.
    pub(crate) fn new(system: &'g Transitions, graph: &'g Graph, confusion: Box<dyn Confusion + 'g>) -> Evaluator<'g> {
        let (memo, fair) = (HashMap::new(), HashMap::new());
        Evaluator { system, graph, confusion, memo, kept: Vec::new(), fairness: None, fair }
    }

    /// The same with fair runs only, and the points on them.
    pub(crate) fn fairly(self, fairness: Option<Arc<Fairness>>) -> Evaluator<'g> {
        Evaluator { fairness, ..Evaluator::new(self.system, self.graph, self.confusion) }
    }

    /// The points at which the formula holds: certainly, or maybe.
    pub(crate) fn eval(&mut self, f: &F, bias: Bias) -> Checked<Rc<BitSet>> {
        let bias = if self.graph.is_closed() { Bias::Certain } else { bias };
        let key = (Arc::as_ptr(f).addr(), bias);
        if let Some(found) = self.memo.get(&key) {
            return Ok(found.clone());
        }
        stop::go_on()?;
        let set = Rc::new(self.compute(f, bias)?);
        stop::go_on()?;
        self.memo.insert(key, set.clone());
        self.kept.push(f.clone());
        Ok(set)
    }

    fn compute(&mut self, f: &F, bias: Bias) -> Checked<BitSet> {
        let size = self.graph.size();
        if f.is_objective()
            && let Some(states) = self.system.objective(f)
        {
            return Ok(BitSet::from_fn(size, |p| states.contains(self.graph.state[p] as usize)));
        }
        Ok(match &**f {
            Formula::Const(_) | Formula::Atom(_) | Formula::Compare(..) => BitSet::empty(size),
            Formula::Not(g) => self.refuted(g, bias)?,
            Formula::And(parts) => {
                let mut all = BitSet::full(size);
                for part in parts {
                    all.intersect(&*self.eval(part, bias)?);
                }
                all
            }
            Formula::Or(parts) => {
                let mut any = BitSet::empty(size);
                for part in parts {
                    any.unite(&*self.eval(part, bias)?);
                }
                any
            }
            Formula::Imp(a, b) => {
                let mut set = self.refuted(a, bias)?;
                set.unite(&*self.eval(b, bias)?);
                set
            }
            Formula::Iff(a, b) => {
                let mut both = (*self.eval(a, bias)?).clone();
                both.intersect(&*self.eval(b, bias)?);
                let mut neither = self.refuted(a, bias)?;
                neither.intersect(&self.refuted(b, bias)?);
                both.unite(&neither);
                both
            }
            Formula::Xor(parts) => self.counted(parts, bias, &|n| n % 2 == 1)?,
            Formula::Count(cmp, n, parts) => {
                let (cmp, n): (Cmp, u64) = (*cmp, *n);
                self.counted(parts, bias, &|count| cmp.admits(count.cmp(&n)))?
            }
            Formula::Knows(name, g) => {
                let who = Who::Agent(agent(self.system, name)?);
                self.all_alternatives(&who, g, bias)?
            }
            Formula::Possible(name, g) => {
                let who = Who::Agent(agent(self.system, name)?);
                self.no_alternative(&who, g, bias.turned())?.complement()
            }
            Formula::KnowsWhether(name, g) => {
                let who = Who::Agent(agent(self.system, name)?);
                let mut set = self.all_alternatives(&who, g, bias)?;
                set.unite(&self.no_alternative(&who, g, bias)?);
                set
            }
            Formula::Everyone(group, g) => {
                let mut all = BitSet::full(size);
                for member in members(self.system, group)? {
                    all.intersect(&self.all_alternatives(&Who::Agent(member), g, bias)?);
                }
                all
            }
            Formula::Common(group, g) => {
                let members = members(self.system, group)?;
                self.commonly(&members, g, bias)?
            }
            Formula::Distributed(group, g) => {
                let who = Who::Together(members(self.system, group)?);
                self.all_alternatives(&who, g, bias)?
            }
            Formula::After(..) | Formula::Can(..) => {
                return Err(CheckError::NotHere("knowledge actions `[α]` and time do not go into one formula"));
            }
            Formula::Path(Path::Some, along, program, g) => {
                let set = self.eval(g, bias)?;
                self.some(*along, program, &set, bias)?
            }
            Formula::Path(Path::All, along, program, g) => {
                let not = self.refuted(g, bias.turned())?;
                let dual = match along {
                    Along::Next => Along::Next,
                    Along::Always => Along::Eventually,
                    Along::Eventually => Along::Always,
                };
                self.some(dual, program, &not, bias.turned())?.complement()
            }
            Formula::Until(Path::Some, program, a, b) => {
                let (a, b) = (self.eval(a, bias)?, self.eval(b, bias)?);
                self.some_until(program, &a, &b, bias)?
            }
            Formula::Until(Path::All, program, a, b) => {
                // It fails where ¬b can last for ever, or until a point with neither a nor b.
                let turned = bias.turned();
                let not_b = self.refuted(b, turned)?;
                let mut neither = self.refuted(a, turned)?;
                neither.intersect(&not_b);
                let mut fails = self.some_until(program, &not_b, &neither, turned)?;
                fails.unite(&self.some(Along::Always, program, &not_b, turned)?);
                fails.complement()
            }
            Formula::Ensure(group, along, g) => {
                let set = self.eval(g, bias)?;
                let choice = self.choices(group)?;
                match along {
                    Along::Next => self.ensured(&choice, &set, bias),
                    Along::Eventually => self.ensured_until(&choice, &BitSet::full(size), &set, bias),
                    Along::Always => {
                        let ends = self.dead_ends(bias);
                        let mut now = (*set).clone();
                        loop {
                            let mut next = self.ensured(&choice, &now, bias);
                            next.unite(&ends);
                            next.intersect(&set);
                            if next == now || stop::asked() {
                                break now;
                            }
                            now = next;
                        }
                    }
                }
            }
            Formula::EnsureUntil(group, a, b) => {
                let (a, b) = (self.eval(a, bias)?, self.eval(b, bias)?);
                let choice = self.choices(group)?;
                self.ensured_until(&choice, &a, &b, bias)
            }
            Formula::Ought(name, g) => {
                agent(self.system, name)?;
                if self.system.actors.is_empty() {
                    return Err(CheckError::NotHere("this system does not say which states are as they ought to be"));
                }
                let set = self.eval(g, bias)?;
                let red = self.system.red.iter().find(|(a, _)| a == name).map(|(_, red)| red);
                let green = |p: usize| red.is_none_or(|red| !red.contains(self.graph.state[p] as usize));
                let counts = self.counting(&BitSet::full(size), bias.turned());
                let holds = counts.iter().all(|p| !green(p) || set.contains(p));
                if holds { BitSet::full(size) } else { BitSet::empty(size) }
            }
        })
    }

    /// The points in classes of those that somebody confuses.
    pub(crate) fn classes(&mut self, who: &Who) -> Option<Rc<Classes>> {
        self.confusion.classes(who)
    }

    /// Where the formula is certainly, or maybe, false.
    fn refuted(&mut self, f: &F, bias: Bias) -> Checked<BitSet> {
        Ok((*self.eval(f, bias.turned())?).clone().complement())
    }

    /// Where the number of true parts is one that is asked for.
    fn counted(&mut self, parts: &[F], bias: Bias, asked: &dyn Fn(u64) -> bool) -> Checked<BitSet> {
        let size = self.graph.size();
        let (mut least, mut most) = (vec![0u64; size], vec![0u64; size]);
        for part in parts {
            self.eval(part, Bias::Certain)?.iter().for_each(|p| least[p] += 1);
            self.eval(part, Bias::Maybe)?.iter().for_each(|p| most[p] += 1);
        }
        Ok(BitSet::from_fn(size, |p| match bias {
            Bias::Certain => (least[p]..=most[p]).all(asked),
            Bias::Maybe => (least[p]..=most[p]).any(asked),
        }))
    }

    fn all_alternatives(&mut self, who: &Who, body: &F, bias: Bias) -> Checked<BitSet> {
        if let Some(table) = self.confusion.table() {
            return match table.get(&(who.clone(), body.clone())) {
                Some((all, _)) => Ok(all.clone()),
                None => Err(CheckError::NotHere("common knowledge over time needs a bound")),
            };
        }
        let set = self.eval(body, bias)?;
        Ok(self.within_classes(who, &set, bias))
    }

    fn no_alternative(&mut self, who: &Who, body: &F, bias: Bias) -> Checked<BitSet> {
        if let Some(table) = self.confusion.table() {
            return match table.get(&(who.clone(), body.clone())) {
                Some((_, none)) => Ok(none.clone()),
                None => Err(CheckError::NotHere("common knowledge over time needs a bound")),
            };
        }
        let set = self.refuted(body, bias)?;
        Ok(self.within_classes(who, &set, bias))
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
        for p in self.counting(&set.clone().complement(), bias.turned()).iter() {
            whole[classes.of[p] as usize] = false;
        }
        BitSet::from_fn(size, |p| whole[classes.of[p] as usize])
    }

    /// Common knowledge: the links of a chain are points that count.
    fn commonly(&mut self, members: &[usize], body: &F, bias: Bias) -> Checked<BitSet> {
        let Some(links) = self.counts(bias.turned()) else {
            return self.all_alternatives(&Who::Commonly(members.to_vec()), body, bias);
        };
        let size = self.graph.size();
        let set = self.eval(body, bias)?;
        // A point that does not count is a link of no chain.
        let mut linked: Vec<Classes> = Vec::new();
        for &member in members {
            let Some(classes) = self.confusion.classes(&Who::Agent(member)) else { return Ok(BitSet::empty(size)) };
            let key = |p: usize| if links.contains(p) { (classes.of[p], usize::MAX) } else { (0, p) };
            linked.push(Classes::by_key((0..size).map(key)));
        }
        let chains = Classes::join(size, linked.iter());
        let mut found = self.whole(&chains, &set, bias);
        found.intersect(&links);
        // Elsewhere: whatever any of them considers possible.
        let mut elsewhere = (*links).clone().complement();
        for &member in members {
            let considered = self.within_classes(&Who::Agent(member), &found, bias);
            elsewhere.intersect(&considered);
        }
        found.unite(&elsewhere);
        Ok(found)
    }

    // Time.

    /// The points from which some execution of the program leads into the set, along points that count.
    pub(crate) fn before(&mut self, program: &Program, set: &BitSet, bias: Bias) -> Checked<BitSet> {
        stop::go_on()?;
        if let Some(labels) = one_step(self.system, program) {
            let mut found = self.counting(&self.open_points(bias), bias);
            for target in self.counting(set, bias).iter() {
                for &(label, source) in self.graph.into(target) {
                    if labels[label as usize] {
                        found.insert(source as usize);
                    }
                }
            }
            return Ok(found);
        }
        Ok(match program {
            Program::Any | Program::Action(_) => BitSet::empty(self.graph.size()),
            Program::Seq(parts) => {
                let mut set = set.clone();
                for part in parts.iter().rev() {
                    set = self.before(part, &set, bias)?;
                }
                set
            }
            Program::Choice(parts) => {
                let mut found = BitSet::empty(self.graph.size());
                for part in parts {
                    found.unite(&self.before(part, set, bias)?);
                }
                found
            }
            Program::Star(inner) => {
                let mut found = set.clone();
                let mut fresh = set.clone();
                // At least once: an open point may lead into the set even if no known point does.
                loop {
                    let mut more = self.before(inner, &fresh, bias)?;
                    more.intersect(&found.clone().complement());
                    if more.is_empty() {
                        break found;
                    }
                    found.unite(&more);
                    fresh = more;
                }
            }
            Program::Test(f) => {
                let mut found = (*self.eval(f, bias)?).clone();
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
    pub(super) fn ends(&mut self, program: &Program, bias: Bias) -> Checked<BitSet> {
        let all = BitSet::full(self.graph.size());
        Ok(self.before(program, &all, bias.turned())?.complement())
    }

    fn some(&mut self, along: Along, program: &Program, set: &BitSet, bias: Bias) -> Checked<BitSet> {
        match along {
            Along::Next => {
                let mut set = set.clone();
                if let Some(fair) = self.fair(program, bias)? {
                    set.intersect(&fair);
                }
                self.before(program, &set, bias)
            }
            Along::Eventually => self.some_until(program, &BitSet::full(self.graph.size()), set, bias),
            Along::Always => self.fairly_lasting(program, set, bias),
        }
    }

    /// `E(a U b)`, over fair runs if fairness is asked.
    fn some_until(&mut self, program: &Program, a: &BitSet, b: &BitSet, bias: Bias) -> Checked<BitSet> {
        let mut goal = b.clone();
        if let Some(fair) = self.fair(program, bias)? {
            goal.intersect(&fair);
        }
        self.leading(program, a, &goal, bias)
    }

    /// The least set with `goal`, and with every point of `a` from which the program leads into it.
    pub(super) fn leading(&mut self, program: &Program, a: &BitSet, goal: &BitSet, bias: Bias) -> Checked<BitSet> {
        let mut found = self.counting(goal, bias);
        let mut open = self.counting(&self.open_points(bias), bias);
        open.intersect(a);
        found.unite(&open);
        let Some(labels) = one_step(self.system, program) else {
            let mut fresh = found.clone();
            loop {
                let mut more = self.before(program, &fresh, bias)?;
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
    pub(super) fn lasting(&mut self, program: &Program, set: &BitSet, bias: Bias) -> Checked<BitSet> {
        let ends = self.ends(program, bias)?;
        let Some(labels) = one_step(self.system, program) else {
            let mut now = set.clone();
            loop {
                let mut next = self.before(program, &now, bias)?;
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

    // Strategies.

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
