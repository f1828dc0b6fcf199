//! Rule text to rules: items, and how conditions are joined. Phrases are in [`super::predicate`] (what is said of
//! a card or a number), [`super::number`] and [`super::place`] (which card, which stretch of the line).

use ken_logic::syntax::{Code, Diagnostic, MAX_PROBLEMS, Span, nearest};

use super::lexer::{Kind, Token, tokens};
use super::{CardRef, Num, Rule, Test, eval, vocabulary};
use crate::cards::CardSet;
use crate::eleusis::deck::Deck;
use crate::eleusis::library;

/// How deep conditions and numbers may nest in a text.
const MAX_DEPTH: usize = 100;
/// How deep the parts of a rule may nest, names put in.
const MAX_NESTING: usize = 400;
/// How many parts a rule may have, names put in.
const MAX_SIZE: usize = 20_000;
/// How many tokens may be looked at, again and again: what one sentence can mean is tried in turn.
const MAX_STEPS: usize = 400_000;
/// The longest text.
const MAX_TEXT: usize = 1 << 16;

pub(super) type Parsed<T> = Result<T, Diagnostic>;

/// What a sentence speaks about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Subject {
    Card(CardRef),
    Number(Num),
}

/// The subject of the sentence before, for "is a spade **or a heart**".
#[derive(Clone)]
pub(super) struct Carry {
    pub(super) subject: Subject,
    /// Said in words (`is`), not with a sign: then properties follow it too, not only constants.
    pub(super) words: bool,
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Value {
    Test(Test),
    Number(Num),
    /// A card that a search looks at, so many searches deep.
    Card(usize),
}

pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) deck: &'a Deck,
    tokens: Vec<Token>,
    pub(super) at: usize,
    /// The card that a sentence without a subject is about.
    pub(super) subject: CardRef,
    pub(super) carry: Option<Carry>,
    /// Whether the sentence just read compares its subject with another card.
    pub(super) relational: bool,
    /// How many searches of the line we are in.
    pub(super) searching: usize,
    pub(super) names: Vec<(String, Value)>,
    /// The names that are defined anywhere in the text.
    declared: Vec<String>,
    depth: usize,
    steps: usize,
    size: usize,
    /// The problem that came up farthest to the right.
    furthest: Option<(usize, Diagnostic)>,
    /// The rules of the library that are being read.
    reading: Vec<&'static str>,
}

impl Rule {
    /// The rule that a text says; or everything that is wrong with the text.
    pub fn parse(text: &str, deck: &Deck) -> Result<Rule, Vec<Diagnostic>> {
        read(text, deck, Vec::new())
    }
}

fn read(text: &str, deck: &Deck, reading: Vec<&'static str>) -> Result<Rule, Vec<Diagnostic>> {
    if text.len() > MAX_TEXT {
        let problem = Diagnostic::new(Code::Large, Span::new(0, 1), "the text is too long for a rule");
        return Err(vec![problem.label(format!("more than {MAX_TEXT} bytes"))]);
    }
    let mut problems = Vec::new();
    let tokens = tokens(text, &mut problems);
    let mut parser = Parser {
        text,
        deck,
        tokens,
        at: 0,
        subject: CardRef::Next,
        carry: None,
        relational: false,
        searching: 0,
        names: Vec::new(),
        declared: Vec::new(),
        depth: 0,
        steps: 0,
        size: 0,
        furthest: None,
        reading,
    };
    parser.declare(&mut problems);
    parser.unknown_words(&mut problems);
    if problems.is_empty() {
        let rule = parser.rule(&mut problems);
        if let Some(rule) = rule.filter(|_| problems.is_empty()) {
            return Ok(rule);
        }
    }
    problems.sort_by_key(|problem| problem.span.start);
    problems.truncate(MAX_PROBLEMS);
    Err(problems)
}

/// Looking at tokens.
impl<'a> Parser<'a> {
    pub(super) fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span from a token to the last one read.
    pub(super) fn span_from(&self, start: usize) -> Span {
        self.tokens[start].span.to(self.tokens[self.at.saturating_sub(1).max(start)].span)
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.tokens[self.at].kind
    }

    fn kind_after(&self, places: usize) -> &Kind {
        &self.tokens[(self.at + places).min(self.tokens.len() - 1)].kind
    }

    pub(super) fn word(&self) -> Option<&str> {
        self.word_after(0)
    }

    pub(super) fn word_after(&self, places: usize) -> Option<&str> {
        match self.kind_after(places) {
            Kind::Word(word) => Some(word),
            Kind::Number(_) | Kind::Sign(_) | Kind::End => None,
        }
    }

    /// The token as it was written.
    pub(super) fn source(&self) -> &'a str {
        let span = self.span();
        &self.text[span.start as usize..span.end as usize]
    }

    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Whether the next tokens are these words and signs.
    pub(super) fn sees(&self, phrase: &str) -> bool {
        phrase.split(' ').enumerate().all(|(i, part)| match self.kind_after(i) {
            Kind::Word(word) => word == part,
            Kind::Sign(sign) => *sign == part,
            Kind::Number(_) | Kind::End => false,
        })
    }

    /// Reads these words and signs if they are next.
    pub(super) fn eat(&mut self, phrase: &str) -> bool {
        let seen = self.sees(phrase);
        if seen {
            self.at += phrase.split(' ').count();
        }
        seen
    }

    /// Reads one of these phrases if it is next.
    pub(super) fn eat_any(&mut self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.eat(phrase))
    }

    pub(super) fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    /// Reads `a`, `an`, `the`: an upper-case A is an ace, and so is a lone `a` at the end or before a sign.
    pub(super) fn article(&mut self) {
        let ace =
            self.sees("a") && (self.source() == "A" || !matches!(self.kind_after(1), Kind::Word(_) | Kind::Number(_)));
        if !ace {
            let _ = self.eat_any(&["a", "an", "the"]);
        }
    }

    fn found(&self) -> String {
        match self.kind() {
            Kind::End => "the end of the text".to_string(),
            Kind::Word(_) | Kind::Number(_) | Kind::Sign(_) => format!("`{}`", self.source()),
        }
    }

    pub(super) fn expected(&mut self, what: &str) -> Diagnostic {
        let message = format!("{what} expected, found {}", self.found());
        self.problem(Code::Syntax, self.span(), message)
    }

    /// A problem; the one farthest to the right is what the reader is told in the end.
    pub(super) fn problem(&mut self, code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        self.report(Diagnostic::new(code, span, message))
    }

    pub(super) fn report(&mut self, problem: Diagnostic) -> Diagnostic {
        // What is wrong in meaning counts more than what else might have stood there.
        let weight = |d: &Diagnostic| (d.span.start, d.code != Code::Syntax);
        if self.furthest.as_ref().is_none_or(|(_, old)| weight(old) < weight(&problem)) {
            self.furthest = Some((self.at, problem.clone()));
        }
        problem
    }

    /// Tries one reading; goes back if it fails.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Option<T>>) -> Parsed<Option<T>> {
        let (at, carry, relational) = (self.at, self.carry.clone(), self.relational);
        self.steps += 1;
        let result = read(self);
        if let Ok(Some(value)) = result {
            return Ok(Some(value));
        }
        self.steps += self.at.saturating_sub(at);
        if self.steps > MAX_STEPS {
            return Err(self.hopeless(at));
        }
        (self.at, self.carry, self.relational) = (at, carry, relational);
        match result {
            Err(problem) if matches!(problem.code, Code::Depth | Code::Large) => Err(problem),
            _ => Ok(None),
        }
    }

    fn hopeless(&mut self, at: usize) -> Diagnostic {
        let problem = Diagnostic::new(Code::Large, self.tokens[at].span, "this text takes too long to understand");
        self.report(problem.help("write it in shorter sentences, or name its parts with `let`"))
    }

    /// Reads something one level deeper.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.steps += 1;
        if self.depth >= MAX_DEPTH {
            let problem = Diagnostic::new(Code::Depth, self.span(), "nested too deep");
            return Err(self.report(problem.label(format!("the limit is {MAX_DEPTH} levels"))));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Refuses a chain of operators longer than the limit: each one nests.
    pub(super) fn link(&mut self, links: &mut usize) -> Parsed<()> {
        *links += 1;
        if *links <= MAX_DEPTH {
            return Ok(());
        }
        let problem = Diagnostic::new(Code::Depth, self.span(), "too many parts in a row");
        Err(self.report(problem.label(format!("the limit is {MAX_DEPTH}"))))
    }

    /// Reads something about a card of the line.
    pub(super) fn search<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let (subject, carry) = (std::mem::replace(&mut self.subject, CardRef::This), self.carry.take());
        self.searching += 1;
        let result = self.deeper(read);
        self.searching -= 1;
        (self.subject, self.carry) = (subject, carry);
        result
    }

    /// Counts the parts of a named value that is put in.
    pub(super) fn spend(&mut self, size: usize) -> Parsed<()> {
        self.size += size;
        if self.size <= MAX_SIZE {
            return Ok(());
        }
        let problem = Diagnostic::new(Code::Large, self.span(), "the rule is too large with its names put in");
        Err(self.report(problem.label(format!("more than {MAX_SIZE} parts"))))
    }
}

/// Names and words.
impl Parser<'_> {
    /// Notes which names the text defines.
    fn declare(&mut self, problems: &mut Vec<Diagnostic>) {
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
    fn unknown_words(&mut self, problems: &mut Vec<Diagnostic>) {
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
            let mut words: Vec<&str> = vocabulary::all(self.deck).collect();
            words.extend(self.declared.iter().map(String::as_str));
            words.extend(library::rules().iter().map(|rule| rule.id));
            let near = nearest(word, words);
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
        let mut end = self.at;
        while self.tokens.get(end + 1).is_some_and(|t| {
            t.span.start == self.tokens[end].span.end
                && matches!(t.kind, Kind::Word(_) | Kind::Number(_) | Kind::Sign("-"))
        }) {
            end += 1;
        }
        let text = &self.text[self.span().start as usize..self.tokens[end].span.end as usize];
        self.word()?;
        let entry = library::find(&text.to_lowercase()).filter(|_| end > self.at || self.word() != Some(""))?;
        Some((entry, end + 1))
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
        match read(entry.text, self.deck, reading) {
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

/// Items and joined conditions.
impl Parser<'_> {
    /// The whole text; `None` after a problem in its last part.
    fn rule(&mut self, problems: &mut Vec<Diagnostic>) -> Option<Rule> {
        let mut start = self.deck.all();
        loop {
            self.furthest = None;
            let item = if self.sees("let") {
                self.definition()
            } else if self.sees("start :") {
                self.start().map(|cards| start = cards)
            } else {
                break;
            };
            if let Err(problem) = item {
                problems.push(self.furthest.take().map_or(problem, |(_, furthest)| furthest));
                // What follows may use the name; go on only to look for mistakes in other definitions.
                while !matches!(self.kind(), Kind::Sign(";") | Kind::End) {
                    self.advance();
                }
                let _ = self.eat(";");
                if !self.sees("let") && !self.sees("start :") {
                    return None;
                }
            }
        }
        match self.body() {
            Ok(body) => Some(Rule { deck: self.deck.clone(), start, body }),
            Err(problem) => {
                problems.push(self.furthest.take().map_or(problem, |(_, furthest)| furthest));
                None
            }
        }
    }

    fn body(&mut self) -> Parsed<Test> {
        let body = self.test()?;
        let _ = self.eat_any(&[";", "."]);
        if *self.kind() != Kind::End {
            return Err(self.expected("the end of the rule, or `and`, `or`,"));
        }
        self.check(&body)?;
        Ok(body)
    }

    /// Refuses what is too large or too deep to be worked with.
    fn check(&mut self, test: &Test) -> Parsed<()> {
        let (size, depth) = test.weight();
        self.spend(size)?;
        if depth <= MAX_NESTING {
            return Ok(());
        }
        let problem = Diagnostic::new(Code::Depth, self.span(), "nested too deep, with its names put in");
        Err(self.report(problem.label(format!("the limit is {MAX_NESTING} levels"))))
    }

    /// `let NAME = condition or number;`
    fn definition(&mut self) -> Parsed<()> {
        self.advance();
        let name = self.word().map(str::to_string);
        let Some(name) = name else { return Err(self.expected("a name")) };
        self.advance();
        self.expect("=")?;
        let number = self.attempt(|p| {
            let number = p.number()?;
            Ok(p.sees(";").then_some(number))
        })?;
        let value = match number {
            Some(number) => {
                let test = Test::Compare(number.clone(), super::Cmp::Eq, Num::Const(0));
                self.check(&test)?;
                Value::Number(number)
            }
            None => {
                let test = self.test()?;
                self.check(&test)?;
                Value::Test(test)
            }
        };
        self.names.push((name, value));
        self.expect(";")
    }

    /// `start: condition;`
    fn start(&mut self) -> Parsed<CardSet> {
        self.at += 2;
        let start = self.at;
        let test = self.test()?;
        let span = self.span_from(start);
        self.check(&test)?;
        self.expect(";")?;
        let mut cards = CardSet::EMPTY;
        for card in self.deck.all().iter() {
            match eval::test(&test, &eval::Scene::new(self.deck, &[], card)) {
                Some(true) => cards = cards.with(card),
                Some(false) => {}
                None => {
                    let message = "the start can only speak about the first card itself";
                    return Err(self.problem(Code::Type, span, message));
                }
            }
        }
        if cards.is_empty() {
            return Err(self.problem(Code::Number, span, "no card may start the line"));
        }
        Ok(cards)
    }

    /// A whole condition.
    pub(super) fn test(&mut self) -> Parsed<Test> {
        self.deeper(|p| {
            p.carry = None;
            let test = p.implication();
            p.carry = None;
            test
        })
    }

    fn implication(&mut self) -> Parsed<Test> {
        let mut test = self.disjunction()?;
        let mut links = 0;
        loop {
            if self.eat("implies") {
                let then = self.test()?;
                return Ok(implies(test, then));
            }
            self.carry = None;
            test = if self.eat_any(&["iff", "if and only if", "exactly when"]) {
                Test::Iff(Box::new(test), Box::new(self.disjunction()?))
            } else if self.eat("xor") {
                differ(test, self.disjunction()?)
            } else if self.eat("unless") {
                Test::Or(vec![test, self.disjunction()?])
            } else if self.eat_any(&["if", "when", ", if", ", when"]) {
                let condition = self.disjunction()?;
                let other = self.otherwise()?;
                Test::If(Box::new(condition), Box::new(test), Box::new(other))
            } else {
                return Ok(test);
            };
            self.link(&mut links)?;
        }
    }

    /// `else …`, or nothing: then everything is accepted.
    fn otherwise(&mut self) -> Parsed<Test> {
        if self.eat_any(&["else", "otherwise", ", else", ", otherwise", "; else", "; otherwise"]) {
            let _ = self.eat_any(&[",", "play"]);
            return self.test();
        }
        Ok(Test::Const(true))
    }

    fn disjunction(&mut self) -> Parsed<Test> {
        let either = self.eat("either");
        let mut parts = vec![self.conjunction()?];
        while self.eat_any(&["or", ", or"]) {
            let _ = self.eat("either");
            parts.push(self.conjunction()?);
        }
        let both = self.at;
        if self.eat_any(&["but not both", ", but not both"]) {
            if let [a, b] = &parts[..] {
                return Ok(differ(a.clone(), b.clone()));
            }
            self.at = both;
            return Err(self.expected("two conditions before `but not both`;"));
        }
        if either && parts.len() < 2 {
            return Err(self.expected("`or` after `either`"));
        }
        Ok(one_or(parts, Test::Or))
    }

    fn conjunction(&mut self) -> Parsed<Test> {
        let mut parts = vec![self.condition()?];
        loop {
            let both = self.sees("but not both") || self.sees(", but not both");
            if both || !self.eat_any(&["and", "but", ", and", ", but"]) {
                return Ok(one_or(parts, Test::And));
            }
            parts.push(self.condition()?);
        }
    }

    /// One condition, with `=` and `!=` between conditions.
    fn condition(&mut self) -> Parsed<Test> {
        let mut test = self.simple()?;
        let mut links = 0;
        loop {
            let equal = if self.eat("=") {
                true
            } else if self.eat("!=") {
                false
            } else {
                return Ok(test);
            };
            self.link(&mut links)?;
            let other = self.simple()?;
            test = if equal { Test::Iff(Box::new(test), Box::new(other)) } else { differ(test, other) };
        }
    }

    pub(super) fn simple(&mut self) -> Parsed<Test> {
        self.deeper(|p| {
            if p.eat("not") {
                return Ok(Test::Not(Box::new(p.simple()?)));
            }
            if p.eat_any(&["if", "when"]) {
                return p.if_then();
            }
            if p.sees("after") {
                return p.after();
            }
            if p.eat("case") {
                return p.case(None);
            }
            if let Some(test) = p.attempt(|p| p.statement().map(Some))? {
                return Ok(test);
            }
            if p.eat("(") {
                let test = p.test()?;
                p.expect(")")?;
                return Ok(test);
            }
            Err(p.expected("a condition"))
        })
    }

    fn if_then(&mut self) -> Parsed<Test> {
        let condition = self.test()?;
        if !self.eat_any(&[", then", "then"]) && !self.eat_any(&[",", ":"]) {
            return Err(self.expected("`then`"));
        }
        let _ = self.eat_any(&["play", ": play", ":"]);
        let yes = self.test()?;
        let no = self.otherwise()?;
        Ok(Test::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// `after an ace play red, after a king black, otherwise even`.
    fn after(&mut self) -> Parsed<Test> {
        self.advance();
        let before = Subject::Card(CardRef::Back(1));
        let condition = self.predicate(&before)?;
        let _ = self.eat_any(&[", play", ": play", "play", ",", ":"]);
        let yes = self.test()?;
        let more = self.sees(", after") || self.sees("; after");
        let no = if more || self.sees("after") {
            if more {
                self.advance();
            }
            self.deeper(Self::after)?
        } else {
            self.otherwise()?
        };
        Ok(Test::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// `case NUMBER of 1: …; 2: …; else: …`. With a subject the arms say what it equals.
    pub(super) fn case(&mut self, equals: Option<&Subject>) -> Parsed<Test> {
        let subject = self.operand()?;
        self.expect("of")?;
        let mut arms = Vec::new();
        let mut other = Test::Const(true);
        loop {
            let _ = self.eat_any(&[";", ","]);
            if self.eat_any(&["else :", "otherwise :", "else", "otherwise"]) {
                other = self.arm(equals)?;
                break;
            }
            let arm = self.attempt(|p| {
                let test = p.predicate(&subject)?;
                Ok(p.eat(":").then_some(test))
            })?;
            let Some(condition) = arm else { break };
            arms.push((condition, self.arm(equals)?));
            let mut links = arms.len();
            self.link(&mut links)?;
        }
        if arms.is_empty() {
            return Err(self.expected("a case such as `1:`"));
        }
        let _ = self.eat("end");
        let chain = arms.into_iter().rev();
        Ok(chain.fold(other, |no, (condition, yes)| Test::If(Box::new(condition), Box::new(yes), Box::new(no))))
    }

    fn arm(&mut self, equals: Option<&Subject>) -> Parsed<Test> {
        match equals {
            None => self.test(),
            // One value only: the next number is the next case, as in `1: S 2: H`.
            Some(subject) => match self.named_value(subject)? {
                Some(test) => Ok(test),
                None => self.predicate(subject),
            },
        }
    }
}

pub(super) fn implies(a: Test, b: Test) -> Test {
    Test::If(Box::new(a), Box::new(b), Box::new(Test::Const(true)))
}

/// Exactly one of them.
pub(super) fn differ(a: Test, b: Test) -> Test {
    Test::Not(Box::new(Test::Iff(Box::new(a), Box::new(b))))
}

pub(super) fn one_or(mut parts: Vec<Test>, join: fn(Vec<Test>) -> Test) -> Test {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}
