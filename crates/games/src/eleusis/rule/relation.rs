//! What is said of two cards: how far they are apart, what they have in common, which is higher.

use super::lexer::Kind;
use super::number::Feature;
use super::parser::{Parsed, Parser, Subject, one_or};
use super::print::sign;
use super::scope::NEGATIONS;
use super::set::in_range;
use super::{Attribute, CardRef, Cmp, Num, Test};
use ken_logic::syntax::Span;

/// Comparisons in words. `as high as` and the like may follow.
pub(super) const COMPARISONS: [(&str, Cmp); 25] = [
    ("at least", Cmp::Ge),
    ("at most", Cmp::Le),
    ("no more than", Cmp::Le),
    ("no less than", Cmp::Ge),
    ("no higher than", Cmp::Le),
    ("no lower than", Cmp::Ge),
    ("no greater than", Cmp::Le),
    ("no larger than", Cmp::Le),
    ("no smaller than", Cmp::Ge),
    ("more than or equal to", Cmp::Ge),
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

/// Comparisons that set a limit above.
const UPPER: [&str; 7] = ["at most", "no more than", "less than", "fewer than", "smaller than", "below", "under"];

const EQUAL_OR_HIGHER: [&str; 6] = [
    "equal or higher",
    "the same or higher",
    "same or higher",
    "equal to or higher",
    "equal to or greater",
    "equal to or larger",
];
const EQUAL_OR_LOWER: [&str; 6] = [
    "equal or lower",
    "the same or lower",
    "same or lower",
    "equal to or lower",
    "equal to or less",
    "equal to or smaller",
];

/// What stands before the card that another is compared with.
const WITH: [&str; 5] = ["as", "than", "from", "with", "to"];

/// How far two ranks are apart, and in which direction.
#[derive(Clone, Copy)]
enum Way {
    Up,
    Down,
    Either,
}

impl Parser<'_> {
    /// `one higher or two lower than X, king next to ace`, `1 to 3 away`, `within 3 of X`, `differs by 2 from X`.
    pub(super) fn steps(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let start = self.at;
        let mut steps = Vec::new();
        let mut before: &[&str] = &["than", "from", "of", "as"];
        if self.eat("within") {
            let Some(n) = self.whole() else { return Err(self.expected("a number")) };
            let _ = self.eat("ranks");
            steps.push((Way::Either, 0, n));
        } else if self.eat_any(&["differs by", "differ by"]) {
            // After `if` a comma ends the condition.
            let joins: &[&str] = match (self.reader.strict(), self.premise) {
                (false, _) => &[],
                (true, true) => &["or"],
                (true, false) => &[", or", "or", ","],
            };
            let distances = self.distances(joins, false)?;
            if distances.is_empty() {
                return Err(self.expected("a number"));
            }
            steps.extend(distances.into_iter().map(|(low, high)| (Way::Either, low, high)));
        } else if self.eat_any(&["adjacent", "neighbouring", "next to", "neighbour"]) {
            let _ = self.eat_any(&["rank", "in rank"]);
            steps.push((Way::Either, 1, 1));
            before = &["to", "of", "from"];
            if self.relational_ahead() {
                before = &[];
            }
        } else {
            while let Some(more) = self.attempt(|p| {
                let joined = steps.is_empty() || p.eat_any(&[", or", "or"]);
                if joined { p.step() } else { Ok(None) }
            })? {
                steps.extend(more);
            }
        }
        if steps.is_empty() {
            return Ok(None);
        }
        let words = self.words_of(start, self.at).to_string();
        let with = self.word().unwrap_or_default().to_string();
        self.clear_others(subject, start, &format!("next is {words} {with} x"))?;
        let with_at = self.at;
        let other = if before.is_empty() { self.operand()? } else { self.other(subject, before)? };
        self.relational = true;
        if self.at > with_at {
            self.clear_second(subject, Cmp::Gt, (start, with_at + usize::from(!before.is_empty())))?;
        } else {
            self.clear_step(start)?;
        }
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

    /// `2 higher`, `1 to 3 lower`, `at least two away`, `one or two higher`.
    fn step(&mut self) -> Parsed<Option<Vec<(Way, i32, i32)>>> {
        let start = self.at;
        let upper = UPPER.iter().any(|words| self.sees(words));
        let negated = start > 0 && self.negation_at(start - 1);
        let distances = self.distances(&[", or", "or", ","], true)?;
        let Some(&(low, high)) = distances.first() else { return Ok(None) };
        let _ = self.eat_any(&["ranks", "rank"]) || (!self.reader.strict() && self.eat("or more"));
        let both = ["higher or lower", "lower or higher", "above or below"];
        let way = if self.eat_any(&both) {
            Way::Either
        } else if self.eat_any(&["higher", "more", "above", "greater"]) {
            Way::Up
        } else if self.eat_any(&["lower", "less", "below", "smaller"]) {
            Way::Down
        } else if self.eat_any(&["away", "apart"]) {
            Way::Either
        } else {
            return Ok(None);
        };
        // `not more than 3 higher` sets a limit above, too.
        let limit = if negated && high == i32::MAX { Some(low - 1) } else { upper.then_some(high) };
        if let Some(most) = limit.filter(|_| self.reader.strict()) {
            self.clear_upper(way, most, start)?;
        }
        Ok(Some(distances.into_iter().map(|(low, high)| (way, low, high)).collect()))
    }

    /// Refuses `at most 3 higher`: also the same rank, or lower?
    fn clear_upper(&mut self, way: Way, most: i32, start: usize) -> Parsed<()> {
        let (word, sign, sum) = match way {
            Way::Up => ("higher", "<=", "+"),
            Way::Down => ("lower", ">=", "-"),
            Way::Either => return Ok(()),
        };
        let most = most.max(1);
        let span = self.span_from(start);
        let help = format!("say `1 to {most} {word}`, or `rank of next {sign} rank of previous {sum} {most}`");
        Err(self.unclear(span, "may it be the same rank, or on the other side?", &help))
    }

    /// One distance or more, with these words between them. Without a direction after them (`directed`) what begins
    /// another sentence is no distance: `differs by 2 or king`, `differs by 2 or 7 of hearts`.
    fn distances(&mut self, joins: &[&str], directed: bool) -> Parsed<Vec<(i32, i32)>> {
        let mut distances = Vec::new();
        while let Some(distance) = self.attempt(|p| {
            let first = distances.is_empty();
            if !first && (!p.eat_any(joins) || !(directed || p.plain_number())) {
                return Ok(None);
            }
            let distance = p.distance()?;
            let ends = p.at_boundary() || p.sees("from") || p.sees("than");
            Ok(distance.filter(|_| first || directed || ends))
        })? {
            distances.push(distance);
        }
        Ok(distances)
    }

    fn negation_at(&self, at: usize) -> bool {
        matches!(&self.tokens[at].kind, Kind::Word(w) if NEGATIONS.contains(&w.as_str()))
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
    pub(super) fn higher(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let start = self.at;
        let mut cmp = if self.eat_any(&["higher", "greater", "larger"]) {
            Cmp::Gt
        } else if self.eat_any(&["lower", "smaller", "less"]) {
            Cmp::Lt
        } else if self.eat_any(&["at least as high", "at least as large"]) {
            Cmp::Ge
        } else if self.sees("as high") {
            if self.reader.strict() {
                let help = "say `same rank as previous`, or `at least as high as previous`";
                return Err(self.unclear(self.span(), "as high, or at least as high?", help));
            }
            self.at += 2;
            Cmp::Ge
        } else if self.eat_any(&["at most as high", "at most as large"]) {
            Cmp::Le
        } else if self.eat_any(&EQUAL_OR_HIGHER) {
            Cmp::Ge
        } else if self.eat_any(&EQUAL_OR_LOWER) {
            Cmp::Le
        } else {
            return Ok(None);
        };
        if self.eat_any(&["or equal", "or the same", "or same", "than or equal", "than or the same"]) {
            cmp = if cmp == Cmp::Gt { Cmp::Ge } else { Cmp::Le };
        }
        let _ = self.eat("rank");
        self.clear_others(subject, start, &format!("rank of next {} rank of x", sign(cmp)))?;
        let from = self.at + 1;
        let rank = self.rank_of_a_card(&["than"])?;
        let other = match rank {
            Some(rank) => rank,
            None => self.other(subject, &["than", "as", "to"])?,
        };
        self.clear_ranks(cmp, from, start)?;
        if from < self.at {
            self.clear_second(subject, cmp, (start, from))?;
        }
        self.relational = !matches!(other, Subject::Number(Num::Const(_)));
        self.graded = self.relational.then_some(cmp);
        Ok(Some(Test::Compare(self.as_number(subject, &other), cmp, self.as_number(&other, subject))))
    }

    /// Refuses a comparison with several cards at once, `higher than the last two cards`: with one of them, or with each?
    /// `of_x` is what is said of the card `x` among them.
    fn clear_others(&mut self, subject: &Subject, start: usize, of_x: &str) -> Parsed<()> {
        let next = matches!(subject, Subject::Card(CardRef::Next) | Subject::Number(Num::Of(_, CardRef::Next)));
        if !next || !self.reader.strict() || self.searching > 0 {
            return Ok(());
        }
        let back = self.at;
        let negated = (start.saturating_sub(2)..start).any(|at| self.negation_at(at));
        let of_x = if negated { format!("not ({of_x})") } else { of_x.to_string() };
        let found = self.attempt(|p| {
            let _ = p.eat_any(&WITH) || p.eat("of");
            let one = p.eat_any(&["one of", "some of", "either of"]);
            let any = p.eat("any of");
            let _ = p.eat_any(&["all of", "each of", "both of", "every one of", "all", "both"]);
            let _ = p.eat("the");
            let last = p.eat_any(&["last", "previous"]);
            let Some(n) = p.several().filter(|_| last) else { return Ok(None) };
            let _ = p.eat_any(&["cards", "ranks", "suits", "colours", "colors", "values"]);
            let ways = if one {
                vec!["exists"]
            } else if any {
                vec!["every", "exists"]
            } else {
                vec!["every"]
            };
            let ways = ways.iter().map(|way| format!("`{way} x in the last {n}: {of_x}`"));
            Ok(Some((p.span_from(start), ways.collect::<Vec<_>>().join(", or "))))
        })?;
        self.at = back;
        match found {
            Some((span, ways)) => Err(self.unclear(span, "with which of them is it compared?", &format!("say {ways}"))),
            None => Ok(()),
        }
    }

    /// `a 7`, `an ace`: the rank that another is compared with. In `higher than a 7 or an 8` it would be one of two.
    fn rank_of_a_card(&mut self, before: &[&str]) -> Parsed<Option<Subject>> {
        self.attempt(|p| {
            let said = p.reader.strict() && (before.is_empty() || p.eat_any(before));
            if !said || p.source() == "A" || !p.eat_any(&["a", "an"]) {
                return Ok(None);
            }
            let ranks = 1..=i32::from(p.deck.values());
            let rank = p.whole().filter(|rank| ranks.contains(rank));
            let end = p.at;
            let listed = p.eat_any(&["or", "and", ","]) && {
                p.article();
                p.whole().is_some()
            };
            p.at = end;
            Ok(rank.filter(|_| !listed && p.at_boundary()).map(|rank| Subject::Number(Num::Const(rank))))
        })
    }

    /// Refuses `higher than one or two`: ranks, or how far apart?
    fn clear_ranks(&mut self, cmp: Cmp, from: usize, start: usize) -> Parsed<()> {
        let up = matches!(cmp, Cmp::Gt | Cmp::Ge);
        let back = self.at;
        if from >= back {
            return Ok(());
        }
        let found = self.attempt(|p| {
            p.at = from;
            let a = p.plain_number().then(|| p.whole()).flatten();
            let b = (p.at == back && p.eat("or") && p.plain_number()).then(|| p.whole()).flatten();
            let ends = p.reader.strict() && p.at_boundary();
            Ok(a.zip(b).filter(|_| ends).map(|(a, b)| (a, b, p.span_from(start))))
        })?;
        self.at = back;
        let Some((a, b, span)) = found else { return Ok(()) };
        let (word, rank) = if up { ("higher", a.max(b)) } else { ("lower", a.min(b)) };
        let help = format!("say `{a} or {b} {word}`, or `{word} than {rank}`");
        Err(self.unclear(span, "ranks, or how far apart?", &help))
    }

    /// Refuses a bare number after a comparison: `rank > 7 or 3`, `higher than previous and 7`. Is it compared too, or a
    /// rank of its own? The words of the comparison begin at the first place, what it is compared with at the second.
    pub(super) fn clear_second(&mut self, subject: &Subject, cmp: Cmp, (start, with): (usize, usize)) -> Parsed<()> {
        if !self.reader.grouping() {
            return Ok(());
        }
        let join = self.at;
        let Some((word, n, span)) = self.bare_number(start)? else { return Ok(()) };
        let next = match subject {
            Subject::Card(card) | Subject::Number(Num::Of(Attribute::Rank, card)) => *card == CardRef::Next,
            Subject::Number(_) => false,
        };
        let sign = matches!(self.tokens[start].kind, Kind::Sign(_));
        let words = format!("{}{}", if sign { "rank " } else { "" }, self.words_of(start, with));
        let front = &self.text[..self.tokens[join].span.start as usize];
        let after = &self.text[span.end as usize..];
        let own =
            if n == 1 { "an ace".to_string() } else { format!("{} {n}", if n == 8 || n == 11 { "an" } else { "a" }) };
        let front = front.trim_end().trim_end_matches(',');
        let help = match (next, cmp) {
            (false, _) => String::new(),
            (true, Cmp::Ne) => format!("say `{front} and {words} {n}{after}`, or `{front} {word} {own}{after}`"),
            (true, _) => format!("say `{front} {word} {words} {n}{after}`, or `{front} {word} {own}{after}`"),
        };
        Err(self.unclear(span, "is the second number compared too, or a rank of its own?", &help))
    }

    /// `or 3` or `and 3` at this place, where nothing more is said of the number; with the span from `start` on.
    fn bare_number(&mut self, start: usize) -> Parsed<Option<(&'static str, i32, Span)>> {
        let join = self.at;
        let found = self.attempt(|p| {
            let or = p.eat_any(&["or", ", or"]);
            if !or && !p.eat_any(&["and", ", and"]) {
                return Ok(None);
            }
            let n = p.plain_number().then(|| p.whole()).flatten();
            let word = if or { "or" } else { "and" };
            Ok(n.filter(|_| p.at_boundary()).map(|n| (word, n, p.span_from(start))))
        })?;
        self.at = join;
        Ok(found)
    }

    /// Refuses `one higher or two`: two higher, or the rank?
    fn clear_step(&mut self, start: usize) -> Parsed<()> {
        if !self.reader.grouping() {
            return Ok(());
        }
        let join = self.at;
        let Some((word, n, span)) = self.bare_number(start)? else { return Ok(()) };
        let way = self.words_of(join - 1, join).to_string();
        let said = self.words_of(start, join).to_string();
        let directed = ["higher", "lower", "away", "above", "below", "more", "less"].contains(&way.as_str());
        let help = match directed && word == "or" {
            true => format!("say `{said} or {n} {way}`, or `{said} or rank is {n}`"),
            false => String::new(),
        };
        Err(self.unclear(span, "how far apart, or the rank?", &help))
    }

    /// `same suit as previous`, `of another colour`, `different suit or rank from X`, `changes`.
    pub(super) fn alike(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let card = match subject {
            Subject::Card(card) | Subject::Number(Num::Of(_, card)) => card.clone(),
            Subject::Number(_) => self.subject.clone(),
        };
        let start = self.at;
        let alone = |p: &mut Self, cmp| {
            let with = p.at + 1;
            let other = p.other(subject, &["as", "than", "from"])?;
            p.clear_feature(subject, &other, start)?;
            if cmp == Cmp::Ne && with < p.at {
                p.clear_second(subject, cmp, (start, with))?;
            }
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
        let opposite = self.words_of(self.at - 1, self.at) == "opposite";
        let Some(feature) = self.shared() else { return alone(self, cmp) };
        if opposite && self.reader.strict() && matches!(feature, Feature::Of(Attribute::Rank | Attribute::Suit)) {
            let span = self.span_from(start);
            let help = format!("say `different {} from previous`", feature.name());
            return Err(self.unclear(span, "which is the opposite one?", &help));
        }
        let mut features = vec![feature];
        let mut any = None;
        // `same suit or rank`, `same suit, colour and parity`: what follows is no sentence of its own.
        while let Some((feature, or)) = self.attempt(|p| {
            let comma = p.eat(",");
            let or = p.eat("or");
            let joined = or || p.eat("and");
            let feature = if comma || joined { p.shared() } else { None };
            let ends = p.at_boundary() || WITH.iter().any(|word| p.sees(word));
            Ok(feature.filter(|_| ends).map(|feature| (feature, joined.then_some(or))))
        })? {
            features.push(feature);
            if any.is_some() && or.is_some() && any != or {
                return Err(self.expected("only `and`, or only `or`,"));
            }
            any = any.or(or);
        }
        let any = match any {
            None if features.len() > 1 => return Err(self.expected("`and` or `or` before the last of them")),
            any => any == Some(true),
        };
        let subject = Subject::Card(card.clone());
        let repeated = cmp == Cmp::Eq && self.eat_any(&["twice in a row", "twice running"]);
        let each = |feature: &Feature| format!("{0} of next {1} {0} of x", feature.name(), sign(cmp));
        let of_x: Vec<String> = features.iter().map(each).collect();
        self.clear_others(&subject, start, &of_x.join(if any { " or " } else { " and " }))?;
        let other = if repeated {
            self.relational = true;
            Subject::Card(self.default_other(&subject))
        } else {
            self.other(&subject, &WITH)?
        };
        let Subject::Card(other) = other else { return Err(self.expected("a card to compare with")) };
        let tests = features.iter().map(|feature| feature.compare(card.clone(), cmp, other.clone()));
        Ok(Some(one_or(tests.collect(), if any { Test::Or } else { Test::And })))
    }

    /// What cards can have in common; a `number` is a rank here.
    fn shared(&mut self) -> Option<Feature> {
        let number = !self.sees("number of") && self.eat_any(&["number", "numbers"]);
        if number { Some(Feature::Of(Attribute::Rank)) } else { self.attribute() }
    }

    /// `one of A 4 9`, `in 5..9`, `between 3 and 7`, `among {S, D}`.
    pub(super) fn listed(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        if self.eat("between") {
            let low = self.number()?;
            self.expect("and")?;
            let high = self.number()?;
            let within = |low: Num, high: Num| {
                let number = || subject.clone().number();
                Test::And(vec![Test::Compare(number(), Cmp::Ge, low), Test::Compare(number(), Cmp::Le, high)])
            };
            return Ok(Some(match (low, high) {
                (Num::Const(a), Num::Const(b)) => within(Num::Const(a.min(b)), Num::Const(a.max(b))),
                (a, b) => Test::Or(vec![within(a.clone(), b.clone()), within(b, a)]),
            }));
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
    pub(super) fn compared(&mut self, subject: &Subject) -> Parsed<Option<Test>> {
        let words = self.at;
        let Some((_, cmp)) = COMPARISONS.iter().find(|(words, _)| self.eat(words)) else { return Ok(None) };
        let (start, said) = (self.at, self.said);
        let other = match self.rank_of_a_card(&[])? {
            Some(rank) => rank,
            None => self.operand()?,
        };
        self.clear_remainder(subject, said)?;
        self.relational |= !matches!(other, Subject::Number(Num::Const(_)));
        if matches!(cmp, Cmp::Eq | Cmp::Ne) {
            self.clear_feature(subject, &other, start)?;
        }
        let (a, b) = (self.as_number(subject, &other), self.as_number(&other, subject));
        self.same_kind(&a, &b, start)?;
        if *cmp == Cmp::Eq {
            return Ok(Some(self.one_of_sums(a, b)?));
        }
        self.clear_second(subject, *cmp, (words, start))?;
        Ok(Some(Test::Compare(a, *cmp, b)))
    }
}

/// Two numbers with this difference are as far apart as that.
fn apart(gap: &Num, (way, low, high): (Way, i32, i32), round: Option<i32>) -> Test {
    let gap = || gap.clone();
    let Some(round) = round else {
        return match way {
            Way::Up => in_range(&gap(), low, high),
            Way::Down => in_range(&gap(), if high == i32::MAX { i32::MIN } else { -high }, -low),
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
