//! A line of play, told move by move: who plays what, the verdict, and which candidates each player has left.

use super::search::Evidence;
use super::{End, Instance, Mode, Observation, Person, Reading, family_of};
use crate::cards::Card;

/// A move and what is thought after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// Who plays.
    pub who: Person,
    /// Which card.
    pub card: Card,
    /// Whether it is accepted.
    pub accepted: bool,
    /// The candidates that Alice and that Bob have left, by their places in the family.
    pub left: [Vec<usize>; 2],
    /// Whether they know the rule.
    pub knows: [bool; 2],
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// The rule, by its place in the family.
    pub rule: usize,
    /// The moves.
    pub plays: Vec<Play>,
    /// How it ends.
    pub end: End,
}

/// Tells a line of play in the copy of a candidate. Every candidate is followed on its own, so this is also a check of
/// the search: the cards are those of the evidence, all else is found again.
pub fn story(instance: &Instance, rule: usize, evidence: &Evidence) -> Story {
    let family = family_of(instance);
    // Where each candidate is on the line; none once the line is not what it accepts.
    let mut points: Vec<Option<u32>> = family.starts().iter().copied().map(Some).collect();
    let mut left = [0, 1].map(|_| vec![true; points.len()]);
    let mut hands = match instance.mode {
        Mode::Unlimited => [instance.deck.all(); 2],
        Mode::Decks(hands) => hands,
    };
    let mut who = instance.first;
    let mut plays = Vec::new();
    for &card in &evidence.cards {
        let after: Vec<Option<u32>> = points.iter().map(|p| p.and_then(|p| family.next(p, card))).collect();
        let accepted = after[rule].is_some();
        let hand = hands[who.index()];
        for person in Person::ALL {
            for (candidate, open) in left[person.index()].iter_mut().enumerate().filter(|(_, open)| **open) {
                let refuses_some = points[candidate].is_some_and(|p| !hand.is_subset(family.accepted(p)));
                *open = match instance.observation {
                    _ if accepted => after[candidate].is_some(),
                    Observation::Forgetful if person == Person::B => true,
                    Observation::Whisper if person != who => refuses_some,
                    Observation::Public | Observation::Whisper | Observation::Forgetful => after[candidate].is_none(),
                };
            }
        }
        if accepted {
            points = after;
        }
        let open = |person: Person| -> Vec<usize> { (0..points.len()).filter(|&c| left[person.index()][c]).collect() };
        let left = Person::ALL.map(open);
        let knows = [0, 1].map(|person: usize| match instance.reading {
            Reading::Which => left[person].len() == 1,
            Reading::Residual => left[person].iter().all(|&c| points[c] == points[rule]),
        });
        plays.push(Play { who, card, accepted, left, knows });
        match instance.mode {
            Mode::Decks(_) if accepted => hands[who.index()] = hand.without(card),
            Mode::Decks(_) | Mode::Unlimited => who = who.other(),
        }
    }
    Story { rule, plays, end: evidence.end }
}
