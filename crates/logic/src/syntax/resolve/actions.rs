//! Knowledge actions, action models and programs.

use super::super::ast::*;
use super::super::diagnostic::{Code, Diagnostic, Span, nearest};
use super::formulas::known_key;
use super::{Binding, OwnWord, Reported, Resolved, Resolver};
use crate::formula::{Action, ActionModel, Change, EventPoint, Formula, Group, Name, Program, Sight, Value};
use std::collections::HashSet;
use std::sync::Arc;

/// Where an action stands, for the rules of the action language.
#[derive(Clone)]
struct ActionPlace {
    /// The group of the enclosing `L`, if any.
    inside: Option<HashSet<Name>>,
    /// Directly an alternative of a choice.
    alternative: bool,
}

impl Resolver<'_> {
    pub(super) fn top_action(&mut self, action: &ActionExpr) -> Resolved<Action> {
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
                    let choice = Action::Choice(vec![learn(formula.clone()), learn(Formula::negation(formula))]);
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
            ActionKind::SeqOver(binders, body) => {
                let mut parts = Vec::new();
                self.each(binders, &mut |r| {
                    parts.push(r.action(body, &within)?);
                    Ok(())
                })?;
                if parts.is_empty() { Action::Test(Formula::truth()) } else { Action::Seq(parts) }
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
            ActionKind::Move(text) => {
                let name: Name = text.as_str().into();
                self.own_words.push((OwnWord::Move(name.clone()), action.span));
                Action::Move(name)
            }
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

    pub(crate) fn change(&mut self, target: &Expr, value: &Expr) -> Resolved<Change> {
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

    fn named_program(&mut self, name: &Ident, args: &[Expr], span: Span) -> Resolved<Program> {
        if let Some(definition) = self.scope.programs.get(&name.text) {
            let bound = self.bind_arguments(&name.text, &definition.params, args, span)?;
            return self.with_locals(&name.text, bound, span, |r| r.program(&definition.body));
        }
        let action: Name = if args.is_empty() { name.text.as_str().into() } else { self.indexed(&name.text, args)? };
        if self.scope.free || !self.scope.timed || self.scope.steps.contains_key(&action) {
            return Ok(Program::Action(action));
        }
        let mut problem = Diagnostic::new(Code::UnknownName, name.span, format!("unknown action `{action}`"))
            .label("neither an action of the system nor a `program`");
        let mut known: Vec<&str> = self.scope.programs.keys().map(String::as_str).collect();
        known.extend(self.scope.steps.keys().map(|n| &**n));
        known.sort_unstable();
        if let Some(near) = nearest(&action, known) {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        self.fail(problem)
    }

    pub(super) fn program_or_any(&mut self, program: Option<&ActionExpr>) -> Resolved<Program> {
        program.map_or(Ok(Program::Any), |p| self.program(p))
    }

    fn program(&mut self, program: &ActionExpr) -> Resolved<Program> {
        self.spend(1, program.span)?;
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
            ActionKind::SeqOver(binders, body) => {
                let mut parts = Vec::new();
                self.each(binders, &mut |r| {
                    parts.push(r.program(body)?);
                    Ok(())
                })?;
                Program::Seq(parts)
            }
            ActionKind::Star(inner) => Program::Star(Box::new(self.program(inner)?)),
            ActionKind::Named(name, args) => return self.named_program(name, args, program.span),
            ActionKind::Both(..)
            | ActionKind::Local(_)
            | ActionKind::Learn(..)
            | ActionKind::Announce { .. }
            | ActionKind::Move(_) => {
                return self.broken_rule(program.span, "not a program", "only actions, `?φ`, `;`, `+` and `*` are");
            }
            ActionKind::Error => return Err(Reported),
        })
    }
}
