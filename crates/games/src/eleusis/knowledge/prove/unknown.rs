//! What somebody does not know: it is false, or there is another world that looks the same to it.

use super::super::atoms::{Atom, Fact};
use super::super::rules::{Line, OtherHand, Rule, Step};
use super::hands::{Held, Holding, holds};
use super::{Place, Prover, close};
use crate::cards::{Card, CardSet};
use crate::eleusis::table::Eleusis;
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{Case, Eyes, Rules, follows};

/// Other worlds in which it takes lines to show that the fact is false: so many are tried.
const TRIED: usize = 3;

/// Something that is so in another world, and what it rests on here.
struct There {
    fact: Fact,
    hands: Vec<Holding>,
    lines: Vec<usize>,
}

/// Another rule, another hand, or both.
type Change = (Option<usize>, Option<OtherHand>);

impl<G: Eleusis> Prover<'_, G> {
    /// The seats together do not know it.
    pub(super) fn unknown(
        &mut self,
        place: &Place,
        fact: &Fact,
        seats: Seats,
        known: &Fact,
        out: &mut Vec<Line>,
    ) -> Option<usize> {
        let untrue = known.clone().negated();
        if seats.is_empty() || !self.mind.factive(Eyes::Pooled(seats)) {
            return None;
        }
        if let Some(number) = self.prove(place, &untrue, out) {
            return Some(self.line(vec![fact.clone()], Step::Logic, vec![number], out));
        }
        if self.mind.is_told() || place.public {
            return None;
        }
        let mut tried = 0;
        let mut later = Vec::new();
        for change in self.changes(seats, known) {
            let there = self.there(place, seats, change, known);
            let all: Vec<Fact> = there.iter().map(|there| there.fact.clone()).collect();
            if follows(&all, &untrue) {
                if let Some(number) = self.unsure(place, fact, seats, change, &fewer(there, &untrue), &untrue, out) {
                    return Some(number);
                }
            } else {
                later.push((change, there));
            }
        }
        for (change, there) in later.into_iter().filter(|(_, there)| !there.is_empty()) {
            tried += 1;
            if tried > TRIED {
                break;
            }
            if let Some(number) = self.unsure(place, fact, seats, change, &there, &untrue, out) {
                return Some(number);
            }
        }
        None
    }

    /// The line that says so by this change, if it is one that the seats do not see.
    #[expect(clippy::too_many_arguments, reason = "all of them are parts of one line")]
    fn unsure(
        &mut self,
        place: &Place,
        fact: &Fact,
        seats: Seats,
        (rule, hand): Change,
        there: &[There],
        untrue: &Fact,
        out: &mut Vec<Line>,
    ) -> Option<usize> {
        let mut hands: Vec<Holding> = there.iter().flat_map(|there| there.hands.iter().copied()).collect();
        // The seats must not hold themselves what is to be in the other hand.
        for card in hand.iter().flat_map(|hand| hand.has.iter()) {
            for seat in seats.iter().filter(|&seat| self.hand_fact(place, seat, card) == Some(false)) {
                hands.push((seat, card, false));
            }
        }
        let lines: Vec<usize> = there.iter().flat_map(|there| there.lines.iter().copied()).collect();
        let said = place.facts.iter().filter(|(_, of)| lines.contains(of)).map(|(fact, _)| fact.clone());
        let from: Vec<Fact> = hands.iter().copied().map(holds).chain(said).collect();
        let assume: Vec<Fact> = there.iter().map(|there| there.fact.clone()).collect();
        let change = Rule::Other { rule, hand };
        self.mind.changes(&change, seats, &from, &assume).ok()?;
        let number = self.number();
        let mut inner = Vec::new();
        if !follows(&assume, untrue) {
            let facts = assume.iter().map(|fact| (fact.clone(), number)).collect();
            let world = Place { facts, private: false, assumed: place.assumed + 1, ..Place::top() };
            let last = self.prove(&world, untrue, &mut inner)?;
            close(&mut inner, last);
            if inner.last().is_none_or(|line| line.number != last) {
                self.line(vec![untrue.clone()], Step::Logic, vec![last], &mut inner);
            }
        }
        let mut from = self.hand_lines(place, &hands, out);
        from.extend(lines);
        let case = Case { number, assume, lines: inner };
        Some(self.line(vec![fact.clone()], Step::Unsure(seats, change, case), from, out))
    }

    /// Changes that may make the fact false.
    fn changes(&self, seats: Seats, known: &Fact) -> Vec<Change> {
        let told = seats.iter().any(|seat| self.mind.has_rule(seat));
        let rules: Vec<Option<usize>> = match told {
            true => vec![None],
            false => [None].into_iter().chain(self.table.fitting().into_iter().map(Some)).collect(),
        };
        let mut changes: Vec<Change> = Vec::new();
        for rule in rules {
            let hands = self.hands(seats, rule, known);
            let same = rule.map(|_| None);
            changes.extend(same.into_iter().chain(hands.into_iter().map(Some)).map(|hand| (rule, hand)));
        }
        // A single change is said more easily than two.
        changes.sort_by_key(|(rule, hand)| rule.is_some() && hand.is_some());
        changes
    }

    /// Hands of somebody else that may make the fact false under the rule.
    fn hands(&self, seats: Seats, rule: Option<usize>, known: &Fact) -> Vec<OtherHand> {
        let mut hands = Vec::new();
        let mut add = |seat: Seat, has: CardSet, lacks: CardSet| {
            let hand = OtherHand { seat, has, lacks };
            if !seats.has(seat) && self.mind.hides(seat) && !hands.contains(&hand) {
                hands.push(hand);
            }
        };
        for atom in known.atoms() {
            let (seat, cards) = match *atom {
                Atom::Holds(seat, card) => (seat, Some(CardSet::of(card))),
                Atom::CanPlay(seat) => (seat, rule.map(|rule| self.table.accepted[rule])),
                Atom::SurePlay(seat) if self.mind.has_rule(seat) => (seat, rule.map(|rule| self.table.accepted[rule])),
                Atom::SurePlay(seat) => (seat, Some(self.table.sure())),
                Atom::Accepts(_) | Atom::Rule(_) | Atom::RuleKnown(..) => continue,
            };
            let Some(cards) = cards else { continue };
            add(seat, CardSet::EMPTY, cards.minus(self.shown(seat)));
            cards.iter().filter(|&card| self.mind.hidden_copies(card) > 0).take(TRIED).for_each(|card| {
                add(seat, CardSet::of(card), CardSet::EMPTY);
            });
        }
        hands
    }

    fn shown(&self, seat: Seat) -> CardSet {
        self.mind.deck().all().iter().filter(|&card| self.mind.shows(seat, card)).collect()
    }

    /// What is so after the change, of what the fact speaks of.
    fn there(&self, place: &Place, seats: Seats, (rule, hand): Change, known: &Fact) -> Vec<There> {
        let mut found: Vec<There> = Vec::new();
        let mut add = |atom: Atom, yes: bool, hands: Vec<Holding>, lines: Vec<usize>| {
            let fact = if yes { Fact::Atom(atom) } else { Fact::Atom(atom).negated() };
            if found.iter().all(|there| there.fact != fact) {
                found.push(There { fact, hands, lines });
            }
        };
        let carried = |atom: Atom| {
            let sides = [(Fact::Atom(atom), true), (Fact::Atom(atom).negated(), false)];
            sides.into_iter().find_map(|(fact, yes)| Some((yes, place.line(&fact)?)))
        };
        for &atom in known.atoms() {
            match atom {
                Atom::Accepts(card) => match rule {
                    Some(rule) => add(atom, self.table.accepted[rule].has(card), Vec::new(), Vec::new()),
                    None => carried(atom).into_iter().for_each(|(yes, line)| add(atom, yes, Vec::new(), vec![line])),
                },
                Atom::Rule(of) => {
                    if let Some(rule) = rule {
                        add(atom, rule == of || self.alike(rule, of), Vec::new(), Vec::new());
                    }
                }
                Atom::Holds(seat, card) => {
                    if let Some((yes, hands)) = self.holds_there(place, seats, hand, seat, card) {
                        add(atom, yes, hands, Vec::new());
                    }
                }
                Atom::CanPlay(seat) => {
                    if let Some((yes, hands)) = rule.and_then(|rule| self.plays_there(place, seats, hand, seat, rule)) {
                        add(atom, yes, hands, Vec::new());
                    }
                }
                // It is shown there from what the seat holds.
                Atom::SurePlay(seat) => {
                    for card in self.table.sure().iter() {
                        if let Some((yes, hands)) = self.holds_there(place, seats, hand, seat, card) {
                            add(Atom::Holds(seat, card), yes, hands, Vec::new());
                        }
                    }
                }
                Atom::RuleKnown(..) => {}
            }
        }
        found
    }

    fn alike(&self, rule: usize, other: usize) -> bool {
        let family = &self.mind.family;
        family.get(other).is_some_and(|other| family[rule].automaton() == other.automaton())
    }

    /// Whether the seat holds the card after the change, and what that rests on.
    fn holds_there(
        &self,
        place: &Place,
        seats: Seats,
        hand: Option<OtherHand>,
        seat: Seat,
        card: Card,
    ) -> Option<(bool, Vec<Holding>)> {
        if self.mind.shows(seat, card) || !self.mind.hides(seat) {
            return Some((self.mind.shows(seat, card), Vec::new()));
        }
        match hand {
            Some(hand) if hand.seat == seat => match (hand.has.has(card), hand.lacks.has(card)) {
                (true, _) => Some((true, Vec::new())),
                (false, true) => Some((false, Vec::new())),
                (false, false) => None,
            },
            Some(_) if !seats.has(seat) => None,
            Some(_) | None => {
                let yes = self.hand_fact(place, seat, card)?;
                Some((yes, vec![(seat, card, yes)]))
            }
        }
    }

    /// Whether the seat holds a card that the rule accepts, after the change, and what that rests on.
    fn plays_there(
        &self,
        place: &Place,
        seats: Seats,
        hand: Option<OtherHand>,
        seat: Seat,
        rule: usize,
    ) -> Option<(bool, Vec<Holding>)> {
        let accepted = self.table.accepted[rule];
        let carried = hand.is_none() || seats.has(seat) || !self.mind.hides(seat);
        let Held { has, lacks } = match hand {
            Some(hand) if hand.seat == seat => Held { has: hand.has.or(self.shown(seat)), lacks: hand.lacks },
            Some(_) | None if carried => self.held(place, seat),
            Some(_) | None => Held { has: self.shown(seat), lacks: CardSet::EMPTY },
        };
        let rest = |card: Card, yes: bool| -> Vec<Holding> {
            let own = hand.is_none_or(|hand| hand.seat != seat);
            if own && carried { vec![(seat, card, yes)] } else { Vec::new() }
        };
        if let Some(card) = has.and(accepted).iter().next() {
            return Some((true, rest(card, true)));
        }
        accepted.is_subset(lacks).then(|| (false, accepted.iter().flat_map(|card| rest(card, false)).collect()))
    }
}

/// As few of what is so there as show that the fact is false.
fn fewer(mut there: Vec<There>, untrue: &Fact) -> Vec<There> {
    for at in (0..there.len()).rev() {
        let left: Vec<Fact> =
            there.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, there)| there.fact.clone()).collect();
        if !left.is_empty() && follows(&left, untrue) {
            there.remove(at);
        }
    }
    there
}
