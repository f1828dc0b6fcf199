//! Random matches of Yōkai; hints are taken to be proper.

use super::{Row, Run};
use ken_games::cards::Card;
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat, Turn};
use ken_games::knowledge::{Knower, Seats, write};
use ken_games::yokai::knowledge::{Assumed, Fact, Notes, Why, why};
use ken_games::yokai::{CARDS, Colour, Colours, Position, Yokai};
use std::time::Instant;

const KINDS: [&str; 6] = ["card", "K", "KK", "C", "not K", "grouped"];

/// Some moves of a match, as one seat saw them; `None` if it was over before.
fn play(game: &Yokai, observer: Seat, dice: &mut Dice) -> Option<Notes> {
    let (mut state, event) = game.deal(dice);
    let mut memory = vec![game.sight(&event, observer)];
    for _ in 0..8 + dice.below(40) {
        let Turn::Of(_) = game.turn(&state) else { return None };
        let action = *dice.pick(&game.legal(&state));
        let event = game.play(&mut state, &action).expect("it is legal");
        memory.push(game.sight(&event, observer));
    }
    let Turn::Of(_) = game.turn(&state) else { return None };
    Some(Notes::of(&Position::of_memory(game, &memory), Assumed::Proper))
}

/// A random fact of the kind, true or false.
fn fact(kind: &str, dice: &mut Dice) -> Fact {
    let card = Card(dice.below(CARDS) as u8);
    let colour = Fact::colour(card, Colours::of(*dice.pick(&Colour::ALL)));
    let literal = if dice.below(2) == 0 { colour } else { colour.negated() };
    let seat = |dice: &mut Dice| Seat(dice.below(2) as u8);
    match kind {
        "card" => literal,
        "K" => literal.known_to(seat(dice)),
        "KK" => literal.known_along(&[seat(dice), seat(dice)]),
        "C" => Fact::Common(Seats::all(2), literal.into()),
        "grouped" if dice.below(2) == 0 => Fact::GROUPED,
        "grouped" => Fact::GROUPED.negated(),
        _ => literal.known_to(seat(dice)).negated(),
    }
}

pub(super) fn run(run: &Run) {
    let game = Yokai::default();
    let mut rows: Vec<Row> = KINDS.iter().map(|_| Row::default()).collect();
    for seed in 0..run.positions {
        let dice = &mut Dice::new(mix(2_026, seed));
        let observer = Seat(dice.below(2) as u8);
        let Some(notes) = play(&game, observer, dice) else { continue };
        for (kind, row) in KINDS.iter().zip(&mut rows) {
            measure(&notes, kind, row, dice);
        }
    }
    run.print("yokai", &KINDS, rows);
}

/// Up to four known facts of a kind.
fn measure(notes: &Notes, kind: &str, row: &mut Row, dice: &mut Dice) {
    let mut knower = Knower::about(notes);
    let mut found = 0;
    for _ in 0..60 {
        let claim = fact(kind, dice);
        if !knower.ask(&claim).is_ok_and(|answer| answer.known()) {
            continue;
        }
        found += 1;
        let begun = Instant::now();
        let answer = why(notes, &claim);
        row.millis += begun.elapsed().as_millis();
        match answer {
            Why::Known(proof) => {
                row.add(proof.sentences(notes).len(), || format!("{}\n{}", write(notes, &claim), proof.words(notes)));
            }
            Why::Refuted(_) | Why::Open { .. } | Why::Clash(_) | Why::Unproved(_) => {
                row.none.push(write(notes, &claim));
            }
        }
        if found == 4 {
            break;
        }
    }
}
