//! Laws of proofs: each is of something known, passes as it is, and passes changed only as a proof of something known.

use super::atoms::{Atom, Fact};
use super::common::Judgement;
use super::rules::{Line, Premise, Proof, Rule, Step, literal};
use super::{Memory, Standing, Unproved};
use crate::cards::Card;
use crate::dice::{Dice, mix};
use crate::eleusis::moves::{Action, Event};
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::Eleusis;
use crate::eleusis::{Classic, Express, dealer};
use crate::game::{Game, Knowledge, Notation, Seat, Turn, Verdict};
use crate::knowledge::proof::{Eyes, LINES, check};
use crate::knowledge::{Seats, write};
use serde_json::json;
use std::sync::Arc;

type Family = Arc<[Arc<Secret>]>;

/// A random fact of at most this depth.
pub(super) fn random_fact<G: Eleusis>(game: &G, family: usize, depth: usize, dice: &mut Dice) -> Fact {
    use ken_logic::formula::Cmp;
    let card = Card(dice.below(game.table().deck().size()) as u8);
    let seat = Seat(dice.below(game.seats().into()) as u8);
    let some = |dice: &mut Dice| -> Seats {
        let all = Seat::all(game.seats()).filter(|_| dice.below(2) == 0).collect::<Seats>();
        all.with(seat)
    };
    match dice.below(if depth > 0 { 17 } else { 7 }) {
        0 => Fact::accepts(card),
        1 => Fact::accepts(card).negated(),
        2 => Fact::rule(dice.below(family)).negated(),
        3 => Fact::Atom(Atom::RuleKnown(seat, *dice.pick(Reading::ALL))),
        4 => Fact::Atom(Atom::Holds(seat, card)),
        5 => Fact::Atom(Atom::CanPlay(seat)),
        6 => Fact::Atom(Atom::SurePlay(seat)),
        7 => random_fact(game, family, depth - 1, dice).negated(),
        8 => Fact::Any((0..2).map(|_| random_fact(game, family, depth - 1, dice)).collect()),
        9 => Fact::Knows(some(dice), Arc::new(random_fact(game, family, depth - 1, dice))),
        10 => Fact::Common(some(dice), Arc::new(random_fact(game, family, depth - 1, dice))),
        11 => Fact::Count(Cmp::Eq, 1, (0..3).map(|_| random_fact(game, family, depth - 1, dice)).collect()),
        _ => random_fact(game, family, depth - 1, dice).known_to(seat),
    }
}

/// The proof passes; without a premise it does not; and whatever else passes after a change is known as well.
pub(super) fn holds_only_as_it_is<G: Eleusis>(mind: &Memory<G>, proof: &Proof, dice: &mut Dice) {
    let words = || format!("{}\n{}", write(mind, &proof.goal), proof.words(mind));
    assert_eq!(check(mind, proof, &proof.goal), Ok(()), "{}", words());
    assert!(proof.sentences(mind).len() <= LINES);
    for left_out in 0..proof.premises.len() {
        let mut less = proof.clone();
        less.premises.remove(left_out);
        assert!(check(mind, &less, &less.goal).is_err(), "{}", words());
    }
    follows_from_no_less(mind, proof);
    for _ in 0..6 {
        let mut other = proof.clone();
        change(&mut other, mind, dice);
        // Another goal may be what the changed lines conclude.
        if let (0, Some(line)) = (dice.below(2), other.lines.last()) {
            other.goal = line.facts[0].clone();
        }
        if check(mind, &other, &other.goal).is_ok() {
            let open = mind.ask(&other.goal).is_ok_and(|answer| !answer.known());
            assert!(!open, "from {}: {}\n{}", words(), write(mind, &other.goal), other.words(mind));
        }
    }
}

/// What is accepted follows from the judgements by direct evaluation alone, and from none fewer.
fn follows_from_no_less<G: Eleusis>(mind: &Memory<G>, proof: &Proof) {
    let Some((Atom::Accepts(card), so)) = literal(&proof.goal) else { return };
    let judged = |premise: &Premise| match premise {
        Premise::Judged(place) => Some(&mind.judgements()[*place]),
        _ => None,
    };
    let judgements: Vec<&Judgement> = proof.premises.iter().filter_map(judged).collect();
    let line = mind.mainline();
    let agree = |judgements: &[&Judgement]| {
        let fits = |rule: &&Arc<Secret>| !judgements.iter().any(|judgement| judgement.refutes(rule, line));
        mind.family().iter().filter(fits).all(|rule| rule.rule().accepts(line, card) == so)
    };
    assert!(agree(&judgements) || proof.premises == [Premise::Told]);
    for without in 0..judgements.len() {
        let fewer = judgements.iter().enumerate().filter(|&(at, _)| at != without).map(|(_, judgement)| *judgement);
        assert!(!agree(&fewer.collect::<Vec<_>>()), "{:?} is not needed", judgements[without]);
    }
}

/// Changes something somewhere: a premise, a line, a fact, whose eyes they are, which rules are left.
fn change<G: Eleusis>(proof: &mut Proof, mind: &Memory<G>, dice: &mut Dice) {
    if dice.below(6) == 0
        && let Some(Premise::Judged(place)) = proof.premises.first_mut()
    {
        *place = dice.below(mind.judgements().len());
        return;
    }
    let mut lines = std::mem::take(&mut proof.lines);
    change_lines(&mut lines, mind, dice);
    proof.lines = lines;
}

fn change_lines<G: Eleusis>(lines: &mut Vec<Line>, mind: &Memory<G>, dice: &mut Dice) {
    if lines.is_empty() {
        return;
    }
    let i = dice.below(lines.len());
    let seats = Seats::of(Seat(dice.below(usize::from(mind.game.seats())) as u8));
    let family = mind.family().len();
    match (&mut lines[i].step, dice.below(4)) {
        (Step::Mind(_, inner), 0 | 1) if !inner.is_empty() => return change_lines(inner, mind, dice),
        (Step::Mind(eyes, _), _) => {
            eyes[0] = Eyes::Pooled(seats);
            for fact in &mut lines[i].facts {
                if let Fact::Knows(of, _) = fact {
                    *of = seats;
                }
            }
            return;
        }
        (Step::Cases(_, cases), 0 | 1) if !cases.is_empty() => {
            let c = dice.below(cases.len());
            return change_lines(&mut cases[c].lines, mind, dice);
        }
        (Step::Unsure(of, _, case), 0) => {
            *of = seats;
            case.assume.truncate(1);
            lines[i].facts = vec![case.assume[0].clone().negated().known_to(Seat(0)).negated()];
            return;
        }
        (Step::Unsure(_, Rule::Other { rule, .. }, _), 1) => {
            *rule = Some(dice.below(family));
            return;
        }
        (Step::Rule(Rule::Left(left) | Rule::Agreed(left)), 0 | 1) if !left.is_empty() => {
            let gone = dice.below(left.len());
            left.remove(gone);
            return;
        }
        (Step::Rule(Rule::Differ(one, _)), 0) => {
            *one = dice.below(family);
            return;
        }
        (Step::Given(premises), 0) => {
            premises[0] = match dice.below(3) {
                0 => Premise::Open,
                1 => Premise::Deals(Seat(0)),
                _ => Premise::Hand,
            };
            return;
        }
        _ => {}
    }
    match dice.below(3) {
        0 => drop(lines.remove(i)),
        1 => lines[i].facts[0] = lines[i].facts[0].clone().negated(),
        _ => lines[i].facts[0] = random_fact(&mind.game, family, 0, dice),
    }
}

/// A random match up to some moment of the first rounds, as each seat saw it.
fn positions<G: Eleusis>(game: &G, family: &Family, dice: &mut Dice) -> Vec<Memory<G>> {
    let (mut state, event) = game.deal(dice);
    let mut minds: Vec<Memory<G>> = Seat::all(game.seats()).map(|_| Memory::within(game, family.clone())).collect();
    let learn = |minds: &mut Vec<Memory<G>>, event: &Event| {
        minds.iter_mut().zip(Seat::all(game.seats())).for_each(|(m, s)| m.learn(&game.sight(event, s)));
    };
    learn(&mut minds, &event);
    let moves = 4 + dice.below(30);
    for _ in 0..moves {
        let Turn::Of(_) = game.turn(&state) else { break };
        let mut actions = game.legal(&state);
        if actions.iter().any(|action| matches!(action, Action::Rule(_))) {
            actions = vec![Action::Rule(dice.pick(family).text().clone())];
        }
        if actions.iter().any(|action| matches!(action, Action::Guess(_))) && dice.below(3) == 0 {
            actions = vec![Action::Guess(dice.pick(family).text().clone())];
        }
        let Ok(event) = game.play(&mut state, dice.pick(&actions)) else { continue };
        learn(&mut minds, &event);
    }
    minds
}

/// Proves random facts in random positions: how many are known, and how many of them are proved.
fn proofs_are_of_what_is_known<G: Eleusis>(game: &G, family: &Family, seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut known, mut proved) = (0, 0);
    for seed in seeds {
        let dice = &mut Dice::new(mix(77, seed));
        for mind in positions(game, family, dice) {
            for depth in [0, 1, 2, 3] {
                let fact = random_fact(game, family.len(), depth, dice);
                let answer = mind.ask(&fact);
                match mind.proved(&fact) {
                    Ok(proof) => {
                        let open = answer.as_ref().is_ok_and(|answer| !answer.known());
                        assert!(!open, "seed {seed}: {}\n{}", write(&mind, &fact), proof.words(&mind));
                        assert!(!matches!(mind.standing(), Standing::Waiting | Standing::NothingFits));
                        holds_only_as_it_is(&mind, &proof, dice);
                        proved += 1;
                    }
                    Err(Unproved::Long(lines)) => assert!(lines > LINES),
                    Err(Unproved::NotFound) => {}
                }
                known += usize::from(answer.is_ok_and(|answer| answer.known()));
            }
        }
    }
    (known, proved)
}

#[test]
fn proofs_about_express_are_of_what_is_known_and_hold_only_as_they_are() {
    for options in [
        json!({"players": 3, "deck": {"values": 4}, "hand": 3}),
        json!({"players": 4, "deck": {"values": 5}, "hand": 2, "guess": "always"}),
        json!({"players": 3, "deck": {"values": 3}, "decks": 2, "hand": 2, "draw_refused": 2}),
        json!({"players": 3, "deck": {"values": 4}, "hand": 2, "open": true}),
    ] {
        let game = Express::with_options(&options).expect("options");
        let family: Family = game.table().menu().offered().iter().cloned().collect();
        let (known, proved) = proofs_are_of_what_is_known(&game, &family, 0..25);
        assert!(proved > 60 && 10 * proved > 7 * known, "{options}: {proved} of {known}");
    }
}

#[test]
fn proofs_about_the_game_of_1959_are_of_what_is_known_and_hold_only_as_they_are() {
    for options in [json!({"players": 3, "deck": {"values": 4}, "moves": 12}), json!({"players": 4, "moves": 20})] {
        let game = Classic::with_options(&options).expect("options");
        let family: Family = game.table().menu().offered().iter().cloned().collect();
        let (known, proved) = proofs_are_of_what_is_known(&game, &family, 0..20);
        assert!(proved > 60 && 10 * proved > 7 * known, "{options}: {proved} of {known}");
    }
}

#[test]
fn proofs_relative_to_the_library_are_of_what_is_known() {
    let game = Express::new(4);
    let (known, proved) = proofs_are_of_what_is_known(&game, &dealer::library(game.table().deck()), 0..6);
    assert!(proved > 20, "{proved} of {known}");
}

/// A rule that is none of the family judges: the dealer knows that what the players know may be false.
#[test]
fn nothing_is_proved_of_what_players_know_to_a_dealer_whose_rule_is_not_of_the_family() {
    let game = Express::with_options(&json!({"players": 3, "deck": {"values": 4}, "hand": 3})).expect("options");
    let all: Family = game.table().menu().offered().iter().cloned().collect();
    let (family, foreign): (Family, &Arc<Secret>) = (all[1..].into(), &all[0]);
    let (mut proved, mut asked) = (0, 0);
    for seed in 0..40 {
        let dice = &mut Dice::new(mix(78, seed));
        let (mut state, event) = game.deal(dice);
        let dealer = game.table().dealer(0);
        let mut mind = Memory::within(&game, family.clone());
        mind.learn(&game.sight(&event, dealer));
        let event = game.play(&mut state, &Action::Rule(foreign.text().clone())).expect("a rule");
        mind.learn(&game.sight(&event, dealer));
        for _ in 0..8 {
            let Turn::Of(_) = game.turn(&state) else { break };
            let action = dice.pick(&game.legal(&state)).clone();
            let event = game.play(&mut state, &action).expect("it is legal");
            mind.learn(&game.sight(&event, dealer));
            if mind.is_told() {
                break;
            }
            for depth in [0, 1, 2] {
                let fact = random_fact(&game, family.len(), depth, dice);
                asked += 1;
                let Ok(proof) = mind.proved(&fact) else { continue };
                assert_eq!(mind.verdict(&fact), Verdict::Yes, "{}\n{}", write(&mind, &fact), proof.words(&mind));
                assert!(!speaks_of_players(&fact, dealer), "{}", write(&mind, &fact));
                proved += 1;
            }
        }
    }
    assert!(proved > 15, "{proved} of {asked}");
}

/// Whether the fact says what seats know of which the dealer is none.
fn speaks_of_players(fact: &Fact, dealer: Seat) -> bool {
    let here = match fact {
        Fact::Knows(seats, _) => !seats.has(dealer),
        Fact::Common(seats, _) => seats.iter().any(|seat| seat != dealer),
        _ => false,
    };
    here || fact.parts().into_iter().any(|part| speaks_of_players(part, dealer))
}
