//! Experiments: the same for any number of threads, resumable at any point, refused when something changed.

use crate::support::games;
use ken_arena::Problem;
use ken_arena::catalogue::PATIENCE;
use ken_arena::directory::Directory;
use ken_arena::experiment::{
    Arm, Experiment, Memory, Orders, Plan, Progress, Results, Sample, Spec, Start, Store, ahead, run, wins,
};
use ken_arena::thesis::{self, Solved};
use ken_arena::tournament::Tournament;
use ken_games::dice::Dice;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) const SPEC: &str = r#"
name = "test"
title = "A <test> of arms"
source = "nobody's paper, table 0"
games = 100
seed = 7

[[arm]]
label = "waits"
kind = "cluedo-thesis"
player = "random"
rule = "C"
paper = { rounds = 6.1 }

[[arm]]
label = "waits less"
kind = "cluedo-thesis"
player = "quick"
rule = "C"
against = "waits"

[[arm]]
label = "meets"
kind = "tournament"
games = 40
game = "twelve"
options = { seats = 3 }
players = ["random", "random", "careful", "cheat"]
"#;

pub(crate) fn make(arm: &Arm) -> Result<Box<dyn Experiment>, Problem> {
    match arm.kind.as_str() {
        "cluedo-thesis" => thesis::arm(arm, |parameters| {
            let faces = if parameters.player == "quick" { 4 } else { 6 };
            Ok(move |seed| {
                let mut dice = Dice::new(seed);
                let mut throws = 1..=parameters.limit.min(30);
                let rounds = throws.find(|_| dice.below(faces) == 0);
                Solved { rounds: rounds.unwrap_or(30), solved: rounds.is_some() }
            })
        }),
        "tournament" => Ok(Box::new(Tournament::new(&games(), arm, PATIENCE)?)),
        kind => Err(Problem::new(format!("there is no kind `{kind}`"))),
    }
}

pub(crate) fn plan() -> Plan {
    Plan::new(Spec::parse(SPEC).unwrap(), make).unwrap()
}

fn full(jobs: usize) -> (Memory, Results) {
    let mut store = Memory::default();
    let orders = Orders { jobs, ..Orders::default() };
    let results = run(&plan(), &mut store, Start::Afresh, &orders).unwrap();
    (store, results)
}

#[test]
fn records_and_results_do_not_depend_on_threads() {
    let (store, results) = full(1);
    assert_eq!(
        store.0.keys().collect::<Vec<_>>(),
        ["01-waits.jsonl", "02-waits-less.jsonl", "03-meets.jsonl", "run.json"]
    );
    assert_eq!(store.0["01-waits.jsonl"].lines().count(), 100);
    // 40 games are not whole blocks of three: one deal is played in all three rotations.
    assert_eq!(store.0["03-meets.jsonl"].lines().count(), 42);
    for jobs in [2, 5, 0] {
        let (other, others) = full(jobs);
        assert!(other == store && others == results, "{jobs} threads");
    }
}

/// Runs until `games` games of this run have been played, then stops; returns whether all are done.
fn part(store: &mut Memory, start: Start, jobs: usize, games: u64) -> bool {
    let stop = AtomicBool::new(false);
    let progress = |p: Progress| {
        if p.done - p.before >= games {
            stop.store(true, Ordering::Relaxed);
        }
    };
    run(&plan(), store, start, &Orders { jobs, stop: &stop, progress: &progress, ..Orders::default() })
        .unwrap()
        .complete
}

#[test]
fn a_run_that_is_interrupted_and_resumed_gives_the_same_bytes() {
    let (whole, results) = full(2);
    let mut dice = Dice::new(11);
    for _ in 0..12 {
        let mut store = Memory::default();
        let mut start = Start::Afresh;
        let mut draw = |n: usize| 1 + dice.below(n);
        while !part(&mut store, start, draw(5), draw(120) as u64) {
            start = Start::Resume;
            // A crash tears the last text that was written.
            if draw(2) == 1 {
                let names: Vec<String> = store.0.keys().filter(|n| *n != "run.json").cloned().collect();
                let text = store.0.get_mut(&names[draw(names.len()) - 1]).unwrap();
                let keep = text.len().saturating_sub(draw(200));
                text.truncate(keep);
            }
        }
        assert!(store == whole);
        let again = run(&plan(), &mut store, Start::Resume, &Orders::default()).unwrap();
        assert_eq!(again, results);
    }
}

#[test]
fn a_finished_game_is_in_the_store_while_an_earlier_one_is_still_played() {
    /// Game 0 ends when the store holds all the others.
    struct Waits(Arc<AtomicU64>, u64);
    impl Experiment for Waits {
        fn run(&self, game: u64, _: u64) -> Sample {
            let begun = Instant::now();
            while game == 0 && self.0.load(Ordering::Relaxed) < self.1 && begun.elapsed() < Duration::from_secs(60) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Sample::new().number("number", game as f64)
        }
    }
    /// Counts the lines that come in.
    struct Counting(Memory, Arc<AtomicU64>);
    impl Store for Counting {
        fn read(&self, name: &str) -> io::Result<Option<String>> {
            self.0.read(name)
        }
        fn replace(&mut self, name: &str, text: &str) -> io::Result<()> {
            self.0.replace(name, text)
        }
        fn append(&mut self, name: &str, text: &str) -> io::Result<()> {
            self.1.fetch_add(text.lines().count() as u64, Ordering::Relaxed);
            self.0.append(name, text)
        }
        fn remove(&mut self, name: &str) -> io::Result<()> {
            self.0.remove(name)
        }
    }
    const GAMES: u64 = 200;
    let stored = Arc::new(AtomicU64::new(0));
    let spec = SPEC.split("[[arm]]").take(2).collect::<Vec<_>>().join("[[arm]]");
    let make = |_: &Arm| Ok(Box::new(Waits(Arc::clone(&stored), GAMES - 1)) as Box<dyn Experiment>);
    let plan = Plan::new(Spec::parse(&spec).unwrap(), make).unwrap().with_games(GAMES);
    // Killed in the middle: a copy of what the store holds before game 0 is over.
    let mut store = Counting(Memory::default(), Arc::clone(&stored));
    let early = Mutex::new(0);
    let kept = || {
        let lines = stored.load(Ordering::Relaxed);
        if lines < GAMES {
            *early.lock().unwrap() = lines;
        }
    };
    let orders = Orders { jobs: 2, kept: &kept, ..Orders::default() };
    let results = run(&plan, &mut store, Start::Afresh, &orders).unwrap();
    assert!(results.complete);
    assert_eq!(*early.lock().unwrap(), GAMES - 1, "all but the first were written before it was over");
    assert_eq!(store.0.0.keys().collect::<Vec<_>>(), ["01-waits.jsonl", "run.json"], "nothing is left beside");
}

#[test]
fn games_that_were_ahead_are_not_played_again_when_a_run_is_resumed() {
    let (whole, results) = full(1);
    let mut store = whole.clone();
    let lines: Vec<&str> = whole.0["01-waits.jsonl"].split_inclusive('\n').collect();
    store.0.insert("01-waits.jsonl".into(), lines[..40].concat());
    // Games 41, 44 and 99 were over before game 40, and the line of another was torn.
    let ahead = [lines[44], lines[41], lines[99], &lines[60][..9]].concat();
    store.0.insert("01-waits.ahead".into(), ahead);
    let played = AtomicU64::new(0);
    let progress = |p: Progress| {
        played.fetch_add(1, Ordering::Relaxed);
        assert_eq!(p.before, 242 - 60 + 3);
    };
    let again = run(&plan(), &mut store, Start::Resume, &Orders { progress: &progress, ..Orders::default() }).unwrap();
    assert_eq!(played.into_inner(), 57);
    assert!(store == whole && again == results);
}

#[test]
fn results_of_an_interrupted_run_are_of_whole_blocks_of_what_is_kept() {
    let mut store = Memory::default();
    assert!(!part(&mut store, Start::Afresh, 1, 205));
    let stop = AtomicBool::new(true);
    let results = run(&plan(), &mut store, Start::Resume, &Orders { stop: &stop, ..Orders::default() }).unwrap();
    assert!(!results.complete);
    assert_eq!(results.arms.iter().map(|a| a.games).collect::<Vec<_>>(), [100, 100, 3]);
    assert_eq!(store.0["03-meets.jsonl"].lines().count(), 5);
}

#[test]
fn more_games_can_be_added_and_the_first_ones_stay() {
    let (mut store, _) = full(2);
    let before = store.clone();
    let more = plan().with_games(150);
    let results = run(&more, &mut store, Start::Resume, &Orders::default()).unwrap();
    assert!(results.complete);
    assert!(before.0.iter().all(|(name, text)| store.0[name].starts_with(text)));
    let mut afresh = Memory::default();
    assert_eq!(run(&plan().with_games(150), &mut afresh, Start::Afresh, &Orders::default()).unwrap(), results);
    assert!(afresh == store);
}

#[test]
fn records_of_another_run_are_refused_and_left_alone() {
    let (store, _) = full(1);
    let refusal = |plan: Plan| {
        let mut copy = store.clone();
        let problem = run(&plan, &mut copy, Start::Resume, &Orders::default()).unwrap_err();
        assert!(copy == store);
        problem.message
    };
    assert_eq!(refusal(plan().with_seed(8)), "the records are of another run: its seed is 7, not 8");
    let changed = |from: &str, to: &str| Plan::new(Spec::parse(&SPEC.replace(from, to)).unwrap(), make).unwrap();
    let message = refusal(changed("player = \"quick\"", "player = \"slow\""));
    assert!(
        message.contains("arm 2 is {\"label\":\"waits less\"") && message.contains("\"player\":\"slow\""),
        "{message}"
    );
    // What a paper says and how the experiment is called in its headline change nothing that was played.
    let harmless = changed("rounds = 6.1", "rounds = 6.2");
    assert!(run(&harmless, &mut store.clone(), Start::Resume, &Orders::default()).unwrap().complete);
}

#[test]
fn arms_that_are_compared_meet_the_same_chance_and_others_do_not() {
    let plan = plan();
    let seeds = |arm: usize| (0..6).map(|game| plan.seed(arm, game)).collect::<Vec<_>>();
    assert_eq!(seeds(0), seeds(1));
    let meets = seeds(2);
    assert!(meets[0] == meets[2] && meets[2] != meets[3] && meets[0] != seeds(0)[0]);
    assert_eq!(seeds(0)[5], ken_games::dice::mix(ken_games::dice::mix(7, 0), 5));
}

#[test]
fn in_a_block_every_player_has_every_seat_with_the_same_deal() {
    let (store, results) = full(2);
    let records: Vec<serde_json::Value> = store.0["03-meets.jsonl"]
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["record"].take())
        .collect();
    for block in records.chunks(3) {
        assert!(block.iter().all(|r| r["seed"] == block[0]["seed"]));
        for shift in 0..3 {
            let rotated: Vec<_> = (0..3).map(|s| &block[0]["players"][(s + shift) % 3]).collect();
            assert_eq!(rotated, block[shift]["players"].as_array().unwrap().iter().collect::<Vec<_>>());
        }
    }
    let meets = &results.arms[2];
    assert_eq!(meets.rivals, ["careful", "cheat", "random"]);
    let mean = |metric: String| meets.column(&metric).unwrap().estimate(&meets.deals).unwrap().mean;
    assert!(mean(wins("careful")) > mean(wins("random")));
    assert_eq!(mean(ahead("cheat", "random")), 0.0);
    assert_eq!(mean(ahead("random", "cheat")), 1.0, "a forfeit is behind everybody");
}

#[test]
fn a_tournament_of_eleusis_reports_scores_where_the_spec_asks_for_them() {
    let text = |scores: bool| {
        format!(
            r#"
name = "express"
title = "Express"
source = "our own"
games = 12
seed = 3

[[arm]]
label = "three"
kind = "tournament"
game = "express"
options = {{ players = 3 }}
players = ["careful", "careful", "random"]
scores = {scores}
"#
        )
    };
    let report = |scores: bool| {
        let plan = Plan::new(Spec::parse(&text(scores)).unwrap(), ken_arena::catalogue::arm).unwrap();
        let results = run(&plan, &mut Memory::default(), Start::Afresh, &Orders::default()).unwrap();
        ken_arena::report::Report::new(&results, &[])
    };
    let with = report(true);
    let mean = |metric: &str| with.rows.iter().find(|row| row.metric == metric).expect(metric).mean;
    assert_eq!(mean("forfeits"), 0.0);
    assert!(mean("score of random") < mean("score of careful") && mean("score of careful") < 0.0);
    assert!(report(false).rows.iter().all(|row| !row.metric.starts_with("score")));
}

#[test]
fn progress_counts_every_game_once() {
    let seen = Mutex::new(Vec::new());
    let orders = Orders { jobs: 3, progress: &|p| seen.lock().unwrap().push(p), ..Orders::default() };
    run(&plan(), &mut Memory::default(), Start::Afresh, &orders).unwrap();
    let mut seen = seen.into_inner().unwrap();
    seen.sort_by_key(|p| p.done);
    assert!(seen.iter().map(|p| p.done).eq(1..=242));
    let last = Progress { done: 30, total: 50, before: 10 };
    assert_eq!((last.rate(4.0), last.left(4.0)), (5.0, Some(4.0)));
    assert_eq!(Progress { done: 10, ..last }.left(4.0), None);
}

#[test]
fn a_folder_is_a_store_like_memory() {
    let path = std::env::temp_dir().join(format!("ken-arena-{}", std::process::id()));
    let mut folder = Directory::open(path.join("runs")).unwrap();
    let stop = AtomicBool::new(false);
    let count = AtomicU64::new(0);
    let progress = |_| stop.store(count.fetch_add(1, Ordering::Relaxed) > 130, Ordering::Relaxed);
    let orders = Orders { jobs: 2, stop: &stop, progress: &progress, ..Orders::default() };
    assert!(!run(&plan(), &mut folder, Start::Afresh, &orders).unwrap().complete);
    run(&plan(), &mut folder, Start::Resume, &Orders::default()).unwrap();
    let (whole, _) = full(1);
    for (name, text) in &whole.0 {
        assert_eq!(folder.read(name).unwrap().as_ref(), Some(text), "{name}");
    }
    assert_eq!(folder.read("nothing").unwrap(), None);
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn a_store_that_fails_ends_the_run_with_its_message() {
    struct Full(Memory);
    impl Store for Full {
        fn read(&self, name: &str) -> io::Result<Option<String>> {
            self.0.read(name)
        }
        fn replace(&mut self, name: &str, text: &str) -> io::Result<()> {
            self.0.replace(name, text)
        }
        fn append(&mut self, _: &str, _: &str) -> io::Result<()> {
            Err(io::Error::other("no space left"))
        }
        fn remove(&mut self, name: &str) -> io::Result<()> {
            self.0.remove(name)
        }
    }
    let problem = run(&plan(), &mut Full(Memory::default()), Start::Afresh, &Orders::default()).unwrap_err();
    assert_eq!(problem.message, "no space left");
}

#[test]
fn everything_wrong_with_a_spec_is_told_at_once() {
    let texts = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>();
    let spec =
        SPEC.replace("label = \"waits less\"", "label = \"waits\"").replace("\"waits\"\n\n[[", "\"later\"\n\n[[");
    assert_eq!(
        texts(Spec::parse(&spec).unwrap_err()),
        ["two arms have the label `waits`", "the arm `waits` is against `later`, which is no earlier arm"]
    );
    let unknown = texts(Spec::parse(&format!("colour = 1\n{SPEC}")).unwrap_err());
    assert!(unknown[0].contains("unknown field `colour`"), "{unknown:?}");

    let refusals = |from: &str, to: &str| {
        Plan::new(Spec::parse(&SPEC.replace(from, to)).unwrap(), make).map(|_| ()).map_err(texts).unwrap_err()
    };
    let both = refusals("\"careful\", \"cheat\"", "\"nobody\"");
    assert_eq!(both, ["arm `meets`: there is no player `nobody`"]);
    assert!(refusals("rule = \"C\"", "rules = \"C\"")[1].starts_with("arm `waits less`: unknown field `rules`"));
    assert_eq!(
        refusals("\"random\", \"random\", ", ""),
        ["arm `meets`: 2 players are too few for 3 seats (a name may stand several times)"]
    );
    assert_eq!(refusals("seats = 3", "seats = 9"), ["arm `meets`: 2 to 6 can play"]);
}

#[test]
fn without_records_the_lines_hold_measures_only() {
    let spec = Spec::parse(&SPEC.replace("seed = 7", "seed = 7\nrecords = false")).unwrap();
    let mut store = Memory::default();
    let results = run(&Plan::new(spec, make).unwrap(), &mut store, Start::Afresh, &Orders::default()).unwrap();
    assert!(store.0.values().all(|text| !text.contains("\"record\"")));
    assert_eq!(results.arms, full(1).1.arms);
}

#[test]
fn what_cannot_be_written_as_a_number_is_left_out() {
    assert_eq!(Sample::new().number("a", f64::INFINITY), Sample::new());
}

#[test]
fn the_experiments_of_the_project_can_be_read_and_expect_only_what_they_measure() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    for folder in std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let spec = Spec::parse(&read("spec.toml")).unwrap_or_else(|e| panic!("{}: {e:?}", folder.display()));
        assert_eq!(spec.name, folder.file_name().unwrap().to_str().unwrap());
        assert!(read("README.md").contains(&format!("ken run experiments/{}", spec.name)));
        for arm in &spec.arms {
            match arm.kind.as_str() {
                "cluedo-thesis" => drop(arm.parameters::<thesis::Parameters>().unwrap()),
                "eleusis-search" => drop(arm.parameters::<ken_arena::search::Parameters>().unwrap()),
                "yokai" => drop(arm.parameters::<ken_arena::yokai::Parameters>().unwrap()),
                "tournament" => drop(arm.parameters::<ken_arena::tournament::Parameters>().unwrap()),
                kind => panic!("{}: there is no kind `{kind}`", folder.display()),
            }
        }
        for expectation in ken_arena::report::parse_expected(&read("expected.csv")).unwrap() {
            assert!(spec.position(&expectation.label).is_some(), "{}: {expectation:?}", folder.display());
        }
    }
}
