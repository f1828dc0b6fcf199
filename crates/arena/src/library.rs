//! The experiments that the program comes with: the folders of `experiments/`, inside the binary.

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

macro_rules! experiments {
    ($($name:literal)*) => {
        &[$(Shipped {
            name: $name,
            spec: include_str!(concat!("../../../experiments/", $name, "/spec.toml")),
            expected: include_str!(concat!("../../../experiments/", $name, "/expected.csv")),
        },)*]
    };
}

/// All experiments.
pub const EXPERIMENTS: &[Shipped] = experiments! {
    "cluedo-thesis" "cluedo-tournament" "cluedo-others"
    "eleusis-express" "eleusis-guess" "eleusis-benchmark"
    "yokai-paper" "yokai-players" "yokai-memory" "yokai-learning" "yokai-exploring"
};

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
    fn every_experiment_of_the_repository_is_here_and_can_be_made_ready() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap())
            .filter(|e| e.path().join("spec.toml").exists())
            .map(|e| e.file_name().into_string().unwrap())
            .collect();
        let mut here: Vec<String> = EXPERIMENTS.iter().map(|e| e.name.to_string()).collect();
        there.sort();
        here.sort();
        assert_eq!(here, there);
        for experiment in EXPERIMENTS {
            let plan = Plan::new(experiment.read().unwrap(), catalogue::arm).unwrap();
            assert_eq!(plan.spec().name, experiment.name);
            assert!(!experiment.expectations().unwrap().is_empty() && !experiment.about().is_empty());
        }
    }
}
