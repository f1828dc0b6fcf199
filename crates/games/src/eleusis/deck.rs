//! Decks of suits and values, and how their cards are written.

use crate::cards::{Card, CardSet};

/// A suit: its letter, its name, whether it is red.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Suit {
    /// How it is written in a card.
    pub letter: char,
    /// Its name, in the plural.
    pub name: &'static str,
    /// Whether it is red; the others are black.
    pub red: bool,
}

const STANDARD: [Suit; 4] = [
    Suit { letter: 'C', name: "clubs", red: false },
    Suit { letter: 'D', name: "diamonds", red: true },
    Suit { letter: 'H', name: "hearts", red: true },
    Suit { letter: 'S', name: "spades", red: false },
];

const TWO: [Suit; 2] =
    [Suit { letter: 'R', name: "reds", red: true }, Suit { letter: 'B', name: "blacks", red: false }];

/// Ranks as letters, ace first.
const RANKS: [char; 13] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];

/// Every combination of a suit and a value from 1 on. Cards are in the order of their ranks, then of the suits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deck {
    suits: &'static [Suit],
    values: u8,
}

impl Deck {
    /// The 52 cards: ace (1) to king (13) of clubs, diamonds, hearts, spades.
    pub const STANDARD: Deck = Deck { suits: &STANDARD, values: 13 };

    /// The cards of two suits, `R` and `B`, with values from 1 on: the small decks for exhaustive questions.
    /// `None` if there are no values, or more than 13.
    pub fn two_suits(values: u8) -> Option<Deck> {
        (1..=13).contains(&values).then_some(Deck { suits: &TWO, values })
    }

    /// Its suits.
    pub fn suits(&self) -> &'static [Suit] {
        self.suits
    }

    /// Its highest rank.
    pub fn values(&self) -> u8 {
        self.values
    }

    /// How many cards it has.
    pub fn size(&self) -> usize {
        self.suits.len() * self.values as usize
    }

    /// All its cards.
    pub fn all(&self) -> CardSet {
        CardSet::first(self.size())
    }

    /// The card of a rank (from 1 on) and a suit (by its place).
    pub fn card(&self, rank: u8, suit: usize) -> Card {
        debug_assert!((1..=self.values).contains(&rank) && suit < self.suits.len());
        Card((rank - 1) * self.suits.len() as u8 + suit as u8)
    }

    /// The rank of a card, ace = 1.
    pub fn rank(&self, card: Card) -> u8 {
        card.0 / self.suits.len() as u8 + 1
    }

    /// The place of the card's suit.
    pub fn suit(&self, card: Card) -> usize {
        card.index() % self.suits.len()
    }

    /// Whether the card is red.
    pub fn is_red(&self, card: Card) -> bool {
        self.suits[self.suit(card)].red
    }

    /// The cards with a property.
    pub fn filter(&self, test: impl Fn(Card) -> bool) -> CardSet {
        self.all().iter().filter(|&card| test(card)).collect()
    }

    /// The red cards.
    pub fn red(&self) -> CardSet {
        self.filter(|card| self.is_red(card))
    }

    /// The cards of a suit.
    pub fn of_suit(&self, suit: usize) -> CardSet {
        self.filter(|card| self.suit(card) == suit)
    }

    /// The cards whose rank has a property.
    pub fn ranks(&self, test: impl Fn(u8) -> bool) -> CardSet {
        self.filter(|card| test(self.rank(card)))
    }

    fn is_standard(&self) -> bool {
        self.suits.len() == STANDARD.len()
    }

    /// How a rank is written.
    pub fn write_rank(&self, rank: u8) -> String {
        if self.is_standard() { RANKS[rank as usize - 1].to_string() } else { rank.to_string() }
    }

    /// How the card is written: `7C`, `TD`, `AS`; with the two suits `R3`.
    pub fn write(&self, card: Card) -> String {
        let letter = self.suits[self.suit(card)].letter;
        let rank = self.write_rank(self.rank(card));
        if self.is_standard() { format!("{rank}{letter}") } else { format!("{letter}{rank}") }
    }

    /// The card that is written so: rank and suit in either order, `10` for `T` too, in any case.
    pub fn read(&self, text: &str) -> Option<Card> {
        let text = text.trim().to_uppercase();
        let (first, last) = (text.chars().next()?, text.chars().last()?);
        let suit_of = |letter: char| self.suits.iter().position(|suit| suit.letter == letter);
        let (suit, rank) = match suit_of(last) {
            Some(suit) => (suit, &text[..text.len() - last.len_utf8()]),
            None => (suit_of(first)?, &text[first.len_utf8()..]),
        };
        Some(self.card(self.read_rank(rank)?, suit))
    }

    /// The rank that is written so: a number, or A, T, J, Q, K in the standard deck.
    pub fn read_rank(&self, text: &str) -> Option<u8> {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let rank = match text.parse::<u8>() {
            Ok(number) if digits => number,
            _ if self.is_standard() => {
                let text = text.to_uppercase();
                RANKS.iter().position(|r| text.chars().eq([*r]))? as u8 + 1
            }
            _ => return None,
        };
        (1..=self.values).contains(&rank).then_some(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_read_as_written() {
        for deck in [Deck::STANDARD, Deck::two_suits(3).expect("three values")] {
            for card in deck.all().iter() {
                assert_eq!(deck.read(&deck.write(card)), Some(card));
                assert_eq!(deck.card(deck.rank(card), deck.suit(card)), card);
            }
        }
        assert_eq!(Deck::STANDARD.read("10d"), Deck::STANDARD.read("TD"));
        assert_eq!(Deck::STANDARD.read("14D"), None);
        assert_eq!(Deck::STANDARD.read("7X"), None);
        assert_eq!(Deck::STANDARD.read(""), None);
        assert_eq!(Deck::STANDARD.read("+7C"), None);
    }

    #[test]
    fn the_order_is_rank_then_clubs_diamonds_hearts_spades() {
        let written: Vec<String> = Deck::STANDARD.all().iter().take(5).map(|card| Deck::STANDARD.write(card)).collect();
        assert_eq!(written, ["AC", "AD", "AH", "AS", "2C"]);
    }
}
