//! The operators of time: those of CTL with their programs, strategies, and path formulas.

use super::{Code, Diagnostic, Parser, Tok};
use crate::formula::{Along, Path};
use crate::syntax::ast::*;
use crate::text::in_one_pair;

impl Parser<'_> {
    /// `<<a, b>>X φ`, `<<a>>(φ U ψ)`.
    pub(super) fn strategy(&mut self) -> ExprKind {
        let start = self.bump().span;
        self.bump();
        let kind = self.inside_brackets(|p| {
            if p.word() == "all" && p.ahead(1).tok == Tok::Gt {
                p.bump();
                GroupKind::All
            } else {
                GroupKind::Of(p.items(Self::agent))
            }
        });
        let group = GroupExpr { kind, span: start.to(self.span()) };
        if self.expect(Tok::Gt, "twice after the agents") {
            self.expect(Tok::Gt, "again: `<<a, b>>`");
        }
        let along = match self.word() {
            "X" => Some(Along::Next),
            "G" => Some(Along::Always),
            "F" => Some(Along::Eventually),
            _ => None,
        };
        if let Some(along) = along {
            self.bump();
            return ExprKind::Ensure(group, along, Box::new(self.of_runs(false, Self::unary)));
        }
        if !self.expect(Tok::LParen, "or X, F or G after the group") {
            return ExprKind::Error;
        }
        self.inside_brackets(|p| {
            let left = p.of_runs(false, Self::formula);
            if !p.eat_word("U") {
                p.unexpected("`U`");
            }
            let right = p.of_runs(false, Self::formula);
            p.expect(Tok::RParen, "to close the one opened before");
            ExprKind::EnsureUntil(group, Box::new(left), Box::new(right))
        })
    }

    pub(super) fn path(&mut self) -> ExprKind {
        let word = self.word();
        self.bump();
        let path = if word.starts_with('A') { Path::All } else { Path::Some };
        let along = match word.as_bytes()[1] {
            b'X' => Along::Next,
            b'G' => Along::Always,
            _ => Along::Eventually,
        };
        let (program, body) = self.of_runs(false, |p| (p.program(), p.unary()));
        ExprKind::Path(path, along, program, Box::new(body))
    }

    /// Whether the word is followed by a path formula: `(…)`, `!…`, or an operator with what it speaks of.
    pub(super) fn path_formula_follows(&self) -> bool {
        match self.ahead(1).tok {
            Tok::LParen => true,
            Tok::Bang => !self.ahead(1).first_on_line,
            Tok::Ident => matches!(self.word_ahead(1), "X" | "F" | "G") && self.starts_formula(2),
            _ => false,
        }
    }

    /// `A ψ` and `E ψ`; `A(φ U{π} ψ)`, and without a program if both sides speak of points, is the operator of CTL.
    pub(super) fn runs(&mut self) -> ExprKind {
        let path = if self.word() == "A" { Path::All } else { Path::Some };
        self.bump();
        if self.peek() != Tok::LParen {
            let body = self.of_runs(true, Self::unary);
            return ExprKind::Runs(path, Box::new(body));
        }
        self.bump();
        let kind = self.inside_brackets(|p| {
            p.of_runs(true, |p| {
                let from = p.at;
                let left = p.equivalence();
                if p.peek() != Tok::Ident || !matches!(p.word(), "U" | "R") {
                    return ExprKind::Runs(path, Box::new(left));
                }
                let (release, sign) = (p.word() == "R", p.at);
                p.bump();
                let program = if release { None } else { p.of_runs(false, Self::program) };
                let second = p.at;
                let right = p.formula();
                let of_points = !release && !left.is_of_runs() && !right.is_of_runs();
                if program.is_some() || of_points {
                    return ExprKind::Until(path, program, Box::new(left), Box::new(right));
                }
                p.one_piece(second, &right);
                let end = std::mem::replace(&mut p.at, sign);
                p.one_piece(from, &left);
                p.at = end;
                let span = left.span.to(right.span);
                let until = ExprKind::LinearUntil(release, Box::new(left), Box::new(right));
                ExprKind::Runs(path, Box::new(Expr { kind: until, span }))
            })
        });
        self.expect(Tok::RParen, "after the path formula");
        kind
    }

    pub(super) fn linear(&mut self) -> ExprKind {
        let along = match self.word() {
            "X" => Along::Next,
            "G" => Along::Always,
            _ => Along::Eventually,
        };
        self.bump();
        ExprKind::Linear(along, Box::new(self.unary()))
    }

    /// Runs `parse` inside a path formula, or inside a formula of points within one.
    pub(super) fn of_runs<T>(&mut self, runs: bool, parse: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.in_path, runs);
        let value = parse(self);
        self.in_path = outer;
        value
    }

    /// Refuses a side of `U` or `R` in a path formula that is joined by `&` and the like and stands in no parentheses:
    /// some read `p & q U r` as `(p & q) U r`, others as `p & (q U r)`.
    pub(super) fn one_piece(&mut self, from: usize, side: &Expr) {
        let joined = matches!(side.kind, ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Imp(..) | ExprKind::Iff(..));
        if joined && !self.enclosed(from) {
            self.report(
                Diagnostic::new(Code::Syntax, side.span, "how far does this side of `U` or `R` reach?")
                    .label("joined, and not in parentheses")
                    .help("put parentheses around what belongs together: `(p & q) U r`, or `p & (q U r)`"),
            );
        }
    }

    /// Whether everything from this token to the present one stands in one pair of parentheses.
    fn enclosed(&self, from: usize) -> bool {
        in_one_pair(self.tokens[from..self.at].iter().map(|token| match token.tok {
            Tok::LParen => 1,
            Tok::RParen => -1,
            _ => 0,
        }))
    }

    /// `{π}`, if it is there.
    fn program(&mut self) -> Option<ActionExpr> {
        if !self.eat(Tok::LBrace) {
            return None;
        }
        let program = self.inside_brackets(Self::action);
        self.expect(Tok::RBrace, "after the program");
        Some(program)
    }
}
