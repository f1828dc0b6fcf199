//! Plays random cards. It never says that it has no play, and guesses only when it must.

use crate::dice::Dice;
use crate::eleusis::moves::{Action, Sight};
use crate::eleusis::table::Eleusis;
use crate::game::Player;

/// The random player.
pub struct Random(Dice);

impl Random {
    /// A player with this seed.
    pub fn new(seed: u64) -> Random {
        Random(Dice::new(seed))
    }
}

impl<G: Eleusis> Player<G> for Random {
    fn watch(&mut self, _: &Sight) {}

    fn choose(&mut self, options: &[Action]) -> Action {
        let likes = |action: &&Action| !matches!(action, Action::Guess(_) | Action::NoPlay);
        let liked: Vec<&Action> = options.iter().filter(likes).collect();
        match liked.is_empty() {
            true => self.0.pick(options).clone(),
            false => (*self.0.pick(&liked)).clone(),
        }
    }
}
