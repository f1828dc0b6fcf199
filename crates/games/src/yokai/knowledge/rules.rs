//! The rules of proofs about Yōkai, and what they say: the side of the checker. Of what is here the search uses only
//! [`connectable`], to see whether the colours can all be connected.

use super::atoms::{Atom, Fact};
use super::memory::{Noted, Notes, Premise};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{self, Access, Rules};
use crate::yokai::colour::{CARDS, Colour, Colouring, Colours};
use crate::yokai::layout::{Layout, Shape};

/// What is left for each card.
pub(super) type Left = [Colours; CARDS];

/// How facts follow from others; why there are no other cases; and what may be changed without being seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It is seen from the colours that are left.
    Left,
    /// As many cards have only these colours as there are cards of these colours: no other card has one of them.
    Full(Colours, CardSet),
    /// It was announced that the cards have the same colour.
    Same(Card, Card),
    /// It was told that the card has the colour of one of these.
    Joins(Card, CardSet),
    /// More cards have only these colours than there are cards of them.
    Crowded(Colours, CardSet),
    /// Every colour would have been connected in this layout, and the match would have ended.
    Ended(Layout),
    /// The card has one of the colours that are left for it: a distinction.
    Split(Card),
    /// The two cards, exchanged.
    Exchange(Card, Card),
    /// Other colours, the same on all cards that were looked at.
    World(Colouring),
}

/// A proof about the colours.
pub type Proof = proof::Proof<Atom, Noted, Rule>;

/// A line of such a proof.
pub(super) type Line = proof::Line<Atom, Noted, Rule>;

/// A step of such a proof.
pub(super) type Step = proof::Step<Atom, Noted, Rule>;

type Led = Result<Vec<Noted>, String>;

fn ensure(holds: bool, premises: Vec<Noted>, message: &str) -> Led {
    if holds { Ok(premises) } else { Err(message.to_string()) }
}

/// The atom that a fact says or denies.
fn literal(fact: &Fact) -> Option<(Atom, bool)> {
    match fact {
        Fact::Atom(atom) => Some((*atom, true)),
        Fact::Not(inner) => match **inner {
            Fact::Atom(atom) => Some((atom, false)),
            _ => None,
        },
        _ => None,
    }
}

/// What these facts leave for each card.
fn left(facts: &[Fact]) -> Left {
    let mut left = [Colours::ALL; CARDS];
    for fact in facts {
        if let Some((Atom::Colour(card, set), yes)) = literal(fact) {
            let set = if yes { set } else { Colours::ALL.minus(set) };
            if let Some(of) = left.get_mut(card.index()) {
                *of = of.and(set);
            }
        }
    }
    left
}

impl Rules for Notes {
    type Premise = Noted;
    type Rule = Rule;

    fn observer(&self) -> Seat {
        self.seat()
    }

    fn access(&self, premise: &Noted) -> Option<Access> {
        let there = match premise.premise {
            Premise::Looked(seat, card) => premise.event.is_none() && self.looked(seat).has(card),
            Premise::Look(..)
            | Premise::Hint(..)
            | Premise::Told(..)
            | Premise::Same(..)
            | Premise::Joins(..)
            | Premise::WentOn(_)
            | Premise::Shown(..) => self.noted().contains(premise),
        };
        there.then_some(Access { public: premise.premise.is_public(), event: premise.event })
    }

    fn says(&self, premise: &Noted, fact: &Fact) -> bool {
        match (premise.premise, literal(fact)) {
            (Premise::Same(a, b), Some((Atom::Same(x, y), true))) => [(a, b), (b, a)].contains(&(x, y)),
            (premise, Some((Atom::Colour(of, set), true))) => {
                premise.leaves().is_some_and(|(card, told)| card == of && told.minus(set).is_empty())
            }
            _ => false,
        }
    }

    fn leads(&self, rule: &Rule, from: &[Fact], to: &Fact) -> Led {
        let left = left(from);
        let only = |card: Card, set: Colours| left.get(card.index()).is_some_and(|of| of.minus(set).is_empty());
        let premise = |wanted: Premise| self.noted().iter().find(|noted| noted.premise == wanted).copied();
        match (*rule, literal(to)) {
            (Rule::Left, Some(_)) => ensure(self.shows(&left, to), vec![], "what is left does not show it"),
            (Rule::Full(set, cards), Some((Atom::Colour(card, rest), true))) => {
                let full = cards.iter().all(|card| only(card, set)) && cards.len() >= 4 * set.len();
                let out = !cards.has(card) && card.index() < CARDS && Colours::ALL.minus(set).minus(rest).is_empty();
                ensure(full && out, vec![], "too few cards have only these colours")
            }
            (Rule::Same(a, b), Some((Atom::Colour(card, set), true))) => {
                let said = premise(Premise::Same(a, b)).ok_or("nobody said that the cards are alike")?;
                let both = left[a.index()].and(left[b.index()]);
                ensure([a, b].contains(&card) && both.minus(set).is_empty(), vec![said], "another colour is left")
            }
            (Rule::Joins(card, others), Some((Atom::Colour(of, set), true))) => {
                let said =
                    premise(Premise::Joins(card, others)).ok_or("nobody said that the card is like one of them")?;
                let shared = |other: Card| left[other.index()].and(left[card.index()]);
                let could: Vec<Card> = others.iter().filter(|&other| !shared(other).is_empty()).collect();
                let shared: Colours = could.iter().flat_map(|&other| shared(other).iter()).collect();
                let speaks = of == card || could == [of];
                ensure(speaks && shared.minus(set).is_empty(), vec![said], "another colour is left")
            }
            (Rule::Crowded(set, cards), None) => {
                let crowded = cards.iter().all(|card| only(card, set)) && cards.len() > 4 * set.len();
                ensure(*to == Fact::Const(false) && crowded, vec![], "not too many cards have only these colours")
            }
            (Rule::Ended(layout), None) => {
                let went_on = premise(Premise::WentOn(layout)).ok_or("the match did not go on with this layout")?;
                let over = *to == Fact::Const(false) && connects(&layout.shape(), &left);
                ensure(over, vec![went_on], "the match would not have ended")
            }
            (Rule::Split(card), None) => {
                let Fact::Any(ways) = to else { return Err("the rule tells cases apart".to_string()) };
                let covers = |way: &Fact, colour: Colour| match literal(way) {
                    Some((Atom::Colour(of, set), true)) => of == card && set.has(colour),
                    Some((Atom::Colour(of, set), false)) => of == card && !set.has(colour),
                    _ => false,
                };
                let open = left.get(card.index()).copied().unwrap_or(Colours::ALL);
                let all = open.iter().all(|colour| ways.iter().any(|way| covers(way, colour)));
                ensure(all, vec![], "a colour of the card has no case")
            }
            (
                Rule::Left
                | Rule::Full(..)
                | Rule::Same(..)
                | Rule::Joins(..)
                | Rule::Crowded(..)
                | Rule::Ended(_)
                | Rule::Split(_)
                | Rule::Exchange(..)
                | Rule::World(_),
                _,
            ) => Err("the rule does not conclude such a thing".to_string()),
        }
    }

    fn sees(&self, seat: Seat, atom: &Atom, _: usize) -> bool {
        atom.mentions().is_subset(self.looked(seat))
    }

    fn sees_by(&self, seat: Seat, atom: &Atom, _: usize) -> Vec<Noted> {
        atom.mentions().iter().map(|card| Noted { premise: Premise::Looked(seat, card), event: None }).collect()
    }

    fn denies(&self, _: &Noted, _: &Fact) -> Option<(Seat, usize)> {
        None
    }

    fn changes(&self, change: &Rule, seats: Seats, from: &[Fact], to: &[Fact]) -> Result<(), String> {
        let left = left(from);
        let seen = seats.iter().fold(CardSet::EMPTY, |all, seat| all.or(self.looked(seat)));
        let there = match *change {
            Rule::Exchange(a, b) => {
                let fits = |noted: &Noted| match noted.premise {
                    Premise::Look(..) | Premise::Looked(..) => true,
                    Premise::Hint(card, told) | Premise::Told(card, told) => {
                        let other = if card == a { b } else { a };
                        ![a, b].contains(&card) || left[other.index()].minus(told).is_empty()
                    }
                    Premise::Same(x, y) => ![x, y].iter().any(|card| [a, b].contains(card)),
                    Premise::Joins(card, others) => ![a, b].contains(&card) && others.has(a) == others.has(b),
                    Premise::Shown(card, _) => ![a, b].contains(&card),
                    Premise::WentOn(_) => false,
                };
                let hidden = !seen.has(a) && !seen.has(b) && self.noted().iter().all(fits);
                ensure(hidden, vec![], "the cards can be told apart")?;
                let mut after = left;
                after.swap(a.index(), b.index());
                after
            }
            Rule::World(colouring) => {
                let alike = |card: Card| left[card.index()] == Colours::of(colouring.of(card));
                let public = self.noted().iter().all(|noted| admits(noted.premise, &colouring));
                ensure(public && seen.iter().all(alike), vec![], "the other colours do not look the same")?;
                colouring.colours().map(Colours::of)
            }
            Rule::Left
            | Rule::Full(..)
            | Rule::Same(..)
            | Rule::Joins(..)
            | Rule::Crowded(..)
            | Rule::Ended(_)
            | Rule::Split(_) => return Err("that is no change".to_string()),
        };
        let holds = |fact: &Fact| match literal(fact) {
            Some((Atom::Colour(card, set), true)) => there.get(card.index()).is_some_and(|of| of.minus(set).is_empty()),
            _ => false,
        };
        ensure(to.iter().all(holds), vec![], "that need not hold after the change").map(|_| ())
    }
}

impl Notes {
    /// Whether what is left shows a literal.
    fn shows(&self, left: &Left, fact: &Fact) -> bool {
        let of = |card: Card| left.get(card.index()).copied().unwrap_or(Colours::ALL);
        match literal(fact) {
            Some((Atom::Colour(card, set), true)) => of(card).minus(set).is_empty(),
            Some((Atom::Colour(card, set), false)) => of(card).and(set).is_empty(),
            Some((Atom::Same(a, b), true)) => a == b || of(a) == of(b) && of(a).single().is_some(),
            Some((Atom::Same(a, b), false)) => of(a).and(of(b)).is_empty(),
            Some((Atom::Grouped, true)) => connects(&self.layout().shape(), left),
            Some((Atom::Grouped, false)) => !connectable(&self.layout().shape(), left),
            None => false,
        }
    }
}

/// Whether a public premise is true of the colours; a look binds nobody else.
fn admits(premise: Premise, colouring: &Colouring) -> bool {
    match premise {
        Premise::Look(..) | Premise::Looked(..) => true,
        Premise::Hint(card, told) | Premise::Told(card, told) => told.has(colouring.of(card)),
        Premise::Shown(card, colour) => colouring.of(card) == colour,
        Premise::Same(a, b) => colouring.of(a) == colouring.of(b),
        Premise::Joins(card, others) => others.iter().any(|other| colouring.of(other) == colouring.of(card)),
        Premise::WentOn(layout) => !layout.shape().grouped(colouring),
    }
}

/// Whether every card is settled and every colour connected.
fn connects(shape: &Shape, left: &Left) -> bool {
    let cards = |colour: Colour| -> CardSet {
        (0..CARDS as u8).map(Card).filter(|card| left[card.index()] == Colours::of(colour)).collect()
    };
    let settled = left.iter().all(|set| set.len() == 1);
    settled && Colour::ALL.into_iter().all(|colour| shape.connected(cards(colour).0 as u16))
}

/// Whether the colours can be connected all at once.
pub(super) fn connectable(shape: &Shape, left: &Left) -> bool {
    fn choose(fours: &[Vec<CardSet>], used: CardSet) -> bool {
        fours
            .split_first()
            .is_none_or(|(first, rest)| first.iter().any(|&four| four.is_disjoint(used) && choose(rest, used.or(four))))
    }
    choose(&Colour::ALL.map(|colour| fours(shape, left, colour)), CardSet::EMPTY)
}

/// The connected fours that may be all the cards of a colour.
fn fours(shape: &Shape, left: &Left, colour: Colour) -> Vec<CardSet> {
    let having = |test: &dyn Fn(Colours) -> bool| -> CardSet {
        (0..CARDS as u8).map(Card).filter(|card| test(left[card.index()])).collect()
    };
    let (may, sure) = (having(&|set| set.has(colour)), having(&|set| set.minus(Colours::of(colour)).is_empty()));
    let mut sets = vec![CardSet::EMPTY];
    for card in may.iter() {
        for i in 0..sets.len() {
            if sets[i].len() < 4 {
                sets.push(sets[i].with(card));
            }
        }
    }
    sets.retain(|&four| four.len() == 4 && sure.is_subset(four) && shape.connected(four.0 as u16));
    sets
}
