//! The search for a short proof from given premises.

use super::super::position::Position;
use super::ended::{Effort, GaveUp, question};
use super::lemma::{Proved, ender};
use super::propagate::{Facts, Finding, Inner, Reason, State};
use super::rules::{Premise, Rule};
use crate::cluedo::atoms::{Atom, Fact};
use crate::knowledge::Seats;
use crate::knowledge::proof::NOW;
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

/// How many distinctions are made for ends of turns that nearly say something.
const NEARLY: usize = 8;

/// How many entries a search may have.
const ENTRIES: usize = 1 << 24;

pub(super) struct Prover<'p> {
    pub(super) facts: Facts<'p>,
    pub(super) premises: Vec<Premise>,
    pub(super) claim: &'p Fact,
    /// The claim as a finding, if it is about one spot.
    pub(super) literal: Option<Finding>,
    /// Before which event the reasoning is done.
    pub(super) before: usize,
    /// Whether it is the observer who reasons.
    pub(super) own: bool,
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
pub(super) type Tried<T> = Result<Option<T>, GaveUp>;

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
        let literal = literal(claim);
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
            if !self.learn_minds(state, effort)? && !self.would_have_known(state, false, effort)? {
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
    pub(super) fn support(&self, state: &State, fact: &Fact, from: &mut Vec<u32>) {
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
    pub(super) fn note(&mut self, state: &mut State, fact: &Fact, reason: Reason, from: Vec<u32>) -> Option<u32> {
        let number = self.facts.other(fact);
        self.facts.learn(state, Finding::Other(number), reason, from)
    }

    /// Closes the state, by cases if need be.
    pub(super) fn close(&mut self, state: &mut State, width: usize, effort: &mut Effort) -> Result<u32, GaveUp> {
        if let Some(end) = self.ends(state, effort)? {
            return Ok(end);
        }
        if let Fact::All(parts) = self.claim
            && parts.iter().all(|part| literal(part).is_some())
        {
            return self.close_each(state, parts, width, effort);
        }
        if !self.gathered {
            self.gathered = true;
            self.gather_lemmas(state, effort)?;
            if let Some(end) = self.ends(state, effort)? {
                return Ok(end);
            }
        }
        if effort.exactly
            && self.would_have_known(state, true, effort)?
            && let Some(end) = self.ends(state, effort)?
        {
            return Ok(end);
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
        if let Some(first) =
            tried.iter().position(|(_, _, d)| d.rule.is_none() && self.literal.is_some_and(|l| d.cases.contains(&l)))
        {
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

    /// Closes the state for one part of the claim after the other, so that cases are told apart only for what needs them.
    fn close_each(
        &mut self,
        state: &mut State,
        parts: &'p [Fact],
        width: usize,
        effort: &mut Effort,
    ) -> Result<u32, GaveUp> {
        let whole = self.claim;
        for part in parts {
            if self.facts.value(state, part) == Some(true) {
                continue;
            }
            (self.claim, self.literal, self.gathered) = (part, literal(part), false);
            let end = self.close(&mut state.clone(), width, effort);
            (self.claim, self.literal) = (whole, None);
            let end = end?;
            let found = self.facts.entries[end as usize].fact;
            self.facts.adopt(state, found, end);
            if let Some(end) = self.ends(state, effort)? {
                return Ok(end);
            }
        }
        Err(GaveUp)
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
        let left = |card| self.facts.left(state, card).count_ones() as usize;
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
        self.nearly_known(state, &mut all);
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

    /// Whether somebody who ended its turn had a card with which, and with few others, it would have known the envelope.
    fn nearly_known(&self, state: &State, all: &mut Vec<Distinction>) {
        let mut spots: Vec<Finding> = Vec::new();
        for clause in &self.facts.clauses {
            let open = |finding: &&Finding| self.facts.finding(state, **finding).is_none();
            let left: Vec<Finding> = clause.view.iter().filter(open).copied().collect();
            let possible = clause.view.iter().all(|&finding| !self.facts.denied(state, finding));
            for finding in left.iter().filter(|_| possible && left.len() == 2) {
                if let Finding::At(card, place) | Finding::Not(card, place) = *finding {
                    spots.push(Finding::At(card, place));
                }
            }
        }
        spots.sort_unstable();
        spots.dedup();
        for &spot in spots.iter().take(NEARLY) {
            all.push(Distinction { rule: None, cases: vec![spot, spot.opposite()], from: Vec::new() });
        }
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

/// What the claim says, if it is about one spot.
fn literal(claim: &Fact) -> Option<Finding> {
    match claim {
        Fact::Atom(Atom::At(card, place)) => Some(Finding::At(*card, *place)),
        Fact::Not(inner) => match **inner {
            Fact::Atom(Atom::At(card, place)) => Some(Finding::Not(card, place)),
            _ => None,
        },
        _ => None,
    }
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
