//! Stand-ins for people: players that forget, keep no convention, mark rarely and move greedily.
//!
//! A stand-in remembers the colours of its last few looks, and what a mark of one colour shows. It looks at cards that it
//! does not remember; it moves so that the groups that it remembers grow most; it reads nothing into what its
//! partner does. How the four of them differ is in their [`Habits`]; `docs/yokai-players.md` says where the numbers come from.

use super::{Placed, Reason, Reasoned};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::{Player, Seat};
use crate::yokai::colour::{CARDS, Colour, Hint};
use crate::yokai::layout::{Cell, Shape};
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Stage, Step, TURNS, Yokai};

/// What stand-ins differ in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Habits {
    /// How many cards it remembers the colour of: those that it looked at last.
    pub keeps: usize,
    /// How often in a hundred it marks a card that it remembers, where it could also activate a hint.
    pub marks: u8,
    /// How often in a hundred it moves anything anywhere.
    pub slips: u8,
    /// Whether it looks at cards that it never looked at before it looks again at one.
    pub thorough: bool,
    /// Whether it leaves a card where its partner put it, unless it has a reason to move it.
    pub spares: bool,
    /// Whether it stops instead of the last turn of a match if it sees nothing to improve.
    pub rests: bool,
}

/// Two of these win about as often with each other as the paper's people do (13 %).
pub const TYPICAL: Habits = Habits { keeps: 7, marks: 25, slips: 0, thorough: true, spares: true, rests: true };

/// Wins nearly as often with the paper's machine as the paper's people do (28 %).
pub const CAREFUL: Habits = Habits { keeps: 12, marks: 70, slips: 0, thorough: true, spares: true, rests: true };

/// Remembers four cards.
pub const FORGETFUL: Habits = Habits { keeps: 4, marks: 10, slips: 0, thorough: false, spares: true, rests: true };

/// Remembers five cards, moves without thought now and then, and whatever card it likes.
pub const HASTY: Habits = Habits { keeps: 5, marks: 10, slips: 15, thorough: false, spares: false, rests: false };

/// A stand-in for a person.
pub struct StandIn {
    habits: Habits,
    /// Whether an onlooker ends the match when it is won, so that there is no sense in stopping.
    oracle: bool,
    me: Seat,
    stage: Stage,
    /// The cards that it remembers, the last look last.
    memory: Vec<(Card, Colour)>,
    /// The cards that it looked at.
    looked: CardSet,
    /// The cards that its partner moved.
    placed: CardSet,
    dice: Dice,
}

impl StandIn {
    /// One with these habits. Its chance comes from the seed.
    pub fn new(habits: Habits, game: &Yokai, seed: u64) -> StandIn {
        StandIn {
            habits,
            oracle: game.oracle,
            me: Seat(0),
            stage: Stage::start(),
            memory: Vec::new(),
            looked: CardSet::EMPTY,
            placed: CardSet::EMPTY,
            dice: Dice::new(seed),
        }
    }

    fn chance(&mut self, percent: u8) -> bool {
        self.dice.below(100) < usize::from(percent)
    }

    fn remember(&mut self, card: Card, colour: Colour) {
        self.memory.retain(|m| m.0 != card);
        self.memory.push((card, colour));
        let over = self.memory.len().saturating_sub(self.habits.keeps);
        self.memory.drain(..over);
    }

    /// The colours that it remembers, and those that marks of one colour show.
    fn known(&self) -> [Option<Colour>; CARDS] {
        let mut known = self.stage.marks().map(|mark| mark.and_then(Hint::single));
        self.memory.iter().for_each(|&(card, colour)| known[card.index()] = Some(colour));
        known
    }

    fn remembers(&self, card: Card) -> bool {
        self.memory.iter().any(|m| m.0 == card)
    }

    fn look(&mut self, options: &[Action]) -> Action {
        let looks = options.iter().filter_map(|a| if let Action::Look(card) = *a { Some(card) } else { None });
        let looks: Vec<Card> = looks.collect();
        let open: Vec<Card> = looks.iter().copied().filter(|&c| !self.remembers(c)).collect();
        let fresh: Vec<Card> = open.iter().copied().filter(|&c| !self.looked.has(c)).collect();
        let from = match (&fresh[..], &open[..]) {
            ([_, ..], _) if self.habits.thorough => &fresh,
            (_, [_, ..]) => &open,
            (_, []) => &looks,
        };
        Action::Look(*self.dice.pick(from))
    }

    /// The moves by how much the groups grow that it remembers, and the most that they grow.
    fn gains(&self, moves: &[(Card, Cell)]) -> (i32, Vec<i32>) {
        let known = self.known();
        let layout = self.stage.layout();
        let before = togetherness(&layout.shape(), &known);
        let gain = |&(card, to): &(Card, Cell)| match known[card.index()] {
            // A group that it remembers is held together by cards that it remembers.
            None => 0,
            Some(_) => togetherness(&layout.moved(card, to).shape(), &known) - before,
        };
        let gains: Vec<i32> = moves.iter().map(gain).collect();
        (gains.iter().copied().max().unwrap_or(0), gains)
    }

    fn go(&mut self, options: &[Action]) -> Action {
        let moves: Vec<(Card, Cell)> = listed(options).collect();
        if moves.is_empty() {
            return Action::Skip;
        }
        if self.chance(self.habits.slips) {
            let &(card, to) = self.dice.pick(&moves);
            return Action::Move(card, to);
        }
        let (most, gains) = self.gains(&moves);
        let best: Vec<(Card, Cell)> = moves.iter().zip(&gains).filter(|m| *m.1 == most).map(|m| *m.0).collect();
        let spared: Vec<(Card, Cell)> = best.iter().copied().filter(|m| !self.placed.has(m.0)).collect();
        let from = if self.habits.spares && most <= 0 && !spared.is_empty() { spared } else { best };
        let &(card, to) = self.dice.pick(&from);
        Action::Move(card, to)
    }

    /// The marks of cards that it remembers, with the smallest hint that fits; rather those that lie beside their colour.
    fn proper(&self) -> Vec<(Card, Hint)> {
        let known = self.known();
        let shape = self.stage.layout().shape();
        let marked = self.stage.marked();
        let mut marks: Vec<((bool, usize), Card, Hint)> = Vec::new();
        for &(card, colour) in self.memory.iter().filter(|m| !marked.has(m.0)) {
            let alone = !shape.beside(card).iter().any(|c| known[c.index()] == Some(colour));
            let fits = self.stage.active().iter().filter(|h| h.has(colour));
            marks.extend(fits.map(|&hint| ((alone, hint.len()), card, hint)));
        }
        let best = marks.iter().map(|m| m.0).min();
        marks.into_iter().filter(|m| Some(m.0) == best).map(|(_, card, hint)| (card, hint)).collect()
    }

    fn hint(&mut self, options: &[Action]) -> Action {
        let proper = self.proper();
        if options.contains(&Action::Activate) && (proper.is_empty() || !self.chance(self.habits.marks)) {
            return Action::Activate;
        }
        if !proper.is_empty() {
            let &(card, hint) = self.dice.pick(&proper);
            return Action::Mark(card, hint);
        }
        // It has to mark and remembers nothing that fits: the hint that says least, on a card of which it knows nothing.
        let largest = self.stage.active().iter().map(|h| h.len()).max();
        let marks = options.iter().filter(|a| matches!(a, Action::Mark(_, hint) if Some(hint.len()) == largest));
        let marks: Vec<Action> = marks.copied().collect();
        let blind: Vec<Action> =
            marks.iter().copied().filter(|a| matches!(a, Action::Mark(card, _) if !self.remembers(*card))).collect();
        *self.dice.pick(if blind.is_empty() { &marks } else { &blind })
    }

    /// Whether it lets the last turn be.
    fn rests(&self) -> bool {
        let marked = self.stage.marked();
        let moves: Vec<(Card, Cell)> = self.stage.layout().shape().moves(marked).collect();
        self.habits.rests && !self.oracle && self.stage.turns() + 1 == TURNS && self.gains(&moves).0 <= 0
    }
}

fn listed(options: &[Action]) -> impl Iterator<Item = (Card, Cell)> {
    options.iter().filter_map(|a| if let Action::Move(card, to) = *a { Some((card, to)) } else { None })
}

/// How much lies together of what is known: the squares of the sizes of groups of one colour.
fn togetherness(shape: &Shape, known: &[Option<Colour>; CARDS]) -> i32 {
    let of = |colour: Colour| (0..CARDS).filter(|&i| known[i] == Some(colour)).fold(0u16, |all, i| all | 1 << i);
    let beside = shape.neighbours();
    let mut sum = 0;
    for colour in Colour::ALL {
        let mut rest = of(colour);
        while rest != 0 {
            let (mut group, mut edge) = (0u16, rest & rest.wrapping_neg());
            while edge != 0 {
                let card = edge.trailing_zeros() as usize;
                group |= 1 << card;
                edge = (edge | beside[card] & rest) & !group;
            }
            rest &= !group;
            sum += (group.count_ones() * group.count_ones()) as i32;
        }
    }
    sum
}

impl Player<Yokai> for StandIn {
    fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { me } => {
                self.me = me;
                self.memory.clear();
                (self.looked, self.placed) = (CardSet::EMPTY, CardSet::EMPTY);
            }
            Sight::Done { seat, act: SeenAct::Looked { card, colour }, .. } if seat == self.me => {
                self.looked = self.looked.with(card);
                if let Some(colour) = colour {
                    self.remember(card, colour);
                }
            }
            Sight::Done { seat, act: SeenAct::Moved { card, .. }, .. } if seat != self.me => {
                self.placed = self.placed.with(card);
            }
            Sight::Done { .. } => {}
        }
        self.stage.follow(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        if options.contains(&Action::Stop) && self.stage.steps().none() && self.rests() {
            return Action::Stop;
        }
        match options.iter().filter_map(Action::step).min() {
            Some(Step::Look) => self.look(options),
            Some(Step::Move) => self.go(options),
            Some(Step::Hint) => self.hint(options),
            None => options[0],
        }
    }
}

impl Placed for StandIn {
    fn place(&mut self, position: &Position) {
        self.me = position.me;
        self.stage = position.stage.clone();
        self.memory.clear();
        (self.looked, self.placed) = (position.known(), CardSet::EMPTY);
        for (card, colour) in (0..).map(Card).zip(position.seen) {
            if let Some(colour) = colour {
                self.remember(card, colour);
            }
        }
    }
}

impl Reasoned for StandIn {
    /// Nobody asks a stand-in.
    fn reason(&self) -> Option<Reason> {
        None
    }
}
