//! A `.ken` file to a model and its questions.

use super::ast::*;
use super::diagnostic::{Code, Diagnostic, Span, nearest};
use super::parser::Parser;
use super::resolve::{Known, Reported, Resolver};
use super::scope::{ActionDef, AgentName, LetDef, Scope};
use super::system::is_system;
use crate::document::{Content, Expected, Query, QueryKind as Asked, WorldName};
use crate::formula::{F, Formula, Name, Sight, Value};
use crate::model::kripke::{Classes, Edges, Relation};
use crate::model::law::{Facts, Law, LawModel, Observation, Point, Variable};
use crate::model::{Kripke, Model, Time};
use num_bigint::BigInt;
use std::collections::{HashMap, HashSet};

/// Reads a `.ken` file; `overrides` replace the defaults of parameters. On failure, every problem found.
pub(crate) fn model_from_ken(text: &str, overrides: &[(String, BigInt)]) -> Result<Content, Vec<Diagnostic>> {
    let mut parser = Parser::new(text);
    let tree = parser.file();
    let mut loader = Loader::default();
    loader.declare(&tree, overrides);
    loader.declare_system(&tree);
    loader.distinct_definitions(&tree);
    loader.unused_overrides(overrides);
    let document = loader.build(text, &tree);
    let mut problems = parser.problems;
    if !problems.is_empty() {
        // What could be read is looked at too, but a name may be declared where the text is broken.
        let lost = parser.lost_declaration;
        let about_names =
            |code| matches!(code, Code::UnknownName | Code::UnknownAgent | Code::Index | Code::Missing | Code::Type);
        loader.problems.retain(|p| !(lost && about_names(p.code)));
    }
    problems.append(&mut loader.problems);
    problems.sort_by_key(|p| p.span.start);
    problems.dedup_by_key(|p| (p.span, p.code));
    match document {
        Some(document) if problems.is_empty() => Ok(document),
        _ => Err(problems),
    }
}

/// The largest law: laws are evaluated as trees.
const MAX_LAW: u64 = 4_000_000;

#[derive(Default)]
pub(super) struct Loader {
    pub(super) scope: Scope,
    pub(super) problems: Vec<Diagnostic>,
    /// Actors that are no agents.
    pub(super) environments: Vec<(Name, Span)>,
    /// For each actor its actions.
    pub(super) actions: Vec<(Name, Vec<Name>, Span)>,
    /// Whose local state a proposition or variable belongs to.
    pub(super) owned: Vec<(Name, Name, Span)>,
    props: Vec<Name>,
    vars: Vec<Variable>,
    /// Propositions and variables, in order.
    declaration: Vec<Name>,
    /// Every declared name with its place, to report repetitions.
    pub(super) declared: HashMap<String, Span>,
}

impl Loader {
    pub(super) fn resolve<T>(&mut self, body: impl FnOnce(&mut Resolver<'_>) -> Result<T, Reported>) -> Option<T> {
        let mut resolver = Resolver::new(&self.scope);
        let value = body(&mut resolver).ok();
        let problems = resolver.problems;
        let clean = problems.is_empty();
        self.problems.extend(problems);
        value.filter(|_| clean)
    }

    pub(super) fn claim(&mut self, name: &str, span: Span) -> bool {
        if self.declared.contains_key(name) {
            self.problems.push(
                Diagnostic::new(Code::Duplicate, span, format!("`{name}` is declared twice")).label("again here"),
            );
            return false;
        }
        self.declared.insert(name.to_string(), span);
        true
    }

    /// Names with their indices: the canonical name, the part before the indices, the indices, the place.
    pub(super) fn names(&mut self, items: &[Item]) -> Vec<(Name, String, Vec<Value>, Span)> {
        let mut all = Vec::new();
        self.resolve(|r| {
            for item in items {
                r.each(&item.binders, &mut |r| {
                    // A bound variable stands for its value: `agents i for i in 1..n`.
                    let bound = r.bound_value(&item.expr);
                    let (base, args): (&str, &[Expr]) = match &item.expr.kind {
                        ExprKind::Name(name) => (bound.as_deref().unwrap_or(name), &[]),
                        ExprKind::Int(digits) => (digits, &[]),
                        ExprKind::Call(base, args) => (&base.text, args),
                        _ => return Err(Reported),
                    };
                    if !args.is_empty() && matches!(base, "A" | "E" | "xor" | "oneof") {
                        return r.reserved(base, item.expr.span);
                    }
                    let mut indices = Vec::new();
                    for arg in args {
                        indices.push(match r.known(arg)? {
                            Known::Sym(s) => Value::Sym(s),
                            Known::Int(n) => Value::Int(i64::try_from(&n).unwrap_or(i64::MAX)),
                        });
                    }
                    let name: Name = if indices.is_empty() {
                        base.into()
                    } else {
                        let list: Vec<String> = indices.iter().map(Value::to_string).collect();
                        format!("{base}({})", list.join(",")).into()
                    };
                    all.push((name, base.to_string(), indices, item.expr.span));
                    Ok(())
                })?;
            }
            Ok(())
        });
        all
    }

    fn declare(&mut self, tree: &FileTree, overrides: &[(String, BigInt)]) {
        for statement in &tree.statements {
            match &statement.kind {
                StatementKind::Belief => self.scope.belief = true,
                StatementKind::Param { name, value } => {
                    if self.claim(&name.text, name.span) {
                        let given = overrides.iter().rev().find(|(n, _)| *n == name.text).map(|(_, v)| v.clone());
                        let value = given.or_else(|| self.resolve(|r| r.number(value)));
                        self.scope.params.insert(name.text.clone(), value.unwrap_or_default());
                    }
                }
                StatementKind::Enum { name, values } => {
                    if self.claim(&name.text, name.span) {
                        for value in values {
                            // The same constant may belong to several enumerations.
                            self.scope.constants.insert(value.text.clone());
                        }
                        let values = values.iter().map(|v| Value::Sym(v.text.as_str().into())).collect();
                        self.scope.enums.insert(name.text.clone(), values);
                    }
                }
                StatementKind::Agents(items) => {
                    for (name, base, indices, span) in self.names(items) {
                        if self.claim(&name, span) {
                            self.scope.agents.push(AgentName { name, base, indices });
                        }
                    }
                }
                StatementKind::Props { items, owner } => {
                    for (name, base, _, span) in self.names(items) {
                        self.declare_prop(name, base, span);
                    }
                    self.own(items, owner.as_ref());
                }
                StatementKind::Vars { names, domain, owner, binders } => {
                    let items: Vec<Item> =
                        names.iter().map(|expr| Item { expr: expr.clone(), binders: binders.clone() }).collect();
                    self.declare_vars(&items, domain);
                    self.own(&items, owner.as_ref());
                }
                StatementKind::Let { name, params, body } => {
                    if self.claim(&name.text, name.span) {
                        let params = params.iter().map(|p| p.text.clone()).collect();
                        self.scope.lets.insert(name.text.clone(), LetDef { params, body: body.clone() });
                    }
                }
                StatementKind::Action { name, params, body } => {
                    if self.claim(&name.text, name.span) {
                        let params = params.iter().map(|p| p.text.clone()).collect();
                        self.scope.actions.insert(name.text.clone(), ActionDef { params, body: body.clone() });
                    }
                }
                StatementKind::Law(_)
                | StatementKind::Observe { .. }
                | StatementKind::Worlds(_)
                | StatementKind::Confuse(_)
                | StatementKind::Edges(_)
                | StatementKind::Point { .. }
                | StatementKind::Query { .. }
                | StatementKind::System(_)
                | StatementKind::Environment(_)
                | StatementKind::Actions { .. }
                | StatementKind::Protocol { .. }
                | StatementKind::Next { .. }
                | StatementKind::Initial(_)
                | StatementKind::Program { .. }
                | StatementKind::Fair(_)
                | StatementKind::Red { .. } => {}
            }
        }
    }

    /// A definition must not hide the indexed propositions of the same name.
    fn distinct_definitions(&mut self, tree: &FileTree) {
        for statement in &tree.statements {
            if let StatementKind::Let { name, .. } = &statement.kind
                && self.scope.prop_bases.contains(&name.text)
                && !self.scope.props.contains(name.text.as_str())
            {
                let message = format!("`{}` is declared twice", name.text);
                let problem =
                    Diagnostic::new(Code::Duplicate, name.span, message).label("there are propositions of this name");
                self.problems.push(problem);
            }
        }
    }

    fn declare_prop(&mut self, name: Name, base: String, span: Span) {
        if self.claim(&name, span) {
            self.scope.prop_bases.insert(base);
            self.scope.props.insert(name.clone());
            self.declaration.push(name.clone());
            self.props.push(name);
        }
    }

    /// Notes whose local state these belong to.
    fn own(&mut self, items: &[Item], owner: Option<&Expr>) {
        let Some(owner) = owner else { return };
        let mut found = Vec::new();
        self.resolve(|r| {
            for item in items {
                r.each(&item.binders, &mut |r| {
                    found.push((r.plain_name(owner)?, r.plain_name(&item.expr)?, owner.span));
                    Ok(())
                })?;
            }
            Ok(())
        });
        self.owned.extend(found);
    }

    fn declare_vars(&mut self, items: &[Item], domain: &Set) {
        let declared = self.names(items);
        if matches!(&domain.kind, SetKind::Named(name) if name == "bool") {
            for (name, base, _, span) in declared {
                self.declare_prop(name, base, span);
            }
            return;
        }
        let Some(elements) = self.resolve(|r| r.elements(domain)) else { return };
        let mut values: Vec<Value> = Vec::with_capacity(elements.len());
        let mut seen = HashSet::new();
        for element in elements {
            let value = match element {
                Known::Sym(s) => Value::Sym(s),
                Known::Int(n) => Value::Int(i64::try_from(&n).unwrap_or(i64::MAX)),
            };
            if seen.insert(value.clone()) {
                values.push(value);
            }
        }
        let numbers = values.iter().filter(|v| matches!(v, Value::Int(_))).count();
        if values.is_empty() || (numbers > 0 && numbers < values.len()) {
            let message = if values.is_empty() { "a variable without values" } else { "numbers and constants mixed" };
            self.problems.push(Diagnostic::new(Code::Type, domain.span, message).label("in this domain"));
            return;
        }
        for (name, _, _, span) in declared {
            if self.claim(&name, span) {
                self.scope.vars.insert(name.clone(), values.clone());
                self.declaration.push(name.clone());
                self.vars.push(Variable { name, values: values.clone() });
            }
        }
    }

    fn unused_overrides(&mut self, overrides: &[(String, BigInt)]) {
        for (name, _) in overrides {
            if !self.scope.params.contains_key(name) {
                let mut problem =
                    Diagnostic::new(Code::UnknownName, Span::default(), format!("the model has no parameter `{name}`"))
                        .label("no `param` of that name in this file");
                if let Some(near) = nearest(name, self.scope.params.keys().map(String::as_str)) {
                    problem = problem.help(format!("did you mean `{near}`?"));
                }
                self.problems.push(problem);
            }
        }
    }

    fn build(&mut self, text: &str, tree: &FileTree) -> Option<Content> {
        let explicit = tree.statements.iter().any(|s| matches!(s.kind, StatementKind::Worlds(_)));
        let declares_agents = tree.statements.iter().any(|s| matches!(s.kind, StatementKind::Agents(_)));
        if !declares_agents {
            self.problems.push(
                Diagnostic::new(Code::Missing, Span::default(), "the model has no agents")
                    .label("no `agents` in this file")
                    .help("declare them: `agents alice, bob`"),
            );
        }
        for statement in &tree.statements {
            self.check_definition(&statement.kind);
            if explicit {
                self.refuse_in_explicit(statement);
            } else if let StatementKind::Confuse(_) | StatementKind::Edges(_) = statement.kind {
                self.problems.push(
                    Diagnostic::new(Code::Relation, statement.span, "there are no worlds to relate")
                        .label("needs a `worlds` statement")
                        .help("list the worlds with `worlds`, or say what agents see with `observe`"),
                );
            }
        }
        let timed = is_system(tree);
        if explicit && timed {
            self.problems.push(
                Diagnostic::new(Code::System, Span::default(), "a system does not list worlds")
                    .label("`worlds` does not go with actions and steps")
                    .help("describe the initial states with `initial`, or write an explicit system in JSON"),
            );
            return None;
        }
        let model = if explicit { Model::Kripke(self.explicit(tree)?) } else { Model::Law(self.law_model(tree)) };
        let time = match &model {
            Model::Law(law) if timed => Some(Time::System(self.system(tree, law.clone()))),
            Model::Law(_) | Model::Kripke(_) => None,
        };
        let queries = self.queries(text, tree, explicit);
        Some(Content { model, time, queries, refused: Vec::new(), scope: std::mem::take(&mut self.scope) })
    }

    /// Resolves definitions without parameters even if nothing uses them, so that their problems are seen.
    fn check_definition(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Let { params, body, .. } if params.is_empty() => {
                self.resolve(|r| {
                    // A definition may be meant for steps; where it is used as a fact it is refused.
                    r.in_step = true;
                    r.formula(body);
                    Ok(())
                });
            }
            StatementKind::Action { name, params, .. } if params.is_empty() => {
                let action = ActionExpr { kind: ActionKind::Named(name.clone(), Vec::new()), span: name.span };
                let check = Expr {
                    kind: ExprKind::Dynamic {
                        diamond: false,
                        action,
                        times: None,
                        body: Box::new(Expr { kind: ExprKind::Bool(true), span: name.span }),
                    },
                    span: name.span,
                };
                self.resolve(|r| {
                    r.formula(&check);
                    // Some rules depend on where the action is used.
                    r.problems.retain(|p| p.code != Code::Action);
                    Ok(())
                });
            }
            _ => {}
        }
    }

    fn refuse_in_explicit(&mut self, statement: &Statement) {
        let word = match statement.kind {
            StatementKind::Law(_) => "law",
            StatementKind::Observe { .. } => "observe",
            StatementKind::Vars { .. } => "vars",
            _ => return,
        };
        self.problems.push(
            Diagnostic::new(Code::Relation, statement.span, format!("`{word}` does not go with `worlds`"))
                .label("the worlds of this model are listed")
                .help("use `props`, `worlds`, and `confuse` or `edges`"),
        );
    }

    pub(super) fn objective(&mut self, formula: &F, span: Span, what: &str) -> bool {
        let fine = formula.is_objective();
        if !fine {
            self.problems.push(
                Diagnostic::new(Code::Objective, span, format!("{what} speaks of facts only"))
                    .label("knowledge, actions and time have no place here"),
            );
        }
        fine
    }

    fn law_model(&mut self, tree: &FileTree) -> LawModel {
        let agents: Vec<Name> = self.scope.agents.iter().map(|a| a.name.clone()).collect();
        let mut model = LawModel {
            observes: vec![Vec::new(); agents.len()],
            agents,
            props: self.props.clone(),
            vars: self.vars.clone(),
            belief: self.scope.belief,
            declaration: self.declaration.clone(),
            ..LawModel::default()
        };
        for statement in &tree.statements {
            match &statement.kind {
                StatementKind::Law(expr) | StatementKind::Initial(expr) => {
                    let initial = matches!(statement.kind, StatementKind::Initial(_));
                    let Some(formula) = self.resolve(|r| r.whole_formula(expr)) else { continue };
                    if formula.size() > MAX_LAW {
                        let problem = Diagnostic::new(Code::Large, expr.span, "this law is too large when written out");
                        self.problems.push(problem.label(format!("more than {MAX_LAW} parts")));
                        continue;
                    }
                    if self.no_actions_as_facts(&formula, expr.span)
                        && self.objective(&formula, expr.span, if initial { "`initial`" } else { "a law" })
                    {
                        match &*formula {
                            Formula::And(parts) => model
                                .laws
                                .extend(parts.iter().map(|p| Law { formula: p.clone(), span: statement.span })),
                            _ => model.laws.push(Law { formula, span: statement.span }),
                        }
                    }
                }
                StatementKind::Observe { agents, what } => self.observe(&mut model, agents, what),
                StatementKind::Point { name, facts } => {
                    let Some(facts) = self.facts(facts, true) else { continue };
                    let name = name.as_ref().map(|n| n.text.as_str().into());
                    model.points.push(Point { name, facts, span: statement.span });
                }
                _ => {}
            }
        }
        self.observe_own(&mut model);
        model
    }

    fn observe(&mut self, model: &mut LawModel, agents: &GroupExpr, what: &[Item]) {
        let mut seen: Vec<(usize, Observation, Span)> = Vec::new();
        let index: HashMap<Name, usize> = model.agents.iter().cloned().zip(0..).collect();
        self.resolve(|r| {
            r.each_agent(agents, &mut |r, agent| {
                for item in what {
                    r.each(&item.binders, &mut |r| {
                        let observation = match r.formula_or_term(&item.expr)? {
                            Ok(formula) => Observation::Formula(formula),
                            Err(term) => Observation::Term(term),
                        };
                        seen.push((index[agent], observation, item.expr.span));
                        Ok(())
                    })?;
                }
                Ok(())
            })
        });
        for (agent, observation, span) in seen {
            if let Observation::Formula(f) = &observation
                && !self.objective(f, span, "an observation")
            {
                return;
            }
            if !model.observes[agent].contains(&observation) {
                model.observes[agent].push(observation);
            }
        }
    }

    /// A list of atoms and of `variable = value`; with `complete`, every variable needs a value.
    fn facts(&mut self, items: &[Item], complete: bool) -> Option<Facts> {
        let mut facts = self.resolve(|r| r.facts(items))?;
        let props: HashMap<&Name, usize> = self.props.iter().zip(0..).collect();
        facts.props.sort_by_key(|p| props.get(p).copied());
        let order: HashMap<&Name, usize> = self.vars.iter().map(|v| &v.name).zip(0..).collect();
        facts.vars.sort_by_key(|(x, _)| order.get(x).copied());
        if complete {
            let place = items.first().map_or(Span::default(), |i| i.expr.span);
            for variable in &self.vars {
                if facts.vars.iter().all(|(x, _)| *x != variable.name) {
                    self.problems.push(
                        Diagnostic::new(Code::Point, place, format!("`{}` has no value here", variable.name))
                            .label("a world gives every variable one value"),
                    );
                    return None;
                }
            }
        }
        Some(facts)
    }

    fn explicit(&mut self, tree: &FileTree) -> Option<Kripke> {
        let mut names: Vec<Name> = Vec::new();
        let mut valuations: Vec<Facts> = Vec::new();
        for statement in &tree.statements {
            let StatementKind::Worlds(worlds) = &statement.kind else { continue };
            for world in worlds {
                if names.iter().any(|n| **n == *world.name.text) {
                    self.problems.push(
                        Diagnostic::new(
                            Code::Duplicate,
                            world.name.span,
                            format!("world `{}` is declared twice", world.name.text),
                        )
                        .label("again here"),
                    );
                    continue;
                }
                names.push(world.name.text.as_str().into());
                valuations.push(self.facts(&world.facts, false).unwrap_or_default());
            }
        }
        let agents: Vec<Name> = self.scope.agents.iter().map(|a| a.name.clone()).collect();
        let mut model = Kripke::new(names.len(), agents, self.props.clone());
        for (world, facts) in valuations.iter().enumerate() {
            for prop in &facts.props {
                model.set_true(world, prop);
            }
        }
        let (mut confuse, mut edges) = (Vec::new(), Vec::new());
        for statement in &tree.statements {
            match &statement.kind {
                StatementKind::Confuse(line) => confuse.push(line.clone()),
                StatementKind::Edges(line) => edges.push(line.clone()),
                _ => {}
            }
        }
        let sights = self.resolve(|r| r.sights(&names, &confuse, &edges, "world"))?;
        for (agent, sight) in sights {
            let at = model.agent(&agent)?;
            model.set_relation(
                at,
                match sight {
                    Sight::Classes(classes) => Relation::Classes(Classes::by_key(classes)),
                    Sight::Edges(pairs) => Relation::Edges(Edges::from_pairs(names.len(), pairs)),
                },
            );
        }
        if self.scope.belief {
            // An agent without edges believes everything at every world only if the file says so.
            model.relations = model.relations.into_iter().map(|r| as_edges(r, names.len())).collect();
        }
        for statement in &tree.statements {
            let StatementKind::Point { name, facts } = &statement.kind else { continue };
            let place = facts.first().map_or(statement.span, |f| f.expr.span);
            let world = match facts.as_slice() {
                [Item { expr: Expr { kind: ExprKind::Name(world), .. }, .. }] => {
                    names.iter().position(|n| **n == **world)
                }
                _ => None,
            };
            match world {
                Some(world) => model.add_point(name.as_ref().map(|n| n.text.as_str().into()), world),
                None => self.problems.push(
                    Diagnostic::new(Code::Point, place, "expected the name of a world")
                        .label("not declared in `worlds`"),
                ),
            }
        }
        model.set_names(names);
        Some(model)
    }

    fn queries(&mut self, text: &str, tree: &FileTree, explicit: bool) -> Vec<Query> {
        let mut queries = Vec::new();
        for statement in &tree.statements {
            let StatementKind::Query { kind, formula, expect } = &statement.kind else { continue };
            let source = &text[formula.span.start as usize..formula.span.end as usize];
            let source =
                source.lines().map(|l| l.split("--").next().unwrap_or("").trim()).collect::<Vec<_>>().join(" ");
            let Some(resolved) = self.resolve(|r| r.whole_formula(formula)) else { continue };
            if !self.no_actions_as_facts(&resolved, formula.span) {
                continue;
            }
            let expected = match expect {
                None => None,
                Some(Expect::Truth(b)) => Some(Expected::Truth(*b)),
                Some(Expect::Number(n)) => self.resolve(|r| r.number(n)).map(Expected::Number),
                Some(Expect::Worlds(worlds)) => {
                    let worlds = worlds.iter().filter_map(|items| self.expected_world(items, explicit));
                    Some(Expected::Worlds(worlds.collect()))
                }
            };
            queries.push(Query {
                kind: match kind {
                    QueryKind::Check => Asked::Check,
                    QueryKind::Valid => Asked::Valid,
                    QueryKind::Where => Asked::Where,
                    QueryKind::Count => Asked::Count,
                },
                formula: resolved,
                text: source,
                at: None,
                expected,
                span: statement.span,
            });
        }
        queries
    }

    fn expected_world(&mut self, items: &[Item], explicit: bool) -> Option<WorldName> {
        if let (true, [Item { expr: Expr { kind: ExprKind::Name(name), .. }, .. }]) = (explicit, items) {
            return Some(WorldName::Named(name.clone()));
        }
        self.facts(items, true).map(WorldName::Facts)
    }
}

fn as_edges(relation: Relation, size: usize) -> Relation {
    match relation {
        Relation::Edges(_) => relation,
        Relation::Classes(classes) => {
            let members = classes.members();
            let pairs = (0..size as u32)
                .flat_map(|w| members[classes.of[w as usize] as usize].iter().map(move |&v| (w, v)))
                .collect();
            Relation::Edges(Edges::from_pairs(size, pairs))
        }
    }
}
