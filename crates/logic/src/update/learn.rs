//! `L[all] α` as an action model.
//!
//! Inside `L`, nested choices are flattened and `;` is distributed over `+`. Each way to resolve all choices is a
//! *point*. Its precondition is its test; a sequence `e ; f` has precondition `pre(e) & <e> pre(f)`, with `e` executed
//! in the action model that `L[all]` makes of the first steps of all points.
//!
//! The *group* of an alternative is that of its outermost `L`: none for a bare test, for a sequence the union of its
//! steps'. An agent outside B confuses all points of `L[B] α`. An agent inside B tells two alternatives of a choice
//! apart iff it is in the group of at least one of them, and looks into a common alternative recursively. Two
//! sequences are told apart iff one of their steps is; steps that read the same are common, since distributing
//! `α ; (β + γ)` copies α into both. Steps are read after flattening and distributing, and groups as sets: `L[a,b]` and
//! `L[b,a]`, or `announce φ` and `L[all] ?φ`, are the same in other words.

use crate::formula::{Action, ActionModel, EventPoint, F, Formula, Group, Name, Sight};
use std::fmt;
use std::sync::Arc;

/// A rule of the action language that an action breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokenAction {
    /// The outermost `L` leaves agents out.
    OutermostGroup,
    /// An inner group is not part of the enclosing one.
    InnerGroup,
    /// `!` outside `L`, or not on an alternative of a choice.
    Mark,
    /// Two separate `!` in one choice.
    TwoMarks,
    /// `&&` inside `L`.
    Concurrent,
    /// An action model inside `L`.
    ModelInside,
    /// A move of a game, of which only the game knows what it does.
    Move,
    /// More points than can be handled.
    TooManyPoints,
}

impl fmt::Display for BrokenAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BrokenAction::OutermostGroup => "the outermost `L` must name all agents",
            BrokenAction::InnerGroup => "an inner group must be part of the enclosing one",
            BrokenAction::Mark => "`!` marks an alternative of a choice inside `L`",
            BrokenAction::TwoMarks => "two alternatives of one choice are marked with `!`",
            BrokenAction::Concurrent => "`&&` stands outside `L` only",
            BrokenAction::ModelInside => "an action model cannot stand inside `L`",
            BrokenAction::Move => "a move of a game has no meaning in a model",
            BrokenAction::TooManyPoints => "the action has too many alternatives",
        })
    }
}

impl std::error::Error for BrokenAction {}

const MAX_POINTS: usize = 4096;

/// An action with all choices made.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Point {
    Test(F),
    /// What the group learns of, as an index into [`Resolver::learnt`], and how it goes.
    Learn(usize, Box<Point>),
    Seq(Vec<Point>),
}

/// `L[B] α` inside `L`, flattened and distributed: the group in the order of the agents, and the points of α.
#[derive(PartialEq, Eq)]
struct Learnt {
    group: Vec<Name>,
    points: Vec<(Point, bool)>,
}

struct Resolver<'a> {
    agents: &'a [Name],
    /// All different `L`s inside the outermost one.
    learnt: Vec<Learnt>,
}

/// The action model of `L[all] α` or of an announcement.
pub fn resolve(action: &Action, agents: &[Name]) -> Result<ActionModel, BrokenAction> {
    let name: Name = action.to_string().into();
    let Action::Learn(group, inner) = action else {
        let Action::Announce(f) = action else { return Err(BrokenAction::Mark) };
        let event = EventPoint { name: "announced".into(), pre: f.clone(), changes: Vec::new(), designated: true };
        return Ok(ActionModel { name, events: vec![event], sights: Vec::new() });
    };
    let mut resolver = Resolver { agents, learnt: Vec::new() };
    let all = resolver.members(group);
    if all.len() < agents.len() {
        return Err(BrokenAction::OutermostGroup);
    }
    let mut points: Vec<(Point, bool)> = Vec::new();
    for (point, designated) in resolver.resolutions(inner, &all)? {
        match points.iter_mut().find(|(p, _)| *p == point) {
            Some((_, d)) => *d |= designated,
            None => points.push((point, designated)),
        }
    }
    let trees: Vec<Point> = points.iter().map(|(p, _)| p.clone()).collect();
    let mut model = resolver.model_of(name, &trees);
    for (event, (_, designated)) in model.events.iter_mut().zip(&points) {
        event.designated = *designated;
    }
    Ok(model)
}

impl Resolver<'_> {
    /// The agents of a group, in the order of all agents.
    fn members(&self, group: &Group) -> Vec<Name> {
        let inside = |agent: &&Name| match group {
            Group::All => true,
            Group::Of(some) => some.contains(agent),
        };
        self.agents.iter().filter(inside).cloned().collect()
    }

    /// The points of an action inside `L`, each with whether it takes every marked alternative on its path.
    fn resolutions(&mut self, action: &Action, enclosing: &[Name]) -> Result<Vec<(Point, bool)>, BrokenAction> {
        match action {
            Action::Test(f) => Ok(vec![(Point::Test(f.clone()), true)]),
            Action::Announce(f) => {
                if enclosing.len() < self.agents.len() {
                    return Err(BrokenAction::InnerGroup);
                }
                Ok(self.learning(self.agents.to_vec(), vec![(Point::Test(f.clone()), true)]))
            }
            Action::Learn(group, inner) => {
                let beyond = match group {
                    Group::All => enclosing.len() < self.agents.len(),
                    Group::Of(some) => some.iter().any(|agent| !enclosing.contains(agent)),
                };
                if beyond {
                    return Err(BrokenAction::InnerGroup);
                }
                let inside = self.members(group);
                let points = self.resolutions(inner, &inside)?;
                Ok(self.learning(inside, points))
            }
            Action::Choice(_) => {
                let mut alternatives = Vec::new();
                flatten(action, false, &mut alternatives);
                let marks = alternatives.iter().filter(|(_, mark)| *mark).count();
                let mut points = Vec::new();
                for (alternative, marked) in alternatives {
                    let inner = match alternative {
                        Action::Local(inner) => inner,
                        other => other,
                    };
                    for (point, designated) in self.resolutions(inner, enclosing)? {
                        points.push((point, designated && (marked || marks == 0)));
                    }
                    if points.len() > MAX_POINTS {
                        return Err(BrokenAction::TooManyPoints);
                    }
                }
                if marks > 1 { Err(BrokenAction::TwoMarks) } else { Ok(points) }
            }
            Action::Seq(steps) => {
                let mut points: Vec<(Vec<Point>, bool)> = vec![(Vec::new(), true)];
                for step in steps {
                    let next = self.resolutions(step, enclosing)?;
                    if points.len() * next.len() > MAX_POINTS {
                        return Err(BrokenAction::TooManyPoints);
                    }
                    points = points
                        .iter()
                        .flat_map(|(before, d)| {
                            next.iter().map(move |(p, e)| {
                                let mut steps = before.clone();
                                match p {
                                    Point::Seq(inner) => steps.extend(inner.iter().cloned()),
                                    one => steps.push(one.clone()),
                                }
                                (steps, *d && *e)
                            })
                        })
                        .collect();
                }
                Ok(points.into_iter().map(|(steps, d)| (Point::sequence(steps), d)).collect())
            }
            Action::Local(_) => Err(BrokenAction::Mark),
            Action::Both(..) => Err(BrokenAction::Concurrent),
            Action::Model(_) => Err(BrokenAction::ModelInside),
            Action::Move(_) => Err(BrokenAction::Move),
        }
    }

    /// The points of `L[B] α` from those of α.
    fn learning(&mut self, group: Vec<Name>, points: Vec<(Point, bool)>) -> Vec<(Point, bool)> {
        let learnt = Learnt { group, points };
        let at = self.learnt.iter().position(|other| *other == learnt).unwrap_or_else(|| {
            self.learnt.push(learnt);
            self.learnt.len() - 1
        });
        let points = &self.learnt[at].points;
        points.iter().map(|(point, d)| (Point::Learn(at, Box::new(point.clone())), *d)).collect()
    }

    /// Whether the agent is in the group of this alternative.
    fn involves(&self, point: &Point, agent: &Name) -> bool {
        match point {
            Point::Test(_) => false,
            Point::Learn(at, _) => self.learnt[*at].group.contains(agent),
            Point::Seq(steps) => steps.iter().any(|s| self.involves(s, agent)),
        }
    }

    fn told_apart(&self, point: &Point, other: &Point, agent: &Name) -> bool {
        match (point, other) {
            (Point::Test(_), Point::Test(_)) => false,
            (Point::Learn(at, inner), Point::Learn(other_at, other_inner)) if at == other_at => {
                self.involves(point, agent) && self.told_apart(inner, other_inner, agent)
            }
            (Point::Seq(steps), Point::Seq(others)) => {
                let common = steps.len().min(others.len());
                steps.iter().zip(others).any(|(a, b)| self.told_apart(a, b, agent))
                    || steps[common..].iter().chain(&others[common..]).any(|s| self.involves(s, agent))
            }
            _ => self.involves(point, agent) || self.involves(other, agent),
        }
    }

    /// The action model of these points, all of them designated.
    fn model_of(&self, name: Name, points: &[Point]) -> ActionModel {
        let events = self
            .preconditions(points)
            .into_iter()
            .enumerate()
            .map(|(i, pre)| EventPoint { name: format!("e{i}").into(), pre, changes: Vec::new(), designated: true })
            .collect();
        ActionModel { name, events, sights: self.sights(points) }
    }

    fn sights(&self, points: &[Point]) -> Vec<(Name, Sight)> {
        let mut sights = Vec::new();
        for agent in self.agents {
            let mut classes: Vec<u32> = Vec::with_capacity(points.len());
            for (i, point) in points.iter().enumerate() {
                let same = (0..i).find(|&j| !self.told_apart(&points[j], point, agent));
                classes.push(same.map_or(i as u32, |j| classes[j]));
            }
            if classes.iter().enumerate().any(|(i, &c)| i as u32 != c) {
                sights.push((agent.clone(), Sight::Classes(classes)));
            }
        }
        sights
    }

    /// The precondition of each point.
    fn preconditions(&self, points: &[Point]) -> Vec<F> {
        let rests: Vec<Option<Point>> = points.iter().map(Point::rest).collect();
        if rests.iter().all(Option::is_none) {
            return points.iter().map(|p| p.first().test()).collect();
        }
        let mut firsts: Vec<Point> = Vec::new();
        for point in points {
            let first = point.first();
            if !firsts.contains(&first) {
                firsts.push(first);
            }
        }
        let model = self.model_of("first steps".into(), &firsts);
        let later: Vec<Point> = rests.iter().flatten().cloned().collect();
        let mut later_pre = self.preconditions(&later).into_iter();
        points
            .iter()
            .zip(&rests)
            .map(|(point, rest)| {
                let first = point.first();
                let Some(then) = rest.as_ref().and_then(|_| later_pre.next()) else { return first.test() };
                let at = firsts.iter().position(|f| *f == first);
                let mut step = model.clone();
                for (i, event) in step.events.iter_mut().enumerate() {
                    event.designated = Some(i) == at;
                }
                step.name = format!("step {}", self.show(&first)).into();
                Formula::and(vec![first.test(), Arc::new(Formula::Can(Arc::new(Action::Model(Arc::new(step))), then))])
            })
            .collect()
    }

    fn show(&self, point: &Point) -> String {
        match point {
            Point::Test(g) => format!("?{g}"),
            Point::Learn(at, inner) => {
                let group = &self.learnt[*at].group;
                let group = if group.len() == self.agents.len() { "all".into() } else { group.join(",") };
                format!("L[{group}] {}", self.show(inner))
            }
            Point::Seq(steps) => {
                let parts: Vec<String> = steps.iter().map(|s| self.show(s)).collect();
                format!("({})", parts.join(" ; "))
            }
        }
    }
}

/// The alternatives of a choice and of the choices directly inside it, with their marks.
fn flatten<'a>(action: &'a Action, marked: bool, out: &mut Vec<(&'a Action, bool)>) {
    match action {
        Action::Choice(parts) => parts.iter().for_each(|p| flatten(p, marked, out)),
        // `!(α + β)` leaves both open: a single alternative of this choice with a choice of its own.
        Action::Local(_) => out.push((action, true)),
        _ => out.push((action, marked)),
    }
}

impl Point {
    /// A sequence of one step is that step.
    fn sequence(steps: Vec<Point>) -> Point {
        match <[Point; 1]>::try_from(steps) {
            Ok([one]) => one,
            Err(steps) if steps.is_empty() => Point::Test(Formula::truth()),
            Err(steps) => Point::Seq(steps),
        }
    }

    /// The first step, under the same `L`s.
    fn first(&self) -> Point {
        match self {
            Point::Test(_) => self.clone(),
            Point::Learn(at, inner) => Point::Learn(*at, Box::new(inner.first())),
            Point::Seq(steps) => steps.first().map_or_else(|| Point::Test(Formula::truth()), Point::first),
        }
    }

    /// What comes after the first step, if anything.
    fn rest(&self) -> Option<Point> {
        match self {
            Point::Test(_) => None,
            Point::Learn(at, inner) => Some(Point::Learn(*at, Box::new(inner.rest()?))),
            Point::Seq(steps) => {
                let (first, others) = steps.split_first()?;
                let mut rest: Vec<Point> = first.rest().into_iter().collect();
                rest.extend(others.iter().cloned());
                (!rest.is_empty()).then(|| Point::sequence(rest))
            }
        }
    }

    /// The test of a point that is a single step.
    fn test(&self) -> F {
        match self {
            Point::Test(f) => f.clone(),
            Point::Learn(_, inner) => inner.test(),
            Point::Seq(_) => Formula::truth(),
        }
    }
}
