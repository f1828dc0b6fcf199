//! The statements of a `.ken` file that describe a system.

use super::ast::*;
use super::lexer::Tok;
use super::parser::Parser;
use crate::model::system::{Recall, Visibility};

impl Parser<'_> {
    /// A statement of a system whose word has been read.
    pub(super) fn system_statement(&mut self, word: &str) -> StatementKind {
        match word {
            "system" => StatementKind::System(self.system_options()),
            "environment" => StatementKind::Environment(self.items(|p| p.reference("a name"))),
            "actions" => {
                let actors = self.agent_list();
                self.expect(Tok::Colon, "and the actions");
                StatementKind::Actions { actors, actions: self.items(|p| p.reference("an action")) }
            }
            "protocol" => {
                let actors = self.agent_list();
                self.expect(Tok::Colon, "and what is enabled");
                let actions = self.items(|p| p.reference("an action"));
                let when = if self.eat_word("if") {
                    When::If(Box::new(self.formula()))
                } else if self.eat_word("otherwise") {
                    When::Otherwise
                } else {
                    When::Always
                };
                let binders = self.for_binders();
                StatementKind::Protocol { actors, actions, when, binders }
            }
            "next" => {
                let target = self.reference("what changes");
                let value = if self.eat_word("in") || self.eat_word("∈") {
                    NextExpr::In(self.set())
                } else {
                    self.expect(Tok::Assign, "and the new value");
                    NextExpr::Value(Box::new(self.formula()))
                };
                let guard = self.eat_word("if").then(|| self.formula());
                StatementKind::Next { target, value, guard, binders: self.for_binders() }
            }
            "initial" => StatementKind::Initial(self.formula()),
            "program" => {
                let (name, params) = self.head("a name for the program");
                StatementKind::Program { name, params, body: self.action() }
            }
            "fair" => StatementKind::Fair(self.items(Self::formula)),
            _ => {
                let agents = self.agent_list();
                self.expect(Tok::Colon, "and the states");
                StatementKind::Red { agents, formula: self.formula() }
            }
        }
    }

    /// `recall none, actions hidden, may end`, in any order.
    fn system_options(&mut self) -> SystemExpr {
        let mut options = SystemExpr::default();
        while self.peek() == Tok::Ident && !self.token().first_on_line {
            let word = self.word();
            let value = self.word_ahead(1);
            match (word, value) {
                ("recall", "none") => options.recall = Some(Recall::Forgetful),
                ("recall", "perfect") => options.recall = Some(Recall::Perfect),
                ("actions", "seen") => options.visibility = Some(Visibility::Seen),
                ("actions", "hidden") => options.visibility = Some(Visibility::Hidden),
                ("may", "end") => options.may_end = true,
                ("recall" | "actions" | "may", _) => {
                    self.bump();
                    let wanted = match word {
                        "recall" => "`none` or `perfect`",
                        "actions" => "`seen` or `hidden`",
                        _ => "`end`",
                    };
                    self.unexpected(wanted);
                    return options;
                }
                _ => {
                    self.unexpected("`recall none`, `recall perfect`, `actions seen`, `actions hidden` or `may end`");
                    return options;
                }
            }
            self.bump();
            self.bump();
            self.eat(Tok::Comma);
        }
        options
    }
}
