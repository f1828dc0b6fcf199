//! Small moves that make a drawing readable: no boxes over each other, no lines through boxes, few crossings.

use super::{Area, Xy, segments_cross};
use std::cell::Cell;

/// Drawings with more nodes than this are only freed of overlaps.
const LARGE: usize = 130;
/// The space kept free around boxes.
const MARGIN: f64 = 13.0;
/// The space kept free between boxes and the lines of others.
const CLEAR: f64 = 7.0;
/// Nodes wider than this are boxes, others dots.
const DOT_SIZE: f64 = 21.0;
/// Nodes further apart than this are not swapped.
const SWAP_REACH: f64 = 420.0;
/// How much a drawing grows to get more room.
const ROOM: f64 = 1.12;
/// What a line through a box costs.
const THROUGH: f64 = 40.0;
/// The pairs of things that may be compared to make a drawing better: some tenths of a second. What is found until then is
/// drawn, the same on every machine. Drawings of sixteen worlds are done long before.
const WORK: u64 = 20_000_000;
/// Less than this is no improvement: rounding decides nothing.
const LESS: f64 = 1e-6;

/// A drawing in the making: nodes with sizes, straight edges with wanted lengths.
pub(super) struct Sketch {
    /// Width and height of each node, room for loops included.
    pub(super) sizes: Vec<Xy>,
    /// Ends and wanted length of each edge.
    pub(super) edges: Vec<(usize, usize, f64)>,
    /// The middle of each node.
    pub(super) at: Vec<Xy>,
    /// How many pairs of things have been compared.
    pub(super) worked: Cell<u64>,
}

impl Sketch {
    /// Whether enough has been tried.
    fn tired(&self) -> bool {
        self.worked.get() > WORK
    }

    fn area(&self, node: usize) -> Area {
        Area::new(self.at[node], self.sizes[node].x, self.sizes[node].y)
    }

    /// Turns the drawing to the angle at which it reads best, then moves and swaps nodes while that helps; a drawing in
    /// which lines still run through boxes gets more room.
    pub(super) fn untangle(&mut self) {
        if self.at.len() <= LARGE {
            self.turn();
            let near = self.incident();
            self.settle(&[120.0, 60.0, 30.0, 15.0, 7.0], &near);
            for _ in 0..3 {
                let tangled = self.tangled();
                if tangled.is_empty() || self.tired() {
                    break;
                }
                self.at.iter_mut().for_each(|p| *p = *p * ROOM);
                self.edges.iter_mut().for_each(|(.., wanted)| *wanted *= ROOM);
                self.relocate(&tangled, &near);
                self.settle(&[40.0, 15.0, 6.0], &near);
            }
            self.settle(&[3.0], &near);
        }
        self.push_apart();
    }

    /// How bad the whole drawing is.
    pub(super) fn total(&self) -> f64 {
        let near = self.incident();
        (0..self.at.len()).map(|node| self.cost(node, &near, f64::INFINITY)).sum()
    }

    /// The other end of an edge.
    fn other(&self, edge: usize, node: usize) -> usize {
        let (a, b, _) = self.edges[edge];
        if a == node { b } else { a }
    }

    /// The edges at each node.
    fn incident(&self) -> Vec<Vec<usize>> {
        let mut near = vec![Vec::new(); self.at.len()];
        for (edge, &(a, b, _)) in self.edges.iter().enumerate() {
            near[a].push(edge);
            near[b].push(edge);
        }
        near
    }

    /// The corners of the drawing.
    fn extent(&self) -> (Xy, Xy) {
        let (mut low, mut high) = (Xy::new(f64::MAX, f64::MAX), Xy::new(f64::MIN, f64::MIN));
        for p in &self.at {
            low = Xy::new(low.x.min(p.x), low.y.min(p.y));
            high = Xy::new(high.x.max(p.x), high.y.max(p.y));
        }
        (low, high)
    }

    fn turn(&mut self) {
        let start = self.at.clone();
        let mut best: Option<(f64, Vec<Xy>)> = None;
        for turn in 0..36 {
            let angle = std::f64::consts::PI * f64::from(turn) / 36.0;
            let (sin, cos) = angle.sin_cos();
            self.at = start.iter().map(|p| Xy::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos)).collect();
            let (low, high) = self.extent();
            let wide = (high.y - low.y) / (high.x - low.x).max(1.0);
            let cost = self.total() + 40.0 * wide;
            if best.as_ref().is_none_or(|(least, _)| cost < least - LESS) {
                best = Some((cost, self.at.clone()));
            }
        }
        if let Some((_, at)) = best {
            self.at = at;
        }
    }

    /// Swaps nodes and moves them by ever smaller steps.
    fn settle(&mut self, steps: &[f64], near: &[Vec<usize>]) {
        for (i, &step) in steps.iter().enumerate() {
            if i % 2 == 0 && step > 20.0 {
                self.swap(near);
            }
            let mut restless = vec![true; self.at.len()];
            for _ in 0..10 {
                restless = self.sweep(step, near, &restless);
                if !restless.contains(&true) || self.tired() {
                    break;
                }
            }
        }
    }

    /// The nodes at fault where a line runs through a box: the box and the ends of the line.
    fn tangled(&self) -> Vec<usize> {
        let mut tangled = vec![false; self.at.len()];
        for &(a, b, _) in &self.edges {
            for node in (0..self.at.len()).filter(|&node| node != a && node != b) {
                if self.area(node).grown(4.0).meets(self.at[a], self.at[b]) {
                    [a, b, node].iter().for_each(|&n| tangled[n] = true);
                }
            }
        }
        (0..self.at.len()).filter(|&node| tangled[node]).collect()
    }

    /// Tries places all over the drawing for some nodes.
    fn relocate(&mut self, nodes: &[usize], near: &[Vec<usize>]) {
        let (low, high) = self.extent();
        let cell = (high - low) * (1.0 / 14.0);
        for &node in nodes {
            if self.tired() {
                return;
            }
            let places = (0..15 * 15).map(|i| low + Xy::new(f64::from(i % 15) * cell.x, f64::from(i / 15) * cell.y));
            self.best_of(node, places, near);
        }
    }

    /// Swaps nodes of the same kind where that helps.
    fn swap(&mut self, near: &[Vec<usize>]) {
        for a in 0..self.at.len() {
            if self.tired() {
                return;
            }
            for b in 0..a {
                let alike = (self.sizes[a].x > DOT_SIZE) == (self.sizes[b].x > DOT_SIZE);
                if !alike || (self.at[a] - self.at[b]).length() > SWAP_REACH {
                    continue;
                }
                let before = self.cost(a, near, f64::INFINITY) + self.cost(b, near, f64::INFINITY) - LESS;
                self.at.swap(a, b);
                let after = self.cost(a, near, before);
                if after > before || after + self.cost(b, near, before - after) > before {
                    self.at.swap(a, b);
                }
            }
        }
    }

    /// Tries to move every restless node by a step; gives the nodes that moved and their neighbours.
    fn sweep(&mut self, step: f64, near: &[Vec<usize>], restless: &[bool]) -> Vec<bool> {
        let mut moved = vec![false; self.at.len()];
        for node in (0..self.at.len()).filter(|&node| restless[node]) {
            if self.tired() {
                break;
            }
            let home = self.at[node];
            let around = (0..8).map(|direction| {
                let angle = std::f64::consts::FRAC_PI_4 * f64::from(direction);
                Xy::new(angle.cos(), angle.sin()) * step
            });
            let mut places: Vec<Xy> = around.clone().map(|by| home + by).collect();
            if step > 50.0 && !near[node].is_empty() {
                // Large steps also jump to where the neighbours are.
                let others = near[node].iter().map(|&e| self.at[self.other(e, node)]);
                let middle = others.fold(Xy::default(), |a, b| a + b) * (1.0 / near[node].len() as f64);
                places.extend(around.map(|by| middle + by));
            }
            if self.best_of(node, places.into_iter(), near) {
                moved[node] = true;
                near[node].iter().for_each(|&edge| moved[self.other(edge, node)] = true);
            }
        }
        moved
    }

    /// Moves a node to the best of some places if that is better than where it is; whether it moved.
    fn best_of(&mut self, node: usize, places: impl Iterator<Item = Xy>, near: &[Vec<usize>]) -> bool {
        let home = self.at[node];
        let mut best = (self.cost(node, near, f64::INFINITY), home);
        for place in places {
            self.at[node] = place;
            let cost = self.cost(node, near, best.0);
            if cost < best.0 - LESS {
                best = (cost, place);
            }
        }
        self.at[node] = best.1;
        best.1 != home
    }

    /// How bad the drawing is, as far as this node is concerned; more than `limit` if it is worse than that.
    fn cost(&self, node: usize, near: &[Vec<usize>], limit: f64) -> f64 {
        self.worked.set(self.worked.get() + (self.at.len() + self.edges.len()) as u64);
        let mut cost = 0.0;
        let mine = self.area(node).grown(2.0 * MARGIN);
        for other in (0..self.at.len()).filter(|&other| other != node) {
            let overlap = mine.overlap(&self.area(other));
            if overlap > 0.0 {
                cost += 40.0 + 3.0 * overlap;
            }
            cost += 120.0 / (self.at[node] - self.at[other]).length().max(10.0);
        }
        if cost > limit {
            return cost;
        }
        // Lines of others through this box.
        let clear = self.area(node).grown(CLEAR);
        for &(a, b, _) in &self.edges {
            if a != node && b != node && clear.meets(self.at[a], self.at[b]) {
                cost += THROUGH;
            }
        }
        for &edge in &near[node] {
            if cost > limit {
                return cost;
            }
            cost += self.edge_cost(edge, near);
        }
        cost
    }

    /// How bad an edge is: its length, boxes in its way, crossings, sharp angles.
    fn edge_cost(&self, edge: usize, near: &[Vec<usize>]) -> f64 {
        self.worked.set(self.worked.get() + (self.at.len() + self.edges.len()) as u64);
        let (a, b, wanted) = self.edges[edge];
        let (p, q) = (self.at[a], self.at[b]);
        let off = ((p - q).length() - wanted) / wanted;
        let mut cost = 14.0 * off * off;
        for third in (0..self.at.len()).filter(|&third| third != a && third != b) {
            if self.area(third).grown(CLEAR).meets(p, q) {
                cost += THROUGH;
            }
        }
        for &(c, d, _) in &self.edges {
            let shared = c == a || c == b || d == a || d == b;
            if !shared && segments_cross((p, q), (self.at[c], self.at[d])) {
                cost += 4.0;
            }
        }
        // Lines that leave a node in nearly the same direction are hard to follow.
        for end in [a, b] {
            let away = (self.at[self.other(edge, end)] - self.at[end]).unit();
            for &next in near[end].iter().filter(|&&e| e != edge) {
                let beside = (self.at[self.other(next, end)] - self.at[end]).unit();
                let sharp = away.dot(beside) - 0.94;
                if sharp > 0.0 {
                    cost += 160.0 * sharp;
                }
            }
        }
        cost
    }

    /// Moves overlapping boxes apart until none overlap.
    fn push_apart(&mut self) {
        for _ in 0..400 {
            let mut clean = true;
            for a in 0..self.at.len() {
                for b in 0..a {
                    let (first, second) = (self.area(a).grown(MARGIN / 2.0), self.area(b).grown(MARGIN / 2.0));
                    if first.overlap(&second) < 0.5 {
                        continue;
                    }
                    clean = false;
                    let d = first.middle - second.middle;
                    let x = first.half.x + second.half.x - d.x.abs();
                    let y = first.half.y + second.half.y - d.y.abs();
                    let push = if x < y {
                        Xy::new(if d.x < 0.0 { -x } else { x } / 2.0, 0.0)
                    } else {
                        Xy::new(0.0, if d.y < 0.0 { -y } else { y } / 2.0)
                    };
                    self.at[a] = self.at[a] + push;
                    self.at[b] = self.at[b] - push;
                }
            }
            if clean {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cube of so many dimensions, as muddy children have it, every node at its place on a spiral.
    fn cube(dimensions: u32) -> Sketch {
        let size = 1usize << dimensions;
        let edge = |node: usize| {
            let up = (0..dimensions).map(move |d| node | 1 << d);
            up.filter(move |&other| other != node).map(move |other| (node, other, 120.0))
        };
        let place = |node: usize| {
            let angle = node as f64 * 2.4;
            Xy::new(angle.cos(), angle.sin()) * (60.0 * (node as f64).sqrt())
        };
        Sketch {
            sizes: vec![Xy::new(70.0, 30.0); size],
            edges: (0..size).flat_map(edge).collect(),
            at: (0..size).map(place).collect(),
            worked: Cell::new(0),
        }
    }

    #[test]
    fn a_drawing_of_64_worlds_is_made_with_bounded_work() {
        for dimensions in [3, 4, 6] {
            let mut sketch = cube(dimensions);
            sketch.untangle();
            let node = sketch.at.len() as u64 + sketch.edges.len() as u64;
            // What is begun is ended: at most the places of one node, or the swaps of one, are tried beyond the limit.
            let slack = 4 * sketch.at.len() as u64 * (1 + u64::from(dimensions)) * node;
            assert!(sketch.worked.get() < WORK + slack, "{dimensions}: {}", sketch.worked.get());
            assert_eq!(
                sketch.worked.get() < WORK / 2,
                dimensions < 6,
                "{dimensions}: small drawings are not cut short"
            );
            let overlaps = |a: usize, b: usize| a != b && sketch.area(a).overlap(&sketch.area(b)) > 0.0;
            let size = sketch.at.len();
            assert!((0..size).all(|a| (0..size).all(|b| !overlaps(a, b))), "no box lies on another");
        }
    }
}
