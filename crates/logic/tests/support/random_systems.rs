//! Random systems as they are written, formulas about them, and what they mean by definition.
//!
//! [`ByHand`] lists a system with nothing but the definitions: all valuations, all joint actions, all ways to go on.
//! [`Judge`] says where a formula holds there. It leaves Act-CTL-K to [`Forgetful`], and puts a proposition of its own in
//! the place of everything else: comparisons, strategies, obligations, and runs where fairness leaves some out.

use super::forms::{Forms, formula_forms};
use super::generate::{Rng, names};
use super::systems::talk_forms;
use super::traces::{Act, Forgetful, Plain, State};
use ken_logic::formula::{Along, ArithOp, Cmp, F, Formula, Group, Name, Path, Program, Term, Value};
use ken_logic::model::law::{Facts, Law, LawModel, Observation, Variable};
use ken_logic::model::system::{Actor, Allow, Evolution, Next, Precedence, Rule, System};
use ken_logic::syntax::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
            return Arc::new(match self.rng.below(2) {
                0 => Formula::KnowsWhether(agent, fact),
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

// 3. What is so by definition.

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
fn lookup<'a>(system: &'a System, state: &'a Valuation) -> impl Fn(&str) -> Option<Value> + 'a {
    let law = &system.vocabulary;
    move |name: &str| {
        let at = law.vars.iter().position(|v| &*v.name == name)?;
        Some(state[law.props.len() + at].clone())
    }
}

/// Whether a fact holds in a state, and in a step from it.
fn is_so(system: &System, f: &Formula, state: &Valuation, acts: Option<&[usize]>) -> bool {
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
fn product<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        let longer =
            |one: &Vec<T>| list.iter().map(|x| [one.as_slice(), std::slice::from_ref(x)].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect()
    })
}

impl ByHand {
    fn initial(system: &System) -> Vec<Valuation> {
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
}

type Set = Vec<bool>;

impl Judge<'_> {
    pub(crate) fn new<'a>(system: &'a System, graph: &'a ByHand) -> Judge<'a> {
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
        Judge { system, graph, plain, named: HashMap::new(), tried: (false, false) }
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
        let fair = !self.system.fairness.is_empty();
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
                let holds = self.graph.states.iter().zip(&g).all(|(s, g)| *g || !green(s));
                Some(vec![holds; self.size()])
            }
            Formula::Path(path, along, program, g) if fair => {
                let runs = self.fair_runs(program);
                let g = self.set(g);
                let all = vec![true; g.len()];
                Some(match (path, along) {
                    (Path::Some, Along::Next) => runs.next(&g),
                    (Path::All, Along::Next) => not(&runs.next(&not(&g))),
                    (Path::Some, Along::Eventually) => runs.until(&all, &g),
                    (Path::All, Along::Always) => not(&runs.until(&all, &not(&g))),
                    (Path::Some, Along::Always) => runs.always(&g),
                    (Path::All, Along::Eventually) => not(&runs.always(&not(&g))),
                })
            }
            Formula::Until(path, program, g, h) if fair => {
                let runs = self.fair_runs(program);
                let (g, h) = (self.set(g), self.set(h));
                Some(match path {
                    Path::Some => runs.until(&g, &h),
                    Path::All => {
                        let neither: Set = (0..g.len()).map(|s| !g[s] && !h[s]).collect();
                        let (never, fails) = (runs.always(&not(&h)), runs.until(&not(&h), &neither));
                        (0..g.len()).map(|s| !never[s] && !fails[s]).collect()
                    }
                })
            }
            _ => None,
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
        let conditions = self.system.fairness.clone().iter().map(|f| self.set(f)).collect();
        FairRuns { after, conditions }
    }

    /// Where executions of the program lead.
    fn after(&mut self, program: &Program) -> Vec<BTreeSet<usize>> {
        let size = self.size();
        match program {
            Program::Any => self.graph.steps.iter().map(|here| here.iter().map(|(_, t)| *t).collect()).collect(),
            Program::Action(name) => {
                let called = |acts: &[usize]| ByHand::called(self.system, acts).contains(name);
                let there = |here: &BTreeSet<(Vec<usize>, usize)>| {
                    here.iter().filter(|(acts, _)| called(acts)).map(|(_, t)| *t).collect()
                };
                self.graph.steps.iter().map(there).collect()
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

fn not(set: &[bool]) -> Set {
    set.iter().map(|b| !b).collect()
}

/// The points to which paths through `good` lead, the start included.
fn reached(after: &[BTreeSet<usize>], start: usize, good: &[bool]) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(s) = open.pop() {
        if good[s] {
            open.extend(after[s].iter().copied().filter(|&t| found.insert(t)));
        }
    }
    found
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

/// The maximal runs of a relation that end, or on which each condition holds again and again.
struct FairRuns {
    after: Vec<BTreeSet<usize>>,
    conditions: Vec<Set>,
}

impl FairRuns {
    /// Where a fair run begins that stays in `good`: it ends, or goes round in a component with all conditions.
    fn always(&self, good: &[bool]) -> Set {
        let size = good.len();
        let within: Vec<BTreeSet<usize>> =
            (0..size).map(|s| reached(&self.after, s, good).into_iter().filter(|&t| good[t]).collect()).collect();
        let lasting = |s: usize| {
            if !good[s] {
                return false;
            }
            if self.after[s].is_empty() {
                return true;
            }
            // The strongly connected component of s, if it has a cycle.
            let component: Vec<usize> =
                within[s].iter().copied().filter(|&t| good[t] && within[t].contains(&s)).collect();
            let cycle = component.len() > 1 || self.after[s].contains(&s);
            cycle && self.conditions.iter().all(|c| component.iter().any(|&t| c[t]))
        };
        let lasting: Set = (0..size).map(lasting).collect();
        (0..size).map(|s| good[s] && within[s].iter().any(|&t| lasting[t])).collect()
    }

    fn fair(&self) -> Set {
        self.always(&vec![true; self.after.len()])
    }

    /// Where a fair run comes next to a point of the set.
    fn next(&self, set: &[bool]) -> Set {
        let fair = self.fair();
        self.after.iter().map(|here| here.iter().any(|&t| set[t] && fair[t])).collect()
    }

    /// Where a fair run goes through `good` to `goal`.
    fn until(&self, good: &[bool], goal: &[bool]) -> Set {
        let fair = self.fair();
        (0..good.len()).map(|s| reached(&self.after, s, good).iter().any(|&t| goal[t] && fair[t])).collect()
    }
}
