//! A spec with its arms made ready.

use super::{Arm, Experiment, Spec};
use crate::Problem;
use ken_games::dice::mix;

/// A spec whose arms can run.
pub struct Plan {
    pub(super) spec: Spec,
    pub(super) arms: Vec<Box<dyn Experiment>>,
    pub(super) games: Option<u64>,
}

impl Plan {
    /// Makes the arms ready. All that is wrong is told at once.
    pub fn new(spec: Spec, make: impl Fn(&Arm) -> Result<Box<dyn Experiment>, Problem>) -> Result<Plan, Vec<Problem>> {
        let (mut arms, mut problems) = (Vec::new(), Vec::new());
        for arm in &spec.arms {
            match make(arm) {
                Ok(ready) => arms.push(ready),
                Err(problem) => problems.push(problem.at(format_args!("arm `{}`", arm.label))),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        for (arm, ready) in spec.arms.iter().zip(&arms) {
            let other = arm.against.as_ref().and_then(|label| spec.position(label));
            if other.is_some_and(|o| arms[o].block() != ready.block()) {
                problems.push(Problem::new(format!("arm `{}`: its blocks are not those of its rival", arm.label)));
            }
        }
        if problems.is_empty() { Ok(Plan { spec, arms, games: None }) } else { Err(problems) }
    }

    /// The plan with this many games of each arm instead of those of the spec.
    #[must_use]
    pub fn with_games(mut self, games: u64) -> Plan {
        self.games = Some(games);
        self
    }

    /// The plan with this master seed instead of that of the spec.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Plan {
        self.spec.seed = seed;
        self
    }

    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// How many games an arm plays: whole blocks.
    pub fn games(&self, arm: usize) -> u64 {
        self.games.unwrap_or(self.spec.games(arm)).next_multiple_of(self.arms[arm].block())
    }

    /// The seed of a game.
    pub fn seed(&self, arm: usize, game: u64) -> u64 {
        mix(mix(self.spec.seed, self.spec.stream(arm) as u64), game / self.arms[arm].block())
    }

    /// The name of an arm's part in the store: its number and its label with what files may not have replaced.
    pub fn part(&self, arm: usize) -> String {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let label: String = self.spec.arms[arm].label.chars().map(plain).collect();
        let words: Vec<&str> = label.split('-').filter(|w| !w.is_empty()).collect();
        format!("{:02}-{}.jsonl", arm + 1, words.join("-"))
    }
}
