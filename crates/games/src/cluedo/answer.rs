//! What can come of one question, counted: who answers, with which card, and what the envelope can be then.
//!
//! A question of `n` cards splits the deals that fit by who answers and which of the cards it holds. Each part is counted
//! with its envelopes, and shared equally by the cards that can be shown.

use super::count::Deals;
use super::position::{Constraints, Position};
use super::rules::asked;
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use std::collections::BTreeMap;

/// How many deals have each envelope; a deal counts for each of several outcomes with its share.
pub type Envelopes = BTreeMap<CardSet, f64>;

/// Something that can come of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Who answers; `None` if nobody does.
    pub by: Option<Seat>,
    /// The card that is shown, if it is seen.
    pub card: Option<Card>,
    /// What the envelope is then.
    pub envelopes: Envelopes,
    /// The number of deals, each with the bits of the choice that the responder has in it.
    pub choice: f64,
}

impl Outcome {
    /// The number of deals.
    pub fn deals(&self) -> f64 {
        self.envelopes.values().sum()
    }
}

/// All that can come of a question, counted.
#[derive(Clone, Debug)]
pub struct Answers {
    /// The number of deals with each envelope, whatever comes.
    pub before: Envelopes,
    /// What can come.
    pub outcomes: Vec<Outcome>,
}

impl Answers {
    /// What can come of a question of `asker`, as the observer of the position sees it: which card is shown, if
    /// `sees_card`, else only who answers. Ends of turns are left out.
    pub fn of(position: &Position, asker: Seat, sees_card: bool, cards: CardSet) -> Answers {
        let count = |c: &Constraints| Deals::of(position.deck(), c).envelopes();
        let mut left = Constraints::of(position);
        let before = count(&left).into_iter().map(|(e, n)| (e, n as f64)).collect();
        let mut outcomes: BTreeMap<(usize, Option<Card>), Outcome> = BTreeMap::new();
        let order: Vec<Seat> = asked(asker, position.seats()).collect();
        for (turn, &seat) in order.iter().enumerate() {
            for held in sets(cards, sees_card) {
                let mut with = left.clone();
                match sees_card {
                    false => with.some.push((seat, cards)),
                    true => cards.iter().for_each(|c| match held.has(c) {
                        true => with.only(c, seat.index()),
                        false => with.not(c, seat.index()),
                    }),
                }
                let shown: Vec<Option<Card>> = match sees_card {
                    false => vec![None],
                    true => held.iter().map(Some).collect(),
                };
                let share = 1.0 / shown.len() as f64;
                for (envelope, deals) in count(&with) {
                    let part = deals as f64 * share;
                    for &card in &shown {
                        let outcome = outcomes.entry((turn, card)).or_insert_with(|| Outcome {
                            by: Some(seat),
                            card,
                            envelopes: Envelopes::new(),
                            choice: 0.0,
                        });
                        *outcome.envelopes.entry(envelope).or_insert(0.0) += part;
                        outcome.choice += part * (shown.len() as f64).log2();
                    }
                }
            }
            cards.iter().for_each(|c| left.not(c, seat.index()));
        }
        let envelopes: Envelopes = count(&left).into_iter().map(|(e, n)| (e, n as f64)).collect();
        let nobody = Outcome { by: None, card: None, envelopes, choice: 0.0 };
        let nobody = (!nobody.envelopes.is_empty()).then_some(nobody);
        Answers { before, outcomes: outcomes.into_values().chain(nobody).collect() }
    }

    /// The same, or `None` if counting takes more than `work` steps.
    pub fn within(position: &Position, asker: Seat, sees_card: bool, cards: CardSet, work: u64) -> Option<Answers> {
        let states = Deals::of(position.deck(), &Constraints::of(position)).states() as u64;
        let steps = states * u64::from(position.seats()) * sets(cards, sees_card).len() as u64;
        (steps <= work).then(|| Answers::of(position, asker, sees_card, cards))
    }

    /// The number of deals.
    pub fn deals(&self) -> f64 {
        self.before.values().sum()
    }

    /// For each seat, and last for nobody, the chance that it answers, and the bits about the envelope that its answer
    /// gives on average.
    pub fn by_seat(&self, seats: u8) -> Vec<(f64, f64)> {
        let total = self.deals();
        let mut rows = vec![(0.0, 0.0); seats as usize + 1];
        for outcome in &self.outcomes {
            let row = &mut rows[outcome.by.map_or(seats as usize, Seat::index)];
            let deals = outcome.deals();
            let told = |(e, &n): (&CardSet, &f64)| n / total * (n / deals * total / self.before[e]).log2();
            row.0 += deals / total;
            row.1 += outcome.envelopes.iter().map(told).sum::<f64>();
        }
        rows.into_iter()
            .map(|(chance, bits)| (chance, if chance > 0.0 { (bits / chance).max(0.0) } else { 0.0 }))
            .collect()
    }
}

/// What a responder may hold of the cards, set by set, if the card is seen; else one set for all.
fn sets(cards: CardSet, sees_card: bool) -> Vec<CardSet> {
    let mut all = vec![CardSet::EMPTY];
    if sees_card {
        cards.iter().for_each(|card| all.extend(all.clone().into_iter().map(|set| set.with(card))));
        all.remove(0);
    }
    all
}
