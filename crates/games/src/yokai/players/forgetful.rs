//! Bounded memory for any player: only the colours of the last looks are remembered.
//!
//! Which cards were looked at is public and stays known. When a colour is forgotten, the player is made anew and watches
//! the whole match again, with its own forgotten looks showing no colour.

use super::{Basis, Make, Mind, Placed, Reason, Reasoned};
use crate::dice::mix;
use crate::game::{Player, Seat};
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Yokai};

/// A player that forgets.
pub struct Forgetful {
    make: Make,
    game: Yokai,
    /// How many looks it remembers.
    looks: usize,
    seed: u64,
    me: Seat,
    placed: Option<Position>,
    /// What it saw, without what it has forgotten.
    memory: Vec<Sight>,
    /// How often it was made anew.
    made: u64,
    inner: Box<dyn Mind>,
}

impl Forgetful {
    /// A player that `make` makes, with the colours of its last `looks` looks.
    pub fn new(make: Make, game: Yokai, looks: usize, seed: u64) -> Forgetful {
        let inner = make(&game, seed);
        Forgetful { make, game, looks, seed, me: Seat(0), placed: None, memory: Vec::new(), made: 0, inner }
    }

    /// Forgets the colour of the look before the last ones, if it is remembered; whether there was one.
    fn forget(&mut self) -> bool {
        let me = self.me;
        let colours = self.memory.iter_mut().rev().filter_map(|sight| match sight {
            Sight::Done { seat, act: SeenAct::Looked { colour, .. }, .. } if *seat == me => Some(colour),
            Sight::Done { .. } | Sight::Dealt { .. } => None,
        });
        let mut forgot = false;
        for colour in colours.skip(self.looks) {
            forgot |= colour.take().is_some();
        }
        forgot
    }
}

impl Player<Yokai> for Forgetful {
    fn watch(&mut self, sight: &Sight) {
        if let Sight::Dealt { me } = sight {
            self.me = *me;
            self.placed = None;
            self.memory.clear();
        }
        self.memory.push(sight.clone());
        if !self.forget() {
            self.inner.watch(sight);
            return;
        }
        self.made += 1;
        // A fresh seed: with the old one it would repeat its first choices.
        self.inner = (self.make)(&self.game, mix(self.seed, self.made));
        if let Some(position) = &self.placed {
            self.inner.place(position);
        }
        self.memory.iter().for_each(|sight| self.inner.watch(sight));
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        self.inner.choose(options)
    }
}

impl Placed for Forgetful {
    fn place(&mut self, position: &Position) {
        self.me = position.me;
        self.memory.clear();
        self.inner.place(position);
        self.placed = Some(position.clone());
    }
}

impl Reasoned for Forgetful {
    fn reason(&self) -> Option<Reason> {
        self.inner.reason()
    }

    fn basis(&mut self) -> Option<Basis> {
        self.inner.basis()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn, View};
    use crate::record::Match;
    use crate::yokai::Step;
    use serde_json::json;

    /// Says what it knows, by its own looks.
    struct Spy(Vec<Sight>);

    impl Player<Yokai> for Spy {
        fn watch(&mut self, sight: &Sight) {
            self.0.push(sight.clone());
        }

        fn choose(&mut self, options: &[Action]) -> Action {
            options[0]
        }
    }

    impl Placed for Spy {
        fn place(&mut self, _: &Position) {}
    }

    impl Reasoned for Spy {
        fn reason(&self) -> Option<Reason> {
            let page = Yokai::default().view(&self.0);
            let own: Vec<bool> =
                page.looks.iter().filter(|l| l.seat == page.seat).map(|l| l.colour.is_some()).collect();
            Some(Reason { headline: String::new(), lines: Vec::new(), data: json!(own) })
        }
    }

    #[test]
    fn the_last_looks_are_remembered_and_the_earlier_ones_stay_public() {
        let game = Yokai::default();
        let mut forgetful = Forgetful::new(|_, _| Box::new(Spy(Vec::new())), game, 3, 1);
        let mut played = Match::deal(game, 8);
        let mut mine = 0;
        forgetful.watch(&game.sight(&played.events()[0], Seat(0)));
        while played.outcome().is_none() {
            let action = game.legal(played.state())[0];
            mine += usize::from(action.step() == Some(Step::Look) && played.turn() == Turn::Of(Seat(0)));
            let sight = game.sight(played.play(&action).unwrap(), Seat(0));
            forgetful.watch(&sight);
            let known: Vec<bool> = (0..mine).map(|i| i + 3 >= mine).collect();
            assert_eq!(forgetful.reason().unwrap().data, json!(known));
        }
        assert_eq!(mine, 14);
    }
}
