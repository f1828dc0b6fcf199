//! Runs: what they are made of, and where they can be followed.

use crate::check::CheckError;
use crate::check::core::Who;
use crate::check::linear::Automaton;
use crate::formula::{F, Name};
use crate::model::law::Facts;
use std::hash::Hash;
use std::rc::Rc;

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

    /// How many conditions must hold again and again on runs that count.
    fn conditions(&self) -> usize;

    /// Whether one of them holds at a point.
    fn meets(&mut self, condition: usize, point: &Self::P) -> Checked<bool>;

    /// The automaton of `E ψ`; `None` of any other formula.
    fn automaton(&mut self, f: &F, point: &Self::P) -> Checked<Option<Rc<Automaton>>>;

    /// Whether a run goes on from a point as a node of the automaton of `E ψ` says.
    fn accepts(&mut self, f: &F, node: usize, point: &Self::P) -> Checked<bool>;
}

/// A scene beside the automaton of a path formula: its runs are those that the automaton accepts.
pub(crate) struct Beside<'s, S: Scene> {
    pub(crate) scene: &'s mut S,
    pub(crate) formula: &'s F,
    pub(crate) automaton: Rc<Automaton>,
}

impl<S: Scene> Scene for Beside<'_, S> {
    type P = (S::P, usize);

    fn holds(&mut self, f: &F, (point, _): &Self::P) -> Checked<bool> {
        self.scene.holds(f, point)
    }

    fn steps(&mut self, (point, node): &Self::P) -> Checked<Vec<(u32, Self::P)>> {
        let mut found = Vec::new();
        for (label, target) in self.scene.steps(point)? {
            for &next in &self.automaton.follow[*node] {
                if self.scene.accepts(self.formula, next, &target)? {
                    found.push((label, (target.clone(), next)));
                }
            }
        }
        Ok(found)
    }

    fn called(&self, label: u32, name: &Name) -> bool {
        self.scene.called(label, name)
    }

    fn label(&self, label: u32) -> String {
        self.scene.label(label)
    }

    fn parts(&self, label: u32) -> Vec<(Name, Name)> {
        self.scene.parts(label)
    }

    fn noticed(&self, (before, _): &Self::P, (after, _): &Self::P) -> Vec<Name> {
        self.scene.noticed(before, after)
    }

    fn sees_actions(&self) -> bool {
        self.scene.sees_actions()
    }

    fn state(&self, (point, _): &Self::P) -> (String, Facts) {
        self.scene.state(point)
    }

    /// Nobody looks at the automaton.
    fn lookalikes(&mut self, _run: &Run<Self::P>, _who: &Who) -> Checked<Vec<Self::P>> {
        Ok(Vec::new())
    }

    fn lookalike(&mut self, run: &Run<Self::P>, _who: &Who, _end: &Self::P) -> Checked<Run<Self::P>> {
        Ok(run.clone())
    }

    /// What the automaton owes, then what fairness asks.
    fn conditions(&self) -> usize {
        self.automaton.conditions + self.scene.conditions()
    }

    fn meets(&mut self, condition: usize, (point, node): &Self::P) -> Checked<bool> {
        match condition.checked_sub(self.automaton.conditions) {
            None => Ok(self.automaton.places[*node].paid[condition]),
            Some(fair) => self.scene.meets(fair, point),
        }
    }

    fn automaton(&mut self, _f: &F, _point: &Self::P) -> Checked<Option<Rc<Automaton>>> {
        Ok(None)
    }

    fn accepts(&mut self, f: &F, node: usize, (point, _): &Self::P) -> Checked<bool> {
        self.scene.accepts(f, node, point)
    }
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

    /// The same run on other points.
    pub(crate) fn map<Q>(self, to: impl Fn(P) -> Q) -> Run<Q> {
        let steps = self.steps.into_iter().map(|(label, point)| (label, to(point))).collect();
        Run { start: to(self.start), steps }
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
