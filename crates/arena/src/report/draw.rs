//! Drawings of a report: intervals on a common scale, and histograms. Small SVG, coloured by the page's style sheet.

use super::{Row, Spread, digits};
use std::fmt::Write;

/// The width of a drawing in its own units: about that of a small telephone, so that letters keep their size there.
const WIDTH: f64 = 320.0;
const MARGIN: f64 = 12.0;

/// Where values lie on a line.
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
}

impl Scale {
    /// The scale on which all of these rows fit. It is logarithmic if the values are positive and far apart.
    pub(super) fn of(rows: &[&Row]) -> Scale {
        let ends = |r: &&Row| [Some(r.mean), Some(r.low), Some(r.high), r.paper, r.target];
        let values: Vec<f64> = rows.iter().flat_map(ends).flatten().filter(|v| v.is_finite()).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low > 0.0 && high / low > 12.0 {
            return Scale { low: low / 1.15, high: high * 1.15, log: true };
        }
        let room = if high > low { (high - low) * 0.06 } else { 0.5 };
        Scale { low: low - room, high: high + room, log: false }
    }

    fn x(&self, value: f64) -> f64 {
        let share = if self.log {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        MARGIN + share.clamp(0.0, 1.0) * (WIDTH - 2.0 * MARGIN)
    }

    /// Round values on the scale, few enough for their labels.
    fn ticks(&self) -> Vec<f64> {
        let steps = |least: f64| {
            let power = least.log10().floor() as i32;
            (power..).flat_map(|k| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(k)))
        };
        if self.log {
            let all: Vec<f64> = steps(self.low).skip_while(|&t| t < self.low).take_while(|&t| t <= self.high).collect();
            // One, two and five of each power as long as they have room; else powers alone.
            let power = |t: &&f64| t.log10().fract().abs() < 1e-9;
            return if all.len() <= 7 { all } else { all.iter().filter(power).copied().collect() };
        }
        let span = self.high - self.low;
        let step = steps(span / 6.0).find(|&s| span / s <= 6.0).unwrap_or(span);
        let first = (self.low / step).ceil() as i64;
        (first..).map(|i| i as f64 * step).take_while(|&t| t <= self.high).collect()
    }

    /// The scale as a drawing.
    pub(super) fn axis(&self) -> String {
        let mut out = open(18.0, "scale", None);
        for tick in self.ticks() {
            let x = self.x(tick);
            let _ = write!(out, "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"14\" y2=\"18\" class=\"axis\"/>");
            let _ = write!(out, "<text x=\"{x:.1}\" y=\"11\" text-anchor=\"middle\">{}</text>", digits(tick));
        }
        out + "</svg>"
    }
}

/// A row on its scale: the interval, the mean, the paper's number (a diamond) and the expected one (a stroke).
pub(super) fn interval(row: &Row, scale: &Scale) -> String {
    let known = row.low.is_finite() && row.high.is_finite();
    let words = match known {
        true => format!("{} from {}", digits(row.mean), row.interval("to")),
        false => format!("{} without an interval", digits(row.mean)),
    };
    let mut out = open(22.0, "interval", Some(&words));
    let mean = scale.x(row.mean);
    let _ = write!(out, "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"11\" y2=\"11\" class=\"axis\"/>", WIDTH - MARGIN);
    if let Some(target) = row.target {
        let x = scale.x(target);
        let _ = write!(out, "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"2\" y2=\"20\" class=\"target\"/>");
    }
    if known {
        let (low, high) = (scale.x(row.low), scale.x(row.high));
        let _ = write!(out, "<line x1=\"{low:.1}\" x2=\"{high:.1}\" y1=\"11\" y2=\"11\" class=\"range\"/>");
    }
    let _ = write!(out, "<circle cx=\"{mean:.1}\" cy=\"11\" r=\"4\" class=\"mean\"/>");
    if let Some(paper) = row.paper {
        let x = scale.x(paper);
        let _ = write!(out, "<path d=\"M{x:.1} 5l5 6l-5 6l-5 -6z\" class=\"paper\"/>");
    }
    out + "</svg>"
}

/// A histogram with its first and last value, and the median as a stroke.
pub(super) fn histogram(spread: &Spread) -> String {
    const HEIGHT: f64 = 90.0;
    let h = &spread.histogram;
    let words = format!("median {}, nine in ten at most {}", digits(spread.median), digits(spread.ninth));
    let mut out = open(HEIGHT + 18.0, "histogram", Some(&words));
    let most = h.counts.iter().max().copied().unwrap_or(1).max(1) as f64;
    let bar = (WIDTH - 2.0 * MARGIN) / h.counts.len() as f64;
    let gap = if bar > 4.0 { 1.0 } else { 0.0 };
    for (i, &count) in h.counts.iter().enumerate().filter(|(_, c)| **c > 0) {
        let (x, tall) = (MARGIN + i as f64 * bar, (count as f64 / most * (HEIGHT - 6.0)).max(0.5));
        let (y, wide) = (HEIGHT - tall, bar - gap);
        let _ = write!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\" class=\"bar\"/>");
    }
    // A whole value stands for itself: its mark belongs in the middle of its bar.
    let middle = if h.width == 1.0 { 0.5 } else { 0.0 };
    let median = MARGIN + ((spread.median - h.low) / h.width + middle) * bar;
    let _ = write!(out, "<line x1=\"{median:.1}\" x2=\"{median:.1}\" y1=\"2\" y2=\"{HEIGHT}\" class=\"target\"/>");
    let _ =
        write!(out, "<line x1=\"{MARGIN}\" x2=\"{}\" y1=\"{HEIGHT}\" y2=\"{HEIGHT}\" class=\"axis\"/>", WIDTH - MARGIN);
    let last = h.low + h.width * (h.counts.len() as f64 - 2.0 * middle);
    let (y, right) = (HEIGHT + 14.0, WIDTH - MARGIN);
    let _ = write!(out, "<text x=\"{MARGIN}\" y=\"{y}\">{}</text>", digits(h.low));
    let _ = write!(out, "<text x=\"{right}\" y=\"{y}\" text-anchor=\"end\">{}</text>", digits(last));
    out + "</svg>"
}

fn open(height: f64, class: &str, words: Option<&str>) -> String {
    let role = words.map_or("aria-hidden=\"true\"".to_string(), |w| format!("role=\"img\" aria-label=\"{w}\""));
    format!("<svg viewBox=\"0 0 {WIDTH} {height}\" class=\"{class}\" {role}>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mean: f64, half: f64) -> Row {
        let (low, high) = (mean - half, mean + half);
        Row { label: "a".into(), metric: "m".into(), mean, low, high, n: 9, paper: None, target: None, pass: None }
    }

    #[test]
    fn a_scale_holds_all_values_and_has_round_ticks() {
        for (rows, ticks) in [
            (vec![row(12.0, 0.5), row(14.0, 0.5)], vec![12.0, 13.0, 14.0]),
            (vec![row(5.5, 0.1), row(323.0, 3.0)], vec![5.0, 10.0, 20.0, 50.0, 100.0, 200.0]),
            (vec![row(0.0, 0.0)], vec![-0.4, -0.2, 0.0, 0.2, 0.4]),
            (vec![row(1.0, f64::INFINITY)], vec![0.6, 0.8, 1.0, 1.2, 1.4]),
        ] {
            let scale = Scale::of(&rows.iter().collect::<Vec<_>>());
            let texts = |t: &[f64]| t.iter().map(|&t| digits(t)).collect::<Vec<_>>();
            assert_eq!(texts(&scale.ticks()), texts(&ticks));
            for value in rows.iter().flat_map(|r| [r.low, r.high]).filter(|v| v.is_finite()) {
                assert!((MARGIN..=WIDTH - MARGIN).contains(&scale.x(value)));
            }
        }
    }
}
