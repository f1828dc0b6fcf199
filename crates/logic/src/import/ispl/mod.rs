//! ISPL, the language of MCMAS: interpreted systems and formulas about them.
//!
//! ```text
//! file  ::= [Semantics = MultiAssignment; | Semantics = SingleAssignment;]      -- comments run to the end of the line
//!           agent+  Evaluation (p if φ;)* end Evaluation  InitStates φ; end InitStates
//!           [Groups (g = {a, …};)* end Groups]  [Fairness (φ;)* end Fairness]  Formulae (ψ;)* end Formulae
//! agent ::= Agent a  [Obsvars: var* end Obsvars]  [Lobsvars = {x, …};]  [Vars: var* end Vars]
//!           [RedStates: φ; end RedStates]  Actions = {m, …};
//!           Protocol: (φ: {m, …};)* [Other: {m, …};] end Protocol
//!           Evolution: (x = t and … if φ;)* end Evolution  end Agent
//! var   ::= x: boolean; | x: 1..3; | x: {c, …};
//! φ ::= t = t | t <> t | t < t | … | !φ | φ and φ | φ or φ | φ -> φ | (φ)
//! t ::= x | a.x | Action | a.Action | 3 | true | c | t + t | t - t | t * t | t / t | ~t | t & t | t '|' t | t ^ t | (t)
//! ψ ::= φ over propositions p | a.GreenStates | a.RedStates
//!     | AX ψ | EX ψ | AG ψ | EG ψ | AF ψ | EF ψ | A(ψ U ψ) | E(ψ U ψ)
//!     | K(a, ψ) | GK(g, ψ) | GCK(g, ψ) | DK(g, ψ) | O(a, ψ) | <g>X ψ | <g>F ψ | <g>G ψ | <g>(ψ U ψ)
//!     | A χ | E χ | χ | LTL χ | CTL* ψ
//! χ ::= ψ | !χ | χ and χ | χ or χ | χ -> χ | X χ | F χ | G χ | χ U χ
//! ```
//!
//! A formula of linear time (`F p` without `A` or `E`) speaks of every run; `A X p` is `AX p`. Where only states can be
//! spoken of (`K(a, F p)`) it is refused alone, and the others of the file are answered. An agent without actions (`Actions = {};`) takes no part in what is done, and its variables change like those
//! of others. Fairness may speak of knowledge, not of time.
//!
//! `!` binds tightest but takes a comparison as one piece (`!x = y` denies `x = y`), then `and`, `or`, and `->` to the
//! right. The operators of time, knowledge and strategies bind like `!`.
//!
//! The variable `x` of agent `a` is `a.x` in the model: a proposition if it is boolean. Where an agent does `m` the atom
//! `a.m` is true (`a.m'` if the agent has a variable `m` as well). The agents all observe their own variables; beyond
//! that the others observe the `Obsvars` of `Environment` and the variables of it that they list as `Lobsvars`. An agent
//! must not speak of variables that it does not observe. With `SingleAssignment` every variable changes on its own,
//! otherwise one line of an agent's evolution happens in a step; where several apply, any of them.

mod agent;
mod expr;
mod lexer;
mod names;
mod parser;
mod resolve;
mod scope;
mod tree;

use crate::document::{Content, Query, QueryKind};
use crate::formula::{F, Formula, Name};
use crate::model::law::{Law, LawModel};
use crate::model::system::{Actor, Allow, Evolution, Next, Precedence, Recall, Rule, System};
use crate::model::{Model, Time};
use crate::syntax::{Code, Diagnostic, nearest};
use names::{Agent, Names, twice};
use parser::Parser;
use resolve::{Place, Resolver};
use tree::{AgentTree, Expr, FileTree, Kind, RuleTree, SetTree, Word};

/// How deep expressions may nest.
const MAX_NESTING: usize = 200;

/// How many values a variable may have.
const MAX_VALUES: u64 = 1 << 16;

/// Already reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reported;

/// Reads a system and its formulas in ISPL, the language of MCMAS; on failure, every problem found.
pub(crate) fn model_from_ispl(text: &str) -> Result<Content, Vec<Diagnostic>> {
    let mut parser = Parser::new(text);
    let file = parser.file();
    let mut reader = Reader { file: &file, problems: parser.problems };
    let document = reader.document();
    reader.problems.sort_by_key(|p| p.span.start);
    if reader.problems.is_empty() { Ok(document) } else { Err(reader.problems) }
}

struct Reader<'f, 't> {
    file: &'f FileTree<'t>,
    problems: Vec<Diagnostic>,
}

impl<'f, 't> Reader<'f, 't> {
    fn document(&mut self) -> Content {
        let file = self.file;
        let mut names = Names::of(file, &mut self.problems);
        for (index, tree) in file.agents.iter().enumerate() {
            let red = self.red(&names, index, tree);
            if let Some(agent) = names.agents.get_mut(index) {
                agent.red = red;
            }
        }
        self.evaluation(&mut names);
        let (mut actors, mut evolution) = (Vec::new(), Vec::new());
        for (index, tree) in file.agents.iter().enumerate() {
            // Somebody who can do nothing takes no part in joint actions.
            actors.extend(self.actor(&names, index, tree).filter(|actor| !actor.actions.is_empty()));
            self.evolution(&names, index, tree, &mut evolution);
        }
        let laws = self.laws(&names);
        let fairness = self.fairness(&names);
        let queries = self.queries(&names);
        let red = |agent: &Agent<'t>| Some((agent.name.clone(), agent.red.clone()?));
        let system = System {
            vocabulary: vocabulary(&names, laws),
            actors,
            evolution,
            red: names.agents.iter().filter_map(red).collect(),
            fairness,
            recall: Some(Recall::Forgetful),
            visibility: None,
            may_end: false,
        };
        let scope = scope::scope(&names, &system.vocabulary);
        let refused = file.refused.clone();
        let model = Model::Law(system.vocabulary.clone());
        Content { model, time: Some(Time::System(system)), queries, refused, scope }
    }

    /// Runs `body` with a resolver for the place and keeps its problems.
    fn at<T>(&mut self, names: &Names<'t>, place: Place, body: impl FnOnce(&mut Resolver<'_, 't>) -> T) -> T {
        let mut resolver = Resolver::new(names, self.file.complete, place);
        let result = body(&mut resolver);
        self.problems.append(&mut resolver.problems);
        result
    }

    /// Where the agent is not as it ought to be.
    fn red(&mut self, names: &Names<'t>, index: usize, tree: &AgentTree<'t>) -> Option<F> {
        if let (Some(red), Some(green)) = (tree.red.first(), tree.green.first()) {
            let later = if red.span.start < green.span.start { green } else { red };
            let problem = Diagnostic::new(Code::Duplicate, later.span, "both red and green states");
            self.problems.push(problem.label("each is the complement of the other: one is enough"));
        }
        let states = if tree.red.is_empty() { &tree.green } else { &tree.red };
        let formulas: Vec<F> = self.at(names, Place::State(index), |r| {
            states.iter().filter_map(|condition| r.formula(condition).ok()).collect()
        });
        let any = (!formulas.is_empty()).then(|| Formula::or(formulas))?;
        Some(if tree.red.is_empty() { Formula::negation(any) } else { any })
    }

    fn evaluation(&mut self, names: &mut Names<'t>) {
        let file = self.file;
        let formulas: Vec<(Word<'t>, F)> = self.at(names, Place::Global, |r| {
            // A wrong definition still gives the name a meaning.
            let mut formula = |condition| r.formula(condition).unwrap_or_else(|Reported| Formula::truth());
            file.evaluation.iter().map(|(name, condition)| (*name, formula(condition))).collect()
        });
        for (name, formula) in formulas {
            if !names.define(name.text, formula) {
                self.problems.push(twice("proposition", name));
            }
        }
    }

    fn actor(&mut self, names: &Names<'t>, index: usize, tree: &AgentTree<'t>) -> Option<Actor> {
        let agent = names.agents.get(index)?;
        let mut actor = Actor {
            name: agent.name.clone(),
            actions: agent.actions.iter().map(|(_, name)| name.clone()).collect(),
            protocol: Vec::new(),
            otherwise: Vec::new(),
            span: tree.name.span,
        };
        let mut others = 0;
        self.at(names, Place::State(index), |r| {
            for line in &tree.protocol {
                let guard = line.guard.as_ref().map(|guard| r.formula(guard));
                let actions = enabled(r, agent, &line.actions);
                match guard {
                    None => {
                        others += 1;
                        if others > 1 {
                            let problem = Diagnostic::new(Code::Duplicate, line.span, "a second `Other`");
                            r.problems.push(problem.label("again here"));
                        }
                        actor.otherwise = actions;
                    }
                    Some(Ok(guard)) => actor.protocol.push(Allow { guard, actions, span: line.span }),
                    Some(Err(Reported)) => {}
                }
            }
        });
        Some(actor)
    }

    /// Adds what the agent's evolution says.
    fn evolution(&mut self, names: &Names<'t>, index: usize, tree: &AgentTree<'t>, all: &mut Vec<Evolution>) {
        let Some(agent) = names.agents.get(index) else { return };
        let single = self.file.single;
        let first = all.len();
        self.at(names, Place::Step(index), |r| {
            for line in &tree.evolution {
                if let (true, Some(second)) = (single, line.sets.get(1)) {
                    let problem = Diagnostic::new(Code::Syntax, second.span, "one line changes one variable here")
                        .label("a second change")
                        .help("with `Semantics = SingleAssignment` write a line for each variable");
                    r.problems.push(problem);
                }
                let Ok(rule) = rule(r, agent, line) else { continue };
                let target = rule.sets.first().map(|(name, _)| name.clone());
                let group = all.get_mut(first..).unwrap_or_default().iter_mut().find(|group| {
                    !single || group.rules.iter().any(|r| r.sets.first().map(|(name, _)| name) == target.as_ref())
                });
                match group {
                    Some(group) => group.rules.push(rule),
                    None => all.push(Evolution { rules: vec![rule], precedence: Precedence::Any }),
                }
            }
        });
    }

    fn laws(&mut self, names: &Names<'t>) -> Vec<Law> {
        let file = self.file;
        if let Some(second) = file.init.get(1) {
            let problem = Diagnostic::new(Code::Syntax, second.span, "a second condition on initial states");
            self.problems.push(problem.label("join them with `and` or `or`"));
        }
        self.at(names, Place::Global, |r| {
            let mut laws = Vec::new();
            let mut todo: Vec<&Expr<'t>> = file.init.iter().rev().collect();
            while let Some(condition) = todo.pop() {
                if let Kind::And(parts) = &condition.kind {
                    todo.extend(parts.iter().rev());
                } else if let Ok(formula) = r.formula(condition) {
                    laws.push(Law { formula, span: condition.span });
                }
            }
            laws
        })
    }

    fn fairness(&mut self, names: &Names<'t>) -> Vec<F> {
        let file = self.file;
        self.at(names, Place::Formula, |r| {
            let mut all = Vec::new();
            for condition in &file.fairness {
                let Ok(formula) = r.formula(condition) else { continue };
                if formula.is_temporal() {
                    let message = "fairness speaks of states, not of runs";
                    let problem = Diagnostic::new(Code::Objective, condition.span, message);
                    r.problems.push(problem.label("time, strategies or obligations"));
                }
                all.push(formula);
            }
            all
        })
    }

    fn queries(&mut self, names: &Names<'t>) -> Vec<Query> {
        let mut queries = Vec::new();
        for (tree, text) in &self.file.formulae {
            // A resolver each, so that an unknown name is reported in every formula.
            let formula = self.at(names, Place::Formula, |r| r.formula(tree));
            let Ok(formula) = formula else { continue };
            let (text, span) = (text.clone(), tree.span);
            queries.push(Query { kind: QueryKind::Check, formula, text, at: None, expected: None, span });
        }
        queries
    }
}

/// The actions of a line, as indices.
fn enabled<'t>(r: &mut Resolver<'_, 't>, agent: &Agent<'t>, words: &[Word<'t>]) -> Vec<usize> {
    let mut actions = Vec::new();
    for word in words {
        match agent.action(word.text) {
            Some(action) if actions.contains(&action) => {}
            Some(action) => actions.push(action),
            None => {
                let message = format!("`{}` has no action `{}`", agent.name, word.text);
                let problem = Diagnostic::new(Code::Action, word.span, message).label("not among its `Actions`");
                // Told once; the other lines are read as if it were not there.
                let _: Result<(), Reported> =
                    r.unknown(problem, nearest(word.text, agent.actions.iter().map(|(a, _)| *a)));
            }
        }
    }
    actions
}

fn rule<'t>(r: &mut Resolver<'_, 't>, agent: &Agent<'t>, line: &RuleTree<'t>) -> Result<Rule, Reported> {
    let guard = r.formula(&line.guard);
    let mut sets: Vec<(Name, Next)> = Vec::new();
    let mut whole = true;
    for set in &line.sets {
        match change(r, agent, set) {
            Ok((name, _)) if sets.iter().any(|(other, _)| *other == name) => {
                r.problems.push(twice("variable", set.target));
            }
            Ok(change) => sets.push(change),
            Err(Reported) => whole = false,
        }
    }
    if whole { Ok(Rule { guard: guard?, sets, span: line.span }) } else { Err(Reported) }
}

fn change<'t>(r: &mut Resolver<'_, 't>, agent: &Agent<'t>, set: &SetTree<'t>) -> Result<(Name, Next), Reported> {
    let foreign = set.owner.filter(|owner| owner.text != &*agent.name);
    let Some(var) = agent.var(set.target.text).filter(|_| foreign.is_none()) else {
        let span = foreign.map_or(set.target.span, |owner| owner.span.to(set.target.span));
        let message = format!("`{}` has no variable `{}` of its own", agent.name, set.target.text);
        let problem =
            Diagnostic::new(Code::UnknownName, span, message).label("an agent changes its own variables only");
        return r.unknown(problem, nearest(set.target.text, agent.var_names()).filter(|_| foreign.is_none()));
    };
    Ok((var.name.clone(), r.next(var, &set.value)?))
}

/// Agents, variables and observations; the laws describe the initial states.
fn vocabulary(names: &Names<'_>, laws: Vec<Law>) -> LawModel {
    let environment = names.environment.and_then(|e| names.agents.get(e));
    let mut model = LawModel { laws, ..LawModel::default() };
    for agent in &names.agents {
        model.agents.push(agent.name.clone());
        let public = agent.sees.iter().filter_map(|&var| environment?.vars.get(var));
        model.observes.push(agent.vars.iter().chain(public).map(|var| var.observation()).collect());
        for var in &agent.vars {
            model.declaration.push(var.name.clone());
            match var.variable() {
                Some(variable) => model.vars.push(variable),
                None => model.props.push(var.name.clone()),
            }
        }
    }
    model
}
