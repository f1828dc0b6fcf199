//! The arm that counts the plays until the guesser names a secret rule of the library.

use crate::Problem;
use crate::experiment::{Arm, Experiment, Ranged, Sample};
use crate::stats::Range;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::guess::{Terms, search};
use ken_games::eleusis::library::{self, Class, Entry};
use ken_games::eleusis::secret::Secret;
use serde::Deserialize;

/// The parameters of an arm of kind `eleusis-search`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Which rules: `all`, `training`, `held-back`, `benchmark`, or the name of a class.
    pub rules: String,
    /// The cards in the hand; without it any card may be played.
    pub hand: Option<usize>,
    /// After so many plays a search is given up.
    #[serde(default = "limit")]
    pub limit: usize,
    /// How many plays a wrong name is worth to the guesser.
    pub cost: f64,
}

/// The score of a rule that is named after a single play.
const BEST: f64 = 30.0;

fn limit() -> usize {
    40
}

/// Makes the arm. Game after game takes the rules in the order of the library.
pub fn arm(arm: &Arm) -> Result<Box<dyn Experiment>, Problem> {
    let Parameters { rules, hand, limit, cost } = arm.parameters()?;
    if hand == Some(0) || limit == 0 || cost.is_nan() || cost < 0.0 {
        return Err(Problem::new("a hand has cards, a search has plays, and a wrong name costs nothing or more"));
    }
    let chosen: Vec<&'static Entry> = library::rules().iter().filter(|entry| is_among(entry, &rules)).collect();
    if chosen.is_empty() {
        let classes: Vec<&str> = Class::ALL.iter().map(|class| class.name()).collect();
        let wrong = Problem::new(format!("there are no rules `{rules}`"));
        return Err(wrong.help(format!("all, training, held-back, benchmark, {}", classes.join(", "))));
    }
    let secrets: Vec<(Class, Secret)> = chosen
        .iter()
        .map(|entry| (entry.class, Secret::read(entry.id, &Deck::STANDARD).expect("library rules are regular")))
        .collect();
    let terms = Terms { hand, limit, cost };
    let play = move |game: u64, seed: u64| {
        let (class, secret) = &secrets[(game % secrets.len() as u64) as usize];
        let trial = search(secret, &terms, seed);
        let plays = if trial.solved { trial.plays } else { limit + 1 };
        let score = if trial.solved { (BEST + 1.0 - plays as f64 - 2.0 * trial.wrong as f64).max(0.0) } else { 0.0 };
        let with_wrong = (plays + trial.wrong).min(limit + 1);
        Sample::new()
            .number("plays", plays as f64)
            .yes("within 20", trial.solved && plays <= 20)
            .yes("solved", trial.solved)
            .number("wrong names", trial.wrong as f64)
            .number("plays and wrong names", with_wrong as f64)
            .number("score", score)
            .number(format!("plays, {}", class.name()), plays as f64)
    };
    let range = move |metric: &str| match metric {
        "wrong names" => Range::COUNT,
        "score" => Range::of(0.0, BEST),
        _ => Range::of(0.0, limit as f64 + 1.0),
    };
    Ok(Box::new(Ranged(play, range)))
}

fn is_among(entry: &Entry, rules: &str) -> bool {
    match rules {
        "all" => true,
        "training" => !entry.held_back(),
        "held-back" => entry.held_back(),
        "benchmark" => entry.benchmark(),
        class => entry.class.name() == class,
    }
}
