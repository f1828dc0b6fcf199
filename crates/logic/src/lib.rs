//! Epistemic logic: who knows what, who knows who knows what, and what happens to it.
//!
//! A text describes a model of worlds or a system that goes on in time; [`Document::read`] reads it, [`Document::checker`]
//! gives somebody to ask, and every [`Answer`] can say why.
//!
//! ```
//! use ken_logic::{Document, Format, Limits};
//!
//! // Two coins under two cups; Ann has looked under the first. Both show heads.
//! let text = "agents ann\nprops first, second\nobserve ann sees first\npoint first, second";
//! let coins = Document::read(text, Format::Ken).expect("a model");
//! let mut checker = coins.checker(Limits::default());
//! let first = checker.ask(&coins.query("K[ann] first").expect("a formula")).expect("an answer");
//! let second = checker.ask(coins.query("K[ann] second").expect("a formula").explained()).expect("an answer");
//! assert!(first.holds && !second.holds);
//! println!("{}", second.reason()); // … ann cannot exclude {first} (there: !second)
//! # assert!(second.reason().to_string().contains("ann cannot exclude {first} (there: !second)"));
//! ```
//!
//! | module | what it holds |
//! |---|---|
//! | [`document`] | texts in four languages, with their questions and every problem at its place |
//! | [`check`] | the one place to ask, its answers and their reasons; comparing models |
//! | [`formula`], [`syntax`] | formulas and actions, read and printed |
//! | [`model`], [`update`] | models, systems, and what actions make of them |
//! | [`belief`] | belief bases, what follows from them, and their revision |
//! | [`draw`] | models and runs as pictures |
//! | [`bdd`] | Boolean functions as decision diagrams |
//! | [`stop`], [`progress`] | ending work from another thread, and hearing how far it has come |
#![warn(missing_docs)]

pub mod bdd;
pub mod belief;
pub mod check;
pub mod document;
pub mod draw;
pub mod formula;
mod import;
pub mod model;
pub mod progress;
pub mod stop;
pub mod syntax;
pub mod text;
pub mod update;

pub use check::{Answer, CheckError, Checker, Explanation, Limits, Options};
pub use document::{At, Document, Format, Query, QueryKind};

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
