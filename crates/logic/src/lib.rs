//! Epistemic logic: formulas, models, updates, checking, and belief bases.
#![warn(missing_docs)]

pub mod bdd;
pub mod belief;
pub mod check;
pub mod draw;
pub mod formula;
pub mod import;
pub mod model;
pub mod stop;
pub mod syntax;
pub mod text;
pub mod update;
