//! How many moves a colour is away from being connected.
//!
//! A move changes the neighbourhoods of the moved card only, so every colour is brought together by moves of its own
//! cards, and the sum over the colours is a lower bound on the moves that are left, up to cells that other moves free.

use crate::yokai::colour::{CARDS, Colouring};
use crate::yokai::count::bits;
use crate::yokai::layout::{Shape, connected};

/// The cards of each colour, as bits.
pub type Classes = [u16; 4];

/// The cards of each colour of a colouring.
pub fn classes(colouring: &Colouring) -> Classes {
    let mut classes = [0; 4];
    for (i, c) in colouring.colours().iter().enumerate() {
        classes[c.index()] |= 1 << i;
    }
    classes
}

/// The distance of a colour whose marked cards keep it apart: more moves than are worth while.
pub const NEVER: u8 = 6;

/// What the empty cells of a shape can bring together.
#[derive(Clone, Debug)]
pub struct Gaps {
    beside: [u16; CARDS],
    /// The cards that one card on an empty cell would connect with each card.
    one: [u16; CARDS],
    /// The cards that two more cards on empty cells would connect with each card.
    near: [u16; CARDS],
    /// The cards beside an empty cell.
    open: u16,
    /// The cards beside each empty cell that touches three or more.
    three: [u16; CARDS],
    threes: usize,
}

impl Gaps {
    /// The gaps of a shape.
    pub fn of(shape: &Shape) -> Gaps {
        let mut gaps = Gaps {
            beside: *shape.neighbours(),
            one: [0; CARDS],
            near: [0; CARDS],
            open: 0,
            three: [0; CARDS],
            threes: 0,
        };
        let frontier = shape.frontier();
        for (i, &(p, touched)) in frontier.iter().enumerate() {
            gaps.open |= touched;
            bits(touched).for_each(|card| gaps.one[card as usize] |= touched);
            if touched.count_ones() >= 3 && gaps.threes < CARDS {
                gaps.three[gaps.threes] = touched;
                gaps.threes += 1;
            }
            for &(q, other) in &frontier[..i] {
                if (p.row - q.row).abs() + (p.col - q.col).abs() == 1 {
                    bits(touched).for_each(|card| gaps.near[card as usize] |= other);
                    bits(other).for_each(|card| gaps.near[card as usize] |= touched);
                }
            }
        }
        for card in 0..CARDS {
            let touching = if gaps.open >> card & 1 == 1 { gaps.beside[card] } else { gaps.beside[card] & gaps.open };
            let apart = (gaps.near[card] | gaps.one[card]) & !gaps.beside[card] & !(1 << card);
            gaps.near[card] = apart | touching;
        }
        gaps
    }

    /// How many moves of their own the four cards are away from being connected: 0 to 3, or [`NEVER`] if cards that are
    /// `marked` stand in the way. Moves that would break the layout are not told apart.
    pub fn distance(&self, four: u16, marked: u16) -> u8 {
        let (mut beside, mut near, mut rest) = (0, 0, four);
        while rest != 0 {
            let card = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            beside |= self.beside[card];
            near |= self.near[card];
        }
        if beside & four == four && connected(&self.beside, four) {
            return 0;
        }
        let free = four & !marked;
        let far = if free.count_ones() >= 3 { 3 } else { NEVER };
        // What one card connects, two would: three cards that one connects have two among them that are near.
        if near & four == 0 {
            return far;
        }
        if bits(free).any(|x| self.bridged(four & !(1 << x))) {
            return 1;
        }
        // Two cards stay, all marked ones among them, and the other two connect them.
        let mut stay = bits(four & marked);
        match (stay.next(), stay.next(), stay.next()) {
            (None, ..) => 2,
            (Some(a), None, _) if self.near[a as usize] & four != 0 => 2,
            (Some(a), Some(b), None) if self.near[a as usize] >> b & 1 == 1 => 2,
            (Some(_), _, _) => far,
        }
    }

    /// Whether one more card, put on some empty cell, connects these three.
    fn bridged(&self, three: u16) -> bool {
        let a = three.trailing_zeros() as usize;
        let rest = three & (three - 1);
        let b = rest.trailing_zeros() as usize;
        let c = (rest & (rest - 1)).trailing_zeros() as usize;
        let (ab, bc, ac) = (self.beside[a] >> b & 1 == 1, self.beside[b] >> c & 1 == 1, self.beside[a] >> c & 1 == 1);
        match (ab, bc, ac) {
            (false, false, false) => self.three[..self.threes].iter().any(|t| t & three == three),
            (true, false, false) => (self.one[a] | self.one[b]) >> c & 1 == 1,
            (false, true, false) => (self.one[b] | self.one[c]) >> a & 1 == 1,
            (false, false, true) => (self.one[a] | self.one[c]) >> b & 1 == 1,
            (true, true, _) | (true, _, true) | (_, true, true) => self.open & three != 0,
        }
    }

    /// The sum over the colours.
    pub fn distances(&self, classes: &Classes, marked: u16) -> u8 {
        classes.iter().map(|&four| self.distance(four, marked)).sum()
    }
}
