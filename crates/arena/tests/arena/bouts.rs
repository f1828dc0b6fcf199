//! Matches: seeds, forfeits, records, and players that are programs.

use crate::support::{Event, Twelve, player};
use ken_arena::bout::{self, End, Seated};
use ken_arena::external::External;
use ken_games::dice::seat_seed;
use ken_games::eleusis::Express;
use ken_games::game::{Game, Notation, Seat};
use serde_json::json;
use std::time::Duration;

fn seats(names: &[&str], seed: u64) -> Vec<Seated<Twelve>> {
    let of = |(s, name): (usize, &&str)| Seated::new(*name, player(name, seat_seed(seed, Seat(s as u8))).unwrap());
    names.iter().enumerate().map(of).collect()
}

#[test]
fn a_match_is_determined_by_its_seed_and_its_record_replays() {
    let game = Twelve { seats: 3 };
    for seed in 0..200 {
        let names = ["random", "careful", "random"];
        let bout = bout::play(&game, &mut seats(&names, seed), seed);
        let again = bout::play(&game, &mut seats(&names, seed), seed);
        assert_eq!((&bout.events, &bout.end), (&again.events, &again.end));

        let record = bout.record(&game).to_data();
        assert_eq!((&record["game"], &record["players"]), (&json!("twelve"), &json!(names)));
        let game = Twelve::with_options(&record["options"]).unwrap();
        let mut dice = ken_games::dice::Dice::new(record["seed"].as_u64().unwrap());
        let (mut state, dealt) = game.deal(&mut dice);
        let mut events = vec![dealt];
        for entry in record["entries"].as_array().unwrap() {
            events.push(game.play(&mut state, &game.read(entry.as_str().unwrap()).unwrap()).unwrap());
        }
        assert_eq!(events, bout.events);
    }
}

#[test]
fn another_player_at_one_seat_leaves_the_deal_and_the_others_chance_alone() {
    let game = Twelve { seats: 2 };
    let one = bout::play(&game, &mut seats(&["random", "random"], 9), 9);
    let two = bout::play(&game, &mut seats(&["careful", "random"], 9), 9);
    assert_eq!(one.events[0], two.events[0]);
    let of_the_second = |events: &[Event]| [events[2].clone(), events[4].clone()];
    assert_eq!(of_the_second(&one.events), of_the_second(&two.events));
}

#[test]
fn an_illegal_action_forfeits_and_the_record_says_so() {
    let game = Twelve { seats: 3 };
    let bout = bout::play(&game, &mut seats(&["random", "cheat", "random"], 4), 4);
    let reason = "illegal action `add 9`: 9 cannot be added (add 1, 2 or 3)";
    assert_eq!(bout.end, End::Forfeit { seat: Seat(1), reason: reason.into() });
    assert_eq!(bout.outcome().scores, [0, -1, 0]);
    let result = &bout.record(&game).to_data()["result"];
    assert_eq!(result["words"], format!("seat 1 forfeits: {reason}"));
    assert_eq!(result["forfeit"], json!({"seat": 1, "why": reason}));
    assert_eq!(bout.actions.len(), 4);
}

/// A match of `command` with two random players; `None` if there is no Python.
fn with_program(command: &str, patience: f64) -> Option<bout::Bout<Twelve>> {
    let python = std::process::Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|o| o.status.success()) {
        eprintln!("SKIPPED: there is no python3");
        return None;
    }
    let game = Twelve { seats: 3 };
    let mut seats = seats(&["random", "random", "random"], 5);
    seats[1] = External::seat(&game, command, Seat(1), Duration::from_secs_f64(patience)).unwrap();
    Some(bout::play(&game, &mut seats, 5))
}

fn forfeit(command: &str, patience: f64) -> Option<String> {
    match with_program(command, patience)?.end {
        End::Forfeit { seat: Seat(1), reason } => Some(reason),
        end => panic!("{end:?}"),
    }
}

#[test]
fn the_example_program_plays_a_match() {
    let example = concat!("'", env!("CARGO_MANIFEST_DIR"), "/../../examples/external/random_player.py'");
    let Some(bout) = with_program(&format!("python3 {example} 1"), 60.0) else { return };
    assert!(matches!(bout.end, End::Over(_)), "{:?}", bout.end);
    assert!(bout.players[1].starts_with("exec:python3"));
    let again = with_program(&format!("python3 {example} 1"), 60.0).unwrap();
    assert_eq!(bout.events, again.events);
}

#[test]
fn a_program_gets_its_sights_and_no_seed() {
    // It answers with what it has read, which is no action and therefore stands in the reason.
    let script = r#"python3 -c 'import sys; l = [sys.stdin.readline().strip() for _ in range(4)]; print(" ".join(l[:2])[-60:])'"#;
    let Some(reason) = forfeit(script, 60.0) else { return };
    assert!(reason.contains(r#""seat":1,"seats":3}} {"sight":{"mine":"#), "{reason}");
    assert!(!reason.contains("seed"));
}

#[test]
fn a_bare_text_is_an_answer_too() {
    let script = r#"python3 -uc 'import sys; [print("add 2") for l in sys.stdin if "choose" in l]'"#;
    let Some(bout) = with_program(script, 60.0) else { return };
    assert_eq!((bout.actions[1], bout.actions[4]), (2, 2));
}

#[test]
fn late_broken_illegal_and_missing_answers_forfeit_with_the_reason() {
    let python = |code: &str| format!("python3 -uc '{code}'");
    let Some(reason) = forfeit(&python("import time; time.sleep(60)"), 0.3) else { return };
    assert_eq!(reason, "no answer within 0.3 s");
    assert_eq!(forfeit(&python("import sys; sys.exit(3)"), 60.0).unwrap(), "the program ended (exit status: 3)");
    let reason = forfeit(&python("print(7); input()"), 60.0).unwrap();
    assert_eq!(reason, "the answer `7` is no action: `7` is not `add N`");
    let reason = forfeit(&python("print(\"{}\"); input()"), 60.0).unwrap();
    assert_eq!(reason, "the answer `{}` has no \"action\"");
    let reason = forfeit(&python("print(\"add 9\"); input()"), 60.0).unwrap();
    assert_eq!(reason, "illegal action `add 9`: 9 cannot be added (add 1, 2 or 3)");
    let reason = forfeit(&python("print(\"x\" * 100000); input()"), 60.0).unwrap();
    assert_eq!(reason, "an answer of more than 65536 bytes");
}

#[test]
fn an_interrupt_at_the_terminal_does_not_reach_programs() {
    // In our process group Ctrl-C would end them too, and their matches would be recorded as forfeits.
    let Some(reason) = forfeit("python3 -uc 'import os; print(os.getpgid(0) == os.getpid()); input()'", 60.0) else {
        return;
    };
    assert!(reason.starts_with("the answer `True`"), "{reason}");
}

#[test]
fn a_program_that_stays_after_the_match_is_ended() {
    let script =
        r#"python3 -uc 'import sys, time; [print("add 2") for l in sys.stdin if "choose" in l]; time.sleep(600)'"#;
    let Some(bout) = with_program(script, 60.0) else { return };
    assert!(matches!(bout.end, End::Over(_)));
}

#[test]
fn a_program_that_cannot_start_is_told_before_the_match() {
    let game = Twelve { seats: 2 };
    let problem = External::seat(&game, "/no/such/program", Seat(0), Duration::from_secs(1)).err().unwrap();
    assert!(problem.message.starts_with("`/no/such/program` cannot be started"), "{problem}");
    assert!(External::seat(&game, " ", Seat(0), Duration::from_secs(1)).is_err());
}

#[test]
fn an_absent_player_forfeits_at_its_first_turn() {
    let game = Twelve { seats: 2 };
    let mut seats = seats(&["random", "random"], 1);
    seats[1] = Seated::absent("ghost", "it never came");
    let bout = bout::play(&game, &mut seats, 1);
    assert_eq!(bout.end, End::Forfeit { seat: Seat(1), reason: "it never came".into() });
    assert_eq!(bout.actions.len(), 1);
}

/// A match of Express in which a program deals; it names these rules one after the other, the last one for ever.
fn dealt_by_a_program(rules: &str) -> Option<bout::Bout<Express>> {
    let python = std::process::Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|o| o.status.success()) {
        eprintln!("SKIPPED: there is no python3");
        return None;
    }
    let game = Express::with_options(&json!({"players": 3, "hand": 2})).unwrap();
    let script = format!(
        "python3 -uc 'import sys, json\nrules = {rules:?}.split(\"/\")\nfor l in sys.stdin:\n  \
         m = json.loads(l)\n  if \"refused\" in m: print(m[\"refused\"][\"why\"], file=sys.stderr)\n  \
         if \"choose\" in m:\n    rule = m[\"choose\"][0].startswith(\"rule\")\n    \
         print((\"rule \" + (rules.pop(0) if len(rules) > 1 else rules[0])) if rule else m[\"choose\"][-1])'"
    );
    let builtin = |s: u8| {
        let player = ken_games::eleusis::players::seat("random", &game, seat_seed(5, Seat(s))).unwrap();
        Seated::new("random", player)
    };
    let program = External::seat(&game, &script, Seat(2), Duration::from_secs(60)).unwrap();
    Some(bout::play(&game, &mut [builtin(0), builtin(1), program], 5))
}

#[test]
fn a_program_that_names_an_unreadable_rule_is_told_why_and_asked_again() {
    let Some(bout) = dealt_by_a_program("reddish/previous is red/red if previous is black, otherwise even") else {
        return;
    };
    assert!(matches!(bout.end, End::Over(_)), "{:?}", bout.end);
    let game = Express::with_options(&json!({"players": 3, "hand": 2})).unwrap();
    assert_eq!(game.write(&bout.actions[0]), "rule red if previous is black, otherwise even");
}

#[test]
fn the_third_unreadable_rule_of_a_turn_forfeits() {
    let Some(bout) = dealt_by_a_program("reddish") else { return };
    let End::Forfeit { seat: Seat(2), reason } = bout.end else { panic!("{:?}", bout.end) };
    assert!(reason.contains("illegal action `rule reddish`: unknown word `reddish`"), "{reason}");
    assert!(bout.actions.is_empty());
}
