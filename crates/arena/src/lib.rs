//! Matches, records, tournaments, experiments, statistics and reports.
#![warn(missing_docs)]
