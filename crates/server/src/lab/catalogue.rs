//! The experiments that are offered: those that the program comes with.

use crate::api::ExperimentInfo;
use ken_arena::catalogue;
use ken_arena::experiment::Plan;
use ken_arena::library::Shipped;
use ken_arena::report::Expectation;

/// All problems as one text.
pub(super) fn joined(problems: Vec<ken_arena::Problem>) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// The experiment made ready with so many games of each row.
pub(crate) fn plan(experiment: &Shipped, games: u64) -> Result<Plan, String> {
    let spec = experiment.read().map_err(joined)?;
    Ok(Plan::new(spec, catalogue::arm).map_err(joined)?.with_games(games))
}

/// What it is compared with.
pub(crate) fn expected(experiment: &Shipped) -> Result<Vec<Expectation>, String> {
    experiment.expectations().map_err(joined)
}

/// What the list says about it.
pub(crate) fn info(experiment: &Shipped) -> Option<ExperimentInfo> {
    let (spec, expected) = (experiment.read().ok()?, experiment.expectations().ok()?);
    Some(ExperimentInfo {
        name: experiment.name.to_string(),
        about: experiment.about(),
        rows: spec.arms.iter().map(|arm| arm.label.clone()).collect(),
        games: spec.games,
        expected: expected.len(),
        title: spec.title,
        source: spec.source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ken_arena::library::EXPERIMENTS;

    #[test]
    fn every_experiment_can_be_offered_with_its_rows() {
        for experiment in EXPERIMENTS {
            assert_eq!(plan(experiment, 20).map(|plan| plan.spec().name.clone()), Ok(experiment.name.to_string()));
            let info = info(experiment).expect("a spec and expectations");
            assert!(info.expected > 0 && !info.about.is_empty() && !info.rows.is_empty());
        }
    }
}
