//! Trees to formulas and terms.

use super::Reported;
use super::names::{Names, Values, Var};
use super::tree::{BitOp, Expr, Kind, Together, Word};
use crate::formula::{Cmp, F, Formula, Group, Name, Program, Term, Value};
use crate::model::system::Next;
use crate::syntax::{Code, Diagnostic, Span, nearest};
use std::collections::HashSet;
use std::sync::Arc;

/// Where an expression stands: what its names may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In the protocol of an agent, or among its red states.
    State(usize),
    /// In the evolution of an agent.
    Step(usize),
    /// Outside agents, before propositions are defined.
    Global,
    /// Where the propositions of `Evaluation` may be used.
    Formula,
}

/// What an expression denotes.
enum Meaning {
    Truth(F),
    Number(Term),
    /// A variable whose values are constants.
    Symbol(Name, Vec<Name>),
    /// What an agent does, by the agent's index.
    Action(usize),
    /// A bare name that is no variable: a constant, an action or a proposition.
    Bare(String),
}

type Resolved<T> = Result<T, Reported>;

pub(super) struct Resolver<'n, 't> {
    pub(super) names: &'n Names<'t>,
    pub(super) place: Place,
    /// Whether all declarations could be read: otherwise an unknown name is no problem of its own.
    pub(super) complete: bool,
    pub(super) problems: Vec<Diagnostic>,
    /// What was already said.
    reported: HashSet<String>,
}

impl<'n, 't> Resolver<'n, 't> {
    pub(super) fn new(names: &'n Names<'t>, complete: bool, place: Place) -> Resolver<'n, 't> {
        Resolver { names, place, complete, problems: Vec::new(), reported: HashSet::new() }
    }

    pub(super) fn fail<T>(&mut self, problem: Diagnostic) -> Resolved<T> {
        self.problems.push(problem);
        Err(Reported)
    }

    /// Reports an unknown name, once in each part.
    pub(super) fn unknown<T>(&mut self, problem: Diagnostic, near: Option<&str>) -> Resolved<T> {
        if self.complete && self.reported.insert(problem.message.clone()) {
            let help = near.map(|near| format!("did you mean `{near}`?"));
            self.problems.push(Diagnostic { help: problem.help.clone().or(help), ..problem });
        }
        Err(Reported)
    }

    /// The agent inside which the expression stands.
    fn inside(&self) -> Option<usize> {
        match self.place {
            Place::State(agent) | Place::Step(agent) => Some(agent),
            Place::Global | Place::Formula => None,
        }
    }

    /// The formula of an expression.
    pub(super) fn formula(&mut self, expr: &Expr<'t>) -> Resolved<F> {
        let meaning = self.meaning(expr)?;
        self.truth(meaning, expr.span)
    }

    fn truth(&mut self, meaning: Meaning, span: Span) -> Resolved<F> {
        let (what, help) = match meaning {
            Meaning::Truth(f) => return Ok(f),
            Meaning::Bare(name) => return self.proposition(&name, span),
            Meaning::Number(_) => ("a number", "compare it: `x = 1`"),
            Meaning::Symbol(..) => ("a variable with constants", "compare it: `x = value`"),
            Meaning::Action(_) => ("an action", "compare it: `Action = none`"),
        };
        self.fail(Diagnostic::new(Code::Type, span, "expected a condition").label(format!("this is {what}")).help(help))
    }

    /// A proposition of `Evaluation`.
    fn proposition(&mut self, name: &str, span: Span) -> Resolved<F> {
        if self.place == Place::Formula
            && let Some(f) = self.names.defined(name)
        {
            return Ok(f.clone());
        }
        let (label, near) = match self.place {
            Place::Formula => {
                ("not defined in `Evaluation`", nearest(name, self.names.evaluation.iter().map(|(n, _)| *n)))
            }
            Place::Global => ("outside agents a variable is written `agent.variable`", None),
            Place::State(_) | Place::Step(_) => ("not a variable that this agent sees", self.near_variable(name)),
        };
        self.unknown(Diagnostic::new(Code::UnknownName, span, format!("unknown name `{name}`")).label(label), near)
    }

    fn near_variable(&self, name: &str) -> Option<&'n str> {
        let names = self.names;
        let agent = names.agents.get(self.inside()?)?;
        nearest(name, agent.var_names())
    }

    fn meaning(&mut self, expr: &Expr<'t>) -> Resolved<Meaning> {
        let formula = match &expr.kind {
            Kind::Bool(b) => Formula::Const(*b),
            Kind::Int(n) => return Ok(Meaning::Number(Term::Value(Value::Int(*n)))),
            Kind::Name(name) => return self.named(name, expr.span),
            Kind::Of(agent, part) => return self.dotted(*agent, *part),
            Kind::Colour(agent, green) => return self.colour(*agent, *green, expr.span).map(Meaning::Truth),
            Kind::Neg(body) => return Ok(Meaning::Number(Term::Neg(Box::new(self.number(body)?)))),
            Kind::Arith(op, a, b) => {
                let (a, b) = (self.number(a), self.number(b));
                return Ok(Meaning::Number(Term::Bin(*op, Box::new(a?), Box::new(b?))));
            }
            Kind::BitNot(body) | Kind::Not(body) => return Ok(Meaning::Truth(Formula::negation(self.formula(body)?))),
            Kind::Bit(op, a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                let parts = vec![a?, b?];
                match op {
                    BitOp::And => Formula::And(parts),
                    BitOp::Or => Formula::Or(parts),
                    BitOp::Xor => Formula::Xor(parts),
                }
            }
            Kind::Compare(cmp, a, b) => return self.comparison(*cmp, a, b).map(Meaning::Truth),
            Kind::And(parts) => Formula::And(self.all(parts)?),
            Kind::Or(parts) => Formula::Or(self.all(parts)?),
            Kind::Imp(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                Formula::Imp(a?, b?)
            }
            Kind::Path(path, along, body) => Formula::Path(*path, *along, Program::Any, self.formula(body)?),
            Kind::Until(path, a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                Formula::Until(*path, Program::Any, a?, b?)
            }
            Kind::Runs(path, body) => Formula::Runs(*path, self.formula(body)?),
            Kind::Linear(along, body) => Formula::Linear(*along, self.formula(body)?),
            Kind::LinearUntil(a, b) => {
                let (a, b) = (self.formula(a), self.formula(b));
                Formula::LinearUntil(a?, b?)
            }
            Kind::Knows(agent, body) => {
                let (agent, body) = (self.agent(*agent), self.formula(body));
                Formula::Knows(agent?, body?)
            }
            Kind::Ought(agent, body) => {
                let (agent, body) = (self.agent(*agent), self.formula(body));
                Formula::Ought(agent?, body?)
            }
            Kind::Together(how, group, body) => {
                let (group, body) = (self.group(*group), self.formula(body));
                match how {
                    Together::Everyone => Formula::Everyone(group?, body?),
                    Together::Common => Formula::Common(group?, body?),
                    Together::Distributed => Formula::Distributed(group?, body?),
                }
            }
            Kind::Ensure(group, along, body) => {
                let (group, body) = (self.group(*group), self.formula(body));
                Formula::Ensure(group?, *along, body?)
            }
            Kind::EnsureUntil(group, a, b) => {
                let (group, a, b) = (self.group(*group), self.formula(a), self.formula(b));
                Formula::EnsureUntil(group?, a?, b?)
            }
        };
        Ok(Meaning::Truth(Arc::new(formula)))
    }

    /// The formulas of all, each looked at even if an earlier one is wrong.
    fn all(&mut self, parts: &[Expr<'t>]) -> Resolved<Vec<F>> {
        let formulas: Vec<Resolved<F>> = parts.iter().map(|p| self.formula(p)).collect();
        formulas.into_iter().collect()
    }

    fn number(&mut self, expr: &Expr<'t>) -> Resolved<Term> {
        let what = match self.meaning(expr)? {
            Meaning::Number(term) => return Ok(term),
            Meaning::Bare(name) => {
                self.proposition(&name, expr.span)?;
                "this is a proposition"
            }
            Meaning::Truth(_) => "this is a truth value",
            Meaning::Symbol(..) => "this is a variable with constants",
            Meaning::Action(_) => "this is an action",
        };
        self.fail(Diagnostic::new(Code::Type, expr.span, "expected a number").label(what))
    }

    fn agent(&mut self, word: Word<'t>) -> Resolved<Name> {
        match self.names.agent(word.text) {
            Some(agent) => Ok(agent.name.clone()),
            None => self.unknown(self.names.unknown_agent(word), None),
        }
    }

    fn group(&mut self, word: Word<'t>) -> Resolved<Group> {
        let names = self.names;
        if let Some(members) = names.groups.get(word.text) {
            return Ok(Group::Of(members.clone()));
        }
        let message = format!("unknown group `{}`", word.text);
        let mut problem = Diagnostic::new(Code::UnknownName, word.span, message).label("not declared in `Groups`");
        if names.agent(word.text).is_some() {
            problem.label = "this is an agent".to_string();
            problem.help = Some(format!("declare a group of one: `g = {{{}}};`", word.text));
        }
        self.unknown(problem, nearest(word.text, names.groups.keys().copied()))
    }

    fn value_of(&self, var: &Var) -> Meaning {
        match &var.values {
            Values::Boolean => Meaning::Truth(Formula::atom(var.name.clone())),
            Values::Range(..) => Meaning::Number(Term::Var(var.name.clone())),
            Values::Constants(all) => Meaning::Symbol(var.name.clone(), all.clone()),
        }
    }

    /// A name without an agent: a variable that the agent sees, else something else.
    fn named(&mut self, name: &str, span: Span) -> Resolved<Meaning> {
        let names = self.names;
        if let Some(index) = self.inside() {
            if name == "Action" {
                return self.action_of(index, span);
            }
            if let Some(agent) = names.agents.get(index) {
                if let Some(var) = agent.var(name) {
                    return Ok(self.value_of(var));
                }
                let environment = names.environment.and_then(|e| names.agents.get(e));
                if let Some(var) = environment.and_then(|e| e.var(name))
                    && self.sees(index, var)
                {
                    return Ok(self.value_of(var));
                }
            }
        }
        Ok(Meaning::Bare(name.to_string()))
    }

    fn action_of(&mut self, agent: usize, span: Span) -> Resolved<Meaning> {
        match self.place {
            Place::Step(_) => Ok(Meaning::Action(agent)),
            Place::State(_) | Place::Global | Place::Formula => self.fail(
                Diagnostic::new(Code::Type, span, "a state has no action")
                    .label("what agents do is known in `Evolution` only"),
            ),
        }
    }

    /// Whether the agent sees a variable of the environment.
    fn sees(&self, agent: usize, var: &Var) -> bool {
        let environment = self.names.environment.and_then(|e| self.names.agents.get(e));
        let (Some(agent), Some(environment)) = (self.names.agents.get(agent), environment) else { return false };
        agent.sees.iter().any(|&v| environment.vars.get(v).is_some_and(|v| v.name == var.name))
    }

    /// `agent.variable` or `agent.Action`.
    fn dotted(&mut self, owner: Word<'t>, part: Word<'t>) -> Resolved<Meaning> {
        let names = self.names;
        let found = names.index(owner.text).and_then(|i| Some((i, names.agents.get(i)?)));
        let Some((index, agent)) = found else {
            return self.unknown(names.unknown_agent(owner), None);
        };
        let span = owner.span.to(part.span);
        if part.text == "Action" {
            return self.action_of(index, span);
        }
        let Some(var) = agent.var(part.text) else {
            let message = format!("`{}` has no variable `{}`", owner.text, part.text);
            let near = nearest(part.text, agent.var_names());
            return self.unknown(Diagnostic::new(Code::UnknownName, part.span, message).label("not declared"), near);
        };
        if let Some(inside) = self.inside()
            && inside != index
            && !self.sees(inside, var)
        {
            let name = names.agents.get(inside).map(|a| a.name.to_string()).unwrap_or_default();
            let mut problem = Diagnostic::new(Code::UnknownName, span, format!("`{name}` does not see `{}`", var.name))
                .label("not observed by this agent");
            if Some(index) == names.environment {
                problem = problem.help(format!("list it: `Lobsvars = {{{}}};`", part.text));
            }
            return self.unknown(problem, None);
        }
        Ok(self.value_of(var))
    }

    /// Where the agent is, or is not, as it ought to be.
    fn colour(&mut self, agent: Word<'t>, green: bool, span: Span) -> Resolved<F> {
        if self.place != Place::Formula {
            return self.fail(
                Diagnostic::new(Code::Syntax, span, "red and green states are named in formulas only").label("here"),
            );
        }
        let Some(agent) = self.names.agent(agent.text) else {
            return self.unknown(self.names.unknown_agent(agent), None);
        };
        let red = agent.red.clone().unwrap_or_else(Formula::falsity);
        Ok(if green { Formula::negation(red) } else { red })
    }

    fn comparison(&mut self, cmp: Cmp, a: &Expr<'t>, b: &Expr<'t>) -> Resolved<F> {
        let span = a.span.to(b.span);
        let (left, right) = (self.meaning(a)?, self.meaning(b));
        let right = beside(&left, b, right?);
        let left = beside(&right, a, left);
        let ordered = !matches!(cmp, Cmp::Eq | Cmp::Ne);
        let signed = |f: F| if cmp == Cmp::Ne { Formula::negation(f) } else { f };
        let label = match (left, right) {
            (Meaning::Number(left), Meaning::Number(right)) => {
                if !ordered {
                    self.in_range(&left, &right, b.span)?;
                    self.in_range(&right, &left, a.span)?;
                }
                return Ok(Arc::new(Formula::Compare(cmp, left, right)));
            }
            (Meaning::Symbol(var, all), Meaning::Bare(value)) if !ordered => {
                let value = self.constant(&var, &all, &value, b.span)?;
                return Ok(Arc::new(Formula::Compare(cmp, Term::Var(var), Term::Value(Value::Sym(value)))));
            }
            (Meaning::Bare(value), Meaning::Symbol(var, all)) if !ordered => {
                let value = self.constant(&var, &all, &value, a.span)?;
                return Ok(Arc::new(Formula::Compare(cmp, Term::Value(Value::Sym(value)), Term::Var(var))));
            }
            (Meaning::Symbol(left, _), Meaning::Symbol(right, _)) if !ordered => {
                return Ok(Arc::new(Formula::Compare(cmp, Term::Var(left), Term::Var(right))));
            }
            (Meaning::Action(agent), Meaning::Bare(action)) if !ordered => {
                return self.action(agent, &action, b.span).map(signed);
            }
            (Meaning::Bare(action), Meaning::Action(agent)) if !ordered => {
                return self.action(agent, &action, a.span).map(signed);
            }
            (Meaning::Truth(left), Meaning::Truth(right)) if !ordered => return Ok(signed(equal(left, right))),
            // In formulas a bare name beside a truth value is a proposition; elsewhere it is unknown.
            (Meaning::Truth(left), Meaning::Bare(name)) if !ordered => {
                return Ok(signed(equal(left, self.proposition(&name, b.span)?)));
            }
            (Meaning::Bare(name), Meaning::Truth(right)) if !ordered => {
                return Ok(signed(equal(self.proposition(&name, a.span)?, right)));
            }
            (Meaning::Bare(left), Meaning::Bare(right)) if !ordered => {
                let (left, right) = (self.proposition(&left, a.span), self.proposition(&right, b.span));
                return Ok(signed(equal(left?, right?)));
            }
            (Meaning::Bare(name), _) => {
                self.proposition(&name, a.span)?;
                "a proposition with something else"
            }
            (_, Meaning::Bare(name)) => {
                self.proposition(&name, b.span)?;
                "a proposition with something else"
            }
            (Meaning::Symbol(..), Meaning::Symbol(..)) => "constants have no order",
            (Meaning::Truth(_), Meaning::Truth(_)) => "truth values have no order",
            (Meaning::Action(_), _) | (_, Meaning::Action(_)) => "an action is compared with the name of one",
            (Meaning::Number(_), _) | (_, Meaning::Number(_)) => "a number with something else",
            (Meaning::Truth(_), Meaning::Symbol(..)) | (Meaning::Symbol(..), Meaning::Truth(_)) => {
                "a truth value with a constant"
            }
        };
        self.fail(Diagnostic::new(Code::Type, span, "these cannot be compared").label(label))
    }

    /// Reports a number that the variable never is.
    fn in_range(&mut self, var: &Term, value: &Term, span: Span) -> Resolved<()> {
        let (Term::Var(name), Term::Value(Value::Int(n))) = (var, value) else { return Ok(()) };
        let names = self.names;
        let Some(var) = names.agents.iter().flat_map(|a| &a.vars).find(|v| v.name == *name) else { return Ok(()) };
        match var.values {
            Values::Range(low, high) if !(low..=high).contains(n) => {
                self.fail(Diagnostic::new(Code::Number, span, format!("`{name}` is never {n}")).label(var.describe()))
            }
            Values::Range(..) | Values::Boolean | Values::Constants(_) => Ok(()),
        }
    }

    /// A constant among the values of a variable.
    fn constant(&mut self, var: &Name, all: &[Name], value: &str, span: Span) -> Resolved<Name> {
        if let Some(found) = all.iter().find(|v| &***v == value) {
            return Ok(found.clone());
        }
        let values = Var { name: var.clone(), values: Values::Constants(all.to_vec()), public: false };
        let message = format!("`{var}` has no value `{value}`");
        let problem = Diagnostic::new(Code::UnknownName, span, message).label(values.describe());
        self.unknown(problem, nearest(value, all.iter().map(|v| &**v)))
    }

    /// The atom for an action of an agent.
    fn action(&mut self, agent: usize, action: &str, span: Span) -> Resolved<F> {
        let names = self.names;
        let Some(agent) = names.agents.get(agent) else { return Err(Reported) };
        match agent.action_atom(action) {
            Some(atom) => Ok(atom),
            None => {
                let message = format!("`{}` has no action `{action}`", agent.name);
                let problem = Diagnostic::new(Code::Action, span, message).label("not among its `Actions`");
                self.unknown(problem, nearest(action, agent.actions.iter().map(|(a, _)| *a)))
            }
        }
    }

    /// What becomes of a variable.
    pub(super) fn next(&mut self, var: &Var, value: &Expr<'t>) -> Resolved<Next> {
        let meaning = self.meaning(value)?;
        let meaning = beside(&self.value_of(var), value, meaning);
        match (&var.values, meaning) {
            (Values::Boolean, meaning @ (Meaning::Truth(_) | Meaning::Bare(_))) => {
                Ok(Next::Formula(self.truth(meaning, value.span)?))
            }
            (Values::Range(..), Meaning::Number(term)) => {
                self.in_range(&Term::Var(var.name.clone()), &term, value.span)?;
                Ok(Next::Term(term))
            }
            (Values::Constants(all), Meaning::Bare(constant)) => {
                let constant = self.constant(&var.name, all, &constant, value.span)?;
                Ok(Next::Term(Term::Value(Value::Sym(constant))))
            }
            (Values::Constants(_), Meaning::Symbol(other, _)) => Ok(Next::Term(Term::Var(other))),
            (Values::Boolean | Values::Range(..) | Values::Constants(_), meaning) => {
                if let Meaning::Bare(name) = meaning {
                    self.proposition(&name, value.span)?;
                }
                let problem = Diagnostic::new(Code::Type, value.span, format!("`{}` cannot become this", var.name));
                self.fail(problem.label(var.describe()))
            }
        }
    }
}

/// The meaning of an expression beside another: actions and constants may have the names of variables.
fn beside(other: &Meaning, expr: &Expr<'_>, meaning: Meaning) -> Meaning {
    let Kind::Name(name) = expr.kind else { return meaning };
    let constant = match (other, &meaning) {
        (Meaning::Action(_), _) => true,
        (Meaning::Symbol(..), Meaning::Symbol(..)) => false,
        (Meaning::Symbol(_, all), _) => all.iter().any(|value| &**value == name),
        (Meaning::Truth(_) | Meaning::Number(_) | Meaning::Bare(_), _) => false,
    };
    if constant { Meaning::Bare(name.to_string()) } else { meaning }
}

/// Equivalence, shorter beside a constant.
fn equal(left: F, right: F) -> F {
    match (&*left, &*right) {
        (Formula::Const(true), _) => right,
        (_, Formula::Const(true)) => left,
        (Formula::Const(false), _) => Formula::negation(right),
        (_, Formula::Const(false)) => Formula::negation(left),
        _ => Formula::iff(left, right),
    }
}
