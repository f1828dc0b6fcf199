//! Which card to play, and when to name the rule.

use super::hypothesis::{Hypothesis, Meaning};
use super::posterior::{Evidence, Prediction};
use super::space::{CARDS, Context, DECK};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::eleusis::automaton::{Automaton, State, separate};
use crate::eleusis::rule::Rule;

/// A player's mind: what was seen, and what to do next.
#[derive(Clone)]
pub struct Guesser {
    evidence: Evidence,
    dice: Dice,
}

/// The information of a yes or no with that chance, in bits.
pub fn entropy(chance: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * p.log2() } else { 0.0 };
    part(chance) + part(1.0 - chance)
}

impl Guesser {
    /// The start of a round.
    pub fn new(starter: Card, seed: u64) -> Guesser {
        Guesser { evidence: Evidence::new(starter), dice: Dice::new(seed) }
    }

    /// Somebody who looks at a table with this on it.
    pub fn looking_at(evidence: Evidence, seed: u64) -> Guesser {
        Guesser { evidence, dice: Dice::new(seed) }
    }

    /// What was seen.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Learns how a card was judged.
    pub fn observe(&mut self, card: Card, accepted: bool) {
        self.evidence.observe(card, accepted);
    }

    /// Learns that the rule is none of these.
    pub fn deny(&mut self, rules: impl IntoIterator<Item = Hypothesis>) {
        self.evidence.deny(rules);
    }

    /// Learns that a rule, which is in the state `at` after the line, was named and is not the rule.
    pub fn wrong(&mut self, guess: &Automaton, at: State) {
        let accepted = guess.accepted(at).0;
        let rules = self.evidence.likeliest();
        let (space, line) = (self.evidence.space, self.evidence.line.clone());
        let same = |rule: &Hypothesis| {
            if rule.cards(space, Context { line: &line }) != accepted {
                return false;
            }
            let Ok(own) = Automaton::of(&Rule::new(DECK, rule.test())) else { return false };
            own.run(&line).is_some_and(|here| separate((&own, here), (guess, at)).is_none())
        };
        let denied: Vec<Hypothesis> = rules.iter().map(|(rule, _)| *rule).filter(same).collect();
        self.deny(denied);
    }

    /// What to do next with this hand.
    pub fn plan(&mut self, hand: CardSet) -> Plan {
        let prediction = self.evidence.predict();
        let rules = self.evidence.likeliest();
        let (card, rate) = self.best_card(&prediction, &rules, hand);
        let mut meanings = self.evidence.meanings(&rules, &mut self.dice);
        meanings.iter_mut().for_each(|meaning| meaning.mass /= prediction.mass.max(f64::MIN_POSITIVE));
        Plan { prediction, meanings, card, rate }
    }

    /// The card of the hand that tells most, counting what the card after it can tell, and how many bits a play
    /// tells on that way.
    fn best_card(
        &mut self,
        prediction: &Prediction,
        rules: &[(Hypothesis, f64)],
        hand: CardSet,
    ) -> (Option<Card>, f64) {
        let mut cards: Vec<(f64, Card)> = hand.iter().map(|card| (entropy(prediction.chance(card)), card)).collect();
        cards.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut tried: Vec<(f64, Card)> = cards.iter().take(WIDTH).copied().collect();
        let mut moving = cards;
        moving.sort_by(|a, b| prediction.chance(b.1).total_cmp(&prediction.chance(a.1)));
        for entry in moving.into_iter().take(MOVING) {
            if !tried.contains(&entry) {
                tried.push(entry);
            }
        }
        let space = self.evidence.space;
        let now: Vec<u64> = rules.iter().map(|(rule, _)| rule.cards(space, self.evidence.context())).collect();
        let mut longer = self.evidence.line.clone();
        longer.push(Card(0));
        let mut best: (Option<Card>, f64) = (None, 0.0);
        for (told, card) in tried {
            *longer.last_mut().expect("a card was pushed") = card;
            let chance = prediction.chance(card);
            let mut later = 0.0;
            for accepted in [true, false] {
                let left = rules.iter().zip(&now).filter(|(_, now)| CardSet(**now).has(card) == accepted);
                let next: Vec<(u64, f64)> = left
                    .map(|((rule, weight), now)| {
                        let cards = if accepted { rule.cards(space, Context { line: &longer }) } else { *now };
                        (cards, *weight)
                    })
                    .collect();
                later += if accepted { chance } else { 1.0 - chance } * most_told(&next, hand);
            }
            let value = (told + LATER * later) / (1.0 + LATER) + 1e-9 * self.dice.below(1000) as f64;
            if best.0.is_none() || value > best.1 {
                best = (Some(card), value);
            }
        }
        best
    }
}

/// What a guesser thinks, and what it would do.
pub struct Plan {
    /// The chance of each card.
    pub prediction: Prediction,
    /// The likeliest rules from here on with their chances, the likeliest first.
    pub meanings: Vec<Meaning>,
    /// The card that tells most; none if the hand is empty.
    pub card: Option<Card>,
    /// How many bits a play tells from here on.
    pub rate: f64,
}

impl Plan {
    /// The rule to name now, if a wrong name costs as much as `cost` plays: when naming pays.
    ///
    /// Naming ends the search with the chance of the rule, and so saves the plays that would still be needed to be
    /// sure: at least one, and more the less a play tells.
    pub fn name(&self, cost: f64) -> Option<&Meaning> {
        let best = self.meanings.first()?;
        let saved = (-best.mass.log2() / self.rate.max(0.01)).max(1.0);
        (best.mass * saved > (1.0 - best.mass) * cost).then_some(best)
    }
}

/// How many of the most telling cards are looked at with the card after them.
const WIDTH: usize = 10;

/// How many of the likeliest accepted cards besides: they move the line.
const MOVING: usize = 3;

/// What a bit that the card after tells is worth.
const LATER: f64 = 0.7;

/// The most that a card of the hand tells about weighted rules.
fn most_told(rules: &[(u64, f64)], hand: CardSet) -> f64 {
    let total: f64 = rules.iter().map(|rule| rule.1).sum();
    if total <= 0.0 {
        return 0.0;
    }
    let mut yes = [0.0; CARDS];
    for (cards, weight) in rules {
        for card in CardSet(*cards).and(hand).iter() {
            yes[card.index()] += weight;
        }
    }
    // The most told is by the chance nearest to a half.
    let off = hand.iter().map(|card| (yes[card.index()] / total - 0.5).abs()).fold(0.5, f64::min);
    entropy(0.5 - off)
}
