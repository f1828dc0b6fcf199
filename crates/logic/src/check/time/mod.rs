//! Time: interpreted systems, checked without memory or with perfect recall.
//!
//! * `graph` – points and steps; `points` – sets of them: Act-CTL-K, programs over maximal runs
//! * `fairness` – which points and runs count; `sides` – answers; `history` – where a question is asked
//! * `forgetful` – points are reachable states
//! * `recall` – perfect recall without common knowledge: knowledge states of bounded depth, always exact
//! * `moments` – perfect recall with common knowledge or knowledge-based protocols: exact if the moments close
//! * `symbolic` – without memory, sets of reachable states as Boolean functions
//! * `runs`, `scenes`, `search`, `account`, `words` – why, with runs; `possible` – what agents consider possible along one;
//!   `present` – reachable states as worlds

mod account;
mod fairness;
mod forgetful;
mod graph;
mod history;
mod moments;
mod points;
mod possible;
mod present;
mod recall;
mod runs;
mod scenes;
mod search;
mod sides;
mod symbolic;
mod words;

use super::answer::{Answer, Explanation, Forgetful, Found, OfSystem};
use super::checker::Size;
use super::question::{Question, Start};
use super::worlds::{first_capacity, grown, roomier};
use super::{CheckError, Engine, EngineChoice, Limit, Limits, Memory, Options};
use crate::bdd::{Capacity, OxiddBdd};
use crate::formula::{F, Formula, Names, Program};
use crate::model::enumerate::Budget;
use crate::model::explore::{Effort, Labels, explore};
use crate::model::symbolic::Stopped;
use crate::model::system::{Recall, Visibility};
use crate::model::{BitSet, System, Time, Transitions};
use crate::stop;
use crate::syntax::Span;
use account::{Here, Teller};
use fairness::Fairness;
use graph::Graph;
use history::Seat;
use moments::Moments;
use num_bigint::BigUint;
use points::Bias;
use scenes::{InMoments, LayerPoint, Layers, States};
use sides::{Points, symbolic_side};
use std::rc::Rc;
use symbolic::SymbolicSystem;

type Checked<T> = Result<T, CheckError>;

pub use account::{Account, Apart, RunView, StateView, StepView, Why};
pub use possible::Possible;

/// What one way of remembering answers.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    /// What agents remember.
    pub recall: Recall,
    /// Which engine found it.
    pub engine: Engine,
    /// Whether the formula holds at every initial state; of `where` and `count`, at some reachable state.
    pub holds: bool,
    /// How many states it was asked of: initial states; of `where` and `count`, reachable ones.
    pub asked: BigUint,
    /// At how many of them it holds.
    pub holding: BigUint,
    /// The names of those, unless they are more than the question allows.
    pub holds_at: Option<Vec<String>>,
    /// For each state it was asked of, whether it holds there; empty where they are not listed.
    truth: Vec<(usize, bool)>,
    /// How many points were looked at: reachable states, or knowledge states.
    pub points: BigUint,
    /// How many initial states were left out: no fair run starts there.
    pub dropped: BigUint,
    /// Why it holds or fails, and at which initial state.
    pub account: Option<(String, Account)>,
}

/// Listing more states than this is left to the symbolic engine, unless the user asks otherwise.
///
/// Measured on the conformance files: with many initial states the symbolic engine is ahead from a few thousand on;
/// systems with few initial states and many rules stay cheaper to list far longer.
const QUICKLY_LISTED: Effort =
    Effort { starts: Budget { worlds: 4_000, steps: 100_000 }, states: Budget { worlds: 40_000, steps: 1_000_000 } };

/// The most steps between listed states (12 bytes each).
const MAX_TRANSITIONS: usize = 60_000_000;

/// How many steps are followed where common knowledge or knowledge in protocols may grow for ever, and how many points
/// are made, unless the user gives a bound.
const DEFAULT_BOUND: usize = 50;
const DEFAULT_POINTS: usize = 300_000;

/// A system state by state.
struct Listed {
    system: Transitions,
    /// Its reachable states.
    graph: Graph,
    /// Which of them count without memory; `None` if all do.
    fairness: Option<Rc<Fairness>>,
}

/// A system with what is known of it so far. Whatever was asked before, a question is answered in the same way.
pub(crate) struct SystemChecker {
    time: Time,
    options: Options,
    explicit: Option<Listed>,
    /// Whether the listed steps tell who does what.
    labels: Labels,
    /// Whether the states can be listed quickly, without and with who does what, once it was tried.
    quick: [Option<bool>; 2],
    symbolic: Option<(SymbolicSystem<OxiddBdd>, Capacity)>,
    /// Whether something was asked on functions already, so that there would be more room in a new manager.
    used: bool,
    /// How formulas are called in the account that is told just now.
    names: Names,
}

impl SystemChecker {
    pub(crate) fn new(time: Time, options: Options) -> SystemChecker {
        let (labels, names) = (Labels::Joint, Names::default());
        SystemChecker { time, options, explicit: None, labels, quick: [None; 2], symbolic: None, used: false, names }
    }

    /// What agents remember, by the options, the system's own word or the default.
    pub(crate) fn memory(&self) -> Memory {
        self.options.memory.unwrap_or(match &self.time {
            Time::System(System { recall: Some(Recall::Forgetful), .. }) | Time::Transitions(_) => Memory::None,
            Time::System(_) => Memory::Perfect,
        })
    }

    /// Whether agents see which actions happen.
    pub(crate) fn visibility(&self) -> Visibility {
        let written = match &self.time {
            Time::System(system) => system.visibility,
            Time::Transitions(_) => None,
        };
        self.options.visibility.or(written).unwrap_or(Visibility::Seen)
    }

    fn may_end(&self) -> bool {
        match &self.time {
            Time::System(system) => system.may_end,
            Time::Transitions(_) => true,
        }
    }

    /// Lists the states, within the budget, with steps that tell at least so much.
    fn list(&mut self, labels: Labels, effort: Effort) -> Checked<bool> {
        if labels == Labels::Joint && self.labels == Labels::None {
            self.explicit = None;
        }
        if self.explicit.is_none() {
            let listed = match &self.time {
                Time::Transitions(transitions) => Some(transitions.clone()),
                Time::System(system) => explore(system, labels, effort, &self.options.limits)?,
            };
            self.labels = labels;
            let Some(listed) = listed else { return Ok(false) };
            let graph = Graph::reachable(&listed);
            let fairness = forgetful::fairness(&listed, &graph)?;
            self.explicit = Some(Listed { system: listed, graph, fairness });
        }
        Ok(true)
    }

    /// Whether the states can be listed quickly, with steps that tell at least so much. It depends on the system alone.
    fn quickly(&mut self, labels: Labels) -> Checked<bool> {
        let at = usize::from(labels == Labels::Joint);
        // Telling less never takes longer.
        if let Some(known) = self.quick[at].or(self.quick[1].filter(|&quick| quick)) {
            return Ok(known);
        }
        let worlds = QUICKLY_LISTED.states.worlds.min(self.options.limits.worlds);
        let effort = Effort { states: Budget { worlds, ..QUICKLY_LISTED.states }, ..QUICKLY_LISTED };
        let before = self.explicit.take().map(|listed| (listed, self.labels));
        let quick = match self.list(labels, effort) {
            Err(CheckError::Limit(limit)) if limit != Limit::Stopped => false,
            listed => listed?,
        };
        if let Some((listed, labels)) = before
            && (!quick || labels == Labels::Joint)
        {
            (self.explicit, self.labels) = (Some(listed), labels);
        }
        self.quick[at] = Some(quick);
        Ok(quick)
    }

    /// The engine for questions without memory, made ready.
    fn prepare(&mut self, labels: Labels) -> Checked<Engine> {
        let listed = match (&self.time, self.options.engine) {
            (Time::Transitions(_), EngineChoice::Symbolic) => {
                return Err(CheckError::NotHere("the symbolic engine is for systems with actors and rules"));
            }
            (Time::Transitions(_), _) | (_, EngineChoice::Explicit) => true,
            (Time::System(_), EngineChoice::Symbolic) => false,
            (Time::System(_), EngineChoice::Auto) => self.quickly(labels)?,
        };
        if !listed && self.symbolic.is_none() {
            match first_capacity(&self.options.limits).and_then(|capacity| self.open_symbolic(capacity)) {
                // Where there is no room for functions the states may still be listed.
                Err(CheckError::Limit(Limit::NoRoom(_))) if self.options.engine == EngineChoice::Auto => {}
                opened => opened?,
            }
        }
        if !listed && self.symbolic.is_some() {
            return Ok(Engine::Symbolic);
        }
        self.listed(labels)?;
        Ok(Engine::Explicit)
    }

    /// Builds the symbolic system in a manager of this capacity, or a larger one if it is full.
    fn open_symbolic(&mut self, mut capacity: Capacity) -> Checked<()> {
        let Time::System(system) = &self.time else { return Ok(()) };
        (self.symbolic, self.used) = (None, false);
        loop {
            match symbolic::open_in(system, capacity) {
                Ok(found) => {
                    self.symbolic = Some((found, capacity));
                    return Ok(());
                }
                Err(Stopped::Error(error)) => return Err(error),
                Err(Stopped::Full) => capacity = grown(capacity, &self.options.limits)?,
            }
        }
    }

    fn listed(&mut self, labels: Labels) -> Checked<&Listed> {
        let worlds = self.options.limits.worlds;
        let over = CheckError::from(Limit::Transitions(MAX_TRANSITIONS));
        let all = Budget { worlds, steps: MAX_TRANSITIONS };
        self.list(labels, Effort { starts: all, states: all })?;
        self.explicit.as_ref().ok_or(over)
    }

    /// How many states are reachable.
    pub(crate) fn size(&mut self) -> Checked<Size> {
        let forgets = self.memory() == Memory::None || self.visibility() == Visibility::Hidden;
        let labels = if forgets { Labels::None } else { Labels::Joint };
        let exact = self.asks_knowledge().is_none();
        if exact && self.prepare(labels)? == Engine::Symbolic {
            let count = self.symbolic.as_ref().map_or_else(BigUint::default, |(s, _)| s.count(&s.reach));
            return Ok(Size { count, exact, engine: Engine::Symbolic });
        }
        Ok(Size { count: self.listed(labels)?.graph.size().into(), exact, engine: Engine::Explicit })
    }

    /// Answers a question, with these names for formulas in its account.
    pub(crate) fn ask(&mut self, question: &Question, names: Names) -> Checked<Answer> {
        self.names = names;
        let answer = self.find_answer(question).map_err(|error| match error {
            CheckError::UnknownWorld(name) => CheckError::UnknownState { name, initial: true },
            error => error,
        })?;
        stop::go_on()?;
        Ok(answer)
    }

    fn find_answer(&mut self, question: &Question) -> Checked<Answer> {
        let formula = &question.formula;
        let of_states = !question.kind.is_judged();
        let memory = self.memory();
        if memory != Memory::None && formula.any(&mut |f| matches!(f, Formula::Ought(..))) {
            return Err(CheckError::NotHere("`O[a]` is for systems without memory"));
        }
        if of_states && memory != Memory::None && formula.any(&mut |f| f.is_epistemic()) {
            return Err(CheckError::NotHere(
                "`where` and `count` speak of states; with memory a state alone does not say who knows what",
            ));
        }
        // Where nobody is asked what they know, memory makes no difference, and points need not be told apart.
        let knowing =
            formula.any(&mut |f| f.is_epistemic()) || self.asks_knowledge().is_some() || self.fair_knowledge();
        let side = match memory {
            Memory::None => self.forgetful(question, Begin::Anywhere)?,
            Memory::Perfect | Memory::Both
                if of_states && (self.asks_knowledge().is_some() || self.fair_knowledge()) =>
            {
                self.reached(question)?
            }
            Memory::Perfect | Memory::Both if of_states => self.forgetful(question, Begin::AtStart)?,
            Memory::Perfect if !knowing => {
                let side = self.forgetful(question, Begin::AtStart)?;
                Side { recall: Recall::Perfect, ..side }
            }
            Memory::Perfect => self.perfect(question)?,
            Memory::Both => {
                // Both sides speak of listed states, so that they can be compared.
                let plain = Question { explain: false, ..question.clone() };
                let mut perfect = self.perfect(&plain)?;
                let mut without = self.forgetful(&plain, Begin::AtStartListed)?;
                let parting = parting(&perfect, &without).and_then(|s| self.state_name(s));
                if question.explain {
                    // Told where they part, if they do.
                    let named = parting.clone().filter(|_| question.steps.is_empty()).map(Start::Named);
                    let told = Question { at: named.or_else(|| question.at.clone()), ..question.clone() };
                    perfect.account = self.perfect(&told)?.account;
                    without.account = self.forgetful(&told, Begin::AtStartListed)?.account;
                }
                return Ok(self.answer(question, perfect, Some((without, parting))));
            }
        };
        Ok(self.answer(question, side, None))
    }

    /// One or two sides as an answer.
    fn answer(&self, question: &Question, mut side: Side, without: Option<(Side, Option<String>)>) -> Answer {
        let strategic = |f: &Formula| matches!(f, Formula::Ensure(..) | Formula::EnsureUntil(..));
        let forgetful = without.map(|(mut side, parting)| Forgetful {
            holds: side.holds,
            holds_at: self.found(&mut side),
            asked: side.asked,
            holding: side.holding,
            reason: side.account.map(told),
            parting,
        });
        Answer {
            kind: question.kind,
            holds: side.holds,
            at: question.place(),
            holds_at: self.found(&mut side),
            asked: side.asked,
            holding: side.holding,
            engine: side.engine,
            reason: side.account.map(told),
            system: Some(OfSystem {
                recall: side.recall,
                points: side.points,
                dropped: side.dropped,
                strategies_ignore_fairness: self.is_fair() && question.formula.any(&mut |f| strategic(f)),
                forgetful,
            }),
        }
    }

    /// The states at which a side holds, in an order that does not depend on how they were listed.
    fn found(&self, side: &mut Side) -> Option<Vec<Found>> {
        let names = side.holds_at.take()?;
        let Some(Listed { system, .. }) = self.explicit.as_ref().filter(|_| side.engine == Engine::Explicit) else {
            return Some(names.into_iter().map(|name| Found { name, facts: None }).collect());
        };
        let mut states: Vec<usize> = side.truth.iter().filter(|(_, holds)| *holds).map(|(state, _)| *state).collect();
        states.sort_unstable();
        Some(states.into_iter().map(|s| Found { name: system.name(s), facts: Some(system.facts(s)) }).collect())
    }

    fn state_name(&self, state: usize) -> Option<String> {
        self.explicit.as_ref().map(|listed| listed.system.name(state))
    }

    /// How far moments are followed: steps, and points.
    fn reach(&self) -> (usize, Limits) {
        let mut limits = self.options.limits;
        if self.options.bound.is_none() {
            limits.worlds = limits.worlds.min(DEFAULT_POINTS);
        }
        (self.options.bound.unwrap_or(DEFAULT_BOUND), limits)
    }

    /// An error about what agents know, with the place of a protocol that asks.
    fn placed(&self, error: CheckError) -> CheckError {
        match (error, self.asks_knowledge()) {
            (CheckError::NoStep { state, .. }, Some(span)) => CheckError::NoStep { state, span },
            (error, _) => error,
        }
    }

    /// Where a protocol asks what an agent knows.
    fn asks_knowledge(&self) -> Option<Span> {
        let Time::System(system) = &self.time else { return None };
        let mut lines = system.actors.iter().flat_map(|a| &a.protocol);
        lines.find(|line| !line.guard.is_objective()).map(|line| line.span)
    }

    /// What holds again and again on runs that count.
    fn conditions(&self) -> &[F] {
        match &self.time {
            Time::System(system) => &system.fairness,
            Time::Transitions(transitions) => &transitions.fairness,
        }
    }

    /// Whether some runs do not count.
    fn is_fair(&self) -> bool {
        !self.conditions().is_empty()
    }

    /// Whether fairness speaks of knowledge.
    fn fair_knowledge(&self) -> bool {
        self.conditions().iter().any(|f| !f.is_objective())
    }

    /// The states that are reached when protocols ask what agents know.
    fn reached(&mut self, question: &Question) -> Checked<Side> {
        let (visibility, may_end) = (self.visibility(), self.may_end());
        let (bound, limits) = self.reach();
        self.listed(Labels::Joint)?;
        let Some(Listed { system, .. }) = &self.explicit else { return Err(Limit::States(0).into()) };
        let mut moments = Moments::new(system, visibility, may_end, limits, &[])?;
        while !moments.closed() {
            if moments.depth >= bound {
                return Err(Limit::Steps(bound).into());
            }
            moments.follow().map_err(|error| self.placed(error))?;
        }
        let mut reached = BitSet::empty(system.size());
        let followed = moments.graph();
        let evaluator = moments.evaluator(&followed)?;
        let counting = evaluator.algebra.part_that_counts(&BitSet::full(followed.size()), Bias::Certain);
        counting.iter().for_each(|p| reached.insert(followed.state[p] as usize));
        let states: Vec<u32> = reached.iter().map(|s| s as u32).collect();
        let graph = Graph::new(states.clone(), vec![Vec::new(); states.len()], Vec::new());
        if question.formula.is_temporal() {
            return Err(CheckError::NotHere("`where` and `count` speak of states here, not of runs"));
        }
        let set = forgetful::evaluator(system, &graph, None).certainly(&question.formula)?;
        let dropped = followed.initial.iter().filter(|&&p| !counting.contains(p as usize)).count();
        let side = Points::new(system, &graph, None).side(&set, question, Recall::Perfect, moments.points())?;
        Ok(Side { dropped: dropped.into(), ..side })
    }

    fn forgetful(&mut self, question: &Question, begin: Begin) -> Checked<Side> {
        if let Some(span) = self.asks_knowledge() {
            return Err(CheckError::NeedsMemory(span));
        }
        let (visibility, labels) = (self.visibility(), labels_for(question));
        let listed = begin == Begin::AtStartListed || !question.steps.is_empty();
        if !listed && self.prepare(labels)? == Engine::Symbolic {
            match self.symbolically(question) {
                // On functions only initial states are looked for.
                Err(CheckError::UnknownWorld(_)) if begin == Begin::Anywhere => {}
                Err(CheckError::Limit(limit))
                    if limit != Limit::Stopped && self.options.engine == EngineChoice::Auto =>
                {
                    self.listed(labels).map_err(|_| CheckError::from(limit))?;
                }
                side => return side,
            }
        }
        self.listed(labels)?;
        let Some(Listed { system, graph, fairness }) = &self.explicit else { return Err(Limit::States(0).into()) };
        let seat = Seat::find(system, graph, question, begin == Begin::Anywhere)?;
        let set = forgetful::evaluator(system, graph, fairness.clone()).certainly(&question.formula)?;
        let points = Points::new(system, &seat.graph, fairness.as_deref());
        let side = points.side(&set, &seat.question, Recall::Forgetful, graph.size())?;
        let mut side = seat.settle(side)?;
        if let Some((point, name)) = points.worth_telling(&set, &seat.question)? {
            let scene = States::new(system, graph, fairness.clone(), visibility);
            let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
            side.account = Some((name, teller.tell(&question.formula, Here::start(&seat.run(point)))?));
        }
        Ok(side)
    }

    /// Without memory, on functions; in a larger manager when one is full.
    fn symbolically(&mut self, question: &Question) -> Checked<Side> {
        let visibility = self.visibility();
        loop {
            let Some((system, capacity)) = &mut self.symbolic else { return Err(Limit::States(0).into()) };
            let capacity = *capacity;
            let used = std::mem::replace(&mut self.used, true);
            match symbolic_side(system, question, &self.names, visibility) {
                Ok(side) => return Ok(side),
                Err(Stopped::Error(error)) => return Err(error),
                Err(Stopped::Full) => self.open_symbolic(roomier(capacity, used, &self.options.limits)?)?,
            }
        }
    }

    fn perfect(&mut self, question: &Question) -> Checked<Side> {
        let (visibility, limits, may_end) = (self.visibility(), self.options.limits, self.may_end());
        // Hidden actions need no names unless the question uses them.
        let labels = if visibility == Visibility::Seen { Labels::Joint } else { labels_for(question) };
        self.listed(labels)?;
        let Some(Listed { system, .. }) = &self.explicit else { return Err(Limit::States(0).into()) };
        let formula = &question.formula;
        let common = |f: &F| f.any(&mut |f| matches!(f, Formula::Common(..)));
        let whole = !system.conditions.is_empty() || common(formula) || system.fairness.iter().any(common);
        if whole {
            return self.in_moments(question, visibility, may_end);
        }
        let mut recall = recall::Recall::new(system, visibility, limits);
        let layer = recall.layer(std::slice::from_ref(formula))?;
        let set = layer.eval(system, formula)?;
        let seat = Seat::find(system, &layer.graph, question, false)?;
        let points = Points { system, graph: &seat.graph, counts: layer.counting() };
        let mut side = seat.settle(points.side(&set, &seat.question, Recall::Perfect, recall.points())?)?;
        if let Some((point, name)) = points.worth_telling(&set, &seat.question)? {
            let scene = Layers::new(system, visibility);
            let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
            let run = seat.run(point).map(|p| LayerPoint::new(layer.clone(), p));
            side.account = Some((name, teller.tell(formula, Here::start(&run))?));
        }
        Ok(side)
    }

    /// Perfect recall with common knowledge or protocols that ask what is known: as many steps as it takes.
    fn in_moments(&self, question: &Question, visibility: Visibility, may_end: bool) -> Checked<Side> {
        let Some(Listed { system, .. }) = &self.explicit else { return Err(Limit::States(0).into()) };
        let formula = &question.formula;
        let (bound, limits) = self.reach();
        let mut moments = Moments::new(system, visibility, may_end, limits, std::slice::from_ref(formula))?;
        loop {
            let wanted = (2 * moments.depth).max(question.steps.len()).max(1).min(bound);
            let mut full = false;
            while moments.depth < wanted && !moments.closed() {
                match moments.follow() {
                    Ok(()) => {}
                    Err(CheckError::Limit(_)) => {
                        full = true;
                        break;
                    }
                    Err(error) => return Err(self.placed(error)),
                }
            }
            let graph = moments.graph();
            if moments.depth < question.steps.len() && !moments.closed() {
                return Err(Limit::Steps(moments.depth).into());
            }
            let seat = Seat::find(system, &graph, question, false)?;
            let mut evaluator = moments.evaluator(&graph)?;
            let found = evaluator.points(formula)?;
            let (certain, maybe) = (found.with(Bias::Certain), found.with(Bias::Maybe));
            let fairness = evaluator.algebra.fairness.clone();
            let counts = |bias, p: usize| fairness.as_ref().is_none_or(|fairness| fairness.counts(bias).contains(p));
            let decided = seat.graph.initial.iter().map(|&p| p as usize).all(|p| {
                // Where no fair run can start nothing is asked.
                let asked = counts(Bias::Maybe, p);
                !asked || (counts(Bias::Certain, p) && certain.contains(p) == maybe.contains(p))
            });
            if decided {
                let points = Points::new(system, &seat.graph, fairness.as_deref());
                let side = points.side(certain, &seat.question, Recall::Perfect, moments.points())?;
                let mut side = seat.settle(side)?;
                if let Some((point, name)) = points.worth_telling(certain, &seat.question)? {
                    let scene = InMoments { system, visibility, evaluator };
                    let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
                    // Where not everything was followed a part of the story may be undecided: then it is not told.
                    side.account = match teller.tell(formula, Here::start(&seat.run(point))) {
                        Ok(account) => Some((name, account)),
                        Err(CheckError::Limit(_)) => None,
                        Err(error) => return Err(error),
                    };
                }
                return Ok(side);
            }
            if full || moments.depth >= bound {
                return Err(Limit::Steps(moments.depth).into());
            }
        }
    }
}

fn told((at, account): (String, Account)) -> Explanation {
    Explanation::Run { at, account }
}

/// Where a question without memory may be asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// At any reachable state.
    Anywhere,
    /// At an initial state, because somebody remembers.
    AtStart,
    /// The same, on listed states.
    AtStartListed,
}

/// The first state at which both ways of remembering ask the formula, and answer differently.
fn parting(perfect: &Side, without: &Side) -> Option<usize> {
    let other = |state: usize| without.truth.iter().find(|(s, _)| *s == state).map(|(_, truth)| *truth);
    perfect.truth.iter().find(|(s, truth)| other(*s).is_some_and(|other| other != *truth)).map(|(s, _)| *s)
}

/// Whether a question without memory, or its account, tells who does what.
fn labels_for(question: &Question) -> Labels {
    fn named(program: &Program) -> bool {
        match program {
            Program::Any | Program::Test(_) => false,
            Program::Action(_) => true,
            Program::Seq(parts) | Program::Choice(parts) => parts.iter().any(named),
            Program::Star(inner) => named(inner),
        }
    }
    let asks = question.formula.any(&mut |f| match f {
        Formula::Path(_, _, program, _) | Formula::Until(_, program, _, _) => named(program),
        Formula::Ensure(..) | Formula::EnsureUntil(..) => true,
        _ => false,
    });
    let named = question.steps.iter().any(|step| step.action.is_some());
    if asks || named || question.explain { Labels::Joint } else { Labels::None }
}
