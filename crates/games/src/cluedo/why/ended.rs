//! Worlds after announced endmoves: deals, with the card shown each time, in which nobody who ended its turn knew the
//! envelope.
//!
//! A standpoint is what one seat can use: public premises, and what it knows by itself. What a seat knew when it ended its
//! turn is asked of *its* standpoint then, in each world anew.

use super::super::position::{Deal, Observed, Position, World};
use super::claim::Claim;
use super::proof::{Fact, Premise};
use super::search::Problem;
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use rustc_hash::FxHashMap;

/// The search would have taken too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp;

/// How much may still be tried, and what was found out on the way.
pub(super) struct Effort {
    left: u64,
    /// Whether a seat with this view before this event knew the envelope, from the premises of the present question.
    knew: FxHashMap<(usize, Vec<Fact>), bool>,
}

impl Effort {
    pub(super) fn new(left: u64) -> Effort {
        Effort { left, knew: FxHashMap::default() }
    }

    pub(super) fn spend(&mut self) -> Result<(), GaveUp> {
        self.left = self.left.checked_sub(1).ok_or(GaveUp)?;
        Ok(())
    }
}

/// What one seat can use.
pub(super) struct Standpoint<'p> {
    position: &'p Position,
    pub(super) premises: Vec<Premise>,
    /// What the seat knows of its own hand and of cards shown to it or by it.
    view: Vec<Fact>,
}

impl<'p> Standpoint<'p> {
    /// The observer's own, with these premises: a new question.
    pub(super) fn top(position: &'p Position, premises: &[Premise], effort: &mut Effort) -> Standpoint<'p> {
        effort.knew.clear();
        Standpoint { position, premises: premises.to_vec(), view: Vec::new() }
    }

    /// That of a seat with this view before an event.
    pub(super) fn of(position: &'p Position, premises: &[Premise], view: &[Fact], until: usize) -> Standpoint<'p> {
        let public = |p: &Premise| match p {
            Premise::Hand | Premise::Shown(_) | Premise::Saw(_) => false,
            other => other.event().is_none_or(|e| e < until),
        };
        let premises = premises.iter().copied().filter(public).collect();
        Standpoint { position, premises, view: view.to_vec() }
    }

    /// The envelope, if the seat knows it. A deal that fits makes the search shorter.
    pub(super) fn knows(&self, near: Option<&Deal>, effort: &mut Effort) -> Result<Option<CardSet>, GaveUp> {
        let Some(World { deal, .. }) = self.find(&Claim::Const(false), near, effort)? else { return Ok(None) };
        let (deck, place) = (self.position.deck(), self.position.seats() as usize);
        let mut envelope = CardSet::EMPTY;
        for category in 0..deck.categories() {
            // Where the rule of one card for each category is left out, there may be several.
            let mut known = None;
            for card in deal.envelope().and(deck.category(category)).iter() {
                if self.find(&Claim::At(card, place), Some(&deal), effort)?.is_none() {
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
    pub(super) fn find(
        &self,
        claim: &Claim,
        near: Option<&Deal>,
        effort: &mut Effort,
    ) -> Result<Option<World>, GaveUp> {
        let mut problem = Problem::of(self.position, &self.premises);
        for &fact in &self.view {
            match fact {
                Fact::At(card, place) => problem.put(card, place, true),
                Fact::Not(card, place) => problem.put(card, place, false),
                Fact::Showed(event, card) => problem.put(card, question(self.position, event).1.index(), true),
                Fact::Claim | Fact::Impossible => unreachable!("a view is about cards"),
            }
        }
        if self.premises.iter().all(|p| !matches!(p, Premise::Ended(_))) {
            return Ok(problem.against(claim, near).map(|deal| World { deal, shown: Vec::new() }));
        }
        self.among(&problem, claim, near, effort)
    }

    /// The same among the deals of a problem.
    fn among(
        &self,
        problem: &Problem,
        claim: &Claim,
        near: Option<&Deal>,
        effort: &mut Effort,
    ) -> Result<Option<World>, GaveUp> {
        effort.spend()?;
        let Some(deal) = problem.against(claim, near) else { return Ok(None) };
        if let Some(shown) = self.survives(&deal, effort)? {
            return Ok(Some(World { deal, shown }));
        }
        let places = self.position.seats() as usize + 1;
        for part in problem.parts(places) {
            if let Some(found) = self.among(&part, claim, Some(&deal), effort)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// A choice of shown cards that makes the deal a world that no endmove excludes.
    fn survives(&self, deal: &Deal, effort: &mut Effort) -> Result<Option<Vec<(usize, Card)>>, GaveUp> {
        let mut events: Vec<usize> = (self.premises.iter())
            .filter(|p| matches!(p, Premise::Show(_) | Premise::Shown(_) | Premise::Ended(_)))
            .filter_map(|p| p.event())
            .collect();
        events.sort_unstable();
        events.dedup();
        let mut shown = Vec::new();
        Ok(self.choose(deal, &events, &mut shown, effort)?.then_some(shown))
    }

    /// Extends the choice over these events; it is complete if that succeeds, and as before if not.
    fn choose(
        &self,
        deal: &Deal,
        events: &[usize],
        showed: &mut Vec<(usize, Card)>,
        effort: &mut Effort,
    ) -> Result<bool, GaveUp> {
        let Some((&event, rest)) = events.split_first() else { return Ok(true) };
        if let Observed::Endmove { seat } = self.position.events()[event] {
            return Ok(!self.knew(deal, seat, event, showed, effort)? && self.choose(deal, rest, showed, effort)?);
        }
        let (_, by, cards) = question(self.position, event);
        for card in deal.hand(by).and(cards).and(self.seen(event).unwrap_or(cards)).iter() {
            showed.push((event, card));
            if self.choose(deal, rest, showed, effort)? {
                return Ok(true);
            }
            showed.pop();
        }
        Ok(false)
    }

    /// The card shown in this event, if the seat of this standpoint saw it.
    fn seen(&self, event: usize) -> Option<CardSet> {
        let viewed = self.view.iter().find_map(|fact| match *fact {
            Fact::Showed(e, card) if e == event => Some(CardSet::of(card)),
            _ => None,
        });
        let shown = match self.position.events()[event] {
            Observed::Ask { shown, .. } if self.premises.contains(&Premise::Shown(event)) => shown.map(CardSet::of),
            _ => None,
        };
        viewed.or(shown)
    }

    /// Whether in this world the seat knew the envelope before this event.
    fn knew(
        &self,
        deal: &Deal,
        seat: Seat,
        event: usize,
        showed: &[(usize, Card)],
        effort: &mut Effort,
    ) -> Result<bool, GaveUp> {
        if accused(self.position, &self.premises, seat, event).is_some() {
            return Ok(true);
        }
        let own = |card: Card| match deal.hand(seat).has(card) {
            true => Fact::At(card, seat.index()),
            false => Fact::Not(card, seat.index()),
        };
        let mut view: Vec<Fact> = self.position.deck().cards().iter().map(own).collect();
        for &(e, card) in showed {
            let (asker, by, _) = question(self.position, e);
            if e < event && [asker, by].contains(&seat) {
                view.push(Fact::Showed(e, card));
            }
        }
        let key = (event, view);
        if let Some(&knew) = effort.knew.get(&key) {
            return Ok(knew);
        }
        let knew = Standpoint::of(self.position, &self.premises, &key.1, event).knows(Some(deal), effort)?.is_some();
        effort.knew.insert(key, knew);
        Ok(knew)
    }
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
