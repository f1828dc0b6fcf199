//! Does anything that is allowed. It stops only in the last turns: otherwise most matches would end before they began.

use super::{Placed, Reason, Reasoned};
use crate::dice::Dice;
use crate::game::Player;
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, Sight, Stage, Yokai};

/// From this turn on, counted from 0, it may stop.
const LATE: u8 = 10;

/// The random player.
pub struct Random {
    stage: Stage,
    dice: Dice,
}

impl Random {
    /// A player with this seed.
    pub fn new(seed: u64) -> Random {
        Random { stage: Stage::start(), dice: Dice::new(seed) }
    }
}

impl Player<Yokai> for Random {
    fn watch(&mut self, sight: &Sight) {
        self.stage.follow(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let likes = |action: &&Action| **action != Action::Stop || self.stage.turns() >= LATE;
        let liked: Vec<&Action> = options.iter().filter(likes).collect();
        **self.dice.pick(&liked)
    }
}

impl Placed for Random {
    fn place(&mut self, position: &Position) {
        self.stage = position.stage.clone();
    }
}

impl Reasoned for Random {
    fn reason(&self) -> Option<Reason> {
        None
    }
}
