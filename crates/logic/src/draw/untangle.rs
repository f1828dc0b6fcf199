//! Small moves that make a drawing readable: no boxes over each other, no lines through boxes, few crossings.

use super::{Area, Xy, segments_cross};

/// Drawings with more nodes than this are only freed of overlaps.
const LARGE: usize = 130;
/// The space kept free around boxes.
const MARGIN: f64 = 13.0;

/// A drawing in the making: nodes with sizes, straight edges with wanted lengths.
pub(super) struct Sketch {
    /// Width and height of each node, room for loops included.
    pub(super) sizes: Vec<Xy>,
    /// Ends and wanted length of each edge.
    pub(super) edges: Vec<(usize, usize, f64)>,
    /// The middle of each node.
    pub(super) at: Vec<Xy>,
    /// How many of the nodes are worlds; the others are dots.
    pub(super) worlds: usize,
}

impl Sketch {
    fn area(&self, node: usize) -> Area {
        Area::new(self.at[node], self.sizes[node].x, self.sizes[node].y)
    }

    /// Turns the drawing to the angle at which it reads best, then moves nodes one by one while that helps.
    pub(super) fn untangle(&mut self) {
        let large = self.at.len() > LARGE;
        if !large {
            self.turn();
            let near = self.incident();
            for step in [120.0, 60.0, 30.0, 15.0, 7.0, 3.0] {
                for _ in 0..10 {
                    if !self.sweep(step, &near) {
                        break;
                    }
                }
            }
        }
        self.push_apart();
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

    fn turn(&mut self) {
        let near = self.incident();
        let start = self.at.clone();
        let mut best: Option<(f64, Vec<Xy>)> = None;
        for turn in 0..36 {
            let angle = std::f64::consts::PI * f64::from(turn) / 36.0;
            let (sin, cos) = angle.sin_cos();
            self.at = start.iter().map(|p| Xy::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos)).collect();
            let (mut low, mut high) = (Xy::new(f64::MAX, f64::MAX), Xy::new(f64::MIN, f64::MIN));
            for p in &self.at {
                low = Xy::new(low.x.min(p.x), low.y.min(p.y));
                high = Xy::new(high.x.max(p.x), high.y.max(p.y));
            }
            let wide = (high.y - low.y) / (high.x - low.x).max(1.0);
            let cost: f64 = (0..self.at.len()).map(|node| self.cost(node, &near)).sum::<f64>() + 40.0 * wide;
            if best.as_ref().is_none_or(|(least, _)| cost < least - 1e-6) {
                best = Some((cost, self.at.clone()));
            }
        }
        if let Some((_, at)) = best {
            self.at = at;
        }
    }

    /// Tries to move every node by a step; whether any moved.
    fn sweep(&mut self, step: f64, near: &[Vec<usize>]) -> bool {
        let mut moved = false;
        for node in 0..self.at.len() {
            let home = self.at[node];
            let mut best = (self.cost(node, near), home);
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
            for place in places {
                self.at[node] = place;
                let cost = self.cost(node, near);
                if cost < best.0 - 1e-6 {
                    best = (cost, self.at[node]);
                }
            }
            self.at[node] = best.1;
            moved |= best.1 != home;
        }
        moved
    }

    /// How bad the drawing is, as far as this node is concerned.
    fn cost(&self, node: usize, near: &[Vec<usize>]) -> f64 {
        let mut cost = 0.0;
        let mine = self.area(node).grown(MARGIN);
        for other in 0..self.at.len() {
            if other == node {
                continue;
            }
            let overlap = mine.overlap(&self.area(other).grown(MARGIN));
            if overlap > 0.0 {
                cost += 40.0 + 3.0 * overlap;
            }
            let distance = (self.at[node] - self.at[other]).length().max(10.0);
            cost += 120.0 / distance;
        }
        // Lines of others through this box.
        let box_ = self.area(node).grown(7.0);
        for &(a, b, _) in &self.edges {
            if a != node && b != node && box_.meets(self.at[a], self.at[b]) {
                cost += 25.0;
            }
        }
        for &edge in &near[node] {
            let (a, b, wanted) = self.edges[edge];
            let (p, q) = (self.at[a], self.at[b]);
            let length = (p - q).length();
            let off = (length - wanted) / wanted;
            cost += 14.0 * off * off;
            let other = self.other(edge, node);
            for third in 0..self.at.len() {
                if third != a && third != b && self.area(third).grown(7.0).meets(p, q) {
                    cost += 25.0;
                }
            }
            for &(c, d, _) in &self.edges {
                let shared = c == a || c == b || d == a || d == b;
                if !shared && segments_cross((p, q), (self.at[c], self.at[d])) {
                    cost += 4.0;
                }
            }
            // Lines that leave a node in nearly the same direction are hard to follow.
            for &end in &[node, other] {
                let away = self.at[self.other(edge, end)] - self.at[end];
                for &next in near[end].iter().filter(|&&e| e != edge) {
                    let beside = self.at[self.other(next, end)] - self.at[end];
                    let sharp = away.unit().dot(beside.unit());
                    if sharp > 0.94 {
                        cost += 60.0 * (sharp - 0.94);
                    }
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
