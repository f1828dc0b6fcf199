//! The sums over the whole space against listing every rule of a small one.

use super::hypothesis::Hypothesis;
use super::posterior::Evidence;
use super::prior::Prior;
use super::space::{CARDS, Context, Join, Space};
use super::splits::BRANCHES;
use super::{Guesser, Kind};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::eleusis::deck::Deck;
use crate::eleusis::rule::{Rule, Test};

/// A space small enough to list.
fn small() -> &'static Space {
    let mut space = Space::new(&Prior::fitted());
    let kept = |atom: &super::atoms::Atom| {
        let kinds = [Kind::Anything, Kind::Colour, Kind::LikeSuit];
        let suit = atom.kind == Kind::Suit && matches!(atom.test, Test::In(_, set) if set.len() == 13);
        (kinds.contains(&atom.kind) && atom.part > 0.004) || suit || (atom.kind == Kind::Farther && atom.part > 0.0009)
    };
    let places: Vec<usize> = (0..space.atoms.len()).filter(|&at| kept(&space.atoms[at])).collect();
    let place = |old: u16| places.iter().position(|&at| at == old as usize).map(|at| at as u16);
    space.opposed = space.opposed.iter().filter_map(|&(a, b, w)| Some((place(a)?, place(b)?, w))).collect();
    space.deals = space.deals.iter().map(|deal| deal.map(|atom| place(atom).expect("suits are kept"))).collect();
    space.anything = place(space.anything).expect("anything is kept");
    space.by_weight = space.by_weight.iter().filter_map(|&at| place(at)).collect();
    space.partners = vec![Vec::new(); places.len()];
    space.opposed.iter().for_each(|&(a, b, weight)| space.partners[a as usize].push((b, weight)));
    let mut at = 0;
    space.atoms.retain(|_| {
        at += 1;
        places.contains(&(at - 1))
    });
    let mut at = 0;
    space.splits.retain(|split| {
        at += 1;
        at % 17 == 1 || split.branches() == BRANCHES && at % 5 == 0
    });
    Box::leak(Box::new(space))
}

/// Every rule of the space, as often as it can be made.
fn listed(space: &Space) -> Vec<Hypothesis> {
    let n = space.atoms.len() as u16;
    let mut all: Vec<Hypothesis> = (0..n).map(Hypothesis::Single).collect();
    for (at, split) in space.splits.iter().enumerate() {
        let mut ways = vec![[0u16; BRANCHES]];
        for b in 0..split.branches() {
            let longer = |way: &[u16; BRANCHES]| {
                let way = *way;
                (0..n).map(move |atom| {
                    let mut longer = way;
                    longer[b] = atom;
                    longer
                })
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        all.extend(ways.into_iter().map(|way| Hypothesis::Split(at as u16, way)));
    }
    let joined: Vec<u16> = (0..n).filter(|&at| space.atoms[at as usize].joins()).collect();
    for join in Join::ALL {
        for &a in &joined {
            for &b in &joined {
                if a < b {
                    all.push(Hypothesis::Joined(join, a, b));
                }
            }
        }
    }
    all.extend((0..1 << 13).map(Hypothesis::Ranks));
    all.extend((0..1 << 12).map(Hypothesis::Turns));
    all
}

/// The prior of a rule, with the general split of one atom everywhere taken out: it is that atom.
fn prior(space: &Space, rule: &Hypothesis) -> f64 {
    let mass = rule.prior(space);
    match rule {
        Hypothesis::Split(at, way) => {
            let split = &space.splits[*at as usize];
            let branches = split.branches();
            if way[1..branches].iter().all(|atom| atom == &way[0]) {
                let part = space.atoms[way[0] as usize].part;
                mass - space.share(super::Form::Split) * split.weight * part.powi(branches as i32)
            } else {
                mass
            }
        }
        _ => mass,
    }
}

#[test]
fn the_posterior_is_that_of_every_rule_listed() {
    let space = small();
    let rules = listed(space);
    assert!(
        rules.len() > 20_000,
        "{} rules of {} atoms and {} splits",
        rules.len(),
        space.atoms.len(),
        space.splits.len()
    );
    let mut dice = Dice::new(11);
    for round in 0..5 {
        let mut evidence = Evidence::in_space(space, Card(dice.below(CARDS) as u8));
        let secret = rules[dice.below(rules.len())];
        for play in 0..8 {
            let sum = evidence.predict();
            let (mut mass, mut accepts) = (0.0, [0.0; CARDS]);
            for rule in rules.iter().filter(|rule| evidence.fits(rule)) {
                let weight = prior(space, rule);
                mass += weight;
                for card in CardSet(rule.cards(space, Context { line: evidence.line() })).iter() {
                    accepts[card.index()] += weight;
                }
            }
            let distinct = |rule: &&Hypothesis| match rule {
                Hypothesis::Split(at, way) => {
                    let branches = space.splits[*at as usize].branches();
                    way[1..branches].iter().any(|atom| atom != &way[0])
                }
                _ => true,
            };
            let left = rules.iter().filter(distinct).filter(|rule| evidence.fits(rule)).count();
            assert_eq!(evidence.survivors(), left as f64, "round {round}, play {play}");
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + mass);
            assert!(near(sum.mass, mass), "round {round}, play {play}: {} and {mass}", sum.mass);
            for (card, &expected) in accepts.iter().enumerate() {
                assert!(near(sum.accepts[card], expected), "round {round}, play {play}, card {card}");
            }
            let card = Card(dice.below(CARDS) as u8);
            let accepted = CardSet(secret.cards(space, Context { line: evidence.line() })).has(card);
            evidence.observe(card, accepted);
        }
    }
}

#[test]
fn a_rule_of_the_space_judges_as_the_rule_it_is_written_as() {
    let space = Space::standard();
    let mut dice = Dice::new(5);
    let n = space.atoms.len();
    for _ in 0..400 {
        let atom = |dice: &mut Dice| dice.below(n) as u16;
        let near = |dice: &mut Dice| loop {
            let at = atom(dice);
            if space.atoms[at as usize].joins() {
                return at;
            }
        };
        let rule = match dice.below(5) {
            0 => Hypothesis::Single(atom(&mut dice)),
            1 | 2 => {
                let way = std::array::from_fn(|_| atom(&mut dice));
                Hypothesis::Split(dice.below(space.splits.len()) as u16, way)
            }
            3 => Hypothesis::Joined(Join::ALL[dice.below(3)], near(&mut dice), near(&mut dice)),
            _ => Hypothesis::Turns(dice.below(1 << 13) as u16),
        };
        let written = Rule::new(Deck::STANDARD, rule.test());
        for length in 1..=7 {
            let line: Vec<Card> = (0..length).map(|_| Card(dice.below(CARDS) as u8)).collect();
            let own = CardSet(rule.cards(space, Context { line: &line }));
            assert_eq!(own, written.accepted(&line), "{rule:?} after {line:?}");
        }
    }
}

#[test]
fn the_space_holds_more_than_a_hundred_million_rules_and_its_prior_sums_to_one() {
    let space = Space::standard();
    assert!(space.size() > 1e8);
    let start = Evidence::new(Card(0)).predict();
    assert!(start.mass > 0.9 && start.mass <= 1.0 + 1e-9, "{}", start.mass);
}

#[test]
fn the_same_cards_give_the_same_plan() {
    let plan = || {
        let mut guesser = Guesser::new(Card(8), 3);
        for (card, accepted) in [(20, true), (41, false), (7, true), (30, false)] {
            guesser.observe(Card(card), accepted);
        }
        let plan = guesser.plan(Deck::STANDARD.all());
        (plan.card, plan.meanings.iter().map(|meaning| meaning.rule).collect::<Vec<_>>())
    };
    assert_eq!(plan(), plan());
}

#[test]
fn a_plain_rule_is_found_and_named() {
    let deck = Deck::STANDARD;
    let rule = Rule::new(deck.clone(), Test::In(crate::eleusis::rule::CardRef::Next, deck.red()));
    let mut guesser = Guesser::new(deck.read("7C").expect("a card"), 1);
    for _ in 0..20 {
        let plan = guesser.plan(deck.all());
        if let Some(named) = plan.name(1.0) {
            let named_rule = Rule::new(deck.clone(), named.rule.test());
            if named_rule.accepted(guesser.evidence().line()) == deck.red() {
                return;
            }
            guesser.deny(named.ways.clone());
        }
        let card = plan.card.expect("the deck is not empty");
        let accepted = rule.accepts(guesser.evidence().line(), card);
        guesser.observe(card, accepted);
    }
    panic!("red was not found in twenty plays");
}
