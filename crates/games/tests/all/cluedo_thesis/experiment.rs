//! The experiment, the players in it, and the players in matches.

use crate::cluedo_thesis::prolog;
use ken_games::cards::CardSet;
use ken_games::cluedo::players::modal::{Analyzer, Reading};
use ken_games::cluedo::players::{PLAYERS, seat};
use ken_games::cluedo::thesis::{Rule, rounds};
use ken_games::cluedo::{Action, Cluedo, Event, Sight};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Player, Seat, Turn};

/// An agent that asks open triples learns a card of somebody else in every round, or has solved the game.
fn bound(game: &Cluedo) -> u32 {
    game.hand_sizes()[1..].iter().map(|&n| u32::from(n)).sum::<u32>() + 1
}

#[test]
fn sound_agents_solve_every_game_in_time() {
    for seats in 2..=6 {
        let game = Cluedo::classic(seats);
        for rule in Rule::ALL {
            for name in ["elimination", "modal", "modal-improved"] {
                for i in 0..60 {
                    let mut agent = seat(name, &game, i).unwrap();
                    let run = rounds(&game, agent.as_mut(), rule, &mut Dice::new(i), bound(&game));
                    assert!(run.solved, "{name}, {seats} seats, rule {}, seed {i}", rule.name());
                    assert_eq!(run.asked.len(), run.rounds as usize);
                }
            }
        }
    }
}

#[test]
fn the_printed_program_rules_out_the_truth_in_some_games_under_rule_a() {
    let game = Cluedo::classic(6);
    let solves = |name: &str, rule: Rule| -> Vec<bool> {
        let run = |i| rounds(&game, seat(name, &game, i).unwrap().as_mut(), rule, &mut Dice::new(i), bound(&game));
        (0..40).map(|i| run(i).solved).collect()
    };
    let printed = solves("modal-printed", Rule::Any);
    assert_eq!(printed.iter().position(|&solved| !solved), Some(6), "the first seed that goes wrong: {printed:?}");
    assert!(solves("modal", Rule::Any).iter().all(|&solved| solved));
    assert!(solves("modal-printed", Rule::NoWinning).iter().all(|&solved| solved));
}

/// Keeps the analyzer in both ways, and with the improvements, and compares them in every round.
struct Compare {
    dice: Dice,
    game: Cluedo,
    readings: Vec<Analyzer>,
    rows: prolog::Rows,
    history: Vec<prolog::Combinations>,
    states: Vec<[u8; 3]>,
    round: Vec<prolog::Question>,
    compared: usize,
}

fn numbers(cards: CardSet) -> Vec<u8> {
    cards.iter().map(|c| c.0 + 1).collect()
}

impl Player<Cluedo> for Compare {
    fn watch(&mut self, sight: &Sight) {
        match sight {
            Sight::Dealt { seat, hand, sizes } => {
                let hand = hand.iter().copied().collect();
                let readings = [Reading::PRINTED, Reading::MEANT, Reading::IMPROVED];
                let new = |r| Analyzer::new(self.game.deck().clone(), r, *seat, hand, sizes);
                self.readings = readings.map(new).into();
                self.rows = prolog::rows_of_agent(&numbers(hand));
                self.states = prolog::winstates();
                prolog::run1(&mut self.states, &numbers(hand));
            }
            &Sight::Asked { asker, cards, answer } => {
                let triple = numbers(cards).try_into().unwrap();
                self.round.push((triple, asker.0 + 1, answer.map_or(1, |s| s.0 + 1)));
                self.readings.iter_mut().for_each(|r| r.asked(asker, cards, answer));
            }
            &Sight::Shown { by, to: Seat(0), card: Some(card) } => {
                prolog::run1(&mut self.states, &[card.0 + 1]);
                prolog::remover2(by.0 + 1, &[card.0 + 1], &mut self.rows);
                self.readings.iter_mut().for_each(|r| r.shown(by, card));
            }
            Sight::Shown { .. } | Sight::Accused { .. } | Sight::Ended { .. } => {}
        }
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        if !self.round.is_empty() {
            prolog::analyzer(&self.round, &mut self.rows, &mut self.history, &mut self.states);
            self.round.clear();
            self.readings.iter_mut().for_each(Analyzer::end_round);
        }
        let [printed, meant, improved] = &self.readings[..] else { unreachable!() };
        assert_eq!(printed.triples(), self.states.len());
        for (player, row) in &self.rows {
            assert_eq!(numbers(printed.rows()[*player as usize - 1]), *row, "player {player}");
        }
        assert!(improved.open().is_subset(meant.open()), "the improvements lose nothing");
        assert!(improved.rows().iter().zip(meant.rows()).all(|(i, m)| i.is_subset(*m)));
        self.compared += 1;
        *self.dice.pick(options)
    }
}

#[test]
fn the_analyzer_on_sets_agrees_with_the_analyzer_on_lists() {
    let game = Cluedo::classic(6);
    for rule in Rule::ALL {
        for i in 0..12 {
            let mut both = Compare {
                dice: Dice::new(mix(i, 1)),
                game: game.clone(),
                readings: Vec::new(),
                rows: Vec::new(),
                history: Vec::new(),
                states: Vec::new(),
                round: Vec::new(),
                compared: 0,
            };
            let run = rounds(&game, &mut both, rule, &mut Dice::new(i), 14);
            assert_eq!(both.compared, run.rounds as usize);
        }
    }
}

/// Asks at random and writes down what the others ask.
struct Spy {
    dice: Dice,
    sights: Vec<Sight>,
}

impl Player<Cluedo> for Spy {
    fn watch(&mut self, sight: &Sight) {
        self.sights.push(sight.clone());
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        *self.dice.pick(options)
    }
}

#[test]
fn the_others_ask_by_the_rule_and_the_agent_sees_what_a_seat_sees() {
    let game = Cluedo::classic(6);
    for rule in Rule::ALL {
        let mut spy = Spy { dice: Dice::new(5), sights: Vec::new() };
        let run = rounds(&game, &mut spy, rule, &mut Dice::new(3), 50_000);
        assert!(run.solved);
        let envelope = *run.asked.last().unwrap();
        let of_others = |s: &Sight| match *s {
            Sight::Asked { asker, cards, .. } if asker != Seat(0) => Some(cards),
            _ => None,
        };
        let asked = spy.sights.iter().filter_map(of_others).fold(CardSet::EMPTY, CardSet::or);
        let free = match rule {
            Rule::Any => CardSet::EMPTY,
            Rule::NoWinning => envelope,
            Rule::Printed => envelope.minus(game.deck().category(0)),
        };
        assert_eq!(asked, game.deck().cards().minus(free), "rule {}", rule.name());

        let Sight::Dealt { hand, .. } = &spy.sights[0] else { panic!("the deal comes first") };
        for pair in spy.sights.windows(2) {
            if let [Sight::Asked { asker, cards, answer: Some(by) }, Sight::Shown { by: shower, to, card }] = pair {
                assert_eq!((by, asker), (shower, to));
                assert_eq!(card.is_some(), *asker == Seat(0) || *by == Seat(0));
                if *by == Seat(0) {
                    assert_eq!(*card, hand.iter().copied().find(|&c| cards.has(c)), "the first in dealing order");
                }
            }
        }
        assert_eq!(spy.sights.iter().filter(|s| matches!(s, Sight::Ended { .. })).count() as u32, 6 * (run.rounds - 1));
    }
}

#[test]
fn every_player_plays_whole_matches_and_the_sound_ones_accuse_rightly() {
    let mut won = 0;
    for seats in 2..=6 {
        let game = Cluedo::classic(seats);
        for i in 0..30 {
            let names: Vec<&str> =
                (0..seats as usize).map(|s| PLAYERS[(i as usize + s) % PLAYERS.len()].name).collect();
            let mut players: Vec<_> = (0..).zip(&names).map(|(s, n)| seat(n, &game, mix(i, s)).unwrap()).collect();
            let (mut state, dealt) = game.deal(&mut Dice::new(i));
            let Event::Dealt { hands, .. } = &dealt else { panic!("the deal comes first") };
            let mut event = dealt.clone();
            loop {
                for (player, s) in players.iter_mut().zip(Seat::all(seats)) {
                    player.watch(&game.sight(&event, s));
                }
                let Turn::Of(mover) = game.turn(&state) else { break };
                let options = game.legal(&state);
                let action = players[mover.index()].choose(&options);
                event = game.play(&mut state, &action).unwrap();
                // Those two choose what they show.
                if let Event::Shown { by, card, .. } = event
                    && !["inquirer", "diplomat"].contains(&names[by.index()])
                {
                    let first = hands[by.index()].iter().find(|&&c| options.contains(&Action::Show(c)));
                    assert_eq!(first, Some(&card));
                }
                if let Event::Accused { seat, cards, envelope } = event {
                    // The first rules out the truth, the second accuses on a chance when it must.
                    let sound = !["modal-printed", "diplomat"].contains(&names[seat.index()]);
                    assert!(!sound || cards == envelope, "{} of {names:?}, seed {i}", names[seat.index()]);
                }
            }
            won += u32::from(state.winner().is_some());
        }
    }
    assert!(won > 100, "{won} of 150 matches have a winner");
}

#[test]
fn the_same_seed_gives_the_same_run_and_an_unknown_name_the_nearest() {
    let game = Cluedo::classic(6);
    for info in PLAYERS {
        let run = || rounds(&game, seat(info.name, &game, 9).unwrap().as_mut(), Rule::Any, &mut Dice::new(4), 40);
        assert_eq!(run(), run());
    }
    let wrong = seat("modol", &game, 0).err().unwrap();
    assert_eq!(wrong.to_string(), "there is no player `modol` (did you mean `modal`?)");
}
