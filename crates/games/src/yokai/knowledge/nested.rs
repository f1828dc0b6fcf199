//! What is known of what others know, by sets of colourings.
//!
//! The worlds are the colourings in which every public premise is true. `K[j] φ` fails exactly in those that agree, on
//! the cards j looked at, with one where φ fails; common knowledge of φ fails in all that are reached so again and
//! again.

use super::worlds::{Set, Worlds};
use super::{Assumed, Fact, Memory, Notes, Premise, Seats};
use crate::cards::{Card, CardSet};
use crate::game::{Knowledge, Seat, Verdict};
use crate::yokai::colour::{CARDS, Colour, Colouring, Colours};
use crate::yokai::rules::{Sight, Yokai};
use rustc_hash::FxHashMap;

/// No colouring fits what was seen and what is assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoWorld;

/// What a seat knows of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// In how many of the colourings that the seat considers possible it is true.
    pub holds: u64,
    /// In how many it is false.
    pub fails: u64,
    /// One in which it is true.
    pub witness: Option<Colouring>,
    /// One in which it is false.
    pub counterexample: Option<Colouring>,
}

impl Answer {
    /// Known, excluded or open.
    pub fn verdict(&self) -> Verdict {
        match (self.holds, self.fails) {
            (_, 0) => Verdict::Yes,
            (0, _) => Verdict::No,
            (_, _) => Verdict::Open,
        }
    }
}

/// A step to another world on the way to where a fact fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other {
    /// Who cannot tell it from the one before.
    pub seats: Seats,
    /// The other world.
    pub world: Colouring,
    /// What is false there.
    pub fails: Fact,
}

/// Answers questions about notes; what it finds out on the way it keeps for the next question.
#[derive(Clone, Debug)]
pub struct Knower {
    notes: Notes,
    worlds: Worlds,
    law: Set,
    here: Set,
    values: FxHashMap<Fact, Set>,
}

impl Knower {
    /// Somebody to ask about the notes.
    pub fn new(notes: &Notes) -> Knower {
        let [a, b] = [Seat(0), Seat(1)].map(|seat| notes.looked(seat));
        let mut worlds = Worlds::new(&[a.and(b), a, b]);
        let premises = || notes.noted().iter().map(|noted| noted.premise);
        let mut law = worlds.allowed(&allowed(premises().filter(|p| p.is_public())));
        for premise in premises() {
            match premise {
                Premise::Same(a, b) => law = worlds.same(law, a, b),
                Premise::WentOn(layout) => {
                    let grouped = worlds.grouped(&layout.shape());
                    law = worlds.minus(law, grouped);
                }
                Premise::Look(..) | Premise::Hint(..) | Premise::Told(..) | Premise::Shown(..) => {}
            }
        }
        let here = worlds.within(law, &allowed(premises()));
        Knower { notes: notes.clone(), worlds, law, here, values: FxHashMap::default() }
    }

    /// Somebody to ask about what a seat saw, with its memory, and whether its own looks contradict a hint. Hints are
    /// taken to be proper unless they do; then nothing is assumed of them.
    pub fn of(game: &Yokai, sights: &[Sight]) -> (Knower, Memory, bool) {
        let learn = |assumed: Assumed| {
            let mut memory = Memory::new(game, assumed);
            sights.iter().for_each(|sight| memory.learn(sight));
            (Knower::new(memory.notes()), memory)
        };
        let (mut knower, memory) = learn(Assumed::Proper);
        if knower.count() > 0 {
            return (knower, memory, false);
        }
        let (knower, memory) = learn(Assumed::Nothing);
        (knower, memory, true)
    }

    /// The colours that a card can have.
    pub fn possible(&mut self, card: Card) -> Colours {
        let mut can = |colour: &Colour| {
            let fact = Fact::Colour(card, Colours::of(*colour));
            self.ask(&fact).is_ok_and(|answer| answer.holds > 0)
        };
        Colour::ALL.into_iter().filter(|colour| can(colour)).collect()
    }

    /// How many colourings the seat considers possible.
    pub fn count(&mut self) -> u64 {
        self.worlds.count(self.here)
    }

    /// What the seat knows of a fact.
    pub fn ask(&mut self, fact: &Fact) -> Result<Answer, NoWorld> {
        if self.here == Set::EMPTY {
            return Err(NoWorld);
        }
        let value = self.value(fact);
        let (yes, no) = (self.worlds.and(self.here, value), self.worlds.minus(self.here, value));
        Ok(Answer {
            holds: self.worlds.count(yes),
            fails: self.worlds.count(no),
            witness: self.worlds.first(yes),
            counterexample: self.worlds.first(no),
        })
    }

    /// Whether the fact is true in every world with these colours.
    pub(super) fn sure(&mut self, colours: &[Colours; CARDS], fact: &Fact) -> bool {
        self.failing(colours, fact).is_none()
    }

    /// A world with these colours in which the fact is false.
    pub(super) fn failing(&mut self, colours: &[Colours; CARDS], fact: &Fact) -> Option<Colouring> {
        let value = self.value(fact);
        let wrong = self.worlds.minus(self.law, value);
        let wrong = self.worlds.within(wrong, colours);
        self.worlds.first(wrong)
    }

    /// From a world where the fact is false over worlds that somebody cannot tell apart to one that shows why.
    pub fn trail(&mut self, fact: &Fact, world: &Colouring) -> Vec<Other> {
        let mut trail = Vec::new();
        self.follow(fact, world, &mut trail);
        trail
    }

    fn follow(&mut self, fact: &Fact, world: &Colouring, trail: &mut Vec<Other>) {
        let (seats, inner, goal) = match fact {
            // What is false nobody knows: no other world is needed.
            Fact::Knows(_, inner) if !self.holds(inner, world) => return self.follow(inner, world, trail),
            Fact::Knows(seats, inner) => {
                let value = self.value(inner);
                (*seats, inner, self.worlds.minus(self.law, value))
            }
            Fact::Common(inner) => return self.walk(inner, world, trail),
            Fact::All(facts) => {
                if let Some(failing) = facts.iter().find(|f| !self.holds(f, world)) {
                    self.follow(failing, world, trail);
                }
                return;
            }
            // Every part fails: the first that speaks of knowledge says most.
            Fact::Any(facts) => {
                return facts.iter().filter(|f| !f.is_plain()).take(1).for_each(|f| self.follow(f, world, trail));
            }
            Fact::Not(_) | Fact::Iff(..) | Fact::Const(_) | Fact::Colour(..) | Fact::Same(..) | Fact::Grouped => return,
        };
        if let Some(other) = self.other(seats, world, goal) {
            trail.push(Other { seats, world: other, fails: (**inner).clone() });
            self.follow(inner, &other, trail);
        }
    }

    /// A shortest way, seat by seat, from the world to one where the fact is false.
    fn walk(&mut self, fact: &Fact, world: &Colouring, trail: &mut Vec<Other>) {
        let value = self.value(fact);
        let mut rings = vec![self.worlds.minus(self.law, value)];
        let start = self.worlds.within(self.law, &world.colours().map(Colours::of));
        while self.worlds.minus(start, rings[rings.len() - 1]) != Set::EMPTY {
            let last = rings[rings.len() - 1];
            let ring = self.step(last);
            if ring == last {
                return;
            }
            rings.push(ring);
        }
        let mut at = *world;
        for ring in rings.into_iter().rev().skip(1) {
            let next = Seat::all(2).find_map(|seat| Some((seat, self.other(Seats::of(seat), &at, ring)?)));
            let (seat, other) = next.expect("a ring is what one step reaches from the next");
            trail.push(Other { seats: Seats::of(seat), world: other, fails: fact.clone() });
            at = other;
        }
    }

    /// A world of the set that the seats cannot tell from this one.
    fn other(&mut self, seats: Seats, world: &Colouring, set: Set) -> Option<Colouring> {
        let seen = self.seen(seats);
        let colour = |card: Card| if seen.has(card) { Colours::of(world.of(card)) } else { Colours::ALL };
        let found = self.worlds.within(set, &std::array::from_fn(|i| colour(Card(i as u8))));
        self.worlds.first(found)
    }

    /// Whether the fact is true in a world.
    pub fn holds(&mut self, fact: &Fact, world: &Colouring) -> bool {
        let value = self.value(fact);
        let here = self.worlds.within(value, &world.colours().map(Colours::of));
        here != Set::EMPTY
    }

    /// The cards that some of the seats looked at.
    pub(super) fn seen(&self, seats: Seats) -> CardSet {
        seats.iter().fold(CardSet::EMPTY, |all, seat| all.or(self.notes.looked(seat)))
    }

    /// The set with all that one of the seats cannot tell from some of it.
    fn step(&mut self, set: Set) -> Set {
        Seat::all(2).fold(set, |all, seat| {
            let more = self.worlds.alike(set, self.law, self.notes.looked(seat));
            self.worlds.or(all, more)
        })
    }

    /// The worlds in which a fact is true.
    fn value(&mut self, fact: &Fact) -> Set {
        if let Some(&value) = self.values.get(fact) {
            return value;
        }
        let law = self.law;
        let value = match fact {
            Fact::Const(true) => law,
            Fact::Const(false) => Set::EMPTY,
            Fact::Colour(card, colours) => {
                let mut allowed = [Colours::ALL; CARDS];
                allowed[card.index()] = *colours;
                self.worlds.within(law, &allowed)
            }
            Fact::Same(a, b) => self.worlds.same(law, *a, *b),
            Fact::Grouped => {
                let grouped = self.worlds.grouped(&self.notes.layout().shape());
                self.worlds.and(law, grouped)
            }
            Fact::Not(inner) => {
                let value = self.value(inner);
                self.worlds.minus(law, value)
            }
            Fact::All(facts) => facts.iter().fold(law, |all, fact| {
                let value = self.value(fact);
                self.worlds.and(all, value)
            }),
            Fact::Any(facts) => facts.iter().fold(Set::EMPTY, |any, fact| {
                let value = self.value(fact);
                self.worlds.or(any, value)
            }),
            Fact::Iff(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                let (one, other) = (self.worlds.minus(a, b), self.worlds.minus(b, a));
                let differ = self.worlds.or(one, other);
                self.worlds.minus(law, differ)
            }
            Fact::Knows(seats, inner) => {
                let value = self.value(inner);
                let wrong = self.worlds.minus(law, value);
                let unsure = self.worlds.alike(wrong, law, self.seen(*seats));
                self.worlds.minus(law, unsure)
            }
            Fact::Common(inner) => {
                let value = self.value(inner);
                let mut wrong = self.worlds.minus(law, value);
                loop {
                    let more = self.step(wrong);
                    if more == wrong {
                        break self.worlds.minus(law, wrong);
                    }
                    wrong = more;
                }
            }
        };
        self.values.insert(fact.clone(), value);
        value
    }
}

/// What premises that speak of one card leave for each.
pub(super) fn allowed(premises: impl Iterator<Item = Premise>) -> [Colours; CARDS] {
    let mut allowed = [Colours::ALL; CARDS];
    for (card, colours) in premises.filter_map(Premise::leaves) {
        allowed[card.index()] = allowed[card.index()].and(colours);
    }
    allowed
}
