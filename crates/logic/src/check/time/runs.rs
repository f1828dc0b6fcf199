//! Runs: finding one that shows what a formula says, and one that looks the same to somebody.

use super::evaluate::Who;
use crate::check::{CheckError, Limit};
use crate::formula::{F, Name, Program};
use crate::model::law::Facts;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

type Checked<T> = Result<T, CheckError>;

/// A place where runs can be followed and formulas asked.
pub(crate) trait Scene {
    /// A point of it.
    type P: Clone + Eq + Hash;

    /// Whether a formula holds at a point.
    fn holds(&mut self, f: &F, point: &Self::P) -> Checked<bool>;

    /// The steps from a point: a label and where it leads.
    fn steps(&mut self, point: &Self::P) -> Checked<Vec<(u32, Self::P)>>;

    /// Whether a label is called by a name.
    fn called(&self, label: u32, name: &Name) -> bool;

    /// How a label is shown.
    fn label(&self, label: u32) -> String;

    /// In a system with actors, who does what.
    fn parts(&self, label: u32) -> Vec<(Name, Name)>;

    /// The agents to whom two points look different.
    fn noticed(&self, before: &Self::P, after: &Self::P) -> Vec<Name>;

    /// Whether agents who remember see which actions happen.
    fn sees_actions(&self) -> bool;

    /// The name and the facts of a point's state.
    fn state(&self, point: &Self::P) -> (String, Facts);

    /// The end of this very run, among its look-alikes.
    fn actual(&mut self, run: &Run<Self::P>, _who: &Who) -> Checked<Self::P> {
        Ok(run.end().clone())
    }

    /// The ends of the runs that look to somebody like this one, as many as are worth looking at.
    fn lookalikes(&mut self, run: &Run<Self::P>, who: &Who) -> Checked<Vec<Self::P>>;

    /// How many there are; `None` if that is not known.
    fn count_lookalikes(&mut self, run: &Run<Self::P>, who: &Who) -> Checked<Option<usize>> {
        Ok(Some(self.lookalikes(run, who)?.len()))
    }

    /// A look-alike at which the formula has the value.
    fn such_lookalike(&mut self, run: &Run<Self::P>, who: &Who, f: &F, value: bool) -> Checked<Option<Self::P>> {
        for end in self.lookalikes(run, who)? {
            if self.holds(f, &end)? == value {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// A run that looks to somebody like this one and ends at one of its look-alikes.
    fn lookalike(&mut self, run: &Run<Self::P>, who: &Who, end: &Self::P) -> Checked<Run<Self::P>>;

    /// What must hold again and again on runs that count.
    fn fairness(&self) -> Vec<F>;
}

/// A finite run.
#[derive(Clone, Debug)]
pub(crate) struct Run<P> {
    pub(crate) start: P,
    /// Labels and the points they lead to.
    pub(crate) steps: Vec<(u32, P)>,
}

impl<P: Clone> Run<P> {
    pub(crate) fn at(start: P) -> Run<P> {
        Run { start, steps: Vec::new() }
    }

    /// The last point.
    pub(crate) fn end(&self) -> &P {
        self.steps.last().map_or(&self.start, |(_, p)| p)
    }

    /// The run with more steps.
    pub(crate) fn and(&self, more: &[(u32, P)]) -> Run<P> {
        let mut run = self.clone();
        run.steps.extend(more.iter().cloned());
        run
    }

    /// The points, the start first.
    pub(crate) fn points(&self) -> impl Iterator<Item = &P> {
        std::iter::once(&self.start).chain(self.steps.iter().map(|(_, p)| p))
    }
}

/// How many points a search for a run may look at; beyond it the run is not told.
const SEARCH: usize = 1_000_000;

/// Steps that end at a point.
pub(crate) type Way<P> = Vec<(u32, P)>;

/// Every point to which an execution of the program leads, each with a shortest way.
pub(crate) fn executions<S: Scene>(scene: &mut S, program: &Program, from: &S::P) -> Checked<Vec<Way<S::P>>> {
    if let Program::Any = program {
        return Ok(scene.steps(from)?.into_iter().map(|step| vec![step]).collect());
    }
    // Breadth first over points with what is left of the program, the next part last.
    type Rest = Vec<Program>;
    let mut seen: HashMap<(S::P, Rest), ()> = HashMap::new();
    let mut queue: VecDeque<(S::P, Rest, Way<S::P>)> = VecDeque::new();
    queue.push_back((from.clone(), vec![program.clone()], Vec::new()));
    let mut found: Vec<Way<S::P>> = Vec::new();
    let mut stays = false;
    while let Some((point, mut rest, way)) = queue.pop_front() {
        if seen.len() > SEARCH {
            return Err(Limit::States(SEARCH).into());
        }
        if seen.insert((point.clone(), rest.clone()), ()).is_some() {
            continue;
        }
        let Some(next) = rest.pop() else {
            let known = match way.last() {
                None => std::mem::replace(&mut stays, true),
                Some((_, end)) => found.iter().any(|w| w.last().is_some_and(|(_, p)| p == end)),
            };
            if !known {
                found.push(way);
            }
            continue;
        };
        match next {
            Program::Any | Program::Action(_) => {
                for (label, target) in scene.steps(&point)? {
                    let fits = match &next {
                        Program::Action(name) => scene.called(label, name),
                        _ => true,
                    };
                    if fits {
                        let mut longer = way.clone();
                        longer.push((label, target.clone()));
                        queue.push_back((target, rest.clone(), longer));
                    }
                }
            }
            Program::Seq(parts) => {
                rest.extend(parts.into_iter().rev());
                queue.push_back((point, rest, way));
            }
            Program::Choice(parts) => {
                for part in parts {
                    let mut rest = rest.clone();
                    rest.push(part);
                    queue.push_back((point.clone(), rest, way.clone()));
                }
            }
            Program::Star(inner) => {
                queue.push_back((point.clone(), rest.clone(), way.clone()));
                rest.push(Program::Star(inner.clone()));
                rest.push(*inner);
                queue.push_back((point, rest, way));
            }
            Program::Test(f) => {
                if scene.holds(&f, &point)? {
                    queue.push_back((point, rest, way));
                }
            }
        }
    }
    Ok(found)
}

/// A shortest way of executions from a point to one that satisfies `goal`, through points that satisfy `through`; at
/// least one execution if `step` is set.
pub(crate) fn way_to<S: Scene>(
    scene: &mut S,
    program: &Program,
    from: &S::P,
    step: bool,
    through: &mut dyn FnMut(&mut S, &S::P) -> Checked<bool>,
    goal: &mut dyn FnMut(&mut S, &S::P) -> Checked<bool>,
) -> Checked<Option<Way<S::P>>> {
    if !step && goal(scene, from)? {
        return Ok(Some(Vec::new()));
    }
    let mut seen: HashMap<S::P, Way<S::P>> = HashMap::new();
    let mut parent: HashMap<S::P, S::P> = HashMap::new();
    let mut queue = VecDeque::from([from.clone()]);
    while let Some(point) = queue.pop_front() {
        if seen.len() > SEARCH {
            return Err(Limit::States(SEARCH).into());
        }
        for way in executions(scene, program, &point)? {
            let end = way.last().map_or_else(|| point.clone(), |(_, p)| p.clone());
            if goal(scene, &end)? {
                let mut whole = way;
                let mut at = point.clone();
                while at != *from {
                    let (Some(before), Some(piece)) = (parent.get(&at), seen.get(&at)) else { break };
                    let mut longer = piece.clone();
                    longer.extend(whole);
                    whole = longer;
                    at = before.clone();
                }
                return Ok(Some(whole));
            }
            if end != *from && !seen.contains_key(&end) && through(scene, &end)? {
                seen.insert(end.clone(), way);
                parent.insert(end.clone(), point.clone());
                queue.push_back(end);
            }
        }
    }
    Ok(None)
}

/// A run that stays where `inside` holds and never has to leave: to its end, or round a loop.
pub(crate) struct Lasting<P> {
    pub(crate) way: Way<P>,
    /// How many steps lead to the loop, if there is one.
    pub(crate) loops_to: Option<usize>,
}

/// Follows executions inside a set in which each point goes on or has nowhere to go. Fair conditions are met in turn.
pub(crate) fn lasting<S: Scene>(
    scene: &mut S,
    program: &Program,
    from: &S::P,
    inside: &dyn Fn(&mut S, &S::P) -> Checked<bool>,
) -> Checked<Option<Lasting<S::P>>> {
    let fairness = scene.fairness();
    let mut way: Way<S::P> = Vec::new();
    let mut rounds: HashMap<S::P, usize> = HashMap::new();
    let mut point = from.clone();
    loop {
        if let Some(&at) = rounds.get(&point) {
            return Ok(Some(Lasting { way, loops_to: Some(at) }));
        }
        if rounds.len() > SEARCH {
            return Err(Limit::States(SEARCH).into());
        }
        rounds.insert(point.clone(), way.len());
        if executions(scene, program, &point)?.is_empty() {
            return Ok(Some(Lasting { way, loops_to: None }));
        }
        if fairness.is_empty() {
            let mut next = None;
            for piece in executions(scene, program, &point)? {
                let end = piece.last().map_or_else(|| point.clone(), |(_, p)| p.clone());
                // A loop that closes is the best way to go on.
                let closes = rounds.contains_key(&end);
                if (next.is_none() || closes) && inside(scene, &end)? {
                    next = Some((piece, end));
                    if closes {
                        break;
                    }
                }
            }
            let Some((piece, end)) = next else { return Ok(None) };
            way.extend(piece);
            point = end;
            continue;
        }
        for condition in &fairness {
            if executions(scene, program, &point)?.is_empty() {
                return Ok(Some(Lasting { way, loops_to: None }));
            }
            let found = way_to(scene, program, &point, true, &mut |s, p| inside(s, p), &mut |s, p| {
                Ok(inside(s, p)? && (s.holds(condition, p)? || executions(s, program, p)?.is_empty()))
            })?;
            let Some(piece) = found else { return Ok(None) };
            if let Some((_, end)) = piece.last() {
                point = end.clone();
            }
            way.extend(piece);
        }
    }
}
