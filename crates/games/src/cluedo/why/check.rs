//! The checker of proofs. It knows the rules of inference one by one, looks up every premise in the position, and shares
//! no reasoning with the search that finds proofs.

use super::super::position::{Observed, Position};
use super::super::rules::passed;
use super::proof::{Case, Finding, Group, Insight, Knew, Premise, Proof, Rule, Split, Step};
use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::{Atom, Fact, Place};
use crate::game::Seat;
use std::fmt;

/// Why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the step; `None` for the proof as a whole.
    pub step: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Fault {}

/// Whether the proof proves the claim from what the position says: every step is verified.
pub fn check(position: &Position, proof: &Proof, claim: &Fact) -> Result<(), Fault> {
    if proof.claim != *claim {
        return Err(Fault { step: None, message: "it is a proof of something else".to_string() });
    }
    let checker = Checker { position, premises: &proof.premises, claim, view: None };
    checker.run(&proof.steps, &mut Scope::default())?;
    let last: &[Finding] = proof.steps.last().map_or(&[], |s| &s.facts);
    match checker.concludes(last) {
        true => Ok(()),
        false => Err(Fault { step: None, message: "the last step is not the claim".to_string() }),
    }
}

/// What the steps so far have concluded, by number; assumptions of closed cases are no longer in it.
#[derive(Clone, Default)]
struct Scope {
    steps: Vec<(usize, Vec<Finding>)>,
    last: usize,
}

struct Checker<'p> {
    position: &'p Position,
    premises: &'p [Premise],
    claim: &'p Fact,
    /// For a proof from the eyes of a seat: what it knows by itself, and before which event.
    view: Option<(Vec<Finding>, usize)>,
}

type Checked = Result<(), String>;

fn ensure(holds: bool, message: &str) -> Checked {
    if holds { Ok(()) } else { Err(message.to_string()) }
}

impl Checker<'_> {
    fn concludes(&self, facts: &[Finding]) -> bool {
        facts.contains(&Finding::Impossible) || facts.contains(&Finding::Goal) || forced(self.claim, true, facts)
    }

    fn run(&self, steps: &[Step], scope: &mut Scope) -> Result<(), Fault> {
        for step in steps {
            self.step(step, scope).map_err(|message| Fault { step: Some(step.number), message })?;
            if step.number <= scope.last {
                return Err(Fault { step: Some(step.number), message: "its number is out of order".to_string() });
            }
            scope.last = step.number;
            scope.steps.push((step.number, step.facts.clone()));
        }
        Ok(())
    }

    fn step(&self, step: &Step, scope: &mut Scope) -> Checked {
        let mut have = Vec::new();
        for &number in &step.from {
            let earlier = scope.steps.iter().find(|(n, _)| *n == number);
            have.extend(&earlier.ok_or_else(|| format!("it uses {number}, which is not there"))?.1);
        }
        ensure(!step.facts.is_empty(), "it concludes nothing")?;
        for &fact in &step.facts {
            if let Finding::At(card, place) | Finding::Not(card, place) = fact {
                ensure(card.index() < self.position.deck().len() && place <= self.envelope(), "no such card or place")?;
            }
            self.rule(&step.rule, fact, &have, scope)?;
        }
        Ok(())
    }

    fn envelope(&self) -> Place {
        self.position.seats() as usize
    }

    /// The premise is among those of the proof, is one of the position, and may be used here.
    fn need(&self, premise: Premise) -> Checked {
        ensure(self.premises.contains(&premise), "it uses a premise that the proof does not name")?;
        let event = premise.event().map(|e| self.position.events().get(e).ok_or("there is no such event"));
        let event = event.transpose()?.copied();
        let me = self.position.observer();
        let seats = self.position.seats();
        let there = match (premise, event) {
            (Premise::Hand, _) => true,
            (Premise::Size(seat), _) => seat.0 < seats,
            (Premise::Category(category), _) => category < self.position.deck().categories(),
            (Premise::Pass(_, seat), Some(Observed::Ask { asker, answer, .. })) => {
                passed(asker, answer, seats).any(|s| s == seat)
            }
            (Premise::Show(_), Some(Observed::Ask { answer, .. })) => answer.is_some(),
            (Premise::Shown(_), Some(Observed::Ask { answer, shown, .. })) => answer.is_some() && shown.is_some(),
            (Premise::Right(_), Some(Observed::Accuse { correct, .. })) => correct,
            (Premise::Wrong(_), Some(Observed::Accuse { correct, .. })) => !correct,
            (Premise::Saw(_), Some(Observed::Accuse { seat, envelope, .. })) => seat == me && envelope.is_some(),
            (Premise::Ended(_), Some(Observed::Endmove { .. })) => true,
            (_, _) => false,
        };
        ensure(there, "the position does not say that")?;
        if let Some((_, until)) = &self.view {
            let private = matches!(premise, Premise::Hand | Premise::Shown(_) | Premise::Saw(_));
            ensure(!private && premise.event().is_none_or(|e| e < *until), "the other seat cannot use that")?;
        }
        Ok(())
    }

    /// The question of an event: who asked, who showed a card, and what was asked for.
    fn question(&self, event: usize) -> Result<(Seat, Seat, CardSet), String> {
        match self.position.events().get(event) {
            Some(&Observed::Ask { asker, answer: Some(by), cards, .. }) => Ok((asker, by, cards)),
            _ => Err("no card was shown in that event".to_string()),
        }
    }

    fn rule(&self, rule: &Rule, fact: Finding, have: &[Finding], scope: &mut Scope) -> Checked {
        let deck = self.position.deck();
        let at = |card: Card, place: Place| have.contains(&Finding::At(card, place));
        let not = |card: Card, place: Place| have.contains(&Finding::Not(card, place));
        match (rule, fact) {
            (&Rule::Given(premise), fact) => self.given(premise, fact),
            (Rule::View, fact) => {
                let seen = self.view.as_ref().is_some_and(|(facts, _)| facts.contains(&fact));
                ensure(seen, "the seat does not know that by itself")
            }
            (Rule::OnePlace, Finding::Not(card, place)) => ensure(
                (0..=self.envelope()).any(|p| p != place && at(card, p)),
                "the card is not known to be elsewhere",
            ),
            (Rule::LastPlace, Finding::At(card, place)) => {
                ensure((0..=self.envelope()).all(|p| p == place || not(card, p)), "the card may be elsewhere")
            }
            (Rule::Full(seat, shows), Finding::Not(card, place)) => {
                ensure(place == seat.index(), "it is about another place")?;
                self.full(*seat, shows, card, have)
            }
            (&Rule::NeedsAll(seat), Finding::At(card, place)) => {
                self.need(Premise::Size(seat))?;
                ensure(place == seat.index(), "it is about another place")?;
                let left = deck.cards().iter().filter(|&c| c == card || !not(c, place)).count();
                ensure(left <= self.position.sizes()[place] as usize, "more cards can be in that hand")
            }
            (&Rule::Taken(category), Finding::Not(card, place)) => {
                self.need(Premise::Category(category))?;
                let cards = deck.category(category);
                let other = cards.without(card).iter().any(|c| at(c, self.envelope()));
                ensure(place == self.envelope() && cards.has(card) && other, "no other card is known to be there")
            }
            (&Rule::OnlyOne(category), Finding::At(card, place)) => {
                self.need(Premise::Category(category))?;
                let cards = deck.category(category);
                let only = cards.without(card).iter().all(|c| not(c, self.envelope()));
                ensure(place == self.envelope() && cards.has(card) && only, "another card may be there")
            }
            (&Rule::OneLeft(event), Finding::At(card, place)) => {
                self.need(Premise::Show(event))?;
                let (_, by, cards) = self.question(event)?;
                let only = cards.without(card).iter().all(|c| not(c, by.index()));
                ensure(place == by.index() && cards.has(card) && only, "another card may have been shown")
            }
            (&Rule::Showed(event), Finding::At(card, place)) => {
                let (_, by, _) = self.question(event)?;
                let showed = have.contains(&Finding::Showed(event, card));
                ensure(place == by.index() && showed, "that card is not known to have been shown")
            }
            (&Rule::Wrong(event), Finding::Not(card, place)) => {
                self.need(Premise::Wrong(event))?;
                let Some(&Observed::Accuse { cards, .. }) = self.position.events().get(event) else {
                    return Err("there was no accusation".to_string());
                };
                let rest = cards.without(card).iter().all(|c| at(c, self.envelope()));
                ensure(place == self.envelope() && cards.has(card) && rest, "the rest is not known to be right")
            }
            (&Rule::Fill(group, cards), Finding::Not(card, place)) => {
                let room = self.room(group)?;
                ensure(cards.is_subset(deck.cards()), "no such card")?;
                let bound = cards.iter().all(|c| self.elsewhere(group, c).all(|p| not(c, p)));
                ensure(cards.len() >= room && bound, "there may be room left")?;
                ensure(!cards.has(card) && self.inside(group, card, place), "it does not follow from the count")
            }
            (&Rule::Need(group, cards), Finding::Not(card, place)) => {
                let room = self.room(group)?;
                let others = deck.cards().minus(cards);
                let none = others.iter().all(|c| (0..=self.envelope()).all(|p| !self.inside(group, c, p) || not(c, p)));
                ensure(cards.len() <= room && none, "other cards may be there")?;
                ensure(cards.has(card) && !self.inside(group, card, place), "it does not follow from the count")
            }
            (Rule::Clash, Finding::Impossible) => {
                let opposite = |f: &Finding| matches!(*f, Finding::At(c, p) if not(c, p));
                ensure(have.iter().any(opposite), "nothing clashes")
            }
            (Rule::Truth, Finding::Goal) => ensure(forced(self.claim, true, have), "the claim may still be false"),
            (Rule::Cases(split, cases), fact) => {
                self.exhaustive(*split, cases, have)?;
                cases.iter().try_for_each(|case| self.case(case, fact, scope))
            }
            (Rule::Knew(knew), Finding::Impossible) => self.knew(knew, have),
            (_, _) => Err("the rule does not conclude such a thing".to_string()),
        }
    }

    fn given(&self, premise: Premise, fact: Finding) -> Checked {
        self.need(premise)?;
        let event = premise.event().map(|e| self.position.events()[e]);
        let me = self.position.observer().index();
        let right = match (premise, event, fact) {
            (Premise::Hand, None, Finding::At(card, place)) => place == me && self.position.hand().has(card),
            (Premise::Hand, None, Finding::Not(card, place)) => place == me && !self.position.hand().has(card),
            (Premise::Pass(_, seat), Some(Observed::Ask { cards, .. }), Finding::Not(card, place)) => {
                place == seat.index() && cards.has(card)
            }
            (Premise::Shown(_), Some(Observed::Ask { answer, shown, .. }), Finding::At(card, place)) => {
                shown == Some(card) && answer.is_some_and(|by| by.index() == place)
            }
            (Premise::Shown(e), Some(Observed::Ask { shown, .. }), Finding::Showed(event, card)) => {
                e == event && shown == Some(card)
            }
            (Premise::Right(_), Some(Observed::Accuse { cards, .. }), Finding::At(card, place)) => {
                place == self.envelope() && cards.has(card)
            }
            (Premise::Saw(_), Some(Observed::Accuse { envelope, .. }), Finding::At(card, place)) => {
                place == self.envelope() && envelope.is_some_and(|seen| seen.has(card))
            }
            (_, _, _) => false,
        };
        ensure(right, "the premise does not say that")
    }

    /// The hand holds cards that are known and one of each show, which have nothing in common: no other card.
    fn full(&self, seat: Seat, shows: &[usize], card: Card, have: &[Finding]) -> Checked {
        self.need(Premise::Size(seat))?;
        let place = seat.index();
        let cards = self.position.deck().cards();
        let held: CardSet = cards.iter().filter(|&c| have.contains(&Finding::At(c, place))).collect();
        let mut covered = held;
        for &event in shows {
            self.need(Premise::Show(event))?;
            let (_, by, asked) = self.question(event)?;
            let left: CardSet = asked.iter().filter(|&c| !have.contains(&Finding::Not(c, place))).collect();
            ensure(by == seat && left.is_disjoint(covered), "the shows may be of the same card")?;
            covered = covered.or(left);
        }
        ensure(held.len() + shows.len() >= self.position.sizes()[place] as usize, "the hand may have room left")?;
        ensure(!covered.has(card), "the card may be in that hand")
    }

    /// How many cards the places of the group have.
    fn room(&self, group: Group) -> Result<usize, String> {
        let mut room = 0;
        for seat in Seat::all(8).filter(|s| group.seats >> s.0 & 1 == 1) {
            self.need(Premise::Size(seat))?;
            room += self.position.sizes()[seat.index()] as usize;
        }
        for category in (0..8).filter(|k| group.categories >> k & 1 == 1) {
            self.need(Premise::Category(category))?;
            room += 1;
        }
        Ok(room)
    }

    /// Whether the place, for this card, is one of the group.
    fn inside(&self, group: Group, card: Card, place: Place) -> bool {
        match place == self.envelope() {
            true => group.categories >> self.position.deck().category_of(card) & 1 == 1,
            false => group.seats >> place & 1 == 1,
        }
    }

    fn elsewhere(&self, group: Group, card: Card) -> impl Iterator<Item = Place> {
        (0..=self.envelope()).filter(move |&p| !self.inside(group, card, p))
    }

    /// Whether one of the cases must hold.
    fn exhaustive(&self, split: Split, cases: &[Case], have: &[Finding]) -> Checked {
        let covered = |case: Finding, unless: Finding| cases.iter().any(|c| c.assume == case) || have.contains(&unless);
        let deck = self.position.deck();
        let all = match split {
            Split::Show(event) | Split::Showed(event) => {
                self.need(Premise::Show(event))?;
                let (_, by, cards) = self.question(event)?;
                let case = |card| match split {
                    Split::Show(_) => Finding::At(card, by.index()),
                    _ => Finding::Showed(event, card),
                };
                cards.iter().all(|c| covered(case(c), Finding::Not(c, by.index())))
            }
            Split::Places(card) => {
                card.index() < deck.len()
                    && (0..=self.envelope()).all(|p| covered(Finding::At(card, p), Finding::Not(card, p)))
            }
            Split::Category(category) => {
                self.need(Premise::Category(category))?;
                let place = self.envelope();
                deck.category(category).iter().all(|c| covered(Finding::At(c, place), Finding::Not(c, place)))
            }
            Split::Either(card, place) => {
                let assumed = |fact| cases.iter().any(|c| c.assume == fact);
                assumed(Finding::At(card, place)) && assumed(Finding::Not(card, place))
            }
        };
        ensure(all, "there may be another case")
    }

    /// Whether the case leads to the fact, or cannot be.
    fn case(&self, case: &Case, fact: Finding, scope: &mut Scope) -> Checked {
        let mut inside = scope.clone();
        ensure(case.number > inside.last, "a case is numbered out of order")?;
        inside.last = case.number;
        inside.steps.push((case.number, vec![case.assume]));
        self.run(&case.steps, &mut inside).map_err(|fault| fault.to_string())?;
        scope.last = inside.last;
        let last = inside.steps.last().expect("the assumption at least");
        ensure(last.1.contains(&fact) || last.1.contains(&Finding::Impossible), "a case leads elsewhere")
    }

    /// Whether the seat that ended its turn would have known the envelope, given what is known of its hand and of what
    /// it was shown.
    fn knew(&self, knew: &Knew, have: &[Finding]) -> Checked {
        self.need(Premise::Ended(knew.event))?;
        let Some(&Observed::Endmove { seat }) = self.position.events().get(knew.event) else {
            return Err("no turn ended there".to_string());
        };
        match &knew.why {
            &Insight::Accused(event) => {
                self.need(Premise::Wrong(event)).or_else(|_| self.need(Premise::Saw(event)))?;
                let accused = self.position.events().get(event);
                let own = matches!(accused, Some(&Observed::Accuse { seat: by, .. }) if by == seat);
                ensure(own && event < knew.event, "the seat had not accused")
            }
            Insight::Follows { envelope, steps } => {
                ensure(self.position.deck().is_triple(*envelope), "that is no envelope")?;
                let private = |fact: &Finding| match *fact {
                    Finding::At(_, place) | Finding::Not(_, place) => place == seat.index(),
                    Finding::Showed(event, _) => {
                        event < knew.event && self.question(event).is_ok_and(|(a, b, _)| [a, b].contains(&seat))
                    }
                    Finding::Goal | Finding::Impossible => false,
                };
                let view = have.iter().copied().filter(private).collect();
                let claim = Fact::All(envelope.iter().map(|c| Fact::at(c, self.envelope())).collect());
                let eyes = Checker { claim: &claim, view: Some((view, knew.event)), ..*self };
                eyes.run(steps, &mut Scope::default()).map_err(|fault| fault.to_string())?;
                let last: &[Finding] = steps.last().map_or(&[], |s| &s.facts);
                ensure(eyes.concludes(last), "the seat need not have known the envelope")
            }
        }
    }
}

/// Whether the facts alone make the claim this value.
fn forced(claim: &Fact, value: bool, facts: &[Finding]) -> bool {
    match claim {
        Fact::Const(constant) => *constant == value,
        Fact::Atom(Atom::At(card, place)) if value => facts.contains(&Finding::At(*card, *place)),
        Fact::Atom(Atom::At(card, place)) => facts.contains(&Finding::Not(*card, *place)),
        Fact::Not(inner) => forced(inner, !value, facts),
        Fact::All(parts) if value => parts.iter().all(|p| forced(p, true, facts)),
        Fact::All(parts) => parts.iter().any(|p| forced(p, false, facts)),
        Fact::Any(parts) if value => parts.iter().any(|p| forced(p, true, facts)),
        Fact::Any(parts) => parts.iter().all(|p| forced(p, false, facts)),
        Fact::Count(cmp, n, parts) => {
            let (yes, no) = (|p: &&Fact| forced(p, true, facts), |p: &&Fact| forced(p, false, facts));
            let least = parts.iter().filter(yes).count() as u64;
            let most = (parts.len() - parts.iter().filter(no).count()) as u64;
            (least..=most).all(|count| cmp.admits(count.cmp(n)) == value)
        }
        // Only what is about cards is proved.
        Fact::Atom(Atom::Solved(_)) | Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => false,
        Fact::Iff(a, b) => [true, false].iter().any(|&v| forced(a, v, facts) && forced(b, v == value, facts)),
    }
}
