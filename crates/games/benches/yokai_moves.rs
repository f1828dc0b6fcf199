//! Legal moves a second: the shapes of layouts that random moves lead to, and every legal move of each.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ken_games::cards::{Card, CardSet};
use ken_games::dice::Dice;
use ken_games::yokai::{Cell, Layout};

/// Layouts after 0 to 13 random moves.
fn layouts(count: usize) -> Vec<Layout> {
    let mut dice = Dice::new(1);
    let mut layouts = Vec::new();
    while layouts.len() < count {
        let mut layout = Layout::start();
        for _ in 0..14 {
            layouts.push(layout);
            let moves: Vec<(Card, Cell)> = layout.shape().moves(CardSet::EMPTY).collect();
            let &(card, to) = dice.pick(&moves);
            layout = layout.moved(card, to);
        }
    }
    layouts
}

fn yokai_moves(c: &mut Criterion) {
    let layouts = layouts(1400);
    let moves: usize = layouts.iter().map(|l| l.shape().moves(CardSet::EMPTY).count()).sum();
    let mut group = c.benchmark_group("yokai moves");
    group.throughput(Throughput::Elements(moves as u64));
    group.bench_function("every legal move of 1,400 layouts", |b| {
        b.iter(|| {
            layouts
                .iter()
                .map(|l| l.shape().moves(CardSet::EMPTY).map(|m| m.1.row as usize).sum::<usize>())
                .sum::<usize>()
        });
    });
    group.throughput(Throughput::Elements(layouts.len() as u64));
    group.bench_function("shapes of 1,400 layouts", |b| {
        b.iter(|| layouts.iter().map(|l| l.shape().articulations().len()).sum::<usize>());
    });
    group.finish();
}

criterion_group!(benches, yokai_moves);
criterion_main!(benches);
