//! Words and names in a rule text: which are known, and what they stand for.

use ken_logic::syntax::{Code, Diagnostic, nearest, nearest_within};

use super::lexer::Kind;
use super::parser::{Parsed, Parser, Value, read};
use super::{Test, vocabulary};
use crate::eleusis::library;

/// Whether one word may be a slip for the other. Few mistake the first letter; and in a short word another letter is
/// another word, but one may be missing, double or in the wrong place.
fn slip(word: &str, near: &str) -> bool {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let moved = word.len() != near.len() || letters(word) == letters(near);
    near.chars().next() == word.chars().next() && (word.len() > 4 || moved)
}

/// Names and words.
impl Parser<'_> {
    /// Notes which names the text defines.
    pub(super) fn declare(&mut self, problems: &mut Vec<Diagnostic>) {
        for i in 0..self.tokens.len().saturating_sub(1) {
            let is = |word: &str| matches!(&self.tokens[i].kind, Kind::Word(w) if w == word);
            let Kind::Word(name) = &self.tokens[i + 1].kind else { continue };
            let (name, span) = (name.clone(), self.tokens[i + 1].span);
            let binds =
                is("exists") || (["every", "all", "each", "some", "no"].iter().any(|w| is(w)) && self.opens(i + 2));
            if !is("let") && !binds {
                continue;
            }
            // `high` stands only in phrases, never alone.
            if (vocabulary::known(self.deck, &name) && name != "high") || library::find(&name).is_some() {
                if is("let") {
                    let problem = Diagnostic::new(Code::Reserved, span, format!("`{name}` already means something"));
                    problems.push(problem.help("choose another name"));
                }
            } else if is("let") && self.declared.contains(&name) {
                problems.push(Diagnostic::new(Code::Duplicate, span, format!("`{name}` is defined twice")));
            } else {
                self.declared.push(name);
            }
        }
    }

    /// Whether `in` follows, as in `every x in line: …`.
    fn opens(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.kind == Kind::Word("in".to_string()))
    }

    /// Reports every word that is not of the language.
    pub(super) fn unknown_words(&mut self, problems: &mut Vec<Diagnostic>) {
        let mut at = 0;
        while at < self.tokens.len() {
            self.at = at;
            at += 1;
            if let Some((_, end)) = self.library_name() {
                at = end;
                continue;
            }
            let Some(word) = self.word() else { continue };
            let fine = vocabulary::known(self.deck, word)
                || self.declared.iter().any(|name| name == word)
                || self.rank_letter().is_some()
                || self.suit_letter().is_some()
                || self.deck.read(word).is_some();
            if fine {
                continue;
            }
            let close = |near: &&str| near.len().min(word.len()) > 3 && slip(word, near);
            let whole = self.compound();
            let near = if whole.contains('-') {
                nearest(whole, library::rules().iter().map(|rule| rule.id))
            } else {
                let mut words: Vec<&str> = vocabulary::all(self.deck).collect();
                words.extend(self.declared.iter().map(String::as_str));
                words.retain(close);
                nearest_within(word, words, if word.len() < 7 { 1 } else { 2 })
            };
            let problem = Diagnostic::new(Code::UnknownName, self.span(), format!("unknown word `{}`", self.source()))
                .label("not a word of the rule language");
            problems.push(match near {
                Some(near) => problem.help(format!("did you mean `{near}`?")),
                None => problem,
            });
        }
        self.at = 0;
    }

    /// The rule of the library that is named here, `gar-3b`, and the token after it.
    fn library_name(&self) -> Option<(&'static library::Entry, usize)> {
        self.word()?;
        let text = self.compound();
        let entry = library::find(&text.to_lowercase())?;
        let stop = self.span().start as usize + text.len();
        let tokens = self.tokens[self.at..].iter().take_while(|t| (t.span.start as usize) < stop);
        Some((entry, self.at + tokens.filter(|t| t.kind != Kind::End).count()))
    }

    /// The words, numbers and hyphens that are written in one here.
    fn compound(&self) -> &str {
        let mut end = self.at;
        while self.tokens.get(end + 1).is_some_and(|t| {
            t.span.start == self.tokens[end].span.end
                && matches!(t.kind, Kind::Word(_) | Kind::Number(_) | Kind::Sign("-"))
        }) {
            end += 1;
        }
        &self.text[self.span().start as usize..self.tokens[end].span.end as usize]
    }

    /// `rule gar-1`, or just `gar-1`: the rule of the library.
    pub(super) fn library_rule(&mut self) -> Parsed<Option<Test>> {
        let named = self.sees("rule");
        if named {
            self.advance();
        }
        let Some((entry, end)) = self.library_name() else {
            if !named {
                return Ok(None);
            }
            let near = self.word().and_then(|w| nearest(w, library::rules().iter().map(|r| r.id)));
            let problem = Diagnostic::new(Code::UnknownName, self.span(), "no rule of the library has this name")
                .help(near.map_or("see `ken list rules`".to_string(), |near| format!("did you mean `{near}`?")));
            return Err(self.report(problem));
        };
        let start = self.at;
        self.at = end;
        if self.reading.contains(&entry.id) {
            let span = self.span_from(start);
            return Err(self.problem(Code::Cycle, span, format!("the rule `{}` uses itself", entry.id)));
        }
        let mut reading = self.reading.clone();
        reading.push(entry.id);
        match read(entry.text, self.deck, reading, self.reader) {
            Ok(rule) => {
                self.spend(rule.body.weight().0)?;
                Ok(Some(rule.body))
            }
            Err(problems) => {
                let why = problems.first().map_or(String::new(), |p| format!(": {}", p.message));
                let span = self.span_from(start);
                Err(self.problem(Code::Type, span, format!("the rule `{}` does not fit this deck{why}", entry.id)))
            }
        }
    }

    /// What the name at this place stands for.
    pub(super) fn named(&mut self) -> Parsed<Option<Value>> {
        let Some(word) = self.word() else { return Ok(None) };
        if let Some((_, value)) = self.names.iter().rev().find(|(name, _)| name == word) {
            let value = value.clone();
            match &value {
                Value::Test(test) => self.spend(test.weight().0)?,
                Value::Number(_) | Value::Card(_) => self.spend(1)?,
            }
            self.advance();
            return Ok(Some(value));
        }
        if self.declared.iter().any(|name| name == word) {
            let word = word.to_string();
            let problem =
                Diagnostic::new(Code::Cycle, self.span(), format!("`{word}` is not defined before this place"))
                    .help("a definition may use only the names above it, not itself");
            return Err(self.report(problem));
        }
        Ok(None)
    }
}
