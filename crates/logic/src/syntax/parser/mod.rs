//! Tokens to the tree of a formula. Lists, actions and time are beside; statements of model files are in `statements.rs`.

mod actions;
mod lists;
mod time;

use super::ast::*;
use super::diagnostic::{Code, Diagnostic, Span};
use super::lexer::{Lexed, Tok, Token, lex};
use super::statements::STATEMENTS;
use crate::formula::{ArithOp, Cmp};

/// How deep formulas may nest in a text; repetition (`[α]^(k)`) is not nesting.
pub(crate) const MAX_NESTING: usize = 200;

/// The parser: never fails, collects problems, marks broken places with `Error` nodes.
pub(crate) struct Parser<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: Vec<Token>,
    pub(crate) at: usize,
    pub(crate) problems: Vec<Diagnostic>,
    depth: usize,
    /// Inside `<α>`, outside parentheses: a `>` closes the modality.
    gt_closes: bool,
    /// Directly inside an action, outside parentheses: `+` and `*` join actions, not numbers.
    in_action: bool,
    /// Directly inside a path formula: `X`, `F`, `G`, `U` and `R` are operators.
    in_path: bool,
    /// Reading a file: a statement's word at the start of a line is no name.
    pub(crate) in_file: bool,
    /// A declaration could not be read: names that seem unknown may be declared there.
    pub(crate) lost_declaration: bool,
    /// The text nests too deeply: nothing more is said about it.
    abandoned: bool,
    /// The facts of a game, if the text is about one: their arguments, and moves, are in the game's own words.
    facts: Option<&'t [String]>,
}

/// Words that cannot name anything.
pub(crate) const RESERVED: &[&str] = &[
    "true", "false", "forall", "exists", "announce", "U", "AX", "EX", "AG", "EG", "AF", "EF", "now", "in", "∈", "∀",
    "∃", "⊤", "⊥",
];

/// Words that are operators when their bracket follows.
pub(crate) const BEFORE_BRACKET: &[&str] = &["K", "S", "Kw", "E", "C", "D", "O", "L", "B", "I"];

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str) -> Parser<'t> {
        let Lexed { tokens, comments: _, problems } = lex(text);
        Parser {
            text,
            tokens,
            at: 0,
            problems,
            depth: 0,
            gt_closes: false,
            in_action: false,
            in_path: false,
            in_file: false,
            lost_declaration: false,
            abandoned: false,
            facts: None,
        }
    }

    /// A parser for texts about a game that has these facts.
    pub(crate) fn of_game(text: &'t str, facts: &'t [String]) -> Parser<'t> {
        Parser { facts: Some(facts), ..Parser::new(text) }
    }

    pub(crate) fn peek(&self) -> Tok {
        self.tokens[self.at].tok
    }

    pub(crate) fn token(&self) -> Token {
        self.tokens[self.at]
    }

    pub(crate) fn span(&self) -> Span {
        self.token().span
    }

    pub(crate) fn ahead(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    pub(crate) fn slice(&self, span: Span) -> &'t str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The text of the current token.
    pub(crate) fn word(&self) -> &'t str {
        self.slice(self.span())
    }

    pub(crate) fn word_ahead(&self, n: usize) -> &'t str {
        self.slice(self.ahead(n).span)
    }

    pub(crate) fn bump(&mut self) -> Token {
        let token = self.token();
        if token.tok != Tok::End {
            self.at += 1;
        }
        token
    }

    pub(crate) fn eat(&mut self, tok: Tok) -> bool {
        let found = self.peek() == tok;
        if found {
            self.bump();
        }
        found
    }

    /// Takes the word if it is next.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek() == Tok::Ident && self.word() == word;
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn expect(&mut self, tok: Tok, context: &str) -> bool {
        let found = self.eat(tok);
        if !found {
            self.unexpected(&format!("{} {context}", tok.describe()));
        }
        found
    }

    pub(crate) fn unexpected(&mut self, wanted: &str) {
        let token = self.token();
        let found = match token.tok {
            Tok::End => "the text ends".to_string(),
            Tok::Ident | Tok::Int => format!("found `{}`", self.word()),
            other => format!("found {}", other.describe()),
        };
        let problem = Diagnostic::new(Code::Syntax, token.span, format!("expected {wanted}")).label(found);
        self.report(match self.of_a_run() {
            Some(help) => problem.help(help),
            None => problem,
        });
    }

    /// What to do about an operator of runs outside `A` and `E`, where it is a name.
    fn of_a_run(&self) -> Option<String> {
        let before = self.at.checked_sub(1).map_or("", |at| self.slice(self.tokens[at].span));
        match (before, self.word()) {
            ("X" | "F" | "G", _) if self.starts_formula(0) => Some(format!(
                "`{before}` speaks of a run, and stands only inside `A` or `E`: `A {before} φ`, `E {before} φ`"
            )),
            (_, joining @ ("U" | "R")) if self.peek() == Tok::Ident => Some(format!(
                "`{joining}` speaks of a run, and stands only inside `A` or `E`: `A (φ {joining} ψ)`, `E (φ {joining} ψ)`"
            )),
            _ => None,
        }
    }

    /// Adds a problem unless one is already reported at the same place.
    pub(crate) fn report(&mut self, problem: Diagnostic) {
        if !self.abandoned && self.problems.last().is_none_or(|p| p.span.start != problem.span.start) {
            self.problems.push(problem);
        }
    }

    /// Runs `parse` one level deeper, or reports that the text nests too deeply and skips the rest of it.
    pub(super) fn deeper<T>(&mut self, broken: T, parse: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_NESTING {
            self.report(
                Diagnostic::new(Code::Depth, self.span(), format!("nested deeper than {MAX_NESTING} levels"))
                    .label("too deep here")
                    .help("name parts with `let`, or repeat an action with `[α]^(k)`"),
            );
            self.abandoned = true;
            self.at = self.tokens.len() - 1;
            return broken;
        }
        self.depth += 1;
        let value = parse(self);
        self.depth -= 1;
        value
    }

    /// Runs `parse` where `>`, `+` and `*` have their ordinary meaning again.
    pub(super) fn inside_brackets<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.gt_closes, self.in_action);
        (self.gt_closes, self.in_action) = (false, false);
        let value = parse(self);
        (self.gt_closes, self.in_action) = outer;
        value
    }

    pub(crate) fn ident(&mut self, what: &str) -> Ident {
        let span = self.span();
        let statement = self.in_file && self.token().first_on_line && STATEMENTS.contains(&self.word());
        if self.peek() != Tok::Ident || statement {
            self.unexpected(what);
            return Ident { text: String::new(), span };
        }
        let text = self.word().to_string();
        self.bump();
        if RESERVED.contains(&text.as_str()) {
            self.report(
                Diagnostic::new(Code::Reserved, span, format!("`{text}` is a reserved word"))
                    .label(format!("cannot be {what}")),
            );
        }
        Ident { text, span }
    }

    pub(crate) fn formula(&mut self) -> Expr {
        let from = self.at;
        let left = self.equivalence();
        if !self.in_path || self.peek() != Tok::Ident || !matches!(self.word(), "U" | "R") {
            return left;
        }
        self.one_piece(from, &left);
        let release = self.word() == "R";
        self.bump();
        let from = self.at;
        let right = self.right_side(Self::formula);
        self.one_piece(from, &right);
        let span = left.span.to(right.span);
        Expr { kind: ExprKind::LinearUntil(release, Box::new(left), Box::new(right)), span }
    }

    fn equivalence(&mut self) -> Expr {
        let left = self.implication();
        if !self.eat(Tok::DoubleArrow) {
            return left;
        }
        let right = self.right_side(Self::equivalence);
        let span = left.span.to(right.span);
        Expr { kind: ExprKind::Iff(Box::new(left), Box::new(right)), span }
    }

    fn implication(&mut self) -> Expr {
        let left = self.disjunction();
        if !self.eat(Tok::Arrow) {
            return left;
        }
        let right = self.right_side(Self::implication);
        let span = left.span.to(right.span);
        Expr { kind: ExprKind::Imp(Box::new(left), Box::new(right)), span }
    }

    /// The right side of an operator that groups to the right: a level of its own.
    fn right_side(&mut self, parse: fn(&mut Self) -> Expr) -> Expr {
        let broken = Expr { kind: ExprKind::Error, span: self.span() };
        self.deeper(broken, parse)
    }

    fn disjunction(&mut self) -> Expr {
        self.chain(Tok::Or, Self::conjunction, ExprKind::Or)
    }

    fn conjunction(&mut self) -> Expr {
        self.chain(Tok::And, Self::unary, ExprKind::And)
    }

    fn chain(&mut self, sign: Tok, part: fn(&mut Self) -> Expr, make: fn(Vec<Expr>) -> ExprKind) -> Expr {
        let first = part(self);
        if self.peek() != sign {
            return first;
        }
        let mut span = first.span;
        let mut parts = vec![first];
        while self.eat(sign) {
            let next = part(self);
            span = span.to(next.span);
            parts.push(next);
        }
        Expr { kind: make(parts), span }
    }

    /// A negation, a modality, or a comparison: what `?`, `announce` and prefix operators take.
    pub(crate) fn unary(&mut self) -> Expr {
        let start = self.span();
        let broken = Expr { kind: ExprKind::Error, span: start };
        self.deeper(broken, |p| {
            let kind = match p.peek() {
                Tok::Bang => {
                    p.bump();
                    ExprKind::Not(Box::new(p.unary()))
                }
                Tok::Lt if p.ahead(1).tok == Tok::Lt && !p.ahead(1).spaced => p.strategy(),
                Tok::LBracket | Tok::Lt => p.dynamic(),
                Tok::Ident => match p.word() {
                    "forall" | "∀" | "exists" | "∃" => p.quantified(),
                    word if p.ahead(1).tok == Tok::LBracket && BEFORE_BRACKET.contains(&word) => p.modal(),
                    "AX" | "EX" | "AG" | "EG" | "AF" | "EF" => p.path(),
                    "A" | "E" if p.path_formula_follows() => p.runs(),
                    "X" | "F" | "G" if p.in_path && p.starts_formula(1) => p.linear(),
                    _ => return p.comparison(),
                },
                _ => return p.comparison(),
            };
            let end = p.tokens[p.at.saturating_sub(1)].span;
            Expr { kind, span: start.to(end) }
        })
    }

    fn modal(&mut self) -> ExprKind {
        let operator = self.bump();
        let modal = match self.slice(operator.span) {
            "K" => Modal::K,
            "S" => Modal::S,
            "Kw" => Modal::Kw,
            "E" => Modal::E,
            "C" => Modal::C,
            "D" => Modal::D,
            "O" => Modal::O,
            "L" => {
                self.report(
                    Diagnostic::new(Code::Action, operator.span, "`L[..]` is an action, not a formula")
                        .label("an action")
                        .help("put it in a modality: `[L[all] α] φ`"),
                );
                self.group();
                self.unary();
                return ExprKind::Error;
            }
            word => {
                self.report(
                    Diagnostic::new(Code::Syntax, operator.span, format!("`{word}[..]` belongs to belief bases"))
                        .label("not available in models")
                        .help("use `K[a] φ` for knowledge"),
                );
                self.group();
                self.unary();
                return ExprKind::Error;
            }
        };
        let group = self.group();
        if matches!(modal, Modal::K | Modal::S | Modal::Kw | Modal::O) {
            let single = matches!(&group.kind, GroupKind::Of(items) if items.len() == 1);
            if !single {
                self.report(
                    Diagnostic::new(Code::Syntax, group.span, "this operator takes one agent")
                        .label("more than one")
                        .help("`E[..]`, `C[..]` and `D[..]` take groups"),
                );
            }
        }
        ExprKind::Modal(modal, group, Box::new(self.of_runs(false, Self::unary)))
    }

    /// `[a, b]`, `[all]`, `[child(i) for i in 1..n]`.
    pub(crate) fn group(&mut self) -> GroupExpr {
        let start = self.span();
        self.expect(Tok::LBracket, "and the agents");
        let kind = self.inside_brackets(|p| {
            if p.word() == "all" && p.ahead(1).tok == Tok::RBracket {
                p.bump();
                GroupKind::All
            } else {
                GroupKind::Of(p.items(Self::agent))
            }
        });
        let end = self.span();
        self.expect(Tok::RBracket, "after the agents");
        GroupExpr { kind, span: start.to(end) }
    }

    /// An agent: a name, a number, or a name with indices.
    pub(crate) fn agent(&mut self) -> Expr {
        if self.peek() == Tok::Int {
            let span = self.bump().span;
            return Expr { kind: ExprKind::Int(self.slice(span).to_string()), span };
        }
        self.reference("an agent")
    }

    /// A name, possibly with arguments.
    pub(crate) fn reference(&mut self, what: &str) -> Expr {
        let name = self.ident(what);
        let start = name.span;
        if self.peek() == Tok::LParen && self.in_own_words(&name.text) {
            self.bump();
            let inside = self.verbatim('(', ')', Tok::RParen);
            let inside: Vec<&str> = inside.split(',').map(str::trim).collect();
            let end = self.tokens[self.at.saturating_sub(1)].span;
            return Expr { kind: ExprKind::Name(format!("{}({})", name.text, inside.join(","))), span: start.to(end) };
        }
        if self.peek() == Tok::LParen && !name.text.is_empty() {
            let args = self.arguments();
            let end = self.tokens[self.at.saturating_sub(1)].span;
            return Expr { kind: ExprKind::Call(name, args), span: start.to(end) };
        }
        let kind = if name.text.is_empty() { ExprKind::Error } else { ExprKind::Name(name.text) };
        Expr { kind, span: start }
    }

    pub(super) fn arguments(&mut self) -> Vec<Expr> {
        self.expect(Tok::LParen, "and the arguments");
        let mut args = Vec::new();
        self.inside_brackets(|p| {
            if p.peek() == Tok::RParen {
                return;
            }
            loop {
                args.push(p.formula());
                if !p.eat(Tok::Comma) {
                    break;
                }
            }
        });
        self.expect(Tok::RParen, "after the arguments");
        args
    }

    /// Whether a fact of a game stands here whose arguments, between parentheses, are no names and numbers of this
    /// language but the game's own: `accepts(7C)`, `rule(red after black)`.
    fn in_own_words(&self, name: &str) -> bool {
        if !self.facts.is_some_and(|facts| facts.iter().any(|fact| fact == name)) {
            return false;
        }
        // Single names and numbers may be bound by quantifiers.
        let mut at = 1;
        loop {
            let single = matches!(self.ahead(at).tok, Tok::Ident | Tok::Int);
            match self.ahead(at + 1).tok {
                Tok::Comma if single => at += 2,
                Tok::RParen if single => return false,
                _ => return true,
            }
        }
    }

    /// The text up to the bracket that closes the one just taken, with single blanks; the bracket is taken, too.
    fn verbatim(&mut self, open: char, close: char, closing: Tok) -> String {
        let start = self.tokens[self.at.saturating_sub(1)].span.end as usize;
        let mut depth = 0usize;
        let closed = self.text[start..].char_indices().find(|&(_, c)| {
            depth += usize::from(c == open);
            let found = c == close && depth == 0;
            depth -= usize::from(c == close && depth > 0);
            found
        });
        let end = closed.map_or(self.text.len(), |(at, _)| start + at);
        while self.peek() != Tok::End && (self.span().start as usize) < end {
            self.bump();
        }
        // Characters that this language does not use may well be the game's.
        self.problems.retain(|p| !(start..end).contains(&(p.span.start as usize)));
        self.expect(closing, "to close the one opened before");
        self.text[start..end].split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// A move of a game, between its brackets.
    fn game_move(&mut self, diamond: bool) -> ActionExpr {
        let start = self.span();
        let text = match diamond {
            true => self.verbatim('<', '>', Tok::Gt),
            false => self.verbatim('[', ']', Tok::RBracket),
        };
        let span = start.to(self.tokens[self.at.saturating_sub(1)].span);
        if text.is_empty() {
            self.report(Diagnostic::new(Code::Syntax, span, "a move is missing here"));
        }
        ActionExpr { kind: ActionKind::Move(text), span }
    }

    fn dynamic(&mut self) -> ExprKind {
        let diamond = self.peek() == Tok::Lt;
        self.bump();
        if self.facts.is_some() {
            let action = self.game_move(diamond);
            return ExprKind::Dynamic { diamond, action, times: None, body: Box::new(self.unary()) };
        }
        let outer = std::mem::replace(&mut self.gt_closes, diamond);
        let action = self.of_runs(false, Self::action);
        self.gt_closes = outer;
        if diamond {
            self.expect(Tok::Gt, "after the action");
        } else {
            self.expect(Tok::RBracket, "after the action");
        }
        let times = self.eat(Tok::Caret).then(|| Box::new(self.exponent()));
        ExprKind::Dynamic { diamond, action, times, body: Box::new(self.of_runs(false, Self::unary)) }
    }

    /// After `^`: a number, a name, or an expression in parentheses.
    fn exponent(&mut self) -> Expr {
        if self.eat(Tok::LParen) {
            let inner = self.inside_brackets(Self::sum);
            self.expect(Tok::RParen, "after the exponent");
            return inner;
        }
        self.primary()
    }

    fn quantified(&mut self) -> ExprKind {
        let all = matches!(self.word(), "forall" | "∀");
        self.bump();
        let binders = self.binders();
        self.expect(Tok::Colon, "before the body");
        ExprKind::Quantified { all, binders, body: Box::new(self.formula()) }
    }

    /// A comparison of terms, a membership, or a single term (an atom).
    fn comparison(&mut self) -> Expr {
        let first = self.sum();
        let mut parts: Vec<Expr> = Vec::new();
        let mut left = first.clone();
        loop {
            let cmp = match self.peek() {
                Tok::Eq => Cmp::Eq,
                Tok::Ne => Cmp::Ne,
                Tok::Lt => Cmp::Lt,
                Tok::Le => Cmp::Le,
                Tok::Gt if !self.gt_closes => Cmp::Gt,
                Tok::Ge if !self.gt_closes => Cmp::Ge,
                Tok::Ident if matches!(self.word(), "in" | "∈") => {
                    self.bump();
                    let set = self.set();
                    let span = left.span.to(set.span);
                    parts.push(Expr { kind: ExprKind::In(Box::new(left), set), span });
                    break;
                }
                _ => break,
            };
            self.bump();
            let right = self.sum();
            let span = left.span.to(right.span);
            parts.push(Expr { kind: ExprKind::Compare(cmp, Box::new(left), Box::new(right.clone())), span });
            left = right;
        }
        match parts.len() {
            0 => first,
            1 => parts.remove(0),
            _ => {
                let span = parts.iter().fold(first.span, |s, p| s.to(p.span));
                Expr { kind: ExprKind::And(parts), span }
            }
        }
    }

    /// A sum of products: an index, a term, or an atom.
    pub(crate) fn sum(&mut self) -> Expr {
        let mut left = self.product();
        loop {
            let op = match self.peek() {
                Tok::Plus if self.in_action => return left,
                Tok::Plus => ArithOp::Add,
                Tok::Minus => ArithOp::Sub,
                _ => return left,
            };
            self.bump();
            let right = self.product();
            left = arith(op, left, right);
        }
    }

    fn product(&mut self) -> Expr {
        let mut left = self.signed();
        loop {
            let op = match self.peek() {
                Tok::Star if self.in_action => return left,
                Tok::Star => ArithOp::Mul,
                Tok::Slash => ArithOp::Div,
                Tok::Percent => ArithOp::Mod,
                _ => return left,
            };
            self.bump();
            let right = self.signed();
            left = arith(op, left, right);
        }
    }

    /// A power, possibly with a sign before it: `-2^2` is -4.
    fn signed(&mut self) -> Expr {
        let start = self.span();
        if !self.eat(Tok::Minus) {
            return self.power();
        }
        let inner = self.right_side(Self::signed);
        let span = start.to(inner.span);
        Expr { kind: ExprKind::Neg(Box::new(inner)), span }
    }

    fn power(&mut self) -> Expr {
        let base = self.primary();
        self.raised(base)
    }

    /// Powers group to the right: `2^3^2` is 2^9.
    fn raised(&mut self, base: Expr) -> Expr {
        if !self.eat(Tok::Caret) {
            return base;
        }
        let exponent = self.right_side(|parser| {
            let exponent = parser.exponent();
            parser.raised(exponent)
        });
        let span = base.span.to(exponent.span);
        Expr { kind: ExprKind::Power(Box::new(base), Box::new(exponent)), span }
    }

    fn primary(&mut self) -> Expr {
        let start = self.span();
        match self.peek() {
            Tok::Int => {
                self.bump();
                Expr { kind: ExprKind::Int(self.slice(start).to_string()), span: start }
            }
            Tok::LParen => {
                self.bump();
                let inner = self.inside_brackets(Self::formula);
                let end = self.span();
                if !self.expect(Tok::RParen, "to close the one opened before") {
                    return inner;
                }
                Expr { kind: inner.kind, span: start.to(end) }
            }
            Tok::Ident => match self.word() {
                "true" | "⊤" => {
                    self.bump();
                    Expr { kind: ExprKind::Bool(true), span: start }
                }
                "false" | "⊥" => {
                    self.bump();
                    Expr { kind: ExprKind::Bool(false), span: start }
                }
                "xor" | "oneof" | "atmost" | "atleast" | "exactly" if self.counting_follows() => self.counting(),
                _ => self.reference("a name"),
            },
            _ => {
                self.unexpected("a formula");
                Expr { kind: ExprKind::Error, span: start }
            }
        }
    }

    fn counting_follows(&self) -> bool {
        match self.word() {
            "xor" | "oneof" => self.ahead(1).tok == Tok::LParen,
            _ => matches!(self.ahead(1).tok, Tok::Int | Tok::Ident | Tok::LParen) && !self.ahead(1).first_on_line,
        }
    }

    fn counting(&mut self) -> Expr {
        let start = self.span();
        let counting = match self.word() {
            "xor" => {
                self.bump();
                Counting::Xor
            }
            "oneof" => {
                self.bump();
                Counting::OneOf
            }
            word => {
                let cmp = match word {
                    "exactly" => Cmp::Eq,
                    "atleast" => Cmp::Ge,
                    _ => Cmp::Le,
                };
                self.bump();
                let number = self.sum();
                if !self.eat_word("of") {
                    self.unexpected("`of` and the formulas");
                }
                Counting::Number(cmp, Box::new(number))
            }
        };
        self.expect(Tok::LParen, "and the formulas");
        let items =
            if self.peek() == Tok::RParen { Vec::new() } else { self.inside_brackets(|p| p.items(Self::formula)) };
        let end = self.span();
        self.expect(Tok::RParen, "after the formulas");
        Expr { kind: ExprKind::Count(counting, items), span: start.to(end) }
    }

    /// Whether the n-th token from here can begin a formula on the same line.
    pub(crate) fn starts_formula(&self, n: usize) -> bool {
        let token = self.ahead(n);
        !token.first_on_line
            && match token.tok {
                Tok::Ident => {
                    let word = self.slice(token.span);
                    !(matches!(word, "expect" | "in" | "U" | "for" | "where") || self.in_path && word == "R")
                }
                Tok::LParen | Tok::LBracket | Tok::Bang | Tok::Lt | Tok::Int | Tok::Minus => true,
                _ => false,
            }
    }

    /// Reports whatever is left.
    pub(crate) fn end(&mut self) {
        if self.peek() != Tok::End {
            self.unexpected("the end of the formula");
        }
    }
}

fn arith(op: ArithOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Arith(op, Box::new(left), Box::new(right)), span }
}
