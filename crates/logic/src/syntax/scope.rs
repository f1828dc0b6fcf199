//! Declared names, and formulas resolved against them.

use super::ast::*;
use super::diagnostic::{Code, Diagnostic, Span};
use super::parser::Parser;
use super::resolve::{Known, OwnWord, Resolver};
use crate::formula::{Action, F, Formula, Name, Names, Value};
use crate::model::law::Facts;
use num_bigint::BigInt;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

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

#[derive(Clone, Debug)]
pub(crate) struct ProgramDef {
    pub(crate) params: Vec<String>,
    pub(crate) body: ActionExpr,
}

/// A formula about a game, and what it says in the game's own words, with the places.
pub type AboutGame = (F, Vec<(OwnWord, Span)>);

/// The names that formulas of a file may use.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Whether undeclared propositions are allowed (and false): explicit JSON models declare nothing.
    pub(crate) free: bool,
    /// The facts of the game that the formulas are about, if they are about one.
    pub(crate) facts: Option<Vec<String>>,
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
    /// Whether the file describes a system.
    pub(crate) timed: bool,
    /// Actors that know nothing.
    pub(crate) environments: Vec<Name>,
    pub(crate) programs: HashMap<String, ProgramDef>,
    /// The actions of a system as programs may call them, `send` and `sender.send`, each with its full names.
    pub(crate) steps: HashMap<Name, Vec<Name>>,
    /// Definitions already resolved: a name stands for one shared formula wherever it is used.
    resolved: Arc<Mutex<Definitions>>,
}

#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) formulas: HashMap<(String, Vec<Known>), F>,
    pub(crate) models: HashMap<(String, Vec<Known>), Action>,
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

    /// A scope for formulas about a game with these facts, such as `holds` and `env`. The arguments of facts and the
    /// moves of `[move] φ` are in the game's own words: [`Scope::about_game`] gives them back, to be read by the game.
    pub fn of_game(agents: &[Name], facts: &[&str]) -> Scope {
        Scope { facts: Some(facts.iter().map(ToString::to_string).collect()), ..Scope::free(agents) }
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

    /// Gives a formula a name, as `let` does.
    pub(crate) fn define(&mut self, name: &str, formula: F) {
        // The body is never read: the definition counts as resolved already.
        let body = Expr { kind: ExprKind::Bool(true), span: Span::default() };
        self.lets.insert(name.to_string(), LetDef { params: Vec::new(), body });
        self.definitions().formulas.insert((name.to_string(), Vec::new()), formula);
    }

    pub(crate) fn definitions(&self) -> std::sync::MutexGuard<'_, Definitions> {
        self.resolved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the facts of a world, `{p, x = 3}`, where every variable of the scope has a value.
    pub fn facts(&self, text: &str) -> Result<Facts, Vec<Diagnostic>> {
        let mut parser = Parser::new(text);
        let items = parser.fact_set();
        parser.end();
        if !parser.problems.is_empty() {
            return Err(parser.problems);
        }
        let mut resolver = Resolver::new(self);
        let facts = resolver.facts(&items);
        let mut facts = facts.map_err(|_| resolver.problems)?;
        facts.vars.sort();
        let mut missing: Vec<&Name> = self.vars.keys().filter(|x| facts.vars.iter().all(|(y, _)| y != *x)).collect();
        missing.sort();
        match missing.first() {
            None => Ok(facts),
            Some(name) => Err(vec![
                Diagnostic::new(Code::Point, Span::new(0, text.len()), format!("`{name}` has no value here"))
                    .label("a world gives every variable one value"),
            ]),
        }
    }

    /// The names given with `let` that have been used so far, for printing formulas with them.
    pub fn names(&self) -> Names {
        Names::new(self.definitions().formulas.iter().map(|((name, args), f)| {
            let args: Vec<String> = args.iter().map(Known::text).collect();
            let name = if args.is_empty() { name.clone() } else { format!("{name}({})", args.join(",")) };
            (f.clone(), name.into())
        }))
    }

    /// An action that the formula uses as if it were a fact.
    pub(crate) fn action_in(&self, formula: &F) -> Option<Name> {
        let mut named = None;
        formula.any(&mut |f| match f {
            Formula::Atom(name) if self.steps.contains_key(name) => {
                named = Some(name.clone());
                true
            }
            _ => false,
        });
        named
    }

    /// Reads a formula; on failure, every problem found in it.
    pub fn formula(&self, text: &str) -> Result<F, Vec<Diagnostic>> {
        self.about_game(text).map(|(formula, _)| formula)
    }

    /// Reads a formula about a game, with all that it says in the game's own words and where; on failure, every problem
    /// found in it.
    pub fn about_game(&self, text: &str) -> Result<AboutGame, Vec<Diagnostic>> {
        let mut parser = match &self.facts {
            Some(facts) => Parser::of_game(text, facts),
            None => Parser::new(text),
        };
        let tree = parser.formula();
        parser.end();
        if !parser.problems.is_empty() {
            return Err(parser.problems);
        }
        let mut resolver = Resolver::new(self);
        let formula = resolver.whole_formula(&tree);
        let formula = formula.map_err(|_| resolver.problems)?;
        match self.action_in(&formula) {
            None => Ok((formula, resolver.own_words)),
            Some(name) => Err(vec![action_as_fact(&name, tree.span)]),
        }
    }
}

/// An action used where a fact belongs.
pub(crate) fn action_as_fact(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::Type, span, format!("`{name}` is an action, not a fact"))
        .label("used as a formula")
        .help(format!("`EX{{{name}}} φ` speaks of what follows it"))
}
