use super::*;

const ME: Holder = [1; 32];
const OTHER: Holder = [2; 32];

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("ken-lab-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn wait(lab: &Lab, id: &str, until: impl Fn(&RunInfo) -> bool) -> RunInfo {
    for _ in 0..1200 {
        let info = lab.find(id).expect("a run").info(&ME);
        if until(&info) {
            return info;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the run did not come so far");
}

fn start(lab: &Lab, id: &str, experiment: &str, games: u64) -> Result<RunInfo, Problem> {
    lab.start(id.to_string(), find(experiment).unwrap(), games, &ME)
}

#[test]
fn a_run_is_played_to_its_end_and_its_report_survives_a_restart() {
    let folder = folder("end");
    let lab = Lab::open(folder.clone()).unwrap();
    start(&lab, "one", "yokai-exploring", 10).unwrap();
    let info = wait(&lab, "one", |i| i.state == RunState::Done);
    assert_eq!((info.done, info.total, info.mine, info.report), (10, 10, true, true));
    assert!(!lab.list(&OTHER)[0].mine);
    let report = lab.report("one", &ME).unwrap();
    assert!(report.rows.iter().any(|row| row.metric == "forfeits" && row.target == Some(0.0) && row.n == 10));
    assert!(lab.page("one").unwrap().contains("<svg"));
    drop(lab);
    let again = Lab::open(folder.clone()).unwrap();
    assert_eq!(again.list(&ME), [info]);
    assert_eq!(again.report("one", &ME).unwrap().rows, report.rows);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_run_that_was_not_over_goes_on_after_a_restart() {
    let folder = folder("restart");
    let unfinished = Kept {
        id: "two".to_string(),
        experiment: "yokai-exploring".to_string(),
        title: String::new(),
        games: 10,
        state: RunState::Playing,
        started: 5,
        why: None,
        by: hex(&ME),
        done: 3,
        total: 10,
    };
    unfinished.write(&folder).unwrap();
    let lab = Lab::open(folder.clone()).unwrap();
    wait(&lab, "two", |i| i.state == RunState::Done);
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn only_who_started_a_run_stops_it_and_only_a_few_wait() {
    let folder = folder("stop");
    let lab = Lab::open(folder.clone()).unwrap();
    assert_eq!(start(&lab, "x", "yokai-paper", MOST + 1).unwrap_err().code, "games");
    for i in 0..=WAITING {
        start(&lab, &format!("run{i}"), "yokai-paper", MOST).unwrap();
    }
    assert_eq!(start(&lab, "late", "yokai-paper", MOST).unwrap_err().code, "too-many");
    assert!(lab.stop("run0", &OTHER).unwrap().is_err());
    assert!(lab.stop("nobody", &ME).is_none());
    for i in (0..=WAITING).rev() {
        lab.stop(&format!("run{i}"), &ME).unwrap().unwrap();
    }
    for i in 0..=WAITING {
        wait(&lab, &format!("run{i}"), |info| info.state == RunState::Stopped);
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn old_runs_give_way_to_new_ones() {
    let folder = folder("old");
    let old = |i: usize| Kept {
        id: format!("old{i:02}"),
        experiment: "yokai-paper".to_string(),
        title: String::new(),
        games: 10,
        state: RunState::Done,
        started: i as u64,
        why: None,
        by: hex(&ME),
        done: 10,
        total: 10,
    };
    (0..KEPT).for_each(|i| old(i).write(&folder).unwrap());
    let lab = Lab::open(folder.clone()).unwrap();
    start(&lab, "new", "yokai-exploring", 10).unwrap();
    let list = lab.list(&ME);
    assert_eq!(list.len(), KEPT);
    assert_eq!((list[0].id.as_str(), list[KEPT - 1].id.as_str()), ("new", "old01"));
    assert!(!folder.join("old00").exists());
    wait(&lab, "new", |i| i.state == RunState::Done);
    let _ = std::fs::remove_dir_all(folder);
}
