//! What a proof is: premises, and steps that each name a rule.

use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::{Fact, Place};
use crate::game::Seat;

/// Something that the position says or the rules of the game say. Events count from 0 here and from 1 in words.
///
/// That every card is at exactly one place is no premise: it is what a deal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Premise {
    /// The observer holds exactly its hand.
    Hand,
    /// In this event the seat passed: it holds none of the cards asked for.
    Pass(usize, Seat),
    /// In this event a seat showed one of the cards asked for, which the observer did not see.
    Show(usize),
    /// In this event the observer saw which card was shown.
    Shown(usize),
    /// This accusation was right.
    Right(usize),
    /// This accusation was wrong.
    Wrong(usize),
    /// The observer accused wrongly and saw the envelope.
    Saw(usize),
    /// The seat ended its turn without accusing: it did not know the envelope.
    Ended(usize),
    /// The seat holds as many cards as the position says.
    Size(Seat),
    /// One card of the category lies in the envelope.
    Category(usize),
}

impl Premise {
    /// The event it is part of.
    pub fn event(self) -> Option<usize> {
        match self {
            Premise::Pass(e, _) => Some(e),
            Premise::Show(e) | Premise::Shown(e) | Premise::Ended(e) => Some(e),
            Premise::Right(e) | Premise::Wrong(e) | Premise::Saw(e) => Some(e),
            Premise::Hand | Premise::Size(_) | Premise::Category(_) => None,
        }
    }
}

/// What a step concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finding {
    /// The card is at the place.
    At(Card, Place),
    /// The card is not at the place.
    Not(Card, Place),
    /// The card shown in this event was this one.
    Showed(usize, Card),
    /// What is to be proved.
    Goal,
    /// This cannot be.
    Impossible,
}

/// How a step follows from earlier ones and from premises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A premise says it: the hand, a card seen, an envelope seen, a right accusation, a pass.
    Given(Premise),
    /// From the eyes of another seat: what that seat knows of its own hand, or saw.
    View,
    /// A card is at one place only.
    OnePlace,
    /// A card is somewhere: at the last place left.
    LastPlace,
    /// The hand is full: of cards that the seat holds, and of one card for each of these shows, which have no card in
    /// common.
    Full(Seat, Vec<usize>),
    /// The seat needs all the cards that it can still hold.
    NeedsAll(Seat),
    /// The card of this category in the envelope is known, so no other is.
    Taken(usize),
    /// Only one card of the category can be in the envelope.
    OnlyOne(usize),
    /// Only one of the cards asked for can have been shown in this event.
    OneLeft(usize),
    /// The card shown in this event is one that the seat holds.
    Showed(usize),
    /// The accusation was wrong, so the rest of it cannot be in the envelope.
    Wrong(usize),
    /// These places (seats, and the envelope for some categories) have room for as many cards as these, which can be
    /// nowhere else: no other card is there.
    Fill(Group, CardSet),
    /// These places need as many cards as these, and no other card can be there: these cards are nowhere else.
    Need(Group, CardSet),
    /// A fact and its opposite.
    Clash,
    /// The facts make the claim true.
    Truth,
    /// One of the cases holds, and each leads there.
    Cases(Split, Vec<Case>),
    /// The seat ended its turn in this event without accusing, but would have known the envelope.
    Knew(Box<Knew>),
}

/// Some seats, and the envelope for some categories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Seats as bits.
    pub seats: u8,
    /// Categories as bits.
    pub categories: u8,
}

/// Why one of the cases must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// The seat that showed in this event holds one of the cards asked for.
    Show(usize),
    /// The card is somewhere.
    Places(Card),
    /// One card of the category is in the envelope.
    Category(usize),
    /// The card is at the place or it is not.
    Either(Card, Place),
    /// One of the cards asked for was shown in this event.
    Showed(usize),
}

/// A case and what follows in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The number of the assumption.
    pub number: usize,
    /// What is assumed.
    pub assume: Finding,
    /// What follows; the last step concludes what the distinction concludes, or that the case cannot be. Without steps
    /// the assumption itself is that conclusion.
    pub steps: Vec<Step>,
}

/// What a seat would have known when it ended its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knew {
    /// The event in which the turn ended.
    pub event: usize,
    /// Why the seat knew the envelope: it had accused wrongly before and seen it, or this follows from what it saw.
    pub why: Insight,
}

/// How a seat came to know the envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Insight {
    /// It accused wrongly in this event and saw it.
    Accused(usize),
    /// It follows from its own hand and the cards shown to it, as these steps say; the last one concludes it.
    Follows {
        /// What lies in the envelope.
        envelope: CardSet,
        /// From the eyes of the seat.
        steps: Vec<Step>,
    },
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number, from 1; assumptions are numbered too.
    pub number: usize,
    /// What it concludes.
    pub facts: Vec<Finding>,
    /// How.
    pub rule: Rule,
    /// From which earlier steps and assumptions.
    pub from: Vec<usize>,
}

/// A proof of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What is proved; `false` for a position that cannot be.
    pub claim: Fact,
    /// What is used; nothing of it can be left out.
    pub premises: Vec<Premise>,
    /// The steps; the last one concludes the claim.
    pub steps: Vec<Step>,
}

impl Proof {
    /// How many steps it has, those inside cases counted.
    pub fn len(&self) -> usize {
        count(&self.steps)
    }

    /// Whether there is nothing to prove: the claim is `true`.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

fn count(steps: &[Step]) -> usize {
    let inner = |step: &Step| match &step.rule {
        Rule::Cases(_, cases) => cases.iter().map(|c| 1 + count(&c.steps)).sum(),
        Rule::Knew(knew) => match &knew.why {
            Insight::Follows { steps, .. } => count(steps),
            Insight::Accused(_) => 0,
        },
        _ => 0,
    };
    steps.iter().map(|s| 1 + inner(s)).sum()
}
