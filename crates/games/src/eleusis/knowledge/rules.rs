//! The premises and rules of proofs about a round, and what they say: the side of the checker.
//!
//! Rules are judged by [direct evaluation](crate::eleusis::rule::Rule::accepts) on the line, and compared by
//! [`separate`]; hands are counted card by card. Nothing here visits worlds: the survey that finds verdicts, and the
//! search for proofs, are not used.
//!
//! The family is a premise. It is none where it is known to be wrong: when nothing of it fits, and for a dealer whose own
//! rule is not of it. Such a dealer knows that the players take something false for granted, so nothing is proved of what
//! they know ([`Rules::factive`]).

use super::atoms::{Atom, Fact};
use super::{Memory, Standing};
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::{self, separate};
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::Eleusis;
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{self, Access, Eyes, Rules, value};
use std::cell::Cell;

/// What a proof about a round starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Premise {
    /// What the dealer said in front of everybody, by its place among the judgements of the round.
    Judged(usize),
    /// The rule is one of the family.
    Family,
    /// The rule itself: the observer deals, or the round is over.
    Told,
    /// The seat deals.
    Deals(Seat),
    /// The observer's own hand.
    Hand,
    /// What everybody has seen in the hand of the seat.
    Shown(Seat),
    /// Which cards lie where everybody sees them, and how many each seat holds.
    Open,
}

/// How facts follow from others, and what may be changed without being seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It is so under the rules at these places of the family, and no other rule is left.
    Left(Vec<usize>),
    /// It is so under the rule itself.
    Told,
    /// It follows from where the copies of cards are and how many cards a seat holds.
    Count,
    /// A sure play is a card that a seat holds and knows to be accepted.
    Sure,
    /// A seat that holds more cards than there are others has one that it knows to be accepted.
    Many,
    /// The seat knows that no rule is left but those at these places, and they go on alike.
    Agreed(Vec<usize>),
    /// The rules at these two places fit all that was judged, and are not alike.
    Differ(usize, usize),
    /// A world with another rule of the family that fits all that was judged, or with another hand of somebody, or both.
    Other {
        /// The place of the rule; without it the rule is the same.
        rule: Option<usize>,
        /// What somebody holds there; without it all hands are the same.
        hand: Option<OtherHand>,
    },
}

/// What is said of another hand of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherHand {
    /// Whose.
    pub seat: Seat,
    /// Cards that are in it.
    pub has: CardSet,
    /// Cards that are not.
    pub lacks: CardSet,
}

/// A proof about a round.
pub type Proof = proof::Proof<Atom, Premise, Rule>;

/// A line of such a proof.
pub(super) type Line = proof::Line<Atom, Premise, Rule>;

/// A step of such a proof.
pub(super) type Step = proof::Step<Atom, Premise, Rule>;

type Led = Result<Vec<Premise>, String>;

fn ensure(holds: bool, message: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message.to_string()) }
}

/// The atom that a fact says or denies.
pub(super) fn literal(fact: &Fact) -> Option<(Atom, bool)> {
    match fact {
        Fact::Atom(atom) => Some((*atom, true)),
        Fact::Not(inner) => match **inner {
            Fact::Atom(atom) => Some((atom, false)),
            _ => None,
        },
        _ => None,
    }
}

/// What the lines that a step uses say.
struct Have<'f>(&'f [Fact]);

impl Have<'_> {
    fn value(&self, fact: &Fact) -> Option<bool> {
        let not = |have: &Fact| matches!(have, Fact::Not(inner) if **inner == *fact);
        self.0.iter().find_map(|have| if have == fact { Some(true) } else { not(have).then_some(false) })
    }

    fn holds(&self, seat: Seat, card: Card) -> Option<bool> {
        self.value(&Fact::Atom(Atom::Holds(seat, card)))
    }

    /// Whether it is said that the rule is none that means the same as the one at this place.
    fn excludes(&self, place: usize) -> bool {
        self.value(&Fact::rule(place)) == Some(false)
    }
}

impl<G: Eleusis> Rules for Memory<G> {
    type Premise = Premise;
    type Rule = Rule;

    fn observer(&self) -> Seat {
        self.seat()
    }

    fn access(&self, premise: &Premise) -> Option<Access> {
        match self.standing() {
            Standing::Waiting | Standing::NothingFits => return None,
            Standing::Told | Standing::Fits(_) => {}
        }
        let everybody = Some(Access { public: true, event: None });
        match *premise {
            Premise::Judged(place) => self
                .judgements()
                .get(place)
                .map(|judgement| Access { public: true, event: (!self.memory.is_empty()).then_some(judgement.event) }),
            Premise::Family => everybody.filter(|_| !self.is_told() && self.family_holds()),
            Premise::Told => self.known_rule().map(|_| Access { public: self.is_told(), event: None }),
            Premise::Deals(seat) => everybody.filter(|_| self.dealer() == Some(seat)),
            Premise::Hand => Some(Access { public: false, event: None }).filter(|_| self.hides(self.seat())),
            Premise::Shown(seat) => everybody.filter(|_| self.common.shown.get(seat.index()).is_some()),
            Premise::Open => everybody,
        }
    }

    fn says(&self, premise: &Premise, fact: &Fact) -> bool {
        match (*premise, literal(fact)) {
            (Premise::Judged(place), Some((Atom::Rule(rule), false))) => {
                let judgement = self.judgements().get(place);
                let both = judgement.zip(self.family.get(rule));
                both.is_some_and(|(judgement, rule)| judgement.refutes(rule, self.mainline()))
            }
            (Premise::Told, Some((Atom::RuleKnown(..), true))) => self.is_told(),
            (Premise::Deals(dealer), Some((Atom::RuleKnown(seat, _), true))) => seat == dealer,
            (Premise::Hand, Some((Atom::Holds(seat, card), yes))) => {
                seat == self.seat() && self.desk.hand().contains(&card) == yes
            }
            (Premise::Shown(of), Some((Atom::Holds(seat, card), yes))) => {
                seat == of && self.shows(seat, card) == yes && (yes || !self.hides(seat))
            }
            (Premise::Open, Some((Atom::Holds(seat, card), false))) => {
                self.hidden_copies(card) == 0 && !self.shows(seat, card)
            }
            (
                Premise::Judged(_)
                | Premise::Family
                | Premise::Told
                | Premise::Deals(_)
                | Premise::Hand
                | Premise::Shown(_)
                | Premise::Open,
                _,
            ) => false,
        }
    }

    fn leads(&self, rule: &Rule, from: &[Fact], to: &Fact) -> Led {
        let have = Have(from);
        match rule {
            Rule::Left(left) => {
                for (place, rule) in self.family.iter().enumerate() {
                    let out = have.excludes(place) || self.contradicts(rule, &have);
                    ensure(out || left.contains(&place), "a rule is left out that may be the rule")?;
                }
                let mut premises = vec![Premise::Family];
                for place in left {
                    let rule = self.family.get(*place).ok_or("there is no such rule")?;
                    premises.extend(self.judged(rule, &have, to)?);
                }
                Ok(premises)
            }
            Rule::Told => {
                let rule = self.known_rule().ok_or("the rule is not known")?;
                let mut premises = vec![Premise::Told];
                premises.extend(self.judged(rule, &have, to)?);
                Ok(premises)
            }
            Rule::Count => self.counted(&have, to),
            Rule::Sure => match literal(to) {
                Some((Atom::SurePlay(seat), yes)) => self.sure_play(&have, seat, yes).map(|()| Vec::new()),
                _ => Err("the rule is about sure plays".to_string()),
            },
            Rule::Many => match literal(to) {
                Some((Atom::SurePlay(seat), true)) => self.sure_among_many(&have, seat),
                _ => Err("the rule is about sure plays".to_string()),
            },
            Rule::Agreed(left) => match literal(to) {
                Some((Atom::RuleKnown(seat, reading), true)) => self.agreed(&have, left, seat, reading),
                _ => Err("the rule is about who knows the rule".to_string()),
            },
            Rule::Differ(one, other) => match literal(to) {
                Some((Atom::RuleKnown(seat, reading), false)) => {
                    ensure(!self.has_rule(seat), "the seat knows the rule itself")?;
                    self.differ(*one, *other, reading).map(|()| Vec::new())
                }
                _ => Err("the rule is about who does not know the rule".to_string()),
            },
            Rule::Other { .. } => Err("that is a change, and no rule".to_string()),
        }
    }

    fn sees(&self, seat: Seat, atom: &Atom, _: usize) -> bool {
        if self.is_told() {
            return true;
        }
        let hand = |of: Seat| of == seat || !self.hides(of);
        match *atom {
            Atom::Accepts(_) | Atom::Rule(_) => self.has_rule(seat),
            // What players know of the rule everybody can tell from what was judged.
            Atom::RuleKnown(..) => true,
            Atom::Holds(of, _) => hand(of),
            Atom::CanPlay(of) => hand(of) && self.has_rule(seat),
            Atom::SurePlay(of) => hand(of) && (self.has_rule(seat) || !self.has_rule(of)),
        }
    }

    fn sees_by(&self, seat: Seat, atom: &Atom, _: usize) -> Vec<Premise> {
        if self.is_told() {
            return vec![Premise::Told];
        }
        let hand = |of: Seat| (of != seat).then_some(Premise::Shown(of));
        let rule = || self.has_rule(seat).then_some(Premise::Deals(seat));
        match *atom {
            Atom::Accepts(_) | Atom::Rule(_) => rule().into_iter().collect(),
            Atom::RuleKnown(..) => Vec::new(),
            Atom::Holds(of, _) => hand(of).into_iter().collect(),
            Atom::CanPlay(of) | Atom::SurePlay(of) => hand(of).into_iter().chain(rule()).collect(),
        }
    }

    fn denies(&self, _: &Premise, _: &Fact) -> Option<(Seat, usize)> {
        None
    }

    fn factive(&self, eyes: Eyes) -> bool {
        let told = match eyes {
            Eyes::Pooled(seats) => seats.iter().any(|seat| self.has_rule(seat)),
            // What is common knowledge of nobody need not be true.
            Eyes::Each(seats) if seats.is_empty() => return false,
            Eyes::Each(seats) => seats.iter().all(|seat| self.has_rule(seat)),
        };
        match self.standing() {
            Standing::Waiting | Standing::NothingFits => false,
            Standing::Fits(_) => true,
            Standing::Told => self.is_told() || told || self.family_holds(),
        }
    }

    fn changes(&self, change: &Rule, seats: Seats, from: &[Fact], to: &[Fact]) -> Result<(), String> {
        let Rule::Other { rule, hand } = change else { return Err("that is no change".to_string()) };
        ensure(!self.is_told(), "everybody sees everything")?;
        let have = Have(from);
        if let Some(place) = *rule {
            let told = seats.iter().any(|seat| self.has_rule(seat));
            ensure(!told && self.fits(place), "the seats know that this is not the rule")?;
        }
        if let Some(hand) = hand {
            self.can_hold(hand, seats, &have)?;
        }
        let there = There { mind: self, have, seats, rule: rule.and_then(|place| self.family.get(place)), hand: *hand };
        ensure(to.iter().all(|fact| there.is(fact)), "that need not hold after the change")
    }
}

impl<G: Eleusis> Memory<G> {
    /// Whether the rule is one of the family, as far as the observer can tell: what players know is true then.
    pub(super) fn family_holds(&self) -> bool {
        match self.known_rule() {
            Some(rule) => self.fitting().any(|place| self.family[place].automaton() == rule.automaton()),
            None => self.fitting().next().is_some(),
        }
    }

    /// Whether the seat knows the rule itself.
    pub(super) fn has_rule(&self, seat: Seat) -> bool {
        self.is_told() || self.dealer() == Some(seat)
    }

    /// Whether the seat holds cards that not everybody has seen.
    pub(super) fn hides(&self, seat: Seat) -> bool {
        self.hidden_cards(seat) > 0
    }

    /// How many cards of its hand not everybody has seen.
    pub(super) fn hidden_cards(&self, seat: Seat) -> usize {
        self.common.hidden.get(seat.index()).copied().unwrap_or(0)
    }

    /// Whether everybody has seen the card in the hand of the seat.
    pub(super) fn shows(&self, seat: Seat, card: Card) -> bool {
        self.common.shown.get(seat.index()).is_some_and(|cards| cards.contains(&card))
    }

    /// How many copies of the card are where not everybody has seen them.
    pub(super) fn hidden_copies(&self, card: Card) -> usize {
        self.common.pool.get(card.index()).copied().unwrap_or(0)
    }

    /// How many copies of the card the observer holds that not everybody has seen there.
    pub(super) fn own_copies(&self, card: Card) -> usize {
        let (me, of) = (self.seat(), |cards: &[Card]| cards.iter().filter(|c| **c == card).count());
        of(self.desk.hand()).saturating_sub(self.common.shown.get(me.index()).map_or(0, |cards| of(cards)))
    }

    /// Whether the rule at the place fits everything that was judged, by direct evaluation.
    fn fits(&self, place: usize) -> bool {
        let Some(rule) = self.family.get(place) else { return false };
        let line = self.mainline();
        rule.automaton().run(line).is_some() && !self.judgements().iter().any(|judgement| judgement.refutes(rule, line))
    }

    /// Whether the rule judges some card otherwise than is said.
    fn contradicts(&self, rule: &Secret, have: &Have) -> bool {
        let other = |fact: &Fact| match literal(fact) {
            Some((Atom::Accepts(card), yes)) => rule.rule().accepts(self.mainline(), card) != yes,
            _ => false,
        };
        have.0.iter().any(other)
    }

    /// Whether the rule and the one at this place of the family judge every line from the starter on alike.
    fn same(&self, rule: &Secret, place: usize) -> bool {
        let (Some(other), Some(&starter)) = (self.family.get(place), self.mainline().first()) else { return false };
        let (from, to) = (rule.after(starter), other.after(starter));
        rule.automaton() == other.automaton() || separate((rule.automaton(), from), (other.automaton(), to)).is_none()
    }

    /// Whether the fact is true if this is the rule and what is said is true: the premises that it needs for it.
    fn judged(&self, rule: &Secret, have: &Have, fact: &Fact) -> Led {
        let (open, own) = (Cell::new(false), Cell::new(false));
        let leaf = |fact: &Fact| match (have.value(fact), fact) {
            (Some(value), _) => Some(value),
            (None, Fact::Atom(Atom::Accepts(card))) => Some(rule.rule().accepts(self.mainline(), *card)),
            (None, Fact::Atom(Atom::Rule(place))) => Some(self.same(rule, *place)),
            (None, Fact::Atom(Atom::CanPlay(seat))) => self.can_play(rule, have, *seat, &open, &own),
            (None, Fact::Atom(Atom::SurePlay(seat))) if self.has_rule(*seat) => {
                self.can_play(rule, have, *seat, &open, &own)
            }
            (None, _) => None,
        };
        ensure(value(fact, &leaf) == Some(true), "a rule that is left says otherwise")?;
        let counted = [(open.get(), Premise::Open), (own.get(), Premise::Hand)];
        Ok(counted.into_iter().filter(|(used, _)| *used).map(|(_, premise)| premise).collect())
    }

    /// Whether the seat holds a card that the rule accepts, as far as what is said tells: by its cards, or since it holds
    /// more cards than are refused.
    fn can_play(&self, rule: &Secret, have: &Have, seat: Seat, open: &Cell<bool>, own: &Cell<bool>) -> Option<bool> {
        let all = self.deck().all();
        let accepted: CardSet = all.iter().filter(|&card| rule.rule().accepts(self.mainline(), card)).collect();
        if accepted.iter().any(|card| have.holds(seat, card) == Some(true)) {
            return Some(true);
        }
        if accepted.iter().all(|card| have.holds(seat, card) == Some(false)) {
            return Some(false);
        }
        let (count, by_own) = self.room(have, seat, all.minus(accepted));
        let more = count < self.hidden_cards(seat);
        if more {
            open.set(true);
            own.set(own.get() || by_own);
        }
        more.then_some(true)
    }

    /// How many copies of the card may be among those of the seat that not everybody has seen, and whether that rests on
    /// how many copies the observer holds.
    fn available(&self, have: &Have, seat: Seat, card: Card) -> (usize, bool) {
        if have.holds(seat, card) == Some(false) {
            return (0, false);
        }
        let (mut elsewhere, mut own) = (0, false);
        for other in Seat::all(self.game.seats()).filter(|&other| other != seat) {
            let shown = self.shows(other, card);
            match have.holds(other, card) {
                Some(true) if other == self.seat() && self.own_copies(card) > usize::from(!shown) => {
                    elsewhere += self.own_copies(card);
                    own = true;
                }
                Some(true) if !shown => elsewhere += 1,
                Some(_) | None => {}
            }
        }
        (self.hidden_copies(card).saturating_sub(elsewhere), own)
    }

    /// The same for several cards together.
    fn room(&self, have: &Have, seat: Seat, cards: CardSet) -> (usize, bool) {
        let counts = cards.iter().map(|card| self.available(have, seat, card));
        counts.fold((0, false), |(sum, own), (n, by)| (sum + n, own || by))
    }

    /// Whether a seat holds a card, or does not, by where the copies of cards are.
    fn counted(&self, have: &Have, to: &Fact) -> Led {
        let (holds, own) = match literal(to) {
            Some((Atom::Holds(seat, card), false)) => {
                let (copies, own) = self.available(have, seat, card);
                (copies == 0 && !self.shows(seat, card), own)
            }
            Some((Atom::Holds(seat, card), true)) => {
                let (count, own) = self.room(have, seat, self.deck().all().without(card));
                (count < self.hidden_cards(seat), own)
            }
            _ => return Err("the rule is about who holds what".to_string()),
        };
        ensure(holds, "the cards can be elsewhere")?;
        Ok([Premise::Open].into_iter().chain(own.then_some(Premise::Hand)).collect())
    }

    /// Whether the seat has a sure play, or has none, by its cards.
    fn sure_play(&self, have: &Have, seat: Seat, yes: bool) -> Result<(), String> {
        let knows = |card: Card| have.value(&Fact::accepts(card).known_to(seat));
        let mut cards = self.deck().all().iter();
        match yes {
            true => {
                let sure = |card: Card| have.holds(seat, card) == Some(true) && knows(card) == Some(true);
                ensure(cards.any(sure), "it is not said to hold a card that it knows to be accepted")
            }
            false => {
                let out = |card: Card| have.holds(seat, card) == Some(false) || knows(card) == Some(false);
                ensure(cards.all(out), "it may hold a card that it knows to be accepted")
            }
        }
    }

    /// Whether the seat holds more cards than there are others than those that it knows to be accepted.
    fn sure_among_many(&self, have: &Have, seat: Seat) -> Led {
        let unsure = |card: &Card| have.value(&Fact::accepts(*card).known_to(seat)) != Some(true);
        let (count, own) = self.room(have, seat, self.deck().all().iter().filter(unsure).collect());
        ensure(count < self.hidden_cards(seat), "it need not hold a card that it knows to be accepted")?;
        Ok([Premise::Open].into_iter().chain(own.then_some(Premise::Hand)).collect())
    }

    /// Whether the seat knows the rule, by the rules that it knows to be out.
    fn agreed(&self, have: &Have, left: &[usize], seat: Seat, reading: Reading) -> Led {
        let out = |place: usize| have.value(&Fact::rule(place).negated().known_to(seat)) == Some(true);
        let all = (0..self.family.len()).all(|place| left.contains(&place) || out(place));
        ensure(all, "the seat may think of another rule")?;
        let mut states = left.iter().map(|&place| self.state(place));
        let first = states.next().flatten().ok_or("no rule is left")?;
        match reading {
            Reading::Which => ensure(left.len() == 1, "several rules are left")?,
            Reading::Residual => {
                let alike = |state: (&Secret, automaton::State)| {
                    separate((first.0.automaton(), first.1), (state.0.automaton(), state.1)).is_none()
                };
                ensure(states.all(|state| state.is_some_and(alike)), "the rules that are left part")?;
            }
        }
        Ok(vec![Premise::Family])
    }

    /// A rule of the family with what it remembers of the line; `None` if it refuses a card of it.
    fn state(&self, place: usize) -> Option<(&Secret, automaton::State)> {
        let rule = self.family.get(place)?;
        Some((rule, rule.automaton().run(self.mainline())?))
    }

    /// Whether nobody who was not told can know the rule, as these two show.
    fn differ(&self, one: usize, other: usize, reading: Reading) -> Result<(), String> {
        ensure(one != other && self.fits(one) && self.fits(other), "the two rules do not both fit")?;
        let (Some(a), Some(b)) = (self.state(one), self.state(other)) else { return Err("they are no rules".into()) };
        match reading {
            Reading::Which => Ok(()),
            Reading::Residual => {
                let apart = separate((a.0.automaton(), a.1), (b.0.automaton(), b.1)).is_some();
                ensure(apart, "the two rules go on alike")
            }
        }
    }

    /// Whether somebody may hold such a hand for all that the seats can tell, whatever the seats hold: there is a deal of
    /// the cards that not everybody has seen in which the seats hold what they hold.
    fn can_hold(&self, hand: &OtherHand, seats: Seats, have: &Have) -> Result<(), String> {
        let OtherHand { seat, has, lacks } = *hand;
        let size = self.hidden_cards(seat);
        ensure(!seats.has(seat) && size > 0, "the hand is seen")?;
        let shown: CardSet = self.deck().all().iter().filter(|&card| self.shows(seat, card)).collect();
        ensure(lacks.is_disjoint(has.or(shown)), "the hand contradicts itself")?;
        let new = has.minus(shown);
        ensure(new.len() <= size, "the hand is too small")?;
        // So many of the cards that not everybody has seen may be in the hands of the seats.
        let held: usize = seats.iter().map(|seat| self.hidden_cards(seat)).sum();
        for card in new.iter() {
            let may = seats.iter().filter(|&seat| have.holds(seat, card) != Some(false));
            let taken: usize = may.map(|seat| self.hidden_cards(seat)).sum();
            ensure(self.hidden_copies(card) > taken, "the seats may hold the card themselves")?;
        }
        let rest: usize = self.deck().all().minus(lacks).iter().map(|card| self.hidden_copies(card)).sum();
        ensure(rest >= held + size, "there may be no other cards for the hand")
    }
}

/// A world that seats cannot tell from the one of which this is said.
struct There<'a, G: Eleusis> {
    mind: &'a Memory<G>,
    have: Have<'a>,
    seats: Seats,
    /// The rule, if it is another one.
    rule: Option<&'a std::sync::Arc<Secret>>,
    hand: Option<OtherHand>,
}

impl<G: Eleusis> There<'_, G> {
    /// Whether the fact is sure to be true there.
    fn is(&self, fact: &Fact) -> bool {
        let seen = Eyes::Pooled(self.seats).settle(self.mind, fact, proof::NOW);
        if seen && self.have.0.contains(fact) {
            return true;
        }
        let Some((atom, yes)) = literal(fact) else { return false };
        let truth = match atom {
            Atom::Accepts(card) => self.accepts(card),
            Atom::Rule(place) => match self.rule {
                Some(rule) => Some(self.mind.same(rule, place)),
                None => self.have.value(&Fact::Atom(atom)),
            },
            Atom::Holds(seat, card) => self.holds(seat, card),
            Atom::CanPlay(seat) => self.can_play(seat),
            Atom::RuleKnown(..) | Atom::SurePlay(_) => None,
        };
        truth == Some(yes)
    }

    fn accepts(&self, card: Card) -> Option<bool> {
        match self.rule {
            Some(rule) => Some(rule.rule().accepts(self.mind.mainline(), card)),
            None => self.have.value(&Fact::accepts(card)),
        }
    }

    fn holds(&self, seat: Seat, card: Card) -> Option<bool> {
        if self.mind.shows(seat, card) {
            return Some(true);
        }
        if !self.mind.hides(seat) {
            return Some(false);
        }
        match self.hand {
            Some(hand) if hand.seat == seat => match (hand.has.has(card), hand.lacks.has(card)) {
                (true, _) => Some(true),
                (false, true) => Some(false),
                (false, false) => None,
            },
            // The cards that somebody else holds there may be those of third seats here.
            Some(_) if !self.seats.has(seat) => None,
            Some(_) | None => self.have.holds(seat, card),
        }
    }

    fn can_play(&self, seat: Seat) -> Option<bool> {
        let mut all = true;
        for card in self.mind.deck().all().iter() {
            match (self.accepts(card), self.holds(seat, card)) {
                (Some(true), Some(true)) => return Some(true),
                (Some(false), _) | (_, Some(false)) => {}
                (None, _) | (_, None) => all = false,
            }
        }
        all.then_some(false)
    }
}
