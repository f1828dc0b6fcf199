use super::condition::{Condition, Kind, Term, View, Who};
use super::protocol::{Expression, Protocol};
use super::temporal::{Formula, Temporal};
use crate::cards::Card;
use crate::eleusis::automaton::{Automaton, random};
use crate::eleusis::deck::Deck;
use crate::eleusis::rule::Cmp;
use proptest::prelude::*;

fn small() -> Deck {
    Deck::two_suits(3).expect("three values")
}

/// Conditions over the free variables `v` (number 0) and `s` (number 1).
fn condition(cards: &'static [Who]) -> impl Strategy<Value = Condition> + Clone {
    let who = || (0..cards.len()).prop_map(move |at| cards[at]);
    let value = prop_oneof![
        3 => who().prop_map(|who| Term::Of(who, Kind::Value)),
        1 => (1..=3u8).prop_map(|rank| Term::Const(Kind::Value, rank)),
        1 => Just(Term::Variable(Kind::Value, 0)),
    ];
    let suit = prop_oneof![
        3 => who().prop_map(|who| Term::Of(who, Kind::Suit)),
        1 => (0..=1u8).prop_map(|suit| Term::Const(Kind::Suit, suit)),
        1 => Just(Term::Variable(Kind::Suit, 1)),
    ];
    let atom = prop_oneof![
        1 => any::<bool>().prop_map(Condition::Const),
        2 => (who(), 1..64u64).prop_map(|(who, bits)| Condition::Member(Term::Of(who, Kind::Card), bits)),
        2 => (who(), 1..8u64).prop_map(|(who, bits)| Condition::Member(Term::Of(who, Kind::Value), bits << 1)),
        3 => (value.clone(), 0..6usize, value).prop_map(|(a, cmp, b)| Condition::Compare(a, Cmp::ALL[cmp], b)),
        2 => (suit.clone(), 0..2usize, suit).prop_map(|(a, cmp, b)| Condition::Compare(a, Cmp::ALL[cmp], b)),
    ];
    atom.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Condition::Not(Box::new(a))),
            prop::collection::vec(inner.clone(), 2).prop_map(Condition::And),
            prop::collection::vec(inner, 2).prop_map(Condition::Or),
        ]
    })
    .boxed()
}

fn expression() -> impl Strategy<Value = Expression> {
    let state = condition(&[Who::Obs, Who::Obs, Who::Prt]).prop_map(Expression::State);
    state.prop_recursive(3, 6, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(Expression::Sequence),
            1 => prop::collection::vec(inner.clone(), 2..3).prop_map(Expression::Choice),
            1 => inner.prop_map(|part| Expression::Repeat(Box::new(part))),
        ]
    })
}

fn formula() -> impl Strategy<Value = Formula> {
    let now = condition(&[Who::Obs]).prop_map(Formula::Now);
    now.prop_recursive(4, 8, 2, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            prop::collection::vec(inner.clone(), 2).prop_map(Formula::And),
            prop::collection::vec(inner, 2).prop_map(Formula::Or),
            boxed.clone().prop_map(Formula::Next),
            boxed.clone().prop_map(Formula::Always),
            (boxed.clone(), boxed).prop_map(|(hold, goal)| Formula::Until(hold, goal)),
        ]
    })
}

fn write_term(term: Term) -> String {
    match term {
        Term::Of(who, kind) => {
            let who = if who == Who::Obs { "Obs" } else { "prt" };
            match kind {
                Kind::Card => who.to_owned(),
                Kind::Value => format!("{who}.Val"),
                Kind::Suit => format!("{who}.Suit"),
            }
        }
        Term::Const(Kind::Value, rank) => rank.to_string(),
        Term::Const(_, suit) => ["R", "B"][suit as usize].to_owned(),
        Term::Variable(_, at) => ["v", "s"][at].to_owned(),
    }
}

fn write_condition(condition: &Condition) -> String {
    let all = |parts: &[Condition], sign: &str| {
        format!("({})", parts.iter().map(write_condition).collect::<Vec<_>>().join(sign))
    };
    match condition {
        Condition::Const(value) => value.to_string(),
        Condition::Member(term @ Term::Of(_, kind), bits) => {
            let name = |bit: u8| match kind {
                Kind::Card => small().write(Card(bit)),
                Kind::Value | Kind::Suit => bit.to_string(),
            };
            let names: Vec<String> = (0..64).filter(|bit| bits >> bit & 1 == 1).map(name).collect();
            format!("{} ∈ {{{}}}", write_term(*term), names.join(", "))
        }
        Condition::Member(..) => unreachable!("only cards are made members"),
        Condition::Compare(a, cmp, b) => {
            let sign = match cmp {
                Cmp::Eq => "=",
                Cmp::Ne => "≠",
                Cmp::Lt => "<",
                Cmp::Le => "≤",
                Cmp::Gt => ">",
                Cmp::Ge => ">=",
            };
            format!("{} {sign} {}", write_term(*a), write_term(*b))
        }
        Condition::Not(a) => format!("¬({})", write_condition(a)),
        Condition::And(parts) => all(parts, " ∧ "),
        Condition::Or(parts) => all(parts, " or "),
    }
}

fn write_expression(expression: &Expression) -> String {
    let all = |parts: &[Expression], sign: &str| {
        format!("({})", parts.iter().map(write_expression).collect::<Vec<_>>().join(sign))
    };
    match expression {
        Expression::State(condition) => write_condition(condition),
        Expression::Sequence(parts) => all(parts, "; "),
        Expression::Choice(parts) => all(parts, " + "),
        Expression::Repeat(part) => format!("({})*", write_expression(part)),
    }
}

fn write_formula(formula: &Formula) -> String {
    let all =
        |parts: &[Formula], sign: &str| format!("({})", parts.iter().map(write_formula).collect::<Vec<_>>().join(sign));
    match formula {
        Formula::Now(condition) => format!("({})", write_condition(condition)),
        Formula::And(parts) => all(parts, " & "),
        Formula::Or(parts) => all(parts, " ∨ "),
        Formula::Next(inner) => format!("AX^move ({})", write_formula(inner)),
        Formula::Always(inner) => format!("AG{{move}} ({})", write_formula(inner)),
        Formula::Until(hold, goal) => format!("A({} U {})", write_formula(hold), write_formula(goal)),
    }
}

/// All values of `v` and `s`.
fn variables() -> impl Iterator<Item = [u8; 2]> {
    (1..=3).flat_map(|v| (0..2).map(move |s| [v, s]))
}

/// The places where a match from a place of the line can end; the last card comes with the one offered.
fn ends(expression: &Expression, line: &[Card], offered: Card, variables: &[u8], from: usize) -> Vec<usize> {
    let mut found = match expression {
        Expression::State(condition) => {
            let prt = (from + 1 == line.len()).then_some(offered);
            let matches =
                line.get(from).is_some_and(|&obs| condition.holds(&View { deck: &small(), obs, prt, variables }));
            if matches { vec![from + 1] } else { Vec::new() }
        }
        Expression::Sequence(parts) => parts.iter().fold(vec![from], |starts, part| {
            starts.iter().flat_map(|&start| ends(part, line, offered, variables, start)).collect()
        }),
        Expression::Choice(parts) => parts.iter().flat_map(|part| ends(part, line, offered, variables, from)).collect(),
        Expression::Repeat(part) => {
            let mut all = vec![from];
            let mut at = 0;
            while at < all.len() {
                for end in ends(part, line, offered, variables, all[at]) {
                    if !all.contains(&end) {
                        all.push(end);
                    }
                }
                at += 1;
            }
            all
        }
    };
    found.sort_unstable();
    found.dedup();
    found
}

fn says(statements: &[(Expression, bool)], line: &[Card], offered: Card, answer: bool) -> bool {
    let speaks =
        |expression: &Expression| variables().any(|v| ends(expression, line, offered, &v, 0).contains(&line.len()));
    statements.iter().any(|(expression, accept)| *accept == answer && speaks(expression))
}

fn shortest(expression: &Expression) -> usize {
    match expression {
        Expression::State(_) => 1,
        Expression::Sequence(parts) => parts.iter().map(shortest).sum(),
        Expression::Choice(parts) => parts.iter().map(shortest).min().expect("a part"),
        Expression::Repeat(_) => 0,
    }
}

/// Whether the line from a place on satisfies the formula; at its end every duty is still open.
fn satisfies(formula: &Formula, line: &[Card], at: usize, variables: &[u8]) -> bool {
    if at == line.len() {
        return true;
    }
    match formula {
        Formula::Now(condition) => condition.holds(&View { deck: &small(), obs: line[at], prt: None, variables }),
        Formula::And(parts) => parts.iter().all(|part| satisfies(part, line, at, variables)),
        Formula::Or(parts) => parts.iter().any(|part| satisfies(part, line, at, variables)),
        Formula::Next(inner) => satisfies(inner, line, at + 1, variables),
        Formula::Always(inner) => (at..line.len()).all(|later| satisfies(inner, line, later, variables)),
        Formula::Until(hold, goal) => {
            let goal = (at..line.len()).find(|&later| satisfies(goal, line, later, variables)).unwrap_or(line.len());
            (at..goal).all(|later| satisfies(hold, line, later, variables))
        }
    }
}

/// The automaton judges every card like the reference along the accepted cards of the list.
fn agree(automaton: &Automaton, cards: &[Card], accepts: impl Fn(&[Card], Card) -> bool) -> Result<(), TestCaseError> {
    let (mut state, mut line) = (automaton.start(), Vec::new());
    for &card in cards {
        let expected = small().filter(|card| line.is_empty() || accepts(&line, card));
        prop_assert_eq!(automaton.accepted(state), expected, "after {:?}", line);
        if let Some(next) = automaton.step(state, card) {
            state = next;
            line.push(card);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn protocols_judge_as_their_expressions_match(
        statements in prop::collection::vec((expression(), any::<bool>()), 1..4),
        cards in random::line(&small(), 10),
    ) {
        let write = |(expression, accept): &(Expression, bool)| {
            format!("{} → {};", write_expression(expression), if *accept { "accept" } else { "reject" })
        };
        let text: String = statements.iter().map(write).collect();
        let protocol = Protocol::parse(&text, &small()).map_err(|p| TestCaseError::fail(format!("{text}: {p:?}")))?;
        let filled = statements.iter().map(|(expression, _)| shortest(expression)).min().expect("a statement");
        let automaton = protocol.automaton().expect("a small protocol");
        agree(&automaton, &cards, |line, card| line.len() < filled || says(&statements, line, card, true))?;
        if let Some(flaw) = protocol.overlap() {
            prop_assert!(says(&statements, &flaw.line, flaw.card, true) && says(&statements, &flaw.line, flaw.card, false));
        }
        if let Some(flaw) = protocol.silence() {
            prop_assert!(!says(&statements, &flaw.line, flaw.card, true) && !says(&statements, &flaw.line, flaw.card, false));
        }
    }

    #[test]
    fn formulas_allow_exactly_the_lines_that_satisfy_them(
        formula in formula(),
        cards in random::line(&small(), 12),
    ) {
        let text = write_formula(&formula);
        let temporal = Temporal::parse(&text, &small()).map_err(|p| TestCaseError::fail(format!("{text}: {p:?}")))?;
        let holds = |line: &[Card]| variables().all(|v| satisfies(&formula, line, 0, &v));
        let automaton = temporal.automaton().expect("a small formula");
        agree(&automaton, &cards, |line, card| holds(&[line, &[card]].concat()))?;
        prop_assert_eq!(temporal.start(), small().filter(|card| holds(&[card])));
    }
}

/// What is wrong with a text, and where.
fn problems<T>(read: Result<T, Vec<ken_logic::syntax::Diagnostic>>, text: &str) -> Vec<(String, &str)> {
    let told = read.err().expect("problems").into_iter();
    told.map(|problem| (problem.message, &text[problem.span.start as usize..problem.span.end as usize])).collect()
}

#[test]
fn every_wrong_statement_of_a_protocol_is_told() {
    let text = "state*; obs in Evn -> accept; obs.Val = s -> reject; (state*) & true -> accept; state; prt in Red";
    let told = problems(Protocol::parse(text, &Deck::STANDARD), text);
    let places: Vec<&str> = told.iter().map(|(_, place)| *place).collect();
    assert_eq!(places, ["Evn", "obs.Val = s", "&", ""], "{told:?}");
}

#[test]
fn formulas_that_make_something_come_are_refused() {
    for (text, place) in [
        ("AF^move Obs in Red", "AF"),
        ("AG^move EX^move Obs in Red", "EX"),
        ("!AX^move Obs in Red", "!"),
        ("(AX^move Obs in Red) -> Obs in Red", "("),
    ] {
        let told = problems(Temporal::parse(text, &Deck::STANDARD), text);
        assert_eq!(told[0].1, place);
        assert!(told[0].0.starts_with("not a safety formula"), "{told:?}");
    }
}

#[test]
fn what_a_formula_cannot_see_is_told() {
    for (text, place) in [
        ("AG^move prt in Red", "prt"),
        ("AG^turn Obs in Red", "turn"),
        ("AG Obs.Suit < s", "Obs.Suit < s"),
        ("AG Turn = 3", "Turn"),
        ("AG (Obs in Red", ""),
        ("AG Obs in Red $", "$"),
    ] {
        assert_eq!(problems(Temporal::parse(text, &Deck::STANDARD), text)[0].1, place, "{text}");
    }
    let deep = format!("{}true{}", "(".repeat(500), ")".repeat(500));
    assert!(problems(Temporal::parse(&deep, &Deck::STANDARD), &deep)[0].0.starts_with("nested deeper"));
}

#[test]
fn a_starter_that_breaks_a_formula_leads_nowhere() {
    let black = Temporal::parse("AG Obs in Black", &Deck::STANDARD).expect("a formula");
    let automaton = black.automaton().expect("small");
    assert_eq!(black.start(), Deck::STANDARD.all().minus(Deck::STANDARD.red()));
    let red = Deck::STANDARD.red().lowest().expect("a red card");
    let state = automaton.run(&[red]).expect("any card may start");
    assert!(automaton.accepted(state).is_empty());
    assert_eq!(black.notes(), ["a starter like AD breaks the formula: nothing may follow it"]);
}

#[test]
fn signs_and_words_mean_the_same() {
    let printed = "state*; (obs ∈ Black ∧ ¬(prt.Val ≤ 7) ∨ Obs.Suit = ♥) → accept.";
    let ascii = "state*; (obs in Black & !(prt.Val <= 7) | obs.Suit = H) -> accept";
    let [a, b] = [printed, ascii].map(|text| Protocol::parse(text, &Deck::STANDARD).expect(text).automaton());
    assert_eq!(a.expect("small"), b.expect("small"));
}
