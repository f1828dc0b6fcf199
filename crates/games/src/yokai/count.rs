//! Exact beliefs: the colourings that fit what is known, counted, not listed.
//!
//! What is known is *evidence*: the colours that each card may have, pairs of cards of one colour, and *joins* ("card x
//! has the colour of one of these"). Cards of one colour are counted together; the colourings are counted card by card
//! with the numbers of colours left (at most 5⁴ of them), which takes microseconds where the 63,063,000 colourings would
//! take seconds. Joins with several candidates are counted with what they wait for (`joined`), any number of them.

mod joined;

use super::colour::{CARDS, Colour, Colouring, Colours};
use super::layout::Shape;
use crate::cards::Card;
use crate::dice::Dice;
use joined::Joined;

/// What is known about the colours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Evidence {
    /// The colours that each card may have, as bits.
    allowed: [u8; CARDS],
    /// The lowest card that is known to have the same colour.
    leader: [u8; CARDS],
    /// Cards that have the colour of at least one of the others, as bits.
    joins: Vec<(u8, u16)>,
}

impl Default for Evidence {
    fn default() -> Evidence {
        Evidence { allowed: [0b1111; CARDS], leader: std::array::from_fn(|i| i as u8), joins: Vec::new() }
    }
}

impl Evidence {
    /// Nothing is known.
    pub fn none() -> Evidence {
        Evidence::default()
    }

    /// The card has one of these colours.
    pub fn among(&mut self, card: Card, colours: Colours) {
        let leader = self.leader[card.index()] as usize;
        self.allowed[leader] &= colours.bits();
        self.settle();
    }

    /// The card has this colour.
    pub fn is(&mut self, card: Card, colour: Colour) {
        self.among(card, Colours::of(colour));
    }

    /// The two cards have the same colour.
    pub fn same(&mut self, a: Card, b: Card) {
        let (a, b) = (self.leader[a.index()], self.leader[b.index()]);
        let (low, high) = (a.min(b), a.max(b));
        self.allowed[low as usize] &= self.allowed[high as usize];
        for leader in &mut self.leader {
            if *leader == high {
                *leader = low;
            }
        }
        self.settle();
    }

    /// The card has the colour of at least one of these, which are bits. Up to 21 joins that leave a choice can be counted;
    /// a match has fourteen moves.
    pub fn joins(&mut self, card: Card, others: u16) {
        if others != 0 {
            self.joins.push((card.0, others));
            self.settle();
        }
    }

    /// Leaves out the candidates of joins that cannot have the card's colour; with one left it is the same colour, with
    /// none nothing fits, and a join that holds anyway is no more.
    fn settle(&mut self) {
        let mut at = 0;
        while at < self.joins.len() {
            let (card, others) = self.joins[at];
            let leader = self.leader[card as usize];
            let colours = self.allowed[leader as usize];
            let live = |other: &u8| colours & self.allowed[self.leader[*other as usize] as usize] != 0;
            let left: u16 = bits(others).filter(live).fold(0, |all, other| all | 1 << other);
            let holds = bits(left).any(|other| self.leader[other as usize] == leader);
            if holds || left.count_ones() < 2 {
                self.joins.swap_remove(at);
                match left.trailing_zeros() {
                    _ if holds => {}
                    16 => self.allowed[leader as usize] = 0,
                    // This settles the other joins too.
                    other => return self.same(Card(card), Card(other as u8)),
                }
            } else {
                self.joins[at].1 = left;
                at += 1;
            }
        }
    }

    /// The colours that a card may have as far as single pieces of evidence tell.
    pub fn allowed(&self, card: Card) -> Colours {
        Colours::from_bits(self.allowed[self.leader[card.index()] as usize])
    }

    /// Whether a colouring fits.
    pub fn fits(&self, colouring: &Colouring) -> bool {
        let of = |i: u8| colouring.of(Card(i));
        (0..CARDS as u8).all(|i| self.allowed(Card(i)).has(of(i)) && of(i) == of(self.leader[i as usize]))
            && self.joins.iter().all(|&(card, others)| bits(others).any(|other| of(other) == of(card)))
    }

    /// The colourings that fit, counted.
    pub fn worlds(&self) -> Worlds {
        Worlds::of(self)
    }

    /// How many colourings fit.
    pub fn count(&self) -> u64 {
        if self.allowed.iter().zip(&self.leader).zip(0..).any(|((&a, &l), i)| a == 0 && l == i) {
            return 0;
        }
        if self.joins.is_empty() { Table::of(self).total() } else { Joined::of(self).total() }
    }

    /// The sets of cards known to have one colour, with the colours they may have.
    fn sets(&self) -> Vec<(u16, u8)> {
        let mut joined = [0u16; CARDS];
        for (i, &leader) in self.leader.iter().enumerate() {
            joined[leader as usize] |= 1 << i;
        }
        (0..CARDS).filter(|&i| joined[i] != 0).map(|i| (joined[i], self.allowed[i])).collect()
    }

    /// How many of the colourings that fit are grouped in this shape.
    pub fn grouped(&self, shape: &Shape) -> u64 {
        let mut joined = [0u16; CARDS];
        for (i, &leader) in self.leader.iter().enumerate() {
            joined[leader as usize] |= 1 << i;
        }
        let together = std::array::from_fn(|i| joined[self.leader[i] as usize]);
        let allowed = std::array::from_fn(|i| self.allowed[self.leader[i] as usize]);
        let mut groups = Groups { evidence: self, beside: shape.neighbours(), together, allowed, done: Vec::new() };
        groups.count(u16::MAX)
    }
}

/// The places of the ones.
pub(super) fn bits(mut set: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let i = set.trailing_zeros() as u8;
            set &= set - 1;
            i
        })
    })
}

/// The ways to split the table into four connected groups of four.
struct Groups<'a> {
    evidence: &'a Evidence,
    beside: &'a [u16; CARDS],
    /// The cards known to have the colour of each card, itself included.
    together: [u16; CARDS],
    allowed: [u8; CARDS],
    /// The groups so far, each with its colours.
    done: Vec<(u16, u8)>,
}

impl Groups<'_> {
    /// How many grouped colourings there are with the groups so far and these cards in other groups.
    fn count(&mut self, rest: u16) -> u64 {
        if rest == 0 {
            return self.colourings();
        }
        let first = rest & rest.wrapping_neg();
        self.grow(first, 0, rest)
    }

    /// The same with a group that has these cards and none of `never`.
    fn grow(&mut self, group: u16, never: u16, rest: u16) -> u64 {
        if group.count_ones() == 4 {
            let colours = bits(group).fold(0b1111, |all, i| all & self.allowed[i as usize]);
            let whole = bits(group).all(|i| self.together[i as usize] & !group == 0);
            if colours == 0 || !whole {
                return 0;
            }
            self.done.push((group, colours));
            let total = self.count(rest & !group);
            self.done.pop();
            return total;
        }
        // Every connected set is met once: each card at its edge is taken, or never.
        let mut edge = bits(group).fold(0, |all, i| all | self.beside[i as usize]) & rest & !group & !never;
        let (mut total, mut never) = (0, never);
        while edge != 0 {
            let next = edge & edge.wrapping_neg();
            edge ^= next;
            total += self.grow(group | next, never, rest);
            never |= next;
        }
        total
    }

    /// How many ways the four groups can be coloured.
    fn colourings(&self) -> u64 {
        let holds = |&(card, others): &(u8, u16)| {
            let group = self.done.iter().find(|(g, _)| g >> card & 1 == 1).expect("every card is in a group").0;
            group & others != 0
        };
        if !self.evidence.joins.iter().all(holds) {
            return 0;
        }
        fn ways(groups: &[(u16, u8)], left: u8) -> u64 {
            let Some((&(_, colours), rest)) = groups.split_first() else { return 1 };
            (0..4).filter(|c| colours & left & 1 << c != 0).map(|c| ways(rest, left & !(1 << c))).sum()
        }
        ways(&self.done, 0b1111)
    }
}

/// The numbers of cards of red, green and blue that are still to be placed; those of yellow follow.
type Left = usize;
const LEFTS: usize = 125;
const STEP: [usize; 3] = [25, 5, 1];

/// How many ways there are to colour the cards from each one on, for all numbers of colours left. Joins are left out.
#[derive(Clone, Debug)]
struct Table {
    /// The sets of cards of one colour, with the colours they may have.
    sets: Vec<(u16, u8)>,
    /// `ways[i][left]`: how the sets from `i` on can be coloured.
    ways: Vec<[u32; LEFTS]>,
}

impl Table {
    fn of(evidence: &Evidence) -> Table {
        let mut sets = evidence.sets();
        // Cards of known colour first: they leave one number of colours, so the rest is all that is counted.
        sets.sort_by_key(|s| s.1.count_ones());
        let mut ways = vec![[0; LEFTS]; sets.len() + 1];
        ways[sets.len()][0] = 1;
        let mut below = 0;
        for i in (0..sets.len()).rev() {
            let (cards, colours) = sets[i];
            let n = cards.count_ones() as usize;
            below += n;
            if n > 4 {
                continue;
            }
            for left in 0..LEFTS {
                let numbers = numbers(left, below);
                let Some(numbers) = numbers else { continue };
                ways[i][left] = (0..4)
                    .filter(|&c| colours >> c & 1 == 1 && numbers[c] >= n)
                    .map(|c| ways[i + 1][take(left, c, n)])
                    .sum();
            }
        }
        Table { sets, ways }
    }

    fn total(&self) -> u64 {
        self.ways[0][LEFTS - 1].into()
    }

    /// How many there are with each colour for each card.
    fn marginals(&self) -> [[u64; 4]; CARDS] {
        let mut marginals = [[0; 4]; CARDS];
        let Table { sets, ways } = self;
        // How many ways lead to each number of colours left.
        let mut before = [0u64; LEFTS];
        before[LEFTS - 1] = 1;
        let mut below = CARDS;
        for (i, &(cards, colours)) in sets.iter().enumerate() {
            let n = cards.count_ones() as usize;
            let (mut after, mut shares) = ([0; LEFTS], [0u64; 4]);
            for left in (0..LEFTS).filter(|&l| before[l] != 0) {
                let Some(numbers) = numbers(left, below) else { continue };
                for c in (0..4).filter(|&c| colours >> c & 1 == 1 && numbers[c] >= n) {
                    let next = take(left, c, n);
                    after[next] += before[left];
                    shares[c] += before[left] * u64::from(ways[i + 1][next]);
                }
            }
            bits(cards).for_each(|card| marginals[card as usize] = shares);
            (before, below) = (after, below - n);
        }
        marginals
    }

    /// A random one, all equally likely. There must be one.
    fn draw(&self, dice: &mut Dice) -> Colouring {
        let mut colours = [Colour::Red; CARDS];
        let (mut left, mut below) = (LEFTS - 1, CARDS);
        for (i, &(cards, allowed)) in self.sets.iter().enumerate() {
            let n = cards.count_ones() as usize;
            let numbers = numbers(left, below).expect("numbers that add up");
            let mut at = dice.below(self.ways[i][left] as usize) as u32;
            let chosen = (0..4)
                .filter(|&c| allowed >> c & 1 == 1 && numbers[c] >= n)
                .find(|&c| {
                    let ways = self.ways[i + 1][take(left, c, n)];
                    let here = at < ways;
                    at = at.wrapping_sub(ways);
                    here
                })
                .expect("the ways add up");
            bits(cards).for_each(|card| colours[card as usize] = Colour::ALL[chosen]);
            (left, below) = (take(left, chosen, n), below - n);
        }
        Colouring::new(colours).expect("four of each colour")
    }
}

/// The numbers of the four colours left, if `cards` cards are left in all.
fn numbers(left: Left, cards: usize) -> Option<[usize; 4]> {
    let three = [left / 25, left / 5 % 5, left % 5];
    let yellow = cards.checked_sub(three.iter().sum())?;
    (yellow <= 4).then_some([three[0], three[1], three[2], yellow])
}

/// What is left without `n` cards of a colour.
fn take(left: Left, colour: usize, n: usize) -> Left {
    STEP.get(colour).map_or(left, |step| left - n * step)
}

/// The colourings that fit some evidence: how many, what they say of each card, and random ones among them.
#[derive(Clone, Debug)]
pub struct Worlds(Counted);

#[derive(Clone, Debug)]
enum Counted {
    /// Without joins.
    Free(Table),
    /// With joins.
    Joined(Joined),
}

impl Worlds {
    fn of(evidence: &Evidence) -> Worlds {
        Worlds(if evidence.joins.is_empty() {
            Counted::Free(Table::of(evidence))
        } else {
            Counted::Joined(Joined::of(evidence))
        })
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        match &self.0 {
            Counted::Free(table) => table.total(),
            Counted::Joined(joined) => joined.total(),
        }
    }

    /// How many there are with each colour for each card.
    pub fn marginals(&self) -> [[u64; 4]; CARDS] {
        match &self.0 {
            Counted::Free(table) => table.marginals(),
            Counted::Joined(joined) => joined.marginals(),
        }
    }

    /// The colours that are certain.
    pub fn known(&self) -> [Option<Colour>; CARDS] {
        let count = self.count();
        let certain = |counts: [u64; 4]| Colour::ALL.into_iter().find(|c| counts[c.index()] == count);
        self.marginals().map(certain)
    }

    /// A random one, all equally likely; `None` if there is none.
    pub fn sample(&self, dice: &mut Dice) -> Option<Colouring> {
        (self.count() > 0).then(|| match &self.0 {
            Counted::Free(table) => table.draw(dice),
            Counted::Joined(joined) => joined.draw(dice),
        })
    }
}
