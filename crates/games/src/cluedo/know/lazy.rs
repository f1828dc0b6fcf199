//! The lazy engine: worlds are found one at a time, and each that is not wanted rules out all that are like it.
//!
//! To find a world with some property in a region, take any world of the region that keeps the endmoves. If it has the
//! property, done. If not, there is a reason: literals true in it such that no world that shares them has the property.
//! For a fact the reason is the fact; for "seat j knows" it is what j sees, made shorter where that is cheap. The search
//! goes on in the rest of the region, split along the reason into disjoint parts. When nothing is left, there is no such
//! world: so an answer is never a guess.

use super::KnowError;
use super::find::{Literal, Region, bits};
use super::formula::{Node, Nodes};
use super::model::{History, Point};
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
}

/// What seats may know at a moment: that no world that looks the same reaches the goal.
struct Ask {
    /// The moment and the seats, or the node.
    id: u64,
    moment: usize,
    seats: u8,
    goal: Goal,
    /// Whose knowledge the goal speaks of.
    agents: u8,
}

/// Worlds, and what was found about them.
#[derive(Clone, Debug)]
pub(super) struct Lazy {
    pub history: History,
    pub nodes: Nodes,
    /// By the question and the view: the reason, if it is known.
    memo: FxHashMap<Box<[u64]>, Option<Box<[Literal]>>>,
    /// By the question: reasons that are much shorter than views.
    lemmas: FxHashMap<u64, Vec<Box<[Literal]>>>,
    pub steps: u64,
    pub limit: u64,
}

/// Steps spent on making a reason shorter by one literal.
const SHORTENING: u64 = 60;

impl Lazy {
    pub(super) fn new(history: History) -> Lazy {
        let (nodes, memo, lemmas) = (Nodes::default(), FxHashMap::default(), FxHashMap::default());
        Lazy { history, nodes, memo, lemmas, steps: 0, limit: u64::MAX }
    }

    /// A world of the moment, in one of the regions, that reaches the goal.
    pub(super) fn search(
        &mut self,
        moment: usize,
        mut open: Vec<Region>,
        goal: Goal,
    ) -> Result<Option<Point>, KnowError> {
        let mut why = Vec::new();
        while let Some(mut region) = open.pop() {
            if self.steps > self.limit {
                return Err(KnowError::Limit);
            }
            let Some(world) = self.history.find(moment, &mut region, &mut self.steps) else { continue };
            why.clear();
            if !self.breaks_an_endmove(moment, &world, &mut why)? && self.reaches(goal, &world, &mut why)? {
                return Ok(Some(world));
            }
            split(region, &why, &mut open);
        }
        Ok(None)
    }

    /// Whether somebody who ended a turn knew the envelope; if so, why.
    pub(super) fn breaks_an_endmove(
        &mut self,
        moment: usize,
        world: &Point,
        why: &mut Vec<Literal>,
    ) -> Result<bool, KnowError> {
        for i in 0..self.history.moments[moment].ended.len() {
            let (seat, then) = self.history.moments[moment].ended[i];
            if self.solved(then, seat, world, why)? {
                return Ok(true);
            }
            why.clear();
        }
        Ok(false)
    }

    /// Reasons that together exclude exactly those worlds of the region, now, that break an endmove.
    pub(super) fn exclusions(&mut self, region: &Region) -> Result<Vec<Vec<Literal>>, KnowError> {
        let now = self.history.now();
        let mut reasons = Vec::new();
        let mut why = Vec::new();
        for (seat, then) in self.history.moments[now].ended.clone() {
            // One seat at a time: what it sees is far less than a world, so there are few cases.
            let mut open = vec![region.clone()];
            while let Some(mut region) = open.pop() {
                if self.steps > self.limit {
                    return Err(KnowError::Limit);
                }
                let Some(world) = self.history.find(now, &mut region, &mut self.steps) else { continue };
                why.clear();
                if self.breaks_an_endmove(then, &world, &mut why)? || self.solved(then, seat, &world, &mut why)? {
                    reasons.push(why.clone());
                }
                split(region, &why, &mut open);
            }
        }
        reasons.sort_unstable();
        reasons.dedup();
        Ok(reasons)
    }

    fn reaches(&mut self, goal: Goal, world: &Point, why: &mut Vec<Literal>) -> Result<bool, KnowError> {
        match goal {
            Goal::Any => Ok(true),
            Goal::Value(node, wanted) => Ok(self.evaluate(node, world, why)? == wanted),
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
    pub(super) fn evaluate(&mut self, node: u32, world: &Point, why: &mut Vec<Literal>) -> Result<bool, KnowError> {
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
                    id: u64::from(node),
                    moment: self.history.now(),
                    seats,
                    goal: Goal::Value(f, false),
                    agents: self.nodes.agents(f),
                };
                self.knows(&ask, world, &because, why)
            }
            Node::Solved(seat) => self.solved(self.history.now(), seat, world, why),
        }
    }

    /// Whether one of the nodes has the value; then its reason alone counts.
    fn first(&mut self, fs: &[u32], value: bool, world: &Point, why: &mut Vec<Literal>) -> Result<bool, KnowError> {
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
    fn solved(&mut self, moment: usize, seat: u8, world: &Point, why: &mut Vec<Literal>) -> Result<bool, KnowError> {
        let envelope = world.at[self.history.table.envelope()];
        let mut because = Vec::new();
        self.say_envelope(world, &mut because);
        let id = 1 << 63 | (moment as u64) << 8 | u64::from(seat);
        self.knows(
            &Ask { id, moment, seats: 1 << seat, goal: Goal::Envelope(envelope), agents: 0 },
            world,
            &because,
            why,
        )
    }

    /// Whether no world that looks the same reaches the goal; `because` is why this one does not.
    fn knows(
        &mut self,
        ask: &Ask,
        world: &Point,
        because: &[Literal],
        why: &mut Vec<Literal>,
    ) -> Result<bool, KnowError> {
        if let Some(lemmas) = self.lemmas.get(&ask.id)
            && let Some(lemma) = lemmas.iter().find(|lemma| lemma.iter().all(|&l| self.history.holds(l, world)))
        {
            why.extend_from_slice(lemma);
            return Ok(true);
        }
        let minds = self.history.minds(ask.moment, ask.agents);
        let mut view = Vec::with_capacity(16);
        self.history.view(ask.moment, ask.seats, &minds, world, &mut view);
        let key = key(ask, &view);
        match self.memo.get(&key[..]) {
            Some(None) => {
                why.append(&mut view);
                return Ok(false);
            }
            Some(Some(reason)) => {
                why.extend_from_slice(reason);
                return Ok(true);
            }
            None => {}
        }
        let mut open = Vec::new();
        split(self.history.region_with(ask.moment, view.iter().copied()), because, &mut open);
        if self.search(ask.moment, open, ask.goal)?.is_some() {
            self.memo.insert(key, None);
            why.append(&mut view);
            return Ok(false);
        }
        let reason = self.shortened(ask, view)?;
        why.extend_from_slice(&reason);
        self.lemmas.entry(ask.id).or_default().push(reason.clone());
        self.memo.insert(key, Some(reason));
        Ok(true)
    }

    /// Leaves out of a reason what is not needed, as long as that is cheap to see.
    fn shortened(&mut self, ask: &Ask, mut reason: Vec<Literal>) -> Result<Box<[Literal]>, KnowError> {
        let outer = self.limit;
        let mut i = reason.len();
        while i > 0 {
            i -= 1;
            let left_out = reason.remove(i);
            let mut region = self.history.region_with(ask.moment, reason.iter().copied());
            region.deny(left_out);
            self.limit = outer.min(self.steps + SHORTENING);
            let found = self.search(ask.moment, vec![region], ask.goal);
            self.limit = outer;
            match found {
                Ok(None) => {}
                Ok(Some(_)) => reason.insert(i, left_out),
                Err(_) if self.steps <= outer => reason.insert(i, left_out),
                Err(error) => return Err(error),
            }
        }
        Ok(reason.into())
    }
}

/// The rest of a region without the worlds that share the literals, as disjoint regions.
pub(super) fn split(mut region: Region, literals: &[Literal], open: &mut Vec<Region>) {
    for &literal in literals {
        if !region.entails(literal) {
            let mut other = region.clone();
            other.deny(literal);
            open.push(other);
            region.assert(literal);
        }
    }
}

/// The question and the view as numbers.
fn key(ask: &Ask, view: &[Literal]) -> Box<[u64]> {
    let goal = match ask.goal {
        Goal::Any | Goal::Value(..) => 0,
        // The question about the envelope is about this one: the world itself may break an earlier endmove.
        Goal::Envelope(envelope) => envelope,
    };
    let code = |l: &Literal| match *l {
        Literal::At(card, place) => u64::from(card) << 8 | u64::from(place),
        Literal::Not(card, place) => 1 << 30 | u64::from(card) << 8 | u64::from(place),
        Literal::Show(show, card) => 2 << 30 | u64::from(show) << 8 | u64::from(card),
    };
    let pairs = view.chunks(2).map(|pair| pair.iter().fold(0, |all, l| all << 32 | code(l)));
    [ask.id, goal].into_iter().chain(pairs).collect()
}
