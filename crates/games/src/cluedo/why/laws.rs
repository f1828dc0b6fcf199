//! Laws of proofs about what others know.

use super::*;
use crate::cluedo::atoms::Atom;
use crate::cluedo::position::Observed;
use crate::cluedo::rules::{Action, Cluedo, Endmove};
use crate::cluedo::{Deck, Position, read};
use crate::dice::{Dice, mix};
use crate::game::{Game, Seat, Turn};
use crate::knowledge::proof::Eyes;
use crate::knowledge::{self, Seats};
use std::sync::Arc;

const SMALL: Budget = Budget { steps: 50_000 };

/// A random match of a few questions with a small deck, as seat 0 saw it. Turns end only where nobody knows the envelope.
fn play(endmove: Endmove, dice: &mut Dice) -> Option<Position> {
    let names = |letter: &str, n: usize| (0..n).map(|i| format!("{letter}{i}")).collect::<Vec<_>>();
    let deck =
        Deck::new(vec![("as".into(), names("a", 2)), ("bs".into(), names("b", 3)), ("cs".into(), names("c", 3))]);
    let game = Cluedo::new(Arc::new(deck.unwrap()), 3).unwrap().with_endmove(endmove);
    let (mut state, event) = game.deal(dice);
    let mut memory = vec![game.sight(&event, Seat(0))];
    let questions = 2 + dice.below(4);
    let mut asked = 0;
    while let Turn::Of(_) = game.turn(&state) {
        let options = game.legal(&state);
        let action = if options[0] == Action::End { Action::End } else { *dice.pick(&options) };
        asked += usize::from(matches!(action, Action::Suggest(_)));
        if asked > questions {
            break;
        }
        let event = game.play(&mut state, &action).unwrap();
        memory.push(game.sight(&event, Seat(0)));
    }
    let position = Position::of_memory(game.deck(), endmove, &memory);
    Knower::new(&position).possible(&SMALL).is_ok().then_some(position)
}

fn fact(depth: usize, position: &Position, dice: &mut Dice) -> Fact {
    let cards: Vec<_> = position.deck().cards().iter().collect();
    let literal = Fact::at(*dice.pick(&cards), dice.below(4));
    let mut fact = if dice.below(2) == 0 { literal } else { literal.negated() };
    for _ in 0..depth {
        let seat = Seat(dice.below(3) as u8);
        fact = match dice.below(8) {
            0 => Fact::Common(Seats::all(3), fact.into()),
            1 => Fact::Knows(Seats::of(Seat(1)).with(Seat(2)), fact.into()),
            2 => fact.known_to(seat).negated(),
            3 => Fact::Any(vec![fact, Fact::Atom(Atom::Solved(seat))]),
            _ => fact.known_to(seat),
        };
    }
    fact
}

#[test]
fn proofs_about_knowledge_are_of_what_is_known_and_none_of_their_premises_can_be_missing() {
    let (mut proofs, mut without) = (0, 0);
    for seed in 0..60 {
        let dice = &mut Dice::new(mix(21, seed));
        let endmove = if seed % 3 == 0 { Endmove::Ignorance } else { Endmove::Silent };
        let Some(position) = play(endmove, dice) else { continue };
        let mut knower = Knower::new(&position);
        for i in 0..12 {
            let claim = fact(1 + i % 3, &position, dice);
            let known = knower.ask(&claim, &Budget::default()).unwrap();
            match why(&position, &claim, &SMALL) {
                Answer::Known(proof) => {
                    assert!(known.known(), "seed {seed}: {}", proof.words(&position));
                    holds_only_as_it_is(&position, &mut knower, &proof, dice);
                    proofs += 1;
                }
                Answer::Refuted(proof) => {
                    assert!(!known.possible(), "seed {seed}: {}", proof.words(&position));
                    holds_only_as_it_is(&position, &mut knower, &proof, dice);
                    proofs += 1;
                }
                Answer::Open { .. } => assert!(known.possible() && !known.known(), "seed {seed}"),
                Answer::Long { holds, .. } => assert_eq!((known.known(), known.possible()), (holds, holds)),
                Answer::Unproved => without += 1,
                Answer::Clash(_) => panic!("seed {seed}: the position can be"),
            }
        }
    }
    assert!(proofs > 200, "{proofs} proofs, {without} without");
}

/// It passes; without a premise it does not; and whatever else passes after a change is known as well.
fn holds_only_as_it_is(position: &Position, knower: &mut Knower, proof: &Proof, dice: &mut Dice) {
    check(position, proof, &proof.goal).unwrap();
    for left_out in 0..proof.premises.len() {
        let mut less = proof.clone();
        less.premises.remove(left_out);
        assert!(check(position, &less, &less.goal).is_err());
    }
    for _ in 0..6 {
        let mut other = proof.clone();
        change(&mut other.lines, position, dice);
        // Another goal may be what the changed lines conclude.
        if let (0, Some(line)) = (dice.below(2), other.lines.last()) {
            other.goal = line.facts[0].clone();
        }
        if check(position, &other, &other.goal).is_ok()
            && !other.goal.atoms().iter().any(|atom| matches!(atom, Atom::Shown(..)))
        {
            let known = knower.ask(&other.goal, &Budget::default()).unwrap().known();
            assert!(known, "{}", other.words(position));
        }
    }
}

/// Drops a line or a fact, or changes who knows it, somewhere.
fn change(lines: &mut Vec<Line>, position: &Position, dice: &mut Dice) {
    if lines.is_empty() {
        return;
    }
    let i = dice.below(lines.len());
    let seats = Seats::of(Seat(dice.below(usize::from(position.seats())) as u8));
    match (&mut lines[i].step, dice.below(4)) {
        (Step::Mind(_, inner) | Step::Knew(_, _, inner), 0 | 1) => return change(inner, position, dice),
        (Step::Mind(eyes, _), _) => {
            eyes[0] = Eyes::Pooled(seats);
            if let Fact::Knows(of, _) | Fact::Common(of, _) = &mut lines[i].facts[0] {
                *of = seats;
            }
            return;
        }
        (Step::Cases(_, cases), 0 | 1) if !cases.is_empty() => {
            let c = dice.below(cases.len());
            return change(&mut cases[c].lines, position, dice);
        }
        _ => {}
    }
    match dice.below(3) {
        0 => drop(lines.remove(i)),
        1 => lines[i].facts[0] = lines[i].facts[0].clone().negated(),
        _ => lines[i].facts[0] = fact(0, position, dice),
    }
}

/// Every line, wherever it stands, is needed: without it the proof does not pass.
fn needs_every_line(position: &Position, proof: &Proof) {
    let mut at = 0;
    loop {
        let mut less = proof.clone();
        let mut left = at;
        if !remove(&mut less.lines, &mut left) {
            return;
        }
        assert!(check(position, &less, &less.goal).is_err(), "line {at} is not needed:\n{}", proof.words(position));
        at += 1;
    }
}

/// Removes the line with this place in the order of reading; whether there is one.
fn remove(lines: &mut Vec<Line>, at: &mut usize) -> bool {
    for i in 0..lines.len() {
        if *at == 0 {
            lines.remove(i);
            return true;
        }
        *at -= 1;
        let found = match &mut lines[i].step {
            Step::Cases(_, cases) => cases.iter_mut().any(|case| remove(&mut case.lines, at)),
            Step::Unsure(_, _, case) => remove(&mut case.lines, at),
            Step::Mind(_, inner) | Step::Knew(_, _, inner) => remove(inner, at),
            Step::Given(_) | Step::Rule(_) | Step::Logic => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// The position as if nobody had ended a turn.
fn silent(position: &Position) -> Position {
    let told = |e: &&Observed| !matches!(e, Observed::Endmove { .. });
    position.with_events(position.events().iter().filter(told).copied().collect())
}

fn rests_on_ends(proof: &Proof) -> bool {
    proof.premises.iter().any(|premise| matches!(premise, Premise::Ended(_)))
}

#[test]
fn what_follows_only_from_ends_of_turns_in_small_matches_is_proved_nearly_always_to_any_depth() {
    let (mut of_cards, mut of_minds, mut long, mut none) = (0, 0, 0, 0);
    for seed in 0..40 {
        let dice = &mut Dice::new(mix(22, seed));
        let Some(position) = play(Endmove::Ignorance, dice) else { continue };
        let (mut knower, mut quiet) = (Knower::new(&position), Knower::new(&silent(&position)));
        let cards: Vec<_> = position.deck().cards().iter().collect();
        for literal in cards.iter().flat_map(|&card| (0..4).map(move |place| Fact::at(card, place))) {
            for fact in [literal.clone(), literal.negated()] {
                let by_ends = |claim: &Fact, knower: &mut Knower, quiet: &mut Knower| {
                    let known = |of: &mut Knower| of.ask(claim, &Budget::default()).is_ok_and(|answer| answer.known());
                    known(knower) && !known(quiet)
                };
                if !by_ends(&fact, &mut knower, &mut quiet) {
                    continue;
                }
                let seat = Seat(dice.below(3) as u8);
                let claims = [
                    fact.clone(),
                    fact.clone().known_to(seat),
                    fact.clone().known_to(Seat(1)).known_to(seat),
                    Fact::Common(Seats::all(3), fact.into()),
                ];
                for claim in claims {
                    if !by_ends(&claim, &mut knower, &mut quiet) {
                        continue;
                    }
                    match why(&position, &claim, &Budget { steps: 500_000 }) {
                        Answer::Known(proof) => {
                            assert!(rests_on_ends(&proof), "seed {seed}: {}", proof.words(&position));
                            holds_only_as_it_is(&position, &mut knower, &proof, dice);
                            needs_every_line(&position, &proof);
                            *(if claim.is_about_cards() { &mut of_cards } else { &mut of_minds }) += 1;
                        }
                        Answer::Long { holds, .. } => {
                            assert!(holds);
                            long += 1;
                        }
                        Answer::Unproved => none += 1,
                        other => panic!("seed {seed}, {claim:?}: {other:?}"),
                    }
                }
            }
        }
    }
    let told = format!("{of_cards} about cards, {of_minds} about knowledge, {long} too long, {none} without");
    assert!(of_cards > 10 && of_minds > 20 && 10 * none < of_cards + of_minds, "{told}");
}

#[test]
fn what_follows_only_from_ends_of_turns_at_full_size_is_proved() {
    let data: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/data/cluedo-ends.json")).expect("a file of cases");
    for case in data["cases"].as_array().expect("cases") {
        let position = read::position(&case["position"].to_string()).expect("a position");
        let mut knower = Knower::new(&position);
        let dice = &mut Dice::new(mix(23, position.events().len() as u64));
        for fact in case["by ends"].as_array().expect("facts") {
            let text = fact.as_str().expect("a fact");
            let claim = knowledge::read(&position, text).unwrap();
            let answer = why(&position, &claim, &Budget { steps: 500_000 });
            let Answer::Known(proof) = answer else { panic!("{text}: {answer:?}") };
            assert!(rests_on_ends(&proof), "{text}: {}", proof.words(&position));
            if claim.is_about_cards() {
                holds_only_as_it_is(&position, &mut knower, &proof, dice);
            }
            needs_every_line(&position, &proof);
        }
    }
}

#[test]
fn a_proof_that_somebody_knows_the_envelope_names_the_accusation_by_which_it_saw_it() {
    let text = r#"{"deck": {"suspects": ["plum", "green"], "weapons": ["rope", "dagger"], "rooms": ["hall", "study", "lounge"]},
        "hand_sizes": [2, 1, 1], "observer": 0, "hand": ["green", "rope"],
        "events": [{"accuse": 1, "cards": ["green", "dagger", "hall"], "correct": false}]}"#;
    let position = read::position(text).expect("a position");
    let claim = knowledge::read(&position, "K[1] env(plum)").expect("a fact");
    let Answer::Known(proof) = why(&position, &claim, &Budget::default()) else { panic!("it is known") };
    assert!(proof.premises.contains(&Premise::Wrong(0)), "{}", proof.words(&position));
    assert!(proof.words(&position).contains("it accused wrongly and saw the envelope"));
}

#[test]
fn what_a_seat_knows_of_what_it_knows_together_with_another_is_proved_from_premises_that_are_named() {
    let text = r#"{"deck": {"suspects": ["plum", "green"], "weapons": ["rope", "dagger"], "rooms": ["hall", "study"]},
        "hand_sizes": [1, 1, 1], "observer": 0, "hand": ["hall"],
        "events": [{"ask": 2, "cards": ["green", "rope", "hall"], "passed": [], "shown_by": 0, "shown": "hall"},
                   {"ask": 0, "cards": ["green", "dagger", "hall"], "passed": [], "shown_by": 1, "shown": "green"}]}"#;
    let position = read::position(text).expect("a position");
    let claim = knowledge::read(&position, "K[2] D[0,2] holds(1,green)").expect("a fact");
    let Answer::Known(proof) = why(&position, &claim, &Budget::default()) else { panic!("it is known") };
    assert_eq!(check(&position, &proof, &claim), Ok(()));
}
