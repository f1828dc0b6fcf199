//! How long questions about who knows what take in positions of any game: random moments of matches between machines.
//!
//! `cargo run --release -p ken-games --example know_times GAME [positions] [seed]` prints for `yokai`, `express`, `eleusis` or
//! `high-card` the median and the worst time of questions of depth 1 to 3, with `K`, `Kw`, `E`, `D` and `C`, in milliseconds,
//! and how many were beyond the limit. Each question is asked of a position that was just read. (Cluedo: `cluedo_know`.)

use ken_games::dice::{Dice, mix};
use ken_games::game::Seat;
use ken_games::knowledge::{Budget, Unanswered};
use ken_games::list::GAMES;
use ken_games::table::Sitter;
use serde_json::json;
use std::time::{Duration, Instant};

/// Who plays the matches of a game, and what is asked about.
fn kind(game: &str) -> (&'static str, Vec<String>) {
    let cards = || ["AS", "5H", "9C", "KD", "7S", "2D"].into_iter();
    match game {
        "yokai" => {
            let colour = |card: usize| ["red", "green", "blue", "yellow"].map(move |c| format!("col({card},{c})"));
            let same = (1..16).map(|card| format!("same({card},{})", card + 1));
            ("conventional", (1..=16).flat_map(colour).chain(same).chain(["grouped".to_string()]).collect())
        }
        "express" | "eleusis" => {
            let about = |card: &str| [format!("accepts({card})"), format!("holds(1,{card})")];
            let rest = ["knows_rule(0)", "knows_rule(2)", "can_play(1)", "sure_play(0)"].map(str::to_string);
            ("careful", cards().flat_map(about).chain(rest).collect())
        }
        "high-card" => {
            ("halver", (1..=9).map(|card| format!("has(1,{card})")).chain(["higher(0)".to_string()]).collect())
        }
        other => panic!("no questions are written for {other}"),
    }
}

/// A position of a random seat at a random moment.
fn position(game: &str, player: &str, dice: &mut Dice) -> Option<(String, u8)> {
    let kind = GAMES.find(game).ok()?;
    let setup = kind.with_options(&json!({"players": kind.info().usual})).ok()?;
    let sitters = (0..setup.seats()).map(|_| Sitter::Machine(player.to_string())).collect();
    let mut table = setup.deal(dice.below(1 << 30) as u64, sitters).ok()?;
    let events = 2 + dice.below(30);
    while table.events() < events {
        let Some(thinking) = table.think() else { break };
        let thought = thinking();
        let action = thought.action.clone().ok()?;
        table.thought(thought);
        table.act(&action).ok()?;
    }
    let seat = Seat(dice.below(setup.seats().into()) as u8);
    Some((table.eyes(seat, table.events(), false).position().ok()?, setup.seats()))
}

fn question(atoms: &[String], seats: u8, depth: usize, dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..depth {
        let seat = dice.below(seats.into());
        let other = (seat + 1) % usize::from(seats);
        let sign = if dice.below(4) == 0 { "!" } else { "" };
        text += &match *dice.pick(&["K", "K", "Kw", "E", "D", "C"]) {
            group @ ("E" | "D" | "C") => format!("{sign}{group}[{seat},{other}] "),
            one => format!("{sign}{one}[{seat}] "),
        };
    }
    text + dice.pick::<String>(atoms)
}

fn main() {
    let mut words = std::env::args().skip(1);
    let game = words.next().unwrap_or_else(|| "yokai".to_string());
    let positions: usize = words.next().map_or(200, |n| n.parse().expect("a number"));
    let seed: u64 = words.next().map_or(0, |n| n.parse().expect("a number"));
    let (player, atoms) = kind(&game);
    let mut times: [Vec<(Duration, String)>; 3] = Default::default();
    let mut cut = [0; 3];
    let mut dice = Dice::new(mix(seed, 77));
    let mut found = 0;
    while found < positions {
        let Some((text, seats)) = position(&game, player, &mut dice) else { continue };
        found += 1;
        for depth in 1..=3 {
            let asked = question(&atoms, seats, depth, &mut dice);
            let mut placed = GAMES.placed(&game, &text).unwrap_or_else(|p| panic!("{text}: {}", p.message));
            let start = Instant::now();
            match placed.ask(&asked, &Budget::default()) {
                Ok(_) => times[depth - 1].push((start.elapsed(), asked)),
                Err(Unanswered::Limit) => cut[depth - 1] += 1,
                // No rule of the library fits, or hands cannot be asked about.
                Err(Unanswered::Clash(_) | Unanswered::Unfit(_)) => {}
                Err(Unanswered::Unread(problems)) => panic!("{asked}: {problems:?}"),
            }
        }
    }
    println!(
        "{game}, {positions} positions, seed {seed}: milliseconds\ndepth  asked   median     95 %    worst  beyond the limit  slowest"
    );
    for (depth, (mut times, cut)) in (1..).zip(times.into_iter().zip(cut)) {
        times.sort();
        let at = |share: f64| {
            let place = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
            times.get(place).map_or(0.0, |time| time.0.as_secs_f64() * 1e3)
        };
        let slowest = times.last().map_or("", |time| &time.1);
        println!(
            "{depth:>5} {:>6} {:>8.2} {:>8.2} {:>8.2} {cut:>17}  {slowest}",
            times.len(),
            at(0.5),
            at(0.95),
            at(1.0)
        );
    }
}
