//! The two notations of the paper, beside rule text: dealer protocols and temporal formulas.
//!
//! All three compile to the same automata, so that what the paper prints can be compared with what it means.

mod condition;
pub mod protocol;
pub mod temporal;
#[cfg(test)]
mod tests;
mod token;
