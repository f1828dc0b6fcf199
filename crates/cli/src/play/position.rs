//! What a seat of a record has before it, written as the commands of its game read it, or as a `.ken` model.
//!
//! Entries are counted as `ken replay` tells them. A position is made from the sights of one seat, and while the match goes
//! on nobody but its person gets one: as in a replay.

use super::replay::viewer;
use super::{refusal, store};
use crate::args::ReplayArgs;
use crate::input::Failure;
use crate::output::raw;
use ken_games::any::{AnyGame, game_of};
use ken_games::game::Seat;
use ken_games::knowledge::Refused;
use ken_games::record::{BadRecord, Entry, Match, PERSON, Record, replay};
use ken_games::table::Face;
use ken_logic::text::plural;
use std::path::Path;

/// Writes the position after so many entries of the one record.
pub(super) fn write(args: &ReplayArgs, entries: usize, name: &str, records: &[Record]) -> Result<u8, Failure> {
    let [record] = records else {
        return Err(Failure::Usage {
            message: format!(
                "`{name}` has {}, and a position is one of a single match",
                plural(records.len(), "record")
            ),
            help: Some("give the line of one match alone: `sed -n 3p FILE | ken replay - --position N`".to_string()),
        });
    };
    let bad = |e: BadRecord| store::bad(Some(Path::new(name)), &e);
    let text = match game_of(record).map_err(bad)? {
        AnyGame::Cluedo(game) => position(game, record, args, entries, &bad),
        AnyGame::Express(game) => position(game, record, args, entries, &bad),
        AnyGame::Classic(game) => position(game, record, args, entries, &bad),
        AnyGame::Yokai(game) => position(game, record, args, entries, &bad),
    }?;
    raw(&text);
    Ok(0)
}

fn position<G: Face>(
    game: G,
    record: &Record,
    args: &ReplayArgs,
    entries: usize,
    bad: &dyn Fn(BadRecord) -> Failure,
) -> Result<String, Failure> {
    let whole = replay(game.clone(), record).map_err(bad)?;
    let over = record.result.is_some() || whole.outcome().is_some();
    let asked = match args.seat {
        Some(seat) => seat,
        None => only_person(record)?.0,
    };
    let seat = viewer(record, game.seats(), Some(asked), over).map_err(bad)?.unwrap_or(Seat(asked));
    let all = record.entries.len();
    if entries > all {
        return Err(Failure::Usage {
            message: format!("the record has {}: there is no position after {entries}", of(all)),
            help: Some(format!("--position is 0, after the deal, to {all}")),
        });
    }
    let mut played = Match::deal(game, record.seed);
    for (i, entry) in record.entries[..entries].iter().enumerate() {
        let done = match entry {
            Entry::Play(text) => played.game().read(text).and_then(|action| played.play(&action).map(|_| ())),
            Entry::Undo => played.undo().map(|_| ()),
        };
        done.map_err(|why| bad(BadRecord { place: format!("entry {}", i + 1), why }))?;
    }
    let memory = played.memory(seat);
    if !args.model {
        return Ok(format!("{}\n", played.game().position(&memory).map_err(refusal)?));
    }
    let model = played.game().model(&memory).map_err(|why| match why {
        Refused::Limit => Failure::GaveUp {
            message: "the model would be too large to be asked".to_string(),
            help: format!("leave --model out: the commands of `ken {}` answer from the position", record.game),
        },
        Refused::NoWorld => Failure::usage("nothing fits what the seat saw: there is no model"),
        Refused::Unfit(why) => refusal(why),
    })?;
    let title = format!("-- What seat {seat} knows in a match of {} after {}.", record.game, of(entries));
    Ok(format!("{title}\n-- ken check FILE -f 'known(φ)' tells whether it knows φ.\n{model}"))
}

/// So many entries, in words.
fn of(entries: usize) -> String {
    match entries {
        1 => "1 entry".to_string(),
        n => format!("{n} entries"),
    }
}

/// The seat of the person, if there is one and no other.
fn only_person(record: &Record) -> Result<Seat, Failure> {
    let people: Vec<usize> =
        record.players.iter().enumerate().filter(|(_, player)| *player == PERSON).map(|(seat, _)| seat).collect();
    match people[..] {
        [seat] => Ok(Seat(seat as u8)),
        ref several => Err(Failure::Usage {
            message: match several.len() {
                0 => "nobody in this record is a person: whose position is it?".to_string(),
                n => format!("{n} people are in this record: whose position is it?"),
            },
            help: Some(format!("say so with --as SEAT, from 0 to {}", record.players.len().saturating_sub(1))),
        }),
    }
}
