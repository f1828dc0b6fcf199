//! How well two players of Yōkai play together, and how long their turns take.
//!
//! `cargo run --release -p ken-games --example yokai_pair A B [matches] [seed] [--lost]` plays so many matches of A at the first
//! seat with B at the second, and prints wins, the mean score with its 95 % interval (a loss counts 0), false stops
//! (stopped and lost), what the score is made of, and how long a turn takes: everything that *both* players do in it, the
//! one who moves and the one who takes in what it saw, in milliseconds. `--lost` lists the seeds of matches that were
//! stopped in vain.
//!
//! The times are those that the processor spent on the thread, by `/proc/thread-self/schedstat`, so that other work on the
//! machine does not count; where there is no such file they are those of the clock.

use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat, Turn};
use ken_games::yokai::players::{Mind, mind};
use ken_games::yokai::{Action, Yokai};
use std::time::Instant;

/// What came of a match, and the milliseconds of its turns.
struct Ended {
    won: bool,
    stopped: bool,
    score: i64,
    turns: u8,
    activated: u8,
    used: u8,
    improper: u8,
    times: Vec<f64>,
}

/// Milliseconds that the processor spent on this thread; those of the clock where the system does not tell.
fn now(start: Instant) -> f64 {
    let spent = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    spent().map_or_else(|| start.elapsed().as_secs_f64() * 1e3, |nanoseconds| nanoseconds / 1e6)
}

fn play(names: [&str; 2], seed: u64, start: Instant) -> Ended {
    let game = Yokai::default();
    let (mut state, mut event) = game.deal(&mut Dice::new(seed));
    let mut minds: Vec<Box<dyn Mind>> =
        (0..).zip(names).map(|(seat, name)| mind(name, &game, mix(seed, seat)).expect("a player")).collect();
    let (mut times, mut before, mut turn) = (Vec::new(), now(start), 0);
    let mut stopped = false;
    loop {
        for (seat, mind) in (0..).map(Seat).zip(&mut minds) {
            mind.watch(&game.sight(&event, seat));
        }
        if state.stage().turns() > turn {
            turn = state.stage().turns();
            let after = now(start);
            times.push(after - before);
            before = after;
        }
        let Turn::Of(seat) = game.turn(&state) else { break };
        let action = minds[seat.index()].choose(&game.legal(&state));
        stopped = action == Action::Stop;
        event = game.play(&mut state, &action).expect("a listed action");
    }
    let stage = state.stage();
    let won = stage.layout().shape().grouped(state.colouring());
    let improper = stage.improper(state.colouring());
    let score = if won { stage.score(improper) } else { 0 };
    let (turns, activated, used) = (stage.turns(), stage.activated(), stage.used());
    Ended { won, stopped, score, turns, activated, used, improper, times }
}

fn main() {
    let (flags, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.starts_with("--"));
    let name = |i: usize| words.get(i).map_or("coder", String::as_str);
    let number = |i: usize, usual: u64| words.get(i).map_or(usual, |n| n.parse().expect("a number"));
    let (names, matches, seed) = ([name(0), name(1)], number(2, 20), number(3, 1));
    let start = Instant::now();
    let ended: Vec<Ended> = (0..matches)
        .map(|i| {
            let ended = play(names, mix(seed, i), start);
            if flags.iter().any(|f| f == "--lost") && ended.stopped && !ended.won {
                println!("stopped in vain: seed {}", mix(seed, i));
            }
            ended
        })
        .collect();
    let n = ended.len() as f64;
    let mean = |of: &dyn Fn(&Ended) -> f64| ended.iter().map(of).sum::<f64>() / n;
    let score = mean(&|e| e.score as f64);
    let spread = (mean(&|e| (e.score as f64 - score).powi(2)) / (n - 1.0).max(1.0)).sqrt();
    let count = |test: &dyn Fn(&Ended) -> bool| ended.iter().filter(|e| test(e)).count();
    println!(
        "{} with {}: {matches} matches, won {} ({:.2} %), false stops {}, score {score:.3} ± {:.3}",
        names[0],
        names[1],
        count(&|e| e.won),
        100.0 * mean(&|e| f64::from(u8::from(e.won))),
        count(&|e| e.stopped && !e.won),
        1.96 * spread
    );
    println!(
        "a match: {:.3} turns, {:.3} hints activated, {:.3} used, {:.3} improper",
        mean(&|e| e.turns.into()),
        mean(&|e| e.activated.into()),
        mean(&|e| e.used.into()),
        mean(&|e| e.improper.into())
    );
    let mut times: Vec<f64> = ended.iter().flat_map(|e| e.times.iter().copied()).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get(((times.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(0.0);
    println!(
        "a turn, both players, in ms: half {:.1}, 95 % {:.1}, 99 % {:.1}, most {:.1}",
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    );
}
