//! Worlds after announced endmoves: deals, with the card shown each time, in which nobody who ended its turn knew the
//! envelope.
//!
//! A standpoint is what one seat can use: public premises, and what it knows by itself. What a seat knew when it ended its
//! turn is asked of *its* standpoint then, in each world anew.

use super::super::position::{Deal, Observed, Position, World};
use super::lemma::at_once;
use super::propagate::{Finding, Inner};
use super::rules::Premise;
use super::search::Problem;
use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::Fact;
use crate::game::Seat;
use crate::knowledge::Budget;
use ken_logic::stop;
use rustc_hash::FxHashSet;

/// The search would have taken too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp;

/// What a try costs of a [`Budget`], whose steps are of about a microsecond.
const STEPS: u64 = 10;

/// Facts that no world shares in which the opposite is so.
type Reason = Vec<Finding>;

/// What an end of a turn says: not all facts of the view hold, for with them its seat would have known the envelope.
pub(super) struct Lemma {
    /// The event in which the turn ended.
    pub(super) event: usize,
    pub(super) view: Vec<Finding>,
    pub(super) envelope: CardSet,
    /// How the seat would have known it, once that was needed. The facts of the view have their places in it as numbers.
    pub(super) proof: Option<Inner>,
}

/// How much may still be tried, and what was found out on the way about the premises of the present question.
pub(super) struct Effort {
    left: u64,
    /// The steps that there were.
    begun: u64,
    /// Views of a seat before this event from which the envelope does not follow.
    ignorant: FxHashSet<(usize, Vec<Finding>)>,
    /// What the ends of turns say, as far as it was needed.
    pub(super) lemmas: Vec<Lemma>,
    /// What does not follow, as far as was tried, from the public premises before an event and a view.
    pub(super) failed: FxHashSet<(usize, Fact, Vec<Finding>)>,
    /// In which order premises are left out of what somebody uses.
    pub(super) order: u64,
    /// Whether to find out exactly, in every case, who would have known the envelope: for some proofs shorter, for others
    /// too costly.
    pub(super) exactly: bool,
    /// How many searches have been begun, those inside others counted.
    pub(super) searches: usize,
}

impl Effort {
    /// As much as the budget allows.
    pub(super) fn new(budget: &Budget) -> Effort {
        Effort {
            left: budget.steps / STEPS,
            begun: budget.steps,
            ignorant: FxHashSet::default(),
            lemmas: Vec::new(),
            failed: FxHashSet::default(),
            order: 0,
            exactly: false,
            searches: 0,
        }
    }

    /// Begins anew with what is left, for other premises.
    pub(super) fn forget(&mut self) {
        self.ignorant.clear();
        self.lemmas.clear();
        self.failed.clear();
    }

    pub(super) fn spend(&mut self) -> Result<(), GaveUp> {
        self.spend_tries(1)
    }

    /// Something that takes as long as so many tries.
    pub(super) fn spend_tries(&mut self, tries: u64) -> Result<(), GaveUp> {
        let left = self.left.checked_sub(tries).filter(|_| !stop::asked());
        self.left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(GaveUp)
    }

    /// The steps spent so far.
    pub(super) fn spent(&self) -> u64 {
        self.begun - self.left * STEPS
    }

    /// Whether there is nothing left, so that what was not found may be there.
    pub(super) fn is_spent(&self) -> bool {
        self.left == 0
    }
}

/// What one seat can use.
pub(super) struct Standpoint<'p> {
    position: &'p Position,
    pub(super) premises: Vec<Premise>,
    /// What the seat knows of its own hand and of cards shown to it or by it.
    view: Vec<Finding>,
}

impl<'p> Standpoint<'p> {
    /// The observer's own, with these premises: a new question.
    pub(super) fn top(position: &'p Position, premises: &[Premise], effort: &mut Effort) -> Standpoint<'p> {
        effort.forget();
        Standpoint { position, premises: premises.to_vec(), view: Vec::new() }
    }

    /// Somebody's, with these premises and this view.
    pub(super) fn with(position: &'p Position, premises: &[Premise], view: &[Finding]) -> Standpoint<'p> {
        Standpoint { position, premises: premises.to_vec(), view: view.to_vec() }
    }

    /// That of a seat with this view before an event.
    pub(super) fn of(position: &'p Position, premises: &[Premise], view: &[Finding], until: usize) -> Standpoint<'p> {
        let public = |p: &Premise| match p {
            Premise::Hand | Premise::Shown(_) | Premise::Saw(_) => false,
            other => other.event().is_none_or(|e| e < until),
        };
        let premises = premises.iter().copied().filter(public).collect();
        Standpoint { position, premises, view: view.to_vec() }
    }

    /// The envelope, if the seat knows it. A deal that fits makes the search shorter.
    pub(super) fn knows(&self, near: Option<&Deal>, effort: &mut Effort) -> Result<Option<CardSet>, GaveUp> {
        let Some(World { deal, .. }) = self.find(&Fact::Const(false), near, effort)? else { return Ok(None) };
        let (deck, place) = (self.position.deck(), self.position.seats() as usize);
        let mut envelope = CardSet::EMPTY;
        for category in 0..deck.categories() {
            // Where the rule of one card for each category is left out, there may be several.
            let mut known = None;
            for card in deal.envelope().and(deck.category(category)).iter() {
                if self.find(&Fact::at(card, place), Some(&deal), effort)?.is_none() {
                    known = Some(card);
                    break;
                }
            }
            match known {
                Some(card) => envelope = envelope.with(card),
                None => return Ok(None),
            }
        }
        Ok(Some(envelope))
    }

    /// A deal that can be, as far as the seat knows, and in which the claim is false; near a given one if it is easy.
    pub(super) fn find(&self, claim: &Fact, near: Option<&Deal>, effort: &mut Effort) -> Result<Option<World>, GaveUp> {
        effort.spend()?;
        let mut problem = Problem::of(self.position, &self.premises);
        for &fact in &self.view {
            match fact {
                Finding::At(card, place) => problem.put(card, place, true),
                Finding::Not(card, place) => problem.put(card, place, false),
                Finding::Showed(event, card) => problem.put(card, question(self.position, event).1.index(), true),
                // Which of several cards was shown is no matter of the deal.
                Finding::Hidden(..) => {}
                Finding::Other(_) | Finding::Goal | Finding::Impossible => unreachable!("a view is about cards"),
            }
        }
        if self.premises.iter().all(|p| !matches!(p, Premise::Ended(_))) {
            return Ok(problem.against(claim, near).map(|deal| World { deal, shown: Vec::new() }));
        }
        let mut events: Vec<usize> = (self.premises.iter())
            .filter(|p| matches!(p, Premise::Show(_) | Premise::Shown(_)))
            .filter_map(|p| p.event())
            .collect();
        events.extend(last_ends(self.position, &self.premises));
        events.sort_unstable();
        events.dedup();
        self.among(problem, &events, claim, near, effort)
    }

    /// The same among the deals of a problem, after the shows and ends of turns of these events.
    fn among(
        &self,
        mut problem: Problem,
        events: &[usize],
        claim: &Fact,
        near: Option<&Deal>,
        effort: &mut Effort,
    ) -> Result<Option<World>, GaveUp> {
        effort.spend()?;
        let Some(deal) = problem.against(claim, near) else { return Ok(None) };
        let mut shown = Vec::new();
        let Some(reason) = self.excluded(&deal, events, &mut shown, effort)? else {
            return Ok(Some(World { deal, shown }));
        };
        // What shares the reason is excluded as well: the rest is taken apart along it.
        for fact in reason {
            let (card, place, there) = match fact {
                Finding::At(card, place) => (card, place, true),
                Finding::Not(card, place) => (card, place, false),
                Finding::Showed(..) | Finding::Hidden(..) | Finding::Other(_) | Finding::Goal | Finding::Impossible => {
                    unreachable!("a deal is about where cards are")
                }
            };
            if problem.decided(card, place) == Some(there) {
                continue;
            }
            let mut part = problem.clone();
            part.put(card, place, !there);
            if let Some(found) = self.among(part, events, claim, Some(&deal), effort)? {
                return Ok(Some(found));
            }
            problem.put(card, place, there);
        }
        Ok(None)
    }

    /// Why the ends of turns exclude the deal whatever was shown in these events; or nothing, and the choice of shown
    /// cards is extended to one that they do not exclude.
    fn excluded(
        &self,
        deal: &Deal,
        events: &[usize],
        showed: &mut Vec<(usize, Card)>,
        effort: &mut Effort,
    ) -> Result<Option<Reason>, GaveUp> {
        let Some((&event, rest)) = events.split_first() else { return Ok(None) };
        if let Observed::Endmove { seat } = self.position.events()[event] {
            return match self.knew(deal, seat, event, showed, effort)? {
                None => self.excluded(deal, rest, showed, effort),
                reason => Ok(reason),
            };
        }
        let (_, by, cards) = question(self.position, event);
        let mut whole = Vec::new();
        for card in self.seen(event).unwrap_or(cards).iter() {
            if self.view.contains(&Finding::Hidden(event, card)) {
                continue;
            }
            if !deal.hand(by).has(card) {
                whole.push(Finding::Not(card, by.index()));
                continue;
            }
            showed.push((event, card));
            let Some(mut reason) = self.excluded(deal, rest, showed, effort)? else { return Ok(None) };
            showed.pop();
            let before = reason.len();
            reason.retain(|&fact| fact != Finding::Showed(event, card));
            if reason.len() == before {
                // Whatever was shown here.
                return Ok(Some(reason));
            }
            whole.extend(reason);
        }
        whole.sort_unstable();
        whole.dedup();
        Ok(Some(whole))
    }

    /// The card shown in this event, if the seat of this standpoint saw it.
    fn seen(&self, event: usize) -> Option<CardSet> {
        let viewed = self.view.iter().find_map(|fact| match *fact {
            Finding::Showed(e, card) if e == event => Some(CardSet::of(card)),
            _ => None,
        });
        let shown = match self.position.events()[event] {
            Observed::Ask { shown, .. } if self.premises.contains(&Premise::Shown(event)) => shown.map(CardSet::of),
            _ => None,
        };
        viewed.or(shown)
    }

    /// Why the seat knew the envelope before this event in this world, if it did: a part of its view.
    fn knew(
        &self,
        deal: &Deal,
        seat: Seat,
        event: usize,
        showed: &[(usize, Card)],
        effort: &mut Effort,
    ) -> Result<Option<Reason>, GaveUp> {
        if accused(self.position, &self.premises, seat, event).is_some() {
            return Ok(Some(Vec::new()));
        }
        let own = |card: Card| match deal.hand(seat).has(card) {
            true => Finding::At(card, seat.index()),
            false => Finding::Not(card, seat.index()),
        };
        let mut view: Vec<Finding> = self.position.deck().cards().iter().map(own).collect();
        for &(e, card) in showed {
            let (asker, by, _) = question(self.position, e);
            if e < event && [asker, by].contains(&seat) {
                view.push(Finding::Showed(e, card));
            }
        }
        let fits = |lemma: &&Lemma| lemma.event == event && lemma.view.iter().all(|f| view.contains(f));
        if let Some(lemma) = effort.lemmas.iter().find(fits) {
            return Ok(Some(lemma.view.clone()));
        }
        let key = (event, view);
        if effort.ignorant.contains(&key) {
            return Ok(None);
        }
        let then = Standpoint::of(self.position, &self.premises, &key.1, event);
        let Some(envelope) = then.knows(Some(deal), effort)? else {
            effort.ignorant.insert(key);
            return Ok(None);
        };
        let view = self.reason(then, key.1, event, deal, effort)?;
        effort.lemmas.push(Lemma { event, view: view.clone(), envelope, proof: None });
        Ok(Some(view))
    }

    /// A part of a view from which the envelope follows for somebody before this event: at a glance, if it does so from the
    /// whole view. What is known here is kept rather than other facts.
    fn reason(
        &self,
        mut then: Standpoint,
        mut view: Vec<Finding>,
        event: usize,
        deal: &Deal,
        effort: &mut Effort,
    ) -> Result<Reason, GaveUp> {
        view.sort_by_key(|&finding| (!self.view.contains(&finding), rank(finding)));
        let (position, premises) = (self.position, then.premises.clone());
        let glance = at_once(position, &premises, &view, event, effort)?.is_some();
        for i in (0..view.len()).rev() {
            let fact = view.remove(i);
            let enough = match glance {
                true => at_once(position, &premises, &view, event, effort)?.is_some(),
                false => {
                    then.view.clone_from(&view);
                    then.knows(Some(deal), effort)?.is_some()
                }
            };
            if !enough {
                view.insert(i, fact);
            }
        }
        Ok(view)
    }
}

/// Which facts of a view are kept rather than others: those that say most.
fn rank(finding: Finding) -> u8 {
    match finding {
        Finding::At(..) => 0,
        Finding::Not(..) => 1,
        Finding::Showed(..) => 2,
        Finding::Hidden(..) | Finding::Other(_) | Finding::Goal | Finding::Impossible => 3,
    }
}

/// The last end of a turn of each seat: who does not know the envelope then did not know it before.
pub(super) fn last_ends(position: &Position, premises: &[Premise]) -> Vec<usize> {
    let mut last: Vec<(Seat, usize)> = Vec::new();
    for premise in premises {
        let &Premise::Ended(event) = premise else { continue };
        let Observed::Endmove { seat } = position.events()[event] else { continue };
        match last.iter_mut().find(|(of, _)| *of == seat) {
            Some((_, latest)) => *latest = event.max(*latest),
            None => last.push((seat, event)),
        }
    }
    last.into_iter().map(|(_, event)| event).collect()
}

/// The wrong accusation that told the seat the envelope before this event.
pub(super) fn accused(position: &Position, premises: &[Premise], seat: Seat, event: usize) -> Option<usize> {
    (0..event).find(|&e| match position.events()[e] {
        Observed::Accuse { seat: by, correct: false, .. } => {
            by == seat && (premises.contains(&Premise::Wrong(e)) || premises.contains(&Premise::Saw(e)))
        }
        _ => false,
    })
}

/// Who asked, who showed, and for what.
pub(super) fn question(position: &Position, event: usize) -> (Seat, Seat, CardSet) {
    match position.events()[event] {
        Observed::Ask { asker, answer: Some(by), cards, .. } => (asker, by, cards),
        other => unreachable!("a card was shown, not {other:?}"),
    }
}
