//! What the players that guess have in common: a guesser fed with what one seat sees.

use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::eleusis::deck::Deck;
use crate::eleusis::guess::{Guesser, Meaning, Plan};
use crate::eleusis::moves::{Action, Sight, What};
use crate::eleusis::rule::Rule;
use crate::eleusis::table::Eleusis;
use crate::eleusis::view::Desk;
use crate::game::Seat;
use std::sync::Arc;

/// A seat's desk and its guesser. The guesser thinks of the standard deck; over another deck there is none, and the
/// player plays what it sees.
pub(super) struct Mind<G: Eleusis> {
    pub(super) game: G,
    pub(super) desk: Desk,
    pub(super) dice: Dice,
    guesser: Option<Guesser>,
    /// What it would do, until something new is seen.
    plan: Option<Plan>,
}

impl<G: Eleusis> Mind<G> {
    pub(super) fn new(game: &G, seed: u64) -> Mind<G> {
        Mind { game: game.clone(), desk: Desk::new(game, Seat(0)), dice: Dice::new(seed), guesser: None, plan: None }
    }

    pub(super) fn watch(&mut self, sight: &Sight) {
        if let What::Begun { seat: Some(seat), .. } = sight.what {
            self.desk.seat = seat;
        }
        self.desk.watch(&self.game, sight);
        self.plan = None;
        match &sight.what {
            What::Dealt { starter, .. } => {
                let standard = *self.game.table().deck() == Deck::STANDARD;
                self.guesser = standard.then(|| Guesser::new(*starter, self.dice.word()));
            }
            What::Played { card, accepted, .. } => self.judged(*card, *accepted),
            What::NoPlay { hand, laid, .. } => {
                let lower = |card: &&Card| laid.is_none_or(|laid| **card < laid);
                hand.iter().filter(lower).for_each(|&card| self.judged(card, false));
                laid.iter().for_each(|&card| self.judged(card, true));
            }
            What::Guessed { rule, right: false, .. } => self.wrong(rule),
            What::Begun { .. } | What::Discarded { .. } | What::Guessed { .. } | What::Passed { .. } => {}
        }
    }

    fn judged(&mut self, card: Card, accepted: bool) {
        if let Some(guesser) = &mut self.guesser {
            guesser.observe(card, accepted);
        }
    }

    fn wrong(&mut self, rule: &str) {
        if let (Some(guesser), Ok(guess)) = (&mut self.guesser, self.game.table().menu().secret(rule))
            && let Ok(at) = guess.follow(self.desk.stage.layout())
        {
            guesser.wrong(guess.automaton(), at);
        }
    }

    /// What it thinks now, with its hand.
    pub(super) fn plan(&mut self) -> Option<&Plan> {
        if self.plan.is_none() {
            let hand: CardSet = self.desk.hand().iter().copied().collect();
            self.plan = self.guesser.as_mut().map(|guesser| guesser.plan(hand));
        }
        self.plan.as_ref()
    }

    /// The guess that names the rule.
    pub(super) fn naming(rule: &Meaning) -> Action {
        Action::Guess(Arc::from(Rule::new(Deck::STANDARD, rule.rule.test()).to_string()))
    }

    /// The guess when it must guess: the likeliest rule, or whatever is offered.
    pub(super) fn forced(&mut self, options: &[Action]) -> Action {
        let best = self.plan().and_then(|plan| plan.meanings.first()).map(Self::naming);
        best.unwrap_or_else(|| options[0].clone())
    }
}
