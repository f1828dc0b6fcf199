//! Reading model files, and telling what is wrong with them.

use crate::library;
use ken_logic::check::{At, CheckError, Limit};
use ken_logic::formula::F;
use ken_logic::model::{Document, Model, Refused};
use ken_logic::syntax::{
    Code, Diagnostic, MAX_PROBLEMS, Source, Span, json_with_places, model_from_json, model_from_ken,
};
use num_bigint::BigInt;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;

/// The largest file that is read.
const MAX_FILE: u64 = 64 << 20;

/// Why a command did not do what it was asked.
pub(crate) enum Failure {
    /// Problems in a text, with the text.
    Text { name: String, text: String, problems: Vec<Diagnostic> },
    /// Anything else that the user can put right.
    Usage { message: String, help: Option<String> },
    /// A limit was reached.
    GaveUp { message: String, help: String },
}

impl Failure {
    pub(crate) fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), help: None }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Failure::Text { .. } | Failure::Usage { .. } => 2,
            Failure::GaveUp { .. } => 3,
        }
    }

    /// The failure as a person reads it.
    pub(crate) fn text(&self) -> String {
        match self {
            Failure::Text { name, text, problems } => {
                let source = Source { name, text };
                let mut out: Vec<String> = problems.iter().take(MAX_PROBLEMS).map(|p| source.render(p)).collect();
                if problems.len() > MAX_PROBLEMS {
                    out.push(format!("… and {} more\n", problems.len() - MAX_PROBLEMS));
                }
                out.join("\n")
            }
            Failure::Usage { message, help } => {
                let help = help.as_ref().map_or(String::new(), |h| format!("  help: {h}\n"));
                format!("error: {message}\n{help}")
            }
            Failure::GaveUp { message, help } => format!("gave up: {message}\n  help: {help}\n"),
        }
    }

    /// The failure as data.
    pub(crate) fn json(&self) -> Value {
        match self {
            Failure::Text { name, text, problems } => {
                let source = Source { name, text };
                let all: Vec<Value> = problems.iter().take(MAX_PROBLEMS).map(|p| problem_json(&source, p)).collect();
                json!({"error": all.first(), "errors": all})
            }
            Failure::Usage { message, help } => {
                json!({"error": {"code": "usage", "message": message, "span": null, "help": help}})
            }
            Failure::GaveUp { message, help } => {
                json!({"gave_up": {"message": message, "help": help}})
            }
        }
    }
}

fn problem_json(source: &Source<'_>, problem: &Diagnostic) -> Value {
    let (line, column) = source.position(problem.span.start);
    json!({
        "code": problem.code.id(),
        "message": problem.message,
        "span": {"file": source.name, "start": problem.span.start, "end": problem.span.end,
                 "line": line, "column": column},
        "label": problem.label,
        "help": problem.help,
    })
}

/// A file that was read: its name, its text, and the document in it.
pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) document: Document,
}

/// The text of a file, of standard input (`-`), or of a library model.
pub(crate) fn read_text(file: &str) -> Result<(String, String), Failure> {
    if file != "-"
        && !std::path::Path::new(file).exists()
        && let Some(text) = library::find(file)
    {
        return Ok((file.to_string(), text.to_string()));
    }
    let mut bytes = Vec::new();
    let (name, read) = if file == "-" {
        ("standard input".to_string(), std::io::stdin().lock().take(MAX_FILE + 1).read_to_end(&mut bytes))
    } else {
        (file.to_string(), File::open(file).and_then(|f| f.take(MAX_FILE + 1).read_to_end(&mut bytes)))
    };
    if let Err(error) = read {
        let help = library::nearest(file).map(|near| format!("did you mean the library model `{near}`?"));
        return Err(Failure::Usage { message: format!("cannot read `{file}`: {error}"), help });
    }
    if bytes.len() as u64 > MAX_FILE {
        return Err(Failure::Usage {
            message: format!("`{name}` is larger than {} MB", MAX_FILE >> 20),
            help: Some("models of this size are better written with parameters and ranges".to_string()),
        });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let problem = Diagnostic::new(Code::File, Span::new(at, at + 1), "the file is not UTF-8 text")
                .label(format!("byte {at} cannot be read"))
                .help("save the file as UTF-8");
            Err(Failure::Text { name, text, problems: vec![problem] })
        }
    }
}

/// Reads JSON, and says where it is wrong. A key that is there twice is refused as it is in every other file: one of the two
/// would be lost without a word.
pub(crate) fn json(name: &str, text: &str) -> Result<Value, Failure> {
    let value = serde_json::from_str(text).map_err(|error| Failure::usage(format!("{name} is not JSON: {error}")))?;
    match json_with_places(text) {
        Ok(_) => Ok(value),
        Err(problem) => Err(Failure::Text { name: name.to_string(), text: text.to_string(), problems: vec![*problem] }),
    }
}

/// The items of a JSON array on standard input: what `--batch` reads.
pub(crate) fn batch_items() -> Result<Vec<Value>, Failure> {
    let (name, text) = read_text("-")?;
    match json(&name, &text)? {
        Value::Array(items) => Ok(items),
        _ => Err(Failure::usage(format!("{name}: --batch reads a JSON array"))),
    }
}

/// Parameters as `NAME=VALUE`.
pub(crate) fn parameters(set: &[String]) -> Result<Vec<(String, BigInt)>, Failure> {
    set.iter()
        .map(|pair| {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| Failure::usage(format!("`--set {pair}` needs a value: `--set NAME=VALUE`")))?;
            match value.trim().parse() {
                Ok(number) if value.len() < 1000 => Ok((name.trim().to_string(), number)),
                _ => Err(Failure::usage(format!("`--set {pair}`: `{value}` is not a whole number"))),
            }
        })
        .collect()
}

/// Reads a model file of any kind.
pub(crate) fn load(file: &str, set: &[String]) -> Result<Loaded, Failure> {
    let (name, text) = read_text(file)?;
    let parameters = parameters(set)?;
    let start = first_word(&text);
    let kind = if name.ends_with(".ken") {
        Kind::Ken
    } else if name.ends_with(".json") {
        Kind::Json
    } else if name.ends_with(".smcdel.txt") {
        Kind::Smcdel
    } else if name.ends_with(".ispl") {
        Kind::Ispl
    } else if start.starts_with('{') {
        Kind::Json
    } else if start == "VARS" {
        Kind::Smcdel
    } else if start == "Agent" || start.starts_with("Semantics") {
        Kind::Ispl
    } else {
        Kind::Ken
    };
    if !parameters.is_empty() && !matches!(kind, Kind::Ken) {
        return Err(Failure::usage(format!("`{name}` has no parameters: `--set` is for .ken files")));
    }
    let read = match kind {
        Kind::Ken => model_from_ken(&text, &parameters),
        Kind::Json => model_from_json(&text),
        Kind::Smcdel => ken_logic::import::model_from_smcdel(&text),
        Kind::Ispl => ken_logic::import::model_from_ispl(&text),
    };
    match read {
        Ok(document) => Ok(Loaded { name, text, document }),
        Err(problems) => Err(Failure::Text { name, text, problems }),
    }
}

enum Kind {
    Ken,
    Json,
    Smcdel,
    Ispl,
}

/// The first word outside comments.
fn first_word(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with("--") {
        rest = rest.split_once('\n').map_or("", |(_, after)| after).trim_start();
    }
    rest.split_whitespace().next().unwrap_or("")
}

impl Loaded {
    /// Reads a formula given on the command line with the names of the file.
    pub(crate) fn formula(&self, text: &str) -> Result<F, Failure> {
        self.document.formula(text).map_err(|problems| Failure::Text {
            name: "-f".to_string(),
            text: text.to_string(),
            problems,
        })
    }

    /// The world that `--at` means: a name, or the facts of a world.
    pub(crate) fn at(&self, text: &str) -> Result<At, Failure> {
        if !matches!(self.document.model, Model::Law(_)) || !text.trim_start().starts_with('{') {
            return Ok(At::Named(text.to_string()));
        }
        let facts = self.document.scope.facts(text);
        facts.map(At::Facts).map_err(|problems| Failure::Text {
            name: "--at".to_string(),
            text: text.to_string(),
            problems,
        })
    }

    /// An error of an engine, shown in the file where it has a place there.
    pub(crate) fn failure(&self, error: CheckError, place: Option<(Span, &str)>) -> Failure {
        let in_file = |problem: Diagnostic| Failure::Text {
            name: self.name.clone(),
            text: self.text.clone(),
            problems: vec![problem],
        };
        let line = |span: Span| Source { name: &self.name, text: &self.text }.position(span.start).0;
        match &error {
            CheckError::Limit(limit) => Failure::GaveUp {
                message: limit.to_string(),
                help: match limit {
                    Limit::Worlds(_) if self.document.model.is_belief() => "raise --max-states".to_string(),
                    Limit::Worlds(_) => "raise --max-states, or try --engine symbolic".to_string(),
                    Limit::DiagramBytes(_) => "raise --max-memory, or choose smaller parameters".to_string(),
                    Limit::TermValues => "try --engine explicit, or smaller ranges".to_string(),
                    Limit::Transitions(_) => {
                        "choose smaller parameters, fewer actors, or --actions hidden if nobody sees them".to_string()
                    }
                    Limit::States(_) => "raise --max-states, or choose smaller parameters".to_string(),
                    Limit::NoRoom(_) => "choose smaller parameters, or give the program more memory".to_string(),
                    Limit::Stopped => "ask again".to_string(),
                    Limit::Steps(_) => {
                        "raise --bound or --max-states; what the agents know may keep changing for ever".to_string()
                    }
                },
            },
            CheckError::NoWorld(laws) => {
                let span = laws.first().map_or(Span::default(), |l| l.span);
                let mut others: Vec<usize> = laws.iter().skip(1).map(|l| line(l.span)).collect();
                others.sort_unstable();
                others.dedup();
                others.retain(|l| *l != line(span));
                let places: Vec<String> = others.iter().map(usize::to_string).collect();
                let label = match places.len() {
                    0 => "this cannot be satisfied".to_string(),
                    1 => format!("contradicts line {}", places[0]),
                    _ => format!("contradicts lines {} together", places.join(", ")),
                };
                in_file(Diagnostic::new(Code::NoWorld, span, "the model has no world").label(label))
            }
            CheckError::NotAWorld(span) => in_file(
                Diagnostic::new(Code::Point, *span, "the point is not a world of the model")
                    .label("these facts contradict a law"),
            ),
            CheckError::UnknownWorld(name) if self.document.time.is_some() => Failure::Usage {
                message: format!("`{name}` is not an initial state of the system"),
                help: Some("--at takes the name of an initial state, or its facts as `--json` lists them".to_string()),
            },
            CheckError::Unfair(_) => Failure::Usage {
                message: error.to_string(),
                help: Some("name another initial state, or leave --at out".to_string()),
            },
            CheckError::UnknownWorld(name) => Failure::Usage {
                message: format!("no world or point is called `{name}`"),
                help: Some("name a point in the file, or give the facts: --at '{p, q}'".to_string()),
            },
            CheckError::Temporal => self.at_formula(place, |span| {
                Diagnostic::new(Code::Temporal, span, "temporal operators need a system with transitions")
                    .label("this model has worlds but no time")
                    .help("use [α] φ for what holds after an action")
            }),
            CheckError::Action(broken) => self.at_formula(place, |span| {
                Diagnostic::new(Code::Action, span, broken.to_string()).label("in this formula")
            }),
            CheckError::BeliefInSymbolic => Failure::Usage {
                message: error.to_string(),
                help: Some("use --engine explicit, or leave the choice to ken".to_string()),
            },
            CheckError::Stuck { span, .. } | CheckError::NoStep { span, .. } => in_file(
                Diagnostic::new(Code::Step, *span, error.to_string()).label("a run would have to end there").help(
                    if self.name.ends_with(".ispl") {
                        "enable something there, for instance with `Other : {..};`"
                    } else {
                        "enable something `otherwise`, or write `system may end`"
                    },
                ),
            ),
            CheckError::OutOfRange { span, .. } => {
                in_file(Diagnostic::new(Code::Step, *span, error.to_string()).label("by this rule"))
            }
            CheckError::NeedsMemory(span) => in_file(
                Diagnostic::new(Code::System, *span, "this protocol asks what an agent knows: it needs perfect recall")
                    .label("without memory the reachable states would depend on themselves")
                    .help("ask with `--recall perfect`, or write `system recall perfect`"),
            ),
            CheckError::NotHere(what) if place.is_none() => Failure::usage(*what),
            CheckError::NotHere(what) => {
                self.at_formula(place, |span| Diagnostic::new(Code::Temporal, span, *what).label("in this formula"))
            }
            CheckError::UnknownAgent(_) | CheckError::BeliefInS5(_) => Failure::usage(error.to_string()),
        }
    }

    /// Why a formula of the file is not answered.
    pub(crate) fn refusal(&self, refused: &Refused) -> Failure {
        Failure::Text { name: self.name.clone(), text: self.text.clone(), problems: vec![refused.problem.clone()] }
    }

    /// A problem with a formula: of the file, or of the command line.
    fn at_formula(&self, place: Option<(Span, &str)>, problem: impl Fn(Span) -> Diagnostic) -> Failure {
        let (span, formula) = place.unwrap_or((Span::default(), ""));
        let of_file = span != Span::default();
        let (name, text) = if of_file { (self.name.as_str(), self.text.as_str()) } else { ("-f", formula) };
        let span = if of_file { span } else { Span::new(0, formula.len()) };
        Failure::Text { name: name.to_string(), text: text.to_string(), problems: vec![problem(span)] }
    }
}
