//! How the premises and rules of proofs are said.

use super::atoms::{Atom, Fact, cards, colours};
use super::memory::{Noted, Notes, Premise};
use super::rules::Rule;
use crate::cards::CardSet;
use crate::game::Seat;
use crate::knowledge::proof::Telling;
use crate::knowledge::words;
use crate::yokai::colour::{CARDS, Colouring, Colours};
use crate::yokai::convention::What;
use ken_logic::text::listed;
use serde_json::{Value, json};

impl Noted {
    /// The premise as a sentence without its full stop; `seat` is whose it is.
    pub fn words(&self, seat: Seat) -> String {
        let when = self.event.map_or(String::new(), |event| format!(" (event {event})"));
        let text = match self.premise {
            Premise::Look(card, colour) => format!("seat {seat} saw that card {} is {colour}", card.0 + 1),
            Premise::Hint(card, hint) => format!("the hint on card {} says {}", card.0 + 1, colours(hint)),
            Premise::Told(card, told) => format!("it was told that card {} is {}", card.0 + 1, colours(told)),
            Premise::Same(a, b) => format!("it was announced that {}", Atom::Same(a, b).words(true)),
            Premise::Joins(card, others) => format!("it was told that {}", What::Joins(card, others).words()),
            Premise::WentOn(_) => "the match went on after a move, so not every colour was connected".to_string(),
            Premise::Shown(card, colour) => format!("the end showed that card {} is {colour}", card.0 + 1),
            Premise::Looked(seat, card) => format!("seat {seat} looked at card {}", card.0 + 1),
        };
        text + &when
    }
}

impl Telling for Notes {
    /// Cards of the same colours together.
    fn tell(&self, facts: &[Fact]) -> String {
        let mut sets: Vec<(Colours, CardSet)> = Vec::new();
        let mut rest: Vec<String> = Vec::new();
        for fact in facts {
            match fact {
                Fact::Atom(Atom::Colour(card, set)) => match sets.iter_mut().find(|(of, _)| of == set) {
                    Some((_, cards)) => *cards = cards.with(*card),
                    None => sets.push((*set, CardSet::of(*card))),
                },
                other => rest.push(words(self, other, &self.voice())),
            }
        }
        let one = |&(set, of): &(Colours, CardSet)| {
            let are = if of.len() == 1 { "is" } else { "are" };
            match Colours::ALL.minus(set).single() {
                Some(colour) => format!("{} {are} not {colour}", cards(of)),
                None => format!("{} {are} {}", cards(of), colours(set)),
            }
        };
        let parts: Vec<String> = sets.iter().map(one).chain(rest).collect();
        parts.join("; ")
    }

    fn premises(&self, premises: &[Noted], _: &[Fact]) -> String {
        let mut events: Vec<usize> = premises.iter().filter_map(|noted| noted.event).collect();
        events.sort_unstable();
        events.dedup();
        let when = match events.len() {
            0 => String::new(),
            1 => format!("event {}: ", listed(events, "and")),
            _ => format!("events {}: ", listed(events, "and")),
        };
        let what = match premises.first().map(|noted| noted.premise) {
            Some(Premise::Look(..)) => format!("seat {} looked", self.seat()),
            Some(Premise::Hint(..)) if premises.len() == 1 => "its hint says so".to_string(),
            Some(Premise::Hint(..)) => "their hints say so".to_string(),
            Some(Premise::Told(..) | Premise::Joins(..)) => "it was told".to_string(),
            Some(Premise::Same(..)) => "it was announced".to_string(),
            Some(Premise::WentOn(_)) => "the match went on".to_string(),
            Some(Premise::Shown(..)) => "the end showed it".to_string(),
            Some(Premise::Looked(seat, _)) => {
                let at = premises.iter().filter_map(|noted| match noted.premise {
                    Premise::Looked(by, card) if by == seat => Some(card),
                    _ => None,
                });
                format!("seat {seat} looked at {}", cards(at.collect()))
            }
            None => String::new(),
        };
        format!("{when}{what}")
    }

    fn reason(&self, rule: &Rule, by: &str, facts: &[Fact]) -> String {
        let lead = if by.is_empty() { String::new() } else { format!("by {by}: ") };
        match *rule {
            Rule::Left if facts == [Fact::GROUPED.negated()] => {
                format!("{lead}the cards cannot be cut into connected fours that fit")
            }
            Rule::Left if by.is_empty() => String::new(),
            Rule::Left => format!("by {by}"),
            Rule::Full(set, of) => match (set.single(), Colours::ALL.minus(set).single()) {
                (Some(colour), _) => format!("{lead}{} are the four {colour} ones", cards(of)),
                (None, Some(colour)) => format!("{lead}no other card can be {colour}"),
                (None, None) => format!("{lead}{} are all that are {}", cards(of), colours(set)),
            },
            Rule::Same(a, b) => format!("{lead}{} have the same colour", cards(CardSet::of(a).with(b))),
            Rule::Joins(card, others) => format!("{lead}it was told that {}", What::Joins(card, others).words()),
            Rule::Crowded(set, of) if set.is_empty() => format!("{lead}no colour is left for {}", cards(of)),
            Rule::Crowded(set, of) => {
                format!("{lead}{} would be {}, and there are only {}", cards(of), colours(set), 4 * set.len())
            }
            Rule::Ended(_) => format!("{lead}every colour would have been connected and the match over"),
            Rule::Split(_) => self.split(rule),
            Rule::Exchange(..) | Rule::World(_) => self.change(rule),
        }
    }

    fn split(&self, rule: &Rule) -> String {
        match rule {
            Rule::Split(card) => format!("card {} has one of its colours", card.0 + 1),
            Rule::Left
            | Rule::Full(..)
            | Rule::Same(..)
            | Rule::Joins(..)
            | Rule::Crowded(..)
            | Rule::Ended(_)
            | Rule::Exchange(..)
            | Rule::World(_) => String::new(),
        }
    }

    fn change(&self, rule: &Rule) -> String {
        match rule {
            Rule::Exchange(a, b) => format!("{} exchanged", cards(CardSet::of(*a).with(*b))),
            Rule::World(colouring) => format!("the colours {}", row(colouring)),
            Rule::Left
            | Rule::Full(..)
            | Rule::Same(..)
            | Rule::Joins(..)
            | Rule::Crowded(..)
            | Rule::Ended(_)
            | Rule::Split(_) => String::new(),
        }
    }

    fn denied(&self, _: &Noted) -> String {
        String::new()
    }

    fn name(&self, rule: &Rule) -> &'static str {
        match rule {
            Rule::Left => "colours left",
            Rule::Full(..) => "colours full",
            Rule::Same(..) => "same colour",
            Rule::Joins(..) => "one of these colours",
            Rule::Crowded(..) => "too many",
            Rule::Ended(_) => "would have ended",
            Rule::Split(_) => "colours of a card",
            Rule::Exchange(..) => "exchange",
            Rule::World(_) => "other colours",
        }
    }

    fn event(&self, rule: &Rule) -> Option<usize> {
        let wanted = match *rule {
            Rule::Same(a, b) => Premise::Same(a, b),
            Rule::Joins(card, others) => Premise::Joins(card, others),
            Rule::Ended(layout) => Premise::WentOn(layout),
            Rule::Left | Rule::Full(..) | Rule::Crowded(..) | Rule::Split(_) | Rule::Exchange(..) | Rule::World(_) => {
                return None;
            }
        };
        self.noted().iter().find(|noted| noted.premise == wanted).and_then(|noted| noted.event)
    }

    fn event_number(&self, event: usize) -> usize {
        event
    }

    fn premise_data(&self, premise: &Noted) -> Value {
        let kind = match premise.premise {
            Premise::Look(..) => "look",
            Premise::Hint(..) => "hint",
            Premise::Told(..) => "told",
            Premise::Same(..) => "same",
            Premise::Joins(..) => "joins",
            Premise::WentOn(_) => "went on",
            Premise::Shown(..) => "shown",
            Premise::Looked(..) => "looked",
        };
        json!({"kind": kind, "says": premise.words(self.seat())})
    }
}

/// The colours as letters in the order of the cards, four and four.
pub fn row(colouring: &Colouring) -> String {
    let letters: String = colouring.colours().iter().map(|c| c.letter()).collect();
    let fours: Vec<&str> = (0..CARDS).step_by(4).map(|i| &letters[i..i + 4]).collect();
    fours.join(" ")
}
