//! The arm in which pairs of players meet at Yōkai, each pair in both seats.
//!
//! All pairs of a block get the same deals, so that pairs can be compared; the block is what intervals are computed from.

use crate::Problem;
use crate::bout::{self, Bout, End, Seated};
use crate::experiment::{Arm, Experiment, Sample};
use crate::stats::Range;
use ken_games::dice::{mix, seat_seed};
use ken_games::game::{Game, Notation, Seat};
use ken_games::yokai::rules::TURNS;
use ken_games::yokai::{Action, Colour, Event, Stage, Yokai};
use serde::Deserialize;
use serde_json::Value;

/// The parameters of an arm of kind `yokai`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Who plays.
    pub players: Vec<String>,
    /// With whom; with each other and with themselves, if it is not given.
    pub partners: Option<Vec<String>>,
    /// The options of the game.
    #[serde(default)]
    pub options: Value,
    /// How many matches one game of the experiment has; of more than one, the best score is measured too.
    #[serde(default = "one")]
    pub set: u64,
}

fn one() -> u64 {
    1
}

/// Seats the player of this name: game, name, seat, seed of its own chance.
pub type Seater = dyn Fn(&Yokai, &str, Seat, u64) -> Result<Seated<Yokai>, Problem> + Send + Sync;

/// Pairs of players at Yōkai.
pub struct Pairs {
    game: Yokai,
    /// Who sits at seat 0 and who at seat 1, and the name of the pair in measures.
    pairs: Vec<([String; 2], String)>,
    /// Whether one player meets several partners: its wins with all of them are measured too.
    one: bool,
    set: u64,
    seat: Box<Seater>,
}

impl Pairs {
    /// The pairs of an arm. Every player is seated once, so that a wrong name is found before the first game.
    pub fn new(arm: &Arm, seat: Box<Seater>) -> Result<Pairs, Problem> {
        let Parameters { players, partners, options, set } = arm.parameters()?;
        let game = Yokai::with_options(&options)?;
        if players.is_empty() || partners.as_ref().is_some_and(Vec::is_empty) || set == 0 {
            return Err(Problem::new("an arm has players and partners, and a set has matches"));
        }
        let mut named: Vec<[&String; 2]> = Vec::new();
        for (i, player) in players.iter().enumerate() {
            seat(&game, player, Seat(0), 0)?;
            for partner in partners.as_deref().unwrap_or(&players[i..]) {
                seat(&game, partner, Seat(0), 0)?;
                if !named.contains(&[player, partner]) && !named.contains(&[partner, player]) {
                    named.push([player, partner]);
                }
            }
        }
        let name = |[a, b]: [&String; 2]| if named.len() == 1 { String::new() } else { format!(", {a} with {b}") };
        let mut pairs = Vec::new();
        for &[a, b] in &named {
            pairs.push(([a.clone(), b.clone()], name([a, b])));
            if a != b {
                pairs.push(([b.clone(), a.clone()], name([a, b])));
            }
        }
        let one = players.len() == 1 && partners.is_some_and(|partners| partners.len() > 1);
        Ok(Pairs { game, pairs, one, set, seat })
    }

    fn play(&self, names: &[String; 2], seed: u64) -> Bout<Yokai> {
        let seated = |(seat, name): (Seat, &String)| {
            let seated = (self.seat)(&self.game, name, seat, seat_seed(seed, seat));
            seated.unwrap_or_else(|problem| Seated::absent(name, problem.to_string()))
        };
        let mut seats: Vec<Seated<Yokai>> = Seat::all(2).zip(names).map(seated).collect();
        bout::play(&self.game, &mut seats, seed)
    }
}

/// What is measured of a match.
pub(crate) struct Ended {
    pub(crate) won: bool,
    pub(crate) score: i64,
    /// How many colours lie together.
    pub(crate) groups: usize,
    /// Whether somebody stopped it.
    pub(crate) stopped: bool,
    pub(crate) turns: u8,
    pub(crate) forfeit: bool,
}

impl Ended {
    fn of(game: &Yokai, bout: &Bout<Yokai>) -> Ended {
        let score = match &bout.end {
            End::Over(outcome) => Some(outcome.scores[0]),
            End::Forfeit { .. } => None,
        };
        Ended::after(game, &bout.events, bout.actions.last(), score)
    }

    /// What is measured of a match with these events and this last action; a match that was forfeited has no score.
    pub(crate) fn after(game: &Yokai, events: &[Event], last: Option<&Action>, score: Option<i64>) -> Ended {
        let mut stage = Stage::start();
        events.iter().for_each(|event| stage.follow(&game.sight(event, Seat(0))));
        let Some(Event::Dealt { colouring, .. }) = events.first() else { unreachable!("a match begins with a deal") };
        let shape = stage.layout().shape();
        let together = |&colour: &Colour| shape.connected(colouring.cards(colour).0 as u16);
        let groups = Colour::ALL.iter().filter(|c| together(c)).count();
        let forfeit = score.is_none();
        Ended {
            won: groups == 4 && !forfeit,
            score: score.unwrap_or(0),
            groups,
            stopped: last == Some(&Action::Stop),
            turns: stage.turns(),
            forfeit,
        }
    }
}

/// Which values a number that is measured of matches can have.
pub(crate) fn range(metric: &str) -> Range {
    // The name of the pair stands behind that of the measure.
    match metric.split(',').next().unwrap_or(metric) {
        "score" | "best score" => SCORES,
        "groups" => Range::of(0.0, Colour::ALL.len() as f64),
        "turns" => Range::of(0.0, TURNS.into()),
        _ => Range::ANY,
    }
}

/// What a match can be worth: all hints left to lie, or all of them used for marks that are wrong.
pub(crate) const SCORES: Range = Range { low: -7.0, high: 35.0 };

impl Experiment for Pairs {
    fn run(&self, game: u64, seed: u64) -> Sample {
        let (names, pair) = &self.pairs[(game % self.block()) as usize];
        let bouts: Vec<Bout<Yokai>> =
            (0..self.set).map(|i| self.play(names, if self.set == 1 { seed } else { mix(seed, i) })).collect();
        let ended: Vec<Ended> = bouts.iter().map(|bout| Ended::of(&self.game, bout)).collect();
        let share = |sample: Sample, name: &str, test: fn(&Ended) -> bool| {
            let count = ended.iter().filter(|e| test(e)).count();
            sample.share(format!("{name}{pair}"), count as f64, self.set as u32)
        };
        let mean = |sample: Sample, name: &str, of: fn(&Ended) -> f64| {
            sample.number(format!("{name}{pair}"), ended.iter().map(of).sum::<f64>() / ended.len() as f64)
        };
        let mut sample = share(Sample::new(), "wins", |e| e.won);
        if self.one {
            sample = sample.share("wins", ended.iter().filter(|e| e.won).count() as f64, self.set as u32);
        }
        sample = mean(sample, "score", |e| e.score as f64);
        if self.set > 1 {
            let best = ended.iter().map(|e| e.score).max().expect("a set has matches");
            sample = sample.number(format!("best score{pair}"), best as f64);
        }
        sample = mean(sample, "groups", |e| e.groups as f64);
        sample = share(sample, "false stops", |e| e.stopped && !e.won);
        sample = mean(sample, "turns", |e| e.turns.into());
        sample = share(sample, "forfeits", |e| e.forfeit);
        match &bouts[..] {
            [bout] => sample.record(bout.record(&self.game).to_data()),
            _ => sample,
        }
    }

    fn block(&self) -> u64 {
        self.pairs.len() as u64
    }

    fn range(&self, metric: &str) -> Range {
        range(metric)
    }
}
