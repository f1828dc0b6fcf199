//! What the targets share.

use ken_games::cards::{Card, CardSet};
use ken_games::dice::Dice;
use ken_logic::syntax::{Diagnostic, Source};

/// How many lines of cards are tried, and how long they get.
const LINES: usize = 4;
const LENGTH: usize = 6;

/// What is wrong with a text can be shown, and something is.
pub fn shown(text: &str, problems: &[Diagnostic]) {
    assert!(!problems.is_empty(), "refused for no reason");
    let source = Source { name: "fuzz", text };
    problems.iter().take(10).for_each(|p| drop(source.render(p)));
}

/// Some lines of accepted cards, each with all its beginnings. Which ones depends on the text alone.
pub fn lines(text: &str, accepted: impl Fn(&[Card]) -> CardSet) -> Vec<Vec<Card>> {
    let seed = text.bytes().fold(1u64, |all, byte| all.wrapping_mul(31).wrapping_add(byte.into()));
    let mut dice = Dice::new(seed);
    let mut lines = Vec::new();
    for _ in 0..LINES {
        let mut line = Vec::new();
        for _ in 0..LENGTH {
            let cards: Vec<Card> = accepted(&line).iter().collect();
            lines.push(line.clone());
            if cards.is_empty() {
                break;
            }
            line.push(cards[dice.below(cards.len())]);
        }
    }
    lines
}
