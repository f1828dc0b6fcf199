//! Both games of Eleusis as a page sees them.

use super::Asked;
use super::pages::{
    equal_memories_give_equal_answers, every_moment_is_answered, onlookers_see_nothing_hidden, since_is_minimal,
};
use ken_games::conformance::random_match;
use ken_games::eleusis::face::page::EleusisBoard;
use ken_games::eleusis::moves::{Action, Sight, What};
use ken_games::eleusis::secret::Secret;
use ken_games::eleusis::table::{Eleusis, Phase};
use ken_games::eleusis::{Classic, Express, dealer};
use ken_games::game::{Notation, Player, Seat, Turn};
use ken_games::record::Match;
use ken_games::table::Face;
use ken_games::table::page::{Board, Known};
use serde_json::{Value, json};

const QUESTIONS: [&str; 12] = [
    "7C",
    "red",
    "next is red or next is 7",
    "alternate redd",
    "rule(if previous is black then odd else even)",
    "!accepts(7C)",
    "K[1] knows_rule(2)",
    "holds(1,7C)",
    "can_play(1)",
    "sure_play(2)",
    "K[2] can_play(1)",
    "accepts(99X)",
];

fn express(options: Value) -> Express {
    Express::with_options(&options).expect("options of Express")
}

fn classic(options: Value) -> Classic {
    Classic::with_options(&options).expect("options of the game of 1959")
}

fn expresses() -> Vec<Express> {
    let mut games: Vec<Express> = [3, 5, 8]
        .map(|players| express(json!({"players": players, "deck": {"values": 8}, "decks": 1, "hand": 1})))
        .into();
    for guess in ["accepted", "right", "always"] {
        let open = guess == "right";
        games.push(express(json!({"players": 3, "guess": guess, "deck": {"values": 5}, "hand": 2, "open": open})));
    }
    games.push(express(json!({"players": 3, "decks": 4, "deck": {"values": 2}, "hand": 3, "draw_refused": 3})));
    games.push(express(json!({"players": 4, "rounds": 2, "hand": 5})));
    games
}

fn classics() -> Vec<Classic> {
    vec![
        classic(json!({"players": 3, "moves": 12})),
        classic(json!({"players": 3, "guess": false, "deck": {"values": 4}, "open": true, "moves": 30})),
        classic(json!({"players": 4, "decks": 2, "deck": {"values": 3}, "rounds": 2, "moves": 10})),
    ]
}

/// A match of machine players.
fn played<G: Face>(game: &G, name: &str, seed: u64) -> Match<G> {
    let mut players: Vec<Box<dyn Player<G>>> =
        Seat::all(game.seats()).map(|s| game.player(name, seed + u64::from(s.0)).expect("a player")).collect();
    let mut played = Match::deal(game.clone(), seed);
    let tell = |players: &mut Vec<Box<dyn Player<G>>>, event: &G::Event| {
        for (seat, player) in Seat::all(game.seats()).zip(players) {
            player.watch(&game.sight(event, seat));
        }
    };
    tell(&mut players, &played.events()[0]);
    while let Turn::Of(seat) = played.turn() {
        let action = players[seat.index()].choose(&game.legal(played.state()));
        let event = played.play(&action).expect("a legal choice").clone();
        tell(&mut players, &event);
    }
    played
}

fn board<G: Face>(game: &G, memory: &[G::Sight], helper: u8, legal: &[G::Action]) -> EleusisBoard {
    match game.board(memory, helper, legal) {
        Board::Eleusis(board) => board,
        Board::Cluedo(_) | Board::Yokai(_) | Board::Plain(_) => panic!("a board of another game"),
    }
}

#[test]
fn every_question_is_answered_in_express() {
    for (seed, game) in (0..).zip(expresses()) {
        let played = random_match(&game, seed);
        every_moment_is_answered(&played, 1 + played.events().len() / 3, &QUESTIONS);
    }
}

#[test]
fn every_question_is_answered_in_the_game_of_1959() {
    for (seed, game) in (0..).zip(classics()) {
        let played = random_match(&game, seed);
        every_moment_is_answered(&played, 1 + played.events().len() / 3, &QUESTIONS);
    }
}

#[test]
fn every_question_is_answered_in_a_match_of_machines() {
    let game = Express::new(3);
    let played = played(&game, "careful", 5);
    every_moment_is_answered(&played, 1 + played.events().len() / 4, &QUESTIONS);
}

#[test]
fn equal_memories_give_byte_equal_answers() {
    let game = express(json!({"players": 3, "deck": {"values": 2}, "hand": 1}));
    let compared: usize = (0..2).map(|seed| equal_memories_give_equal_answers(&game, seed, 12, &QUESTIONS[..7])).sum();
    assert!(compared > 5, "{compared}");
}

#[test]
fn onlookers_see_no_hand_and_no_rule_before_its_time() {
    let small = json!({"players": 3, "deck": {"values": 2}, "hand": 1});
    let open = json!({"players": 3, "deck": {"values": 2}, "hand": 1, "open": true});
    let mut compared = 0;
    for seed in 0..4 {
        compared += onlookers_see_nothing_hidden(&express(small.clone()), seed, 60);
        compared += onlookers_see_nothing_hidden(&express(open.clone()), seed, 60);
        let game = classic(json!({"players": 3, "deck": {"values": 2}, "moves": 8}));
        compared += onlookers_see_nothing_hidden(&game, seed, 60);
    }
    assert!(compared > 200, "{compared}");
    let played = played(&Express::new(4), "random", 1);
    for event in played.events() {
        let line = played.game().onlooker(event).expect("everything has a public side");
        match &event.truth().what {
            What::Begun { .. } => assert_eq!(line, "the match begins"),
            What::Dealt { rule: Some(rule), .. } => assert!(!line.contains(&**rule), "{line}"),
            What::Dealt { .. }
            | What::Played { .. }
            | What::NoPlay { .. }
            | What::Discarded { .. }
            | What::Guessed { .. }
            | What::Passed { .. } => {}
        }
    }
}

/// The rule of the round on the table and the mainline, if the rule is one of the library.
fn truth<G: Eleusis>(played: &Match<G>, n: usize) -> Option<(Secret, Vec<ken_games::cards::Card>)> {
    let rule = played.events()[..n].iter().rev().find_map(|event| match &event.truth().what {
        What::Dealt { rule, .. } => rule.clone(),
        _ => None,
    })?;
    let deck = played.game().table().deck();
    let secret = Secret::read(&rule, deck).ok()?;
    let known = dealer::library(deck).iter().any(|other| other.automaton() == secret.automaton());
    let line = played.states()[n - 1].stage().layout().mainline().to_vec();
    known.then_some((secret, line))
}

#[test]
fn if_the_rule_is_of_the_library_what_is_known_is_true() {
    let game = express(json!({"players": 3}));
    let (mut checked, mut sure) = (0, 0);
    for seed in 0..4 {
        let played = played(&game, "careful", seed);
        let deck = game.table().deck();
        for n in (1..=played.events().len()).step_by(3) {
            let Some((rule, line)) = truth(&played, n) else { continue };
            let accepted = rule.rule().accepted(&line);
            for seat in Seat::all(3) {
                let memory = &played.memory(seat)[..n];
                for chain in [vec![seat], vec![seat, seat.next(3)], vec![seat, seat.next(3), seat]] {
                    let rows = game.inspect(memory, &chain, "").expect("it can be asked").rows;
                    for row in &rows {
                        let card =
                            row.fact.strip_prefix("accepts(").and_then(|rest| deck.read(rest.trim_end_matches(')')));
                        let same = row.fact == format!("rule({})", rule.text());
                        match (card, row.verdict) {
                            (Some(card), Known::Known) => assert!(accepted.has(card), "{}", row.fact),
                            (Some(card), Known::Excluded) => assert!(!accepted.has(card), "{}", row.fact),
                            (None, Known::Excluded) => assert!(!same, "{}", row.fact),
                            (_, Known::Open) | (None, Known::Known) => {}
                        }
                        checked += 1;
                        sure += usize::from(row.verdict != Known::Open);
                    }
                }
            }
        }
    }
    assert!(checked > 1_000 && sure > 200, "{sure} of {checked}");
}

#[test]
fn rows_agree_with_the_engine_for_every_chain() {
    let game = express(json!({"players": 3}));
    let played = played(&game, "careful", 2);
    let middle = played.events().len() / 2;
    for n in [3, middle, middle + 2, played.events().len()] {
        for seat in Seat::all(3) {
            let memory = &played.memory(seat)[..n];
            for other in Seat::all(3) {
                for chain in [vec![seat, other], vec![seat, other, seat]] {
                    let rows = game.inspect(memory, &chain, "").expect("it can be asked").rows;
                    for row in rows.iter().step_by(5) {
                        let why = game.why(memory, &chain, &row.fact).expect("it can be asked");
                        assert_eq!(why.verdict, row.verdict, "{chain:?} {} after {n}", row.fact);
                    }
                }
            }
        }
    }
}

#[test]
fn since_is_the_first_moment() {
    let game = express(json!({"players": 3}));
    let played = played(&game, "careful", 1);
    let checked =
        since_is_minimal(&played, |seat| vec![seat]) + since_is_minimal(&played, |seat| vec![seat, seat.next(3)]);
    assert!(checked > 10, "{checked}");
}

#[test]
fn the_dealer_sees_its_rule_and_nobody_else_does() {
    let game = Express::new(4);
    let played = played(&game, "careful", 3);
    for (n, state) in played.states().iter().enumerate() {
        for seat in Seat::all(4) {
            let memory = &played.memory(seat)[..=n];
            let board = board(&game, memory, 3, &[]);
            let deals = board.dealer == seat.0 && !matches!(state.stage().phase(), Phase::Rule(_) | Phase::Over);
            assert_eq!(board.rule.is_some(), deals);
            assert!(!deals || board.hypotheses.is_none());
            assert!(board.hands.iter().all(|hand| hand.cards.is_none()));
        }
    }
    let last = board(&game, &played.memory(Seat(0)), 0, &[]);
    assert_eq!((last.ended.len(), last.phase.as_str()), (4, "over"));
}

/// The first state in which some seat may do this, with the seat's memory.
fn moment<G: Face<Action = Action, Sight = Sight>>(
    played: &Match<G>,
    may: fn(&Action) -> bool,
) -> (Seat, Vec<Sight>, Vec<Action>) {
    let game = played.game();
    let found = played.states().iter().enumerate().skip(8).find_map(|(n, state)| {
        let Turn::Of(seat) = game.turn(state) else { return None };
        let legal = game.legal(state);
        legal.iter().any(may).then(|| (seat, played.memory(seat)[..=n].to_vec(), legal))
    });
    found.expect("it comes up")
}

#[test]
fn a_rule_is_measured_before_it_is_dealt() {
    let game = Express::new(3);
    let played = played(&game, "careful", 3);
    let (_, memory, legal) = moment(&played, |a| matches!(a, Action::Rule(_)));
    let preview = |text: &str| game.preview(&memory, &game.read(text).expect("an action"), 0);
    let fair = preview("rule alternate red and black");
    assert!(fair.legal && fair.share.is_some_and(|s| (s - 0.5).abs() < 1e-9) && fair.samples.len() == 3);
    assert!(fair.lines.iter().any(|line| line.starts_with("Fair")), "{:?}", fair.lines);
    assert!(preview("rule any card").lines.iter().any(|line| line.starts_with("Not fair")));
    let wrong = preview("rule alternate redd and black");
    assert!(!wrong.legal && wrong.why_not.is_some() && !wrong.marks.is_empty());
    let board = board(&game, &memory, 0, &legal);
    assert!(board.library.len() > 100 && board.library.iter().take(9).all(|rule| rule.share.is_some()));
}

#[test]
fn a_guess_shows_how_many_judgements_it_fits_from_level_1_on() {
    let game = Express::new(3);
    let played = played(&game, "careful", 3);
    let (_, memory, _) = moment(&played, |a| matches!(a, Action::Guess(_)));
    let guess = game.read("guess any card").expect("an action");
    assert_eq!(game.preview(&memory, &guess, 0).fits, None);
    let (right, of) = game.preview(&memory, &guess, 1).fits.expect("it is checked");
    assert!(right <= of && of > 0);
    let none = game.read("guess never").expect("an action");
    assert!(game.preview(&memory, &none, 1).lines.iter().any(|line| line.starts_with("It cannot be")));
}

fn advice_is_legal<G: Face>(played: &Match<G>) -> usize {
    let game = played.game();
    let mut given = 0;
    for (n, state) in played.states().iter().enumerate() {
        let Turn::Of(seat) = game.turn(state) else { continue };
        let mut state = state.clone();
        let memory = &played.memory(seat)[..=n];
        let advice = game.advice(memory, 3).expect("it is the turn of the seat");
        let action = game.read(&advice.action.expect("a move")).expect("it is written as it is read");
        game.play(&mut state, &action).unwrap_or_else(|e| panic!("{action:?}: {e}"));
        assert!(game.advice(memory, 1).is_ok_and(|a| a.action.is_none() && !a.lines.is_empty()));
        given += 1;
    }
    given
}

#[test]
fn advice_ends_with_a_move_that_can_be_played() {
    let given = advice_is_legal(&played(&Express::new(3), "random", 1))
        + advice_is_legal(&played(&Express::new(4), "careful", 2))
        + advice_is_legal(&random_match(&classic(json!({"players": 3, "moves": 30})), 3));
    assert!(given > 50, "{given}");
}

#[test]
fn what_is_offered_before_the_deal_can_be_played() {
    fn check<G: Face>() {
        let info = G::info();
        assert_eq!(info.name, G::NAME);
        assert!(info.players.iter().any(|player| player.name == info.rival));
        for option in &info.options {
            assert!(option.choices.iter().any(|choice| choice.value == option.usual), "{}", option.name);
            for choice in &option.choices {
                let options = json!({"players": 3, option.name.clone(): choice.value});
                let game = G::with_options(&options).unwrap_or_else(|e| panic!("{options}: {e}"));
                for player in &info.players {
                    assert!(game.player(&player.name, 1).is_ok());
                }
            }
        }
    }
    check::<Express>();
    check::<Classic>();
}
