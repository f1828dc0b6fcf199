//! What a seat knows, whatever the game: the object that pages, terminals and commands ask.

use super::Language;
use super::asked::{self, Asked, Explained, Unanswered};
use super::inspect::{inspect, learned, why};
use super::mind::{Inspected, Mind, Remembers};
use super::worlds::Budget;
use crate::game::Seat;
use crate::table::page::{FactRow, Inspection, Problem, Why};
use serde_json::{Map, Value};

/// The earlier moments of a mind, for whoever asks since when.
pub trait Past<M> {
    /// How many sights there are.
    fn sights(&self) -> usize;

    /// The mind after the first sights.
    fn at(&self, sights: usize) -> M;

    /// What was seen as the last of so many sights.
    fn tell(&self, sights: usize) -> String;
}

/// The past that a seat of a match remembers.
pub struct Sights<'m, G: Remembers>(pub &'m G, pub &'m [G::Sight]);

impl<G: Remembers> Past<G::Mind> for Sights<'_, G> {
    fn sights(&self) -> usize {
        self.1.len()
    }

    fn at(&self, sights: usize) -> G::Mind {
        self.0.mind(&self.1[..sights])
    }

    fn tell(&self, sights: usize) -> String {
        self.0.tell_sight(&self.1[sights - 1])
    }
}

/// What a seat knows, whatever the game.
pub trait Inspector {
    /// What the chain knows. The chain begins with the seat itself; the filter is a formula, or words that rows must
    /// contain, or empty.
    ///
    /// # Errors
    /// The chain is none, or the filter is meant as a formula and is none.
    fn inspect(&mut self, chain: &[Seat], filter: &str) -> Result<Inspection, Problem>;

    /// Why the chain knows a fact, or why not, and since when.
    ///
    /// # Errors
    /// The chain is none, the fact cannot be read, or there is no answer.
    fn why(&mut self, chain: &[Seat], fact: &str) -> Result<Why, Problem>;

    /// Log₂ of the worlds that fit, and what the seat has found out.
    fn moment(&mut self) -> (Option<f64>, Vec<FactRow>);

    /// The seat, and how many there are.
    fn seats(&self) -> (Seat, u8);

    /// What the seat knows of a fact.
    ///
    /// # Errors
    /// There is no answer.
    fn ask(&mut self, fact: &str, budget: &Budget) -> Result<Asked, Unanswered>;

    /// What the seat knows of a fact, and why.
    ///
    /// # Errors
    /// There is no answer.
    fn explain(&mut self, fact: &str, budget: &Budget) -> Result<Explained, Unanswered>;

    /// What the answers rest on, in words and as data.
    fn relative(&mut self) -> (Option<String>, Map<String, Value>);
}

impl<G: Remembers> Inspector for Sights<'_, G> {
    fn inspect(&mut self, chain: &[Seat], filter: &str) -> Result<Inspection, Problem> {
        inspect(&mut self.0.mind(self.1), chain, filter)
    }

    fn why(&mut self, chain: &[Seat], fact: &str) -> Result<Why, Problem> {
        why(&mut self.0.mind(self.1), chain, fact, self)
    }

    fn moment(&mut self) -> (Option<f64>, Vec<FactRow>) {
        let mut mind = self.0.mind(self.1);
        (mind.bits(), learned(&mut mind))
    }

    fn seats(&self) -> (Seat, u8) {
        (self.0.mind(self.1).seat(), self.0.seats())
    }

    fn ask(&mut self, fact: &str, budget: &Budget) -> Result<Asked, Unanswered> {
        asked::ask(&mut self.0.mind(self.1), fact, budget)
    }

    fn explain(&mut self, fact: &str, budget: &Budget) -> Result<Explained, Unanswered> {
        asked::explain(&mut self.0.mind(self.1), fact, budget)
    }

    fn relative(&mut self) -> (Option<String>, Map<String, Value>) {
        relative(&mut self.0.mind(self.1))
    }
}

fn relative<M: Inspected>(mind: &mut M) -> (Option<String>, Map<String, Value>) {
    let me = mind.seat();
    (mind.note(&[me]), mind.relative())
}

/// A mind that remembers nothing of how it came there.
pub struct Placed<M>(pub M);

impl<M: Inspected> Inspector for Placed<M> {
    fn inspect(&mut self, chain: &[Seat], filter: &str) -> Result<Inspection, Problem> {
        inspect(&mut self.0, chain, filter)
    }

    fn why(&mut self, chain: &[Seat], fact: &str) -> Result<Why, Problem> {
        why(&mut self.0, chain, fact, &NoPast)
    }

    fn moment(&mut self) -> (Option<f64>, Vec<FactRow>) {
        (self.0.bits(), learned(&mut self.0))
    }

    fn seats(&self) -> (Seat, u8) {
        (self.0.seat(), self.0.language().seats())
    }

    fn ask(&mut self, fact: &str, budget: &Budget) -> Result<Asked, Unanswered> {
        asked::ask(&mut self.0, fact, budget)
    }

    fn explain(&mut self, fact: &str, budget: &Budget) -> Result<Explained, Unanswered> {
        asked::explain(&mut self.0, fact, budget)
    }

    fn relative(&mut self) -> (Option<String>, Map<String, Value>) {
        relative(&mut self.0)
    }
}

/// Nothing is known of earlier moments.
pub struct NoPast;

impl<M> Past<M> for NoPast {
    fn sights(&self) -> usize {
        0
    }

    fn at(&self, _: usize) -> M {
        unreachable!("there are no earlier moments")
    }

    fn tell(&self, _: usize) -> String {
        String::new()
    }
}
