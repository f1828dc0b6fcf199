//! Watches a long command: shows progress on a terminal, and ends it at a limit with what is done so far.

use crate::input::Failure;
use crate::memory::Memory;
use ken_logic::progress::{Progress, Reporting};
use ken_logic::text::grouped;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What to do when a limit ends the command: print what is done so far.
pub(crate) type OnLimit = Box<dyn Fn(&Failure) + Send>;

/// Room for printing what is done so far.
const STACK: usize = 1 << 20;

#[derive(Default)]
struct State {
    doing: String,
    shown: bool,
    done: bool,
}

/// A running watch; dropping it ends it.
pub(crate) struct Monitor {
    state: Arc<Mutex<State>>,
    started: Instant,
    /// The engines report to the line of progress from this thread as long as the watch lasts.
    _reporting: Reporting,
}

impl Monitor {
    /// Starts watching for a time limit in seconds and a memory limit in megabytes; without one, for the end of what the
    /// system gives.
    pub(crate) fn start(seconds: Option<f64>, megabytes: Option<usize>, on_limit: OnLimit) -> Monitor {
        let memory = Memory::new(megabytes);
        let reached = move |elapsed: Duration| {
            if let Some(limit) = seconds.filter(|limit| elapsed.as_secs_f64() > *limit) {
                return Some(Failure::GaveUp {
                    message: format!("{limit} seconds have passed"),
                    help: "raise --max-seconds, or choose smaller parameters".to_string(),
                });
            }
            memory.exceeded().map(|(message, help)| Failure::GaveUp { message, help: help.to_string() })
        };
        Monitor::watch(reached, on_limit)
    }

    /// Shows progress on a terminal, and watches for nothing.
    pub(crate) fn progress() -> Monitor {
        if std::io::stderr().is_terminal() {
            return Monitor::watch(|_| None, Box::new(|_| {}));
        }
        Monitor { state: Arc::default(), started: Instant::now(), _reporting: Progress::new().here() }
    }

    fn watch(reached: impl Fn(Duration) -> Option<Failure> + Send + 'static, on_limit: OnLimit) -> Monitor {
        let state = Arc::new(Mutex::new(State::default()));
        let started = Instant::now();
        let progress = Progress::new();
        let monitor = Monitor { state: state.clone(), started, _reporting: progress.here() };
        let terminal = std::io::stderr().is_terminal();
        let watching = move || {
            loop {
                std::thread::sleep(Duration::from_millis(20));
                let elapsed = started.elapsed();
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if state.done {
                    return;
                }
                if let Some(failure) = reached(elapsed) {
                    state.clear();
                    // The lock is kept: nothing more is printed by the command.
                    on_limit(&failure);
                    std::process::exit(3);
                }
                if terminal && elapsed > Duration::from_millis(700) {
                    state.show(elapsed, &progress);
                }
            }
        };
        // Where not even this small thread is to be had the command goes on unwatched: nothing that lasts will succeed.
        drop(std::thread::Builder::new().stack_size(STACK).spawn(watching));
        monitor
    }

    /// Says what is being done now.
    pub(crate) fn doing(&self, what: impl Into<String>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.doing = what.into();
    }

    /// Runs `print` with the progress line out of the way.
    pub(crate) fn quietly<T>(&self, print: impl FnOnce() -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clear();
        print()
    }

    /// Seconds since the start.
    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }
}

impl Drop for Monitor {
    fn drop(&mut self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.clear();
        state.done = true;
    }
}

impl State {
    fn show(&mut self, elapsed: Duration, progress: &Progress) {
        const SIGNS: [char; 4] = ['|', '/', '-', '\\'];
        let sign = SIGNS[(elapsed.as_millis() / 150) as usize % 4];
        let counted = progress.now().map(|(stage, count)| format!("  {} {}", grouped(count), stage.words()));
        let doing: String = self.doing.chars().take(40).collect();
        let counted = counted.unwrap_or_default();
        let _ = write!(std::io::stderr(), "\r\x1b[K{sign} {:.0} s  {doing}{counted}", elapsed.as_secs_f64());
        let _ = std::io::stderr().flush();
        self.shown = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
            let _ = std::io::stderr().flush();
        }
    }
}
