//! Experiments: many games in several arms, the same for any number of threads, resumable.
//!
//! Game `i` of arm `a` gets the seed `mix(mix(master, a), i)`. An arm that is `against` an earlier one gets that arm's
//! seeds, so that both meet the same chance and their difference can be taken game by game. Where several games in a row
//! belong together (one deal in all rotations of the players) they are a *block* and share the seed of the block's
//! number; an arm then plays whole blocks, and the block is what the interval is computed from.

mod plan;
mod results;
mod run;
mod spec;
mod store;

pub use plan::Plan;
pub use results::{ArmResults, Column, Deals, Results};
pub use run::{Orders, Progress, Start, run};
pub use spec::{Arm, Spec};
pub use store::{Memory, Store};

use crate::stats::Range;
use serde_json::{Map, Value};

/// What one arm does in each of its games.
pub trait Experiment: Send + Sync {
    /// Plays a game. What it returns depends on the number and the seed alone.
    fn run(&self, game: u64, seed: u64) -> Sample;

    /// How many games in a row share a seed.
    fn block(&self) -> u64 {
        1
    }

    /// The players of the table of who comes out ahead of whom; see [`ahead`].
    fn rivals(&self) -> &[String] {
        &[]
    }

    /// Which values a number of this name can have: what intervals may not leave. Shares need not be told.
    fn range(&self, _metric: &str) -> Range {
        Range::ANY
    }
}

impl<F: Fn(u64, u64) -> Sample + Send + Sync> Experiment for F {
    fn run(&self, game: u64, seed: u64) -> Sample {
        self(game, seed)
    }
}

/// A closure that plays a game, with one that tells the [range](Experiment::range) of a number.
pub struct Ranged<F, R>(pub F, pub R);

impl<F, R> Experiment for Ranged<F, R>
where
    F: Fn(u64, u64) -> Sample + Send + Sync,
    R: Fn(&str) -> Range + Send + Sync,
{
    fn run(&self, game: u64, seed: u64) -> Sample {
        self.0(game, seed)
    }

    fn range(&self, metric: &str) -> Range {
        self.1(metric)
    }
}

/// The metric that tells how often one player comes out ahead of another.
pub fn ahead(player: &str, other: &str) -> String {
    format!("{player} ahead of {other}")
}

/// The metric that tells how often a player wins.
pub fn wins(player: &str) -> String {
    format!("wins of {player}")
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// A number, of which the mean is wanted.
    Number(f64),
    /// Whether something happened, of which the proportion is wanted.
    Yes(bool),
    /// How much of how much, of which the proportion is wanted: half a win at one of two seats is a quarter.
    Share(f64, u32),
}

/// What one game gives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The measures by name. A measure may be missing in some games.
    pub metrics: Vec<(String, Measure)>,
    /// The record of the game, if it is to be kept.
    pub record: Option<Value>,
}

impl Sample {
    /// Nothing measured yet.
    pub fn new() -> Sample {
        Sample::default()
    }

    /// The sample with a number. Numbers are finite: what is not is left out.
    #[must_use]
    pub fn number(mut self, name: impl Into<String>, value: f64) -> Sample {
        if value.is_finite() {
            self.metrics.push((name.into(), Measure::Number(value)));
        }
        self
    }

    /// The sample with something that happened or did not.
    #[must_use]
    pub fn yes(mut self, name: impl Into<String>, happened: bool) -> Sample {
        self.metrics.push((name.into(), Measure::Yes(happened)));
        self
    }

    /// The sample with so much of so much; nothing of nothing is left out.
    #[must_use]
    pub fn share(mut self, name: impl Into<String>, part: f64, whole: u32) -> Sample {
        if whole > 0 {
            self.metrics.push((name.into(), Measure::Share(part, whole)));
        }
        self
    }

    /// The sample with the record of its game.
    #[must_use]
    pub fn record(mut self, record: Value) -> Sample {
        self.record = Some(record);
        self
    }

    /// The line of a game: `{"game": 7, "metrics": {"rounds": 12, "solved": true, "wins": [1, 2]}, "record": {..}}`.
    fn line(self, game: u64) -> String {
        let metrics = self.metrics.into_iter().map(|(name, measure)| match measure {
            Measure::Number(value) => (name, short(value)),
            Measure::Yes(happened) => (name, Value::from(happened)),
            Measure::Share(part, whole) => (name, Value::from(vec![short(part), whole.into()])),
        });
        let mut line = Map::new();
        line.insert("game".into(), game.into());
        line.insert("metrics".into(), Value::Object(metrics.collect()));
        line.extend(self.record.map(|r| ("record".to_string(), r)));
        Value::Object(line).to_string() + "\n"
    }

    /// The number of the game of a line that can be read.
    fn game(line: &str) -> Option<u64> {
        let game = serde_json::from_str::<Line>(line).ok()?.game;
        Sample::read(line, game).map(|_| game)
    }

    /// Reads the measures of a line; `None` if it is not the line of this game.
    fn read(line: &str, game: u64) -> Option<Vec<(String, Measure)>> {
        let line: Line = serde_json::from_str(line).ok()?;
        let metrics = line.metrics.into_iter().map(|(name, value)| match value {
            Value::Bool(happened) => Some((name, Measure::Yes(happened))),
            Value::Array(share) => match &share[..] {
                [part, whole] => Some((name, Measure::Share(part.as_f64()?, whole.as_u64()?.try_into().ok()?))),
                _ => None,
            },
            value => Some((name, Measure::Number(value.as_f64()?))),
        });
        (line.game == game).then(|| metrics.collect())?
    }
}

/// What is read of a line.
#[derive(serde::Deserialize)]
struct Line {
    game: u64,
    metrics: Map<String, Value>,
}

/// A whole number without a point: shorter, and as people write it.
fn short(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 1e15 { Value::from(value as i64) } else { Value::from(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_gives_back_the_measures_of_its_game_only() {
        let sample = Sample::new().number("rounds", 12.0).number("far", 0.1).yes("solved", true).share("wins", 0.5, 2);
        let sample = sample.number("no", f64::NAN).share("none", 0.0, 0);
        let line = sample.clone().record(serde_json::json!({"seed": 3})).line(7);
        assert_eq!(
            line,
            "{\"game\":7,\"metrics\":{\"rounds\":12,\"far\":0.1,\"solved\":true,\"wins\":[0.5,2]},\"record\":{\"seed\":3}}\n"
        );
        assert_eq!(Sample::read(&line, 7), Some(sample.metrics));
        assert_eq!(Sample::read(&line, 8), None);
        assert_eq!(Sample::read(&line[..20], 7), None);
    }
}
