//! All tests of this crate that use it from outside, as one program: linking many takes longer than running them.

mod logic;
mod openapi;
