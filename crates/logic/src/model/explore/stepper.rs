//! What every actor may do in a state, and which states follow.

use super::State;
use super::compile::{Compiler, Num, SYMBOLS, Test};
use crate::check::{CheckError, Limit};
use crate::formula::{F, Formula, Name, Value};
use crate::model::BitSet;
use crate::model::enumerate::{Budget, enumerate};
use crate::model::law::{Facts, LawModel, Observation};
use crate::model::system::{Next, Precedence, System};
use crate::model::transitions::Label;
use crate::syntax::Span;
use std::collections::HashMap;

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
    /// The actors whose choices it depends on.
    actors: Vec<usize>,
}

struct Group {
    rules: Vec<CompiledRule>,
    precedence: Precedence,
}

/// An enabled action with the condition under which it is: unconditional, or what must be known.
type Enabled = (u32, Option<F>);

/// The values that a group gives its targets.
type Changes = Vec<(usize, u16)>;

/// The alternatives of a group in a state, by the choices of the actors that matter, the last one varying fastest.
struct Plan {
    actors: Vec<usize>,
    /// The alternatives, or what is wrong with the step.
    table: Vec<Result<Vec<Changes>, CheckError>>,
}

impl Plan {
    fn alternatives(&self, at: &[usize], enabled: &[Vec<Enabled>]) -> Result<&[Changes], &CheckError> {
        let index = self.actors.iter().fold(0, |n, &a| n * enabled[a].len() + at[a]);
        self.table[index].as_deref()
    }
}

/// What is done with a way to go on: the choices, the condition, the state that follows or what is wrong with it. It says
/// whether to go on.
type Visit<'v> = dyn FnMut(&[u32], Option<&F>, Result<&[u16], &CheckError>) -> bool + 'v;

/// Every combination of one alternative a group; a group without any changes nothing. Whether all were visited.
fn each_way(
    state: &[u16],
    ways: &[&[Changes]],
    pick: &mut [usize],
    next: &mut [u16],
    visit: &mut dyn FnMut(&[u16]) -> bool,
) -> bool {
    pick.fill(0);
    loop {
        next.copy_from_slice(state);
        for (way, &i) in ways.iter().zip(pick.iter()) {
            if let Some(changes) = way.get(i) {
                changes.iter().for_each(|&(e, v)| next[e] = v);
            }
        }
        if !visit(next) {
            return false;
        }
        let Some(turn) = (0..pick.len()).rev().find(|&g| pick[g] + 1 < ways[g].len()) else { return true };
        pick[turn] += 1;
        pick[turn + 1..].fill(0);
    }
}

/// The most combinations of choices that are laid out for one group.
const MAX_COMBINATIONS: usize = 1 << 20;

/// A way to go on: what every actor does, and the state that follows.
pub(crate) struct Successor {
    pub(crate) choices: Vec<u32>,
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

impl Stepper {
    pub(crate) fn new(system: &System) -> Stepper {
        let law = &system.vocabulary;
        let names: Vec<Name> = law.props.iter().cloned().chain(law.vars.iter().map(|v| v.name.clone())).collect();
        let truth = vec![Value::Int(0), Value::Int(1)];
        let values: Vec<Vec<Value>> =
            law.props.iter().map(|_| truth.clone()).chain(law.vars.iter().map(|v| v.values.clone())).collect();
        let mut compiler = Compiler {
            elements: names.iter().map(|n| &**n).zip(0..).collect(),
            props: law.props.len(),
            does: HashMap::new(),
            symbols: HashMap::new(),
            values,
        };
        for (a, actor) in system.actors.iter().enumerate() {
            for (x, action) in actor.actions.iter().enumerate() {
                compiler.does.insert(format!("{}.{action}", actor.name), (a, x as u32));
            }
        }
        let values = compiler.values.clone();
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
                        let sets: Vec<(usize, Value3)> = rule
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
                        let mut actors = Vec::new();
                        guard.for_each_actor(&mut |a| actors.push(a));
                        for (_, value) in &sets {
                            if let Value3::Formula(test) = value {
                                test.for_each_actor(&mut |a| actors.push(a));
                            }
                        }
                        actors.sort_unstable();
                        actors.dedup();
                        CompiledRule { guard, sets, span: rule.span, actors }
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
            Test::Table(e, truth) => Some(truth[state[*e] as usize]),
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
        let mut out = Vec::new();
        let mut wrong = None;
        let all = self.for_each_successor(state, &mut |choices, _, next| match next {
            Ok(next) => {
                out.push(Successor { choices: choices.to_vec(), state: next.into() });
                out.len() <= MAX_COMBINATIONS
            }
            Err(error) => {
                wrong = Some(error.clone());
                false
            }
        })?;
        match wrong {
            Some(error) => Err(error),
            None if all => Ok(out),
            None => Err(Limit::Transitions(MAX_COMBINATIONS).into()),
        }
    }

    /// Calls `visit` on every way to go on, until it says no; whether all were visited.
    pub(super) fn for_each_successor(&self, state: &[u16], visit: &mut Visit<'_>) -> Result<bool, CheckError> {
        let mut enabled = Vec::with_capacity(self.actors.len());
        for actor in &self.actors {
            let actions = self.enabled(actor, state);
            if actions.is_empty() {
                if self.may_end {
                    return Ok(true);
                }
                let state = self.facts(state).label();
                return Err(CheckError::Stuck { actor: actor.name.clone(), state, span: actor.span });
            }
            enabled.push(actions);
        }
        let mut at = vec![0usize; enabled.len()];
        let mut choices: Vec<u32> = enabled.iter().map(|xs| xs[0].0).collect();
        let mut plans = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let Some(plan) = self.plan(group, state, &enabled, &mut choices) else { return Ok(false) };
            plans.push(plan);
        }
        let conditional = enabled.iter().flatten().any(|(_, condition)| condition.is_some());
        // Used again for every joint action.
        let mut next: Vec<u16> = state.to_vec();
        let mut ways: Vec<&[Changes]> = Vec::with_capacity(plans.len());
        let mut pick = vec![0usize; plans.len()];
        loop {
            for (i, xs) in enabled.iter().enumerate() {
                choices[i] = xs[at[i]].0;
            }
            let condition = conditional
                .then(|| Formula::and(at.iter().zip(&enabled).filter_map(|(&i, xs)| xs[i].1.clone()).collect()));
            let condition = condition.as_ref().filter(|f| **f != Formula::truth());
            ways.clear();
            let mut wrong = None;
            for plan in &plans {
                match plan.alternatives(&at, &enabled) {
                    Ok(alternatives) => ways.push(alternatives),
                    Err(error) => wrong = Some(error),
                }
            }
            let going = match wrong {
                None => each_way(state, &ways, &mut pick, &mut next, &mut |next| visit(&choices, condition, Ok(next))),
                Some(error) => visit(&choices, condition, Err(error)),
            };
            if !going {
                return Ok(false);
            }
            let Some(turn) = (0..at.len()).rev().find(|&i| at[i] + 1 < enabled[i].len()) else { return Ok(true) };
            at[turn] += 1;
            at[turn + 1..].fill(0);
        }
    }

    /// What a group may do in a state, for every combination of choices that its rules depend on there; `None` if those
    /// are too many.
    fn plan(&self, group: &Group, state: &[u16], enabled: &[Vec<Enabled>], choices: &mut [u32]) -> Option<Plan> {
        // Rules that cannot apply in this state, whatever is done, are left out once and for all.
        let live: Vec<&CompiledRule> =
            group.rules.iter().filter(|r| self.truth(&r.guard, state, None) != Some(false)).collect();
        let mut actors: Vec<usize> =
            live.iter().flat_map(|r| r.actors.iter().copied()).filter(|&a| enabled[a].len() > 1).collect();
        actors.sort_unstable();
        actors.dedup();
        let combinations = actors.iter().try_fold(1usize, |n, &a| n.checked_mul(enabled[a].len()));
        combinations.filter(|n| *n <= MAX_COMBINATIONS)?;
        let mut table = Vec::new();
        let mut at = vec![0usize; actors.len()];
        for (i, xs) in enabled.iter().enumerate() {
            choices[i] = xs[0].0;
        }
        loop {
            for (&a, &i) in actors.iter().zip(&at) {
                choices[a] = enabled[a][i].0;
            }
            table.push(self.alternatives(group, &live, state, choices));
            let Some(turn) = (0..at.len()).rev().find(|&i| at[i] + 1 < enabled[actors[i]].len()) else { break };
            at[turn] += 1;
            at[turn + 1..].fill(0);
        }
        Some(Plan { actors, table })
    }

    /// What a group may do when these choices are made.
    fn alternatives(
        &self,
        group: &Group,
        live: &[&CompiledRule],
        state: &[u16],
        choices: &[u32],
    ) -> Result<Vec<Changes>, CheckError> {
        let mut found: Vec<Changes> = Vec::new();
        for rule in live {
            if self.truth(&rule.guard, state, Some(choices)) == Some(true) {
                self.apply(rule, state, choices, &mut found)?;
                if group.precedence == Precedence::First {
                    break;
                }
            }
        }
        Ok(found)
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

    /// The state with these facts, if it is one.
    pub(crate) fn state_of(&self, facts: &Facts) -> Option<State> {
        let mut state: State = vec![0; self.names.len()].into();
        for prop in &facts.props {
            let e = self.names[..self.props].iter().position(|n| n == prop)?;
            state[e] = 1;
        }
        for e in self.props..self.names.len() {
            let (_, value) = facts.vars.iter().find(|(x, _)| *x == self.names[e])?;
            state[e] = self.values[e].iter().position(|v| v == value)? as u16;
        }
        Some(state)
    }

    /// The label of a joint action: actors who have no choice are not mentioned, unless nobody has one.
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
        if shown.is_empty() {
            let only = self.actors.iter().zip(choices).map(|(actor, &x)| actor.actions[x as usize].to_string());
            shown.extend(only);
            shown.dedup();
        }
        let text = shown.join(", ");
        Label { text: text.into(), names, choices: choices.to_vec() }
    }

    /// The worlds of the initial model as states.
    pub(crate) fn initial(&self, law: &LawModel, budget: Budget) -> Result<Option<Vec<State>>, CheckError> {
        let law = LawModel { observes: vec![Vec::new(); law.agents.len()], ..law.clone() };
        let Some(kripke) = enumerate(&law, budget)? else { return Ok(None) };
        let mut states: Vec<State> = vec![vec![0; self.names.len()].into(); kripke.size()];
        for (e, name) in self.names.iter().enumerate() {
            if e < self.props {
                kripke.column(name).into_iter().flat_map(BitSet::iter).for_each(|w| states[w][e] = 1);
                continue;
            }
            let index: HashMap<&Value, u16> = self.values[e].iter().zip(0..).collect();
            let Some(column) = kripke.vars.iter().find(|c| c.name == *name) else { continue };
            for (state, value) in states.iter_mut().zip(&column.values) {
                state[e] = index.get(value).copied().unwrap_or(0);
            }
        }
        Ok(Some(states))
    }
}
