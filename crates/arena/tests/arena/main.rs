//! The arena from outside: matches, experiments, reports.

mod bouts;
mod experiments;
mod reports;
mod support;
mod yokai;
