//! The table of Yōkai, as data.

use serde::{Deserialize, Serialize};

/// The table of Yōkai.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct YokaiBoard {
    /// The sixteen cards.
    pub cards: Vec<YokaiCard>,
    /// Active hints in the order in which they were drawn; a hint is its colours.
    pub active: Vec<Vec<String>>,
    /// How many hints of one, two and three colours were not yet drawn.
    pub available: Vec<u8>,
    /// How many hints were used.
    pub used: u8,
    /// The turn, from 1.
    pub turn: usize,
    /// What is done of the turn: looks, move, hint.
    pub looks: u8,
    /// Whether a card was moved, or none could be.
    pub moved: bool,
    /// Whether a hint was activated or used.
    pub hinted: bool,
    /// What may be done now: `look`, `move`, `hint`, `stop`, `skip`.
    pub may: Vec<String>,
    /// The points that a win would be worth now.
    pub worth: i64,
    /// Whether what was seen earlier stays visible: not at level 0.
    pub notebook: bool,
}

/// A card of Yōkai.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct YokaiCard {
    /// Its number, from 1: as in actions.
    pub card: u8,
    /// Row and column.
    pub cell: (i32, i32),
    /// The colours of its hint, if it is marked.
    pub mark: Vec<String>,
    /// Its colour, if the seat saw it (at level 0: in this turn) or the match is over.
    pub colour: Option<String>,
    /// Whether the colour was seen in this turn.
    pub fresh: bool,
    /// The turns, from 1, in which the partner looked at it: from level 1 on.
    pub partner_looked: Vec<usize>,
    /// The colours that it can have as far as the seat knows, from level 2 on.
    pub possible: Vec<String>,
    /// Whether the seat knows that its partner knows the colour: from level 3 on.
    pub partner_knows: Option<bool>,
    /// The cells to which it can be moved now.
    pub targets: Vec<(i32, i32)>,
    /// Why it cannot be looked at, moved or marked now, where that is so.
    pub not_look: Option<String>,
    /// The same for moving.
    pub not_move: Option<String>,
}
