//! Scenes for runs: on reachable states, on layers of knowledge states, and on moments.

use super::fairness::Fairness;
use super::forgetful;
use super::graph::Graph;
use super::points::{Bias, Bounds, Evaluator};
use super::recall::{Layer, sights};
use super::runs::{Run, Scene};
use crate::check::CheckError;
use crate::check::core::{Lit, Who};
use crate::check::evaluate::Accepted;
use crate::check::linear::Automaton;
use crate::formula::{F, Name};
use crate::model::law::Facts;
use crate::model::system::Visibility;
use crate::model::{BitSet, Transitions};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

type Checked<T> = Result<T, CheckError>;

/// Reachable states without memory.
pub(crate) struct States<'s> {
    system: &'s Transitions,
    graph: &'s Graph,
    visibility: Visibility,
    evaluator: Evaluator<'s>,
    counts: BitSet,
}

impl<'s> States<'s> {
    pub(crate) fn new(
        system: &'s Transitions,
        graph: &'s Graph,
        fairness: Option<Rc<Fairness>>,
        visibility: Visibility,
    ) -> States<'s> {
        let evaluator = forgetful::evaluator(system, graph, fairness);
        let counts = evaluator.algebra.part_that_counts(&BitSet::full(graph.size()), Bias::Certain);
        States { system, graph, visibility, evaluator, counts }
    }

    /// The steps from a point to points that count.
    fn fair_steps(&self, point: u32) -> Vec<(u32, u32)> {
        let steps = self.graph.from(point as usize).iter().copied();
        steps.filter(|&(_, target)| self.counts.contains(target as usize)).collect()
    }

    /// The initial points that count.
    fn starts(&self) -> Vec<u32> {
        self.graph.initial.iter().copied().filter(|&p| self.counts.contains(p as usize)).collect()
    }

    /// All runs of a length, unless that is too much to look at.
    fn of_length(&self, length: usize) -> Option<Levels<u32>> {
        let affordable = length * self.graph.size() <= 1_000_000;
        affordable.then(|| simulate(self.starts(), length, |_, &p| self.fair_steps(p)))
    }
}

impl Scene for States<'_> {
    type P = u32;

    fn holds(&mut self, f: &F, point: &u32) -> Checked<bool> {
        Ok(self.evaluator.certainly(f)?.contains(*point as usize))
    }

    fn steps(&mut self, point: &u32) -> Checked<Vec<(u32, u32)>> {
        Ok(self.fair_steps(*point))
    }

    fn called(&self, label: u32, name: &Name) -> bool {
        self.system.labels[label as usize].names.contains(name)
    }

    fn label(&self, label: u32) -> String {
        self.system.labels[label as usize].text.to_string()
    }

    fn sees_actions(&self) -> bool {
        self.visibility == Visibility::Seen
    }

    fn parts(&self, label: u32) -> Vec<(Name, Name)> {
        self.system.parts(label)
    }

    fn noticed(&self, before: &u32, after: &u32) -> Vec<Name> {
        self.system.noticed(self.graph.state[*before as usize], self.graph.state[*after as usize])
    }

    fn state(&self, point: &u32) -> (String, Facts) {
        let state = self.graph.state[*point as usize] as usize;
        (self.system.name(state), self.system.facts(state))
    }

    fn lookalikes(&mut self, run: &Run<u32>, who: &Who) -> Checked<Vec<u32>> {
        let sight = match who {
            Who::Agent(_) | Who::Together(_) => sights(self.system, who)?,
            Who::Each(_) | Who::Commonly(_) => return Ok(Vec::new()),
        };
        let seen = |p: u32| sight[self.graph.state[p as usize] as usize];
        let actual = seen(*run.end());
        Ok(self.counts.iter().map(|p| p as u32).filter(|&p| seen(p) == actual).collect())
    }

    /// One that a run of the same length reaches, if there is one: it shows best what memory would tell.
    fn such_lookalike(&mut self, run: &Run<u32>, who: &Who, f: &F, value: bool) -> Checked<Option<u32>> {
        let mut reached = BitSet::full(self.graph.size());
        if let Some(level) = self.of_length(run.steps.len()).and_then(|mut levels| levels.pop()) {
            reached = BitSet::empty(self.graph.size());
            level.iter().for_each(|(p, _)| reached.insert(*p as usize));
        }
        let mut first = None;
        for end in self.lookalikes(run, who)? {
            if self.holds(f, &end)? == value {
                if reached.contains(end as usize) {
                    return Ok(Some(end));
                }
                first = first.or(Some(end));
            }
        }
        Ok(first)
    }

    /// A run of the same length if there is one, else a shortest: without memory only its end must look the same.
    fn lookalike(&mut self, run: &Run<u32>, _who: &Who, end: &u32) -> Checked<Run<u32>> {
        if let Some(found) = self.of_length(run.steps.len()).and_then(|levels| trace(&levels, end)) {
            return Ok(found);
        }
        let mut parent: HashMap<u32, Option<(u32, u32)>> = HashMap::new();
        let mut queue: std::collections::VecDeque<u32> = self.starts().into();
        queue.iter().for_each(|&p| {
            parent.insert(p, None);
        });
        while let Some(point) = queue.pop_front() {
            if point == *end {
                break;
            }
            for (label, target) in self.fair_steps(point) {
                if let std::collections::hash_map::Entry::Vacant(free) = parent.entry(target) {
                    free.insert(Some((label, point)));
                    queue.push_back(target);
                }
            }
        }
        let mut steps = Vec::new();
        let mut at = *end;
        while let Some(Some((label, before))) = parent.get(&at) {
            steps.push((*label, at));
            at = *before;
        }
        steps.reverse();
        Ok(Run { start: at, steps })
    }

    fn conditions(&self) -> usize {
        self.system.fairness.len()
    }

    fn meets(&mut self, condition: usize, point: &u32) -> Checked<bool> {
        self.evaluator.algebra.meets(condition).map_or(Ok(true), |set| set.decides(*point as usize))
    }

    fn automaton(&mut self, f: &F, _point: &u32) -> Checked<Option<Rc<Automaton>>> {
        Ok(self.evaluator.accepted(f)?.map(|accepted| accepted.automaton))
    }

    fn accepts(&mut self, f: &F, node: usize, point: &u32) -> Checked<bool> {
        self.evaluator.accepted(f)?.map_or(Ok(false), |accepted| accepted.from[node].decides(*point as usize))
    }
}

/// After each step, the points that look-alikes may be at, each with the label and the position it comes from.
type Levels<P> = Vec<Vec<(P, Option<(u32, usize)>)>>;

/// Runs that look to somebody like a given one, forwards step by step: the points they may be at after each.
fn simulate<P: Clone + Eq + Hash>(
    starts: Vec<P>,
    length: usize,
    mut follow: impl FnMut(usize, &P) -> Vec<(u32, P)>,
) -> Levels<P> {
    let mut levels: Levels<P> = vec![starts.into_iter().map(|p| (p, None)).collect()];
    for t in 0..length {
        let mut next: Vec<(P, Option<(u32, usize)>)> = Vec::new();
        let mut index: HashMap<P, ()> = HashMap::new();
        if let Some(level) = levels.last() {
            for (at, (point, _)) in level.iter().enumerate() {
                for (label, target) in follow(t, point) {
                    if index.insert(target.clone(), ()).is_none() {
                        next.push((target, Some((label, at))));
                    }
                }
            }
        }
        levels.push(next);
    }
    levels
}

/// The run of a simulation that ends at a point.
fn trace<P: Clone + Eq>(levels: &Levels<P>, end: &P) -> Option<Run<P>> {
    let mut t = levels.len() - 1;
    let mut at = levels[t].iter().position(|(p, _)| p == end)?;
    let mut steps = Vec::new();
    while let (point, Some((label, before))) = &levels[t][at] {
        steps.push((*label, point.clone()));
        at = *before;
        t -= 1;
    }
    steps.reverse();
    Some(Run { start: levels[t][at].0.clone(), steps })
}

/// A point of a layer of knowledge states.
#[derive(Clone)]
pub(crate) struct LayerPoint {
    layer: Rc<Layer>,
    point: u32,
}

impl PartialEq for LayerPoint {
    fn eq(&self, other: &LayerPoint) -> bool {
        Rc::ptr_eq(&self.layer, &other.layer) && self.point == other.point
    }
}

impl Eq for LayerPoint {}

impl Hash for LayerPoint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.point.hash(state);
    }
}

impl LayerPoint {
    pub(crate) fn new(layer: Rc<Layer>, point: u32) -> LayerPoint {
        LayerPoint { layer, point }
    }
}

/// Traces, by their knowledge states.
pub(crate) struct Layers<'s> {
    system: &'s Transitions,
    visibility: Visibility,
    /// By layer and formula.
    known: HashMap<(usize, Lit), Rc<BitSet>>,
    accepted: HashMap<(usize, Lit), Option<Accepted<Bounds>>>,
    /// Kept so that no address is used twice.
    kept: Vec<Rc<Layer>>,
}

impl<'s> Layers<'s> {
    pub(crate) fn new(system: &'s Transitions, visibility: Visibility) -> Layers<'s> {
        Layers { system, visibility, known: HashMap::new(), accepted: HashMap::new(), kept: Vec::new() }
    }

    fn accepted(&mut self, f: &F, layer: &Rc<Layer>) -> Checked<Option<Accepted<Bounds>>> {
        let key = (Rc::as_ptr(layer).addr(), layer.lower(f)?);
        if let Some(found) = self.accepted.get(&key) {
            return Ok(found.clone());
        }
        let found = layer.evaluator(self.system).accepted(f)?;
        self.accepted.insert(key, found.clone());
        self.kept.push(layer.clone());
        Ok(found)
    }

    fn levels(&self, run: &Run<LayerPoint>, who: &Who) -> Checked<Option<(Rc<Layer>, Levels<u32>)>> {
        let Some(below) = run.end().layer.below.get(who) else { return Ok(None) };
        let sight = sights(self.system, who)?;
        let path: Vec<u32> = run.points().map(|p| sight[p.layer.graph.state[p.point as usize] as usize]).collect();
        let labels: Vec<u32> = run.steps.iter().map(|(l, _)| *l).collect();
        let seen = |p: u32| sight[below.graph.state[p as usize] as usize];
        let starts = below.graph.initial.iter().copied();
        let mut starts: Vec<u32> = starts.filter(|&p| below.counts(p) && seen(p) == path[0]).collect();
        starts.dedup();
        let levels = simulate(starts, labels.len(), |t, &point| {
            let steps = below.graph.from(point as usize).iter();
            steps
                .filter(|&&(l, _)| self.visibility == Visibility::Hidden || l == labels[t])
                .filter(|&&(_, q)| below.counts(q) && seen(q) == path[t + 1])
                .copied()
                .collect()
        });
        Ok(Some((below.clone(), levels)))
    }
}

impl Scene for Layers<'_> {
    type P = LayerPoint;

    fn holds(&mut self, f: &F, point: &LayerPoint) -> Checked<bool> {
        let key = (Rc::as_ptr(&point.layer).addr(), point.layer.lower(f)?);
        if let Some(set) = self.known.get(&key) {
            return Ok(set.contains(point.point as usize));
        }
        let set = point.layer.eval(self.system, f)?;
        let holds = set.contains(point.point as usize);
        self.known.insert(key, set);
        self.kept.push(point.layer.clone());
        Ok(holds)
    }

    fn steps(&mut self, point: &LayerPoint) -> Checked<Vec<(u32, LayerPoint)>> {
        let steps = point.layer.graph.from(point.point as usize).iter();
        let steps = steps.filter(|(_, q)| point.layer.counts(*q));
        Ok(steps.map(|&(l, q)| (l, LayerPoint { layer: point.layer.clone(), point: q })).collect())
    }

    fn called(&self, label: u32, name: &Name) -> bool {
        self.system.labels[label as usize].names.contains(name)
    }

    fn label(&self, label: u32) -> String {
        self.system.labels[label as usize].text.to_string()
    }

    fn parts(&self, label: u32) -> Vec<(Name, Name)> {
        self.system.parts(label)
    }

    fn sees_actions(&self) -> bool {
        self.visibility == Visibility::Seen
    }

    fn noticed(&self, before: &LayerPoint, after: &LayerPoint) -> Vec<Name> {
        self.system
            .noticed(before.layer.graph.state[before.point as usize], after.layer.graph.state[after.point as usize])
    }

    fn state(&self, point: &LayerPoint) -> (String, Facts) {
        let state = point.layer.graph.state[point.point as usize] as usize;
        (self.system.name(state), self.system.facts(state))
    }

    /// The same states and labels, followed in the layer in which the look-alikes are.
    fn actual(&mut self, run: &Run<LayerPoint>, who: &Who) -> Checked<LayerPoint> {
        let Some(below) = run.end().layer.below.get(who) else { return Ok(run.end().clone()) };
        let state = |p: &LayerPoint| p.layer.graph.state[p.point as usize];
        let graph = &below.graph;
        let start = graph.initial.iter().copied().find(|&p| graph.state[p as usize] == state(&run.start));
        let mut point = start;
        for (label, target) in &run.steps {
            let steps = point.map_or(&[][..], |p| graph.from(p as usize));
            let next = steps.iter().find(|(l, q)| l == label && graph.state[*q as usize] == state(target));
            point = next.map(|(_, q)| *q);
        }
        Ok(point.map_or_else(|| run.end().clone(), |point| LayerPoint { layer: below.clone(), point }))
    }

    fn lookalikes(&mut self, run: &Run<LayerPoint>, who: &Who) -> Checked<Vec<LayerPoint>> {
        let Some((below, levels)) = self.levels(run, who)? else { return Ok(Vec::new()) };
        let ends = levels.last().into_iter().flatten();
        Ok(ends.map(|(p, _)| LayerPoint { layer: below.clone(), point: *p }).collect())
    }

    fn lookalike(&mut self, run: &Run<LayerPoint>, who: &Who, end: &LayerPoint) -> Checked<Run<LayerPoint>> {
        let found = self.levels(run, who)?.and_then(|(below, levels)| {
            let run = trace(&levels, &end.point)?;
            let lift = |p: u32| LayerPoint { layer: below.clone(), point: p };
            Some(Run { start: lift(run.start), steps: run.steps.into_iter().map(|(l, p)| (l, lift(p))).collect() })
        });
        Ok(found.unwrap_or_else(|| Run::at(end.clone())))
    }

    fn conditions(&self) -> usize {
        self.system.fairness.len()
    }

    fn meets(&mut self, condition: usize, point: &LayerPoint) -> Checked<bool> {
        Ok(point.layer.meets(condition, point.point))
    }

    fn automaton(&mut self, f: &F, point: &LayerPoint) -> Checked<Option<Rc<Automaton>>> {
        Ok(self.accepted(f, &point.layer)?.map(|accepted| accepted.automaton))
    }

    fn accepts(&mut self, f: &F, node: usize, point: &LayerPoint) -> Checked<bool> {
        let found = self.accepted(f, &point.layer)?;
        found.map_or(Ok(false), |accepted| accepted.from[node].decides(point.point as usize))
    }
}

/// Traces, by the moments they lead to.
pub(crate) struct InMoments<'s> {
    pub(crate) system: &'s Transitions,
    pub(crate) visibility: Visibility,
    pub(crate) evaluator: Evaluator<'s>,
}

impl InMoments<'_> {
    /// Whether a point counts, where that is decided.
    fn counts(&self, point: u32) -> Checked<bool> {
        let fairness = self.evaluator.algebra.fairness.as_ref();
        fairness.map_or(Ok(true), |fairness| fairness.counting().decides(point as usize))
    }

    /// The steps from a point to points that count.
    fn fair_steps(&self, point: u32) -> Checked<Vec<(u32, u32)>> {
        let mut steps = Vec::new();
        for &(label, target) in self.evaluator.algebra.graph.from(point as usize) {
            if self.counts(target)? {
                steps.push((label, target));
            }
        }
        Ok(steps)
    }

    fn levels(&mut self, run: &Run<u32>, who: &Who) -> Checked<Levels<u32>> {
        let graph = self.evaluator.algebra.graph;
        let classes = self.evaluator.algebra.classes(who);
        let class = |p: u32| classes.as_ref().map_or(p, |c| c.of[p as usize]);
        let path: Vec<u32> = run.points().map(|&p| class(p)).collect();
        let labels: Vec<u32> = run.steps.iter().map(|(l, _)| *l).collect();
        let mut starts: Vec<u32> = Vec::new();
        for &p in graph.initial.iter().filter(|&&p| class(p) == path[0]) {
            if self.counts(p)? {
                starts.push(p);
            }
        }
        starts.sort_unstable();
        starts.dedup();
        let visibility = self.visibility;
        let mut undecided = None;
        let levels = simulate(starts, labels.len(), |t, &point| {
            let steps = self.fair_steps(point).unwrap_or_else(|error| {
                undecided = Some(error);
                Vec::new()
            });
            let same =
                |&(l, q): &(u32, u32)| (visibility == Visibility::Hidden || l == labels[t]) && class(q) == path[t + 1];
            steps.into_iter().filter(same).collect()
        });
        undecided.map_or(Ok(levels), Err)
    }
}

impl Scene for InMoments<'_> {
    type P = u32;

    fn holds(&mut self, f: &F, point: &u32) -> Checked<bool> {
        self.evaluator.points(f)?.decides(*point as usize)
    }

    fn steps(&mut self, point: &u32) -> Checked<Vec<(u32, u32)>> {
        self.fair_steps(*point)
    }

    fn called(&self, label: u32, name: &Name) -> bool {
        self.system.labels[label as usize].names.contains(name)
    }

    fn label(&self, label: u32) -> String {
        self.system.labels[label as usize].text.to_string()
    }

    fn sees_actions(&self) -> bool {
        self.visibility == Visibility::Seen
    }

    fn parts(&self, label: u32) -> Vec<(Name, Name)> {
        self.system.parts(label)
    }

    fn noticed(&self, before: &u32, after: &u32) -> Vec<Name> {
        self.system.noticed(
            self.evaluator.algebra.graph.state[*before as usize],
            self.evaluator.algebra.graph.state[*after as usize],
        )
    }

    fn state(&self, point: &u32) -> (String, Facts) {
        let state = self.evaluator.algebra.graph.state[*point as usize] as usize;
        (self.system.name(state), self.system.facts(state))
    }

    fn lookalikes(&mut self, run: &Run<u32>, who: &Who) -> Checked<Vec<u32>> {
        Ok(self.levels(run, who)?.pop().unwrap_or_default().into_iter().map(|(p, _)| p).collect())
    }

    fn lookalike(&mut self, run: &Run<u32>, who: &Who, end: &u32) -> Checked<Run<u32>> {
        let levels = self.levels(run, who)?;
        Ok(trace(&levels, end).unwrap_or_else(|| Run::at(*end)))
    }

    fn conditions(&self) -> usize {
        self.system.fairness.len()
    }

    fn meets(&mut self, condition: usize, point: &u32) -> Checked<bool> {
        self.evaluator.algebra.meets(condition).map_or(Ok(true), |set| set.decides(*point as usize))
    }

    fn automaton(&mut self, f: &F, _point: &u32) -> Checked<Option<Rc<Automaton>>> {
        Ok(self.evaluator.accepted(f)?.map(|accepted| accepted.automaton))
    }

    fn accepts(&mut self, f: &F, node: usize, point: &u32) -> Checked<bool> {
        self.evaluator.accepted(f)?.map_or(Ok(false), |accepted| accepted.from[node].decides(*point as usize))
    }
}
