//! The laws of knowledge, in random matches.

use ken_games::cards::{Card, CardSet};
use ken_games::conformance as laws;
use ken_games::dice::Dice;
use ken_games::game::{Game, Knowledge, Seat, Turn, Verdict};
use ken_games::knowledge::{Budget, Mind, Remembers, Seats, Sights, since};
use ken_games::yokai::knowledge::{Assumed, Atom, Fact, Memory, Why, check};
use ken_games::yokai::{Action, CARDS, Colour, Colours, Sight, State, Yokai};
use std::sync::Arc;

const PAPER: Yokai = Yokai { free_order: true, any_time: true, ..Yokai::PLAIN };
const ORACLE: Yokai = Yokai { oracle: true, ..Yokai::PLAIN };

fn begin(game: Yokai, assumed: Assumed) -> impl Fn(&Sight) -> Memory {
    move |sight| {
        let mut memory = Memory::new(&game, assumed);
        memory.learn(sight);
        memory
    }
}

/// Facts about the deal.
fn plain() -> Vec<Fact> {
    let cards = || CardSet::first(CARDS).iter();
    let mut facts: Vec<Fact> =
        cards().map(|card| Fact::colour(card, Colours::of(Colour::ALL[card.index() % 4]))).collect();
    facts.extend(cards().zip(cards().skip(3)).map(|(a, b)| Fact::same(a, b)));
    facts
}

fn holds(state: &State, fact: &Fact) -> bool {
    let of = |card: Card| state.colouring().of(card);
    match fact {
        Fact::Atom(Atom::Colour(card, colours)) => colours.has(of(*card)),
        Fact::Atom(Atom::Same(a, b)) => of(*a) == of(*b),
        Fact::Atom(Atom::Grouped) => state.stage().layout().shape().grouped(state.colouring()),
        other => panic!("{other:?} is not asked here"),
    }
}

#[test]
fn looks_alone_never_mislead_and_are_never_lost() {
    // Half of them: with an oracle every verdict takes in all layouts so far.
    let deal: Vec<Fact> = plain().into_iter().step_by(2).collect();
    let mut asked = deal.clone();
    asked.push(Fact::GROUPED);
    for seed in 0..2 {
        for game in [Yokai::default(), PAPER, ORACLE] {
            let begin = begin(game, Assumed::Nothing);
            laws::knowledge_is_true(&game, seed, &begin, &asked, holds).unwrap_or_else(|e| panic!("{game:?}: {e}"));
            laws::known_stays_known(&game, seed, &begin, &deal).unwrap_or_else(|e| panic!("{game:?}: {e}"));
        }
    }
}

/// The memories of a match in which every mark is proper, and its states.
fn honest_match(seed: u64) -> (Vec<State>, [Vec<Sight>; 2]) {
    let game = Yokai::default();
    let dice = &mut Dice::new(seed);
    let (mut state, event) = game.deal(dice);
    let mut memories = [Seat(0), Seat(1)].map(|seat| vec![game.sight(&event, seat)]);
    let mut states = vec![state.clone()];
    while let Turn::Of(_) = game.turn(&state) {
        let mut options = game.legal(&state);
        let proper = |a: &Action| !matches!(a, Action::Mark(card, hint) if !hint.has(state.colouring().of(*card)));
        options.retain(|a| *a != Action::Stop && proper(a));
        let event = game.play(&mut state, dice.pick(&options)).unwrap();
        for (seat, memory) in Seat::all(2).zip(&mut memories) {
            memory.push(game.sight(&event, seat));
        }
        states.push(state.clone());
    }
    (states, memories)
}

#[test]
fn with_proper_hints_nothing_false_is_known_and_what_is_known_stays() {
    for seed in 0..4 {
        let (states, memories) = honest_match(seed);
        for memory in memories {
            let mut mind = Memory::new(&Yokai::default(), Assumed::Proper);
            let facts = plain();
            let mut before = vec![Verdict::Open; facts.len()];
            for (sight, state) in memory.iter().zip(&states) {
                mind.learn(sight);
                for (fact, before) in facts.iter().zip(&mut before) {
                    let verdict = mind.verdict(fact);
                    let wrong = if holds(state, fact) { Verdict::No } else { Verdict::Yes };
                    assert_ne!(verdict, wrong, "seed {seed}: {fact:?}");
                    assert!(*before == Verdict::Open || *before == verdict, "seed {seed}: {fact:?}");
                    *before = verdict;
                }
            }
            assert!(before.iter().all(|verdict| *verdict != Verdict::Open), "the end shows all colours");
        }
    }
}

#[test]
fn lasting_facts_about_knowledge_stay_known() {
    let red = |card| Fact::colour(Card(card), Colours::of(Colour::Red));
    let mut facts = Vec::new();
    for card in 0..CARDS as u8 {
        facts.push(red(card).known_to(Seat(0)).known_to(Seat(1)));
        facts.push(Fact::Common(Seats::all(2), Arc::new(red(card).negated())));
        facts.push(Fact::Knows(Seats::all(2), Arc::new(red(card))));
    }
    assert!(facts.iter().all(|fact| fact.lasts(&|_: &Atom| false)));
    let (_, memories) = honest_match(7);
    for memory in memories {
        let mut mind = Memory::new(&Yokai::default(), Assumed::Proper);
        let mut before = vec![Verdict::Open; facts.len()];
        for sight in &memory {
            mind.learn(sight);
            for (fact, before) in facts.iter().zip(&mut before) {
                let verdict = mind.verdict(fact);
                assert!(*before != Verdict::Yes || verdict == Verdict::Yes, "{fact:?}");
                *before = verdict;
            }
        }
    }
}

#[test]
fn at_full_size_nearly_every_verdict_has_a_reason() {
    let (mut proofs, mut open, mut unproved) = (0, 0, 0);
    for seed in 0..24 {
        let (_, memories) = honest_match(seed);
        let dice = &mut Dice::new(seed);
        let memory = &memories[dice.below(2)];
        let mut mind = Memory::new(&Yokai::default(), Assumed::Proper);
        let until = 2 + dice.below(memory.len() - 2);
        memory[..until].iter().for_each(|sight| mind.learn(sight));
        for depth in 0..4 {
            let fact = crate::yokai_knowledge::random::fact(depth, dice);
            match mind.why(&fact) {
                Why::Known(proof) | Why::Refuted(proof) => {
                    assert_eq!(check(mind.notes(), &proof, &proof.goal), Ok(()), "seed {seed}: {fact:?}");
                    proofs += 1;
                }
                Why::Open { .. } => open += 1,
                Why::Clash(proof) => panic!("seed {seed}: hints are proper here: {proof:?}"),
                Why::Unproved(_) => unproved += 1,
            }
        }
    }
    assert!(proofs > 40 && open > 10 && 10 * unproved < proofs, "{proofs} proofs, {open} open, {unproved} without");
}

#[test]
fn what_has_been_known_since_an_event_was_open_before_it_and_its_proof_uses_nothing_later() {
    let (_, [memory, _]) = honest_match(3);
    let mut facts = plain();
    facts.extend(facts.clone().into_iter().map(|fact| fact.known_to(Seat(1))));
    facts.push(Fact::GROUPED);
    let upto = |n: usize| {
        let mut mind = Memory::new(&Yokai::default(), Assumed::Proper);
        memory[..n].iter().for_each(|sight| mind.learn(sight));
        mind
    };
    let (game, seen) = (Yokai::default(), &memory[..memory.len() - 1]);
    let (mut found, mut proved) = (0, 0);
    for fact in &facts {
        let mut mind = game.mind(seen);
        let known = match mind.ask(fact, &Budget::default()).expect("hints are proper").verdict {
            Verdict::Yes => fact.clone(),
            Verdict::No => fact.clone().negated(),
            Verdict::Open => continue,
        };
        let first = since(&mind, &known, &Sights(&game, seen)).expect("it is known");
        let holds = |n: usize| game.mind(&seen[..n]).ask(&known, &Budget::default()).is_ok_and(|answer| answer.known());
        assert!((first..=seen.len()).all(holds), "{fact:?} since {first}");
        // A fact about the layout is another one after a move.
        assert!(first == 1 || *fact == Fact::GROUPED || !holds(first - 1), "{fact:?} since {first}");
        if let (true, Why::Known(proof)) =
            (fact.lasts(&|_: &Atom| false) && *fact != Fact::GROUPED, upto(first).why(&known))
        {
            let latest = proof.premises.iter().filter_map(|noted| noted.event).max();
            assert!(latest.is_none_or(|latest| latest < first), "{fact:?} since {first} rests on {latest:?}");
            proved += 1;
        }
        found += 1;
    }
    assert!(found > 20 && proved > 10, "{found} {proved}");
}
