//! From a written system to its steps: what every actor may do in a state, and which states follow.
//!
//! Formulas are compiled to trees over value indices, and evaluated with three values: what is not yet chosen (an action)
//! or not decided by the state alone (knowledge) is unknown.

use super::enumerate::{Budget, enumerate};
use super::law::{Facts, LawModel, Observation};
use super::system::{Next, Precedence, System};
use super::transitions::{Column, Label, Step, Transitions};
use super::BitSet;
use crate::check::{CheckError, Limit, Limits};
use crate::formula::{ArithOp, Cmp, F, Formula, Name, Term, Value};
use crate::syntax::Span;
use std::collections::HashMap;

/// A state: for each proposition (0 or 1), then each variable, the index of its value.
pub(crate) type State = Box<[u16]>;

/// A formula over value indices.
enum Test {
    Const(bool),
    Prop(usize),
    Does(usize, u32),
    Compare(Cmp, Num, Num),
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
    Iff(Box<Test>, Box<Test>),
    Xor(Vec<Test>),
    Count(Cmp, u64, Vec<Test>),
    /// Knowledge: not decided by the state.
    Knowledge,
}

/// A term over value indices.
enum Num {
    Value(i64),
    Var(usize),
    Neg(Box<Num>),
    Bin(ArithOp, Box<Num>, Box<Num>),
}

/// Constants of enumerations are numbers from here on: arithmetic on them has no value.
const SYMBOLS: i64 = 1 << 60;

struct Line {
    guard: Test,
    formula: F,
    actions: Vec<u32>,
}

struct Protocol {
    name: Name,
    span: Span,
    actions: Vec<Name>,
    lines: Vec<Line>,
    otherwise: Vec<u32>,
}

enum Value3 {
    Term(Num),
    Formula(Test),
    OneOf(Vec<u16>),
}

struct CompiledRule {
    guard: Test,
    sets: Vec<(usize, Value3)>,
    span: Span,
}

struct Group {
    rules: Vec<CompiledRule>,
    precedence: Precedence,
}

/// An enabled action with the condition under which it is: unconditional, or what must be known.
type Enabled = (u32, Option<F>);

/// The values that a group gives its targets.
type Changes = Vec<(usize, u16)>;

/// A way to go on: what every actor does, under which condition, and the state that follows.
pub(crate) struct Successor {
    pub(crate) choices: Vec<u32>,
    pub(crate) condition: Option<F>,
    pub(crate) state: State,
}

/// A system made ready to be stepped through.
pub(crate) struct Stepper {
    props: usize,
    names: Vec<Name>,
    /// For each element, its values.
    values: Vec<Vec<Value>>,
    /// The same, as numbers.
    codes: Vec<Vec<i64>>,
    actors: Vec<Protocol>,
    groups: Vec<Group>,
    observed: Vec<Vec<Seen>>,
    may_end: bool,
}

enum Seen {
    Formula(Test),
    Term(Num),
}

struct Compiler<'s> {
    elements: HashMap<&'s str, usize>,
    props: usize,
    does: HashMap<String, (usize, u32)>,
    symbols: HashMap<Name, i64>,
}

impl Compiler<'_> {
    fn code(&mut self, value: &Value) -> i64 {
        match value {
            Value::Int(n) => *n,
            Value::Sym(s) => {
                let next = SYMBOLS + self.symbols.len() as i64;
                *self.symbols.entry(s.clone()).or_insert(next)
            }
        }
    }

    fn num(&mut self, term: &Term) -> Num {
        match term {
            Term::Value(v) => Num::Value(self.code(v)),
            Term::Var(name) => match self.elements.get(&**name) {
                Some(&e) => Num::Var(e),
                // A variable that the system does not have takes no value: compared with anything it is false.
                None => Num::Bin(ArithOp::Div, Box::new(Num::Value(0)), Box::new(Num::Value(0))),
            },
            Term::Neg(t) => Num::Neg(Box::new(self.num(t))),
            Term::Bin(op, a, b) => Num::Bin(*op, Box::new(self.num(a)), Box::new(self.num(b))),
        }
    }

    fn tests(&mut self, parts: &[F]) -> Vec<Test> {
        parts.iter().map(|p| self.test(p)).collect()
    }

    fn test(&mut self, f: &Formula) -> Test {
        match f {
            Formula::Const(b) => Test::Const(*b),
            Formula::Atom(name) => match (self.elements.get(&**name), self.does.get(&**name)) {
                (Some(&e), _) if e < self.props => Test::Prop(e),
                (_, Some(&(actor, action))) => Test::Does(actor, action),
                _ => Test::Const(false),
            },
            Formula::Compare(cmp, a, b) => Test::Compare(*cmp, self.num(a), self.num(b)),
            Formula::Not(g) => Test::Not(Box::new(self.test(g))),
            Formula::And(parts) => Test::All(self.tests(parts)),
            Formula::Or(parts) => Test::Any(self.tests(parts)),
            Formula::Imp(a, b) => Test::Any(vec![Test::Not(Box::new(self.test(a))), self.test(b)]),
            Formula::Iff(a, b) => Test::Iff(Box::new(self.test(a)), Box::new(self.test(b))),
            Formula::Xor(parts) => Test::Xor(self.tests(parts)),
            Formula::Count(cmp, n, parts) => Test::Count(*cmp, *n, self.tests(parts)),
            Formula::Knows(..)
            | Formula::Possible(..)
            | Formula::KnowsWhether(..)
            | Formula::Everyone(..)
            | Formula::Common(..)
            | Formula::Distributed(..)
            | Formula::After(..)
            | Formula::Can(..)
            | Formula::Path(..)
            | Formula::Until(..)
            | Formula::Ensure(..)
            | Formula::EnsureUntil(..)
            | Formula::Ought(..) => Test::Knowledge,
        }
    }
}

impl Stepper {
    pub(crate) fn new(system: &System) -> Stepper {
        let law = &system.vocabulary;
        let names: Vec<Name> = law.props.iter().cloned().chain(law.vars.iter().map(|v| v.name.clone())).collect();
        let mut compiler = Compiler {
            elements: names.iter().map(|n| &**n).zip(0..).collect(),
            props: law.props.len(),
            does: HashMap::new(),
            symbols: HashMap::new(),
        };
        for (a, actor) in system.actors.iter().enumerate() {
            for (x, action) in actor.actions.iter().enumerate() {
                compiler.does.insert(format!("{}.{action}", actor.name), (a, x as u32));
            }
        }
        let truth = vec![Value::Int(0), Value::Int(1)];
        let values: Vec<Vec<Value>> =
            law.props.iter().map(|_| truth.clone()).chain(law.vars.iter().map(|v| v.values.clone())).collect();
        let codes: Vec<Vec<i64>> = values.iter().map(|vs| vs.iter().map(|v| compiler.code(v)).collect()).collect();
        let indices = |xs: &[usize]| xs.iter().map(|&x| x as u32).collect::<Vec<u32>>();
        let actors = system
            .actors
            .iter()
            .map(|actor| Protocol {
                name: actor.name.clone(),
                span: actor.span,
                actions: actor.actions.clone(),
                lines: actor
                    .protocol
                    .iter()
                    .map(|line| Line {
                        guard: compiler.test(&line.guard),
                        formula: line.guard.clone(),
                        actions: indices(&line.actions),
                    })
                    .collect(),
                otherwise: indices(&actor.otherwise),
            })
            .collect();
        let groups = system
            .evolution
            .iter()
            .map(|group| Group {
                precedence: group.precedence,
                rules: group
                    .rules
                    .iter()
                    .map(|rule| {
                        let guard = compiler.test(&rule.guard);
                        let sets = rule
                            .sets
                            .iter()
                            .filter_map(|(name, next)| {
                                let &e = compiler.elements.get(&**name)?;
                                let value = match next {
                                    Next::Term(t) => Value3::Term(compiler.num(t)),
                                    Next::Formula(f) => Value3::Formula(compiler.test(f)),
                                    Next::Either => Value3::OneOf(vec![0, 1]),
                                    Next::OneOf(list) => Value3::OneOf(
                                        list.iter()
                                            .filter_map(|v| values[e].iter().position(|w| w == v))
                                            .map(|i| i as u16)
                                            .collect(),
                                    ),
                                };
                                Some((e, value))
                            })
                            .collect();
                        CompiledRule { guard, sets, span: rule.span }
                    })
                    .collect(),
            })
            .collect();
        let observed = law
            .observes
            .iter()
            .map(|list| {
                list.iter()
                    .map(|seen| match seen {
                        Observation::Formula(f) => Seen::Formula(compiler.test(f)),
                        Observation::Term(t) => Seen::Term(compiler.num(t)),
                    })
                    .collect()
            })
            .collect();
        Stepper { props: law.props.len(), names, values, codes, actors, groups, observed, may_end: system.may_end }
    }

    fn number(&self, num: &Num, state: &[u16]) -> Option<i64> {
        match num {
            Num::Value(v) => Some(*v),
            Num::Var(e) => Some(self.codes[*e][state[*e] as usize]),
            Num::Neg(n) => self.number(n, state).filter(|v| *v < SYMBOLS).map(|v| -v),
            Num::Bin(op, a, b) => {
                let (a, b) = (self.number(a, state)?, self.number(b, state)?);
                if a >= SYMBOLS || b >= SYMBOLS { None } else { op.apply(a, b) }
            }
        }
    }

    /// The truth value, where it is decided by the state and the choices.
    fn truth(&self, test: &Test, state: &[u16], choices: Option<&[u32]>) -> Option<bool> {
        match test {
            Test::Const(b) => Some(*b),
            Test::Prop(e) => Some(state[*e] == 1),
            Test::Does(actor, action) => choices.map(|c| c[*actor] == *action),
            Test::Compare(cmp, a, b) => {
                let (Some(a), Some(b)) = (self.number(a, state), self.number(b, state)) else { return Some(false) };
                Some(cmp.admits(a.cmp(&b)))
            }
            Test::Not(t) => self.truth(t, state, choices).map(|b| !b),
            Test::All(parts) => {
                let mut known = true;
                for part in parts {
                    match self.truth(part, state, choices) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => known = false,
                    }
                }
                known.then_some(true)
            }
            Test::Any(parts) => {
                let mut known = true;
                for part in parts {
                    match self.truth(part, state, choices) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => known = false,
                    }
                }
                known.then_some(false)
            }
            Test::Iff(a, b) => Some(self.truth(a, state, choices)? == self.truth(b, state, choices)?),
            Test::Xor(parts) => {
                let mut odd = false;
                for part in parts {
                    odd ^= self.truth(part, state, choices)?;
                }
                Some(odd)
            }
            Test::Count(cmp, n, parts) => {
                let mut count = 0;
                for part in parts {
                    count += u64::from(self.truth(part, state, choices)?);
                }
                Some(cmp.admits(count.cmp(n)))
            }
            Test::Knowledge => None,
        }
    }

    /// What an actor may do in a state.
    fn enabled(&self, actor: &Protocol, state: &[u16]) -> Vec<Enabled> {
        let mut found: Vec<Enabled> = Vec::new();
        let mut unsure: Vec<&Line> = Vec::new();
        let mut some = false;
        for line in &actor.lines {
            match self.truth(&line.guard, state, None) {
                Some(true) => {
                    some = true;
                    for &x in &line.actions {
                        if found.iter().all(|(y, _)| *y != x) {
                            found.push((x, None));
                        }
                    }
                }
                Some(false) => {}
                None => unsure.push(line),
            }
        }
        let sure = found.len();
        for line in &unsure {
            for &x in &line.actions {
                match found.iter_mut().position(|(y, _)| *y == x) {
                    Some(at) if at < sure => {}
                    Some(at) => {
                        let old = found[at].1.take();
                        let either: Vec<F> = old.into_iter().chain([line.formula.clone()]).collect();
                        found[at].1 = Some(Formula::or(either));
                    }
                    None => found.push((x, Some(line.formula.clone()))),
                }
            }
        }
        if !some {
            let none: Vec<F> = unsure.iter().map(|l| Formula::negation(l.formula.clone())).collect();
            let condition = (!none.is_empty()).then(|| Formula::and(none));
            for &x in &actor.otherwise {
                match (found.iter_mut().find(|(y, _)| *y == x), &condition) {
                    (Some(entry), Some(c)) => {
                        let old = entry.1.take();
                        entry.1 = old.map(|old| Formula::or(vec![old, c.clone()]));
                    }
                    (Some(entry), None) => entry.1 = None,
                    (None, _) => found.push((x, condition.clone())),
                }
            }
        }
        found.sort_by_key(|(x, _)| *x);
        found
    }

    /// Every way to go on from a state.
    pub(crate) fn successors(&self, state: &[u16]) -> Result<Vec<Successor>, CheckError> {
        let mut enabled = Vec::with_capacity(self.actors.len());
        for actor in &self.actors {
            let actions = self.enabled(actor, state);
            if actions.is_empty() {
                if self.may_end {
                    return Ok(Vec::new());
                }
                let state = self.facts(state).label();
                return Err(CheckError::Stuck { actor: actor.name.clone(), state, span: actor.span });
            }
            enabled.push(actions);
        }
        // Rules that cannot apply in this state, whatever is done, are left out once and for all.
        let live: Vec<Vec<&CompiledRule>> = self
            .groups
            .iter()
            .map(|g| g.rules.iter().filter(|r| self.truth(&r.guard, state, None) != Some(false)).collect())
            .collect();
        let mut out = Vec::new();
        let mut at = vec![0usize; enabled.len()];
        loop {
            let choices: Vec<u32> = at.iter().zip(&enabled).map(|(&i, xs)| xs[i].0).collect();
            let conditions: Vec<F> = at.iter().zip(&enabled).filter_map(|(&i, xs)| xs[i].1.clone()).collect();
            let condition = (!conditions.is_empty()).then(|| Formula::and(conditions));
            for next in self.follow(state, &choices, &live)? {
                out.push(Successor { choices: choices.clone(), condition: condition.clone(), state: next });
            }
            let Some(turn) = (0..at.len()).rev().find(|&i| at[i] + 1 < enabled[i].len()) else { break };
            at[turn] += 1;
            at[turn + 1..].fill(0);
        }
        Ok(out)
    }

    fn follow(&self, state: &[u16], choices: &[u32], live: &[Vec<&CompiledRule>]) -> Result<Vec<State>, CheckError> {
        let mut ways: Vec<State> = vec![state.into()];
        for (group, rules) in self.groups.iter().zip(live) {
            let mut alternatives: Vec<Changes> = Vec::new();
            for rule in rules {
                if self.truth(&rule.guard, state, Some(choices)) == Some(true) {
                    self.apply(rule, state, choices, &mut alternatives)?;
                    if group.precedence == Precedence::First {
                        break;
                    }
                }
            }
            match alternatives.as_slice() {
                [] => {}
                [only] => {
                    for way in &mut ways {
                        only.iter().for_each(|&(e, v)| way[e] = v);
                    }
                }
                several => {
                    let mut more = Vec::with_capacity(ways.len() * several.len());
                    for way in &ways {
                        for changes in several {
                            let mut next = way.clone();
                            changes.iter().for_each(|&(e, v)| next[e] = v);
                            if !more.contains(&next) {
                                more.push(next);
                            }
                        }
                    }
                    ways = more;
                }
            }
        }
        Ok(ways)
    }

    fn apply(
        &self,
        rule: &CompiledRule,
        state: &[u16],
        choices: &[u32],
        out: &mut Vec<Changes>,
    ) -> Result<(), CheckError> {
        let mut ways: Vec<Changes> = vec![Vec::new()];
        for (e, value) in &rule.sets {
            let possible: Vec<u16> = match value {
                Value3::OneOf(list) => list.clone(),
                Value3::Formula(test) => vec![u16::from(self.truth(test, state, Some(choices)) == Some(true))],
                Value3::Term(num) => {
                    let number = self.number(num, state);
                    match number.and_then(|n| self.codes[*e].iter().position(|c| *c == n)) {
                        Some(at) => vec![at as u16],
                        None => {
                            return Err(CheckError::OutOfRange {
                                target: self.names[*e].clone(),
                                value: number.filter(|n| *n < SYMBOLS).map(|n| n.to_string()),
                                state: self.facts(state).label(),
                                span: rule.span,
                            });
                        }
                    }
                }
            };
            let mut more = Vec::with_capacity(ways.len() * possible.len());
            for way in &ways {
                for &v in &possible {
                    let mut next = way.clone();
                    next.push((*e, v));
                    more.push(next);
                }
            }
            ways = more;
        }
        out.extend(ways);
        Ok(())
    }

    /// What an agent sees of a state: equal lists, same local state.
    pub(crate) fn sight(&self, agent: usize, state: &[u16]) -> Vec<i64> {
        self.observed[agent]
            .iter()
            .map(|seen| match seen {
                Seen::Formula(test) => i64::from(self.truth(test, state, None) == Some(true)),
                Seen::Term(num) => self.number(num, state).unwrap_or(i64::MIN),
            })
            .collect()
    }

    /// The facts of a state.
    pub(crate) fn facts(&self, state: &[u16]) -> Facts {
        let props = (0..self.props).filter(|&e| state[e] == 1).map(|e| self.names[e].clone()).collect();
        let vars = (self.props..self.names.len())
            .map(|e| (self.names[e].clone(), self.values[e][state[e] as usize].clone()))
            .collect();
        Facts { props, vars }
    }

    /// The label of a joint action: actors who have no choice are not mentioned, unless nobody has.
    pub(crate) fn label(&self, choices: &[u32]) -> Label {
        let mut names: Vec<Name> = Vec::new();
        let mut shown: Vec<String> = Vec::new();
        for (actor, &x) in self.actors.iter().zip(choices) {
            let action = &actor.actions[x as usize];
            let full: Name = format!("{}.{action}", actor.name).into();
            if actor.actions.len() > 1 {
                let unique = self.actors.iter().all(|b| b.name == actor.name || !b.actions.contains(action));
                shown.push(if unique { action.to_string() } else { full.to_string() });
            }
            if !names.contains(action) {
                names.push(action.clone());
            }
            names.push(full);
        }
        let text = if shown.is_empty() { "step".to_string() } else { shown.join(", ") };
        Label { text: text.into(), names, choices: choices.to_vec() }
    }

    /// The worlds of the initial model as states.
    pub(crate) fn initial(&self, law: &LawModel, budget: Budget) -> Result<Option<Vec<State>>, CheckError> {
        let law = LawModel { observes: vec![Vec::new(); law.agents.len()], ..law.clone() };
        let Some(kripke) = enumerate(&law, budget)? else { return Ok(None) };
        let mut states: Vec<State> = vec![vec![0; self.names.len()].into(); kripke.size()];
        for (w, state) in states.iter_mut().enumerate() {
            let facts = kripke.facts(w);
            for (e, name) in self.names.iter().enumerate() {
                state[e] = if e < self.props {
                    u16::from(facts.props.contains(name))
                } else {
                    let value = facts.vars.iter().find(|(x, _)| x == name).map(|(_, v)| v);
                    value.and_then(|v| self.values[e].iter().position(|w| w == v)).unwrap_or(0) as u16
                };
            }
        }
        Ok(Some(states))
    }
}

/// The states reachable in a system, listed; `None` if that costs more than the budget.
///
/// Where steps depend on knowledge they are all followed, each with its condition.
pub fn explore(system: &System, budget: Budget, limits: &Limits) -> Result<Option<Transitions>, CheckError> {
    let stepper = Stepper::new(system);
    let Some(initial) = stepper.initial(&system.vocabulary, budget)? else { return Ok(None) };
    let mut index: HashMap<State, u32> = HashMap::new();
    let mut states: Vec<State> = Vec::new();
    for state in initial {
        index.entry(state.clone()).or_insert_with(|| {
            states.push(state);
            states.len() as u32 - 1
        });
    }
    let starts = states.len() as u32;
    let mut labels: Vec<Label> = Vec::new();
    let mut label_index: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut conditions: Vec<F> = Vec::new();
    let mut condition_index: HashMap<F, u32> = HashMap::new();
    let mut offsets = vec![0u32];
    let mut steps: Vec<Step> = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let state = states[at].clone();
        let first = steps.len();
        for successor in stepper.successors(&state)? {
            let label = match label_index.get(&successor.choices) {
                Some(&label) => label,
                None => {
                    labels.push(stepper.label(&successor.choices));
                    label_index.insert(successor.choices, labels.len() as u32 - 1);
                    labels.len() as u32 - 1
                }
            };
            let condition = match successor.condition {
                None => 0,
                Some(f) => *condition_index.entry(f.clone()).or_insert_with(|| {
                    conditions.push(f);
                    conditions.len() as u32
                }),
            };
            let target = match index.get(&successor.state) {
                Some(&target) => target,
                None => {
                    let target = states.len() as u32;
                    index.insert(successor.state.clone(), target);
                    states.push(successor.state);
                    target
                }
            };
            steps.push(Step { label, target, condition });
        }
        steps[first..].sort_unstable();
        let mut kept = first;
        for i in first..steps.len() {
            if i == first || steps[i] != steps[i - 1] {
                steps[kept] = steps[i];
                kept += 1;
            }
        }
        steps.truncate(kept);
        offsets.push(steps.len() as u32);
        if states.len() > budget.worlds || steps.len() > budget.steps {
            return if states.len() > limits.worlds { Err(Limit::States(limits.worlds).into()) } else { Ok(None) };
        }
        at += 1;
    }
    drop(index);
    let size = states.len();
    let local = (0..system.vocabulary.agents.len())
        .map(|agent| {
            let mut seen: HashMap<Vec<i64>, u32> = HashMap::new();
            states
                .iter()
                .map(|s| {
                    let next = seen.len() as u32;
                    *seen.entry(stepper.sight(agent, s)).or_insert(next)
                })
                .collect()
        })
        .collect();
    let law = &system.vocabulary;
    let props: HashMap<Name, BitSet> =
        law.props.iter().enumerate().map(|(e, p)| (p.clone(), BitSet::from_fn(size, |s| states[s][e] == 1))).collect();
    let vars = law
        .vars
        .iter()
        .enumerate()
        .map(|(i, v)| Column {
            name: v.name.clone(),
            domain: v.values.clone(),
            of: states.iter().map(|s| s[law.props.len() + i]).collect(),
        })
        .collect();
    let mut compiled = Transitions {
        agents: law.agents.clone(),
        actors: system.actors.iter().map(|a| a.name.clone()).collect(),
        names: Vec::new(),
        initial: (0..starts).collect(),
        labels,
        offsets,
        steps,
        local,
        props,
        prop_order: law.props.clone(),
        vars,
        conditions,
        red: Vec::new(),
        fairness: system.fairness.clone(),
    };
    let red: Vec<(Name, BitSet)> = system
        .red
        .iter()
        .map(|(agent, f)| (agent.clone(), compiled.objective(f).unwrap_or_else(|| BitSet::empty(size))))
        .collect();
    compiled.red = red;
    Ok(Some(compiled))
}
