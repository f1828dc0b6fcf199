//! What is declared: agents, their variables and actions, groups.

use super::lexer::Section;
use super::tree::{AgentTree, Domain, FileTree, VarTree, Word};
use crate::formula::{F, Formula, Name, Term, Value};
use crate::model::law::{Observation, Variable};
use crate::syntax::{Code, Diagnostic, nearest};
use std::collections::{HashMap, HashSet};

/// The agent that need not be there and that all may observe.
pub(super) const ENVIRONMENT: &str = "Environment";

/// What a variable may be.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Boolean,
    Range(i64, i64),
    Constants(Vec<Name>),
}

#[derive(Clone, Debug)]
pub(super) struct Var {
    /// The canonical name: `agent.variable`.
    pub(super) name: Name,
    pub(super) values: Values,
    /// Whether every agent observes it.
    pub(super) public: bool,
}

impl Var {
    pub(super) fn observation(&self) -> Observation {
        match self.values {
            Values::Boolean => Observation::Formula(Formula::atom(self.name.clone())),
            Values::Range(..) | Values::Constants(_) => Observation::Term(Term::Var(self.name.clone())),
        }
    }

    /// The variable as the model has it; `None` of a proposition.
    pub(super) fn variable(&self) -> Option<Variable> {
        let values = match &self.values {
            Values::Boolean => return None,
            Values::Range(low, high) => (*low..=*high).map(Value::Int).collect(),
            Values::Constants(all) => all.iter().cloned().map(Value::Sym).collect(),
        };
        Some(Variable { name: self.name.clone(), values })
    }

    /// The values, for messages.
    pub(super) fn describe(&self) -> String {
        match &self.values {
            Values::Boolean => "it is `true` or `false`".to_string(),
            Values::Range(low, high) => format!("it is from {low} to {high}"),
            Values::Constants(all) => {
                let some: Vec<String> = all.iter().take(6).map(|v| format!("`{v}`")).collect();
                format!("it is one of {}{}", some.join(", "), if all.len() > 6 { ", …" } else { "" })
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Agent<'t> {
    pub(super) name: Name,
    pub(super) vars: Vec<Var>,
    /// Its own variables by their short names.
    own: HashMap<&'t str, usize>,
    /// The variables of the environment that it observes, by their indices.
    pub(super) sees: Vec<usize>,
    /// The short names of actions, as written, with the names that the system gives them.
    pub(super) actions: Vec<(&'t str, Name)>,
    action_index: HashMap<&'t str, usize>,
    /// Where it is not as it ought to be, if the file says so.
    pub(super) red: Option<F>,
}

impl<'t> Agent<'t> {
    pub(super) fn var(&self, name: &str) -> Option<&Var> {
        self.vars.get(*self.own.get(name)?)
    }

    pub(super) fn var_names(&self) -> impl Iterator<Item = &'t str> + '_ {
        self.own.keys().copied()
    }

    pub(super) fn action(&self, name: &str) -> Option<usize> {
        self.action_index.get(name).copied()
    }

    /// The atom that is true in steps in which the agent does the action.
    pub(super) fn action_atom(&self, name: &str) -> Option<F> {
        let (_, action) = self.actions.get(self.action(name)?)?;
        Some(Formula::atom(format!("{}.{action}", self.name)))
    }
}

/// Everything declared in a file.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    pub(super) agents: Vec<Agent<'t>>,
    agent_index: HashMap<&'t str, usize>,
    pub(super) environment: Option<usize>,
    pub(super) groups: HashMap<&'t str, Vec<Name>>,
    /// The propositions of `Evaluation`, in order.
    pub(super) evaluation: Vec<(&'t str, F)>,
    evaluation_index: HashMap<&'t str, usize>,
}

impl<'t> Names<'t> {
    /// Reads the declarations; those of agents given twice are left out.
    pub(super) fn of(file: &FileTree<'t>, problems: &mut Vec<Diagnostic>) -> Names<'t> {
        let mut names = Names::default();
        for (index, tree) in file.agents.iter().enumerate() {
            if names.agent_index.contains_key(tree.name.text) {
                problems.push(twice("agent", tree.name));
            } else {
                names.agent_index.insert(tree.name.text, index);
            }
            names.agents.push(agent(tree, file.complete, problems));
        }
        names.environment = names.agent_index.get(ENVIRONMENT).copied();
        names.sights(file, problems);
        names.members(file, problems);
        names
    }

    /// Who sees which variables of the environment.
    fn sights(&mut self, file: &FileTree<'t>, problems: &mut Vec<Diagnostic>) {
        let environment = self.environment.and_then(|e| self.agents.get(e)).cloned();
        for (index, (agent, tree)) in self.agents.iter_mut().zip(&file.agents).enumerate() {
            if Some(index) == self.environment {
                continue;
            }
            let Some(environment) = &environment else {
                if let (Some(first), true) = (tree.lobsvars.first(), file.complete) {
                    let message = "there is no agent `Environment` to observe";
                    problems.push(Diagnostic::new(Code::UnknownAgent, first.span, message).label("its variable"));
                }
                continue;
            };
            agent.sees = (0..environment.vars.len()).filter(|&v| environment.vars[v].public).collect();
            let mut listed = HashSet::new();
            for word in &tree.lobsvars {
                if !listed.insert(word.text) {
                    problems.push(twice("variable", *word));
                    continue;
                }
                match environment.own.get(word.text) {
                    Some(var) if agent.sees.contains(var) => {}
                    Some(&var) => agent.sees.push(var),
                    None if file.complete => {
                        let near = nearest(word.text, environment.var_names());
                        let message = format!("`Environment` has no variable `{}`", word.text);
                        let mut problem = Diagnostic::new(Code::UnknownName, word.span, message).label("not declared");
                        problem.help = near.map(|near| format!("did you mean `{near}`?"));
                        problems.push(problem);
                    }
                    None => {}
                }
            }
        }
    }

    fn members(&mut self, file: &FileTree<'t>, problems: &mut Vec<Diagnostic>) {
        for (name, members) in &file.groups {
            if self.groups.contains_key(name.text) {
                problems.push(twice("group", *name));
                continue;
            }
            let mut all: Vec<Name> = Vec::new();
            for member in members {
                match self.agent(member.text) {
                    Some(agent) if all.contains(&agent.name) => problems.push(twice("agent", *member)),
                    Some(agent) => all.push(agent.name.clone()),
                    None if file.complete => problems.push(self.unknown_agent(*member)),
                    None => {}
                }
            }
            self.groups.insert(name.text, all);
        }
    }

    pub(super) fn agent(&self, name: &str) -> Option<&Agent<'t>> {
        self.agents.get(*self.agent_index.get(name)?)
    }

    /// The index of an agent if it is the one that the name means: not given for the second time.
    pub(super) fn index(&self, name: &str) -> Option<usize> {
        self.agent_index.get(name).copied()
    }

    pub(super) fn defined(&self, name: &str) -> Option<&F> {
        Some(&self.evaluation.get(*self.evaluation_index.get(name)?)?.1)
    }

    /// Adds a proposition; false if there is one of the name.
    pub(super) fn define(&mut self, name: &'t str, formula: F) -> bool {
        if self.evaluation_index.contains_key(name) {
            return false;
        }
        self.evaluation_index.insert(name, self.evaluation.len());
        self.evaluation.push((name, formula));
        true
    }

    pub(super) fn unknown_agent(&self, word: Word<'_>) -> Diagnostic {
        let message = format!("unknown agent `{}`", word.text);
        let mut problem = Diagnostic::new(Code::UnknownAgent, word.span, message).label("not declared with `Agent`");
        if self.groups.contains_key(word.text) {
            problem.label = "this is a group".to_string();
            problem.help = Some("for a group write `GK`, `GCK` or `DK`".to_string());
        } else if let Some(near) = nearest(word.text, self.agent_index.keys().copied()) {
            problem.help = Some(format!("did you mean `{near}`?"));
        }
        problem
    }
}

/// "… is declared twice".
pub(super) fn twice(what: &str, word: Word<'_>) -> Diagnostic {
    let message = format!("{what} `{}` is given twice", word.text);
    Diagnostic::new(Code::Duplicate, word.span, message).label("again here")
}

fn agent<'t>(tree: &AgentTree<'t>, complete: bool, problems: &mut Vec<Diagnostic>) -> Agent<'t> {
    let mut agent = Agent {
        name: tree.name.text.into(),
        vars: Vec::new(),
        own: HashMap::new(),
        sees: Vec::new(),
        actions: Vec::new(),
        action_index: HashMap::new(),
        red: None,
    };
    let environment = tree.name.text == ENVIRONMENT;
    for (word, misplaced) in
        [(tree.obsvars.first().map(|v| v.name), !environment), (tree.lobsvars.first().copied(), environment)]
    {
        let Some(word) = word.filter(|_| misplaced) else { continue };
        let message = match environment {
            true => "`Environment` has no `Lobsvars`",
            false => "only `Environment` has `Obsvars`",
        };
        problems.push(Diagnostic::new(Code::Syntax, word.span, message).label("declared here"));
    }
    for (vars, public) in [(&tree.obsvars, true), (&tree.vars, false)] {
        for var in vars {
            declare(&mut agent, var, public, problems);
        }
    }
    for &word in &tree.actions {
        if agent.action_index.contains_key(word.text) {
            problems.push(twice("action", word));
            continue;
        }
        // Action and proposition would be the same atom.
        let prime = if agent.own.contains_key(word.text) { "'" } else { "" };
        agent.action_index.insert(word.text, agent.actions.len());
        agent.actions.push((word.text, format!("{}{prime}", word.text).into()));
    }
    let needed = [Section::Actions, Section::Protocol, Section::Evolution];
    let missing: Vec<String> =
        needed.iter().filter(|s| !tree.parts.contains(s)).map(|s| format!("`{}`", s.word())).collect();
    if !missing.is_empty() && complete {
        let message = format!("agent `{}` has no {}", tree.name.text, missing.join(", "));
        problems.push(Diagnostic::new(Code::Missing, tree.name.span, message).label("this agent"));
    }
    agent
}

fn declare<'t>(agent: &mut Agent<'t>, var: &VarTree<'t>, public: bool, problems: &mut Vec<Diagnostic>) {
    let word = var.name;
    if word.text == "Action" {
        let problem = Diagnostic::new(Code::Reserved, word.span, "`Action` cannot be a variable");
        problems.push(problem.label("it stands for what the agent does"));
        return;
    }
    if agent.own.contains_key(word.text) {
        problems.push(twice("variable", word));
        return;
    }
    let values = match &var.domain {
        Domain::Boolean => Values::Boolean,
        Domain::Range(low, high) => Values::Range(*low, *high),
        Domain::Values(words) => {
            let mut seen = HashSet::new();
            let mut all = Vec::new();
            for &value in words {
                if seen.insert(value.text) {
                    all.push(value.text.into());
                } else {
                    problems.push(twice("value", value));
                }
            }
            Values::Constants(all)
        }
    };
    agent.own.insert(word.text, agent.vars.len());
    agent.vars.push(Var { name: format!("{}.{}", agent.name, word.text).into(), values, public });
}
