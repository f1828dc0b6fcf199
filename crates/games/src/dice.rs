//! The one source of chance: ChaCha with 8 rounds, seeded by a `u64`.
//!
//! The same seed gives the same match on every machine and with any number of threads. The generator is named here and
//! pinned by a test, since records depend on it.
//!
//! Where every chance matters and not one of them, [`falls`] runs some work once for every way the dice can fall.

use crate::game::Seat;
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

/// A deterministic stream of random numbers, or the choices of a script.
#[derive(Clone, Debug)]
pub struct Dice(Source);

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "dice are few and live on the stack: a box would cost an allocation each"
)]
enum Source {
    Seeded(ChaCha8Rng),
    Scripted(Script),
}

/// Choices that were laid down beforehand, and those that were made.
#[derive(Clone, Debug)]
struct Script {
    given: Vec<usize>,
    /// What was chosen, and of how many.
    made: Vec<(usize, usize)>,
}

impl Script {
    fn below(&mut self, n: usize) -> usize {
        let chosen = self.given.get(self.made.len()).copied().unwrap_or(0);
        assert!(chosen < n, "the script says {chosen} where a number below {n} is drawn");
        self.made.push((chosen, n));
        chosen
    }
}

impl Dice {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Dice {
        Dice(Source::Seeded(ChaCha8Rng::seed_from_u64(seed)))
    }

    /// Dice that fall as the script says: the first number drawn by [`Dice::below`] is its first, and so on; after its
    /// end every number is 0. Whole words cannot be scripted: there are too many.
    pub fn scripted(script: Vec<usize>) -> Dice {
        Dice(Source::Scripted(Script { given: script, made: Vec::new() }))
    }

    /// Any 64 bits.
    ///
    /// # Panics
    /// If the dice are scripted.
    pub fn word(&mut self) -> u64 {
        match &mut self.0 {
            Source::Seeded(generator) => generator.next_u64(),
            Source::Scripted(_) => panic!("scripted dice choose among a few: they have no words of 64 bits"),
        }
    }

    /// A number below `n`, all equally likely.
    ///
    /// # Panics
    /// If `n` is 0, or not above what a script says.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a number below nothing");
        if let Source::Scripted(script) = &mut self.0 {
            return script.below(n);
        }
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

/// The results of some work for every way the dice can fall, one after the other: the choices turn like the wheels of an
/// odometer, the last one fastest. The work must be the same function of its dice each time, and draw no
/// [words](Dice::word). It is run when the next result is asked for, so one may stop in the middle.
///
/// ```
/// use ken_games::dice::falls;
///
/// let two_coins: Vec<[usize; 2]> = falls(|dice| [dice.below(2), dice.below(2)]).collect();
/// assert_eq!(two_coins, [[0, 0], [0, 1], [1, 0], [1, 1]]);
/// ```
pub fn falls<T>(mut work: impl FnMut(&mut Dice) -> T) -> impl Iterator<Item = T> {
    let mut next = Some(Vec::new());
    std::iter::from_fn(move || {
        let mut dice = Dice::scripted(next.take()?);
        let result = work(&mut dice);
        if let Dice(Source::Scripted(script)) = dice {
            next = following(script.made);
        }
        Some(result)
    })
}

/// The script after the one in which these choices were made; `None` after the last.
fn following(mut made: Vec<(usize, usize)>) -> Option<Vec<usize>> {
    while made.pop_if(|(chosen, of)| *chosen + 1 == *of).is_some() {}
    made.last_mut()?.0 += 1;
    Some(made.into_iter().map(|(chosen, _)| chosen).collect())
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

/// The seed of a seat's own chance: changing one player leaves the deal and the others' chance as they were.
pub fn seat_seed(seed: u64, seat: Seat) -> u64 {
    mix(seed, u64::from(seat.0))
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
    fn every_order_comes_up_once_where_every_fall_is_tried() {
        let orders: Vec<[u8; 4]> = falls(|dice| {
            let mut items = [0, 1, 2, 3];
            dice.shuffle(&mut items);
            items
        })
        .collect();
        let different: std::collections::HashSet<[u8; 4]> = orders.iter().copied().collect();
        assert_eq!((orders.len(), different.len()), (24, 24));
    }

    #[test]
    fn later_choices_may_depend_on_earlier_ones() {
        let fallen: Vec<Vec<usize>> = falls(|dice| {
            let more = dice.below(3);
            (0..more).map(|_| dice.below(2)).collect()
        })
        .collect();
        assert_eq!(fallen.len(), 1 + 2 + 4);
        assert_eq!(falls(|_| ()).count(), 1, "without chance there is one way");
    }

    #[test]
    #[should_panic(expected = "no words")]
    fn a_script_has_no_words() {
        Dice::scripted(Vec::new()).word();
    }

    #[test]
    fn every_number_below_comes_up_equally_often() {
        let mut dice = Dice::new(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[dice.below(6)] += 1;
        }
        assert!(seen.iter().all(|&n| (9_600..10_400).contains(&n)), "{seen:?}");
    }

    #[test]
    fn the_seeds_of_the_seats_are_pinned_because_players_are_rebuilt_from_records() {
        assert_eq!(seat_seed(1, Seat(2)), 1_252_391_373_650_201_249);
    }
}
