//! The rules that people really play, as texts of our rule language.
//!
//! A duplicate is a rule with the meaning of an earlier one; it keeps its name, because its source has it.

use std::sync::OnceLock;

use super::deck::Deck;
use super::rule::Rule;

/// What a rule remembers of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Nothing: the next card alone decides.
    Window0,
    /// The previous card.
    Window1,
    /// The last two cards.
    Window2,
    /// A fixed number of cards, more than two.
    WindowK,
    /// How many cards lie, or that number's remainder.
    Position,
    /// How many cards of a kind lie, as a remainder.
    CountMod,
    /// Something else about the whole line.
    Memory,
}

impl Class {
    /// All classes.
    pub const ALL: [Class; 7] = [
        Class::Window0,
        Class::Window1,
        Class::Window2,
        Class::WindowK,
        Class::Position,
        Class::CountMod,
        Class::Memory,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Window0 => "window-0",
            Class::Window1 => "window-1",
            Class::Window2 => "window-2",
            Class::WindowK => "window-k",
            Class::Position => "position",
            Class::CountMod => "count-mod",
            Class::Memory => "memory",
        }
    }

    /// How hard its simplest rules are.
    fn base(self) -> u8 {
        match self {
            Class::Window0 => 1,
            Class::Window1 => 2,
            Class::Window2 | Class::Position | Class::CountMod | Class::Memory => 3,
            Class::WindowK => 4,
        }
    }
}

/// A rule of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Its name.
    pub id: &'static str,
    /// What it remembers.
    pub class: Class,
    /// The earlier rule of the same meaning, if there is one.
    pub same_as: Option<&'static str>,
    /// The share of the deck that it accepts along random lines, as [`Automaton::measure`] finds it: written down,
    /// because one rule of the file takes seconds to measure.
    ///
    /// [`Automaton::measure`]: super::automaton::Automaton::measure
    pub permissiveness: f64,
    /// The rule text.
    pub text: &'static str,
    /// The rule in plain words.
    pub words: &'static str,
    /// Where the idea comes from.
    pub source: &'static str,
}

impl Entry {
    /// The rule, over the 52 cards.
    pub fn rule(&self) -> Rule {
        Rule::parse(self.text, &Deck::STANDARD).expect("the texts of the library are tested")
    }

    /// Whether it is one of the 26 rules of the published benchmark for language models.
    pub fn benchmark(&self) -> bool {
        self.id.starts_with("hf-")
    }

    /// Whether it belongs to the third that is kept for the last measurement: the hash of the name, or of the name
    /// of its original, is a multiple of 3.
    pub fn held_back(&self) -> bool {
        fnv(self.same_as.unwrap_or(self.id)).is_multiple_of(3)
    }

    /// From 1 (easy) to 5: 1 without memory, 2 for the previous card, 3 for positions, two cards and memory, 4 for
    /// longer windows; one more for a text of more than 9 words, two more beyond 18.
    pub fn difficulty(&self) -> u8 {
        let words = self.text.split_whitespace().count();
        (self.class.base() + u8::from(words > 9) + u8::from(words > 18)).min(5)
    }
}

/// FNV-1a, 64 bit.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// All rules, in the order of the file.
pub fn rules() -> &'static [Entry] {
    static RULES: OnceLock<Vec<Entry>> = OnceLock::new();
    RULES.get_or_init(|| {
        let lines = include_str!("library.txt").lines().filter(|line| !line.starts_with('#'));
        lines.filter_map(entry).collect()
    })
}

fn entry(line: &'static str) -> Option<Entry> {
    let mut fields = line.split(" | ");
    let mut field = || fields.next();
    let (id, class, same_as) = (field()?, field()?, field()?);
    Some(Entry {
        id,
        class: Class::ALL.into_iter().find(|c| c.name() == class)?,
        same_as: Some(same_as).filter(|name| *name != "-"),
        permissiveness: field()?.parse().ok()?,
        text: field()?,
        words: field()?,
        source: field()?,
    })
}

/// The rule of this name.
pub fn find(id: &str) -> Option<&'static Entry> {
    rules().iter().find(|entry| entry.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_a_rule() {
        let lines = include_str!("library.txt").lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(rules().len(), lines);
        assert_eq!(rules().len(), 168);
        let mut wrong = Vec::new();
        for entry in rules() {
            if let Err(problems) = Rule::parse(entry.text, &Deck::STANDARD) {
                wrong.push((entry.id, entry.text, problems));
            }
            assert_eq!(find(entry.id), Some(entry), "two rules are called {}", entry.id);
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    #[test]
    fn a_third_is_held_back_and_a_duplicate_follows_its_original() {
        assert_eq!(fnv("a"), 0xaf63_dc4c_8601_ec8c);
        let distinct: Vec<&Entry> = rules().iter().filter(|entry| entry.same_as.is_none()).collect();
        let held = distinct.iter().filter(|entry| entry.held_back()).count();
        assert!((distinct.len() / 4..distinct.len() / 2).contains(&held), "{held} of {}", distinct.len());
        for entry in rules() {
            if let Some(original) = entry.same_as {
                let original = find(original).expect("the original is in the library");
                assert_eq!(entry.held_back(), original.held_back());
                assert_eq!(original.same_as, None);
            }
        }
    }

    #[test]
    fn the_benchmark_has_its_26_rules_and_every_difficulty_occurs() {
        assert_eq!(rules().iter().filter(|entry| entry.benchmark()).count(), 26);
        for level in 1..=5 {
            assert!(rules().iter().any(|entry| entry.difficulty() == level), "nothing of difficulty {level}");
        }
    }
}
