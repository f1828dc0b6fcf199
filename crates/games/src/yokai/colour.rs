//! Colours, sets of colours, hints and colourings.
//!
//! A *hint* is a set of one to three colours: fourteen in all, of which seven lie in a match (two of one colour, three of
//! two, two of three). A *colouring* gives each of the sixteen cards its colour, four cards to a colour: there are
//! 16! / (4!)⁴ = 63,063,000.

use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use std::fmt;

/// How many cards lie on the table.
pub const CARDS: usize = 16;

/// How many colourings there are.
pub const COLOURINGS: u64 = 63_063_000;

/// The colour of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
}

impl Colour {
    /// The four colours.
    pub const ALL: [Colour; 4] = [Colour::Red, Colour::Green, Colour::Blue, Colour::Yellow];

    /// The colour as an index.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Colour::Red => "red",
            Colour::Green => "green",
            Colour::Blue => "blue",
            Colour::Yellow => "yellow",
        }
    }

    /// Its letter.
    pub fn letter(self) -> char {
        match self {
            Colour::Red => 'r',
            Colour::Green => 'g',
            Colour::Blue => 'b',
            Colour::Yellow => 'y',
        }
    }

    /// The colour of this name or letter, in any case.
    pub fn read(text: &str) -> Option<Colour> {
        Colour::ALL.into_iter().find(|c| {
            c.name().eq_ignore_ascii_case(text) || text.len() == 1 && text.to_ascii_lowercase().starts_with(c.letter())
        })
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of colours; with one to three colours it is a hint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Colours(u8);

/// The colours on a hint, one to three.
pub type Hint = Colours;

impl Colours {
    /// No colour.
    pub const NONE: Colours = Colours(0);
    /// All four.
    pub const ALL: Colours = Colours(0b1111);
    /// The fourteen hints, the smaller first.
    pub const HINTS: [Hint; 14] = [
        Colours(0b0001),
        Colours(0b0010),
        Colours(0b0100),
        Colours(0b1000),
        Colours(0b0011),
        Colours(0b0101),
        Colours(0b0110),
        Colours(0b1001),
        Colours(0b1010),
        Colours(0b1100),
        Colours(0b0111),
        Colours(0b1011),
        Colours(0b1101),
        Colours(0b1110),
    ];

    /// The set of one colour.
    pub fn of(colour: Colour) -> Colours {
        Colours(1 << colour as u8)
    }

    /// The set whose members are these bits, red the lowest.
    pub fn from_bits(bits: u8) -> Colours {
        Colours(bits & 0b1111)
    }

    /// Its members as bits, red the lowest.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// How many colours it has.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the colour is in it.
    pub fn has(self, colour: Colour) -> bool {
        self.0 >> colour as u8 & 1 == 1
    }

    /// The set with the colour.
    #[must_use]
    pub fn with(self, colour: Colour) -> Colours {
        Colours(self.0 | 1 << colour as u8)
    }

    /// What is in both.
    #[must_use]
    pub fn and(self, other: Colours) -> Colours {
        Colours(self.0 & other.0)
    }

    /// What is in this and not in the other.
    #[must_use]
    pub fn minus(self, other: Colours) -> Colours {
        Colours(self.0 & !other.0)
    }

    /// Its only colour, if it has just one.
    pub fn single(self) -> Option<Colour> {
        (self.len() == 1).then(|| Colour::ALL[self.0.trailing_zeros() as usize])
    }

    /// Its colours.
    pub fn iter(self) -> impl Iterator<Item = Colour> {
        Colour::ALL.into_iter().filter(move |&c| self.has(c))
    }

    /// Reads letters: `rg` is red and green.
    pub fn read(text: &str) -> Option<Colours> {
        let mut colours = Colours::NONE;
        for letter in text.chars() {
            let colour = Colour::ALL.into_iter().find(|c| c.letter() == letter.to_ascii_lowercase())?;
            if colours.has(colour) {
                return None;
            }
            colours = colours.with(colour);
        }
        Some(colours)
    }

    /// Whether it is a hint: one to three colours.
    pub fn is_hint(self) -> bool {
        (1..=3).contains(&self.len())
    }
}

impl FromIterator<Colour> for Colours {
    fn from_iter<I: IntoIterator<Item = Colour>>(colours: I) -> Colours {
        colours.into_iter().fold(Colours::NONE, Colours::with)
    }
}

impl fmt::Display for Colours {
    /// Letters: `rg`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|c| write!(f, "{}", c.letter()))
    }
}

impl fmt::Debug for Colours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// The colour of every card, four cards to a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Colouring([Colour; CARDS]);

impl Colouring {
    /// The colouring with these colours; `None` unless four cards have each.
    pub fn new(colours: [Colour; CARDS]) -> Option<Colouring> {
        let four = |c: Colour| colours.iter().filter(|&&d| d == c).count() == 4;
        Colour::ALL.into_iter().all(four).then_some(Colouring(colours))
    }

    /// A random one, all equally likely.
    pub fn deal(dice: &mut Dice) -> Colouring {
        let mut colours = std::array::from_fn(|i| Colour::ALL[i / 4]);
        dice.shuffle(&mut colours);
        Colouring(colours)
    }

    /// The colour of a card.
    pub fn of(&self, card: Card) -> Colour {
        self.0[card.index()]
    }

    /// The cards of a colour.
    pub fn cards(&self, colour: Colour) -> CardSet {
        (0..CARDS as u8).map(Card).filter(|&c| self.of(c) == colour).collect()
    }

    /// The colours in the order of the cards.
    pub fn colours(&self) -> &[Colour; CARDS] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_fourteen_hints_and_each_reads_back() {
        for hint in Colours::HINTS {
            assert!(hint.is_hint());
            assert_eq!(Colours::read(&hint.to_string()), Some(hint));
        }
        assert_eq!([1, 2, 3].map(|n| Colours::HINTS.iter().filter(|h| h.len() == n).count()), [4, 6, 4]);
        assert_eq!(Colours::read("rr"), None);
        assert_eq!(Colours::read("x"), None);
    }

    #[test]
    fn a_colouring_has_four_cards_of_each_colour() {
        let dealt = Colouring::deal(&mut Dice::new(3));
        assert!(Colour::ALL.into_iter().all(|c| dealt.cards(c).len() == 4));
        assert_eq!(Colouring::new(*dealt.colours()), Some(dealt));
        assert_eq!(Colouring::new([Colour::Red; CARDS]), None);
    }
}
