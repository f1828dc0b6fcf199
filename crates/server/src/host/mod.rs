//! What a page needs of a game beyond its rules. Everything here is a fold of one seat's sights: no function receives a
//! state or another seat's memory.
//!
//! | file | one line |
//! |---|---|
//! | `cluedo` | the note sheet, deals that fit, proofs |
//! | `eleusis` | the layout, rules that fit, the dealer's side; both games |
//! | `yokai` | the cards, colours that fit, what the partner knows |
//! | `words` | words that several games use |

mod eleusis;
mod words;
mod yokai;

mod cluedo;

use crate::api::{Advice, Board, FactRow, GameInfo, Inspection, Notes, Preview, Problem, Squiggle, Why};
use ken_games::game::{Illegal, Notation, Player, Seat, View};
use ken_logic::syntax::Diagnostic;

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
pub trait Hosted: Notation + View + 'static {
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

    /// What the seat knows, or knows of what others know. The chain begins with the seat itself; `filter` is a formula,
    /// or words that rows must contain, or empty.
    fn inspect(&self, memory: &[Self::Sight], chain: &[Seat], filter: &str) -> Result<Inspection, Problem>;

    /// Why the chain knows a fact, or why not, and since when.
    fn why(&self, memory: &[Self::Sight], chain: &[Seat], fact: &str) -> Result<Why, Problem>;

    /// Log₂ of the number of worlds that fit the memory; none if it would take too long.
    fn bits(&self, memory: &[Self::Sight]) -> Option<f64>;

    /// What the height of a timeline means.
    fn unit() -> &'static str;

    /// What the seat knows that it may be proud of: the known and excluded facts that timelines mark as learned.
    fn learned(&self, memory: &[Self::Sight]) -> Vec<FactRow>;

    /// A hint of this step, from 1.
    fn advice(&self, memory: &[Self::Sight], step: u8) -> Result<Advice, Problem>;

    /// What a player should see before an action counts. It is known to be legal, or open.
    fn preview(&self, memory: &[Self::Sight], action: &Self::Action, helper: u8) -> Preview;
}

impl Problem {
    /// What is wrong, with its stable word.
    pub fn new(code: &str, message: impl Into<String>) -> Problem {
        Problem { code: code.to_string(), message: message.into(), help: None, marks: Vec::new(), revision: None }
    }

    /// The problem with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// What is wrong with a text that was sent.
    pub fn text(text: &str, problems: &[Diagnostic]) -> Problem {
        // Editors count in UTF-16.
        let at = |byte: u32| {
            let mut byte = (byte as usize).min(text.len());
            while !text.is_char_boundary(byte) {
                byte -= 1;
            }
            text[..byte].encode_utf16().count()
        };
        let squiggle = |d: &Diagnostic| Squiggle {
            from: at(d.span.start),
            to: at(d.span.end),
            severity: "error".to_string(),
            message: d.message.clone(),
            help: d.help.clone(),
        };
        let first = problems.first().map_or_else(String::new, |d| d.message.clone());
        let mut problem = Problem::new("unread", first);
        problem.help = problems.first().and_then(|d| d.help.clone());
        problem.marks = problems.iter().map(squiggle).collect();
        problem
    }
}

impl From<Illegal> for Problem {
    fn from(illegal: Illegal) -> Problem {
        Problem {
            code: "illegal".to_string(),
            message: illegal.message,
            help: illegal.help,
            marks: Vec::new(),
            revision: None,
        }
    }
}
