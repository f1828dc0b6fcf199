//! What a question is expected to tell.
//!
//! A question (a suggestion) splits the deals that fit: who answers, and with which card. Its worth is what the answer is
//! expected to tell about the envelope and about the deal, in bits, and the chance that it names the envelope. Every deal
//! that fits counts the same; of several cards a responder is taken to show each equally often. That assumption is used
//! to *choose* questions and never to conclude anything.
//!
//! All deals are used if there are few enough, else a sample drawn uniformly: [`Fitting::is_exact`] says which.

use super::count::Deals;
use super::position::{Constraints, Deal, Position};
use super::rules::asked;
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::Seat;

/// Deals that fit a position: all of them, or a uniform sample.
#[derive(Clone, Debug)]
pub struct Fitting {
    seats: u8,
    cards: usize,
    /// The place of every card, deal after deal.
    places: Vec<u8>,
    /// For each deal its envelope, as an index of `envelopes`.
    envelope: Vec<u16>,
    envelopes: Vec<CardSet>,
    exact: bool,
}

impl Fitting {
    /// The deals that fit, if there are at most `limit`, else a sample of `limit`; what endmoves tell is left out.
    /// Nothing if no deal fits.
    pub fn of(position: &Position, limit: usize, dice: &mut Dice) -> Option<Fitting> {
        let deals = Deals::of(position.deck(), &Constraints::of(position));
        Fitting::among(position, &deals, limit, &|_| true, dice)
    }

    /// The deals among these that `survives` keeps: all, or those of a sample of `limit`. Nothing if there is none.
    pub fn among(
        position: &Position,
        deals: &Deals,
        limit: usize,
        survives: &dyn Fn(&Deal) -> bool,
        dice: &mut Dice,
    ) -> Option<Fitting> {
        let (mut all, exact) = deals.all_or_sample(limit, dice);
        all.retain(survives);
        (!all.is_empty()).then(|| Fitting::new(position, &all, exact))
    }

    /// These deals, which are all that fit.
    pub fn all(position: &Position, deals: &[Deal]) -> Fitting {
        Fitting::new(position, deals, true)
    }

    fn new(position: &Position, deals: &[Deal], exact: bool) -> Fitting {
        let cards = position.deck().len();
        let mut this = Fitting {
            seats: position.seats(),
            cards,
            places: vec![0; deals.len() * cards],
            envelope: Vec::with_capacity(deals.len()),
            envelopes: Vec::new(),
            exact,
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

    /// Whether these are all deals that fit.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The envelopes of these deals with their numbers of deals.
    pub fn envelopes(&self) -> Vec<(CardSet, usize)> {
        let mut counts = vec![0; self.envelopes.len()];
        self.envelope.iter().for_each(|&e| counts[e as usize] += 1);
        self.envelopes.iter().copied().zip(counts).collect()
    }

    /// The `i`th deal.
    pub fn deal(&self, i: usize) -> Deal {
        let mut places = vec![CardSet::EMPTY; self.seats as usize + 1];
        for (card, &place) in self.places[i * self.cards..][..self.cards].iter().enumerate() {
            places[place as usize] = places[place as usize].with(Card(card as u8));
        }
        Deal { places }
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

/// What a question is expected to tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// The chance that the question names the envelope.
    pub wins: f64,
    /// For each seat the chance that it answers, and last the chance that nobody does.
    pub answers: Vec<f64>,
    /// Bits about the envelope.
    pub envelope_bits: f64,
    /// Bits about the deal: those of the answer, less those of the responder's choice among several cards.
    pub deal_bits: f64,
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

/// How many views of each other seat, and how many deals of each view, are looked at for what a question gives away.
#[derive(Clone, Copy, Debug)]
pub struct Others {
    /// Views of each seat.
    pub views: usize,
    /// Deals of each view.
    pub deals: usize,
}

/// What each question is expected to give away to each other seat: for each question a list by seat. It is a rough
/// estimate for players that choose by it; [`worth`](super::worth) has the numbers for people.
///
/// A deal that fits is drawn, and with it what the seat has seen; from *its* deals follows what the public part of the
/// answer, who passes and who shows, would tell it.
pub fn giveaways(
    position: &Position,
    fitting: &Fitting,
    questions: &[CardSet],
    others: Others,
    dice: &mut Dice,
) -> Vec<Vec<Option<f64>>> {
    let asker = position.observer();
    let mut gives = vec![vec![None; position.seats() as usize]; questions.len()];
    for seat in asked(asker, position.seats()) {
        let mut looked = 0;
        let mut bits = vec![0.0; questions.len()];
        for _ in 0..others.views {
            let deal = fitting.deal(dice.below(fitting.len()));
            let view = position.seen_by(seat, &deal, &mut |cards| {
                let pick = dice.below(cards.len());
                cards.iter().nth(pick).expect("below the number of cards")
            });
            let Some(theirs) = Fitting::of(&view, others.deals, dice) else { continue };
            looked += 1;
            let mut theirs = theirs.asked_by(asker);
            for (sum, &cards) in bits.iter_mut().zip(questions) {
                *sum += theirs.question(cards, false).envelope_bits;
            }
        }
        for (row, sum) in gives.iter_mut().zip(bits) {
            row[seat.index()] = (looked > 0).then(|| sum / f64::from(looked));
        }
    }
    gives
}
