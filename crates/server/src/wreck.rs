//! Matches that cannot be played on: what is wrong with them, and what can be saved.
//!
//! Whatever stands in the database, the damage of one match stays with that match: it is listed as damaged, every
//! question about it is answered by saying so, and no other match notices. What is said names the kind of damage and never
//! quotes what was stored, since that may be hidden. What can be saved follows the rules of any match: the record if the
//! match was over, else what the seats of the one who asks saw.

use crate::api::Salvage;
use crate::store::Holder;
use ken_games::game::Seat;
use ken_games::list::Games;
use ken_games::record::Record;
use std::fmt;

/// What is wrong with a stored match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Damage {
    /// The setup is no setup.
    Setup,
    /// A later version of ken has stored it.
    Later,
    /// The game, its options or a machine player are not known.
    Unknown,
    /// Who began it, or who sits where, cannot be read.
    Seats,
    /// This entry, counted from 1, is missing, cannot be read or is not allowed.
    Entry(usize),
    /// The result cannot be read.
    Result,
    /// It has a result that its log does not reach.
    End,
    /// The database cannot read it, or playing it again meets an error of ours.
    Broken,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Setup => f.write_str("its setup cannot be read"),
            Damage::Later => f.write_str("a later version of ken has stored it"),
            Damage::Unknown => f.write_str("its game, its options or a player are unknown to this version"),
            Damage::Seats => f.write_str("who sits where cannot be read"),
            Damage::Entry(n) => write!(f, "move {n} of its log is missing or cannot be read"),
            Damage::Result => f.write_str("its result cannot be read"),
            Damage::End => f.write_str("the end of its log is missing"),
            Damage::Broken => f.write_str("it cannot be played again"),
        }
    }
}

/// A match that cannot be played on.
#[derive(Clone, Debug)]
pub(crate) struct Wreck {
    /// What is wrong.
    pub damage: Damage,
    /// Whether the match was over, so that nothing of it is secret. A result that cannot be read does not count.
    pub over: bool,
    /// The record up to the damage, without a result; none if not even its setup can be read.
    pub record: Option<Record>,
    /// The seats that can be read, and who holds them.
    pub holders: Vec<(Seat, Holder)>,
}

impl Wreck {
    /// A wreck of which nothing is left.
    pub(crate) fn of(damage: Damage) -> Wreck {
        Wreck { damage, over: false, record: None, holders: Vec::new() }
    }

    /// Whether there is anybody to whom something of it may be given. While a match is not over, only those who hold a seat
    /// may see what it saw; if nobody does, all of it stays hidden.
    pub(crate) fn can_be_saved(&self) -> bool {
        self.over || !self.holders.is_empty()
    }

    /// What can be saved for somebody: the record if the match was over, and what the seats they hold saw. `None` if the
    /// match is not theirs to look at.
    pub(crate) fn saved(&self, games: &Games, id: &str, holder: &Holder) -> Option<Salvage> {
        let mine: Vec<Seat> = self.holders.iter().filter(|(_, h)| h == holder).map(|(seat, _)| *seat).collect();
        if mine.is_empty() && !self.over {
            return None;
        }
        let record = self.record.as_ref();
        Some(Salvage {
            id: id.to_string(),
            damage: self.damage.to_string(),
            entries: record.map_or(0, |r| r.entries.len()),
            record: record.filter(|_| self.over).map(Record::to_data),
            sights: mine.into_iter().filter_map(|seat| games.export(record?, seat).ok()).collect(),
        })
    }
}
