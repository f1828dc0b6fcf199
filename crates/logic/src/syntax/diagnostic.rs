//! What is wrong with a text, and where.

use crate::check::Limit;
use crate::text::visible;
use std::fmt::Write;

/// A range of bytes in a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`; texts longer than 4 GiB are refused before they reach a parser.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

macro_rules! codes {
    ($($name:ident = $code:literal, $about:literal;)*) => {
        /// The kind of a problem; the code is stable and listed in `docs/errors.md`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code { $(#[doc = $about] $name,)* }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as printed, such as `E07`.
            pub fn id(self) -> &'static str { match self { $(Code::$name => $code,)* } }

            /// What the code stands for.
            pub fn about(self) -> &'static str { match self { $(Code::$name => $about,)* } }
        }
    };
}

codes! {
    Character = "E01", "A character that the language does not use.";
    Syntax = "E02", "The text does not follow the grammar.";
    Depth = "E03", "Nesting beyond the limit.";
    Reserved = "E04", "A reserved word used as a name.";
    UnknownName = "E05", "A name that is not declared.";
    Index = "E06", "A wrong number of arguments, or an index that is not declared.";
    UnknownAgent = "E07", "An agent that is not declared.";
    Type = "E08", "A number where a formula belongs, or the like.";
    Number = "E09", "A number out of range.";
    Duplicate = "E10", "Something declared twice.";
    Action = "E11", "An action that breaks a rule of the action language.";
    Temporal = "E12", "A temporal operator where there is no time.";
    Cycle = "E13", "A definition that uses itself.";
    NoWorld = "E14", "A model without any world.";
    Point = "E15", "A point that is not a world of the model.";
    Shape = "E16", "JSON of the wrong shape.";
    Large = "E17", "Something that expands beyond the limit.";
    Relation = "E18", "Arbitrary relations outside a belief model, or S5 forms where they do not apply.";
    File = "E19", "A file that cannot be read as text.";
    Objective = "E20", "Knowledge or actions where only facts may stand.";
    Missing = "E21", "Something that the model must declare and does not.";
    System = "E22", "An actor, a protocol or a rule of a system that does not fit.";
    Step = "E23", "A reachable state in which a protocol enables nothing, or a step to a value out of range.";
    Card = "E24", "A card that the deck does not have, or that a rule refuses.";
    Limit = "E25", "A limit was reached before there was an answer.";
    World = "E26", "A world, a state or a history that the model does not have.";
}

/// The text in which the place of a problem lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Within {
    /// The text that was read: a document, or a formula read beside it.
    #[default]
    Text,
    /// The text of the question that was asked.
    Question,
    /// None: the problem has no place.
    Nowhere,
}

/// One problem, with its place and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What is said under the marked place.
    pub label: String,
    /// What to try.
    pub help: Option<String>,
    /// In which text the place lies.
    pub within: Within,
    /// The limit that was reached, if it is one; what to do about it depends on who asked.
    pub limit: Option<Limit>,
}

impl Diagnostic {
    /// A problem at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            span,
            label: String::new(),
            help: None,
            within: Within::Text,
            limit: None,
        }
    }

    /// Adds what is said under the marked place.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Says that the problem has no place in a text.
    pub fn nowhere(mut self) -> Diagnostic {
        self.within = Within::Nowhere;
        self
    }

    /// Adds what to try.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}

/// A named text, for showing problems in it.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file name, or what stands for it.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

impl Source<'_> {
    /// Line and column, both from 1, of a byte; columns count characters.
    pub fn position(&self, byte: u32) -> (usize, usize) {
        let byte = (byte as usize).min(self.text.len());
        let before = &self.text.as_bytes()[..byte];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
    }

    /// The problem as a person reads it: message, place, source line with the span marked, help. What a terminal would not
    /// show is [written out](visible), wherever it comes from.
    ///
    /// ```text
    /// error[E07]: unknown agent `alise`
    ///   models/muddy.ken:14:9
    ///    14 │ check K[alise] muddy(1)
    ///       │         ^^^^^ not declared in `agents`
    ///   help: did you mean `alice`?
    /// ```
    pub fn render(&self, problem: &Diagnostic) -> String {
        const WIDTH: usize = 100;
        let (line, column) = self.position(problem.span.start);
        let mut out = String::new();
        let _ = writeln!(out, "error[{}]: {}", problem.code.id(), problem.message);
        let _ = writeln!(out, "  {}:{line}:{column}", self.name);
        let start = (problem.span.start as usize).min(self.text.len());
        let text = self.text.as_bytes();
        let from = text[..start].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
        let to = text[start..].iter().position(|&b| b == b'\n').map_or(text.len(), |i| start + i);
        let whole = String::from_utf8_lossy(&text[from..to]);
        let whole: Vec<char> = whole.trim_end_matches('\r').chars().collect();
        let end = (problem.span.end as usize).clamp(start, to);
        let marked = String::from_utf8_lossy(&text[start..end]).chars().count().max(1);
        // A very long line is shown around the marked place only.
        let first = if column > WIDTH { column - 1 - WIDTH / 2 } else { 0 };
        let part = |from: usize, many: usize| {
            let part: String = whole.iter().skip(from).take(many).map(|&c| if c == '\t' { ' ' } else { c }).collect();
            visible(&part).into_owned()
        };
        // What is written out is longer than it was, before the mark and under it.
        let wide = |from: usize, many: usize| {
            let there = whole.len().saturating_sub(from).min(many);
            part(from, there).chars().count() + many - there
        };
        let shown = part(first, WIDTH);
        let lead = if first > 0 { "…" } else { "" };
        let tail = if first + WIDTH < whole.len() { "…" } else { "" };
        let number = line.to_string();
        let gutter = number.len().max(4);
        let _ = writeln!(out, " {number:>gutter$} │ {lead}{shown}{tail}");
        let pad = " ".repeat(wide(first, column - 1 - first) + lead.chars().count());
        let marks = "^".repeat(wide(column - 1, marked.min(WIDTH.saturating_sub(column - 1 - first).max(1))));
        let _ = writeln!(out, " {:>gutter$} │ {pad}{marks} {}", "", problem.label);
        if let Some(help) = &problem.help {
            let _ = writeln!(out, "  help: {help}");
        }
        let lines: Vec<&str> = out.lines().map(str::trim_end).collect();
        visible(&(lines.join("\n") + "\n")).into_owned()
    }
}

/// The candidate nearest to `name`, if near enough to be what was meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    nearest_within(name, candidates, limit)
}

/// The candidate nearest to `name`, if no more edits than the limit lead to it.
pub fn nearest_within<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, limit: usize) -> Option<&'a str> {
    candidates
        .into_iter()
        .filter(|c| *c != name)
        .map(|c| (edit_distance(name, c), c))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, c)| c)
}

/// Edits to get from one word to the other, a swap of neighbours counted as one.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().take(64).collect();
    let b: Vec<char> = b.to_lowercase().chars().take(64).collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (j, cell) in rows[0].iter_mut().enumerate() {
        *cell = j;
    }
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_shown_with_its_line_and_mark() {
        let text = "agents alice\n  check K[alise] p\n";
        let source = Source { name: "m.ken", text };
        let at = text.find("alise").unwrap();
        let problem = Diagnostic::new(Code::UnknownAgent, Span::new(at, at + 5), "unknown agent `alise`")
            .label("not declared in `agents`")
            .help("did you mean `alice`?");
        assert_eq!(
            source.render(&problem),
            "error[E07]: unknown agent `alise`\n  m.ken:2:11\n    2 │   check K[alise] p\n      │           ^^^^^ \
             not declared in `agents`\n  help: did you mean `alice`?\n"
        );
    }

    #[test]
    fn what_a_terminal_would_not_show_is_written_out_with_the_mark_under_it() {
        let text = "re\u{202e}d\u{1b}[31m x\r\n";
        let at = text.find('\u{1b}').unwrap();
        let problem = Diagnostic::new(Code::Character, Span::new(at, at + 1), "found `\u{1b}`");
        assert_eq!(
            Source { name: "a\u{7}", text }.render(&problem),
            "error[E01]: found `\\u{1b}`\n  a\\u{7}:1:5\n    1 │ re\\u{202e}d\\u{1b}[31m x\n      │            ^^^^^^\n"
        );
    }

    #[test]
    fn the_nearest_name_allows_a_swap_and_refuses_a_stranger() {
        assert_eq!(nearest("alcie", ["alice", "bob"]), Some("alice"));
        assert_eq!(nearest("x", ["alice", "bob"]), None);
    }

    #[test]
    fn codes_are_numbered_in_order() {
        for (i, code) in Code::ALL.iter().enumerate() {
            assert_eq!(code.id(), format!("E{:02}", i + 1));
        }
    }
}
