//! What is answered to whom.

pub(crate) mod logic;
