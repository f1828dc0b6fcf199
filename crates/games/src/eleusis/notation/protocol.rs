//! Dealer protocols: regular expressions over propositional states, each with the dealer's answer.
//!
//! ```text
//! state*; obs in Black; (obs in Black & prt.Val in [A..7]) -> accept;
//! state*; (obs.Val = v); (prt.Val < v) -> reject.
//! ```
//!
//! A protocol is read over the sequence of accepted cards: the i-th state has the i-th card as `obs`. The last state
//! also has the card offered, `prt`; in the states before it there is none, and what is said of it is false. The
//! free variables `v` and `s` of a statement stand for any value and suit: the statement speaks wherever it does for
//! some of them. `;` is concatenation, `*` repetition, `+` choice; conditions have `&`, `|`, `!`.
//!
//! The rule of a protocol accepts a card if an `accept` statement says so, even where a `reject` statement says the
//! opposite; and any card on a line that is shorter than every statement asks for (a window that is not filled).
//! Where nothing is said it refuses, since the paper takes accepting and rejecting to be complements. Both kinds of
//! flaw can be asked for: [`Protocol::overlap`], [`Protocol::silence`].

use super::condition::{Condition, Cursor, View};
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::table::{classes_of, explore};
use crate::eleusis::automaton::{Automaton, LIMIT, Unbounded};
use crate::eleusis::deck::Deck;
use ken_logic::syntax::{Code, Diagnostic, Span};
use std::collections::{HashSet, VecDeque};

/// What the dealer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Accept,
    Reject,
}

/// A regular expression over propositional states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expression {
    State(Condition),
    Sequence(Vec<Expression>),
    Choice(Vec<Expression>),
    Repeat(Box<Expression>),
}

/// A statement: where the expression matches, the dealer answers so.
#[derive(Clone, Debug)]
struct Statement {
    expression: Expression,
    answer: Answer,
    /// All values of its free variables.
    instances: Vec<Vec<u8>>,
}

/// A dealer protocol.
#[derive(Clone, Debug)]
pub struct Protocol {
    deck: Deck,
    places: Vec<Place>,
    /// The places that may match the first card.
    first: Vec<usize>,
    /// The length of the shortest line that any statement speaks of.
    shortest: usize,
}

/// A state of an expression, with values for the variables.
#[derive(Clone, Debug)]
struct Place {
    answer: Answer,
    /// The cards that match it before the last state.
    alone: CardSet,
    /// If it may be the last: by the last card, the cards offered that it speaks of.
    offered: Option<Vec<CardSet>>,
    follow: Vec<usize>,
}

/// How many states are followed.
const PLACES: usize = 60_000;

/// A card that both kinds of statements, or none, speak of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The accepted cards.
    pub line: Vec<Card>,
    /// The card offered after them.
    pub card: Card,
}

impl Protocol {
    /// The protocol that is written so, or everything that is wrong with it.
    pub fn parse(text: &str, deck: &Deck) -> Result<Protocol, Vec<Diagnostic>> {
        let mut cursor = Cursor::new(text, deck).map_err(|problem| vec![problem])?;
        let (mut statements, mut problems) = (Vec::new(), Vec::new());
        while !cursor.done() {
            match statement(&mut cursor) {
                Ok(statement) => statements.push(statement),
                Err(problem) => {
                    problems.push(problem);
                    recover(&mut cursor);
                }
            }
        }
        if statements.is_empty() && problems.is_empty() {
            problems
                .push(cursor.error("a protocol has at least one statement").help("state*; (obs in Even) -> accept"));
        }
        let states = |one: &Statement| one.expression.conditions().len() * one.instances.len();
        if statements.iter().map(states).sum::<usize>() > PLACES {
            let message = format!("the protocol has more than {PLACES} states, all values of its variables counted");
            problems.push(Diagnostic::new(Code::Large, Span::new(0, text.len()), message));
        }
        if problems.is_empty() { Ok(Protocol::new(deck.clone(), &statements)) } else { Err(problems) }
    }

    fn new(deck: Deck, statements: &[Statement]) -> Protocol {
        let shortest = statements.iter().map(|one| one.expression.shortest()).min().unwrap_or(0);
        let mut protocol = Protocol { deck, places: Vec::new(), first: Vec::new(), shortest };
        for statement in statements {
            for variables in &statement.instances {
                let ends = protocol.place(&statement.expression, statement.answer, variables);
                protocol.first.extend(&ends.first);
                for last in ends.last {
                    protocol.may_end(last, statement, variables);
                }
            }
        }
        protocol
    }

    /// The rule of the protocol.
    pub fn automaton(&self) -> Result<Automaton, Unbounded> {
        let signatures: Vec<Vec<u64>> = self.deck.all().iter().map(|card| self.signature(card)).collect();
        let table = explore(classes_of(&signatures), &[], LIMIT, |memory, card, after| {
            let accepted = self.accepted(memory).has(card);
            if accepted {
                self.step(memory, card, after);
            }
            Ok(accepted)
        })?;
        Ok(Automaton::minimal(self.deck.clone(), table))
    }

    /// A shortest line of accepted cards, and a card, of which statements say both.
    pub fn overlap(&self) -> Option<Flaw> {
        self.flaw(|accept, reject| accept.and(reject))
    }

    /// A shortest line of accepted cards, and a card, of which no statement says anything.
    pub fn silence(&self) -> Option<Flaw> {
        self.flaw(|accept, reject| self.deck.all().minus(accept.or(reject)))
    }

    /// Where it contradicts itself and where it says nothing, in words.
    pub fn notes(&self) -> Vec<String> {
        let place = |Flaw { line, card }: Flaw| {
            let line: Vec<String> = line.into_iter().map(|card| self.deck.write(card)).collect();
            format!("{} after {}", self.deck.write(card), line.join(" "))
        };
        let both = self.overlap().map(|flaw| format!("both accepted and rejected: {} (read as accepted)", place(flaw)));
        let none = self.silence().map(|flaw| format!("nothing is said of {} (read as rejected)", place(flaw)));
        both.into_iter().chain(none).collect()
    }

    /// Breadth first through the lines, up to equal memories.
    fn flaw(&self, which: impl Fn(CardSet, CardSet) -> CardSet) -> Option<Flaw> {
        let mut known = HashSet::from([Vec::new()]);
        let mut open = VecDeque::from([(Vec::new(), Vec::new())]);
        while let Some((memory, line)) = open.pop_front() {
            if line.len() >= self.shortest.max(1) {
                let card = which(self.said(&memory, Answer::Accept), self.said(&memory, Answer::Reject)).lowest();
                if let Some(card) = card {
                    return Some(Flaw { line, card });
                }
            }
            for card in self.accepted(&memory).iter() {
                let mut after = Vec::new();
                self.step(&memory, card, &mut after);
                if known.insert(after.clone()) {
                    open.push_back((after, [&line[..], &[card]].concat()));
                }
            }
        }
        None
    }

    /// The cards that may follow. A memory is empty, or: how many cards lie (up to the shortest line spoken of), the
    /// last card, and the places that it may match.
    fn accepted(&self, memory: &[u16]) -> CardSet {
        let filled = memory.first().is_some_and(|&lie| lie as usize >= self.shortest);
        if memory.is_empty() || !filled { self.deck.all() } else { self.said(memory, Answer::Accept) }
    }

    /// The cards that statements with this answer speak of.
    fn said(&self, memory: &[u16], answer: Answer) -> CardSet {
        let places = memory[2..].iter().map(|&at| &self.places[at as usize]).filter(|place| place.answer == answer);
        let offered = places.filter_map(|place| place.offered.as_ref());
        offered.fold(CardSet::EMPTY, |all, offered| all.or(offered[memory[1] as usize]))
    }

    fn step(&self, memory: &[u16], card: Card, after: &mut Vec<u16>) {
        let lie = memory.first().map_or(1, |&lie| lie + 1).min(self.shortest.max(1) as u16);
        after.extend([lie, u16::from(card.0)]);
        let mut places: Vec<u16> = match memory {
            [_, last, places @ ..] => {
                let matched = places.iter().map(|&at| &self.places[at as usize]);
                let matched = matched.filter(|place| place.alone.has(Card(*last as u8)));
                matched.flat_map(|place| &place.follow).map(|&at| at as u16).collect()
            }
            _ => self.first.iter().map(|&at| at as u16).collect(),
        };
        places.sort_unstable();
        places.dedup();
        after.extend(places);
    }

    /// All that tells the card from others.
    fn signature(&self, card: Card) -> Vec<u64> {
        let mut signature = Vec::new();
        for place in &self.places {
            signature.push(u64::from(place.alone.has(card)));
            if let Some(offered) = &place.offered {
                let by: CardSet = self.deck.filter(|last| offered[last.index()].has(card));
                signature.extend([offered[card.index()].0, by.0]);
            }
        }
        signature
    }

    /// Adds the places of the expression.
    fn place(&mut self, expression: &Expression, answer: Answer, variables: &[u8]) -> Ends {
        match expression {
            Expression::State(condition) => {
                let view = |obs| View { deck: &self.deck, obs, prt: None, variables };
                let alone = self.deck.filter(|card| condition.holds(&view(card)));
                self.places.push(Place { answer, alone, offered: None, follow: Vec::new() });
                let at = self.places.len() - 1;
                Ends { empty: false, first: vec![at], last: vec![at] }
            }
            Expression::Sequence(parts) => {
                let mut all = Ends { empty: true, first: Vec::new(), last: Vec::new() };
                for part in parts {
                    let next = self.place(part, answer, variables);
                    self.link(&all.last, &next.first);
                    if all.empty {
                        all.first.extend(&next.first);
                    }
                    if !next.empty {
                        all.last.clear();
                    }
                    all.last.extend(next.last);
                    all.empty &= next.empty;
                }
                all
            }
            Expression::Choice(parts) => {
                let mut all = Ends { empty: false, first: Vec::new(), last: Vec::new() };
                for part in parts {
                    let one = self.place(part, answer, variables);
                    all.empty |= one.empty;
                    all.first.extend(one.first);
                    all.last.extend(one.last);
                }
                all
            }
            Expression::Repeat(part) => {
                let ends = self.place(part, answer, variables);
                self.link(&ends.last, &ends.first);
                Ends { empty: true, ..ends }
            }
        }
    }

    fn link(&mut self, from: &[usize], to: &[usize]) {
        from.iter().for_each(|&at| self.places[at].follow.extend(to));
    }

    /// The place may match the last state, that of the card offered.
    fn may_end(&mut self, at: usize, statement: &Statement, variables: &[u8]) {
        let conditions = statement.expression.conditions();
        let inside = self.places.len() - conditions.len();
        let condition = conditions[at - inside];
        let deck = &self.deck;
        let offered = |obs| deck.filter(|prt| condition.holds(&View { deck, obs, prt: Some(prt), variables }));
        let offered = deck.all().iter().map(offered).collect();
        self.places[at].offered = Some(offered);
    }
}

/// Where an expression may begin and end, and whether it matches the empty sequence.
struct Ends {
    empty: bool,
    first: Vec<usize>,
    last: Vec<usize>,
}

impl Expression {
    fn shortest(&self) -> usize {
        match self {
            Expression::State(_) => 1,
            Expression::Sequence(parts) => parts.iter().map(Expression::shortest).sum(),
            Expression::Choice(parts) => parts.iter().map(Expression::shortest).min().unwrap_or(0),
            Expression::Repeat(_) => 0,
        }
    }

    /// Its states from left to right.
    fn conditions(&self) -> Vec<&Condition> {
        match self {
            Expression::State(condition) => vec![condition],
            Expression::Sequence(parts) | Expression::Choice(parts) => {
                parts.iter().flat_map(Expression::conditions).collect()
            }
            Expression::Repeat(part) => part.conditions(),
        }
    }
}

fn statement(cursor: &mut Cursor) -> Result<Statement, Diagnostic> {
    cursor.variables.clear();
    let expression = choice(cursor)?;
    cursor.expect("->")?;
    let answer = match cursor.word() {
        Some("accept") => Answer::Accept,
        Some("reject") => Answer::Reject,
        _ => return Err(cursor.error("expected `accept` or `reject`")),
    };
    cursor.skip();
    if !cursor.eat(";") {
        cursor.eat(".");
    }
    Ok(Statement { expression, answer, instances: cursor.instances()? })
}

/// Goes to the end of the statement.
fn recover(cursor: &mut Cursor) {
    while !cursor.done() && !matches!(cursor.word(), Some("accept" | "reject")) {
        cursor.skip();
    }
    if !cursor.done() {
        cursor.skip();
    }
    if !cursor.eat(";") {
        cursor.eat(".");
    }
}

fn choice(cursor: &mut Cursor) -> Result<Expression, Diagnostic> {
    let mut parts = vec![sequence(cursor)?];
    while cursor.eat("+") {
        parts.push(sequence(cursor)?);
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Choice(parts) })
}

fn sequence(cursor: &mut Cursor) -> Result<Expression, Diagnostic> {
    let mut parts = vec![either(cursor)?];
    while cursor.eat(";") {
        parts.push(either(cursor)?);
    }
    Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Sequence(parts) })
}

type Parse = fn(&mut Cursor) -> Result<Expression, Diagnostic>;

fn either(cursor: &mut Cursor) -> Result<Expression, Diagnostic> {
    joined(cursor, "|", both, Condition::Or)
}

fn both(cursor: &mut Cursor) -> Result<Expression, Diagnostic> {
    joined(cursor, "&", unary, Condition::And)
}

fn joined(
    cursor: &mut Cursor,
    sign: &str,
    part: Parse,
    join: fn(Vec<Condition>) -> Condition,
) -> Result<Expression, Diagnostic> {
    let first = part(cursor)?;
    if !cursor.is(sign) {
        return Ok(first);
    }
    let mut parts = vec![condition(cursor, first)?];
    while cursor.eat(sign) {
        let next = part(cursor)?;
        parts.push(condition(cursor, next)?);
    }
    Ok(Expression::State(join(parts)))
}

fn condition(cursor: &Cursor, expression: Expression) -> Result<Condition, Diagnostic> {
    match expression {
        Expression::State(condition) => Ok(condition),
        _ => Err(cursor
            .error("`&`, `|` and `!` join conditions on one state, not sequences")
            .help("`+` is the choice between sequences")),
    }
}

fn unary(cursor: &mut Cursor) -> Result<Expression, Diagnostic> {
    if cursor.eat("!") {
        let inner = cursor.nested(unary)?;
        return Ok(Expression::State(Condition::Not(Box::new(condition(cursor, inner)?))));
    }
    let mut expression = if cursor.eat("(") {
        let inner = cursor.nested(choice)?;
        cursor.expect(")")?;
        inner
    } else if cursor.eat_word("state") {
        Expression::State(Condition::Const(true))
    } else {
        Expression::State(cursor.atom()?)
    };
    while cursor.eat("*") {
        expression = Expression::Repeat(Box::new(expression));
    }
    Ok(expression)
}
