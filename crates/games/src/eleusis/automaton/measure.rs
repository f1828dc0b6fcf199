//! How much a rule lets through: exact figures over random lines.

use super::{Automaton, State};
use crate::cards::CardSet;

/// How many cards of a line are judged.
const CARDS: usize = 20;

/// What sums of shares may be off by: a rule that accepts exactly half of the deck is fair.
const ROUNDING: f64 = 1e-9;

/// What a rule lets through.
///
/// The lines start with a random card of `start` and go on with random accepted cards; 20 times the next card is
/// judged, or until no card is accepted. The figures are expectations over all such lines, not samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// The mean share of the deck that is accepted; a dead end counts as one judgement with share 0.
    pub permissiveness: f64,
    /// The harmonic mean of the shares, dead ends left out: one over the mean number of attempts with random cards.
    pub per_attempt: f64,
    /// The least share after any line, of any length.
    pub least: f64,
    /// The share of the lines that come to a dead end.
    pub dead_end_rate: f64,
    /// Whether a line, of any length, can come to a dead end.
    pub can_dead_end: bool,
    /// Whether every card is accepted after some line.
    pub every_card_playable: bool,
    /// Whether it is fair to play: a quarter to a half of the deck is accepted, every card somewhere, and no line comes
    /// to a dead end. This is the one definition of fair.
    pub fair: bool,
}

impl Automaton {
    /// What the rule lets through, from a random starter of the set; no set of starters means any.
    pub fn measure(&self, start: CardSet) -> Measure {
        let start = if start.is_empty() { self.deck.all() } else { start };
        let deck = self.deck.size() as f64;
        let (mut judged, mut shares, mut attempts, mut dead) = (0.0, 0.0, 0.0, 0.0);
        let mut lines = Weights::new(self.states());
        for card in start.iter() {
            lines.add(self.step(self.start(), card).expect("any card may start"), 1.0 / start.len() as f64);
        }
        let mut after = Weights::new(self.states());
        for _ in 0..CARDS {
            for &state in &lines.states {
                let weight = lines.weight[state.0 as usize];
                let accepted = self.accepted(state);
                judged += weight;
                shares += weight * accepted.len() as f64 / deck;
                if accepted.is_empty() {
                    dead += weight;
                    continue;
                }
                attempts += weight * deck / accepted.len() as f64;
                for card in accepted.iter() {
                    let target = self.step(state, card).expect("an accepted card leads on");
                    after.add(target, weight / accepted.len() as f64);
                }
            }
            lines.clear();
            std::mem::swap(&mut lines, &mut after);
        }
        let (least, playable) = self.reach(start);
        let permissiveness = shares / judged;
        let every_card_playable = playable == self.deck.all();
        Measure {
            permissiveness,
            per_attempt: if attempts > 0.0 { (judged - dead) / attempts } else { 0.0 },
            least: least as f64 / deck,
            dead_end_rate: dead,
            can_dead_end: least == 0,
            every_card_playable,
            fair: (0.25 - ROUNDING..=0.5 + ROUNDING).contains(&permissiveness) && every_card_playable && least > 0,
        }
    }

    /// The fewest cards accepted after any line from these starters, and the cards accepted after some line.
    fn reach(&self, start: CardSet) -> (usize, CardSet) {
        let mut reached = vec![false; self.states()];
        let mut open: Vec<State> = Vec::new();
        let (mut least, mut playable) = (self.deck.size(), CardSet::EMPTY);
        let mut visit = |state: State, open: &mut Vec<State>| {
            if !std::mem::replace(&mut reached[state.0 as usize], true) {
                open.push(state);
            }
        };
        start.iter().filter_map(|card| self.step(self.start(), card)).for_each(|state| visit(state, &mut open));
        while let Some(state) = open.pop() {
            let accepted = self.accepted(state);
            least = least.min(accepted.len());
            playable = playable.or(accepted);
            accepted.iter().filter_map(|card| self.step(state, card)).for_each(|next| visit(next, &mut open));
        }
        (least, playable)
    }
}

/// States with weights; only those that have one are listed.
struct Weights {
    weight: Vec<f64>,
    states: Vec<State>,
}

impl Weights {
    fn new(states: usize) -> Weights {
        Weights { weight: vec![0.0; states], states: Vec::new() }
    }

    fn add(&mut self, state: State, weight: f64) {
        let sum = &mut self.weight[state.0 as usize];
        if *sum == 0.0 {
            self.states.push(state);
        }
        *sum += weight;
    }

    fn clear(&mut self) {
        for state in self.states.drain(..) {
            self.weight[state.0 as usize] = 0.0;
        }
    }
}
