//! Questions, with what would be true after actions that were not played.

use super::layer::{Layer, check, checker, extended};
use super::{CannotUnfold, Unfold};
use crate::game::{Game, Seat};
use ken_logic::formula::{F, Formula, Name};
use ken_logic::model::BitSet;

/// A formula over the atoms of an unfolding, in which some names stand for what would be true after an action.
///
/// The names are the asker's, and go before atoms that are called the same: how such a formula is written is not the
/// business of an unfolding. So *seat 0 knows that,
/// whatever it is told, it will know whether p* is the formula `K[0] w` with `w` for [`WhatIf::every`] of an action and
/// `Kw[0] p`.
#[derive(Clone, Debug)]
pub struct Ask<A> {
    formula: F,
    named: Vec<(Name, WhatIf<A>)>,
}

/// What would be true if an action were played now.
///
/// It is judged in the next layer, where every history of this one has been continued by all its options: what a seat knows
/// there is what it would know after its sight of the action. Where the action is not an option, it does not happen: then
/// all that would be true after it is true of every continuation, and nothing of some.
#[derive(Clone, Debug)]
pub struct WhatIf<A> {
    by: Option<Seat>,
    action: A,
    every: bool,
    then: Box<Ask<A>>,
}

impl<A> From<F> for Ask<A> {
    /// The formula as it is.
    fn from(formula: F) -> Ask<A> {
        Ask { formula, named: Vec::new() }
    }
}

impl<A> Ask<A> {
    /// The question in which the name stands for this.
    #[must_use]
    pub fn naming(mut self, name: impl Into<Name>, what_if: WhatIf<A>) -> Ask<A> {
        self.named.push((name.into(), what_if));
        self
    }

    /// The formula, with the names.
    pub fn formula(&self) -> &F {
        &self.formula
    }

    /// What the names stand for.
    pub fn named(&self) -> &[(Name, WhatIf<A>)] {
        &self.named
    }
}

impl<A> WhatIf<A> {
    /// `[action] then`: it is true after the action, or the action cannot be played.
    pub fn every(action: A, then: impl Into<Ask<A>>) -> WhatIf<A> {
        WhatIf { by: None, action, every: true, then: Box::new(then.into()) }
    }

    /// `<action> then`: the action can be played, and then it is true.
    pub fn some(action: A, then: impl Into<Ask<A>>) -> WhatIf<A> {
        WhatIf { every: false, ..WhatIf::every(action, then) }
    }

    /// Played by this seat: where another one is to move, the action cannot be played.
    #[must_use]
    pub fn by(mut self, seat: Seat) -> WhatIf<A> {
        self.by = Some(seat);
        self
    }

    /// Who plays, if it must be a certain seat.
    pub fn seat(&self) -> Option<Seat> {
        self.by
    }

    /// What is played.
    pub fn action(&self) -> &A {
        &self.action
    }

    /// Whether it says what is true after every way to play the action, and not that there is one.
    pub fn is_every(&self) -> bool {
        self.every
    }

    /// What would be true.
    pub fn then(&self) -> &Ask<A> {
        &self.then
    }

    /// This by itself, as a question.
    pub fn ask(self) -> Ask<A> {
        Ask::from(Formula::atom(ALONE)).naming(ALONE, self)
    }
}

/// The name of a what-if that is the whole question.
const ALONE: &str = "then";

impl<G: Game> Unfold<'_, G> {
    /// Where it is true: what would be true after actions becomes a proposition of this layer, from the inside out.
    pub(super) fn truth(&self, layer: &mut Layer<G>, ask: &Ask<G::Action>) -> Result<BitSet, CannotUnfold> {
        if ask.named.is_empty() {
            return layer.truth(&ask.formula);
        }
        let mut named = Vec::with_capacity(ask.named.len());
        for (name, what_if) in &ask.named {
            named.push((name.clone(), self.after(layer, what_if)?));
        }
        let model = extended(&layer.model, &named);
        check(&mut checker(&model), &model, &ask.formula)
    }

    /// Where it would be true after the action.
    fn after(&self, layer: &mut Layer<G>, what_if: &WhatIf<G::Action>) -> Result<BitSet, CannotUnfold> {
        if self.game.is_open(&what_if.action) && !self.open.contains(&what_if.action) {
            return Err(CannotUnfold::NoOption(format!("{:?}", what_if.action)));
        }
        let turns: Vec<bool> = layer.histories.iter().map(|h| self.is_turn(h.state(), what_if.by)).collect();
        let (mut next, found) = self.next(layer, |at, action| turns[at] && *action == what_if.action)?;
        let then = if found.is_empty() { BitSet::empty(0) } else { self.truth(&mut next, &what_if.then)? };
        let mut reached = if what_if.every { BitSet::full(turns.len()) } else { BitSet::empty(turns.len()) };
        for place in found {
            match (what_if.every, then.contains(place)) {
                (true, false) => reached.remove(next.before[place]),
                (false, true) => reached.insert(next.before[place]),
                (true, true) | (false, false) => {}
            }
        }
        Ok(reached)
    }
}
