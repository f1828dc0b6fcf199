//! Every play, one by one, by the definitions: no automaton, no sets of candidates carried along, nothing remembered.

use ken_games::cards::{Card, CardSet};
use ken_games::eleusis::properties::{Instance, Mode, Observation, Person, Protocol, Reading, Verdicts};
use ken_games::eleusis::rule::Rule;
use std::collections::BTreeSet;

#[derive(Clone, Copy)]
struct Move {
    who: Person,
    card: Card,
    accepted: bool,
    /// The mover's hand before the move.
    hand: CardSet,
}

pub(crate) struct Plays<'i> {
    pub(crate) instance: &'i Instance,
    /// How many cards back the candidates look at most.
    pub(crate) window: usize,
}

impl Plays<'_> {
    fn rule(&self, rule: usize) -> &Rule {
        &self.instance.rules[rule].rule
    }

    /// The accepted cards before a move.
    fn line(&self, past: &[Move]) -> Vec<Card> {
        let accepted = past.iter().filter(|m| m.accepted).map(|m| m.card);
        std::iter::once(self.instance.starter).chain(accepted).collect()
    }

    fn turn_and_hands(&self, past: &[Move]) -> (Person, [CardSet; 2]) {
        match self.instance.mode {
            Mode::Unlimited => {
                let first = self.instance.first;
                let turn = if past.len().is_multiple_of(2) { first } else { first.other() };
                (turn, [self.instance.deck.all(); 2])
            }
            Mode::Decks(mut hands) => {
                let mut turn = self.instance.first;
                for m in past {
                    if m.accepted {
                        hands[m.who.index()] = hands[m.who.index()].without(m.card);
                    } else {
                        turn = m.who.other();
                    }
                }
                (turn, hands)
            }
        }
    }

    /// The candidates that explain everything the player saw.
    fn left(&self, past: &[Move], who: Person) -> Vec<usize> {
        let explains = |rule: &Rule| {
            (0..past.len()).all(|at| {
                let (m, line) = (past[at], self.line(&past[..at]));
                let judged = rule.accepts(&line, m.card);
                match self.instance.observation {
                    _ if m.accepted => judged,
                    Observation::Forgetful if who == Person::B => true,
                    Observation::Whisper if who != m.who => m.hand.iter().any(|card| !rule.accepts(&line, card)),
                    Observation::Public | Observation::Whisper | Observation::Forgetful => !judged,
                }
            })
        };
        (0..self.instance.rules.len()).filter(|&rule| explains(self.rule(rule))).collect()
    }

    /// Whether two candidates judge every continuation of the line alike: of lines that both accept, only the last few
    /// cards matter.
    fn alike(&self, a: usize, b: usize, line: &[Card]) -> bool {
        let tail = |line: &[Card]| line[line.len().saturating_sub(self.window)..].to_vec();
        let mut seen = BTreeSet::new();
        let mut open = vec![line.to_vec()];
        while let Some(line) = open.pop() {
            let [x, y] = [a, b].map(|rule| self.rule(rule).accepted(&line));
            if x != y {
                return false;
            }
            for card in x.iter() {
                let longer: Vec<Card> = line.iter().copied().chain([card]).collect();
                // A short line is a window that is not filled yet: its length matters too.
                if seen.insert((longer.len().min(self.window + 1), tail(&longer))) {
                    open.push(longer);
                }
            }
        }
        true
    }

    fn knows(&self, past: &[Move], who: Person) -> bool {
        let (left, line) = (self.left(past, who), self.line(past));
        match self.instance.reading {
            Reading::Which => left.len() == 1,
            Reading::Residual => left.iter().all(|&rule| self.alike(left[0], rule, &line)),
        }
    }

    fn options(&self, past: &[Move]) -> CardSet {
        let (who, hands) = self.turn_and_hands(past);
        let hand = hands[who.index()];
        if self.instance.bound.is_some_and(|bound| past.len() >= bound as usize) {
            return CardSet::EMPTY;
        }
        let or = |some: CardSet, others: CardSet| if some.is_empty() { others } else { some };
        match self.instance.protocol {
            Protocol::Any => hand,
            Protocol::NoRepeat => {
                let since = past.iter().rev().take_while(|m| !m.accepted).map(|m| m.card);
                or(hand.minus(since.collect()), hand)
            }
            Protocol::Informative | Protocol::Planned => {
                let (left, line) = (self.left(past, who), self.line(past));
                let some = |verdict: bool| -> CardSet {
                    let judged = |c: &Card| left.iter().any(|&rule| self.rule(rule).accepts(&line, *c) == verdict);
                    hand.iter().filter(judged).collect()
                };
                or(some(true).and(some(false)), or(some(true), hand))
            }
        }
    }

    fn after(&self, past: &[Move], card: Card, truth: usize) -> Vec<Move> {
        let (who, hands) = self.turn_and_hands(past);
        let accepted = self.rule(truth).accepts(&self.line(past), card);
        past.iter().copied().chain([Move { who, card, accepted, hand: hands[who.index()] }]).collect()
    }

    /// The most moves until the goal on all plays, none if a play misses it.
    fn most(&self, past: &[Move], truth: usize, goal: &dyn Fn(&[Move]) -> bool) -> Option<u32> {
        if goal(past) {
            return Some(past.len() as u32);
        }
        let options = self.options(past);
        if options.is_empty() {
            return None;
        }
        let each: Option<Vec<u32>> =
            options.iter().map(|card| self.most(&self.after(past, card, truth), truth, goal)).collect();
        each?.into_iter().max()
    }

    fn some(&self, past: &[Move], truth: usize, goal: &dyn Fn(&[Move]) -> bool) -> bool {
        goal(past) || self.options(past).iter().any(|card| self.some(&self.after(past, card, truth), truth, goal))
    }

    pub(crate) fn verdicts(&self) -> Vec<Verdicts> {
        let someone = |past: &[Move]| self.knows(past, Person::A) || self.knows(past, Person::B);
        let first = |past: &[Move]| self.knows(past, Person::A) && !self.knows(past, Person::B);
        let of = |truth: usize| {
            let most = self.most(&[], truth, &someone);
            Verdicts {
                someone: most.is_some(),
                alice_first: Some(self.most(&[], truth, &first).is_some()),
                someone_may: Some(self.some(&[], truth, &someone)),
                alice_first_may: Some(self.some(&[], truth, &first)),
                least_m: most.map(|moves| moves + 1),
            }
        };
        (0..self.instance.rules.len()).map(of).collect()
    }
}
