//! Numbers with their errors: exact, or estimated without bias from what was drawn.

/// A number that was counted, or estimated without bias from a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Where its 95 % interval begins; the value itself if it is exact.
    pub low: f64,
    /// Where its 95 % interval ends; the value itself if it is exact.
    pub high: f64,
    /// How many draws it comes from (or, of an exact number, how many cases were counted).
    pub looked: usize,
    /// Whether it is exact.
    pub exact: bool,
}

impl Estimate {
    /// A number that was counted over so many cases.
    pub fn exact(value: f64, looked: usize) -> Estimate {
        Estimate { value, low: value, high: value, looked, exact: true }
    }

    /// How often something was so among independent draws, with Wilson's interval: it never has width 0, so that
    /// something that was not seen in any draw is not called impossible.
    pub fn share(of: usize, draws: usize) -> Estimate {
        let n = draws.max(1) as f64;
        let value = of as f64 / n;
        let square = NORMAL * NORMAL;
        let middle = (value + square / (2.0 * n)) / (1.0 + square / n);
        let half = NORMAL / (1.0 + square / n) * (value * (1.0 - value) / n + square / (4.0 * n * n)).sqrt();
        let low = if of == 0 { 0.0 } else { (middle - half).max(0.0) };
        let high = if of == draws { 1.0 } else { (middle + half).min(1.0) };
        Estimate { value, low, high, looked: draws, exact: false }
    }

    /// How far it may be off: the longer half of its 95 % interval, 0 if it is exact.
    pub fn error(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }

    /// Whether the interval of this number lies above that of the other one.
    pub fn surely_above(&self, other: &Estimate) -> bool {
        self.low > other.high + ROUNDING
    }

    /// The mean of some numbers that were found independently of each other.
    pub fn mean(of: &[Estimate]) -> Option<Estimate> {
        let n = of.len() as f64;
        let value = of.iter().map(|e| e.value).sum::<f64>() / n;
        let half = |side: &dyn Fn(&Estimate) -> f64| of.iter().map(|e| side(e).powi(2)).sum::<f64>().sqrt() / n;
        (!of.is_empty()).then(|| Estimate {
            value,
            low: value - half(&|e| e.value - e.low),
            high: value + half(&|e| e.high - e.value),
            looked: of.iter().map(|e| e.looked).sum(),
            exact: of.iter().all(|e| e.exact),
        })
    }
}

/// Two exact numbers that are nearer than this differ by rounding.
const ROUNDING: f64 = 1e-9;

/// The mean of independent draws of a number, and its error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draws {
    count: usize,
    mean: f64,
    squares: f64,
}

impl Draws {
    /// Takes in a draw.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (value - self.mean);
    }

    /// How many there were.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The mean with a 95 % interval from the spread, by Student's quantile. Draws that are all the same say nothing of
    /// what was not drawn: something with a chance of three in their number can have been missed, and may be off by
    /// `most`.
    pub fn estimate(&self, most: f64) -> Estimate {
        let n = self.count.max(1) as f64;
        let spread = if self.count > 1 { (self.squares / (n - 1.0) / n).sqrt() } else { 0.0 };
        let half = match spread > ROUNDING {
            true => student(self.count) * spread,
            false => (3.0 / n).min(1.0) * most,
        };
        Estimate { value: self.mean, low: self.mean - half, high: self.mean + half, looked: self.count, exact: false }
    }
}

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.96;

/// The 97.5 % quantile of Student's distribution for so many values.
fn student(values: usize) -> f64 {
    const SMALL: [f64; 10] = [12.71, 12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27];
    let freedom = values as f64 - 1.0;
    SMALL.get(values.saturating_sub(1)).copied().unwrap_or(NORMAL + 2.5 / freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_never_seen_is_not_impossible_and_something_always_seen_not_certain() {
        let (never, always) = (Estimate::share(0, 60), Estimate::share(60, 60));
        assert!((never.value, never.low) == (0.0, 0.0) && (0.05..0.07).contains(&never.high));
        assert!((always.value, always.high) == (1.0, 1.0) && (0.93..0.95).contains(&always.low));
        let half = Estimate::share(30, 60);
        assert!((half.low - 0.377).abs() < 1e-3 && (half.high - 0.623).abs() < 1e-3);
    }

    #[test]
    fn draws_that_are_all_alike_still_have_an_error() {
        let mut draws = Draws::default();
        (0..12).for_each(|_| draws.add(0.0));
        let estimate = draws.estimate(2.0);
        assert!(estimate.value == 0.0 && estimate.high == 0.5 && !estimate.exact);
    }

    #[test]
    fn the_error_of_draws_is_that_of_their_spread() {
        let mut draws = Draws::default();
        (0..100).for_each(|i| draws.add(f64::from(i % 2)));
        let estimate = draws.estimate(1.0);
        // A standard deviation of 0.5025 over 10, times 1.985.
        assert!((estimate.value - 0.5).abs() < 1e-12 && (estimate.error() - 0.0998).abs() < 1e-3);
    }
}
