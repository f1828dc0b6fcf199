//! The page of a seat: a fold of its sights, and what the helper level adds.

use super::{Ended, LogLine, SeatInfo};
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

/// The board of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Board {
    /// Cluedo.
    Cluedo(CluedoBoard),
    /// Both games of Eleusis.
    Eleusis(EleusisBoard),
    /// Yōkai.
    Yokai(YokaiBoard),
}

/// The note sheet of Cluedo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// Its cards.
    pub cards: Vec<String>,
}

/// A cell of the note sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Cell {
    /// `has`, `has-not`, `open` or `one-of` (the seat showed one of a set with this card in it).
    pub mark: String,
    /// Whether it follows only by reasoning, and was not seen directly.
    pub derived: bool,
    /// How likely the card is there, from level 3 on: exact.
    pub chance: Option<f64>,
}

/// A set of which a seat holds one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OneOf {
    /// The seat.
    pub seat: u8,
    /// The cards.
    pub cards: Vec<String>,
}

/// The table of Eleusis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LinePlace {
    /// The card.
    pub card: String,
    /// The refused cards that followed it.
    pub refused: Vec<String>,
}

/// The hand of another seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OtherHand {
    /// The seat.
    pub seat: u8,
    /// How many cards.
    pub count: usize,
    /// The cards, if hands are open.
    pub cards: Option<Vec<String>>,
}

/// What still fits what was seen in this round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LibraryRule {
    /// Its text.
    pub rule: String,
    /// The share of the deck that it accepts on average.
    pub share: Option<f64>,
}

/// How many fitting rules accept a card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CardChance {
    /// The card.
    pub card: String,
    /// How many accept it.
    pub accept: usize,
}

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

/// The table of Yōkai.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
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
    /// The turns, from 1, in which the partner looked at it.
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
