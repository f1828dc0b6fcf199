//! The worlds of a position as sets, and what is known by them.
//!
//! A world is what may be hidden from somebody; a seat cannot tell two worlds apart if it saw the same in both. With sets
//! of worlds, and the worlds that some seats cannot tell from those of a set, everything that can be asked of a position
//! is computed in the same way for every game.

use super::fact::{Fact, Outcomes};
use super::language::Language;
use super::seats::Seats;
use crate::game::{Illegal, Seat, Verdict};
use ken_logic::formula::Name;
use ken_logic::stop;
use rustc_hash::FxHashMap;
use std::fmt::{self, Display};
use std::hash::Hash;

/// The worlds of a position.
pub trait Worlds: Sized {
    /// A fact about a world.
    type Atom: Clone + Eq + Hash;
    /// How the facts are read and said.
    type Language: Language<Atom = Self::Atom>;
    /// A set of worlds. Equal sets are equal values.
    type Set: Clone + Eq;
    /// A world.
    type World: Clone;
    /// About how many steps of a [`Budget`] it takes to make a set out of others.
    const STEPS: u64;

    /// How the facts are read and said here.
    fn language(&self) -> &Self::Language;

    /// The observer.
    fn seat(&self) -> Seat;

    /// The worlds that fit what everybody saw.
    fn all(&mut self) -> Self::Set;

    /// Those that fit what the observer saw, too.
    fn here(&mut self) -> Self::Set;

    /// Those of all worlds in which the fact is true.
    fn fact(&mut self, atom: &Self::Atom) -> Done<Self::Set>;

    /// What is in both.
    fn both(&mut self, a: &Self::Set, b: &Self::Set) -> Done<Self::Set>;

    /// What is in either.
    fn either(&mut self, a: &Self::Set, b: &Self::Set) -> Done<Self::Set>;

    /// What is in the first and not in the second.
    fn without(&mut self, a: &Self::Set, b: &Self::Set) -> Done<Self::Set>;

    /// All worlds that the seats, if they pool what they saw, cannot tell from some world of the set.
    fn alike(&mut self, seats: Seats, set: &Self::Set) -> Done<Self::Set>;

    /// How many worlds are in the set.
    fn count(&mut self, set: &Self::Set) -> u128;

    /// One of the set; `None` if it is empty.
    fn pick(&mut self, set: &Self::Set) -> Option<Self::World>;

    /// The set of this world alone.
    fn only(&mut self, world: &Self::World) -> Self::Set;

    /// The worlds after a move: one entry for each way in which everybody can see it go.
    fn after(&mut self, action: &str) -> Done<Vec<Self>>;

    /// Those of these worlds from which the move leads, in the way of `after`, only into the set, or to some of it.
    /// Where it does not lead there at all, every outcome is as wanted and none is.
    fn before(&mut self, after: &mut Self, set: &Self::Set, outcomes: Outcomes) -> Done<Self::Set>;
}

/// How much work a question may take, in steps of about a microsecond; the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The most steps of the search for worlds.
    pub steps: u64,
}

impl Default for Budget {
    /// Some seconds.
    fn default() -> Budget {
        Budget { steps: 5_000_000 }
    }
}

/// Something, unless it was too much.
pub type Done<T> = Result<T, Refused>;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It takes more than the limits allow: the answer is unknown.
    Limit,
    /// No world fits what was seen: the position contradicts itself.
    NoWorld,
    /// The question cannot be asked of this position.
    Unfit(Illegal),
}

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Limit => f.write_str("the question takes more steps than the limits allow"),
            Refused::NoWorld => f.write_str("nothing fits what was seen"),
            Refused::Unfit(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// What the observer knows of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<W> {
    /// Known to be true, known to be false, or open.
    pub verdict: Verdict,
    /// In how many of the worlds that the observer considers possible it is true, and in how many false, if counted.
    pub counts: Option<(u128, u128)>,
    /// One in which it is true.
    pub witness: Option<W>,
    /// One in which it is false.
    pub counterexample: Option<W>,
}

/// A step to another world on the way to where a fact fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Other<A, W> {
    /// Who cannot tell it from the one before.
    pub seats: Seats,
    /// The other world.
    pub world: W,
    /// What is false there.
    pub fails: Fact<A>,
}

impl<W> Answer<W> {
    /// The answer by a world where the fact is true and one where it is false, as far as there are such.
    ///
    /// # Errors
    /// There is neither.
    pub fn of(witness: Option<W>, counterexample: Option<W>) -> Done<Answer<W>> {
        let verdict = match (&witness, &counterexample) {
            (None, None) => return Err(Refused::NoWorld),
            (Some(_), None) => Verdict::Yes,
            (None, Some(_)) => Verdict::No,
            (Some(_), Some(_)) => Verdict::Open,
        };
        Ok(Answer { verdict, counts: None, witness, counterexample })
    }

    /// Whether the fact is true in every world that the observer considers possible.
    pub fn known(&self) -> bool {
        self.verdict == Verdict::Yes
    }

    /// Whether it is true in some.
    pub fn possible(&self) -> bool {
        self.verdict != Verdict::No
    }
}

/// Answers questions about the worlds of a position; what it finds out on the way it keeps for the next question.
#[derive(Clone, Debug)]
pub struct Knower<W: Worlds> {
    worlds: W,
    values: FxHashMap<Fact<W::Atom>, W::Set>,
    /// What follows the moves that were asked about.
    after: FxHashMap<Name, Vec<Knower<W>>>,
    /// The steps that may still be spent.
    left: u64,
}

impl<W: Worlds> Knower<W> {
    /// Somebody to ask.
    pub fn new(worlds: W) -> Knower<W> {
        Knower { worlds, values: FxHashMap::default(), after: FxHashMap::default(), left: u64::MAX }
    }

    /// Finds something out without spending more than so much; before and afterwards there is no limit.
    pub fn within<T>(&mut self, budget: &Budget, find_out: impl FnOnce(&mut Knower<W>) -> T) -> T {
        self.left = budget.steps;
        let found = find_out(self);
        self.left = u64::MAX;
        found
    }

    /// Spends the steps that it takes to make some sets.
    fn spend(&mut self, sets: u64) -> Done<()> {
        let left = self.left.checked_sub(sets.saturating_mul(W::STEPS)).filter(|_| !stop::asked());
        self.left = left.unwrap_or(0);
        left.map(|_| ()).ok_or(Refused::Limit)
    }

    /// The worlds.
    pub fn worlds(&mut self) -> &mut W {
        &mut self.worlds
    }

    /// The worlds, to look at.
    pub(super) fn peek(&self) -> &W {
        &self.worlds
    }

    /// How many worlds the observer considers possible.
    pub fn count(&mut self) -> u128 {
        let here = self.worlds.here();
        self.worlds.count(&here)
    }

    /// What the observer knows of a fact.
    ///
    /// # Errors
    /// Nothing fits, or it takes too long, or the fact speaks of a move that cannot be.
    pub fn ask(&mut self, fact: &Fact<W::Atom>) -> Done<Answer<W::World>> {
        let here = self.worlds.here();
        if self.worlds.pick(&here).is_none() {
            return Err(Refused::NoWorld);
        }
        let value = self.value(fact)?;
        let (yes, no) = (self.worlds.both(&here, &value)?, self.worlds.without(&here, &value)?);
        let counts = Some((self.worlds.count(&yes), self.worlds.count(&no)));
        Ok(Answer { counts, ..Answer::of(self.worlds.pick(&yes), self.worlds.pick(&no))? })
    }

    /// Whether the fact is true in a world.
    pub fn holds(&mut self, fact: &Fact<W::Atom>, world: &W::World) -> Done<bool> {
        let (value, only) = (self.value(fact)?, self.worlds.only(world));
        let left = self.worlds.without(&only, &value)?;
        Ok(self.worlds.pick(&left).is_none())
    }

    /// The worlds in which a fact is true.
    pub fn value(&mut self, fact: &Fact<W::Atom>) -> Done<W::Set> {
        if let Some(value) = self.values.get(fact) {
            return Ok(value.clone());
        }
        self.spend(1)?;
        let all = self.worlds.all();
        let value = match fact {
            Fact::Const(true) => all,
            Fact::Const(false) => self.worlds.without(&all, &all)?,
            Fact::Atom(atom) => self.worlds.fact(atom)?,
            Fact::Not(inner) => {
                let value = self.value(inner)?;
                self.worlds.without(&all, &value)?
            }
            Fact::All(facts) => {
                let mut value = all;
                for fact in facts {
                    let part = self.value(fact)?;
                    value = self.worlds.both(&value, &part)?;
                }
                value
            }
            Fact::Any(facts) => {
                let mut value = self.worlds.without(&all, &all)?;
                for fact in facts {
                    let part = self.value(fact)?;
                    value = self.worlds.either(&value, &part)?;
                }
                value
            }
            Fact::Count(cmp, n, facts) => {
                let true_of = self.tally(facts)?;
                let mut value = self.worlds.without(&all, &all)?;
                for (count, set) in true_of.iter().enumerate() {
                    if cmp.admits((count as u64).cmp(n)) {
                        value = self.worlds.either(&value, set)?;
                    }
                }
                value
            }
            Fact::Iff(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let (one, other) = (self.worlds.without(&a, &b)?, self.worlds.without(&b, &a)?);
                let differ = self.worlds.either(&one, &other)?;
                self.worlds.without(&all, &differ)?
            }
            Fact::Knows(seats, inner) => {
                let value = self.value(inner)?;
                let wrong = self.worlds.without(&all, &value)?;
                let unsure = self.worlds.alike(*seats, &wrong)?;
                self.worlds.without(&all, &unsure)?
            }
            Fact::Common(seats, inner) => {
                let value = self.value(inner)?;
                let mut wrong = self.worlds.without(&all, &value)?;
                loop {
                    let more = self.step(*seats, &wrong)?;
                    if more == wrong {
                        break self.worlds.without(&all, &wrong)?;
                    }
                    wrong = more;
                }
            }
            Fact::After(action, outcomes, inner) => self.after(action, *outcomes, inner)?,
        };
        self.values.insert(fact.clone(), value.clone());
        Ok(value)
    }

    /// For each number, the worlds in which so many of the facts are true.
    fn tally(&mut self, facts: &[Fact<W::Atom>]) -> Done<Vec<W::Set>> {
        let all = self.worlds.all();
        let mut tally = vec![all];
        for fact in facts {
            let value = self.value(fact)?;
            self.spend(3 * tally.len() as u64)?;
            let mut next = Vec::with_capacity(tally.len() + 1);
            for count in 0..=tally.len() {
                let stays = match tally.get(count) {
                    Some(set) => Some(self.worlds.without(set, &value)?),
                    None => None,
                };
                let grows = match count.checked_sub(1) {
                    Some(before) => Some(self.worlds.both(&tally[before], &value)?),
                    None => None,
                };
                next.push(match (stays, grows) {
                    (Some(a), Some(b)) => self.worlds.either(&a, &b)?,
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => unreachable!("a count comes from somewhere"),
                });
            }
            tally = next;
        }
        Ok(tally)
    }

    /// The set with all that one of the seats cannot tell from some of it.
    fn step(&mut self, seats: Seats, set: &W::Set) -> Done<W::Set> {
        self.spend(2 * seats.iter().count() as u64)?;
        let mut all = set.clone();
        for seat in seats.iter() {
            let more = self.worlds.alike(Seats::of(seat), set)?;
            all = self.worlds.either(&all, &more)?;
        }
        Ok(all)
    }

    fn after(&mut self, action: &Name, outcomes: Outcomes, then: &Fact<W::Atom>) -> Done<W::Set> {
        let mut ways = match self.after.remove(action) {
            Some(ways) => ways,
            None => self.worlds.after(action)?.into_iter().map(Knower::new).collect(),
        };
        let found = self.through(&mut ways, outcomes, then);
        self.after.insert(action.clone(), ways);
        found
    }

    fn through(&mut self, ways: &mut [Knower<W>], outcomes: Outcomes, then: &Fact<W::Atom>) -> Done<W::Set> {
        let all = self.worlds.all();
        let mut value = match outcomes {
            Outcomes::Every => all,
            Outcomes::Some => self.worlds.without(&all, &all)?,
        };
        for way in ways {
            way.left = self.left;
            let there = way.value(then);
            self.left = way.left;
            let there = there?;
            let here = self.worlds.before(&mut way.worlds, &there, outcomes)?;
            value = match outcomes {
                Outcomes::Every => self.worlds.both(&value, &here)?,
                Outcomes::Some => self.worlds.either(&value, &here)?,
            };
        }
        Ok(value)
    }

    /// A world that the seats cannot tell from this one and in which the fact is false.
    pub(super) fn other_where_false(
        &mut self,
        seats: Seats,
        world: &W::World,
        fact: &Fact<W::Atom>,
    ) -> Done<Option<W::World>> {
        let (all, value) = (self.worlds.all(), self.value(fact)?);
        let wrong = self.worlds.without(&all, &value)?;
        self.other(seats, world, &wrong)
    }

    /// From a world where the fact is false over worlds that somebody cannot tell apart to one that shows why.
    pub fn trail(&mut self, fact: &Fact<W::Atom>, world: &W::World) -> Done<Vec<Other<W::Atom, W::World>>> {
        let mut trail = Vec::new();
        self.follow(fact, world, &mut trail)?;
        Ok(trail)
    }

    fn follow(
        &mut self,
        fact: &Fact<W::Atom>,
        world: &W::World,
        trail: &mut Vec<Other<W::Atom, W::World>>,
    ) -> Done<()> {
        match fact {
            Fact::Knows(seats, inner) => {
                // What is false nobody knows: no other world is needed.
                if !self.holds(inner, world)? {
                    return self.follow(inner, world, trail);
                }
                if let Some(other) = self.other_where_false(*seats, world, inner)? {
                    trail.push(Other { seats: *seats, world: other.clone(), fails: (**inner).clone() });
                    self.follow(inner, &other, trail)?;
                }
                Ok(())
            }
            Fact::Common(seats, inner) => self.walk(*seats, inner, world, trail),
            Fact::All(facts) => {
                for fact in facts {
                    if !self.holds(fact, world)? {
                        return self.follow(fact, world, trail);
                    }
                }
                Ok(())
            }
            // Every part fails: the first that speaks of knowledge says most.
            Fact::Any(facts) => match facts.iter().find(|f| !f.is_plain()) {
                Some(part) => self.follow(part, world, trail),
                None => Ok(()),
            },
            Fact::Not(_) | Fact::Iff(..) | Fact::Count(..) | Fact::Const(_) | Fact::Atom(_) | Fact::After(..) => Ok(()),
        }
    }

    /// A shortest way, seat by seat, from the world to one where the fact is false.
    fn walk(
        &mut self,
        seats: Seats,
        fact: &Fact<W::Atom>,
        world: &W::World,
        trail: &mut Vec<Other<W::Atom, W::World>>,
    ) -> Done<()> {
        let (all, value) = (self.worlds.all(), self.value(fact)?);
        let mut rings = vec![self.worlds.without(&all, &value)?];
        let start = self.worlds.only(world);
        loop {
            let last = rings[rings.len() - 1].clone();
            let left = self.worlds.without(&start, &last)?;
            if self.worlds.pick(&left).is_none() {
                break;
            }
            let ring = self.step(seats, &last)?;
            if ring == last {
                return Ok(());
            }
            rings.push(ring);
        }
        let mut at = world.clone();
        for ring in rings.into_iter().rev().skip(1) {
            for seat in seats.iter() {
                if let Some(other) = self.other(Seats::of(seat), &at, &ring)? {
                    trail.push(Other { seats: Seats::of(seat), world: other.clone(), fails: fact.clone() });
                    at = other;
                    break;
                }
            }
        }
        Ok(())
    }

    /// A world of the set that the seats cannot tell from this one.
    fn other(&mut self, seats: Seats, world: &W::World, set: &W::Set) -> Done<Option<W::World>> {
        let only = self.worlds.only(world);
        let alike = self.worlds.alike(seats, &only)?;
        let found = self.worlds.both(&alike, set)?;
        Ok(self.worlds.pick(&found))
    }
}
