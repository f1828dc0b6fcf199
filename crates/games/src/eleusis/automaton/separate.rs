//! Whether two states accept the same continuations, and a shortest one that tells them apart.

use super::{Automaton, State};
use crate::cards::Card;

/// Which of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Which {
    /// The first.
    First,
    /// The second.
    Second,
}

/// A shortest continuation that two rules judge differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Separation {
    /// The cards that both accept.
    pub line: Vec<Card>,
    /// The card after them that one accepts and the other refuses.
    pub card: Card,
    /// The one that accepts it.
    pub accepted_by: Which,
}

/// A shortest continuation that separates two automata over the same deck from these states; `None` if they accept
/// the same ones. Lower cards are tried first.
///
/// Pairs of states are visited breadth first; a pair whose states have already been found to stand or fall with each
/// other, through other pairs, is passed over (Hopcroft and Karp). That keeps the shortest length: a continuation
/// that separates such a pair also separates one of the earlier pairs between them. There are fewer visits than
/// states.
pub fn separate(a: (&Automaton, State), b: (&Automaton, State)) -> Option<Separation> {
    let ((first, from), (second, to)) = (a, b);
    debug_assert_eq!(first.deck, second.deck);
    let cards = joint_classes(first, second);
    let mut classes = Classes((0..(first.states() + second.states()) as u32).collect());
    let shift = first.states() as u32;
    let mut visits = vec![Visit { first: from.0, second: to.0, before: 0, card: Card(0) }];
    classes.unite(from.0, to.0 + shift);
    let mut at = 0;
    while at < visits.len() {
        let (p, q) = (visits[at].first, visits[at].second);
        let (left, right) = (first.accepted(State(p)), second.accepted(State(q)));
        if let Some(card) = left.minus(right).or(right.minus(left)).lowest() {
            let accepted_by = if left.has(card) { Which::First } else { Which::Second };
            return Some(Separation { line: path(&visits, at), card, accepted_by });
        }
        let rows = (first.row(p), second.row(q));
        for &(i, j, card) in &cards {
            let (p, q) = (rows.0[i], rows.1[j]);
            if left.has(card) && classes.unite(p, q + shift) {
                visits.push(Visit { first: p, second: q, before: at, card });
            }
        }
        at += 1;
    }
    None
}

/// A pair of states, and the pair and card through which it was reached.
struct Visit {
    first: u32,
    second: u32,
    before: usize,
    card: Card,
}

fn path(visits: &[Visit], mut at: usize) -> Vec<Card> {
    let mut line = Vec::new();
    while at > 0 {
        line.push(visits[at].card);
        at = visits[at].before;
    }
    line.reverse();
    line
}

/// The pairs of classes of cards that occur, each with its lowest card.
fn joint_classes(a: &Automaton, b: &Automaton) -> Vec<(usize, usize, Card)> {
    let mut joint: Vec<(usize, usize, Card)> = Vec::new();
    for card in a.deck.all().iter() {
        let (i, j) = (a.class[card.index()] as usize, b.class[card.index()] as usize);
        if !joint.iter().any(|&(k, l, _)| (k, l) == (i, j)) {
            joint.push((i, j, card));
        }
    }
    joint
}

/// States that stand or fall with each other.
struct Classes(Vec<u32>);

impl Classes {
    fn find(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let up = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = up;
            at = up;
        }
        at
    }

    /// Makes one class of two; false if they were one.
    fn unite(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }
}

impl Automaton {
    fn row(&self, state: u32) -> &[u32] {
        &self.targets[state as usize * self.classes..][..self.classes]
    }
}
