//! `ken eleusis` and `ken list rules` as scripts and people use them.

use serde_json::{Value, json};
use std::process::Command;

fn ken(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ken")).args(args).output().expect("ken runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn data(args: &[&str]) -> (i32, Value) {
    let (code, out, err) = ken(args);
    (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {out}{err}")))
}

#[test]
fn a_rule_is_shown_with_its_figures() {
    let (code, rule) = data(&["eleusis", "rule", "alternate red and black", "--json"]);
    assert_eq!(code, 0);
    let expected = json!({"text": "next is red xor previous is red", "states": 3, "permissiveness": 0.5,
        "every_card_playable": true, "can_dead_end": false, "fair": true});
    assert_eq!(rule, expected);
    let (code, out, _) = ken(&["eleusis", "rule", "gar-4"]);
    assert_eq!(code, 0);
    assert!(out.contains("625") && out.contains("not fair"), "{out}");
}

#[test]
fn a_card_is_judged_and_a_line_that_the_rule_refuses_is_not() {
    let judge = |line, card| ken(&["eleusis", "judge", "same suit or same rank", "--line", line, "--card", card]);
    assert_eq!(judge("3S 7S", "7D").0, 0);
    assert_eq!(judge("3S 7S", "8D").0, 1);
    let json = data(&["eleusis", "judge", "red", "--line", "3S", "--card", "8D", "--json"]);
    assert_eq!(json, (0, json!({"accept": true})));
    let (code, _, err) = judge("3S 7D 7S", "8S");
    assert_eq!(code, 2);
    assert!(err.contains("error[E24]: the rule refuses `7D`, card 2 of the line"), "{err}");
    assert!(judge("3S 7X", "8S").2.contains("`7X` is no card"));
    assert!(judge("3S", "1D1").2.contains("`1D1` is no card"));
}

#[test]
fn two_rules_are_compared_from_a_line_and_everywhere() {
    let (code, same) = data(&["eleusis", "equiv", "umbc-1", "hf-08", "--line", "5H", "--json"]);
    let expected = json!({"equivalent_here": true, "equivalent_everywhere": false, "witness": null});
    assert_eq!((code, same), (0, expected));
    let (code, different) = data(&["eleusis", "equiv", "ok-2", "kb-1", "--line", "QC", "--json"]);
    assert_eq!(code, 1);
    let witness = json!({"line": ["KC"], "card": "AC", "accepted_by": 2});
    assert_eq!(different["witness"], witness);
    let (code, out, _) = ken(&["eleusis", "equiv", "gar-0", "different colour"]);
    assert_eq!((code, out.lines().next()), (0, Some("the same everywhere")));
}

#[test]
fn bad_rules_are_refused_with_their_place() {
    let rule = |text| ken(&["eleusis", "rule", text]);
    let (code, _, err) = rule("if previus is black then odd");
    assert_eq!(code, 2);
    assert!(err.contains("error[E05]: unknown word `previus`") && err.contains("did you mean `previous`?"), "{err}");
    assert!(err.contains("rule:1:4"), "{err}");
    assert!(rule("let up = not up; up").2.contains("error[E13]"));
    let (code, _, err) = rule("red and black");
    assert_eq!(code, 2);
    assert!(err.contains("no card fits after any first card"), "{err}");
    let (code, _, err) = rule("number of red cards > number of black cards");
    assert_eq!(code, 2, "{err}");
    assert_eq!(rule("@no-such-file").0, 2);
    let (code, problem) = data(&["eleusis", "rule", "rank is 15", "--json"]);
    assert_eq!((code, &problem["error"]["code"]), (2, &json!("E09")));
}

#[test]
fn the_rule_library_is_listed_with_its_figures() {
    let (code, list) = data(&["list", "rules", "--json"]);
    assert_eq!(code, 0);
    let rules = list["rules"].as_array().expect("rules");
    assert_eq!(rules.len(), 168);
    let first = &rules[0];
    assert_eq!(
        (&first["name"], &first["permissiveness"], &first["difficulty"]),
        (&json!("gar-0"), &json!(0.5), &json!(2))
    );
    let (_, out, _) = ken(&["list", "rules"]);
    assert!(out.contains("red and black take turns [window-1, difficulty 2, accepts 50.0 %]"), "{out}");
}

#[test]
fn compiling_a_rule_ends_at_its_limits_with_exit_code_3() {
    let large = "rank of next != (sum of the last 6 cards) mod 13";
    for limit in [["--max-seconds", "0.05"], ["--max-states", "1000"]] {
        let (code, _, err) = ken(&["eleusis", "rule", large, limit[0], limit[1]]);
        assert_eq!(code, 3, "{err}");
        let (code, _, err) = ken(&["eleusis", "equiv", large, "red", limit[0], limit[1]]);
        assert_eq!(code, 3, "{err}");
    }
    let (_, _, err) = ken(&["eleusis", "rule", large, "--max-seconds", "0.05"]);
    assert!(err.contains("0.05 seconds have passed"), "{err}");
}

#[test]
fn guessing_takes_limits_like_every_other_command() {
    let layout = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/eleusis/express.json");
    assert_eq!(ken(&["eleusis", "guess", layout, "--max-seconds", "600", "--max-memory", "100000"]).0, 0);
    for (limit, value) in [("--max-seconds", "0"), ("--max-memory", "0")] {
        let (code, _, err) = ken(&["eleusis", "guess", layout, limit, value]);
        assert_eq!(code, 2, "{err}");
    }
}

#[test]
fn a_rule_that_says_nothing_of_the_next_card_is_refused_with_one_that_does() {
    for text in ["previous is red", "the sum of the last two cards must be even"] {
        let (code, _, err) = ken(&["eleusis", "rule", text]);
        assert_eq!(code, 2);
        assert!(err.contains("the next card does not matter") && err.contains("as in `"), "{err}");
        assert_eq!(ken(&["eleusis", "judge", text, "--line", "3S 4D", "--card", "5H"]).0, 2);
    }
    let (code, rule) = data(&["eleusis", "rule", "anything but clubs", "--json"]);
    assert_eq!((code, &rule["text"]), (0, &json!("not next is club")));
    assert!((rule["permissiveness"].as_f64().unwrap() - 0.75).abs() < 1e-9, "{rule}");
}

#[test]
fn what_follows_from_a_layout_is_relative_to_a_family_that_is_named() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let layout = root.join("examples/eleusis/express.json").display().to_string();
    let know = |more: &[&str]| ken(&[&["eleusis", "know", &layout][..], more].concat());
    let (code, out, err) = know(&["-f", "C[0,1] accepts(7C)", "-f", "rule(alternate red and black)"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.starts_with("As certain as that the rule is one of the 153 of the library; 1 fits.\nknown "), "{out}");
    assert!(out.contains("excluded      rule(alternate red and black)"), "{out}");
    // Another family, another answer.
    let file = std::env::temp_dir().join(format!("ken-family-{}.txt", std::process::id()));
    std::fs::write(&file, "# two rules\nif previous is black then odd else even\nif previous is black then odd\n")
        .unwrap();
    let family = file.display().to_string();
    let (code, answer) = data(&["eleusis", "know", &layout, "--family", &family, "-f", "rule(gar-1)", "--json"]);
    assert_eq!((code, &answer["error"]["code"]), (2, &json!("E06")), "a rule of the library that is not in the file");
    let (_, answer) = data(&["eleusis", "know", &layout, "--family", &family, "-f", "accepts(7C)", "--json"]);
    assert_eq!(answer["family"]["rules"], 2);
    std::fs::write(&file, "always\n").unwrap();
    let (code, _, err) = know(&["--family", &family, "-f", "accepts(7C)"]);
    assert_eq!(code, 2);
    assert!(err.contains("nothing is claimed"), "{err}");
    std::fs::write(&file, "red\npurple cards\n").unwrap();
    assert!(know(&["--family", &family, "-f", "accepts(7C)"]).2.contains("line 2"));
    std::fs::remove_file(&file).unwrap();
    assert!(know(&["-f", "accepts(1C1)"]).2.contains("there is no card"));
    let (_, _, wrong) = know(&["-f", "[rule red] true"]);
    assert!(wrong.contains("what the dealer chooses cannot be asked about"), "{wrong}");
}
