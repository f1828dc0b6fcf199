//! Guessing the rule: an explicit prior over rules, the exact posterior, the card that tells most, when to speak.
//!
//! [`Space`] is what can be thought of, [`Prior`] how likely, [`Evidence`] what was seen and what follows from it,
//! [`Guesser`] what to do about it.

mod atoms;
mod choose;
mod fit;
mod hypothesis;
mod posterior;
mod prior;
mod space;
mod splits;
mod trial;

pub use choose::{Guesser, Plan, entropy};
pub use hypothesis::{Hypothesis, Meaning};
pub use posterior::{Evidence, MEMORY, Play, Prediction};
pub use prior::{Case, Form, Kind, Prior};
pub use space::{Join, Space};
pub use trial::{Terms, Trial, search};

#[cfg(test)]
mod tests;
