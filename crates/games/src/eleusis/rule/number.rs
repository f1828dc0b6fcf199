//! Phrases for numbers: ranks, counts, sums, and arithmetic.

use ken_logic::syntax::{Code, Diagnostic};

use super::lexer::Kind;
use super::parser::{Parsed, Parser, Subject, Value, one_or};
use super::vocabulary::number;
use super::{Attribute, CardRef, Cmp, Num, Scope, Test};

/// What two cards can have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Feature {
    Of(Attribute),
    Parity,
}

/// A number after another, with the sign that stands before it, if there is one.
type MoreTerm = (Option<Arithmetic>, i32);

impl Feature {
    pub(super) fn number(self, card: CardRef) -> Num {
        match self {
            Feature::Of(attribute) => Num::Of(attribute, card),
            Feature::Parity => Num::Mod(Box::new(Num::Of(Attribute::Rank, card)), 2),
        }
    }

    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Feature::Of(attribute) => attribute.name(),
            Feature::Parity => "parity",
        }
    }

    pub(super) fn compare(self, a: CardRef, cmp: Cmp, b: CardRef) -> Test {
        Test::Compare(self.number(a), cmp, self.number(b))
    }
}

/// A sum, a difference or a product.
type Arithmetic = fn(Box<Num>, Box<Num>) -> Num;

pub(super) fn rank(card: CardRef) -> Num {
    Num::Of(Attribute::Rank, card)
}

impl Subject {
    /// As a number: of a card, its rank.
    pub(super) fn number(self) -> Num {
        match self {
            Subject::Card(card) => rank(card),
            Subject::Number(number) => number,
        }
    }

    /// What of another card it is compared with.
    pub(super) fn feature(&self) -> Feature {
        match self {
            Subject::Number(Num::Of(attribute, _)) => Feature::Of(*attribute),
            Subject::Number(Num::Mod(a, 2)) if matches!(**a, Num::Of(Attribute::Rank, _)) => Feature::Parity,
            Subject::Number(_) | Subject::Card(_) => Feature::Of(Attribute::Rank),
        }
    }
}

impl Parser<'_> {
    /// `rank`, `suit`, `colour`, `parity`, in the singular or the plural.
    pub(super) fn attribute(&mut self) -> Option<Feature> {
        let feature = match self.word()? {
            "rank" | "ranks" | "value" | "values" => Feature::Of(Attribute::Rank),
            "suit" | "suits" => Feature::Of(Attribute::Suit),
            "colour" | "colours" | "color" | "colors" => Feature::Of(Attribute::Colour),
            "parity" | "parities" => Feature::Parity,
            _ => return None,
        };
        self.advance();
        Some(feature)
    }

    /// A number; a card counts as its rank.
    pub(super) fn number(&mut self) -> Parsed<Num> {
        Ok(self.operand()?.number())
    }

    /// What a sentence may speak about or compare with: a card, or a number.
    pub(super) fn operand(&mut self) -> Parsed<Subject> {
        self.deeper(|p| {
            let start = p.at;
            let mut sum = p.product()?;
            let mut links = 0;
            let whole = p.bare_mod.is_some();
            loop {
                let join = if p.eat_any(&["+", "plus"]) {
                    Num::Add
                } else if p.eat_any(&["-", "minus"]) {
                    Num::Sub
                } else {
                    return Ok(sum);
                };
                p.link(&mut links)?;
                let right = p.product()?;
                p.clear_sum(start, whole)?;
                sum = Subject::Number(join(Box::new(sum.number()), Box::new(right.number())));
            }
        })
    }

    /// Refuses `a + b mod 5`, which people mean as `(a + b) mod 5`; `whole` tells whether the first part has a `mod`.
    fn clear_sum(&mut self, start: usize, whole: bool) -> Parsed<()> {
        let Some(at) = self.bare_mod.filter(|_| self.reader.strict() && !whole) else { return Ok(()) };
        let span = self.span_from(start);
        let sum = format!("({})", self.words_of(start, at));
        let help = format!("say `{}`, or put parentheses around the last part", self.rewritten(start, at - 1, &sum));
        Err(self.unclear(span, "the remainder of the whole, or of the last part?", &help))
    }

    /// Refuses `rank = rank of previous mod 3`, which people mean of both sides.
    pub(super) fn clear_remainder(&mut self, left: &Subject, said: usize) -> Parsed<()> {
        let plain = matches!(left, Subject::Number(Num::Mod(..) | Num::Const(_)));
        let Some(at) = self.bare_mod.filter(|_| self.reader.strict() && !plain) else { return Ok(()) };
        let span = self.span_from(said);
        let by = self.words_of(at, self.at).to_string();
        let both = format!("{by} {}", self.words_of(said, said + 1));
        let help = format!("say `{}`, or put the right side in parentheses", self.rewritten(said, said, &both));
        Err(self.unclear(span, "the remainder of both sides, or of the right one?", &help))
    }

    /// The first number equals the second; or, after a sum, one of several: `previous + 1 or 2`.
    pub(super) fn one_of_sums(&mut self, a: Num, b: Num) -> Parsed<Test> {
        let mut sums = vec![b];
        let number = |p: &Self| p.at > 0 && matches!(p.tokens[p.at - 1].kind, Kind::Number(_) | Kind::Word(_));
        let parts = match &sums[0] {
            Num::Add(base, last) if matches!(**last, Num::Const(_)) => Some((base.clone(), Num::Add as Arithmetic)),
            Num::Sub(base, last) if matches!(**last, Num::Const(_)) => Some((base.clone(), Num::Sub as Arithmetic)),
            Num::Mul(base, last) if matches!(**last, Num::Const(_)) => Some((base.clone(), Num::Mul as Arithmetic)),
            _ => None,
        };
        if let Some((base, join)) = parts.filter(|_| self.reader.grouping() && number(self)) {
            let more = self.attempt(|p| p.more_terms())?.unwrap_or_default();
            sums.extend(more.into_iter().map(|(sign, n)| sign.unwrap_or(join)(base.clone(), Box::new(Num::Const(n)))));
        }
        let tests = sums.into_iter().map(|b| Test::Compare(a.clone(), Cmp::Eq, b));
        Ok(one_or(tests.collect(), Test::Or))
    }

    /// Further numbers of a sum, closed by `or`: `or 2`, `, 2 or 3`, `or minus 1`.
    fn more_terms(&mut self) -> Parsed<Option<Vec<MoreTerm>>> {
        let mut terms = Vec::new();
        let mut closed = false;
        while !closed {
            closed = self.eat_any(&["or", ", or"]);
            if !closed && (self.premise || !self.eat(",")) {
                return Ok(None);
            }
            let sign: Option<Arithmetic> = if self.eat_any(&["+", "plus"]) {
                Some(Num::Add)
            } else if self.eat_any(&["-", "minus"]) {
                Some(Num::Sub)
            } else {
                None
            };
            let n = if self.plain_number() { self.whole() } else { None };
            let Some(n) = n.filter(|_| self.at_boundary()) else { return Ok(None) };
            terms.push((sign, n));
            // `1 or 2 or 3`.
            closed = closed && !(self.sees("or") && self.another_number());
        }
        Ok(Some(terms))
    }

    /// Whether the next token but one is a number that nothing is said of.
    fn another_number(&mut self) -> bool {
        let at = self.at;
        self.advance();
        let number = self.plain_number() && {
            self.advance();
            self.at_boundary()
        };
        self.at = at;
        number
    }

    fn product(&mut self) -> Parsed<Subject> {
        let closed = self.sees("(") || self.sees("|");
        self.bare_mod = None;
        let mut product = self.factor()?;
        self.bare_mod = None;
        let mut links = 0;
        loop {
            if self.eat_any(&["*", "times"]) {
                let right = self.factor()?;
                self.bare_mod = None;
                product = Subject::Number(Num::Mul(Box::new(product.number()), Box::new(right.number())));
            } else if self.sees("mod") || self.sees("modulo") {
                self.bare_mod = (!closed || links > 0).then_some(self.at);
                self.advance();
                let by = self.modulus()?;
                product = Subject::Number(Num::Mod(Box::new(product.number()), by));
            } else {
                return Ok(product);
            }
            self.link(&mut links)?;
        }
    }

    /// A positive constant to divide by.
    pub(super) fn modulus(&mut self) -> Parsed<u32> {
        let span = self.span();
        match self.whole().map(u32::try_from) {
            Some(Ok(by)) if by > 0 => Ok(by),
            Some(_) => Err(self.problem(Code::Number, span, "only a number from 1 on can divide")),
            None => Err(self.expected("a number to divide by")),
        }
    }

    fn factor(&mut self) -> Parsed<Subject> {
        self.deeper(|p| {
            if p.eat("-") {
                return Ok(Subject::Number(match p.factor()?.number() {
                    Num::Const(n) => Num::Const(n.wrapping_neg()),
                    other => Num::Sub(Box::new(Num::Const(0)), Box::new(other)),
                }));
            }
            if p.eat("(") {
                let inner = p.operand()?;
                p.expect(")")?;
                return Ok(inner);
            }
            if p.eat("|") {
                let inner = p.number()?;
                p.expect("|")?;
                return Ok(Subject::Number(Num::Abs(Box::new(inner))));
            }
            if let Some(card) = p.card()? {
                return p.possession(card);
            }
            if let Some(number) = p.attempt(Self::phrase)? {
                return Ok(Subject::Number(number));
            }
            Err(p.expected("a card or a number"))
        })
    }

    /// `previous's rank`, or the card itself.
    fn possession(&mut self, card: CardRef) -> Parsed<Subject> {
        if !self.eat("'s") {
            return Ok(Subject::Card(card));
        }
        match self.attribute() {
            Some(feature) => Ok(Subject::Number(feature.number(card))),
            None => Err(self.expected("rank, suit, colour or parity")),
        }
    }

    /// A number in words or digits.
    fn phrase(&mut self) -> Parsed<Option<Num>> {
        let _ = self.eat("the");
        let at = self.at;
        match self.named()? {
            Some(Value::Number(number)) => return Ok(Some(number)),
            Some(Value::Test(_) | Value::Card(_)) => {
                self.at = at;
                return Ok(None);
            }
            None => {}
        }
        if let Kind::Number(n) = self.kind() {
            let n = *n;
            let counts = self.word_after(1).is_some_and(|w| ["card", "cards"].contains(&w));
            if counts {
                return Ok(None);
            }
            self.advance();
            return Ok(Some(Num::Const(n)));
        }
        if let Some(n) = self.rank_letter() {
            self.advance();
            return Ok(Some(Num::Const(i32::from(n))));
        }
        if let Some(count) = self.attempt(Self::bare_count)? {
            return Ok(Some(count));
        }
        if let Some(feature) = self.attribute() {
            return self.feature_of(feature).map(Some);
        }
        if let Some(n) = self.word().and_then(number) {
            self.advance();
            return Ok(Some(Num::Const(i32::from(n))));
        }
        let Some(word) = self.word().map(str::to_string) else { return Ok(None) };
        self.advance();
        match word.as_str() {
            "d" => Ok(Some(difference(self.subject.clone(), CardRef::Back(1)))),
            "position" | "pos" => Ok(Some(Num::Count(Scope::Line, Box::new(Test::Const(true))))),
            "number" | "how" | "count" => self.count(&word),
            "sum" | "total" => self.sum(),
            "product" => self.pair(Num::Mul),
            "difference" => Ok(self.pair(Num::Sub)?.map(|d| Num::Abs(Box::new(d)))),
            "highest" | "max" | "maximum" => self.extreme(Num::Highest),
            "lowest" | "min" | "minimum" => self.extreme(Num::Lowest),
            "gcd" => {
                self.expect("(")?;
                let pair = self.two(",", Num::Gcd)?;
                self.expect(")")?;
                Ok(Some(pair))
            }
            "abs" => {
                self.expect("(")?;
                let inner = self.number()?;
                self.expect(")")?;
                Ok(Some(Num::Abs(Box::new(inner))))
            }
            "remainder" => {
                self.expect("of")?;
                let number = self.number()?;
                self.expect("by")?;
                Ok(Some(Num::Mod(Box::new(number), self.modulus()?)))
            }
            "succ" => {
                let span = self.span();
                match self.factor()? {
                    Subject::Number(suit @ Num::Of(Attribute::Suit, _)) => {
                        let next = Num::Add(Box::new(suit), Box::new(Num::Const(1)));
                        Ok(Some(Num::Mod(Box::new(next), self.deck.suits().len() as u32)))
                    }
                    _ => Err(self.problem(Code::Type, span, "`succ` is for suits")),
                }
            }
            _ => Ok(None),
        }
    }

    /// After `rank`, `suit`…: of which card.
    fn feature_of(&mut self, feature: Feature) -> Parsed<Num> {
        let parenthesis = self.sees("(");
        if parenthesis || self.sees("of") {
            let at = self.at;
            self.advance();
            let span = self.span();
            if let Some(card) = self.card()? {
                if parenthesis {
                    self.expect(")")?;
                }
                return Ok(feature.number(card));
            }
            if parenthesis {
                let problem = Diagnostic::new(Code::Type, span, "a card expected, such as `next` or `previous`");
                return Err(self.report(problem));
            }
            self.at = at;
        }
        Ok(feature.number(self.subject.clone()))
    }

    /// `cards since the last ace`, `red cards so far`: a count without the word.
    fn bare_count(&mut self) -> Parsed<Option<Num>> {
        // `one of the last four` is one of them, not how many aces there are.
        if self.reader.strict() && self.plain_number() {
            return Ok(None);
        }
        let count = self.cards()?;
        Ok(count.filter(|(_, scoped)| *scoped).map(|(count, _)| count))
    }

    /// `red cards with … since …`: the count, and whether it says of which stretch.
    pub(super) fn cards(&mut self) -> Parsed<Option<(Num, bool)>> {
        let plain = self.sees("cards") || self.sees("card");
        let test = self.attempt(Self::such_card)?;
        if test.is_none() && !plain {
            return Ok(None);
        }
        if test.is_none() {
            self.advance();
        }
        let scope = self.scope()?;
        let scoped = scope.is_some();
        let test = Box::new(test.unwrap_or(Test::Const(true)));
        Ok(Some((Num::Count(scope.unwrap_or(Scope::Line), test), scoped)))
    }

    /// After `number`, `how` or `count`.
    fn count(&mut self, word: &str) -> Parsed<Option<Num>> {
        if word == "count" && self.eat("(") {
            let test = self.search(Self::test)?;
            let scope = if self.eat(",") { self.needed_scope()? } else { Scope::Line };
            self.expect(")")?;
            return Ok(Some(Num::Count(scope, Box::new(test))));
        }
        if !self.eat(if word == "how" { "many" } else { "of" }) {
            return Ok(None);
        }
        match self.cards()? {
            Some((count, _)) => Ok(Some(count)),
            None => Err(self.expected("cards")),
        }
    }

    fn needed_scope(&mut self) -> Parsed<Scope> {
        match self.scope()? {
            Some(scope) => Ok(scope),
            None => Err(self.expected("a stretch such as `line` or `the last 3`")),
        }
    }

    /// After `sum`: `(line)`, `(rank, line + next)`, `of the last 3 ranks`, `with previous`, `of … and …`.
    fn sum(&mut self) -> Parsed<Option<Num>> {
        if self.eat("(") {
            let _ = self.eat_any(&["rank ,", "ranks ,"]);
            let scope = self.needed_scope()?;
            let mut sum = Num::Sum(scope);
            if self.eat("+") {
                let Some(card) = self.card()? else { return Err(self.expected("a card")) };
                sum = Num::Add(Box::new(sum), Box::new(rank(card)));
            }
            self.expect(")")?;
            return Ok(Some(sum));
        }
        let over = self.attempt(|p| {
            let _ = p.eat("of");
            let _ = p.eat_any(&["the ranks", "ranks", "all ranks", "all"]);
            p.scope()
        })?;
        match over {
            Some(scope) => Ok(Some(Num::Sum(scope))),
            None => self.pair(Num::Add),
        }
    }

    /// After `sum`, `product`, `difference`: `with previous`, or `of A and B`.
    fn pair(&mut self, join: fn(Box<Num>, Box<Num>) -> Num) -> Parsed<Option<Num>> {
        if self.eat_any(&["of", "between"]) {
            return self.two("and", join).map(Some);
        }
        if self.eat_any(&["with", "from", "to"]) {
            let right = self.last_part()?;
            return Ok(Some(join(Box::new(rank(self.subject.clone())), Box::new(right))));
        }
        Ok(None)
    }

    /// The last part of a sum or product in words: what follows it is said of the whole, as in `sum with previous mod 5`.
    fn last_part(&mut self) -> Parsed<Num> {
        if self.reader.strict() { Ok(self.factor()?.number()) } else { self.number() }
    }

    fn two(&mut self, between: &str, join: fn(Box<Num>, Box<Num>) -> Num) -> Parsed<Num> {
        let start = self.at;
        let left = self.number()?;
        if between == "and" && self.bare_mod.is_some() && self.reader.strict() {
            let span = self.span_from(start);
            let help = "put parentheses, as in `(rank of next mod 3) + (rank of previous mod 3) = 2`";
            return Err(self.unclear(span, "the remainder of which part?", help));
        }
        self.expect(between)?;
        let right = if between == "and" { self.last_part()? } else { self.number()? };
        Ok(join(Box::new(left), Box::new(right)))
    }

    /// After `highest`: `(line)`, `rank so far`, `of the last 3`.
    fn extreme(&mut self, of: fn(Scope) -> Num) -> Parsed<Option<Num>> {
        if self.eat("(") {
            let scope = self.needed_scope()?;
            self.expect(")")?;
            return Ok(Some(of(scope)));
        }
        let _ = self.eat_any(&["rank", "card"]);
        Ok(Some(of(self.scope()?.unwrap_or(Scope::Line))))
    }
}

/// The rank of one card less that of the other.
pub(super) fn difference(a: CardRef, b: CardRef) -> Num {
    Num::Sub(Box::new(rank(a)), Box::new(rank(b)))
}
