//! Random rounds of Eleusis under rules of the library, with the standard deck.

use super::{Row, Run};
use ken_games::cards::Card;
use ken_games::dice::{Dice, mix};
use ken_games::eleusis::dealer::library;
use ken_games::eleusis::knowledge::{Atom, Fact, Memory, Unproved};
use ken_games::eleusis::moves::Action;
use ken_games::eleusis::properties::Reading;
use ken_games::eleusis::table::Eleusis;
use ken_games::eleusis::{Classic, Express};
use ken_games::game::{Knowledge, Seat, Turn};
use ken_games::knowledge::{Seats, write};
use std::time::Instant;

const KINDS: [&str; 8] = ["card", "rule", "hand", "K", "KK", "C", "KKK", "not K"];

/// Some moves of a round, as one seat saw them; `None` if the round was over before.
fn play<G: Eleusis>(game: &G, observer: Seat, dice: &mut Dice) -> Option<Memory<G>> {
    let family = library(game.table().deck());
    let (mut state, event) = game.deal(dice);
    let mut mind = Memory::within(game, family.clone());
    mind.learn(&game.sight(&event, observer));
    let mut left = 6 + dice.below(40);
    while left > 0 {
        let Turn::Of(_) = game.turn(&state) else { return None };
        let mut actions = game.legal(&state);
        if actions.iter().any(|action| matches!(action, Action::Rule(_))) {
            actions = vec![Action::Rule(dice.pick(&family).text().clone())];
        } else {
            left -= 1;
        }
        let Ok(event) = game.play(&mut state, dice.pick(&actions)) else { continue };
        mind.learn(&game.sight(&event, observer));
        if mind.is_told() {
            return None;
        }
    }
    Some(mind)
}

/// A random fact of the kind, true or false.
fn fact<G: Eleusis>(kind: &str, mind: &Memory<G>, dice: &mut Dice) -> Fact {
    let seats = mind.desk().hands.len() as u8;
    let seat = |dice: &mut Dice| Seat(dice.below(seats.into()) as u8);
    let card = Card(dice.below(mind.deck().size()) as u8);
    let literal = match dice.below(2) {
        0 => Fact::accepts(card),
        _ => Fact::accepts(card).negated(),
    };
    match kind {
        "card" => literal,
        "rule" => match dice.below(3) {
            0 => Fact::rule(dice.below(mind.family().len())),
            1 => Fact::rule(dice.below(mind.family().len())).negated(),
            _ => Fact::Atom(Atom::RuleKnown(seat(dice), *dice.pick(Reading::ALL))),
        },
        "hand" => {
            let who = seat(dice);
            let atom = match dice.below(3) {
                0 => Atom::Holds(who, card),
                1 => Atom::CanPlay(who),
                _ => Atom::SurePlay(who),
            };
            if dice.below(2) == 0 { Fact::Atom(atom) } else { Fact::Atom(atom).negated() }
        }
        "K" => literal.known_to(seat(dice)),
        "KK" => literal.known_along(&[seat(dice), seat(dice)]),
        "KKK" => literal.known_along(&[seat(dice), seat(dice), seat(dice)]),
        "C" => Fact::Common(Seats::all(seats), literal.into()),
        _ => literal.known_to(seat(dice)).negated(),
    }
}

fn of_game<G: Eleusis>(name: &str, game: &G, run: &Run) {
    let mut rows: Vec<Row> = KINDS.iter().map(|_| Row::default()).collect();
    for seed in 0..run.positions {
        let dice = &mut Dice::new(mix(2_026, seed));
        let observer = Seat(dice.below(game.seats().into()) as u8);
        let Some(mind) = play(game, observer, dice) else { continue };
        for (kind, row) in KINDS.iter().zip(&mut rows) {
            measure(&mind, kind, row, dice);
        }
    }
    run.print(name, &KINDS, rows);
}

/// Up to four known facts of a kind.
fn measure<G: Eleusis>(mind: &Memory<G>, kind: &str, row: &mut Row, dice: &mut Dice) {
    let mut found = 0;
    for _ in 0..60 {
        let claim = fact(kind, mind, dice);
        if !mind.ask(&claim).is_ok_and(|answer| answer.known()) {
            continue;
        }
        found += 1;
        let begun = Instant::now();
        let proof = mind.proved(&claim);
        row.millis += begun.elapsed().as_millis();
        match proof {
            Ok(proof) => {
                row.add(proof.sentences(mind).len(), || format!("{}\n{}", write(mind, &claim), proof.words(mind)));
            }
            Err(Unproved::Long(_)) => row.long += 1,
            Err(Unproved::NotFound) => row.none.push(write(mind, &claim)),
        }
        if found == 4 {
            break;
        }
    }
}

pub(super) fn run(run: &Run) {
    of_game("express 4", &Express::new(4), run);
    of_game("eleusis 4", &Classic::new(4), run);
}
