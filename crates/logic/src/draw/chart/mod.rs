//! Accounts as sequence charts: a lane for each agent, time downwards.
//!
//! What an account says is a list of headings; below a heading stands the run that shows it, or two runs that look the
//! same to somebody, beside each other if there is room. The same account gives the same text.

mod ink;
mod rows;

use super::label::{paragraph, shorten, text_width};
use crate::check::time::{Account, RunView, Why};
use crate::formula::Name;
use ink::{DOT, badge, clean, dot, escaped, n, style, text};
use rows::{Lanes, Table};
use std::fmt::Write;

/// The size of text.
const FONT: f64 = 13.0;
/// The height of a line of text.
const LINE: f64 = 17.0;
/// The space around everything.
const EDGE: f64 = 22.0;
/// Two runs stand beside each other if the whole is not wider than this.
const WIDEST: f64 = 1100.0;
/// The space for words between two runs.
const BETWEEN: f64 = 104.0;
/// How far a heading stands to the right of the one it belongs to, and how often.
const INDENT: f64 = 18.0;
const MOST_INDENT: usize = 5;
/// The most headings.
const MOST_SECTIONS: usize = 48;
/// The widths of notes that are tried, widest first.
const NOTES: [f64; 4] = [260.0, 200.0, 160.0, 130.0];

/// The account as an SVG document: its runs as charts with a lane for each agent.
///
/// `agents` are those who know something, in the order of their lanes; others who act are drawn as environments.
/// The drawing follows the light or dark preference of the reader, needs no script and no fonts, and can stand alone or
/// inside a page. Long runs lose their middle, long names theirs, and of very long accounts the end is left out: it says
/// so.
pub fn chart(account: &Account, agents: &[Name]) -> String {
    let (sections, left_out) = sections(account);
    let lanes =
        Lanes::new(&sections.iter().flat_map(Section::runs).collect::<Vec<_>>(), agents, &singled_out(&sections));
    let figures: Vec<Figure> = sections.iter().map(|section| Figure::new(section, &lanes)).collect();
    let right = sections.iter().zip(&figures).map(|(s, f)| s.indent() + f.width());
    let inner = right.fold(560.0, f64::max);

    let mut body = String::new();
    let mut y = EDGE;
    for (section, figure) in sections.iter().zip(&figures) {
        y = heading(&mut body, section, inner, y);
        y = figure.draw(&mut body, &lanes, EDGE + section.indent(), y) + 14.0;
    }
    if left_out > 0 {
        let parts = if left_out == 1 { "part" } else { "parts" };
        text(&mut body, "ken-quiet", EDGE, y + 13.0, &format!("… {left_out} more {parts} of the account …"));
        y += LINE + 10.0;
    }
    if figures.iter().any(|figure| !matches!(figure, Figure::None)) {
        y = legend(&mut body, &sections, &figures, &lanes, inner, y);
    }

    let (width, height) = (inner + 2.0 * EDGE, y - 14.0 + EDGE);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ken-drawing ken-chart\" role=\"img\" width=\"{0}\" \
         height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n",
        n(width),
        n(height)
    );
    let verdict = if account.holds { "holds" } else { "fails" };
    let _ = writeln!(out, "<title>{} {verdict}</title>", escaped(&shorten(&clean(&account.formula), 200)));
    let _ = writeln!(out, "<desc>{}</desc>", escaped(&description(account)));
    let _ = writeln!(out, "<style>{}</style>", style());
    let _ = writeln!(out, "<rect class=\"ken-ground\" width=\"{}\" height=\"{}\"/>", n(width), n(height));
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

/// The account in words, for readers who do not see the chart.
fn description(account: &Account) -> String {
    let lines = account.lines();
    let mut words: Vec<String> = lines.iter().take(120).map(|line| shorten(&clean(line.text.trim()), 300)).collect();
    if lines.len() > words.len() {
        words.push(format!("… {} more lines", lines.len() - words.len()));
    }
    words.join("; ")
}

/// A heading, and what is drawn below it.
struct Section<'a> {
    depth: usize,
    holds: bool,
    heading: String,
    drawn: Drawn<'a>,
}

/// What is drawn below a heading.
enum Drawn<'a> {
    Nothing,
    Run(&'a RunView),
    Alike(&'a [Name], &'a RunView, &'a RunView),
}

impl<'a> Section<'a> {
    fn indent(&self) -> f64 {
        self.depth.min(MOST_INDENT) as f64 * INDENT
    }

    fn runs(&self) -> Vec<&'a RunView> {
        match self.drawn {
            Drawn::Nothing => Vec::new(),
            Drawn::Run(run) => vec![run],
            Drawn::Alike(_, actual, other) => vec![actual, other],
        }
    }
}

/// The agents to whom something looks the same.
fn singled_out(sections: &[Section<'_>]) -> Vec<Name> {
    let alike = sections.iter().filter_map(|section| match section.drawn {
        Drawn::Alike(agents, ..) => Some(agents),
        _ => None,
    });
    alike.flatten().cloned().collect()
}

fn list(agents: &[Name]) -> String {
    let short = |name: &Name| shorten(&clean(name), 40);
    match agents {
        [] => "nobody".to_string(),
        [one] => short(one),
        [most @ .., last] if most.len() < 6 => {
            format!("{} and {}", most.iter().map(short).collect::<Vec<_>>().join(", "), short(last))
        }
        [a, b, c, rest @ ..] => format!("{}, {}, {} and {} others", short(a), short(b), short(c), rest.len()),
        _ => "some".to_string(),
    }
}

/// The headings of an account in reading order, and how many are left out.
fn sections(account: &Account) -> (Vec<Section<'_>>, usize) {
    let mut found = Vec::new();
    let mut left_out = 0;
    // A stack of its own: an account may be nested as deep as one likes.
    let mut open: Vec<(&Account, usize, String)> = vec![(account, 0, String::new())];
    while let Some((account, depth, place)) = open.pop() {
        let (how, drawn) = how(account);
        match &account.why {
            Why::Parts(parts) => open.extend(parts.iter().rev().map(|part| (part, depth + 1, place.clone()))),
            Why::Run(run, Some(then)) => {
                let end = run.steps.len();
                open.push((then, depth + 1, if end == 0 { String::new() } else { format!(" after step {end}") }));
            }
            Why::Lookalike { actual, other, then, .. } => {
                let place = if actual == other { "" } else { " after the other run" };
                open.push((then, depth + 1, place.to_string()));
            }
            _ => {}
        }
        if found.len() == MOST_SECTIONS {
            left_out += 1;
            continue;
        }
        let verdict = if account.holds { "holds" } else { "fails" };
        let heading = format!("{} {verdict}{place}{how}", shorten(&clean(&account.formula), 240));
        found.push(Section { depth, holds: account.holds, heading, drawn });
    }
    (found, left_out)
}

/// Why an account is so, in words, and what is drawn of it.
fn how(account: &Account) -> (String, Drawn<'_>) {
    let drawn = match &account.why {
        Why::Run(run, _) if run.steps.len() > run.shown || run.loops_to.is_some() => Drawn::Run(run),
        Why::Lookalike { agents, actual, other, .. } if actual != other => Drawn::Alike(agents, actual, other),
        _ => Drawn::Nothing,
    };
    (account.how(&list), drawn)
}

/// Writes a heading from `y` on; gives its lower end.
fn heading(out: &mut String, section: &Section<'_>, inner: f64, y: f64) -> f64 {
    let (class, font, line) = if section.depth == 0 { ("ken-head", 16.0, 22.0) } else { ("ken-part", 14.0, 19.0) };
    let x = EDGE + section.indent();
    badge(out, x + 8.0, y + line / 2.0 - 0.5, section.holds);
    let lines = wrapped(&section.heading, inner - section.indent() - 24.0, font, 6);
    for (i, words) in lines.iter().enumerate() {
        text(out, class, x + 24.0, y + line * (i as f64 + 0.73), words);
    }
    y + line * lines.len() as f64 + 6.0
}

/// Text in lines of at most this width; of a longer text, the beginning with an ellipsis.
fn wrapped(text: &str, width: f64, font: f64, most: usize) -> Vec<String> {
    let lines = paragraph(text, width, font, most + 1);
    if lines.len() <= most {
        return lines;
    }
    // The ellipsis needs room of its own.
    paragraph(text, width - 1.4 * font, font, most)
}

/// What stands below a heading.
enum Figure {
    None,
    One(Table),
    Beside(String, Table, Table),
    Stacked(String, Table, Table),
}

impl Figure {
    fn new(section: &Section<'_>, lanes: &Lanes) -> Figure {
        match section.drawn {
            Drawn::Nothing => Figure::None,
            Drawn::Run(run) => {
                let columns = lanes.columns(&[run], &[]);
                Figure::One(Table::new(run, lanes, columns, NOTES[0], None, &[]))
            }
            Drawn::Alike(agents, actual, other) => {
                let words = format!("looks the same to {}", list(agents));
                let columns = lanes.columns(&[actual, other], agents);
                let both = |note: f64| {
                    let table = |run, caption| Table::new(run, lanes, columns.clone(), note, Some(caption), agents);
                    (table(actual, "the run"), table(other, "another run"))
                };
                let room = WIDEST - 2.0 * EDGE - section.indent();
                for note in NOTES {
                    let (mut a, mut b) = both(note);
                    if a.width() + BETWEEN + b.width() <= room {
                        Table::align(&mut a, &mut b);
                        return Figure::Beside(words, a, b);
                    }
                }
                let (a, b) = both(NOTES[0]);
                Figure::Stacked(words, a, b)
            }
        }
    }

    fn tables(&self) -> Vec<&Table> {
        match self {
            Figure::None => Vec::new(),
            Figure::One(table) => vec![table],
            Figure::Beside(_, a, b) | Figure::Stacked(_, a, b) => vec![a, b],
        }
    }

    fn width(&self) -> f64 {
        match self {
            Figure::Beside(_, a, b) => a.width() + BETWEEN + b.width(),
            _ => self.tables().iter().map(|table| table.width()).fold(0.0, f64::max),
        }
    }

    /// Draws from this corner on; gives the lower end.
    fn draw(&self, out: &mut String, lanes: &Lanes, x: f64, y: f64) -> f64 {
        let arrow = |out: &mut String, line: String, tips: [String; 2]| {
            let _ = writeln!(out, "<path class=\"ken-alike\" d=\"{line}\"/>");
            let _ = writeln!(out, "<path class=\"ken-yes-badge\" d=\"{}{}\"/>", tips[0], tips[1]);
        };
        match self {
            Figure::None => y,
            Figure::One(table) => table.draw(out, lanes, x, y + 4.0),
            Figure::Beside(words, a, b) => {
                let _ = writeln!(out, "<g class=\"ken-beside\">");
                let y = y + 4.0;
                let first = a.draw(out, lanes, x, y);
                let second = b.draw(out, lanes, x + a.width() + BETWEEN, y);
                // The words stand at the height of the heads of the lanes, where both runs begin.
                let (left, middle) = (x + a.width(), x + a.width() + BETWEEN / 2.0);
                let at = y + a.head_middle();
                let (from, to) = (left + 16.0, left + BETWEEN - 16.0);
                arrow(
                    out,
                    format!("M{} {1}H{2}", n(from + 7.0), n(at), n(to - 7.0)),
                    [format!("M{} {}l9 -5v10Z", n(from), n(at)), format!("M{} {}l-9 -5v10Z", n(to), n(at))],
                );
                let lines = wrapped(words, BETWEEN - 12.0, FONT, 6);
                for (i, line) in lines.iter().enumerate() {
                    text(out, "ken-same ken-middle", middle, at + 24.0 + LINE * i as f64, line);
                }
                out.push_str("</g>\n");
                first.max(second).max(at + 24.0 + LINE * lines.len() as f64)
            }
            Figure::Stacked(words, a, b) => {
                let _ = writeln!(out, "<g class=\"ken-stacked\">");
                let y = a.draw(out, lanes, x, y + 4.0) + 4.0;
                let lines = wrapped(words, self.width().max(400.0) - 40.0, FONT, 3);
                let high = (LINE * lines.len() as f64).max(34.0);
                arrow(
                    out,
                    format!("M{} {}V{}", n(x + 18.0), n(y + 8.0), n(y + high - 8.0)),
                    [
                        format!("M{} {}l-5 9h10Z", n(x + 18.0), n(y)),
                        format!("M{} {}l-5 -9h10Z", n(x + 18.0), n(y + high)),
                    ],
                );
                let top = y + (high - LINE * lines.len() as f64) / 2.0 + 13.0;
                for (i, line) in lines.iter().enumerate() {
                    text(out, "ken-same", x + 34.0, top + LINE * i as f64, line);
                }
                let end = b.draw(out, lanes, x, y + high + 8.0);
                out.push_str("</g>\n");
                end
            }
        }
    }
}

/// Writes how to read the charts from `y` on; gives the lower end.
fn legend(out: &mut String, sections: &[Section<'_>], figures: &[Figure], lanes: &Lanes, inner: f64, y: f64) -> f64 {
    out.push_str("<g class=\"ken-legend\">\n");
    let tables = || figures.iter().flat_map(Figure::tables);
    let (mut x, mut y) = (EDGE, y + 6.0);
    let mut entry = |out: &mut String, sample: f64, words: &str| {
        let needed = sample + 8.0 + text_width(words, FONT) * 0.95;
        if x > EDGE && x + needed > EDGE + inner {
            (x, y) = (EDGE, y + 26.0);
        }
        text(out, "", x + sample + 8.0, y + 4.6, words);
        x += needed + 22.0;
        (x - needed - 22.0, y)
    };
    if lanes.has_agents() && tables().any(Table::has_steps) {
        for (filled, words) in [(true, "its local state changes"), (false, "its local state stays the same")] {
            let (x, y) = entry(out, 2.0 * DOT + 2.0, words);
            dot(out, "ken-sample", x + DOT + 1.0, y, filled);
        }
    }
    if lanes.has_environments() {
        let (x, y) = entry(out, 30.0, "environment");
        let _ = writeln!(out, "<path class=\"ken-around\" d=\"M{} {}h30\"/>", n(x), n(y));
    }
    let alike = sections.iter().any(|section| matches!(section.drawn, Drawn::Alike(..)));
    if alike {
        let (x, y) = entry(out, 26.0, "looks the same");
        let _ =
            writeln!(out, "<rect class=\"ken-band\" x=\"{}\" y=\"{}\" width=\"26\" height=\"14\"/>", n(x), n(y - 7.0));
    }
    let mut words =
        "Time runs downwards. On the right: what is true at first, then what each step changes.".to_string();
    if alike {
        words.push_str(" What looks the same is the whole of the two runs, or without memory their ends.");
    }
    if lanes.left_out > 0 {
        let _ = write!(words, " {} more lanes are left out.", lanes.left_out);
    }
    y += if x > EDGE { 26.0 } else { 0.0 };
    for line in wrapped(&words, inner, FONT, 3) {
        text(out, "ken-quiet", EDGE, y + 4.6, &line);
        y += LINE;
    }
    out.push_str("</g>\n");
    y + 8.0
}
