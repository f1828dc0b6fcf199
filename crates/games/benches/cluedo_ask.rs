//! Ranking every question with the classic deck: at the opening and after 3, 6, 12, 18 and 30 random questions of three to
//! six players; by what it tells the asker alone, and with what each other seat would learn.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ken_games::cluedo::rules::{Action, asked};
use ken_games::cluedo::worth::{Care, rank};
use ken_games::cluedo::{Cluedo, Position, rivals};
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

/// The positions of a row: how many play, how many questions were asked, what seat 0 has seen.
fn positions() -> impl Iterator<Item = (String, Position)> {
    let rows = (3..=6).flat_map(|seats| [0, 3, 6, 12, 18, 30].map(|questions| (seats, questions)));
    rows.map(|(seats, questions)| {
        let position = position(&Cluedo::classic(seats), questions, &mut Dice::new(5));
        (format!("{seats} players, {questions} questions"), position)
    })
}

fn ranking(c: &mut Criterion) {
    for (name, care) in [("cluedo ask alone", Care::ALONE), ("cluedo ask with others", Care::FULL)] {
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        for (row, position) in positions() {
            group.bench_function(BenchmarkId::from_parameter(row), |b| {
                b.iter(|| black_box(rank(&position, care, &Budget::default(), &mut Dice::new(1))));
            });
        }
        group.finish();
    }
}

fn nearness(c: &mut Criterion) {
    let mut group = c.benchmark_group("cluedo rivals");
    group.sample_size(10);
    let care = Care { all_views: 100, views: 60, ..Care::FULL };
    for (row, position) in positions() {
        group.bench_function(BenchmarkId::from_parameter(row), |b| {
            b.iter(|| {
                let mut dice = Dice::new(1);
                let near = |seat| rivals::nearness(&position, seat, care, &mut dice);
                black_box(asked(Seat(0), position.seats()).map(near).collect::<Vec<_>>())
            });
        });
    }
    group.finish();
}

criterion_group!(benches, ranking, nearness);
criterion_main!(benches);
