//! Random matches a second: uniformly random legal actions, from the deal to the end.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ken_games::cluedo::Cluedo;
use ken_games::dice::{Dice, mix};
use ken_games::game::Game;

/// Plays a match and gives its number of actions.
fn random_game(game: &Cluedo, seed: u64) -> usize {
    let mut dice = Dice::new(seed);
    let (mut state, _) = game.deal(&mut dice);
    for actions in 0.. {
        let legal = game.legal(&state);
        if legal.is_empty() {
            return actions;
        }
        game.play(&mut state, dice.pick(&legal)).expect("listed actions play");
    }
    unreachable!("every match ends")
}

fn play(c: &mut Criterion) {
    let mut group = c.benchmark_group("random games");
    group.throughput(Throughput::Elements(1));
    for seats in [3, 6] {
        let game = Cluedo::classic(seats);
        let mut i = 0;
        group.bench_function(format!("cluedo {seats} players"), |b| {
            b.iter(|| {
                i += 1;
                random_game(&game, mix(1, i))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, play);
criterion_main!(benches);
