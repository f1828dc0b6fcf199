//! Counting deals of six players at the classic table, after more and more suggestions.

#[path = "../tests/all/support/mod.rs"]
mod support;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use ken_games::cluedo::Cluedo;
use ken_games::cluedo::count::Deals;
use ken_games::cluedo::position::Constraints;
use ken_games::dice::{Dice, mix};

/// How many positions take turns in each row.
const POSITIONS: u64 = 32;

fn counting(c: &mut Criterion) {
    let game = Cluedo::classic(6);
    let mut group = c.benchmark_group("cluedo/6 players");
    for asks in [0, 3, 6, 12, 18, 30, 42, 60] {
        let of = |i| Constraints::of(&support::played(&game, asks, false, &mut Dice::new(mix(asks as u64, i))));
        let positions: Vec<Constraints> = (0..POSITIONS).map(of).collect();
        let mut turn = positions.iter().cycle();
        group.bench_function(BenchmarkId::new("count and marginals", asks), |b| {
            b.iter_batched(
                || turn.next().expect("a cycle"),
                |constraints| Deals::of(game.deck(), constraints).marginals(),
                BatchSize::SmallInput,
            );
        });
        let deals: Vec<Deals> = positions.iter().map(|p| Deals::of(game.deck(), p)).collect();
        let mut turn = deals.iter().cycle();
        group.bench_function(BenchmarkId::new("envelopes", asks), |b| {
            b.iter_batched(|| turn.next().expect("a cycle"), |deals| deals.envelopes(), BatchSize::SmallInput);
        });
    }
    group.finish();
}

criterion_group!(benches, counting);
criterion_main!(benches);
