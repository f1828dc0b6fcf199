//! The search for a short proof from given premises.

use super::super::position::Position;
use super::ended::{Effort, GaveUp, Standpoint, accused, question};
use super::lemma::{Proved, ender};
use super::propagate::{Facts, Finding, Inner, Reason, State};
use super::rules::{Premise, Rule};
use crate::cards::CardSet;
use crate::cluedo::atoms::{Atom, Fact};
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{Eyes, NOW, Rules};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// The lines of a proof from these premises, as short as an affordable search finds it, not yet numbered.
///
/// What is about cards alone must follow from the premises.
pub(super) fn prove(
    position: &Position,
    premises: &[Premise],
    claim: &Fact,
    effort: &mut Effort,
) -> Result<Inner, GaveUp> {
    let (mut prover, mut state) = Prover::new(position, premises, &[], claim, NOW, true, effort);
    let end = prover.close(&mut state, WIDTH, effort)?;
    prover.inner(end, effort)
}

/// How many distinctions are tried to the end where none closes at once; fewer further down.
pub(super) const WIDTH: usize = 3;

/// What drawing conclusions from all cases of a distinction costs, in tries.
pub(super) const TRIES: u64 = 20;

/// How many entries a search may have.
const ENTRIES: usize = 1 << 24;

pub(super) struct Prover<'p> {
    pub(super) facts: Facts<'p>,
    pub(super) premises: Vec<Premise>,
    pub(super) claim: &'p Fact,
    /// The claim as a finding, if it is about one spot.
    pub(super) literal: Option<Finding>,
    /// Before which event the reasoning is done.
    before: usize,
    /// Whether it is the observer who reasons.
    own: bool,
    /// Which search it is: entries of different searches have different numbers.
    search: usize,
    /// So many lemmas have been taken over.
    pub(super) heeded: usize,
    /// Whether the lemmas that it takes have been looked for.
    gathered: bool,
    /// The lemmas that an end rests on.
    pub(super) proved: FxHashMap<usize, Proved>,
    /// How many lines have been made for lemmas.
    pub(super) copied: Cell<usize>,
}

/// What happened when somebody's knowledge was looked for.
type Tried<T> = Result<Option<T>, GaveUp>;

impl<'p> Prover<'p> {
    pub(super) fn new(
        position: &'p Position,
        premises: &[Premise],
        view: &[(Finding, usize)],
        claim: &'p Fact,
        before: usize,
        own: bool,
        effort: &mut Effort,
    ) -> (Prover<'p>, State) {
        let (mut facts, state) = Facts::new(position, premises, view);
        facts.telling = telling(position, premises, claim);
        let literal = match claim {
            Fact::Atom(Atom::At(card, place)) => Some(Finding::At(*card, *place)),
            Fact::Not(inner) => match **inner {
                Fact::Atom(Atom::At(card, place)) => Some(Finding::Not(card, place)),
                _ => None,
            },
            _ => None,
        };
        effort.searches += 1;
        let search = effort.searches;
        let prover = Prover {
            facts,
            premises: premises.to_vec(),
            claim,
            literal,
            before,
            own,
            search,
            heeded: 0,
            gathered: false,
            proved: FxHashMap::default(),
            copied: Cell::new(0),
        };
        (prover, state)
    }

    /// The number of an entry among those of all searches.
    pub(super) fn id(&self, entry: u32) -> usize {
        self.search * ENTRIES + entry as usize
    }

    /// Draws conclusions; the entry that ends the proof, if they do.
    pub(super) fn ends(&mut self, state: &mut State, effort: &mut Effort) -> Tried<u32> {
        loop {
            self.heed(effort);
            self.facts.propagate(state, self.claim);
            if state.clash.is_some() {
                return Ok(state.clash);
            }
            if self.facts.value(state, self.claim) == Some(true) {
                return Ok(Some(self.goal(state)));
            }
            if !self.learn_minds(state, effort)? && !self.would_have_known(state, effort)? {
                return Ok(None);
            }
        }
    }

    /// The entry that says what is to be proved.
    fn goal(&mut self, state: &State) -> u32 {
        if let Some(id) = self.facts.entry_of(state, self.claim) {
            return id;
        }
        let mut from = Vec::new();
        self.support(state, self.claim, &mut from);
        self.facts.push(Finding::Goal, Reason::Logic, from, state.depth)
    }

    /// The entries that decide the fact.
    fn support(&self, state: &State, fact: &Fact, from: &mut Vec<u32>) {
        let value = |fact: &Fact| self.facts.value(state, fact);
        match fact {
            Fact::Const(_) => {}
            Fact::Atom(_) | Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => {
                from.extend(self.facts.leaf(state, fact).map(|(_, id)| id));
            }
            Fact::Not(inner) => self.support(state, inner, from),
            Fact::All(parts) | Fact::Any(parts) => {
                let deciding = matches!(fact, Fact::Any(_));
                match parts.iter().find(|part| value(part) == Some(deciding)) {
                    Some(part) => self.support(state, part, from),
                    None => parts.iter().for_each(|part| self.support(state, part, from)),
                }
            }
            Fact::Iff(a, b) => {
                self.support(state, a, from);
                self.support(state, b, from);
            }
            Fact::Count(_, _, parts) => {
                let known = parts.iter().filter(|part| value(part).is_some());
                known.for_each(|part| self.support(state, part, from));
            }
        }
    }

    /// Adds a fact that is no literal.
    fn note(&mut self, state: &mut State, fact: &Fact, reason: Reason, from: Vec<u32>) -> Option<u32> {
        let number = self.facts.other(fact);
        self.facts.learn(state, Finding::Other(number), reason, from)
    }

    /// Finds out what the claim says of somebody's knowledge; whether something new was found.
    fn learn_minds(&mut self, state: &mut State, effort: &mut Effort) -> Result<bool, GaveUp> {
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

    /// Closes the state, by cases if need be.
    pub(super) fn close(&mut self, state: &mut State, width: usize, effort: &mut Effort) -> Result<u32, GaveUp> {
        if let Some(end) = self.ends(state, effort)? {
            return Ok(end);
        }
        if !self.gathered {
            self.gathered = true;
            self.gather_lemmas(state, effort)?;
            if let Some(end) = self.ends(state, effort)? {
                return Ok(end);
            }
        }
        let mut tried: Vec<(usize, usize, Distinction)> = Vec::new();
        let mut best: Option<(usize, u32)> = None;
        for distinction in self.distinctions(state) {
            effort.spend_tries(TRIES)?;
            let (mut open, mut freedom) = (0, 0);
            let mut ends = Vec::new();
            for &assume in &distinction.cases {
                let (mut case, id) = self.suppose(state, assume);
                match self.ends(&mut case, effort)? {
                    Some(end) => ends.push((id, end)),
                    None => {
                        open += 1;
                        freedom += self.freedom(&case);
                    }
                }
            }
            if open == 0 {
                self.better(state, &distinction, ends, &mut best);
            } else if best.is_none() {
                tried.push((freedom, open, distinction));
            }
        }
        if let Some((_, end)) = best {
            return Ok(end);
        }
        // Where more than one distinction is needed, what is to be shown is best assumed to be false at once.
        let mut below = width.saturating_sub(2);
        if let Some(first) = tried.iter().position(|(_, _, d)| d.rule.is_none() && self.literal.is_some()) {
            tried = vec![tried.swap_remove(first)];
            below = width;
        }
        tried.sort_by_key(|t| (t.0, t.1));
        for (_, _, distinction) in tried.into_iter().take(width.max(1)) {
            let mut ends = Vec::new();
            for &assume in &distinction.cases {
                let (mut case, id) = self.suppose(state, assume);
                ends.push((id, self.close(&mut case, below, effort)?));
            }
            self.better(state, &distinction, ends, &mut best);
        }
        // With everything decided the premises would not entail the claim.
        best.map(|(_, end)| end).ok_or(GaveUp)
    }

    /// The state with an assumption, and its entry.
    pub(super) fn suppose(&mut self, state: &State, assume: Finding) -> (State, u32) {
        let mut case = state.clone();
        case.depth += 1;
        let id = self.facts.push(assume, Reason::Assumed, Vec::new(), case.depth);
        self.facts.adopt(&mut case, assume, id);
        (case, id)
    }

    /// Takes a distinction whose cases all end, if it is the best so far.
    fn better(
        &mut self,
        state: &State,
        distinction: &Distinction,
        ends: Vec<(u32, u32)>,
        best: &mut Option<(usize, u32)>,
    ) {
        let impossible = |&(_, end): &(u32, u32)| self.facts.entries[end as usize].fact == Finding::Impossible;
        let fact = match ends.iter().all(impossible) {
            true => Finding::Impossible,
            false => self.literal.unwrap_or(Finding::Goal),
        };
        let reason = Reason::Cases(distinction.rule.clone(), ends);
        let end = self.facts.push(fact, reason, distinction.from.clone(), state.depth);
        let cost = self.cost(end);
        if best.is_none_or(|(least, _)| cost < least) {
            *best = Some((cost, end));
        }
    }

    fn freedom(&self, state: &State) -> usize {
        let left = |card| self.facts.places(state, card).0.count_ones() as usize;
        self.facts.position.deck().cards().iter().map(|card| left(card).saturating_sub(1)).sum()
    }

    /// The distinctions that could help.
    fn distinctions(&self, state: &State) -> Vec<Distinction> {
        let facts = &self.facts;
        let deck = facts.position.deck();
        let mut all = Vec::new();
        for (card, place) in self.claim.spots() {
            if facts.known(state, card, place).is_none() {
                let cases = vec![Finding::At(card, place), Finding::Not(card, place)];
                all.push(Distinction { rule: None, cases, from: Vec::new() });
            }
        }
        for &(event, by, cards) in &facts.shows {
            if cards.iter().any(|c| facts.at(state, c, by.index()).is_some()) {
                continue;
            }
            let (left, from) = facts.candidates(state, cards, by.index());
            let cases = left.iter().map(|c| Finding::At(c, by.index())).collect();
            all.push(Distinction { rule: Some(Rule::OneLeft(event)), cases, from });
        }
        let used = |k| self.premises.contains(&Premise::Category(k));
        for category in (0..deck.categories()).filter(|&k| used(k)) {
            let (left, from) = facts.candidates(state, deck.category(category), facts.envelope);
            if (2..=3).contains(&left.len()) {
                let cases = left.iter().map(|c| Finding::At(c, facts.envelope)).collect();
                all.push(Distinction { rule: Some(Rule::OnlyOne(category)), cases, from });
            }
        }
        for card in deck.cards().iter() {
            let (left, from) = facts.places(state, card);
            if (2..=3).contains(&left.count_ones()) {
                let places = (0..=facts.envelope).filter(|p| left >> p & 1 == 1);
                let cases = places.map(|p| Finding::At(card, p)).collect();
                all.push(Distinction { rule: Some(Rule::Somewhere(card)), cases, from });
            }
        }
        self.shown_cards(state, &mut all);
        if all.is_empty() {
            // Rarely: every card may still be at four places or more.
            let open = deck.cards().iter().flat_map(|c| (0..=facts.envelope).map(move |p| (c, p)));
            if let Some((card, place)) = { open }.find(|&(c, p)| facts.known(state, c, p).is_none()) {
                let cases = vec![Finding::At(card, place), Finding::Not(card, place)];
                all.push(Distinction { rule: None, cases, from: Vec::new() });
            }
        }
        all
    }

    /// Which card was shown to a seat that later ended its turn, or whose knowledge matters.
    fn shown_cards(&self, state: &State, all: &mut Vec<Distinction>) {
        for &(event, by, cards) in self.facts.shows.iter().filter(|(event, _, _)| self.facts.telling.contains(event)) {
            if state.showed.iter().any(|s| s.0 == event) {
                continue;
            }
            let (left, from) = self.facts.showable(state, event, cards, by.index());
            let cases = left.iter().map(|c| Finding::Showed(event, c)).collect();
            all.push(Distinction { rule: Some(Rule::Showed(event)), cases, from });
        }
    }
}

/// The events in which it matters which card was shown: to a seat that later ended its turn, or whose knowledge is asked.
fn telling(position: &Position, premises: &[Premise], claim: &Fact) -> Vec<usize> {
    let minded = minded(claim);
    let shows = premises.iter().filter_map(|p| if let Premise::Show(event) = *p { Some(event) } else { None });
    let pending = position.events().len().checked_sub(1).filter(|_| position.is_pending());
    shows
        .filter(|&event| {
            let (asker, by, _) = question(position, event);
            let later = premises.iter().any(|p| match *p {
                Premise::Ended(end) => end > event && [asker, by].contains(&ender(position, end)),
                _ => false,
            });
            Some(event) != pending && (later || minded.has(asker) || minded.has(by))
        })
        .collect()
}

struct Distinction {
    rule: Option<Rule>,
    cases: Vec<Finding>,
    /// Why there are no other cases.
    from: Vec<u32>,
}

/// Who is said to know something, or not to.
fn minded(fact: &Fact) -> Seats {
    let own = match fact {
        Fact::Knows(seats, _) | Fact::Common(seats, _) => *seats,
        Fact::Atom(Atom::Solved(seat)) => Seats::of(*seat),
        _ => Seats::NONE,
    };
    fact.parts().into_iter().fold(own, |all, part| minded(part).iter().fold(all, Seats::with))
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
