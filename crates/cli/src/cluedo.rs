//! `ken cluedo`: what follows from a position.

use crate::args::{AskArgs, CluedoCommand, KnowArgs, LimitArgs, SolveArgs, WhyArgs};
use crate::check::grouped;
use crate::input::{Failure, read_text};
use crate::monitor::Monitor;
use crate::output::{complain, line};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::ask::{Others, Ranking, rank};
use ken_games::cluedo::{Position, read};
use ken_games::dice::Dice;
use serde_json::{Map, Value, json};

pub(crate) fn wants_json(command: &CluedoCommand) -> bool {
    match command {
        CluedoCommand::Solve(args) => args.json || args.batch,
        CluedoCommand::Know(args) => args.json || args.batch,
        CluedoCommand::Why(args) => args.json,
        CluedoCommand::Ask(args) => args.json,
    }
}

pub(crate) fn run(command: &CluedoCommand) -> Result<u8, Failure> {
    match command {
        CluedoCommand::Solve(args) => solve(args),
        CluedoCommand::Know(args) => know(args),
        CluedoCommand::Why(args) => why(args),
        CluedoCommand::Ask(args) => ask(args),
    }
}

/// Reads a position, or says all that is wrong with it.
fn position(file: &str) -> Result<Position, Failure> {
    let (name, text) = read_text(file)?;
    read::position(&text).map_err(|problems| Failure::Text { name, text, problems })
}

fn watch(limits: &LimitArgs, json: bool, doing: &str) -> Monitor {
    let print = move |failure: &Failure| match json {
        true => line(&failure.json().to_string()),
        false => complain(&failure.text()),
    };
    let monitor = Monitor::start(limits.max_seconds, limits.max_memory, Box::new(print));
    monitor.doing(doing);
    monitor
}
