//! Rule text to rules: items, and how conditions are joined. Phrases are in [`super::predicate`] (what is said of
//! a card or a number), [`super::number`] and [`super::place`] (which card, which stretch of the line).

use ken_logic::syntax::{Code, Diagnostic, MAX_PROBLEMS, Span};

use super::choice::Late;
use super::group::{Join, Joined, by_precedence};
use super::lexer::{Kind, Token, tokens};
use super::print::sign;
use super::relation::COMPARISONS;
use super::vocabulary::plurals;
use super::{CardRef, Cmp, Num, Reader, Rule, Test, eval, scope};
use crate::cards::CardSet;
use crate::eleusis::deck::Deck;

/// How deep the parts of a rule may nest, names put in.
const MAX_NESTING: usize = 400;
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
    pub(super) text: &'a str,
    pub(super) deck: &'a Deck,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    /// The card that a sentence without a subject is about.
    pub(super) subject: CardRef,
    pub(super) carry: Option<Carry>,
    /// Whether the sentence just read compares its subject with another card.
    pub(super) relational: bool,
    /// How it says that one rank is higher or lower than another.
    pub(super) graded: Option<Cmp>,
    /// Whether it compares with the card before, without naming it.
    pub(super) implied: bool,
    /// The card that this condition speaks about: a later `it`.
    pub(super) topic: Option<CardRef>,
    /// The latest card of the line that was spoken about: `higher than it`.
    pub(super) mentioned: Option<CardRef>,
    /// Whether we are between `if` and `then`.
    pub(super) premise: bool,
    /// A property there that is not said of any card.
    pub(super) bare: Option<Span>,
    /// Whether we are in a branch of a choice.
    pub(super) branch: bool,
    /// Whether a `;` ends what is read.
    pub(super) item: bool,
    /// The last part of the choice just read, if it stands after `, or`.
    pub(super) late: Option<Late>,
    /// Whether a problem is certain: no other reading is tried then.
    pub(super) firm: bool,
    /// How many searches of the line we are in.
    pub(super) searching: usize,
    pub(super) names: Vec<(String, Value)>,
    /// The names that are defined anywhere in the text.
    pub(super) declared: Vec<String>,
    pub(super) depth: usize,
    pub(super) steps: usize,
    pub(super) size: usize,
    /// The problem that came up farthest to the right.
    pub(super) furthest: Option<(usize, Diagnostic)>,
    /// The rules of the library that are being read.
    pub(super) reading: Vec<&'static str>,
    /// Which readings are allowed.
    pub(super) reader: Reader,
    /// Whether the sentence just read ended with `only`.
    pub(super) only: bool,
    /// Where what is said of a subject begins, and whether with a verb.
    pub(super) said: usize,
    pub(super) verb: bool,
    /// Whether the number just read ends with a `mod` that stands in no parentheses, and where that is.
    pub(super) bare_mod: Option<usize>,
}

pub(super) fn read(
    text: &str,
    deck: &Deck,
    reading: Vec<&'static str>,
    reader: Reader,
) -> Result<Rule, Vec<Diagnostic>> {
    if text.len() > MAX_TEXT {
        let problem = Diagnostic::new(Code::Large, Span::new(0, 1), "the text is too long for a rule");
        return Err(vec![problem.label(format!("more than {MAX_TEXT} bytes"))]);
    }
    let mut problems = Vec::new();
    let mut tokens = tokens(text, &mut problems);
    if reader.strict() {
        problems.extend(plurals(text, &mut tokens, deck));
    }
    let mut parser = Parser {
        text,
        deck,
        tokens,
        at: 0,
        subject: CardRef::Next,
        carry: None,
        relational: false,
        graded: None,
        implied: false,
        topic: None,
        mentioned: None,
        premise: false,
        bare: None,
        branch: false,
        item: false,
        late: None,
        firm: false,
        searching: 0,
        names: Vec::new(),
        declared: Vec::new(),
        depth: 0,
        steps: 0,
        size: 0,
        furthest: None,
        reading,
        reader,
        only: false,
        said: 0,
        verb: false,
        bare_mod: None,
    };
    parser.declare(&mut problems);
    parser.unknown_words(&mut problems);
    if problems.is_empty() && reader.strict() {
        problems.extend(scope::doubt(&parser.tokens, deck, reader).or_else(|| parser.suits_in_doubt()));
    }
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

/// Items and joined conditions.
impl Parser<'_> {
    /// The whole text; `None` after a problem in its last part.
    fn rule(&mut self, problems: &mut Vec<Diagnostic>) -> Option<Rule> {
        let mut start = self.deck.all();
        loop {
            self.furthest = None;
            self.item = true;
            let item = if self.sees("let") {
                self.definition()
            } else if self.sees("start :") {
                self.start().map(|cards| start = cards)
            } else {
                break;
            };
            if let Err(problem) = item {
                problems.push(self.foremost(problem));
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
        self.item = false;
        match self.body() {
            Ok(body) => Some(Rule { deck: self.deck.clone(), start, body }),
            Err(problem) => {
                problems.push(self.foremost(problem));
                None
            }
        }
    }

    /// What to tell of a problem: a certain one, else what came up farthest to the right.
    fn foremost(&mut self, problem: Diagnostic) -> Diagnostic {
        let furthest = self.furthest.take().filter(|_| !self.firm);
        self.firm = false;
        furthest.map_or(problem, |(_, furthest)| furthest)
    }

    fn body(&mut self) -> Parsed<Test> {
        let start = self.at;
        let body = self.test()?;
        let _ = self.eat_any(&[";", "."]);
        if *self.kind() != Kind::End {
            return Err(self.expected("the end of the rule, or `and`, `or`,"));
        }
        self.check(&body, start)?;
        Ok(body)
    }

    /// Refuses what is too large or too deep to be worked with, and what says nothing.
    fn check(&mut self, test: &Test, start: usize) -> Parsed<()> {
        let (size, depth) = test.weight();
        self.spend(size)?;
        if test.compares_a_thing_with_itself() {
            let problem = Diagnostic::new(Code::Type, self.span_from(start), "a thing is compared with itself")
                .help("say which cards are compared, such as `next` and `previous`");
            self.firm = true;
            return Err(self.report(problem));
        }
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
        let start = self.at;
        let number = self.attempt(|p| {
            let number = p.number()?;
            Ok(p.sees(";").then_some(number))
        })?;
        let value = match number {
            Some(number) => {
                let test = Test::Compare(number.clone(), Cmp::Eq, Num::Const(0));
                self.check(&test, start)?;
                Value::Number(number)
            }
            None => {
                let test = self.test()?;
                self.check(&test, start)?;
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
        self.check(&test, start)?;
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
            p.topic = None;
            let test = p.implication();
            p.carry = None;
            test
        })
    }

    fn implication(&mut self) -> Parsed<Test> {
        let mut test = self.disjunction()?;
        self.clear_late()?;
        let mut links = 0;
        loop {
            if self.branch && self.another_choice() {
                return Ok(test);
            }
            if self.eat("implies") {
                let then = self.test()?;
                return Ok(implies(test, then));
            }
            self.carry = None;
            test = if self.eat_any(&["iff", "if and only if", "exactly when"]) {
                Test::Iff(Box::new(test), Box::new(self.disjunction()?))
            } else if self.eat("xor") {
                differ(test, self.disjunction()?)
            } else if self.eat_any(&["unless", ", unless"]) {
                self.exception(test)?
            } else if self.reader.strict() && self.only && (self.sees("if") || self.sees("when")) {
                self.only_if(test)?
            } else if let Some(each) = self.each_if(&test)? {
                each
            } else if self.eat_any(&["if", "when", ", if", ", when"]) {
                self.said_if(test)?
            } else if !self.branch && self.sees("after") {
                self.each_after(test)?
            } else {
                return Ok(test);
            };
            self.link(&mut links)?;
        }
    }

    pub(super) fn disjunction(&mut self) -> Parsed<Test> {
        let either = self.eat("either");
        let first = self.at;
        let mut start = first;
        let mut parts = self.conjunction(Join::default())?;
        let mut choices = 1;
        let mut late = None;
        loop {
            let join = self.at;
            if !self.eat_any(&["or", ", or"]) {
                break;
            }
            let comma = matches!(self.tokens[join].kind, Kind::Sign(","));
            let _ = self.eat("either");
            let left = std::mem::replace(&mut start, self.at);
            parts.extend(self.conjunction(Join { or: true, comma, but: false })?);
            choices += 1;
            self.clear_kinds(left, join, false)?;
            self.clear_exception(first, join, start, &parts[parts.len() - 1].test)?;
            late = comma.then_some(Late { first, join, start });
        }
        self.late = late;
        let both = self.at;
        if self.eat_any(&["but not both", ", but not both"]) {
            if let [a, b] = &by_precedence(parts)[..] {
                return Ok(differ(a.clone(), b.clone()));
            }
            self.at = both;
            return Err(self.expected("two conditions before `but not both`;"));
        }
        if either && choices < 2 {
            return Err(self.expected("`or` after `either`"));
        }
        self.grouped(parts)
    }

    /// Conditions joined by `and`; the first is joined to what is before it.
    fn conjunction(&mut self, before: Join) -> Parsed<Vec<Joined>> {
        let both = self.eat_both();
        let first = self.at;
        let mut start = first;
        let mut parts = vec![Joined { join: before, test: self.condition()?, from: first, to: self.at }];
        loop {
            self.clear_multiple(start)?;
            let join = self.at;
            if let Some(last) = parts.last().map(|part| part.test.clone())
                && let Some(rest) = self.except(&last)?
                && let Some(part) = parts.last_mut()
            {
                (part.test, part.to) = (rest, self.at);
                continue;
            }
            let not_both = self.sees("but not both") || self.sees(", but not both");
            let another = self.another_choice();
            let choices = another && !self.branch && matches!(parts.last(), Some(Joined { test: Test::If(..), .. }));
            let ends = not_both || (another && self.branch);
            let mut how = Join { or: false, comma: self.sees(","), but: false };
            if !ends && choices && self.eat_any(if self.item { &[","] } else { &[",", ";", "."] }) {
                how.comma = false;
                let _ = self.eat_any(&["and", "but"]);
            } else if !ends && (self.sees("but") || self.sees(", but")) {
                how.but = true;
                self.joining_but()?;
                self.clear_limit()?;
            } else if ends || !self.eat_any(&["and", ", and"]) {
                if both && parts.len() < 2 {
                    return Err(self.expected("`and` after `both`"));
                }
                return Ok(parts);
            }
            let left = std::mem::replace(&mut start, self.at);
            let test = self.condition()?;
            parts.push(Joined { join: how, test, from: start, to: self.at });
            self.clear_kinds(left, join, false)?;
            self.clear_exception(first, join, start, &parts[parts.len() - 1].test)?;
        }
    }

    /// Refuses `higher than previous but not more than 3`: a rank, or a distance?
    fn clear_limit(&mut self) -> Parsed<()> {
        let Some(graded) = self.graded else { return Ok(()) };
        let start = self.at;
        let limit = self.attempt(|p| {
            let not = p.eat("not");
            let Some((_, cmp)) = COMPARISONS.iter().find(|(words, _)| p.eat(words)) else { return Ok(None) };
            let cmp = if not { cmp.negated() } else { *cmp };
            let Some(n) = p.whole() else { return Ok(None) };
            Ok(p.at_boundary().then(|| (cmp, n, p.span_from(start))))
        })?;
        self.at = start;
        let Some((cmp, n, span)) = limit else { return Ok(()) };
        let way = if matches!(graded, Cmp::Gt | Cmp::Ge) { "higher" } else { "lower" };
        let (far, rank) = match cmp {
            Cmp::Le => (format!("1 to {n}"), format!("at most {n}")),
            // Less than one step is none.
            Cmp::Lt if n < 2 => {
                return Err(self.unclear(span, "the rank, or how far apart?", &format!("say `rank below {n}`")));
            }
            Cmp::Lt => (format!("1 to {}", n - 1), format!("below {n}")),
            Cmp::Ge => (format!("at least {n}"), format!("at least {n}")),
            Cmp::Gt => (format!("more than {n}"), format!("above {n}")),
            Cmp::Eq | Cmp::Ne => (format!("{n}"), format!("{} {n}", sign(cmp))),
        };
        let help = format!("say `{far} {way}`, or `rank {rank}`");
        Err(self.unclear(span, "the rank, or how far apart?", &help))
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
                if let Some(test) = p.not_in_a_row()? {
                    return Ok(test);
                }
                let subject = Subject::Card(p.subject.clone());
                if let Some(test) = p.none_of(&subject)? {
                    return Ok(test);
                }
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
                let outside = std::mem::replace(&mut p.branch, false);
                let test = p.test();
                p.branch = outside;
                let test = test?;
                p.expect(")")?;
                return Ok(test);
            }
            Err(p.expected("a condition"))
        })
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

/// One of them; never, if there are none.
pub(super) fn some_of(parts: Vec<Test>) -> Test {
    if parts.is_empty() { Test::Const(false) } else { one_or(parts, Test::Or) }
}

pub(super) fn one_or(mut parts: Vec<Test>, join: fn(Vec<Test>) -> Test) -> Test {
    if parts.len() == 1 { parts.remove(0) } else { join(parts) }
}
