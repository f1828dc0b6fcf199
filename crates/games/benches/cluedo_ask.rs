//! Ranking every question: after 0, 6, 12, 18 and 30 random questions of six players with the classic deck.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ken_games::cluedo::rules::Action;
use ken_games::cluedo::worth::{Care, rank};
use ken_games::cluedo::{Cluedo, Position};
use ken_games::dice::Dice;
use ken_games::game::{Game, Seat};
use ken_games::knowledge::Budget;
use std::hint::black_box;

/// What seat 0 has seen after so many questions.
fn position(game: &Cluedo, questions: usize, dice: &mut Dice) -> Position {
    let (mut state, dealt) = game.deal(dice);
    let mut position = Position::dealt(game.deck(), &game.sight(&dealt, Seat(0)));
    let mut left = questions;
    loop {
        let options = game.legal(&state);
        let action = match options[0] {
            Action::Suggest(_) if left == 0 => return position,
            Action::Suggest(_) | Action::Show(_) => *dice.pick(&options),
            Action::End | Action::Accuse(_) => Action::End,
        };
        left -= usize::from(matches!(action, Action::Suggest(_)));
        let event = game.play(&mut state, &action).expect("a legal action");
        position.learn(&game.sight(&event, Seat(0)), game.endmove());
    }
}

fn ranking(c: &mut Criterion) {
    let game = Cluedo::classic(6);
    let mut group = c.benchmark_group("cluedo ask");
    group.sample_size(10);
    for questions in [0, 6, 12, 18, 30] {
        let position = position(&game, questions, &mut Dice::new(5));
        group.bench_function(BenchmarkId::from_parameter(questions), |b| {
            let care = Care { deals: 20_000, views: 8, of_view: 4_000, all_views: 1_000, looks: 60_000_000 };
            b.iter(|| black_box(rank(&position, care, &Budget::default(), &mut Dice::new(1))));
        });
    }
    group.finish();
}

criterion_group!(benches, ranking);
criterion_main!(benches);
