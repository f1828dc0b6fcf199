//! What another seat may have seen, and how likely that is for the observer.
//!
//! A *view* of a seat is its hand and, of the questions that it asked, the card that was shown to it. Every deal that fits
//! what the observer saw counts the same, and of several cards that a responder could show each is shown equally often.
//! All views are listed with their exact chances where they are few; those that differ only by [alike](super::symmetry)
//! cards are listed once. Otherwise they are drawn. Ends of turns are left out.

use super::count::Deals;
use super::position::{Constraints, Deal, Observed, Position};
use super::symmetry::Alike;
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::Seat;
use std::collections::BTreeMap;

/// What a seat may have seen.
#[derive(Clone, Debug)]
pub struct View {
    /// What it saw.
    pub position: Position,
    /// How likely it is that the seat saw this, or something that differs from it only by alike cards.
    pub chance: f64,
}

/// Draws views, each as likely as it is.
#[derive(Clone, Debug)]
pub struct Drawer<'p> {
    position: &'p Position,
    deals: Deals,
}

impl<'p> Drawer<'p> {
    /// Draws what others may have seen of this position; nothing if no deal fits.
    pub fn new(position: &'p Position) -> Option<Drawer<'p>> {
        let deals = Deals::of(position.deck(), &Constraints::of(position));
        (deals.total() > 0).then_some(Drawer { position, deals })
    }

    /// What the seat may have seen.
    pub fn draw(&self, seat: Seat, dice: &mut Dice) -> Position {
        let deal = self.deals.sample(dice).expect("some deal fits");
        self.position.seen_by(seat, &deal, &mut |cards| {
            let pick = dice.below(cards.len());
            cards.iter().nth(pick).expect("below the number of cards")
        })
    }
}

/// Whether the seat has seen the envelope, since it accused wrongly, or since the match was decided.
pub fn saw_envelope(position: &Position, seat: Seat) -> bool {
    position.events().iter().any(|event| match *event {
        Observed::Accuse { seat: by, correct, .. } => by == seat || correct,
        Observed::Ask { .. } | Observed::Endmove { .. } => false,
    })
}

/// Every view of the seat, alike ones once, with its chance; `None` if they are more than `most`, or if the seat
/// [has seen the envelope](saw_envelope). Nothing is in the list if no deal fits.
pub fn all(position: &Position, seat: Seat, most: usize) -> Option<Vec<View>> {
    if saw_envelope(position, seat) {
        return None;
    }
    let base = Constraints::of(position);
    let deals = Deals::of(position.deck(), &base);
    let total = deals.total();
    if total == 0 {
        return Some(Vec::new());
    }
    let shows = shows(position, seat);
    let mut views = Vec::new();
    let mut left = SETS.saturating_mul(most);
    for (hand, alike) in hands(position, seat, &deals, most)? {
        let mut theirs = base.clone();
        for card in position.deck().cards().iter() {
            match hand.has(card) {
                true => theirs.only(card, seat.index()),
                false => theirs.not(card, seat.index()),
            }
        }
        let mut search = Search { position, shows: &shows, left, found: BTreeMap::new() };
        search.go(theirs, &mut Vec::new())?;
        left = search.left;
        for (shown, deals) in search.found {
            let chance = alike * deals / total as f64;
            views.push(View { position: view(position, seat, hand, &shown), chance });
        }
        if views.len() > most {
            return None;
        }
    }
    Some(views)
}

/// How many times deals are counted for each view that may be listed: for hands, and for what responders hold.
const SETS: usize = 3;

/// How many hands are looked at for each view that may be listed: some cannot be.
const HANDS: usize = 2;

/// What was shown to the seat while the observer did not see which card.
fn shows(position: &Position, seat: Seat) -> Vec<(Seat, CardSet)> {
    let last = position.events().len().wrapping_sub(1);
    let open = |(at, event): (usize, &Observed)| match *event {
        Observed::Ask { asker, cards, answer: Some(by), shown: None }
            if asker == seat && !(position.is_pending() && at == last) =>
        {
            Some((by, cards))
        }
        Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => None,
    };
    position.events().iter().enumerate().filter_map(open).collect()
}

/// The hands that the seat may have, of alike ones one, with how many are like it.
fn hands(position: &Position, seat: Seat, deals: &Deals, most: usize) -> Option<Vec<(CardSet, f64)>> {
    let counts = &deals.marginals()[seat.index()];
    let size = position.sizes()[seat.index()] as usize;
    let cards = position.deck().cards();
    let certain: CardSet = cards.iter().filter(|c| counts[c.index()] == deals.total()).collect();
    let open: CardSet = cards.iter().filter(|c| counts[c.index()] > 0).collect::<CardSet>().minus(certain);
    let mut hands = vec![(certain, 1.0)];
    let mut room: usize = open.len();
    for class in Alike::of(position).classes() {
        let class = class.and(open);
        room -= class.len();
        let mut longer = Vec::new();
        for &(hand, ways) in &hands {
            let (mut hand, mut ways) = (hand, ways);
            let mut rest: Vec<Card> = class.iter().collect();
            rest.reverse();
            for taken in 0..=class.len() {
                if hand.len() <= size && hand.len() + room >= size {
                    longer.push((hand, ways));
                }
                let Some(card) = rest.pop() else { break };
                hand = hand.with(card);
                // From n over k to n over k + 1.
                ways *= (class.len() - taken) as f64 / (taken + 1) as f64;
            }
        }
        hands = longer;
        if hands.len() > HANDS * most {
            return None;
        }
    }
    Some(hands)
}

/// Goes through what the responders of a seat may hold of what it asked for.
struct Search<'p> {
    position: &'p Position,
    shows: &'p [(Seat, CardSet)],
    left: usize,
    /// For the cards shown, the number of deals, each shared by the choices that it leaves.
    found: BTreeMap<Vec<Card>, f64>,
}

impl Search<'_> {
    /// Goes on with the next show; `None` if that takes too long.
    fn go(&mut self, mut held: Constraints, exact: &mut Vec<CardSet>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let deals = Deals::of(self.position.deck(), &held);
        if deals.total() == 0 {
            return Some(());
        }
        let Some(&(by, cards)) = self.shows.get(exact.len()) else {
            self.share(deals.total() as f64, exact);
            return Some(());
        };
        // What follows leaves fewer sets to look at.
        let counts = deals.marginals();
        for (card, may) in held.may.iter_mut().enumerate() {
            (0..counts.len()).filter(|&p| counts[p][card] == 0).for_each(|p| *may &= !(1 << p));
        }
        let here = 1u8 << by.index();
        let may: CardSet = cards.iter().filter(|c| held.may[c.index()] & here != 0).collect();
        for set in subsets(may) {
            let mut next = held.clone();
            for card in cards.iter() {
                match set.has(card) {
                    true => next.only(card, by.index()),
                    false => next.not(card, by.index()),
                }
            }
            if cards.iter().all(|c| next.may[c.index()] != 0) {
                exact.push(set);
                self.go(next, exact)?;
                exact.pop();
            }
        }
        Some(())
    }

    /// Shares deals among the choices that they leave.
    fn share(&mut self, deals: f64, exact: &[CardSet]) {
        let mut choices: Vec<Vec<Card>> = vec![Vec::new()];
        for set in exact {
            choices = choices.iter().flat_map(|c| set.iter().map(move |card| [&c[..], &[card]].concat())).collect();
        }
        let share = deals / choices.len() as f64;
        choices.into_iter().for_each(|choice| *self.found.entry(choice).or_insert(0.0) += share);
    }
}

/// The sets of at least one of the cards.
fn subsets(cards: CardSet) -> Vec<CardSet> {
    let mut all = vec![CardSet::EMPTY];
    for card in cards.iter() {
        all.extend(all.clone().into_iter().map(|set| set.with(card)));
    }
    all.remove(0);
    all
}

/// What the seat has seen with this hand, if these cards were shown to it where the observer did not see which.
fn view(position: &Position, seat: Seat, hand: CardSet, shown: &[Card]) -> Position {
    let mut places = vec![CardSet::EMPTY; position.seats() as usize + 1];
    places[seat.index()] = hand;
    let deal = Deal { places };
    let mut shown = shown.iter();
    position.seen_by(seat, &deal, &mut |may| {
        // Of its own cards any will do: its own choice of what to show tells the seat nothing. Nobody else has cards in
        // this deal, so an empty choice is one of somebody else.
        may.lowest().or_else(|| shown.next().copied()).expect("a card was shown each time")
    })
}
