//! `ken play` and `ken replay`: a table in the terminal. The rules, the knowledge and the players come from `games`.
//!
//! | file | one line |
//! |---|---|
//! | `session` | a match as it goes: who moves, what is typed, what is saved |
//! | `screen` | what is read and written, as text or as JSON |
//! | `store` | records in files |
//! | `replay` | records told again |
//! | `position` | what a seat of a record has before it, for the commands of its game |
//!
//! What differs from game to game comes from the [`Face`](ken_games::table::Face) of each.

mod position;
mod replay;
mod screen;
mod session;
mod store;

pub(crate) use replay::{replay, viewer};
pub(crate) use store::{bad, bad_line, readable, records};

use crate::args::PlayArgs;
use crate::input::{Failure, read_text};
use ken_games::game::{Illegal, Seat};
use ken_games::list::{GAMES, Setup};
use ken_games::record::{PERSON, Record};
use ken_games::table::page::{Problem, Squiggle};
use ken_games::yokai::players::TAUGHT_SUFFIX;
use ken_logic::syntax::{Code, Diagnostic, Span};
use screen::Screen;
use serde_json::{Value, json};
use session::Session;
use std::hash::{BuildHasher, Hasher, RandomState};
use store::Place;

/// The help that is given unless the flags say otherwise.
const HELPER: u8 = 2;

pub(crate) fn refusal(illegal: Illegal) -> Failure {
    Failure::Usage { message: illegal.message, help: illegal.help }
}

fn problem(problem: Problem) -> Failure {
    Failure::Usage { message: problem.message, help: problem.help }
}

/// What is wrong with a text that was asked about, with its places if it cannot be read.
fn asked(name: &str, text: &str, wrong: Problem) -> Failure {
    if wrong.marks.is_empty() {
        return problem(wrong);
    }
    // Marks are counted in UTF-16, as editors do.
    let at = |units: usize| {
        let mut seen = 0;
        let byte = text.char_indices().find(|(_, c)| {
            let here = seen >= units;
            seen += c.len_utf16();
            here
        });
        byte.map_or(text.len(), |(byte, _)| byte)
    };
    let diagnostic = |mark: Squiggle| {
        let read = Diagnostic::new(Code::Syntax, Span::new(at(mark.from), at(mark.to)), mark.message);
        mark.help.map_or(read.clone(), |help| read.help(help))
    };
    let problems = wrong.marks.into_iter().map(diagnostic).collect();
    Failure::Text { name: name.to_string(), text: text.to_string(), problems }
}

pub(crate) fn play(args: &PlayArgs) -> Result<u8, Failure> {
    let place = args.record.clone().map(Place::new);
    let earlier = match &place {
        Some(place) if place.exists() => Some(place.read()?),
        _ => None,
    };
    let setup = match &earlier {
        None => begin(args)?,
        Some(record) => {
            agrees(args, record)?;
            GAMES.of_record(record).map_err(|bad| store::bad(args.record.as_deref(), &bad))?
        }
    };
    sit(args, setup.as_ref(), earlier, place)
}

/// The game of the flags.
fn begin(args: &PlayArgs) -> Result<Box<dyn Setup>, Failure> {
    let mut options = options(args.options.as_deref().unwrap_or("{}"))?;
    let watching = args.seat.as_deref() == Some("none");
    let seats = args.against.len() + usize::from(!watching);
    if !args.against.is_empty()
        && let Some(map) = options.as_object_mut()
    {
        match map.get("players") {
            Some(players) if players.as_u64() != Some(seats as u64) => {
                return Err(Failure::Usage {
                    message: format!("the options say {players} players, but {seats} are to be seated"),
                    help: Some("leave `players` out: the names after --against say how many play".to_string()),
                });
            }
            _ => drop(map.insert("players".to_string(), json!(seats))),
        }
    }
    GAMES.with_options(&args.game, &options).map_err(refusal)
}

/// Options as JSON or `@file`; inside, a text `@file` stands for what the file holds.
pub(crate) fn options(text: &str) -> Result<Value, Failure> {
    fn from_file(file: &str) -> Result<Value, Failure> {
        let (name, text) = read_text(file)?;
        crate::input::json(&format!("`{name}`"), &text)
    }
    let mut options = match text.strip_prefix('@') {
        Some(file) => from_file(file)?,
        None if serde_json::from_str::<Value>(text).is_ok() => crate::input::json("--options", text)?,
        None => {
            return Err(Failure::Usage {
                message: "the options are not JSON".to_string(),
                help: Some("as in --options '{\"endmove\": \"ignorance\"}', or --options @file".to_string()),
            });
        }
    };
    for value in options.as_object_mut().into_iter().flat_map(|map| map.values_mut()) {
        if let Some(file) = value.as_str().and_then(|v| v.strip_prefix('@')) {
            *value = from_file(file)?;
        }
    }
    Ok(options)
}

/// The same command goes on with a record; another one is told what differs.
fn agrees(args: &PlayArgs, record: &Record) -> Result<(), Failure> {
    let person = record.players.iter().position(|p| p == PERSON);
    let seat = person.map_or("none".to_string(), |s| s.to_string());
    let untaught = |name: &'_ String| name.strip_suffix(TAUGHT_SUFFIX).unwrap_or(name).to_string();
    let others: Vec<String> = record.players.iter().filter(|p| *p != PERSON).map(untaught).collect();
    let taught = record.players.iter().any(|name| name.ends_with(TAUGHT_SUFFIX));
    let helper = person.map_or(HELPER, |s| record.helpers[s]);
    let different = if args.game != record.game {
        Some(("the game", record.game.clone()))
    } else if args.seat.as_ref().is_some_and(|s| *s != seat) {
        Some(("--seat", seat))
    } else if !args.against.is_empty() && args.against != others {
        Some(("--against", others.join(",")))
    } else if args.partner.is_some() && !taught {
        Some(("--partner", "not given".to_string()))
    } else if args.helper.is_some_and(|h| h != helper) {
        Some(("--helper", helper.to_string()))
    } else if args.seed.is_some_and(|s| s != record.seed) {
        Some(("--seed", "another one".to_string()))
    } else {
        None
    };
    match (different, &record.result) {
        (_, Some(_)) => Err(Failure::Usage {
            message: "this match is over".to_string(),
            help: Some("look at it with `ken replay FILE`, or keep the new match in another file".to_string()),
        }),
        (Some((flag, is)), None) => Err(differs(flag, &is)),
        (None, None) if taught && args.partner.is_none() => Err(Failure::Usage {
            message: "in this match the machine was told what is known of you".to_string(),
            help: Some("give the same file with --partner to go on".to_string()),
        }),
        (None, None) => Ok(()),
    }
}

fn differs(flag: &str, is: &str) -> Failure {
    Failure::Usage {
        message: format!("the record goes on with its own settings, and {flag} is {is} there"),
        help: Some("leave the flag out to go on, or keep the new match in another file".to_string()),
    }
}

/// Plays the match, new or continued.
fn sit(args: &PlayArgs, setup: &dyn Setup, earlier: Option<Record>, place: Option<Place>) -> Result<u8, Failure> {
    let record = match earlier {
        Some(record) => {
            if let Some(text) = &args.options {
                let mut options = options(text)?;
                if let Some(map) = options.as_object_mut() {
                    map.entry("players").or_insert(json!(record.players.len()));
                    // Which reader of rules it was played with is the record's own.
                    if let Some(reading) = record.options.get("reading") {
                        map.entry("reading").or_insert(reading.clone());
                    }
                }
                let given = GAMES.find(setup.name()).and_then(|kind| kind.stored(&options)).map_err(refusal)?;
                if given.options() != setup.options() {
                    return Err(differs("--options", &setup.options().to_string()));
                }
            }
            record
        }
        None => fresh(args, setup)?,
    };
    let partner = args.partner.as_ref().map(|file| crate::yokai_partner::read(file)).transpose()?;
    Session::open(setup, record, place, Screen::new(args.json), partner.map(|partner| partner.to_data()))?.run()
}

/// The record of a new match.
fn fresh(args: &PlayArgs, setup: &dyn Setup) -> Result<Record, Failure> {
    let seats = setup.seats();
    let rival = GAMES.find(setup.name()).map_err(refusal)?.info().rival;
    let person = match args.seat.as_deref().unwrap_or("0") {
        "none" => None,
        text => {
            let seat = text.parse::<u8>().ok().filter(|&s| s < seats).map(Seat);
            Some(seat.ok_or_else(|| Failure::Usage {
                message: format!("there is no seat `{text}`"),
                help: Some(format!("seats are 0 to {}, or `none` to watch", seats - 1)),
            })?)
        }
    };
    let mut others = args.against.iter().cloned();
    let mut name = |seat: Seat| match Some(seat) == person {
        true => PERSON.to_string(),
        false => {
            let name = others.next().unwrap_or_else(|| rival.clone());
            if args.partner.is_some() { name + TAUGHT_SUFFIX } else { name }
        }
    };
    let players = Seat::all(seats).map(&mut name).collect();
    if let Some(extra) = others.next() {
        return Err(Failure::usage(format!("`{extra}` finds no seat: there are {seats} in all")));
    }
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let mut record = setup.record(players, seed);
    if let Some(person) = person {
        record.helpers[person.index()] = args.helper.unwrap_or(HELPER);
    }
    Ok(record)
}
