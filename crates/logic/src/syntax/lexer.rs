//! Text to tokens.

use super::diagnostic::{Code, Diagnostic, Span};

/// A token kind; the text of names and numbers is read from the source by span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    /// A name: letters, digits, `_`, `'`, dotted parts.
    Ident,
    Int,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Comma,
    Semi,
    Colon,
    Assign,
    DotDot,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Arrow,
    DoubleArrow,
    And,
    AndAnd,
    Or,
    Bang,
    Question,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Caret,
    At,
    End,
}

impl Tok {
    /// How the token is named in a message.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Tok::Ident => "a name",
            Tok::Int => "a number",
            Tok::LParen => "`(`",
            Tok::RParen => "`)`",
            Tok::LBracket => "`[`",
            Tok::RBracket => "`]`",
            Tok::LBrace => "`{`",
            Tok::RBrace => "`}`",
            Tok::Comma => "`,`",
            Tok::Semi => "`;`",
            Tok::Colon => "`:`",
            Tok::Assign => "`:=`",
            Tok::DotDot => "`..`",
            Tok::Eq => "`=`",
            Tok::Ne => "`!=`",
            Tok::Lt => "`<`",
            Tok::Le => "`<=`",
            Tok::Gt => "`>`",
            Tok::Ge => "`>=`",
            Tok::Arrow => "`->`",
            Tok::DoubleArrow => "`<->`",
            Tok::And => "`&`",
            Tok::AndAnd => "`&&`",
            Tok::Or => "`|`",
            Tok::Bang => "`!`",
            Tok::Question => "`?`",
            Tok::Plus => "`+`",
            Tok::Minus => "`-`",
            Tok::Star => "`*`",
            Tok::Slash => "`/`",
            Tok::Percent => "`%`",
            Tok::Caret => "`^`",
            Tok::At => "`@`",
            Tok::End => "the end",
        }
    }
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) span: Span,
    /// Nothing but white space stands before it on its line.
    pub(crate) first_on_line: bool,
    /// White space (or the start of the text) stands directly before it.
    pub(crate) spaced: bool,
}

/// A comment, for the formatter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    pub(crate) span: Span,
    pub(crate) first_on_line: bool,
}

/// Everything a text consists of.
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) problems: Vec<Diagnostic>,
}

/// Reads the whole text; unreadable characters are reported and skipped. The last token is [`Tok::End`].
pub(crate) fn lex(text: &str) -> Lexed {
    let mut out = Lexed { tokens: Vec::new(), comments: Vec::new(), problems: Vec::new() };
    let mut chars = text.char_indices().peekable();
    let mut fresh_line = true;
    let mut spaced = true;
    while let Some(&(start, c)) = chars.peek() {
        if c.is_whitespace() || c == '\u{feff}' {
            fresh_line |= c == '\n';
            spaced = true;
            chars.next();
            continue;
        }
        let rest = &text[start..];
        if rest.starts_with("--") {
            let length = rest.find('\n').unwrap_or(rest.len());
            out.comments.push(Comment { span: Span::new(start, start + length), first_on_line: fresh_line });
            while chars.peek().is_some_and(|&(i, _)| i < start + length) {
                chars.next();
            }
            continue;
        }
        let (tok, length) = if c.is_alphabetic() {
            (Tok::Ident, name_length(rest))
        } else if c.is_ascii_digit() {
            (Tok::Int, rest.bytes().take_while(u8::is_ascii_digit).count())
        } else if let Some(found) = symbol(rest) {
            found
        } else {
            out.problems.push(
                Diagnostic::new(
                    Code::Character,
                    Span::new(start, start + c.len_utf8()),
                    format!("the character {} is not used here", show(c)),
                )
                .label("not part of the language"),
            );
            chars.next();
            continue;
        };
        out.tokens.push(Token { tok, span: Span::new(start, start + length), first_on_line: fresh_line, spaced });
        fresh_line = false;
        spaced = false;
        while chars.peek().is_some_and(|&(i, _)| i < start + length) {
            chars.next();
        }
    }
    out.tokens.push(Token {
        tok: Tok::End,
        span: Span::new(text.len(), text.len()),
        first_on_line: true,
        spaced: true,
    });
    out
}

fn show(c: char) -> String {
    if c.is_control() { format!("U+{:04X}", c as u32) } else { format!("`{c}`") }
}

/// Letters, digits, `_`, primes; a single dot between two parts joins them (`Obs.Val`).
fn name_length(rest: &str) -> usize {
    let mut length = 0;
    let mut chars = rest.chars().peekable();
    while let Some(c) = chars.next() {
        let part = c.is_alphanumeric() || c == '_' || c == '\'' || c == '′';
        let dot = c == '.' && chars.peek().is_some_and(|d| d.is_alphabetic());
        if !part && !dot {
            break;
        }
        length += c.len_utf8();
    }
    length
}

fn symbol(rest: &str) -> Option<(Tok, usize)> {
    const SYMBOLS: &[(&str, Tok)] = &[
        ("<->", Tok::DoubleArrow),
        ("->", Tok::Arrow),
        ("<=", Tok::Le),
        (">=", Tok::Ge),
        ("!=", Tok::Ne),
        (":=", Tok::Assign),
        ("..", Tok::DotDot),
        ("&&", Tok::AndAnd),
        ("(", Tok::LParen),
        (")", Tok::RParen),
        ("[", Tok::LBracket),
        ("]", Tok::RBracket),
        ("{", Tok::LBrace),
        ("}", Tok::RBrace),
        (",", Tok::Comma),
        (";", Tok::Semi),
        (":", Tok::Colon),
        ("=", Tok::Eq),
        ("<", Tok::Lt),
        (">", Tok::Gt),
        ("&", Tok::And),
        ("|", Tok::Or),
        ("!", Tok::Bang),
        ("?", Tok::Question),
        ("+", Tok::Plus),
        ("-", Tok::Minus),
        ("*", Tok::Star),
        ("/", Tok::Slash),
        ("%", Tok::Percent),
        ("^", Tok::Caret),
        ("@", Tok::At),
        ("~", Tok::Bang),
        ("¬", Tok::Bang),
        ("∧", Tok::And),
        ("∨", Tok::Or),
        ("→", Tok::Arrow),
        ("↔", Tok::DoubleArrow),
        ("≠", Tok::Ne),
        ("≤", Tok::Le),
        ("≥", Tok::Ge),
        ("⟨", Tok::Lt),
        ("⟩", Tok::Gt),
        ("∪", Tok::Plus),
        ("∩", Tok::AndAnd),
        ("−", Tok::Minus),
        ("·", Tok::Star),
        ("∈", Tok::Ident),
        ("∀", Tok::Ident),
        ("∃", Tok::Ident),
        ("⊤", Tok::Ident),
        ("⊥", Tok::Ident),
    ];
    // `p!=q` is a comparison, `!=` cannot start one: the longest symbol wins everywhere.
    SYMBOLS.iter().find(|(text, _)| rest.starts_with(text)).map(|&(text, tok)| (tok, text.len()))
}
