//! The premises and rules of proofs about Cluedo, and what they say: the checker's side. Nothing here is used by the
//! search to find out what follows.

use super::super::position::{Observed, Position};
use super::super::rules::passed;
use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::{Atom, Fact, Place};
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{self, Access, NOW, Rules};

/// Something that the position says or the rules of the game say. Events count from 0 here and from 1 in words.
///
/// That every card is at exactly one place is no premise: it is what a deal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Premise {
    /// The observer holds exactly its hand.
    Hand,
    /// In this event the seat passed: it holds none of the cards asked for.
    Pass(usize, Seat),
    /// In this event a seat showed one of the cards asked for: everybody saw that, but not which.
    Show(usize),
    /// In this event the observer saw which card was shown.
    Shown(usize),
    /// This accusation was right.
    Right(usize),
    /// This accusation was wrong.
    Wrong(usize),
    /// The observer accused wrongly and saw the envelope.
    Saw(usize),
    /// The seat ended its turn without accusing: it did not know the envelope.
    Ended(usize),
    /// The seat holds as many cards as the position says.
    Size(Seat),
    /// One card of the category lies in the envelope.
    Category(usize),
}

impl Premise {
    /// The event it is part of.
    pub fn event(self) -> Option<usize> {
        match self {
            Premise::Pass(e, _) => Some(e),
            Premise::Show(e) | Premise::Shown(e) | Premise::Ended(e) => Some(e),
            Premise::Right(e) | Premise::Wrong(e) | Premise::Saw(e) => Some(e),
            Premise::Hand | Premise::Size(_) | Premise::Category(_) => None,
        }
    }

    /// Whether everybody has it.
    pub fn is_public(self) -> bool {
        match self {
            Premise::Hand | Premise::Shown(_) | Premise::Saw(_) => false,
            Premise::Pass(..)
            | Premise::Show(_)
            | Premise::Right(_)
            | Premise::Wrong(_)
            | Premise::Ended(_)
            | Premise::Size(_)
            | Premise::Category(_) => true,
        }
    }
}

/// How facts follow from others; why there are no other cases; and what may be changed without being seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A card is at one place only.
    OnePlace,
    /// A card is somewhere: at the last place left.
    LastPlace,
    /// The card is at one of the places: a distinction.
    Somewhere(Card),
    /// The hand is full: of cards that the seat holds, and of one card for each of these shows, which have no card in
    /// common.
    Full(Seat, Vec<usize>),
    /// The seat needs all the cards that it can still hold.
    NeedsAll(Seat),
    /// The card of this category in the envelope is known, so no other is.
    Taken(usize),
    /// Only one card of the category can be in the envelope; as a distinction, one of them is.
    OnlyOne(usize),
    /// Only one of the cards asked for can have been shown in this event; as a distinction, one of them is held.
    OneLeft(usize),
    /// The card shown in this event is one that the seat holds, or the only one that it can have been; as a distinction,
    /// one of them was shown.
    Showed(usize),
    /// The accusation was wrong, so the rest of it cannot be in the envelope.
    Wrong(usize),
    /// These places (seats, and the envelope for some categories) have room for as many cards as these, which can be
    /// nowhere else: no other card is there.
    Fill(Group, CardSet),
    /// These places need as many cards as these, and no other card can be there: these cards are nowhere else.
    Need(Group, CardSet),
    /// A fact and its opposite.
    Clash,
    /// The seat knows of a card of each category that it is in the envelope.
    Solved(Seat),
    /// The seat accused wrongly in this event and saw the envelope.
    SawIt(usize),
    /// The turn ended in the first event though its seat had seen the envelope in the second.
    EndedAfter(usize, usize),
    /// The two cards, exchanged.
    Swap(Card, Card),
}

/// Some seats, and the envelope for some categories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Seats as bits.
    pub seats: u8,
    /// Categories as bits.
    pub categories: u8,
}

/// A proof about a position.
pub type Proof = proof::Proof<Atom, Premise, Rule>;

/// A line of such a proof.
pub type Line = proof::Line<Atom, Premise, Rule>;

/// A step of such a proof.
pub type Step = proof::Step<Atom, Premise, Rule>;

type Led = Result<Vec<Premise>, String>;

fn ensure(holds: bool, premises: Vec<Premise>, message: &str) -> Led {
    if holds { Ok(premises) } else { Err(message.to_string()) }
}

impl Rules for Position {
    type Premise = Premise;
    type Rule = Rule;

    fn observer(&self) -> Seat {
        Position::observer(self)
    }

    fn access(&self, premise: &Premise) -> Option<Access> {
        let event = match premise.event() {
            Some(event) => Some(*self.events().get(event)?),
            None => None,
        };
        let me = Position::observer(self);
        let there = match (*premise, event) {
            (Premise::Hand, _) => true,
            (Premise::Size(seat), _) => seat.0 < Position::seats(self),
            (Premise::Category(category), _) => category < self.deck().categories(),
            (Premise::Pass(_, seat), Some(Observed::Ask { asker, answer, .. })) => {
                passed(asker, answer, Position::seats(self)).any(|s| s == seat)
            }
            (Premise::Show(_), Some(Observed::Ask { answer, .. })) => answer.is_some(),
            (Premise::Shown(_), Some(Observed::Ask { answer, shown, .. })) => answer.is_some() && shown.is_some(),
            (Premise::Right(_), Some(Observed::Accuse { correct, .. })) => correct,
            (Premise::Wrong(_), Some(Observed::Accuse { correct, .. })) => !correct,
            (Premise::Saw(_), Some(Observed::Accuse { seat, envelope, .. })) => seat == me && envelope.is_some(),
            (Premise::Ended(_), Some(Observed::Endmove { .. })) => true,
            (_, _) => false,
        };
        there.then_some(Access { public: premise.is_public(), event: premise.event() })
    }

    fn says(&self, premise: &Premise, fact: &Fact) -> bool {
        let event = premise.event().and_then(|e| self.events().get(e)).copied();
        let Some((atom, yes)) = literal(fact) else { return false };
        let envelope = usize::from(Position::seats(self));
        match (*premise, event, atom) {
            (Premise::Hand, None, Atom::At(card, place)) => {
                place == Position::observer(self).index()
                    && self.deck().cards().has(card)
                    && self.hand().has(card) == yes
            }
            (Premise::Pass(_, seat), Some(Observed::Ask { cards, .. }), Atom::At(card, place)) => {
                !yes && place == seat.index() && cards.has(card)
            }
            (Premise::Shown(_), Some(Observed::Ask { answer, shown, .. }), Atom::At(card, place)) => {
                yes && shown == Some(card) && answer.is_some_and(|by| by.index() == place)
            }
            (Premise::Shown(e), Some(Observed::Ask { shown, .. }), Atom::Shown(event, card)) => {
                yes && e == event && shown == Some(card)
            }
            (Premise::Right(_), Some(Observed::Accuse { cards, .. }), Atom::At(card, place)) => {
                yes && place == envelope && cards.has(card)
            }
            (Premise::Saw(_), Some(Observed::Accuse { envelope: seen, .. }), Atom::At(card, place)) => {
                yes && place == envelope && seen.is_some_and(|seen| seen.has(card))
            }
            (_, _, _) => false,
        }
    }

    fn leads(&self, rule: &Rule, from: &[Fact], to: &Fact) -> Led {
        Have { position: self, facts: from }.leads(rule, to)
    }

    fn sees(&self, seat: Seat, atom: &Atom, before: usize) -> bool {
        match *atom {
            Atom::At(_, place) if place == usize::from(Position::seats(self)) => self
                .events()
                .iter()
                .take(before)
                .any(|event| matches!(event, Observed::Accuse { seat: by, correct: false, .. } if *by == seat)),
            Atom::At(_, place) => place == seat.index(),
            Atom::Shown(event, _) => {
                let pending = self.is_pending() && event + 1 == self.events().len();
                event < before
                    && !pending
                    && matches!(self.events().get(event), Some(&Observed::Ask { asker, answer: Some(by), .. })
                        if [asker, by].contains(&seat))
            }
            Atom::Solved(of) => of == seat && before == NOW,
        }
    }

    fn sees_by(&self, seat: Seat, atom: &Atom, before: usize) -> Vec<Premise> {
        match *atom {
            Atom::At(_, place) if place == usize::from(Position::seats(self)) => {
                let wrong =
                    |e: &Observed| matches!(e, Observed::Accuse { seat: by, correct: false, .. } if *by == seat);
                self.events().iter().take(before).position(wrong).map(Premise::Wrong).into_iter().collect()
            }
            // Which card it was, the two see by the question that the atom names.
            Atom::At(..) | Atom::Shown(..) | Atom::Solved(_) => Vec::new(),
        }
    }

    fn denies(&self, premise: &Premise, fact: &Fact) -> Option<(Seat, usize)> {
        let (&Premise::Ended(event), Fact::All(parts)) = (premise, fact) else { return None };
        let Some(&Observed::Endmove { seat }) = self.events().get(event) else { return None };
        let envelope = usize::from(Position::seats(self));
        let card = |part: &Fact| match literal(part) {
            Some((Atom::At(card, place), true)) if place == envelope => Some(card),
            _ => None,
        };
        let cards: Option<CardSet> = parts.iter().map(card).collect();
        cards.filter(|&cards| self.deck().is_triple(cards)).map(|_| (seat, event))
    }

    fn changes(&self, change: &Rule, seats: Seats, from: &[Fact], to: &[Fact]) -> Result<(), String> {
        let &Rule::Swap(a, b) = change else { return Err("that is no change".to_string()) };
        let have = Have { position: self, facts: from };
        have.exchange(a, b, seats)?;
        let other = |card: Card| match card {
            card if card == a => b,
            card if card == b => a,
            card => card,
        };
        let holds = |fact: &Fact| match literal(fact) {
            Some((Atom::At(card, place), true)) => have.at(other(card), place),
            Some((Atom::At(card, place), false)) => have.not(other(card), place),
            _ => false,
        };
        ensure(to.iter().all(holds), Vec::new(), "that need not hold after the change").map(|_| ())
    }
}

/// The atom that a fact says or denies.
fn literal(fact: &Fact) -> Option<(Atom, bool)> {
    match fact {
        Fact::Atom(atom) => Some((*atom, true)),
        Fact::Not(inner) => match **inner {
            Fact::Atom(atom) => Some((atom, false)),
            _ => None,
        },
        _ => None,
    }
}

/// Facts to start from.
struct Have<'p> {
    position: &'p Position,
    facts: &'p [Fact],
}

impl Have<'_> {
    fn envelope(&self) -> Place {
        usize::from(Position::seats(self.position))
    }

    /// Whether the facts say that the card is at the place: outright, or since it was shown from there.
    fn at(&self, card: Card, place: Place) -> bool {
        self.facts.iter().any(|fact| match literal(fact) {
            Some((Atom::At(c, p), true)) => (c, p) == (card, place),
            Some((Atom::Shown(event, c), true)) => {
                c == card && self.question(event).is_ok_and(|(_, by, _)| by.index() == place)
            }
            _ => false,
        })
    }

    /// Whether the facts say that the card is not at the place: outright, or since it is elsewhere.
    fn not(&self, card: Card, place: Place) -> bool {
        self.facts.iter().any(|fact| literal(fact) == Some((Atom::At(card, place), false)))
            || (0..=self.envelope()).any(|p| p != place && self.at(card, p))
    }

    /// Whether the facts say that this was not the card shown in the event: outright, or since it is not there.
    fn hidden(&self, event: usize, card: Card, by: Seat) -> bool {
        self.facts.contains(&Fact::Atom(Atom::Shown(event, card)).negated()) || self.not(card, by.index())
    }

    /// The question of an event: who asked, who showed a card, and what was asked for.
    fn question(&self, event: usize) -> Result<(Seat, Seat, CardSet), String> {
        match self.position.events().get(event) {
            Some(&Observed::Ask { asker, answer: Some(by), cards, .. }) => Ok((asker, by, cards)),
            _ => Err("no card was shown in that event".to_string()),
        }
    }

    fn size(&self, seat: Seat) -> Result<usize, String> {
        self.position.sizes().get(seat.index()).map(|&n| n.into()).ok_or("there is no such seat".to_string())
    }

    fn category(&self, category: usize) -> Result<CardSet, String> {
        match category < self.position.deck().categories() {
            true => Ok(self.position.deck().category(category)),
            false => Err("there is no such category".to_string()),
        }
    }

    fn leads(&self, rule: &Rule, to: &Fact) -> Led {
        if let Fact::Any(ways) = to {
            return self.split(rule, ways);
        }
        let deck = self.position.deck();
        let envelope = self.envelope();
        let spot = match literal(to) {
            Some((Atom::At(card, place), yes)) => {
                if card.index() >= deck.len() || place > envelope {
                    return Err("no such card or place".to_string());
                }
                Some((card, place, yes))
            }
            Some((Atom::Solved(_) | Atom::Shown(..), _)) | None => None,
        };
        match (rule, spot) {
            (Rule::OnePlace, Some((card, place, false))) => {
                let elsewhere = (0..=envelope).any(|p| p != place && self.at(card, p));
                ensure(elsewhere, vec![], "the card is not known to be elsewhere")
            }
            (Rule::LastPlace, Some((card, place, true))) => {
                let rest = (0..=envelope).all(|p| p == place || self.not(card, p));
                ensure(rest, vec![], "the card may be elsewhere")
            }
            (Rule::Full(seat, shows), Some((card, place, false))) => {
                let premises = self.full(*seat, shows, card)?;
                ensure(place == seat.index(), premises, "it is about another place")
            }
            (&Rule::NeedsAll(seat), Some((card, place, true))) => {
                let left = deck.cards().iter().filter(|&c| c == card || !self.not(c, place)).count();
                let needed = place == seat.index() && left <= self.size(seat)?;
                ensure(needed, vec![Premise::Size(seat)], "more cards can be in that hand")
            }
            (&Rule::Taken(category), Some((card, place, false))) => {
                let cards = self.category(category)?;
                let other = cards.without(card).iter().any(|c| self.at(c, envelope));
                let taken = place == envelope && cards.has(card) && other;
                ensure(taken, vec![Premise::Category(category)], "no other card is known to be there")
            }
            (&Rule::OnlyOne(category), Some((card, place, true))) => {
                let cards = self.category(category)?;
                let only = cards.without(card).iter().all(|c| self.not(c, envelope));
                let only = place == envelope && cards.has(card) && only;
                ensure(only, vec![Premise::Category(category)], "another card may be there")
            }
            (&Rule::OneLeft(event), Some((card, place, true))) => {
                let (_, by, cards) = self.question(event)?;
                let only = cards.without(card).iter().all(|c| self.not(c, by.index()));
                let only = place == by.index() && cards.has(card) && only;
                ensure(only, vec![Premise::Show(event)], "another card may have been shown")
            }
            (&Rule::Showed(event), Some((card, place, true))) => {
                let (_, by, _) = self.question(event)?;
                let shown = self.facts.contains(&Fact::Atom(Atom::Shown(event, card)));
                ensure(shown && place == by.index(), vec![], "that card is not known to have been shown")
            }
            (&Rule::Wrong(event), Some((card, place, false))) => {
                let Some(&Observed::Accuse { cards, .. }) = self.position.events().get(event) else {
                    return Err("there was no accusation".to_string());
                };
                let rest = cards.without(card).iter().all(|c| self.at(c, envelope));
                let rest = place == envelope && cards.has(card) && rest;
                ensure(rest, vec![Premise::Wrong(event)], "the rest is not known to be right")
            }
            (&Rule::Fill(group, cards), Some((card, place, false))) => {
                let (room, premises) = self.room(group)?;
                let elsewhere = |c: Card| (0..=envelope).filter(move |&p| !self.inside(group, c, p));
                let bound = cards.iter().all(|c| elsewhere(c).all(|p| self.not(c, p)));
                let full = cards.is_subset(deck.cards()) && cards.len() >= room && bound;
                let out = !cards.has(card) && self.inside(group, card, place);
                ensure(full && out, premises, "there may be room left")
            }
            (&Rule::Need(group, cards), Some((card, place, false))) => {
                let (room, premises) = self.room(group)?;
                let others = deck.cards().minus(cards);
                let free = |c: Card| (0..=envelope).any(|p| self.inside(group, c, p) && !self.not(c, p));
                let need = cards.len() <= room && !others.iter().any(free);
                let out = cards.has(card) && !self.inside(group, card, place);
                ensure(need && out, premises, "other cards may be there")
            }
            (Rule::Clash, None) => {
                let both = |(card, place): (Card, Place)| self.at(card, place) && self.not(card, place);
                let spots = deck.cards().iter().flat_map(|c| (0..=envelope).map(move |p| (c, p)));
                let denied = |fact: &Fact| {
                    matches!(literal(fact), Some((Atom::Shown(..), true)))
                        && self.facts.contains(&fact.clone().negated())
                };
                let clash = { spots }.any(both) || self.facts.iter().any(denied);
                ensure(*to == Fact::Const(false) && clash, vec![], "nothing clashes")
            }
            (&Rule::Showed(event), None) => {
                let (_, by, cards) = self.question(event)?;
                let Some((Atom::Shown(of, card), true)) = literal(to) else {
                    return Err("the rule does not conclude such a thing".to_string());
                };
                let pending = self.position.is_pending() && event + 1 == self.position.events().len();
                let only = cards.without(card).iter().all(|c| self.hidden(event, c, by));
                let shown = of == event && cards.has(card) && only && !pending;
                ensure(shown, vec![Premise::Show(event)], "another card may have been shown")
            }
            (&Rule::Solved(seat), None) => {
                let knows = |fact: &Fact| match fact {
                    Fact::Knows(seats, known) if *seats == Seats::of(seat) => self.is_envelope(known),
                    _ => false,
                };
                let solved = *to == Fact::Atom(Atom::Solved(seat)) && self.facts.iter().any(knows);
                ensure(solved, vec![], "the seat is not known to know the envelope")
            }
            (&Rule::SawIt(event), None) => {
                let seat = self.accuser(event)?;
                let saw = *to == Fact::Atom(Atom::Solved(seat));
                ensure(saw, vec![Premise::Wrong(event)], "another seat saw the envelope")
            }
            (&Rule::EndedAfter(end, event), None) => {
                let seat = self.accuser(event)?;
                let ended = self.position.events().get(end) == Some(&Observed::Endmove { seat });
                let late = *to == Fact::Const(false) && ended && event < end;
                ensure(late, vec![Premise::Ended(end), Premise::Wrong(event)], "the seat had not seen the envelope")
            }
            (
                Rule::OnePlace
                | Rule::LastPlace
                | Rule::Somewhere(_)
                | Rule::Full(..)
                | Rule::NeedsAll(_)
                | Rule::Taken(_)
                | Rule::OnlyOne(_)
                | Rule::OneLeft(_)
                | Rule::Showed(_)
                | Rule::Wrong(_)
                | Rule::Fill(..)
                | Rule::Need(..)
                | Rule::Clash
                | Rule::Solved(_)
                | Rule::SawIt(_)
                | Rule::EndedAfter(..)
                | Rule::Swap(..),
                _,
            ) => Err("the rule does not conclude such a thing".to_string()),
        }
    }

    /// Who accused wrongly in this event, and saw the envelope.
    fn accuser(&self, event: usize) -> Result<Seat, String> {
        match self.position.events().get(event) {
            Some(&Observed::Accuse { seat, correct: false, .. }) => Ok(seat),
            _ => Err("nobody accused wrongly there".to_string()),
        }
    }

    /// Whether the fact names a card of each category in the envelope.
    fn is_envelope(&self, fact: &Fact) -> bool {
        let Fact::All(parts) = fact else { return false };
        let card = |part: &Fact| match literal(part) {
            Some((Atom::At(card, place), true)) if place == self.envelope() => Some(card),
            _ => None,
        };
        let cards: Option<CardSet> = parts.iter().map(card).collect();
        cards.is_some_and(|cards| self.position.deck().is_triple(cards))
    }

    /// Whether, by the rule, one of these ways must hold.
    fn split(&self, rule: &Rule, ways: &[Fact]) -> Led {
        let covered = |case: Fact, card: Card, place: Place| ways.contains(&case) || self.not(card, place);
        let other = "there may be another case";
        match *rule {
            Rule::OneLeft(event) => {
                let (_, by, cards) = self.question(event)?;
                let place = by.index();
                let all = cards.iter().all(|c| covered(Fact::at(c, place), c, place));
                ensure(all, vec![Premise::Show(event)], other)
            }
            Rule::Showed(event) => {
                let (_, by, cards) = self.question(event)?;
                let pending = self.position.is_pending() && event + 1 == self.position.events().len();
                let case = |c: Card| Fact::Atom(Atom::Shown(event, c));
                let all = cards.iter().all(|c| ways.contains(&case(c)) || self.hidden(event, c, by));
                ensure(all && !pending, vec![Premise::Show(event)], other)
            }
            Rule::Somewhere(card) => {
                let real = card.index() < self.position.deck().len();
                ensure(real && (0..=self.envelope()).all(|p| covered(Fact::at(card, p), card, p)), vec![], other)
            }
            Rule::OnlyOne(category) => {
                let place = self.envelope();
                let all = self.category(category)?.iter().all(|c| covered(Fact::at(c, place), c, place));
                ensure(all, vec![Premise::Category(category)], other)
            }
            Rule::OnePlace
            | Rule::LastPlace
            | Rule::Full(..)
            | Rule::NeedsAll(_)
            | Rule::Taken(_)
            | Rule::Wrong(_)
            | Rule::Fill(..)
            | Rule::Need(..)
            | Rule::Clash
            | Rule::Solved(_)
            | Rule::SawIt(_)
            | Rule::EndedAfter(..)
            | Rule::Swap(..) => Err("the rule tells no cases apart".to_string()),
        }
    }

    /// The hand holds cards that are known and one of each show, which have nothing in common: no other card.
    fn full(&self, seat: Seat, shows: &[usize], card: Card) -> Led {
        let (place, size) = (seat.index(), self.size(seat)?);
        let held: CardSet = self.position.deck().cards().iter().filter(|&c| self.at(c, place)).collect();
        let mut covered = held;
        let mut premises = vec![Premise::Size(seat)];
        for &event in shows {
            premises.push(Premise::Show(event));
            let (_, by, asked) = self.question(event)?;
            let left: CardSet = asked.iter().filter(|&c| !self.not(c, place)).collect();
            if by != seat || !left.is_disjoint(covered) {
                return Err("the shows may be of the same card".to_string());
            }
            covered = covered.or(left);
        }
        ensure(held.len() + shows.len() >= size && !covered.has(card), premises, "the card may be in that hand")
    }

    /// How many cards the places of the group have.
    fn room(&self, group: Group) -> Result<(usize, Vec<Premise>), String> {
        let (mut room, mut premises) = (0, Vec::new());
        for seat in Seat::all(8).filter(|s| group.seats >> s.0 & 1 == 1) {
            room += self.size(seat)?;
            premises.push(Premise::Size(seat));
        }
        for category in (0..8).filter(|k| group.categories >> k & 1 == 1) {
            self.category(category)?;
            premises.push(Premise::Category(category));
            room += 1;
        }
        Ok((room, premises))
    }

    /// Whether the place, for this card, is one of the group.
    fn inside(&self, group: Group, card: Card, place: Place) -> bool {
        match place == self.envelope() {
            true => group.categories >> self.position.deck().category_of(card) & 1 == 1,
            false => group.seats >> place & 1 == 1,
        }
    }

    /// Whether, with the two cards exchanged, everything public is as it was, and so is what the seats saw.
    fn exchange(&self, a: Card, b: Card, seats: Seats) -> Result<(), String> {
        let (deck, envelope) = (self.position.deck(), self.envelope());
        let neither = |place: Place| self.not(a, place) && self.not(b, place);
        let real = a != b && a.index() < deck.len() && b.index() < deck.len();
        if !real || deck.category_of(a) != deck.category_of(b) && !neither(envelope) {
            return Err("the cards cannot be exchanged".to_string());
        }
        if !seats.iter().all(|seat| neither(seat.index())) {
            return Err("a seat sees the cards".to_string());
        }
        let silent = !self.position.has_endmoves();
        if !silent && deck.category_of(a) != deck.category_of(b) {
            return Err("ends of turns may tell the cards apart".to_string());
        }
        for (event, observed) in self.position.events().iter().enumerate() {
            let fine = match *observed {
                Observed::Ask { cards, .. } | Observed::Accuse { cards, .. } if !cards.has(a) && !cards.has(b) => {
                    let saw = matches!(*observed, Observed::Accuse { seat, correct: false, .. } if seats.has(seat));
                    !saw || neither(envelope)
                }
                // Who knew what when it ended its turn may depend on cards that were named.
                Observed::Ask { .. } | Observed::Accuse { .. } if !silent => false,
                Observed::Ask { asker, cards, answer, .. } => {
                    let both = cards.has(a) && cards.has(b);
                    let (named, other) = if cards.has(a) { (a, b) } else { (b, a) };
                    let passes = passed(asker, answer, Position::seats(self.position))
                        .all(|seat| both || self.not(other, seat.index()));
                    let shows = answer.is_none_or(|by| {
                        let shown = self.facts.iter().any(|fact| {
                            matches!(literal(fact), Some((Atom::Shown(e, c), true)) if e == event && ![a, b].contains(&c))
                        });
                        let kept = shown || neither(by.index()) || !both && self.not(named, by.index());
                        kept || both && !seats.has(asker)
                    });
                    passes && shows
                }
                Observed::Accuse { correct: true, .. } => false,
                Observed::Accuse { seat, cards, .. } => {
                    let other = if cards.has(a) { b } else { a };
                    let wrong = self.not(other, envelope)
                        || cards.iter().any(|c| ![a, b].contains(&c) && self.not(c, envelope));
                    wrong && (!seats.has(seat) || neither(envelope))
                }
                Observed::Endmove { .. } => true,
            };
            if !fine {
                return Err(format!("event {} tells the cards apart", event + 1));
            }
        }
        Ok(())
    }
}
