//! The lazy engine: worlds are found one at a time, and each that is not wanted rules out all that are like it.
//!
//! To find a world with some property in a region, take any world of the region that keeps the endmoves. If it has the
//! property, done. If not, there is a reason: literals true in it such that no world that shares them has the property.
//! For a fact the reason is the fact; for "seat j knows" it is what j sees, made shorter where that is cheap; for "seat j
//! does not know" it is what a counterexample needs (`alike`). The search goes on in the rest of the region, split along
//! the reason into disjoint parts. When nothing is left, there is no such world: so an answer is never a guess.

use super::Refused;
use super::alike::Counter;
use super::find::{Literal, Region, bits};
use super::model::{History, Point};
use super::nodes::{Node, Nodes};
use ken_logic::stop;
use rustc_hash::FxHashMap;

/// What is looked for.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// Any world.
    Any,
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
pub(super) struct Lazy {
    pub history: History,
    pub nodes: Nodes,
    /// By the question and the view: the reason, if it is known.
    memo: FxHashMap<(Id, Box<[u64]>), Option<Reason>>,
    asked: FxHashMap<Id, Asked>,
    pub steps: u64,
    pub limit: u64,
}

/// Literals that no world with another answer shares.
type Reason = Box<[Literal]>;

/// What was found about a question.
#[derive(Clone, Debug, Default)]
struct Asked {
    /// Reasons for yes, much shorter than views.
    lemmas: Vec<Reason>,
    /// Reasons for no, shorter too.
    noes: Vec<Reason>,
    /// After how many reasons for yes to try if the answer is always yes.
    always: usize,
}

/// Steps spent on making a reason shorter by one literal.
const SHORTENING: u64 = 60;

/// Reasons for each answer that are tried before a view is looked up.
const RECENT: usize = 128;

/// Steps spent on seeing that something is always known; later more, as far as many have been spent already.
const ALWAYS: u64 = 20_000;

/// It is tried again when there are so many times as many reasons.
const AGAIN: usize = 8;

impl Lazy {
    pub(super) fn new(history: History) -> Lazy {
        let (nodes, memo, asked) = (Nodes::default(), FxHashMap::default(), FxHashMap::default());
        Lazy { history, nodes, memo, asked, steps: 0, limit: u64::MAX }
    }

    /// Cards that can be exchanged without a difference to the goal.
    pub(super) fn classes(&self, moment: usize, goal: Goal) -> Vec<u64> {
        let spoken = match goal {
            Goal::Any | Goal::Solved(..) => 0,
            Goal::Value(node, _) => self.nodes.cards(node),
            Goal::Envelope(envelope) => envelope,
        };
        let plain = self.history.moments[moment].plain.iter().map(|class| class & !spoken);
        plain.filter(|class| class.count_ones() > 1).collect()
    }

    /// A world of the moment, in one of the regions, that reaches the goal.
    pub(super) fn search(
        &mut self,
        moment: usize,
        mut open: Vec<Region>,
        goal: Goal,
    ) -> Result<Option<Point>, Refused> {
        let classes = self.classes(moment, goal);
        let mut why = Vec::new();
        while let Some(mut region) = open.pop() {
            if self.steps > self.limit || stop::asked() {
                return Err(Refused::Limit);
            }
            let Some(world) = self.history.find(moment, &mut region, &mut self.steps) else { continue };
            why.clear();
            if !self.breaks_an_endmove(moment, &world, &mut why)? && self.reaches(goal, &world, &mut why)? {
                return Ok(Some(world));
            }
            region.split(&why, &classes, &mut open);
        }
        Ok(None)
    }

    /// Whether somebody who ended a turn knew the envelope; if so, why.
    pub(super) fn breaks_an_endmove(
        &mut self,
        moment: usize,
        world: &Point,
        why: &mut Vec<Literal>,
    ) -> Result<bool, Refused> {
        for i in 0..self.history.moments[moment].ended.len() {
            let (seat, then) = self.history.moments[moment].ended[i];
            if self.solved(then, seat, world, why)? {
                return Ok(true);
            }
            why.clear();
        }
        Ok(false)
    }

    /// Forgets endmoves that tell nothing, as long as that is cheap to see: nobody could have known the envelope then.
    /// The fewer there are, the less of what was shown matters to anybody.
    pub(super) fn forget_idle_endmoves(&mut self, steps: u64) -> Result<(), Refused> {
        let mut misses = 0;
        for then in (0..self.history.now()).filter(|&m| self.history.tells(m)).collect::<Vec<_>>() {
            let seat = self.history.ends[then];
            let everything = vec![self.history.region(then)];
            let goal = Goal::Solved(then, seat);
            if let Some(None) = self.within(steps, |this| this.search(then, everything, goal))? {
                self.history.forget_endmove(seat, then);
            } else {
                misses += 1;
            }
            // The later, the more people can know.
            if misses > 1 {
                break;
            }
        }
        Ok(())
    }

    /// Reasons that together exclude exactly those worlds of the region, now, that break an endmove.
    pub(super) fn exclusions(&mut self, region: &Region) -> Result<Vec<Vec<Literal>>, Refused> {
        let now = self.history.now();
        let mut reasons = Vec::new();
        let mut why = Vec::new();
        for (seat, then) in self.history.moments[now].ended.clone() {
            // One seat at a time: what it sees is far less than a world, so there are few cases.
            let mut open = vec![region.clone()];
            while let Some(mut region) = open.pop() {
                if self.steps > self.limit || stop::asked() {
                    return Err(Refused::Limit);
                }
                let Some(world) = self.history.find(now, &mut region, &mut self.steps) else { continue };
                why.clear();
                if self.breaks_an_endmove(then, &world, &mut why)? || self.solved(then, seat, &world, &mut why)? {
                    reasons.push(why.clone());
                }
                region.split(&why, &[], &mut open);
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        Ok(reasons)
    }

    fn reaches(&mut self, goal: Goal, world: &Point, why: &mut Vec<Literal>) -> Result<bool, Refused> {
        match goal {
            Goal::Any => Ok(true),
            Goal::Value(node, wanted) => Ok(self.evaluate(node, world, why)? == wanted),
            Goal::Solved(moment, seat) => self.solved(moment, seat, world, why),
            Goal::Envelope(other) => {
                self.say_envelope(world, why);
                Ok(world.at[self.history.table.envelope()] != other)
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
                self.knows(&ask, world, &because, why)
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
    fn solved(&mut self, moment: usize, seat: u8, world: &Point, why: &mut Vec<Literal>) -> Result<bool, Refused> {
        let envelope = world.at[self.history.table.envelope()];
        let mut because = Vec::new();
        self.say_envelope(world, &mut because);
        let id = Id::Solved(moment, seat);
        let ask = Ask { id, moment, seats: 1 << seat, goal: Goal::Envelope(envelope), agents: 0 };
        self.knows(&ask, world, &because, why)
    }

    /// Whether no world that looks the same reaches the goal; `because` is why this one does not.
    fn knows(
        &mut self,
        ask: &Ask,
        world: &Point,
        because: &[Literal],
        why: &mut Vec<Literal>,
    ) -> Result<bool, Refused> {
        if let Some(answer) = self.recalled(ask.id, world, why) {
            return Ok(answer);
        }
        if because.iter().all(|&l| self.history.sees(ask.moment, ask.seats, l)) {
            return Ok(self.learn(ask.id, because.into(), why));
        }
        let minds = self.history.minds(ask.moment, ask.agents);
        let mut view = Vec::with_capacity(16);
        self.history.view(ask.moment, ask.seats, &minds, world, &mut view);
        let key = (ask.id, self.key(ask, &view));
        match self.memo.get(&key) {
            Some(None) => {
                why.append(&mut view);
                return Ok(false);
            }
            Some(Some(reason)) => {
                // It was found in a world with other cards of the same classes, if no lemma says it of this one.
                let fits = reason.iter().all(|&l| self.history.holds(l, world));
                let reason = if fits { reason.clone() } else { view.into() };
                return Ok(self.learn(ask.id, reason, why));
            }
            None => {}
        }
        let mut open = Vec::new();
        let region = self.history.region_with(ask.moment, view.iter().copied());
        region.split(because, &self.classes(ask.moment, ask.goal), &mut open);
        if let Some(mut other) = self.search(ask.moment, open, ask.goal)? {
            self.memo.insert(key, None);
            // Where it matters to nobody else which card they showed, the search left it open. They know.
            let shows = self.history.table.shows.iter().zip(&mut other.shown).zip(&world.shown);
            shows.filter(|((show, _), _)| ask.seats >> show.by & 1 == 1).for_each(|((_, to), from)| *to = *from);
            let reason = self.unknown(ask, world, &other)?;
            why.extend_from_slice(&reason);
            self.asked.entry(ask.id).or_default().noes.push(reason);
            return Ok(false);
        }
        let reason = self.shortened(ask, view)?;
        self.memo.insert(key, Some(reason.clone()));
        Ok(self.learn(ask.id, reason, why))
    }

    /// Why the seats do not know in a world if another one, which looks the same to them, reaches the goal.
    fn unknown(&mut self, ask: &Ask, world: &Point, other: &Point) -> Result<Reason, Refused> {
        let mut kept = Vec::new();
        let mut tells = None;
        if let Goal::Envelope(envelope) = ask.goal {
            let place = self.history.table.envelope();
            let card = bits(other.at[place] & !envelope).next().expect("another envelope").trailing_zeros() as u8;
            kept.push(Literal::At(card, place as u8));
            tells = Some(Literal::Not(card, place as u8));
        } else {
            self.reaches(ask.goal, other, &mut kept)?;
        }
        for i in 0..self.history.moments[ask.moment].ended.len() {
            let (seat, then) = self.history.moments[ask.moment].ended[i];
            let solved = self.solved(then, seat, other, &mut kept)?;
            debug_assert!(!solved, "a world that keeps the endmoves");
        }
        let counter = Counter { history: &self.history, moment: ask.moment, seats: ask.seats, world: other };
        let mut reason = counter.reason(&kept);
        reason.extend(tells);
        debug_assert!(reason.iter().all(|&l| self.history.holds(l, world)), "a reason that holds");
        Ok(reason.into())
    }

    /// The answer by lemmas.
    fn recalled(&self, id: Id, world: &Point, why: &mut Vec<Literal>) -> Option<bool> {
        let asked = self.asked.get(&id)?;
        for (answer, reasons) in [(true, &asked.lemmas), (false, &asked.noes)] {
            let mut recent = reasons.iter().rev().take(RECENT);
            if let Some(reason) = recent.find(|reason| reason.iter().all(|&l| self.history.holds(l, world))) {
                why.extend_from_slice(reason);
                return Some(answer);
            }
        }
        None
    }

    fn learn(&mut self, id: Id, reason: Reason, why: &mut Vec<Literal>) -> bool {
        why.extend_from_slice(&reason);
        self.asked.entry(id).or_default().lemmas.push(reason);
        true
    }

    /// Does something with few steps; nothing comes of it if they do not suffice.
    fn within<T>(
        &mut self,
        steps: u64,
        work: impl FnOnce(&mut Lazy) -> Result<T, Refused>,
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
        if asked.lemmas.len() >= asked.always && matches!(ask.id, Id::Known(_)) {
            asked.always = AGAIN * asked.lemmas.len().max(1);
            let everything = vec![self.history.region(ask.moment)];
            let steps = ALWAYS.max(self.steps / 2);
            if let Some(None) = self.within(steps, |this| this.search(ask.moment, everything, ask.goal))? {
                return Ok(Box::default());
            }
        }
        let mut i = reason.len();
        while i > 0 {
            i -= 1;
            let left_out = reason.remove(i);
            let mut region = self.history.region_with(ask.moment, reason.iter().copied());
            region.assert(left_out.negated());
            match self.within(SHORTENING, |this| this.search(ask.moment, vec![region], ask.goal))? {
                Some(None) => {}
                Some(Some(_)) | None => reason.insert(i, left_out),
            }
        }
        Ok(reason.into())
    }

    /// The view as numbers, the same for views that differ only in cards that can be exchanged.
    fn key(&self, ask: &Ask, view: &[Literal]) -> Box<[u64]> {
        let spoken = match ask.goal {
            Goal::Any | Goal::Solved(..) | Goal::Envelope(_) => 0,
            Goal::Value(node, _) => self.nodes.cards(node),
        };
        let plain = &self.history.moments[ask.moment].plain;
        let alike = |card: u8| {
            plain.iter().find(|c| *c & !spoken & 1 << card != 0).map_or(card, |c| (c & !spoken).trailing_zeros() as u8)
        };
        let code = |l: &Literal| match *l {
            Literal::At(card, place) => u32::from(alike(card)) << 8 | u32::from(place),
            Literal::Not(card, place) => 1 << 30 | u32::from(card) << 8 | u32::from(place),
            Literal::Show(show, card) => 2 << 30 | u32::from(show) << 8 | u32::from(card),
            Literal::NotShow(show, card) => 3 << 30 | u32::from(show) << 8 | u32::from(card),
        };
        let mut codes: Vec<u32> = view.iter().map(code).collect();
        if let Goal::Envelope(envelope) = ask.goal {
            // The question is about this envelope: the world itself may break an earlier endmove.
            let place = self.history.table.envelope() as u8;
            codes.extend(bits(envelope).map(|b| code(&Literal::At(b.trailing_zeros() as u8, place))));
        }
        codes.sort_unstable();
        codes.chunks(2).map(|pair| pair.iter().fold(0, |all, &c| all << 32 | u64::from(c))).collect()
    }
}
