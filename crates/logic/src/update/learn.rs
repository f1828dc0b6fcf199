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
//! `α ; (β + γ)` copies α into both.

use crate::formula::{Action, ActionModel, EventPoint, F, Formula, Group, Name, Sight};
use std::collections::HashSet;
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
            BrokenAction::TooManyPoints => "the action has too many alternatives",
        })
    }
}

impl std::error::Error for BrokenAction {}

const MAX_POINTS: usize = 4096;

/// An action with all choices made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Point {
    Test(F),
    /// The group, the action whose happening it learns (which tells alternatives apart), and what happens.
    Learn(Arc<Group>, Arc<Action>, Box<Point>),
    Seq(Vec<Point>),
}

/// The action model of `L[all] α` or of an announcement.
pub fn resolve(action: &Action, agents: &[Name]) -> Result<ActionModel, BrokenAction> {
    let name: Name = action.to_string().into();
    let Action::Learn(group, inner) = action else {
        let Action::Announce(f) = action else { return Err(BrokenAction::Mark) };
        let event = EventPoint { name: "announced".into(), pre: f.clone(), changes: Vec::new(), designated: true };
        return Ok(ActionModel { name, events: vec![event], sights: Vec::new() });
    };
    let all: HashSet<&Name> = agents.iter().collect();
    if members(group, agents).len() < all.len() {
        return Err(BrokenAction::OutermostGroup);
    }
    let mut points: Vec<(Point, bool)> = Vec::new();
    for (point, designated) in resolutions(inner, &all, agents)? {
        match points.iter_mut().find(|(p, _)| *p == point) {
            Some((_, d)) => *d |= designated,
            None => points.push((point, designated)),
        }
    }
    let trees: Vec<Point> = points.iter().map(|(p, _)| p.clone()).collect();
    let mut model = model_of(name, &trees, agents);
    for (event, (_, designated)) in model.events.iter_mut().zip(&points) {
        event.designated = *designated;
    }
    Ok(model)
}

fn members<'a>(group: &'a Group, agents: &'a [Name]) -> HashSet<&'a Name> {
    match group {
        Group::All => agents.iter().collect(),
        Group::Of(some) => some.iter().collect(),
    }
}

/// The points of an action inside `L`, each with whether it takes every marked alternative on its path.
fn resolutions(
    action: &Action,
    enclosing: &HashSet<&Name>,
    agents: &[Name],
) -> Result<Vec<(Point, bool)>, BrokenAction> {
    match action {
        Action::Test(f) => Ok(vec![(Point::Test(f.clone()), true)]),
        Action::Announce(f) => {
            if enclosing.len() < agents.len() {
                return Err(BrokenAction::InnerGroup);
            }
            let source = Arc::new(action.clone());
            Ok(vec![(Point::Learn(Arc::new(Group::All), source, Box::new(Point::Test(f.clone()))), true)])
        }
        Action::Learn(group, inner) => {
            let inside = members(group, agents);
            if !inside.is_subset(enclosing) {
                return Err(BrokenAction::InnerGroup);
            }
            let (group, source) = (Arc::new(group.clone()), Arc::new(action.clone()));
            let inner = resolutions(inner, &inside, agents)?;
            Ok(inner.into_iter().map(|(p, d)| (Point::Learn(group.clone(), source.clone(), Box::new(p)), d)).collect())
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
                for (point, designated) in resolutions(inner, enclosing, agents)? {
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
                let next = resolutions(step, enclosing, agents)?;
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
            Ok(points.into_iter().map(|(steps, d)| (Point::Seq(steps), d)).collect())
        }
        Action::Local(_) => Err(BrokenAction::Mark),
        Action::Both(..) => Err(BrokenAction::Concurrent),
        Action::Model(_) => Err(BrokenAction::ModelInside),
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
    /// Whether the agent is in the group of this alternative.
    fn involves(&self, agent: &Name) -> bool {
        match self {
            Point::Test(_) => false,
            Point::Learn(group, _, _) => match &**group {
                Group::All => true,
                Group::Of(some) => some.contains(agent),
            },
            Point::Seq(steps) => steps.iter().any(|s| s.involves(agent)),
        }
    }

    fn told_apart(&self, other: &Point, agent: &Name) -> bool {
        match (self, other) {
            (Point::Test(_), Point::Test(_)) => false,
            (Point::Learn(_, source, inner), Point::Learn(_, other_source, other_inner)) if source == other_source => {
                self.involves(agent) && inner.told_apart(other_inner, agent)
            }
            (Point::Seq(steps), Point::Seq(others)) => {
                let common = steps.len().min(others.len());
                steps.iter().zip(others).any(|(a, b)| a.told_apart(b, agent))
                    || steps[common..].iter().chain(&others[common..]).any(|s| s.involves(agent))
            }
            _ => self.involves(agent) || other.involves(agent),
        }
    }

    /// The first step, under the same `L`s.
    fn first(&self) -> Point {
        match self {
            Point::Test(_) => self.clone(),
            Point::Learn(group, source, inner) => Point::Learn(group.clone(), source.clone(), Box::new(inner.first())),
            Point::Seq(steps) => steps.first().map_or_else(|| Point::Test(Formula::truth()), Point::first),
        }
    }

    /// What comes after the first step, if anything.
    fn rest(&self) -> Option<Point> {
        match self {
            Point::Test(_) => None,
            Point::Learn(group, source, inner) => {
                let rest = inner.rest()?;
                Some(Point::Learn(group.clone(), source.clone(), Box::new(rest)))
            }
            Point::Seq(steps) => {
                let (first, others) = steps.split_first()?;
                let mut rest: Vec<Point> = first.rest().into_iter().collect();
                rest.extend(others.iter().cloned());
                match <[Point; 1]>::try_from(rest) {
                    Ok([one]) => Some(one),
                    Err(rest) if rest.is_empty() => None,
                    Err(rest) => Some(Point::Seq(rest)),
                }
            }
        }
    }

    /// The test of a point that is a single step.
    fn test(&self) -> F {
        match self {
            Point::Test(f) => f.clone(),
            Point::Learn(_, _, inner) => inner.test(),
            Point::Seq(_) => Formula::truth(),
        }
    }
}

/// The action model of these points, all of them designated.
fn model_of(name: Name, points: &[Point], agents: &[Name]) -> ActionModel {
    let mut steps = Vec::new();
    let events = preconditions(points, agents, &mut steps)
        .into_iter()
        .enumerate()
        .map(|(i, pre)| EventPoint { name: format!("e{i}").into(), pre, changes: Vec::new(), designated: true })
        .collect();
    ActionModel { name, events, sights: sights(points, agents) }
}

fn sights(points: &[Point], agents: &[Name]) -> Vec<(Name, Sight)> {
    let mut sights = Vec::new();
    for agent in agents {
        let mut classes: Vec<u32> = Vec::with_capacity(points.len());
        for (i, point) in points.iter().enumerate() {
            let same = (0..i).find(|&j| !points[j].told_apart(point, agent));
            classes.push(same.map_or(i as u32, |j| classes[j]));
        }
        if classes.iter().enumerate().any(|(i, &c)| i as u32 != c) {
            sights.push((agent.clone(), Sight::Classes(classes)));
        }
    }
    sights
}

/// The precondition of each point.
fn preconditions(points: &[Point], agents: &[Name], firsts: &mut Vec<Point>) -> Vec<F> {
    let rests: Vec<Option<Point>> = points.iter().map(Point::rest).collect();
    if rests.iter().all(Option::is_none) {
        return points.iter().map(|p| p.first().test()).collect();
    }
    firsts.clear();
    for point in points {
        let first = point.first();
        if !firsts.contains(&first) {
            firsts.push(first);
        }
    }
    let model = model_of("first steps".into(), firsts, agents);
    let later: Vec<Point> = rests.iter().flatten().cloned().collect();
    let mut later_pre = preconditions(&later, agents, &mut Vec::new()).into_iter();
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
            step.name = format!("step {first}").into();
            Formula::and(vec![first.test(), Arc::new(Formula::Can(Arc::new(Action::Model(Arc::new(step))), then))])
        })
        .collect()
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Point::Test(g) => write!(f, "?{g}"),
            Point::Learn(group, _, inner) => write!(f, "L[{group}] {inner}"),
            Point::Seq(steps) => {
                let parts: Vec<String> = steps.iter().map(Point::to_string).collect();
                write!(f, "({})", parts.join(" ; "))
            }
        }
    }
}
