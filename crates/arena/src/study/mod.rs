//! Matches that were played, by people or machines, as the results of an experiment: the same rows, intervals and reports.
//!
//! A line-up is an arm: the game with the options that are not the usual ones and who played it, people as `person`
//! whatever a record calls them (`person`). Matches under different options are different games and never pooled. People who were helped are told from those who
//! were not, since help changes what is measured. The order of the seats does not matter. Matches of one deal are not
//! independent of each other, and the same match twice is one match, whatever help the records name: the first counts.
//!
//! Of Yōkai the paper's measures are taken: wins, the best score of each ten matches in the order of the records, and how many
//! colours lie together at the end (its collaboration level), with how often each number of them occurs. Where people played both with
//! a machine and with each other, under the same options and with the same help, the difference stands beside the machine.

mod paper;
mod person;

pub use person::is_person;

use crate::bout;
use crate::experiment::{Arm, Results, Sample, Spec, wins};
use crate::report::{LeftOut, Report, Row, level_of};
use crate::stats::{self, Estimate, Range};
use crate::tournament;
use crate::yokai::{self, Ended};
use ken_games::game::Notation;
use ken_games::list::{GAMES, Setup};
use ken_games::record::{BadRecord, Ending, Forfeit, PERSON, Record, replay};
use ken_games::yokai::{Colour, Yokai};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// How many matches a set of the paper has.
const SET: usize = 10;

/// The measure of a set.
const BEST: &str = "best of ten";

/// What people with a machine are compared with people alone in.
const COMPARED: [&str; 3] = ["wins", "score", "groups"];

/// Matches as results.
#[derive(Clone, Debug)]
pub struct Studied {
    /// The line-ups with what was measured.
    pub results: Results,
    /// Which records were left out, and why.
    pub left_out: Vec<LeftOut>,
    /// How many records were left out as copies of others.
    pub copies: usize,
    /// The names that count as people although the records do not say `person`.
    pub people: Vec<String>,
    /// For each line-up what is not measured match by match.
    whole: Vec<Vec<Whole>>,
}

/// A measure of all matches of a line-up together.
#[derive(Clone, Debug)]
struct Whole {
    metric: String,
    estimate: Estimate,
    paper: Option<f64>,
}

/// The matches of one line-up.
struct LineUp {
    label: String,
    /// The first record, with people as `person`.
    record: Record,
    /// By the seeds of the deals.
    samples: BTreeMap<u64, Vec<Sample>>,
    /// The scores of matches of Yōkai, in the order of the records.
    scores: Vec<f64>,
}

impl LineUp {
    /// The best score of each ten matches; those that are left over do not count.
    fn best(&self) -> Option<Estimate> {
        let sets = self.scores.chunks_exact(SET).map(|set| set.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        let sets: Vec<f64> = sets.collect();
        let estimate = stats::student(&sets, yokai::SCORES)?;
        Some(Estimate { n: (sets.len() * SET) as u64, ..estimate })
    }
}

impl Studied {
    /// Groups records by game, options and line-up and measures each match. What is not over or cannot be replayed is
    /// left out. Records are counted from 1, as if each stood on a line.
    pub fn of(records: &[Record]) -> Studied {
        Studied::gather((1..).zip(records), Vec::new())
    }

    /// The same of the lines of a text, each with its number: a line that is no record is left out as well.
    pub fn of_lines(lines: &[(usize, Result<Record, BadRecord>)]) -> Studied {
        let bad = |(line, read): &(usize, Result<Record, BadRecord>)| {
            Some(LeftOut { line: *line, why: read.as_ref().err()?.to_string() })
        };
        let records = lines.iter().filter_map(|(line, read)| Some((*line, read.as_ref().ok()?)));
        Studied::gather(records, lines.iter().filter_map(bad).collect())
    }

    fn gather<'a>(records: impl Iterator<Item = (usize, &'a Record)>, mut left_out: Vec<LeftOut>) -> Studied {
        let mut lineups: BTreeMap<[String; 3], LineUp> = BTreeMap::new();
        let (mut seen, mut copies, mut people) = (HashSet::new(), 0, BTreeSet::new());
        for (line, record) in records {
            let (record, others) = person::named(record);
            match measured(&record) {
                Ok((sample, setup)) => {
                    let (options, words) = options(setup.as_ref());
                    // Neither how the options are written, nor where the match comes from, nor how much help was open
                    // makes it another one.
                    let helpers = vec![0; record.helpers.len()];
                    let same = Record { options: options.clone().into(), branch: None, helpers, ..record.clone() };
                    if !seen.insert(same.to_line()) {
                        copies += 1;
                        continue;
                    }
                    people.extend(others);
                    let who = who(&record);
                    let label = format!("{}{words}: {who}", record.game);
                    let (key, seed) = ([record.game.clone(), who, options], record.seed);
                    let new = || LineUp { label, record, samples: BTreeMap::new(), scores: Vec::new() };
                    let lineup = lineups.entry(key).or_insert_with(new);
                    lineup.scores.extend(sample.score);
                    lineup.samples.entry(seed).or_default().push(sample.sample);
                }
                Err(why) => left_out.push(LeftOut { line, why }),
            }
        }
        left_out.sort_by_key(|l| l.line);
        let mut arms: Vec<Arm> = Vec::new();
        for lineup in lineups.values() {
            // Options that are too long for a label are told apart by a number.
            let same = arms.iter().filter(|arm| arm.label.split(" #").next() == Some(&lineup.label)).count();
            let number = if same == 0 { String::new() } else { format!(" #{}", same + 1) };
            arms.push(Arm {
                label: format!("{}{number}", lineup.label),
                kind: lineup.record.game.clone(),
                games: Some(lineup.samples.values().map(Vec::len).sum::<usize>() as u64),
                against: None,
                paper: paper::said(&lineup.record),
                parameters: serde_json::Map::new(),
            });
        }
        let spec = Spec {
            name: "study".to_string(),
            title: "Matches".to_string(),
            source:
                "recorded matches that are over; the paper's numbers (Table 3) stand beside matches of Yōkai as its \
                     people played them: with its player or with each other, without help, with the onlooker, the best \
                     score of sets of ten matches"
                    .to_string(),
            games: 0,
            seed: 0,
            records: false,
            arms,
        };
        let (keys, lineups): (Vec<[String; 3]>, Vec<LineUp>) = lineups.into_iter().unzip();
        let best: Vec<Option<Estimate>> = lineups.iter().map(LineUp::best).collect();
        let records: Vec<Record> = lineups.iter().map(|lineup| lineup.record.clone()).collect();
        let samples = lineups.into_iter().map(|lineup| lineup.samples.into_values().collect()).collect();
        let results = Results::of(spec, samples, range);
        let whole = (0..records.len()).map(|i| {
            let alone = with_people(&records[i]).and_then(|who| {
                let key = [keys[i][0].clone(), who, keys[i][2].clone()];
                keys.iter().position(|other| *other == key)
            });
            whole(&results, &records, &best, i, alone)
        });
        let whole = whole.collect();
        Studied { results, left_out, copies, people: people.into_iter().collect(), whole }
    }

    /// The report.
    pub fn report(&self) -> Report {
        let (left_out, copies, people) = (self.left_out.clone(), self.copies, self.people.clone());
        let mut report = Report { seed: None, left_out, copies, people, ..Report::new(&self.results, &[]) };
        for (arm, whole) in self.results.spec.arms.iter().zip(&self.whole) {
            let place = report.rows.iter().rposition(|row| row.label == arm.label).map_or(report.rows.len(), |i| i + 1);
            let row = |Whole { metric, estimate: Estimate { n, mean, low, high }, paper }: &Whole| Row {
                label: arm.label.clone(),
                metric: metric.clone(),
                mean: *mean,
                low: *low,
                high: *high,
                n: *n,
                paper: *paper,
                target: None,
                pass: None,
            };
            report.rows.splice(place..place, whole.iter().map(row));
        }
        report
    }

    /// The line-ups with their numbers of matches.
    pub fn lineups(&self) -> impl Iterator<Item = (&str, u64)> {
        self.results.spec.arms.iter().zip(&self.results.arms).map(|(arm, played)| (arm.label.as_str(), played.games))
    }
}

/// All options of a game as text, and in words those that are not the usual ones. How many play is seen by their names.
fn options(setup: &dyn Setup) -> (String, String) {
    const LONG: usize = 24;
    let options = setup.options();
    let usual = GAMES.with_options(setup.name(), &Value::Null).map_or(Value::Null, |usual| usual.options());
    let word = |(name, value): (&String, &Value)| match value {
        value if usual.get(name) == Some(value) || name == "players" => None,
        Value::Bool(true) => Some(name.replace('_', " ")),
        Value::Bool(false) => Some(format!("no {}", name.replace('_', " "))),
        value => Some(match value.to_string() {
            text if text.chars().count() <= LONG => format!("{} {}", name.replace('_', " "), text.replace('"', "")),
            _ => format!("own {}", name.replace('_', " ")),
        }),
    };
    let words: Vec<String> = options.as_object().into_iter().flatten().filter_map(word).collect();
    let words = if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) };
    (options.to_string(), words)
}

/// Who played: `paper with person`.
fn who(record: &Record) -> String {
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
    players.join(" with ")
}

/// Which values a number that is measured of matches of this game can have.
fn range(game: &str, metric: &str) -> Range {
    match game {
        Yokai::NAME => yokai::range(metric),
        _ => tournament::range(game, metric),
    }
}

/// Who would have played if people had played with each other instead of with the machine, as in [`who`]; `None` unless one person
/// and one machine played Yōkai.
fn with_people(record: &Record) -> Option<String> {
    let (people, machines): (Vec<usize>, Vec<usize>) =
        (0..record.players.len()).partition(|&s| record.players[s] == PERSON);
    let ([person], [_], Yokai::NAME) = (&people[..], &machines[..], record.game.as_str()) else { return None };
    let (players, helpers) = (vec![PERSON.to_string(); 2], vec![record.helpers[*person]; 2]);
    Some(who(&Record { players, helpers, ..record.clone() }))
}

/// What is measured of all matches of a line-up together: the best of ten, and how far people with a machine are ahead of people
/// `alone`. The two are different matches, so that the difference is that of independent estimates.
fn whole(
    results: &Results,
    records: &[Record],
    best: &[Option<Estimate>],
    arm: usize,
    alone: Option<usize>,
) -> Vec<Whole> {
    let said = |i: usize, metric: &str| paper::said(&records[i]).get(metric).copied();
    let mut all: Vec<Whole> = Vec::new();
    if let Some(estimate) = best[arm] {
        all.push(Whole { metric: BEST.to_string(), estimate, paper: said(arm, BEST) });
    }
    let Some(alone) = alone else { return all };
    let estimate = |i: usize, metric: &str| match metric {
        BEST => best[i],
        _ => results.arms[i].column(metric)?.estimate(&results.arms[i].deals),
    };
    for metric in COMPARED.into_iter().chain([BEST]) {
        if let (Some(ours), Some(theirs)) = (estimate(arm, metric), estimate(alone, metric)) {
            all.push(Whole {
                metric: format!("{metric} minus {}", who(&records[alone])),
                estimate: stats::apart(&ours, &theirs),
                paper: said(arm, metric).zip(said(alone, metric)).map(|(ours, theirs)| ours - theirs),
            });
        }
    }
    all
}

/// What is measured of a match.
struct Measured {
    sample: Sample,
    /// What the score of a match of Yōkai was.
    score: Option<f64>,
}

fn measured(record: &Record) -> Result<(Measured, Box<dyn Setup>), String> {
    let Some(Ending { outcome, forfeit }) = &record.result else { return Err("the match is not over".to_string()) };
    let resigned = forfeit.as_ref().is_some_and(Forfeit::is_resignation);
    let setup = GAMES.of_record(record).map_err(|bad| bad.to_string())?;
    if let Some(game) = setup.game().downcast_ref::<Yokai>() {
        let played = replay(*game, record).map_err(|bad| bad.to_string())?;
        let score = outcome.scores.first().copied().filter(|_| forfeit.is_none());
        let ended = Ended::after(played.game(), played.events(), played.actions().last(), score);
        let sample = Sample::new()
            .yes("wins", ended.won)
            .number("score", ended.score as f64)
            .number("groups", ended.groups as f64);
        // How often each number of groups occurs.
        let levels = 0..=Colour::ALL.len();
        let sample = levels.fold(sample, |sample, level| sample.yes(level_of(level), ended.groups == level));
        let sample = sample
            .yes("false stops", ended.stopped && !ended.won)
            .number("turns", ended.turns.into())
            .yes("forfeits", ended.forfeit && !resigned)
            .yes("resigned", resigned);
        return Ok((Measured { sample, score: Some(ended.score as f64) }, setup));
    }
    // The deal is no action.
    let actions = setup.replay(record).map_err(|bad| bad.to_string())?.events() - 1;
    let mut sample = Sample::new().number("actions", actions as f64).yes("forfeits", forfeit.is_some() && !resigned);
    sample = sample.yes("resigned", resigned);
    let mut names = record.players.clone();
    names.sort();
    names.dedup();
    // A match that was given up does not tell who would have won it.
    let shares = match resigned {
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
    Ok((Measured { sample, score: None }, setup))
}

#[cfg(test)]
mod tests;
