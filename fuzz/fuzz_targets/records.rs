//! Records: no panic; what is read is written as a line that reads back equal; what can be replayed replays to the same
//! match twice, and no export of a seat panics.
#![no_main]

use ken_games::any::{AnyMatch, export_any, game_of, replay_any};
use ken_games::game::Seat;
use ken_games::record::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(record) = Record::from_text(text) else { return };
    let again = Record::from_text(&record.to_line()).expect("what was written reads back");
    // Options that no game has may be fractions, whose last digit a reader of JSON need not keep.
    if game_of(&record).is_ok() {
        assert_eq!(again, record);
    }
    let Ok(played) = replay_any(&record) else { return };
    let events = |played: &AnyMatch| match played {
        AnyMatch::Cluedo(played) => format!("{:?}", played.events()),
        AnyMatch::Express(played) => format!("{:?}", played.events()),
        AnyMatch::Classic(played) => format!("{:?}", played.events()),
        AnyMatch::Yokai(played) => format!("{:?}", played.events()),
    };
    let again = replay_any(&record).expect("what was replayed replays again");
    assert_eq!(events(&played), events(&again));
    for seat in 0..=record.players.len() as u8 {
        let there = usize::from(seat) < record.players.len();
        assert_eq!(export_any(&record, Seat(seat)).is_ok(), there, "seat {seat}");
    }
});
