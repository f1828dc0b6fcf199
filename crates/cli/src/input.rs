//! Reading model files, and telling what is wrong with them.

use crate::library;
use ken_logic::check::Limit;
use ken_logic::document::Refused;
use ken_logic::syntax::{Code, Diagnostic, MAX_PROBLEMS, Source, Span, Within, json_with_places};
use ken_logic::text::wrap;
use ken_logic::{At, CheckError, Document, Format, Query};
use num_bigint::BigInt;
use serde_json::{Map, Value, json};
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
                let help = help.as_ref().map_or(String::new(), |h| narrow(&format!("  help: {h}")));
                narrow(&format!("error: {message}")) + &help
            }
            Failure::GaveUp { message, help } => {
                narrow(&format!("gave up: {message}")) + &narrow(&format!("  help: {help}"))
            }
        }
    }

    /// The failure as data.
    pub(crate) fn json(&self) -> Value {
        Value::Object(self.members())
    }

    /// The failure as members of an object, such as an answer that it stands in for.
    pub(crate) fn members(&self) -> Map<String, Value> {
        let mut object = Map::new();
        match self {
            Failure::Text { problems, .. } => {
                let all: Vec<Value> = problems.iter().take(MAX_PROBLEMS).map(|p| self.problem(p)).collect();
                object.insert("error".into(), json!(all.first()));
                object.insert("errors".into(), json!(all));
            }
            Failure::Usage { message, help } => {
                let error = json!({"code": "usage", "message": message, "span": null, "help": help});
                object.insert("error".into(), error);
            }
            Failure::GaveUp { message, help } => {
                object.insert("gave_up".into(), json!({"message": message, "help": help}));
            }
        }
        object
    }

    /// One of its problems as data.
    pub(crate) fn problem(&self, problem: &Diagnostic) -> Value {
        let span = match self {
            Failure::Text { name, text, .. } => {
                let (line, column) = Source { name, text }.position(problem.span.start);
                json!({"file": name, "start": problem.span.start, "end": problem.span.end, "line": line, "column": column})
            }
            Failure::Usage { .. } | Failure::GaveUp { .. } => Value::Null,
        };
        json!({
            "code": problem.code.id(),
            "message": problem.message,
            "span": span,
            "label": problem.label,
            "help": problem.help,
        })
    }
}

/// Text in lines of at most 80 columns, as far as its words allow. Lines that are short enough stay as they are; what a longer
/// one has to spare stands below it, indented by two more.
fn narrow(text: &str) -> String {
    const WIDTH: usize = 80;
    let mut out = String::new();
    for line in text.lines() {
        if line.chars().count() <= WIDTH {
            out += &format!("{line}\n");
            continue;
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        for (i, part) in wrap(line, WIDTH - indent - 2).iter().enumerate() {
            out += &format!("{}{part}\n", " ".repeat(if i == 0 { indent } else { indent + 2 }));
        }
    }
    out
}

/// A file that was read: its name, and the document in it.
pub(crate) struct Loaded {
    pub(crate) name: String,
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
    let format = Format::of(&name, &text);
    if !parameters.is_empty() && format != Format::Ken {
        return Err(Failure::usage(format!("`{name}` has no parameters: `--set` is for .ken files")));
    }
    match Document::read_with(&text, format, &parameters) {
        Ok(document) => Ok(Loaded { name, document }),
        Err(problems) => Err(Failure::Text { name, text, problems }),
    }
}

impl Loaded {
    /// Reads a question given on the command line with the names of the file.
    pub(crate) fn query(&self, text: &str) -> Result<Query, Failure> {
        self.document.query(text).map_err(|problems| unread("-f", text, problems))
    }

    /// The place that `--at` means.
    pub(crate) fn at(&self, text: &str) -> Result<At, Failure> {
        self.document.point(text).map_err(|problems| unread("--at", text, problems))
    }

    /// An error of a check, shown where it has a place, with the flags that help.
    pub(crate) fn failure(&self, error: &CheckError, query: Option<&Query>) -> Failure {
        let mut problem = self.document.diagnose(error, query);
        if let Some(limit) = problem.limit {
            return Failure::GaveUp { message: problem.message, help: self.around(limit).to_string() };
        }
        if let Some(help) = flags(error) {
            problem.help = Some(help.to_string());
        }
        match (problem.within, query) {
            (Within::Nowhere, _) => Failure::Usage { message: problem.message, help: problem.help },
            (Within::Question, Some(query)) => unread("-f", &query.text, vec![problem]),
            (Within::Text | Within::Question, _) => self.in_file(problem),
        }
    }

    /// Which flag moves a limit.
    fn around(&self, limit: Limit) -> &'static str {
        match limit {
            Limit::Worlds(_) if self.document.model.is_belief() => "raise --max-states",
            Limit::Worlds(_) => "raise --max-states, or try --engine symbolic",
            Limit::DiagramBytes(_) => "raise --max-memory, or choose smaller parameters",
            Limit::TermValues => "try --engine explicit, or smaller ranges",
            Limit::Transitions(_) => "choose smaller parameters, fewer actors, or --actions hidden if nobody sees them",
            Limit::States(_) => "raise --max-states, or choose smaller parameters",
            Limit::NoRoom(_) => "choose smaller parameters, or give the program more memory",
            Limit::PathFormula(_) => "ask about its parts one by one",
            Limit::Stopped => "ask again",
            Limit::Steps(_) => "raise --bound or --max-states; what the agents know may keep changing for ever",
        }
    }

    /// Why a formula of the file is not answered.
    pub(crate) fn refusal(&self, refused: &Refused) -> Failure {
        self.in_file(refused.problem.clone())
    }

    fn in_file(&self, problem: Diagnostic) -> Failure {
        unread(&self.name, self.document.text(), vec![problem])
    }
}

/// Problems in a text of this name.
fn unread(name: &str, text: &str, problems: Vec<Diagnostic>) -> Failure {
    Failure::Text { name: name.to_string(), text: text.to_string(), problems }
}

/// What to try, where it is a flag.
fn flags(error: &CheckError) -> Option<&'static str> {
    Some(match error {
        CheckError::UnknownState { initial: true, .. } => {
            "--at takes the name of an initial state, its facts as `--json` lists them, or a history from there"
        }
        CheckError::Unfair(_) => "name another state, or leave --at out",
        CheckError::UnknownWorld(_) => "name a point in the file, or give the facts: --at '{p, q}'",
        CheckError::BeliefInSymbolic => "use --engine explicit, or leave the choice to ken",
        CheckError::NeedsMemory(_) => "ask with `--recall perfect`, or write `system recall perfect`",
        _ => return None,
    })
}
