//! Yōkai: a cooperative game of looking, moving and hinting, for two.
//!
//! | file | one line |
//! |---|---|
//! | `colour`, `layout` | what lies on the table |
//! | `rules` | state, actions, events, sights |
//! | `notation` | text of actions, sights and options |
//! | `view` | the page of a seat: the table and its looks |
//! | `position` | what one seat has before it |
//! | `read` | positions in JSON |
//! | `draw` | the table as text |
//! | `convention` | what moves tell beyond what they show, as data |
//! | `knowledge` | who knows what, since when, why, and why not |
//! | `players` | one artificial player per file |
//! | `partner` | what is known of a partner from earlier matches |

pub mod colour;
pub mod convention;
pub mod draw;
pub mod face;
pub mod knowledge;
pub mod layout;
pub mod notation;
pub mod partner;
pub mod players;
pub mod position;
pub mod read;
pub mod rules;
pub mod view;

pub use colour::{CARDS, Colour, Colouring, Colours, Hint};
pub use layout::{Cell, Layout, Shape};
pub use partner::PartnerModel;
pub use position::{Past, Position};
pub use rules::{Action, Event, SeenAct, Sight, Stage, State, Step, Steps, Yokai};
pub mod count;
pub mod plan;
