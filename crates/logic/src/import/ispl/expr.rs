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
        self.loose = None;
        self.prefix();
        let formula = self.path_formula()?;
        if let Some(span) = self.loose.take() {
            let problem = Diagnostic::new(Code::Temporal, span, "how far does this side of `U` reach?")
                .label("joined, and not in parentheses")
                .help("put parentheses around what belongs together: `(p and q) U r`, or `p and (q U r)`");
            return self.fail(problem);
        }
        // A formula of linear time speaks of every run.
        if formula.is_of_runs() { self.on_runs(Path::All, formula) } else { Ok(formula) }
    }

    /// Takes the prefixes that say what kind of formula follows: it can be seen without them.
    fn prefix(&mut self) {
        let span = self.span();
        if self.is_word("LTL") && self.operand_follows() {
            self.bump();
        } else if self.is_word("CTL") && self.ahead(1) == Tok::Star && self.ahead_span(1).start == span.end {
            self.bump();
            self.bump();
        }
    }

    /// A formula in which `U` may join two others, weaker than anything else and to the right.
    fn path_formula(&mut self) -> Read<Expr<'t>> {
        let from = self.at;
        let left = self.expression()?;
        if !self.is_word("U") {
            return Ok(left);
        }
        self.one_piece(from, &left);
        self.bump();
        let from = self.at;
        let right = self.deeper(Parser::path_formula)?;
        self.one_piece(from, &right);
        let (span, height) = (left.span.to(right.span), left.height.max(right.height));
        self.node(Kind::LinearUntil(Box::new(left), Box::new(right)), span, height)
    }

    /// Notes a side of `U` that is joined and stands in no parentheses: only `A(… U …)` of CTL says how far it reaches.
    fn one_piece(&mut self, from: usize, side: &Expr<'t>) {
        let joined = matches!(side.kind, Kind::And(_) | Kind::Or(_) | Kind::Imp(..));
        if joined && !self.enclosed(from) {
            self.loose = Some(side.span);
        }
    }

    fn on_runs(&mut self, path: Path, body: Expr<'t>) -> Read<Expr<'t>> {
        let (span, height) = (body.span, body.height);
        self.node(Kind::Runs(path, Box::new(body)), span, height)
    }

    /// Refuses a formula of runs where one of states is needed.
    fn of_states(&mut self, formula: Expr<'t>) -> Read<Expr<'t>> {
        if !formula.is_of_runs() {
            return Ok(formula);
        }
        let problem =
            Diagnostic::new(Code::Temporal, formula.span, "this is about a run, and a formula of states is needed")
                .label("of which runs?")
                .help("write `A` or `E` before it: `A F p` of all runs, `E F p` of some");
        self.fail(problem)
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
            "X" | "F" | "G" => {
                self.bump();
                Some(self.linear(text, span))
            }
            "K" | "O" | "GK" | "GCK" | "DK" if called => {
                self.bump();
                Some(self.of_someone(text, span))
            }
            _ => None,
        }
    }

    fn linear(&mut self, word: &str, start: Span) -> Read<Expr<'t>> {
        let along = along(word).unwrap_or(Along::Eventually);
        let body = self.unary()?;
        let (span, height) = (start.to(body.span), body.height);
        self.node(Kind::Linear(along, Box::new(body)), span, height)
    }

    fn path(&mut self, path: Path, along: Along, start: Span) -> Read<Expr<'t>> {
        let body = self.unary()?;
        let (span, height) = (start.to(body.span), body.height);
        if !body.is_of_runs() {
            return self.node(Kind::Path(path, along, Box::new(body)), span, height);
        }
        let line = self.node(Kind::Linear(along, Box::new(body)), span, height)?;
        self.on_runs(path, line)
    }

    /// After `A` or `E`: an operator of CTL, or any path formula.
    fn quantified(&mut self, path: Path, start: Span) -> Read<Expr<'t>> {
        if let Some(along) = along(self.slice(self.span())) {
            self.bump();
            return self.path(path, along, start);
        }
        let before = self.loose.take();
        let body = self.unary()?;
        let span = start.to(body.span);
        let inside = std::mem::replace(&mut self.loose, before);
        match body.kind {
            Kind::LinearUntil(a, b) if !a.is_of_runs() && !b.is_of_runs() => {
                self.node(Kind::Until(path, a, b), span, body.height)
            }
            kind if inside.is_some() => {
                self.loose = inside;
                self.on_runs(path, Expr { kind, span, height: body.height })
            }
            kind => self.on_runs(path, Expr { kind, span, height: body.height }),
        }
    }

    /// `(agent, φ)` after `K` and the like.
    fn of_someone(&mut self, operator: &str, start: Span) -> Read<Expr<'t>> {
        self.bump();
        let single = matches!(operator, "K" | "O");
        let who = self.word(if single { "an agent" } else { "a group" })?;
        self.expect(Tok::Comma, "`,` and a formula")?;
        let body = self.path_formula()?;
        let body = Box::new(self.of_states(body)?);
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
        if let Some(along) = along(self.slice(self.span())) {
            self.bump();
            let body = self.unary()?;
            let body = self.of_states(body)?;
            let (span, height) = (start.to(body.span), body.height);
            return self.node(Kind::Ensure(group, along, Box::new(body)), span, height);
        }
        if self.peek() != Tok::LParen {
            return self.unexpected("`X`, `F`, `G` or `(… U …)` after a group");
        }
        self.bump();
        let left = self.expression()?;
        let left = self.of_states(left)?;
        if !self.is_word("U") {
            return self.unexpected("an operator or `U`");
        }
        self.bump();
        let right = self.expression()?;
        let right = self.of_states(right)?;
        let end = self.expect(Tok::RParen, "an operator or `)`")?;
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
        let (left, right) = (self.of_states(left)?, self.of_states(right)?);
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
                let inner = if self.modal { self.path_formula()? } else { self.expression()? };
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
