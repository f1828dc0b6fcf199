//! The guesser at the table: plays the card that tells most and names the rule when that pays.

use super::mind::{Guessing, Situation, Temper};
use crate::cards::Card;
use crate::eleusis::table::Eleusis;

/// A wrong name costs a card, about as much as a play.
const COST: f64 = 1.0;

/// The chance below which a card counts as refused.
const HOPELESS: f64 = 0.02;

/// How the inquirer decides.
pub struct Curious;

impl Temper for Curious {
    fn names(&self, now: &Situation) -> bool {
        now.plan.name(COST).is_some()
    }

    fn plays(&self, now: &Situation) -> Option<Card> {
        let hopeless = now.hand.iter().all(|&card| now.plan.prediction.chance(card) < HOPELESS);
        now.plan.card.filter(|_| !hopeless)
    }
}

/// The inquirer.
pub type Inquirer<G> = Guessing<G, Curious>;

/// An inquirer for a seat of this game.
pub fn inquirer<G: Eleusis>(game: &G, seed: u64) -> Inquirer<G> {
    Guessing::with(Curious, game, seed)
}
