//! What is expected of an experiment: a CSV text.
//!
//! ```csv
//! # where the numbers come from
//! label,metric,value,tolerance,direction
//! elimination C,rounds,12.9,0.1
//! exact C,rounds,6.65,0,at_most
//! ```
//!
//! A row passes iff its mean lies within the tolerance of the value, or on the right side of it. The values are claims
//! about as many games as the spec says. A run with fewer games cannot be held to that, so there the question is whether
//! the 95 % interval meets what is allowed: it fails only if the sample speaks against the claim.

use super::Row;
use crate::Problem;

/// On which side of the value a mean may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// On both, as far as the tolerance goes.
    Within,
    /// Below, or above as far as the tolerance goes.
    AtMost,
    /// Above, or below as far as the tolerance goes.
    AtLeast,
}

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 3] = [Direction::Within, Direction::AtMost, Direction::AtLeast];

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Within => "within",
            Direction::AtMost => "at_most",
            Direction::AtLeast => "at_least",
        }
    }
}

/// What is expected of one measure of one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The arm.
    pub label: String,
    /// The measure.
    pub metric: String,
    /// The value.
    pub value: f64,
    /// How far from it the mean may be.
    pub tolerance: f64,
    /// On which side.
    pub direction: Direction,
}

impl Expectation {
    /// Whether a row is as expected. `full`: whether the run had as many games as the spec says.
    pub fn holds(&self, row: &Row, full: bool) -> bool {
        let (low, high) = if full { (row.mean, row.mean) } else { (row.low, row.high) };
        // A hair of slack: 12.8 is within 0.1 of 12.9 although the difference of the two doubles is not.
        let slack = self.tolerance + 1e-9 * self.value.abs().max(1.0);
        let below = low <= self.value + slack;
        let above = high >= self.value - slack;
        match self.direction {
            Direction::Within => below && above,
            Direction::AtMost => below,
            Direction::AtLeast => above,
        }
    }
}

/// Reads expectations. All that is wrong is told at once.
pub fn parse_expected(text: &str) -> Result<Vec<Expectation>, Vec<Problem>> {
    let (mut expected, mut problems) = (Vec::<Expectation>::new(), Vec::new());
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    for (number, line) in lines.filter(|(_, l)| !l.is_empty() && !l.starts_with('#')) {
        if line.starts_with("label,") {
            continue;
        }
        match parse_line(line) {
            Ok(new) if expected.iter().any(|e| (&e.label, &e.metric) == (&new.label, &new.metric)) => {
                problems.push(Problem::new(format!("line {number}: {} of {} stands twice", new.metric, new.label)));
            }
            Ok(new) => expected.push(new),
            Err(problem) => problems.push(problem.at(format_args!("line {number}"))),
        }
    }
    if problems.is_empty() { Ok(expected) } else { Err(problems) }
}

fn parse_line(line: &str) -> Result<Expectation, Problem> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let (label, metric, value, tolerance, direction) = match fields[..] {
        [label, metric, value, tolerance] => (label, metric, value, tolerance, "within"),
        [label, metric, value, tolerance, direction] => (label, metric, value, tolerance, direction),
        _ => return Err(Problem::new("4 or 5 fields are needed").help("label,metric,value,tolerance[,direction]")),
    };
    let number = |what: &str, text: &str| match text.parse::<f64>() {
        Ok(v) if v.is_finite() => Ok(v),
        _ => Err(Problem::new(format!("the {what} `{text}` is no number"))),
    };
    let direction = Direction::ALL
        .into_iter()
        .find(|d| d.name() == direction)
        .ok_or_else(|| Problem::new(format!("`{direction}` is no direction")).help("within, at_most or at_least"))?;
    Ok(Expectation {
        label: label.into(),
        metric: metric.into(),
        value: number("value", value)?,
        tolerance: number("tolerance", tolerance)?.abs(),
        direction,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mean: f64, half: f64) -> Row {
        let (low, high) = (mean - half, mean + half);
        Row { label: "a".into(), metric: "m".into(), mean, low, high, n: 9, paper: None, target: None, pass: None }
    }

    #[test]
    fn a_full_run_is_judged_by_its_mean_and_a_small_one_by_its_interval() {
        let lines =
            "label,metric,value,tolerance,direction\n# ours\na,m,12.9,0.1\nb,m,6.65,0,at_most\nc,m,2,0.5,at_least\n";
        let [within, most, least] = &parse_expected(lines).unwrap()[..] else { panic!() };
        assert!(within.holds(&row(12.8, 0.0), true) && !within.holds(&row(12.79, 0.5), true));
        assert!(within.holds(&row(12.5, 0.4), false) && !within.holds(&row(12.5, 0.2), false));
        assert!(
            most.holds(&row(3.0, 0.0), true) && !most.holds(&row(6.7, 0.2), true) && most.holds(&row(6.7, 0.2), false)
        );
        assert!(least.holds(&row(1.5, 0.0), true) && !least.holds(&row(1.4, 0.05), false));
    }

    #[test]
    fn everything_wrong_is_told_at_once_with_its_line() {
        let problems = parse_expected("a,m,1\n\na,m,x,0\na,m,1,0,up\na,m,1,0\na,m,2,0\n").unwrap_err();
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "line 1: 4 or 5 fields are needed (label,metric,value,tolerance[,direction])",
                "line 3: the value `x` is no number",
                "line 4: `up` is no direction (within, at_most or at_least)",
                "line 6: m of a stands twice",
            ]
        );
    }
}
