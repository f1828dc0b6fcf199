//! Truth in interpreted systems by definition: programs, maximal runs, forgetful agents and agents with perfect recall.
//!
//! Everything follows `semantics.md`, §3, on explicit lists of points, and shares with the engines only the syntax of
//! formulas. There are three judges:
//!
//! - [`Forgetful`]: points are reachable states;
//! - [`Recalling`]: points are all traces of a system without cycles, compared position by position;
//! - [`Unrolled`]: traces of a system with cycles up to some length, and beyond it only what is certain. It answers
//!   yes, no or nothing, and its algorithms are not those of the other two.

use ken_logic::formula::{Along, Cmp, F, Formula, Group, Name, Path, Program};
use ken_logic::model::system::Visibility;
use ken_logic::model::transitions::{Label, Step};
use ken_logic::model::{BitSet, Transitions};
use ken_logic::syntax::Scope;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A state of a [`Plain`] system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) name: Name,
    /// The local state of each agent.
    pub(crate) local: Vec<Name>,
    /// What holds there.
    pub(crate) props: BTreeSet<Name>,
}

/// What labels transitions: seen as one thing, and called by one or more names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    pub(crate) text: Name,
    pub(crate) names: BTreeSet<Name>,
}

/// An explicit interpreted system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plain {
    pub(crate) agents: Vec<Name>,
    pub(crate) states: Vec<State>,
    /// The initial states, as indices.
    pub(crate) initial: BTreeSet<usize>,
    pub(crate) acts: Vec<Act>,
    /// From, act, to.
    pub(crate) steps: BTreeSet<(usize, usize, usize)>,
    /// Programs with a name.
    pub(crate) programs: BTreeMap<Name, Program>,
}

impl Plain {
    /// Reads a system as the vectors write it.
    pub(crate) fn from_json(system: &Value) -> Plain {
        let text = |v: &Value| Name::from(v.as_str().expect("text"));
        let list = |v: &Value| v.as_array().expect("a list").clone();
        let agents: Vec<Name> = list(&system["agents"]).iter().map(text).collect();
        let states = system["states"].as_object().expect("states").iter().map(|(name, state)| State {
            name: name.as_str().into(),
            local: agents.iter().map(|a| text(&state["local"][&**a])).collect(),
            props: list(&state["props"]).iter().map(text).collect(),
        });
        let mut plain = Plain { states: states.collect(), agents, ..Plain::default() };
        plain.initial = list(&system["initial"]).iter().map(|s| plain.state(&text(s))).collect();
        for step in list(&system["transitions"]) {
            let act = plain.act(&text(&step[1]));
            plain.steps.insert((plain.state(&text(&step[0])), act, plain.state(&text(&step[2]))));
        }
        for (name, body) in system["programs"].as_object().into_iter().flatten() {
            let body = plain.program(&text(body));
            plain.programs.insert(name.as_str().into(), body);
        }
        plain
    }

    /// The same system, if its steps depend on nothing and all its runs count.
    pub(crate) fn from_transitions(system: &Transitions) -> Plain {
        assert!(system.fairness.is_empty(), "no fairness here");
        assert!(system.steps.iter().all(|step| step.condition == 0), "no knowledge-based programs here");
        let states = (0..system.size()).map(|s| State {
            name: system.names.get(s).cloned().unwrap_or_else(|| format!("s{s}").into()),
            local: system.local.iter().map(|class| format!("l{}", class[s]).into()).collect(),
            props: system.props.iter().filter(|(_, at)| at.contains(s)).map(|(p, _)| p.clone()).collect(),
        });
        let steps = (0..system.size())
            .flat_map(|s| system.from(s).iter().map(move |step| (s, step.label as usize, step.target as usize)));
        let act = |l: &Label| Act { text: l.text.clone(), names: l.names.iter().cloned().collect() };
        Plain {
            agents: system.agents.clone(),
            states: states.collect(),
            initial: system.initial.iter().map(|&s| s as usize).collect(),
            acts: system.labels.iter().map(act).collect(),
            steps: steps.collect(),
            programs: BTreeMap::new(),
        }
    }

    /// The same system for an engine; named programs are lost.
    pub(crate) fn to_transitions(&self) -> Transitions {
        let number = |n: usize| u32::try_from(n).expect("a small system");
        let classes = |agent: usize| {
            let all: BTreeSet<&Name> = self.states.iter().map(|state| &state.local[agent]).collect();
            let class = |state: &State| number(all.iter().position(|l| **l == state.local[agent]).expect("listed"));
            self.states.iter().map(class).collect()
        };
        let all_props: BTreeSet<&Name> = self.states.iter().flat_map(|state| &state.props).collect();
        let holds = |prop: &Name| BitSet::from_fn(self.states.len(), |s| self.states[s].props.contains(prop));
        let starts = (0..=self.states.len()).map(|s| number(self.steps.range(..(s, 0, 0)).count()));
        let label = |act: &Act| Label {
            text: act.text.clone(),
            names: act.names.iter().cloned().collect(),
            choices: Vec::new(),
        };
        Transitions {
            agents: self.agents.clone(),
            names: self.states.iter().map(|state| state.name.clone()).collect(),
            initial: self.initial.iter().map(|&s| number(s)).collect(),
            labels: self.acts.iter().map(label).collect(),
            offsets: starts.collect(),
            steps: self
                .steps
                .iter()
                .map(|&(_, act, to)| Step { label: number(act), target: number(to), condition: 0 })
                .collect(),
            local: (0..self.agents.len()).map(classes).collect(),
            props: all_props.iter().map(|&prop| (prop.clone(), holds(prop))).collect(),
            prop_order: all_props.into_iter().cloned().collect(),
            ..Transitions::default()
        }
    }

    /// The system as the vectors write it. Acts go by their text, other names for them are lost.
    pub(crate) fn to_json(&self) -> String {
        let name = |s: &usize| &*self.states[*s].name;
        let states = self.states.iter().map(|state| {
            let local: serde_json::Map<String, Value> =
                self.agents.iter().zip(&state.local).map(|(a, l)| (a.to_string(), json!(&**l))).collect();
            let props: Vec<&str> = state.props.iter().map(|p| &**p).collect();
            (state.name.to_string(), json!({ "local": local, "props": props }))
        });
        let steps: Vec<[&str; 3]> =
            self.steps.iter().map(|(s, act, t)| [name(s), &*self.acts[*act].text, name(t)]).collect();
        let programs: serde_json::Map<String, Value> =
            self.programs.iter().map(|(name, body)| (name.to_string(), json!(body.to_string()))).collect();
        let system = json!({
            "agents": self.agents.iter().map(|a| &**a).collect::<Vec<_>>(),
            "initial": self.initial.iter().map(name).collect::<Vec<_>>(),
            "states": states.collect::<serde_json::Map<_, _>>(),
            "transitions": steps,
            "programs": programs,
        });
        system.to_string()
    }

    /// The state with this name.
    pub(crate) fn state(&self, name: &str) -> usize {
        self.states.iter().position(|s| &*s.name == name).unwrap_or_else(|| panic!("no state {name}"))
    }

    /// The act with this text, which it may make.
    pub(crate) fn act(&mut self, text: &str) -> usize {
        self.acts.iter().position(|act| &*act.text == text).unwrap_or_else(|| {
            self.acts.push(Act { text: text.into(), names: BTreeSet::from([text.into()]) });
            self.acts.len() - 1
        })
    }

    /// Reads a formula.
    pub(crate) fn formula(&self, text: &str) -> F {
        Scope::free(&self.agents).formula(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"))
    }

    /// Reads a program.
    pub(crate) fn program(&self, text: &str) -> Program {
        match &*self.formula(&format!("EX{{{text}}} true")) {
            Formula::Path(_, _, program, _) => program.clone(),
            other => panic!("not a program: {text} read as {other}"),
        }
    }

    /// The names of states.
    pub(crate) fn names(&self, states: &BTreeSet<usize>) -> BTreeSet<Name> {
        states.iter().map(|&s| self.states[s].name.clone()).collect()
    }

    /// The steps from a state, as act and target.
    pub(crate) fn from(&self, state: usize) -> impl Iterator<Item = (usize, usize)> {
        self.steps.range((state, 0, 0)..(state + 1, 0, 0)).map(|&(_, act, to)| (act, to))
    }

    /// The states that can be reached from an initial one.
    pub(crate) fn reachable(&self) -> BTreeSet<usize> {
        let mut found = self.initial.clone();
        let mut open: Vec<usize> = found.iter().copied().collect();
        while let Some(s) = open.pop() {
            open.extend(self.from(s).map(|(_, t)| t).filter(|&t| found.insert(t)));
        }
        found
    }

    /// Whether a reachable state can come back to itself.
    pub(crate) fn is_cyclic(&self) -> bool {
        let mut left = self.reachable();
        // States whose steps all lead to states already gone are on no cycle.
        while let Some(s) = left.iter().copied().find(|&s| self.from(s).all(|(_, t)| !left.contains(&t))) {
            left.remove(&s);
        }
        !left.is_empty()
    }

    pub(crate) fn agent(&self, name: &str) -> usize {
        self.agents.iter().position(|a| &**a == name).unwrap_or_else(|| panic!("no agent {name}"))
    }

    fn members(&self, group: &Group) -> Vec<usize> {
        match group {
            Group::All => (0..self.agents.len()).collect(),
            Group::Of(names) => names.iter().map(|name| self.agent(name)).collect(),
        }
    }
}

/// A trace: states, and the acts between them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Trace {
    states: Vec<usize>,
    acts: Vec<usize>,
}

impl Trace {
    fn start(state: usize) -> Trace {
        Trace { states: vec![state], acts: Vec::new() }
    }

    fn last(&self) -> usize {
        *self.states.last().expect("a trace has a state")
    }

    fn then(&self, act: usize, state: usize) -> Trace {
        let mut longer = self.clone();
        longer.acts.push(act);
        longer.states.push(state);
        longer
    }

    /// Its last part, with this many steps.
    fn suffix(&self, steps: usize) -> Trace {
        let from = self.acts.len() - steps;
        Trace { states: self.states[from..].to_vec(), acts: self.acts[from..].to_vec() }
    }

    /// What an agent has seen in the end.
    fn seen<'a>(&self, system: &'a Plain, agent: usize, visibility: Visibility) -> (Vec<&'a str>, Vec<usize>) {
        let local = self.states.iter().map(|&s| &*system.states[s].local[agent]).collect();
        (local, if visibility == Visibility::Seen { self.acts.clone() } else { Vec::new() })
    }
}

/// Finitely many points, and everything about them that formulas speak of.
struct Points<'a> {
    system: &'a Plain,
    /// The state at each point.
    state: Vec<usize>,
    /// From point, act, to point.
    steps: Vec<(usize, usize, usize)>,
    /// For each agent and point, the points that it considers possible there.
    sees: Vec<Vec<Vec<usize>>>,
}

type Pairs = BTreeSet<(usize, usize)>;

impl Points<'_> {
    fn all(&self, test: impl FnMut(usize) -> bool) -> Vec<bool> {
        (0..self.state.len()).map(test).collect()
    }

    /// At which points the formula holds.
    fn truth(&self, f: &Formula) -> Vec<bool> {
        let how_many = |parts: &[F]| {
            let parts: Vec<Vec<bool>> = parts.iter().map(|g| self.truth(g)).collect();
            move |p: usize| parts.iter().filter(|part| part[p]).count() as u64
        };
        match f {
            Formula::Const(b) => self.all(|_| *b),
            Formula::Atom(name) => self.all(|p| self.system.states[self.state[p]].props.contains(name)),
            Formula::Not(g) => not(&self.truth(g)),
            Formula::And(parts) => {
                let count = how_many(parts);
                self.all(|p| count(p) == parts.len() as u64)
            }
            Formula::Or(parts) => {
                let count = how_many(parts);
                self.all(|p| count(p) > 0)
            }
            Formula::Xor(parts) => {
                let count = how_many(parts);
                self.all(|p| count(p) % 2 == 1)
            }
            Formula::Count(cmp, n, parts) => {
                let count = how_many(parts);
                self.all(|p| cmp.admits(count(p).cmp(n)))
            }
            Formula::Imp(g, h) => {
                let (g, h) = (self.truth(g), self.truth(h));
                self.all(|p| !g[p] || h[p])
            }
            Formula::Iff(g, h) => {
                let (g, h) = (self.truth(g), self.truth(h));
                self.all(|p| g[p] == h[p])
            }
            Formula::Knows(a, g) => self.known(&[self.system.agent(a)], &self.truth(g)),
            Formula::Possible(a, g) => not(&self.known(&[self.system.agent(a)], &not(&self.truth(g)))),
            Formula::KnowsWhether(a, g) => {
                let (sees, g) = (&self.sees[self.system.agent(a)], self.truth(g));
                self.all(|p| sees[p].iter().all(|&q| g[q] == g[p]))
            }
            Formula::Everyone(group, g) => self.known(&self.system.members(group), &self.truth(g)),
            Formula::Distributed(group, g) => {
                let (members, g) = (self.system.members(group), self.truth(g));
                let together = |p: usize, q: usize| members.iter().all(|&a| self.sees[a][p].contains(&q));
                self.all(|p| (0..g.len()).all(|q| g[q] || !together(p, q)))
            }
            Formula::Common(group, g) => {
                let (members, g) = (self.system.members(group), self.truth(g));
                self.all(|p| {
                    let mut found = BTreeSet::from([p]);
                    let mut open = vec![p];
                    while let Some(q) = open.pop() {
                        open.extend(members.iter().flat_map(|&a| &self.sees[a][q]).filter(|&&r| found.insert(r)));
                    }
                    found.iter().all(|&q| g[q])
                })
            }
            Formula::Path(path, along, program, g) => {
                let (runs, g) = (Runs::new(self.state.len(), self.relation(program)), self.truth(g));
                let yes = self.all(|_| true);
                match (path, along) {
                    (Path::Some, Along::Next) => self.all(|p| runs.after[p].iter().any(|&q| g[q])),
                    (Path::All, Along::Next) => self.all(|p| runs.after[p].iter().all(|&q| g[q])),
                    (Path::Some, Along::Eventually) => runs.some_reaches(&yes, &g),
                    (Path::All, Along::Always) => not(&runs.some_reaches(&yes, &not(&g))),
                    (Path::Some, Along::Always) => runs.some_stays(&g),
                    (Path::All, Along::Eventually) => not(&runs.some_stays(&not(&g))),
                }
            }
            Formula::Until(path, program, g, h) => {
                let runs = Runs::new(self.state.len(), self.relation(program));
                let (g, h) = (self.truth(g), self.truth(h));
                match path {
                    Path::Some => runs.some_reaches(&g, &h),
                    Path::All => {
                        // A run fails if it never comes to h, or comes to where neither holds without meeting h before.
                        let neither = self.all(|p| !g[p] && !h[p]);
                        let (never, fails) = (runs.some_stays(&not(&h)), runs.some_reaches(&not(&h), &neither));
                        self.all(|p| !never[p] && !fails[p])
                    }
                }
            }
            Formula::Compare(..)
            | Formula::After(..)
            | Formula::Can(..)
            | Formula::Ensure(..)
            | Formula::EnsureUntil(..)
            | Formula::Ought(..)
            | Formula::Runs(..)
            | Formula::Linear(..)
            | Formula::LinearUntil(..)
            | Formula::Release(..) => panic!("not a formula of Act-CTL-K: {f}"),
        }
    }

    /// Where all of these agents know it.
    fn known(&self, agents: &[usize], it: &[bool]) -> Vec<bool> {
        self.all(|p| agents.iter().all(|&a| self.sees[a][p].iter().all(|&q| it[q])))
    }

    /// Whether executions of the program, one or any number, lead from one point to another.
    fn leads(&self, program: &Program, many: bool, from: usize, to: usize) -> bool {
        let many = if many { Program::Star(Box::new(program.clone())) } else { program.clone() };
        self.relation(&many).contains(&(from, to))
    }

    /// The pairs of points that a program relates.
    fn relation(&self, program: &Program) -> Pairs {
        let identity = || (0..self.state.len()).map(|p| (p, p)).collect();
        match program {
            Program::Any => self.steps.iter().map(|&(p, _, q)| (p, q)).collect(),
            Program::Action(name) => match self.system.programs.get(name) {
                Some(body) => self.relation(body),
                None => {
                    let called = |act: usize| self.system.acts[act].names.contains(name);
                    self.steps.iter().filter(|step| called(step.1)).map(|&(p, _, q)| (p, q)).collect()
                }
            },
            Program::Seq(parts) => parts.iter().fold(identity(), |so_far, part| compose(&so_far, &self.relation(part))),
            Program::Choice(parts) => parts.iter().flat_map(|part| self.relation(part)).collect(),
            Program::Star(body) => {
                let once = self.relation(body);
                let (mut all, mut new): (Pairs, Pairs) = (identity(), identity());
                while !new.is_empty() {
                    new = compose(&new, &once).difference(&all).copied().collect();
                    all.extend(&new);
                }
                all
            }
            Program::Test(g) => {
                let g = self.truth(g);
                (0..g.len()).filter(|&p| g[p]).map(|p| (p, p)).collect()
            }
        }
    }
}

fn not(set: &[bool]) -> Vec<bool> {
    set.iter().map(|b| !b).collect()
}

fn compose(first: &Pairs, second: &Pairs) -> Pairs {
    let after = |p: usize| second.range((p, 0)..(p + 1, 0)).map(|&(_, q)| q);
    first.iter().flat_map(|&(p, q)| after(q).map(move |r| (p, r))).collect()
}

/// The maximal paths of a relation.
struct Runs {
    after: Vec<Vec<usize>>,
}

impl Runs {
    fn new(points: usize, relation: Pairs) -> Runs {
        let mut after = vec![Vec::new(); points];
        for (p, q) in relation {
            after[p].push(q);
        }
        Runs { after }
    }

    /// The points on paths from this one, itself included, that go through `good` until they arrive there.
    fn within(&self, start: usize, good: &[bool]) -> BTreeSet<usize> {
        let mut found = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(p) = open.pop() {
            if good[p] {
                open.extend(self.after[p].iter().copied().filter(|&q| found.insert(q)));
            }
        }
        found
    }

    /// Where a run begins that goes through `good` points until it comes to one of `goal`.
    fn some_reaches(&self, good: &[bool], goal: &[bool]) -> Vec<bool> {
        (0..goal.len()).map(|p| self.within(p, good).iter().any(|&q| goal[q])).collect()
    }

    /// Where a maximal run begins all of whose points are `good`: it comes to an end or to a cycle.
    fn some_stays(&self, good: &[bool]) -> Vec<bool> {
        let ends = |p: usize| self.after[p].is_empty();
        let returns = |p: usize| self.after[p].iter().any(|&q| good[q] && self.within(q, good).contains(&p));
        let lasting: Vec<bool> = (0..good.len()).map(|p| good[p] && (ends(p) || returns(p))).collect();
        (0..good.len()).map(|p| good[p] && self.within(p, good).iter().any(|&q| lasting[q])).collect()
    }
}

/// Agents that know by their present local states: points are reachable states.
pub(crate) struct Forgetful<'a>(Points<'a>);

impl Forgetful<'_> {
    pub(crate) fn new(system: &Plain) -> Forgetful<'_> {
        let state: Vec<usize> = system.reachable().into_iter().collect();
        let at = |s: usize| state.binary_search(&s).expect("a reachable state");
        let reached = system.steps.iter().filter(|step| state.contains(&step.0));
        let steps = reached.map(|&(s, act, t)| (at(s), act, at(t))).collect();
        let alike = |agent: usize, p: usize, q: usize| {
            system.states[state[p]].local[agent] == system.states[state[q]].local[agent]
        };
        let sees = sees(system, state.len(), alike);
        Forgetful(Points { system, state, steps, sees })
    }

    /// The initial states at which the formula holds.
    pub(crate) fn initial(&self, f: &Formula) -> BTreeSet<usize> {
        self.everywhere(f).intersection(&self.0.system.initial).copied().collect()
    }

    /// Whether the formula holds in a reachable state.
    pub(crate) fn at(&self, f: &Formula, state: usize) -> bool {
        self.everywhere(f).contains(&state)
    }

    /// Whether executions of the program, one or (if `many`) any number of them, lead from one state to the other.
    pub(crate) fn leads(&self, program: &Program, many: bool, from: usize, to: usize) -> bool {
        let at = |s: usize| self.0.state.binary_search(&s).expect("a reachable state");
        self.0.leads(program, many, at(from), at(to))
    }

    /// The reachable states at which the formula holds.
    pub(crate) fn everywhere(&self, f: &Formula) -> BTreeSet<usize> {
        let holds = self.0.truth(f);
        (0..holds.len()).filter(|&p| holds[p]).map(|p| self.0.state[p]).collect()
    }
}

/// For each agent and point, the points that are alike for it.
fn sees(system: &Plain, points: usize, alike: impl Fn(usize, usize, usize) -> bool) -> Vec<Vec<Vec<usize>>> {
    let for_agent = |a: usize| (0..points).map(|p| (0..points).filter(|&q| alike(a, p, q)).collect()).collect();
    (0..system.agents.len()).map(for_agent).collect()
}

/// Agents with perfect recall in a system without cycles: points are all its traces.
pub(crate) struct Recalling<'a>(Points<'a>, HashMap<Trace, usize>);

impl Recalling<'_> {
    /// All traces; `None` if the system has cycles or more than `limit` traces.
    pub(crate) fn new(system: &Plain, visibility: Visibility, limit: usize) -> Option<Recalling<'_>> {
        if system.is_cyclic() {
            return None;
        }
        let mut traces: Vec<Trace> = system.initial.iter().map(|&s| Trace::start(s)).collect();
        let (mut steps, mut at) = (Vec::new(), 0);
        while at < traces.len() {
            for (act, to) in system.from(traces[at].last()) {
                steps.push((at, act, traces.len()));
                traces.push(traces[at].then(act, to));
            }
            if traces.len() > limit {
                return None;
            }
            at += 1;
        }
        let alike = |agent: usize, p: usize, q: usize| {
            let (t, u) = (&traces[p], &traces[q]);
            let local = |s: usize| &system.states[s].local[agent];
            t.states.len() == u.states.len()
                && t.states.iter().zip(&u.states).all(|(&s, &r)| local(s) == local(r))
                && (visibility == Visibility::Hidden || t.acts == u.acts)
        };
        let sees = sees(system, traces.len(), alike);
        let points = Points { system, state: traces.iter().map(Trace::last).collect(), steps, sees };
        Some(Recalling(points, traces.into_iter().zip(0..).collect()))
    }

    fn point(&self, states: &[usize], acts: &[usize]) -> usize {
        self.1[&Trace { states: states.to_vec(), acts: acts.to_vec() }]
    }

    /// Whether the formula holds after a trace.
    pub(crate) fn at(&self, f: &Formula, states: &[usize], acts: &[usize]) -> bool {
        self.0.truth(f)[self.point(states, acts)]
    }

    /// Whether executions of the program, one or (if `many`) any number of them, lead from the trace's beginning with
    /// this many steps to the whole.
    pub(crate) fn leads(&self, program: &Program, many: bool, from: usize, states: &[usize], acts: &[usize]) -> bool {
        self.0.leads(program, many, self.point(&states[..=from], &acts[..from]), self.point(states, acts))
    }

    /// The initial states at which the formula holds.
    pub(crate) fn initial(&self, f: &Formula) -> BTreeSet<usize> {
        // The traces of length zero come first.
        let holds = self.0.truth(f);
        (0..self.0.system.initial.len()).filter(|&p| holds[p]).map(|p| self.0.state[p]).collect()
    }
}

/// What is certain about a formula: it holds at the points of `lower`, and at no point outside `upper`.
#[derive(Clone, Debug)]
struct Bounds {
    lower: Vec<bool>,
    upper: Vec<bool>,
}

impl Bounds {
    fn exactly(set: Vec<bool>) -> Bounds {
        Bounds { lower: set.clone(), upper: set }
    }

    fn not(&self) -> Bounds {
        Bounds { lower: not(&self.upper), upper: not(&self.lower) }
    }

    fn and(&self, other: &Bounds) -> Bounds {
        let both = |a: &[bool], b: &[bool]| a.iter().zip(b).map(|(a, b)| *a && *b).collect();
        Bounds { lower: both(&self.lower, &other.lower), upper: both(&self.upper, &other.upper) }
    }

    fn or(&self, other: &Bounds) -> Bounds {
        self.not().and(&other.not()).not()
    }
}

/// What is certain about a relation between points; see [`Unrolled`].
#[derive(Clone, Debug)]
struct Steps {
    must: Vec<BTreeSet<usize>>,
    may: Vec<BTreeSet<usize>>,
}

/// The same for an equivalence, by the class of each point.
struct Classes {
    must: Vec<usize>,
    may: Vec<usize>,
}

/// Agents with perfect recall in any system, unrolled up to a length.
///
/// The points are all traces of at most `depth` steps, each standing for itself, and *tails*: a tail is a path of
/// exactly `window` steps and stands for all traces of more than `depth` steps that end in it. A formula has a lower and
/// an upper bound: a point is in the lower one only if the formula holds at everything it stands for, and is left out
/// of the upper one only if it holds at nothing it stands for. A relation has two as well: `must` relates p to q only
/// if everything that p stands for is related to something that q stands for; `may` relates them unless nothing that p
/// stands for is related to anything that q stands for. Union, composition and closure keep both properties.
///
/// Time: whether a trace can go on with an act depends on its last state only, so a step must and may happen.
/// Knowledge: traces of at most `depth` steps are compared with all others of their length. Longer traces may look the
/// same if the tails do; and they must, when the tails begin in the same state: what came before the one tail can come
/// before the other.
pub(crate) struct Unrolled<'a> {
    system: &'a Plain,
    /// The traces, the shortest first, and then the tails.
    points: Vec<Trace>,
    /// For each point, act and next point.
    steps: Vec<Vec<(usize, usize)>>,
    /// What each agent can tell apart.
    classes: Vec<Classes>,
}

impl Unrolled<'_> {
    /// The system unrolled to `depth` steps; `None` if that takes more than `limit` points.
    pub(crate) fn new(
        system: &Plain,
        visibility: Visibility,
        depth: usize,
        window: usize,
        limit: usize,
    ) -> Option<Unrolled<'_>> {
        assert!(window <= depth, "a tail is part of a trace of more than {depth} steps");
        let mut points: Vec<Trace> = system.initial.iter().map(|&s| Trace::start(s)).collect();
        let mut at = 0;
        while at < points.len() {
            if points[at].acts.len() < depth {
                points.extend(
                    system.from(points[at].last()).map(|(act, to)| points[at].then(act, to)).collect::<Vec<_>>(),
                );
            }
            if points.len() > limit {
                return None;
            }
            at += 1;
        }
        let traces = points.len();
        let mut tails: Vec<Trace> = system.reachable().into_iter().map(Trace::start).collect();
        for _ in 0..window {
            let longer = |t: &Trace| system.from(t.last()).map(|(act, to)| t.then(act, to)).collect::<Vec<_>>();
            tails = tails.iter().flat_map(longer).collect();
            if traces + tails.len() > limit {
                return None;
            }
        }
        points.extend(tails);

        let (mut trace_at, mut tail_at) = (BTreeMap::new(), BTreeMap::new());
        for (p, point) in points.iter().enumerate() {
            if p < traces { &mut trace_at } else { &mut tail_at }.insert(point.clone(), p);
        }
        let next = |p: usize, act: usize, to: usize| {
            let longer = points[p].then(act, to);
            if p < traces && longer.acts.len() <= depth { trace_at[&longer] } else { tail_at[&longer.suffix(window)] }
        };
        let steps = |p: usize| system.from(points[p].last()).map(|(act, to)| (act, next(p, act, to))).collect();
        let classes = |agent: usize| {
            let (mut must, mut may) = (HashMap::new(), HashMap::new());
            let (mut musts, mut mays) = (Vec::new(), Vec::new());
            for (p, point) in points.iter().enumerate() {
                let looks = (p < traces, point.seen(system, agent, visibility));
                let begins = (p >= traces).then_some(point.states[0]);
                let new = mays.len();
                mays.push(*may.entry(looks.clone()).or_insert(new));
                musts.push(*must.entry((looks, begins)).or_insert(new));
            }
            Classes { must: musts, may: mays }
        };
        Some(Unrolled {
            steps: (0..points.len()).map(steps).collect(),
            classes: (0..system.agents.len()).map(classes).collect(),
            points,
            system,
        })
    }

    /// For each initial state, whether the formula holds there, if that is certain.
    pub(crate) fn initial(&self, f: &Formula) -> BTreeMap<usize, Option<bool>> {
        let bounds = self.bounds(f);
        let verdict = |p: usize| match (bounds.lower[p], bounds.upper[p]) {
            (true, true) => Some(true),
            (false, false) => Some(false),
            (false, true) => None,
            (true, false) => panic!("{f} is certain and impossible"),
        };
        (0..self.system.initial.len()).map(|p| (self.points[p].last(), verdict(p))).collect()
    }

    fn all(&self, test: impl FnMut(usize) -> bool) -> Vec<bool> {
        (0..self.points.len()).map(test).collect()
    }

    fn bounds(&self, f: &Formula) -> Bounds {
        let constant = |b: bool| Bounds::exactly(self.all(|_| b));
        let agent = |a: &Name| &self.classes[self.system.agent(a)];
        match f {
            Formula::Const(b) => constant(*b),
            Formula::Atom(name) => {
                Bounds::exactly(self.all(|p| self.system.states[self.points[p].last()].props.contains(name)))
            }
            Formula::Not(g) => self.bounds(g).not(),
            Formula::And(parts) => parts.iter().fold(constant(true), |all, g| all.and(&self.bounds(g))),
            Formula::Or(parts) => parts.iter().fold(constant(false), |any, g| any.or(&self.bounds(g))),
            Formula::Imp(g, h) => self.bounds(g).not().or(&self.bounds(h)),
            Formula::Iff(g, h) => {
                let (g, h) = (self.bounds(g), self.bounds(h));
                g.and(&h).or(&g.not().and(&h.not()))
            }
            Formula::Xor(parts) => self.counted(parts, |n| n % 2 == 1),
            Formula::Count(cmp, n, parts) => self.counted(parts, |count| Cmp::admits(*cmp, count.cmp(n))),
            Formula::Knows(a, g) => self.known(agent(a), &self.bounds(g)),
            Formula::Possible(a, g) => self.known(agent(a), &self.bounds(g).not()).not(),
            Formula::KnowsWhether(a, g) => {
                let g = self.bounds(g);
                self.known(agent(a), &g).or(&self.known(agent(a), &g.not()))
            }
            Formula::Everyone(group, g) => {
                let g = self.bounds(g);
                let members = self.system.members(group);
                members.iter().fold(constant(true), |all, &a| all.and(&self.known(&self.classes[a], &g)))
            }
            Formula::Distributed(group, g) => {
                let members = self.system.members(group);
                let together = |of: &dyn Fn(usize) -> Vec<usize>| {
                    let (mut number, mut classes) = (HashMap::new(), Vec::new());
                    for p in 0..self.points.len() {
                        classes.push(*number.entry(of(p)).or_insert(p));
                    }
                    classes
                };
                let must = together(&|p| members.iter().map(|&a| self.classes[a].must[p]).collect());
                let may = together(&|p| members.iter().map(|&a| self.classes[a].may[p]).collect());
                self.known(&Classes { must, may }, &self.bounds(g))
            }
            Formula::Common(group, g) => {
                let members = self.system.members(group);
                let must = united(self.points.len(), members.iter().map(|&a| &self.classes[a].must));
                let may = united(self.points.len(), members.iter().map(|&a| &self.classes[a].may));
                self.known(&Classes { must, may }, &self.bounds(g))
            }
            Formula::Path(path, along, program, g) => {
                let (steps, g) = (self.relation(program), self.bounds(g));
                match (path, along) {
                    (Path::Some, Along::Next) => steps.some_next(&g),
                    (Path::All, Along::Next) => steps.some_next(&g.not()).not(),
                    (Path::Some, Along::Always) => steps.some_always(&g),
                    (Path::All, Along::Eventually) => steps.some_always(&g.not()).not(),
                    (Path::Some, Along::Eventually) => steps.some_until(&constant(true), &g),
                    (Path::All, Along::Always) => steps.some_until(&constant(true), &g.not()).not(),
                }
            }
            Formula::Until(path, program, g, h) => {
                let (steps, g, h) = (self.relation(program), self.bounds(g), self.bounds(h));
                match path {
                    Path::Some => steps.some_until(&g, &h),
                    Path::All => steps.all_until(&g, &h),
                }
            }
            Formula::Compare(..)
            | Formula::After(..)
            | Formula::Can(..)
            | Formula::Ensure(..)
            | Formula::EnsureUntil(..)
            | Formula::Ought(..)
            | Formula::Runs(..)
            | Formula::Linear(..)
            | Formula::LinearUntil(..)
            | Formula::Release(..) => panic!("not a formula of Act-CTL-K: {f}"),
        }
    }

    /// The number of true parts is among those that `test` admits.
    fn counted(&self, parts: &[F], test: impl Fn(u64) -> bool) -> Bounds {
        let parts: Vec<Bounds> = parts.iter().map(|g| self.bounds(g)).collect();
        let possible = |p: usize| {
            let least = parts.iter().filter(|part| part.lower[p]).count() as u64;
            let most = parts.iter().filter(|part| part.upper[p]).count() as u64;
            least..=most
        };
        Bounds { lower: self.all(|p| possible(p).all(&test)), upper: self.all(|p| possible(p).any(&test)) }
    }

    /// Where it is known by somebody who confuses the points of a class.
    fn known(&self, classes: &Classes, it: &Bounds) -> Bounds {
        let throughout = |class: &[usize], set: &[bool]| {
            let broken: BTreeSet<usize> = (0..set.len()).filter(|&p| !set[p]).map(|p| class[p]).collect();
            self.all(|p| !broken.contains(&class[p]))
        };
        Bounds { lower: throughout(&classes.may, &it.lower), upper: throughout(&classes.must, &it.upper) }
    }

    fn relation(&self, program: &Program) -> Steps {
        let identity = || (0..self.points.len()).map(|p| BTreeSet::from([p])).collect::<Vec<_>>();
        let acts = |called: &dyn Fn(usize) -> bool| {
            let next = |steps: &Vec<(usize, usize)>| steps.iter().filter(|s| called(s.0)).map(|s| s.1).collect();
            let all: Vec<BTreeSet<usize>> = self.steps.iter().map(next).collect();
            Steps { must: all.clone(), may: all }
        };
        match program {
            Program::Any => acts(&|_| true),
            Program::Action(name) => match self.system.programs.get(name) {
                Some(body) => self.relation(body),
                None => acts(&|act| self.system.acts[act].names.contains(name)),
            },
            Program::Seq(parts) => parts.iter().fold(Steps { must: identity(), may: identity() }, |so_far, part| {
                let part = self.relation(part);
                Steps { must: joined(&so_far.must, &part.must), may: joined(&so_far.may, &part.may) }
            }),
            Program::Choice(parts) => {
                let nothing = vec![BTreeSet::new(); self.points.len()];
                parts.iter().fold(Steps { must: nothing.clone(), may: nothing }, |mut so_far, part| {
                    let part = self.relation(part);
                    so_far.must.iter_mut().zip(part.must).for_each(|(all, more)| all.extend(more));
                    so_far.may.iter_mut().zip(part.may).for_each(|(all, more)| all.extend(more));
                    so_far
                })
            }
            Program::Star(body) => {
                let once = self.relation(body);
                Steps { must: closed(&once.must), may: closed(&once.may) }
            }
            Program::Test(g) => {
                let g = self.bounds(g);
                let stay = |set: &[bool]| (0..set.len()).map(|p| set[p].then_some(p).into_iter().collect()).collect();
                Steps { must: stay(&g.lower), may: stay(&g.upper) }
            }
        }
    }
}

fn joined(first: &[BTreeSet<usize>], second: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    first.iter().map(|next| next.iter().flat_map(|&q| second[q].iter().copied()).collect()).collect()
}

/// The reflexive-transitive closure.
fn closed(once: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    let from = |p: usize| {
        let mut found = BTreeSet::from([p]);
        let mut open = vec![p];
        while let Some(q) = open.pop() {
            open.extend(once[q].iter().copied().filter(|&r| found.insert(r)));
        }
        found
    };
    (0..once.len()).map(from).collect()
}

/// The classes of the smallest equivalence that contains all of these.
fn united<'c>(points: usize, classes: impl Iterator<Item = &'c Vec<usize>>) -> Vec<usize> {
    let mut all: Vec<usize> = (0..points).collect();
    let classes: Vec<&Vec<usize>> = classes.collect();
    loop {
        let before = all.clone();
        for class in &classes {
            let mut least: HashMap<usize, usize> = HashMap::new();
            for p in 0..points {
                let entry = least.entry(class[p]).or_insert(all[p]);
                *entry = all[p].min(*entry);
            }
            (0..points).for_each(|p| all[p] = least[&class[p]]);
        }
        if all == before {
            return all;
        }
    }
}

impl Steps {
    fn some_next(&self, it: &Bounds) -> Bounds {
        let some = |next: &[BTreeSet<usize>], set: &[bool]| next.iter().map(|n| n.iter().any(|&q| set[q])).collect();
        Bounds { lower: some(&self.must, &it.lower), upper: some(&self.may, &it.upper) }
    }

    /// Where some path comes to `goal` through `good`.
    fn some_until(&self, good: &Bounds, goal: &Bounds) -> Bounds {
        let least = |next: &[BTreeSet<usize>], good: &[bool], goal: &[bool]| {
            grow(goal.to_vec(), |set, p| good[p] && next[p].iter().any(|&q| set[q]))
        };
        Bounds { lower: least(&self.must, &good.lower, &goal.lower), upper: least(&self.may, &good.upper, &goal.upper) }
    }

    /// Where every maximal path comes to `goal` through `good`.
    fn all_until(&self, good: &Bounds, goal: &Bounds) -> Bounds {
        // Certain: there is certainly a next point, and every point that may be the next is certain. Possible: there
        // may be a next point, and no point that must be a next one is out of the question.
        let lower = grow(goal.lower.clone(), |set, p| {
            good.lower[p] && !self.must[p].is_empty() && self.may[p].iter().all(|&q| set[q])
        });
        let upper = grow(goal.upper.clone(), |set, p| {
            good.upper[p] && self.may[p].iter().any(|&q| set[q]) && self.must[p].iter().all(|&q| set[q])
        });
        Bounds { lower, upper }
    }

    /// Where some maximal path stays in it.
    fn some_always(&self, it: &Bounds) -> Bounds {
        // Certain: a next point is certain to do; or all do that may be the next, so that it does not matter whether
        // there is one. Possible: there may be no next point; or one does that may be the next.
        let lower = shrink(it.lower.clone(), |set, p| {
            self.must[p].iter().any(|&q| set[q]) || self.may[p].iter().all(|&q| set[q])
        });
        let upper = shrink(it.upper.clone(), |set, p| self.must[p].is_empty() || self.may[p].iter().any(|&q| set[q]));
        Bounds { lower, upper }
    }
}

/// The least set that contains `set` and every point that `also` adds to it.
fn grow(mut set: Vec<bool>, also: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
    loop {
        // From the back: later points are closer to the ends of paths.
        let mut changed = false;
        for p in (0..set.len()).rev() {
            if !set[p] && also(&set, p) {
                set[p] = true;
                changed = true;
            }
        }
        if !changed {
            return set;
        }
    }
}

/// The greatest set within `set` all of whose points `keep` leaves in it.
fn shrink(mut set: Vec<bool>, keep: impl Fn(&[bool], usize) -> bool) -> Vec<bool> {
    loop {
        let mut changed = false;
        for p in (0..set.len()).rev() {
            if set[p] && !keep(&set, p) {
                set[p] = false;
                changed = true;
            }
        }
        if !changed {
            return set;
        }
    }
}

/// For each initial state whether the formula holds there under perfect recall, unrolled deeper and deeper until that
/// is certain, or `None` if it is not before there are more than `limit` points.
pub(crate) fn unroll(
    system: &Plain,
    f: &Formula,
    visibility: Visibility,
    limit: usize,
) -> BTreeMap<usize, Option<bool>> {
    let mut verdicts: BTreeMap<usize, Option<bool>> = system.initial.iter().map(|&s| (s, None)).collect();
    for depth in 0..64 {
        let Some(unrolled) = Unrolled::new(system, visibility, depth, depth.div_ceil(2), limit) else { break };
        for (state, verdict) in unrolled.initial(f) {
            let known = verdicts.get_mut(&state).expect("an initial state");
            if let (Some(before), Some(now)) = (*known, verdict) {
                assert_eq!(before, now, "{f} at {} was certain before depth {depth}", system.states[state].name);
            }
            *known = known.or(verdict);
        }
        if verdicts.values().all(Option::is_some) {
            break;
        }
    }
    verdicts
}
