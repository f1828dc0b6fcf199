//! Matches as they go, and records that replay exactly.
//!
//! A record is game, options, seed and actions: everything else follows. As data it is one line of JSON:
//!
//! ```json
//! {"game": "cluedo", "version": 1, "options": {..}, "players": ["person", "exact"], "helpers": [2, 0], "seed": 7,
//!  "branch": {"origin": "m-17", "at": 12}, "entries": ["suggest plum rope hall", "show rope", "end", "undo", "end"],
//!  "result": {"scores": [1, 0], "words": "seat 0 won"}}
//! ```
//!
//! `branch` and `result` may be missing or null. A match that a seat ended early has `"forfeit": {"seat": 1, "why": ".."}`
//! in its result, with `"resigned": true` beside them if the seat gave up of its own will. A seed beyond 2⁵³ is written as text, since many readers of JSON would
//! round it. The seed determines the deal: it is a secret until the match is over.
//!
//! **Undo.** The entry `undo` takes back the last action that still stands. It is allowed exactly when no seat learned
//! anything from that action ([`Game::reveals`]) and the match is not over. In Cluedo only the end of a turn can be taken
//! back, under `silent` and before anything follows it: questions, cards shown and accusations all tell somebody
//! something.
//!
//! **Resigning.** A seat may resign at any moment, whoever is to move. The match ends for everybody: whoever resigned has
//! the score −1, all others 0, as after any forfeit, and nothing is hidden any more. It is no action of the game, so it is
//! no entry: the entries replay as they were played.

use crate::dice::Dice;
use crate::game::{Game, Illegal, Notation, Outcome, Seat, Turn};
use serde_json::{Map, Value, json};
use std::fmt;

/// The version of the format of records.
pub const VERSION: u64 = 1;

/// The text of an undo among the entries; no game has an action that is written so.
pub const UNDO: &str = "undo";

/// The name of a person among the players: records say nothing about who it was.
pub const PERSON: &str = "person";

/// The name of a person in records of earlier versions; it is read as [`PERSON`].
const OLD_PERSON: &str = "you";

/// The highest helper level: 0 paper notebook, 1 checks marks, 2 fills forced cells, 3 inspector, 4 advice.
pub const MAX_HELPER: u8 = 4;

/// A match as it goes: every state and event so far.
#[derive(Clone, Debug)]
pub struct Match<G: Game> {
    game: G,
    /// `states[i]` is the state after `events[i]`.
    states: Vec<G::State>,
    events: Vec<G::Event>,
    actions: Vec<G::Action>,
}

impl<G: Game> Match<G> {
    /// The match of this seed, after the deal.
    pub fn deal(game: G, seed: u64) -> Match<G> {
        let (state, event) = game.deal(&mut Dice::new(seed));
        Match { game, states: vec![state], events: vec![event], actions: Vec::new() }
    }

    /// The game with its options.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The truth now.
    pub fn state(&self) -> &G::State {
        &self.states[self.states.len() - 1]
    }

    /// The truth after each event.
    pub fn states(&self) -> &[G::State] {
        &self.states
    }

    /// What happened, the deal first; what was taken back is not in it.
    pub fn events(&self) -> &[G::Event] {
        &self.events
    }

    /// What was chosen: action `i` made event `i + 1`.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }

    /// Whose move it is.
    pub fn turn(&self) -> Turn {
        self.game.turn(self.state())
    }

    /// How the match ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.turn() {
            Turn::Of(_) => None,
            Turn::Over(outcome) => Some(outcome),
        }
    }

    /// What a seat saw.
    pub fn memory(&self, seat: Seat) -> Vec<G::Sight> {
        self.events.iter().map(|e| self.game.sight(e, seat)).collect()
    }

    /// Plays an action of the seat to move. A refused one changes nothing.
    pub fn play(&mut self, action: &G::Action) -> Result<&G::Event, Illegal> {
        let mut state = self.state().clone();
        let event = self.game.play(&mut state, action)?;
        self.states.push(state);
        self.actions.push(action.clone());
        self.events.push(event);
        Ok(&self.events[self.events.len() - 1])
    }

    /// Whether the last action may be taken back, or why not.
    pub fn can_undo(&self) -> Result<(), Illegal> {
        let event = &self.events[self.events.len() - 1];
        if self.actions.is_empty() {
            return Err(Illegal::new("there is nothing to take back"));
        }
        if self.outcome().is_some() {
            return Err(Illegal::new("the match is over: nothing can be taken back"));
        }
        match self.game.reveals(event) {
            true => Err(Illegal::new("somebody has learned something from it: it cannot be taken back")),
            false => Ok(()),
        }
    }

    /// Takes back the last action.
    pub fn undo(&mut self) -> Result<G::Action, Illegal> {
        self.can_undo()?;
        self.states.pop();
        self.events.pop();
        Ok(self.actions.pop().expect("there is an action to take back"))
    }
}

/// What was done at a table, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// An action in the game's notation.
    Play(String),
    /// The last action that stood was taken back.
    Undo,
}

/// Where a record comes from that goes on from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The name of the other record.
    pub origin: String,
    /// How many of its entries this one begins with.
    pub at: usize,
}

/// Why a seat did not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Its player failed: it took too long, chose what is not allowed, or met an error. The text may quote what it tried.
    Failed(String),
    /// It gave up of its own will.
    Resigned,
}

/// A seat that did not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// Which seat.
    pub seat: Seat,
    /// What happened.
    pub cause: Cause,
}

impl Forfeit {
    /// What a seat that resigned is said to have done, where a reason is asked for.
    const RESIGNED: &str = "it resigned";

    /// Whether the seat gave up of its own will.
    pub fn is_resignation(&self) -> bool {
        self.cause == Cause::Resigned
    }
}

/// How a recorded match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Scores and words; by the rules unless a seat forfeited.
    pub outcome: Outcome,
    /// Why the match ended before the rules ended it.
    pub forfeit: Option<Forfeit>,
}

impl Ending {
    /// The end that the rules give.
    pub fn by_rules(outcome: Outcome) -> Ending {
        Ending { outcome, forfeit: None }
    }

    /// The end by a seat whose player failed, at a table of so many seats.
    pub fn forfeited(seats: usize, seat: Seat, why: impl Into<String>) -> Ending {
        let why = why.into();
        Ending::early(seats, seat, format!("seat {seat} forfeits: {why}"), Cause::Failed(why))
    }

    /// The end by a seat that gave up, at a table of so many seats. Nobody is said to have won.
    pub fn resigned(seats: usize, seat: Seat) -> Ending {
        Ending::early(seats, seat, format!("seat {seat} resigned"), Cause::Resigned)
    }

    /// Whoever ends a match early scores −1, the others 0: all of them come out ahead of it.
    fn early(seats: usize, seat: Seat, words: String, cause: Cause) -> Ending {
        let scores = (0..seats).map(|s| -i64::from(s == seat.index())).collect();
        Ending { outcome: Outcome { scores, words }, forfeit: Some(Forfeit { seat, cause }) }
    }

    /// Whether a seat gave up.
    pub fn is_resignation(&self) -> bool {
        self.forfeit.as_ref().is_some_and(Forfeit::is_resignation)
    }
}

/// A recorded match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game's name.
    pub game: String,
    /// The game's options.
    pub options: Value,
    /// Who played, a name for each seat.
    pub players: Vec<String>,
    /// The helper level of each seat, 0 to [`MAX_HELPER`].
    pub helpers: Vec<u8>,
    /// The seed of the deal; a machine player's own chance comes from `mix(seed, seat)`.
    pub seed: u64,
    /// Where the first entries come from.
    pub branch: Option<Branch>,
    /// What was done.
    pub entries: Vec<Entry>,
    /// How it ended; `None` while it goes on.
    pub result: Option<Ending>,
}

/// What is wrong with a record, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRecord {
    /// The field, or `entry 12` (counted from 1); empty if it is the record as a whole.
    pub place: String,
    /// What is wrong; of the record as a whole the rest of a sentence, as in `is not JSON`.
    pub why: Illegal,
}

impl BadRecord {
    /// What is wrong, said of something by its name: `line 14 is not JSON`, `line 14: seed: it is missing`.
    pub fn said_of(&self, name: &str) -> String {
        match self.place.as_str() {
            "" => format!("{name} {}", self.why.message),
            place => format!("{name}: {place}: {}", self.why.message),
        }
    }
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.as_str() {
            "" => write!(f, "it {}", self.why),
            place => write!(f, "{place}: {}", self.why),
        }
    }
}

impl std::error::Error for BadRecord {}

fn bad(place: impl Into<String>, why: impl Into<String>) -> BadRecord {
    BadRecord { place: place.into(), why: Illegal::new(why) }
}

/// What is wrong with a text that was refused as JSON, as the rest of a sentence: a text that is JSON may still be more than
/// can be read.
pub fn json_fault(error: &serde_json::Error) -> &'static str {
    match error.to_string() {
        _ if error.is_eof() => "is not JSON: it ends too early",
        said if said.starts_with("recursion limit exceeded") => "is nested too deeply",
        said if said.starts_with("number out of range") => "has a number that is too large",
        _ => "is not JSON",
    }
}

impl Record {
    /// The record of a match that has not begun; nobody has help.
    pub fn new<G: Notation>(game: &G, players: Vec<String>, seed: u64) -> Record {
        let helpers = vec![0; players.len()];
        let (options, entries) = (game.options(), Vec::new());
        Record { game: G::NAME.into(), options, players, helpers, seed, branch: None, entries, result: None }
    }

    /// A record that goes on from the first `at` entries of this one, which is called `origin`.
    #[must_use]
    pub fn branch(&self, origin: impl Into<String>, at: usize) -> Record {
        let at = at.min(self.entries.len());
        Record {
            branch: Some(Branch { origin: origin.into(), at }),
            entries: self.entries[..at].to_vec(),
            result: None,
            ..self.clone()
        }
    }

    /// The record as data; [`Record::from_data`] reads it back.
    pub fn to_data(&self) -> Value {
        let entry = |entry: &Entry| match entry {
            Entry::Play(action) => action.clone(),
            Entry::Undo => UNDO.to_string(),
        };
        let mut data = json!({
            "game": self.game, "version": VERSION, "options": self.options, "players": self.players,
            "helpers": self.helpers,
            "seed": if self.seed <= 1 << 53 { json!(self.seed) } else { json!(self.seed.to_string()) },
        });
        if let Some(Branch { origin, at }) = &self.branch {
            data["branch"] = json!({"origin": origin, "at": at});
        }
        data["entries"] = self.entries.iter().map(entry).collect();
        if let Some(ending) = &self.result {
            data["result"] = outcome_data(&ending.outcome);
            if let Some(Forfeit { seat, cause }) = &ending.forfeit {
                data["result"]["forfeit"] = match cause {
                    Cause::Failed(why) => json!({"seat": seat.0, "why": why}),
                    Cause::Resigned => json!({"seat": seat.0, "why": Forfeit::RESIGNED, "resigned": true}),
                };
            }
        }
        data
    }

    /// The record as one line of JSON.
    pub fn to_line(&self) -> String {
        self.to_data().to_string()
    }

    /// Reads a record from its text.
    pub fn from_text(text: &str) -> Result<Record, BadRecord> {
        if text.trim().is_empty() {
            return Err(bad("", "is empty"));
        }
        let data = serde_json::from_str(text).map_err(|error| bad("", json_fault(&error)))?;
        // Of a key that is there twice one would be lost without a word.
        ken_logic::syntax::json_with_places(text)
            .map_err(|problem| bad("", format!("cannot be read: {}", problem.message)))?;
        Record::from_data(&data)
    }

    /// Reads a record. Whether the game allows it is seen when it is [replayed](replay).
    pub fn from_data(data: &Value) -> Result<Record, BadRecord> {
        let fields =
            Fields { map: data.as_object().ok_or_else(|| bad("", "is not an object"))?, inside: String::new() };
        match fields.get("version")?.as_u64() {
            Some(VERSION) => {}
            _ => return Err(bad("version", format!("only version {VERSION} can be read"))),
        }
        let entry = |(i, entry): (usize, &Value)| match entry.as_str() {
            Some(UNDO) => Ok(Entry::Undo),
            Some(action) => Ok(Entry::Play(action.to_string())),
            None => Err(bad(format!("entry {}", i + 1), format!("not a text: {entry}"))),
        };
        let entries = fields.list("entries")?.iter().enumerate().map(entry).collect::<Result<Vec<_>, _>>()?;
        let player = |p: &Value| match p.as_str() {
            Some(OLD_PERSON) => Ok(PERSON.to_string()),
            Some(name) if !name.trim().is_empty() => Ok(name.to_string()),
            _ => Err(bad("players", "a name for each seat")),
        };
        let players = fields.list("players")?.iter().map(player).collect::<Result<Vec<_>, _>>()?;
        let level = |h: &Value| match h.as_u64() {
            Some(level) if level <= MAX_HELPER.into() => Ok(level as u8),
            _ => Err(bad("helpers", format!("a level is 0 to {MAX_HELPER}, not {h}"))),
        };
        let helpers = fields.list("helpers")?.iter().map(level).collect::<Result<Vec<_>, _>>()?;
        if helpers.len() != players.len() {
            return Err(bad("helpers", format!("{} levels for {} players", helpers.len(), players.len())));
        }
        let seed = fields.get("seed")?;
        let seed = seed.as_u64().or_else(|| seed.as_str()?.parse().ok());
        let branch = match fields.inner("branch")? {
            None => None,
            Some(branch) => {
                let at = branch.number("at")? as usize;
                if at > entries.len() {
                    return Err(bad("branch.at", format!("{at} is beyond the {} entries", entries.len())));
                }
                Some(Branch { origin: branch.text("origin")?, at })
            }
        };
        let result = match fields.inner("result")? {
            None => None,
            Some(result) => Some(ending(&result)?),
        };
        Ok(Record {
            game: fields.text("game")?,
            options: fields.get("options")?.clone(),
            players,
            helpers,
            seed: seed.ok_or_else(|| bad("seed", "a number below 2^64 is needed"))?,
            branch,
            entries,
            result,
        })
    }
}

fn outcome_data(outcome: &Outcome) -> Value {
    json!({"scores": outcome.scores, "words": outcome.words})
}

fn ending(result: &Fields<'_>) -> Result<Ending, BadRecord> {
    let score = |s: &Value| s.as_i64().ok_or_else(|| bad("result.scores", format!("not a whole number: {s}")));
    let scores = result.list("scores")?.iter().map(score).collect::<Result<Vec<_>, _>>()?;
    let forfeit = match result.inner("forfeit")? {
        None => None,
        Some(forfeit) => {
            let seat = u8::try_from(forfeit.number("seat")?).ok().filter(|&s| (s as usize) < scores.len());
            let seat = seat.ok_or_else(|| bad("result.forfeit.seat", "there is no such seat"))?;
            let why = forfeit.text("why")?;
            let cause = if forfeit.flag("resigned")? { Cause::Resigned } else { Cause::Failed(why) };
            Some(Forfeit { seat: Seat(seat), cause })
        }
    };
    Ok(Ending { outcome: Outcome { scores, words: result.text("words")? }, forfeit })
}

/// The fields of an object, with the place of the object for what is wrong.
struct Fields<'a> {
    map: &'a Map<String, Value>,
    inside: String,
}

impl<'a> Fields<'a> {
    fn get(&self, name: &str) -> Result<&'a Value, BadRecord> {
        self.map.get(name).ok_or_else(|| bad(format!("{}{name}", self.inside), "it is missing"))
    }

    fn wrong(&self, name: &str, what: &str, value: &Value) -> BadRecord {
        bad(format!("{}{name}", self.inside), format!("{what} is needed, not {value}"))
    }

    fn list(&self, name: &str) -> Result<&'a [Value], BadRecord> {
        let value = self.get(name)?;
        value.as_array().map(Vec::as_slice).ok_or_else(|| self.wrong(name, "a list", value))
    }

    fn text(&self, name: &str) -> Result<String, BadRecord> {
        let value = self.get(name)?;
        value.as_str().map(str::to_string).ok_or_else(|| self.wrong(name, "a text", value))
    }

    fn number(&self, name: &str) -> Result<u64, BadRecord> {
        let value = self.get(name)?;
        value.as_u64().ok_or_else(|| self.wrong(name, "a number", value))
    }

    /// Yes or no; no if it is missing.
    fn flag(&self, name: &str) -> Result<bool, BadRecord> {
        match self.map.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong(name, "true or false", value)),
        }
    }

    /// An object that may be missing.
    fn inner(&self, name: &str) -> Result<Option<Fields<'a>>, BadRecord> {
        match self.map.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let map = value.as_object().ok_or_else(|| self.wrong(name, "an object", value))?;
                Ok(Some(Fields { map, inside: format!("{}{name}.", self.inside) }))
            }
        }
    }
}

/// The match of a record: the seed's deal and every entry, undos carried out. The stored result must be the one that is
/// reached; a forfeit stands only where the rules had not ended the match.
pub fn replay<G: Notation>(game: G, record: &Record) -> Result<Match<G>, BadRecord> {
    if record.game != G::NAME {
        return Err(bad("game", format!("this is a record of {}, not of {}", record.game, G::NAME)));
    }
    if record.players.len() != game.seats() as usize {
        return Err(bad("players", format!("{} names for {} seats", record.players.len(), game.seats())));
    }
    let mut played = Match::deal(game, record.seed);
    for (i, entry) in record.entries.iter().enumerate() {
        let done = match entry {
            Entry::Play(text) => played.game.read(text).and_then(|action| played.play(&action).map(|_| ())),
            Entry::Undo => played.undo().map(|_| ()),
        };
        done.map_err(|why| BadRecord { place: format!("entry {}", i + 1), why })?;
    }
    match (&record.result, played.outcome()) {
        (None, _) => {}
        (Some(Ending { outcome, forfeit: None }), Some(reached)) if *outcome == reached => {}
        (Some(Ending { outcome, forfeit: None }), Some(reached)) => {
            let help = format!("the actions lead to: {} {:?}", reached.words, reached.scores);
            let said = format!("it says: {} {:?}", outcome.words, outcome.scores);
            return Err(BadRecord { place: "result".into(), why: Illegal::new(said).help(help) });
        }
        (Some(Ending { forfeit: None, .. }), None) => return Err(bad("result", "the match is not over")),
        (Some(Ending { forfeit: Some(_), .. }), Some(_)) => {
            return Err(bad("result.forfeit", "the match was over by the rules"));
        }
        (Some(Ending { outcome, forfeit: Some(_) }), None) => {
            if outcome.scores.len() != record.players.len() {
                return Err(bad("result.scores", "a score for each seat is needed"));
            }
        }
    }
    Ok(played)
}

/// What one seat may keep of a match: its sights, who played, and the scores once it is over. It has neither the seed nor
/// the name of another record nor anything else that the seat did not see:
///
/// ```json
/// {"game": "cluedo", "version": 1, "options": {..}, "players": [..], "helpers": [..], "seat": 2,
///  "sights": [{"dealt": {..}}, ..], "result": {"scores": [..], "words": ".."}}
/// ```
pub fn seat_export<G: Notation>(game: G, record: &Record, seat: Seat) -> Result<Value, BadRecord> {
    if seat.0 >= game.seats() {
        return Err(bad("seat", format!("there is no seat {seat} among {}", game.seats())));
    }
    let played = replay(game, record)?;
    let sights: Vec<Value> = played.memory(seat).iter().map(|s| played.game.sight_data(s)).collect();
    // Why a seat forfeited may quote what it tried to do, so only the scores go out.
    let result = played.outcome().as_ref().or(record.result.as_ref().map(|r| &r.outcome)).map(outcome_data);
    Ok(json!({
        "game": record.game, "version": VERSION, "options": record.options, "players": record.players,
        "helpers": record.helpers, "seat": seat.0, "sights": sights, "result": result,
    }))
}
