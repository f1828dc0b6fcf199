//! How `and` and `or` group: `and` binds closer, and a comma parts what is on its sides. `red or even, and prime` is
//! `(red or even) and prime`. Where the commas do not tell, the sentence is refused.

use ken_logic::syntax::Diagnostic;

use super::Test;
use super::lexer::Kind;
use super::parser::{Parsed, Parser, one_or};

/// How a condition is joined to the one before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Join {
    /// By `or`, else by `and` or `but`.
    pub(super) or: bool,
    /// After a comma.
    pub(super) comma: bool,
    /// By `but`.
    pub(super) but: bool,
}

/// A condition, how it is joined to the one before it, and its tokens (the last one left out).
#[derive(Clone, Debug)]
pub(super) struct Joined {
    pub(super) join: Join,
    pub(super) test: Test,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// What `or` joins; within it `and` binds closer.
pub(super) fn by_precedence(parts: Vec<Joined>) -> Vec<Test> {
    let mut choices: Vec<Vec<Test>> = Vec::new();
    for part in parts {
        match choices.last_mut() {
            Some(last) if !part.join.or => last.push(part.test),
            _ => choices.push(vec![part.test]),
        }
    }
    choices.into_iter().map(|choice| one_or(choice, Test::And)).collect()
}

impl Parser<'_> {
    /// The conditions as they belong together.
    pub(super) fn grouped(&mut self, parts: Vec<Joined>) -> Parsed<Test> {
        if let Some(at) = (1..parts.len()).find(|&at| parts[at].join.comma && self.branch && self.reader.grouping()) {
            return Err(self.of_the_branch(&parts, at));
        }
        let joins = || parts.iter().skip(1).map(|part| part.join);
        let mixed = joins().any(|join| join.or) && joins().any(|join| !join.or);
        if !self.reader.grouping() || !mixed {
            return Ok(one_or(by_precedence(parts), Test::Or));
        }
        let (commas, any_but) = (|or: bool| joins().any(|join| join.comma && join.or == or), joins().any(|j| j.but));
        if commas(true) && commas(false) {
            let at = (1..parts.len()).filter(|&at| parts[at].join.comma).collect::<Vec<_>>();
            return Err(self.which_belong(&parts, at[0], at[1]));
        }
        if !commas(false) {
            // `red or even but higher`: is that said of both?
            let but = (1..parts.len()).find(|&at| parts[at].join.but && parts[..at].iter().skip(1).any(|p| p.join.or));
            let or = but.and_then(|but| (1..but).rev().find(|&at| parts[at].join.or));
            return match or.zip(but).filter(|_| any_but && !commas(true)) {
                Some((or, but)) => Err(self.which_belong(&parts, or, but)),
                None => Ok(one_or(by_precedence(parts), Test::Or)),
            };
        }
        let mut clauses: Vec<Vec<Joined>> = Vec::new();
        for part in parts {
            match clauses.last_mut() {
                Some(last) if !part.join.comma => last.push(part),
                _ => clauses.push(vec![Joined { join: Join::default(), ..part }]),
            }
        }
        let clauses = clauses.into_iter().map(|clause| one_or(by_precedence(clause), Test::Or));
        Ok(Test::And(clauses.collect()))
    }

    /// Refuses `if previous is red then even, and prime`: is the last a part of the choice? It is the part at `last`.
    fn of_the_branch(&mut self, parts: &[Joined], last: usize) -> Diagnostic {
        let (from, to) = (parts[0].from, parts[parts.len() - 1].to);
        let begins = |at: &usize| {
            let free = *at == 0 || matches!(self.tokens[at - 1].kind, Kind::Sign(_));
            free && matches!(&self.tokens[*at].kind, Kind::Word(word) if ["if", "when", "after"].contains(&word.as_str()))
        };
        let start = (0..from).rev().find(begins).unwrap_or_default();
        let word = if parts[last].join.or { "or" } else { "and" };
        let comma = parts[last - 1].to;
        let closed = |text: &str, parts: &[Joined]| {
            if parts.len() > 1 { format!("({text})") } else { text.to_string() }
        };
        let said = closed(self.words_of(from, comma), &parts[..last]);
        let more = closed(self.words_of(parts[last].from, to), &parts[last..]);
        let inside = self.rewritten(from, to - 1, &format!("({said} {word} {more})"));
        let outside = self.rewritten(start, to - 1, &format!("({}) {word} {more}", self.words_of(start, comma)));
        let span = self.tokens[start].span.to(self.tokens[to - 1].span);
        let help = format!("say `{inside}`, or `{outside}`");
        self.unclear(span, "is what stands after the comma a part of the choice?", &help)
    }

    /// Refuses `red, or even, and prime`: the joins are those before the parts at `first` and `second`.
    fn which_belong(&mut self, parts: &[Joined], first: usize, second: usize) -> Diagnostic {
        let text = |from: usize, to: usize| self.words_of(parts[from].from, parts[to - 1].to).to_string();
        let word = |at: usize| if parts[at].join.or { "or" } else { "and" };
        let end = parts.len();
        let (a, b, c) = (text(0, first), text(first, second), text(second, end));
        let (one, two) = (word(first), word(second));
        let (from, to) = (parts[0].from, parts[end - 1].to - 1);
        let ways = [format!("({a} {one} {b}) {two} {c}"), format!("{a} {one} ({b} {two} {c})")];
        let [left, right] = ways.map(|way| self.rewritten(from, to, &way));
        let span = self.tokens[from].span.to(self.tokens[to].span);
        self.unclear(span, "which of these belong together?", &format!("say `{left}`, or `{right}`"))
    }
}
