//! The experiments that the server comes with.

use crate::api::ExperimentInfo;
use ken_arena::catalogue;
use ken_arena::experiment::{Plan, Spec};
use ken_arena::report::{Expectation, parse_expected};

/// An experiment as its folder has it.
pub(crate) struct Embedded {
    /// Its name.
    pub name: &'static str,
    spec: &'static str,
    expected: &'static str,
}

macro_rules! experiments {
    ($($name:literal)*) => {
        &[$(Embedded {
            name: $name,
            spec: include_str!(concat!("../../../../experiments/", $name, "/spec.toml")),
            expected: include_str!(concat!("../../../../experiments/", $name, "/expected.csv")),
        },)*]
    };
}

/// All experiments.
pub(crate) const EXPERIMENTS: &[Embedded] = experiments! {
    "cluedo-thesis" "cluedo-tournament" "cluedo-others"
    "eleusis-express" "eleusis-guess" "eleusis-benchmark"
    "yokai-paper" "yokai-players" "yokai-memory" "yokai-learning" "yokai-exploring"
};

/// The experiment of this name.
pub(crate) fn find(name: &str) -> Option<&'static Embedded> {
    EXPERIMENTS.iter().find(|e| e.name == name)
}

fn joined(problems: Vec<ken_arena::Problem>) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Embedded {
    /// What was to be done.
    pub(crate) fn spec(&self) -> Result<Spec, String> {
        Spec::parse(self.spec).map_err(joined)
    }

    /// The experiment made ready with so many games of each row.
    pub(crate) fn plan(&self, games: u64) -> Result<Plan, String> {
        Ok(Plan::new(self.spec()?, catalogue::arm).map_err(joined)?.with_games(games))
    }

    /// What it is compared with.
    pub(crate) fn expected(&self) -> Result<Vec<Expectation>, String> {
        parse_expected(self.expected).map_err(joined)
    }

    /// What the list says about it.
    pub(crate) fn info(&self) -> Option<ExperimentInfo> {
        let (spec, expected) = (self.spec().ok()?, self.expected().ok()?);
        // The comment at the top of a spec says what it does.
        let about = self.spec.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect::<Vec<_>>();
        Some(ExperimentInfo {
            name: self.name.to_string(),
            about: about.join(" "),
            rows: spec.arms.iter().map(|arm| arm.label.clone()).collect(),
            games: spec.games,
            expected: expected.len(),
            title: spec.title,
            source: spec.source,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(experiment.plan(20).map(|plan| plan.spec().name.clone()), Ok(experiment.name.to_string()));
            let info = experiment.info().expect("a spec and expectations");
            assert!(info.expected > 0 && !info.about.is_empty() && !info.rows.is_empty());
        }
    }
}
