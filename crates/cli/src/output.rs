//! Printing: text for people, JSON for programs, from the same answers.

use ken_logic::check::reason::{Alternative, Because, Reason, WorldView};
use ken_logic::formula::Value as Val;
use ken_logic::model::law::Facts;
use ken_logic::text::{is_hidden, visible};
use serde_json::{Map, Value, json};
use std::io::{IsTerminal, Write};

/// Writes a line for people to standard output.
pub(crate) fn line(line: &str) {
    page(&format!("{line}\n"));
}

/// Writes text for people to standard output. Names and texts in it come from files and arguments: whatever would act on the
/// terminal instead of being shown is written out. Only a [`Style`] colours it.
pub(crate) fn page(text: &str) {
    raw(&painted(text, Style::stdout()));
}

/// Writes a value for programs to standard output, on a line. What would act on a terminal is an escape of JSON.
pub(crate) fn emit(value: &Value) {
    raw(&format!("{}\n", escaped(&value.to_string())));
}

/// JSON in which no character acts on a terminal: such a character can stand only in a text, and each has one unit.
fn escaped(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut out, c| {
        match is_hidden(c) {
            true => out += &format!("\\u{:04x}", c as u32),
            false => out.push(c),
        }
        out
    })
}

/// Writes text to standard output as it is: a file, or what becomes one. A closed pipe ends the program quietly; a full disk ends it with a message.
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

/// Writes to standard error, what would act on the terminal written out; where that fails there is nobody left to tell.
pub(crate) fn complain(text: &str) {
    let _ = write!(std::io::stderr(), "{}", visible(text));
}

/// What a [`Style`] puts around a text, and what a terminal is told in its place. These are no characters and stand in no
/// text; a terminal's own codes in a text are never passed on.
const PAINTS: [(char, &str); 4] =
    [('\u{fdd0}', "\x1b[32m"), ('\u{fdd1}', "\x1b[31m"), ('\u{fdd2}', "\x1b[2m"), ('\u{fdd3}', "\x1b[0m")];

/// Text as it goes to the terminal.
fn painted(text: &str, style: Style) -> String {
    let shown = visible(text).into_owned();
    let paints = PAINTS.iter().filter(|_| style.on);
    paints.fold(shown, |shown, (mark, code)| if shown.contains(*mark) { shown.replace(*mark, code) } else { shown })
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
        self.paint(0, text)
    }

    pub(crate) fn bad(self, text: &str) -> String {
        self.paint(1, text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint(2, text)
    }

    fn paint(self, paint: usize, text: &str) -> String {
        if self.on { format!("{}{text}{}", PAINTS[paint].0, PAINTS[3].0) } else { text.to_string() }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_style_colours_what_is_printed() {
        let (on, off) = (Style { on: true }, Style { on: false });
        let named = |style: Style| painted(&style.good("ann\u{1b}[31m\u{7}\u{202e}"), style);
        assert_eq!(named(on), "\u{1b}[32mann\\u{1b}[31m\\u{7}\\u{202e}\u{1b}[0m");
        assert_eq!(named(off), r"ann\u{1b}[31m\u{7}\u{202e}");
    }

    #[test]
    fn data_stays_the_same_value_without_a_character_that_acts_on_a_terminal() {
        let value = json!({"name\u{202e}": "\u{1b}[31m\u{7f}\u{9b}é\n"});
        let text = escaped(&value.to_string());
        assert!(!text.contains(is_hidden), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
