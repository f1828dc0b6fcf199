//! Actions and programs.

use super::super::ast::*;
use super::super::diagnostic::{Code, Diagnostic, nearest};
use super::super::lexer::Tok;
use super::Parser;

impl Parser<'_> {
    pub(crate) fn action(&mut self) -> ActionExpr {
        let outer = std::mem::replace(&mut self.in_action, true);
        let action = self.action_chain(Tok::Plus, Self::sequence, ActionKind::Choice);
        self.in_action = outer;
        action
    }

    fn sequence(&mut self) -> ActionExpr {
        self.action_chain(Tok::Semi, Self::concurrent, ActionKind::Seq)
    }

    fn action_chain(
        &mut self,
        sign: Tok,
        part: fn(&mut Self) -> ActionExpr,
        make: fn(Vec<ActionExpr>) -> ActionKind,
    ) -> ActionExpr {
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
        ActionExpr { kind: make(parts), span }
    }

    fn concurrent(&mut self) -> ActionExpr {
        let mut left = self.starred();
        while self.eat(Tok::AndAnd) {
            let right = self.starred();
            let span = left.span.to(right.span);
            left = ActionExpr { kind: ActionKind::Both(Box::new(left), Box::new(right)), span };
        }
        left
    }

    fn starred(&mut self) -> ActionExpr {
        let mut inner = self.action_prefix();
        while self.peek() == Tok::Star {
            let end = self.bump().span;
            let span = inner.span.to(end);
            inner = ActionExpr { kind: ActionKind::Star(Box::new(inner)), span };
        }
        inner
    }

    fn action_prefix(&mut self) -> ActionExpr {
        let start = self.span();
        let broken = ActionExpr { kind: ActionKind::Error, span: start };
        self.deeper(broken, |p| {
            let kind = match p.peek() {
                Tok::Question => {
                    p.bump();
                    ActionKind::Test(Box::new(p.unary()))
                }
                Tok::Bang => {
                    p.bump();
                    ActionKind::Local(Box::new(p.action_prefix()))
                }
                Tok::LParen => {
                    p.bump();
                    let inner = p.inside_brackets(Self::action);
                    p.expect(Tok::RParen, "to close the one opened before");
                    inner.kind
                }
                Tok::Ident => match p.word() {
                    "announce" => {
                        p.bump();
                        let whether = p.word() == "whether" && p.starts_formula(1);
                        if whether {
                            p.bump();
                        }
                        ActionKind::Announce { whether, formula: Box::new(p.unary()) }
                    }
                    "L" if p.ahead(1).tok == Tok::LBracket => {
                        p.bump();
                        let group = p.group();
                        ActionKind::Learn(group, Box::new(p.action_prefix()))
                    }
                    "choose" | "each" if p.ahead(1).tok == Tok::Ident && matches!(p.word_ahead(2), "in" | "∈") => {
                        let over = if p.word() == "each" { ActionKind::SeqOver } else { ActionKind::ChoiceOver };
                        p.bump();
                        let binders = p.inside_brackets(Self::binders);
                        p.expect(Tok::Colon, "before the action");
                        over(binders, Box::new(p.action_prefix()))
                    }
                    _ => {
                        let name = p.ident("an action");
                        if p.starts_formula(0) && p.peek() != Tok::LParen && nearest(&name.text, ["announce"]).is_some()
                        {
                            p.report(
                                Diagnostic::new(
                                    Code::UnknownName,
                                    name.span,
                                    format!("unknown action `{}`", name.text),
                                )
                                .label("not an action")
                                .help("did you mean `announce`?"),
                            );
                            p.unary();
                            return ActionExpr { kind: ActionKind::Error, span: name.span };
                        }
                        let args = if p.peek() == Tok::LParen { p.arguments() } else { Vec::new() };
                        if name.text.is_empty() { ActionKind::Error } else { ActionKind::Named(name, args) }
                    }
                },
                _ => {
                    p.unexpected("an action");
                    ActionKind::Error
                }
            };
            let end = p.tokens[p.at.saturating_sub(1)].span;
            ActionExpr { kind, span: start.to(end) }
        })
    }
}
