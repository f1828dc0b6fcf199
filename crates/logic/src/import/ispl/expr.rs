//! Expressions: guards, terms and formulas have one grammar.

use super::lexer::{Section, Tok};
use super::parser::{Parser, Read};
use super::tree::{BitOp, Expr, Kind, Together, Word};
use super::{MAX_NESTING, Reported};
use crate::formula::{Along, ArithOp, Cmp, Path};
use crate::syntax::{Code, Diagnostic, Span};

/// The operators of one letter, and those with a path quantifier before it.
const PATHS: &[(&str, Path, Along)] = &[
    ("AX", Path::All, Along::Next),
    ("AG", Path::All, Along::Always),
    ("AF", Path::All, Along::Eventually),
    ("EX", Path::Some, Along::Next),
    ("EG", Path::Some, Along::Always),
    ("EF", Path::Some, Along::Eventually),
];

const LTL_HELP: &str = "say whether all paths are meant (`AF p`, `A(p U q)`) or some (`EF p`)";

const STAR_HELP: &str = "write `A` or `E` before each of `X`, `F`, `G` and `U`, and nowhere else";

fn along(word: &str) -> Option<Along> {
    match word {
        "X" => Some(Along::Next),
        "G" => Some(Along::Always),
        "F" => Some(Along::Eventually),
        _ => None,
    }
}

impl<'t> Parser<'t> {
    /// A guard, or a formula without knowledge and time.
    pub(super) fn condition(&mut self) -> Read<Expr<'t>> {
        self.modal = false;
        self.expression()
    }

    /// A formula.
    pub(super) fn formula(&mut self) -> Read<Expr<'t>> {
        self.modal = true;
        self.quantifiers = 0;
        self.no_prefix()?;
        let formula = self.expression()?;
        if self.is_word("U") {
            return self.no_path_formulas(self.span());
        }
        Ok(formula)
    }

    fn node(&mut self, kind: Kind<'t>, span: Span, below: usize) -> Read<Expr<'t>> {
        let height = below + 1;
        if height > MAX_NESTING { self.too_deep(span) } else { Ok(Expr { kind, span, height }) }
    }

    fn too_deep<T>(&mut self, at: Span) -> Read<T> {
        let message = format!("nested deeper than {MAX_NESTING} levels");
        self.fail(Diagnostic::new(Code::Depth, at, message).label("too deep here"))
    }

    /// One level further down; operators that stand beside one another are on one level.
    fn deeper(&mut self, read: fn(&mut Self) -> Read<Expr<'t>>) -> Read<Expr<'t>> {
        if self.depth >= MAX_NESTING {
            return self.too_deep(self.span());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// A whole expression inside another.
    fn expression(&mut self) -> Read<Expr<'t>> {
        self.deeper(Parser::implication)
    }

    /// Implication, to the right.
    fn implication(&mut self) -> Read<Expr<'t>> {
        let left = self.disjunction()?;
        if !self.eat(Tok::Arrow) {
            return Ok(left);
        }
        let right = self.expression()?;
        let (span, height) = (left.span.to(right.span), left.height.max(right.height));
        self.node(Kind::Imp(Box::new(left), Box::new(right)), span, height)
    }

    pub(super) fn disjunction(&mut self) -> Read<Expr<'t>> {
        let mut parts = vec![self.conjunction()?];
        while self.eat(Tok::Or) {
            parts.push(self.conjunction()?);
        }
        self.joined(parts, Kind::Or)
    }

    fn conjunction(&mut self) -> Read<Expr<'t>> {
        let mut parts = vec![self.prefixed()?];
        while self.eat(Tok::And) {
            parts.push(self.prefixed()?);
        }
        self.joined(parts, Kind::And)
    }

    fn joined(&mut self, parts: Vec<Expr<'t>>, kind: fn(Vec<Expr<'t>>) -> Kind<'t>) -> Read<Expr<'t>> {
        match <[Expr<'t>; 1]>::try_from(parts) {
            Ok([one]) => Ok(one),
            Err(parts) => {
                let height = parts.iter().map(|p| p.height).max().unwrap_or(0);
                let span = parts.iter().map(|p| p.span).reduce(Span::to).unwrap_or_default();
                self.node(kind(parts), span, height)
            }
        }
    }

    /// What a prefix stands before.
    fn unary(&mut self) -> Read<Expr<'t>> {
        self.deeper(Parser::prefixed)
    }

    /// Prefixes bind tightest, but a comparison is one piece: `!x = y` denies it.
    fn prefixed(&mut self) -> Read<Expr<'t>> {
        let start = self.span();
        if self.eat(Tok::Bang) {
            let body = self.unary()?;
            let (span, height) = (start.to(body.span), body.height);
            return self.node(Kind::Not(Box::new(body)), span, height);
        }
        if self.modal {
            if self.peek() == Tok::Lt {
                return self.strategy();
            }
            if self.peek() == Tok::Name
                && let Some(result) = self.modality()
            {
                return result;
            }
        }
        self.comparison()
    }

    /// Whether the token after this one can start an operand: a word before it is then an operator.
    fn operand_follows(&self) -> bool {
        match self.ahead(1) {
            Tok::Name => self.slice(self.ahead_span(1)) != "U",
            Tok::LParen | Tok::Bang | Tok::True | Tok::False => true,
            _ => false,
        }
    }

    /// A formula that starts with the name of an operator; `None` if the name is none.
    fn modality(&mut self) -> Option<Read<Expr<'t>>> {
        let Word { text, span } = self.here();
        let strategy_follows = self.ahead(1) == Tok::Lt && self.ahead(2) == Tok::Name && self.ahead(3) == Tok::Gt;
        if !self.operand_follows() && !strategy_follows {
            return None;
        }
        if let Some(&(_, path, along)) = PATHS.iter().find(|(word, ..)| *word == text) {
            self.bump();
            return Some(self.path(path, along, span));
        }
        let called = self.ahead(1) == Tok::LParen;
        match text {
            "A" | "E" => {
                self.bump();
                let path = if text == "A" { Path::All } else { Path::Some };
                Some(self.quantified(path, span))
            }
            "X" | "F" | "G" => Some(self.no_path_formulas(span)),
            "K" | "O" | "GK" | "GCK" | "DK" if called => {
                self.bump();
                Some(self.of_someone(text, span))
            }
            _ => None,
        }
    }

    fn path(&mut self, path: Path, along: Along, start: Span) -> Read<Expr<'t>> {
        self.quantifiers += 1;
        let body = self.unary()?;
        self.quantifiers -= 1;
        let (span, height) = (start.to(body.span), body.height);
        self.node(Kind::Path(path, along, Box::new(body)), span, height)
    }

    /// After `A` or `E`: one path operator.
    fn quantified(&mut self, path: Path, start: Span) -> Read<Expr<'t>> {
        if let Some(along) = along(self.slice(self.span())) {
            self.bump();
            return self.path(path, along, start);
        }
        self.quantifiers += 1;
        let Some((left, right, end)) = self.until()? else { return self.no_path_formulas(start) };
        self.quantifiers -= 1;
        let height = left.height.max(right.height);
        self.node(Kind::Until(path, Box::new(left), Box::new(right)), start.to(end), height)
    }

    /// `(φ U ψ)` with the place of the `)`; `None` if it is something else.
    fn until(&mut self) -> Read<Option<(Expr<'t>, Expr<'t>, Span)>> {
        if self.peek() != Tok::LParen {
            return Ok(None);
        }
        self.bump();
        let left = self.expression()?;
        if !self.is_word("U") {
            return if self.peek() == Tok::RParen { Ok(None) } else { self.unexpected("an operator, `U` or `)`") };
        }
        self.bump();
        let right = self.expression()?;
        let end = self.expect(Tok::RParen, "an operator or `)`")?;
        Ok(Some((left, right, end)))
    }

    /// Refuses a formula that says by a prefix that it is one of linear time.
    fn no_prefix(&mut self) -> Read<()> {
        let span = self.span();
        if self.is_word("LTL") && self.operand_follows() {
            return self.linear("LTL formulas are not supported", span, "the formula is about single runs", LTL_HELP);
        }
        let star = self.ahead(1) == Tok::Star && self.ahead_span(1).start == span.end;
        if self.is_word("CTL") && star {
            let span = span.to(self.ahead_span(1));
            return self.linear(
                "CTL* formulas are not supported",
                span,
                "the formula mixes runs and states",
                STAR_HELP,
            );
        }
        Ok(())
    }

    fn linear<T>(&mut self, message: &str, at: Span, label: &str, help: &str) -> Read<T> {
        self.fail(Diagnostic::new(Code::Temporal, at, message).label(label).help(help))
    }

    /// A path operator without a path quantifier, or a path quantifier with more than one operator.
    fn no_path_formulas<T>(&mut self, at: Span) -> Read<T> {
        let word = self.slice(at);
        let (message, help) = if self.quantifiers > 0 || matches!(word, "A" | "E") {
            ("CTL* formulas are not supported", STAR_HELP)
        } else {
            ("LTL formulas are not supported", LTL_HELP)
        };
        let label = format!("`{word}` stands for a property of paths here");
        self.linear(message, at, &label, help)
    }

    /// `(agent, φ)` after `K` and the like.
    fn of_someone(&mut self, operator: &str, start: Span) -> Read<Expr<'t>> {
        self.bump();
        let single = matches!(operator, "K" | "O");
        let who = self.word(if single { "an agent" } else { "a group" })?;
        self.expect(Tok::Comma, "`,` and a formula")?;
        let body = Box::new(self.expression()?);
        let end = self.expect(Tok::RParen, "an operator or `)`")?;
        let height = body.height;
        let kind = match operator {
            "K" => Kind::Knows(who, body),
            "O" => Kind::Ought(who, body),
            "GK" => Kind::Together(Together::Everyone, who, body),
            "GCK" => Kind::Together(Together::Common, who, body),
            _ => Kind::Together(Together::Distributed, who, body),
        };
        self.node(kind, start.to(end), height)
    }

    /// `<g>X φ`, `<g>(φ U ψ)` and the like.
    fn strategy(&mut self) -> Read<Expr<'t>> {
        let start = self.bump().span;
        let group = self.word("a group")?;
        self.expect(Tok::Gt, "`>` after the group")?;
        self.quantifiers += 1;
        if let Some(along) = along(self.slice(self.span())) {
            self.bump();
            let body = self.unary()?;
            self.quantifiers -= 1;
            let (span, height) = (start.to(body.span), body.height);
            return self.node(Kind::Ensure(group, along, Box::new(body)), span, height);
        }
        if self.peek() != Tok::LParen {
            return self.unexpected("`X`, `F`, `G` or `(… U …)` after a group");
        }
        let Some((left, right, end)) = self.until()? else {
            return self.unexpected("an operator or `U`");
        };
        self.quantifiers -= 1;
        let height = left.height.max(right.height);
        self.node(Kind::EnsureUntil(group, Box::new(left), Box::new(right)), start.to(end), height)
    }

    fn comparison(&mut self) -> Read<Expr<'t>> {
        let left = self.term(0)?;
        let cmp = match self.peek() {
            Tok::Eq => Cmp::Eq,
            Tok::Ne => Cmp::Ne,
            Tok::Lt => Cmp::Lt,
            Tok::Le => Cmp::Le,
            Tok::Gt => Cmp::Gt,
            Tok::Ge => Cmp::Ge,
            _ => return Ok(left),
        };
        self.bump();
        let right = self.term(0)?;
        let (span, height) = (left.span.to(right.span), left.height.max(right.height));
        self.node(Kind::Compare(cmp, Box::new(left), Box::new(right)), span, height)
    }

    /// Binary operators at least this strong, to the left.
    fn term(&mut self, least: u8) -> Read<Expr<'t>> {
        let mut left = self.operand()?;
        loop {
            let strength = match self.peek() {
                Tok::Bar => 1,
                Tok::Caret => 2,
                Tok::Amp => 3,
                Tok::Plus | Tok::Minus => 4,
                Tok::Star | Tok::Slash => 5,
                _ => return Ok(left),
            };
            if strength < least {
                return Ok(left);
            }
            let operator = self.bump().tok;
            let right = self.term(strength + 1)?;
            let (span, height) = (left.span.to(right.span), left.height.max(right.height));
            let (a, b) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Tok::Bar => Kind::Bit(BitOp::Or, a, b),
                Tok::Caret => Kind::Bit(BitOp::Xor, a, b),
                Tok::Amp => Kind::Bit(BitOp::And, a, b),
                Tok::Plus => Kind::Arith(ArithOp::Add, a, b),
                Tok::Minus => Kind::Arith(ArithOp::Sub, a, b),
                Tok::Star => Kind::Arith(ArithOp::Mul, a, b),
                _ => Kind::Arith(ArithOp::Div, a, b),
            };
            left = self.node(kind, span, height)?;
        }
    }

    fn factor(&mut self) -> Read<Expr<'t>> {
        self.deeper(Parser::operand)
    }

    fn operand(&mut self) -> Read<Expr<'t>> {
        let start = self.span();
        match self.peek() {
            Tok::True | Tok::False => {
                let value = self.bump().tok == Tok::True;
                self.node(Kind::Bool(value), start, 0)
            }
            Tok::Int => {
                let value = self.integer()?;
                self.node(Kind::Int(value), start, 0)
            }
            Tok::Minus if self.ahead(1) == Tok::Int => {
                let value = self.integer()?;
                self.node(Kind::Int(value), start.to(self.before()), 0)
            }
            Tok::Minus => {
                self.bump();
                let body = self.factor()?;
                let (span, height) = (start.to(body.span), body.height);
                self.node(Kind::Neg(Box::new(body)), span, height)
            }
            Tok::Tilde => {
                self.bump();
                let body = self.factor()?;
                let (span, height) = (start.to(body.span), body.height);
                self.node(Kind::BitNot(Box::new(body)), span, height)
            }
            Tok::LParen => {
                self.bump();
                let inner = self.expression()?;
                if self.modal && self.is_word("U") {
                    return self.no_path_formulas(self.span());
                }
                let end = self.expect(Tok::RParen, "an operator or `)`")?;
                Ok(Expr { span: start.to(end), ..inner })
            }
            Tok::Name => {
                let name = self.here();
                self.bump();
                if !self.eat(Tok::Dot) {
                    return self.node(Kind::Name(name.text), start, 0);
                }
                let span = start.to(self.span());
                match self.peek() {
                    Tok::Section(Section::RedStates | Section::GreenStates) => {
                        let green = self.bump().tok == Tok::Section(Section::GreenStates);
                        self.node(Kind::Colour(name, green), span, 0)
                    }
                    _ => {
                        let part = self.word("a variable or `Action`")?;
                        self.node(Kind::Of(name, part), span, 0)
                    }
                }
            }
            _ => {
                let wanted = if self.modal { "a formula" } else { "a condition or a value" };
                self.unexpected(wanted)
            }
        }
    }

    /// A number, possibly negative.
    pub(super) fn integer(&mut self) -> Read<i64> {
        let start = self.span();
        let negative = self.eat(Tok::Minus);
        let digits = self.expect(Tok::Int, "a number")?;
        let text = format!("{}{}", if negative { "-" } else { "" }, self.slice(digits));
        text.parse().map_err(|_| {
            let problem = Diagnostic::new(Code::Number, start.to(digits), "this number is out of range");
            self.problems.push(problem.label("too large"));
            Reported
        })
    }
}
