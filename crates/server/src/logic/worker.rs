//! Threads with deep stacks, few at a time, and not for long.
//!
//! When the time is over, or whoever asked has gone away, the engine is stopped in the middle of a formula and the thread
//! ends soon after. It keeps its place until then, so that such threads never become many.

use crate::api::Problem;
use ken_logic::stop::Stop;
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};

/// Deep formulas are walked recursively; the memory is only reserved until it is used.
const STACK: usize = 256 << 20;
/// How many threads work at once.
const THREADS: usize = 2;
/// How long somebody waits for a thread.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long a thread is waited for.
pub(crate) const SECONDS: u64 = 5;

static PLACES: Semaphore = Semaphore::const_new(THREADS);

/// Does some work in a thread of its own; `None` if it takes too long. Dropping the future stops the work, too.
pub(crate) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<Option<T>, Problem> {
    let busy = || Problem::new("busy", "the workbench has much to do just now").help("try again in a moment");
    let place = match tokio::time::timeout(PATIENCE, PLACES.acquire()).await {
        Ok(Ok(place)) => place,
        Ok(Err(_)) | Err(_) => return Err(busy()),
    };
    let (send, receive) = oneshot::channel();
    let thread = std::thread::Builder::new().name("logic".to_string()).stack_size(STACK);
    let stop = Stop::new();
    let _leaving = stop.when_dropped();
    let started = thread.spawn(move || {
        let done = stop.during(work);
        drop(place);
        // Nobody waits for what was stopped, and perhaps not for the rest.
        if let Ok(done) = done {
            drop(send.send(done));
        }
    });
    started.map_err(|_| busy())?;
    match tokio::time::timeout(Duration::from_secs(SECONDS), receive).await {
        Ok(Ok(done)) => Ok(Some(done)),
        Ok(Err(_)) => Err(Problem::new("broken", "ken met an error of its own; please report it with the text")),
        Err(_) => Ok(None),
    }
}

/// That the time is over.
pub(crate) fn late() -> Problem {
    Problem::new("gave-up", format!("{SECONDS} seconds have passed"))
        .help("choose smaller parameters; `ken check` on your own machine takes as long as it needs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_stopped_when_whoever_asked_has_gone_away() {
        let (tell, hear) = std::sync::mpsc::channel();
        let work = run(move || {
            while !ken_logic::stop::asked() {
                std::thread::sleep(Duration::from_millis(2));
            }
            tell.send(()).expect("somebody listens");
        });
        assert!(tokio::time::timeout(Duration::from_millis(50), work).await.is_err(), "the client leaves");
        assert!(hear.recv_timeout(Duration::from_secs(30)).is_ok(), "and the work ends");
    }
}
