//! The report for a terminal of 80 columns.

use super::{Report, Row, digits, percent, summary, verdict};
use crate::experiment::ahead;
use std::fmt::Write;

/// How wide the first column may be.
const LABEL: usize = 34;

pub(super) fn page(report: &Report) -> String {
    let mut out = format!("{}\n{}\n\n", report.title, summary(report).replace(". ", ".\n"));
    // Who is ahead of whom is a table of its own.
    let of_a_pair = |metric: &str| {
        let pairs = report
            .versus
            .iter()
            .flat_map(|v| v.players.iter().flat_map(|a| v.players.iter().map(move |b| ahead(a, b))));
        pairs.into_iter().any(|pair| pair == metric)
    };
    let rows: Vec<&Row> = report.rows.iter().filter(|r| r.pass.is_some() || !of_a_pair(&r.metric)).collect();
    let names: Vec<String> = rows.iter().map(|r| short(&format!("{}, {}", r.label, r.metric))).collect();
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0);
    let _ = writeln!(out, "{:width$} {:>7} {:>16} {:>7} {:>8}", "", "mean", "95 % interval", "paper", "expected");
    for (row, name) in rows.iter().zip(&names) {
        let interval = format!("{} – {}", digits(row.low), digits(row.high));
        let optional = |v: Option<f64>| v.map_or(String::new(), digits);
        let (mean, paper, target) = (digits(row.mean), optional(row.paper), optional(row.target));
        let line = format!("{name:width$} {mean:>7} {interval:>16} {paper:>7} {target:>8} {}", verdict(row.pass));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for versus in &report.versus {
        let _ = write!(out, "\n{}: share of the wins\n", versus.label);
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

fn short(text: &str) -> String {
    match text.chars().count() > LABEL {
        true => text.chars().take(LABEL - 1).chain(['…']).collect(),
        false => text.to_string(),
    }
}
