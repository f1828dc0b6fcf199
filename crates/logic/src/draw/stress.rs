//! Places from distances: stress majorisation from several fixed starts.

use super::Xy;

/// Graphs with more nodes than this get one start and fewer rounds.
const LARGE: usize = 150;

/// The best few ways to place nodes such that the distances between them are close to those in the graph, whose edges
/// have lengths.
pub(super) fn places(size: usize, edges: &[(usize, usize, f64)], ways: usize) -> Vec<Vec<Xy>> {
    let distances = distances(size, edges);
    let scale = edges.iter().map(|&(.., length)| length).sum::<f64>() / edges.len().max(1) as f64;
    let starts = if size > LARGE { 1 } else { 8 };
    let rounds = if size > LARGE { 60 } else { 300 };
    let mut found: Vec<(f64, Vec<Xy>)> = Vec::new();
    for start in 0..starts {
        let at = if start == 0 { circle(size, edges) } else { scattered(size, start) };
        let mut at: Vec<Xy> = at.into_iter().map(|p| p * scale).collect();
        let mut last = f64::INFINITY;
        for round in 0..rounds {
            improve(&distances, &mut at);
            if round % 20 == 19 {
                let now = stress(&distances, &at);
                if now > last * 0.9995 {
                    break;
                }
                last = now;
            }
        }
        let stress = stress(&distances, &at);
        // Starts that lead to the same place count once.
        if found.iter().all(|(other, _)| (stress - other).abs() > 0.01 * other) {
            found.push((stress, at));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().take(ways).map(|(_, at)| at).collect()
}

/// Shortest distances between all nodes; unconnected ones are far apart.
fn distances(size: usize, edges: &[(usize, usize, f64)]) -> Vec<Vec<f64>> {
    let mut near = vec![Vec::new(); size];
    for &(a, b, length) in edges {
        near[a].push((b, length));
        near[b].push((a, length));
    }
    let from = |start: usize| {
        let mut distance = vec![f64::INFINITY; size];
        distance[start] = 0.0;
        let mut done = vec![false; size];
        loop {
            let open = (0..size).filter(|&i| !done[i] && distance[i].is_finite());
            let Some(next) = open.min_by(|&i, &j| distance[i].total_cmp(&distance[j])) else { break };
            done[next] = true;
            for &(other, length) in &near[next] {
                distance[other] = distance[other].min(distance[next] + length);
            }
        }
        let far = distance.iter().copied().filter(|d| d.is_finite()).fold(1.0, f64::max) * 1.2;
        distance.iter_mut().filter(|d| !d.is_finite()).for_each(|d| *d = far);
        distance
    };
    (0..size).map(from).collect()
}

/// Nodes around a circle, in the order of a depth-first walk: neighbours are near each other.
fn circle(size: usize, edges: &[(usize, usize, f64)]) -> Vec<Xy> {
    let mut near = vec![Vec::new(); size];
    for &(a, b, _) in edges {
        near[a].push(b);
        near[b].push(a);
    }
    near.iter_mut().for_each(|list| list.sort_unstable_by(|a, b| b.cmp(a)));
    let mut seen = vec![false; size];
    let mut order = Vec::new();
    for start in 0..size {
        let mut open = vec![start];
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut seen[next], true) {
                order.push(next);
                open.extend(near[next].iter().copied().filter(|&n| !seen[n]));
            }
        }
    }
    let mut at = vec![Xy::default(); size];
    for (i, &node) in order.iter().enumerate() {
        let angle = std::f64::consts::TAU * i as f64 / size as f64;
        let radius = (size as f64).sqrt();
        at[node] = Xy::new(angle.cos() * radius, angle.sin() * radius);
    }
    at
}

/// Scattered nodes; the same for the same seed.
fn scattered(size: usize, seed: u64) -> Vec<Xy> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let width = (size as f64).sqrt() * 1.5;
    (0..size).map(|_| Xy::new(next() * width, next() * width)).collect()
}

fn weight(distance: f64) -> f64 {
    1.0 / (distance * distance).max(1e-6)
}

/// Moves each node to where its distances to all others call it.
fn improve(distances: &[Vec<f64>], at: &mut [Xy]) {
    for i in 0..at.len() {
        let (mut sum, mut total) = (Xy::default(), 0.0);
        for j in 0..at.len() {
            if i == j {
                continue;
            }
            let (distance, weight) = (distances[i][j], weight(distances[i][j]));
            let apart = at[i] - at[j];
            let direction = if apart.length() < 1e-9 {
                let angle = (i * 7 + j * 13) as f64;
                Xy::new(angle.cos(), angle.sin())
            } else {
                apart.unit()
            };
            sum = sum + (at[j] + direction * distance) * weight;
            total += weight;
        }
        if total > 0.0 {
            at[i] = sum * (1.0 / total);
        }
    }
}

fn stress(distances: &[Vec<f64>], at: &[Xy]) -> f64 {
    let mut sum = 0.0;
    for i in 0..at.len() {
        for j in 0..i {
            let off = (at[i] - at[j]).length() - distances[i][j];
            sum += weight(distances[i][j]) * off * off;
        }
    }
    sum
}
