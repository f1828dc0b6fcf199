//! Belief files in JSON. All problems of a file are found at once, each with its place.
//!
//! ```json
//! {"core": ["…"], "hypothetical": ["…"], "factual": ["…"], "input": ["…"],
//!  "now": 0, "actions": [{"name": "look", "learn": "…", "precondition": "…"}], "goal": "…"}
//! ```

use super::language::{Alpha, Formula, Store};
use super::plan::Action;
use super::revise::{Base, Part};
use crate::syntax::{Code, Diagnostic, Json, JsonKind, Span, json_with_places, nearest};
use std::collections::HashMap;

/// What a file is for: the keys that it must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A base alone.
    Base,
    /// A base and an input.
    Revision,
    /// A base, the time, actions and a goal.
    Plan,
}

/// What a belief file says.
#[derive(Clone, Debug, Default)]
pub struct BeliefFile {
    /// The base; a part that is left out is empty.
    pub base: Base,
    /// What is learned; empty unless for a revision.
    pub input: Vec<Alpha>,
    /// The actions with their names; each teaches at the time after `now`.
    pub actions: Vec<(String, Action)>,
    /// The goal, for a plan.
    pub goal: Option<Alpha>,
    texts: HashMap<(Part, Alpha), String>,
    core_texts: HashMap<Alpha, String>,
}

impl BeliefFile {
    /// Reads a file; `store` receives its formulas.
    pub fn read(store: &mut Store, text: &str, purpose: Purpose) -> Result<BeliefFile, Vec<Diagnostic>> {
        let json = json_with_places(text).map_err(|problem| vec![*problem])?;
        let mut reader = Reader { text, store, problems: Vec::new(), file: BeliefFile::default() };
        reader.whole(&json, purpose);
        if reader.problems.is_empty() { Ok(reader.file) } else { Err(reader.problems) }
    }

    /// A fact or hypothesis as the text it came in; the input counts as facts.
    pub fn text(&self, store: &Store, part: Part, alpha: Alpha) -> String {
        self.texts.get(&(part, alpha)).cloned().unwrap_or_else(|| store.show_basic(alpha))
    }

    /// A formula as the text it came in, wherever that was.
    pub fn any_text(&self, store: &Store, alpha: Alpha) -> String {
        let mutable = [Part::Factual, Part::Hypothetical].iter().find_map(|&part| self.texts.get(&(part, alpha)));
        mutable.or_else(|| self.core_texts.get(&alpha)).cloned().unwrap_or_else(|| store.show_basic(alpha))
    }
}

struct Reader<'t, 's> {
    text: &'t str,
    store: &'s mut Store,
    problems: Vec<Diagnostic>,
    file: BeliefFile,
}

const PARTS: [&str; 3] = ["core", "hypothetical", "factual"];

impl Reader<'_, '_> {
    fn shape(&mut self, span: Span, wanted: &str) {
        self.problems.push(Diagnostic::new(Code::Shape, span, format!("expected {wanted}")).label("not this"));
    }

    fn keys(&mut self, members: &[(String, Span, Json)], known: &[&str], what: &str) {
        for (i, (key, span, _)) in members.iter().enumerate() {
            if members[..i].iter().any(|(before, _, _)| before == key) {
                let message = format!("`{key}` is there twice");
                self.problems.push(Diagnostic::new(Code::Duplicate, *span, message).label("the second one"));
            } else if !known.contains(&key.as_str()) {
                let mut problem = Diagnostic::new(Code::Shape, *span, format!("{what} has no `{key}`"));
                problem.help = nearest(key, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                self.problems.push(problem.label(format!("expected {}", known.join(", "))));
            }
        }
    }

    fn whole(&mut self, json: &Json, purpose: Purpose) {
        let JsonKind::Object(members) = &json.kind else {
            return self.shape(json.span, "a belief base: an object with core, hypothetical and factual");
        };
        let own: &[&str] = match purpose {
            Purpose::Base => &[],
            Purpose::Revision => &["input"],
            Purpose::Plan => &["now", "actions", "goal"],
        };
        self.keys(members, &[&PARTS, own].concat(), "this file");
        let mut get = |key: &str, needed: bool| {
            let found = members.iter().find(|(name, _, _)| name == key).map(|(_, _, value)| value);
            if found.is_none() && needed {
                let message = format!("`{key}` is missing");
                self.problems.push(Diagnostic::new(Code::Missing, json.span, message).label("needed here"));
            }
            found
        };
        let parts = PARTS.map(|part| get(part, false));
        let [input, now, actions, goal] =
            ["input", "now", "actions", "goal"].map(|key| get(key, own.contains(&key)).filter(|_| own.contains(&key)));
        for (part, list) in PARTS.iter().zip(parts) {
            let Some(list) = list else { continue };
            let found = self.formulas(list);
            let formulas = found.iter().map(|(alpha, _)| *alpha).collect();
            match *part {
                "core" => {
                    self.file.base.core = formulas;
                    self.file.core_texts.extend(found);
                }
                "hypothetical" => {
                    self.file.base.hypothetical = formulas;
                    self.remember(Part::Hypothetical, found);
                }
                _ => {
                    self.file.base.factual = formulas;
                    self.remember(Part::Factual, found);
                }
            }
        }
        if let Some(input) = input {
            let found = self.formulas(input);
            self.file.input = found.iter().map(|(alpha, _)| *alpha).collect();
            self.remember(Part::Factual, found);
        }
        self.file.goal = goal.and_then(|goal| self.basic(goal)).map(|(alpha, _)| alpha);
        let next = now.and_then(|now| self.next(now));
        if let Some(actions) = actions {
            self.actions(actions, next);
        }
    }

    /// The first text of a formula in a list stays.
    fn remember(&mut self, part: Part, found: Vec<(Alpha, String)>) {
        for (alpha, text) in found {
            self.file.texts.entry((part, alpha)).or_insert(text);
        }
    }

    /// The time after now.
    fn next(&mut self, now: &Json) -> Option<u32> {
        match now.kind {
            JsonKind::Number(n) if n >= 0.0 && n.fract() == 0.0 && n < f64::from(u32::MAX) => Some(n as u32 + 1),
            JsonKind::Number(n) if n < 0.0 => {
                let problem = Diagnostic::new(Code::Number, now.span, "a time cannot be negative");
                let help = "times are natural numbers: nothing is before 0";
                self.problems.push(problem.label("before the beginning").help(help));
                None
            }
            _ => {
                self.shape(now.span, "a time, a whole number from 0");
                None
            }
        }
    }

    fn actions(&mut self, list: &Json, next: Option<u32>) {
        let JsonKind::List(items) = &list.kind else {
            return self.shape(list.span, "a list of actions {\"name\", \"learn\", \"precondition\"}");
        };
        for item in items {
            let JsonKind::Object(members) = &item.kind else {
                self.shape(item.span, "an action {\"name\", \"learn\", \"precondition\"}");
                continue;
            };
            self.keys(members, &["name", "learn", "precondition"], "an action");
            let get = |key: &str| members.iter().find(|(name, _, _)| name == key).map(|(_, _, value)| value);
            let (Some(name), Some(learn)) = (get("name"), get("learn")) else {
                let message = "an action needs `name` and `learn`";
                self.problems.push(Diagnostic::new(Code::Missing, item.span, message).label("one is missing"));
                continue;
            };
            let JsonKind::Text(name) = &name.kind else {
                self.shape(name.span, "the name of the action");
                continue;
            };
            let learn = self.basic(learn);
            let precondition = match get("precondition") {
                Some(text) => self.formula(text),
                None => {
                    let always = self.store.verum();
                    Some(self.store.plain(always))
                }
            };
            if let (Some((learn, _)), Some(precondition), Some(time)) = (learn, precondition, next) {
                self.file.actions.push((name.clone(), Action { learn, time, precondition }));
            }
        }
    }

    fn formulas(&mut self, list: &Json) -> Vec<(Alpha, String)> {
        let JsonKind::List(items) = &list.kind else {
            self.shape(list.span, "a list of formulas");
            return Vec::new();
        };
        items.iter().filter_map(|item| self.basic(item)).collect()
    }

    fn basic(&mut self, json: &Json) -> Option<(Alpha, String)> {
        let text = self.string(json)?;
        let read = self.store.parse_basic(text);
        Some((self.placed(json, read)?, text.to_string()))
    }

    fn formula(&mut self, json: &Json) -> Option<Formula> {
        let text = self.string(json)?;
        let read = self.store.parse(text);
        self.placed(json, read)
    }

    fn string<'j>(&mut self, json: &'j Json) -> Option<&'j str> {
        match &json.kind {
            JsonKind::Text(text) => Some(text),
            JsonKind::List(_) | JsonKind::Object(_) | JsonKind::Number(_) | JsonKind::Bool(_) | JsonKind::Null => {
                self.shape(json.span, "a formula as text");
                None
            }
        }
    }

    /// Moves the problems of a formula to its place in the file: exactly, unless escapes make that unsure.
    fn placed<T>(&mut self, json: &Json, read: Result<T, Vec<Diagnostic>>) -> Option<T> {
        let written = &self.text[json.span.start as usize..json.span.end as usize];
        let exact = !written.contains('\\');
        let problems = match read {
            Ok(value) => return Some(value),
            Err(problems) => problems,
        };
        for mut problem in problems {
            problem.span = if exact {
                let start = json.span.start + 1;
                Span { start: start + problem.span.start, end: start + problem.span.end }
            } else {
                json.span
            };
            self.problems.push(problem);
        }
        None
    }
}
