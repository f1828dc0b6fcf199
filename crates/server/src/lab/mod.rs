//! Small runs of experiments: one at a time, in a thread of its own, kept in the data folder.
//!
//! A run is a folder `<data>/lab/<run>`: `lab.json` says how far it is, beside it are the games as the arena writes them
//! and, once it is over, the report. After a restart what was not over goes on where it was: the arena's games can be
//! continued exactly.
//!
//! | file | one line |
//! |---|---|
//! | `catalogue` | the experiments that are offered |
//! | `kept` | runs on disk |

mod catalogue;
mod kept;

pub(crate) use catalogue::info;
pub(crate) use ken_arena::library::{EXPERIMENTS, Shipped, find};

use crate::api::{Problem, ReportRow, RunInfo, RunReport, RunState};
use crate::store::{Holder, now};
use ken_arena::directory::Directory;
use ken_arena::experiment::{Orders, Progress, Start, Store, run};
use ken_arena::report::Report;
use kept::{Kept, hex};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The fewest games of a row.
pub(crate) const FEWEST: u64 = 10;

/// The most games of a row.
pub(crate) const MOST: u64 = 200;

/// How many runs are kept.
const KEPT: usize = 20;

/// How many runs may wait.
const WAITING: usize = 5;

/// How long a run may take.
const LONGEST: Duration = Duration::from_secs(20 * 60);

/// Deep searches recurse; the memory is only reserved until it is used.
const STACK: usize = 64 << 20;

/// The report of a run as a page, in its folder.
const PAGE: &str = "report.html";

/// The rows of a report, in its folder.
const ROWS: &str = "rows.json";

/// A run in memory.
struct Running {
    kept: Mutex<Kept>,
    done: AtomicU64,
    total: AtomicU64,
    stop: AtomicBool,
}

/// The runs.
pub(crate) struct Lab {
    folder: PathBuf,
    runs: Mutex<Vec<Arc<Running>>>,
    queue: Sender<Arc<Running>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lab {
    /// The lab in this folder; runs that were not over go on.
    pub(crate) fn open(folder: PathBuf) -> std::io::Result<Arc<Lab>> {
        std::fs::create_dir_all(&folder)?;
        let (queue, waiting) = channel();
        let runs: Vec<Arc<Running>> = kept::all(&folder).into_iter().map(|kept| Arc::new(Running::new(kept))).collect();
        let lab = Arc::new(Lab { folder, runs: Mutex::new(runs), queue });
        for running in lab.runs() {
            if running.unfinished() {
                // The receiver is alive: it is in this function.
                let _ = lab.queue.send(running);
            }
        }
        let weak = Arc::downgrade(&lab);
        let folder = lab.folder.clone();
        std::thread::Builder::new()
            .name("lab".into())
            .stack_size(STACK)
            .spawn(move || work(&weak, &folder, &waiting))?;
        Ok(lab)
    }

    fn runs(&self) -> Vec<Arc<Running>> {
        locked(&self.runs).clone()
    }

    /// The runs as `who` sees them, the latest first.
    pub(crate) fn list(&self, who: &Holder) -> Vec<RunInfo> {
        self.runs().iter().rev().map(|running| running.info(who)).collect()
    }

    /// Puts a run into the queue.
    pub(crate) fn start(&self, id: String, experiment: &Shipped, games: u64, who: &Holder) -> Result<RunInfo, Problem> {
        if !(FEWEST..=MOST).contains(&games) {
            let help = "for more, run the experiment in a terminal with `ken run`";
            return Err(Problem::new("games", format!("here a row has {FEWEST} to {MOST} games")).help(help));
        }
        let spec = experiment.read().map_err(|e| Problem::new("experiment", catalogue::joined(e)))?;
        let mut runs = locked(&self.runs);
        if runs.iter().filter(|r| r.unfinished()).count() > WAITING {
            return Err(Problem::new("too-many", format!("{WAITING} runs wait already")).help("wait until one is over"));
        }
        let kept = Kept {
            id,
            experiment: experiment.name.to_string(),
            title: spec.title,
            games,
            state: RunState::Waiting,
            started: now(),
            why: None,
            by: hex(who),
            done: 0,
            total: spec.arms.len() as u64 * games,
        };
        kept.write(&self.folder)
            .map_err(|_| Problem::new("not-stored", "the run could not be stored").help("the disk may be full"))?;
        while runs.len() >= KEPT {
            let Some(oldest) = runs.iter().position(|r| !r.unfinished()) else { break };
            kept::forget(&self.folder, &locked(&runs.remove(oldest).kept).id);
        }
        let running = Arc::new(Running::new(kept));
        runs.push(Arc::clone(&running));
        let info = running.info(who);
        // The worker ends with the server only.
        let _ = self.queue.send(running);
        Ok(info)
    }

    fn find(&self, id: &str) -> Option<Arc<Running>> {
        self.runs().into_iter().find(|r| locked(&r.kept).id == id)
    }

    /// Stops a run of `who`; `None` if there is none of this name, an error if it is somebody else's.
    pub(crate) fn stop(&self, id: &str, who: &Holder) -> Option<Result<RunInfo, Problem>> {
        let running = self.find(id)?;
        if locked(&running.kept).by != hex(who) {
            return Some(Err(Problem::new("not-your-run", "somebody else started this run")));
        }
        running.stop.store(true, Relaxed);
        let waits = locked(&running.kept).state == RunState::Waiting;
        if waits {
            running.settle(&self.folder, RunState::Stopped, None);
        }
        Some(Ok(running.info(who)))
    }

    /// A run with the rows of its report.
    pub(crate) fn report(&self, id: &str, who: &Holder) -> Option<RunReport> {
        let running = self.find(id)?;
        let rows = std::fs::read_to_string(self.folder.join(id).join(ROWS)).ok();
        let data: Option<serde_json::Value> = rows.and_then(|text| serde_json::from_str(&text).ok());
        let missing = |e: &serde_json::Value| {
            format!("{} of {}", e["metric"].as_str().unwrap_or_default(), e["label"].as_str().unwrap_or_default())
        };
        let list = |key: &str| data.as_ref().and_then(|d| d[key].as_array().cloned()).unwrap_or_default();
        let rows = list("rows").into_iter().filter_map(|row| serde_json::from_value::<ReportRow>(row).ok());
        Some(RunReport {
            run: running.info(who),
            rows: rows.collect(),
            missing: list("missing").iter().map(missing).collect(),
        })
    }

    /// The report of a run as a page.
    pub(crate) fn page(&self, id: &str) -> Option<String> {
        self.find(id)?;
        std::fs::read_to_string(self.folder.join(id).join(PAGE)).ok()
    }
}

impl Running {
    fn new(kept: Kept) -> Running {
        let (done, total) = (kept.done.into(), kept.total.into());
        Running { done, total, kept: Mutex::new(kept), stop: AtomicBool::new(false) }
    }

    fn unfinished(&self) -> bool {
        matches!(locked(&self.kept).state, RunState::Waiting | RunState::Playing)
    }

    fn info(&self, who: &Holder) -> RunInfo {
        let kept = locked(&self.kept);
        RunInfo {
            id: kept.id.clone(),
            experiment: kept.experiment.clone(),
            title: kept.title.clone(),
            games: kept.games,
            state: kept.state,
            done: self.done.load(Relaxed),
            total: self.total.load(Relaxed),
            started: kept.started,
            why: kept.why.clone(),
            mine: kept.by == hex(who),
            report: matches!(kept.state, RunState::Done | RunState::Stopped) && self.done.load(Relaxed) > 0,
        }
    }

    /// Notes how far the run is, in memory and on disk.
    fn settle(&self, folder: &Path, state: RunState, why: Option<String>) {
        let mut kept = locked(&self.kept);
        kept.state = state;
        kept.why = why;
        kept.done = self.done.load(Relaxed);
        kept.total = self.total.load(Relaxed);
        if let Err(error) = kept.write(folder) {
            tracing::error!(%error, "a run of the lab was not stored");
        }
    }

    /// Plays the games and writes the report.
    fn play(&self, folder: &Path) -> Result<RunState, String> {
        let (id, name, games) = {
            let kept = locked(&self.kept);
            (kept.id.clone(), kept.experiment.clone(), kept.games)
        };
        let experiment = find(&name).ok_or("there is no such experiment any more")?;
        let plan = catalogue::plan(experiment, games)?;
        let mut store = Directory::open(folder.join(&id)).map_err(|e| e.to_string())?;
        let begun = Instant::now();
        let progress = |p: Progress| {
            self.done.store(p.done, Relaxed);
            self.total.store(p.total, Relaxed);
            if begun.elapsed() > LONGEST {
                self.stop.store(true, Relaxed);
            }
        };
        // One thread: people's tables come first.
        let orders = Orders { jobs: 1, stop: &self.stop, progress: &progress, ..Orders::default() };
        let results = match run(&plan, &mut store, Start::Resume, &orders) {
            Ok(results) => results,
            // The games there are of another version of the experiment.
            Err(_) if !self.stop.load(Relaxed) => {
                run(&plan, &mut store, Start::Afresh, &orders).map_err(|problem| problem.to_string())?
            }
            Err(problem) => return Err(problem.to_string()),
        };
        let report = Report::new(&results, &catalogue::expected(experiment)?);
        store.replace(PAGE, &report.html()).map_err(|e| e.to_string())?;
        store.replace(ROWS, &report.json().to_string()).map_err(|e| e.to_string())?;
        Ok(if results.complete { RunState::Done } else { RunState::Stopped })
    }
}

/// The worker: run after run.
fn work(lab: &Weak<Lab>, folder: &Path, waiting: &Receiver<Arc<Running>>) {
    while let Ok(running) = waiting.recv() {
        if lab.strong_count() == 0 {
            return;
        }
        if running.stop.load(Relaxed) {
            continue;
        }
        running.settle(folder, RunState::Playing, None);
        match catch_unwind(AssertUnwindSafe(|| running.play(folder))) {
            Ok(Ok(state)) => running.settle(folder, state, None),
            Ok(Err(why)) => running.settle(folder, RunState::Failed, Some(why)),
            Err(_) => running.settle(folder, RunState::Failed, Some("a player met an error of its own".to_string())),
        }
    }
}

#[cfg(test)]
mod tests;
