//! What a reasoning player keeps: its position, and the deals that fit it.

use crate::cards::{Card, CardSet};
use crate::cluedo::count::Deals;
use crate::cluedo::knowledge::solve;
use crate::cluedo::position::{Constraints, Observed, Position};
use crate::cluedo::rules::{Action, Cluedo, Endmove, Sight};
use crate::game::Seat;
use crate::knowledge::Budget;

/// The fold of a player's sights.
pub(super) struct Notes {
    game: Cluedo,
    position: Option<Position>,
    /// The hand in the order of dealing.
    hand: Vec<Card>,
    /// Which of its cards it has shown, and to whom.
    shown: Vec<(Seat, Card)>,
    /// The deals that fit, once they are asked for.
    deals: Option<Deals>,
}

impl Notes {
    pub(super) fn new(game: &Cluedo) -> Notes {
        Notes { game: game.clone(), position: None, hand: Vec::new(), shown: Vec::new(), deals: None }
    }

    pub(super) fn watch(&mut self, sight: &Sight) {
        match (&mut self.position, sight) {
            (None, Sight::Dealt { hand, .. }) => {
                self.hand.clone_from(hand);
                self.position = Some(Position::dealt(self.game.deck(), sight));
            }
            (Some(position), _) => {
                if let Sight::Shown { by, to, card: Some(card) } = *sight
                    && by == position.observer()
                {
                    self.shown.push((to, card));
                }
                position.learn(sight, self.game.endmove());
            }
            (None, _) => panic!("a memory begins with the deal"),
        }
        self.deals = None;
    }

    pub(super) fn game(&self) -> &Cluedo {
        &self.game
    }

    pub(super) fn position(&self) -> &Position {
        self.position.as_ref().expect("cards have been dealt")
    }

    /// The deals that fit what was seen.
    pub(super) fn deals(&mut self) -> &Deals {
        if self.deals.is_none() {
            let position = self.position.as_ref().expect("cards have been dealt");
            self.deals = Some(Deals::of(position.deck(), &Constraints::of(position)));
        }
        self.deals.as_ref().expect("just counted")
    }

    /// The envelopes that are possible, what ended turns tell included. Where a declared convention was broken, or the
    /// others' knowledge is too much to follow, the turns' ends are left out.
    pub(super) fn envelopes(&mut self) -> Vec<CardSet> {
        let solved = match self.game.endmove() {
            Endmove::Silent => None,
            Endmove::Ignorance => solve(self.position(), &Budget::default()).ok(),
        };
        let envelopes = solved.map_or_else(|| self.deals().envelopes(), |s| s.envelopes);
        envelopes.into_iter().map(|(envelope, _)| envelope).collect()
    }

    /// The envelope, if only one is possible.
    pub(super) fn solution(&mut self) -> Option<CardSet> {
        match self.envelopes()[..] {
            [envelope] => Some(envelope),
            _ => None,
        }
    }

    /// The bits about the envelope that are open; what ended turns tell is left out.
    pub(super) fn open_bits(&mut self) -> f64 {
        entropy(&self.deals().envelopes())
    }

    /// Who asked the question that is to be answered now.
    pub(super) fn asker(&self) -> Seat {
        match self.position().events().last() {
            Some(&Observed::Ask { asker, .. }) => asker,
            other => panic!("a card is shown after a question, not after {other:?}"),
        }
    }

    /// A card that the asker has seen already, if there is one, else the first in the order of dealing.
    pub(super) fn shown_before(&self, options: &[Action]) -> Action {
        let asker = self.asker();
        let mut again = self.shown.iter().filter(|&&(to, _)| to == asker).map(|&(_, card)| Action::Show(card));
        again.find(|a| options.contains(a)).unwrap_or_else(|| self.first_dealt(options))
    }

    /// The first of the cards that may be shown, in the order of dealing.
    pub(super) fn first_dealt(&self, options: &[Action]) -> Action {
        let shown = self.hand.iter().map(|&c| Action::Show(c)).find(|a| options.contains(a));
        shown.expect("an asked card is in the hand")
    }
}

/// The uncertainty about the envelope, in bits.
pub(super) fn entropy(envelopes: &[(CardSet, u128)]) -> f64 {
    let total: f64 = envelopes.iter().map(|&(_, n)| n as f64).sum();
    envelopes.iter().map(|&(_, n)| n as f64 / total).map(|p| -p * p.log2()).sum()
}
