//! Where the cards lie, which of them hold the layout together, and where each may go.
//!
//! Cells are whole numbers without bound. Sixteen connected cards span at most sixteen rows and columns, so on a torus
//! of 32 × 32 no two cells that matter coincide: neighbours are found there, and coordinates are never shifted.
//!
//! A card may go to an empty cell if all sixteen are connected afterwards. Taking a card away leaves one part, or, if
//! it is an *articulation point*, several; it may go to an empty cell that touches every part.

use super::colour::{CARDS, Colouring};
use crate::cards::{Card, CardSet};
use std::fmt;

/// A place on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// Its row, counted downwards.
    pub row: i32,
    /// Its column, counted to the right.
    pub col: i32,
}

impl Cell {
    /// The cell of this row and column.
    pub const fn new(row: i32, col: i32) -> Cell {
        Cell { row, col }
    }

    /// The four cells beside it: above, below, left, right.
    pub fn beside(self) -> [Cell; 4] {
        let Cell { row, col } = self;
        [
            Cell::new(row.wrapping_sub(1), col),
            Cell::new(row.wrapping_add(1), col),
            Cell::new(row, col.wrapping_sub(1)),
            Cell::new(row, col.wrapping_add(1)),
        ]
    }

    /// Its place on the torus.
    fn spot(self) -> usize {
        ((self.row & 31) << 5 | self.col & 31) as usize
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.row, self.col)
    }
}

/// The cards on the table, all connected by sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    cells: [Cell; CARDS],
}

/// Why cells are not a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLayout {
    /// Two cards lie on one cell.
    Shared(Card, Card),
    /// The second card is not connected with the first.
    Apart(Card, Card),
}

impl fmt::Display for BadLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadLayout::Shared(a, b) => write!(f, "cards {} and {} lie on the same cell", a.0 + 1, b.0 + 1),
            BadLayout::Apart(a, b) => write!(f, "card {} is not connected with card {}", b.0 + 1, a.0 + 1),
        }
    }
}

impl Layout {
    /// The start: cards 1 to 16 row by row in the cells 15..18 × 15..18.
    pub fn start() -> Layout {
        Layout { cells: std::array::from_fn(|i| Cell::new(15 + i as i32 / 4, 15 + i as i32 % 4)) }
    }

    /// The layout with these cells.
    pub fn new(cells: [Cell; CARDS]) -> Result<Layout, BadLayout> {
        for (i, a) in cells.iter().enumerate() {
            if let Some(j) = cells[i + 1..].iter().position(|b| a == b) {
                return Err(BadLayout::Shared(Card(i as u8), Card((i + 1 + j) as u8)));
            }
        }
        // The torus presupposes that the cards are connected: here cells are compared one by one.
        let mut reached = 1u16;
        let mut rest = vec![0];
        while let Some(i) = rest.pop() {
            for (j, cell) in cells.iter().enumerate() {
                if reached >> j & 1 == 0 && cells[i].beside().contains(cell) {
                    reached |= 1 << j;
                    rest.push(j);
                }
            }
        }
        match (!reached).trailing_zeros() {
            16.. => Ok(Layout { cells }),
            apart => Err(BadLayout::Apart(Card(0), Card(apart as u8))),
        }
    }

    /// Where a card lies.
    pub fn cell(&self, card: Card) -> Cell {
        self.cells[card.index()]
    }

    /// Where the cards lie, in the order of the cards.
    pub fn cells(&self) -> &[Cell; CARDS] {
        &self.cells
    }

    /// The card on a cell.
    pub fn at(&self, cell: Cell) -> Option<Card> {
        self.cells.iter().position(|&c| c == cell).map(|i| Card(i as u8))
    }

    /// The layout with the card on another cell. That the move is legal is the caller's part.
    #[must_use]
    pub fn moved(mut self, card: Card, to: Cell) -> Layout {
        self.cells[card.index()] = to;
        self
    }

    /// The rows and columns in use: the first and the last of each.
    pub fn bounds(&self) -> (Cell, Cell) {
        let rows = self.cells.iter().map(|c| c.row);
        let cols = self.cells.iter().map(|c| c.col);
        let low = Cell::new(rows.clone().min().expect("cards"), cols.clone().min().expect("cards"));
        (low, Cell::new(rows.max().expect("cards"), cols.max().expect("cards")))
    }

    /// The layout with its neighbourhoods worked out.
    pub fn shape(&self) -> Shape {
        Shape::of(&self.cells)
    }
}

/// The most empty cells that can touch sixteen connected cards.
const FRONTIER: usize = 2 * CARDS + 2;

/// A layout with its neighbourhoods: which cards touch, and which cards each empty cell beside them touches.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The cards beside each card, as bits.
    beside: [u16; CARDS],
    /// The empty cells beside a card, each with the cards it touches.
    frontier: [(Cell, u16); FRONTIER],
    len: usize,
}

const EMPTY: u8 = 0xff;

impl Shape {
    fn of(cells: &[Cell; CARDS]) -> Shape {
        let mut grid = [EMPTY; 1024];
        for (i, cell) in cells.iter().enumerate() {
            grid[cell.spot()] = i as u8;
        }
        let mut shape = Shape { beside: [0; CARDS], frontier: [(cells[0], 0); FRONTIER], len: 0 };
        for (i, cell) in cells.iter().enumerate() {
            for next in cell.beside() {
                let found = grid[next.spot()] as usize;
                if found == EMPTY as usize {
                    grid[next.spot()] = (CARDS + shape.len) as u8;
                    shape.frontier[shape.len] = (next, 1 << i);
                    shape.len += 1;
                } else if found < CARDS {
                    shape.beside[i] |= 1 << found;
                } else {
                    shape.frontier[found - CARDS].1 |= 1 << i;
                }
            }
        }
        shape
    }

    /// The cards beside a card.
    pub fn beside(&self, card: Card) -> CardSet {
        CardSet(self.beside[card.index()].into())
    }

    /// The cards beside each card, as bits.
    pub fn neighbours(&self) -> &[u16; CARDS] {
        &self.beside
    }

    /// The empty cells beside a card, each with the cards it touches as bits.
    pub fn frontier(&self) -> &[(Cell, u16)] {
        &self.frontier[..self.len]
    }

    /// Whether these cards, as bits, are connected with each other; no card at all is.
    pub fn connected(&self, cards: u16) -> bool {
        connected(&self.beside, cards)
    }

    /// Whether every colour is connected: the match is won if it ends so.
    pub fn grouped(&self, colouring: &Colouring) -> bool {
        super::colour::Colour::ALL.into_iter().all(|c| self.connected(colouring.cards(c).0 as u16))
    }

    /// The articulation points: the cards whose removal leaves more than one part.
    pub fn articulations(&self) -> CardSet {
        let mut walk = Walk { beside: &self.beside, order: [0; CARDS], clock: 0, found: 0 };
        walk.enter(0, CARDS);
        CardSet(walk.found.into())
    }

    /// The parts into which the other cards fall when `card` is taken away.
    pub fn parts(&self, card: Card) -> Parts {
        let mut parts = Parts { sets: [0; 4], len: 0 };
        let mut rest = !(1u16 << card.0);
        while rest != 0 {
            let part = reach(&self.beside, rest & rest.wrapping_neg(), rest);
            parts.sets[parts.len] = part;
            parts.len += 1;
            rest &= !part;
        }
        parts
    }

    /// Where a card may go: the empty cells that touch every part of the others. `articulations` are this shape's.
    pub fn destinations(&self, card: Card, articulations: CardSet) -> impl Iterator<Item = Cell> {
        let parts =
            if articulations.has(card) { self.parts(card) } else { Parts { sets: [!(1 << card.0), 0, 0, 0], len: 1 } };
        let touches = move |cards: u16| parts.sets[..parts.len].iter().all(|&part| cards & part != 0);
        self.frontier().iter().filter(move |&&(_, cards)| touches(cards)).map(|&(cell, _)| cell)
    }

    /// Every legal move of a card that is not `marked`, card by card.
    pub fn moves(&self, marked: CardSet) -> impl Iterator<Item = (Card, Cell)> {
        let articulations = self.articulations();
        let free = CardSet::first(CARDS).minus(marked);
        free.iter().flat_map(move |card| self.destinations(card, articulations).map(move |to| (card, to)))
    }
}

/// What is left when a card is taken away: at most four parts, since a card has four sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    sets: [u16; 4],
    len: usize,
}

impl Parts {
    /// The parts.
    pub fn iter(&self) -> impl Iterator<Item = CardSet> {
        self.sets[..self.len].iter().map(|&part| CardSet(part.into()))
    }
}

/// The cards among `within` that are connected with `from`.
fn reach(beside: &[u16; CARDS], from: u16, within: u16) -> u16 {
    let (mut reached, mut edge) = (from, from);
    while edge != 0 {
        let next = beside[edge.trailing_zeros() as usize] & within & !reached;
        edge = edge & (edge - 1) | next;
        reached |= next;
    }
    reached
}

/// Whether the cards, as bits, are connected with each other.
pub(super) fn connected(beside: &[u16; CARDS], cards: u16) -> bool {
    cards == 0 || reach(beside, cards & cards.wrapping_neg(), cards) == cards
}

/// A depth-first walk that finds articulation points (Hopcroft and Tarjan): a card other than the root is one iff some
/// card entered from it cannot reach anything entered before it without it; the root, iff two were entered from it.
struct Walk<'a> {
    beside: &'a [u16; CARDS],
    /// When each card was entered, from 1 on; 0 before.
    order: [u8; CARDS],
    clock: u8,
    found: u16,
}

impl Walk<'_> {
    /// Enters a card and gives the earliest that is reached from there without going back over `from`.
    fn enter(&mut self, card: usize, from: usize) -> u8 {
        self.clock += 1;
        self.order[card] = self.clock;
        let (mut earliest, mut entered) = (self.clock, 0);
        let mut rest = self.beside[card];
        while rest != 0 {
            let next = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if next == from {
                continue;
            }
            if self.order[next] != 0 {
                earliest = earliest.min(self.order[next]);
                continue;
            }
            entered += 1;
            let below = self.enter(next, card);
            earliest = earliest.min(below);
            if from != CARDS && below >= self.order[card] {
                self.found |= 1 << card;
            }
        }
        if from == CARDS && entered > 1 {
            self.found |= 1 << card;
        }
        earliest
    }
}
