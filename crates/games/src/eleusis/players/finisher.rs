//! Sheds cards and names the rule: both are points, and both are counted.
//!
//! An accepted card is a point. What a card tells is worth a part of a point, less the surer the rule is. A right name
//! is worth what the edition pays for it and ends the round; a wrong one costs a card; waiting sheds a card perhaps, and
//! leaves the name to the others, who see the same cards.

use super::mind::{Guessing, Situation, Temper};
use crate::cards::Card;
use crate::eleusis::guess::{Plan, entropy};
use crate::eleusis::table::Eleusis;

/// What a bit of information is worth, in points, when nothing is known of the rule.
const BIT: f64 = 0.8;

/// How likely somebody else names the rule in a turn who is as sure of it.
const OTHERS: f64 = 0.5;

/// How the finisher decides.
pub struct Thrifty;

/// How sure the likeliest rule is.
fn sure(plan: &Plan) -> f64 {
    plan.meanings.first().map_or(0.0, |best| best.mass.min(1.0))
}

impl Temper for Thrifty {
    /// Whether the name is worth more than waiting for the next turn.
    fn names(&self, now: &Situation) -> bool {
        let worth = |chance: f64| chance * now.bonus - (1.0 - chance);
        let chance = sure(now.plan);
        let shed = now.hand.iter().map(|&card| now.plan.prediction.chance(card)).fold(0.0, f64::max);
        let left = (1.0 - OTHERS * chance).powi(i32::from(now.rivals));
        let later = left * (worth(chance + 0.5 * (1.0 - chance)) + shed);
        worth(chance) > later.max(0.0)
    }

    fn plays(&self, now: &Situation) -> Option<Card> {
        let bit = BIT * (1.0 - sure(now.plan));
        let chance = |card: Card| now.plan.prediction.chance(card);
        let worth = |card: Card| chance(card) + bit * entropy(chance(card));
        let (best, card) = now.hand.iter().map(|&card| (worth(card), card)).max_by(|a, b| a.0.total_cmp(&b.0))?;
        let none = 1.0 - now.hand.iter().map(|&card| chance(card)).sum::<f64>().min(1.0);
        (none <= best).then_some(card)
    }
}

/// The finisher.
pub type Finisher<G> = Guessing<G, Thrifty>;

/// A finisher for a seat of this game.
pub fn finisher<G: Eleusis>(game: &G, seed: u64) -> Finisher<G> {
    Guessing::with(Thrifty, game, seed)
}
