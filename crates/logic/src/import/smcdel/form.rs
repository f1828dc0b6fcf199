//! Formulas.

use super::lexer::{Knower, Tok, Token};
use super::substitute::{lattice, put};
use super::{Bulk, MAX_NESTING, MAX_SIZE, MAX_WORK, Node, Read, Reader};
use crate::formula::{Action, Cmp, F, Formula, Group, Name};
use crate::syntax::{Code, Diagnostic, Span, nearest};
use std::sync::Arc;

impl Reader<'_> {
    /// A formula up to the end of its section or question.
    pub(super) fn whole_formula(&mut self, next: &str) -> Read<Node> {
        let node = self.form()?;
        if self.at_end() { Ok(node) } else { self.unexpected(&format!("an operator or {next}")) }
    }

    /// A formula with this operator outermost; `at` is the place of the operator.
    fn node(&mut self, at: Span, span: Span, formula: F, below: &[Bulk]) -> Read<Node> {
        let bulk = Bulk::over(below);
        self.within_limits(at, bulk)?;
        Ok(Node { formula, span, bulk, parts: Vec::new() })
    }

    /// The same for operators of knowledge and announcements.
    fn modal(&mut self, at: Span, span: Span, formula: F, below: &[Bulk]) -> Read<Node> {
        let mut node = self.node(at, span, formula, below)?;
        node.bulk.modal = Some(at);
        Ok(node)
    }

    fn within_limits(&mut self, at: Span, bulk: Bulk) -> Read<()> {
        if bulk.height > MAX_NESTING {
            return self.too_deep(at);
        }
        if bulk.size > MAX_SIZE { self.too_large(at) } else { Ok(()) }
    }

    fn too_large<T>(&mut self, at: Span) -> Read<T> {
        self.fail(
            Diagnostic::new(Code::Large, at, "this is too large when it is written out")
                .label(format!("more than {MAX_SIZE} operators"))
                .help("quantifiers, `comknow whether`, `distknow whether` and `?!` repeat the formula they take"),
        )
    }

    fn too_deep<T>(&mut self, at: Span) -> Read<T> {
        let message = format!("nested deeper than {MAX_NESTING} levels");
        self.fail(Diagnostic::new(Code::Depth, at, message).label("too deep here"))
    }

    /// `->` and `iff`, to the left.
    fn form(&mut self) -> Read<Node> {
        let mut left = self.joined()?;
        loop {
            let op = self.token();
            if !matches!(op.tok, Tok::Imp | Tok::Iff) {
                return Ok(left);
            }
            self.bump();
            let right = self.joined()?;
            let (f, g) = (left.formula, right.formula);
            let formula = if op.tok == Tok::Imp { Formula::implies(f, g) } else { Formula::iff(f, g) };
            left = self.node(op.span, left.span.to(right.span), formula, &[left.bulk, right.bulk])?;
        }
    }

    /// `&` and `|`, equally strong and to the left; a run of the same operator is one formula.
    fn joined(&mut self) -> Read<Node> {
        let mut left = self.unary()?;
        loop {
            let op = self.token();
            let list = match op.tok {
                Tok::And => Tok::AllOf,
                Tok::Or => Tok::AnyOf,
                _ => return Ok(left),
            };
            let start = left.span;
            let mut parts = vec![left];
            while self.eat(op.tok) {
                parts.push(self.unary()?);
            }
            let span = parts.iter().fold(start, |span, part| span.to(part.span));
            left = self.list(list, op.span, span, parts)?;
        }
    }

    /// The conjunction, disjunction or the like of the parts, by the word for a list.
    fn list(&mut self, word: Tok, at: Span, span: Span, nodes: Vec<Node>) -> Read<Node> {
        let below: Vec<Bulk> = nodes.iter().map(|n| n.bulk).collect();
        if word == Tok::AllOf {
            let mut parts = Vec::new();
            for node in nodes {
                if node.parts.is_empty() {
                    parts.push((node.formula, node.span));
                } else {
                    parts.extend(node.parts);
                }
            }
            let formula = Formula::and(parts.iter().map(|(f, _)| f.clone()).collect());
            let node = self.node(at, span, formula, &below)?;
            return Ok(Node { parts, ..node });
        }
        let formulas = nodes.into_iter().map(|n| n.formula).collect();
        let formula = match word {
            Tok::AnyOf => Formula::or(formulas),
            Tok::XorOf => Arc::new(Formula::Xor(formulas)),
            _ => Arc::new(Formula::Count(Cmp::Eq, 1, formulas)),
        };
        self.node(at, span, formula, &below)
    }

    fn unary(&mut self) -> Read<Node> {
        if self.depth >= MAX_NESTING {
            let at = self.span();
            return self.too_deep(at);
        }
        self.depth += 1;
        let node = self.prefixed();
        self.depth -= 1;
        node
    }

    fn prefixed(&mut self) -> Read<Node> {
        let Token { tok, span } = self.token();
        match tok {
            Tok::Top | Tok::Bot => {
                self.bump();
                self.node(span, span, Arc::new(Formula::Const(tok == Tok::Top)), &[])
            }
            Tok::Int => {
                self.bump();
                let formula = match self.number(span) {
                    Some(number) => self.atom(number, span),
                    None => Formula::falsity(),
                };
                self.node(span, span, formula, &[])
            }
            Tok::Not => {
                self.bump();
                let node = self.unary()?;
                self.node(span, span.to(node.span), Formula::negation(node.formula), &[node.bulk])
            }
            Tok::AllOf | Tok::AnyOf | Tok::XorOf | Tok::OneOf => {
                self.bump();
                let (parts, list) = self.in_parentheses("`(` and a list of formulas")?;
                self.list(tok, span, span.to(list), parts)
            }
            Tok::K | Tok::Kw => {
                self.bump();
                let at = self.expect(Tok::Name, "an agent")?;
                let agent = self.agent(at);
                let node = self.form()?;
                self.knowledge(Knower::One, tok == Tok::Kw, &[agent], span, span, node)
            }
            Tok::Forall | Tok::Exists => {
                self.bump();
                let atoms = self.atom_list("a proposition to quantify over")?;
                let body = self.form()?;
                self.quantified(tok == Tok::Forall, &atoms, span, body)
            }
            Tok::LParen if self.group_in_parentheses() => {
                self.bump();
                let agents = self.names()?;
                self.bump();
                self.known(agents, span)
            }
            Tok::LParen => {
                self.bump();
                let node = self.form()?;
                let close = self.expect(Tok::RParen, "an operator or `)`")?;
                Ok(Node { span: span.to(close), ..node })
            }
            Tok::Name => {
                let group = matches!((self.ahead(1), self.ahead(2)), (Tok::Know(..), _) | (Tok::Comma, Tok::Name));
                if !group && !self.agents.iter().any(|a| &**a == self.slice(span)) {
                    return self.unexpected("a formula");
                }
                let agents = self.names()?;
                self.known(agents, span)
            }
            Tok::LBracket | Tok::Lt => self.announcement(),
            _ => self.unexpected("a formula"),
        }
    }

    /// `(φ, …)`, with its place.
    fn in_parentheses(&mut self, wanted: &str) -> Read<(Vec<Node>, Span)> {
        let open = self.expect(Tok::LParen, wanted)?;
        let mut parts = vec![self.form()?];
        while self.eat(Tok::Comma) {
            parts.push(self.form()?);
        }
        let close = self.expect(Tok::RParen, "an operator, `,` or `)`")?;
        Ok((parts, open.to(close)))
    }

    /// Whether agents in parentheses come next: `(a,b)`.
    fn group_in_parentheses(&self) -> bool {
        let mut n = 1;
        while self.ahead(n) == Tok::Name && self.ahead(n + 1) == Tok::Comma {
            n += 2;
        }
        self.peek() == Tok::LParen && self.ahead(n) == Tok::Name && self.ahead(n + 1) == Tok::RParen
    }

    /// Agents with commas, with their places.
    fn names(&mut self) -> Read<Vec<Span>> {
        let mut all = vec![self.expect(Tok::Name, "an agent")?];
        while self.peek() == Tok::Comma && self.ahead(1) == Tok::Name {
            self.bump();
            all.push(self.bump().span);
        }
        Ok(all)
    }

    /// An agent; an undeclared one is reported.
    fn agent(&mut self, span: Span) -> Name {
        let name = self.slice(span);
        if let Some(agent) = self.agents.iter().find(|a| &***a == name) {
            return agent.clone();
        }
        if self.agents_known {
            let near = nearest(name, self.agents.iter().map(|a| &**a));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!("unknown agent `{name}`");
            self.unknown(Code::UnknownAgent, span, message, "observes nothing in `OBS`", help);
        }
        name.into()
    }

    /// The agents, each once.
    fn group(&mut self, spans: &[Span]) -> Vec<Name> {
        let mut all: Vec<Name> = Vec::new();
        for &span in spans {
            let agent = self.agent(span);
            if !all.contains(&agent) {
                all.push(agent);
            }
        }
        all
    }

    /// After agents: `knows that φ`, `comknow whether φ` and the like.
    fn known(&mut self, agents: Vec<Span>, start: Span) -> Read<Node> {
        let at = self.span();
        let Tok::Know(knower, whether) = self.peek() else {
            return self.unexpected("`knows that`, `comknow that`, `distknow that` or one with `whether`");
        };
        let parentheses = self.tokens[self.at - 1].tok == Tok::RParen;
        if knower == Knower::One && (agents.len() > 1 || parentheses) {
            return self.fail(
                Diagnostic::new(Code::Syntax, at, "`knows` takes one agent, without parentheses")
                    .label("after a group")
                    .help("for a group write `comknow` (common knowledge) or `distknow` (distributed knowledge)"),
            );
        }
        self.bump();
        let agents = self.group(&agents);
        if (knower, whether) == (Knower::One, true) && self.peek() == Tok::LParen && !self.group_in_parentheses() {
            let (nodes, list) = self.in_parentheses("`(`")?;
            let mut parts = Vec::new();
            for node in nodes {
                parts.push(self.knowledge(knower, true, &agents, start, at, node)?);
            }
            return match <[Node; 1]>::try_from(parts) {
                Ok([one]) => Ok(Node { span: start.to(list), ..one }),
                Err(parts) => self.list(Tok::AllOf, at, start.to(list), parts),
            };
        }
        let node = self.unary()?;
        self.knowledge(knower, whether, &agents, start, at, node)
    }

    fn knowledge(
        &mut self,
        knower: Knower,
        whether: bool,
        agents: &[Name],
        start: Span,
        at: Span,
        node: Node,
    ) -> Read<Node> {
        let span = start.to(node.span);
        let f = node.formula;
        let that = |f: F| match (knower, agents) {
            (Knower::One, [agent, ..]) => Formula::knows(agent.clone(), f),
            (Knower::Distributed, _) => Arc::new(Formula::Distributed(Group::Of(agents.to_vec()), f)),
            _ => Arc::new(Formula::Common(Group::Of(agents.to_vec()), f)),
        };
        if let (Knower::One, true, [agent, ..]) = (knower, whether, agents) {
            return self.modal(at, span, Arc::new(Formula::KnowsWhether(agent.clone(), f)), &[node.bulk]);
        }
        if !whether {
            return self.modal(at, span, that(f), &[node.bulk]);
        }
        let negated = Bulk::over(&[node.bulk]);
        let formula = Formula::or(vec![that(f.clone()), that(Formula::negation(f))]);
        self.modal(at, span, formula, &[Bulk::over(&[node.bulk]), Bulk::over(&[negated])])
    }

    /// `[!φ] ψ`, `<a,b ?!φ> ψ` and the like.
    fn announcement(&mut self) -> Read<Node> {
        let open = self.bump();
        let diamond = open.tok == Tok::Lt;
        let agents = if self.peek() == Tok::Name { self.names()? } else { Vec::new() };
        let group = match agents.is_empty() {
            true => Group::All,
            false => Group::Of(self.group(&agents)),
        };
        let whether = self.eat(Tok::Question);
        self.expect(Tok::Bang, if whether { "`!` after `?`" } else { "`!` or `?!` and what is announced" })?;
        let said = self.form()?;
        let close = match diamond {
            true => self.expect(Tok::Gt, "an operator or `>`")?,
            false => self.expect(Tok::RBracket, "an operator or `]`")?,
        };
        let node = self.unary()?;
        let (at, span) = (open.span.to(close), open.span.to(node.span));
        let f = said.formula;
        let (action, below) = if group == Group::All && !whether {
            (Action::Announce(f), vec![said.bulk, node.bulk])
        } else {
            // One action with two events: as two formulas, a sequence of these would double each time.
            let learn = |f: F| Action::Learn(group.clone(), Box::new(Action::Test(f)));
            let (yes, no) = (learn(f.clone()), learn(Formula::negation(f)));
            let yes = if whether { yes } else { Action::Local(Box::new(yes)) };
            let action = Action::Learn(Group::All, Box::new(Action::Choice(vec![yes, no])));
            (action, vec![said.bulk, Bulk::over(&[said.bulk]), node.bulk])
        };
        let action = Arc::new(action);
        let formula = if diamond { Formula::Can(action, node.formula) } else { Formula::After(action, node.formula) };
        self.modal(at, span, Arc::new(formula), &below)
    }

    /// `Forall` or `Exists`, written out.
    fn quantified(&mut self, universal: bool, atoms: &[F], at: Span, body: Node) -> Read<Node> {
        let span = at.to(body.span);
        if let Some(place) = body.bulk.modal {
            self.problems.push(
                Diagnostic::new(Code::Objective, place, "a quantifier speaks of facts only")
                    .label("knowledge or an announcement")
                    .help("SMCDEL gives this two meanings; put the quantifier inside, or write both cases out"),
            );
            let bulk = Bulk { modal: None, ..body.bulk };
            return Ok(Node { span, bulk, ..body });
        }
        let (mut formula, mut bulk) = (body.formula, body.bulk);
        for atom in atoms {
            self.within_limits(at, bulk)?;
            self.work += bulk.size;
            if self.work > MAX_WORK {
                return self.too_large(at);
            }
            let (yes, no) = (put(&formula, atom, true), put(&formula, atom, false));
            if Arc::ptr_eq(&yes, &formula) {
                // The proposition does not occur.
                continue;
            }
            formula = lattice(universal, vec![yes, no]);
            bulk = Bulk::of(&formula);
        }
        self.within_limits(at, bulk)?;
        Ok(Node { formula, span, bulk, parts: Vec::new() })
    }
}
