//! The paper's player in plain code.
//!
//! Its belief base comes down to a few sets: the colours that it saw; the cards that the partner looked at; the marks, each
//! read as rules "this card is not of that colour", one for each colour that is not on the hint; and which of these
//! rules were given up. What it implicitly believes follows from these and from there being four cards of each colour.

use super::{Beliefs, Goal};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::yokai::colour::{CARDS, Colour, Colours, Hint};
use crate::yokai::layout::{Layout, Shape};
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Stage};

/// What the player knows, in plain sets.
#[derive(Clone, Debug)]
pub struct Plain {
    me: Seat,
    stage: Stage,
    shape: Shape,
    /// △ₘcol: the colours that it saw.
    saw: [Option<Colour>; CARDS],
    /// The cards that the partner looked at.
    partner: CardSet,
    /// The rules of a card's mark that were given up: it may have these colours after all.
    doubted: [Colours; CARDS],
    /// The colours that each card may have.
    possible: [Colours; CARDS],
}

impl Default for Plain {
    fn default() -> Plain {
        let stage = Stage::start();
        let shape = stage.layout().shape();
        Plain {
            me: Seat(0),
            stage,
            shape,
            saw: [None; CARDS],
            partner: CardSet::EMPTY,
            doubted: [Colours::NONE; CARDS],
            possible: [Colours::ALL; CARDS],
        }
    }
}

impl Plain {
    /// The colours that a card may have as far as what is known of it alone tells.
    fn alone(&self, card: usize) -> Colours {
        match (self.saw[card], self.stage.marks()[card]) {
            (Some(colour), _) => Colours::of(colour),
            (None, Some(hint)) => Colours::ALL.minus(Colours::ALL.minus(hint).minus(self.doubted[card])),
            (None, None) => Colours::ALL,
        }
    }

    /// Revision: gives up every rule of a mark that is in some smallest contradiction, and works out what is possible.
    fn revise(&mut self) {
        let mut alone: [Colours; CARDS] = std::array::from_fn(|i| self.alone(i));
        if !feasible(&alone) {
            self.give_up();
            alone = std::array::from_fn(|i| self.alone(i));
        }
        for card in 0..CARDS {
            let could = |&c: &Colour| {
                let mut with = alone;
                with[card] = Colours::of(c);
                feasible(&with)
            };
            self.possible[card] = alone[card].iter().filter(could).collect();
        }
    }

    /// A rule is in some smallest contradiction iff it contradicts some set of rules that is itself consistent. Rules of
    /// a card that was seen cannot matter to other cards. There are at most fourteen rules: 2·3 + 3·2 + 2·1.
    fn give_up(&mut self) {
        let mut rules = Vec::new();
        let free = self.saw.map(|saw| saw.map_or(Colours::ALL, Colours::of));
        for (card, mark) in self.stage.marks().iter().enumerate() {
            if let (None, Some(hint)) = (self.saw[card], mark) {
                let kept = Colours::ALL.minus(*hint).minus(self.doubted[card]);
                rules.extend(kept.iter().map(|c| (card, c)));
            }
        }
        let consistent: Vec<bool> = (0..1usize << rules.len())
            .map(|set| {
                let mut colours = free;
                for (i, &(card, colour)) in rules.iter().enumerate() {
                    if set >> i & 1 == 1 {
                        colours[card] = colours[card].minus(Colours::of(colour));
                    }
                }
                feasible(&colours)
            })
            .collect();
        for (i, &(card, colour)) in rules.iter().enumerate() {
            if (0..consistent.len()).any(|set| consistent[set] && !consistent[set | 1 << i]) {
                self.doubted[card] = self.doubted[card].with(colour);
            }
        }
    }

    /// Whether it is possible that none of the cards is of this colour.
    fn may_lack(&self, cards: CardSet, colour: Colour) -> bool {
        let mut colours = self.possible;
        for card in cards.iter() {
            colours[card.index()] = colours[card.index()].minus(Colours::of(colour));
        }
        feasible(&colours)
    }

    /// Whether cards are connected: *nbgCards*.
    fn connected(&self, cards: CardSet) -> bool {
        self.shape.connected(cards.0 as u16)
    }

    /// Whether one of the cards has an empty cell beside it: *hvEN*.
    fn has_room(&self, cards: CardSet) -> bool {
        self.shape.frontier().iter().any(|&(_, near)| u64::from(near) & cards.0 != 0)
    }

    /// Whether an empty cell lies beside a card of each set: *hvECN*.
    fn share_room(&self, these: CardSet, those: CardSet) -> bool {
        let touches = |near: u16, cards: CardSet| u64::from(near) & cards.0 != 0;
        self.shape.frontier().iter().any(|&(_, near)| touches(near, these) && touches(near, those))
    }

    /// The cards beside one of these.
    fn beside(&self, cards: CardSet) -> CardSet {
        cards.iter().fold(CardSet::EMPTY, |all, x| all.or(self.shape.beside(x)))
    }

    fn may_group(&self, cards: CardSet, colour: Colour) -> bool {
        if self.connected(cards) {
            return false;
        }
        let others = CardSet::first(CARDS).minus(cards);
        let without = |card: Card| cards.without(card);
        let pairs = || super::subsets(cards, 2, 2);
        match cards.len() {
            4 => {
                cards.iter().any(|x| self.connected(without(x)) && self.has_room(without(x)))
                    || pairs().any(|pair| self.connected(pair) && self.share_room(cards.minus(pair), pair))
            }
            3 => {
                let linking = others.iter().filter(|&x| self.connected(cards.with(x))).collect();
                let share = |pair: CardSet| pair.iter().all(|x| self.share_room(CardSet::of(x), pair.without(x)));
                self.may_lack(linking, colour)
                    && pairs().any(|pair| self.connected(pair) && self.has_room(pair) || share(pair))
            }
            _ => self.may_lack(self.beside(cards).minus(cards), colour) && self.has_room(cards),
        }
    }

    /// Whether every colouring with these colours leaves each colour connected. The walk ends with the first that does
    /// not, which is nearly always the first one.
    fn every_way(&self, colours: &mut [Colours; CARDS], card: usize) -> bool {
        if card == CARDS {
            let of = |c: Colour| (0..CARDS as u8).map(Card).filter(|x| colours[x.index()].has(c)).collect();
            return Colour::ALL.into_iter().all(|c| self.connected(of(c)));
        }
        let before = colours[card];
        let fine = before.iter().all(|c| {
            colours[card] = Colours::of(c);
            !feasible(colours) || self.every_way(colours, card + 1)
        });
        colours[card] = before;
        fine
    }
}

/// Whether sixteen cards can have colours from these sets, four cards to a colour: for every set of colours, no more than
/// four times as many cards need one of them (Hall).
fn feasible(colours: &[Colours; CARDS]) -> bool {
    let mut cards = [0u8; 16];
    for set in colours {
        cards[usize::from(set.bits())] += 1;
    }
    // Sums over subsets, one colour at a time.
    for bit in [1, 2, 4, 8] {
        for set in 0..16 {
            if set & bit != 0 {
                cards[set] += cards[set ^ bit];
            }
        }
    }
    (0..16usize).all(|set| u32::from(cards[set]) <= 4 * set.count_ones())
}

impl Beliefs for Plain {
    fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { me } => *self = Plain { me, ..Plain::default() },
            Sight::Done { seat, act, .. } => {
                self.stage.follow(sight);
                match act {
                    SeenAct::Looked { card, colour: Some(colour) } => self.saw[card.index()] = Some(colour),
                    SeenAct::Looked { card, colour: None } if seat != self.me => self.partner = self.partner.with(card),
                    SeenAct::Moved { .. } => self.shape = self.stage.layout().shape(),
                    SeenAct::Looked { .. }
                    | SeenAct::Skipped
                    | SeenAct::Activated(_)
                    | SeenAct::Marked { .. }
                    | SeenAct::Stopped => {}
                }
                if matches!(act, SeenAct::Looked { colour: Some(_), .. } | SeenAct::Marked { .. }) {
                    self.revise();
                }
            }
        }
    }

    fn place(&mut self, position: &Position) {
        let Position { me, stage, seen, partner_seen, past: _ } = position.clone();
        let shape = stage.layout().shape();
        *self = Plain { me, stage, shape, saw: seen, partner: partner_seen, ..Plain::default() };
        self.revise();
    }

    fn seen(&mut self, colour: Colour) -> CardSet {
        (0..CARDS as u8).map(Card).filter(|x| self.saw[x.index()] == Some(colour)).collect()
    }

    fn known(&mut self, colour: Colour) -> CardSet {
        (0..CARDS as u8).map(Card).filter(|x| self.possible[x.index()] == Colours::of(colour)).collect()
    }

    fn marked_with(&mut self, colour: Colour) -> CardSet {
        let trusted = |x: &Card| {
            self.saw[x.index()].is_none()
                && self.stage.marks()[x.index()].is_some_and(|hint| {
                    hint.is_hint() && hint.has(colour) && self.possible[x.index()].minus(hint).is_empty()
                })
        };
        (0..CARDS as u8).map(Card).filter(trusted).collect()
    }

    fn unmarked(&mut self) -> CardSet {
        CardSet::first(CARDS).minus(self.stage.marked())
    }

    fn active(&mut self) -> Vec<Hint> {
        Colours::HINTS.into_iter().filter(|h| self.stage.active().contains(h)).collect()
    }

    fn believes_grouped(&mut self) -> bool {
        let mut colours = self.possible;
        self.every_way(&mut colours, 0)
    }

    fn attainable(&mut self, goal: &Goal) -> bool {
        match *goal {
            Goal::Grouped | Goal::LookAny(_) => true,
            Goal::LookAround(cards) => self.connected(cards),
            Goal::LookUnknown(card) => self.saw[card.index()].is_none(),
            Goal::Group(cards, colour) => self.may_group(cards, colour),
            Goal::MoveAny(card) => match self.saw[card.index()] {
                None => true,
                Some(colour) => self.may_lack(self.shape.beside(card), colour),
            },
            Goal::MarkUnknown(card, hint) => {
                !self.partner.has(card) && self.saw[card.index()].is_some_and(|c| hint.has(c))
            }
            Goal::MarkAny(card, hint) => self.saw[card.index()].is_some_and(|c| hint.has(c)),
        }
    }

    fn plans(&mut self, goal: &Goal, repertoire: &[Action]) -> Vec<Action> {
        let layout: &Layout = self.stage.layout();
        let solves = |action: &Action| match (*goal, *action) {
            (Goal::LookAround(cards), Action::Look(x)) => {
                !cards.has(x) && self.saw[x.index()].is_none() && self.connected(cards.with(x))
            }
            (Goal::LookUnknown(card) | Goal::LookAny(card), Action::Look(x)) => x == card,
            (Goal::Group(cards, _), Action::Move(x, to)) => {
                cards.has(x) && layout.moved(x, to).shape().connected(cards.0 as u16)
            }
            (Goal::MoveAny(card), Action::Move(x, _)) => x == card,
            (Goal::MarkUnknown(card, hint) | Goal::MarkAny(card, hint), Action::Mark(x, h)) => {
                (x, h) == (card, hint) && self.possible[x.index()].single().is_some_and(|c| h.has(c))
            }
            _ => false,
        };
        repertoire.iter().copied().filter(solves).collect()
    }
}
