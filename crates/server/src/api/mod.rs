//! What goes over the wire: the types of requests and answers. The OpenAPI description and the client's types come from
//! here, and nothing else is ever sent.
//!
//! | file | one line |
//! |---|---|
//! | `table` | games, matches, seats, moves |
//! | `desk` | the page of a seat: board, options, log |
//! | `inspect` | who knows what, since when, why; hints; timelines |
//! | `lab` | experiments, their runs, and what people's matches tell |
//! | `learn` | lessons and their exercises |

mod desk;
mod inspect;
mod lab;
mod learn;
mod table;

pub use desk::*;
pub use inspect::*;
pub use lab::*;
pub use learn::*;
pub use table::*;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is wrong with a request, for people and for programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Problem {
    /// A stable word: `not-your-turn`, `illegal`, `no-such-match`, …
    pub code: String,
    /// What is wrong; it tells nothing that the asker may not know.
    pub message: String,
    /// What to try instead.
    pub help: Option<String>,
    /// Places in the text that was sent, if it is about a text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Squiggle>,
    /// The revision of the table now, if what was sent was decided on a page that is out of date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u64>,
}

/// A place in a text with what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Squiggle {
    /// Where it begins, in UTF-16 units as editors count.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// `error` or `warning`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: Option<String>,
}
