//! How far work has come, for somebody who waits for it in another thread.
//!
//! The work is done while [`Progress::here`] lasts. The engines say on the way what they count; [`Progress::now`] may be
//! asked from anywhere and costs the work nothing.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    /// To whom the work of this thread reports.
    static REPORTING: RefCell<Option<Progress>> = const { RefCell::new(None) };
}

/// What is being counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The worlds of a model given by laws, as they are found.
    Worlds,
    /// The reachable states of a system, as they are found.
    States,
    /// The points of a system whose agents remember: a state with what everybody can know there.
    Points,
    /// Parts of formulas that have been evaluated.
    Formulas,
}

impl Stage {
    /// All stages.
    pub const ALL: [Stage; 4] = [Stage::Worlds, Stage::States, Stage::Points, Stage::Formulas];

    /// What is counted, in the plural.
    pub fn words(self) -> &'static str {
        match self {
            Stage::Worlds => "worlds",
            Stage::States => "states",
            Stage::Points => "points with memory",
            Stage::Formulas => "parts of formulas",
        }
    }
}

/// How far work has come. Clones tell the same.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<AtomicU64>);

/// While this lasts, the work of the thread reports.
#[derive(Debug)]
pub struct Reporting(Option<Progress>);

impl Drop for Reporting {
    fn drop(&mut self) {
        REPORTING.replace(self.0.take());
    }
}

/// The lowest byte is one more than the place of the stage, so that nothing reported is zero; the rest is the count.
const STAGE_BITS: u32 = 8;

impl Progress {
    /// Nothing has been reported yet.
    pub fn new() -> Progress {
        Progress::default()
    }

    /// Hears of the work of this thread until the guard is dropped.
    pub fn here(&self) -> Reporting {
        Reporting(REPORTING.replace(Some(self.clone())))
    }

    /// What was counted last, and how many; `None` before the first report.
    pub fn now(&self) -> Option<(Stage, u64)> {
        let word = self.0.load(Ordering::Relaxed);
        let place = (word & ((1 << STAGE_BITS) - 1)).checked_sub(1)?;
        Some((*Stage::ALL.get(place as usize)?, word >> STAGE_BITS))
    }
}

/// Reports that so many have been counted.
pub(crate) fn report(stage: Stage, count: usize) {
    REPORTING.with_borrow(|progress| {
        if let Some(Progress(word)) = progress {
            word.store((count as u64) << STAGE_BITS | (stage as u64 + 1), Ordering::Relaxed);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, Format, Limits};

    #[test]
    fn work_reports_while_somebody_listens() {
        let progress = Progress::new();
        report(Stage::States, 1);
        assert_eq!(progress.now(), None);
        let reporting = progress.here();
        for stage in Stage::ALL {
            report(stage, 7);
            assert_eq!(progress.now(), Some((stage, 7)));
        }
        drop(reporting);
        report(Stage::Worlds, 9);
        assert_eq!(progress.now(), Some((Stage::Formulas, 7)));
    }

    #[test]
    fn a_checker_reports_what_it_has_evaluated() {
        let text = "agents a\nprops p\nvars x : 0..3\nobserve a sees p\nactions a: go, stay\n\
                    initial x = 0 & !p\nnext x := 1 if go\nnext p := true if go\n";
        let document = Document::read(text, Format::Ken).expect("a system");
        let query = document.query("AG (p -> K[a] p)").expect("a question");
        let progress = Progress::new();
        let reporting = progress.here();
        document.checker(Limits::default()).ask(&query).expect("an answer");
        drop(reporting);
        assert!(matches!(progress.now(), Some((Stage::Formulas, n)) if n > 0), "{:?}", progress.now());
    }
}
