//! What is assumed of a person at the other seat, and a turn of such a person played out.

use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::yokai::colour::{CARDS, Colour, Colouring, Hint};
use crate::yokai::count::bits;
use crate::yokai::layout::{Cell, Layout, Shape};
use crate::yokai::partner::PartnerModel;
use crate::yokai::rules::{Stage, TURNS};

/// What is assumed of the partner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Assumed {
    /// How many cards it remembers, each number equally likely.
    pub keeps: [usize; 4],
    /// How often in a hundred a move is not thought through.
    pub slips: usize,
    /// The chance that a mark on a card that it remembers is proper.
    pub proper: f64,
    /// The chance that a remembered card that it moves beside remembered ones joins its colour.
    pub joins: f64,
}

impl Assumed {
    /// A person of whom nothing is known: four is what people keep in mind at once, seven what they can repeat, twelve
    /// nearly everything that they see in a match.
    pub const PERSON: Assumed = Assumed { keeps: [4, 5, 7, 12], slips: 5, proper: 0.9, joins: 0.8 };

    /// What a model from earlier matches says of its partner; an unknown person if there is none.
    pub fn of(model: &PartnerModel) -> Assumed {
        let keeps = model.remembers().map_or(Assumed::PERSON.keeps, |_| [model.looks_remembered().max(1); 4]);
        if model.matches == 0 {
            return Assumed::PERSON;
        }
        let greedy = model.chance_greedy();
        let slips = (100.0 * (1.0 - greedy)) as usize;
        Assumed { keeps, slips, proper: model.chance_proper().clamp(0.05, 0.98), joins: greedy.clamp(0.05, 0.95) }
    }

    /// How many looks count where its acts are read: more than most remember.
    pub fn recalls(&self) -> usize {
        self.keeps.iter().sum::<usize>().div_ceil(self.keeps.len()) + 1
    }
}

/// What the partner's turn begins with.
pub(super) struct Before<'a> {
    pub(super) stage: &'a Stage,
    pub(super) layout: Layout,
    pub(super) marked: CardSet,
    /// The colours that marks of one colour show.
    pub(super) shown: [Option<Colour>; CARDS],
    /// The partner's looks, in order.
    pub(super) looks: &'a [Card],
    /// The cards that were put where they lie by the one who reckons.
    pub(super) placed: CardSet,
    /// Whether hints can still be activated.
    pub(super) activates: bool,
}

/// What a turn left.
pub(super) struct After {
    pub(super) layout: Layout,
    pub(super) marked: CardSet,
}

impl Before<'_> {
    /// A turn of a person, if the colours are these. The dice decide what it remembers and where it looks.
    pub(super) fn played(&self, assumed: &Assumed, colouring: &Colouring, dice: &mut Dice) -> After {
        let keeps = assumed.keeps[dice.below(assumed.keeps.len())];
        let mut known = CardSet::EMPTY;
        for &card in self.looks.iter().rev() {
            if known.len() + 2 >= keeps {
                break;
            }
            known = known.with(card);
        }
        let last = self.stage.turns() + 2 >= TURNS;
        let shape = self.layout.shape();
        if last && dice.below(2) == 0 {
            let moves = Moves::of(&shape, self.marked, &self.masks(known, colouring));
            if moves.most <= 0 {
                return After { layout: self.layout, marked: self.marked };
            }
        }
        for _ in 0..2 {
            let open: Vec<Card> = CardSet::first(CARDS).minus(self.marked).minus(known).iter().collect();
            if !open.is_empty() {
                known = known.with(*dice.pick(&open));
            }
        }
        let masks = self.masks(known, colouring);
        let moves = Moves::of(&shape, self.marked, &masks);
        let mut layout = self.layout;
        if let Some((card, to)) = moves.choose(self.placed, dice.below(100) < assumed.slips, dice) {
            layout = layout.moved(card, to);
        }
        let mut marked = self.marked;
        if !self.activates {
            let open = CardSet::first(CARDS).minus(marked);
            let own = known.minus(marked);
            let from: Vec<Card> = if own.is_empty() { open } else { own }.iter().collect();
            marked = marked.with(*dice.pick(&from));
        }
        After { layout, marked }
    }

    /// The cards of each colour that it knows, as bits.
    fn masks(&self, known: CardSet, colouring: &Colouring) -> [u16; 4] {
        let mut masks = [0; 4];
        for i in 0..CARDS {
            let card = Card(i as u8);
            let colour = if known.has(card) { Some(colouring.of(card)) } else { self.shown[i] };
            if let Some(colour) = colour {
                masks[colour.index()] |= 1 << i;
            }
        }
        masks
    }
}

/// The colours that marks of one colour show.
pub(super) fn shown(marks: &[Option<Hint>; CARDS]) -> [Option<Colour>; CARDS] {
    marks.map(|mark| mark.and_then(Hint::single))
}

/// The legal moves by how much the known groups grow: the squares of their sizes.
struct Moves {
    list: Vec<(i16, Card, Cell)>,
    most: i16,
}

impl Moves {
    fn of(shape: &Shape, marked: CardSet, masks: &[u16; 4]) -> Moves {
        let frontier = shape.frontier();
        let mut list = Vec::with_capacity(200);
        let (mut most, mut at, mut now, mut gains) = (i16::MIN, 0, None, None);
        for (card, to) in shape.moves(marked) {
            if now != Some(card) {
                (now, at) = (Some(card), 0);
                let own = masks.iter().find(|m| **m >> card.0 & 1 == 1);
                gains = own.map(|&mask| Gains::of(shape, card, mask));
            }
            while frontier[at].0 != to {
                at += 1;
            }
            let gain = gains.as_ref().map_or(0, |g| g.gain(frontier[at].1));
            most = most.max(gain);
            list.push((gain, card, to));
        }
        Moves { list, most }
    }

    /// A greedy move; where nothing is gained, one that spares the cards of the partner; anything, if it is a slip.
    fn choose(&self, placed: CardSet, slip: bool, dice: &mut Dice) -> Option<(Card, Cell)> {
        let spares = dice.below(2) == 0;
        let fits = |m: &&(i16, Card, Cell), spares: bool| {
            slip || m.0 == self.most && !(spares && self.most <= 0 && placed.has(m.1))
        };
        let mut count = self.list.iter().filter(|m| fits(m, spares)).count();
        let spares = spares && count > 0;
        if count == 0 {
            count = self.list.iter().filter(|m| fits(m, false)).count();
        }
        if count == 0 {
            return None;
        }
        let chosen = dice.below(count);
        self.list.iter().filter(|m| fits(m, spares)).nth(chosen).map(|m| (m.1, m.2))
    }
}

/// What a known card can gain.
struct Gains {
    /// The groups of its colour without it.
    groups: [u16; 8],
    count: usize,
    card: u16,
    before: i16,
}

impl Gains {
    fn of(shape: &Shape, card: Card, mask: u16) -> Gains {
        let beside = shape.neighbours();
        let mut gains = Gains { groups: [0; 8], count: 0, card: 1 << card.0, before: 0 };
        let mut rest = mask & !gains.card;
        while rest != 0 && gains.count < gains.groups.len() {
            let (mut group, mut edge) = (0u16, rest & rest.wrapping_neg());
            while edge != 0 {
                let next = edge.trailing_zeros() as usize;
                group |= 1 << next;
                edge = (edge | beside[next] & rest) & !group;
            }
            rest &= !group;
            gains.groups[gains.count] = group;
            gains.count += 1;
        }
        gains.before = gains.joined(beside[card.index()]);
        gains
    }

    /// How much lies together of its colour if it touches these cards.
    fn joined(&self, touched: u16) -> i16 {
        let (mut own, mut sum) = (1, 0);
        for &group in &self.groups[..self.count] {
            let size = group.count_ones() as i16;
            if group & touched != 0 {
                own += size;
            } else {
                sum += size * size;
            }
        }
        sum + own * own
    }

    fn gain(&self, touched: u16) -> i16 {
        self.joined(touched & !self.card) - self.before
    }
}

/// An act of the partner that tells something.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act {
    /// It moved a card that it looked at lately beside such cards (bits), away from others (bits).
    Moved { card: Card, to: u16, from: u16 },
    /// It marked a card that it looked at lately.
    Marked { card: Card, hint: Hint },
}

impl Act {
    /// How likely the act is if the colours are these, up to a factor: `joins` is the chance that a move joins its colour.
    pub(super) fn likelihood(&self, colours: &[Colour; CARDS], assumed: &Assumed, joins: f64) -> f64 {
        match *self {
            Act::Moved { card, to, from } => {
                let own = colours[card.index()];
                let same = |cards: u16| bits(cards).any(|i| colours[i as usize] == own);
                if to != 0 && same(to) {
                    joins / JOINED
                } else {
                    let left = if from != 0 && same(from) { LEFT } else { 1.0 };
                    left * if to == 0 { 1.0 } else { (1.0 - joins) / (1.0 - JOINED) }
                }
            }
            Act::Marked { card, hint } => {
                let share = hint.len() as f64 / 4.0;
                if hint.has(colours[card.index()]) {
                    assumed.proper / share
                } else {
                    (1.0 - assumed.proper) / (1.0 - share)
                }
            }
        }
    }

    /// Whether a move joined its colour, as far as these colours tell.
    pub(super) fn joined(&self, known: &[Option<Colour>; CARDS]) -> Option<bool> {
        let Act::Moved { card, to, .. } = *self else { return None };
        let own = known[card.index()]?;
        if to == 0 {
            return None;
        }
        if bits(to).any(|i| known[i as usize] == Some(own)) {
            return Some(true);
        }
        bits(to).all(|i| known[i as usize].is_some()).then_some(false)
    }
}

/// How often a card that is put anywhere touches one of its colour.
const JOINED: f64 = 0.35;
/// How likely it is to take a card away from its own colour without joining it to others, compared with other moves.
const LEFT: f64 = 0.3;
