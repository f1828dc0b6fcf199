//! A picture as a graph for Graphviz.

use super::legend::{self, Kinds};
use super::picture::{Picture, Shape};
use super::svg::{FILL_NO, FILL_PLAIN, FILL_YES, colour};
use std::fmt::Write;

/// Text in quotes, as DOT wants it; line breaks stay.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The picture as DOT text; `layout=neato` places it as SVG output would, roughly.
pub(super) fn render(picture: &Picture) -> String {
    let (kind, edge) = if picture.belief { ("digraph", "->") } else { ("graph", "--") };
    let mut out = String::new();
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    line(format!("{kind} model {{"));
    line(
        "  graph [layout=neato, overlap=false, splines=true, sep=\"+12\", fontname=\"sans-serif\", labelloc=b,".into(),
    );
    line(format!("    label={}];", quoted(&caption(picture))));
    line("  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11];".into());
    line("  edge [fontname=\"sans-serif\", fontsize=10, len=1.6, penwidth=1.6];".into());
    for (index, world) in picture.worlds.iter().enumerate() {
        let mut text: Vec<String> = world.name.iter().cloned().chain(world.label.iter().cloned()).collect();
        let fill = match world.truth {
            Some(true) => FILL_YES,
            Some(false) => FILL_NO,
            None => FILL_PLAIN,
        };
        match world.truth {
            Some(true) => text.push("✓".into()),
            Some(false) => text.push("✗".into()),
            None => {}
        }
        let point = if world.point { ", peripheries=2" } else { "" };
        let (label, tip) = (quoted(&text.join("\n")), quoted(&world.full));
        line(format!("  w{index} [label={label}, tooltip={tip}, fillcolor=\"{fill}\"{point}];"));
    }
    for (index, link) in picture.links.iter().enumerate() {
        let names = quoted(&picture.names(&link.agents));
        let colours: Vec<&str> = link.agents.iter().map(|&a| colour(a)).collect();
        let style = match link.agents[..] {
            [agent] => ["solid", "dashed", "dotted", "bold"][agent % 4],
            _ => "solid",
        };
        let look = format!("color=\"{}\", fontcolor=\"{}\", style={style}", colours.join(":"), colours[0]);
        let tip = quoted(&legend::link(picture, index));
        match &link.shape {
            Shape::Line { from, to, head, tail } => {
                let direction = match (head, tail) {
                    (true, true) => ", dir=both",
                    (true, false) => ", dir=forward",
                    _ => "",
                };
                line(format!("  w{from} {edge} w{to} [label={names}, tooltip={tip}, {look}{direction}];"));
            }
            Shape::Loop(world) => line(format!("  w{world} {edge} w{world} [label={names}, tooltip={tip}, {look}];")),
            Shape::Hub(spokes) => {
                let fill = colours[0];
                line(format!("  h{index} [shape=point, width=0.1, xlabel={names}, tooltip={tip}, color=\"{fill}\"];"));
                for spoke in spokes {
                    let direction = match (spoke.inwards, spoke.outwards) {
                        _ if !picture.belief => "",
                        (true, true) => ", dir=both",
                        (true, false) => ", dir=back",
                        _ => ", dir=forward",
                    };
                    line(format!("  h{index} {edge} w{} [tooltip={tip}, len=1, {look}{direction}];", spoke.world));
                }
            }
        }
    }
    line("}".into());
    out
}

/// The legend as text.
fn caption(picture: &Picture) -> String {
    let mut lines = vec![legend::headline(picture)];
    lines.extend(legend::sentences(picture, Kinds::of(picture)));
    if picture.worlds.iter().any(|w| w.point) {
        lines.push("Double border: the point.".into());
    }
    for agent in &picture.agents {
        if let Some(note) = agent.note {
            lines.push(format!("{} {note}.", agent.name));
        }
    }
    lines.join("\n")
}
