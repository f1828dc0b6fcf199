//! The laws of every game, run for both games of Eleusis with all player counts, editions, small and full decks.

use ken_games::conformance as laws;
use ken_games::eleusis::moves::Cards;
use ken_games::eleusis::table::{Eleusis, Phase};
use ken_games::eleusis::view::Page;
use ken_games::eleusis::{Classic, Express};
use ken_games::game::{Notation, Seat, Turn, View};
use serde_json::{Value, json};

fn express(options: Value) -> Express {
    Express::with_options(&options).unwrap_or_else(|e| panic!("{options}: {e}"))
}

fn classic(options: Value) -> Classic {
    Classic::with_options(&options).unwrap_or_else(|e| panic!("{options}: {e}"))
}

/// Full matches are long, and the laws compare all their sights: the crowds play with small hands and few cards.
fn expresses() -> Vec<Express> {
    let small = |players: u8| express(json!({"players": players, "deck": {"values": 8}, "decks": 1, "hand": 1}));
    let mut games: Vec<Express> = (3..=8).map(small).collect();
    for guess in ["accepted", "right", "always"] {
        let open = guess == "right";
        games.push(express(json!({"players": 3, "guess": guess, "deck": {"values": 5}, "hand": 2, "open": open})));
    }
    games.push(express(json!({"players": 3, "decks": 4, "deck": {"values": 2}, "hand": 3, "draw_refused": 3})));
    games.push(express(json!({"players": 4, "rounds": 2, "deck": {"values": 6}, "hand": 1, "draw_guess": 2})));
    games.push(express(json!({"players": 3, "hand": 12, "draw_refused": 4, "draw_no_play": 4})));
    games
}

fn classics() -> Vec<Classic> {
    let mut games: Vec<Classic> = (3..=8).map(|players| classic(json!({"players": players, "moves": 10}))).collect();
    games.push(classic(json!({"players": 3, "guess": false, "deck": {"values": 4}, "open": true, "moves": 40})));
    games.push(classic(json!({"players": 4, "decks": 2, "deck": {"values": 3}, "rounds": 2, "moves": 20})));
    games
}

fn keeps_the_laws<G: Notation>(games: &[G])
where
    G::State: PartialEq,
{
    for (i, game) in games.iter().enumerate() {
        for seed in 0..2 {
            laws::rules_hold(game, 1000 * i as u64 + seed).unwrap_or_else(|e| panic!("{}: {e}", game.options()));
        }
    }
}

#[test]
fn express_keeps_the_laws_of_rules_and_notation() {
    keeps_the_laws(&expresses());
}

#[test]
fn the_game_of_1959_keeps_the_laws_of_rules_and_notation() {
    keeps_the_laws(&classics());
}

fn compared<G: View>(game: &G, seeds: u64) -> usize {
    (0..seeds).map(|seed| laws::nothing_leaks(game, seed).unwrap_or_else(|e| panic!("{e}"))).sum()
}

#[test]
fn in_express_nothing_leaks() {
    for open in [false, true] {
        for guess in ["accepted", "right", "always"] {
            let options = json!({"players": 3, "deck": {"values": 2}, "hand": 1, "guess": guess, "open": open});
            let n = compared(&express(options), 2);
            assert!(n > 1_000, "{n} pairs");
        }
    }
}

#[test]
fn in_the_game_of_1959_nothing_leaks() {
    for guess in [false, true] {
        let n = compared(&classic(json!({"players": 3, "deck": {"values": 2}, "guess": guess, "moves": 8})), 3);
        assert!(n > 1_000, "{n} pairs");
    }
}

#[test]
fn nothing_can_be_taken_back_since_every_move_tells_something() {
    let game = express(json!({"players": 3, "deck": {"values": 2}, "hand": 1}));
    assert_eq!(laws::undone_tells_nothing(&game, 1), Ok(0));
}

fn page_tells_the_truth<G: Eleusis + View<View = Page> + Notation>(game: &G, seed: u64) {
    let played = laws::random_match(game, seed);
    for seat in Seat::all(game.seats()) {
        let memory = played.memory(seat);
        for (n, state) in played.states().iter().enumerate() {
            let page = game.view(&memory[..=n]);
            assert_eq!(&page.desk.stage, state.stage());
            assert_eq!(page.desk.hand(), state.hand(seat));
            assert_eq!(page.log.len(), n + 1);
            let counts: Vec<usize> = page.desk.hands.iter().map(Cards::count).collect();
            assert_eq!(counts, state.stage().counts());
            for (other, hand) in Seat::all(game.seats()).zip(&page.desk.hands) {
                match hand {
                    Cards::Seen(cards) => assert_eq!(cards, state.hand(other)),
                    Cards::Hidden(count) => assert_eq!(*count, state.hand(other).len()),
                }
            }
            let deals = match game.turn(state) {
                Turn::Of(_) => page.dealer == seat && !matches!(page.desk.stage.phase(), Phase::Rule(_)),
                Turn::Over(_) => false,
            };
            assert_eq!(page.desk.rule.is_some(), deals, "the dealer alone sees the rule");
        }
    }
}

#[test]
fn the_page_of_every_seat_follows_the_table() {
    for game in expresses() {
        page_tells_the_truth(&game, 7);
    }
    for game in classics() {
        page_tells_the_truth(&game, 7);
    }
}
