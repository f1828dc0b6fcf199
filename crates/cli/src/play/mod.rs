//! `ken play` and `ken replay`: a table in the terminal. The rules, the knowledge and the players come from `games`.
//!
//! | file | one line |
//! |---|---|
//! | `session` | a match as it goes: who moves, what is typed, what is saved |
//! | `screen` | what is read and written, as text or as JSON |
//! | `store` | records in files |
//! | `replay` | records told again |
//! | `position` | what a seat of a record has before it, for the commands of its game |
//! | `cluedo` | the note sheet and the help of Cluedo |
//! | `eleusis` | the table and the help of both games of Eleusis |
//! | `yokai` | the table and the help of Yōkai |

mod cluedo;
mod eleusis;
mod position;
mod replay;
mod screen;
mod session;
mod store;
mod yokai;

pub(crate) use replay::{replay, viewer};
pub(crate) use screen::hang;
pub(crate) use store::{bad, bad_line, readable, records};

use crate::args::PlayArgs;
use crate::input::{Failure, read_text};
use ken_games::any::{AnyGame, GAMES};
use ken_games::cluedo::Cluedo;
use ken_games::eleusis::{Classic, Express};
use ken_games::game::{Illegal, Notation, Player, Seat, View};
use ken_games::record::{PERSON, Record};
use ken_games::yokai::Yokai;
use screen::Screen;
use serde_json::{Value, json};
use session::Session;
use std::hash::{BuildHasher, Hasher, RandomState};
use store::Place;

/// The help that is given unless the flags say otherwise.
const HELPER: u8 = 2;

/// Help from this level on fills in what is forced.
const FILLS: u8 = 2;

/// What the terminal needs of a game beyond its rules: players by name, and words for people.
pub(crate) trait Table: Notation + View + 'static {
    /// The players that are seated unless the flags say otherwise.
    const RIVAL: &'static str;

    /// The names of the machine players, each with its idea.
    fn players() -> Vec<(&'static str, &'static str)>;

    /// The player of this name; its own chance comes from the seed.
    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<Self>>, Illegal>;

    /// The text of an action where a short form of it was typed.
    fn expand(&self, typed: &str, legal: &[Self::Action]) -> String;

    /// What a person can type, a line each.
    fn usage(&self) -> &'static str;

    /// What is to be done now, for the seat whose memory this is.
    fn request(&self, memory: &[Self::Sight]) -> String;

    /// Whether the log counts this sight, as the answers to `why` do.
    fn counted(&self, sight: &Self::Sight) -> bool;

    /// How [`Table::hand`] is introduced.
    const HAND: &'static str = "you hold";

    /// What the seat is reminded of at a helper level: its memory, less what it has to remember by itself.
    fn reminded(&self, memory: Vec<Self::Sight>, helper: u8) -> Vec<Self::Sight> {
        let _ = helper;
        memory
    }

    /// What the seat holds.
    fn hand(&self, memory: &[Self::Sight]) -> String;

    /// The notes of the seat as a helper level gives them, from [`FILLS`] on with what follows exactly.
    fn sheet(&self, memory: &[Self::Sight], helper: u8) -> String;

    /// Whether the seat knows a formula.
    fn know(&self, memory: &[Self::Sight], formula: &str) -> Result<String, Failure>;

    /// Why the seat knows a fact, or why not.
    fn why(&self, memory: &[Self::Sight], fact: &str) -> Result<String, Failure>;

    /// What the seat could do best.
    fn advise(&self, memory: &[Self::Sight]) -> Result<String, Failure>;

    /// What is wrong with the text of an open action, with its place; nothing for other actions.
    fn unread(&self, action: &Self::Action) -> Option<Failure> {
        let _ = action;
        None
    }

    /// What a person with this help should see before the action is played, if it is one that deserves a second look.
    fn preview(&self, memory: &[Self::Sight], action: &Self::Action, helper: u8) -> Option<String> {
        let _ = (memory, action, helper);
        None
    }
}

pub(crate) fn refusal(illegal: Illegal) -> Failure {
    Failure::Usage { message: illegal.message, help: illegal.help }
}

/// Every game with its players: name and idea.
pub(crate) fn players() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let of = |name| match name {
        <Cluedo as Notation>::NAME => Cluedo::players(),
        <Express as Notation>::NAME => Express::players(),
        <Classic as Notation>::NAME => Classic::players(),
        <Yokai as Notation>::NAME => Yokai::players(),
        _ => Vec::new(),
    };
    GAMES.iter().map(|g| (g.name, of(g.name))).collect()
}

pub(crate) fn play(args: &PlayArgs) -> Result<u8, Failure> {
    let place = args.record.clone().map(Place::new);
    let earlier = match &place {
        Some(place) if place.exists() => Some(place.read()?),
        _ => None,
    };
    let game = match &earlier {
        None => begin(args)?,
        Some(record) => {
            agrees(args, record)?;
            ken_games::any::game_of(record).map_err(|bad| store::bad(args.record.as_deref(), &bad))?
        }
    };
    match game {
        AnyGame::Cluedo(game) => sit(args, game, earlier, place),
        AnyGame::Express(game) => sit(args, game, earlier, place),
        AnyGame::Classic(game) => sit(args, game, earlier, place),
        AnyGame::Yokai(game) => sit(args, game, earlier, place),
    }
}

/// The game of the flags.
fn begin(args: &PlayArgs) -> Result<AnyGame, Failure> {
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
    AnyGame::from_options(&args.game, &options).map_err(refusal)
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
    let others: Vec<&String> = record.players.iter().filter(|p| *p != PERSON).collect();
    let helper = person.map_or(HELPER, |s| record.helpers[s]);
    let different = if args.game != record.game {
        Some(("the game", record.game.clone()))
    } else if args.seat.as_ref().is_some_and(|s| *s != seat) {
        Some(("--seat", seat))
    } else if !args.against.is_empty() && !args.against.iter().eq(others.iter().copied()) {
        let others: Vec<&str> = others.iter().map(|o| o.as_str()).collect();
        Some(("--against", others.join(",")))
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
fn sit<G: Table>(args: &PlayArgs, game: G, earlier: Option<Record>, place: Option<Place>) -> Result<u8, Failure> {
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
                if G::stored(&options).map_err(refusal)?.options() != game.options() {
                    return Err(differs("--options", &game.options().to_string()));
                }
            }
            record
        }
        None => fresh(args, &game)?,
    };
    Session::open(game, record, place, Screen::new(args.json))?.run()
}

/// The record of a new match.
fn fresh<G: Table>(args: &PlayArgs, game: &G) -> Result<Record, Failure> {
    let seats = game.seats();
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
        false => others.next().unwrap_or_else(|| G::RIVAL.to_string()),
    };
    let players = Seat::all(seats).map(&mut name).collect();
    if let Some(extra) = others.next() {
        return Err(Failure::usage(format!("`{extra}` finds no seat: there are {seats} in all")));
    }
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let mut record = Record::new(game, players, seed);
    if let Some(person) = person {
        record.helpers[person.index()] = args.helper.unwrap_or(HELPER);
    }
    Ok(record)
}
