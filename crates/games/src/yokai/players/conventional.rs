//! A natural convention: *a moved card that its mover knows joins a known card of its colour*.
//!
//! A card is known to a seat, publicly, if the seat looked at it, if a hint of one colour marks it, or if it was joined to
//! a card that is known to the seat. Who moves a known card beside known cards tells that it has the colour of one of
//! them. The player keeps the convention and takes its partner's moves so, as hypotheses: what contradicts its looks
//! is given up. It stops when it is certain.

use super::thinker::{Style, Thinker, Trust};

/// A player that keeps the convention and relies on it.
pub(super) fn conventional(seed: u64) -> Thinker {
    Thinker::new(Style { trust: Trust::Always, sure: 1.0, bit: 0.4 }, seed)
}
