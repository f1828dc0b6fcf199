//! Accounts in words, and runs as tables.

use super::account::{Account, Apart, RunView, Why};
use crate::check::Line;
use crate::formula::Name;
use crate::text::pieces;

/// Steps of longer runs are left out in the middle.
const MAX_STEPS: usize = 40;

/// The width of a table of two runs.
const WIDTH: usize = 72;

fn list(agents: &[Name]) -> String {
    match agents {
        [] => "nobody".to_string(),
        [one] => one.to_string(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

impl Account {
    /// Why it is so, to be said after the verdict: `: on every run`, `, because`, or nothing; `list` names agents.
    pub(crate) fn how(&self, list: &dyn Fn(&[Name]) -> String) -> String {
        let holds = self.holds;
        match &self.why {
            Why::Fact => String::new(),
            Why::Parts(_) => ", because".to_string(),
            Why::EveryRun => if holds { ": on every run" } else { ": no run shows it" }.to_string(),
            Why::Strategy => {
                if holds { ": the group has a strategy" } else { ": the group has no strategy" }.to_string()
            }
            Why::Obligation => {
                if holds { ": wherever it is not red" } else { ": not everywhere where it is not red" }.to_string()
            }
            Why::Untold => ": the run that shows it is too far away to be told".to_string(),
            Why::AllLookalikes { agents, count } => {
                let who = list(agents);
                match count {
                    Some(1) => format!(": {who} can exclude everything else"),
                    Some(n) => format!(": {who} considers {n} cases possible, and it is so in all of them"),
                    None => format!(": it is so in everything that {who} may consider possible"),
                }
            }
            Why::Run(run, _) => match run.steps.len() > run.shown || run.loops_to.is_some() {
                true => ": this run shows it".to_string(),
                false if run.ends => ": the run ends here".to_string(),
                false => ": already here".to_string(),
            },
            Why::Lookalike { actual, other, .. } if actual == other => ", because".to_string(),
            Why::Lookalike { agents, .. } => format!(": to {} another run looks the same", list(agents)),
        }
    }

    /// The account as lines of text.
    pub fn lines(&self) -> Vec<Line> {
        let mut out = Vec::new();
        self.write(0, "", &mut out);
        out
    }

    fn write(&self, depth: usize, place: &str, out: &mut Vec<Line>) {
        let verdict = if self.holds { "holds" } else { "fails" };
        let text = format!("{} {verdict}{place}{}", self.formula, self.how(&list));
        out.push(Line::new(depth, text));
        match &self.why {
            Why::Fact | Why::EveryRun | Why::Strategy | Why::Obligation | Why::Untold | Why::AllLookalikes { .. } => {}
            Why::Parts(parts) => {
                for part in parts {
                    part.write(depth + 1, place, out);
                }
            }
            Why::Run(run, then) => {
                if run.steps.len() > run.shown || run.loops_to.is_some() {
                    run.rows(depth + 1, out);
                }
                if let Some(then) = then {
                    let steps = run.steps.len();
                    let end = if steps == 0 { String::new() } else { format!(" after step {steps}") };
                    then.write(depth + 1, &end, out);
                }
            }
            Why::Lookalike { actual, other, apart, then, .. } => {
                let same = actual == other;
                if !same {
                    beside(actual, other, depth + 1, out);
                }
                if let Some(apart) = apart {
                    let text = match apart {
                        Apart::Sight(0) => "an agent with perfect recall tells them apart at the start".to_string(),
                        Apart::Sight(n) => format!("an agent with perfect recall tells them apart after step {n}"),
                        Apart::Action(n) => {
                            format!("an agent with perfect recall tells them apart at step {n}, by the action")
                        }
                        Apart::Length => "an agent with perfect recall tells them apart: one run is longer".to_string(),
                    };
                    out.push(Line::new(depth + 1, text));
                }
                then.write(depth + 1, if same { " as things are" } else { " after the other run" }, out);
            }
        }
    }
}

impl RunView {
    /// The steps, one a row; those shown before are left out.
    fn rows(&self, depth: usize, out: &mut Vec<Line>) {
        let cells = self.cells();
        let from = if self.shown > 0 { self.shown + 1 } else { 0 };
        let cells = &cells[from.min(cells.len())..];
        let whole = width_at(depth);
        let wide = cells.iter().map(|(a, _)| a.chars().count()).max().unwrap_or(0).min(whole / 2);
        let wide = wide.max(longest_piece(cells.iter().map(|(action, _)| action.as_str())));
        for (i, (action, changes)) in cells.iter().enumerate() {
            if cells.len() > MAX_STEPS && i == MAX_STEPS / 2 {
                out.push(Line::row(depth, format!("… {} steps …", cells.len() - MAX_STEPS)));
            }
            if cells.len() > MAX_STEPS && (MAX_STEPS / 2..cells.len() - MAX_STEPS / 2).contains(&i) {
                continue;
            }
            in_columns((action, wide), (changes, whole.saturating_sub(wide + 2).max(whole / 2)), "  ", depth, out);
        }
        match self.loops_to {
            Some(0) => out.push(Line::row(depth, "and so on from the start, for ever".to_string())),
            Some(n) => out.push(Line::row(depth, format!("and so on from after step {n}, for ever"))),
            None if self.ends => out.push(Line::row(depth, "and the run ends".to_string())),
            None => {}
        }
    }

    /// For the start and each step, what happens and what is different then.
    fn cells(&self) -> Vec<(String, String)> {
        let named = !self.start.name.starts_with('{');
        let start = self.start.facts.label();
        let start = if named { format!("{} {start}", self.start.name) } else { start };
        let mut cells = vec![("start".to_string(), start)];
        for (i, step) in self.steps.iter().enumerate() {
            let mut changes = step.changes.join(", ");
            if named {
                let gap = if changes.is_empty() { "" } else { ": " };
                changes = format!("{}{gap}{changes}", step.state.name);
            } else if changes.is_empty() {
                changes = "nothing changes".to_string();
            }
            cells.push((format!("{} {}", i + 1, step.action), changes));
        }
        cells
    }
}

/// What is left of the width at a depth: deep down tables stay readable and grow beyond it.
fn width_at(depth: usize) -> usize {
    WIDTH.saturating_sub(2 * depth).max(43)
}

fn padded(text: &str, width: usize) -> String {
    let length = text.chars().count();
    format!("{text}{}", " ".repeat(width.saturating_sub(length)))
}

/// Two runs side by side, row by row.
fn beside(actual: &RunView, other: &RunView, depth: usize, out: &mut Vec<Line>) {
    let (left, right) = (actual.cells(), other.cells());
    let texts = left.iter().chain(&right).flat_map(|(action, changes)| [action.as_str(), changes.as_str()]);
    // The second column begins behind the longest name of the first.
    let half = ((width_at(depth) - 3) / 2).max(longest_piece(texts));
    let mut row = |a: &str, b: &str| in_columns((a, half), (b, half), " │ ", depth, out);
    row("the run", "looks the same");
    for i in 0..left.len().max(right.len()) {
        let cell = |cells: &[(String, String)]| cells.get(i).map_or(String::new(), |(a, c)| format!("{a}: {c}"));
        row(&cell(&left), &cell(&right));
    }
}

/// Two texts in columns of these widths, as many lines as the longer one needs.
fn in_columns(left: (&str, usize), right: (&str, usize), between: &str, depth: usize, out: &mut Vec<Line>) {
    let (a, b) = (broken(left.0, left.1), broken(right.0, right.1));
    for i in 0..a.len().max(b.len()) {
        let (a, b) = (a.get(i).map_or("", |s| s), b.get(i).map_or("", |s| s));
        let text = format!("{}{between}{b}", padded(a, left.1));
        out.push(Line::row(depth, text.trim_end().to_string()));
    }
}

/// Text in lines of at most `width`, broken at spaces, and inside words that are longer; a name is never broken, and a line
/// with a longer one is longer.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    let (mut used, mut fresh) = (0, true);
    for word in text.split(' ') {
        // A word that fits on a line of its own is not broken at all.
        let parts = if INDENT + word.chars().count() > width { pieces(word) } else { vec![word] };
        for (i, part) in parts.into_iter().enumerate() {
            let length = part.chars().count();
            let gap = usize::from(i == 0 && !fresh);
            if !fresh && used + gap + length > width {
                lines.push(" ".repeat(INDENT));
                used = INDENT;
            } else {
                lines.last_mut().into_iter().for_each(|line| line.push_str(&" ".repeat(gap)));
                used += gap;
            }
            lines.last_mut().into_iter().for_each(|line| line.push_str(part));
            used += length;
            fresh = false;
        }
    }
    lines
}

/// How far the further lines of a cell are indented.
const INDENT: usize = 2;

/// The room that the longest name in these texts needs.
fn longest_piece<'t>(texts: impl Iterator<Item = &'t str>) -> usize {
    let lengths = texts.flat_map(|text| text.split(' ')).flat_map(pieces).map(|piece| INDENT + piece.chars().count());
    lengths.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_witnesses_are_not_broken_inside_a_word() {
        let text = "3 philosopher_one.takes_the_left_fork: {fork(1),philosopher_two_is_hungry,x=3}";
        for width in [10, 20, 35] {
            let lines = broken(text, width);
            let whole = |name: &str| lines.iter().any(|line| line.contains(name));
            for name in ["philosopher_one.takes_the_left_fork", "fork(1)", "philosopher_two_is_hungry", "x=3"] {
                assert!(whole(name), "{width}: {name}: {lines:?}");
            }
            let joined: String = lines.concat().split_whitespace().collect();
            assert_eq!(joined, text.split_whitespace().collect::<String>(), "nothing is lost");
        }
        assert_eq!(broken(text, 100), [text]);
        assert_eq!(broken("1 go: x, y", 6), ["1 go:", "  x, y"]);
        let mut rows = Vec::new();
        let half = longest_piece(text.split(' '));
        in_columns((text, half), (text, half), " │ ", 0, &mut rows);
        let bars: Vec<_> = rows.iter().map(|row| row.text.chars().position(|c| c == '│')).collect();
        assert!(bars.iter().all(|bar| *bar == bars[0] && bar.is_some()), "the columns stand: {rows:?}");
    }
}
