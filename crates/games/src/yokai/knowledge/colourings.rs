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
use crate::yokai::layout::Layout;
use crate::yokai::rules::{Action, HINTS, Sight, Yokai};

/// The colourings that are possible for somebody.
#[derive(Clone, Debug)]
pub struct Colourings {
    diagrams: Diagrams,
    law: Set,
    here: Set,
    looked: [CardSet; 2],
    layout: Layout,
    notes: Notes,
}

impl Colourings {
    /// The colourings of these notes.
    pub fn new(notes: &Notes) -> Colourings {
        let looked = [Seat(0), Seat(1)].map(|seat| notes.looked(seat));
        let [a, b] = looked;
        let mut diagrams = Diagrams::new(&[a.and(b), a, b]);
        let premises = || notes.noted().iter().map(|noted| noted.premise);
        let mut law = diagrams.allowed(&allowed(premises().filter(|p| p.is_public())));
        for premise in premises() {
            match premise {
                Premise::Same(a, b) => law = diagrams.same(law, a, b),
                Premise::WentOn(layout) => {
                    let grouped = diagrams.grouped(&layout.shape());
                    law = diagrams.minus(law, grouped);
                }
                Premise::Look(..) | Premise::Hint(..) | Premise::Told(..) | Premise::Shown(..) => {}
            }
        }
        let here = diagrams.within(law, &allowed(premises()));
        Colourings { diagrams, law, here, looked, layout: *notes.layout(), notes: notes.clone() }
    }

    /// The cards that some of the seats looked at.
    fn seen(&self, seats: Seats) -> CardSet {
        seats.iter().fold(CardSet::EMPTY, |all, seat| all.or(self.looked[seat.index()]))
    }

    /// The same where these are left.
    fn where_only(&self, law: Set) -> Colourings {
        Colourings { law, here: law, ..self.clone() }
    }

    /// The same where all colours are shown to everybody.
    fn shown(mut self) -> Colourings {
        self.looked = [CardSet::first(CARDS); 2];
        self
    }
}

impl Worlds for Colourings {
    type Atom = Atom;
    type Set = Set;
    type World = Colouring;

    fn all(&mut self) -> Set {
        self.law
    }

    fn here(&mut self) -> Set {
        self.here
    }

    fn fact(&mut self, atom: &Atom) -> Done<Set> {
        Ok(match *atom {
            Atom::Colour(card, colours) => {
                let mut allowed = [Colours::ALL; CARDS];
                allowed[card.index()] = colours;
                self.diagrams.within(self.law, &allowed)
            }
            Atom::Same(a, b) => self.diagrams.same(self.law, a, b),
            Atom::Grouped => {
                let grouped = self.diagrams.grouped(&self.layout.shape());
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
        let WhatIf { seat, action, outcome } = self.notes.what_if(action).map_err(Refused::Unfit)?;
        Ok(match action {
            Action::Look(card) => {
                let mut allowed = [Colours::ALL; CARDS];
                allowed[card.index()] = outcome.unwrap_or(Colours::ALL);
                let mut after = self.where_only(self.law);
                after.looked[seat.index()] = after.looked[seat.index()].with(card);
                after.law = after.diagrams.within(self.law, &allowed);
                vec![after]
            }
            Action::Move(card, to) => {
                let layout = self.layout.moved(card, to);
                let grouped = self.diagrams.grouped(&layout.shape());
                let (ended, open) = match self.notes.oracle() {
                    true => (self.diagrams.and(self.law, grouped), self.diagrams.minus(self.law, grouped)),
                    false => (Set::EMPTY, self.law),
                };
                let ways = [self.where_only(open), self.where_only(ended).shown()];
                ways.into_iter().map(|way| Colourings { layout, ..way }).collect()
            }
            Action::Mark(card, hint) => {
                let law = match self.notes.assumed() {
                    Assumed::Nothing => self.law,
                    Assumed::Proper => {
                        let mut allowed = [Colours::ALL; CARDS];
                        allowed[card.index()] = hint;
                        self.diagrams.within(self.law, &allowed)
                    }
                };
                let marked = self.where_only(law);
                let last = self.notes.marks().iter().flatten().count() + 1 == HINTS;
                vec![if last { marked.shown() } else { marked }]
            }
            Action::Skip | Action::Activate => vec![self.where_only(self.law)],
            Action::Stop => vec![self.where_only(self.law).shown()],
        })
    }

    fn before(&mut self, after: &mut Colourings, set: &Set, outcomes: Outcomes) -> Done<Set> {
        let (leads, into) =
            (self.diagrams.import(&after.diagrams, after.law), self.diagrams.import(&after.diagrams, *set));
        Ok(match outcomes {
            Outcomes::Every => {
                let wrong = self.diagrams.minus(leads, into);
                self.diagrams.minus(self.law, wrong)
            }
            Outcomes::Some => into,
        })
    }
}

/// A move that is asked about.
pub(super) struct WhatIf {
    seat: Seat,
    action: Action,
    /// The colours among which the look finds its own.
    outcome: Option<Colours>,
}

impl Notes {
    /// Reads a move that is asked about: `look 7`, `1: look 7`, `look 7, blue`.
    pub(super) fn what_if(&self, text: &str) -> Result<WhatIf, Illegal> {
        let Supposed { seat, rest } = Supposed::read(text, 2)?;
        let game = self.rules();
        let (action, outcome) = match (game.read(rest), rest.rsplit_once(',')) {
            (Ok(action), _) => (action, None),
            (Err(_), Some((action, found))) if game.read(action).is_ok_and(|a| matches!(a, Action::Look(_))) => {
                let found = found.trim();
                let colours = Colour::read(found).map(Colours::of).or_else(|| Colours::read(found));
                let wrong = || Illegal::new(format!("`{found}` is no colour")).help("as in `look 7, blue`");
                (game.read(action)?, Some(colours.ok_or_else(wrong)?))
            }
            (Err(wrong), _) => return Err(wrong),
        };
        let turn = self.stage().map(|stage| stage.seat());
        if let Some(stage) = self.stage() {
            game.check(stage, &action)?;
        }
        let by = seat.or(turn).unwrap_or(self.seat());
        match turn {
            Some(turn) if turn != by => Err(Illegal::new(format!("it is the turn of seat {turn}, not of seat {by}"))),
            Some(_) | None => Ok(WhatIf { seat: by, action, outcome }),
        }
    }
}

impl Knower<Colourings> {
    /// Somebody to ask about the notes.
    pub fn about(notes: &Notes) -> Knower<Colourings> {
        Knower::new(Colourings::new(notes))
    }

    /// Somebody to ask about what a seat saw, with its memory, and whether its own looks contradict a hint. Hints are
    /// taken to be proper unless they do; then nothing is assumed of them.
    pub fn of(game: &Yokai, sights: &[Sight]) -> (Knower<Colourings>, Memory, bool) {
        let learn = |assumed: Assumed| {
            let mut memory = Memory::new(game, assumed);
            sights.iter().for_each(|sight| memory.learn(sight));
            (Knower::about(memory.notes()), memory)
        };
        let (mut knower, memory) = learn(Assumed::Proper);
        if knower.count() > 0 {
            return (knower, memory, false);
        }
        let (knower, memory) = learn(Assumed::Nothing);
        (knower, memory, true)
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
