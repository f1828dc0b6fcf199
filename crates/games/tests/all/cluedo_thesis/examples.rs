//! The printed examples of sections 3.2.6, 3.3 and 4.6.

use crate::cluedo_thesis::cards;
use crate::cluedo_thesis::prolog::*;
use ken_games::cards::CardSet;
use ken_games::cluedo::Deck;
use ken_games::cluedo::players::modal::{Analyzer, Reading};
use ken_games::game::Seat;
use std::sync::Arc;

/// The first round of appendix A, on which section 3.3 works.
const ROUND: [Question; 6] = [
    ([4, 7, 16], 1, 5),
    ([5, 11, 16], 2, 4),
    ([6, 12, 21], 3, 5),
    ([6, 8, 14], 4, 1),
    ([1, 11, 17], 5, 3),
    ([4, 12, 19], 6, 2),
];

/// What `showcard/3` makes of it.
fn shown() -> Combinations {
    let five = [[16, 21], [7, 21], [4, 21], [16, 12], [7, 12], [4, 12], [16, 6], [7, 6], [4, 6]];
    vec![
        (2, single(&[4, 12, 19])),
        (3, single(&[1, 11, 17])),
        (4, single(&[5, 11, 16])),
        (5, five.map(|c| c.to_vec()).to_vec()),
        (6, vec![]),
        (1, single(&[6, 8, 14])),
    ]
}

fn single(cards: &[u8]) -> Vec<Vec<u8>> {
    cards.iter().map(|&c| vec![c]).collect()
}

fn rows<const N: usize>(of: [&[u8]; N]) -> Rows {
    of.iter().zip(1..).map(|(row, p)| (p, row.to_vec())).collect()
}

/// The rows of 3.3.3 after `nocard/3`, before `remover/5`.
fn before_removal() -> Rows {
    rows([
        &[8, 9, 15],
        &[2, 3, 5, 6, 8, 10, 12, 13, 14, 18, 19, 20, 21],
        &[1, 2, 3, 6, 8, 10, 12, 13, 14, 17, 18, 19, 20, 21],
        &[1, 2, 3, 5, 8, 10, 11, 13, 14, 17, 18, 19, 20],
        &[1, 2, 3, 4, 5, 7, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21],
        &[2, 3, 4, 5, 7, 10, 12, 13, 16, 18, 19, 20, 21],
    ])
}

/// The same rows after it: only player 1 may still hold 8.
fn after_removal() -> Rows {
    let mut rows = before_removal();
    rows[1..].iter_mut().for_each(|(_, row)| row.retain(|&c| c != 8));
    rows
}

/// What `anSC/5` leaves.
fn remaining() -> Combinations {
    let five = [[4, 12], [7, 12], [16, 12], [4, 21], [7, 21], [16, 21]];
    vec![
        (1, single(&[8])),
        (2, single(&[19, 12])),
        (3, single(&[17, 1])),
        (4, single(&[11, 5])),
        (5, five.map(|c| c.to_vec()).to_vec()),
        (6, vec![]),
    ]
}

/// The 18 states of the examples: player 1 with dagger, and player 2 with candlestick, in every room.
fn states() -> Vec<[u8; 3]> {
    winstates().into_iter().filter(|s| s[..2] == [1, 8] || s[..2] == [2, 7]).collect()
}

#[test]
fn the_first_who_holds_an_asked_card_answers() {
    // The deal of 3.2.4. The asked `s(5,6,20)` has two suspects, so it is no state of the game; and the example lists
    // the asker's own hand, which the text says is left out.
    let deal =
        [(1, [3, 19, 4]), (2, [15, 11, 7]), (3, [1, 21, 14]), (4, [9, 20, 12]), (5, [10, 18, 16]), (6, [5, 6, 13])];
    let deal = deal.map(|(p, hand)| (p, hand.to_vec()));
    assert_eq!(choice(&deal, [5, 6, 20]), Some((4, 20)));
    assert_eq!(choice(&deal, [2, 8, 17]), None);
}

#[test]
fn the_lists_of_showcard_are_as_printed() {
    let nine = [[16, 17], [7, 17], [4, 17], [16, 11], [7, 11], [4, 11], [16, 2], [7, 2], [4, 2]];
    assert_eq!(leggetil(&[], [4, 7, 16]), single(&[4, 7, 16]));
    assert_eq!(leggetil(&single(&[4, 7, 16]), [2, 11, 17]), nine.map(|c| c.to_vec()));
    assert_eq!(showcard(&ROUND, list()), shown());
}

#[test]
fn the_lists_of_showcard2_are_as_printed() {
    let pairs = |a: [u8; 3], b: [u8; 3]| -> Vec<Vec<u8>> {
        b.iter().flat_map(|&y| a.iter().map(move |&x| vec![x, y])).collect()
    };
    let sixes = [[4, 6], [7, 6], [16, 6], [4, 12], [7, 12], [16, 12], [4, 21], [7, 21], [16, 21]];
    let five = [17, 11, 1].iter().flat_map(|&z| sixes.iter().map(move |p| vec![p[0], p[1], z])).collect();
    let printed = vec![
        (1, pairs([14, 8, 6], [16, 7, 4])),
        (2, pairs([19, 12, 4], [16, 11, 5])),
        (3, pairs([17, 11, 1], [21, 12, 6])),
        (4, pairs([16, 11, 5], [14, 8, 6])),
        (5, five),
        (6, single(&[4, 12, 19])),
    ];
    assert_eq!(showcard2(&ROUND, shown()), printed);
}

#[test]
fn the_rows_of_nocard_are_as_printed_in_both_ways() {
    let all: Vec<u8> = (1..=21).collect();
    let printed = rows([
        &[2, 3, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16, 18, 20, 21],
        &[2, 3, 5, 6, 8, 9, 10, 12, 13, 14, 15, 18, 19, 20, 21],
        &[1, 2, 3, 6, 8, 9, 10, 12, 13, 14, 15, 17, 18, 19, 20, 21],
        &[1, 2, 3, 5, 8, 9, 10, 11, 13, 14, 15, 17, 18, 19, 20],
        &[1, 2, 3, 4, 5, 7, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21],
        &[2, 3, 4, 5, 7, 9, 10, 12, 13, 15, 16, 18, 19, 20, 21],
    ]);
    assert_eq!(nocard(&ROUND, rows([&all; 6])), printed);
    // Without hands nothing more follows in this round.
    let mut fast = analyzer_with(&rows([&all; 6]), Reading::MEANT);
    tell(&mut fast, &ROUND);
    assert_eq!(fast.rows(), sets(&printed));
}

#[test]
fn the_combinations_of_an_sc_are_as_printed() {
    assert_eq!(assemble(&single(&[6, 8, 14]), &[8, 9, 15]), single(&[8]));
    assert_eq!(an_sc(&[shown()], &before_removal()), remaining());
}

#[test]
fn the_rows_of_remover_are_as_printed() {
    let (mut rows, mut states) = (before_removal(), states());
    remover(&remaining(), &mut rows, &mut states);
    assert_eq!(rows, after_removal());
    assert!(states.len() == 9 && states.iter().all(|s| s[..2] == [2, 7]));
}

#[test]
fn the_analyzer_ends_as_printed_in_both_ways() {
    // The example gives the agent its hand as its row. In the program (3.4, appendix G) that row begins with all cards.
    let others: Vec<u8> = (1..=21).filter(|n| ![9, 15].contains(n)).collect();
    let begin = rows([&[8, 9, 15], &others, &others, &others, &others, &others]);
    let (mut slow, mut history, mut states) = (begin.clone(), Vec::new(), states());
    analyzer(&ROUND, &mut slow, &mut history, &mut states);
    assert_eq!(slow, after_removal());
    assert_eq!(history, [shown()]);
    assert_eq!(states.len(), 9);

    let mut fast = analyzer_with(&begin, Reading::MEANT);
    tell(&mut fast, &ROUND);
    assert_eq!(fast.rows(), sets(&after_removal()));
    assert_eq!(fast.open(), Deck::classic().cards().minus(cards(&[8])));
}

#[test]
fn a_card_that_nobody_can_hold_is_in_the_envelope() {
    let rows = rows([
        &[8, 9, 15],
        &[3, 5, 6, 10, 14, 18, 19],
        &[1, 2, 3, 6, 10, 13, 14, 17, 18],
        &[1, 2, 3, 5, 10, 11, 13, 14, 17, 20],
        &[1, 2, 3, 5, 7, 10, 11, 13, 16, 17, 18, 21],
        &[2, 3, 5, 7, 13, 16, 18],
    ]);
    let hand = cards(&[8, 9, 15]);
    let reading = Reading { missing: true, ..Reading::MEANT };
    for (reading, open) in [(Reading::MEANT, 192), (reading, 8)] {
        let analyzer = Analyzer::new(Arc::new(Deck::classic()), reading, Seat(0), hand, &[3; 6]);
        let mut analyzer = analyzer.with_rows(sets(&rows));
        analyzer.end_round();
        assert_eq!(analyzer.triples(), open);
        // The thesis eliminates every other suspect and weapon.
        assert_eq!(analyzer.open().is_disjoint(cards(&[1, 2, 3, 5, 6, 7, 8, 9, 10, 11])), reading.missing);
    }
}

#[test]
fn a_full_hand_excludes_the_rest() {
    let reading = Reading { full: true, ..Reading::MEANT };
    for reading in [Reading::MEANT, reading] {
        let mut analyzer = Analyzer::new(Arc::new(Deck::classic()), reading, Seat(0), cards(&[8, 9, 15]), &[3; 6]);
        for card in cards(&[4, 7, 16]).iter() {
            analyzer.shown(Seat(3), card);
        }
        analyzer.end_round();
        assert_eq!(analyzer.rows()[3] == cards(&[4, 7, 16]), reading.full);
    }
}

#[test]
fn repeating_finds_what_the_program_finds_a_round_later() {
    let row2 = [2, 3, 5, 6, 8, 10, 13, 14, 18, 19, 20, 21];
    let mut begin = before_removal();
    begin[0].1 = vec![1, 2, 8, 9, 12, 15];
    begin[1].1 = row2.to_vec();
    // What `anSC/5` is said to leave: 8 or 19 for player 2, and 5, 8 or 11 for player 4. The latter cannot come from a
    // question, which has one weapon; the analyzer does not mind.
    let round = [
        ([6, 8, 14], 6, 1),
        ([4, 8, 19], 1, 2),
        ([1, 11, 17], 2, 3),
        ([5, 8, 11], 3, 4),
        ([4, 7, 16], 4, 5),
        ([6, 12, 21], 4, 5),
    ];
    let once = {
        let mut rows = begin.clone();
        rows[1..].iter_mut().for_each(|(_, row)| row.retain(|&c| c != 8));
        sets(&rows)
    };
    let mut analyzer = analyzer_with(&begin, Reading::MEANT);
    tell(&mut analyzer, &round);
    assert_eq!(analyzer.rows(), once);
    assert!(cards(&[19]).is_subset(analyzer.open()));
    analyzer.end_round();
    assert!(cards(&[19]).is_disjoint(analyzer.open()));

    let mut analyzer = analyzer_with(&begin, Reading { repeat: true, ..Reading::MEANT });
    tell(&mut analyzer, &round);
    let without = |seat: usize| if seat == 1 { once[seat] } else { once[seat].minus(cards(&[19])) };
    assert_eq!(analyzer.rows(), (0..6).map(without).collect::<Vec<_>>());
    assert!(cards(&[19]).is_disjoint(analyzer.open()));
}

#[test]
fn an_unanswered_question_makes_the_printed_program_rule_out_the_truth() {
    // The deal of appendix A: player 2 asks for the winning suspect 4 and two own cards, and nobody answers. Then the
    // agent is shown these two.
    for (reading, sound) in [(Reading::MEANT, true), (Reading::PRINTED, false)] {
        let mut analyzer = Analyzer::new(Arc::new(Deck::classic()), reading, Seat(0), cards(&[15, 8, 9]), &[3; 6]);
        analyzer.asked(Seat(1), cards(&[4, 10, 19]), None);
        analyzer.end_round();
        for card in cards(&[10, 19]).iter() {
            analyzer.shown(Seat(1), card);
        }
        analyzer.end_round();
        assert_eq!(cards(&[4, 12, 20]).is_subset(analyzer.open()), sound, "{reading:?}");
    }
}

fn sets(rows: &Rows) -> Vec<CardSet> {
    rows.iter().map(|(_, row)| cards(row)).collect()
}

/// An analyzer of player 1 with given rows; no card is known.
fn analyzer_with(rows: &Rows, reading: Reading) -> Analyzer {
    let analyzer = Analyzer::new(Arc::new(Deck::classic()), reading, Seat(0), CardSet::EMPTY, &[3; 6]);
    analyzer.with_rows(sets(rows))
}

fn tell(analyzer: &mut Analyzer, round: &[Question]) {
    for &(asked, asker, answer) in round {
        analyzer.asked(Seat(asker - 1), cards(&asked), Some(Seat(answer - 1)));
    }
    analyzer.end_round();
}
