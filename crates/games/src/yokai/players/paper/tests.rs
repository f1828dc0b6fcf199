use super::axioms::{NEXT, NOW};
use super::*;
use crate::dice::mix;
use crate::game::{Game, Seat, Turn};
use crate::yokai::colour::{CARDS, Colours};
use crate::yokai::layout::{Cell, Layout};
use crate::yokai::rules::{Stage, State, Steps};
use ken_logic::belief::{self, Alpha, Reasoner};

const GAME: Yokai = Yokai::PLAIN;

/// Plays a match; `choose` is asked for each action, `told` hears each sight.
fn play(
    seed: u64,
    mut choose: impl FnMut(&State, Seat, &[Action]) -> Action,
    mut told: impl FnMut(&State, &Sight, Seat),
) -> State {
    let (mut state, event) = GAME.deal(&mut Dice::new(seed));
    Seat::all(2).for_each(|s| told(&state, &GAME.sight(&event, s), s));
    while let Turn::Of(seat) = GAME.turn(&state) {
        let action = choose(&state, seat, &GAME.legal(&state));
        let event = GAME.play(&mut state, &action).expect("a legal action");
        Seat::all(2).for_each(|s| told(&state, &GAME.sight(&event, s), s));
    }
    state
}

fn pair_with<B: Beliefs + Default>(order: Order, seed: u64) -> [Paper<B>; 2] {
    [1, 2].map(|part| Paper::new(B::default(), order, mix(seed, part)))
}

fn pair<B: Beliefs + Default>(seed: u64) -> [Paper<B>; 2] {
    pair_with(Order::PAPER, seed)
}

/// Both pairs of players play the same match.
fn same_match(order: Order, seed: u64) {
    let (plain, logical) = (pair_with::<Plain>(order, seed), pair_with::<Logical>(order, seed));
    let both = std::cell::RefCell::new((plain, logical));
    play(
        seed,
        |_, seat, options| {
            let (plain, logical) = &mut *both.borrow_mut();
            let (plain, logical) = (&mut plain[seat.index()], &mut logical[seat.index()]);
            let action = plain.choose(options);
            assert_eq!(logical.choose(options), action);
            assert_eq!(plain.tried(), logical.tried());
            for tried in logical.tried().to_vec() {
                tried.plans.iter().for_each(|plan| assert_consistent(&mut logical.beliefs, plan));
            }
            action
        },
        |_, sight, seat| {
            let (plain, logical) = &mut *both.borrow_mut();
            plain[seat.index()].watch(sight);
            logical[seat.index()].watch(sight);
        },
    );
}

/// The base with the axioms is consistent with some outcome of the action: asked in another way than the player does.
fn assert_consistent(beliefs: &mut Logical, plan: &Action) {
    let outcomes = if matches!(plan, Action::Look(_)) { Colour::ALL.map(Some).to_vec() } else { vec![None] };
    let absurd = beliefs.words.store.falsum();
    let absurd = beliefs.words.store.implicit(absurd);
    let mut possible = *plan == Action::Stop && !beliefs.entails(absurd);
    for colour in outcomes {
        if let Some(lesson) = beliefs.lesson(plan, colour) {
            let after = beliefs.words.store.after(lesson, NEXT, absurd);
            possible |= !beliefs.foresees(after);
        }
    }
    assert!(possible, "{plan:?} comes from an inconsistent base");
}

#[test]
fn both_players_play_the_same_match_and_no_plan_comes_from_an_inconsistent_base() {
    same_match(Order::PAPER, 1);
}

#[test]
#[ignore = "minutes; run when the player or the logic changes"]
fn both_players_play_the_same_many_matches() {
    (2..14).for_each(|seed| same_match(Order::PAPER, seed));
    (2..14).for_each(|seed| same_match(Order::explored(seed), seed));
}

/// Seat 0 watches a match of random actions, or of the paper's players; `check` sees each of its positions.
fn watch_match(seed: u64, mut check: impl FnMut(&State, &mut Plain, &mut Logical, &mut Dice)) {
    let dice = std::cell::RefCell::new(Dice::new(seed));
    let players = std::cell::RefCell::new(pair::<Plain>(seed));
    let (mut plain, mut logical) = (Plain::default(), Logical::default());
    play(
        mix(seed, 7),
        |_, seat, options| {
            let planned = players.borrow_mut()[seat.index()].choose(options);
            let mut dice = dice.borrow_mut();
            if seed.is_multiple_of(2) || dice.below(8) == 0 {
                let go_on: Vec<Action> = options.iter().copied().filter(|a| *a != Action::Stop).collect();
                return *dice.pick(&go_on);
            }
            planned
        },
        |state, sight, seat| {
            players.borrow_mut()[seat.index()].watch(sight);
            if seat == Seat(0) {
                plain.watch(sight);
                logical.watch(sight);
                if let Turn::Of(_) = GAME.turn(state) {
                    check(state, &mut plain, &mut logical, &mut dice.borrow_mut());
                }
            }
        },
    );
}

/// Goals of every kind, most of them with cards that have something to do with each other.
fn some_goals(plain: &mut Plain, state: &State, dice: &mut Dice) -> Vec<Goal> {
    let mut goals = Vec::new();
    let shape = state.stage().layout().shape();
    for colour in Colour::ALL {
        let near = plain.seen(colour).or(plain.marked_with(colour));
        for _ in 0..4 {
            let mut cards = near;
            while cards.len() < 4 {
                cards = cards.with(Card(dice.below(CARDS) as u8));
            }
            let mut set = CardSet::EMPTY;
            let size = 2 + dice.below(3);
            while set.len() < size {
                set = set.with(*dice.pick(&cards.iter().collect::<Vec<_>>()));
            }
            goals.push(Goal::Group(set, colour));
            let x = *dice.pick(&cards.iter().collect::<Vec<_>>());
            let y = *dice.pick(&shape.beside(x).iter().collect::<Vec<_>>());
            goals.push(Goal::LookAround(CardSet::of(x).with(y)));
        }
    }
    for x in ALL.iter() {
        goals.extend([Goal::LookAround(CardSet::of(x)), Goal::LookUnknown(x), Goal::LookAny(x), Goal::MoveAny(x)]);
        for &hint in state.stage().active() {
            goals.extend([Goal::MarkUnknown(x, hint), Goal::MarkAny(x, hint)]);
        }
    }
    goals
}

fn agree(state: &State, plain: &mut Plain, logical: &mut Logical, dice: &mut Dice) {
    for colour in Colour::ALL {
        assert_eq!(plain.seen(colour), logical.seen(colour));
        assert_eq!(plain.known(colour), logical.known(colour), "{colour} {state:?}");
        assert_eq!(plain.marked_with(colour), logical.marked_with(colour), "{colour} {state:?}");
    }
    assert_eq!(plain.unmarked(), logical.unmarked());
    assert_eq!(plain.active(), logical.active());
    assert_eq!(plain.believes_grouped(), logical.believes_grouped());
    let goals = some_goals(plain, state, dice);
    let mut attainable = Vec::new();
    for goal in goals {
        let attains = plain.attainable(&goal);
        assert_eq!(attains, logical.attainable(&goal), "{goal} {state:?}");
        attainable.extend(attains.then_some(goal));
    }
    let options = GAME.legal(state);
    if state.stage().seat() == Seat(0) {
        let step = state.stage().steps().next();
        attainable.retain(|goal| {
            step == Some(match goal {
                Goal::LookAround(_) | Goal::LookUnknown(_) | Goal::LookAny(_) => Step::Look,
                Goal::Group(..) | Goal::MoveAny(_) => Step::Move,
                Goal::MarkUnknown(..) | Goal::MarkAny(..) => Step::Hint,
                Goal::Grouped => return false,
            })
        });
        dice.shuffle(&mut attainable);
        for goal in attainable.iter().take(2) {
            assert_eq!(plain.plans(goal, &options), logical.plans(goal, &options), "{goal} {state:?}");
        }
    }
}

fn agree_in_matches(seeds: std::ops::Range<u64>) -> usize {
    let mut positions = 0;
    for seed in seeds {
        watch_match(seed, |state, plain, logical, dice| {
            agree(state, plain, logical, dice);
            positions += 1;
        });
    }
    positions
}

#[test]
fn both_find_the_same_goals_attainable_and_the_same_actions_that_solve_them() {
    assert!(agree_in_matches(0..4) > 150);
}

#[test]
#[ignore = "minutes; run when the player or the logic changes"]
fn both_find_the_same_goals_attainable_on_thousands_of_positions() {
    assert!(agree_in_matches(100..160) > 3000);
}

/// The position of section 5.3: cards 3 and 6 are red and lie side by side, the partner has not seen card 3, and the hint
/// red-green is active.
fn example() -> Logical {
    let mut cells = *Layout::start().cells();
    (cells[2], cells[5], cells[6]) = (Cell::new(16, 16), Cell::new(16, 17), Cell::new(15, 17));
    let layout = Layout::new(cells).expect("the cards are connected");
    let hint = Colours::read("rg").expect("a hint");
    let mut available = crate::yokai::rules::MIX;
    available[1] -= 1;
    let steps = Steps { looks: 2, first: Some(Card(5)), moved: true, hinted: false };
    let stage = Stage::at(layout, [None; CARDS], vec![hint], available, Seat(0)).with_steps(steps);
    let mut seen = [None; CARDS];
    (seen[2], seen[5]) = (Some(Colour::Red), Some(Colour::Red));
    Logical::at(&Position { stage, seen, partner_seen: CardSet::of(Card(5)), ..Position::start(Seat(0)) })
}

/// α_G of section 5.3: an unmarked card that the partner does not know and that lies beside one of its colour is marked.
fn example_goal(logical: &mut Logical) -> Alpha {
    let mut ways = Vec::new();
    for x in ALL.iter() {
        let bare = logical.bare(x);
        for c in Colour::ALL {
            let words = &mut logical.words;
            let knows = words.partner_knows(x, c);
            let mut all = vec![words.col(x, c, NOW), words.store.not(knows), bare];
            let mut beside = Vec::new();
            for y in ALL.without(x).iter() {
                let (near, col) = (words.connected(CardSet::of(x).with(y), NOW), words.col(y, c, NOW));
                beside.push(words.store.and(near, col));
            }
            all.push(words.store.or_all(beside));
            let marks: Vec<Alpha> =
                Colours::HINTS.into_iter().filter(|h| h.has(c)).map(|h| words.mark(x, h, NEXT)).collect();
            all.push(words.store.or_all(marks));
            ways.push(words.store.and_all(all));
        }
    }
    logical.words.store.or_all(ways)
}

/// The marks with the active hint that solve the problem of section 5.3 by the repaired Definition 7.
fn example_solutions(logical: &mut Logical, also: Option<Alpha>) -> Vec<Card> {
    let goal = example_goal(logical);
    let mut reasoner = Reasoner::new();
    let base = logical.base();
    let future = logical.words.future().to_vec();
    [base.core, future].into_iter().flatten().for_each(|alpha| reasoner.fix(alpha));
    [base.factual, base.hypothetical].into_iter().flatten().chain(also).for_each(|alpha| reasoner.add(alpha));
    let hint = Colours::read("rg").expect("a hint");
    let solves = |x: &Card| {
        let action = Action::Mark(*x, hint);
        let learn = logical.lesson(&action, None).expect("a mark teaches something");
        let precondition = logical.executable(&action);
        reasoner.solves(&mut logical.words.store, &belief::Action { learn, time: NEXT, precondition }, goal)
    };
    ALL.iter().filter(solves).collect()
}

#[test]
fn the_example_of_section_5_3_has_its_solution_and_no_other() {
    let mut logical = example();
    assert_eq!(example_solutions(&mut logical, None), [Card(2)]);
}

#[test]
fn a_base_that_says_that_the_time_is_not_yet_next_has_no_plan() {
    let mut logical = example();
    let later = logical.words.store.now(NEXT);
    let not_yet = logical.words.store.not(later);
    assert_eq!(example_solutions(&mut logical, Some(not_yet)), []);
}

#[test]
fn a_look_cannot_show_a_colour_that_is_used_up() {
    let mut position = Position::start(Seat(0));
    (0..4).for_each(|i| position.seen[i] = Some(Colour::Red));
    let mut logical = Logical::at(&position);
    let look = Action::Look(Card(9));
    let lessons = Colour::ALL.map(|c| (c, logical.lesson(&look, Some(c)).expect("a look teaches something")));
    let possible = lessons.map(|(c, lesson)| logical.possible(&look, Some(c), lesson));
    assert_eq!(possible, [false, true, true, true]);
}

#[test]
fn as_printed_the_axiom_of_looks_forbids_every_move() {
    let mut logical = Logical::default();
    let (x, to) = (Card(0), Cell::new(14, 15));
    let lesson = logical.lesson(&Action::Move(x, to), None).expect("a move teaches something");
    assert!(logical.possible(&Action::Move(x, to), None, lesson));
    // SSA10 with `col@t & !B[m] col@(t-1)`: nothing moves if any card that was not seen has a colour.
    let words = &mut logical.words;
    let place = words.place(to);
    let (after, before) = (words.pos(x, place, NEXT), words.pos(x, place, NOW));
    let still = words.store.iff(after, before);
    let mut all = vec![lesson];
    for y in ALL.iter() {
        for c in Colour::ALL {
            let (col, saw) = (words.col(y, c, NEXT), words.saw(y, c, NOW));
            let not = words.store.not(saw);
            let looked = words.store.and(col, not);
            all.push(words.store.implies(looked, still));
        }
    }
    let printed = words.store.and_all(all);
    let never = words.store.not(printed);
    let never = words.store.implicit(never);
    assert!(logical.foresees(never));
}

#[test]
fn the_reason_tells_the_goal_and_every_question_with_its_answer() {
    let mut player = Paper::new(Logical::default(), Order::PAPER, 4);
    let action = player.choose(&GAME.options(&Stage::start()));
    let Action::Look(card) = action else { panic!("a turn begins with a look") };
    let reason = player.reason().expect("it has a reason");
    assert_eq!(reason.headline, format!("look {0}: obsUnknownColorCard({0}), one of 1 ways", card.0 + 1));
    let asked = reason.data["asked"].as_array().expect("questions");
    assert_eq!(asked.len(), player.beliefs().asked().len());
    let told =
        |ask: String| asked.iter().find(|a| a["entails"] == ask.as_str()).expect("it was asked")["answer"] == true;
    let goal = format!("obsUnknownColorCard({})", card.0 + 1);
    assert!(!told("I[m] allGrouped".into()));
    assert!(!told(format!("I[m] !P({goal})")));
    assert!(!told(format!("I[m] !col({},red)", card.0 + 1)));
    assert!(told(format!("[+ col({},red)] I[m] {goal}", card.0 + 1)));
    assert!(told(format!("P(+col({}))", card.0 + 1)));
    let full = player.beliefs().show(&player.beliefs().asked()[1]);
    assert!(full.contains(&format!("B[m] col({},red)@0", card.0 + 1)), "{full}");
}

#[test]
fn actions_that_have_nothing_to_do_with_a_goal_do_not_solve_it() {
    let mut logical = Logical::default();
    let stage = Stage::start().with_steps(Steps { looks: 2, first: Some(Card(0)), moved: false, hinted: false });
    let goal = Goal::Group(CardSet::of(Card(0)).with(Card(3)), Colour::Red);
    let aim = logical.words.goal(&goal);
    let options = GAME.options(&stage);
    let all: Vec<Action> = options.iter().copied().filter(|a| logical.solves(a, &goal, aim)).collect();
    assert!(!all.is_empty());
    assert_eq!(all, logical.plans(&goal, &options));
}

#[test]
fn counting_times_from_the_present_is_the_update_of_the_paper_up_to_a_shift() {
    let mut logical = Logical::default();
    let mut base = logical.base();
    let mut time = 0;
    let mut players = pair::<Plain>(3);
    let game = std::cell::RefCell::new(&mut players);
    play(
        3,
        |_, seat, options| game.borrow_mut()[seat.index()].choose(options),
        |_, sight, seat| {
            game.borrow_mut()[seat.index()].watch(sight);
            let Sight::Done { act, .. } = sight else { return };
            // Until the first move, after which the axioms are written for other cells.
            if seat != Seat(0) || time > 1 {
                return;
            }
            time += 1;
            let input = logical.perceived(act, NOW);
            let store = &mut logical.words.store;
            let input = store.shift_all(&input, time).expect("times go up");
            let core = store.shift_all(&base.core, 1).expect("times go up");
            base = base.update(store).expect("times go up");
            base.core = core;
            base = base.revise(store, &input).0;
            logical.watch(sight);
            let now = logical.base();
            let store = &mut logical.words.store;
            let shift = |store: &mut belief::Store, all: &[Alpha]| store.shift_all(all, time).expect("times go up");
            assert_eq!(sorted(shift(store, &now.hypothetical)), sorted(base.hypothetical.clone()));
            let facts = shift(store, &now.factual);
            // Only the clock has more to say: it was 0, 1, … before.
            let clock: Vec<Alpha> = (0..time as u32).map(|t| store.now(t)).collect();
            assert_eq!(sorted([facts, clock].concat()), sorted(base.factual.clone()));
        },
    );
    assert_eq!(time, 2);
}

fn sorted(mut all: Vec<Alpha>) -> Vec<Alpha> {
    all.sort_unstable();
    all
}

#[test]
fn a_mark_that_was_seen_to_be_wrong_is_not_believed_and_the_others_are() {
    let hint = Colours::read("r").expect("a hint");
    let other = Colours::read("rg").expect("a hint");
    let mut marks = [None; CARDS];
    (marks[0], marks[1]) = (Some(hint), Some(other));
    let stage = Stage::at(Layout::start(), marks, Vec::new(), [1, 2, 2], Seat(0));
    let mut position = Position { stage, ..Position::start(Seat(0)) };
    position.seen[0] = Some(Colour::Blue);
    let mut plain = Plain::default();
    plain.place(&position);
    assert_eq!(plain.marked_with(Colour::Red), CardSet::of(Card(1)));
    assert_eq!(Logical::at(&position).marked_with(Colour::Red), CardSet::of(Card(1)));
}

#[test]
fn marks_that_contradict_each_other_are_all_doubted() {
    // Three red cards seen; two others are both marked red: one of the marks is wrong, and nobody knows which.
    let hint = Colours::read("r").expect("a hint");
    let twin = Colours::read("rg").expect("a hint");
    let mut marks = [None; CARDS];
    (marks[10], marks[11]) = (Some(hint), Some(twin));
    let stage = Stage::at(Layout::start(), marks, Vec::new(), [1, 2, 2], Seat(0));
    let mut position = Position { stage, ..Position::start(Seat(0)) };
    for i in 0..3 {
        position.seen[i] = Some(Colour::Red);
        position.seen[i + 3] = Some(Colour::Green);
    }
    position.seen[6] = Some(Colour::Green);
    let mut plain = Plain::default();
    plain.place(&position);
    let mut logical = Logical::at(&position);
    for colour in Colour::ALL {
        assert_eq!(plain.marked_with(colour), CardSet::EMPTY);
        assert_eq!(logical.marked_with(colour), CardSet::EMPTY);
    }
}

#[test]
fn groups_are_tried_by_size_and_those_with_few_unseen_cards_first() {
    let mut players = pair::<Plain>(5);
    let players = std::cell::RefCell::new(&mut players);
    play(
        5,
        |_, seat, options| {
            let player = &mut players.borrow_mut()[seat.index()];
            let action = player.choose(options);
            let seen = player.all_seen();
            let groups = player.tried().iter().filter_map(|tried| match tried.goal {
                Goal::Group(cards, _) => Some((std::cmp::Reverse(cards.len()), cards.minus(seen).len())),
                _ => None,
            });
            assert!(groups.is_sorted());
            action
        },
        |_, sight, seat| players.borrow_mut()[seat.index()].watch(sight),
    );
}

#[test]
fn two_of_them_win_about_a_tenth_of_their_matches() {
    let won = (0..300).filter(|&seed| {
        let players = std::cell::RefCell::new(pair::<Plain>(seed));
        let end = play(
            mix(seed, 9),
            |_, seat, options| players.borrow_mut()[seat.index()].choose(options),
            |_, sight, seat| players.borrow_mut()[seat.index()].watch(sight),
        );
        end.stage().layout().shape().grouped(end.colouring())
    });
    let won = won.count();
    assert!((22..=42).contains(&won), "{won} of 300");
}

#[test]
fn the_order_of_the_paper_plays_as_the_player_did_before_it_had_an_order() {
    let mut digest = 0;
    for seed in 0..20 {
        let players = std::cell::RefCell::new(pair::<Plain>(seed));
        play(
            seed,
            |_, seat, options| {
                let action = players.borrow_mut()[seat.index()].choose(options);
                digest = GAME.write(&action).bytes().fold(digest, |all, byte| mix(all, byte.into()));
                action
            },
            |_, sight, seat| players.borrow_mut()[seat.index()].watch(sight),
        );
    }
    assert_eq!(digest, 0x7287_8ab3_e22c_aad4);
}

#[test]
fn both_play_the_same_match_in_the_order_that_was_learned() {
    same_match(Order::LEARNED, 1);
}
