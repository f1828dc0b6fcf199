//! A picture with everything in its place, for pages that draw it themselves: the model, and what remains of it step by
//! step, each world staying where it is.

use super::layout::{Drawn, LOOP, Placed, place};
use super::picture::{Link, Picture, Shape};
use super::route::{Curve, routes};
use super::{Options, Xy, legend};
use crate::model::{BitSet, Kripke};

/// A drawing of a model.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The left, upper, right and lower edge of everything.
    pub edges: [f64; 4],
    /// The worlds, in the order of the model.
    pub worlds: Vec<SheetWorld>,
    /// The agents, each with a word on why no line of theirs is drawn, at first.
    pub agents: Vec<(String, Option<&'static str>)>,
    /// Whether lines are arrows.
    pub arrows: bool,
    /// How to read the drawing.
    pub notes: Vec<String>,
    /// The lines of the whole model, then of what remains after each step.
    pub lines: Vec<Vec<SheetLink>>,
}

/// A world as it is drawn.
#[derive(Clone, Debug)]
pub struct SheetWorld {
    /// The middle of its box.
    pub middle: (f64, f64),
    /// Width and height of its box.
    pub size: (f64, f64),
    /// Its given name.
    pub name: Option<String>,
    /// Its facts, short, line by line.
    pub label: Vec<String>,
    /// Its name and facts in full.
    pub full: String,
}

/// Something drawn between worlds, for one or more agents.
#[derive(Clone, Debug)]
pub struct SheetLink {
    /// The agents, as indices.
    pub agents: Vec<usize>,
    /// The worlds that it joins.
    pub worlds: Vec<usize>,
    /// Its lines as SVG paths.
    pub paths: Vec<String>,
    /// Its arrow heads as SVG paths.
    pub heads: Vec<String>,
    /// Its dot.
    pub dot: Option<(f64, f64)>,
    /// The names of its agents: where they stand, and their lines.
    pub tag: Option<((f64, f64), Vec<String>)>,
    /// The link in words.
    pub words: String,
}

/// The space around everything.
const EDGE: f64 = 14.0;

/// Draws a model whole, then what remains of it: each step is the set of the worlds that are still there.
pub fn sheet(model: &Kripke, steps: &[BitSet]) -> Sheet {
    let whole = Picture::new(model, &Options { max_worlds: model.size(), point: model.point(), ..Options::default() });
    let placed = place(&whole);
    let mut edges = [0.0, 0.0, placed.size.x, placed.size.y];
    let all: Vec<usize> = (0..model.size()).collect();
    let mut lines = vec![links(&whole, &placed, &all, &mut edges)];
    for step in steps {
        let (rest, old) = model.restrict(step);
        let old: Vec<usize> = old.iter().map(|&w| w as usize).collect();
        let mut picture = Picture::new(&rest, &Options { max_worlds: rest.size().max(1), ..Options::default() });
        picture.worlds = old.iter().map(|&w| whole.worlds[w].clone()).collect();
        let kept = keep_places(&whole, &placed, &picture, &old);
        lines.push(links(&picture, &kept, &old, &mut edges));
    }
    let worlds = whole.worlds.iter().zip(&placed.worlds).map(|(world, area)| {
        let (low, high) = (area.middle - area.half, area.middle + area.half);
        edges = [edges[0].min(low.x), edges[1].min(low.y), edges[2].max(high.x), edges[3].max(high.y)];
        SheetWorld {
            middle: (area.middle.x, area.middle.y),
            size: (2.0 * area.half.x, 2.0 * area.half.y),
            name: world.name.clone(),
            label: world.label.clone(),
            full: world.full.clone(),
        }
    });
    let worlds = worlds.collect();
    Sheet {
        edges: [edges[0] - EDGE, edges[1] - EDGE, edges[2] + EDGE, edges[3] + EDGE],
        worlds,
        agents: whole.agents.iter().map(|a| (a.name.clone(), a.note)).collect(),
        arrows: whole.belief,
        notes: legend::uncounted(&whole, legend::Kinds::of(&whole, &placed)),
        lines,
    }
}

/// The worlds of a link.
fn members(link: &Link) -> Vec<usize> {
    match &link.shape {
        Shape::Line { from, to, .. } => vec![*from, *to],
        Shape::Loop(world) => vec![*world],
        Shape::Hub(spokes) => spokes.iter().map(|spoke| spoke.world).collect(),
    }
}

/// The places of a part: worlds where they were, a dot or a chain where the class that it is left of had it.
fn keep_places(whole: &Picture, placed: &Placed, part: &Picture, old: &[usize]) -> Placed {
    let classes = part.links.iter().map(|link| {
        if !matches!(link.shape, Shape::Hub(_)) {
            return Drawn::Plain;
        }
        let here: Vec<usize> = members(link).into_iter().map(|w| old[w]).collect();
        let mut before = whole.links.iter().zip(&placed.classes).filter(|(was, _)| {
            let there = members(was);
            was.agents.iter().any(|a| link.agents.contains(a)) && here.iter().all(|w| there.contains(w))
        });
        match before.find_map(|(_, drawn)| (!matches!(drawn, Drawn::Plain)).then_some(drawn)) {
            Some(Drawn::Chain(order)) => {
                let rest = order.iter().filter_map(|w| old.iter().position(|o| o == w));
                Drawn::Chain(rest.filter(|w| members(link).contains(w)).collect())
            }
            Some(Drawn::Dot(at)) => Drawn::Dot(*at),
            Some(Drawn::Plain) | None => {
                let sum = here.iter().fold(Xy::default(), |sum, &w| sum + placed.worlds[w].middle);
                Drawn::Dot(sum * (1.0 / here.len().max(1) as f64))
            }
        }
    });
    Placed { classes: classes.collect(), worlds: old.iter().map(|&w| placed.worlds[w]).collect(), size: placed.size }
}

/// The links of a picture as they are drawn; `edges` grows with them.
fn links(picture: &Picture, placed: &Placed, old: &[usize], edges: &mut [f64; 4]) -> Vec<SheetLink> {
    let routes = routes(picture, placed);
    let mut take = |at: Xy, margin: f64| {
        *edges = [
            edges[0].min(at.x - margin),
            edges[1].min(at.y - margin),
            edges[2].max(at.x + margin),
            edges[3].max(at.y + margin),
        ];
    };
    let mut found = Vec::new();
    for (index, link) in picture.links.iter().enumerate() {
        let mut sheet = SheetLink {
            agents: link.agents.clone(),
            worlds: members(link).into_iter().map(|w| old[w]).collect(),
            paths: Vec::new(),
            heads: Vec::new(),
            dot: match placed.classes[index] {
                Drawn::Dot(at) => Some((at.x, at.y)),
                Drawn::Plain | Drawn::Chain(_) => None,
            },
            tag: None,
            words: legend::link(picture, index),
        };
        for line in routes.lines.iter().filter(|line| line.link == index) {
            let curve = line.curve;
            let short = Curve {
                from: if line.tail { curve.from + (curve.control - curve.from).unit() * 6.0 } else { curve.from },
                to: if line.head { curve.to + (curve.control - curve.to).unit() * 6.0 } else { curve.to },
                control: curve.control,
            };
            sheet.paths.push(format!("M{}Q{} {}", at(short.from), at(short.control), at(short.to)));
            if line.head {
                sheet.heads.push(head(curve.to, (curve.to - curve.control).unit()));
            }
            if line.tail {
                sheet.heads.push(head(curve.from, (curve.from - curve.control).unit()));
            }
            [0.25, 0.5, 0.75].iter().for_each(|&t| take(curve.at(t), 4.0));
        }
        for l in routes.loops.iter().filter(|l| l.link == index) {
            let along = l.out.normal();
            let (from, to) = (l.foot + along * 8.0, l.foot - along * 8.0);
            let (c1, c2) = (from + along * 12.0 + l.out * (LOOP + 8.0), to - along * 12.0 + l.out * (LOOP + 8.0));
            let into = (to - c2).unit();
            sheet.paths.push(format!("M{}C{} {} {}", at(from), at(c1), at(c2), at(to - into * 6.0)));
            sheet.heads.push(head(to, into));
            take(l.foot + l.out * (LOOP / 2.0), LOOP / 2.0 + 2.0);
        }
        if let Some(tag) = routes.tags.iter().find(|tag| tag.link == index) {
            sheet.tag = Some(((tag.area.middle.x, tag.area.middle.y), tag.lines.clone()));
            take(tag.area.middle - tag.area.half, 2.0);
            take(tag.area.middle + tag.area.half, 2.0);
        }
        found.push(sheet);
    }
    found
}

/// A point as it stands in a path.
fn at(p: Xy) -> String {
    format!("{:.1} {:.1}", p.x, p.y)
}

fn head(tip: Xy, direction: Xy) -> String {
    let back = tip - direction * 10.0;
    let side = direction.normal() * 4.0;
    format!("M{}L{}L{}Z", at(tip), at(back + side), at(back - side))
}
