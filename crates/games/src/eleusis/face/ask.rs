//! What is asked about a round: a fact, or whether the rule is one that nobody has in mind.

use crate::eleusis::knowledge::{Fact, Memory};
use crate::eleusis::library;
use crate::eleusis::secret::{Secret, Unfit};
use crate::eleusis::table::Eleusis;
use crate::knowledge::{self, Language};
use crate::table::page::Problem;
use std::sync::Arc;

/// What is asked.
pub(super) enum Ask {
    /// A fact of the engine.
    Fact(Fact),
    /// Whether the rule is this one, which is none of the library.
    Rule(Arc<Secret>),
}

/// Whether a text is meant as a formula, and not as words or a rule.
pub(super) fn is_fact<G: Eleusis>(mind: &Memory<G>, text: &str) -> bool {
    let named = |word: &str| text.contains(&format!("{word}("));
    let operator = ["K[", "S[", "Kw[", "E[", "D[", "C["].iter().any(|operator| text.contains(operator));
    operator || text.trim_start().starts_with(['[', '<']) || mind.facts().iter().any(|(word, _)| named(word))
}

/// Reads a fact, or a rule that is none of the family where nothing else is asked.
pub(super) fn read<G: Eleusis>(game: &G, mind: &Memory<G>, text: &str) -> Result<Ask, Problem> {
    let text = text.trim();
    let alone = text.strip_prefix("rule(").and_then(|rest| rest.strip_suffix(')'));
    match alone.filter(|inside| is_closed(inside)) {
        Some(inside) => rule(game, mind, inside.trim()),
        None => match knowledge::read(mind, text) {
            Ok(fact) => Ok(Ask::Fact(fact)),
            Err(problems) => Err(Problem::text(text, &problems)),
        },
    }
}

/// Whether every parenthesis that is closed in the text was opened in it.
fn is_closed(text: &str) -> bool {
    let mut depth = 0i32;
    text.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
}

/// Whether the rule is this one: a text, or the name of one of the library.
pub(super) fn rule<G: Eleusis>(game: &G, mind: &Memory<G>, text: &str) -> Result<Ask, Problem> {
    let text = library::find(text).map_or(text, |entry| entry.text);
    if let Ok(fact) = mind.fact("rule", &[text]) {
        return Ok(Ask::Fact(fact));
    }
    game.table().menu().secret(text).map(Ask::Rule).map_err(|unfit| problem(text, unfit))
}

/// What is wrong with the text of a rule.
pub(super) fn problem(text: &str, unfit: Unfit) -> Problem {
    match unfit {
        Unfit::Unread(problems) => Problem::text(text, &problems),
        Unfit::Unbounded(why) => Problem::new("unread", why),
    }
}

/// The fact that the rule is the one of this text.
pub(super) fn is_rule(text: &str) -> String {
    format!("rule({text})")
}

/// That the rule is the one of this text, in words.
pub(super) fn rule_words(text: &str) -> String {
    format!("the rule is `{text}`")
}
