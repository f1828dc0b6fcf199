//! What a player writes down: the table, its own looks, and what its partner's actions may tell.

use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::yokai::colour::{CARDS, Colour, Colours, Hint};
use crate::yokai::count::Evidence;
use crate::yokai::position::Position;
use crate::yokai::rules::{SeenAct, Sight, Stage};

/// A mark and what could have been used instead.
#[derive(Clone, Debug)]
pub struct Mark {
    pub card: Card,
    pub hint: Hint,
    /// The smaller hints that were active too.
    pub smaller: Vec<Hint>,
}

/// A move of a card that its mover had looked at, beside others that it had looked at.
#[derive(Clone, Debug)]
pub struct Join {
    pub seat: Seat,
    pub card: Card,
    /// The cards that its mover had looked at and that it came to touch, as bits.
    pub touched: u16,
}

/// How the actions of players are read beyond what they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// A card does not have the colours of a smaller hint that was active when it was marked.
    pub smallest: bool,
    /// A moved card that its mover saw has the colour of a seen card that it comes to touch.
    pub joins: bool,
}

/// What a player wrote down.
#[derive(Clone, Debug)]
pub struct Notes {
    pub me: Seat,
    pub stage: Stage,
    pub seen: [Option<Colour>; CARDS],
    looked: [CardSet; 2],
    marks: Vec<Mark>,
    joins: Vec<Join>,
}

impl Notes {
    pub fn new() -> Notes {
        Notes::placed(&Position::start(Seat(0)))
    }

    /// The notes of one who comes in the middle of a match.
    pub fn placed(position: &Position) -> Notes {
        let Position { me, stage, seen, partner_seen } = position;
        let known = position.known();
        let looked = if me.0 == 0 { [known, *partner_seen] } else { [*partner_seen, known] };
        let marks = stage.marks().iter().enumerate().filter_map(|(i, mark)| {
            let hint = (*mark)?;
            Some(Mark { card: Card(i as u8), hint, smaller: Vec::new() })
        });
        Notes { me: *me, marks: marks.collect(), stage: stage.clone(), seen: *seen, looked, joins: Vec::new() }
    }

    /// Takes in a sight.
    pub fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { me } => *self = Notes { me, ..Notes::new() },
            Sight::Done { seat, act, .. } => match act {
                SeenAct::Looked { card, colour } => {
                    self.looked[seat.index()] = self.looked[seat.index()].with(card);
                    if seat == self.me {
                        self.seen[card.index()] = colour;
                    }
                }
                SeenAct::Moved { card, to } => {
                    let touched = self.touched(seat, card, to);
                    if touched != 0 {
                        self.joins.push(Join { seat, card, touched });
                    }
                }
                SeenAct::Marked { card, hint } => {
                    let smaller = self.smaller(hint);
                    self.marks.push(Mark { card, hint, smaller });
                }
                SeenAct::Activated(_) | SeenAct::Skipped | SeenAct::Stopped => {}
            },
        }
        self.stage.follow(sight);
    }

    /// The active hints with fewer colours than this.
    pub fn smaller(&self, hint: Hint) -> Vec<Hint> {
        self.stage.active().iter().copied().filter(|h| h.len() < hint.len()).collect()
    }

    /// The cards that a seat looked at.
    pub fn looked(&self, seat: Seat) -> CardSet {
        self.looked[seat.index()]
    }

    /// The cards whose colour a seat is publicly known to know: those that it looked at, those that a hint of one colour
    /// marks, and those that were joined to one of them.
    pub fn known(&self, seat: Seat) -> CardSet {
        let mut known = self.looked(seat);
        for mark in &self.marks {
            if mark.hint.len() == 1 {
                known = known.with(mark.card);
            }
        }
        loop {
            let before = known;
            for join in self.joins.iter().filter(|j| j.touched.is_power_of_two()) {
                let other = Card(join.touched.trailing_zeros() as u8);
                if known.has(join.card) || known.has(other) {
                    known = known.with(join.card).with(other);
                }
            }
            if known == before {
                return known;
            }
        }
    }

    /// The known cards that a known card would touch on this cell, as bits: what the convention speaks of.
    pub fn touched(&self, seat: Seat, card: Card, to: crate::yokai::layout::Cell) -> u16 {
        let looked = self.known(seat);
        if !looked.has(card) {
            return 0;
        }
        let beside = to.beside();
        let near = (0..CARDS as u8).map(Card).filter(|&c| c != card && beside.contains(&self.stage.layout().cell(c)));
        near.filter(|&c| looked.has(c)).fold(0, |all, c| all | 1 << c.0)
    }

    /// What follows for one who saw these colours: looks first, then the marks and the joins one after the other, as long
    /// as they do not contradict what is there. What is given up is told.
    pub fn belief(&self, seen: &[Option<Colour>; CARDS], reading: Reading) -> Belief {
        let mut belief = Belief { evidence: Evidence::none(), given_up: Vec::new() };
        for (i, colour) in seen.iter().enumerate() {
            if let Some(colour) = *colour {
                belief.evidence.is(Card(i as u8), colour);
            }
        }
        for mark in &self.marks {
            belief.suppose(|e| e.among(mark.card, mark.hint), || format!("the hint {} on {}", mark.hint, mark.card.0 + 1));
            if reading.smallest {
                for hint in &mark.smaller {
                    belief.suppose(
                        |e| e.among(mark.card, Colours::ALL.minus(*hint)),
                        || format!("that {} would have been put on {}", hint, mark.card.0 + 1),
                    );
                }
            }
        }
        if reading.joins {
            for join in &self.joins {
                belief.suppose(
                    |e| e.joins(join.card, join.touched),
                    || format!("that {} was moved to a card of its colour", join.card.0 + 1),
                );
            }
        }
        belief
    }

    /// What I believe.
    pub fn mine(&self, reading: Reading) -> Belief {
        self.belief(&self.seen, reading)
    }

    /// Who moved cards beside seen ones, and what came of it.
    pub fn joins(&self) -> &[Join] {
        &self.joins
    }
}

/// Evidence with what had to be given up.
#[derive(Clone, Debug)]
pub struct Belief {
    pub evidence: Evidence,
    pub given_up: Vec<String>,
}

impl Belief {
    /// Adds a hypothesis unless nothing would be possible with it.
    fn suppose(&mut self, add: impl Fn(&mut Evidence), words: impl Fn() -> String) {
        let mut with = self.evidence.clone();
        add(&mut with);
        if with.count() > 0 {
            self.evidence = with;
        } else {
            self.given_up.push(words());
        }
    }
}
