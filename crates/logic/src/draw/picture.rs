//! What is shown: which worlds, and which lines between them.

use super::Options;
use super::label::{self, Labels};
use crate::model::Kripke;
use crate::model::kripke::Relation;
use crate::model::law::Facts;
use crate::text::plural;
use std::collections::{BTreeMap, BTreeSet};

/// From this many worlds on, an agent that tells none of them apart is described rather than drawn.
const ALL_ALIKE: usize = 13;
/// The most names at a line; the tip has all of them.
const MOST_NAMES: usize = 6;

/// What a drawing of a model shows, before anything is placed.
#[derive(Clone, Debug)]
pub struct Picture {
    pub(super) title: Option<String>,
    pub(super) agents: Vec<Agent>,
    pub(super) worlds: Vec<World>,
    pub(super) links: Vec<Link>,
    /// Whether lines are arrows.
    pub(super) belief: bool,
    /// How many worlds the model has, shown or not.
    pub(super) total: usize,
    /// What is left out, if anything is.
    pub(super) left_out: Option<String>,
    /// The formula, and at how many worlds of the model it holds.
    pub(super) formula: Option<(String, usize)>,
    /// How to read the labels, where that needs a word.
    pub(super) notes: Vec<String>,
}

/// An agent in the legend.
#[derive(Clone, Debug)]
pub(super) struct Agent {
    pub(super) name: String,
    /// Said of an agent of whom no line is drawn.
    pub(super) note: Option<&'static str>,
}

/// A world that is shown.
#[derive(Clone, Debug)]
pub(super) struct World {
    /// Its given name.
    pub(super) name: Option<String>,
    /// Its facts, short, line by line.
    pub(super) label: Vec<String>,
    /// Its name and facts in full.
    pub(super) full: String,
    pub(super) facts: Facts,
    pub(super) point: bool,
    /// Whether the formula holds there.
    pub(super) truth: Option<bool>,
}

/// Something drawn between worlds, for one or more agents.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Indices of agents, in order.
    pub(super) agents: Vec<usize>,
    pub(super) shape: Shape,
}

/// What is drawn; worlds are indices into [`Picture::worlds`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A line, with arrow heads at either end or none.
    Line { from: usize, to: usize, head: bool, tail: bool },
    /// An arrow from a world to itself.
    Loop(usize),
    /// A dot joined to several worlds.
    Hub(Vec<Spoke>),
}

/// A line between a dot and a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spoke {
    pub(super) world: usize,
    /// An arrow head at the dot: the agent, at this world, considers possible what the dot leads to.
    pub(super) inwards: bool,
    /// An arrow head at the world: it is among those considered possible.
    pub(super) outwards: bool,
}

impl Picture {
    /// Chooses what to show of a model.
    pub fn new(model: &Kripke, options: &Options) -> Picture {
        let point = options.point.filter(|&p| p < model.size());
        let truth = options.truth.as_ref().filter(|(_, set)| set.universe() == model.size());
        let (shown, left_out) = choose(model, point, options.max_worlds.max(1));
        let Labels { lines, notes } = label::labels(model, &shown);
        let worlds = shown.iter().zip(lines).map(|(&w, label)| {
            let facts = model.facts(w);
            let name = model.names.is_some().then(|| model.name(w));
            let called = model.points.iter().filter(|(_, at)| *at as usize == w).filter_map(|(n, _)| n.as_deref());
            let called: String = called.map(|n| format!(" (point {n})")).collect();
            let full = match &name {
                Some(name) => format!("{name}: {}{called}", facts.label()),
                None => format!("{}{called}", facts.label()),
            };
            let truth = truth.map(|(_, set)| set.contains(w));
            World { name, label, full, facts, point: point == Some(w), truth }
        });
        let worlds: Vec<World> = worlds.collect();
        let belief = model.is_belief();
        let mut agents: Vec<Agent> =
            model.agents().iter().map(|name| Agent { name: name.to_string(), note: None }).collect();
        let links = if belief { arrows(model, &shown, &mut agents) } else { classes(model, &shown, &mut agents) };
        Picture {
            title: options.title.clone(),
            agents,
            worlds,
            links,
            belief,
            total: model.size(),
            left_out,
            formula: truth.map(|(text, set)| (text.clone(), set.count())),
            notes,
        }
    }

    /// How many worlds are drawn.
    pub fn drawn(&self) -> usize {
        self.worlds.len()
    }

    /// The picture as an SVG document.
    pub fn svg(&self) -> String {
        super::svg::render(self)
    }

    /// The picture as a graph for Graphviz.
    pub fn dot(&self) -> String {
        super::dot::render(self)
    }

    /// The names of some agents: `a,b`.
    pub(super) fn names(&self, agents: &[usize]) -> String {
        agents.iter().map(|&a| self.agents[a].name.as_str()).collect::<Vec<_>>().join(",")
    }

    /// The names of some agents as they stand at a line: long ones shortened, many in several lines.
    pub(super) fn tag(&self, agents: &[usize]) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let shown = if agents.len() > MOST_NAMES { MOST_NAMES - 1 } else { agents.len() };
        for (i, &agent) in agents[..shown].iter().enumerate() {
            let mut name = label::shorten(&self.agents[agent].name, 24);
            if i + 1 < agents.len() {
                name.push(',');
            }
            match lines.last_mut() {
                Some(line) if line.chars().count() + name.chars().count() <= 12 => line.push_str(&name),
                _ => lines.push(name),
            }
        }
        if shown < agents.len() {
            lines.push(format!("{} more", agents.len() - shown));
        }
        lines
    }
}

/// The worlds to show, in order, and a sentence on those left out.
fn choose(model: &Kripke, point: Option<usize>, most: usize) -> (Vec<usize>, Option<String>) {
    let size = model.size();
    if size <= most {
        return ((0..size).collect(), None);
    }
    let Some(point) = point else {
        return ((0..most).collect(), Some(format!("{most} of {size} worlds shown: the first ones.")));
    };
    let members: Vec<Vec<Vec<u32>>> = model
        .relations()
        .iter()
        .map(|relation| match relation {
            Relation::Classes(c) => c.members(),
            Relation::Edges(_) => Vec::new(),
        })
        .collect();
    let mut seen = vec![false; size];
    seen[point] = true;
    let (mut shown, mut level, mut steps) = (vec![point], vec![point], 0);
    let rest = loop {
        let mut next = Vec::new();
        for &world in &level {
            for (relation, members) in model.relations().iter().zip(&members) {
                let targets = match relation {
                    Relation::Classes(c) => &members[c.of[world] as usize],
                    Relation::Edges(e) => e.from(world),
                };
                for &target in targets {
                    if !std::mem::replace(&mut seen[target as usize], true) {
                        next.push(target as usize);
                    }
                }
            }
        }
        if next.is_empty() {
            break "all that can be reached from the point".to_string();
        }
        let room = most - shown.len();
        if next.len() > room {
            shown.extend(&next[..room]);
            let within = format!("those within {} of the point", plural(steps, "step"));
            break match (steps, room) {
                (_, 0) => within,
                (0, _) => format!("the point and {room} of the {} worlds one step away", next.len()),
                _ => format!("{within}, and {room} of the {} at {}", next.len(), plural(steps + 1, "step")),
            };
        }
        shown.extend(&next);
        steps += 1;
        level = next;
    };
    shown.sort_unstable();
    let text = format!("{} of {size} worlds shown: {rest}.", shown.len());
    (shown, Some(text))
}

/// The classes of an S5 model.
fn classes(model: &Kripke, shown: &[usize], agents: &mut [Agent]) -> Vec<Link> {
    let mut links: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (agent, relation) in model.relations().iter().enumerate() {
        let Relation::Classes(classes) = relation else { continue };
        let mut groups: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (at, &world) in shown.iter().enumerate() {
            groups.entry(classes.of[world]).or_default().push(at);
        }
        if groups.len() == shown.len() && shown.len() > 1 {
            agents[agent].note = Some("tells all these worlds apart");
        } else if groups.len() == 1 && shown.len() >= ALL_ALIKE {
            agents[agent].note = Some("tells none of these worlds apart");
        } else {
            for group in groups.into_values().filter(|g| g.len() > 1) {
                links.entry(group).or_default().push(agent);
            }
        }
    }
    let link = |(members, agents): (Vec<usize>, Vec<usize>)| {
        let shape = match members[..] {
            [from, to] => Shape::Line { from, to, head: false, tail: false },
            _ => Shape::Hub(members.iter().map(|&world| Spoke { world, inwards: false, outwards: false }).collect()),
        };
        Link { agents, shape }
    };
    links.into_iter().map(link).collect()
}

/// The arrows of a belief model. Worlds from which the same worlds are possible share a dot where that saves lines.
fn arrows(model: &Kripke, shown: &[usize], agents: &mut [Agent]) -> Vec<Link> {
    let mut place = vec![usize::MAX; model.size()];
    for (at, &world) in shown.iter().enumerate() {
        place[world] = at;
    }
    let mut pairs: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    let mut hubs: BTreeMap<(Vec<usize>, Vec<usize>), Vec<usize>> = BTreeMap::new();
    for (agent, description) in agents.iter_mut().enumerate() {
        let mut sources: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for (at, &world) in shown.iter().enumerate() {
            let targets = model.possible(agent, world).into_iter().map(|t| place[t]).filter(|&t| t != usize::MAX);
            sources.entry(targets.collect()).or_default().push(at);
        }
        if shown.is_empty() {
            continue;
        }
        if sources.len() == 1 && sources.contains_key(&Vec::new()) {
            description.note = Some("considers none of these worlds possible");
            continue;
        }
        if shown.len() >= ALL_ALIKE && sources.keys().all(|targets| targets.len() == shown.len()) {
            description.note = Some("considers all these worlds possible everywhere");
            continue;
        }
        for (targets, sources) in sources {
            let both: BTreeSet<usize> = sources.iter().chain(&targets).copied().collect();
            let apart = |a: usize, b: usize| (a.min(b), a.max(b));
            let plain: BTreeSet<(usize, usize)> =
                sources.iter().flat_map(|&s| targets.iter().map(move |&t| apart(s, t))).collect();
            if both.len() + 1 < plain.len() {
                hubs.entry((sources, targets)).or_default().push(agent);
            } else {
                for &source in &sources {
                    for &target in &targets {
                        pairs.entry((source, target)).or_default().push(agent);
                    }
                }
            }
        }
    }
    let mut links = Vec::new();
    for (&(from, to), agents) in &pairs {
        let back = from != to && pairs.get(&(to, from)) == Some(agents);
        let shape = match back {
            _ if from == to => Shape::Loop(from),
            true if from > to => continue,
            tail => Shape::Line { from, to, head: true, tail },
        };
        links.push(Link { agents: agents.clone(), shape });
    }
    for ((sources, targets), agents) in hubs {
        let both: BTreeSet<usize> = sources.iter().chain(&targets).copied().collect();
        let spoke =
            |&world: &usize| Spoke { world, inwards: sources.contains(&world), outwards: targets.contains(&world) };
        links.push(Link { agents, shape: Shape::Hub(both.iter().map(spoke).collect()) });
    }
    links
}
