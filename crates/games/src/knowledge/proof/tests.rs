//! Laws of proofs that hold in every game.
