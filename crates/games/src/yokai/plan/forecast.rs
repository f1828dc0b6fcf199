//! Mean costs after every move, exact, where what is known are the colours of single cards.
//!
//! A cost is a sum over the colours, so its mean needs no colourings: only how often each four cards are the cards of a
//! colour. With cards known one by one, all completions of the known cards of a colour are equally likely. Each of them
//! is looked at once for each move, and sums are kept for each card and each pair of cards that it holds: so the mean is
//! there, too, for whatever colours one or two more cards turn out to have.

use super::distance::Gaps;
use super::outlook::{Moves, cost_of};
use crate::cards::{Card, CardSet};
use crate::yokai::colour::{CARDS, Colour};
use crate::yokai::count::bits;
use crate::yokai::layout::{Cell, Shape};

/// Cards whose colours are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The cards of each colour, as bits.
    of: [u16; 4],
}

impl Known {
    /// These cards have these colours; `None` if that cannot be.
    pub fn new(cards: impl IntoIterator<Item = (Card, Colour)>) -> Option<Known> {
        cards.into_iter().try_fold(Known::default(), |known, (card, colour)| known.with(card, colour))
    }

    /// The same and one card more; `None` if that cannot be.
    pub fn with(mut self, card: Card, colour: Colour) -> Option<Known> {
        self.of[colour.index()] |= 1 << card.0;
        let others = (0..4).filter(|&c| c != colour.index()).fold(0, |all, c| all | self.of[c]);
        (others >> card.0 & 1 == 0 && self.of[colour.index()].count_ones() <= 4).then_some(self)
    }

    /// The colour of a card, if it is known.
    pub fn colour(&self, card: Card) -> Option<Colour> {
        Colour::ALL.into_iter().find(|c| self.of[c.index()] >> card.0 & 1 == 1)
    }

    /// The cards of unknown colour, as bits.
    pub fn unknown(&self) -> u16 {
        !self.of.iter().fold(0, |all, of| all | of)
    }

    /// How many cards of a colour are unknown.
    fn need(&self, colour: Colour) -> usize {
        4 - self.of[colour.index()].count_ones() as usize
    }

    /// How likely a card of unknown colour has this one.
    pub fn chance(&self, colour: Colour) -> f64 {
        self.need(colour) as f64 / f64::from(self.unknown().count_ones().max(1))
    }

    /// The cards of each colour, if that is settled.
    pub fn settled(&self) -> Option<[u16; 4]> {
        let open = Colour::ALL.into_iter().filter(|&c| self.need(c) > 0);
        let mut of = self.of;
        match open.collect::<Vec<_>>()[..] {
            [] => Some(of),
            [last] => {
                of[last.index()] |= self.unknown();
                Some(of)
            }
            _ => None,
        }
    }

    /// The ways to complete each colour; colours of which nothing is known share theirs.
    fn families(&self) -> ([usize; 4], Vec<Family>) {
        let mut of = [0; 4];
        let mut families: Vec<Family> = Vec::new();
        for colour in Colour::ALL {
            let held = self.of[colour.index()];
            let found = families.iter().position(|f| f.held == held);
            of[colour.index()] = found.unwrap_or_else(|| {
                families.push(Family::new(held, self.unknown()));
                families.len() - 1
            });
        }
        (of, families)
    }

    /// The mean cost of a shape, in moves, if these cards are marked.
    pub fn mean_cost(&self, shape: &Shape, marked: CardSet) -> f64 {
        let gaps = Gaps::of(shape);
        let (of, families) = self.families();
        let mean = |family: &Family| {
            let total: u32 = family.fours.iter().map(|f| u32::from(cost_of(&gaps, f.cards, marked.0 as u16))).sum();
            f64::from(total) / 100.0 / family.fours.len() as f64
        };
        let means: Vec<f64> = families.iter().map(mean).collect();
        of.iter().map(|&f| means[f]).sum()
    }
}

/// The ways to complete the known cards of a colour.
struct Family {
    held: u16,
    fours: Vec<Four>,
}

/// A way to complete a colour.
struct Four {
    cards: u16,
    /// The sums in which it counts: those of its cards that were not known, and those of their pairs.
    rows: [u8; 10],
    len: u8,
}

/// The sum over everything; those of the cards and of the pairs follow.
const ALL: usize = 0;
const ROWS: usize = 1 + CARDS + CARDS * (CARDS - 1) / 2;

fn one(card: u8) -> usize {
    1 + card as usize
}

fn two(a: u8, b: u8) -> usize {
    let (low, high) = (a.min(b) as usize, a.max(b) as usize);
    1 + CARDS + high * (high - 1) / 2 + low
}

impl Family {
    fn new(held: u16, unknown: u16) -> Family {
        let mut family = Family { held, fours: Vec::new() };
        family.complete(held, unknown);
        family
    }

    fn complete(&mut self, cards: u16, rest: u16) {
        if cards.count_ones() == 4 {
            let added = cards & !self.held;
            let mut four = Four { cards, rows: [0; 10], len: 0 };
            let pairs = bits(added).flat_map(|a| bits(added & ((1 << a) - 1)).map(move |b| two(a, b)));
            for row in bits(added).map(one).chain(pairs) {
                four.rows[usize::from(four.len)] = row as u8;
                four.len += 1;
            }
            self.fours.push(four);
            return;
        }
        let mut rest = rest;
        while rest != 0 {
            let next = rest & rest.wrapping_neg();
            rest ^= next;
            self.complete(cards | next, rest);
        }
    }

    /// The sums of the costs after each move, up to those of so many cards.
    fn sums(&self, moves: &Moves, cards: Cards) -> Vec<u32> {
        let n = moves.list().len();
        let single = 4 - self.held.count_ones() as usize;
        let rows = match cards {
            Cards::One => 1 + CARDS,
            Cards::Two => ROWS,
        };
        let mut sums = vec![0; rows * n];
        for (at, gaps) in moves.gaps().iter().enumerate() {
            let mut here = [0u32; ROWS];
            for four in &self.fours {
                let cost = u32::from(cost_of(gaps, four.cards, moves.marked()));
                here[ALL] += cost;
                let rows = match cards {
                    Cards::One => &four.rows[..single],
                    Cards::Two => &four.rows[..usize::from(four.len)],
                };
                for &row in rows {
                    here[usize::from(row)] += cost;
                }
            }
            here[..rows].iter().enumerate().for_each(|(row, &sum)| sums[row * n + at] = sum);
        }
        sums
    }
}

/// Of how many more cards a forecast can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cards {
    /// Of one.
    One,
    /// Of two.
    Two,
}

/// What every move leads to, on the mean over all colourings that fit.
pub struct Forecast {
    moves: Moves,
    known: Known,
    /// Which sums are those of each colour.
    of: [usize; 4],
    sums: Vec<Vec<u32>>,
}

impl Forecast {
    /// The forecast of these moves, which can be asked what follows if so many more cards are known.
    pub fn new(moves: Moves, known: Known, cards: Cards) -> Forecast {
        let (of, families) = known.families();
        let sums = families.iter().map(|family| family.sums(&moves, cards)).collect();
        Forecast { moves, known, of, sums }
    }

    /// What is known.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// The moves.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// A move.
    pub fn of(&self, index: usize) -> (Card, Cell) {
        self.moves.list()[index]
    }

    fn row(&self, colour: usize, row: usize) -> &[u32] {
        let n = self.moves.list().len();
        &self.sums[self.of[colour]][row * n..][..n]
    }

    /// Adds the mean costs of a colour that has the unknown cards `within` and not those `without`, in hundredths of a
    /// move. There are two of them at most.
    fn add(&self, colour: usize, within: &[u8], without: &[u8], to: &mut [f32]) {
        let unknown = self.known.unknown().count_ones() as usize - within.len() - without.len();
        let need = self.known.need(Colour::ALL[colour]);
        let Some(need) = need.checked_sub(within.len()) else { return };
        let ways = choose(unknown, need);
        if ways == 0 {
            return;
        }
        let share = 1.0 / ways as f32;
        let all = self.row(colour, ALL);
        match (within, without) {
            ([], []) => to.iter_mut().zip(all).for_each(|(to, &s)| *to += s as f32 * share),
            (&[x], []) => to.iter_mut().zip(self.row(colour, one(x))).for_each(|(to, &s)| *to += s as f32 * share),
            ([], &[x]) => {
                let x = self.row(colour, one(x));
                to.iter_mut().zip(all).zip(x).for_each(|((to, &s), &x)| *to += (s - x) as f32 * share);
            }
            (&[x, y], []) => {
                to.iter_mut().zip(self.row(colour, two(x, y))).for_each(|(to, &s)| *to += s as f32 * share);
            }
            (&[x], &[y]) => {
                let (x, xy) = (self.row(colour, one(x)), self.row(colour, two(x, y)));
                to.iter_mut().zip(x).zip(xy).for_each(|((to, &x), &xy)| *to += (x - xy) as f32 * share);
            }
            ([], &[x, y]) => {
                let (xy, x, y) = (self.row(colour, two(x, y)), self.row(colour, one(x)), self.row(colour, one(y)));
                let rows = all.iter().zip(xy).zip(x).zip(y);
                to.iter_mut().zip(rows).for_each(|(to, (((&s, &xy), &x), &y))| *to += (s + xy - x - y) as f32 * share);
            }
            _ => unreachable!("two cards at most are supposed"),
        }
    }

    /// The mean cost after each move, in moves, if these cards, two at most, have these colours.
    pub fn means(&self, seen: &[(Card, Colour)]) -> Vec<f32> {
        let mut means = vec![0.0; self.moves.list().len()];
        let new: Vec<&(Card, Colour)> = seen.iter().filter(|s| self.known.colour(s.0).is_none()).collect();
        for colour in Colour::ALL {
            let of = |own: bool| new.iter().filter(move |s| (s.1 == colour) == own).map(|s| s.0.0).collect::<Vec<u8>>();
            self.add(colour.index(), &of(true), &of(false), &mut means);
        }
        means.iter_mut().for_each(|m| *m /= 100.0);
        means
    }

    /// The mean cost after the best move if this card has this colour.
    pub fn best(&self, seen: &[(Card, Colour)]) -> f32 {
        least(&self.means(seen))
    }

    /// The mean costs after the best move for each colour of either card; where a colour cannot be, nothing is meant.
    pub fn pair(&self, x: Card, y: Card) -> [[f32; 4]; 4] {
        let n = self.moves.list().len();
        // For each colour: neither card has it, the first, the second, both.
        let rows: [[Vec<f32>; 4]; 4] = std::array::from_fn(|colour| {
            std::array::from_fn(|which| {
                let mut row = vec![0.0; n];
                let (x, y) = (x.0, y.0);
                match which {
                    0 => self.add(colour, &[], &[x, y], &mut row),
                    1 => self.add(colour, &[x], &[y], &mut row),
                    2 => self.add(colour, &[y], &[x], &mut row),
                    _ => self.add(colour, &[x, y], &[], &mut row),
                }
                row
            })
        });
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let which = |c: usize| usize::from(c == i) + 2 * usize::from(c == j);
                let [a, b, c, d] = std::array::from_fn(|c| &rows[c][which(c)]);
                let sums = a.iter().zip(b).zip(c).zip(d).map(|(((a, b), c), d)| a + b + c + d);
                sums.fold(f32::MAX, f32::min) / 100.0
            })
        })
    }
}

fn least(means: &[f32]) -> f32 {
    means.iter().copied().fold(f32::MAX, f32::min)
}

/// In how many ways `k` of `n` can be chosen.
fn choose(n: usize, k: usize) -> usize {
    if k > n {
        return 0;
    }
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}
