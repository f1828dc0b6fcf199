//! `ken belief` as scripts and people use it, and every example of `docs/belief.md`.

use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

fn ken_with(args: &[&str], input: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ken"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("ken runs");
    child.stdin.take().expect("standard input").write_all(input.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("ken ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("an exit code"), text(output.stdout), text(output.stderr))
}

fn ken(args: &[&str]) -> (i32, String, String) {
    ken_with(args, "")
}

fn data(args: &[&str]) -> (i32, Value) {
    let (code, out, err) = ken(args);
    (code, serde_json::from_str(&out).unwrap_or_else(|error| panic!("{args:?}: {error}: {out}{err}")))
}

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// The words of a command line; only single quotes are used in the manual.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in command.split('\'').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_string)),
            _ => words.push(part.to_string()),
        }
    }
    words
}

#[test]
fn every_example_of_the_manual_prints_what_it_says_at_80_columns() {
    let page = std::fs::read_to_string(root().join("docs/belief.md")).expect("the manual");
    let mut run = 0;
    for block in page.split("```\n$ ken ").skip(1) {
        let (command, expected) = block.split("```").next().unwrap().split_once('\n').unwrap();
        let words = words(command);
        let (_, out, err) = ken(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(out + &err, expected, "ken {command}");
        assert!(expected.lines().all(|line| line.chars().count() <= 80), "ken {command}");
        run += 1;
    }
    assert!(run >= 8, "only {run} examples");
}

#[test]
fn satisfiability_gives_a_model_or_the_parts_that_clash() {
    let (code, sat) = data(&["belief", "sat", "-f", "p@0 & B[m] q@1 & now>=2 & !I[m] p@0", "--json"]);
    assert_eq!(code, 0);
    assert_eq!(sat["satisfiable"], true);
    assert_eq!(sat["model"]["actual"], json!({"time": 2, "facts": ["p@0"], "beliefs": ["q@1"]}));
    assert_eq!(sat["model"]["context"][0]["facts"], json!(["q@1"]));
    let (code, sat) = data(&["belief", "sat", "-f", "q@0 & !now>=0", "--json"]);
    assert_eq!((code, sat), (1, json!({"satisfiable": false, "model": null, "clash": ["!now>=0"]})));
}

#[test]
fn validity_gives_a_countermodel_where_it_fails() {
    let (code, valid) = data(&["belief", "valid", "-f", "now>=3 -> I[m] now>=2", "--json"]);
    assert_eq!((code, &valid["valid"], &valid["countermodel"]), (0, &json!(true), &Value::Null));
    let (code, valid) = data(&["belief", "valid", "-f", "I[m] p@0 -> p@0", "--json"]);
    assert_eq!((code, &valid["valid"]), (1, &json!(false)));
    assert_eq!(valid["countermodel"]["actual"]["facts"], json!([]));
}

#[test]
fn revision_prints_the_base_as_the_text_it_came_in() {
    let (code, after) = data(&["belief", "revise", "examples/belief/revise.json", "--json"]);
    assert_eq!(code, 0);
    let facts = json!(["mark(3,rg)@1", "!col(3,red)@1", "now>=0", "now>=1", "col(3,blue)@1", "B[m] col(3,blue)@1"]);
    assert_eq!(after["factual"], facts);
    assert_eq!(after["hypothetical"], json!(["mark(3,rg)@1 -> !col(3,yellow)@1"]));
    assert_eq!(after["core"].as_array().map(Vec::len), Some(2));
    let dropped = json!([
        {"formula": "!B[m] col(3,blue)@1", "from": "factual", "because": ["B[m] col(3,blue)@1"]},
        {"formula": "mark(3,rg)@1 -> !col(3,blue)@1", "from": "hypothetical",
         "because": ["mark(3,rg)@1", "col(3,blue)@1"]},
    ]);
    let sorted = |value: &Value| {
        let mut list: Vec<String> = value.as_array().unwrap().iter().map(Value::to_string).collect();
        list.sort();
        list
    };
    for (found, expected) in after["dropped"].as_array().unwrap().iter().zip(dropped.as_array().unwrap()) {
        assert_eq!((&found["formula"], &found["from"]), (&expected["formula"], &expected["from"]));
        assert_eq!(sorted(&found["because"]), sorted(&expected["because"]));
    }
    assert_eq!(after["dropped"].as_array().unwrap().len(), 2);
}

#[test]
fn a_batch_gives_a_line_for_each_and_goes_on_after_a_bad_one() {
    let input = json!(["p@0 & !p@0", "p@0 | q", "( p@0 )", 7]).to_string();
    let (code, out, _) = ken_with(&["belief", "sat", "--batch"], &input);
    let lines = lines(&out);
    assert_eq!((code, lines.len()), (2, 4));
    assert_eq!((&lines[0]["satisfiable"], &lines[2]["satisfiable"]), (&json!(false), &json!(true)));
    assert_eq!(lines[1]["error"]["code"], "E02");
    assert_eq!(lines[1]["error"]["span"]["column"], 7);
    assert_eq!(lines[3]["error"]["code"], "usage");
}

#[test]
fn bases_come_in_batches_too() {
    let base = json!({"core": ["!(p@0 & q@0)"], "factual": ["(p@0)"], "input": ["q@0"]});
    let input = json!([base, {"core": ["p@0"], "input": ["!p@0"]}]).to_string();
    let (code, out, _) = ken_with(&["belief", "revise", "--batch"], &input);
    let answers = lines(&out);
    assert_eq!(code, 0);
    assert_eq!(answers[0]["factual"], json!(["q@0"]));
    assert_eq!(answers[0]["dropped"][0]["formula"], "(p@0)");
    assert_eq!((&answers[1]["accepted"], &answers[1]["because"]), (&json!(false), &json!(["!p@0"])));
    let input = json!([{"base": {"factual": ["p@0"]}, "formula": "I[m] p@0"}]).to_string();
    let (_, out, _) = ken_with(&["belief", "entails", "--batch"], &input);
    assert_eq!(lines(&out), [json!({"entailed": true, "premises": ["p@0"]})]);
}

#[test]
fn a_plan_says_what_fails_for_each_action() {
    let (code, plan) = data(&["belief", "plan", "examples/belief/plan.json", "--json"]);
    assert_eq!(code, 0);
    assert_eq!(plan["solutions"], json!(["mark card 3 with red-green"]));
    let fails: Vec<&Value> = plan["actions"].as_array().unwrap().iter().map(|action| &action["fails"]).collect();
    assert_eq!(fails, [&Value::Null, &json!("precondition"), &json!("goal"), &json!("contradiction")]);
}

#[test]
fn an_expansion_that_contradicts_the_base_is_no_plan() {
    let input = json!([{"factual": ["p@0"], "now": 0, "goal": "q@0", "actions": [{"name": "a", "learn": "!p@0"}]}]);
    let (_, out, _) = ken_with(&["belief", "plan", "--batch"], &input.to_string());
    let plan = &lines(&out)[0];
    assert_eq!((&plan["solutions"], &plan["actions"][0]["fails"]), (&json!([]), &json!("contradiction")));
    assert_eq!(plan["actions"][0]["premises"], json!(["p@0"]));
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let (code, _, err) = ken(&["belief", "sat", "-f", "p@0 & q@-1"]);
    assert_eq!(code, 2);
    assert!(err.contains("error[E09]: a time cannot be negative\n  --formula:1:9"), "{err}");
    let (code, _, err) = ken(&["belief", "sat", "-f", "I[m] I[m] p@0"]);
    assert_eq!(code, 2);
    assert!(err.contains("error[E20]: implicit belief `I[m]` cannot stand inside another belief"), "{err}");
    let file = "{\"core\": [\"p@0\"],\n \"factul\": [\"q\"],\n \"factual\": [\"p@0 &\", 3], \"input\": [\"I[m] p@0\"]}";
    let (code, _, err) = ken_with(&["belief", "revise", "-"], file);
    assert_eq!(code, 2);
    for part in ["did you mean `factual`?", "standard input:3:20", "expected a formula as text", "in a belief base"] {
        assert!(err.contains(part), "{part} is not in {err}");
    }
    let (code, _, err) = ken_with(&["belief", "plan", "-"], "{\"now\": -1, \"goal\": \"p@0\", \"actions\": []}");
    assert_eq!(code, 2);
    assert!(err.contains("a time cannot be negative"), "{err}");
    let (code, _, err) = ken_with(&["belief", "plan", "-"], "{\"now\": 1, \"actions\": []}");
    assert_eq!(code, 2);
    assert!(err.contains("`goal` is missing"), "{err}");
    let (code, failed) = data(&["belief", "revise", "nowhere.json", "--json"]);
    assert_eq!((code, &failed["error"]["code"]), (2, &json!("usage")));
}

/// More pigeons than holes, as a base that contradicts itself: hard for every solver of this kind.
fn pigeons(n: usize) -> Value {
    let mut factual: Vec<String> =
        (0..=n).map(|p| (0..n).map(|h| format!("at({p},{h})@0")).collect::<Vec<_>>().join(" | ")).collect();
    for h in 0..n {
        for p in 0..=n {
            factual.extend((0..p).map(|q| format!("!(at({p},{h})@0 & at({q},{h})@0)")));
        }
    }
    json!({"factual": factual, "input": ["q@0"]})
}

#[test]
fn every_command_about_beliefs_ends_at_its_limits_with_exit_3() {
    let file = std::env::temp_dir().join(format!("ken-pigeons-{}.json", std::process::id()));
    std::fs::write(&file, pigeons(13).to_string()).expect("a file");
    let name = file.to_str().expect("a name");
    let (code, out, err) = ken(&["belief", "revise", name, "--max-seconds", "0.3"]);
    assert_eq!((code, out.as_str()), (3, ""), "{err}");
    assert!(err.starts_with("gave up: 0.3 seconds have passed"), "{err}");
    let (code, data) = data(&["belief", "revise", name, "--max-seconds", "0.3", "--json"]);
    assert_eq!((code, data["gave_up"]["message"].as_str()), (3, Some("0.3 seconds have passed")));
    let (code, _, err) = ken(&["belief", "revise", name, "--max-memory", "1"]);
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("more than 1 MB of memory are in use"), "{err}");
    std::fs::remove_file(&file).expect("our file");
    let (code, out, _) =
        ken_with(&["belief", "revise", "--batch", "--max-seconds", "0.3"], &json!([pigeons(13)]).to_string());
    assert_eq!(code, 3, "{out}");
    assert!(lines(&out).iter().all(|line| line["gave_up"].is_object()), "never an answer: {out}");
    for command in ["sat", "valid", "entails", "plan", "update"] {
        let (code, help, _) = ken(&["belief", command, "--help"]);
        assert!(code == 0 && help.contains("--max-seconds") && help.contains("--max-memory"), "{command}: {help}");
    }
}

#[test]
fn a_chain_of_facts_is_given_up_without_writing_its_square() {
    let n = 1_500;
    let mut factual = vec!["p0@0".to_string()];
    factual.extend((1..n).map(|i| format!("p{}@0 -> p{i}@0", i - 1)));
    let base = json!([{"factual": factual, "input": [format!("!p{}@0", n - 1)]}]);
    let (code, out, err) = ken_with(&["belief", "revise", "--batch", "--max-memory", "200"], &base.to_string());
    assert_eq!(code, 0, "{err}");
    let answer = &lines(&out)[0];
    let dropped = answer["dropped"].as_array().expect("what is given up");
    assert_eq!((dropped.len(), answer["factual"].as_array().map(Vec::len)), (n, Some(1)));
    for (i, gone) in dropped.iter().enumerate() {
        assert_eq!(gone.get("because").is_some(), i < 10, "reasons for the first ones only");
        let Some(because) = gone["because"].as_array() else { continue };
        assert_eq!(because.len() as u64 + gone["more"].as_u64().unwrap_or(0), n as u64, "the others, and the input");
        assert!(because.len() <= 50);
    }
    let (_, detailed, _) = ken_with(&["belief", "revise", "--batch", "--details"], &base.to_string());
    let detailed = &lines(&detailed)[0];
    let dropped = detailed["dropped"].as_array().expect("what is given up");
    assert!(dropped.iter().all(|gone| gone["because"].as_array().is_some_and(|why| why.len() == 50)));
    assert_eq!((&detailed["factual"], &detailed["accepted"]), (&answer["factual"], &answer["accepted"]));
    let (code, text, _) = ken_with(&["belief", "revise", "-"], &base[0].to_string());
    assert_eq!(code, 0);
    assert!(text.contains(&format!("given up: {n} facts, 0 hypotheses")), "{text}");
    assert!(text.lines().count() < 60 && text.ends_with("and 1490 more: see --details\n"), "{text}");
}

/// A base and a question about the end of a chain, with the number of its premises.
fn chain(n: usize, atom: impl Fn(usize) -> String) -> (Value, String) {
    let mut factual = vec![atom(0)];
    factual.extend((1..n).map(|i| format!("{} -> {}", atom(i - 1), atom(i))));
    (json!({"factual": factual}), format!("I[m] {}", atom(n - 1)))
}

#[test]
fn what_follows_along_a_chain_of_twenty_thousand_needs_all_of_it() {
    let atoms: [fn(usize) -> String; 3] =
        [|i| format!("p{i}@0"), |i| format!("p{}@{}", i % 97, i / 97), |i| format!("B[m] p{i}@1")];
    for atom in atoms {
        let (base, formula) = chain(20_000, atom);
        let asked = json!([{"base": base, "formula": formula}]).to_string();
        let (code, out, _) = ken_with(&["belief", "entails", "--batch", "--max-seconds", "60"], &asked);
        let answer = &lines(&out)[0];
        assert_eq!((code, &answer["entailed"]), (0, &json!(true)));
        assert_eq!(answer["premises"].as_array().map(Vec::len), Some(20_000));
    }
}

#[test]
fn an_update_moves_the_mutable_base_and_leaves_the_core() {
    let base =
        json!({"core": ["p@0 -> q@0"], "hypothetical": ["B[h]@2 (q@1 & now>=1)"], "factual": ["(p@0)", "now>=0"]});
    let expected = json!({"core": ["p@0 -> q@0"], "hypothetical": ["B[h]@3 (q@2 & now>=2)"],
                          "factual": ["p@1", "now>=1", "now>=0"]});
    let (code, out, _) = ken_with(&["belief", "update", "-", "--json"], &base.to_string());
    assert_eq!((code, lines(&out)), (0, vec![expected.clone()]));
    let late = json!({"factual": [format!("now>={}", u32::MAX)]});
    let (code, out, _) = ken_with(&["belief", "update", "--batch"], &json!([base, late, {"input": []}]).to_string());
    let answers = lines(&out);
    assert_eq!((code, &answers[0]), (2, &expected));
    assert!(answers[1..].iter().all(|answer| answer["error"].is_object()), "{out}");
    // What an update gives is a base again.
    let (code, text, _) = ken_with(&["belief", "update", "-"], &answers[0].to_string());
    assert_eq!(code, 0);
    assert!(text.starts_with("updated\n") && text.contains("4 facts, 1 hypothesis"), "{text}");
}

#[test]
fn a_batch_of_questions_may_share_one_base() {
    let (code, out, _) = ken_with(
        &["belief", "entails", "--base", "examples/belief/hint.json", "--batch"],
        &json!(["I[m] col(3,green)@1", {"formula": "I[m] col(3,red)@1", "answer": false}]).to_string(),
    );
    let entailed: Vec<Value> = lines(&out).iter().map(|line| line["entailed"].clone()).collect();
    assert_eq!((code, entailed), (0, vec![json!(true), json!(false)]));
}

#[test]
fn a_batch_refuses_a_key_that_is_there_twice_and_names_it() {
    let twice = r#"[{"factual": ["p@0"], "factual": ["q@0"], "input": ["!p@0"]}]"#;
    let (code, out, _) = ken_with(&["belief", "revise", "--batch"], twice);
    assert_eq!(code, 2, "{out}");
    assert!(out.contains("`factual` is given twice"), "{out}");
    let inside = r#"[{"base": {"core": [], "core": ["p@0"]}, "formula": "I[m] p@0"}]"#;
    let (code, out, _) = ken_with(&["belief", "entails", "--batch"], inside);
    assert!(code == 2 && out.contains("`core` is given twice"), "{out}");
    let position = r#"[{"observer": 0, "hand": ["plum"], "hand": ["rope"], "hand_sizes": [3], "events": []}]"#;
    let (code, out, _) = ken_with(&["cluedo", "solve", "--batch"], position);
    assert!(code == 2 && out.contains("`hand` is given twice"), "{out}");
}
