//! What a page needs of a game beyond its rules. Everything here is a fold of one seat's sights: no function receives a
//! state or another seat's memory.

use super::page::{Advice, Board, GameInfo, Notes, Preview, Problem};
use crate::game::{Illegal, Notation, Player, View};
use crate::knowledge::{Inspector, Refused};
use ken_logic::syntax::{Code, Diagnostic, Span};
use serde_json::Value;

/// The level from which notes are checked.
pub const CHECKS: u8 = 1;
/// The level from which forced cells are filled.
pub const FILLS: u8 = 2;
/// The level from which the inspector is open.
pub const INSPECTS: u8 = 3;
/// The level from which advice is given.
pub const ADVISES: u8 = 4;

/// What is to be said against notes: the keys of those that do not follow. None is in both lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// They may be true.
    pub unfounded: Vec<String>,
    /// The opposite follows from what was seen.
    pub refuted: Vec<String>,
}

/// A game that can be hosted.
pub trait Face: Notation + View + 'static {
    /// What the page of a new match needs to know.
    fn info() -> GameInfo;

    /// The machine player of this name; its own chance comes from the seed.
    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<Self>>, Illegal>;

    /// What anybody at the table sees of an event, whatever the seat; nothing for what only some see.
    fn onlooker(&self, event: &Self::Event) -> Option<String>;

    /// What is to be done now, for the seat whose memory this is.
    fn request(&self, memory: &[Self::Sight]) -> String;

    /// The number that proofs give to each sight of a memory, if they number it.
    fn numbers(&self, memory: &[Self::Sight]) -> Vec<Option<usize>>;

    /// A sight of the memory as the log tells it at a helper level.
    fn tell_at(&self, memory: &[Self::Sight], event: usize, helper: u8) -> String {
        let _ = helper;
        self.tell_sight(&memory[event])
    }

    /// The board at a helper level. `legal` is what the seat may do now, empty if it is not its turn.
    fn board(&self, memory: &[Self::Sight], helper: u8, legal: &[Self::Action]) -> Board;

    /// What is to be said against notes. Nothing for a game without notes.
    fn doubts(&self, memory: &[Self::Sight], notes: &Notes) -> Doubts {
        let _ = (memory, notes);
        Doubts::default()
    }

    /// What the seat whose memory this is knows, for an inspector; nothing for a game without one.
    fn knowledge<'m>(&'m self, memory: &'m [Self::Sight]) -> Option<Box<dyn Inspector + 'm>> {
        let _ = memory;
        None
    }

    /// What the seat has before it, as the commands of the game read it.
    ///
    /// # Errors
    /// There is none yet, or this game has no text for it.
    fn position(&self, memory: &[Self::Sight]) -> Result<Value, Illegal> {
        let _ = memory;
        Err(Illegal::new("positions of this game have no text"))
    }

    /// The same as a `.ken` model, in which `known(φ)` says that the seat knows φ.
    ///
    /// # Errors
    /// It is too large, or nothing fits, or this game has no models.
    fn model(&self, memory: &[Self::Sight]) -> Result<String, Refused> {
        let _ = memory;
        Err(Refused::Unfit(Illegal::new("positions of this game have no model")))
    }

    /// What the observer of a position knows, where positions can be read.
    ///
    /// # Errors
    /// Every problem in the text.
    fn placed(text: &str) -> Result<Box<dyn Inspector>, Vec<Diagnostic>> {
        let message = "positions of this game cannot be read";
        Err(vec![Diagnostic::new(Code::Syntax, Span::new(0, text.len()), message)])
    }

    /// What the height of a timeline means.
    fn unit() -> &'static str;

    /// A hint of this step, from 1.
    fn advice(&self, memory: &[Self::Sight], step: u8) -> Result<Advice, Problem>;

    /// What a player should see before an action counts. It is known to be legal, or open.
    fn preview(&self, memory: &[Self::Sight], action: &Self::Action, helper: u8) -> Preview;
}
