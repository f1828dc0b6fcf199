//! Sentences: what is said of a card or a number.

use ken_logic::syntax::{Code, Diagnostic};

use super::lexer::Kind;
use super::number::{Feature, rank};
use super::parser::{Carry, Parsed, Parser, Subject, Value, one_or};
use super::vocabulary::adjective;
use super::{Attribute, CardRef, Cmp, Num, Scope, Test};
use crate::cards::CardSet;

const SIGNS: [(&str, Cmp); 6] =
    [("=", Cmp::Eq), ("!=", Cmp::Ne), ("<", Cmp::Lt), ("<=", Cmp::Le), (">", Cmp::Gt), (">=", Cmp::Ge)];

/// Words that only join a subject and what is said of it.
pub(super) const VERBS: [&str; 19] = [
    "is", "are", "be", "was", "were", "must", "should", "will", "has to", "have to", "had to", "needs to", "need to",
    "has", "have", "had", "does", "do", "did",
];

/// Whole sentences.
impl Parser<'_> {
    pub(super) fn statement(&mut self) -> Parsed<Test> {
        let _ = self.eat_any(&["only", "play"]);
        self.only = false;
        let test = self.sentence()?;
        self.only = self.eat("only");
        Ok(test)
    }

    fn sentence(&mut self) -> Parsed<Test> {
        if let Some(rule) = self.library_rule()? {
            return Ok(rule);
        }
        if let Some(test) = self.attempt(Self::general)? {
            return Ok(test);
        }
        if let Some(test) = self.all_but()? {
            return Ok(test);
        }
        if self.eat_any(&["anything", "any card", "true"]) {
            return Ok(Test::Const(true));
        }
        if self.eat("always") {
            let test = self.attempt(|p| p.sentence().map(Some))?;
            return Ok(test.unwrap_or(Test::Const(true)));
        }
        if self.eat("never") {
            if let Some(test) = self.not_in_a_row()? {
                return Ok(test);
            }
            let subject = Subject::Card(self.subject.clone());
            if let Some(test) = self.none_of(&subject)? {
                return Ok(test);
            }
            let test = self.attempt(|p| p.sentence().map(Some))?;
            return Ok(test.map_or(Test::Const(false), |test| Test::Not(Box::new(test))));
        }
        if self.eat_any(&["nothing", "no card", "false"]) {
            return Ok(Test::Const(false));
        }
        let readings = [
            Self::turns,
            Self::search_phrase,
            Self::in_a_row,
            Self::none,
            Self::quantity,
            Self::last_cards,
            Self::call,
            Self::about_subject,
        ];
        for reading in readings {
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
            self.clear_number(&carry)?;
        }
        self.about_nothing()
    }

    /// Refuses `the sum … is even or red`: a number is never red, and the card is not named.
    fn clear_number(&mut self, carry: &Carry) -> Parsed<()> {
        let Subject::Number(number) = &carry.subject else { return Ok(()) };
        let next = matches!(number, Num::Of(_, CardRef::Next));
        if next || !carry.words || !self.reader.strict() {
            return Ok(());
        }
        let start = self.at;
        let said = self.attempt(|p| {
            let card = p.adjectives(&Subject::Card(CardRef::Next))?.is_some();
            Ok((card && p.at_boundary()).then(|| p.span_from(start)))
        })?;
        let Some(span) = said else { return Ok(()) };
        let what = match number {
            Num::Sum(_) | Num::Add(..) => "sum",
            Num::Of(attribute, _) => attribute.name(),
            _ => "number",
        };
        let words = self.words_of(start, self.at).to_string();
        let of = |card: &str| {
            format!("`{}`", self.rewritten(start, start, &format!("{card} is {}", self.words_of(start, start + 1))))
        };
        let help = format!("say {}, or {}", of("next"), of("previous"));
        Err(self.unclear(span, &format!("a {what} cannot be `{words}`: of which card is this said?"), &help))
    }

    /// A sentence without a subject: about the next card. After `if` we take a property to be of the previous one,
    /// and note that nothing says so.
    fn about_nothing(&mut self) -> Parsed<Test> {
        let start = self.at;
        self.relational = false;
        let test = self.predicate(&Subject::Card(self.subject.clone()))?;
        if !self.premise || self.searching > 0 || self.relational {
            return Ok(test);
        }
        self.at = start;
        let test = self.predicate(&Subject::Card(CardRef::Back(1)))?;
        self.bare = Some(self.span_from(start));
        Ok(test)
    }

    /// `previous is red`, `rank at least 7`, `1 <= |d| <= 3`.
    fn about_subject(&mut self) -> Parsed<Option<Test>> {
        let mut subject = self.operand()?;
        if let Subject::Number(sum @ Num::Sum(_)) = &subject
            && let Some(card) = self.attempt(|p| if p.eat("and") { p.card() } else { Ok(None) })?
        {
            // `the sum of the last two cards and the next is even`.
            subject = Subject::Number(Num::Add(Box::new(sum.clone()), Box::new(rank(card))));
        }
        let sign = SIGNS.iter().any(|(sign, _)| self.sees(sign));
        let literal = matches!(subject, Subject::Number(Num::Const(_)));
        if literal && !sign && !self.sees("is") && !self.sees("in") {
            return Ok(None);
        }
        if let Subject::Card(card) = &subject {
            self.topic = Some(card.clone());
            if !matches!(card, CardRef::Next | CardRef::This) {
                self.mentioned = Some(card.clone());
            }
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
        if let [one, two] = groups[..]
            && one.or(two) == self.deck.all()
            && one.is_disjoint(two)
        {
            let same = Test::Iff(Box::new(card(CardRef::Next, one)), Box::new(card(CardRef::Back(1), one)));
            return Ok(Some(Test::Not(Box::new(same))));
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
}

/// What is said.
impl Parser<'_> {
    pub(super) fn predicate(&mut self, subject: &Subject) -> Parsed<Test> {
        self.deeper(|p| {
            p.graded = None;
            p.said = p.at;
            while p.eat_any(&VERBS) {}
            p.verb = p.at > p.said;
            if p.eat("neither") {
                return p.neither(subject);
            }
            if p.eat_any(&["not", "never"]) {
                if let Some(test) = p.none_of(subject)? {
                    return Ok(test);
                }
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
        let said = self.said;
        while let Some((_, cmp)) = SIGNS.iter().find(|(sign, _)| self.eat(sign)) {
            if matches!(cmp, Cmp::Eq | Cmp::Ne)
                && let Some(test) = self.named_value(&left)?
            {
                parts.push(if *cmp == Cmp::Eq { test } else { Test::Not(Box::new(test)) });
                break;
            }
            let plain = self.sees("(");
            let start = self.at;
            let right = self.operand()?;
            if parts.is_empty() {
                self.clear_remainder(&left, said)?;
            }
            if matches!(cmp, Cmp::Eq | Cmp::Ne) {
                self.clear_feature(&left, &right, start)?;
            }
            let (a, b) = (self.as_number(&left, &right), self.as_number(&right, &left));
            if !plain {
                self.same_kind(&a, &b, start)?;
            }
            let ends = !SIGNS.iter().any(|(sign, _)| self.sees(sign));
            if *cmp == Cmp::Eq && parts.is_empty() && ends {
                return self.one_of_sums(a, b);
            }
            if ends && *cmp != Cmp::Eq {
                self.clear_second(&left, *cmp, (start - 1, start))?;
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
    pub(super) fn as_number(&self, what: &Subject, with: &Subject) -> Num {
        match what {
            Subject::Number(number) => number.clone(),
            Subject::Card(card) => with.feature().number(card.clone()),
        }
    }

    /// Refuses `suit = rank`, unless it stands in parentheses.
    pub(super) fn same_kind(&mut self, a: &Num, b: &Num, start: usize) -> Parsed<()> {
        let (Num::Of(a, _), Num::Of(b, _)) = (a, b) else { return Ok(()) };
        if a == b {
            return Ok(());
        }
        let message = format!("a {} is compared with a {}", a.name(), b.name());
        let problem = Diagnostic::new(Code::Type, self.span_from(start), message)
            .help("put the second in parentheses if the numbers are meant");
        Err(self.report(problem))
    }

    /// Refuses `next is different from previous`, where no feature is named.
    pub(super) fn clear_feature(&mut self, a: &Subject, b: &Subject, start: usize) -> Parsed<()> {
        if !self.reader.strict() || !matches!((a, b), (Subject::Card(_), Subject::Card(_))) {
            return Ok(());
        }
        let span = self.span_from(start);
        let help = "say in what, as in `same rank as previous` or `different suit from previous`";
        Err(self.unclear(span, "in rank, suit or colour?", help))
    }

    /// The card that a comparison without one is with: the one before; of a card that is searched for, the next.
    pub(super) fn default_other(&self, subject: &Subject) -> CardRef {
        match subject {
            Subject::Card(CardRef::This) | Subject::Number(Num::Of(_, CardRef::This)) if self.reader.strict() => {
                CardRef::Next
            }
            Subject::Card(CardRef::Back(k)) | Subject::Number(Num::Of(_, CardRef::Back(k))) if *k < u8::MAX => {
                CardRef::Back(k + 1)
            }
            _ => CardRef::Back(1),
        }
    }

    /// `than X`, `from X`, or the previous card.
    pub(super) fn other(&mut self, subject: &Subject, before: &[&str]) -> Parsed<Subject> {
        self.relational = true;
        if !self.eat_any(before) {
            self.implied = true;
            return Ok(Subject::Card(self.default_other(subject)));
        }
        // A card is not compared with itself: `it` is another one.
        if self.searching == 0 && self.eat("it") {
            let it = self.mentioned.clone().filter(|card| Subject::Card(card.clone()) != *subject);
            return Ok(Subject::Card(it.unwrap_or_else(|| self.default_other(subject))));
        }
        if self.reader.strict() && self.word_after(1) == Some("of") && self.one_of_several() {
            let problem = Diagnostic::new(Code::Syntax, self.span(), "which of them?");
            self.firm = true;
            return Err(self.report(problem));
        }
        self.operand()
    }

    /// Whether `one`, `two`, `any`, `all` stands here, as in `higher than one of the last four`.
    fn one_of_several(&self) -> bool {
        let word = self.word().is_some_and(|w| ["any", "all", "each", "both", "either", "some"].contains(&w));
        word || self.plain_number()
    }

    /// `not yet seen`, `new`, `among the last three ranks`, `in ranks(line)`.
    fn seen(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let start = self.at;
        let mut named = None;
        let one = self.sees("one of") || self.sees("among");
        let (scope, fresh) = if self.eat_any(&["yet seen", "already seen", "seen", "repeated"]) {
            (self.scope()?.unwrap_or(Scope::Line), false)
        } else if self.eat_any(&["new", "unseen"]) {
            (self.scope()?.unwrap_or(Scope::Line), true)
        } else if self.eat_any(&["in", "among", "one of"]) {
            let _ = self.eat("the");
            named = self.attribute();
            let parenthesis = named.is_some() && self.eat("(");
            let Some(scope) = self.scope()? else { return Ok(None) };
            // `one of the last three colours`: the feature stands after the number.
            let noun = self.at - 1;
            let last = self.attempt(|p| {
                p.at = noun;
                Ok(p.attribute())
            })?;
            named = named.or(last);
            if parenthesis {
                self.expect(")")?;
            }
            (scope, false)
        } else {
            return Ok(None);
        };
        if one && named.is_none() && matches!(subject, Subject::Card(_)) {
            self.clear_cards(start)?;
        }
        let features = match (subject, named.filter(|_| self.reader.strict())) {
            (Subject::Card(_), Some(feature)) => vec![feature],
            (Subject::Card(_), None) => vec![Feature::Of(Attribute::Rank), Feature::Of(Attribute::Suit)],
            (Subject::Number(_), Some(feature)) if feature != subject.feature() => {
                let span = self.span_from(start);
                let help = "say `rank among the last 3 ranks`, or `suit among the last 3 suits`";
                return Err(self.unclear(span, "these are of another kind", help));
            }
            (Subject::Number(_), _) => vec![subject.feature()],
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

    /// Refuses `one of the last two`: of the cards, the ranks or the suits?
    fn clear_cards(&mut self, start: usize) -> Parsed<()> {
        let last = self.at - 1;
        self.at = last;
        let count = self.whole();
        self.at = last + 1;
        let Some(n) = count.filter(|_| self.reader.strict() && self.at_boundary()) else { return Ok(()) };
        let help = format!(
            "say `rank among the last {n} ranks`, `suit among the last {n} suits`, or `next is one of the last {n} cards`"
        );
        Err(self.unclear(self.span_from(start), "one of the cards, of the ranks or of the suits?", &help))
    }

    /// Refuses what a card does not equal: another card (`higher than previous or the starter`), a highest rank.
    fn clear_value(&mut self, other: &Subject, verb: bool, start: usize) -> Parsed<()> {
        let span = self.span_from(start);
        match other {
            Subject::Number(Num::Const(_)) => Ok(()),
            Subject::Number(Num::Highest(_) | Num::Lowest(_)) => {
                let help = "say `higher than the highest so far`, or `rank of next = highest so far`";
                Err(self.unclear(span, "as high, or higher?", help))
            }
            Subject::Card(_) | Subject::Number(_) if !verb => {
                self.at = start;
                Err(self.expected("a comparison such as `higher than` in front of it"))
            }
            Subject::Card(_) => self.clear_feature(other, other, start),
            Subject::Number(_) => Ok(()),
        }
    }

    /// `odd numbers`, but not `odd number of cards`.
    pub(super) fn eat_numbers(&mut self) -> bool {
        self.word_after(1) != Some("of") && self.eat_any(&["numbers", "number"])
    }

    /// `a red face card`, `any card`, or what it equals.
    fn plain(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        if let Subject::Card(card) = subject
            && self.eat("any card")
        {
            return Ok(Some(Test::In(card.clone(), self.deck.all())));
        }
        if let Some(test) = self.attempt(|p| p.in_words(subject))? {
            return Ok(Some(test));
        }
        if let Some(test) = self.attempt(|p| p.adjectives(subject))? {
            let _ = self.eat_any(&["cards", "card", "ranks", "rank"]) || self.eat_numbers();
            return Ok(Some(test));
        }
        let (start, said, verb) = (self.at, self.said, self.verb);
        let other = self.operand()?;
        if matches!((subject, &other), (Subject::Card(CardRef::Next), Subject::Card(CardRef::Next))) {
            return Ok(None);
        }
        self.clear_remainder(subject, said)?;
        if self.reader.strict() && matches!(subject, Subject::Card(_)) {
            self.clear_value(&other, verb, start)?;
        }
        self.relational |= !matches!(other, Subject::Number(Num::Const(_)));
        let (a, b) = (self.as_number(subject, &other), self.as_number(&other, subject));
        self.same_kind(&a, &b, start)?;
        if a == b {
            return Ok(None);
        }
        if let (Num::Of(Attribute::Rank, _), Num::Const(n)) = (&a, &b)
            && !(1..=i32::from(self.deck.values())).contains(n)
        {
            let message = format!("no card has the rank {n}");
            return Err(self.problem(Code::Number, self.span_from(start), message));
        }
        Ok(Some(self.one_of_sums(a, b)?))
    }
}
