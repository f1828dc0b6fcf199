//! Reports: what an experiment gave, beside what a paper says and what is expected.
//!
//! One list of [`Row`]s is the source of all forms: JSON, Markdown and an HTML page are peers.

mod draw;
mod expected;
mod html;
mod markdown;
mod pairs;
mod text;

pub use expected::{Direction, Expectation, parse_expected};

use crate::experiment::{ArmResults, Results, ahead, wins};
use crate::stats::{self, Estimate, Histogram, Range};
use serde_json::{Value, json};

/// One measure of one arm.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The arm.
    pub label: String,
    /// The measure.
    pub metric: String,
    /// Its mean.
    pub mean: f64,
    /// The lower end of the 95 % interval; −∞ if there is none.
    pub low: f64,
    /// The upper end; ∞ if there is no interval.
    pub high: f64,
    /// How many games it is from.
    pub n: u64,
    /// What the paper says.
    pub paper: Option<f64>,
    /// What is expected here.
    pub target: Option<f64>,
    /// Whether the expectation is met; `None` without one.
    pub pass: Option<bool>,
}

/// How the values of a measure are spread.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The arm.
    pub label: String,
    /// The measure.
    pub metric: String,
    /// The values in bins.
    pub histogram: Histogram,
    /// The middle value.
    pub median: f64,
    /// Nine in ten values are not above it.
    pub ninth: f64,
}

/// Who comes out ahead of whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Versus {
    /// The arm.
    pub label: String,
    /// The players.
    pub players: Vec<String>,
    /// How much of the wins each has.
    pub wins: Vec<Option<Estimate>>,
    /// In which share of the games the first player comes out ahead of the second, and by how much that is more than
    /// the other way round, with its interval over `n` blocks; `None` on the diagonal.
    pub cells: Vec<Vec<Option<(f64, Estimate)>>>,
}

/// Who is ahead in a pair, as far as the games tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lead {
    Ahead,
    Behind,
    Open,
}

impl Lead {
    /// The lead that a difference shows. Fewer than [`stats::ALIKE`] blocks show none.
    fn of(difference: &Estimate) -> Lead {
        match difference {
            e if e.n < stats::ALIKE => Lead::Open,
            e if e.low > 0.0 => Lead::Ahead,
            e if e.high < 0.0 => Lead::Behind,
            _ => Lead::Open,
        }
    }
}

/// A line that the report leaves out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its number, from 1.
    pub line: usize,
    /// Why.
    pub why: String,
}

/// A report.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The experiment's name.
    pub experiment: String,
    /// Its headline.
    pub title: String,
    /// Which paper and which table.
    pub source: String,
    /// How many games of all arms were played.
    pub games: u64,
    /// The master seed; games that people played have none.
    pub seed: Option<u64>,
    /// Whether all games that were wanted were played.
    pub complete: bool,
    /// The measures.
    pub rows: Vec<Row>,
    /// The distributions of the numbers.
    pub spreads: Vec<Spread>,
    /// The tables of who comes out ahead.
    pub versus: Vec<Versus>,
    /// Expectations without a measure.
    pub missing: Vec<Expectation>,
    /// The records that could not be read or measured; an experiment has none.
    pub left_out: Vec<LeftOut>,
    /// How many records were left out as copies of others; an experiment has none.
    pub copies: usize,
    /// The names that count as people although they are not `person`; an experiment has none.
    pub people: Vec<String>,
}

/// The measure that tells how often a match of Yōkai ends with so many colours together.
pub fn level_of(groups: usize) -> String {
    format!("{LEVEL}{groups}")
}

/// How the measures of [`level_of`] begin.
const LEVEL: &str = "groups = ";

impl Report {
    /// The report of these results, checked against what is expected.
    pub fn new(results: &Results, expected: &[Expectation]) -> Report {
        let spec = &results.spec;
        let mut rows = Vec::new();
        let mut used = vec![false; expected.len()];
        let (mut spreads, mut versus) = (Vec::new(), Vec::new());
        for (i, (arm, played)) in spec.arms.iter().zip(&results.arms).enumerate() {
            let mut add = |metric: String, estimate: Option<Estimate>| {
                let Some(Estimate { n, mean, low, high }) = estimate else { return };
                let place = expected.iter().position(|e| e.label == arm.label && e.metric == metric);
                let mut row = Row {
                    label: arm.label.clone(),
                    paper: arm.paper.get(&metric).copied(),
                    metric,
                    mean,
                    low,
                    high,
                    n,
                    target: place.map(|p| expected[p].value),
                    pass: None,
                };
                if let Some(place) = place {
                    used[place] = true;
                    row.pass = Some(expected[place].holds(&row, played.games >= spec.games(i)));
                }
                rows.push(row);
            };
            for column in &played.columns {
                add(column.name.clone(), column.estimate(&played.deals));
            }
            if let Some(other) = arm.against.as_ref().and_then(|label| spec.position(label)) {
                for column in &played.columns {
                    let metric = format!("{} minus {}", column.name, spec.arms[other].label);
                    add(metric, played.difference(&results.arms[other], &column.name));
                }
            }
            if played.rivals.is_empty() {
                spreads.extend(spread(&arm.label, played));
            } else {
                versus.push(Versus::of(&arm.label, played));
            }
        }
        Report {
            experiment: spec.name.clone(),
            title: spec.title.clone(),
            source: spec.source.clone(),
            games: results.arms.iter().map(|a| a.games).sum(),
            seed: Some(spec.seed),
            complete: results.complete,
            rows,
            spreads,
            versus,
            missing: expected.iter().zip(used).filter(|(_, used)| !used).map(|(e, _)| e.clone()).collect(),
            left_out: Vec::new(),
            copies: 0,
            people: Vec::new(),
        }
    }

    /// Whether every expectation has its measure and is met.
    pub fn passes(&self) -> bool {
        self.missing.is_empty() && self.rows.iter().all(|r| r.pass != Some(false))
    }

    /// The rows that stand in a table: those of pairs of players are in the table of who comes out ahead, unless a paper
    /// or an expectation speaks of them.
    fn listed(&self) -> impl Iterator<Item = &Row> {
        let pairs: Vec<String> = self
            .versus
            .iter()
            .flat_map(|v| v.players.iter().flat_map(|a| v.players.iter().map(move |b| ahead(a, b))))
            .collect();
        self.rows.iter().filter(move |r| r.paper.is_some() || r.target.is_some() || !pairs.contains(&r.metric))
    }

    /// Whether a paper says anything about a measure.
    fn has_paper(&self) -> bool {
        self.rows.iter().any(|r| r.paper.is_some())
    }

    /// Whether anything is expected of a measure.
    fn has_target(&self) -> bool {
        self.rows.iter().any(|r| r.target.is_some())
    }

    /// The columns about what others say, with their values for each row; those that would be empty are left out.
    fn said(&self, pass: fn(Option<bool>) -> String) -> (Vec<&'static str>, impl Fn(&Row) -> Vec<String>) {
        let (paper, target) = (self.has_paper(), self.has_target());
        let optional = |v: Option<f64>| v.map_or(String::new(), digits);
        let cells = move |r: &Row| {
            let paper = paper.then(|| optional(r.paper));
            let target = target.then(|| [optional(r.target), pass(r.pass)]);
            paper.into_iter().chain(target.into_iter().flatten()).collect()
        };
        let heads = paper.then_some("paper").into_iter();
        (heads.chain(target.then_some(["expected", "as expected"]).into_iter().flatten()).collect(), cells)
    }

    /// The report as data: `{"experiment", "games", "seed", "rows": [..], "left_out": [{"line", "why"}], "copies", "people"}`. Both ends
    /// of an interval are null if there is none.
    pub fn json(&self) -> Value {
        let finite = |v: f64| if v.is_finite() { json!(v) } else { Value::Null };
        let row = |r: &Row| {
            json!({
                "label": r.label, "metric": r.metric, "mean": r.mean, "low": finite(r.low), "high": finite(r.high),
                "n": r.n, "paper": r.paper, "target": r.target, "pass": r.pass,
            })
        };
        json!({
            "experiment": self.experiment,
            "games": self.games,
            "seed": self.seed,
            "complete": self.complete,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "missing": self.missing.iter().map(|e| json!({"label": e.label, "metric": e.metric})).collect::<Vec<_>>(),
            "left_out": self.left_out.iter().map(|l| json!({"line": l.line, "why": l.why})).collect::<Vec<_>>(),
            "copies": self.copies,
            "people": self.people,
        })
    }

    /// The report for a terminal.
    pub fn text(&self) -> String {
        text::page(self)
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        markdown::page(self)
    }

    /// A picture of who plays how well with whom, as SVG that needs nothing else, if an arm has pairs of partners.
    pub fn picture(&self) -> Option<String> {
        pairs::Pairs::of(self).first().map(pairs::Pairs::picture)
    }

    /// The report as a page that needs nothing else.
    pub fn html(&self) -> String {
        html::page(self)
    }
}

fn spread(label: &str, played: &ArmResults) -> Vec<Spread> {
    let numbers = played.columns.iter().filter(|c| !c.proportion);
    let of = |column: &crate::experiment::Column| {
        let values = column.present();
        Some(Spread {
            label: label.to_string(),
            metric: column.name.clone(),
            histogram: Histogram::of(&values, 40)?,
            median: stats::median(&values)?,
            ninth: stats::quantile(&values, 0.9)?,
        })
    };
    numbers.filter_map(of).collect()
}

impl Versus {
    fn of(label: &str, played: &ArmResults) -> Versus {
        let players = played.rivals.clone();
        let cell = |a: &String, b: &String| {
            let (ours, theirs) = (played.column(&ahead(a, b))?, played.column(&ahead(b, a))?);
            let pairs = ours.blocks(&played.deals).into_iter().zip(theirs.blocks(&played.deals));
            let (ours_by, theirs_by): (Vec<f64>, Vec<f64>) = pairs.filter_map(|(x, y)| Some((x?, y?))).unzip();
            Some((ours.estimate(&played.deals)?.mean, stats::paired(&ours_by, &theirs_by, Range::SHARE)?))
        };
        let cells = players.iter().map(|a| players.iter().map(|b| if a == b { None } else { cell(a, b) }).collect());
        Versus {
            label: label.to_string(),
            wins: players.iter().map(|p| played.column(&wins(p))?.estimate(&played.deals)).collect(),
            cells: cells.collect(),
            players,
        }
    }
}

impl Row {
    /// The interval, with this word between its ends, or that there is none.
    fn interval(&self, between: &str) -> String {
        match self.low.is_finite() && self.high.is_finite() {
            true => format!("{} {between} {}", digits(self.low), digits(self.high)),
            false => "none".to_string(),
        }
    }
}

/// A number with as many digits as are worth reading: four significant ones, at most three after the point.
fn digits(value: f64) -> String {
    let places = match value.abs() {
        v if v >= 1000.0 => 0,
        v if v >= 100.0 => 1,
        v if v >= 10.0 => 2,
        _ => 3,
    };
    let text = format!("{:.places$}", value.abs());
    // A whole number needs no point, and what rounds to nothing no sign.
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if value < 0.0 && text != "0" { format!("−{text}") } else { text.to_string() }
}

/// A share in per cent.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", digits((share * 1000.0).round() / 10.0))
}

/// A share with its interval.
fn share(estimate: &Option<Estimate>) -> String {
    let Some(Estimate { mean, low, high, .. }) = estimate else { return String::new() };
    let ends = percent(*low).replace(" %", "");
    format!("{} ({ends} to {})", percent(*mean), percent(*high))
}

/// How an expectation went, in a word.
fn verdict(pass: Option<bool>) -> &'static str {
    match pass {
        Some(true) => "yes",
        Some(false) => "no",
        None => "",
    }
}

/// The sentence under the headline.
fn summary(report: &Report) -> String {
    let unfinished = if report.complete { "" } else { " The run was interrupted: not all games were played." };
    let seed = report.seed.map_or(String::new(), |seed| format!(", seed {seed}"));
    let games = report.games;
    let left_out = match &report.left_out[..] {
        [] => String::new(),
        [one] => format!(" Line {} was left out: {}.", one.line, one.why.trim_end_matches('.')),
        [first, rest @ ..] => {
            let (line, why, more) = (first.line, first.why.trim_end_matches('.'), rest.len());
            format!(" {} lines were left out: line {line} ({why}) and {more} more.", more + 1)
        }
    };
    let copies = match report.copies {
        0 => String::new(),
        1 => " 1 record is a copy of another and was counted once with it.".to_string(),
        n => format!(" {n} records are copies of others and were not counted again."),
    };
    let people = match &report.people[..] {
        [] => String::new(),
        [one] => format!(" The name {one} is no player's and counts as a person."),
        several => format!(" The names {} are no players' and count as people.", several.join(", ")),
    };
    let in_all = if games == 1 { "1 game".to_string() } else { format!("{games} games") };
    let endless = report.rows.iter().any(|r| r.low.is_infinite() || r.high.is_infinite());
    let none = if endless { " A mean of games that are all alike may have none." } else { "" };
    format!(
        "{in_all} in all{seed}. Intervals are 95 % (Student for means, Wilson for shares).{none}{unfinished}{left_out}{copies}{people}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_blocks_that_are_alike_show_no_lead() {
        let lead = |blocks: &[f64]| Lead::of(&stats::student(blocks, Range::SHARE.differences()).unwrap());
        assert_eq!((lead(&[1.0; 5]), lead(&[1.0; 6]), lead(&[-1.0; 6])), (Lead::Open, Lead::Ahead, Lead::Behind));
        assert_eq!(lead(&[1.0, -1.0, 0.0, 1.0, -1.0, 1.0]), Lead::Open);
    }

    #[test]
    fn numbers_have_the_digits_that_are_worth_reading() {
        let texts = [12.9, 323.44, 10_000.0, 0.123_456, -0.000_01, -2.5, 7.0].map(digits);
        assert_eq!(texts, ["12.9", "323.4", "10000", "0.123", "0", "−2.5", "7"]);
        assert_eq!(percent(0.312_49), "31.2 %");
    }
}
