//! One search for a secret rule: how many plays until the guesser names it.

use super::Guesser;
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::eleusis::deck::Deck;
use crate::eleusis::layout::Layout;
use crate::eleusis::rule::Rule;
use crate::eleusis::secret::Secret;

/// What a search may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terms {
    /// How many cards are in the hand, refilled after every play from shuffled decks; `None`: any card may be played.
    pub hand: Option<usize>,
    /// After so many plays the search is given up.
    pub limit: usize,
    /// How many plays a wrong name is worth to the guesser: what it weighs, not what is counted.
    pub cost: f64,
}

/// How a search went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The cards that were judged.
    pub plays: usize,
    /// The names that were wrong.
    pub wrong: usize,
    /// Whether the last name was right.
    pub solved: bool,
}

/// Cards dealt from one shuffled deck after another.
struct Shoe {
    left: Vec<Card>,
}

impl Shoe {
    fn draw(&mut self, dice: &mut Dice) -> Card {
        if self.left.is_empty() {
            self.left = Deck::STANDARD.all().iter().collect();
            dice.shuffle(&mut self.left);
        }
        self.left.pop().expect("a deck has cards")
    }
}

/// Searches the rule: after every play the guesser may name one. Equal seeds give equal searches.
pub fn search(secret: &Secret, terms: &Terms, seed: u64) -> Trial {
    let mut dice = Dice::new(seed);
    let starters: Vec<Card> = secret.rule().start.iter().collect();
    let starter = *dice.pick(&starters);
    let mut shoe = Shoe { left: Vec::new() };
    let mut hand: Option<Vec<Card>> = terms.hand.map(|n| (0..n).map(|_| shoe.draw(&mut dice)).collect());
    let playable = |hand: &Option<Vec<Card>>| match hand {
        Some(cards) => cards.iter().copied().collect::<CardSet>(),
        None => Deck::STANDARD.all(),
    };
    let mut guesser = Guesser::new(starter, dice.word());
    let mut layout = Layout::start(starter);
    let mut at = secret.after(starter);
    let mut wrong = 0;
    let mut plan = guesser.plan(playable(&hand));
    for plays in 1..=terms.limit {
        let card = plan.card.expect("the hand is never empty");
        if let Some(place) = hand.as_ref().and_then(|cards| cards.iter().position(|&own| own == card)) {
            let drawn = shoe.draw(&mut dice);
            hand.as_mut().expect("it has the card")[place] = drawn;
        }
        let accepted = secret.accepted(at).has(card);
        if accepted {
            layout.accept(card);
            at = secret.step(at, card);
        } else {
            layout.refuse(card);
        }
        guesser.observe(card, accepted);
        plan = guesser.plan(playable(&hand));
        if let Some(named) = plan.name(terms.cost) {
            let text = Rule::new(Deck::STANDARD, named.rule.test()).to_string();
            // What cannot be judged is not the rule: every rule of a secret can.
            let right =
                Secret::read(&text, &Deck::STANDARD).is_ok_and(|guess| secret.refute(at, &guess, &layout).is_none());
            if right {
                return Trial { plays, wrong, solved: true };
            }
            wrong += 1;
            guesser.deny(named.ways.clone());
            plan = guesser.plan(playable(&hand));
        }
    }
    Trial { plays: terms.limit, wrong, solved: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_ends_with_the_rule_and_is_the_same_again() {
        let secret = Secret::read("gar-1", &Deck::STANDARD).expect("a library rule");
        for hand in [None, Some(7)] {
            let terms = Terms { hand, limit: 40, cost: 1.0 };
            let trial = search(&secret, &terms, 4);
            assert!(trial.solved && trial.plays <= 20, "{trial:?}");
            assert_eq!(trial, search(&secret, &terms, 4));
        }
    }
}
