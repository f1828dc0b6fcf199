//! Perfect recall with common knowledge or knowledge-based protocols: the whole model of each moment.
//!
//! The traces of one length form a Kripke model. Only the part that some agent can still confuse with the actual trace
//! matters: a *moment* is such a connected part, contracted by bisimulation and kept once. A step of a moment is a
//! product update. If the moments close under steps the answer is exact; until then points whose future is unknown stay
//! open, and what is certain despite them is answered.
//!
//! Contraction is by colours that are the same for the same bisimulation type in every model: the colour of a world in
//! round r is its colour in round r-1 with, for each agent, the set of colours that it confuses. When a round adds no new
//! distinction the set of colours *is* the contracted model.

use super::fairness::{Fairness, fair_states};
use super::forgetful::partition;
use super::graph::Graph;
use super::points::{Confusion, Evaluator, Table};
use super::recall::sights;
use crate::check::core::{Core, Node, Who};
use crate::check::{CheckError, Limit, Limits};
use crate::formula::F;
use crate::model::kripke::Classes;
use crate::model::system::Visibility;
use crate::model::{BitSet, Transitions};
use crate::stop;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

type Checked<T> = Result<T, CheckError>;

/// A connected, contracted model of a moment.
struct Moment {
    state: Vec<u32>,
    /// For each tracked agent, the class of each world.
    classes: Vec<Vec<u32>>,
    /// The first of its points.
    first: u32,
}

/// The signature of a colour: its round, the colour before, and for each tracked agent the set of colours confused.
type Signature = (u32, u32, Vec<Vec<u32>>);

/// The moments found so far.
pub(crate) struct Moments<'s> {
    system: &'s Transitions,
    core: Core,
    visibility: Visibility,
    limits: Limits,
    tracked: Vec<Who>,
    sights: Vec<Vec<u32>>,
    colours: HashMap<Signature, u32>,
    index: HashMap<Vec<u32>, u32>,
    moments: Vec<Moment>,
    /// Points, all moments in a row: their states and steps.
    state: Vec<u32>,
    successors: Vec<Vec<(u32, u32)>>,
    initial: Vec<u32>,
    /// Moments below this one have been followed.
    followed: usize,
    /// How many steps have been followed.
    pub(crate) depth: usize,
    may_end: bool,
    /// The states on fair runs, where that is a matter of states alone.
    fair_states: Option<BitSet>,
}

/// Everybody whose confusion matters for these formulas.
fn everybody(system: &Transitions, core: &Core, formulas: &[F]) -> Checked<Vec<Who>> {
    let mut found: Vec<Who> = Vec::new();
    let mut refused = None;
    let all = formulas.iter().chain(&system.conditions).chain(&system.fairness);
    let all = all.map(|f| core.lower(f)).collect::<Checked<Vec<_>>>()?;
    core.walk(&all, &mut |_, node| {
        match node {
            Node::Known(Who::Each(group) | Who::Commonly(group), _) => {
                found.extend(group.iter().map(|&agent| Who::Agent(agent)));
            }
            Node::Known(who, _) => found.push(who.clone()),
            Node::Ought(..) => refused = Some(CheckError::NotHere("`O[a]` is for systems without memory")),
            _ => {}
        }
        true
    });
    found.sort();
    found.dedup();
    refused.map_or(Ok(found), Err)
}

impl<'s> Moments<'s> {
    pub(crate) fn new(
        system: &'s Transitions,
        visibility: Visibility,
        may_end: bool,
        limits: Limits,
        formulas: &[F],
    ) -> Checked<Moments<'s>> {
        let core = Core::new(&system.agents);
        let tracked = everybody(system, &core, formulas)?;
        let sights = tracked.iter().map(|who| sights(system, who)).collect::<Checked<Vec<_>>>()?;
        let mut moments = Moments {
            system,
            core,
            visibility,
            limits,
            tracked,
            sights,
            colours: HashMap::new(),
            index: HashMap::new(),
            moments: Vec::new(),
            state: Vec::new(),
            successors: Vec::new(),
            initial: Vec::new(),
            followed: 0,
            depth: 0,
            may_end,
            fair_states: fair_states(system)?,
        };
        let keys = moments
            .sights
            .iter()
            .map(|sight| Classes::by_key(system.initial.iter().map(|&s| sight[s as usize])))
            .collect();
        moments.initial = moments.settle(&system.initial, keys)?;
        Ok(moments)
    }

    /// Contracts a model, takes its connected parts, and gives the point of each of its worlds.
    fn settle(&mut self, states: &[u32], classes: Vec<Classes>) -> Checked<Vec<u32>> {
        let size = states.len();
        let parts = if classes.is_empty() {
            Classes { of: (0..size as u32).collect(), count: size as u32 }
        } else {
            Classes::join(size, classes.iter())
        };
        let mut points = vec![0; size];
        for part in parts.members() {
            self.settle_part(states, &classes, &part, &mut points)?;
        }
        Ok(points)
    }

    fn settle_part(&mut self, states: &[u32], classes: &[Classes], part: &[u32], points: &mut [u32]) -> Checked<()> {
        // The classes of this part, numbered from 0 for each agent.
        let local: Vec<Classes> =
            classes.iter().map(|c| Classes::by_key(part.iter().map(|&w| c.of[w as usize]))).collect();
        let mut colour: Vec<u32> = part.iter().map(|&w| self.colour((0, states[w as usize], Vec::new()))).collect();
        let distinct = |colour: &[u32]| {
            let mut all = colour.to_vec();
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut kinds = distinct(&colour);
        let mut round = 1;
        loop {
            stop::go_on()?;
            let seen: Vec<Vec<Vec<u32>>> = local
                .iter()
                .map(|c| {
                    let mut sets = vec![Vec::new(); c.count as usize];
                    for (w, &class) in c.of.iter().enumerate() {
                        sets[class as usize].push(colour[w]);
                    }
                    sets.iter_mut().for_each(|s| {
                        s.sort_unstable();
                        s.dedup();
                    });
                    sets
                })
                .collect();
            let mut next = Vec::with_capacity(part.len());
            for w in 0..part.len() {
                let sets = local.iter().zip(&seen).map(|(c, sets)| sets[c.of[w] as usize].clone()).collect();
                next.push(self.colour((round, colour[w], sets)));
            }
            let finer = distinct(&next);
            let stable = finer.len() == kinds.len();
            (colour, kinds) = (next, finer);
            if stable {
                break;
            }
            round += 1;
        }
        let moment = match self.index.get(&kinds) {
            Some(&moment) => moment,
            None => self.add(states, part, &local, &colour, &kinds)?,
        };
        let first = self.moments[moment as usize].first;
        for (i, &w) in part.iter().enumerate() {
            let at = kinds.binary_search(&colour[i]).unwrap_or(0);
            points[w as usize] = first + at as u32;
        }
        Ok(())
    }

    fn colour(&mut self, signature: Signature) -> u32 {
        let next = self.colours.len() as u32;
        *self.colours.entry(signature).or_insert(next)
    }

    fn add(&mut self, states: &[u32], part: &[u32], local: &[Classes], colour: &[u32], kinds: &[u32]) -> Checked<u32> {
        // The least member stands for its colour; whom it confuses is the same for all of them.
        let mut member = vec![usize::MAX; kinds.len()];
        for i in (0..part.len()).rev() {
            member[kinds.binary_search(&colour[i]).unwrap_or(0)] = i;
        }
        let first = self.state.len() as u32;
        let classes = local
            .iter()
            .map(|c| {
                let mut sets: Vec<Vec<u32>> = vec![Vec::new(); c.count as usize];
                for (i, &class) in c.of.iter().enumerate() {
                    sets[class as usize].push(colour[i]);
                }
                sets.iter_mut().for_each(|s| {
                    s.sort_unstable();
                    s.dedup();
                });
                Classes::by_key(member.iter().map(|&i| sets[c.of[i] as usize].clone())).of
            })
            .collect();
        let state: Vec<u32> = member.iter().map(|&i| states[part[i] as usize]).collect();
        if self.state.len() + state.len() > self.limits.worlds {
            return Err(Limit::States(self.limits.worlds).into());
        }
        self.state.extend(&state);
        let id = self.moments.len() as u32;
        self.moments.push(Moment { state, classes, first });
        self.index.insert(kinds.to_vec(), id);
        Ok(id)
    }

    /// Whether every moment has been followed.
    pub(crate) fn closed(&self) -> bool {
        self.followed == self.moments.len()
    }

    /// Follows all moments found so far by one step.
    pub(crate) fn follow(&mut self) -> Checked<()> {
        let end = self.moments.len();
        while self.followed < end {
            self.follow_one(self.followed)?;
            self.followed += 1;
        }
        self.depth += 1;
        Ok(())
    }

    fn follow_one(&mut self, at: usize) -> Checked<()> {
        let enabled = self.conditions(at)?;
        let worlds = self.moments[at].state.clone();
        let classes = self.moments[at].classes.clone();
        let taken = |w: usize, condition: u32| condition == 0 || enabled[condition as usize - 1].contains(w);
        for (state, condition, error) in &self.system.wrong {
            if worlds.iter().enumerate().any(|(w, s)| s == state && taken(w, *condition)) {
                return Err(error.clone());
            }
        }
        let mut edges: Vec<Vec<(u32, u32)>> = vec![Vec::new(); worlds.len()];
        // By label if labels are seen: for each raw world after the step, the world and label it comes from.
        let mut groups: BTreeMap<u32, Vec<(u32, u32, u32)>> = BTreeMap::new();
        for (w, &s) in worlds.iter().enumerate() {
            for step in self.system.from(s as usize) {
                if taken(w, step.condition) {
                    let group = if self.visibility == Visibility::Seen { step.label } else { 0 };
                    groups.entry(group).or_default().push((w as u32, step.label, step.target));
                }
            }
        }
        for raw in groups.into_values() {
            let states: Vec<u32> = raw.iter().map(|&(_, _, t)| t).collect();
            let keys = (0..self.tracked.len())
                .map(|a| {
                    Classes::by_key(raw.iter().map(|&(w, _, t)| (classes[a][w as usize], self.sights[a][t as usize])))
                })
                .collect();
            let points = self.settle(&states, keys)?;
            for (&(w, label, _), &point) in raw.iter().zip(&points) {
                edges[w as usize].push((label, point));
            }
        }
        for (w, mut list) in edges.into_iter().enumerate() {
            if list.is_empty() && !self.may_end && !self.system.conditions.is_empty() {
                let state = self.system.name(worlds[w] as usize);
                return Err(CheckError::NoStep { state, span: crate::syntax::Span::default() });
            }
            list.sort_unstable();
            list.dedup();
            self.successors.push(list);
        }
        Ok(())
    }

    /// In which worlds of a moment each condition of a step is known to hold.
    fn conditions(&self, at: usize) -> Checked<Vec<BitSet>> {
        if self.system.conditions.is_empty() {
            return Ok(Vec::new());
        }
        let moment = &self.moments[at];
        let size = moment.state.len();
        let graph = Graph::new(moment.state.clone(), vec![Vec::new(); size], Vec::new());
        let of = vec![at as u32; size];
        let confusion = self.confusion(&of, &|a, w| moment.classes[a][w]);
        let mut evaluator = Evaluator::on(self.system, &graph, Box::new(confusion), &self.core, None);
        self.system.conditions.iter().map(|c| Ok((*evaluator.certainly(c)?).clone())).collect()
    }

    fn confusion(&self, moment_of: &[u32], class: &dyn Fn(usize, usize) -> u32) -> WithinMoments {
        let known = self
            .tracked
            .iter()
            .enumerate()
            .map(|(a, who)| {
                let classes = Classes::by_key(moment_of.iter().enumerate().map(|(p, &m)| (m, class(a, p))));
                (who.clone(), Rc::new(classes))
            })
            .collect();
        WithinMoments { size: moment_of.len(), known }
    }

    /// The graph of all points found so far.
    pub(crate) fn graph(&self) -> Graph {
        let mut successors = self.successors.clone();
        successors.resize(self.state.len(), Vec::new());
        let mut graph = Graph::new(self.state.clone(), successors, self.initial.clone());
        if !self.closed() {
            graph.open = Some(BitSet::from_fn(self.state.len(), |p| p >= self.successors.len()));
        }
        graph
    }

    /// An evaluator on the graph of the points found so far, with fair runs only.
    pub(crate) fn evaluator<'g>(&self, graph: &'g Graph) -> Checked<Evaluator<'g>>
    where
        's: 'g,
    {
        let on = |fairness| Evaluator::on(self.system, graph, Box::new(self.everywhere()), &self.core, fairness);
        let fairness = Fairness::of(on(None), self.fair_states.as_ref())?;
        Ok(on(fairness))
    }

    /// Who confuses which of the points found so far.
    pub(crate) fn everywhere(&self) -> WithinMoments {
        let moment_of: Vec<u32> =
            self.moments.iter().enumerate().flat_map(|(m, moment)| vec![m as u32; moment.state.len()]).collect();
        let class = |a: usize, p: usize| {
            let moment = &self.moments[moment_of[p] as usize];
            moment.classes[a][p - moment.first as usize]
        };
        self.confusion(&moment_of, &class)
    }

    /// How many points there are.
    pub(crate) fn points(&self) -> usize {
        self.state.len()
    }
}

/// Points of one moment and one class are confused.
pub(crate) struct WithinMoments {
    size: usize,
    known: HashMap<Who, Rc<Classes>>,
}

impl Confusion for WithinMoments {
    fn classes(&mut self, who: &Who) -> Option<Rc<Classes>> {
        let apart = |_: usize| Classes { of: (0..self.size as u32).collect(), count: self.size as u32 };
        // A group of one pools nothing.
        let who = match who {
            Who::Together(group) | Who::Commonly(group) if group.len() == 1 => &Who::Agent(group[0]),
            other => other,
        };
        Some(partition(who, self.size, &mut self.known, &apart))
    }

    fn table(&self) -> Option<&Table> {
        None
    }
}
