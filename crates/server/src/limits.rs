//! How often a client may ask: a bucket that fills with time for each.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Buckets that have been full for long are forgotten when there are more than this.
const MANY: usize = 10_000;

/// A bucket for each client.
pub(crate) struct Buckets<K> {
    rate: f64,
    size: f64,
    filled: Mutex<HashMap<K, (f64, Instant)>>,
}

impl<K: Eq + Hash> Buckets<K> {
    /// Buckets of this size that fill at this rate a second.
    pub(crate) fn new(rate: f64, size: f64) -> Buckets<K> {
        Buckets { rate, size, filled: Mutex::new(HashMap::new()) }
    }

    /// Takes one from the bucket; no if it is empty.
    pub(crate) fn take(&self, who: K) -> bool {
        self.take_at(who, Instant::now())
    }

    fn take_at(&self, who: K, now: Instant) -> bool {
        let mut filled = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        let level = |(level, since): (f64, Instant)| {
            (level + now.saturating_duration_since(since).as_secs_f64() * self.rate).min(self.size)
        };
        if filled.len() > MANY {
            filled.retain(|_, bucket| level(*bucket) < self.size);
        }
        let bucket = filled.entry(who).or_insert((self.size, now));
        let left = level(*bucket);
        *bucket = (if left >= 1.0 { left - 1.0 } else { left }, now);
        left >= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_bucket_gives_its_size_at_once_and_its_rate_later() {
        let buckets = Buckets::new(2.0, 3.0);
        let start = Instant::now();
        assert!((0..3).all(|_| buckets.take_at("a", start)));
        assert!(!buckets.take_at("a", start));
        assert!(buckets.take_at("b", start), "another client has a bucket of its own");
        let later = start + Duration::from_secs(1);
        assert!(buckets.take_at("a", later) && buckets.take_at("a", later));
        assert!(!buckets.take_at("a", later));
    }
}
