//! The counting of deals against data, against a second method, and against trying everything.

use crate::support::hands::{self, Counted};
use ken_games::cards::CardSet;
use ken_games::cluedo::count::Deals;
use ken_games::cluedo::position::{Constraints, Deal};
use ken_games::cluedo::{Cluedo, Deck};
use ken_games::dice::{Dice, mix};
use ken_games::game::Seat;
use serde_json::Value;
use std::collections::BTreeMap;

const COUNTS: &str = include_str!("../data/cluedo-counts.json");
const KNOWLEDGE: &str = include_str!("../data/cluedo-knowledge.json");

fn counted(deck: &Deck, constraints: &Constraints) -> Counted {
    let deals = Deals::of(deck, constraints);
    Counted { total: deals.total(), marginals: deals.marginals(), envelopes: deals.envelopes() }
}

fn agrees_with_the_data(case: &Value) {
    let position = crate::support::position(&case["position"]);
    let deck = position.deck();
    let ours = counted(deck, &Constraints::of(&position));
    assert_eq!(ours.total, u128::from(case["deals"].as_u64().unwrap()), "{case}");
    assert_eq!(ours.envelopes.len() as u64, case["envelopes"].as_u64().unwrap(), "{case}");
    for (row, expected) in ours.marginals.iter().zip(case["marginals"].as_array().unwrap()) {
        for card in deck.cards().iter() {
            assert_eq!(row[card.index()], u128::from(expected[deck.name(card)].as_u64().unwrap()), "{case}");
        }
    }
}

#[test]
fn the_full_size_positions_of_the_data_have_their_counts() {
    let cases = crate::support::cases(COUNTS);
    assert_eq!(cases.len(), 16);
    cases.iter().for_each(agrees_with_the_data);
}

#[test]
fn the_small_positions_of_the_data_without_endmoves_have_their_counts() {
    let mut cases = crate::support::cases(KNOWLEDGE);
    cases.retain(|c| c["position"]["events"].as_array().unwrap().iter().all(|e| e.get("endmove").is_none()));
    assert!(cases.len() >= 10, "{}", cases.len());
    cases.iter().for_each(agrees_with_the_data);
}

/// A game of 2 to 6 with a small deck of 1 to 5 categories.
fn small_game(dice: &mut Dice) -> Cluedo {
    let seats = 2 + dice.below(5);
    let categories = 1 + dice.below(5);
    let mut sizes: Vec<usize> = (0..categories).map(|_| 1 + dice.below(3)).collect();
    while sizes.iter().sum::<usize>() < seats + categories {
        let k = dice.below(categories);
        sizes[k] += 1;
    }
    Cluedo::new(crate::support::deck(&sizes), seats as u8).unwrap()
}

#[test]
fn counting_by_hands_finds_the_same_in_small_matches() {
    for case in 0..3000 {
        let mut dice = Dice::new(mix(1, case));
        let game = small_game(&mut dice);
        let asks = dice.below(20);
        let position = crate::support::played(&game, asks, true, &mut dice);
        let constraints = Constraints::of(&position);
        let ours = counted(game.deck(), &constraints);
        assert!(ours.total > 0, "the true deal fits");
        assert_eq!(ours, hands::count(game.deck(), &constraints), "case {case}: {position:?}");
    }
}

#[test]
fn counting_by_hands_finds_the_same_in_constraints_that_no_match_makes() {
    let mut contradictory = 0;
    for case in 0..3000 {
        let mut dice = Dice::new(mix(2, case));
        let game = small_game(&mut dice);
        let constraints = wild(&game, &mut dice);
        let ours = counted(game.deck(), &constraints);
        contradictory += u32::from(ours.total == 0);
        assert_eq!(ours, hands::count(game.deck(), &constraints), "case {case}: {constraints:?}");
    }
    assert!((300..2700).contains(&contradictory), "{contradictory}");
}

/// Random masks, clauses of any cards, and excluded envelopes; nobody observes.
fn wild(game: &Cluedo, dice: &mut Dice) -> Constraints {
    let deck = game.deck();
    let mut sizes = game.hand_sizes();
    // Sizes that no dealer makes, an empty hand among them.
    for _ in 0..dice.below(3) {
        let (from, to) = (dice.below(sizes.len()), dice.below(sizes.len()));
        if sizes[from] > 0 {
            sizes[from] -= 1;
            sizes[to] += 1;
        }
    }
    let seats = sizes.len();
    sizes.push(deck.categories() as u8);
    let all = ((1u16 << (seats + 1)) - 1) as u8;
    let sparse = dice.below(4);
    let may = (0..deck.len())
        .map(|_| (0..sparse).fold(all, |mask, _| mask & !(1 << dice.below(2 * seats + 2).min(7))))
        .collect();
    let any = |dice: &mut Dice| deck.cards().iter().filter(|_| dice.below(3) == 0).collect::<CardSet>();
    let some = (0..dice.below(8)).map(|_| (Seat(dice.below(seats) as u8), any(dice))).collect();
    let triples = deck.triples(deck.cards());
    let never = (0..dice.below(5)).map(|_| *dice.pick(&triples)).collect();
    Constraints { sizes, may, some, never }
}

#[test]
fn counting_by_hands_finds_the_same_with_the_classic_deck() {
    for case in 0..200 {
        let mut dice = Dice::new(mix(3, case));
        let seats = 2 + case % 5;
        let game = Cluedo::classic(seats as u8);
        // Early positions of many seats have too many hands for the second method.
        let asks = dice.below(40) + [0, 0, 4, 14, 20, 24, 24][seats as usize];
        let position = crate::support::played(&game, asks, true, &mut dice);
        let constraints = Constraints::of(&position);
        let ours = counted(game.deck(), &constraints);
        assert_eq!(ours, hands::count(game.deck(), &constraints), "case {case}: {position:?}");
    }
}

#[test]
fn counting_by_hands_finds_the_same_with_other_editions() {
    for case in 0..40 {
        let mut dice = Dice::new(mix(4, case));
        let (deck, seats) = match case % 4 {
            0 => (crate::support::deck(&[10, 8, 12]), 6),
            1 => (crate::support::deck(&[6, 6, 6, 6]), 4),
            2 => (crate::support::deck(&[8, 8, 8, 8, 8]), 6),
            _ => (crate::support::deck(&[13, 13, 14]), 3),
        };
        let game = Cluedo::new(deck, seats).unwrap();
        let asks = 90 + dice.below(60);
        let position = crate::support::played(&game, asks, false, &mut dice);
        let constraints = Constraints::of(&position);
        let ours = counted(game.deck(), &constraints);
        assert_eq!(ours, hands::count(game.deck(), &constraints), "case {case}: {position:?}");
    }
}

#[test]
fn the_opening_of_six_has_as_many_deals_as_combinatorics_says() {
    let mut dice = Dice::new(5);
    let position = crate::support::played(&Cluedo::classic(6), 0, false, &mut dice);
    let deck = position.deck();
    let deals = Deals::of(deck, &Constraints::of(&position));
    let envelopes: u128 = (0..3).map(|k| deck.category(k).minus(position.hand()).len() as u128).product();
    let hands = (1..=15u128).product::<u128>() / 6u128.pow(5);
    assert_eq!(deals.total(), envelopes * hands);
    assert!(deals.envelopes().iter().all(|&(_, n)| n == hands));
}

#[test]
fn the_list_is_what_trying_every_place_finds() {
    for case in 0..300 {
        let mut dice = Dice::new(mix(6, case));
        let seats = 2 + dice.below(2) as u8;
        let game = Cluedo::new(crate::support::deck(&[2, 3, 3]), seats).unwrap();
        let constraints = match case % 2 {
            0 => wild(&game, &mut dice),
            _ => Constraints::of(&crate::support::played(&game, case as usize % 7, true, &mut dice)),
        };
        let deals = Deals::of(game.deck(), &constraints);
        let brute = hands::brute(game.deck(), &constraints);
        if let Some(fewer) = brute.len().checked_sub(1) {
            assert_eq!(deals.list(fewer), None);
        }
        assert_eq!(deals.list(brute.len()), Some(brute), "case {case}");
    }
}

#[test]
fn samples_fit_and_contradictions_have_none() {
    for case in 0..300 {
        let mut dice = Dice::new(mix(7, case));
        let game = small_game(&mut dice);
        let constraints = wild(&game, &mut dice);
        let deals = Deals::of(game.deck(), &constraints);
        match deals.sample(&mut dice) {
            None => assert_eq!(deals.total(), 0),
            Some(deal) => assert!(constraints.admits(&deal) && game.deck().is_triple(deal.envelope())),
        }
    }
}

#[test]
fn samples_are_uniform() {
    let mut dice = Dice::new(8);
    let game = Cluedo::new(crate::support::deck(&[2, 3, 3]), 3).unwrap();
    let position = crate::support::played(&game, 0, false, &mut dice);
    let mut constraints = Constraints::of(&position);
    constraints.some.push((position.observer().next(3), game.deck().category(2)));
    constraints.never.push(game.deck().triples(game.deck().cards().minus(position.hand()))[0]);
    let deals = Deals::of(game.deck(), &constraints);
    let all = deals.list(200).unwrap();
    assert!(all.len() >= 10, "{}", all.len());
    let mut seen: BTreeMap<Deal, f64> = all.iter().map(|d| (d.clone(), 0.0)).collect();
    let drawn = 200 * all.len();
    for _ in 0..drawn {
        *seen.get_mut(&deals.sample(&mut dice).unwrap()).unwrap() += 1.0;
    }
    let chi: f64 = seen.values().map(|n| (n - 200.0) * (n - 200.0) / 200.0).sum();
    let freedom = (all.len() - 1) as f64;
    // Mean and deviation of chi-square; four deviations on either side.
    assert!((chi - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "{chi} of {freedom}");
}

#[test]
fn whoever_answers_every_question_holds_a_category() {
    for sizes in [[6, 6, 9], [7, 8, 9]] {
        let deck = crate::support::deck(&sizes);
        let hand = 8;
        let rest = (deck.len() - 3 - hand) as u8;
        let sizes = vec![hand as u8, rest / 2, rest - rest / 2, 3];
        let some = deck.triples(deck.cards()).into_iter().map(|t| (Seat(0), t)).collect();
        let constraints = Constraints { sizes, may: vec![0b1111; deck.len()], some, never: Vec::new() };
        assert_eq!(Deals::of(&deck, &constraints).total(), 0, "one card of each category lies in the envelope");
    }
}

#[test]
fn hundreds_of_clauses_of_one_seat_are_counted() {
    // Seat 0 holds all but the first card of the suspects, so that it can answer every question without that card.
    let deck = Deck::classic();
    let lies = deck.category(0).lowest().unwrap();
    let asked = deck.triples(deck.cards().without(lies));
    let some = asked.iter().map(|&t| (Seat(0), t)).collect();
    let constraints = Constraints { sizes: vec![6, 6, 6, 3], may: vec![0b1111; 21], some, never: Vec::new() };
    assert_eq!(counted(&deck, &constraints), hands::count(&deck, &constraints));
}
