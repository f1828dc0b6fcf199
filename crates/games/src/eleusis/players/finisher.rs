//! Sheds cards and names the rule: both are points, and both are counted.
//!
//! An accepted card is a point. What a card tells is worth a part of a point, less the surer the rule is. A right name
//! is worth what the edition pays for it and ends the round; a wrong one costs a card; waiting sheds a card perhaps, and
//! leaves the name to the others, who see the same cards.

use super::mind::Mind;
use crate::cards::Card;
use crate::eleusis::dealer;
use crate::eleusis::guess::{Plan, entropy};
use crate::eleusis::moves::{Action, Sight};
use crate::eleusis::table::{Eleusis, Phase};
use crate::game::Player;

/// What a bit of information is worth, in points, when nothing is known of the rule.
const BIT: f64 = 0.8;

/// What a right name is worth, in points.
const RIGHT: f64 = 3.0;

/// How likely somebody else names the rule in a turn who is as sure of it.
const OTHERS: f64 = 0.5;

/// The finisher.
pub struct Finisher<G: Eleusis>(Mind<G>);

/// How sure the likeliest rule is.
fn sure(plan: &Plan) -> f64 {
    plan.meanings.first().map_or(0.0, |best| best.mass.min(1.0))
}

impl<G: Eleusis> Finisher<G> {
    /// A player for a seat of this game.
    pub fn new(game: &G, seed: u64) -> Finisher<G> {
        Finisher(Mind::new(game, seed))
    }

    /// The name, if it is worth more than waiting for the next turn.
    fn name(&mut self) -> Option<Action> {
        let rivals = self.0.game.seats().saturating_sub(2);
        let hand = self.0.desk.hand().to_vec();
        let plan = self.0.plan()?;
        let best = plan.meanings.first()?;
        let worth = |chance: f64| chance * RIGHT - (1.0 - chance);
        let now = sure(plan);
        let shed = hand.iter().map(|&card| plan.prediction.chance(card)).fold(0.0, f64::max);
        let left = (1.0 - OTHERS * now).powi(i32::from(rivals));
        let later = left * (worth(now + 0.5 * (1.0 - now)) + shed);
        (worth(now) > later.max(0.0)).then(|| Mind::<G>::naming(best))
    }

    /// The card that is worth most, with its worth, and the worth of *no play*.
    fn best(plan: &Plan, hand: &[Card]) -> (Option<(f64, Card)>, f64) {
        let bit = BIT * (1.0 - sure(plan));
        let worth = |card: Card| {
            let chance = plan.prediction.chance(card);
            chance + bit * entropy(chance)
        };
        let best = hand.iter().map(|&card| (worth(card), card)).max_by(|a, b| a.0.total_cmp(&b.0));
        let none = 1.0 - hand.iter().map(|&card| plan.prediction.chance(card)).sum::<f64>().min(1.0);
        (best, none)
    }
}

impl<G: Eleusis> Player<G> for Finisher<G> {
    fn watch(&mut self, sight: &Sight) {
        self.0.watch(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        match self.0.desk.stage.phase() {
            Phase::Rule(_) => {
                let rule = dealer::choose(self.0.game.table().deck(), &mut self.0.dice);
                Action::Rule(rule.text().clone())
            }
            Phase::Play(_) => {
                let may_guess = options.iter().any(|action| matches!(action, Action::Guess(_)));
                if let Some(name) = self.name().filter(|_| may_guess) {
                    return name;
                }
                let hand = self.0.desk.hand().to_vec();
                let Some(plan) = self.0.plan() else { return self.0.dice.pick(options).clone() };
                match Self::best(plan, &hand) {
                    (Some((worth, _)), none) if none > worth && options.contains(&Action::NoPlay) => Action::NoPlay,
                    (Some((_, card)), _) if options.contains(&Action::Play(card)) => Action::Play(card),
                    _ => self.0.dice.pick(options).clone(),
                }
            }
            Phase::Discard(_) => self.0.dice.pick(options).clone(),
            Phase::Guess { forced: true, .. } => self.0.forced(options),
            Phase::Guess { forced: false, .. } => self.name().unwrap_or(Action::Pass),
            Phase::Over => unreachable!("nobody chooses after the end"),
        }
    }
}
