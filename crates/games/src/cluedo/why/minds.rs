//! What somebody knows, as part of a proof: by looking through their eyes.

use super::core::smallest;
use super::ended::{Effort, GaveUp, Standpoint, accused};
use super::propagate::{Finding, Inner, Reason, State};
use super::prove::{Prover, TRIES, Tried, WIDTH};
use super::rules::{Premise, Rule};
use super::short::rank;
use crate::cards::CardSet;
use crate::cluedo::atoms::{Atom, Fact};
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{Eyes, NOW, Rules};

/// Premises that can be used by somebody, and what they see of what is known, with its entries.
type Usable = (Vec<Premise>, Vec<(Finding, u32)>);

/// Something that somebody can use.
#[derive(Clone, Copy)]
enum Item {
    Premise(Premise),
    /// A fact in view, with its entry.
    Seen(Finding, u32),
}

fn apart(items: &[Item]) -> Usable {
    let mut usable = (Vec::new(), Vec::new());
    for &item in items {
        match item {
            Item::Premise(premise) => usable.0.push(premise),
            Item::Seen(finding, id) => usable.1.push((finding, id)),
        }
    }
    usable
}

impl Prover<'_> {
    /// Finds out what the claim says of somebody's knowledge; whether something new was found.
    pub(super) fn learn_minds(&mut self, state: &mut State, effort: &mut Effort) -> Result<bool, GaveUp> {
        let mut leaves = Vec::new();
        leaves_of(self.claim, true, &mut leaves);
        for (leaf, wanted) in leaves {
            if self.facts.leaf(state, leaf).is_some() {
                continue;
            }
            let found = match wanted {
                true => self.known(state, leaf, effort)?,
                false => self.unknown(state, leaf),
            };
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether somebody knows it, as the leaf says.
    fn known(&mut self, state: &mut State, leaf: &Fact, effort: &mut Effort) -> Result<bool, GaveUp> {
        match leaf {
            Fact::Atom(Atom::Solved(seat)) => self.solved(state, *seat, leaf, effort),
            Fact::Knows(..) | Fact::Common(..) => {
                let (mut eyes, mut inner) = (Vec::new(), leaf);
                let mut levels = Vec::new();
                loop {
                    match inner {
                        Fact::Knows(seats, next) => {
                            eyes.push(Eyes::Pooled(*seats));
                            inner = next;
                        }
                        Fact::Common(seats, next) => {
                            eyes.push(Eyes::Each(*seats));
                            inner = next;
                        }
                        _ => break,
                    }
                    levels.push(inner);
                }
                // What all of them see is the shortest; else one looks through the other's eyes.
                let mut depths = vec![levels.len()];
                depths.extend((levels.len() > 1).then_some(1));
                for depth in depths {
                    let through = eyes[..depth].to_vec();
                    if let Some((proof, from)) = self.mind(state, &through, levels[depth - 1], self.before, effort)? {
                        return Ok(self.note(state, leaf, Reason::Mind(through, proof), from).is_some());
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    fn solved(&mut self, state: &mut State, seat: Seat, leaf: &Fact, effort: &mut Effort) -> Result<bool, GaveUp> {
        if let Some(event) = accused(self.facts.position, &self.premises, seat, self.before.min(self.events()))
            && self.premises.contains(&Premise::Wrong(event))
        {
            return Ok(self.note(state, leaf, Reason::Rule(Rule::SawIt(event)), Vec::new()).is_some());
        }
        let through = vec![Eyes::Pooled(Seats::of(seat))];
        let Some(envelope) = self.envelope_known(state, &through, effort)? else {
            return Ok(false);
        };
        let what = self.envelope_fact(envelope);
        let Some((proof, from)) = self.mind(state, &through, &what, self.before, effort)? else { return Ok(false) };
        let knows = through[0].know(what);
        let Some(id) = self.note(state, &knows, Reason::Mind(through, proof), from) else { return Ok(false) };
        Ok(self.note(state, leaf, Reason::Rule(Rule::Solved(seat)), vec![id]).is_some())
    }

    fn events(&self) -> usize {
        self.facts.position.events().len()
    }

    pub(super) fn envelope_fact(&self, envelope: CardSet) -> Fact {
        Fact::All(envelope.iter().map(|card| Fact::at(card, self.facts.envelope)).collect())
    }

    /// What the eyes see of what is known here, with its entries.
    pub(super) fn view(&self, state: &State, eyes: &[Eyes], before: usize) -> Vec<(Finding, u32)> {
        let position = self.facts.position;
        let seen = |finding: Finding| {
            let fact = self.facts.fact(finding, self.claim);
            eyes.iter().all(|eyes| eyes.settle(position, &fact, before))
        };
        let cards = position.deck().cards().iter();
        let spots = cards.flat_map(|card| (0..=self.facts.envelope).map(move |place| (card, place)));
        let mut view: Vec<(Finding, u32)> = Vec::new();
        for (card, place) in spots.filter(|&(card, place)| seen(Finding::At(card, place))) {
            view.extend(self.facts.at(state, card, place).map(|id| (Finding::At(card, place), id)));
            view.extend(self.facts.not(state, card, place).map(|id| (Finding::Not(card, place), id)));
        }
        let showed = state.showed.iter().map(|&(event, card, id)| (Finding::Showed(event, card), id));
        let hidden = state.hidden.iter().map(|&(event, card, id)| (Finding::Hidden(event, card), id));
        view.extend(showed.chain(hidden).filter(|(finding, _)| seen(*finding)));
        view
    }

    /// What can be used by these eyes then. What the observer can use of its own is as it is.
    fn usable(&self, state: &State, eyes: &[Eyes], before: usize) -> (Vec<Premise>, Vec<(Finding, u32)>, bool) {
        let me = Eyes::Pooled(Seats::of(self.facts.position.observer()));
        let own = self.own && before == NOW && eyes.iter().all(|&eyes| eyes == me);
        let may = |premise: &Premise| own || premise.is_public() && premise.event().is_none_or(|event| event < before);
        let premises = self.premises.iter().copied().filter(may).collect();
        (premises, if own { Vec::new() } else { self.view(state, eyes, before) }, own)
    }

    /// A proof of the fact through these eyes, with the entries here that it uses.
    fn mind(
        &mut self,
        state: &State,
        eyes: &[Eyes],
        fact: &Fact,
        before: usize,
        effort: &mut Effort,
    ) -> Tried<(Inner, Vec<u32>)> {
        let (premises, view, own) = self.usable(state, eyes, before);
        let findings: Vec<Finding> = view.iter().map(|(finding, _)| *finding).collect();
        // What they see themselves needs no proof.
        if let Some(id) = self.facts.entry_of(state, fact).filter(|id| view.iter().any(|(_, seen)| seen == id)) {
            return Ok(Some((Inner::default(), vec![id])));
        }
        let key = (before, fact.clone(), findings);
        if effort.failed.contains(&key) {
            return Ok(None);
        }
        effort.spend_tries(TRIES / 4)?;
        let (premises, view) = match self.own && !own && fact.is_about_cards() {
            true => self.needed(premises, view, fact, effort)?,
            false => (premises, view),
        };
        let outer: Vec<(Finding, usize)> = view.iter().map(|&(finding, id)| (finding, self.id(id))).collect();
        let (mut inside, mut there) = Prover::new(self.facts.position, &premises, &outer, fact, before, own, effort);
        let mut end = inside.ends(&mut there, effort)?;
        if end.is_none() && self.entailed(&premises, &key.2, fact, before, effort)? {
            end = Some(inside.close(&mut there, WIDTH - 1, effort)?);
        }
        let Some(end) = end else {
            effort.failed.insert(key);
            return Ok(None);
        };
        let used = inside.outer_used(end);
        let from = view.iter().filter(|(_, id)| used.contains(&self.id(*id))).map(|(_, id)| *id).collect();
        Ok(Some((inside.inner(end, effort)?, from)))
    }

    /// Premises and facts in view of which none can be left out, if without ends of turns they entail the fact; else all.
    fn needed(
        &self,
        premises: Vec<Premise>,
        view: Vec<(Finding, u32)>,
        fact: &Fact,
        effort: &mut Effort,
    ) -> Result<Usable, GaveUp> {
        let position = self.facts.position;
        let silent = premises.iter().filter(|p| !matches!(p, Premise::Ended(_)));
        // What was seen is kept rather than what is counted, and what was found first rather than what was found later.
        let mut items: Vec<Item> = view.iter().map(|&(finding, id)| Item::Seen(finding, id)).collect();
        items.extend(silent.map(|&premise| Item::Premise(premise)));
        items.sort_by_key(|item| match *item {
            Item::Premise(premise) => (rank(&premise, effort.order), 0),
            Item::Seen(_, id) => ((2, 0), id),
        });
        let mut suffice = |kept: &[Item]| {
            let (premises, view) = apart(kept);
            let findings: Vec<Finding> = view.iter().map(|(finding, _)| *finding).collect();
            Ok(Standpoint::with(position, &premises, &findings).find(fact, None, effort)?.is_none())
        };
        match suffice(&items)? {
            true => Ok(apart(&smallest(&items, &mut suffice)?)),
            false => Ok((premises, view)),
        }
    }

    /// Whether it follows for somebody with this view, if it is about cards.
    fn entailed(
        &self,
        premises: &[Premise],
        view: &[Finding],
        fact: &Fact,
        before: usize,
        effort: &mut Effort,
    ) -> Result<bool, GaveUp> {
        if !fact.is_about_cards() {
            return Ok(false);
        }
        let silent: Vec<Premise> = premises.iter().copied().filter(|p| !matches!(p, Premise::Ended(_))).collect();
        let position = self.facts.position;
        if Standpoint::with(position, &silent, view).find(fact, None, effort)?.is_none() {
            return Ok(true);
        }
        if silent.len() == premises.len() || before != NOW {
            return Ok(false);
        }
        Ok(Standpoint::with(position, premises, view).find(fact, None, effort)?.is_none())
    }

    /// Why it is not known, or not common knowledge: it is false, or two cards could be exchanged.
    fn unknown(&mut self, state: &mut State, leaf: &Fact) -> bool {
        let (Fact::Knows(seats, inner) | Fact::Common(seats, inner)) = leaf else { return false };
        let denied = leaf.clone().negated();
        if self.facts.value(state, inner) == Some(false) {
            let mut from = Vec::new();
            self.support(state, inner, &mut from);
            return self.note(state, &denied, Reason::Logic, from).is_some();
        }
        if let (Fact::Common(..), true) = (leaf, inner.is_about_cards()) {
            for seat in seats.iter() {
                let one = (**inner).clone().known_to(seat);
                if self.facts.leaf(state, &one).is_none() && self.unknown(state, &one) {
                    let from = self.facts.leaf(state, &one).map(|(_, id)| id).into_iter().collect();
                    return self.note(state, &denied, Reason::Logic, from).is_some();
                }
            }
            return false;
        }
        if !matches!(leaf, Fact::Knows(..)) || !inner.is_about_cards() {
            return false;
        }
        self.exchange(state, *seats, inner, &denied)
    }

    /// Two cards that the seats cannot tell apart and with which, exchanged, the fact is false.
    fn exchange(&mut self, state: &mut State, seats: Seats, inner: &Fact, denied: &Fact) -> bool {
        let position = self.facts.position;
        let named: CardSet = inner.spots().iter().map(|(card, _)| *card).collect();
        for a in named.iter() {
            for b in position.deck().cards().iter().filter(|&b| b != a) {
                // What is known of both, and what would be known of them.
                let mut have: Vec<(Fact, u32)> = Vec::new();
                let mut there: Vec<Finding> = Vec::new();
                for card in [a, b] {
                    let other = if card == a { b } else { a };
                    for place in 0..=self.facts.envelope {
                        if let Some(id) = self.facts.at(state, card, place) {
                            have.push((Fact::at(card, place), id));
                            there.push(Finding::At(other, place));
                        }
                        if let Some(id) = self.facts.not(state, card, place) {
                            have.push((Fact::at(card, place).negated(), id));
                            there.push(Finding::Not(other, place));
                        }
                    }
                }
                for (card, place) in inner.spots().into_iter().filter(|(card, _)| ![a, b].contains(card)) {
                    if let Some((value, id)) = self.facts.leaf(state, &Fact::at(card, place)) {
                        let finding = if value { Finding::At(card, place) } else { Finding::Not(card, place) };
                        have.push((self.facts.fact(finding, self.claim), id));
                        there.push(finding);
                    }
                }
                let known = |card, place| match (Finding::At(card, place), Finding::Not(card, place)) {
                    (at, _) if there.contains(&at) => Some(true),
                    (_, not) if there.contains(&not) => Some(false),
                    _ => None,
                };
                if inner.truth(&known) != Some(false) {
                    continue;
                }
                let needed: Vec<Finding> = inner
                    .spots()
                    .into_iter()
                    .filter_map(|(card, place)| match known(card, place)? {
                        true => Some(Finding::At(card, place)),
                        false => Some(Finding::Not(card, place)),
                    })
                    .collect();
                let to: Vec<Fact> = needed.iter().map(|&f| self.facts.fact(f, self.claim)).collect();
                let mut facts: Vec<Fact> = have.iter().map(|(fact, _)| fact.clone()).collect();
                let change = Rule::Swap(a, b);
                // The checker's own rule tells whether it may be; what it does not need is left out.
                if position.changes(&change, seats, &facts, &to).is_err() {
                    continue;
                }
                let mut from: Vec<u32> = have.iter().map(|(_, id)| *id).collect();
                for at in (0..facts.len()).rev() {
                    let fact = facts.remove(at);
                    match position.changes(&change, seats, &facts, &to) {
                        Ok(()) => drop(from.remove(at)),
                        Err(_) => facts.insert(at, fact),
                    }
                }
                return self.note(state, denied, Reason::Unsure(change, needed), from).is_some();
            }
        }
        false
    }

    /// The envelope, if the eyes know it.
    fn envelope_known(&mut self, state: &State, eyes: &[Eyes], effort: &mut Effort) -> Tried<CardSet> {
        let (premises, view, own) = self.usable(state, eyes, self.before);
        let position = self.facts.position;
        let outer: Vec<(Finding, usize)> = view.iter().map(|&(finding, id)| (finding, self.id(id))).collect();
        let never = Fact::Const(false);
        let (mut inside, mut there) = Prover::new(position, &premises, &outer, &never, self.before, own, effort);
        inside.heed(effort);
        inside.facts.propagate(&mut there, &never);
        if let Some(found) = inside.facts.envelope_of(&there) {
            return Ok(Some(found));
        }
        if there.clash.is_some() {
            return Ok(None);
        }
        let findings = inside.facts.findings(&there);
        let silent: Vec<Premise> = premises.iter().copied().filter(|p| !matches!(p, Premise::Ended(_))).collect();
        if let Some(known) = Standpoint::with(position, &silent, &findings).knows(None, effort)? {
            return Ok(Some(known));
        }
        match silent.len() == premises.len() {
            true => Ok(None),
            false => Standpoint::with(position, &premises, &findings).knows(None, effort),
        }
    }
}

/// What the fact says of knowledge, each with whether that helps if it is so, or if it is not so.
fn leaves_of<'f>(fact: &'f Fact, wanted: bool, leaves: &mut Vec<(&'f Fact, bool)>) {
    match fact {
        Fact::Knows(..) | Fact::Common(..) | Fact::Atom(Atom::Solved(_)) => leaves.push((fact, wanted)),
        Fact::Const(_) | Fact::Atom(Atom::At(..) | Atom::Shown(..)) | Fact::After(..) => {}
        Fact::Not(inner) => leaves_of(inner, !wanted, leaves),
        Fact::All(parts) | Fact::Any(parts) => parts.iter().for_each(|part| leaves_of(part, wanted, leaves)),
        Fact::Count(_, _, parts) => {
            for part in parts {
                leaves_of(part, wanted, leaves);
                leaves_of(part, !wanted, leaves);
            }
        }
        Fact::Iff(a, b) => {
            for part in [a, b] {
                leaves_of(part, wanted, leaves);
                leaves_of(part, !wanted, leaves);
            }
        }
    }
}
