//! All tests of this crate that use it from outside, as one program: linking many takes longer than running them.

mod host_cluedo;
mod host_eleusis;
mod host_yokai;
#[cfg(feature = "web")]
mod logic;
#[cfg(feature = "web")]
mod openapi;
mod pages;
