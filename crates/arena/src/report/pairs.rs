//! Who plays how well with whom: the measures of an arm in which every player meets every other as a partner, as a table
//! and as a picture that needs nothing else.

use super::{Report, Row, digits, percent};
use std::fmt::Write;

/// The measures of an arm that speak of pairs of partners, `wins, A with B` and so on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pairs<'a> {
    /// The arm.
    pub(super) label: &'a str,
    /// The players, in the order in which they are named.
    pub(super) players: Vec<&'a str>,
    rows: Vec<(&'a str, [&'a str; 2], &'a Row)>,
}

/// What one pair reached.
#[derive(Clone, Copy)]
pub(super) struct Cell<'a> {
    wins: &'a Row,
    score: &'a Row,
    false_stops: &'a Row,
}

impl<'a> Pairs<'a> {
    /// The arms of a report that have pairs with wins, scores and false stops.
    pub(super) fn of(report: &'a Report) -> Vec<Pairs<'a>> {
        let mut all: Vec<Pairs<'a>> = Vec::new();
        for row in &report.rows {
            let Some((measure, pair)) = row.metric.split_once(", ") else { continue };
            let Some((a, b)) = pair.split_once(" with ") else { continue };
            let at = all.iter().position(|p| p.label == row.label).unwrap_or_else(|| {
                all.push(Pairs { label: &row.label, players: Vec::new(), rows: Vec::new() });
                all.len() - 1
            });
            for name in [a, b] {
                if !all[at].players.contains(&name) {
                    all[at].players.push(name);
                }
            }
            all[at].rows.push((measure, [a, b], row));
        }
        all.retain(|pairs| pairs.players.iter().any(|a| pairs.players.iter().any(|b| pairs.cell(a, b).is_some())));
        all
    }

    fn row(&self, measure: &str, a: &str, b: &str) -> Option<&'a Row> {
        let found = self.rows.iter().find(|(m, pair, _)| *m == measure && (*pair == [a, b] || *pair == [b, a]));
        found.map(|f| f.2)
    }

    fn cell(&self, a: &str, b: &str) -> Option<Cell<'a>> {
        let row = |measure| self.row(measure, a, b);
        Some(Cell { wins: row("wins")?, score: row("score")?, false_stops: row("false stops")? })
    }

    /// The table in Markdown: the score with its interval, wins, and false stops of the games.
    pub(super) fn markdown(&self) -> String {
        let mut out = format!("\n## Who plays well with whom: {}\n\n", self.label);
        out += "Score with its 95 % interval (a loss counts 0), wins, and how many matches were stopped in vain; both \
                orders of seats together.\n\n";
        let _ = writeln!(out, "| | {} |\n|---|{}", self.players.join(" | "), "---|".repeat(self.players.len()));
        for a in &self.players {
            let words = |b: &&str| self.cell(a, b).map_or("·".to_string(), |cell| cell.words());
            let cells: Vec<String> = self.players.iter().map(words).collect();
            let _ = writeln!(out, "| {a} | {} |", cells.join(" | "));
        }
        out
    }

    /// The picture: darker is better.
    pub(super) fn picture(&self) -> String {
        let n = self.players.len();
        let (width, height) = (LEFT + n * WIDE + 8, TOP + n * TALL + 30);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\" role=\"img\" aria-label=\"Scores, wins and false stops of \
             every pair of players\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        for (i, name) in self.players.iter().enumerate() {
            let (x, y) = (LEFT + i * WIDE + WIDE / 2, TOP + i * TALL + TALL / 2 + 4);
            let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>", TOP - 12, escape(name));
            let _ = writeln!(out, "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{}</text>", LEFT - 8, escape(name));
        }
        for (i, a) in self.players.iter().enumerate() {
            for (j, b) in self.players.iter().enumerate() {
                let Some(cell) = self.cell(a, b) else { continue };
                let (x, y) = (LEFT + j * WIDE, TOP + i * TALL);
                let shade = (cell.score.mean / BEST).clamp(0.0, 1.0);
                let ink = if shade > 0.55 { "#ffffff" } else { "#1b1b1b" };
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                    WIDE - 2,
                    TALL - 2,
                    colour(shade)
                );
                let middle = x + WIDE / 2 - 1;
                for (line, (text, size)) in
                    [(cell.score(), 14), (cell.wins(), 12), (cell.stops(), 11)].into_iter().enumerate()
                {
                    let y = y + 19 + 16 * line;
                    let _ = writeln!(
                        out,
                        "<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"{size}\" fill=\"{ink}\">{text}</text>"
                    );
                }
            }
        }
        let y = TOP + n * TALL + 18;
        let _ = writeln!(
            out,
            "<text x=\"{LEFT}\" y=\"{y}\" font-size=\"11\">score ± 95 % interval (a loss counts 0), wins, false stops</text>"
        );
        out + "</svg>\n"
    }
}

/// The measures of the picture: a cell, and what is left of and above the cells.
const WIDE: usize = 128;
const TALL: usize = 58;
const LEFT: usize = 110;
const TOP: usize = 34;

/// The score that is as dark as can be.
const BEST: f64 = 18.0;

/// From nearly white to dark blue.
fn colour(shade: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * shade).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(238.0, 16.0), mix(243.0, 60.0), mix(249.0, 120.0))
}

impl Cell<'_> {
    fn score(&self) -> String {
        let half = (self.score.high - self.score.low) / 2.0;
        match half.is_finite() {
            true => format!("{:.1} ± {half:.1}", self.score.mean),
            false => digits(self.score.mean),
        }
    }

    fn wins(&self) -> String {
        format!("{} won", percent(self.wins.mean))
    }

    fn stops(&self) -> String {
        let row = self.false_stops;
        match (row.mean * row.n as f64).round() as u64 {
            0 => format!("no false stop of {}", row.n),
            1 => format!("1 false stop of {}", row.n),
            some => format!("{some} false stops of {}", row.n),
        }
    }

    fn words(&self) -> String {
        format!("{}, {}, {}", self.score(), self.wins(), self.stops())
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(metric: &str, mean: f64) -> Row {
        let (label, metric) = ("every pair".to_string(), metric.to_string());
        Row { label, metric, mean, low: mean - 0.5, high: mean + 0.5, n: 40, paper: None, target: None, pass: None }
    }

    fn report(rows: Vec<Row>) -> Report {
        Report {
            experiment: "pairs".into(),
            title: "Pairs".into(),
            source: "our own".into(),
            games: 40,
            seed: Some(1),
            complete: true,
            rows,
            spreads: Vec::new(),
            versus: Vec::new(),
            missing: Vec::new(),
            left_out: Vec::new(),
            copies: 0,
            people: Vec::new(),
        }
    }

    #[test]
    fn a_pair_stands_in_both_of_its_cells_and_false_stops_are_counted() {
        let rows = ["wins, a with b", "score, a with b", "false stops, a with b"].into_iter().zip([0.9, 7.25, 0.05]);
        let report = report(rows.map(|(metric, mean)| row(metric, mean)).collect());
        let [pairs] = &Pairs::of(&report)[..] else { panic!("one arm has pairs") };
        assert_eq!(pairs.players, ["a", "b"]);
        let table = pairs.markdown();
        assert_eq!(table.matches("90 % won, 2 false stops of 40").count(), 2, "{table}");
        assert!(
            table.contains("| a | · |") && table.lines().last().is_some_and(|line| line.ends_with("| · |")),
            "{table}"
        );
        let picture = report.picture().expect("a picture");
        assert_eq!(picture.matches("2 false stops of 40").count(), 2);
    }

    #[test]
    fn a_report_without_pairs_has_no_picture() {
        assert_eq!(report(vec![row("wins", 0.5), row("rounds, in all", 3.0)]).picture(), None);
    }
}
