//! Hands that fit the counts. Cards that a question does not tell apart are one class, so a hand is a list of numbers,
//! one for each class, and the deals are few enough to be visited all.

use super::common::Common;
use crate::cards::{Card, CardSet};
use crate::eleusis::moves::Cards;
use crate::game::Seat;
use ken_logic::stop;
use std::cell::Cell;
use std::rc::Rc;

/// How many deals are visited for a question, under each rule, before it is given up, unless more or less is asked for.
pub(super) const PATIENCE: u64 = 50_000;

/// A question that would take too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooMany;

/// For each seat how many cards of each class it holds beside those that everybody has seen; an empty list for seats that
/// hold no others, or do not matter.
pub(super) type Hands = Vec<Vec<usize>>;

/// What is called with every deal; it says whether to go on.
type Visit<'v> = &'v mut dyn FnMut(&Hands) -> Result<bool, TooMany>;

/// The ways to deal the cards that not everybody has seen.
pub(super) struct Deals {
    common: Rc<Common>,
    /// A partition of those cards.
    classes: Vec<CardSet>,
    /// How many copies each class has.
    sizes: Vec<usize>,
    visits: Rc<Cell<u64>>,
    /// How many are visited at most.
    patience: u64,
}

impl Deals {
    /// The deals, where only these sets of cards matter, of which so many are visited at most.
    pub(super) fn new(common: &Rc<Common>, sets: &[CardSet], patience: u64) -> Deals {
        let pool = (0..common.pool.len()).filter(|&c| common.pool[c] > 0).map(|c| Card(c as u8)).collect();
        let split = |classes: Vec<CardSet>, set: &CardSet| {
            let parts = classes.into_iter().flat_map(|class| [class.and(*set), class.minus(*set)]);
            parts.filter(|part| !part.is_empty()).collect()
        };
        let classes = sets.iter().fold(vec![pool], split);
        Deals::of(common.clone(), classes, Rc::default(), patience)
    }

    fn of(common: Rc<Common>, classes: Vec<CardSet>, visits: Rc<Cell<u64>>, patience: u64) -> Deals {
        let copies = |class: &CardSet| class.iter().map(|card| common.pool[card.index()]).sum();
        let sizes = classes.iter().map(copies).collect();
        Deals { common, classes, sizes, visits, patience }
    }

    /// The deals after a move, by the same classes; the visits are counted together.
    pub(super) fn after(&self, common: &Rc<Common>) -> Deals {
        Deals::of(common.clone(), self.classes.clone(), self.visits.clone(), self.patience)
    }

    /// Counts something that was looked at.
    pub(super) fn visit(&self) -> Result<(), TooMany> {
        self.visits.set(self.visits.get() + 1);
        if self.visits.get() > self.patience || stop::asked() { Err(TooMany) } else { Ok(()) }
    }

    /// The class of a card.
    pub(super) fn class(&self, card: Card) -> Option<usize> {
        self.classes.iter().position(|class| class.has(card))
    }

    /// The lowest card of a class.
    pub(super) fn first(&self, class: usize) -> Option<Card> {
        self.classes.get(class)?.iter().next()
    }

    /// How many classes there are.
    pub(super) fn count(&self) -> usize {
        self.classes.len()
    }

    /// The whole hand of a seat, from the lowest card on, where every class that it holds is one card.
    pub(super) fn hand(&self, hands: &Hands, seat: Seat) -> Vec<Card> {
        let counted = hands[seat.index()].iter().zip(&self.classes);
        let hidden =
            counted.flat_map(|(&n, class)| class.iter().take(1).flat_map(move |card| std::iter::repeat_n(card, n)));
        let mut hand: Vec<Card> = hidden.chain(self.common.shown[seat.index()].iter().copied()).collect();
        hand.sort_unstable();
        hand
    }

    /// The hidden part of this hand of a seat.
    pub(super) fn hidden(&self, seat: Seat, hand: &[Card]) -> Vec<usize> {
        if self.common.hidden[seat.index()] == 0 {
            return Vec::new();
        }
        let cards = self.common.unseen(seat, hand);
        self.classes.iter().map(|class| cards.iter().filter(|&&card| class.has(card)).count()).collect()
    }

    /// Whether the seat holds a card of the set, which must be one of those that matter.
    pub(super) fn holds(&self, hands: &Hands, seat: Seat, set: CardSet) -> bool {
        let Some(shown) = self.common.shown.get(seat.index()) else { return false };
        let mut hidden = hands[seat.index()].iter().zip(&self.classes);
        shown.iter().any(|&card| set.has(card)) || hidden.any(|(&n, class)| n > 0 && class.is_subset(set))
    }

    /// Deals to the seats in all ways, up to classes, where the others have these hands; false if a visit stopped it.
    pub(super) fn each(&self, seats: &[Seat], hands: &mut Hands, visit: Visit) -> Result<bool, TooMany> {
        let mut left = self.sizes.clone();
        for hand in hands.iter() {
            left.iter_mut().zip(hand).for_each(|(left, n)| *left -= n);
        }
        self.deal(seats, hands, &mut left, visit)
    }

    fn deal(&self, seats: &[Seat], hands: &mut Hands, left: &mut [usize], visit: Visit) -> Result<bool, TooMany> {
        let Some((&seat, rest)) = seats.split_first() else {
            self.visit()?;
            return visit(hands);
        };
        self.fill(seat, self.common.hidden[seat.index()], rest, hands, left, visit)
    }

    /// Gives the seat so many cards more, of the classes that its hand does not count yet.
    fn fill(
        &self,
        seat: Seat,
        need: usize,
        rest: &[Seat],
        hands: &mut Hands,
        left: &mut [usize],
        visit: Visit,
    ) -> Result<bool, TooMany> {
        let class = hands[seat.index()].len();
        if class == self.classes.len() {
            return self.deal(rest, hands, left, visit);
        }
        let later: usize = left[class + 1..].iter().sum();
        for n in need.saturating_sub(later)..=need.min(left[class]) {
            hands[seat.index()].push(n);
            left[class] -= n;
            let on = self.fill(seat, need - n, rest, hands, left, visit);
            left[class] += n;
            hands[seat.index()].truncate(class);
            if !on? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Hands of cards that are one of these deals, with the lowest cards of each class; a seat of which the hand is known
    /// has that, and those of seats that do not matter are counted.
    pub(super) fn cards(&self, hands: &Hands, known: (Seat, &[Card])) -> Vec<Cards> {
        let mut pool = self.common.pool.clone();
        self.common.unseen(known.0, known.1).iter().for_each(|card| pool[card.index()] -= 1);
        let mut take = |class: CardSet| {
            let card = class.iter().find(|card| pool[card.index()] > 0).expect("a card of the class is left");
            pool[card.index()] -= 1;
            card
        };
        let mut all = Vec::with_capacity(hands.len());
        for (seat, hand) in Seat::all(hands.len() as u8).zip(hands) {
            let (shown, hidden) = (&self.common.shown[seat.index()], self.common.hidden[seat.index()]);
            if seat == known.0 {
                all.push(Cards::Seen(known.1.to_vec()));
            } else if hand.is_empty() && hidden > 0 {
                all.push(Cards::Hidden(shown.len() + hidden));
            } else {
                let counted = hand.iter().zip(&self.classes);
                let dealt = counted.flat_map(|(&n, &class)| (0..n).map(move |_| class)).map(&mut take);
                let mut cards: Vec<Card> = dealt.chain(shown.iter().copied()).collect();
                cards.sort_unstable();
                all.push(Cards::Seen(cards));
            }
        }
        all
    }
}
