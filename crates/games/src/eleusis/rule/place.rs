//! Phrases for places: which card of the line, which stretch of it.

use ken_logic::syntax::Code;

use super::lexer::Kind;
use super::parser::{Parsed, Parser, Subject, Value};
use super::vocabulary::{back, number, ordinal};
use super::{CardRef, Scope, Test};

impl Parser<'_> {
    /// A whole number, in digits or as a word.
    pub(super) fn whole(&mut self) -> Option<i32> {
        let n = match self.kind() {
            Kind::Number(n) => *n,
            Kind::Word(word) => i32::from(number(word)?),
            Kind::Sign(_) | Kind::End => return None,
        };
        self.advance();
        Some(n)
    }

    /// A number of places in the line, from 1 to 255.
    fn places(&mut self) -> Parsed<Option<u8>> {
        let span = self.span();
        let Some(n) = self.whole() else { return Ok(None) };
        match u8::try_from(n) {
            Ok(k) if k > 0 => Ok(Some(k)),
            _ => Err(self.problem(Code::Number, span, "a place in the line is a number from 1 to 255")),
        }
    }

    /// The card that is named here: `previous`, `the card before the previous`, `the last red card`, `the starter`.
    pub(super) fn card(&mut self) -> Parsed<Option<CardRef>> {
        self.attempt(Self::card_phrase)
    }

    fn card_phrase(&mut self) -> Parsed<Option<CardRef>> {
        let _ = self.eat("the");
        if let Some(card) = self.named_card()? {
            return Ok(Some(card));
        }
        if self.sees("next") && !self.sees("next to") {
            self.advance();
            let _ = self.eat("card");
            return Ok(Some(CardRef::Next));
        }
        if self.eat("new card") {
            return Ok(Some(CardRef::Next));
        }
        if self.searching == 0
            && let Some(topic) = self.topic.clone()
            && self.eat("it")
        {
            return Ok(Some(topic));
        }
        if self.eat_any(&["it", "this card", "this"]) {
            return Ok(Some(self.subject.clone()));
        }
        if self.eat_any(&["starter", "starting card", "start card"]) {
            return Ok(Some(CardRef::Nth(1)));
        }
        if self.eat_any(&["card before", "one before"]) {
            return Ok(Some(match self.card()? {
                Some(CardRef::Back(k)) if k < u8::MAX => CardRef::Back(k + 1),
                Some(CardRef::Next) | None => CardRef::Back(1),
                Some(_) => return Err(self.expected("the next or an earlier card")),
            }));
        }
        if self.eat_any(&["preceding card", "top card"]) {
            return Ok(Some(CardRef::Back(1)));
        }
        if let Some(k) = self.word().and_then(back) {
            self.advance();
            let _ = self.eat_any(&["card", "one"]);
            return Ok(Some(CardRef::Back(k)));
        }
        if self.eat_any(&["last", "latest", "most recent"]) {
            return self.last_card();
        }
        if self.eat("line [") {
            let from_zero = self.whole().and_then(|n| u8::try_from(n).ok()).filter(|&n| n < u8::MAX);
            let Some(n) = from_zero else { return Err(self.expected("a place from 0 on")) };
            self.expect("]")?;
            return Ok(Some(CardRef::Nth(n + 1)));
        }
        if self.eat("card") {
            return Ok(Some(match self.places()? {
                None => self.subject.clone(),
                Some(k) if self.eat_any(&["back", "ago"]) => CardRef::Back(k),
                Some(k) => CardRef::Nth(k),
            }));
        }
        self.counted_card()
    }

    /// `third card`, `third card back`, `second to last card`, `two cards back`, `3 back`.
    fn counted_card(&mut self) -> Parsed<Option<CardRef>> {
        if let Some(k) = self.word().and_then(ordinal) {
            self.advance();
            if self.eat_any(&["to last", "last"]) {
                let _ = self.eat("card");
                return Ok(Some(CardRef::Back(k)));
            }
            if !self.eat("card") {
                return Ok(None);
            }
            if self.eat_any(&["back", "ago", "from the top", "from the end"]) {
                return Ok(Some(CardRef::Back(k)));
            }
            let _ = self.eat_any(&["of the line", "in the line"]);
            return Ok(Some(CardRef::Nth(k)));
        }
        let Some(k) = self.places()? else { return Ok(None) };
        let _ = self.eat_any(&["cards", "card"]);
        Ok(self.eat_any(&["back", "ago"]).then_some(CardRef::Back(k)))
    }

    /// After `last`: the previous card, or the latest card with a property.
    fn last_card(&mut self) -> Parsed<Option<CardRef>> {
        if self.whole_ahead() && !self.rank_ahead() {
            return Ok(None);
        }
        if let Some(test) = self.attempt(Self::such_card)? {
            return Ok(Some(CardRef::LastWith(Box::new(test))));
        }
        let _ = self.eat_any(&["card", "one"]);
        Ok(Some(CardRef::Back(1)))
    }

    /// Whether a count follows, as in `last three cards`.
    fn whole_ahead(&self) -> bool {
        match self.kind() {
            Kind::Number(_) => true,
            Kind::Word(word) => number(word).is_some(),
            Kind::Sign(_) | Kind::End => false,
        }
    }

    /// Whether what follows names a rank and cannot be a count: `last ace`, `last kings`.
    fn rank_ahead(&self) -> bool {
        self.word().is_some_and(|w| ["ace", "jack", "queen", "king"].contains(&w.trim_end_matches('s')))
    }

    /// `red card`, `ace`, `card with …`, `card that is …`: a property of a card of the line.
    pub(super) fn such_card(&mut self) -> Parsed<Option<Test>> {
        self.search(|p| {
            let subject = Subject::Card(CardRef::This);
            let adjective = p.adjectives(&subject)?;
            let noun = p.eat_any(&["cards", "card", "one"]);
            let clause = if noun { p.clause()? } else { None };
            Ok(match (adjective, clause) {
                (Some(a), Some(b)) => Some(Test::And(vec![a, b])),
                (a, b) => a.or(b),
            })
        })
    }

    /// `with …`, `that is …`, `of the same suit`, `of its rank`: after the word card, about [`CardRef::This`].
    pub(super) fn clause(&mut self) -> Parsed<Option<Test>> {
        let subject = Subject::Card(CardRef::This);
        if self.eat_any(&["with", "where", "such that"]) {
            return self.simple().map(Some);
        }
        if self.eat_any(&["that is", "that are", "which is", "which are"]) {
            return self.predicate(&subject).map(Some);
        }
        if self.eat_any(&["of its", "of the same", "with its"]) {
            let Some(attribute) = self.attribute() else { return Err(self.expected("rank, suit, colour or parity")) };
            return Ok(Some(attribute.compare(CardRef::This, super::Cmp::Eq, CardRef::Next)));
        }
        Ok(None)
    }

    fn named_card(&mut self) -> Parsed<Option<CardRef>> {
        let at = self.at;
        match self.named()? {
            Some(Value::Card(level)) if level == self.searching => Ok(Some(CardRef::This)),
            Some(Value::Card(_)) => {
                self.at = at;
                Err(self.problem(Code::Type, self.span(), "only the card of the innermost search can be named"))
            }
            Some(Value::Test(_) | Value::Number(_)) | None => {
                self.at = at;
                Ok(None)
            }
        }
    }

    /// A stretch of the line: `so far`, `in the last three cards`, `since the last ace`.
    pub(super) fn scope(&mut self) -> Parsed<Option<Scope>> {
        if self.eat_any(&["so far", "in the line", "in line", "of the line", "the line", "line", "before"]) {
            let _ = self.eat("so far");
            return Ok(Some(Scope::Line));
        }
        if self.eat("since") {
            return self.since().map(Some);
        }
        self.attempt(|p| {
            let _ = p.eat_any(&["in", "among", "of", "on"]);
            let _ = p.eat("the");
            if !p.eat("last") {
                return Ok(None);
            }
            let k = p.places()?;
            let _ = p.eat_any(&["cards", "card", "ranks", "suits", "colours", "colors", "values", "parities"]);
            Ok(k.map(Scope::Last))
        })
    }

    /// After `since`: `the last ace`, `the last card with …`, or a condition.
    fn since(&mut self) -> Parsed<Scope> {
        let _ = self.eat("the");
        let _ = self.eat_any(&["last", "latest", "most recent"]);
        let test = match self.attempt(Self::such_card)? {
            Some(test) => test,
            None => self.search(Self::simple)?,
        };
        Ok(Scope::Since(Box::new(test)))
    }
}
