//! Rule text to tokens.

use ken_logic::syntax::{Code, Diagnostic, Span};

/// One word, number or sign, with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// In lower case; the source has it as it was written.
    Word(String),
    Number(i32),
    Sign(&'static str),
    End,
}

/// Longer signs first.
const SIGNS: [(&str, &str); 44] = [
    ("<->", "iff"),
    ("<=>", "iff"),
    ("->", "implies"),
    ("=>", "implies"),
    ("<=", "<="),
    (">=", ">="),
    ("!=", "!="),
    ("<>", "!="),
    ("==", "="),
    ("&&", "and"),
    ("||", "or"),
    ("..", ".."),
    ("'s", "'s"),
    ("’s", "'s"),
    ("(", "("),
    (")", ")"),
    ("{", "{"),
    ("}", "}"),
    ("[", "["),
    ("]", "]"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    (".", "."),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("−", "-"),
    ("–", "-"),
    ("*", "*"),
    ("×", "*"),
    ("·", "*"),
    ("%", "mod"),
    ("|", "|"),
    ("!", "not"),
    ("&", "and"),
    ("≠", "!="),
    ("≤", "<="),
    ("≥", ">="),
    ("¬", "not"),
    ("→", "implies"),
    ("↔", "iff"),
];

/// Signs that stand for words.
const PICTURES: [(char, &str); 4] = [('♣', "clubs"), ('♦', "diamonds"), ('♥', "hearts"), ('♠', "spades")];

/// Words that take a hyphen: the hyphen is no minus.
const HYPHENATED: [&str; 5] = ["non", "number", "face", "picture", "court"];

/// The tokens of a text; strange characters are reported and left out.
pub(super) fn tokens(text: &str, problems: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        let kind = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            at += end;
            word(&rest[..end], Span::new(start, at), problems)
        } else if let Some((sign, means)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            at += sign.len();
            let hyphen = |t: &Token| matches!(&t.kind, Kind::Word(w) if HYPHENATED.contains(&w.as_str()));
            let before = tokens.last().is_some_and(|t| hyphen(t) && t.span.end as usize == start);
            if *sign == "-" && before && text[at..].starts_with(char::is_alphabetic) {
                continue;
            }
            // `and`, `or`, `not`… are words however they are written.
            if means.starts_with(char::is_alphabetic) { Kind::Word((*means).to_string()) } else { Kind::Sign(means) }
        } else if let Some((_, means)) = PICTURES.iter().find(|(picture, _)| *picture == first) {
            at += first.len_utf8();
            Kind::Word((*means).to_string())
        } else {
            at += first.len_utf8();
            let problem =
                Diagnostic::new(Code::Character, Span::new(start, at), format!("unexpected character `{first}`"));
            problems.push(problem.label("no rule uses this"));
            continue;
        };
        tokens.push(Token { kind, span: Span::new(start, at) });
    }
    tokens.push(Token { kind: Kind::End, span: Span::new(text.len(), text.len()) });
    tokens
}

fn word(text: &str, span: Span, problems: &mut Vec<Diagnostic>) -> Kind {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Kind::Word(text.to_lowercase());
    }
    Kind::Number(text.parse().unwrap_or_else(|_| {
        let problem = Diagnostic::new(Code::Number, span, format!("the number {text} is too large"));
        problems.push(problem.label(format!("the largest is {}", i32::MAX)));
        0
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut problems = Vec::new();
        let found = tokens(text, &mut problems);
        assert_eq!(problems, []);
        found.iter().map(|t| text[t.span.start as usize..t.span.end as usize].to_string()).collect()
    }

    #[test]
    fn ranges_signs_and_comments_are_cut_apart() {
        assert_eq!(words("rank(next) in 5..9 # middle"), ["rank", "(", "next", ")", "in", "5", "..", "9", ""]);
        assert_eq!(words("|d|>=2"), ["|", "d", "|", ">=", "2", ""]);
    }

    #[test]
    fn a_hyphen_in_a_word_is_no_minus() {
        assert_eq!(words("non-prime gar-1"), ["non", "prime", "gar", "-", "1", ""]);
    }

    #[test]
    fn strange_characters_are_reported_and_skipped() {
        let mut problems = Vec::new();
        assert_eq!(tokens("red $ £", &mut problems).len(), 2);
        assert_eq!(problems.len(), 2);
        assert_eq!(problems[0].code, Code::Character);
    }
}
