//! Rules as text, in words where there are some; every text parses back to the rule.

use std::fmt::{self, Display, Formatter, Write};

use super::vocabulary::adjective;
use super::{Attribute, CardRef, Cmp, Num, Rule, Scope, Test};
use crate::cards::CardSet;
use crate::eleusis::deck::Deck;

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let printer = Printer { deck: &self.deck };
        let mut text = String::new();
        if self.start != self.deck.all() {
            let _ = write!(text, "start: {}; ", printer.set(self.start));
        }
        printer.test(&self.body, &mut text);
        f.write_str(&text)
    }
}

struct Printer<'a> {
    deck: &'a Deck,
}

impl Printer<'_> {
    fn test(&self, test: &Test, out: &mut String) {
        match test {
            Test::Const(true) => out.push_str("always"),
            Test::Const(false) => out.push_str("never"),
            Test::In(card, set) => {
                self.card(card, out);
                let _ = write!(out, " is {}", self.set(*set));
            }
            Test::Compare(a, cmp, b) => self.compare(a, *cmp, b, out),
            Test::Not(a) => match &**a {
                Test::Iff(a, b) => self.join(&[a, b], " xor ", out),
                other => {
                    out.push_str("not ");
                    self.part(other, out);
                }
            },
            Test::And(parts) if parts.is_empty() => out.push_str("always"),
            Test::Or(parts) if parts.is_empty() => out.push_str("never"),
            Test::And(parts) => self.join(&parts.iter().collect::<Vec<_>>(), " and ", out),
            Test::Or(parts) => self.join(&parts.iter().collect::<Vec<_>>(), " or ", out),
            Test::Iff(a, b) => self.join(&[a, b], " iff ", out),
            Test::If(condition, yes, no) => {
                out.push_str("if ");
                self.part(condition, out);
                out.push_str(" then ");
                self.part(yes, out);
                if **no != Test::Const(true) {
                    out.push_str(" else ");
                    self.part(no, out);
                }
            }
        }
    }

    fn join(&self, parts: &[&Test], word: &str, out: &mut String) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                out.push_str(word);
            }
            if parts.len() == 1 { self.test(part, out) } else { self.part(part, out) }
        }
    }

    /// In parentheses, unless it is one sentence.
    fn part(&self, test: &Test, out: &mut String) {
        let plain = match test {
            Test::Const(_) | Test::In(..) | Test::Compare(..) => true,
            Test::And(parts) | Test::Or(parts) => parts.is_empty(),
            Test::Not(_) | Test::Iff(..) | Test::If(..) => false,
        };
        if plain {
            self.test(test, out);
        } else {
            out.push('(');
            self.test(test, out);
            out.push(')');
        }
    }

    /// `same suit as previous`, `higher than previous`, or with signs.
    fn compare(&self, a: &Num, cmp: Cmp, b: &Num, out: &mut String) {
        if let (Num::Of(feature, CardRef::Next), Num::Of(with, card)) = (a, b)
            && feature == with
            && *card != CardRef::Next
        {
            let words = match (feature, cmp) {
                (_, Cmp::Eq) => Some(format!("has the same {} as", feature.name())),
                (_, Cmp::Ne) => Some(format!("has a different {} from", feature.name())),
                (Attribute::Rank, Cmp::Gt) => Some("is higher than".to_string()),
                (Attribute::Rank, Cmp::Lt) => Some("is lower than".to_string()),
                (Attribute::Rank, Cmp::Ge) => Some("is at least as high as".to_string()),
                (Attribute::Rank, Cmp::Le) => Some("is at most as high as".to_string()),
                (Attribute::Suit | Attribute::Colour, _) => None,
            };
            if let Some(words) = words {
                let _ = write!(out, "next {words} ");
                return self.card(card, out);
            }
        }
        self.num(a, out);
        let _ = write!(out, " {} ", sign(cmp));
        // Numbers of different kinds are compared only in parentheses.
        let kinds = matches!((a, b), (Num::Of(a, _), Num::Of(b, _)) if a != b);
        if kinds {
            out.push('(');
        }
        self.num(b, out);
        if kinds {
            out.push(')');
        }
    }

    fn card(&self, card: &CardRef, out: &mut String) {
        match card {
            CardRef::Next => out.push_str("next"),
            CardRef::Back(1) => out.push_str("previous"),
            CardRef::Back(k) => {
                let _ = write!(out, "prev{k}");
            }
            CardRef::Nth(1) => out.push_str("the starter"),
            CardRef::Nth(k) => {
                let _ = write!(out, "card {k}");
            }
            CardRef::LastWith(test) => {
                out.push_str("the last ");
                self.such(test, out);
            }
            CardRef::This => out.push_str("it"),
        }
    }

    /// A card of the line with a property.
    fn such(&self, test: &Test, out: &mut String) {
        out.push_str("card with (");
        self.test(test, out);
        out.push(')');
    }

    fn scope(&self, scope: &Scope, out: &mut String) {
        match scope {
            Scope::Line => out.push_str("in the line"),
            Scope::Last(k) => {
                let _ = write!(out, "in the last {k} cards");
            }
            Scope::Since(test) => {
                out.push_str("since the last ");
                self.such(test, out);
            }
        }
    }

    fn num(&self, num: &Num, out: &mut String) {
        match num {
            Num::Const(n) => {
                let _ = write!(out, "{n}");
            }
            Num::Of(attribute, card) => {
                let _ = write!(out, "{} of ", attribute.name());
                self.card(card, out);
            }
            Num::Count(scope, test) => {
                out.push_str("number of cards ");
                if **test != Test::Const(true) {
                    out.push_str("with (");
                    self.test(test, out);
                    out.push_str(") ");
                }
                self.scope(scope, out);
            }
            Num::Sum(scope) => {
                out.push_str("sum of the ranks ");
                self.scope(scope, out);
            }
            Num::Highest(scope) => {
                out.push_str("highest rank ");
                self.scope(scope, out);
            }
            Num::Lowest(scope) => {
                out.push_str("lowest rank ");
                self.scope(scope, out);
            }
            Num::Add(a, b) => self.arithmetic(a, "+", b, out),
            Num::Sub(a, b) => self.arithmetic(a, "-", b, out),
            Num::Mul(a, b) => self.arithmetic(a, "*", b, out),
            Num::Mod(a, by) => {
                out.push('(');
                self.num(a, out);
                let _ = write!(out, " mod {by})");
            }
            Num::Abs(a) => {
                out.push_str("abs(");
                self.num(a, out);
                out.push(')');
            }
            Num::Gcd(a, b) => {
                out.push_str("gcd(");
                self.num(a, out);
                out.push_str(", ");
                self.num(b, out);
                out.push(')');
            }
        }
    }

    fn arithmetic(&self, a: &Num, sign: &str, b: &Num, out: &mut String) {
        out.push('(');
        self.num(a, out);
        let _ = write!(out, " {sign} ");
        self.num(b, out);
        out.push(')');
    }

    /// The shortest name we have for a set of cards.
    fn set(&self, set: CardSet) -> String {
        let deck = self.deck;
        if set == deck.all() {
            return "any card".to_string();
        }
        let suits = ["red", "black"].into_iter().map(str::to_string).chain(deck.suits().iter().map(|suit| {
            let name = suit.name.strip_suffix('s').unwrap_or(suit.name);
            name.to_string()
        }));
        let suits: Vec<(String, CardSet)> =
            suits.filter_map(|name| adjective(deck, &name).map(|a| (name, a.cards))).collect();
        if let Some((name, _)) = suits.iter().find(|(_, cards)| *cards == set) {
            return name.clone();
        }
        if let Some(ranks) = self.ranks(set) {
            return ranks;
        }
        // A suit or colour of some ranks: `red face card`.
        for (name, cards) in &suits {
            let ranks = deck.ranks(|rank| set.iter().any(|c| deck.rank(c) == rank));
            if !set.is_empty() && cards.and(ranks) == set {
                let listed = self.ranks(ranks).filter(|ranks| !ranks.starts_with("one of"));
                if let Some(ranks) = listed {
                    return format!("{name} {ranks}");
                }
            }
        }
        let whole = |suit: usize| deck.of_suit(suit).is_subset(set);
        let union: Vec<usize> = (0..deck.suits().len()).filter(|&suit| whole(suit)).collect();
        let words: Vec<String> = if union.iter().fold(CardSet::EMPTY, |all, &s| all.or(deck.of_suit(s))) == set {
            union.iter().map(|&suit| deck.suits()[suit].name.to_string()).collect()
        } else {
            set.iter().map(|card| deck.write(card)).collect()
        };
        format!("one of {{{}}}", words.join(", "))
    }

    /// A name for a set of whole ranks.
    fn ranks(&self, set: CardSet) -> Option<String> {
        let deck = self.deck;
        for name in ["even", "odd", "prime", "composite", "face"] {
            if !set.is_empty() && adjective(deck, name).is_some_and(|a| a.cards == set) {
                return Some(name.to_string());
            }
        }
        let has = |rank: &u8| deck.ranks(|r| r == *rank).is_subset(set);
        let ranks: Vec<u8> = (1..=deck.values()).filter(has).collect();
        let (first, last) = (*ranks.first()?, *ranks.last()?);
        if ranks.len() * deck.suits().len() != set.len() {
            return None;
        }
        let write = |rank| deck.write_rank(rank);
        Some(if first == last {
            write(first)
        } else if (last - first) as usize + 1 == ranks.len() {
            format!("{} to {}", write(first), write(last))
        } else {
            let all: Vec<String> = ranks.iter().map(|&rank| write(rank)).collect();
            format!("one of {{{}}}", all.join(", "))
        })
    }
}

pub(super) fn sign(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Eq => "=",
        Cmp::Ne => "!=",
        Cmp::Lt => "<",
        Cmp::Le => "<=",
        Cmp::Gt => ">",
        Cmp::Ge => ">=",
    }
}
