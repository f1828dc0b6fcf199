//! Runs of experiments, each in a folder of its own, that get a signal.

use super::*;
use std::process::Child;
use std::time::{Duration, Instant};

/// A fresh folder with the spec of one arm.
fn experiment(name: &str, players: &str, games: u32) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("interrupted-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let spec = format!(
        "name = \"test\"\ntitle = \"A test\"\nsource = \"none\"\ngames = {games}\nseed = 7\nrecords = true\n\n\
         [[arm]]\nlabel = \"all\"\nkind = \"tournament\"\ngame = \"cluedo\"\noptions = {{ players = 2 }}\n\
         players = [{players}]\n"
    );
    std::fs::write(folder.join("spec.toml"), spec).unwrap();
    folder
}

fn start(folder: &Path, output: &Path, more: &[&str]) -> Child {
    let args = ["run".as_ref(), folder.as_os_str(), "--jobs".as_ref(), "2".as_ref(), "--output".as_ref()];
    Command::new(env!("CARGO_BIN_EXE_ken"))
        .args(args)
        .arg(output)
        .args(more)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// How many games are on disk: those in order and those ahead of an earlier one.
fn kept(output: &Path) -> usize {
    let read = |name: &str| std::fs::read_to_string(output.join(name)).unwrap_or_default();
    let both = [read("01-all.jsonl"), read("01-all.ahead")];
    let whole = both.iter().flat_map(|text| text.split_inclusive('\n')).filter(|line| line.ends_with('\n'));
    let game = |line: &str| serde_json::from_str::<Value>(line).unwrap()["game"].as_u64();
    whole.map(game).collect::<std::collections::BTreeSet<_>>().len()
}

fn until(what: &str, done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_run_that_gets_a_signal_keeps_its_finished_games_and_resumes_to_the_same_bytes() {
    let folder = experiment("signals", "\"inquirer\", \"elimination\"", 400);
    let whole = folder.join("whole");
    assert!(start(&folder, &whole, &[]).wait().unwrap().success());
    for (signal, code) in [("-TERM", Some(3)), ("-INT", Some(3)), ("-KILL", None)] {
        let output = folder.join(signal);
        let mut run = start(&folder, &output, &[]);
        until("no game is finished", || kept(&output) > 0);
        let before = kept(&output);
        send(signal, &run);
        assert_eq!(run.wait().unwrap().code(), code, "{signal}");
        let after = kept(&output);
        assert!(after >= before && after < 400, "{signal}: {before} games were there, and {after} are");
        assert!(start(&folder, &output, &["--resume"]).wait().unwrap().success(), "{signal}");
        for name in ["01-all.jsonl", "rows.json", "report.md"] {
            let read = |at: &Path| std::fs::read(at.join(name)).unwrap();
            assert!(read(&output) == read(&whole), "{signal}: {name}");
        }
        assert!(!output.join("01-all.ahead").exists(), "{signal}: nothing is left beside");
    }
}

#[test]
fn two_interrupts_do_not_wait_for_a_long_game_and_lose_none_that_is_finished() {
    // The first program that sees a deal sleeps; all others end at once, and forfeit.
    let player = "\"exec:sh -c 'read hello && read deal && mkdir first && sleep 25'\", \"random\"";
    let folder = experiment("twice", player, 40);
    let output = folder.join("results");
    let mut run = start(&folder, &output, &[]);
    until("the games behind the long one are not finished", || kept(&output) >= 5);
    let before = kept(&output);
    assert!(run.try_wait().unwrap().is_none(), "the long game is still played");
    send("-INT", &run);
    std::thread::sleep(Duration::from_millis(100));
    assert!(run.try_wait().unwrap().is_none(), "one interrupt waits for it");
    let begun = Instant::now();
    send("-INT", &run);
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(3), "two do not");
    assert!((before..40).contains(&kept(&output)), "{before} games were there, and {} are", kept(&output));
    assert!(start(&folder, &output, &["--resume"]).wait().unwrap().success());
    assert_eq!(kept(&output), 40);
}
