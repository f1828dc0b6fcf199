//! `ken yokai know` and `why`, the same at the table, and the commands of `docs/yokai-knowledge.md`.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const POSITION: &str = "examples/yokai/know.json";

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

fn data(args: &[&str]) -> (i32, Value) {
    let (code, out, err) = ken(args, "");
    (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {out}{err}")))
}

#[test]
fn known_excluded_and_open_are_told_apart() {
    let formulas = ["-f", "col(4,green)", "-f", "grouped", "-f", "K[1] col(7,blue)"];
    let (code, told) = data(&[&["yokai", "know", POSITION, "--json"], &formulas[..]].concat());
    assert_eq!(code, 1);
    let results = told["results"].as_array().unwrap();
    let known = |i: usize| (results[i]["known"].as_bool().unwrap(), results[i]["possible"].as_bool().unwrap());
    assert_eq!([known(0), known(1), known(2)], [(true, true), (false, false), (false, true)]);
    assert_eq!(results[2]["witness"]["7"], "blue");
    assert_ne!(results[2]["counterexample"]["7"], "blue");
    let count = |i: usize, key: &str| results[i][key].as_u64().unwrap();
    assert!((0..3).all(|i| count(i, "holds") + count(i, "fails") == told["colourings"].as_u64().unwrap()));
    assert_eq!(ken(&["yokai", "know", POSITION, "-f", "K[1] K[0] col(3,green)"], "").0, 0);
}

#[test]
fn assumptions_can_be_left_out_and_announcements_added() {
    let ask = |flags: &[&str], formula: &str| {
        let (_, told) = data(&[&["yokai", "know", POSITION, "--json", "-f", formula], flags].concat());
        told["results"][0]["known"].as_bool().unwrap()
    };
    assert!(ask(&[], "col(4,green)") && !ask(&["--assume", "nothing"], "col(4,green)"));
    assert!(!ask(&[], "col(12,blue)") && ask(&["--same", "12,16"], "K[1] col(12,blue)"));
    let (code, _, err) = ken(&["yokai", "know", POSITION, "--same", "3,3", "-f", "grouped"], "");
    assert_eq!(code, 2);
    assert!(err.contains("two different cards of 1 to 16"), "{err}");
}

#[test]
fn a_contradiction_is_explained_instead_of_answered() {
    let (code, out, err) = ken(&["yokai", "know", POSITION, "--same", "1,4", "-f", "grouped"], "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("no colouring fits what seat 0 saw and what is assumed"), "{err}");
    assert!(err.contains("That cannot be"), "{err}");
}

#[test]
fn wrong_formulas_are_shown_where_they_are_wrong() {
    let (code, _, err) = ken(&["yokai", "why", POSITION, "-f", "K[0] col(17,red)"], "");
    assert_eq!(code, 2);
    assert!(err.contains("there is no card `17`") && err.contains("the cards are 1 to 16"), "{err}");
}

#[test]
fn the_inspector_sits_at_the_table() {
    let typed = "look 1\nknow col(1,red) | col(1,gby)\nknow K[1] col(1,red)\nwhy grouped\nknow col(1\nlog\nquit\n";
    let record = Path::new(env!("CARGO_TARGET_TMPDIR")).join("yokai-inspected.json");
    let _ = std::fs::remove_file(&record);
    let record = record.display().to_string();
    let (code, out, err) = ken(&["play", "yokai", "--seed", "5", "--helper", "3", "--record", &record], typed);
    assert_eq!(code, 0, "{out}{err}");
    for expected in ["known: you know it, since the deal", "excluded: you know that it is false", "open", "  1  "] {
        assert!(out.contains(expected), "`{expected}` is missing in\n{out}");
    }
}

/// Every command of the page runs; what follows a command up to the next is what it prints.
#[test]
fn the_examples_of_the_page_run_as_they_are_shown() {
    let page = std::fs::read_to_string(root().join("docs/yokai-knowledge.md")).unwrap();
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
