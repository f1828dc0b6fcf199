//! What a seat goes by: its looks and what is public.

use super::Proof;
use super::atoms::Fact;
use super::why::{Why, why};
use crate::cards::{Card, CardSet};
use crate::game::{Knowledge, Seat, Verdict};
use crate::knowledge::Knower;
use crate::yokai::colour::{CARDS, Colour, Colouring, Colours, Hint};
use crate::yokai::convention::{Convention, Reader, What};
use crate::yokai::layout::Layout;
use crate::yokai::position::Position;
use crate::yokai::rules::{SeenAct, Sight, Stage, Yokai};

/// Something that tells about the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Premise {
    /// The seat looked at the card.
    Look(Card, Colour),
    /// The card is marked with a hint, which is assumed to be proper.
    Hint(Card, Hint),
    /// It was told in public, by a convention or a code, that the card has one of these colours.
    Told(Card, Colours),
    /// It was announced that the two cards have the same colour.
    Same(Card, Card),
    /// It was told in public, by a convention, that the card has the colour of one of these.
    Joins(Card, CardSet),
    /// The match went on with this layout, so some colour was not connected.
    WentOn(Layout),
    /// The end showed the card to everybody.
    Shown(Card, Colour),
    /// Everybody saw the seat look at the card. It is never noted: notes keep at which cards each seat looked.
    Looked(Seat, Card),
}

impl Premise {
    /// Whether everybody has it.
    pub fn is_public(self) -> bool {
        !matches!(self, Premise::Look(..))
    }

    /// The card and the colours that are left for it, if it speaks of one card.
    pub(super) fn leaves(self) -> Option<(Card, Colours)> {
        match self {
            Premise::Look(card, colour) | Premise::Shown(card, colour) => Some((card, Colours::of(colour))),
            Premise::Hint(card, colours) | Premise::Told(card, colours) => Some((card, colours)),
            Premise::Same(..) | Premise::Joins(..) | Premise::WentOn(_) | Premise::Looked(..) => None,
        }
    }
}

/// A premise and the event that brought it, as a place in the seat's memory, if that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    /// What is told.
    pub premise: Premise,
    /// By which event.
    pub event: Option<usize>,
}

impl Noted {
    /// Whether it is what a convention or a code told of one card.
    fn is_told(&self) -> bool {
        matches!(self.premise, Premise::Told(..))
    }
}

/// What is taken for true without having been seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Assumed {
    /// Nothing: only looks count.
    Nothing,
    /// Every hint is proper.
    #[default]
    Proper,
    /// Both seats keep this convention. What it tells is read off moves, so a position without its past tells nothing of it.
    Kept(Convention),
}

impl Assumed {
    /// That both seats keep the convention.
    pub fn of(convention: Convention) -> Assumed {
        match convention {
            Convention::NONE => Assumed::Nothing,
            Convention::HINTS => Assumed::Proper,
            kept => Assumed::Kept(kept),
        }
    }

    /// The convention that is assumed.
    pub fn convention(self) -> Convention {
        match self {
            Assumed::Nothing => Convention::NONE,
            Assumed::Proper => Convention::HINTS,
            Assumed::Kept(kept) => kept,
        }
    }

    /// What is still assumed once nothing fits what was seen and this: less, if there is less.
    pub fn less(self) -> Option<Assumed> {
        match self {
            Assumed::Nothing => None,
            Assumed::Proper => Some(Assumed::Nothing),
            Assumed::Kept(_) => Some(Assumed::Proper),
        }
    }
}

/// What a seat goes by at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes {
    seat: Seat,
    assumed: Assumed,
    layout: Layout,
    marks: [Option<Hint>; CARDS],
    looked: [CardSet; 2],
    noted: Vec<Noted>,
    /// The rules, and whose turn it is, where that is known.
    turn: Option<(Yokai, Stage)>,
}

impl Notes {
    /// A seat that has seen nothing but this layout.
    pub fn new(seat: Seat, assumed: Assumed, layout: Layout) -> Notes {
        let (marks, looked) = ([None; CARDS], [CardSet::EMPTY; 2]);
        Notes { seat, assumed, layout, marks, looked, noted: Vec::new(), turn: None }
    }

    /// What the seat of a position goes by.
    pub fn of(position: &Position, assumed: Assumed) -> Notes {
        let mut notes = Notes::new(position.me, assumed, *position.stage.layout());
        let cards = || CardSet::first(CARDS).iter();
        for (card, colour) in cards().filter_map(|card| Some((card, position.seen[card.index()]?))) {
            notes.look(card, colour, None);
        }
        // A hint of all four colours is one that is not known.
        let hints = cards().filter_map(|card| Some((card, position.stage.marks()[card.index()]?)));
        for (card, hint) in hints.filter(|(_, hint)| hint.is_hint()) {
            notes.mark(card, hint, None);
        }
        position.partner_seen.iter().for_each(|card| notes.partner_looks(card));
        let went_on = position.past.went_on.iter().map(|&layout| Premise::WentOn(layout));
        notes.noted.extend(went_on.map(|premise| Noted { premise, event: None }));
        if let Some(end) = &position.past.end {
            notes.over(end.colours(), None);
        }
        // Where a position does not say by which rules it is played, whatever some rules allow can be asked about.
        let some = Yokai { free_order: true, any_time: true, ..Yokai::PLAIN };
        notes.turn = Some((position.past.rules.unwrap_or(some), position.stage.clone()));
        notes
    }

    /// What is assumed.
    pub fn assumed(&self) -> Assumed {
        self.assumed
    }

    /// The rules, as far as they are known.
    pub(super) fn rules(&self) -> Yokai {
        self.turn.as_ref().map_or_else(Yokai::default, |(rules, _)| *rules)
    }

    /// Whether the match is over.
    pub(super) fn is_over(&self) -> bool {
        self.stage().is_some_and(Stage::is_over)
    }

    /// Goes on as if a seat had done this, and the match had ended with these colours or goes on. What it tells about
    /// colours is not noted.
    pub(super) fn suppose(&mut self, seat: Seat, act: SeenAct, end: Option<&Colouring>) {
        match act {
            SeenAct::Looked { card, .. } => self.looked[seat.index()] = self.looked[seat.index()].with(card),
            SeenAct::Moved { card, to } => self.layout = self.layout.moved(card, to),
            SeenAct::Marked { card, hint } => self.marks[card.index()] = Some(hint),
            SeenAct::Skipped | SeenAct::Activated(_) | SeenAct::Stopped => {}
        }
        if let Some((_, stage)) = &mut self.turn {
            stage.follow(&Sight::Done { seat, act, end: end.copied() });
        }
        if end.is_some() {
            self.looked = [CardSet::first(CARDS); 2];
        }
    }

    /// Whether the match ends as soon as every colour is connected.
    pub(super) fn oracle(&self) -> bool {
        self.rules().oracle
    }

    /// Whose turn it is and what is done of it, if that is known.
    pub(super) fn stage(&self) -> Option<&Stage> {
        self.turn.as_ref().map(|(_, stage)| stage)
    }

    /// The seat itself looks at a card.
    pub fn look(&mut self, card: Card, colour: Colour, event: Option<usize>) {
        if !self.looked[self.seat.index()].has(card) {
            self.looked[self.seat.index()] = self.looked[self.seat.index()].with(card);
            self.noted.push(Noted { premise: Premise::Look(card, colour), event });
        }
    }

    /// The partner looks at a card.
    pub fn partner_looks(&mut self, card: Card) {
        let partner = self.seat.next(2).index();
        self.looked[partner] = self.looked[partner].with(card);
    }

    /// A card is marked.
    pub fn mark(&mut self, card: Card, hint: Hint, event: Option<usize>) {
        self.marks[card.index()] = Some(hint);
        match self.assumed {
            // What a convention says of the mark depends on how it came about.
            Assumed::Nothing | Assumed::Kept(_) => {}
            Assumed::Proper => self.noted.push(Noted { premise: Premise::Hint(card, hint), event }),
        }
    }

    /// It is told in public that a card has one of these colours.
    pub fn tell(&mut self, card: Card, colours: Colours, event: Option<usize>) {
        self.noted.push(Noted { premise: Premise::Told(card, colours), event });
    }

    /// It is announced that two cards have the same colour.
    pub fn announce(&mut self, a: Card, b: Card, event: Option<usize>) {
        self.noted.push(Noted { premise: Premise::Same(a, b), event });
    }

    /// A convention tells something in public.
    pub fn hear(&mut self, what: What, event: Option<usize>) {
        match what {
            What::Proper(card, hint) => self.noted.push(Noted { premise: Premise::Hint(card, hint), event }),
            What::Among(card, colours) => self.tell(card, colours, event),
            What::Coded(card, colour) => self.tell(card, Colours::of(colour), event),
            What::Joins(card, others) => match (others.lowest(), others.len()) {
                (Some(other), 1) => self.announce(card, other, event),
                _ => self.noted.push(Noted { premise: Premise::Joins(card, others), event }),
            },
        }
    }

    /// Whose notes they are.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Where the cards lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The hint on each card.
    pub fn marks(&self) -> &[Option<Hint>; CARDS] {
        &self.marks
    }

    /// The cards that a seat looked at.
    pub fn looked(&self, seat: Seat) -> CardSet {
        self.looked[seat.index()]
    }

    /// The premises in the order in which they came.
    pub fn noted(&self) -> &[Noted] {
        &self.noted
    }

    /// The same with these premises only. Who looked where is left as it is.
    #[must_use]
    pub fn with(&self, noted: Vec<Noted>) -> Notes {
        Notes { noted, ..self.clone() }
    }

    fn over(&mut self, colours: &[Colour; CARDS], event: Option<usize>) {
        // What is shown needs no assumption, and may show that one was wrong.
        self.noted.retain(|noted| !noted.premise.is_public());
        let shown = (0..).map(Card).zip(colours).map(|(card, &colour)| Premise::Shown(card, colour));
        self.noted.extend(shown.map(|premise| Noted { premise, event }));
    }
}

/// What a seat of a match knows: a fold of its sights.
#[derive(Clone, Debug)]
pub struct Memory {
    game: Yokai,
    stage: Stage,
    notes: Notes,
    sights: Vec<Sight>,
    /// What is read into moves, if anything is.
    reader: Option<Reader>,
}

impl Memory {
    /// Somebody who has seen nothing yet.
    pub fn new(game: &Yokai, assumed: Assumed) -> Memory {
        let stage = Stage::start();
        let notes = Notes::new(Seat(0), assumed, *stage.layout());
        let reader = match assumed {
            Assumed::Nothing | Assumed::Proper => None,
            Assumed::Kept(convention) => Some(Reader::new(convention)),
        };
        Memory { game: *game, stage, notes, sights: Vec::new(), reader }
    }

    /// What it comes to.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// The event by which somebody left the code that is assumed, if somebody did.
    pub fn broken(&self) -> Option<usize> {
        self.reader.as_ref().and_then(Reader::broken)
    }

    /// Notes what the last sight tells by the convention, and forgets what a broken code seemed to tell.
    fn hear(&mut self, sight: &Sight) {
        let Some(reader) = &mut self.reader else { return };
        let before = reader.told().to_vec();
        reader.watch(sight);
        let given_up = before.iter().filter(|told| !reader.told().contains(told));
        let given_up: Vec<usize> = given_up.map(|told| told.event).collect();
        let notes = &mut self.notes;
        notes.noted.retain(|noted| !noted.event.is_some_and(|event| given_up.contains(&event)) || !noted.is_told());
        let new = reader.told().iter().filter(|told| !before.contains(told));
        new.for_each(|told| notes.hear(told.what, Some(told.event)));
    }

    /// The verdict with its reason.
    pub fn why(&self, fact: &Fact) -> Why {
        why(&self.notes, fact)
    }
}

impl Knowledge<Yokai> for Memory {
    type Fact = Fact;
    type Proof = Proof;

    fn learn(&mut self, sight: &Sight) {
        let event = self.sights.len();
        self.stage.follow(sight);
        let notes = &mut self.notes;
        notes.layout = *self.stage.layout();
        match *sight {
            Sight::Dealt { me } => *notes = Notes::new(me, notes.assumed, notes.layout),
            Sight::Done { seat, act, end } => {
                match act {
                    SeenAct::Looked { card, colour: Some(colour) } if seat == notes.seat => {
                        notes.look(card, colour, Some(event));
                    }
                    // An own look without a colour is one that is forgotten: as if it had not been.
                    SeenAct::Looked { .. } if seat == notes.seat => {}
                    SeenAct::Looked { card, .. } => notes.partner_looks(card),
                    SeenAct::Marked { card, hint } => notes.mark(card, hint, Some(event)),
                    SeenAct::Moved { .. } if self.game.oracle && end.is_none() => {
                        notes.noted.push(Noted { premise: Premise::WentOn(notes.layout), event: Some(event) });
                    }
                    SeenAct::Moved { .. } | SeenAct::Skipped | SeenAct::Activated(_) | SeenAct::Stopped => {}
                }
            }
        }
        self.hear(sight);
        let notes = &mut self.notes;
        if let Sight::Done { end: Some(colouring), .. } = sight {
            notes.over(colouring.colours(), Some(event));
        }
        notes.turn = Some((self.game, self.stage.clone()));
        self.sights.push(sight.clone());
    }

    /// Open if what the seat saw contradicts what is assumed: never a wrong certainty.
    fn verdict(&self, fact: &Fact) -> Verdict {
        Knower::about(&self.notes).ask(fact).map_or(Verdict::Open, |answer| answer.verdict)
    }

    fn explain(&self, fact: &Fact) -> Option<Proof> {
        match why(&self.notes, fact) {
            Why::Known(proof) => Some(proof),
            Why::Refuted(_) | Why::Open { .. } | Why::Clash(_) | Why::Unproved(_) => None,
        }
    }
}
