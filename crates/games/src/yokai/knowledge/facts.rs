//! What can be asked about a match, and how it is read from formulas.

use super::Notes;
use crate::atoms;
use crate::cards::{Card, CardSet};
use crate::game::{Illegal, Seat};
use crate::yokai::colour::{CARDS, Colour, Colours};
use ken_logic::formula::{Formula, Group, Name};
use ken_logic::syntax::{Code, Diagnostic, Scope, Span};
use std::sync::Arc;

/// A fact about a colouring and about who knows what of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// True or false.
    Const(bool),
    /// The colour of the card is one of these.
    Colour(Card, Colours),
    /// The cards have the same colour.
    Same(Card, Card),
    /// Every colour is connected in the present layout: to stop now wins.
    Grouped,
    /// It is false.
    Not(Arc<Fact>),
    /// All are true.
    All(Vec<Fact>),
    /// Some are true.
    Any(Vec<Fact>),
    /// Both are true or both are false.
    Iff(Arc<Fact>, Arc<Fact>),
    /// The seats know it when they pool what they know; one seat just knows it.
    Knows(Seats, Arc<Fact>),
    /// Both seats know it, know that both know it, and so on.
    Common(Arc<Fact>),
}

/// Some of the two seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seats(u8);

impl Seats {
    /// Both.
    pub const BOTH: Seats = Seats(0b11);

    /// One seat.
    pub fn of(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// The seats.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::all(2).filter(move |s| self.0 >> s.0 & 1 == 1)
    }
}

impl Fact {
    /// The seat knows that this is true.
    #[must_use]
    pub fn known_to(self, seat: Seat) -> Fact {
        Fact::Knows(Seats::of(seat), Arc::new(self))
    }

    /// This is false.
    #[must_use]
    pub fn negated(self) -> Fact {
        match self {
            Fact::Not(fact) => Arc::unwrap_or_clone(fact),
            fact => Fact::Not(Arc::new(fact)),
        }
    }

    /// Whether learning more can never make it false in a world that still fits: it does not say that somebody does
    /// *not* know something, and nothing about the layout, which changes.
    pub fn lasts(&self) -> bool {
        self.positive(true) && !self.mentions_layout()
    }

    /// Whether no knowledge is denied, here or, without `sign`, in the negation.
    pub(super) fn positive(&self, sign: bool) -> bool {
        match self {
            Fact::Const(_) | Fact::Colour(..) | Fact::Same(..) | Fact::Grouped => true,
            Fact::Not(fact) => fact.positive(!sign),
            Fact::All(facts) | Fact::Any(facts) => facts.iter().all(|f| f.positive(sign)),
            Fact::Iff(a, b) => [a, b].iter().all(|f| f.positive(true) && f.positive(false)),
            Fact::Knows(_, fact) | Fact::Common(fact) => sign && fact.positive(true),
        }
    }

    /// Whether it says nothing about knowledge.
    pub(super) fn is_plain(&self) -> bool {
        match self {
            Fact::Const(_) | Fact::Colour(..) | Fact::Same(..) | Fact::Grouped => true,
            Fact::Not(fact) => fact.is_plain(),
            Fact::All(facts) | Fact::Any(facts) => facts.iter().all(Fact::is_plain),
            Fact::Iff(a, b) => a.is_plain() && b.is_plain(),
            Fact::Knows(..) | Fact::Common(_) => false,
        }
    }

    /// The cards that it speaks of.
    pub(super) fn mentions(&self) -> CardSet {
        let all = |facts: &[Fact]| facts.iter().fold(CardSet::EMPTY, |all, fact| all.or(fact.mentions()));
        match self {
            Fact::Const(_) => CardSet::EMPTY,
            Fact::Colour(card, _) => CardSet::of(*card),
            Fact::Same(a, b) => CardSet::of(*a).with(*b),
            Fact::Grouped => CardSet::first(CARDS),
            Fact::Not(fact) | Fact::Knows(_, fact) | Fact::Common(fact) => fact.mentions(),
            Fact::All(facts) | Fact::Any(facts) => all(facts),
            Fact::Iff(a, b) => a.mentions().or(b.mentions()),
        }
    }

    pub(super) fn mentions_layout(&self) -> bool {
        match self {
            Fact::Grouped => true,
            Fact::Const(_) | Fact::Colour(..) | Fact::Same(..) => false,
            Fact::Not(fact) | Fact::Knows(_, fact) | Fact::Common(fact) => fact.mentions_layout(),
            Fact::All(facts) | Fact::Any(facts) => facts.iter().any(Fact::mentions_layout),
            Fact::Iff(a, b) => a.mentions_layout() || b.mentions_layout(),
        }
    }

    /// Reads a formula over `col(card,colours)`, `same(card,card)`, `proper(card)` and `grouped`, with the seats as
    /// agents `0` and `1`; on failure, every problem found in it. Colours are a name or letters: `red`, `rg`.
    pub fn read(text: &str, notes: &Notes) -> Result<Fact, Vec<Diagnostic>> {
        let agents: Vec<Name> = Seat::all(2).map(|s| s.to_string().into()).collect();
        // The names are not declared one by one: a wrong one gets better advice here.
        let formula = Scope::free(&agents).formula(text)?;
        let mut problems = Vec::new();
        let fact = Reader { text, notes, problems: &mut problems }.read(&formula);
        problems.sort_by_key(|p| p.span.start);
        if problems.is_empty() { Ok(fact) } else { Err(problems) }
    }
}

/// Reads a formula part by part and collects what is wrong.
struct Reader<'a> {
    text: &'a str,
    notes: &'a Notes,
    problems: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn read(&mut self, formula: &Formula) -> Fact {
        match formula {
            Formula::Const(value) => Fact::Const(*value),
            Formula::Atom(name) => atom(self.notes, name).unwrap_or_else(|(code, wrong)| {
                let mut problem = Diagnostic::new(code, atoms::place(self.text, name), wrong.message);
                problem.help = wrong.help;
                self.problems.push(problem);
                Fact::Const(false)
            }),
            Formula::Not(f) => self.read(f).negated(),
            Formula::And(fs) => Fact::All(fs.iter().map(|f| self.read(f)).collect()),
            Formula::Or(fs) => Fact::Any(fs.iter().map(|f| self.read(f)).collect()),
            Formula::Imp(f, g) => Fact::Any(vec![self.read(f).negated(), self.read(g)]),
            Formula::Iff(f, g) => Fact::Iff(Arc::new(self.read(f)), Arc::new(self.read(g))),
            Formula::Xor(fs) => {
                fs.iter().fold(Fact::Const(false), |odd, f| Fact::Iff(Arc::new(odd), Arc::new(self.read(f))).negated())
            }
            Formula::Knows(agent, f) => Fact::Knows(self.seat(agent), Arc::new(self.read(f))),
            Formula::Possible(agent, f) => Fact::Knows(self.seat(agent), Arc::new(self.read(f).negated())).negated(),
            Formula::KnowsWhether(agent, f) => {
                let (seat, fact) = (self.seat(agent), self.read(f));
                Fact::Any([fact.clone(), fact.negated()].map(|f| Fact::Knows(seat, Arc::new(f))).into())
            }
            Formula::Everyone(group, f) => {
                let (seats, fact) = (self.seats(group), Arc::new(self.read(f)));
                Fact::All(seats.iter().map(|s| Fact::Knows(Seats::of(s), fact.clone())).collect())
            }
            Formula::Distributed(group, f) => Fact::Knows(self.seats(group), Arc::new(self.read(f))),
            Formula::Common(group, f) => {
                let (seats, fact) = (self.seats(group), Arc::new(self.read(f)));
                // Common knowledge of one is its knowledge.
                if seats == Seats::BOTH { Fact::Common(fact) } else { Fact::Knows(seats, fact) }
            }
            Formula::Count(..) => self.unfit("how many facts are true"),
            Formula::Compare(..) => self.unfit("a comparison of numbers"),
            Formula::After(..) | Formula::Can(..) => self.unfit("what holds after an action"),
            Formula::Path(..)
            | Formula::Until(..)
            | Formula::Runs(..)
            | Formula::Linear(..)
            | Formula::LinearUntil(..)
            | Formula::Release(..) => self.unfit("what holds at other times"),
            Formula::Ensure(..) | Formula::EnsureUntil(..) => self.unfit("what a group can ensure"),
            Formula::Ought(..) => self.unfit("an obligation"),
        }
    }

    fn unfit(&mut self, what: &str) -> Fact {
        let message = format!("{what} cannot be asked of a position");
        self.problems.push(Diagnostic::new(Code::Temporal, Span::new(0, self.text.len()), message));
        Fact::Const(false)
    }

    /// The parser lets only agents through, and they are `0` and `1`.
    fn seat(&mut self, name: &str) -> Seats {
        Seats::of(Seat(u8::from(name == "1")))
    }

    fn seats(&mut self, group: &Group) -> Seats {
        match group {
            Group::All => Seats::BOTH,
            Group::Of(names) => Seats(names.iter().fold(0, |all, name| all | self.seat(name).0)),
        }
    }
}

/// Which fact the name stands for.
fn atom(notes: &Notes, name: &str) -> Result<Fact, (Code, Illegal)> {
    if name == "grouped" {
        return Ok(Fact::Grouped);
    }
    let unknown = || {
        let wrong = Illegal::new(format!("unknown name `{name}`"));
        let help = "the facts are col(card,colours), same(card,card), proper(card) and grouped";
        (Code::UnknownName, wrong.help(help))
    };
    let card = |text: &str| {
        let number = text.parse().ok().filter(|n: &u8| (1..=CARDS as u8).contains(n));
        let wrong = || (Code::Index, Illegal::new(format!("there is no card `{text}`")).help("the cards are 1 to 16"));
        number.map(|n| Card(n - 1)).ok_or_else(wrong)
    };
    let colours = |text: &str| {
        let found = Colour::read(text).map(Colours::of).or_else(|| Colours::read(text));
        let help = "red, green, blue, yellow, or letters: rg is red or green";
        found.ok_or_else(|| (Code::Index, Illegal::new(format!("there is no colour `{text}`")).help(help)))
    };
    let (base, rest) = name.split_once('(').ok_or_else(unknown)?;
    let inside = rest.strip_suffix(')').ok_or_else(unknown)?;
    match (base, inside.split_once(',')) {
        ("col", Some((c, set))) => Ok(Fact::Colour(card(c)?, colours(set)?)),
        ("same", Some((a, b))) => Ok(Fact::Same(card(a)?, card(b)?)),
        ("proper", None) => {
            let c = card(inside)?;
            let wrong = || (Code::Index, Illegal::new(format!("card {inside} is not marked with a hint")));
            notes.marks()[c.index()].map(|hint| Fact::Colour(c, hint)).ok_or_else(wrong)
        }
        _ => Err(unknown()),
    }
}

/// `card 3`, `cards 3 and 7`, `cards 1, 3 and 7`.
pub(super) fn cards(set: CardSet) -> String {
    let numbers: Vec<String> = set.iter().map(|c| (c.0 + 1).to_string()).collect();
    let s = if numbers.len() == 1 { "" } else { "s" };
    format!("card{s} {}", listed(&numbers, "and"))
}

/// `red or green`.
pub(super) fn colours(set: Colours) -> String {
    let names: Vec<String> = set.iter().map(|c| c.to_string()).collect();
    if names.is_empty() { "no colour".to_string() } else { listed(&names, "or") }
}

fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

impl Fact {
    /// The fact as a part of a sentence: `seat 1 knows that card 3 is red`.
    pub fn words(&self) -> String {
        self.say(true)
    }

    /// Whether it is put together from several facts.
    fn is_joined(&self) -> bool {
        match self {
            Fact::All(facts) | Fact::Any(facts) => facts.len() > 1,
            Fact::Iff(..) => true,
            Fact::Not(fact) => fact.is_joined(),
            Fact::Const(_) | Fact::Colour(..) | Fact::Same(..) | Fact::Grouped | Fact::Knows(..) | Fact::Common(_) => {
                false
            }
        }
    }

    fn say(&self, yes: bool) -> String {
        let pick = |a: &'static str, b: &'static str| if yes { a } else { b };
        let part = |fact: &Fact| if fact.is_joined() { format!("({})", fact.say(yes)) } else { fact.say(yes) };
        let each = |facts: &[Fact], word: &str, empty: bool| match facts {
            [] => (empty == yes).to_string(),
            [one] => one.say(yes),
            many => many.iter().map(part).collect::<Vec<_>>().join(&format!(" {word} ")),
        };
        match self {
            Fact::Const(value) => (*value == yes).to_string(),
            Fact::Colour(card, set) if set.is_empty() => {
                format!("card {} {} no colour", card.0 + 1, pick("has", "has not"))
            }
            Fact::Colour(card, set) => format!("card {} {} {}", card.0 + 1, pick("is", "is not"), colours(*set)),
            Fact::Same(a, b) => {
                format!("{} {} the same colour", cards(CardSet::of(*a).with(*b)), pick("have", "do not have"))
            }
            Fact::Grouped => format!("{}every colour is connected", pick("", "not ")),
            Fact::Not(fact) => fact.say(!yes),
            Fact::All(facts) => each(facts, pick("and", "or"), true),
            Fact::Any(facts) => each(facts, pick("or", "and"), false),
            Fact::Iff(a, b) => format!("{} {} {}", a.say(true), pick("just if", "just if not:"), b.say(true)),
            Fact::Knows(seats, fact) => match (*seats == Seats::BOTH, seats.iter().next()) {
                (false, Some(seat)) => {
                    format!("seat {seat} {} that {}", pick("knows", "does not know"), fact.say(true))
                }
                _ => format!("the seats together {} that {}", pick("know", "do not know"), fact.say(true)),
            },
            Fact::Common(fact) => {
                format!("it is {}common knowledge that {}", pick("", "not "), fact.say(true))
            }
        }
    }
}
