//! The report as Markdown.

use super::pairs::Pairs;
use super::{Report, Versus, digits, percent, share, summary, verdict};
use std::borrow::Borrow;
use std::fmt::Write;

pub(super) fn page(report: &Report) -> String {
    let mut out = format!("# {}\n\nSource: {}\n\n{}\n\n", report.title, report.source, summary(report));
    let (heads, said) = report.said(|pass| verdict(pass).to_string());
    let fixed = ["arm", "measure", "mean", "95 % interval", "games"];
    let rule = |head: &str| if ["arm", "measure", "as expected"].contains(&head) { "---" } else { "--:" };
    let heads: Vec<&str> = fixed.into_iter().chain(heads).collect();
    line(&mut out, &heads);
    let _ = writeln!(out, "|{}|", heads.iter().map(|head| rule(head)).collect::<Vec<_>>().join("|"));
    for r in report.listed() {
        let mut cells = vec![r.label.clone(), escape(&r.metric), digits(r.mean), r.interval("to"), r.n.to_string()];
        cells.extend(said(r));
        line(&mut out, &cells);
    }
    for versus in &report.versus {
        matrix(&mut out, versus);
    }
    for pairs in Pairs::of(report) {
        out += &pairs.markdown();
    }
    if !report.spreads.is_empty() {
        out += "\n## Distributions\n\n| arm | measure | median | nine in ten at most |\n|---|---|--:|--:|\n";
        for s in &report.spreads {
            line(&mut out, &[s.label.clone(), escape(&s.metric), digits(s.median), digits(s.ninth)]);
        }
    }
    for e in &report.missing {
        let _ = write!(out, "\nExpected but not measured: {} of {}.\n", e.metric, e.label);
    }
    out
}

fn matrix(out: &mut String, versus: &Versus) {
    let names: Vec<String> = versus.players.iter().map(|p| escape(p)).collect();
    let _ = write!(out, "\n## Who comes out ahead: {}\n\n", versus.label);
    *out += "Share of the games in which the player of the row is ahead of the player of the column.\n\n";
    let _ = writeln!(out, "| | {} | wins |\n|---|{}--:|", names.join(" | "), "--:|".repeat(names.len()));
    for ((name, cells), wins) in names.iter().zip(&versus.cells).zip(&versus.wins) {
        let mut fields = vec![name.clone()];
        fields.extend(cells.iter().map(|c| c.as_ref().map_or("·".to_string(), |(part, _)| percent(*part))));
        fields.push(share(wins));
        line(out, &fields);
    }
}

fn line<S: Borrow<str>>(out: &mut String, fields: &[S]) {
    let _ = writeln!(out, "| {} |", fields.join(" | "));
}

/// A bar would end the cell.
fn escape(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
