//! `ken yokai`, `ken play yokai` and the commands of `docs/yokai.md`, as people and scripts use them.

use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn ken(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ken"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ken starts");
    // A command that does not read its input may be gone already.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("ken runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn data(args: &[&str], input: &str) -> (i32, Value) {
    let (code, out, err) = ken(args, input);
    (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {out}{err}")))
}

fn fits(out: &str) {
    assert!(out.lines().all(|l| l.chars().count() <= 80), "{out}");
}

/// A file for a record that no other test uses.
fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("yokai");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    let _ = std::fs::remove_file(&file);
    file.display().to_string()
}

#[test]
fn the_moves_of_the_vectors_are_listed() {
    let text = std::fs::read_to_string(root().join("crates/games/tests/data/yokai-moves.json")).unwrap();
    let vectors: Value = serde_json::from_str(&text).unwrap();
    let sorted = |moves: &Value| {
        let mut moves: Vec<String> = moves.as_array().unwrap().iter().map(Value::to_string).collect();
        moves.sort();
        moves
    };
    for case in vectors["cases"].as_array().unwrap().iter().step_by(12) {
        let position = json!({"cells": case["cells"], "marked": case["marked"]}).to_string();
        let (code, found) = data(&["yokai", "moves", "-", "--json"], &position);
        assert_eq!((code, sorted(&found["moves"])), (0, sorted(&case["moves"])));
    }
}

#[test]
fn moves_are_told_card_by_card() {
    let (code, out, _) = ken(&["yokai", "moves", "examples/yokai/bridge.json"], "");
    assert_eq!(code, 0);
    fits(&out);
    assert!(out.contains("   4  1,0 1,1\n"), "{out}");
    assert!(out.contains("   8  marked") && out.contains("    ?\n"), "{out}");
    let cells: serde_json::Map<String, Value> = (1..=16).map(|i| (i.to_string(), json!([-7, i]))).collect();
    let (code, out, _) = ken(&["yokai", "moves", "-"], &json!({"cells": cells, "marks": {}}).to_string());
    assert_eq!(code, 0);
    fits(&out);
    assert!(out.contains("   2  none: it holds the others together"), "{out}");
}

#[test]
fn a_wrong_position_is_shown_where_it_is_wrong() {
    let text = std::fs::read_to_string(root().join("examples/yokai/middle.json")).unwrap();
    let apart = text.replace("\"16\": [18, 18]", "\"16\": [30, 18]");
    let (code, _, err) = ken(&["yokai", "moves", "-"], &apart);
    assert_eq!(code, 2);
    assert!(err.contains("card 16 is not connected with card 1"), "{err}");
    assert!(err.contains("[30, 18]") && err.contains("help: all cards must be connected by their sides"), "{err}");
    let (code, error) = data(&["yokai", "plan", "-", "--json"], &text.replace("blue", "blau"));
    assert_eq!(code, 2);
    assert_eq!(error["error"]["message"], "there is no colour `blau`");
}

#[test]
fn a_plan_is_an_action_of_the_named_player() {
    let position = "examples/yokai/middle.json";
    let (code, plan) = data(&["yokai", "plan", position, "--player", "random", "--json"], "");
    assert_eq!((code, &plan["player"], &plan["reason"]), (0, &json!("random"), &Value::Null));
    assert!(plan["action"].as_str().unwrap().starts_with("look "), "{plan}");
    let (code, out, _) = ken(&["yokai", "plan", position, "--player", "random@4"], "");
    assert_eq!((code, out.lines().nth(1)), (0, Some("  `random@4` gives no reasons")));
    let (code, _, err) = ken(&["yokai", "plan", position, "--player", "randm"], "");
    assert_eq!(code, 2);
    assert!(err.contains("there is no player `randm`") && err.contains("did you mean `random`?"), "{err}");
    let text = std::fs::read_to_string(root().join(position)).unwrap();
    let (code, _, err) = ken(&["yokai", "plan", "-"], &text.replace("\"step\"", "\"turn\": 0, \"step\""));
    assert_eq!(code, 2);
    assert!(err.contains("seat 0 is to move, not seat 1"), "{err}");
}

const TURN: &str = "look 1\nlook 2\nmove 1 14,16\nactivate\n";

#[test]
fn a_match_is_played_with_the_table_drawn_and_looks_private() {
    let record = file("played.json");
    let typed = format!("lok 1\nmark 1 r\n{TURN}sheet\nhand\noptions\nadvise\nknow x\nhelp\nlog\nquit\n");
    let flags = ["play", "yokai", "--seed", "5", "--record", &record];
    let (code, out, err) = ken(&flags, &typed);
    assert_eq!(code, 0, "{out}{err}");
    fits(&out);
    for expected in [
        "error: there is no action `lok`",
        "did you mean `look`?",
        "error: the next step of the turn is to look at a card",
        "look at a card, or stop",
        " 14   ·   1",
        "activate a hint or mark a card",
        "your partner looked at",
        "active hints: ",
        "`advise` needs helper level 4",
        "mark CARD HINT",
    ] {
        assert!(out.contains(expected), "`{expected}` is missing in\n{out}");
    }
    let looks: Vec<&str> = out.lines().filter(|l| l.trim_start().starts_with("seat 1 looks at card")).collect();
    assert!(looks.len() >= 2 && looks.iter().all(|l| !l.contains(": ")), "{looks:?}");
    let (code, out, _) = ken(&["replay", &record], "");
    assert_eq!(code, 0);
    assert!(out.contains("as seat 0 saw it"), "{out}");
    let (code, _, err) = ken(&["yokai", "show", &record, "--as", "1"], "");
    assert_eq!(code, 2);
    assert!(err.contains("another seat can be looked at when it is over"), "{err}");
    let (code, out, _) = ken(&["yokai", "show", &record], "");
    assert_eq!(code, 0);
    assert!(out.contains("as seat 0 saw it") && !out.contains("seat 1 saw"), "{out}");
}

/// A turn: two looks, the first move that is allowed, and `last`.
fn turn(looks: [u8; 2], last: &str) -> String {
    let cells = (13..20).flat_map(|row| (13..20).map(move |col| format!("{row},{col}")));
    let moves: String = cells.flat_map(|cell| [9, 13].map(|card| format!("move {card} {cell}\n"))).collect();
    format!("look {}\nlook {}\n{moves}{last}\n", looks[0], looks[1])
}

#[test]
fn help_at_the_table_of_yokai_follows_its_level() {
    let play = |helper: &str, typed: &str| {
        let args = ["play", "yokai", "--against", "paper", "--seed", "7", "--helper", helper];
        let (code, out, err) = ken(&args, typed);
        assert_eq!(code, 0, "{out}{err}");
        out
    };
    let first = turn([1, 2], "activate");
    let out = play("0", &format!("{first}quit\n"));
    let hint = out.split("activates the hint ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a hint");
    let marks: String = [16, 12, 8, 15].map(|card| format!("mark {card} {hint}\n")).concat();
    let asked = "hand\nlog\nsheet\nquit\n";
    let typed = format!("look 1\nhand\n{first}{}{asked}", turn([3, 4], &marks));
    // What is said after the second turn.
    let said = |helper: &str| {
        let out = play(helper, &typed);
        let (before, after) = out.rsplit_once("> hand").expect("the last hand");
        (before.to_string(), after.to_string())
    };
    let colours = ["red", "green", "blue", "yellow"];
    let told =
        |text: &str| text.lines().any(|l| l.contains("seat 0 looks at") && colours.iter().any(|c| l.contains(c)));
    for (helper, reminds, fills) in [("0", false, false), ("1", true, false), ("2", true, true)] {
        let (before, after) = said(helper);
        assert!(told(&before), "in its turn a look is told with its colour: {before}");
        assert_eq!(told(&after), reminds, "level {helper}: {after}");
        assert_eq!(after.contains("you saw no card"), !reminds, "level {helper}: {after}");
        assert_eq!(after.contains("your partner looked at"), reminds, "level {helper}: {after}");
        assert_eq!(after.contains("it follows: "), fills, "level {helper}: {after}");
    }
}

#[test]
fn a_record_is_shown_step_by_step_whole_or_as_one_seat_saw_it() {
    let record = file("shown.json");
    assert_eq!(ken(&["play", "yokai", "--seed", "7", "--seat", "none", "--record", &record], "").0, 0);
    let (code, out, _) = ken(&["yokai", "show", &record], "");
    assert_eq!(code, 0);
    fits(&out);
    assert!(out.contains("seat 0 saw ") && out.contains("seat 1 saw "), "{out}");
    let (code, one, _) = ken(&["yokai", "show", &record, "--as", "1", "--at", "9"], "");
    assert_eq!(code, 0);
    assert!(one.contains("as seat 1 saw it") && one.contains("seat 0 looked at"), "{one}");
    assert!(!one.contains("seat 0 saw"), "{one}");
    let (code, steps) = data(&["yokai", "show", &record, "--as", "1", "--at", "9", "--json"], "");
    assert_eq!((code, steps["steps"].as_array().unwrap().len()), (0, 10));
    assert!(steps.get("colours").is_none(), "the match goes on there");
    let position = steps["steps"][8]["positions"][0].to_string();
    assert_eq!(ken(&["yokai", "moves", "-"], &position).0, 0);
    let (_, whole) = data(&["yokai", "show", &record, "--json"], "");
    assert_eq!(whole["colours"].as_array().unwrap().len(), 16);
    assert_eq!(whole["steps"][0]["positions"].as_array().unwrap().len(), 2);
    let other = file("cluedo.json");
    assert_eq!(
        ken(
            &[
                "play",
                "cluedo",
                "--seed",
                "7",
                "--seat",
                "none",
                "--against",
                "random,random",
                "--options",
                "{\"turns\": 2}",
                "--record",
                &other
            ],
            ""
        )
        .0,
        0
    );
    let (code, _, err) = ken(&["yokai", "show", &other], "");
    assert_eq!(code, 2);
    let on_one_line = err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(on_one_line.contains("is a record of cluedo, not of yokai"), "{err}");
}

#[test]
fn the_players_are_listed() {
    let (code, out, _) = ken(&["list", "players"], "");
    assert_eq!(code, 0);
    assert!(out.contains("yokai"), "{out}");
}

/// Every command of the page runs; what follows a command up to an empty line is what it prints.
#[test]
fn the_examples_of_the_page_run_as_they_are_shown() {
    let page = std::fs::read_to_string(root().join("docs/yokai.md")).unwrap();
    let mut shown = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ken ").skip(1) {
            let (command, expected) = example.split_once('\n').unwrap();
            let args: Vec<String> = words(command);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let (_, out, err) = ken(&args, "");
            assert_eq!(format!("{out}{err}").trim(), expected.trim(), "ken {command}");
            shown += 1;
        }
    }
    assert!(shown >= 4, "{shown} examples");
}

/// The words of a command; quotes keep one together.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    parts
        .flat_map(|(i, part)| match i % 2 {
            0 => part.split_whitespace().map(str::to_string).collect(),
            _ => vec![part.to_string()],
        })
        .collect()
}

#[test]
fn a_partner_says_how_it_plays_and_why_it_did_something() {
    let record = file("partner.json");
    let typed = format!(
        "why partner\n{TURN}why partner\nwhy 1\nwhy 99\nassume\nassume coded\nwhy grouped\nassume magic\nresign yes\n"
    );
    let against = ["play", "yokai", "--against", "conventional", "--seed", "5", "--helper", "3", "--record", &record];
    let (code, out, err) = ken(&against, &typed);
    assert_eq!(code, 0, "{out}{err}");
    fits(&out);
    let flat = out.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "conventional says: I read your moves so: a mark that you were not forced to make",
        "My own moves mean the same to you; I stop only when the win follows",
        "nobody else did anything since your last move",
        "By what it announced this tells nothing beyond what you see.",
        "What it saw itself is not told before the end.",
        "you did that yourself",
        "there is no event 99 yet",
        "* hints: marks are proper",
        "* coded: looks and moves are a code",
        "As certain as the coded convention: a seat's second look tells",
        "there is no convention `magic`",
    ] {
        assert!(flat.contains(expected), "`{expected}` is missing in\n{out}");
    }
    let (code, out, err) = ken(&["replay", &record, "--why"], "");
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("moves left after my best move"), "the machine's own reason: {out}");
    let (code, out, _) = ken(&["replay", &record, "--why", "--json"], "");
    assert_eq!(code, 0);
    assert!(out.contains("\"why\":["), "{out}");
}
