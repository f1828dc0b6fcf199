//! Stand-ins for people, and the partner that is made for people.

use ken_games::cards::Card;
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Player, Seat, Turn};
use ken_games::yokai::partner::PartnerModel;
use ken_games::yokai::players::companion::Assumed;
use ken_games::yokai::players::standin::{CAREFUL, FORGETFUL, HASTY, Habits, StandIn, TYPICAL};
use ken_games::yokai::players::{Mind, mind};
use ken_games::yokai::{Action, Colour, SeenAct, Sight, Stage, State, Yokai};

const PEOPLE: [&str; 4] = ["person-typical", "person-careful", "person-forgetful", "person-hasty"];

/// A match to its end: the truth, and what the one who acted last said of it.
fn play(game: Yokai, names: [&str; 2], seed: u64) -> (State, Action, Vec<String>) {
    let (mut state, mut event) = game.deal(&mut Dice::new(seed));
    let mut minds: Vec<Box<dyn Mind>> =
        (0..).zip(names).map(|(seat, name)| mind(name, &game, mix(seed, seat)).expect("a player")).collect();
    let mut last = (Action::Stop, Vec::new());
    loop {
        for (seat, mind) in Seat::all(2).zip(&mut minds) {
            mind.watch(&game.sight(&event, seat));
        }
        let Turn::Of(seat) = game.turn(&state) else { return (state, last.0, last.1) };
        let options = game.legal(&state);
        let action = minds[seat.index()].choose(&options);
        assert!(options.contains(&action), "{} chose {action:?}", names[seat.index()]);
        let reason = minds[seat.index()].reason();
        last = (action, reason.map_or(Vec::new(), |r| std::iter::once(r.headline).chain(r.lines).collect()));
        event = game.play(&mut state, &action).expect("a listed action");
    }
}

#[test]
fn stand_ins_keep_the_rules_under_every_option() {
    for options in 0..8u64 {
        let (free_order, any_time, oracle) = (options & 1 == 1, options & 2 == 2, options & 4 == 4);
        let game = Yokai { free_order, any_time, oracle, ..Yokai::PLAIN };
        for (i, name) in PEOPLE.into_iter().enumerate() {
            for seed in 0..5 {
                play(game, [name, PEOPLE[(i + 1 + seed as usize) % 4]], 100 * options + seed);
                play(game, [name, "random"], 100 * options + seed);
            }
        }
    }
}

/// What a stand-in moves after this many looks (more than a turn has: what it remembers does not depend on turns), with the
/// colour of the first as given.
fn moved(habits: Habits, first: Colour, looks: u8, seed: u64) -> Action {
    let game = Yokai::default();
    let mut person = StandIn::new(habits, &game, seed);
    let mut stage = Stage::start();
    let mut watch = |person: &mut StandIn, sight: Sight| {
        person.watch(&sight);
        stage.follow(&sight);
        game.options(&stage)
    };
    watch(&mut person, Sight::Dealt { me: Seat(0) });
    let mut options = Vec::new();
    let look = |card: u8, colour| Sight::Done {
        seat: Seat(0),
        act: SeenAct::Looked { card: Card(card), colour: Some(colour) },
        end: None,
    };
    for card in 0..looks {
        let colour = if card == 0 { first } else { Colour::ALL[usize::from(card) / 4] };
        options = watch(&mut person, look(card, colour));
    }
    person.choose(&options)
}

#[test]
fn who_forgets_does_the_same_whatever_the_forgotten_colour_was() {
    for habits in [TYPICAL, CAREFUL, FORGETFUL, HASTY] {
        let keeps = habits.keeps as u8;
        let differs = |looks: u8| {
            (0..40)
                .filter(|&seed| moved(habits, Colour::Red, looks, seed) != moved(habits, Colour::Yellow, looks, seed))
                .count()
        };
        assert_eq!(differs(keeps + 1), 0, "the first of {} looks is forgotten", keeps + 1);
        assert!(differs(keeps) > 0, "{keeps} looks are remembered");
    }
}

#[test]
fn the_companion_calls_no_stop_certain_that_loses_and_says_what_others_rest_on() {
    let mut stops = 0;
    for seed in 0..12 {
        let person = PEOPLE[seed as usize % 4];
        let names = if seed % 3 == 0 { [person, "companion"] } else { ["companion", person] };
        let (state, action, said) = play(Yokai::default(), names, 400 + seed);
        let won = state.stage().layout().shape().grouped(state.colouring());
        if action == Action::Stop && !said.is_empty() {
            stops += 1;
            let certain = said[0].contains("certain by my looks");
            assert!(won || !certain, "seed {seed}: {said:?}");
            assert!(certain || said[0].contains("likely, not certain"), "seed {seed}: {said:?}");
        }
    }
    assert!(stops >= 3, "{stops} stops");
}

#[test]
fn a_partner_of_whom_nothing_is_known_is_a_person_and_one_that_is_known_is_not() {
    assert_eq!(Assumed::of(&PartnerModel::default()), Assumed::PERSON);
    let mut model = PartnerModel { matches: 5, ..PartnerModel::default() };
    (0..40).for_each(|_| model.marks_proper.count(false));
    let known = Assumed::of(&model);
    assert!(known.proper < 0.5, "{known:?}");
}
