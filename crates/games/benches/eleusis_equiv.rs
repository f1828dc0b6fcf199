//! Rules to automata, and whether two are the same: the worst cases as well as the usual ones.

use criterion::{Criterion, criterion_group, criterion_main};
use ken_games::cards::Card;
use ken_games::eleusis::automaton::{Automaton, separate};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::rule::{Attribute, CardRef, Cmp, Num, Rule, Scope, Test};
use std::hint::black_box;

fn rank(who: CardRef) -> Num {
    Num::Of(Attribute::Rank, who)
}

fn position() -> Num {
    Num::Count(Scope::Line, Box::new(Test::Const(true)))
}

fn rule(body: Test) -> Rule {
    Rule::new(Deck::STANDARD, body)
}

/// Alternately even and odd: 3 states.
fn parity() -> Rule {
    let odd = |who| Num::Mod(Box::new(rank(who)), 2);
    rule(Test::Compare(odd(CardRef::Next), Cmp::Ne, odd(CardRef::Back(1))))
}

/// The same suit or rank: 53 states.
fn match_top() -> Rule {
    let same = |what| Test::Compare(Num::Of(what, CardRef::Next), Cmp::Eq, Num::Of(what, CardRef::Back(1)));
    rule(Test::Or(vec![same(Attribute::Suit), same(Attribute::Rank)]))
}

/// Second card red: its rank or higher; black: its rank or lower. 625 states, in two ways.
fn second_card(as_branches: bool) -> Rule {
    let second = CardRef::Back(2);
    let red = Test::In(second.clone(), Deck::STANDARD.red());
    let up = Test::Compare(rank(CardRef::Next), Cmp::Ge, rank(second.clone()));
    let down = Test::Compare(rank(second), Cmp::Ge, rank(CardRef::Next));
    rule(if as_branches {
        Test::If(Box::new(red), Box::new(up), Box::new(down))
    } else {
        let black = Test::Not(Box::new(red.clone()));
        Test::Or(vec![Test::And(vec![red, up]), Test::And(vec![down, black])])
    })
}

/// The product of the last three ranks, modulo 4, decides.
fn product() -> Rule {
    let two = Num::Mul(Box::new(rank(CardRef::Back(1))), Box::new(rank(CardRef::Back(2))));
    let three = Num::Mod(Box::new(Num::Mul(Box::new(two), Box::new(rank(CardRef::Back(3))))), 4);
    rule(Test::Compare(three, Cmp::Eq, Num::Mod(Box::new(rank(CardRef::Next)), 4)))
}

/// A counter with this period, and 13 kinds of cards.
fn counter(period: u32, red_too: bool) -> Rule {
    let product = Num::Mul(Box::new(position()), Box::new(rank(CardRef::Next)));
    let small = Test::Compare(Num::Mod(Box::new(product), period), Cmp::Lt, Num::Const(period as i32 - 1));
    let red = Test::In(CardRef::Next, Deck::STANDARD.red());
    rule(if red_too { Test::Or(vec![small, red]) } else { small })
}

/// At most two of each rank: 3¹³ states.
fn two_of_each() -> Rule {
    let same = Test::Compare(rank(CardRef::This), Cmp::Eq, rank(CardRef::Next));
    rule(Test::Compare(Num::Count(Scope::Line, Box::new(same)), Cmp::Lt, Num::Const(2)))
}

fn of(rule: &Rule) -> Automaton {
    Automaton::of(rule).expect("a regular rule")
}

fn compile(c: &mut Criterion) {
    let mut group = c.benchmark_group("eleusis compile");
    group.sample_size(10);
    for (name, rule) in [
        ("parity, 3 states", parity()),
        ("suit or rank, 53 states", match_top()),
        ("second card, 625 states", second_card(true)),
        ("product of three", product()),
        ("counter, 1000 states", counter(1000, false)),
    ] {
        group.bench_function(name, |b| b.iter(|| of(black_box(&rule))));
    }
    group.finish();
}

fn millions(c: &mut Criterion) {
    let mut group = c.benchmark_group("eleusis compile large");
    group.sample_size(10).warm_up_time(std::time::Duration::from_millis(1));
    let rule = two_of_each();
    group.bench_function("two of each rank, 3^13 states", |b| b.iter(|| of(black_box(&rule))));
    group.finish();
}

fn equivalence(c: &mut Criterion) {
    let mut group = c.benchmark_group("eleusis equiv");
    for (name, a, b) in [
        ("equal, 53 states", match_top(), match_top()),
        ("equal, 625 states", second_card(true), second_card(false)),
        ("equal, 1000 states", counter(1000, false), counter(1000, false)),
        ("different, 999 and 1000 states", counter(999, true), counter(1000, true)),
    ] {
        let (first, second) = (of(&a), of(&b));
        group.bench_function(name, |b| {
            b.iter(|| separate((&first, first.start()), black_box((&second, second.start()))))
        });
    }
    let chain = |length| of(&rule(Test::Compare(position(), Cmp::Lt, Num::Const(length))));
    let (short, long) = (chain(999), chain(1000));
    group.bench_function("different after 998 cards", |b| {
        b.iter(|| separate((&short, short.start()), black_box((&long, long.start()))));
    });
    let fast = of(&second_card(true));
    group.bench_function("judge a card", |b| b.iter(|| fast.step(fast.start(), black_box(Card(7)))));
    group.finish();
}

criterion_group!(benches, compile, equivalence, millions);
criterion_main!(benches);
