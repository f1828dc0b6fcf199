//! Why a formula holds or fails in a system: with runs.

use super::runs::{Beside, Run, Scene};
use super::search::{Lasting, executions, lasting, way_to};
use crate::check::CheckError;
use crate::check::core::Who;
use crate::formula::{Along, F, Formula, Group, Name, Names, Path, Program};
use crate::model::law::Facts;
use std::collections::{HashMap, VecDeque};

type Checked<T> = Result<T, CheckError>;

/// A state as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateView {
    /// Its name, or its facts.
    pub name: String,
    /// What is true in it.
    pub facts: Facts,
}

/// A step as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepView {
    /// The action, or who does what.
    pub action: String,
    /// The state it leads to.
    pub state: StateView,
    /// What becomes different: `p`, `!p`, `x = 3`.
    pub changes: Vec<String>,
    /// In a system with actors, who does what.
    pub by: Vec<(Name, Name)>,
    /// The agents whose local state becomes different.
    pub noticed: Vec<Name>,
}

/// A run as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunView {
    /// Where it starts.
    pub start: StateView,
    /// Its steps.
    pub steps: Vec<StepView>,
    /// How many of the steps were shown before: the run goes on from there.
    pub shown: usize,
    /// After the last step the run is where it was after this many steps, and may go round for ever.
    pub loops_to: Option<usize>,
    /// Whether the run ends with its last step.
    pub ends: bool,
}

/// Why a formula holds or fails at the end of a run.
#[derive(Clone, Debug)]
pub struct Account {
    /// The formula.
    pub formula: String,
    /// Whether it holds.
    pub holds: bool,
    /// Why.
    pub why: Why,
}

/// The kinds of reasons.
#[derive(Clone, Debug)]
pub enum Why {
    /// It is a matter of the facts of the state.
    Fact,
    /// Because of these parts.
    Parts(Vec<Account>),
    /// This run shows it; what matters is at its end.
    Run(RunView, Option<Box<Account>>),
    /// It is so on every run (or on none).
    EveryRun,
    /// Another run looks the same to these agents, and there it is otherwise.
    Lookalike {
        /// To whom the runs look the same.
        agents: Vec<Name>,
        /// The actual run.
        actual: RunView,
        /// The other run.
        other: RunView,
        /// Without memory: what would tell the runs apart for somebody who remembers.
        apart: Option<Apart>,
        /// What holds or fails at its end.
        then: Box<Account>,
    },
    /// It is so in this many cases that look the same, the actual one included.
    AllLookalikes {
        /// To whom they look the same.
        agents: Vec<Name>,
        /// How many were looked at; `None` if they were not counted.
        count: Option<usize>,
    },
    /// The group has, or has not, a way of choosing its actions.
    Strategy,
    /// It is so, or not so, wherever the agent is as it ought to be.
    Obligation,
    /// The run that shows it is too far away to look for, or a part of the story is undecided.
    Untold,
}

/// Where two runs that end alike part for somebody who remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// What they see after this many steps is different.
    Sight(usize),
    /// The action of this step, counted from 1, is different.
    Action(usize),
    /// One run is longer.
    Length,
}

/// Finds accounts in a scene.
pub(crate) struct Teller<'n, S: Scene> {
    pub(crate) scene: S,
    pub(crate) names: &'n Names,
    pub(crate) agents: Vec<Name>,
}

/// Where a formula is told of: at the end of a run, of which the first steps have been shown before.
pub(crate) struct Here<'r, P> {
    pub(crate) run: &'r Run<P>,
    pub(crate) shown: usize,
    pub(crate) depth: usize,
}

impl<P> Clone for Here<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Here<'_, P> {}

impl<'r, P> Here<'r, P> {
    /// The beginning of an account.
    pub(crate) fn start(run: &'r Run<P>) -> Here<'r, P> {
        Here { run, shown: 0, depth: 0 }
    }

    fn deeper(self) -> Here<'r, P> {
        Here { depth: self.depth + 1, ..self }
    }
}

/// A chain of look-alikes: for each link, to whom, and the other run.
type Chain<P> = Vec<(Name, Run<P>)>;

/// How deep accounts go into Boolean parts and nested knowledge.
const MAX_DEPTH: usize = 40;

/// How many parts are told of one connective.
const MAX_PARTS: usize = 6;

impl<S: Scene> Teller<'_, S> {
    /// The account of a formula at the end of a run.
    pub(crate) fn tell(&mut self, f: &F, here: Here<'_, S::P>) -> Checked<Account> {
        let holds = self.scene.holds(f, here.run.end())?;
        // Of facts only the part that decides is worth naming.
        let decides = match &**f {
            Formula::And(parts) => !holds && parts.len() > 1,
            Formula::Or(parts) => holds && parts.len() > 1,
            _ => false,
        };
        let plain = here.depth >= MAX_DEPTH || (f.is_objective() && (!decides || self.names.name(f).is_some()));
        let why = match if plain { Ok(Why::Fact) } else { self.why(f, holds, here) } {
            Err(CheckError::Limit(_)) => Why::Untold,
            why => why?,
        };
        Ok(Account { formula: self.names.short(f), holds, why })
    }

    fn parts(&mut self, parts: &[&F], here: Here<'_, S::P>) -> Checked<Why> {
        let mut told = Vec::new();
        for part in parts.iter().take(MAX_PARTS) {
            told.push(self.tell(part, here.deeper())?);
        }
        Ok(Why::Parts(told))
    }

    /// The first part with this truth value; all parts if there is none.
    fn one_of(&mut self, parts: &[&F], value: bool, here: Here<'_, S::P>) -> Checked<Why> {
        for part in parts {
            if self.scene.holds(part, here.run.end())? == value {
                return self.parts(&[part], here);
            }
        }
        self.parts(parts, here)
    }

    fn why(&mut self, f: &F, holds: bool, here: Here<'_, S::P>) -> Checked<Why> {
        let run = here.run;
        match &**f {
            Formula::Const(_) | Formula::Atom(_) | Formula::Compare(..) | Formula::After(..) | Formula::Can(..) => {
                Ok(Why::Fact)
            }
            Formula::Not(g) => self.parts(&[g], here),
            Formula::And(parts) => {
                let parts: Vec<&F> = parts.iter().collect();
                if holds { self.parts(&parts, here) } else { self.one_of(&parts, false, here) }
            }
            Formula::Or(parts) => {
                let parts: Vec<&F> = parts.iter().collect();
                if holds { self.one_of(&parts, true, here) } else { self.parts(&parts, here) }
            }
            Formula::Imp(a, b) => {
                let premise = self.scene.holds(a, run.end())?;
                match (holds, premise) {
                    (true, false) => self.parts(&[a], here),
                    (true, true) => self.parts(&[b], here),
                    (false, _) => self.parts(&[a, b], here),
                }
            }
            Formula::Iff(a, b) => self.parts(&[a, b], here),
            Formula::Xor(parts) | Formula::Count(_, _, parts) => self.parts(&parts.iter().collect::<Vec<_>>(), here),
            Formula::Knows(name, g) => {
                let who = self.agent(name);
                self.knowledge(&who, std::slice::from_ref(name), g, !holds, false, here)
            }
            Formula::Possible(name, g) => {
                let who = self.agent(name);
                self.knowledge(&who, std::slice::from_ref(name), g, holds, true, here)
            }
            Formula::KnowsWhether(name, g) => {
                let who = self.agent(name);
                let actual = self.scene.actual(run, &who)?;
                let value = self.scene.holds(g, &actual)?;
                self.knowledge(&who, std::slice::from_ref(name), g, !holds, !value, here)
            }
            Formula::Everyone(group, g) => {
                for name in self.members(group) {
                    let who = self.agent(&name);
                    let why = self.knowledge(&who, &[name], g, !holds, false, here)?;
                    if matches!(why, Why::Lookalike { .. }) {
                        return Ok(why);
                    }
                }
                Ok(Why::AllLookalikes { agents: self.members(group), count: None })
            }
            Formula::Distributed(group, g) => {
                let members = self.members(group);
                let who = Who::together(members.iter().filter_map(|m| self.index(m)).collect());
                self.knowledge(&who, &members, g, !holds, false, here)
            }
            Formula::Common(group, g) => self.common(group, g, holds, here),
            Formula::Path(path, along, program, g) => self.path((*path, *along), program, g, f, holds, here),
            Formula::Until(Path::Some, program, _, b) => {
                if !holds {
                    return Ok(Why::EveryRun);
                }
                let fair = self.goes_on(program);
                let way =
                    way_to(&mut self.scene, program, run.end(), false, &mut |s, p| s.holds(f, p), &mut |s, p| {
                        Ok(s.holds(b, p)? && holds_if_asked(s, &fair, p)?)
                    })?;
                self.along(way, b, here)
            }
            Formula::Until(Path::All, program, a, b) => {
                if holds {
                    return Ok(Why::EveryRun);
                }
                // A way along ¬b to a point with neither, or ¬b for ever; on it the formula keeps failing.
                let fair = self.goes_on(program);
                let way = way_to(
                    &mut self.scene,
                    program,
                    run.end(),
                    false,
                    &mut |s, p| Ok(!s.holds(f, p)? && !s.holds(b, p)?),
                    &mut |s, p| Ok(!s.holds(a, p)? && !s.holds(b, p)? && holds_if_asked(s, &fair, p)?),
                )?;
                // Whichever run is shorter shows it.
                let never =
                    F::new(Formula::Path(Path::Some, Along::Always, program.clone(), Formula::negation(b.clone())));
                let lasts = match self.scene.holds(&never, run.end())? {
                    true => lasting(&mut self.scene, program, run.end(), &|s, p| s.holds(&never, p))?,
                    false => None,
                };
                match (way, lasts) {
                    (Some(way), Some(lasts)) if lasts.way.len() < way.len() => self.for_ever(lasts, b, here),
                    (None, Some(lasts)) => self.for_ever(lasts, b, here),
                    (way, _) => self.along(way, a, here),
                }
            }
            Formula::Ensure(..) | Formula::EnsureUntil(..) => Ok(Why::Strategy),
            Formula::Ought(..) => Ok(Why::Obligation),
            Formula::Runs(path, g) => self.some_run(*path, g, holds, here),
            // Formulas of runs are told of as a whole.
            Formula::Linear(..) | Formula::LinearUntil(..) | Formula::Release(..) => Ok(Why::Fact),
        }
    }

    /// A run that is as the path formula says, or of a universal one a run that is not.
    fn some_run(&mut self, path: Path, g: &F, holds: bool, here: Here<'_, S::P>) -> Checked<Why> {
        let wanted = match (path, holds) {
            (Path::Some, true) => g.clone(),
            (Path::All, false) => Formula::negation(g.clone()),
            (Path::Some, false) | (Path::All, true) => return Ok(Why::EveryRun),
        };
        let formula = F::new(Formula::Runs(Path::Some, wanted));
        let from = here.run.end();
        let Some(automaton) = self.scene.automaton(&formula, from)? else { return Ok(Why::EveryRun) };
        let mut best: Option<Lasting<S::P>> = None;
        for &node in &automaton.start {
            if !self.scene.accepts(&formula, node, from)? {
                continue;
            }
            let mut beside = Beside { scene: &mut self.scene, formula: &formula, automaton: automaton.clone() };
            let found = lasting(&mut beside, &Program::Any, &(from.clone(), node), &|_, _| Ok(true))?;
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.way.len() < best.way.len())
            {
                let way = found.way.into_iter().map(|(label, (point, _))| (label, point)).collect();
                best = Some(Lasting { way, loops_to: found.loops_to });
            }
        }
        match best {
            Some(found) => self.for_ever(found, &Formula::truth(), here),
            None => Ok(Why::EveryRun),
        }
    }

    fn path(
        &mut self,
        (path, along): (Path, Along),
        program: &Program,
        g: &F,
        f: &F,
        holds: bool,
        here: Here<'_, S::P>,
    ) -> Checked<Why> {
        let run = here.run;
        // A universal formula that fails is shown like an existential one that holds, of the negation.
        let (exists, value) = match path {
            Path::Some => (holds, true),
            Path::All => (!holds, false),
        };
        if !exists {
            return Ok(Why::EveryRun);
        }
        let fair = self.goes_on(program);
        let wanted = |s: &mut S, p: &S::P| Ok(s.holds(g, p)? == value && holds_if_asked(s, &fair, p)?);
        match (along, path) {
            (Along::Next, _) => {
                for way in executions(&mut self.scene, program, run.end())? {
                    let end = way.last().map_or_else(|| run.end().clone(), |(_, p)| p.clone());
                    if wanted(&mut self.scene, &end)? {
                        return self.along(Some(way), g, here);
                    }
                }
                Ok(Why::EveryRun)
            }
            (Along::Eventually, Path::Some) | (Along::Always, Path::All) => {
                let way = way_to(
                    &mut self.scene,
                    program,
                    run.end(),
                    false,
                    &mut |s, p| Ok(s.holds(f, p)? == value),
                    &mut |s, p| wanted(s, p),
                )?;
                self.along(way, g, here)
            }
            (Along::Always, Path::Some) | (Along::Eventually, Path::All) => {
                let found = lasting(&mut self.scene, program, run.end(), &|s, p| Ok(s.holds(f, p)? == value))?;
                found.map_or(Ok(Why::EveryRun), |found| self.for_ever(found, g, here))
            }
        }
    }

    /// Where there is fairness: that a fair run goes on.
    fn goes_on(&self, program: &Program) -> Option<F> {
        let fairness = self.scene.conditions() > 0;
        fairness.then(|| F::new(Formula::Path(Path::Some, Along::Always, program.clone(), Formula::truth())))
    }

    /// A way that was found, and what matters at its end.
    fn along(&mut self, way: Option<Vec<(u32, S::P)>>, g: &F, here: Here<'_, S::P>) -> Checked<Why> {
        let Some(way) = way else { return Ok(Why::EveryRun) };
        let longer = here.run.and(&way);
        let view = self.view(&longer, here.shown, None, false);
        let end = Here { run: &longer, shown: longer.steps.len(), depth: here.depth + 1 };
        let then = self.tell(g, end)?;
        Ok(Why::Run(view, Some(Box::new(then))))
    }

    /// A run to its end or round a loop, on which `g` never changes.
    fn for_ever(&mut self, found: Lasting<S::P>, g: &F, here: Here<'_, S::P>) -> Checked<Why> {
        let run = here.run;
        let Lasting { way, loops_to } = found;
        let longer = run.and(&way);
        let loops_to = loops_to.map(|n| n + run.steps.len());
        let view = self.view(&longer, here.shown, loops_to, loops_to.is_none());
        let end = Here { run: &longer, shown: longer.steps.len(), depth: here.depth + 1 };
        let then = if g.is_objective() { None } else { Some(Box::new(self.tell(g, end)?)) };
        Ok(Why::Run(view, then))
    }

    fn agent(&self, name: &Name) -> Who {
        Who::Agent(self.index(name).unwrap_or(usize::MAX))
    }

    fn index(&self, name: &Name) -> Option<usize> {
        self.agents.iter().position(|a| a == name)
    }

    fn members(&self, group: &Group) -> Vec<Name> {
        match group {
            Group::All => self.agents.clone(),
            Group::Of(names) => names.clone(),
        }
    }

    /// A look-alike at which the body has the value, if one is wanted.
    fn knowledge(
        &mut self,
        who: &Who,
        agents: &[Name],
        body: &F,
        wanted: bool,
        value: bool,
        here: Here<'_, S::P>,
    ) -> Checked<Why> {
        let run = here.run;
        if wanted && let Some(end) = self.scene.such_lookalike(run, who, body, value)? {
            let other = self.scene.lookalike(run, who, &end)?;
            return self.other_run(agents, body, run, &other, here.depth);
        }
        let count = self.scene.count_lookalikes(run, who)?;
        Ok(Why::AllLookalikes { agents: agents.to_vec(), count })
    }

    fn other_run(
        &mut self,
        agents: &[Name],
        body: &F,
        run: &Run<S::P>,
        other: &Run<S::P>,
        depth: usize,
    ) -> Checked<Why> {
        let end = Here { run: other, shown: other.steps.len(), depth: depth + 1 };
        let then = self.tell(body, end)?;
        Ok(Why::Lookalike {
            apart: self.apart(agents, run, other),
            agents: agents.to_vec(),
            actual: self.view(run, 0, None, false),
            other: self.view(other, 0, None, false),
            then: Box::new(then),
        })
    }

    /// Where two runs part for one of the agents who remembers; `None` where the runs look the same throughout.
    fn apart(&self, agents: &[Name], run: &Run<S::P>, other: &Run<S::P>) -> Option<Apart> {
        let length = run.steps.len().max(other.steps.len());
        for i in 0..=length {
            let (a, b) = (run.points().nth(i), other.points().nth(i));
            let (Some(a), Some(b)) = (a, b) else { return Some(Apart::Length) };
            let differs = i > 0 && self.scene.label(run.steps[i - 1].0) != self.scene.label(other.steps[i - 1].0);
            if differs && self.scene.sees_actions() {
                return Some(Apart::Action(i));
            }
            if self.scene.noticed(a, b).iter().any(|n| agents.contains(n)) {
                return Some(Apart::Sight(i));
            }
        }
        None
    }

    /// A chain of look-alikes, agent by agent, to one at which the body fails.
    fn common(&mut self, group: &Group, body: &F, holds: bool, here: Here<'_, S::P>) -> Checked<Why> {
        let run = here.run;
        let members = self.members(group);
        if holds {
            return Ok(Why::AllLookalikes { agents: members, count: None });
        }
        let mut seen: HashMap<S::P, ()> = HashMap::from([(run.end().clone(), ())]);
        let mut queue = VecDeque::from([(run.clone(), Chain::new())]);
        while let Some((at, chain)) = queue.pop_front() {
            if !self.scene.holds(body, at.end())? {
                return self.chain(run, &chain, body, here.depth);
            }
            for name in &members {
                let who = self.agent(name);
                for end in self.scene.lookalikes(&at, &who)? {
                    if seen.insert(end.clone(), ()).is_none() {
                        let other = self.scene.lookalike(&at, &who, &end)?;
                        let mut longer = chain.clone();
                        longer.push((name.clone(), other.clone()));
                        queue.push_back((other, longer));
                    }
                }
            }
        }
        Ok(Why::AllLookalikes { agents: members, count: None })
    }

    fn chain(&mut self, run: &Run<S::P>, chain: &[(Name, Run<S::P>)], body: &F, depth: usize) -> Checked<Why> {
        let Some(((name, other), rest)) = chain.split_first() else {
            let account = self.tell(body, Here { run, shown: run.steps.len(), depth: depth + 1 })?;
            return Ok(Why::Parts(vec![account]));
        };
        let then = if rest.is_empty() {
            self.tell(body, Here { run: other, shown: other.steps.len(), depth: depth + 1 })?
        } else {
            let why = self.chain(other, rest, body, depth + 1)?;
            Account { formula: self.names.short(body), holds: true, why }
        };
        Ok(Why::Lookalike {
            apart: self.apart(std::slice::from_ref(name), run, other),
            agents: vec![name.clone()],
            actual: self.view(run, 0, None, false),
            other: self.view(other, 0, None, false),
            then: Box::new(then),
        })
    }

    /// A run as it is shown.
    pub(crate) fn view(&self, run: &Run<S::P>, shown: usize, loops_to: Option<usize>, ends: bool) -> RunView {
        let look = |p: &S::P| {
            let (name, facts) = self.scene.state(p);
            StateView { name, facts }
        };
        let start = look(&run.start);
        let mut before = start.facts.clone();
        let mut steps = Vec::with_capacity(run.steps.len());
        let mut last = &run.start;
        for (label, point) in &run.steps {
            let state = look(point);
            let changes = differences(&before, &state.facts);
            before = state.facts.clone();
            steps.push(StepView {
                action: self.scene.label(*label),
                state,
                changes,
                by: self.scene.parts(*label),
                noticed: self.scene.noticed(last, point),
            });
            last = point;
        }
        RunView { start, steps, shown, loops_to, ends }
    }
}

/// Whether the formula, if there is one, holds.
fn holds_if_asked<S: Scene>(scene: &mut S, f: &Option<F>, point: &S::P) -> Checked<bool> {
    f.as_ref().map_or(Ok(true), |f| scene.holds(f, point))
}

/// What is different in the second: `p`, `!p`, `x = 3`.
fn differences(before: &Facts, after: &Facts) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    all.extend(after.props.iter().filter(|p| !before.props.contains(p)).map(|p| p.to_string()));
    all.extend(before.props.iter().filter(|p| !after.props.contains(p)).map(|p| format!("!{p}")));
    for (x, v) in &after.vars {
        if before.vars.iter().any(|(y, w)| x == y && v != w) {
            all.push(format!("{x} = {v}"));
        }
    }
    all
}
