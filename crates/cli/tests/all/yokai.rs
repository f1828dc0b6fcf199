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
fn every_question_of_the_paper_s_player_is_answered_alike_by_the_base_that_it_writes() {
    let base = std::env::temp_dir().join(format!("ken-base-{}.json", std::process::id()));
    let base = base.to_str().expect("a name");
    let middle = std::fs::read_to_string(root().join("examples/yokai/middle.json")).expect("an example");
    let mut answers = [0, 0];
    for step in ["move", "hint"] {
        let position = middle.replace("\"step\": \"look\"", &format!("\"step\": \"{step}\""));
        let (code, _, err) = ken(&["yokai", "plan", "-", "--player", "paper-sat", "--base", base], &position);
        assert_eq!(code, 0, "{err}");
        let beside = format!("{base}.questions.json");
        let questions = std::fs::read_to_string(&beside).expect("the questions");
        let (code, out, err) = ken(&["belief", "entails", "--base", base, "--batch"], &questions);
        assert_eq!(code, 0, "{err}");
        let asked: Vec<Value> = serde_json::from_str(&questions).expect("JSON");
        let told: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(asked.len(), told.len());
        for (asked, told) in asked.iter().zip(&told) {
            assert_eq!(asked["answer"], told["entailed"], "{step}: {}", asked["formula"]);
            answers[usize::from(told["entailed"] == true)] += 1;
        }
        std::fs::remove_file(&beside).expect("our file");
    }
    assert!(answers[0] > 10 && answers[1] > 10, "{answers:?}");
    std::fs::remove_file(base).expect("our file");
    let (code, _, err) = ken(&["yokai", "plan", "examples/yokai/middle.json", "--player", "paper", "--base", base], "");
    assert!(code == 2 && err.contains("`paper` has no belief base"), "{err}");
}

#[test]
fn a_mark_beside_a_smaller_hint_tells_more_in_a_position_too() {
    let middle = std::fs::read_to_string(root().join("examples/yokai/middle.json")).expect("an example");
    let colourings = |told: &str| {
        let position = middle.replace("\"seat\": 1", &format!("\"told\": {told}, \"seat\": 1"));
        let (code, plan) = data(&["yokai", "plan", "-", "--player", "believer", "--json"], &position);
        assert_eq!(code, 0, "{plan}");
        plan["reason"]["data"]["colourings"].as_u64().expect("a number of colourings")
    };
    let silent = colourings("[]");
    assert_eq!(colourings("[{\"card\": 6}]"), silent, "nothing smaller was active");
    assert!(
        colourings("[{\"card\": 6, \"beside\": [[\"red\"]]}]") < silent,
        "it is not red, or that would have been said"
    );
    assert!(colourings("[{\"card\": 6, \"free\": false}]") > silent, "a mark that had to be made tells nothing");
    let wrong = middle.replace("\"seat\": 1", "\"told\": [{\"card\": 6, \"besides\": []}], \"seat\": 1");
    let (code, error) = data(&["yokai", "plan", "-", "--json"], &wrong);
    assert!(code == 2 && error.to_string().contains("unknown key `besides`"), "{error}");
}

/// Twelve matches of a person with the learner, each seed with and without the onlooker.
const PEOPLE: &str = "crates/cli/tests/data/yokai-people.jsonl";

#[test]
fn a_partner_is_learned_from_people_saved_shown_in_words_added_up_and_loaded() {
    let saved = file("partner.json");
    let (code, out, err) = ken(&["yokai", "learn", PEOPLE, "--partner", "person", "-o", &saved], "");
    assert_eq!(code, 0, "{err}");
    fits(&out);
    assert!(out.starts_with("person, as 6 matches show it:"), "six of the twelve repeat the others' actions:\n{out}");
    for said in ["marks that are proper: ", "memory: it plays as if it remembered ", "the order of goals"] {
        assert!(out.contains(said), "{said}\n{out}");
    }
    // People are learned about where there are no explorers.
    assert_eq!(ken(&["yokai", "learn", PEOPLE], "").1, out);
    let (code, shown, _) = ken(&["yokai", "partner", &saved], "");
    assert!(code == 0 && out.starts_with(&shown), "{shown}");
    let (code, twice) = data(&["yokai", "partner", &saved, &saved, "--json"], "");
    assert_eq!((code, &twice["partner"]["matches"]), (0, &json!(12)));
    // The machine that uses it plays with it, and its name in the record says so.
    let kept = file("taught.json");
    let play = ["play", "yokai", "--against", "adapter", "--partner", &saved, "--seed", "1", "--record", &kept];
    let (code, _, err) = ken(&play, "look 1\nlook 2\nquit\n");
    assert_eq!(code, 0, "{err}");
    let record: Value = serde_json::from_str(&std::fs::read_to_string(&kept).unwrap()).unwrap();
    assert_eq!(record["players"], json!(["person", "adapter+partner"]));
    assert_eq!(ken(&play, "quit\n").0, 0, "the same command goes on");
    let (code, _, err) = ken(&["play", "yokai", "--record", &kept], "quit\n");
    assert!(code == 2 && err.contains("--partner"), "{err}");
    // One that does not use it says so.
    let (code, _, err) = ken(&["play", "yokai", "--against", "paper", "--partner", &saved], "quit\n");
    assert!(code == 2 && err.contains("`paper` makes no use of what is known of a partner"), "{err}");
    let (code, _, err) = ken(&["play", "yokai", "--against", "adapter", "--partner", PEOPLE], "quit\n");
    assert!(code == 2, "{err}");
}

#[test]
fn a_bad_line_is_named_with_its_file_and_teaches_nothing() {
    let broken = file("broken.jsonl");
    let people = std::fs::read_to_string(root().join(PEOPLE)).unwrap();
    std::fs::write(&broken, format!("nonsense\n{people}")).unwrap();
    let (code, out, err) = ken(&["yokai", "learn", PEOPLE, &broken, "--partner", "person"], "");
    assert!(code == 0 && out.starts_with("person, as 6 matches"), "{out}{err}");
    assert!(err.contains("broken.jsonl:1: left out: it is not JSON"), "{err}");
    let (code, told) = data(&["yokai", "learn", &broken, "--partner", "person", "--json"], "");
    assert_eq!((code, &told["left_out"][0]["why"], &told["copies"]), (0, &json!("it is not JSON"), &json!(6)));
    let (code, _, err) = ken(&["yokai", "learn", PEOPLE, "--partner", "nobody"], "");
    assert!(code == 2 && err.contains("no match of `nobody`"), "{err}");
}

#[test]
fn a_partner_says_how_it_plays_and_why_it_did_something() {
    let record = file("said.json");
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
    assert!(out.contains("moves left on the mean"), "the machine's own reason: {out}");
    let (code, out, _) = ken(&["replay", &record, "--why", "--json"], "");
    assert_eq!(code, 0);
    assert!(out.contains("\"why\":["), "{out}");
}
