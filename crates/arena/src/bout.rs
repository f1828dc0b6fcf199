//! One match: seeds, seats, forfeits, record.
//!
//! A match has one seed, which determines everything but what people and external programs do:
//!
//! * the deal comes from `Dice::new(seed)`, as in a record;
//! * the player of seat `s` gets `mix(seed, s)` for its own chance.
//!
//! So a player can be rebuilt from the record, and changing one player leaves the deal and the others' chance as they
//! were. A player that answers with an illegal action, or not at all, forfeits: the match ends there, the record says why.
//! One that names a rule which cannot be read may [choose again](Player::refused).

use ken_games::dice::Dice;
use ken_games::game::{Game, Illegal, Notation, Outcome, Player, Seat, Turn};
use ken_games::list::Setup;
use ken_games::record::{Ending, Entry, Record};
use ken_games::table::{Sitter, Table};
use std::sync::{Arc, OnceLock};

/// Why a player cannot go on, told by the player to the match. (A `Player` always answers with an action; one that runs
/// outside may have none.)
#[derive(Clone, Debug, Default)]
pub struct Fault(Arc<OnceLock<String>>);

impl Fault {
    /// Tells the reason. The first one stays.
    pub fn report(&self, reason: impl Into<String>) {
        let _ = self.0.set(reason.into());
    }

    /// The reason, if there is one.
    pub fn reason(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

/// A player at its seat.
pub struct Seated<G: Game> {
    /// Its name in the record.
    pub name: String,
    /// The player.
    pub player: Box<dyn Player<G>>,
    /// Where the player tells that it cannot go on.
    pub fault: Fault,
}

impl<G: Game> Seated<G> {
    /// A player that always answers.
    pub fn new(name: impl Into<String>, player: Box<dyn Player<G>>) -> Seated<G> {
        Seated { name: name.into(), player, fault: Fault::default() }
    }

    /// A player that could not be seated: it forfeits at its first turn.
    pub fn absent(name: impl Into<String>, reason: impl Into<String>) -> Seated<G> {
        let seated = Seated::new(name, Box::new(Absent));
        seated.fault.report(reason);
        seated
    }
}

struct Absent;

impl<G: Game> Player<G> for Absent {
    fn watch(&mut self, _: &G::Sight) {}

    fn choose(&mut self, options: &[G::Action]) -> G::Action {
        options[0].clone()
    }
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By the rules.
    Over(Outcome),
    /// A player failed.
    Forfeit {
        /// Whose player.
        seat: Seat,
        /// What it did.
        reason: String,
    },
}

/// A match that was played.
#[derive(Clone, Debug)]
pub struct Bout<G: Game> {
    /// Its seed.
    pub seed: u64,
    /// The players, seat by seat.
    pub players: Vec<String>,
    /// What happened, the deal first.
    pub events: Vec<G::Event>,
    /// What was chosen.
    pub actions: Vec<G::Action>,
    /// How it ended.
    pub end: End,
}

/// Plays a match to its end.
///
/// # Panics
/// If there are not as many players as the game has seats.
pub fn play<G: Notation>(game: &G, seats: &mut [Seated<G>], seed: u64) -> Bout<G> {
    assert_eq!(seats.len(), game.seats() as usize, "a player for every seat");
    let (mut state, dealt) = game.deal(&mut Dice::new(seed));
    let players = seats.iter().map(|s| s.name.clone()).collect();
    let mut bout = Bout { seed, players, events: Vec::new(), actions: Vec::new(), end: End::Over(nothing(game)) };
    let show = |seats: &mut [Seated<G>], event: &G::Event| {
        for (seat, seated) in Seat::all(game.seats()).zip(seats) {
            seated.player.watch(&game.sight(event, seat));
        }
    };
    show(seats, &dealt);
    bout.events.push(dealt);
    bout.end = loop {
        let seat = match game.turn(&state) {
            Turn::Over(outcome) => break End::Over(outcome),
            Turn::Of(seat) => seat,
        };
        let seated = &mut seats[seat.index()];
        let action = seated.player.choose(&game.legal(&state));
        if let Some(reason) = seated.fault.reason() {
            break End::Forfeit { seat, reason: reason.to_string() };
        }
        match game.play(&mut state, &action) {
            Ok(event) => {
                show(seats, &event);
                bout.events.push(event);
                bout.actions.push(action);
            }
            Err(illegal) if game.is_open(&action) && seated.player.refused(&action, &illegal) => {}
            Err(illegal) => {
                break End::Forfeit { seat, reason: format!("illegal action `{}`: {illegal}", game.write(&action)) };
            }
        }
    };
    bout
}

fn nothing<G: Game>(game: &G) -> Outcome {
    Outcome { scores: vec![0; game.seats() as usize], words: String::new() }
}

impl<G: Notation> Bout<G> {
    /// The outcome. Whoever forfeits scores −1, the others 0: all of them come out ahead of it.
    pub fn outcome(&self) -> Outcome {
        match &self.end {
            End::Over(outcome) => outcome.clone(),
            End::Forfeit { seat, reason } => Ending::forfeited(self.players.len(), *seat, reason).outcome,
        }
    }

    /// The record: game, options, seed and actions, from which the match can be replayed.
    pub fn record(&self, game: &G) -> Record {
        let ending = match &self.end {
            End::Over(outcome) => Ending::by_rules(outcome.clone()),
            End::Forfeit { seat, reason } => Ending::forfeited(self.players.len(), *seat, reason),
        };
        Record {
            entries: self.actions.iter().map(|a| Entry::Play(game.write(a))).collect(),
            result: Some(ending),
            ..Record::new(game, self.players.clone(), self.seed)
        }
    }
}

/// Plays a match of any game to its end, at a table. The record has the names of the players.
pub fn at_table(
    setup: &dyn Setup,
    names: Vec<String>,
    sitters: Vec<Sitter>,
    seed: u64,
) -> Result<Record, ken_games::table::page::Problem> {
    let mut table = setup.deal(seed, sitters)?;
    let mut record = setup.record(names, seed);
    let ending = loop {
        let seat = match table.turn() {
            Turn::Over(outcome) => break Ending::by_rules(outcome),
            Turn::Of(seat) => seat,
        };
        match machine_moves(table.as_mut(), seat) {
            Ok(entry) => record.entries.push(entry),
            Err(reason) => break Ending::forfeited(record.players.len(), seat, reason),
        }
    };
    record.result = Some(ending);
    Ok(record)
}

/// Lets the machine of the seat to move think and plays what it chooses; or says why it forfeits.
pub fn machine_moves(table: &mut dyn Table, seat: Seat) -> Result<Entry, String> {
    loop {
        let Some(thinking) = table.think() else { return Err("nobody plays this seat".to_string()) };
        let thought = thinking();
        let action = thought.action.clone();
        table.thought(thought);
        let text = action?;
        match table.act(&text) {
            Ok(entry) => return Ok(entry),
            Err(problem) => {
                // A rule that cannot be read is asked for again.
                let illegal = Illegal { message: problem.message, help: problem.help };
                if !table.refuse(seat, &text, &illegal) {
                    return Err(format!("illegal action `{text}`: {illegal}"));
                }
            }
        }
    }
}

/// How much of the win each seat has: those with the best score share it; if all scores are equal nobody wins.
pub fn shares(scores: &[i64]) -> Vec<f64> {
    let best = scores.iter().max().copied().unwrap_or(0);
    let winners = scores.iter().filter(|&&s| s == best).count();
    if winners == scores.len() {
        return vec![0.0; scores.len()];
    }
    scores.iter().map(|&s| if s == best { 1.0 / winners as f64 } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_share_the_win_and_equal_scores_are_nobodys() {
        assert_eq!(shares(&[0, 1, 0]), [0.0, 1.0, 0.0]);
        assert_eq!(shares(&[0, -1, 0]), [0.5, 0.0, 0.5]);
        assert_eq!(shares(&[0, 0, 0]), [0.0; 3]);
    }
}
