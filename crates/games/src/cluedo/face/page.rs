//! The note sheet of Cluedo, as data.

use serde::{Deserialize, Serialize};

/// The note sheet of Cluedo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CluedoBoard {
    /// The categories with their cards, in the order of the sheet.
    pub categories: Vec<Category>,
    /// The seat's hand.
    pub hand: Vec<String>,
    /// How many cards each seat holds.
    pub sizes: Vec<u8>,
    /// For each card, in the order of the categories, a cell for each seat and, last, for the envelope. At helper levels
    /// 0 and 1 only the own hand is filled in.
    pub cells: Vec<Vec<Cell>>,
    /// Sets of which a seat holds one: from level 2 on.
    pub one_of: Vec<OneOf>,
    /// Triples that the envelope is not, as accusations have shown.
    pub not_envelope: Vec<Vec<String>>,
    /// What is to be done: `suggest`, `show`, `decide` or `over`.
    pub phase: String,
    /// The seat that does it.
    pub actor: Option<u8>,
    /// The seat that gets to see a card, and the cards that were asked for: in the phase `show`.
    pub asked_by: Option<u8>,
    /// The cards of the open question, in the phases `show` and `decide`.
    pub asked: Vec<String>,
    /// The cards that this seat can show, if it has to.
    pub can_show: Vec<String>,
    /// Who has accused wrongly.
    pub out: Vec<u8>,
    /// How many deals fit, with separators, from level 3 on.
    pub deals: Option<String>,
    /// How many envelopes fit, from level 2 on.
    pub envelopes: Option<usize>,
}

/// A category of cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Category {
    /// Its name.
    pub name: String,
    /// Its cards.
    pub cards: Vec<String>,
}

/// A cell of the note sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Cell {
    /// `has`, `has-not`, `open` or `one-of` (the seat showed one of a set with this card in it).
    pub mark: String,
    /// Whether it follows only by reasoning, and was not seen directly.
    pub derived: bool,
    /// How likely the card is there, from level 3 on: exact.
    pub chance: Option<f64>,
}

/// A set of which a seat holds one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OneOf {
    /// The seat.
    pub seat: u8,
    /// The cards.
    pub cards: Vec<String>,
}
