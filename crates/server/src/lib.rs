//! The web application: tables, seats, storage, live updates, and the pages.
//!
//! | room | one line |
//! |---|---|
//! | `api` | what goes over the wire |
//! | `logic` | the workbench: models, formulas, drawings |
//! | `hall` | the tables in memory: moves, machines, news |
//! | `lab` | small runs of experiments |
//! | `learn` | lessons whose exercises the engine checks |
//! | `store` | matches on disk: an append-only log |
//! | `wreck` | matches that are damaged: what is wrong, what can be saved |
//! | `pool` | threads for thinking |
//! | `client`, `limits` | who asks, and how often |
//! | `routes` | what is answered to whom |
//! | `metrics`, `config`, `app` | what is counted, set and shared |
//! | `serve` | listening and stopping |

pub mod api;

mod app;
mod client;
mod config;
mod hall;
mod lab;
mod learn;
mod limits;
pub mod logic;
mod metrics;
mod pool;
mod routes;
mod serve;
mod store;
#[cfg(test)]
mod tests;
mod wreck;

pub use config::{Config, Limits};
pub use routes::openapi;
pub use serve::{Server, asked_to_stop, in_process, serve};

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
