//! Models: laws and observations as written, explicit Kripke models, symbolic knowledge structures.

mod bitset;
pub mod enumerate;
pub mod explore;
pub mod kripke;
pub mod law;
pub mod modelfile;
pub(crate) mod order;
pub mod symbolic;
pub mod system;
pub mod transitions;

pub use bitset::BitSet;
pub use kripke::Kripke;
pub use law::LawModel;
pub use modelfile::{Document, Expected, Model, Query, QueryKind, Refused, Time};
pub use system::System;
pub use transitions::Transitions;
