//! Sentences: what is said of a card or a number.

use ken_logic::syntax::{Code, Diagnostic};

use super::lexer::Kind;
use super::number::Feature;
use super::parser::{Carry, Parsed, Parser, Subject, Value, one_or};
use super::set::in_range;
use super::vocabulary::adjective;
use super::{Attribute, CardRef, Cmp, Num, Scope, Test};
use crate::cards::CardSet;

/// Comparisons in words. `as high as` and the like may follow.
const COMPARISONS: [(&str, Cmp); 19] = [
    ("at least", Cmp::Ge),
    ("at most", Cmp::Le),
    ("no more than", Cmp::Le),
    ("no less than", Cmp::Ge),
    ("more than", Cmp::Gt),
    ("less than", Cmp::Lt),
    ("fewer than", Cmp::Lt),
    ("greater than", Cmp::Gt),
    ("larger than", Cmp::Gt),
    ("smaller than", Cmp::Lt),
    ("above", Cmp::Gt),
    ("over", Cmp::Gt),
    ("below", Cmp::Lt),
    ("under", Cmp::Lt),
    ("exactly", Cmp::Eq),
    ("equal to", Cmp::Eq),
    ("equals", Cmp::Eq),
    ("different from", Cmp::Ne),
    ("the same as", Cmp::Eq),
];

const SIGNS: [(&str, Cmp); 6] =
    [("=", Cmp::Eq), ("!=", Cmp::Ne), ("<", Cmp::Lt), ("<=", Cmp::Le), (">", Cmp::Gt), (">=", Cmp::Ge)];

/// How far two ranks are apart, and in which direction.
#[derive(Clone, Copy)]
enum Way {
    Up,
    Down,
    Either,
}

/// Whole sentences.
impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Parsed<Test> {
        let _ = self.eat_any(&["only", "play"]);
        let test = self.sentence()?;
        let _ = self.eat("only");
        Ok(test)
    }

    fn sentence(&mut self) -> Parsed<Test> {
        if let Some(rule) = self.library_rule()? {
            return Ok(rule);
        }
        if self.eat_any(&["always", "anything", "any card", "true"]) {
            return Ok(Test::Const(true));
        }
        if self.eat("never") {
            let test = self.attempt(|p| p.sentence().map(Some))?;
            return Ok(test.map_or(Test::Const(false), |test| Test::Not(Box::new(test))));
        }
        if self.eat_any(&["nothing", "no card", "false"]) {
            return Ok(Test::Const(false));
        }
        for reading in [Self::turns, Self::search_phrase, Self::quantity, Self::call, Self::about_subject] {
            if let Some(test) = self.attempt(reading)? {
                return Ok(test);
            }
        }
        if let Some(carry) = self.carry.clone() {
            let carried = self.attempt(|p| {
                let constant =
                    matches!(p.kind(), Kind::Number(_)) || p.rank_letter().is_some() || p.suit_letter().is_some();
                if !carry.words && !constant {
                    return Ok(None);
                }
                p.relational = false;
                let test = p.predicate(&carry.subject)?;
                Ok((!p.relational).then_some(test))
            })?;
            if let Some(test) = carried {
                return Ok(test);
            }
        }
        let subject = Subject::Card(self.subject.clone());
        self.predicate(&subject)
    }

    /// `previous is red`, `rank at least 7`, `1 <= |d| <= 3`.
    fn about_subject(&mut self) -> Parsed<Option<Test>> {
        let subject = self.operand()?;
        let sign = SIGNS.iter().any(|(sign, _)| self.sees(sign));
        let literal = matches!(subject, Subject::Number(Num::Const(_)));
        if literal && !sign && !self.sees("is") && !self.sees("in") {
            return Ok(None);
        }
        let test = self.predicate(&subject)?;
        self.carry = Some(Carry { subject, words: !sign });
        Ok(Some(test))
    }

    /// `red(previous)`, `prime(rank(next) + 1)`, `loop(next)`: a property with its subject in parentheses.
    fn call(&mut self) -> Parsed<Option<Test>> {
        let start = self.at;
        let named = match self.named()? {
            Some(Value::Test(test)) => Some(test),
            Some(Value::Number(_) | Value::Card(_)) => return Ok(None),
            None => None,
        };
        let property = match (&named, self.word()) {
            (None, Some(word)) => adjective(self.deck, word),
            _ => None,
        };
        if property.is_some() {
            self.advance();
        }
        if (named.is_none() && property.is_none()) || !self.sees("(") {
            return Ok(None);
        }
        self.advance();
        let subject = self.operand()?;
        self.expect(")")?;
        let span = self.span_from(start);
        match (named, property, &subject) {
            (Some(test), _, Subject::Card(card)) => self.about(test, card, span).map(Some),
            (Some(_), _, Subject::Number(_)) => {
                Err(self.problem(Code::Type, span, "a named condition is about a card, not about a number"))
            }
            (None, Some(property), subject) => self.apply(&property, subject, span).map(Some),
            (None, None, _) => Ok(None),
        }
    }

    /// `alternate red and black`, `red and black take turns`, `suits cycle H S C D`.
    fn turns(&mut self) -> Parsed<Option<Test>> {
        let _ = self.attempt(|p| Ok(p.attribute().filter(|_| p.sees("cycle") || p.sees("alternate"))))?;
        let first = self.eat_any(&["alternate", "alternates", "alternating", "cycle", "cycles"]);
        if first {
            let _ = self.eat_any(&["between", "through"]);
            if let Some(feature) = self.attribute() {
                return Ok(Some(feature.compare(CardRef::Next, Cmp::Ne, CardRef::Back(1))));
            }
        }
        let mut groups: Vec<CardSet> = Vec::new();
        loop {
            let _ = self.eat_any(&[", and", ",", "and"]);
            let subject = Subject::Card(CardRef::Next);
            let group = self.attempt(|p| {
                // Letters in a row are suits in turn, not a card that is all of them.
                if p.suit_letter().is_some() {
                    return Ok(p.element()?.map(|suit| suit.cards));
                }
                match p.adjectives(&subject)? {
                    Some(Test::In(_, cards)) => Ok(Some(cards)),
                    _ => Ok(None),
                }
            })?;
            let group = match group {
                None => self.attempt(|p| if p.sees("{") { p.list() } else { Ok(None) })?.map(|a| a.cards),
                some => some,
            };
            let Some(group) = group else { break };
            groups.push(group);
            let _ = self.eat_any(&["cards", "card", "ranks"]);
        }
        if groups.len() < 2 || (!first && !self.eat_any(&["alternate", "take turns", "cycle"])) {
            return Ok(None);
        }
        let card = |card, set| Test::In(card, set);
        if let [one, two] = groups[..] {
            if one.or(two) == self.deck.all() && one.is_disjoint(two) {
                let same = Test::Iff(Box::new(card(CardRef::Next, one)), Box::new(card(CardRef::Back(1), one)));
                return Ok(Some(Test::Not(Box::new(same))));
            }
        }
        let next = groups.iter().cycle().skip(1);
        let steps = groups.iter().zip(next);
        Ok(Some(Test::Or(
            steps.map(|(a, b)| Test::And(vec![card(CardRef::Back(1), *a), card(CardRef::Next, *b)])).collect(),
        )))
    }

    /// `exists x in line: …`, `every x in the last 3: …`, `no x since the last ace: …`.
    fn search_phrase(&mut self) -> Parsed<Option<Test>> {
        let some = self.eat_any(&["exists", "some"]);
        let all = !some && self.eat_any(&["every", "all", "each"]);
        if !some && !all && !self.eat("no") {
            return Ok(None);
        }
        let Some(name) = self.word().map(str::to_string) else { return Ok(None) };
        self.advance();
        let at = self.at;
        let _ = self.eat("in");
        let scope = match self.scope()? {
            Some(scope) => scope,
            None => {
                self.at = at;
                return Ok(None);
            }
        };
        self.expect(":")?;
        self.names.push((name, Value::Card(self.searching + 1)));
        let test = self.search(Self::test);
        self.names.pop();
        let test = test?;
        let test = if all { Test::Not(Box::new(test)) } else { test };
        let cmp = if some { Cmp::Gt } else { Cmp::Eq };
        Ok(Some(Test::Compare(Num::Count(scope, Box::new(test)), cmp, Num::Const(0))))
    }

    /// `fewer than 4 cards`, `at most two red cards in the last 5`, `no cards of its rank so far`.
    fn quantity(&mut self) -> Parsed<Option<Test>> {
        let (cmp, n) = if self.eat("no") {
            (Cmp::Eq, 0)
        } else {
            let cmp = COMPARISONS.iter().find(|(words, _)| self.eat(words)).map_or(Cmp::Eq, |(_, cmp)| *cmp);
            let Some(n) = self.whole() else { return Ok(None) };
            (cmp, n)
        };
        let plural = self.tokens_until_cards();
        Ok(match self.cards()? {
            Some((count, _)) if plural => Some(Test::Compare(count, cmp, Num::Const(n))),
            _ => None,
        })
    }

    /// Whether `cards` stands within the next words: `two red cards`, but not `2 to 9`.
    fn tokens_until_cards(&self) -> bool {
        (0..4).map_while(|i| self.word_after(i)).any(|w| w == "cards" || w == "card")
    }
}

/// What is said.
impl Parser<'_> {
    pub(super) fn predicate(&mut self, subject: &Subject) -> Parsed<Test> {
        self.deeper(|p| {
            while p.eat_any(&["is", "are", "be", "must", "should", "has", "have", "does", "do"]) {}
            if p.eat_any(&["not", "never"]) {
                return Ok(Test::Not(Box::new(p.predicate(subject)?)));
            }
            if SIGNS.iter().any(|(sign, _)| p.sees(sign)) {
                return p.signs(subject);
            }
            let readings =
                [Self::seen, Self::steps, Self::higher, Self::alike, Self::listed, Self::compared, Self::plain];
            for reading in readings {
                if let Some(test) = p.attempt(|p| reading(p, subject))? {
                    return Ok(test);
                }
            }
            Err(p.expected("a condition"))
        })
    }

    /// `= 7`, `!= suit of previous`, `<= 3`: signs, also in a chain.
    fn signs(&mut self, subject: &Subject) -> Parsed<Test> {
        let mut parts = Vec::new();
        let mut left = subject.clone();
        while let Some((_, cmp)) = SIGNS.iter().find(|(sign, _)| self.eat(sign)) {
            if matches!(cmp, Cmp::Eq | Cmp::Ne) {
                if let Some(test) = self.named_value(&left)? {
                    parts.push(if *cmp == Cmp::Eq { test } else { Test::Not(Box::new(test)) });
                    break;
                }
            }
            let plain = self.sees("(");
            let start = self.at;
            let right = self.operand()?;
            let (a, b) = (self.as_number(&left, &right), self.as_number(&right, &left));
            if !plain {
                self.same_kind(&a, &b, start)?;
            }
            parts.push(Test::Compare(a, *cmp, b));
            left = right;
            let mut links = parts.len();
            self.link(&mut links)?;
        }
        Ok(one_or(parts, Test::And))
    }

    /// After `=`: a value that has a name, `red`, `S`, `even`, or a `case`.
    pub(super) fn named_value(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        if self.eat("case") {
            return self.case(Some(subject)).map(Some);
        }
        self.attempt(|p| {
            let start = p.at;
            let property = match p.suit_letter() {
                Some(suit) => {
                    p.advance();
                    super::vocabulary::Adjective { cards: p.deck.of_suit(suit), numbers: None }
                }
                None => match p.word().and_then(|word| adjective(p.deck, word)) {
                    Some(property) => {
                        p.advance();
                        property
                    }
                    None => return Ok(None),
                },
            };
            if p.sees("(") {
                return Ok(None);
            }
            let span = p.span_from(start);
            p.apply(&property, subject, span).map(Some)
        })
    }

    /// A card compared with a suit means its suit; with anything else its rank.
    fn as_number(&self, what: &Subject, with: &Subject) -> Num {
        match what {
            Subject::Number(number) => number.clone(),
            Subject::Card(card) => with.feature().number(card.clone()),
        }
    }

    /// Refuses `suit = rank`, unless it stands in parentheses.
    fn same_kind(&mut self, a: &Num, b: &Num, start: usize) -> Parsed<()> {
        let (Num::Of(a, _), Num::Of(b, _)) = (a, b) else { return Ok(()) };
        if a == b {
            return Ok(());
        }
        let name = |a: &Attribute| ["rank", "suit", "colour"][*a as usize];
        let message = format!("a {} is compared with a {}", name(a), name(b));
        let problem = Diagnostic::new(Code::Type, self.span_from(start), message)
            .help("put the second in parentheses if the numbers are meant");
        Err(self.report(problem))
    }

    /// The card that a comparison without one is with: the one before.
    fn default_other(&self, subject: &Subject) -> CardRef {
        match subject {
            Subject::Card(CardRef::Back(k)) | Subject::Number(Num::Of(_, CardRef::Back(k))) if *k < u8::MAX => {
                CardRef::Back(k + 1)
            }
            _ => CardRef::Back(1),
        }
    }

    /// `than X`, `from X`, or the previous card.
    fn other(&mut self, subject: &Subject, before: &[&str]) -> Parsed<Subject> {
        self.relational = true;
        if self.eat_any(before) { self.operand() } else { Ok(Subject::Card(self.default_other(subject))) }
    }

    /// `not yet seen`, `new`, `among the last three ranks`, `in ranks(line)`.
    fn seen(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let (scope, fresh) = if self.eat_any(&["yet seen", "already seen", "seen", "repeated"]) {
            (self.scope()?.unwrap_or(Scope::Line), false)
        } else if self.eat_any(&["new", "unseen"]) {
            (self.scope()?.unwrap_or(Scope::Line), true)
        } else if self.eat_any(&["in", "among", "one of"]) {
            let _ = self.eat("the");
            let plural = self.attribute().is_some();
            let parenthesis = plural && self.eat("(");
            let Some(scope) = self.scope()? else { return Ok(None) };
            if parenthesis {
                self.expect(")")?;
            }
            (scope, false)
        } else {
            return Ok(None);
        };
        let features = match subject {
            Subject::Card(_) => vec![Feature::Of(Attribute::Rank), Feature::Of(Attribute::Suit)],
            Subject::Number(_) => vec![subject.feature()],
        };
        let mut numbers = Vec::new();
        for feature in features {
            let mut number = match subject {
                Subject::Card(card) => feature.number(card.clone()),
                Subject::Number(number) => number.clone(),
            };
            let mut inner = false;
            number.cards(0, &mut |card, inside| inner |= inside == 0 && *card == CardRef::This);
            if inner {
                let message = "only the innermost card of the line can be looked at";
                return Err(self.problem(Code::Type, self.span(), message));
            }
            numbers.push(Test::Compare(feature.number(CardRef::This), Cmp::Eq, number));
        }
        let count = Num::Count(scope, Box::new(one_or(numbers, Test::And)));
        Ok(Some(Test::Compare(count, if fresh { Cmp::Eq } else { Cmp::Gt }, Num::Const(0))))
    }

    /// `one higher or two lower than X, king next to ace`, `1 to 3 away`, `within 3 of X`, `differs by 2 from X`.
    fn steps(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let mut steps = Vec::new();
        let mut before: &[&str] = &["than", "from", "of", "as"];
        if self.eat("within") {
            let Some(n) = self.whole() else { return Err(self.expected("a number")) };
            let _ = self.eat("ranks");
            steps.push((Way::Either, 0, n));
        } else if self.eat_any(&["differs by", "differ by"]) {
            let Some((low, high)) = self.distance()? else { return Err(self.expected("a number")) };
            steps.push((Way::Either, low, high));
        } else if self.eat_any(&["adjacent", "neighbouring", "next to", "neighbour"]) {
            let _ = self.eat_any(&["rank", "in rank"]);
            steps.push((Way::Either, 1, 1));
            before = &["to", "of", "from"];
            if self.relational_ahead() {
                before = &[];
            }
        } else {
            while let Some(step) = self.attempt(Self::step)? {
                steps.push(step);
                if !self.sees("or") {
                    break;
                }
                let more = self.attempt(|p| {
                    p.advance();
                    p.step()
                })?;
                match more {
                    Some(step) => steps.push(step),
                    None => break,
                }
                if !self.eat("or") {
                    break;
                }
            }
        }
        if steps.is_empty() {
            return Ok(None);
        }
        let other = if before.is_empty() { self.operand()? } else { self.other(subject, before)? };
        self.relational = true;
        let gap = Num::Sub(Box::new(self.as_number(subject, &other)), Box::new(self.as_number(&other, subject)));
        let cyclic = self.eat_any(&[
            "cyclically",
            "cyclic",
            "around the corner",
            ", king next to ace",
            "king next to ace",
            ", ace next to king",
            "ace next to king",
            ", cyclically",
            ", cyclic",
        ]);
        let round = cyclic.then(|| i32::from(self.deck.values()));
        Ok(Some(one_or(steps.iter().map(|step| apart(&gap, *step, round)).collect(), Test::Or)))
    }

    fn relational_ahead(&mut self) -> bool {
        !(self.sees("to") || self.sees("of") || self.sees("from")) && matches!(self.kind(), Kind::Word(_)) && {
            let at = self.at;
            let card = self.card().ok().flatten().is_some();
            self.at = at;
            card
        }
    }

    /// `2 higher`, `1 to 3 lower`, `at least two away`.
    fn step(&mut self) -> Parsed<Option<(Way, i32, i32)>> {
        let Some((low, high)) = self.distance()? else { return Ok(None) };
        let _ = self.eat_any(&["ranks", "rank", "or more"]);
        let way = if self.eat_any(&["higher", "more", "above", "greater"]) {
            Way::Up
        } else if self.eat_any(&["lower", "less", "below", "smaller"]) {
            Way::Down
        } else if self.eat_any(&["away", "apart"]) {
            Way::Either
        } else {
            return Ok(None);
        };
        Ok(Some((way, low, high)))
    }

    /// A distance, or a range of distances.
    fn distance(&mut self) -> Parsed<Option<(i32, i32)>> {
        let cmp = COMPARISONS.iter().find(|(words, _)| self.eat(words)).map(|(_, cmp)| *cmp);
        if self.eat("between") {
            let low = self.whole();
            self.expect("and")?;
            return Ok(low.zip(self.whole()));
        }
        let Some(n) = self.whole() else { return Ok(None) };
        Ok(Some(match cmp {
            Some(Cmp::Ge) => (n, i32::MAX),
            Some(Cmp::Gt) => (n.saturating_add(1), i32::MAX),
            Some(Cmp::Le) => (0, n),
            Some(Cmp::Lt) => (0, n.saturating_sub(1)),
            Some(Cmp::Ne) => return Ok(None),
            Some(Cmp::Eq) | None => match self.eat_any(&["to", ".."]).then(|| self.whole()) {
                Some(Some(high)) => (n, high),
                Some(None) => return Err(self.expected("the end of the range")),
                None if self.sees("or") && matches!(self.word_after(1), Some("more")) => {
                    self.at += 2;
                    (n, i32::MAX)
                }
                None => (n, n),
            },
        }))
    }

    /// `higher than previous`, `lower or equal`, `rank at least as high as X`.
    fn higher(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let mut cmp = if self.eat_any(&["higher", "greater", "larger"]) {
            Cmp::Gt
        } else if self.eat_any(&["lower", "smaller", "less"]) {
            Cmp::Lt
        } else if self.eat_any(&["at least as high", "as high", "at least as large"]) {
            Cmp::Ge
        } else if self.eat_any(&["at most as high", "at most as large"]) {
            Cmp::Le
        } else if self.eat_any(&["equal or higher", "the same or higher", "same or higher"]) {
            Cmp::Ge
        } else if self.eat_any(&["equal or lower", "the same or lower", "same or lower"]) {
            Cmp::Le
        } else {
            return Ok(None);
        };
        if self.eat_any(&["or equal", "or the same", "or same"]) {
            cmp = if cmp == Cmp::Gt { Cmp::Ge } else { Cmp::Le };
        }
        let _ = self.eat("rank");
        let other = self.other(subject, &["than", "as", "to"])?;
        self.relational = !matches!(other, Subject::Number(Num::Const(_)));
        Ok(Some(Test::Compare(self.as_number(subject, &other), cmp, self.as_number(&other, subject))))
    }

    /// `same suit as previous`, `of another colour`, `different suit or rank from X`, `changes`.
    fn alike(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let card = match subject {
            Subject::Card(card) | Subject::Number(Num::Of(_, card)) => card.clone(),
            Subject::Number(_) => self.subject.clone(),
        };
        let alone = |p: &mut Self, cmp| {
            let other = p.other(subject, &["as", "than", "from"])?;
            Ok(Some(Test::Compare(p.as_number(subject, &other), cmp, p.as_number(&other, subject))))
        };
        if self.eat_any(&["changes", "change", "differs", "differ"]) {
            return alone(self, Cmp::Ne);
        }
        if self.eat_any(&["repeats", "repeat"]) {
            return alone(self, Cmp::Eq);
        }
        let _ = self.eat("of");
        let _ = self.eat_any(&["the", "a", "an"]);
        let cmp = if self.eat("same") {
            Cmp::Eq
        } else if self.eat_any(&["different", "another", "other", "opposite"]) {
            Cmp::Ne
        } else {
            return Ok(None);
        };
        let Some(feature) = self.attribute() else { return alone(self, cmp) };
        let second = self.attempt(|p| {
            let or = p.eat("or");
            if !or && !p.eat("and") {
                return Ok(None);
            }
            Ok(p.attribute().filter(|_| p.sees("as") || p.sees("than") || p.sees("from")).map(|feature| (or, feature)))
        })?;
        let Subject::Card(other) = self.other(&Subject::Card(card.clone()), &["as", "than", "from", "with"])? else {
            return Err(self.expected("a card to compare with"));
        };
        let first = feature.compare(card.clone(), cmp, other.clone());
        Ok(Some(match second {
            None => first,
            Some((true, feature)) => Test::Or(vec![first, feature.compare(card, cmp, other)]),
            Some((false, feature)) => Test::And(vec![first, feature.compare(card, cmp, other)]),
        }))
    }

    /// `one of A 4 9`, `in 5..9`, `between 3 and 7`, `among {S, D}`.
    fn listed(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        if self.eat("between") {
            let low = self.number()?;
            self.expect("and")?;
            let high = self.number()?;
            let number = || subject.clone().number();
            return Ok(Some(Test::And(vec![
                Test::Compare(number(), Cmp::Ge, low),
                Test::Compare(number(), Cmp::Le, high),
            ])));
        }
        let start = self.at;
        let word = self.eat_any(&["one of", "any of", "in", "among", "from"]);
        if !word && !self.sees("{") {
            return Ok(None);
        }
        let _ = self.eat("the");
        match self.list()? {
            Some(list) => {
                let span = self.span_from(start);
                self.apply(&list, subject, span).map(Some)
            }
            None => self.named_range(subject),
        }
    }

    /// After `in`: a name of the text.
    fn named_range(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let card = match subject {
            Subject::Card(card) | Subject::Number(Num::Of(_, card)) => Subject::Card(card.clone()),
            Subject::Number(_) => return Err(self.expected("a list or a range")),
        };
        match self.adjectives(&card)? {
            Some(test) => Ok(Some(test)),
            None => Err(self.expected("a list or a range")),
        }
    }

    /// `at least 7`, `above the highest so far`, `equal to X`.
    fn compared(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let Some((_, cmp)) = COMPARISONS.iter().find(|(words, _)| self.eat(words)) else { return Ok(None) };
        let start = self.at;
        let other = self.operand()?;
        self.relational |= !matches!(other, Subject::Number(Num::Const(_)));
        let (a, b) = (self.as_number(subject, &other), self.as_number(&other, subject));
        self.same_kind(&a, &b, start)?;
        Ok(Some(Test::Compare(a, *cmp, b)))
    }

    /// `a red face card`, `any card`, or what it equals.
    fn plain(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        if let Subject::Card(card) = subject {
            if self.eat("any card") {
                return Ok(Some(Test::In(card.clone(), self.deck.all())));
            }
        }
        if let Some(test) = self.attempt(|p| p.adjectives(subject))? {
            let _ = self.eat_any(&["cards", "card", "ranks", "rank"]);
            return Ok(Some(test));
        }
        let start = self.at;
        let other = self.operand()?;
        if matches!((subject, &other), (Subject::Card(CardRef::Next), Subject::Card(CardRef::Next))) {
            return Ok(None);
        }
        self.relational |= !matches!(other, Subject::Number(Num::Const(_)));
        let (a, b) = (self.as_number(subject, &other), self.as_number(&other, subject));
        self.same_kind(&a, &b, start)?;
        if let (Num::Of(Attribute::Rank, _), Num::Const(n)) = (&a, &b)
            && !(1..=i32::from(self.deck.values())).contains(n)
        {
            let message = format!("no card has the rank {n}");
            return Err(self.problem(Code::Number, self.span_from(start), message));
        }
        Ok(Some(Test::Compare(a, Cmp::Eq, b)))
    }
}

/// Two numbers with this difference are as far apart as that.
fn apart(gap: &Num, (way, low, high): (Way, i32, i32), round: Option<i32>) -> Test {
    let gap = || gap.clone();
    let Some(round) = round else {
        return match way {
            Way::Up => in_range(&gap(), low, high),
            Way::Down => in_range(&gap(), high.checked_neg().unwrap_or(i32::MIN).max(-i32::MAX), -low),
            Way::Either => in_range(&Num::Abs(Box::new(gap())), low, high),
        };
    };
    let around = Num::Mod(Box::new(gap()), round as u32);
    let high = high.min(round - 1);
    let up = || in_range(&around, low, high);
    let down = || match low {
        0 => Test::Or(vec![in_range(&around, 0, 0), in_range(&around, round - high, round - 1)]),
        _ => in_range(&around, round - high, round - low),
    };
    match way {
        Way::Up => up(),
        Way::Down => down(),
        Way::Either => Test::Or(vec![up(), down()]),
    }
}
