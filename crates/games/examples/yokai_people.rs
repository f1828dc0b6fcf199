//! How players do with stand-ins for people: wins in both seats, and how long a step takes.
//!
//! ```text
//! cargo run --release -p ken-games --example yokai_people -- PLAYERS PARTNERS MATCHES SEED [oracle]
//! ```
//!
//! Players and partners are names, separated by commas. Every pair plays each deal in both seats.

use ken_games::dice::{Dice, mix, seat_seed};
use ken_games::game::{Game, Player, Seat, Turn};
use ken_games::yokai::players::seat;
use ken_games::yokai::{Action, State, Yokai};
use std::time::Instant;

struct Played {
    won: bool,
    stopped: bool,
    score: i64,
    times: Vec<f64>,
}

fn play(game: &Yokai, names: [&str; 2], measured: Seat, seed: u64) -> Played {
    let (mut state, mut event) = game.deal(&mut Dice::new(seed));
    let make = |(at, name): (Seat, &str)| seat(name, game, seat_seed(seed, at)).expect("a player");
    let mut players: Vec<Box<dyn Player<Yokai>>> = Seat::all(2).zip(names).map(make).collect();
    let (mut times, mut stopped) = (Vec::new(), false);
    loop {
        for (at, player) in Seat::all(2).zip(&mut players) {
            player.watch(&game.sight(&event, at));
        }
        let to_move = match game.turn(&state) {
            Turn::Of(to_move) => to_move,
            Turn::Over(outcome) => {
                let won = won(&state);
                return Played { won, stopped, score: outcome.scores[0], times };
            }
        };
        let options = game.legal(&state);
        let start = Instant::now();
        let action = players[to_move.index()].choose(&options);
        if to_move == measured {
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        stopped = action == Action::Stop;
        event = game.play(&mut state, &action).expect("a legal action");
    }
}

fn won(state: &State) -> bool {
    state.stage().layout().shape().grouped(state.colouring())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [players, partners, matches, seed] = &args[..4] else { panic!("PLAYERS PARTNERS MATCHES SEED") };
    let (matches, seed): (u64, u64) = (matches.parse().expect("a number"), seed.parse().expect("a seed"));
    let game = Yokai { oracle: args.get(4).is_some_and(|a| a == "oracle"), ..Yokai::default() };
    for player in players.split(',') {
        let mut all = Vec::new();
        for partner in partners.split(',') {
            let mut ended = Vec::new();
            for i in 0..matches {
                ended.push(play(&game, [player, partner], Seat(0), mix(seed, i)));
                ended.push(play(&game, [partner, player], Seat(1), mix(seed, i)));
            }
            let share =
                |test: fn(&Played) -> bool| ended.iter().filter(|p| test(p)).count() as f64 / ended.len() as f64;
            let wins = share(|p| p.won);
            let seats = [0, 1].map(|s| {
                let of: Vec<&Played> = ended.iter().skip(s).step_by(2).collect();
                100.0 * of.iter().filter(|p| p.won).count() as f64 / of.len() as f64
            });
            let mut times: Vec<f64> = ended.iter().flat_map(|p| p.times.iter().copied()).collect();
            times.sort_by(f64::total_cmp);
            println!(
                "{player} with {partner}: wins {:.1} % ({:.1} first, {:.1} second), score {:.2}, false stops {:.1} %, p50 {:.1} ms, p95 {:.1} ms",
                100.0 * wins,
                seats[0],
                seats[1],
                ended.iter().map(|p| p.score as f64).sum::<f64>() / ended.len() as f64,
                100.0 * share(|p| p.stopped && !p.won),
                times[times.len() / 2],
                times[times.len() * 95 / 100],
            );
            all.push(wins);
        }
        println!("{player}: mean {:.1} %", 100.0 * all.iter().sum::<f64>() / all.len() as f64);
    }
}
