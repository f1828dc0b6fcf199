//! The strong players: what they rely on holds, what they claim is true, and they say why.

use ken_games::cards::{Card, CardSet};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat, Turn};
use ken_games::yokai::players::{Mind, PLAYERS, mind};
use ken_games::yokai::{
    Action, CARDS, Cell, Colour, Colouring, Colours, Event, Hint, Layout, Position, SeenAct, Sight, Stage, State,
    Steps, Yokai,
};

struct Played {
    state: State,
    events: Vec<Event>,
    /// Why the last action was chosen.
    last: Vec<String>,
    stopped: bool,
}

impl Played {
    fn won(&self) -> bool {
        self.state.stage().layout().shape().grouped(self.state.colouring())
    }
}

fn play(game: Yokai, names: [&str; 2], seed: u64) -> Played {
    let (mut state, event) = game.deal(&mut Dice::new(seed));
    let mut minds: Vec<Box<dyn Mind>> =
        (0..).zip(names).map(|(seat, name)| mind(name, &game, mix(seed, seat)).expect("a player")).collect();
    let mut events = vec![event];
    let mut last = Vec::new();
    let mut stopped = false;
    loop {
        for (seat, mind) in (0..).map(Seat).zip(&mut minds) {
            mind.watch(&game.sight(&events[events.len() - 1], seat));
        }
        let Turn::Of(seat) = game.turn(&state) else { break };
        let options = game.legal(&state);
        let action = minds[seat.index()].choose(&options);
        assert!(options.contains(&action), "{} chose {action:?}", names[seat.index()]);
        let reason = minds[seat.index()].reason().expect("strong players say why");
        assert!(!reason.headline.is_empty());
        last = std::iter::once(reason.headline).chain(reason.lines).collect();
        stopped = action == Action::Stop;
        events.push(game.play(&mut state, &action).expect("a listed action"));
    }
    Played { state, events, last, stopped }
}

/// The cards that each seat looked at, then each move with the looks of its mover before it.
fn moves(events: &[Event]) -> Vec<(CardSet, Card, CardSet)> {
    let mut looked = [CardSet::EMPTY; 2];
    let mut stage = Stage::start();
    let mut moves = Vec::new();
    let game = Yokai::default();
    for event in events {
        if let Event::Done { seat, act, .. } = *event {
            match act {
                SeenAct::Looked { card, .. } => looked[seat.index()] = looked[seat.index()].with(card),
                SeenAct::Moved { card, to } => {
                    let near = to.beside().into_iter().filter_map(|c| stage.layout().at(c)).filter(|&c| c != card);
                    moves.push((looked[seat.index()], card, near.collect()));
                }
                SeenAct::Skipped | SeenAct::Activated(_) | SeenAct::Marked { .. } | SeenAct::Stopped => {}
            }
        }
        stage.follow(&game.sight(event, Seat(0)));
    }
    moves
}

#[test]
fn conventional_players_join_seen_cards_to_their_colour_and_stop_only_when_it_is_true() {
    let (mut wins, mut joins) = (0, 0);
    for seed in 0..4 {
        let played = play(Yokai::default(), ["conventional"; 2], seed);
        let truth: &Colouring = played.state.colouring();
        for (looked, card, near) in moves(&played.events) {
            let seen = near.and(looked);
            if looked.has(card) && !seen.is_empty() {
                // Cards that are known without a look may be joined too, so that seen ones alone need not match.
                joins += usize::from(seen.iter().any(|other| truth.of(other) == truth.of(card)));
                let others = near.iter().any(|other| truth.of(other) == truth.of(card));
                assert!(others, "card {} was put beside {seen:?} only", card.0 + 1);
            }
        }
        assert!(!played.stopped || played.won(), "a false stop, seed {seed}");
        if played.stopped {
            let said = &played.last[0];
            assert!(said.contains("colourings that fit are grouped"), "{:?}", played.last);
            // Certain is what follows from the rules and the own looks; the rest rests on the convention.
            assert!(said.contains("certain by my looks") || said.contains("if marks are proper"), "{said}");
        }
        wins += usize::from(played.won());
    }
    assert!(wins >= 3, "{wins} of 4");
    assert!(joins >= 8, "{joins} joins");
}

#[test]
fn coders_tell_each_other_what_they_saw_and_win() {
    for seed in 0..3 {
        let played = play(Yokai::default(), ["coder"; 2], seed);
        assert!(played.won() && played.stopped, "seed {seed}");
        assert!(played.last.len() > 1, "a certain stop carries its proof: {:?}", played.last);
        assert!(played.state.stage().turns() <= 12);
    }
}

#[test]
fn a_coder_gives_up_what_a_partner_without_the_code_seems_to_tell() {
    for seed in 0..2 {
        let played = play(Yokai::default(), ["coder", "paper"], seed);
        assert!(!played.stopped || played.won(), "seed {seed}");
    }
}

#[test]
fn no_pair_of_believer_conventional_and_coder_stops_in_vain() {
    for (seed, names) in (40..).zip([
        ["believer", "conventional"],
        ["conventional", "believer"],
        ["believer", "coder"],
        ["coder", "believer"],
        ["conventional", "coder"],
        ["coder", "conventional"],
        ["believer", "believer"],
    ]) {
        let played = play(Yokai::default(), names, seed);
        assert!(!played.stopped || played.won(), "{names:?}, seed {seed}");
        if played.stopped {
            let said = &played.last[0];
            assert!(said.contains("certain by my looks") || said.contains(": if "), "{said}");
        }
    }
}

#[test]
fn two_matches_that_certain_stops_once_lost_are_not_stopped_in_vain() {
    for seed in [13703004346720609620, 5036671766818978634] {
        let played = play(Yokai::default(), ["conventional"; 2], seed);
        assert!(!played.stopped || played.won(), "seed {seed}");
    }
}

#[test]
fn moves_are_believed_only_of_a_partner_who_declared_the_convention() {
    let game = Yokai::default();
    // The partner looks at cards 2 and 6, in this order or the other, and moves card 6 beside card 2.
    let colourings = |looks: [u8; 2]| {
        let mut mind = mind("conventional", &game, 1).expect("a player");
        let mut stage = Stage::start();
        mind.watch(&Sight::Dealt { me: Seat(1) });
        let [first, second] = looks.map(|card| SeenAct::Looked { card: Card(card), colour: None });
        let to = Cell::new(14, 16);
        for act in [first, second, SeenAct::Moved { card: Card(5), to }, SeenAct::Activated(Colours::HINTS[0])] {
            let sight = Sight::Done { seat: Seat(0), act, end: None };
            mind.watch(&sight);
            stage.follow(&sight);
        }
        mind.choose(&game.options(&stage));
        mind.reason().expect("a reason").data["colourings"].as_u64().expect("a number")
    };
    const ALL: u64 = 63_063_000;
    assert_eq!(colourings([1, 5]), ALL / 5, "the looks that declare it: card 6 has the colour of card 2");
    assert_eq!(colourings([5, 1]), ALL, "other looks declare nothing");
}

#[test]
fn believers_win_by_hints_alone() {
    let wins = (0..6).filter(|&seed| play(Yokai::default(), ["believer"; 2], seed).won()).count();
    assert!(wins >= 4, "{wins} of 6");
}

#[test]
fn the_adapter_plays_with_the_papers_player_and_with_conventional_ones() {
    let with_paper = (0..2).map(|seed| play(Yokai::default(), ["paper", "adapter"], seed)).filter(|p| p.won()).count();
    let with_friends =
        (0..2).map(|seed| play(Yokai::default(), ["conventional", "adapter"], seed)).filter(|p| p.won()).count();
    assert!(with_paper + with_friends >= 2, "{with_paper} and {with_friends}");
}

#[test]
fn the_same_seed_gives_the_same_match() {
    for name in ["believer", "conventional", "coder", "adapter", "companion"] {
        assert_eq!(
            play(Yokai::default(), [name, "paper"], 3).events,
            play(Yokai::default(), [name, "paper"], 3).events
        );
    }
}

#[test]
fn strong_players_keep_the_rules_under_every_option_and_with_little_memory() {
    for options in 0..8 {
        let game = Yokai {
            free_order: options & 1 == 1,
            any_time: options & 2 == 2,
            oracle: options & 4 == 4,
            ..Yokai::PLAIN
        };
        let names = [["believer@2", "coder"], ["conventional@3", "adapter"], ["companion@5", "companion"]][options % 3];
        play(game, names, 20 + options as u64);
    }
}

#[test]
fn a_coder_with_another_player_and_free_order_plays_to_the_end() {
    let game = Yokai { free_order: true, ..Yokai::default() };
    play(game, ["conventional", "coder"], 9);
}

#[test]
fn every_player_can_be_placed_at_any_step_of_a_turn() {
    for name in PLAYERS.iter().map(|info| info.name).filter(|&name| name != "paper-sat") {
        for (looks, moved) in [(0, false), (1, false), (2, false), (2, true)] {
            let mut position = Position::start(Seat(0));
            let first = (looks > 0).then_some(Card(3));
            position.stage = position.stage.with_steps(Steps { looks, first, moved, hinted: false });
            let mut mind = mind(name, &Yokai::default(), 1).expect("a player");
            mind.place(&position);
            let options = Yokai::default().options(&position.stage);
            assert!(options.contains(&mind.choose(&options)), "{name}");
        }
    }
}

#[test]
fn many_joins_with_several_candidates_are_counted_at_once() {
    use ken_games::yokai::count::Evidence;
    let mut evidence = Evidence::none();
    for card in 0..3u8 {
        evidence.joins(Card(card), 0b1111 << (4 * card + 3));
    }
    assert!(evidence.count() > 0);
    evidence.is(Card(0), Colour::Red);
    for other in 3..7 {
        evidence.among(Card(other), Colours::ALL.minus(Colours::HINTS[0]));
    }
    assert_eq!(evidence.count(), 0, "card 1 is red and none that it joins can be");
}

/// The last step of the first seat's turn, with a hint of three colours active, so many left, and three yellow cards seen.
fn with_a_hint(available: [u8; 3]) -> (Position, Hint) {
    let three: Hint = [Colour::Red, Colour::Green, Colour::Blue].into_iter().collect();
    let stage = Stage::at(Layout::start(), [None; CARDS], vec![three], available, Seat(0));
    let stage = stage.with_steps(Steps { looks: 2, first: Some(Card(0)), moved: true, hinted: false });
    let mut position = Position { stage, ..Position::start(Seat(0)) };
    for card in [0, 1, 4] {
        position.seen[card] = Some(Colour::Yellow);
    }
    (position, three)
}

#[test]
fn a_mark_that_is_only_likely_is_not_made_while_partners_take_marks_as_hard_evidence() {
    let game = Yokai::default();
    for name in ["believer", "conventional", "adapter"] {
        let choose = |available: [u8; 3]| {
            let position = with_a_hint(available).0;
            let mut mind = mind(name, &game, 1).expect("a player");
            mind.place(&position);
            mind.choose(&game.options(&position.stage))
        };
        // Every other card is red, green or blue with twelve chances in thirteen.
        assert_eq!(choose([2, 3, 1]), Action::Activate, "{name}");
        // Without hints to activate it has to mark: a card that it did not look at, of which nobody believes anything.
        let Action::Mark(card, _) = choose([0; 3]) else { panic!("{name} has to mark") };
        assert!(![0, 1, 4].contains(&card.0), "{name} marked card {}", card.0 + 1);
    }
}

#[test]
fn a_mark_tells_only_what_its_maker_was_not_forced_to_say() {
    let colourings = |available: [u8; 3], card: Card| {
        let (before, hint) = with_a_hint(available);
        let partner_seen = [0, 1, 4, 6].map(Card).into_iter().collect();
        let position = Position { me: Seat(1), seen: [None; CARDS], partner_seen, ..before };
        let mut mind = mind("conventional", &Yokai::default(), 1).expect("a player");
        mind.place(&position);
        let sight = Sight::Done { seat: Seat(0), act: SeenAct::Marked { card, hint }, end: None };
        mind.watch(&sight);
        let mut stage = position.stage.clone();
        stage.follow(&sight);
        mind.choose(&Yokai::default().options(&stage));
        mind.reason().expect("a reason").data["colourings"].as_u64().expect("a number")
    };
    const ALL: u64 = 63_063_000;
    assert_eq!(colourings([2, 3, 1], Card(8)), ALL / 4 * 3, "a hint could have been activated instead");
    assert_eq!(colourings([0; 3], Card(6)), ALL / 4 * 3, "a card without a look could have been marked instead");
    assert_eq!(colourings([0; 3], Card(8)), ALL, "its maker never saw the card");
}
