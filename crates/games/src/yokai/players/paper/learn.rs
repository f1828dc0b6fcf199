//! Learning an order of goals from stored matches.
//!
//! An *explorer* plays each match with an order that its seed determines ([`Order::explored`]). A record holds the seed of
//! the match, so it tells which orders were tried and what came of them. The levels of the factors are drawn
//! independently, so the mean over all matches in which a seat had a level shows what the level does, whatever the other
//! factors and the partner. For each factor the best level is taken; the paper's level stays unless another is better by
//! more than twice the standard error of the difference.
//!
//! The measure is how many colours lie together at the end: a win is four of them, but wins are rare and tell less.

use super::order::{FACTORS, Factor, Order};
use crate::dice::mix;
use crate::game::{Notation, Seat};
use crate::record::{BadRecord, Match, Record, replay};
use crate::yokai::colour::Colour;
use crate::yokai::rules::Yokai;

/// The name of the player whose matches are learned from.
pub const EXPLORER: &str = "explorer";

/// How many standard errors a level must be better than the paper's to replace it.
const MARGIN: f64 = 2.0;

/// How the matches went in which a level was used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many matches; one in which both seats used it counts twice.
    pub matches: u64,
    /// How many of them were won.
    pub wins: u64,
    groups: u64,
    squares: u64,
}

impl Tally {
    fn add(&mut self, groups: u64) {
        self.matches += 1;
        self.wins += u64::from(groups == 4);
        self.groups += groups;
        self.squares += groups * groups;
    }

    /// The share of wins.
    pub fn win_rate(&self) -> f64 {
        self.wins as f64 / self.matches as f64
    }

    /// The mean number of colours that lie together at the end.
    pub fn groups(&self) -> f64 {
        self.groups as f64 / self.matches as f64
    }

    /// The square of the standard error of that mean; infinite unless there are a few matches.
    fn variance(&self) -> f64 {
        if self.matches < FEWEST {
            return f64::INFINITY;
        }
        (self.squares as f64 / self.matches as f64 - self.groups().powi(2)) / (self.matches - 1) as f64
    }
}

/// With fewer matches than these nothing is learned about a level.
const FEWEST: u64 = 30;

/// What was learned about a factor.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The factor.
    pub factor: &'static Factor,
    /// How each level did.
    pub levels: Vec<Tally>,
}

impl Lesson {
    /// The level to take.
    pub fn best(&self) -> usize {
        let paper = &self.levels[0];
        let better =
            |level: &Tally| level.groups() - paper.groups() > MARGIN * (level.variance() + paper.variance()).sqrt();
        let candidates = (1..self.levels.len()).filter(|&i| better(&self.levels[i]));
        candidates.max_by(|&a, &b| self.levels[a].groups().total_cmp(&self.levels[b].groups())).unwrap_or(0)
    }
}

/// What was learned from matches.
#[derive(Clone, Debug)]
pub struct Lessons {
    /// Factor by factor, as in [`FACTORS`].
    pub lessons: Vec<Lesson>,
}

impl Default for Lessons {
    fn default() -> Lessons {
        let lesson = |factor: &'static Factor| Lesson { factor, levels: vec![Tally::default(); factor.levels.len()] };
        Lessons { lessons: FACTORS.iter().map(lesson).collect() }
    }
}

impl Lessons {
    /// Takes a record in: the seats that an [`EXPLORER`] had, if the match came to its end.
    pub fn add(&mut self, record: &Record) -> Result<(), BadRecord> {
        let game = Yokai::with_options(&record.options).map_err(|why| BadRecord { place: "options".into(), why })?;
        let played = replay(game, record)?;
        if played.outcome().is_none() {
            return Ok(());
        }
        let groups = groups_at_end(&played);
        for (seat, _) in Seat::all(2).zip(&record.players).filter(|(_, name)| *name == EXPLORER) {
            let order = Order::explored(mix(record.seed, seat.0.into()));
            for Lesson { factor, levels } in &mut self.lessons {
                levels[factor.level(&order)].add(groups);
            }
        }
        Ok(())
    }

    /// How many matches teach; one with two explorers counts twice.
    pub fn matches(&self) -> u64 {
        self.lessons[0].levels.iter().map(|tally| tally.matches).sum()
    }

    /// The order to play by.
    pub fn order(&self) -> Order {
        self.lessons.iter().fold(Order::PAPER, |order, lesson| lesson.factor.with(order, lesson.best()))
    }
}

/// How many colours lie together.
fn groups_at_end(played: &Match<Yokai>) -> u64 {
    let state = played.state();
    let shape = state.stage().layout().shape();
    let together = |&c: &Colour| shape.connected(state.colouring().cards(c).0 as u16);
    Colour::ALL.iter().filter(|c| together(c)).count() as u64
}

/// The order that stored matches of explorers teach.
pub fn learn(records: &[Record]) -> Result<Order, BadRecord> {
    let mut lessons = Lessons::default();
    records.iter().try_for_each(|record| lessons.add(record))?;
    Ok(lessons.order())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Player, Turn};
    use crate::record::Entry;
    use crate::yokai::players::paper::{Paper, Plain};
    use crate::yokai::players::seat;
    use std::collections::HashSet;

    /// The record of a match of these players, seeded as in the arena.
    fn record(names: [&str; 2], seed: u64) -> Record {
        let game = Yokai::default();
        let make = |(s, name): (Seat, &&str)| seat(name, &game, mix(seed, s.0.into())).expect("a player of this name");
        let players = Seat::all(2).zip(&names).map(make).collect();
        let played = play(players, seed);
        let written = played.actions().iter().map(|action| Entry::Play(game.write(action))).collect();
        Record { entries: written, ..Record::new(&game, names.map(String::from).to_vec(), seed) }
    }

    fn play(mut players: Vec<Box<dyn Player<Yokai>>>, seed: u64) -> Match<Yokai> {
        let game = Yokai::default();
        let mut played = Match::deal(game, seed);
        let mut told = 0;
        loop {
            for (s, player) in Seat::all(2).zip(&mut players) {
                played.events()[told..].iter().for_each(|event| player.watch(&game.sight(event, s)));
            }
            told = played.events().len();
            let Turn::Of(s) = played.turn() else { return played };
            let action = players[s.index()].choose(&game.legal(played.state()));
            played.play(&action).expect("a legal action");
        }
    }

    /// How often two players that are made so win on these seeds.
    fn wins(make: impl Fn(u64) -> Box<dyn Player<Yokai>>, seeds: std::ops::Range<u64>) -> usize {
        let pair = |seed| (0..2).map(|s| make(mix(seed, s))).collect();
        seeds.filter(|&seed| groups_at_end(&play(pair(seed), seed)) == 4).count()
    }

    #[test]
    fn an_explorer_tries_every_level_and_its_seed_tells_which() {
        for factor in FACTORS {
            let tried: HashSet<usize> = (0..60).map(|seed| factor.level(&Order::explored(seed))).collect();
            assert_eq!(tried.len(), factor.levels.len(), "{}", factor.name);
        }
        assert_eq!(Order::explored(5), Order::explored(5));
    }

    #[test]
    fn a_level_is_set_and_the_others_stay() {
        for factor in FACTORS {
            for level in 0..factor.levels.len() {
                let order = factor.with(Order::LEARNED, level);
                for other in FACTORS {
                    let expected = if other.name == factor.name { level } else { other.level(&Order::LEARNED) };
                    assert_eq!(other.level(&order), expected);
                }
            }
        }
    }

    #[test]
    fn a_level_replaces_that_of_the_paper_only_if_chance_does_not_explain_it() {
        let tally = |few: u64, many: u64| {
            let mut tally = Tally::default();
            (0..few).for_each(|_| tally.add(2));
            (0..many).for_each(|_| tally.add(4));
            tally
        };
        let best = |levels: [Tally; 3]| Lesson { factor: &FACTORS[0], levels: levels.to_vec() }.best();
        assert_eq!(best([tally(50, 50), tally(49, 51), tally(60, 40)]), 0);
        assert_eq!(best([tally(50, 50), tally(30, 70), tally(20, 80)]), 2);
        assert_eq!(best([tally(50, 50), tally(20, 80), tally(30, 70)]), 1);
        assert_eq!(best([tally(50, 50), tally(0, 0), tally(0, 1)]), 0);
        assert_eq!(best([tally(0, 0), tally(30, 70), tally(0, 0)]), 0);
    }

    #[test]
    fn only_explorers_who_came_to_the_end_teach() {
        let taught = |record: &Record| {
            let mut lessons = Lessons::default();
            lessons.add(record).unwrap();
            let of = |lesson: &Lesson| lesson.levels.iter().map(|tally| tally.matches).sum::<u64>();
            assert!(lessons.lessons.iter().all(|lesson| of(lesson) == lessons.matches()));
            lessons.matches()
        };
        assert_eq!(taught(&record(["explorer", "explorer"], 1)), 2);
        assert_eq!(taught(&record(["paper", "explorer"], 1)), 1);
        assert_eq!(taught(&record(["paper", "random"], 1)), 0);
        let mut cut = record(["explorer", "explorer"], 1);
        cut.entries.truncate(20);
        assert_eq!(taught(&cut), 0);
    }

    #[test]
    fn a_record_that_cannot_be_replayed_is_refused_with_its_place() {
        let mut broken = record(["explorer", "explorer"], 1);
        broken.entries[1] = broken.entries[0].clone();
        assert_eq!(learn(&[broken]).unwrap_err().place, "entry 2");
        let strange = Record { game: "cluedo".into(), ..record(["explorer", "explorer"], 1) };
        assert_eq!(learn(&[strange]).unwrap_err().place, "game");
    }

    #[test]
    fn what_a_few_matches_teach_wins_more_on_seeds_that_were_not_seen() {
        let records: Vec<Record> = (0..3000).map(|seed| record([EXPLORER; 2], seed)).collect();
        let order = learn(&records).unwrap();
        let make = |order| move |seed| Box::new(Paper::new(Plain::default(), order, seed)) as Box<dyn Player<Yokai>>;
        let unseen = 100_000..100_300;
        let (before, after) = (wins(make(Order::PAPER), unseen.clone()), wins(make(order), unseen.clone()));
        let learner = wins(make(Order::LEARNED), unseen);
        assert!(after > before + 10, "{order}: {before}, {after}");
        assert!(learner > 2 * before, "{before}, {learner}");
    }
}
