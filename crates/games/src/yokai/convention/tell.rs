//! What was told: a fold of what everybody saw.

use super::{Convention, Known, Looks, Marks, Moves, When};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::yokai::colour::{Colour, Colours, Hint};
use crate::yokai::layout::Cell;
use crate::yokai::players::code_read;
use crate::yokai::rules::{SeenAct, Sight, Stage};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// What a move tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// The card has a colour of its hint.
    Proper(Card, Hint),
    /// The card has one of these colours.
    Among(Card, Colours),
    /// By the code: the card has this colour.
    Coded(Card, Colour),
    /// The card has the colour of one of these.
    Joins(Card, CardSet),
}

/// Something that was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// By which event, as a place in the memory of any seat.
    pub event: usize,
    /// By whom.
    pub seat: Seat,
    /// What.
    pub what: What,
}

/// Collects what a convention says that moves tell. It uses what everybody sees, and no colour that anybody saw: so it
/// comes to the same at every seat.
#[derive(Clone, Debug)]
pub struct Reader {
    convention: Convention,
    stage: Stage,
    looked: [CardSet; 2],
    told: Vec<Told>,
    /// The cards looked at in this turn, in order.
    looks: Vec<Card>,
    /// What was done so far, without colours.
    past: Vec<SeenAct>,
    events: usize,
    /// The event by which somebody left the code.
    broken: Option<usize>,
    /// How much was told when the turn began, or when a card was marked in it.
    begun: usize,
}

impl Reader {
    /// A reader who has seen nothing yet.
    pub fn new(convention: Convention) -> Reader {
        Reader {
            convention,
            stage: Stage::start(),
            looked: [CardSet::EMPTY; 2],
            told: Vec::new(),
            looks: Vec::new(),
            past: Vec::new(),
            events: 0,
            broken: None,
            begun: 0,
        }
    }

    /// The reader of a memory.
    pub fn of(convention: Convention, sights: &[Sight]) -> Reader {
        let mut reader = Reader::new(convention);
        sights.iter().for_each(|sight| reader.watch(sight));
        reader
    }

    /// Takes in a sight.
    pub fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { .. } => *self = Reader::new(self.convention),
            Sight::Done { seat, act, .. } => self.act(seat, act),
        }
        self.stage.follow(sight);
        if self.stage.steps().none() {
            self.looks.clear();
        }
        self.events += 1;
    }

    /// What was told, in the order in which it was. If somebody left the code, nothing that it seemed to tell is in it.
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// The event by which somebody left the code: what it seemed to tell before is given up.
    pub fn broken(&self) -> Option<usize> {
        self.broken
    }

    fn tell(&mut self, seat: Seat, what: What) {
        self.told.push(Told { event: self.events, seat, what });
    }

    fn act(&mut self, seat: Seat, act: SeenAct) {
        self.past.push(match act {
            SeenAct::Looked { card, .. } => SeenAct::Looked { card, colour: None },
            SeenAct::Moved { .. }
            | SeenAct::Skipped
            | SeenAct::Activated(_)
            | SeenAct::Marked { .. }
            | SeenAct::Stopped => act,
        });
        match act {
            SeenAct::Looked { card, .. } => {
                match self.looks.len() {
                    0 => self.begun = self.told.len(),
                    1 if self.convention.second_look == Looks::Code => self.decode(seat, act),
                    _ => {}
                }
                self.looks.push(card);
                self.looked[seat.index()] = self.looked[seat.index()].with(card);
            }
            SeenAct::Moved { card, to } => match self.convention.moves {
                Moves::Nothing => {}
                Moves::Code if self.looks.len() == 2 => self.decode(seat, act),
                Moves::Code => {}
                Moves::Joins { known, when } => self.join(seat, (card, to), known, when),
            },
            SeenAct::Marked { card, hint } => {
                self.mark(seat, card, hint);
                self.begun = self.told.len();
            }
            SeenAct::Skipped | SeenAct::Activated(_) | SeenAct::Stopped => {}
        }
    }

    fn mark(&mut self, seat: Seat, card: Card, hint: Hint) {
        if !self.convention.vouches(&self.stage, self.looked[seat.index()], card) {
            return;
        }
        self.tell(seat, What::Proper(card, hint));
        if let Marks::Proper { smaller_excluded: true, .. } = self.convention.marks {
            let smaller = self.stage.active().iter().filter(|other| other.len() < hint.len());
            let smaller: Colours = smaller.flat_map(|other| other.iter()).collect();
            if !smaller.is_empty() {
                self.tell(seat, What::Among(card, Colours::ALL.minus(smaller)));
            }
        }
    }

    fn join(&mut self, seat: Seat, (card, to): (Card, Cell), known: Known, when: When) {
        let known = self.known_to(seat, known);
        let touched = beside(&self.stage, known, card, to);
        let silent = || {
            let shape = self.stage.layout().shape();
            let mut moves = shape.moves(self.stage.marked());
            moves.any(|(card, to)| beside(&self.stage, known, card, to).is_empty())
        };
        if !touched.is_empty() && (when == When::Always || silent()) {
            self.tell(seat, What::Joins(card, touched));
        }
    }

    /// The cards whose colour a seat knows, as everybody sees.
    fn known_to(&self, seat: Seat, ways: Known) -> CardSet {
        let mut known = if ways.looked { self.looked[seat.index()] } else { CardSet::EMPTY };
        let mut pairs: Vec<(Card, Card)> = Vec::new();
        for told in &self.told {
            match told.what {
                What::Proper(card, hint) if ways.marked && hint.len() == 1 => known = known.with(card),
                What::Joins(card, others) if ways.joined && others.len() == 1 => {
                    pairs.extend(others.lowest().map(|other| (card, other)));
                }
                What::Proper(..) | What::Among(..) | What::Coded(..) | What::Joins(..) => {}
            }
        }
        loop {
            let joins = |&&(a, b): &&(Card, Card)| known.has(a) != known.has(b);
            let Some(&(a, b)) = pairs.iter().find(joins) else { return known };
            known = known.with(a).with(b);
        }
    }

    /// Reads a second look or a move by the code.
    fn decode(&mut self, seat: Seat, act: SeenAct) {
        if self.broken.is_some() {
            return;
        }
        let coded = |told: &Told| match told.what {
            What::Coded(card, colour) => Some((card, colour)),
            What::Proper(..) | What::Among(..) | What::Joins(..) => None,
        };
        let begun: Vec<(Card, Colour)> = self.told[..self.begun].iter().filter_map(coded).collect();
        let since: Vec<(Card, Colour)> = self.told[self.begun..].iter().filter_map(coded).collect();
        let read = || code_read(&self.stage, &begun, &since, &self.looks, act);
        match remembered(&self.convention, &self.past, read) {
            Ok(Some((card, colour))) => self.tell(seat, What::Coded(card, colour)),
            Ok(None) => {}
            Err(()) => {
                self.broken = Some(self.events);
                self.told.retain(|told| !matches!(told.what, What::Coded(..)));
                self.begun = self.begun.min(self.told.len());
            }
        }
    }
}

/// The known cards that a card would touch on this cell, if it is known itself.
fn beside(stage: &Stage, known: CardSet, card: Card, to: Cell) -> CardSet {
    let cells = to.beside();
    let near = |other: &Card| *other != card && cells.contains(&stage.layout().cell(*other));
    if known.has(card) { known.iter().filter(near).collect() } else { CardSet::EMPTY }
}

type Read = Result<Option<(Card, Colour)>, ()>;

/// How many readings are remembered.
const REMEMBERED: usize = 4096;

/// What the code tells takes long to work out and depends on what was done and nothing else: it is worked out once for
/// each past, since an inspector asks for every moment of a match.
fn remembered(convention: &Convention, past: &[SeenAct], read: impl FnOnce() -> Read) -> Read {
    type Kept = FxHashMap<(Convention, Vec<SeenAct>), Read>;
    thread_local! {
        static KEPT: RefCell<Kept> = RefCell::new(FxHashMap::default());
    }
    let key = (*convention, past.to_vec());
    if let Some(found) = KEPT.with_borrow(|kept| kept.get(&key).copied()) {
        return found;
    }
    let found = read();
    KEPT.with_borrow_mut(|kept| {
        if kept.len() >= REMEMBERED {
            kept.clear();
        }
        kept.insert(key, found);
    });
    found
}
