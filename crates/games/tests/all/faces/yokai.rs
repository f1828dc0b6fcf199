//! Yōkai as a page sees it.

use super::Asked;
use super::pages::{
    equal_memories_give_equal_answers, every_moment_is_answered, onlookers_see_nothing_hidden, since_is_minimal,
};
use ken_games::cards::Card;
use ken_games::conformance::random_match;
use ken_games::dice::Dice;
use ken_games::game::{Game, Notation, Player, Seat, Turn};
use ken_games::record::Match;
use ken_games::table::Face;
use ken_games::table::page::{Board, Known};
use ken_games::yokai::face::page::YokaiBoard;
use ken_games::yokai::players::PLAYERS;
use ken_games::yokai::{Action, Colour, Yokai};
use serde_json::json;

const QUESTIONS: [&str; 6] =
    ["K[1] K[0] col(3,red)", "grouped", "red", "col(99,red)", "C[0,1] same(1,2)", "K[0] !K[1] col(5,gb)"];

fn games() -> impl Iterator<Item = Yokai> {
    let flags = [false, true];
    flags.into_iter().flat_map(move |free_order| {
        flags.into_iter().flat_map(move |any_time| {
            flags.into_iter().map(move |oracle| Yokai { free_order, any_time, oracle, ..Yokai::PLAIN })
        })
    })
}

/// A match of random steps in which every mark is proper, and nobody stops.
fn proper(game: Yokai, seed: u64) -> Match<Yokai> {
    let mut dice = Dice::new(seed);
    let mut played = Match::deal(game, seed);
    while let Turn::Of(_) = played.turn() {
        let colouring = *played.state().colouring();
        let fit = |action: &Action| match action {
            Action::Mark(card, hint) => hint.has(colouring.of(*card)),
            Action::Stop => false,
            Action::Look(_) | Action::Move(..) | Action::Skip | Action::Activate => true,
        };
        let all = game.legal(played.state());
        let some: Vec<Action> = all.iter().copied().filter(fit).collect();
        let action = *dice.pick(if some.is_empty() { &all } else { &some });
        played.play(&action).expect("it is listed");
    }
    played
}

fn board(game: &Yokai, memory: &[ken_games::yokai::Sight], helper: u8, legal: &[Action]) -> YokaiBoard {
    match game.board(memory, helper, legal) {
        Board::Yokai(board) => board,
        Board::Cluedo(_) | Board::Eleusis(_) | Board::Plain(_) => panic!("a board of another game"),
    }
}

#[test]
fn every_question_is_answered_in_every_set_of_options() {
    for (seed, game) in (0..).zip(games()) {
        let played = random_match(&game, seed);
        every_moment_is_answered(&played, 1 + played.events().len() / 2, &QUESTIONS);
    }
    let played = proper(Yokai { oracle: true, ..Yokai::default() }, 1);
    every_moment_is_answered(&played, 1 + played.events().len() / 2, &QUESTIONS[..1]);
}

#[test]
fn equal_memories_give_byte_equal_answers() {
    let compared: usize =
        (0..2).map(|seed| equal_memories_give_equal_answers(&Yokai::default(), seed, 1, &QUESTIONS[..1])).sum();
    assert!(compared > 1, "{compared}");
}

#[test]
fn onlookers_see_no_colour_before_the_end() {
    let compared: usize = games().zip(0..).map(|(game, seed)| onlookers_see_nothing_hidden(&game, seed, 40)).sum();
    assert!(compared > 100, "{compared}");
    let played = random_match(&Yokai::default(), 3);
    let (_, lines) = played.events().split_last().expect("a match has events");
    for event in lines {
        let line = Yokai::default().onlooker(event).expect("everything has a public side");
        assert!(!line.contains("look") || Colour::ALL.iter().all(|c| !line.contains(c.name())), "{line}");
    }
}

#[test]
fn with_proper_hints_what_is_known_is_true() {
    let mut known = 0;
    for (seed, game) in (0..).zip(games()) {
        let played = proper(game, seed);
        let colouring = *played.state().colouring();
        for seat in Seat::all(2) {
            let memory = played.memory(seat);
            for n in (1..=memory.len()).step_by(17) {
                for chain in [vec![seat], vec![seat, seat.next(2)], vec![seat, seat.next(2), seat]] {
                    let rows = game.inspect(&memory[..n], &chain, "").expect("it can be asked").rows;
                    for row in rows.iter().filter(|row| row.fact.starts_with("col(")) {
                        let inside = row.fact.trim_start_matches("col(").trim_end_matches(')');
                        let (card, colour) = inside.split_once(',').expect("a card and a colour");
                        let card = Card(card.parse::<u8>().expect("a number") - 1);
                        let is = colouring.of(card).name() == colour;
                        match row.verdict {
                            Known::Known => assert!(is, "{} {chain:?}", row.fact),
                            Known::Excluded => assert!(!is, "{} {chain:?}", row.fact),
                            Known::Open => {}
                        }
                        known += usize::from(row.verdict == Known::Known);
                    }
                }
                for row in game.learned(&memory[..n]) {
                    let why = game.why(&memory[..n], &[seat], &row.fact).expect("it can be asked");
                    assert_eq!(why.verdict, row.verdict);
                }
            }
        }
    }
    assert!(known > 200, "{known}");
}

#[test]
fn since_is_the_first_moment() {
    let game = Yokai::default();
    let played = proper(game, 4);
    let checked =
        since_is_minimal(&played, |seat| vec![seat]) + since_is_minimal(&played, |seat| vec![seat, seat.next(2), seat]);
    assert!(checked > 10, "{checked}");
}

#[test]
fn at_level_0_a_colour_is_seen_only_in_the_turn_of_the_look() {
    let game = Yokai::default();
    let played = random_match(&game, 6);
    for seat in Seat::all(2) {
        let memory = played.memory(seat);
        for n in 1..memory.len() {
            let (table, notebook) = (board(&game, &memory[..n], 0, &[]), board(&game, &memory[..n], 1, &[]));
            assert!(!table.notebook && notebook.notebook);
            let seen = |board: &YokaiBoard| board.cards.iter().filter(|card| card.colour.is_some()).count();
            assert!(seen(&table) <= 2 && seen(&table) <= seen(&notebook));
            assert!(table.cards.iter().all(|card| card.colour.is_none() || card.fresh));
            assert!(table.cards.iter().all(|card| card.possible.is_empty() && card.partner_knows.is_none()));
        }
    }
}

#[test]
fn a_board_offers_what_is_legal_and_says_why_other_steps_are_not() {
    for (seed, game) in (0..).zip(games()) {
        let played = random_match(&game, seed);
        for (n, state) in played.states().iter().enumerate() {
            let Turn::Of(seat) = game.turn(state) else { continue };
            let legal = game.legal(state);
            let memory = &played.memory(seat)[..=n];
            let board = board(&game, memory, 1, &legal);
            for card in &board.cards {
                let looks = legal.contains(&Action::Look(Card(card.card - 1)));
                assert_eq!(looks, card.not_look.is_none(), "{:?}", card.not_look);
                assert_eq!(card.targets.is_empty(), card.not_move.is_some(), "{:?}", card.not_move);
            }
            let moves = legal.iter().filter(|a| matches!(a, Action::Move(..))).count();
            assert_eq!(board.cards.iter().map(|card| card.targets.len()).sum::<usize>(), moves);
        }
    }
}

#[test]
fn advice_comes_in_steps_and_ends_with_a_legal_move() {
    let game = Yokai::default();
    let played = proper(game, 2);
    for (n, state) in played.states().iter().enumerate().step_by(7) {
        let Turn::Of(seat) = game.turn(state) else { continue };
        let memory = &played.memory(seat)[..=n];
        let advice = |step| game.advice(memory, step).expect("it is the turn of the seat");
        assert!(advice(1).action.is_none() && advice(2).action.is_none());
        assert!(!advice(1).lines.is_empty());
        let action = game.read(&advice(3).action.expect("a move")).expect("it is written as it is read");
        assert!(game.legal(state).contains(&action));
    }
}

#[test]
fn every_player_that_is_offered_can_be_seated() {
    let info = Yokai::info();
    assert!(info.players.iter().any(|player| player.name == info.rival));
    assert_eq!(info.players.len(), PLAYERS.len());
    for player in &info.players {
        let mut seated: Box<dyn Player<Yokai>> = Yokai::default().player(&player.name, 1).expect("it is offered");
        let played = Match::deal(Yokai::default(), 1);
        seated.watch(&played.memory(Seat(0))[0]);
    }
    for option in &info.options {
        for choice in &option.choices {
            Yokai::with_options(&json!({option.name.clone(): choice.value})).expect("it is offered");
        }
    }
}

/// What the terminal and the browser show at a helper level is the same: the colours that are remembered, where the partner
/// looked, what follows, and what the partner is known to know.
#[test]
fn helper_levels_show_the_same_in_terminal_and_browser() {
    use ken_games::cards::CardSet;
    use ken_games::yokai::draw::cards;
    for seed in 0..2 {
        let game = Yokai::default();
        let played = proper(game, seed);
        for seat in Seat::all(2) {
            let memory = played.memory(seat);
            for n in (1..memory.len()).step_by(9) {
                for helper in 0..=4 {
                    let board = board(&game, &memory[..n], helper, &[]);
                    let having = |test: &dyn Fn(&ken_games::yokai::face::page::YokaiCard) -> bool| -> CardSet {
                        board.cards.iter().filter(|card| test(card)).map(|card| Card(card.card - 1)).collect()
                    };
                    let sheet = game.sheet(&memory[..n], helper);
                    let sheet = sheet.split_whitespace().collect::<Vec<_>>().join(" ");
                    let saw: Vec<String> = Colour::ALL
                        .map(|colour| (colour, having(&|card| card.colour.as_deref() == Some(colour.name()))))
                        .into_iter()
                        .filter(|(_, set)| !set.is_empty())
                        .map(|(colour, set)| format!("{colour} {}", cards(set)))
                        .collect();
                    let saw = if saw.is_empty() { "no card".to_string() } else { saw.join(", ") };
                    assert!(sheet.contains(&format!("you saw {saw}")), "level {helper}: {sheet}");
                    assert_eq!(game.hand(&memory[..n], helper), format!("you saw {saw}"));
                    let looked = having(&|card| !card.partner_looked.is_empty());
                    let told = format!("your partner looked at {}", cards(looked));
                    assert_eq!(sheet.contains("your partner looked at"), helper >= 1);
                    assert!(helper < 1 || sheet.contains(&told), "level {helper}: {sheet}");
                    assert!(helper >= 1 || looked.is_empty(), "at level 0 one remembers the partner's looks oneself");
                    for card in &board.cards {
                        assert_eq!(card.possible.is_empty(), helper < 2);
                        assert_eq!(card.partner_knows.is_some(), helper >= 3);
                        if card.colour.is_none() && (1..4).contains(&card.possible.len()) {
                            let colours = card.possible.join(" or ");
                            assert!(sheet.contains("it follows:") && sheet.contains(&colours), "{sheet}");
                        }
                    }
                    assert_eq!(sheet.contains("your partner knows the colours of"), helper >= 3);
                    let knows = having(&|card| card.partner_knows == Some(true));
                    let told = format!("your partner knows the colours of {}", cards(knows));
                    assert!(helper < 3 || sheet.contains(&told), "level {helper}: {sheet}");
                }
            }
        }
    }
}

#[test]
fn level_0_hides_remembered_colours_in_the_log_of_both_shells() {
    let game = Yokai::default();
    let played = proper(game, 2);
    for seat in Seat::all(2) {
        let memory = played.memory(seat);
        for n in 2..memory.len() {
            let board = board(&game, &memory[..n], 0, &[]);
            let shown = board.cards.iter().filter(|card| card.colour.is_some()).count();
            let named = |text: String| Colour::ALL.iter().any(|colour| text.ends_with(&format!(": {colour}")));
            let logged = (0..n).filter(|&event| named(game.tell_at(&memory[..n], event, 0))).count();
            assert_eq!(logged, shown, "the log has the colours of this turn and no other");
        }
    }
}
