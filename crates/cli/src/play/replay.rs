//! Records told again: entry by entry, all of it or as one seat saw it.
//!
//! A file with several records, one on each line, tells each of them. A match that is not over and that a person plays
//! is told as that person sees it, unless `--as` says otherwise: nothing is spoilt by looking where one stopped.

use super::{position, store};
use crate::args::ReplayArgs;
use crate::input::{Failure, read_text};
use crate::output::{emit, line};
use ken_games::game::{Illegal, Outcome, Seat, Turn};
use ken_games::list::{GAMES, Setup};
use ken_games::record::{BadRecord, Entry, PERSON, Record};
use ken_games::table::page::Problem;
use ken_games::table::{CHECKS, Sitter, Table};
use ken_logic::text::hang;
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn replay(args: &ReplayArgs) -> Result<u8, Failure> {
    let (name, text) = read_text(&args.record)?;
    let records = store::records(&name, &text)?;
    if let Some(entries) = args.position {
        return position::write(args, entries, &name, &records);
    }
    let several = records.len() > 1;
    // All are read before anything is told: a broken record is not found after pages of text.
    let mut told = Vec::new();
    for (i, record) in records.iter().enumerate() {
        let place = if several { format!("{name}, record {}", i + 1) } else { name.clone() };
        told.push(retell(args, record, &place)?);
    }
    for (i, (record, told)) in records.iter().zip(&told).enumerate() {
        if args.json {
            emit(&told.data(record));
            continue;
        }
        if several {
            line(&format!("{}record {}", if i == 0 { "" } else { "\n" }, i + 1));
        }
        line(told.text(record).trim_end());
    }
    Ok(0)
}

fn retell(args: &ReplayArgs, record: &Record, place: &str) -> Result<Telling, Failure> {
    let bad = |e: BadRecord| store::bad(Some(Path::new(place)), &e);
    let setup = GAMES.of_record(record).map_err(bad)?;
    Telling::new(setup.as_ref(), record, args).map_err(bad)
}

/// A step of a record.
struct Step {
    /// The number of the entry; 0 is the deal.
    entry: usize,
    /// What stands in the record.
    typed: Option<String>,
    text: String,
    sight: Option<Value>,
    /// Why it was done, where that is asked for and a machine tells it.
    why: Vec<String>,
}

/// A record as it is told, of any game.
struct Telling {
    seat: Option<Seat>,
    steps: Vec<Step>,
    /// The notes of the seat at the end.
    sheet: Option<String>,
    /// Whose move it is.
    turn: Option<Seat>,
    /// How it ended, if all of it is told.
    outcome: Option<Outcome>,
    /// Whether the match is over, so that nothing is secret.
    over: bool,
}

/// With whose eyes a record is seen: those asked for, or while the match goes on those of the person in it, who must not
/// see with any others.
pub(crate) fn viewer(record: &Record, seats: u8, asked: Option<u8>, over: bool) -> Result<Option<Seat>, BadRecord> {
    let person = record.players.iter().position(|p| p == PERSON).map(|s| Seat(s as u8));
    let seat = asked.map(Seat).or(person.filter(|_| !over));
    let wrong = |why: String| Err(BadRecord { place: "--as".into(), why: Illegal::new(why) });
    match (person, seat) {
        (Some(person), Some(seat)) if !over && person != seat => {
            wrong("the match goes on: another seat can be looked at when it is over".to_string())
        }
        (_, Some(seat)) if seat.0 >= seats => wrong(format!("there is no seat {seat} among {seats}")),
        (_, seat) => Ok(seat),
    }
}

fn failed(place: &str, problem: Problem) -> BadRecord {
    BadRecord { place: place.to_string(), why: Illegal { message: problem.message, help: problem.help } }
}

/// Adds to the steps why the machines did what they did. Somebody who asks a machine again gets the same answer, since it
/// depends on what it saw and on its own chance.
fn reasons(setup: &dyn Setup, record: &Record, end: usize, steps: &mut [Step]) -> Result<(), BadRecord> {
    let machine = |name: &String| name != PERSON && !name.starts_with("exec:");
    let sitter = |name: &String| if machine(name) { Sitter::Machine(name.clone()) } else { Sitter::Person };
    let sitters = record.players.iter().map(sitter).collect();
    let mut table = setup.deal(record.seed, sitters).map_err(|problem| failed("players", problem))?;
    // Which entry made each event that still stands.
    let mut made = vec![0];
    for (i, entry) in record.entries[..end].iter().enumerate() {
        table.enter(entry).map_err(|problem| failed(&format!("entry {}", i + 1), problem))?;
        match entry {
            Entry::Play(_) => made.push(i + 1),
            Entry::Undo => drop(made.pop()),
        }
    }
    for seat in Seat::all(setup.seats()) {
        let Some(recount) = table.recount(seat, table.events()) else { continue };
        for reason in recount() {
            if let Some(step) = made.get(reason.event).and_then(|&entry| steps.get_mut(entry)) {
                step.why = reason.lines;
            }
        }
    }
    Ok(())
}

impl Telling {
    fn new(setup: &dyn Setup, record: &Record, args: &ReplayArgs) -> Result<Telling, BadRecord> {
        let whole = setup.replay(record)?;
        let over = record.result.is_some() || matches!(whole.turn(), Turn::Over(_));
        let seat = viewer(record, setup.seats(), args.seat, over)?;
        let people = (0..setup.seats()).map(|_| Sitter::Person).collect();
        let mut table = setup.deal(record.seed, people).map_err(|problem| failed("seed", problem))?;
        let step = |table: &dyn Table, entry: usize, typed: Option<String>| {
            let event = table.events() - 1;
            let (text, sight) = match seat {
                Some(seat) => {
                    let (text, data) = table.eyes(seat, table.events(), false).sight(event);
                    (text, Some(data))
                }
                None => (table.tell(event), None),
            };
            Step { entry, typed, text, sight, why: Vec::new() }
        };
        let mut steps = vec![step(table.as_ref(), 0, None)];
        let end = args.at.map_or(record.entries.len(), |at| at.min(record.entries.len()));
        for (i, entry) in record.entries[..end].iter().enumerate() {
            table.enter(entry).map_err(|problem| failed(&format!("entry {}", i + 1), problem))?;
            steps.push(match entry {
                Entry::Play(text) => step(table.as_ref(), i + 1, Some(text.clone())),
                Entry::Undo => {
                    let text = "that is taken back".into();
                    Step { entry: i + 1, typed: Some("undo".into()), text, sight: None, why: Vec::new() }
                }
            });
        }
        if args.why {
            if !over {
                let why = Illegal::new("the match goes on: the machines tell their reasons when it is over");
                return Err(BadRecord { place: "--why".into(), why });
            }
            reasons(setup, record, end, &mut steps)?;
        }
        let (turn, reached) = match table.turn() {
            Turn::Of(seat) => (Some(seat), None),
            Turn::Over(outcome) => (None, Some(outcome)),
        };
        let all = end == record.entries.len();
        let outcome = record.result.as_ref().map(|r| r.outcome.clone()).or(reached).filter(|_| all);
        // What follows is not filled in.
        let sheet = seat.map(|s| table.eyes(s, table.events(), false).sheet(CHECKS));
        Ok(Telling { seat, steps, sheet, turn: turn.filter(|_| outcome.is_none()), outcome, over })
    }

    /// The end in words. Why a seat forfeited may quote what it tried, so a seat's telling does not say it.
    fn words(&self, record: &Record) -> Option<String> {
        let forfeit = record.result.as_ref().and_then(|r| r.forfeit.as_ref());
        match (&self.outcome, forfeit, self.seat) {
            (None, ..) => None,
            (Some(_), Some(forfeit), Some(_)) if !forfeit.is_resignation() => {
                Some(format!("seat {} forfeits", forfeit.seat))
            }
            (Some(outcome), ..) => Some(outcome.words.clone()),
        }
    }

    fn text(&self, record: &Record) -> String {
        let players = record.players.iter().enumerate().map(|(i, p)| format!("{i} {p}")).collect::<Vec<_>>();
        let mut lines = hang("", &format!("{} with the seats {}", record.game, players.join(", ")));
        if let Some(seat) = self.seat {
            lines.push(format!("  as seat {seat} saw it"));
        }
        for step in &self.steps {
            lines.extend(hang(&format!("{:4}  ", step.entry), &step.text));
            lines.extend(step.why.iter().flat_map(|why| hang("        ", why)));
        }
        if let Some(sheet) = &self.sheet {
            lines.push(format!("\n{sheet}\n"));
        }
        match (self.words(record), self.turn) {
            (Some(words), _) => lines.extend(hang("", &words)),
            (None, Some(seat)) => lines.push(format!("  seat {seat} is to move")),
            (None, None) => {}
        }
        if self.over && self.seat.is_none() {
            lines.push(format!("  the seed was {}", record.seed));
        }
        lines.join("\n")
    }

    fn data(&self, record: &Record) -> Value {
        let step = |step: &Step| {
            let mut data = json!({"entry": step.entry, "text": step.text});
            match (&step.sight, &step.typed) {
                (Some(sight), _) => data["sight"] = sight.clone(),
                (None, Some(typed)) => data["action"] = json!(typed),
                (None, None) => {}
            }
            if !step.why.is_empty() {
                data["why"] = json!(step.why);
            }
            data
        };
        let result = self.outcome.as_ref().map(|o| json!({"scores": o.scores, "words": self.words(record)}));
        let mut data = json!({
            "game": record.game, "options": record.options, "players": record.players, "helpers": record.helpers,
            "seat": self.seat.map(|s| s.0), "steps": self.steps.iter().map(step).collect::<Vec<_>>(),
            "turn": self.turn.map(|s| s.0), "result": result,
        });
        if self.over && self.seat.is_none() {
            data["seed"] = record.to_data()["seed"].clone();
        }
        data
    }
}
