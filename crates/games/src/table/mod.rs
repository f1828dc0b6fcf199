//! A match of any game, for whoever shows it: the terminal, the server, the arena.
//!
//! Only a [`Table`] holds the truth. What leaves it for a seat is an [`Eyes`]: the game and that seat's sights, from which
//! every page and every answer is made. There is no way from an `Eyes` to the state. Both can be used without knowing
//! which game it is; what a game says for itself is its [`Face`].
//!
//! | file | one line |
//! |---|---|
//! | `mod` | a table and a seat's eyes |
//! | `playing` | both for every game with a face |
//! | `face` | what a game says beyond its rules |
//! | `sitter` | who sits at a table: people, built-in players, programs |
//! | `describe` | names, options, players |
//! | `page`, `plain`, `inspect` | what is shown, as data |
//! | `told` | the same as text, for a terminal |
//! | `seen` | positions of games that have no text of their own for them |

mod describe;
mod face;
mod inspect;
pub mod page;
mod plain;
mod playing;
mod seen;
mod sitter;
mod told;

pub use face::{ADVISES, CHECKS, Doubts, FILLS, Face, INSPECTS, Unread};
pub use playing::{at_table, deal};
pub use sitter::{Program, Sitter, Start};
pub(crate) use told::advise as told_advice;

use crate::game::{Illegal, Outcome, Seat, Turn};
use crate::record::Entry;
use page::{Advice, Assumption, Board, FactRow, Inspection, LogLine, Notes, Preview, Problem, Reason, Why};
use serde_json::Value;
use std::any::Any;

/// What a machine came to.
pub struct Thought {
    /// Its seat.
    pub seat: Seat,
    /// The action in notation, or why the player cannot go on.
    pub action: Result<String, String>,
    /// The player, to be given back to the table.
    player: Box<dyn Any + Send>,
    /// How many events it has seen.
    watched: usize,
}

/// A machine at work: it owns what it needs.
pub type Thinking = Box<dyn FnOnce() -> Thought + Send>;

/// The reasons of a machine, to be worked out away from the table: it owns what it needs.
pub type Recounting = Box<dyn FnOnce() -> Vec<Reason> + Send>;

/// A match of any game, with its machines.
pub trait Table: Send {
    /// How many seats there are.
    fn seats(&self) -> u8;

    /// How many events there are, the deal included.
    fn events(&self) -> usize;

    /// Whose move it is.
    fn turn(&self) -> Turn;

    /// Whose move it was after so many events.
    fn turn_at(&self, events: usize) -> Turn;

    /// The entry that a text stands for, if it may be played now, and how the match would end by it. Nothing is played.
    fn read(&self, text: &str) -> Result<(Entry, Option<Outcome>), Problem>;

    /// Whether this seat may take back the last action.
    fn can_undo(&self, seat: Seat) -> Result<(), Problem>;

    /// Plays the action that a text stands for, and gives its entry.
    fn act(&mut self, text: &str) -> Result<Entry, Problem>;

    /// Carries out an entry that was read before and is stored now.
    fn enter(&mut self, entry: &Entry) -> Result<(), Problem>;

    /// The machine of the seat to move at work; none if its player is away.
    fn think(&mut self) -> Option<Thinking>;

    /// Gives a player back.
    fn thought(&mut self, thought: Thought);

    /// Tells the machine of a seat why its last action is refused. True if it will choose again, which it may for an open
    /// action alone.
    fn refuse(&mut self, seat: Seat, action: &str, why: &Illegal) -> bool;

    /// Seats a machine anew: it rebuilds itself from its sights.
    fn reseat(&mut self, seat: Seat) -> Result<(), Problem>;

    /// What a seat sees after so many events; what it may do now if `now`.
    fn eyes(&self, seat: Seat, events: usize, now: bool) -> Box<dyn Eyes>;

    /// What anybody at the table saw of the first events.
    fn onlooker(&self, events: usize) -> Vec<LogLine>;

    /// The whole truth of the first events: for matches that are over.
    fn truth(&self, events: usize) -> Vec<LogLine>;

    /// The whole truth of one event, the deal being 0: for matches that are over or that nobody plays.
    fn tell(&self, event: usize) -> String;

    /// What was hidden by the deal: for the end of a match.
    fn tell_deal(&self) -> String;

    /// What the machine of a seat says before the deal; nothing for a person or a program.
    fn says(&self, seat: Seat) -> Vec<String>;

    /// Why the machine of a seat did what it did in the first events: for matches that are over. None for a person or a
    /// program.
    fn recount(&self, seat: Seat, events: usize) -> Option<Recounting>;

    /// What is still hidden now, where the deal does not tell it: for a match that was given up.
    fn tell_hidden(&self) -> Option<String>;
}

/// A seat's sights and what is made of them.
pub trait Eyes: Send {
    /// What is to be done.
    fn request(&self) -> String;

    /// What may be done, in notation.
    fn options(&self) -> Vec<String>;

    /// The first words of open actions that may be done.
    fn open(&self) -> Vec<String>;

    /// What was seen, as it is told at a helper level.
    fn log(&self, helper: u8) -> Vec<LogLine>;

    /// The board.
    fn board(&self, helper: u8) -> Board;

    /// What is to be said against notes.
    fn doubts(&self, notes: &Notes) -> Doubts;

    /// What the chain knows.
    fn inspect(&self, chain: &[Seat], filter: &str) -> Result<Inspection, Problem>;

    /// Why the chain knows a fact, or why not.
    fn why(&self, chain: &[Seat], fact: &str) -> Result<Why, Problem>;

    /// What an inspector can be asked to assume.
    fn assumptions(&self) -> Vec<Assumption>;

    /// The same eyes with an inspector that assumes what has this name.
    fn assuming(&self, name: &str) -> Result<Box<dyn Eyes>, Problem>;

    /// Why somebody else did what an event shows, as far as this seat may know.
    fn reason(&self, event: usize, helper: u8) -> Result<Reason, Problem>;

    /// The events of others since the last one of this seat, in order.
    fn news(&self) -> Vec<usize>;

    /// What the seat has before it, as the commands of the game read it.
    fn position(&self) -> Result<String, Problem>;

    /// The same as a `.ken` model, if it is not too large.
    fn model(&self) -> Result<String, Problem>;

    /// A hint.
    fn advice(&self, step: u8) -> Result<Advice, Problem>;

    /// What a player should see before a text is played; whether it may be played is for the table to say.
    fn preview(&self, text: &str, helper: u8) -> Preview;

    /// Log₂ of the worlds that fit the first sights, and the facts learned from them.
    fn moment(&self, sights: usize) -> (Option<f64>, Vec<FactRow>);

    /// What the height of a timeline means.
    fn unit(&self) -> &'static str;

    /// What may be done, in notation; an open action stands for its kind.
    fn choices(&self) -> Vec<String>;

    /// What was seen of an event, the deal being 0, as a line and as data.
    fn sight(&self, event: usize) -> (String, Value);

    /// What can be typed, a line each.
    fn usage(&self) -> String;

    /// What is to be done, in the few words of a prompt.
    fn prompt(&self) -> String;

    /// The text of an action where a short form of it was typed.
    fn expand(&self, typed: &str) -> String;

    /// What the seat has: `you hold plum rope`.
    fn hand(&self, helper: u8) -> String;

    /// The board as text, in lines of at most 80 columns.
    fn sheet(&self, helper: u8) -> String;

    /// What a person should see before the text of an action counts; none if it needs no second look.
    fn confirm(&self, text: &str, helper: u8) -> Result<Option<String>, Box<Unread>>;

    /// Whether the seat knows a formula, as text.
    fn know(&self, formula: &str) -> Result<String, Problem>;

    /// Why the seat knows a fact, or why not, as text.
    fn explain(&self, fact: &str) -> Result<String, Problem>;

    /// The last step of a hint, as text.
    fn advise(&self) -> Result<String, Problem>;
}
