//! What one seat has before it in the middle of a match: the table, what it saw itself, what its partner looked at.
//!
//! A position is the fold of a seat's sights without their order, and what `ken yokai` reads from a file.

use super::colour::{CARDS, Colour, Colouring};
use super::layout::Layout;
use super::rules::{SeenAct, Sight, Stage, Yokai};
use super::view::Page;
use crate::cards::CardSet;
use crate::game::{Seat, View};

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
    /// What else tells about the colours.
    pub past: Past,
}

/// What the table does not show: by which rules it is played, which layouts did not end it, how it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// The rules, if they are known.
    pub rules: Option<Yokai>,
    /// The layouts with which the match went on although it would have ended had every colour been connected (`oracle`).
    pub went_on: Vec<Layout>,
    /// The colours of all cards, which the end turned up.
    pub end: Option<Colouring>,
}

impl Position {
    /// The start of a match.
    pub fn start(me: Seat) -> Position {
        let (seen, partner_seen) = ([None; CARDS], CardSet::EMPTY);
        Position { me, stage: Stage::start(), seen, partner_seen, past: Past::default() }
    }

    /// The position of the seat whose page this is.
    pub fn of_page(page: &Page) -> Position {
        Position {
            me: page.seat,
            stage: page.stage.clone(),
            seen: page.seen(),
            partner_seen: page.looked(page.seat.next(2)),
            past: Past { end: page.end, ..Past::default() },
        }
    }

    /// The position of the seat whose memory this is, with all that its [notes](super::knowledge::Memory) go by.
    ///
    /// # Panics
    /// If the memory is not one of a match: it begins with the deal.
    pub fn of_memory(game: &Yokai, memory: &[Sight]) -> Position {
        let mut position = Position::of_page(&game.view(memory));
        let mut stage = Stage::start();
        for sight in memory {
            stage.follow(sight);
            if let (true, Sight::Done { act: SeenAct::Moved { .. }, end: None, .. }) = (game.oracle, sight) {
                position.past.went_on.push(*stage.layout());
            }
        }
        position.past.rules = Some(*game);
        position
    }

    /// The cards whose colour the seat saw and remembers.
    pub fn known(&self) -> CardSet {
        CardSet::first(CARDS).iter().filter(|c| self.seen[c.index()].is_some()).collect()
    }
}
