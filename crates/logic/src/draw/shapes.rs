//! Components with a form of their own: chains, grids and cubes, rings.

use super::layout::{Arranged, Drawn, Part, middle};
use super::{Area, Xy};
use crate::model::kripke::Classes;
use std::collections::BTreeSet;

/// The longest row of a chain.
const ROW: f64 = 980.0;

impl Part<'_> {
    /// All links as lines.
    fn plain(&self, at: Vec<Xy>) -> Arranged {
        Arranged { at, links: vec![Drawn::Plain; self.links.len()] }
    }

    /// The neighbours of each world if all links are lines, in order.
    fn neighbours(&self) -> Option<Vec<Vec<usize>>> {
        let mut near = vec![BTreeSet::new(); self.worlds.len()];
        for link in &self.links {
            let &[a, b] = &link.members[..] else { return None };
            if !link.line {
                return None;
            }
            near[a].insert(b);
            near[b].insert(a);
        }
        Some(near.into_iter().map(|set| set.into_iter().collect()).collect())
    }
}

/// A chain goes from left to right, and back in the next row when it is long.
pub(super) fn path(part: &Part<'_>) -> Option<Arranged> {
    let near = part.neighbours()?;
    let ends: Vec<usize> = (0..near.len()).filter(|&n| near[n].len() == 1).collect();
    if ends.len() != 2 || near.iter().any(|n| n.len() > 2) {
        return None;
    }
    let mut order = vec![ends[0]];
    while order.len() < near.len() {
        let last = *order.last()?;
        let before = order.len().checked_sub(2).map(|i| order[i]);
        order.push(*near[last].iter().find(|n| Some(**n) != before)?);
    }
    let cell = part.cell();
    // Arrows there and back need room for two names.
    let column = cell.x + part.label() + if part.arrows { 66.0 } else { 46.0 };
    let rows = (order.len() as f64 * column / ROW).ceil().max(1.0) as usize;
    let per_row = order.len().div_ceil(rows);
    let mut at = vec![Xy::default(); near.len()];
    for (i, &world) in order.iter().enumerate() {
        let (row, along) = (i / per_row, i % per_row);
        let x = if row % 2 == 0 { along } else { per_row - 1 - along };
        at[world] = Xy::new(x as f64 * column, row as f64 * (cell.y + 54.0));
    }
    Some(part.plain(at))
}

/// The directions of the coordinates of a hypercube of 4 or 5 dimensions, in cells: no corner covers another, and
/// hardly an edge.
const CUBE: [Xy; 5] =
    [Xy::new(2.0, 0.0), Xy::new(0.0, -2.0), Xy::new(0.5, -1.0), Xy::new(4.5, -1.0), Xy::new(-1.5, -5.5)];

/// Worlds whose links change one fact at a time are the points of a grid or the corners of a cube.
pub(super) fn lattice(part: &Part<'_>) -> Option<Arranged> {
    let axes = axes(part);
    let sizes: Vec<usize> = axes.iter().map(|axis| axis.count as usize).collect();
    let cells = sizes.iter().try_fold(1usize, |n, &size| n.checked_mul(size))?;
    let binary = sizes.iter().all(|&size| size == 2);
    if axes.len() < 2 || axes.len() > if binary { 5 } else { 3 } || cells > 3 * part.worlds.len() {
        return None;
    }
    let spot = |world: usize| axes.iter().map(|axis| axis.of[world]).collect::<Vec<u32>>();
    let spots: BTreeSet<Vec<u32>> = (0..part.worlds.len()).map(spot).collect();
    if spots.len() < part.worlds.len() {
        return None;
    }
    // The axis along which a link leads; none if it fills a face of the grid.
    let (mut along, mut faces) = (Vec::new(), Vec::new());
    for link in &part.links {
        let varying: Vec<usize> = (0..axes.len())
            .filter(|&axis| link.members.iter().any(|&m| axes[axis].of[m] != axes[axis].of[link.members[0]]))
            .collect();
        match varying[..] {
            [axis] if link.line || !part.arrows => along.push(Some(axis)),
            _ if link.line => return None,
            _ if varying.iter().map(|&axis| sizes[axis]).product::<usize>() == link.members.len() => {
                along.push(None);
                faces.push(varying);
            }
            _ => return None,
        }
    }
    let room = part.cell();
    let directions: Vec<Xy> = match axes.len() {
        2 => vec![Xy::new(1.0, 0.0), Xy::new(0.0, -1.0)],
        3 => {
            // The shortest axis goes to the back, or one in which faces with a dot extend: a corner at the back would
            // stand before the middle of a face at the front.
            let dotted = |axis: usize| faces.iter().filter(|face| face.contains(&axis)).count();
            let depth = (0..3).min_by_key(|&axis| (sizes[axis], usize::MAX - dotted(axis), usize::MAX - axis))?;
            let step = sizes[depth] as f64;
            let mut flat = [Xy::new(step, 0.0), Xy::new(0.0, -step)].into_iter();
            (0..3)
                .map(|axis| if axis == depth { Xy::new(1.0, -1.0) } else { flat.next().unwrap_or_default() })
                .collect()
        }
        n => CUBE[..n].to_vec(),
    };
    let step = if axes.len() == 2 { 1.0 } else { 2.0 };
    let cell = Xy::new(
        (room.x + 28.0).max((room.x + part.label() + 40.0) / step),
        room.y + if step > 1.0 { 40.0 } else { 56.0 },
    );
    let place = |world: usize| {
        let steps = directions.iter().zip(&axes).map(|(&d, axis)| d * f64::from(axis.of[world]));
        let sum = steps.fold(Xy::default(), |a, b| a + b);
        Xy::new(sum.x * cell.x, sum.y * cell.y)
    };
    let at: Vec<Xy> = (0..part.worlds.len()).map(place).collect();
    let links = part.links.iter().zip(along).map(|(link, along)| match along {
        _ if link.line => Drawn::Plain,
        Some(axis) => {
            let mut order = link.members.clone();
            order.sort_by_key(|&m| axes[axis].of[m]);
            Drawn::Chain(order)
        }
        None => Drawn::Dot(free_spot(middle(&link.members, &at), &at, &part.room)),
    });
    Some(Arranged { links: links.collect(), at })
}

/// A place for a dot near the wanted one and off all boxes.
fn free_spot(wanted: Xy, at: &[Xy], room: &[Xy]) -> Xy {
    let turns = (0..60).map(|i| {
        let angle = f64::from(i) * 2.4;
        wanted + Xy::new(angle.cos(), angle.sin()) * (f64::from(i) * 2.0)
    });
    let free =
        |spot: &Xy| at.iter().zip(room).all(|(&at, room)| !Area::new(at, room.x, room.y).grown(14.0).contains(*spot));
    turns.clone().find(free).unwrap_or(wanted)
}

/// The facts that vary in a component, as coordinates: those that always vary together count once.
fn axes(part: &Part<'_>) -> Vec<Classes> {
    let Some(first) = part.worlds.first() else { return Vec::new() };
    let mut axes: Vec<Classes> = Vec::new();
    let mut seen: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut add = |of: Vec<u32>, count: usize| {
        if count > 1 && seen.insert(Classes::by_key(of.iter()).of) {
            axes.push(Classes { of, count: count as u32 });
        }
    };
    let props: BTreeSet<_> = part.worlds.iter().flat_map(|world| &world.facts.props).collect();
    for prop in props {
        let of: Vec<u32> = part.worlds.iter().map(|world| u32::from(world.facts.props.contains(prop))).collect();
        let count = of.iter().collect::<BTreeSet<_>>().len();
        add(of, count);
    }
    for var in 0..first.facts.vars.len() {
        let values: Vec<_> = part.worlds.iter().filter_map(|world| Some(&world.facts.vars.get(var)?.1)).collect();
        let distinct: BTreeSet<_> = values.iter().copied().collect();
        let of = values.iter().map(|value| distinct.iter().take_while(|d| d < &value).count() as u32).collect();
        add(of, distinct.len());
    }
    axes
}

/// Small components in which every world has equally many neighbours go around a circle.
pub(super) fn ring(part: &Part<'_>) -> Option<Arranged> {
    let near = part.neighbours()?;
    let count = near.len();
    let degree = near.first()?.len();
    if count < 3 || near.iter().any(|n| n.len() != degree) || degree < 2 || count > if degree == 2 { 14 } else { 6 } {
        return None;
    }
    let mut cycles = Vec::new();
    round_trips(&near, &mut vec![0], &mut cycles);
    // The ring is drawn by as few agents as possible; the others cross it.
    let agents = |cycle: &Vec<usize>| {
        let next = |i: usize| cycle[(i + 1) % count];
        let on_ring = |members: &[usize]| (0..count).any(|i| members.contains(&cycle[i]) && members.contains(&next(i)));
        let drawn = part.links.iter().filter(|link| on_ring(&link.members)).flat_map(|link| &link.agents);
        drawn.collect::<BTreeSet<_>>().len()
    };
    let cycle = cycles.into_iter().min_by_key(agents)?;
    let cell = part.cell();
    let half = 2.0 * (std::f64::consts::PI / count as f64).sin();
    let wide = (cell.x + part.label() + 50.0) / half;
    let high = ((cell.y + 62.0) / half).max(wide * 0.55);
    // A flat top if the number is even, a world at the top if it is odd.
    let start = -0.25 * count as f64 - if count % 2 == 0 { 0.5 } else { 0.0 };
    let mut at = vec![Xy::default(); count];
    for (i, &world) in cycle.iter().enumerate() {
        let angle = std::f64::consts::TAU * (i as f64 + start) / count as f64;
        at[world] = Xy::new(angle.cos() * wide, angle.sin() * high);
    }
    Some(part.plain(at))
}

/// All ways around that visit each world once, from the first one, up to a number.
fn round_trips(near: &[Vec<usize>], trip: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if found.len() >= 200 {
        return;
    }
    let Some(&last) = trip.last() else { return };
    if trip.len() == near.len() {
        if near[last].contains(&trip[0]) {
            found.push(trip.clone());
        }
        return;
    }
    for &next in &near[last] {
        if !trip.contains(&next) {
            trip.push(next);
            round_trips(near, trip, found);
            trip.pop();
        }
    }
}
