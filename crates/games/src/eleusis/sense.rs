//! Whether a rule says anything about the next card.
//!
//! Words about cards that lie already (`the sum of the last two cards must be even`) make a rule that accepts every
//! card or none: people who say so mean the next card too. Such rules are refused, with a near one that is understood.

use super::automaton::{Automaton, State};
use super::deck::Deck;
use super::rule::{self, Attribute, CardRef, Cmp, Num, Rule, Scope, Test};
use ken_logic::syntax::{Code, Diagnostic, Span};

/// Why the rule of this text is not one that people mean: a part of it that must hold does not look at the next card.
/// Found in the words alone; rules that are constant on purpose (`any card`, `fewer than 5 cards so far`) pass.
pub fn words(rule: &Rule, text: &str) -> Option<Diagnostic> {
    let idle = idle(&rule.body, &rule.deck)?;
    let near = near(&rule.body, idle, &rule.deck);
    let near = if self::idle(&near, &rule.deck).is_none() { near } else { example(idle, &rule.deck) };
    let near = Rule { body: near, ..rule.clone() };
    let part = Rule::new(rule.deck.clone(), idle.clone());
    let message = match *idle == rule.body {
        true => "the next card does not matter to this rule: it looks only at cards that lie already".to_string(),
        false => format!("`{part}` looks only at cards that lie already: once it fails, no card fits"),
    };
    Some(problem(text, message, &near))
}

/// The same by meaning: in no state that a line can lead to are two cards told apart.
pub fn meaning(rule: &Rule, automaton: &Automaton, text: &str) -> Option<Diagnostic> {
    if let Some(found) = words(rule, text) {
        return Some(found);
    }
    let all = rule.deck.all();
    // Any first card fits; what the start accepts counts only if a line leads back to it.
    let back = (0..automaton.states() as u32)
        .any(|state| all.iter().any(|card| automaton.step(State(state), card) == Some(automaton.start())));
    let mut judged = (u32::from(!back)..automaton.states() as u32).map(|state| automaton.accepted(State(state)));
    let (mut any, mut every) = (false, true);
    let told_apart = judged.any(|accepted| {
        any |= !accepted.is_empty();
        every &= accepted == all;
        !accepted.is_empty() && accepted != all
    });
    if told_apart || on_purpose(&rule.body, &rule.deck) {
        return None;
    }
    let span = Span::new(0, text.len());
    Some(match (any, every) {
        // Who wrote a long sentence did not mean any card.
        (_, true) if text.split_whitespace().count() > 3 && !text.contains("any") => {
            let problem = Diagnostic::new(Code::Type, span, "as it is read, every card fits, whatever lies");
            problem.help("put a comma between the parts, or parentheses around what belongs together")
        }
        (_, true) => Diagnostic::new(Code::Type, span, "every card fits, whatever lies").help("say `any card`"),
        (false, _) => {
            let near = rule::near(text, &rule.deck).map(|near| format!("; a sentence that is understood: `{near}`"));
            let help = "no card is all of this at once; kinds of cards are joined with `or`";
            let problem = Diagnostic::new(Code::Type, span, "no card fits after any first card");
            problem.help(format!("{help}{}", near.unwrap_or_default()))
        }
        (true, false) => {
            let near = Rule { body: example(&rule.body, &rule.deck), ..rule.clone() };
            problem(text, "every card fits or none, whatever the next card is".to_string(), &near)
        }
    })
}

/// With the near rule, unless that has a choice as the condition of another one: such a text helps nobody.
fn problem(text: &str, message: String, near: &Rule) -> Diagnostic {
    let said = Diagnostic::new(Code::Type, Span::new(0, text.len()), message);
    let near = near.to_string();
    if near.contains("if (if") { said } else { said.help(format!("say what the next card must be, as in `{near}`")) }
}

/// A part that must hold, does not look at the next card and is not constant on purpose.
fn idle<'a>(test: &'a Test, deck: &Deck) -> Option<&'a Test> {
    match test {
        // The same whatever lies: told by meaning.
        Test::If(_, yes, no) if yes == no => idle(yes, deck),
        _ if !looks(test) => (!on_purpose(test, deck)).then_some(test),
        Test::And(parts) => parts.iter().find_map(|part| idle(part, deck)),
        Test::If(condition, yes, no) if !looks(condition) => idle(yes, deck).or_else(|| idle(no, deck)),
        Test::Const(_)
        | Test::In(..)
        | Test::Compare(..)
        | Test::Not(_)
        | Test::Or(_)
        | Test::Iff(..)
        | Test::If(..) => None,
    }
}

/// Whether the next card is mentioned.
fn looks(test: &Test) -> bool {
    let mut found = false;
    test.clone().cards(0, &mut |card, _| found |= *card == CardRef::Next);
    found
}

/// Whether nothing but a constant is said, or how long a line may become.
fn on_purpose(test: &Test, deck: &Deck) -> bool {
    let on_purpose = |test: &Test| on_purpose(test, deck);
    match test {
        Test::Const(_) => true,
        Test::In(_, set) => *set == deck.all(),
        Test::Compare(Num::Count(Scope::Line, counted), Cmp::Lt | Cmp::Le, Num::Const(_)) => {
            **counted == Test::Const(true)
        }
        Test::Compare(..) => false,
        Test::Not(a) => on_purpose(a),
        Test::And(parts) | Test::Or(parts) => parts.iter().all(on_purpose),
        Test::Iff(a, b) => on_purpose(a) && on_purpose(b),
        Test::If(a, b, c) => on_purpose(a) && on_purpose(b) && on_purpose(c),
    }
}

/// A rule near the one with this idle part: the part as a condition of the rest, or said of the next card too.
fn near(body: &Test, idle: &Test, deck: &Deck) -> Test {
    match body {
        Test::And(parts) if parts.contains(idle) => {
            let mut rest: Vec<Test> = parts.iter().filter(|part| *part != idle).cloned().collect();
            let rest = if rest.len() == 1 { rest.remove(0) } else { Test::And(rest) };
            match looks(&rest) {
                true => Test::If(Box::new(idle.clone()), Box::new(rest), Box::new(Test::Const(true))),
                false => example(body, deck),
            }
        }
        _ if body == idle => at_its_place(body).or_else(|| with_next(body)).unwrap_or_else(|| example(body, deck)),
        _ => example(idle, deck),
    }
}

/// What lies decides what the next card must be.
fn example(condition: &Test, deck: &Deck) -> Test {
    let next = |cards| Box::new(Test::In(CardRef::Next, cards));
    Test::If(Box::new(condition.clone()), next(deck.red()), next(deck.all().minus(deck.red())))
}

/// `the fourth card must be a club`: when it is played.
fn at_its_place(test: &Test) -> Option<Test> {
    let (mut test, mut place, mut others) = (test.clone(), None, false);
    test.cards(0, &mut |card, _| match card {
        CardRef::Nth(k) if *k > 1 && place.is_none_or(|place| place == *k) => {
            place = Some(*k);
            *card = CardRef::Next;
        }
        CardRef::Next | CardRef::This | CardRef::Back(_) | CardRef::Nth(_) | CardRef::LastWith(_) => others = true,
    });
    let place = place.filter(|_| !others)?;
    let lying = Num::Count(Scope::Line, Box::new(Test::Const(true)));
    let turn = Test::Compare(lying, Cmp::Eq, Num::Const(i32::from(place) - 1));
    Some(Test::If(Box::new(turn), Box::new(test), Box::new(Test::Const(true))))
}

/// The condition with the next card as the last of the line; `None` where that cannot be said.
fn with_next(test: &Test) -> Option<Test> {
    let all = |parts: &[Test]| parts.iter().map(with_next).collect::<Option<Vec<Test>>>();
    let boxed = |test: &Test| with_next(test).map(Box::new);
    let said = match test {
        Test::Const(value) => Test::Const(*value),
        Test::In(card, set) => Test::In(one_on(card)?, *set),
        Test::Compare(Num::Count(scope, counted), cmp, Num::Const(n)) => return count_next(scope, counted, *cmp, *n),
        Test::Compare(a, cmp, b) => Test::Compare(number_next(a)?, *cmp, number_next(b)?),
        Test::Not(a) => Test::Not(boxed(a)?),
        Test::And(parts) => Test::And(all(parts)?),
        Test::Or(parts) => Test::Or(all(parts)?),
        Test::Iff(a, b) => Test::Iff(boxed(a)?, boxed(b)?),
        Test::If(a, b, c) => Test::If(boxed(a)?, boxed(b)?, boxed(c)?),
    };
    looks(&said).then_some(said)
}

fn one_on(card: &CardRef) -> Option<CardRef> {
    match card {
        CardRef::Back(1) => Some(CardRef::Next),
        CardRef::Back(k) if *k > 1 => Some(CardRef::Back(k - 1)),
        CardRef::Back(_) | CardRef::Next | CardRef::Nth(_) | CardRef::LastWith(_) | CardRef::This => None,
    }
}

/// A count with the next card: one less is needed of the others where the next card is counted itself.
fn count_next(scope: &Scope, counted: &Test, cmp: Cmp, n: i32) -> Option<Test> {
    let mut of_next = counted.clone();
    let mut others = false;
    of_next.cards(0, &mut |card, _| match card {
        CardRef::This => *card = CardRef::Next,
        CardRef::Next | CardRef::Back(_) | CardRef::Nth(_) | CardRef::LastWith(_) => others = true,
    });
    let scope = match scope {
        Scope::Line => Scope::Line,
        Scope::Last(k) if *k > 1 => Scope::Last(k - 1),
        Scope::Last(_) | Scope::Since(_) => return None,
    };
    if others || !looks(&of_next) {
        return None;
    }
    let count = |n: i32| match (cmp, n) {
        (Cmp::Eq | Cmp::Le, ..0) | (Cmp::Lt, ..1) => Test::Const(false),
        _ => Test::Compare(Num::Count(scope.clone(), Box::new(counted.clone())), cmp, Num::Const(n)),
    };
    Some(match count(n - 1) {
        // None may be counted: so not the next card.
        Test::Const(_) => Test::Not(Box::new(of_next)),
        counted => Test::If(Box::new(of_next), Box::new(counted), Box::new(count(n))),
    })
}

fn number_next(number: &Num) -> Option<Num> {
    let boxed = |number: &Num| number_next(number).map(Box::new);
    let rank = |card| Num::Of(Attribute::Rank, card);
    Some(match number {
        Num::Const(n) => Num::Const(*n),
        Num::Of(attribute, card) => Num::Of(*attribute, one_on(card)?),
        Num::Sum(Scope::Last(2)) => Num::Add(Box::new(rank(CardRef::Back(1))), Box::new(rank(CardRef::Next))),
        Num::Sum(Scope::Last(k)) if *k > 2 => {
            Num::Add(Box::new(Num::Sum(Scope::Last(k - 1))), Box::new(rank(CardRef::Next)))
        }
        Num::Sum(Scope::Line) => Num::Add(Box::new(Num::Sum(Scope::Line)), Box::new(rank(CardRef::Next))),
        Num::Count(..) | Num::Sum(_) | Num::Highest(_) | Num::Lowest(_) => return None,
        Num::Add(a, b) => Num::Add(boxed(a)?, boxed(b)?),
        Num::Sub(a, b) => Num::Sub(boxed(a)?, boxed(b)?),
        Num::Mul(a, b) => Num::Mul(boxed(a)?, boxed(b)?),
        Num::Mod(a, by) => Num::Mod(boxed(a)?, *by),
        Num::Abs(a) => Num::Abs(boxed(a)?),
        Num::Gcd(a, b) => Num::Gcd(boxed(a)?, boxed(b)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eleusis::rule::random;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn what_is_suggested_can_be_read_and_says_something_of_the_next_card(body in random::test(&Deck::STANDARD)) {
            let rule = Rule::new(Deck::STANDARD, body);
            if let Some(help) = words(&rule, &rule.to_string()).and_then(|problem| problem.help) {
                let near = help.split('`').nth(1).expect("in backquotes");
                let read = Rule::parse(near, &Deck::STANDARD);
                prop_assert!(read.is_ok_and(|read| words(&read, near).is_none()), "{}: {}", rule, near);
            }
        }
    }

    #[test]
    fn rules_that_are_constant_on_purpose_pass() {
        for text in ["any card", "anything", "always", "never", "next is any card", "fewer than 5 cards so far"] {
            let rule = Rule::parse(text, &Deck::STANDARD).expect("a rule");
            let automaton = Automaton::of(&rule).expect("small");
            assert_eq!(meaning(&rule, &automaton, text), None, "{text}");
        }
    }
}
