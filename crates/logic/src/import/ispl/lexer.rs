//! Text to tokens.

use crate::syntax::{Code, Diagnostic, Span};

/// The parts that a keyword opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Section {
    Semantics,
    Agent,
    Evaluation,
    InitStates,
    Groups,
    Fairness,
    Formulae,
    Vars,
    Obsvars,
    Lobsvars,
    Actions,
    Protocol,
    Evolution,
    RedStates,
    GreenStates,
}

impl Section {
    /// The keyword.
    pub(super) fn word(self) -> &'static str {
        match self {
            Section::Semantics => "Semantics",
            Section::Agent => "Agent",
            Section::Evaluation => "Evaluation",
            Section::InitStates => "InitStates",
            Section::Groups => "Groups",
            Section::Fairness => "Fairness",
            Section::Formulae => "Formulae",
            Section::Vars => "Vars",
            Section::Obsvars => "Obsvars",
            Section::Lobsvars => "Lobsvars",
            Section::Actions => "Actions",
            Section::Protocol => "Protocol",
            Section::Evolution => "Evolution",
            Section::RedStates => "RedStates",
            Section::GreenStates => "GreenStates",
        }
    }

    /// Whether it is a part of an agent.
    pub(super) fn of_agent(self) -> bool {
        match self {
            Section::Vars
            | Section::Obsvars
            | Section::Lobsvars
            | Section::Actions
            | Section::Protocol
            | Section::Evolution
            | Section::RedStates
            | Section::GreenStates => true,
            Section::Semantics
            | Section::Agent
            | Section::Evaluation
            | Section::InitStates
            | Section::Groups
            | Section::Fairness
            | Section::Formulae => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    Section(Section),
    /// The word `end`.
    End,
    If,
    And,
    Or,
    True,
    False,
    Name,
    Int,
    LParen,
    RParen,
    LBrace,
    RBrace,
    Colon,
    Semi,
    Comma,
    Dot,
    DotDot,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Arrow,
    Bang,
    Plus,
    Minus,
    Star,
    Slash,
    Tilde,
    Amp,
    Bar,
    Caret,
    /// The text is over.
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) tok: Tok,
    pub(super) span: Span,
}

/// The words that cannot be names.
pub(super) const WORDS: &[(&str, Tok)] = &[
    ("Semantics", Tok::Section(Section::Semantics)),
    ("Agent", Tok::Section(Section::Agent)),
    ("Evaluation", Tok::Section(Section::Evaluation)),
    ("InitStates", Tok::Section(Section::InitStates)),
    ("Groups", Tok::Section(Section::Groups)),
    ("Fairness", Tok::Section(Section::Fairness)),
    ("Formulae", Tok::Section(Section::Formulae)),
    ("Vars", Tok::Section(Section::Vars)),
    ("Obsvars", Tok::Section(Section::Obsvars)),
    ("Lobsvars", Tok::Section(Section::Lobsvars)),
    ("Actions", Tok::Section(Section::Actions)),
    ("Protocol", Tok::Section(Section::Protocol)),
    ("Evolution", Tok::Section(Section::Evolution)),
    ("RedStates", Tok::Section(Section::RedStates)),
    ("GreenStates", Tok::Section(Section::GreenStates)),
    ("end", Tok::End),
    ("if", Tok::If),
    ("and", Tok::And),
    ("or", Tok::Or),
    ("true", Tok::True),
    ("false", Tok::False),
];

/// Longer symbols stand before those they start with.
const SYMBOLS: &[(&str, Tok)] = &[
    ("->", Tok::Arrow),
    ("<>", Tok::Ne),
    ("!=", Tok::Ne),
    ("<=", Tok::Le),
    (">=", Tok::Ge),
    ("..", Tok::DotDot),
    ("(", Tok::LParen),
    (")", Tok::RParen),
    ("{", Tok::LBrace),
    ("}", Tok::RBrace),
    (":", Tok::Colon),
    (";", Tok::Semi),
    (",", Tok::Comma),
    (".", Tok::Dot),
    ("=", Tok::Eq),
    ("<", Tok::Lt),
    (">", Tok::Gt),
    ("!", Tok::Bang),
    ("+", Tok::Plus),
    ("-", Tok::Minus),
    ("*", Tok::Star),
    ("/", Tok::Slash),
    ("~", Tok::Tilde),
    ("&", Tok::Amp),
    ("|", Tok::Bar),
    ("^", Tok::Caret),
];

/// Reads the whole text; unreadable characters are reported and skipped. The last token is [`Tok::Eof`].
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
            let word = &rest[..length];
            if !word.is_ascii() {
                let message = format!("`{word}` cannot be a name here");
                let problem = Diagnostic::new(Code::Character, Span::new(at, at + length), message);
                problems.push(problem.label("only letters from a to z, digits and `_`"));
            }
            (WORDS.iter().find(|(w, _)| *w == word).map_or(Tok::Name, |&(_, tok)| tok), length)
        } else if c.is_ascii_digit() {
            (Tok::Int, rest.bytes().take_while(u8::is_ascii_digit).count())
        } else if let Some(&(symbol, tok)) = SYMBOLS.iter().find(|(s, _)| rest.starts_with(s)) {
            (tok, symbol.len())
        } else {
            let span = Span::new(at, at + c.len_utf8());
            let message = format!("the character `{}` is not used here", c.escape_debug());
            problems.push(Diagnostic::new(Code::Character, span, message).label("not part of the language"));
            at += c.len_utf8();
            continue;
        };
        tokens.push(Token { tok, span: Span::new(at, at + length) });
        at += length;
    }
    tokens.push(Token { tok: Tok::Eof, span: Span::new(text.len(), text.len()) });
    (tokens, problems)
}
