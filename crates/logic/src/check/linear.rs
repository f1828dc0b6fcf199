//! Path formulas: their negation normal form, and the automata that accept the runs they describe.
//!
//! A run is maximal: infinite, or finite and ended at a point without a step. On a finite run `X φ` is false at the last
//! point and its dual is true there, `G φ` means to the end, and `φ U ψ` must be fulfilled before it.
//!
//! The automaton is a tableau (Gerth, Peled, Vardi and Wolper): each node says what holds now, which path formulas hold
//! of the rest, and whether there must be a rest. A run is accepted if it ends at a node that needs none, or if every
//! `U` that was promised is fulfilled again and again.

use super::core::Lit;
use super::{CheckError, Limit};
use crate::formula::{Along, F, Formula};
use crate::stop;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

type Checked<T> = Result<T, CheckError>;

/// The most nodes of an automaton, and the most parts of a path formula in negation normal form.
const MAX_NODES: usize = 20_000;

/// The most drafts of nodes: most of them may turn out to be contradictory.
const DRAFTS: usize = 20 * MAX_NODES;

/// The most formulas that are counted inside a path formula.
const MAX_COUNTED: usize = 8;

/// A path formula in negation normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Line {
    /// A formula holds at the first point.
    State(Lit),
    /// All of these hold.
    All(Vec<Line>),
    /// One of these holds.
    Any(Vec<Line>),
    /// There is a next point, and it holds from there on.
    Next(Box<Line>),
    /// If there is a next point it holds from there on.
    WeakNext(Box<Line>),
    /// The first holds until the second does.
    Until(Box<Line>, Box<Line>),
    /// The second holds until both do, or to the end.
    Release(Box<Line>, Box<Line>),
}

impl Line {
    /// Of a path formula; `lower` lowers the formulas of points in it.
    pub(crate) fn of(f: &F, lower: &mut dyn FnMut(&F) -> Checked<Lit>) -> Checked<Line> {
        Reader { lower, size: 0 }.read(f, false)
    }

    const ALWAYS: Line = Line::State(Lit::TRUE);
    const NEVER: Line = Line::State(Lit::FALSE);

    /// Whether it is `F ψ`.
    fn is_eventual(&self) -> bool {
        matches!(self, Line::Until(a, _) if **a == Line::ALWAYS)
    }

    /// Whether it is `G ψ`.
    fn is_constant(&self) -> bool {
        matches!(self, Line::Release(a, _) if **a == Line::NEVER)
    }

    /// The formulas of points in it.
    pub(crate) fn states(&self, found: &mut Vec<Lit>) {
        match self {
            Line::State(lit) => found.push(*lit),
            Line::All(parts) | Line::Any(parts) => parts.iter().for_each(|part| part.states(found)),
            Line::Next(inner) | Line::WeakNext(inner) => inner.states(found),
            Line::Until(a, b) | Line::Release(a, b) => {
                a.states(found);
                b.states(found);
            }
        }
    }
}

struct Reader<'l> {
    lower: &'l mut dyn FnMut(&F) -> Checked<Lit>,
    size: usize,
}

impl Reader<'_> {
    fn read(&mut self, f: &F, negated: bool) -> Checked<Line> {
        self.size += 1;
        if self.size > MAX_NODES {
            return Err(Limit::PathFormula(MAX_NODES).into());
        }
        if !f.any(&mut |g| g.is_linear()) || !f.is_of_runs() {
            let lit = (self.lower)(f)?;
            return Ok(Line::State(if negated { !lit } else { lit }));
        }
        Ok(match &**f {
            Formula::Not(g) => self.read(g, !negated)?,
            Formula::And(parts) => self.joined(parts, negated, negated)?,
            Formula::Or(parts) => self.joined(parts, !negated, negated)?,
            Formula::Imp(a, b) => {
                let parts = vec![self.read(a, !negated)?, self.read(b, negated)?];
                if negated { Line::All(parts) } else { Line::Any(parts) }
            }
            Formula::Iff(a, b) => {
                let same = Line::All(vec![self.read(a, false)?, self.read(b, negated)?]);
                let other = Line::All(vec![self.read(a, true)?, self.read(b, !negated)?]);
                Line::Any(vec![same, other])
            }
            Formula::Xor(parts) => self.counted(parts, &|n| (n % 2 == 1) != negated)?,
            Formula::Count(cmp, n, parts) => self.counted(parts, &|k| cmp.admits(k.cmp(n)) != negated)?,
            Formula::Linear(along, g) => {
                let inner = Box::new(self.read(g, negated)?);
                let truth = |value: bool| Box::new(Line::State(if value { Lit::TRUE } else { Lit::FALSE }));
                match (along, negated) {
                    (Along::Next, false) => Line::Next(inner),
                    (Along::Next, true) => Line::WeakNext(inner),
                    (Along::Eventually, false) | (Along::Always, true) => match *inner {
                        // `F F ψ` is `F ψ`, and `F G F ψ` is `G F ψ`.
                        same if same.is_eventual() => same,
                        Line::Release(a, b) if *a == Line::NEVER && b.is_eventual() => Line::Release(a, b),
                        other => Line::Until(truth(true), Box::new(other)),
                    },
                    (Along::Always, false) | (Along::Eventually, true) => match *inner {
                        same if same.is_constant() => same,
                        Line::Until(a, b) if *a == Line::ALWAYS && b.is_constant() => Line::Until(a, b),
                        other => Line::Release(truth(false), Box::new(other)),
                    },
                }
            }
            Formula::LinearUntil(a, b) | Formula::Release(a, b) => {
                let until = matches!(**f, Formula::LinearUntil(..)) != negated;
                let (a, b) = (Box::new(self.read(a, negated)?), Box::new(self.read(b, negated)?));
                if until { Line::Until(a, b) } else { Line::Release(a, b) }
            }
            // Everything else is a formula of points.
            _ => {
                let lit = (self.lower)(f)?;
                Line::State(if negated { !lit } else { lit })
            }
        })
    }

    fn joined(&mut self, parts: &[F], any: bool, negated: bool) -> Checked<Line> {
        let parts = parts.iter().map(|part| self.read(part, negated)).collect::<Checked<Vec<Line>>>()?;
        Ok(if any { Line::Any(parts) } else { Line::All(parts) })
    }

    /// So many of these hold as are asked for: every such choice is an alternative.
    fn counted(&mut self, parts: &[F], asked: &dyn Fn(u64) -> bool) -> Checked<Line> {
        if parts.len() > MAX_COUNTED {
            return Err(CheckError::NotHere("at most 8 formulas are counted inside a path formula"));
        }
        let mut ways = Vec::new();
        for choice in 0u32..1 << parts.len() {
            if asked(u64::from(choice.count_ones())) {
                let each = parts.iter().enumerate().map(|(i, part)| self.read(part, choice >> i & 1 == 0));
                ways.push(Line::All(each.collect::<Checked<Vec<Line>>>()?));
            }
        }
        Ok(Line::Any(ways))
    }
}

/// A node of an automaton: what is promised at a point of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// What holds at the point.
    pub(crate) now: Vec<Lit>,
    /// Whether the run may end here.
    pub(crate) may_end: bool,
    /// For each `U`, whether it is not owed after this point.
    pub(crate) paid: Vec<bool>,
    /// The parts that hold from the next point on.
    rest: Vec<u32>,
}

/// An automaton that accepts the runs of a path formula.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// The nodes.
    pub(crate) places: Vec<Place>,
    /// For each node, those that may follow.
    pub(crate) follow: Vec<Vec<usize>>,
    /// Those at which a run may begin.
    pub(crate) start: Vec<usize>,
    /// How many `U` must be fulfilled again and again.
    pub(crate) conditions: usize,
}

/// A part of a path formula, by the numbers of its own parts.
#[derive(Clone, Debug)]
enum Part {
    State(Lit),
    All(Vec<u32>),
    Any(Vec<u32>),
    Next(u32, bool),
    /// With its number among those with `U`.
    Until(u32, u32, usize),
    Release(u32, u32),
}

#[derive(Default)]
struct Builder {
    parts: Vec<Part>,
    index: HashMap<Line, u32>,
    untils: usize,
    /// How many drafts were begun, also of places that cannot be.
    drafts: Cell<usize>,
}

/// What is known of a place while it is made.
#[derive(Clone, Default)]
struct Draft {
    done: BTreeSet<u32>,
    now: BTreeSet<Lit>,
    rest: BTreeSet<u32>,
    goes_on: bool,
    owed: BTreeSet<usize>,
}

impl Builder {
    fn part(&mut self, line: &Line) -> u32 {
        if let Some(&found) = self.index.get(line) {
            return found;
        }
        let part = match line {
            Line::State(lit) => Part::State(*lit),
            Line::All(parts) => Part::All(parts.iter().map(|part| self.part(part)).collect()),
            Line::Any(parts) => Part::Any(parts.iter().map(|part| self.part(part)).collect()),
            Line::Next(inner) => Part::Next(self.part(inner), true),
            Line::WeakNext(inner) => Part::Next(self.part(inner), false),
            Line::Until(a, b) => {
                let (a, b) = (self.part(a), self.part(b));
                self.untils += 1;
                Part::Until(a, b, self.untils - 1)
            }
            Line::Release(a, b) => Part::Release(self.part(a), self.part(b)),
        };
        self.parts.push(part);
        self.index.insert(line.clone(), self.parts.len() as u32 - 1);
        self.parts.len() as u32 - 1
    }

    /// The places at which all of these parts hold.
    fn expand(&self, mut todo: Vec<u32>, mut draft: Draft, found: &mut Vec<Place>) -> Checked<()> {
        stop::go_on()?;
        self.drafts.set(self.drafts.get() + 1);
        if self.drafts.get() > DRAFTS {
            return Err(Limit::PathFormula(MAX_NODES).into());
        }
        while let Some(number) = todo.pop() {
            if !draft.done.insert(number) {
                continue;
            }
            match &self.parts[number as usize] {
                Part::State(lit) => {
                    if *lit == !Lit::TRUE || draft.now.contains(&!*lit) {
                        return Ok(());
                    }
                    if *lit != Lit::TRUE {
                        draft.now.insert(*lit);
                    }
                }
                Part::All(parts) => {
                    // What is said of the state comes first: a contradiction shows before anything is tried in two ways.
                    let (states, rest): (Vec<u32>, Vec<u32>) =
                        parts.iter().partition(|part| matches!(self.parts[**part as usize], Part::State(_)));
                    todo.extend(rest.into_iter().chain(states));
                }
                Part::Any(parts) => {
                    for part in parts {
                        let mut todo = todo.clone();
                        todo.push(*part);
                        self.expand(todo, draft.clone(), found)?;
                    }
                    return Ok(());
                }
                Part::Next(inner, strong) => {
                    draft.rest.insert(*inner);
                    draft.goes_on |= *strong;
                }
                Part::Until(a, b, which) => {
                    let mut now = todo.clone();
                    now.push(*b);
                    self.expand(now, draft.clone(), found)?;
                    todo.push(*a);
                    draft.rest.insert(number);
                    draft.goes_on = true;
                    draft.owed.insert(*which);
                }
                Part::Release(a, b) => {
                    let mut both = todo.clone();
                    both.extend([*a, *b]);
                    self.expand(both, draft.clone(), found)?;
                    todo.push(*b);
                    draft.rest.insert(number);
                }
            }
        }
        let place = Place {
            now: draft.now.into_iter().collect(),
            may_end: !draft.goes_on,
            paid: (0..self.untils).map(|which| !draft.owed.contains(&which)).collect(),
            rest: draft.rest.into_iter().collect(),
        };
        if found.len() > MAX_NODES {
            return Err(Limit::PathFormula(MAX_NODES).into());
        }
        // What asks for more at the same price is not needed.
        let covers = |one: &Place, other: &Place| {
            one.may_end == other.may_end
                && one.paid == other.paid
                && one.rest == other.rest
                && one.now.iter().all(|lit| other.now.contains(lit))
        };
        if !found.iter().any(|other| covers(other, &place)) {
            found.retain(|other| !covers(&place, other));
            found.push(place);
        }
        Ok(())
    }
}

impl Automaton {
    /// The automaton of a path formula.
    pub(crate) fn new(line: &Line) -> Checked<Automaton> {
        let mut builder = Builder::default();
        let whole = builder.part(line);
        let mut automaton =
            Automaton { places: Vec::new(), follow: Vec::new(), start: Vec::new(), conditions: builder.untils };
        let mut index: HashMap<Place, usize> = HashMap::new();
        let mut after: HashMap<Vec<u32>, Vec<usize>> = HashMap::new();
        automaton.start = automaton.reach(&builder, vec![whole], &mut index)?;
        let mut at = 0;
        while at < automaton.places.len() {
            let rest = automaton.places[at].rest.clone();
            let follow = match after.get(&rest) {
                Some(found) => found.clone(),
                None => {
                    let found = automaton.reach(&builder, rest.clone(), &mut index)?;
                    after.insert(rest, found.clone());
                    found
                }
            };
            automaton.follow.push(follow);
            at += 1;
        }
        Ok(automaton)
    }

    fn reach(&mut self, builder: &Builder, parts: Vec<u32>, index: &mut HashMap<Place, usize>) -> Checked<Vec<usize>> {
        let mut found = Vec::new();
        builder.expand(parts, Draft::default(), &mut found)?;
        let mut numbers = Vec::new();
        for place in found {
            let next = self.places.len();
            let number = *index.entry(place.clone()).or_insert(next);
            if number == next {
                self.places.push(place);
            }
            numbers.push(number);
        }
        if self.places.len() > MAX_NODES {
            return Err(Limit::PathFormula(MAX_NODES).into());
        }
        Ok(numbers)
    }
}
