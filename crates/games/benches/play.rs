//! Random matches a second: uniformly random legal actions, from the deal to the end. A match of Express is one in which
//! every seat deals once; a round has one dealer and one rule. A match of Yōkai is short where a stop is as likely as any
//! other action; without stops all fourteen turns are played.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ken_games::cluedo::Cluedo;
use ken_games::dice::{Dice, mix};
use ken_games::eleusis::table::Eleusis;
use ken_games::eleusis::{Classic, Express};
use ken_games::game::Game;
use ken_games::yokai::{Action, Yokai};

/// Plays a match and gives its number of actions.
fn random_game<G: Game>(game: &G, seed: u64) -> usize {
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

/// Plays a match of Yōkai in which nobody stops.
fn whole_yokai(game: &Yokai, seed: u64) -> usize {
    let mut dice = Dice::new(seed);
    let (mut state, _) = game.deal(&mut dice);
    for actions in 0.. {
        // The stop is listed last, where it may be chosen.
        let legal = game.legal(&state);
        let legal = legal.strip_suffix(&[Action::Stop]).unwrap_or(&legal);
        if legal.is_empty() {
            return actions;
        }
        game.play(&mut state, dice.pick(legal)).expect("listed actions play");
    }
    unreachable!("every match ends")
}

/// Plays the first round of a match.
fn random_round<G: Eleusis>(game: &G, seed: u64) {
    let mut dice = Dice::new(seed);
    let (mut state, _) = game.deal(&mut dice);
    while state.stage().round() == 0 {
        let legal = game.legal(&state);
        game.play(&mut state, dice.pick(&legal)).expect("listed actions play");
    }
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
    for seats in [3, 4] {
        let game = Express::new(seats);
        let mut i = 0;
        group.bench_function(format!("express {seats} players, a round"), |b| {
            b.iter(|| {
                i += 1;
                random_round(&game, mix(1, i))
            });
        });
        group.bench_function(format!("express {seats} players, a match"), |b| {
            b.iter(|| {
                i += 1;
                random_game(&game, mix(1, i))
            });
        });
    }
    let game = Classic::new(3);
    let mut i = 0;
    group.bench_function("eleusis 3 players, a round", |b| {
        b.iter(|| {
            i += 1;
            random_round(&game, mix(1, i))
        });
    });
    let game = Yokai::default();
    group.bench_function("yokai", |b| {
        b.iter(|| {
            i += 1;
            random_game(&game, mix(1, i))
        });
    });
    group.bench_function("yokai without stops", |b| {
        b.iter(|| {
            i += 1;
            whole_yokai(&game, mix(1, i))
        });
    });
    group.finish();
}

criterion_group!(benches, play);
criterion_main!(benches);
