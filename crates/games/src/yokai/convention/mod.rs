//! Conventions as data: what a move of each kind tells beyond what it shows.
//!
//! A convention says of every kind of move (first look, second look, move, mark, activation, stop) which of a few closed
//! meanings it has. From it and from what everybody saw follow the same premises for everybody: [`Reader`] collects them.
//! A person agrees on one before the deal, a player announces the one by which it reads and the one that it keeps, the
//! inspector assumes one. Nothing that a convention says is certain: it is as certain as the seats keep it.
//!
//! | file | one line |
//! |---|---|
//! | `mod` | the meanings, and the conventions that the program comes with |
//! | `read` | conventions as JSON, read with all problems and their places |
//! | `tell` | what was told: a fold of what everybody saw |
//! | `words` | conventions and what is told, in sentences |

mod read;
mod tell;
mod words;

pub use read::{convention, of_data};
pub use tell::{Reader, Told, What};
pub use words::Maker;

use super::rules::Stage;
use crate::cards::{Card, CardSet};
use crate::yokai::colour::CARDS;
use std::sync::LazyLock;

/// What moves tell beyond what they show. First looks and activations tell nothing in any convention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Convention {
    /// The second look of a turn.
    pub second_look: Looks,
    /// The move of a card.
    pub moves: Moves,
    /// A mark.
    pub marks: Marks,
    /// A stop.
    pub stop: Stops,
}

/// What the second look of a turn tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Looks {
    /// Nothing.
    #[default]
    Nothing,
    /// The colour of the first card, by the common code.
    Code,
}

/// What a move tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Moves {
    /// Nothing.
    #[default]
    Nothing,
    /// A card that its mover knows, laid beside cards that its mover knows, has the colour of one of them.
    Joins {
        /// Which cards count as known to a seat.
        known: Known,
        /// When it is told.
        when: When,
    },
    /// The colour of the second card looked at, by the common code.
    Code,
}

/// Which cards are known to a seat, as everybody sees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Known {
    /// Those that it looked at.
    pub looked: bool,
    /// Those that a hint of one colour marks, where the mark tells that it is proper.
    pub marked: bool,
    /// Those that were joined to one other card of which it knows the colour, and the other way round.
    pub joined: bool,
}

/// When something is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// By every move of the kind.
    Always,
    /// If the seat could have done something that tells nothing, so that nobody is forced to tell what is not so.
    Voluntary,
}

/// What a mark tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Marks {
    /// Nothing.
    #[default]
    Nothing,
    /// Its card has a colour of its hint.
    Proper {
        /// When it is told.
        when: When,
        /// Whether it is told too that the card has no colour of a smaller hint that was active: else that one would
        /// have been used.
        smaller_excluded: bool,
    },
}

/// What a stop tells. The end shows all colours, so nothing follows from it any more: it is what a player promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stops {
    /// Nothing.
    #[default]
    Nothing,
    /// That the win follows from what the seat saw and was told.
    Won,
}

/// The conventions that the program comes with, each with its name, from the one that says least.
static SHIPPED: LazyLock<[(&str, Convention); 4]> = LazyLock::new(|| {
    [
        ("none", include_str!("../conventions/none.json")),
        ("hints", include_str!("../conventions/hints.json")),
        ("natural", include_str!("../conventions/natural.json")),
        ("coded", include_str!("../conventions/coded.json")),
    ]
    .map(|(name, text)| (name, convention(text).expect("what is shipped can be read")))
});

/// What a convention is called that is not one of those that the program comes with.
pub const OWN: &str = "own";

impl Convention {
    /// No move tells anything.
    pub const NONE: Convention =
        Convention { second_look: Looks::Nothing, moves: Moves::Nothing, marks: Marks::Nothing, stop: Stops::Nothing };

    /// Every mark is proper, as the hints say, and nothing else is told: what is assumed unless something is agreed on.
    pub const HINTS: Convention =
        Convention { marks: Marks::Proper { when: When::Always, smaller_excluded: false }, ..Convention::NONE };

    /// The names of the conventions that the program comes with.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// The convention of this name, if the program comes with it.
    pub fn shipped(name: &str) -> Option<Convention> {
        SHIPPED.iter().find(|(other, _)| *other == name).map(|(_, convention)| *convention)
    }

    /// Its name; [`OWN`] if the program does not come with it.
    pub fn name(&self) -> &'static str {
        SHIPPED.iter().find(|(_, other)| other == self).map_or(OWN, |(name, _)| name)
    }

    /// Whether a seat can do something else than to mark this card, so that it need not mark what it is not certain of: it
    /// can while there are hints to activate, and then, on a card that it looked at, as long as there is another to mark
    /// that it did not look at. Everybody sees this.
    pub fn voluntary_mark(stage: &Stage, looked: CardSet, card: Card) -> bool {
        let unseen = CardSet::first(CARDS).minus(stage.marked()).minus(looked);
        stage.available() != [0; 3] || looked.has(card) && !unseen.is_empty()
    }

    /// Whether a mark on the card tells that it is proper, by a seat that looked at these cards.
    pub fn vouches(&self, stage: &Stage, looked: CardSet, card: Card) -> bool {
        match self.marks {
            Marks::Nothing => false,
            Marks::Proper { when: When::Always, .. } => true,
            Marks::Proper { when: When::Voluntary, .. } => Convention::voluntary_mark(stage, looked, card),
        }
    }
}
