//! One run as a chart: lanes, rows, and how it goes on.

use super::ink::{DOT, bracket, clean, colour_class, dot, escaped, n, text};
use super::{FONT, LINE, wrapped};
use crate::check::time::{RunView, StateView, StepView};
use crate::draw::label::{lines_width, shorten, text_width};
use crate::formula::Name;
use std::fmt::Write;

/// The most lanes.
const MOST_LANES: usize = 40;
/// Longer runs lose their middle.
const MOST_STEPS: usize = 60;
/// The most changes told of one step, and the most facts of a state.
const MOST_FACTS: usize = 12;
/// The space of a bracket at the left and the words beside it.
const BRACKET: f64 = 56.0;
/// The space of the numbers of steps.
const NUMBERS: f64 = 42.0;
/// The space between text and the edge of its lane, on both sides together.
const PAD: f64 = 20.0;
/// The height of a line of text in a box, and the rest of the box.
const BOX_LINE: f64 = 16.0;
const BOX_REST: f64 = 8.0;
/// The space below the heads of the lanes, and above the box of a row.
const ABOVE: f64 = 8.0;

struct Lane {
    name: Name,
    head: Vec<String>,
    /// The number of the agent; environments have none.
    agent: Option<usize>,
}

/// The lanes of all charts of an account.
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    pub(super) left_out: usize,
    /// The widest text in a lane.
    widest: f64,
}

impl Lanes {
    /// A lane for each agent, then for each other actor. If they are too many, those singled out come first.
    pub(super) fn new(runs: &[&RunView], agents: &[Name], singled_out: &[Name]) -> Lanes {
        let mut all: Vec<(Name, Option<usize>)> = Vec::new();
        let mut known = std::collections::HashSet::new();
        for (i, agent) in agents.iter().enumerate() {
            if known.insert(agent.clone()) {
                all.push((agent.clone(), Some(i)));
            }
        }
        for (actor, _) in runs.iter().flat_map(|run| &run.steps).flat_map(|step| &step.by) {
            if known.insert(actor.clone()) {
                all.push((actor.clone(), None));
            }
        }
        if all.is_empty() {
            all.push(("system".into(), None));
        }
        let left_out = all.len().saturating_sub(MOST_LANES);
        if left_out > 0 {
            let needed = all.iter().filter(|(name, _)| singled_out.contains(name)).count().min(MOST_LANES);
            let (mut needed, mut free) = (needed, MOST_LANES - needed);
            all.retain(|(name, _)| {
                let room = if singled_out.contains(name) { &mut needed } else { &mut free };
                let kept = *room > 0;
                *room = room.saturating_sub(1);
                kept
            });
        }
        let widest = match all.len() {
            0..=6 => 130.0,
            7..=12 => 92.0,
            _ => 70.0,
        };
        let lanes = all.into_iter().map(|(name, agent)| {
            let head = wrapped(&shorten(&clean(&name), 40), widest, FONT, 2);
            Lane { name, head, agent }
        });
        Lanes { lanes: lanes.collect(), left_out, widest }
    }

    pub(super) fn has_agents(&self) -> bool {
        self.lanes.iter().any(|lane| lane.agent.is_some())
    }

    pub(super) fn has_environments(&self) -> bool {
        self.lanes.iter().any(|lane| lane.agent.is_none())
    }

    /// What stands below the name of a lane.
    fn remark(&self, lane: &Lane, same: &[Name]) -> &'static str {
        match lane.agent {
            _ if same.contains(&lane.name) => "looks the same",
            None => "environment",
            Some(_) => "",
        }
    }

    /// The actions of a step in a lane.
    fn acts(&self, lane: &Lane, step: &StepView) -> Vec<String> {
        let own = step.by.iter().filter(|(actor, _)| *actor == lane.name);
        let own: Vec<String> = own.map(|(_, action)| shorten(&clean(action), 40)).collect();
        if own.is_empty() { Vec::new() } else { wrapped(&own.join(", "), self.widest, FONT, 3) }
    }

    /// How wide the lanes are if these runs are shown with them.
    pub(super) fn columns(&self, runs: &[&RunView], same: &[Name]) -> Vec<f64> {
        let steps = || runs.iter().flat_map(|run| shown(run));
        let width = |lane: &Lane| {
            let head = lines_width(&lane.head, FONT).max(text_width(self.remark(lane, same), 11.0));
            let acts = steps().map(|step| lines_width(&self.acts(lane, step), FONT)).fold(0.0, f64::max);
            (head.max(acts) + PAD).max(62.0)
        };
        let mut columns: Vec<f64> = self.lanes.iter().map(width).collect();
        let across = steps().filter(|step| step.by.is_empty());
        let across = across.map(|step| text_width(&across_words(step), FONT).min(130.0)).fold(0.0, f64::max) + PAD;
        let sum: f64 = columns.iter().sum();
        if sum < across {
            columns.iter_mut().for_each(|width| *width *= across / sum);
        }
        columns
    }
}

fn across_words(step: &StepView) -> String {
    shorten(&clean(&step.action), 80)
}

/// The number of the state with which a chart begins, the first and the last steps that are shown, and how many between
/// them are left out.
fn extent(run: &RunView) -> (usize, &[StepView], usize, &[StepView]) {
    let from = run.shown.min(run.steps.len());
    let fresh = &run.steps[from..];
    if fresh.len() <= MOST_STEPS {
        return (from, fresh, 0, &[]);
    }
    let (first, rest) = fresh.split_at(MOST_STEPS / 2);
    let last = &rest[rest.len() - MOST_STEPS / 2..];
    (from, first, fresh.len() - MOST_STEPS, last)
}

fn shown(run: &RunView) -> impl Iterator<Item = &StepView> {
    let (_, first, _, last) = extent(run);
    first.iter().chain(last)
}

/// What happens in a row.
enum Happens {
    /// The state with which the chart begins.
    Start,
    /// The actions of each lane, or one across all lanes; then for each lane whether its local state changes.
    Step { acts: Vec<Vec<String>>, across: Vec<String>, noticed: Vec<bool> },
    /// Steps that are left out.
    Gap(String),
}

struct Row {
    /// The numbers of the states that the row stands for.
    first: usize,
    last: usize,
    happens: Happens,
    note: Vec<String>,
    tip: String,
    height: f64,
}

impl Row {
    /// How high the highest box is.
    fn box_height(&self) -> f64 {
        let lines = match &self.happens {
            Happens::Step { acts, across, .. } => acts.iter().map(Vec::len).max().unwrap_or(0).max(across.len()),
            _ => 1,
        };
        lines.max(1) as f64 * BOX_LINE + BOX_REST
    }

    /// The height at which the state is: that of the dots.
    fn level(&self) -> f64 {
        match self.happens {
            Happens::Step { .. } => ABOVE + self.box_height() + 12.0,
            _ => ABOVE + BOX_LINE / 2.0 + 4.0,
        }
    }

    fn least(&self) -> f64 {
        let note = ABOVE + BOX_REST / 2.0 + self.note.len() as f64 * LINE + 5.0;
        note.max(self.level() + if matches!(self.happens, Happens::Step { .. }) { DOT + 6.0 } else { 14.0 })
    }
}

/// A run as a chart, with all its measures.
pub(super) struct Table {
    caption: Option<String>,
    columns: Vec<f64>,
    rows: Vec<Row>,
    note: f64,
    loops_to: Option<usize>,
    ends: bool,
    footer: String,
    same: Vec<Name>,
    head: f64,
}

impl Table {
    pub(super) fn new(
        run: &RunView,
        lanes: &Lanes,
        columns: Vec<f64>,
        note: f64,
        caption: Option<&str>,
        same: &[Name],
    ) -> Table {
        let (from, first, gap, last) = extent(run);
        let named = !run.start.name.starts_with('{');
        let across = columns.iter().sum::<f64>() - PAD;
        let row = |first: usize, happens: Happens, note: Vec<String>, tip: String| {
            let mut row = Row { first, last: first, happens, note, tip, height: 0.0 };
            row.height = row.least();
            row
        };
        let start = state_words(if from == 0 { &run.start } else { &run.steps[from - 1].state }, named);
        let place = if from == 0 { "start".to_string() } else { format!("after step {from}") };
        let mut rows =
            vec![row(from, Happens::Start, noted(&start, note, 6), format!("{place}: {}", start.replace(TIE, " ")))];
        let step = |number: usize, step: &StepView| {
            let words = change_words(step, named);
            let noticed: Vec<bool> = lanes.lanes.iter().map(|lane| step.noticed.contains(&lane.name)).collect();
            let happens = Happens::Step {
                acts: lanes.lanes.iter().map(|lane| lanes.acts(lane, step)).collect(),
                across: if step.by.is_empty() && !step.action.is_empty() {
                    wrapped(&across_words(step), across, FONT, 3)
                } else {
                    Vec::new()
                },
                noticed,
            };
            let noticed = match &step.noticed[..] {
                [] => "; nobody's local state changes".to_string(),
                who => format!("; the local state changes of {}", super::list(who)),
            };
            let action = shorten(&clean(&step.action), 200);
            let tip = format!("step {number}: {action}: {}{noticed}", words.replace(TIE, " "));
            row(number, happens, noted(&words, note, 5), tip)
        };
        rows.extend(first.iter().enumerate().map(|(i, s)| step(from + 1 + i, s)));
        if gap > 0 {
            let words = format!("… {gap} {} …", if gap == 1 { "step" } else { "steps" });
            let mut left_out = row(from + 1 + first.len(), Happens::Gap(words.clone()), Vec::new(), words);
            left_out.last = left_out.first + gap - 1;
            rows.push(left_out);
        }
        rows.extend(last.iter().enumerate().map(|(i, s)| step(run.steps.len() + 1 - last.len() + i, s)));
        let footer = match run.loops_to {
            Some(0) => "then as at the start, and so on for ever".to_string(),
            Some(number) => format!("then as after step {number}, and so on for ever"),
            None if run.ends => "the run ends".to_string(),
            None => String::new(),
        };
        let caption = match (caption, from) {
            (_, 0) => caption.map(str::to_string),
            (None, _) => Some(format!("continues from step {from}")),
            (Some(caption), _) => Some(format!("{caption} continues from step {from}")),
        };
        let lines = lanes.lanes.iter().map(|lane| lane.head.len()).max().unwrap_or(1);
        let remarks = lanes.lanes.iter().any(|lane| !lanes.remark(lane, same).is_empty());
        Table {
            caption,
            columns,
            note: rows.iter().map(|row| lines_width(&row.note, FONT)).fold(0.0, f64::max),
            rows,
            loops_to: run.loops_to,
            ends: run.ends && run.loops_to.is_none(),
            footer,
            same: same.to_vec(),
            head: lines as f64 * BOX_LINE + if remarks { 14.0 } else { 0.0 } + BOX_REST,
        }
    }

    /// Gives the rows of two charts the same heights.
    pub(super) fn align(a: &mut Table, b: &mut Table) {
        for (a, b) in a.rows.iter_mut().zip(&mut b.rows) {
            let height = a.height.max(b.height);
            (a.height, b.height) = (height, height);
        }
    }

    pub(super) fn has_steps(&self) -> bool {
        self.rows.iter().any(|row| matches!(row.happens, Happens::Step { .. }))
    }

    /// Where the lanes begin.
    fn left(&self) -> f64 {
        NUMBERS + if self.loops_to.is_some() { BRACKET } else { 0.0 }
    }

    fn lanes_width(&self) -> f64 {
        self.columns.iter().sum()
    }

    fn top(&self) -> f64 {
        if self.caption.is_some() { LINE + 4.0 } else { 0.0 }
    }

    /// The height of the middle of the lanes' heads.
    pub(super) fn head_middle(&self) -> f64 {
        self.top() + self.head / 2.0
    }

    pub(super) fn width(&self) -> f64 {
        let gap = self.rows.iter().map(|row| match &row.happens {
            Happens::Gap(words) => text_width(words, FONT),
            _ => 0.0,
        });
        let words = [self.caption.as_ref(), Some(&self.footer)].into_iter().flatten();
        let words = words.map(|words| text_width(words, FONT)).chain(gap).fold(0.0, f64::max);
        self.left() + words.max(self.lanes_width() + 14.0 + self.note)
    }

    /// Draws from this corner on; gives the lower end.
    pub(super) fn draw(&self, out: &mut String, lanes: &Lanes, x: f64, y: f64) -> f64 {
        out.push_str("<g class=\"ken-run\">\n");
        let left = x + self.left();
        if let Some(caption) = &self.caption {
            text(out, "ken-same ken-caption", left, y + 13.0, caption);
        }
        let top = y + self.top();
        let body = top + self.head;
        let bottom = body + self.rows.iter().map(|row| row.height).sum::<f64>();
        self.draw_lanes(out, lanes, left, top, bottom);
        let mut levels = Vec::with_capacity(self.rows.len());
        let mut at = body;
        for (i, row) in self.rows.iter().enumerate() {
            if i > 0 {
                let right = left + self.lanes_width() + 14.0 + self.note;
                let _ = writeln!(out, "<path class=\"ken-rule\" d=\"M{} {}H{}\"/>", n(left - 8.0), n(at), n(right));
            }
            levels.push(at + row.level());
            self.draw_row(out, lanes, row, left, at);
            at += row.height;
        }
        if let Some(to) = self.loops_to {
            let target = self.rows.iter().position(|row| (row.first..=row.last).contains(&to)).unwrap_or(0);
            let (target, last) = (levels[target], levels[levels.len() - 1]);
            bracket(out, x + BRACKET, target, if last - target < 24.0 { target + 24.0 } else { last });
        }
        let mut end = bottom;
        if self.ends {
            let right = left + self.lanes_width();
            let _ = writeln!(out, "<path class=\"ken-bar\" d=\"M{} {}H{}\"/>", n(left), n(bottom), n(right));
            end += 4.0;
        }
        if !self.footer.is_empty() {
            text(out, "ken-same ken-footer", left, end + 15.0, &self.footer);
            end += LINE + 4.0;
        }
        out.push_str("</g>\n");
        end
    }

    fn draw_lanes(&self, out: &mut String, lanes: &Lanes, left: f64, top: f64, bottom: f64) {
        let body = top + self.head;
        let mut at = left;
        for (lane, width) in lanes.lanes.iter().zip(&self.columns) {
            let middle = at + width / 2.0;
            let tip = match lane.agent {
                Some(_) => shorten(&clean(&lane.name), 200),
                None => format!("{}, an environment", shorten(&clean(&lane.name), 200)),
            };
            let _ = writeln!(out, "<g class=\"ken-column\"><title>{}</title>", escaped(&tip));
            let rect = |out: &mut String, class: &str, y: f64, height: f64| {
                let (x, width) = (n(at + 3.0), n(width - 6.0));
                let (y, height) = (n(y), n(height));
                let rect = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
                let _ = writeln!(out, "<rect class=\"{class}\" {rect} rx=\"6\"/>");
            };
            if self.same.contains(&lane.name) {
                rect(out, "ken-band", body, bottom - body);
            }
            let line = match lane.agent {
                Some(agent) => format!("ken-lane {}", colour_class(agent)),
                None => "ken-around".to_string(),
            };
            let _ = writeln!(out, "<path class=\"{line}\" d=\"M{} {}V{}\"/>", n(middle), n(body), n(bottom));
            rect(out, if lane.agent.is_some() { "ken-title" } else { "ken-light" }, top, self.head);
            let remark = lanes.remark(lane, &self.same);
            let high = lane.head.len() as f64 * BOX_LINE + if remark.is_empty() { 0.0 } else { 14.0 };
            let y = top + (self.head - high) / 2.0 + 12.0;
            let class = if lane.agent.is_some() { "ken-name ken-middle" } else { "ken-quiet ken-middle" };
            for (i, words) in lane.head.iter().enumerate() {
                text(out, class, middle, y + BOX_LINE * i as f64, words);
            }
            if !remark.is_empty() {
                text(out, "ken-small ken-quiet ken-middle", middle, top + (self.head + high) / 2.0 - 4.0, remark);
            }
            out.push_str("</g>\n");
            at += width;
        }
    }

    fn draw_row(&self, out: &mut String, lanes: &Lanes, row: &Row, left: f64, y: f64) {
        let _ = writeln!(out, "<g class=\"ken-row\"><title>{}</title>", escaped(&row.tip));
        let baseline = y + ABOVE + BOX_REST / 2.0 + 12.0;
        let boxed = |out: &mut String, class: &str, x: f64, width: f64, lines: &[String]| {
            let high = lines.len() as f64 * BOX_LINE + BOX_REST;
            let place = format!("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", n(x), n(y + ABOVE), n(width), n(high));
            let _ = writeln!(out, "<rect class=\"{class}\" {place} rx=\"4\"/>");
            for (i, words) in lines.iter().enumerate() {
                text(out, "ken-middle", x + width / 2.0, baseline + BOX_LINE * i as f64, words);
            }
        };
        match &row.happens {
            Happens::Start if row.first == 0 => text(out, "ken-quiet ken-end", left - 8.0, baseline, "start"),
            Happens::Start => text(out, "ken-quiet ken-end", left - 8.0, baseline, &row.first.to_string()),
            Happens::Gap(words) => {
                let width = self.lanes_width().max(text_width(words, FONT));
                let place = format!("x=\"{}\" y=\"{}\" width=\"{}\"", n(left), n(y + 1.0), n(width));
                let _ = writeln!(out, "<rect class=\"ken-ground\" {place} height=\"{}\"/>", n(row.height - 2.0));
                text(out, "ken-same ken-gap ken-middle", left + width / 2.0, baseline, words);
            }
            Happens::Step { acts, across, noticed } => {
                text(out, "ken-quiet ken-end", left - 8.0, baseline, &row.first.to_string());
                if !across.is_empty() {
                    boxed(out, "ken-act ken-across", left + 6.0, self.lanes_width() - 12.0, across);
                }
                let mut at = left;
                for (i, (lane, width)) in lanes.lanes.iter().zip(&self.columns).enumerate() {
                    if !acts[i].is_empty() {
                        let class = if lane.agent.is_some() { "ken-act" } else { "ken-light ken-acts" };
                        // As wide as its text, for it belongs to its lane alone.
                        let wide = lines_width(&acts[i], FONT) + 14.0;
                        boxed(out, class, at + (width - wide) / 2.0, wide, &acts[i]);
                    }
                    if let Some(agent) = lane.agent {
                        dot(out, &colour_class(agent), at + width / 2.0, y + row.level(), noticed[i]);
                    }
                    at += width;
                }
            }
        }
        let x = left + self.lanes_width() + 14.0;
        for (i, words) in row.note.iter().enumerate() {
            text(out, "ken-note", x, baseline + LINE * i as f64, words);
        }
        out.push_str("</g>\n");
    }
}

fn listed(mut words: Vec<String>) -> String {
    let more = words.len().saturating_sub(MOST_FACTS);
    if more > 0 {
        words.truncate(MOST_FACTS);
        words.push(format!("… {more} more"));
    }
    words.join(", ")
}

/// Stands for a space at which a line does not end; clean text has none.
const TIE: char = '\u{1}';

/// A fact of a reasonable length, in one piece if it is short.
fn short(text: &str) -> String {
    let text = shorten(&clean(text), 48);
    if text.chars().count() <= 20 { text.replace(' ', &TIE.to_string()) } else { text }
}

/// A note in lines.
fn noted(words: &str, width: f64, most: usize) -> Vec<String> {
    wrapped(words, width, FONT, most).into_iter().map(|line| line.replace(TIE, " ")).collect()
}

/// A state in words: its name if it has one, and its facts.
fn state_words(state: &StateView, named: bool) -> String {
    let props = state.facts.props.iter().map(|p| short(p));
    let vars = state.facts.vars.iter().map(|(x, v)| short(&format!("{x} = {v}")));
    let mut facts = listed(props.chain(vars).collect());
    if facts.is_empty() {
        facts = "nothing is true".to_string();
    }
    if named { format!("{}: {facts}", short(&state.name)) } else { facts }
}

/// What a step changes, in words.
fn change_words(step: &StepView, named: bool) -> String {
    let changes = listed(step.changes.iter().map(|change| short(change)).collect());
    match (named, changes.is_empty()) {
        (true, true) => short(&step.state.name),
        (true, false) => format!("{}: {changes}", short(&step.state.name)),
        (false, true) => "nothing changes".to_string(),
        (false, false) => changes,
    }
}
