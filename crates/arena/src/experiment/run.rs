//! Running and continuing.

use super::{ArmResults, Experiment, Plan, Results, Sample, Store};
use crate::Problem;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

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
    /// Set by someone else to stop after the games that are being played.
    pub stop: &'a AtomicBool,
    /// Called after each game, from any thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Called every few milliseconds from the thread that runs, when whatever was finished has been written: whoever
    /// cannot wait for the games that are being played may end the process here.
    pub kept: &'a dyn Fn(),
}

impl Default for Orders<'_> {
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Orders { jobs: 0, stop: &NEVER, progress: &|_| {}, kept: &|| {} }
    }
}

/// Plays the games of a plan and keeps a line of each in the store. Neither the lines nor the results depend on the
/// number of threads, or on how often the run was interrupted and resumed.
///
/// A game that is finished is written within some ten milliseconds, whatever the others do, so a process that is killed
/// loses no more than the last moment. When the run is stopped, the results are of the games up to the first missing one;
/// games behind that are kept too, and are there when it is resumed.
pub fn run(plan: &Plan, store: &mut dyn Store, start: Start, orders: &Orders) -> Result<Results, Problem> {
    let mut arms = begin(plan, store, start)?;
    let before = arms.iter().map(Kept::games).sum();
    let total = (0..arms.len()).map(|a| plan.games(a).max(arms[a].games())).sum();
    let done = AtomicU64::new(before);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(orders.jobs.min(MOST_JOBS))
        .build()
        .map_err(|e| Problem::new(format!("the threads cannot be started: {e}")))?;
    for (a, kept) in arms.iter_mut().enumerate() {
        let play = |game: u64| {
            let mut sample = plan.arms[a].run(game, plan.seed(a, game));
            sample.record = sample.record.filter(|_| plan.spec.records);
            sample.line(game)
        };
        let told = || {
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            (orders.progress)(Progress { done, total, before });
        };
        if kept.results.games < plan.games(a) && !orders.stop.load(Ordering::Relaxed) {
            play_arm(&pool, kept, plan.games(a), store, orders, &play, &told)?;
        }
    }
    let complete = arms.iter().enumerate().all(|(a, kept)| kept.results.games >= plan.games(a));
    let close = |(mut kept, arm): (Kept, &dyn Experiment)| {
        kept.results.close(|metric| arm.range(metric));
        kept.results
    };
    let arms = arms.into_iter().zip(plan.arms.iter().map(|arm| &**arm)).map(close).collect();
    Ok(Results { spec: plan.spec.clone(), arms, complete })
}

/// How long a finished game waits to be written with others.
const PAUSE: Duration = Duration::from_millis(10);

/// What the threads that play tell the one that writes.
struct Finished {
    lines: Vec<(u64, String)>,
    /// How many threads still play.
    playing: usize,
}

/// A thread that plays; dropped when it has played its last game, also by a panic, which ends the run.
struct Playing<'a> {
    finished: &'a Mutex<Finished>,
    ended: &'a Condvar,
    failed: &'a AtomicBool,
}

impl Drop for Playing<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.failed.store(true, Ordering::Relaxed);
        }
        locked(self.finished).playing -= 1;
        self.ended.notify_one();
    }
}

fn locked(finished: &Mutex<Finished>) -> MutexGuard<'_, Finished> {
    finished.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Plays the missing games of one arm. The pool's threads take one game after the other, in order; this thread writes.
fn play_arm(
    pool: &rayon::ThreadPool,
    kept: &mut Kept,
    games: u64,
    store: &mut dyn Store,
    orders: &Orders,
    play: &(dyn Fn(u64) -> String + Sync),
    told: &(dyn Fn() + Sync),
) -> Result<(), Problem> {
    let there: BTreeSet<u64> = kept.ahead.keys().copied().collect();
    let next = AtomicU64::new(kept.results.games);
    let finished = Mutex::new(Finished { lines: Vec::new(), playing: pool.current_num_threads() });
    let (ended, failed) = (Condvar::new(), AtomicBool::new(false));
    let stop = orders.stop;
    let work = || {
        let _playing = Playing { finished: &finished, ended: &ended, failed: &failed };
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= games {
                break;
            }
            if !there.contains(&game) {
                let line = play(game);
                locked(&finished).lines.push((game, line));
                told();
            }
        }
    };
    let written = pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            scope.spawn(|_| work());
        }
        loop {
            let waited = ended.wait_timeout_while(locked(&finished), PAUSE, |f| f.playing > 0);
            let (mut waited, _) = waited.unwrap_or_else(PoisonError::into_inner);
            let (lines, over) = (std::mem::take(&mut waited.lines), waited.playing == 0);
            drop(waited);
            if let Err(problem) = kept.write(store, lines) {
                failed.store(true, Ordering::Relaxed);
                return Err(problem);
            }
            (orders.kept)();
            if over {
                return Ok(());
            }
        }
    });
    written?;
    kept.tidy(store)
}

/// The games of an arm that are in the store.
struct Kept {
    /// The name of the text of the games up to the first missing one.
    part: String,
    /// What those games gave.
    results: ArmResults,
    /// The games behind the first missing one; their lines stand in a text of their own until their turn comes.
    ahead: BTreeMap<u64, String>,
    /// Whether that text is there.
    opened: bool,
}

impl Kept {
    fn games(&self) -> u64 {
        self.results.games + self.ahead.len() as u64
    }

    /// The name of the text of the games that are ahead.
    fn beside(&self) -> String {
        self.part.replace(".jsonl", ".ahead")
    }

    /// Writes the lines of games that were finished: those whose turn has come behind the others, the rest beside.
    fn write(&mut self, store: &mut dyn Store, lines: Vec<(u64, String)>) -> Result<(), Problem> {
        let new: Vec<u64> = lines.iter().map(|(game, _)| *game).collect();
        self.ahead.extend(lines);
        let mut behind = String::new();
        let mut games = self.results.games;
        while let Some(line) = self.ahead.remove(&games) {
            behind += &line;
            games += 1;
        }
        if !behind.is_empty() {
            store.append(&self.part, &behind)?;
        }
        // What is folded is what was written, so that a resumed run cannot differ in the last digit of a number.
        for line in behind.lines() {
            self.results.push(Sample::read(line, self.results.games).expect("the line just written"));
        }
        let beside: String = new.iter().filter_map(|game| self.ahead.get(game)).map(String::as_str).collect();
        if !beside.is_empty() {
            if !self.opened {
                store.replace(&self.beside(), "")?;
                self.opened = true;
            }
            store.append(&self.beside(), &beside)?;
        }
        Ok(())
    }

    /// Leaves beside only what is still ahead.
    fn tidy(&mut self, store: &mut dyn Store) -> Result<(), Problem> {
        let lines: String = self.ahead.values().map(String::as_str).collect();
        self.opened = !lines.is_empty();
        match self.opened {
            true => store.replace(&self.beside(), &lines)?,
            false => store.remove(&self.beside())?,
        }
        Ok(())
    }

    /// Takes in the games that are there up to the first missing one. Whatever stands behind (a line torn by a crash) is
    /// cut off. Then takes in what is ahead.
    fn read(&mut self, store: &mut dyn Store) -> Result<(), Problem> {
        let text = store.read(&self.part)?;
        let whole = text.as_deref().unwrap_or_default();
        let mut length = 0;
        for line in whole.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
            let Some(metrics) = Sample::read(line, self.results.games) else { break };
            self.results.push(metrics);
            length += line.len();
        }
        if text.is_none() || length < whole.len() {
            store.replace(&self.part, &whole[..length])?;
        }
        let ahead = store.read(&self.beside())?.unwrap_or_default();
        for line in ahead.split_inclusive('\n').filter(|l| l.ends_with('\n')) {
            if let Some(game) = Sample::game(line).filter(|&game| game >= self.results.games) {
                self.ahead.insert(game, line.to_string());
            }
        }
        self.write(store, Vec::new())?;
        self.tidy(store)
    }
}

/// What is there already, after the texts have been made ready to be appended to.
fn begin(plan: &Plan, store: &mut dyn Store, start: Start) -> Result<Vec<Kept>, Problem> {
    let identity = plan.spec.identity();
    let empty = |(a, arm): (usize, &dyn Experiment)| Kept {
        part: plan.part(a),
        results: ArmResults::new(arm),
        ahead: BTreeMap::new(),
        opened: false,
    };
    let mut arms: Vec<Kept> = plan.arms.iter().map(|arm| &**arm).enumerate().map(empty).collect();
    match store.read(HEAD)? {
        Some(head) if start == Start::Resume => {
            same(&head, &identity)?;
            for kept in &mut arms {
                kept.read(store)?;
            }
        }
        _ => {
            for kept in &arms {
                store.replace(&kept.part, "")?;
                store.remove(&kept.beside())?;
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
