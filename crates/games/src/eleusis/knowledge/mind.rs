//! A seat's memory as a mind.

use super::atoms::Fact;
use super::deals::PATIENCE;
use super::worlds::Asker;
use super::{Memory, World};
use crate::eleusis::moves::{Cards, Sight};
use crate::eleusis::table::Eleusis;
use crate::game::Seat;
use crate::knowledge::{Answer, Budget, Done, Mind, ROWS, Refused};

/// How deep knowledge of hidden hands is followed where little time is given: deeper there are too many hands.
const DEPTH: usize = 1;

/// How many deals are visited within a budget: as many as ever, unless somebody asked for less or for more.
fn patience(budget: &Budget) -> u64 {
    let usual = Budget::default().steps;
    match budget.steps <= usual {
        true => budget.steps.min(PATIENCE),
        false => budget.steps / (usual / PATIENCE),
    }
}

impl<G: Eleusis> Mind for Memory<G> {
    type Language = Memory<G>;
    type World = World;

    fn language(&self) -> &Memory<G> {
        self
    }

    fn seat(&self) -> Seat {
        Memory::seat(self)
    }

    fn ask(&mut self, fact: &Fact, budget: &Budget) -> Done<Answer<World>> {
        match fact.about_hands() && fact.depth() > DEPTH && budget.steps <= ROWS.steps {
            true => Err(Refused::Limit),
            false => {
                self.patience = patience(budget);
                Memory::ask(self, fact)
            }
        }
    }

    fn other(&mut self, seat: Seat, world: &World, fact: &Fact, _: &Budget) -> Done<Option<World>> {
        let Some(&starter) = self.mainline().first() else { return Err(Refused::NoWorld) };
        let hand = match world.hands.get(seat.index()) {
            Some(Cards::Seen(cards)) => cards.clone(),
            // Hands that are only counted do not matter.
            Some(Cards::Hidden(_)) | None => self.common.some_hand(seat),
        };
        let told = self.common.told.is_some() || self.common.dealer == Some(seat);
        let place = self.family.iter().position(|rule| rule.automaton() == world.rule.automaton());
        let rule = told.then(|| self.candidate(&world.rule, place));
        let found = self.survey_by(&Asker { seat, hand: &hand, rule }, starter, self.candidates(), fact);
        found.map(|found| found.fails).map_err(|_| Refused::Limit)
    }

    fn count(&mut self) -> Option<u128> {
        None
    }
}

impl<G: Eleusis> Memory<G> {
    /// The game.
    pub(in crate::eleusis) fn game(&self) -> &G {
        &self.game
    }

    /// What the seat saw.
    pub(in crate::eleusis) fn sights(&self) -> &[Sight] {
        &self.memory
    }

    /// Whether the same cards were accepted until then: what is said of the next card is the same.
    pub fn has_line_of(&self, earlier: &Memory<G>) -> bool {
        self.mainline() == earlier.mainline()
    }
}
