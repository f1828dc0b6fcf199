//! What is so in a written system, by the definitions: every valuation, every joint action, every strategy.

use super::fair_runs::{FairRuns, Set, reached};
use super::traces::{Act, Forgetful, Plain, State};
use ken_logic::formula::{Along, F, Formula, Group, Name, Program, Value};
use ken_logic::model::law::{Facts, Observation};
use ken_logic::model::system::{Actor, Allow, Evolution, Next, Precedence, Rule, System};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// How many strategies of a group are tried one by one.
const STRATEGIES: usize = 300;

/// What can be wrong with a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trouble {
    /// It has no initial state.
    NoWorld,
    /// In a reachable state somebody can do nothing, and runs must not end.
    Stuck,
    /// In a reachable state a rule would give a variable a value that it cannot have.
    OutOfRange,
}

/// A state: the value of each proposition (0 or 1), then of each variable.
type Valuation = Vec<Value>;

/// A system listed by definition.
pub(crate) struct ByHand {
    pub(crate) states: Vec<Valuation>,
    /// The first so many are initial.
    pub(crate) starts: usize,
    /// For each state: what each actor does, and where that leads.
    pub(crate) steps: Vec<BTreeSet<(Vec<usize>, usize)>>,
}

/// The names and values of a state, to look up.
pub(crate) fn lookup<'a>(system: &'a System, state: &'a Valuation) -> impl Fn(&str) -> Option<Value> + 'a {
    let law = &system.vocabulary;
    move |name: &str| {
        let at = law.vars.iter().position(|v| &*v.name == name)?;
        Some(state[law.props.len() + at].clone())
    }
}

/// Whether a fact holds in a state, and in a step from it.
pub(crate) fn is_so(system: &System, f: &Formula, state: &Valuation, acts: Option<&[usize]>) -> bool {
    let so = |g: &F| is_so(system, g, state, acts);
    let count = |parts: &[F]| parts.iter().filter(|g| so(g)).count() as u64;
    match f {
        Formula::Const(b) => *b,
        Formula::Atom(name) => match system.vocabulary.props.iter().position(|p| p == name) {
            Some(at) => state[at] == Value::Int(1),
            None => acts.is_some_and(|acts| {
                let mut does = system.actors.iter().zip(acts);
                does.any(|(actor, &x)| format!("{}.{}", actor.name, actor.actions[x]) == **name)
            }),
        },
        Formula::Compare(cmp, a, b) => {
            let here = lookup(system, state);
            matches!((a.eval(&here), b.eval(&here)), (Some(x), Some(y)) if cmp.admits(x.cmp(&y)))
        }
        Formula::Not(g) => !so(g),
        Formula::And(parts) => parts.iter().all(so),
        Formula::Or(parts) => parts.iter().any(so),
        Formula::Imp(g, h) => !so(g) || so(h),
        Formula::Iff(g, h) => so(g) == so(h),
        Formula::Xor(parts) => count(parts) % 2 == 1,
        Formula::Count(cmp, n, parts) => cmp.admits(count(parts).cmp(n)),
        _ => panic!("not a fact: {f}"),
    }
}

/// Every choice of one item a list.
pub(crate) fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        let longer =
            |one: &Vec<T>| list.iter().map(|x| [one.as_slice(), std::slice::from_ref(x)].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect()
    })
}

impl ByHand {
    pub(crate) fn initial(system: &System) -> Vec<Valuation> {
        let law = &system.vocabulary;
        let truth = vec![Value::Int(0), Value::Int(1)];
        let domains: Vec<Vec<Value>> =
            law.props.iter().map(|_| truth.clone()).chain(law.vars.iter().map(|v| v.values.clone())).collect();
        let mut all = product(&domains);
        all.retain(|state| law.laws.iter().all(|l| is_so(system, &l.formula, state, None)));
        all
    }

    /// What an actor may do.
    fn enabled(system: &System, actor: &Actor, state: &Valuation) -> Vec<usize> {
        let lines: Vec<&Allow> = actor.protocol.iter().filter(|l| is_so(system, &l.guard, state, None)).collect();
        let all: BTreeSet<usize> = match lines.is_empty() {
            true => actor.otherwise.iter().copied().collect(),
            false => lines.iter().flat_map(|l| l.actions.iter().copied()).collect(),
        };
        all.into_iter().collect()
    }

    /// What a group may make of its targets in a step: each way, by element. A rule that would go wrong is noted, and is
    /// no way to go on.
    fn ways(
        system: &System,
        group: &Evolution,
        state: &Valuation,
        acts: &[usize],
        wrong: &mut BTreeSet<Trouble>,
    ) -> Vec<Vec<(usize, Value)>> {
        let law = &system.vocabulary;
        let element = |name: &Name| {
            let mut elements = law.props.iter().chain(law.vars.iter().map(|v| &v.name));
            elements.position(|n| n == name).expect("declared")
        };
        let mut rules: Vec<&Rule> = group.rules.iter().filter(|r| is_so(system, &r.guard, state, Some(acts))).collect();
        if group.precedence == Precedence::First {
            rules.truncate(1);
        }
        if rules.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for rule in rules {
            let mut lists = Vec::new();
            for (name, next) in &rule.sets {
                let e = element(name);
                let values = match next {
                    Next::Either => vec![Value::Int(0), Value::Int(1)],
                    Next::Formula(f) => vec![Value::Int(i64::from(is_so(system, f, state, Some(acts))))],
                    Next::OneOf(values) => values.clone(),
                    Next::Term(term) => {
                        let value = term.eval(&lookup(system, state));
                        let value = value.filter(|v| law.vars[e - law.props.len()].values.contains(v));
                        if value.is_none() {
                            wrong.insert(Trouble::OutOfRange);
                        }
                        Vec::from_iter(value)
                    }
                };
                lists.push(values.into_iter().map(|v| (e, v)).collect());
            }
            all.extend(product(&lists));
        }
        all
    }

    /// The system, or all that is wrong with it.
    pub(crate) fn new(system: &System) -> Result<ByHand, BTreeSet<Trouble>> {
        let mut states = ByHand::initial(system);
        let mut wrong = BTreeSet::new();
        let starts = states.len();
        if starts == 0 {
            wrong.insert(Trouble::NoWorld);
        }
        let mut index: BTreeMap<Valuation, usize> = states.iter().cloned().zip(0..).collect();
        let mut steps = Vec::new();
        while steps.len() < states.len() {
            let state = states[steps.len()].clone();
            let enabled: Vec<Vec<usize>> =
                system.actors.iter().map(|actor| ByHand::enabled(system, actor, &state)).collect();
            if !system.may_end && enabled.iter().any(Vec::is_empty) {
                wrong.insert(Trouble::Stuck);
            }
            let mut here = BTreeSet::new();
            for acts in product(&enabled) {
                let groups = system.evolution.iter();
                let groups: Vec<_> =
                    groups.map(|group| ByHand::ways(system, group, &state, &acts, &mut wrong)).collect();
                for changes in product(&groups) {
                    let mut next = state.clone();
                    for (e, value) in changes.into_iter().flatten() {
                        next[e] = value;
                    }
                    let to = *index.entry(next.clone()).or_insert(states.len());
                    if to == states.len() {
                        states.push(next);
                    }
                    here.insert((acts.clone(), to));
                }
            }
            steps.push(here);
        }
        if wrong.is_empty() { Ok(ByHand { states, starts, steps }) } else { Err(wrong) }
    }

    /// What a state is called.
    pub(crate) fn name(&self, system: &System, state: usize) -> String {
        let law = &system.vocabulary;
        let (props, vars) = self.states[state].split_at(law.props.len());
        let props = law.props.iter().zip(props).filter(|(_, v)| **v == Value::Int(1)).map(|(p, _)| p.clone());
        let vars = law.vars.iter().zip(vars).map(|(x, v)| (x.name.clone(), v.clone()));
        Facts { props: props.collect(), vars: vars.collect() }.label()
    }

    /// What an agent sees of a state.
    pub(crate) fn sight(&self, system: &System, agent: usize, state: usize) -> String {
        let state = &self.states[state];
        let seen = system.vocabulary.observes[agent].iter().map(|observation| match observation {
            Observation::Formula(f) => format!("{:?}", is_so(system, f, state, None)),
            Observation::Term(term) => format!("{:?}", term.eval(&lookup(system, state))),
        });
        seen.collect::<Vec<_>>().join(" ")
    }

    /// The names by which a joint action is called.
    pub(crate) fn called(system: &System, acts: &[usize]) -> BTreeSet<Name> {
        let does = system.actors.iter().zip(acts).map(|(actor, &x)| (&actor.name, &actor.actions[x]));
        does.flat_map(|(actor, x)| [x.clone(), format!("{actor}.{x}").into()]).collect()
    }
}

/// Who says where formulas hold, without memory.
pub(crate) struct Judge<'a> {
    system: &'a System,
    graph: &'a ByHand,
    /// The same system, with propositions for what was judged so far.
    plain: Plain,
    named: HashMap<F, F>,
    /// Whether the strategies of a group were tried one by one, and whether there were too many for that.
    pub(crate) tried: (bool, bool),
    /// What fairness asks and leaves, if it is asked.
    fair: Option<Fair>,
}

/// What fairness asks and leaves.
struct Fair {
    /// Where each condition holds, all reachable states considered.
    conditions: Vec<Set>,
    /// The states on fair runs.
    counts: Set,
    /// For each agent, what it sees of each state.
    sights: Vec<Vec<String>>,
}

impl Judge<'_> {
    pub(crate) fn new<'a>(system: &'a System, graph: &'a ByHand) -> Judge<'a> {
        let mut judge = Judge::unfair(system, graph);
        if system.fairness.is_empty() {
            return judge;
        }
        let conditions: Vec<Set> = system.fairness.iter().map(|f| judge.set(f)).collect();
        let size = graph.states.len();
        let all = vec![true; size];
        let runs = FairRuns { after: judge.after(&Program::Any), conditions: conditions.clone(), counts: all };
        let sights = |a: usize| (0..size).map(|s| graph.sight(system, a, s)).collect();
        let sights = (0..system.vocabulary.agents.len()).map(sights).collect();
        let fair = Fair { counts: runs.fair(), conditions, sights };
        Judge { fair: Some(fair), ..Judge::unfair(system, graph) }
    }

    /// One who knows nothing of fairness.
    fn unfair<'a>(system: &'a System, graph: &'a ByHand) -> Judge<'a> {
        let law = &system.vocabulary;
        let mut acts: Vec<Vec<usize>> = Vec::new();
        let mut steps = BTreeSet::new();
        for (s, here) in graph.steps.iter().enumerate() {
            for (joint, t) in here {
                let act = acts.iter().position(|known| known == joint).unwrap_or_else(|| {
                    acts.push(joint.clone());
                    acts.len() - 1
                });
                steps.insert((s, act, *t));
            }
        }
        let state = |s: usize| State {
            name: graph.name(system, s).into(),
            local: (0..law.agents.len()).map(|a| graph.sight(system, a, s).into()).collect(),
            props: law
                .props
                .iter()
                .zip(&graph.states[s])
                .filter(|(_, v)| **v == Value::Int(1))
                .map(|(p, _)| p.clone())
                .collect(),
        };
        let plain = Plain {
            agents: law.agents.clone(),
            states: (0..graph.states.len()).map(state).collect(),
            initial: (0..graph.starts).collect(),
            acts: acts
                .iter()
                .map(|joint| Act { text: format!("{joint:?}").into(), names: ByHand::called(system, joint) })
                .collect(),
            steps,
            programs: BTreeMap::new(),
        };
        Judge { system, graph, plain, named: HashMap::new(), tried: (false, false), fair: None }
    }

    /// Whether a state lies on a fair run.
    pub(crate) fn counts(&self, state: usize) -> bool {
        self.fair.as_ref().is_none_or(|fair| fair.counts[state])
    }

    /// Whether a condition of fairness holds at a state.
    pub(crate) fn meets(&self, condition: usize, state: usize) -> bool {
        self.fair.as_ref().is_none_or(|fair| fair.conditions[condition][state])
    }

    /// Whether fairness has so many conditions and more.
    pub(crate) fn has_condition(&self, condition: usize) -> bool {
        self.fair.as_ref().is_some_and(|fair| condition < fair.conditions.len())
    }

    /// The states at which the formula would hold if all states counted for knowledge, and fair runs only for time.
    pub(crate) fn known_everywhere(&self, f: &F) -> BTreeSet<usize> {
        let mut judge = Judge::unfair(self.system, self.graph);
        judge.fair = self.fair.as_ref().map(|fair| Fair {
            conditions: fair.conditions.clone(),
            counts: vec![true; fair.counts.len()],
            sights: fair.sights.clone(),
        });
        judge.everywhere(f)
    }

    /// The states on fair runs that somebody confuses with a state.
    fn alike(fair: &Fair, who: &[usize], state: usize) -> Vec<usize> {
        let same = |t: &usize| who.iter().all(|&a| fair.sights[a][state] == fair.sights[a][*t]);
        (0..fair.counts.len()).filter(|&t| fair.counts[t]).filter(same).collect()
    }

    fn members(&self, group: &Group) -> Vec<usize> {
        let agents = &self.system.vocabulary.agents;
        match group {
            Group::All => (0..agents.len()).collect(),
            Group::Of(names) => names.iter().map(|n| agents.iter().position(|a| a == n).expect("an agent")).collect(),
        }
    }

    /// Knowledge where some states do not count.
    fn known_fairly(&mut self, f: &F) -> Option<Set> {
        self.fair.as_ref()?;
        let one = |name: &Name| Group::Of(vec![name.clone()]);
        let (group, g) = match &**f {
            Formula::Knows(a, g) | Formula::Possible(a, g) | Formula::KnowsWhether(a, g) => (one(a), g),
            Formula::Everyone(group, g) | Formula::Distributed(group, g) | Formula::Common(group, g) => {
                (group.clone(), g)
            }
            _ => return None,
        };
        let (set, who) = (self.set(g), self.members(&group));
        let fair = self.fair.as_ref()?;
        let all = |who: &[usize], s: usize, value: bool| Judge::alike(fair, who, s).iter().all(|&t| set[t] == value);
        let chain = |s: usize| {
            let mut found: BTreeSet<usize> = BTreeSet::new();
            let mut open = vec![s];
            while let Some(s) = open.pop() {
                let next = who.iter().flat_map(|&a| Judge::alike(fair, &[a], s));
                open.extend(next.filter(|&t| found.insert(t)).collect::<Vec<_>>());
            }
            found.iter().all(|&t| set[t])
        };
        let holds = |s: usize| match &**f {
            Formula::Possible(..) => !all(&who, s, false),
            Formula::KnowsWhether(..) => all(&who, s, true) || all(&who, s, false),
            Formula::Everyone(..) => who.iter().all(|&a| all(&[a], s, true)),
            Formula::Common(..) => chain(s),
            _ => all(&who, s, true),
        };
        Some((0..set.len()).map(holds).collect())
    }

    /// The states at which the formula holds.
    pub(crate) fn everywhere(&mut self, f: &F) -> BTreeSet<usize> {
        let plain = self.plainly(f);
        Forgetful::new(&self.plain).everywhere(&plain)
    }

    /// Whether the program leads somewhere from a state, fairly or not.
    pub(crate) fn goes_on(&mut self, program: &Program, state: usize) -> bool {
        !self.after(program)[state].is_empty()
    }

    fn size(&self) -> usize {
        self.graph.states.len()
    }

    fn set(&mut self, f: &F) -> Set {
        let found = self.everywhere(f);
        (0..self.size()).map(|s| found.contains(&s)).collect()
    }

    /// The formula with propositions for everything that [`Forgetful`] does not know.
    fn plainly(&mut self, f: &F) -> F {
        if let Some(found) = self.named.get(f) {
            return found.clone();
        }
        let fair = self.fair.is_some();
        let set = match &**f {
            Formula::Compare(..) => Some(self.graph.states.iter().map(|s| is_so(self.system, f, s, None)).collect()),
            Formula::Ensure(group, along, g) => {
                let g = self.set(g);
                Some(self.ensured(
                    group,
                    &match along {
                        Along::Next => Aim::Next(g),
                        Along::Eventually => Aim::Until(vec![true; g.len()], g),
                        Along::Always => Aim::Always(g),
                    },
                ))
            }
            Formula::EnsureUntil(group, g, h) => {
                let aim = Aim::Until(self.set(g), self.set(h));
                Some(self.ensured(group, &aim))
            }
            Formula::Ought(agent, g) => {
                let g = self.set(g);
                let red = self.system.red.iter().find(|(a, _)| a == agent).map(|(_, red)| red);
                let green = |s: &Valuation| red.is_none_or(|red| !is_so(self.system, red, s, None));
                let states = self.graph.states.iter().zip(&g).enumerate();
                let holds = states.filter(|(i, _)| self.counts(*i)).all(|(_, (s, g))| *g || !green(s));
                Some(vec![holds; self.size()])
            }
            Formula::Path(path, along, program, g) if fair => {
                let runs = self.fair_runs(program);
                let g = self.set(g);
                Some(runs.along(*path, *along, &g))
            }
            Formula::Until(path, program, g, h) if fair => {
                let runs = self.fair_runs(program);
                let (g, h) = (self.set(g), self.set(h));
                Some(runs.through(*path, &g, &h))
            }
            _ => self.known_fairly(f),
        };
        let made = match set {
            Some(set) => {
                let name: Name = format!("judged {}", self.named.len()).into();
                for (state, _) in self.plain.states.iter_mut().zip(&set).filter(|(_, holds)| **holds) {
                    state.props.insert(name.clone());
                }
                Formula::atom(name)
            }
            None => self.rebuilt(f),
        };
        self.named.insert(f.clone(), made.clone());
        made
    }

    fn rebuilt(&mut self, f: &F) -> F {
        let mut all = |parts: &[F]| parts.iter().map(|g| self.plainly(g)).collect::<Vec<F>>();
        Arc::new(match &**f {
            Formula::Const(_) | Formula::Atom(_) => return f.clone(),
            Formula::Not(g) => Formula::Not(self.plainly(g)),
            Formula::And(parts) => Formula::And(all(parts)),
            Formula::Or(parts) => Formula::Or(all(parts)),
            Formula::Xor(parts) => Formula::Xor(all(parts)),
            Formula::Count(cmp, n, parts) => Formula::Count(*cmp, *n, all(parts)),
            Formula::Imp(g, h) => Formula::Imp(self.plainly(g), self.plainly(h)),
            Formula::Iff(g, h) => Formula::Iff(self.plainly(g), self.plainly(h)),
            Formula::Knows(a, g) => Formula::Knows(a.clone(), self.plainly(g)),
            Formula::Possible(a, g) => Formula::Possible(a.clone(), self.plainly(g)),
            Formula::KnowsWhether(a, g) => Formula::KnowsWhether(a.clone(), self.plainly(g)),
            Formula::Everyone(group, g) => Formula::Everyone(group.clone(), self.plainly(g)),
            Formula::Common(group, g) => Formula::Common(group.clone(), self.plainly(g)),
            Formula::Distributed(group, g) => Formula::Distributed(group.clone(), self.plainly(g)),
            Formula::Path(path, along, program, g) => {
                Formula::Path(*path, *along, self.program(program), self.plainly(g))
            }
            Formula::Until(path, program, g, h) => {
                Formula::Until(*path, self.program(program), self.plainly(g), self.plainly(h))
            }
            _ => panic!("no such formula here: {f}"),
        })
    }

    fn program(&mut self, program: &Program) -> Program {
        match program {
            Program::Any | Program::Action(_) => program.clone(),
            Program::Seq(parts) => Program::Seq(parts.iter().map(|p| self.program(p)).collect()),
            Program::Choice(parts) => Program::Choice(parts.iter().map(|p| self.program(p)).collect()),
            Program::Star(inner) => Program::Star(Box::new(self.program(inner))),
            Program::Test(f) => Program::Test(self.plainly(f)),
        }
    }

    /// Where the group has a strategy all of whose runs are as they should be.
    fn ensured(&mut self, group: &Group, aim: &Aim) -> Set {
        let inside: Vec<bool> = self
            .system
            .actors
            .iter()
            .map(|actor| match group {
                Group::All => self.system.vocabulary.agents.contains(&actor.name),
                Group::Of(names) => names.contains(&actor.name),
            })
            .collect();
        let own = |acts: &[usize]| -> Vec<usize> {
            acts.iter().zip(&inside).filter(|(_, inside)| **inside).map(|(x, _)| *x).collect()
        };
        // In each state what the group may do, and where each of that may lead.
        let options: Vec<Vec<Vec<usize>>> = self
            .graph
            .steps
            .iter()
            .map(|here| {
                let mut by: BTreeMap<Vec<usize>, BTreeSet<usize>> = BTreeMap::new();
                for (acts, t) in here {
                    by.entry(own(acts)).or_default().insert(*t);
                }
                // What leads to the same states is the same to everybody.
                let different: BTreeSet<Vec<usize>> = by.into_values().map(|t| t.into_iter().collect()).collect();
                if different.is_empty() { vec![Vec::new()] } else { different.into_iter().collect() }
            })
            .collect();
        let strategies =
            options.iter().try_fold(1usize, |n, here| n.checked_mul(here.len()).filter(|n| *n <= STRATEGIES));
        if strategies.is_none() {
            self.tried.1 = true;
            return aim.won_at_large(&options);
        }
        self.tried.0 = true;
        let mut found = vec![false; options.len()];
        for strategy in product(&options) {
            found.iter_mut().zip(aim.won(&strategy)).for_each(|(found, won)| *found |= won);
        }
        found
    }

    fn fair_runs(&mut self, program: &Program) -> FairRuns {
        let after = self.after(program);
        let fair = self.fair.as_ref().expect("fairness");
        FairRuns { after, conditions: fair.conditions.clone(), counts: fair.counts.clone() }
    }

    /// Where executions of the program lead.
    pub(crate) fn after(&mut self, program: &Program) -> Vec<BTreeSet<usize>> {
        let size = self.size();
        match program {
            Program::Any | Program::Action(_) => {
                let called = |acts: &[usize]| match program {
                    Program::Action(name) => ByHand::called(self.system, acts).contains(name),
                    _ => true,
                };
                let there = |(s, here): (usize, &BTreeSet<(Vec<usize>, usize)>)| {
                    let fits = |(acts, t): &&(Vec<usize>, usize)| called(acts) && self.counts(s) && self.counts(*t);
                    here.iter().filter(fits).map(|(_, t)| *t).collect()
                };
                self.graph.steps.iter().enumerate().map(there).collect()
            }
            Program::Seq(parts) => {
                let mut all: Vec<BTreeSet<usize>> = (0..size).map(|s| BTreeSet::from([s])).collect();
                for part in parts {
                    let then = self.after(part);
                    all = all.iter().map(|here| here.iter().flat_map(|&t| then[t].clone()).collect()).collect();
                }
                all
            }
            Program::Choice(parts) => {
                let mut all = vec![BTreeSet::new(); size];
                for part in parts {
                    all.iter_mut().zip(self.after(part)).for_each(|(all, more)| all.extend(more));
                }
                all
            }
            Program::Star(inner) => {
                let once = self.after(inner);
                (0..size).map(|s| reached(&once, s, &vec![true; size])).collect()
            }
            Program::Test(f) => {
                let set = self.set(f);
                (0..size).map(|s| set[s].then_some(s).into_iter().collect()).collect()
            }
        }
    }
}

/// Where every maximal run goes through `good` to `goal`.
fn every_run_comes(after: &[Vec<usize>], good: &[bool], goal: &[bool]) -> Set {
    let mut now = goal.to_vec();
    loop {
        let comes = |s: usize| now[s] || (good[s] && !after[s].is_empty() && after[s].iter().all(|&t| now[t]));
        let next: Set = (0..now.len()).map(comes).collect();
        if next == now {
            return now;
        }
        now = next;
    }
}

/// Where every run stays in `good`.
fn every_run_stays(after: &[Vec<usize>], good: &[bool]) -> Set {
    let after: Vec<BTreeSet<usize>> = after.iter().map(|here| here.iter().copied().collect()).collect();
    let all = vec![true; good.len()];
    (0..good.len()).map(|s| reached(&after, s, &all).iter().all(|&t| good[t])).collect()
}

/// What a strategy is for.
enum Aim {
    Next(Set),
    Until(Set, Set),
    Always(Set),
}

impl Aim {
    /// Where every run is as it should be.
    fn won(&self, after: &[Vec<usize>]) -> Set {
        match self {
            Aim::Next(g) => after.iter().map(|here| !here.is_empty() && here.iter().all(|&t| g[t])).collect(),
            Aim::Until(g, h) => every_run_comes(after, g, h),
            Aim::Always(g) => every_run_stays(after, g),
        }
    }

    /// Where one of too many strategies wins: the group can go on so that it wins, or is there.
    fn won_at_large(&self, options: &[Vec<Vec<usize>>]) -> Set {
        let ends = |s: usize| options[s].iter().all(Vec::is_empty);
        let can = |s: usize, set: &[bool]| !ends(s) && options[s].iter().any(|there| there.iter().all(|&t| set[t]));
        let all = 0..options.len();
        let mut now: Set = match self {
            Aim::Next(g) => return all.map(|s| can(s, g)).collect(),
            Aim::Until(..) => vec![false; options.len()],
            Aim::Always(..) => vec![true; options.len()],
        };
        loop {
            let next: Set = match self {
                Aim::Next(_) => now.clone(),
                Aim::Until(g, h) => all.clone().map(|s| h[s] || (g[s] && can(s, &now))).collect(),
                Aim::Always(g) => all.clone().map(|s| g[s] && (ends(s) || can(s, &now))).collect(),
            };
            if next == now {
                return now;
            }
            now = next;
        }
    }
}
