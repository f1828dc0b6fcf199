//! What one seat has before it in the middle of a match: the table, what it saw itself, what its partner looked at.
//!
//! A position is the fold of a seat's sights without their order, and what `ken yokai` reads from a file.

use super::colour::{CARDS, Colour, Colouring, Colours, Hint};
use super::layout::Layout;
use super::rules::{SeenAct, Sight, Stage, Yokai};
use super::view::Page;
use crate::cards::{Card, CardSet};
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

/// What the table does not show: by which rules it is played, which layouts did not end it, how it ended, how cards were
/// marked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// The rules, if they are known.
    pub rules: Option<Yokai>,
    /// The layouts with which the match went on although it would have ended had every colour been connected (`oracle`).
    pub went_on: Vec<Layout>,
    /// The colours of all cards, which the end turned up.
    pub end: Option<Colouring>,
    /// How the cards came to be marked, in the order of the marks, as far as that is known.
    pub told: Vec<Marking>,
}

/// What could have been done instead when a card was marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marking {
    /// The card.
    pub card: Card,
    /// The other hints that were active.
    pub beside: Vec<Hint>,
    /// Whether whoever marked it was [free](Marking::free) not to.
    pub free: bool,
}

impl Marking {
    /// Whether one who looked at these cards can always do something else than mark this one, something that tells nothing,
    /// so that it need not mark what it is not certain of. It can while there are hints to activate; and then, on a card that
    /// it looked at, as long as there is another to mark that it did not look at. Everybody sees this.
    pub fn free(stage: &Stage, looked: CardSet, card: Card) -> bool {
        let unseen = CardSet::first(CARDS).minus(stage.marked()).minus(looked);
        stage.available() != [0; 3] || looked.has(card) && !unseen.is_empty()
    }

    /// The colours of the hints beside it that are smaller than this one: a card that is marked with it has none of them,
    /// or a smaller hint would have told more.
    pub fn smaller(beside: &[Hint], hint: Hint) -> Colours {
        beside.iter().filter(|h| h.len() < hint.len()).flat_map(|h| h.iter()).collect()
    }
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
        let mut looked = [CardSet::EMPTY; 2];
        for sight in memory {
            match *sight {
                Sight::Done { seat, act: SeenAct::Looked { card, .. }, .. } => {
                    looked[seat.index()] = looked[seat.index()].with(card);
                }
                Sight::Done { seat, act: SeenAct::Marked { card, hint }, .. } => {
                    let beside = stage.active().iter().copied().filter(|&h| h != hint).collect();
                    let free = Marking::free(&stage, looked[seat.index()], card);
                    position.past.told.push(Marking { card, beside, free });
                }
                Sight::Dealt { .. } | Sight::Done { .. } => {}
            }
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
