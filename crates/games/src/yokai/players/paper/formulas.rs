//! The goals and preconditions of Appendix A as formulas.

use super::axioms::{NEXT, NOW, Words, cards};
use super::goal::{Goal, subsets};
use crate::cards::{Card, CardSet};
use crate::yokai::colour::{CARDS, Colour, Colours};
use crate::yokai::layout::connected;
use ken_logic::belief::Alpha;

/// A formula about positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    /// *nbgCards*: the cards are connected, at a time.
    Connected(CardSet, u32),
    /// *hvEN*: the card has an empty cell beside it.
    Room(Card),
    /// *hvECN*: an empty cell lies beside both cards.
    SharedRoom(CardSet),
    /// *emp*: no card lies there.
    Empty(usize),
}

impl Words {
    fn shape(&mut self, shape: Shape) -> Alpha {
        if let Some(&alpha) = self.known.get(&shape) {
            return alpha;
        }
        let alpha = match shape {
            Shape::Connected(set, time) => match set.len() {
                0 | 1 => self.store.verum(),
                2 => self.side_by_side(set, time),
                _ => self.chained(set, time),
            },
            Shape::Room(x) => {
                let mut ways = Vec::new();
                for p in 0..CARDS {
                    for q in self.beside(p).to_vec() {
                        let (pos, empty) = (self.pos(x, p, NOW), self.shape(Shape::Empty(q)));
                        ways.push(self.store.and(pos, empty));
                    }
                }
                self.store.or_all(ways)
            }
            Shape::SharedRoom(pair) => self.shared_room(pair),
            Shape::Empty(place) => {
                let none: Vec<Alpha> = cards()
                    .map(|x| {
                        let pos = self.pos(x, place, NOW);
                        self.store.not(pos)
                    })
                    .collect();
                self.store.and_all(none)
            }
        };
        self.known.insert(shape, alpha);
        alpha
    }

    /// *nbgCards* of any number of cards; at most one card is connected.
    pub(super) fn connected(&mut self, cards: CardSet, time: u32) -> Alpha {
        self.shape(Shape::Connected(cards, time))
    }

    /// *nbgCards* of two. One of the cells is in OPOS, occupied now: the next action moves one card only.
    fn side_by_side(&mut self, pair: CardSet, time: u32) -> Alpha {
        let [x, y] = both(pair);
        let mut ways = Vec::new();
        for p in 0..CARDS {
            for q in self.beside(p).to_vec() {
                let (a, b) = (self.pos(x, p, time), self.pos(y, q, time));
                ways.push(self.store.and(a, b));
                if q >= CARDS {
                    let (a, b) = (self.pos(y, p, time), self.pos(x, q, time));
                    ways.push(self.store.and(a, b));
                }
            }
        }
        self.store.or_all(ways)
    }

    /// *nbgCards* of three or more: all but one are, and that one lies beside another.
    fn chained(&mut self, set: CardSet, time: u32) -> Alpha {
        let mut ways = Vec::new();
        for x in set.iter() {
            let rest = self.connected(set.without(x), time);
            for y in set.without(x).iter() {
                let pair = self.connected(CardSet::of(x).with(y), time);
                ways.push(self.store.and(rest, pair));
            }
        }
        self.store.or_all(ways)
    }

    /// *hvECN* of two cards. As printed it does not say that the common cell is empty.
    fn shared_room(&mut self, pair: CardSet) -> Alpha {
        let [x, y] = both(pair);
        let mut ways = Vec::new();
        for q in CARDS..self.places().end {
            let near: Vec<usize> = self.beside(q).iter().copied().filter(|&p| p < CARDS).collect();
            let empty = self.shape(Shape::Empty(q));
            for &p in &near {
                for &r in near.iter().filter(|&&r| r != p) {
                    let (a, b) = (self.pos(x, p, NOW), self.pos(y, r, NOW));
                    ways.push(self.store.and_all([a, b, empty]));
                }
            }
        }
        self.store.or_all(ways)
    }

    /// *hvEN* of a set.
    fn room(&mut self, set: CardSet) -> Alpha {
        let ways: Vec<Alpha> = set.iter().map(|x| self.shape(Shape::Room(x))).collect();
        self.store.or_all(ways)
    }

    /// *hvECN* of two sets.
    fn common_room(&mut self, these: CardSet, those: CardSet) -> Alpha {
        let pairs = these.iter().flat_map(|x| those.iter().map(move |y| CardSet::of(x).with(y)));
        let ways: Vec<Alpha> = pairs.map(|pair| self.shape(Shape::SharedRoom(pair))).collect();
        self.store.or_all(ways)
    }

    fn disconnected(&mut self, set: CardSet) -> Alpha {
        let connected = self.connected(set, NOW);
        self.store.not(connected)
    }

    /// It looked at the card: ⋁c △ₘ`col(x,c)`.
    pub(super) fn looked(&mut self, x: Card, time: u32) -> Alpha {
        let saw = Colour::ALL.map(|c| self.saw(x, c, time));
        self.store.or_all(saw)
    }

    fn not_looked(&mut self, x: Card) -> Alpha {
        let not = Colour::ALL.map(|c| {
            let saw = self.saw(x, c, NOW);
            self.store.not(saw)
        });
        self.store.and_all(not)
    }

    /// It saw that the card has a colour of the hint.
    fn saw_one_of(&mut self, x: Card, hint: Colours) -> Alpha {
        let saw: Vec<Alpha> = hint.iter().map(|c| self.saw(x, c, NOW)).collect();
        self.store.or_all(saw)
    }

    /// `col(x,c) -> !apart`: if the card is of this colour, these cards are not connected.
    fn unless_connected(&mut self, x: Card, colour: Colour, set: CardSet) -> Alpha {
        let (col, apart) = (self.col(x, colour, NOW), self.disconnected(set));
        self.store.implies(col, apart)
    }

    /// P_g: what must not be excluded for the goal to be worth a plan.
    pub(super) fn precondition(&mut self, goal: &Goal) -> Alpha {
        match *goal {
            Goal::Grouped | Goal::LookAny(_) => self.store.verum(),
            Goal::LookAround(set) => self.connected(set, NOW),
            Goal::LookUnknown(x) => self.not_looked(x),
            Goal::Group(set, colour) => {
                let mut all = vec![self.disconnected(set)];
                let others: Vec<Card> = cards().filter(|&x| !set.has(x)).collect();
                let mut ways = Vec::new();
                match set.len() {
                    4 => {
                        for three in subsets(set, 3, 3) {
                            let (connected, room) = (self.connected(three, NOW), self.room(three));
                            ways.push(self.store.and(connected, room));
                        }
                        for pair in subsets(set, 2, 2) {
                            let (connected, room) =
                                (self.connected(pair, NOW), self.common_room(set.minus(pair), pair));
                            ways.push(self.store.and(connected, room));
                        }
                    }
                    3 => {
                        all.extend(others.into_iter().map(|x| self.unless_connected(x, colour, set.with(x))));
                        for pair in subsets(set, 2, 2) {
                            let (connected, room) = (self.connected(pair, NOW), self.room(pair));
                            ways.push(self.store.and(connected, room));
                            ways.push(self.shape(Shape::SharedRoom(pair)));
                        }
                    }
                    _ => {
                        for x in others {
                            all.extend(set.iter().map(|y| self.unless_connected(x, colour, CardSet::of(x).with(y))));
                        }
                        ways.push(self.room(set));
                    }
                }
                all.push(self.store.or_all(ways));
                self.store.and_all(all)
            }
            Goal::MoveAny(x) => {
                let mut ways = vec![self.not_looked(x)];
                for c in Colour::ALL {
                    let mut alone = vec![self.col(x, c, NOW)];
                    let others = cards().filter(|&y| y != x);
                    alone.extend(others.map(|y| self.unless_connected(y, c, CardSet::of(x).with(y))));
                    ways.push(self.store.and_all(alone));
                }
                self.store.or_all(ways)
            }
            Goal::MarkUnknown(x, hint) => {
                let mut all: Vec<Alpha> = Colour::ALL
                    .into_iter()
                    .map(|c| {
                        let knows = self.partner_knows(x, c);
                        self.store.not(knows)
                    })
                    .collect();
                all.push(self.saw_one_of(x, hint));
                self.store.and_all(all)
            }
            Goal::MarkAny(x, hint) => self.saw_one_of(x, hint),
        }
    }

    /// α_G: what is to be believed after the action; of [`Goal::Grouped`], now.
    pub(super) fn goal(&mut self, goal: &Goal) -> Alpha {
        match *goal {
            Goal::Grouped => self.grouped(),
            Goal::LookAround(set) => {
                let mut ways = Vec::new();
                for x in cards().filter(|&x| !set.has(x)) {
                    let all = [self.not_looked(x), self.connected(set.with(x), NOW), self.looked(x, NEXT)];
                    ways.push(self.store.and_all(all));
                }
                self.store.or_all(ways)
            }
            Goal::LookUnknown(x) | Goal::LookAny(x) => self.looked(x, NEXT),
            Goal::Group(set, _) => self.connected(set, NEXT),
            Goal::MoveAny(x) => {
                let mut ways = Vec::new();
                for p in 0..CARDS {
                    for q in CARDS..self.places().end {
                        let (here, there) = (self.pos(x, p, NOW), self.pos(x, q, NEXT));
                        ways.push(self.store.and(here, there));
                    }
                }
                self.store.or_all(ways)
            }
            Goal::MarkUnknown(x, hint) | Goal::MarkAny(x, hint) => self.mark(x, hint, NEXT),
        }
    }

    /// Every colour is connected: four cards that are connected have it. Which cards are connected is settled by the
    /// positions, and left out of the formula.
    fn grouped(&mut self) -> Alpha {
        let beside: [u16; CARDS] =
            std::array::from_fn(|p| self.beside(p).iter().filter(|&&q| q < CARDS).fold(0, |all, q| all | 1 << q));
        let fours: Vec<CardSet> =
            subsets(CardSet::first(CARDS), 4, 4).filter(|set| connected(&beside, set.0 as u16)).collect();
        let grouped = Colour::ALL.map(|c| {
            let mut ways = Vec::new();
            for set in &fours {
                let of: Vec<Alpha> = set.iter().map(|x| self.col(x, c, NOW)).collect();
                ways.push(self.store.and_all(of));
            }
            self.store.or_all(ways)
        });
        self.store.and_all(grouped)
    }
}

fn both(pair: CardSet) -> [Card; 2] {
    let x = pair.lowest().expect("two cards");
    [x, pair.without(x).lowest().expect("two cards")]
}
