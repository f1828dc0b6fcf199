//! Who sits at a table.

use super::page::Problem;
use crate::game::Illegal;
use serde_json::Value;

/// Who plays a seat.
pub enum Sitter {
    /// Somebody whose actions are entered from outside.
    Person,
    /// The built-in player of this name.
    Machine(String),
    /// The built-in player of this name, with what is known of its partner from earlier matches, as data of the game.
    Taught(String, Value),
    /// A program that is not built in. It is started when it is seated, and again when it is seated anew.
    Program(Start),
}

/// Starts a program for its seat.
pub type Start = Box<dyn Fn() -> Result<Box<dyn Program>, Problem> + Send>;

/// A player that knows a game by its notation alone, such as a program of its own. It gets what any player gets.
pub trait Program: Send {
    /// Sees what happened, as [`Notation::sight_data`](crate::game::Notation::sight_data) has it.
    fn watch(&mut self, sight: &Value);

    /// Chooses one of the options, or an open action of a listed kind; or says why it cannot go on.
    fn choose(&mut self, options: &[String]) -> Result<String, String>;

    /// Hears why the open action that it has just chosen is refused. True if it will choose again.
    fn refused(&mut self, action: &str, why: &Illegal) -> bool;
}

/// The beginning of a text, for a message.
pub(super) fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
