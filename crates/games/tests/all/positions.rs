//! Positions travel: what a seat has before it, written down and read back, gives the answers that its own memory gives.

use crate::support::deck;
use crate::yokai_knowledge::random as yokai_facts;
use ken_games::bridge;
use ken_games::cards::Card;
use ken_games::cluedo::know::Knower as CluedoKnower;
use ken_games::cluedo::{self, Cluedo, Endmove};
use ken_games::conformance::{Operator, random_formula};
use ken_games::dice::{Dice, mix};
use ken_games::eleusis::knowledge::{self as rounds, Memory, Round};
use ken_games::eleusis::moves::Action;
use ken_games::eleusis::table::Eleusis;
use ken_games::eleusis::{Classic, Express};
use ken_games::game::{Game, Knowledge, Notation, Seat, Verdict};
use ken_games::high_card::HighCard;
use ken_games::knowledge::{Budget, Knower, Remembers, Worlds, read};
use ken_games::list::GAMES;
use ken_games::record::Match;
use ken_games::table::Face;
use ken_games::yokai::knowledge::{Assumed, Memory as YokaiMemory, Notes};
use ken_games::yokai::{self, Colour, Position as YokaiPosition, Yokai};
use ken_logic::check::Limits;
use ken_logic::formula::Name;
use ken_logic::{Document, Format, Query, QueryKind};
use serde_json::{Value, json};
use std::sync::Arc;

/// Random matches of a game, looked at after every event.
fn matches<G: Game>(
    game: &G,
    seeds: std::ops::Range<u64>,
    events: usize,
    choose: impl Fn(&G::Action, &mut Dice) -> G::Action,
    mut look: impl FnMut(&Match<G>, &mut Dice),
) {
    for seed in seeds {
        let dice = &mut Dice::new(mix(seed, 5));
        let mut played = Match::deal(game.clone(), seed);
        for _ in 0..events {
            look(&played, dice);
            let options = game.legal(played.state());
            if options.is_empty() {
                break;
            }
            let action = choose(dice.pick(&options), dice);
            if played.play(&action).is_err() {
                played.play(&options[0]).expect("a listed action");
            }
        }
    }
}

#[test]
fn a_position_of_cluedo_is_read_back_equal_and_answers_the_same() {
    let mut asked = 0;
    for endmove in Endmove::ALL {
        for (sizes, seats) in [(&[3, 3, 3][..], 3), (&[2, 3, 2], 2), (&[4, 3], 3)] {
            let game = Cluedo::new(deck(sizes), seats).expect("enough cards").with_endmove(endmove).with_turns(8);
            let atoms: Vec<Name> = game
                .deck()
                .cards()
                .iter()
                .flat_map(|card| {
                    let name = game.deck().name(card);
                    let held = Seat::all(seats).map(move |seat| Name::from(format!("holds({seat},{name})")));
                    held.chain([Name::from(format!("env({name})"))])
                })
                .collect();
            matches(
                &game,
                0..4,
                14,
                |action, _| *action,
                |played, dice| {
                    let seat = Seat(dice.below(seats.into()) as u8);
                    let own = cluedo::Position::of_memory(game.deck(), game.endmove(), &played.memory(seat));
                    let text = cluedo::read::position_data(&own).to_string();
                    let back = cluedo::read::position(&text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
                    assert_eq!(back, own, "{text}");
                    for _ in 0..3 {
                        let formula = random_formula(&atoms, &Operator::ALL, seats, dice.below(3), dice).to_string();
                        let ask = |position: &cluedo::Position| {
                            let fact = read(position, &formula).expect("a fact");
                            // Whoever ends a turn by chance may break the convention: then nothing fits.
                            let answer = CluedoKnower::new(position).ask(&fact, &Budget::default());
                            answer.map(|answer| (answer.known(), answer.possible()))
                        };
                        assert_eq!(ask(&back), ask(&own), "{formula}: {text}");
                        asked += 1;
                    }
                },
            );
        }
    }
    assert!(asked > 500, "{asked}");
}

#[test]
fn a_position_of_yokai_is_read_back_equal_and_answers_the_same() {
    let (mut asked, mut ended) = (0, 0);
    for game in [
        Yokai::default(),
        Yokai { free_order: true, any_time: true, ..Yokai::PLAIN },
        Yokai { oracle: true, ..Yokai::PLAIN },
    ] {
        // Whoever stops at once sees little.
        let choose = |action: &yokai::Action, dice: &mut Dice| match action {
            yokai::Action::Stop if dice.below(12) > 0 => yokai::Action::Skip,
            other => *other,
        };
        matches(&game, 0..5, 72, choose, |played, dice| {
            let seat = Seat(dice.below(2) as u8);
            let memory = played.memory(seat);
            let position = YokaiPosition::of_memory(&game, &memory);
            let text = yokai::read::position_data(&position).to_string();
            let back = yokai::read::position(&text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
            assert_eq!(back, position, "{text}");
            ended += usize::from(back.past.end.is_some());
            if dice.below(3) > 0 {
                return;
            }
            for assumed in [Assumed::Nothing, Assumed::Proper] {
                let mut own = YokaiMemory::new(&game, assumed);
                memory.iter().for_each(|sight| own.learn(sight));
                let read = Notes::of(&back, assumed);
                let (mut own, mut read) = (Knower::about(own.notes()), Knower::about(&read));
                for _ in 0..3 {
                    let fact = yokai_facts::fact(dice.below(3), dice);
                    assert_eq!(read.ask(&fact), own.ask(&fact), "{fact:?}: {text}");
                    asked += 1;
                }
            }
        });
    }
    assert!(asked > 200 && ended > 2, "{asked} {ended}");
}

/// Facts about a few cards, rules and all seats.
fn names<G: Eleusis>(game: &G, rules: &[Arc<str>]) -> Vec<Name> {
    let deck = game.table().deck();
    let size = deck.size();
    let cards: Vec<String> = (0..size).step_by(size.div_ceil(5)).map(|at| deck.write(Card(at as u8))).collect();
    let mut names: Vec<String> = cards.iter().map(|card| format!("accepts({card})")).collect();
    names.extend(rules.iter().take(3).map(|rule| format!("rule({rule})")));
    for seat in Seat::all(game.seats()) {
        names.extend(cards.iter().map(|card| format!("holds({seat},{card})")));
        names.extend(["knows_rule", "can_play", "sure_play"].map(|word| format!("{word}({seat})")));
    }
    names.into_iter().map(Name::from).collect()
}

/// A round is read back as it was written, and the answers are those of the memory.
fn rounds_travel<G: Eleusis + Notation + PartialEq + std::fmt::Debug>(
    options: &Value,
    back: impl Fn(rounds::Position) -> Round<G>,
) -> usize {
    let game = G::with_options(options).expect("options");
    let family: Arc<[_]> = game.table().menu().offered().iter().cloned().collect();
    let rules: Vec<Arc<str>> = family.iter().map(|rule| rule.text().clone()).collect();
    let atoms = names(&game, &rules);
    let mut asked = 0;
    let choose = |action: &Action, dice: &mut Dice| match action {
        Action::Guess(_) => Action::Guess(dice.pick(&rules).clone()),
        other => other.clone(),
    };
    matches(&game, 0..4, 30, choose, |played, dice| {
        let seat = Seat(dice.below(game.seats().into()) as u8);
        let mut own = Memory::within(&game, family.clone());
        played.memory(seat).iter().for_each(|sight| own.learn(sight));
        let Some(round) = Round::of(&own) else { return };
        let text = round.to_data().to_string();
        let read_back = back(rounds::read(&text).unwrap_or_else(|p| panic!("{text}: {p:?}")));
        assert_eq!(read_back, round, "{text}");
        let mind = Memory::at(&read_back, family.clone());
        assert_eq!(Round::of(&mind).as_ref(), Some(&round), "{text}");
        assert_eq!((mind.standing(), mind.sure()), (own.standing(), own.sure()), "{text}");
        assert!(mind.fitting().eq(own.fitting()), "{text}");
        for _ in 0..4 {
            let formula = random_formula(&atoms, &Operator::ALL, game.seats(), dice.below(3), dice).to_string();
            let fact = read(&own, &formula).unwrap_or_else(|p| panic!("{formula}: {p:?}"));
            let verdict = |mind: &Memory<G>| mind.ask(&fact).map(|answer| answer.verdict);
            assert_eq!(verdict(&mind), verdict(&own), "{formula}: {text}");
            asked += 1;
        }
    });
    asked
}

#[test]
fn a_round_of_eleusis_is_read_back_equal_and_answers_the_same() {
    let express = |position: rounds::Position| match position {
        rounds::Position::Express(round) => *round,
        other => panic!("{other:?}"),
    };
    let classic = |position: rounds::Position| match position {
        rounds::Position::Classic(round) => *round,
        other => panic!("{other:?}"),
    };
    let mut asked = 0;
    for options in [
        json!({"players": 3, "deck": {"values": 4}, "hand": 2}),
        json!({"players": 4, "deck": {"values": 5}, "hand": 1, "guess": "always"}),
        json!({"players": 3, "deck": {"values": 3}, "decks": 2, "hand": 2, "draw_refused": 2}),
        json!({"players": 3, "deck": {"values": 4}, "hand": 2, "open": true}),
        json!({"players": 3}),
    ] {
        asked += rounds_travel::<Express>(&options, express);
    }
    for options in [json!({"players": 3, "deck": {"values": 4}, "moves": 12}), json!({"players": 4, "moves": 12})] {
        asked += rounds_travel::<Classic>(&options, classic);
    }
    assert!(asked > 1500, "{asked}");
}

/// What `ken check` says of `known(f)` and `known(!f)` in a model file.
fn by_file(text: &str, formula: &str) -> Verdict {
    let document = Document::read(text, Format::Ken).unwrap_or_else(|p| panic!("{p:?}: {text}"));
    let known = |formula: String| {
        let asked = document.formula(&formula).unwrap_or_else(|p| panic!("{formula}: {p:?}"));
        document.checker(Limits::default()).ask(&Query::new(QueryKind::Valid, asked)).expect("an answer").holds
    };
    match (known(format!("known({formula})")), known(format!("known(!({formula}))"))) {
        (true, false) => Verdict::Yes,
        (false, true) => Verdict::No,
        (false, false) => Verdict::Open,
        (true, true) => panic!("{formula} contradicts itself: {text}"),
    }
}

#[test]
fn the_model_file_of_a_position_of_cluedo_answers_what_know_answers() {
    let mut found = [0; 3];
    let game = Cluedo::new(deck(&[2, 3, 2]), 3).expect("enough cards").with_turns(6);
    let names: Vec<&str> = game.deck().cards().iter().map(|card| game.deck().name(card)).collect();
    let env = names.iter().map(|name| format!("env({name})"));
    let held = names.iter().flat_map(|name| (0..3).map(move |seat| format!("holds({seat},{name})")));
    let atoms: Vec<Name> = env.chain(held).map(Name::from).collect();
    matches(
        &game,
        0..4,
        9,
        |action, _| *action,
        |played, dice| {
            let seat = Seat(dice.below(3) as u8);
            let position = cluedo::Position::of_memory(game.deck(), game.endmove(), &played.memory(seat));
            let formula = random_formula(&atoms, &Operator::ALL, 3, dice.below(3), dice).to_string();
            let fact = read(&position, &formula).expect("a fact");
            let answer = CluedoKnower::new(&position).ask(&fact, &Budget::default()).expect("an answer");
            let verdict = match (answer.known(), answer.possible()) {
                (true, _) => Verdict::Yes,
                (false, false) => Verdict::No,
                (false, true) => Verdict::Open,
            };
            assert_eq!(by_file(&bridge::source(&position), &formula), verdict, "{formula}: {position:?}");
            found[verdict as usize] += 1;
        },
    );
    assert!(found.iter().all(|&n| n > 2), "{found:?}");
}

#[test]
fn the_model_file_of_notes_of_yokai_answers_what_know_answers() {
    let mut found = [0; 3];
    for seed in 0..16 {
        let dice = &mut Dice::new(seed);
        let (notes, _) = yokai_facts::notes(&yokai_facts::Plan { hidden: 4, lies: false }, dice);
        for _ in 0..4 {
            // The language of models has no `col(3,rg)`.
            let mut number = || dice.below(16) + 1;
            let mut text = match number() % 3 {
                0 => format!("same({},{})", number(), number()),
                1 => format!("col({},{})", number(), Colour::ALL[number() % 4]),
                _ => format!("K[{}] col({},{})", number() % 2, number(), Colour::ALL[number() % 4]),
            };
            if number() % 3 == 0 {
                text = format!("C[0,1] {text}");
            }
            let fact = read(&notes, &text).expect("a fact");
            let verdict = Knower::about(&notes).ask(&fact).expect("an answer").verdict;
            assert_eq!(by_file(&bridge::yokai::file(&notes), &text), verdict, "{text}");
            found[verdict as usize] += 1;
        }
    }
    assert!(found.iter().all(|&n| n > 1), "{found:?}");
}

#[test]
fn the_model_file_of_a_round_of_eleusis_answers_what_know_answers() {
    let mut found = [0; 3];
    let game = Express::with_options(&json!({"players": 3, "deck": {"values": 4}, "hand": 2})).expect("options");
    let family: Arc<[_]> = game.table().menu().offered().iter().cloned().collect();
    let deck = game.table().deck();
    matches(
        &game,
        0..6,
        12,
        |action, _| action.clone(),
        |played, dice| {
            let seat = Seat(dice.below(3) as u8);
            let mut mind = Memory::within(&game, family.clone());
            played.memory(seat).iter().for_each(|sight| mind.learn(sight));
            let Ok(text) = bridge::round::source(&mind) else { return };
            for _ in 0..3 {
                let card = deck.write(Card(dice.below(deck.size()) as u8));
                let who = dice.below(3);
                let asked = match dice.below(3) {
                    0 => format!("accepts({card})"),
                    1 => format!("K[{who}] refuses({card})"),
                    _ => format!("knows_rule({who})"),
                };
                let fact = read(&mind, &asked).expect("a fact");
                let verdict = mind.ask(&fact).expect("an answer").verdict;
                assert_eq!(by_file(&text, &asked), verdict, "{asked}: {text}");
                found[verdict as usize] += 1;
            }
        },
    );
    assert!(found.iter().all(|&n| n > 5), "{found:?}");
}

#[test]
fn a_position_of_high_card_is_all_that_was_seen_and_it_and_its_model_answer_what_the_seat_knows() {
    let mut found = [0; 3];
    let game = HighCard { cards: 4, questions: 3 };
    let seats = || Seat::all(2);
    let has = seats().flat_map(|seat| (1..=game.cards).map(move |card| format!("has({seat},{card})")));
    let atoms: Vec<Name> = has.chain(seats().map(|seat| format!("higher({seat})"))).map(Name::from).collect();
    matches(
        &game,
        0..12,
        5,
        |action, _| action.clone(),
        |played, dice| {
            let memory = played.memory(Seat(dice.below(2) as u8));
            let text = game.position(&memory).expect("a text").to_string();
            let kind = GAMES.of_position(&text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
            assert_eq!(kind.name(), HighCard::NAME);
            let mut placed = kind.placed(&text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
            let (mut own, model) = (game.mind(&memory), game.model(&memory).expect("a model"));
            for _ in 0..3 {
                let formula = random_formula(&atoms, &Operator::ALL, 2, dice.below(3), dice).to_string();
                let fact = read(own.worlds().language(), &formula).expect("a fact");
                let verdict = own.ask(&fact).expect("an answer").verdict;
                let told = placed.ask(&formula, &Budget::default()).expect("an answer");
                assert_eq!(told.verdict, verdict, "{formula}: {text}");
                assert_eq!(by_file(&model, &formula), verdict, "{formula}: {text}");
                found[verdict as usize] += 1;
            }
        },
    );
    assert!(found.iter().all(|&n| n > 5), "{found:?}");
}

#[test]
fn the_game_of_a_position_is_told_by_the_position_and_a_wrong_one_says_what_is_wrong() {
    let game = |text: &str| GAMES.of_position(text).map(|kind| kind.name()).map_err(|p| p[0].message.clone());
    assert_eq!(game(r#"{"hand_sizes": [3, 3]}"#), Ok("cluedo"));
    assert_eq!(game(r#"{"cells": {}}"#), Ok("yokai"));
    assert_eq!(game(r#"{"mainline": ["3S"]}"#), Ok("express"));
    assert_eq!(game(r#"{"mainline": ["3S"], "table": {"game": "eleusis"}}"#), Ok("eleusis"));
    assert_eq!(game(r#"{"game": "chess"}"#), Err("this is a position of no game".to_string()));
    assert!(game("{").is_err());
    let wrong = |rest: &str| {
        let text = format!(r#"{{"game": "high-card", {rest}}}"#);
        let problems = GAMES.find("high-card").expect("it is there").placed(&text).err().expect("it is wrong");
        problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>()
    };
    assert_eq!(wrong(r#""sights": 3"#), ["expected `sights`: a list of what was seen, the deal first"]);
    assert_eq!(wrong(r#""sights": []"#), ["nothing was seen: the deal is missing"]);
    assert_eq!(
        wrong(r#""sight": 1, "sights": [{"seat": 0, "card": 10}, {"asks": 0, "above": 9, "yes": true}]"#),
        ["there is no `sight` in a position of this game", "nobody can see that in this game"]
    );
    let deal = r#"{"seat": 0, "card": 2}"#;
    let ask = |by: u8| format!(r#"{{"asks": {by}, "above": 3, "yes": true}}"#);
    for (sights, message) in [
        (ask(0), "a seat sees its own card first"),
        (format!("{deal}, {deal}"), "cards are dealt once"),
        (format!("{deal}, {}", ask(1)), "it is the turn of seat 0"),
        (format!(r#"{deal}, {{"bets": 0, "high": true, "cards": [1, 3]}}"#), "the seat has another card"),
        (format!("{deal}, {}, {}, {}", ask(0), ask(1), ask(0)), "all questions are asked"),
    ] {
        assert_eq!(wrong(&format!(r#""options": {{"questions": 2}}, "sights": [{sights}]"#)), [message]);
    }
    assert_eq!(wrong(r#""options": {"cards": 99}, "sights": []"#), ["`cards` is a number from 2 to 20, not 99"]);
}

#[test]
fn a_table_that_cannot_be_says_all_that_is_wrong() {
    let wrong = |table: Value| -> Vec<String> {
        let text = json!({"mainline": ["3S", "7D"], "hand": ["4C"], "table": table}).to_string();
        rounds::read(&text).expect_err("it is wrong").into_iter().map(|problem| problem.message).collect()
    };
    assert_eq!(wrong(json!([])), ["expected an object with `game`"]);
    assert_eq!(wrong(json!({})), ["expected a game: \"express\" or \"eleusis\""]);
    assert_eq!(
        wrong(json!({"game": "express", "options": {"players": 9}})),
        ["`players` is a number from 3 to 8, not 9"]
    );
    assert_eq!(
        wrong(json!({"game": "express", "seet": 1, "dealer": 7, "wrong": [{"rule": "red"}], "shown": {"9": []}})),
        ["unknown key `seet`", "expected a seat from 0 to 3", "there is no seat `9`", "`line` is missing"]
    );
    assert_eq!(wrong(json!({"game": "express", "seat": 3})), ["`rule` is missing"]);
    assert_eq!(wrong(json!({"game": "express", "rule": "red"})), ["seat 0 does not know the rule: seat 3 deals"]);
    assert_eq!(
        wrong(json!({"game": "express", "hands": [1, 0, 0, 0], "shown": {"1": ["KD"]}})),
        ["the cards do not add up"]
    );
    assert_eq!(
        wrong(json!({"game": "express", "hands": [1, 1, 0, 0], "shown": {"1": ["7D"]}})),
        ["the cards do not add up"],
        "there is one deck, and the card lies on the table"
    );
    assert_eq!(wrong(json!({"game": "eleusis", "step": "guess"})).len(), 1);
    assert_eq!(
        wrong(json!({"game": "express", "options": {"open": true}, "hands": [["5C"], 0, 0, 0]})),
        ["`hand` and what seat 0 is said to hold are different cards"]
    );
}

#[test]
fn open_hands_of_a_table_are_seen_by_everybody() {
    let text = json!({
        "mainline": ["3S"], "hand": ["4C"],
        "table": {"game": "express", "options": {"open": true, "players": 3}, "hands": [1, ["7D", "9H"], 0]}
    });
    let mut placed = GAMES.placed("express", &text.to_string()).unwrap_or_else(|p| panic!("{}", p.message));
    let mut known = |fact: &str| placed.ask(fact, &Budget::default()).expect("an answer").verdict;
    assert_eq!(known("C[0,1,2] holds(1,7D)"), Verdict::Yes);
    assert_eq!((known("holds(1,8D)"), known("K[1] holds(0,4C)")), (Verdict::No, Verdict::Yes));
}
