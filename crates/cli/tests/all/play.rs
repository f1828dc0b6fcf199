//! `ken play`, `ken replay` and what they list, driven as a person or a program would: lines in, lines out.

use ken_games::cluedo::Cluedo;
use ken_games::game::{Notation, Seat};
use ken_games::record::{Match, Record};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Run {
    fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("not JSON ({e}): {l}"))).collect()
    }
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
    // Both pipes can fill: one thread writes while this one reads. A match may end before all is read.
    let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A place for files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("play-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const SEED: u64 = 918_273_645_546_372;

const SMALL: &str = r#"{"deck": {"who": ["ann", "bob", "cat", "dan"], "how": ["axe", "bat", "cord", "dart"],
    "where": ["attic", "barn", "cellar"]}, "turns": 30}"#;

fn small() -> Cluedo {
    let mut options: Value = serde_json::from_str(SMALL).unwrap();
    options["players"] = json!(3);
    Cluedo::with_options(&options).unwrap()
}

/// The arguments of a match of three with the small deck, the seed and more.
fn small_match<'a>(seed: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["play", "cluedo", "--against", "exact,elimination", "--options", SMALL, "--seed", seed];
    args.extend(more);
    args
}

/// Lines that play a seat to the end, whatever happens: what does not fit is refused and costs nothing. The cards to be
/// shown are tried one by one; every turn asks for something else.
fn script(game: &Cluedo) -> String {
    let triples = game.deck().triples(game.deck().cards());
    let shows: String = game.deck().cards().iter().map(|c| format!("show {}\n", game.deck().name(c))).collect();
    let mut lines = String::new();
    for i in 0..30 {
        let cards = game.deck().names(triples[i * 17 % triples.len()]);
        lines += &format!("{shows}suggest {cards}\n{shows}end\n{shows}{shows}");
    }
    lines
}

fn fits(run: &Run) {
    // Names of files are as long as they are.
    let long = run.out.lines().find(|l| l.chars().count() > 80 && !l.contains('/'));
    assert_eq!(long, None, "every line fits 80 columns");
    assert!(!run.out.contains('\x1b'), "no colour outside a terminal");
}

#[test]
fn a_scripted_match_goes_from_the_first_to_the_last_move_with_wrong_inputs_on_the_way() {
    let folder = folder("scripted");
    let file = folder.join("m.json").display().to_string();
    let game = small();
    let envelope = game.deck().names(Match::deal(game.clone(), SEED).state().envelope());
    let seed = SEED.to_string();
    let typed = format!(
        "help\nhand\nsheet\noptions\nfrobnicate\nsuggest ann\nsuggest ann axe yard\nshow ann\nend\nundo\nlog\n\
         s {}\nundo\naccuse ann bob\nadvise\nknow env(ann)\na {envelope}\nyes\nsheet\n",
        envelope.to_uppercase()
    );
    let run = ken(&small_match(&seed, &["--record", &file]), &typed);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    fits(&run);
    for expected in [
        "type `help` for what can be typed",
        "✓ has, ✗ has not, · open, ? one of a set",
        "error: there is no action `frobnicate`",
        "error: there is none of the how",
        "error: there is no card `yard`",
        "error: a turn begins with a suggestion",
        "error: there is nothing to take back",
        "error: somebody has learned something from it",
        "error: bob, ann are all who",
        "error: `advise` needs helper level 4, and this match has 2",
        "error: `know` needs helper level 3",
        "right, seat 0 wins",
        "\n  seat 0 won\n",
        "\n  the seed was 918273645546372\n",
    ] {
        let alternative = expected.replace("bob, ann", "ann, bob");
        assert!(run.out.contains(expected) || run.out.contains(&alternative), "{expected}\n{}", run.out);
    }
    let before_end = run.out.split("seat 0 won\n").next().unwrap();
    assert!(!before_end.contains(&seed), "the seed is a secret before the end");
    let record = Record::from_text(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(record.players, ["person", "exact", "elimination"]);
    assert_eq!((record.helpers.as_slice(), record.seed), (&[2, 0, 0][..], SEED));
    assert_eq!(record.entries.len(), 2);
    let again = ken(&small_match(&seed, &["--record", &file]), "");
    assert_eq!(again.code, 2);
    assert!(again.err.contains("this match is over") && again.err.contains("ken replay"), "{}", again.err);
}

#[test]
fn a_match_that_was_interrupted_anywhere_goes_on_as_if_it_had_not_been() {
    let folder = folder("interrupted");
    let script = script(&small());
    let lines: Vec<&str> = script.split_inclusive('\n').collect();
    let mut interrupted = 0;
    for (against, seed) in [("exact,elimination", "5"), ("inquirer,random", "6"), ("random,random", "8")] {
        let file = |name: &str| folder.join(format!("{seed}-{name}.json")).display().to_string();
        let play = |name: &str, typed: &str| {
            let file = file(name);
            let flags = ["--against", against, "--seed", seed, "--options", SMALL, "--record", &file];
            let run = ken(&[&["play", "cluedo"][..], &flags].concat(), typed);
            assert_eq!(run.code, 0, "{}{}", run.out, run.err);
            fits(&run);
            run.out
        };
        assert!(play("whole", &script).contains("the seed was"), "it ends");
        let whole = std::fs::read_to_string(file("whole")).unwrap();
        for cut in [0, 1, 11, 12, 13, 22, 23, 24, 25, 40, 60, 90] {
            let name = cut.to_string();
            if play(&name, &lines[..cut].concat()).contains("the seed was") {
                break;
            }
            interrupted += 1;
            let second = ken(&["play", "cluedo", "--record", &file(&name)], &lines[cut..].concat());
            assert_eq!(second.code, 0, "{}{}", second.out, second.err);
            let after = std::fs::read_to_string(file(&name)).unwrap();
            assert_eq!(after, whole, "against {against}, cut after {cut} lines");
        }
    }
    assert!(interrupted > 15, "only {interrupted} matches could be interrupted");
}

#[test]
fn a_record_goes_on_with_its_own_settings_only() {
    let folder = folder("settings");
    let file = folder.join("m.json").display().to_string();
    assert_eq!(ken(&small_match("71", &["--record", &file]), "quit\n").code, 0);
    let text = std::fs::read_to_string(&file).unwrap();
    for (flags, named) in [
        (["--seed", "6"], "--seed"),
        (["--seat", "1"], "--seat"),
        (["--against", "random,random"], "--against"),
        (["--helper", "4"], "--helper"),
        (["--options", "{}"], "--options"),
    ] {
        let run = ken(&["play", "cluedo", "--record", &file, flags[0], flags[1]], "");
        assert_eq!(run.code, 2);
        assert!(run.err.contains(named) && run.err.contains("its own settings"), "{}", run.err);
        assert!(!run.err.contains("71"), "the seed stays a secret: {}", run.err);
    }
    std::fs::write(&file, text.replace("\"entries\":[]", "\"entries\":[\"suggest ann axe attic\",\"fly\"]")).unwrap();
    let run = ken(&["play", "cluedo", "--record", &file], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("entry 2"), "{}", run.err);
}

#[test]
fn the_end_of_a_turn_can_be_taken_back_and_what_told_somebody_something_cannot() {
    let folder = folder("undo");
    let file = folder.join("m.json").display().to_string();
    let typed = "suggest ann axe attic\nundo\nend\nundo\nsheet\nend\nundo\nend\n\nquit\n";
    let run = ken(&small_match("5", &["--record", &file]), typed);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    // A seat showed a card since: whether that told anybody anything is not for this seat.
    assert!(run.out.contains("the last action was not yours: it cannot be taken back"), "{}", run.out);
    assert_eq!(run.out.matches("\ntaken back\n").count(), 2, "{}", run.out);
    let record = Record::from_text(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let entries = record.to_data()["entries"].clone();
    let own: Vec<&str> = entries.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let at = own.iter().position(|e| *e == "end").unwrap();
    assert_eq!(own[at..at + 5], ["end", "undo", "end", "undo", "end"], "{entries}");
    let told = ken(&["replay", &file], "");
    assert_eq!(told.out.matches("that is taken back").count(), 2, "{}", told.out);
    // Where the end of a turn tells something, it stands.
    let options = SMALL.replace("\"turns\"", "\"endmove\": \"ignorance\", \"turns\"");
    let args = ["play", "cluedo", "--against", "random,random", "--options", &options, "--seed", "5"];
    let run = ken(&args, "suggest ann axe attic\nend\nundo\n");
    assert!(!run.out.contains("\ntaken back\n"), "{}", run.out);
}

/// Plays a seat as a program: answers each choice with the first option, an end rather than an accusation.
fn by_program(more: &[&str]) -> Run {
    let first = "{\"action\": \"end\"}\n";
    let game = small();
    let mut lines = String::new();
    for line in script(&game).lines() {
        lines += &format!("{}\n", json!({"action": line}));
    }
    let mut args = small_match("5", &["--json"]);
    args.extend(more);
    ken(&args, &format!("{first}{lines}"))
}

#[test]
fn a_program_gets_its_sights_its_choices_and_the_result_as_json() {
    let run = by_program(&["--seat", "1"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let lines = run.lines();
    assert_eq!(lines[0]["seat"], 1);
    assert_eq!(lines[0]["players"], json!(["exact", "person", "elimination"]));
    let sights: Vec<&Value> = lines.iter().filter_map(|l| l.get("sight")).collect();
    assert_eq!(sights[0]["dealt"]["seat"], 1);
    assert!(lines.iter().any(|l| l.get("choose").is_some_and(|c| c.as_array().unwrap().len() == 48)));
    assert!(lines.iter().any(|l| l.get("error").is_some_and(|e| e["message"].is_string())));
    let result = &lines[lines.len() - 1]["result"];
    assert_eq!(result["seed"], 5);
    assert_eq!(result["scores"].as_array().unwrap().len(), 3);
    let seen = |s: &Value| s["show"] == 1 || s["to"] == 1;
    assert!(sights.iter().filter(|s| s.get("show").is_some()).all(|s| s["card"].is_null() != seen(s)));
    assert!(lines[..lines.len() - 1].iter().all(|l| l.get("seed").is_none()));
}

#[test]
fn a_replay_tells_what_the_log_told_and_a_seat_only_what_it_saw() {
    let folder = folder("replay");
    let file = folder.join("m.json").display().to_string();
    let seed = SEED.to_string();
    let typed = format!("{}log\n", script(&small()));
    let played = ken(&small_match(&seed, &["--record", &file]), &typed);
    assert_eq!(played.code, 0, "{}{}", played.out, played.err);
    let record = Record::from_text(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let game = small();
    let whole = ken_games::record::replay(game.clone(), &record).unwrap();
    let told = ken(&["replay", &file], "");
    assert_eq!(told.code, 0, "{}", told.err);
    fits(&told);
    let joined = told.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for event in whole.events() {
        assert!(joined.contains(&game.tell(event)), "{}\n{}", game.tell(event), told.out);
    }
    assert!(told.out.contains(&format!("the seed was {SEED}")));
    for seat in Seat::all(3) {
        let name = seat.to_string();
        let seen = ken(&["replay", &file, "--as", &name], "");
        fits(&seen);
        assert!(!seen.out.contains(&seed) && !seen.out.contains("; seat 1 holds"), "{}", seen.out);
        let joined = seen.out.split_whitespace().collect::<Vec<_>>().join(" ");
        for (event, sight) in whole.events().iter().zip(whole.memory(seat)) {
            let (truth, saw) = (game.tell(event), game.tell_sight(&sight));
            assert!(joined.contains(&saw), "{saw}\n{}", seen.out);
            assert!(truth == saw || !joined.contains(&truth), "hidden: {truth}\n{}", seen.out);
        }
        let data = ken(&["replay", &file, "--as", &name, "--json"], "").lines().remove(0);
        let sights: Vec<Value> =
            data["steps"].as_array().unwrap().iter().filter_map(|s| s.get("sight")).cloned().collect();
        let saw: Vec<Value> = whole.memory(seat).iter().map(|s| game.sight_data(s)).collect();
        assert_eq!(sights, saw);
        assert!(data.get("seed").is_none());
    }
    let part = ken(&["replay", &file, "--at", "3", "--json"], "").lines().remove(0);
    assert_eq!(part["steps"].as_array().unwrap().len(), 4);
    assert_eq!(part["result"], Value::Null);
    // Two records in a file are told one after the other.
    let two = folder.join("two.jsonl");
    std::fs::write(&two, record.to_line() + "\n" + &record.to_line() + "\n").unwrap();
    let told = ken(&["replay", &two.display().to_string(), "--json"], "").lines();
    assert!(told.len() == 2 && told[0] == told[1]);
}

#[test]
fn an_unfinished_match_is_told_as_its_person_sees_it() {
    let folder = folder("unfinished");
    let file = folder.join("m.json").display().to_string();
    let seed = SEED.to_string();
    let run = ken(&small_match(&seed, &["--record", &file]), "suggest ann axe attic\nend\n");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(!run.out.contains(&seed));
    let told = ken(&["replay", &file], "");
    assert!(told.out.contains("as seat 0 saw it"), "{}", told.out);
    assert!(!told.out.contains(&seed) && !told.out.contains("envelope holds"), "{}", told.out);
}

#[test]
fn a_broken_record_says_what_is_wrong_and_where() {
    let folder = folder("broken");
    let file = folder.join("m.json");
    let good = Record::new(&small(), vec!["a".into(), "b".into(), "c".into()], 1);
    let mut data = good.to_data();
    data["entries"] = json!(["suggest ann axe attic", "suggest ann axe attic"]);
    for (text, expected) in [
        ("{".to_string(), "not JSON"),
        ("[]".to_string(), "not an object"),
        ("{\"version\": 1}".to_string(), "entries: it is missing"),
        (data.to_string(), "entry 2"),
        (good.to_line().replace("cluedo", "chess"), "there is no game `chess`"),
        (good.to_line() + "\n" + &good.to_line().replace("\"seed\":1", "\"seed\":-1"), "m.json:2"),
        (good.to_line() + "\n" + &data.to_string(), "record 2"),
    ] {
        std::fs::write(&file, &text).unwrap();
        let run = ken(&["replay", &file.display().to_string()], "");
        assert_eq!(run.code, 2, "{text}: {}", run.out);
        let on_one_line = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(on_one_line.contains(expected), "{expected}: {}", run.err);
        assert_eq!(run.out, "", "nothing is told of a broken file");
    }
    std::fs::write(&file, good.to_line()).unwrap();
    let run = ken(&["replay", &file.display().to_string(), "--as", "7"], "");
    let on_one_line = run.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(run.code == 2 && on_one_line.contains("there is no seat 7 among 3"), "{}", run.err);
    assert_eq!(ken(&["replay", "no-such-record.json", "--json"], "").lines()[0]["error"]["code"], "usage");
}

#[test]
fn wrong_settings_are_refused_with_advice() {
    for (args, expected) in [
        (&["cludo"][..], "did you mean `cluedo`?"),
        (&["cluedo", "--against", "inquirr,exact"], "did you mean `inquirer`?"),
        (&["cluedo", "--against", "exact", "--seat", "2"], "seats are 0 to 1, or `none` to watch"),
        (&["cluedo", "--seat", "first"], "there is no seat `first`"),
        (&["cluedo", "--options", "{"], "the options are not JSON"),
        (&["cluedo", "--options", "@no-such-file"], "cannot read `no-such-file`"),
        (&["cluedo", "--options", "{\"player\": 3}"], "did you mean `players`?"),
        (&["cluedo", "--options", "{\"players\": 3}", "--against", "exact"], "the options say 3 players, but 2"),
        (&["cluedo", "--options", "[]"], "options are an object"),
        (&["cluedo", "--against", "a,b,c,d,e,f,g"], "`players` is a number from 2 to 6, not 8"),
        (&["cluedo", "--helper", "5"], "5 is not in 0..=4"),
        (&["cluedo", "--against", "exec:no-such-program", "--seed", "1"], "cannot be started"),
        (&["cluedo", "--record", "no-such-folder/m.json"], "cannot write"),
    ] {
        let run = ken(&[&["play"], args].concat(), "");
        assert_eq!(run.code, 2, "{args:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(expected), "{expected}: {}", run.err);
    }
}

#[test]
fn machines_are_watched_to_the_end_and_the_same_seed_gives_the_same_match() {
    let args = ["play", "cluedo", "--seat", "none", "--against", "exact,elimination", "--seed", "7"];
    let run = ken(&args, "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    fits(&run);
    assert!(run.out.contains("the envelope holds") && run.out.contains("the seed was 7"), "{}", run.out);
    assert_eq!(ken(&args, "").out, run.out);
}

#[test]
fn a_program_at_a_seat_that_breaks_the_rules_forfeits_with_a_record() {
    let folder = folder("forfeit");
    let file = folder.join("m.json").display().to_string();
    let args =
        ["play", "cluedo", "--seat", "none", "--against", "exec:echo fly,random", "--seed", "7", "--record", &file];
    let run = ken(&args, "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("seat 0 forfeits: the answer `fly` is no action"), "{}", run.out);
    let record = Record::from_text(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let result = record.result.unwrap();
    assert_eq!((result.forfeit.unwrap().seat, result.outcome.scores), (Seat(0), vec![-1, 0]));
    let told = ken(&["replay", &file, "--as", "1"], "");
    assert!(told.out.ends_with("seat 0 forfeits\n"), "{}", told.out);
}

#[test]
fn help_follows_its_level() {
    let file = folder("help").join("kept here.json").display().to_string();
    let typed =
        format!("know env(ann)\nknow nothing(\nwhy !holds(1,ann)\nadvise\nsave {file}\nsave {file}\nsave\nquit\n");
    let run = ken(&small_match("11", &["--helper", "4"]), &typed);
    fits(&run);
    assert!(run.out.contains("deals fit, "), "{}", run.out);
    assert!(run.out.contains("open: it is true if") || run.out.contains("excluded"), "{}", run.out);
    assert!(run.out.contains("error["), "a formula that cannot be read: {}", run.out);
    assert!(run.out.contains("is there already") && run.out.contains("in which file?"), "{}", run.out);
    let record = Record::from_text(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(record.helpers, [4, 0, 0]);
}

#[test]
fn cells_that_are_forced_are_filled_from_the_second_level_on() {
    // Whoever holds one of two suspects knows that the other lies in the envelope, though nobody said so.
    let options = r#"{"deck": {"who": ["ann", "bob"], "how": ["axe", "bat"]}}"#;
    for (level, filled) in [("0", false), ("1", false), ("2", true), ("4", true)] {
        let args = ["play", "cluedo", "--against", "random", "--options", options, "--seed", "1", "--helper", level];
        let run = ken(&args, "");
        let row = |sign: &str| run.out.contains(&format!(" ✗ ✗ {sign}")) || run.out.contains(&format!(" ✗ · {sign}"));
        assert_eq!((row("✓"), row("·")), (filled, true), "{level}: {}", run.out);
    }
}

#[test]
fn games_and_players_are_listed() {
    let games = ken(&["list", "games"], "");
    assert!(games.out.starts_with("cluedo     Find out which three cards"), "{}", games.out);
    assert!(games.out.contains("\nhigh-card  The smallest game"), "{}", games.out);
    let help = ken(&["play", "--help"], "").out;
    assert!(help.contains("cluedo, express, eleusis, yokai or high-card"), "{help}");
    let players = ken(&["list", "players"], "");
    fits(&players);
    assert!(players.out.contains("\ninquirer        knows all that follows"), "{}", players.out);
    let data = ken(&["list", "players", "--json"], "").lines().remove(0);
    let first = &data["players"][0];
    assert_eq!((first["game"].as_str(), first["name"].as_str()), (Some("cluedo"), Some("random")));
    assert_eq!(ken(&["list", "games", "--json"], "").lines()[0]["games"][0]["name"], "cluedo");
}

#[test]
fn an_accusation_counts_only_after_a_yes_and_a_warning_if_it_does_not_follow() {
    let game = small();
    let envelope = Match::deal(game.clone(), SEED).state().envelope();
    let right = game.deck().names(envelope);
    let seed = SEED.to_string();
    // Asking for the envelope itself tells it: nobody answers, and the asker holds none of it.
    let typed = format!("s {right}\nadvise\na {right}\nno\na {right}\nyes\n");
    let run = ken(&small_match(&seed, &["--helper", "4"]), &typed);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    fits(&run);
    let asked = format!("accuse {right}? A wrong accusation ends your asking.");
    assert_eq!(run.out.matches(&asked).count(), 2, "{}", run.out);
    assert_eq!(run.out.matches("It follows from what you saw.").count(), 2, "{}", run.out);
    assert!(run.out.contains("not done"), "{}", run.out);
    assert!(run.out.contains("You know the envelope: accuse."), "advice on what to do after the answer: {}", run.out);
    assert!(run.out.contains("right, seat 0 wins"), "{}", run.out);
    // Whatever else is typed ends the waiting: a later `yes` accuses nobody.
    for between in ["resign", "sheet", "help", "hand", "log", "options", "", "end x"] {
        let run =
            ken(&small_match(&seed, &["--helper", "1"]), &format!("s {right}\na {right}\n{between}\nyes\nquit\n"));
        assert!(!run.out.contains("accuses"), "{between}: {}", run.out);
    }
    // What does not follow is played all the same, if it is meant; without help nothing is said about it.
    let other = game.deck().triples(game.deck().cards()).into_iter().find(|&t| t.and(envelope).is_empty()).unwrap();
    let guess = game.deck().names(other);
    for (helper, warned) in [("0", false), ("1", true)] {
        let typed = format!("s {guess}\na {right}\nsheet\nquit\n");
        let run = ken(&small_match(&seed, &["--helper", helper]), &typed);
        assert!(run.out.contains(&asked), "{}", run.out);
        assert_eq!(run.out.contains("It does not follow from what you saw!"), warned, "{}", run.out);
        assert!(!run.out.contains("seat 0 wins"), "{}", run.out);
    }
}

#[test]
fn advice_covers_questions_ends_of_turns_and_cards_to_show() {
    let game = small();
    let shows: String = game.deck().cards().iter().map(|c| format!("advise\nshow {}\n", game.deck().name(c))).collect();
    let (mut told_end, mut told_show) = (false, false);
    for seed in ["1", "2", "3", "4"] {
        let triples = game.deck().triples(game.deck().cards());
        let turns: String = triples
            .iter()
            .step_by(7)
            .map(|&t| format!("advise\ns {}\nadvise\nend\n{shows}", game.deck().names(t)))
            .collect();
        let run = ken(&small_match(seed, &["--helper", "4"]), &turns);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        fits(&run);
        told_end |= run.out.contains("You do not know the envelope: end your turn.");
        told_show |= run.out.contains("would still lack of the envelope") || run.out.contains("There is only");
    }
    assert!(told_end && told_show, "advice on ends of turns: {told_end}, on cards to show: {told_show}");
}

#[test]
fn a_person_can_resign_in_every_game_and_the_record_says_so() {
    let folder = folder("resign");
    for game in ["cluedo", "express", "eleusis", "yokai", "high-card"] {
        let file = folder.join(format!("{game}.json")).display().to_string();
        let run = ken(&["play", game, "--seed", "7", "--record", &file], "resign\nresign now\nresign yes\n");
        assert_eq!(run.code, 0, "{game}: {}{}", run.out, run.err);
        assert!(run.out.contains("`resign yes` does it"), "{game}: it is asked first: {}", run.out);
        assert!(run.out.contains("seat 0 resigned") && run.out.contains("the seed was 7"), "{game}: {}", run.out);
        let whole = match game {
            "express" | "eleusis" => run.out.contains("the rule was `") && run.out.contains("seat 1 holds"),
            _ => true,
        };
        assert!(whole, "{game}: everything that was hidden is shown: {}", run.out);
        let record = Record::from_text(&std::fs::read_to_string(&file).unwrap()).unwrap();
        assert!(record.result.as_ref().unwrap().is_resignation(), "{game}");
        assert!(ken_games::list::GAMES.replay(&record).is_ok(), "{game}");
        let told = ken(&["replay", &file], "");
        assert!(told.code == 0 && told.out.contains("seat 0 resigned"), "{game}: {}{}", told.out, told.err);
        let as_seat = ken(&["replay", &file, "--as", "1"], "");
        assert!(as_seat.out.ends_with("seat 0 resigned\n"), "{game}: {}", as_seat.out);
        let over = ken(&["play", game, "--record", &file], "");
        assert_eq!(over.code, 2, "{game}: what is over does not go on");
        let json = ken(&["play", game, "--seed", "7", "--json"], "resign\n");
        let last = json.lines().pop().unwrap();
        assert_eq!(last["result"]["forfeit"]["resigned"], true, "{game}: a program is not asked twice: {last}");
        let report = ken(&["report", &file, "--json"], "").lines().pop().unwrap();
        let row = report["rows"].as_array().unwrap().iter().find(|row| row["metric"] == "resigned");
        assert_eq!(row.map(|row| &row["mean"]), Some(&json!(1.0)), "{game}: {report}");
    }
}

/// Twelve matches of a person with the learner, each seed with and without the onlooker.
fn people() -> String {
    include_str!("../data/yokai-people.jsonl").to_string()
}

#[test]
fn a_report_keeps_options_apart_and_the_papers_number_where_it_belongs_and_cuts_no_label() {
    let run = ken(&["report", "-"], &people());
    assert_eq!(run.code, 0, "{}", run.err);
    fits(&run);
    assert!(!run.out.contains('…'), "no label is cut:\n{}", run.out);
    for label in ["\nyokai: learner with person\n", "\nyokai (oracle): learner with person\n"] {
        assert_eq!(run.out.matches(label).count(), 1, "{label}\n{}", run.out);
    }
    assert!(!run.out.contains("0.28"), "the paper's machine does not play here:\n{}", run.out);
    let with_paper = ken(&["report", "-", "--json"], &people().replace("\"learner\"", "\"paper\""));
    let report: Value = serde_json::from_str(&with_paper.out).unwrap();
    let wins: Vec<(&str, &Value)> = report["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|r| r["metric"] == "wins")
        .map(|r| (r["label"].as_str().unwrap(), &r["paper"]))
        .collect();
    let (none, said) = (Value::Null, json!(0.28));
    assert_eq!(wins, [("yokai: paper with person", &none), ("yokai (oracle): paper with person", &said)]);
}

#[test]
fn a_report_says_how_many_games_each_row_is_from_and_has_no_empty_column() {
    let run = ken(&["report", "-"], &people());
    assert_eq!(run.code, 0, "{}", run.err);
    let head = run.out.lines().find(|line| line.contains(" mean ")).unwrap();
    assert!(head.ends_with(" games"), "neither a paper's nor an expected number: {head}");
    let rows: Vec<&str> = run.out.lines().filter(|line| line.contains(" – ") && !line.contains('%')).collect();
    assert!(!rows.is_empty() && rows.iter().all(|row| row.ends_with(" 6")), "{}", run.out);
    let with_paper = ken(&["report", "-"], &people().replace("\"learner\"", "\"paper\""));
    assert!(with_paper.out.lines().any(|line| line.ends_with("games   paper")), "{}", with_paper.out);
}

#[test]
fn a_report_writes_out_what_would_act_on_the_terminal() {
    let named = people().replace("\"learner\"", r#""exec:le\u001b[31mar\u0007n\u202eer""#);
    let hidden = |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
    let run = ken(&["report", "-"], &named);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains(r"le\u{1b}[31mar\u{7}n\u{202e}er with person"), "{}", run.out);
    assert!(!run.out.contains(hidden), "{:?}", run.out);
    // Without the mark of a program it is the name of a person, and is told so.
    let person = ken(&["report", "-"], &named.replace("exec:", ""));
    assert!(person.out.contains("person with person") && !person.out.contains(hidden), "{:?}", person.out);
    // For programs it is the same name.
    let run = ken(&["report", "-", "--json"], &named);
    assert!(!run.out.contains(hidden), "{:?}", run.out);
    let label = run.lines()[0]["rows"][0]["label"].as_str().unwrap().to_string();
    assert!(label.contains("le\u{1b}[31mar\u{7}n\u{202e}er"), "{label:?}");
    let warned = ken(&["report", "-"], &(people() + &named.lines().next().unwrap().replace("yokai", "go\u{202e}")));
    assert!(warned.err.contains(r"go\u{202e}") && !warned.err.contains(hidden), "{:?}", warned.err);
    for args in
        [["eleusis", "rule", "red\u{1b}[31m"], ["check", "no\u{1b}[31m", "-f"], ["eleusis", "ru\u{1b}[31mle", "x"]]
    {
        let run = ken(&args, "");
        assert!(run.code == 2 && !run.err.is_empty() && !run.err.contains(hidden), "{args:?}: {:?}", run.err);
    }
}

#[test]
fn a_report_counts_copies_once_and_begins_behind_a_mark_of_the_order_of_bytes() {
    let run = ken(&["report", "-"], &(people() + "\n" + &people()));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("Matches\n12 games in all"), "{}", run.out);
    assert!(run.out.contains("12 records are copies of others"), "{}", run.out);
    let run = ken(&["report", "-"], &format!("\u{feff}{}", people()));
    assert!(run.out.contains("12 games in all") && run.err.is_empty(), "{}{}", run.out, run.err);
}

#[test]
fn a_report_has_no_interval_that_is_narrower_than_honesty_allows() {
    // Four and six lost matches: neither `−∞ – ∞` nor `0 – 0`.
    let lost: Vec<String> = people().lines().filter(|l| l.contains("\"scores\":[0,0]")).map(String::from).collect();
    assert!(lost.len() >= 6, "{} lost", lost.len());
    for games in [1, 4, 6] {
        let run = ken(&["report", "-", "--json"], &lost[..games].join("\n"));
        let rows = run.lines()[0]["rows"].as_array().unwrap().clone();
        for row in rows.iter().filter(|row| row["metric"] == "score" || row["metric"] == "groups") {
            let (low, high) = (row["low"].as_f64().unwrap(), row["high"].as_f64().unwrap());
            assert!(low < high && high <= 35.0, "{row}");
            assert!(row["metric"] != "groups" || 0.0 <= low && high <= 4.0, "{row}");
        }
        assert!(rows.iter().any(|row| row["metric"] == "score" && row["mean"] == 0.0), "{}", run.out);
        let text = ken(&["report", "-"], &lost[..games].join("\n")).out;
        assert!(!text.contains('∞'), "{text}");
    }
}

#[test]
fn a_report_of_which_every_line_is_left_out_is_an_error() {
    let unfinished: Vec<String> = people()
        .lines()
        .take(3)
        .map(|line| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            record["result"] = Value::Null;
            record.to_string()
        })
        .collect();
    for json in [false, true] {
        let args = if json { vec!["report", "-", "--json"] } else { vec!["report", "-"] };
        let run = ken(&args, &unfinished.join("\n"));
        assert_eq!(run.code, 2, "{}", run.out);
        assert_eq!(run.err.matches("left out: the match is not over").count(), 3, "{}", run.err);
        let told = if json { &run.out } else { &run.err };
        assert!(told.contains("there is no match to report"), "{told}");
        assert!(!run.out.contains("0 games"), "{}", run.out);
    }
}

#[test]
fn a_match_with_other_helpers_empty_names_and_marks_inside_a_file_are_read_as_what_they_are() {
    // The same matches with other helpers are copies.
    let helped: Vec<String> = people()
        .lines()
        .map(|line| {
            let mut record: Value = serde_json::from_str(line).unwrap();
            record["helpers"] = json!([3, 0]);
            record.to_string()
        })
        .collect();
    let run = ken(&["report", "-"], &(people() + &helped.join("\n")));
    assert!(run.out.starts_with("Matches\n12 games in all"), "{}", run.out);
    assert!(run.out.contains("12 records are copies of others"), "{}", run.out);
    // A player without a name is none.
    let nameless = people().lines().next().unwrap().replace("\"learner\"", "\" \"");
    let run = ken(&["report", "-"], &(people() + &nameless));
    assert!(run.err.contains(":13: left out: players: a name for each seat"), "{}", run.err);
    // Files that were joined have a mark of the order of bytes in the middle.
    let mut lines: Vec<String> = people().lines().map(String::from).collect();
    lines[5] = format!("\u{feff}{}", lines[5]);
    let run = ken(&["report", "-"], &lines.join("\n"));
    assert!(run.out.contains("12 games in all") && run.err.is_empty(), "{}{}", run.out, run.err);
}

#[test]
fn a_report_says_in_its_own_words_what_is_no_record() {
    for (nothing, said) in [
        ("", "error: `standard input` is empty\n".to_string()),
        ("\u{feff}\n", "error: `standard input` is empty\n".to_string()),
        ("{\"game\"", "error: `standard input` is not JSON: it ends too early\n".to_string()),
        (&"[".repeat(500), "error: `standard input` is nested too deeply\n".to_string()),
    ] {
        assert_eq!(ken(&["report", "-"], nothing).err, said);
    }
    let bad = ["nonsense".to_string(), "[".repeat(500), "{\"seed\": 1e999}".to_string(), "[]".to_string()].join("\n");
    let run = ken(&["report", "-"], &format!("{}\n{bad}", people().trim_end()));
    for (line, said) in
        [(13, "not JSON"), (14, "nested too deeply"), (15, "a number that is too large"), (16, "not an object")]
    {
        let told = run.err.lines().find(|l| l.contains(&format!("standard input:{line}: left out: it "))).unwrap();
        assert!(told.ends_with(said), "{told}");
    }
    assert!(run.out.contains("line 13 (it is not JSON) and 3 more"), "{}", run.out);
}

#[test]
fn one_bad_line_is_told_with_its_number_and_the_report_goes_on() {
    let old = people().replace("\"person\"", "\"you\"");
    let broken = format!("{{\"game\": \"yok\n{old}\n{{\"game\": \"chess\"}}\n");
    let run = ken(&["report", "-"], &broken);
    assert_eq!(run.code, 0, "{}", run.err);
    fits(&run);
    assert!(run.out.contains("12 games in all") && run.out.contains("2 lines were left out"), "{}", run.out);
    assert!(run.out.contains("learner with person") && !run.out.contains("you"), "one word for a person:\n{}", run.out);
    for place in [":1: left out", ":15: left out"] {
        assert!(run.err.contains(place), "{place}: {}", run.err);
    }
    let run = ken(&["report", "-", "--json"], &broken);
    let report: Value = serde_json::from_str(&run.out).unwrap();
    let lines: Vec<&Value> = report["left_out"].as_array().unwrap().iter().map(|l| &l["line"]).collect();
    assert_eq!((lines, &report["games"]), (vec![&json!(1), &json!(15)], &json!(12)));
    // Bytes that are no text spoil their line alone.
    let file = folder("report-bytes").join("people.jsonl");
    std::fs::write(&file, [people().as_bytes(), b"\xff\xfe\n"].concat()).unwrap();
    let run = ken(&["report", &file.display().to_string()], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("12 games in all") && run.out.contains(" was left out"), "{}", run.out);
    // With nothing to report there is no report.
    for nothing in ["", "{\"game\": \"chess\"}\n", "{\"game\"\n{\"game\": \"chess\"}\n"] {
        let run = ken(&["report", "-"], nothing);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{nothing}");
        assert!(run.err.starts_with("error: "), "{}", run.err);
    }
}

#[test]
fn the_smallest_game_is_played_watched_and_told_again_by_the_defaults_of_a_face() {
    let file = folder("high-card").join("m.json").display().to_string();
    let typed = "help\nsheet\nhand\nfly\nask 5\noptions\nlog\nadvise\nknow higher(1)\nundo\nhigh\nhigh\nhigh\n";
    let run = ken(&["play", "high-card", "--seed", "3", "--helper", "4", "--record", &file], typed);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    fits(&run);
    for expected in [
        "high-card with the seats 0 you, 1 halver",
        "you are seat 0 and have ",
        "your own\n  card  ",
        "it is your turn> ask 5",
        "seat 0 asks whether the card of seat 1 is above 5",
        "error: there is no action `fly`",
        "error: there is no advice in this game",
        "it is your turn> know higher(1)\nopen: it is true if\n  seat 0: 2; seat 1: 3",
        "one of those that `options` lists",
        "\n  ask 1\n",
        "bets on the higher card",
        "the seed was 3",
    ] {
        assert!(run.out.contains(expected), "{expected}\n{}", run.out);
    }
    let told = ken(&["replay", &file], "");
    assert!(told.code == 0 && told.out.contains("bets on the"), "{}{}", told.out, told.err);
    let watched = ken(&["play", "high-card", "--seat", "none", "--against", "halver,random", "--seed", "4"], "");
    assert!(watched.code == 0 && watched.out.contains(" won\n"), "{}{}", watched.out, watched.err);
}
