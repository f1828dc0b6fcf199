//! Who knows what of the colours, since when, and why.

use crate::bridge;
use crate::cards::Card;
use crate::game::{Seat, Verdict};
use crate::knowledge::{Answer, Budget, Done, Inspected, Knower, Mind, Other, Part, Proved, Refused, Remembers, Row};
use crate::table::page::Problem;
use crate::yokai::knowledge::{Assumed, Atom, Colourings, Fact, Notes, Premise, Why, clash, mentions_layout, row, why};
use crate::yokai::notation::number;
use crate::yokai::{self, CARDS, Colour, Colouring, Sight, Yokai};
use serde_json::{Map, Value, json};

const OVER: &str = "The match is over: all colours are known.";

/// A model with more text than this has no answer within minutes.
const MODEL: usize = 64 << 10;

/// What a seat knows of the colours, by what is assumed unless its own looks contradict that.
pub struct Colours {
    notes: Notes,
    knower: Knower<Colourings>,
    /// What was contradicted.
    refuted: Option<Assumed>,
    /// The event by which somebody left the code that is assumed.
    broken: Option<usize>,
}

impl Colours {
    /// The mind of the seat of these notes, which relies on all that they assume.
    pub fn new(notes: Notes) -> Colours {
        Colours { knower: Knower::about(&notes), notes, refuted: None, broken: None }
    }
}

impl Remembers for Yokai {
    type Mind = Colours;

    fn mind(&self, memory: &[Sight]) -> Colours {
        let (knower, memory, refuted) = Knower::of(self, memory);
        Colours { notes: memory.notes().clone(), knower, refuted, broken: memory.broken() }
    }
}

impl Mind for Colours {
    type Language = Notes;
    type World = Colouring;

    fn language(&self) -> &Notes {
        &self.notes
    }

    fn seat(&self) -> Seat {
        self.notes.seat()
    }

    fn ask(&mut self, fact: &Fact, budget: &Budget) -> Done<Answer<Colouring>> {
        self.knower.within(budget, |knower| knower.ask(fact))
    }

    fn other(&mut self, seat: Seat, world: &Colouring, fact: &Fact, budget: &Budget) -> Done<Option<Colouring>> {
        Mind::other(&mut self.knower, seat, world, fact, budget)
    }

    fn count(&mut self) -> Option<u128> {
        Some(self.knower.count())
    }

    fn trail(&mut self, fact: &Fact, world: &Colouring) -> Vec<Other<Atom, Colouring>> {
        Mind::trail(&mut self.knower, fact, world)
    }
}

impl Inspected for Colours {
    const COUNTS: bool = true;

    fn rows(&mut self, chain: &[Seat]) -> Vec<Row<Atom>> {
        let mut rows = vec![grouped()];
        for card in cards() {
            let group = format!("card {}", number(card));
            let colour = |colour: Colour| Row { alone: true, ..Row::new(col(card, colour), group.clone()) };
            rows.extend(Colour::ALL.map(colour));
            if let [me, .., last] = *chain {
                let who = if last == me { "you know".to_string() } else { format!("seat {last} knows") };
                let words = Some(format!("{who} the colour of card {}", number(card)));
                rows.push(Row { words, ..Row::new(knows_colour(last, card), group) });
            }
        }
        rows
    }

    fn learned(&mut self) -> Vec<Row<Atom>> {
        let mut rows = Vec::new();
        if self.knower.ask(&Fact::GROUPED).is_ok_and(|answer| answer.known()) {
            rows.push(grouped().own(Verdict::Yes, Some(1.0)));
        }
        for card in cards() {
            if let Some(colour) = self.possible(card).single() {
                rows.push(Row::new(col(card, colour), format!("card {}", number(card))).own(Verdict::Yes, Some(1.0)));
            }
        }
        rows
    }

    fn note(&mut self, _: &[Seat]) -> Option<String> {
        let some = |kind: fn(&Premise) -> bool| self.notes.noted().iter().any(|noted| kind(&noted.premise));
        if some(|premise| matches!(premise, Premise::Shown(..))) {
            return Some(OVER.to_string());
        }
        let assumed = self.notes.assumed();
        let rests = match assumed {
            Assumed::Nothing => self.refuted.is_none(),
            // Before the first mark nothing rests on hints.
            Assumed::Proper => some(|premise| matches!(premise, Premise::Hint(..))),
            Assumed::Kept(_) => true,
        };
        let rests = rests.then(|| assumed.convention().rests());
        let refuted = self.refuted.map(refutation);
        let broken = self.broken.map(|event| {
            format!("The code was left at event {event}: what it seemed to tell is not relied on any more.")
        });
        let said: Vec<String> = rests.into_iter().chain(refuted).chain(broken).collect();
        (!said.is_empty()).then(|| said.join(" "))
    }

    fn parts(&self, world: &Colouring) -> Vec<Part> {
        cards().map(|card| Part::new(format!("card {}", number(card)), world.of(card).name())).collect()
    }

    fn data(&self, world: &Colouring) -> Value {
        let each = cards().map(|card| (number(card).to_string(), json!(world.of(card).name())));
        Value::Object(each.collect())
    }

    fn brief(&self, world: &Colouring) -> Vec<Part> {
        vec![Part::new("cards 1 to 16", row(world))]
    }

    fn prove(&mut self, fact: &Fact, _: &Budget) -> Result<Proved, String> {
        match why(&self.notes, fact) {
            Why::Known(proof) => Ok(Proved::of(&proof, &self.notes)),
            Why::Refuted(_) | Why::Open { .. } | Why::Clash(_) | Why::Unproved(_) => {
                Err("It was decided over all colourings that fit, but no short proof was found.".to_string())
            }
        }
    }

    fn contradiction(&mut self, _: &Budget) -> Problem {
        let seat = self.notes.seat();
        let problem =
            Problem::new("nothing-fits", format!("no colouring fits what seat {seat} saw and what is assumed"));
        match clash(&self.notes) {
            Some(proof) => problem.help(format!("here is why:\n{}", proof.words(&self.notes).trim_end())),
            None => problem,
        }
    }

    fn relative(&mut self) -> Map<String, Value> {
        let count = self.knower.count();
        let count = u64::try_from(count).map_or_else(|_| json!(count.to_string()), |count| json!(count));
        Map::from_iter([("seat".to_string(), json!(self.notes.seat().0)), ("colourings".to_string(), count)])
    }

    fn related(&self, a: &Atom, b: &Atom) -> bool {
        let all = |atom: &Atom| matches!(atom, Atom::Grouped);
        a == b || !(all(a) || all(b) || a.mentions().is_disjoint(b.mentions()))
    }

    fn changes(&self, fact: &Fact) -> bool {
        mentions_layout(fact)
    }

    fn is_same_at(&self, earlier: &Colours, fact: &Fact) -> bool {
        !mentions_layout(fact) || earlier.notes.layout() == self.notes.layout()
    }
}

impl Colours {
    /// The notes as a `.ken` model.
    pub(super) fn model(&mut self) -> Done<String> {
        if self.knower.count() == 0 {
            return Err(Refused::NoWorld);
        }
        Some(bridge::yokai::file(&self.notes)).filter(|text| text.len() <= MODEL).ok_or(Refused::Limit)
    }

    /// The colours that a card can have.
    pub(super) fn possible(&mut self, card: Card) -> yokai::Colours {
        self.knower.possible(card)
    }

    /// In how many of the colourings the fact is true, and of how many.
    pub(super) fn share(&mut self, fact: &Fact) -> (u128, u128) {
        let counts = self.knower.ask(fact).ok().and_then(|answer| answer.counts);
        counts.map_or((0, 0), |(holds, fails)| (holds, holds + fails))
    }

    /// Whether the seat knows that its partner knows the colour of a card.
    pub(super) fn partner_knows(&mut self, card: Card) -> bool {
        let partner = self.seat().next(2);
        self.knower.ask(&knows_colour(partner, card)).is_ok_and(|answer| answer.known())
    }
}

/// What is said where the seat's own looks contradict what is assumed.
fn refutation(refuted: Assumed) -> String {
    match refuted {
        Assumed::Nothing => String::new(),
        Assumed::Proper => "What you saw contradicts a hint: hints are not relied on any more, only looks.".to_string(),
        Assumed::Kept(kept) => format!("What you saw contradicts {}: it is not relied on any more.", kept.title()),
    }
}

fn grouped() -> Row<Atom> {
    let words = Some("every colour is connected: to stop now wins".to_string());
    Row { words, ..Row::new(Fact::GROUPED, "the table") }
}

fn cards() -> impl Iterator<Item = Card> {
    (0..CARDS as u8).map(Card)
}

/// That a card has a colour.
pub(super) fn col(card: Card, colour: Colour) -> Fact {
    Fact::colour(card, yokai::Colours::of(colour))
}

/// That a seat knows the colour of a card.
fn knows_colour(seat: Seat, card: Card) -> Fact {
    Fact::Any(Colour::ALL.map(|colour| col(card, colour).known_to(seat)).into())
}
