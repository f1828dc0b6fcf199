//! Mean rounds to the solution in the experiment of the thesis, with 95 % intervals.
//!
//! `cargo run --release -p ken-games --example cluedo_thesis -- [GAMES]`

use ken_games::cluedo::Cluedo;
use ken_games::cluedo::players::{PLAYERS, seat};
use ken_games::cluedo::thesis::{Rule, rounds};
use ken_games::dice::{Dice, mix};

fn main() {
    let games: u64 = std::env::args().nth(1).map_or(10_000, |n| n.parse().expect("a number of games"));
    println!(
        "{games} games each; mean rounds ± half of the 95 % interval; `lost`: games that a\n\
         sound agent would have solved (the mean is of the others)"
    );
    for seats in [6, 5, 4, 3, 2] {
        for rule in Rule::ALL {
            for name in PLAYERS.iter().map(|p| p.name) {
                // The random agents learn nothing from the others' questions.
                if name.starts_with("random") && (seats < 6 || rule != Rule::NoWinning) {
                    continue;
                }
                println!("{seats} seats, rule {:8} {name:15} {}", rule.name(), measure(seats, rule, name, games));
            }
        }
    }
}

fn measure(seats: u8, rule: Rule, name: &str, games: u64) -> String {
    let game = Cluedo::classic(seats);
    // An agent that asks open triples learns a card of somebody else in every round, or has solved the game.
    let learned = game.hand_sizes()[1..].iter().map(|&n| u32::from(n)).sum::<u32>();
    let limit = if name.starts_with("random") { u32::MAX } else { learned + 1 };
    let (mut sum, mut squares, mut solved) = (0.0, 0.0, 0);
    for i in 0..games {
        let mut agent = seat(name, &game, mix(2, i)).expect("a player of the list");
        let run = rounds(&game, agent.as_mut(), rule, &mut Dice::new(mix(1, i)), limit);
        if run.solved {
            let rounds = f64::from(run.rounds);
            (sum, squares, solved) = (sum + rounds, squares + rounds * rounds, solved + 1);
        }
    }
    let n = solved as f64;
    let mean: f64 = sum / n;
    let half = 1.96 * ((squares / n - mean * mean) / n).sqrt();
    format!("{mean:8.3} ± {half:.3}   lost {}", games - solved)
}
