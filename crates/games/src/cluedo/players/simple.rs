//! What the simple players share.

use crate::cards::{Card, CardSet};
use crate::cluedo::rules::{Action, Cluedo, Sight};
use crate::dice::Dice;
use crate::game::{Player, Seat};

/// What a simple player thinks.
pub trait Idea: Send {
    /// Takes in a sight.
    fn watch(&mut self, sight: &Sight);

    /// Gets ready to ask.
    fn think(&mut self) {}

    /// Whether it would ask this.
    fn likes(&self, question: CardSet) -> bool;

    /// What it believes to lie in the envelope, if it believes to know.
    fn solution(&self) -> Option<CardSet> {
        None
    }
}

/// A player that asks at random among the questions that its idea likes (any, if it likes none), shows the first card
/// that matches in the order of dealing, and accuses when its idea has a solution or nobody could answer a question
/// without its own cards.
pub struct Simple<I> {
    idea: I,
    dice: Dice,
    seat: Seat,
    hand: Vec<Card>,
    unanswered: Option<CardSet>,
}

impl<I: Idea> Simple<I> {
    /// A player with this idea and its own randomness.
    pub fn new(idea: I, seed: u64) -> Simple<I> {
        Simple { idea, dice: Dice::new(seed), seat: Seat(0), hand: Vec::new(), unanswered: None }
    }

    fn ask(&mut self, options: &[Action]) -> Action {
        self.idea.think();
        let likes = |a: &Action| matches!(a, Action::Suggest(cards) if self.idea.likes(*cards));
        // Drawing again gives the same odds as counting first, and is faster when most are liked.
        for _ in 0..4 {
            let drawn = self.dice.pick(options);
            if likes(drawn) {
                return *drawn;
            }
        }
        match options.iter().filter(|a| likes(a)).count() {
            0 => *self.dice.pick(options),
            liked => *options.iter().filter(|a| likes(a)).nth(self.dice.below(liked)).expect("below their number"),
        }
    }
}

impl<I: Idea> Player<Cluedo> for Simple<I> {
    fn watch(&mut self, sight: &Sight) {
        match sight {
            Sight::Dealt { seat, hand, .. } => {
                (self.seat, self.hand, self.unanswered) = (*seat, hand.clone(), None);
            }
            Sight::Asked { asker, cards, answer: None }
                if *asker == self.seat && !self.hand.iter().any(|&c| cards.has(c)) =>
            {
                self.unanswered = Some(*cards);
            }
            Sight::Asked { .. } | Sight::Shown { .. } | Sight::Accused { .. } | Sight::Ended { .. } => {}
        }
        self.idea.watch(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        match options[0] {
            Action::Suggest(_) => self.ask(options),
            Action::Show(_) => {
                let first = self.hand.iter().map(|&c| Action::Show(c)).find(|show| options.contains(show));
                first.expect("an option to show is a card of the hand")
            }
            Action::End | Action::Accuse(_) => match self.unanswered.or_else(|| self.idea.solution()) {
                Some(cards) => Action::Accuse(cards),
                None => Action::End,
            },
        }
    }
}
