//! A text with the document in it, and problems with their places.

use super::{LogicKind, MAX_FORMULA, MAX_FORMULAS, MAX_TEXT};
use crate::api::{Problem, Squiggle};
use ken_logic::check::Limit;
use ken_logic::formula::F;
use ken_logic::model::law::Facts;
use ken_logic::syntax::{Code, Span, Within};
pub(crate) use ken_logic::text::amount;
use ken_logic::{At, CheckError, Document, Format, Query};

/// A text that was read.
pub(crate) struct Source {
    pub(crate) document: Document,
}

impl Source {
    /// Reads a text in the language that is given or can be seen.
    pub(crate) fn read(text: &str, kind: LogicKind) -> Result<Source, Problem> {
        if text.len() > MAX_TEXT {
            let message = format!("the text has {} kB, and at most {} are read here", text.len() >> 10, MAX_TEXT >> 10);
            return Err(Problem::new("too-large", message).help("`ken check` on your own machine takes larger files"));
        }
        let format = match kind {
            LogicKind::Auto => Format::of("", text),
            LogicKind::Ken => Format::Ken,
            LogicKind::Json => Format::Json,
            LogicKind::Ispl => Format::Ispl,
            LogicKind::Smcdel => Format::Smcdel,
        };
        let document = Document::read(text, format).map_err(|problems| Problem::text(text, &problems))?;
        Ok(Source { document })
    }

    /// The language of the text.
    pub(crate) fn kind(&self) -> LogicKind {
        match self.document.format() {
            Format::Ken => LogicKind::Ken,
            Format::Json => LogicKind::Json,
            Format::Ispl => LogicKind::Ispl,
            Format::Smcdel => LogicKind::Smcdel,
        }
    }

    /// Reads a further formula with the names of the text.
    pub(crate) fn formula(&self, text: &str) -> Result<F, Problem> {
        self.query(text).map(|query| query.formula)
    }

    /// Reads a further question with the names of the text.
    pub(crate) fn query(&self, text: &str) -> Result<Query, Problem> {
        if text.len() > MAX_FORMULA {
            let message = format!("a formula has at most {} kB here", MAX_FORMULA >> 10);
            return Err(Problem::new("too-large", message));
        }
        self.document.query(text).map_err(|problems| Problem::text(text, &problems))
    }

    /// The place that a text means.
    pub(crate) fn at(&self, text: &str) -> Result<At, Problem> {
        self.document.point(text).map_err(|problems| Problem::text(text, &problems))
    }

    /// A place of the text in UTF-16 units.
    pub(crate) fn place(&self, span: Span) -> (usize, usize) {
        let text = self.document.text();
        (utf16(text, span.start), utf16(text, span.end))
    }

    /// An error of a check, with its place in the text if it has one there.
    pub(crate) fn problem(&self, error: &CheckError) -> Problem {
        let found = self.document.diagnose(error, None);
        let code = match found.code {
            Code::Limit => "gave-up",
            Code::NoWorld | Code::Point => "no-world",
            Code::System => "needs-memory",
            Code::Step => "step",
            Code::World => "no-such-world",
            Code::Temporal => "not-here",
            _ => "refused",
        };
        let mut problem = Problem::new(code, found.message);
        problem.help = found.limit.map(around).map(str::to_string).or(found.help);
        if found.within == Within::Text {
            let (from, to) = self.place(found.span);
            let (severity, message) = ("error".to_string(), problem.message.clone());
            problem.marks.push(Squiggle { from, to, severity, message, help: problem.help.clone() });
        }
        problem
    }
}

/// What to try where a limit of the workbench was reached.
fn around(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps(_) => "what the agents know may keep changing for ever; `ken check --bound` goes on",
        _ => "choose smaller parameters; `ken check` on your own machine goes further",
    }
}

/// At most so many formulas or announcements.
pub(crate) fn few(formulas: &[String]) -> Result<(), Problem> {
    if formulas.len() <= MAX_FORMULAS {
        return Ok(());
    }
    Err(Problem::new("too-large", format!("at most {MAX_FORMULAS} formulas are taken at once")))
}

/// The facts of a world, one by one: `p`, `x = 3`.
pub(crate) fn fact_list(facts: &Facts) -> Vec<String> {
    let props = facts.props.iter().map(|p| p.to_string());
    props.chain(facts.vars.iter().map(|(x, v)| format!("{x} = {v}"))).collect()
}

/// A place in UTF-16 units, as editors count.
pub(crate) fn utf16(text: &str, byte: u32) -> usize {
    let mut byte = (byte as usize).min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    text[..byte].encode_utf16().count()
}
