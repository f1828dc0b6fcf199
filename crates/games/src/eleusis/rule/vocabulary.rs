//! The words of rules, and what those that name cards mean.

use super::super::deck::Deck;
use super::lexer::{Kind, Token};
use crate::cards::CardSet;
use ken_logic::syntax::{Code, Diagnostic};

/// Words for the ranks and small numbers, from 1 on.
const NUMBERS: [&str; 13] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"];
/// The plurals of the number words, as of ranks ("no sixes").
const PLURALS: [&str; 13] = [
    "aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens",
    "kings",
];
const COURT: [(&str, u8); 4] = [("ace", 1), ("jack", 11), ("queen", 12), ("king", 13)];
const ORDINALS: [&str; 13] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
];

/// Every other word that a rule may use.
const WORDS: &str = "a above abs adjacent after again ago all already alternate alternates alternating always among an and \
    another any anything apart are around as at away back be before below besides between black blacks both but by \
    card cards case change changes color colors colour colours composite composites corner count court cycle \
    cycles cyclic cyclically d differ difference different differs did divisible do does each either else end \
    equal equals even every everything except exactly exists face faces false far fewer for from gcd greater had has have high higher \
    highest how if iff implies in is it its larger last latest least less let like line lower lowest many max \
    maximum min minimum minus mod modulo more most multiple must need needs neighbour neighbouring neither never new \
    next no non nor not nothing number numbers odd of on one only opposite or other otherwise over parities \
    parity picture pictures play plus pos position preceding prev previous prime primes product rank ranks \
    recent red reds remainder repeat repeated repeats row rule running same seen should since smaller so some square \
    squares start starter starting succ such suit suits sum take takes than that the then there these this \
    times to top total true turns twice under unless unseen value values was were when where which will \
    with within xor yet";

/// A property of cards by one word.
#[derive(Clone, Debug)]
pub(super) struct Adjective {
    /// The cards that have it.
    pub(super) cards: CardSet,
    /// The numbers that have it, if it is a property of numbers.
    pub(super) numbers: Option<Numbers>,
}

/// A property of numbers.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    /// Even or odd: the remainder by 2.
    Parity(u32),
    /// A multiple of one of these, or of all of them.
    Multiple {
        /// What it is divided by.
        of: Vec<u32>,
        /// Whether each must divide it.
        all: bool,
    },
    /// In one of the ranges, both ends included.
    Among(Vec<(i32, i32)>),
    /// A property of each number by itself, as of primes.
    Such(fn(i64) -> bool),
}

impl Numbers {
    pub(super) fn has(&self, n: i64) -> bool {
        match self {
            Numbers::Parity(rest) => n.rem_euclid(2) == i64::from(*rest),
            Numbers::Multiple { of, all } => {
                let divides = |by: &u32| n.rem_euclid(i64::from(*by)) == 0;
                if *all { of.iter().all(divides) } else { of.iter().any(divides) }
            }
            Numbers::Among(ranges) => ranges.iter().any(|&(low, high)| (i64::from(low)..=i64::from(high)).contains(&n)),
            Numbers::Such(test) => test(n),
        }
    }
}

impl Adjective {
    pub(super) fn of_numbers(deck: &Deck, numbers: Numbers) -> Adjective {
        Adjective { cards: deck.ranks(|rank| numbers.has(i64::from(rank))), numbers: Some(numbers) }
    }
}

fn is_prime(n: i64) -> bool {
    n >= 2 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0)
}

fn is_composite(n: i64) -> bool {
    n >= 4 && !is_prime(n)
}

fn is_square(n: i64) -> bool {
    (1..=n).take_while(|d| d * d <= n).any(|d| d * d == n)
}

/// The face cards: jack, queen, king.
pub(super) fn faces(deck: &Deck) -> CardSet {
    deck.ranks(|rank| rank > 10)
}

/// The cards that an adjective or a noun names, but for ranks: `red`, `even`, `spade`, `faces`.
pub(super) fn adjective(deck: &Deck, word: &str) -> Option<Adjective> {
    let cards = |cards| Some(Adjective { cards, numbers: None });
    let numbers = |numbers| Some(Adjective::of_numbers(deck, numbers));
    match word {
        "red" | "reds" => cards(deck.red()),
        "black" | "blacks" => cards(deck.all().minus(deck.red())),
        "face" | "faces" | "picture" | "pictures" | "court" => cards(faces(deck)),
        "even" => numbers(Numbers::Parity(0)),
        "odd" => numbers(Numbers::Parity(1)),
        "prime" | "primes" => numbers(Numbers::Such(is_prime)),
        "composite" | "composites" => numbers(Numbers::Such(is_composite)),
        "square" | "squares" => numbers(Numbers::Such(is_square)),
        _ => cards(deck.of_suit(suit(deck, word)?)),
    }
}

/// The suit with this name, in the singular or the plural.
pub(super) fn suit(deck: &Deck, word: &str) -> Option<usize> {
    deck.suits().iter().position(|suit| suit.name == word || suit.name.strip_suffix('s') == Some(word))
}

/// The number or rank that a word names.
pub(super) fn number(word: &str) -> Option<u8> {
    let place = |words: &[&str]| words.iter().position(|w| *w == word).map(|at| at as u8 + 1);
    let court = || COURT.iter().find(|(name, _)| *name == word).map(|(_, rank)| *rank);
    place(&NUMBERS).or_else(court).or_else(|| place(&PLURALS))
}

/// Whether the word is a number that can count cards: `two`, not `ace`.
pub(super) fn is_count(word: &str) -> bool {
    NUMBERS.contains(&word)
}

/// What a rank is called: `ace`, `7`, `king`.
pub(super) fn rank_name(rank: u8) -> String {
    COURT.iter().find(|(_, court)| *court == rank).map_or_else(|| rank.to_string(), |(name, _)| (*name).to_string())
}

/// Whether the word names several cards: `hearts`, `kings`, `reds`.
pub(super) fn is_plural(deck: &Deck, word: &str) -> bool {
    let kinds = ["reds", "blacks", "faces", "pictures", "primes", "composites", "squares"];
    PLURALS.contains(&word) || kinds.contains(&word) || deck.suits().iter().any(|suit| suit.name == word)
}

/// Reads `7s` as the sevens: a card is written `7S`. Where that is in doubt (`Ks`, or `7s` beside `8h`) it is refused.
pub(super) fn plurals(text: &str, tokens: &mut [Token], deck: &Deck) -> Option<Diagnostic> {
    let source = |token: &Token| &text[token.span.start as usize..token.span.end as usize];
    let small = |word: &str| word.ends_with(char::is_lowercase) && deck.read(word).is_some();
    let cards = tokens.iter().map(source).any(|word| small(word) && !word.ends_with('s'));
    for token in tokens.iter_mut() {
        let Some(rank) = source(token).strip_suffix('s') else { continue };
        let value = deck.read_rank(rank).filter(|_| !["a", "A"].contains(&rank));
        let Some(plural) = value.and_then(|value| PLURALS.get(usize::from(value) - 1)) else { continue };
        let figures = rank.bytes().all(|b| b.is_ascii_digit());
        if !figures || cards {
            let message = format!("{plural}, or a card of spades?");
            let help = format!("say `{plural}`, or `{}S`", rank.to_uppercase());
            return Some(Diagnostic::new(Code::Syntax, token.span, message).help(help));
        }
        token.kind = Kind::Word((*plural).to_string());
    }
    None
}

/// The place that a word names: `third`, `3rd`.
pub(super) fn ordinal(word: &str) -> Option<u8> {
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
    match &word[digits.len()..] {
        "st" | "nd" | "rd" | "th" => digits.parse().ok().filter(|&n| n > 0),
        _ => ORDINALS.iter().position(|w| *w == word).map(|at| at as u8 + 1),
    }
}

/// How far back a name such as `prev2` reaches.
pub(super) fn back(word: &str) -> Option<u8> {
    let digits = word.strip_prefix("previous").or_else(|| word.strip_prefix("prev"))?;
    if digits.is_empty() { Some(1) } else { digits.parse().ok().filter(|&k| k > 0) }
}

/// Whether the language has the word, apart from single letters and cards.
pub(super) fn known(deck: &Deck, word: &str) -> bool {
    WORDS.split(' ').any(|w| w == word)
        || number(word).is_some()
        || ordinal(word).is_some()
        || back(word).is_some()
        || suit(deck, word).is_some()
}

/// All words, for suggestions.
pub(super) fn all(deck: &Deck) -> impl Iterator<Item = &'static str> {
    let suits = deck.suits().iter().map(|suit| suit.name);
    let court = COURT.iter().map(|(name, _)| *name);
    WORDS.split(' ').filter(|w| w.len() > 2).chain(NUMBERS).chain(court).chain(ORDINALS).chain(suits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cards_mean_the_cards() {
        let size = |word| adjective(&Deck::STANDARD, word).map(|a| a.cards.len());
        assert_eq!(size("spade"), Some(13));
        assert_eq!(size("prime"), Some(24));
        assert_eq!(size("squares"), Some(12));
        assert_eq!(size("composite"), Some(24));
        assert_eq!(size("face"), Some(12));
        assert_eq!(size("spam"), None);
    }
}
