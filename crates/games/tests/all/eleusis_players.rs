//! What the players of Eleusis do with what they see.

use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::moves::{Action, What};
use ken_games::eleusis::players::survivors::Survivors;
use ken_games::eleusis::players::{PLAYERS, seat};
use ken_games::eleusis::secret::Secret;
use ken_games::eleusis::table::{Eleusis, State};
use ken_games::eleusis::{Classic, Express, dealer};
use ken_games::game::{Game, Notation, Outcome, Player, Seat, Turn};
use std::sync::Arc;

fn card(text: &str) -> Card {
    Deck::STANDARD.read(text).expect("a card")
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(card).collect()
}

fn family(texts: &[&str]) -> Arc<[Arc<Secret>]> {
    texts.iter().map(|text| Arc::new(Secret::read(text, &Deck::STANDARD).expect("a rule"))).collect()
}

/// Plays a match and calls `look` with every action, the state before it, and the event.
fn play<G: Eleusis + Notation + 'static>(
    game: &G,
    names: &[&str],
    seed: u64,
    mut look: impl FnMut(&State, &Action, &G::Event),
) -> Outcome {
    let mut players: Vec<Box<dyn Player<G>>> =
        names.iter().enumerate().map(|(i, name)| seat(name, game, seed + i as u64).expect("a player")).collect();
    let (mut state, event) = game.deal(&mut Dice::new(seed));
    let show = |players: &mut [Box<dyn Player<G>>], event: &G::Event| {
        for (seat, player) in Seat::all(game.seats()).zip(players) {
            player.watch(&game.sight(event, seat));
        }
    };
    show(&mut players, &event);
    loop {
        let seat = match game.turn(&state) {
            Turn::Over(outcome) => return outcome,
            Turn::Of(seat) => seat,
        };
        let action = players[seat.index()].choose(&game.legal(&state));
        let before = state.clone();
        let event = game.play(&mut state, &action).unwrap_or_else(|e| panic!("{}: {e}", game.write(&action)));
        look(&before, &action, &event);
        show(&mut players, &event);
    }
}

#[test]
fn every_player_plays_both_games_by_the_rules() {
    for info in PLAYERS {
        for seed in 0..3 {
            let express = play(&Express::new(4), &[info.name; 4], seed, |_, _, _| {});
            assert_eq!(express.scores.len(), 4);
            let classic = play(&Classic::new(3), &[info.name; 3], seed, |_, _, _| {});
            assert_eq!(classic.scores.len(), 3);
        }
    }
    let wrong = seat("carful", &Express::new(3), 0).err().expect("no such player");
    assert_eq!(wrong.to_string(), "there is no player `carful` (did you mean `careful`?)");
}

#[test]
fn the_random_player_guesses_only_when_it_must() {
    let mut guesses = 0;
    for seed in 0..10 {
        play(&Express::new(3), &["random"; 3], seed, |before, action, _| {
            if let (Action::Guess(_), Turn::Of(seat)) = (action, Express::new(3).turn(before)) {
                assert!(before.hand(seat).is_empty());
                guesses += 1;
            }
        });
    }
    assert!(guesses > 0, "somebody ran out of cards");
}

#[test]
fn the_careful_player_beats_the_random_one() {
    let (mut careful, mut random) = (0, 0);
    for seed in 0..10 {
        let outcome = play(&Express::new(4), &["careful", "random", "careful", "random"], seed, |_, _, _| {});
        careful += outcome.scores[0] + outcome.scores[2];
        random += outcome.scores[1] + outcome.scores[3];
    }
    assert!(careful > random + 100, "careful {careful}, random {random}");
}

#[test]
fn the_careful_player_never_plays_what_it_knows_to_be_refused_while_it_has_something_better() {
    // With a rule of its family, all its survivors include the truth: a card that all accept is accepted.
    let game = Express::new(3);
    let library = dealer::library(&Deck::STANDARD);
    let mut sure = 0;
    for seed in 0..12 {
        let mut survivors = Survivors::new(library.clone());
        play(&game, &["careful"; 3], seed, |before, action, event| {
            let known = before.rule().is_some_and(|rule| library.iter().any(|s| s.text() == rule.text()));
            if let (true, Action::Play(card)) = (known, action) {
                let accepting = survivors.accepting(*card);
                if survivors.count() > 0 && accepting == survivors.count() {
                    assert!(before.accepted().has(*card));
                    sure += 1;
                }
                assert!(accepting > 0, "it says `no play` when no rule accepts a card");
            }
            let sight = game.sight(event, Seat(0));
            survivors.learn(&sight.what, before.stage().layout(), |text| game.table().menu().secret(text).ok());
        });
    }
    assert!(sure > 20, "{sure} sure cards");
}

#[test]
fn survivors_are_the_rules_that_judge_every_card_as_it_was_judged() {
    let mut survivors = Survivors::new(family(&["red", "black", "alternate red and black", "parity changes"]));
    survivors.deal(card("3S"));
    survivors.judged(card("7D"), true);
    assert_eq!(survivors.count(), 2, "red, and alternate");
    survivors.judged(card("9C"), false);
    assert_eq!(survivors.count(), 1);
    assert_eq!(&**survivors.agreed().expect("one is left").text(), "red");
    assert_eq!(survivors.accepting(card("2H")), 1);
}

#[test]
fn a_shown_hand_and_the_lowest_card_tell_what_is_refused() {
    let none = |_: &str| None;
    let layout = ken_games::eleusis::layout::Layout::start(card("3S"));
    let drawn = ken_games::eleusis::moves::Cards::Hidden(0);
    let shown = |laid: Option<&str>| What::NoPlay {
        seat: Seat(0),
        hand: cards("2C 4D 5D"),
        laid: laid.map(card),
        drawn: drawn.clone(),
    };
    let mut survivors = Survivors::new(family(&["odd", "black", "5 to K", "higher"]));
    survivors.deal(card("3S"));
    survivors.learn(&shown(Some("5D")), &layout, none);
    // 2C and 4D are refused, 5D is accepted: black and higher are out.
    let left: Vec<&str> = survivors.iter().map(|(rule, _)| &**rule.text()).collect();
    assert_eq!(left, ["odd", "5 to K"]);
    survivors.deal(card("3S"));
    survivors.learn(&shown(None), &layout, none);
    assert_eq!(survivors.count(), 0, "each of them accepts some card of the hand");
}

#[test]
fn a_wrong_guess_rules_out_what_is_the_same_from_here() {
    let mut survivors = Survivors::new(family(&["alternate red and black", "different colour", "red"]));
    let layout = ken_games::eleusis::layout::Layout::start(card("3S"));
    survivors.deal(card("3S"));
    let guess = Secret::read("color(next) != color(prev)", &Deck::STANDARD).expect("a rule");
    survivors.wrong(&guess, &layout);
    let left: Vec<&str> = survivors.iter().map(|(rule, _)| &**rule.text()).collect();
    assert_eq!(left, ["red"]);
}

#[test]
fn the_careful_player_finds_rules_of_its_family() {
    let mut found = 0;
    for seed in 0..8 {
        play(&Express::new(3), &["careful"; 3], seed, |_, action, event| {
            if let What::Guessed { right: true, .. } = event.truth().what {
                assert!(matches!(action, Action::Guess(_)));
                found += 1;
            }
        });
    }
    assert!(found > 4, "{found} rules found");
}
