//! Games, matches, seats and moves.

use super::{Board, LogLine};
use ken_games::record::MAX_HELPER;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::fmt;
use utoipa::ToSchema;

/// Who is to sit at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Sitter {
    /// Whoever sends the request; at several seats for pass-and-play.
    Me,
    /// Whoever opens the invitation first.
    Friend,
    /// A machine.
    Machine {
        /// Its name.
        player: String,
    },
}

/// Reads a helper level; any other number is refused where it stands.
fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    struct Level;

    impl Visitor<'_> for Level {
        type Value = u8;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a whole number from 0 to {MAX_HELPER}")
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<u8, E> {
            let level = u8::try_from(number).ok().filter(|level| *level <= MAX_HELPER);
            level.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
        }
    }

    deserializer.deserialize_u8(Level)
}

/// A match to be begun.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NewMatch {
    /// The game's name.
    pub game: String,
    /// Its options; what is not given has its default. The number of players follows from `seats`.
    #[serde(default)]
    #[schema(value_type = Value)]
    pub options: Value,
    /// Who sits where.
    pub seats: Vec<Sitter>,
    /// The helper level of people, 0 to 4.
    #[serde(default, deserialize_with = "level")]
    pub helper: u8,
    /// The seed, if a certain deal is wanted; the match is then marked as one whose deal somebody may know.
    #[serde(default)]
    pub seed: Option<String>,
}

/// A match that was begun.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Begun {
    /// The name of the match, for paths.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// Invitations for the seats of friends. Each can be used once.
    pub invites: Vec<Invite>,
}

/// An invitation to a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Invite {
    /// The seat.
    pub seat: u8,
    /// The code: `/join/CODE` takes the seat.
    pub code: String,
}

/// A seat that was taken by an invitation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Joined {
    /// The match.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The seat.
    pub seat: u8,
}

/// A seat as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeatInfo {
    /// The seat, from 0.
    pub seat: u8,
    /// `person`, `friend` (nobody has come yet) or `machine`.
    pub kind: String,
    /// The machine's name, or empty.
    pub player: String,
    /// Whether it is held by the one who asks.
    pub mine: bool,
    /// The helper level.
    pub helper: u8,
    /// What the machine says before the deal of how it reads the moves of others and of what its own mean.
    pub says: Vec<String>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Ended {
    /// A score for each seat; more is better.
    pub scores: Vec<i64>,
    /// The end in a few words.
    pub words: String,
    /// The deal in words: no secret any more.
    pub deal: String,
    /// The seed: no secret any more.
    pub seed: String,
    /// The seat that ended the match before the rules did, if one did.
    pub forfeit: Option<u8>,
    /// Whether that seat resigned.
    pub resigned: bool,
}

/// A table as everybody sees it who knows the name of the match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TableInfo {
    /// The name of the match.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// Its options.
    #[schema(value_type = Value)]
    pub options: Value,
    /// The seats.
    pub seats: Vec<SeatInfo>,
    /// How often something has changed; live messages carry it.
    pub revision: u64,
    /// How many events there are, the deal included.
    pub events: usize,
    /// The seat to move; none when the match is over.
    pub turn: Option<u8>,
    /// What anybody at the table could see, a line each.
    pub log: Vec<LogLine>,
    /// How it ended.
    pub ended: Option<Ended>,
    /// Whether the deal was asked for by its seed.
    pub seeded: bool,
    /// The match and the entry that it goes on from.
    pub branch: Option<BranchInfo>,
    /// Whether everybody who played agreed that the record may be used for study; none while it goes on.
    pub consent: Option<bool>,
}

/// Where a match comes from that goes on from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BranchInfo {
    /// The other match.
    pub origin: String,
    /// How many of its entries this one begins with.
    pub at: usize,
}

/// A match in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Summary {
    /// The name of the match.
    pub id: String,
    /// The game's name.
    pub game: String,
    /// The seats of the one who asks.
    pub mine: Vec<u8>,
    /// The players by seat: `you`, `friend` or the machine's name.
    pub players: Vec<String>,
    /// When something last happened, in seconds since 1970.
    pub touched: u64,
    /// How many entries there are.
    pub moves: usize,
    /// How it ended.
    pub ended: Option<String>,
    /// What is wrong with it if it is damaged, as in `its setup cannot be read`. It cannot be opened then, `game` and
    /// `players` may be empty, and nothing is quoted: a machine is `machine`, and what has ended is `over`.
    /// `/api/matches/{id}/saved` gives what can be saved: to all if it is over, else to those of `mine`.
    pub damaged: Option<String>,
}

/// What can be saved of a damaged match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Salvage {
    /// The name of the match.
    pub id: String,
    /// What is wrong with it.
    pub damage: String,
    /// How many entries stand before the damage.
    pub entries: usize,
    /// The record up to the damage, if the match was over: `ken replay` tells it.
    #[schema(value_type = Value)]
    pub record: Option<Value>,
    /// What each seat of the one who asks saw, up to the damage.
    #[schema(value_type = Vec<Value>)]
    pub sights: Vec<Value>,
}

/// A move.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Move {
    /// The action in the game's notation, as it stands in the log.
    pub action: String,
    /// The revision of the page on which it was chosen: a move that was sent twice is refused.
    pub revision: u64,
}

/// Something that is done to the match itself: taking back, resigning.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct Decided {
    /// The revision of the page on which it was decided: if something has happened since, it is refused.
    pub revision: u64,
}

/// A move that is stored.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Moved {
    /// The revision after it.
    pub revision: u64,
}

/// Where to go on from.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BranchFrom {
    /// How many events of the match are kept, the deal included.
    pub events: usize,
    /// Who sits where in the new match.
    pub seats: Vec<Sitter>,
    /// The helper level of people, 0 to 4.
    #[serde(default, deserialize_with = "level")]
    pub helper: u8,
}

/// A link by which a seat's sights, and nothing else, can be looked at.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Shared {
    /// The code: `/shared/CODE` opens the page, read only.
    pub code: String,
}

/// Whether a finished match may be used for study.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Consent {
    /// Yes or no; it can be changed.
    pub agree: bool,
}

/// Everything about a match that is over.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AllSeeing {
    /// How many events are shown.
    pub at: usize,
    /// How many there are.
    pub of: usize,
    /// The seat to move after them.
    pub turn: Option<u8>,
    /// The whole truth, a line each.
    pub log: Vec<LogLine>,
    /// The board of each seat, with all that follows from what it saw.
    pub boards: Vec<Board>,
    /// The table.
    pub table: TableInfo,
}

/// An action that may be played.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Considered {
    /// The action in notation.
    pub action: String,
}
