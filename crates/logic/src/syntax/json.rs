//! Explicit models in JSON, read with places so that every problem can be shown where it is.

use super::diagnostic::{Code, Diagnostic, Span, nearest};
use super::json_system::{is_system, system};
use super::scope::Scope;
use crate::document::Content;
use crate::formula::Name;
use crate::model::kripke::{Classes, Edges, Relation};
use crate::model::{Kripke, Model};
use std::collections::HashMap;

/// A JSON value with its place, so that whoever reads it can show what is wrong where it is.
#[derive(Clone, Debug)]
pub struct Json {
    /// What it is.
    pub kind: JsonKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of JSON values.
#[derive(Clone, Debug)]
pub enum JsonKind {
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Json>),
    /// Members in the order of the file, with the place of each key.
    Object(Vec<(String, Span, Json)>),
    /// A number.
    Number(f64),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
}

const MAX_DEPTH: usize = 64;

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

type Read<T> = Result<T, Box<Diagnostic>>;

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn wrong<T>(&self, wanted: &str) -> Read<T> {
        let length = self.peek().map_or(0, char::len_utf8);
        let found = match self.peek() {
            None => "the text ends".to_string(),
            Some(c) => format!("found `{}`", c.escape_debug()),
        };
        let span = Span::new(self.at, self.at + length);
        Err(Box::new(Diagnostic::new(Code::Syntax, span, format!("expected {wanted}")).label(found)))
    }

    fn value(&mut self, depth: usize) -> Read<Json> {
        self.skip();
        let start = self.at;
        if depth > MAX_DEPTH {
            let span = Span::new(start, start + 1);
            return Err(Box::new(
                Diagnostic::new(Code::Depth, span, format!("nested deeper than {MAX_DEPTH} levels")).label("here"),
            ));
        }
        let kind = match self.peek() {
            Some('"') => JsonKind::Text(self.string()?),
            Some('[') => {
                self.at += 1;
                let mut items = Vec::new();
                self.skip();
                if self.peek() == Some(']') {
                    self.at += 1;
                } else {
                    loop {
                        items.push(self.value(depth + 1)?);
                        if self.closes(']', "`,` or `]`")? {
                            break;
                        }
                    }
                }
                JsonKind::List(items)
            }
            Some('{') => {
                self.at += 1;
                let mut members: Vec<(String, Span, Json)> = Vec::new();
                self.skip();
                if self.peek() == Some('}') {
                    self.at += 1;
                } else {
                    loop {
                        self.skip();
                        let from = self.at;
                        let key = self.string()?;
                        let span = Span::new(from, self.at);
                        self.skip();
                        if self.peek() != Some(':') {
                            return self.wrong("`:` after the key");
                        }
                        self.at += 1;
                        let value = self.value(depth + 1)?;
                        members.push((key, span, value));
                        if self.closes('}', "`,` or `}`")? {
                            break;
                        }
                    }
                }
                let mut seen: HashMap<&str, ()> = HashMap::new();
                for (key, span, _) in &members {
                    if seen.insert(key, ()).is_some() {
                        return Err(Box::new(
                            Diagnostic::new(Code::Duplicate, *span, format!("`{key}` is given twice"))
                                .label("again here"),
                        ));
                    }
                }
                JsonKind::Object(members)
            }
            Some(c) if c == '-' || c.is_ascii_alphanumeric() => {
                let word = self.rest();
                let length =
                    word.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).unwrap_or(word.len());
                let kind = match &word[..length] {
                    "true" => JsonKind::Bool(true),
                    "false" => JsonKind::Bool(false),
                    "null" => JsonKind::Null,
                    number => match number.parse() {
                        Ok(number) => JsonKind::Number(number),
                        Err(_) => return self.wrong("a value"),
                    },
                };
                self.at += length;
                kind
            }
            _ => return self.wrong("a value"),
        };
        Ok(Json { kind, span: Span::new(start, self.at) })
    }

    /// After an element: a comma (more comes) or the closing sign.
    fn closes(&mut self, close: char, wanted: &str) -> Read<bool> {
        self.skip();
        match self.peek() {
            Some(',') => {
                self.at += 1;
                Ok(false)
            }
            Some(c) if c == close => {
                self.at += 1;
                Ok(true)
            }
            _ => self.wrong(wanted),
        }
    }

    fn string(&mut self) -> Read<String> {
        if self.peek() != Some('"') {
            return self.wrong("a string");
        }
        self.at += 1;
        let mut out = String::new();
        loop {
            let Some(c) = self.peek() else { return self.wrong("`\"` to end the string") };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => {
                    self.at += 1;
                    let Some(e) = self.peek() else { return self.wrong("an escape") };
                    match e {
                        'n' => out.push('\n'),
                        't' => out.push('\t'),
                        'r' => out.push('\r'),
                        'b' => out.push('\u{8}'),
                        'f' => out.push('\u{c}'),
                        '"' | '\\' | '/' => out.push(e),
                        'u' => {
                            self.at += 1;
                            let first = self.hex()?;
                            let second = (0xD800..0xDC00).contains(&first) && self.rest().starts_with("\\u");
                            let code = if second {
                                self.at += 2;
                                let low = self.hex()?;
                                0x10000 + ((first - 0xD800) << 10) + (low.wrapping_sub(0xDC00) & 0x3FF)
                            } else {
                                first
                            };
                            out.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
                            continue;
                        }
                        _ => return self.wrong("an escape"),
                    }
                    self.at += 1;
                }
                c if (c as u32) < 0x20 => return self.wrong("no control character in a string"),
                c => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn hex(&mut self) -> Read<u32> {
        let digits = self.rest().get(..4).filter(|d| d.chars().all(|c| c.is_ascii_hexdigit()));
        match digits.and_then(|d| u32::from_str_radix(d, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => self.wrong("four hexadecimal digits"),
        }
    }
}

/// Reads one JSON value with the places of all its parts.
pub fn json_with_places(text: &str) -> Result<Json, Box<Diagnostic>> {
    parse(text)
}

pub(crate) fn parse(text: &str) -> Read<Json> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.skip();
    if reader.at < text.len() {
        return reader.wrong("the end of the file");
    }
    Ok(value)
}

/// Reads an explicit model:
/// `{"agents": [..], "worlds": {"w0": ["p"], ..}, "relations": {"a": [["w0","w1"], ..]}, "point": "w0"}`,
/// or with `"edges"` (directed pairs) instead of `"relations"` for a belief model; or an explicit system.
pub(crate) fn model_from_json(text: &str) -> Result<Content, Vec<Diagnostic>> {
    let json = parse(text).map_err(|p| vec![*p])?;
    let mut reader = ModelReader { problems: Vec::new() };
    if is_system(&json) {
        return match system(&mut reader, &json) {
            Some(document) if reader.problems.is_empty() => Ok(document),
            _ => Err(reader.problems),
        };
    }
    let model = reader.model(&json);
    match model {
        Some(model) if reader.problems.is_empty() => {
            let scope = Scope::free(model.agents()).with_belief(model.is_belief());
            Ok(Content { model: Model::Kripke(model), time: None, queries: Vec::new(), refused: Vec::new(), scope })
        }
        _ => Err(reader.problems),
    }
}

pub(super) struct ModelReader {
    pub(super) problems: Vec<Diagnostic>,
}

const KEYS: &[&str] = &["agents", "worlds", "relations", "edges", "point"];

impl ModelReader {
    pub(super) fn shape(&mut self, span: Span, wanted: &str) {
        self.problems.push(Diagnostic::new(Code::Shape, span, format!("expected {wanted}")).label("not this"));
    }

    pub(super) fn text<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j str> {
        match &json.kind {
            JsonKind::Text(text) => Some(text),
            _ => {
                self.shape(json.span, wanted);
                None
            }
        }
    }

    pub(super) fn list<'j>(&mut self, json: &'j Json, wanted: &str) -> &'j [Json] {
        match &json.kind {
            JsonKind::List(items) => items,
            _ => {
                self.shape(json.span, wanted);
                &[]
            }
        }
    }

    pub(super) fn object<'j>(&mut self, json: &'j Json, wanted: &str) -> &'j [(String, Span, Json)] {
        match &json.kind {
            JsonKind::Object(members) => members,
            _ => {
                self.shape(json.span, wanted);
                &[]
            }
        }
    }

    pub(super) fn find(&mut self, name: &str, span: Span, names: &[Name], what: &str, code: Code) -> Option<u32> {
        if let Some(at) = names.iter().position(|n| &**n == name) {
            return Some(at as u32);
        }
        let mut problem = Diagnostic::new(code, span, format!("unknown {what} `{name}`")).label("not declared");
        if let Some(near) = nearest(name, names.iter().map(|n| &**n)) {
            problem = problem.help(format!("did you mean `{near}`?"));
        }
        self.problems.push(problem);
        None
    }

    fn model(&mut self, json: &Json) -> Option<Kripke> {
        let members = self.object(json, "a model: an object with \"agents\" and \"worlds\"");
        let get = |key: &str| members.iter().find(|(k, _, _)| k == key).map(|(_, _, v)| v);
        self.keys(members, KEYS, "a model");
        let (Some(agents), Some(worlds)) = (get("agents"), get("worlds")) else {
            self.problems.push(
                Diagnostic::new(Code::Missing, json.span, "a model needs \"agents\" and \"worlds\"")
                    .label("one of them is missing"),
            );
            return None;
        };
        let names = self.agents(agents);
        let entries = self.object(worlds, "the worlds: an object from names to lists of propositions");
        if entries.is_empty() && matches!(worlds.kind, JsonKind::Object(_)) {
            let problem = Diagnostic::new(Code::NoWorld, worlds.span, "the model has no world");
            self.problems.push(problem.label("empty"));
            return None;
        }
        let world_names: Vec<Name> = entries.iter().map(|(name, _, _)| name.as_str().into()).collect();
        let index: HashMap<&str, u32> = entries.iter().map(|(n, _, _)| n.as_str()).zip(0..).collect();
        let mut props: Vec<Name> = Vec::new();
        let mut known: HashMap<String, ()> = HashMap::new();
        let mut facts: Vec<Vec<String>> = Vec::new();
        for (_, _, value) in entries {
            let mut here = Vec::new();
            for prop in self.list(value, "a list of propositions") {
                let Some(name) = self.text(prop, "a proposition") else { continue };
                if known.insert(name.to_string(), ()).is_none() {
                    props.push(name.into());
                }
                here.push(name.to_string());
            }
            facts.push(here);
        }
        let mut model = Kripke::new(entries.len(), names.clone(), props);
        for (world, props) in facts.iter().enumerate() {
            for prop in props {
                model.set_true(world, prop);
            }
        }
        match (get("relations"), get("edges")) {
            (Some(_), Some(edges)) => self.problems.push(
                Diagnostic::new(Code::Relation, edges.span, "both \"relations\" and \"edges\"").label("give one"),
            ),
            (Some(relations), None) => self.classes(&mut model, relations, &index, &world_names),
            (None, Some(edges)) => self.edges(&mut model, edges, &index, &world_names),
            (None, None) => {}
        }
        if let Some(point) = get("point")
            && let Some(name) = self.text(point, "the name of a world")
            && let Some(world) = self.find(name, point.span, &world_names, "world", Code::Point)
        {
            model.add_point(None, world as usize);
        }
        model.set_names(world_names);
        Some(model)
    }

    fn world(&mut self, json: &Json, index: &HashMap<&str, u32>, names: &[Name]) -> Option<u32> {
        self.place(json, index, names, "world")
    }

    /// A world or a state by its name.
    pub(super) fn place(&mut self, json: &Json, index: &HashMap<&str, u32>, names: &[Name], what: &str) -> Option<u32> {
        let name = self.text(json, &format!("a {what}"))?;
        match index.get(name) {
            Some(&found) => Some(found),
            None => self.find(name, json.span, names, what, Code::UnknownName),
        }
    }

    fn classes(&mut self, model: &mut Kripke, json: &Json, index: &HashMap<&str, u32>, names: &[Name]) {
        let agents = model.agents().to_vec();
        for (agent, span, value) in self.object(json, "an object from agents to lists of classes") {
            let Some(agent) = self.find(agent, *span, &agents, "agent", Code::UnknownAgent) else { continue };
            // Worlds not listed stand alone: give each world a class of its own first.
            let mut of: Vec<u32> = (0..names.len() as u32).collect();
            let mut listed = vec![false; names.len()];
            for class in self.list(value, "a list of classes") {
                let mut first = None;
                for member in self.list(class, "a class: a list of worlds") {
                    let Some(world) = self.world(member, index, names) else { continue };
                    if std::mem::replace(&mut listed[world as usize], true) {
                        let problem =
                            Diagnostic::new(Code::Relation, member.span, "this world is in two classes of one agent");
                        self.problems.push(problem.label("again here"));
                        continue;
                    }
                    of[world as usize] = *first.get_or_insert(world);
                }
            }
            model.set_relation(agent as usize, Relation::Classes(Classes::by_key(of)));
        }
    }

    fn edges(&mut self, model: &mut Kripke, json: &Json, index: &HashMap<&str, u32>, names: &[Name]) {
        let agents = model.agents().to_vec();
        for agent in 0..agents.len() {
            model.set_relation(agent, Relation::Edges(Edges::from_pairs(names.len(), Vec::new())));
        }
        for (agent, span, value) in self.object(json, "an object from agents to lists of pairs") {
            let Some(agent) = self.find(agent, *span, &agents, "agent", Code::UnknownAgent) else { continue };
            let mut pairs = Vec::new();
            for pair in self.list(value, "a list of pairs") {
                let [from, to] = self.list(pair, "a pair of worlds") else {
                    self.shape(pair.span, "a pair of worlds");
                    continue;
                };
                let (from, to) = (self.world(from, index, names), self.world(to, index, names));
                if let (Some(from), Some(to)) = (from, to) {
                    pairs.push((from, to));
                }
            }
            model.set_relation(agent as usize, Relation::Edges(Edges::from_pairs(names.len(), pairs)));
        }
    }
}
