//! Rules as automata: judging a card is a look-up, and two rules are the same exactly when their automata are.
//!
//! [`Automaton::of`] compiles a rule in three steps. `lower` finds out what the rule has to remember: the last few
//! cards, seen through the attributes it really uses; places of the line; the latest card of a kind; tallies, kept
//! exactly up to the number from which no comparison changes any more, and modulo a period beyond it. `explore`
//! walks through all memories that lines can lead to. `minimise` merges those that no continuation tells apart.

mod lower;
mod machine;
mod measure;
mod minimise;
#[cfg(test)]
pub(crate) mod random;
mod separate;
pub(in crate::eleusis) mod table;
mod tally;
#[cfg(test)]
mod tests;

pub use measure::Measure;
pub use separate::{Separation, Which, separate};

use super::deck::Deck;
use super::rule::Rule;
use crate::cards::{Card, CardSet};
use std::fmt;
use table::{NONE, Table};

/// The number of memories from which on a rule is refused as too large.
///
/// "At most two of each rank so far" needs 3¹³, about 1.6 million, and is still compiled.
pub const LIMIT: usize = 1 << 21;

/// A state of an automaton: all it remembers of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub u32);

/// The minimal deterministic automaton of a rule.
///
/// Its states are what a rule remembers of lines of accepted cards; the first is that before any card, and takes any
/// starter. A card that is not accepted leads nowhere: the sink is not a state. States are numbered breadth first in
/// the order of the cards, so that two rules over one deck mean the same exactly when their automata are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    deck: Deck,
    /// The class of each card; cards of one class lead to the same state from everywhere.
    class: Vec<u8>,
    classes: usize,
    /// By state, then class.
    targets: Vec<u32>,
    accepted: Vec<CardSet>,
}

impl Automaton {
    /// The automaton of the rule, or why it has none (or too large a one).
    ///
    /// Numbers are exact: an automaton agrees with [`Rule::accepts`] as long as no number leaves 64 bits there.
    pub fn of(rule: &Rule) -> Result<Automaton, Unbounded> {
        Automaton::within(rule, LIMIT)
    }

    /// The same with another limit on the number of memories: for those who would rather do without a large rule than
    /// wait for it.
    pub fn within(rule: &Rule, limit: usize) -> Result<Automaton, Unbounded> {
        let machine = lower::machine(rule)?;
        Ok(Automaton::minimal(rule.deck.clone(), machine.explore(limit)?))
    }

    /// The minimal automaton of a table whose first state is the start.
    pub(in crate::eleusis) fn minimal(deck: Deck, table: Table) -> Automaton {
        let table = minimise::minimal(table);
        let mut members = vec![CardSet::EMPTY; table.classes];
        for (at, &class) in table.class.iter().enumerate() {
            members[class as usize] = members[class as usize].with(Card(at as u8));
        }
        let accepted = |row: &[u32]| {
            let live = row.iter().zip(&members).filter(|&(&target, _)| target != NONE);
            live.fold(CardSet::EMPTY, |all, (_, &cards)| all.or(cards))
        };
        let accepted = table.targets.chunks_exact(table.classes).map(accepted).collect();
        Automaton { deck, class: table.class, classes: table.classes, targets: table.targets, accepted }
    }

    /// The deck whose cards it reads.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// The state before any card.
    pub fn start(&self) -> State {
        State(0)
    }

    /// How many states it has; the sink of refused cards is not counted.
    pub fn states(&self) -> usize {
        self.accepted.len()
    }

    /// The cards that may come next.
    pub fn accepted(&self, state: State) -> CardSet {
        self.accepted[state.0 as usize]
    }

    /// The state after the card, if it is accepted.
    pub fn step(&self, state: State, card: Card) -> Option<State> {
        let target = self.targets[state.0 as usize * self.classes + self.class[card.index()] as usize];
        (target != NONE).then_some(State(target))
    }

    /// The state after the line, if every card of it is accepted.
    pub fn run(&self, line: &[Card]) -> Option<State> {
        line.iter().try_fold(self.start(), |state, &card| self.step(state, card))
    }

    /// The place of the first card of the line, from 0, that is not accepted after those before it.
    pub fn refuses(&self, line: &[Card]) -> Option<usize> {
        (0..line.len()).find(|&at| self.run(&line[..=at]).is_none())
    }

    /// The sets of cards that lead from the state to each of its successors, by the lowest card.
    pub fn moves(&self, state: State) -> Vec<(CardSet, State)> {
        let mut moves: Vec<(CardSet, State)> = Vec::new();
        for card in self.accepted(state).iter() {
            let target = self.step(state, card).expect("an accepted card leads on");
            match moves.iter_mut().find(|(_, t)| *t == target) {
                Some((cards, _)) => *cards = cards.with(card),
                None => moves.push((CardSet::of(card), target)),
            }
        }
        moves
    }
}

/// Why a rule has no automaton, or none that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unbounded {
    /// No finite memory is enough, or none that is known here.
    NotRegular {
        /// The part of the rule that asks for it.
        part: String,
        /// Why.
        why: &'static str,
    },
    /// There are more memories than the limit.
    TooLarge {
        /// The limit.
        limit: usize,
    },
}

impl fmt::Display for Unbounded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unbounded::NotRegular { part, why } => write!(f, "{part}: {why}"),
            Unbounded::TooLarge { limit } => {
                write!(
                    f,
                    "the rule has to remember more than {limit} different pasts; look back less far, or count less"
                )
            }
        }
    }
}

impl std::error::Error for Unbounded {}
