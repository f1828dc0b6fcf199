//! Random notes and facts.

use ken_games::cards::{Card, CardSet};
use ken_games::dice::Dice;
use ken_games::game::Seat;
use ken_games::knowledge::Seats;
use ken_games::yokai::knowledge::{Assumed, Fact, Notes};
use ken_games::yokai::{CARDS, Colour, Colouring, Colours, Layout};
use ken_logic::formula::Cmp;
use std::sync::Arc;

/// How notes are made.
pub(crate) struct Plan {
    /// How many cards are not common knowledge.
    pub(crate) hidden: usize,
    /// Hints and announcements may be wrong.
    pub(crate) lies: bool,
}

pub(crate) fn layout(dice: &mut Dice) -> Layout {
    let mut layout = Layout::start();
    for _ in 0..dice.below(12) {
        let moves: Vec<_> = layout.shape().moves(CardSet::EMPTY).collect();
        let &(card, to) = dice.pick(&moves);
        layout = layout.moved(card, to);
    }
    layout
}

/// Notes of a seat in a random situation, and the colours in truth. Often many cards are grouped, so that it is a
/// question whether all are.
pub(crate) fn notes(plan: &Plan, dice: &mut Dice) -> (Notes, Colouring) {
    let layout = layout(dice);
    let mut colouring = Colouring::deal(dice);
    let ways = ken_games::yokai::knowledge::diagrams::groupings(&layout.shape());
    if dice.below(2) == 0 && !ways.is_empty() {
        let groups = dice.pick(&ways);
        let of = |i: usize| Colour::ALL[groups.iter().position(|g| g >> i & 1 == 1).unwrap()];
        colouring = Colouring::new(std::array::from_fn(of)).unwrap();
    }
    let assumed = if dice.below(4) == 0 { Assumed::Nothing } else { Assumed::Proper };
    let mut notes = Notes::new(Seat(dice.below(2) as u8), assumed, layout);
    let mut cards: Vec<Card> = (0..CARDS as u8).map(Card).collect();
    dice.shuffle(&mut cards);
    let (hidden, common) = cards.split_at(plan.hidden);
    for &card in common {
        notes.look(card, colouring.of(card), None);
        notes.partner_looks(card);
    }
    let often = 1 + dice.below(3);
    for &card in hidden {
        match dice.below(6) {
            0..2 => notes.look(card, colouring.of(card), None),
            2..4 => notes.partner_looks(card),
            _ => {}
        }
        let hint = *dice.pick(&Colours::HINTS);
        if dice.below(3) < often && (hint.has(colouring.of(card)) || plan.lies && dice.below(8) == 0) {
            notes.mark(card, hint, None);
        }
    }
    for _ in 0..dice.below(3) {
        let (a, b) = (*dice.pick(&cards), *dice.pick(hidden));
        if a != b && (colouring.of(a) == colouring.of(b) || plan.lies && dice.below(8) == 0) {
            notes.announce(a, b, None);
        }
    }
    (notes, colouring)
}

/// A fact with at most so many knowledge operators inside one another.
pub(crate) fn fact(depth: usize, dice: &mut Dice) -> Fact {
    let card = |dice: &mut Dice| Card(dice.below(CARDS) as u8);
    let colours = |dice: &mut Dice| Colours::from_bits(1 + dice.below(14) as u8);
    match dice.below(if depth == 0 { 8 } else { 17 }) {
        0..3 => Fact::colour(card(dice), colours(dice)),
        3..5 => Fact::same(card(dice), card(dice)),
        5 => Fact::GROUPED,
        6 => fact(0, dice).negated(),
        7 => Fact::Any(vec![fact(0, dice), fact(0, dice)]),
        8..12 => fact(depth - 1, dice).known_to(Seat(dice.below(2) as u8)),
        16 => Fact::Count(*dice.pick(&[Cmp::Eq, Cmp::Le, Cmp::Gt]), dice.below(3) as u64, {
            (0..3).map(|_| fact(depth - 1, dice)).collect()
        }),
        12 => Fact::Knows(Seats::all(2), Arc::new(fact(depth - 1, dice))),
        13 => Fact::All(vec![fact(depth, dice).negated(), fact(depth - 1, dice)]),
        14 => Fact::Iff(Arc::new(fact(depth - 1, dice)), Arc::new(fact(depth - 1, dice))),
        15 => Fact::Common(Seats::all(2), Arc::new(fact(depth - 1, dice))),
        _ => unreachable!("below seventeen"),
    }
}
