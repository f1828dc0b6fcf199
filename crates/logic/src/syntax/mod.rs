//! Text to formulas and models: a value *and* all problems, each with its place.

mod ast;
mod diagnostic;
mod elaborate;
mod fmt;
mod json;
mod json_system;
mod lexer;
mod parser;
mod resolve;
mod scope;
mod statements;
mod system;
mod system_statements;

pub use diagnostic::{Code, Diagnostic, Source, Span, Within, nearest, nearest_within};
pub use fmt::format;
pub use json::{Json, JsonKind, json_with_places};
pub use resolve::OwnWord;
pub use scope::{AboutGame, Scope};

pub(crate) use elaborate::model_from_ken;
pub(crate) use json::model_from_json;
pub(crate) use lexer::Tok;
pub(crate) use parser::{BEFORE_BRACKET, MAX_NESTING, Parser, RESERVED};

/// The most problems shown for one text.
pub const MAX_PROBLEMS: usize = 10;
