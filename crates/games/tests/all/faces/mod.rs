//! What a page needs of each game: boards, the inspector, reasons, hints.

mod cluedo;
mod eleusis;
mod pages;
mod yokai;

use ken_games::game::Seat;
use ken_games::table::Face;
use ken_games::table::page::{FactRow, Inspection, Problem, Why};

/// The inspector of a game that has one.
trait Asked: Face {
    fn inspect(&self, memory: &[Self::Sight], chain: &[Seat], filter: &str) -> Result<Inspection, Problem> {
        self.knowledge(memory).expect("an inspector").inspect(chain, filter)
    }

    fn why(&self, memory: &[Self::Sight], chain: &[Seat], fact: &str) -> Result<Why, Problem> {
        self.knowledge(memory).expect("an inspector").why(chain, fact)
    }

    fn bits(&self, memory: &[Self::Sight]) -> Option<f64> {
        self.knowledge(memory).expect("an inspector").moment().0
    }

    fn learned(&self, memory: &[Self::Sight]) -> Vec<FactRow> {
        self.knowledge(memory).expect("an inspector").moment().1
    }
}

impl<G: Face> Asked for G {}
