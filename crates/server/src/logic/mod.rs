//! The logic workbench: a text comes in, and what the engine says about it goes out. Nothing is kept between requests.
//!
//! | file | one line |
//! |---|---|
//! | `wire` | requests and answers |
//! | `source` | a text with the document in it, and problems with their places |
//! | `check` | every formula with its verdict, its reasons and its runs |
//! | `trace` | runs of a system, with what each agent considers possible |
//! | `stages` | a model after one announcement after the other |
//! | `draw` | the drawing of a model and of what remains of it |
//! | `know` | who knows what at a world, since when, why, and why not |
//! | `gallery` | the models that come with the program |
//! | `worker` | threads with deep stacks, few at a time, and not for long |

mod check;
mod draw;
mod gallery;
mod know;
mod source;
mod stages;
mod trace;
mod wire;
pub(crate) mod worker;

pub use check::{Progress, check};
pub use draw::draw;
pub use gallery::gallery;
pub use know::{know, why};
pub use wire::*;

use ken_logic::check::Limits;

/// The largest text that is read, in bytes.
pub const MAX_TEXT: usize = 256 << 10;
/// The longest formula that is read beside the text, in bytes.
pub const MAX_FORMULA: usize = 16 << 10;
/// The most formulas or announcements of one request.
pub const MAX_FORMULAS: usize = 50;
/// The most worlds that are listed for drawings and for who knows what.
pub const MAX_LISTED: usize = 20_000;
/// The most worlds that are drawn.
pub const MAX_DRAWN: usize = 64;

/// How much work a request may do; the time is watched from outside.
pub const LIMITS: Limits = Limits { worlds: 50_000, diagram_bytes: 256 << 20 };
