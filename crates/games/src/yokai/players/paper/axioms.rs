//! The vocabulary and the axioms of section 5.1.
//!
//! **Time.** The base is about the present, so times are counted from it: 0 is now, 1 is after the next action. The
//! paper's update, which moves all times of the mutable base by one, is then a renaming that needs no work, and the
//! axioms are needed for these two times only. (Earlier and later ones add nothing: whatever lies on the table now, some
//! action can have led there, and some action can follow.)
//!
//! **Grid.** Only cells that matter have atoms: those that are occupied and those beside them. The next action can put a
//! card on no other, so on every other cell of the grid `pos` is false at both times. After a move
//! the axioms are written anew for the cells that matter then.
//!
//! **Size.** "At most one of n" and "exactly four of sixteen" are written step by step, not by listing pairs or the 1,820
//! sets of four cards: the same up to equivalence, and a fraction of the size.

use crate::cards::Card;
use crate::yokai::colour::{CARDS, Colour, Colours, Hint};
use crate::yokai::layout::{Cell, Layout};
use crate::yokai::position::Position;
use ken_logic::belief::{Alpha, Prop, Store};
use std::collections::HashMap;

/// The present.
pub(super) const NOW: u32 = 0;
/// After the next action.
pub(super) const NEXT: u32 = 1;

/// The vocabulary over the cells that matter, and the formulas made of it.
pub(super) struct Words {
    pub(super) store: Store,
    /// The cells that matter: first the occupied ones, in the order of the cards.
    cells: Vec<Cell>,
    /// For each cell the cells beside it that matter.
    beside: Vec<Vec<usize>>,
    pos: Vec<[Prop; CARDS]>,
    col: [[Prop; 4]; CARDS],
    active: [Prop; 14],
    mark: [[Prop; 14]; CARDS],
    present: Vec<Alpha>,
    future: Vec<Alpha>,
    /// Formulas about positions that are asked for again and again, as long as the cells are the same.
    pub(super) known: HashMap<super::formulas::Shape, Alpha>,
}

pub(super) fn cards() -> impl DoubleEndedIterator<Item = Card> + Clone {
    (0..CARDS as u8).map(Card)
}

fn place(hint: Hint) -> usize {
    Colours::HINTS.iter().position(|&h| h == hint).expect("a hint has one to three colours")
}

impl Words {
    pub(super) fn new(layout: &Layout) -> Words {
        let mut store = Store::new();
        let col = std::array::from_fn(|x| Colour::ALL.map(|c| store.prop(&format!("col({},{c})", x + 1))));
        let active = Colours::HINTS.map(|h| store.prop(&format!("active({h})")));
        let mark = std::array::from_fn(|x| Colours::HINTS.map(|h| store.prop(&format!("mark({},{h})", x + 1))));
        let (cells, beside, pos, present, future, known) = Default::default();
        let mut words = Words { store, cells, beside, pos, col, active, mark, present, future, known };
        words.lay(layout);
        words
    }

    /// Takes the cells that matter for this layout.
    pub(super) fn lay(&mut self, layout: &Layout) {
        let shape = layout.shape();
        self.cells = layout.cells().iter().copied().chain(shape.frontier().iter().map(|&(cell, _)| cell)).collect();
        let place = |cell: &Cell| self.cells.iter().position(|c| c == cell);
        self.beside = self.cells.iter().map(|cell| cell.beside().iter().filter_map(place).collect()).collect();
        let name = |cell: &Cell, x: usize| format!("pos({},{},{})", x + 1, cell.row, cell.col);
        self.pos = self.cells.iter().map(|cell| std::array::from_fn(|x| self.store.prop(&name(cell, x)))).collect();
        self.known.clear();
        self.present = self.integrity(NOW);
        self.future.clear();
    }

    /// The core for questions about the present.
    pub(super) fn present(&self) -> &[Alpha] {
        &self.present
    }

    /// What the core adds for questions about the next time. Written when it is asked for: not every move is followed by
    /// an action of one's own.
    pub(super) fn future(&mut self) -> &[Alpha] {
        if self.future.is_empty() {
            self.future = self.integrity(NEXT);
            let succession = self.succession();
            self.future.extend(succession);
        }
        &self.future
    }

    /// The places of the cells that matter; those below [`CARDS`] are occupied, by the card of that number.
    pub(super) fn places(&self) -> std::ops::Range<usize> {
        0..self.cells.len()
    }

    pub(super) fn place(&self, cell: Cell) -> usize {
        self.cells.iter().position(|&c| c == cell).expect("a card goes to a cell beside another")
    }

    /// NEIG, as far as it matters.
    pub(super) fn beside(&self, place: usize) -> &[usize] {
        &self.beside[place]
    }

    /// `pos(x,p)`
    pub(super) fn pos(&mut self, card: Card, place: usize, time: u32) -> Alpha {
        self.store.atom(self.pos[place][card.index()], time)
    }

    /// `col(x,c)`
    pub(super) fn col(&mut self, card: Card, colour: Colour, time: u32) -> Alpha {
        self.store.atom(self.col[card.index()][colour.index()], time)
    }

    /// △ₘ`col(x,c)`: it saw the colour.
    pub(super) fn saw(&mut self, card: Card, colour: Colour, time: u32) -> Alpha {
        let col = self.col(card, colour, time);
        self.store.machine(col)
    }

    /// `active(h)`
    pub(super) fn active(&mut self, hint: Hint, time: u32) -> Alpha {
        self.store.atom(self.active[place(hint)], time)
    }

    /// `mark(x,h)`
    pub(super) fn mark(&mut self, card: Card, hint: Hint, time: u32) -> Alpha {
        self.store.atom(self.mark[card.index()][place(hint)], time)
    }

    fn not_both(&mut self, a: Alpha, b: Alpha) -> Alpha {
        let both = self.store.and(a, b);
        self.store.not(both)
    }

    /// None of these is true together with one before it: as many formulas as there are, not one for each pair.
    fn at_most_one(&mut self, all: &[Alpha], into: &mut Vec<Alpha>) {
        let mut before = all[0];
        for &alpha in &all[1..] {
            into.push(self.not_both(alpha, before));
            before = self.store.or(before, alpha);
        }
    }

    fn exactly_one(&mut self, all: &[Alpha], into: &mut Vec<Alpha>) {
        into.push(self.store.or_all(all.iter().copied()));
        self.at_most_one(all, into);
    }

    /// The integrity constraints: ICP1 to ICP3, ICC4 to ICC6, ICH7 and ICH8.
    fn integrity(&mut self, time: u32) -> Vec<Alpha> {
        let mut all = Vec::new();
        for x in cards() {
            let places: Vec<Alpha> = self.places().map(|p| self.pos(x, p, time)).collect();
            self.exactly_one(&places, &mut all);
            let colours = Colour::ALL.map(|c| self.col(x, c, time));
            self.exactly_one(&colours, &mut all);
        }
        for p in self.places() {
            let here: Vec<Alpha> = cards().map(|x| self.pos(x, p, time)).collect();
            self.at_most_one(&here, &mut all);
        }
        for c in Colour::ALL {
            let of: Vec<Alpha> = cards().map(|x| self.col(x, c, time)).collect();
            all.push(self.store.exactly(4, &of));
        }
        for h in Colours::HINTS {
            let marked: Vec<Alpha> = cards().map(|x| self.mark(x, h, time)).collect();
            self.at_most_one(&marked, &mut all);
            let active = self.active(h, time);
            for mark in marked {
                all.push(self.not_both(active, mark));
            }
        }
        all
    }

    /// `a@1 <-> a@0`, each pair.
    fn same(&mut self, pairs: Vec<(Alpha, Alpha)>) -> Alpha {
        let same: Vec<Alpha> = pairs.into_iter().map(|(after, before)| self.store.iff(after, before)).collect();
        self.store.and_all(same)
    }

    /// `a@1 & !a@0` of one of the pairs.
    fn begun(&mut self, pairs: &[(Alpha, Alpha)]) -> Alpha {
        let begun: Vec<Alpha> = pairs
            .iter()
            .map(|&(after, before)| {
                let not = self.store.not(before);
                self.store.and(after, not)
            })
            .collect();
        self.store.or_all(begun)
    }

    /// The frame and successor state axioms SSA9 to SSA12 from now to the next time, and that some action is done.
    ///
    /// SSA10 as printed, `col@t & !B[m] col@(t-1)`, is true of every card that was not seen, so that nothing could ever
    /// move: a look is `B[m] col@t & !B[m] col@(t-1)`.
    fn succession(&mut self) -> Vec<Alpha> {
        // What may change together: a card's position, a card's colour, a hint; each with its frame axiom, and the
        // action that changes it.
        let mut frames = Vec::new();
        let mut actions: Vec<(usize, Alpha)> = Vec::new();
        for x in cards() {
            let pos: Vec<_> = self.places().map(|p| (self.pos(x, p, NEXT), self.pos(x, p, NOW))).collect();
            actions.push((frames.len(), self.begun(&pos)));
            frames.push(self.same(pos));
        }
        for x in cards() {
            let saw = Colour::ALL.map(|c| (self.saw(x, c, NEXT), self.saw(x, c, NOW)));
            actions.push((frames.len(), self.begun(&saw)));
            let col = Colour::ALL.map(|c| (self.col(x, c, NEXT), self.col(x, c, NOW)));
            frames.push(self.same([col, saw].concat()));
        }
        for h in Colours::HINTS {
            let active = (self.active(h, NEXT), self.active(h, NOW));
            let mark: Vec<_> = cards().map(|x| (self.mark(x, h, NEXT), self.mark(x, h, NOW))).collect();
            actions.push((frames.len(), self.begun(&[active])));
            actions.push((frames.len(), self.begun(&mark)));
            frames.push(self.same([vec![active], mark].concat()));
        }
        let mut all = Vec::new();
        for &(changed, action) in &actions {
            for (i, &frame) in frames.iter().enumerate() {
                if i != changed {
                    all.push(self.store.implies(action, frame));
                }
            }
        }
        all.push(self.store.or_all(actions.into_iter().map(|(_, action)| action)));
        all
    }

    /// The facts Σf of a position, for the cells of its layout: where the cards lie, what was seen and what was not, which
    /// hints are active and which mark a card; that the partner believes what everybody sees; and whether it knows the
    /// colour of a card. At the start this is the paper's initial base.
    pub(super) fn facts(&mut self, position: &Position) -> Vec<Alpha> {
        let stage = &position.stage;
        let mut public = vec![self.store.now(NOW)];
        let mut private = Vec::new();
        for x in cards() {
            public.push(self.pos(x, x.index(), NOW));
            match position.seen[x.index()] {
                None => public.extend(Colour::ALL.map(|c| self.whether(false, Words::saw, x, c))),
                Some(seen) => {
                    private.push(self.col(x, seen, NOW));
                    private.extend(Colour::ALL.map(|c| self.whether(c == seen, Words::saw, x, c)));
                    public.push(self.looked(x, NOW));
                }
            }
            let mark = stage.marks()[x.index()];
            if mark == Some(Colours::ALL) {
                // It is marked, but with which hint is not known.
                let marks = Colours::HINTS.map(|h| self.mark(x, h, NOW));
                public.push(self.store.or_all(marks));
            } else {
                public.extend(Colours::HINTS.map(|h| self.whether(mark == Some(h), Words::mark, x, h)));
            }
            match position.partner_seen.has(x) {
                true => private.push(self.partner_looked(x)),
                false => private.extend(Colour::ALL.map(|c| {
                    let knows = self.partner_knows(x, c);
                    self.store.not(knows)
                })),
            }
        }
        for h in Colours::HINTS {
            let active = self.active(h, NOW);
            public.push(if stage.active().contains(&h) { active } else { self.store.not(active) });
        }
        let believed: Vec<Alpha> = public.iter().map(|&fact| self.store.human(NOW, fact)).collect();
        [public, private, believed].concat()
    }

    /// The fact about a card if it holds, else its negation.
    fn whether<T>(&mut self, holds: bool, fact: fn(&mut Words, Card, T, u32) -> Alpha, x: Card, of: T) -> Alpha {
        let fact = fact(self, x, of, NOW);
        if holds { fact } else { self.store.not(fact) }
    }

    /// The partner looked at the card, so it knows its colour: ⋁c △ₕ`col(x,c)`.
    pub(super) fn partner_looked(&mut self, card: Card) -> Alpha {
        let knows = Colour::ALL.map(|c| self.partner_knows(card, c));
        self.store.or_all(knows)
    }

    /// △ₕ`col(x,c)`
    pub(super) fn partner_knows(&mut self, card: Card, colour: Colour) -> Alpha {
        let col = self.col(card, colour, NOW);
        self.store.human(NOW, col)
    }

    /// The hypotheses at the start, Σh: a hint excludes the colours that are not on it; so the partner thinks, too.
    pub(super) fn hypotheses(&mut self) -> Vec<Alpha> {
        let mut all = Vec::new();
        for x in cards() {
            for h in Colours::HINTS {
                let mark = self.mark(x, h, NOW);
                let seen = self.store.human(NOW, mark);
                for c in Colours::ALL.minus(h).iter() {
                    let col = self.col(x, c, NOW);
                    let not = self.store.not(col);
                    all.push(self.store.implies(mark, not));
                    let thinks = self.store.human(NOW, not);
                    all.push(self.store.implies(seen, thinks));
                }
            }
        }
        all
    }
}
