//! Models and systems, each in either of two ways: as they are written, or listed.

use super::kripke::Kripke;
use super::law::LawModel;
use super::system::System;
use super::transitions::Transitions;
use crate::formula::Name;

/// A model of either kind.
#[derive(Clone, Debug)]
pub enum Model {
    /// Given by laws and observations.
    Law(LawModel),
    /// Given world by world.
    Kripke(Kripke),
}

impl Model {
    /// Whether relations are arbitrary rather than equivalences.
    pub fn is_belief(&self) -> bool {
        match self {
            Model::Law(m) => m.belief,
            Model::Kripke(m) => m.is_belief(),
        }
    }

    /// The agents, in order.
    pub fn agents(&self) -> &[Name] {
        match self {
            Model::Law(m) => &m.agents,
            Model::Kripke(m) => m.agents(),
        }
    }
}

/// A system of either kind.
#[derive(Clone, Debug)]
pub enum Time {
    /// Given by actors, protocols and evolution.
    System(System),
    /// Given state by state.
    Transitions(Transitions),
}

impl Time {
    /// The initial states as a model of worlds.
    pub fn beginning(&self) -> Model {
        match self {
            Time::System(system) => Model::Law(system.vocabulary.clone()),
            Time::Transitions(system) => Model::Kripke(system.beginning()),
        }
    }
}
