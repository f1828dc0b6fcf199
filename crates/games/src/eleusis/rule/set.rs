//! Phrases for properties: adjectives, sets and ranges, of cards and of numbers.

use ken_logic::syntax::{Code, Diagnostic, Span};

use super::lexer::Kind;
use super::parser::{Parsed, Parser, Subject, Value, one_or, some_of};
use super::vocabulary::{Adjective, Numbers, adjective, faces, is_count, number, suit};
use super::{Attribute, CardRef, Cmp, Num, Test};
use crate::cards::CardSet;

/// The widest range of a number that a property such as `prime` is spelt out for.
const MAX_RANGE: i64 = 1000;

impl Parser<'_> {
    /// The rank that a single letter names here: `A`, `t`, `K`; `a` only where it is no article.
    pub(super) fn rank_letter(&self) -> Option<u8> {
        let word = self.word()?;
        let rank = match word {
            "a" => 1,
            "t" => 10,
            "j" => 11,
            "q" => 12,
            "k" => 13,
            _ => return None,
        };
        let article = self.source() == "a" && self.word_after(1).is_some_and(|w| !["or", "to", "and"].contains(&w));
        (rank <= self.deck.values() && !article && !self.is_name()).then_some(rank)
    }

    /// The suit that a single letter names here; a small `d` is a difference.
    pub(super) fn suit_letter(&self) -> Option<usize> {
        let mut letters = self.source().chars();
        let letter = letters.next()?;
        if letters.next().is_some() || letter == 'd' || self.is_name() {
            return None;
        }
        self.deck.suits().iter().position(|suit| suit.letter == letter.to_ascii_uppercase())
    }

    fn is_name(&self) -> bool {
        self.names.iter().any(|(name, _)| Some(name.as_str()) == self.word())
    }

    /// A rank or a whole number.
    fn rank_or_whole(&mut self) -> Option<i32> {
        if let Some(rank) = self.rank_letter() {
            self.advance();
            return Some(i32::from(rank));
        }
        self.whole()
    }

    /// Whether a number stands here that may also be a number of cards: `7`, `two`, but not `ace`.
    pub(super) fn plain_number(&self) -> bool {
        match self.kind() {
            Kind::Number(_) => true,
            Kind::Word(word) => is_count(word),
            Kind::Sign(_) | Kind::End => false,
        }
    }

    /// One thing of a list: a card, a suit, a rank, a range, `7 or higher`.
    pub(super) fn element(&mut self) -> Parsed<Option<Adjective>> {
        let of_cards = |cards| Ok(Some(Adjective { cards, numbers: None }));
        if let Some(suit) = self.suit_letter() {
            self.advance();
            return of_cards(self.deck.of_suit(suit));
        }
        if self.word().is_some_and(|w| number(w).is_none())
            && let Some(card) = self.deck.read(self.source()).filter(|_| !self.is_name())
        {
            self.advance();
            return of_cards(CardSet::of(card));
        }
        // `one` counts; the rank is called `ace`, `A` or `1`.
        if self.reader.strict() && self.sees("one") {
            return Ok(None);
        }
        let negative = self.eat("-");
        let Some(low) = self.rank_or_whole() else {
            self.at -= usize::from(negative);
            return Ok(None);
        };
        let low = if negative { low.wrapping_neg() } else { low };
        if self.sees("of")
            && let Some(suit) = self.word_after(1).and_then(|word| suit(self.deck, word))
        {
            self.at += 2;
            let ranks = self.deck.ranks(|rank| i32::from(rank) == low);
            return of_cards(self.deck.of_suit(suit).and(ranks));
        }
        let range = if self.eat_any(&["..", "to"]) {
            let negative = self.eat("-");
            let Some(high) = self.rank_or_whole() else { return Err(self.expected("the end of the range")) };
            (low, if negative { high.wrapping_neg() } else { high })
        } else if self.open_end(&["or more", "or higher", "or above", "or greater", "or over"]) {
            (low, i32::MAX)
        } else if self.open_end(&["or less", "or lower", "or below", "or fewer", "or under"]) {
            (i32::MIN, low)
        } else {
            (low, low)
        };
        Ok(Some(Adjective::of_numbers(self.deck, Numbers::Among(vec![range]))))
    }

    /// `or higher`, but not `or higher than previous`.
    fn open_end(&mut self, phrases: &[&str]) -> bool {
        let at = self.at;
        let end = self.eat_any(phrases) && !self.sees("than") && !self.rank_or_card_ahead();
        if !end {
            self.at = at;
        }
        end
    }

    /// `or above 7` is another condition.
    fn rank_or_card_ahead(&self) -> bool {
        matches!(self.kind(), Kind::Number(_)) || self.rank_letter().is_some() || self.sees("the")
    }

    /// A list in braces or in words: `{S, D}`, `A, 4 or 9`, `5..9`.
    pub(super) fn list(&mut self) -> Parsed<Option<Adjective>> {
        let braces = self.eat("{");
        let mut all: Vec<Adjective> = Vec::new();
        loop {
            let at = self.at;
            let separated = self.eat_any(&[", or", ", and", ",", "or", "and"]);
            let item = match self.element()? {
                None => self.listed_word(),
                some => some,
            };
            // `4 or 7 < rank`: what is compared is no part of the list.
            let stops = self.sees("=") || self.sees("<") || self.sees(">") || self.sees("<=") || self.sees(">=");
            match item {
                Some(item) if braces || all.is_empty() || !separated || !stops => all.push(item),
                _ => {
                    self.at = at;
                    break;
                }
            }
        }
        if braces {
            self.expect("}")?;
        } else if all.is_empty() {
            return Ok(None);
        }
        let cards = all.iter().fold(CardSet::EMPTY, |set, item| set.or(item.cards));
        let mut ranges = Some(Vec::new());
        for item in &all {
            ranges = match (ranges, &item.numbers) {
                (Some(mut ranges), Some(Numbers::Among(more))) => {
                    ranges.extend(more);
                    Some(ranges)
                }
                _ => None,
            };
        }
        Ok(Some(Adjective { cards, numbers: ranges.map(Numbers::Among) }))
    }

    /// A word for cards in a list: `clubs`, `red`, `faces`.
    fn listed_word(&mut self) -> Option<Adjective> {
        let found = self.word().and_then(|word| adjective(self.deck, word))?;
        self.advance();
        Some(found)
    }

    /// Adjectives and nouns of cards in a row, all of which must hold: `red face`, `an even spade`, `5 to 9`.
    pub(super) fn adjectives(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        self.article();
        let start = self.at;
        let mut cards: Option<Adjective> = None;
        let mut tests = Vec::new();
        let mut counted = false;
        loop {
            let before = self.at;
            let plain = self.plain_number();
            let negated = self.eat("non");
            if let Some(test) = self.named_property(subject)? {
                tests.push(if negated { Test::Not(Box::new(test)) } else { test });
                continue;
            }
            let Some(mut found) = self.one_property()? else {
                self.at = before;
                break;
            };
            // `two red cards` are two cards, not a red card of rank 2.
            if counted {
                self.at = before;
                return Err(self.expected("only one rank, and that last,"));
            }
            counted = plain && matches!(&found.numbers, Some(Numbers::Among(r)) if r[0].0 == r[0].1);
            if negated {
                found = Adjective { cards: self.deck.all().minus(found.cards), numbers: None };
            }
            cards = Some(match cards {
                None => found,
                Some(both) => Adjective { cards: both.cards.and(found.cards), numbers: None },
            });
        }
        if counted && self.sees("cards") {
            return Err(self.expected("a property of cards, not a number of them,"));
        }
        if let Some(all) = cards {
            let span = self.span_from(start);
            tests.insert(0, self.apply(&all, subject, span)?);
        }
        Ok((!tests.is_empty()).then(|| one_or(tests, Test::And)))
    }

    fn one_property(&mut self) -> Parsed<Option<Adjective>> {
        if self.sees("number card") || self.sees("number cards") {
            self.advance();
            let cards = self.deck.all().minus(faces(self.deck));
            return Ok(Some(Adjective { cards, numbers: None }));
        }
        let multiple = self.eat_any(&["multiple of", "divisible by"]);
        if multiple {
            return self.multiple().map(Some);
        }
        match self.listed_word() {
            None => self.element(),
            some => Ok(some),
        }
    }

    /// After `multiple of`: `3`, `3 or 4`, `3 and 4`.
    fn multiple(&mut self) -> Parsed<Adjective> {
        let both = self.eat("both").then_some(false);
        let asked = both.or_else(|| self.eat("either").then_some(true));
        let mut of = vec![self.modulus()?];
        let mut any = None;
        while let Some((by, or)) = self.attempt(|p| {
            let or = p.eat("or");
            let by = if or || p.eat("and") { Some(p.modulus()?) } else { None };
            Ok(by.filter(|_| p.at_boundary()).map(|by| (by, or)))
        })? {
            if any.is_some_and(|any| any != or) {
                return Err(self.expected("only `and`, or only `or`,"));
            }
            any = Some(or);
            of.push(by);
        }
        if self.reader.strict() && asked.is_some() && asked != any {
            return Err(self.expected("`both … and …`, or `either … or …`,"));
        }
        Ok(Adjective::of_numbers(self.deck, Numbers::Multiple { of, all: any == Some(false) }))
    }

    /// A name defined in the text, said of the subject.
    fn named_property(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let at = self.at;
        let test = match self.named()? {
            Some(Value::Test(test)) => test,
            Some(Value::Number(_) | Value::Card(_)) | None => {
                self.at = at;
                return Ok(None);
            }
        };
        let span = self.span_from(at);
        match subject {
            Subject::Card(card) => self.about(test, card, span).map(Some),
            Subject::Number(_) => {
                let problem =
                    Diagnostic::new(Code::Type, span, "a named condition is about a card, not about a number");
                Err(self.report(problem))
            }
        }
    }

    /// The named condition, with another card in the place of the next.
    pub(super) fn about(&mut self, mut test: Test, card: &CardRef, span: Span) -> Parsed<Test> {
        if *card == CardRef::Next {
            return Ok(test);
        }
        let (mut others, mut deep) = (false, false);
        test.cards(0, &mut |seen, inside| match seen {
            CardRef::Next => {
                deep |= inside > 0;
                *seen = card.clone();
            }
            CardRef::This => {}
            CardRef::Back(_) | CardRef::Nth(_) | CardRef::LastWith(_) => others = true,
        });
        if others || (deep && *card == CardRef::This) {
            let problem = Diagnostic::new(Code::Type, span, "this name is about more than one card")
                .help("only a property of a single card can be said of another card");
            return Err(self.report(problem));
        }
        Ok(test)
    }

    /// The property, said of a card or a number.
    pub(super) fn apply(&mut self, property: &Adjective, subject: &Subject, span: Span) -> Parsed<Test> {
        let (ranked, card) = match subject {
            Subject::Card(card) => (true, card),
            Subject::Number(Num::Of(attribute, card)) => {
                let ranked = *attribute == Attribute::Rank;
                if ranked != property.numbers.is_some() && !self.whole_classes(*attribute, property.cards) {
                    let what = attribute.name();
                    return Err(self.problem(Code::Type, span, format!("a {what} cannot be that")));
                }
                if !ranked && property.numbers.is_some() {
                    return self.apply_number(property, &Num::Of(*attribute, card.clone()), span);
                }
                (ranked, card)
            }
            Subject::Number(number) => return self.apply_number(property, number, span),
        };
        if ranked && let Some(Numbers::Among(ranges)) = &property.numbers {
            let highest = i32::from(self.deck.values());
            let wrong = ranges
                .iter()
                .flat_map(|&(low, high)| [low, high])
                .find(|&n| ![i32::MIN, i32::MAX].contains(&n) && !(1..=highest).contains(&n));
            if let Some(n) = wrong {
                let problem = Diagnostic::new(Code::Number, span, format!("no card has the rank {n}"));
                return Err(self.report(problem.label(format!("ranks go from 1 to {highest}"))));
            }
        }
        Ok(Test::In(card.clone(), property.cards))
    }

    /// Whether the set is made of whole ranks, suits or colours.
    fn whole_classes(&self, attribute: Attribute, set: CardSet) -> bool {
        let deck = self.deck;
        let has = |value| deck.all().iter().any(|c| attribute.of(deck, c) == value && set.has(c));
        deck.all().iter().all(|c| set.has(c) == has(attribute.of(deck, c)))
    }

    fn apply_number(&mut self, property: &Adjective, number: &Num, span: Span) -> Parsed<Test> {
        let equals = |number: &Num, n: i32| Test::Compare(number.clone(), Cmp::Eq, Num::Const(n));
        let remainder = |by: u32, rest: u32| match number {
            Num::Mod(_, same) if *same == by => equals(number, rest as i32),
            _ => equals(&Num::Mod(Box::new(number.clone()), by), rest as i32),
        };
        match &property.numbers {
            None => Err(self.problem(Code::Type, span, "a property of cards, said of a number")),
            Some(Numbers::Parity(rest)) => Ok(remainder(2, *rest)),
            Some(Numbers::Multiple { of, all }) => {
                let parts = of.iter().map(|&by| remainder(by, 0)).collect();
                Ok(one_or(parts, if *all { Test::And } else { Test::Or }))
            }
            Some(Numbers::Among(ranges)) => {
                let parts: Vec<Test> = ranges.iter().map(|&(low, high)| in_range(number, low, high)).collect();
                Ok(some_of(parts))
            }
            Some(Numbers::Such(_)) => {
                let (ranks, suits) = (i64::from(self.deck.values()), self.deck.suits().len() as i64);
                let bounds = number.bounds(ranks, suits).filter(|(low, high)| high - low <= MAX_RANGE);
                let Some((low, high)) = bounds else {
                    let problem = Diagnostic::new(Code::Type, span, "this is asked of a number without bounds")
                        .help("such a rule is not regular; ask it of ranks, or of a remainder");
                    return Err(self.report(problem));
                };
                let has = |n: &i64| property.numbers.as_ref().is_some_and(|p| p.has(*n));
                let parts: Vec<Test> = (low..=high).filter(has).map(|n| equals(number, n as i32)).collect();
                Ok(some_of(parts))
            }
        }
    }
}

/// The number lies between the two, which may be the ends of all numbers.
pub(super) fn in_range(number: &Num, low: i32, high: i32) -> Test {
    let compare = |cmp, n| Test::Compare(number.clone(), cmp, Num::Const(n));
    match (low, high) {
        _ if low == high => compare(Cmp::Eq, low),
        (i32::MIN, _) => compare(Cmp::Le, high),
        (_, i32::MAX) => compare(Cmp::Ge, low),
        _ => Test::And(vec![compare(Cmp::Ge, low), compare(Cmp::Le, high)]),
    }
}
