//! Whether some deal fits: an exact search.
//!
//! Where each card may be and how many cards each place takes is a flow problem. What a flow cannot say (a seat showed
//! one of three cards, an envelope is not this one, the claim is false) is looked at only when the flow found breaks it,
//! and then branched on.

use super::super::position::{Deal, Observed, Position};
use super::super::rules::passed;
use super::rules::Premise;
use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::{Fact, Place};
use crate::game::Seat;

const NOWHERE: u8 = u8::MAX;

/// What is asked of a deal. Cards flow to *nodes*: the seats, then for each category its place in the envelope.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    seats: usize,
    category: Vec<u8>,
    /// For each card its nodes as bits.
    may: Vec<u16>,
    /// How many cards each node has at least and at most.
    room: Vec<(u8, u8)>,
    some: Vec<(Seat, CardSet)>,
    never: Vec<CardSet>,
}

impl Problem {
    /// Nothing is known but that every card is somewhere.
    pub(super) fn anything(position: &Position) -> Problem {
        let (deck, seats) = (position.deck(), position.seats() as usize);
        let category: Vec<u8> = deck.cards().iter().map(|c| deck.category_of(c) as u8).collect();
        let hands = (1u16 << seats) - 1;
        let may = category.iter().map(|&k| hands | 1 << (seats + k as usize)).collect();
        let room = vec![(0, deck.len() as u8); seats + deck.categories()];
        Problem { seats, category, may, room, some: Vec::new(), never: Vec::new() }
    }

    /// What these premises say; endmoves are not in it, they are about knowledge.
    pub(super) fn of(position: &Position, premises: &[Premise]) -> Problem {
        let mut this = Problem::anything(position);
        for &premise in premises {
            this.take(position, premise);
        }
        this
    }

    pub(super) fn take(&mut self, position: &Position, premise: Premise) {
        let envelope = self.seats;
        let asked = |event: usize| match position.events()[event] {
            Observed::Ask { cards, answer, shown, .. } => (cards, answer, shown),
            other => unreachable!("the premise is part of a question, not of {other:?}"),
        };
        let accused = |event: usize| match position.events()[event] {
            Observed::Accuse { cards, envelope, .. } => (cards, envelope),
            other => unreachable!("the premise is part of an accusation, not of {other:?}"),
        };
        match premise {
            Premise::Hand => {
                let me = position.observer().index();
                position.deck().cards().iter().for_each(|c| self.put(c, me, position.hand().has(c)));
            }
            Premise::Pass(event, seat) => asked(event).0.iter().for_each(|c| self.put(c, seat.index(), false)),
            Premise::Show(event) => {
                let (cards, answer, _) = asked(event);
                self.some.push((answer.expect("somebody showed"), cards));
            }
            Premise::Shown(event) => {
                let (_, answer, shown) = asked(event);
                self.put(shown.expect("a card was seen"), answer.expect("somebody showed").index(), true);
            }
            Premise::Right(event) => accused(event).0.iter().for_each(|c| self.put(c, envelope, true)),
            Premise::Saw(event) => {
                accused(event).1.expect("the envelope was seen").iter().for_each(|c| self.put(c, envelope, true));
            }
            Premise::Wrong(event) => self.never.push(accused(event).0),
            Premise::Size(seat) => {
                let size = position.sizes()[seat.index()];
                self.room[seat.index()] = (size, size);
            }
            Premise::Category(category) => self.room[self.seats + category] = (1, 1),
            Premise::Ended(_) => {}
        }
    }

    fn node(&self, card: Card, place: Place) -> usize {
        if place < self.seats { place } else { self.seats + self.category[card.index()] as usize }
    }

    /// The card is at the place, or is not.
    pub(super) fn put(&mut self, card: Card, place: Place, there: bool) {
        let bit = 1 << self.node(card, place);
        self.may[card.index()] &= if there { bit } else { !bit };
    }

    /// Whether the card is at the place, if that is decided.
    pub(super) fn decided(&self, card: Card, place: Place) -> Option<bool> {
        let (may, bit) = (self.may[card.index()], 1 << self.node(card, place));
        if may & bit == 0 {
            Some(false)
        } else if may == bit {
            Some(true)
        } else {
            None
        }
    }

    /// A deal that fits and in which the claim is false; if a deal is given, one that is near it.
    pub(super) fn against(&self, claim: &Fact, near: Option<&Deal>) -> Option<Deal> {
        let atoms = claim.spots();
        let mut flow = Flow { at: vec![NOWHERE; self.may.len()], count: vec![0; self.room.len()] };
        for (place, cards) in near.iter().flat_map(|deal| deal.places.iter().enumerate()) {
            for card in cards.iter() {
                let node = self.node(card, place);
                // A deal that was found with other premises may have more cards somewhere than there is room here.
                if flow.count[node] < self.room[node].1 {
                    flow.at[card.index()] = node as u8;
                    flow.count[node] += 1;
                }
            }
        }
        let flow = search(self, flow, claim, &atoms)?;
        let mut places = vec![CardSet::EMPTY; self.seats + 1];
        for (i, &node) in flow.at.iter().enumerate() {
            let place = (node as usize).min(self.seats);
            places[place] = places[place].with(Card(i as u8));
        }
        Some(Deal { places })
    }
}

#[derive(Clone)]
struct Flow {
    at: Vec<u8>,
    count: Vec<u8>,
}

fn search(problem: &Problem, mut flow: Flow, claim: &Fact, atoms: &[(Card, Place)]) -> Option<Flow> {
    if claim.truth(&|c, p| problem.decided(c, p)) == Some(true) {
        return None;
    }
    if !flow.repair(problem) {
        return None;
    }
    let holds = |card: Card, place: Place| flow.at[card.index()] as usize == problem.node(card, place);
    if let Some(&(seat, cards)) = problem.some.iter().find(|(s, cards)| !cards.iter().any(|c| holds(c, s.index()))) {
        let mut rest = problem.clone();
        for card in cards.iter().filter(|&c| problem.decided(c, seat.index()) != Some(false)) {
            let mut next = rest.clone();
            next.put(card, seat.index(), true);
            if let Some(found) = search(&next, flow.clone(), claim, atoms) {
                return Some(found);
            }
            rest.put(card, seat.index(), false);
        }
        return None;
    }
    let envelope = problem.seats;
    if let Some(&cards) = problem.never.iter().find(|cards| cards.iter().all(|c| holds(c, envelope))) {
        let mut rest = problem.clone();
        for card in cards.iter().filter(|&c| problem.decided(c, envelope) != Some(true)) {
            let mut next = rest.clone();
            next.put(card, envelope, false);
            if let Some(found) = search(&next, flow.clone(), claim, atoms) {
                return Some(found);
            }
            rest.put(card, envelope, true);
        }
        return None;
    }
    if claim.truth(&|c, p| Some(holds(c, p))) == Some(true) {
        let &(card, place) = atoms.iter().find(|&&(c, p)| problem.decided(c, p).is_none())?;
        for there in [!holds(card, place), holds(card, place)] {
            let mut next = problem.clone();
            next.put(card, place, there);
            if let Some(found) = search(&next, flow.clone(), claim, atoms) {
                return Some(found);
            }
        }
        return None;
    }
    Some(flow)
}

impl Flow {
    /// Moves as few cards as needed until every card is where it may be and every node has its number.
    fn repair(&mut self, problem: &Problem) -> bool {
        for card in 0..self.at.len() {
            let node = self.at[card];
            if node != NOWHERE && problem.may[card] >> node & 1 == 0 {
                self.count[node as usize] -= 1;
                self.at[card] = NOWHERE;
            }
        }
        (0..self.at.len()).all(|card| self.at[card] != NOWHERE || self.place(problem, card, &mut 0))
            && (0..self.count.len()).all(|node| {
                (self.count[node]..problem.room[node].0).all(|_| self.fill(problem, node, &mut (1 << node)))
            })
    }

    /// Finds a node for the card, moving others on if need be.
    fn place(&mut self, problem: &Problem, card: usize, seen: &mut u16) -> bool {
        for node in bits(problem.may[card]) {
            if *seen >> node & 1 == 1 {
                continue;
            }
            *seen |= 1 << node;
            if self.count[node] < problem.room[node].1 {
                self.count[node] += 1;
                self.at[card] = node as u8;
                return true;
            }
            for other in 0..self.at.len() {
                if self.at[other] as usize == node && self.place(problem, other, seen) {
                    // The other card has left: the count stays.
                    self.at[card] = node as u8;
                    return true;
                }
            }
        }
        false
    }

    /// Brings one card more to the node, from one that can spare it or gets another for it.
    fn fill(&mut self, problem: &Problem, node: usize, seen: &mut u16) -> bool {
        for card in 0..self.at.len() {
            let from = self.at[card] as usize;
            if problem.may[card] >> node & 1 == 0 || *seen >> from & 1 == 1 {
                continue;
            }
            let spare = self.count[from] > problem.room[from].0;
            if spare {
                self.count[from] -= 1;
            } else {
                *seen |= 1 << from;
            }
            if spare || self.fill_in_exchange(problem, from, seen) {
                self.count[node] += 1;
                self.at[card] = node as u8;
                return true;
            }
        }
        false
    }

    fn fill_in_exchange(&mut self, problem: &Problem, node: usize, seen: &mut u16) -> bool {
        let filled = self.fill(problem, node, seen);
        if filled {
            self.count[node] -= 1;
        }
        filled
    }
}

fn bits(set: u16) -> impl Iterator<Item = usize> {
    (0..16).filter(move |i| set >> i & 1 == 1)
}

/// All premises of a position, in the order of the events, then the rules of the game. With `others`, also what others can
/// use though it tells the observer nothing new.
pub(super) fn premises(position: &Position, others: bool) -> Vec<Premise> {
    let me = position.observer();
    let mut all = vec![Premise::Hand];
    for (e, event) in position.events().iter().enumerate() {
        match *event {
            Observed::Ask { asker, answer, shown, .. } => {
                let passed = passed(asker, answer, position.seats()).filter(|&s| s != me || others);
                all.extend(passed.map(|s| Premise::Pass(e, s)));
                if let Some(by) = answer {
                    all.extend((shown.is_some() && (by != me || others)).then_some(Premise::Shown(e)));
                    all.extend((others || shown.is_none()).then_some(Premise::Show(e)));
                }
            }
            Observed::Accuse { correct: true, .. } => all.push(Premise::Right(e)),
            Observed::Accuse { envelope, .. } => {
                all.extend(envelope.map(|_| Premise::Saw(e)));
                all.extend((others || envelope.is_none()).then_some(Premise::Wrong(e)));
            }
            Observed::Endmove { .. } => all.push(Premise::Ended(e)),
        }
    }
    all.extend(Seat::all(position.seats()).filter(|&s| s != me || others).map(Premise::Size));
    all.extend((0..position.deck().categories()).map(Premise::Category));
    all
}
