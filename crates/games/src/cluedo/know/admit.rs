//! Which single deals survive the endmoves: for those who look at deals one by one.

use super::find::{Literal, Region, bits};
use super::{Budget, Knower, Refused};
use crate::cluedo::position::Deal;

/// What the endmoves of a position exclude.
#[derive(Clone, Debug)]
pub struct Survivors {
    /// Reasons that together rule out exactly the worlds that break an endmove.
    exclusions: Vec<Vec<Literal>>,
    seen: Region,
    /// Who showed each time.
    by: Vec<u8>,
}

impl Knower {
    /// What the endmoves exclude, for looking at deals one by one.
    pub fn survivors(&mut self, budget: &Budget) -> Result<Survivors, Refused> {
        self.endmoves_tell(budget)?;
        let exclusions = self.exclusions.clone().unwrap_or_default();
        let by = self.lazy.history.table.shows.iter().map(|s| s.by).collect();
        Ok(Survivors { exclusions, seen: self.seen(), by })
    }
}

impl Survivors {
    /// Whether a deal that fits everything else survives with some choice of shown cards.
    pub fn admits(&self, deal: &Deal) -> bool {
        let at = |card: u8, place: u8| deal.places[place as usize].0 >> card & 1 == 1;
        // The exclusions that the deal does not break by itself, and what they say of shows.
        let mut live: Vec<Vec<Literal>> = Vec::new();
        for exclusion in &self.exclusions {
            let broken = exclusion.iter().any(|&literal| match literal {
                Literal::At(card, place) => !at(card, place),
                Literal::Not(card, place) => at(card, place),
                Literal::Show(..) | Literal::NotShow(..) => false,
            });
            if !broken {
                let shows = |l: &&Literal| matches!(l, Literal::Show(..) | Literal::NotShow(..));
                live.push(exclusion.iter().filter(shows).copied().collect());
            }
        }
        self.choose(deal, &live)
    }

    /// Whether cards can be chosen for the shows so that every exclusion is broken.
    fn choose(&self, deal: &Deal, live: &[Vec<Literal>]) -> bool {
        let Some(shortest) = live.iter().min_by_key(|e| e.len()) else { return true };
        let Some(&(Literal::Show(show, _) | Literal::NotShow(show, _))) = shortest.first() else { return false };
        let held = deal.places[self.by[show as usize] as usize].0;
        bits(self.seen.shown[show as usize] & held).any(|card| {
            let mut rest: Vec<Vec<Literal>> = Vec::new();
            for exclusion in live {
                let broken = exclusion.iter().any(|&literal| match literal {
                    Literal::Show(s, c) => s == show && card != 1 << c,
                    Literal::NotShow(s, c) => s == show && card == 1 << c,
                    Literal::At(..) | Literal::Not(..) => false,
                });
                if !broken {
                    let other = |l: &&Literal| !matches!(l, Literal::Show(s, _) | Literal::NotShow(s, _) if *s == show);
                    rest.push(exclusion.iter().filter(other).copied().collect());
                }
            }
            self.choose(deal, &rest)
        })
    }
}
