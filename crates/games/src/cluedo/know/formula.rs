//! Formulas about a position: reading them, and their form for the engines.

use crate::atoms;
use crate::cluedo::position::Position;
use crate::game::Illegal;
use ken_logic::formula::{Cmp, F, Formula, Group, Name};
use ken_logic::syntax::{Code, Diagnostic, Scope, Span};
use rustc_hash::FxHashMap;
use std::fmt::{self, Display};

/// Reads a formula over `holds(seat,card)`, `env(card)` and `solved(seat)`, with the seats as agents; on failure, every
/// problem found in it.
pub fn formula(position: &Position, text: &str) -> Result<F, Vec<Diagnostic>> {
    let agents: Vec<Name> = (0..position.seats()).map(|s| s.to_string().into()).collect();
    // The names are not declared one by one: a wrong one gets better advice here.
    let formula = Scope::free(&agents).formula(text)?;
    let mut problems: Vec<Diagnostic> = Vec::new();
    formula.any(&mut |f| {
        if let Formula::Atom(name) = f
            && let Err((code, wrong)) = atom(position, name)
        {
            let mut problem = Diagnostic::new(code, atoms::place(text, name), wrong.message);
            problem.help = wrong.help;
            problems.push(problem);
        } else if let Err(Unfit(message)) = fits(f) {
            problems.push(Diagnostic::new(Code::Temporal, Span::new(0, text.len()), message));
        }
        false
    });
    problems.sort_by_key(|p| p.span.start);
    if problems.is_empty() { Ok(formula) } else { Err(problems) }
}

/// Something that a formula says and positions cannot answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit(pub String);

impl Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A formula as the engines see it; the parts are indices of other nodes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Const(bool),
    /// The card is at the place.
    At(u8, u8),
    Not(u32),
    All(Box<[u32]>),
    Some(Box<[u32]>),
    Count(Cmp, u64, Box<[u32]>),
    /// An odd number is true.
    Odd(Box<[u32]>),
    /// The seats (bits) know it together.
    Knows(u8, u32),
    /// The seat knows the envelope.
    Solved(u8),
}

/// Formulas with equal parts shared.
#[derive(Clone, Debug, Default)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    index: FxHashMap<Node, u32>,
    /// The seats whose knowledge the node speaks of, as bits.
    agents: Vec<u8>,
    /// The cards that the node speaks of.
    cards: Vec<u64>,
    /// Knowledge operators inside one another.
    depth: Vec<u32>,
}

impl Nodes {
    pub(super) fn get(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub(super) fn agents(&self, node: u32) -> u8 {
        self.agents[node as usize]
    }

    pub(super) fn cards(&self, node: u32) -> u64 {
        self.cards[node as usize]
    }

    fn add(&mut self, mut node: Node) -> u32 {
        if let Node::All(parts) | Node::Some(parts) = &mut node {
            // What is cheap to evaluate comes first.
            parts.sort_by_key(|&p| self.depth[p as usize]);
        }
        if let Some(&known) = self.index.get(&node) {
            return known;
        }
        let (own, parts): (u8, &[u32]) = match &node {
            Node::Const(_) | Node::At(..) => (0, &[]),
            Node::Not(f) => (0, std::slice::from_ref(f)),
            Node::All(fs) | Node::Some(fs) | Node::Count(_, _, fs) | Node::Odd(fs) => (0, fs),
            Node::Knows(seats, f) => (*seats, std::slice::from_ref(f)),
            Node::Solved(seat) => (1 << seat, &[]),
        };
        let agents = parts.iter().fold(own, |all, &p| all | self.agents[p as usize]);
        let mentioned = if let Node::At(card, _) = node { 1 << card } else { 0 };
        let cards = parts.iter().fold(mentioned, |all, &p| all | self.cards[p as usize]);
        let below = parts.iter().map(|&p| self.depth[p as usize]).max().unwrap_or(0);
        let id = self.nodes.len() as u32;
        self.depth.push(below + u32::from(own != 0));
        self.agents.push(agents);
        self.cards.push(cards);
        self.index.insert(node.clone(), id);
        self.nodes.push(node);
        id
    }

    pub(super) fn not(&mut self, f: u32) -> u32 {
        match self.get(f) {
            Node::Not(inner) => *inner,
            _ => self.add(Node::Not(f)),
        }
    }

    /// The formula as a node.
    pub(super) fn read(&mut self, position: &Position, formula: &Formula) -> Result<u32, Unfit> {
        fits(formula)?;
        let node = match formula {
            Formula::Const(value) => Node::Const(*value),
            Formula::Atom(name) => atom(position, name).map_err(|(_, wrong)| Unfit(wrong.to_string()))?,
            Formula::Not(f) => {
                let f = self.read(position, f)?;
                return Ok(self.not(f));
            }
            Formula::And(fs) => Node::All(self.all(position, fs)?),
            Formula::Or(fs) => Node::Some(self.all(position, fs)?),
            Formula::Imp(f, g) => {
                let (f, g) = (self.read(position, f)?, self.read(position, g)?);
                Node::Some([self.not(f), g].into())
            }
            Formula::Iff(f, g) => {
                let (f, g) = (self.read(position, f)?, self.read(position, g)?);
                Node::Odd([self.not(f), g].into())
            }
            Formula::Xor(fs) => Node::Odd(self.all(position, fs)?),
            Formula::Count(cmp, n, fs) => Node::Count(*cmp, *n, self.all(position, fs)?),
            Formula::Knows(agent, f) => Node::Knows(1 << seat(position, agent)?, self.read(position, f)?),
            Formula::Possible(agent, f) => {
                let (seat, f) = (seat(position, agent)?, self.read(position, f)?);
                let not = self.not(f);
                let knows = self.add(Node::Knows(1 << seat, not));
                Node::Not(knows)
            }
            Formula::KnowsWhether(agent, f) => {
                let (seat, f) = (seat(position, agent)?, self.read(position, f)?);
                let not = self.not(f);
                Node::Some([f, not].map(|f| self.add(Node::Knows(1 << seat, f))).into())
            }
            Formula::Everyone(group, f) => {
                let (seats, f) = (self::seats(position, group)?, self.read(position, f)?);
                let each = (0..8).filter(|s| seats >> s & 1 == 1);
                Node::All(each.map(|s| self.add(Node::Knows(1 << s, f))).collect())
            }
            Formula::Distributed(group, f) => Node::Knows(seats(position, group)?, self.read(position, f)?),
            Formula::Common(..)
            | Formula::Compare(..)
            | Formula::After(..)
            | Formula::Can(..)
            | Formula::Path(..)
            | Formula::Until(..)
            | Formula::Ensure(..)
            | Formula::EnsureUntil(..)
            | Formula::Ought(..)
            | Formula::Runs(..)
            | Formula::Linear(..)
            | Formula::LinearUntil(..)
            | Formula::Release(..) => unreachable!("refused above"),
        };
        Ok(self.add(node))
    }

    fn all(&mut self, position: &Position, fs: &[F]) -> Result<Box<[u32]>, Unfit> {
        fs.iter().map(|f| self.read(position, f)).collect()
    }
}

fn seat(position: &Position, name: &str) -> Result<u8, Unfit> {
    let seat = name.parse().ok().filter(|&s: &u8| s < position.seats());
    seat.ok_or_else(|| Unfit(format!("there is no seat `{name}` among {}", position.seats())))
}

fn seats(position: &Position, group: &Group) -> Result<u8, Unfit> {
    match group {
        Group::All => Ok(((1u16 << position.seats()) - 1) as u8),
        Group::Of(names) => names.iter().try_fold(0, |all, name| Ok(all | 1 << seat(position, name)?)),
    }
}

/// Which fact the name stands for.
fn atom(position: &Position, name: &str) -> Result<Node, (Code, Illegal)> {
    let unknown = || {
        let wrong = Illegal::new(format!("unknown name `{name}`"));
        (Code::UnknownName, wrong.help("the facts are holds(seat,card), env(card) and solved(seat)"))
    };
    let card = |text: &str| position.deck().card(text).map(|c| c.0).map_err(|wrong| (Code::Index, wrong));
    let seat = |text: &str| seat(position, text).map_err(|Unfit(message)| (Code::Index, Illegal::new(message)));
    let (base, rest) = name.split_once('(').ok_or_else(unknown)?;
    let inside = rest.strip_suffix(')').ok_or_else(unknown)?;
    match (base, inside.split_once(',')) {
        ("holds", Some((s, c))) => Ok(Node::At(card(c)?, seat(s)?)),
        ("env", None) => Ok(Node::At(card(inside)?, position.seats())),
        ("solved", None) => Ok(Node::Solved(seat(inside)?)),
        _ => Err(unknown()),
    }
}

/// Refuses operators that a position has no answer for.
fn fits(formula: &Formula) -> Result<(), Unfit> {
    let what = match formula {
        Formula::Common(..) => "common knowledge (C)",
        Formula::Compare(..) => "a comparison of numbers",
        Formula::After(..) | Formula::Can(..) => "what holds after an action",
        Formula::Path(..)
        | Formula::Until(..)
        | Formula::Runs(..)
        | Formula::Linear(..)
        | Formula::LinearUntil(..)
        | Formula::Release(..) => "what holds at other times",
        Formula::Ensure(..) | Formula::EnsureUntil(..) => "what a group can ensure",
        Formula::Ought(..) => "an obligation",
        Formula::Const(_)
        | Formula::Atom(_)
        | Formula::Not(_)
        | Formula::And(_)
        | Formula::Or(_)
        | Formula::Imp(..)
        | Formula::Iff(..)
        | Formula::Xor(_)
        | Formula::Count(..)
        | Formula::Knows(..)
        | Formula::Possible(..)
        | Formula::KnowsWhether(..)
        | Formula::Everyone(..)
        | Formula::Distributed(..) => return Ok(()),
    };
    Err(Unfit(format!("{what} cannot be asked of a position")))
}
