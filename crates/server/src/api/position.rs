//! Positions without a match, and positions of one.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A question about a position.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PositionQuestion {
    /// The game's name.
    pub game: String,
    /// The position, as the commands of the game read it.
    pub position: String,
    /// The chain of seats, the observer first; the observer alone if it is empty.
    #[serde(default)]
    pub chain: Vec<u8>,
    /// A fact, or what rows must contain.
    #[serde(default)]
    pub text: String,
}

/// Whose position it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlacedAt {
    /// The observer.
    pub seat: u8,
    /// How many play.
    pub seats: u8,
}

/// What a seat has before it, to be taken elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Taken {
    /// The position, as `ken` and the page of positions read it.
    pub position: String,
    /// The same as a `.ken` model, if it is not too large.
    pub model: Option<String>,
    /// Why there is no model.
    pub no_model: Option<String>,
}
