//! How long proofs are, and how many known facts have one: random full-size matches of Cluedo, facts by depth.
//!
//! `cargo run --release -p ken-games --example proof_lengths [positions] [show]`, or `… position.json FACT` for one proof.

use ken_games::cluedo::know::Knower;
use ken_games::cluedo::knowledge::solve;
use ken_games::cluedo::read;
use ken_games::cluedo::why::{Answer, why};
use ken_games::cluedo::{Action, Atom, Cluedo, Endmove, Fact, Observed, Position};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat, Turn};
use ken_games::knowledge::Budget;
use ken_games::knowledge::{self, Seats, write};
use std::time::Instant;

const BUDGET: Budget = Budget { steps: 500_000 };

/// A random match as one seat saw it; with ends of turns, everybody accuses as soon as it knows the envelope, and the match
/// is looked at before.
fn play(game: &Cluedo, questions: usize, observer: Seat, dice: &mut Dice) -> Position {
    let (mut state, event) = game.deal(dice);
    let mut memories: Vec<Vec<_>> = Seat::all(game.seats()).map(|s| vec![game.sight(&event, s)]).collect();
    let mut asked = 0;
    while let Turn::Of(seat) = game.turn(&state) {
        let options = game.legal(&state);
        let action = if options[0] == Action::End { Action::End } else { *dice.pick(&options) };
        if action == Action::End && game.endmove() == Endmove::Ignorance {
            let own = Position::of_memory(game.deck(), game.endmove(), &memories[seat.index()]);
            match solve(&own, &BUDGET) {
                Ok(solved) if solved.envelopes.len() > 1 => {}
                _ => break,
            }
        }
        asked += usize::from(matches!(action, Action::Suggest(_)));
        if asked > questions {
            break;
        }
        let event = game.play(&mut state, &action).expect("it is legal");
        memories.iter_mut().zip(Seat::all(game.seats())).for_each(|(m, s)| m.push(game.sight(&event, s)));
    }
    Position::of_memory(game.deck(), game.endmove(), &memories[observer.index()])
}

#[derive(Default)]
struct Row {
    lines: Vec<usize>,
    long: usize,
    none: usize,
    millis: u128,
    worst: Option<String>,
}

/// A random fact of the kind, true or false.
fn fact(kind: &str, position: &Position, dice: &mut Dice) -> Fact {
    let seats = position.seats();
    let others: Vec<Seat> = Seat::all(seats).filter(|&s| s != position.observer()).collect();
    let cards = position.deck().cards().minus(position.hand());
    let card = dice.pick(&cards.iter().collect::<Vec<_>>()).to_owned();
    let places: Vec<usize> = (0..=usize::from(seats)).filter(|&p| p != position.observer().index()).collect();
    let literal = match dice.below(2) {
        0 => Fact::at(card, *dice.pick(&places)),
        _ => Fact::at(card, *dice.pick(&places)).negated(),
    };
    let mut seat = || *dice.pick(&others);
    match kind {
        "card" => literal,
        "K" => literal.known_to(seat()),
        "KK" => {
            let (a, b) = (seat(), seat());
            literal.known_to(if a == b { position.observer() } else { b }).known_to(a)
        }
        "C" => Fact::Common(Seats::all(seats), literal.into()),
        "solved" => Fact::Atom(Atom::Solved(seat())),
        _ => literal.known_to(seat()).negated(),
    }
}

/// The proof of one fact of a stored position.
fn one(path: &str, text: &str) {
    let position = read::position(&std::fs::read_to_string(path).expect("a file")).expect("a position");
    let claim = knowledge::read(&position, text).expect("a fact");
    let begun = Instant::now();
    match why(&position, &claim, &Budget::default()) {
        Answer::Known(proof) | Answer::Refuted(proof) => println!("{}", proof.words(&position)),
        other => println!("{other:?}"),
    }
    println!("{:?}", begun.elapsed());
}

fn main() {
    if let [_, path, text] = &std::env::args().collect::<Vec<_>>()[..]
        && path.ends_with(".json")
    {
        return one(path, text);
    }
    let mut arguments = std::env::args().skip(1);
    let positions: u64 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(40);
    let show = arguments.next().is_some();
    println!("seats ends  kind    facts  proved  median  95 %  most  too long  none  ms each");
    for endmove in [Endmove::Silent, Endmove::Ignorance] {
        for seats in 3..=6 {
            let game = Cluedo::classic(seats).with_endmove(endmove);
            let kinds = ["card", "ends", "K", "KK", "C", "solved", "not K"];
            let mut rows: Vec<Row> = kinds.iter().map(|_| Row::default()).collect();
            for seed in 0..positions {
                let dice = &mut Dice::new(mix(2_026, seed * 10 + u64::from(seats)));
                let observer = Seat(dice.below(seats.into()) as u8);
                let questions = 4 + dice.below(8 * usize::from(seats));
                let position = play(&game, questions, observer, dice);
                let mut knower = Knower::new(&position);
                let silent = {
                    let is_end = |e: &&Observed| matches!(e, Observed::Endmove { .. });
                    position.with_events(position.events().iter().filter(|e| !is_end(e)).copied().collect())
                };
                let mut quiet = Knower::new(&silent);
                for (kind, row) in kinds.iter().zip(&mut rows) {
                    if *kind == "ends" && endmove == Endmove::Silent {
                        continue;
                    }
                    let mut found = 0;
                    // What is common knowledge takes long to ask.
                    for _ in 0..if *kind == "C" { 12 } else { 60 } {
                        let claim = fact(if *kind == "ends" { "card" } else { kind }, &position, dice);
                        if !knower.ask(&claim, &BUDGET).is_ok_and(|answer| answer.known()) {
                            continue;
                        }
                        if *kind == "ends" && quiet.ask(&claim, &BUDGET).is_ok_and(|answer| answer.known()) {
                            continue;
                        }
                        found += 1;
                        let begun = Instant::now();
                        let answer = why(&position, &claim, &BUDGET);
                        row.millis += begun.elapsed().as_millis();
                        match answer {
                            Answer::Known(proof) => {
                                let lines = proof.sentences(&position).len();
                                if row.lines.iter().all(|&other| lines > other) {
                                    row.worst =
                                        Some(format!("{}\n{}", write(&position, &claim), proof.words(&position)));
                                }
                                row.lines.push(lines);
                            }
                            Answer::Long { .. } => row.long += 1,
                            other => {
                                if show && row.none == 0 {
                                    println!("none: {} {other:?}", write(&position, &claim));
                                }
                                row.none += 1;
                            }
                        }
                        if found == 4 {
                            break;
                        }
                    }
                }
            }
            for (kind, mut row) in kinds.iter().zip(rows) {
                row.lines.sort_unstable();
                let facts = row.lines.len() + row.long + row.none;
                let at = |share: usize| row.lines.get((row.lines.len().max(1) - 1) * share / 100).copied().unwrap_or(0);
                println!(
                    "{seats:>5} {:>4}  {kind:<6} {facts:>6} {:>7} {:>7} {:>5} {:>5} {:>9} {:>5} {:>8}",
                    if endmove == Endmove::Silent { "no" } else { "yes" },
                    row.lines.len(),
                    at(50),
                    at(95),
                    at(100),
                    row.long,
                    row.none,
                    row.millis / (facts.max(1) as u128)
                );
                if let (true, Some(worst)) = (show, row.worst) {
                    println!("{worst}");
                }
            }
        }
    }
}
