//! Believes that the rule is one of a family, and takes no risk within it.
//!
//! It plays a card that every rule accepts that fits; says *no play* when all of them refuse its whole hand; otherwise it
//! plays the card that most of them accept. It names the rule when all that fit are equivalent from here. When none fits,
//! the rule is not of the family: it plays at random and does not guess unless it must.

use super::survivors::Survivors;
use crate::cards::Card;
use crate::dice::Dice;
use crate::eleusis::dealer;
use crate::eleusis::moves::{Action, Sight, What};
use crate::eleusis::table::{Eleusis, Phase};
use crate::eleusis::view::Desk;
use crate::game::{Player, Seat};

/// The careful player.
pub struct Careful<G: Eleusis> {
    game: G,
    desk: Desk,
    survivors: Survivors,
    dice: Dice,
}

impl<G: Eleusis> Careful<G> {
    /// A player with the library as its family.
    pub fn new(game: &G, seed: u64) -> Careful<G> {
        let survivors = Survivors::new(dealer::library(game.table().deck()));
        Careful { game: game.clone(), desk: Desk::new(game, Seat(0)), survivors, dice: Dice::new(seed) }
    }

    /// One of the cards for which the number is highest.
    fn best(&mut self, cards: &[Card], number: impl Fn(&Survivors, Card) -> usize) -> (Card, usize) {
        let most = cards.iter().map(|&c| number(&self.survivors, c)).max().expect("a card to play");
        let best: Vec<Card> = cards.iter().copied().filter(|&c| number(&self.survivors, c) == most).collect();
        (*self.dice.pick(&best), most)
    }

    fn guess(&self) -> Option<Action> {
        self.survivors.agreed().map(|rule| Action::Guess(rule.text().clone()))
    }
}

impl<G: Eleusis> Player<G> for Careful<G> {
    fn watch(&mut self, sight: &Sight) {
        if let What::Begun { seat: Some(seat), .. } = sight.what {
            self.desk.seat = seat;
        }
        self.desk.watch(&self.game, sight);
        let menu = self.game.table().menu();
        self.survivors.learn(&sight.what, self.desk.stage.layout(), |text| menu.secret(text).ok());
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let may_guess = options.iter().any(|a| matches!(a, Action::Guess(_)));
        match self.desk.stage.phase() {
            Phase::Rule(_) => {
                let rule = dealer::choose(self.game.table().deck(), &mut self.dice);
                Action::Rule(rule.text().clone())
            }
            Phase::Play(_) => {
                if let Some(guess) = self.guess().filter(|_| may_guess) {
                    return guess;
                }
                let hand = self.desk.hand().to_vec();
                let (card, accepting) = self.best(&hand, Survivors::accepting);
                let sure_of_none = accepting == 0 && self.survivors.count() > 0;
                if sure_of_none && options.contains(&Action::NoPlay) { Action::NoPlay } else { Action::Play(card) }
            }
            Phase::Discard(_) => self.dice.pick(options).clone(),
            Phase::Guess { forced, .. } => match (self.guess(), forced) {
                (Some(guess), _) => guess,
                (None, false) => Action::Pass,
                (None, true) => match self.survivors.iter().next() {
                    Some((rule, _)) => Action::Guess(rule.text().clone()),
                    None => options[0].clone(),
                },
            },
            Phase::Over => unreachable!("nobody chooses after the end"),
        }
    }
}
