//! What one seat has before it in the middle of a match: the table, what it saw itself, what its partner looked at.
//!
//! A position is the fold of a seat's sights without their order, and what `ken yokai` reads from a file.

use super::colour::{CARDS, Colour};
use super::rules::Stage;
use super::view::Page;
use crate::cards::CardSet;
use crate::game::Seat;

/// What one seat has before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Whose eyes these are.
    pub me: Seat,
    /// What everybody sees. A mark of all four colours is one of which the hint is not known.
    pub stage: Stage,
    /// The colours that the seat saw and remembers: at most four cards of a colour.
    pub seen: [Option<Colour>; CARDS],
    /// The cards that the partner looked at.
    pub partner_seen: CardSet,
}

impl Position {
    /// The start of a match.
    pub fn start(me: Seat) -> Position {
        Position { me, stage: Stage::start(), seen: [None; CARDS], partner_seen: CardSet::EMPTY }
    }

    /// The position of the seat whose page this is.
    pub fn of_page(page: &Page) -> Position {
        Position {
            me: page.seat,
            stage: page.stage.clone(),
            seen: page.seen(),
            partner_seen: page.looked(page.seat.next(2)),
        }
    }

    /// The cards whose colour the seat saw and remembers.
    pub fn known(&self) -> CardSet {
        CardSet::first(CARDS).iter().filter(|c| self.seen[c.index()].is_some()).collect()
    }
}
