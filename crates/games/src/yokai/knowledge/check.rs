//! The rules of proof.
//!
//! A proof shows that a fact is true in every colouring that fits some premises. At each place in it every card has a
//! set of colours that are left for it; steps make the sets smaller and an end closes the part. The rules are few, and
//! this file trusts nothing else: it does not know how proofs are found.

use super::atoms::{Atom, Fact};
use super::colourings::allowed;
use super::memory::{Noted, Notes, Premise};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::yokai::colour::{CARDS, Colour, Colouring, Colours};
use crate::yokai::layout::{Layout, Shape};
use std::fmt::{self, Display};

/// What is left for each card.
pub(super) type Left = [Colours; CARDS];

/// Why a seat knows a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who knows it.
    pub seat: Seat,
    /// What is known.
    pub fact: Fact,
    /// From what it follows.
    pub premises: Vec<Noted>,
    /// How.
    pub part: Part,
}

/// Steps and an end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What makes the sets smaller, one after another.
    pub steps: Vec<Step>,
    /// Why the fact holds then.
    pub end: End,
}

/// A step that leaves fewer colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// As many cards have only these colours as there are cards of these colours, so no other card has one of them.
    Full(Colours),
    /// The cards have the same colour.
    Same(Card, Card),
}

/// Why a fact holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It is seen from what is left.
    Plain,
    /// This cannot be: more cards have only these colours than there are cards of them.
    Crowded(Colours),
    /// This cannot be: every colour would have been connected, and the match would have ended.
    Ended(Layout),
    /// The card has one of its colours, and in each case it holds.
    Split(Card, Vec<(Colour, Part)>),
    /// Every part of it holds.
    All(Vec<Part>),
    /// This part of it holds.
    Any(usize, Box<Part>),
    /// It holds whatever the cards are that the seats did not look at.
    Knows(Box<Part>),
    /// The seats looked at cards that are settled here; these colours agree with them, and what they would have to
    /// know is false there.
    Unsure(Colouring, Box<Part>),
    /// What the seats would have to know is false.
    Untrue(Box<Part>),
    /// The seats looked at neither of the two cards, and nothing public tells them apart here: with their colours
    /// exchanged, what the seats would have to know is false.
    Exchange(Card, Card, Box<Part>),
    /// It holds whatever the cards are at which not both looked.
    Common(Box<Part>),
    /// It is not common knowledge, since the first of these seats does not know that the next one knows that …
    Chain(Vec<Seat>, Box<Part>),
}

/// What is wrong with a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is about another seat.
    Seat,
    /// A premise is not among the notes.
    Premise,
    /// Fewer cards than that have only these colours.
    NotFull(Colours),
    /// It was not announced that the cards have the same colour.
    NotSame(Card, Card),
    /// What is left does not show the fact.
    NotPlain,
    /// Not more cards than there may be have only these colours.
    NotCrowded(Colours),
    /// The match did not go on with this layout, or not every colour was connected there.
    NotEnded,
    /// A colour of the card has no case.
    Case(Card),
    /// The end is not one for a fact of this kind.
    Kind,
    /// The seats looked at a card that is not settled, or the other colours do not agree with what is public or seen.
    NotAlike,
    /// The seats looked at one of the cards, or something public tells them apart.
    NotExchanged(Card, Card),
}

impl Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Seat => f.write_str("it is about another seat"),
            Flaw::Premise => f.write_str("a premise is not among the notes"),
            Flaw::NotFull(set) => write!(f, "too few cards have only the colours {set}"),
            Flaw::NotSame(a, b) => write!(f, "nobody said that cards {} and {} are alike", a.0 + 1, b.0 + 1),
            Flaw::NotPlain => f.write_str("what is left does not show the fact"),
            Flaw::NotCrowded(set) => write!(f, "not too many cards have only the colours {set}"),
            Flaw::NotEnded => f.write_str("the match would not have ended"),
            Flaw::Case(card) => write!(f, "a case of card {} is missing", card.0 + 1),
            Flaw::Kind => f.write_str("the end does not fit the fact"),
            Flaw::NotExchanged(a, b) => write!(f, "cards {} and {} can be told apart", a.0 + 1, b.0 + 1),
            Flaw::NotAlike => f.write_str("the other colours do not look the same"),
        }
    }
}

impl std::error::Error for Flaw {}

/// Checks a proof against the notes.
pub fn check(notes: &Notes, proof: &Proof) -> Result<(), Flaw> {
    if proof.seat != notes.seat() {
        return Err(Flaw::Seat);
    }
    if !proof.premises.iter().all(|p| notes.noted().contains(p)) {
        return Err(Flaw::Premise);
    }
    let rules = Rules::new(notes, &proof.premises);
    rules.part(rules.own, &proof.fact, &proof.part)
}

/// A fact by how it is proved.
pub(super) enum Goal {
    /// Read off what is left.
    Plain,
    All(Vec<Fact>),
    Any(Vec<Fact>),
    Knows(Seats, Fact),
    /// The seats do not know it.
    Unsure(Seats, Fact),
    Common(Fact),
    /// It is not common knowledge.
    Unshared(Fact),
    /// There is no rule for it.
    Beyond,
}

impl Goal {
    pub(super) fn of(fact: &Fact) -> Goal {
        let negated = |facts: &[Fact]| facts.iter().cloned().map(Fact::negated).collect();
        match fact {
            Fact::Const(_) | Fact::Atom(_) => Goal::Plain,
            Fact::All(facts) => Goal::All(facts.clone()),
            Fact::Any(facts) => Goal::Any(facts.clone()),
            Fact::Iff(a, b) => Goal::Any(vec![
                Fact::All(vec![(**a).clone(), (**b).clone()]),
                Fact::All(vec![(**a).clone().negated(), (**b).clone().negated()]),
            ]),
            Fact::Knows(seats, inner) => Goal::Knows(*seats, (**inner).clone()),
            Fact::Common(_, inner) => Goal::Common((**inner).clone()),
            Fact::Count(..) => fact.unrolled().map_or(Goal::Beyond, |unrolled| Goal::of(&unrolled)),
            Fact::After(..) => Goal::Beyond,
            Fact::Not(inner) => match &**inner {
                Fact::Const(_) | Fact::Atom(_) => Goal::Plain,
                Fact::Not(fact) => Goal::of(fact),
                Fact::All(facts) => Goal::Any(negated(facts)),
                Fact::Any(facts) => Goal::All(negated(facts)),
                Fact::Iff(a, b) => Goal::of(&Fact::Iff(a.clone(), Fact::Not(b.clone()).into())),
                Fact::Knows(seats, fact) => Goal::Unsure(*seats, (**fact).clone()),
                Fact::Common(_, fact) => Goal::Unshared((**fact).clone()),
                Fact::Count(..) => inner.unrolled().map_or(Goal::Beyond, |unrolled| Goal::of(&unrolled.negated())),
                Fact::After(..) => Goal::Beyond,
            },
        }
    }
}

/// What the rules refer to.
pub(super) struct Rules<'a> {
    pub(super) notes: &'a Notes,
    shape: Shape,
    /// What the public premises leave for each card.
    pub(super) public: Left,
    /// What all premises leave.
    pub(super) own: Left,
    pub(super) same: Vec<(Card, Card)>,
    pub(super) went_on: Vec<(Layout, Shape)>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(notes: &'a Notes, premises: &[Noted]) -> Rules<'a> {
        let premises = || premises.iter().map(|noted| noted.premise);
        let same = |premise| if let Premise::Same(a, b) = premise { Some((a, b)) } else { None };
        let went_on =
            |premise| if let Premise::WentOn(layout) = premise { Some((layout, layout.shape())) } else { None };
        Rules {
            notes,
            shape: notes.layout().shape(),
            public: allowed(premises().filter(|p| p.is_public())),
            own: allowed(premises()),
            same: premises().filter_map(same).collect(),
            went_on: premises().filter_map(went_on).collect(),
        }
    }

    /// Whether the part proves the fact wherever these colours are left.
    pub(super) fn part(&self, mut left: Left, fact: &Fact, part: &Part) -> Result<(), Flaw> {
        for &step in &part.steps {
            left = self.step(left, step)?;
        }
        match &part.end {
            End::Plain => self.plain(&left, fact).then_some(()).ok_or(Flaw::NotPlain),
            End::Crowded(set) => {
                (within(&left, *set).len() > 4 * set.len()).then_some(()).ok_or(Flaw::NotCrowded(*set))
            }
            End::Ended(layout) => {
                let found = self.went_on.iter().find(|(other, _)| other == layout);
                found.filter(|(_, shape)| connects(shape, &left)).map(|_| ()).ok_or(Flaw::NotEnded)
            }
            End::Split(card, cases) => left[card.index()].iter().try_for_each(|colour| {
                let (_, case) = cases.iter().find(|(c, _)| *c == colour).ok_or(Flaw::Case(*card))?;
                self.part(settled(left, *card, colour), fact, case)
            }),
            End::All(parts) => match Goal::of(fact) {
                Goal::All(facts) if facts.len() == parts.len() => {
                    facts.iter().zip(parts).try_for_each(|(fact, part)| self.part(left, fact, part))
                }
                _ => Err(Flaw::Kind),
            },
            End::Any(at, part) => match Goal::of(fact) {
                Goal::Any(facts) => self.part(left, facts.get(*at).ok_or(Flaw::Kind)?, part),
                _ => Err(Flaw::Kind),
            },
            End::Knows(part) => match Goal::of(fact) {
                Goal::Knows(seats, fact) => self.part(self.seen_by(&left, self.seen(seats)), &fact, part),
                _ => Err(Flaw::Kind),
            },
            End::Common(part) => match Goal::of(fact) {
                Goal::Common(fact) => self.part(self.seen_by(&left, self.seen_by_both()), &fact, part),
                _ => Err(Flaw::Kind),
            },
            End::Chain(seats, part) => match Goal::of(fact) {
                Goal::Unshared(fact) => self.part(left, &fact.known_along(seats).negated(), part),
                _ => Err(Flaw::Kind),
            },
            End::Untrue(part) => match Goal::of(fact) {
                Goal::Unsure(_, fact) => self.part(left, &fact.negated(), part),
                _ => Err(Flaw::Kind),
            },
            End::Exchange(a, b, part) => match Goal::of(fact) {
                Goal::Unsure(seats, fact) => {
                    let after = self.exchanged(&left, self.seen(seats), *a, *b);
                    self.part(after.ok_or(Flaw::NotExchanged(*a, *b))?, &fact.negated(), part)
                }
                _ => Err(Flaw::Kind),
            },
            End::Unsure(other, part) => match Goal::of(fact) {
                Goal::Unsure(seats, fact) => {
                    let alike = |card: Card| left[card.index()] == Colours::of(other.of(card));
                    let public = self.notes.noted().iter().all(|noted| admits(noted.premise, other));
                    if !public || !self.seen(seats).iter().all(alike) {
                        return Err(Flaw::NotAlike);
                    }
                    self.part(other.colours().map(Colours::of), &fact.negated(), part)
                }
                _ => Err(Flaw::Kind),
            },
        }
    }

    pub(super) fn step(&self, mut left: Left, step: Step) -> Result<Left, Flaw> {
        match step {
            Step::Full(set) => {
                let inside = within(&left, set);
                if inside.len() < 4 * set.len() {
                    return Err(Flaw::NotFull(set));
                }
                for card in CardSet::first(CARDS).minus(inside).iter() {
                    left[card.index()] = left[card.index()].minus(set);
                }
            }
            Step::Same(a, b) => {
                if !self.same.contains(&(a, b)) {
                    return Err(Flaw::NotSame(a, b));
                }
                let both = left[a.index()].and(left[b.index()]);
                left[a.index()] = both;
                left[b.index()] = both;
            }
        }
        Ok(left)
    }

    /// Whether what is left shows the fact.
    pub(super) fn plain(&self, left: &Left, fact: &Fact) -> bool {
        let of = |card: Card| left[card.index()];
        match fact {
            Fact::Const(value) => *value,
            Fact::Atom(Atom::Colour(card, set)) => of(*card).minus(*set).is_empty(),
            Fact::Atom(Atom::Same(a, b)) => {
                let said = self.same.contains(&(*a, *b)) || self.same.contains(&(*b, *a));
                a == b || said || of(*a) == of(*b) && of(*a).single().is_some()
            }
            Fact::Atom(Atom::Grouped) => connects(&self.shape, left),
            Fact::Not(inner) => match &**inner {
                Fact::Const(value) => !value,
                Fact::Atom(Atom::Colour(card, set)) => of(*card).and(*set).is_empty(),
                Fact::Atom(Atom::Same(a, b)) => of(*a).and(of(*b)).is_empty(),
                Fact::Atom(Atom::Grouped) => !self.fits(left),
                Fact::Not(fact) => self.plain(left, fact),
                Fact::All(_)
                | Fact::Any(_)
                | Fact::Iff(..)
                | Fact::Count(..)
                | Fact::Knows(..)
                | Fact::Common(..)
                | Fact::After(..) => false,
            },
            Fact::All(_)
            | Fact::Any(_)
            | Fact::Iff(..)
            | Fact::Count(..)
            | Fact::Knows(..)
            | Fact::Common(..)
            | Fact::After(..) => false,
        }
    }

    /// A colour whose cards cannot be connected: no four connected cards that may have it hold all that surely have it.
    pub(super) fn cut_off(&self, left: &Left) -> Option<Colour> {
        Colour::ALL.into_iter().find(|&colour| self.fours(left, colour).is_empty())
    }

    /// Whether the colours can be connected all at once.
    fn fits(&self, left: &Left) -> bool {
        fn choose(fours: &[Vec<CardSet>], used: CardSet) -> bool {
            fours.split_first().is_none_or(|(first, rest)| {
                first.iter().any(|&four| four.is_disjoint(used) && choose(rest, used.or(four)))
            })
        }
        choose(&Colour::ALL.map(|colour| self.fours(left, colour)), CardSet::EMPTY)
    }

    /// The connected fours that may be all the cards of a colour.
    fn fours(&self, left: &Left, colour: Colour) -> Vec<CardSet> {
        let (may, sure) = (having(left, |set| set.has(colour)), within(left, Colours::of(colour)));
        let mut sets = vec![CardSet::EMPTY];
        for card in may.iter() {
            for i in 0..sets.len() {
                if sets[i].len() < 4 {
                    sets.push(sets[i].with(card));
                }
            }
        }
        sets.retain(|&four| four.len() == 4 && sure.is_subset(four) && self.shape.connected(four.0 as u16));
        sets
    }

    /// The cards that some of the seats looked at.
    pub(super) fn seen(&self, seats: Seats) -> CardSet {
        seats.iter().fold(CardSet::EMPTY, |all, seat| all.or(self.notes.looked(seat)))
    }

    /// The cards that both seats looked at.
    pub(super) fn seen_by_both(&self) -> CardSet {
        self.notes.looked(Seat(0)).and(self.notes.looked(Seat(1)))
    }

    /// What is left with the colours of two cards exchanged, if they were not seen and everything public, whether it
    /// is a premise of the proof or not, holds of them afterwards.
    pub(super) fn exchanged(&self, left: &Left, seen: CardSet, a: Card, b: Card) -> Option<Left> {
        let fits = |premise: Premise| match premise {
            Premise::Look(..) => true,
            Premise::Hint(card, told) | Premise::Told(card, told) => {
                let other = if card == a { b } else { a };
                ![a, b].contains(&card) || left[other.index()].minus(told).is_empty()
            }
            Premise::Same(x, y) => ![x, y].iter().any(|card| [a, b].contains(card)),
            Premise::Shown(card, _) => ![a, b].contains(&card),
            Premise::WentOn(_) => false,
        };
        let public = self.notes.noted().iter().all(|noted| fits(noted.premise));
        let mut after = *left;
        after.swap(a.index(), b.index());
        (public && !seen.has(a) && !seen.has(b)).then_some(after)
    }

    /// What is left of the cards that were seen; of the others, what is public.
    pub(super) fn seen_by(&self, left: &Left, seen: CardSet) -> Left {
        std::array::from_fn(|i| match seen.has(Card(i as u8)) {
            true => self.public[i].and(left[i]),
            false => self.public[i],
        })
    }
}

/// Whether a public premise is true of the colours; a look binds nobody else.
fn admits(premise: Premise, colouring: &Colouring) -> bool {
    match premise {
        Premise::Look(..) => true,
        Premise::Hint(card, told) | Premise::Told(card, told) => told.has(colouring.of(card)),
        Premise::Shown(card, colour) => colouring.of(card) == colour,
        Premise::Same(a, b) => colouring.of(a) == colouring.of(b),
        Premise::WentOn(layout) => !layout.shape().grouped(colouring),
    }
}

/// Whether every card is settled and every colour connected.
pub(super) fn connects(shape: &Shape, left: &Left) -> bool {
    let settled = left.iter().all(|set| set.len() == 1);
    settled && Colour::ALL.into_iter().all(|c| shape.connected(within(left, Colours::of(c)).0 as u16))
}

/// The cards whose sets are so.
pub(super) fn having(left: &Left, test: impl Fn(Colours) -> bool) -> CardSet {
    (0..CARDS as u8).map(Card).filter(|card| test(left[card.index()])).collect()
}

/// The cards that can only have these colours.
pub(super) fn within(left: &Left, colours: Colours) -> CardSet {
    having(left, |set| set.minus(colours).is_empty())
}

/// The card has the colour.
pub(super) fn settled(mut left: Left, card: Card, colour: Colour) -> Left {
    left[card.index()] = Colours::of(colour);
    left
}
