//! What a question is expected to tell, from deals that are listed: where ends of turns have excluded some, and few are left.

use super::ask::Expected;
use super::position::{Deal, Position};
use super::rules::asked;
use crate::cards::CardSet;
use crate::game::Seat;

/// Deals, each of which counts the same.
#[derive(Clone, Debug)]
pub struct Fitting {
    seats: u8,
    cards: usize,
    /// The place of every card, deal after deal.
    places: Vec<u8>,
    /// For each deal its envelope, as an index of `envelopes`.
    envelope: Vec<u16>,
    envelopes: Vec<CardSet>,
}

impl Fitting {
    /// These deals.
    pub fn all(position: &Position, deals: &[Deal]) -> Fitting {
        let cards = position.deck().len();
        let mut this = Fitting {
            seats: position.seats(),
            cards,
            places: vec![0; deals.len() * cards],
            envelope: Vec::with_capacity(deals.len()),
            envelopes: Vec::new(),
        };
        let mut index = rustc_hash::FxHashMap::default();
        for (deal, places) in deals.iter().zip(this.places.chunks_mut(cards)) {
            for (place, held) in deal.places.iter().enumerate() {
                held.iter().for_each(|c| places[c.index()] = place as u8);
            }
            let next = this.envelopes.len() as u16;
            let found = *index.entry(deal.envelope()).or_insert(next);
            if found == next {
                this.envelopes.push(deal.envelope());
            }
            this.envelope.push(found);
        }
        this
    }

    /// How many deals these are.
    pub fn len(&self) -> usize {
        self.envelope.len()
    }

    /// Whether there is none: never.
    pub fn is_empty(&self) -> bool {
        self.envelope.is_empty()
    }

    /// These deals as questions of `asker` see them.
    pub fn asked_by(&self, asker: Seat) -> Asking<'_> {
        let mut order = vec![NOBODY; self.seats as usize + 1];
        for (i, seat) in asked(asker, self.seats).enumerate() {
            order[seat.index()] = i as u8;
        }
        let deals = self.len();
        let mut columns = vec![0; self.cards * deals];
        for (i, deal) in self.places.chunks(self.cards).enumerate() {
            for (card, &place) in deal.iter().enumerate() {
                columns[card * deals + i] = order[place as usize];
            }
        }
        Asking { fitting: self, asker, columns, scratch: Scratch::default() }
    }
}

const NOBODY: u8 = u8::MAX;

/// A deal's weight, which can be shared by up to five cards.
const WHOLE: u32 = 60;

/// The bits of a choice among so many cards.
const CHOICE_BITS: [f64; 6] = [0.0, 0.0, 1.0, 1.584_962_500_721_156, 2.0, 2.321_928_094_887_362];

/// Deals with an asker: for each card and deal, in which order the holder is asked (0 is the seat after the asker).
pub struct Asking<'f> {
    fitting: &'f Fitting,
    asker: Seat,
    columns: Vec<u8>,
    scratch: Scratch,
}

impl Asking<'_> {
    /// What asking for `cards` is expected to tell those who see all of the answer, if `sees_card`, or only who answers.
    pub fn question(&mut self, cards: CardSet, sees_card: bool) -> Expected {
        let seats = self.fitting.seats as usize;
        let deals = self.fitting.len();
        let width = cards.len();
        let columns: Vec<&[u8]> = cards.iter().map(|c| &self.columns[c.index() * deals..][..deals]).collect();
        // An outcome is a seat, by the order of asking, with a card; the last one is that nobody answers.
        let nobody = seats * width;
        self.scratch.reset(nobody + 1, self.fitting.envelopes.len());
        let mut choice = 0.0;
        for (i, &envelope) in self.fitting.envelope.iter().enumerate() {
            let first = columns.iter().map(|c| c[i]).min().unwrap_or(NOBODY);
            if first == NOBODY {
                self.scratch.add(nobody, envelope, WHOLE);
            } else if !sees_card {
                self.scratch.add(first as usize * width, envelope, WHOLE);
            } else {
                let several = columns.iter().filter(|c| c[i] == first).count() as u32;
                let share = WHOLE / several;
                choice += CHOICE_BITS[several as usize];
                for (k, _) in columns.iter().enumerate().filter(|(_, c)| c[i] == first) {
                    self.scratch.add(first as usize * width + k, envelope, share);
                }
            }
        }
        let total = deals as f64 * f64::from(WHOLE);
        let mut expected = Expected { answers: vec![0.0; seats + 1], ..Expected::default() };
        let (mut across, mut inside) = (0.0, 0.0);
        for (outcome, row) in self.scratch.rows() {
            let sum: u32 = row.iter().sum();
            across += xlogx(sum);
            inside += row.iter().map(|&n| xlogx(n)).sum::<f64>();
            let place = match outcome == nobody {
                true => seats,
                false => (self.asker.index() + outcome / width + 1) % seats,
            };
            expected.answers[place] += f64::from(sum) / total;
        }
        let whole = self.scratch.whole();
        let before: f64 = whole.iter().map(|&n| xlogx(n)).sum();
        expected.deal_bits = (total.log2() - across / total - choice / deals as f64).max(0.0);
        // H(E) - H(E | answer), each a logarithm of a total less a mean of logarithms.
        expected.envelope_bits = (total.log2() - (before + across - inside) / total).max(0.0);
        if let Some(e) = self.fitting.envelopes.iter().position(|&e| e == cards) {
            expected.wins = f64::from(whole[e]) / total;
        }
        expected
    }

    /// For each seat, and last for nobody, what happens if it answers. The bits, weighed by the chances, sum up to
    /// [`Expected::envelope_bits`].
    pub fn by_answer(&mut self, cards: CardSet) -> Vec<Answered> {
        let expected = self.question(cards, true);
        let (seats, width) = (self.fitting.seats as usize, cards.len());
        let whole = self.scratch.whole();
        let total = f64::from(whole.iter().sum::<u32>());
        let mut answers: Vec<Answered> =
            expected.answers.iter().map(|&chance| Answered { chance, ..Answered::default() }).collect();
        for (outcome, row) in self.scratch.rows() {
            let sum = f64::from(row.iter().sum::<u32>());
            let place = match outcome == seats * width {
                true => seats,
                false => (self.asker.index() + outcome / width + 1) % seats,
            };
            for (&n, &all) in row.iter().zip(&whole).filter(|(n, _)| **n > 0) {
                answers[place].bits += f64::from(n) / total * (f64::from(n) / sum * total / f64::from(all)).log2();
            }
        }
        for answer in answers.iter_mut().filter(|answer| answer.chance > 0.0) {
            answer.bits = (answer.bits / answer.chance).max(0.0);
        }
        answers
    }
}

/// One seat's answer, or nobody's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Answered {
    /// The chance of it.
    pub chance: f64,
    /// The bits about the envelope that it gives the asker on average.
    pub bits: f64,
}

/// How much weight falls to each outcome and envelope; the memory is used again from question to question.
#[derive(Clone, Debug, Default)]
struct Scratch {
    envelopes: usize,
    table: Vec<u32>,
}

impl Scratch {
    fn reset(&mut self, outcomes: usize, envelopes: usize) {
        self.envelopes = envelopes;
        self.table.clear();
        self.table.resize(outcomes * envelopes, 0);
    }

    fn add(&mut self, outcome: usize, envelope: u16, weight: u32) {
        self.table[outcome * self.envelopes + envelope as usize] += weight;
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &[u32])> {
        self.table.chunks(self.envelopes).enumerate()
    }

    fn whole(&self) -> Vec<u32> {
        let mut whole = vec![0; self.envelopes];
        for (_, row) in self.rows() {
            whole.iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
        }
        whole
    }
}

fn xlogx(n: u32) -> f64 {
    if n == 0 { 0.0 } else { f64::from(n) * f64::from(n).log2() }
}
