//! The statements of a `.ken` file. `docs/language.md` is the grammar.

use super::ast::*;
use super::diagnostic::{Code, Diagnostic, nearest};
use super::lexer::Tok;
use super::parser::Parser;

/// The words that start a statement when they stand first on a line.
pub(crate) const STATEMENTS: &[&str] = &[
    "belief",
    "param",
    "enum",
    "agents",
    "props",
    "vars",
    "law",
    "observe",
    "worlds",
    "confuse",
    "edges",
    "let",
    "action",
    "point",
    "check",
    "where",
    "count",
    "system",
    "environment",
    "actions",
    "protocol",
    "next",
    "initial",
    "program",
    "fair",
    "red",
];

impl Parser<'_> {
    /// Reads the whole file, going on after a broken statement with the next line that starts one.
    pub(crate) fn file(&mut self) -> FileTree {
        self.in_file = true;
        let mut tree = FileTree::default();
        while self.peek() != Tok::End {
            let start = self.span();
            let before = self.problems.len();
            let asks = matches!(
                self.word(),
                "law"
                    | "observe"
                    | "point"
                    | "check"
                    | "where"
                    | "count"
                    | "protocol"
                    | "next"
                    | "initial"
                    | "fair"
                    | "red"
            );
            if let Some(kind) = self.statement() {
                let end = self.tokens[self.at.saturating_sub(1)].span;
                tree.statements.push(Statement { kind, span: start.to(end) });
            }
            if self.problems.len() == before && !self.at_statement() {
                self.no_statement();
            }
            self.lost_declaration |= self.problems.len() > before && !asks;
            while !self.at_statement() {
                self.bump();
            }
        }
        tree
    }

    fn at_statement(&self) -> bool {
        let token = self.token();
        token.tok == Tok::End || (token.first_on_line && STATEMENTS.contains(&self.slice(token.span)))
    }

    /// Says that a statement was expected here, and which one may be meant.
    fn no_statement(&mut self) {
        let token = self.token();
        let word = self.word();
        let known = token.tok == Tok::Ident && STATEMENTS.contains(&word);
        let label = if known { "a statement starts on a line of its own".into() } else { format!("found `{word}`") };
        let near = nearest(word, STATEMENTS.iter().copied()).filter(|_| !known && token.first_on_line);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("statements start with one of: {}", STATEMENTS.join(", ")),
        };
        self.report(Diagnostic::new(Code::Syntax, token.span, "expected a new statement").label(label).help(help));
    }

    fn statement(&mut self) -> Option<StatementKind> {
        let word = self.word();
        if !self.at_statement() {
            self.no_statement();
            self.bump();
            return None;
        }
        self.bump();
        Some(match word {
            "belief" => StatementKind::Belief,
            "param" => {
                let name = self.ident("a parameter");
                self.expect(Tok::Eq, "and the default");
                StatementKind::Param { name, value: self.sum() }
            }
            "enum" => {
                let name = self.ident("a name for the enumeration");
                self.expect(Tok::Eq, "and the constants");
                let mut values = vec![self.ident("a constant")];
                while self.eat(Tok::Comma) {
                    values.push(self.ident("a constant"));
                }
                StatementKind::Enum { name, values }
            }
            "agents" => StatementKind::Agents(self.items(Self::agent)),
            "props" => {
                let mut items = self.items(|p| p.reference("a proposition"));
                let owner = self.eat_word("of").then(|| self.agent());
                let binders = self.for_binders();
                // After the owner `for` counts for every proposition that has none of its own.
                for item in items.iter_mut().filter(|i| i.binders.vars.is_empty()) {
                    item.binders = binders.clone();
                }
                StatementKind::Props { items, owner }
            }
            "vars" => {
                let mut names = vec![self.reference("a variable")];
                while self.eat(Tok::Comma) {
                    names.push(self.reference("a variable"));
                }
                self.expect(Tok::Colon, "and the values");
                let domain = self.set();
                let owner = self.eat_word("of").then(|| self.agent());
                StatementKind::Vars { names, domain, owner, binders: self.for_binders() }
            }
            "law" => StatementKind::Law(self.formula()),
            "observe" => {
                let agents = self.agent_list();
                if !self.eat_word("sees") {
                    self.unexpected("`sees` and what is seen");
                }
                let nothing = self.word() == "nothing" && self.ahead(1).first_on_line;
                let what = if nothing {
                    self.bump();
                    Vec::new()
                } else {
                    self.items(Self::formula)
                };
                StatementKind::Observe { agents, what }
            }
            "worlds" => {
                let mut worlds = Vec::new();
                while self.peek() == Tok::Ident && !self.at_statement() {
                    let name = self.ident("a world");
                    let facts = self.fact_set();
                    worlds.push(WorldExpr { name, facts });
                    self.eat(Tok::Comma);
                }
                if worlds.is_empty() {
                    self.unexpected("worlds with their facts, like `w0 {p, q}`");
                }
                StatementKind::Worlds(worlds)
            }
            "confuse" => StatementKind::Confuse(self.confuse()),
            "edges" => StatementKind::Edges(self.edges()),
            "let" => {
                let (name, params) = self.head("a name for the formula");
                StatementKind::Let { name, params, body: self.formula() }
            }
            "action" => {
                let (name, params) = self.head("a name for the action");
                let body = if self.word() == "events" && self.ahead(1).tok == Tok::LBrace {
                    self.bump();
                    ActionBody::Events(self.events())
                } else {
                    ActionBody::Action(self.action())
                };
                StatementKind::Action { name, params, body }
            }
            "point" => {
                let named = self.peek() == Tok::Ident && self.ahead(1).tok == Tok::Colon;
                let name = named.then(|| {
                    let name = self.ident("a name for the point");
                    self.bump();
                    name
                });
                let facts = if self.at_statement() { Vec::new() } else { self.items(Self::formula) };
                StatementKind::Point { name, facts }
            }
            "check" => {
                let valid = self.word() == "valid" && self.starts_formula(1);
                if valid {
                    self.bump();
                }
                self.query(if valid { QueryKind::Valid } else { QueryKind::Check })
            }
            "where" => self.query(QueryKind::Where),
            "count" => self.query(QueryKind::Count),
            _ => self.system_statement(word),
        })
    }

    /// `name(params) =`.
    pub(super) fn head(&mut self, what: &str) -> (Ident, Vec<Ident>) {
        let name = self.ident(what);
        let mut params = Vec::new();
        if self.eat(Tok::LParen) {
            params.push(self.ident("a parameter"));
            while self.eat(Tok::Comma) {
                params.push(self.ident("a parameter"));
            }
            self.expect(Tok::RParen, "after the parameters");
        }
        self.expect(Tok::Eq, "and the definition");
        (name, params)
    }

    /// Agents before `sees` or `:`; `all` is everyone.
    pub(super) fn agent_list(&mut self) -> GroupExpr {
        let start = self.span();
        let kind = if self.word() == "all" {
            self.bump();
            GroupKind::All
        } else {
            GroupKind::Of(self.items(Self::agent))
        };
        GroupExpr { kind, span: start.to(self.tokens[self.at.saturating_sub(1)].span) }
    }

    /// `{p, q}`.
    pub(crate) fn fact_set(&mut self) -> Vec<Item> {
        if !self.expect(Tok::LBrace, "and the facts") {
            return Vec::new();
        }
        let facts = if self.peek() == Tok::RBrace { Vec::new() } else { self.items(Self::formula) };
        self.expect(Tok::RBrace, "after the facts");
        facts
    }

    /// `agents: e f | g`.
    fn confuse(&mut self) -> ConfuseExpr {
        let agents = self.agent_list();
        self.expect(Tok::Colon, "and the classes");
        let mut classes = vec![Vec::new()];
        loop {
            if self.eat(Tok::Or) {
                classes.push(Vec::new());
            } else if self.peek() == Tok::Ident && !self.entry_starts() {
                let expr = self.reference("a name");
                let binders = self.for_binders();
                if let Some(class) = classes.last_mut() {
                    class.push(Item { expr, binders });
                }
                self.eat(Tok::Comma);
            } else {
                break;
            }
        }
        if classes.iter().all(Vec::is_empty) {
            self.unexpected("what is confused, like `e f | g h`");
        }
        ConfuseExpr { agents, classes }
    }

    /// `agents: e -> f, g -> g`.
    fn edges(&mut self) -> EdgesExpr {
        let agents = self.agent_list();
        self.expect(Tok::Colon, "and the edges");
        let mut pairs = Vec::new();
        loop {
            let from = self.reference("where the edge starts");
            self.expect(Tok::Arrow, "and where the edge ends");
            let to = self.reference("where the edge ends");
            let binders = self.for_binders();
            pairs.push((from, to, binders));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        EdgesExpr { agents, pairs }
    }

    /// Whether the current token starts a statement or an entry of an `events` block.
    fn entry_starts(&self) -> bool {
        self.token().first_on_line
    }

    fn events(&mut self) -> EventsExpr {
        self.bump();
        let mut events = EventsExpr::default();
        while !matches!(self.peek(), Tok::RBrace | Tok::End) && !self.at_block_end() {
            let before = self.at;
            match self.word() {
                "confuse" => {
                    self.bump();
                    let confuse = self.confuse();
                    events.confuse.push(confuse);
                }
                "edges" => {
                    self.bump();
                    let edges = self.edges();
                    events.edges.push(edges);
                }
                _ => {
                    let event = self.event();
                    events.events.push(event);
                }
            }
            if !self.token().first_on_line && self.peek() != Tok::RBrace {
                self.unexpected("a new line for the next event, or `}`");
                while !self.token().first_on_line && !matches!(self.peek(), Tok::RBrace | Tok::End) {
                    self.bump();
                }
            }
            if self.at == before {
                self.bump();
            }
        }
        self.expect(Tok::RBrace, "after the events");
        events
    }

    /// A statement keyword that no `events` block contains: the closing brace was forgotten.
    fn at_block_end(&self) -> bool {
        self.at_statement() && !matches!(self.word(), "confuse" | "edges")
    }

    /// `! name for c in card: pre φ set p := ψ, x := t`.
    fn event(&mut self) -> EventExpr {
        let designated = self.eat(Tok::Bang);
        let name = self.reference("an event");
        let binders = self.for_binders();
        let mut event = EventExpr { designated, name, pre: None, changes: Vec::new(), binders };
        if !self.eat(Tok::Colon) {
            return event;
        }
        if self.eat_word("pre") {
            event.pre = Some(self.formula());
        }
        if self.eat_word("set") {
            loop {
                let target = self.reference("what changes");
                self.expect(Tok::Assign, "and the new value");
                let value = self.formula();
                let binders = self.for_binders();
                event.changes.push((target, value, binders));
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        event
    }

    fn query(&mut self, kind: QueryKind) -> StatementKind {
        let formula = self.formula();
        let expect = self.eat_word("expect").then(|| self.expectation(kind));
        StatementKind::Query { kind, formula, expect }
    }

    fn expectation(&mut self, kind: QueryKind) -> Expect {
        match kind {
            QueryKind::Check | QueryKind::Valid => match self.word() {
                word @ ("true" | "false") => {
                    self.bump();
                    Expect::Truth(word == "true")
                }
                _ => {
                    self.unexpected("`true` or `false`");
                    Expect::Truth(true)
                }
            },
            QueryKind::Count => Expect::Number(self.sum()),
            QueryKind::Where => {
                let mut worlds = Vec::new();
                if !self.eat_word("nowhere") {
                    loop {
                        worlds.push(self.fact_set());
                        if !self.eat(Tok::Comma) {
                            break;
                        }
                    }
                }
                Expect::Worlds(worlds)
            }
        }
    }
}
