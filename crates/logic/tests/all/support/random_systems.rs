//! Random systems as they are written, formulas about them, and what they mean by definition.
//!
//! [`ByHand`] lists a system with nothing but the definitions: all valuations, all joint actions, all ways to go on.
//! [`Judge`] says where a formula holds there. It leaves Act-CTL-K to [`Forgetful`], and puts a proposition of its own in
//! the place of everything else: comparisons, strategies, obligations, and runs where fairness leaves some out.

use super::by_hand::ByHand;
use super::forms::{Forms, formula_forms};
use super::generate::{Rng, names};
use super::systems::talk_forms;
use ken_logic::formula::{Along, ArithOp, Cmp, F, Formula, Group, Name, Path, Program, Term, Value};
use ken_logic::model::law::{Law, LawModel, Observation, Variable};
use ken_logic::model::system::{Actor, Allow, Evolution, Next, Precedence, Rule, System};
use ken_logic::syntax::Span;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// The most valuations of a system, reachable or not.
const VALUATIONS: usize = 400;

/// The most strategies of a group that are tried one by one.
const STRATEGIES: usize = 300;

// 1. Systems.

/// How carefully a system is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// Every rule stays in range, and somebody who can do nothing may end the run.
    Careful,
    /// Anything may happen.
    Careless,
}

struct Writer<'a> {
    rng: &'a mut Rng,
    words: Words,
    care: Care,
}

/// What formulas about a system may speak of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    agents: Vec<Name>,
    props: Vec<Name>,
    vars: Vec<Variable>,
    /// Who can do what.
    actors: Vec<(Name, Vec<Name>)>,
}

impl Words {
    pub(crate) fn of(system: &System) -> Words {
        let law = &system.vocabulary;
        Words {
            agents: law.agents.clone(),
            props: law.props.clone(),
            vars: law.vars.clone(),
            actors: system.actors.iter().map(|a| (a.name.clone(), a.actions.clone())).collect(),
        }
    }

    fn is_number(var: &Variable) -> bool {
        matches!(var.values[0], Value::Int(_))
    }

    fn numbers(&self) -> Vec<&Variable> {
        self.vars.iter().filter(|v| Words::is_number(v)).collect()
    }

    fn value(&self, rng: &mut Rng) -> Term {
        Term::Value(Value::Int(rng.below(6) as i64 - 1))
    }

    /// A number: a variable, a constant, or made of such.
    fn number(&self, rng: &mut Rng, depth: usize) -> Term {
        let numbers = self.numbers();
        if depth == 0 || rng.chance(30) {
            return if numbers.is_empty() || rng.chance(25) {
                self.value(rng)
            } else {
                Term::Var(rng.pick(&numbers).name.clone())
            };
        }
        if rng.chance(10) {
            return Term::Neg(Box::new(self.number(rng, depth - 1)));
        }
        let op = *rng.pick(&[ArithOp::Add, ArithOp::Add, ArithOp::Sub, ArithOp::Mul, ArithOp::Mod, ArithOp::Div]);
        Term::Bin(op, Box::new(self.number(rng, depth - 1)), Box::new(self.number(rng, depth - 1)))
    }

    /// A comparison that the language allows: constants have no order.
    fn comparison(&self, rng: &mut Rng) -> F {
        let constants: Vec<&Variable> = self.vars.iter().filter(|v| !Words::is_number(v)).collect();
        let cmp = *rng.pick(&[Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge]);
        Arc::new(if !constants.is_empty() && (self.numbers().is_empty() || rng.chance(50)) {
            let cmp = *rng.pick(&[Cmp::Eq, Cmp::Ne]);
            let (x, y) = (*rng.pick(&constants), *rng.pick(&constants));
            let other = if rng.chance(40) && x.name != y.name {
                Term::Var(y.name.clone())
            } else {
                Term::Value(rng.pick(&x.values).clone())
            };
            Formula::Compare(cmp, Term::Var(x.name.clone()), other)
        } else {
            let depth = rng.below(2);
            Formula::Compare(cmp, self.number(rng, depth), self.number(rng, 1))
        })
    }

    /// A formula about the present state; with `acts`, and about what is done now.
    fn fact(&self, rng: &mut Rng, depth: usize, acts: bool) -> F {
        if depth == 0 {
            let act = if acts { 4 } else { 0 };
            let compare = if self.vars.is_empty() { 0 } else { 5 };
            return match rng.weighted(&[6, compare, act, 1]) {
                0 => {
                    let atom = Formula::atom(rng.pick(&self.props).clone());
                    if rng.chance(30) { Formula::negation(atom) } else { atom }
                }
                1 => self.comparison(rng),
                2 => {
                    let (actor, actions) = rng.pick(&self.actors);
                    Formula::atom(format!("{actor}.{}", rng.pick(actions)))
                }
                _ => Arc::new(Formula::Const(rng.chance(50))),
            };
        }
        let below = depth - 1;
        let mut part = |rng: &mut Rng| self.fact(rng, below, acts);
        boolean(rng, &mut part)
    }
}

/// A connective over parts.
fn boolean(rng: &mut Rng, part: &mut dyn FnMut(&mut Rng) -> F) -> F {
    let mut parts = |rng: &mut Rng, least: usize| {
        let n = rng.between(least, 3);
        (0..n).map(|_| part(rng)).collect::<Vec<F>>()
    };
    Arc::new(match rng.below(7) {
        0 => Formula::Not(parts(rng, 3).remove(0)),
        1 => Formula::And(parts(rng, 2)),
        2 => Formula::Or(parts(rng, 2)),
        3 => {
            let two = parts(rng, 2);
            Formula::Imp(two[0].clone(), two[1].clone())
        }
        4 => {
            let two = parts(rng, 2);
            Formula::Iff(two[0].clone(), two[1].clone())
        }
        5 => Formula::Xor(parts(rng, 2)),
        _ => {
            let cmp = *rng.pick(&[Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge]);
            Formula::Count(cmp, rng.below(4) as u64, parts(rng, 2))
        }
    })
}

/// A system; one that is written carefully has an initial state.
pub(crate) fn random_system(rng: &mut Rng, care: Care) -> System {
    loop {
        let system = Writer { rng, words: Words::default(), care }.system();
        let law = &system.vocabulary;
        let valuations = law.vars.iter().fold(1 << law.props.len(), |n, v| n * v.values.len());
        let starts = || ByHand::initial(&system).len();
        if valuations <= VALUATIONS && (care == Care::Careless || (1..60).contains(&starts())) {
            return system;
        }
    }
}

impl Writer<'_> {
    fn system(&mut self) -> System {
        self.words.agents = names(&["a", "b", "c"][..self.rng.between(1, 3)]);
        self.words.props = names(&["p", "q", "r", "s"][..1 + self.rng.weighted(&[3, 4, 2, 1])]);
        for name in &["x", "y", "z"][..self.rng.weighted(&[2, 4, 4, 2])] {
            let values = self.domain();
            self.words.vars.push(Variable { name: (*name).into(), values });
        }
        let may_end = self.rng.chance(40);
        let actors = self.actors(may_end);
        let evolution = self.evolution();
        let observes = (0..self.words.agents.len()).map(|_| self.observations()).collect();
        let laws = self.laws().into_iter().map(|formula| Law { formula, span: Span::default() }).collect();
        let words = self.words.clone();
        let red = words.agents.iter().filter(|_| self.rng.chance(40)).cloned().collect::<Vec<_>>();
        let red = red.into_iter().map(|a| (a, words.fact(self.rng, 1, false))).collect();
        let fair = self.rng.weighted(&[6, 3, 2]);
        let fairness = (0..fair).map(|_| self.fairness()).collect();
        let vocabulary = LawModel {
            agents: words.agents.clone(),
            props: words.props.clone(),
            vars: words.vars.clone(),
            laws,
            observes,
            declaration: words.props.iter().chain(words.vars.iter().map(|v| &v.name)).cloned().collect(),
            ..LawModel::default()
        };
        System { vocabulary, actors, evolution, red, fairness, may_end, ..System::default() }
    }

    fn domain(&mut self) -> Vec<Value> {
        if !self.words.vars.is_empty() && self.rng.chance(30) {
            return self.rng.pick(&self.words.vars).values.clone();
        }
        if self.rng.chance(30) {
            let mut all = ["red", "green", "blue", "white", "black"].map(|s| Value::Sym(s.into())).to_vec();
            self.rng.shuffle(&mut all);
            all.truncate(*self.rng.pick(&[1, 2, 3, 3, 5]));
            return all;
        }
        if self.rng.chance(12) {
            return [0, 2, 5].map(Value::Int).to_vec();
        }
        let (low, size) = (self.rng.below(4) as i64 - 1, *self.rng.pick(&[1, 2, 3, 3, 4, 5, 5]));
        (low..low + size).map(Value::Int).collect()
    }

    fn actors(&mut self, may_end: bool) -> Vec<Actor> {
        let mut who = self.words.agents.clone();
        if who.len() > 1 && self.rng.chance(12) {
            // Somebody only looks.
            who.remove(self.rng.below(who.len()));
        }
        if self.rng.chance(45) {
            who.push("env".into());
        }
        let mut all = Vec::new();
        for name in who {
            let mut actions = names(&["go", "stay", "wait", "turn"]);
            self.rng.shuffle(&mut actions);
            actions.truncate(1 + self.rng.weighted(&[2, 4, 3]));
            let mut actor = Actor::free(name.clone(), actions.clone(), Span::default());
            self.words.actors.push((name, actions));
            if self.rng.chance(65) {
                let nothing = may_end || self.care == Care::Careless;
                for _ in 0..self.rng.between(1, 3) {
                    let depth = self.rng.below(2);
                    let guard = self.words.fact(self.rng, depth, false);
                    let actions = self.some_actions(actor.actions.len(), if nothing { 6 } else { 0 });
                    actor.protocol.push(Allow { guard, actions, span: Span::default() });
                }
                let none = match self.care {
                    Care::Careful if may_end => 60,
                    Care::Careless => 30,
                    Care::Careful => 0,
                };
                actor.otherwise = self.some_actions(actor.actions.len(), none);
            }
            all.push(actor);
        }
        all
    }

    fn some_actions(&mut self, count: usize, none: u64) -> Vec<usize> {
        if self.rng.chance(none) {
            return Vec::new();
        }
        let mut some: Vec<usize> = (0..count).filter(|_| self.rng.chance(55)).collect();
        if some.is_empty() {
            some.push(self.rng.below(count));
        }
        some
    }

    fn evolution(&mut self) -> Vec<Evolution> {
        let words = self.words.clone();
        let mut targets: Vec<Name> = words.props.iter().chain(words.vars.iter().map(|v| &v.name)).cloned().collect();
        self.rng.shuffle(&mut targets);
        targets.retain(|_| self.rng.chance(88));
        let mut groups = Vec::new();
        while !targets.is_empty() {
            let size = (1 + self.rng.weighted(&[5, 3, 2])).min(targets.len());
            let mine: Vec<Name> = targets.drain(..size).collect();
            let rules = (0..self.rng.between(1, 4)).map(|_| self.rule(&mine)).collect();
            let precedence = if self.rng.chance(55) { Precedence::First } else { Precedence::Any };
            groups.push(Evolution { rules, precedence });
        }
        groups
    }

    fn rule(&mut self, targets: &[Name]) -> Rule {
        let words = self.words.clone();
        let depth = self.rng.weighted(&[6, 4, 1]);
        let mut guard =
            if self.rng.chance(15) { vec![Formula::truth()] } else { vec![words.fact(self.rng, depth, true)] };
        let mut sets = Vec::new();
        if !self.rng.chance(7) {
            let must = self.rng.below(targets.len());
            for (i, name) in targets.iter().enumerate() {
                if i == must || self.rng.chance(50) {
                    let next = match words.vars.iter().find(|v| v.name == *name) {
                        None => self.next_truth(),
                        Some(var) => self.next_value(var, &mut guard),
                    };
                    sets.push((name.clone(), next));
                }
            }
        }
        Rule { guard: Formula::and(guard), sets, span: Span::default() }
    }

    fn next_truth(&mut self) -> Next {
        if self.rng.chance(15) {
            return Next::Either;
        }
        let depth = self.rng.below(2);
        Next::Formula(match self.rng.below(3) {
            0 => Arc::new(Formula::Const(self.rng.chance(50))),
            _ => self.words.fact(self.rng, depth, true),
        })
    }

    /// What becomes of a variable; the guard may have to see to it that it stays in range.
    fn next_value(&mut self, var: &Variable, guard: &mut Vec<F>) -> Next {
        let here = Term::Var(var.name.clone());
        if self.rng.chance(20) {
            let mut some: Vec<Value> = var.values.clone();
            self.rng.shuffle(&mut some);
            some.truncate(self.rng.between(1, some.len()));
            return Next::OneOf(some);
        }
        let fits = |other: &Variable| other.values.iter().all(|v| var.values.contains(v));
        let mut others = self.words.vars.clone();
        others.retain(|other| other.name != var.name && (self.care == Care::Careless || fits(other)));
        others.retain(|other| Words::is_number(other) == Words::is_number(var));
        if !others.is_empty() && self.rng.chance(40) {
            return Next::Term(Term::Var(self.rng.pick(&others).name.clone()));
        }
        let constant = Next::Term(Term::Value(self.rng.pick(&var.values).clone()));
        let (Value::Int(low), Value::Int(high)) = (&var.values[0], &var.values[var.values.len() - 1]) else {
            return constant;
        };
        let (low, high) = (*low, *high);
        let int = |n: i64| Box::new(Term::Value(Value::Int(n)));
        if self.rng.chance(20) || (high - low + 1 != var.values.len() as i64 && self.care == Care::Careful) {
            return constant;
        }
        let step = |op: ArithOp| Term::Bin(op, Box::new(here.clone()), int(1));
        let careful = self.care == Care::Careful || self.rng.chance(70);
        Next::Term(match self.rng.below(3) {
            0 => {
                if careful {
                    guard.push(Arc::new(Formula::Compare(Cmp::Lt, here.clone(), *int(high))));
                }
                step(ArithOp::Add)
            }
            1 => {
                if careful {
                    guard.push(Arc::new(Formula::Compare(Cmp::Gt, here.clone(), *int(low))));
                }
                step(ArithOp::Sub)
            }
            _ => {
                // No division by what may be nothing.
                let op = *self.rng.pick(&[ArithOp::Add, ArithOp::Sub, ArithOp::Mul]);
                let other = self.words.number(self.rng, 0);
                let sum = Term::Bin(op, Box::new(here.clone()), Box::new(other));
                let rest = Term::Bin(ArithOp::Mod, Box::new(sum), int(high - low + 1));
                if low == 0 { rest } else { Term::Bin(ArithOp::Add, Box::new(rest), int(low)) }
            }
        })
    }

    fn observations(&mut self) -> Vec<Observation> {
        let words = self.words.clone();
        let count = self.rng.weighted(&[1, 3, 3, 2]);
        (0..count)
            .map(|_| {
                let (variable, term) =
                    if words.vars.is_empty() { (0, 0) } else { (4, 3 * u32::from(!words.numbers().is_empty())) };
                match self.rng.weighted(&[4, variable, 3, term]) {
                    0 => Observation::Formula(Formula::atom(self.rng.pick(&words.props).clone())),
                    1 => Observation::Term(Term::Var(self.rng.pick(&words.vars).name.clone())),
                    2 => {
                        let depth = self.rng.below(2);
                        Observation::Formula(words.fact(self.rng, depth, false))
                    }
                    _ => {
                        let numbers = words.numbers();
                        let x = Box::new(Term::Var(self.rng.pick(&numbers).name.clone()));
                        let y = Box::new(Term::Var(self.rng.pick(&numbers).name.clone()));
                        let two = Box::new(Term::Value(Value::Int(2)));
                        Observation::Term(match self.rng.below(4) {
                            0 => Term::Bin(ArithOp::Mod, x, two),
                            1 => Term::Bin(ArithOp::Mod, x, y),
                            2 => Term::Bin(ArithOp::Add, x, y),
                            _ => words.number(self.rng, 2),
                        })
                    }
                }
            })
            .collect()
    }

    fn laws(&mut self) -> Vec<F> {
        let words = self.words.clone();
        let mut laws = Vec::new();
        for prop in &words.props {
            if self.rng.chance(60) {
                let atom = Formula::atom(prop.clone());
                laws.push(if self.rng.chance(60) { Formula::negation(atom) } else { atom });
            }
        }
        for var in &words.vars {
            if self.rng.chance(60) {
                let value = Term::Value(self.rng.pick(&var.values).clone());
                laws.push(Arc::new(Formula::Compare(Cmp::Eq, Term::Var(var.name.clone()), value)));
            }
        }
        let numbers = words.numbers();
        if numbers.len() > 1 && self.rng.chance(70) {
            let cmp = *self.rng.pick(&[Cmp::Eq, Cmp::Ne, Cmp::Le]);
            let two = [0, 1].map(|i| Term::Var(numbers[i].name.clone()));
            let [x, y] = two;
            laws.push(Arc::new(Formula::Compare(cmp, x, y)));
        }
        if self.rng.chance(25) {
            laws.push(words.fact(self.rng, 1, false));
        }
        laws
    }

    fn fairness(&mut self) -> F {
        let depth = self.rng.below(2);
        let fact = self.words.fact(self.rng, depth, false);
        if self.rng.chance(20) {
            let agent = self.rng.pick(&self.words.agents).clone();
            return Arc::new(match self.rng.below(3) {
                0 => Formula::KnowsWhether(agent, fact),
                1 => Formula::Knows(agent, fact),
                _ => Formula::Possible(agent, fact),
            });
        }
        fact
    }
}

/// Adds what a system is made of.
pub(crate) fn written_forms(system: &System, forms: &mut Forms) {
    let law = &system.vocabulary;
    for var in &law.vars {
        forms.insert(if Words::is_number(var) { "(range)" } else { "(enumeration)" });
        match var.values.len() {
            1 => _ = forms.insert("(domain of 1)"),
            3 | 5 => _ = forms.insert("(domain of 3 or 5)"),
            _ => {}
        }
    }
    if law.vars.is_empty() {
        forms.insert("(no variable)");
    }
    for seen in law.observes.iter().flatten() {
        forms.insert(match seen {
            Observation::Formula(f) if matches!(**f, Formula::Atom(_)) => "(sees an element)",
            Observation::Term(Term::Var(_)) => "(sees an element)",
            Observation::Formula(_) => "(sees a formula)",
            Observation::Term(_) => "(sees a term)",
        });
    }
    if law.laws.iter().any(|l| matches!(&*l.formula, Formula::Compare(_, Term::Var(_), Term::Var(_)))) {
        forms.insert("(initial: x compared with y)");
    }
    let mut seen: BTreeSet<&Name> = BTreeSet::new();
    for actor in &system.actors {
        if actor.actions.len() == 1 {
            forms.insert("(one action only)");
        }
        if !actor.actions.iter().all(|x| seen.insert(x)) {
            forms.insert("(an action of several)");
        }
        forms.insert(match (actor.protocol.is_empty(), actor.otherwise.is_empty()) {
            (true, _) => "(no protocol)",
            (false, false) => "(protocol, otherwise)",
            (false, true) => "(protocol, no otherwise)",
        });
        if !law.agents.contains(&actor.name) {
            forms.insert("(environment)");
        }
    }
    if law.agents.iter().any(|a| system.actors.iter().all(|actor| actor.name != *a)) {
        forms.insert("(an agent without actions)");
    }
    forms.insert(if system.may_end { "(may end)" } else { "(must go on)" });
    for group in &system.evolution {
        if group.rules.len() > 1 {
            forms.insert(match group.precedence {
                Precedence::First => "(first rule)",
                Precedence::Any => "(any rule)",
            });
        }
        for rule in &group.rules {
            let acts = |f: &F| f.any(&mut |g| matches!(g, Formula::Atom(name) if name.contains('.')));
            if acts(&rule.guard) {
                forms.insert("(guard with actions)");
            }
            if rule.sets.len() > 1 {
                forms.insert("(several targets)");
            }
            if rule.sets.is_empty() {
                forms.insert("(rule without change)");
            }
            for (_, next) in &rule.sets {
                forms.insert(match next {
                    Next::Term(Term::Value(_)) => "(:= constant)",
                    Next::Term(Term::Var(_)) => "(:= variable)",
                    Next::Term(_) => "(:= arithmetic)",
                    Next::Formula(f) if matches!(**f, Formula::Const(_)) => "(:= constant)",
                    Next::Formula(f) if acts(f) => "(:= formula with actions)",
                    Next::Formula(_) => "(:= formula)",
                    Next::OneOf(_) => "(one of several)",
                    Next::Either => "(in bool)",
                });
            }
        }
    }
    if !system.red.is_empty() {
        forms.insert("(red)");
    }
    match system.fairness.len() {
        0 => {}
        1 => _ = forms.insert("(fair: one condition)"),
        _ => _ = forms.insert("(fair: two conditions)"),
    }
    if system.fairness.iter().any(|f| !f.is_objective()) {
        forms.insert("(fair: knowledge)");
    }
}

/// The system as text, for accounts of failures.
pub(crate) fn shown(system: &System) -> String {
    let law = &system.vocabulary;
    let mut text = String::new();
    let list = |all: &[Name]| all.join(", ");
    let ends = if system.may_end { ", may end" } else { "" };
    _ = writeln!(text, "agents {}; props {}{ends}", list(&law.agents), list(&law.props));
    for var in &law.vars {
        let values: Vec<String> = var.values.iter().map(|v| v.to_string()).collect();
        _ = writeln!(text, "var {}: {{{}}}", var.name, values.join(", "));
    }
    for (agent, seen) in law.agents.iter().zip(&law.observes) {
        for observation in seen {
            _ = match observation {
                Observation::Formula(f) => writeln!(text, "observe {agent} sees {f}"),
                Observation::Term(t) => writeln!(text, "observe {agent} sees {t}"),
            };
        }
    }
    for law in &law.laws {
        _ = writeln!(text, "initial {}", law.formula);
    }
    for actor in &system.actors {
        let called = |xs: &[usize]| xs.iter().map(|&x| &*actor.actions[x]).collect::<Vec<_>>().join(", ");
        _ = writeln!(text, "actions {}: {}", actor.name, list(&actor.actions));
        for line in &actor.protocol {
            _ = writeln!(text, "protocol {}: {{{}}} if {}", actor.name, called(&line.actions), line.guard);
        }
        _ = writeln!(text, "protocol {}: {{{}}} otherwise", actor.name, called(&actor.otherwise));
    }
    for group in &system.evolution {
        _ = writeln!(text, "group, {:?}:", group.precedence);
        for rule in &group.rules {
            let sets = rule.sets.iter().map(|(name, next)| match next {
                Next::Term(t) => format!("{name} := {t}"),
                Next::Formula(f) => format!("{name} := {f}"),
                Next::OneOf(values) => {
                    let values: Vec<String> = values.iter().map(|v| v.to_string()).collect();
                    format!("{name} in {{{}}}", values.join(", "))
                }
                Next::Either => format!("{name} in bool"),
            });
            _ = writeln!(text, "  next {} if {}", sets.collect::<Vec<_>>().join(", "), rule.guard);
        }
    }
    for (agent, f) in &system.red {
        _ = writeln!(text, "red {agent}: {f}");
    }
    for f in &system.fairness {
        _ = writeln!(text, "fair {f}");
    }
    text
}

/// Systems with a little less in them.
pub(crate) fn smaller(system: &System) -> Vec<System> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut System)| {
        let mut less = system.clone();
        change(&mut less);
        all.push(less);
    };
    for g in 0..system.evolution.len() {
        with(&|s| _ = s.evolution.remove(g));
        for r in 0..system.evolution[g].rules.len() {
            with(&|s| _ = s.evolution[g].rules.remove(r));
            let rule = &system.evolution[g].rules[r];
            for i in 0..rule.sets.len() {
                with(&|s| _ = s.evolution[g].rules[r].sets.remove(i));
                if let Next::Formula(f) = &rule.sets[i].1 {
                    for part in f.children() {
                        with(&|s| s.evolution[g].rules[r].sets[i].1 = Next::Formula(part.clone()));
                    }
                }
            }
            if *rule.guard != Formula::Const(true) {
                with(&|s| s.evolution[g].rules[r].guard = Formula::truth());
            }
            for part in rule.guard.children() {
                with(&|s| s.evolution[g].rules[r].guard = part.clone());
            }
        }
    }
    for a in 0..system.actors.len() {
        if system.actors.len() > 1 {
            with(&|s| _ = s.actors.remove(a));
        }
        let actor = &system.actors[a];
        for line in 0..actor.protocol.len() {
            with(&|s| _ = s.actors[a].protocol.remove(line));
            for part in actor.protocol[line].guard.children() {
                with(&|s| s.actors[a].protocol[line].guard = part.clone());
            }
        }
        if actor.otherwise.len() < actor.actions.len() && actor.protocol.is_empty() {
            with(&|s| s.actors[a].otherwise = (0..s.actors[a].actions.len()).collect());
        }
        if actor.actions.len() > 1 && actor.protocol.is_empty() {
            with(&|s| {
                _ = s.actors[a].actions.pop();
                s.actors[a].otherwise = (0..s.actors[a].actions.len()).collect();
            });
        }
    }
    for (a, seen) in system.vocabulary.observes.iter().enumerate() {
        for i in 0..seen.len() {
            with(&|s| _ = s.vocabulary.observes[a].remove(i));
        }
    }
    for i in 0..system.vocabulary.laws.len() {
        with(&|s| _ = s.vocabulary.laws.remove(i));
    }
    for i in 0..system.red.len() {
        with(&|s| _ = s.red.remove(i));
    }
    for i in 0..system.fairness.len() {
        with(&|s| _ = s.fairness.remove(i));
        for part in system.fairness[i].children() {
            with(&|s| s.fairness[i] = part.clone());
        }
    }
    // What nothing speaks of any more.
    let text = shown(system);
    let spoken = |name: &str| {
        let lines = text.lines().filter(|l| !l.starts_with("agents") && !l.starts_with("var "));
        lines.flat_map(|l| l.split(|c: char| !c.is_alphanumeric())).any(|word| word == name)
    };
    for i in 0..system.vocabulary.vars.len() {
        if !spoken(&system.vocabulary.vars[i].name) {
            with(&|s| _ = s.vocabulary.vars.remove(i));
        }
        if system.vocabulary.vars[i].values.len() > 1 {
            with(&|s| _ = s.vocabulary.vars[i].values.pop());
        }
    }
    for i in 0..system.vocabulary.props.len() {
        if !spoken(&system.vocabulary.props[i]) {
            with(&|s| _ = s.vocabulary.props.remove(i));
        }
    }
    all
}

// 2. Formulas.

/// A source of random formulas about a system.
pub(crate) struct Speaker<'a> {
    pub(crate) rng: &'a mut Rng,
    pub(crate) words: &'a Words,
    /// Common knowledge too.
    pub(crate) common: bool,
    /// Strategies too.
    pub(crate) strategies: bool,
    /// Obligations too.
    pub(crate) obligations: bool,
}

impl Speaker<'_> {
    /// A formula with at most `depth` operators other than those of facts inside one another.
    pub(crate) fn formula(&mut self, depth: usize) -> F {
        if depth == 0 {
            let facts = usize::from(self.rng.chance(20));
            return self.words.fact(self.rng, facts, false);
        }
        let below = depth - 1;
        let (strategies, obligations) = (3 * u32::from(self.strategies), u32::from(self.obligations));
        match self.rng.weighted(&[4, 5, 8, strategies, obligations]) {
            0 => {
                let words = self.words;
                let (common, strategies, obligations) = (self.common, self.strategies, self.obligations);
                let mut part = |rng: &mut Rng| Speaker { rng, words, common, strategies, obligations }.formula(below);
                boolean(self.rng, &mut part)
            }
            1 => self.knowledge(below),
            2 => {
                let path = *self.rng.pick(&[Path::All, Path::Some]);
                let program = if self.rng.chance(25) { Program::Any } else { self.program(2, below) };
                Arc::new(match self.rng.below(4) {
                    0 => Formula::Until(path, program, self.formula(below), self.formula(below)),
                    1 => Formula::Path(path, Along::Next, program, self.formula(below)),
                    2 => Formula::Path(path, Along::Always, program, self.formula(below)),
                    _ => Formula::Path(path, Along::Eventually, program, self.formula(below)),
                })
            }
            3 => {
                let group = self.actors();
                Arc::new(match self.rng.below(4) {
                    0 => Formula::EnsureUntil(group, self.formula(below), self.formula(below)),
                    1 => Formula::Ensure(group, Along::Next, self.formula(below)),
                    2 => Formula::Ensure(group, Along::Always, self.formula(below)),
                    _ => Formula::Ensure(group, Along::Eventually, self.formula(below)),
                })
            }
            _ => Arc::new(Formula::Ought(self.rng.pick(&self.words.agents).clone(), self.formula(below))),
        }
    }

    fn knowledge(&mut self, below: usize) -> F {
        let inner = self.formula(below);
        let agent = self.rng.pick(&self.words.agents).clone();
        let common = 2 * u32::from(self.common);
        Arc::new(match self.rng.weighted(&[3, 2, 2, 2, 2, common]) {
            0 => Formula::Knows(agent, inner),
            1 => Formula::Possible(agent, inner),
            2 => Formula::KnowsWhether(agent, inner),
            3 => Formula::Everyone(self.group(), inner),
            4 => Formula::Distributed(self.group(), inner),
            _ => Formula::Common(self.group(), inner),
        })
    }

    fn group(&mut self) -> Group {
        if self.rng.chance(25) {
            return Group::All;
        }
        let mut all = self.words.agents.clone();
        self.rng.shuffle(&mut all);
        let least = all.len().min(if self.rng.chance(80) { 2 } else { 1 });
        all.truncate(self.rng.between(least, all.len()));
        Group::Of(all)
    }

    /// Somebody who acts together: agents, sometimes an environment too.
    fn actors(&mut self) -> Group {
        if self.rng.chance(15) {
            return Group::All;
        }
        let mut all = self.words.agents.clone();
        if self.rng.chance(20) && self.words.actors.iter().any(|(name, _)| &**name == "env") {
            all.push("env".into());
        }
        self.rng.shuffle(&mut all);
        all.truncate(self.rng.between(1, all.len()));
        Group::Of(all)
    }

    fn program(&mut self, depth: usize, below: usize) -> Program {
        let deeper = u32::from(depth > 0);
        match self.rng.weighted(&[5, 3 * deeper, 2 * deeper, 2 * deeper, 2 * deeper]) {
            0 => {
                let (actor, actions) = self.rng.pick(&self.words.actors).clone();
                let action = self.rng.pick(&actions).clone();
                Program::Action(if self.rng.chance(50) { format!("{actor}.{action}").into() } else { action })
            }
            1 => {
                let test = Program::Test(if self.rng.chance(50) {
                    self.knowledge(below.min(1))
                } else {
                    self.formula(below.min(1))
                });
                if self.rng.chance(10) { test } else { Program::Seq(vec![test, self.program(depth - 1, below)]) }
            }
            2 => Program::Seq(vec![self.program(depth - 1, below), self.program(depth - 1, below)]),
            3 => Program::Choice(vec![self.program(depth - 1, below), self.program(depth - 1, below)]),
            _ => Program::Star(Box::new(self.program(depth - 1, below))),
        }
    }
}

/// Adds what a formula about a written system is made of.
pub(crate) fn spoken_forms(f: &Formula, forms: &mut Forms) {
    talk_forms(f, forms);
    let mut plain = Forms::new();
    formula_forms(f, 0, &mut plain);
    let ours = ["comparison", "arithmetic", "xor", "exactly, atleast, atmost", "->", "<->", "true, false"];
    forms.extend(plain.into_iter().filter(|form| ours.contains(form)));
    f.any(&mut |g| {
        match g {
            Formula::Ensure(_, Along::Next, _) => _ = forms.insert("<<>>X"),
            Formula::Ensure(_, Along::Always, _) => _ = forms.insert("<<>>G"),
            Formula::Ensure(_, Along::Eventually, _) => _ = forms.insert("<<>>F"),
            Formula::EnsureUntil(..) => _ = forms.insert("<<>>U"),
            Formula::Ought(..) => _ = forms.insert("O"),
            Formula::Path(_, _, program, _) | Formula::Until(_, program, ..) => named_forms(program, forms),
            _ => {}
        }
        if let Formula::Ensure(group, ..) | Formula::EnsureUntil(group, ..) = g
            && matches!(group, Group::Of(names) if names.iter().any(|n| &**n == "env"))
        {
            forms.insert("<<env>>");
        }
        false
    });
}

fn named_forms(program: &Program, forms: &mut Forms) {
    match program {
        Program::Action(name) => _ = forms.insert(if name.contains('.') { "actor.action" } else { "action" }),
        Program::Seq(parts) | Program::Choice(parts) => parts.iter().for_each(|p| named_forms(p, forms)),
        Program::Star(inner) => named_forms(inner, forms),
        Program::Any | Program::Test(_) => {}
    }
}
