//! The binary as scripts and people use it: output, exit codes, bad input.

#[cfg(unix)]
mod interrupted;

use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("not JSON ({e}): {}", self.out))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn ken_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_ken"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its input early may close the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn ken(args: &[&str]) -> Run {
    ken_with(args, b"")
}

fn check_text(model: &str, args: &[&str]) -> Run {
    let mut all = vec!["check", "-"];
    all.extend(args);
    ken_with(&all, model.as_bytes())
}

#[test]
fn the_main_command_of_the_readme_shows_verdicts_first() {
    let run = ken(&["check", "models/muddy.ken"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("\nholds here    [announce someone] !K[child(1)] muddy(1)\n"), "{}", run.out);
    assert!(run.out.trim_end().ends_with("as expected"), "{}", run.out);
    assert!(run.out.lines().all(|l| l.chars().count() <= 80), "{}", run.out);
    assert!(!run.out.contains('\x1b'), "no colour outside a terminal");
}

#[test]
fn exit_codes_tell_holding_failing_wrong_and_given_up() {
    assert_eq!(ken(&["check", "models/muddy.ken", "-f", "muddy(1)"]).code, 0);
    assert_eq!(ken(&["check", "models/muddy.ken", "-f", "!muddy(1)"]).code, 1);
    assert_eq!(ken(&["check", "models/muddy.ken", "-f", "muddi(1)"]).code, 2);
    assert_eq!(ken(&["check", "models/nothing.ken"]).code, 2);
    assert_eq!(ken(&["chekc"]).code, 2);
    let run = ken(&["check", "models/muddy.ken", "--set", "n=30", "--engine", "explicit", "--max-states", "1000"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("gave up: more than 1,000 worlds") && run.err.contains("help:"), "{}", run.err);
}

#[test]
fn an_unexpected_answer_fails_and_is_named() {
    let run = check_text("agents a\nprops p\npoint p\ncheck p expect false\ncount true expect 2", &[]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("expected false") && run.out.contains("1 of 2 answers not as expected"), "{}", run.out);
}

#[test]
fn json_results_have_the_documented_shape() {
    let model =
        r#"{"agents": ["a","b"], "worlds": {"w0": ["p"], "w1": []}, "relations": {"a": [["w0","w1"]]}, "point": "w0"}"#;
    let run = check_text(model, &["-f", "K[a] p", "-f", "K[b] p", "--json", "--witness"]);
    assert_eq!(run.code, 1);
    let json = run.json();
    assert_eq!(json["kind"], "kripke");
    assert_eq!(json["results"][0]["formula"], "K[a] p");
    assert_eq!(json["results"][0]["holds"], false);
    assert_eq!(json["results"][0]["holds_at"], serde_json::json!([]));
    assert_eq!(json["results"][1]["holds_at"], serde_json::json!(["w0"]));
    assert_eq!(json["results"][0]["engine"], "explicit");
    assert!(json["results"][0]["seconds"].is_number());
    let witness = &json["results"][0]["witness"]["because"];
    assert_eq!(witness["kind"], "alternative");
    assert_eq!(witness["alternative"]["world"]["name"], "w1");
    assert_eq!(witness["alternative"]["differs"], serde_json::json!(["!p"]));
}

#[test]
fn both_engines_list_the_same_worlds_and_large_answers_are_counted() {
    for engine in ["explicit", "symbolic"] {
        let run = ken(&["check", "models/muddy.ken", "-f", "muddy(1) & !muddy(2)", "--engine", engine, "--json"]);
        let mut worlds: Vec<String> =
            run.json()["results"][0]["holds_at"].as_array().unwrap().iter().map(|w| w.to_string()).collect();
        worlds.sort();
        assert_eq!(worlds, ["\"{muddy(1), muddy(3)}\"", "\"{muddy(1)}\""], "{engine}");
    }
    let run = ken(&["check", "models/muddy.ken", "--set", "n=100", "-f", "muddy(1)", "--json"]);
    assert_eq!(run.json()["results"][0]["holds_at_count"], "633825300114114700748351602688");
    assert_eq!(run.json()["results"][0]["engine"], "symbolic");
}

#[test]
fn a_world_can_be_named_by_its_facts() {
    for engine in ["explicit", "symbolic"] {
        let at = "{muddy(2), muddy(3)}";
        let run = ken(&["check", "models/muddy.ken", "-f", "K[child(1)] muddy(2)", "--at", at, "--engine", engine]);
        assert_eq!(run.code, 0, "{engine}: {}{}", run.out, run.err);
        let run = ken(&["check", "models/muddy.ken", "-f", "true", "--at", "nowhere", "--engine", engine]);
        assert_eq!(run.code, 2, "{engine}");
        assert!(run.err.contains("no world or point is called `nowhere`"), "{}", run.err);
        let run = ken(&["check", "cheryl", "-f", "day = 16", "--at", "{day=16,month=july}", "--engine", engine]);
        assert_eq!(run.code, 0, "{engine}: {}", run.err);
        let run = ken(&["check", "cheryl", "-f", "day = 16", "--at", "{}", "--engine", engine]);
        assert_eq!(run.code, 2, "{engine}");
        assert!(run.err.contains("error[E15]: `day` has no value here"), "{engine}: {}", run.err);
    }
}

#[test]
fn explanations_of_beliefs_do_not_call_them_knowledge() {
    let text = "belief\nagents a\nprops p\naction lie = events {\n  ! said: pre !p\n  believed: pre p\n  edges a: said -> \
                believed, believed -> believed\n}\npoint\ncheck [lie] Kw[a] p expect true\ncheck [lie] K[a] false";
    let run = check_text(text, &["--witness"]);
    assert!(run.out.contains("a considers only one world possible, and it is not the actual one"), "{}", run.out);
    assert!(run.out.contains("2 worlds become 2"), "{}", run.out);
}

#[test]
fn a_limit_on_worlds_holds_for_the_first_model_too() {
    assert_eq!(ken(&["check", "models/muddy.ken", "--max-states", "3", "--engine", "explicit"]).code, 3);
    assert_eq!(ken(&["check", "models/lie.ken", "--max-states", "3"]).code, 3);
    assert!(ken(&["check", "models/muddy.ken", "--max-states", "3"]).out.contains("symbolic engine"));
}

#[test]
fn wrong_flags_are_data_with_json() {
    let run = ken(&["check", "muddy", "--json", "--engin", "explicit"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.json()["error"]["code"], "usage");
}

#[test]
fn explaining_a_long_repetition_ends() {
    let text = "agents a\nprops p\npoint p\ncheck [announce p]^(3000) K[a] p expect true";
    let run = check_text(text, &["--witness", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn parameters_of_compare_go_to_the_models_that_have_them() {
    assert_eq!(ken(&["compare", "muddy", "muddy", "--set", "n=2"]).code, 0);
    assert_eq!(ken(&["compare", "muddy", "cards", "--set", "m=2"]).code, 2);
}

#[test]
fn explain_shows_the_alternative_the_path_and_the_update() {
    let run = ken(&["explain", "models/muddy.ken", "-f", "K[child(1)] muddy(1)"]);
    assert!(run.out.contains("child(1) cannot exclude {muddy(2), muddy(3)} (there: !muddy(1))"), "{}", run.out);
    for engine in ["explicit", "symbolic"] {
        let formula = "C[child(1),child(2)] (muddy(1) | muddy(2))";
        let run = ken(&["explain", "models/muddy.ken", "-f", formula, "--engine", engine]);
        assert!(run.out.contains("there, child("), "{engine}: a path of two agents\n{}", run.out);
        let run =
            ken(&["explain", "models/muddy.ken", "-f", "[announce someone] K[child(1)] muddy(1)", "--engine", engine]);
        assert!(run.out.contains("after announce someone: 7 of 8 worlds remain"), "{engine}: {}", run.out);
    }
}

#[test]
fn contradictory_laws_are_named() {
    for engine in ["auto", "explicit", "symbolic"] {
        let text = "agents a\nprops p, q, r\nlaw p | q\nlaw r\nlaw !p\nlaw !q\ncheck r";
        let run = check_text(text, &["--engine", engine]);
        assert_eq!(run.code, 2, "{engine}");
        assert!(run.err.contains("error[E14]: the model has no world"), "{engine}: {}", run.err);
        assert!(run.err.contains("contradicts lines 5, 6 together"), "{engine}: {}", run.err);
        assert!(run.err.contains("3 │ law p | q"), "{engine}: {}", run.err);
    }
}

#[test]
fn a_point_outside_the_law_is_refused_with_its_place() {
    for engine in ["explicit", "symbolic"] {
        let run = check_text("agents a\nprops p\nlaw !p\npoint p\ncheck p", &["--engine", engine]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("error[E15]") && run.err.contains("4 │ point p"), "{engine}: {}", run.err);
    }
}

#[test]
fn temporal_formulas_and_belief_in_the_symbolic_engine_are_refused_by_name() {
    let run = check_text("agents a\nprops p\ncheck AG p", &[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("error[E12]") && run.err.contains("3 │ check AG p"), "{}", run.err);
    let run = ken(&["check", "models/muddy.ken", "-f", "EF muddy(1)"]);
    assert!(run.err.contains("error[E12]") && run.err.contains("-f:1:1"), "{}", run.err);
    let run = check_text("belief\nagents a\nprops p\ncheck p", &["--engine", "symbolic"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("the symbolic engine is for S5 models"), "{}", run.err);
}

#[test]
fn unreadable_files_end_in_a_message() {
    let run = ken_with(&["check", "-"], b"agents a\nprops \xff\xfe");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("error[E19]: the file is not UTF-8 text"), "{}", run.err);
    let run = check_text("", &[]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("error[E21]: the model has no agents"), "{}", run.err);
    let run = ken_with(&["check", "-", "--json"], b"agents a\nprops p\ncheck K[b] p");
    assert_eq!(run.json()["error"]["code"], "E07");
    assert_eq!(run.json()["error"]["span"]["line"], 3);
    let large = vec![b' '; 100 << 20];
    let run = ken_with(&["check", "-"], &large);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("larger than 64 MB"), "{}", run.err);
}

#[test]
fn a_time_limit_ends_with_what_is_done_so_far() {
    // Independent coin flips seen by nobody: cheap to count, far too many to list.
    let text = "param n = 40\nagents a\nprops p(i) for i in 1..n\ncount true expect 2^n";
    let args = ["--engine", "explicit", "--max-seconds", "0.2", "--max-states", "99999999", "--json"];
    let run = check_text(text, &args);
    assert_eq!(run.code, 3, "{}", run.out);
    assert!(run.json()["gave_up"]["message"].as_str().unwrap().contains("seconds"), "{}", run.out);
    assert!(run.json()["results"].is_array());
}

#[test]
fn a_memory_limit_ends_with_exit_code_three() {
    let text = "param n = 40\nagents a\nprops p(i) for i in 1..n\ncount true expect 2^n";
    let run = check_text(text, &["--engine", "explicit", "--max-memory", "60", "--max-states", "99999999"]);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("gave up"), "{}", run.err);
}

#[test]
fn compare_finds_a_formula_or_none() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let one = file(
        "one.json",
        r#"{"agents": ["a"], "worlds": {"w": ["p"], "v": ["p"]}, "relations": {"a": [["w","v"]]}, "point": "w"}"#,
    );
    let two = file("two.json", r#"{"agents": ["a"], "worlds": {"u": ["p"]}, "point": "u"}"#);
    let three = file(
        "three.json",
        r#"{"agents": ["a"], "worlds": {"u": ["p"], "x": []}, "relations": {"a": [["u","x"]]}, "point": "u"}"#,
    );
    let run = ken(&["compare", &one, &two]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("bisimilar"), "{}", run.out);
    let run = ken(&["compare", &one, &three, "--json"]);
    assert_eq!(run.code, 1);
    let formula = run.json()["formula"].as_str().unwrap().to_string();
    assert_eq!(ken(&["check", &one, "-f", &formula]).code, 0);
    assert_eq!(ken(&["check", &three, "-f", &formula]).code, 1);
}

#[test]
fn drawings_are_written_in_both_formats() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, start) in [("m.svg", "<svg"), ("m.dot", "graph")] {
        let path = folder.join(name).to_string_lossy().into_owned();
        let run = ken(&["draw", "models/muddy.ken", "-f", "K[child(1)] muddy(2)", "-o", &path]);
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(std::fs::read_to_string(&path).unwrap().contains(start));
    }
    assert_eq!(ken(&["draw", "models/muddy.ken", "-o", "m.png"]).code, 2);
    assert!(ken(&["draw", "models/muddy.ken"]).out.contains("</svg>"));
}

#[test]
fn fmt_formats_in_place_and_checks() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("untidy.ken");
    let file = path.to_string_lossy().into_owned();
    std::fs::write(&path, "agents   a\nprops p\ncheck  p&p").unwrap();
    assert_eq!(ken(&["fmt", "--check", &file]).code, 1);
    assert_eq!(ken(&["fmt", &file]).code, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "agents a\nprops p\ncheck p & p\n");
    assert_eq!(ken(&["fmt", "--check", &file]).code, 0);
    #[cfg(unix)]
    {
        let link = path.with_file_name("link.ken");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&path, &link).unwrap();
        std::fs::write(&path, "agents   a").unwrap();
        assert_eq!(ken(&["fmt", &link.to_string_lossy()]).code, 0);
        assert!(link.is_symlink(), "a link stays a link");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "agents a\n");
    }
    std::fs::write(&path, "agents a\nprops (").unwrap();
    assert_eq!(ken(&["fmt", &file]).code, 2);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "agents a\nprops (", "a broken file is left alone");
}

#[test]
fn the_library_is_listed_and_found_by_name() {
    let run = ken(&["list", "models"]);
    assert!(run.out.lines().any(|l| l.starts_with("muddy ")), "{}", run.out);
    assert!(run.out.contains("[n=3]"));
    assert!(run.out.lines().all(|l| l.chars().count() <= 80), "{}", run.out);
    assert_eq!(ken(&["check", "cheryl"]).code, 0);
    assert!(ken(&["check", "cheril"]).err.contains("did you mean the library model `cheryl`?"));
}

#[test]
fn list_alone_says_what_can_be_listed() {
    for args in [&["list"][..], &["list", "nonsense"]] {
        let run = ken(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        for what in ["models", "games", "players", "experiments", "rules"] {
            assert!(run.err.contains(what), "{args:?}: {}", run.err);
        }
    }
}

#[test]
fn everything_that_check_and_compare_print_fits_into_80_columns() {
    let narrow = |text: &str| assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    // A formula that is given up.
    let text = "agents a, b\nprops p(i) for i in 1..14\n";
    let formula = (1..=14).map(|i| format!("[L[a, b] (L[a] ?p({i}) + L[b] ?true)]")).collect::<Vec<_>>().join(" ");
    let run = check_text(text, &["--engine", "explicit", "--max-states", "20000", "-f", &format!("{formula} p(1)")]);
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.out.contains("\ngave up       [L["), "{}", run.out);
    narrow(&run.out);
    narrow(&run.err);
    assert!(run.err.contains("more than 20,000 worlds"), "{}", run.err);
    // The heading of a model of worlds.
    let folder = std::env::temp_dir().join(format!("ken-heading-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let named = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let model =
        named("a-model-with-a-name-that-takes-its-place.ken", "agents a\nprops p\npoint p\ncheck p expect true\n");
    let run = ken(&["check", &model]);
    assert_eq!(run.code, 0, "{}", run.err);
    narrow(&run.out);
    // The error of a comparison.
    let agents = (1..=12).map(|i| format!("somebody_{i}")).collect::<Vec<_>>().join(", ");
    let other = named("other.ken", &format!("agents {agents}\nprops p\npoint p\n"));
    let run = ken(&["compare", &model, &other]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.starts_with("error: the models have different agents: "), "{}", run.err);
    narrow(&run.err);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_knowledge_action_at_a_state_that_is_not_initial_is_refused_for_what_it_is() {
    let text = r#"{"agents": ["a"], "initial": ["s0"], "transitions": [["s0", "go", "s1"], ["s1", "go", "s1"]],
                   "states": {"s0": {"local": {"a": "0"}, "props": []}, "s1": {"local": {"a": "0"}, "props": ["q"]}}}"#;
    for at in ["s1", "{q}", "s7"] {
        let run = check_text(text, &["-f", "[announce q] K[a] q", "--at", at]);
        assert_eq!(run.code, 2, "{at}: {}", run.out);
        assert!(run.err.contains("knowledge actions `[α]` are about the beginning of a system"), "{at}: {}", run.err);
        assert!(!run.err.contains("no world or point"), "{at}: {}", run.err);
    }
    let run = check_text(text, &["-f", "[announce q] K[a] q", "--at", "s0"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn experiments_are_listed_and_run_by_name_outside_the_repository() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("elsewhere");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let there = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ken")).args(args).current_dir(&folder).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    };
    let (code, out, err) = there(&["list", "experiments"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.lines().any(|l| l.starts_with("cluedo-thesis ") && l.len() > 25), "names with titles: {out}");
    assert!(out.lines().all(|l| l.chars().count() <= 80), "{out}");
    assert_eq!(there(&["list", "experiments", "--json"]).1, ken(&["list", "experiments", "--json"]).out);
    for name in ["yokai-paper", "experiments/yokai-paper"] {
        let (code, out, err) = there(&["run", name, "--games", "2"]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(folder.join("results/yokai-paper/report.md").exists());
    }
    let (code, _, err) = there(&["run", "nonsense"]);
    assert_eq!(code, 2, "{err}");
    let on_one_line = err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(on_one_line.contains("`ken list experiments`"), "{err}");
}

#[test]
fn completions_exist_for_three_shells() {
    for shell in ["bash", "zsh", "fish"] {
        let run = ken(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.out.contains("explain"), "{shell}");
    }
}

#[test]
fn smcdel_files_are_read_by_the_same_command() {
    let text = "VARS 1,2 LAW Top OBS a: 1 b: 2\nTRUE? {1} a knows that 1\nVALID? a knows whether 2\nWHERE? 1 & ~2";
    let run = check_text(text, &["--json"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let json = run.json();
    assert_eq!(json["results"][0]["holds"], true);
    assert_eq!(json["results"][1]["holds"], false);
    assert_eq!(json["results"][2]["states"], serde_json::json!([["p1"]]));
}

#[test]
fn systems_are_checked_with_and_without_memory() {
    let run = ken(&["check", "models/forgot.ken", "--recall", "both", "--witness"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("memory makes the difference: holds with perfect recall, fails"), "{}", run.out);
    assert!(run.out.contains("another run looks the same") && run.out.contains(" │ "), "{}", run.out);
    assert!(run.out.contains("an agent with perfect recall tells them apart after step "), "{}", run.out);
    assert!(run.out.lines().all(|l| l.chars().count() <= 80), "{}", run.out);
    let none = ken(&["check", "models/forgot.ken", "--recall", "none", "-f", "AX{shine} Kw[ann] colour = red"]);
    assert_eq!(none.code, 1, "{}", none.out);
}

#[test]
fn answers_of_systems_are_data_too() {
    let file = "crates/logic/tests/vectors/actctl.json";
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(root().join(file)).unwrap()).unwrap();
    let case = &vectors["cases"][0];
    let formula = case["checks"][3]["formula"].as_str().unwrap();
    let system = case["system"].to_string();
    let run = ken_with(&["check", "-", "-f", formula, "--recall", "both", "--json", "--witness"], system.as_bytes());
    let json = run.json();
    assert_eq!(json["kind"], "system");
    let result = &json["results"][0];
    assert_eq!(result["perfect_recall"], case["checks"][3]["perfect_recall"]);
    assert_eq!(result["forgetful"], case["checks"][3]["forgetful"]);
    assert_eq!(result["recall"], "both");
    assert!(result["witness"]["account"]["because"]["kind"].is_string(), "{result}");
    // Without a word about memory, explicit systems have none.
    let plain = ken_with(&["check", "-", "-f", "EF p", "--json"], system.as_bytes()).json();
    assert_eq!(plain["results"][0]["recall"], "none");
    assert!(plain["results"][0]["holds_at"].is_array());
}

#[test]
fn bad_systems_are_refused_with_their_place() {
    let head = "agents a\nvars x: 0..2 of a\ninitial x = 0\nactions a: up, stay\n";
    let with = |rest: &str| check_text(&format!("{head}{rest}"), &[]);
    for (rest, code, says) in [
        ("next x := x + 1 if up\ncheck AG x < 3", 2, "`x` would become 3, which it cannot be"),
        (
            "protocol a: up if x < 2\nnext x := x + 1 if up\ncheck AG x < 3",
            2,
            "the protocol of `a` enables nothing in the state {x = 2}",
        ),
        ("protocol b: up\ncheck true", 2, "unknown agent `b`"),
        ("protocol a: upp\ncheck true", 2, "did you mean `up`?"),
        ("program up = stay\ncheck true", 2, "`up` is an action too"),
        ("program p = p ; up\ncheck true", 2, "`p` is defined by itself"),
        ("check up", 2, "`up` is an action, not a fact"),
        ("check EX{upp} x = 1", 2, "unknown action `upp`"),
        ("check K[b] x = 0", 2, "unknown agent `b`"),
        ("law x = 0\ncheck true", 2, "`initial φ` describes the initial states"),
        ("protocol a: up if K[a] AX x = 0\ncheck true", 2, "time and knowledge actions have no place in a guard"),
        ("check AX [announce x = 0] x = 0", 2, "do not go into one formula"),
        ("check EF O[a] x = 0", 2, "`O[a]` is for systems without memory"),
    ] {
        let run = with(rest);
        assert_eq!(run.code, code, "{rest}: {}{}", run.out, run.err);
        assert!(run.err.contains(says), "{rest}: {}", run.err);
    }
    let run = check_text(
        &format!("{head}next x := (x + 1) % 3 if up\ncheck AG x < 3"),
        &["--max-states", "2", "--engine", "explicit"],
    );
    assert_eq!(run.code, 3, "{}", run.err);
    let run = ken(&["check", "models/attack-time.ken", "-f", "AG !C[a,b] dawn", "--bound", "5"]);
    assert_eq!((run.code, run.err.contains("undecided after 5 steps")), (3, true), "{}", run.err);
    let run = ken(&["check", "models/muddy.ken", "--recall", "none"]);
    assert_eq!((run.code, run.err.contains("`--recall` is for systems")), (2, true), "{}", run.err);
    let run = ken(&["check", "models/muddy-protocol.ken", "--recall", "none"]);
    assert_eq!((run.code, run.err.contains("it needs perfect recall")), (2, true), "{}", run.err);
}

#[test]
fn ispl_files_are_read_by_the_same_command() {
    let text = "Agent Environment\n  Vars:\n    on: boolean;\n  end Vars\n  Actions = {flip, rest};\n  Protocol:\n    \
                Other: {flip, rest};\n  end Protocol\n  Evolution:\n    on=true if on=false and Action=flip;\n    \
                on=false if on=true and Action=flip;\n  end Evolution\nend Agent\nEvaluation\n  lit if \
                Environment.on=true;\nend Evaluation\nInitStates\n  Environment.on=false;\nend InitStates\n\
                Formulae\n  EF lit;\n  AG lit;\nend Formulae\n";
    let run = check_text(text, &[]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("holds         EF lit") && run.out.contains("fails         AG lit"), "{}", run.out);
}

#[test]
fn a_formula_of_runs_where_states_are_spoken_of_is_refused_alone() {
    let text = "Agent Environment\n  Vars:\n    on: boolean;\n  end Vars\n  Actions = {flip, rest};\n  Protocol:\n    \
                Other: {flip, rest};\n  end Protocol\n  Evolution:\n    on=true if Action=flip;\n  end Evolution\n\
                end Agent\nEvaluation\n  lit if Environment.on=true;\nend Evaluation\nInitStates\n  \
                Environment.on=false;\nend InitStates\nFormulae\n  EF lit;\n  K(Environment, G lit);\n  AG lit;\nend Formulae\n";
    let run = check_text(text, &[]);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    let places: Vec<_> = ["holds         EF lit", "refused       K(Environment, G lit)", "fails         AG lit"]
        .iter()
        .map(|told| run.out.find(told).unwrap_or_else(|| panic!("{told}: {}", run.out)))
        .collect();
    assert!(places.is_sorted(), "{}", run.out);
    assert!(run.err.contains("this is about a run") && run.err.contains("E12"), "{}", run.err);
    let run = check_text(text, &["--json"]);
    assert_eq!(run.code, 2, "{}", run.err);
    let told: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let results = told["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    assert_eq!((&results[0]["holds"], &results[2]["holds"]), (&true.into(), &false.into()));
    assert_eq!(results[1]["formula"], "K(Environment, G lit)");
    assert_eq!((&results[1]["refused"]["code"], &results[1]["holds"]), (&"E12".into(), &serde_json::Value::Null));
    assert!(results[1]["refused"]["span"]["line"].as_u64().is_some_and(|line| line > 20), "{}", results[1]);
}

#[test]
fn initial_states_that_fairness_leaves_out_are_told() {
    let text = "system recall none\nagents a\nenvironment env\nprops p of a\nactions a: n\nactions env: m\n\
                fair p\ncheck p & <<a>>G p\n";
    let run = check_text(text, &[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("1 initial state does not count: no fair run starts there"), "{}", run.out);
    assert!(run.out.contains("strategies are judged on all runs, fair or not"), "{}", run.out);
    let run = check_text(text, &["--json"]);
    let told: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let result = &told["results"][0];
    assert_eq!((&result["initial_states"], &result["holds_at"]), (&1.into(), &serde_json::json!(["{p}"])));
    assert_eq!(
        (&result["initial_states_without_fair_run"], &result["strategies_ignore_fairness"]),
        (&1.into(), &true.into())
    );
    let run = check_text(text, &["--at", "{}"]);
    assert_eq!((run.code, run.err.contains("no fair run starts there")), (2, true), "{}", run.err);
}

#[test]
fn a_system_is_asked_after_a_history() {
    let text = "system recall perfect\nagents a\nvars x : 0..3 of a\nactions a: up, stay\nprotocol a: up if x < 3\n\
                protocol a: stay\ninitial x = 0\nnext x := x + 1 if up\ncheck K[a] x = 2\n";
    let run = check_text(text, &["--at", "{x = 0} > up: {x = 1} > {x = 2}", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\"at\":\"{x = 0} > up: {x = 1} > {x = 2}\""), "{}", run.out);
    let run = check_text(text, &["--at", "{x = 0} > up: {x = 2}"]);
    assert_eq!((run.code, run.err.contains("no step leads from {x = 0} to up: {x = 2}")), (2, true), "{}", run.err);
    let run = check_text(text, &["--at", "{x = 2}"]);
    assert_eq!((run.code, run.err.contains("`{x = 2}` is not an initial state")), (2, true), "{}", run.err);
}

#[test]
fn runs_are_drawn_as_charts() {
    let folder = std::env::temp_dir().join(format!("ken-chart-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("run.svg");
    let path = out.to_str().unwrap();
    let run = ken(&["draw", "models/forgot.ken", "-f", "AG Kw[ann] colour = red", "--recall", "none", "-o", path]);
    assert_eq!(run.code, 0, "{}", run.err);
    let drawing = std::fs::read_to_string(&out).unwrap();
    assert!(drawing.starts_with("<svg") && drawing.contains("ann") && drawing.contains("looks the same"));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(ken(&["draw", "models/forgot.ken", "-f", "EF true", "-o", "x.dot"]).code, 2);
}

#[test]
fn a_variable_of_a_system_has_at_most_65536_values() {
    let text =
        "agents a\nvars x: 0..70000 of a\nactions a: up\ninitial x = 0\nnext x := x + 1 if up & x < 9\ncheck AG x < 9";
    let run = check_text(text, &[]);
    assert_eq!((run.code, run.err.contains("E17")), (2, true), "{}", run.err);
}

#[test]
fn accounts_of_deeply_nested_formulas_are_told_to_the_end() {
    let text = "agents ann, bob\nprops light of bob\nactions ann: turn, rest\nnext light := !light if turn\n";
    let formula = format!("{}K[ann] light{}", "(EF light -> ".repeat(45), ")".repeat(45));
    let run = check_text(text, &["-f", &formula, "--witness"]);
    assert_eq!(run.code, 1, "{}", run.err);
}

#[test]
fn with_and_without_memory_are_compared_state_by_state() {
    let formula = "colour = red <-> AX{shine} Kw[ann] colour = red";
    let run = ken(&["explain", "models/forgot.ken", "--recall", "both", "-f", formula]);
    assert!(run.out.contains("not at the same ones") && run.out.contains("without memory:"), "{}", run.out);
    let json = ken(&["check", "models/forgot.ken", "--recall", "both", "-f", formula, "--json"]).json();
    assert!(json["results"][0]["parting"].is_string(), "{json}");
}

#[test]
fn many_joint_actions_are_left_to_the_symbolic_engine() {
    let text = "system recall none\nagents a(i) for i in 1..30\nprops p(i) of a(i) for i in 1..30\n\
                actions a(i): set(i), rest(i)\nnext p(i) := true if set(i) for i in 1..30\n\
                initial forall i in 1..30: !p(i)\n";
    let run = check_text(text, &["-f", "EF (forall i in 1..30: p(i))", "--max-seconds", "60"]);
    assert_eq!((run.code, run.out.contains("symbolic engine")), (0, true), "{}{}", run.out, run.err);
}

#[test]
fn only_steps_that_knowledge_allows_can_go_wrong() {
    let head = "agents a, b\nvars x: 0..2 of a\nactions a: go, stay\nactions b: move, rest\ninitial x = 0\n\
                protocol a: go if K[a] x < 2\nprotocol a: stay otherwise\nnext x := x + 1 if go\n";
    let run = check_text(&format!("{head}check AF x = 2\ncount true expect 3"), &[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = check_text(&format!("{head}protocol b: move if K[b] x = 0\ncheck AF x = 2"), &[]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("E23") && run.err.contains("protocol a: go if K[a] x < 2"), "{}", run.err);
}

#[test]
fn programs_that_double_are_refused_while_they_are_read() {
    let mut text = "agents a\nprops p\nactions a: go\nprogram q0 = go\n".to_string();
    for i in 1..=40 {
        text.push_str(&format!("program q{i} = q{} ; q{}\n", i - 1, i - 1));
    }
    let run = check_text(&format!("{text}check EX{{q40}} p"), &[]);
    assert_eq!((run.code, run.err.contains("E17")), (2, true), "{}", run.err);
}

#[test]
fn runs_fit_into_eighty_columns() {
    let folder = root().join("models");
    for model in std::fs::read_dir(folder).unwrap().map(|m| m.unwrap().path()) {
        let run = ken(&["check", model.to_str().unwrap(), "--witness"]);
        let wide = run.out.lines().filter(|l| !l.starts_with('/')).find(|l| l.chars().count() > 80);
        assert_eq!(wide, None, "{}", model.display());
    }
}

#[test]
fn with_memory_nothing_is_listed_where_nobody_is_asked_what_they_know() {
    let text = "agents a\nprops p(i) for i in 1..40\nactions a: flip(i) for i in 1..40\n\
                next p(i) := !p(i) if flip(i) for i in 1..40\ninitial forall i in 1..40: !p(i)\n";
    let run = check_text(text, &["-f", "EF (forall i in 1..40: p(i))", "--max-seconds", "60"]);
    assert_eq!((run.code, run.out.contains("symbolic engine")), (0, true), "{}{}", run.out, run.err);
}

#[test]
fn counting_what_knowledge_lets_happen_ends_at_the_bound() {
    let text = "agents a\nvars x: 0..99 of a\nactions a: go, stay\ninitial x = 0\nprotocol a: go if K[a] x < 99\n\
                protocol a: stay otherwise\nnext x := x + 1 if go\ncount true\n";
    let run = check_text(text, &["--bound", "3"]);
    assert_eq!((run.code, run.err.contains("undecided after 3 steps")), (3, true), "{}{}", run.out, run.err);
    let run = check_text(&text.replace("count true", "count true expect 100"), &["--bound", "200"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

/// Runs under a limit of address space, in kilobytes, as `ulimit -v` sets it.
#[cfg(target_os = "linux")]
fn ken_within(kilobytes: usize, args: &[&str]) -> Run {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\""))
        .arg(env!("CARGO_BIN_EXE_ken"))
        .args(args)
        .current_dir(root())
        .output()
        .unwrap();
    Run {
        code: output.status.code().expect("it ends by itself, not by a signal"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
#[cfg(target_os = "linux")]
fn without_max_memory_a_large_check_ends_with_exit_3_where_the_system_gives_no_more() {
    let protocol = ["check", "models/dining-protocol.ken", "--set", "n=11"];
    let queens = "param n = 14\nagents a\nprops q(i,j) for i in 1..n, j in 1..n\n\
                  law forall i in 1..n: oneof(q(i,j) for j in 1..n)\n\
                  law forall j in 1..n: oneof(q(i,j) for i in 1..n)\ncheck K[a] q(1,1)\n";
    let file = std::env::temp_dir().join(format!("ken-queens-{}.ken", std::process::id()));
    std::fs::write(&file, queens).unwrap();
    let queens = file.to_str().unwrap();
    let (all, protocol_only) =
        ([&protocol[..], &["check", queens], &["check", queens, "--engine", "explicit"]], [&protocol[..]]);
    for (kilobytes, commands) in [(250_000, &all[..]), (300_000, &all), (400_000, &all), (1_500_000, &protocol_only)] {
        for args in commands {
            let run = ken_within(kilobytes, args);
            assert_eq!(run.code, 3, "{kilobytes} {args:?}: {}{}", run.out, run.err);
            assert!(run.err.contains("gave up: ") || run.err.contains("memory allocation"), "{kilobytes}: {}", run.err);
        }
    }
    std::fs::remove_file(&file).unwrap();
}
