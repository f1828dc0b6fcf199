//! How long counting takes: median and worst over random positions of matches.
//!
//! `cargo run --release -p ken-games --example cluedo_speed [SEATS [POSITIONS [SIZES OF CATEGORIES..]]]`

#[path = "../tests/all/support/mod.rs"]
mod support;

use ken_games::cluedo::Cluedo;
use ken_games::cluedo::count::Deals;
use ken_games::cluedo::position::Constraints;
use ken_games::dice::{Dice, mix};
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|a| a.parse::<u64>().expect("a number"));
    let seats = arguments.next().unwrap_or(6);
    let positions = arguments.next().unwrap_or(300);
    let sizes: Vec<usize> = arguments.map(|n| n as usize).collect();
    let game = match sizes.is_empty() {
        true => Cluedo::classic(seats as u8),
        false => Cluedo::new(support::deck(&sizes), seats as u8).expect("a game"),
    };
    println!("{seats} players, {positions} positions a row; milliseconds");
    println!(
        "asks  count+marginals: median    p95  worst   envelopes: median  worst   states  (worst)   deals (median)"
    );
    for asks in [0, 3, 6, 12, 18, 30, 42, 60] {
        let (mut counts, mut envelopes, mut states, mut deals) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for i in 0..positions {
            let position = support::played(&game, asks, false, &mut Dice::new(mix(asks as u64, i)));
            let constraints = Constraints::of(&position);
            let found = Deals::of(position.deck(), &constraints);
            counts.push(best_of_five(|| Deals::of(position.deck(), &constraints).marginals()));
            envelopes.push(best_of_five(|| found.envelopes()));
            states.push(found.states() as f64);
            deals.push(found.total() as f64);
        }
        for list in [&mut counts, &mut envelopes, &mut states, &mut deals] {
            list.sort_by(f64::total_cmp);
        }
        let (middle, last) = (positions as usize / 2, positions as usize - 1);
        println!(
            "{asks:>4} {:>24.3} {:>6.3} {:>6.3} {:>19.3} {:>6.3} {:>8} {:>8} {:>16.3e}",
            counts[middle],
            counts[last * 95 / 100],
            counts[last],
            envelopes[middle],
            envelopes[last],
            states[middle],
            states[last],
            deals[middle]
        );
    }
}

/// Milliseconds; the best of five, since other programs run too.
fn best_of_five<T>(run: impl Fn() -> T) -> f64 {
    let time = |_| {
        let begin = Instant::now();
        std::hint::black_box(run());
        begin.elapsed().as_secs_f64() * 1e3
    };
    (0..5).map(time).fold(f64::INFINITY, f64::min)
}
