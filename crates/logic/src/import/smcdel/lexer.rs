//! Text to tokens.

use crate::syntax::{Code, Diagnostic, Span};

/// The parts that a keyword opens, in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Vars,
    Law,
    Obs,
    Query(QuestionKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionKind {
    True,
    Valid,
    Where,
}

impl Section {
    /// The place in the file; all questions have the same.
    pub(super) fn rank(self) -> usize {
        match self {
            Section::Vars => 0,
            Section::Law => 1,
            Section::Obs => 2,
            Section::Query(_) => 3,
        }
    }
}

/// Whose knowledge an infix operator speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Knower {
    One,
    Common,
    Distributed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    Section(Section),
    Name,
    Int,
    Colon,
    Comma,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Lt,
    Gt,
    Bang,
    Question,
    Top,
    Bot,
    Not,
    And,
    Or,
    Imp,
    Iff,
    AllOf,
    AnyOf,
    XorOf,
    OneOf,
    K,
    Kw,
    Forall,
    Exists,
    /// `knows that`, `comknow whether` and the like: whose knowledge, and whether it is "whether".
    Know(Knower, bool),
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Span,
}

/// The words of the language that stand alone.
pub(super) const WORDS: &[(&str, Tok)] = &[
    ("VARS", Tok::Section(Section::Vars)),
    ("LAW", Tok::Section(Section::Law)),
    ("OBS", Tok::Section(Section::Obs)),
    ("Top", Tok::Top),
    ("Bot", Tok::Bot),
    ("AND", Tok::AllOf),
    ("OR", Tok::AnyOf),
    ("XOR", Tok::XorOf),
    ("ONEOF", Tok::OneOf),
    ("Not", Tok::Not),
    ("not", Tok::Not),
    ("iff", Tok::Iff),
    ("Forall", Tok::Forall),
    ("ForAll", Tok::Forall),
    ("Exists", Tok::Exists),
    ("K", Tok::K),
    ("Kw", Tok::Kw),
];

pub(super) const SYMBOLS: &[(&str, Tok)] = &[
    ("->", Tok::Imp),
    ("→", Tok::Imp),
    (":", Tok::Colon),
    (",", Tok::Comma),
    ("(", Tok::LParen),
    (")", Tok::RParen),
    ("[", Tok::LBracket),
    ("]", Tok::RBracket),
    ("{", Tok::LBrace),
    ("}", Tok::RBrace),
    ("<", Tok::Lt),
    (">", Tok::Gt),
    ("!", Tok::Bang),
    ("?", Tok::Question),
    ("~", Tok::Not),
    ("¬", Tok::Not),
    ("&", Tok::And),
    ("∧", Tok::And),
    ("|", Tok::Or),
    ("∨", Tok::Or),
];

/// Reads the whole text; unreadable characters are reported and skipped. The last token is [`Tok::End`].
pub(super) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let (mut tokens, mut problems) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (tok, length) = if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if c.is_alphabetic() || c == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            if rest[..length].bytes().all(|b| b.is_ascii_alphanumeric()) {
                word(rest)
            } else {
                let message = format!("`{}` cannot be a name here", &rest[..length]);
                let problem = Diagnostic::new(Code::Character, Span::new(at, at + length), message);
                problems.push(problem.label("only letters from a to z and digits"));
                (Tok::Name, length)
            }
        } else if c.is_ascii_digit() {
            (Tok::Int, run(rest, |b| b.is_ascii_digit()))
        } else if let Some(&(symbol, tok)) = SYMBOLS.iter().find(|(s, _)| rest.starts_with(s)) {
            (tok, symbol.len())
        } else {
            let span = Span::new(at, at + c.len_utf8());
            let message = format!("the character `{}` is not used here", c.escape_debug());
            let mut problem = Diagnostic::new(Code::Character, span, message).label("not part of the language");
            if c == '-' {
                problem = problem.help("a comment starts with `--`, an implication is `->`");
            }
            problems.push(problem);
            at += c.len_utf8();
            continue;
        };
        tokens.push(Token { tok, span: Span::new(at, at + length) });
        at += length;
    }
    tokens.push(Token { tok: Tok::End, span: Span::new(text.len(), text.len()) });
    (tokens, problems)
}

/// The length of the longest start whose bytes all pass the test.
pub(super) fn run(text: &str, test: impl Fn(&u8) -> bool) -> usize {
    text.bytes().take_while(test).count()
}

/// A word at the start of the text, with its length.
pub(super) fn word(rest: &str) -> (Tok, usize) {
    let length = run(rest, u8::is_ascii_alphanumeric);
    let (word, after) = rest.split_at(length);
    let question = match word {
        "TRUE" => Some(QuestionKind::True),
        "VALID" => Some(QuestionKind::Valid),
        "WHERE" => Some(QuestionKind::Where),
        _ => None,
    };
    if let (Some(kind), true) = (question, after.starts_with('?')) {
        return (Tok::Section(Section::Query(kind)), length + 1);
    }
    let knower = match word {
        "knows" => Some(Knower::One),
        "comknow" => Some(Knower::Common),
        "distknow" => Some(Knower::Distributed),
        _ => None,
    };
    if let Some(knower) = knower {
        let space = run(after, u8::is_ascii_whitespace);
        let second = run(&after[space..], u8::is_ascii_alphanumeric);
        match &after[space..space + second] {
            "that" => return (Tok::Know(knower, false), length + space + second),
            "whether" => return (Tok::Know(knower, true), length + space + second),
            _ => {}
        }
    }
    let tok = WORDS.iter().find(|(w, _)| *w == word).map_or(Tok::Name, |&(_, tok)| tok);
    (tok, length)
}
