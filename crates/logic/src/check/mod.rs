//! Truth: one place to ask, engines that must agree, and answers that say why.
//!
//! * `checker` – the one place to ask; `options`, `question`, `answer` – what goes in and what comes out
//! * `worlds` – models of worlds, on the engines `explicit` and `symbolic`; `time` – systems
//! * `reason`, `sentences` – why, at a world; `diagnose` – what went wrong, with its place
//! * `core` – the dozen constructors to which formulas are lowered; `linear` – path formulas; `evaluate` – their truth on any
//!   engine
//! * `compare` – whether two models can be told apart

mod answer;
mod checker;
pub mod compare;
mod core;
mod diagnose;
mod evaluate;
pub mod explicit;
mod ground;
mod limits;
mod linear;
mod options;
mod question;
pub mod reason;
mod sentences;
pub mod symbolic;
pub mod time;
mod worlds;

pub use answer::{Answer, Explanation, Forgetful, Found, Line, OfSystem};
pub use checker::{Checker, Size};
pub use limits::{CheckError, Limit, Limits};
pub use options::{Engine, EngineChoice, Memory, Options};
pub use question::Ask;
