//! What the server counts, as Prometheus text.

use std::fmt::Write;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// The upper bounds of the histogram's boxes, in milliseconds.
const BOUNDS: [u64; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000];

/// How long something takes.
#[derive(Default)]
pub(crate) struct Histogram {
    boxes: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Histogram {
    /// Notes a duration.
    pub(crate) fn note(&self, time: Duration) {
        let micros = time.as_micros() as u64;
        let at = BOUNDS.iter().position(|&b| micros <= b * 1000).unwrap_or(BOUNDS.len());
        self.boxes[at].fetch_add(1, Relaxed);
        self.micros.fetch_add(micros, Relaxed);
    }

    fn write(&self, out: &mut String, name: &str, about: &str) {
        let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} histogram");
        let mut below = 0;
        for (count, bound) in self.boxes.iter().zip(BOUNDS.iter().map(Some).chain([None])) {
            below += count.load(Relaxed);
            let bound = bound.map_or("+Inf".to_string(), |b| (*b as f64 / 1000.0).to_string());
            let _ = writeln!(out, "{name}_bucket{{le=\"{bound}\"}} {below}");
        }
        let _ = writeln!(out, "{name}_sum {}\n{name}_count {below}", self.micros.load(Relaxed) as f64 / 1e6);
    }
}

/// Everything that is counted.
#[derive(Default)]
pub(crate) struct Metrics {
    /// Answers by the first digit of their status.
    pub answers: [AtomicU64; 6],
    /// Moves of people, from the request to the answer.
    pub moves: Histogram,
    /// Thinking of machines, an action each.
    pub thinking: Histogram,
    /// Questions of people to the inspector.
    pub questions: Histogram,
    /// Tables in memory.
    pub tables: AtomicI64,
    /// Matches begun.
    pub begun: AtomicU64,
    /// Matches ended.
    pub ended: AtomicU64,
    /// Writes that the disk refused.
    pub unstored: AtomicU64,
}

impl Metrics {
    /// The text that Prometheus reads.
    pub(crate) fn text(&self, live: usize) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "# HELP ken_answers_total Answers by class of status.\n# TYPE ken_answers_total counter");
        for (class, count) in self.answers.iter().enumerate().skip(1) {
            let _ = writeln!(out, "ken_answers_total{{class=\"{class}xx\"}} {}", count.load(Relaxed));
        }
        let counters = [
            ("ken_matches_begun_total", "Matches begun.", &self.begun),
            ("ken_matches_ended_total", "Matches ended.", &self.ended),
            ("ken_writes_refused_total", "Writes that the disk refused.", &self.unstored),
        ];
        for (name, about, counter) in counters {
            let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} counter\n{name} {}", counter.load(Relaxed));
        }
        let gauges = [
            ("ken_tables", "Tables in memory.", self.tables.load(Relaxed)),
            ("ken_live_connections", "Live connections.", live as i64),
        ];
        for (name, about, gauge) in gauges {
            let _ = writeln!(out, "# HELP {name} {about}\n# TYPE {name} gauge\n{name} {gauge}");
        }
        self.moves.write(&mut out, "ken_move_seconds", "Moves of people, from request to answer.");
        self.thinking.write(&mut out, "ken_thinking_seconds", "Thinking of machines, an action each.");
        self.questions.write(&mut out, "ken_question_seconds", "Questions to the inspector.");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_upwards() {
        let metrics = Metrics::default();
        metrics.moves.note(Duration::from_millis(3));
        metrics.moves.note(Duration::from_secs(9));
        let text = metrics.text(0);
        assert!(text.contains("ken_move_seconds_bucket{le=\"0.002\"} 0\n"));
        assert!(text.contains("ken_move_seconds_bucket{le=\"0.005\"} 1\n"));
        assert!(text.contains("ken_move_seconds_bucket{le=\"+Inf\"} 2\n"));
        assert!(text.contains("ken_move_seconds_count 2\n"));
    }
}
