//! Eleusis: a secret rule, cards that fit it or not, and players who reason about which rule it is.
//!
//! A rule is text ([`rule`]); it says which cards may follow a line of accepted cards. Everything else works on
//! that one meaning: [`rule::Rule::accepts`] by direct evaluation, and the automaton it compiles to.

pub mod automaton;
pub mod classic;
pub mod dealer;
pub mod deck;
pub mod express;
pub mod face;
pub mod guess;
pub mod knowledge;
pub mod layout;
pub mod library;
pub mod moves;
pub mod notation;
mod options;
pub mod players;
pub mod properties;
pub mod rule;
pub mod secret;
pub mod sense;
pub mod table;
pub mod text;
pub mod view;

pub use classic::Classic;
pub use express::Express;
