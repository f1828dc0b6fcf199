//! Random cases: `KEN_CASES` sets how many, `KEN_SEED` the first seed.

use super::generate::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A number from the environment.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Runs the cases, each with its own seed, and fails with the shortest accounts of failures.
pub(crate) fn run(default_cases: u64, mut case: impl FnMut(&mut Rng) -> Result<(), String>) {
    let (cases, first) = (setting("KEN_CASES", default_cases), setting("KEN_SEED", 1));
    let mut failures: Vec<(u64, String)> = Vec::new();
    for seed in first..first + cases {
        let mut rng = Rng::new(seed);
        if let Err(account) = quietly(|| case(&mut rng)) {
            failures.push((seed, account));
        }
    }
    failures.sort_by_key(|(_, account)| account.len());
    if !failures.is_empty() {
        let shown = failures.iter().take(4).map(|(seed, account)| format!("\nseed {seed}:\n{account}\n"));
        let (failed, shown) = (failures.len(), shown.collect::<String>());
        panic!("{failed} of {cases} cases failed; the shortest:\n{shown}");
    }
}

/// A panic is a failure like any other.
pub(crate) fn quietly(case: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(case)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        Err(text.or_else(|| panic.downcast_ref::<&str>().map(|t| t.to_string())).unwrap_or_default())
    })
}
