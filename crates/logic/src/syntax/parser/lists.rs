//! Lists, bindings and sets.

use super::super::ast::*;
use super::super::lexer::Tok;
use super::Parser;

impl Parser<'_> {
    /// Elements separated by commas, each possibly with `for`.
    pub(crate) fn items(&mut self, element: fn(&mut Self) -> Expr) -> Vec<Item> {
        let mut items = Vec::new();
        loop {
            let expr = element(self);
            let binders = self.for_binders();
            items.push(Item { expr, binders });
            if !self.eat(Tok::Comma) {
                return items;
            }
        }
    }

    /// `for i in S, ... where φ`, if it is there.
    pub(crate) fn for_binders(&mut self) -> Binders {
        if self.eat_word("for") { self.binders() } else { Binders::default() }
    }

    pub(crate) fn binders(&mut self) -> Binders {
        let mut vars = Vec::new();
        loop {
            let name = self.ident("a variable");
            if !self.eat_word("in") && !self.eat_word("∈") {
                self.unexpected("`in` and a range");
                break;
            }
            let set = self.set();
            vars.push((name, set));
            let another = self.peek() == Tok::Comma
                && self.ahead(1).tok == Tok::Ident
                && matches!(self.word_ahead(2), "in" | "∈");
            if !another {
                break;
            }
            self.bump();
        }
        // At the start of a line `where` is a statement.
        let condition = (!self.token().first_on_line && self.eat_word("where")).then(|| Box::new(self.formula()));
        Binders { vars, condition }
    }

    pub(crate) fn set(&mut self) -> Set {
        let start = self.span();
        if self.eat(Tok::LBrace) {
            let items =
                if self.peek() == Tok::RBrace { Vec::new() } else { self.inside_brackets(|p| p.items(Self::sum)) };
            let end = self.span();
            self.expect(Tok::RBrace, "after the elements");
            return Set { kind: SetKind::List(items), span: start.to(end) };
        }
        let low = self.sum();
        if self.eat(Tok::DotDot) {
            let high = self.sum();
            let span = start.to(high.span);
            return Set { kind: SetKind::Range(Box::new(low), Box::new(high)), span };
        }
        let kind = match low.kind {
            ExprKind::Name(name) => SetKind::Named(name),
            ExprKind::Error => SetKind::Error,
            _ => {
                self.unexpected("`..` and the upper end of the range");
                SetKind::Error
            }
        };
        Set { kind, span: low.span }
    }
}
