//! Printing: text for people, JSON for programs, from the same answers.

use ken_logic::check::reason::{Alternative, Because, Reason, WorldView};
use ken_logic::formula::Value as Val;
use ken_logic::model::law::Facts;
use serde_json::{Map, Value, json};
use std::io::{IsTerminal, Write};

/// Writes a line to standard output; a closed pipe ends the program quietly.
pub(crate) fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Writes text to standard output as it is.
pub(crate) fn raw(text: &str) {
    let mut out = std::io::stdout().lock();
    if write!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
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

/// A reason as data: the shape is documented in `docs/json.md`.
pub(crate) fn reason_json(reason: &Reason) -> Value {
    let names = |agents: &[ken_logic::formula::Name]| -> Vec<String> { agents.iter().map(|a| a.to_string()).collect() };
    let because = match &reason.because {
        Because::Fact => json!({"kind": "fact"}),
        Because::Parts(parts) => {
            json!({"kind": "parts", "parts": parts.iter().map(reason_json).collect::<Vec<_>>()})
        }
        Because::ManyParts(n) => json!({"kind": "many-parts", "count": n}),
        Because::Alternative(step, then) => {
            json!({"kind": "alternative", "alternative": alternative_json(step), "then": reason_json(then)})
        }
        Because::Path(steps, then) => {
            let steps: Vec<Value> = steps.iter().map(alternative_json).collect();
            json!({"kind": "path", "path": steps, "then": reason_json(then)})
        }
        Because::AllAlternatives(agents, n) => {
            json!({"kind": "all-alternatives", "agents": names(agents), "worlds": number(n)})
        }
        Because::AllReachable(agents, n) => {
            json!({"kind": "all-reachable", "agents": names(agents), "worlds": number(n)})
        }
        Because::Update { action, event, before, after, removed, then } => json!({
            "kind": "update", "action": action, "event": event,
            "worlds_before": number(before), "worlds_after": number(after),
            "removed": removed.iter().map(view_json).collect::<Vec<_>>(), "then": reason_json(then),
        }),
        Because::CannotHappen(action, why) => {
            json!({"kind": "cannot-happen", "action": action, "why": why.iter().map(reason_json).collect::<Vec<_>>()})
        }
        Because::EveryWay(action, n) => json!({"kind": "every-way", "action": action, "ways": n}),
    };
    json!({
        "formula": reason.formula,
        "holds": reason.holds,
        "world": view_json(&reason.world),
        "because": because,
    })
}

/// A count as a JSON number where it fits into 64 bits, else as decimal text.
pub(crate) fn number(n: &num_bigint::BigUint) -> Value {
    u64::try_from(n).map_or_else(|_| json!(n.to_string()), |small| json!(small))
}
