//! The smallest game is small enough to be unfolded by hand.

use super::total;
use ken_games::conformance::{self as laws, Operator, Trial, unfolding_agrees, what_if_agrees};
use ken_games::game::{Notation, Seat, Verdict};
use ken_games::high_card::knowledge::Pairs;
use ken_games::high_card::{Action, Event, HighCard, Sight, State};
use ken_games::knowledge::{Knower, read};
use ken_games::unfold::{Ask, CannotUnfold, History, Unfold, Unfolding, WhatIf};
use ken_logic::formula::{Along, F, Formula, Group};

const CARDS: u8 = 4;
const QUESTIONS: u8 = 3;
const GAME: HighCard = HighCard { cards: CARDS, questions: QUESTIONS };

/// The atoms `has(seat,card)`, and `higher(0)`: the first seat has the higher card.
fn unfold() -> Unfold<'static, HighCard> {
    let mut unfold = Unfold::of(&GAME).atom("higher(0)", |h| h.state().cards[0] > h.state().cards[1]);
    for seat in 0..2 {
        for card in 1..=CARDS {
            unfold = unfold.atom(format!("has({seat},{card})"), move |h| h.state().cards[seat] == card);
        }
    }
    unfold
}

fn begin<'u>(unfold: &'u Unfold<'static, HighCard>, cards: [u8; 2]) -> Unfolding<'u, 'static, HighCard> {
    unfold.begin(&Event::Dealt(cards)).expect("a deal")
}

/// The cards in these histories.
fn sorted<'h>(histories: impl Iterator<Item = &'h History<HighCard>>) -> Vec<[u8; 2]> {
    let mut cards: Vec<[u8; 2]> = histories.map(|h| h.state().cards).collect();
    cards.sort_unstable();
    cards
}

fn first() -> F {
    Formula::atom("higher(0)")
}

fn whether(seat: u8, f: F) -> F {
    Formula::KnowsWhether(seat.to_string().into(), f).into()
}

/// What both seats know of it.
fn verdicts(now: &mut Unfolding<'_, '_, HighCard>, ask: impl Into<Ask<Action>>) -> [Verdict; 2] {
    let ask = ask.into();
    [0, 1].map(|seat| now.verdict(Seat(seat), &ask).expect("a verdict"))
}

#[test]
fn the_layers_have_as_many_histories_as_counting_says() {
    let unfold = unfold();
    assert_eq!(unfold.deals().expect("few").len(), 12, "24 orders of four cards, of which two are dealt");
    let mut now = begin(&unfold, [3, 1]);
    assert_eq!(now.len(), 12, "seat 0 confuses (3,1) with (3,2), seat 1 that with (1,2), and so on");
    assert_eq!(now.confused(Seat(0)).count(), 3);
    assert_eq!(now.options().expect("few").len(), 5);
    // The second has 1 or 2, and the first one of the three others.
    now.play(&Action::Ask(2)).expect("legal");
    assert_eq!(now.len(), 6);
    assert_eq!(sorted(now.confused(Seat(0))), [[3, 1], [3, 2]]);
    // Now the first has 3 or 4.
    now.play(&Action::Ask(2)).expect("legal");
    assert_eq!(now.len(), 4);
    assert_eq!(now.real().events().len(), 3);
    // And the second has 1.
    now.play(&Action::Ask(1)).expect("legal");
    assert_eq!(now.len(), 2, "seat 1 still confuses (3,1) and (4,1)");
    now.play(&Action::Bet { high: true }).expect("legal");
    assert_eq!(now.len(), 1, "everything is seen");
    assert_eq!(now.options(), Ok(Vec::new()));
}

#[test]
fn after_an_answer_the_asker_knows_what_follows_from_it() {
    let unfold = unfold();
    let mut now = begin(&unfold, [3, 1]);
    assert_eq!(verdicts(&mut now, first()), [Verdict::Open, Verdict::Yes], "1 is the lowest");
    assert_eq!(verdicts(&mut now, Formula::knows("1", first())), [Verdict::Open, Verdict::Yes]);
    now.play(&Action::Ask(2)).expect("legal");
    assert_eq!(verdicts(&mut now, first()), [Verdict::Yes; 2], "the second has 1 or 2");
    assert_eq!(verdicts(&mut now, Formula::atom("has(1,1)")), [Verdict::Open, Verdict::Yes]);
    // A first with 1 or 2 would know both cards; the second, with 1, cannot exclude a 2.
    assert_eq!(verdicts(&mut now, whether(0, Formula::atom("has(1,1)"))), [Verdict::No, Verdict::Open]);
    // The second may have 2, and then the first 1: it is not common knowledge which card is higher.
    let common = F::new(Formula::Common(Group::All, whether(1, first())));
    assert_eq!(verdicts(&mut now, common), [Verdict::No; 2]);
    assert_eq!(now.holds(&whether(0, first()).into()), Ok(true));
    assert_eq!(verdicts(&mut begin(&unfold, [2, 1]), Formula::atom("has(1,1)")), [Verdict::Open, Verdict::Yes]);
    let mut low = begin(&unfold, [2, 1]);
    low.play(&Action::Ask(2)).expect("legal");
    assert_eq!(verdicts(&mut low, Formula::atom("has(1,1)")), [Verdict::Yes; 2], "not above 2, and not 2");
}

#[test]
fn what_if_asks_for_the_next_layer() {
    let unfold = unfold();
    let mut now = begin(&unfold, [3, 1]);
    let after = |n: u8, then: F| WhatIf::every(Action::Ask(n), then).ask();
    // With 3, the answer whether it is above 2 tells which card is higher; above 1 does so only if it is 1.
    assert_eq!(verdicts(&mut now, after(2, whether(0, first())))[0], Verdict::Yes);
    assert_eq!(verdicts(&mut now, after(1, whether(0, first()))), [Verdict::Open, Verdict::Yes]);
    assert_eq!(verdicts(&mut now, after(2, Formula::knows("0", first())))[0], Verdict::Open);
    // Under an operator: seat 0 knows that asking for 2 is enough, but not that asking for 1 is.
    let enough = |n: u8| {
        Ask::from(Formula::knows("0", Formula::atom("w")))
            .naming("w", WhatIf::every(Action::Ask(n), whether(0, first())))
    };
    assert_eq!([now.holds(&enough(2)), now.holds(&enough(1))], [Ok(true), Ok(false)]);
    // A first with 2 learns that it has the lower card if the answer is yes, the higher one if it is no.
    assert_eq!(verdicts(&mut now, enough(2)), [Verdict::Yes; 2]);
    // Twice: the second, asking back, learns that the first is above 2. Even with 2 it then knows who is higher.
    let back = WhatIf::some(Action::Ask(2), Formula::knows("1", first()));
    assert_eq!(
        verdicts(&mut now, WhatIf::every(Action::Ask(2), back.clone().ask()).ask()),
        [
            Verdict::Open, // not if the second has 4
            Verdict::Yes
        ]
    );
    now.play(&Action::Ask(2)).expect("legal");
    assert_eq!(verdicts(&mut now, back.ask()), [Verdict::Yes; 2]);
    assert_eq!(verdicts(&mut now, Formula::knows("1", first())), [Verdict::Open, Verdict::Yes]);
}

#[test]
fn after_what_cannot_be_played_everything_is_true_and_nothing_can_be() {
    let unfold = unfold();
    let mut now = begin(&unfold, [3, 1]);
    let ask = |every: bool, seat: u8| {
        let then = F::new(Formula::Const(!every));
        let what_if = if every { WhatIf::every(Action::Ask(2), then) } else { WhatIf::some(Action::Ask(2), then) };
        what_if.by(Seat(seat)).ask()
    };
    assert_eq!(verdicts(&mut now, ask(true, 1)), [Verdict::Yes; 2], "it is not the turn of seat 1");
    assert_eq!(verdicts(&mut now, ask(false, 1)), [Verdict::No; 2]);
    assert_eq!(verdicts(&mut now, ask(true, 0)), [Verdict::No; 2]);
    assert_eq!(verdicts(&mut now, ask(false, 0)), [Verdict::Yes; 2]);
    now.play(&Action::Bet { high: true }).expect("legal");
    assert_eq!(verdicts(&mut now, ask(true, 0)), [Verdict::Yes; 2], "the match is over");
}

#[test]
fn what_is_given_beyond_the_rules_counts_as_known_to_everybody() {
    // That nobody asks who knows already: then a first that asks has 2 or 3.
    let turn = |state: &State| (state.asked % 2).to_string();
    let ignorant = move |state: &State, action: &Action| match action {
        Action::Ask(_) => Some(Formula::negation(Formula::KnowsWhether(turn(state).into(), first()).into())),
        Action::Bet { .. } => None,
    };
    let silent = unfold().only_if(ignorant);
    let mut now = begin(&silent, [3, 2]);
    now.play(&Action::Ask(2)).expect("it does not know");
    assert_eq!(sorted(now.histories()), [[2, 1], [3, 1], [3, 2]]);
    assert_eq!(verdicts(&mut now, Formula::atom("has(0,3)")), [Verdict::Yes; 2]);
    assert_eq!(now.play(&Action::Ask(2)), Err(CannotUnfold::NoOption("Ask(2)".into())));
    assert_eq!(begin(&silent, [4, 2]).options().expect("few").len(), 2, "it can only bet");
    // That the first has 1 or 2.
    let deals = unfold().deals().expect("few").into_iter().filter(|(state, _)| state.cards[0] < 3).collect();
    let given = unfold().dealt(deals);
    assert_eq!(verdicts(&mut begin(&given, [2, 3]), first()), [Verdict::Open, Verdict::No]);
    assert_eq!(given.begin(&Event::Dealt([3, 1])).err(), Some(CannotUnfold::NoSuchDeal));
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let unfold = unfold().limit(20);
    let mut now = begin(&unfold, [3, 1]);
    assert_eq!(now.play(&Action::Ask(2)), Err(CannotUnfold::TooMany(20)));
    assert_eq!(now.len(), 12, "nothing has changed");
    assert_eq!(now.truth(&Formula::atom("hihger(0)").into()), Err(CannotUnfold::NoAtom("hihger(0)".into())));
    assert_eq!(self::unfold().limit(11).deals().err(), Some(CannotUnfold::TooMany(11)));
    let mut now = begin(&unfold, [3, 1]);
    let temporal = F::new(Formula::Linear(Along::Next, first()));
    assert!(matches!(now.truth(&Ask::from(temporal)), Err(CannotUnfold::Unchecked(_))));
}

/// What a seat with this memory knows of what is asked.
fn known(memory: &[Sight], text: &str) -> Option<Verdict> {
    let mut knower = Knower::new(Pairs::of(&GAME, memory));
    let fact = read(knower.worlds(), text).ok()?;
    Some(knower.ask(&fact).expect("some cards fit").verdict)
}

/// What is asked, in the language of facts.
fn text_of(ask: &Ask<Action>) -> String {
    ask.named().iter().fold(ask.formula().to_string(), |text, (name, what_if)| {
        let seat = what_if.seat().map_or(String::new(), |seat| format!("{seat}: "));
        let (action, then) = (GAME.write(what_if.action()), text_of(what_if.then()));
        let (open, close) = if what_if.is_every() { ('[', ']') } else { ('<', '>') };
        text.replace(&**name, &format!("({open}{seat}{action}{close} ({then}))"))
    })
}

#[test]
fn what_is_known_agrees_with_the_unfolding_and_foresees_it() {
    let unfold = unfold();
    let trial = Trial { operators: &Operator::ALL, depth: 3, events: 4, formulas: 25 };
    let plain = total(
        (0..10).map(|seed| unfolding_agrees(&unfold, seed, &trial, |_, memory, f| known(memory, &f.to_string()))),
    );
    let trial = Trial { formulas: 8, ..trial };
    let foreseen =
        total((0..8).map(|seed| what_if_agrees(&unfold, seed, &trial, |_, memory, ask| known(memory, &text_of(ask)))));
    assert!(plain.verdicts > 1000 && plain.settled < plain.verdicts, "{plain:?}");
    assert!(foreseen.verdicts > 250 && foreseen.settled < foreseen.verdicts, "{foreseen:?}");
}

#[test]
fn the_laws_catch_an_engine_that_guesses_and_one_that_forgets() {
    let unfold = unfold();
    let trial = Trial { operators: &Operator::ALL, depth: 2, events: 4, formulas: 20 };
    let guesses = (0..5).map(|seed| unfolding_agrees(&unfold, seed, &trial, |_, _, _| Some(Verdict::Open)));
    assert!({ guesses }.any(|law| law.is_err()));
    let forgets =
        (0..5).map(|seed| unfolding_agrees(&unfold, seed, &trial, |_, memory, f| known(&memory[..1], &f.to_string())));
    assert!({ forgets }.any(|law| law.is_err()));
    let silent = unfolding_agrees(&unfold, 0, &trial, |_, _, _| None).expect("nothing is wrong");
    assert!(silent.verdicts == 0 && silent.unanswered > 20, "{silent:?}");
}

#[test]
fn high_card_keeps_the_laws() {
    let compared: usize = (0..20)
        .map(|seed| {
            laws::rules_hold(&HighCard::default(), seed).unwrap_or_else(|broken| panic!("{broken}"));
            laws::nothing_leaks(&GAME, seed).unwrap_or_else(|broken| panic!("{broken}"))
        })
        .sum();
    assert!(compared > 100, "{compared} pairs of equal memories");
}
