//! Laws about twins: other matches in which a seat has seen exactly the same.

use super::{Broken, Holds, random_match, require};
use crate::dice::{Dice, mix};
use crate::game::{Game, Seat, Turn, View};
use crate::record::Match;

/// How many other deals are tried for each match and seat.
const DEALS: u64 = 400;

/// A match that the seat cannot tell from one with this memory, as far as one was found: another deal with the same sight
/// and, at each step, some action that gives the same sight.
fn twin<G: Game>(game: &G, seat: Seat, memory: &[G::Sight], seed: u64) -> Option<Match<G>> {
    let mut dice = Dice::new(mix(seed, 1));
    let mut other = Match::deal(game.clone(), seed);
    if game.sight(&other.events()[0], seat) != memory[0] {
        return None;
    }
    for sight in &memory[1..] {
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
    Some(other)
}

/// Calls `compare` with a random match, a seat, a twin, and a number of events after which the two have the same memory.
/// Returns how often.
fn for_twins<G: Game>(
    game: &G,
    seed: u64,
    mut compare: impl FnMut(&Match<G>, &Match<G>, Seat, usize) -> Holds,
) -> Result<usize, Broken> {
    let played = random_match(game, seed);
    let mut compared = 0;
    for seat in Seat::all(game.seats()) {
        let memory = played.memory(seat);
        for part in 0..DEALS {
            let Some(other) = twin(game, seat, &memory, mix(seed, 1_000 + part)) else { continue };
            for n in 1..=other.events().len() {
                compare(&played, &other, seat, n)?;
                compared += 1;
            }
        }
    }
    Ok(compared)
}

/// Equal memories give equal options and equal views, and tell equally whether it is the seat's turn and how the match
/// ended. Returns how many pairs of equal memories were compared: on a large game there may be few.
pub fn nothing_leaks<G: View>(game: &G, seed: u64) -> Result<usize, Broken> {
    let law = "equal memories give equal options and views";
    for_twins(game, seed, |one, other, seat, n| {
        let (a, b) = (&one.states()[n - 1], &other.states()[n - 1]);
        let turns = match (game.turn(a), game.turn(b)) {
            (Turn::Of(x), Turn::Of(y)) => (x == seat) == (y == seat),
            (Turn::Over(x), Turn::Over(y)) => x == y,
            (Turn::Of(_), Turn::Over(_)) | (Turn::Over(_), Turn::Of(_)) => false,
        };
        let memory = &other.memory(seat)[..n];
        let what = |what: &str| format!("seat {seat} could tell apart by {what} what it saw as {memory:?}");
        require(law, seed, turns, || what("whose turn it is"))?;
        if game.turn(a) == Turn::Of(seat) {
            let (x, y) = (game.legal(a), game.legal(b));
            require(law, seed, x == y, || what(&format!("its options {x:?} and {y:?}")))?;
        }
        let views = game.view(&one.memory(seat)[..n]) == game.view(memory);
        require(law, seed, views, || what("its view"))
    })
}

/// Where an event is said to reveal nothing, every seat could have foretold its sight: after the same memory the same
/// action of the same seat gives the same sight, whatever is hidden. Returns how many pairs were compared.
pub fn undone_tells_nothing<G: Game>(game: &G, seed: u64) -> Result<usize, Broken> {
    let law = "what may be taken back tells nothing";
    let mut compared = 0;
    for_twins(game, seed, |one, other, seat, n| {
        let (Some(event), Some(action)) = (one.events().get(n), one.actions().get(n - 1)) else { return Ok(()) };
        let (a, b) = (&one.states()[n - 1], &other.states()[n - 1]);
        if game.reveals(event) || game.turn(a) != game.turn(b) {
            return Ok(());
        }
        if let Ok(elsewhere) = game.play(&mut b.clone(), action) {
            let (x, y) = (game.sight(event, seat), game.sight(&elsewhere, seat));
            compared += 1;
            require(law, seed, x == y, || format!("{action:?} gives seat {seat} {x:?} or {y:?}"))?;
        }
        Ok(())
    })?;
    Ok(compared)
}
