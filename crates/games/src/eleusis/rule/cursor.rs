//! Looking at the tokens of a rule text: trying readings, going back, and saying what was wrong.

use ken_logic::syntax::{Code, Diagnostic, Span};

use super::CardRef;
use super::lexer::Kind;
use super::parser::{Parsed, Parser};

/// How deep conditions and numbers may nest in a text.
const MAX_DEPTH: usize = 100;
/// How many parts a rule may have, names put in.
const MAX_SIZE: usize = 20_000;
/// How many tokens may be looked at, again and again: what one sentence can mean is tried in turn.
const MAX_STEPS: usize = 400_000;

/// The words that may follow a sentence.
const BOUNDARIES: [&str; 15] = [
    "and",
    "or",
    "but",
    "if",
    "when",
    "then",
    "else",
    "otherwise",
    "unless",
    "implies",
    "iff",
    "xor",
    "after",
    "nor",
    "except",
];

/// Looking at tokens.
impl<'a> Parser<'a> {
    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span from a token to the last one read.
    pub(super) fn span_from(&self, start: usize) -> Span {
        self.tokens[start].span.to(self.tokens[self.at.saturating_sub(1).max(start)].span)
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn kind_after(&self, places: usize) -> &Kind {
        &self.tokens[(self.at + places).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn word(&self) -> Option<&str> {
        self.word_after(0)
    }

    pub(super) fn word_after(&self, places: usize) -> Option<&str> {
        match self.kind_after(places) {
            Kind::Word(word) => Some(word),
            Kind::Number(_) | Kind::Sign(_) | Kind::End => None,
        }
    }

    /// The token as it was written.
    pub(super) fn source(&self) -> &'a str {
        let span = self.span();
        &self.text[span.start as usize..span.end as usize]
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Whether the next tokens are these words and signs.
    pub(super) fn sees(&self, phrase: &str) -> bool {
        phrase.split(' ').enumerate().all(|(i, part)| match self.kind_after(i) {
            Kind::Word(word) => word == part,
            Kind::Sign(sign) => *sign == part,
            Kind::Number(_) | Kind::End => false,
        })
    }

    /// Reads these words and signs if they are next.
    pub(super) fn eat(&mut self, phrase: &str) -> bool {
        let seen = self.sees(phrase);
        if seen {
            self.at += phrase.split(' ').count();
        }
        seen
    }

    /// Reads one of these phrases if it is next.
    pub(super) fn eat_any(&mut self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.eat(phrase))
    }

    pub(super) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Reads `a`, `an`, `the`: an upper-case A is an ace, and so is a lone `a` at the end or before a sign.
    pub(super) fn article(&mut self) {
        let ace =
            self.sees("a") && (self.source() == "A" || !matches!(self.kind_after(1), Kind::Word(_) | Kind::Number(_)));
        if !ace {
            let _ = self.eat_any(&["a", "an", "the"]);
        }
    }

    fn found(&self) -> String {
        match self.kind() {
            Kind::End => "the end of the text".to_string(),
            Kind::Word(_) | Kind::Number(_) | Kind::Sign(_) => format!("`{}`", self.source()),
        }
    }

    pub(super) fn expected(&mut self, what: &str) -> Diagnostic {
        let message = format!("{what} expected, found {}", self.found());
        self.problem(Code::Syntax, self.span(), message)
    }

    /// A problem; the one farthest to the right is what the reader is told in the end.
    pub(super) fn problem(&mut self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        self.report(Diagnostic::new(code, span, message))
    }

    pub(super) fn report(&mut self, problem: Diagnostic) -> Diagnostic {
        // What is wrong in meaning counts more than what else might have stood there.
        let weight = |d: &Diagnostic| match d.code {
            Code::Syntax => (d.span.start, false),
            _ => (d.span.end, true),
        };
        if self.furthest.as_ref().is_none_or(|(_, old)| weight(old) < weight(&problem)) {
            self.furthest = Some((self.at, problem.clone()));
        }
        problem
    }

    /// A text that people would read in two ways: no other reading is tried. The help may be empty.
    pub(super) fn unclear(&mut self, span: Span, message: &str, help: &str) -> Diagnostic {
        self.firm = true;
        let problem = Diagnostic::new(Code::Syntax, span, message);
        self.report(if help.is_empty() { problem } else { problem.help(help) })
    }

    /// Whether a sentence can end here.
    pub(super) fn at_boundary(&self) -> bool {
        match self.kind() {
            Kind::End | Kind::Sign(")" | ";" | "." | "," | ":") => true,
            Kind::Word(word) => BOUNDARIES.contains(&word.as_str()),
            Kind::Number(_) | Kind::Sign(_) => false,
        }
    }

    /// Tries one reading; goes back if it fails.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Option<T>>) -> Parsed<Option<T>> {
        let (at, carry, relational) = (self.at, self.carry.clone(), self.relational);
        let (topic, mentioned, bare) = (self.topic.clone(), self.mentioned.clone(), self.bare);
        self.steps += 1;
        let result = read(self);
        if let Ok(Some(value)) = result {
            return Ok(Some(value));
        }
        self.steps += self.at.saturating_sub(at);
        if self.steps > MAX_STEPS {
            return Err(self.hopeless(at));
        }
        (self.at, self.carry, self.relational) = (at, carry, relational);
        (self.topic, self.mentioned, self.bare) = (topic, mentioned, bare);
        match result {
            Err(problem) if self.firm || matches!(problem.code, Code::Depth | Code::Large) => Err(problem),
            _ => Ok(None),
        }
    }

    fn hopeless(&mut self, at: usize) -> Diagnostic {
        let problem = Diagnostic::new(Code::Large, self.tokens[at].span, "this text takes too long to understand");
        self.report(problem.help("write it in shorter sentences, or name its parts with `let`"))
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.steps += 1;
        if self.depth >= MAX_DEPTH {
            let problem = Diagnostic::new(Code::Depth, self.span(), "nested too deep");
            return Err(self.report(problem.label(format!("the limit is {MAX_DEPTH} levels"))));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Refuses a chain of operators longer than the limit: each one nests.
    pub(super) fn link(&mut self, links: &mut usize) -> Parsed<()> {
        *links += 1;
        if *links <= MAX_DEPTH {
            return Ok(());
        }
        let problem = Diagnostic::new(Code::Depth, self.span(), "too many parts in a row");
        Err(self.report(problem.label(format!("the limit is {MAX_DEPTH}"))))
    }

    /// Reads something about a card of the line.
    pub(super) fn search<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let (subject, carry) = (std::mem::replace(&mut self.subject, CardRef::This), self.carry.take());
        self.searching += 1;
        let result = self.deeper(read);
        self.searching -= 1;
        (self.subject, self.carry) = (subject, carry);
        result
    }

    /// Counts the parts of a named value that is put in.
    pub(super) fn spend(&mut self, size: usize) -> Parsed<()> {
        self.size += size;
        if self.size <= MAX_SIZE {
            return Ok(());
        }
        let problem = Diagnostic::new(Code::Large, self.span(), "the rule is too large with its names put in");
        Err(self.report(problem.label(format!("more than {MAX_SIZE} parts"))))
    }
}
