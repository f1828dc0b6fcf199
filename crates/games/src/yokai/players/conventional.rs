//! A natural convention: *a moved card that its mover knows joins a known card of its colour*.
//!
//! A card is known to a seat, publicly, if the seat looked at it, if a hint of one colour marks it, or if it was joined to
//! a card that is known to the seat. Who moves a known card beside known cards tells that it has the colour of one of
//! them. The player keeps the convention, says so by its first two looks ([`NATURAL`]), and takes its partner's moves so if
//! the partner said the same; what contradicts its looks is given up.
//!
//! Everybody sees what a mark or a move tells, and nobody has to tell what is not certain: a mark tells the colour of its
//! card only where the marker could have done something that tells nothing ([`Notes::vouched`]), a move only where the mover
//! had one that tells nothing ([`Notes::silent_move`]). So what two players of this kind tell each other is true, and they
//! stop only when the match is won. The moves of a partner who declared nothing tell nothing. Its marks are believed under the
//! rule that all strong players keep; with a partner of another kind a stop rests on that partner's marks.
//!
//! [`NATURAL`]: super::notes::NATURAL
//! [`Notes::vouched`]: super::notes::Notes::vouched
//! [`Notes::silent_move`]: super::notes::Notes::silent_move

use super::thinker::{Style, Thinker, Trust};

/// A player that keeps the convention and relies on it.
pub(super) fn conventional(seed: u64) -> Thinker {
    Thinker::new(Style { trust: Trust::Declared, sure: 1.0, bit: 0.4 }, seed)
}
