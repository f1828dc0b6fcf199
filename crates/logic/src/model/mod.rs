//! Models: laws and observations as written, explicit Kripke models, symbolic knowledge structures.

mod bitset;
mod either;
pub mod enumerate;
pub mod explore;
pub mod kripke;
pub mod law;
pub(crate) mod order;
pub mod symbolic;
pub mod system;
pub mod transitions;

pub use bitset::BitSet;
pub use either::{Model, Time};
pub use kripke::Kripke;
pub use law::LawModel;
pub use system::System;
pub use transitions::Transitions;
