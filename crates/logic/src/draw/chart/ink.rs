//! Colours, escaping and the smallest shapes of charts.

use crate::draw::svg::{COLOURS, DARK, LIGHT};
use std::fmt::Write;

pub(super) use crate::draw::svg::{escaped, n};

/// The radius of a dot.
pub(super) const DOT: f64 = 5.0;
/// The class of an agent's colour.
pub(super) fn colour_class(agent: usize) -> String {
    format!("ken-a{}", agent % COLOURS.len())
}

pub(super) fn style() -> String {
    let mut css = String::from(
        ".ken-chart{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif}\
         .ken-chart text{font-size:13px}.ken-chart .ken-middle{text-anchor:middle}.ken-chart .ken-end{text-anchor:end}\
         .ken-chart .ken-head{font-size:16px;font-weight:600}.ken-chart .ken-part{font-size:14px;font-weight:600}\
         .ken-chart .ken-name{font-weight:700}.ken-chart .ken-small{font-size:11px}\
         .ken-chart .ken-same{font-weight:600}\
         .ken-chart .ken-lane{fill:none;stroke-width:2px}\
         .ken-chart .ken-around{fill:none;stroke-width:1.3px;stroke-dasharray:3 4}\
         .ken-chart .ken-title,.ken-chart .ken-act{stroke-width:1.5px}\
         .ken-chart .ken-light{stroke-width:1.2px;stroke-dasharray:3 3}\
         .ken-chart .ken-dot{stroke-width:2px}.ken-chart .ken-rule{fill:none;stroke-width:1px;stroke-opacity:.3}\
         .ken-chart .ken-band{stroke-width:1.5px;stroke-dasharray:6 3}\
         .ken-chart .ken-loop,.ken-chart .ken-alike{fill:none;stroke-width:1.8px;stroke-linejoin:round}\
         .ken-chart .ken-bar{fill:none;stroke-width:4px}\
         .ken-chart .ken-sign{fill:none;stroke-width:2px;stroke-linecap:round;stroke-linejoin:round}",
    );
    css.push_str(&theme(&LIGHT, |c| c.0));
    let _ = write!(css, "@media(prefers-color-scheme:dark){{{}}}", theme(&DARK, |c| c.1));
    css
}

fn theme(colours: &[&str; 9], pick: fn(&(&'static str, &'static str)) -> &'static str) -> String {
    let [ground, ink, quiet, plain, plain_edge, yes, yes_edge, _, no_edge] = colours;
    let mut css = String::new();
    for (class, fill, stroke) in [
        (".ken-ground", *ground, ""),
        ("text", ink, ""),
        (".ken-quiet", quiet, ""),
        (".ken-title", plain, plain_edge),
        (".ken-act", plain, plain_edge),
        (".ken-light", ground, quiet),
        (".ken-around", "", quiet),
        (".ken-rule", "", plain_edge),
        (".ken-band", yes, yes_edge),
        (".ken-alike", "", yes_edge),
        (".ken-yes-badge", yes_edge, ""),
        (".ken-no-badge", no_edge, ""),
        (".ken-sign", "", ground),
        (".ken-loop", "", ink),
        (".ken-bar", "", ink),
        (".ken-ink", ink, ""),
        (".ken-open", ground, ""),
        (".ken-sample", "", ink),
    ] {
        let fill = if fill.is_empty() { String::new() } else { format!("fill:{fill}") };
        let stroke = if stroke.is_empty() { String::new() } else { format!("stroke:{stroke}") };
        let gap = if fill.is_empty() || stroke.is_empty() { "" } else { ";" };
        let _ = write!(css, ".ken-chart {class}{{{fill}{gap}{stroke}}}");
    }
    let _ = write!(css, ".ken-chart .ken-sample.ken-full{{fill:{ink}}}");
    for (agent, colour) in COLOURS.iter().enumerate() {
        let colour = pick(colour);
        let _ = write!(
            css,
            ".ken-chart .ken-a{agent}{{stroke:{colour}}}.ken-chart .ken-a{agent}.ken-full{{fill:{colour}}}"
        );
    }
    css
}

/// The text without what would disturb a drawing: controls, also those of the direction of writing, become replacement
/// signs, and of long rows of marks above a letter a few are kept.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut marks = 0;
    for c in text.chars() {
        let mark = matches!(c, '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{200b}'..='\u{200d}' | '\u{20d0}'..='\u{20ff}');
        marks = if mark { marks + 1 } else { 0 };
        match c {
            _ if marks > 2 => {}
            '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => out.push(' '),
            '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push('\u{fffd}');
            }
            // Far wider than any other sign.
            '\u{fdfd}' | '\u{2e3b}' | '\u{12031}' | '\u{1242b}' | '\u{12219}' => out.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A line of clean text.
pub(super) fn text(out: &mut String, class: &str, x: f64, y: f64, words: &str) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let _ = writeln!(out, "<text{class} x=\"{}\" y=\"{}\">{}</text>", n(x), n(y), escaped(words));
}

/// A tick or a cross.
pub(super) fn badge(out: &mut String, x: f64, y: f64, holds: bool) {
    let kind = if holds { "yes" } else { "no" };
    let _ = writeln!(out, "<circle class=\"ken-{kind}-badge\" cx=\"{}\" cy=\"{}\" r=\"7.5\"/>", n(x), n(y));
    let shape = if holds { "m-3.4 .2l2.4 2.6l4.6 -5.6" } else { "m-2.8 -2.8l5.6 5.6m0 -5.6l-5.6 5.6" };
    let _ = writeln!(out, "<path class=\"ken-sign\" d=\"M{} {}{shape}\"/>", n(x), n(y));
}

/// A dot of an agent: filled or open.
pub(super) fn dot(out: &mut String, colour: &str, x: f64, y: f64, filled: bool) {
    let kind = if filled { "ken-full" } else { "ken-open" };
    let _ =
        writeln!(out, "<circle class=\"ken-dot {colour} {kind}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>", n(x), n(y), n(DOT));
}

/// The bracket of a loop: from the last row back to the one where it begins.
pub(super) fn bracket(out: &mut String, right: f64, target: f64, last: f64) {
    let x = right - 14.0;
    let path = format!("M{} {}H{}V{}H{}", n(right), n(last), n(x), n(target), n(right - 5.0));
    let _ = writeln!(out, "<g class=\"ken-bracket\"><path class=\"ken-loop\" d=\"{path}\"/>");
    let _ = writeln!(out, "<path class=\"ken-ink\" d=\"M{} {}l-9 -5v10Z\"/>", n(right + 2.0), n(target));
    let middle = (target + last) / 2.0;
    text(out, "ken-same ken-end", x - 6.0, middle - 3.0, "for");
    text(out, "ken-same ken-end", x - 6.0, middle + 12.0, "ever");
    out.push_str("</g>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::svg::contrast;

    #[test]
    fn colours_have_enough_contrast() {
        for (theme, colours) in [(LIGHT, COLOURS.map(|c| c.0)), (DARK, COLOURS.map(|c| c.1))] {
            let [ground, ink, quiet, plain, plain_edge, yes, yes_edge, _, no_edge] = theme;
            for (text, behind) in [(ink, ground), (quiet, ground), (ink, plain), (quiet, plain)] {
                assert!(contrast(text, behind) >= 4.5, "text {text} on {behind}");
            }
            for (shape, behind) in [(plain_edge, ground), (yes_edge, ground), (no_edge, ground), (yes_edge, yes)] {
                assert!(contrast(shape, behind) >= 3.0, "{shape} on {behind}");
            }
            for colour in colours {
                // Lanes and dots also stand on the band of those to whom something looks the same.
                assert!(contrast(colour, ground) >= 3.0 && contrast(colour, yes) >= 3.0, "agent {colour}");
            }
        }
    }

    #[test]
    fn what_disturbs_a_drawing_is_replaced() {
        assert_eq!(clean("a\u{202e}b\u{0}\nc"), "a\u{fffd}b\u{fffd} c");
        assert_eq!(clean(&format!("e{}x", "\u{301}".repeat(50))), "e\u{301}\u{301}x");
        assert_eq!(escaped("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
    }
}
