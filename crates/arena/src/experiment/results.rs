//! What the games of an experiment gave: columns of measures, and estimates from them.

use super::{Arm, Experiment, Measure, Sample, Spec};
use crate::stats::{self, Estimate, Range};

/// Which games hang together since they have a deal in common. They stand one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deals {
    /// Each deal is that of so many games.
    Even(u64),
    /// The deals are those of these numbers of games.
    Uneven(Vec<usize>),
}

impl Deals {
    /// Deals that have these numbers of games.
    fn of(sizes: Vec<usize>) -> Deals {
        match sizes.first() {
            None => Deals::Even(1),
            Some(first) if sizes.iter().all(|size| size == first) => Deals::Even(*first as u64),
            Some(_) => Deals::Uneven(sizes),
        }
    }

    /// The values of the games of each deal.
    fn parts<'a, T>(&self, values: &'a [T]) -> Vec<&'a [T]> {
        match self {
            Deals::Even(games) => values.chunks(*games as usize).collect(),
            Deals::Uneven(sizes) => {
                let mut rest = values;
                let mut part = |size: &usize| {
                    let (part, after) = rest.split_at((*size).min(rest.len()));
                    rest = after;
                    part
                };
                sizes.iter().map(&mut part).collect()
            }
        }
    }
}

/// One measure of all games of an arm.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Whether it is a share: yes or no, or so much of so much.
    pub proportion: bool,
    /// Which values it can have.
    pub range: Range,
    /// Its values, game by game, 1 for yes; `None` where it was not measured.
    pub values: Vec<Option<f64>>,
}

impl Column {
    /// The values that are there.
    pub fn present(&self) -> Vec<f64> {
        self.values.iter().flatten().copied().collect()
    }

    /// The mean of each deal; `None` where it has no value.
    pub fn blocks(&self, deals: &Deals) -> Vec<Option<f64>> {
        let mean = |games: &[Option<f64>]| stats::mean(&games.iter().flatten().copied().collect::<Vec<_>>());
        deals.parts(&self.values).into_iter().map(mean).collect()
    }

    /// The estimate, from whole deals, whose games are not independent of each other: Student's of numbers, Wilson's of
    /// shares. `n` counts games. `None` if nothing was measured.
    pub fn estimate(&self, deals: &Deals) -> Option<Estimate> {
        let present = self.present();
        let n = present.len() as u64;
        if self.proportion && *deals == Deals::Even(1) && present.iter().all(|v| v.fract() == 0.0) {
            return stats::wilson(present.iter().sum::<f64>() as u64, n);
        }
        let blocks: Vec<f64> = self.blocks(deals).into_iter().flatten().collect();
        let estimate = if self.proportion { stats::shares(&blocks) } else { stats::student(&blocks, self.range) };
        Some(Estimate { n, ..estimate? })
    }
}

/// The results of one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct ArmResults {
    /// How many games were played: whole blocks.
    pub games: u64,
    /// Which games share a deal.
    pub deals: Deals,
    /// The players of the table of who comes out ahead.
    pub rivals: Vec<String>,
    /// The measures in the order of their first appearance.
    pub columns: Vec<Column>,
}

impl ArmResults {
    /// No game yet.
    pub(super) fn new(arm: &dyn Experiment) -> ArmResults {
        ArmResults { games: 0, deals: Deals::Even(arm.block()), rivals: arm.rivals().to_vec(), columns: Vec::new() }
    }

    /// The measure of this name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// The mean difference to another arm with the same seeds, over the blocks that both have.
    pub fn difference(&self, other: &ArmResults, metric: &str) -> Option<Estimate> {
        let (ours, theirs) = (self.column(metric)?, other.column(metric)?);
        let pairs = ours.blocks(&self.deals).into_iter().zip(theirs.blocks(&other.deals));
        let games = self.deals.parts(&ours.values).into_iter().map(|part| part.len() as u64);
        let both = pairs.zip(games).filter_map(|((a, b), games)| Some((a?, b?, games)));
        let (mut a, mut b, mut n) = (Vec::new(), Vec::new(), 0);
        for (ours, theirs, games) in both {
            a.push(ours);
            b.push(theirs);
            n += games;
        }
        Some(Estimate { n, ..stats::paired(&a, &b, ours.range)? })
    }

    pub(super) fn push(&mut self, metrics: Vec<(String, Measure)>) {
        for (name, measure) in metrics {
            let (value, proportion) = match measure {
                Measure::Number(v) => (v, false),
                Measure::Yes(happened) => (f64::from(u8::from(happened)), true),
                Measure::Share(part, whole) => (part / f64::from(whole), true),
            };
            let place = self.columns.iter().position(|c| c.name == name).unwrap_or_else(|| {
                let range = if proportion { Range::SHARE } else { Range::ANY };
                self.columns.push(Column { name, proportion, range, values: Vec::new() });
                self.columns.len() - 1
            });
            let column = &mut self.columns[place];
            column.values.resize(self.games as usize, None);
            column.values.push(Some(value));
        }
        self.games += 1;
    }

    /// Leaves out the games of a block that is not whole, and fills up the columns. `range` tells which values a number of
    /// this name can have.
    pub(super) fn close(&mut self, range: impl Fn(&str) -> Range) {
        if let Deals::Even(block) = self.deals {
            self.games -= self.games % block;
        }
        for column in &mut self.columns {
            column.values.resize(self.games as usize, None);
            if !column.proportion {
                column.range = range(&column.name);
            }
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
    /// The results of games that were played elsewhere: for each arm the samples of its games, those of a deal together.
    /// `range` tells which values a number of this name can have in an arm of this kind.
    pub fn of(spec: Spec, arms: Vec<Vec<Vec<Sample>>>, range: impl Fn(&str, &str) -> Range) -> Results {
        let arm = |(arm, deals): (&Arm, Vec<Vec<Sample>>)| {
            let sizes = Deals::of(deals.iter().map(Vec::len).collect());
            let mut results = ArmResults { games: 0, deals: sizes, rivals: Vec::new(), columns: Vec::new() };
            deals.into_iter().flatten().for_each(|sample| results.push(sample.metrics));
            results.close(|metric| range(&arm.kind, metric));
            results
        };
        let arms = spec.arms.iter().zip(arms).map(arm).collect();
        Results { spec, arms, complete: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(block: u64, games: &[&[(&str, Measure)]]) -> ArmResults {
        let mut results = ArmResults { games: 0, deals: Deals::Even(block), rivals: Vec::new(), columns: Vec::new() };
        for game in games {
            results.push(game.iter().map(|(n, m)| (n.to_string(), *m)).collect());
        }
        results.close(|_| Range::COUNT);
        results
    }

    #[test]
    fn a_measure_may_be_missing_in_some_games() {
        use Measure::{Number, Yes};
        let arm = results(1, &[&[("a", Number(1.0))], &[("b", Yes(true))], &[("a", Number(3.0)), ("b", Yes(false))]]);
        assert_eq!(arm.column("a").unwrap().values, [Some(1.0), None, Some(3.0)]);
        assert_eq!(arm.column("b").unwrap().values, [None, Some(1.0), Some(0.0)]);
        assert_eq!(arm.column("b").unwrap().estimate(&arm.deals), stats::wilson(1, 2));
    }

    #[test]
    fn the_interval_comes_from_whole_blocks() {
        let games: Vec<[(&str, Measure); 1]> = (0..13).map(|i| [("a", Measure::Number(f64::from(i % 2)))]).collect();
        let arm = results(2, &games.iter().map(|g| &g[..]).collect::<Vec<_>>());
        // Each deal gives 0 and 1: there is no variance between deals, although there is between games.
        let estimate = arm.column("a").unwrap().estimate(&arm.deals).unwrap();
        assert_eq!((estimate.n, estimate.mean), (12, 0.5));
        assert!(estimate.low.is_infinite() && estimate.high.is_infinite(), "{estimate:?}");
    }

    #[test]
    fn deals_of_different_numbers_of_games_are_one_block_each() {
        let column = Column {
            name: "a".into(),
            proportion: false,
            range: Range::ANY,
            values: [1.0, 3.0, 4.0, 6.0].map(Some).to_vec(),
        };
        assert_eq!(column.blocks(&Deals::of(vec![2, 1, 1])), [Some(2.0), Some(4.0), Some(6.0)]);
        assert_eq!(column.blocks(&Deals::of(vec![2, 2])), [Some(2.0), Some(5.0)]);
        let estimate = column.estimate(&Deals::of(vec![2, 1, 1])).unwrap();
        assert_eq!((estimate.n, estimate.mean), (4, 4.0));
    }
}
