//! The shortest way to the end when every colour is known: iterative deepening, cut off by the distances.

use super::distance::{Classes, Gaps};
use crate::cards::{Card, CardSet};
use crate::yokai::layout::{Cell, Layout};

/// How many layouts a search may open.
const LAYOUTS: u32 = 1000;

/// The moves of a shortest solution of at most `most` moves that begins with a move that is `allowed`. None is found if
/// there is none, or if the search would take too long.
pub fn solve(
    layout: &Layout,
    classes: &Classes,
    marked: CardSet,
    most: u8,
    allowed: &dyn Fn(Card, Cell) -> bool,
) -> Option<Vec<(Card, Cell)>> {
    let least = Gaps::of(&layout.shape()).distances(classes, marked.0 as u16);
    let mut search = Search { classes, marked, allowed, path: Vec::new(), left: LAYOUTS };
    (least..=most).find(|&moves| search.within(layout, moves) || search.left == 0)?;
    (search.left > 0).then_some(search.path)
}

struct Search<'a> {
    classes: &'a Classes,
    marked: CardSet,
    allowed: &'a dyn Fn(Card, Cell) -> bool,
    path: Vec<(Card, Cell)>,
    left: u32,
}

impl Search<'_> {
    /// Whether so many moves suffice; the path is then one that does.
    fn within(&mut self, layout: &Layout, moves: u8) -> bool {
        let shape = layout.shape();
        let distance = |shape| Gaps::of(&shape).distances(self.classes, self.marked.0 as u16);
        let here = distance(shape.clone());
        if here == 0 || here > moves || self.left == 0 {
            return here == 0;
        }
        self.left -= 1;
        let last = self.path.last().map(|m| m.0);
        let mut next: Vec<(u8, Card, Cell)> = shape
            .moves(self.marked)
            .filter(|&(card, to)| last.map_or_else(|| (self.allowed)(card, to), |last| card != last))
            .map(|(card, to)| (distance(layout.moved(card, to).shape()), card, to))
            .filter(|n| n.0 < moves)
            .collect();
        next.sort_by_key(|n| n.0);
        next.into_iter().any(|(_, card, to)| {
            self.path.push((card, to));
            let found = self.within(&layout.moved(card, to), moves - 1);
            if !found {
                self.path.pop();
            }
            found
        })
    }
}
