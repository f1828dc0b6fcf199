//! Sets of worlds.

/// A set of worlds, as one bit a world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitSet {
    words: Vec<u64>,
    len: usize,
}

impl BitSet {
    /// No world of `len`.
    pub fn empty(len: usize) -> BitSet {
        BitSet { words: vec![0; len.div_ceil(64)], len }
    }

    /// All worlds of `len`.
    pub fn full(len: usize) -> BitSet {
        let mut set = BitSet { words: vec![!0; len.div_ceil(64)], len };
        set.trim();
        set
    }

    /// The worlds of `len` for which `test` holds.
    pub fn from_fn(len: usize, mut test: impl FnMut(usize) -> bool) -> BitSet {
        let mut set = BitSet::empty(len);
        for i in 0..len {
            if test(i) {
                set.insert(i);
            }
        }
        set
    }

    fn trim(&mut self) {
        if !self.len.is_multiple_of(64)
            && let Some(last) = self.words.last_mut()
        {
            *last &= (1 << (self.len % 64)) - 1;
        }
    }

    /// How many worlds there are, in the set or not.
    pub fn universe(&self) -> usize {
        self.len
    }

    /// Whether the world is in the set.
    pub fn contains(&self, i: usize) -> bool {
        self.words[i / 64] >> (i % 64) & 1 == 1
    }

    /// Puts the world into the set.
    pub fn insert(&mut self, i: usize) {
        self.words[i / 64] |= 1 << (i % 64);
    }

    /// Takes the world out of the set.
    pub fn remove(&mut self, i: usize) {
        self.words[i / 64] &= !(1 << (i % 64));
    }

    /// How many worlds are in the set.
    pub fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether every world is in the set.
    pub fn is_full(&self) -> bool {
        self.count() == self.len
    }

    /// Whether no world is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// The worlds in the set, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors((word != 0).then_some(word), |w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| at * 64 + w.trailing_zeros() as usize)
        })
    }

    /// The worlds not in the set.
    pub fn complement(mut self) -> BitSet {
        self.words.iter_mut().for_each(|w| *w = !*w);
        self.trim();
        self
    }

    /// Keeps what is in both.
    pub fn intersect(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= b);
    }

    /// Adds what is in the other.
    pub fn unite(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a |= b);
    }

    /// Keeps what is in exactly one.
    pub fn toggle(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a ^= b);
    }
}
