//! How the answers to questions split the deals, counted without listing them.
//!
//! An answer is who shows which card, or that nobody does. For a question and an envelope the number of deals with each
//! answer is a sum over the paths of the diagram on which each card that is asked for lies in a certain part of the table:
//! with the seat that answers, or beyond it in the order of asking (where the envelope counts as last). The diagram gives
//! the cards category by category, and a question and an envelope have one card of each. So the sums factor: paths through
//! one category, the first or the last, are followed from their end of the diagram, those through all others from the other
//! end, and both are multiplied where they meet, which is where the diagram is narrow. What is followed is shared between
//! the questions, and of cards that are interchangeable one stands for all: an opening has a handful of kinds of questions
//! and of envelopes.
//!
//! Numbers are kept in `f64`: exact for fewer than 2⁵³ deals, as the classic deck has, and to fifteen digits beyond.

mod block;
mod follow;
mod meet;

use super::super::deck::Deck;
use super::super::position::Constraints;
use super::super::rules::asked;
use super::alike::alike;
use super::diagram::Diagram;
use super::{Deals, simplify};
use crate::cards::CardSet;
use crate::game::Seat;
use block::Block;
use follow::{Arrival, Part, Ways};
use meet::{Key, Table, meet};
use std::cmp::Ordering;

/// What is asked about, and what is seen of it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'q> {
    /// Who asks.
    pub asker: Seat,
    /// Whether the card that is shown is seen, or only who shows one.
    pub sees_card: bool,
    /// One card of each category each.
    pub questions: &'q [CardSet],
}

/// How the answer to a question splits the deals.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// The kinds of envelopes that are possible, each with how many envelopes are of it: these have the same numbers.
    pub kinds: Vec<f64>,
    /// The answers: who gives it, by its place (last: nobody), and for each kind the deals of one envelope with it. A deal
    /// in which one of several cards may be shown is shared by these answers equally.
    pub answers: Vec<(usize, Vec<f64>)>,
    /// The deals whose envelope is the question.
    pub wins: f64,
    /// The bits of the responder's choice, summed over the deals.
    pub choice: f64,
}

/// Deals that are to be split.
#[derive(Clone, Debug)]
pub struct Splitter {
    deals: Deals,
    /// For each card of the order the first that it can be exchanged with.
    alike: Vec<usize>,
    seats: usize,
}

impl Splitter {
    /// The deals that fit; nothing if there is none.
    pub fn of(deck: &Deck, constraints: &Constraints) -> Option<Splitter> {
        let simple = simplify::simplify(deck, constraints)?;
        let deals = Deals::of(deck, constraints);
        let alike = alike(&deals.order, &deals.blocks, &simple);
        (deals.total() > 0).then(|| Splitter { deals, alike, seats: constraints.sizes.len() - 1 })
    }

    /// The deals.
    pub fn deals(&self) -> &Deals {
        &self.deals
    }

    /// How the questions of somebody split the deals.
    pub fn paths<'d>(&'d self, deck: &'d Deck, asked: Asked<'_>) -> Paths<'d> {
        Paths::new(self, deck, asked)
    }
}

/// How questions split the deals, as sums over paths.
pub struct Paths<'d> {
    deck: &'d Deck,
    deals: &'d Deals,
    diagram: &'d Diagram,
    sees_card: bool,
    /// For each place when it is asked; the asker and the envelope come after all others.
    ranks: Vec<usize>,
    blocks: Vec<Block>,
    /// Whether the category that is followed alone is the last one.
    last_alone: bool,
}

impl<'d> Paths<'d> {
    fn new(splitter: &'d Splitter, deck: &'d Deck, ask: Asked<'_>) -> Paths<'d> {
        let deals = &splitter.deals;
        let mut ranks = vec![splitter.seats - 1; splitter.seats + 1];
        for (rank, seat) in asked(ask.asker, splitter.seats as u8).enumerate() {
            ranks[seat.index()] = rank;
        }
        let cards = ask.questions.iter().fold(CardSet::EMPTY, |all, &cards| all.or(cards));
        let blocks = (0..deck.categories()).map(|k| Block::of(deck, k, cards, splitter, &ranks)).collect();
        let diagram = deals.diagram.as_ref().expect("some deal fits");
        let mut paths = Paths { deck, deals, diagram, sees_card: ask.sees_card, ranks, blocks, last_alone: false };
        let first = paths.work();
        paths.last_alone = true;
        paths.last_alone = paths.work() <= first;
        paths
    }

    /// How many seats are asked at most.
    fn asked(&self) -> usize {
        self.ranks.len() - 2
    }

    /// How many answers there are, nobody's included.
    fn answers(&self) -> usize {
        let cards = if self.sees_card { self.blocks.len() } else { 1 };
        self.asked() * cards + 1
    }

    /// The category that is followed alone, and the others as they come from the other end.
    fn sides(&self) -> (usize, Vec<usize>) {
        let last = self.blocks.len() - 1;
        if self.last_alone { (last, (0..last).collect()) } else { (0, (1..=last).rev().collect()) }
    }

    /// How many multiplications [`Paths::each`] takes, roughly.
    pub fn work(&self) -> u64 {
        let (alone, others) = self.sides();
        let pairs = |k: usize| self.blocks[k].lying.iter().map(|l| l.len() as u64).sum::<u64>();
        let parts = if self.sees_card { 2 } else { 1 };
        let place = if self.last_alone { self.blocks[alone].layers.start } else { self.blocks[alone].layers.end };
        let mut width = 1;
        let mut follow = 0;
        for &k in &others {
            let layers = self.blocks[k].layers.clone();
            let edges: u64 = layers.clone().map(|i| self.diagram.layers[i].edges.len() as u64).sum();
            // Ways that have met the same are followed once.
            follow += width * edges * (parts * pairs(k)).div_ceil(2);
            width *= parts * pairs(k);
        }
        let meet = width * parts * pairs(alone) * (self.diagram.layers[place].len() as u64 + 4);
        (meet + follow) * self.asked() as u64
    }

    /// How many numbers [`Paths::each`] keeps.
    pub fn room(&self) -> u64 {
        self.blocks.iter().map(|b| (b.choices.len() * b.kinds()) as u64).product::<u64>() * self.answers() as u64
    }

    /// What `make` makes of the split of each question, in their order. It is called once for all questions that differ
    /// only by interchangeable cards.
    pub fn each<T: Clone>(&self, questions: &[CardSet], mut make: impl FnMut(&Split) -> T) -> Vec<T> {
        let mut table = Table::new(self);
        let rounds = if self.sees_card { self.asked() } else { self.asked() + 1 };
        for rank in 0..rounds {
            self.round(rank, &mut table);
        }
        let mut made: Vec<Option<T>> = vec![None; table.choice.len()];
        let mut split = Split::default();
        let mut of = |&cards: &CardSet| {
            let choices = self.choices(cards);
            let number =
                choices.iter().zip(&self.blocks).fold(0, |n, (&choice, block)| n * block.choices.len() + choice);
            let made = made[number].get_or_insert_with(|| {
                self.split(number, &choices, &table, &mut split);
                make(&split)
            });
            made.clone()
        };
        questions.iter().map(&mut of).collect()
    }

    /// The choices of a question: the same for all that differ only by interchangeable cards.
    fn choices(&self, cards: CardSet) -> Vec<usize> {
        let card = |k: usize| cards.and(self.deck.category(k)).lowest().expect("one card of each category");
        self.blocks.iter().enumerate().map(|(k, block)| block.choice_of(card(k))).collect()
    }

    /// Where a card that is asked for may lie when the seat of this rank is the first to answer; if the card is not seen,
    /// when no seat before it answers.
    fn parts(&self, rank: usize) -> Vec<Part> {
        let places = |of: &dyn Fn(usize) -> bool| {
            let here = self.deals.places.iter().enumerate();
            let here = here.filter(|&(_, &p)| p + 1 < self.ranks.len() && of(self.ranks[p]));
            here.fold(0u32, |bits, (i, _)| bits | 1 << i)
        };
        match self.sees_card {
            true => vec![
                Part { here: false, places: places(&|r| r > rank), envelope: true },
                Part { here: true, places: places(&|r| r == rank), envelope: false },
            ],
            false => vec![Part { here: false, places: places(&|r| r >= rank), envelope: true }],
        }
    }

    /// The part in which a card lies whose holder has this rank.
    fn part_of(&self, holder: usize, rank: usize) -> Option<bool> {
        match (self.sees_card, holder.cmp(&rank)) {
            (_, Ordering::Less) => None,
            (true, Ordering::Equal) => Some(true),
            (false, Ordering::Equal) | (_, Ordering::Greater) => Some(false),
        }
    }

    /// Counts the deals in which the seat of this rank answers.
    fn round(&self, rank: usize, table: &mut Table) {
        let (alone, others) = self.sides();
        let parts = self.parts(rank);
        let follow = |k: usize, ways: &Ways, arrive: &mut dyn FnMut(&Arrival, &Ways)| {
            self.follow(&self.blocks[k], &parts, rank, ways, (k == alone) == self.last_alone, arrive);
        };
        let mut ones: Vec<(Key, Vec<f64>)> = Vec::new();
        follow(alone, &self.start(self.last_alone), &mut |arrival, ways| {
            ones.push((table.key(alone, arrival), ways.sums.clone()));
        });
        let mut ways = self.start(!self.last_alone);
        let mut keys = vec![Key::default()];
        let Some((&last, first)) = others.split_last() else {
            return meet(&ones, (&Key::default(), &keys, &ways), rank, table);
        };
        for &k in first {
            let mut all: Vec<(Key, Ways)> = Vec::new();
            follow(k, &ways, &mut |arrival, ways| all.push((table.key(k, arrival), ways.clone())));
            // Those in which the seat that answers has no card yet come first.
            let longer = all.iter().flat_map(|(key, _)| keys.iter().map(|before| before.and(key)));
            let mut order: Vec<(Key, usize)> = longer.zip(0..).collect();
            order.sort_by_key(|(key, _)| key.held.count_ones() > 0);
            if order.is_empty() {
                // Whatever is asked for of this category, somebody answers before.
                return;
            }
            keys = order.iter().map(|(key, _)| *key).collect();
            ways = Ways::beside(&all, &order);
        }
        follow(last, &ways, &mut |arrival, ways| {
            meet(&ones, (&table.key(last, arrival), &keys, ways), rank, table);
        });
    }

    /// The one way to be at an end of the diagram.
    fn start(&self, at_the_end: bool) -> Ways {
        let layer = if at_the_end { self.diagram.layers.len() - 1 } else { 0 };
        Ways { width: 1, sums: vec![1.0; self.diagram.layers[layer].len()] }
    }

    /// The split of a question.
    fn split(&self, number: usize, choices: &[usize], table: &Table, split: &mut Split) {
        split.kinds.clear();
        split.kinds.push(1.0);
        // The kind of the envelope that is asked for: every card of the question lies in it.
        let mut named = Some(0);
        for (block, &choice) in self.blocks.iter().zip(choices) {
            let weight = |j: usize| block.lying[choice].get(j).map_or(0.0, |l| l.1);
            split.kinds = split.kinds.iter().flat_map(|n| (0..block.kinds()).map(move |j| n * weight(j))).collect();
            named = named.and_then(|at| Some(at * block.kinds() + block.named(choice)?));
        }
        let width = split.kinds.len();
        let row = |i: usize| &table.counts[(number * table.answers + i) * width..][..width];
        let (seats, nobody) = (self.asked(), self.answers() - 1);
        let place = |rank: usize| self.ranks[..=seats].iter().position(|&r| r == rank).expect("a seat of this rank");
        split.answers.clear();
        for rank in 0..seats {
            if self.sees_card {
                let cards = self.blocks.len();
                split.answers.extend((0..cards).map(|k| (place(rank), row(rank * cards + k).to_vec())));
            } else {
                // Those in which nobody before answers, less those in which this seat does not either.
                let less = row(rank).iter().zip(row(rank + 1)).map(|(all, less)| (all - less).max(0.0));
                split.answers.push((place(rank), less.collect()));
            }
        }
        split.answers.push((seats + 1, row(nobody).to_vec()));
        split.wins = named.map_or(0.0, |at| split.answers.iter().map(|(_, row)| row[at]).sum());
        split.choice = table.choice[number];
    }
}
