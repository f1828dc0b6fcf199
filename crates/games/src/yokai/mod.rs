//! Yōkai: a cooperative game of looking, moving and hinting, for two.
//!
//! * [`colour`], [`layout`]: what lies on the table;
//! * [`rules`]: state, actions, events, sights;
//! * [`knowledge`]: who knows what, since when and why.

pub mod colour;
pub mod knowledge;
pub mod layout;
pub mod rules;

pub use colour::{CARDS, Colour, Colouring, Colours, Hint};
pub use layout::{Cell, Layout, Shape};
pub use rules::{Action, Event, SeenAct, Sight, Stage, State, Step, Steps, Yokai};
