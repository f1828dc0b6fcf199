//! What questions give away, how near rivals are, and estimates without bias: against the definitions, by listing deals
//! and choices of shown cards, and against closed forms at full size.

use crate::cluedo_ask::position;
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::answer::Answers;
use ken_games::cluedo::count::Deals;
use ken_games::cluedo::estimate::Estimate;
use ken_games::cluedo::listed::Fitting;
use ken_games::cluedo::position::{Constraints, Deal};
use ken_games::cluedo::rivals::{near, nearness};
use ken_games::cluedo::rules::{Action, asked};
use ken_games::cluedo::symmetry::Alike;
use ken_games::cluedo::worth::{Care, ask, gives, rank};
use ken_games::cluedo::{Cluedo, Deck, Observed, Position, views, waiting};
use ken_games::dice::Dice;
use ken_games::game::{Game, Seat, Verdict};
use ken_games::knowledge::Budget;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A deck with categories of these sizes.
fn deck(sizes: &[usize]) -> Arc<Deck> {
    let names = |letter: char, n: usize| (0..n).map(|i| format!("{letter}{i}")).collect();
    let categories = ('a'..).zip(sizes).map(|(letter, &n)| (letter.to_string(), names(letter, n)));
    Arc::new(Deck::new(categories.collect()).unwrap())
}

fn list(position: &Position) -> Vec<Deal> {
    Deals::of(position.deck(), &Constraints::of(position)).list(1 << 20).unwrap()
}

/// Everything that a seat may have seen, with how likely it is: by the definition, deal by deal and choice by choice.
fn listed_views(position: &Position, seat: Seat) -> Vec<(Position, f64)> {
    let deals = list(position);
    let mut views = Vec::new();
    for deal in &deals {
        // Every choice of cards shown, as digits: the first, second or third card that could be.
        for choice in 0..3usize.pow(position.events().len() as u32) {
            let (mut digits, mut fits, mut weight) = (choice, true, 1.0 / deals.len() as f64);
            let view = position.seen_by(seat, deal, &mut |may| {
                let digit = digits % 3;
                digits /= 3;
                fits &= digit < may.len();
                weight /= may.len() as f64;
                may.iter().nth(digit % may.len()).unwrap()
            });
            if fits && digits == 0 {
                views.push((view, weight));
            }
        }
    }
    let sum: f64 = views.iter().map(|v| v.1).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    views
}

fn entropy<K: Ord>(of: impl Iterator<Item = K>) -> f64 {
    let mut counts: BTreeMap<K, f64> = BTreeMap::new();
    of.for_each(|k| *counts.entry(k).or_insert(0.0) += 1.0);
    let total: f64 = counts.values().sum();
    counts.values().map(|n| -n / total * (n / total).log2()).sum()
}

/// What who answers tells the observer of a view about the envelope, deal by deal.
fn told(view: &Position, asker: Seat, cards: CardSet) -> f64 {
    let deals = list(view);
    let who = |d: &Deal| asked(asker, view.seats()).find(|&s| !d.hand(s).is_disjoint(cards));
    let (alone, both) = (entropy(deals.iter().map(who)), entropy(deals.iter().map(|d| (who(d), d.envelope()))));
    alone + entropy(deals.iter().map(Deal::envelope)) - both
}

/// The least care with which everything is exact on a small deck.
const THOROUGH: Care = Care { all_views: 1 << 16, ..Care::FULL };

#[test]
fn what_a_question_gives_away_is_exact_where_few_views_are_possible() {
    let game = Cluedo::new(deck(&[2, 3, 3]), 3).unwrap();
    for seed in 0..8 {
        let position = position(&game, seed as usize % 4, Seat((seed % 3) as u8), seed);
        let ranking = rank(&position, THOROUGH, &Budget::default(), &mut Dice::new(seed)).unwrap();
        for seat in asked(position.observer(), position.seats()) {
            let views = listed_views(&position, seat);
            for question in &ranking.questions {
                let found = question.gives[seat.index()].unwrap();
                let right: f64 = views.iter().map(|(v, p)| p * told(v, position.observer(), question.cards)).sum();
                assert!(found.exact && found.error() == 0.0);
                assert!((found.value - right).abs() < 1e-9, "seed {seed}, seat {seat}: {} not {right}", found.value);
            }
        }
    }
}

#[test]
fn views_are_as_likely_as_listing_deals_and_choices_says() {
    for (seats, sizes) in [(2, [3, 3, 3]), (3, [3, 3, 4]), (4, [3, 3, 4])] {
        let game = Cluedo::new(deck(&sizes), seats).unwrap();
        for seed in 0..6 {
            let position = position(&game, seed as usize, Seat((seed % 2) as u8), seed);
            for seat in asked(position.observer(), seats) {
                // A view up to alike cards: what is the same after alike cards are sorted.
                let alike = Alike::of(&position);
                let key = |view: &Position| {
                    let held: Vec<usize> = alike.classes().iter().map(|c| c.and(view.hand()).len()).collect();
                    let shown = view.events().iter().map(|event| match *event {
                        Observed::Ask { asker, shown, .. } if asker == seat => shown,
                        Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => None,
                    });
                    (held, shown.collect::<Vec<Option<Card>>>())
                };
                let mut right = BTreeMap::new();
                listed_views(&position, seat).iter().for_each(|(view, p)| *right.entry(key(view)).or_insert(0.0) += p);
                let found = views::all(&position, seat, 1 << 16).unwrap();
                assert_eq!(found.len(), right.len(), "seed {seed}, {seats} seats");
                for view in &found {
                    let right: f64 = right[&key(&view.position)];
                    assert!((view.chance - right).abs() < 1e-9, "seed {seed}: {} not {right}", view.chance);
                }
                assert!(found.len() == 1 || views::all(&position, seat, found.len() - 1).is_none());
            }
        }
    }
}

#[test]
fn questions_that_differ_only_by_alike_cards_are_worth_the_same_even_where_views_are_drawn() {
    let game = Cluedo::new(deck(&[3, 3, 4]), 3).unwrap();
    for (questions, care) in [(0, THOROUGH), (1, Care { all_views: 0, ..Care::FULL })] {
        let position = position(&game, questions, Seat(0), 3);
        let alike = Alike::of(&position);
        let ranking = rank(&position, care, &Budget::default(), &mut Dice::new(1)).unwrap();
        let mut kinds = 0;
        for question in &ranking.questions {
            let numbers = |cards: CardSet| {
                let q = ranking.questions.iter().find(|q| q.cards == cards).unwrap();
                let values = [q.envelope_bits.value, q.deal_bits.value, q.wins].into_iter();
                values.chain(q.gives.iter().flatten().map(|e| e.value)).collect::<Vec<f64>>()
            };
            let orbit = alike.orbit(question.cards);
            kinds += usize::from(orbit[0] == question.cards);
            assert!(orbit.iter().all(|&other| numbers(other) == numbers(question.cards)));
        }
        assert!(kinds > 1 && kinds < ranking.questions.len());
    }
}

/// A position of the tests of estimates: some hundred deals fit.
fn middling() -> Position {
    let game = Cluedo::new(deck(&[4, 4, 5]), 3).unwrap();
    let total = |position: &Position| Deals::of(position.deck(), &Constraints::of(position)).total();
    let mut positions = (0..1_000).map(|seed| position(&game, seed as usize % 3, Seat(0), seed));
    positions.find(|p| (150..600).contains(&total(p))).expect("a position of that size")
}

#[test]
fn estimates_are_unbiased_and_their_intervals_hold_the_truth() {
    let position = middling();
    let truth = rank(&position, THOROUGH, &Budget::default(), &mut Dice::new(1)).unwrap();
    assert!(truth.exact && truth.questions.iter().flat_map(|q| &q.gives).flatten().all(|g| g.exact));
    // Nothing is counted: neither all views, nor what a view tells.
    for work in [0, Care::FULL.work] {
        let care = Care { all_views: 0, views: 8, draws: 30, work, deals: 0 };
        let rounds = 12;
        let (mut inside, mut all) = (0, 0);
        let mut off: [Vec<f64>; 3] = Default::default();
        for seed in 0..rounds {
            let mut sums = [0.0; 3];
            let ranking = rank(&position, care, &Budget::default(), &mut Dice::new(seed)).unwrap();
            assert_eq!(ranking.exact, work > 0);
            for question in &ranking.questions {
                let right = truth.questions.iter().find(|q| q.cards == question.cards).unwrap();
                assert_eq!(question.wins, right.wins);
                let own = [(question.envelope_bits, right.envelope_bits), (question.deal_bits, right.deal_bits)];
                let given = (question.given().unwrap(), right.given().unwrap());
                let pairs = own.into_iter().chain([given]);
                for (i, (estimate, right)) in pairs.enumerate() {
                    sums[i] += (estimate.value - right.value) / ranking.questions.len() as f64;
                    let near = estimate.low - 1e-9 <= right.value && right.value <= estimate.high + 1e-9;
                    inside += u32::from(near);
                    all += 1;
                }
            }
            off.iter_mut().zip(sums).for_each(|(off, sum)| off.push(sum));
        }
        assert!(f64::from(inside) > 0.9 * f64::from(all), "work {work}: {inside} of {all} intervals hold the truth");
        // The rounds are independent of each other, the questions of a round are not.
        for off in &off {
            let n = off.len() as f64;
            let mean = off.iter().sum::<f64>() / n;
            let error = (off.iter().map(|o| (o - mean).powi(2)).sum::<f64>() / (n - 1.0) / n).sqrt();
            assert!(mean.abs() <= 4.0 * error + 1e-9, "work {work}: off by {mean} ± {error} on average");
        }
    }
}

#[test]
fn waiting_for_an_answer_tells_its_logarithm_without_bias() {
    // One draw at a time: whatever is off on average is bias.
    let position = middling();
    let deals = list(&position);
    let fitting = Fitting::all(&position, &deals);
    let mut asking = fitting.asked_by(Seat(0));
    let questions: Vec<CardSet> = position.deck().triples(position.deck().cards()).into_iter().step_by(9).collect();
    let drawn = waiting::drawn(&position, Seat(0), true, &questions, 4_000, &|_| true, &mut Dice::new(5)).unwrap();
    for (cards, drawn) in questions.iter().zip(drawn) {
        let right = asking.question(*cards, true);
        for (found, right) in [(drawn.envelope, right.envelope_bits), (drawn.deal, right.deal_bits)] {
            let found = found.estimate(1.0);
            // Three and a half standard errors.
            assert!((found.value - right).abs() < 1.8 * found.error() + 1e-9, "{found:?} for {right}");
        }
    }
}

#[test]
fn nothing_is_ranked_beyond_its_error() {
    let care = Care { work: 0, draws: 20, ..Care::ALONE };
    let ranking = rank(&middling(), care, &Budget::default(), &mut Dice::new(2)).unwrap();
    for question in &ranking.questions {
        let surely = |q: &&ken_games::cluedo::worth::Question| q.envelope_bits.low > question.envelope_bits.high;
        assert_eq!(question.rank, 1 + ranking.questions.iter().filter(surely).count());
    }
    assert!(ranking.questions[0].tied > 1 && ranking.questions.is_sorted_by_key(|q| q.rank));
}

/// The number of ways to choose k of n.
fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n as f64 - i as f64) / (k - i) as f64).product()
}

/// How likely it is that the first of the seats asked who holds one of `k` cards is the one at `turn`, if these lie
/// anywhere among `slots` and each seat has three slots.
fn first(turn: usize, k: usize, slots: usize) -> f64 {
    let none = |turns: usize| if slots < 3 * turns + k { 0.0 } else { choose(slots - 3 * turns, k) / choose(slots, k) };
    none(turn) - none(turn + 1)
}

/// The sets of asked cards that are not in the envelope, each with its chance: card `i` lies there once in `open[i]`.
fn dealt(open: &[f64]) -> Vec<(Vec<usize>, f64)> {
    let chance = |set: usize| -> f64 {
        open.iter().enumerate().map(|(i, n)| if set >> i & 1 == 1 { 1.0 - 1.0 / n } else { 1.0 / n }).product()
    };
    let cards = |set: usize| (0..open.len()).filter(|i| set >> i & 1 == 1).collect();
    (0..1 << open.len()).map(|set| (cards(set), chance(set))).collect()
}

/// The chances of answers.
type Table = BTreeMap<(usize, usize), f64>;

/// I(what is dealt; answer) from the chance of each set and of each answer given the set.
fn information(sets: &[(f64, Table)]) -> f64 {
    let mut any: Table = BTreeMap::new();
    for (chance, answers) in sets {
        answers.iter().for_each(|(a, p)| *any.entry(*a).or_insert(0.0) += chance * p);
    }
    let bits = |(chance, answers): &(f64, Table)| -> f64 {
        answers.iter().filter(|(_, p)| **p > 0.0).map(|(a, p)| chance * p * (p / any[a]).log2()).sum()
    };
    sets.iter().map(bits).sum()
}

const NOBODY: usize = 9;

/// What a question tells the asker at the beginning, six players: `open[i]` cards of the category may lie in the envelope
/// where the asked card is not an own one. The 15 cards that others hold lie in 15 slots; of k dealt cards that are asked
/// for each is equally likely to be shown.
fn own_at_the_opening(open: &[f64]) -> f64 {
    let sets = dealt(open).into_iter().map(|(set, chance)| {
        let mut answers = BTreeMap::new();
        for (turn, &card) in (0..5).flat_map(|turn| set.iter().map(move |card| (turn, card))) {
            answers.insert((turn, card), first(turn, set.len(), 15) / set.len() as f64);
        }
        if set.is_empty() {
            answers.insert((NOBODY, 0), 1.0);
        }
        (chance, answers)
    });
    information(&sets.collect::<Vec<_>>())
}

/// What who answers tells the seat asked at `turn` that holds `held` cards of each category, `has` of the asked ones, all
/// categories being of these `sizes`. It answers itself if it has one and nobody before it does.
fn told_at_the_opening(sizes: [usize; 3], held: [usize; 3], has: [bool; 3], turn: usize) -> f64 {
    let open: Vec<f64> = (0..3).filter(|&k| !has[k]).map(|k| (sizes[k] - held[k]) as f64).collect();
    let mine = has.contains(&true);
    let sets = dealt(&open).into_iter().map(|(set, chance)| {
        let mut answers: Table = BTreeMap::new();
        // The cards of the other five, the asker's among them, are 15; the seat itself has none of these.
        let others = (0..5).filter(|&t| t != turn);
        for (place, t) in others.enumerate() {
            let who = if mine && t > turn { turn } else { t };
            *answers.entry((who, 0)).or_insert(0.0) += first(place, set.len(), 15);
        }
        // Nobody before the end: the asker has them all, or they lie in the envelope.
        let rest = 1.0 - answers.values().sum::<f64>();
        *answers.entry((if mine { turn } else { NOBODY }, 0)).or_insert(0.0) += rest;
        (chance, answers)
    });
    information(&sets.collect::<Vec<_>>())
}

/// The asker holds one card of each category. What a question with own cards where `own` says so gives away to the seat
/// asked at `turn`: over what that seat may hold.
fn given_at_the_opening(own: [bool; 3], turn: usize) -> f64 {
    let sizes = [6, 6, 9];
    let (mut sum, mut all) = (0.0, 0.0);
    for held in (0..64).map(|n| [n / 16, n / 4 % 4, n % 4]).filter(|held| held.iter().sum::<usize>() == 3) {
        // Of the deals with this hand, as many as there are envelopes left.
        let ways: f64 = (0..3).map(|k| choose(sizes[k] - 1, held[k]) * (sizes[k] - 1 - held[k]) as f64).product();
        all += ways;
        for has in (0..8).map(|n| [n & 1 == 1, n & 2 == 2, n & 4 == 4]) {
            let chance = |k: usize| match (own[k], has[k]) {
                (true, true) => 0.0,
                (true, false) => 1.0,
                (false, true) => held[k] as f64 / (sizes[k] - 1) as f64,
                (false, false) => 1.0 - held[k] as f64 / (sizes[k] - 1) as f64,
            };
            let chance: f64 = (0..3).map(chance).product();
            if chance > 0.0 {
                sum += ways * chance * told_at_the_opening(sizes, held, has, turn);
            }
        }
    }
    sum / all
}

/// Six players, nothing has happened, the observer holds plum, rope and hall.
fn opening() -> Position {
    let deck = Arc::new(Deck::classic());
    let hand = ["plum", "rope", "hall"].iter().map(|name| deck.find(name).unwrap()).collect();
    Position::new(deck, vec![3; 6], Seat(0), hand).unwrap()
}

#[test]
fn at_the_opening_questions_are_worth_what_the_closed_forms_say() {
    let position = opening();
    let cards = |names: [&str; 3]| names.iter().map(|n| position.deck().find(n).unwrap()).collect::<CardSet>();
    let questions = [
        (cards(["green", "dagger", "lounge"]), [false, false, false]),
        (cards(["plum", "rope", "lounge"]), [true, true, false]),
        (cards(["green", "rope", "hall"]), [false, true, true]),
        (cards(["green", "dagger", "hall"]), [false, false, true]),
    ];
    let asked: Vec<CardSet> = questions.iter().map(|q| q.0).collect();
    let ranking = ask(&position, &asked, Care::FULL, &Budget::default(), &mut Dice::new(1)).unwrap();
    for (cards, own) in questions {
        let found = ranking.questions.iter().find(|q| q.cards == cards).unwrap();
        let open: Vec<f64> = (0..3).filter(|&k| !own[k]).map(|k| [5.0, 5.0, 8.0][k]).collect();
        assert!(found.envelope_bits.exact);
        assert!((found.envelope_bits.value - own_at_the_opening(&open)).abs() < 1e-9, "{own:?}");
        for turn in 0..5 {
            let (given, right) = (found.gives[turn + 1].unwrap(), given_at_the_opening(own, turn));
            assert!(given.exact && (given.value - right).abs() < 1e-9, "{own:?} {turn}: {} not {right}", given.value);
        }
    }
    // As rounded numbers: worth more with two own cards, and what is given away is small.
    let bits = |own: [bool; 3]| {
        let (cards, _) = questions.iter().find(|q| q.1 == own).unwrap();
        let found = ranking.questions.iter().find(|q| q.cards == *cards).unwrap();
        (found.envelope_bits.value, found.given().unwrap().value)
    };
    assert!((bits([false; 3]).0 - 0.45).abs() < 0.005 && (bits([false, true, true]).0 - 0.72).abs() < 0.005);
    assert!([[false; 3], [false, true, true]].iter().all(|&own| (0.02..0.25).contains(&bits(own).1)));
}

#[test]
fn what_is_said_of_a_handful_of_questions_is_what_the_ranking_says() {
    let game = Cluedo::new(deck(&[3, 3, 4]), 3).unwrap();
    let position = position(&game, 2, Seat(1), 8);
    let ranking = rank(&position, THOROUGH, &Budget::default(), &mut Dice::new(1)).unwrap();
    let few: Vec<CardSet> = ranking.questions.iter().step_by(7).map(|q| q.cards).collect();
    let given = gives(&position, &few, THOROUGH, &mut Dice::new(2));
    for (cards, given) in few.iter().zip(given) {
        let whole = ranking.questions.iter().find(|q| q.cards == *cards).unwrap();
        let near = |(a, b): (&Option<Estimate>, &Option<Estimate>)| match (a, b) {
            (Some(a), Some(b)) => (a.value - b.value).abs() < 1e-9,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        assert!(given.iter().zip(&whole.gives).all(near));
    }
}

#[test]
fn rivals_are_as_near_as_listing_deals_and_choices_says() {
    let mut between = 0;
    for (seats, sizes) in [(2, [2, 3, 3]), (3, [2, 3, 3]), (4, [3, 3, 4])] {
        let game = Cluedo::new(deck(&sizes), seats).unwrap();
        for seed in 0..24 {
            let position = position(&game, seed as usize % 7, Seat((seed % 2) as u8), seed);
            for seat in asked(position.observer(), seats) {
                let knows = |view: &Position| list(view).iter().all(|d| d.envelope() == list(view)[0].envelope());
                let views = listed_views(&position, seat);
                let right: f64 = views.iter().filter(|(view, _)| knows(view)).map(|(_, p)| p).sum();
                let exactly = nearness(&position, seat, THOROUGH, &mut Dice::new(seed)).unwrap();
                assert!(exactly.exact && (exactly.value - right).abs() < 1e-9, "seed {seed}: {exactly:?} not {right}");
                let drawn = Care { all_views: 0, views: 400, ..Care::FULL };
                let drawn = nearness(&position, seat, drawn, &mut Dice::new(seed)).unwrap();
                assert!(!drawn.exact && (drawn.value - right).abs() < 0.1, "seed {seed}: {drawn:?} not {right}");
                let found = near(&position, seat, THOROUGH, &Budget::default(), &mut Dice::new(seed));
                let follows = match right {
                    p if p < 1e-9 => Verdict::No,
                    p if p > 1.0 - 1e-9 => Verdict::Yes,
                    _ => Verdict::Open,
                };
                assert_eq!(found.verdict, follows, "seed {seed}");
                between += u32::from(follows == Verdict::Open);
            }
        }
    }
    assert!(between >= 10, "only {between} chances are neither 0 nor 1");
}

#[test]
fn nobody_knows_the_envelope_at_the_opening_and_whoever_accused_wrongly_does() {
    let mut position = opening();
    let care = Care { all_views: 500, views: 10, ..Care::FULL };
    for seat in asked(Seat(0), 6) {
        let found = nearness(&position, seat, care, &mut Dice::new(1)).unwrap();
        assert!(found.exact && found.value == 0.0);
        assert_eq!(near(&position, seat, care, &Budget::default(), &mut Dice::new(1)).verdict, Verdict::No);
    }
    let cards = position.deck().triples(position.deck().cards())[100];
    position.push(Observed::Accuse { seat: Seat(2), cards, correct: false, envelope: None }).unwrap();
    let found = near(&position, Seat(2), care, &Budget::default(), &mut Dice::new(1));
    assert!(found.verdict == Verdict::Yes && found.chance == Some(Estimate::exact(1.0, 1)));
    assert_eq!(nearness(&position, Seat(2), care, &mut Dice::new(1)), Some(Estimate::exact(1.0, 1)));
    let given = gives(&position, &[cards], care, &mut Dice::new(1));
    assert_eq!(given[0][2].map(|g| (g.value, g.exact)), Some((0.0, true)));
}

#[test]
fn a_question_that_only_others_see_splits_the_deals_by_who_answers() {
    let game = Cluedo::new(deck(&[3, 3, 4]), 3).unwrap();
    for seed in 0..5 {
        let position = position(&game, seed as usize, Seat(1), seed);
        let deals = list(&position);
        for cards in position.deck().triples(position.deck().cards()).into_iter().step_by(5) {
            let answers = Answers::of(&position, Seat(2), false, cards);
            let sum: f64 = answers.outcomes.iter().map(|o| o.deals()).sum();
            assert_eq!(sum, deals.len() as f64);
            for outcome in &answers.outcomes {
                let who = |d: &&Deal| asked(Seat(2), 3).find(|&s| !d.hand(s).is_disjoint(cards)) == outcome.by;
                assert_eq!(outcome.deals(), deals.iter().filter(who).count() as f64);
            }
        }
    }
}

#[test]
fn a_larger_deck_is_estimated_when_there_is_too_much_to_count() {
    // 30 cards, six seats, after four questions.
    let game = Cluedo::new(deck(&[10, 8, 12]), 6).unwrap();
    let position = position(&game, 4, Seat(0), 11);
    let options = game.legal(&game.deal(&mut Dice::new(1)).0);
    let questions: Vec<CardSet> = options
        .iter()
        .step_by(97)
        .filter_map(|option| if let Action::Suggest(cards) = option { Some(*cards) } else { None })
        .collect();
    let care = Care { work: 0, draws: 10, views: 3, all_views: 0, ..Care::FULL };
    let ranking = ask(&position, &questions, care, &Budget::default(), &mut Dice::new(3)).unwrap();
    assert!(!ranking.exact && ranking.questions.len() == questions.len());
    assert!(ranking.questions.iter().all(|q| q.envelope_bits.error() > 0.0 && q.given().unwrap().error() > 0.0));
}
