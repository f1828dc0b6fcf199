use super::random;
use super::*;
use crate::dice::Dice;
use crate::eleusis::rule::{Attribute, CardRef, Cmp, Num, Scope, Test};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

const DECK: Deck = Deck::STANDARD;

fn small() -> Deck {
    Deck::two_suits(3).expect("three values")
}

fn rank(who: CardRef) -> Num {
    Num::Of(Attribute::Rank, who)
}

fn colour(who: CardRef) -> Num {
    Num::Of(Attribute::Colour, who)
}

fn compare(a: Num, cmp: Cmp, b: Num) -> Test {
    Test::Compare(a, cmp, b)
}

fn if_else(condition: Test, yes: Test, no: Test) -> Test {
    Test::If(Box::new(condition), Box::new(yes), Box::new(no))
}

fn position() -> Num {
    Num::Count(Scope::Line, Box::new(Test::Const(true)))
}

fn count(test: Test) -> Num {
    Num::Count(Scope::Line, Box::new(test))
}

fn of(body: Test) -> Automaton {
    Automaton::of(&Rule::new(DECK, body)).expect("a regular rule")
}

fn line(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| DECK.read(card).expect("a card")).collect()
}

/// The automaton of a random rule, unless it is not regular or too large for a quick test.
fn quick(rule: &Rule) -> Option<Automaton> {
    let table = lower::machine(rule).ok()?.explore(3_000).ok()?;
    Some(Automaton::minimal(rule.deck.clone(), table))
}

/// Automaton and rule judge every card alike along the accepted cards of the list.
fn agree_along(automaton: &Automaton, rule: &Rule, cards: &[Card]) -> Result<(), TestCaseError> {
    let (mut state, mut line) = (automaton.start(), Vec::new());
    prop_assert_eq!(automaton.accepted(state), rule.deck.all());
    for &card in cards {
        let next = automaton.step(state, card);
        prop_assert_eq!(next.is_some(), automaton.accepted(state).has(card));
        if let Some(next) = next {
            state = next;
            line.push(card);
            prop_assert_eq!(automaton.accepted(state), rule.accepted(&line), "after {:?}", line);
        }
    }
    prop_assert_eq!(automaton.run(&line), Some(state));
    Ok(())
}

/// Blocks of states that accept the same continuations, by refining all states together until nothing changes.
fn naive_blocks(automaton: &Automaton) -> Vec<usize> {
    let mut block: Vec<usize> = vec![0; automaton.states()];
    loop {
        let mut names: HashMap<Vec<Option<usize>>, usize> = HashMap::new();
        let row = |state: usize| -> Vec<Option<usize>> {
            let step = |card| automaton.step(State(state as u32), card).map(|to| block[to.0 as usize]);
            automaton.deck().all().iter().map(step).collect()
        };
        let refined: Vec<usize> = (0..automaton.states())
            .map(|state| {
                let free = names.len();
                *names.entry(row(state)).or_insert(free)
            })
            .collect();
        if refined == block {
            return block;
        }
        block = refined;
    }
}

/// A shortest separating continuation by search through all pairs of states.
fn naive_separation(a: &Automaton, b: &Automaton) -> Option<(Vec<Card>, Card)> {
    let mut seen = HashSet::from([(a.start(), b.start())]);
    let mut open = VecDeque::from([(a.start(), b.start(), Vec::new())]);
    while let Some((p, q, line)) = open.pop_front() {
        for card in a.deck().all().iter() {
            match (a.step(p, card), b.step(q, card)) {
                (None, None) => (),
                (Some(p), Some(q)) => {
                    if seen.insert((p, q)) {
                        open.push_back((p, q, [line.clone(), vec![card]].concat()));
                    }
                }
                _ => return Some((line, card)),
            }
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_automaton_judges_as_the_rule_does(
        rule in random::rule(small()),
        cards in random::line(&small(), 40),
    ) {
        if let Some(automaton) = quick(&rule) {
            agree_along(&automaton, &rule, &cards)?;
        }
    }

    #[test]
    fn the_automaton_judges_as_the_rule_does_with_52_cards(
        rule in random::rule(DECK),
        cards in random::line(&DECK, 30),
    ) {
        if let Some(automaton) = quick(&rule) {
            agree_along(&automaton, &rule, &cards)?;
        }
    }

    #[test]
    fn no_two_states_accept_the_same(rule in random::rule(small())) {
        if let Some(automaton) = quick(&rule) {
            let blocks: BTreeSet<usize> = naive_blocks(&automaton).into_iter().collect();
            prop_assert_eq!(blocks.len(), automaton.states());
        }
    }

    #[test]
    fn a_separation_is_a_shortest_one(a in random::rule(small()), b in random::rule(small())) {
        if let (Some(first), Some(second)) = (quick(&a), quick(&b)) {
            let found = separate((&first, first.start()), (&second, second.start()));
            prop_assert_eq!(found.is_none(), first == second);
            let naive = naive_separation(&first, &second);
            prop_assert_eq!(found.as_ref().map(|f| f.line.len()), naive.map(|(line, _)| line.len()));
            if let Some(Separation { line, card, accepted_by }) = found {
                prop_assert!(a.admits(&line) && b.admits(&line));
                prop_assert_eq!(a.accepts(&line, card), accepted_by == Which::First);
                prop_assert_eq!(b.accepts(&line, card), accepted_by == Which::Second);
            }
        }
    }
}

#[test]
fn most_random_rules_have_a_small_automaton() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let sample = |_| random::rule(small()).new_tree(&mut runner).expect("a rule").current();
    let compiled = (0..200).map(sample).filter(|rule| quick(rule).is_some()).count();
    assert!(compiled > 140, "only {compiled} of 200: the properties above would say little");
}

#[test]
fn the_rules_of_the_paper_have_3_53_7_625_and_3_states() {
    let (next, last, second) = (CardRef::Next, CardRef::Back(1), CardRef::Back(2));
    let odd = |who| Num::Mod(Box::new(rank(who)), 2);
    let suit = |who| Num::Of(Attribute::Suit, who);
    let low = Test::In(next.clone(), DECK.ranks(|rank| rank <= 7));
    let bodies = [
        compare(odd(next.clone()), Cmp::Ne, odd(last.clone())),
        Test::Or(vec![
            compare(suit(next.clone()), Cmp::Eq, suit(last.clone())),
            compare(rank(next.clone()), Cmp::Eq, rank(last.clone())),
        ]),
        Test::Iff(Box::new(compare(colour(last.clone()), Cmp::Eq, colour(second.clone()))), Box::new(low)),
        if_else(
            Test::In(second.clone(), DECK.red()),
            compare(rank(next.clone()), Cmp::Ge, rank(second.clone())),
            compare(rank(next.clone()), Cmp::Le, rank(second)),
        ),
        if_else(
            compare(rank(last.clone()), Cmp::Eq, Num::Const(1)),
            compare(colour(next.clone()), Cmp::Ne, colour(last.clone())),
            compare(colour(next), Cmp::Eq, colour(last)),
        ),
    ];
    assert_eq!(bodies.map(|body| of(body).states()), [3, 53, 7, 625, 3]);
}

#[test]
fn a_window_that_is_not_filled_accepts_but_the_branch_not_taken_is_not_looked_at() {
    let third = Test::In(CardRef::Back(3), DECK.red());
    let red = Test::In(CardRef::Next, DECK.red());
    let both = of(Test::And(vec![red.clone(), third.clone()]));
    assert_eq!(both.accepted(both.run(&line("7C 8C")).expect("accepted")), DECK.all());
    let branch = of(if_else(Test::Const(true), red, third));
    assert_eq!(branch.accepted(branch.run(&line("7C")).expect("accepted")), DECK.red());
}

#[test]
fn two_copies_of_each_rank_need_three_states_a_rank() {
    let deck = Deck::two_suits(4).expect("four values");
    let same = compare(rank(CardRef::This), Cmp::Eq, rank(CardRef::Next));
    let rule = Rule::new(deck, compare(count(same), Cmp::Lt, Num::Const(2)));
    assert_eq!(Automaton::of(&rule).expect("regular").states(), 81);
}

#[test]
fn long_counters_are_compiled_in_reasonable_time() {
    assert_eq!(of(compare(position(), Cmp::Lt, Num::Const(20_000))).states(), 20_001);
}

#[test]
fn tallies_weighed_against_each_other_are_refused() {
    let red = || count(Test::In(CardRef::This, DECK.red()));
    let black = || count(Test::In(CardRef::This, DECK.all().minus(DECK.red())));
    let refused = |body| match Automaton::of(&Rule::new(DECK, body)) {
        Err(Unbounded::NotRegular { part, .. }) => part,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(compare(red(), Cmp::Lt, black())), "a comparison");
    assert_eq!(
        refused(compare(Num::Mul(Box::new(position()), Box::new(position())), Cmp::Lt, Num::Const(9))),
        "a product"
    );
    // Together they grow in one direction, so their sum settles.
    let sum = Num::Add(Box::new(red()), Box::new(black()));
    assert_eq!(of(compare(sum, Cmp::Lt, Num::Const(5))), of(compare(position(), Cmp::Lt, Num::Const(5))));
    // A remainder of any polynomial is bounded.
    let squares = Num::Mul(Box::new(position()), Box::new(position()));
    let rest = compare(Num::Mod(Box::new(squares), 4), Cmp::Eq, Num::Mod(Box::new(rank(CardRef::Next)), 4));
    assert_eq!(of(rest).states(), 2 + 1);
}

#[test]
fn too_many_memories_are_refused_with_the_limit() {
    let windows = |k| compare(rank(CardRef::Next), Cmp::Eq, rank(CardRef::Back(k)));
    let rule = Rule::new(DECK, Test::And((1..=9).map(windows).collect()));
    assert!(matches!(
        lower::machine(&rule).expect("a machine").explore(1000),
        Err(Unbounded::TooLarge { limit: 1000 })
    ));
}

#[test]
fn the_measure_gives_the_known_figures() {
    let up =
        of(compare(rank(CardRef::Next), Cmp::Eq, Num::Add(Box::new(rank(CardRef::Back(1))), Box::new(Num::Const(1)))));
    let measure = up.measure(DECK.all());
    assert!((measure.permissiveness - 0.0657).abs() < 0.001, "{measure:?}");
    assert!((measure.per_attempt - 1.0 / 13.0).abs() < 1e-9);
    assert_eq!((measure.least, measure.dead_end_rate.round()), (0.0, 1.0));
    assert!(measure.can_dead_end && !measure.every_card_playable && !measure.fair);
    let short = of(compare(position(), Cmp::Lt, Num::Const(5))).measure(DECK.all());
    assert!((short.permissiveness - 0.8).abs() < 1e-9 && (short.per_attempt - 1.0).abs() < 1e-9);
    let alternate = of(compare(colour(CardRef::Next), Cmp::Ne, colour(CardRef::Back(1)))).measure(DECK.red());
    assert!(alternate.fair && !alternate.can_dead_end && alternate.permissiveness == 0.5);
}

#[test]
fn a_rule_whose_lines_can_end_dead_is_not_fair() {
    for text in ["previous is red", "if previous is a queen then never else (if previous is red then even else odd)"] {
        let rule = Rule::parse(text, &DECK).expect("a rule");
        let measure = Automaton::of(&rule).expect("regular").measure(DECK.all());
        assert!((0.25..=0.5).contains(&measure.permissiveness) && measure.every_card_playable, "{text}: {measure:?}");
        assert!(measure.can_dead_end && !measure.fair, "{text}");
    }
}

#[test]
fn the_measure_agrees_with_sampled_lines() {
    let top = compare(rank(CardRef::Next), Cmp::Gt, Num::Highest(Scope::Line));
    let bottom = compare(rank(CardRef::Next), Cmp::Lt, Num::Lowest(Scope::Line));
    let rule = Rule::new(DECK, Test::Or(vec![top, bottom]));
    let automaton = Automaton::of(&rule).expect("regular");
    let (mut dice, mut shares, mut judged, mut dead) = (Dice::new(7), 0, 0, 0);
    const LINES: usize = 2_000;
    for _ in 0..LINES {
        let mut line = vec![*dice.pick(&DECK.all().iter().collect::<Vec<Card>>())];
        for _ in 0..20 {
            let accepted: Vec<Card> = rule.accepted(&line).iter().collect();
            (judged, shares) = (judged + 1, shares + accepted.len());
            if accepted.is_empty() {
                dead += 1;
                break;
            }
            line.push(*dice.pick(&accepted));
        }
    }
    let exact = automaton.measure(DECK.all());
    assert!((exact.permissiveness - shares as f64 / (judged as f64 * 52.0)).abs() < 0.01, "{exact:?}");
    assert!((exact.dead_end_rate - dead as f64 / LINES as f64).abs() < 0.02, "{exact:?}");
}

#[test]
fn moves_split_the_accepted_cards_by_target() {
    let automaton = of(compare(colour(CardRef::Next), Cmp::Ne, colour(CardRef::Back(1))));
    let moves = automaton.moves(automaton.start());
    assert_eq!(moves.iter().map(|(cards, _)| cards.len()).collect::<Vec<_>>(), [26, 26]);
    assert_eq!(moves.iter().fold(CardSet::EMPTY, |all, (cards, _)| all.or(*cards)), DECK.all());
}
