//! What several integration tests share.
#![allow(dead_code)]

pub(crate) mod biodivine;
pub(crate) mod by_hand;
pub(crate) mod cases;
pub(crate) mod fair_runs;
pub(crate) mod forms;
pub(crate) mod generate;
pub(crate) mod judge;
pub(crate) mod naive;
pub(crate) mod random_systems;
pub(crate) mod remembered;
pub(crate) mod shown;
pub(crate) mod systems;
pub(crate) mod traces;
