//! Reading matches, whatever stands in the database. A value of another type, a row too few or a text that is no record
//! damages its own match and no other; only a database that does not answer at all is an error.

use super::{Holder, Kind, Listed, Store, StoreError, Stored, StoredSeat, locked};
use crate::wreck::{Damage, Wreck};
use ken_games::game::Seat;
use ken_games::list::Games;
use ken_games::record::{Record, VERSION};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::{Value, json};

/// What is stored under the name of a match.
#[derive(Clone, Debug)]
pub(crate) enum Loaded {
    /// All of it can be read.
    Whole(Box<Stored>),
    /// Something cannot.
    Damaged(Box<Wreck>),
}

fn text(row: &Row<'_>, column: usize) -> Option<String> {
    match row.get_ref(column) {
        Ok(ValueRef::Text(bytes)) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    }
}

fn whole(row: &Row<'_>, column: usize) -> Option<i64> {
    match row.get_ref(column) {
        Ok(ValueRef::Integer(number)) => Some(number),
        _ => None,
    }
}

fn holder(row: &Row<'_>, column: usize) -> Option<Holder> {
    match row.get_ref(column) {
        Ok(ValueRef::Blob(bytes)) => bytes.try_into().ok(),
        _ => None,
    }
}

fn is_null(row: &Row<'_>, column: usize) -> bool {
    matches!(row.get_ref(column), Ok(ValueRef::Null))
}

fn kind(name: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|k| k.name() == name)
}

/// The row of a match.
struct Head {
    setup: Option<Value>,
    owner: Option<Holder>,
    seeded: bool,
    /// The result as it can be read: none while the match goes on.
    result: Option<Result<Value, Damage>>,
}

impl Head {
    fn read(row: &Row<'_>, first: usize) -> Head {
        let json = |column: usize| text(row, column).and_then(|t| serde_json::from_str::<Value>(&t).ok());
        Head {
            setup: json(first).filter(Value::is_object),
            result: (!is_null(row, first + 1)).then(|| json(first + 1).filter(Value::is_object).ok_or(Damage::Result)),
            owner: holder(row, first + 2),
            // A deal of which this is not certain is not one that nobody knew.
            seeded: whole(row, first + 3) != Some(0),
        }
    }

    /// The record with these entries. The setup is stored without them: a branch would begin with more than it has.
    fn record(&self, games: &Games, entries: &[String]) -> Result<Record, Damage> {
        let mut data = self.setup.clone().ok_or(Damage::Setup)?;
        match data["version"].as_u64() {
            Some(version) if version > VERSION => return Err(Damage::Later),
            _ => {}
        }
        data["entries"] = json!(entries);
        if data["branch"]["at"].as_u64().is_some_and(|at| at > entries.len() as u64) {
            return Err(Damage::Entry(entries.len() + 1));
        }
        let mut record = Record::from_data(&data).map_err(|_| Damage::Setup)?;
        if let Some(result) = &self.result {
            data["result"] = result.clone()?;
            record = Record::from_data(&data).map_err(|_| Damage::Result)?;
        }
        games.of_record(&record).map_err(|_| Damage::Unknown)?;
        Ok(record)
    }

    /// What is left of the record when it is damaged: the entries before the damage, and no result.
    fn salvage(&self, entries: &[String]) -> Option<Record> {
        let mut data = self.setup.clone()?;
        data["entries"] = json!(entries);
        data["branch"] = Value::Null;
        data["result"] = Value::Null;
        Record::from_data(&data).ok()
    }

    /// Whether the match was over.
    fn over(&self) -> bool {
        matches!(&self.result, Some(Ok(result)) if result["scores"].is_array() && result["words"].is_string())
    }
}

/// The log up to the first entry that is missing or no text, and whether that was its end.
fn log(reader: &Connection, id: &str) -> rusqlite::Result<(Vec<String>, bool)> {
    let mut query = reader.prepare_cached("SELECT n, entry FROM entries WHERE match = ? ORDER BY n")?;
    let mut rows = query.query([id])?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        match (whole(row, 0) == Some(entries.len() as i64), text(row, 1)) {
            (true, Some(entry)) => entries.push(entry),
            _ => return Ok((entries, false)),
        }
    }
    Ok((entries, true))
}

/// The seats that can be read, with the number that each row says it has.
fn seats(reader: &Connection, id: &str) -> rusqlite::Result<Vec<(i64, Option<StoredSeat>)>> {
    let mut query = reader
        .prepare_cached("SELECT seat, kind, holder, invite, consent, notes FROM seats WHERE match = ? ORDER BY seat")?;
    let seat = |row: &Row<'_>| {
        let held = holder(row, 2);
        // Only a seat that nobody has taken has no holder.
        let readable = |kind: &Kind| held.is_some() || is_null(row, 2) && *kind != Kind::Person;
        let kind = text(row, 1).and_then(|name| kind(&name)).filter(readable);
        let stored = kind.map(|kind| StoredSeat {
            kind,
            holder: held,
            invite: text(row, 3),
            consent: whole(row, 4).map(|c| c != 0),
            notes: text(row, 5).unwrap_or_else(|| "{}".to_string()),
        });
        Ok((whole(row, 0).unwrap_or(-1), stored))
    };
    query.query_map([id], seat)?.collect()
}

impl Store {
    /// A match by its name.
    pub(crate) fn load(&self, id: &str) -> Result<Option<Loaded>, StoreError> {
        let reader = locked(&self.reader);
        let mut query = reader.prepare_cached("SELECT setup, result, owner, seeded FROM matches WHERE id = ?")?;
        let Some(head) = query.query_row([id], |row| Ok(Head::read(row, 0))).optional()? else { return Ok(None) };
        let (entries, ends) = log(&reader, id)?;
        let seats = seats(&reader, id)?;
        drop(query);
        drop(reader);
        let in_order = (0..).zip(&seats).all(|(n, (seat, stored))| *seat == n && stored.is_some());
        let record = match head.record(&self.games, &entries) {
            Ok(_) if !ends => Err(Damage::Entry(entries.len() + 1)),
            Ok(record) if !in_order || seats.len() != record.players.len() => Err(Damage::Seats),
            read => read,
        };
        Ok(Some(match (record, head.owner) {
            (Ok(record), Some(owner)) => {
                let seats = seats.into_iter().filter_map(|(_, stored)| stored).collect();
                Loaded::Whole(Box::new(Stored { id: id.to_string(), record, owner, seeded: head.seeded, seats }))
            }
            (record, _) => {
                let held = |(seat, stored): &(i64, Option<StoredSeat>)| {
                    Some((Seat(u8::try_from(*seat).ok()?), stored.as_ref()?.holder?))
                };
                Loaded::Damaged(Box::new(Wreck {
                    damage: record.err().unwrap_or(Damage::Seats),
                    over: head.over(),
                    record: head.salvage(&entries),
                    holders: seats.iter().filter_map(held).collect(),
                }))
            }
        }))
    }

    /// The matches in which somebody holds a seat, the latest first; also those that they began and of which a seat is
    /// lost: nobody can say whether it was theirs. Each is read as far as it can be: what is wrong with one is found when
    /// it is [loaded](Store::load).
    pub(crate) fn of_holder(&self, who: &Holder, most: usize) -> Result<Vec<Listed>, StoreError> {
        let reader = locked(&self.reader);
        let mut query = reader.prepare_cached(
            "SELECT m.id, m.touched, (SELECT count(*) FROM entries e WHERE e.match = m.id),
                    m.setup, m.result, m.owner, m.seeded
             FROM matches m WHERE m.id IN (SELECT match FROM seats WHERE holder = ?1)
                OR (CAST(m.owner AS BLOB) = ?1 AND (NOT EXISTS (SELECT 1 FROM seats s WHERE s.match = m.id)
                    OR EXISTS (SELECT 1 FROM seats s WHERE s.match = m.id AND CASE typeof(s.holder)
                        WHEN 'blob' THEN length(s.holder) <> 32 WHEN 'null' THEN s.kind = 'person' ELSE 1 END)))
             ORDER BY m.touched DESC LIMIT ?2",
        )?;
        let row = |row: &Row<'_>| {
            let touched = whole(row, 1).and_then(|t| u64::try_from(t).ok()).unwrap_or(0);
            let moves = whole(row, 2).and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
            Ok(text(row, 0).map(|id| (id, touched, moves, Head::read(row, 3))))
        };
        let rows = query.query_map(params![&who[..], most], row)?.collect::<Result<Vec<_>, _>>()?;
        let mut listed = Vec::new();
        // A match whose name is no text can be asked for by nobody.
        for (id, touched, moves, head) in rows.into_iter().flatten() {
            let sitting = seats(&reader, &id)?;
            let mine = |(seat, stored): &(i64, Option<StoredSeat>)| {
                let held = stored.as_ref().is_some_and(|s| s.holder.as_ref() == Some(who));
                u8::try_from(*seat).ok().filter(|_| held)
            };
            let setup = head.setup.as_ref().unwrap_or(&Value::Null);
            let name = |player: &Value| player.as_str().unwrap_or_default().to_string();
            listed.push(Listed {
                game: setup["game"].as_str().unwrap_or_default().to_string(),
                players: setup["players"].as_array().into_iter().flatten().map(name).collect(),
                ended: head.result.as_ref().and_then(|r| Some(r.as_ref().ok()?["words"].as_str()?.to_string())),
                touched,
                moves,
                mine: sitting.iter().filter_map(mine).collect(),
                kinds: sitting.iter().map(|(_, s)| s.as_ref().map_or(Kind::Friend, |s| s.kind)).collect(),
                id,
            });
        }
        Ok(listed)
    }

    /// The match and the seat of a link.
    pub(crate) fn shared(&self, code: &str) -> Result<Option<(String, u8)>, StoreError> {
        self.seat_of("SELECT match, seat FROM shares WHERE code = ?", code)
    }

    /// The match and the seat of an invitation that was not used.
    pub(crate) fn invited(&self, code: &str) -> Result<Option<(String, u8)>, StoreError> {
        self.seat_of("SELECT match, seat FROM seats WHERE invite = ?", code)
    }

    /// A row that names no seat is none.
    fn seat_of(&self, query: &str, code: &str) -> Result<Option<(String, u8)>, StoreError> {
        let reader = locked(&self.reader);
        let mut query = reader.prepare_cached(query)?;
        let row = |row: &Row<'_>| Ok(text(row, 0).zip(whole(row, 1).and_then(|seat| u8::try_from(seat).ok())));
        Ok(query.query_row([code], row).optional()?.flatten())
    }
}
