//! Printing: text for people, JSON for programs, from the same answers.

use ken_logic::check::reason::{Alternative, Because, Reason, WorldView};
use ken_logic::formula::Value as Val;
use ken_logic::model::law::Facts;
use serde_json::{Map, Value, json};
use std::io::{IsTerminal, Write};

/// Writes a line to standard output.
pub(crate) fn line(text: &str) {
    raw(&format!("{text}\n"));
}

/// Writes text to standard output as it is. A closed pipe ends the program quietly; a full disk ends it with a message.
pub(crate) fn raw(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = write!(out, "{text}").and_then(|()| out.flush()) {
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        complain(&format!("error: cannot write the output: {error}\n"));
        std::process::exit(2);
    }
}

/// Writes to standard error; where that fails there is nobody left to tell.
pub(crate) fn complain(text: &str) {
    let _ = write!(std::io::stderr(), "{text}");
}

/// Colours for a terminal, or none.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    on: bool,
}

impl Style {
    pub(crate) fn stdout() -> Style {
        Style { on: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) }
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.paint("31", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
    }
}

/// Breaks text at spaces to lines of `width`, for hanging indentation.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let used = lines[last].chars().count();
        if used > 0 && used + 1 + word.chars().count() > width {
            lines.push(word.to_string());
        } else {
            if used > 0 {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}

pub(crate) fn facts_json(facts: &Facts) -> Value {
    let props: Vec<&str> = facts.props.iter().map(|p| &**p).collect();
    let mut object = Map::new();
    object.insert("true".into(), json!(props));
    if !facts.vars.is_empty() {
        let values = facts.vars.iter().map(|(x, v)| {
            let value = match v {
                Val::Int(n) => json!(n),
                Val::Sym(s) => json!(&**s),
            };
            (x.to_string(), value)
        });
        object.insert("values".into(), Value::Object(values.collect()));
    }
    Value::Object(object)
}

fn view_json(view: &WorldView) -> Value {
    let mut object = Map::new();
    object.insert("name".into(), json!(view.name));
    if let Value::Object(facts) = facts_json(&view.facts) {
        object.extend(facts);
    }
    Value::Object(object)
}

fn alternative_json(step: &Alternative) -> Value {
    let agents: Vec<&str> = step.agents.iter().map(|a| &**a).collect();
    json!({"agents": agents, "world": view_json(&step.world), "differs": step.differs})
}

/// An object of these members. Unlike `json!` it moves its values: reasons nest deeply.
fn object(members: Vec<(&str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}

/// A reason as data: the shape is documented in `docs/json.md`.
pub(crate) fn reason_json(reason: &Reason) -> Value {
    let names = |agents: &[ken_logic::formula::Name]| json!(agents.iter().map(|a| a.to_string()).collect::<Vec<_>>());
    let list = |items: Vec<Value>| Value::Array(items);
    let because = match &reason.because {
        Because::Fact => vec![("kind", json!("fact"))],
        Because::Parts(parts) => {
            vec![("kind", json!("parts")), ("parts", list(parts.iter().map(reason_json).collect()))]
        }
        Because::ManyParts(n) => vec![("kind", json!("many-parts")), ("count", json!(n))],
        Because::Alternative(step, then) => {
            vec![("kind", json!("alternative")), ("alternative", alternative_json(step)), ("then", reason_json(then))]
        }
        Because::Alternatives(several) => {
            let several = several
                .iter()
                .map(|(step, then)| object(vec![("alternative", alternative_json(step)), ("then", reason_json(then))]));
            vec![("kind", json!("alternatives")), ("alternatives", list(several.collect()))]
        }
        Because::Path(steps, then) => vec![
            ("kind", json!("path")),
            ("path", list(steps.iter().map(alternative_json).collect())),
            ("then", reason_json(then)),
        ],
        Because::AllAlternatives { agents, worlds, actual } => vec![
            ("kind", json!("all-alternatives")),
            ("agents", names(agents)),
            ("worlds", number(worlds)),
            ("actual", json!(actual)),
        ],
        Because::AllReachable(agents, n) => {
            vec![("kind", json!("all-reachable")), ("agents", names(agents)), ("worlds", number(n))]
        }
        Because::Update { action, event, before, after, removed, then } => vec![
            ("kind", json!("update")),
            ("action", json!(action)),
            ("event", json!(event)),
            ("worlds_before", number(before)),
            ("worlds_after", number(after)),
            ("removed", list(removed.iter().map(view_json).collect())),
            ("then", reason_json(then)),
        ],
        Because::CannotHappen(action, why) => vec![
            ("kind", json!("cannot-happen")),
            ("action", json!(action)),
            ("why", list(why.iter().map(reason_json).collect())),
        ],
        Because::EveryWay(action, n) => {
            vec![("kind", json!("every-way")), ("action", json!(action)), ("ways", json!(n))]
        }
    };
    object(vec![
        ("formula", json!(reason.formula)),
        ("holds", json!(reason.holds)),
        ("world", view_json(&reason.world)),
        ("because", object(because)),
    ])
}

/// A count as a JSON number where it fits into 64 bits, else as decimal text.
pub(crate) fn number(n: &num_bigint::BigUint) -> Value {
    u64::try_from(n).map_or_else(|_| json!(n.to_string()), |small| json!(small))
}
