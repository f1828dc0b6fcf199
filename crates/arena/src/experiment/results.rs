//! What the games of an experiment gave: columns of measures, and estimates from them.

use super::{Experiment, Measure, Sample, Spec};
use crate::stats::{self, Estimate};

/// One measure of all games of an arm.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Whether it is a share: yes or no, or so much of so much.
    pub proportion: bool,
    /// Its values, game by game, 1 for yes; `None` where it was not measured.
    pub values: Vec<Option<f64>>,
}

impl Column {
    /// The values that are there.
    pub fn present(&self) -> Vec<f64> {
        self.values.iter().flatten().copied().collect()
    }

    /// The mean of each block; `None` where the block has no value.
    pub fn blocks(&self, block: u64) -> Vec<Option<f64>> {
        let mean = |games: &[Option<f64>]| stats::mean(&games.iter().flatten().copied().collect::<Vec<_>>());
        self.values.chunks(block as usize).map(mean).collect()
    }

    /// The estimate, from whole blocks, whose games are not independent of each other: Student's of numbers, Wilson's of
    /// shares. `n` counts games. `None` if nothing was measured.
    pub fn estimate(&self, block: u64) -> Option<Estimate> {
        let present = self.present();
        let n = present.len() as u64;
        if self.proportion && block == 1 && present.iter().all(|v| v.fract() == 0.0) {
            return stats::wilson(present.iter().sum::<f64>() as u64, n);
        }
        let blocks: Vec<f64> = self.blocks(block).into_iter().flatten().collect();
        let estimate = if self.proportion { stats::shares(&blocks) } else { stats::student(&blocks) };
        Some(Estimate { n, ..estimate? })
    }
}

/// The results of one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmResults {
    /// How many games were played: whole blocks.
    pub games: u64,
    /// How many games share a deal.
    pub block: u64,
    /// The players of the table of who comes out ahead.
    pub rivals: Vec<String>,
    /// The measures in the order of their first appearance.
    pub columns: Vec<Column>,
}

impl ArmResults {
    /// No game yet.
    pub(super) fn new(arm: &dyn Experiment) -> ArmResults {
        ArmResults { games: 0, block: arm.block(), rivals: arm.rivals().to_vec(), columns: Vec::new() }
    }

    /// The measure of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// The mean difference to another arm with the same seeds, over the blocks that both have.
    pub fn difference(&self, other: &ArmResults, metric: &str) -> Option<Estimate> {
        let (ours, theirs) = (self.column(metric)?, other.column(metric)?);
        let pairs = ours.blocks(self.block).into_iter().zip(theirs.blocks(other.block));
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.filter_map(|(a, b)| Some((a?, b?))).unzip();
        let estimate = stats::paired(&a, &b)?;
        Some(Estimate { n: estimate.n * self.block, ..estimate })
    }

    pub(super) fn push(&mut self, metrics: Vec<(String, Measure)>) {
        for (name, measure) in metrics {
            let (value, proportion) = match measure {
                Measure::Number(v) => (v, false),
                Measure::Yes(happened) => (f64::from(u8::from(happened)), true),
                Measure::Share(part, whole) => (part / f64::from(whole), true),
            };
            let place = self.columns.iter().position(|c| c.name == name).unwrap_or_else(|| {
                self.columns.push(Column { name, proportion, values: Vec::new() });
                self.columns.len() - 1
            });
            let column = &mut self.columns[place];
            column.values.resize(self.games as usize, None);
            column.values.push(Some(value));
        }
        self.games += 1;
    }

    /// Leaves out the games of a block that is not whole, and fills up the columns.
    pub(super) fn close(&mut self) {
        self.games -= self.games % self.block;
        for column in &mut self.columns {
            column.values.resize(self.games as usize, None);
        }
    }
}

/// The results of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// What was to be done.
    pub spec: Spec,
    /// What each arm gave.
    pub arms: Vec<ArmResults>,
    /// Whether all games were played; `false` after an interruption.
    pub complete: bool,
}

impl Results {
    /// The results of games that were played elsewhere: for each arm the samples of its games.
    pub fn of(spec: Spec, arms: Vec<Vec<Sample>>) -> Results {
        let arm = |samples: Vec<Sample>| {
            let mut results = ArmResults { games: 0, block: 1, rivals: Vec::new(), columns: Vec::new() };
            samples.into_iter().for_each(|sample| results.push(sample.metrics));
            results.close();
            results
        };
        Results { spec, arms: arms.into_iter().map(arm).collect(), complete: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(block: u64, games: &[&[(&str, Measure)]]) -> ArmResults {
        let mut results = ArmResults { games: 0, block, rivals: Vec::new(), columns: Vec::new() };
        for game in games {
            results.push(game.iter().map(|(n, m)| (n.to_string(), *m)).collect());
        }
        results.close();
        results
    }

    #[test]
    fn a_measure_may_be_missing_in_some_games() {
        use Measure::{Number, Yes};
        let arm = results(1, &[&[("a", Number(1.0))], &[("b", Yes(true))], &[("a", Number(3.0)), ("b", Yes(false))]]);
        assert_eq!(arm.column("a").unwrap().values, [Some(1.0), None, Some(3.0)]);
        assert_eq!(arm.column("b").unwrap().values, [None, Some(1.0), Some(0.0)]);
        assert_eq!(arm.column("b").unwrap().estimate(1), stats::wilson(1, 2));
    }

    #[test]
    fn the_interval_comes_from_whole_blocks() {
        let games: Vec<[(&str, Measure); 1]> = (0..7).map(|i| [("a", Measure::Number(f64::from(i % 2)))]).collect();
        let arm = results(2, &games.iter().map(|g| &g[..]).collect::<Vec<_>>());
        // Each deal gives 0 and 1: there is no variance between deals, although there is between games.
        let estimate = arm.column("a").unwrap().estimate(2).unwrap();
        assert_eq!((estimate.n, estimate.mean, estimate.low, estimate.high), (6, 0.5, 0.5, 0.5));
    }
}
