//! How long nested knowledge takes: random matches at full size, every endmove honest.
//!
//! `cargo run --release -p ken-games --example cluedo_know [matches] [steps] [players] [seed] [lazy|symbolic]` prints, for
//! 2 to 6 players (0: all) and after some numbers of events, the median and the worst time of the questions of depth 1 to
//! 4, with `K`, `Kw`, `E` and `D`, that were answered, and how many were cut off after how long; depth 0 is counting the deals.
//!
//! The times are those that the processor spent on the thread, by `/proc/thread-self/schedstat`, so that other work on the
//! machine does not count. Where there is no such file they are times by the clock; the first line says which.

use ken_games::cards::Card;
use ken_games::cluedo::know::{Engine, Knower};
use ken_games::cluedo::position::{Observed, Position};
use ken_games::cluedo::rules::{Action, Cluedo, Event};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat, Turn};
use ken_games::knowledge::read as formula;
use ken_games::knowledge::{Budget, Refused};
use std::time::{Duration, Instant};

/// The positions of all seats after so many events; who knows the envelope does not end a turn aloud.
fn positions(game: &Cluedo, events: usize, dice: &mut Dice) -> Vec<Position> {
    let (mut state, dealt) = game.deal(dice);
    let seats = || Seat::all(game.seats());
    let mut all: Vec<Position> = seats().map(|s| Position::dealt(game.deck(), &game.sight(&dealt, s))).collect();
    while all[0].events().len() < events {
        let Turn::Of(seat) = game.turn(&state) else { break };
        let options = game.legal(&state);
        let action = match options[0] {
            Action::End => Action::End,
            Action::Suggest(_) | Action::Show(_) | Action::Accuse(_) => *dice.pick(&options),
        };
        let event = game.play(&mut state, &action).expect("a legal action");
        if let Event::Ended { .. } = event {
            let solved = formula(&all[0], &format!("solved({seat})")).expect("a formula");
            let mut knower = Knower::new(&all[seat.index()]);
            if knower.ask(&solved, &Budget::default()).is_ok_and(|answer| !answer.known()) {
                all.iter_mut().for_each(|p| p.push(Observed::Endmove { seat }).expect("an endmove"));
            }
        } else {
            let sights = seats().map(|s| game.sight(&event, s));
            all.iter_mut().zip(sights).for_each(|(p, sight)| p.learn(&sight, game.endmove()));
        }
    }
    all
}

fn question(position: &Position, depth: usize, dice: &mut Dice) -> String {
    let deck = position.deck();
    let seats = position.seats() as usize;
    let mut text = String::new();
    let mut last = position.observer().index();
    for _ in 0..depth {
        last = (last + 1 + dice.below(seats - 1)) % seats;
        let sign = if dice.below(4) == 0 { "!" } else { "" };
        let operator = *dice.pick(&["K", "K", "Kw", "E", "D"]);
        let group = match operator {
            "E" | "D" => {
                let other = (last + 1 + dice.below(seats - 1)) % seats;
                format!("{last},{other}")
            }
            _ => last.to_string(),
        };
        text.push_str(&format!("{sign}{operator}[{group}] "));
    }
    let card = deck.name(Card(dice.below(deck.len()) as u8));
    match dice.below(5) {
        0 | 1 => text + &format!("holds({},{card})", dice.below(seats)),
        2 | 3 => text + &format!("env({card})"),
        _ => text + &format!("solved({})", dice.below(seats)),
    }
}

/// The time that the processor has spent on this thread, if the system tells.
fn processor_time() -> Option<Duration> {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Runs something and measures how long it takes: by the processor's time if the system tells, or by the clock.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (clock, before) = (Instant::now(), processor_time());
    let done = work();
    let by_clock = clock.elapsed();
    (done, before.zip(processor_time()).map_or(by_clock, |(from, to)| to.saturating_sub(from)))
}

/// The times of one kind of question.
#[derive(Default)]
struct Row {
    answered: Vec<(Duration, u64)>,
    cut: Vec<Duration>,
    slowest: (Duration, String),
}

fn main() {
    let mut words = std::env::args().skip(1);
    let mut number = |default: u64| words.next().map_or(default, |a| a.parse().expect("a number"));
    let matches = number(20);
    let budget = Budget { steps: number(Budget::default().steps) };
    let (only, seed) = (number(0), number(0));
    let engine = match words.next().as_deref() {
        None => Engine::Best,
        Some("lazy") => Engine::Lazy,
        Some("symbolic") => Engine::Symbolic,
        Some(other) => panic!("no engine is called {other}"),
    };
    println!("times {}", if processor_time().is_some() { "of the processor" } else { "by the clock" });
    println!(
        "players events depth     median       worst  median steps   worst steps  cut off       after  slowest answered"
    );
    for seats in [6, 5, 4, 3, 2].into_iter().filter(|&s| only == 0 || only == u64::from(s)) {
        let game = Cluedo::classic(seats);
        for events in [6, 12, 18, 30] {
            let mut rows: [Row; 5] = Default::default();
            for i in 0..matches {
                let mut dice = Dice::new(mix(mix(seed, u64::from(seats) * 100 + events as u64), i));
                let position = positions(&game, events, &mut dice).swap_remove(dice.below(seats as usize));
                for (depth, row) in rows.iter_mut().enumerate() {
                    let mut dice = Dice::new(mix(mix(seed, i), depth as u64));
                    for _ in 0..if depth == 0 { 1 } else { 3 } {
                        let text = question(&position, depth, &mut dice);
                        let asked = formula(&position, &text).expect("a formula");
                        let ((answer, steps), time) = timed(|| {
                            let mut knower = Knower::with(&position, engine);
                            let answer = match depth {
                                0 => knower.deals(&budget).map(|_| ()),
                                _ => knower.ask(&asked, &budget).map(|_| ()),
                            };
                            (answer, knower.steps())
                        });
                        match answer {
                            Ok(_) => row.answered.push((time, steps)),
                            Err(Refused::Limit) => row.cut.push(time),
                            Err(error) => panic!("match {i}: {text}: {error}"),
                        }
                        if answer.is_ok() && time > row.slowest.0 {
                            row.slowest = (time, format!("match {i}: {text}"));
                        }
                    }
                }
            }
            for (depth, mut row) in rows.into_iter().enumerate() {
                row.answered.sort();
                let mut steps: Vec<u64> = row.answered.iter().map(|a| a.1).collect();
                steps.sort();
                let ms = |d: Option<Duration>| d.map_or(f64::NAN, |d| d.as_secs_f64() * 1000.0);
                let (n, most) = (row.answered.len(), steps.last().copied().unwrap_or(0));
                println!(
                    "{seats:7} {events:6} {depth:5} {:7.2} ms {:8.1} ms {:13} {most:13} {:8} {:8.1} ms  {}",
                    ms(row.answered.get(n / 2).map(|a| a.0)),
                    ms(row.answered.last().map(|a| a.0)),
                    steps.get(n / 2).copied().unwrap_or(0),
                    row.cut.len(),
                    ms(row.cut.iter().max().copied()),
                    row.slowest.1
                );
            }
        }
    }
}
