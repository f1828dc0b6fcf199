//! A family of rules, and those of it that fit all that was judged.

use crate::cards::Card;
use crate::eleusis::automaton::{self, separate};
use crate::eleusis::layout::Layout;
use crate::eleusis::moves::What;
use crate::eleusis::secret::Secret;
use std::sync::Arc;

/// The rules of a family that fit a round so far, each with its state. Every judgement is a look-up for each of them.
#[derive(Clone, Debug)]
pub struct Survivors {
    family: Arc<[Arc<Secret>]>,
    /// Places in the family.
    left: Vec<(usize, automaton::State)>,
}

impl Survivors {
    /// No round yet: nothing of the family is left.
    pub fn new(family: Arc<[Arc<Secret>]>) -> Survivors {
        Survivors { family, left: Vec::new() }
    }

    /// The rules that fit, in the order of the family, each with its state.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<Secret>, automaton::State)> {
        self.left.iter().map(|&(at, state)| (&self.family[at], state))
    }

    /// Their places in the family, each with its state.
    pub fn places(&self) -> &[(usize, automaton::State)] {
        &self.left
    }

    /// How many fit.
    pub fn count(&self) -> usize {
        self.left.len()
    }

    /// How many of them accept the card now.
    pub fn accepting(&self, card: Card) -> usize {
        self.iter().filter(|(rule, at)| rule.accepted(*at).has(card)).count()
    }

    /// A round begins.
    pub fn deal(&mut self, starter: Card) {
        let start = |(at, rule): (usize, &Arc<Secret>)| (at, rule.after(starter));
        self.left = self.family.iter().enumerate().map(start).collect();
    }

    /// A card was judged.
    pub fn judged(&mut self, card: Card, accepted: bool) {
        let family = &self.family;
        self.left.retain_mut(|(rule, at)| {
            let fits = family[*rule].accepted(*at).has(card) == accepted;
            if fits && accepted {
                *at = family[*rule].step(*at, card);
            }
            fits
        });
    }

    /// A guess was wrong: rules are out that judge this line, and every way on from it, as the guess does.
    pub fn wrong(&mut self, guess: &Secret, layout: &Layout) {
        // A guess that misjudged a card on the table was wrong anyway and tells nothing.
        let Ok(there) = guess.follow(layout) else { return };
        let family = &self.family;
        let same = |rule: usize, at| separate((family[rule].automaton(), at), (guess.automaton(), there)).is_none();
        self.left.retain(|&(rule, at)| !same(rule, at));
    }

    /// What was seen of a round: judged cards and wrong guesses. `read` gives the rule of a guess, `layout` is the table
    /// as it lies.
    pub fn learn(&mut self, what: &What, layout: &Layout, read: impl Fn(&str) -> Option<Arc<Secret>>) {
        what.judged().into_iter().for_each(|(card, accepted)| self.judged(card, accepted));
        match what {
            What::Dealt { starter, .. } => self.deal(*starter),
            What::Guessed { rule, right: false, .. } => {
                if let Some(guess) = read(rule) {
                    self.wrong(&guess, layout);
                }
            }
            What::Played { .. }
            | What::NoPlay { .. }
            | What::Discarded { .. }
            | What::Guessed { right: true, .. }
            | What::Passed { .. }
            | What::Begun { .. } => {}
        }
    }

    /// A rule that all that fit are equivalent to from here; `None` if they differ, or none fits.
    pub fn agreed(&self) -> Option<&Arc<Secret>> {
        let mut all = self.iter();
        let (first, at) = all.next()?;
        all.all(|(rule, there)| separate((first.automaton(), at), (rule.automaton(), there)).is_none()).then_some(first)
    }
}
