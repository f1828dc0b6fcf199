//! What an experiment is: a TOML text.
//!
//! ```toml
//! name = "cluedo-thesis"
//! title = "Rounds to the solution"
//! source = "which paper, which table"
//! games = 10000            # of each arm
//! seed = 1
//! records = false          # whether each line holds the whole record of its game; true unless said
//!
//! [[arm]]
//! label = "modal, C"
//! kind = "cluedo-thesis"
//! games = 1000             # if not those above
//! against = "elimination, C"   # an earlier arm: the same seeds, and the difference is reported
//! paper = { rounds = 8.05 }    # what the paper says
//! player = "modal"         # everything else belongs to the kind
//! ```

use crate::Problem;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// An experiment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Its name: that of its folder.
    pub name: String,
    /// The headline of its report.
    pub title: String,
    /// Which paper and which table.
    pub source: String,
    /// How many games each arm has.
    pub games: u64,
    /// The master seed.
    pub seed: u64,
    /// Whether whole records are kept.
    #[serde(default = "yes")]
    pub records: bool,
    /// The arms.
    #[serde(rename = "arm")]
    pub arms: Vec<Arm>,
}

fn yes() -> bool {
    true
}

/// One arm of an experiment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Arm {
    /// Its name in tables; no commas.
    pub label: String,
    /// What is played.
    pub kind: String,
    /// How many games, if not those of the experiment.
    pub games: Option<u64>,
    /// The earlier arm with which it shares its seeds and is compared game by game.
    pub against: Option<String>,
    /// What the paper says, by metric.
    #[serde(default)]
    pub paper: BTreeMap<String, f64>,
    /// Everything else: the parameters of the kind.
    #[serde(flatten)]
    pub parameters: Map<String, Value>,
}

impl Arm {
    /// The parameters as a type of ours; what it does not know is refused.
    pub fn parameters<T: for<'a> Deserialize<'a>>(&self) -> Result<T, Problem> {
        T::deserialize(Value::Object(self.parameters.clone())).map_err(|e| Problem::new(plain(&e.to_string())))
    }
}

/// What the reader of the format says, without names of types.
fn plain(message: &str) -> String {
    let numbers = ["u8", "u32", "u64", "usize"];
    let message =
        numbers.iter().fold(message.to_string(), |m, t| m.replace(&format!("expected {t}"), "expected a whole number"));
    message.replace("a sequence", "a list").replace("a map", "a table")
}

impl Spec {
    /// Reads a spec. All that is wrong is told at once.
    pub fn parse(text: &str) -> Result<Spec, Vec<Problem>> {
        let spec: Spec = toml::from_str(text).map_err(|e| vec![Problem::new(plain(e.to_string().trim_end()))])?;
        let mut problems = Vec::new();
        let mut wrong = |message: String| problems.push(Problem::new(message));
        if spec.arms.is_empty() {
            wrong("there is no arm".into());
        }
        for (i, arm) in spec.arms.iter().enumerate() {
            let earlier = &spec.arms[..i];
            if arm.label.is_empty() || arm.label.contains([',', '\n', '"', '|']) {
                wrong(format!("the label `{}` has a comma, a quote, a bar or nothing", arm.label.escape_debug()));
            }
            if earlier.iter().any(|a| a.label == arm.label) {
                wrong(format!("two arms have the label `{}`", arm.label));
            }
            if arm.games.unwrap_or(spec.games) == 0 {
                wrong(format!("the arm `{}` has no games", arm.label));
            }
            match &arm.against {
                Some(other) if !earlier.iter().any(|a| a.label == *other) => {
                    wrong(format!("the arm `{}` is against `{other}`, which is no earlier arm", arm.label));
                }
                _ => {}
            }
        }
        if problems.is_empty() { Ok(spec) } else { Err(problems) }
    }

    /// How many games an arm is meant to have.
    pub fn games(&self, arm: usize) -> u64 {
        self.arms[arm].games.unwrap_or(self.games)
    }

    /// The arm whose number goes into the seeds of this one: the first in its chain of `against`.
    pub(super) fn stream(&self, arm: usize) -> usize {
        match &self.arms[arm].against {
            Some(other) => self.stream(self.position(other).expect("an earlier arm")),
            None => arm,
        }
    }

    /// Where the arm with this label is.
    pub fn position(&self, label: &str) -> Option<usize> {
        self.arms.iter().position(|a| a.label == label)
    }

    /// What the records depend on: they can be continued exactly if it is the same. (How many games are wanted and what
    /// the paper says are not part of it.)
    pub(super) fn identity(&self) -> Value {
        let arms: Vec<Value> = self
            .arms
            .iter()
            .map(|a| json!({"label": a.label, "kind": a.kind, "against": a.against, "parameters": a.parameters}))
            .collect();
        json!({"experiment": self.name, "version": crate::VERSION, "seed": self.seed, "records": self.records, "arms": arms})
    }
}
