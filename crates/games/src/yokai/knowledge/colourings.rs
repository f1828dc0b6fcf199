//! The possible colourings of a match, as sets.
//!
//! The worlds are the colourings in which every public premise is true. Two of them are the same for a seat exactly when
//! they agree on the cards that it looked at.

use super::atoms::{Atom, Fact};
use super::diagrams::{Diagrams, Set};
use super::{Assumed, Memory, Notes, Premise};
use crate::cards::{Card, CardSet};
use crate::game::{Illegal, Knowledge, Notation, Seat, Verdict};
use crate::knowledge::{Done, Knower, Outcomes, Refused, Seats, Supposed, Worlds};
use crate::yokai::colour::{CARDS, Colour, Colouring, Colours};
use crate::yokai::convention::Convention;
use crate::yokai::rules::{Action, HINTS, SeenAct, Sight, Stage, Yokai};

/// The colourings that are possible for somebody.
#[derive(Clone, Debug)]
pub struct Colourings {
    diagrams: Diagrams,
    /// Those that everybody considers possible.
    law: Set,
    here: Set,
    /// After a move that is asked about: those from which it leads here.
    leads: Set,
    /// Who looked where, how the cards lie, whose turn it is.
    notes: Notes,
}

impl Colourings {
    /// The colourings of these notes.
    pub fn new(notes: &Notes) -> Colourings {
        let [a, b] = [Seat(0), Seat(1)].map(|seat| notes.looked(seat));
        let mut diagrams = Diagrams::new(&[a.and(b), a, b]);
        let premises = || notes.noted().iter().map(|noted| noted.premise);
        let mut law = diagrams.allowed(&allowed(premises().filter(|p| p.is_public())));
        for premise in premises() {
            match premise {
                Premise::Same(a, b) => law = diagrams.same(law, a, b),
                Premise::Joins(card, others) => {
                    let ways: Vec<Set> = others.iter().map(|other| diagrams.same(law, card, other)).collect();
                    let none = diagrams.minus(law, law);
                    law = ways.into_iter().fold(none, |all, way| diagrams.or(all, way));
                }
                Premise::WentOn(layout) => {
                    let grouped = diagrams.grouped(&layout.shape());
                    law = diagrams.minus(law, grouped);
                }
                Premise::Look(..)
                | Premise::Hint(..)
                | Premise::Told(..)
                | Premise::Shown(..)
                | Premise::Looked(..) => {}
            }
        }
        let here = diagrams.within(law, &allowed(premises()));
        Colourings { diagrams, law, here, leads: law, notes: notes.clone() }
    }

    /// The cards that some of the seats looked at.
    fn seen(&self, seats: Seats) -> CardSet {
        seats.iter().fold(CardSet::EMPTY, |all, seat| all.or(self.notes.looked(seat)))
    }

    /// Those of the law in which the card has one of the colours.
    fn with_colour(&mut self, card: Card, colours: Colours) -> Set {
        let mut allowed = [Colours::ALL; CARDS];
        allowed[card.index()] = colours;
        self.diagrams.within(self.law, &allowed)
    }

    /// What follows something that a seat does, where these colourings are left for everybody.
    fn after_act(&self, seat: Seat, act: SeenAct, law: Set) -> Colourings {
        let mut after = self.clone();
        (after.law, after.here, after.leads) = (law, law, law);
        after.notes.suppose(seat, act, None);
        after
    }

    /// The same where the match ends by it: everybody sees all colours.
    fn after_end(&self, seat: Seat, act: SeenAct, law: Set) -> Colourings {
        let mut after = self.after_act(seat, act, law);
        after.notes = self.notes.clone();
        // Which colours are shown makes no difference to what is public of a match that is over.
        after.notes.suppose(seat, act, self.diagrams.first(law).as_ref());
        after
    }
}

impl Worlds for Colourings {
    type Language = Notes;

    type Atom = Atom;
    type Set = Set;
    type World = Colouring;
    const STEPS: u64 = 20;

    fn language(&self) -> &Notes {
        &self.notes
    }

    fn seat(&self) -> Seat {
        self.notes.seat()
    }

    fn all(&mut self) -> Set {
        self.law
    }

    fn here(&mut self) -> Set {
        self.here
    }

    fn fact(&mut self, atom: &Atom) -> Done<Set> {
        Ok(match *atom {
            Atom::Colour(card, colours) => self.with_colour(card, colours),
            Atom::Same(a, b) => self.diagrams.same(self.law, a, b),
            Atom::Grouped => {
                let grouped = self.diagrams.grouped(&self.notes.layout().shape());
                self.diagrams.and(self.law, grouped)
            }
        })
    }

    fn both(&mut self, a: &Set, b: &Set) -> Done<Set> {
        Ok(self.diagrams.and(*a, *b))
    }

    fn either(&mut self, a: &Set, b: &Set) -> Done<Set> {
        Ok(self.diagrams.or(*a, *b))
    }

    fn without(&mut self, a: &Set, b: &Set) -> Done<Set> {
        Ok(self.diagrams.minus(*a, *b))
    }

    fn alike(&mut self, seats: Seats, set: &Set) -> Done<Set> {
        let seen = self.seen(seats);
        Ok(self.diagrams.alike(*set, self.law, seen))
    }

    fn count(&mut self, set: &Set) -> u128 {
        self.diagrams.count(*set).into()
    }

    fn pick(&mut self, set: &Set) -> Option<Colouring> {
        self.diagrams.first(*set)
    }

    fn only(&mut self, world: &Colouring) -> Set {
        self.diagrams.within(self.law, &world.colours().map(Colours::of))
    }

    fn after(&mut self, action: &str) -> Done<Vec<Colourings>> {
        // Nothing can be done after the end: then nothing comes of it.
        if self.notes.is_over() {
            return Ok(Vec::new());
        }
        let WhatIf { seat, action, outcome } = self.notes.what_if(action).map_err(Refused::Unfit)?;
        let law = self.law;
        Ok(match action {
            Action::Look(card) => {
                // What the look finds only the looker sees: it is where the look leads from, and not public.
                let leads = self.with_colour(card, outcome.unwrap_or(Colours::ALL));
                let act = SeenAct::Looked { card, colour: None };
                vec![Colourings { leads, ..self.after_act(seat, act, law) }]
            }
            Action::Move(card, to) => {
                let act = SeenAct::Moved { card, to };
                let grouped = self.diagrams.grouped(&self.notes.layout().moved(card, to).shape());
                match self.notes.oracle() {
                    true => {
                        let (ended, open) = (self.diagrams.and(law, grouped), self.diagrams.minus(law, grouped));
                        vec![self.after_act(seat, act, open), self.after_end(seat, act, ended)]
                    }
                    false => vec![self.after_act(seat, act, law)],
                }
            }
            Action::Mark(card, hint) => {
                let vouched = match (self.notes.assumed(), self.notes.stage()) {
                    (Assumed::Nothing, _) => false,
                    (Assumed::Kept(kept), Some(stage)) => kept.vouches(stage, self.notes.looked(seat), card),
                    (Assumed::Proper, _) | (Assumed::Kept(_), None) => true,
                };
                let left = if vouched { self.with_colour(card, hint) } else { law };
                let act = SeenAct::Marked { card, hint };
                let last = self.notes.marks().iter().flatten().count() + 1 == HINTS;
                vec![if last { self.after_end(seat, act, left) } else { self.after_act(seat, act, left) }]
            }
            Action::Skip => vec![self.after_act(seat, SeenAct::Skipped, law)],
            // Which hint is drawn is public, and says nothing about the cards.
            Action::Activate => {
                let drawn = self.notes.stage().map_or(Vec::new(), Stage::undrawn);
                let drawn = drawn.into_iter().filter(|hint| outcome.is_none_or(|only| only == *hint));
                let mut ways: Vec<Colourings> =
                    drawn.map(|hint| self.after_act(seat, SeenAct::Activated(hint), law)).collect();
                if self.notes.stage().is_none() {
                    ways.push(self.clone());
                }
                ways
            }
            Action::Stop => vec![self.after_end(seat, SeenAct::Stopped, law)],
        })
    }

    fn before(&mut self, after: &mut Colourings, set: &Set, outcomes: Outcomes) -> Done<Set> {
        let leads = self.diagrams.import(&after.diagrams, after.leads);
        let into = self.diagrams.import(&after.diagrams, *set);
        Ok(match outcomes {
            Outcomes::Every => {
                let wrong = self.diagrams.minus(leads, into);
                self.diagrams.minus(self.law, wrong)
            }
            Outcomes::Some => self.diagrams.and(leads, into),
        })
    }
}

/// A move that is asked about.
pub(super) struct WhatIf {
    seat: Seat,
    action: Action,
    /// The colours among which a look finds its own, or the hint that is drawn.
    outcome: Option<Colours>,
}

impl Notes {
    /// Reads a move that is asked about: `look 7`, `1: look 7`, `look 7, blue`, `activate, rg`.
    pub(super) fn read_move(&self, text: &str) -> Result<WhatIf, Illegal> {
        let Supposed { seat, rest } = Supposed::read(text, 2)?;
        let game = self.rules();
        let open = |action: &Action| matches!(action, Action::Look(_) | Action::Activate);
        let (action, outcome) = match (game.read(rest), rest.rsplit_once(',')) {
            (_, Some((action, found))) if game.read(action).is_ok_and(|action| open(&action)) => {
                let found = found.trim();
                let colours = Colour::read(found).map(Colours::of).or_else(|| Colours::read(found));
                let wrong = || Illegal::new(format!("`{found}` is no colour")).help("as in `look 7, blue`");
                (game.read(action)?, Some(colours.filter(|colours| !colours.is_empty()).ok_or_else(wrong)?))
            }
            (Ok(action), _) => (action, None),
            (Err(wrong), _) => return Err(wrong),
        };
        let turn = self.stage().map(Stage::seat);
        Ok(WhatIf { seat: seat.or(turn).unwrap_or(self.seat()), action, outcome })
    }

    /// The same, if the move can be made now.
    pub(super) fn what_if(&self, text: &str) -> Result<WhatIf, Illegal> {
        let supposed = self.read_move(text)?;
        if let Some(stage) = self.stage() {
            self.rules().check(stage, &supposed.action)?;
            if supposed.seat != stage.seat() {
                let (turn, by) = (stage.seat(), supposed.seat);
                return Err(Illegal::new(format!("it is the turn of seat {turn}, not of seat {by}")));
            }
        }
        Ok(supposed)
    }
}

impl Knower<Colourings> {
    /// Somebody to ask about the notes.
    pub fn about(notes: &Notes) -> Knower<Colourings> {
        Knower::new(Colourings::new(notes))
    }

    /// Somebody to ask about what a seat saw, with its memory, and what its own looks contradict, if they contradict
    /// anything: what is assumed then is less. The convention of the game is assumed, and without one that hints are
    /// proper.
    pub fn of(game: &Yokai, sights: &[Sight]) -> (Knower<Colourings>, Memory, Option<Assumed>) {
        let mut assumed = Assumed::of(game.convention.unwrap_or(Convention::HINTS));
        let mut refuted = None;
        loop {
            let mut memory = Memory::new(game, assumed);
            sights.iter().for_each(|sight| memory.learn(sight));
            let mut knower = Knower::about(memory.notes());
            match assumed.less() {
                Some(less) if knower.count() == 0 => {
                    refuted = refuted.or(Some(assumed));
                    assumed = less;
                }
                _ => return (knower, memory, refuted),
            }
        }
    }

    /// The colours that a card can have.
    pub fn possible(&mut self, card: Card) -> Colours {
        let mut can = |colour: &Colour| {
            let fact = Fact::Atom(Atom::Colour(card, Colours::of(*colour)));
            self.ask(&fact).is_ok_and(|answer| answer.verdict != Verdict::No)
        };
        Colour::ALL.into_iter().filter(|colour| can(colour)).collect()
    }

    /// Whether the fact is true in every world with these colours; no, if that cannot be asked.
    pub(super) fn sure(&mut self, colours: &[Colours; CARDS], fact: &Fact) -> bool {
        self.value(fact).is_ok_and(|value| self.failing_in(value, colours).is_none())
    }

    /// A world with these colours in which the fact is false.
    pub(super) fn failing(&mut self, colours: &[Colours; CARDS], fact: &Fact) -> Option<Colouring> {
        let value = self.value(fact).ok()?;
        self.failing_in(value, colours)
    }

    fn failing_in(&mut self, value: Set, colours: &[Colours; CARDS]) -> Option<Colouring> {
        let Colourings { diagrams, law, .. } = self.worlds();
        let wrong = diagrams.minus(*law, value);
        let wrong = diagrams.within(wrong, colours);
        diagrams.first(wrong)
    }
}

/// What premises that speak of one card leave for each.
pub(super) fn allowed(premises: impl Iterator<Item = Premise>) -> [Colours; CARDS] {
    let mut allowed = [Colours::ALL; CARDS];
    for (card, colours) in premises.filter_map(Premise::leaves) {
        allowed[card.index()] = allowed[card.index()].and(colours);
    }
    allowed
}
