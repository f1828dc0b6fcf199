//! What tests of hosted games share: every answer of a page at once, and matches that look the same to a seat.

use super::Asked;
use ken_games::conformance::random_match;
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat};
use ken_games::record::Match;
use ken_games::table::Face;
use ken_games::table::page::{FactRow, Known};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// No answer may take longer, tests being slower than the program itself.
const LIMIT: Duration = Duration::from_secs(4);

/// A JSON value, after a look at the clock.
fn timed<T: Serialize>(what: &str, answer: impl FnOnce() -> T) -> Value {
    let begun = Instant::now();
    let value = serde_json::to_value(answer()).expect("every answer can be written");
    let taken = begun.elapsed();
    if taken > Duration::from_millis(300) {
        println!("slow: {what} took {taken:?}");
    }
    assert!(taken < LIMIT, "{what} took {taken:?}");
    value
}

fn result<T: Serialize, E: Serialize>(answer: Result<T, E>) -> Value {
    match answer {
        Ok(value) => json!({"ok": value}),
        Err(problem) => json!({"problem": problem}),
    }
}

/// The first row of each verdict and group.
fn telling(rows: &[FactRow]) -> Vec<String> {
    let mut seen: Vec<(String, Known)> = Vec::new();
    let mut facts = Vec::new();
    for row in rows {
        let kind = (row.group.split(' ').next().unwrap_or_default().to_string(), row.verdict);
        if !seen.contains(&kind) {
            seen.push(kind);
            facts.push(row.fact.clone());
        }
    }
    facts
}

/// Everything that a page can be told from a memory. `questions` are filters and facts.
pub(crate) fn answers<G: Face>(
    game: &G,
    memory: &[G::Sight],
    me: Seat,
    legal: &[G::Action],
    questions: &[&str],
) -> Value {
    let mut all = vec![
        timed("request", || game.request(memory)),
        timed("numbers", || game.numbers(memory)),
        timed("bits", || game.bits(memory)),
        timed("learned", || game.learned(memory)),
    ];
    assert_eq!(game.numbers(memory).len(), memory.len());
    for helper in 0..=4 {
        all.push(timed("board", || game.board(memory, helper, legal)));
        for action in legal.iter().take(2).chain(legal.last()) {
            all.push(timed("preview", || game.preview(memory, action, helper)));
        }
    }
    for step in 1..=3 {
        all.push(timed("advice", || result(game.advice(memory, step))));
    }
    let other = me.next(game.seats());
    let third = other.next(game.seats());
    for chain in [vec![me], vec![me, other], vec![me, third], vec![me, other, me], vec![other], vec![]] {
        all.push(timed("inspect", || result(game.inspect(memory, &chain, ""))));
        for question in questions {
            all.push(timed(&format!("inspect {question}"), || result(game.inspect(memory, &chain, question))));
            all.push(timed(&format!("why {chain:?} {question}"), || result(game.why(memory, &chain, question))));
        }
        let Ok(inspection) = game.inspect(memory, &chain, "") else { continue };
        for fact in telling(&inspection.rows) {
            let why = game.why(memory, &chain, &fact).expect("what a row says can be asked");
            let row = inspection.rows.iter().find(|row| row.fact == fact).expect("it is one of them");
            assert_eq!(why.verdict, row.verdict, "{chain:?} {fact}");
            match why.verdict {
                Known::Known | Known::Excluded => {
                    assert!(why.since.is_some(), "{chain:?} {fact}");
                    assert!(!why.proof.is_empty() || why.unproved.is_some(), "{chain:?} {fact}");
                }
                Known::Open => assert!(why.since.is_none() && why.proof.is_empty(), "{chain:?} {fact}"),
            }
            all.push(timed(&format!("why {chain:?} {fact}"), || result(game.why(memory, &chain, &fact))));
        }
    }
    Value::Array(all)
}

/// A match that the seat cannot tell from one with this memory, as far as one was found.
fn twin<G: Game>(game: &G, seat: Seat, memory: &[G::Sight], seed: u64) -> Match<G> {
    let mut dice = Dice::new(mix(seed, 1));
    let mut other = Match::deal(game.clone(), seed);
    for (n, sight) in memory.iter().enumerate() {
        if n == 0 {
            continue;
        }
        let gives = |action: &G::Action| {
            let event = game.play(&mut other.state().clone(), action);
            event.is_ok_and(|e| game.sight(&e, seat) == *sight)
        };
        let fit: Vec<G::Action> = game.legal(other.state()).into_iter().filter(gives).collect();
        if fit.is_empty() {
            break;
        }
        other.play(dice.pick(&fit)).expect("it has just been played");
    }
    other
}

/// Where two matches look the same to a seat, the lines of onlookers are the same. Returns how many were compared.
pub(crate) fn onlookers_see_nothing_hidden<G: Face>(game: &G, seed: u64, twins: u64) -> usize {
    let played = random_match(game, seed);
    let mut compared = 0;
    for seat in Seat::all(game.seats()) {
        let memory = played.memory(seat);
        for part in 0..twins {
            let other = twin(game, seat, &memory, mix(seed, 1_000 + part));
            let same = memory.iter().zip(other.memory(seat)).take_while(|(a, b)| *a == b).count();
            for (a, b) in played.events().iter().zip(other.events()).take(same) {
                assert_eq!(game.onlooker(a), game.onlooker(b), "{a:?} {b:?}");
                compared += usize::from(a != b);
            }
        }
    }
    compared
}

/// Where two matches look the same to a seat, every answer is the same, byte for byte. Returns how many were compared.
pub(crate) fn equal_memories_give_equal_answers<G: Face>(game: &G, seed: u64, twins: u64, questions: &[&str]) -> usize {
    let played = random_match(game, seed);
    let mut compared = 0;
    for seat in Seat::all(game.seats()) {
        let memory = played.memory(seat);
        for part in 0..twins {
            let other = twin(game, seat, &memory, mix(seed, 1_000 + part));
            let theirs = other.memory(seat);
            let same = memory.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
            if same < 2 {
                continue;
            }
            let legal = |of: &Match<G>| match game.turn(&of.states()[same - 1]) {
                ken_games::game::Turn::Of(turn) if turn == seat => game.legal(&of.states()[same - 1]),
                ken_games::game::Turn::Of(_) | ken_games::game::Turn::Over(_) => Vec::new(),
            };
            let one = answers(game, &memory[..same], seat, &legal(&played), questions).to_string();
            let two = answers(game, &theirs[..same], seat, &legal(&other), questions).to_string();
            assert_eq!(one, two);
            compared += 1;
        }
    }
    compared
}

/// Every question can be asked at every moment of a match, of every seat. `every` is how many events to skip.
pub(crate) fn every_moment_is_answered<G: Face>(played: &Match<G>, every: usize, questions: &[&str]) {
    let game = played.game();
    for event in played.events() {
        assert!(game.onlooker(event).is_some_and(|line| !line.is_empty()));
    }
    for seat in Seat::all(game.seats()) {
        let memory = played.memory(seat);
        let moments = (1..=memory.len()).filter(|n| n % every == 1 % every || *n == memory.len());
        for n in moments {
            let state = &played.states()[n - 1];
            let legal = match game.turn(state) {
                ken_games::game::Turn::Of(turn) if turn == seat => game.legal(state),
                ken_games::game::Turn::Of(_) | ken_games::game::Turn::Over(_) => Vec::new(),
            };
            answers(game, &memory[..n], seat, &legal, questions);
        }
    }
}

/// Since when something is known is the first event of the last stretch in which it is, and the proof rests on nothing
/// later. What is said of the table as it lies now is another fact after each change of it.
pub(crate) fn since_is_minimal<G: Face>(played: &Match<G>, chain: impl Fn(Seat) -> Vec<Seat>) -> usize {
    let game = played.game();
    let mut checked = 0;
    for seat in Seat::all(game.seats()) {
        let (memory, chain) = (played.memory(seat), chain(seat));
        for n in [memory.len() / 3, memory.len() / 2, memory.len()].into_iter().filter(|n| *n > 1) {
            let inspection = game.inspect(&memory[..n], &chain, "").expect("it can be asked");
            for fact in telling(&inspection.rows) {
                let why = game.why(&memory[..n], &chain, &fact).expect("it can be asked");
                let Some(since) = why.since else { continue };
                for at in since..n {
                    let then = game.why(&memory[..=at], &chain, &fact).expect("it can be asked");
                    assert_eq!(then.verdict, why.verdict, "{fact} at {at}, since {since}");
                }
                let ignorance = why.verdict == Known::Excluded && (fact.contains("K[") || fact.contains("knows"));
                if chain.len() == 1 && !ignorance {
                    let latest = why.proof.iter().filter_map(|sentence| sentence.event).max();
                    assert!(latest.is_none_or(|e| e <= since), "{fact} since {since} rests on event {latest:?}");
                }
                let of_now = ["grouped", "accepts(", "refuses(", "can_play(", "sure_play("];
                if since > 0 && !of_now.iter().any(|word| fact.contains(word)) {
                    let before = game.why(&memory[..since], &chain, &fact).expect("it can be asked");
                    assert_ne!(before.verdict, why.verdict, "{fact} before {since}");
                }
                checked += 1;
            }
        }
    }
    checked
}
