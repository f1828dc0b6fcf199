//! Records in files.

use crate::input::{Failure, read_text};
use ken_games::record::{BadRecord, Record};
use std::path::{Path, PathBuf};

/// What is wrong with a record, with the name of its file.
pub(crate) fn bad(file: Option<&Path>, bad: &BadRecord) -> Failure {
    let name = file.map_or_else(|| "the record".to_string(), |f| format!("`{}`", f.display()));
    Failure::Usage { message: bad.said_of(&name), help: bad.why.help.clone() }
}

/// Where a match is kept.
#[derive(Clone)]
pub(super) struct Place(PathBuf);

impl Place {
    pub(super) fn new(path: PathBuf) -> Place {
        Place(path)
    }

    pub(super) fn exists(&self) -> bool {
        self.0.exists()
    }

    pub(super) fn name(&self) -> String {
        self.0.display().to_string()
    }

    /// The one record of the file.
    pub(super) fn read(&self) -> Result<Record, Failure> {
        let (_, text) = read_text(&self.0.to_string_lossy())?;
        Record::from_text(&text).map_err(|e| bad(Some(&self.0), &e))
    }

    /// Writes the record through a new file beside it: an interruption leaves the record as it was before.
    pub(super) fn write(&self, record: &Record) -> Result<(), Failure> {
        let write = || -> std::io::Result<()> {
            let target = if self.exists() { std::fs::canonicalize(&self.0)? } else { self.0.clone() };
            let mut beside = target.clone().into_os_string();
            beside.push(format!(".{}.new", std::process::id()));
            std::fs::write(&beside, format!("{}\n", record.to_line()))?;
            std::fs::rename(&beside, &target)
        };
        write().map_err(|error| Failure::usage(format!("cannot write `{}`: {error}", self.name())))
    }
}

/// A record, or a game of an experiment that has one.
fn record(text: &str) -> Result<Record, BadRecord> {
    let data: Option<serde_json::Value> = serde_json::from_str(text).ok();
    match data.as_ref().and_then(|d| d.get("record")) {
        Some(inside) => Record::from_data(inside),
        None => Record::from_text(text),
    }
}

/// What the lines of a text are, counted from 1: records, or what is wrong with them. A text that is one JSON value is
/// one record, which begins in line 1. A mark of the order of bytes, which some editors write first, is no part of a line:
/// files that were joined have it in the middle.
pub(crate) fn readable(text: &str) -> Vec<(usize, Result<Record, BadRecord>)> {
    let unmarked = |text| str::trim_start_matches(text, '\u{feff}');
    let text = unmarked(text);
    let lines = || (1..).zip(text.lines().map(unmarked)).filter(|(_, line)| !line.trim().is_empty());
    let whole = record(text);
    // A value that is written over several lines has no line that is a whole object with something in it.
    let object = |line: &str| serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(line);
    let several = lines().count() > 1 && lines().any(|(_, line)| object(line).is_ok_and(|o| !o.is_empty()));
    if whole.is_ok() || !several {
        return vec![(1, whole)];
    }
    lines().map(|(number, line)| (number, record(line))).collect()
}

/// The records of a text; the first that cannot be read is told with its line.
pub(crate) fn records(name: &str, text: &str) -> Result<Vec<Record>, Failure> {
    let lines = readable(text);
    let read = |(line, read): &(usize, Result<Record, BadRecord>)| match read {
        Ok(record) => Ok(record.clone()),
        Err(e) => Err(bad_line(name, lines.len(), *line, e)),
    };
    lines.iter().map(read).collect()
}

/// What is wrong with one of so many lines; the only one is the file.
pub(crate) fn bad_line(name: &str, lines: usize, line: usize, why: &BadRecord) -> Failure {
    let place = if lines > 1 { format!("{name}:{line}") } else { name.to_string() };
    bad(Some(Path::new(&place)), why)
}
