//! Truth: two engines that must agree, and answers that say why.

pub mod answer;
pub mod compare;
mod core;
mod evaluate;
pub mod explicit;
mod ground;
pub mod limits;
mod linear;
pub mod reason;
mod sentences;
pub mod symbolic;
pub mod time;

pub use answer::{Answer, At, Engine, EngineChoice, Question, Session};
pub use limits::{CheckError, Limit, Limits};
