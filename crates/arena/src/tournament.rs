//! The arm in which players meet.
//!
//! In each block the players are put in an order by chance, and the first of them take the seats; then the same deal is
//! played in all rotations of that order. So every player has every seat and every hand once, luck of the deal cancels
//! within the block, and who sits beside whom changes from block to block.

use crate::Problem;
use crate::bout;
use crate::experiment::{Arm, Experiment, Sample, ahead, wins};
use crate::external;
use crate::stats::Range;
use crate::yokai::SCORES;
use ken_games::cluedo::Cluedo;
use ken_games::dice::{Dice, mix};
use ken_games::game::{Illegal, Notation, Outcome, Seat};
use ken_games::list::{Games, Setup};
use ken_games::record::Ending;
use ken_games::table::{Program, Sitter};
use ken_games::yokai::Yokai;
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// The parameters of an arm of kind `tournament`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The game's name.
    pub game: String,
    /// Its options.
    #[serde(default)]
    pub options: Value,
    /// Who plays: at least as many as there are seats. A name may stand several times.
    pub players: Vec<String>,
    /// Whether the mean score of each player is reported beside its wins: where scores tell more than who won.
    #[serde(default)]
    pub scores: bool,
}

/// A tournament of a game.
pub struct Tournament {
    setup: Box<dyn Setup>,
    players: Vec<String>,
    names: Vec<String>,
    scores: bool,
    patience: Duration,
}

impl Tournament {
    /// The tournament of an arm, of a game of the list. Every player is seated once, so that a wrong name is found before
    /// the first game. Programs have `patience` for each answer.
    pub fn new(games: &Games, arm: &Arm, patience: Duration) -> Result<Tournament, Problem> {
        let Parameters { game, options, players, scores } = arm.parameters()?;
        let options = if options.is_null() { Value::Object(Default::default()) } else { options };
        let setup = games.with_options(&game, &options)?;
        let seats = setup.seats();
        if players.len() < seats as usize {
            let message = format!("{} players are too few for {seats} seats", players.len());
            return Err(Problem::new(message).help("a name may stand several times"));
        }
        let mut names = players.clone();
        names.sort();
        names.dedup();
        for name in &names {
            let first = |seat: Seat| match seat {
                Seat(0) => external::sitter(setup.as_ref(), name, seat, patience),
                _ => Sitter::Person,
            };
            setup.deal(0, Seat::all(seats).map(first).collect())?;
        }
        Ok(Tournament { setup, players, names, scores, patience })
    }

    /// Who sits where in a game of the block with this seed.
    fn order(&self, game: u64, seed: u64) -> Vec<&str> {
        // The first parts of the seed belong to the seats: the order takes one that no seat has.
        let mut dice = Dice::new(mix(seed, u64::MAX));
        let mut order: Vec<&str> = self.players.iter().map(String::as_str).collect();
        dice.shuffle(&mut order);
        order.truncate(self.setup.seats() as usize);
        order.rotate_left((game % self.block()) as usize);
        order
    }

    /// Somebody for a seat. A program that cannot be started any more forfeits at its first turn.
    fn sitter(&self, seat: Seat, name: &str) -> Sitter {
        match external::sitter(self.setup.as_ref(), name, seat, self.patience) {
            Sitter::Program(start) => Sitter::Program(Box::new(move || {
                Ok(start().unwrap_or_else(|problem| Box::new(Absent(problem.message))))
            })),
            sitter @ (Sitter::Machine(_) | Sitter::Taught(..) | Sitter::Person) => sitter,
        }
    }
}

/// A program that never came.
struct Absent(String);

impl Program for Absent {
    fn watch(&mut self, _: &Value) {}

    fn choose(&mut self, _: &[String]) -> Result<String, String> {
        Err(self.0.clone())
    }

    fn refused(&mut self, _: &str, _: &Illegal) -> bool {
        false
    }
}

impl Experiment for Tournament {
    fn run(&self, game: u64, seed: u64) -> Sample {
        let order = self.order(game, seed);
        let sitters = Seat::all(self.setup.seats()).zip(&order).map(|(seat, name)| self.sitter(seat, name)).collect();
        let names = order.iter().map(|name| name.to_string()).collect();
        let record = bout::at_table(self.setup.as_ref(), names, sitters, seed).expect("they were all seated before");
        let Some(Ending { outcome: Outcome { scores, .. }, forfeit }) = &record.result else {
            unreachable!("a match is played to its end")
        };
        let shares = bout::shares(scores);
        let seats_of = |name: &str| -> Vec<usize> { (0..order.len()).filter(|&s| order[s] == name).collect() };

        let forfeit = forfeit.is_some();
        let mut sample = Sample::new().number("actions", record.entries.len() as f64).yes("forfeits", forfeit);
        for name in &self.names {
            let seats = seats_of(name);
            let won: f64 = seats.iter().map(|&s| shares[s]).sum();
            sample = sample.share(wins(name), won, seats.len() as u32);
            // A forfeit has a score of another kind: it says only who failed.
            if self.scores && !forfeit && !seats.is_empty() {
                let sum: i64 = seats.iter().map(|&s| scores[s]).sum();
                sample = sample.number(format!("score of {name}"), sum as f64 / seats.len() as f64);
            }
        }
        for (name, other) in pairs(&self.names) {
            let (ours, theirs) = (seats_of(name), seats_of(other));
            let leads = ours.iter().map(|&s| theirs.iter().filter(|&&t| scores[s] > scores[t]).count()).sum::<usize>();
            sample = sample.share(ahead(name, other), leads as f64, (ours.len() * theirs.len()) as u32);
        }
        sample.record(record.to_data())
    }

    fn block(&self) -> u64 {
        u64::from(self.setup.seats())
    }

    fn rivals(&self) -> &[String] {
        &self.names
    }

    fn range(&self, metric: &str) -> Range {
        range(self.setup.name(), metric)
    }
}

/// Which values a number that is measured of matches of this game can have.
pub(crate) fn range(game: &str, metric: &str) -> Range {
    match game {
        _ if metric == "actions" => Range::COUNT,
        Cluedo::NAME => Range::of(0.0, 1.0),
        Yokai::NAME => SCORES,
        _ => Range::ANY,
    }
}

/// All ordered pairs of different names.
fn pairs(names: &[String]) -> impl Iterator<Item = (&str, &str)> {
    names.iter().flat_map(move |a| names.iter().filter(move |b| *b != a).map(move |b| (a.as_str(), b.as_str())))
}
