//! The report as a page: one file with its style and drawings, light and dark, readable on a telephone.

use super::pairs::Pairs;
use super::{LEVEL, Lead, Report, Row, Versus, digits, draw, percent, share, summary, verdict};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

pub(super) fn page(report: &Report) -> String {
    let title = escape(&report.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n<h1>{title}</h1>\n<p>{}</p>\n<p>{}</p>\n",
        escape(&report.source),
        escape(&summary(report)),
    );
    for e in &report.missing {
        let _ = writeln!(
            out,
            "<p class=\"no\">Expected but not measured: {} of {}.</p>",
            escape(&e.metric),
            escape(&e.label)
        );
    }
    intervals(&mut out, report);
    for versus in &report.versus {
        matrix(&mut out, versus);
    }
    for pairs in Pairs::of(report) {
        let _ = writeln!(out, "<h2>Who plays well with whom: {}</h2>", escape(pairs.label));
        let _ = writeln!(out, "<div class=\"wide\">{}</div>", pairs.picture());
    }
    if !report.spreads.is_empty() {
        out += "<h2>Distributions</h2>\n<p class=\"key\">The stroke is the median.</p>\n<div class=\"multiples\">\n";
        for s in &report.spreads {
            let (label, metric) = (escape(&s.label), escape(&s.metric));
            let caption = format!("median {}, nine in ten at most {}", digits(s.median), digits(s.ninth));
            let drawing = draw::histogram(s);
            let _ =
                writeln!(out, "<figure><figcaption><b>{label}</b> {metric}: {caption}</figcaption>{drawing}</figure>");
        }
        out += "</div>\n";
    }
    table(&mut out, report);
    out + "</html>\n"
}

/// Measures with a paper's or an expected number beside ours, and all measures in which arms differ, each on one scale.
fn intervals(out: &mut String, report: &Report) {
    let mut metrics: Vec<&str> = Vec::new();
    // How often each number of groups occurs is a distribution, drawn below.
    for row in report.rows.iter().filter(|row| !row.metric.starts_with(LEVEL)) {
        let shared = report.rows.iter().any(|r| r.metric == row.metric && r.mean != row.mean);
        let worth = row.paper.is_some() || row.target.is_some() || shared;
        if worth && !metrics.contains(&row.metric.as_str()) {
            metrics.push(&row.metric);
        }
    }
    if !metrics.is_empty() {
        *out += "<p class=\"key\">Dot and bar: our mean and its 95 % interval.";
        *out += if report.has_paper() { " Diamond: the paper." } else { "" };
        *out += if report.has_target() { " Stroke: expected." } else { "" };
        *out += "</p>\n";
    }
    for metric in metrics {
        let rows: Vec<&Row> = report.rows.iter().filter(|r| r.metric == metric).collect();
        let scale = draw::Scale::of(&rows);
        let _ = writeln!(out, "<h2>{}</h2>", capital(&escape(metric)));
        let _ = writeln!(out, "<div class=\"strips\">\n<div class=\"strip\"><span></span>{}</div>", scale.axis());
        for row in rows {
            let mut words = format!("<b>{}</b> {}", escape(&row.label), digits(row.mean));
            if let Some(paper) = row.paper {
                let _ = write!(words, ", paper {}", digits(paper));
            }
            if let Some(target) = row.target {
                let _ = write!(words, ", expected {} {}", digits(target), badge(row.pass));
            }
            let drawing = draw::interval(row, &scale);
            let _ = writeln!(out, "<div class=\"strip\"><span>{words}</span>{drawing}</div>");
        }
        *out += "</div>\n";
    }
}

fn matrix(out: &mut String, versus: &Versus) {
    let _ = writeln!(out, "<h2>Who comes out ahead: {}</h2>", escape(&versus.label));
    *out += "<p class=\"key\">Share of the games in which the player of the row is ahead of the player of the column. \
             ▲ more often than the other way round, ▼ less often; unmarked: the 95 % interval does not tell.</p>\n\
             <div class=\"wide\"><table class=\"matrix\">\n<tr><th></th>";
    for name in &versus.players {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(name));
    }
    *out += "<th scope=\"col\">wins</th></tr>\n";
    for ((name, cells), wins) in versus.players.iter().zip(&versus.cells).zip(&versus.wins) {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escape(name));
        for cell in cells {
            let Some((part, difference)) = cell else {
                *out += "<td>·</td>";
                continue;
            };
            let _ = match Lead::of(difference) {
                Lead::Ahead => write!(out, "<td class=\"lead\">▲ {}</td>", percent(*part)),
                Lead::Behind => write!(out, "<td class=\"trail\">▼ {}</td>", percent(*part)),
                Lead::Open => write!(out, "<td>{}</td>", percent(*part)),
            };
        }
        let _ = writeln!(out, "<td>{}</td></tr>", share(wins));
    }
    *out += "</table></div>\n";
}

fn table(out: &mut String, report: &Report) {
    let (heads, said) = report.said(badge);
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    let _ = writeln!(
        out,
        "<h2>All measures</h2>\n<div class=\"wide\"><table>\n<tr><th>arm</th><th class=\"text\">measure</th><th>mean</th>\
         <th>95 % interval</th><th>games</th>{heads}</tr>"
    );
    for r in report.listed() {
        let said: String = said(r).iter().map(|cell| format!("<td>{cell}</td>")).collect();
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td>{said}</tr>",
            escape(&r.label),
            escape(&r.metric),
            digits(r.mean),
            r.interval("to"),
            r.n,
        );
    }
    *out += "</table></div>\n";
}

fn badge(pass: Option<bool>) -> String {
    match pass {
        Some(_) => format!("<span class=\"{0}\">{0}</span>", verdict(pass)),
        None => String::new(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
