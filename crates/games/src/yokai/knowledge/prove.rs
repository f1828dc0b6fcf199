//! Finding a proof: the sets are made as small as counting makes them, and a card is split into its colours where that
//! does not do. The worlds tell what is true, so no part is tried that cannot be proved.

use super::atoms::{Atom, Fact, mentions};
use super::check::{End, Goal, Left, Part, Rules, Step, connects, settled, within};
use super::colourings::Colourings;
use super::memory::{Noted, Notes};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::knowledge::Knower;
use crate::yokai::colour::{CARDS, Colours};

/// The longest chain of who does not know that who knows that is looked for.
const CHAIN: usize = 8;

/// The most parts that a proof may have: nobody reads more.
const PARTS: usize = 2000;

/// Proves a fact that follows from the premises; `None` if the proof gets too long or there is no rule for it.
pub(super) fn prove(notes: &Notes, premises: &[Noted], fact: &Fact) -> Option<Part> {
    let rules = Rules::new(notes, premises);
    let knower = Knower::about(&notes.with(premises.to_vec()));
    let mut prover = Prover { rules: &rules, knower, parts: 0 };
    let mut part = prover.prove(rules.own, fact)?;
    trim(&rules, rules.own, fact, &mut part);
    Some(part)
}

struct Prover<'a> {
    rules: &'a Rules<'a>,
    knower: Knower<Colourings>,
    parts: usize,
}

impl Prover<'_> {
    fn prove(&mut self, mut left: Left, fact: &Fact) -> Option<Part> {
        self.parts += 1;
        if self.parts > PARTS {
            return None;
        }
        let mut steps = Vec::new();
        let end = match self.narrow(&mut left, fact, &mut steps) {
            Some(end) => end,
            None => self.end(&left, fact)?,
        };
        Some(Part { steps, end })
    }

    /// Makes the sets smaller until the fact is seen, or it is seen that this cannot be, or counting says no more.
    fn narrow(&self, left: &mut Left, fact: &Fact, steps: &mut Vec<Step>) -> Option<End> {
        loop {
            if self.rules.plain(left, fact) {
                return Some(End::Plain);
            }
            match next(self.rules, left) {
                Next::Step(step) => {
                    *left = self.rules.step(*left, step).expect("the step is legal");
                    steps.push(step);
                }
                Next::Crowded(set) => return Some(End::Crowded(set)),
                Next::Nothing if left.iter().all(|set| set.len() == 1) => {
                    let over = self.rules.went_on.iter().find(|(_, shape)| connects(shape, left));
                    return over.map(|(layout, _)| End::Ended(*layout));
                }
                Next::Nothing => return None,
            }
        }
    }

    fn end(&mut self, left: &Left, fact: &Fact) -> Option<End> {
        if self.knower.sure(left, &Fact::Const(false)) {
            return self.split(left, fact, CardSet::first(CARDS));
        }
        let all = CardSet::first(CARDS);
        match Goal::of(fact) {
            Goal::Plain => self.split(left, fact, all),
            Goal::Beyond => None,
            Goal::All(facts) => Some(End::All(facts.iter().map(|f| self.prove(*left, f)).collect::<Option<_>>()?)),
            Goal::Any(facts) => match facts.iter().position(|f| self.knower.sure(left, f)) {
                Some(at) => Some(End::Any(at, Box::new(self.prove(*left, &facts[at])?))),
                None => self.split(left, fact, all),
            },
            Goal::Knows(seats, inner) => {
                let seen = self.rules.seen(seats);
                let theirs = self.rules.seen_by(left, seen);
                match self.knower.sure(&theirs, &inner) {
                    true => Some(End::Knows(Box::new(self.prove(theirs, &inner)?))),
                    false => self.split(left, fact, seen),
                }
            }
            Goal::Unsure(seats, inner) => self.unsure(left, fact, self.rules.seen(seats), inner),
            Goal::Common(inner) => {
                let theirs = self.rules.seen_by(left, self.rules.seen_by_both());
                match self.knower.sure(&theirs, &inner) {
                    true => Some(End::Common(Box::new(self.prove(theirs, &inner)?))),
                    false => None,
                }
            }
            Goal::Unshared(inner) => {
                let open = (0..2 * CHAIN).map(|i| {
                    let (length, first) = (i / 2, Seat((i % 2) as u8));
                    std::iter::successors(Some(first), |seat| Some(seat.next(2))).take(length).collect::<Vec<Seat>>()
                });
                for seats in open {
                    let unknown = inner.clone().known_along(&seats).negated();
                    if self.knower.sure(left, &unknown) {
                        return Some(End::Chain(seats, Box::new(self.prove(*left, &unknown)?)));
                    }
                }
                self.split(left, fact, all)
            }
        }
    }

    /// Why it is not known to those who saw these cards.
    fn unsure(&mut self, left: &Left, fact: &Fact, seen: CardSet, inner: Fact) -> Option<End> {
        let mentioned = mentions(&inner);
        let untrue = inner.clone().negated();
        if self.knower.sure(left, &untrue) {
            return Some(End::Untrue(Box::new(self.prove(*left, &untrue)?)));
        }
        let unseen = CardSet::first(CARDS).minus(seen);
        let pairs = unseen.iter().flat_map(|a| unseen.iter().map(move |b| (a, b)));
        let mut pairs: Vec<(Card, Card)> = pairs.filter(|(a, b)| a < b && left[a.index()] != left[b.index()]).collect();
        // Cards that need no further step make the shortest proofs.
        pairs.sort_by_key(|(a, b)| self.rules.own[a.index()].len() + self.rules.own[b.index()].len());
        for (a, b) in pairs {
            if let Some(after) = self.rules.exchanged(left, seen, a, b)
                && self.knower.sure(&after, &untrue)
            {
                return Some(End::Exchange(a, b, Box::new(self.prove(after, &untrue)?)));
            }
        }
        let open = |cards: CardSet| cards.iter().any(|card| left[card.index()].len() > 1);
        if let Some(cards) = [mentioned, seen].into_iter().find(|&cards| open(cards)) {
            return self.split(left, fact, cards);
        }
        let other = self.knower.failing(&self.rules.seen_by(left, seen), &inner)?;
        let part = self.prove(other.colours().map(Colours::of), &untrue)?;
        Some(End::Unsure(other, Box::new(part)))
    }

    /// Splits the card whose cases leave the least.
    fn split(&mut self, left: &Left, fact: &Fact, among: CardSet) -> Option<End> {
        let asked = match fact {
            Fact::Atom(Atom::Colour(card, _)) => Some(*card),
            Fact::Not(inner) => {
                if let Fact::Atom(Atom::Colour(card, _)) = **inner {
                    Some(card)
                } else {
                    None
                }
            }
            _ => None,
        };
        // A colour is best shown by refuting the others.
        let among = asked.map_or(among, CardSet::of);
        let open = among.iter().filter(|card| left[card.index()].len() > 1);
        let card = open.min_by_key(|&card| self.rest(left, card))?;
        let cases = left[card.index()].iter().map(|c| Some((c, self.prove(settled(*left, card, c), fact)?)));
        Some(End::Split(card, cases.collect::<Option<_>>()?))
    }

    /// How much is left in the cases of a card, taken together.
    fn rest(&self, left: &Left, card: Card) -> usize {
        let case = |colour| {
            let mut left = settled(*left, card, colour);
            loop {
                match next(self.rules, &left) {
                    Next::Step(step) => left = self.rules.step(left, step).expect("the step is legal"),
                    Next::Crowded(_) => return 0,
                    Next::Nothing => return left.iter().map(|set| set.len() - 1).sum::<usize>() + 1,
                }
            }
        };
        left[card.index()].iter().map(case).sum()
    }
}

enum Next {
    Step(Step),
    Crowded(Colours),
    Nothing,
}

/// The sets of colours, those whose sentences are shortest first: one colour, all but one, two.
const SETS: [u8; 15] = [0, 1, 2, 4, 8, 14, 13, 11, 7, 3, 5, 6, 9, 10, 12];

/// The next step that changes something.
fn next(rules: &Rules, left: &Left) -> Next {
    for &(a, b) in &rules.same {
        if left[a.index()] != left[b.index()] {
            return Next::Step(Step::Same(a, b));
        }
    }
    for set in SETS.map(Colours::from_bits) {
        let inside = within(left, set);
        if inside.len() > 4 * set.len() {
            return Next::Crowded(set);
        }
        let touched = || (0..).map(Card).zip(left).any(|(c, l)| !inside.has(c) && !l.and(set).is_empty());
        if inside.len() == 4 * set.len() && touched() {
            return Next::Step(Step::Full(set));
        }
    }
    Next::Nothing
}

/// Leaves out steps that are not needed, here and in every part below.
fn trim(rules: &Rules, mut left: Left, fact: &Fact, part: &mut Part) {
    for at in (0..part.steps.len()).rev() {
        let step = part.steps.remove(at);
        if rules.part(left, fact, part).is_err() {
            part.steps.insert(at, step);
        }
    }
    for &step in &part.steps {
        left = rules.step(left, step).expect("a step that was checked");
    }
    match (&mut part.end, Goal::of(fact)) {
        (End::Plain | End::Crowded(_) | End::Ended(_), _) => {}
        (End::Split(card, cases), _) => {
            cases.retain(|(colour, _)| left[card.index()].has(*colour));
            cases.iter_mut().for_each(|(colour, case)| trim(rules, settled(left, *card, *colour), fact, case));
        }
        (End::All(parts), Goal::All(facts)) => {
            facts.iter().zip(parts).for_each(|(fact, part)| trim(rules, left, fact, part));
        }
        (End::Any(at, part), Goal::Any(facts)) => trim(rules, left, &facts[*at], part),
        (End::Knows(part), Goal::Knows(seats, fact)) => {
            trim(rules, rules.seen_by(&left, rules.seen(seats)), &fact, part);
        }
        (End::Common(part), Goal::Common(fact)) => {
            trim(rules, rules.seen_by(&left, rules.seen_by_both()), &fact, part);
        }
        (End::Unsure(other, part), Goal::Unsure(_, fact)) => {
            trim(rules, other.colours().map(Colours::of), &fact.negated(), part);
        }
        (End::Untrue(part), Goal::Unsure(_, fact)) => trim(rules, left, &fact.negated(), part),
        (End::Exchange(a, b, part), Goal::Unsure(seats, fact)) => {
            let after = rules.exchanged(&left, rules.seen(seats), *a, *b).expect("an exchange that was checked");
            trim(rules, after, &fact.negated(), part);
        }
        (End::Chain(seats, part), Goal::Unshared(fact)) => trim(rules, left, &fact.known_along(seats).negated(), part),
        (
            End::All(_)
            | End::Any(..)
            | End::Knows(_)
            | End::Common(_)
            | End::Unsure(..)
            | End::Untrue(_)
            | End::Exchange(..)
            | End::Chain(..),
            _,
        ) => unreachable!("the end fits the fact"),
    }
}
