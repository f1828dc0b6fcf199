//! Facts in the form that the engines evaluate: with equal parts shared.

use super::KnowError;
use crate::cluedo::atoms::{Atom, Fact};
use crate::game::Illegal;
use ken_logic::formula::Cmp;
use rustc_hash::FxHashMap;

/// A fact as the engines see it; the parts are indices of other nodes.
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
    /// It is common knowledge of the seats (bits).
    Common(u8, u32),
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
    /// Whether common knowledge is spoken of.
    common: Vec<bool>,
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

    pub(super) fn has_common(&self, node: u32) -> bool {
        self.common[node as usize]
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
            Node::Knows(seats, f) | Node::Common(seats, f) => (*seats, std::slice::from_ref(f)),
            Node::Solved(seat) => (1 << seat, &[]),
        };
        let agents = parts.iter().fold(own, |all, &p| all | self.agents[p as usize]);
        let mentioned = if let Node::At(card, _) = node { 1 << card } else { 0 };
        let cards = parts.iter().fold(mentioned, |all, &p| all | self.cards[p as usize]);
        let below = parts.iter().map(|&p| self.depth[p as usize]).max().unwrap_or(0);
        let id = self.nodes.len() as u32;
        self.depth.push(below + u32::from(own != 0));
        let inside = parts.iter().any(|&p| self.common[p as usize]);
        self.common.push(inside || matches!(node, Node::Common(..)));
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

    /// The fact as a node.
    pub(super) fn read(&mut self, fact: &Fact) -> Result<u32, KnowError> {
        let node = match fact {
            Fact::Const(value) => Node::Const(*value),
            Fact::Atom(Atom::At(card, place)) => Node::At(card.0, *place as u8),
            Fact::Atom(Atom::Solved(seat)) => Node::Solved(seat.0),
            Fact::Not(f) => {
                let f = self.read(f)?;
                return Ok(self.not(f));
            }
            Fact::All(fs) => Node::All(self.all(fs)?),
            Fact::Any(fs) => Node::Some(self.all(fs)?),
            Fact::Iff(f, g) => {
                let (f, g) = (self.read(f)?, self.read(g)?);
                Node::Odd([self.not(f), g].into())
            }
            Fact::Count(cmp, n, fs) => Node::Count(*cmp, *n, self.all(fs)?),
            Fact::Knows(seats, f) => Node::Knows(seats.bits(), self.read(f)?),
            Fact::Common(seats, f) => Node::Common(seats.bits(), self.read(f)?),
            Fact::After(..) => {
                let unfit = Illegal::new("what would be known after a move cannot be asked in Cluedo yet");
                return Err(KnowError::Unfit(unfit));
            }
        };
        Ok(self.add(node))
    }

    fn all(&mut self, fs: &[Fact]) -> Result<Box<[u32]>, KnowError> {
        fs.iter().map(|f| self.read(f)).collect()
    }
}
