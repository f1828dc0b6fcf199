//! Where the cards lie, which of them hold the layout together, and where each may go.
//!
//! Cells are whole numbers without bound. Sixteen connected cards span at most sixteen rows and columns: neighbours are
//! found on a grid of 32 × 32 that is laid around them.
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
        // The grid of a shape presupposes that the cards are connected: here cells are compared one by one.
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

    /// The parts into which the other cards fall when `card` is taken away: of one card, without all of the shape.
    pub fn parts(&self, card: Card) -> Parts {
        Parts::without(card, &Grid::of(&self.cells).beside(&self.cells))
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
    /// The empty cells beside a card, row by row, each with the cards it touches.
    frontier: [(Cell, u16); FRONTIER],
    len: usize,
    /// For each card the cells of the frontier that touch it, as bits.
    near: [u64; CARDS],
    /// The cells of the frontier that touch one card only.
    once: u64,
}

/// The side of the grid on which neighbours are found.
const SIDE: usize = 32;

/// The cards laid on a grid. One row and one column are left free before the first card, for the cells beside it.
struct Grid {
    top: i32,
    left: i32,
    /// The card on each spot, as a bit.
    spots: [u16; SIDE * SIDE],
}

impl Grid {
    #[inline]
    fn of(cells: &[Cell; CARDS]) -> Grid {
        let top = cells.iter().map(|c| c.row).min().expect("cards").wrapping_sub(1);
        let left = cells.iter().map(|c| c.col).min().expect("cards").wrapping_sub(1);
        let mut grid = Grid { top, left, spots: [0; SIDE * SIDE] };
        for (i, cell) in cells.iter().enumerate() {
            grid.spots[grid.spot(cell)] = 1 << i;
        }
        grid
    }

    fn spot(&self, cell: &Cell) -> usize {
        let (row, col) = (cell.row.wrapping_sub(self.top) as usize, cell.col.wrapping_sub(self.left) as usize);
        row % SIDE * SIDE + col % SIDE
    }

    /// The cards beside a spot.
    fn around(&self, spot: usize) -> u16 {
        let at = |step: usize| self.spots[(spot + step) % (SIDE * SIDE)];
        at(SIDE) | at(SIDE * SIDE - SIDE) | at(1) | at(SIDE * SIDE - 1)
    }

    /// The cards beside each card.
    fn beside(&self, cells: &[Cell; CARDS]) -> [u16; CARDS] {
        cells.map(|cell| self.around(self.spot(&cell)))
    }
}

impl Shape {
    fn of(cells: &[Cell; CARDS]) -> Shape {
        let grid = Grid::of(cells);
        let mut rows = [0u32; SIDE];
        for spot in cells.iter().map(|cell| grid.spot(cell)) {
            rows[spot / SIDE] |= 1 << (spot % SIDE);
        }
        let mut shape = Shape {
            beside: grid.beside(cells),
            frontier: [(cells[0], 0); FRONTIER],
            len: 0,
            near: [0; CARDS],
            once: 0,
        };
        for (row, &taken) in rows.iter().enumerate() {
            let (above, below) = (rows[(row + SIDE - 1) % SIDE], rows[(row + 1) % SIDE]);
            let mut free = (above | below | taken << 1 | taken >> 1) & !taken;
            while free != 0 && shape.len < FRONTIER {
                let col = free.trailing_zeros() as usize;
                free &= free - 1;
                let cell = Cell::new(grid.top.wrapping_add(row as i32), grid.left.wrapping_add(col as i32));
                shape.border(cell, grid.around(row * SIDE + col));
            }
        }
        shape
    }

    /// Adds an empty cell that touches these cards.
    fn border(&mut self, cell: Cell, cards: u16) {
        let bit = 1 << self.len;
        self.frontier[self.len] = (cell, cards);
        self.len += 1;
        if cards.is_power_of_two() {
            self.once |= bit;
        }
        let mut rest = cards;
        while rest != 0 {
            self.near[rest.trailing_zeros() as usize] |= bit;
            rest &= rest - 1;
        }
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
        let parts = self.all_parts();
        CardSet::first(CARDS).iter().filter(|c| parts[c.index()].len > 1).collect()
    }

    /// The parts into which the other cards fall when `card` is taken away.
    pub fn parts(&self, card: Card) -> Parts {
        Parts::without(card, &self.beside)
    }

    /// The same for every card, by one walk.
    fn all_parts(&self) -> [Parts; CARDS] {
        let mut walk = Walk { beside: &self.beside, order: [0; CARDS], clock: 0, parts: [Parts::default(); CARDS] };
        walk.enter(0, CARDS);
        walk.parts
    }

    /// Where a card may go: the empty cells that touch every part of the others.
    pub fn destinations(&self, card: Card) -> impl Iterator<Item = Cell> {
        self.cells(self.touching(card, &self.parts(card)))
    }

    /// Every legal move of a card that is not `marked`, card by card.
    pub fn moves(&self, marked: CardSet) -> impl Iterator<Item = (Card, Cell)> {
        let parts = self.all_parts();
        let free = CardSet::first(CARDS).minus(marked);
        free.iter()
            .flat_map(move |card| self.cells(self.touching(card, &parts[card.index()])).map(move |to| (card, to)))
    }

    /// The cells of the frontier, as bits, that touch every part of the cards without `card`.
    fn touching(&self, card: Card, parts: &Parts) -> u64 {
        let all = (1 << self.len) - 1;
        match parts.sets() {
            [_] => all & !(self.once & self.near[card.index()]),
            sets => sets.iter().fold(all, |cells, &part| {
                let (mut touched, mut rest) = (0, part);
                while rest != 0 {
                    touched |= self.near[rest.trailing_zeros() as usize];
                    rest &= rest - 1;
                }
                cells & touched
            }),
        }
    }

    /// These cells of the frontier.
    fn cells(&self, mut cells: u64) -> impl Iterator<Item = Cell> {
        std::iter::from_fn(move || {
            let next = (cells != 0).then(|| self.frontier[cells.trailing_zeros() as usize].0);
            cells &= cells.wrapping_sub(1);
            next
        })
    }
}

/// What is left when a card is taken away: at most four parts, since a card has four sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    sets: [u16; 4],
    len: u8,
}

impl Parts {
    fn without(card: Card, beside: &[u16; CARDS]) -> Parts {
        let mut parts = Parts::default();
        let mut rest = !(1u16 << card.0);
        while rest != 0 {
            let part = reach(beside, rest & rest.wrapping_neg(), rest);
            parts.push(part);
            rest &= !part;
        }
        parts
    }

    fn push(&mut self, part: u16) {
        self.sets[usize::from(self.len)] = part;
        self.len += 1;
    }

    fn sets(&self) -> &[u16] {
        &self.sets[..usize::from(self.len)]
    }

    /// The parts.
    pub fn iter(&self) -> impl Iterator<Item = CardSet> {
        self.sets().iter().map(|&part| CardSet(part.into()))
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

/// A depth-first walk that finds the parts that each card separates (after Hopcroft and Tarjan's articulation points):
/// what was entered from it and cannot reach anything entered before it without it is a part, and so is all the rest.
struct Walk<'a> {
    beside: &'a [u16; CARDS],
    /// When each card was entered, from 1 on; 0 before.
    order: [u8; CARDS],
    clock: u8,
    parts: [Parts; CARDS],
}

impl Walk<'_> {
    /// Enters a card; gives the earliest that is reached from there without going back over `from`, and what was entered.
    fn enter(&mut self, card: usize, from: usize) -> (u8, u16) {
        self.clock += 1;
        self.order[card] = self.clock;
        let (mut earliest, mut entered) = (self.clock, 1 << card);
        let mut separated = 1 << card;
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
            let (reached, below) = self.enter(next, card);
            earliest = earliest.min(reached);
            entered |= below;
            if reached >= self.order[card] {
                self.parts[card].push(below);
                separated |= below;
            }
        }
        if separated != !0 {
            self.parts[card].push(!separated);
        }
        (earliest, entered)
    }
}
