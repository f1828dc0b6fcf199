//! Adding a game is one folder and one line: the list of games with one line more, and a game that no other file knows.

mod hats;

use hats::{HatGame, Position};
use ken_games::conformance::{self as laws, Compared, Operator, Trial, unfolding_agrees, what_if_agrees};
use ken_games::game::{Illegal, Notation, Seat, Turn};
use ken_games::knowledge::{Knower, read};
use ken_games::list::{GAMES, Games, Of};
use ken_games::record::{Entry, Record};
use ken_games::table::page::{Board, Thing};
use ken_games::table::{Program, Sitter, Table};
use ken_games::unfold::{Ask, Unfold};
use serde_json::{Value, json};

/// The one line.
fn games() -> Games {
    GAMES.with(&Of::<HatGame>::NEW)
}

fn table(seed: u64, sitters: Vec<Sitter>) -> Box<dyn Table> {
    let setup = games().with_options("hats", &json!({"players": 3})).expect("the game is in the list");
    setup.deal(seed, sitters).unwrap_or_else(|problem| panic!("{problem:?}"))
}

fn counter() -> Sitter {
    Sitter::Machine("counter".to_string())
}

/// A seed with these hats.
fn seed_of(hats: &str) -> u64 {
    let people = || (0..3).map(|_| Sitter::Person).collect();
    (0..100).find(|&seed| table(seed, people()).tell_deal() == format!("the hats are {hats}")).expect("such a deal")
}

#[test]
fn the_list_with_one_line_more_finds_the_game_and_leaves_the_list_alone() {
    assert_eq!(games().names().last(), Some("hats"));
    assert_eq!(games().names().count(), GAMES.names().count() + 1);
    assert!(GAMES.find("hats").is_err());
    let wrong = games().find("hat").err().unwrap();
    assert_eq!(wrong.to_string(), "there is no game `hat` (did you mean `hats`?)");
    assert_eq!(games().find("hats").ok().unwrap().info().rival, "counter");
}

#[test]
fn a_person_and_machines_play_it_at_a_table_on_the_plain_board() {
    let mut table = table(seed_of("red, red, blue"), vec![Sitter::Person, counter(), counter()]);
    let eyes = table.eyes(Seat(0), table.events(), true);
    assert_eq!((eyes.request().as_str(), eyes.prompt().as_str()), ("It is your turn.", "it is your turn"));
    assert_eq!(eyes.options(), ["count", "guess red", "guess blue"]);
    let Board::Plain(board) = eyes.board(2) else { panic!("it has no board of its own") };
    let thing = |name: &str, value: &str| Thing { name: name.to_string(), value: value.to_string() };
    assert_eq!(board.own, [thing("seat 1", "red"), thing("seat 2", "blue")]);
    assert!(board.open.is_empty());
    assert_eq!(eyes.sheet(2), "your own\n  seat 1  red\n  seat 2  blue");
    assert_eq!(eyes.hand(2), "you have seat 1 red; seat 2 blue");
    assert_eq!(table.act("count").ok(), Some(Entry::Play("count".to_string())));
    while let Some(thinking) = table.think() {
        let thought = thinking();
        let action = thought.action.clone().expect("a machine goes on");
        table.thought(thought);
        table.act(&action).expect("it is legal");
    }
    // Seat 1 and seat 2 have said what they see.
    assert_eq!(table.turn(), Turn::Of(Seat(0)));
    let eyes = table.eyes(Seat(0), table.events(), true);
    let log: Vec<String> = eyes.log(2).into_iter().map(|line| line.text).collect();
    assert_eq!(log[1..], ["seat 0 sees 1 red", "seat 1 sees 1 red", "seat 2 sees 2 red"]);
    assert_eq!(table.onlooker(table.events()).len(), 3, "the deal is not for everybody");
    let Board::Plain(board) = eyes.board(2) else { panic!("it has no board of its own") };
    assert_eq!(board.open, [thing("last", "seat 2 sees 2 red")]);
    assert!(eyes.advice(1).is_err_and(|problem| problem.message == "there is no advice in this game"));
    assert_eq!(eyes.preview("guess red", 2).read_as.as_deref(), Some("guess red"));
    assert!(table.act("count").is_err(), "three have counted");
    table.act("guess red").expect("it is legal");
    assert!(matches!(table.turn(), Turn::Over(outcome) if outcome.words == "all won"));
}

#[test]
fn what_is_known_is_asked_of_the_eyes_of_a_seat() {
    let mut table = table(seed_of("red, red, blue"), vec![Sitter::Person, Sitter::Person, Sitter::Person]);
    let asks = |table: &dyn Table, formula: &str| table.eyes(Seat(0), table.events(), true).know(formula);
    let knows = |table: &dyn Table, formula: &str| asks(table, formula).unwrap_or_else(|problem| panic!("{problem:?}"));
    let open = "open: it is true if\n  seat 0: red; seat 1: red; seat 2: blue\nand false if\n  \
                seat 0: blue; seat 1: red; seat 2: blue";
    assert_eq!(knows(table.as_ref(), "red(0)"), open);
    assert_eq!(knows(table.as_ref(), "red(1)"), "known: you know it, since the deal");
    assert_eq!(knows(table.as_ref(), "K[1] red(1)"), "excluded: you know that it is false, since the deal");
    // Seat 0 sees one red hat and says so: seat 1, who sees a blue one, learns its own.
    assert_eq!(knows(table.as_ref(), "[count] K[1] red(1)"), "known: you know it, since the deal");
    assert!(asks(table.as_ref(), "red(").is_err_and(|problem| !problem.marks.is_empty()));
    for _ in 0..2 {
        table.act("count").expect("it is legal");
    }
    assert_eq!(knows(table.as_ref(), "red(0)"), "known: you know it, since event 2");
}

#[test]
fn a_record_of_it_replays_by_its_name_and_a_seat_keeps_what_it_saw() {
    let setup = games().with_options("hats", &Value::Null).expect("the game is in the list");
    let mut record = setup.record(vec!["a".into(), "b".into(), "c".into()], 5);
    record.entries = ["count", "count", "guess red"].map(|text| Entry::Play(text.to_string())).into();
    let record = Record::from_text(&record.to_line()).expect("it reads back");
    assert_eq!(games().replay(&record).expect("it replays").events(), 4);
    let kept = games().export(&record, Seat(1)).expect("a seat");
    assert_eq!(kept["sights"].as_array().map(Vec::len), Some(4));
    assert!(GAMES.replay(&record).is_err(), "the other list does not have it");
}

/// A program that knows the game by its texts alone.
struct Reader(Vec<String>);

impl Program for Reader {
    fn watch(&mut self, sight: &Value) {
        self.0.push(sight.to_string());
    }

    fn choose(&mut self, options: &[String]) -> Result<String, String> {
        match self.0.len() {
            n if n > 3 => Err(format!("it saw {n} things")),
            _ => options.first().cloned().ok_or_else(|| "no options".to_string()),
        }
    }

    fn refused(&mut self, _: &str, _: &Illegal) -> bool {
        false
    }
}

#[test]
fn a_program_plays_it_by_its_texts_alone() {
    let reader = || Sitter::Program(Box::new(|| Ok(Box::new(Reader(Vec::new())))));
    let mut table = table(1, vec![reader(), reader(), reader()]);
    let mut chosen = Vec::new();
    while let Some(thinking) = table.think() {
        let thought = thinking();
        let action = thought.action.clone();
        table.thought(thought);
        match &action {
            Ok(text) => drop(table.act(text).expect("it is legal")),
            Err(_) => {
                chosen.push(action);
                break;
            }
        }
        chosen.push(action);
    }
    assert_eq!(chosen[..3], [(); 3].map(|()| Ok("count".to_string())));
    assert_eq!(chosen[3], Err("it saw 4 things".to_string()));
}

#[test]
fn it_keeps_every_law_and_its_knowledge_agrees_with_its_unfolding() {
    let leaks: usize = (0..30)
        .map(|seed| {
            laws::rules_hold(&HatGame, seed).unwrap_or_else(|broken| panic!("{broken}"));
            laws::nothing_leaks(&HatGame, seed).unwrap_or_else(|broken| panic!("{broken}"))
        })
        .sum();
    assert!(leaks > 100, "{leaks} pairs of equal memories");
    let mut unfold = Unfold::of(&HatGame);
    for seat in 0..hats::SEATS {
        unfold = unfold.atom(format!("red({seat})"), move |h| h.state().hats[usize::from(seat)]);
    }
    let verdict = |memory: &[hats::Sight], text: &str| {
        let mut knower = Knower::new(Position::of(memory));
        let fact = read(knower.worlds(), text).ok()?;
        Some(knower.ask(&fact).expect("some hats fit").verdict)
    };
    let trial = Trial { operators: &Operator::ALL, depth: 3, events: 5, formulas: 12 };
    let mut compared = Compared::default();
    for seed in 0..12 {
        let agree = unfolding_agrees(&unfold, seed, &trial, |_, memory, f| verdict(memory, &f.to_string()));
        compared += agree.unwrap_or_else(|broken| panic!("{broken}"));
        let foreseen = what_if_agrees(&unfold, seed, &trial, |_, memory, ask| verdict(memory, &text_of(ask)));
        compared += foreseen.unwrap_or_else(|broken| panic!("{broken}"));
    }
    assert!(compared.verdicts > 500 && compared.settled < compared.verdicts, "{compared:?}");
}

/// What is asked as a formula of the language of facts.
fn text_of(ask: &Ask<hats::Action>) -> String {
    ask.named().iter().fold(ask.formula().to_string(), |text, (name, what_if)| {
        let seat = what_if.seat().map_or(String::new(), |seat| format!("{seat}: "));
        let (action, then) = (HatGame.write(what_if.action()), text_of(what_if.then()));
        let (open, close) = if what_if.is_every() { ('[', ']') } else { ('<', '>') };
        text.replace(&**name, &format!("({open}{seat}{action}{close} ({then}))"))
    })
}
