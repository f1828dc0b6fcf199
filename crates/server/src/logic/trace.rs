//! Runs of a system, with what each agent considers possible along them.

use super::source::fact_list;
use super::{LogicPossible, LogicRun, LogicState};
use ken_logic::Checker;
use ken_logic::check::time::{Account, Possible, RunView, Why};
use ken_logic::model::system::Recall;

/// The most runs of one answer.
const RUNS: usize = 6;
/// The most states of one run that are sent.
const STATES: usize = 300;
/// The most states that an agent considers possible that are sent.
const POSSIBLE: usize = 12;

/// The runs of an account, with what they show and what agents remember.
pub(crate) fn runs(account: &Account, recall: Recall) -> Vec<(String, RunView, Recall)> {
    let mut found: Vec<(String, RunView, Recall)> = Vec::new();
    collect(account, recall, &mut found);
    // A run that goes on in a later one need not be shown twice.
    let goes_on = |run: &RunView, later: &RunView| {
        run.loops_to.is_none()
            && run.start == later.start
            && run.steps.len() <= later.steps.len()
            && run.steps == later.steps[..run.steps.len()]
    };
    let mut kept: Vec<(String, RunView, Recall)> = Vec::new();
    for (i, (title, run, recall)) in found.iter().enumerate() {
        let shown = kept.iter().any(|(_, other, _)| goes_on(run, other))
            || found[i + 1..].iter().any(|(later, other, _)| later == title && goes_on(run, other));
        if !shown && (!run.steps.is_empty() || title != SHOWS) {
            kept.push((title.clone(), run.clone(), *recall));
        }
    }
    kept.truncate(RUNS);
    kept
}

const SHOWS: &str = "this run shows it";

fn collect(account: &Account, recall: Recall, out: &mut Vec<(String, RunView, Recall)>) {
    match &account.why {
        Why::Parts(parts) => parts.iter().for_each(|part| collect(part, recall, out)),
        Why::Run(run, then) => {
            out.push((SHOWS.to_string(), run.clone(), recall));
            if let Some(then) = then {
                collect(then, recall, out);
            }
        }
        Why::Lookalike { agents, actual, other, then, .. } => {
            out.push((SHOWS.to_string(), actual.clone(), recall));
            let names: Vec<&str> = agents.iter().map(|a| &**a).collect();
            out.push((format!("looks the same to {}", names.join(", ")), other.clone(), recall));
            collect(then, recall, out);
        }
        Why::Fact | Why::EveryRun | Why::AllLookalikes { .. } | Why::Strategy | Why::Obligation | Why::Untold => {}
    }
}

/// Runs as they are sent.
pub(crate) fn tell(runs: Vec<(String, RunView, Recall)>, checker: &mut Checker) -> Vec<LogicRun> {
    let mut told = Vec::new();
    for (title, run, recall) in runs {
        let possible = if run.steps.len() < STATES { checker.possible(&run, recall, POSSIBLE) } else { Ok(None) };
        // What agents consider possible is an addition: a run is shown without it as well.
        let mut possible = possible.ok().flatten().unwrap_or_default().into_iter();
        let mut next = || possible.next().unwrap_or_default().into_iter().map(considers).collect::<Vec<_>>();
        let mut states = vec![LogicState {
            action: None,
            name: run.start.name.clone(),
            facts: fact_list(&run.start.facts),
            changes: Vec::new(),
            noticed: Vec::new(),
            possible: next(),
        }];
        for step in run.steps.iter().take(STATES) {
            states.push(LogicState {
                action: Some(step.action.clone()),
                name: step.state.name.clone(),
                facts: fact_list(&step.state.facts),
                changes: step.changes.clone(),
                noticed: step.noticed.iter().map(|a| a.to_string()).collect(),
                possible: next(),
            });
        }
        told.push(LogicRun { title, states, loops_to: run.loops_to, ends: run.ends });
    }
    told
}

fn considers(possible: Possible) -> LogicPossible {
    LogicPossible {
        agent: possible.agent.to_string(),
        count: possible.count,
        states: possible.states.into_iter().map(|state| state.name).collect(),
    }
}
