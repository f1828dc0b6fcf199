//! The courses of lines between boxes, and the places of the names at them.

use super::label::lines_width;
use super::layout::{Drawn, LOOP, Placed, SMALL};
use super::picture::{Picture, Shape};
use super::{Area, Xy};
use std::collections::BTreeMap;

/// The height of a line of names.
pub(super) const TAG_LINE: f64 = 14.0;

/// A quadratic curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub(super) from: Xy,
    pub(super) control: Xy,
    pub(super) to: Xy,
}

impl Curve {
    /// A curve whose middle is this far to the side of the straight line.
    fn bent(from: Xy, to: Xy, aside: f64) -> Curve {
        let control = (from + to) * 0.5 + (to - from).unit().normal() * (2.0 * aside);
        Curve { from, control, to }
    }

    pub(super) fn at(&self, t: f64) -> Xy {
        let s = 1.0 - t;
        self.from * (s * s) + self.control * (2.0 * s * t) + self.to * (t * t)
    }

    fn part(&self, start: f64, end: f64) -> Curve {
        let blossom = |s: f64, t: f64| {
            self.from * ((1.0 - s) * (1.0 - t)) + self.control * (s * (1.0 - t) + t * (1.0 - s)) + self.to * (s * t)
        };
        Curve { from: blossom(start, start), control: blossom(start, end), to: blossom(end, end) }
    }

    /// The part outside the areas at both ends.
    fn clipped(&self, first: &Area, last: &Area) -> Curve {
        let edge = |area: &Area, from: f64, to: f64| {
            // From inside the area towards the outside.
            let (mut inside, mut outside) = (from, to);
            for i in 1..=40 {
                let t = from + (to - from) * f64::from(i) / 40.0;
                if !area.contains(self.at(t)) {
                    outside = t;
                    break;
                }
                inside = t;
            }
            for _ in 0..20 {
                let t = (inside + outside) / 2.0;
                if area.contains(self.at(t)) { inside = t } else { outside = t }
            }
            outside
        };
        let (start, end) = (edge(first, 0.0, 1.0), edge(last, 1.0, 0.0));
        if start < end { self.part(start, end) } else { *self }
    }

    /// The curve moved sideways.
    pub(super) fn shifted(&self, aside: f64) -> Curve {
        let by = (self.to - self.from).unit().normal() * aside;
        Curve { from: self.from + by, control: self.control + by, to: self.to + by }
    }

    fn pieces(&self) -> impl Iterator<Item = (Xy, Xy)> + '_ {
        (0..12).map(|i| (self.at(f64::from(i) / 12.0), self.at(f64::from(i + 1) / 12.0)))
    }

    fn meets(&self, area: &Area) -> bool {
        // The curve lies within its three points.
        let beyond = |side: &dyn Fn(Xy) -> f64, half: f64| {
            let [a, b, c] = [self.from, self.control, self.to].map(side);
            a.min(b).min(c) > half || a.max(b).max(c) < -half
        };
        let apart = beyond(&|p| p.x - area.middle.x, area.half.x) || beyond(&|p| p.y - area.middle.y, area.half.y);
        !apart && self.pieces().any(|(a, b)| area.meets(a, b))
    }
}

/// A line of a link as it is drawn: the first end is that of `from`, or of the dot.
pub(super) struct Route {
    pub(super) link: usize,
    pub(super) curve: Curve,
    /// An arrow head at the first end.
    pub(super) tail: bool,
    /// An arrow head at the second end.
    pub(super) head: bool,
}

/// A loop as it is drawn: where it stands on the box and the direction out of the box.
pub(super) struct LoopRoute {
    pub(super) link: usize,
    pub(super) foot: Xy,
    pub(super) out: Xy,
}

/// The names of agents at a line, a loop or a dot.
pub(super) struct Tag {
    pub(super) link: usize,
    pub(super) area: Area,
    pub(super) lines: Vec<String>,
}

/// All lines and names.
pub(super) struct Routes {
    pub(super) lines: Vec<Route>,
    pub(super) loops: Vec<LoopRoute>,
    pub(super) tags: Vec<Tag>,
}

/// The course of every line and the place of every name.
pub(super) fn routes(picture: &Picture, placed: &Placed) -> Routes {
    let ends = |world: usize| placed.worlds[world].grown(if picture.worlds[world].point { 7.0 } else { 3.0 });
    let segments = segments(picture, placed);
    let mut beside: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for segment in &segments {
        beside.entry((segment.from.min(segment.to), segment.from.max(segment.to))).or_default().push(segment.link);
    }
    let mut lines = Vec::new();
    let mut loops = Vec::new();
    for &Segment { link, from, to, head, tail } in &segments {
        let same = beside.get(&(from.min(to), from.max(to))).map_or(&[][..], Vec::as_slice);
        let turn = if from < to { 1.0 } else { -1.0 };
        let asides: Vec<f64> = if same.len() > 1 {
            let place = same.iter().position(|&l| l == link).unwrap_or(0);
            vec![turn * (place as f64 - (same.len() - 1) as f64 / 2.0) * 26.0]
        } else {
            vec![0.0, 22.0, -22.0, 40.0, -40.0, 60.0, -60.0, 85.0, -85.0]
        };
        let curve = free_course(placed, from, to, &asides, &ends);
        lines.push(Route { link, curve, head, tail });
    }
    for (index, link) in picture.links.iter().enumerate() {
        match &link.shape {
            Shape::Hub(spokes) => {
                let Drawn::Dot(dot) = placed.classes[index] else { continue };
                for spoke in spokes {
                    let area = placed.worlds[spoke.world];
                    let straight = Curve::bent(dot, area.middle, 0.0);
                    let small = Area::new(dot, 13.0, 13.0);
                    let free = |curve: &Curve| {
                        let others = placed.worlds.iter().enumerate().filter(|(w, _)| *w != spoke.world);
                        others.filter(|(_, a)| curve.meets(&a.grown(4.0))).count()
                    };
                    let courses =
                        [0.0, 18.0, -18.0, 34.0, -34.0, 55.0, -55.0].map(|a| Curve::bent(dot, area.middle, a));
                    let best = courses.into_iter().min_by_key(free).unwrap_or(straight);
                    let curve = best.clipped(&small, &ends(spoke.world));
                    lines.push(Route { link: index, curve, tail: spoke.inwards, head: spoke.outwards });
                }
            }
            Shape::Line { .. } | Shape::Loop(_) => {}
        }
    }
    for (index, link) in picture.links.iter().enumerate() {
        if let Shape::Loop(world) = link.shape {
            let (foot, out) = loop_side(placed, &lines, world, &ends(world));
            loops.push(LoopRoute { link: index, foot, out });
        }
    }
    let tags = tags(picture, placed, &lines, &loops);
    Routes { lines, loops, tags }
}

/// A line between two worlds.
struct Segment {
    link: usize,
    from: usize,
    to: usize,
    head: bool,
    tail: bool,
}

/// The lines between two worlds: links of two, and classes drawn as chains.
fn segments(picture: &Picture, placed: &Placed) -> Vec<Segment> {
    let mut segments = Vec::new();
    for (link, (shape, drawn)) in picture.links.iter().map(|l| &l.shape).zip(&placed.classes).enumerate() {
        match (shape, drawn) {
            (&Shape::Line { from, to, head, tail }, _) => segments.push(Segment { link, from, to, head, tail }),
            (_, Drawn::Chain(order)) => segments.extend(order.windows(2).map(|pair| {
                let (from, to) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
                Segment { link, from, to, head: false, tail: false }
            })),
            _ => {}
        }
    }
    segments
}

/// The first of the courses, by how far they bend, that passes through the fewest other boxes.
fn free_course(placed: &Placed, from: usize, to: usize, asides: &[f64], ends: &dyn Fn(usize) -> Area) -> Curve {
    let (a, b) = (placed.worlds[from].middle, placed.worlds[to].middle);
    let course = |&aside: &f64| Curve::bent(a, b, aside);
    let blocked = |curve: &Curve| {
        let others = placed.worlds.iter().enumerate().filter(|(w, _)| *w != from && *w != to);
        let dots = placed.dots().map(|d| Area::new(d, 10.0, 10.0));
        others.map(|(_, area)| area.grown(5.0)).chain(dots).filter(|area| curve.meets(area)).count()
    };
    let best = asides.iter().map(course).min_by_key(blocked).unwrap_or(Curve::bent(a, b, 0.0));
    best.clipped(&ends(from), &ends(to))
}

/// The side of a box at which a loop is least in the way.
fn loop_side(placed: &Placed, lines: &[Route], world: usize, area: &Area) -> (Xy, Xy) {
    let sides = [Xy::new(0.0, -1.0), Xy::new(0.0, 1.0), Xy::new(1.0, 0.0), Xy::new(-1.0, 0.0)];
    let foot = |out: Xy| area.middle + Xy::new(out.x * area.half.x, out.y * area.half.y);
    let cost = |&out: &Xy| {
        let reach = Area::new(foot(out) + out * (LOOP / 2.0 + 4.0), LOOP + 4.0, LOOP + 4.0);
        let boxes = placed.worlds.iter().enumerate().filter(|(w, a)| *w != world && a.overlap(&reach) > 0.0).count();
        let dots = placed.dots().filter(|d| reach.contains(*d)).count();
        let crossed = lines.iter().filter(|line| line.curve.meets(&reach)).count();
        8 * boxes + 4 * dots + 2 * crossed
    };
    let out = sides.into_iter().min_by_key(cost).unwrap_or(sides[0]);
    (foot(out), out)
}

fn tag_size(lines: &[String]) -> Xy {
    Xy::new(lines_width(lines, SMALL) + 4.0, lines.len() as f64 * TAG_LINE + 1.0)
}

/// Names of agents where they cover nothing; a line whose name finds no place is told by its colour and pattern.
fn tags(picture: &Picture, placed: &Placed, lines: &[Route], loops: &[LoopRoute]) -> Vec<Tag> {
    let mut tags: Vec<Tag> = Vec::new();
    let mut taken: Vec<Area> = placed.worlds.iter().map(|a| a.grown(2.0)).collect();
    taken.extend(placed.dots().map(|d| Area::new(d, 13.0, 13.0)));
    for l in loops {
        taken.push(Area::new(l.foot + l.out * (LOOP / 2.0), 14.0, 14.0));
    }
    let mut put = |link: usize, places: Vec<Xy>, always: bool, taken: &mut Vec<Area>| {
        let text = picture.tag(&picture.links[link].agents);
        let size = tag_size(&text);
        // At a dot, its own lines are in the way too.
        let dot = matches!(placed.classes[link], Drawn::Dot(_));
        let cost = |place: &Xy| {
            let area = Area::new(*place, size.x, size.y);
            let covered: f64 = taken.iter().map(|t| t.overlap(&area)).filter(|o| *o > 0.5).map(|o| 100.0 + o).sum();
            let crossed = lines.iter().filter(|line| (dot || line.link != link) && line.curve.meets(&area)).count();
            covered + 6.0 * crossed as f64
        };
        let best = places.into_iter().map(|place| (cost(&place), place)).min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((cost, at)) = best
            && (always || cost < 100.0)
        {
            let area = Area::new(at, size.x, size.y);
            taken.push(area);
            tags.push(Tag { link, area, lines: text });
        }
    };
    for (index, link) in picture.links.iter().enumerate() {
        let always = link.agents.len() > 1;
        match &link.shape {
            Shape::Line { .. } | Shape::Hub(_) if !matches!(placed.classes[index], Drawn::Dot(_)) => {
                let own = lines.iter().filter(|line| line.link == index);
                let along = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73, 0.2, 0.8];
                let on = own.clone().flat_map(|line| along.map(|t| line.curve.at(t)));
                // Beside the line if there is no room on it.
                let half = tag_size(&picture.tag(&link.agents)) * 0.5;
                let beside = own.flat_map(|line| {
                    let normal = (line.curve.to - line.curve.from).unit().normal();
                    let off = normal * (normal.x.abs() * half.x + normal.y.abs() * half.y + 3.0);
                    along.map(|t| [line.curve.at(t) + off, line.curve.at(t) - off])
                });
                let places = on.chain(beside.flatten().filter(|_| always));
                put(index, places.collect(), always, &mut taken);
            }
            Shape::Loop(_) => {
                let Some(l) = loops.iter().find(|l| l.link == index) else { continue };
                let half = tag_size(&picture.tag(&link.agents)) * 0.5;
                let end = l.foot + l.out * LOOP;
                let aside = l.out.normal() * 14.0;
                let beside = Xy::new(l.out.x * (half.x + 2.0), l.out.y * (half.y + 1.0));
                let around = [end + beside, end + aside + beside, end - aside + beside];
                put(index, around.to_vec(), always, &mut taken);
            }
            Shape::Line { .. } | Shape::Hub(_) => {
                let Drawn::Dot(dot) = placed.classes[index] else { continue };
                let half = tag_size(&picture.tag(&link.agents)) * 0.5;
                let places = (0..48).map(|i| {
                    let angle = std::f64::consts::TAU * (f64::from(i % 24) + 0.5) / 24.0;
                    let (sin, cos) = angle.sin_cos();
                    let far = if i < 24 { 0.0 } else { 5.0 };
                    dot + Xy::new(cos * (half.x + 8.0 + far), sin * (half.y + 7.5 + far))
                });
                put(index, places.collect(), true, &mut taken);
            }
        }
    }
    tags
}
