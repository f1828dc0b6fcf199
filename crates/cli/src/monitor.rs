//! Watches a long command: shows progress on a terminal, and ends it at a limit with what is done so far.

use crate::input::Failure;
use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What to do when a limit ends the command: print what is done so far.
pub(crate) type OnLimit = Box<dyn Fn(&Failure) + Send>;

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
}

impl Monitor {
    /// Starts watching for a time limit in seconds and a memory limit in megabytes.
    pub(crate) fn start(seconds: Option<f64>, megabytes: Option<usize>, on_limit: OnLimit) -> Monitor {
        let state = Arc::new(Mutex::new(State::default()));
        let started = Instant::now();
        let monitor = Monitor { state: state.clone(), started };
        let terminal = std::io::stderr().is_terminal();
        if seconds.is_none() && megabytes.is_none() && !terminal {
            return monitor;
        }
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(20));
                let elapsed = started.elapsed();
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if state.done {
                    return;
                }
                let reached = match (seconds, megabytes) {
                    (Some(limit), _) if elapsed.as_secs_f64() > limit => Some(Failure::GaveUp {
                        message: format!("{limit} seconds have passed"),
                        help: "raise --max-seconds, or choose smaller parameters".to_string(),
                    }),
                    (_, Some(limit)) if resident_megabytes().is_some_and(|m| m > limit) => Some(Failure::GaveUp {
                        message: format!("more than {limit} MB of memory are in use"),
                        help: "raise --max-memory, or choose smaller parameters".to_string(),
                    }),
                    _ => None,
                };
                if let Some(failure) = reached {
                    state.clear();
                    // The lock is kept: nothing more is printed by the command.
                    on_limit(&failure);
                    std::process::exit(3);
                }
                if terminal && elapsed > Duration::from_millis(700) {
                    state.show(elapsed);
                }
            }
        });
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
    fn show(&mut self, elapsed: Duration) {
        const SIGNS: [char; 4] = ['|', '/', '-', '\\'];
        let sign = SIGNS[(elapsed.as_millis() / 150) as usize % 4];
        let doing: String = self.doing.chars().take(60).collect();
        let _ = write!(std::io::stderr(), "\r\x1b[K{sign} {:.0} s  {doing}", elapsed.as_secs_f64());
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

/// The memory in use, where the system tells.
fn resident_megabytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<usize>().ok().map(|kb| kb / 1024)
}
