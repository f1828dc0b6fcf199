//! Exclusions: `anything but clubs`, `red except hearts`, `unless`, `only if`; and what `but` may join.
//!
//! An exclusion is never read as `and`.

use super::parser::{Parsed, Parser, Subject, implies};
use super::several::any_of;
use super::{CardRef, Test};
use crate::cards::CardSet;

/// Words for every card, and for none.
const EVERYTHING: [&str; 7] = ["anything", "everything", "any card", "every card", "all cards", "any", "all"];
const NOTHING: [&str; 3] = ["nothing", "no card", "no cards"];
/// What excludes from them.
const BUT: [&str; 6] = ["but", "except for", "except", "other than", "apart from", "besides"];

/// Whether some of these kinds of cards are of the first: only then `except` takes out.
fn takes_out(test: &Test, excluded: &Test) -> bool {
    fn cards(test: &Test) -> Option<CardSet> {
        match test {
            Test::In(CardRef::Next, cards) => Some(*cards),
            Test::Or(parts) => parts.iter().try_fold(CardSet::EMPTY, |all, part| Some(all.or(cards(part)?))),
            Test::And(parts) => {
                let mut each = parts.iter().map(cards);
                let first = each.next()??;
                each.try_fold(first, |all, part| Some(all.and(part?)))
            }
            Test::Const(_) | Test::In(..) | Test::Compare(..) | Test::Not(_) | Test::Iff(..) | Test::If(..) => None,
        }
    }
    match (cards(test), cards(excluded)) {
        (Some(fit), Some(out)) => !fit.is_disjoint(out),
        (None, _) | (_, None) => false,
    }
}

impl Parser<'_> {
    /// `anything but clubs`, `any card except a spade`, `nothing but hearts`.
    pub(super) fn all_but(&mut self) -> Parsed<Option<Test>> {
        if !self.reader.strict() {
            return Ok(None);
        }
        let start = self.at;
        let all = self.eat_any(&EVERYTHING);
        let said = (all || self.eat_any(&NOTHING)) && !self.choice_after_but() && self.eat_any(&BUT);
        if !said {
            self.at = start;
            return Ok(None);
        }
        if all {
            // `any card but not a spade`; with other words it is in doubt, and was refused.
            let _ = self.eat_any(&["not", "no", "never"]);
        }
        let subject = Subject::Card(self.subject.clone());
        let test = self.excluded(&subject, all)?;
        Ok(Some(if all { Test::Not(Box::new(test)) } else { test }))
    }

    /// `but if …`, `but not both` join; they exclude nothing.
    fn choice_after_but(&self) -> bool {
        ["but if", "but when", "but not both"].iter().any(|words| self.sees(words))
    }

    /// What is excluded, or with `nothing but` alone fits: kinds of cards, or one condition. What comes after it must not
    /// be in doubt.
    fn excluded(&mut self, subject: &Subject, out: bool) -> Parsed<Test> {
        let start = self.at;
        let listed = self.attempt(|p| {
            let tests = p.alternatives(subject, true)?;
            Ok((!tests.is_empty() && p.at_boundary() && !p.goes_on()).then_some(tests))
        })?;
        if let Some(tests) = listed {
            if out {
                self.apart(&tests, start)?;
            }
            return Ok(any_of(tests.into_iter().map(|(test, _)| test).collect()));
        }
        let test = self.predicate(subject)?;
        if self.goes_on() {
            let span = self.span_from(start);
            let help = "say the exclusion last, as in `higher than previous and not a club`";
            return Err(self.unclear(span, "is what follows excluded too?", help));
        }
        Ok(test)
    }

    fn goes_on(&self) -> bool {
        ["and", "or", ", and", ", or", ","].iter().any(|join| self.sees(join))
    }

    /// Refuses to exclude things that a card can be both of: `not red or even`.
    pub(super) fn apart(&mut self, tests: &[(Test, String)], start: usize) -> Parsed<()> {
        let mut seen = CardSet::EMPTY;
        for (test, _) in tests {
            let Test::In(_, cards) = test else { continue };
            // Of things that no card is both, `not this, or that` would say no more than `not this`.
            if !seen.is_disjoint(*cards) {
                let span = self.span_from(start);
                let words: Vec<&str> = tests.iter().map(|(_, words)| words.as_str()).collect();
                let help = format!("say `neither {}`", words.join(" nor "));
                return Err(self.unclear(span, "does `not` hold for both?", &help));
            }
            seen = seen.or(*cards);
        }
        Ok(())
    }

    /// After a condition: `except hearts`, `other than a king`.
    pub(super) fn except(&mut self, test: &Test) -> Parsed<Option<Test>> {
        if !self.reader.strict() {
            return Ok(None);
        }
        let start = self.at;
        if !self.eat_any(&["except for", "except", ", except for", ", except", "other than"]) {
            return Ok(None);
        }
        let next = Subject::Card(CardRef::Next);
        let of_next = self.carry.as_ref().is_none_or(|carry| carry.subject == next);
        let plain = of_next && !self.premise && self.subject == CardRef::Next;
        let excluded = if plain { self.attempt(|p| p.excluded(&next, true).map(Some))? } else { None };
        match excluded {
            Some(excluded) if takes_out(test, &excluded) => {
                Ok(Some(Test::And(vec![test.clone(), Test::Not(Box::new(excluded))])))
            }
            Some(_) => {
                let span = self.span_from(start);
                let help = "say `same suit and not a king`, or `same suit or a king`";
                Err(self.unclear(span, "are these cards refused, or do they fit as well?", help))
            }
            None => {
                let span = self.span_from(start);
                let help = "exclude cards, as in `red except hearts`, or say when: `red unless previous is a king`";
                Err(self.unclear(span, "which cards are excluded?", help))
            }
        }
    }

    /// Reads a `but` between two conditions, which is `and`; refuses one that may exclude: `even but red`.
    pub(super) fn joining_but(&mut self) -> Parsed<()> {
        let but = self.at + usize::from(self.sees(","));
        let _ = self.eat_any(&["but", ", but"]);
        let start = self.at;
        if !self.reader.strict() {
            return Ok(());
        }
        let subject = Subject::Card(self.subject.clone());
        let bare = self.attempt(|p| {
            let found = p.adjectives(&subject)?.is_some();
            let _ = p.eat_any(&["cards", "card"]);
            Ok((found && p.at_boundary()).then_some(()))
        })?;
        if bare.is_none() {
            return Ok(());
        }
        let span = self.span_from(but);
        self.at = start;
        let help = format!("say `{}` or `{}`", self.rewritten(but, but, "and"), self.rewritten(but, but, "and not"));
        Err(self.unclear(span, "does `but` mean `and`, or `except`?", &help))
    }

    /// After `unless`: when the condition does not count.
    pub(super) fn exception(&mut self, test: Test) -> Parsed<Test> {
        if !self.reader.strict() {
            return Ok(Test::Or(vec![test, self.disjunction()?]));
        }
        let (condition, bare) = self.premise(Self::disjunction)?;
        self.of_a_card(bare, false)?;
        Ok(Test::Or(vec![test, condition]))
    }

    /// `red only if previous is black`: when it may come, not what must come.
    pub(super) fn only_if(&mut self, test: Test) -> Parsed<Test> {
        self.only = false;
        self.advance();
        let start = self.at;
        let (condition, bare) = self.premise(Self::disjunction)?;
        self.of_a_card(bare, true)?;
        if ["else", "otherwise", ", else", ", otherwise"].iter().any(|word| self.sees(word)) {
            let span = self.span_from(start);
            let help = "leave `only` out, as in `red if previous is black, otherwise even`";
            return Err(self.unclear(span, "`only if` says nothing of other cards", help));
        }
        Ok(implies(test, condition))
    }

    /// The text with these tokens replaced: a sentence to suggest.
    pub(super) fn rewritten(&self, from: usize, to: usize, new: &str) -> String {
        let (start, end) = (self.tokens[from].span.start as usize, self.tokens[to].span.end as usize);
        format!("{}{new}{}", &self.text[..start], &self.text[end..])
    }

    /// The text of these tokens, the last one left out.
    pub(super) fn words_of(&self, from: usize, to: usize) -> &str {
        let end = self.tokens[to.max(from + 1) - 1].span.end as usize;
        &self.text[self.tokens[from].span.start as usize..end]
    }
}
