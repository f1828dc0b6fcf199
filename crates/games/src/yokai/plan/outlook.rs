//! The costs of every move under every colouring drawn, and what follows from them.

use super::distance::{Classes, Gaps, NEVER, classes};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::yokai::colour::Colouring;
use crate::yokai::layout::{Cell, Layout, Shape};

/// What a distance of 0, 1, 2, 3 moves costs, in hundredths of a move. Two moves cost more than twice one, since the
/// second waits for the first; a third is often spared, as other moves open the layout. Found by play.
const COST: [u16; NEVER as usize + 1] = [0, 100, 215, 250, 0, 0, 600];

/// Colourings drawn from a belief.
#[derive(Clone, Debug)]
pub struct Draws {
    /// The colourings.
    pub colourings: Vec<Colouring>,
    classes: Vec<Classes>,
}

impl Draws {
    /// These colourings.
    pub fn new(colourings: Vec<Colouring>) -> Draws {
        let classes = colourings.iter().map(classes).collect();
        Draws { colourings, classes }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.colourings.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.colourings.is_empty()
    }

    /// The cards of each colour in each.
    pub fn classes(&self) -> &[Classes] {
        &self.classes
    }
}

/// What it costs to bring the four cards of a colour together, in hundredths of a move.
pub fn cost_of(gaps: &Gaps, four: u16, marked: u16) -> u16 {
    COST[gaps.distance(four, marked) as usize]
}

/// The cost of a layout under a colouring.
pub fn cost(gaps: &Gaps, classes: &Classes, marked: u16) -> u16 {
    classes.iter().map(|&four| cost_of(gaps, four, marked)).sum()
}

/// The mean cost of a layout, in moves.
pub fn mean_cost(shape: &Shape, draws: &Draws, marked: CardSet) -> f64 {
    let gaps = Gaps::of(shape);
    let total: u32 = draws.classes.iter().map(|c| u32::from(cost(&gaps, c, marked.0 as u16))).sum();
    f64::from(total) / 100.0 / draws.len() as f64
}

/// Every legal move with its layout worked out.
#[derive(Clone, Debug)]
pub struct Moves {
    layout: Layout,
    marked: CardSet,
    moves: Vec<(Card, Cell)>,
    gaps: Vec<Gaps>,
}

impl Moves {
    /// The moves of a layout.
    pub fn of(layout: &Layout, marked: CardSet) -> Moves {
        let moves: Vec<(Card, Cell)> = layout.shape().moves(marked).collect();
        let gaps = moves.iter().map(|&(card, to)| Gaps::of(&layout.moved(card, to).shape())).collect();
        Moves { layout: *layout, marked, moves, gaps }
    }

    /// The moves.
    pub fn list(&self) -> &[(Card, Cell)] {
        &self.moves
    }

    /// What the empty cells can bring together after each move.
    pub fn gaps(&self) -> &[Gaps] {
        &self.gaps
    }

    /// The cards that are marked, as bits.
    pub fn marked(&self) -> u16 {
        self.marked.0 as u16
    }

    /// The costs after each move under each colouring.
    pub fn outlook(&self, draws: &Draws) -> Outlook {
        let row = |gaps: &Gaps| draws.classes.iter().map(|c| cost(gaps, c, self.marked.0 as u16)).collect();
        Outlook { costs: self.gaps.iter().map(row).collect() }
    }

    /// The mean cost after a move, half of it weighed a step further: as if the next mover knew the colours.
    pub fn deepened(&self, index: usize, here: f64, draws: &Draws) -> f64 {
        let (card, to) = self.moves[index];
        let layout = self.layout.moved(card, to);
        let marked = self.marked.0 as u16;
        let classes = &draws.classes[..draws.len().min(DEEP_DRAWS)];
        let costs = |gaps: &Gaps, classes: &Classes| classes.map(|four| COST[gaps.distance(four, marked) as usize]);
        let before: Vec<[u16; 4]> = classes.iter().map(|c| costs(&self.gaps[index], c)).collect();
        // Only the colour of the moved card is weighed anew: the others change little.
        let mut gain = vec![0; classes.len()];
        for (next, there) in layout.shape().moves(self.marked).filter(|m| m.0 != card) {
            let gaps = Gaps::of(&layout.moved(next, there).shape());
            for ((gain, classes), before) in gain.iter_mut().zip(classes).zip(&before) {
                let (four, before) = classes
                    .iter()
                    .zip(before)
                    .find(|(four, _)| *four >> next.0 & 1 == 1)
                    .expect("every card has a colour");
                *gain = (*gain).max(before.saturating_sub(COST[gaps.distance(*four, marked) as usize]));
            }
        }
        let gained: u32 = gain.iter().map(|&g| u32::from(g)).sum();
        here - f64::from(gained) / 200.0 / gain.len() as f64
    }

    /// The moves by their mean costs, the best first; the first few of them weighed a step further. Numbers of moves.
    pub fn ranked(&self, draws: &Draws, deeper: usize) -> Vec<(f64, usize)> {
        let mut order: Vec<(f64, usize)> = self.outlook(draws).means().into_iter().zip(0..).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        let deeper = deeper.min(order.len());
        let mut gained = 0.0;
        for (value, i) in &mut order[..deeper] {
            let deep = self.deepened(*i, *value, draws);
            gained += *value - deep;
            *value = deep;
        }
        // What the others would gain is taken to be the same on the mean, so that all can be compared.
        for (value, _) in &mut order[deeper..] {
            *value -= gained / deeper.max(1) as f64;
        }
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order
    }
}

/// How many colourings the second step is weighed on.
const DEEP_DRAWS: usize = 40;

/// The costs after each move under each colouring.
#[derive(Clone, Debug)]
pub struct Outlook {
    costs: Vec<Vec<u16>>,
}

impl Outlook {
    /// The mean cost after each move, in moves.
    pub fn means(&self) -> Vec<f64> {
        let mean =
            |row: &Vec<u16>| row.iter().map(|&c| u32::from(c)).sum::<u32>() as f64 / 100.0 / row.len().max(1) as f64;
        self.costs.iter().map(mean).collect()
    }

    /// The card whose colour, together with that of another of these cards, lets the best move gain most; the other may
    /// be chosen anew when the first is known. Draws decide between equals.
    pub fn first_look(&self, draws: &Draws, cards: &[Card], dice: &mut Dice) -> Option<Card> {
        let mut best = (u32::MAX, None);
        for (i, &a) in cards.iter().enumerate() {
            for &b in &cards[..i] {
                let keys: Vec<usize> = draws.colourings.iter().map(|c| c.of(a).index() * 4 + c.of(b).index()).collect();
                let worth = self.least::<16>(&keys);
                if worth < best.0 {
                    best = (worth, Some(*dice.pick(&[a, b])));
                }
            }
        }
        best.1.or(cards.first().copied())
    }

    /// The mean cost after the best move, in moves.
    pub fn best(&self) -> f64 {
        self.means().into_iter().fold(f64::MAX, f64::min)
    }

    /// The card whose colour lets the best move gain most.
    pub fn best_look(&self, draws: &Draws, cards: &[Card]) -> Option<Card> {
        let worth = |card: &Card| self.after_look(draws, *card);
        cards.iter().copied().min_by(|a, b| worth(a).total_cmp(&worth(b)))
    }

    /// What is left of the colourings and their costs when only these are kept.
    pub fn part(&self, draws: &Draws, kept: &[usize]) -> (Draws, Outlook) {
        let costs = self.costs.iter().map(|row| kept.iter().map(|&d| row[d]).collect()).collect();
        let colourings = kept.iter().map(|&d| draws.colourings[d]).collect();
        let classes = kept.iter().map(|&d| draws.classes[d]).collect();
        (Draws { colourings, classes }, Outlook { costs })
    }

    /// The mean cost after the best move once the colour of this card is known, in moves.
    pub fn after_look(&self, draws: &Draws, card: Card) -> f64 {
        let keys: Vec<usize> = draws.colourings.iter().map(|c| c.of(card).index()).collect();
        f64::from(self.least::<4>(&keys)) / 100.0 / draws.len().max(1) as f64
    }

    /// The cost after the best move for each key, summed over the colourings.
    fn least<const N: usize>(&self, keys: &[usize]) -> u32 {
        let mut least = [u32::MAX; N];
        for row in &self.costs {
            let mut sums = [0; N];
            for (&key, &cost) in keys.iter().zip(row) {
                sums[key] += u32::from(cost);
            }
            for (least, sum) in least.iter_mut().zip(sums) {
                *least = (*least).min(sum);
            }
        }
        least.iter().sum()
    }
}
