//! Running and continuing.

use super::{ArmResults, Plan, Results, Sample, Store};
use crate::Problem;
use rayon::prelude::*;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The name of the text that says of which run the records are.
const HEAD: &str = "run.json";

/// Whether to begin anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Drops what is there.
    Afresh,
    /// Continues at the first missing game of each arm.
    Resume,
}

/// More threads than any machine has cores only cost memory.
const MOST_JOBS: usize = 256;

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The games done, those of earlier runs included.
    pub done: u64,
    /// The games wanted.
    pub total: u64,
    /// The games that were there when this run began.
    pub before: u64,
}

impl Progress {
    /// The games per second of this run, by the caller's clock.
    pub fn rate(&self, elapsed: f64) -> f64 {
        (self.done - self.before) as f64 / elapsed
    }

    /// The seconds left if it goes on like this; `None` before the first game.
    pub fn left(&self, elapsed: f64) -> Option<f64> {
        (self.done > self.before).then(|| (self.total - self.done) as f64 / self.rate(elapsed))
    }
}

/// How to run.
pub struct Orders<'a> {
    /// The number of threads; 0 for as many as the machine has.
    pub jobs: usize,
    /// How many games are written at once.
    pub chunk: usize,
    /// Set by someone else to stop after the games that are being played.
    pub stop: &'a AtomicBool,
    /// Called after each game, from any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Default for Orders<'_> {
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Orders { jobs: 0, chunk: 64, stop: &NEVER, progress: &|_| {} }
    }
}

/// Plays the games of a plan and keeps a line of each in the store. Neither the lines nor the results depend on the
/// number of threads, on the chunk, or on how often the run was interrupted and resumed.
///
/// When it is stopped, the games that are done up to the first missing one are kept, and the results are of those.
pub fn run(plan: &Plan, store: &mut dyn Store, start: Start, orders: &Orders) -> Result<Results, Problem> {
    let mut arms = begin(plan, store, start)?;
    let before = arms.iter().map(|a| a.games).sum();
    let total = (0..arms.len()).map(|a| plan.games(a).max(arms[a].games)).sum();
    let done = AtomicU64::new(before);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(orders.jobs.min(MOST_JOBS))
        .build()
        .map_err(|e| Problem::new(format!("the threads cannot be started: {e}")))?;
    let stopped = || orders.stop.load(Ordering::Relaxed);

    for (a, results) in arms.iter_mut().enumerate() {
        let play = |game: u64| {
            if stopped() {
                return None;
            }
            let mut sample = plan.arms[a].run(game, plan.seed(a, game));
            sample.record = sample.record.filter(|_| plan.spec.records);
            let line = sample.line(game);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            (orders.progress)(Progress { done, total, before });
            Some(line)
        };
        while results.games < plan.games(a) && !stopped() {
            let until = plan.games(a).min(results.games + orders.chunk.max(1) as u64);
            let lines: Vec<Option<String>> =
                pool.install(|| (results.games..until).into_par_iter().map(play).collect());
            let lines: String = lines.into_iter().map_while(|line| line).collect();
            store.append(&plan.part(a), &lines)?;
            // What is folded is what was written, so that a resumed run cannot differ in the last digit of a number.
            for line in lines.lines() {
                results.push(Sample::read(line, results.games).expect("the line just written"));
            }
        }
    }
    let complete = arms.iter().enumerate().all(|(a, results)| results.games >= plan.games(a));
    arms.iter_mut().for_each(ArmResults::close);
    Ok(Results { spec: plan.spec.clone(), arms, complete })
}

/// What is there already, after the texts have been made ready to be appended to.
fn begin(plan: &Plan, store: &mut dyn Store, start: Start) -> Result<Vec<ArmResults>, Problem> {
    let identity = plan.spec.identity();
    let mut arms: Vec<ArmResults> = plan.arms.iter().map(|arm| ArmResults::new(&**arm)).collect();
    match store.read(HEAD)? {
        Some(head) if start == Start::Resume => {
            same(&head, &identity)?;
            for (a, results) in arms.iter_mut().enumerate() {
                keep(store, &plan.part(a), results)?;
            }
        }
        _ => {
            for a in 0..arms.len() {
                store.replace(&plan.part(a), "")?;
            }
            store.replace(HEAD, &format!("{identity:#}\n"))?;
        }
    }
    Ok(arms)
}

/// Refuses to continue the records of another run.
fn same(head: &str, identity: &Value) -> Result<(), Problem> {
    let head: Value = serde_json::from_str(head).map_err(|_| Problem::new(format!("`{HEAD}` cannot be read")))?;
    let refuse =
        |what: String| Err(Problem::new(what).help("run without resuming to begin anew, or restore what changed"));
    for key in ["experiment", "version", "seed", "records"] {
        if head[key] != identity[key] {
            return refuse(format!(
                "the records are of another run: its {key} is {}, not {}",
                head[key], identity[key]
            ));
        }
    }
    if head["arms"] == identity["arms"] {
        return Ok(());
    }
    let arms = |of: &Value| of["arms"].as_array().cloned().unwrap_or_default();
    let (was, is) = (arms(&head), arms(identity));
    let changed = (0..was.len().max(is.len())).find(|&i| was.get(i) != is.get(i)).unwrap_or(0);
    let text = |arm: Option<&Value>| arm.map_or("missing".to_string(), Value::to_string);
    refuse(format!(
        "the records are of another run: arm {} is {} there and {} here",
        changed + 1,
        text(was.get(changed)),
        text(is.get(changed))
    ))
}

/// Takes in the games that are there up to the first missing one. Whatever stands behind (a line torn by a crash) is cut
/// off.
fn keep(store: &mut dyn Store, part: &str, results: &mut ArmResults) -> Result<(), Problem> {
    let text = store.read(part)?;
    let whole = text.as_deref().unwrap_or_default();
    let mut length = 0;
    for line in whole.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
        let Some(metrics) = Sample::read(line, results.games) else { break };
        results.push(metrics);
        length += line.len();
    }
    if text.is_none() || length < whole.len() {
        store.replace(part, &whole[..length])?;
    }
    Ok(())
}
