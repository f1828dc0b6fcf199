//! Matches that people played, as the results of an experiment: the same rows, intervals and reports.
//!
//! A line-up is an arm: the game with who played it, people as `person`. People who were helped are told from those who
//! were not, since help changes what is measured. The order of the seats does not matter.

use crate::bout;
use crate::experiment::{Arm, Results, Sample, Spec, wins};
use crate::report::Report;
use crate::yokai::Ended;
use ken_games::any::{AnyMatch, replay_any};
use ken_games::record::{Ending, Forfeit, Record};
use std::collections::BTreeMap;

/// The name of a person in a record.
pub const PERSON: &str = "person";

/// What the paper's Table 3 says about one match of Yōkai: people with the machine, and people with each other.
const PAPER: [(&str, f64); 2] = [("machine", 0.28), ("person", 0.13)];

/// Matches as results.
#[derive(Clone, Debug)]
pub struct Studied {
    /// The line-ups with what was measured.
    pub results: Results,
    /// Which records were left out, by their place from 0, and why.
    pub left_out: Vec<(usize, String)>,
}

impl Studied {
    /// Groups records by game and line-up and measures each match. What is not over or cannot be replayed is left out.
    pub fn of(records: &[Record]) -> Studied {
        let mut lineups: BTreeMap<String, (&Record, Vec<Sample>)> = BTreeMap::new();
        let mut left_out = Vec::new();
        for (i, record) in records.iter().enumerate() {
            match measured(record) {
                Ok(sample) => lineups.entry(label(record)).or_insert_with(|| (record, Vec::new())).1.push(sample),
                Err(why) => left_out.push((i, why)),
            }
        }
        let arm = |(label, (record, samples)): (&String, &(&Record, Vec<Sample>))| Arm {
            label: label.clone(),
            kind: record.game.clone(),
            games: Some(samples.len() as u64),
            against: None,
            paper: paper(record),
            parameters: serde_json::Map::new(),
        };
        let spec = Spec {
            name: "study".to_string(),
            title: "Matches of people".to_string(),
            source: "finished matches whose players agreed to study; the paper's numbers for Yōkai are its Table 3"
                .to_string(),
            games: 0,
            seed: 0,
            records: false,
            arms: lineups.iter().map(arm).collect(),
        };
        let samples = lineups.into_values().map(|(_, samples)| samples).collect();
        Studied { results: Results::of(spec, samples), left_out }
    }

    /// The report.
    pub fn report(&self) -> Report {
        Report { seed: None, ..Report::new(&self.results, &[]) }
    }

    /// The line-ups with their numbers of matches.
    pub fn lineups(&self) -> impl Iterator<Item = (&str, u64)> {
        self.results.spec.arms.iter().zip(&self.results.arms).map(|(arm, played)| (arm.label.as_str(), played.games))
    }
}

/// The game and who played it: `yokai: paper with person`.
fn label(record: &Record) -> String {
    let mut players: Vec<String> = record
        .players
        .iter()
        .zip(&record.helpers)
        .map(|(name, &help)| match help {
            0 => name.clone(),
            _ => format!("{name} (help {help})"),
        })
        .collect();
    players.sort();
    format!("{}: {}", record.game, players.join(" with "))
}

/// What the paper says about a line-up of Yōkai without help.
fn paper(record: &Record) -> BTreeMap<String, f64> {
    let people = record.players.iter().filter(|p| *p == PERSON).count();
    let with = match (record.game.as_str(), people) {
        ("yokai", 1) => "machine",
        ("yokai", 2) => "person",
        _ => return BTreeMap::new(),
    };
    let said = PAPER.iter().filter(|(name, _)| *name == with && record.helpers.iter().all(|&h| h == 0));
    said.map(|(_, wins)| ("wins".to_string(), *wins)).collect()
}

fn measured(record: &Record) -> Result<Sample, String> {
    let Some(Ending { outcome, forfeit }) = &record.result else { return Err("the match is not over".to_string()) };
    let resigned = forfeit.as_ref().is_some_and(Forfeit::is_resignation);
    let played = replay_any(record).map_err(|bad| bad.to_string())?;
    let actions = match &played {
        AnyMatch::Yokai(played) => {
            let score = outcome.scores.first().copied().filter(|_| forfeit.is_none());
            let ended = Ended::after(played.game(), played.events(), played.actions().last(), score);
            return Ok(Sample::new()
                .yes("wins", ended.won)
                .number("score", ended.score as f64)
                .number("groups", ended.groups as f64)
                .yes("false stops", ended.stopped && !ended.won)
                .number("turns", ended.turns.into())
                .yes("forfeits", ended.forfeit && !resigned)
                .yes("resigned", resigned));
        }
        AnyMatch::Cluedo(played) => played.actions().len(),
        AnyMatch::Express(played) => played.actions().len(),
        AnyMatch::Classic(played) => played.actions().len(),
    };
    let mut sample = Sample::new().number("actions", actions as f64).yes("forfeits", forfeit.is_some() && !resigned);
    sample = sample.yes("resigned", resigned);
    let mut names = record.players.clone();
    names.sort();
    names.dedup();
    // Whoever resigns has not won. The other of two has; among several nobody is said to have.
    let shares = match resigned && record.players.len() > 2 {
        true => vec![0.0; record.players.len()],
        false => bout::shares(&outcome.scores),
    };
    for name in &names {
        let seats: Vec<usize> = (0..record.players.len()).filter(|&s| record.players[s] == *name).collect();
        sample = sample.share(wins(name), seats.iter().map(|&s| shares[s]).sum(), seats.len() as u32);
        // A forfeit has a score of another kind: it says only who failed.
        if forfeit.is_none() {
            let sum: i64 = seats.iter().map(|&s| outcome.scores[s]).sum();
            sample = sample.number(format!("score of {name}"), sum as f64 / seats.len() as f64);
        }
    }
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bout::{Seated, play, seat_seed};
    use ken_games::cluedo::{Cluedo, players};
    use ken_games::game::Seat;
    use ken_games::yokai::{Yokai, players as minds};

    /// A match between machines whose first seat stands for a person.
    fn cluedo(seed: u64, help: u8) -> Record {
        let game = Cluedo::classic(3);
        let seat = |(seat, name): (Seat, &str)| {
            Seated::new(name, players::seat("elimination", &game, seat_seed(seed, seat)).unwrap())
        };
        let mut seats: Vec<_> = Seat::all(3).zip([PERSON, "elimination", "elimination"]).map(seat).collect();
        let mut record = play(&game, &mut seats, seed).record(&game);
        record.helpers[0] = help;
        record
    }

    fn yokai(seed: u64, names: [&str; 2]) -> Record {
        let game = Yokai::default();
        let seat = |(seat, name): (Seat, &str)| {
            Seated::new(name, minds::seat("random", &game, seat_seed(seed, seat)).unwrap())
        };
        let mut seats: Vec<_> = Seat::all(2).zip(names).map(seat).collect();
        play(&game, &mut seats, seed).record(&game)
    }

    #[test]
    fn matches_are_grouped_by_who_played_and_measured_with_intervals() {
        let mut records: Vec<Record> = (0..6).map(|seed| cluedo(seed, 0)).collect();
        records.push(cluedo(9, 4));
        records.extend([yokai(1, [PERSON, "paper"]), yokai(2, ["paper", PERSON]), yokai(3, [PERSON, PERSON])]);
        let studied = Studied::of(&records);
        assert_eq!(
            studied.lineups().collect::<Vec<_>>(),
            [
                ("cluedo: elimination with elimination with person", 6),
                ("cluedo: elimination with elimination with person (help 4)", 1),
                ("yokai: paper with person", 2),
                ("yokai: person with person", 1),
            ]
        );
        let report = studied.report();
        let row = |label: usize, metric: &str| {
            let label = studied.lineups().nth(label).unwrap().0;
            report.rows.iter().find(|r| r.label == label && r.metric == metric).unwrap()
        };
        let won = row(0, "wins of person");
        assert_eq!(won.n, 6);
        assert!(0.0 <= won.low && won.low <= won.mean && won.mean <= won.high && won.high <= 1.0);
        assert_eq!((row(2, "wins").paper, row(3, "wins").paper), (Some(0.28), Some(0.13)));
        assert_eq!(row(2, "score").n, 2);
        assert!(!report.text().contains("seed"));
    }

    #[test]
    fn a_match_that_a_person_resigned_is_counted_as_resigned_and_nobody_among_several_has_won_it() {
        let given_up = |mut record: Record| {
            record.entries.truncate(1);
            record.result = Some(Ending::resigned(record.players.len(), Seat(0)));
            record
        };
        let studied = Studied::of(&[given_up(cluedo(1, 0)), given_up(yokai(1, [PERSON, "paper"]))]);
        assert!(studied.left_out.is_empty(), "{:?}", studied.left_out);
        let report = studied.report();
        let mean = |game: &str, metric: &str| {
            report.rows.iter().find(|r| r.label.starts_with(game) && r.metric == metric).map(|r| r.mean)
        };
        for game in ["cluedo", "yokai"] {
            assert_eq!((mean(game, "resigned"), mean(game, "forfeits")), (Some(1.0), Some(0.0)), "{game}");
        }
        assert_eq!((mean("cluedo", "wins of person"), mean("cluedo", "wins of elimination")), (Some(0.0), Some(0.0)));
        assert_eq!((mean("cluedo", "score of person"), mean("yokai", "wins")), (None, Some(0.0)));
    }

    #[test]
    fn what_is_not_over_or_cannot_be_replayed_is_left_out() {
        let mut broken = cluedo(1, 0);
        broken.entries.pop();
        let unfinished = Record { result: None, ..cluedo(2, 0) };
        let studied = Studied::of(&[broken, unfinished, cluedo(3, 0)]);
        assert_eq!(studied.left_out.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(studied.report().games, 1);
        assert!(Studied::of(&[]).report().rows.is_empty());
    }
}
