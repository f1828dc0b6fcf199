//! The two notations of the paper, beside rule text: dealer protocols and temporal formulas.
//!
//! All three compile to the same automata, so that what the paper prints can be compared with what it means.
//! [`read_any`] recognises which one a text is.

mod condition;
pub mod protocol;
pub mod temporal;
#[cfg(test)]
mod tests;
mod token;

use super::automaton::{Automaton, LIMIT, Unbounded};
use super::deck::Deck;
use super::library;
use super::rule::Rule;
use super::sense;
use crate::cards::CardSet;
use ken_logic::syntax::Diagnostic;
use protocol::Protocol;
use temporal::Temporal;

/// How a rule is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// As readable text.
    Rule,
    /// As a dealer protocol.
    Protocol,
    /// As a temporal formula.
    Temporal,
}

impl Notation {
    /// The notation of the text, told by what the others never have: an arrow to `accept` or `reject`, or a temporal
    /// operator.
    pub fn of(text: &str) -> Notation {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let text: String = lines.collect::<Vec<_>>().join(" ");
        let mut answers = ["->", "=>", "→"].iter().flat_map(|arrow| text.split(arrow).skip(1)).map(str::trim_start);
        if answers.any(|rest| rest.starts_with("accept") || rest.starts_with("reject")) {
            return Notation::Protocol;
        }
        let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
        let operators = ["AG", "AX", "AF", "AU", "AW", "EG", "EX", "EF", "EU"];
        if words.any(|word| operators.contains(&word)) { Notation::Temporal } else { Notation::Rule }
    }
}

/// A rule in any notation.
#[derive(Clone, Debug)]
pub struct Reading {
    /// How it is written.
    pub notation: Notation,
    /// The rule itself, if it is written as one.
    pub rule: Option<Rule>,
    /// What it means.
    pub automaton: Automaton,
    /// The cards a line may start with.
    pub start: CardSet,
    /// What a reader should know: where a protocol contradicts itself or says nothing, which starters break a formula.
    pub notes: Vec<String>,
}

/// Why a text is not a rule.
#[derive(Clone, Debug)]
pub enum Unreadable {
    /// It is not well written.
    Text(Vec<Diagnostic>),
    /// It has no automaton, or none that fits.
    Unbounded(Unbounded),
}

impl From<Vec<Diagnostic>> for Unreadable {
    fn from(problems: Vec<Diagnostic>) -> Unreadable {
        Unreadable::Text(problems)
    }
}

impl From<Unbounded> for Unreadable {
    fn from(why: Unbounded) -> Unreadable {
        Unreadable::Unbounded(why)
    }
}

/// The rule of a text in words; one that [never looks at the next card](sense::words) is refused.
pub fn read_rule(text: &str, deck: &Deck) -> Result<Rule, Vec<Diagnostic>> {
    let rule = Rule::parse(text, deck)?;
    match sense::words(&rule, text).filter(|_| !of_library(text)) {
        Some(problem) => Err(vec![problem]),
        None => Ok(rule),
    }
}

/// Whether the text is that of a rule of the library, which is meant as it is written.
fn of_library(text: &str) -> bool {
    library::find(text).is_some() || library::rules().iter().any(|entry| entry.text == text)
}

/// The rule that is written so, in whichever notation.
pub fn read_any(text: &str, deck: &Deck) -> Result<Reading, Unreadable> {
    read_within(text, deck, LIMIT)
}

/// The same, with another limit on what a rule in words may have to remember.
pub fn read_within(text: &str, deck: &Deck, limit: usize) -> Result<Reading, Unreadable> {
    let notation = Notation::of(text);
    Ok(match notation {
        Notation::Rule => {
            let rule = read_rule(text, deck)?;
            let (automaton, start) = (Automaton::within(&rule, limit)?, rule.start);
            if let Some(problem) = sense::meaning(&rule, &automaton, text).filter(|_| !of_library(text)) {
                return Err(Unreadable::Text(vec![problem]));
            }
            Reading { notation, rule: Some(rule), automaton, start, notes: Vec::new() }
        }
        Notation::Protocol => {
            let protocol = Protocol::parse(text, deck)?;
            let (automaton, notes) = (protocol.automaton()?, protocol.notes());
            Reading { notation, rule: None, automaton, start: deck.all(), notes }
        }
        Notation::Temporal => {
            let formula = Temporal::parse(text, deck)?;
            let (automaton, notes) = (formula.automaton()?, formula.notes());
            Reading { notation, rule: None, automaton, start: formula.start(), notes }
        }
    })
}
