//! Epistemic logic: formulas, models, updates and checking.
#![warn(missing_docs)]

pub mod bdd;
pub mod check;
pub mod draw;
pub mod formula;
pub mod import;
pub mod model;
pub mod syntax;
pub mod update;
