//! The page of a seat: a fold of its sights, and what the helper level adds.

use super::{Board, Ended, LogLine, SeatInfo};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The page of a seat.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Desk {
    /// The name of the match.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// Whose page.
    pub seat: u8,
    /// The seats.
    pub seats: Vec<SeatInfo>,
    /// How often something has changed.
    pub revision: u64,
    /// How many events are shown, the deal included; less than `of` when the page is of the past.
    pub at: usize,
    /// How many events there are.
    pub of: usize,
    /// The seat to move after the events that are shown.
    pub turn: Option<u8>,
    /// What is to be done now, in words; empty for others than the seat to move.
    pub request: String,
    /// Every action that is allowed, in notation; empty unless it is the seat's turn and the page is of now. The last
    /// word of an open action is a placeholder: see `open`.
    pub options: Vec<String>,
    /// The first words of open actions that are allowed: `guess`, `rule`. A text is to follow.
    pub open: Vec<String>,
    /// What was seen, a line each.
    pub log: Vec<LogLine>,
    /// Whether the last action may be taken back by this seat.
    pub undo: Undo,
    /// The helper level.
    pub helper: u8,
    /// The board.
    pub board: Board,
    /// What the inspector can be asked to assume, from the helper level on at which there is one.
    pub assumptions: Vec<super::Assumption>,
    /// The private notes of the seat.
    pub notes: super::Notes,
    /// Notes that do not follow from what was seen but may be true, from helper level 1 on: their keys.
    pub unfounded: Vec<String>,
    /// Notes that cannot be true, because the opposite follows from what was seen, from helper level 1 on: their keys.
    pub refuted: Vec<String>,
    /// How the match ended, once it is over and the page is of the end.
    pub ended: Option<Ended>,
    /// Whether this seat agreed that the record may be used for study; none while the match goes on.
    pub consent: Option<bool>,
    /// Whether moves can be made from this page, or it is only shown.
    pub mine: bool,
}

/// Whether something may be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Undo {
    /// Yes or no.
    pub allowed: bool,
    /// Why not.
    pub why_not: Option<String>,
}
