//! A seat's notes of Yōkai as a logical model.
//!
//! The worlds are the colourings that agree on the cards whose colours are common knowledge; the other cards are
//! *hidden*, and only they have propositions, `col(card, colour)`. Everything that happened is a knowledge action:
//!
//! | observation | action |
//! |---|---|
//! | a seat looks at a card | everybody learns that it has one of the colours, the seat learns which |
//! | a card is marked, and hints are proper | everybody learns that it has a colour of the hint |
//! | two cards are said to have the same colour | everybody learns that |
//! | the match goes on after a move (`oracle`) | everybody learns that not every colour is connected |
//!
//! Where the seat saw which alternative happened it is marked with `!`. So `check valid [history] φ` asks whether the
//! seat knows φ.

use super::Model;
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::knowledge::write_with;
use crate::yokai::colour::{CARDS, Colour, Colours};
use crate::yokai::knowledge::diagrams::{ORDERS, groupings};
use crate::yokai::knowledge::{Atom, Fact, Notes, Premise};
use crate::yokai::layout::Layout;
use ken_logic::formula::F;
use ken_logic::{Document, Format};

/// The notes as a logical model.
pub fn model(notes: &Notes) -> Model {
    let text = source(notes);
    let document =
        Document::read(&text, Format::Ken).unwrap_or_else(|p| panic!("written in the language: {p:?}\n{text}"));
    Model::read(document).expect("`view` and `history` are declared")
}

/// A fact that says nothing of moves to come as a formula of the model of these notes, to be asked after the events.
pub fn formula(model: &Model, notes: &Notes, fact: &Fact) -> F {
    let hidden = Hidden::of(notes);
    let text = write_with(fact, &|atom| hidden.atom(atom));
    model.formula(&text).unwrap_or_else(|p| panic!("written in the language: {p:?}\n{text}"))
}

/// The notes as a `.ken` file.
pub fn source(notes: &Notes) -> String {
    let hidden = Hidden::of(notes);
    let mut out = String::from("agents 0, 1\nenum colours = red, green, blue, yellow\n");
    let mut line = |text: String| out.extend([text.as_str(), "\n"]);
    for card in hidden.cards.iter() {
        let colours = hidden.left().map(|c| atom(card, c)).collect::<Vec<_>>().join(", ");
        line(format!("props {colours}"));
        line(format!("law oneof({colours})"));
    }
    for colour in hidden.left() {
        let cards: Vec<String> = hidden.cards.iter().map(|card| atom(card, colour)).collect();
        line(format!("law exactly {} of ({})", hidden.count(colour), cards.join(", ")));
    }
    line("let view = true".to_string());
    let mut actions = Vec::new();
    for seat in Seat::all(2) {
        actions.extend(notes.looked(seat).and(hidden.cards).iter().map(|card| {
            let saw = |colour| notes.noted().iter().any(|noted| noted.premise == Premise::Look(card, colour));
            let mark = |colour| if seat == notes.seat() && saw(colour) { "!" } else { "" };
            let each: Vec<String> = hidden.left().map(|c| format!("{}L[{seat}] ?{}", mark(c), atom(card, c))).collect();
            // A choice of one is none, and takes no mark.
            if each.len() == 1 { "?true".to_string() } else { format!("L[all] ({})", each.join(" + ")) }
        }));
    }
    actions.extend(notes.noted().iter().filter_map(|noted| {
        let said = match noted.premise {
            Premise::Look(..) | Premise::Shown(..) | Premise::Looked(..) => return None,
            Premise::Hint(card, told) | Premise::Told(card, told) => hidden.colour(card, told),
            Premise::Same(a, b) => hidden.atom(&Atom::Same(a, b)),
            Premise::Joins(card, others) => {
                join(others.iter().map(|other| hidden.atom(&Atom::Same(card, other))), " | ", "false")
            }
            Premise::WentOn(layout) => format!("!{}", hidden.grouped(&layout)),
        };
        Some(format!("announce {said}"))
    }));
    for (i, action) in actions.iter().enumerate() {
        line(format!("action event{i} = {action}"));
    }
    let history = (0..actions.len()).map(|i| format!("event{i}")).collect::<Vec<_>>().join(" ; ");
    line(format!("action history = {}", if history.is_empty() { "?true" } else { &history }));
    line(super::KNOWN.to_string());
    out
}

/// The notes as a `.ken` file in which every fact about them has its name: the colours of cards that are common knowledge,
/// too, `same(3, 4)` and, where it can be said in few words, `grouped`.
pub fn file(notes: &Notes) -> String {
    let hidden = Hidden::of(notes);
    let mut out = source(notes);
    let mut line = |text: String| out.extend([text.as_str(), "\n"]);
    for card in (0..CARDS as u8).map(Card) {
        for colour in Colour::ALL {
            let settled = hidden.common[card.index()].is_some() || hidden.count(colour) == 0;
            if settled {
                let is = hidden.common[card.index()] == Some(colour);
                line(format!("props {}\nlaw {}{}", atom(card, colour), if is { "" } else { "!" }, atom(card, colour)));
            }
        }
    }
    line("let same(a, b) = exists c in colours: col(a, c) & col(b, c)".to_string());
    let grouped = hidden.grouped(notes.layout());
    line(match grouped.len() <= GROUPED {
        true => format!("let grouped = {grouped}"),
        false => "-- There are too many ways for every colour to be connected: `grouped` has no name here.".to_string(),
    });
    out
}

/// How long the text of `grouped` may be: the formulas of longer ones take minutes.
const GROUPED: usize = 12 << 10;

fn atom(card: Card, colour: Colour) -> String {
    format!("col({}, {colour})", card.0 + 1)
}

/// What is common knowledge, and what is not.
struct Hidden<'a> {
    notes: &'a Notes,
    /// The colour of each card, if it is common knowledge.
    common: [Option<Colour>; CARDS],
    cards: CardSet,
}

impl Hidden<'_> {
    fn of(notes: &Notes) -> Hidden<'_> {
        let both = notes.looked(Seat(0)).and(notes.looked(Seat(1)));
        let mut common = [None; CARDS];
        for noted in notes.noted() {
            match noted.premise {
                Premise::Look(card, colour) if both.has(card) => common[card.index()] = Some(colour),
                Premise::Shown(card, colour) => common[card.index()] = Some(colour),
                Premise::Look(..)
                | Premise::Hint(..)
                | Premise::Told(..)
                | Premise::Same(..)
                | Premise::Joins(..)
                | Premise::WentOn(_)
                | Premise::Looked(..) => {}
            }
        }
        let cards = (0..CARDS as u8).map(Card).filter(|c| common[c.index()].is_none()).collect();
        Hidden { notes, common, cards }
    }

    /// How many hidden cards have the colour.
    fn count(&self, colour: Colour) -> usize {
        4usize.saturating_sub(self.common.iter().filter(|&&c| c == Some(colour)).count())
    }

    /// The colours of hidden cards.
    fn left(&self) -> impl Iterator<Item = Colour> {
        Colour::ALL.into_iter().filter(|&c| self.count(c) > 0)
    }

    fn colour(&self, card: Card, colours: Colours) -> String {
        match self.common[card.index()] {
            Some(colour) => colours.has(colour).to_string(),
            None => join(self.left().filter(|&c| colours.has(c)).map(|c| atom(card, c)), " | ", "false"),
        }
    }

    fn grouped(&self, layout: &Layout) -> String {
        let mut ways = Vec::new();
        for groups in groupings(&layout.shape()) {
            for order in ORDERS {
                let colour = |card: Card| {
                    let group = groups.iter().position(|g| g >> card.0 & 1 == 1).expect("every card is in a group");
                    order[group]
                };
                let fits = (0..CARDS as u8).map(Card).all(|c| self.common[c.index()].is_none_or(|d| d == colour(c)));
                if fits {
                    ways.push(join(self.cards.iter().map(|c| atom(c, colour(c))), " & ", "true"));
                }
            }
        }
        join(ways.into_iter(), " | ", "false")
    }

    fn atom(&self, atom: &Atom) -> String {
        match *atom {
            Atom::Colour(card, colours) => self.colour(card, colours),
            Atom::Same(a, b) => {
                let both = |c| format!("({} & {})", self.colour(a, Colours::of(c)), self.colour(b, Colours::of(c)));
                join(Colour::ALL.into_iter().map(both), " | ", "false")
            }
            Atom::Grouped => self.grouped(self.notes.layout()),
        }
    }
}

/// The parts joined, in brackets; `empty` if there are none.
fn join(parts: impl Iterator<Item = String>, by: &str, empty: &str) -> String {
    let parts: Vec<String> = parts.collect();
    match &parts[..] {
        [] => empty.to_string(),
        [one] => one.clone(),
        many => format!("({})", many.join(by)),
    }
}
