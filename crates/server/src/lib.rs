//! The web application: tables, seats, storage, live updates, and the pages.
//!
//! | room | one line |
//! |---|---|
//! | `api` | what goes over the wire |
//! | `host` | what a page needs of a game: folds of sights |
//! | `logic` | the workbench: models, formulas, drawings |

pub mod api;
pub mod host;
pub mod logic;
mod routes;
