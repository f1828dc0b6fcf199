//! Words and signs of the paper's notations, as printed or in ASCII.

use ken_logic::syntax::{Code, Diagnostic, Span};

/// A word or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// A sign, in its ASCII form.
    Sign(&'static str),
}

/// Signs as they may be written, longer ones first, and the form that the parsers know.
const SIGNS: &[(&str, &str)] = &[
    ("->", "->"),
    ("=>", "->"),
    ("→", "->"),
    ("&&", "&"),
    ("/\\", "&"),
    ("∧", "&"),
    ("&", "&"),
    ("||", "|"),
    ("\\/", "|"),
    ("∨", "|"),
    ("|", "|"),
    ("!=", "!="),
    ("≠", "!="),
    ("<=", "<="),
    ("≤", "<="),
    ("⩽", "<="),
    (">=", ">="),
    ("≥", ">="),
    ("⩾", ">="),
    ("==", "="),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("¬", "!"),
    ("!", "!"),
    ("~", "!"),
    ("∈", "in"),
    ("∪", "+"),
    ("+", "+"),
    ("*", "*"),
    (";", ";"),
    ("..", ".."),
    ("…", ".."),
    (".", "."),
    (",", ","),
    ("^", "^"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
];

/// Words that stand for signs.
const WORDS: &[(&str, &str)] = &[("in", "in"), ("and", "&"), ("or", "|"), ("not", "!")];

/// The suits as printed, each as its letter.
const SUITS: &[(char, &str)] =
    &[('♣', "C"), ('♧', "C"), ('♦', "D"), ('♢', "D"), ('♥', "H"), ('♡', "H"), ('♠', "S"), ('♤', "S")];

/// The tokens of a text; `#` starts a comment.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Span)>, Diagnostic> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = if next.is_whitespace() {
            (None, next.len_utf8())
        } else if next == '#' {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some((_, letter)) = SUITS.iter().find(|(sign, _)| *sign == next) {
            (Some(Token::Word((*letter).to_owned())), next.len_utf8())
        } else if let Some((written, sign)) = SIGNS.iter().find(|(written, _)| rest.starts_with(written)) {
            (Some(Token::Sign(sign)), written.len())
        } else {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '\'').unwrap_or(rest.len());
            if length == 0 {
                let span = Span::new(at, at + next.len_utf8());
                return Err(Diagnostic::new(Code::Character, span, format!("`{next}` is not used in this notation")));
            }
            let word = &rest[..length];
            let sign = WORDS.iter().find(|(written, _)| written.eq_ignore_ascii_case(word));
            (Some(sign.map_or_else(|| Token::Word(word.to_owned()), |(_, sign)| Token::Sign(sign))), length)
        };
        found.extend(token.map(|token| (token, Span::new(at, at + length))));
        at += length;
    }
    Ok(found)
}
