//! How likely each deal is, if responders choose at random what they show: a layer of its own, off unless asked for.
//!
//! Knowledge is what holds in every deal that fits; every deal counts once. Whoever is ready to assume more, that of
//! several cards a responder shows each equally often, learns from *which* card was shown: a deal in which the responder
//! had a choice is less likely than one in which it had none. Only cards that the observer saw tell something: the chance
//! that *some* card is shown to another is the same in all deals that fit.

use super::count::Deals;
use super::know::Knower;
use super::position::{Constraints, Deal, Observed, Position};
use crate::cards::CardSet;
use crate::dice::Dice;
use crate::knowledge::{Budget, Refused};

/// Chances under the assumption.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances {
    /// Whether all deals that fit were weighed, or a sample.
    pub exact: bool,
    /// How many deals were weighed.
    pub weighed: usize,
    /// The possible envelopes with their chances, the likeliest first.
    pub envelopes: Vec<(CardSet, f64)>,
    /// For each place, the envelope last, and each card the chance that the card is there.
    pub marginals: Vec<Vec<f64>>,
}

/// How likely what the observer was shown is in this deal, if each card that could be shown is equally likely.
pub fn likelihood(position: &Position, deal: &Deal) -> f64 {
    let shown = position.events().iter().map(|event| match *event {
        Observed::Ask { asker, cards, answer: Some(by), shown: Some(_) } if asker == position.observer() => {
            1.0 / deal.hand(by).and(cards).len().max(1) as f64
        }
        Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => 1.0,
    });
    shown.product()
}

/// Weighs the deals that fit, endmoves included: all if they are at most `limit`, else a sample of that size.
pub fn chances(position: &Position, limit: usize, budget: &Budget, dice: &mut Dice) -> Result<Chances, Refused> {
    let deals = Deals::of(position.deck(), &Constraints::of(position));
    let (mut all, exact) = deals.all_or_sample(limit, dice);
    if position.has_endmoves() {
        let survivors = Knower::new(position).survivors(budget)?;
        all.retain(|deal| survivors.admits(deal));
    }
    if all.is_empty() {
        return Err(if exact { Refused::NoWorld } else { Refused::Limit });
    }
    let mut envelopes = std::collections::BTreeMap::new();
    let mut marginals = vec![vec![0.0; position.deck().len()]; position.seats() as usize + 1];
    let mut total = 0.0;
    for deal in &all {
        let weight = likelihood(position, deal);
        total += weight;
        *envelopes.entry(deal.envelope()).or_insert(0.0) += weight;
        for (row, held) in marginals.iter_mut().zip(&deal.places) {
            held.iter().for_each(|c| row[c.index()] += weight);
        }
    }
    marginals.iter_mut().flatten().for_each(|w| *w /= total);
    let mut envelopes: Vec<(CardSet, f64)> = envelopes.into_iter().map(|(e, w)| (e, w / total)).collect();
    envelopes.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(Chances { exact, weighed: all.len(), envelopes, marginals })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluedo::read;

    #[test]
    fn a_shown_card_speaks_for_hands_without_a_choice() {
        // Seat 1 showed a0 to the observer. It holds one more card; if that is b0, it had a choice.
        let text = r#"{"deck": {"a": ["a0", "a1"], "b": ["b0", "b1", "b2"]}, "hand_sizes": [1, 2], "observer": 0,
            "hand": ["b2"], "events": [{"ask": 0, "cards": ["a0", "b0"], "passed": [], "shown_by": 1, "shown": "a0"}]}"#;
        let position = read::position(text).unwrap();
        let chances = chances(&position, 100, &Budget::default(), &mut Dice::new(1)).unwrap();
        assert_eq!((chances.exact, chances.weighed), (true, 2));
        let b0 = position.deck().find("b0").unwrap();
        assert!((chances.marginals[1][b0.index()] - 1.0 / 3.0).abs() < 1e-12);
        assert!((chances.envelopes[0].1 - 2.0 / 3.0).abs() < 1e-12 && chances.envelopes[0].0.has(b0));
    }
}
