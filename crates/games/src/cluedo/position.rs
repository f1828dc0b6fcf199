//! What one seat has seen: its hand and a list of observations.
//!
//! A position is the fold of a seat's sights, and what `ken cluedo` reads from a file. It is *what was seen*, not whose
//! turn it was: hands, cards and answers are checked, the order of turns is not.

use super::deck::Deck;
use super::rules::{Endmove, Sight, passed};
use crate::cards::{Card, CardSet};
use crate::game::{Illegal, Seat};
use std::sync::Arc;

/// One observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observed {
    /// A suggestion with its answer: every seat from the asker's next to the one before `answer` passed; with no answer,
    /// all others did.
    Ask {
        /// Who asked.
        asker: Seat,
        /// For what: one card of each category.
        cards: CardSet,
        /// Who showed a card.
        answer: Option<Seat>,
        /// Which card, if the observer asked or showed (and, in a match, has already seen it).
        shown: Option<Card>,
    },
    /// An accusation.
    Accuse {
        /// Who accused.
        seat: Seat,
        /// What was said.
        cards: CardSet,
        /// Whether it was right.
        correct: bool,
        /// What the observer saw in the envelope, if it was the observer who accused wrongly.
        envelope: Option<CardSet>,
    },
    /// The seat announced that it did not know the envelope.
    Endmove {
        /// Who.
        seat: Seat,
    },
}

/// What one seat has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    deck: Arc<Deck>,
    sizes: Vec<u8>,
    observer: Seat,
    hand: CardSet,
    events: Vec<Observed>,
    /// The last event is a question whose card has not been shown yet, to anybody.
    pending: bool,
}

impl Position {
    /// The position after the deal.
    pub fn new(deck: Arc<Deck>, sizes: Vec<u8>, observer: Seat, hand: CardSet) -> Result<Position, Illegal> {
        if !super::rules::PLAYERS.contains(&(sizes.len() as u8)) || sizes.len() > 255 {
            return Err(Illegal::new(format!("2 to 6 can play, not {}", sizes.len())));
        }
        let dealt: usize = sizes.iter().map(|&n| n as usize).sum();
        if dealt + deck.categories() != deck.len() {
            return Err(Illegal::new(format!(
                "the hands have {dealt} cards, but {} of the {} cards are dealt",
                deck.len() - deck.categories(),
                deck.len()
            )));
        }
        let Some(&size) = sizes.get(observer.index()) else {
            return Err(Illegal::new(format!("there is no seat {observer} among {}", sizes.len())));
        };
        if !hand.is_subset(deck.cards()) || hand.len() != size as usize {
            return Err(Illegal::new(format!("the hand has {} cards, but seat {observer} holds {size}", hand.len())));
        }
        Ok(Position { deck, sizes, observer, hand, events: Vec::new(), pending: false })
    }

    /// The deck.
    pub fn deck(&self) -> &Arc<Deck> {
        &self.deck
    }

    /// How many play.
    pub fn seats(&self) -> u8 {
        self.sizes.len() as u8
    }

    /// How many cards each seat holds.
    pub fn sizes(&self) -> &[u8] {
        &self.sizes
    }

    /// Whose eyes these are.
    pub fn observer(&self) -> Seat {
        self.observer
    }

    /// The observer's hand.
    pub fn hand(&self) -> CardSet {
        self.hand
    }

    /// What was seen, in order.
    pub fn events(&self) -> &[Observed] {
        &self.events
    }

    /// Whether the last event is a question whose card has not been shown yet: the one who holds it has still to choose.
    pub fn is_pending(&self) -> bool {
        self.pending
    }

    /// Says that the card of the last question has not been shown yet.
    ///
    /// # Errors
    /// The last event is no question that somebody answers, or its card was seen.
    pub fn not_shown_yet(&mut self) -> Result<(), Illegal> {
        match self.events.last() {
            Some(Observed::Ask { answer: Some(_), shown: None, .. }) => {
                self.pending = true;
                Ok(())
            }
            _ => Err(Illegal::new("only the card of the last question can be still to be shown")),
        }
    }

    /// Whether somebody announced not to know the envelope.
    pub fn has_endmoves(&self) -> bool {
        self.events.iter().any(|e| matches!(e, Observed::Endmove { .. }))
    }

    /// The position as it was after the first `n` events.
    #[must_use]
    pub fn at(&self, n: usize) -> Position {
        let pending = self.pending && n >= self.events.len();
        Position { events: self.events[..n.min(self.events.len())].to_vec(), pending, ..self.clone() }
    }

    /// The position with these events instead: for explanations that leave some out.
    #[must_use]
    pub fn with_events(&self, events: Vec<Observed>) -> Position {
        let pending = self.pending && events.last() == self.events.last();
        Position { events, pending, ..self.clone() }
    }

    /// What `seat` saw of the same events if `deal` is the true one. Where the observer did not see which card was shown,
    /// `shown` picks one of those that may have been.
    #[must_use]
    pub fn seen_by(&self, seat: Seat, deal: &Deal, shown: &mut dyn FnMut(CardSet) -> Card) -> Position {
        let last = self.events.len().wrapping_sub(1);
        let mut see = |(at, event): (usize, &Observed)| match *event {
            Observed::Ask { asker, cards, answer, shown: seen } => {
                let card = answer
                    .filter(|&by| (seat == by || seat == asker) && !(self.pending && at == last))
                    .map(|by| seen.unwrap_or_else(|| shown(cards.and(deal.hand(by)))));
                Observed::Ask { asker, cards, answer, shown: card }
            }
            Observed::Accuse { seat: accuser, cards, correct, .. } => {
                let envelope = (accuser == seat && !correct).then_some(deal.envelope());
                Observed::Accuse { seat: accuser, cards, correct, envelope }
            }
            Observed::Endmove { seat } => Observed::Endmove { seat },
        };
        let events = self.events.iter().enumerate().map(&mut see).collect();
        Position { observer: seat, hand: deal.hand(seat), events, ..self.clone() }
    }

    /// Adds an observation. It must make sense by itself; whether it fits the others is another question.
    pub fn push(&mut self, event: Observed) -> Result<(), Illegal> {
        if let Some(Observed::Accuse { correct: true, .. }) = self.events.last() {
            return Err(Illegal::new("a right accusation ends the match: nothing can follow it"));
        }
        let known = |seat: Seat| match self.sizes.get(seat.index()) {
            Some(_) => Ok(()),
            None => Err(Illegal::new(format!("there is no seat {seat} among {}", self.sizes.len()))),
        };
        let triple = |cards: CardSet| match self.deck.is_triple(cards) {
            true => Ok(()),
            false => Err(Illegal::new("one card of each category is needed")),
        };
        let name = |card: Card| self.deck.name(card);
        match event {
            Observed::Ask { asker, cards, answer, shown } => {
                known(asker)?;
                triple(cards)?;
                if let Some(by) = answer {
                    known(by)?;
                    if by == asker {
                        return Err(Illegal::new(format!("seat {asker} cannot answer its own question")));
                    }
                }
                let me = self.observer;
                if me != asker && passed(asker, answer, self.seats()).any(|s| s == me) && !self.hand.is_disjoint(cards)
                {
                    let held = self.deck.names(self.hand.and(cards));
                    return Err(Illegal::new(format!("seat {me}, the observer, passed but holds {held}")));
                }
                match (answer, shown) {
                    (Some(by), Some(card)) => {
                        if by != me && asker != me {
                            return Err(Illegal::new(format!("seat {me} cannot have seen which card was shown")));
                        }
                        if !cards.has(card) {
                            return Err(Illegal::new(format!("`{}` was shown but not asked for", name(card))));
                        }
                        if by == me && !self.hand.has(card) {
                            return Err(Illegal::new(format!(
                                "seat {me} showed `{}` but does not hold it",
                                name(card)
                            )));
                        }
                    }
                    (None, Some(card)) => {
                        return Err(Illegal::new(format!("`{}` was shown, but by nobody", name(card))));
                    }
                    (Some(by), None) => {
                        if by == me && self.hand.is_disjoint(cards) {
                            return Err(Illegal::new(format!("seat {me} showed a card but holds none of these")));
                        }
                    }
                    (None, None) => {}
                }
            }
            Observed::Accuse { seat, cards, correct, envelope } => {
                known(seat)?;
                triple(cards)?;
                if let Some(seen) = envelope {
                    triple(seen)?;
                    if seat != self.observer {
                        return Err(Illegal::new(format!("seat {} cannot have seen the envelope", self.observer)));
                    }
                    if correct != (seen == cards) {
                        return Err(Illegal::new("the envelope seen and the accusation do not fit"));
                    }
                } else if seat == self.observer && !correct {
                    return Err(Illegal::new(format!(
                        "seat {seat}, the observer, accused wrongly and saw the envelope"
                    )));
                }
            }
            Observed::Endmove { seat } => known(seat)?,
        }
        // What the observer itself showed or was shown it has seen, unless that is still to come.
        self.pending = matches!(event, Observed::Ask { asker, answer: Some(by), shown: None, .. }
            if by == self.observer || asker == self.observer);
        self.events.push(event);
        Ok(())
    }

    /// The position at the beginning of a match.
    ///
    /// # Panics
    /// If the sight is not that of a deal.
    pub fn dealt(deck: &Arc<Deck>, sight: &Sight) -> Position {
        match sight {
            Sight::Dealt { seat, hand, sizes } => {
                let hand = hand.iter().copied().collect();
                Position::new(deck.clone(), sizes.clone(), *seat, hand).expect("a match deals real hands")
            }
            other => panic!("a memory begins with the deal, not with {other:?}"),
        }
    }

    /// Takes in a later sight of a match; the end of a turn is an observation only where the convention says so.
    ///
    /// # Panics
    /// If the sight cannot follow: matches make sights that do.
    pub fn learn(&mut self, sight: &Sight, endmove: Endmove) {
        let event = match *sight {
            Sight::Dealt { .. } => panic!("cards are dealt once"),
            Sight::Asked { asker, cards, answer } => Observed::Ask { asker, cards, answer, shown: None },
            Sight::Shown { card, .. } => {
                match self.events.last_mut() {
                    Some(Observed::Ask { shown, .. }) => *shown = card,
                    other => panic!("a card is shown after a question, not after {other:?}"),
                }
                self.pending = false;
                return;
            }
            Sight::Accused { seat, cards, correct, envelope } => {
                let envelope = envelope.filter(|_| seat == self.observer && !correct);
                Observed::Accuse { seat, cards, correct, envelope }
            }
            Sight::Ended { seat } => match endmove {
                Endmove::Silent => return,
                Endmove::Ignorance => Observed::Endmove { seat },
            },
        };
        self.push(event).expect("a match makes observations that fit");
        self.pending = matches!(event, Observed::Ask { answer: Some(_), .. });
    }

    /// The position of a seat whose memory this is.
    ///
    /// # Panics
    /// If the memory is not one of a match.
    pub fn of_memory(deck: &Arc<Deck>, endmove: Endmove, memory: &[Sight]) -> Position {
        let mut position = Position::dealt(deck, &memory[0]);
        for sight in &memory[1..] {
            position.learn(sight, endmove);
        }
        position
    }
}

/// Where every card is: a hand for each seat, and last the envelope.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Deal {
    /// A set of cards for each seat, then the envelope.
    pub places: Vec<CardSet>,
}

impl Deal {
    /// What lies in the envelope.
    pub fn envelope(&self) -> CardSet {
        self.places[self.places.len() - 1]
    }

    /// The hand of a seat.
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.places[seat.index()]
    }

    /// Where a card is: the index of a seat, or the number of seats for the envelope.
    pub fn place(&self, card: Card) -> usize {
        self.places.iter().position(|p| p.has(card)).expect("every card is somewhere")
    }
}

/// A way things can be: where every card is, and which card was shown each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    /// Where every card is.
    pub deal: Deal,
    /// The index of an event and the card shown in it: for each answered question, or for none where it does not matter.
    pub shown: Vec<(usize, Card)>,
}

/// What a position says about deals, with the choice of shown cards left out: where each card may be, of which cards a
/// seat holds at least one, and what the envelope is not. Endmoves are not in it: they are about knowledge, not deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraints {
    /// How many cards each place has: the seats, then the envelope.
    pub sizes: Vec<u8>,
    /// For each card the places where it may be, as bits: seat `s` is bit `s`, the envelope is the bit after the seats.
    pub may: Vec<u8>,
    /// The seat holds at least one of the cards.
    pub some: Vec<(Seat, CardSet)>,
    /// Envelopes that were announced to be wrong.
    pub never: Vec<CardSet>,
}

impl Constraints {
    /// What the position says.
    pub fn of(position: &Position) -> Constraints {
        let seats = position.seats();
        let envelope = seats as usize;
        let deck = position.deck();
        let mut sizes = position.sizes().to_vec();
        sizes.push(deck.categories() as u8);
        let anywhere = ((1u16 << (seats + 1)) - 1) as u8;
        let mut this = Constraints { sizes, may: vec![anywhere; deck.len()], some: Vec::new(), never: Vec::new() };
        for card in deck.cards().iter() {
            match position.hand().has(card) {
                true => this.only(card, position.observer().index()),
                false => this.not(card, position.observer().index()),
            }
        }
        for event in position.events() {
            match *event {
                Observed::Ask { asker, cards, answer, shown } => {
                    for seat in passed(asker, answer, seats) {
                        cards.iter().for_each(|c| this.not(c, seat.index()));
                    }
                    match (answer, shown) {
                        (Some(by), Some(card)) => this.only(card, by.index()),
                        (Some(by), None) => this.some.push((by, cards)),
                        (None, _) => {}
                    }
                }
                Observed::Accuse { cards, correct, envelope: seen, .. } => match (correct, seen) {
                    (true, _) => cards.iter().for_each(|c| this.only(c, envelope)),
                    (false, Some(seen)) => seen.iter().for_each(|c| this.only(c, envelope)),
                    (false, None) => this.never.push(cards),
                },
                Observed::Endmove { .. } => {}
            }
        }
        this
    }

    /// The card is at this place, if it may be.
    pub fn only(&mut self, card: Card, place: usize) {
        self.may[card.index()] &= 1 << place;
    }

    /// The card is not at this place.
    pub fn not(&mut self, card: Card, place: usize) {
        self.may[card.index()] &= !(1 << place);
    }

    /// Whether the deal is one of those described.
    pub fn admits(&self, deal: &Deal) -> bool {
        deal.places.iter().zip(&self.sizes).all(|(p, &n)| p.len() == n as usize)
            && deal.places.iter().enumerate().all(|(i, p)| p.iter().all(|c| self.may[c.index()] >> i & 1 == 1))
            && self.some.iter().all(|&(s, cards)| !deal.hand(s).is_disjoint(cards))
            && !self.never.contains(&deal.envelope())
    }
}
