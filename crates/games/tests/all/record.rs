//! Records: what the laws cannot express.

use ken_games::cluedo::{Action, Cluedo, Endmove};
use ken_games::eleusis::Express;
use ken_games::game::{Game, Notation, Outcome, Seat, Turn};
use ken_games::list::GAMES;
use ken_games::record::{BadRecord, Cause, Ending, Entry, Forfeit, Match, Record, replay, seat_export};
use serde_json::{Value, json};
use std::collections::HashMap;

fn game() -> Cluedo {
    Cluedo::classic(3)
}

/// A record of this seed: the first turn of a match up to its end, and the seat that has the next.
fn one_turn(seed: u64) -> Record {
    let game = game();
    let mut record = Record::new(&game, ["person", "exact", "random"].map(String::from).into(), seed);
    let mut played = Match::deal(game.clone(), seed);
    for _ in 0..3 {
        let legal = game.legal(played.state());
        let action = if legal.contains(&Action::End) { Action::End } else { legal[0] };
        played.play(&action).unwrap();
        record.entries.push(Entry::Play(game.write(&action)));
        if action == Action::End {
            break;
        }
    }
    record
}

fn refused(record: &Record) -> String {
    replay(game(), record).unwrap_err().to_string()
}

#[test]
fn the_end_of_a_silent_turn_can_be_taken_back_and_nothing_before_it() {
    let mut record = one_turn(1);
    let after = replay(game(), &record).unwrap();
    record.entries.push(Entry::Undo);
    let undone = replay(game(), &record).unwrap();
    assert_eq!(undone.events().len() + 1, after.events().len());
    assert_eq!((undone.turn(), after.turn()), (Turn::Of(Seat(0)), Turn::Of(Seat(1))));
    record.entries.push(Entry::Undo);
    let n = record.entries.len();
    let why = format!("entry {n}: somebody has learned something from it: it cannot be taken back");
    assert_eq!(refused(&record), why);
}

#[test]
fn under_the_convention_the_end_of_a_turn_cannot_be_taken_back() {
    let mut record = one_turn(1);
    record.entries.push(Entry::Undo);
    let game = game().with_endmove(Endmove::Ignorance);
    assert!(replay(game, &record).unwrap_err().why.message.contains("learned something"));
}

#[test]
fn nothing_is_taken_back_before_the_first_action_or_after_the_last() {
    let mut record = Record::new(&game(), vec!["a".into(); 3], 1);
    record.entries.push(Entry::Undo);
    assert_eq!(refused(&record), "entry 1: there is nothing to take back");
    let over = game().with_turns(1);
    let mut record = one_turn(1);
    record.entries.push(Entry::Undo);
    let why = replay(over, &record).unwrap_err().why.message;
    assert_eq!(why, "the match is over: nothing can be taken back");
}

#[test]
fn an_entry_that_cannot_be_read_or_played_is_named() {
    let mut record = one_turn(1);
    record.entries.insert(1, Entry::Play("sugest plum rope hall".into()));
    assert_eq!(refused(&record), "entry 2: there is no action `sugest` (did you mean `suggest`?)");
    record.entries[1] = Entry::Play("end".into());
    assert!(refused(&record).starts_with("entry 2: "));
}

#[test]
fn the_stored_result_must_be_the_one_that_is_reached() {
    let mut record = one_turn(1);
    let ending = |scores: [i64; 3], words: &str| Ending {
        outcome: Outcome { scores: scores.into(), words: words.into() },
        forfeit: None,
    };
    record.result = Some(ending([0, 0, 0], "nobody won"));
    assert_eq!(refused(&record), "result: the match is not over");
    let one = game().with_turns(1);
    assert!(replay(one.clone(), &record).is_ok());
    record.result = Some(ending([1, 0, 0], "seat 0 won"));
    let why = replay(one.clone(), &record).unwrap_err().to_string();
    assert_eq!(why, "result: it says: seat 0 won [1, 0, 0] (the actions lead to: nobody won [0, 0, 0])");

    let mut forfeited = ending([1, 0, 1], "seat 1 forfeited");
    forfeited.forfeit = Some(Forfeit { seat: Seat(1), cause: Cause::Failed("no answer in 10 s".into()) });
    record.result = Some(forfeited);
    assert!(replay(game(), &record).is_ok(), "a forfeit ends what the rules do not");
    assert_eq!(Record::from_text(&record.to_line()), Ok(record.clone()));
    assert_eq!(replay(one, &record).unwrap_err().to_string(), "result.forfeit: the match was over by the rules");
}

#[test]
fn a_resignation_ends_a_match_at_any_moment_and_its_record_replays_exactly() {
    let mut record = one_turn(1);
    let whole = replay(game(), &record).unwrap();
    // Whoever is to move: any seat may give up.
    for seat in Seat::all(3) {
        record.result = Some(Ending::resigned(3, seat));
        let again = Record::from_text(&record.to_line()).unwrap();
        assert_eq!(again, record);
        assert_eq!(replay(game(), &again).unwrap().events(), whole.events());
        let result = &record.to_data()["result"];
        assert_eq!(result["words"], format!("seat {seat} resigned"));
        assert_eq!(result["forfeit"], json!({"seat": seat.0, "why": "it resigned", "resigned": true}));
        assert_eq!(seat_export(game(), &record, Seat(1)).unwrap()["result"]["words"], result["words"]);
    }
    let by_rules = game().with_turns(1);
    assert_eq!(replay(by_rules, &record).unwrap_err().to_string(), "result.forfeit: the match was over by the rules");
    let mut data = record.to_data();
    data["result"]["forfeit"]["resigned"] = json!("yes");
    let why = Record::from_data(&data).unwrap_err().to_string();
    assert_eq!(why, "result.forfeit.resigned: true or false is needed, not \"yes\"");
}

#[test]
fn a_branch_begins_with_the_entries_of_its_origin_and_is_complete_by_itself() {
    let origin = one_turn(1);
    let branch = origin.branch("m-17", 2);
    assert_eq!(branch.entries, origin.entries[..2]);
    assert_eq!(branch.to_data()["branch"], json!({"origin": "m-17", "at": 2}));
    let whole = replay(game(), &origin).unwrap();
    assert_eq!(replay(game(), &branch).unwrap().events(), &whole.events()[..3]);
}

#[test]
fn a_record_is_one_line_and_keeps_large_seeds() {
    for seed in [0, 1 << 53, (1 << 53) + 1, u64::MAX] {
        let mut record = one_turn(seed);
        record.helpers = vec![4, 0, 2];
        let line = record.to_line();
        assert!(!line.contains('\n'));
        assert_eq!(Record::from_text(&line), Ok(record));
    }
}

#[test]
fn what_is_wrong_with_a_record_is_named_with_its_place() {
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut data = one_turn(1).to_data();
        change(&mut data);
        Record::from_data(&data).unwrap_err().to_string()
    };
    assert_eq!(wrong(&|d| d["version"] = json!(2)), "version: only version 1 can be read");
    assert_eq!(wrong(&|d| d["entries"][1] = json!(7)), "entry 2: not a text: 7");
    assert_eq!(wrong(&|d| d["seed"] = json!(-1)), "seed: a number below 2^64 is needed");
    assert_eq!(wrong(&|d| d["helpers"] = json!([0, 9, 0])), "helpers: a level is 0 to 4, not 9");
    assert_eq!(wrong(&|d| d["helpers"] = json!([0])), "helpers: 1 levels for 3 players");
    assert_eq!(wrong(&|d| d["players"][1] = json!("")), "players: a name for each seat");
    assert_eq!(wrong(&|d| d["players"] = json!("me")), "players: a list is needed, not \"me\"");
    assert_eq!(wrong(&|d| d["branch"] = json!({"origin": "x", "at": 99})), "branch.at: 99 is beyond the 3 entries");
    assert_eq!(wrong(&|d| d["result"] = json!({"words": ""})), "result.scores: it is missing");
    let forfeit = json!({"scores": [0, 0, 0], "words": "", "forfeit": {"seat": 3, "why": ""}});
    assert_eq!(wrong(&|d| d["result"] = forfeit.clone()), "result.forfeit.seat: there is no such seat");
    assert_eq!(wrong(&|d| d["branch"] = json!({"at": 0})), "branch.origin: it is missing");
    assert_eq!(wrong(&|d| *d = json!([])), "it is not an object");
    assert_eq!(wrong(&|d| drop(d.as_object_mut().unwrap().remove("game"))), "game: it is missing");
    assert!(Record::from_text("{").unwrap_err().to_string().starts_with("it is not JSON"));
}

#[test]
fn a_record_of_another_game_or_of_too_few_players_is_refused() {
    let mut record = one_turn(1);
    record.players.pop();
    assert_eq!(refused(&record), "players: 2 names for 3 seats");
    record.game = "yokai".into();
    assert_eq!(refused(&record), "game: this is a record of yokai, not of cluedo");
}

#[test]
fn the_export_of_a_seat_has_its_sights_and_neither_seed_nor_origin() {
    let seed = 987_654_321;
    let record = one_turn(seed).branch("secret-origin", 3);
    let export = seat_export(game(), &record, Seat(2)).unwrap();
    let played = replay(game(), &record).unwrap();
    let sights: Vec<Value> = played.memory(Seat(2)).iter().map(|s| game().sight_data(s)).collect();
    assert_eq!(export["sights"], Value::from(sights));
    let text = export.to_string();
    assert!(!text.contains("987654321") && !text.contains("secret-origin") && !text.contains("seed"));
    let none = seat_export(game(), &record, Seat(3)).unwrap_err();
    assert_eq!(
        none,
        BadRecord { place: "seat".into(), why: ken_games::game::Illegal::new("there is no seat 3 among 3") }
    );
}

#[test]
fn deals_that_a_seat_cannot_tell_apart_have_the_same_export() {
    let (game, mut seen, mut twins) = (Cluedo::classic(6), HashMap::new(), 0);
    for seed in 0..3_000 {
        let record = Record::new(&game, vec!["a".into(); 6], seed);
        let memory = replay(game.clone(), &record).unwrap().memory(Seat(5));
        let export = seat_export(game.clone(), &record, Seat(5)).unwrap();
        if let Some(other) = seen.insert(memory, export.clone()) {
            twins += 1;
            assert_eq!(other, export);
        }
    }
    assert!(twins > 100, "{twins}");
}

/// Played by the first version, in which `anything but clubs` meant "always and a club".
const FIRST_READING: &str = include_str!("../data/eleusis-first-reading.json");

#[test]
fn a_record_of_the_first_reading_replays_as_it_was_played_and_says_so() {
    let mut record = Record::from_text(FIRST_READING).expect("a record");
    assert!(record.options.get("reading").is_none(), "it names no reader of rules");
    let played = replay(Express::stored(&record.options).expect("options"), &record).expect("it replays");
    assert_eq!(played.outcome().expect("it is over").scores, [-3, -3, 1]);
    let told: Vec<String> = played.events().iter().map(|event| played.game().tell(event)).collect();
    let says = |text: &str| told.iter().any(|line| line.contains(text));
    assert!(says("deals with the rule `anything but clubs` (read as in version 1: always and next is club)"));
    assert!(says("`rank = rank of previous mod 3 or red` (read as in version 1: "));
    // By a later reader it is another match.
    for later in [2, 3] {
        record.options["reading"] = json!(later);
        assert!(GAMES.replay(&record).is_err());
    }
}

#[test]
fn new_records_name_the_reader_of_their_rules_and_keep_it_in_branches() {
    let record = Record::new(&Express::new(3), ["a", "b", "c"].map(String::from).into(), 7);
    assert_eq!(record.options["reading"], json!(3));
    let first = Record::from_text(FIRST_READING).expect("a record").branch("origin", 12);
    let game = GAMES.of_record(&first).expect("options");
    assert!(game.replay(&first).is_ok());
    assert_eq!(game.record(first.players, first.seed).options["reading"], json!(1));
}
