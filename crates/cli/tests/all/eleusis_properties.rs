//! `ken eleusis properties` as scripts and people use it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn ken(args: &[&str], input: &str) -> (i32, String, String) {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_ken"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its input early may close the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

const THREE: &str = "examples/eleusis/properties/three.json";

#[test]
fn a_report_fits_eighty_columns_and_tells_lines() {
    for name in ["three", "hands-forgetful", "hands-whisper", "full-planned", "lone", "same-residual"] {
        let file = format!("examples/eleusis/properties/{name}.json");
        let (code, out, err) = ken(&["eleusis", "properties", &file], "");
        assert_eq!(code, 0, "{err}");
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    }
    let (_, out, _) = ken(&["eleusis", "properties", THREE], "");
    assert!(out.contains("   1  A plays "), "{out}");
    assert!(
        out.contains("and so on from the beginning, up to move 6") || out.contains("and so on as after move"),
        "{out}"
    );
}

#[test]
fn search_and_engine_print_the_same_result() {
    let json = |args: &[&str]| -> Value { serde_json::from_str(&ken(args, "").1).unwrap() };
    let search = json(&["eleusis", "properties", THREE, "--json"]);
    assert_eq!(search["p1_AF_someone_knows_all"], false);
    assert_eq!(search["EF_someone_knows_all"], true);
    assert_eq!(search, json(&["eleusis", "properties", THREE, "--recall", "--json"]));
}

#[test]
fn the_printed_model_is_a_file_that_check_reads() {
    let (code, model, _) = ken(&["eleusis", "properties", THREE, "--model"], "");
    assert_eq!(code, 0);
    let (_, out, err) = ken(&["check", "-", "--json"], &model);
    let answers: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}"));
    let holds: Vec<bool> =
        answers["results"].as_array().unwrap().iter().map(|r| r["holds"].as_bool().unwrap()).collect();
    assert_eq!(holds, [false, false, false, false, true, false]);
}

#[test]
fn bad_instances_are_told_with_their_places() {
    let text = "{\"rules\": [\"red(next)\", \"colour(next) = purple\"],\n \"starter\": \"99\"}";
    let (code, out, err) = ken(&["eleusis", "properties", "-"], text);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains(":2:13") && err.contains("purple"), "{err}");
    let (code, out, _) = ken(&["eleusis", "properties", "-", "--json"], "[]");
    assert_eq!(code, 2);
    assert!(out.contains("\"error\""), "{out}");
}

#[test]
fn a_limit_gives_up_and_says_so() {
    let file = "examples/eleusis/properties/full-planned.json";
    let (code, _, err) = ken(&["eleusis", "properties", file, "--max-states", "10"], "");
    assert_eq!(code, 3);
    assert!(err.contains("--max-states"), "{err}");
}

#[test]
fn a_third_hand_is_refused_since_the_model_has_two_players() {
    let hands =
        |third: &str| format!(r#"{{"rules": ["red"], "starter": "AC", "hands": {{"A": ["2C"], "B": ["3D"]{third}}}}}"#);
    assert_eq!(ken(&["eleusis", "properties", "-"], &hands("")).0, 0);
    let (code, _, err) = ken(&["eleusis", "properties", "-"], &hands(r#", "C": ["4H"]"#));
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("a hand of `C`: the model has two players"), "{err}");
}

#[test]
fn compiling_candidates_ends_at_max_seconds_with_exit_code_3() {
    let file = r#"{"rules": ["rank of next != (sum of the last 6 cards) mod 13"], "starter": "AC"}"#;
    let (code, _, err) = ken(&["eleusis", "properties", "-", "--max-seconds", "0.05"], file);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("0.05 seconds have passed"), "{err}");
}
