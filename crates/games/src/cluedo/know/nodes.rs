//! Facts in the form that the engines evaluate: with equal parts shared.

use super::Refused;
use crate::cluedo::atoms::{Atom, Fact};
use crate::cluedo::position::Position;
use crate::cluedo::suppose::Supposition;
use crate::knowledge::Outcomes;
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
    /// It is true after the move (by its place in the list), whatever comes of it or in some way.
    After(u32, Outcomes, u32),
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
    /// Whether common knowledge or moves are spoken of: whole sets of worlds are needed then.
    sets: Vec<bool>,
    moves: Vec<Supposition>,
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

    pub(super) fn needs_sets(&self, node: u32) -> bool {
        self.sets[node as usize]
    }

    /// The nodes of moves in this one, itself included, each once and in the same order whatever node is asked.
    pub(super) fn moves_in(&self, node: u32) -> Vec<u32> {
        let mut open = vec![node];
        let mut found = Vec::new();
        while let Some(next) = open.pop() {
            match self.get(next) {
                Node::Const(_) | Node::At(..) | Node::Solved(_) => {}
                Node::Not(f) | Node::Knows(_, f) | Node::Common(_, f) => open.push(*f),
                Node::After(_, _, f) => {
                    found.push(next);
                    open.push(*f);
                }
                Node::All(fs) | Node::Some(fs) | Node::Count(_, _, fs) | Node::Odd(fs) => open.extend(fs),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The moves that were asked about so far.
    pub(super) fn moves(&self) -> &[Supposition] {
        &self.moves
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
            Node::After(at, _, f) => {
                // Who ends a turn says something about its own mind.
                let own = match &self.moves[*at as usize] {
                    Supposition::End { seat } => 1 << seat.0,
                    Supposition::Ask { .. } | Supposition::Accuse { .. } => 0,
                };
                (own, std::slice::from_ref(f))
            }
            Node::Solved(seat) => (1 << seat, &[]),
        };
        let agents = parts.iter().fold(own, |all, &p| all | self.agents[p as usize]);
        let mentioned = if let Node::At(card, _) = node { 1 << card } else { 0 };
        let cards = parts.iter().fold(mentioned, |all, &p| all | self.cards[p as usize]);
        let below = parts.iter().map(|&p| self.depth[p as usize]).max().unwrap_or(0);
        let id = self.nodes.len() as u32;
        self.depth.push(below + u32::from(own != 0));
        let inside = parts.iter().any(|&p| self.sets[p as usize]);
        self.sets.push(inside || matches!(node, Node::Common(..) | Node::After(..)));
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
    pub(super) fn read(&mut self, position: &Position, fact: &Fact) -> Result<u32, Refused> {
        let node = match fact {
            Fact::Const(value) => Node::Const(*value),
            Fact::Atom(Atom::At(card, place)) => Node::At(card.0, *place as u8),
            Fact::Atom(Atom::Solved(seat)) => Node::Solved(seat.0),
            Fact::Not(f) => {
                let f = self.read(position, f)?;
                return Ok(self.not(f));
            }
            Fact::All(fs) => Node::All(self.all(position, fs)?),
            Fact::Any(fs) => Node::Some(self.all(position, fs)?),
            Fact::Iff(f, g) => {
                let (f, g) = (self.read(position, f)?, self.read(position, g)?);
                Node::Odd([self.not(f), g].into())
            }
            Fact::Count(cmp, n, fs) => Node::Count(*cmp, *n, self.all(position, fs)?),
            Fact::Knows(seats, f) => Node::Knows(seats.bits(), self.read(position, f)?),
            Fact::Common(seats, f) => Node::Common(seats.bits(), self.read(position, f)?),
            Fact::After(action, outcomes, f) => {
                let supposed = Supposition::read(position, action).map_err(Refused::Unfit)?;
                let known = self.moves.iter().position(|m| *m == supposed);
                let at = known.unwrap_or(self.moves.len());
                if known.is_none() {
                    self.moves.push(supposed);
                }
                Node::After(at as u32, *outcomes, self.read(position, f)?)
            }
        };
        Ok(self.add(node))
    }

    fn all(&mut self, position: &Position, fs: &[Fact]) -> Result<Box<[u32]>, Refused> {
        fs.iter().map(|f| self.read(position, f)).collect()
    }
}
