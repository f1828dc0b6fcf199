//! Nested knowledge of Cluedo against the unfolding of small games.

use super::total;
use crate::support::deck;
use ken_games::cards::Card;
use ken_games::cluedo::know::{Engine, Knower};
use ken_games::cluedo::rules::State;
use ken_games::cluedo::{Action, Cluedo, Endmove, Position, Sight};
use ken_games::conformance::{Compared, Operator, Trial, random_formula, unfolding_agrees};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat, Turn, Verdict};
use ken_games::knowledge::Budget;
use ken_games::knowledge::read;
use ken_games::unfold::{Ask, Unfold, Unfolding, WhatIf};
use ken_logic::formula::{F, Formula, Name};

/// The atoms `holds(seat,card)` and `env(card)`, the name `solved(seat)`, and the convention about ends of turns.
fn unfold(game: &Cluedo) -> Unfold<'_, Cluedo> {
    let mut unfold = Unfold::of(game);
    let cards = || game.deck().cards().iter();
    let env = move |card: Card| Name::from(format!("env({})", game.deck().name(card)));
    for card in cards() {
        unfold = unfold.atom(env(card), move |h| h.state().envelope().has(card));
        for seat in Seat::all(game.seats()) {
            let name = format!("holds({seat},{})", game.deck().name(card));
            unfold = unfold.atom(name, move |h| h.state().hand(seat).has(card));
        }
    }
    for seat in Seat::all(game.seats()) {
        let known =
            cards().map(|card| F::new(Formula::KnowsWhether(seat.to_string().into(), Formula::atom(env(card)))));
        unfold = unfold.define(format!("solved({seat})"), Formula::and(known.collect()));
    }
    unfold.only_if(|state: &State, action: &Action| match (game.endmove(), action, game.turn(state)) {
        (Endmove::Ignorance, Action::End, Turn::Of(seat)) => {
            Some(Formula::negation(Formula::atom(format!("solved({seat})"))))
        }
        _ => None,
    })
}

/// What the engine says.
fn verdict(game: &Cluedo, engine: Engine, seat: Seat, memory: &[Sight], formula: &F) -> Option<Verdict> {
    let position = Position::of_memory(game.deck(), game.endmove(), memory);
    assert_eq!(position.observer(), seat);
    let fact = read(&position, &formula.to_string()).unwrap_or_else(|problems| panic!("{formula}: {problems:?}"));
    let answer = Knower::with(&position, engine).ask(&fact, &Budget::default()).ok()?;
    Some(match (answer.known(), answer.possible()) {
        (true, _) => Verdict::Yes,
        (false, false) => Verdict::No,
        (false, true) => Verdict::Open,
    })
}

/// Matches of a game by all engines.
fn compared(sizes: &[usize], seats: u8, endmove: Endmove, seeds: std::ops::Range<u64>) -> Compared {
    let game = Cluedo::new(deck(sizes), seats).expect("enough cards").with_endmove(endmove).with_turns(6);
    let unfold = unfold(&game);
    let trial = Trial { operators: &Operator::ALL, depth: 3, events: 10, formulas: 4 };
    let engines = [Engine::Best, Engine::Lazy, Engine::Symbolic];
    total(seeds.map(|seed| {
        let engine = engines[seed as usize % 3];
        unfolding_agrees(&unfold, seed, &trial, |seat, memory, f| verdict(&game, engine, seat, memory, f))
    }))
}

#[test]
fn nested_knowledge_of_small_cluedo_is_what_the_rules_make() {
    let small = [(&[2, 2, 2][..], 2), (&[2, 2, 2], 3), (&[2, 2], 2), (&[2, 3], 3), (&[3, 2], 2), (&[4], 3)];
    let larger = [(&[3, 2, 2][..], 2), (&[3, 2, 2], 3), (&[3, 2, 2], 4), (&[2, 2, 2, 2], 3)];
    for endmove in Endmove::ALL {
        let mut all = Compared::default();
        small.iter().for_each(|(sizes, seats)| all += compared(sizes, *seats, endmove, 0..12));
        larger.iter().for_each(|(sizes, seats)| all += compared(sizes, *seats, endmove, 0..6));
        assert!(all.verdicts > 6000 && all.settled < all.verdicts, "{all:?}");
    }
}

/// The formula after a question with all that belongs to it: after the card that is shown, or at once if nobody answers.
fn after_question(question: Action, every: bool, then: &F) -> Ask<Action> {
    let Action::Suggest(cards) = question else { panic!("a question") };
    let names = |prefix: &str| cards.iter().map(|c| Name::from(format!("{prefix}{}", c.0))).collect::<Vec<_>>();
    let (shown, can) = (names("shown"), names("can"));
    let of = |names: &[Name]| names.iter().map(|n| Formula::atom(n.clone())).collect::<Vec<F>>();
    let answered = Formula::or(of(&can));
    let inside = match every {
        true => Formula::and([of(&shown), vec![Formula::or(vec![answered, then.clone()])]].concat()),
        false => {
            let nobody = Formula::and(vec![Formula::negation(answered), then.clone()]);
            Formula::or([of(&shown), vec![nobody]].concat())
        }
    };
    let mut ask = Ask::from(inside);
    for ((card, shown), can) in cards.iter().zip(shown).zip(can) {
        let after = if every { WhatIf::every } else { WhatIf::some };
        ask = ask.naming(shown, after(Action::Show(card), then.clone()));
        ask = ask.naming(can, WhatIf::some(Action::Show(card), Formula::truth()));
    }
    let after = if every { WhatIf::every } else { WhatIf::some };
    after(question, ask).ask()
}

#[test]
fn what_a_question_would_tell_is_what_the_rules_make() {
    let mut compared = [0; 3];
    for (i, (sizes, seats)) in [(&[2, 2][..], 2), (&[2, 3], 3), (&[2, 2, 2], 3), (&[3, 2], 2)].into_iter().enumerate() {
        let game = Cluedo::new(deck(sizes), seats).expect("enough cards").with_turns(6);
        let unfold = unfold(&game);
        let atoms: Vec<Name> = unfold.names().cloned().collect();
        for seed in 0..6 {
            let dice = &mut Dice::new(mix(seed, i as u64));
            let deals = unfold.deals().expect("few");
            let mut now = unfold.begin(&dice.pick(&deals).1).expect("a deal");
            for _ in 0..6 {
                let options = now.options().expect("options");
                let Some(&first) = options.first() else { break };
                if let (Action::Suggest(cards), Turn::Of(asker)) = (first, game.turn(now.real().state())) {
                    for seat in Seat::all(seats) {
                        let every = dice.below(2) == 0;
                        let then = random_formula(&atoms, &Operator::ALL, seats, dice.below(3), dice);
                        let expected = now.verdict(seat, &after_question(first, every, &then)).expect("few");
                        let move_ = format!("{asker}: suggest {}", game.deck().names(cards).replace(" and", ""));
                        let text = if every { format!("[{move_}] ({then})") } else { format!("<{move_}> ({then})") };
                        let position = Position::of_memory(game.deck(), game.endmove(), &now.memory(seat));
                        let fact = read(&position, &text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
                        let answer = Knower::new(&position).ask(&fact, &Budget::default()).expect("an answer");
                        let found = match (answer.known(), answer.possible()) {
                            (true, _) => Verdict::Yes,
                            (false, false) => Verdict::No,
                            (false, true) => Verdict::Open,
                        };
                        assert_eq!(found, expected, "seat {seat}: {text}\n{position:?}");
                        compared[found as usize] += 1;
                    }
                }
                now.play(dice.pick(&options)).expect("an option");
            }
        }
    }
    assert!(compared.iter().all(|&n| n > 10), "{compared:?}");
}

#[test]
fn what_an_end_of_turn_would_tell_is_what_the_rules_make() {
    let mut compared = [0; 3];
    for (i, (sizes, seats)) in
        [(&[2, 3][..], 3), (&[2, 2, 2], 3), (&[3, 2], 2), (&[3, 2, 2], 3)].into_iter().enumerate()
    {
        let game = Cluedo::new(deck(sizes), seats).expect("enough cards");
        let game = game.with_endmove(Endmove::Ignorance).with_turns(6);
        let unfold = unfold(&game);
        let atoms: Vec<Name> = unfold.names().cloned().collect();
        for seed in 0..12 {
            let dice = &mut Dice::new(mix(seed, 100 + i as u64));
            let deals = unfold.deals().expect("few");
            let mut now = unfold.begin(&dice.pick(&deals).1).expect("a deal");
            for _ in 0..10 {
                let options = now.options().expect("options");
                if let (true, Turn::Of(by)) = (options.contains(&Action::End), game.turn(now.real().state())) {
                    for seat in Seat::all(seats) {
                        let then = random_formula(&atoms, &Operator::ALL, seats, dice.below(3), dice);
                        let ask = WhatIf::every(Action::End, then.clone()).ask();
                        let expected = now.verdict(seat, &ask).expect("few");
                        let position = Position::of_memory(game.deck(), game.endmove(), &now.memory(seat));
                        let fact = read(&position, &format!("[{by}: end] ({then})")).expect("a fact");
                        let answer = Knower::new(&position).ask(&fact, &Budget::default()).expect("an answer");
                        let found = match (answer.known(), answer.possible()) {
                            (true, _) => Verdict::Yes,
                            (false, false) => Verdict::No,
                            (false, true) => Verdict::Open,
                        };
                        assert_eq!(found, expected, "seat {seat}: [{by}: end] ({then})\n{position:?}");
                        compared[found as usize] += 1;
                    }
                }
                let Some(action) = options.get(dice.below(options.len().max(1))) else { break };
                now.play(action).expect("an option");
            }
        }
    }
    assert!(compared.iter().all(|&n| n > 5), "{compared:?}");
}

#[test]
fn with_two_cards_to_a_category_one_question_tells_the_asker_the_envelope() {
    let game = Cluedo::new(deck(&[2, 2]), 2).expect("enough cards");
    let unfold = unfold(&game);
    let [a, b] = ["c0n0", "c1n0"].map(|name| game.deck().find(name).expect("a card"));
    let question = Action::Suggest([a, b].into_iter().collect());
    // Seat 0 holds a, so the other card of its category is in the envelope; seat 1 has one of the other two.
    let mine = |(state, _): &(State, _)| state.hand(Seat(0)).has(a) && state.hand(Seat(1)).has(b);
    let deal = unfold.deals().expect("few").into_iter().find(mine).expect("such a deal").1;
    let mut now = unfold.begin(&deal).expect("a deal");
    assert_eq!(unfold.deals().expect("few").len(), 8, "four envelopes, and who holds which of the two other cards");
    let solved = |seat: u8| Formula::atom(format!("solved({seat})"));
    let then = |f: F| WhatIf::every(question, f).ask();
    let both = |now: &mut Unfolding<'_, '_, Cluedo>, ask: Ask<Action>| {
        [0, 1].map(|seat| now.verdict(Seat(seat), &ask).expect("a verdict"))
    };
    assert_eq!(both(&mut now, solved(0).into()), [Verdict::No, Verdict::No]);
    // Whether it shows b or passes: since a is held by the asker, either tells which of the two seat 1 has.
    let shown = WhatIf::some(Action::Show(b), solved(0)).ask();
    assert_eq!(both(&mut now, WhatIf::every(question, shown).ask()), [Verdict::Open, Verdict::Yes]);
    assert_eq!(both(&mut now, then(solved(0))), [Verdict::Yes; 2]);
    // Seat 1 has nothing to learn from the question.
    assert_eq!(both(&mut now, then(solved(1))), [Verdict::No; 2]);
    assert_eq!(both(&mut now, WhatIf::some(Action::End, Formula::truth()).ask()), [Verdict::No; 2]);
}
