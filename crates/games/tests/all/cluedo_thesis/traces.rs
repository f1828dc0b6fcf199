//! The two printed games, question by question.

use crate::cluedo_thesis::cards;
use crate::cluedo_thesis::printed::{A, B, Printed};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::players::modal::{Analyzer, Reading};
use ken_games::cluedo::rules::State;
use ken_games::cluedo::{Action, Cluedo, Event};
use ken_games::game::{Game, Seat};

fn begin(game: &Cluedo, printed: &Printed) -> State {
    let hands = printed.hands.map(|h| h.map(|n| Card(n - 1)).to_vec());
    game.begin(cards(&printed.win), hands.to_vec()).0
}

/// Plays a question by the rules and compares the answer; returns the card that the thesis would show.
fn ask(game: &Cluedo, state: &mut State, printed: &Printed, question: ([u8; 3], u8, u8)) -> Option<u8> {
    let (asked, asker, answer) = question;
    let event = game.play(state, &Action::Suggest(cards(&asked))).unwrap();
    let by = (answer > 0).then(|| Seat(answer - 1));
    assert_eq!(event, Event::Asked { asker: Seat(asker - 1), cards: cards(&asked), answer: by });
    let first = by.map(|by| *printed.hands[by.index()].iter().find(|n| asked.contains(n)).unwrap());
    if let Some(n) = first {
        game.play(state, &Action::Show(Card(n - 1))).unwrap();
    }
    game.play(state, &Action::End).unwrap();
    first
}

#[test]
fn the_game_of_appendix_a_leaves_the_printed_numbers_of_triples() {
    let game = Cluedo::classic(6);
    let mut state = begin(&game, &A);
    let mut open = game.deck().cards().minus(cards(&A.hands[0]));
    let left = |open: CardSet| game.deck().triples(open).len();
    assert_eq!(left(open), A.first);
    let mut lefts = Vec::new();
    for round in A.rounds() {
        assert!(cards(&round.questions[0].0).is_subset(open), "the agent asks an open triple");
        for (i, &question) in round.questions.iter().enumerate() {
            let first = ask(&game, &mut state, &A, question);
            if i == 0 {
                assert_eq!(first, Some(round.shown));
                open = open.minus(cards(&[round.shown]));
                assert_eq!(left(open), round.left);
            }
        }
        lefts.push(round.left);
    }
    assert_eq!(lefts, [144, 126, 108, 72, 60, 48, 40, 30, 15, 10, 8, 6, 4, 2]);
    assert!(cards(&A.win).is_subset(open));
}

/// Replays game B and returns how many triples are left before and after each analysis.
fn replay(reading: Reading) -> Vec<(usize, usize)> {
    let game = Cluedo::classic(6);
    let mut state = begin(&game, &B);
    let mut analyzer = Analyzer::new(game.deck().clone(), reading, Seat(0), cards(&B.hands[0]), &[3; 6]);
    assert_eq!(analyzer.triples(), B.first);
    let mut lefts = Vec::new();
    for round in B.rounds() {
        for (i, &question) in round.questions.iter().enumerate() {
            let (asked, asker, answer) = question;
            let first = ask(&game, &mut state, &B, question);
            analyzer.asked(Seat(asker - 1), cards(&asked), Some(Seat(answer - 1)));
            if i == 0 {
                assert_eq!(first, Some(round.shown));
                analyzer.shown(Seat(answer - 1), Card(round.shown - 1));
            }
        }
        let before = analyzer.triples();
        analyzer.end_round();
        lefts.push((before, analyzer.triples()));
    }
    assert!(cards(&B.win).is_subset(analyzer.open()));
    lefts
}

#[test]
fn the_game_of_appendix_b_leaves_the_printed_numbers_of_triples() {
    let lefts: Vec<(usize, usize)> = B.rounds().iter().map(|r| (r.left, r.analyzed)).collect();
    assert_eq!(lefts, [(175, 175), (140, 140), (112, 112), (96, 72), (48, 30), (24, 6), (4, 4)]);
    // Every question of this game was answered, so both readings agree.
    assert_eq!(replay(Reading::MEANT), lefts);
    assert_eq!(replay(Reading::PRINTED), lefts);
}

#[test]
fn the_improvements_would_have_solved_the_game_of_appendix_b_earlier() {
    let lefts = replay(Reading::IMPROVED);
    let printed = B.rounds();
    assert!(lefts.iter().zip(&printed).all(|(l, r)| l.1 <= r.analyzed), "{lefts:?}");
    assert!(lefts.last().unwrap().1 < printed.last().unwrap().analyzed, "{lefts:?}");
}
