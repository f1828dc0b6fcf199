//! Choices: `if … then …`, `after an ace play red`, `red if previous is black`, and several of them in one sentence.

use ken_logic::syntax::Span;

use super::lexer::Kind;
use super::parser::{Parsed, Parser, Subject, implies, one_or};
use super::{CardRef, Test};

/// Words that begin a choice.
const CHOICES: [&str; 3] = ["if", "when", "after"];

/// The places of the last part after `, or`.
#[derive(Clone, Copy)]
pub(super) struct Late {
    /// Where the first part begins.
    pub(super) first: usize,
    /// The comma.
    pub(super) join: usize,
    /// Where the last part begins.
    pub(super) start: usize,
}

impl Parser<'_> {
    fn choice_at(&self, at: usize) -> bool {
        matches!(&self.tokens[at].kind, Kind::Word(word) if CHOICES.contains(&word.as_str()))
    }

    /// Reads `both`, as in `both red and even`; not that of `both of the last two`.
    pub(super) fn eat_both(&mut self) -> bool {
        let cards = self.word_after(1).is_some_and(|w| ["of", "the", "last", "previous"].contains(&w));
        self.reader.strict() && !cards && self.eat("both")
    }

    /// Whether another choice follows: `… and if …`, `…; if …`, `… and after …`.
    pub(super) fn another_choice(&self) -> bool {
        let sign = usize::from([",", ";", "."].iter().any(|sign| self.sees(sign)));
        let word = usize::from(self.word_after(sign).is_some_and(|w| ["and", "but"].contains(&w)));
        let begins = |w: &str| ["if", "when"].contains(&w) || (self.reader.strict() && w == "after");
        sign + word > 0 && self.word_after(sign + word).is_some_and(begins)
    }

    /// Refuses a choice that was joined to what is said before it, but may take its place: `higher, but after a king
    /// anything`. What is said begins at `first`, the joining words at `join`, the choice at `start`.
    pub(super) fn clear_exception(&mut self, first: usize, join: usize, start: usize, choice: &Test) -> Parsed<()> {
        let Test::If(_, yes, no) = choice else { return Ok(()) };
        let whole = **no != Test::Const(true);
        if !self.reader.strict() || !self.choice_at(start) || whole {
            return Ok(());
        }
        let adds = |at: usize| match &self.tokens[at].kind {
            Kind::Word(word) => word == "and",
            Kind::Number(_) | Kind::Sign(_) | Kind::End => true,
        };
        let adds = (join..start).all(adds) || self.choice_at(first);
        let idle = match &**yes {
            Test::Const(fits) => *fits,
            Test::In(CardRef::Next, cards) => *cards == self.deck.all(),
            _ => false,
        };
        if adds && !idle {
            return Ok(());
        }
        let alone = first == 0 && !self.choice_at(first);
        let (said, choice) = (self.words_of(first, join), self.words_of(start, self.at));
        let help = if alone { format!("say `{choice}, otherwise {said}`") } else { String::new() };
        let span = self.span_from(join);
        Err(self.unclear(span, "does this take the place of what is said before it?", &help))
    }

    /// Refuses `higher, or lower after a king`: is that when a lower card may come too, or does it hold for both?
    pub(super) fn clear_late(&mut self) -> Parsed<()> {
        let Some(late) = self.late.take().filter(|_| self.reader.strict()) else { return Ok(()) };
        let when = self.at + usize::from(self.sees(","));
        let pivot = self.word_after(when - self.at).unwrap_or_default().to_string();
        if !CHOICES.contains(&pivot.as_str()) && pivot != "unless" {
            return Ok(());
        }
        let (one, two) = (self.words_of(late.first, late.join), self.words_of(late.start, self.at));
        let (one, two) = (one.to_string(), two.to_string());
        self.at = when + 1;
        if pivot == "after" {
            self.before()?;
        } else {
            self.premise(Self::disjunction)?;
        }
        let when = self.words_of(when + 1, self.at).to_string();
        let help = match pivot.as_str() {
            "after" => format!("say `after {when}: {two}, otherwise {one}`, or `after {when}: {one} or {two}`"),
            "unless" => format!("say `{one} or ({two} unless {when})`, or `({one} or {two}) unless {when}`"),
            _ => format!("say `if {when} then {two}, otherwise {one}`, or `if {when} then {one} or {two}`"),
        };
        let span = self.span_from(late.first);
        Err(self.unclear(span, &format!("does `{pivot}` hold for both, or for the last only?"), &help))
    }

    /// `even if previous is red and odd if previous is black`: from the first `if`. `None` if there is only one.
    pub(super) fn each_if(&mut self, first: &Test) -> Parsed<Option<Test>> {
        const IF: [&str; 4] = ["if", "when", ", if", ", when"];
        if !self.reader.strict() || self.branch || !IF.iter().any(|word| self.sees(word)) {
            return Ok(None);
        }
        self.attempt(|p| {
            let mut parts = Vec::new();
            let mut next = Some(first.clone());
            while let Some(test) = next.take() {
                let _ = p.eat_any(&IF);
                let (condition, bare) = p.premise(Self::simple)?;
                p.carry = None;
                next = p.attempt(|p| {
                    let joined = p.eat_any(&[", and", "and", ",", "; and"]) || (!p.item && p.eat(";"));
                    let test = if joined { Some(p.disjunction()?) } else { None };
                    Ok(test.filter(|_| IF.iter().any(|word| p.sees(word))))
                })?;
                if next.is_some() || !parts.is_empty() {
                    p.of_a_card(bare, true)?;
                }
                parts.push(implies(condition, test));
                let mut links = parts.len();
                p.link(&mut links)?;
            }
            Ok((parts.len() > 1 && p.at_boundary()).then_some(Test::And(parts)))
        })
    }

    /// After `if` at the end of a sentence: when it counts.
    pub(super) fn said_if(&mut self, test: Test) -> Parsed<Test> {
        let start = self.at;
        let (condition, bare) = self.premise(Self::disjunction)?;
        self.of_a_card(bare, true)?;
        if self.reader.strict() && (self.sees("if") || self.sees("when")) {
            let span = self.span_from(start);
            return Err(self.unclear(span, "which part is said of the second `if`?", ""));
        }
        let other = self.otherwise()?;
        Ok(Test::If(Box::new(condition), Box::new(test), Box::new(other)))
    }

    /// `else …`, or nothing: then everything is accepted.
    pub(super) fn otherwise(&mut self) -> Parsed<Test> {
        if self.eat_any(&["else", "otherwise", ", else", ", otherwise", "; else", "; otherwise"]) {
            let _ = self.eat_any(&[",", "play"]);
            return self.branch();
        }
        Ok(Test::Const(true))
    }

    pub(super) fn if_then(&mut self) -> Parsed<Test> {
        let (condition, bare) = self.premise(Self::test)?;
        if !self.eat_any(&[", then", "then"]) && !self.eat_any(&[",", ":"]) {
            return Err(self.expected("`then`"));
        }
        let play = self.eat_any(&["play", ": play", ", play"]);
        let _ = self.eat_any(&[":", ","]);
        if !play {
            self.of_a_card(bare, true)?;
        }
        let yes = self.branch()?;
        let no = self.otherwise()?;
        Ok(Test::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// What stands after `if`, and a property in it that is not said of any card.
    pub(super) fn premise(&mut self, read: fn(&mut Self) -> Parsed<Test>) -> Parsed<(Test, Option<Span>)> {
        let outer = (std::mem::replace(&mut self.premise, true), self.bare.take());
        let test = read(self);
        let bare = std::mem::replace(&mut self.bare, outer.1);
        self.premise = outer.0;
        Ok((test?, bare))
    }

    /// Refuses `if red then even`: people mean the previous card or (where that makes sense) the next. With `play` it is
    /// the previous.
    pub(super) fn of_a_card(&mut self, bare: Option<Span>, next: bool) -> Parsed<()> {
        match bare {
            None => Ok(()),
            Some(span) => {
                let (before, after) = self.text.split_at(span.start as usize);
                let other = if next { format!(" or `{before}next is {after}`") } else { String::new() };
                let help = format!("say `{before}previous is {after}`{other}");
                Err(self.unclear(span, "of which card?", &help))
            }
        }
    }

    /// A branch of a choice: the `if` of a sentence after it is no part of it.
    fn branch(&mut self) -> Parsed<Test> {
        let outer = (std::mem::replace(&mut self.branch, true), std::mem::replace(&mut self.premise, false));
        let test = self.test();
        (self.branch, self.premise) = outer;
        test
    }

    /// `after an ace play red, after a king black, otherwise even`.
    pub(super) fn after(&mut self) -> Parsed<Test> {
        self.advance();
        let condition = self.before()?;
        let _ = self.eat_any(&[", play", ": play", "play", ",", ":"]);
        let yes = self.branch()?;
        let more = self.sees(", after") || self.sees("; after");
        if more || self.sees("after") {
            if more {
                self.advance();
            }
            let no = self.deeper(Self::after)?;
            return Ok(Test::If(Box::new(condition), Box::new(yes), Box::new(no)));
        }
        if self.reader.strict() && self.eat_any(&["and after", ", and after", "; and after"]) {
            self.at -= 1;
            return self.and_after(condition, yes);
        }
        let no = self.otherwise()?;
        Ok(Test::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// `after red play black and after a king play even`: both count. An `otherwise` at the end is for when neither does.
    fn and_after(&mut self, condition: Test, yes: Test) -> Parsed<Test> {
        let start = self.at;
        let rest = self.deeper(Self::after)?;
        self.clear_exception(start, start, start, &rest)?;
        let otherwise = (start..self.at).any(|at| self.otherwise_at(at));
        Ok(match otherwise {
            true => Test::If(Box::new(condition), Box::new(yes), Box::new(rest)),
            false => Test::And(vec![implies(condition, yes), rest]),
        })
    }

    fn otherwise_at(&self, at: usize) -> bool {
        matches!(&self.tokens[at].kind, Kind::Word(word) if ["else", "otherwise"].contains(&word.as_str()))
    }

    /// `red after black, black after red`: from the first `after`.
    pub(super) fn each_after(&mut self, first: Test) -> Parsed<Test> {
        let mut parts = Vec::new();
        let mut next = Some(first);
        while let Some(test) = next {
            self.expect("after")?;
            // `spades only after hearts` says when a spade may come, not what must follow a heart.
            let only = self.reader.strict() && std::mem::take(&mut self.only);
            let before = self.before()?;
            parts.push(if only { implies(test, before) } else { implies(before, test) });
            next = self.attempt(|p| {
                let joined = p.eat_any(&[", and", "and", ","]) || (!p.item && p.eat(";"));
                let test = if joined { Some(p.disjunction()?) } else { None };
                Ok(test.filter(|_| p.sees("after")))
            })?;
            let mut links = parts.len();
            self.link(&mut links)?;
        }
        if self.sees(", otherwise") || self.sees("otherwise") || self.sees("else") {
            return Err(self.expected("`after` in front, as in `after black play red, otherwise even`;"));
        }
        Ok(one_or(parts, Test::And))
    }

    /// After `after`: what the previous card is, or `two red cards`.
    fn before(&mut self) -> Parsed<Test> {
        let several = self.attempt(|p| {
            let Some(count) = p.several() else { return Ok(None) };
            let run = p.run(1, count)?;
            let _ = p.eat("in a row");
            Ok(run)
        })?;
        match several {
            Some(test) => Ok(test),
            None => self.predicate(&Subject::Card(CardRef::Back(1))),
        }
    }
}
