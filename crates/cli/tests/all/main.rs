//! All tests of this crate that use it from outside, as one program: linking many takes longer than running them.

mod belief;
mod cli;
mod eleusis;
mod eleusis_properties;
mod play;
mod play_eleusis;
mod positions;
mod yokai;
mod yokai_know;
