//! *inquirer*: knows all that follows, and chooses its question by what it is expected to tell and its chance to win.

use super::notes::Notes;
use crate::cards::CardSet;
use crate::cluedo::ask::Expected;
use crate::cluedo::position::Position;
use crate::cluedo::rules::{Action, Cluedo, Sight};
use crate::cluedo::worth::{Care, telling};
use crate::dice::Dice;
use crate::game::Player;

/// Exact knowledge and the most useful question.
pub struct Inquirer {
    notes: Notes,
    dice: Dice,
}

impl Inquirer {
    /// A player with its own seed.
    pub fn new(game: &Cluedo, seed: u64) -> Inquirer {
        Inquirer { notes: Notes::new(game), dice: Dice::new(seed) }
    }
}

impl Player<Cluedo> for Inquirer {
    fn watch(&mut self, sight: &Sight) {
        self.notes.watch(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        match options[0] {
            Action::Show(_) => self.notes.shown_before(options),
            Action::End | Action::Accuse(_) => match self.notes.solution() {
                Some(envelope) => Action::Accuse(envelope),
                None => Action::End,
            },
            Action::Suggest(_) => {
                let open = self.notes.open_bits();
                match worths(self.notes.position(), open, options, &mut self.dice) {
                    Some(worths) => Action::Suggest(best(&worths)),
                    // Something that nobody could have seen was seen: there is nothing to reason from.
                    None => *self.dice.pick(options),
                }
            }
        }
    }
}

/// The question of the greatest worth, the first of several.
pub(super) fn best(worths: &[(f64, CardSet)]) -> CardSet {
    let better = |best: &(f64, CardSet), next: &(f64, CardSet)| next.0 > best.0 + ROUNDING;
    worths.iter().copied().reduce(|best, next| if better(&best, &next) { next } else { best }).expect("a question").1
}

/// Worths that differ by less are the same number, rounded differently.
const ROUNDING: f64 = 1e-9;

/// What to name the envelope at once is worth, in bits about it.
const WIN: f64 = 20.0;

/// What a bit about the deal is worth for each bit about the envelope that is open.
const DEAL: f64 = 0.6;

/// The worth of every suggestion among the options, with so many bits about the envelope open; nothing if no deal fits.
///
/// A question is worth its bits about the envelope, its chance to name the envelope at once, and its bits about the deal:
/// they become bits about the envelope later, so they count the more the less is known about the envelope. The weights
/// were fitted on games of the thesis experiment with seeds of their own, under both rules: more for the deal is better
/// where the others never ask for winning cards, and worse where they do.
pub(super) fn worths(
    position: &Position,
    open: f64,
    options: &[Action],
    dice: &mut Dice,
) -> Option<Vec<(f64, CardSet)>> {
    let suggestions = options.iter().filter_map(|option| match option {
        Action::Suggest(cards) => Some(*cards),
        Action::Show(_) | Action::Accuse(_) | Action::End => None,
    });
    let suggestions: Vec<CardSet> = suggestions.collect();
    let worth = |e: &Expected| e.envelope_bits + WIN * e.wins + DEAL * open * e.deal_bits;
    let told = telling(position, &suggestions, Care::ALONE, dice)?;
    Some(told.iter().map(worth).zip(suggestions).collect())
}
