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
///
/// A question is worth its bits about the envelope, its chance to name the envelope at once, and its bits about the deal:
/// they become bits about the envelope later, so they count the more the less is known about the envelope. The weights
/// were fitted on games of the thesis experiment with seeds of their own, under both rules: more for the deal is better
/// where the others never ask for winning cards, and worse where they do.
pub(super) fn worths(fitting: &Fitting, asker: Seat, options: &[Action]) -> Vec<(f64, CardSet)> {
    let total = fitting.len() as f64;
    let unknown: f64 = fitting.envelopes().iter().map(|&(_, n)| n as f64 / total).map(|p| -p * p.log2()).sum();
    let worth = |e: &Expected| e.envelope_bits + 12.0 * e.wins + 2.0 / 7.0 * unknown * e.deal_bits;
    let mut asking = fitting.asked_by(asker);
    let suggestions = options.iter().filter_map(|option| match option {
        Action::Suggest(cards) => Some(*cards),
        Action::Show(_) | Action::Accuse(_) | Action::End => None,
    });
    suggestions.map(|cards| (worth(&asking.question(cards, true)), cards)).collect()
}
