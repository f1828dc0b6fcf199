//! The web application: tables, seats, storage, live updates, and the pages.
//!
//! | room | one line |
//! |---|---|
//! | `api` | what goes over the wire |
//! | `host` | what a page needs of a game: folds of sights |
//! | `logic` | the workbench: models, formulas, drawings |
//! | `table` | a match as it goes; a seat's eyes |
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
//!
//! Without the feature `web` there are `api` and `host` alone: what a page shows, for whoever shows it elsewhere.

pub mod api;
pub mod host;

#[cfg(feature = "web")]
mod app;
#[cfg(feature = "web")]
mod client;
#[cfg(feature = "web")]
mod config;
#[cfg(feature = "web")]
mod hall;
#[cfg(feature = "web")]
mod lab;
#[cfg(feature = "web")]
mod learn;
#[cfg(feature = "web")]
mod limits;
#[cfg(feature = "web")]
pub mod logic;
#[cfg(feature = "web")]
mod metrics;
#[cfg(feature = "web")]
mod pool;
#[cfg(feature = "web")]
mod routes;
#[cfg(feature = "web")]
mod serve;
#[cfg(feature = "web")]
mod store;
#[cfg(feature = "web")]
mod table;
#[cfg(all(test, feature = "web"))]
mod tests;
#[cfg(feature = "web")]
mod wreck;

#[cfg(feature = "web")]
pub use config::{Config, Limits};
#[cfg(feature = "web")]
pub use routes::openapi;
#[cfg(feature = "web")]
pub use serve::{Server, asked_to_stop, in_process, serve};

/// The example of the README is tested.
#[cfg(all(doctest, feature = "web"))]
#[doc = include_str!("../README.md")]
struct Readme;
