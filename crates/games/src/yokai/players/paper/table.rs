//! What everybody sees, as far as the order of goals needs it.

use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::yokai::position::Position;
use crate::yokai::rules::{SeenAct, Sight, Stage};

/// The table, and what the partner did to its cards.
#[derive(Clone)]
pub(super) struct Table {
    me: Seat,
    pub(super) stage: Stage,
    /// The cards that the partner looked at.
    pub(super) looked: CardSet,
    /// The cards that lie where the partner put them.
    pub(super) moved: CardSet,
}

impl Table {
    pub(super) fn at(position: &Position) -> Table {
        let Position { me, stage, partner_seen, .. } = position;
        Table { me: *me, stage: stage.clone(), looked: *partner_seen, moved: CardSet::EMPTY }
    }

    pub(super) fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { me } => *self = Table::at(&Position::start(me)),
            Sight::Done { seat, act, .. } => {
                self.stage.follow(sight);
                match act {
                    SeenAct::Looked { card, .. } if seat != self.me => self.looked = self.looked.with(card),
                    SeenAct::Moved { card, .. } if seat != self.me => self.moved = self.moved.with(card),
                    SeenAct::Moved { card, .. } => self.moved = self.moved.without(card),
                    SeenAct::Looked { .. }
                    | SeenAct::Skipped
                    | SeenAct::Activated(_)
                    | SeenAct::Marked { .. }
                    | SeenAct::Stopped => {}
                }
            }
        }
    }

    /// The cards beside one of these.
    pub(super) fn beside(&self, cards: CardSet) -> CardSet {
        let shape = self.stage.layout().shape();
        cards.iter().fold(CardSet::EMPTY, |all, x| all.or(shape.beside(x)))
    }
}

/// Into how many connected parts cards fall.
pub(in crate::yokai::players) fn parts(beside: &[u16], mut cards: u16) -> usize {
    let mut parts = 0;
    while cards != 0 {
        let mut fringe = cards & cards.wrapping_neg();
        while fringe != 0 {
            cards &= !fringe;
            let near = CardSet(fringe.into()).iter().fold(0, |near, Card(x)| near | beside[usize::from(x)]);
            fringe = near & cards;
        }
        parts += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yokai::layout::Layout;

    #[test]
    fn the_corners_are_four_parts_and_a_row_is_one() {
        let shape = Layout::start().shape();
        let count = |cards: &[u8]| parts(shape.neighbours(), cards.iter().fold(0, |all, x| all | 1 << x));
        assert_eq!(count(&[0, 3, 12, 15]), 4);
        assert_eq!(count(&[0, 1, 2, 3]), 1);
        assert_eq!(count(&[0, 1, 10, 11, 14]), 2);
        assert_eq!(count(&[]), 0);
    }
}
