//! Time: interpreted systems, checked without memory or with perfect recall.
//!
//! * `graph` – points and steps; `points` – sets of them: Act-CTL-K, programs over maximal runs
//! * `fairness` – which points and runs count; `sides` – answers
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

use super::answer::{first_capacity, grown};
use super::{At, CheckError, Engine, EngineChoice, Limit, Limits};
use crate::bdd::{Capacity, OxiddBdd};
use crate::formula::{F, Formula, Names, Program};
use crate::model::enumerate::Budget;
use crate::model::explore::{Effort, Labels, explore};
use crate::model::modelfile::{Expected, QueryKind};
use crate::model::symbolic::Stopped;
use crate::model::system::{Recall, Visibility};
use crate::model::{BitSet, System, Time, Transitions};
use crate::stop;
use crate::syntax::Span;
use account::{Here, Teller};
use fairness::Fairness;
use graph::Graph;
use moments::Moments;
use num_bigint::{BigInt, BigUint};
use points::Bias;
use runs::Run;
use scenes::{InMoments, LayerPoint, Layers, States};
use sides::{Points, symbolic_side};
use std::rc::Rc;
use symbolic::SymbolicSystem;

type Checked<T> = Result<T, CheckError>;

/// What agents are taken to remember when a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing but the present.
    None,
    /// Everything they saw.
    Perfect,
    /// Both are asked, and compared.
    Both,
}

/// How questions to a system are asked.
#[derive(Clone, Copy, Debug)]
pub struct TimeOptions {
    /// What agents remember; the system's own word, or the default, if it is not given.
    pub memory: Option<Memory>,
    /// Whether agents see which actions happen; the system's own word, or seen, if it is not given.
    pub visibility: Option<Visibility>,
    /// Which engine to use without memory.
    pub engine: EngineChoice,
    /// How many steps to follow where nothing else ends the search.
    pub bound: Option<usize>,
    /// How much work to do.
    pub limits: Limits,
}

impl Default for TimeOptions {
    fn default() -> TimeOptions {
        TimeOptions {
            memory: None,
            visibility: None,
            engine: EngineChoice::Auto,
            bound: None,
            limits: Limits::default(),
        }
    }
}

pub use account::{Account, Apart, RunView, StateView, StepView, Why};
pub use possible::Possible;
pub use words::Line;

/// A question to a system.
#[derive(Clone, Debug)]
pub struct TimeQuestion {
    /// What is asked. `where` and `count` speak of reachable states.
    pub kind: QueryKind,
    /// Of which formula.
    pub formula: F,
    /// The most states to list in the answer.
    pub list: usize,
    /// At which initial state alone it is asked: by its name or its facts.
    pub at: Option<At>,
    /// Whether to say why.
    pub explain: bool,
}

/// What one way of remembering answers.
#[derive(Clone, Debug)]
pub struct Side {
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

/// The answer of a system.
#[derive(Clone, Debug)]
pub struct TimeAnswer {
    /// What was asked.
    pub kind: QueryKind,
    /// The initial state at which alone it was asked.
    pub at: Option<String>,
    /// The answer; with both kinds of memory, that of perfect recall.
    pub side: Side,
    /// With both kinds of memory, the answer without memory.
    pub forgetful: Option<Side>,
    /// With both kinds of memory, an initial state at which the answers differ.
    pub parting: Option<String>,
    /// Whether the formula asks for strategies in a system with fairness: they are judged on all runs, fair or not.
    pub strategies_ignore_fairness: bool,
}

impl TimeAnswer {
    /// What fairness has to do with the answer, in sentences.
    pub fn notes(&self) -> Vec<String> {
        let side = &self.side;
        let mut notes = Vec::new();
        let of_states = matches!(self.kind, QueryKind::Where | QueryKind::Count);
        if side.dropped > 0u8.into() && side.asked == 0u8.into() && !of_states {
            notes.push("no fair run starts at any initial state: nothing is left to fail".to_string());
        } else if side.dropped == 1u8.into() {
            notes.push("1 initial state does not count: no fair run starts there".to_string());
        } else if side.dropped > 0u8.into() {
            notes.push(format!("{} initial states do not count: no fair run starts there", side.dropped));
        }
        if self.strategies_ignore_fairness {
            notes.push("strategies are judged on all runs, fair or not".to_string());
        }
        notes
    }

    /// Whether this is the answer that a file expects; `None` for a `where` with more states than were listed.
    pub fn meets(&self, expected: &Expected) -> Option<bool> {
        Some(match expected {
            Expected::Truth(truth) => self.side.holds == *truth,
            Expected::Number(number) => BigInt::from(self.side.holding.clone()) == *number,
            Expected::Worlds(worlds) => {
                let found = self.side.holds_at.as_ref()?;
                worlds.len() == found.len() && worlds.iter().all(|w| found.contains(&w.label()))
            }
        })
    }
}

fn answer(
    question: &TimeQuestion,
    side: Side,
    parting: Option<String>,
    forgetful: Option<Side>,
    fair: bool,
) -> TimeAnswer {
    let at = match &question.at {
        Some(At::Named(name)) => Some(name.clone()),
        Some(At::Facts(facts)) => Some(facts.label()),
        None | Some(At::Point | At::Everywhere) => None,
    };
    let strategic = |f: &Formula| matches!(f, Formula::Ensure(..) | Formula::EnsureUntil(..));
    let strategies_ignore_fairness = fair && question.formula.any(&mut |f| strategic(f));
    TimeAnswer { kind: question.kind, at, side, forgetful, parting, strategies_ignore_fairness }
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

/// A system with questions to ask of it.
pub struct TimeSession {
    time: Time,
    options: TimeOptions,
    explicit: Option<Listed>,
    /// Whether the listed steps tell who does what.
    labels: Labels,
    symbolic: Option<(SymbolicSystem<OxiddBdd>, Capacity)>,
    names: Names,
}

impl TimeSession {
    /// Starts asking questions of a system.
    pub fn open(time: Time, options: TimeOptions) -> TimeSession {
        TimeSession { time, options, explicit: None, labels: Labels::Joint, symbolic: None, names: Names::default() }
    }

    /// Uses these names for formulas in accounts.
    pub fn with_names(mut self, names: Names) -> TimeSession {
        self.names = names;
        self
    }

    /// What agents remember, by the options, the system's own word or the default.
    pub fn memory(&self) -> Memory {
        self.options.memory.unwrap_or(match &self.time {
            Time::System(System { recall: Some(Recall::Forgetful), .. }) | Time::Transitions(_) => Memory::None,
            Time::System(_) => Memory::Perfect,
        })
    }

    /// Whether agents see which actions happen.
    pub fn visibility(&self) -> Visibility {
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

    /// Chooses an engine for questions without memory and makes it ready.
    fn prepare(&mut self, labels: Labels) -> Checked<Engine> {
        if self.explicit.is_some() {
            self.listed(labels)?;
            return Ok(Engine::Explicit);
        }
        let symbolic = match (&self.time, self.options.engine) {
            (Time::Transitions(_), EngineChoice::Symbolic) => {
                return Err(CheckError::NotHere("the symbolic engine is for systems with actors and rules"));
            }
            (Time::Transitions(_), _) | (_, EngineChoice::Explicit) => false,
            (Time::System(_), EngineChoice::Symbolic) => true,
            (Time::System(_), EngineChoice::Auto) => {
                let worlds = QUICKLY_LISTED.states.worlds.min(self.options.limits.worlds);
                let states = Budget { worlds, ..QUICKLY_LISTED.states };
                self.symbolic.is_some()
                    || match self.list(labels, Effort { states, ..QUICKLY_LISTED }) {
                        Err(CheckError::Limit(_)) => true,
                        listed => !listed?,
                    }
            }
        };
        if !symbolic {
            self.listed(labels)?;
            return Ok(Engine::Explicit);
        }
        if self.symbolic.is_none() {
            match first_capacity(&self.options.limits).and_then(|capacity| self.open_symbolic(capacity)) {
                // Where there is no room for functions the states may still be listed.
                Err(CheckError::Limit(Limit::NoRoom(_))) if self.options.engine == EngineChoice::Auto => {
                    self.listed(labels)?;
                    return Ok(Engine::Explicit);
                }
                opened => opened?,
            }
        }
        Ok(Engine::Symbolic)
    }

    /// Builds the symbolic system in a manager of this capacity, or a larger one if it is full.
    fn open_symbolic(&mut self, mut capacity: Capacity) -> Checked<()> {
        let Time::System(system) = &self.time else { return Ok(()) };
        self.symbolic = None;
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

    /// How many states are reachable; where protocols ask what is known only an upper bound, as the flag says.
    pub fn states(&mut self) -> Checked<(BigUint, bool)> {
        let exact = self.asks_knowledge().is_none();
        self.count_states().map(|n| (n, exact))
    }

    fn count_states(&mut self) -> Checked<BigUint> {
        let forgets = self.memory() == Memory::None || self.visibility() == Visibility::Hidden;
        let labels = if forgets { Labels::None } else { Labels::Joint };
        let listed = self.asks_knowledge().is_some() || self.prepare(labels)? == Engine::Explicit;
        if listed {
            return Ok(self.listed(labels)?.graph.size().into());
        }
        Ok(self.symbolic.as_ref().map_or_else(BigUint::default, |(s, _)| s.count(&s.reach)))
    }

    /// The engine in use so far.
    pub fn engine(&self) -> Engine {
        if self.explicit.is_none() && self.symbolic.is_some() { Engine::Symbolic } else { Engine::Explicit }
    }

    /// Answers a question.
    pub fn ask(&mut self, question: &TimeQuestion) -> Checked<TimeAnswer> {
        let answer = self.find_answer(question)?;
        stop::go_on()?;
        Ok(answer)
    }

    fn find_answer(&mut self, question: &TimeQuestion) -> Checked<TimeAnswer> {
        let formula = &question.formula;
        if formula.is_dynamic() {
            return Err(CheckError::NotHere("knowledge actions `[α]` and time do not go into one formula"));
        }
        let of_states = matches!(question.kind, QueryKind::Where | QueryKind::Count);
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
            Memory::None => self.forgetful(question)?,
            Memory::Perfect | Memory::Both
                if of_states && (self.asks_knowledge().is_some() || self.fair_knowledge()) =>
            {
                self.reached(question)?
            }
            Memory::Perfect | Memory::Both if of_states => self.forgetful(question)?,
            Memory::Perfect if !knowing => {
                let side = self.forgetful(question)?;
                Side { recall: Recall::Perfect, ..side }
            }
            Memory::Perfect => self.perfect(question)?,
            Memory::Both => {
                // Perfect recall first: it lists the states, and then both sides speak of the same ones.
                let plain = TimeQuestion { explain: false, ..question.clone() };
                let (perfect, without) = (self.perfect(&plain)?, self.forgetful(&plain)?);
                let parting = parting(&perfect, &without).and_then(|s| self.state_name(s));
                let (mut perfect, mut without) = (perfect, without);
                if question.explain {
                    // Told where they part, if they do.
                    let at = parting.clone().map(At::Named).or_else(|| question.at.clone());
                    let told = TimeQuestion { at, ..question.clone() };
                    perfect.account = self.perfect(&told)?.account;
                    without.account = self.forgetful(&told)?.account;
                }
                return Ok(answer(question, perfect, parting, Some(without), self.is_fair()));
            }
        };
        Ok(answer(question, side, None, None, self.is_fair()))
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
    fn reached(&mut self, question: &TimeQuestion) -> Checked<Side> {
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

    fn forgetful(&mut self, question: &TimeQuestion) -> Checked<Side> {
        if let Some(span) = self.asks_knowledge() {
            return Err(CheckError::NeedsMemory(span));
        }
        let visibility = self.visibility();
        if self.prepare(labels_for(question))? == Engine::Symbolic {
            return self.symbolically(question);
        }
        let Some(Listed { system, graph, fairness }) = &self.explicit else { return Err(Limit::States(0).into()) };
        let set = forgetful::evaluator(system, graph, fairness.clone()).certainly(&question.formula)?;
        let points = Points::new(system, graph, fairness.as_deref());
        let mut side = points.side(&set, question, Recall::Forgetful, graph.size())?;
        if let Some((point, name)) = points.worth_telling(&set, question)? {
            let scene = States::new(system, graph, fairness.clone(), visibility);
            let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
            side.account = Some((name, teller.tell(&question.formula, Here::start(&Run::at(point)))?));
        }
        Ok(side)
    }

    /// Without memory, on functions; in a larger manager when one is full.
    fn symbolically(&mut self, question: &TimeQuestion) -> Checked<Side> {
        let visibility = self.visibility();
        loop {
            let Some((system, capacity)) = &mut self.symbolic else { return Err(Limit::States(0).into()) };
            let capacity = *capacity;
            match symbolic_side(system, question, &self.names, visibility) {
                Ok(side) => return Ok(side),
                Err(Stopped::Error(error)) => return Err(error),
                Err(Stopped::Full) => self.open_symbolic(grown(capacity, &self.options.limits)?)?,
            }
        }
    }

    fn perfect(&mut self, question: &TimeQuestion) -> Checked<Side> {
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
        let points = Points { system, graph: &layer.graph, counts: layer.counting() };
        let mut side = points.side(&set, question, Recall::Perfect, recall.points())?;
        if let Some((point, name)) = points.worth_telling(&set, question)? {
            let scene = Layers::new(system, visibility);
            let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
            let run = Run::at(LayerPoint::new(layer.clone(), point));
            side.account = Some((name, teller.tell(formula, Here::start(&run))?));
        }
        Ok(side)
    }

    /// Perfect recall with common knowledge or protocols that ask what is known: as many steps as it takes.
    fn in_moments(&self, question: &TimeQuestion, visibility: Visibility, may_end: bool) -> Checked<Side> {
        let Some(Listed { system, .. }) = &self.explicit else { return Err(Limit::States(0).into()) };
        let formula = &question.formula;
        let (bound, limits) = self.reach();
        let mut moments = Moments::new(system, visibility, may_end, limits, std::slice::from_ref(formula))?;
        loop {
            let wanted = (2 * moments.depth).max(1).min(bound);
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
            let mut evaluator = moments.evaluator(&graph)?;
            let found = evaluator.points(formula)?;
            let (certain, maybe) = (found.with(Bias::Certain), found.with(Bias::Maybe));
            let fairness = evaluator.algebra.fairness.clone();
            let counts = |bias, p: usize| fairness.as_ref().is_none_or(|fairness| fairness.counts(bias).contains(p));
            let decided = graph.initial.iter().map(|&p| p as usize).all(|p| {
                // Where no fair run can start nothing is asked.
                let asked = counts(Bias::Maybe, p);
                !asked || (counts(Bias::Certain, p) && certain.contains(p) == maybe.contains(p))
            });
            if decided {
                let points = Points::new(system, &graph, fairness.as_deref());
                let mut side = points.side(certain, question, Recall::Perfect, moments.points())?;
                if let Some((point, name)) = points.worth_telling(certain, question)? {
                    let scene = InMoments { system, visibility, evaluator };
                    let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
                    // Where not everything was followed a part of the story may be undecided: then it is not told.
                    side.account = match teller.tell(formula, Here::start(&Run::at(point))) {
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

/// The first state at which both ways of remembering ask the formula, and answer differently.
fn parting(perfect: &Side, without: &Side) -> Option<usize> {
    let other = |state: usize| without.truth.iter().find(|(s, _)| *s == state).map(|(_, truth)| *truth);
    perfect.truth.iter().find(|(s, truth)| other(*s).is_some_and(|other| other != *truth)).map(|(s, _)| *s)
}

/// Whether a question without memory, or its account, tells who does what.
fn labels_for(question: &TimeQuestion) -> Labels {
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
    if asks || question.explain { Labels::Joint } else { Labels::None }
}
