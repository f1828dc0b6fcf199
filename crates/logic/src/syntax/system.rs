//! The system of a `.ken` file: actors, protocols and evolution from its statements.

use super::ast::*;
use super::diagnostic::{Code, Diagnostic, Span, nearest};
use super::elaborate::Loader;
use super::resolve::Reported;
use super::scope::{ProgramDef, action_as_fact};
use crate::formula::{Along, F, Formula, Name, Path, Value};
use crate::model::law::{LawModel, Observation};
use crate::model::system::{Actor, Allow, Evolution, Next, Precedence, Rule, System};
use std::collections::HashMap;

/// The most values of a variable of a system.
const MAX_VALUES: usize = 1 << 16;

/// Whether a file describes a system.
pub(super) fn is_system(tree: &FileTree) -> bool {
    tree.statements.iter().any(|s| {
        matches!(
            s.kind,
            StatementKind::System(_)
                | StatementKind::Environment(_)
                | StatementKind::Actions { .. }
                | StatementKind::Protocol { .. }
                | StatementKind::Next { .. }
                | StatementKind::Initial(_)
                | StatementKind::Program { .. }
                | StatementKind::Fair(_)
                | StatementKind::Red { .. }
        )
    })
}

/// The actions of a line of a protocol, and its guard with its place.
type ProtocolLine = (Vec<usize>, Option<(F, Span)>);

/// An actor with what the statements have said of it so far.
struct Draft {
    actor: Actor,
    /// Whether a protocol was given: otherwise everything is always enabled.
    bound: bool,
}

impl Loader {
    /// Declares what systems add: environments, actions and programs.
    pub(super) fn declare_system(&mut self, tree: &FileTree) {
        if !is_system(tree) {
            return;
        }
        self.scope.timed = true;
        for statement in &tree.statements {
            if let StatementKind::Environment(items) = &statement.kind {
                for (name, _, _, span) in self.names(items) {
                    if self.claim(&name, span) {
                        self.scope.environments.push(name.clone());
                        self.environments.push((name, span));
                    }
                }
            }
        }
        for statement in &tree.statements {
            let StatementKind::Actions { actors, actions } = &statement.kind else { continue };
            for (actor, action, span) in self.actor_actions(actors, actions) {
                let known = self.actions.iter().position(|(a, _, _)| *a == actor);
                let at = known.unwrap_or_else(|| {
                    self.actions.push((actor.clone(), Vec::new(), actors.span));
                    self.actions.len() - 1
                });
                if self.actions[at].1.contains(&action) {
                    let message = format!("`{actor}` has the action `{action}` twice");
                    self.problems.push(Diagnostic::new(Code::Duplicate, span, message).label("again here"));
                    continue;
                }
                if self.declared.contains_key(&*action) {
                    let message = format!("`{action}` is declared twice");
                    let problem = Diagnostic::new(Code::Duplicate, span, message);
                    self.problems.push(problem.label("an action needs a name of its own"));
                    continue;
                }
                self.actions[at].1.push(action.clone());
                let full: Name = format!("{actor}.{action}").into();
                self.scope.steps.entry(action).or_default().push(full.clone());
                self.scope.steps.entry(full.clone()).or_default().push(full);
            }
        }
        for statement in &tree.statements {
            let StatementKind::Program { name, params, body } = &statement.kind else { continue };
            if self.scope.steps.contains_key(name.text.as_str()) {
                let problem = Diagnostic::new(Code::Duplicate, name.span, format!("`{}` is an action too", name.text));
                self.problems.push(problem.label("a program needs a name of its own"));
                continue;
            }
            if self.claim(&name.text, name.span) {
                let params = params.iter().map(|p| p.text.clone()).collect();
                self.scope.programs.insert(name.text.clone(), ProgramDef { params, body: body.clone() });
            }
        }
    }

    /// The actors of a list, environments included, each with the named actions.
    fn actor_actions(&mut self, actors: &GroupExpr, actions: &[Item]) -> Vec<(Name, Name, Span)> {
        let mut found = Vec::new();
        self.each_actor(actors, &mut |loader, actor, locals| {
            let resolved = loader.resolve(|r| {
                r.with_bindings(locals.clone(), |r| {
                    let mut names = Vec::new();
                    for item in actions {
                        r.each(&item.binders, &mut |r| {
                            names.push((r.plain_name(&item.expr)?, item.expr.span));
                            Ok(())
                        })?;
                    }
                    Ok(names)
                })
            });
            for (name, span) in resolved.unwrap_or_default() {
                found.push((actor.clone(), name, span));
            }
        });
        found
    }

    /// Runs `body` for every actor that the list names, with the indices it binds.
    fn each_actor(&mut self, actors: &GroupExpr, body: &mut dyn FnMut(&mut Loader, &Name, &super::resolve::Locals)) {
        let mut found: Vec<(Name, super::resolve::Locals)> = Vec::new();
        let mut agents: Vec<Item> = Vec::new();
        match &actors.kind {
            GroupKind::All => {
                self.resolve(|r| {
                    r.each_agent(actors, &mut |r, agent| {
                        found.push((agent.clone(), r.bindings()));
                        Ok(())
                    })
                });
            }
            GroupKind::Of(items) => {
                for item in items {
                    // Environments have plain names; everything else is an agent.
                    let plain = match &item.expr.kind {
                        ExprKind::Name(name) => self.environments.iter().find(|(n, _)| **n == **name).cloned(),
                        _ => None,
                    };
                    match plain {
                        Some((name, _)) => found.push((name, super::resolve::Locals::default())),
                        None => agents.push(item.clone()),
                    }
                }
            }
        }
        if !agents.is_empty() {
            let group = GroupExpr { kind: GroupKind::Of(agents), span: actors.span };
            self.resolve(|r| {
                r.each_agent(&group, &mut |r, agent| {
                    found.push((agent.clone(), r.bindings()));
                    Ok(())
                })
            });
        }
        for (name, locals) in found {
            body(self, &name, &locals);
        }
    }

    /// The system that the statements describe; `vocabulary` has everything but what `of` says about observation.
    pub(super) fn system(&mut self, tree: &FileTree, vocabulary: LawModel) -> System {
        let mut system = System { vocabulary, ..System::default() };
        for variable in system.vocabulary.vars.iter().filter(|v| v.values.len() > MAX_VALUES) {
            let span = self.declared.get(&*variable.name).copied().unwrap_or_default();
            let message = format!("`{}` has more than {MAX_VALUES} values", variable.name);
            let problem = Diagnostic::new(Code::Large, span, message).label("too many for a variable of a system");
            self.problems.push(problem.help("choose a smaller range, or several variables"));
        }
        let mut drafts: Vec<Draft> = Vec::new();
        for (actor, actions, span) in self.actions.clone() {
            drafts.push(Draft {
                actor: Actor { otherwise: Vec::new(), ..Actor::free(actor, actions, span) },
                bound: false,
            });
        }
        if drafts.is_empty() {
            self.problems.push(
                Diagnostic::new(Code::Missing, Span::default(), "the system has no actions")
                    .label("no `actions` in this file")
                    .help("say who can do what: `actions alice: send, wait`"),
            );
        }
        let mut options_given = false;
        // Evolution rules by target, in the order of the file.
        let mut rules: Vec<(Name, Vec<Rule>)> = Vec::new();
        for statement in &tree.statements {
            match &statement.kind {
                StatementKind::System(_) if options_given => {
                    let problem = Diagnostic::new(Code::Duplicate, statement.span, "the options are given twice");
                    self.problems.push(problem.label("again here").help("one `system` statement says it all"));
                }
                StatementKind::System(options) => {
                    options_given = true;
                    system.recall = options.recall.or(system.recall);
                    system.visibility = options.visibility.or(system.visibility);
                    system.may_end |= options.may_end;
                }
                StatementKind::Protocol { actors, actions, when, binders } => {
                    self.protocol(&mut drafts, actors, actions, when, binders, statement.span);
                }
                StatementKind::Next { target, value, guard, binders } => {
                    for (name, rule) in self.next(target, value, guard.as_ref(), binders, statement.span) {
                        match rules.iter_mut().find(|(n, _)| *n == name) {
                            Some((_, list)) => list.push(rule),
                            None => rules.push((name, vec![rule])),
                        }
                    }
                }
                StatementKind::Fair(items) => {
                    for item in items {
                        let span = item.expr.span;
                        let Some(formulas) = self.resolve(|r| r.list(std::slice::from_ref(item))) else { continue };
                        for formula in formulas {
                            if !self.no_actions_as_facts(&formula, span) {
                                break;
                            }
                            if formula.is_dynamic() || formula.is_temporal() {
                                let message = "fairness speaks of points, not of runs";
                                let problem = Diagnostic::new(Code::System, span, message);
                                self.problems.push(problem.label("time and actions have no place here"));
                                break;
                            }
                            system.fairness.push(formula);
                        }
                    }
                }
                StatementKind::Red { agents, formula } => {
                    let mut found: Vec<(Name, F)> = Vec::new();
                    self.resolve(|r| {
                        r.each_agent(agents, &mut |r, agent| {
                            found.push((agent.clone(), r.formula(formula)));
                            Ok(())
                        })
                    });
                    for (agent, red) in found {
                        if self.objective(&red, formula.span, "`red`") {
                            match system.red.iter_mut().find(|(a, _)| *a == agent) {
                                Some((_, old)) => *old = Formula::or(vec![old.clone(), red]),
                                None => system.red.push((agent, red)),
                            }
                        }
                    }
                }
                StatementKind::Point { .. } => self.problems.push(
                    Diagnostic::new(Code::System, statement.span, "a system has no point")
                        .label("a formula holds in a system if it holds at every initial state")
                        .help("`initial φ` describes the initial states; `--at` asks at one of them"),
                ),
                StatementKind::Belief => self.problems.push(
                    Diagnostic::new(Code::System, statement.span, "a system is not a belief model")
                        .label("agents know what they see")
                        .help("leave `belief` out"),
                ),
                StatementKind::Program { name, params, .. } if params.is_empty() => {
                    self.check_program(name);
                }
                StatementKind::Law(expr) => self.problems.push(
                    Diagnostic::new(Code::System, expr.span, "a system has no laws for all its states")
                        .label("`law` is for models without time")
                        .help("`initial φ` describes the initial states"),
                ),
                _ => {}
            }
        }
        system.evolution =
            rules.into_iter().map(|(_, rules)| Evolution { rules, precedence: Precedence::First }).collect();
        system.actors = drafts
            .into_iter()
            .map(|mut draft| {
                if !draft.bound {
                    draft.actor.otherwise = (0..draft.actor.actions.len()).collect();
                }
                draft.actor
            })
            .collect();
        system
    }

    /// Resolves a program even if nothing uses it, so that its problems are seen.
    fn check_program(&mut self, name: &Ident) {
        let program = ActionExpr { kind: ActionKind::Named(name.clone(), Vec::new()), span: name.span };
        let truth = Expr { kind: ExprKind::Bool(true), span: name.span };
        let kind = ExprKind::Path(Path::Some, Along::Next, Some(program), Box::new(truth));
        self.resolve(|r| {
            r.formula(&Expr { kind, span: name.span });
            Ok(())
        });
    }

    fn protocol(
        &mut self,
        drafts: &mut [Draft],
        actors: &GroupExpr,
        actions: &[Item],
        when: &When,
        binders: &Binders,
        span: Span,
    ) {
        self.each_actor(actors, &mut |loader, actor, locals| {
            let Some(draft) = drafts.iter_mut().find(|d| d.actor.name == *actor) else {
                let message = format!("`{actor}` has no actions");
                loader.problems.push(
                    Diagnostic::new(Code::System, actors.span, message)
                        .label("not in any `actions` statement")
                        .help(format!("declare them: `actions {actor}: ...`")),
                );
                return;
            };
            draft.bound = true;
            let own = draft.actor.actions.clone();
            let mut lines: Vec<ProtocolLine> = Vec::new();
            let resolved = loader.resolve(|r| {
                r.with_bindings(locals.clone(), |r| {
                    r.each(binders, &mut |r| {
                        let mut enabled = Vec::new();
                        for item in actions {
                            r.each(&item.binders, &mut |r| {
                                let name = r.plain_name(&item.expr)?;
                                match own.iter().position(|a| *a == name) {
                                    Some(at) => enabled.push(at),
                                    None => return Err(unknown_action(r, actor, &name, &own, item.expr.span)),
                                }
                                Ok(())
                            })?;
                        }
                        let guard = match when {
                            When::If(expr) => Some((r.whole_formula(expr)?, expr.span)),
                            When::Always | When::Otherwise => None,
                        };
                        lines.push((enabled, guard));
                        Ok(())
                    })
                })
            });
            if resolved.is_none() {
                return;
            }
            for (enabled, guard) in lines {
                let guard = match (when, guard) {
                    (When::Otherwise, _) => {
                        draft.actor.otherwise.extend(enabled);
                        continue;
                    }
                    (_, None) => Formula::truth(),
                    (_, Some((guard, place))) => {
                        let facts = loader.no_actions_as_facts(&guard, place);
                        if !facts || !loader.own_knowledge(&guard, actor, place) {
                            return;
                        }
                        guard
                    }
                };
                draft.actor.protocol.push(Allow { guard, actions: enabled, span });
            }
        });
    }

    /// A guard may ask what its own actor knows, and nothing else beyond facts.
    fn own_knowledge(&mut self, guard: &F, actor: &Name, span: Span) -> bool {
        let mut problem = None;
        let mut todo = vec![guard.clone()];
        while let Some(f) = todo.pop() {
            let asks = |who: &Name| (who != actor).then(|| format!("this asks what `{who}` knows"));
            match &*f {
                Formula::Knows(who, g) | Formula::Possible(who, g) | Formula::KnowsWhether(who, g) => {
                    problem = problem.or(asks(who));
                    if g.is_dynamic() || g.is_temporal() {
                        problem = Some("time and knowledge actions have no place in a guard".to_string());
                    }
                }
                Formula::Everyone(..) | Formula::Common(..) | Formula::Distributed(..) => {
                    problem = Some("a guard asks what its own actor knows: `K[..]`, `S[..]`, `Kw[..]`".to_string());
                }
                other if other.needs_system() || matches!(other, Formula::After(..) | Formula::Can(..)) => {
                    problem = Some("time and knowledge actions have no place in a guard".to_string());
                }
                other => todo.extend(other.children().into_iter().cloned()),
            }
        }
        if let Some(problem) = problem {
            self.problems.push(
                Diagnostic::new(Code::System, span, format!("the protocol of `{actor}` cannot depend on this"))
                    .label(problem),
            );
            return false;
        }
        true
    }

    fn next(
        &mut self,
        target: &Expr,
        value: &NextExpr,
        guard: Option<&Expr>,
        binders: &Binders,
        span: Span,
    ) -> Vec<(Name, Rule)> {
        let mut found: Vec<(Name, Rule)> = Vec::new();
        let mut guards: Vec<(F, Span)> = Vec::new();
        self.resolve(|r| {
            r.in_step = true;
            r.each(binders, &mut |r| {
                let name = r.plain_name(target)?;
                let next = match value {
                    NextExpr::Value(value) => match r.change(target, value)? {
                        crate::formula::Change::Prop(_, f) => {
                            guards.push((f.clone(), value.span));
                            Next::Formula(f)
                        }
                        crate::formula::Change::Var(_, term) => Next::Term(term),
                    },
                    NextExpr::In(set) => r.any_of(&name, set, target.span)?,
                };
                let guard = match guard {
                    Some(guard) => {
                        let formula = r.try_formula(guard)?;
                        guards.push((formula.clone(), guard.span));
                        formula
                    }
                    None => Formula::truth(),
                };
                found.push((name.clone(), Rule { guard, sets: vec![(name, next)], span }));
                Ok(())
            })
        });
        for (formula, place) in guards {
            if !self.objective(&formula, place, "a step") {
                return Vec::new();
            }
        }
        found
    }

    /// Adds what `of` says: an agent observes its own propositions and variables.
    pub(super) fn observe_own(&mut self, model: &mut LawModel) {
        let index: HashMap<Name, usize> = model.agents.iter().cloned().zip(0..).collect();
        for (owner, what, span) in self.owned.clone() {
            let seen = if self.scope.vars.contains_key(&what) {
                Observation::Term(crate::formula::Term::Var(what))
            } else {
                Observation::Formula(Formula::atom(what))
            };
            match index.get(&owner) {
                Some(&agent) if !model.observes[agent].contains(&seen) => model.observes[agent].push(seen),
                Some(_) => {}
                None if self.environments.iter().any(|(e, _)| *e == owner) => {}
                None => {
                    let mut problem = Diagnostic::new(Code::UnknownAgent, span, format!("unknown agent `{owner}`"))
                        .label("not declared in `agents` or `environment`");
                    if let Some(near) = nearest(&owner, model.agents.iter().map(|a| &**a)) {
                        problem = problem.help(format!("did you mean `{near}`?"));
                    }
                    self.problems.push(problem);
                }
            }
        }
    }

    /// Refuses a question that uses an action as if it were a fact.
    pub(super) fn no_actions_as_facts(&mut self, formula: &F, span: Span) -> bool {
        match self.scope.action_in(formula) {
            None => true,
            Some(name) => {
                self.problems.push(action_as_fact(&name, span));
                false
            }
        }
    }
}

fn unknown_action(
    r: &mut super::resolve::Resolver<'_>,
    actor: &Name,
    name: &Name,
    own: &[Name],
    span: Span,
) -> Reported {
    let mut problem = Diagnostic::new(Code::UnknownName, span, format!("`{actor}` has no action `{name}`"))
        .label("not in its `actions`");
    if let Some(near) = nearest(name, own.iter().map(|a| &**a)) {
        problem = problem.help(format!("did you mean `{near}`?"));
    }
    r.problems.push(problem);
    Reported
}

impl super::resolve::Resolver<'_> {
    /// `next x in S`: one of the values.
    fn any_of(&mut self, name: &Name, set: &Set, span: Span) -> Result<Next, Reported> {
        let Some(domain) = self.scope.vars.get(name).cloned() else {
            if self.scope.props.contains(name) && matches!(&set.kind, SetKind::Named(s) if s == "bool") {
                return Ok(Next::Either);
            }
            self.problems.push(
                Diagnostic::new(Code::Type, span, format!("`{name}` is not a variable"))
                    .label("a variable of the system belongs here")
                    .help("a proposition may become either: `next p in bool`"),
            );
            return Err(Reported);
        };
        let mut values: Vec<Value> = Vec::new();
        for element in self.elements(set)? {
            let value = self.value(element, set.span)?;
            if !domain.contains(&value) {
                self.problems.push(
                    Diagnostic::new(Code::Number, set.span, format!("`{name}` cannot be {value}"))
                        .label("outside its declared values"),
                );
                return Err(Reported);
            }
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.is_empty() {
            self.problems.push(Diagnostic::new(Code::System, set.span, "no value to choose from").label("empty"));
            return Err(Reported);
        }
        Ok(Next::OneOf(values))
    }
}
