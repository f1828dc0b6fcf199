//! Time: interpreted systems, checked without memory or with perfect recall.
//!
//! * [`graph`] – points and steps; [`evaluate`] – Act-CTL-K on such a graph, programs over maximal runs
//! * [`forgetful`] – points are reachable states
//! * [`recall`] – perfect recall without common knowledge: knowledge states of bounded depth, always exact
//! * [`moments`] – perfect recall with common knowledge or knowledge-based protocols: exact if the moments close

mod account;
mod evaluate;
mod forgetful;
mod graph;
mod moments;
mod recall;
mod runs;
mod scenes;
mod words;

use super::{CheckError, Engine, EngineChoice, Limit, Limits};
use crate::formula::{F, Formula, Names};
use crate::model::enumerate::Budget;
use crate::model::explore::explore;
use crate::model::modelfile::{Expected, QueryKind};
use crate::model::system::{Recall, Visibility};
use crate::model::{BitSet, System, Time, Transitions};
use account::Teller;
use evaluate::Bias;
use graph::Graph;
use moments::Moments;
use num_bigint::{BigInt, BigUint};
use runs::Run;
use scenes::{InMoments, LayerPoint, Layers, States};

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

pub use account::{Account, RunView, StateView, StepView, Why};
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
    pub at: Option<String>,
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
    /// How many points were looked at: reachable states, or knowledge states.
    pub points: BigUint,
    /// Why it holds or fails, and at which initial state.
    pub account: Option<(String, Account)>,
}

/// The answer of a system.
#[derive(Clone, Debug)]
pub struct TimeAnswer {
    /// What was asked.
    pub kind: QueryKind,
    /// The answer; with both kinds of memory, that of perfect recall.
    pub side: Side,
    /// With both kinds of memory, the answer without memory.
    pub forgetful: Option<Side>,
}

impl TimeAnswer {
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

/// Listing more states than this is left to the symbolic engine, unless the user asks otherwise.
const QUICKLY_LISTED: Budget = Budget { worlds: 60_000, steps: 3_000_000 };

/// A system with questions to ask of it.
pub struct TimeSession {
    time: Time,
    options: TimeOptions,
    explicit: Option<(Transitions, Graph)>,
    names: Names,
}

impl TimeSession {
    /// Starts asking questions of a system.
    pub fn open(time: Time, options: TimeOptions) -> TimeSession {
        TimeSession { time, options, explicit: None, names: Names::default() }
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

    /// Lists the states, within the budget.
    fn list(&mut self, budget: Budget) -> Checked<bool> {
        if self.explicit.is_none() {
            let listed = match &self.time {
                Time::Transitions(transitions) => Some(transitions.clone()),
                Time::System(system) => explore(system, budget, &self.options.limits)?,
            };
            let Some(listed) = listed else { return Ok(false) };
            let graph = Graph::reachable(&listed);
            self.explicit = Some((listed, graph));
        }
        Ok(true)
    }

    fn listed(&mut self) -> Checked<&(Transitions, Graph)> {
        let worlds = self.options.limits.worlds;
        let over = CheckError::from(Limit::States(worlds));
        self.list(Budget { worlds, steps: usize::MAX })?;
        self.explicit.as_ref().ok_or(over)
    }

    /// How many states are reachable; where protocols ask what is known, at most that many.
    pub fn states(&mut self) -> Checked<BigUint> {
        let (_, graph) = self.listed()?;
        Ok(graph.size().into())
    }

    /// Answers a question.
    pub fn ask(&mut self, question: &TimeQuestion) -> Checked<TimeAnswer> {
        let formula = &question.formula;
        if formula.is_dynamic() {
            return Err(CheckError::NotHere("knowledge actions `[α]` and time do not go into one formula"));
        }
        let of_states = matches!(question.kind, QueryKind::Where | QueryKind::Count);
        let memory = self.memory();
        if of_states && memory != Memory::None && formula.any(&mut |f| f.is_epistemic()) {
            return Err(CheckError::NotHere(
                "`where` and `count` speak of states; with memory a state alone does not say who knows what",
            ));
        }
        let (side, forgetful) = match memory {
            Memory::None => (self.forgetful(question)?, None),
            Memory::Perfect if of_states => (self.forgetful(question)?, None),
            Memory::Perfect => (self.perfect(question)?, None),
            Memory::Both if of_states => (self.forgetful(question)?, None),
            Memory::Both => {
                let forgetful = self.forgetful(question)?;
                (self.perfect(question)?, Some(forgetful))
            }
        };
        Ok(TimeAnswer { kind: question.kind, side, forgetful })
    }

    fn forgetful(&mut self, question: &TimeQuestion) -> Checked<Side> {
        self.listed()?;
        let Some((system, graph)) = &self.explicit else { return Err(Limit::States(0).into()) };
        if !system.conditions.is_empty() {
            return Err(CheckError::NotHere("protocols that ask what an agent knows need perfect recall"));
        }
        let formula = question.formula.clone();
        let sets = forgetful::evaluate(system, graph, &[formula])?;
        let Some(set) = sets.first() else { return Err(Limit::States(0).into()) };
        let mut side = side(system, graph, set, question, Recall::Forgetful, graph.size())?;
        if let Some((point, name)) = worth_telling(system, graph, set, question)? {
            let scene = States::new(system, graph);
            let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
            side.account = Some((name, teller.tell(&question.formula, &Run::at(point), 0, 0)?));
        }
        Ok(side)
    }

    fn perfect(&mut self, question: &TimeQuestion) -> Checked<Side> {
        let (visibility, limits, may_end) = (self.visibility(), self.options.limits, self.may_end());
        self.listed()?;
        let Some((system, _)) = &self.explicit else { return Err(Limit::States(0).into()) };
        let formula = &question.formula;
        let whole = !system.conditions.is_empty() || formula.any(&mut |f| matches!(f, Formula::Common(..)));
        if whole {
            return self.in_moments(question, visibility, may_end);
        }
        let mut recall = recall::Recall::new(system, visibility, limits);
        let layer = recall.layer(std::slice::from_ref(formula))?;
        let set = layer.eval(system, formula)?;
        let mut side = side(system, &layer.graph, &set, question, Recall::Perfect, recall.points())?;
        if let Some((point, name)) = worth_telling(system, &layer.graph, &set, question)? {
            let scene = Layers::new(system, visibility);
            let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
            let run = Run::at(LayerPoint::new(layer.clone(), point));
            side.account = Some((name, teller.tell(formula, &run, 0, 0)?));
        }
        Ok(side)
    }

    /// Perfect recall with common knowledge or protocols that ask what is known: as many steps as it takes.
    fn in_moments(&self, question: &TimeQuestion, visibility: Visibility, may_end: bool) -> Checked<Side> {
        let Some((system, _)) = &self.explicit else { return Err(Limit::States(0).into()) };
        let (formula, limits, bound) = (&question.formula, self.options.limits, self.options.bound);
        let mut moments = Moments::new(system, visibility, may_end, limits, std::slice::from_ref(formula))?;
        loop {
            let wanted = (2 * moments.depth).max(1).min(bound.unwrap_or(usize::MAX));
            let mut full = false;
            while moments.depth < wanted && !moments.closed() {
                match moments.follow() {
                    Ok(()) => {}
                    Err(CheckError::Limit(_)) => {
                        full = true;
                        break;
                    }
                    Err(error) => return Err(error),
                }
            }
            let graph = moments.graph();
            let mut evaluator = moments.evaluator(&graph);
            let certain = evaluator.eval(formula, Bias::Certain)?;
            let maybe = evaluator.eval(formula, Bias::Maybe)?;
            let decided = graph.initial.iter().all(|&p| certain.contains(p as usize) == maybe.contains(p as usize));
            if decided {
                let mut side = side(system, &graph, &certain, question, Recall::Perfect, moments.points())?;
                if let Some((point, name)) = worth_telling(system, &graph, &certain, question)? {
                    let scene = InMoments { system, visibility, evaluator };
                    let mut teller = Teller { scene, names: &self.names, agents: system.agents.clone() };
                    // Where not everything was followed a part of the story may be undecided: then it is not told.
                    side.account = match teller.tell(formula, &Run::at(point), 0, 0) {
                        Ok(account) => Some((name, account)),
                        Err(CheckError::Limit(_)) => None,
                        Err(error) => return Err(error),
                    };
                }
                return Ok(side);
            }
            if full || bound.is_some_and(|b| moments.depth >= b) {
                return Err(Limit::Steps(moments.depth).into());
            }
        }
    }
}

/// The points asked about, with their states.
fn asked(system: &Transitions, graph: &Graph, question: &TimeQuestion) -> Checked<Vec<(usize, usize)>> {
    if matches!(question.kind, QueryKind::Where | QueryKind::Count) {
        return Ok((0..graph.size()).map(|p| (p, graph.state[p] as usize)).collect());
    }
    let all = graph.initial.iter().map(|&p| p as usize).zip(system.initial.iter().map(|&s| s as usize));
    let Some(name) = &question.at else { return Ok(all.collect()) };
    let found: Vec<(usize, usize)> = all.filter(|&(_, s)| system.name(s) == *name).collect();
    if found.is_empty() { Err(CheckError::UnknownWorld(name.clone())) } else { Ok(found) }
}

/// The initial point to tell about, and its name: the first at which the formula fails, else the first.
fn worth_telling(
    system: &Transitions,
    graph: &Graph,
    set: &BitSet,
    question: &TimeQuestion,
) -> Checked<Option<(u32, String)>> {
    if !question.explain || matches!(question.kind, QueryKind::Where | QueryKind::Count) {
        return Ok(None);
    }
    let all = asked(system, graph, question)?;
    let chosen = all.iter().find(|(p, _)| !set.contains(*p)).or(all.first());
    Ok(chosen.map(|&(p, s)| (p as u32, system.name(s))))
}

fn side(
    system: &Transitions,
    graph: &Graph,
    set: &BitSet,
    question: &TimeQuestion,
    recall: Recall,
    points: usize,
) -> Checked<Side> {
    let of_states = matches!(question.kind, QueryKind::Where | QueryKind::Count);
    let asked = asked(system, graph, question)?;
    let holding: Vec<usize> = asked.iter().filter(|(p, _)| set.contains(*p)).map(|(_, s)| *s).collect();
    Ok(Side {
        recall,
        engine: Engine::Explicit,
        holds: if of_states { !holding.is_empty() } else { holding.len() == asked.len() },
        asked: asked.len().into(),
        holding: holding.len().into(),
        holds_at: (holding.len() <= question.list).then(|| holding.iter().map(|&s| system.name(s)).collect()),
        points: points.into(),
        account: None,
    })
}
