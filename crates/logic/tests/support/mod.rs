//! What several integration tests share.
#![allow(dead_code)]

pub(crate) mod biodivine;
