//! Trees to formulas: names resolved, quantifiers and macros expanded. This file has values, sets and agents.

mod actions;
mod formulas;

use super::ast::*;
use super::diagnostic::{Code, Diagnostic, Span, nearest};
use super::scope::{AgentName, Scope};
use crate::formula::{ArithOp, F, Formula, Group, Name, Value};
use num_bigint::BigInt;
use std::collections::HashSet;

/// How many elements quantifiers, lists and repetitions of one file may expand to.
const MAX_EXPANSION: usize = 4_000_000;

/// How deep a formula may be after repetitions and definitions are written out.
const MAX_DEPTH: usize = 12_000;

/// How many bits a number in a file may have.
const MAX_BITS: u64 = 100_000;

/// What a local name stands for.
#[derive(Clone, Debug)]
enum Binding {
    Int(BigInt),
    Sym(Name),
    Formula(F),
}

/// A value known when the file is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Known {
    Int(BigInt),
    Sym(Name),
}

impl Known {
    pub(crate) fn text(&self) -> String {
        match self {
            Known::Int(n) => n.to_string(),
            Known::Sym(s) => s.to_string(),
        }
    }
}

/// Turns trees into formulas: resolves names, expands quantifiers and macros, collects problems.
pub(crate) struct Resolver<'s> {
    pub(crate) scope: &'s Scope,
    pub(crate) problems: Vec<Diagnostic>,
    locals: Vec<(String, Binding)>,
    /// Macros being expanded, innermost last.
    active: Vec<String>,
    budget: usize,
    /// Reading what happens in a step: names of actions are atoms.
    pub(crate) in_step: bool,
    /// Repetitions written out so far.
    repeated: usize,
    /// What a formula about a game says in the game's own words, with the places.
    pub(crate) own_words: Vec<(OwnWord, Span)>,
}

/// Something that a formula about a game says in the game's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnWord {
    /// A fact: `holds(2,plum)`.
    Fact(Name),
    /// A move: `suggest plum rope hall`.
    Move(Name),
}

/// Indices bound at some place, to be bound again elsewhere.
#[derive(Clone, Default)]
pub(crate) struct Locals(Vec<(String, Binding)>);

/// Already reported.
pub(crate) struct Reported;

pub(crate) type Resolved<T> = Result<T, Reported>;

impl<'s> Resolver<'s> {
    pub(crate) fn new(scope: &'s Scope) -> Resolver<'s> {
        Resolver {
            scope,
            problems: Vec::new(),
            locals: Vec::new(),
            active: Vec::new(),
            budget: MAX_EXPANSION,
            in_step: false,
            repeated: 0,
            own_words: Vec::new(),
        }
    }

    /// A fact that was not declared, in a scope where that is allowed.
    fn undeclared(&mut self, name: impl Into<Name>, span: Span) -> F {
        let name = name.into();
        if self.scope.facts.is_some() {
            self.own_words.push((OwnWord::Fact(name.clone()), span));
        }
        Formula::atom(name)
    }

    fn fail<T>(&mut self, problem: Diagnostic) -> Resolved<T> {
        if self.problems.iter().all(|p| p.span != problem.span || p.code != problem.code) {
            self.problems.push(problem);
        }
        Err(Reported)
    }

    fn spend(&mut self, amount: usize, span: Span) -> Resolved<()> {
        if self.budget < amount {
            self.budget = 0;
            return self.fail(
                Diagnostic::new(Code::Large, span, format!("this expands to more than {MAX_EXPANSION} parts"))
                    .label("too large here")
                    .help("choose smaller parameters"),
            );
        }
        self.budget -= amount;
        Ok(())
    }

    /// The indices that are bound now.
    pub(crate) fn bindings(&self) -> Locals {
        Locals(self.locals.clone())
    }

    /// Runs `body` with these indices bound.
    pub(crate) fn with_bindings<T>(
        &mut self,
        locals: Locals,
        body: impl FnOnce(&mut Self) -> Resolved<T>,
    ) -> Resolved<T> {
        let depth = self.locals.len();
        self.locals.extend(locals.0);
        let result = body(self);
        self.locals.truncate(depth);
        result
    }

    fn local(&self, name: &str) -> Option<&Binding> {
        self.locals.iter().rev().find(|(n, _)| n == name).map(|(_, b)| b)
    }

    fn agent_named(&self, name: &str) -> Option<&'s AgentName> {
        self.scope.agents.iter().find(|a| &*a.name == name)
    }

    fn indexed(&mut self, base: &str, args: &[Expr]) -> Resolved<Name> {
        let mut parts = Vec::with_capacity(args.len());
        for arg in args {
            parts.push(self.known(arg)?.text());
        }
        Ok(format!("{base}({})", parts.join(",")).into())
    }

    // Values known when the file is read.

    pub(crate) fn known(&mut self, expr: &Expr) -> Resolved<Known> {
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(found) = self.try_known(expr) {
                    return Ok(found);
                }
                if self.scope.free {
                    return Ok(Known::Sym(name.as_str().into()));
                }
                let what = if self.scope.vars.contains_key(name.as_str()) {
                    "a variable; its value differs from world to world"
                } else if self.scope.props.contains(name.as_str()) {
                    "a proposition"
                } else {
                    return self.unknown(name, expr.span, "no parameter, constant or agent has this name");
                };
                self.fail(
                    Diagnostic::new(Code::Type, expr.span, format!("`{name}` cannot be used as an index")).label(what),
                )
            }
            ExprKind::Call(base, args) => {
                let name = self.indexed(&base.text, args)?;
                if self.scope.free || self.agent_named(&name).is_some() {
                    return Ok(Known::Sym(name));
                }
                self.fail(
                    Diagnostic::new(Code::Type, expr.span, format!("`{name}` is not a value"))
                        .label("a number, constant or agent belongs here"),
                )
            }
            ExprKind::Int(_) | ExprKind::Neg(_) | ExprKind::Arith(..) | ExprKind::Power(..) => {
                Ok(Known::Int(self.number(expr)?))
            }
            _ => self.fail(
                Diagnostic::new(Code::Type, expr.span, "expected a number, a constant or an agent")
                    .label("this is a formula"),
            ),
        }
    }

    /// A bare name's value, if it has one.
    fn try_known(&self, expr: &Expr) -> Option<Known> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        match self.local(name) {
            Some(Binding::Int(n)) => return Some(Known::Int(n.clone())),
            Some(Binding::Sym(s)) => return Some(Known::Sym(s.clone())),
            Some(Binding::Formula(_)) => return None,
            None => {}
        }
        if let Some(n) = self.scope.params.get(name) {
            return Some(Known::Int(n.clone()));
        }
        let declared = self.scope.constants.contains(name) || self.agent_named(name).is_some();
        declared.then(|| Known::Sym(name.as_str().into()))
    }

    /// The value of a bound variable, as text.
    pub(crate) fn bound_value(&self, expr: &Expr) -> Option<String> {
        let ExprKind::Name(name) = &expr.kind else { return None };
        match self.local(name)? {
            Binding::Int(n) => Some(n.to_string()),
            Binding::Sym(s) => Some(s.to_string()),
            Binding::Formula(_) => None,
        }
    }

    /// Refuses a name that would be read as an operator.
    pub(crate) fn reserved<T>(&mut self, name: &str, span: Span) -> Resolved<T> {
        let message = format!("`{name}(..)` is an operator");
        self.fail(Diagnostic::new(Code::Reserved, span, message).label("cannot be a name with indices"))
    }

    pub(crate) fn number(&mut self, expr: &Expr) -> Resolved<BigInt> {
        let too_large = |span| {
            Diagnostic::new(Code::Number, span, "this number is too large")
                .label(format!("numbers have at most {MAX_BITS} bits"))
        };
        match &expr.kind {
            ExprKind::Int(digits) => {
                if digits.len() > 30_000 {
                    return self.fail(too_large(expr.span));
                }
                digits.parse().or_else(|_| self.fail(too_large(expr.span)))
            }
            ExprKind::Neg(inner) => Ok(-self.number(inner)?),
            ExprKind::Arith(op, a, b) => {
                let (x, y) = (self.number(a)?, self.number(b)?);
                if matches!(op, ArithOp::Div | ArithOp::Mod) && y == BigInt::ZERO {
                    return self.fail(Diagnostic::new(Code::Number, b.span, "division by zero").label("this is 0"));
                }
                if x.bits() + y.bits() > MAX_BITS {
                    return self.fail(too_large(expr.span));
                }
                Ok(match op {
                    ArithOp::Add => x + y,
                    ArithOp::Sub => x - y,
                    ArithOp::Mul => x * y,
                    ArithOp::Div | ArithOp::Mod => {
                        let size = BigInt::from(y.magnitude().clone());
                        let remainder = ((&x % &size) + &size) % &size;
                        if *op == ArithOp::Mod { remainder } else { (x - remainder) / y }
                    }
                })
            }
            ExprKind::Power(a, b) => {
                let (x, y) = (self.number(a)?, self.number(b)?);
                let power = u32::try_from(&y).ok().filter(|k| x.bits().saturating_mul(u64::from(*k)) <= MAX_BITS);
                match power {
                    Some(k) => Ok(x.pow(k)),
                    None if y < BigInt::ZERO => self.fail(
                        Diagnostic::new(Code::Number, b.span, "a negative exponent").label(format!("this is {y}")),
                    ),
                    None => self.fail(too_large(expr.span)),
                }
            }
            ExprKind::Name(_) | ExprKind::Call(..) => match self.known(expr)? {
                Known::Int(n) => Ok(n),
                Known::Sym(s) => self.fail(
                    Diagnostic::new(Code::Type, expr.span, format!("`{s}` is not a number"))
                        .label("a number belongs here"),
                ),
            },
            _ => self.fail(Diagnostic::new(Code::Type, expr.span, "expected a number").label("this is a formula")),
        }
    }

    pub(crate) fn small(&mut self, expr: &Expr) -> Resolved<i64> {
        let n = self.number(expr)?;
        match i64::try_from(&n) {
            Ok(n) if n.unsigned_abs() < 1 << 48 => Ok(n),
            _ => self
                .fail(Diagnostic::new(Code::Number, expr.span, "this number is too large here").label("at most 2^48")),
        }
    }

    fn unknown<T>(&mut self, name: &str, span: Span, label: &str) -> Resolved<T> {
        let scope = self.scope;
        let mut names: Vec<&str> = Vec::new();
        names.extend(self.locals.iter().map(|(n, _)| n.as_str()));
        names.extend(scope.params.keys().map(String::as_str));
        names.extend(scope.constants.iter().map(String::as_str));
        names.extend(scope.lets.keys().map(String::as_str));
        names.extend(scope.prop_bases.iter().map(String::as_str));
        names.extend(scope.vars.keys().map(|n| &**n));
        if self.in_step {
            names.extend(scope.steps.keys().map(|n| &**n));
        }
        names.sort_unstable();
        let near = nearest(name, names).map(str::to_string);
        let mut problem = Diagnostic::new(Code::UnknownName, span, format!("unknown name `{name}`")).label(label);
        if let Some(near) = near {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        self.fail(problem)
    }

    /// A whole formula, refused if it is too deep when written out.
    pub(crate) fn whole_formula(&mut self, expr: &Expr) -> Resolved<F> {
        let before = self.problems.len();
        let formula = self.formula(expr);
        if self.problems.len() > before {
            return Err(Reported);
        }
        self.not_too_deep(&formula, expr.span)?;
        Ok(formula)
    }

    pub(crate) fn not_too_deep(&mut self, formula: &F, span: Span) -> Resolved<()> {
        if formula.depth() <= MAX_DEPTH { Ok(()) } else { self.too_deep(span) }
    }

    /// Counts repetitions that are about to be written out.
    pub(crate) fn repeat(&mut self, times: usize, span: Span) -> Resolved<()> {
        self.repeated = self.repeated.saturating_add(times);
        if self.repeated <= MAX_DEPTH { Ok(()) } else { self.too_deep(span) }
    }

    fn too_deep<T>(&mut self, span: Span) -> Resolved<T> {
        self.fail(
            Diagnostic::new(Code::Large, span, "this is too deep when written out")
                .label(format!("at most {MAX_DEPTH} levels"))
                .help("repeat less often"),
        )
    }

    // Sets and bindings.

    pub(crate) fn elements(&mut self, set: &Set) -> Resolved<Vec<Known>> {
        match &set.kind {
            SetKind::Range(low, high) => {
                let (low, high) = (self.small(low)?, self.small(high)?);
                let length = usize::try_from(high.saturating_sub(low).saturating_add(1)).unwrap_or(0);
                self.spend(length, set.span)?;
                Ok((low..=high).map(|n| Known::Int(n.into())).collect())
            }
            SetKind::List(items) => {
                let mut all = Vec::new();
                for item in items {
                    self.each(&item.binders, &mut |r| {
                        let value = r.known(&item.expr)?;
                        all.push(value);
                        Ok(())
                    })?;
                }
                Ok(all)
            }
            SetKind::Named(name) if name == "agents" => {
                Ok(self.scope.agents.iter().map(|a| Known::Sym(a.name.clone())).collect())
            }
            SetKind::Named(name) => match self.scope.enums.get(name) {
                Some(values) => Ok(values
                    .iter()
                    .map(|v| match v {
                        Value::Int(n) => Known::Int((*n).into()),
                        Value::Sym(s) => Known::Sym(s.clone()),
                    })
                    .collect()),
                None => {
                    let mut problem = Diagnostic::new(Code::UnknownName, set.span, format!("unknown set `{name}`"))
                        .label("neither an `enum` nor `agents`");
                    let known = self.scope.enums.keys().map(String::as_str).chain(["agents"]);
                    if let Some(near) = nearest(name, known) {
                        problem = problem.help(format!("did you mean `{near}`?"));
                    }
                    self.fail(problem)
                }
            },
            SetKind::Error => Err(Reported),
        }
    }

    /// Runs `body` once for every binding that satisfies the condition.
    pub(crate) fn each(&mut self, binders: &Binders, body: &mut dyn FnMut(&mut Self) -> Resolved<()>) -> Resolved<()> {
        self.each_from(binders, 0, body)
    }

    fn each_from(
        &mut self,
        binders: &Binders,
        at: usize,
        body: &mut dyn FnMut(&mut Self) -> Resolved<()>,
    ) -> Resolved<()> {
        let Some((name, set)) = binders.vars.get(at) else {
            if let Some(condition) = &binders.condition
                && !self.condition(condition)?
            {
                return Ok(());
            }
            return body(self);
        };
        for value in self.elements(set)? {
            self.spend(1, set.span)?;
            let binding = match value {
                Known::Int(n) => Binding::Int(n),
                Known::Sym(s) => Binding::Sym(s),
            };
            self.locals.push((name.text.clone(), binding));
            let result = self.each_from(binders, at + 1, body);
            self.locals.pop();
            result?;
        }
        Ok(())
    }

    /// The truth of a condition that must be known when the file is read.
    fn condition(&mut self, expr: &Expr) -> Resolved<bool> {
        let before = self.problems.len();
        let formula = self.formula(expr);
        if self.problems.len() > before {
            return Err(Reported);
        }
        match formulas::constant(&formula) {
            Some(value) => Ok(value),
            None => self.fail(
                Diagnostic::new(Code::Type, expr.span, "this condition depends on the world")
                    .label("only parameters and indices may occur here"),
            ),
        }
    }

    // Agents.

    pub(crate) fn agent(&mut self, expr: &Expr) -> Resolved<Name> {
        let name: Name = match &expr.kind {
            ExprKind::Int(digits) => digits.as_str().into(),
            ExprKind::Name(name) => match self.local(name) {
                Some(Binding::Int(n)) => n.to_string().into(),
                Some(Binding::Sym(s)) => s.clone(),
                Some(Binding::Formula(_)) | None => match self.scope.params.get(name) {
                    Some(n) if self.agent_named(name).is_none() => n.to_string().into(),
                    _ => name.as_str().into(),
                },
            },
            ExprKind::Call(base, args) => self.indexed(&base.text, args)?,
            ExprKind::Error => return Err(Reported),
            _ => {
                return self
                    .fail(Diagnostic::new(Code::Syntax, expr.span, "expected an agent").label("not an agent's name"));
            }
        };
        if self.agent_named(&name).is_some() {
            return Ok(name);
        }
        if self.scope.environments.contains(&name) {
            return self.fail(
                Diagnostic::new(Code::UnknownAgent, expr.span, format!("`{name}` is an environment, not an agent"))
                    .label("it acts, but it sees and knows nothing")
                    .help("declare it in `agents` if it should"),
            );
        }
        let declared = self.scope.agents.iter().map(|a| &*a.name);
        let problem = Diagnostic::new(Code::UnknownAgent, expr.span, format!("unknown agent `{name}`"))
            .label("not declared in `agents`");
        let list: Vec<&str> = declared.clone().take(8).collect();
        let help = match nearest(&name, declared) {
            Some(near) => format!("did you mean `{near}`?"),
            None if list.is_empty() => "the model has no agents".to_string(),
            None => format!("the agents are {}{}", list.join(", "), if list.len() == 8 { ", …" } else { "" }),
        };
        self.fail(problem.help(help))
    }

    pub(crate) fn group(&mut self, group: &GroupExpr) -> Resolved<Group> {
        match &group.kind {
            GroupKind::All => Ok(Group::All),
            GroupKind::Of(items) => {
                let mut agents: Vec<Name> = Vec::new();
                for item in items {
                    self.each(&item.binders, &mut |r| {
                        let agent = r.agent(&item.expr)?;
                        if !agents.contains(&agent) {
                            agents.push(agent);
                        }
                        Ok(())
                    })?;
                }
                if agents.is_empty() {
                    return self.fail(
                        Diagnostic::new(Code::UnknownAgent, group.span, "an empty group").label("no agent in it"),
                    );
                }
                Ok(Group::Of(agents))
            }
        }
    }

    pub(crate) fn members(&self, group: &Group) -> HashSet<Name> {
        match group {
            Group::All => self.scope.agents.iter().map(|a| a.name.clone()).collect(),
            Group::Of(agents) => agents.iter().cloned().collect(),
        }
    }

    /// Runs `body` for every declared agent that the pattern matches, its free indices bound.
    pub(crate) fn each_agent(
        &mut self,
        group: &GroupExpr,
        body: &mut dyn FnMut(&mut Self, &Name) -> Resolved<()>,
    ) -> Resolved<()> {
        let agents = self.scope.agents.clone();
        let GroupKind::Of(items) = &group.kind else {
            for agent in &agents {
                body(self, &agent.name)?;
            }
            return Ok(());
        };
        for item in items {
            self.each(&item.binders, &mut |r| r.each_match(&item.expr, &agents, body))?;
        }
        Ok(())
    }

    fn each_match(
        &mut self,
        pattern: &Expr,
        agents: &[AgentName],
        body: &mut dyn FnMut(&mut Self, &Name) -> Resolved<()>,
    ) -> Resolved<()> {
        let ExprKind::Call(base, args) = &pattern.kind else {
            let agent = self.agent(pattern)?;
            return body(self, &agent);
        };
        let mut found = false;
        for agent in agents.iter().filter(|a| a.base == base.text && a.indices.len() == args.len()) {
            let depth = self.locals.len();
            let mut matches = true;
            for (arg, index) in args.iter().zip(&agent.indices) {
                let free = match &arg.kind {
                    ExprKind::Name(name) => self.local(name).is_none() && self.try_known(arg).is_none(),
                    _ => false,
                };
                if let (true, ExprKind::Name(name)) = (free, &arg.kind) {
                    let binding = match index {
                        Value::Int(n) => Binding::Int((*n).into()),
                        Value::Sym(s) => Binding::Sym(s.clone()),
                    };
                    self.locals.push((name.clone(), binding));
                } else {
                    matches &= self.known(arg)?.text() == index.to_string();
                }
            }
            let result = if matches {
                found = true;
                body(self, &agent.name)
            } else {
                Ok(())
            };
            self.locals.truncate(depth);
            result?;
        }
        if found { Ok(()) } else { self.agent(pattern).map(|_| ()) }
    }
}
