//! Reasons that were found, so that those which hold in a world are found again.

use super::find::{Literal, PLACES, bits};
use super::model::{History, Point};

/// Literals that no world with another answer shares.
pub(super) type Reason = Box<[Literal]>;

/// Reasons for one answer to one question.
#[derive(Clone, Debug, Default)]
pub(super) struct Lemmas {
    /// By a card and a place of which they speak: the pair with the fewest.
    at: Vec<Vec<Reason>>,
    /// Those that say of no card where it is.
    rest: Vec<Reason>,
}

fn index(card: u8, place: usize) -> usize {
    card as usize * PLACES + place
}

impl Lemmas {
    pub(super) fn learn(&mut self, reason: Reason) {
        self.at.resize(index(u64::BITS as u8, 0), Vec::new());
        let spots = reason.iter().filter_map(|&literal| match literal {
            Literal::At(card, place) => Some(index(card, place as usize)),
            Literal::Not(..) | Literal::Show(..) | Literal::NotShow(..) => None,
        });
        match spots.min_by_key(|&spot| self.at[spot].len()) {
            Some(spot) => self.at[spot].push(reason),
            None => self.rest.push(reason),
        }
    }

    /// One that holds in the world.
    pub(super) fn recall(&self, history: &History, world: &Point) -> Option<&Reason> {
        let holds = |reason: &&Reason| reason.iter().all(|&l| history.holds(l, world));
        if self.at.is_empty() {
            return None;
        }
        let places = world.at.iter().enumerate();
        let spots = places.flat_map(|(place, &cards)| bits(cards).map(move |b| (b.trailing_zeros() as u8, place)));
        let mut near = spots.flat_map(|(card, place)| self.at[index(card, place)].iter().rev());
        near.find(holds).or_else(|| self.rest.iter().rev().find(holds))
    }
}
