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
