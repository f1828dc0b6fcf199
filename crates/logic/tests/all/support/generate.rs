//! Random models, actions and formulas, the same for the same seed.

use ken_logic::formula::{
    Action, ActionModel, Along, ArithOp, Change, Cmp, EventPoint, F, Formula, Group, Name, Path, Program, Sight, Term,
    Value,
};
use ken_logic::model::Kripke;
use ken_logic::model::kripke::{Classes, Edges, Relation};
use ken_logic::model::law::{Law, LawModel, Observation, Variable};
use ken_logic::syntax::Span;
use std::collections::HashSet;
use std::sync::Arc;

/// Random numbers: SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number between the two, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// The index of one of the weights, drawn by weight.
    pub(crate) fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u32 = weights.iter().sum();
        let mut at = self.below(total as usize) as u32;
        weights
            .iter()
            .position(|&w| {
                let found = at < w;
                at = at.saturating_sub(w);
                found
            })
            .expect("some weight is positive")
    }

    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        for i in (1..all.len()).rev() {
            all.swap(i, self.below(i + 1));
        }
    }
}

/// The names that formulas may use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub(crate) agents: Vec<Name>,
    pub(crate) props: Vec<Name>,
    pub(crate) vars: Vec<Variable>,
}

pub(crate) fn names(all: &[&str]) -> Vec<Name> {
    all.iter().map(|&n| n.into()).collect()
}

/// A source of random things over some words.
pub(crate) struct Draw<'a> {
    pub(crate) rng: &'a mut Rng,
    pub(crate) words: &'a Words,
    /// Only what can be written down as it is: no folded constants, no action models, no `!=` counts.
    pub(crate) readable: bool,
    /// Path modalities too.
    pub(crate) temporal: bool,
    /// Action models with arbitrary relations.
    pub(crate) belief: bool,
    /// Small formulas and actions made before, to use again.
    formulas: Vec<F>,
    actions: Vec<Arc<Action>>,
    /// The inner `L`s of the action at hand, and what it tests.
    steps: Vec<Action>,
    tested: Vec<F>,
}

impl<'a> Draw<'a> {
    pub(crate) fn new(rng: &'a mut Rng, words: &'a Words) -> Draw<'a> {
        Draw {
            rng,
            words,
            readable: false,
            temporal: false,
            belief: false,
            formulas: Vec::new(),
            actions: Vec::new(),
            steps: Vec::new(),
            tested: Vec::new(),
        }
    }

    fn agent(&mut self) -> Name {
        self.rng.pick(&self.words.agents).clone()
    }

    /// A group that is not empty, within `enclosing`.
    fn subgroup(&mut self, enclosing: &[Name]) -> Vec<Name> {
        let mut all = enclosing.to_vec();
        self.rng.shuffle(&mut all);
        let size = match all.len() {
            n if n > 2 && self.rng.chance(60) => self.rng.between(2, n - 1),
            n => self.rng.between(1, n),
        };
        all.truncate(size);
        all
    }

    pub(crate) fn group(&mut self) -> Group {
        if self.rng.chance(20) { Group::All } else { Group::Of(self.subgroup(&self.words.agents.clone())) }
    }

    fn cmp(&mut self) -> Cmp {
        *self.rng.pick(&[Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge])
    }

    fn vars(&self, numbers: bool) -> Vec<&'a Variable> {
        self.words.vars.iter().filter(|v| matches!(v.values[0], Value::Int(_)) == numbers).collect()
    }

    /// A numeric term with at least one variable, if there is one.
    pub(crate) fn number(&mut self, depth: usize) -> Term {
        let vars = self.vars(true);
        if vars.is_empty() {
            return Term::Value(Value::Int(self.rng.below(4) as i64 - 1));
        }
        match if depth == 0 { 0 } else { self.rng.weighted(&[3, 1, 4]) } {
            0 => Term::Var(self.rng.pick(&vars).name.clone()),
            1 => Term::Neg(Box::new(self.number(depth - 1))),
            _ => {
                let op = *self.rng.pick(&[ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Div, ArithOp::Mod]);
                let (mut a, mut b) = (self.number(depth - 1), self.number(depth - 1));
                match self.rng.below(4) {
                    0 => a = Term::Value(Value::Int(self.rng.below(7) as i64 - 3)),
                    1 => b = Term::Value(Value::Int(self.rng.below(7) as i64 - 3)),
                    // Often undefined somewhere.
                    _ if matches!(op, ArithOp::Div | ArithOp::Mod) => b = Term::Var(self.rng.pick(&vars).name.clone()),
                    _ => {}
                }
                Term::Bin(op, Box::new(a), Box::new(b))
            }
        }
    }

    fn comparison(&mut self) -> F {
        let symbols = self.vars(false);
        if !symbols.is_empty() && (self.vars(true).is_empty() || self.rng.chance(40)) {
            let left = *self.rng.pick(&symbols);
            let right = if self.rng.chance(70) {
                Term::Value(self.rng.pick(&left.values).clone())
            } else {
                Term::Var(self.rng.pick(&symbols).name.clone())
            };
            let cmp = if self.rng.chance(60) { Cmp::Eq } else { Cmp::Ne };
            return Arc::new(Formula::Compare(cmp, Term::Var(left.name.clone()), right));
        }
        let depth = self.rng.below(3);
        let left = self.number(depth);
        let right = match self.rng.below(3) {
            0 => self.number(1),
            _ => Term::Value(Value::Int(self.rng.below(6) as i64 - 1)),
        };
        let (left, right) = if self.rng.chance(80) { (left, right) } else { (right, left) };
        Arc::new(Formula::Compare(self.cmp(), left, right))
    }

    fn leaf(&mut self) -> F {
        if self.rng.chance(4) {
            return Arc::new(Formula::Const(self.rng.chance(50)));
        }
        if !self.words.vars.is_empty() && (self.words.props.is_empty() || self.rng.chance(50)) {
            return self.comparison();
        }
        if !self.readable && self.rng.chance(2) {
            return Formula::atom("new");
        }
        Formula::atom(self.rng.pick(&self.words.props).clone())
    }

    fn list(&mut self, low: usize, high: usize, depth: usize, dynamic: usize) -> Vec<F> {
        (0..self.rng.between(low, high)).map(|_| self.formula(depth, dynamic)).collect()
    }

    /// A formula without knowledge and actions.
    pub(crate) fn objective(&mut self, depth: usize) -> F {
        if depth == 0 {
            return self.leaf();
        }
        let below = |d: &mut Self| d.objective(depth - 1);
        let several =
            |d: &mut Self, low| (0..d.rng.between(low, 4)).map(|_| d.objective(depth - 1)).collect::<Vec<_>>();
        Arc::new(match self.rng.weighted(&[4, 2, 2, 2, 1, 1, 2, 2, 1]) {
            0 => return self.leaf(),
            1 => Formula::Not(below(self)),
            2 => Formula::And(vec![below(self), below(self)]),
            3 => Formula::Or(vec![below(self), below(self)]),
            4 => Formula::Imp(below(self), below(self)),
            5 => Formula::Iff(below(self), below(self)),
            6 => Formula::Xor(several(self, 2)),
            7 => Formula::Count(Cmp::Eq, 1, several(self, 2)),
            _ => self.count(several),
        })
    }

    fn count(&mut self, parts: impl FnOnce(&mut Self, usize) -> Vec<F>) -> Formula {
        let cmp = if self.readable { *self.rng.pick(&[Cmp::Eq, Cmp::Le, Cmp::Ge]) } else { self.cmp() };
        let parts = parts(self, 1);
        Formula::Count(cmp, self.rng.between(0, parts.len() + 1) as u64, parts)
    }

    /// A formula with at most `depth` operators inside one another and `dynamic` modalities of actions.
    pub(crate) fn formula(&mut self, depth: usize, dynamic: usize) -> F {
        if depth == 0 || self.rng.chance(6) {
            if !self.formulas.is_empty() && self.rng.chance(25) {
                return self.rng.pick(&self.formulas).clone();
            }
            return self.leaf();
        }
        let actions = if dynamic > 0 { 5 } else { 0 };
        let time = u32::from(self.temporal);
        let d = depth - 1;
        let weights = [2, 2, 2, 1, 1, 1, 1, 4, 2, 2, 2, 2, 2, actions, actions, 2 * time, time, time];
        let formula = match self.rng.weighted(&weights) {
            0 => Formula::Not(self.formula(d, dynamic)),
            1 => Formula::And(self.list(2, 3, d, dynamic)),
            2 => Formula::Or(self.list(2, 3, d, dynamic)),
            3 => Formula::Imp(self.formula(d, dynamic), self.formula(d, dynamic)),
            4 => Formula::Iff(self.formula(d, dynamic), self.formula(d, dynamic)),
            5 => Formula::Xor(self.list(1, 3, d, dynamic)),
            6 => self.count(|r, low| r.list(low, 4, d, dynamic.min(1))),
            7 => Formula::Knows(self.agent(), self.formula(d, dynamic)),
            8 => Formula::Possible(self.agent(), self.formula(d, dynamic)),
            9 => Formula::KnowsWhether(self.agent(), self.formula(d, dynamic)),
            10 => Formula::Everyone(self.group(), self.formula(d, dynamic)),
            11 => Formula::Common(self.group(), self.formula(d, dynamic)),
            12 => Formula::Distributed(self.group(), self.formula(d, dynamic)),
            13 | 14 => return self.dynamic(d, dynamic - 1),
            15 => {
                let path = *self.rng.pick(&[Path::All, Path::Some]);
                let along = *self.rng.pick(&[Along::Next, Along::Always, Along::Eventually]);
                Formula::Path(path, along, self.program_or_any(), self.formula(d, dynamic))
            }
            16 => {
                let path = *self.rng.pick(&[Path::All, Path::Some]);
                Formula::Until(path, self.program_or_any(), self.formula(d, dynamic), self.formula(d, dynamic))
            }
            _ => Formula::Runs(*self.rng.pick(&[Path::All, Path::Some]), self.line(d, dynamic)),
        };
        let formula = Arc::new(formula);
        if formula.size() < 8 {
            self.formulas.push(formula.clone());
        }
        formula
    }

    /// A path formula.
    fn line(&mut self, depth: usize, dynamic: usize) -> F {
        if depth == 0 || self.rng.chance(15) {
            return self.formula(depth, dynamic);
        }
        let d = depth - 1;
        let along = *self.rng.pick(&[Along::Next, Along::Always, Along::Eventually]);
        Arc::new(match self.rng.weighted(&[1, 1, 1, 1, 1, 6, 3, 2]) {
            0 => Formula::Not(self.line(d, dynamic)),
            1 => Formula::And(vec![self.line(d, dynamic), self.line(d, dynamic)]),
            2 => Formula::Or(vec![self.line(d, dynamic), self.line(d, dynamic)]),
            3 => Formula::Imp(self.line(d, dynamic), self.line(d, dynamic)),
            4 => Formula::Iff(self.line(d, dynamic), self.line(d, dynamic)),
            5 => Formula::Linear(along, self.line(d, dynamic)),
            6 => Formula::LinearUntil(self.line(d, dynamic), self.line(d, dynamic)),
            _ => Formula::Release(self.line(d, dynamic), self.line(d, dynamic)),
        })
    }

    /// `[α] φ` or `<α> φ`, sometimes with the very same action twice.
    pub(crate) fn dynamic(&mut self, depth: usize, dynamic: usize) -> F {
        let action = if !self.actions.is_empty() && self.rng.chance(12) {
            self.rng.pick(&self.actions).clone()
        } else {
            let most = if self.belief { 6 } else { 12 };
            let small = std::iter::repeat_with(|| self.action(2, dynamic)).find(|action| growth(action) <= most);
            Arc::new(small.expect("some action is small"))
        };
        self.actions.push(action.clone());
        let mut body = self.formula(depth, dynamic);
        let mut tests: Vec<F> = action.formulas().into_iter().filter(|f| f.size() < 12).cloned().collect();
        if !self.words.vars.is_empty() && changes_variables(&action) {
            tests.extend((0..3).map(|_| self.comparison()));
        }
        if !tests.is_empty() && self.rng.chance(40) {
            // Who has learned what: about what the action tests and changes.
            let (agent, test) = (self.agent(), self.rng.pick(&tests).clone());
            let learned = match self.rng.below(4) {
                0 => Formula::Knows(agent, test),
                1 => Formula::Possible(agent, test),
                2 => Formula::KnowsWhether(agent, test),
                _ => Formula::Common(self.group(), test),
            };
            body =
                if self.rng.chance(70) { Arc::new(learned) } else { Arc::new(Formula::Iff(body, Arc::new(learned))) };
        }
        if self.rng.chance(8) {
            body = Arc::new(Formula::After(action.clone(), body));
        }
        Arc::new(if self.rng.chance(50) { Formula::After(action, body) } else { Formula::Can(action, body) })
    }

    /// A formula for a test or a precondition.
    fn test(&mut self, dynamic: usize) -> F {
        let depth = self.rng.weighted(&[3, 3, 2]);
        let dynamic = if self.rng.chance(25) { dynamic } else { 0 };
        self.formula(depth, dynamic)
    }

    /// A test inside `L`, often about what somebody knows of an earlier one.
    fn inner_test(&mut self, dynamic: usize) -> Action {
        if !self.tested.is_empty() && self.rng.chance(40) {
            let (agent, test) = (self.agent(), self.rng.pick(&self.tested).clone());
            let knowledge = Arc::new(match self.rng.below(3) {
                0 => Formula::Knows(agent, test),
                1 => Formula::Possible(agent, test),
                _ => Formula::KnowsWhether(agent, test),
            });
            return Action::Test(if self.rng.chance(50) { knowledge } else { Arc::new(Formula::Not(knowledge)) });
        }
        let test = self.test(dynamic);
        self.tested.push(test.clone());
        Action::Test(test)
    }

    /// An action outside `L`.
    pub(crate) fn action(&mut self, depth: usize, dynamic: usize) -> Action {
        let joined = if depth > 0 { 2 } else { 0 };
        let models = if self.readable { 0 } else { 6 };
        match self.rng.weighted(&[2, joined, joined, joined, 3, 8, models]) {
            0 => Action::Test(self.test(dynamic)),
            1 => Action::Seq((0..self.rng.between(2, 3)).map(|_| self.action(depth - 1, dynamic)).collect()),
            2 => Action::Choice((0..self.rng.between(2, 3)).map(|_| self.action(depth - 1, dynamic)).collect()),
            3 => Action::Both(Box::new(self.action(depth - 1, dynamic)), Box::new(self.action(depth - 1, dynamic))),
            4 => Action::Announce(self.test(dynamic)),
            5 => self.learn(dynamic),
            _ => Action::Model(Arc::new(self.action_model(dynamic))),
        }
    }

    /// `L[all] α` with a few points.
    pub(crate) fn learn(&mut self, dynamic: usize) -> Action {
        let all = self.words.agents.clone();
        let inner = loop {
            self.steps.clear();
            self.tested.clear();
            let depth = self.rng.between(1, 4);
            let inner = self.inside(depth, &all, true, dynamic);
            if points(&inner) <= 8 {
                break inner;
            }
        };
        let group = if self.rng.chance(70) {
            Group::All
        } else {
            let mut all = all;
            self.rng.shuffle(&mut all);
            Group::Of(all)
        };
        Action::Learn(group, Box::new(inner))
    }

    /// An action inside `L` of the enclosing group; a choice may be marked if `marks`.
    fn inside(&mut self, depth: usize, enclosing: &[Name], marks: bool, dynamic: usize) -> Action {
        if depth == 0 {
            return self.inner_test(dynamic);
        }
        let everyone = enclosing.len() == self.words.agents.len();
        let weights = [2, 3, 5, 4, u32::from(everyone), if self.steps.is_empty() { 0 } else { 2 }];
        match self.rng.weighted(&weights) {
            0 => self.inner_test(dynamic),
            1 => self.sequence(depth - 1, enclosing, dynamic),
            2 => self.choice(depth - 1, enclosing, marks, dynamic),
            3 => self.inner_learn(depth, enclosing, dynamic),
            4 => {
                let step = Action::Announce(self.test(dynamic));
                self.steps.push(step.clone());
                step
            }
            _ => {
                let step = self.rng.pick(&self.steps).clone();
                let step = self.retold(step);
                if within(&step, enclosing, self.words.agents.len()) { step } else { self.inner_test(dynamic) }
            }
        }
    }

    /// `L[B] α` inside `L`.
    fn inner_learn(&mut self, depth: usize, enclosing: &[Name], dynamic: usize) -> Action {
        let group = self.subgroup(enclosing);
        let inner = self.inside(depth - 1, &group, true, dynamic);
        let everyone = group.len() == self.words.agents.len();
        let group = if everyone && self.rng.chance(50) { Group::All } else { Group::Of(group) };
        let step = Action::Learn(group, Box::new(inner));
        self.steps.push(step.clone());
        step
    }

    fn sequence(&mut self, depth: usize, enclosing: &[Name], dynamic: usize) -> Action {
        // Over a set of one element a sequence has one step.
        let one = if self.readable { 0 } else { 1 };
        let length = 1 + self.rng.weighted(&[one, 14, 5]);
        Action::Seq((0..length).map(|_| self.inside(depth, enclosing, true, dynamic)).collect())
    }

    fn choice(&mut self, depth: usize, enclosing: &[Name], marks: bool, dynamic: usize) -> Action {
        let length = if self.rng.chance(65) { 2 } else { 3 };
        let mark = (marks && self.rng.chance(45)).then(|| self.rng.below(length));
        // Without a mark of its own, a choice directly inside this one may have the only mark.
        let mut marks = marks && mark.is_none();
        let sequences = depth > 0 && self.rng.chance(30);
        // Sequences may begin with the same step.
        let common = (sequences && self.rng.chance(60)).then(|| self.inner_learn(depth, enclosing, dynamic));
        let mut parts = Vec::new();
        for i in 0..length {
            parts.push(if mark == Some(i) {
                Action::Local(Box::new(self.inside(depth, enclosing, true, dynamic)))
            } else if sequences && self.rng.chance(80) {
                match (common.clone(), self.sequence(depth - 1, enclosing, dynamic)) {
                    (Some(common), Action::Seq(mut steps)) => {
                        steps[0] = self.retold(common);
                        if steps.len() > 1 && self.rng.chance(50) {
                            steps[1] = self.inner_test(0);
                        }
                        Action::Seq(steps)
                    }
                    (_, sequence) => sequence,
                }
            } else {
                let part = self.inside(depth, enclosing, marks, dynamic);
                marks &= !marked(&part);
                part
            });
        }
        Action::Choice(parts)
    }

    /// The same step in other words: another order of the group, `announce` for `L[all] ?`, a choice in other brackets.
    fn retold(&mut self, step: Action) -> Action {
        if self.rng.chance(60) {
            return step;
        }
        match step {
            Action::Announce(f) => Action::Learn(Group::All, Box::new(Action::Test(f))),
            Action::Learn(Group::All, inner) => match *inner {
                Action::Test(f) => Action::Announce(f),
                inner => Action::Learn(Group::Of(self.words.agents.clone()), Box::new(inner)),
            },
            Action::Learn(Group::Of(mut group), inner) => {
                self.rng.shuffle(&mut group);
                let inner = match *inner {
                    Action::Choice(mut parts) if parts.len() > 2 => {
                        let last = parts.pop().expect("three parts");
                        Action::Choice(vec![Action::Choice(parts), last])
                    }
                    inner => inner,
                };
                Action::Learn(Group::Of(group), Box::new(inner))
            }
            other => other,
        }
    }

    /// A term that a variable can take as its new value.
    fn new_value(&mut self, var: &Variable) -> Term {
        if matches!(var.values[0], Value::Int(_)) {
            return match self.rng.below(3) {
                0 => Term::Value(self.rng.pick(&var.values).clone()),
                1 => self.number(1),
                _ => {
                    let op = if self.rng.chance(50) { ArithOp::Div } else { ArithOp::Mod };
                    let below = Term::Var(self.rng.pick(&self.vars(true)).name.clone());
                    Term::Bin(op, Box::new(self.number(1)), Box::new(below))
                }
            };
        }
        match self.rng.below(2) {
            0 => Term::Value(self.rng.pick(&var.values).clone()),
            _ => Term::Var(self.rng.pick(&self.vars(false)).name.clone()),
        }
    }

    pub(crate) fn action_model(&mut self, dynamic: usize) -> ActionModel {
        let size = self.rng.weighted(&[0, 1, 4, 3, 2]);
        let mut events = Vec::new();
        for e in 0..size {
            let pre = if self.rng.chance(20) { Formula::truth() } else { self.test(dynamic) };
            let mut changes = Vec::new();
            if self.rng.chance(50) {
                for prop in &self.words.props {
                    if self.rng.chance(35) {
                        let depth = self.rng.below(3);
                        changes.push(Change::Prop(prop.clone(), self.formula(depth, 0)));
                    }
                }
                for var in &self.words.vars {
                    if self.rng.chance(35) {
                        changes.push(Change::Var(var.name.clone(), self.new_value(var)));
                    }
                }
                self.rng.shuffle(&mut changes);
                if self.rng.chance(5) {
                    // Of two changes of one thing the later counts; a proposition may be new.
                    let new = if self.rng.chance(50) { self.words.props[0].clone() } else { "new".into() };
                    changes.push(Change::Prop(new, self.formula(1, 0)));
                }
            }
            events.push(EventPoint { name: format!("e{e}").into(), pre, changes, designated: self.rng.chance(60) });
        }
        let sure = self.rng.below(size);
        events[sure].designated = true;
        let mut sights = Vec::new();
        for agent in &self.words.agents {
            match self.rng.below(if self.belief { 5 } else { 3 }) {
                0 => {}
                1 | 2 => {
                    let classes = (0..size).map(|_| 3 * self.rng.below(3) as u32).collect();
                    sights.push((agent.clone(), Sight::Classes(classes)));
                }
                _ => {
                    let n = size as u32;
                    let all = (0..n).flat_map(|e| (0..n).map(move |f| (e, f)));
                    let pairs = all.filter(|_| self.rng.chance(45)).collect();
                    sights.push((agent.clone(), Sight::Edges(pairs)));
                }
            }
        }
        self.rng.shuffle(&mut sights);
        ActionModel { name: "drawn".into(), events, sights }
    }

    fn program_or_any(&mut self) -> Program {
        if self.rng.chance(40) { Program::Any } else { self.program(2) }
    }

    fn program(&mut self, depth: usize) -> Program {
        let joined = if depth > 0 { 2 } else { 0 };
        match self.rng.weighted(&[3, 2, joined, joined, joined]) {
            0 => Program::Action(self.rng.pick(&names(&["turn", "accept", "play(3)"])).clone()),
            1 => Program::Test(self.formula(1, 0)),
            2 => Program::Seq((0..self.rng.between(2, 3)).map(|_| self.program(depth - 1)).collect()),
            3 => Program::Choice((0..self.rng.between(2, 3)).map(|_| self.program(depth - 1)).collect()),
            _ => Program::Star(Box::new(self.program(depth - 1))),
        }
    }
}

fn changes_variables(action: &Action) -> bool {
    match action {
        Action::Model(m) => m.events.iter().any(|e| e.changes.iter().any(|c| matches!(c, Change::Var(..)))),
        Action::Seq(parts) | Action::Choice(parts) => parts.iter().any(changes_variables),
        Action::Both(a, b) => changes_variables(a) || changes_variables(b),
        Action::Test(_) | Action::Local(_) | Action::Learn(..) | Action::Announce(_) | Action::Move(_) => false,
    }
}

/// How many ways an action inside `L` can go.
fn points(action: &Action) -> usize {
    match action {
        Action::Seq(parts) => parts.iter().map(points).product(),
        Action::Choice(parts) => parts.iter().map(points).sum(),
        Action::Local(a) | Action::Learn(_, a) => points(a),
        Action::Test(_) | Action::Announce(_) | Action::Both(..) | Action::Model(_) | Action::Move(_) => 1,
    }
}

/// How many times as many worlds there may be after the action.
fn growth(action: &Action) -> usize {
    match action {
        Action::Test(_) | Action::Announce(_) | Action::Move(_) => 1,
        Action::Seq(parts) => parts.iter().map(growth).product(),
        Action::Choice(parts) => parts.iter().map(growth).max().unwrap_or(1),
        Action::Both(a, b) => growth(a).max(growth(b)),
        Action::Learn(_, a) | Action::Local(a) => points(a),
        Action::Model(model) => model.events.len(),
    }
}

/// Whether the choice, or one directly inside it, has a mark.
fn marked(action: &Action) -> bool {
    match action {
        Action::Choice(parts) => parts.iter().any(|p| matches!(p, Action::Local(_)) || marked(p)),
        _ => false,
    }
}

/// Whether the step may stand inside an `L` of this group.
fn within(step: &Action, enclosing: &[Name], agents: usize) -> bool {
    match step {
        Action::Learn(Group::Of(group), _) => group.iter().all(|a| enclosing.contains(a)),
        _ => enclosing.len() == agents,
    }
}

/// A relation of the given kind on so many worlds.
pub(crate) fn relation(rng: &mut Rng, size: usize, edges: bool) -> Relation {
    if edges {
        let n = size as u32;
        let mut pairs = Vec::new();
        for w in 0..n {
            for _ in 0..rng.weighted(&[1, 3, 3, 1]) {
                pairs.push((w, rng.below(size) as u32));
            }
        }
        return Relation::Edges(Edges::from_pairs(size, pairs));
    }
    let classes = rng.between(1, size);
    Relation::Classes(Classes::by_key((0..size).map(|_| rng.below(classes)).collect::<Vec<_>>()))
}

/// An explicit model of 3 to 12 worlds, 2 to 4 agents and 3 or 4 propositions; S5 unless `belief`.
///
/// Many have worlds that contraction merges: copies of the whole model, or twins of single worlds.
pub(crate) fn kripke(rng: &mut Rng, belief: bool) -> (Kripke, Words) {
    let words = Words {
        agents: names(&["a", "b", "c", "d"][..2 + rng.weighted(&[3, 4, 3])]),
        props: names(&["p", "q", "r", "s"][..rng.between(3, 4)]),
        vars: Vec::new(),
    };
    let copied = rng.chance(20);
    let size = rng.between(3, if copied { 6 } else { 12 });
    let mut facts: Vec<u64> = Vec::new();
    for _ in 0..size {
        let here = if !facts.is_empty() && rng.chance(35) { *rng.pick(&facts) } else { rng.next() };
        facts.push(here);
    }
    let mut relations: Vec<Relation> = Vec::new();
    for _ in &words.agents {
        let edges = belief && rng.chance(70);
        relations.push(relation(rng, size, edges));
    }
    // Where each world comes from: itself, or the world whose copy or twin it is.
    let mut source: Vec<usize> = (0..size).collect();
    if copied {
        source.extend(0..size);
    } else {
        for _ in 0..rng.weighted(&[3, 1, 1]) {
            source.push(rng.below(size));
        }
    }
    rng.shuffle(&mut source);
    let mut model = Kripke::new(source.len(), words.agents.clone(), words.props.clone());
    for (world, &old) in source.iter().enumerate() {
        for (p, prop) in words.props.iter().enumerate() {
            if facts[old] >> p & 1 == 1 {
                model.set_true(world, prop);
            }
        }
    }
    // The first of two copies is at the world that comes first.
    let copy: Vec<bool> = (0..source.len()).map(|w| copied && source[..w].contains(&source[w])).collect();
    for (agent, relation) in relations.iter().enumerate() {
        let relation = match relation {
            Relation::Classes(c) => Relation::Classes(Classes::by_key(
                source.iter().zip(&copy).map(|(&old, copy)| (c.of[old], *copy)).collect::<Vec<_>>(),
            )),
            Relation::Edges(e) => {
                // A world with a twin is sometimes overlooked, by all twins alike.
                let twin = |v: usize| !copied && source.iter().filter(|&&old| old == source[v]).count() > 1;
                let mut pairs = Vec::new();
                for old in 0..size {
                    for (v, &target) in source.iter().enumerate() {
                        if !e.from(old).contains(&(target as u32)) || twin(v) && rng.chance(30) {
                            continue;
                        }
                        let sees = (0..source.len()).filter(|&w| source[w] == old && copy[w] == copy[v]);
                        pairs.extend(sees.map(|w| (w as u32, v as u32)));
                    }
                }
                Relation::Edges(Edges::from_pairs(source.len(), pairs))
            }
        };
        model.set_relation(agent, relation);
    }
    (model, words)
}

/// A model of laws over propositions and variables; its worlds may be none.
pub(crate) fn law_model(rng: &mut Rng) -> (LawModel, Words) {
    let mut vars = Vec::new();
    for name in &["x", "y"][..rng.weighted(&[1, 3, 3])] {
        let size = rng.between(1, 4) as i64;
        let low = 1 - rng.below(4) as i64;
        let mut values: Vec<Value> = (low..low + size).map(Value::Int).collect();
        if rng.chance(15) {
            rng.shuffle(&mut values);
        }
        vars.push(Variable { name: (*name).into(), values });
    }
    if rng.chance(50) || vars.is_empty() {
        let colours = names(&["red", "green", "blue", "amber", "black"]);
        let values: Vec<Value> = colours[..rng.between(2, 5)].iter().cloned().map(Value::Sym).collect();
        vars.push(Variable { name: "hue".into(), values: values.clone() });
        if rng.chance(20) {
            vars.push(Variable { name: "tint".into(), values });
        }
    }
    let words = Words {
        agents: names(&["a", "b", "c", "d"][..2 + rng.weighted(&[3, 4, 3])]),
        props: names(&["p", "q", "r"][..rng.between(1, 3)]),
        vars,
    };
    let mut draw = Draw::new(rng, &words);
    draw.readable = true;
    let mut laws = Vec::new();
    for _ in 0..draw.rng.weighted(&[1, 3, 3, 2]) {
        let depth = draw.rng.between(1, 2);
        laws.push(Law { formula: draw.objective(depth), span: Span::default() });
    }
    let mut shared: Vec<Observation> = Vec::new();
    let mut observes = Vec::new();
    for _ in &words.agents {
        let mut seen: Vec<Observation> = Vec::new();
        for _ in 0..draw.rng.weighted(&[1, 3, 3, 1]) {
            let observation = match draw.rng.weighted(&[3, 3, 2, 2, if shared.is_empty() { 0 } else { 2 }]) {
                0 => Observation::Formula(Formula::atom(draw.rng.pick(&words.props).clone())),
                1 => Observation::Formula(draw.objective(1)),
                2 => Observation::Term(Term::Var(draw.rng.pick(&words.vars).name.clone())),
                3 if !draw.vars(true).is_empty() => Observation::Term(draw.number(2)),
                3 => Observation::Term(Term::Var(draw.rng.pick(&words.vars).name.clone())),
                _ => draw.rng.pick(&shared).clone(),
            };
            shared.push(observation.clone());
            if !seen.contains(&observation) {
                seen.push(observation);
            }
        }
        observes.push(seen);
    }
    let model = LawModel {
        agents: words.agents.clone(),
        props: words.props.clone(),
        vars: words.vars.clone(),
        laws,
        observes,
        ..LawModel::default()
    };
    (model, words)
}

/// The law model as the text of a `.ken` file.
pub(crate) fn as_file(model: &LawModel) -> String {
    let mut text = format!("agents {}\nprops {}\n", model.agents.join(", "), model.props.join(", "));
    let constants: Vec<String> = model
        .vars
        .iter()
        .flat_map(|v| &v.values)
        .filter(|v| matches!(v, Value::Sym(_)))
        .map(Value::to_string)
        .collect();
    let distinct: Vec<&String> = {
        let mut seen = HashSet::new();
        constants.iter().filter(|c| seen.insert(*c)).collect()
    };
    if !distinct.is_empty() {
        let list: Vec<&str> = distinct.iter().map(|c| c.as_str()).collect();
        text += &format!("enum colours = {}\n", list.join(", "));
    }
    for var in &model.vars {
        let values: Vec<String> = var.values.iter().map(Value::to_string).collect();
        text += &format!("vars {}: {{{}}}\n", var.name, values.join(", "));
    }
    for law in &model.laws {
        text += &format!("law {}\n", law.formula);
    }
    for (agent, observations) in model.agents.iter().zip(&model.observes) {
        let list: Vec<String> = observations
            .iter()
            .map(|o| match o {
                Observation::Formula(f) => f.to_string(),
                Observation::Term(t) => t.to_string(),
            })
            .collect();
        if !list.is_empty() {
            text += &format!("observe {agent} sees {}\n", list.join(", "));
        }
    }
    text
}
