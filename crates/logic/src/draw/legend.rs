//! What is said about a picture: how to read it, and the whole of it in words.

use super::layout::{Drawn, Placed};
use super::picture::{Picture, Shape};
use crate::text::plural;

/// Lists in the description stop after this many entries.
const MOST_LISTED: usize = 60;

/// Which kinds of lines a drawing has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kinds {
    /// Lines between two worlds.
    pub(super) lines: bool,
    /// Rows of lines.
    pub(super) chains: bool,
    /// Dots.
    pub(super) dots: bool,
}

impl Kinds {
    /// The kinds of a drawing.
    pub(super) fn of(picture: &Picture, placed: &Placed) -> Kinds {
        Kinds {
            lines: picture.links.iter().any(|l| !matches!(l.shape, Shape::Hub(_))),
            chains: placed.classes.iter().any(|drawn| matches!(drawn, Drawn::Chain(_))),
            dots: placed.dots().next().is_some(),
        }
    }
}

/// The sentences below the drawing.
pub(super) fn sentences(picture: &Picture, kinds: Kinds) -> Vec<String> {
    let mut all = Vec::new();
    if let Some(text) = &picture.left_out {
        all.push(format!("{text} Lines to the others are left out."));
    }
    if let Some((text, holds)) = &picture.formula {
        all.push(format!("Formula: {text} — holds in {holds} of {}.", plural(picture.total, "world")));
    }
    let mut reading = Vec::new();
    if picture.left_out.is_none() {
        reading.push(format!("{}.", plural(picture.total, "world")));
    }
    reading.extend(signs(picture, kinds).iter().map(ToString::to_string));
    if !reading.is_empty() {
        all.push(reading.join(" "));
    }
    all.extend(picture.notes.iter().cloned());
    all
}

/// What is to be read below a picture that has fewer and fewer worlds: nothing that counts them.
pub(super) fn uncounted(picture: &Picture, kinds: Kinds) -> Vec<String> {
    let signs = signs(picture, kinds);
    let reading = (!signs.is_empty()).then(|| signs.join(" "));
    reading.into_iter().chain(picture.notes.iter().cloned()).collect()
}

/// What lines and dots mean.
fn signs(picture: &Picture, kinds: Kinds) -> Vec<&'static str> {
    let mut reading = Vec::new();
    if picture.belief {
        if kinds.lines {
            reading.push("An arrow leads to a world that the agent considers possible.");
        }
        if kinds.dots {
            reading.push("Dot: a world with an arrow to it leads to every world with an arrow from it.");
        }
    } else {
        if kinds.chains {
            reading.push("Worlds joined in a row by lines of one agent are all alike to the agent.");
        } else if kinds.lines {
            reading.push("A line joins two worlds that the agent cannot tell apart.");
        }
        if kinds.dots {
            reading.push("Worlds joined to one dot are all alike to the agent.");
        }
    }
    reading
}

/// The headline: the title given, or what the picture is of.
pub(super) fn headline(picture: &Picture) -> String {
    match &picture.title {
        Some(title) => title.clone(),
        None => {
            let kind = if picture.belief { "Belief model" } else { "Model" };
            let sizes = [plural(picture.total, "world"), plural(picture.agents.len(), "agent")];
            format!("{kind} with {}", sizes.join(" and "))
        }
    }
}

/// A link in words.
pub(super) fn link(picture: &Picture, index: usize) -> String {
    let link = &picture.links[index];
    let name = |world: usize| {
        let world = &picture.worlds[world];
        world.name.clone().unwrap_or_else(|| world.full.clone())
    };
    let list = |worlds: Vec<usize>| worlds.into_iter().map(name).collect::<Vec<_>>().join(", ");
    let agents = picture.names(&link.agents);
    match &link.shape {
        Shape::Line { from, to, head: false, .. } => format!("{agents}: {} — {}", name(*from), name(*to)),
        Shape::Line { from, to, tail: true, .. } => format!("{agents}: {} ↔ {}", name(*from), name(*to)),
        Shape::Line { from, to, .. } => format!("{agents}: {} → {}", name(*from), name(*to)),
        Shape::Loop(world) => format!("{agents}: {} → itself", name(*world)),
        Shape::Hub(spokes) if picture.belief => {
            let from = list(spokes.iter().filter(|s| s.inwards).map(|s| s.world).collect());
            let to = list(spokes.iter().filter(|s| s.outwards).map(|s| s.world).collect());
            format!("{agents}: {from} → {to}")
        }
        Shape::Hub(spokes) => format!("{agents}: {}", list(spokes.iter().map(|s| s.world).collect())),
    }
}

/// The picture in words, for readers who do not see it.
pub(super) fn description(picture: &Picture, kinds: Kinds) -> String {
    let mut text = sentences(picture, kinds).join(" ");
    let mut list = |heading: &str, entries: Vec<String>| {
        if !entries.is_empty() {
            let more = entries.len().saturating_sub(MOST_LISTED);
            let shown = entries.into_iter().take(MOST_LISTED).collect::<Vec<_>>().join("; ");
            let more = if more > 0 { format!("; and {more} more") } else { String::new() };
            text.push_str(&format!(" {heading}: {shown}{more}."));
        }
    };
    let worlds = |test: &dyn Fn(&super::picture::World) -> bool| {
        picture.worlds.iter().filter(|w| test(w)).map(|w| w.full.clone()).collect::<Vec<_>>()
    };
    list("The point", worlds(&|w| w.point));
    list("The formula holds at", worlds(&|w| w.truth == Some(true)));
    list("Worlds", worlds(&|_| true));
    list("Lines", (0..picture.links.len()).map(|l| link(picture, l)).collect());
    list("Agents without lines", {
        let silent = picture.agents.iter().filter_map(|a| Some(format!("{} {}", a.name, a.note?)));
        silent.collect()
    });
    text
}
