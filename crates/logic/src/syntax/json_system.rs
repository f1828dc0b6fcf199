//! Explicit systems in JSON:
//! `{"agents": [..], "initial": [..], "states": {"s0": {"local": {"a": "x"}, "props": ["p"]}, ..},
//! "transitions": [["s0", "act", "s1"], ..], "programs": {"any": "x + y"}}`.

use super::diagnostic::{Code, Diagnostic, Span, nearest};
use super::json::{Json, JsonKind, ModelReader};
use super::parser::Parser;
use super::scope::{ProgramDef, Scope};
use crate::document::Content;
use crate::formula::Name;
use crate::model::kripke::Classes;
use crate::model::transitions::{Label, Step, Transitions};
use crate::model::{BitSet, Model, Time};
use std::collections::HashMap;

const KEYS: &[&str] = &["agents", "initial", "states", "transitions", "programs"];

/// Whether a JSON model is a system.
pub(super) fn is_system(json: &Json) -> bool {
    let JsonKind::Object(members) = &json.kind else { return false };
    members.iter().any(|(key, _, _)| key == "states" || key == "transitions")
}

/// Reads a system; problems are left with the reader.
pub(super) fn system(reader: &mut ModelReader, json: &Json) -> Option<Content> {
    let members = reader.object(json, "a system: an object with \"agents\", \"initial\", \"states\", \"transitions\"");
    reader.keys(members, KEYS, "a system");
    let get = |key: &str| members.iter().find(|(k, _, _)| k == key).map(|(_, _, v)| v);
    let (Some(agents), Some(initial), Some(states), Some(transitions)) =
        (get("agents"), get("initial"), get("states"), get("transitions"))
    else {
        let missing: Vec<&str> = KEYS[..4].iter().copied().filter(|k| get(k).is_none()).collect();
        reader.problems.push(
            Diagnostic::new(Code::Missing, json.span, format!("a system needs \"{}\"", missing.join("\" and \"")))
                .label("missing here"),
        );
        return None;
    };
    let agents = reader.agents(agents);
    let entries = reader.object(states, "the states: an object from names to {\"local\", \"props\"}");
    let names: Vec<Name> = entries.iter().map(|(name, _, _)| name.as_str().into()).collect();
    let index: HashMap<&str, u32> = entries.iter().map(|(name, _, _)| name.as_str()).zip(0..).collect();
    let size = names.len();
    let mut system = Transitions { agents: agents.clone(), names, ..Transitions::default() };
    let mut local: Vec<Vec<Option<String>>> = vec![vec![None; size]; agents.len()];
    for (state, (name, span, value)) in entries.iter().enumerate() {
        let parts = reader.object(value, "a state: an object with \"local\" and \"props\"");
        reader.keys(parts, &["local", "props"], "a state");
        for (key, _, part) in parts {
            if key == "local" {
                for (agent, span, seen) in reader.object(part, "an object from agents to local states") {
                    let Some(a) = reader.find(agent, *span, &agents, "agent", Code::UnknownAgent) else { continue };
                    if let Some(seen) = reader.text(seen, "a local state, as text") {
                        local[a as usize][state] = Some(seen.to_string());
                    }
                }
            } else if key == "props" {
                for prop in reader.list(part, "a list of propositions") {
                    let Some(prop) = reader.text(prop, "a proposition") else { continue };
                    let prop: Name = prop.into();
                    if !system.props.contains_key(&prop) {
                        system.prop_order.push(prop.clone());
                    }
                    system.props.entry(prop).or_insert_with(|| BitSet::empty(size)).insert(state);
                }
            }
        }
        if let Some(a) = (0..agents.len()).find(|&a| local[a][state].is_none()) {
            let message = format!("state `{name}` has no local state for `{}`", agents[a]);
            reader.problems.push(Diagnostic::new(Code::Missing, *span, message).label("every agent sees something"));
        }
    }
    system.local = local.into_iter().map(|seen| Classes::by_key(seen).of).collect();
    for start in reader.list(initial, "the initial states: a list of names") {
        if let Some(state) = reader.place(start, &index, &system.names, "state")
            && !system.initial.contains(&state)
        {
            system.initial.push(state);
        }
    }
    if system.initial.is_empty() && reader.problems.is_empty() {
        let problem = Diagnostic::new(Code::NoWorld, initial.span, "the system has no initial state");
        reader
            .problems
            .push(problem.label("empty").help("a formula holds in a system if it holds at every initial state"));
    }
    steps(reader, transitions, &index, &mut system);
    let mut scope = Scope::free(&agents);
    if let Some(programs) = get("programs") {
        let actions: Vec<Name> = system.labels.iter().map(|l| l.text.clone()).collect();
        programs_of(reader, programs, &actions, &mut scope);
    }
    scope.timed = true;
    let model = Model::Kripke(system.beginning());
    Some(Content { model, time: Some(Time::Transitions(system)), queries: Vec::new(), refused: Vec::new(), scope })
}

fn steps(reader: &mut ModelReader, json: &Json, index: &HashMap<&str, u32>, system: &mut Transitions) {
    let mut labels: HashMap<String, u32> = HashMap::new();
    let mut all: Vec<Vec<Step>> = vec![Vec::new(); system.names.len()];
    for step in reader.list(json, "a list of transitions") {
        let [from, action, to] = reader.list(step, "a transition: [state, action, state]") else {
            reader.shape(step.span, "a transition: [state, action, state]");
            continue;
        };
        let (from, to) =
            (reader.place(from, index, &system.names, "state"), reader.place(to, index, &system.names, "state"));
        let Some(action) = reader.text(action, "an action's name") else { continue };
        let (Some(from), Some(target)) = (from, to) else { continue };
        let next = labels.len() as u32;
        let label = *labels.entry(action.to_string()).or_insert(next);
        if label == next {
            let text: Name = action.into();
            system.labels.push(Label { text: text.clone(), names: vec![text], choices: Vec::new() });
        }
        all[from as usize].push(Step { label, target, condition: 0 });
    }
    system.offsets = vec![0];
    for mut list in all {
        list.sort_unstable();
        list.dedup();
        system.steps.extend(list);
        system.offsets.push(system.steps.len() as u32);
    }
}

fn programs_of(reader: &mut ModelReader, json: &Json, actions: &[Name], scope: &mut Scope) {
    for (name, span, value) in reader.object(json, "an object from names to programs") {
        let Some(text) = reader.text(value, "a program, as text") else { continue };
        if actions.iter().any(|a| **a == **name) {
            let problem = Diagnostic::new(Code::Duplicate, *span, format!("`{name}` is an action too"));
            reader.problems.push(problem.label("a program needs a name of its own"));
            continue;
        }
        let mut parser = Parser::new(text);
        let body = parser.action();
        parser.end();
        if let Some(problem) = parser.problems.first() {
            let message = format!("in the program `{name}`: {}", problem.message);
            reader.problems.push(Diagnostic::new(problem.code, value.span, message).label("in this text"));
            continue;
        }
        scope.programs.insert(name.clone(), ProgramDef { params: Vec::new(), body });
    }
    let mut defined: Vec<(&String, &Span, &Json)> = Vec::new();
    if let JsonKind::Object(members) = &json.kind {
        defined.extend(members.iter().map(|(n, s, v)| (n, s, v)));
    }
    for (name, _, value) in defined {
        if let Err(problems) = scope.formula(&format!("EX{{{name}}} true")) {
            for problem in problems {
                let message = format!("in the program `{name}`: {}", problem.message);
                reader.problems.push(Diagnostic::new(problem.code, value.span, message).label("in this text"));
            }
        }
    }
}

impl ModelReader {
    /// Reports members with keys that are not known.
    pub(super) fn keys(&mut self, members: &[(String, Span, Json)], known: &[&str], what: &str) {
        for (key, span, _) in members {
            if !known.contains(&key.as_str()) {
                let mut problem = Diagnostic::new(Code::Shape, *span, format!("unknown key `{key}`"))
                    .label(format!("not part of {what}"));
                if let Some(near) = nearest(key, known.iter().copied()) {
                    problem = problem.help(format!("did you mean `{near}`?"));
                }
                self.problems.push(problem);
            }
        }
    }

    /// A list of agents, each once.
    pub(super) fn agents(&mut self, json: &Json) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::new();
        for agent in self.list(json, "a list of agents") {
            let Some(name) = self.text(agent, "an agent's name") else { continue };
            if names.iter().any(|n| &**n == name) {
                let problem = Diagnostic::new(Code::Duplicate, agent.span, format!("agent `{name}` is given twice"));
                self.problems.push(problem.label("again here"));
                continue;
            }
            names.push(name.into());
        }
        names
    }
}
