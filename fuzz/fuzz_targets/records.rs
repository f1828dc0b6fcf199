//! Records: no panic; what is read is written as a line that reads back equal; what can be replayed replays to the same
//! match twice, and no export of a seat panics.
#![no_main]

use ken_games::game::Seat;
use ken_games::list::GAMES;
use ken_games::record::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(record) = Record::from_text(text) else { return };
    let again = Record::from_text(&record.to_line()).expect("what was written reads back");
    // Options that no game has may be fractions, whose last digit a reader of JSON need not keep.
    if GAMES.of_record(&record).is_ok() {
        assert_eq!(again, record);
    }
    let Ok(played) = GAMES.replay(&record) else { return };
    let again = GAMES.replay(&record).ok().expect("what was replayed replays again");
    assert_eq!(played.truth(played.events()), again.truth(again.events()));
    for seat in 0..=record.players.len() as u8 {
        let there = usize::from(seat) < record.players.len();
        assert_eq!(GAMES.export(&record, Seat(seat)).is_ok(), there, "seat {seat}");
    }
});
