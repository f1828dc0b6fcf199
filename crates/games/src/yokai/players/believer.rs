//! Hints and no convention: exact beliefs over all colourings by what it saw and what the hints say. It stops when the win
//! follows from them, and declares nothing by its first looks.

use super::thinker::{Style, Thinker, Trust};

/// A player that believes hints, and reads moves as nothing but moves.
pub(super) fn believer(seed: u64) -> Thinker {
    Thinker::new(Style { trust: Trust::Never, sure: 1.0, bit: 1.0 }, seed)
}
