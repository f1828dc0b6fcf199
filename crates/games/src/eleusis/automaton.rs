//! Shim.
#![allow(missing_docs)]
use super::rule::*;
use super::deck::Deck;
use crate::cards::*;
use ken_logic::syntax::*;
pub type State = u32;
#[derive(Clone, Debug)]
pub struct Automaton { next: Vec<CardSet> }
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which { First, Second }
pub struct Separation { pub line: Vec<Card>, pub card: Card, pub accepted_by: Which }
impl Automaton {
    pub fn of(rule: &Rule) -> Result<Automaton, String> {
        let mut next = vec![rule.deck.all()];
        next.extend(rule.deck.all().iter().map(|c| rule.accepted(&[c])));
        Ok(Automaton { next })
    }
    pub fn start(&self) -> State { 0 }
    pub fn accepted(&self, s: State) -> CardSet { self.next[s as usize] }
    pub fn step(&self, s: State, c: Card) -> Option<State> { self.accepted(s).has(c).then_some(c.0 as u32 + 1) }
}
pub fn separate(a: (&Automaton, State), b: (&Automaton, State)) -> Option<Separation> {
    let mut seen = vec![(a.1, b.1)];
    let mut queue = std::collections::VecDeque::from([(a.1, b.1, vec![])]);
    while let Some((x, y, line)) = queue.pop_front() {
        let (p, q) = (a.0.accepted(x), b.0.accepted(y));
        if let Some(card) = p.minus(q).or(q.minus(p)).lowest() {
            return Some(Separation { line, card, accepted_by: if p.has(card) { Which::First } else { Which::Second } });
        }
        for c in p.iter() {
            let n = (c.0 as u32 + 1, c.0 as u32 + 1);
            if !seen.contains(&n) { seen.push(n); let mut l = line.clone(); l.push(c); queue.push_back((n.0, n.1, l)); }
        }
    }
    None
}
impl Rule {
    pub fn parse(text: &str, deck: &Deck) -> Result<Rule, Vec<Diagnostic>> {
        let red = |c| Test::In(c, deck.red());
        let even = Test::In(CardRef::Next, deck.ranks(|r| r % 2 == 0));
        let rank = |c| Num::Of(Attribute::Rank, c);
        let body = match text {
            "any card" => Test::Const(true),
            "different colour from the last" => Test::Not(Box::new(Test::Iff(Box::new(red(CardRef::Next)), Box::new(red(CardRef::Back(1)))))),
            "odd after black, even after red" => Test::Iff(Box::new(red(CardRef::Back(1))), Box::new(even)),
            "higher or same" => Test::Compare(rank(CardRef::Next), Cmp::Ge, rank(CardRef::Back(1))),
            _ => return Err(vec![Diagnostic::new(Code::Syntax, Span::default(), "this is not a rule")]),
        };
        Ok(Rule::new(deck.clone(), body))
    }
}
