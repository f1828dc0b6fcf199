//! What a seat of a record has before it, written as the commands of its game read it, or as a `.ken` model.
//!
//! Entries are counted as `ken replay` tells them. A position is made from the sights of one seat, and while the match goes
//! on nobody but its person gets one: as in a replay.

use super::replay::viewer;
use super::{problem, store};
use crate::args::ReplayArgs;
use crate::input::Failure;
use crate::output::raw;
use ken_games::game::{Seat, Turn};
use ken_games::list::{GAMES, Setup};
use ken_games::record::{BadRecord, PERSON, Record};
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
    let setup = GAMES.of_record(record).map_err(bad)?;
    raw(&position(setup.as_ref(), record, args, entries, &bad)?);
    Ok(0)
}

fn position(
    setup: &dyn Setup,
    record: &Record,
    args: &ReplayArgs,
    entries: usize,
    bad: &dyn Fn(BadRecord) -> Failure,
) -> Result<String, Failure> {
    let whole = setup.replay(record).map_err(bad)?;
    let over = record.result.is_some() || matches!(whole.turn(), Turn::Over(_));
    let asked = match args.seat {
        Some(seat) => seat,
        None => only_person(record)?.0,
    };
    let seat = viewer(record, setup.seats(), Some(asked), over).map_err(bad)?.unwrap_or(Seat(asked));
    let all = record.entries.len();
    if entries > all {
        return Err(Failure::Usage {
            message: format!("the record has {}: there is no position after {entries}", of(all)),
            help: Some(format!("--position is 0, after the deal, to {all}")),
        });
    }
    let begun = Record { entries: record.entries[..entries].to_vec(), result: None, branch: None, ..record.clone() };
    let table = setup.replay(&begun).map_err(bad)?;
    let eyes = table.eyes(seat, table.events(), false);
    if !args.model {
        return Ok(format!("{}\n", eyes.position().map_err(problem)?));
    }
    let model = eyes.model().map_err(|wrong| match wrong.code.as_str() {
        "too-large" => Failure::GaveUp {
            message: wrong.message,
            help: format!("leave --model out: the commands of `ken {}` answer from the position", record.game),
        },
        _ => problem(wrong),
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
