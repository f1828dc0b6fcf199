//! The arm that counts the rounds until an agent at Cluedo asks for what lies in the envelope.
//!
//! The games themselves are those of `ken_games::cluedo::thesis`; here are the parameters and the measures.

use crate::Problem;
use crate::experiment::{Arm, Experiment, Ranged, Sample};
use crate::stats::Range;
use serde::Deserialize;

/// The parameters of an arm of kind `cluedo-thesis`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The player at seat 0.
    pub player: String,
    /// How many sit at the table.
    #[serde(default = "six")]
    pub players: u8,
    /// How the others ask: `A`, `C` or `printed`.
    pub rule: String,
    /// A game that is not solved after this many rounds counts as that many.
    #[serde(default = "limit")]
    pub limit: u32,
}

fn six() -> u8 {
    6
}

fn limit() -> u32 {
    100_000
}

/// One game: how many rounds it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The rounds that were played.
    pub rounds: u32,
    /// Whether the last of them asked for the envelope.
    pub solved: bool,
}

/// Makes the arm. `ready` checks the parameters and gives the function that plays one game with a seed.
pub fn arm<F>(arm: &Arm, ready: impl FnOnce(Parameters) -> Result<F, Problem>) -> Result<Box<dyn Experiment>, Problem>
where
    F: Fn(u64) -> Solved + Send + Sync + 'static,
{
    let play = ready(arm.parameters()?)?;
    let game = move |_: u64, seed: u64| {
        let Solved { rounds, solved } = play(seed);
        Sample::new().number("rounds", f64::from(rounds)).yes("solved", solved)
    };
    // The limit ends hopeless games and is no bound of what is measured.
    Ok(Box::new(Ranged(game, |_: &str| Range::COUNT)))
}
