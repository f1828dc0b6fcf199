//! Golden playthroughs: a change of behaviour shows as a change of readable text. `KEN_BLESS=1` writes them anew.

use ken_games::cluedo::{Cluedo, Deck};
use ken_games::conformance::random_match;
use ken_games::eleusis::{Classic, Express};
use ken_games::game::{Notation, Seat, Turn};
use ken_games::high_card::HighCard;
use ken_games::yokai::Yokai;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// How many options are printed before the rest is only counted.
const OPTIONS: usize = 6;

fn playthrough<G: Notation>(game: &G, seed: u64) -> String {
    let mut out = format!(
        "{} {}\nseed {seed}, random actions; written by tests/golden.rs with KEN_BLESS=1\n",
        G::NAME,
        game.options()
    );
    let played = random_match(game, seed);
    for (n, (event, state)) in played.events().iter().zip(played.states()).enumerate() {
        match n {
            0 => out.push_str("\nthe deal\n"),
            n => writeln!(out, "\n{n}. {}", game.write(&played.actions()[n - 1])).unwrap(),
        }
        writeln!(out, "  truth: {}", game.tell(event)).unwrap();
        let mut seats: Vec<Seat> = Seat::all(game.seats()).collect();
        while let Some(&first) = seats.first() {
            let sight = game.sight(event, first);
            let (same, others): (Vec<Seat>, Vec<Seat>) = seats.iter().partition(|&&s| game.sight(event, s) == sight);
            let same: Vec<String> = same.iter().map(Seat::to_string).collect();
            writeln!(out, "  to {}: {}", same.join(" "), game.tell_sight(&sight)).unwrap();
            writeln!(out, "    {}", game.sight_data(&sight)).unwrap();
            seats = others;
        }
        let legal = game.legal(state);
        match game.turn(state) {
            Turn::Of(seat) => writeln!(out, "  turn: seat {seat}, {} options", legal.len()).unwrap(),
            Turn::Over(outcome) => writeln!(out, "  over: {} {:?}", outcome.words, outcome.scores).unwrap(),
        }
        for action in legal.iter().take(OPTIONS) {
            writeln!(out, "    > {}", game.write(action)).unwrap();
        }
        if legal.len() > OPTIONS {
            out.push_str("    > ..\n");
        }
    }
    out
}

fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("KEN_BLESS").is_some_and(|v| v == "1") {
        std::fs::write(&path, text).expect("the playthrough can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    for (i, (now, then)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(now, then, "{name}, line {}: KEN_BLESS=1 writes it anew", i + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "{name}: KEN_BLESS=1 writes it anew");
}

#[test]
fn three_players_with_a_small_deck_play_as_they_did() {
    let deck = json!({"suspects": ["plum", "green", "white"], "weapons": ["rope", "dagger"], "rooms": ["hall", "study", "lounge"]});
    let game = Cluedo::new(Arc::new(Deck::from_data(&deck).unwrap()), 3).unwrap();
    compare("cluedo-3-small.txt", &playthrough(&game, 3));
}

#[test]
fn six_players_with_the_classic_deck_play_as_they_did() {
    compare("cluedo-6-classic.txt", &playthrough(&Cluedo::classic(6), 5));
}

#[test]
fn four_players_with_unequal_hands_play_as_they_did() {
    let options = json!({"players": 4, "endmove": "ignorance", "turns": 8});
    compare("cluedo-4-unequal.txt", &playthrough(&Cluedo::with_options(&options).unwrap(), 7));
}

#[test]
fn a_match_of_express_with_a_small_deck_is_played_as_it_was() {
    let options = json!({"players": 3, "deck": {"values": 5}, "hand": 3});
    compare("express-3-small.txt", &playthrough(&Express::with_options(&options).unwrap(), 3));
}

#[test]
fn four_players_of_express_with_open_hands_play_as_they_did() {
    let options = json!({"players": 4, "hand": 12, "open": true, "guess": "always", "draw_refused": 2});
    compare("express-4-open.txt", &playthrough(&Express::with_options(&options).unwrap(), 4));
}

#[test]
fn a_match_of_1959_is_played_as_it_was() {
    let options = json!({"players": 3, "deck": {"values": 5}, "moves": 9});
    compare("eleusis-3-small.txt", &playthrough(&Classic::with_options(&options).unwrap(), 3));
}

#[test]
fn a_match_of_yokai_is_played_as_it_was() {
    compare("yokai.txt", &playthrough(&Yokai::default(), 4));
}

#[test]
fn a_match_of_yokai_with_all_options_is_played_as_it_was() {
    let options = json!({"free_order": true, "any_time": true, "oracle": true});
    compare("yokai-free.txt", &playthrough(&Yokai::with_options(&options).unwrap(), 6));
}

#[test]
fn a_match_of_high_card_is_played_as_it_was() {
    compare("high-card.txt", &playthrough(&HighCard::default(), 3));
}
