//! What is said of several cards at once, or of every card: runs, counts, exclusions.

use super::parser::{Parsed, Parser, Subject, one_or, some_of};
use super::predicate::VERBS;
use super::relation::COMPARISONS;
use super::scope::{NEGATIONS, RELATIONS};
use super::vocabulary::ordinal;
use super::{CardRef, Cmp, Num, Scope, Test};
use crate::cards::CardSet;

/// The longest run of cards that is spelt out.
const MAX_RUN: i32 = 20;

/// The card so many places back; the next one for 0.
fn card(back: u8) -> CardRef {
    if back == 0 { CardRef::Next } else { CardRef::Back(back) }
}

impl Parser<'_> {
    /// `two`, `3`: a number of cards to be spelt out.
    pub(super) fn several(&mut self) -> Option<u8> {
        self.whole().filter(|n| (2..=MAX_RUN).contains(n)).and_then(|n| u8::try_from(n).ok())
    }

    /// The same; or one, where a limit is meant: `no more than one`.
    fn several_or_one(&mut self, limit: bool) -> Option<u8> {
        let start = self.at;
        let one = limit && self.whole() == Some(1);
        if one {
            return Some(1);
        }
        self.at = start;
        self.several()
    }

    /// `red cards`, `cards of the same suit`: said of so many cards, counted from one place back.
    pub(super) fn run(&mut self, from: u8, count: u8) -> Parsed<Option<Test>> {
        let start = self.at;
        if self.eat_any(&["cards of the same", "card of the same"]) {
            let Some(feature) = self.attribute() else { return Err(self.expected("rank, suit, colour or parity")) };
            let pairs = (from..from + count - 1).map(|k| feature.compare(card(k), Cmp::Eq, card(k + 1)));
            return Ok(Some(one_or(pairs.collect(), Test::And)));
        }
        let mut parts = Vec::new();
        for k in from..from + count {
            self.at = start;
            let Some(test) = self.adjectives(&Subject::Card(card(k)))? else { return Ok(None) };
            parts.push(test);
        }
        let _ = self.eat_any(&["cards", "card"]);
        Ok(Some(Test::And(parts)))
    }

    /// `two red cards in a row`, `no more than two spades in a row`: the next card is the last of them.
    pub(super) fn in_a_row(&mut self) -> Parsed<Option<Test>> {
        let start = self.at;
        let most = self.eat_any(&["at most", "no more than", "not more than"]);
        let more = !most && self.eat("more than");
        let no = !most && !more && self.eat("no");
        let _ = !most && !more && !no && self.eat("at least");
        let Some(count) = self.several_or_one(most || more) else { return Ok(None) };
        // After `if` the cards lie already.
        let from = u8::from(self.reader.strict() && self.premise);
        let run = self.run(from, count + u8::from(most || more))?;
        if !self.eat("in a row") {
            return Ok(None);
        }
        if run.is_some() && self.reader.strict() && !self.premise && !most && !no {
            let span = self.span_from(start);
            let help = "say `no more than two red cards in a row`, or what must follow: `if previous is red then red`";
            return Err(self.unclear(span, "must every card be one of them?", help));
        }
        Ok(run.map(|run| if most || no { Test::Not(Box::new(run)) } else { run }))
    }

    /// After `not` or `never`: `two red cards in a row`, `more than two spades in a row`.
    pub(super) fn not_in_a_row(&mut self) -> Parsed<Option<Test>> {
        if !self.reader.strict() {
            return Ok(None);
        }
        self.attempt(|p| {
            let more = p.eat("more than");
            let _ = !more && p.eat("at least");
            let Some(count) = p.several_or_one(more) else { return Ok(None) };
            let run = p.run(u8::from(p.premise), count + u8::from(more))?;
            let said = p.eat("in a row");
            Ok(run.filter(|_| said).map(|run| Test::Not(Box::new(run))))
        })
    }

    /// `the last two cards are red`, `the last two cards have the same suit`.
    pub(super) fn last_cards(&mut self) -> Parsed<Option<Test>> {
        let _ = self.eat_any(&["both of", "all of", "both", "all"]);
        let _ = self.eat("the");
        if !self.eat_any(&["last", "previous"]) {
            return Ok(None);
        }
        let Some(count) = self.several() else { return Ok(None) };
        if !self.eat("cards") || !self.eat_any(&VERBS) {
            return Ok(None);
        }
        let _ = self.eat_any(&["both", "all"]);
        let start = self.at;
        self.implied = false;
        let mut parts = Vec::new();
        for k in 1..=count {
            self.at = start;
            parts.push(self.predicate(&Subject::Card(CardRef::Back(k)))?);
        }
        if self.implied {
            // They are compared with each other. Of more than two we cannot say in general which with which.
            let equal = parts.iter().all(|part| matches!(part, Test::Compare(_, Cmp::Eq, _)));
            if count > 2 && !equal {
                let span = self.span_from(start);
                return Err(self.unclear(span, "which of them is compared with which?", "name the cards, as `prev2`"));
            }
            parts.pop();
        }
        Ok(Some(one_or(parts, Test::And)))
    }

    /// `a card must be red`, `every third card is a face card`.
    pub(super) fn general(&mut self) -> Parsed<Option<Test>> {
        let place = if self.eat("every") || self.eat("each") {
            let place = self.word().and_then(ordinal);
            if place.is_some() {
                self.advance();
            }
            if !self.eat("card") {
                return Ok(None);
            }
            place
        } else if self.eat_any(&["a card", "any card", "all cards", "cards"]) {
            None
        } else {
            return Ok(None);
        };
        if !VERBS.iter().any(|verb| self.sees(verb)) || self.searching > 0 {
            return Ok(None);
        }
        let test = self.predicate(&Subject::Card(CardRef::Next))?;
        let Some(place) = place else { return Ok(Some(test)) };
        let lying = Num::Count(Scope::Line, Box::new(Test::Const(true)));
        let own = Num::Add(Box::new(lying), Box::new(Num::Const(1)));
        let turn = Test::Compare(Num::Mod(Box::new(own), u32::from(place)), Cmp::Eq, Num::Const(0));
        Ok(Some(Test::If(Box::new(turn), Box::new(test), Box::new(Test::Const(true)))))
    }

    /// `no face cards`, `no hearts or spades`: the next card is none of them.
    pub(super) fn none(&mut self) -> Parsed<Option<Test>> {
        if !self.eat("no") {
            return Ok(None);
        }
        let subject = Subject::Card(self.subject.clone());
        let tests: Vec<Test> = self.alternatives(&subject, false)?.into_iter().map(|(test, _)| test).collect();
        Ok((!tests.is_empty() && self.at_boundary()).then(|| Test::Not(Box::new(any_of(tests)))))
    }

    /// After `not`: `a heart or a spade`, which excludes both. What could be one of two things is refused.
    pub(super) fn none_of(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let start = self.at;
        let tests = self.attempt(|p| {
            let tests = p.alternatives(subject, false)?;
            Ok((tests.len() > 1 && p.at_boundary()).then_some(tests))
        })?;
        let Some(tests) = tests else { return Ok(None) };
        self.apart(&tests, start)?;
        Ok(Some(Test::Not(Box::new(any_of(tests.into_iter().map(|(test, _)| test).collect())))))
    }

    /// `a heart or a spade`, `4, 5 or 6`, with their words: properties of one subject. What is excluded may also be
    /// joined by `and`.
    pub(super) fn alternatives(&mut self, subject: &Subject, and: bool) -> Parsed<Vec<(Test, String)>> {
        let mut tests = Vec::new();
        let mut left = self.at;
        loop {
            let join = self.at;
            let also = and && (self.sees("and") || self.sees(", and"));
            let joined = tests.is_empty() || self.sees("or") || self.sees(",") || also;
            let test = self.attempt(|p| {
                let _ = p.eat_any(&[", or", "or"]) || (and && p.eat_any(&[", and", "and"])) || p.eat(",");
                let start = p.at;
                let test = p.adjectives(subject)?;
                let words = p.words_of(start, p.at).to_string();
                let _ = p.eat_any(&["cards", "card"]);
                Ok(test.filter(|_| joined).map(|test| (test, words)))
            })?;
            match test {
                Some(test) => {
                    if !tests.is_empty() {
                        self.clear_kinds(left, join, true)?;
                    }
                    left = join + usize::from(!tests.is_empty());
                    tests.push(test);
                }
                None => return Ok(tests),
            }
        }
    }

    /// After `neither`: `red nor even`.
    pub(super) fn neither(&mut self, subject: &Subject) -> Parsed<Test> {
        let start = self.at - 1;
        let mut parts = vec![self.predicate(subject)?];
        while self.eat_any(&["nor", ", nor"]) {
            parts.push(self.predicate(subject)?);
        }
        if parts.len() < 2 {
            return Err(self.expected("`nor`"));
        }
        self.clear_neither(subject, start)?;
        Ok(Test::Not(Box::new(Test::Or(parts))))
    }

    /// Refuses `neither red nor even or a king`: is a king excluded too? The `neither` stands at `start`.
    fn clear_neither(&mut self, subject: &Subject, start: usize) -> Parsed<()> {
        let join = self.at;
        if !self.reader.grouping() || !["or", ", or", "and"].iter().any(|words| self.sees(words)) {
            return Ok(());
        }
        let comma = usize::from(self.sees(","));
        let and = self.word_after(comma) == Some("and");
        let found = self.attempt(|p| {
            p.at += comma + 1;
            let first = p.at;
            // What names its subject, or compares, is a sentence of its own.
            if p.word().is_none_or(|word| and && RELATIONS.contains(&word)) && !p.plain_number() {
                return Ok(None);
            }
            if NEGATIONS.iter().any(|word| p.sees(word)) {
                return Ok(None);
            }
            let read = p.predicate(subject).is_ok() && p.at_boundary();
            Ok(read.then_some((first, p.at)))
        })?;
        self.at = join;
        let Some((first, end)) = found else { return Ok(()) };
        let span = self.tokens[start].span.to(self.tokens[end - 1].span);
        let (none, last) = (self.words_of(start, join).to_string(), self.words_of(first, end).to_string());
        let word = if and { "and" } else { "or" };
        let ways = [format!("{none} nor {last}"), format!("{last} {word} {none}")];
        let [all, own] = ways.map(|way| self.rewritten(start, end - 1, &way));
        Err(self.unclear(span, "does `neither` hold for the last, too?", &format!("say `{all}`, or `{own}`")))
    }

    /// `4, 5 or 6`: a list with commas, closed by `or`. One that is closed by `and`, or not at all, is refused.
    pub(super) fn in_words(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let start = self.at;
        let mut tests = Vec::new();
        let mut closed = false;
        let mut and = false;
        while !closed {
            let comma = tests.is_empty() || self.eat(",");
            closed = !tests.is_empty() && self.eat("or");
            and = !closed && tests.len() > 1 && self.reader.grouping() && self.eat("and");
            closed |= and;
            // `red, or black` is no list: what follows may be said of the second only.
            let two = self.reader.strict() && closed && comma && tests.len() == 1;
            let listed = comma || (closed && tests.len() > 1);
            if !listed && tests.len() > 2 {
                and = true;
                break;
            }
            if !listed || two {
                return Ok(None);
            }
            match self.adjectives(subject)? {
                Some(test) => tests.push(test),
                None => return Ok(None),
            }
        }
        // `if previous is a king, 7 or 8` has no list, nor has `after a king, 7 and red`.
        let ends = if self.premise { self.sees("then") || self.sees(",") } else { self.at_boundary() };
        let before = |n: usize| start.checked_sub(n).is_some_and(|at| self.words_of(at, at + 1) == "after");
        if !ends || (and && (self.premise || before(1) || before(2))) {
            return Ok(None);
        }
        self.clear_list(start, and)?;
        Ok((!and).then(|| any_of(tests)))
    }

    /// `fewer than 4 cards`, `at most two red cards in the last 5`, `no cards of its rank so far`.
    pub(super) fn quantity(&mut self) -> Parsed<Option<Test>> {
        let start = self.at;
        let (cmp, n) = if self.eat("no") {
            (Cmp::Eq, 0)
        } else {
            let cmp = COMPARISONS.iter().find(|(words, _)| self.eat(words)).map_or(Cmp::Eq, |(_, cmp)| *cmp);
            let Some(n) = self.whole() else { return Ok(None) };
            (cmp, n)
        };
        let noun = (0..4).map_while(|i| self.word_after(i)).any(|w| w == "cards" || w == "card");
        if !noun && !self.reader.strict() {
            return Ok(None);
        }
        let Some((mut count, scoped)) = self.cards()?.filter(|(_, scoped)| noun || *scoped) else { return Ok(None) };
        let mut whole = scoped || matches!(&count, Num::Count(_, test) if **test == Test::Const(true));
        count.cards(0, &mut |card, _| whole |= *card == CardRef::Next);
        if !whole {
            let help = "say `so far` for the cards that lie, or how many may come in a row";
            let span = self.span_from(start);
            return Err(self.unclear(span, "among which cards, and with the next one or without?", help));
        }
        Ok(Some(Test::Compare(count, cmp, Num::Const(n))))
    }
}

/// One of them; sets of one card are put together.
pub(super) fn any_of(tests: Vec<Test>) -> Test {
    let mut all: Option<(CardRef, CardSet)> = None;
    for test in &tests {
        match (test, &mut all) {
            (Test::In(card, set), None) => all = Some((card.clone(), *set)),
            (Test::In(card, set), Some((same, union))) if same == card => *union = union.or(*set),
            _ => return some_of(tests),
        }
    }
    all.map_or(Test::Const(false), |(card, set)| Test::In(card, set))
}
