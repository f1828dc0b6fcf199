//! What questions are expected to tell, against the definition; and what the players that choose by it do with it.

use ken_games::cards::CardSet;
use ken_games::cluedo::count::Deals;
use ken_games::cluedo::estimate::Estimate;
use ken_games::cluedo::know::Knower;
use ken_games::cluedo::listed::Fitting;
use ken_games::cluedo::position::{Constraints, Deal};
use ken_games::cluedo::rules::{Action, Event, asked};
use ken_games::cluedo::worth::{Care, by_answer, rank};
use ken_games::cluedo::{Cluedo, Deck, Endmove, Position, players, read};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat, Turn};
use ken_games::knowledge::Budget;
use std::collections::BTreeMap;
use std::sync::Arc;

fn small_deck() -> Arc<Deck> {
    let names = |letter: char, n: usize| (0..n).map(|i| format!("{letter}{i}")).collect();
    let categories = vec![("a".into(), names('a', 3)), ("b".into(), names('b', 3)), ("c".into(), names('c', 4))];
    Arc::new(Deck::new(categories).unwrap())
}

/// A seat's position after a few random questions.
pub(crate) fn position(game: &Cluedo, questions: usize, seat: Seat, seed: u64) -> Position {
    let mut dice = Dice::new(seed);
    let (mut state, dealt) = game.deal(&mut dice);
    let mut memory = vec![game.sight(&dealt, seat)];
    let mut left = questions;
    while let Turn::Of(_) = game.turn(&state) {
        let options = game.legal(&state);
        let action = match options[0] {
            Action::Suggest(_) if left == 0 => break,
            Action::Suggest(_) => {
                left -= 1;
                *dice.pick(&options)
            }
            Action::Show(_) => *dice.pick(&options),
            Action::End | Action::Accuse(_) => Action::End,
        };
        let event = game.play(&mut state, &action).unwrap();
        memory.push(game.sight(&event, seat));
    }
    Position::of_memory(game.deck(), game.endmove(), &memory)
}

/// H of the weights, in bits.
fn entropy<'a>(weights: impl IntoIterator<Item = &'a f64>) -> f64 {
    let weights: Vec<f64> = weights.into_iter().copied().collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|w| w / total).map(|p| if p > 0.0 { -p * p.log2() } else { 0.0 }).sum()
}

/// How often an answer, a seat with a card or nobody, comes together with something else.
type Joint<K> = BTreeMap<(Option<(Seat, u8)>, K), f64>;

/// The distribution of answers and something else, by the definition: each deal once, each card that can be shown equally.
fn joint<K: Ord>(deals: &[Deal], asker: Seat, seats: u8, cards: CardSet, of: impl Fn(&Deal) -> K) -> Joint<K> {
    let mut joint = BTreeMap::new();
    for deal in deals {
        let answers = asked(asker, seats).find(|&s| !deal.hand(s).is_disjoint(cards));
        let shown: Vec<Option<(Seat, u8)>> = match answers {
            None => vec![None],
            Some(seat) => deal.hand(seat).and(cards).iter().map(|c| Some((seat, c.0))).collect(),
        };
        for outcome in &shown {
            *joint.entry((*outcome, of(deal))).or_insert(0.0) += 1.0 / shown.len() as f64;
        }
    }
    joint
}

/// I(answer; X) = H(answer) + H(X) - H(answer, X).
fn information<K: Ord + Clone>(joint: &Joint<K>) -> f64 {
    let (mut answers, mut others) = (BTreeMap::new(), BTreeMap::new());
    for ((answer, other), w) in joint {
        *answers.entry(*answer).or_insert(0.0) += w;
        *others.entry(other.clone()).or_insert(0.0) += w;
    }
    entropy(answers.values()) + entropy(others.values()) - entropy(joint.values())
}

#[test]
fn questions_tell_what_the_definition_says() {
    let game = Cluedo::new(small_deck(), 3).unwrap();
    for seed in 0..25 {
        let position = position(&game, seed as usize % 5, Seat((seed % 3) as u8), seed);
        let deals = Deals::of(position.deck(), &Constraints::of(&position)).list(1 << 20).unwrap();
        let ranking = rank(&position, Care::ALONE, &Budget::default(), &mut Dice::new(seed)).unwrap();
        assert!(ranking.exact && ranking.deals == deals.len() as u128);
        assert_eq!(ranking.questions.len(), 36);
        for question in &ranking.questions {
            let (asker, seats) = (position.observer(), position.seats());
            let about_envelope = information(&joint(&deals, asker, seats, question.cards, Deal::envelope));
            let about_deal = information(&joint(&deals, asker, seats, question.cards, Deal::clone));
            let wins = deals.iter().filter(|d| d.envelope() == question.cards).count() as f64 / deals.len() as f64;
            let exactly = |found: Estimate, right: f64| found.exact && (found.value - right).abs() < 1e-9;
            assert!(exactly(question.envelope_bits, about_envelope), "seed {seed}, {:?}", question.cards);
            assert!(exactly(question.deal_bits, about_deal), "seed {seed}, {:?}", question.cards);
            assert!((question.wins - wins).abs() < 1e-9);
            assert!((question.answers.iter().map(|a| a.value).sum::<f64>() - 1.0).abs() < 1e-9);
            for seat in asked(asker, seats) {
                let first =
                    |d: &&Deal| asked(asker, seats).find(|&s| !d.hand(s).is_disjoint(question.cards)) == Some(seat);
                let share = deals.iter().filter(first).count() as f64 / deals.len() as f64;
                assert!(exactly(question.answers[seat.index()], share));
            }
        }
    }
}

#[test]
fn what_each_answer_tells_adds_up_to_what_the_question_tells() {
    let game = Cluedo::new(small_deck(), 3).unwrap();
    for seed in 0..10 {
        let position = position(&game, seed as usize % 5, Seat((seed % 3) as u8), seed);
        let deals = Deals::of(position.deck(), &Constraints::of(&position)).list(1 << 20).unwrap();
        let fitting = Fitting::all(&position, &deals);
        let mut asking = fitting.asked_by(position.observer());
        for cards in position.deck().triples(position.deck().cards()) {
            let expected = asking.question(cards, true);
            let found = by_answer(&position, cards, Care::ALONE, &Budget::default(), &mut Dice::new(1)).unwrap();
            let listed = asking.by_answer(cards);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(found.iter().zip(&listed).all(|(f, l)| near(f.0.value, l.chance) && near(f.1.value, l.bits)));
            let sum: f64 = found.iter().map(|(chance, bits)| chance.value * bits.value).sum();
            assert!(near(sum, expected.envelope_bits), "seed {seed}, {cards:?}");
        }
    }
}

#[test]
fn the_deals_that_survive_endmoves_are_those_of_the_stored_cases() {
    let cases: serde_json::Value = serde_json::from_str(include_str!("../data/cluedo-knowledge.json")).unwrap();
    let mut told = 0;
    for case in cases["cases"].as_array().unwrap() {
        let position = read::position(&case["position"].to_string()).unwrap();
        let all = Deals::of(position.deck(), &Constraints::of(&position)).list(1 << 20).unwrap();
        let survivors = Knower::new(&position).survivors(&Budget::default()).unwrap();
        let left = all.iter().filter(|deal| survivors.admits(deal)).count();
        assert_eq!(left as u64, case["deals"].as_u64().unwrap(), "{}", case["position"]);
        told += usize::from(left < all.len());
    }
    assert!(told >= 1, "endmoves told nothing in any case");
}

/// A match between these players: the seats that accused wrongly, and the winner.
fn play(game: &Cluedo, names: &[&str], seed: u64) -> (Vec<Seat>, Option<Seat>) {
    let (mut state, dealt) = game.deal(&mut Dice::new(seed));
    let mut seats: Vec<_> =
        names.iter().enumerate().map(|(s, name)| players::seat(name, game, mix(seed, s as u64)).unwrap()).collect();
    let tell = |event: &Event, seats: &mut Vec<Box<dyn ken_games::game::Player<Cluedo>>>| {
        for (s, player) in seats.iter_mut().enumerate() {
            player.watch(&game.sight(event, Seat(s as u8)));
        }
    };
    tell(&dealt, &mut seats);
    let mut wrong = Vec::new();
    while let Turn::Of(seat) = game.turn(&state) {
        let action = seats[seat.index()].choose(&game.legal(&state));
        let event = game.play(&mut state, &action).unwrap_or_else(|e| panic!("{} at {seat}: {e}", names[seat.index()]));
        if let Event::Accused { seat, cards, envelope } = event
            && cards != envelope
        {
            wrong.push(seat);
        }
        tell(&event, &mut seats);
    }
    (wrong, state.winner())
}

#[test]
fn players_that_reason_accuse_only_when_they_know_and_always_finish() {
    for seed in 0..6 {
        let (wrong, winner) = play(&Cluedo::classic(4), &["exact", "inquirer", "exact", "inquirer"], seed);
        assert!(wrong.is_empty() && winner.is_some(), "seed {seed}");
    }
}

#[test]
fn players_keep_the_convention_that_whoever_knows_accuses() {
    // If one of them ended its turn although it knew, the others would rule out the truth and somebody would accuse wrongly.
    let game = Cluedo::new(small_deck(), 3).unwrap().with_endmove(Endmove::Ignorance);
    for seed in 0..30 {
        let (wrong, winner) = play(&game, &["exact", "inquirer", "diplomat"], seed);
        assert!(wrong.is_empty() && winner.is_some(), "seed {seed}");
    }
    let names = |letter: char, n: usize| (0..n).map(|i| format!("{letter}{i}")).collect();
    let tiny = vec![("a".into(), names('a', 2)), ("b".into(), names('b', 2)), ("c".into(), names('c', 3))];
    let game = Cluedo::new(Arc::new(Deck::new(tiny).unwrap()), 4).unwrap().with_endmove(Endmove::Ignorance);
    for seed in 0..60 {
        let (wrong, winner) = play(&game, &["exact"; 4], seed);
        assert!(wrong.is_empty() && winner.is_some(), "seed {seed} with four seats");
    }
}

#[test]
fn diplomats_play_by_the_rules() {
    let game = Cluedo::new(small_deck(), 3).unwrap();
    let wins = (0..20).filter(|&seed| play(&game, &["diplomat", "diplomat", "inquirer"], seed).1.is_some()).count();
    assert!(wins >= 15, "only {wins} of 20 matches had a winner");
}
