//! Truth: two engines that must agree, and answers that say why.

pub mod explicit;
pub mod limits;
pub mod symbolic;

pub use limits::{CheckError, Limit, Limits};
