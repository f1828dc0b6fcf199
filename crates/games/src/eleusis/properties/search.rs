//! The direct search: every way the match may go, over what the players may still think.
//!
//! A [`Position`] has no past, so `AF φ` is a question about a finite graph: φ can be avoided iff there is a path without
//! φ that comes back to itself, ends, or is longer than the bound. Otherwise every path meets φ, the longest after so
//! many moves, and that is also the answer to property 4.

use super::table::{Position, Table};
use super::{Instance, Observation, Person, family_of};
use crate::cards::Card;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// The search was stopped: it had looked at that many positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit(pub usize);

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} positions", self.0)
    }
}

impl std::error::Error for Limit {}

/// A line of play that shows an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The cards played.
    pub cards: Vec<Card>,
    /// How it ends.
    pub end: End,
}

/// How a line of play ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// What was looked for has happened.
    Reached,
    /// With the bound on moves.
    Bound,
    /// With an empty hand.
    EmptyHand,
    /// Never: from here on it may go as after that many moves, again and again.
    Again(usize),
}

/// Whether something happens on every path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It does, after as many moves as this longest line has.
    Always(Evidence),
    /// This line avoids it.
    Avoidable(Evidence),
}

impl Outcome {
    /// Whether it happens on every path.
    pub fn holds(&self) -> bool {
        matches!(self, Outcome::Always(_))
    }

    /// The number of moves after which it has happened on every path.
    pub fn within(&self) -> Option<u32> {
        match self {
            Outcome::Always(line) => Some(line.cards.len() as u32),
            Outcome::Avoidable(_) => None,
        }
    }

    /// The longest line, or the one that avoids it.
    pub fn evidence(&self) -> &Evidence {
        match self {
            Outcome::Always(line) | Outcome::Avoidable(line) => line,
        }
    }
}

/// What holds in the copy of one candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Property 1, `AF (K_A Rule | K_B Rule)`.
    pub someone: Outcome,
    /// Properties 2 and 3, `AF (K_A Rule & !K_B Rule)`; not decided where the limit was met.
    pub alice_first: Result<Outcome, Limit>,
    /// `EF (K_A Rule | K_B Rule)`: a shortest line that shows it.
    pub someone_may: Result<Option<Evidence>, Limit>,
    /// `EF (K_A Rule & !K_B Rule)`, likewise.
    pub alice_first_may: Result<Option<Evidence>, Limit>,
}

impl Decision {
    /// Property 4: the least m with `A(!k U k & Moves < m)`, where k is that somebody knows.
    pub fn least_m(&self) -> Option<u32> {
        self.someone.within().map(|moves| moves + 1)
    }
}

/// Decides the properties in the copy of each candidate, looking at no more positions than `limit` for each question.
pub fn decide(instance: &Instance, limit: usize) -> Result<Vec<Decision>, Limit> {
    let mut search = Search { table: Table::new(instance, family_of(instance)), bound: instance.bound, limit };
    let mut memos = [Memo::default(), Memo::default()];
    let public = instance.observation == Observation::Public;
    let mut decided = Vec::new();
    for rule in 0..instance.rules.len() {
        let start = search.table.start(rule);
        let [someone, alice] = &mut memos;
        decided.push(Decision {
            someone: search.always(start, Goal::Someone, someone)?,
            alice_first: search.always(start, Goal::AliceFirst, alice),
            someone_may: search.ever(start, Goal::Someone),
            // Who sees the same knows the same.
            alice_first_may: if public { Ok(None) } else { search.ever(start, Goal::AliceFirst) },
        });
    }
    Ok(decided)
}

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// `K_A Rule | K_B Rule`
    Someone,
    /// `K_A Rule & !K_B Rule`
    AliceFirst,
}

/// The positions from which the goal cannot be avoided, with the most moves it can take; [`OPEN`] on the path looked at.
type Memo = FxHashMap<Position, u32>;

const OPEN: u32 = u32::MAX;

struct Frame {
    position: Position,
    successors: Vec<Position>,
    looked: usize,
    most: u32,
}

struct Search<'i> {
    table: Table<'i>,
    bound: Option<u32>,
    limit: usize,
}

impl Search<'_> {
    fn reached(&self, position: &Position, goal: Goal) -> bool {
        let [a, b] = Person::ALL.map(|who| self.table.knows(position, who));
        match goal {
            Goal::Someone => a || b,
            Goal::AliceFirst => a && !b,
        }
    }

    fn stops(&self, moves: usize) -> bool {
        self.bound.is_some_and(|bound| moves >= bound as usize)
    }

    /// The positions after one move, each once. Those that tell the players least come first: a line that avoids
    /// knowledge is found among them if there is one.
    fn successors(&mut self, position: &Position) -> Vec<Position> {
        let mut found: Vec<Position> = Vec::new();
        for card in self.table.options(position).iter() {
            let after = self.table.play(position, card);
            let after = self.table.canonical(after);
            if !found.contains(&after) {
                found.push(after);
            }
        }
        let table = &self.table;
        found.sort_by_key(|after| {
            let open: usize = after.minds.iter().map(|&mind| table.sets.points(mind).len()).sum();
            (after != position, usize::MAX - open)
        });
        found
    }

    /// Whether the goal is met on every path.
    fn always(&mut self, start: Position, goal: Goal, memo: &mut Memo) -> Result<Outcome, Limit> {
        let root = self.table.canonical(start);
        if self.reached(&root, goal) {
            return Ok(Outcome::Always(Evidence { cards: Vec::new(), end: End::Reached }));
        }
        let mut path: Vec<Frame> = Vec::new();
        let mut enter = Some(root);
        let avoided = loop {
            let moves = path.len();
            if let Some(position) = enter.take() {
                if self.stops(moves) {
                    break Some((position, End::Bound));
                }
                match memo.get(&position) {
                    Some(&OPEN) => {
                        let before = path.iter().position(|frame| frame.position == position);
                        break Some((position, End::Again(before.unwrap_or_default())));
                    }
                    Some(&most) if self.stops(moves + most as usize - 1) => break Some((position, End::Bound)),
                    Some(&most) => Self::learn(&mut path, most),
                    None => {
                        if memo.len() >= self.limit {
                            memo.retain(|_, most| *most != OPEN);
                            return Err(Limit(self.limit));
                        }
                        let successors = self.successors(&position);
                        if successors.is_empty() {
                            break Some((position, End::EmptyHand));
                        }
                        memo.insert(position, OPEN);
                        path.push(Frame { position, successors, looked: 0, most: 0 });
                    }
                }
            }
            let Some(frame) = path.last_mut() else { break None };
            if let Some(&next) = frame.successors.get(frame.looked) {
                frame.looked += 1;
                if self.reached(&next, goal) {
                    Self::learn(&mut path, 0);
                } else {
                    enter = Some(next);
                }
            } else {
                memo.insert(frame.position, frame.most);
                let most = frame.most;
                path.pop();
                Self::learn(&mut path, most);
            }
        };
        let Some((last, end)) = avoided else {
            let walk = self.longest(root, goal, memo);
            return Ok(Outcome::Always(Evidence { cards: self.cards(start, &walk), end: End::Reached }));
        };
        let mut walk: Vec<Position> = path.iter().map(|frame| frame.position).collect();
        memo.retain(|_, most| *most != OPEN);
        match end {
            End::Bound => {
                let rest = self.longest(last, goal, memo);
                walk.extend(rest);
                walk.truncate(self.bound.map_or(usize::MAX, |bound| bound as usize + 1));
            }
            End::Reached | End::EmptyHand | End::Again(_) => walk.push(last),
        }
        Ok(Outcome::Avoidable(Evidence { cards: self.cards(start, &walk), end }))
    }

    /// A successor of the last position on the path is settled within so many moves.
    fn learn(path: &mut [Frame], moves: u32) {
        if let Some(frame) = path.last_mut() {
            frame.most = frame.most.max(moves + 1);
        }
    }

    /// A longest walk to the goal from a position from which it cannot be avoided; the position alone if nothing is known
    /// of it.
    fn longest(&mut self, from: Position, goal: Goal, memo: &Memo) -> Vec<Position> {
        let mut walk = vec![from];
        let mut at = from;
        while let Some(&most) = memo.get(&at)
            && !self.reached(&at, goal)
        {
            let successors = self.successors(&at);
            let left = |next: &Position| if self.reached(next, goal) { 0 } else { memo[next] };
            let next = successors.into_iter().find(|next| left(next) + 1 == most);
            at = next.expect("the longest way goes on");
            walk.push(at);
        }
        walk
    }

    /// A shortest line to the goal.
    fn ever(&mut self, start: Position, goal: Goal) -> Result<Option<Evidence>, Limit> {
        let root = self.table.canonical(start);
        let mut found: Vec<(Position, usize)> = vec![(root, 0)];
        let mut seen: FxHashSet<Position> = FxHashSet::default();
        seen.insert(root);
        let (mut at, mut moves, mut level) = (0, 0, 1);
        while at < found.len() {
            if at == level {
                (moves, level) = (moves + 1, found.len());
            }
            let position = found[at].0;
            if self.reached(&position, goal) {
                let mut walk = vec![position];
                while at > 0 {
                    at = found[at].1;
                    walk.push(found[at].0);
                }
                walk.reverse();
                return Ok(Some(Evidence { cards: self.cards(start, &walk), end: End::Reached }));
            }
            if !self.stops(moves) {
                for next in self.successors(&position) {
                    if seen.insert(next) {
                        found.push((next, at));
                    }
                }
            }
            if found.len() > self.limit {
                return Err(Limit(self.limit));
            }
            at += 1;
        }
        Ok(None)
    }

    /// Cards that lead from the start along the walk of canonical positions.
    fn cards(&mut self, start: Position, walk: &[Position]) -> Vec<Card> {
        let mut at = start;
        let mut cards = Vec::new();
        for wanted in &walk[1..] {
            let options = self.table.options(&at);
            let found = options.iter().find_map(|card| {
                let after = self.table.play(&at, card);
                (self.table.canonical(after) == *wanted).then_some((card, after))
            });
            let (card, after) = found.expect("what leads on from a canonical position leads on from all of its kind");
            cards.push(card);
            at = after;
        }
        cards
    }
}
