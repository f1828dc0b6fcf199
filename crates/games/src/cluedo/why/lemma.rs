//! What the ends of turns say, as lemmas: with some facts in view, who ended its turn would have known the envelope.

use super::super::position::{Observed, Position};
use super::ended::{Effort, GaveUp, Lemma, Standpoint, accused, last_ends};
use super::propagate::{Facts, Finding, Inner, Reason, State};
use super::prove::{Prover, TRIES, WIDTH};
use super::rules::{Premise, Rule};
use crate::cards::CardSet;
use crate::cluedo::atoms::Fact;
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::Eyes;

/// What an end of a turn says: not all of these facts hold.
pub(super) struct Clause {
    /// The lemma that says so.
    pub(super) lemma: usize,
    pub(super) view: Vec<Finding>,
    /// About how many sentences that takes.
    pub(super) cost: usize,
}

/// About how many sentences the proof of a lemma takes that is not seen at a glance.
const HARD: usize = 12;

static NEVER: Fact = Fact::Const(false);

/// The envelope, if somebody with these premises and this view sees it before the event without telling cases apart.
pub(super) fn at_once(
    position: &Position,
    premises: &[Premise],
    view: &[Finding],
    event: usize,
    effort: &mut Effort,
) -> Result<Option<CardSet>, GaveUp> {
    effort.spend_tries(TRIES / 4)?;
    let view: Vec<(Finding, usize)> = view.iter().copied().zip(0..).collect();
    let (mut prover, mut state) = Prover::new(position, premises, &view, &NEVER, event, false, effort);
    prover.heed(effort);
    prover.facts.propagate(&mut state, &NEVER);
    Ok(prover.facts.envelope_of(&state))
}

/// The public premises that somebody could use before the event.
fn before(premises: &[Premise], event: usize) -> Vec<Premise> {
    premises.iter().copied().filter(|p| p.is_public() && p.event().is_none_or(|e| e < event)).collect()
}

pub(super) fn ender(position: &Position, event: usize) -> Seat {
    match position.events()[event] {
        Observed::Endmove { seat } => seat,
        other => unreachable!("a turn ended, not {other:?}"),
    }
}

impl Facts<'_> {
    /// Uses what the ends of turns say: where all but one of the facts are known with which somebody would have known the
    /// envelope, the last one is not so. Whether there was something new.
    pub(super) fn ended(&mut self, state: &mut State) -> bool {
        let mut best: Option<(usize, usize)> = None;
        for (at, clause) in self.clauses.iter().enumerate() {
            let known = |finding: &Finding| self.finding(state, *finding);
            let open = clause.view.iter().filter(|finding| known(finding).is_none()).count();
            let possible = clause.view.iter().all(|&finding| !self.denied(state, finding));
            if open <= 1 && possible && best.is_none_or(|(cost, _)| clause.cost < cost) {
                best = Some((clause.cost, at));
            }
        }
        let Some((_, at)) = best else { return false };
        let view = self.clauses[at].view.clone();
        let reason = Reason::Ended(self.clauses[at].lemma);
        let mut from: Vec<u32> = view.iter().filter_map(|&finding| self.finding(state, finding)).collect();
        let Some(&open) = view.iter().find(|&&finding| self.finding(state, finding).is_none()) else {
            return self.learn(state, Finding::Impossible, reason, from).is_some();
        };
        let assume = self.push(open, Reason::Assumed, Vec::new(), state.depth + 1);
        from.push(assume);
        let end = self.push(Finding::Impossible, reason, from, state.depth + 1);
        self.learn(state, open.opposite(), Reason::Cases(None, vec![(assume, end)]), Vec::new()).is_some()
    }

    /// Whether the finding, which is about cards, is known to be false.
    pub(super) fn denied(&self, state: &State, finding: Finding) -> bool {
        let elsewhere = |event, card| {
            let another = state.showed.iter().any(|s| s.0 == event && s.1 != card);
            another || self.not(state, card, self.shower(event).index()).is_some()
        };
        self.finding(state, finding.opposite()).is_some()
            || matches!(finding, Finding::Showed(event, card) if elsewhere(event, card))
    }

    /// The envelope, if it is known.
    pub(super) fn envelope_of(&self, state: &State) -> Option<CardSet> {
        let deck = self.position.deck();
        let found: CardSet =
            deck.cards().iter().filter(|&card| self.at(state, card, self.envelope).is_some()).collect();
        (state.clash.is_none() && deck.is_triple(found)).then_some(found)
    }
}

impl Prover<'_> {
    /// Takes over the lemmas that were found meanwhile.
    pub(super) fn heed(&mut self, effort: &Effort) {
        for lemma in self.heeded..effort.lemmas.len() {
            let Lemma { event, view, proof, .. } = &effort.lemmas[lemma];
            if self.premises.contains(&Premise::Ended(*event)) {
                let cost = proof.as_ref().map_or(HARD, |proof| 1 + proof.sentences());
                self.facts.clauses.push(Clause { lemma, view: view.clone(), cost });
            }
        }
        self.heeded = effort.lemmas.len();
    }

    /// Whether a seat would have known the envelope when it ended its turn, by what is known here: as it would have seen at
    /// a glance, or `exactly`. Then there is a new lemma, or the state is impossible.
    pub(super) fn would_have_known(
        &mut self,
        state: &mut State,
        exactly: bool,
        effort: &mut Effort,
    ) -> Result<bool, GaveUp> {
        let position = self.facts.position;
        for event in last_ends(position, &self.premises) {
            let seat = ender(position, event);
            if let Some(saw) = accused(position, &self.premises, seat, event)
                && self.premises.contains(&Premise::Wrong(saw))
            {
                let rule = Reason::Rule(Rule::EndedAfter(event, saw));
                self.facts.learn(state, Finding::Impossible, rule, Vec::new());
                return Ok(true);
            }
            let mut view = self.view(state, &[Eyes::Pooled(Seats::of(seat))], event);
            let key = (event, Fact::Const(exactly), view.iter().map(|(finding, _)| *finding).collect::<Vec<_>>());
            if effort.failed.contains(&key) {
                continue;
            }
            let premises = before(&self.premises, event);
            let knows = |view: &[Finding], effort: &mut Effort| match exactly {
                true => Standpoint::with(position, &premises, view).knows(None, effort),
                false => at_once(position, &premises, view, event, effort),
            };
            let Some(envelope) = knows(&key.2, effort)? else {
                effort.failed.insert(key);
                continue;
            };
            // What took longest to find is left out first.
            view.sort_by_key(|(_, id)| *id);
            let mut view: Vec<Finding> = view.into_iter().map(|(finding, _)| finding).collect();
            for i in (0..view.len()).rev() {
                let fact = view.remove(i);
                if knows(&view, effort)?.is_none() {
                    view.insert(i, fact);
                }
            }
            self.add(Lemma { event, view, envelope, proof: None }, effort)?;
            return Ok(true);
        }
        Ok(false)
    }

    fn add(&mut self, lemma: Lemma, effort: &mut Effort) -> Result<(), GaveUp> {
        effort.lemmas.push(lemma);
        self.prove_lemma(effort.lemmas.len() - 1, false, effort)?;
        self.heed(effort);
        Ok(())
    }

    /// Finds the lemmas that exclude, together with the premises, what is known here.
    pub(super) fn gather_lemmas(&mut self, state: &State, effort: &mut Effort) -> Result<(), GaveUp> {
        if !self.premises.iter().any(|p| matches!(p, Premise::Ended(_))) || !self.claim.is_about_cards() {
            return Ok(());
        }
        let mut state = state.clone();
        if let Some(literal) = self.literal {
            state = self.suppose(&state, literal.opposite()).0;
            self.facts.propagate(&mut state, self.claim);
        }
        if state.clash.is_some() {
            return Ok(());
        }
        let known = self.facts.findings(&state);
        let first = effort.lemmas.len();
        let open = Standpoint::with(self.facts.position, &self.premises, &known).find(self.claim, None, effort)?;
        if open.is_some() {
            return Err(GaveUp);
        }
        for lemma in first..effort.lemmas.len() {
            if self.premises.contains(&Premise::Ended(effort.lemmas[lemma].event)) {
                self.prove_lemma(lemma, false, effort)?;
            }
        }
        self.heed(effort);
        Ok(())
    }

    /// Finds the proof of a lemma; without telling cases apart unless it is `needed`.
    fn prove_lemma(&mut self, lemma: usize, needed: bool, effort: &mut Effort) -> Result<(), GaveUp> {
        let Lemma { event, view, envelope, proof } = &effort.lemmas[lemma];
        if proof.is_some() {
            return Ok(());
        }
        let (event, what) = (*event, self.envelope_fact(*envelope));
        let view: Vec<(Finding, usize)> = view.iter().copied().zip(0..).collect();
        let premises = before(&self.premises, event);
        let (mut inside, mut there) = Prover::new(self.facts.position, &premises, &view, &what, event, false, effort);
        let mut end = inside.ends(&mut there, effort)?;
        if end.is_none() && needed {
            end = Some(inside.close(&mut there, WIDTH - 1, effort)?);
        }
        if let Some(end) = end {
            effort.lemmas[lemma].proof = Some(inside.inner(end, effort)?);
        }
        Ok(())
    }

    /// Finds the proofs of the lemmas on which the end rests.
    pub(super) fn prove_lemmas(&mut self, end: u32, effort: &mut Effort) -> Result<(), GaveUp> {
        for lemma in self.lemmas_used(end) {
            self.prove_lemma(lemma, true, effort)?;
            let Lemma { event, view, envelope, proof } = &effort.lemmas[lemma];
            let proof = proof.clone().unwrap_or_default();
            let known = self.envelope_fact(*envelope);
            self.proved.insert(lemma, Proved { premise: Premise::Ended(*event), view: view.clone(), known, proof });
        }
        Ok(())
    }
}

/// A lemma with its proof.
pub(super) struct Proved {
    pub(super) premise: Premise,
    pub(super) view: Vec<Finding>,
    pub(super) known: Fact,
    pub(super) proof: Inner,
}
