//! Nested knowledge against brute force, stored cases and the thesis.

mod brute;

use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::deck::Deck;
use ken_games::cluedo::know::{Engine, Knower};
use ken_games::cluedo::position::{Observed, Position};
use ken_games::cluedo::read;
use ken_games::cluedo::rules::{Action, Cluedo, Event};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat, Turn};
use ken_games::knowledge::read as formula;
use ken_games::knowledge::{Budget, Refused};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A position of the test data.
fn position(data: &Value) -> Position {
    let deck = Arc::new(match data.get("deck") {
        Some(deck) => Deck::from_data(deck).unwrap(),
        None => Deck::classic(),
    });
    let set = |v: &Value| v.as_array().unwrap().iter().map(|c| deck.card(c.as_str().unwrap()).unwrap()).collect();
    let seat = |v: &Value| Seat(v.as_u64().unwrap() as u8);
    let sizes = data["hand_sizes"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u8).collect();
    let hand: CardSet = set(&data["hand"]);
    let mut position = Position::new(deck.clone(), sizes, seat(&data["observer"]), hand).unwrap();
    for event in data["events"].as_array().unwrap() {
        let event = if let Some(asker) = event.get("ask") {
            Observed::Ask {
                asker: seat(asker),
                cards: set(&event["cards"]),
                answer: event["shown_by"].as_u64().map(|s| Seat(s as u8)),
                shown: event.get("shown").map(|c| deck.card(c.as_str().unwrap()).unwrap()),
            }
        } else if let Some(accuser) = event.get("accuse") {
            Observed::Accuse {
                seat: seat(accuser),
                cards: set(&event["cards"]),
                correct: event["correct"].as_bool().unwrap(),
                envelope: event.get("envelope").map(set),
            }
        } else {
            Observed::Endmove { seat: seat(&event["endmove"]) }
        };
        position.push(event).unwrap();
    }
    position
}

fn ask(knower: &mut Knower, text: &str) -> (bool, bool) {
    let formula = formula(knower.position(), text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let answer = knower.ask(&formula, &Budget::default()).unwrap();
    assert_eq!(answer.known(), answer.counterexample.is_none());
    assert_eq!(answer.possible(), answer.witness.is_some());
    (answer.known(), answer.possible())
}

#[test]
fn every_stored_query_has_its_stored_answer() {
    let data: Value = serde_json::from_str(include_str!("../../data/cluedo-knowledge.json")).unwrap();
    for (i, case) in data["cases"].as_array().unwrap().iter().enumerate() {
        let engines = [Engine::Best, Engine::Lazy, Engine::Symbolic];
        let mut knowers = engines.map(|engine| Knower::with(&position(&case["position"]), engine));
        for query in case["queries"].as_array().unwrap() {
            let text = query["formula"].as_str().unwrap();
            let stored = (query["known"].as_bool().unwrap(), query["possible"].as_bool().unwrap());
            for knower in &mut knowers {
                assert_eq!(ask(knower, text), stored, "case {i}: {text}: {:?}", knower.engine());
            }
        }
    }
}

#[test]
fn every_stored_count_is_right() {
    let data: Value = serde_json::from_str(include_str!("../../data/cluedo-knowledge.json")).unwrap();
    for (i, case) in data["cases"].as_array().unwrap().iter().enumerate() {
        let position = position(&case["position"]);
        let solved = Knower::new(&position).deals(&Budget::default()).unwrap();
        let number = |v: &Value| u128::from(v.as_u64().unwrap());
        assert_eq!(solved.deals, number(&case["deals"]), "case {i}");
        assert_eq!(solved.envelopes.len() as u128, number(&case["envelopes"]), "case {i}");
        for (place, row) in case["marginals"].as_array().unwrap().iter().enumerate() {
            for (name, deals) in row.as_object().unwrap() {
                let card = position.deck().find(name).unwrap();
                assert_eq!(solved.marginals[place][card.index()], number(deals), "case {i}: {name} at {place}");
            }
        }
    }
}

#[test]
fn counts_in_random_matches_are_those_of_the_definitions() {
    let mut told = 0;
    for case in 0..400 {
        let (position, brute) = brute::random_match(&mut Dice::new(mix(5, case)));
        let deals: BTreeSet<Vec<CardSet>> =
            brute.seen(&position).into_iter().map(|i| brute.worlds[i].places.clone()).collect();
        let mut knower = Knower::new(&position);
        let solved = knower.deals(&Budget::default()).unwrap();
        assert_eq!(solved.deals, deals.len() as u128, "case {case}");
        let envelopes: BTreeSet<CardSet> = deals.iter().map(|d| d[d.len() - 1]).collect();
        assert!(solved.envelopes.iter().map(|e| e.0).eq(envelopes), "case {case}");
        for (place, row) in solved.marginals.iter().enumerate() {
            for (card, &n) in row.iter().enumerate() {
                let there = deals.iter().filter(|d| d[place].has(Card(card as u8))).count();
                assert_eq!(n, there as u128, "case {case}: {card} at {place}");
            }
        }
        if !knower.endmoves_tell(&Budget::default()).unwrap() {
            let without = position.events().iter().copied().filter(|e| !matches!(e, Observed::Endmove { .. }));
            let plain = Knower::new(&position.with_events(without.collect())).deals(&Budget::default());
            assert_eq!(plain, Ok(solved), "case {case}");
        } else {
            told += 1;
        }
    }
    assert!(told > 20, "endmoves told something in {told} cases only");
}

#[test]
fn random_formulas_in_random_matches_are_answered_as_by_the_definitions() {
    for case in 0..400 {
        let mut dice = Dice::new(mix(4, case));
        let (position, brute) = brute::random_match(&mut dice);
        let seen = brute.seen(&position);
        let mut knowers = [Engine::Lazy, Engine::Symbolic].map(|engine| Knower::with(&position, engine));
        for _ in 0..8 {
            let depth = 1 + dice.below(3);
            let text = brute::random_formula(&mut dice, &position, depth);
            let truth = brute.check(&brute::read(&position, &text));
            let asked = formula(&position, &text).unwrap();
            let expected = (seen.iter().all(|&i| truth[i]), seen.iter().any(|&i| truth[i]));
            for knower in &mut knowers {
                assert_eq!(ask(knower, &text), expected, "case {case}: {text}\n{:?}", position.events());
                let answer = knower.ask(&asked, &Budget::default()).unwrap();
                for (world, value) in [(answer.witness, true), (answer.counterexample, false)] {
                    let Some(world) = world else { continue };
                    let cards: Vec<Card> = world.shown.iter().map(|s| s.1).collect();
                    let same = |w: &brute::World| {
                        w.places == world.deal.places && w.shown.iter().map(|s| s.2).eq(cards.iter().copied())
                    };
                    assert!(
                        seen.iter().any(|&i| same(&brute.worlds[i]) && truth[i] == value),
                        "case {case}: {text}: {:?}: {world:?}\n{:?}",
                        knower.engine(),
                        position.events()
                    );
                }
            }
        }
    }
}

#[test]
fn what_groups_know_of_what_others_know_is_answered_as_by_the_definitions() {
    for case in 0..400 {
        let mut dice = Dice::new(mix(6, case));
        let (position, brute) = brute::random_match(&mut dice);
        let seen = brute.seen(&position);
        let engines = [Engine::Best, Engine::Lazy, Engine::Symbolic];
        let mut knowers = engines.map(|engine| Knower::with(&position, engine));
        for depth in [1, 2, 3, 3] {
            let text = brute::random_chain(&mut dice, &position, depth);
            let truth = brute.check(&brute::read(&position, &text));
            let expected = (seen.iter().all(|&i| truth[i]), seen.iter().any(|&i| truth[i]));
            for knower in &mut knowers {
                let engine = knower.engine();
                assert_eq!(ask(knower, &text), expected, "case {case}: {text}: {engine:?}\n{:?}", position.events());
            }
        }
    }
}

/// A position with more worlds than can be listed: who knows the envelope does not end a turn aloud.
fn large_position(dice: &mut Dice) -> Position {
    let seats = 2 + dice.below(4) as u8;
    let category = |k: usize, n: usize| (format!("k{k}"), (0..n).map(|c| format!("c{k}{c}")).collect());
    let deck = Deck::new((0..3).map(|k| category(k, 2 + dice.below(4))).collect()).unwrap();
    let Ok(game) = Cluedo::new(Arc::new(deck), seats) else { return large_position(dice) };
    let (mut state, dealt) = game.deal(dice);
    let all = || Seat::all(seats);
    let mut positions: Vec<Position> = all().map(|s| Position::dealt(game.deck(), &game.sight(&dealt, s))).collect();
    let events = 2 + dice.below(16);
    while positions[0].events().len() < events {
        let Turn::Of(seat) = game.turn(&state) else { break };
        let options = game.legal(&state);
        let action = if options[0] == Action::End { Action::End } else { *dice.pick(&options) };
        let event = game.play(&mut state, &action).unwrap();
        if let Event::Ended { .. } = event {
            if !ask(&mut Knower::new(&positions[seat.index()]), &format!("solved({seat})")).0 {
                positions.iter_mut().for_each(|p| p.push(Observed::Endmove { seat }).unwrap());
            }
        } else {
            let sights: Vec<_> = all().map(|s| game.sight(&event, s)).collect();
            positions.iter_mut().zip(&sights).for_each(|(p, sight)| p.learn(sight, game.endmove()));
        }
    }
    positions.swap_remove(dice.below(seats as usize))
}

#[test]
fn the_engines_agree_where_there_are_too_many_worlds_to_list() {
    let mut settled = 0;
    for case in 0..60 {
        let mut dice = Dice::new(mix(991, case));
        let position = large_position(&mut dice);
        let seats = position.seats() as usize;
        let mut knowers = [Engine::Lazy, Engine::Symbolic, Engine::Best].map(|engine| Knower::with(&position, engine));
        for _ in 0..6 {
            let mut text = String::new();
            for _ in 0..1 + dice.below(3) {
                let (one, other) = (dice.below(seats), dice.below(seats));
                let group = if one == other { one.to_string() } else { format!("{one},{other}") };
                let sign = if dice.below(4) == 0 { "!" } else { "" };
                text += &format!("{sign}{}[{group}] ", dice.pick(&["E", "D", "D"]));
            }
            let card = position.deck().name(Card(dice.below(position.deck().len()) as u8));
            text += &match dice.below(3) {
                0 => format!("holds({},{card})", dice.below(seats)),
                1 => format!("env({card})"),
                _ => format!("solved({})", dice.below(seats)),
            };
            let [lazy, symbolic, best] = knowers.each_mut().map(|knower| ask(knower, &text));
            assert_eq!((lazy, best), (symbolic, symbolic), "case {case}: {text}");
            settled += usize::from(lazy.0 || !lazy.1);
        }
    }
    assert!((60..350).contains(&settled), "{settled} of 360 questions are settled");
}

/// Section 4.3.3 of the thesis, cards numbered from 1: suspects 1–6, weapons 7–12, rooms 13–21. The agent, seat 0, knows
/// that 7 and 13 are in the envelope, and that seat 2 can hold only 1, 2, 5, 8 and 11.
fn thesis_position() -> Position {
    let mut position = Position::new(Arc::new(Deck::classic()), vec![3; 6], Seat(0), numbered(&[3, 9, 14])).unwrap();
    position.push(asked(0, &[3, 7, 13], None)).unwrap();
    for room in 15..=21 {
        let (suspect, weapon) = if room % 2 == 1 { (4, 10) } else { (6, 12) };
        position.push(asked(1, &[suspect, weapon, room], Some(Seat(3)))).unwrap();
    }
    let mut knower = Knower::new(&position);
    for card in Deck::classic().cards().iter() {
        let possible = [1, 2, 5, 8, 11].contains(&(card.0 + 1));
        let text = format!("holds(2,{})", position.deck().name(card));
        assert_eq!(ask(&mut knower, &text), (false, possible), "{text}");
    }
    position
}

fn numbered(numbers: &[u8]) -> CardSet {
    numbers.iter().map(|n| Card(n - 1)).collect()
}

fn asked(asker: u8, numbers: &[u8], answer: Option<Seat>) -> Observed {
    Observed::Ask { asker: Seat(asker), cards: numbered(numbers), answer, shown: None }
}

/// The thesis concludes that seat 2 holds 8 and that 1 is in the envelope. The first follows; the second does not, since
/// seat 2 may have asked for two of its own cards.
#[test]
fn the_thesis_is_right_about_the_card_held_and_hasty_about_the_envelope() {
    let mut position = thesis_position();
    position.push(asked(2, &[1, 8, 13], None)).unwrap();
    position.push(Observed::Endmove { seat: Seat(2) }).unwrap();
    let mut knower = Knower::new(&position);
    assert_eq!(ask(&mut knower, "holds(2,dagger)"), (true, true));
    assert_eq!(ask(&mut knower, "env(scarlett) | holds(2,scarlett)"), (true, true));
    assert_eq!(ask(&mut knower, "env(scarlett)"), (false, true));
}

#[test]
fn who_asks_for_the_envelope_unanswered_and_ends_the_turn_holds_a_card_of_it() {
    let mut position = thesis_position();
    position.push(asked(2, &[1, 7, 13], None)).unwrap();
    let mut before = Knower::new(&position);
    assert_eq!(ask(&mut before, "env(scarlett)"), (false, true));
    assert_eq!(ask(&mut before, "solved(2)"), (false, true));
    position.push(Observed::Endmove { seat: Seat(2) }).unwrap();
    let mut after = Knower::new(&position);
    assert_eq!(ask(&mut after, "holds(2,scarlett)"), (true, true));
    assert_eq!(ask(&mut after, "K[2] holds(2,scarlett) & !solved(2)"), (true, true));
}

/// The second endmove tells nothing that the first has not told, but the first does not lapse.
#[test]
fn a_second_endmove_does_not_take_back_the_first() {
    let lists = ["s", "w", "r"].map(|n| (n.to_string(), (0..3).map(|i| format!("{n}{i}")).collect()));
    let deck = Arc::new(Deck::new(lists.into()).unwrap());
    let set = |cards: [u8; 3]| cards.into_iter().map(Card).collect::<CardSet>();
    let mut position = Position::new(deck, vec![2; 3], Seat(2), [Card(6), Card(7)].into_iter().collect()).unwrap();
    let ask = |asker, cards, by: Option<(u8, u8)>| Observed::Ask {
        asker: Seat(asker),
        cards: set(cards),
        answer: by.map(|b| Seat(b.0)),
        shown: by.map(|b| Card(b.1)),
    };
    position.push(ask(0, [0, 4, 8], None)).unwrap();
    position.push(Observed::Endmove { seat: Seat(0) }).unwrap();
    position.push(ask(0, [0, 4, 7], Some((2, 7)))).unwrap();
    position.push(Observed::Endmove { seat: Seat(0) }).unwrap();
    for engine in [Engine::Lazy, Engine::Symbolic] {
        let mut knower = Knower::with(&position, engine);
        assert_eq!(self::ask(&mut knower, "env(s0) & env(w1) & env(r2)"), (false, false));
    }
}

#[test]
fn a_position_without_a_world_is_an_error() {
    let deck = Arc::new(Deck::classic());
    let mut position = Position::new(deck.clone(), vec![3; 6], Seat(0), CardSet(0b111)).unwrap();
    let cards: CardSet = [Card(3), Card(6), Card(12)].into_iter().collect();
    position.push(Observed::Ask { asker: Seat(0), cards, answer: None, shown: None }).unwrap();
    position.push(Observed::Accuse { seat: Seat(1), cards, correct: false, envelope: None }).unwrap();
    let mut knower = Knower::new(&position);
    let truth = formula(&position, "env(green)").unwrap();
    assert_eq!(knower.ask(&truth, &Budget::default()), Err(Refused::NoWorld));
}

#[test]
fn an_unknown_name_is_reported_with_its_place() {
    let position = Position::new(Arc::new(Deck::classic()), vec![3; 6], Seat(0), CardSet(0b111)).unwrap();
    let wrong = formula(&position, "K[1] holds(0, pulm)").unwrap_err();
    assert_eq!((wrong[0].span.start, wrong[0].span.end), (5, 19));
    assert_eq!(wrong[0].help.as_deref(), Some("did you mean `plum`?"));
    for text in ["K[6] env(plum)", "solved(6)", "plum", "AX env(plum)", "holds(0)", "C[0,6] env(plum)"] {
        assert!(formula(&position, text).is_err(), "{text}");
    }
    assert!(formula(&position, "K[5] Kw[0] holds(0,plum) & D[0,1] env(rope)").is_ok());
}

#[test]
fn a_spent_budget_is_an_error_and_not_an_answer() {
    let position = Position::new(Arc::new(Deck::classic()), vec![3; 6], Seat(0), CardSet(0b111)).unwrap();
    let deep = formula(&position, "K[1] K[2] env(rope)").unwrap();
    assert_eq!(Knower::new(&position).ask(&deep, &Budget { steps: 1 }), Err(Refused::Limit));
}

#[test]
fn between_a_question_and_its_card_nobody_is_taken_to_have_seen_it() {
    let text = |pending: &str| {
        format!(
            r#"{{"deck": {{"a": ["a0", "a1"], "b": ["b0", "b1", "b2"]}}, "hand_sizes": [1, 1, 1], "observer": 1,
                "hand": ["a1"], "events": [{{"ask": 0, "cards": ["a0", "b1"], "passed": [1], "shown_by": 2{pending}}}]}}"#
        )
    };
    for (pending, solved) in [("", (true, true)), (r#", "pending": true"#, (false, false))] {
        let position = read::position(&text(pending)).unwrap();
        assert_eq!(position.is_pending(), !pending.is_empty());
        for engine in [Engine::Lazy, Engine::Symbolic] {
            assert_eq!(ask(&mut Knower::with(&position, engine), "solved(0)"), solved, "{pending}");
        }
        let again = read::position(&read::position_data(&position).to_string()).unwrap();
        assert_eq!(again, position);
    }
    assert!(read::position(&text(r#", "pending": 1"#)).is_err());
    assert!(read::position(&text(r#", "pending": true}, {"endmove": 0"#)).is_err());
}

#[test]
fn what_a_question_would_tell_can_be_asked_before_it() {
    let text = r#"{"deck": {"a": ["a0", "a1"], "b": ["b0", "b1", "b2"]}, "hand_sizes": [1, 1, 1], "observer": 0,
        "hand": ["a0"], "events": []}"#;
    let position = read::position(text).unwrap();
    let mut knower = Knower::new(&position);
    for (formula, expected) in [
        // The envelope has a1. Of b0, b1, b2 seats 1 and 2 hold two.
        ("env(a1)", (true, true)),
        // Asked for its own a0 and b0, nobody answers exactly if b0 is in the envelope.
        ("[suggest a0 b0] (solved(0) <-> env(b0))", (true, true)),
        ("[suggest a0 b0, nobody answers] K[0] env(b0)", (true, true)),
        ("[suggest a0 b0, 1 answers] K[0] holds(1,b0)", (true, true)),
        ("[suggest a0 b0, 1 answers] K[2] holds(1,b0)", (false, true)),
        ("[suggest a0 b0, 1 passes, 2 shows b0] K[0] holds(2,b0)", (true, true)),
        ("[suggest a0 b0, 1 passes, 2 shows b0] C[0,2] holds(2,b0)", (true, true)),
        // Which card is shown only the two see, even if it is said.
        ("<suggest a0 b0, 1 answers> K[2] holds(1,b0)", (false, false)),
        ("<suggest a0 b0, 1 shows b0> K[2] holds(1,b0)", (false, false)),
        ("[accuse a1 b0, right] [suggest a0 b0] false", (true, true)),
        ("[suggest a0 b0] Kw[0] env(b0)", (true, true)),
        ("[suggest a0 b0, 2 answers] K[1] holds(2,b0)", (false, true)),
        ("<suggest a0 b0, 1 answers> true", (false, true)),
        ("<suggest a0 b0, 1 shows a0> true", (false, false)),
        ("K[1] [0: suggest a0 b0] Kw[0] env(b0)", (true, true)),
        ("[accuse a1 b0, right] C[all] env(b0)", (true, true)),
        ("[accuse a1 b0, wrong] solved(0)", (true, true)),
        ("[accuse a1 b0, wrong] K[1] solved(0)", (true, true)),
        ("[accuse a1 b0] solved(0)", (true, true)),
        ("[suggest a0 b0, nobody answers] [end] false", (true, true)),
        ("[suggest a0 b0] [suggest a0 b1] solved(0)", (true, true)),
        ("[suggest a0 b0, 1 answers] [suggest a0 b0, 1 answers] K[0] holds(1,b0)", (true, true)),
    ] {
        assert_eq!(self::ask(&mut knower, formula), expected, "{formula}");
    }
    for wrong in ["[suggest a0] true", "[show a0] true", "[7: suggest a0 b0] true", "[suggest a0 b0, 0 answers] true"] {
        assert!(formula(&position, wrong).is_err(), "{wrong}");
    }
}
