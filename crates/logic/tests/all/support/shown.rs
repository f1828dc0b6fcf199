//! Whether the runs that account for an answer about a written system show what they should, in as few steps as can be.

use super::by_hand::{ByHand, Judge};
use super::judge::ensure;
use ken_logic::check::Answer;
use ken_logic::check::time::{RunView, Why};
use ken_logic::formula::{Along, F, Formula, Path, Program};
use ken_logic::model::system::{Actor, System};

/// A run that an account shows, state by state, if the system has it.
fn followed(system: &System, graph: &ByHand, view: &RunView) -> Result<Vec<usize>, String> {
    let state = |name: &str| {
        let mut all = 0..graph.states.len();
        all.find(|&s| graph.name(system, s) == name).ok_or_else(|| format!("no state {name}"))
    };
    let mut states = vec![state(&view.start.name)?];
    for step in &view.steps {
        let does = |actor: &Actor| {
            let (_, action) = step.by.iter().find(|(name, _)| *name == actor.name)?;
            actor.actions.iter().position(|x| x == action)
        };
        let acts: Option<Vec<usize>> = system.actors.iter().map(does).collect();
        let (from, to) = (states[states.len() - 1], state(&step.state.name)?);
        let there = acts.is_some_and(|acts| graph.steps[from].contains(&(acts, to)));
        ensure(there, || format!("no step {:?} from {} to {}", step.by, graph.name(system, from), step.state.name))?;
        states.push(to);
    }
    Ok(states)
}

/// The least number of steps of a run that shows why a formula of time with a plain program is so, found by trying all
/// runs of fewer than `most` steps; `None` where that is not tried.
fn shortest(judge: &mut Judge<'_>, formula: &F, start: usize, most: usize) -> Option<usize> {
    let (path, program) = match &**formula {
        Formula::Path(path, _, program, _) | Formula::Until(path, program, ..) => (*path, program),
        _ => return None,
    };
    if !matches!(program, Program::Any | Program::Action(_)) {
        return None;
    }
    let after = judge.after(program);
    let truth: F = Formula::Path(Path::Some, Along::Always, program.clone(), Formula::truth()).into();
    let fair = judge.everywhere(&truth);
    let value = path == Path::Some;
    let sets = formula.children().into_iter().map(|g| judge.everywhere(g)).collect::<Vec<_>>();
    let goal = sets[sets.len() - 1].clone();
    // What may be passed, and where a run may stop; and where it has to last, to its end or round a loop.
    type Sets<'s> = (&'s dyn Fn(usize) -> bool, &'s dyn Fn(usize) -> bool);
    let everything = |_: usize| true;
    let wanted = |s: usize| goal.contains(&s) == value && fair.contains(&s);
    let missed = |s: usize| !goal.contains(&s);
    let first = |s: usize| sets[0].contains(&s);
    let neither = |s: usize| missed(s) && !first(s) && fair.contains(&s);
    let kept = |s: usize| goal.contains(&s) == value;
    let (stops, lasts): (Option<Sets<'_>>, Option<&dyn Fn(usize) -> bool>) = match (&**formula, path) {
        (Formula::Path(_, Along::Next, ..), _) => return Some(1),
        (Formula::Path(_, Along::Eventually, ..), Path::Some) | (Formula::Path(_, Along::Always, ..), Path::All) => {
            (Some((&everything, &wanted)), None)
        }
        (Formula::Path(..), _) => (None, Some(&kept)),
        (_, Path::Some) => (Some((&first, &wanted)), None),
        (_, Path::All) => (Some((&missed, &neither)), Some(&missed)),
    };
    let mut runs = vec![vec![start]];
    for steps in 0..most {
        let mut longer = Vec::new();
        for run in &runs {
            let last = run[steps];
            let before = &run[..steps];
            if stops.is_some_and(|(passes, stops)| stops(last) && before.iter().all(|&s| passes(s))) {
                return Some(steps);
            }
            let lasting = lasts.is_some_and(|lasts| run.iter().all(|&s| lasts(s)));
            let round = |to: usize| {
                before[to] == last
                    && (0..)
                        .take_while(|&c| judge.has_condition(c))
                        .all(|c| run[to..].iter().any(|&s| judge.meets(c, s)))
            };
            if lasting && (after[last].is_empty() || (0..steps).any(round)) {
                return Some(steps);
            }
            longer.extend(after[last].iter().map(|&t| [run.as_slice(), &[t]].concat()));
        }
        if longer.len() > 20_000 {
            return None;
        }
        runs = longer;
    }
    Some(most)
}

/// Whether the run that accounts for a formula of time is one that shows it, and the one that accounts for a formula of
/// knowledge looks the same; of formulas inside it nothing is asked.
pub(crate) fn is_shown(system: &System, graph: &ByHand, formula: &F, answer: &Answer) -> Result<(), String> {
    let Some((name, account)) = answer.account() else { return Err("no account".into()) };
    let mut judge = Judge::new(system, graph);
    let wrong = |what: &str| format!("{what}: {name}, {account:?}");
    match &**formula {
        Formula::Path(path, ..) | Formula::Until(path, ..) => {
            let value = *path == Path::Some;
            if account.holds != value {
                return ensure(matches!(account.why, Why::EveryRun), || wrong("no run can show that"));
            }
            let Why::Run(view, _) = &account.why else { return Err(wrong("no run is shown")) };
            let states = followed(system, graph, view)?;
            ensure(view.start.name == *name, || wrong("it starts elsewhere"))?;
            ensure(states.iter().all(|s| judge.counts(*s)), || wrong("it leads where no fair run goes on"))?;
            if let Some(least) = shortest(&mut judge, formula, states[0], view.steps.len()) {
                ensure(view.steps.len() == least, || wrong(&format!("a run of {least} steps would do")))?;
            }
            let (Formula::Path(_, _, program, g) | Formula::Until(_, program, _, g)) = &**formula else {
                return Ok(());
            };
            // For these programs, every state on the way counts.
            let simple = matches!(program, Program::Any | Program::Action(_));
            let runs = |along, f: F| -> F { Formula::Path(Path::Some, along, program.clone(), f).into() };
            let fair = judge.everywhere(&runs(Along::Always, Formula::truth()));
            let goal = judge.everywhere(g);
            let last = states[states.len() - 1];
            let lasting = match &**formula {
                Formula::Path(_, Along::Always, ..) => value,
                Formula::Path(_, Along::Eventually, ..) => !value,
                Formula::Until(Path::All, ..) => view.ends || view.loops_to.is_some(),
                _ => false,
            };
            if lasting {
                let stays = states.iter().all(|s| goal.contains(s) == value);
                ensure(stays || !simple, || wrong("it does not last"))?;
                if view.ends {
                    return ensure(!judge.goes_on(program, last), || wrong("it could go on"));
                }
                let Some(to) = view.loops_to else { return Err(wrong("it neither ends nor loops")) };
                ensure(to < states.len() && states[to] == last, || wrong("the loop does not close"))?;
                ensure(to + 1 < states.len() || !simple, || wrong("an empty loop"))?;
                for condition in 0..system.fairness.len() {
                    let fairly = states[to..].iter().any(|s| judge.meets(condition, *s));
                    ensure(fairly, || wrong("the loop is not fair"))?;
                }
                return Ok(());
            }
            ensure(!view.ends && view.loops_to.is_none(), || wrong("the run is not over"))?;
            ensure(fair.contains(&last), || wrong("no fair run goes on from there"))?;
            match &**formula {
                Formula::Until(Path::All, _, a, _) => {
                    let a = judge.everywhere(a);
                    ensure(!goal.contains(&last) && !a.contains(&last), || wrong("that is no such end"))?;
                    let before = states.iter().all(|s| !goal.contains(s));
                    ensure(before || !simple, || wrong("that is no such way"))
                }
                Formula::Until(Path::Some, _, a, _) => {
                    let a = judge.everywhere(a);
                    ensure(goal.contains(&last), || wrong("that is no such end"))?;
                    let before = states[..states.len() - 1].iter().all(|s| a.contains(s));
                    ensure(before || !simple, || wrong("that is no such way"))
                }
                Formula::Path(_, along, ..) => {
                    ensure(goal.contains(&last) == value, || wrong("that is no such end"))?;
                    ensure(*along != Along::Next || !simple || states.len() == 2, || wrong("that is not the next"))
                }
                _ => Ok(()),
            }
        }
        Formula::Knows(_, g)
        | Formula::Possible(_, g)
        | Formula::KnowsWhether(_, g)
        | Formula::Everyone(_, g)
        | Formula::Distributed(_, g) => {
            let possible = matches!(**formula, Formula::Possible(..));
            if account.holds != possible {
                return ensure(matches!(account.why, Why::AllLookalikes { .. }), || wrong("all look-alikes matter"));
            }
            let Why::Lookalike { agents, other, .. } = &account.why else { return Err(wrong("no look-alike")) };
            let states = followed(system, graph, other)?;
            let last = states[states.len() - 1];
            ensure(judge.counts(last), || wrong("no fair run goes on from there"))?;
            let here = (0..graph.starts).find(|&s| graph.name(system, s) == *name).ok_or("no such state")?;
            ensure(states[0] < graph.starts, || wrong("it does not start at the beginning"))?;
            for agent in agents {
                let agent = system.vocabulary.agents.iter().position(|a| a == agent).ok_or("no such agent")?;
                let alike = graph.sight(system, agent, here) == graph.sight(system, agent, last);
                ensure(alike, || wrong("it does not look the same"))?;
            }
            let body = judge.everywhere(g);
            let value = match &**formula {
                Formula::KnowsWhether(..) => !body.contains(&here),
                _ => possible,
            };
            ensure(body.contains(&last) == value, || wrong("it shows nothing"))
        }
        _ => Ok(()),
    }
}
