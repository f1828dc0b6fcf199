//! Conventions and what is told, in sentences.

use super::{Convention, Known, Looks, Marks, Moves, Stops, What, When};
use crate::cards::CardSet;
use crate::yokai::colour::Colours;
use ken_logic::text::listed;

/// Who makes the moves that are spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// Who is spoken to.
    You,
    /// Who speaks.
    Me,
    /// Anybody at the table.
    Seat,
}

impl Maker {
    /// The words for the maker: alone, whose, and with the verbs.
    fn own(self) -> &'static str {
        match self {
            Maker::You => "your",
            Maker::Me => "my",
            Maker::Seat => "a seat's",
        }
    }

    fn knows(self) -> &'static str {
        match self {
            Maker::You => "you know",
            Maker::Me => "I know",
            Maker::Seat => "its mover knows",
        }
    }

    fn looked(self) -> &'static str {
        match self {
            Maker::You => "you looked",
            Maker::Me => "I looked",
            Maker::Seat => "the mover looked",
        }
    }

    fn forced(self) -> &'static str {
        match self {
            Maker::You => "you were not forced to make",
            Maker::Me => "I was not forced to make",
            Maker::Seat => "nobody was forced to make",
        }
    }
}

impl Known {
    fn words(self, maker: Maker) -> String {
        let ways = [
            (self.looked, format!("{} at it", maker.looked())),
            (self.marked, "a hint of one colour marks it".to_string()),
            (self.joined, "it was joined to such a card".to_string()),
        ];
        listed(ways.into_iter().filter(|(is, _)| *is).map(|(_, words)| words), "or")
    }
}

impl Convention {
    /// What moves tell, a clause for each kind of move that tells anything.
    pub fn clauses(&self, maker: Maker) -> Vec<String> {
        let mut clauses = Vec::new();
        match self.marks {
            Marks::Nothing => {}
            Marks::Proper { when, smaller_excluded } => {
                let which = match when {
                    When::Always => String::new(),
                    When::Voluntary => format!(" that {}", maker.forced()),
                };
                let smaller = if smaller_excluded { " and none of a smaller hint that was active" } else { "" };
                clauses.push(format!("a mark{which} says that its card has a colour of its hint{smaller}"));
            }
        }
        match self.second_look {
            Looks::Nothing => {}
            Looks::Code => clauses.push(format!(
                "{} second look tells the colour of the first card, by the code that both can work out",
                maker.own()
            )),
        }
        match self.moves {
            Moves::Nothing => {}
            Moves::Code => {
                clauses.push(format!("{} move tells the colour of the second card, by the same code", maker.own()));
            }
            Moves::Joins { known, when } => {
                let unless = match when {
                    When::Always => "",
                    When::Voluntary => ", unless every move would say such a thing",
                };
                clauses.push(format!(
                    "a moved card that {} ({}) has the colour of one of the known cards that it comes to touch{unless}",
                    maker.knows(),
                    known.words(maker)
                ));
            }
        }
        clauses
    }

    /// What an answer rests on that assumes the convention, as a sentence.
    pub fn rests(&self) -> String {
        let clauses = self.clauses(Maker::Seat);
        if clauses.is_empty() {
            return "Only looks count: nothing is read into hints or moves.".to_string();
        }
        if *self == Convention::HINTS {
            return "As certain as the hints: a marked card is taken to have a colour of its hint.".to_string();
        }
        format!("As certain as {}: {}.", self.title(), clauses.join("; "))
    }

    /// What it is called in a sentence.
    pub fn title(&self) -> String {
        let hints = if self.marks == Marks::Nothing { "" } else { "the hints and " };
        match self.name() {
            super::OWN => format!("{hints}the convention of this table"),
            name => format!("{hints}the {name} convention"),
        }
    }

    /// How somebody who reads by it reads the moves of whom it speaks to, as a sentence.
    pub fn reads(&self) -> String {
        match &self.clauses(Maker::You)[..] {
            [] => "I read nothing into what you do, not even into your marks.".to_string(),
            clauses => format!("I read your moves so: {}; whatever else you do tells me nothing.", clauses.join("; ")),
        }
    }

    /// What the moves of somebody mean who keeps it and reads by another, as a sentence.
    pub fn keeps(&self, reads: &Convention) -> String {
        let told = match &self.clauses(Maker::Me)[..] {
            [] => "What I do tells you nothing beyond what you see".to_string(),
            _ if self.clauses(Maker::Me) == reads.clauses(Maker::Me) => "My own moves mean the same to you".to_string(),
            clauses => format!("Of my own moves: {}", clauses.join("; ")),
        };
        match self.stop {
            Stops::Nothing => format!("{told}."),
            Stops::Won => format!("{told}; I stop only when the win follows from what I saw and was told."),
        }
    }
}

impl What {
    /// What is told, as a clause.
    pub fn words(self) -> String {
        let colours = |colours: Colours| listed(colours.iter().map(|colour| colour.name()), "or");
        match self {
            What::Proper(card, hint) => format!("card {} is {}", card.0 + 1, colours(hint)),
            What::Among(card, set) => format!("card {} is {}", card.0 + 1, colours(set)),
            What::Coded(card, colour) => format!("card {} is {colour}", card.0 + 1),
            What::Joins(card, others) => format!("card {} has the colour of {}", card.0 + 1, cards(others)),
        }
    }
}

/// `card 3 or card 9`.
fn cards(set: CardSet) -> String {
    listed(set.iter().map(|card| format!("card {}", card.0 + 1)), "or")
}
