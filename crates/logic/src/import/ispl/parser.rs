//! Tokens to trees: the file and its parts.

use super::Reported;
use super::lexer::{Section, Tok, Token, WORDS, lex};
use super::tree::*;
use crate::document::Refused;
use crate::syntax::{Code, Diagnostic, Span, nearest};
use crate::text::in_one_pair;

pub(super) type Read<T> = Result<T, Reported>;

pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    pub(super) at: usize,
    pub(super) problems: Vec<Diagnostic>,
    /// How deep the present expression is nested.
    pub(super) depth: usize,
    /// Whether knowledge and time may be spoken of.
    pub(super) modal: bool,
    /// A side of a `U` of which it is not certain how far it reaches.
    pub(super) loose: Option<Span>,
}

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Parser<'t> {
        let (tokens, problems) = lex(text);
        Parser { text, tokens, at: 0, problems, depth: 0, modal: false, loose: None }
    }

    // Tokens.

    pub(super) fn token(&self, n: usize) -> Token {
        let end = Span::new(self.text.len(), self.text.len());
        self.tokens.get(self.at + n).copied().unwrap_or(Token { tok: Tok::Eof, span: end })
    }

    pub(super) fn peek(&self) -> Tok {
        self.token(0).tok
    }

    pub(super) fn ahead(&self, n: usize) -> Tok {
        self.token(n).tok
    }

    pub(super) fn span(&self) -> Span {
        self.token(0).span
    }

    pub(super) fn ahead_span(&self, n: usize) -> Span {
        self.token(n).span
    }

    /// The place of the token before this one.
    pub(super) fn before(&self) -> Span {
        self.at.checked_sub(1).and_then(|i| self.tokens.get(i)).map(|t| t.span).unwrap_or_default()
    }

    /// Whether everything from this token to the present one stands in one pair of parentheses.
    pub(super) fn enclosed(&self, from: usize) -> bool {
        in_one_pair(self.tokens[from..self.at].iter().map(|token| match token.tok {
            Tok::LParen => 1,
            Tok::RParen => -1,
            _ => 0,
        }))
    }

    pub(super) fn here(&self) -> Word<'t> {
        Word { text: self.slice(self.span()), span: self.span() }
    }

    pub(super) fn bump(&mut self) -> Token {
        let token = self.token(0);
        if token.tok != Tok::Eof {
            self.at += 1;
        }
        token
    }

    pub(super) fn eat(&mut self, tok: Tok) -> bool {
        let found = self.peek() == tok;
        if found {
            self.bump();
        }
        found
    }

    pub(super) fn expect(&mut self, tok: Tok, wanted: &str) -> Read<Span> {
        if self.peek() == tok { Ok(self.bump().span) } else { self.unexpected(wanted) }
    }

    pub(super) fn word(&mut self, wanted: &str) -> Read<Word<'t>> {
        let word = self.here();
        if let Some((reserved, _)) = WORDS.iter().find(|(w, _)| *w == word.text) {
            let problem = Diagnostic::new(Code::Reserved, word.span, format!("expected {wanted}"));
            return self.fail(problem.label(format!("`{reserved}` is a word of the language")));
        }
        self.expect(Tok::Name, wanted)?;
        Ok(word)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.peek() == Tok::Name && self.slice(self.span()) == word
    }

    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The source of the tokens, without comments and with single spaces.
    fn source(&self, from: usize) -> String {
        let mut out = String::new();
        let mut end = None;
        for token in self.tokens.get(from..self.at).unwrap_or_default() {
            if end.is_some_and(|end| end < token.span.start) {
                out.push(' ');
            }
            out.push_str(self.slice(token.span));
            end = Some(token.span.end);
        }
        out
    }

    // Problems.

    pub(super) fn fail<T>(&mut self, problem: Diagnostic) -> Read<T> {
        self.problems.push(problem);
        Err(Reported)
    }

    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Read<T> {
        let token = self.token(0);
        let found = match token.tok {
            Tok::Eof => "the text ends".to_string(),
            _ => format!("found `{}`", self.slice(token.span)),
        };
        let mut problem = Diagnostic::new(Code::Syntax, token.span, format!("expected {wanted}")).label(found);
        problem.help = self.hint();
        self.fail(problem)
    }

    /// What the current token may have been meant to be.
    fn hint(&self) -> Option<String> {
        match self.peek() {
            Tok::Eq if self.before().end == self.span().start && self.slice(self.before()) == "=" => {
                Some("equality is written `=`".to_string())
            }
            Tok::Amp => Some("between conditions write `and`; `&` joins truth values".to_string()),
            Tok::Bar => Some("between conditions write `or`; `|` joins truth values".to_string()),
            Tok::Name => {
                let word = self.slice(self.span());
                let near = nearest(word, WORDS.iter().map(|(w, _)| *w))?;
                Some(format!("did you mean `{near}`?"))
            }
            _ => None,
        }
    }

    /// Goes on behind the next `;`, or before the next part.
    pub(super) fn skip_statement(&mut self) {
        self.depth = 0;
        while !self.part_ends() {
            if self.bump().tok == Tok::Semi {
                return;
            }
        }
    }

    /// Whether no further statement of the present part can start here.
    fn part_ends(&self) -> bool {
        match self.peek() {
            Tok::Eof => true,
            // `agent.RedStates` is no keyword.
            Tok::Section(_) => self.slice(self.before()) != ".",
            // Mistaken for a name.
            Tok::End => !matches!(self.ahead(1), Tok::Colon | Tok::Eq | Tok::If | Tok::Semi | Tok::Comma),
            _ => false,
        }
    }

    /// Goes on before the next keyword.
    pub(super) fn skip_part(&mut self) {
        while !matches!(self.peek(), Tok::Section(_) | Tok::End | Tok::Eof) {
            self.bump();
        }
    }

    // Parts.

    /// The statements up to `end` and the keyword, which stands in front of them.
    pub(super) fn statements<T>(
        &mut self,
        section: Section,
        mut one: impl FnMut(&mut Self) -> Read<T>,
    ) -> (Vec<T>, bool) {
        let mut all = Vec::new();
        let mut whole = true;
        while !self.part_ends() {
            match one(self) {
                Ok(statement) => all.push(statement),
                Err(Reported) => {
                    whole = false;
                    self.skip_statement();
                }
            }
        }
        (all, self.close(section).is_ok() && whole)
    }

    pub(super) fn close(&mut self, section: Section) -> Read<()> {
        if self.peek() == Tok::End && self.ahead(1) == Tok::Section(section) {
            self.bump();
            self.bump();
            return Ok(());
        }
        let result = self.unexpected(&format!("`end {}`", section.word()));
        match (self.peek(), self.ahead(1)) {
            // The agent ends here in any case.
            (Tok::End, Tok::Section(Section::Agent)) => {}
            (Tok::End, Tok::Section(_)) => {
                self.bump();
                self.bump();
            }
            (Tok::End, _) => {
                self.bump();
            }
            _ => {}
        }
        result
    }

    pub(super) fn file(&mut self) -> FileTree<'t> {
        let mut file = FileTree { complete: self.problems.is_empty(), ..FileTree::default() };
        let mut seen: Vec<Section> = Vec::new();
        loop {
            let token = self.token(0);
            let section = match token.tok {
                Tok::Eof => break,
                Tok::Section(section) if !section.of_agent() => section,
                Tok::Section(_) | Tok::End => {
                    file.complete = false;
                    let _: Read<()> = self.unexpected("`Agent` or a part of the file");
                    self.bump();
                    if token.tok == Tok::End && matches!(self.peek(), Tok::Section(_)) {
                        self.bump();
                    }
                    self.skip_part();
                    continue;
                }
                _ => {
                    file.complete = false;
                    let _: Read<()> = self.unexpected("`Agent` or a part of the file");
                    self.skip_part();
                    continue;
                }
            };
            if section != Section::Agent && seen.contains(&section) {
                let problem = Diagnostic::new(Code::Duplicate, token.span, format!("a second `{}`", section.word()));
                self.problems.push(problem.label("again here"));
            }
            seen.push(section);
            self.bump();
            self.part(section, &mut file);
        }
        let needed = [Section::Agent, Section::Evaluation, Section::InitStates, Section::Formulae];
        let missing: Vec<String> =
            needed.iter().filter(|s| !seen.contains(s)).map(|s| format!("`{}`", s.word())).collect();
        if !missing.is_empty() {
            let are = if missing.len() == 1 { "is" } else { "are" };
            let message = format!("{} {are} missing", missing.join(", "));
            let end = Span::new(self.text.len(), self.text.len());
            self.problems.push(
                Diagnostic::new(Code::Missing, end, message)
                    .label("the text ends")
                    .help("a system has agents, `Evaluation`, `InitStates` and `Formulae`, each with its `end`"),
            );
            file.complete = false;
        }
        file
    }

    /// A part of the file, after its keyword.
    fn part(&mut self, section: Section, file: &mut FileTree<'t>) {
        if section != Section::Agent && section != Section::Semantics {
            self.eat(Tok::Colon);
        }
        match section {
            Section::Semantics => match self.semantics() {
                Ok(single) => file.single = single,
                Err(Reported) => self.skip_statement(),
            },
            Section::Agent => match self.agent() {
                Ok((agent, whole)) => {
                    file.complete &= whole;
                    file.agents.push(agent);
                }
                Err(Reported) => {
                    file.complete = false;
                    self.skip_part();
                }
            },
            Section::Evaluation => {
                let (all, whole) = self.statements(section, |p| {
                    let name = p.word("the name of a proposition")?;
                    p.expect(Tok::If, "`if` and a condition")?;
                    let condition = p.condition()?;
                    p.expect(Tok::Semi, "an operator or `;`")?;
                    Ok((name, condition))
                });
                file.complete &= whole;
                file.evaluation.extend(all);
            }
            Section::InitStates => {
                let (all, _) = self.statements(section, |p| {
                    let condition = p.condition()?;
                    p.expect(Tok::Semi, "an operator or `;`")?;
                    Ok(condition)
                });
                file.init.extend(all);
            }
            Section::Groups => {
                let (all, whole) = self.statements(section, |p| {
                    let name = p.word("the name of a group")?;
                    p.expect(Tok::Eq, "`=` and agents in braces")?;
                    let members = p.braces("an agent", false)?;
                    p.expect(Tok::Semi, "`;`")?;
                    Ok((name, members))
                });
                file.complete &= whole;
                file.groups.extend(all);
            }
            Section::Fairness => {
                let (all, _) = self.statements(section, |p| {
                    let formula = p.formula()?;
                    p.expect(Tok::Semi, "an operator or `;`")?;
                    Ok(formula)
                });
                file.fairness.extend(all);
            }
            Section::Formulae => {
                let (all, _) = self.statements(section, Parser::asked);
                for asked in all {
                    match asked {
                        Ok(formula) => file.formulae.push(formula),
                        Err(refused) => file.refused.push(refused),
                    }
                }
            }
            Section::Vars
            | Section::Obsvars
            | Section::Lobsvars
            | Section::Actions
            | Section::Protocol
            | Section::Evolution
            | Section::RedStates
            | Section::GreenStates => {}
        }
    }

    /// A formula of `Formulae`, with its text; one that speaks of a run where only states can be spoken of is refused alone.
    fn asked(&mut self) -> Read<Result<(Expr<'t>, String), Refused>> {
        let (first, start, known) = (self.at, self.span(), self.problems.len());
        if let Ok(formula) = self.formula() {
            let text = self.source(first);
            self.expect(Tok::Semi, "an operator or `;`")?;
            return Ok(Ok((formula, text)));
        }
        let linear = self.problems.get(known..).is_some_and(|new| matches!(new, [p] if p.code == Code::Temporal));
        if !linear {
            return Err(Reported);
        }
        let Some(problem) = self.problems.pop() else { return Err(Reported) };
        self.depth = 0;
        while !self.part_ends() && self.peek() != Tok::Semi {
            self.bump();
        }
        let (text, span) = (self.source(first), start.to(self.before()));
        self.expect(Tok::Semi, "an operator or `;`")?;
        Ok(Err(Refused { text, problem, span }))
    }

    /// Whether every variable changes on its own.
    fn semantics(&mut self) -> Read<bool> {
        self.expect(Tok::Eq, "`=`")?;
        let single = match self.slice(self.span()) {
            "MultiAssignment" | "MA" => false,
            "SingleAssignment" | "SA" => true,
            _ => return self.unexpected("`MultiAssignment` or `SingleAssignment`"),
        };
        self.bump();
        self.expect(Tok::Semi, "`;`")?;
        Ok(single)
    }
}
