//! Counting with joins: card by card, with the numbers of colours left and what each join still waits for.
//!
//! A join waits, before its card has a colour, with the colours of its candidates so far; then for a candidate of the
//! card's colour. What two ways of colouring the cards so far leave open is all that counts of them, so ways that leave
//! the same are counted together: exact for any number of joins, and few states, since most joins are about cards of
//! known colour.

use super::{Evidence, LEFTS, Left, bits, numbers, take};
use crate::dice::Dice;
use crate::yokai::colour::{CARDS, Colour, Colouring};
use rustc_hash::FxHashMap;

/// What the cards so far leave open: the numbers of colours left, and six bits for each join.
type Open = (Left, u128);

/// How many bits a join takes: the colours of its candidates or of its card, and how far it is.
const WIDTH: u32 = 6;
/// How many joins there can be.
const MOST: usize = (u128::BITS / WIDTH) as usize;
/// The card has its colour, and no candidate so far has it.
const WAITS: u128 = 0b01 << 4;
/// It holds.
const HOLDS: u128 = 0b10 << 4;

/// A state with where each colour of the next set leads, and in how many ways it can be ended.
#[derive(Clone, Debug)]
struct Node {
    next: [Option<u32>; 4],
    ways: u64,
}

/// The colourings that fit evidence with joins, counted.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    /// The sets of cards of one colour.
    sets: Vec<u16>,
    /// The states before each set, and after the last.
    layers: Vec<Vec<Node>>,
}

impl Joined {
    pub(super) fn of(evidence: &Evidence) -> Joined {
        assert!(evidence.joins.len() <= MOST, "a match has fourteen moves, and each joins one card");
        let mut sets = evidence.sets();
        let in_join = |cards: u16| evidence.joins.iter().any(|&(card, others)| cards & (others | 1 << card) != 0);
        // Known colours first, they leave one state; then what joins are about, so that these are settled early.
        sets.sort_by_key(|&(cards, colours)| (colours.count_ones() > 1, !in_join(cards)));
        let mut layers = vec![vec![(LEFTS - 1, 0u128)]];
        let mut nodes: Vec<Vec<Node>> = Vec::new();
        let (mut below, mut rest) = (CARDS, u16::MAX);
        for &(cards, colours) in &sets {
            rest &= !cards;
            let here = layers.last().expect("a first layer").clone();
            let mut found: FxHashMap<Open, u32> = FxHashMap::default();
            let mut after: Vec<Open> = Vec::new();
            let n = cards.count_ones() as usize;
            let step = |&(left, waiting): &Open| {
                let left_of = numbers(left, below).expect("numbers that add up");
                let next = std::array::from_fn(|c| {
                    if colours >> c & 1 == 0 || left_of[c] < n {
                        return None;
                    }
                    let open = (take(left, c, n), evidence.coloured(waiting, cards, c, rest)?);
                    Some(*found.entry(open).or_insert_with(|| {
                        after.push(open);
                        after.len() as u32 - 1
                    }))
                });
                Node { next, ways: 0 }
            };
            nodes.push(here.iter().map(step).collect());
            layers.push(after);
            below -= n;
        }
        nodes.push(layers.last().expect("a last layer").iter().map(|_| Node { next: [None; 4], ways: 1 }).collect());
        for i in (0..sets.len()).rev() {
            let (before, after) = nodes.split_at_mut(i + 1);
            for node in &mut before[i] {
                node.ways = node.next.iter().flatten().map(|&next| after[0][next as usize].ways).sum();
            }
        }
        Joined { sets: sets.into_iter().map(|s| s.0).collect(), layers: nodes }
    }

    pub(super) fn total(&self) -> u64 {
        self.layers[0].first().map_or(0, |node| node.ways)
    }

    /// How many there are with each colour for each card.
    pub(super) fn marginals(&self) -> [[u64; 4]; CARDS] {
        let mut marginals = [[0; 4]; CARDS];
        // How many ways lead to each state.
        let mut before = vec![1];
        for (i, &cards) in self.sets.iter().enumerate() {
            let mut after = vec![0; self.layers[i + 1].len()];
            let mut shares = [0; 4];
            for (node, ways) in self.layers[i].iter().zip(&before) {
                for (share, next) in shares.iter_mut().zip(node.next) {
                    if let Some(next) = next {
                        after[next as usize] += ways;
                        *share += ways * self.layers[i + 1][next as usize].ways;
                    }
                }
            }
            bits(cards).for_each(|card| marginals[card as usize] = shares);
            before = after;
        }
        marginals
    }

    /// A random one, all equally likely. There must be one.
    pub(super) fn draw(&self, dice: &mut Dice) -> Colouring {
        let mut colours = [Colour::Red; CARDS];
        let mut at = 0;
        for (i, &cards) in self.sets.iter().enumerate() {
            let node = &self.layers[i][at];
            let mut place = dice.below(node.ways as usize) as u64;
            let mut chosen = None;
            for (colour, next) in Colour::ALL.into_iter().zip(node.next) {
                let ways = next.map_or(0, |next| self.layers[i + 1][next as usize].ways);
                if chosen.is_none() && place < ways {
                    chosen = next.map(|next| (colour, next));
                }
                place = place.wrapping_sub(if chosen.is_none() { ways } else { 0 });
            }
            let (colour, next) = chosen.expect("the ways add up");
            bits(cards).for_each(|card| colours[card as usize] = colour);
            at = next as usize;
        }
        Colouring::new(colours).expect("four of each colour")
    }
}

impl Evidence {
    /// What joins wait for once these cards have this colour too and only the `rest` has none; `None` if one fails.
    fn coloured(&self, mut waiting: u128, cards: u16, colour: usize, rest: u16) -> Option<u128> {
        for (&(card, others), at) in self.joins.iter().zip((0..).step_by(WIDTH as usize)) {
            let (mine, candidate) = (cards >> card & 1 == 1, cards & others != 0);
            if !mine && !candidate {
                continue;
            }
            let mut join = waiting >> at & 0b11_1111;
            let this = 1u128 << colour;
            if candidate && join & (WAITS | HOLDS) == 0 {
                join |= this;
            } else if candidate && join == WAITS | this {
                join = HOLDS;
            }
            if mine && join & HOLDS == 0 {
                join = if join & this != 0 { HOLDS } else { WAITS | this };
            }
            let over = rest & (others | 1 << card) == 0;
            if over && join != HOLDS {
                return None;
            }
            let done = if over { 0 } else { join };
            waiting = waiting & !(0b11_1111 << at) | done << at;
        }
        Some(waiting)
    }
}
