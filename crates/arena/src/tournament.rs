//! The arm in which players meet.
//!
//! In each block the players are put in an order by chance, and the first of them take the seats; then the same deal is
//! played in all rotations of that order. So every player has every seat and every hand once, luck of the deal cancels
//! within the block, and who sits beside whom changes from block to block.

use crate::Problem;
use crate::bout::{self, End, Seated};
use crate::experiment::{Arm, Experiment, Sample, ahead, wins};
use crate::stats::Range;
use crate::yokai::SCORES;
use ken_games::cluedo::Cluedo;
use ken_games::dice::{Dice, mix, seat_seed};
use ken_games::game::{Notation, Seat};
use ken_games::yokai::Yokai;
use serde::Deserialize;
use serde_json::Value;

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

/// Seats the player of this name: game, name, seat, seed of its own chance.
pub type Seater<G> = dyn Fn(&G, &str, Seat, u64) -> Result<Seated<G>, Problem> + Send + Sync;

/// A tournament of a game.
pub struct Tournament<G: Notation> {
    game: G,
    players: Vec<String>,
    names: Vec<String>,
    scores: bool,
    seat: Box<Seater<G>>,
}

impl<G: Notation> Tournament<G> {
    /// The tournament of an arm. Every player is seated once, so that a wrong name is found before the first game.
    pub fn new(arm: &Arm, seat: Box<Seater<G>>) -> Result<Tournament<G>, Problem> {
        let Parameters { game: name, options, players, scores } = arm.parameters()?;
        if name != G::NAME {
            return Err(Problem::new(format!("`{name}` is not `{}`", G::NAME)));
        }
        let options = if options.is_null() { Value::Object(Default::default()) } else { options };
        let game = G::with_options(&options)?;
        if players.len() < game.seats() as usize {
            let message = format!("{} players are too few for {} seats", players.len(), game.seats());
            return Err(Problem::new(message).help("a name may stand several times"));
        }
        let mut names = players.clone();
        names.sort();
        names.dedup();
        for name in &names {
            seat(&game, name, Seat(0), 0)?;
        }
        Ok(Tournament { game, players, names, scores, seat })
    }

    /// Who sits where in a game of the block with this seed.
    fn order(&self, game: u64, seed: u64) -> Vec<&str> {
        // The first parts of the seed belong to the seats: the order takes one that no seat has.
        let mut dice = Dice::new(mix(seed, u64::MAX));
        let mut order: Vec<&str> = self.players.iter().map(String::as_str).collect();
        dice.shuffle(&mut order);
        order.truncate(self.game.seats() as usize);
        order.rotate_left((game % self.block()) as usize);
        order
    }
}

impl<G: Notation> Experiment for Tournament<G> {
    fn run(&self, game: u64, seed: u64) -> Sample {
        let order = self.order(game, seed);
        let mut seats: Vec<Seated<G>> = Seat::all(self.game.seats())
            .zip(&order)
            .map(|(seat, name)| {
                let seated = (self.seat)(&self.game, name, seat, seat_seed(seed, seat));
                seated.unwrap_or_else(|problem| Seated::absent(*name, problem.to_string()))
            })
            .collect();
        let bout = bout::play(&self.game, &mut seats, seed);
        let scores = bout.outcome().scores;
        let shares = bout::shares(&scores);
        let seats_of = |name: &str| -> Vec<usize> { (0..order.len()).filter(|&s| order[s] == name).collect() };

        let forfeit = matches!(bout.end, End::Forfeit { .. });
        let mut sample = Sample::new().number("actions", bout.actions.len() as f64).yes("forfeits", forfeit);
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
        sample.record(bout.record(&self.game).to_data())
    }

    fn block(&self) -> u64 {
        u64::from(self.game.seats())
    }

    fn rivals(&self) -> &[String] {
        &self.names
    }

    fn range(&self, metric: &str) -> Range {
        range(G::NAME, metric)
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
