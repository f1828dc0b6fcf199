//! How models change: knowledge actions as action models, product update, bisimulation contraction.

mod bisim;
mod learn;
mod product;

pub use bisim::{Contraction, Keep, contract, refine};
pub use learn::{BrokenAction, resolve};
pub use product::{Changes, Product, product};
