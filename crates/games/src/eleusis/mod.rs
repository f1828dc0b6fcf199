//! Eleusis: a secret rule, cards that fit it or not, and players who reason about which rule it is.
//!
//! A rule is text ([`rule`]); it says which cards may follow a line of accepted cards. Everything else works on
//! that one meaning: [`rule::Rule::accepts`] by direct evaluation, and the automaton it compiles to.

pub mod automaton;
pub mod deck;
pub mod library;
pub mod notation;
pub mod rule;
