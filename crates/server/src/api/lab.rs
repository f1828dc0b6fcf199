//! Experiments, their runs, and what people's matches tell.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What the lab offers and what it is doing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LabInfo {
    /// The experiments.
    pub experiments: Vec<ExperimentInfo>,
    /// The runs, the latest first.
    pub runs: Vec<RunInfo>,
    /// The fewest games of a row.
    pub fewest: u64,
    /// The most games of a row.
    pub most: u64,
}

/// An experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExperimentInfo {
    /// Its name.
    pub name: String,
    /// Its headline.
    pub title: String,
    /// Which paper and which table.
    pub source: String,
    /// What it does, in a few words of its maker.
    pub about: String,
    /// Its rows.
    pub rows: Vec<String>,
    /// How many games of a row the full experiment has; here it is a small one.
    pub games: u64,
    /// How many numbers it is compared with.
    pub expected: usize,
}

/// Starts a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewRun {
    /// The experiment's name.
    pub experiment: String,
    /// How many games of each row.
    pub games: u64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It waits for another.
    Waiting,
    /// It is being played.
    Playing,
    /// All games were played.
    Done,
    /// It was stopped before the end; what was played is kept.
    Stopped,
    /// It could not be played.
    Failed,
}

/// A run of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RunInfo {
    /// Its name.
    pub id: String,
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's headline.
    pub title: String,
    /// How many games of each row.
    pub games: u64,
    /// How far it is.
    pub state: RunState,
    /// The games played.
    pub done: u64,
    /// The games wanted, of all rows.
    pub total: u64,
    /// When it was started, in seconds since 1970.
    pub started: u64,
    /// Why it could not be played, or why it stopped.
    pub why: Option<String>,
    /// Whether the one who asks may stop it.
    pub mine: bool,
    /// Whether there is a report.
    pub report: bool,
}

/// A run with what it gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RunReport {
    /// The run.
    pub run: RunInfo,
    /// The measures; none before there is a report.
    pub rows: Vec<ReportRow>,
    /// What is expected but was not measured.
    pub missing: Vec<String>,
}

/// A measure with its 95 % interval, beside what a paper says and what is expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReportRow {
    /// Of which games.
    pub label: String,
    /// What was measured.
    pub metric: String,
    /// Its mean.
    pub mean: f64,
    /// The lower end of the interval; nothing if there is none.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many games it is from.
    pub n: u64,
    /// What the paper says.
    pub paper: Option<f64>,
    /// What is expected here.
    pub target: Option<f64>,
    /// Whether the expectation is met.
    pub pass: Option<bool>,
}

/// What people's matches tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StudyReport {
    /// How many matches all people at the table agreed to.
    pub matches: usize,
    /// How many of them were left out because they could not be read again.
    pub unread: usize,
    /// How many matches each line-up has.
    pub lineups: Vec<LineUp>,
    /// The measures.
    pub rows: Vec<ReportRow>,
}

/// Who played what with whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LineUp {
    /// Its name, which the measures have too.
    pub label: String,
    /// How many matches.
    pub matches: u64,
}
