//! `ken play express`, `ken play eleusis` and their records, driven as a person would: lines in, lines out.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Run {
    code: i32,
    out: String,
    err: String,
}

fn ken(args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ken"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_string();
    let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("eleusis-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Three players, two suits with six values: short rounds.
const SMALL: &str = r#"{"deck": {"values": 6}, "hand": 3}"#;

fn small<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["play", "express", "--against", "careful,random", "--options", SMALL, "--seed", "4"];
    args.extend(more);
    args
}

/// Lines that play a seat to the end, whatever happens: what does not fit is refused and costs nothing.
fn script() -> String {
    let cards = (1..=6).flat_map(|rank| [format!("R{rank}"), format!("B{rank}")]);
    let turns: String =
        cards.map(|c| format!("{c}\npass\nguess any card\nyes\ndiscard {c}\nrule parity changes\nyes\n")).collect();
    turns.repeat(12)
}

fn fits(run: &Run) {
    let long = run.out.lines().find(|l| l.chars().count() > 80 && !l.contains('/'));
    assert_eq!(long, None, "every line fits 80 columns");
    assert!(!run.out.contains('\x1b'), "no colour outside a terminal");
}

#[test]
fn a_scripted_match_of_express_is_played_dealt_and_told_again() {
    let file = folder("express").join("m.json").display().to_string();
    let run = ken(&small(&["--record", &file]), &script());
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    fits(&run);
    for expected in [
        "express with the seats 0 you, 1 careful, 2 random",
        "you are seat 0",
        "round 1 of 3, seat 2 deals",
        "you deal: `rule RULE`> rule parity changes",
        "read as: (rank of next mod 2) != (rank of previous mod 2)",
        "it accepts 50% of the deck on average, 50% at least",
        "fair: a quarter to a half of the deck, every card somewhere, and no dead end",
        "the round is over",
        "the seed was 4",
    ] {
        assert!(run.out.contains(expected), "{expected}\n{}", run.out);
    }
    let told = ken(&["replay", &file], "");
    assert_eq!(told.code, 0, "{}", told.err);
    fits(&told);
    assert!(told.out.contains("seat 0 deals with the rule `parity changes`"), "{}", told.out);
    let seat = ken(&["replay", &file, "--as", "1"], "");
    assert!(seat.out.contains("seat 0 chooses a rule and deals"), "{}", seat.out);
}

#[test]
fn whoever_is_to_deal_is_not_shown_the_hand_of_the_round_before() {
    let run = ken(&small(&[]), &script());
    let mut hand = "";
    let mut deals = 0;
    for line in run.out.lines() {
        if line.starts_with("you hold") {
            hand = line;
        }
        if line.contains("you deal: `rule RULE`>") {
            deals += 1;
            assert_eq!(hand, "you hold no cards: the round has not been dealt yet", "{}", run.out);
        }
    }
    assert!(deals > 0, "seat 0 deals a round: {}", run.out);
    // Cards are held in the rounds that others deal.
    assert!(run.out.lines().any(|l| l.starts_with("you hold") && l.contains("R")), "{}", run.out);
}

#[test]
fn a_rule_that_cannot_be_read_is_shown_with_its_place_and_nothing_is_lost() {
    let typed = "rule parity chnages\nrule red\nhand\nrule parity changes\nyes\nquit\n";
    // Seat 2 deals first.
    let args = ["play", "express", "--seat", "2", "--against", "random,random", "--seed", "3"];
    let run = ken(&args, typed);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    fits(&run);
    assert!(run.out.contains("chnages") && run.out.contains("^^^"), "{}", run.out);
    assert!(run.out.contains("not fair: a quarter to a half"), "{}", run.out);
    assert!(run.out.contains("some cards are never accepted"), "{}", run.out);
    assert!(run.out.contains("seat 2 deals with the rule `parity changes`"), "{}", run.out);
}

#[test]
fn help_follows_its_level() {
    let typed = "know red\nwhy red\nknow K[1] knows_rule(1)\nadvise\nsheet\nquit\n";
    let low = ken(&small(&["--helper", "1"]), typed);
    assert!(low.out.contains("`know` needs helper level 3"), "{}", low.out);
    assert!(!low.out.contains("library rules fit"), "{}", low.out);
    let high = ken(&small(&["--helper", "4"]), typed);
    assert_eq!(high.code, 0);
    fits(&high);
    for expected in
        ["open: it is true if", "the rule: red", "excluded: you know that it is false", "library rules fit; how many"]
    {
        assert!(high.out.contains(expected), "{expected}\n{}", high.out);
    }
}

#[test]
fn a_match_of_1959_is_watched_and_programs_get_json() {
    let args = ["play", "eleusis", "--seat", "none", "--against", "careful,careful,random", "--seed", "1"];
    let run = ken(&args, "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    fits(&run);
    assert!(run.out.contains("1 card set aside") || run.out.contains("set aside"), "{}", run.out);
    let run = ken(&small(&["--json"]), "{\"action\": \"no play\"}\n");
    let lines: Vec<Value> = run.out.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert!(lines.iter().any(|l| l["sight"]["deal"] == 2 && l["sight"]["rule"].is_null()), "{}", run.out);
    assert!(lines.iter().any(|l| l["sight"]["no_play"] == 0), "{}", run.out);
}

#[test]
fn the_games_and_their_players_are_listed_and_wrong_options_are_explained() {
    let games = ken(&["list", "games"], "").out;
    assert!(games.contains("express") && games.contains("eleusis"), "{games}");
    let players = ken(&["list", "players"], "").out;
    assert!(players.contains("careful"), "{players}");
    let wrong = ken(&["play", "express", "--options", r#"{"hand": 0}"#], "");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("`hand` is a number from 1 to 50, not 0"), "{}", wrong.err);
}

#[test]
fn the_end_of_a_match_does_not_say_that_it_begins() {
    for (game, against) in [("express", "careful,random,random"), ("eleusis", "careful,careful,random")] {
        let args = ["play", game, "--seat", "none", "--against", against, "--seed", "1"];
        let run = ken(&args, "");
        assert_eq!(run.code, 0, "{}", run.err);
        let (before, end) = run.out.rsplit_once("\n\n").expect("the end stands apart");
        assert!(before.contains("the match begins (shuffles "), "{game}: it is told once, at the beginning");
        assert!(!end.contains("begins") && end.contains("he cards were shuffled by the number "), "{game}: {end}");
    }
}
