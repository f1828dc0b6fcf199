//! What is measured of recorded matches.

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
    let seat =
        |(seat, name): (Seat, &str)| Seated::new(name, minds::seat("random", &game, seat_seed(seed, seat)).unwrap());
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
    let run = Report::new(&crate::experiment::run(&plan, &mut store, Start::Afresh, &Orders::default()).unwrap(), &[]);
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

/// A match of two learners under these names.
fn learners(seed: u64, names: [&str; 2], oracle: bool) -> Record {
    let game = Yokai { oracle, ..Yokai::default() };
    let seat =
        |(seat, name): (Seat, &str)| Seated::new(name, minds::seat("learner", &game, seat_seed(seed, seat)).unwrap());
    let mut seats: Vec<_> = Seat::all(2).zip(names).map(seat).collect();
    play(&game, &mut seats, seed).record(&game)
}

fn score(record: &Record) -> i64 {
    record.result.as_ref().unwrap().outcome.scores[0]
}

fn row<'a>(report: &'a Report, label: &str, metric: &str) -> Option<&'a crate::report::Row> {
    report.rows.iter().find(|row| row.label == label && row.metric == metric)
}

#[test]
fn the_best_of_ten_is_that_of_each_ten_matches_in_the_order_of_the_records() {
    // Seeds that fall: the order of the records is not that of the deals.
    let records: Vec<Record> = (0..23).rev().map(|seed| learners(seed, [PERSON, "paper"], true)).collect();
    let best: Vec<f64> = records.chunks_exact(10).map(|ten| ten.iter().map(score).max().unwrap() as f64).collect();
    let report = Studied::of(&records).report();
    let found = row(&report, "yokai (oracle): paper with person", "best of ten").unwrap();
    assert_eq!((found.n, found.mean, found.paper), (20, (best[0] + best[1]) / 2.0, Some(8.6)));
    assert!(best[0] > 0.0 && found.low <= found.mean && found.mean <= found.high);
    let report = Studied::of(&records[..9]).report();
    assert!(row(&report, "yokai (oracle): paper with person", "best of ten").is_none(), "nine are no set of ten");
    let people: Vec<Record> = (0..10).map(|seed| learners(seed, [PERSON, PERSON], true)).collect();
    let report = Studied::of(&people).report();
    assert_eq!(row(&report, "yokai (oracle): person with person", "best of ten").unwrap().paper, Some(6.0));
}

#[test]
fn the_shares_of_the_numbers_of_groups_add_up_to_one_and_to_their_mean() {
    let records: Vec<Record> = (0..15).map(|seed| learners(seed, [PERSON, "learner"], false)).collect();
    let report = Studied::of(&records).report();
    let label = "yokai: learner with person";
    let shares: Vec<f64> = (0..=4).map(|k| row(&report, label, &format!("groups = {k}")).unwrap().mean).collect();
    let mean: f64 = shares.iter().zip(0..).map(|(share, k)| share * f64::from(k)).sum();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
    assert!((mean - row(&report, label, "groups").unwrap().mean).abs() < 1e-9, "{shares:?}");
    for text in [report.text(), report.markdown(), report.html()] {
        assert!(text.contains("groups = 3"), "{text}");
    }
}

#[test]
fn what_a_machine_adds_is_told_against_people_alone_under_the_same_options_and_with_the_same_help() {
    let mut records: Vec<Record> = (0..20).map(|seed| learners(seed, ["anna", "paper"], true)).collect();
    records.extend((20..40).map(|seed| learners(seed, [PERSON, "bert"], true)));
    records.extend((40..44).map(|seed| learners(seed, [PERSON, "learner"], false)));
    let report = Studied::of(&records).report();
    let (machine, alone) = ("yokai (oracle): paper with person", "yokai (oracle): person with person");
    for (metric, paper) in [("wins", Some(0.15)), ("score", None), ("groups", None), ("best of ten", Some(2.6))] {
        let [ours, theirs] = [machine, alone].map(|label| row(&report, label, metric).unwrap());
        let found = row(&report, machine, &format!("{metric} minus person with person")).unwrap();
        assert!((found.mean - (ours.mean - theirs.mean)).abs() < 1e-9 && found.n == ours.n + theirs.n, "{found:?}");
        assert!(found.low < found.mean && found.mean < found.high, "{found:?}");
        assert_eq!(found.paper.map(|p| (p * 100.0).round()), paper.map(|p: f64| (p * 100.0).round()), "{metric}");
    }
    let minus = |row: &&crate::report::Row| row.metric.contains(" minus ");
    assert_eq!(report.rows.iter().filter(minus).count(), 4, "people alone did not play without the onlooker");
    // Rows of a line-up stay together.
    let labels: Vec<&str> = report.rows.iter().map(|row| row.label.as_str()).collect();
    let mut runs = labels.clone();
    runs.dedup();
    assert_eq!(runs.len(), labels.iter().collect::<HashSet<_>>().len());
    records.iter_mut().take(20).for_each(|record| record.helpers = vec![2, 0]);
    let helped = Studied::of(&records).report();
    assert!(!helped.rows.iter().any(|row| row.metric.contains(" minus ")), "help is no part of the machine");
}

#[test]
fn whatever_a_record_calls_a_person_it_is_a_person_and_the_report_says_so() {
    let names = [["anna", "learner"], ["learner", "bert"], [PERSON, "learner"], ["exec:./anna", "learner"]];
    let records: Vec<Record> = (0..).zip(names).map(|(seed, names)| yokai(seed, names, false)).collect();
    let studied = Studied::of(&records);
    assert_eq!(
        studied.lineups().collect::<Vec<_>>(),
        [("yokai: exec:./anna with learner", 1), ("yokai: learner with person", 3)]
    );
    let report = studied.report();
    assert!(report.text().replace('\n', " ").contains("The names anna, bert are no players'"), "{}", report.text());
    assert_eq!(report.json()["people"], serde_json::json!(["anna", "bert"]));
    // The same match with another name is the same match.
    let renamed = Record { players: vec!["cleo".into(), "learner".into()], ..records[0].clone() };
    assert_eq!(Studied::of(&[records[0].clone(), renamed]).copies, 1);
}

#[test]
fn long_names_are_wrapped_at_80_columns_and_every_letter_of_them_is_there() {
    let long = "exec:./players/a-player-with-a-very-long-name --with --many --flags --and --a --path /x/y/z";
    let mut records: Vec<Record> = (0..10).map(|seed| learners(seed, [PERSON, long], true)).collect();
    records.extend((0..10).map(|seed| learners(seed, [PERSON, PERSON], true)));
    let text = Studied::of(&records).report().text();
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [format!("{long} with person"), "best of ten minus person with person".to_string()] {
        assert!(joined.contains(&part), "{part}\n{text}");
    }
    assert!(!text.contains('…'), "{text}");
}
