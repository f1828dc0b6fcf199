//! Matches that were played, by people or machines, as the results of an experiment: the same rows, intervals and reports.
//!
//! A line-up is an arm: the game with the options that are not the usual ones and who played it, people as `person`.
//! Matches under different options are different games and never pooled. People who were helped are told from those who
//! were not, since help changes what is measured. The order of the seats does not matter. Matches of one deal are not
//! independent of each other, and the same match twice is one match, whatever help the records name: the first counts.

use crate::bout;
use crate::experiment::{Arm, Results, Sample, Spec, wins};
use crate::report::{LeftOut, Report};
use crate::stats::Range;
use crate::tournament;
use crate::yokai::{self, Ended};
use ken_games::game::Notation;
use ken_games::list::{GAMES, Setup};
use ken_games::record::{BadRecord, Ending, Forfeit, PERSON, Record, replay};
use ken_games::yokai::Yokai;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// What the paper's Table 3 says about one match of Yōkai: people with the machine, and people with each other.
const PAPER: [(&str, f64); 2] = [("machine", 0.28), ("person", 0.13)];

/// The players that are the paper's machine.
const PAPER_PLAYERS: [&str; 2] = ["paper", "paper-sat"];

/// Matches as results.
#[derive(Clone, Debug)]
pub struct Studied {
    /// The line-ups with what was measured.
    pub results: Results,
    /// Which records were left out, and why.
    pub left_out: Vec<LeftOut>,
    /// How many records were left out as copies of others.
    pub copies: usize,
}

/// The matches of one line-up.
struct LineUp<'a> {
    label: String,
    record: &'a Record,
    /// By the seeds of the deals.
    samples: BTreeMap<u64, Vec<Sample>>,
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
        let mut lineups: BTreeMap<[String; 3], LineUp<'a>> = BTreeMap::new();
        let (mut seen, mut copies) = (HashSet::new(), 0);
        for (line, record) in records {
            match measured(record) {
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
                    let who = who(record);
                    let label = format!("{}{words}: {who}", record.game);
                    let key = [record.game.clone(), who, options];
                    let new = || LineUp { label, record, samples: BTreeMap::new() };
                    let lineup = lineups.entry(key).or_insert_with(new);
                    lineup.samples.entry(record.seed).or_default().push(sample);
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
                paper: paper(lineup.record),
                parameters: serde_json::Map::new(),
            });
        }
        let spec = Spec {
            name: "study".to_string(),
            title: "Matches".to_string(),
            source:
                "recorded matches that are over; the paper's numbers (Table 3) stand beside matches of Yōkai as its \
                     people played them: with its player or with each other, without help, with the onlooker"
                    .to_string(),
            games: 0,
            seed: 0,
            records: false,
            arms,
        };
        let samples = lineups.into_values().map(|lineup| lineup.samples.into_values().collect()).collect();
        Studied { results: Results::of(spec, samples, range), left_out, copies }
    }

    /// The report.
    pub fn report(&self) -> Report {
        let (left_out, copies) = (self.left_out.clone(), self.copies);
        Report { seed: None, left_out, copies, ..Report::new(&self.results, &[]) }
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

/// What the paper says about a line-up. Its people played without help, with its player or with each other, and its
/// interface ended a match as soon as the cards lay together: the onlooker. Beside anything else it says nothing.
fn paper(record: &Record) -> BTreeMap<String, f64> {
    let its = Yokai { oracle: true, ..Yokai::PLAIN };
    let its_game = GAMES.of_record(record).is_ok_and(|setup| setup.game().downcast_ref() == Some(&its));
    let alone = record.helpers.iter().all(|&h| h == 0);
    let (people, others): (Vec<&String>, Vec<&String>) = record.players.iter().partition(|p| *p == PERSON);
    let with = match (&people[..], &others[..]) {
        ([_], [machine]) if PAPER_PLAYERS.contains(&machine.as_str()) => "machine",
        ([_, _], []) => "person",
        _ => return BTreeMap::new(),
    };
    let said = PAPER.iter().filter(|(name, _)| *name == with && its_game && alone);
    said.map(|(_, wins)| ("wins".to_string(), *wins)).collect()
}

fn measured(record: &Record) -> Result<(Sample, Box<dyn Setup>), String> {
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
            .number("groups", ended.groups as f64)
            .yes("false stops", ended.stopped && !ended.won)
            .number("turns", ended.turns.into())
            .yes("forfeits", ended.forfeit && !resigned)
            .yes("resigned", resigned);
        return Ok((sample, setup));
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
    Ok((sample, setup))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bout::{Seated, play};
    use crate::experiment::{Memory, Orders, Plan, Start};
    use ken_games::cluedo::{Cluedo, players};
    use ken_games::dice::seat_seed;
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

    fn yokai(seed: u64, names: [&str; 2], oracle: bool) -> Record {
        let game = Yokai { oracle, ..Yokai::default() };
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
        records.extend([yokai(1, [PERSON, "paper"], false), yokai(2, ["paper", PERSON], false)]);
        let studied = Studied::of(&records);
        assert_eq!(
            studied.lineups().collect::<Vec<_>>(),
            [
                ("cluedo: elimination with elimination with person", 6),
                ("cluedo: elimination with elimination with person (help 4)", 1),
                ("yokai: paper with person", 2),
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
        assert_eq!(row(2, "score").n, 2);
        assert!(!report.text().contains("seed"));
    }

    #[test]
    fn a_match_that_a_person_resigned_is_counted_as_resigned_and_nobody_has_won_it() {
        let given_up = |mut record: Record| {
            record.entries.truncate(1);
            record.result = Some(Ending::resigned(record.players.len(), Seat(0)));
            record
        };
        let studied = Studied::of(&[given_up(cluedo(1, 0)), given_up(yokai(1, [PERSON, "paper"], false))]);
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
        assert_eq!(studied.left_out.iter().map(|l| l.line).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(studied.report().games, 1);
        assert!(Studied::of(&[]).report().rows.is_empty());
    }

    #[test]
    fn the_papers_number_stands_beside_the_papers_player_under_its_options_alone() {
        let wins = |names: [&str; 2], oracle: bool, help: u8| {
            let mut record = yokai(1, names, oracle);
            record.helpers[0] = help;
            let report = Studied::of(&[record]).report();
            report.rows.iter().find(|r| r.metric == "wins").unwrap().paper
        };
        assert_eq!(wins([PERSON, "paper"], true, 0), Some(0.28));
        assert_eq!(wins(["paper-sat", PERSON], true, 0), Some(0.28));
        assert_eq!(wins([PERSON, PERSON], true, 0), Some(0.13));
        for other in ["random", "learner", "conventional", "paper@6", "exec:paper"] {
            assert_eq!(wins([PERSON, other], true, 0), None, "{other}");
        }
        assert_eq!(wins([PERSON, "paper"], false, 0), None, "its interface ended a match by itself");
        assert_eq!(wins([PERSON, "paper"], true, 2), None, "its people had no help");
        assert_eq!(wins(["paper", "paper"], true, 0), None);
    }

    #[test]
    fn matches_under_different_options_are_not_pooled() {
        let mut short = yokai(1, [PERSON, "learner"], false);
        short.options = serde_json::json!({});
        let records = [short, yokai(2, [PERSON, "learner"], true), yokai(3, ["learner", PERSON], false)];
        let studied = Studied::of(&records);
        assert_eq!(
            studied.lineups().collect::<Vec<_>>(),
            [("yokai: learner with person", 2), ("yokai (oracle): learner with person", 1)]
        );
    }

    #[test]
    fn a_copy_of_a_match_is_not_counted_again_and_the_report_says_so() {
        let one = yokai(1, [PERSON, "learner"], false);
        let branch = one.branch("elsewhere", 0);
        let copies = [vec![one.clone(); 10], vec![Record { options: serde_json::json!({}), ..one.clone() }]].concat();
        let studied = Studied::of(&copies);
        assert_eq!((studied.copies, studied.report().games), (10, 1));
        assert!(studied.report().text().contains("10 records are copies of others"), "{}", studied.report().text());
        assert_eq!(studied.report().json()["copies"], 10);
        // Another deal or other players are no copies.
        let swapped = Record { players: vec!["learner".into(), "random".into()], ..one.clone() };
        let others = Studied::of(&[one.clone(), yokai(2, [PERSON, "learner"], false), swapped]);
        assert_eq!((others.copies, others.report().games), (0, 3));
        let again = Record { entries: one.entries.clone(), result: one.result.clone(), ..branch };
        assert_eq!(Studied::of(&[one, again]).copies, 1);
    }

    #[test]
    fn a_match_that_is_repeated_with_other_helpers_is_one_game() {
        let one = yokai(1, [PERSON, "learner"], false);
        let helped = Record { helpers: vec![1, 0], ..one.clone() };
        let studied = Studied::of(&[one, helped]);
        assert_eq!(studied.copies, 1);
        assert_eq!(studied.lineups().collect::<Vec<_>>(), [("yokai: learner with person", 1)]);
    }

    #[test]
    fn lost_games_that_are_all_alike_have_honest_intervals_inside_the_range_of_the_measure() {
        // Random players do not win: the scores are all 0.
        let report = |games: u64| {
            let lost = (0..).map(|seed| yokai(seed, ["random", "random"], false));
            let lost = lost.filter(|r| r.result.as_ref().is_some_and(|e| e.outcome.scores[0] == 0));
            Studied::of(&lost.take(games as usize).collect::<Vec<_>>()).report()
        };
        for games in [1, 2, 4, 6, 12] {
            let report = report(games);
            let row = |metric: &str| report.rows.iter().find(|r| r.metric == metric).unwrap();
            let (score, wins) = (row("score"), row("wins"));
            assert_eq!((score.mean, wins.mean, score.n), (0.0, 0.0, games));
            // At most as certain as what the same games tell of the wins.
            assert!(score.low < 0.0 && score.high > 35.0 * wins.high * 0.75 && score.high <= 35.0, "{score:?}");
            for (metric, most) in [("groups", 4.0), ("turns", 14.0)] {
                let row = row(metric);
                assert!(0.0 <= row.low && row.low < row.high && row.high <= most, "{row:?}");
            }
            assert!(!report.text().contains('∞'), "{}", report.text());
        }
    }

    #[test]
    fn the_intervals_of_a_report_are_those_of_the_run_whose_records_it_reads() {
        let text = "name = \"duel\"\ntitle = \"A duel\"\nsource = \"none\"\ngames = 12\nseed = 3\n[[arm]]\n\
                    label = \"duel\"\nkind = \"tournament\"\ngame = \"cluedo\"\n\
                    players = [\"elimination\", \"random\"]\nscores = true\noptions = { players = 2, turns = 6 }\n";
        let plan = Plan::new(Spec::parse(text).unwrap(), crate::catalogue::arm).unwrap();
        let mut store = Memory::default();
        let run =
            Report::new(&crate::experiment::run(&plan, &mut store, Start::Afresh, &Orders::default()).unwrap(), &[]);
        let games = store.0.iter().filter(|(name, _)| name.ends_with(".jsonl")).flat_map(|(_, text)| text.lines());
        let record = |line: &str| Record::from_data(&serde_json::from_str::<Value>(line).unwrap()["record"]).unwrap();
        let records: Vec<Record> = games.map(record).collect();
        let report = Studied::of(&records).report();
        let mut compared = 0;
        for row in &report.rows {
            let Some(ours) = run.rows.iter().find(|r| r.metric == row.metric) else { continue };
            // The deals are added up in another order.
            let near = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9;
            let same = near(ours.mean, row.mean) && near(ours.low, row.low) && near(ours.high, row.high);
            assert!(same && ours.n == row.n, "{ours:?} {row:?}");
            compared += 1;
        }
        assert!(compared >= 4, "{report:?}");
    }

    #[test]
    fn a_person_has_one_name_in_records_old_and_new() {
        let new = yokai(1, [PERSON, "learner"], false);
        let old = yokai(2, [PERSON, "learner"], false);
        let old = Record::from_text(&old.to_line().replace("\"person\"", "\"you\"")).unwrap();
        assert_eq!(Studied::of(&[new, old]).lineups().collect::<Vec<_>>(), [("yokai: learner with person", 2)]);
    }
}
