//! How questions split the deals: counted along the diagram, against every deal one by one.

use crate::support::{deck, played};
use ken_games::cards::CardSet;
use ken_games::cluedo::Cluedo;
use ken_games::cluedo::ask::{Expected, expected};
use ken_games::cluedo::count::Deals;
use ken_games::cluedo::position::{Constraints, Deal, Position};
use ken_games::cluedo::rules::asked;
use ken_games::dice::{Dice, mix};
use ken_games::game::Seat;
use std::collections::BTreeMap;

/// What asking for `cards` tells on average, by the definitions: each deal once, each card that can be shown equally.
fn by_listing(deals: &[Deal], asker: Seat, seats: u8, sees_card: bool, cards: CardSet) -> Expected {
    let mut joint: BTreeMap<(u8, u8, CardSet), f64> = BTreeMap::new();
    let mut told = Expected { answers: vec![0.0; seats as usize + 1], ..Expected::default() };
    let each = 1.0 / deals.len() as f64;
    let mut choice = 0.0;
    for deal in deals {
        let responder = asked(asker, seats).find(|&seat| !deal.hand(seat).is_disjoint(cards));
        told.answers[responder.map_or(seats as usize, Seat::index)] += each;
        told.wins += if deal.envelope() == cards { each } else { 0.0 };
        let can: Vec<u8> = match responder {
            Some(seat) if sees_card => deal.hand(seat).and(cards).iter().map(|card| card.0).collect(),
            Some(_) | None => vec![0],
        };
        choice += each * (can.len() as f64).log2();
        for &card in &can {
            let answer = (responder.map_or(seats, |seat| seat.0), card, deal.envelope());
            *joint.entry(answer).or_default() += each / can.len() as f64;
        }
    }
    let (mut answers, mut envelopes) = (BTreeMap::new(), BTreeMap::new());
    for (&(seat, card, envelope), p) in &joint {
        *answers.entry((seat, card)).or_insert(0.0) += p;
        *envelopes.entry(envelope).or_insert(0.0) += p;
    }
    let entropy = |ps: &mut dyn Iterator<Item = f64>| ps.map(|p| -p * p.log2()).sum::<f64>();
    let of_answers = entropy(&mut answers.into_values());
    told.deal_bits = of_answers - choice;
    told.envelope_bits = of_answers + entropy(&mut envelopes.into_values()) - entropy(&mut joint.into_values());
    told
}

fn assert_alike(found: &Expected, right: &Expected, what: &str) {
    let pairs =
        [(found.wins, right.wins), (found.envelope_bits, right.envelope_bits), (found.deal_bits, right.deal_bits)];
    let answers = found.answers.iter().copied().zip(right.answers.iter().copied());
    for (found_number, right_number) in pairs.into_iter().chain(answers) {
        assert!((found_number - right_number).abs() < 1e-9, "{what}: {found:?}, but {right:?}");
    }
}

fn compare(position: &Position, asker: Seat, sees_card: bool, questions: &[CardSet], what: &str) {
    let deals = Deals::of(position.deck(), &Constraints::of(position)).list(usize::MAX).unwrap();
    let found = expected(position, asker, sees_card, questions, u64::MAX);
    let Some(found) = found else {
        assert!(deals.is_empty(), "{what}");
        return;
    };
    for (&cards, found) in questions.iter().zip(&found) {
        assert_alike(found, &by_listing(&deals, asker, position.seats(), sees_card, cards), what);
    }
}

#[test]
fn counting_along_the_diagram_agrees_with_every_deal_of_small_decks() {
    let shapes: [(&[usize], u8); 8] = [
        (&[3, 3, 4], 3),
        (&[4, 4, 4], 2),
        (&[3, 3, 4], 4),
        (&[3, 3, 3], 6),
        (&[4, 5], 3),
        (&[7], 3),
        (&[2, 3, 2, 3], 3),
        (&[2, 2, 2, 2, 2], 5),
    ];
    for (i, (sizes, seats)) in shapes.into_iter().enumerate() {
        let game = Cluedo::new(deck(sizes), seats).unwrap();
        for round in 0..24 {
            let mut dice = Dice::new(mix(i as u64, round));
            let position = played(&game, round as usize % 6, true, &mut dice);
            let all = game.deck().triples(game.deck().cards());
            let asker = Seat(dice.below(seats.into()) as u8);
            let what = format!("sizes {sizes:?}, {seats} seats, round {round}");
            compare(&position, position.observer(), true, &all, &what);
            compare(&position, asker, asker == position.observer(), &all, &what);
            // A few questions alone leave out the cards that nobody asks for.
            let few: Vec<CardSet> = (0..3).map(|_| *dice.pick(&all)).collect();
            compare(&position, position.observer(), true, &few, &what);
        }
    }
}

#[test]
fn counting_along_the_diagram_agrees_with_every_deal_of_the_classic_deck() {
    for (seats, asks) in [(2, 3), (3, 4), (4, 12), (5, 16), (6, 18)] {
        let game = Cluedo::classic(seats);
        let mut dice = Dice::new(mix(9, seats.into()));
        let fits = |position: &Position| Deals::of(game.deck(), &Constraints::of(position)).total() <= 3_000;
        let position = std::iter::repeat_with(|| played(&game, asks, false, &mut dice)).find(fits).unwrap();
        let all = game.deck().triples(game.deck().cards());
        compare(&position, position.observer(), true, &all, &format!("{seats} seats"));
        compare(&position, position.observer().next(seats), false, &all, &format!("{seats} seats, public"));
    }
}

/// Six players at the opening: who answers depends only on how many of the other eighteen cards are asked for.
///
/// With one such card of a category with `n` open cards, the asker learns that the card is in the envelope (chance 1/n) or
/// who has it, so it learns as much as whether it is: H(1/n) bits about the envelope.
#[test]
fn one_open_card_at_the_opening_is_worth_whether_it_is_in_the_envelope() {
    let game = Cluedo::classic(6);
    let deck = game.deck();
    let cards = |names: [&str; 3]| names.iter().map(|name| deck.find(name).unwrap()).collect::<CardSet>();
    let own = cards(["plum", "rope", "hall"]);
    let position = Position::new(deck.clone(), vec![3; 6], Seat(0), own).unwrap();
    let all = deck.triples(deck.cards());
    let found = expected(&position, Seat(0), true, &all, u64::MAX).unwrap();
    let of = |names: [&str; 3]| &found[all.iter().position(|&q| q == cards(names)).unwrap()];
    let entropy = |p: f64| -p * p.log2() - (1.0 - p) * (1.0 - p).log2();
    let bits = of(["green", "rope", "hall"]).envelope_bits;
    assert!((bits - entropy(0.2)).abs() < 1e-9, "{bits}");
    let bits = of(["plum", "rope", "study"]).envelope_bits;
    assert!((bits - entropy(0.125)).abs() < 1e-9, "{bits}");
    assert_eq!(of(["plum", "rope", "hall"]).envelope_bits, 0.0);
    // Without own cards: more can answer, so less is learned about the envelope, not more.
    let without = of(["green", "dagger", "study"]).envelope_bits;
    assert!((0.44..0.46).contains(&without), "{without}");
    let wins = of(["green", "dagger", "study"]).wins;
    assert!((wins - 1.0 / 200.0).abs() < 1e-12, "{wins}");
}
