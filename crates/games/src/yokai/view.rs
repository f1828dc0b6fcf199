//! The page of a seat: the table, who looked at what and when, and what the seat itself saw there.

use super::colour::{CARDS, Colour, Colouring};
use super::rules::{SeenAct, Sight, Stage, Yokai};
use crate::cards::{Card, CardSet};
use crate::game::{Notation, Seat, View};

/// A look, as a seat saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Look {
    /// In which turn, counted from 0.
    pub turn: u8,
    /// Who looked.
    pub seat: Seat,
    /// At which card.
    pub card: Card,
    /// Its colour, for the one who looked; for that one `None` means that it is forgotten.
    pub colour: Option<Colour>,
}

/// What the page of a seat shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Whose page.
    pub seat: Seat,
    /// What everybody sees: layout, marks, hints, whose turn it is and what is done of it.
    pub stage: Stage,
    /// The looks, in order.
    pub looks: Vec<Look>,
    /// The colours of the cards, turned up when the match is over.
    pub end: Option<Colouring>,
    /// What was seen, a line each.
    pub log: Vec<String>,
}

impl Page {
    /// The page before anything is seen but the deal.
    fn new(seat: Seat) -> Page {
        Page { seat, stage: Stage::start(), looks: Vec::new(), end: None, log: Vec::new() }
    }

    /// The colours that the seat saw itself.
    pub fn seen(&self) -> [Option<Colour>; CARDS] {
        let mut seen = [None; CARDS];
        for look in self.looks.iter().filter(|l| l.seat == self.seat) {
            seen[look.card.index()] = look.colour.or(seen[look.card.index()]);
        }
        seen
    }

    /// The cards that a seat looked at.
    pub fn looked(&self, seat: Seat) -> CardSet {
        self.looks.iter().filter(|l| l.seat == seat).map(|l| l.card).collect()
    }

    /// The cards that the seat to move looked at in this turn.
    pub fn looked_now(&self) -> CardSet {
        let now = |l: &&Look| (l.turn, l.seat) == (self.stage.turns(), self.stage.seat());
        self.looks.iter().filter(now).map(|l| l.card).collect()
    }
}

/// The helper level from which a player is reminded of earlier looks, its own and its partner's.
pub const REMINDS: u8 = 1;

impl Yokai {
    /// What a player with this help has of its memory: below [`REMINDS`] the colour of a look is there only in the turn of
    /// the look, as at the table, where a card is turned down again. Everything else of the memory stays.
    pub fn reminded(&self, memory: &[Sight], helper: u8) -> Vec<Sight> {
        if helper >= REMINDS {
            return memory.to_vec();
        }
        let page = self.view(memory);
        let now = (page.stage.turns(), page.stage.seat());
        let mut looks = page.looks.iter();
        let faded = |sight: &Sight| match *sight {
            Sight::Done { seat, act: SeenAct::Looked { card, colour }, end } => {
                let fresh = looks.next().is_some_and(|look| (look.turn, look.seat) == now);
                let colour = colour.filter(|_| fresh || end.is_some());
                Sight::Done { seat, act: SeenAct::Looked { card, colour }, end }
            }
            Sight::Dealt { .. } | Sight::Done { .. } => sight.clone(),
        };
        memory.iter().map(faded).collect()
    }
}

impl View for Yokai {
    type View = Page;

    /// # Panics
    /// If the memory is not one of a match: it begins with the deal.
    fn view(&self, memory: &[Sight]) -> Page {
        let Some(Sight::Dealt { me }) = memory.first() else { panic!("a memory begins with the deal") };
        let mut page = Page::new(*me);
        for sight in memory {
            page.log.push(self.tell_sight(sight));
            if let Sight::Done { seat, act, end } = *sight {
                if let SeenAct::Looked { card, colour } = act {
                    page.looks.push(Look { turn: page.stage.turns(), seat, card, colour });
                }
                page.end = end;
                page.stage.follow(sight);
            }
        }
        page
    }
}
