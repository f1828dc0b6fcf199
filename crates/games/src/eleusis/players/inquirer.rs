//! The guesser at the table: plays the card that tells most and names the rule when that pays.

use super::mind::Mind;
use crate::eleusis::dealer;
use crate::eleusis::moves::{Action, Sight};
use crate::eleusis::table::{Eleusis, Phase};
use crate::game::Player;

/// A wrong name costs a card, about as much as a play.
const COST: f64 = 1.0;

/// The chance below which a card counts as refused.
const HOPELESS: f64 = 0.02;

/// The inquirer.
pub struct Inquirer<G: Eleusis>(Mind<G>);

impl<G: Eleusis> Inquirer<G> {
    /// A player for a seat of this game.
    pub fn new(game: &G, seed: u64) -> Inquirer<G> {
        Inquirer(Mind::new(game, seed))
    }

    fn name(&mut self) -> Option<Action> {
        self.0.plan()?.name(COST).map(Mind::<G>::naming)
    }
}

impl<G: Eleusis> Player<G> for Inquirer<G> {
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
                let hopeless = hand.iter().all(|&card| plan.prediction.chance(card) < HOPELESS);
                match plan.card.map(Action::Play) {
                    Some(_) if hopeless && options.contains(&Action::NoPlay) => Action::NoPlay,
                    Some(play) if options.contains(&play) => play,
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
