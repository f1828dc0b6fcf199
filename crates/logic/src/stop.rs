//! Stopping work from outside, without a clock: somebody else holds a [`Stop`] and says when.
//!
//! The work is done within [`Stop::during`]. Every loop of the engines that can last asks on the way whether it was
//! stopped and then ends at once; a function that has no way to say so may end with a result that
//! means nothing, which is safe because nothing gets out: [`Stop::during`] gives back no result of work that was stopped,
//! and a checker gives back [`Limit::Stopped`] instead of an answer.
//!
//! A single operation on decision diagrams is not interrupted; the next one is not begun.

use crate::check::Limit;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// What the work of this thread listens to.
    static LISTENING: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// Says to work in another thread that it is enough. Clones say the same.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// The work was stopped, so there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// Stops work when it is dropped.
#[derive(Debug)]
pub struct StopWhenDropped(Stop);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.now();
    }
}

/// Puts back what the thread listened to before, also after a panic.
struct Before(Option<Stop>);

impl Drop for Before {
    fn drop(&mut self) {
        LISTENING.replace(self.0.take());
    }
}

impl Stop {
    /// Nothing is stopped yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Stops the work, for good.
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped.
    pub fn was_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// A guard whose end stops the work: for somebody who may leave without saying so.
    pub fn when_dropped(&self) -> StopWhenDropped {
        StopWhenDropped(self.clone())
    }

    /// Does some work in this thread that ends soon after [`Stop::now`]. Work that was stopped has no result, even if it
    /// came to an end. What it changed on the way, such as a reasoner that is kept outside, must not be used any more.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> Result<T, Interrupted> {
        let before = Before(LISTENING.replace(Some(self.clone())));
        let done = work();
        drop(before);
        if self.was_asked() { Err(Interrupted) } else { Ok(done) }
    }
}

/// Whether the work of this thread was stopped.
pub fn asked() -> bool {
    LISTENING.with_borrow(|stop| stop.as_ref().is_some_and(Stop::was_asked))
}

/// Goes on, unless the work of this thread was stopped.
pub(crate) fn go_on() -> Result<(), Limit> {
    if asked() { Err(Limit::Stopped) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_was_stopped_has_no_result_and_what_comes_after_is_free() {
        let stop = Stop::new();
        assert_eq!(stop.during(|| (asked(), 7)), Ok((false, 7)));
        assert_eq!(stop.during(|| stop.now()), Err(Interrupted));
        assert!(!asked(), "the thread is free again");
        assert_eq!(stop.during(|| go_on().is_err()), Err(Interrupted));
        let other = Stop::new();
        drop(other.when_dropped());
        assert!(other.was_asked());
    }
}
