//! `ken replay --position`: a position of a record travels to the commands of its game, and to `ken check`.

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn ken(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ken"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
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

/// A place for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("positions-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

const SMALL: &str = r#"{"deck": {"who": ["ann", "bob", "cat"], "how": ["axe", "bat"], "where": ["attic", "barn"]}}"#;

/// The record of a match between machines, in a file.
fn record(folder: &Path, game: &str, against: &str, options: &str) -> String {
    let file = folder.join(format!("{game}.json")).display().to_string();
    let args =
        ["play", game, "--seat", "none", "--against", against, "--options", options, "--seed", "5", "--record", &file];
    let (code, _, err) = ken(&args, "");
    assert_eq!(code, 0, "{err}");
    file
}

/// What a program that answers `--json` says of each formula: known, and possible.
fn answers(args: &[&str], formulas: &[&str], input: &str) -> Vec<(bool, bool)> {
    let mut all = args.to_vec();
    formulas.iter().for_each(|formula| all.extend(["-f", formula]));
    all.push("--json");
    let (_, out, err) = ken(&all, input);
    let data: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {out}{err}"));
    let results = data["results"].as_array().expect("results");
    let flag = |result: &Value, key: &str| result[key].as_bool().expect("a flag");
    results.iter().map(|result| (flag(result, "known"), flag(result, "possible"))).collect()
}

/// What `ken check` says of the same formulas in a model.
fn checked(model: &Path, formulas: &[&str]) -> Vec<(bool, bool)> {
    let holds = |formula: String| ken(&["check", &model.display().to_string(), "-f", &formula], "").0 == 0;
    formulas.iter().map(|f| (holds(format!("known({f})")), !holds(format!("known(!({f}))")))).collect()
}

#[test]
fn a_position_of_a_record_goes_through_a_pipe_to_the_commands_of_its_game_and_as_a_model_to_check() {
    let folder = folder("pipe");
    let games = [
        ("cluedo", "exact,elimination,exact", SMALL, "cluedo", &["env(ann)", "K[1] env(axe)", "holds(2,cat)"][..]),
        ("yokai", "conventional,conventional", "{}", "yokai", &["col(3,red)", "K[1] col(4,blue)", "same(1,2)"]),
        ("express", "careful,careful,careful", "{}", "eleusis", &["knows_rule(0)", "K[1] knows_rule(2)"]),
        ("eleusis", "careful,careful,careful", "{}", "eleusis", &["knows_rule(1)", "C[0,1] knows_rule(2)"]),
        ("high-card", "halver,halver", "{}", "", &["higher(0)", "K[1] higher(1)", "Kw[0] has(1,5)"]),
    ];
    for (game, against, options, command, formulas) in games {
        let file = record(&folder, game, against, options);
        let text = std::fs::read_to_string(&file).expect("a record");
        let entries: Value = serde_json::from_str(&text).expect("JSON");
        let last = entries["entries"].as_array().expect("entries").len();
        for (at, seat) in [(1, "0"), (last / 2, "1"), (last, "0")] {
            let at = at.to_string();
            let replay = ["replay", &file, "--position", &at, "--as", seat];
            let (code, position, err) = ken(&replay, "");
            assert_eq!((code, err.as_str()), (0, ""), "{game} after {at}");
            let known = answers(&["know", "-"], formulas, &position);
            if !command.is_empty() {
                assert_eq!(answers(&[command, "know", "-"], formulas, &position), known, "{game} after {at}");
            }
            let (code, out, err) = ken(&["why", "-", "-f", formulas[0]], &position);
            assert!(code < 2 || err.contains("there is no proof to show"), "{game} after {at}: {out}{err}");
            let (code, model, err) = ken(&[&replay[..], &["--model"]].concat(), "");
            // A rule that is none of the library leaves a position, but no model of what follows from it.
            let said = err.split_whitespace().collect::<Vec<_>>().join(" ");
            if code == 2 && ["is none of the family", "nothing is claimed"].iter().any(|why| said.contains(why)) {
                continue;
            }
            assert_eq!((code, err.as_str()), (0, ""), "{game} after {at}");
            let place = folder.join(format!("{game}.ken"));
            std::fs::write(&place, model).expect("a file");
            assert_eq!(checked(&place, formulas), known, "{game} after {at}");
        }
    }
}

#[test]
fn a_position_of_cluedo_can_be_explained_and_asked_from_and_one_of_yokai_planned_from() {
    let folder = folder("others");
    let cluedo = record(&folder, "cluedo", "exact,exact,exact", SMALL);
    let (_, position, _) = ken(&["replay", &cluedo, "--position", "0", "--as", "1"], "");
    assert!(ken(&["cluedo", "why", "-", "-f", "env(ann)"], &position).0 < 2);
    assert_eq!(ken(&["cluedo", "ask", "-"], &position).0, 0);
    let yokai = record(&folder, "yokai", "random,random", r#"{"free_order": true}"#);
    let (_, position, _) = ken(&["replay", &yokai, "--position", "0", "--as", "0"], "");
    assert_eq!(ken(&["yokai", "plan", "-"], &position).0, 0);
    assert!(ken(&["yokai", "why", "-", "-f", "col(3,red)"], &position).0 < 2);
}

#[test]
fn the_layout_of_a_round_is_still_one_for_the_guesser() {
    let folder = folder("guess");
    let file = record(&folder, "express", "careful,careful,careful", "{}");
    let (_, position, _) = ken(&["replay", &file, "--position", "4", "--as", "1"], "");
    let (code, out, err) = ken(&["eleusis", "guess", "-"], &position);
    assert!(code < 2, "{out}{err}");
}

#[test]
fn while_a_match_goes_on_its_person_gets_its_own_position_and_no_other() {
    let folder = folder("person");
    let file = folder.join("match.json").display().to_string();
    let args = ["play", "cluedo", "--against", "exact,exact", "--options", SMALL, "--seed", "5", "--record", &file];
    ken(&args, "suggest ann axe attic\nquit\n");
    let (code, out, _) = ken(&["replay", &file, "--position", "0"], "");
    assert_eq!(code, 0);
    let position: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(position["observer"], 0, "the person");
    let (code, out, err) = ken(&["replay", &file, "--position", "0", "--as", "1"], "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("another seat can be looked at when it is over"), "{err}");
}

#[test]
fn what_has_no_position_says_so() {
    let folder = folder("wrong");
    let file = record(&folder, "express", "careful,careful,careful", "{}");
    let says = |more: &[&str], code: i32, words: &str| {
        let (found, out, err) = ken(&[&["replay", &file][..], more].concat(), "");
        assert_eq!((found, out.as_str()), (code, ""), "{more:?}");
        let err = err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(err.contains(words), "{more:?}: {err}");
    };
    says(&["--position", "3"], 2, "nobody in this record is a person: whose position is it?");
    says(&["--position", "3", "--as", "7"], 2, "there is no seat 7 among 3");
    says(&["--position", "9999", "--as", "1"], 2, "there is no position after 9999");
    says(&["--position", "0", "--as", "1"], 2, "there is no position yet: nothing lies on the table");
    says(&["--position", "3", "--at", "3"], 2, "cannot be used with");
    says(&["--model"], 2, "--position");
    let two = std::fs::read_to_string(&file).expect("a record").repeat(2);
    let (code, _, err) = ken(&["replay", "-", "--position", "3", "--as", "1"], &two);
    assert_eq!(code, 2);
    assert!(err.contains("has 2 records"), "{err}");
    let oracle = record(&folder, "yokai", "conventional,conventional", r#"{"oracle": true}"#);
    let (code, _, err) = ken(&["replay", &oracle, "--position", "12", "--as", "0", "--model"], "");
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("leave --model out"), "{err}");
}

#[test]
fn a_question_that_is_given_up_takes_no_other_with_it() {
    let (easy, hard) = ("grouped", "C[0,1] K[0] !K[1] grouped");
    for order in [[easy, hard], [hard, easy]] {
        let asked = ["know", "examples/yokai/know.json", "-f", order[0], "-f", order[1], "--max-states", "60"];
        let (code, out, _) = ken(&[&asked[..], &["--json"]].concat(), "");
        assert_eq!(code, 3, "{out}");
        let data: Value = serde_json::from_str(&out).expect("JSON");
        for (text, result) in order.iter().zip(data["results"].as_array().expect("results")) {
            assert_eq!(result["formula"], *text);
            assert_eq!(result.get("gave_up").is_some(), *text == hard, "{result}");
            assert_eq!(result.get("known").is_some(), *text == easy, "{result}");
        }
        let (code, out, _) = ken(&asked, "");
        assert_eq!(code, 3, "{out}");
        assert!(out.contains("gave up       C[0,1]") && out.contains("excluded      grouped\n"), "{out}");
    }
}

#[test]
fn a_trail_is_not_cut_short_by_what_the_question_has_spent() {
    let fact = "C[0,1] col(4,green) | col(7,green)";
    for steps in ["260", "5000000"] {
        let (_, out, _) = ken(&["why", "examples/yokai/know.json", "-f", fact, "--max-states", steps, "--json"], "");
        let why: Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(why["trail"].as_array().map(Vec::len), Some(1), "{steps}: {out}");
    }
}
