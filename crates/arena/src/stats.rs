//! Means, proportions, quantiles, histograms, and 95 % intervals.
//!
//! A mean has the interval of Student's t, a proportion that of Wilson. Both are exact statements about repeated
//! sampling only for normal data and for many games; the tests measure how often they cover the truth. No interval leaves the
//! [`Range`] of what is measured.
//!
//! Values that are all alike have no spread from which Student's interval could be computed, however many they are. They
//! bound only how often another value occurs; see [`student`]. If the measure has no ends, neither has the interval.

/// Half of the 95 % interval of the normal distribution, in standard deviations.
const Z: f64 = 1.959_963_984_540_054;

/// How many values must be alike before that counts as more than chance: of five that are as likely above a middle as below it
/// all lie on one side once in sixteen times.
pub const ALIKE: u64 = 6;

/// How far values may lie apart and still count as alike: sums of the same numbers in another order differ by rounding.
const ROUNDING: f64 = 1e-12;

/// The values that a measure can have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least; −∞ if there is none.
    pub low: f64,
    /// The greatest; ∞ if there is none.
    pub high: f64,
}

impl Range {
    /// Any number.
    pub const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };
    /// A count without a limit.
    pub const COUNT: Range = Range { low: 0.0, high: f64::INFINITY };
    /// A share.
    pub const SHARE: Range = Range { low: 0.0, high: 1.0 };

    /// The values from `low` to `high`, both included.
    pub fn of(low: f64, high: f64) -> Range {
        Range { low, high }
    }

    /// The differences of two values.
    pub fn differences(self) -> Range {
        Range { low: self.low - self.high, high: self.high - self.low }
    }

    /// The range that also has these values: data outside the stated range show that it was stated too narrow.
    fn with(self, values: &[f64]) -> Range {
        values.iter().fold(self, |range, v| Range { low: range.low.min(*v), high: range.high.max(*v) })
    }
}

/// A value with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many samples.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// The lower end; −∞ if there is no interval.
    pub low: f64,
    /// The upper end; ∞ if there is no interval.
    pub high: f64,
}

/// The mean; `None` of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard deviation of the population that the values are a sample of (n − 1 below); `None` of fewer than two.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// The mean of values of this range with its interval; `None` of nothing.
///
/// The interval is Student's, cut off at the ends of the range. If all values are alike, a single one included, it is the
/// following instead. Given the first value v, the n − 1 others would all be v with a chance of at most 5 % if another value
/// had a probability above p = 1 − 0.05^(1/(n − 1)). So the mean lies between v − p·(v − low) and v + p·(high − v). A range
/// without both ends gives no interval then.
pub fn student(values: &[f64], range: Range) -> Option<Estimate> {
    let (n, mean) = (values.len() as u64, mean(values)?);
    let Range { low, high } = range.with(values);
    let (below, above) = match deviation(values) {
        Some(sd) if sd > ROUNDING * mean.abs().max(1.0) => {
            let half = t_quantile(n - 1) * sd / (n as f64).sqrt();
            (half, half)
        }
        _ if low.is_infinite() || high.is_infinite() => {
            return Some(Estimate { n, mean, low: f64::NEG_INFINITY, high: f64::INFINITY });
        }
        _ => {
            let other = 1.0 - 0.05f64.powf(1.0 / (n - 1) as f64);
            (other * (mean - low), other * (high - mean))
        }
    };
    Some(Estimate { n, mean, low: (mean - below).max(low), high: (mean + above).min(high) })
}

/// A proportion with Wilson's interval; `None` of nothing.
pub fn wilson(yes: u64, n: u64) -> Option<Estimate> {
    if n == 0 {
        return None;
    }
    let mean = yes as f64 / n as f64;
    let (low, high) = wilson_ends(mean, n as f64);
    Some(Estimate { n, mean, low, high })
}

/// Wilson's interval of a share `p` of `n`, which need not be whole.
fn wilson_ends(p: f64, n: f64) -> (f64, f64) {
    let scale = 1.0 + Z * Z / n;
    let centre = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    // At 0 and 1 the interval ends there; rounding may leave it a hair away.
    (if p == 0.0 { 0.0 } else { centre - half }, if p == 1.0 { 1.0 } else { centre + half })
}

/// The mean of shares, each of a block of games that depend on each other; `None` of nothing.
///
/// The interval is Wilson's for as many independent games as would vary as much as the blocks do, with Student's
/// quantile for few blocks. So it stays between 0 and 1, and blocks that are all alike do not pass for certainty: they
/// count as one game each.
pub fn shares(blocks: &[f64]) -> Option<Estimate> {
    let (n, mean) = (blocks.len() as u64, mean(blocks)?.clamp(0.0, 1.0));
    let error = deviation(blocks).map_or(0.0, |sd| sd * t_quantile(n - 1) / Z / (n as f64).sqrt());
    let games = if error > 1e-12 { mean * (1.0 - mean) / (error * error) } else { n as f64 };
    let (low, high) = wilson_ends(mean, games);
    Some(Estimate { n, mean, low, high })
}

/// The mean of the differences `a − b` of games that were played with the same chance, where both have this range; `None` of
/// nothing.
///
/// # Panics
/// If there are not as many of the one as of the other.
pub fn paired(a: &[f64], b: &[f64], range: Range) -> Option<Estimate> {
    assert_eq!(a.len(), b.len(), "pairs");
    student(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>(), range.differences())
}

/// The difference `a − b` of two independent estimates: each end of its interval is as far from the difference as the ends on
/// that side are from their means, squared and added. For shares with Wilson's intervals this is Newcombe's interval
/// (Statistics in Medicine 17, 1998, method 10), for means nearly Welch's; it stays inside the range of differences. Where the two
/// hang together, as matches on the same deals do, it is rather too wide.
pub fn apart(a: &Estimate, b: &Estimate) -> Estimate {
    let mean = a.mean - b.mean;
    let below = (a.mean - a.low).hypot(b.high - b.mean);
    let above = (a.high - a.mean).hypot(b.mean - b.low);
    Estimate { n: a.n + b.n, mean, low: mean - below, high: mean + above }
}

/// The value below which a share `q` of the values lies, linear between neighbours; `None` of nothing.
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = q.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}

/// The middle value; `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// How many values lie in each of several equally wide bins.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Where the first bin begins.
    pub low: f64,
    /// How wide each is: 1, 2 or 5 times a power of ten; at least 1 if all values are whole.
    pub width: f64,
    /// How many values each has; a value on a border belongs to the bin above.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// The finest histogram with at most `most` bins; `None` of nothing.
    ///
    /// # Panics
    /// If fewer than two bins are allowed: a border may lie between any two values.
    pub fn of(values: &[f64], most: usize) -> Option<Histogram> {
        assert!(most >= 2, "at least two bins");
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        let whole = values.iter().all(|v| v.fract() == 0.0);
        let start = if high > low { ((high - low) / most as f64).log10().floor() as i32 } else { 0 };
        let powers = (if whole { start.max(0) } else { start })..;
        let fits = |width: f64| ((high / width).floor() - (low / width).floor()) < most as f64;
        let width = powers.flat_map(|k| [1.0, 2.0, 5.0].map(|m| scaled(m, k))).find(|&w| fits(w))?;
        let first = (low / width).floor();
        let mut counts = vec![0; ((high / width).floor() - first) as usize + 1];
        for value in values {
            counts[((value / width).floor() - first) as usize] += 1;
        }
        Some(Histogram { low: first * width, width, counts })
    }
}

/// `m · 10^k` without the rounding of negative powers.
fn scaled(m: f64, k: i32) -> f64 {
    if k < 0 { m / 10f64.powi(-k) } else { m * 10f64.powi(k) }
}

/// The 97.5 % quantile of Student's t with this many degrees of freedom: half of the 95 % interval.
///
/// # Panics
/// If there is no degree of freedom.
pub fn t_quantile(freedom: u64) -> f64 {
    assert!(freedom > 0, "no degree of freedom");
    let df = freedom as f64;
    let outside = |t: f64| beta(df / 2.0, 0.5, df / (df + t * t));
    let (mut low, mut high) = (1.9, 13.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if outside(middle) > 0.05 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The regularized incomplete beta function, by its continued fraction (modified Lentz).
fn beta(a: f64, b: f64, x: f64) -> f64 {
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta(b, a, 1.0 - x);
    }
    let safe = |v: f64| if v.abs() < 1e-300 { 1e-300 } else { v };
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln()).exp() / a;
    let mut c = 1.0;
    let mut d = 1.0 / safe(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..10_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for term in [even, odd] {
            d = 1.0 / safe(1.0 + term * d);
            c = safe(1.0 + term / c);
            step = c * d;
            fraction *= step;
        }
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * fraction
}

/// The logarithm of the gamma function for positive numbers, by Stirling's series above 10.
fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let inverse = 1.0 / (x * x);
    let series = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    let tail = series.iter().rev().fold(0.0, |sum, term| sum * inverse + term) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + tail
}

#[cfg(test)]
mod tests {
    use super::*;
    use ken_games::dice::Dice;

    fn near(a: f64, b: f64, by: f64) {
        assert!((a - b).abs() <= by, "{a} is not within {by} of {b}");
    }

    #[test]
    fn student_quantiles_are_those_of_the_tables() {
        // NIST/SEMATECH e-Handbook, table 1.3.6.7.2, column 0.975.
        for (df, t) in [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (100, 1.984)] {
            near(t_quantile(df), t, 6e-4);
        }
        // One and two degrees have closed forms.
        near(t_quantile(1), (0.475 * std::f64::consts::PI).tan(), 1e-9);
        near(t_quantile(2), 0.95 * (2.0f64 / (1.0 - 0.95f64.powi(2))).sqrt(), 1e-9);
        near(t_quantile(1_000_000), Z, 1e-5);
    }

    #[test]
    fn a_small_sample_by_hand() {
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        let estimate = student(&values, Range::ANY).unwrap();
        near(deviation(&values).unwrap(), (32.0f64 / 7.0).sqrt(), 1e-12);
        near(estimate.mean, 5.0, 1e-12);
        near(estimate.high - 5.0, 2.364_624 * (32.0f64 / 7.0 / 8.0).sqrt(), 1e-5);
        assert_eq!(
            (median(&values), quantile(&values, 0.25), quantile(&values, 1.0)),
            (Some(4.5), Some(4.0), Some(9.0))
        );
        assert_eq!((student(&[], Range::ANY), quantile(&[], 0.5), wilson(0, 0)), (None, None, None));
        assert_eq!(student(&[3.0], Range::ANY).unwrap().high, f64::INFINITY);
        let difference = paired(&[3.0, 5.0, 4.0], &[1.0, 3.0, 3.0], Range::ANY).unwrap();
        near(difference.mean, 5.0 / 3.0, 1e-12);
        near(difference.high, 5.0 / 3.0 + 4.302_653 / 3.0, 1e-6);
    }

    #[test]
    fn values_that_are_all_alike_are_no_certainty_however_many_they_are() {
        let ends = |n: usize, v: f64, range: Range| student(&vec![v; n], range).map(|e| (e.low, e.high)).unwrap();
        for n in [1, 2, 4, 6, 100, 10_000] {
            for range in [Range::ANY, Range::COUNT] {
                assert_eq!(ends(n, 4.0, range), (f64::NEG_INFINITY, f64::INFINITY), "{n}");
            }
            // About as wide as Wilson's for games that were all lost, which has 2.5 % at each end.
            let (low, high) = ends(n, 0.0, Range::SHARE);
            assert!(low == 0.0 && high >= wilson(0, n as u64).unwrap().high * 0.75 && high <= 1.0, "{n}: {high}");
            assert!(ends(n, 2.0, Range::of(0.0, 4.0)).1 > 2.0, "{n}");
        }
        assert_eq!(ends(1, 1.0, Range::of(0.0, 4.0)), (0.0, 4.0));
        near(ends(6, 0.0, Range::SHARE).1, 1.0 - 0.05f64.powf(0.2), 1e-12);
        // What differs by rounding only is alike.
        let rounded = student(&[0.1 + 0.2, 0.3, 0.3, 0.3, 0.3, 0.3], Range::SHARE).unwrap();
        assert!(rounded.low < 0.2 && rounded.high > 0.5, "{rounded:?}");
        assert!(student(&[4.0, 4.0, 5.0], Range::ANY).unwrap().high.is_finite());
    }

    #[test]
    fn values_that_are_all_alike_mislead_at_most_once_in_twenty_times() {
        // Whatever the chance of another value, both together, alike and the truth outside, are rare.
        let mut dice = Dice::new(7);
        for (n, chance) in [(2, 900), (4, 640), (6, 460), (6, 300), (20, 150), (20, 80)] {
            let mut misled = 0;
            for _ in 0..4000 {
                let values: Vec<f64> = (0..n).map(|_| f64::from(u8::from(dice.below(1000) < chance))).collect();
                let estimate = student(&values, Range::SHARE).unwrap();
                let alike = values.iter().all(|v| *v == values[0]);
                let truth = chance as f64 / 1000.0;
                misled += u32::from(alike && !(estimate.low..=estimate.high).contains(&truth));
            }
            // Three standard deviations above 200.
            assert!(misled <= 241, "{n} of {chance}: {misled}");
        }
    }

    #[test]
    fn intervals_do_not_leave_the_range_of_the_measure() {
        let estimate = student(&[0.0, 0.0, 0.0, 1.0], Range::of(0.0, 4.0)).unwrap();
        assert_eq!(estimate.low, 0.0);
        assert!(estimate.high > 0.5 && estimate.high < 4.0);
        assert_eq!(student(&[4.0, 4.0, 3.0], Range::of(0.0, 4.0)).unwrap().high, 4.0);
        assert_eq!(student(&[0.0, 1.0], Range::COUNT).unwrap().low, 0.0);
        // A value outside shows that the range is wider.
        assert_eq!(student(&[9.0], Range::of(0.0, 4.0)).unwrap().high, 9.0);
        assert_eq!(Range::of(0.0, 4.0).differences(), Range::of(-4.0, 4.0));
        assert_eq!(Range::COUNT.differences(), Range::ANY);
    }

    #[test]
    fn wilson_intervals_are_the_published_ones() {
        // Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        for (yes, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let estimate = wilson(yes, n).unwrap();
            near(estimate.low, low, 5e-5);
            near(estimate.high, high, 5e-5);
        }
        assert_eq!(wilson(7, 7).unwrap().high, 1.0);
    }

    #[test]
    fn differences_of_shares_have_the_published_intervals() {
        // Newcombe, Statistics in Medicine 17 (1998), table II, method 10.
        for (yes, n, of, others, low, high) in [
            (56, 70, 48, 80, 0.0524, 0.3339),
            (9, 10, 3, 10, 0.1705, 0.8090),
            (6, 7, 2, 7, 0.0582, 0.8062),
            (5, 56, 0, 29, -0.0381, 0.1926),
        ] {
            let estimate = apart(&wilson(yes, n).unwrap(), &wilson(of, others).unwrap());
            near(estimate.low, low, 5e-5);
            near(estimate.high, high, 5e-5);
        }
    }

    #[test]
    fn intervals_of_differences_cover_the_truth_as_often_as_they_say() {
        let mut dice = Dice::new(8);
        let (mut means, mut shares) = (0, 0);
        for _ in 0..3000 {
            let mut sums = |n: usize| -> Vec<f64> {
                (0..n).map(|_| (0..6).map(|_| dice.below(1001) as f64 / 1000.0).sum()).collect()
            };
            let six = Range::of(0.0, 6.0);
            let (few, many) = (student(&sums(10), six).unwrap(), student(&sums(25), six).unwrap());
            means += u32::from((apart(&few, &many).low..apart(&few, &many).high).contains(&0.0));
            let mut won =
                |n: u64, chance: usize| wilson((0..n).filter(|_| dice.below(100) < chance).count() as u64, n).unwrap();
            let difference = apart(&won(40, 28), &won(60, 13));
            shares += u32::from((difference.low..difference.high).contains(&0.15));
        }
        // Of 2850; what is not exact errs on the wide side.
        assert!((2814..2920).contains(&means), "{means}");
        assert!((2814..2920).contains(&shares), "{shares}");
    }

    #[test]
    fn intervals_cover_the_truth_as_often_as_they_say() {
        let mut dice = Dice::new(5);
        let (mut means, mut shares) = (0, 0);
        for _ in 0..4000 {
            let values: Vec<f64> = (0..8).map(|_| (0..6).map(|_| dice.below(1001) as f64 / 1000.0).sum()).collect();
            let estimate = student(&values, Range::of(0.0, 6.0)).unwrap();
            means += u32::from((estimate.low..estimate.high).contains(&3.0));
            let estimate = wilson((0..60).filter(|_| dice.below(5) == 0).count() as u64, 60).unwrap();
            shares += u32::from((estimate.low..estimate.high).contains(&0.2));
        }
        // Three standard deviations of the count are 41; Wilson's coverage itself moves a little with n.
        assert!((3755..3845).contains(&means), "{means}");
        assert!((3740..3880).contains(&shares), "{shares}");
    }

    #[test]
    fn intervals_of_dependent_games_cover_the_truth_and_stay_between_0_and_1() {
        // Each block has its own luck, which all of its four games share in part: the truth is 1 in 4.
        let mut dice = Dice::new(6);
        let mut covered = 0;
        for _ in 0..3000 {
            let block = |dice: &mut Dice| {
                let luck = dice.below(4) == 0;
                (0..4).filter(|_| if dice.below(2) == 0 { luck } else { dice.below(4) == 0 }).count() as f64 / 4.0
            };
            let blocks: Vec<f64> = (0..25).map(|_| block(&mut dice)).collect();
            let estimate = shares(&blocks).unwrap();
            assert!(0.0 <= estimate.low && estimate.low <= estimate.mean);
            assert!(estimate.mean <= estimate.high && estimate.high <= 1.0);
            covered += u32::from((estimate.low..estimate.high).contains(&0.25));
        }
        assert!((2800..2900).contains(&covered), "{covered}");
        let alike = shares(&[0.0; 20]).unwrap();
        assert_eq!((alike.low, alike.high), (0.0, wilson(0, 20).unwrap().high));
        assert!(shares(&[0.5; 20]).unwrap().high > 0.6);
    }

    #[test]
    fn a_histogram_counts_every_value_once_in_its_bin() {
        let whole = Histogram::of(&[3.0, 3.0, 5.0, 9.0], 20).unwrap();
        assert_eq!(whole, Histogram { low: 3.0, width: 1.0, counts: vec![2, 0, 1, 0, 0, 0, 1] });
        assert_eq!(Histogram::of(&[4.0], 2).unwrap(), Histogram { low: 4.0, width: 1.0, counts: vec![1] });
        let mut dice = Dice::new(3);
        for _ in 0..200 {
            let (n, span, unit) = (1 + dice.below(50), 1 + dice.below(2000), [1.0, 0.01][dice.below(2)]);
            let values: Vec<f64> = (0..n).map(|_| (dice.below(span) as f64 - 300.0) * unit).collect();
            let histogram = Histogram::of(&values, 24).unwrap();
            assert!(histogram.counts.len() <= 24);
            assert_eq!(histogram.counts.iter().sum::<u64>(), n as u64);
            assert!(histogram.counts[0] > 0 && histogram.counts[histogram.counts.len() - 1] > 0);
        }
    }
}
