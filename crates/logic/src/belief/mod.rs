//! Belief bases: a timed logic of explicit and implicit belief, decided by SAT.
//!
//! After J. Fernandez Davila, D. Longin, E. Lorini and F. Maris, *A Logical Modeling of the Yōkai Board Game*, AI
//! Communications. Two agents: a machine m, whose base is a set of formulas, and a human h, of whom the machine has
//! beliefs. Where each definition is:
//!
//! | definition | here |
//! |---|---|
//! | the languages L0, L, L+ | [`Store`]: formulas, each stored once; `parse` and `show` for text |
//! | 1 state, 2 and 5 satisfaction, 3 model, 4 alternatives, 6 expansion | [`State`], [`Model`]: evaluated as they stand |
//! | satisfiable, valid, Σ ⊨ φ (Theorems 1 to 3) | [`Reasoner`]: one incremental reduction to SAT |
//! | Proposition 4, expansion by reduction | [`Store::reduce`] |
//! | 7 action selection | [`Action`], [`Outcome`], [`Reasoner::attempt`] |
//! | update and revision (4.2) | [`Base`], [`Reviser`] |
//! | files with bases, inputs and actions | [`BeliefFile`] |

mod clash;
mod file;
mod language;
mod model;
mod parse;
mod plan;
mod print;
mod reason;
mod reduce;
mod revise;
mod rotate;
mod sat;
mod split;
mod tree;

pub use file::{BeliefFile, Purpose};
pub use language::{Alpha, Basic, Formula, Node, Prop, Store};
pub use model::{Model, State};
pub use plan::{Action, Outcome};
pub use reason::{Entailment, Reasoner};
pub use revise::{Base, Change, Dropped, Part, Reviser};
