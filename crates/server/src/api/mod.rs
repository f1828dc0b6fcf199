//! What goes over the wire: the types of requests and answers. The OpenAPI description and the client's types come from
//! here, and nothing else is ever sent.
//!
//! | file | one line |
//! |---|---|
//! | `table` | games, matches, seats, moves |
//! | `desk` | the page of a seat: board, options, log |
//! | `position` | positions without a match |
//! | `lab` | experiments, their runs, and what people's matches tell |
//! | `learn` | lessons and their exercises |

mod desk;
mod lab;
mod learn;
mod position;
mod table;

pub use desk::*;
pub use ken_games::table::page::*;
pub use lab::*;
pub use learn::*;
pub use position::*;
pub use table::*;
