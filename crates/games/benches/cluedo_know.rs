//! Nested knowledge in the middle of a match of six at full size. For a table over many positions see the example
//! `cluedo_know`.

use criterion::{Criterion, criterion_group, criterion_main};
use ken_games::cards::Card;
use ken_games::cluedo::know::Knower;
use ken_games::cluedo::position::{Observed, Position};
use ken_games::cluedo::rules::{Action, Cluedo, Endmove};
use ken_games::dice::Dice;
use ken_games::game::{Game, Seat, Turn};
use ken_games::knowledge::Budget;
use ken_games::knowledge::read as formula;
use std::hint::black_box;

/// What seat 0 has seen after twelve turns of random questions in which nobody can have known the envelope.
fn position() -> Position {
    let game = Cluedo::classic(6);
    let mut dice = Dice::new(12);
    let (mut state, dealt) = game.deal(&mut dice);
    let mut position = Position::dealt(game.deck(), &game.sight(&dealt, Seat(0)));
    while position.events().iter().filter(|e| matches!(e, Observed::Ask { .. })).count() < 12 {
        let Turn::Of(_) = game.turn(&state) else { break };
        let options = game.legal(&state);
        let action = if options[0] == Action::End { Action::End } else { *dice.pick(&options) };
        let event = game.play(&mut state, &action).expect("a legal action");
        position.learn(&game.sight(&event, Seat(0)), Endmove::Ignorance);
    }
    position
}

fn depths(c: &mut Criterion) {
    let position = position();
    let card = position.deck().name(Card(8)).to_string();
    for (name, text) in [
        ("depth 1", format!("K[1] env({card})")),
        ("depth 2", format!("K[1] K[2] env({card})")),
        ("depth 3", format!("K[1] !K[2] K[3] holds(4,{card})")),
    ] {
        let asked = formula(&position, &text).expect("a formula");
        c.bench_function(&format!("cluedo know, {name}"), |b| {
            b.iter(|| Knower::new(black_box(&position)).ask(&asked, &Budget::default()).expect("an answer"));
        });
    }
    c.bench_function("cluedo count with endmoves", |b| {
        b.iter(|| Knower::new(black_box(&position)).deals(&Budget::default()).expect("a count"));
    });
}

criterion_group!(benches, depths);
criterion_main!(benches);
