//! The memory that a rule needs, how a card changes it, and the rule evaluated on it.
//!
//! A memory is a list of small numbers: how many cards lie (up to a few), the last cards, the cards at places that
//! the rule names, then one cell for each thing remembered. Cards are remembered as the lowest card that the rule
//! cannot tell from them, so that the rule is evaluated on real cards; 0 stands for a card that is not there.

use super::Unbounded;
use super::table::{Table, classes_of, explore};
use crate::cards::{Card, CardSet};
use crate::eleusis::deck::Deck;
use crate::eleusis::rule::{Attribute, Cmp};

/// A card that is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Look {
    Next,
    This,
    Back(u8),
    /// By its place in [`Machine::nths`].
    Nth(usize),
    /// By the cells that hold it.
    Kept(usize),
}

/// A number; tallies and extremes are read from cells.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Const(i64),
    Of(Attribute, Look),
    Tally(usize),
    Extreme(usize),
    Count(u8, Box<Check>),
    Sum(u8),
    Highest(u8),
    Lowest(u8),
    Add(Box<Number>, Box<Number>),
    Sub(Box<Number>, Box<Number>),
    Mul(Box<Number>, Box<Number>),
    Mod(Box<Number>, i64),
    Abs(Box<Number>),
    Gcd(Box<Number>, Box<Number>),
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Check {
    Const(bool),
    In(Look, CardSet),
    Compare(Number, Cmp, Number),
    Not(Box<Check>),
    And(Vec<Check>),
    Or(Vec<Check>),
    Iff(Box<Check>, Box<Check>),
    If(Box<Check>, Box<Check>, Box<Check>),
}

/// The lowest card that the rule cannot tell from each card, in some place.
pub(super) type Lens = Vec<u8>;

/// Something remembered.
#[derive(PartialEq)]
pub(super) enum Cell {
    /// The latest card of the set.
    Latest { set: CardSet, lens: Lens },
    /// The sum of the weights of the cards since the latest of the set: exact below `from`, then modulo `period`.
    Tally { since: CardSet, weights: Vec<u8>, from: u16, period: u16 },
    /// The highest or lowest rank since the latest card of the set.
    Extreme { since: CardSet, highest: bool },
}

/// What a rule remembers and how it judges.
pub(super) struct Machine {
    pub(super) deck: Deck,
    pub(super) body: Check,
    /// How it sees the next card.
    pub(super) next: Lens,
    /// How it sees the last card, the one before it, and so on.
    pub(super) window: Vec<Lens>,
    /// The places of the line that it names, and how it sees the cards there.
    pub(super) nths: Vec<(u8, Lens)>,
    pub(super) cells: Vec<Cell>,
    /// For each thing remembered: the cell that counts, by the next card.
    pub(super) kept: Vec<Vec<u16>>,
}

/// A memory and the card to be judged.
struct Scene<'a> {
    machine: &'a Machine,
    memory: &'a [u16],
    next: Card,
    this: Option<Card>,
}

fn seen(lens: &[u8], card: Card) -> u16 {
    u16::from(lens[card.index()]) + 1
}

fn card(value: u16) -> Option<Card> {
    (value > 0).then(|| Card(value as u8 - 1))
}

impl Machine {
    /// The machine without a memory, that accepts everything.
    pub(super) fn bare(deck: Deck) -> Machine {
        let next = vec![0; deck.size()];
        let (window, nths, cells, kept) = Default::default();
        Machine { deck, body: Check::Const(true), next, window, nths, cells, kept }
    }

    /// The table of all its memories.
    pub(super) fn explore(&self, limit: usize) -> Result<Table, Unbounded> {
        let signatures: Vec<Vec<u16>> = self.deck.all().iter().map(|card| self.signature(card)).collect();
        let start = vec![0; self.cells_at() + self.cells.len()];
        explore(classes_of(&signatures), &start, limit, |memory, card, after| {
            let accepted = self.accepts(memory, card);
            if accepted {
                self.step(memory, card, after);
            }
            Ok(accepted)
        })
    }

    /// Whether the card may follow; any card may start a line.
    pub(super) fn accepts(&self, memory: &[u16], next: Card) -> bool {
        memory[0] == 0 || Scene { machine: self, memory, next, this: None }.test(&self.body).unwrap_or(true)
    }

    /// The test of a card of the line and the next card, which looks at nothing else.
    pub(super) fn holds(&self, test: &Check, this: Card, next: Card) -> bool {
        Scene { machine: self, memory: &[], next, this: Some(this) }.test(test) == Some(true)
    }

    fn nths_at(&self) -> usize {
        1 + self.window.len()
    }

    fn cells_at(&self) -> usize {
        self.nths_at() + self.nths.len()
    }

    /// All that the card does to a memory, and as next card: cards of one signature are alike.
    fn signature(&self, card: Card) -> Vec<u16> {
        let at = card.index();
        let cell = |cell: &Cell| match cell {
            Cell::Latest { set, lens } => {
                if set.has(card) {
                    seen(lens, card)
                } else {
                    0
                }
            }
            Cell::Tally { since, weights, .. } => {
                if since.has(card) {
                    0
                } else {
                    u16::from(weights[at]) + 1
                }
            }
            Cell::Extreme { since, .. } => {
                if since.has(card) {
                    0
                } else {
                    u16::from(self.deck.rank(card))
                }
            }
        };
        let lenses = self.window.first().into_iter().chain(self.nths.iter().map(|(_, lens)| lens));
        let places = lenses.chain([&self.next]).map(|lens| seen(lens, card));
        places.chain(self.cells.iter().map(cell)).chain(self.kept.iter().map(|cells| cells[at])).collect()
    }

    /// Writes the memory after one more card.
    fn step(&self, memory: &[u16], new: Card, after: &mut Vec<u16>) {
        let lie = memory[0];
        let cap = self.nths.iter().map(|&(k, _)| u16::from(k)).max().unwrap_or(0).max(1);
        after.push((lie + 1).min(cap));
        if let Some(lens) = self.window.first() {
            after.push(seen(lens, new));
        }
        let older = self.window.iter().skip(1).zip(&memory[1..]);
        after.extend(older.map(|(lens, &value)| card(value).map_or(0, |old| seen(lens, old))));
        for ((k, lens), &value) in self.nths.iter().zip(&memory[self.nths_at()..]) {
            after.push(if lie + 1 == u16::from(*k) { seen(lens, new) } else { value });
        }
        for (cell, &value) in self.cells.iter().zip(&memory[self.cells_at()..]) {
            after.push(match cell {
                Cell::Latest { set, lens } => {
                    if set.has(new) {
                        seen(lens, new)
                    } else {
                        value
                    }
                }
                Cell::Tally { since, .. } | Cell::Extreme { since, .. } if since.has(new) => 0,
                Cell::Tally { weights, from, period, .. } => {
                    let sum = value + u16::from(weights[new.index()]);
                    if sum < *from { sum } else { from + (sum - from) % period }
                }
                Cell::Extreme { highest, .. } => {
                    let rank = u16::from(self.deck.rank(new));
                    if value == 0 || (rank > value) == *highest { rank } else { value }
                }
            });
        }
    }
}

impl Scene<'_> {
    /// As [`crate::eleusis::rule`] defines it: `None` if a card is looked at that is not there.
    fn test(&self, test: &Check) -> Option<bool> {
        Some(match test {
            Check::Const(value) => *value,
            Check::In(who, set) => set.has(self.card(who)?),
            Check::Compare(a, cmp, b) => cmp.holds(self.number(a)?, self.number(b)?),
            Check::Not(a) => !self.test(a)?,
            Check::And(parts) => {
                let mut all = true;
                for part in parts {
                    all &= self.test(part)?;
                }
                all
            }
            Check::Or(parts) => {
                let mut any = false;
                for part in parts {
                    any |= self.test(part)?;
                }
                any
            }
            Check::Iff(a, b) => self.test(a)? == self.test(b)?,
            Check::If(condition, yes, no) => self.test(if self.test(condition)? { yes } else { no })?,
        })
    }

    fn card(&self, who: &Look) -> Option<Card> {
        match who {
            Look::Next => Some(self.next),
            Look::This => self.this,
            Look::Back(k) => card(self.memory[*k as usize]),
            Look::Nth(at) => card(self.memory[self.machine.nths_at() + at]),
            Look::Kept(kept) => card(self.cell(*kept)),
        }
    }

    fn cell(&self, kept: usize) -> u16 {
        self.memory[self.machine.cells_at() + self.machine.kept[kept][self.next.index()] as usize]
    }

    /// The last cards, as many as there are.
    fn last(&self, k: u8) -> impl Iterator<Item = Card> {
        self.memory[1..=k as usize].iter().map_while(|&value| card(value))
    }

    fn ranks(&self, k: u8) -> impl Iterator<Item = i64> {
        self.last(k).map(|card| i64::from(self.machine.deck.rank(card)))
    }

    fn number(&self, number: &Number) -> Option<i64> {
        Some(match number {
            Number::Const(value) => *value,
            Number::Of(attribute, who) => attribute.of(&self.machine.deck, self.card(who)?),
            Number::Tally(kept) => i64::from(self.cell(*kept)),
            Number::Extreme(kept) => match self.cell(*kept) {
                0 => return None,
                rank => i64::from(rank),
            },
            Number::Count(k, test) => {
                let mut count = 0;
                for this in self.last(*k) {
                    count += i64::from(Scene { this: Some(this), ..*self }.test(test)?);
                }
                count
            }
            Number::Sum(k) => self.ranks(*k).sum(),
            Number::Highest(k) => self.ranks(*k).max()?,
            Number::Lowest(k) => self.ranks(*k).min()?,
            Number::Add(a, b) => self.number(a)? + self.number(b)?,
            Number::Sub(a, b) => self.number(a)? - self.number(b)?,
            Number::Mul(a, b) => self.number(a)? * self.number(b)?,
            Number::Mod(a, by) => self.residue(a, *by)?,
            Number::Abs(a) => self.number(a)?.abs(),
            Number::Gcd(a, b) => gcd(self.number(a)?, self.number(b)?),
        })
    }

    /// The remainder, taken at every step: polynomials in large numbers stay exact.
    fn residue(&self, number: &Number, by: i64) -> Option<i64> {
        let both = |a: &Number, b: &Number| Some((self.residue(a, by)?, self.residue(b, by)?));
        Some(match number {
            Number::Add(a, b) => both(a, b).map(|(a, b)| a + b)?.rem_euclid(by),
            Number::Sub(a, b) => both(a, b).map(|(a, b)| a - b)?.rem_euclid(by),
            Number::Mul(a, b) => {
                both(a, b).map(|(a, b)| i128::from(a) * i128::from(b))?.rem_euclid(i128::from(by)) as i64
            }
            other => self.number(other)?.rem_euclid(by),
        })
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
