//! The one source of chance: ChaCha with 8 rounds, seeded by a `u64`.
//!
//! The same seed gives the same match on every machine and with any number of threads. The generator is named here and
//! pinned by a test, since records depend on it.

use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

/// A deterministic stream of random numbers.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Any 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `n`, all equally likely.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a number below nothing");
        let n = n as u64;
        // The high half of a product is uniform except for the few lowest values of the low half, which are redrawn.
        let reject = n.wrapping_neg() % n;
        loop {
            let product = u128::from(self.word()) * u128::from(n);
            if product as u64 >= reject {
                return (product >> 64) as usize;
            }
        }
    }

    /// A number below `n`, all equally likely, for counts beyond 64 bits.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below_wide(&mut self, n: u128) -> u128 {
        assert!(n > 0, "a number below nothing");
        if let Ok(small) = u64::try_from(n) {
            return self.below(small as usize) as u128;
        }
        let mask = u128::MAX >> n.leading_zeros();
        loop {
            let drawn = ((u128::from(self.word()) << 64) | u128::from(self.word())) & mask;
            if drawn < n {
                return drawn;
            }
        }
    }

    /// A random element.
    ///
    /// # Panics
    /// If there is none.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// A random order, all equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// A seed for part `part` of whatever has this seed: game `i` of an experiment, seat `s` of a match. (SplitMix64's
/// finalizer twice, so that neighbouring parts have unrelated streams.)
pub fn mix(seed: u64, part: u64) -> u64 {
    let finish = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    finish(finish(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)).wrapping_add(part.wrapping_mul(0xd1b5_4a32_d192_ed03)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_pinned_because_records_depend_on_it() {
        let mut dice = Dice::new(1);
        let drawn: Vec<usize> = (0..8).map(|_| dice.below(1000)).collect();
        assert_eq!(drawn, PINNED);
        assert_eq!(mix(1, 2), MIXED);
    }

    const PINNED: [usize; 8] = [402, 80, 596, 219, 283, 710, 461, 152];
    const MIXED: u64 = 1_252_391_373_650_201_249;

    #[test]
    fn every_number_below_comes_up_equally_often() {
        let mut dice = Dice::new(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[dice.below(6)] += 1;
        }
        assert!(seen.iter().all(|&n| (9_600..10_400).contains(&n)), "{seen:?}");
    }
}
