//! Temporal formulas: the safety part of Act-CTL over accepted moves.
//!
//! ```text
//! AG^move((Obs in Even -> AX^move Obs in Odd) & (Obs in Odd -> AX^move Obs in Even))
//! ```
//!
//! The rule of a formula is the largest set of lines, closed under prefixes, all of whose lines satisfy it: the first
//! card of the line is the present, `AX` speaks of the next accepted card (and is true of the last card of a line),
//! `AG` of this and all later cards. A is read along each line by itself, so `AX p | AX q` is `AX (p | q)`. The free
//! variables `v` and `s` are universally quantified.
//!
//! Until is read as its safety closure, the weak until: `p AU q` forbids a card without p as long as there was none
//! with q, but does not make q come (no rule about which cards may follow can). What asks for a future that exists,
//! namely `AF`, the E-operators, and temporal operators under a negation or left of `->`, is refused.
//!
//! A starter that breaks the formula by itself cannot be refused; nothing is accepted after it, and
//! [`Temporal::start`] has the others.

use super::condition::{Condition, Cursor, View, Who};
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::table::{classes_of, explore};
use crate::eleusis::automaton::{Automaton, LIMIT, Unbounded};
use crate::eleusis::deck::Deck;
use ken_logic::syntax::{Code, Diagnostic, Span};

/// A safety formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// A condition on the present card.
    Now(Condition),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Next(Box<Formula>),
    Always(Box<Formula>),
    /// The first until the second, or for ever.
    Until(Box<Formula>, Box<Formula>),
}

/// A temporal formula, read as a rule.
#[derive(Clone, Debug)]
pub struct Temporal {
    deck: Deck,
    nodes: Vec<Node>,
    root: u16,
}

/// A subformula with values for the variables; equal ones have one number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Now(CardSet),
    And(Vec<u16>),
    Or(Vec<u16>),
    Next(u16),
    Always(u16),
    Until(u16, u16),
}

/// What the rest of a line must satisfy: all formulas of one of the clauses.
type Duties = Vec<Vec<u16>>;

/// In a memory: the end of a clause, the memory before any card, the memory after a starter that breaks the formula.
const END: u16 = u16::MAX;
const BEFORE: u16 = u16::MAX - 1;
const BROKEN: u16 = u16::MAX - 2;

/// How many formulas, and how many alternatives at one time, are followed.
const NODES: usize = 60_000;
const CLAUSES: usize = 1_000;

impl Temporal {
    /// The formula that is written so, or what is wrong with it.
    pub fn parse(text: &str, deck: &Deck) -> Result<Temporal, Vec<Diagnostic>> {
        let read = || {
            let mut cursor = Cursor::new(text, deck)?;
            let formula = implies(&mut cursor)?;
            cursor.eat(".");
            if !cursor.done() {
                return Err(cursor.error("the formula ends before this"));
            }
            let instances = cursor.instances()?;
            Temporal::new(deck.clone(), &formula, &instances).ok_or_else(|| {
                Diagnostic::new(
                    Code::Large,
                    Span::new(0, text.len()),
                    format!("the formula has more than {NODES} parts"),
                )
            })
        };
        read().map_err(|problem| vec![problem])
    }

    /// The formula for all these values of its variables; `None` if it has too many parts.
    fn new(deck: Deck, formula: &Formula, instances: &[Vec<u8>]) -> Option<Temporal> {
        let mut temporal = Temporal { deck, nodes: Vec::new(), root: 0 };
        let parts: Option<Vec<u16>> = instances.iter().map(|variables| temporal.node(formula, variables)).collect();
        temporal.root = temporal.all(parts?)?;
        Some(temporal)
    }

    /// The starters that do not break the formula by themselves.
    pub fn start(&self) -> CardSet {
        self.deck.filter(|card| self.after(self.root, card).is_none_or(|duties| !duties.is_empty()))
    }

    /// The starters that break it, in words.
    pub fn notes(&self) -> Vec<String> {
        let broken = self.deck.all().minus(self.start()).lowest();
        let note = |card| format!("a starter like {} breaks the formula: nothing may follow it", self.deck.write(card));
        broken.map(note).into_iter().collect()
    }

    /// The rule of the formula.
    pub fn automaton(&self) -> Result<Automaton, Unbounded> {
        let now = |node: &Node| match node {
            Node::Now(set) => Some(*set),
            _ => None,
        };
        let sets: Vec<CardSet> = self.nodes.iter().filter_map(now).collect();
        let bits = |card: Card| -> Vec<bool> { sets.iter().map(|set| set.has(card)).collect() };
        let class = classes_of(&self.deck.all().iter().map(bits).collect::<Vec<_>>());
        let mut known: Vec<Option<Duties>> = vec![None; self.nodes.len() * self.deck.size()];
        let table = explore(class, &[BEFORE], LIMIT, |memory, card, after| {
            let duties = self.duties(memory, card, &mut known).ok_or(Unbounded::TooLarge { limit: CLAUSES })?;
            if duties.is_empty() && *memory == [BEFORE] {
                after.push(BROKEN);
                return Ok(true);
            }
            for clause in &duties {
                after.extend(clause);
                after.push(END);
            }
            Ok(!duties.is_empty())
        })?;
        Ok(Automaton::minimal(self.deck.clone(), table))
    }

    /// What remains to be satisfied after the card; what is known of single formulas is not computed again.
    fn duties(&self, memory: &[u16], card: Card, known: &mut [Option<Duties>]) -> Option<Duties> {
        match memory {
            [BROKEN] => return Some(Vec::new()),
            [BEFORE] => return self.after(self.root, card),
            _ => (),
        }
        let mut all = Vec::new();
        for clause in memory.split_inclusive(|&word| word == END).map(|clause| &clause[..clause.len() - 1]) {
            let mut left = vec![Vec::new()];
            for &node in clause {
                let slot = &mut known[node as usize * self.deck.size() + card.index()];
                if slot.is_none() {
                    *slot = Some(self.after(node, card)?);
                }
                left = conjunction(&left, slot.as_ref()?)?;
            }
            all.extend(left);
        }
        Some(shortest(all)).filter(|all| all.len() <= CLAUSES)
    }

    /// What remains to be satisfied after the card, if the formula is to hold from it on; `None` if there are too
    /// many alternatives.
    fn after(&self, node: u16, card: Card) -> Option<Duties> {
        let nothing = || vec![Vec::new()];
        Some(match &self.nodes[node as usize] {
            Node::Now(set) => {
                if set.has(card) {
                    nothing()
                } else {
                    Vec::new()
                }
            }
            Node::And(parts) => {
                parts.iter().try_fold(nothing(), |left, &part| conjunction(&left, &self.after(part, card)?))?
            }
            Node::Or(parts) => {
                let all: Option<Vec<Duties>> = parts.iter().map(|&part| self.after(part, card)).collect();
                shortest(all?.concat())
            }
            Node::Next(inner) => vec![vec![*inner]],
            Node::Always(inner) => conjunction(&self.after(*inner, card)?, &[vec![node]])?,
            Node::Until(hold, goal) => {
                let wait = conjunction(&self.after(*hold, card)?, &[vec![node]])?;
                shortest([self.after(*goal, card)?, wait].concat())
            }
        })
    }

    fn number(&mut self, node: Node) -> Option<u16> {
        if let Some(at) = self.nodes.iter().position(|other| *other == node) {
            return Some(at as u16);
        }
        self.nodes.push(node);
        (self.nodes.len() <= NODES).then(|| self.nodes.len() as u16 - 1)
    }

    /// The conjunction; that of formulas that hold always is one that holds always, so that memories stay short.
    fn all(&mut self, mut parts: Vec<u16>) -> Option<u16> {
        parts.sort_unstable();
        parts.dedup();
        let always = |node: &u16| match self.nodes[*node as usize] {
            Node::Always(inner) => Some(inner),
            _ => None,
        };
        match parts.iter().map(always).collect::<Option<Vec<u16>>>() {
            Some(inner) if inner.len() > 1 => {
                let inner = self.all(inner)?;
                self.number(Node::Always(inner))
            }
            _ if parts.len() == 1 => Some(parts[0]),
            _ => self.number(Node::And(parts)),
        }
    }

    fn node(&mut self, formula: &Formula, variables: &[u8]) -> Option<u16> {
        let node = match formula {
            Formula::Now(condition) => {
                let view = |obs| View { deck: &self.deck, obs, prt: None, variables };
                Node::Now(self.deck.filter(|card| condition.holds(&view(card))))
            }
            Formula::And(parts) => {
                let parts: Option<Vec<u16>> = parts.iter().map(|part| self.node(part, variables)).collect();
                return self.all(parts?);
            }
            Formula::Or(parts) => {
                let parts: Option<Vec<u16>> = parts.iter().map(|part| self.node(part, variables)).collect();
                Node::Or(parts?)
            }
            Formula::Next(inner) => Node::Next(self.node(inner, variables)?),
            Formula::Always(inner) => Node::Always(self.node(inner, variables)?),
            Formula::Until(hold, goal) => Node::Until(self.node(hold, variables)?, self.node(goal, variables)?),
        };
        self.number(node)
    }
}

/// Both; `None` if there are too many alternatives.
fn conjunction(a: &[Vec<u16>], b: &[Vec<u16>]) -> Option<Duties> {
    if a.len() * b.len() > CLAUSES * CLAUSES {
        return None;
    }
    let mut all = Vec::with_capacity(a.len() * b.len());
    for left in a {
        for right in b {
            let mut clause = [&left[..], &right[..]].concat();
            clause.sort_unstable();
            clause.dedup();
            all.push(clause);
        }
    }
    let all = shortest(all);
    (all.len() <= CLAUSES).then_some(all)
}

/// Without the alternatives that ask for more than another one does; sorted.
fn shortest(mut clauses: Duties) -> Duties {
    clauses.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    let mut kept: Duties = Vec::new();
    for clause in clauses {
        if !kept.iter().any(|other| other.iter().all(|duty| clause.binary_search(duty).is_ok())) {
            kept.push(clause);
        }
    }
    kept.sort_unstable();
    kept
}

fn implies(cursor: &mut Cursor) -> Result<Formula, Diagnostic> {
    let span = cursor.span();
    let left = either(cursor)?;
    if !cursor.eat("->") {
        return Ok(left);
    }
    let not = negated(left, span)?;
    let right = cursor.nested(implies)?;
    Ok(or(vec![not, right]))
}

fn either(cursor: &mut Cursor) -> Result<Formula, Diagnostic> {
    let mut parts = vec![both(cursor)?];
    while cursor.eat("|") {
        parts.push(both(cursor)?);
    }
    Ok(or(parts))
}

fn both(cursor: &mut Cursor) -> Result<Formula, Diagnostic> {
    let mut parts = vec![until(cursor)?];
    while cursor.eat("&") {
        parts.push(until(cursor)?);
    }
    Ok(and(parts))
}

fn until(cursor: &mut Cursor) -> Result<Formula, Diagnostic> {
    let hold = unary(cursor)?;
    let weak = cursor.eat_word("AU") || cursor.eat_word("AW") || (cursor.eat_word("A") && path_until(cursor)?);
    if !weak {
        return Ok(hold);
    }
    program(cursor)?;
    Ok(Formula::Until(Box::new(hold), Box::new(unary(cursor)?)))
}

fn path_until(cursor: &mut Cursor) -> Result<bool, Diagnostic> {
    if cursor.eat_word("U") || cursor.eat_word("W") { Ok(true) } else { Err(cursor.error("expected `U`")) }
}

fn unary(cursor: &mut Cursor) -> Result<Formula, Diagnostic> {
    let span = cursor.span();
    if cursor.eat("!") {
        let inner = cursor.nested(unary)?;
        return negated(inner, span);
    }
    if cursor.eat("(") {
        let inner = cursor.nested(implies)?;
        cursor.expect(")")?;
        return Ok(inner);
    }
    match cursor.word() {
        Some("AG") => temporal(cursor).map(|inner| Formula::Always(Box::new(inner))),
        Some("AX") => temporal(cursor).map(|inner| Formula::Next(Box::new(inner))),
        Some("A") if cursor.follows("(") || cursor.follows("[") => {
            cursor.skip();
            let close = if cursor.eat("(") { ")" } else { cursor.expect("[").map(|()| "]")? };
            let hold = cursor.nested(implies)?;
            path_until(cursor)?;
            program(cursor)?;
            let goal = cursor.nested(implies)?;
            cursor.expect(close)?;
            Ok(Formula::Until(Box::new(hold), Box::new(goal)))
        }
        Some("AF") => Err(not_safety(span, "`AF` makes something come")),
        Some("EX" | "EF" | "EG" | "EU" | "E") => Err(not_safety(span, "the E-operators ask for a future that exists")),
        _ => {
            let condition = cursor.atom()?;
            if condition.mentions(Who::Prt) {
                return Err(Diagnostic::new(
                    Code::Type,
                    span,
                    "a temporal formula speaks of accepted cards: `Obs` only",
                ));
            }
            Ok(Formula::Now(condition))
        }
    }
}

/// What an operator is applied to.
fn temporal(cursor: &mut Cursor) -> Result<Formula, Diagnostic> {
    cursor.skip();
    program(cursor)?;
    cursor.nested(unary)
}

/// The program of an operator, if it is written: `^move`, `^{move}` or `{move}`.
fn program(cursor: &mut Cursor) -> Result<(), Diagnostic> {
    let raised = cursor.eat("^");
    let braces = cursor.eat("{");
    if (raised || braces) && !cursor.eat_word("move") {
        return Err(cursor.error("the steps of a rule are `move`"));
    }
    if braces { cursor.expect("}") } else { Ok(()) }
}

fn not_safety(span: Span, why: &str) -> Diagnostic {
    Diagnostic::new(Code::Temporal, span, format!("not a safety formula: {why}"))
        .help("a rule says which cards may follow: AG, AX, until (read weakly), and conditions")
}

fn negated(formula: Formula, span: Span) -> Result<Formula, Diagnostic> {
    match formula {
        Formula::Now(condition) => Ok(Formula::Now(Condition::Not(Box::new(condition)))),
        _ => Err(not_safety(
            span,
            "a temporal operator under a negation, or left of `->`, asks for a future that exists",
        )),
    }
}

fn and(mut parts: Vec<Formula>) -> Formula {
    if parts.len() == 1 { parts.remove(0) } else { conditions(parts, Condition::And, Formula::And) }
}

fn or(mut parts: Vec<Formula>) -> Formula {
    if parts.len() == 1 { parts.remove(0) } else { conditions(parts, Condition::Or, Formula::Or) }
}

/// Joined as a condition on the present card if that is all they are.
fn conditions(
    parts: Vec<Formula>,
    condition: fn(Vec<Condition>) -> Condition,
    formula: fn(Vec<Formula>) -> Formula,
) -> Formula {
    let now = |part: &Formula| match part {
        Formula::Now(condition) => Some(condition.clone()),
        _ => None,
    };
    match parts.iter().map(now).collect::<Option<Vec<Condition>>>() {
        Some(all) => Formula::Now(condition(all)),
        None => formula(parts),
    }
}
