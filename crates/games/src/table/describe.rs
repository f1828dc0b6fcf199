//! How a game describes itself: names, options, players.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A game that can be played here.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameInfo {
    /// Its name, as in addresses and records: small letters, digits and hyphens.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is about, in a line.
    pub about: String,
    /// How it goes, a sentence or two each.
    pub rules: Vec<String>,
    /// How many can play.
    pub seats: Vec<u8>,
    /// How many play unless it is changed.
    pub usual: u8,
    /// What can be chosen before the deal.
    pub options: Vec<OptionInfo>,
    /// The machine players, from easy to strong as far as it was measured.
    pub players: Vec<PlayerInfo>,
    /// The machine player that is seated unless another is chosen.
    pub rival: String,
    /// The names that a seat has in this game: `player`, or `dealer` and `player`.
    pub roles: Vec<String>,
}

/// An option of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OptionInfo {
    /// Its name in the options object.
    pub name: String,
    /// A short label.
    pub label: String,
    /// What it does, in a sentence.
    pub about: String,
    /// The values to choose from.
    pub choices: Vec<ChoiceInfo>,
    /// The value unless it is changed.
    #[cfg_attr(feature = "schema", schema(value_type = Value))]
    pub usual: Value,
}

/// A value of an option.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChoiceInfo {
    /// The value.
    #[cfg_attr(feature = "schema", schema(value_type = Value))]
    pub value: Value,
    /// What it means.
    pub label: String,
}

/// A machine player.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerInfo {
    /// Its name.
    pub name: String,
    /// Its idea.
    pub about: String,
    /// What it says before the deal of how it reads the moves of others and of what its own mean, a sentence each.
    pub says: Vec<String>,
}
