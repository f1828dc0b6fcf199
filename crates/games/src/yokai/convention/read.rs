//! Conventions as JSON.
//!
//! ```json
//! {"second_look": {"tells": "code"},
//!  "move": {"tells": "joins", "known": ["looked", "marked", "joined"], "when": "voluntary"},
//!  "mark": {"tells": "proper", "when": "voluntary", "smaller_hints": "excluded"},
//!  "stop": {"tells": "won"}}
//! ```
//!
//! What is left out tells nothing. What is not known is refused, with its place: all problems of a file at once.

use super::{Convention, Known, Looks, Marks, Moves, Stops, When};
use crate::game::Illegal;
use ken_logic::syntax::{Code, Diagnostic, Json, JsonKind, Span, json_with_places, nearest};
use ken_logic::text::listed;
use serde_json::{Map, Value, json};

const KINDS: [&str; 6] = ["first_look", "second_look", "move", "mark", "activation", "stop"];
const WHENS: [&str; 2] = ["always", "voluntary"];
const KNOWN: [&str; 3] = ["looked", "marked", "joined"];
const SMALLER: [&str; 2] = ["open", "excluded"];

/// Reads a convention.
///
/// # Errors
/// Every problem in the text, with its place.
pub fn convention(text: &str) -> Result<Convention, Vec<Diagnostic>> {
    let json = json_with_places(text).map_err(|problem| vec![*problem])?;
    let mut reader = Reader { problems: Vec::new() };
    let convention = reader.convention(&json);
    if reader.problems.is_empty() { Ok(convention) } else { Err(reader.problems) }
}

/// The convention of an option: the name of one that the program comes with, or one as data.
///
/// # Errors
/// There is none of this name, or the data is none.
pub fn of_data(data: &Value) -> Result<Convention, Illegal> {
    match data {
        Value::String(name) => Convention::shipped(name).ok_or_else(|| {
            let wrong = Illegal::new(format!("there is no convention `{name}`"));
            match nearest(name, Convention::names()) {
                Some(near) => wrong.help(format!("did you mean `{near}`?")),
                None => wrong.help(format!("it is {}, or one of your own as JSON", listed(Convention::names(), "or"))),
            }
        }),
        data => convention(&data.to_string()).map_err(|problems| {
            let first = problems.into_iter().next();
            let wrong = Illegal::new(first.as_ref().map_or("it cannot be read".to_string(), |d| d.message.clone()));
            match first.and_then(|d| d.help) {
                Some(help) => wrong.help(help),
                None => wrong,
            }
        }),
    }
}

impl Convention {
    /// The convention as data: its name if the program comes with it. [`of_data`] reads it back.
    pub fn data(&self) -> Value {
        match self.name() {
            super::OWN => self.object(),
            name => name.into(),
        }
    }

    /// The convention as an object of all its kinds of moves.
    pub fn object(&self) -> Value {
        let tells = |what: &str| json!({"tells": what});
        let when = |when: When| match when {
            When::Always => "always",
            When::Voluntary => "voluntary",
        };
        let looks = match self.second_look {
            Looks::Nothing => tells("nothing"),
            Looks::Code => tells("code"),
        };
        let moves = match self.moves {
            Moves::Nothing => tells("nothing"),
            Moves::Code => tells("code"),
            Moves::Joins { known, when: told } => {
                let each = [(known.looked, KNOWN[0]), (known.marked, KNOWN[1]), (known.joined, KNOWN[2])];
                let known: Vec<&str> = each.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
                json!({"tells": "joins", "known": known, "when": when(told)})
            }
        };
        let marks = match self.marks {
            Marks::Nothing => tells("nothing"),
            Marks::Proper { when: told, smaller_excluded } => {
                let smaller = SMALLER[usize::from(smaller_excluded)];
                json!({"tells": "proper", "when": when(told), "smaller_hints": smaller})
            }
        };
        let stop = match self.stop {
            Stops::Nothing => tells("nothing"),
            Stops::Won => tells("won"),
        };
        let all = [tells("nothing"), looks, moves, marks, tells("nothing"), stop];
        Value::Object(KINDS.into_iter().map(String::from).zip(all).collect::<Map<_, _>>())
    }
}

struct Reader {
    problems: Vec<Diagnostic>,
}

type Members = [(String, Span, Json)];

impl Reader {
    fn report(&mut self, code: Code, span: Span, message: String, label: &str, help: String) {
        self.problems.push(Diagnostic::new(code, span, message).label(label).help(help));
    }

    fn unknown(&mut self, span: Span, what: &str, given: &str, known: &[&str]) {
        let help = match nearest(given, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it is {}", listed(known.iter().map(|name| format!("`{name}`")), "or")),
        };
        self.report(Code::Shape, span, format!("`{given}` is no {what}"), "not known", help);
    }

    fn object<'j>(&mut self, json: &'j Json, what: &str, example: &str) -> &'j Members {
        match &json.kind {
            JsonKind::Object(members) => members,
            _ => {
                self.report(Code::Shape, json.span, format!("{what} is an object"), "not this", example.to_string());
                &[]
            }
        }
    }

    /// The place of one of these words.
    fn word(&mut self, json: &Json, what: &str, known: &[&str]) -> Option<usize> {
        let JsonKind::Text(given) = &json.kind else {
            let help = format!("it is {}", listed(known.iter().map(|name| format!("`{name}`")), "or"));
            self.report(Code::Shape, json.span, format!("{what} is a word"), "not this", help);
            return None;
        };
        let found = known.iter().position(|name| name == given);
        if found.is_none() {
            self.unknown(json.span, what, given, known);
        }
        found
    }

    fn convention(&mut self, json: &Json) -> Convention {
        let members = self.object(json, "a convention", "as in `{\"mark\": {\"tells\": \"proper\"}}`");
        let mut convention = Convention::NONE;
        for (i, (key, span, value)) in members.iter().enumerate() {
            if members[..i].iter().any(|(other, ..)| other == key) {
                let help = "say once what a move of this kind tells".to_string();
                self.report(Code::Shape, *span, format!("`{key}` is said twice"), "again", help);
            }
            match key.as_str() {
                "first_look" | "activation" => drop(self.tells(value, &["nothing"], &[])),
                "second_look" => {
                    convention.second_look = match self.tells(value, &["nothing", "code"], &[]) {
                        Some((1, _)) => Looks::Code,
                        _ => Looks::Nothing,
                    };
                }
                "move" => convention.moves = self.moves(value),
                "mark" => convention.marks = self.marks(value),
                "stop" => {
                    convention.stop = match self.tells(value, &["nothing", "won"], &[]) {
                        Some((1, _)) => Stops::Won,
                        _ => Stops::Nothing,
                    };
                }
                _ => self.unknown(*span, "kind of move", key, &KINDS),
            }
        }
        convention
    }

    /// What a kind of move tells, as the place of its word, and its other members, which are those of the last word.
    fn tells<'j>(&mut self, json: &'j Json, words: &[&str], more: &[&str]) -> Option<(usize, &'j Members)> {
        let example = format!("as in `{{\"tells\": \"{}\"}}`", words[0]);
        let members = self.object(json, "what a kind of move tells", &example);
        let told = members.iter().find(|(key, ..)| key == "tells");
        let word = match told {
            Some((_, _, value)) => self.word(value, "meaning of this kind of move", words),
            None => {
                if matches!(json.kind, JsonKind::Object(_)) {
                    self.report(Code::Shape, json.span, "`tells` is missing".to_string(), "here", example);
                }
                None
            }
        };
        for (key, span, _) in members.iter().filter(|(key, ..)| key != "tells") {
            match word {
                _ if !more.contains(&key.as_str()) => {
                    let mut known = vec!["tells"];
                    known.extend(more);
                    self.unknown(*span, "part of this meaning", key, &known);
                }
                Some(word) if word + 1 != words.len() => {
                    let help = format!("leave it out where `tells` is `{}`", words[word]);
                    self.report(Code::Shape, *span, format!("`{key}` says nothing here"), "not here", help);
                }
                _ => {}
            }
        }
        word.map(|word| (word, members))
    }

    fn when(&mut self, members: &Members) -> When {
        match members.iter().find(|(key, ..)| key == "when").and_then(|(_, _, value)| self.word(value, "time", &WHENS))
        {
            Some(1) => When::Voluntary,
            _ => When::Always,
        }
    }

    fn moves(&mut self, json: &Json) -> Moves {
        let Some((word, members)) = self.tells(json, &["nothing", "code", "joins"], &["known", "when"]) else {
            return Moves::Nothing;
        };
        match word {
            0 => Moves::Nothing,
            1 => Moves::Code,
            _ => {
                let when = self.when(members);
                let mut known = Known { looked: true, marked: true, joined: true };
                if let Some((_, _, value)) = members.iter().find(|(key, ..)| key == "known") {
                    known = self.known(value);
                }
                Moves::Joins { known, when }
            }
        }
    }

    fn known(&mut self, json: &Json) -> Known {
        let JsonKind::List(items) = &json.kind else {
            let help = "as in `[\"looked\", \"marked\", \"joined\"]`".to_string();
            self.report(Code::Shape, json.span, "`known` is a list".to_string(), "not this", help);
            return Known::default();
        };
        let mut known = Known::default();
        for item in items {
            match self.word(item, "way to know a card", &KNOWN) {
                Some(0) => known.looked = true,
                Some(1) => known.marked = true,
                Some(_) => known.joined = true,
                None => {}
            }
        }
        known
    }

    fn marks(&mut self, json: &Json) -> Marks {
        match self.tells(json, &["nothing", "proper"], &["when", "smaller_hints"]) {
            Some((1, members)) => {
                let when = self.when(members);
                let smaller = members.iter().find(|(key, ..)| key == "smaller_hints");
                let smaller = smaller.and_then(|(_, _, value)| self.word(value, "reading of smaller hints", &SMALLER));
                Marks::Proper { when, smaller_excluded: smaller == Some(1) }
            }
            _ => Marks::Nothing,
        }
    }
}
