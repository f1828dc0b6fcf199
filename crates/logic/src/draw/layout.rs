//! Where things go: one component after another, each by the method that suits it.

use super::label::{lines_width, text_width};
use super::picture::{Picture, Shape, World};
use super::shapes;
use super::stress;
use super::untangle::Sketch;
use super::{Area, Xy};
use std::cell::Cell;
use std::collections::BTreeMap;

/// The size of text in labels.
pub(super) const FONT: f64 = 13.0;
/// The height of a line of a label.
pub(super) const LINE: f64 = 17.0;
/// The size of the names of agents at lines.
pub(super) const SMALL: f64 = 12.0;
/// How far a loop reaches out of its box.
pub(super) const LOOP: f64 = 30.0;
/// The width of a dot, its surroundings included.
const DOT: f64 = 20.0;
/// The space between components.
const GAP: f64 = 40.0;
/// How many drawings of a component are tried.
const WAYS: usize = 2;
/// Components with more nodes than this are set in rows.
const LARGE: usize = 600;

/// Where everything is.
pub(super) struct Placed {
    /// The box of each world.
    pub(super) worlds: Vec<Area>,
    /// How each link that joins more than two worlds is drawn.
    pub(super) classes: Vec<Drawn>,
    /// Width and height of everything.
    pub(super) size: Xy,
}

/// How a link is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Drawn {
    /// As its shape says: it needs no place of its own.
    Plain,
    /// As a dot at this place.
    Dot(Xy),
    /// As lines from each of these worlds to the next.
    Chain(Vec<usize>),
}

impl Placed {
    /// The places of all dots.
    pub(super) fn dots(&self) -> impl Iterator<Item = Xy> + '_ {
        self.classes.iter().filter_map(|drawn| match drawn {
            Drawn::Dot(at) => Some(*at),
            Drawn::Plain | Drawn::Chain(_) => None,
        })
    }
}

/// What a component is made of, with worlds numbered from 0.
pub(super) struct Part<'p> {
    pub(super) worlds: Vec<&'p World>,
    /// Width and height of each world, room for a loop included.
    pub(super) room: Vec<Xy>,
    /// Lines and dots, no loops.
    pub(super) links: Vec<PartLink>,
    /// Whether lines are arrows.
    pub(super) arrows: bool,
}

/// A link of a component.
pub(super) struct PartLink {
    pub(super) agents: Vec<usize>,
    pub(super) members: Vec<usize>,
    /// Whether it is a line rather than a dot.
    pub(super) line: bool,
    /// The width of the names of its agents.
    pub(super) label: f64,
}

/// A component with its places.
pub(super) struct Arranged {
    /// The middle of each world.
    pub(super) at: Vec<Xy>,
    /// How each link is drawn.
    pub(super) links: Vec<Drawn>,
}

impl Part<'_> {
    /// The largest room of a world.
    pub(super) fn cell(&self) -> Xy {
        self.room.iter().fold(Xy::default(), |most, room| Xy::new(most.x.max(room.x), most.y.max(room.y)))
    }

    /// The widest name at a line.
    pub(super) fn label(&self) -> f64 {
        self.links.iter().map(|link| link.label).fold(0.0, f64::max).min(120.0)
    }

    /// Half the mean of width and height of a world.
    fn reach(&self, world: usize) -> f64 {
        (self.room[world].x + self.room[world].y) / 4.0
    }

    /// The component placed by distances.
    fn by_stress(&self) -> Arranged {
        let worlds = self.worlds.len();
        let mean = (0..worlds).map(|w| self.reach(w)).sum::<f64>() / worlds.max(1) as f64;
        let mut sizes = self.room.clone();
        let space = if self.arrows { 60.0 } else { 46.0 };
        let wanted = |a: usize, b: usize, label: f64| self.reach(a) + self.reach(b) + space + label.min(120.0);
        let mut edges = Vec::new();
        for link in &self.links {
            if let (true, &[a, b]) = (link.line, &link.members[..]) {
                edges.push((a, b, wanted(a, b, link.label)));
                continue;
            }
            // Long enough for all around, and for lines between them.
            let inside = self.links.iter().filter(|l| l.line && l.members.iter().all(|m| link.members.contains(m)));
            let between = inside.map(|l| 0.6 * wanted(l.members[0], l.members[1], l.label)).fold(0.0, f64::max);
            let around = (2.0 * mean + 60.0) * (link.members.len() as f64 * 0.16).max(0.64);
            edges.extend(link.members.iter().map(|&world| (sizes.len(), world, around.max(between))));
            sizes.push(Xy::new(DOT, DOT));
        }
        let mut best: Option<(f64, Vec<Xy>)> = None;
        for at in stress::places(sizes.len(), &edges, WAYS) {
            let mut sketch = Sketch { sizes: sizes.clone(), edges: edges.clone(), at, worked: Cell::new(0) };
            sketch.untangle();
            let cost = sketch.total();
            if best.as_ref().is_none_or(|(least, _)| cost < least - 1e-6) {
                best = Some((cost, sketch.at));
            }
        }
        let at = best.map_or_else(|| vec![Xy::default(); sizes.len()], |(_, at)| at);
        let mut dots = at[worlds..].iter();
        let links = self.links.iter().map(|link| match link.line {
            true => Drawn::Plain,
            false => dots.next().map_or(Drawn::Plain, |&at| Drawn::Dot(at)),
        });
        Arranged { links: links.collect(), at: at[..worlds].to_vec() }
    }

    /// Worlds in rows and dots amid their worlds, for components too large for anything else.
    fn in_rows(&self) -> Arranged {
        let cell = self.cell() + Xy::new(30.0, 30.0);
        let count = self.worlds.len();
        let columns = ((count as f64 * cell.y / cell.x).sqrt() * 1.2).ceil().max(1.0) as usize;
        let place = |i: usize| Xy::new((i % columns) as f64 * cell.x, (i / columns) as f64 * cell.y);
        let at: Vec<Xy> = (0..count).map(place).collect();
        let links = self.links.iter().map(|link| match link.line {
            true => Drawn::Plain,
            // Between the rows, where no box is.
            false => Drawn::Dot(middle(&link.members, &at) + Xy::new(cell.x / 2.0, 0.0)),
        });
        Arranged { links: links.collect(), at }
    }
}

/// The middle of some worlds.
pub(super) fn middle(members: &[usize], at: &[Xy]) -> Xy {
    let sum = members.iter().fold(Xy::default(), |sum, &m| sum + at[m]);
    sum * (1.0 / members.len().max(1) as f64)
}

/// Width and height of the box of a world.
fn box_size(world: &World) -> Xy {
    let name = world.name.iter().map(|name| text_width(name, FONT) * 1.08);
    let widths = world.label.iter().map(|line| text_width(line, FONT)).chain(name);
    let lines = world.label.len() + usize::from(world.name.is_some());
    Xy::new(widths.fold(14.0, f64::max) + 20.0, lines.max(1) as f64 * LINE + 13.0)
}

/// The worlds of a link.
fn members(shape: &Shape) -> Vec<usize> {
    match shape {
        Shape::Line { from, to, .. } => vec![*from, *to],
        Shape::Loop(world) => vec![*world],
        Shape::Hub(spokes) => spokes.iter().map(|spoke| spoke.world).collect(),
    }
}

/// Finds a place for everything in the picture.
pub(super) fn place(picture: &Picture) -> Placed {
    let sizes: Vec<Xy> = picture.worlds.iter().map(box_size).collect();
    let mut room = sizes.clone();
    for link in &picture.links {
        if let Shape::Loop(world) = link.shape {
            room[world] = sizes[world] + Xy::new(LOOP, LOOP);
        }
    }
    let mut parts = Vec::new();
    for worlds in components(picture) {
        let local: BTreeMap<usize, usize> = worlds.iter().enumerate().map(|(i, &w)| (w, i)).collect();
        let mut indices = Vec::new();
        let mut links = Vec::new();
        for (index, link) in picture.links.iter().enumerate() {
            let members: Option<Vec<usize>> = members(&link.shape).iter().map(|w| local.get(w).copied()).collect();
            let line = matches!(link.shape, Shape::Line { .. });
            if let Some(members) = members
                && !matches!(link.shape, Shape::Loop(_))
            {
                let label = lines_width(&picture.tag(&link.agents), SMALL);
                links.push(PartLink { agents: link.agents.clone(), members, line, label });
                indices.push(index);
            }
        }
        let part = Part {
            worlds: worlds.iter().map(|&w| &picture.worlds[w]).collect(),
            room: worlds.iter().map(|&w| room[w]).collect(),
            links,
            arrows: picture.belief,
        };
        parts.push((worlds, indices, arrange(&part)));
    }
    // The component of the point first, then the large ones.
    let holds_point = |worlds: &[usize]| worlds.iter().any(|&w| picture.worlds[w].point);
    parts.sort_by_key(|(worlds, ..)| (!holds_point(worlds), usize::MAX - worlds.len(), worlds[0]));

    let extents: Vec<(Xy, Xy)> = parts.iter().map(|(worlds, _, arranged)| extent(worlds, &room, arranged)).collect();
    let corners = pack(&extents.iter().map(|(low, high)| *high - *low).collect::<Vec<_>>());
    let mut at = vec![Xy::default(); sizes.len()];
    let mut classes = vec![Drawn::Plain; picture.links.len()];
    let mut size = Xy::default();
    for (((worlds, indices, arranged), (low, high)), corner) in parts.into_iter().zip(&extents).zip(corners) {
        let shift = corner - *low;
        for (&world, &p) in worlds.iter().zip(&arranged.at) {
            at[world] = p + shift;
        }
        for (&index, drawn) in indices.iter().zip(arranged.links) {
            classes[index] = match drawn {
                Drawn::Plain => Drawn::Plain,
                Drawn::Dot(p) => Drawn::Dot(p + shift),
                Drawn::Chain(order) => Drawn::Chain(order.iter().map(|&w| worlds[w]).collect()),
            };
        }
        size = Xy::new(size.x.max(corner.x + high.x - low.x), size.y.max(corner.y + high.y - low.y));
    }
    let worlds = at.iter().zip(&sizes).map(|(&at, size)| Area::new(at, size.x, size.y)).collect();
    Placed { worlds, classes, size }
}

fn arrange(part: &Part<'_>) -> Arranged {
    if part.worlds.len() == 1 {
        return Arranged { at: vec![Xy::default()], links: vec![Drawn::Plain; part.links.len()] };
    }
    if part.worlds.len() + part.links.len() > LARGE {
        return part.in_rows();
    }
    shapes::path(part)
        .or_else(|| shapes::lattice(part))
        .or_else(|| shapes::ring(part))
        .unwrap_or_else(|| part.by_stress())
}

/// The worlds of each component.
fn components(picture: &Picture) -> Vec<Vec<usize>> {
    let size = picture.worlds.len();
    let mut near = vec![Vec::new(); size];
    for link in &picture.links {
        let members = members(&link.shape);
        for pair in members.windows(2) {
            near[pair[0]].push(pair[1]);
            near[pair[1]].push(pair[0]);
        }
    }
    let mut seen = vec![false; size];
    let mut parts = Vec::new();
    for start in 0..size {
        let mut open = vec![start];
        let mut part = Vec::new();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                part.push(node);
                open.extend(&near[node]);
            }
        }
        if !part.is_empty() {
            part.sort_unstable();
            parts.push(part);
        }
    }
    parts
}

/// The corners of a component.
fn extent(worlds: &[usize], room: &[Xy], arranged: &Arranged) -> (Xy, Xy) {
    let (mut low, mut high) = (Xy::new(f64::MAX, f64::MAX), Xy::new(f64::MIN, f64::MIN));
    let mut take = |at: Xy, half: Xy| {
        low = Xy::new(low.x.min(at.x - half.x), low.y.min(at.y - half.y));
        high = Xy::new(high.x.max(at.x + half.x), high.y.max(at.y + half.y));
    };
    worlds.iter().zip(&arranged.at).for_each(|(&world, &at)| take(at, room[world] * 0.5));
    for drawn in &arranged.links {
        if let Drawn::Dot(at) = drawn {
            take(*at, Xy::new(DOT, DOT) * 0.5);
        }
    }
    (low, high)
}

/// Corners for rectangles such that none overlap: each as high up as possible, in a sheet of a pleasant width.
fn pack(sizes: &[Xy]) -> Vec<Xy> {
    let area: f64 = sizes.iter().map(|s| (s.x + GAP) * (s.y + GAP)).sum();
    let widest = sizes.iter().map(|s| s.x).fold(0.0, f64::max);
    let width = widest.max((area * 1.6).sqrt()).max(460.0);
    let mut corners: Vec<Xy> = Vec::new();
    for (i, size) in sizes.iter().enumerate() {
        let taken = || corners.iter().zip(&sizes[..i]);
        let xs = std::iter::once(0.0).chain(taken().map(|(c, s)| c.x + s.x + GAP));
        let ys: Vec<f64> = std::iter::once(0.0).chain(taken().map(|(c, s)| c.y + s.y + GAP)).collect();
        let free = |at: &Xy| {
            at.x + size.x <= width + 0.1
                && taken().all(|(c, s)| {
                    let beside = at.x >= c.x + s.x + GAP - 0.1 || c.x >= at.x + size.x + GAP - 0.1;
                    beside || at.y >= c.y + s.y + GAP - 0.1 || c.y >= at.y + size.y + GAP - 0.1
                })
        };
        let places = xs.flat_map(|x| ys.iter().map(move |&y| Xy::new(x, y)));
        let best = places.filter(free).min_by(|a, b| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x)));
        corners.push(best.unwrap_or_default());
    }
    corners
}
