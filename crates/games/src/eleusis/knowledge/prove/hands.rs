//! Who holds what, as far as it is known at some place of a proof.

use super::super::atoms::{Atom, Fact};
use super::super::rules::{Line, Premise, Rule, Step, literal};
use super::{Place, Prover};
use crate::cards::{Card, CardSet};
use crate::eleusis::table::Eleusis;
use crate::game::Seat;

/// Whether a seat holds a card.
pub(super) type Holding = (Seat, Card, bool);

/// What a value rests on.
#[derive(Default)]
pub(super) struct Uses {
    /// Lines.
    pub lines: Vec<usize>,
    /// Who holds what.
    pub hands: Vec<Holding>,
    /// Sets of cards of which the seat must hold one.
    pub wants: Vec<(Seat, CardSet)>,
}

impl Uses {
    pub(super) fn add(&mut self, other: Uses) {
        self.lines.extend(other.lines);
        self.hands.extend(other.hands);
        self.wants.extend(other.wants);
    }
}

/// What is known of a hand.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub has: CardSet,
    pub lacks: CardSet,
}

/// Why a seat is known to hold a card, or not to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Line(usize),
    Hand,
    Shown,
    Open,
    Count,
}

pub(super) fn holds((seat, card, yes): Holding) -> Fact {
    let fact = Fact::Atom(Atom::Holds(seat, card));
    if yes { fact } else { fact.negated() }
}

impl<G: Eleusis> Prover<'_, G> {
    fn source(&self, place: &Place, seat: Seat, card: Card) -> Option<(bool, Source)> {
        let said = |yes: bool| place.line(&holds((seat, card, yes)));
        if let Some((yes, line)) = [true, false].into_iter().find_map(|yes| Some((yes, said(yes)?))) {
            return Some((yes, Source::Line(line)));
        }
        let mind = self.mind;
        if seat.index() >= usize::from(mind.game.seats()) {
            return None;
        }
        if seat == mind.seat() && place.private && mind.hides(seat) {
            return Some((mind.desk.hand().contains(&card), Source::Hand));
        }
        if mind.shows(seat, card) {
            return Some((true, Source::Shown));
        }
        if !mind.hides(seat) {
            return Some((false, Source::Shown));
        }
        if mind.hidden_copies(card) == 0 {
            return Some((false, Source::Open));
        }
        if self.available(place, seat, card) == 0 {
            return Some((false, Source::Count));
        }
        // Where there are many more cards than are known to be elsewhere, no card must be in the hand.
        let known = mind.hidden_cards(mind.seat()) + usize::from(mind.game.table().decks) * place.facts.len();
        let all: usize = mind.common.pool.iter().sum();
        if all >= mind.hidden_copies(card) + known + mind.hidden_cards(seat) {
            return None;
        }
        let others = mind.deck().all().without(card);
        let count: usize = others.iter().map(|other| self.available(place, seat, other)).sum();
        (count < mind.hidden_cards(seat)).then_some((true, Source::Count))
    }

    /// Whether the seat holds the card, as far as it is known here.
    pub(super) fn hand_fact(&self, place: &Place, seat: Seat, card: Card) -> Option<bool> {
        self.source(place, seat, card).map(|(yes, _)| yes)
    }

    /// What is known of the hand here.
    pub(super) fn held(&self, place: &Place, seat: Seat) -> Held {
        if let Some((_, held)) = place.hands.borrow().iter().find(|(of, _)| *of == seat) {
            return *held;
        }
        let mut held = Held { has: CardSet::EMPTY, lacks: CardSet::EMPTY };
        for card in self.mind.deck().all().iter() {
            match self.hand_fact(place, seat, card) {
                Some(true) => held.has = held.has.with(card),
                Some(false) => held.lacks = held.lacks.with(card),
                None => {}
            }
        }
        place.hands.borrow_mut().push((seat, held));
        held
    }

    /// Whether the whole hand is before these eyes.
    pub(super) fn sees_hand(&self, place: &Place, seat: Seat) -> bool {
        !self.mind.hides(seat) || seat == self.mind.seat() && place.private
    }

    /// How many hidden copies of the card the seat may hold.
    pub(super) fn available(&self, place: &Place, seat: Seat, card: Card) -> usize {
        if place.line(&holds((seat, card, false))).is_some() {
            return 0;
        }
        let elsewhere: usize =
            self.elsewhere(place, seat, CardSet::of(card)).map(|(who, card, _)| self.copies(place, who, card)).sum();
        self.mind.hidden_copies(card).saturating_sub(elsewhere)
    }

    fn copies(&self, place: &Place, seat: Seat, card: Card) -> usize {
        if seat == self.mind.seat() && place.private { self.mind.own_copies(card) } else { 1 }
    }

    /// Who is known to hold hidden copies of these cards, beside the seat.
    pub(super) fn elsewhere(&self, place: &Place, seat: Seat, cards: CardSet) -> impl Iterator<Item = Holding> {
        let mind = self.mind;
        let others = Seat::all(mind.game.seats()).filter(move |&other| other != seat && mind.hides(other));
        let mut found = Vec::new();
        for other in others {
            let own = other == mind.seat() && place.private;
            for card in cards.iter() {
                let is = match own {
                    true => mind.own_copies(card) > 0,
                    false => !mind.shows(other, card) && place.line(&holds((other, card, true))).is_some(),
                };
                if is {
                    found.push((other, card, true));
                }
            }
        }
        found.into_iter()
    }

    /// Lines that say who holds what; all of it is known here.
    pub(super) fn hand_lines(&mut self, place: &Place, hands: &[Holding], out: &mut Vec<Line>) -> Vec<usize> {
        let mut groups: Vec<(Source, Option<Seat>, Vec<Holding>)> = Vec::new();
        for &(seat, card, yes) in hands {
            let Some((_, source)) = self.source(place, seat, card) else { continue };
            let of = (source == Source::Shown).then_some(seat);
            let group = match groups.iter_mut().find(|group| (group.0, group.1) == (source, of)) {
                Some(group) => group,
                None => {
                    groups.push((source, of, Vec::new()));
                    groups.last_mut().expect("it was pushed")
                }
            };
            if !group.2.contains(&(seat, card, yes)) {
                group.2.push((seat, card, yes));
            }
        }
        let mut lines = Vec::new();
        for (source, of, group) in groups {
            let facts: Vec<Fact> = group.iter().copied().map(holds).collect();
            lines.push(match (source, of) {
                (Source::Line(line), _) => line,
                (Source::Hand, _) => self.given(Premise::Hand, facts),
                (Source::Shown, Some(seat)) => self.given(Premise::Shown(seat), facts),
                (Source::Open | Source::Shown, _) => self.given(Premise::Open, facts),
                (Source::Count, _) => self.counted(place, &group, facts, out),
            });
        }
        lines
    }

    /// A line about cards that are elsewhere, or must be there.
    fn counted(&mut self, place: &Place, group: &[Holding], facts: Vec<Fact>, out: &mut Vec<Line>) -> usize {
        let mut basis: Vec<Holding> = Vec::new();
        let mut from: Vec<usize> = Vec::new();
        for &(seat, card, yes) in group {
            let cards = if yes { self.mind.deck().all().without(card) } else { CardSet::of(card) };
            basis.extend(self.elsewhere(place, seat, cards));
            // What the seat is said not to hold leaves less for it.
            let lacks = |fact: &Fact| matches!(literal(fact), Some((Atom::Holds(of, _), false)) if of == seat);
            from.extend(place.facts.iter().filter(|(fact, _)| yes && lacks(fact)).map(|(_, line)| *line));
        }
        from.extend(self.hand_lines(place, &basis, out));
        self.line(facts, Step::Rule(Rule::Count), from, out)
    }

    /// The lines for what a value rests on.
    pub(super) fn use_lines(&mut self, place: &Place, uses: Uses, out: &mut Vec<Line>) -> Vec<usize> {
        let Uses { mut lines, mut hands, mut wants } = uses;
        // Few cards that are enough for all.
        while let Some(&(seat, set)) = wants.first() {
            let hits = |card: &Card| wants.iter().filter(|(of, set)| *of == seat && set.has(*card)).count();
            let Some(card) = set.iter().max_by_key(hits) else { break };
            wants.retain(|(of, set)| *of != seat || !set.has(card));
            hands.push((seat, card, true));
        }
        lines.extend(self.hand_lines(place, &hands, out));
        lines
    }
}
