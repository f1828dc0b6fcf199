//! Perfect recall in a written system with fairness, by the definitions: what looks the same, set by set.
//!
//! A node of level 0 is a state. A node of level k+1 is a node of level k together with, for each group that matters, the
//! nodes of level k at which runs end that look the same to the group: exactly those, since a step takes them to what
//! follows by an action that looks the same and leads to what looks the same. Knowledge of depth k is a matter of the
//! nodes of level k. First the conditions of fairness are judged with everything considered possible; then what lies on no
//! fair run is left out, and the levels are built once more on the rest.

use super::by_hand::{ByHand, is_so};
use super::fair_runs::{FairRuns, Set, not, reached};
use ken_logic::formula::{F, Formula, Group, Name, Program};
use ken_logic::model::system::{System, Visibility};
use std::collections::{BTreeSet, HashMap};

/// Nodes with the steps between them.
struct Level {
    /// The state of each node.
    state: Vec<usize>,
    starts: Vec<usize>,
    steps: Vec<BTreeSet<(Vec<usize>, usize)>>,
    /// For each node and each group, nodes of the level below.
    sets: Vec<Vec<BTreeSet<usize>>>,
    /// For each condition of fairness, where it holds; none while they are being judged.
    conditions: Vec<Set>,
}

/// A system with levels of nodes.
pub(crate) struct Remembered<'a> {
    system: &'a System,
    graph: &'a ByHand,
    groups: Vec<Vec<usize>>,
    levels: Vec<Level>,
}

/// Everybody whose knowledge is asked for, as groups that pool it.
fn groups(system: &System, f: &Formula, found: &mut Vec<Vec<usize>>) {
    let agents = &system.vocabulary.agents;
    let index = |name: &Name| agents.iter().position(|a| a == name).expect("an agent");
    let members = |group: &Group| -> Vec<usize> {
        match group {
            Group::All => (0..agents.len()).collect(),
            Group::Of(names) => names.iter().map(index).collect::<BTreeSet<usize>>().into_iter().collect(),
        }
    };
    f.any(&mut |g| {
        match g {
            Formula::Knows(a, _) | Formula::Possible(a, _) | Formula::KnowsWhether(a, _) => found.push(vec![index(a)]),
            Formula::Everyone(group, _) => found.extend(members(group).into_iter().map(|a| vec![a])),
            Formula::Distributed(group, _) => found.push(members(group)),
            _ => {}
        }
        false
    });
    found.sort();
    found.dedup();
}

impl<'a> Remembered<'a> {
    /// The levels that a formula needs, unless one of them has more than `most` nodes.
    pub(crate) fn new(
        system: &'a System,
        graph: &'a ByHand,
        visibility: Visibility,
        formula: &F,
        most: usize,
    ) -> Option<Remembered<'a>> {
        let mut all = Vec::new();
        system.fairness.iter().chain([formula]).for_each(|f| groups(system, f, &mut all));
        let states = graph.states.len();
        let first = Level {
            state: (0..states).collect(),
            starts: (0..graph.starts).collect(),
            steps: graph.steps.clone(),
            sets: vec![Vec::new(); states],
            conditions: Vec::new(),
        };
        let mut plain = Remembered { system, graph, groups: all, levels: vec![first] };
        let depth = system.fairness.iter().map(|f| f.knowledge_depth() as usize).max().unwrap_or(0);
        for _ in 0..depth {
            plain.deeper(visibility, most)?;
        }
        let conditions: Vec<Set> = system.fairness.iter().map(|f| plain.everywhere(f, depth)).collect();
        let size = plain.levels[depth].state.len();
        let runs = FairRuns {
            after: plain.after(&Program::Any, depth),
            conditions: conditions.clone(),
            counts: vec![true; size],
        };
        let counts = runs.fair();
        let mut found = plain.on_fair_runs(depth, &counts, &conditions);
        for _ in 0..formula.knowledge_depth() {
            found.deeper(visibility, most)?;
        }
        Some(found)
    }

    /// The nodes of a level that count become level 0.
    fn on_fair_runs(mut self, level: usize, counts: &[bool], conditions: &[Set]) -> Remembered<'a> {
        let old = self.levels.swap_remove(level);
        let kept: Vec<usize> = (0..counts.len()).filter(|&n| counts[n]).collect();
        let new: HashMap<usize, usize> = kept.iter().copied().zip(0..).collect();
        let steps =
            |n: &usize| old.steps[*n].iter().filter_map(|(acts, t)| Some((acts.clone(), *new.get(t)?))).collect();
        let first = Level {
            state: kept.iter().map(|&n| old.state[n]).collect(),
            starts: old.starts.iter().filter_map(|n| new.get(n).copied()).collect(),
            steps: kept.iter().map(steps).collect(),
            sets: vec![Vec::new(); kept.len()],
            conditions: conditions.iter().map(|set| kept.iter().map(|&n| set[n]).collect()).collect(),
        };
        self.levels = vec![first];
        self
    }

    fn looks(&self, group: &[usize], state: usize) -> Vec<String> {
        group.iter().map(|&a| self.graph.sight(self.system, a, state)).collect()
    }

    /// Adds a level.
    fn deeper(&mut self, visibility: Visibility, most: usize) -> Option<()> {
        let below = &self.levels[self.levels.len() - 1];
        let sights: Vec<Vec<Vec<String>>> =
            self.groups.iter().map(|g| below.state.iter().map(|&s| self.looks(g, s)).collect()).collect();
        type Node = (usize, Vec<BTreeSet<usize>>);
        let mut nodes: Vec<Node> = Vec::new();
        let mut index: HashMap<Node, usize> = HashMap::new();
        let mut number = |node: Node, nodes: &mut Vec<Node>| {
            *index.entry(node.clone()).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        let (mut starts, mut all_steps) = (Vec::new(), Vec::new());
        for &n in &below.starts {
            let same = |sight: &Vec<Vec<String>>| {
                below.starts.iter().copied().filter(|&m| sight[m] == sight[n]).collect::<BTreeSet<usize>>()
            };
            let node = (n, sights.iter().map(same).collect());
            starts.push(number(node, &mut nodes));
        }
        while all_steps.len() < nodes.len() {
            if nodes.len() > most {
                return None;
            }
            let (n, sets) = nodes[all_steps.len()].clone();
            let mut here = BTreeSet::new();
            for (acts, t) in &below.steps[n] {
                let mut next: Vec<BTreeSet<usize>> = Vec::new();
                for (sight, set) in sights.iter().zip(&sets) {
                    let steps = set.iter().flat_map(|&m| below.steps[m].iter());
                    let same = steps.filter(|(other, u)| {
                        (visibility == Visibility::Hidden || other == acts) && sight[*u] == sight[*t]
                    });
                    next.push(same.map(|(_, u)| *u).collect());
                }
                here.insert((acts.clone(), number((*t, next), &mut nodes)));
            }
            all_steps.push(here);
        }
        let lower = |set: &Set| nodes.iter().map(|(n, _)| set[*n]).collect();
        let level = Level {
            state: nodes.iter().map(|(n, _)| below.state[*n]).collect(),
            starts,
            steps: all_steps,
            sets: nodes.iter().map(|(_, sets)| sets.clone()).collect(),
            conditions: below.conditions.iter().map(lower).collect(),
        };
        self.levels.push(level);
        Some(())
    }

    /// The initial states that count, each with whether the formula holds there.
    pub(crate) fn initial(&self, f: &F) -> Vec<(usize, bool)> {
        let top = self.levels.len() - 1;
        let set = self.everywhere(f, top);
        let level = &self.levels[top];
        level.starts.iter().map(|&n| (level.state[n], set[n])).collect()
    }

    /// For each node of the level and one group: whether the nodes below that look the same all have the value.
    fn known(&self, group: &[usize], below: &Set, level: usize, value: bool) -> Set {
        let at = self.groups.iter().position(|g| g == group).expect("a group that is followed");
        let all = |sets: &Vec<BTreeSet<usize>>| sets[at].iter().all(|&n| below[n] == value);
        self.levels[level].sets.iter().map(all).collect()
    }

    fn everywhere(&self, f: &F, level: usize) -> Set {
        let here = &self.levels[level];
        let size = here.state.len();
        if f.is_objective() {
            let states = here.state.iter().map(|&s| &self.graph.states[s]);
            return states.map(|state| is_so(self.system, f, state, None)).collect();
        }
        let set = |g: &F| self.everywhere(g, level);
        let pairs = |a: Set, b: Set, how: fn(bool, bool) -> bool| (0..size).map(|n| how(a[n], b[n])).collect::<Set>();
        let agents = &self.system.vocabulary.agents;
        let one = |name: &Name| vec![agents.iter().position(|a| a == name).expect("an agent")];
        let members = |group: &Group| -> Vec<usize> {
            match group {
                Group::All => (0..agents.len()).collect(),
                Group::Of(names) => names.iter().flat_map(one).collect::<BTreeSet<usize>>().into_iter().collect(),
            }
        };
        let lower = |g: &F| self.everywhere(g, level - 1);
        let count = |parts: &[F]| {
            let sets: Vec<Set> = parts.iter().map(set).collect();
            (0..size).map(|n| sets.iter().filter(|s| s[n]).count() as u64).collect::<Vec<u64>>()
        };
        match &**f {
            Formula::Not(g) => not(&set(g)),
            Formula::And(parts) => count(parts).iter().map(|&n| n == parts.len() as u64).collect(),
            Formula::Or(parts) => count(parts).iter().map(|&n| n > 0).collect(),
            Formula::Xor(parts) => count(parts).iter().map(|&n| n % 2 == 1).collect(),
            Formula::Count(cmp, n, parts) => count(parts).iter().map(|c| cmp.admits(c.cmp(n))).collect(),
            Formula::Imp(g, h) => pairs(set(g), set(h), |a, b| !a || b),
            Formula::Iff(g, h) => pairs(set(g), set(h), |a, b| a == b),
            Formula::Knows(a, g) => self.known(&one(a), &lower(g), level, true),
            Formula::Possible(a, g) => not(&self.known(&one(a), &lower(g), level, false)),
            Formula::KnowsWhether(a, g) => {
                let (who, g) = (one(a), lower(g));
                pairs(self.known(&who, &g, level, true), self.known(&who, &g, level, false), |a, b| a || b)
            }
            Formula::Everyone(group, g) => {
                let g = lower(g);
                let each = members(group).into_iter().map(|a| self.known(&[a], &g, level, true));
                each.fold(vec![true; size], |all, one| pairs(all, one, |a, b| a && b))
            }
            Formula::Distributed(group, g) => self.known(&members(group), &lower(g), level, true),
            Formula::Path(path, along, program, g) => self.runs(program, level).along(*path, *along, &set(g)),
            Formula::Until(path, program, g, h) => self.runs(program, level).through(*path, &set(g), &set(h)),
            _ => panic!("no such formula here: {f}"),
        }
    }

    fn runs(&self, program: &Program, level: usize) -> FairRuns {
        let here = &self.levels[level];
        let counts = vec![true; here.state.len()];
        FairRuns { after: self.after(program, level), conditions: here.conditions.clone(), counts }
    }

    /// Where executions of the program lead.
    fn after(&self, program: &Program, level: usize) -> Vec<BTreeSet<usize>> {
        let here = &self.levels[level];
        let size = here.state.len();
        match program {
            Program::Any => here.steps.iter().map(|steps| steps.iter().map(|(_, t)| *t).collect()).collect(),
            Program::Action(name) => {
                let called = |acts: &[usize]| ByHand::called(self.system, acts).contains(name);
                let there = |steps: &BTreeSet<(Vec<usize>, usize)>| {
                    steps.iter().filter(|(acts, _)| called(acts)).map(|(_, t)| *t).collect()
                };
                here.steps.iter().map(there).collect()
            }
            Program::Seq(parts) => {
                let mut all: Vec<BTreeSet<usize>> = (0..size).map(|n| BTreeSet::from([n])).collect();
                for part in parts {
                    let then = self.after(part, level);
                    all = all.iter().map(|here| here.iter().flat_map(|&t| then[t].clone()).collect()).collect();
                }
                all
            }
            Program::Choice(parts) => {
                let mut all = vec![BTreeSet::new(); size];
                for part in parts {
                    all.iter_mut().zip(self.after(part, level)).for_each(|(all, more)| all.extend(more));
                }
                all
            }
            Program::Star(inner) => {
                let once = self.after(inner, level);
                (0..size).map(|n| reached(&once, n, &vec![true; size])).collect()
            }
            Program::Test(f) => {
                let set = self.everywhere(f, level);
                (0..size).map(|n| set[n].then_some(n).into_iter().collect()).collect()
            }
        }
    }
}
