//! Declared names, and formulas resolved against them.

use super::ast::*;
use super::diagnostic::{Code, Diagnostic, Span, nearest};
use super::parser::Parser;
use crate::formula::{
    Action, ActionModel, ArithOp, Change, Cmp, EventPoint, F, Formula, Group, Name, Names, Program, Sight, Term, Value,
};
use num_bigint::BigInt;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// How many elements quantifiers, lists and repetitions of one file may expand to.
const MAX_EXPANSION: usize = 4_000_000;

/// How many bits a number in a file may have.
const MAX_BITS: u64 = 100_000;

/// An agent as declared: `child(2)`.
#[derive(Clone, Debug)]
pub(crate) struct AgentName {
    pub(crate) name: Name,
    pub(crate) base: String,
    pub(crate) indices: Vec<Value>,
}

#[derive(Clone, Debug)]
pub(crate) struct LetDef {
    pub(crate) params: Vec<String>,
    pub(crate) body: Expr,
}

#[derive(Clone, Debug)]
pub(crate) struct ActionDef {
    pub(crate) params: Vec<String>,
    pub(crate) body: ActionBody,
}

/// The names that formulas of a file may use.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Whether undeclared propositions are allowed (and false): explicit JSON models declare nothing.
    pub(crate) free: bool,
    pub(crate) belief: bool,
    pub(crate) params: HashMap<String, BigInt>,
    pub(crate) enums: HashMap<String, Vec<Value>>,
    pub(crate) constants: HashSet<String>,
    pub(crate) agents: Vec<AgentName>,
    pub(crate) props: HashSet<Name>,
    pub(crate) prop_bases: HashSet<String>,
    pub(crate) vars: HashMap<Name, Vec<Value>>,
    pub(crate) lets: HashMap<String, LetDef>,
    pub(crate) actions: HashMap<String, ActionDef>,
    /// Definitions already resolved: a name stands for one shared formula wherever it is used.
    resolved: Arc<Mutex<Definitions>>,
}

#[derive(Debug, Default)]
struct Definitions {
    formulas: HashMap<(String, Vec<Known>), F>,
    models: HashMap<(String, Vec<Known>), Action>,
}

impl Scope {
    /// A scope for models that declare only their agents.
    pub fn free(agents: &[Name]) -> Scope {
        let mut scope = Scope { free: true, ..Scope::default() };
        for name in agents {
            scope.agents.push(AgentName { name: name.clone(), base: name.to_string(), indices: Vec::new() });
        }
        scope
    }

    /// A scope with agents and propositions and nothing else.
    pub fn declared(agents: &[Name], props: &[Name]) -> Scope {
        let mut scope = Scope::free(agents);
        scope.free = false;
        scope.props = props.iter().cloned().collect();
        scope.prop_bases = props.iter().map(|p| p.to_string()).collect();
        scope
    }

    /// Allows arbitrary relations in action models.
    pub fn with_belief(mut self, belief: bool) -> Scope {
        self.belief = belief;
        self
    }

    fn definitions(&self) -> std::sync::MutexGuard<'_, Definitions> {
        self.resolved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names given with `let` that have been used so far, for printing formulas with them.
    pub fn names(&self) -> Names {
        Names::new(self.definitions().formulas.iter().map(|((name, args), f)| {
            let args: Vec<String> = args.iter().map(Known::text).collect();
            let name = if args.is_empty() { name.clone() } else { format!("{name}({})", args.join(",")) };
            (f.clone(), name.into())
        }))
    }

    /// Reads a formula; on failure, every problem found in it.
    pub fn formula(&self, text: &str) -> Result<F, Vec<Diagnostic>> {
        let mut parser = Parser::new(text);
        let tree = parser.formula();
        parser.end();
        if !parser.problems.is_empty() {
            return Err(parser.problems);
        }
        let mut resolver = Resolver::new(self);
        let formula = resolver.formula(&tree);
        if resolver.problems.is_empty() { Ok(formula) } else { Err(resolver.problems) }
    }
}

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
    fn text(&self) -> String {
        match self {
            Known::Int(n) => n.to_string(),
            Known::Sym(s) => s.to_string(),
        }
    }
}

/// Where an action stands, for the rules of the action language.
#[derive(Clone)]
struct ActionPlace {
    /// The group of the enclosing `L`, if any.
    inside: Option<HashSet<Name>>,
    /// Directly an alternative of a choice.
    alternative: bool,
}

/// Turns trees into formulas: resolves names, expands quantifiers and macros, collects problems.
pub(crate) struct Resolver<'s> {
    pub(crate) scope: &'s Scope,
    pub(crate) problems: Vec<Diagnostic>,
    locals: Vec<(String, Binding)>,
    /// Macros being expanded, innermost last.
    active: Vec<String>,
    budget: usize,
}

/// Already reported.
pub(crate) struct Reported;

type Resolved<T> = Result<T, Reported>;

impl<'s> Resolver<'s> {
    pub(crate) fn new(scope: &'s Scope) -> Resolver<'s> {
        Resolver {
            scope,
            problems: Vec::new(),
            locals: Vec::new(),
            active: Vec::new(),
            budget: MAX_EXPANSION,
        }
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
        names.sort_unstable();
        let near = nearest(name, names).map(str::to_string);
        let mut problem = Diagnostic::new(Code::UnknownName, span, format!("unknown name `{name}`")).label(label);
        if let Some(near) = near {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        self.fail(problem)
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
        match constant(&formula) {
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

    // Formulas.

    /// The formula of a tree; where something is wrong, a problem is recorded and `true` stands in.
    pub(crate) fn formula(&mut self, expr: &Expr) -> F {
        self.try_formula(expr).unwrap_or_else(|Reported| Formula::truth())
    }

    fn try_formula(&mut self, expr: &Expr) -> Resolved<F> {
        self.spend(1, expr.span)?;
        Ok(match &expr.kind {
            ExprKind::Bool(b) => Arc::new(Formula::Const(*b)),
            ExprKind::Name(name) => return self.named(name, expr),
            ExprKind::Call(base, args) => return self.called(base, args, expr.span),
            ExprKind::Not(f) => Arc::new(Formula::Not(self.formula(f))),
            ExprKind::And(parts) => Arc::new(Formula::And(parts.iter().map(|p| self.formula(p)).collect())),
            ExprKind::Or(parts) => Arc::new(Formula::Or(parts.iter().map(|p| self.formula(p)).collect())),
            ExprKind::Imp(a, b) => Arc::new(Formula::Imp(self.formula(a), self.formula(b))),
            ExprKind::Iff(a, b) => Arc::new(Formula::Iff(self.formula(a), self.formula(b))),
            ExprKind::Compare(cmp, a, b) => return self.compare(*cmp, a, b),
            ExprKind::In(term, set) => {
                let mut alternatives = Vec::new();
                for element in self.elements(set)? {
                    let value = self.value(element, set.span)?;
                    let left = self.term(term)?;
                    alternatives.push(self.comparison(Cmp::Eq, left, Term::Value(value), expr.span)?);
                }
                Formula::or(alternatives)
            }
            ExprKind::Count(counting, items) => {
                let number = match counting {
                    Counting::Xor => None,
                    Counting::OneOf => Some((Cmp::Eq, 1)),
                    Counting::Number(cmp, number) => {
                        let n = self.small(number)?;
                        if n < 0 {
                            return self.fail(
                                Diagnostic::new(Code::Number, number.span, "a negative number of formulas")
                                    .label(format!("this is {n}")),
                            );
                        }
                        Some((*cmp, n as u64))
                    }
                };
                let parts = self.list(items)?;
                match number {
                    None => Arc::new(Formula::Xor(parts)),
                    Some((cmp, n)) => Arc::new(Formula::Count(cmp, n, parts)),
                }
            }
            ExprKind::Quantified { all, binders, body } => {
                let mut parts = Vec::new();
                self.each(binders, &mut |r| {
                    parts.push(r.try_formula(body)?);
                    Ok(())
                })?;
                if *all { Formula::and(parts) } else { Formula::or(parts) }
            }
            ExprKind::Modal(modal, group, body) => {
                let group = self.group(group);
                let body = self.formula(body);
                let group = group?;
                let one = match &group {
                    Group::Of(agents) => agents.first().cloned(),
                    Group::All => None,
                };
                Arc::new(match (modal, one) {
                    (Modal::K, Some(agent)) => Formula::Knows(agent, body),
                    (Modal::S, Some(agent)) => Formula::Possible(agent, body),
                    (Modal::Kw, Some(agent)) => Formula::KnowsWhether(agent, body),
                    (Modal::K | Modal::S | Modal::Kw, None) => return Err(Reported),
                    (Modal::E, _) => Formula::Everyone(group, body),
                    (Modal::C, _) => Formula::Common(group, body),
                    (Modal::D, _) => Formula::Distributed(group, body),
                })
            }
            ExprKind::Dynamic { diamond, action, times, body } => {
                let action = self.top_action(action);
                let times = match times {
                    None => 1,
                    Some(times) => {
                        let n = self.small(times)?;
                        if n < 0 {
                            return self.fail(
                                Diagnostic::new(Code::Number, times.span, "a negative number of repetitions")
                                    .label(format!("this is {n}")),
                            );
                        }
                        if n > 10_000 {
                            return self.fail(
                                Diagnostic::new(Code::Large, times.span, "more than 10000 repetitions")
                                    .label(format!("this is {n}")),
                            );
                        }
                        n
                    }
                };
                let mut formula = self.formula(body);
                let action = Arc::new(action?);
                for _ in 0..times {
                    formula = Arc::new(if *diamond {
                        Formula::Can(action.clone(), formula)
                    } else {
                        Formula::After(action.clone(), formula)
                    });
                }
                formula
            }
            ExprKind::Path(path, along, program, body) => {
                let program = self.program_or_any(program.as_ref());
                let body = self.formula(body);
                Arc::new(Formula::Path(*path, *along, program?, body))
            }
            ExprKind::Until(path, program, left, right) => {
                let program = self.program_or_any(program.as_ref());
                let (left, right) = (self.formula(left), self.formula(right));
                Arc::new(Formula::Until(*path, program?, left, right))
            }
            ExprKind::Int(_) | ExprKind::Neg(_) | ExprKind::Arith(..) | ExprKind::Power(..) => {
                return self.fail(
                    Diagnostic::new(Code::Type, expr.span, "expected a formula")
                        .label("this is a number")
                        .help("compare it: `x + y = 7`"),
                );
            }
            ExprKind::Error => return Err(Reported),
        })
    }

    /// The formulas of a list with `for`.
    pub(crate) fn list(&mut self, items: &[Item]) -> Resolved<Vec<F>> {
        let mut parts = Vec::new();
        for item in items {
            self.each(&item.binders, &mut |r| {
                parts.push(r.try_formula(&item.expr)?);
                Ok(())
            })?;
        }
        Ok(parts)
    }

    fn named(&mut self, name: &str, expr: &Expr) -> Resolved<F> {
        match self.local(name) {
            Some(Binding::Formula(f)) => return Ok(f.clone()),
            Some(_) => {
                return self.fail(
                    Diagnostic::new(Code::Type, expr.span, format!("`{name}` is an index, not a formula"))
                        .label("a formula belongs here"),
                );
            }
            None => {}
        }
        if self.scope.props.contains(name) {
            return Ok(Formula::atom(name));
        }
        if self.scope.lets.contains_key(name) {
            return self.expand(name, &[], expr.span);
        }
        if self.scope.free {
            return Ok(Formula::atom(name));
        }
        if self.scope.vars.contains_key(name) {
            return self.fail(
                Diagnostic::new(Code::Type, expr.span, format!("`{name}` is a variable, not a formula"))
                    .label("a formula belongs here")
                    .help(format!("compare it: `{name} = ...`")),
            );
        }
        if self.scope.prop_bases.contains(name) {
            return self.fail(
                Diagnostic::new(Code::Index, expr.span, format!("`{name}` needs its indices"))
                    .label(self.example(name)),
            );
        }
        self.unknown(name, expr.span, "not declared as a proposition or with `let`")
    }

    /// "declared as `muddy(1)`, …", for messages.
    fn example(&self, base: &str) -> String {
        let start = format!("{base}(");
        let mut all: Vec<&str> = self.scope.props.iter().map(|p| &**p).filter(|p| p.starts_with(&start)).collect();
        all.sort_unstable_by_key(|p| (p.len(), p.to_string()));
        match all.as_slice() {
            [] => "declared without indices".to_string(),
            [one] => format!("declared as `{one}`"),
            [first, .., last] => format!("declared from `{first}` to `{last}`"),
        }
    }

    fn called(&mut self, base: &Ident, args: &[Expr], span: Span) -> Resolved<F> {
        if self.scope.lets.contains_key(&base.text) {
            return self.expand(&base.text, args, span);
        }
        let known = self.scope.prop_bases.contains(&base.text);
        if !known && !self.scope.free {
            return self.unknown(&base.text, base.span, "not declared as a proposition or with `let`");
        }
        let name = self.indexed(&base.text, args)?;
        if self.scope.free || self.scope.props.contains(&name) {
            return Ok(Formula::atom(name));
        }
        self.fail(Diagnostic::new(Code::Index, span, format!("there is no `{name}`")).label(self.example(&base.text)))
    }

    fn bind_arguments(
        &mut self,
        name: &str,
        params: &[String],
        args: &[Expr],
        span: Span,
    ) -> Resolved<Vec<(String, Binding)>> {
        if params.len() != args.len() {
            return self.fail(
                Diagnostic::new(
                    Code::Index,
                    span,
                    format!("`{name}` takes {} argument{}", params.len(), if params.len() == 1 { "" } else { "s" }),
                )
                .label(format!("{} given", args.len())),
            );
        }
        let mut bound = Vec::with_capacity(args.len());
        for (param, arg) in params.iter().zip(args) {
            let binding = match &arg.kind {
                ExprKind::Int(_) | ExprKind::Neg(_) | ExprKind::Arith(..) | ExprKind::Power(..) => {
                    Binding::Int(self.number(arg)?)
                }
                ExprKind::Name(_) => match self.try_known(arg) {
                    Some(Known::Int(n)) => Binding::Int(n),
                    Some(Known::Sym(s)) => Binding::Sym(s),
                    None => Binding::Formula(self.try_formula(arg)?),
                },
                ExprKind::Call(base, inner) => {
                    let agent = self.scope.agents.iter().any(|a| a.base == base.text);
                    if agent && !self.scope.prop_bases.contains(&base.text) {
                        let name = self.indexed(&base.text, inner)?;
                        Binding::Sym(self.agent(&Expr { kind: ExprKind::Name(name.to_string()), span: arg.span })?)
                    } else {
                        Binding::Formula(self.try_formula(arg)?)
                    }
                }
                _ => Binding::Formula(self.try_formula(arg)?),
            };
            bound.push((param.clone(), binding));
        }
        Ok(bound)
    }

    /// Runs `body` with only these locals, as macros see none of their caller's.
    fn with_locals<T>(
        &mut self,
        name: &str,
        locals: Vec<(String, Binding)>,
        span: Span,
        body: impl FnOnce(&mut Self) -> Resolved<T>,
    ) -> Resolved<T> {
        if self.active.iter().any(|a| a == name) {
            let chain = self.active.join(" → ");
            return self.fail(
                Diagnostic::new(Code::Cycle, span, format!("`{name}` is defined by itself"))
                    .label(format!("{chain} → {name}")),
            );
        }
        self.active.push(name.to_string());
        let outer = std::mem::replace(&mut self.locals, locals);
        let result = body(self);
        self.locals = outer;
        self.active.pop();
        result
    }

    fn expand(&mut self, name: &str, args: &[Expr], span: Span) -> Resolved<F> {
        let Some(definition) = self.scope.lets.get(name) else { return Err(Reported) };
        let bound = self.bind_arguments(name, &definition.params, args, span)?;
        let key = known_key(name, &bound);
        if let Some(found) = key.as_ref().and_then(|k| self.scope.definitions().formulas.get(k).cloned()) {
            return Ok(found);
        }
        let before = self.problems.len();
        let formula = self.with_locals(name, bound, span, |r| r.try_formula(&definition.body))?;
        if self.problems.len() > before {
            return Err(Reported);
        }
        if let Some(key) = key {
            self.scope.definitions().formulas.insert(key, formula.clone());
        }
        Ok(formula)
    }

    // Terms and comparisons.

    fn compare(&mut self, cmp: Cmp, a: &Expr, b: &Expr) -> Resolved<F> {
        let (left, right) = (self.term(a)?, self.term(b)?);
        self.comparison(cmp, left, right, a.span.to(b.span))
    }

    fn comparison(&mut self, cmp: Cmp, left: Term, right: Term, span: Span) -> Resolved<F> {
        let ordered = !matches!(cmp, Cmp::Eq | Cmp::Ne);
        let (lk, rk) = (self.is_number(&left), self.is_number(&right));
        if let (Some(lk), Some(rk)) = (lk, rk)
            && (lk != rk || (ordered && !lk))
        {
            return self.fail(Diagnostic::new(Code::Type, span, "these cannot be compared").label(if lk == rk {
                "constants have no order"
            } else {
                "a number with a constant"
            }));
        }
        if let (Term::Value(x), Term::Value(y)) = (&left, &right) {
            return Ok(Arc::new(Formula::Const(cmp.admits(x.cmp(y)))));
        }
        Ok(Arc::new(Formula::Compare(cmp, left, right)))
    }

    /// Whether the term is a number (`Some(false)`: a constant); `None` if that is not known.
    fn is_number(&self, term: &Term) -> Option<bool> {
        match term {
            Term::Value(Value::Int(_)) | Term::Neg(_) | Term::Bin(..) => Some(true),
            Term::Value(Value::Sym(_)) => Some(false),
            Term::Var(name) => self.scope.vars.get(name)?.first().map(|v| matches!(v, Value::Int(_))),
        }
    }

    fn value(&mut self, known: Known, span: Span) -> Resolved<Value> {
        match known {
            Known::Sym(s) => Ok(Value::Sym(s)),
            Known::Int(n) => match i64::try_from(&n) {
                Ok(n) => Ok(Value::Int(n)),
                Err(_) => self
                    .fail(Diagnostic::new(Code::Number, span, "this number is too large here").label("at most 2^63")),
            },
        }
    }

    pub(crate) fn term(&mut self, expr: &Expr) -> Resolved<Term> {
        match &expr.kind {
            ExprKind::Name(name) if self.local(name).is_none() && self.scope.vars.contains_key(name.as_str()) => {
                Ok(Term::Var(name.as_str().into()))
            }
            ExprKind::Call(base, args) => {
                let name = self.indexed(&base.text, args)?;
                if self.scope.vars.contains_key(&name) || (self.scope.free && self.agent_named(&name).is_none()) {
                    return Ok(Term::Var(name));
                }
                let known = self.known(expr)?;
                Ok(Term::Value(self.value(known, expr.span)?))
            }
            ExprKind::Name(name) => match self.try_known(expr) {
                None if self.scope.free => Ok(Term::Var(name.as_str().into())),
                Some(known) => Ok(Term::Value(self.value(known, expr.span)?)),
                None if self.scope.props.contains(name.as_str()) => self.fail(
                    Diagnostic::new(Code::Type, expr.span, format!("`{name}` is a proposition, not a number"))
                        .label("a variable or number belongs here")
                        .help("use `<->` between formulas"),
                ),
                None => self.unknown(name, expr.span, "no variable, parameter or constant has this name"),
            },
            ExprKind::Int(_) | ExprKind::Power(..) => {
                let n = self.number(expr)?;
                Ok(Term::Value(self.value(Known::Int(n), expr.span)?))
            }
            ExprKind::Neg(inner) => Ok(match self.numeric(inner)? {
                Term::Value(Value::Int(n)) => Term::Value(Value::Int(-n)),
                t => Term::Neg(Box::new(t)),
            }),
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.numeric(a)?, self.numeric(b)?);
                if let (Term::Value(Value::Int(x)), Term::Value(Value::Int(y))) = (&a, &b) {
                    return match op.apply(*x, *y) {
                        Some(n) => Ok(Term::Value(Value::Int(n))),
                        None => self.fail(
                            Diagnostic::new(Code::Number, expr.span, "this number is out of range")
                                .label("overflow, or division by zero"),
                        ),
                    };
                }
                Ok(Term::Bin(*op, Box::new(a), Box::new(b)))
            }
            ExprKind::Error => Err(Reported),
            _ => self.fail(
                Diagnostic::new(Code::Type, expr.span, "expected a number or a variable").label("this is a formula"),
            ),
        }
    }

    fn numeric(&mut self, expr: &Expr) -> Resolved<Term> {
        let term = self.term(expr)?;
        if self.is_number(&term) == Some(false) {
            return self
                .fail(Diagnostic::new(Code::Type, expr.span, "constants have no arithmetic").label("not a number"));
        }
        Ok(term)
    }

    /// An observation or a new value: a term if it can be one, else a formula.
    pub(crate) fn formula_or_term(&mut self, expr: &Expr) -> Resolved<Result<F, Term>> {
        let is_term = match &expr.kind {
            ExprKind::Int(_) | ExprKind::Neg(_) | ExprKind::Arith(..) | ExprKind::Power(..) => true,
            ExprKind::Name(name) => {
                self.local(name).is_none() && self.scope.vars.contains_key(name.as_str())
                    || self.try_known(expr).is_some()
            }
            ExprKind::Call(base, args) => {
                let candidate = !self.scope.lets.contains_key(&base.text)
                    && !self.scope.prop_bases.contains(&base.text)
                    && self.scope.vars.keys().any(|v| v.starts_with(&format!("{}(", base.text)));
                if candidate {
                    let name = self.indexed(&base.text, args)?;
                    if !self.scope.vars.contains_key(&name) {
                        return self.fail(
                            Diagnostic::new(Code::Index, expr.span, format!("there is no `{name}`"))
                                .label("not declared with these indices"),
                        );
                    }
                }
                candidate
            }
            _ => false,
        };
        Ok(if is_term { Err(self.term(expr)?) } else { Ok(self.try_formula(expr)?) })
    }

    // Actions.

    fn top_action(&mut self, action: &ActionExpr) -> Resolved<Action> {
        self.action(action, &ActionPlace { inside: None, alternative: false })
    }

    fn broken_rule<T>(&mut self, span: Span, message: &str, label: &str) -> Resolved<T> {
        self.fail(Diagnostic::new(Code::Action, span, message).label(label))
    }

    fn action(&mut self, action: &ActionExpr, place: &ActionPlace) -> Resolved<Action> {
        self.spend(1, action.span)?;
        let within = ActionPlace { inside: place.inside.clone(), alternative: false };
        Ok(match &action.kind {
            ActionKind::Test(f) => Action::Test(self.formula(f)),
            ActionKind::Announce { whether, formula } => {
                let formula = self.formula(formula);
                if let Some(enclosing) = &place.inside
                    && enclosing.len() < self.scope.agents.len()
                {
                    return self.broken_rule(action.span, "`announce` speaks to all agents", "inside an `L` of fewer");
                }
                if *whether {
                    let learn = |f| Action::Learn(Group::All, Box::new(Action::Test(f)));
                    let choice = Action::Choice(vec![learn(formula.clone()), learn(Formula::not(formula))]);
                    Action::Learn(Group::All, Box::new(choice))
                } else {
                    Action::Announce(formula)
                }
            }
            ActionKind::Seq(parts) => {
                let parts: Vec<_> = parts.iter().map(|p| self.action(p, &within)).collect();
                Action::Seq(parts.into_iter().collect::<Resolved<_>>()?)
            }
            ActionKind::Choice(parts) => {
                self.one_mark(parts)?;
                let each = ActionPlace { inside: place.inside.clone(), alternative: true };
                let parts: Vec<_> = parts.iter().map(|p| self.action(p, &each)).collect();
                Action::Choice(parts.into_iter().collect::<Resolved<_>>()?)
            }
            ActionKind::ChoiceOver(binders, body) => {
                let mut parts = Vec::new();
                self.each(binders, &mut |r| {
                    parts.push(r.action(body, &within)?);
                    Ok(())
                })?;
                if parts.is_empty() { Action::Test(Formula::falsity()) } else { Action::Choice(parts) }
            }
            ActionKind::Both(a, b) => {
                if place.inside.is_some() {
                    return self.broken_rule(action.span, "`&&` stands outside `L` only", "inside an `L` here");
                }
                let (a, b) = (self.action(a, &within), self.action(b, &within));
                Action::Both(Box::new(a?), Box::new(b?))
            }
            ActionKind::Local(inner) => {
                if place.inside.is_none() {
                    return self.broken_rule(action.span, "`!` stands inside `L` only", "outside any `L` here");
                }
                if !place.alternative {
                    return self.broken_rule(
                        action.span,
                        "`!` marks an alternative of a choice",
                        "not an alternative here",
                    );
                }
                Action::Local(Box::new(self.action(inner, &within)?))
            }
            ActionKind::Learn(group_expr, inner) => {
                let group = self.group(group_expr)?;
                let members = self.members(&group);
                match &place.inside {
                    None if members.len() < self.scope.agents.len() => {
                        return self.fail(
                            Diagnostic::new(Code::Action, group_expr.span, "the outermost `L` names all agents")
                                .label("some agents are missing")
                                .help("write `L[all] (...)` around it, and say there what the others confuse it with"),
                        );
                    }
                    Some(enclosing) if !members.is_subset(enclosing) => {
                        return self.broken_rule(
                            group_expr.span,
                            "an inner group is part of the enclosing one",
                            "has agents that the enclosing `L` has not",
                        );
                    }
                    _ => {}
                }
                let place = ActionPlace { inside: Some(members), alternative: false };
                Action::Learn(group, Box::new(self.action(inner, &place)?))
            }
            ActionKind::Star(_) => {
                return self.broken_rule(action.span, "`*` belongs to programs", "not a knowledge action");
            }
            ActionKind::Named(name, args) => return self.named_action(name, args, action.span, place),
            ActionKind::Error => return Err(Reported),
        })
    }

    /// At most one alternative of a choice, nested choices included, is marked.
    fn one_mark(&mut self, parts: &[ActionExpr]) -> Resolved<()> {
        fn marks(parts: &[ActionExpr], found: &mut Vec<Span>) {
            for part in parts {
                match &part.kind {
                    ActionKind::Local(_) => found.push(part.span),
                    ActionKind::Choice(inner) => marks(inner, found),
                    _ => {}
                }
            }
        }
        let mut found = Vec::new();
        marks(parts, &mut found);
        match found.as_slice() {
            [] | [_] => Ok(()),
            [_, second, ..] => {
                let help = "to leave both open, write `!(α + β)`";
                self.fail(
                    Diagnostic::new(Code::Action, *second, "two alternatives of one choice are marked with `!`")
                        .label("the second mark")
                        .help(help),
                )
            }
        }
    }

    fn named_action(&mut self, name: &Ident, args: &[Expr], span: Span, place: &ActionPlace) -> Resolved<Action> {
        let Some(definition) = self.scope.actions.get(&name.text) else {
            let mut problem = Diagnostic::new(Code::UnknownName, name.span, format!("unknown action `{}`", name.text))
                .label("not declared with `action`");
            if let Some(near) = nearest(&name.text, self.scope.actions.keys().map(String::as_str)) {
                problem = problem.help(format!("did you mean `{near}`?"));
            } else if self.scope.props.contains(name.text.as_str()) || self.scope.lets.contains_key(&name.text) {
                problem = problem.help(format!("to test it write `?{0}`, to announce it `announce {0}`", name.text));
            }
            return self.fail(problem);
        };
        let bound = self.bind_arguments(&name.text, &definition.params, args, span)?;
        match &definition.body {
            ActionBody::Action(body) => self.with_locals(&name.text, bound, span, |r| r.action(body, place)),
            ActionBody::Events(events) => {
                if place.inside.is_some() {
                    return self.broken_rule(
                        span,
                        "an action model cannot stand inside `L`",
                        "it says itself who sees what",
                    );
                }
                let key = known_key(&name.text, &bound);
                if let Some(found) = key.as_ref().and_then(|k| self.scope.definitions().models.get(k).cloned()) {
                    return Ok(found);
                }
                let label = match bound.len() {
                    0 => name.text.clone(),
                    _ => {
                        let args: Vec<String> = bound
                            .iter()
                            .map(|(_, b)| match b {
                                Binding::Int(n) => n.to_string(),
                                Binding::Sym(s) => s.to_string(),
                                Binding::Formula(f) => f.to_string(),
                            })
                            .collect();
                        format!("{}({})", name.text, args.join(","))
                    }
                };
                let model =
                    self.with_locals(&name.text, bound, span, |r| r.action_model(label.into(), events, span))?;
                let action = Action::Model(Arc::new(model));
                if let Some(key) = key {
                    self.scope.definitions().models.insert(key, action.clone());
                }
                Ok(action)
            }
        }
    }

    fn action_model(&mut self, name: Name, tree: &EventsExpr, span: Span) -> Resolved<ActionModel> {
        let mut events: Vec<EventPoint> = Vec::new();
        for event in &tree.events {
            self.each(&event.binders, &mut |r| {
                let name = r.plain_name(&event.name)?;
                if events.iter().any(|e| e.name == name) {
                    return r.fail(
                        Diagnostic::new(Code::Duplicate, event.name.span, format!("event `{name}` is declared twice"))
                            .label("again here"),
                    );
                }
                let pre = match &event.pre {
                    Some(pre) => r.try_formula(pre)?,
                    None => Formula::truth(),
                };
                let mut changes = Vec::new();
                for (target, value, binders) in &event.changes {
                    r.each(binders, &mut |r| {
                        changes.push(r.change(target, value)?);
                        Ok(())
                    })?;
                }
                events.push(EventPoint { name, pre, changes, designated: event.designated });
                Ok(())
            })?;
        }
        if events.is_empty() {
            return self
                .fail(Diagnostic::new(Code::Action, span, "an action model needs an event").label("none declared"));
        }
        if events.iter().all(|e| !e.designated) {
            events.iter_mut().for_each(|e| e.designated = true);
        }
        let names: Vec<Name> = events.iter().map(|e| e.name.clone()).collect();
        let sights = self.sights(&names, &tree.confuse, &tree.edges, "event")?;
        Ok(ActionModel { name, events, sights })
    }

    fn change(&mut self, target: &Expr, value: &Expr) -> Resolved<Change> {
        let name = self.plain_name(target)?;
        if let Some(values) = self.scope.vars.get(&name) {
            let numbers = matches!(values.first(), Some(Value::Int(_)));
            let term = self.term(value)?;
            if self.is_number(&term) == Some(!numbers) {
                return self.fail(
                    Diagnostic::new(Code::Type, value.span, format!("`{name}` cannot take this value"))
                        .label(if numbers { "a number belongs here" } else { "a constant belongs here" }),
                );
            }
            return Ok(Change::Var(name, term));
        }
        if !self.scope.props.contains(&name) {
            return self.unknown(&name, target.span, "not declared as a proposition or variable");
        }
        let formula = self.try_formula(value)?;
        Ok(Change::Prop(name, formula))
    }

    /// A name with known indices, declared or not.
    pub(crate) fn plain_name(&mut self, expr: &Expr) -> Resolved<Name> {
        match &expr.kind {
            ExprKind::Name(name) => Ok(name.as_str().into()),
            ExprKind::Call(base, args) => self.indexed(&base.text, args),
            _ => Err(Reported),
        }
    }

    /// What agents make of events or worlds: `confuse` and `edges`.
    pub(crate) fn sights(
        &mut self,
        names: &[Name],
        confuse: &[ConfuseExpr],
        edges: &[EdgesExpr],
        what: &str,
    ) -> Resolved<Vec<(Name, Sight)>> {
        let mut sights: Vec<(Name, Sight)> = Vec::new();
        for line in confuse {
            self.each_agent(&line.agents, &mut |r, agent| {
                let entry = match sights.iter().position(|(a, _)| a == agent) {
                    Some(at) => at,
                    None => {
                        sights.push((agent.clone(), Sight::Classes((0..names.len() as u32).collect())));
                        sights.len() - 1
                    }
                };
                for class in &line.classes {
                    let mut members: Vec<usize> = Vec::new();
                    for item in class {
                        r.each(&item.binders, &mut |r| {
                            members.push(r.position(&item.expr, names, what)?);
                            Ok(())
                        })?;
                    }
                    if let (Sight::Classes(classes), Some(&first)) = (&mut sights[entry].1, members.first()) {
                        // Joining classes keeps the relation an equivalence however the lines overlap.
                        let target = classes[first];
                        let merged: Vec<u32> = members.iter().map(|&m| classes[m]).collect();
                        classes.iter_mut().filter(|c| merged.contains(c)).for_each(|c| *c = target);
                    }
                }
                Ok(())
            })?;
        }
        for line in edges {
            if !self.scope.belief {
                return self.fail(
                    Diagnostic::new(Code::Relation, line.agents.span, "`edges` needs a belief model")
                        .label("this model is S5: relations are equivalences")
                        .help("write `belief` as the first statement, or use `confuse`"),
                );
            }
            self.each_agent(&line.agents, &mut |r, agent| {
                let mut pairs = Vec::new();
                for (from, to, binders) in &line.pairs {
                    r.each(binders, &mut |r| {
                        let from = r.position(from, names, what)? as u32;
                        let to = r.position(to, names, what)? as u32;
                        pairs.push((from, to));
                        Ok(())
                    })?;
                }
                match sights.iter_mut().find(|(a, _)| a == agent) {
                    None => sights.push((agent.clone(), Sight::Edges(pairs))),
                    Some((_, Sight::Edges(old))) => old.extend(pairs),
                    Some((_, Sight::Classes(_))) => {
                        return r.fail(
                            Diagnostic::new(
                                Code::Relation,
                                line.agents.span,
                                format!("`{agent}` has both classes and edges"),
                            )
                            .label("give one or the other"),
                        );
                    }
                }
                Ok(())
            })?;
        }
        Ok(sights)
    }

    fn position(&mut self, expr: &Expr, names: &[Name], what: &str) -> Resolved<usize> {
        let name = self.plain_name(expr)?;
        if let Some(at) = names.iter().position(|n| *n == name) {
            return Ok(at);
        }
        let mut problem =
            Diagnostic::new(Code::UnknownName, expr.span, format!("unknown {what} `{name}`")).label("not declared");
        if let Some(near) = nearest(&name, names.iter().map(|n| &**n)) {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        self.fail(problem)
    }

    // Programs.

    fn program_or_any(&mut self, program: Option<&ActionExpr>) -> Resolved<Program> {
        program.map_or(Ok(Program::Any), |p| self.program(p))
    }

    fn program(&mut self, program: &ActionExpr) -> Resolved<Program> {
        Ok(match &program.kind {
            ActionKind::Test(f) => Program::Test(self.formula(f)),
            ActionKind::Seq(parts) => Program::Seq(parts.iter().map(|p| self.program(p)).collect::<Resolved<_>>()?),
            ActionKind::Choice(parts) => {
                Program::Choice(parts.iter().map(|p| self.program(p)).collect::<Resolved<_>>()?)
            }
            ActionKind::ChoiceOver(binders, body) => {
                let mut parts = Vec::new();
                self.each(binders, &mut |r| {
                    parts.push(r.program(body)?);
                    Ok(())
                })?;
                Program::Choice(parts)
            }
            ActionKind::Star(inner) => Program::Star(Box::new(self.program(inner)?)),
            ActionKind::Named(name, args) if args.is_empty() => Program::Action(name.text.as_str().into()),
            ActionKind::Named(name, args) => Program::Action(self.indexed(&name.text, args)?),
            ActionKind::Both(..) | ActionKind::Local(_) | ActionKind::Learn(..) | ActionKind::Announce { .. } => {
                return self.broken_rule(program.span, "not a program", "only actions, `?φ`, `;`, `+` and `*` are");
            }
            ActionKind::Error => return Err(Reported),
        })
    }
}

/// The key under which a macro's result is kept: only arguments that are values make one.
fn known_key(name: &str, bound: &[(String, Binding)]) -> Option<(String, Vec<Known>)> {
    let mut values = Vec::with_capacity(bound.len());
    for (_, binding) in bound {
        values.push(match binding {
            Binding::Int(n) => Known::Int(n.clone()),
            Binding::Sym(s) => Known::Sym(s.clone()),
            Binding::Formula(_) => return None,
        });
    }
    Some((name.to_string(), values))
}

/// The value of a formula without atoms.
fn constant(f: &Formula) -> Option<bool> {
    Some(match f {
        Formula::Const(b) => *b,
        Formula::Not(g) => !constant(g)?,
        Formula::And(parts) => parts.iter().map(|p| constant(p)).collect::<Option<Vec<_>>>()?.into_iter().all(|b| b),
        Formula::Or(parts) => parts.iter().map(|p| constant(p)).collect::<Option<Vec<_>>>()?.into_iter().any(|b| b),
        Formula::Imp(a, b) => !constant(a)? | constant(b)?,
        Formula::Iff(a, b) => constant(a)? == constant(b)?,
        Formula::Xor(parts) => {
            parts.iter().map(|p| constant(p)).collect::<Option<Vec<_>>>()?.into_iter().filter(|b| *b).count() % 2 == 1
        }
        Formula::Count(cmp, n, parts) => {
            let values = parts.iter().map(|p| constant(p)).collect::<Option<Vec<_>>>()?;
            let count = values.into_iter().filter(|b| *b).count() as u64;
            cmp.admits(count.cmp(n))
        }
        Formula::Atom(_)
        | Formula::Compare(..)
        | Formula::Knows(..)
        | Formula::Possible(..)
        | Formula::KnowsWhether(..)
        | Formula::Everyone(..)
        | Formula::Common(..)
        | Formula::Distributed(..)
        | Formula::After(..)
        | Formula::Can(..)
        | Formula::Path(..)
        | Formula::Until(..) => return None,
    })
}
