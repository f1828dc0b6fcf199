//! The facts about a match: how they are read and said.

use super::Notes;
use crate::cards::{Card, CardSet};
use crate::game::Illegal;
use crate::knowledge::{self, Language, Stands, Voice};
use crate::yokai::colour::{CARDS, Colour, Colours};
use ken_logic::text::listed;

/// A fact about a colouring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The colour of the card is one of these.
    Colour(Card, Colours),
    /// The cards have the same colour.
    Same(Card, Card),
    /// Every colour is connected in the present layout: to stop now wins.
    Grouped,
}

/// A fact about a colouring and about who knows what of it.
pub type Fact = knowledge::Fact<Atom>;

impl knowledge::Fact<Atom> {
    /// Every colour is connected.
    pub const GROUPED: Fact = Fact::Atom(Atom::Grouped);

    /// The colour of the card is one of these.
    pub fn colour(card: Card, colours: Colours) -> Fact {
        Fact::Atom(Atom::Colour(card, colours))
    }

    /// The cards have the same colour.
    pub fn same(a: Card, b: Card) -> Fact {
        Fact::Atom(Atom::Same(a, b))
    }
}

impl Atom {
    /// The cards that it speaks of.
    pub(in crate::yokai) fn mentions(self) -> CardSet {
        match self {
            Atom::Colour(card, _) => CardSet::of(card),
            Atom::Same(a, b) => CardSet::of(a).with(b),
            Atom::Grouped => CardSet::first(CARDS),
        }
    }

    /// The fact, or that it is false, as a part of a sentence.
    pub(super) fn words(self, yes: bool) -> String {
        let pick = |a: &'static str, b: &'static str| if yes { a } else { b };
        match self {
            Atom::Colour(card, set) if set.is_empty() => {
                format!("card {} {} no colour", card.0 + 1, pick("has", "has not"))
            }
            Atom::Colour(card, set) => format!("card {} {} {}", card.0 + 1, pick("is", "is not"), colours(set)),
            Atom::Same(a, b) => {
                format!("{} {} the same colour", cards(CardSet::of(a).with(b)), pick("have", "do not have"))
            }
            Atom::Grouped => format!("{}every colour is connected", pick("", "not ")),
        }
    }
}

/// The cards that a fact speaks of.
pub(super) fn mentions(fact: &Fact) -> CardSet {
    fact.atoms().into_iter().fold(CardSet::EMPTY, |all, atom| all.or(atom.mentions()))
}

/// Whether a fact speaks of how the cards lie.
pub(in crate::yokai) fn mentions_layout(fact: &Fact) -> bool {
    fact.atoms().contains(&&Atom::Grouped)
}

/// `col(card,colours)`, `same(card,card)`, `proper(card)` and `grouped`; colours are a name or letters: `red`, `rg`.
impl Language for Notes {
    type Atom = Atom;

    fn seats(&self) -> u8 {
        2
    }

    fn facts(&self) -> &'static [(&'static str, &'static str)] {
        &[("col", "card,colours"), ("same", "card,card"), ("proper", "card"), ("grouped", "")]
    }

    fn fact(&self, word: &str, arguments: &[&str]) -> Result<Fact, Illegal> {
        let card = |text: &str| {
            let number = text.trim().parse().ok().filter(|n: &u8| (1..=CARDS as u8).contains(n));
            let wrong = || Illegal::new(format!("there is no card `{text}`")).help("the cards are 1 to 16");
            number.map(|n| Card(n - 1)).ok_or_else(wrong)
        };
        let colours = |text: &str| {
            let found = Colour::read(text).map(Colours::of).or_else(|| Colours::read(text)).filter(|c| !c.is_empty());
            let help = "red, green, blue, yellow, or letters: rg is red or green";
            found.ok_or_else(|| Illegal::new(format!("there is no colour `{text}`")).help(help))
        };
        match (word, arguments) {
            ("col", [number, set]) => Ok(Fact::colour(card(number)?, colours(set)?)),
            ("same", [a, b]) => match (card(a)?, card(b)?) {
                (a, b) if a == b => Ok(Fact::Const(true)),
                (a, b) => Ok(Fact::same(a, b)),
            },
            ("proper", [number]) => {
                let marked = card(number)?;
                let wrong = || Illegal::new(format!("card {number} is not marked with a hint"));
                self.marks()[marked.index()].map(|hint| Fact::colour(marked, hint)).ok_or_else(wrong)
            }
            _ => Ok(Fact::GROUPED),
        }
    }

    fn allows(&self, action: &str, stands: Stands) -> Result<(), Illegal> {
        match stands {
            Stands::First | Stands::InMind => self.what_if(action).map(|_| ()),
            Stands::Later => self.read_move(action).map(|_| ()),
        }
    }

    fn write(&self, atom: &Atom) -> String {
        match atom {
            Atom::Colour(card, set) => match set.single() {
                Some(colour) => format!("col({},{colour})", card.0 + 1),
                None => format!("col({},{set})", card.0 + 1),
            },
            Atom::Same(a, b) => format!("same({},{})", a.0 + 1, b.0 + 1),
            Atom::Grouped => "grouped".to_string(),
        }
    }

    fn say(&self, atom: &Atom, yes: bool, _: &Voice) -> String {
        atom.words(yes)
    }
}

/// `card 3`, `cards 3 and 7`, `cards 1, 3 and 7`.
pub(super) fn cards(set: CardSet) -> String {
    let s = if set.len() == 1 { "" } else { "s" };
    format!("card{s} {}", listed(set.iter().map(|c| c.0 + 1), "and"))
}

/// `red or green`.
pub(super) fn colours(set: Colours) -> String {
    if set.is_empty() { "no colour".to_string() } else { listed(set.iter(), "or") }
}
