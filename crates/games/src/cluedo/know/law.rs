//! Deals and shown cards as a Boolean function.
//!
//! There is one variable for each card and place, and one for each card that a show may have been of. Exactly one variable
//! of a card is true, and exactly one of a show.

use super::find::{Literal, Places, Table, bits};
use ken_logic::bdd::{Bdd, Full, OxiddBdd, OxiddFunction};
use ken_logic::model::symbolic::{all, any};
use rustc_hash::FxHashMap;

/// A show and the cards it may have been of.
pub(super) type Shown = (u16, u64);

/// The variables in their order: cards, each with its places; a show after the last of its cards.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub vars: u32,
    pub at: FxHashMap<(u8, u8), u32>,
    pub show: FxHashMap<(u16, u8), u32>,
    /// The variables of cards: card and place.
    pub cards: FxHashMap<u32, (u8, u8)>,
    sequence: Vec<u8>,
}

impl Order {
    /// Variables for the cards in this sequence where they may be, and for these shows.
    pub(super) fn new(table: &Table, may: &Places, sequence: Vec<u8>, shows: &[Shown]) -> Order {
        let (at, show, cards) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        let mut this = Order { vars: 0, at, show, cards, sequence };
        let mut placed = 0u64;
        for i in 0..this.sequence.len() {
            let card = this.sequence[i];
            placed |= 1 << card;
            for place in 0..=table.envelope() as u8 {
                if may[place as usize] >> card & 1 == 1 {
                    this.at.insert((card, place), this.vars);
                    this.cards.insert(this.vars, (card, place));
                    this.vars += 1;
                }
            }
            for &(e, mask) in shows.iter().filter(|s| s.1 >> card & 1 == 1 && s.1 & !placed == 0) {
                for shown in bits(mask).map(|b| b.trailing_zeros() as u8) {
                    this.show.insert((e, shown), this.vars);
                    this.vars += 1;
                }
            }
        }
        this
    }
}

/// Builds functions of the variables.
pub(super) struct Build<'a> {
    pub table: &'a Table,
    pub may: &'a Places,
    pub order: &'a Order,
    pub bdd: &'a OxiddBdd,
}

/// By the number of cards dealt, the room at each place and the categories that the envelope lacks.
type Memo = FxHashMap<(usize, [u32; 7], u8), OxiddFunction>;

impl Build<'_> {
    /// All deals: hands of the right sizes and one card of each category in the envelope.
    pub(super) fn deals(&self) -> Result<OxiddFunction, Full> {
        let lacks = (1u16 << self.table.categories.len()) - 1;
        self.rest(0, self.table.sizes, lacks as u8, &mut Memo::default())
    }

    /// The ways to put the cards from the `i`-th on at places with so much room.
    fn rest(&self, i: usize, room: [u32; 7], lacks: u8, memo: &mut Memo) -> Result<OxiddFunction, Full> {
        let Some(&card) = self.order.sequence.get(i) else { return Ok(self.bdd.constant(lacks == 0)) };
        if let Some(made) = memo.get(&(i, room, lacks)) {
            return Ok(made.clone());
        }
        let left = self.order.sequence[i..].iter().fold(0, |all, c| all | 1u64 << c) & self.may[self.table.envelope()];
        if (0..).zip(&self.table.categories).any(|(k, c)| lacks >> k & 1 == 1 && c & left == 0) {
            return Ok(self.bdd.constant(false));
        }
        let category = self.table.categories.iter().position(|&c| c >> card & 1 == 1).expect("a card of the deck");
        let envelope = self.table.envelope();
        let mut made = self.bdd.constant(false);
        let mut none = self.bdd.constant(true);
        // From the last place up: either this one, or none of this and the ones after it.
        for place in (0..=envelope).rev().filter(|&p| self.may[p] >> card & 1 == 1) {
            let var = self.bdd.var(self.order.at[&(card, place as u8)])?;
            let fits = if place == envelope { lacks >> category & 1 == 1 } else { room[place] > 0 };
            let mut here = self.bdd.constant(false);
            if fits {
                let mut room = room;
                room[place] -= 1;
                let lacks = if place == envelope { lacks & !(1 << category) } else { lacks };
                here = self.bdd.and(&none, &self.rest(i + 1, room, lacks, memo)?)?;
            }
            made = self.bdd.ite(&var, &here, &made)?;
            none = self.bdd.and(&self.bdd.not(&var)?, &none)?;
        }
        memo.insert((i, room, lacks), made.clone());
        Ok(made)
    }

    /// The literal; false of a card at a place where it cannot be.
    pub(super) fn literal(&self, literal: Literal) -> Result<OxiddFunction, Full> {
        let var = |known: Option<&u32>| match known {
            Some(&v) => self.bdd.var(v),
            None => Ok(self.bdd.constant(false)),
        };
        match literal {
            Literal::At(card, place) => var(self.order.at.get(&(card, place))),
            Literal::Not(card, place) => self.bdd.not(&var(self.order.at.get(&(card, place)))?),
            Literal::Show(show, card) => var(self.order.show.get(&(show, card))),
            Literal::NotShow(show, card) => self.bdd.not(&var(self.order.show.get(&(show, card)))?),
        }
    }

    /// All the literals.
    pub(super) fn cube(&self, literals: impl Iterator<Item = Literal>) -> Result<OxiddFunction, Full> {
        all(self.bdd, literals.map(|l| self.literal(l)).collect::<Result<_, _>>()?)
    }

    /// The seat of the show holds one of the cards.
    pub(super) fn held(&self, (e, mask): Shown) -> Result<OxiddFunction, Full> {
        let by = self.table.shows[e as usize].by;
        let cards = bits(mask).map(|b| self.literal(Literal::At(b.trailing_zeros() as u8, by)));
        any(self.bdd, cards.collect::<Result<_, _>>()?)
    }

    /// The show is of exactly one card, which its seat holds.
    pub(super) fn choice(&self, (e, mask): Shown) -> Result<OxiddFunction, Full> {
        let by = self.table.shows[e as usize].by;
        let cards = || bits(mask).map(|b| b.trailing_zeros() as u8);
        let ways = cards().map(|card| {
            let mut parts = vec![self.literal(Literal::At(card, by))?];
            for other in cards() {
                let shown = self.literal(Literal::Show(e, other))?;
                parts.push(if other == card { shown } else { self.bdd.not(&shown)? });
            }
            all(self.bdd, parts)
        });
        any(self.bdd, ways.collect::<Result<_, _>>()?)
    }
}
