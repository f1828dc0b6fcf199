//! What is shown to a seat, as data: whoever shows it renders it.

pub use super::describe::*;
pub use super::inspect::*;
use crate::cluedo::face::page::CluedoBoard;
use crate::eleusis::face::page::EleusisBoard;
use crate::game::Illegal;
use crate::yokai::face::page::YokaiBoard;
use ken_logic::syntax::Diagnostic;
use serde::{Deserialize, Serialize};

/// The board of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Board {
    /// Cluedo.
    Cluedo(CluedoBoard),
    /// Both games of Eleusis.
    Eleusis(EleusisBoard),
    /// Yōkai.
    Yokai(YokaiBoard),
    /// Every game that has no board of its own.
    Plain(PlainBoard),
}

/// The board of any game: what lies there, in words. What may be done and what happened stand on the page around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlainBoard {
    /// What everybody at the table sees.
    pub open: Vec<Thing>,
    /// What the seat has or saw for itself.
    pub own: Vec<Thing>,
}

/// Something on a plain board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thing {
    /// What it is.
    pub name: String,
    /// What is there.
    pub value: String,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LogLine {
    /// The event, the deal being 0: `?at=` one more shows the page after it.
    pub event: usize,
    /// The number that proofs use for it, if it has one.
    pub number: Option<usize>,
    /// Who acted; nobody made the deal.
    pub seat: Option<u8>,
    /// What was seen.
    pub text: String,
}

/// The private notes of a seat.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Notes {
    /// A mark for each place that was marked: in Cluedo `rope/2` or `rope/envelope` to `✓`, `✗` or `?`.
    pub marks: std::collections::BTreeMap<String, String>,
}

/// What is wrong with a request, for people and for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Problem {
    /// A stable word: `not-your-turn`, `illegal`, `no-such-match`, …
    pub code: String,
    /// What is wrong; it tells nothing that the asker may not know.
    pub message: String,
    /// What to try instead.
    pub help: Option<String>,
    /// Places in the text that was sent, if it is about a text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Squiggle>,
    /// The revision of the table now, if what was sent was decided on a page that is out of date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
}

/// A place in a text with what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Squiggle {
    /// Where it begins, in UTF-16 units as editors count.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// `error` or `warning`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: Option<String>,
}

impl Problem {
    /// What is wrong, with its stable word.
    pub fn new(code: &str, message: impl Into<String>) -> Problem {
        Problem { code: code.to_string(), message: message.into(), help: None, marks: Vec::new(), revision: None }
    }

    /// The problem with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// What is wrong with a text that was sent.
    pub fn text(text: &str, problems: &[Diagnostic]) -> Problem {
        // Editors count in UTF-16.
        let at = |byte: u32| {
            let mut byte = (byte as usize).min(text.len());
            while !text.is_char_boundary(byte) {
                byte -= 1;
            }
            text[..byte].encode_utf16().count()
        };
        let squiggle = |d: &Diagnostic| Squiggle {
            from: at(d.span.start),
            to: at(d.span.end),
            severity: "error".to_string(),
            message: d.message.clone(),
            help: d.help.clone(),
        };
        let first = problems.first().map_or_else(String::new, |d| d.message.clone());
        let mut problem = Problem::new("unread", first);
        problem.help = problems.first().and_then(|d| d.help.clone());
        problem.marks = problems.iter().map(squiggle).collect();
        problem
    }
}

impl From<Illegal> for Problem {
    fn from(illegal: Illegal) -> Problem {
        Problem {
            code: "illegal".to_string(),
            message: illegal.message,
            help: illegal.help,
            marks: Vec::new(),
            revision: None,
        }
    }
}
