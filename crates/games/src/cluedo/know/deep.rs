//! The engine for hard questions: worlds are found one at a time as solutions of a puzzle, and reasons are kept.
//!
//! A world that does not have the property that is looked for gives a reason: literals true in it such that no world that
//! shares them has the property. The reason becomes a clause of the puzzle, and the solver learns from it together with
//! all others, so that no part of the search is done twice. If the puzzle has no solution there is no such world: an
//! answer is never a guess. What somebody does not know has a reason that says nothing of his hand (`change`), and what he
//! knows follows from the part of his view that the solver needed.
//!
//! Easy questions are answered sooner by the lazy engine, which has no puzzle to set up.

use super::find::{Literal, bits};
use super::lemmas::{Lemmas, Reason};
use super::model::{History, Point, Sorting};
use super::nodes::{Node, Nodes};
use super::puzzle::Puzzle;
use super::solver::Lit;
use super::{Refused, Sides};
use ken_logic::stop;
use rustc_hash::FxHashMap;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Goal {
    /// A world where the node has the value.
    Value(u32, bool),
    /// A world with another envelope.
    Envelope(u64),
    /// A world where the seat knows the envelope at the moment.
    Solved(usize, u8),
}

/// What seats may know at a moment: that no world that looks the same reaches the goal.
struct Ask {
    id: Id,
    moment: usize,
    seats: u8,
    goal: Goal,
    /// Whose knowledge the goal speaks of.
    agents: u8,
}

/// A question without the world it is asked in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Id {
    /// What the node says is known, now.
    Known(u32),
    /// The seat knows the envelope at the moment.
    Solved(usize, u8),
}

/// Worlds, and what was found about them.
#[derive(Clone, Debug)]
pub(super) struct Deep {
    pub history: History,
    pub nodes: Nodes,
    puzzle: Puzzle,
    asked: FxHashMap<Id, Asked>,
    prepared: bool,
    pub steps: u64,
    pub limit: u64,
}

/// What a search comes to.
pub(super) enum Sought {
    /// A world that reaches the goal, and why it does.
    World(Point, Vec<Literal>),
    /// There is none that shares these literals, which are among the ones that were given.
    Nowhere(Vec<Literal>),
}

/// What was found about a question.
#[derive(Clone, Debug, Default)]
struct Asked {
    /// Reasons for yes, much shorter than views.
    lemmas: Lemmas,
    /// Reasons for no.
    denials: Lemmas,
    /// Whether it has been tried if the answer is always yes.
    always: bool,
}

/// Steps spent on making a reason shorter by one literal.
const SHORTENING: u64 = 60;

/// Steps spent on seeing that something is always known.
const ALWAYS: u64 = 20_000;

/// So many endmoves may tell something, as far as that is seen, before no more are looked at.
const MISSES: u32 = 3;

/// Steps spent on seeing that an endmove tells nothing.
const IDLE: u64 = 5_000;

impl Deep {
    pub(super) fn new(history: History) -> Deep {
        let puzzle = Puzzle::new(&history);
        let (nodes, asked) = (Nodes::default(), FxHashMap::default());
        Deep { history, nodes, puzzle, asked, prepared: false, steps: 0, limit: u64::MAX }
    }

    /// A world that the observer considers possible where the node is true, and one where it is false.
    pub(super) fn sides(&mut self, nodes: &Nodes, node: u32) -> Result<Sides, Refused> {
        self.nodes = nodes.clone();
        if !self.prepared {
            self.forget_idle_endmoves()?;
            self.prepared = true;
        }
        let mut sides = [None, None];
        for (side, wanted) in sides.iter_mut().zip([true, false]) {
            let seen = self.history.seen.clone();
            if let Sought::World(world, _) = self.search(self.history.now(), &seen, Goal::Value(node, wanted), None)? {
                *side = Some(world);
            }
        }
        match sides {
            [None, None] => Err(Refused::NoWorld),
            found => Ok(found),
        }
    }

    /// A world of the moment that shares the literals and reaches the goal, as near as may be to another one.
    pub(super) fn search(
        &mut self,
        moment: usize,
        literals: &[Literal],
        goal: Goal,
        near: Option<&Point>,
    ) -> Result<Sought, Refused> {
        let wanted = self.puzzle.goal(goal);
        let mut what = self.puzzle.worlds(moment);
        what.push(wanted);
        if near.is_none() {
            let spoken = match goal {
                Goal::Solved(..) => 0,
                Goal::Value(node, _) => self.nodes.cards(node),
                Goal::Envelope(envelope) => envelope,
            };
            self.puzzle.in_order(&self.history.moments[moment].plain, spoken, literals, &mut what);
        }
        let mut why = Vec::new();
        loop {
            let world = match self.solve(&what, literals, moment, near)? {
                Ok(world) => world,
                Err(core) => return Ok(Sought::Nowhere(core)),
            };
            why.clear();
            if let Some(then) = self.breaks_an_endmove(moment, &world, &mut why)? {
                let since = self.puzzle.since(then + 1);
                self.puzzle.rule_out(since, &why);
            } else if self.reaches(goal, &world, &mut why)? {
                return Ok(Sought::World(world, why));
            } else {
                self.puzzle.rule_out(wanted, &why);
            }
        }
    }

    /// A solution of the puzzle, if the steps suffice.
    fn solve(
        &mut self,
        what: &[Lit],
        literals: &[Literal],
        moment: usize,
        near: Option<&Point>,
    ) -> Result<Result<Point, Vec<Literal>>, Refused> {
        if self.steps > self.limit || stop::asked() {
            return Err(Refused::Limit);
        }
        if let Some(near) = near {
            self.puzzle.wish(near);
        }
        let before = self.puzzle.solver.steps;
        self.puzzle.solver.limit = before.saturating_add(self.limit - self.steps);
        let found = self.puzzle.solve(what, literals, self.history.moments[moment].shows);
        self.steps += self.puzzle.solver.steps - before;
        if self.puzzle.solver.spent { Err(Refused::Limit) } else { Ok(found) }
    }

    /// The moment before the first endmove whose maker knew the envelope, if there is one, and why he did.
    fn breaks_an_endmove(
        &mut self,
        moment: usize,
        world: &Point,
        why: &mut Vec<Literal>,
    ) -> Result<Option<usize>, Refused> {
        for i in 0..self.history.moments[moment].ended.len() {
            let (seat, then) = self.history.moments[moment].ended[i];
            if self.solved(then, seat, world, why)? {
                return Ok(Some(then));
            }
            why.clear();
        }
        Ok(None)
    }

    /// Forgets endmoves that tell nothing, as long as that is cheap to see: nobody could have known the envelope then.
    /// The fewer there are, the less of what was shown matters to anybody.
    pub(super) fn forget_idle_endmoves(&mut self) -> Result<(), Refused> {
        let mut misses = 0;
        for then in 0..self.history.now() {
            let seat = self.history.ends[then];
            let goal = Goal::Solved(then, seat);
            if let Some(Sought::Nowhere(_)) = self.within(IDLE, |this| this.search(then, &[], goal, None))? {
                self.history.forget_endmove(seat, then);
            } else {
                misses += 1;
            }
            // The later, the more people can know.
            if misses > MISSES {
                break;
            }
        }
        Ok(())
    }

    fn reaches(&mut self, goal: Goal, world: &Point, why: &mut Vec<Literal>) -> Result<bool, Refused> {
        match goal {
            Goal::Value(node, wanted) => Ok(self.evaluate(node, world, why)? == wanted),
            Goal::Solved(moment, seat) => self.solved(moment, seat, world, why),
            Goal::Envelope(other) => {
                let envelope = self.history.table.envelope();
                let new = world.at[envelope] & !other;
                match new {
                    0 => self.say_envelope(world, why),
                    _ => why.push(Literal::At(new.trailing_zeros() as u8, envelope as u8)),
                }
                Ok(new != 0)
            }
        }
    }

    fn say_envelope(&self, world: &Point, why: &mut Vec<Literal>) {
        let envelope = self.history.table.envelope();
        why.extend(bits(world.at[envelope]).map(|b| Literal::At(b.trailing_zeros() as u8, envelope as u8)));
    }

    /// The node's value in a world of now; adds the reason, which no world with another value shares.
    pub(super) fn evaluate(&mut self, node: u32, world: &Point, why: &mut Vec<Literal>) -> Result<bool, Refused> {
        let mark = why.len();
        match self.nodes.get(node).clone() {
            Node::Const(value) => Ok(value),
            Node::At(card, place) => {
                let value = world.at[place as usize] >> card & 1 == 1;
                why.push(if value { Literal::At(card, place) } else { Literal::Not(card, place) });
                Ok(value)
            }
            Node::Not(f) => Ok(!self.evaluate(f, world, why)?),
            Node::All(fs) => self.first(&fs, false, world, why),
            Node::Some(fs) => self.first(&fs, true, world, why),
            Node::Count(cmp, n, fs) => {
                let mut count = 0u64;
                for &f in &fs {
                    count += u64::from(self.evaluate(f, world, why)?);
                }
                Ok(cmp.admits(count.cmp(&n)))
            }
            Node::Odd(fs) => {
                let mut odd = false;
                for &f in &fs {
                    odd ^= self.evaluate(f, world, why)?;
                }
                Ok(odd)
            }
            Node::Knows(seats, f) => {
                if !self.evaluate(f, world, why)? {
                    return Ok(false);
                }
                let because = why.split_off(mark);
                let ask = Ask {
                    id: Id::Known(node),
                    moment: self.history.now(),
                    seats,
                    goal: Goal::Value(f, false),
                    agents: self.nodes.agents(f),
                };
                let sorting = self.history.sorting(ask.moment, self.nodes.cards(node), world);
                self.knows(&ask, &sorting, world, &because, why)
            }
            Node::Common(..) | Node::After(..) => unreachable!("left to the other engine"),
            Node::Solved(seat) => self.solved(self.history.now(), seat, world, why),
        }
    }

    /// Whether one of the nodes has the value; then its reason alone counts.
    fn first(&mut self, fs: &[u32], value: bool, world: &Point, why: &mut Vec<Literal>) -> Result<bool, Refused> {
        let mark = why.len();
        for &f in fs {
            let from = why.len();
            if self.evaluate(f, world, why)? == value {
                why.drain(mark..from);
                return Ok(value);
            }
        }
        Ok(!value)
    }

    /// Whether the seat's view of the world at the moment tells it the envelope.
    pub(super) fn solved(
        &mut self,
        moment: usize,
        seat: u8,
        world: &Point,
        why: &mut Vec<Literal>,
    ) -> Result<bool, Refused> {
        let sorting = self.history.sorting(moment, 0, world);
        let envelope = sorting.set(world.at[self.history.table.envelope()]);
        let mut because = Vec::new();
        self.say_envelope(world, &mut because);
        let id = Id::Solved(moment, seat);
        let ask = Ask { id, moment, seats: 1 << seat, goal: Goal::Envelope(envelope), agents: 0 };
        self.knows(&ask, &sorting, world, &because, why)
    }

    /// Whether no world that looks the same reaches the goal; `because` is why this one does not. The question is about
    /// the world with its cards sorted: of worlds that differ only in cards that are all alike, one is looked at.
    fn knows(
        &mut self,
        ask: &Ask,
        sorting: &Sorting,
        world: &Point,
        because: &[Literal],
        why: &mut Vec<Literal>,
    ) -> Result<bool, Refused> {
        if sorting.is_idle() {
            return self.known(ask, world, because, why);
        }
        let sorted = sorting.point(world);
        let because: Vec<Literal> = because.iter().map(|&l| sorting.literal(l)).collect();
        let mark = why.len();
        let answer = self.known(ask, &sorted, &because, why)?;
        let back = sorting.reversed();
        why[mark..].iter_mut().for_each(|l| *l = back.literal(*l));
        Ok(answer)
    }

    fn known(
        &mut self,
        ask: &Ask,
        world: &Point,
        because: &[Literal],
        why: &mut Vec<Literal>,
    ) -> Result<bool, Refused> {
        if let Some(answer) = self.recalled(ask.id, world, why) {
            return Ok(answer);
        }
        let minds = self.history.minds(ask.moment, ask.agents);
        let mut view = Vec::with_capacity(16);
        self.history.view(ask.moment, ask.seats, &minds, world, &mut view);
        let goal = self.puzzle.goal(ask.goal);
        self.puzzle.rule_out(goal, because);
        let (known, reason): (bool, Reason) = match self.search(ask.moment, &view, ask.goal, Some(world))? {
            Sought::World(other, there) => {
                let change = self.change(ask.moment, ask.seats, world, &other, &there)?;
                (false, if change.len() < view.len() { change } else { view }.into())
            }
            Sought::Nowhere(core) => (true, self.shortened(ask, core)?),
        };
        Ok(self.learn(ask.id, known, reason, why))
    }

    /// The answer by lemmas.
    fn recalled(&self, id: Id, world: &Point, why: &mut Vec<Literal>) -> Option<bool> {
        let asked = self.asked.get(&id)?;
        let yes = asked.lemmas.recall(&self.history, world).map(|lemma| (true, lemma));
        let (known, lemma) = yes.or_else(|| Some((false, asked.denials.recall(&self.history, world)?)))?;
        why.extend_from_slice(lemma);
        Some(known)
    }

    fn learn(&mut self, id: Id, known: bool, reason: Reason, why: &mut Vec<Literal>) -> bool {
        why.extend_from_slice(&reason);
        let asked = self.asked.entry(id).or_default();
        if known {
            asked.lemmas.learn(reason)
        } else {
            asked.denials.learn(reason)
        }
        known
    }

    /// Does something with few steps; nothing comes of it if they do not suffice.
    fn within<T>(
        &mut self,
        steps: u64,
        work: impl FnOnce(&mut Deep) -> Result<T, Refused>,
    ) -> Result<Option<T>, Refused> {
        let outer = self.limit;
        self.limit = outer.min(self.steps + steps);
        let done = work(self);
        self.limit = outer;
        match done {
            Ok(done) => Ok(Some(done)),
            Err(_) if self.steps <= outer => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Leaves out of a reason what is not needed, as long as that is cheap to see.
    fn shortened(&mut self, ask: &Ask, mut reason: Vec<Literal>) -> Result<Reason, Refused> {
        let asked = self.asked.entry(ask.id).or_default();
        if !asked.always && matches!(ask.id, Id::Known(_)) {
            asked.always = true;
            let always = self.within(ALWAYS, |this| this.search(ask.moment, &[], ask.goal, None))?;
            if let Some(Sought::Nowhere(_)) = always {
                return Ok(Box::default());
            }
        }
        let mut i = reason.len();
        while i > 0 {
            i -= 1;
            let left_out = reason.remove(i);
            match self.within(SHORTENING, |this| this.search(ask.moment, &reason, ask.goal, None))? {
                Some(Sought::Nowhere(core)) => {
                    reason = core;
                    i = i.min(reason.len());
                }
                Some(Sought::World(..)) | None => reason.insert(i, left_out),
            }
        }
        Ok(reason.into())
    }
}
