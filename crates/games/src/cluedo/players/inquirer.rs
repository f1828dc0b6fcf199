//! *inquirer*: knows all that follows, and chooses its question by what it is expected to tell and its chance to win.

use super::notes::Notes;
use crate::cards::CardSet;
use crate::cluedo::ask::{Expected, Fitting};
use crate::cluedo::rules::{Action, Cluedo, Sight};
use crate::dice::Dice;
use crate::game::{Player, Seat};

/// How many deals are looked at for a choice.
pub(super) const DEALS: usize = 800;

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
            Action::Suggest(_) => match self.notes.fitting(DEALS, &mut self.dice) {
                Some(fitting) => worths(&fitting, self.notes.position().observer(), options)
                    .into_iter()
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .map_or(options[0], |(_, cards)| Action::Suggest(cards)),
                // Something that nobody could have seen was seen: there is nothing to reason from.
                None => *self.dice.pick(options),
            },
        }
    }
}

/// The worth of every suggestion among the options.
pub(super) fn worths(fitting: &Fitting, asker: Seat, options: &[Action]) -> Vec<(f64, CardSet)> {
    let mut asking = fitting.asked_by(asker);
    let suggestions = options.iter().filter_map(|option| match option {
        Action::Suggest(cards) => Some(*cards),
        Action::Show(_) | Action::Accuse(_) | Action::End => None,
    });
    suggestions.map(|cards| (worth(&asking.question(cards, true)), cards)).collect()
}

/// What a question is worth: bits about the deal, which all become bits about the envelope in the end; bits about the
/// envelope once more; and the chance to name it at once. The weights were fitted on 1,500 games of the thesis
/// experiment with seeds of their own; with bits about the envelope first it needs almost a round more.
fn worth(expected: &Expected) -> f64 {
    10.0 * expected.deal_bits + expected.envelope_bits + 30.0 * expected.wins
}
