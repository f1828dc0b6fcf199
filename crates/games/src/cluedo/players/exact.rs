//! *exact*: knows all that follows, and asks for a random envelope that is still possible.

use super::notes::Notes;
use crate::cluedo::rules::{Action, Cluedo, Sight};
use crate::dice::Dice;
use crate::game::Player;

/// Exact knowledge, no plan: the measure of what reasoning alone is worth.
pub struct Exact {
    notes: Notes,
    dice: Dice,
}

impl Exact {
    /// A player with its own seed.
    pub fn new(game: &Cluedo, seed: u64) -> Exact {
        Exact { notes: Notes::new(game), dice: Dice::new(seed) }
    }
}

impl Player<Cluedo> for Exact {
    fn watch(&mut self, sight: &Sight) {
        self.notes.watch(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        match options[0] {
            Action::Show(_) => self.notes.first_dealt(options),
            Action::End | Action::Accuse(_) => match self.notes.solution() {
                Some(envelope) => Action::Accuse(envelope),
                None => Action::End,
            },
            Action::Suggest(_) => {
                let open: Vec<Action> = self.notes.envelopes().into_iter().map(Action::Suggest).collect();
                let open: Vec<Action> = open.into_iter().filter(|a| options.contains(a)).collect();
                *self.dice.pick(if open.is_empty() { options } else { &open })
            }
        }
    }
}
