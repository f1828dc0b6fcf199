//! Matches for tests.

use super::seat;
use crate::dice::mix;
use crate::game::{Game, Notation, Seat, Turn};
use crate::record::{Entry, Match, Record};
use crate::yokai::rules::Yokai;

/// The record of a match of these players, seeded as in the arena.
pub(super) fn record(names: [&str; 2], seed: u64) -> Record {
    let game = Yokai::default();
    let mut players: Vec<_> = (0u64..).zip(names).map(|(s, name)| seat(name, &game, mix(seed, s)).unwrap()).collect();
    let mut played = Match::deal(game, seed);
    let mut told = 0;
    while let Turn::Of(s) = played.turn() {
        for (seat, player) in Seat::all(2).zip(&mut players) {
            played.events()[told..].iter().for_each(|event| player.watch(&game.sight(event, seat)));
        }
        told = played.events().len();
        let action = players[s.index()].choose(&game.legal(played.state()));
        played.play(&action).unwrap();
    }
    let entries = played.actions().iter().map(|action| Entry::Play(game.write(action))).collect();
    Record { entries, ..Record::new(&game, names.map(String::from).to_vec(), seed) }
}
