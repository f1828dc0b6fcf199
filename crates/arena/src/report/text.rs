//! The report for a terminal of 80 columns.

use super::{Report, Row, digits, percent, summary, verdict};
use crate::experiment::ahead;
use std::fmt::Write;

/// How wide the first column may be; less where the others need the room.
const LABEL: usize = 34;

/// How wide a line may be.
const WIDTH: usize = 80;

pub(super) fn page(report: &Report) -> String {
    let head = format!("{}\n{}", report.title, summary(report).replace(". ", ".\n"));
    let mut out =
        head.lines().flat_map(|line| wrapped(line, WIDTH)).fold(String::new(), |all, line| all + &line + "\n");
    out.push('\n');
    // Who is ahead of whom is a table of its own.
    let of_a_pair = |metric: &str| {
        let pairs = report
            .versus
            .iter()
            .flat_map(|v| v.players.iter().flat_map(|a| v.players.iter().map(move |b| ahead(a, b))));
        pairs.into_iter().any(|pair| pair == metric)
    };
    let rows: Vec<&Row> = report.rows.iter().filter(|r| r.pass.is_some() || !of_a_pair(&r.metric)).collect();
    let columns = Columns { paper: report.has_paper(), target: report.has_target() };
    let label = LABEL.min(WIDTH - columns.width());
    let long = |r: &&Row| r.label.chars().count() + r.metric.chars().count() + 2 > label;
    // The rows of an arm stand under its name if that is long.
    let headed: Vec<&str> = rows.iter().filter(|r| long(r)).map(|r| r.label.as_str()).collect();
    let name = |r: &&Row| match headed.contains(&r.label.as_str()) {
        true => wrapped(&format!("  {}", r.metric), label),
        false => vec![format!("{}, {}", r.label, r.metric)],
    };
    let names: Vec<Vec<String>> = rows.iter().map(name).collect();
    let width = names.iter().flatten().map(|n| n.chars().count()).max().unwrap_or(0);
    let head = columns.line(["mean", "95 % interval", "games", "paper", "expected", ""].map(str::to_string));
    let _ = writeln!(out, "{:width$}{head}", "");
    let mut above = "";
    for (row, name) in rows.iter().zip(&names) {
        if row.label != above && headed.contains(&row.label.as_str()) {
            wrapped(&row.label, WIDTH).into_iter().for_each(|line| out += &(line + "\n"));
        }
        above = &row.label;
        let (name, before) = name.split_last().expect("a name has a line");
        before.iter().for_each(|line| out += &format!("{line}\n"));
        let optional = |v: Option<f64>| v.map_or(String::new(), digits);
        let (paper, target, pass) = (optional(row.paper), optional(row.target), verdict(row.pass).to_string());
        let line = columns.line([digits(row.mean), row.interval("–"), row.n.to_string(), paper, target, pass]);
        let _ = writeln!(out, "{name:width$}{line}");
    }
    for versus in &report.versus {
        let games = report.rows.iter().filter(|r| r.label == versus.label).map(|r| r.n).max().unwrap_or(0);
        let of = if games == 1 { "1 game".to_string() } else { format!("{games} games") };
        let _ = write!(out, "\n{}, {of}: share of the wins\n", versus.label);
        for (player, wins) in versus.players.iter().zip(&versus.wins) {
            if let Some(wins) = wins {
                let (mean, low, high) = (percent(wins.mean), percent(wins.low), percent(wins.high));
                let _ = writeln!(out, "  {player:<24} {mean:>7}  ({low} – {high})");
            }
        }
    }
    for e in &report.missing {
        let _ = writeln!(out, "expected but not measured: {} of {}", e.metric, e.label);
    }
    out
}

/// Which columns there are beside the mean, its interval and the games.
struct Columns {
    paper: bool,
    target: bool,
}

impl Columns {
    /// How wide each is with the space before it: mean, interval, games, paper, expected, as expected.
    fn widths(&self) -> [usize; 6] {
        let (paper, target) = (usize::from(self.paper), usize::from(self.target));
        [8, 17, 7, 8 * paper, 9 * target, 5 * target]
    }

    fn width(&self) -> usize {
        self.widths().iter().sum()
    }

    /// The cells of a line; those of columns that are not there are left out.
    fn line(&self, cells: [String; 6]) -> String {
        let there = cells.iter().zip(self.widths()).filter(|(_, width)| *width > 0);
        let line = there.fold(String::new(), |line, (cell, width)| match width {
            // The verdict is a word.
            5 => format!("{line} {cell}"),
            width => format!("{line} {cell:>0$}", width - 1),
        });
        line.trim_end().to_string()
    }
}

/// The text in lines of at most `width` characters, the later ones indented by two more than the first. It is broken
/// between words, and inside a word only if that is longer than a line.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let indent = text.chars().take_while(|c| *c == ' ').count();
    let mut lines = vec![" ".repeat(indent)];
    let blank = |line: &str| line.trim().is_empty();
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        while !word.is_empty() {
            let line = lines.last_mut().expect("there is a first line");
            let used = line.chars().count() + usize::from(!blank(line));
            if used + word.len() <= width || blank(line) {
                if !blank(line) {
                    line.push(' ');
                }
                let most = word.len().min(width.saturating_sub(used).max(1));
                line.extend(word.drain(..most));
            }
            if !word.is_empty() {
                lines.push(" ".repeat(indent + 2));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_labels_are_wrapped_and_not_cut() {
        assert_eq!(wrapped("  wins of elimination", 34), ["  wins of elimination"]);
        assert_eq!(
            wrapped("  score of exec:./player --level 3", 20),
            ["  score of", "    exec:./player", "    --level 3"]
        );
        assert_eq!(wrapped(&"x".repeat(12), 10), ["x".repeat(10), "  xx".to_string()]);
        assert_eq!(wrapped("", 10), [""]);
    }
}
