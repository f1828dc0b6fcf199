//! Formulas, macros and terms.

use super::super::ast::*;
use super::super::diagnostic::{Code, Diagnostic, Span};
use super::super::scope::action_as_fact;
use super::{Binding, Known, Reported, Resolved, Resolver};
use crate::formula::{Along, Cmp, F, Formula, Group, Plain, Term, Value};
use crate::model::law::Facts;
use std::sync::Arc;

impl Resolver<'_> {
    /// The formula of a tree; where something is wrong, a problem is recorded and `true` stands in.
    pub(crate) fn formula(&mut self, expr: &Expr) -> F {
        self.try_formula(expr).unwrap_or_else(|Reported| Formula::truth())
    }

    pub(crate) fn try_formula(&mut self, expr: &Expr) -> Resolved<F> {
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
                    (Modal::O, Some(agent)) => Formula::Ought(agent, body),
                    (Modal::K | Modal::S | Modal::Kw | Modal::O, None) => return Err(Reported),
                    (Modal::E, _) => Formula::Everyone(group, body),
                    (Modal::C, _) => Formula::Common(group, body),
                    (Modal::D, _) => Formula::Distributed(group, body),
                })
            }
            ExprKind::Dynamic { diamond, action, times, body } => {
                let action = self.top_action(action);
                let times_span = times.as_ref().map(|t| t.span);
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
                if let Some(times_at) = times_span {
                    self.repeat(times as usize, times_at)?;
                }
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
            ExprKind::Ensure(group, along, body) => {
                let group = self.group(group);
                let body = self.formula(body);
                Arc::new(Formula::Ensure(group?, *along, body))
            }
            ExprKind::EnsureUntil(group, left, right) => {
                let group = self.group(group);
                let (left, right) = (self.formula(left), self.formula(right));
                Arc::new(Formula::EnsureUntil(group?, left, right))
            }
            ExprKind::Runs(path, body) => Arc::new(Formula::Runs(*path, self.formula(body))),
            ExprKind::Linear(along, body) => {
                self.no_name(*along, expr.span, body.span)?;
                Arc::new(Formula::Linear(*along, self.formula(body)))
            }
            ExprKind::LinearUntil(release, left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                Arc::new(if *release { Formula::Release(left, right) } else { Formula::LinearUntil(left, right) })
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

    /// Refuses `F(p)` in a path formula of a file that declares `F` with arguments: both are written so.
    fn no_name(&mut self, along: Along, whole: Span, body: Span) -> Resolved<()> {
        let word = match along {
            Along::Next => "X",
            Along::Always => "G",
            Along::Eventually => "F",
        };
        let start = format!("{word}(");
        let declared = self.scope.lets.get(word).is_some_and(|known| !known.params.is_empty())
            || self.scope.props.iter().any(|prop| prop.starts_with(&start));
        if !declared || body.start != whole.start + 1 {
            return Ok(());
        }
        let message = format!("`{word}(…)` is declared in this file, and an operator of path formulas");
        let problem = Diagnostic::new(Code::Syntax, whole, message).label("which of them is meant?");
        self.fail(
            problem
                .help(format!("give the declared `{word}` another name; with a space, `{word} (…)` is the operator")),
        )
    }

    /// A list of atoms and of `variable = value`: the facts of a world, as they come.
    pub(crate) fn facts(&mut self, items: &[Item]) -> Resolved<Facts> {
        let mut facts = Facts::default();
        for item in items {
            self.each(&item.binders, &mut |r| {
                match &*r.try_formula(&item.expr)? {
                    Formula::Atom(name) if !facts.props.contains(name) => facts.props.push(name.clone()),
                    Formula::Atom(_) | Formula::Const(true) => {}
                    Formula::Compare(Cmp::Eq, Term::Var(x), Term::Value(v)) => {
                        if facts.vars.iter().any(|(y, w)| y == x && w != v) {
                            return r.fail(
                                Diagnostic::new(Code::Point, item.expr.span, format!("`{x}` has two values here"))
                                    .label("a world gives every variable one value"),
                            );
                        }
                        facts.vars.retain(|(y, _)| y != x);
                        facts.vars.push((x.clone(), v.clone()));
                    }
                    _ => {
                        return r.fail(
                            Diagnostic::new(Code::Point, item.expr.span, "a world is given by what is true in it")
                                .label("neither a proposition nor `variable = value`")
                                .help("list the true propositions; all others are false"),
                        );
                    }
                }
                Ok(())
            })?;
        }
        Ok(facts)
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
            return Ok(self.undeclared(name, expr.span));
        }
        if let Some(action) = self.step_atom(name) {
            return action.map_or_else(|| self.not_a_fact(name, expr.span), Ok);
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

    /// An action as an atom: somebody does it. `Some(None)` where actions are no formulas.
    fn step_atom(&self, name: &str) -> Option<Option<F>> {
        let full = self.scope.steps.get(name)?;
        Some(self.in_step.then(|| Formula::or(full.iter().map(|n| Formula::atom(n.clone())).collect())))
    }

    fn not_a_fact(&mut self, name: &str, span: Span) -> Resolved<F> {
        self.fail(action_as_fact(name, span))
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
        if !known && self.scope.timed && !self.scope.free {
            let start = format!("{}(", base.text);
            if self.scope.steps.keys().any(|s| s.starts_with(&start)) {
                let name = self.indexed(&base.text, args)?;
                if let Some(action) = self.step_atom(&name) {
                    return action.map_or_else(|| self.not_a_fact(&name, span), Ok);
                }
            }
        }
        if !known && !self.scope.free {
            return self.unknown(&base.text, base.span, "not declared as a proposition or with `let`");
        }
        let name = self.indexed(&base.text, args)?;
        if self.scope.free {
            return Ok(self.undeclared(name, span));
        }
        if self.scope.props.contains(&name) {
            return Ok(Formula::atom(name));
        }
        self.fail(Diagnostic::new(Code::Index, span, format!("there is no `{name}`")).label(self.example(&base.text)))
    }

    pub(super) fn bind_arguments(
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
    pub(super) fn with_locals<T>(
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
        self.not_too_deep(&formula, span)?;
        if let Some(key) = key {
            self.scope.definitions().formulas.insert(key, formula.clone());
        }
        Ok(formula)
    }

    fn compare(&mut self, cmp: Cmp, a: &Expr, b: &Expr) -> Resolved<F> {
        let (mut left, mut right) = (self.term(a)?, self.term(b)?);
        if self.scope.free {
            // Nothing is declared: beside a constant, an unknown name is a constant too.
            match (&mut left, &mut right) {
                (Term::Value(Value::Sym(_)), other @ Term::Var(_))
                | (other @ Term::Var(_), Term::Value(Value::Sym(_))) => {
                    if let Term::Var(name) = other {
                        *other = Term::Value(Value::Sym(name.clone()));
                    }
                }
                _ => {}
            }
        }
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
    pub(super) fn is_number(&self, term: &Term) -> Option<bool> {
        match term {
            Term::Value(Value::Int(_)) | Term::Neg(_) | Term::Bin(..) => Some(true),
            Term::Value(Value::Sym(_)) => Some(false),
            Term::Var(name) => self.scope.vars.get(name)?.first().map(|v| matches!(v, Value::Int(_))),
        }
    }

    pub(crate) fn value(&mut self, known: Known, span: Span) -> Resolved<Value> {
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
}

/// The key under which a macro's result is kept: only arguments that are values make one.
pub(super) fn known_key(name: &str, bound: &[(String, Binding)]) -> Option<(String, Vec<Known>)> {
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
pub(super) fn constant(f: &Formula) -> Option<bool> {
    Some(match f.plain() {
        Plain::Const(b) => b,
        Plain::Not(g) => !constant(g)?,
        Plain::And(parts) => parts.iter().map(|p| constant(p)).collect::<Option<Vec<_>>>()?.into_iter().all(|b| b),
        Plain::Or(parts) => parts.iter().map(|p| constant(p)).collect::<Option<Vec<_>>>()?.into_iter().any(|b| b),
        Plain::Imp(a, b) => !constant(a)? | constant(b)?,
        Plain::Iff(a, b) => constant(a)? == constant(b)?,
        Plain::Xor(parts) => {
            parts.iter().map(|p| constant(p)).collect::<Option<Vec<_>>>()?.into_iter().filter(|b| *b).count() % 2 == 1
        }
        Plain::Count(cmp, n, parts) => {
            let values = parts.iter().map(|p| constant(p)).collect::<Option<Vec<_>>>()?;
            let count = values.into_iter().filter(|b| *b).count() as u64;
            cmp.admits(count.cmp(&n))
        }
        Plain::Atom(_) | Plain::Compare(..) | Plain::Modal => return None,
    })
}
