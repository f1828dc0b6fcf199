//! The rules of the game of 1959, sentence by sentence.

use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::table::{Deal, Phase, State, arranged};
use ken_games::eleusis::{Classic, text};
use ken_games::game::{Game, Notation, Seat};
use serde_json::{Value, json};

const COLOURS: &str = "alternate red and black";

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|c| Deck::STANDARD.read(c).expect("a card")).collect()
}

/// Two players and a dealer, seat 2.
fn begin(options: Value, hands: [&str; 2], starter: &str) -> (Classic, State) {
    let game = Classic::with_options(&options).expect("options");
    let hands = vec![cards(hands[0]), cards(hands[1]), Vec::new()];
    let (removed, flipped, stock) = (Vec::new(), Vec::new(), Vec::new());
    let deal = Deal { hands, removed, flipped, starter: cards(starter)[0], stock };
    let state = arranged(&game, COLOURS, deal).expect("a rule");
    (game, state)
}

fn act(game: &Classic, state: &mut State, typed: &str) -> Result<String, String> {
    let action = game.read(typed).map_err(|e| e.to_string())?;
    let event = game.play(state, &action).map_err(|e| e.to_string())?;
    Ok(game.tell_sight(&game.sight(&event, Seat(2))))
}

#[test]
fn hands_are_equal_when_one_card_is_left_and_what_is_removed_is_not_seen() {
    for (players, removed) in [(3, 1), (4, 0), (5, 3), (6, 1), (7, 3), (8, 2)] {
        let game = Classic::new(players);
        let (mut state, _) = game.deal(&mut Dice::new(players.into()));
        let event = game.play(&mut state, &game.read("rule alternate red and black").unwrap()).unwrap();
        let each = (51 - removed) / (usize::from(players) - 1);
        let counts = state.stage().counts();
        assert!(counts[..counts.len() - 1].iter().all(|&n| n == each), "{counts:?}");
        assert_eq!(counts[counts.len() - 1], 0, "the dealer does not play");
        for seat in Seat::all(players) {
            assert_eq!(game.sight_data(&game.sight(&event, seat))["removed"], json!(removed));
        }
    }
}

#[test]
fn an_accepted_card_keeps_the_turn_and_a_refused_one_goes_back_and_passes_it() {
    let (game, mut state) = begin(json!({"players": 3}), ["7D 9C 2H", "4C 5C"], "3S");
    assert_eq!(act(&game, &mut state, "play 7D").unwrap(), "seat 0 plays 7D: accepted");
    assert_eq!(state.stage().phase(), Phase::Play(Seat(0)));
    assert_eq!(act(&game, &mut state, "play 2H").unwrap(), "seat 0 plays 2H: refused");
    assert_eq!(text::list(&Deck::STANDARD, state.hand(Seat(0))), "2H 9C", "it is in the hand again");
    assert_eq!(state.stage().layout().draw(&Deck::STANDARD, 80), ["3S  7D", "    2H"]);
    assert_eq!(state.stage().phase(), Phase::Play(Seat(1)));
}

#[test]
fn an_empty_hand_ends_the_round_and_the_cards_that_are_left_count() {
    let (game, mut state) = begin(json!({"players": 3}), ["7D 9C", "4C 5C"], "3S");
    act(&game, &mut state, "play 7D").unwrap();
    let told = act(&game, &mut state, "play 9C").unwrap();
    assert!(told.contains("the round is over: seat 0 has no cards left"), "{told}");
    assert_eq!(state.stage().points(), [0, 2, 2]);
}

#[test]
fn a_round_ends_when_the_dealer_has_judged_as_often_as_agreed() {
    let (game, mut state) = begin(json!({"players": 3, "moves": 2}), ["7D 9C", "4C 5C"], "3S");
    act(&game, &mut state, "play 9C").unwrap();
    let told = act(&game, &mut state, "play 4C").unwrap();
    assert!(told.contains("the last judgement is made"), "{told}");
    assert_eq!(state.stage().points(), [2, 2, 2]);
}

#[test]
fn a_guess_is_an_option_a_wrong_one_passes_the_turn_and_a_right_one_ends_the_round() {
    let (game, mut state) = begin(json!({"players": 3}), ["7D 9C", "4C 5C"], "3S");
    assert_eq!(act(&game, &mut state, "guess red").unwrap(), "seat 0 guesses `red`: wrong");
    assert_eq!(state.stage().phase(), Phase::Play(Seat(1)));
    let told = act(&game, &mut state, "guess colour changes").unwrap();
    assert!(told.contains("seat 1 has found the rule"), "{told}");
    assert_eq!(state.stage().points(), [2, -1, 2]);
    let (game, mut state) = begin(json!({"players": 3, "guess": false}), ["7D 9C", "4C 5C"], "3S");
    let refused = act(&game, &mut state, "guess colour changes").unwrap_err();
    assert_eq!(refused, "guesses are not played here (try a card)");
    let refused = act(&game, &mut state, "no play").unwrap_err();
    assert_eq!(refused, "the game of 1959 has no such move (try a card with `play CARD`)");
}
