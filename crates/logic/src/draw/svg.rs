//! A picture as SVG.

use super::label::{paragraph, shorten, text_width};
use super::layout::{Drawn, FONT, LINE, LOOP, Placed, place};
use super::legend::{self, Kinds};
use super::picture::{Link, Picture, World};
use super::route::{Curve, Routes, TAG_LINE, routes};
use super::{Area, Xy};
use std::fmt::Write;

/// The colours of agents on light ground, then on dark ground.
pub(super) const COLOURS: [(&str, &str); 8] = [
    ("#1d5fc4", "#7db4ff"),
    ("#b3420b", "#ffa06b"),
    ("#1a7340", "#6fd08c"),
    ("#8a3ab0", "#d39bf5"),
    ("#0f6f7c", "#5cc8d7"),
    ("#b3246f", "#ff8fc3"),
    ("#7a5a00", "#d8b84a"),
    ("#4a5568", "#b4bfce"),
];
/// The patterns of lines: colour is never alone.
const PATTERNS: [&str; 8] = ["", "7 4", "1.5 4.5", "9 4 1.5 4", "15 5", "5 3 1.5 3 1.5 3", "3.5 3.5", "15 4 5 4"];

/// Fill of a world where the formula holds.
pub(super) const FILL_YES: &str = "#d6e8fc";
/// Fill of a world where it does not.
pub(super) const FILL_NO: &str = "#fdebd3";
/// Fill of a world when no formula is given.
pub(super) const FILL_PLAIN: &str = "#f5f5f2";

/// Light and dark: ground, text, quiet text, and fill and border of plain, yes and no.
pub(super) const LIGHT: [&str; 9] =
    ["#ffffff", "#1b1d21", "#565b64", FILL_PLAIN, "#5b616b", FILL_YES, "#1d5089", FILL_NO, "#8a4a05"];
pub(super) const DARK: [&str; 9] =
    ["#15171b", "#eceef1", "#a9b0bb", "#25282e", "#99a1ad", "#163a61", "#8fc1f7", "#4c3212", "#f0b676"];

/// The space around everything.
const EDGE: f64 = 22.0;

/// The colour of an agent on light ground.
pub(super) fn colour(agent: usize) -> &'static str {
    COLOURS[agent % COLOURS.len()].0
}

/// Text as XML character data or an attribute; what XML cannot hold becomes a replacement sign.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A number with at most one decimal.
pub(super) fn n(x: f64) -> String {
    let rounded = (x * 10.0).round() / 10.0;
    // No minus before zero.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

fn style() -> String {
    let mut css = String::from(
        ".ken-drawing{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif}\
         .ken-drawing text{font-size:13px}\
         .ken-drawing .ken-name{font-weight:700}.ken-drawing .ken-head{font-size:16px;font-weight:600}\
         .ken-drawing .ken-tag{font-size:12px;font-weight:600;paint-order:stroke;stroke-width:5px;stroke-linejoin:round}\
         .ken-drawing .ken-line{fill:none;stroke-width:1.8px;stroke-linecap:round}\
         .ken-drawing .ken-many{fill:none;stroke-width:3px}\
         .ken-drawing .ken-box{stroke-width:1.5px}.ken-drawing .ken-ring{fill:none;stroke-width:1.5px}\
         .ken-drawing .ken-sign{fill:none;stroke-width:2px;stroke-linecap:round;stroke-linejoin:round}",
    );
    for (agent, pattern) in PATTERNS.iter().enumerate().filter(|(_, p)| !p.is_empty()) {
        let _ = write!(css, ".ken-drawing .ken-p{agent}{{stroke-dasharray:{pattern}}}");
    }
    css.push_str(&theme(&LIGHT, |c| c.0));
    let _ = write!(css, "@media(prefers-color-scheme:dark){{{}}}", theme(&DARK, |c| c.1));
    css
}

fn theme(colours: &[&str; 9], pick: fn(&(&'static str, &'static str)) -> &'static str) -> String {
    let [ground, ink, quiet, plain, plain_edge, yes, yes_edge, no, no_edge] = colours;
    let mut css = format!(
        ".ken-drawing .ken-ground{{fill:{ground}}}.ken-drawing text{{fill:{ink}}}.ken-drawing .ken-quiet{{fill:{quiet}}}\
         .ken-drawing .ken-tag{{stroke:{ground}}}\
         .ken-drawing .ken-many{{stroke:{ink}}}.ken-drawing .ken-ink{{fill:{ink}}}"
    );
    for (kind, fill, edge) in [("plain", plain, plain_edge), ("yes", yes, yes_edge), ("no", no, no_edge)] {
        let _ = write!(
            css,
            ".ken-drawing .ken-{kind}{{fill:{fill};stroke:{edge}}}.ken-drawing .ken-{kind}-ring{{stroke:{edge}}}\
             .ken-drawing .ken-{kind}-badge{{fill:{edge}}}"
        );
    }
    let _ = write!(css, ".ken-drawing .ken-sign{{stroke:{ground}}}");
    for (agent, colour) in COLOURS.iter().enumerate() {
        let colour = pick(colour);
        let _ = write!(css, ".ken-drawing .ken-a{agent}{{stroke:{colour}}}.ken-drawing .ken-f{agent}{{fill:{colour}}}");
    }
    css
}

/// The classes of an agent's lines.
fn line_class(agent: usize) -> String {
    let (colour, pattern) = (agent % COLOURS.len(), (agent + agent / COLOURS.len()) % PATTERNS.len());
    format!("ken-line ken-a{colour} ken-p{pattern}")
}

fn fill_class(agents: &[usize]) -> String {
    match agents {
        [agent] => format!("ken-f{}", agent % COLOURS.len()),
        _ => "ken-ink".into(),
    }
}

/// The picture as an SVG document.
pub(super) fn render(picture: &Picture) -> String {
    let placed = place(picture);
    let routes = routes(picture, &placed);
    let (low, high) = bounds(picture, &placed, &routes);
    let title = picture.title.as_deref().unwrap_or_default();
    let inner = (high.x - low.x).max(440.0);
    let heading = if title.is_empty() { Vec::new() } else { paragraph(title, inner, 16.0, 3) };
    let top = EDGE + heading.len() as f64 * 22.0 + if heading.is_empty() { 0.0 } else { 10.0 };
    let drawn = if picture.worlds.is_empty() { 0.0 } else { high.y - low.y };
    let below = top + drawn + if picture.worlds.is_empty() { 0.0 } else { 26.0 };
    let mut legend = String::new();
    let kinds = Kinds::of(picture, &placed);
    let bottom = legend_block(picture, kinds, &mut legend, inner, below);
    let (width, height) = (inner + 2.0 * EDGE, bottom + EDGE);

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ken-drawing\" role=\"img\" width=\"{0}\" height=\"{1}\" \
         viewBox=\"0 0 {0} {1}\">\n",
        n(width),
        n(height)
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(&legend::headline(picture)));
    let _ = writeln!(out, "<desc>{}</desc>", escaped(&legend::description(picture, kinds)));
    let _ = writeln!(out, "<style>{}</style>", style());
    let _ = writeln!(out, "<rect class=\"ken-ground\" width=\"{}\" height=\"{}\"/>", n(width), n(height));
    for (i, line) in heading.iter().enumerate() {
        let y = EDGE + 16.0 + 22.0 * i as f64;
        let _ = writeln!(out, "<text class=\"ken-head\" x=\"{}\" y=\"{}\">{}</text>", n(EDGE), n(y), escaped(line));
    }
    // A drawing narrower than its legend stands in the middle.
    let left = EDGE + (inner - (high.x - low.x)) / 2.0;
    let _ = writeln!(out, "<g transform=\"translate({} {})\">", n(left - low.x), n(top - low.y));
    for (index, link) in picture.links.iter().enumerate() {
        draw_link(&mut out, picture, &placed, &routes, index, link);
    }
    for (world, area) in picture.worlds.iter().zip(&placed.worlds) {
        draw_world(&mut out, world, area);
    }
    for tag in &routes.tags {
        let class = fill_class(&picture.links[tag.link].agents);
        let top = tag.area.middle.y - (tag.lines.len() as f64 - 1.0) / 2.0 * TAG_LINE + 4.2;
        for (i, line) in tag.lines.iter().enumerate() {
            let _ = writeln!(
                out,
                "<text class=\"ken-tag {class}\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>",
                n(tag.area.middle.x),
                n(top + i as f64 * TAG_LINE),
                escaped(line)
            );
        }
    }
    out.push_str("</g>\n");
    out.push_str(&legend);
    out.push_str("</svg>\n");
    out
}

/// The corners of what is drawn.
fn bounds(picture: &Picture, placed: &Placed, routes: &Routes) -> (Xy, Xy) {
    let (mut low, mut high) = (Xy::default(), placed.size);
    let mut take = |area: Area| {
        let (a, b) = (area.middle - area.half, area.middle + area.half);
        low = Xy::new(low.x.min(a.x), low.y.min(a.y));
        high = Xy::new(high.x.max(b.x), high.y.max(b.y));
    };
    for (world, area) in picture.worlds.iter().zip(&placed.worlds) {
        take(area.grown(if world.point { 6.0 } else { 2.0 } + if world.truth.is_some() { 6.0 } else { 0.0 }));
    }
    for line in &routes.lines {
        for t in [0.25, 0.5, 0.75] {
            take(Area::new(line.curve.at(t), 6.0, 6.0));
        }
    }
    for l in &routes.loops {
        take(Area::new(l.foot + l.out * (LOOP / 2.0), LOOP, LOOP));
    }
    for tag in &routes.tags {
        take(tag.area.grown(2.0));
    }
    (low, high)
}

fn draw_link(out: &mut String, picture: &Picture, placed: &Placed, routes: &Routes, index: usize, link: &Link) {
    let _ = writeln!(out, "<g class=\"ken-link\"><title>{}</title>", escaped(&legend::link(picture, index)));
    for line in routes.lines.iter().filter(|line| line.link == index) {
        let curve = line.curve;
        // Lines stop where arrow heads begin.
        let shortened = Curve {
            from: if line.tail { curve.from + (curve.control - curve.from).unit() * 6.0 } else { curve.from },
            to: if line.head { curve.to + (curve.control - curve.to).unit() * 6.0 } else { curve.to },
            control: curve.control,
        };
        strands(out, &link.agents, &|aside| {
            let c = shortened.shifted(aside);
            let [from, control, to] = [c.from, c.control, c.to].map(|p| format!("{} {}", n(p.x), n(p.y)));
            // A straight line needs no control.
            let bend = (c.control - (c.from + c.to) * 0.5).length();
            if bend < 0.5 { format!("M{from}L{to}") } else { format!("M{from}Q{control} {to}") }
        });
        if line.head {
            arrow_head(out, curve.to, (curve.to - curve.control).unit(), &link.agents);
        }
        if line.tail {
            arrow_head(out, curve.from, (curve.from - curve.control).unit(), &link.agents);
        }
    }
    for l in routes.loops.iter().filter(|l| l.link == index) {
        let along = l.out.normal();
        let (from, to) = (l.foot + along * 8.0, l.foot - along * 8.0);
        let (c1, c2) = (from + along * 12.0 + l.out * (LOOP + 8.0), to - along * 12.0 + l.out * (LOOP + 8.0));
        let into = (to - c2).unit();
        let end = to - into * 6.0;
        strands(out, &link.agents, &|aside| {
            let reach = l.out * aside;
            let [from, c1, c2, end] = [from, c1 + reach, c2 + reach, end].map(|p| format!("{} {}", n(p.x), n(p.y)));
            format!("M{from}C{c1} {c2} {end}")
        });
        arrow_head(out, to, into, &link.agents);
    }
    if let Drawn::Dot(dot) = placed.classes[index] {
        for (ring, &agent) in link.agents.iter().enumerate().rev() {
            let class = format!("ken-f{}", agent % COLOURS.len());
            let radius = 4.5 + 2.5 * ring.min(3) as f64;
            let _ = writeln!(
                out,
                "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                n(dot.x),
                n(dot.y),
                n(radius)
            );
        }
    }
    out.push_str("</g>\n");
}

/// One line a agent, side by side; many agents share one thick line.
fn strands(out: &mut String, agents: &[usize], path: &dyn Fn(f64) -> String) {
    if agents.len() > 4 {
        let _ = writeln!(out, "<path class=\"ken-many\" d=\"{}\"/>", path(0.0));
        return;
    }
    for (i, &agent) in agents.iter().enumerate() {
        let aside = (i as f64 - (agents.len() - 1) as f64 / 2.0) * 3.6;
        let _ = writeln!(out, "<path class=\"{}\" d=\"{}\"/>", line_class(agent), path(aside));
    }
}

fn arrow_head(out: &mut String, tip: Xy, direction: Xy, agents: &[usize]) {
    let wide = 4.0 + (agents.len().min(4) - 1) as f64 * 1.4;
    let back = tip - direction * 10.0;
    let side = direction.normal() * wide;
    let corners = [tip, back + side, back - side].map(|p| format!("{} {}", n(p.x), n(p.y)));
    let _ = writeln!(out, "<path class=\"{}\" d=\"M{}Z\"/>", fill_class(agents), corners.join("L"));
}

fn kind(truth: Option<bool>) -> &'static str {
    match truth {
        Some(true) => "yes",
        Some(false) => "no",
        None => "plain",
    }
}

/// A box, with a second border around the point.
fn draw_box(out: &mut String, area: &Area, point: bool, truth: Option<bool>) {
    let kind = kind(truth);
    let mut rect = |area: Area, radius: f64, class: String| {
        let corner = area.middle - area.half;
        let _ = writeln!(
            out,
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
            n(corner.x),
            n(corner.y),
            n(2.0 * area.half.x),
            n(2.0 * area.half.y),
            n(radius)
        );
    };
    rect(*area, 8.0, format!("ken-box ken-{kind}"));
    if point {
        rect(area.grown(4.0), 11.0, format!("ken-ring ken-{kind}-ring"));
    }
    if let Some(truth) = truth {
        let at = Xy::new(area.middle.x + area.half.x - 1.0, area.middle.y - area.half.y + 1.0);
        let _ = writeln!(out, "<circle class=\"ken-{kind}-badge\" cx=\"{}\" cy=\"{}\" r=\"7.5\"/>", n(at.x), n(at.y));
        let strokes: &[[f64; 4]] = if truth {
            &[[-3.4, 0.2, -1.0, 2.8], [-1.0, 2.8, 3.6, -2.8]]
        } else {
            &[[-2.8, -2.8, 2.8, 2.8], [2.8, -2.8, -2.8, 2.8]]
        };
        let path: String = strokes
            .iter()
            .map(|[a, b, c, d]| format!("M{} {}L{} {}", n(at.x + a), n(at.y + b), n(at.x + c), n(at.y + d)))
            .collect();
        let _ = writeln!(out, "<path class=\"ken-sign\" d=\"{path}\"/>");
    }
}

fn draw_world(out: &mut String, world: &World, area: &Area) {
    let holds = match world.truth {
        Some(true) => " — the formula holds",
        Some(false) => " — the formula does not hold",
        None => "",
    };
    let point = if world.point { " — the point" } else { "" };
    let _ =
        writeln!(out, "<g class=\"ken-world\"><title>{}</title>", escaped(&format!("{}{point}{holds}", world.full)));
    draw_box(out, area, world.point, world.truth);
    let name = world.name.iter().map(|name| (name, " class=\"ken-name\""));
    let lines: Vec<_> = name.chain(world.label.iter().map(|line| (line, ""))).collect();
    let top = area.middle.y - (lines.len() as f64 - 1.0) / 2.0 * LINE + 4.6;
    for (i, (line, class)) in lines.iter().enumerate() {
        let y = top + i as f64 * LINE;
        let _ = writeln!(
            out,
            "<text{class} text-anchor=\"middle\" x=\"{}\" y=\"{}\">{}</text>",
            n(area.middle.x),
            n(y),
            escaped(line)
        );
    }
    out.push_str("</g>\n");
}

/// Writes the legend from `top` on; gives its lower end.
fn legend_block(picture: &Picture, kinds: Kinds, out: &mut String, width: f64, top: f64) -> f64 {
    out.push_str("<g class=\"ken-legend\">\n");
    let right = EDGE + width;
    let (mut x, mut y) = (EDGE, top + 8.0);
    let mut end = y;
    // Starts an entry with a sample of this width and puts its text; gives where the sample stands.
    let mut entry = |out: &mut String, sample: f64, text: &str| {
        let needed = sample + 8.0 + text_width(text, FONT) * 0.95;
        if x > EDGE && x + needed > right {
            x = EDGE;
            y += 26.0;
        }
        let at = Xy::new(x, y);
        let _ = writeln!(out, "<text x=\"{}\" y=\"{}\">{}</text>", n(x + sample + 8.0), n(y + 4.6), escaped(text));
        x += needed + 20.0;
        (at, y)
    };
    for (agent, a) in picture.agents.iter().enumerate() {
        let text = match a.note {
            Some(note) => format!("{}: {note}", shorten(&a.name, 40)),
            None => shorten(&a.name, 40),
        };
        let (at, now) = entry(out, 44.0, &text);
        end = now;
        let class = line_class(agent);
        let _ = writeln!(out, "<path class=\"{class}\" d=\"M{} {}h44\"/>", n(at.x), n(at.y));
    }
    let sample = |out: &mut String, at: Xy, point: bool, truth: Option<bool>| {
        draw_box(out, &Area::new(at + Xy::new(16.0, 0.0), 26.0, 14.0), point, truth);
    };
    if picture.worlds.iter().any(|w| w.point) {
        let (at, now) = entry(out, 36.0, "double border: the point");
        end = now;
        sample(out, at, true, None);
    }
    if picture.formula.is_some() {
        for (truth, text) in [(true, "the formula holds"), (false, "it does not hold")] {
            let (at, now) = entry(out, 38.0, text);
            end = now;
            sample(out, at, false, Some(truth));
        }
    }
    let mut y = end + 28.0;
    for sentence in legend::sentences(picture, kinds) {
        for line in paragraph(&sentence, width * 1.1, FONT, 6) {
            let _ =
                writeln!(out, "<text class=\"ken-quiet\" x=\"{}\" y=\"{}\">{}</text>", n(EDGE), n(y), escaped(&line));
            y += LINE + 1.0;
        }
    }
    out.push_str("</g>\n");
    y - LINE
}

/// The relative luminance of a colour, by the definition of WCAG.
#[cfg(test)]
fn luminance(colour: &str) -> f64 {
    let part = |at: usize| {
        let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
}

/// The contrast of two colours, from 1 to 21.
#[cfg(test)]
pub(super) fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_enough_contrast() {
        for (colours, pick) in [(LIGHT, 0), (DARK, 1)] {
            let [ground, ink, quiet, plain, plain_edge, yes, yes_edge, no, no_edge] = colours;
            for (text, behind) in [(ink, ground), (quiet, ground), (ink, plain), (ink, yes), (ink, no)] {
                assert!(contrast(text, behind) >= 4.5, "text {text} on {behind}");
            }
            for (edge, fill) in [(plain_edge, plain), (yes_edge, yes), (no_edge, no)] {
                assert!(contrast(edge, fill) >= 3.0, "border {edge} of {fill}");
                assert!(contrast(edge, ground) >= 4.5, "{edge} on {ground}, and signs the other way round");
            }
            for colour in COLOURS {
                let colour = if pick == 0 { colour.0 } else { colour.1 };
                assert!(contrast(colour, ground) >= 4.5, "agent {colour} on {ground}");
            }
        }
    }

    #[test]
    fn agents_differ_in_colour_and_pattern_together() {
        let classes: std::collections::BTreeSet<String> = (0..64).map(line_class).collect();
        assert_eq!(classes.len(), 64);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([n(0.04), n(-0.04), n(12.0), n(-3.26)], ["0", "0", "12", "-3.3"]);
    }
}
