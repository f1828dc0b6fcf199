//! The page of a seat: its note sheet, its log, and what is to be done now.
//!
//! The sheet holds *direct* marks only: the seat's own cards, who passed, which cards it was shown, what it saw in the
//! envelope, and that a card that is here is not there. What follows from hand sizes and from "one of these" is
//! knowledge, and asked elsewhere.

use super::position::{Constraints, Position};
use super::rules::{Cluedo, Phase, Sight, Stage};
use crate::cards::{Card, CardSet};
use crate::game::{Game, Notation, Seat, View};

/// A cell of the note sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The card is there.
    Has,
    /// The card is not there.
    HasNot,
    /// Nothing direct is known.
    Open,
}

impl Mark {
    /// The mark as a character: `✓`, `✗` or `·`.
    pub fn sign(self) -> char {
        match self {
            Mark::Has => '✓',
            Mark::HasNot => '✗',
            Mark::Open => '·',
        }
    }
}

/// What the page of a seat shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Whose page.
    pub seat: Seat,
    /// Its hand in the order of dealing.
    pub hand: Vec<Card>,
    /// How many cards each seat holds.
    pub sizes: Vec<u8>,
    /// For each card a mark for each seat and, last, for the envelope.
    pub marks: Vec<Vec<Mark>>,
    /// Which cards a seat showed one of, where the sheet does not show which: the cards it can still be.
    pub one_of: Vec<(Seat, CardSet)>,
    /// What the envelope is not, as accusations have shown.
    pub not_envelope: Vec<CardSet>,
    /// What was seen, a line each.
    pub log: Vec<String>,
    /// What is to be done next.
    pub phase: Phase,
    /// Who has accused wrongly.
    pub out: Vec<Seat>,
    /// What may be asked for now, if the seat is to suggest.
    pub askable: CardSet,
}

impl Page {
    /// The mark of a card at a seat.
    pub fn mark(&self, card: Card, seat: Seat) -> Mark {
        self.marks[card.index()][seat.index()]
    }

    /// The mark of a card in the envelope.
    pub fn in_envelope(&self, card: Card) -> Mark {
        self.marks[card.index()][self.sizes.len()]
    }
}

impl View for Cluedo {
    type View = Page;

    /// # Panics
    /// If the memory is not one of a match: it begins with the deal.
    fn view(&self, memory: &[Sight]) -> Page {
        let Some(Sight::Dealt { seat, hand, sizes }) = memory.first() else { panic!("a memory begins with the deal") };
        let mut stage = Stage::START;
        memory.iter().for_each(|sight| self.follow(&mut stage, sight));
        let says = Constraints::of(&Position::of_memory(self.deck(), self.endmove(), memory));
        let mark = |card: Card, place: usize| match says.may[card.index()] {
            may if may == 1 << place => Mark::Has,
            may if may >> place & 1 == 0 => Mark::HasNot,
            _ => Mark::Open,
        };
        let still = |&(by, cards): &(Seat, CardSet)| {
            let has = cards.iter().any(|c| mark(c, by.index()) == Mark::Has);
            let may: CardSet = cards.iter().filter(|&c| mark(c, by.index()) == Mark::Open).collect();
            (!has).then_some((by, may))
        };
        let mut one_of: Vec<(Seat, CardSet)> = says.some.iter().filter_map(still).collect();
        one_of.sort_unstable();
        one_of.dedup();
        Page {
            seat: *seat,
            hand: hand.clone(),
            sizes: sizes.clone(),
            marks: self.deck().cards().iter().map(|c| (0..=sizes.len()).map(|p| mark(c, p)).collect()).collect(),
            one_of,
            not_envelope: says.never.clone(),
            log: memory.iter().map(|sight| self.tell_sight(sight)).collect(),
            phase: stage.phase(),
            out: Seat::all(self.seats()).filter(|&s| stage.is_out(s)).collect(),
            askable: match stage.phase() {
                Phase::Suggest(asker) if asker == *seat => self.askable(&stage),
                Phase::Suggest(_) | Phase::Show { .. } | Phase::Decide(_) | Phase::Over(_) => CardSet::EMPTY,
            },
        }
    }
}
