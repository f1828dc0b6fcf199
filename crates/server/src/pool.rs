//! Threads for thinking, so that nobody's thinking holds up a page or another table.
//!
//! There are three lanes with threads of their own: players that have proved quick, players that take their time, and
//! questions of people. A lane that is too long refuses instead of growing.

use ken_logic::stop::Stop;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Deep searches recurse; the memory is only reserved until it is used.
const STACK: usize = 64 << 20;

/// A player that usually takes longer is slow.
const QUICK: Duration = Duration::from_millis(30);

/// How many jobs may wait in a lane.
const WAITING: usize = 4096;
const QUESTIONS: usize = 1024;

/// Where a job runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Players that choose at once.
    Quick,
    /// Players that take their time.
    Slow,
    /// Questions of people.
    Question,
}

/// Why a job has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undone {
    /// Too many wait.
    Busy,
    /// It panicked.
    Panicked,
    /// It took longer than it may.
    TooLong,
}

type Job = Box<dyn FnOnce() + Send>;

/// The threads.
pub(crate) struct Pool {
    quick: SyncSender<Job>,
    slow: SyncSender<Job>,
    question: SyncSender<Job>,
    /// How long each player usually takes.
    pace: Mutex<HashMap<String, Duration>>,
}

impl Pool {
    /// Starts `threads` threads for each lane.
    pub(crate) fn start(threads: usize) -> std::io::Result<Pool> {
        Ok(Pool {
            quick: lane("quick", threads, WAITING)?,
            slow: lane("slow", threads, WAITING)?,
            question: lane("question", threads, QUESTIONS)?,
            pace: Mutex::new(HashMap::new()),
        })
    }

    /// The lane of a player.
    pub(crate) fn lane_of(&self, player: &str) -> Lane {
        let pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        match pace.get(player) {
            Some(&usual) if usual > QUICK => Lane::Slow,
            _ => Lane::Quick,
        }
    }

    /// Notes how long a player took.
    pub(crate) fn took(&self, player: &str, time: Duration) {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        let usual = pace.entry(player.to_string()).or_insert(time);
        *usual = (*usual * 7 + time) / 8;
    }

    /// Runs a job and waits for it without holding a thread, at most so long. A player that takes longer goes on unheard; a
    /// question is stopped then, and also when whoever asked has gone away.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        lane: Lane,
        most: Duration,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<(T, Duration), Undone> {
        let (reply, answer) = oneshot::channel();
        let stop = Stop::new();
        let _leaving = (lane == Lane::Question).then(|| stop.when_dropped());
        let work: Job = Box::new(move || {
            let start = Instant::now();
            if stop.was_asked() {
                return;
            }
            if let Ok(Ok(done)) = catch_unwind(AssertUnwindSafe(|| stop.during(job))) {
                // Who stopped waiting does not hear it.
                let _ = reply.send((done, start.elapsed()));
            }
        });
        let queue = match lane {
            Lane::Quick => &self.quick,
            Lane::Slow => &self.slow,
            Lane::Question => &self.question,
        };
        match queue.try_send(work) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => return Err(Undone::Busy),
        }
        match tokio::time::timeout(most, answer).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(_)) => Err(Undone::Panicked),
            Err(_) => Err(Undone::TooLong),
        }
    }
}

fn lane(name: &str, threads: usize, waiting: usize) -> std::io::Result<SyncSender<Job>> {
    let (sender, receiver) = sync_channel::<Job>(waiting);
    let receiver = Arc::new(Mutex::new(receiver));
    for _ in 0..threads {
        let receiver: Arc<Mutex<Receiver<Job>>> = Arc::clone(&receiver);
        std::thread::Builder::new().name(name.to_string()).stack_size(STACK).spawn(move || {
            loop {
                let job = receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
                match job {
                    Ok(job) => job(),
                    Err(_) => return,
                }
            }
        })?;
    }
    Ok(sender)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_slow_job_holds_up_no_other_lane_and_is_left_when_it_takes_too_long() {
        let pool = Pool::start(1).unwrap();
        let most = Duration::from_millis(20);
        let slow = pool.run(Lane::Slow, most, || std::thread::sleep(Duration::from_millis(400)));
        let quick = pool.run(Lane::Quick, Duration::from_secs(5), || 7);
        let (slow, quick) = tokio::join!(slow, quick);
        assert_eq!(slow.unwrap_err(), Undone::TooLong);
        assert_eq!(quick.unwrap().0, 7);
    }

    #[tokio::test]
    async fn a_question_that_nobody_waits_for_is_stopped_and_leaves_its_thread() {
        let pool = Pool::start(1).unwrap();
        let endless = || {
            while !ken_logic::stop::asked() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        let most = Duration::from_millis(20);
        assert_eq!(pool.run(Lane::Question, most, endless).await.unwrap_err(), Undone::TooLong);
        assert_eq!(pool.run(Lane::Question, Duration::from_secs(30), || 7).await.unwrap().0, 7);
    }

    #[tokio::test]
    async fn a_job_that_panics_leaves_the_lane_working() {
        let pool = Pool::start(1).unwrap();
        let most = Duration::from_secs(5);
        assert_eq!(
            pool.run(Lane::Quick, most, || panic!("as expected here")).await.map(|(n, _): (u8, _)| n),
            Err(Undone::Panicked)
        );
        assert_eq!(pool.run(Lane::Quick, most, || 1).await.unwrap().0, 1);
    }

    #[test]
    fn a_player_that_takes_its_time_changes_lanes() {
        let pool = Pool::start(1).unwrap();
        assert_eq!(pool.lane_of("cluedo/exact"), Lane::Quick);
        pool.took("cluedo/exact", Duration::from_millis(500));
        assert_eq!(pool.lane_of("cluedo/exact"), Lane::Slow);
    }
}
