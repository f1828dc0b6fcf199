//! A picture as a graph for Graphviz.

use super::Xy;
use super::label::paragraph;
use super::layout::{Drawn, Placed, place};
use super::legend::{self, Kinds};
use super::picture::{Picture, Shape};
use super::svg::{FILL_NO, FILL_PLAIN, FILL_YES, colour};
use std::fmt::Write;

/// Text in quotes, as DOT wants it; line breaks stay.
fn quoted(text: &str) -> String {
    quoted_with(text, "\\n")
}

/// Text in quotes with this mark for line breaks.
fn quoted_with(text: &str, line_break: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str(line_break),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The picture as DOT text: pinned to the places that SVG output has, for `neato`; other programs may place it anew.
pub(super) fn render(picture: &Picture) -> String {
    let placed = place(picture);
    let (kind, edge) = if picture.belief { ("digraph", "->") } else { ("graph", "--") };
    // Inches, upwards.
    let pos = |at: Xy| format!("pos=\"{:.2},{:.2}!\"", at.x / 72.0, (placed.size.y - at.y) / 72.0);
    let mut out = String::new();
    let mut line = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    line(format!("{kind} model {{"));
    line("  graph [layout=neato, splines=true, fontname=\"sans-serif\", fontsize=12, labelloc=b, labeljust=l,".into());
    line(format!("    label={}];", quoted_with(&caption(picture, &placed), "\\l")));
    line(
        "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=12, margin=\"0.1,0.05\","
            .into(),
    );
    line("    height=0.3, width=0.3];".into());
    line("  edge [fontname=\"sans-serif\", fontsize=11, penwidth=1.6];".into());
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
        let pos = pos(placed.worlds[index].middle);
        line(format!("  w{index} [label={label}, tooltip={tip}, fillcolor=\"{fill}\"{point}, {pos}];"));
    }
    for (index, link) in picture.links.iter().enumerate() {
        let names = quoted(&picture.names(&link.agents));
        let colours: Vec<&str> = link.agents.iter().map(|&a| colour(a)).collect();
        let style = match link.agents[..] {
            [agent] => ["solid", "dashed", "dotted", "bold"][agent % 4],
            _ => "solid",
        };
        let text = if link.agents.len() == 1 { colours[0] } else { "black" };
        let look = format!("color=\"{}\", fontcolor=\"{text}\", style={style}", colours.join(":"));
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
            Shape::Hub(spokes) => match &placed.classes[index] {
                Drawn::Chain(order) => {
                    for pair in order.windows(2) {
                        line(format!("  w{} {edge} w{} [label={names}, tooltip={tip}, {look}];", pair[0], pair[1]));
                    }
                }
                Drawn::Plain | Drawn::Dot(_) => {
                    let pos = match placed.classes[index] {
                        Drawn::Dot(at) => format!(", {}", pos(at)),
                        _ => String::new(),
                    };
                    let dot =
                        format!("shape=point, width=0.12, tooltip={tip}, color=\"{0}\", fillcolor=\"{0}\"", colours[0]);
                    line(format!("  h{index} [{dot}{pos}];"));
                    for (i, spoke) in spokes.iter().enumerate() {
                        // Once is enough.
                        let label = if i == 0 { format!("label={names}, ") } else { String::new() };
                        let direction = match (spoke.inwards, spoke.outwards) {
                            _ if !picture.belief => "",
                            (true, true) => ", dir=both",
                            (true, false) => ", dir=back",
                            _ => ", dir=forward",
                        };
                        line(format!("  h{index} {edge} w{} [{label}tooltip={tip}, {look}{direction}];", spoke.world));
                    }
                }
            },
        }
    }
    line("}".into());
    out
}

/// The legend as text, in lines that end on the left.
fn caption(picture: &Picture, placed: &Placed) -> String {
    let mut sentences = vec![legend::headline(picture)];
    sentences.extend(legend::sentences(picture, Kinds::of(picture, placed)));
    if picture.worlds.iter().any(|w| w.point) {
        sentences.push("Double border: the point.".into());
    }
    if picture.formula.is_some() {
        sentences.push("✓ the formula holds; ✗ it does not hold.".into());
    }
    let notes = picture.agents.iter().filter_map(|agent| Some(format!("{} {}.", agent.name, agent.note?)));
    sentences.extend(notes);
    let width = placed.size.x.max(440.0);
    let lines = sentences.iter().flat_map(|text| paragraph(text, width, 12.0, 12));
    lines.map(|line| line + "\n").collect()
}
