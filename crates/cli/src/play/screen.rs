//! What is read and written: text for people, one JSON object per line for programs.

use crate::input::Failure;
use crate::output::{emit, line, page};
use ken_logic::text::hang;
use serde_json::{Value, json};
use std::io::{BufRead, IsTerminal};

/// The terminal or the program at the other end.
pub(super) struct Screen {
    json: bool,
    /// Whether what is read has to be written again, since no terminal shows it.
    echo: bool,
    /// A line that was read too early.
    kept: Option<String>,
}

impl Screen {
    pub(super) fn new(json: bool) -> Screen {
        Screen { json, echo: !std::io::stdin().is_terminal(), kept: None }
    }

    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// An answer to what was typed.
    pub(super) fn say(&self, text: &str) {
        match self.json {
            true => emit(&json!({"text": text})),
            false => line(text),
        }
    }

    /// A sentence, broken into lines.
    pub(super) fn sentence(&self, text: &str) {
        hang("", text).iter().for_each(|l| line(l));
    }

    /// For people only.
    pub(super) fn text(&self, text: &str) {
        if !self.json {
            line(text);
        }
    }

    /// For programs only.
    pub(super) fn data(&self, data: &Value) {
        if self.json {
            emit(data);
        }
    }

    /// Something that happened.
    pub(super) fn happened(&self, text: &str, data: &Value) {
        match self.json {
            true => emit(data),
            false => self.sentence(text),
        }
    }

    /// What is wrong with what was typed.
    pub(super) fn wrong(&self, failure: &Failure) {
        match failure {
            _ if self.json => emit(&failure.json()),
            Failure::Usage { message, help } => {
                let help = help.iter().flat_map(|h| hang("  help: ", h));
                hang("error: ", message).into_iter().chain(help).for_each(|l| line(&l));
            }
            Failure::Text { .. } | Failure::GaveUp { .. } => page(&failure.text()),
        }
    }

    /// Keeps a line for the next time something is asked.
    pub(super) fn keep(&mut self, typed: String) {
        self.kept = Some(typed);
    }

    /// Asks for a line; `None` at the end of the input. A program may send `{"action": ".."}` for the bare text.
    pub(super) fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        if !self.json {
            page(&format!("{prompt}> "));
        }
        let kept = self.kept.take();
        let echo = kept.is_some() || self.echo;
        let typed = match kept {
            Some(typed) => typed,
            None => {
                let mut bytes = Vec::new();
                let read = std::io::stdin().lock().read_until(b'\n', &mut bytes);
                if read.map_err(|e| Failure::usage(format!("cannot read what is typed: {e}")))? == 0 {
                    self.text("");
                    return Ok(None);
                }
                String::from_utf8_lossy(&bytes).trim().to_string()
            }
        };
        if echo {
            self.text(&typed);
        }
        let action = match self.json {
            true => {
                serde_json::from_str::<Value>(&typed).ok().and_then(|v| Some(v.get("action")?.as_str()?.to_string()))
            }
            false => None,
        };
        Ok(Some(action.unwrap_or(typed)))
    }
}
