//! Perfect recall, exactly: knowledge states of bounded depth (after van der Meyden and Shilov).
//!
//! A point of depth 0 is a state. A point of depth k+1 is a state together with, for each agent that the formula asks
//! about, the set of depth-k points of the traces that the agent confuses with the present one. A step takes such a set
//! to its successors by the same action and splits them by what the agent then sees, so these points form a finite graph
//! on which knowledge of depth k+1 is a look-up and time is plain Act-CTL.
//!
//! Only what a formula asks is tracked: a [`Layer`] belongs to a list of formulas; for every agent at the top of one of
//! them there is a layer below for the bodies. The points of the layer below are merged into classes by bisimulation
//! (same sight for that agent, same truth of the bodies, same steps), so irrelevant differences are shared.
//!
//! With fairness an agent considers only points possible that count. Which ones do is a matter of the layer they are in;
//! what fairness asks about knowledge is looked up in *plain* layers, in which every point counts.

use super::fairness::Fairness;
use super::graph::Graph;
use super::points::{Bias, Confusion, Evaluator, Table};
use crate::check::core::{Core, Lit, Node, Who};
use crate::check::{CheckError, Limit, Limits};
use crate::formula::F;
use crate::model::kripke::Classes;
use crate::model::system::Visibility;
use crate::model::{BitSet, Transitions};
use crate::progress::{self, Stage};
use crate::stop;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

type Checked<T> = Result<T, CheckError>;

/// A finite graph of knowledge states on which some formulas have been evaluated.
pub(crate) struct Layer {
    /// The points and their steps.
    pub(crate) graph: Graph,
    /// For each of its formulas, where it holds.
    holds: HashMap<Lit, Rc<BitSet>>,
    /// The layer in which the bodies of an agent's knowledge are evaluated.
    pub(crate) below: HashMap<Who, Rc<Layer>>,
    table: Table,
    fairness: Option<Rc<Fairness>>,
    core: Core,
}

impl Layer {
    /// The points of this layer at which a formula of it, or a part of one outside any knowledge, holds.
    pub(crate) fn eval(&self, system: &Transitions, f: &F) -> Checked<Rc<BitSet>> {
        if let Some(found) = self.holds.get(&self.lower(f)?) {
            return Ok(found.clone());
        }
        self.evaluator(system).certainly(f)
    }

    /// An evaluator on the points of this layer, with fair runs only.
    pub(crate) fn evaluator<'l>(&'l self, system: &'l Transitions) -> Evaluator<'l> {
        let table = Box::new(ByTable(&self.table));
        Evaluator::on(system, &self.graph, table, &self.core, self.fairness.clone())
    }

    /// A formula in the core that the layer knows.
    pub(crate) fn lower(&self, f: &F) -> Checked<Lit> {
        self.core.lower(f)
    }

    /// Whether a point lies on a fair run.
    pub(crate) fn counts(&self, point: u32) -> bool {
        self.fairness.as_ref().is_none_or(|fairness| fairness.counts(Bias::Certain).contains(point as usize))
    }

    /// Whether a condition of fairness holds at a point.
    pub(crate) fn meets(&self, condition: usize, point: u32) -> bool {
        let fairness = self.fairness.as_ref();
        let set = fairness.and_then(|fairness| fairness.conditions().get(condition));
        set.is_none_or(|set| set.with(Bias::Certain).contains(point as usize))
    }

    /// The points that count; `None` if all do.
    pub(crate) fn counting(&self) -> Option<&BitSet> {
        self.fairness.as_ref().map(|fairness| &**fairness.counts(Bias::Certain))
    }
}

struct ByTable<'t>(&'t Table);

impl Confusion for ByTable<'_> {
    fn classes(&mut self, _who: &Who) -> Option<Rc<Classes>> {
        None
    }

    fn table(&self) -> Option<&Table> {
        Some(self.0)
    }
}

/// Whether fairness leaves points out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    /// Every point counts.
    Plain,
    /// Only points on fair runs count.
    Fair,
}

/// Builds layers, each once.
pub(crate) struct Recall<'s> {
    system: &'s Transitions,
    visibility: Visibility,
    limits: Limits,
    core: Core,
    layers: HashMap<(Kind, Vec<Lit>), Rc<Layer>>,
    /// Points of all layers together.
    points: usize,
}

/// The knowledge operators at the top of a formula, outside any other: who, and of what.
fn asked(core: &Core, f: Lit, found: &mut Vec<(Who, Lit)>) -> Checked<()> {
    let mut refused = None;
    core.walk(&[f], &mut |_, node| {
        let (who, body) = match node {
            Node::Known(Who::Each(group), body) => (group.iter().map(|&agent| Who::Agent(agent)).collect(), *body),
            Node::Known(who, body) => (vec![who.clone()], *body),
            Node::Ought(..) => {
                refused = Some(CheckError::NotHere("`O[a]` is for systems without memory"));
                return false;
            }
            _ => return true,
        };
        for who in who {
            let entry = (who, body.positive());
            if !found.contains(&entry) {
                found.push(entry);
            }
        }
        false
    });
    refused.map_or(Ok(()), Err)
}

impl<'s> Recall<'s> {
    pub(crate) fn new(system: &'s Transitions, visibility: Visibility, limits: Limits) -> Recall<'s> {
        let core = Core::new(&system.agents);
        Recall { system, visibility, limits, core, layers: HashMap::new(), points: 0 }
    }

    /// How many knowledge states were made, in all layers.
    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// A layer on which these formulas are evaluated.
    pub(crate) fn layer(&mut self, formulas: &[F]) -> Checked<Rc<Layer>> {
        let kind = if self.system.fairness.is_empty() { Kind::Plain } else { Kind::Fair };
        let formulas = self.lowered(formulas)?;
        self.layer_of(kind, &formulas)
    }

    fn lowered(&self, formulas: &[F]) -> Checked<Vec<Lit>> {
        formulas.iter().map(|f| self.core.lower(f)).collect()
    }

    fn layer_of(&mut self, kind: Kind, formulas: &[Lit]) -> Checked<Rc<Layer>> {
        let key = (kind, formulas.to_vec());
        if let Some(found) = self.layers.get(&key) {
            return Ok(found.clone());
        }
        let system = self.system;
        let mut minds: Vec<Mind> = Vec::new();
        let below = self.minds(kind, formulas, &mut minds)?;
        let own = minds.len();
        if kind == Kind::Fair {
            let conditions = self.lowered(&system.fairness)?;
            self.minds(Kind::Plain, &conditions, &mut minds)?;
        }
        let (graph, sets) = self.explore(&mut minds)?;
        self.points += graph.size();
        let table = tabled(&graph, &minds, &sets, 0..own);
        let fairness = match kind {
            Kind::Plain => None,
            Kind::Fair => {
                let asked = tabled(&graph, &minds, &sets, own..minds.len());
                Fairness::of(Evaluator::on(system, &graph, Box::new(ByTable(&asked)), &self.core, None), None)?
            }
        };
        let mut holds = HashMap::new();
        {
            let mut evaluator = Evaluator::on(system, &graph, Box::new(ByTable(&table)), &self.core, fairness.clone());
            for &f in formulas {
                holds.insert(f, evaluator.eval(0, f)?.with(Bias::Certain).clone());
            }
        }
        let layer = Rc::new(Layer { graph, holds, below, table, fairness, core: self.core.clone() });
        self.layers.insert(key, layer.clone());
        Ok(layer)
    }

    /// Adds a mind for everybody whose knowledge these formulas ask for; the layers in which the bodies are evaluated.
    fn minds(&mut self, kind: Kind, formulas: &[Lit], minds: &mut Vec<Mind>) -> Checked<HashMap<Who, Rc<Layer>>> {
        let mut wanted: Vec<(Who, Lit)> = Vec::new();
        for &f in formulas {
            asked(&self.core, f, &mut wanted)?;
        }
        let mut agents: Vec<(Who, Vec<Lit>)> = Vec::new();
        for (who, body) in wanted {
            match agents.iter_mut().find(|(w, _)| *w == who) {
                Some((_, bodies)) => bodies.push(body),
                None => agents.push((who, vec![body])),
            }
        }
        let mut below = HashMap::new();
        for (who, bodies) in agents {
            let layer = self.layer_of(kind, &bodies)?;
            minds.push(Mind::new(self.system, &layer, who.clone(), bodies, self.visibility)?);
            below.insert(who, layer);
        }
        Ok(below)
    }

    /// All reachable points: a state, and one set for each mind.
    fn explore(&self, minds: &mut [Mind]) -> Checked<(Graph, Vec<u32>)> {
        let system = self.system;
        if minds.is_empty() {
            return Ok((Graph::reachable(system), Vec::new()));
        }
        let width = minds.len();
        let mut index: HashMap<Box<[u32]>, u32> = HashMap::new();
        let mut state: Vec<u32> = Vec::new();
        let mut sets: Vec<u32> = Vec::new();
        let room = self.limits.worlds.saturating_sub(self.points);
        let mut reach = |key: Vec<u32>, state: &mut Vec<u32>, sets: &mut Vec<u32>| {
            let next = state.len() as u32;
            if let Some(&found) = index.get(key.as_slice()) {
                return found;
            }
            state.push(key[0]);
            sets.extend(&key[1..]);
            index.insert(key.into(), next);
            next
        };
        let mut initial = Vec::new();
        for &s in &system.initial {
            let mut key = vec![s];
            key.extend(minds.iter_mut().map(|m| m.begin(s)));
            initial.push(reach(key, &mut state, &mut sets));
        }
        let mut successors = Vec::new();
        let mut at = 0;
        while at < state.len() {
            stop::go_on()?;
            progress::report(Stage::Points, state.len());
            if state.len() > room {
                return Err(Limit::States(self.limits.worlds).into());
            }
            let mut edges = Vec::new();
            for step in system.from(state[at] as usize) {
                let mut key = vec![step.target];
                for (i, mind) in minds.iter_mut().enumerate() {
                    let set = sets[at * width + i];
                    key.push(mind.after(set, step.label, step.target));
                }
                edges.push((step.label, reach(key, &mut state, &mut sets)));
            }
            edges.sort_unstable();
            edges.dedup();
            successors.push(edges);
            at += 1;
        }
        Ok((Graph::new(state, successors, initial), sets))
    }
}

/// What these minds know of their bodies at each point.
fn tabled(graph: &Graph, minds: &[Mind], sets: &[u32], which: std::ops::Range<usize>) -> Table {
    let mut table: Table = HashMap::new();
    for i in which {
        let mind = &minds[i];
        for (body, truth) in mind.bodies.iter().zip(&mind.truth) {
            let verdicts: Vec<(bool, bool)> = mind
                .sets
                .iter()
                .map(|set| {
                    let mut values = set.iter().map(|&c| truth.contains(c as usize));
                    (values.clone().all(|b| b), !values.any(|b| b))
                })
                .collect();
            let of = |p: usize| verdicts[sets[p * minds.len() + i] as usize];
            let all = BitSet::from_fn(graph.size(), |p| of(p).0);
            let none = BitSet::from_fn(graph.size(), |p| of(p).1);
            table.insert((mind.who.clone(), *body), (all, none));
        }
    }
    table
}

/// What one agent (or a group that pools its knowledge) may consider possible: sets of classes of points below.
struct Mind {
    who: Who,
    bodies: Vec<Lit>,
    /// Per body, the classes in which it holds.
    truth: Vec<BitSet>,
    /// Per class, what the agent sees there.
    class_sight: Vec<u32>,
    /// Per class, the classes that follow and count, with the label if labels are seen.
    class_steps: Vec<Vec<(u32, u32)>>,
    /// Per state, what the agent sees.
    sights: Vec<u32>,
    visibility: Visibility,
    sets: Vec<Box<[u32]>>,
    index: HashMap<Box<[u32]>, u32>,
    /// The set at the start of a trace, by what the agent sees.
    start: HashMap<u32, u32>,
    /// By set and label: for each sight the set that follows.
    follow: HashMap<(u32, u32), HashMap<u32, u32>>,
}

/// What somebody sees of each state, numbered.
pub(crate) fn sights(system: &Transitions, who: &Who) -> Checked<Vec<u32>> {
    match who {
        Who::Agent(a) => Ok(system.local[*a].clone()),
        Who::Together(group) => {
            let size = system.size();
            let keys = (0..size).map(|s| group.iter().map(|&a| system.local[a][s]).collect::<Vec<u32>>());
            Ok(Classes::by_key(keys).of)
        }
        Who::Each(_) | Who::Commonly(_) => {
            Err(CheckError::NotHere("common knowledge over time needs the whole model of each moment"))
        }
    }
}

/// Points by their steps: label and class.
type BySteps = BTreeMap<Vec<(u32, u32)>, Vec<u32>>;

/// The coarsest partition finer than this one in which points of a class have steps with the same labels into the same
/// classes. Only points with a step into a class that was split are looked at again, and the largest part of a split class
/// keeps its number, so a long chain costs no more than a short one a step.
fn refined(graph: &Graph, mut classes: Classes, shown: &dyn Fn(u32) -> u32) -> Classes {
    let size = graph.size();
    let mut members = classes.members();
    let mut dirty: Vec<u32> = (0..size as u32).collect();
    let mut queued = BitSet::full(size);
    while !dirty.is_empty() && !stop::asked() {
        // The steps of each point that may have changed, grouped by class.
        let mut touched: BTreeMap<u32, BySteps> = BTreeMap::new();
        for p in dirty.drain(..) {
            let mut next: Vec<(u32, u32)> =
                graph.from(p as usize).iter().map(|&(l, t)| (shown(l), classes.of[t as usize])).collect();
            next.sort_unstable();
            next.dedup();
            queued.remove(p as usize);
            touched.entry(classes.of[p as usize]).or_default().entry(next).or_default().push(p);
        }
        let mut moved: Vec<u32> = Vec::new();
        for (class, groups) in touched {
            let mut groups: Vec<Vec<u32>> = groups.into_values().collect();
            let looked: usize = groups.iter().map(Vec::len).sum();
            let rest = members[class as usize].len() - looked;
            // Points that were not looked at stay together: none of their steps leads elsewhere than before.
            groups.sort_by_key(Vec::len);
            if groups.last().is_some_and(|g| g.len() >= rest) && rest == 0 {
                groups.pop();
            }
            for group in groups {
                let new = members.len() as u32;
                group.iter().for_each(|&p| classes.of[p as usize] = new);
                moved.extend(&group);
                members.push(group);
            }
            let of = &classes.of;
            members[class as usize].retain(|&p| of[p as usize] == class);
        }
        for p in moved {
            for &(_, source) in graph.into(p as usize) {
                if !queued.contains(source as usize) {
                    queued.insert(source as usize);
                    dirty.push(source);
                }
            }
        }
    }
    Classes::by_key(classes.of)
}

impl Mind {
    fn new(system: &Transitions, layer: &Layer, who: Who, bodies: Vec<Lit>, visibility: Visibility) -> Checked<Mind> {
        let sights = sights(system, &who)?;
        let graph = &layer.graph;
        let truths: Vec<&Rc<BitSet>> = bodies.iter().filter_map(|b| layer.holds.get(b)).collect();
        let shown = |label: u32| if visibility == Visibility::Seen { label } else { 0 };
        let keys = (0..graph.size()).map(|p| {
            let facts: Vec<bool> = truths.iter().map(|t| t.contains(p)).collect();
            (sights[graph.state[p] as usize], facts, layer.counts(p as u32))
        });
        let classes = refined(graph, Classes::by_key(keys), &shown);
        stop::go_on()?;
        let count = classes.count as usize;
        let mut member = vec![0usize; count];
        for p in (0..graph.size()).rev() {
            member[classes.of[p] as usize] = p;
        }
        let class_steps = member
            .iter()
            .map(|&p| {
                let counting = graph.from(p).iter().filter(|&&(_, t)| layer.counts(t));
                let mut next: Vec<(u32, u32)> = counting.map(|&(l, t)| (shown(l), classes.of[t as usize])).collect();
                next.sort_unstable();
                next.dedup();
                next
            })
            .collect();
        let mut mind = Mind {
            truth: truths.iter().map(|t| BitSet::from_fn(count, |c| t.contains(member[c]))).collect(),
            class_sight: member.iter().map(|&p| sights[graph.state[p] as usize]).collect(),
            class_steps,
            sights,
            who,
            bodies,
            visibility,
            sets: Vec::new(),
            index: HashMap::new(),
            start: HashMap::new(),
            follow: HashMap::new(),
        };
        let mut starts: HashMap<u32, Vec<u32>> = HashMap::new();
        for &p in graph.initial.iter().filter(|&&p| layer.counts(p)) {
            let class = classes.of[p as usize];
            starts.entry(mind.class_sight[class as usize]).or_default().push(class);
        }
        for (sight, set) in starts {
            let set = mind.set(set);
            mind.start.insert(sight, set);
        }
        Ok(mind)
    }

    fn sight(&self, state: u32) -> u32 {
        self.sights[state as usize]
    }

    /// The set at a start.
    fn begin(&mut self, state: u32) -> u32 {
        let found = self.start.get(&self.sight(state)).copied();
        found.unwrap_or_else(|| self.set(Vec::new()))
    }

    fn set(&mut self, mut members: Vec<u32>) -> u32 {
        members.sort_unstable();
        members.dedup();
        let key: Box<[u32]> = members.into();
        if let Some(&found) = self.index.get(&key) {
            return found;
        }
        let next = self.sets.len() as u32;
        self.index.insert(key.clone(), next);
        self.sets.push(key);
        next
    }

    /// The set after a step with this label into this state.
    fn after(&mut self, set: u32, label: u32, target: u32) -> u32 {
        let label = if self.visibility == Visibility::Seen { label } else { 0 };
        let sight = self.sight(target);
        if let Some(found) = self.follow.get(&(set, label)).and_then(|by_sight| by_sight.get(&sight)) {
            return *found;
        }
        let mut by_sight: HashMap<u32, Vec<u32>> = HashMap::new();
        for &class in self.sets[set as usize].clone().iter() {
            for &(l, next) in &self.class_steps[class as usize] {
                if l == label {
                    by_sight.entry(self.class_sight[next as usize]).or_default().push(next);
                }
            }
        }
        let mut parts: Vec<(u32, Vec<u32>)> = by_sight.into_iter().collect();
        parts.sort_unstable();
        let mut result = HashMap::new();
        for (sight, part) in parts {
            let id = self.set(part);
            result.insert(sight, id);
        }
        let found = result.get(&sight).copied();
        self.follow.insert((set, label), result);
        // A trace that counts is among those considered possible; where none does nothing is.
        found.unwrap_or_else(|| self.set(Vec::new()))
    }
}
