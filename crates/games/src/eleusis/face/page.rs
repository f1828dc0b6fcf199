//! The table of Eleusis, as data.

use serde::{Deserialize, Serialize};

/// The table of Eleusis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EleusisBoard {
    /// The round, from 1.
    pub round: usize,
    /// How many rounds there are.
    pub rounds: usize,
    /// Who deals this round.
    pub dealer: u8,
    /// The rule, if the seat deals and has chosen it.
    pub rule: Option<String>,
    /// The points so far; few are good.
    pub points: Vec<i64>,
    /// How many cards can be drawn.
    pub stock: usize,
    /// The mainline, each card with the refused ones that followed it.
    pub mainline: Vec<LinePlace>,
    /// The seat's hand, a card as `7C`: rank and suit.
    pub hand: Vec<String>,
    /// What the other players hold.
    pub hands: Vec<OtherHand>,
    /// What is to be done: `rule`, `play`, `discard`, `guess`, `over`.
    pub phase: String,
    /// The seat that does it.
    pub actor: Option<u8>,
    /// Whether the guess must be made.
    pub forced: bool,
    /// Whether the game knows *no play*.
    pub no_play: bool,
    /// What still fits, from level 2 on: not for the dealer.
    pub hypotheses: Option<Hypotheses>,
    /// The rounds that are over.
    pub ended: Vec<RoundInfo>,
    /// Library rules that the dealer can choose from.
    pub library: Vec<LibraryRule>,
}

/// A card of the mainline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LinePlace {
    /// The card.
    pub card: String,
    /// The refused cards that followed it.
    pub refused: Vec<String>,
}

/// The hand of another seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OtherHand {
    /// The seat.
    pub seat: u8,
    /// How many cards.
    pub count: usize,
    /// The cards, if hands are open.
    pub cards: Option<Vec<String>>,
}

/// What still fits what was seen in this round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Hypotheses {
    /// How many library rules fit.
    pub fit: usize,
    /// Of how many.
    pub of: usize,
    /// Some of them, from level 3 on.
    pub best: Vec<LibraryRule>,
    /// For each card of the hand, how many of the fitting rules accept it, from level 3 on.
    pub cards: Vec<CardChance>,
}

/// A rule of the library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LibraryRule {
    /// Its text.
    pub rule: String,
    /// The share of the deck that it accepts on average.
    pub share: Option<f64>,
}

/// How many fitting rules accept a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CardChance {
    /// The card.
    pub card: String,
    /// How many accept it.
    pub accept: usize,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RoundInfo {
    /// The round, from 1.
    pub round: usize,
    /// Who dealt.
    pub dealer: u8,
    /// The rule.
    pub rule: String,
    /// How it ended, in words.
    pub ending: String,
    /// The points of the round.
    pub points: Vec<i64>,
    /// The guesses, each wrong one with the line and the card that show it.
    pub guesses: Vec<GuessInfo>,
}

/// A guess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GuessInfo {
    /// Who guessed.
    pub seat: u8,
    /// What.
    pub rule: String,
    /// Whether it was right.
    pub right: bool,
    /// The line and card that tell it from the rule, in words.
    pub witness: Option<String>,
}
