//! Exact beliefs and plans, against listing colourings and trying moves one by one.

use ken_games::cards::{Card, CardSet};
use ken_games::dice::Dice;
use ken_games::yokai::colour::COLOURINGS;
use ken_games::yokai::count::Evidence;
use ken_games::yokai::plan::distance::{Gaps, classes};
use ken_games::yokai::plan::forecast::{Cards, Forecast, Known};
use ken_games::yokai::plan::outlook::{Draws, Moves, mean_cost};
use ken_games::yokai::plan::solve::solve;
use ken_games::yokai::{CARDS, Colour, Colouring, Colours, Layout};
use proptest::prelude::*;

/// A layout after some random moves.
fn layout(seed: u64, moves: usize) -> Layout {
    let mut dice = Dice::new(seed);
    let mut layout = Layout::start();
    for _ in 0..moves {
        let all: Vec<_> = layout.shape().moves(CardSet::EMPTY).collect();
        let &(card, to) = dice.pick(&all);
        layout = layout.moved(card, to);
    }
    layout
}

/// Every colouring that has the colours of `known`.
fn list(known: &[Option<Colour>; CARDS]) -> Vec<Colouring> {
    fn fill(known: &[Option<Colour>; CARDS], so_far: &mut Vec<Colour>, left: [u8; 4], found: &mut Vec<Colouring>) {
        if so_far.len() == CARDS {
            let colours = <[Colour; CARDS]>::try_from(so_far.as_slice()).expect("sixteen");
            found.extend(Colouring::new(colours));
            return;
        }
        let here = known[so_far.len()];
        for colour in Colour::ALL.into_iter().filter(|c| here.is_none_or(|k| k == *c)) {
            let mut left = left;
            if left[colour.index()] > 0 {
                left[colour.index()] -= 1;
                so_far.push(colour);
                fill(known, so_far, left, found);
                so_far.pop();
            }
        }
    }
    let mut found = Vec::new();
    fill(known, &mut Vec::new(), [4; 4], &mut found);
    found
}

/// What is known of a random deal: all but some cards, and what else was drawn.
fn evidence(seed: u64, hidden: usize, hints: usize, pairs: usize, joins: usize) -> (Evidence, Vec<Colouring>) {
    let mut dice = Dice::new(seed);
    let truth = Colouring::deal(&mut dice);
    let mut cards: Vec<u8> = (0..CARDS as u8).collect();
    dice.shuffle(&mut cards);
    let mut evidence = Evidence::none();
    let mut known = [None; CARDS];
    for &card in &cards[hidden..] {
        known[card as usize] = Some(truth.of(Card(card)));
        evidence.is(Card(card), truth.of(Card(card)));
    }
    let mut left = list(&known);
    for _ in 0..hints {
        let (card, hint) = (Card(dice.below(CARDS) as u8), *dice.pick(&Colours::HINTS));
        evidence.among(card, hint);
        left.retain(|c| hint.has(c.of(card)));
    }
    for _ in 0..pairs {
        let (a, b) = (Card(*dice.pick(&cards[..hidden])), Card(dice.below(CARDS) as u8));
        evidence.same(a, b);
        left.retain(|c| c.of(a) == c.of(b));
    }
    for _ in 0..joins {
        let card = Card(*dice.pick(&cards[..hidden]));
        let others = (dice.word() as u16 & dice.word() as u16 & dice.word() as u16) & !(1 << card.0);
        evidence.joins(card, others);
        let fits = |c: &Colouring| (0..CARDS as u8).any(|i| others >> i & 1 == 1 && c.of(Card(i)) == c.of(card));
        left.retain(|c| others == 0 || fits(c));
    }
    (evidence, left)
}

#[test]
fn with_nothing_known_every_colouring_fits_and_each_colour_is_as_likely() {
    let worlds = Evidence::none().worlds();
    assert_eq!(worlds.count(), COLOURINGS);
    assert_eq!(worlds.marginals(), [[COLOURINGS / 4; 4]; CARDS]);
    // The square is cut into four tetrominoes in 117 ways, coloured in 24 each.
    assert_eq!(Evidence::none().grouped(&Layout::start().shape()), 117 * 24);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn counting_agrees_with_listing(
        seed in any::<u64>(), hidden in 1usize..9, hints in 0usize..3, pairs in 0usize..3, joins in 0usize..7, moves in 0usize..12,
    ) {
        let (evidence, left) = evidence(seed, hidden, hints, pairs, joins);
        let worlds = evidence.worlds();
        prop_assert_eq!(worlds.count(), left.len() as u64);
        prop_assert_eq!(evidence.count(), left.len() as u64);
        prop_assert!(left.iter().all(|c| evidence.fits(c)));
        let marginals = worlds.marginals();
        for card in (0..CARDS as u8).map(Card) {
            for colour in Colour::ALL {
                let count = left.iter().filter(|c| c.of(card) == colour).count() as u64;
                prop_assert_eq!(marginals[card.index()][colour.index()], count);
            }
        }
        let shape = layout(seed, moves).shape();
        let grouped = left.iter().filter(|c| shape.grouped(c)).count() as u64;
        prop_assert_eq!(evidence.grouped(&shape), grouped);
        let mut dice = Dice::new(seed);
        match worlds.sample(&mut dice) {
            Some(drawn) => prop_assert!(left.contains(&drawn)),
            None => prop_assert!(left.is_empty()),
        }
    }

    #[test]
    fn drawing_with_joins_is_uniform(seed in any::<u64>(), joins in 1usize..6) {
        let (evidence, left) = evidence(seed, 5, 0, 0, joins);
        prop_assume!(!left.is_empty() && left.len() <= 12);
        let (worlds, mut dice) = (evidence.worlds(), Dice::new(seed));
        let mut counts = vec![0; left.len()];
        for _ in 0..200 * left.len() {
            let drawn = worlds.sample(&mut dice).expect("some fit");
            counts[left.iter().position(|c| *c == drawn).expect("one that fits")] += 1;
        }
        // Seven standard deviations from two hundred.
        prop_assert!(counts.iter().all(|&n| (100..300).contains(&n)), "{counts:?}");
    }

    #[test]
    fn forecasts_are_the_means_over_all_colourings_that_fit(
        seed in any::<u64>(), hidden in 2usize..8, moves in 0usize..8, marks in any::<u16>(),
    ) {
        let mut dice = Dice::new(seed);
        let truth = Colouring::deal(&mut dice);
        let mut cards: Vec<u8> = (0..CARDS as u8).collect();
        dice.shuffle(&mut cards);
        let known = Known::new(cards[hidden..].iter().map(|&c| (Card(c), truth.of(Card(c))))).expect("a deal");
        let layout = layout(seed, moves);
        let marked = CardSet((marks & dice.word() as u16 & dice.word() as u16).into());
        let all = Moves::of(&layout, marked);
        prop_assume!(!all.list().is_empty());
        let forecast = Forecast::new(all.clone(), known, Cards::Two);
        let (x, y) = (Card(cards[0]), Card(cards[1]));
        let means = |seen: &[(Card, Colour)]| {
            let mut colours: [Option<Colour>; CARDS] = std::array::from_fn(|i| known.colour(Card(i as u8)));
            seen.iter().for_each(|&(card, colour)| colours[card.index()] = Some(colour));
            all.outlook(&Draws::new(list(&colours))).means()
        };
        for seen in [&[][..], &[(x, truth.of(x))], &[(x, truth.of(x)), (y, truth.of(y))]] {
            for (exact, listed) in forecast.means(seen).iter().zip(means(seen)) {
                prop_assert!((f64::from(*exact) - listed).abs() < 1e-3, "{exact} and {listed}");
            }
        }
        let best = means(&[(x, truth.of(x)), (y, truth.of(y))]).into_iter().fold(f64::MAX, f64::min);
        let pair = forecast.pair(x, y)[truth.of(x).index()][truth.of(y).index()];
        prop_assert!((f64::from(pair) - best).abs() < 1e-3);
        let draws = Draws::new(list(&std::array::from_fn(|i| known.colour(Card(i as u8)))));
        let here = known.mean_cost(&layout.shape(), marked);
        prop_assert!((here - mean_cost(&layout.shape(), &draws, marked)).abs() < 1e-6);
    }

    #[test]
    fn distances_of_nothing_and_of_one_move_are_exact_but_for_breaking_the_layout(
        seed in any::<u64>(), moves in 0usize..14, marked in any::<u16>(),
    ) {
        let layout = layout(seed, moves);
        let (shape, colouring) = (layout.shape(), Colouring::deal(&mut Dice::new(seed ^ 1)));
        let gaps = Gaps::of(&shape);
        for four in classes(&colouring) {
            let distance = gaps.distance(four, marked);
            prop_assert_eq!(distance == 0, shape.connected(four));
            let movable = (0..CARDS as u8).map(Card).filter(|c| (four & !marked) >> c.0 & 1 == 1);
            // The moved card may lie alone, away from the others: only its own colour matters here.
            let one = movable.clone().any(|card| {
                shape.frontier().iter().any(|&(cell, _)| {
                    let rest: Vec<_> = (0..CARDS as u8)
                        .map(Card)
                        .filter(|c| four >> c.0 & 1 == 1 && *c != card)
                        .map(|c| layout.cell(c))
                        .chain([cell])
                        .collect();
                    connected(&rest)
                })
            });
            prop_assert_eq!(distance <= 1, shape.connected(four) || one);
        }
    }

    #[test]
    fn a_solution_is_legal_and_groups_the_cards_and_none_is_shorter_by_one_move(seed in any::<u64>()) {
        let colouring = Colouring::deal(&mut Dice::new(seed));
        let classes = classes(&colouring);
        let start = layout(seed, 3);
        if let Some(path) = solve(&start, &classes, CardSet::EMPTY, 14, &|_, _| true) {
            let mut layout = start;
            for &(card, to) in &path {
                prop_assert!(layout.shape().moves(CardSet::EMPTY).any(|m| m == (card, to)));
                layout = layout.moved(card, to);
            }
            prop_assert!(layout.shape().grouped(&colouring));
            let one = start.shape().moves(CardSet::EMPTY).any(|(c, to)| start.moved(c, to).shape().grouped(&colouring));
            prop_assert!(path.len() <= 1 || !one);
        }
    }
}

/// Whether cells are connected by sides.
fn connected(cells: &[ken_games::yokai::Cell]) -> bool {
    let mut reached = vec![cells[0]];
    let mut at = 0;
    while at < reached.len() {
        for cell in reached[at].beside() {
            if cells.contains(&cell) && !reached.contains(&cell) {
                reached.push(cell);
            }
        }
        at += 1;
    }
    reached.len() == cells.len()
}

#[test]
fn an_outlook_holds_the_mean_costs_and_a_look_never_makes_them_worse() {
    let (evidence, left) = evidence(11, 8, 0, 0, 0);
    assert_eq!(evidence.count(), left.len() as u64);
    let draws = Draws::new(left);
    let layout = layout(5, 4);
    let moves = Moves::of(&layout, CardSet::EMPTY);
    let outlook = moves.outlook(&draws);
    let means = outlook.means();
    for (i, &(card, to)) in moves.list().iter().enumerate() {
        let direct = mean_cost(&layout.moved(card, to).shape(), &draws, CardSet::EMPTY);
        assert!((means[i] - direct).abs() < 1e-9);
    }
    let cards: Vec<Card> = (0..CARDS as u8).map(Card).collect();
    for &card in &cards {
        assert!(outlook.after_look(&draws, card) <= outlook.best() + 1e-9);
    }
    let best = outlook.best_look(&draws, &cards).expect("cards");
    assert!(cards.iter().all(|&c| outlook.after_look(&draws, best) <= outlook.after_look(&draws, c)));
    let ranked = moves.ranked(&draws, 5);
    assert_eq!(ranked.len(), moves.list().len());
    assert!(ranked.windows(2).all(|w| w[0].0 <= w[1].0));
}
