//! The rules of Yōkai: legal moves by two ways, the order of steps, hints, the end, refusals, and bounded memory.

use ken_games::cards::{Card, CardSet};
use ken_games::conformance::{self as laws, random_match};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Notation, Seat, Turn, View};
use ken_games::record::Match;
use ken_games::yokai::players::{PLAYERS, seat};
use ken_games::yokai::read::{position, position_data};
use ken_games::yokai::rules::{HINTS, MIX};
use ken_games::yokai::{
    Action, CARDS, Cell, Colour, Colours, Hint, Layout, Position, SeenAct, Sight, Stage, State, Step, Steps, Yokai,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const PLAIN: Yokai = Yokai::PLAIN;

/// The eight sets of options.
fn games() -> impl Iterator<Item = Yokai> {
    (0..8).map(|i| Yokai { free_order: i & 1 > 0, any_time: i & 2 > 0, oracle: i & 4 > 0, ..PLAIN })
}

/// Every legal move, by trying every cell beside a card: nothing is shared with the rules but the nouns.
fn moves_by_trying(cells: &[Cell; CARDS], marked: CardSet) -> Vec<(Card, Cell)> {
    let touches = |a: Cell, b: Cell| (a.row - b.row).abs() + (a.col - b.col).abs() == 1;
    let whole = |cells: &[Cell; CARDS]| {
        let mut reached = vec![0];
        let mut next = 0;
        while next < reached.len() {
            let from = cells[reached[next]];
            reached.extend((0..CARDS).filter(|i| !reached.contains(i) && touches(from, cells[*i])).collect::<Vec<_>>());
            next += 1;
        }
        reached.len() == CARDS
    };
    let mut moves = Vec::new();
    for card in CardSet::first(CARDS).minus(marked).iter() {
        let (low, high) =
            (|f: fn(&Cell) -> i32| cells.iter().map(f).min(), |f: fn(&Cell) -> i32| cells.iter().map(f).max());
        for row in low(|c| c.row).unwrap() - 1..=high(|c| c.row).unwrap() + 1 {
            for col in low(|c| c.col).unwrap() - 1..=high(|c| c.col).unwrap() + 1 {
                let to = Cell::new(row, col);
                let mut after = *cells;
                after[card.index()] = to;
                if !cells.contains(&to) && whole(&after) {
                    moves.push((card, to));
                }
            }
        }
    }
    moves.sort_unstable();
    moves
}

fn moves(layout: &Layout, marked: CardSet) -> Vec<(Card, Cell)> {
    let mut moves: Vec<_> = layout.shape().moves(marked).collect();
    moves.sort_unstable();
    moves
}

/// The layout after random legal moves.
fn wandered(steps: usize, dice: &mut Dice) -> Layout {
    (0..steps).fold(Layout::start(), |layout, _| {
        let (card, to) = *dice.pick(&moves(&layout, CardSet::EMPTY));
        layout.moved(card, to)
    })
}

#[test]
fn the_moves_of_the_vectors_agree() {
    let data: Value = serde_json::from_str(include_str!("../data/yokai-moves.json")).unwrap();
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 60);
    for (i, case) in cases.iter().enumerate() {
        let text = json!({"cells": case["cells"], "marked": case["marked"]}).to_string();
        let stage = position(&text).unwrap().stage;
        let found = moves(stage.layout(), stage.marked());
        let mut given: Vec<(Card, Cell)> = case["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| {
                let at = |i: usize| m[1][i].as_i64().unwrap() as i32;
                (Card(m[0].as_u64().unwrap() as u8 - 1), Cell::new(at(0), at(1)))
            })
            .collect();
        given.sort_unstable();
        assert_eq!(found, given, "case {i}");
        assert_eq!(moves_by_trying(stage.layout().cells(), stage.marked()), given, "case {i}, by trying");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn articulation_points_and_trying_find_the_same_moves(seed: u64, steps in 0usize..60, marked: u16, shift in -99i32..99) {
        let layout = wandered(steps, &mut Dice::new(seed));
        let cells = layout.cells().map(|c| Cell::new(c.row - 40 * shift, c.col + shift));
        let marked = CardSet(marked.into());
        prop_assert_eq!(moves(&Layout::new(cells).unwrap(), marked), moves_by_trying(&cells, marked));
    }

    #[test]
    fn parts_and_articulation_points_say_the_same(seed: u64, steps in 0usize..80) {
        let shape = wandered(steps, &mut Dice::new(seed)).shape();
        let several = |c: &Card| shape.parts(*c).iter().count() > 1;
        prop_assert_eq!(shape.articulations(), CardSet::first(CARDS).iter().filter(several).collect());
    }

    #[test]
    fn a_position_of_any_page_reads_back(seed: u64, options in 0usize..8, at in 0usize..56) {
        let game = games().nth(options).unwrap();
        let played = random_match(&game, seed | 1);
        let memory = played.memory(Seat((seed % 2) as u8));
        let memory = &memory[..memory.len().min(at + 1)];
        let page = game.view(memory);
        if !page.stage.is_over() {
            let given = Position::of_page(&page);
            prop_assert_eq!(position(&position_data(&given).to_string()).unwrap(), given);
            let with_past = Position::of_memory(&game, memory);
            prop_assert_eq!(position(&position_data(&with_past).to_string()).unwrap(), with_past);
        }
    }
}

#[test]
fn the_laws_hold_for_every_set_of_options() {
    for (i, game) in games().enumerate() {
        for seed in 0..6 {
            laws::rules_hold(&game, 100 * i as u64 + seed).unwrap_or_else(|e| panic!("{game:?}: {e}"));
        }
    }
}

#[test]
fn nothing_leaks_and_what_is_taken_back_tells_nothing() {
    let mut compared = 0;
    for game in games() {
        for seed in 0..3 {
            compared += laws::nothing_leaks(&game, seed).unwrap_or_else(|e| panic!("{game:?}: {e}"));
            laws::undone_tells_nothing(&game, seed).unwrap_or_else(|e| panic!("{game:?}: {e}"));
        }
    }
    assert!(compared > 250, "{compared} pairs");
}

fn dealt(game: Yokai) -> Match<Yokai> {
    Match::deal(game, 5)
}

fn play(played: &mut Match<Yokai>, texts: &[&str]) {
    for text in texts {
        let action = played.game().read(text).unwrap();
        played.play(&action).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

fn refused(played: &mut Match<Yokai>, text: &str) -> String {
    let action = played.game().read(text).unwrap();
    played.play(&action).unwrap_err().to_string()
}

#[test]
fn a_turn_is_two_looks_a_move_and_a_hint() {
    let mut played = dealt(PLAIN);
    play(&mut played, &["look 1", "look 2", "move 1 14,16", "activate"]);
    assert_eq!(played.turn(), Turn::Of(Seat(1)));
    assert_eq!(played.state().stage().turns(), 1);
    assert_eq!(
        refused(&mut played, "move 2 14,17"),
        "the next step of the turn is to look at a card (the option free_order leaves the order free)"
    );
    play(&mut played, &["look 2"]);
    assert_eq!(
        refused(&mut played, "look 2"),
        "card 2 was just looked at (the two looks of a turn are at different cards)"
    );
    assert_eq!(
        refused(&mut played, "stop"),
        "a player stops instead of a turn, not in the middle of one (finish the turn; the next player may stop)"
    );
    play(&mut played, &["look 1"]);
    assert_eq!(refused(&mut played, "look 3"), "two cards were looked at in this turn");
    assert_eq!(
        refused(&mut played, "activate"),
        "the next step of the turn is to move a card (the option free_order leaves the order free)"
    );
    assert_eq!(refused(&mut played, "skip"), "a card must be moved (there are legal moves)");
    play(&mut played, &["move 1 15,19"]);
    assert_eq!(refused(&mut played, "move 1 15,15"), "a card was moved in this turn");
    play(&mut played, &["activate"]);
    assert_eq!(played.turn(), Turn::Of(Seat(0)));
}

#[test]
fn with_free_order_the_steps_come_in_any_order() {
    let mut played = dealt(Yokai { free_order: true, ..PLAIN });
    play(&mut played, &["activate"]);
    assert_eq!(refused(&mut played, "activate"), "a hint was activated or used in this turn");
    play(&mut played, &["look 1", "move 1 14,16", "look 2"]);
    assert_eq!(played.turn(), Turn::Of(Seat(1)));
    play(&mut played, &["move 1 15,15", "look 2", "look 1", "activate"]);
    assert_eq!(played.turn(), Turn::Of(Seat(0)));
    let hint = played.state().stage().active()[0];
    play(&mut played, &["look 1", &format!("mark 1 {hint}")]);
    assert_eq!(refused(&mut played, "look 1"), "card 1 is marked and cannot be looked at");
}

#[test]
fn a_stop_ends_the_match_at_once_with_any_time_and_only_instead_of_a_turn_without() {
    let mut played = dealt(Yokai { any_time: true, ..PLAIN });
    play(&mut played, &["look 1", "stop"]);
    assert!(played.outcome().is_some());
    assert_eq!(refused(&mut played, "look 2"), "the match is over");
    let mut played = dealt(PLAIN);
    assert!(played.game().legal(played.state()).contains(&Action::Stop));
    play(&mut played, &["look 1"]);
    assert!(!played.game().legal(played.state()).contains(&Action::Stop));
}

#[test]
fn moves_that_cannot_be_say_why() {
    let mut played = dealt(PLAIN);
    play(&mut played, &["look 1", "look 2"]);
    assert_eq!(refused(&mut played, "move 1 15,16"), "card 2 lies at 15,16");
    assert_eq!(refused(&mut played, "move 1 15,15"), "card 1 lies at 15,15 already");
    assert_eq!(refused(&mut played, "move 1 12,12"), "12,12 is not beside another card");
    assert_eq!(refused(&mut played, "move 1 15,14"), "15,14 is not beside another card");
    play(&mut played, &["move 1 15,19", "activate", "look 1", "look 2", "move 2 15,20"]);
    play(&mut played, &["activate", "look 1", "look 2"]);
    assert_eq!(
        refused(&mut played, "move 1 19,15"),
        "without card 1 the cards fall apart: 19,15 would not connect card 2 with card 13 (it may go to any cell that touches every part)"
    );
    assert_eq!(refused(&mut played, "move 1 20,15"), "20,15 is not beside another card");
}

#[test]
fn hints_that_cannot_be_say_why() {
    let mut played = dealt(PLAIN);
    play(&mut played, &["look 1", "look 2", "move 1 15,19"]);
    assert_eq!(refused(&mut played, "mark 1 r"), "the hint r is not active (no hint is active: activate one)");
    play(&mut played, &["activate", "look 1", "look 2", "move 1 15,15"]);
    let active = played.state().stage().active()[0];
    let other = Colours::HINTS.into_iter().find(|&h| h != active).unwrap();
    assert_eq!(
        refused(&mut played, &format!("mark 1 {other}")),
        format!("the hint {other} is not active (active: {active})")
    );
    play(&mut played, &[&format!("mark 1 {active}")]);
    assert_eq!(refused(&mut played, "look 1"), "card 1 is marked and cannot be looked at");
    play(&mut played, &["look 2", "look 3"]);
    assert_eq!(refused(&mut played, "move 1 15,19"), "card 1 is marked and cannot be moved");
    play(&mut played, &["move 4 15,14", "activate", "look 2", "look 3", "move 4 15,18"]);
    let second = played.state().stage().active()[0];
    assert_eq!(refused(&mut played, &format!("mark 1 {second}")), "card 1 is marked and cannot be marked again");
    let legal = played.game().legal(played.state());
    assert_eq!(legal.len(), 1 + 15, "activate, or mark one of the fifteen others");
}

#[test]
fn cards_that_are_not_there_are_refused() {
    let (mut state, _) = PLAIN.deal(&mut Dice::new(1));
    let wrong = PLAIN.play(&mut state, &Action::Look(Card(16))).unwrap_err().to_string();
    assert_eq!(wrong, "there is no card 17 (the cards are 1 to 16)");
}

/// Plays whole turns: looks at 1 and 2 or what is free, moves back and forth, and hints as `hint` says.
fn to_the_end(game: Yokai, seed: u64, mut hint: impl FnMut(&State) -> Action) -> Match<Yokai> {
    let mut played = Match::deal(game, seed);
    while played.outcome().is_none() {
        let legal = played.game().legal(played.state());
        let action = match played.state().stage().steps().next() {
            Some(Step::Hint) => hint(played.state()),
            _ => legal[0],
        };
        played.play(&action).unwrap();
    }
    played
}

#[test]
fn the_seventh_hint_that_is_used_ends_the_match_after_fourteen_turns() {
    for seed in 0..20 {
        let played = to_the_end(PLAIN, seed, |state| match state.stage().active().first() {
            Some(&hint) => Action::Mark(CardSet::first(CARDS).minus(state.stage().marked()).lowest().unwrap(), hint),
            None => Action::Activate,
        });
        let stage = played.state().stage();
        assert_eq!((played.actions().len(), stage.turns(), stage.used()), (56, 14, 7));
        assert_eq!((stage.available(), stage.active()), ([0; 3], &[][..]));
        assert_eq!(played.actions().len(), played.game().bound());
        let ends = |event: &_| matches!(event, ken_games::yokai::Event::Done { end: Some(_), .. });
        assert_eq!(played.events().iter().filter(|e| ends(e)).count(), 1);
    }
}

#[test]
fn after_seven_activations_only_marks_are_left() {
    let mut seen_all = false;
    to_the_end(PLAIN, 3, |state| {
        let stage = state.stage();
        let legal = PLAIN.legal(state);
        if stage.available() == [0; 3] {
            seen_all = true;
            assert!(legal.iter().all(|a| matches!(a, Action::Mark(..))));
            let refusal = PLAIN.check(stage, &Action::Activate).unwrap_err().to_string();
            assert_eq!(refusal, "all seven hints are activated (mark a card with an active hint)");
        }
        legal[0]
    });
    assert!(seen_all);
}

#[test]
fn the_hints_of_a_match_are_two_three_and_two_all_different() {
    let mut drawn = std::collections::HashSet::new();
    for seed in 0..300 {
        let played = to_the_end(PLAIN, seed, |state| PLAIN.legal(state)[0]);
        let mut hints: Vec<Hint> = played.state().stage().marks().iter().flatten().copied().collect();
        assert_eq!([1, 2, 3].map(|n| hints.iter().filter(|h| h.len() == n).count() as u8), MIX);
        hints.sort_unstable();
        hints.dedup();
        assert_eq!(hints.len(), HINTS);
        drawn.extend(hints);
    }
    assert_eq!(drawn.len(), 14, "every hint lies in some match");
}

/// Whether the colours lie together, by trying: each card of a colour is reached from the first.
fn grouped_by_trying(layout: &Layout, colours: &[Colour; CARDS]) -> bool {
    Colour::ALL.into_iter().all(|colour| {
        let cells: Vec<Cell> = (0..CARDS).filter(|&i| colours[i] == colour).map(|i| layout.cells()[i]).collect();
        let mut reached = vec![cells[0]];
        while let Some(next) =
            cells.iter().find(|c| !reached.contains(c) && c.beside().iter().any(|b| reached.contains(b)))
        {
            reached.push(*next);
        }
        reached.len() == 4
    })
}

/// The move that leaves the largest groups: somebody who sees the colours makes it.
fn gather(state: &State, dice: &mut Dice) -> Action {
    let groups = |layout: &Layout| {
        let shape = layout.shape();
        let largest = |colour: Colour| {
            let all = state.colouring().cards(colour).0 as u16;
            let parts = std::iter::successors(Some(all), |&part| (part > 0).then(|| (part - 1) & all));
            parts.filter(|&part| shape.connected(part)).map(u16::count_ones).max().unwrap()
        };
        let same = |card: Card| {
            let alike = |other: &Card| state.colouring().of(*other) == state.colouring().of(card);
            shape.beside(card).iter().filter(alike).count()
        };
        let together = CardSet::first(CARDS).iter().map(same).sum::<usize>();
        (Colour::ALL.map(largest).iter().sum::<u32>(), together)
    };
    let layout = state.stage().layout();
    let best = moves(layout, state.stage().marked())
        .into_iter()
        .max_by_key(|&(card, to)| (groups(&layout.moved(card, to)), dice.below(9)))
        .expect("some card can be moved");
    Action::Move(best.0, best.1)
}

/// A match in which the moves gather the colours, and whoever sees them together stops if `stops`.
fn gathered(game: Yokai, seed: u64, stops: bool) -> Match<Yokai> {
    let mut dice = Dice::new(mix(seed, 9));
    let mut played = Match::deal(game, seed);
    while played.outcome().is_none() {
        let state = played.state();
        let stage = state.stage();
        let together = || grouped_by_trying(stage.layout(), state.colouring().colours());
        let action = match stage.steps().next().unwrap() {
            Step::Look if stops && stage.steps().none() && together() => Action::Stop,
            Step::Move => gather(state, &mut dice),
            Step::Look | Step::Hint => loop {
                let action = *dice.pick(&game.legal(state));
                if action != Action::Stop {
                    break action;
                }
            },
        };
        played.play(&action).unwrap();
    }
    played
}

#[test]
fn a_match_is_won_iff_the_colours_lie_together_and_scores_as_the_rules_say() {
    let (mut won, mut lost) = (0, 0);
    for (seed, stops) in (0..16).map(|seed| (seed, seed % 4 > 0)) {
        let played = gathered(PLAIN, seed, stops);
        let (state, outcome) = (played.state(), played.outcome().unwrap());
        let stage = state.stage();
        let colours = state.colouring().colours();
        if !grouped_by_trying(stage.layout(), colours) {
            lost += 1;
            assert_eq!((outcome.scores, outcome.words.as_str()), (vec![0, 0], "lost"));
            continue;
        }
        won += 1;
        let proper = |i: &usize| stage.marks()[*i].unwrap().has(colours[*i]);
        let marked = (0..CARDS).filter(|&i| stage.marks()[i].is_some());
        let (right, wrong): (Vec<usize>, Vec<usize>) = marked.partition(proper);
        let left = stage.available().iter().sum::<u8>();
        let score = right.len() as i64 - wrong.len() as i64 + 2 * stage.active().len() as i64 + 5 * i64::from(left);
        assert_eq!(outcome.scores, vec![score; 2]);
        assert_eq!(outcome.words, format!("won with {score} points"));
    }
    assert!(won >= 4 && lost >= 1, "{won} won, {lost} lost");
}

#[test]
fn with_an_oracle_the_match_ends_with_the_move_that_groups_the_cards() {
    let oracle = Yokai { oracle: true, ..PLAIN };
    let mut ended = 0;
    for seed in 0..12 {
        let played = gathered(oracle, seed, false);
        let colours = played.state().colouring().colours();
        let together = |state: &State| grouped_by_trying(state.stage().layout(), colours);
        let (last, before) = played.states().split_last().unwrap();
        assert!(!before.iter().any(together), "seed {seed}: it went on with the cards together");
        if together(last) {
            ended += 1;
            assert!(matches!(played.actions().last(), Some(Action::Move(..))));
            assert!(last.stage().is_over() && played.outcome().unwrap().scores[0] > 0);
        }
    }
    assert!(ended >= 3, "{ended} matches were grouped");
}

/// A row in which only the ends and cards beside cells that reconnect can move: here all movable cards are marked.
fn stuck() -> Stage {
    let layout = Layout::new(std::array::from_fn(|i| Cell::new(0, i as i32))).unwrap();
    let mut marks = [None; CARDS];
    for (card, hint) in [0, 15].into_iter().zip(Colours::HINTS) {
        marks[card] = Some(hint);
    }
    Stage::at(layout, marks, Vec::new(), [0, 3, 2], Seat(0)).with_steps(Steps { looks: 2, ..Steps::default() })
}

#[test]
fn where_no_move_is_legal_the_step_is_skipped_publicly() {
    let stage = stuck();
    assert_eq!(moves_by_trying(stage.layout().cells(), stage.marked()), []);
    assert_eq!(PLAIN.options(&stage), [Action::Skip]);
    assert_eq!(PLAIN.check(&stage, &Action::Skip), Ok(()));
    let mut after = stage;
    after.follow(&Sight::Done { seat: Seat(0), act: SeenAct::Skipped, end: None });
    assert_eq!(after.steps().next(), Some(Step::Hint));
}

#[test]
fn a_hint_of_this_turn_does_not_make_the_turn_one_that_is_over() {
    let stage = Stage::at(Layout::start(), [None; CARDS], vec![Colours::HINTS[0]], [1, 3, 2], Seat(0));
    assert_eq!(stage.turns(), 1);
    let hinted = stage.with_steps(Steps { hinted: true, ..Steps::default() });
    assert_eq!(hinted.turns(), 0);
    assert_eq!(hinted.with_steps(Steps::default()).turns(), 1);
}

#[test]
fn an_unfinished_row_of_cards_lets_only_its_ends_move() {
    let layout = *stuck().layout();
    let movable: CardSet = moves(&layout, CardSet::EMPTY).into_iter().map(|(card, _)| card).collect();
    assert_eq!(movable, [Card(0), Card(15)].into_iter().collect());
}

#[test]
fn a_bridging_card_goes_wherever_it_reconnects_all_parts() {
    // A snake: without card 4 its first three cards lie apart from the rest, one row off.
    let snake = [
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 2),
        (2, 2),
        (2, 1),
        (2, 0),
        (3, 0),
        (4, 0),
        (4, 1),
        (4, 2),
        (5, 2),
        (6, 2),
        (6, 1),
        (6, 0),
        (7, 0),
    ];
    let layout = Layout::new(snake.map(|(r, c)| Cell::new(r, c))).unwrap();
    let to: Vec<Cell> = moves(&layout, CardSet::EMPTY).into_iter().filter(|m| m.0 == Card(3)).map(|m| m.1).collect();
    assert_eq!(to, [Cell::new(1, 0), Cell::new(1, 1)], "both cells reconnect the two parts");
}

#[test]
fn who_forgets_sees_its_own_early_looks_without_a_colour() {
    // A solver that begins anew at every look takes minutes; its plain twin plays the same. Strong players plan for long:
    // one match of each will do.
    let strong = ["believer", "adapter", "companion", "conventional", "coder"];
    for info in PLAYERS.iter().filter(|info| info.name != "paper-sat") {
        for looks in [0, 3] {
            let name = format!("{}@{looks}", info.name);
            for seed in 0..if strong.contains(&info.name) { 1 } else { 3 } {
                let mut minds = [seat(&name, &PLAIN, 1).unwrap(), seat(&name, &PLAIN, 2).unwrap()];
                let mut played = Match::deal(PLAIN, seed);
                let mut watched = 0;
                while let Turn::Of(to_move) = played.turn() {
                    for event in &played.events()[watched..] {
                        for (seat, mind) in Seat::all(2).zip(&mut minds) {
                            mind.watch(&PLAIN.sight(event, seat));
                        }
                    }
                    watched = played.events().len();
                    let action = minds[to_move.index()].choose(&PLAIN.legal(played.state()));
                    played.play(&action).unwrap_or_else(|e| panic!("{name}: {e}"));
                }
            }
        }
    }
}

#[test]
fn names_of_players_are_refused_with_what_is_near() {
    let wrong = |name: &str| seat(name, &PLAIN, 0).err().unwrap().to_string();
    assert_eq!(wrong("randon"), "there is no player `randon` (did you mean `random`?)");
    assert_eq!(wrong("random@x"), "`x` is not a number of looks (as in `random@6`: it remembers its last six looks)");
}
