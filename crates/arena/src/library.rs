//! What the program comes with, inside the binary: the files of `models/` and the folders of `experiments/`.

use crate::Problem;
use crate::experiment::Spec;
use crate::report::{Expectation, parse_expected};

/// An experiment as its folder has it.
pub struct Shipped {
    /// Its name: that of its folder.
    pub name: &'static str,
    /// The text of its `spec.toml`.
    pub spec: &'static str,
    /// The text of its `expected.csv`.
    pub expected: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The text of the model of this name. It can be asked when the program is compiled, so that a model that others rely on
/// is not lost.
pub const fn model(name: &str) -> Option<&'static str> {
    let mut at = 0;
    while at < MODELS.len() {
        if same(MODELS[at].0.as_bytes(), name.as_bytes()) {
            return Some(MODELS[at].1);
        }
        at += 1;
    }
    None
}

const fn same(mut left: &[u8], mut right: &[u8]) -> bool {
    while let ([a, x @ ..], [b, y @ ..]) = (left, right) {
        if *a != *b {
            return false;
        }
        (left, right) = (x, y);
    }
    left.is_empty() && right.is_empty()
}

/// The first comment line of a model: what it is about.
pub fn title(model: &str) -> &str {
    model.lines().find_map(|line| line.strip_prefix("--")).unwrap_or("").trim()
}

/// The experiment of this name.
pub fn find(name: &str) -> Option<&'static Shipped> {
    EXPERIMENTS.iter().find(|e| e.name == name)
}

impl Shipped {
    /// What was to be done.
    ///
    /// # Errors
    /// All problems of the text.
    pub fn read(&self) -> Result<Spec, Vec<Problem>> {
        Spec::parse(self.spec)
    }

    /// What it is compared with.
    ///
    /// # Errors
    /// All problems of the text.
    pub fn expectations(&self) -> Result<Vec<Expectation>, Vec<Problem>> {
        parse_expected(self.expected)
    }

    /// The comment at the top of its spec: what it does.
    pub fn about(&self) -> String {
        let lines = self.spec.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        lines.collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use crate::experiment::Plan;

    #[test]
    fn every_experiment_can_be_made_ready() {
        assert!(EXPERIMENTS.len() > 10);
        for experiment in EXPERIMENTS {
            let plan = Plan::new(experiment.read().unwrap(), catalogue::arm).unwrap();
            assert_eq!(plan.spec().name, experiment.name);
            assert!(!experiment.expectations().unwrap().is_empty() && !experiment.about().is_empty());
        }
    }

    #[test]
    fn models_are_found_by_their_whole_name() {
        assert!(MODELS.len() > 10);
        for (name, text) in MODELS {
            assert_eq!(model(name), Some(*text));
            assert!(!title(text).is_empty(), "{name}");
        }
        assert_eq!((model("mudd"), model("muddyy"), model("")), (None, None, None));
    }
}
