//! Rules: what may follow a line of accepted cards.
//!
//! [`Rule`] is the meaning, in a small closed vocabulary: tests of cards, numbers made of ranks and of memory.
//! Here is its direct evaluation, the reference that every other form of a rule (automaton, protocol, temporal
//! formula) is compared with.

mod choice;
mod cursor;
mod eval;
#[cfg(test)]
mod everyday;
mod exclude;
mod group;
mod kinds;
mod lexer;
mod line;
mod masks;
mod names;
mod near;
mod number;
mod parser;
#[cfg(test)]
mod phrases;
mod place;
mod predicate;
mod print;
#[cfg(test)]
pub(crate) mod random;
#[cfg(test)]
mod reach;
mod reader;
mod relation;
mod scope;
mod set;
mod several;
mod vocabulary;
mod walk;

pub use line::refusal;
pub(in crate::eleusis) use near::sentence as near;
pub use reader::Reader;

use super::deck::Deck;
use crate::cards::{Card, CardSet};

/// A rule over a deck.
///
/// It accepts everything on an empty line, and whenever it looks at a card that is not there yet (the third card
/// back while two cards lie): a window that is not filled accepts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// The deck whose cards it judges.
    pub deck: Deck,
    /// The cards the dealer may start the line with. It guides the deal only: judging and equivalence take any
    /// first card.
    pub start: CardSet,
    /// When the next card is accepted.
    pub body: Test,
}

/// A card that a rule looks at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CardRef {
    /// The card to be judged.
    Next,
    /// The card that many places back: 1 is the last accepted card.
    Back(u8),
    /// The card at that place of the line: 1 is the starter.
    Nth(u8),
    /// The latest card of the line for which the test holds (of [`CardRef::This`], never of the next card).
    LastWith(Box<Test>),
    /// The card of the line that a count, or a search, is just looking at.
    This,
}

/// A number that a card has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Attribute {
    /// Its rank, ace = 1.
    Rank,
    /// The place of its suit: clubs 0, diamonds 1, hearts 2, spades 3.
    Suit,
    /// 1 for red, 0 for black.
    Colour,
}

impl Attribute {
    /// What it is called.
    fn name(self) -> &'static str {
        match self {
            Attribute::Rank => "rank",
            Attribute::Suit => "suit",
            Attribute::Colour => "colour",
        }
    }
}

/// A stretch of the line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// All of it.
    Line,
    /// The last so many cards, or as many as there are.
    Last(u8),
    /// The cards after the latest one for which the test holds (of [`CardRef::This`] and maybe the next card); all
    /// of the line if there is none.
    Since(Box<Test>),
}

/// A number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Num {
    /// Itself.
    Const(i32),
    /// A number of a card.
    Of(Attribute, CardRef),
    /// How many cards of the stretch pass the test (of [`CardRef::This`] and maybe the next card).
    Count(Scope, Box<Test>),
    /// The sum of the ranks of the stretch.
    Sum(Scope),
    /// The highest rank of the stretch; an empty stretch counts as a card that is not there.
    Highest(Scope),
    /// The lowest rank of the stretch, likewise.
    Lowest(Scope),
    /// a + b
    Add(Box<Num>, Box<Num>),
    /// a − b
    Sub(Box<Num>, Box<Num>),
    /// a · b
    Mul(Box<Num>, Box<Num>),
    /// The remainder of a by a positive constant, from 0 on.
    Mod(Box<Num>, u32),
    /// |a|
    Abs(Box<Num>),
    /// The greatest common divisor.
    Gcd(Box<Num>, Box<Num>),
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cmp {
    /// =
    Eq,
    /// ≠
    Ne,
    /// <
    Lt,
    /// ≤
    Le,
    /// >
    Gt,
    /// ≥
    Ge,
}

impl Cmp {
    /// All six.
    pub const ALL: [Cmp; 6] = [Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge];

    /// Whether it holds of two numbers.
    pub fn holds<T: Ord>(self, a: T, b: T) -> bool {
        match self {
            Cmp::Eq => a == b,
            Cmp::Ne => a != b,
            Cmp::Lt => a < b,
            Cmp::Le => a <= b,
            Cmp::Gt => a > b,
            Cmp::Ge => a >= b,
        }
    }

    /// The comparison that holds exactly when this does not.
    #[must_use]
    pub fn negated(self) -> Cmp {
        match self {
            Cmp::Eq => Cmp::Ne,
            Cmp::Ne => Cmp::Eq,
            Cmp::Lt => Cmp::Ge,
            Cmp::Le => Cmp::Gt,
            Cmp::Gt => Cmp::Le,
            Cmp::Ge => Cmp::Lt,
        }
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// Always, or never.
    Const(bool),
    /// The card is one of the set.
    In(CardRef, CardSet),
    /// Two numbers compared.
    Compare(Num, Cmp, Num),
    /// Not.
    Not(Box<Test>),
    /// All of them.
    And(Vec<Test>),
    /// At least one of them.
    Or(Vec<Test>),
    /// Both or neither.
    Iff(Box<Test>, Box<Test>),
    /// The second if the first holds, else the third; only that one is looked at.
    If(Box<Test>, Box<Test>, Box<Test>),
}

impl Rule {
    /// The rule with this body, from any starter.
    pub fn new(deck: Deck, body: Test) -> Rule {
        let start = deck.all();
        Rule { deck, start, body }
    }

    /// Whether the card may follow the line.
    pub fn accepts(&self, line: &[Card], next: Card) -> bool {
        line.is_empty() || eval::test(&self.body, &eval::Scene::new(&self.deck, line, next)).unwrap_or(true)
    }

    /// The cards that may follow the line.
    pub fn accepted(&self, line: &[Card]) -> CardSet {
        if line.is_empty() { self.deck.all() } else { masks::accepted(&self.body, &self.deck, line) }
    }

    /// Whether every card of the line (but the first) was accepted after those before it.
    pub fn admits(&self, line: &[Card]) -> bool {
        (1..line.len()).all(|at| self.accepts(&line[..at], line[at]))
    }
}
