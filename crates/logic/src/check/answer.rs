//! Questions to a model, and answers: the engine is chosen here, and grows or changes when it must.

use super::explicit::Explicit;
use super::ground::{Assignment, SymbolicGround};
use super::limits::{CheckError, Limit, Limits};
use super::reason::{Explainer, Ground, Reason, WorldView};
use super::symbolic::{SymbolicChecker, plan};
use crate::bdd::{Bdd, Capacity, OxiddBdd, Split, count, models};
use crate::formula::{F, Names};
use crate::model::enumerate::{Budget, enumerate, find};
use crate::model::law::{Facts, Law, LawModel};
use crate::model::modelfile::{Expected, ExpectedWorld, QueryKind};
use crate::model::symbolic::{Stopped, Symbolic, all};
use crate::model::{Kripke, Model};
use crate::stop;
use num_bigint::{BigInt, BigUint};

/// Which engine to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// Explicit where the worlds can be listed quickly, else symbolic.
    Auto,
    /// Worlds one by one.
    Explicit,
    /// Boolean functions; S5 only.
    Symbolic,
}

/// Which engine was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Worlds one by one.
    Explicit,
    /// Boolean functions.
    Symbolic,
}

impl Engine {
    /// The name, as printed.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Explicit => "explicit",
            Engine::Symbolic => "symbolic",
        }
    }
}

/// Where a question is asked.
#[derive(Clone, Debug, Default)]
pub enum At {
    /// At the model's point, or in every world if it has none.
    #[default]
    Point,
    /// At the world or point of this name.
    Named(String),
    /// At the world with these facts.
    Facts(Facts),
    /// In every world.
    Everywhere,
}

/// A question.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub kind: QueryKind,
    /// Of which formula.
    pub formula: F,
    /// Where.
    pub at: At,
    /// The most worlds to list in the answer.
    pub list: usize,
    /// Whether to say why.
    pub explain: bool,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which engine found it.
    pub engine: Engine,
    /// What was asked.
    pub kind: QueryKind,
    /// For `check`: whether it holds where it was asked. For `where` and `count`: whether it holds anywhere.
    pub holds: bool,
    /// The world at which it was asked, if it was one.
    pub at: Option<WorldView>,
    /// How many worlds there are.
    pub worlds: BigUint,
    /// In how many of them the formula holds.
    pub holding: BigUint,
    /// Those worlds, unless they are more than the question allows.
    pub holds_at: Option<Vec<WorldView>>,
    /// Why it holds or fails: at the world asked, or at a world where it fails.
    pub reason: Option<Reason>,
}

impl Answer {
    /// Whether this is the answer that a file expects; `None` for a `where` with more worlds than were listed.
    pub fn meets(&self, expected: &Expected) -> Option<bool> {
        Some(match expected {
            Expected::Truth(truth) => self.holds == *truth,
            Expected::Number(number) => BigInt::from(self.holding.clone()) == *number,
            Expected::Worlds(worlds) => {
                if BigUint::from(worlds.len()) != self.holding {
                    return Some(false);
                }
                let found = self.holds_at.as_ref()?;
                worlds.iter().all(|world| {
                    found.iter().any(|view| match world {
                        ExpectedWorld::Named(name) => view.name == *name,
                        ExpectedWorld::Facts(facts) => view.facts == *facts,
                    })
                })
            }
        })
    }
}

/// A model with questions to ask of it, one after the other.
pub struct Session {
    model: Model,
    questions: Vec<Question>,
    next: usize,
    choice: EngineChoice,
    limits: Limits,
    names: Names,
    running: Running,
}

enum Running {
    Explicit(Box<Explicit>),
    Symbolic { checker: Box<SymbolicChecker<OxiddBdd>>, capacity: Capacity },
}

/// Listing more worlds than this is left to the symbolic engine, unless the user asks otherwise.
///
/// Measured on the model library: with propositions alone the symbolic engine is ahead from about two thousand worlds;
/// arithmetic on variables makes large diagrams of few worlds, and there the explicit engine stays ahead far longer.
fn quickly_listed(model: &Model) -> Budget {
    match model {
        Model::Law(law) if !law.vars.is_empty() => Budget { worlds: 20_000, steps: 1_000_000 },
        Model::Law(_) | Model::Kripke(_) => Budget { worlds: 2048, steps: 100_000 },
    }
}

impl Session {
    /// Starts asking these questions of the model.
    pub fn open(
        model: Model,
        questions: Vec<Question>,
        choice: EngineChoice,
        limits: Limits,
    ) -> Result<Session, CheckError> {
        if questions.iter().any(|q| q.formula.is_temporal()) {
            return Err(CheckError::Temporal);
        }
        let listed = match choice {
            EngineChoice::Auto => {
                let quick = quickly_listed(&model);
                list(&model, Budget { worlds: quick.worlds.min(limits.worlds), ..quick }, &limits)?
            }
            EngineChoice::Explicit => {
                let budget = Budget { worlds: limits.worlds, steps: usize::MAX };
                Some(list(&model, budget, &limits)?.ok_or(Limit::Worlds(limits.worlds))?)
            }
            EngineChoice::Symbolic => None,
        };
        let running = match listed {
            Some(kripke) => Running::Explicit(Box::new(Explicit::new(kripke, limits))),
            None => match first_capacity(&limits).and_then(|c| start_symbolic(&model, &questions, &limits, c)) {
                // Where there is no room for functions the worlds may still be listed.
                Err(CheckError::Limit(Limit::NoRoom(bytes))) if choice == EngineChoice::Auto => {
                    let budget = Budget { worlds: limits.worlds, steps: usize::MAX };
                    let listed = list(&model, budget, &limits)?.ok_or(Limit::NoRoom(bytes))?;
                    Running::Explicit(Box::new(Explicit::new(listed, limits)))
                }
                started => started?,
            },
        };
        Ok(Session { model, questions, next: 0, choice, limits, names: Names::default(), running })
    }

    /// Uses these names for formulas in explanations.
    pub fn with_names(mut self, names: Names) -> Session {
        self.names = names;
        self
    }

    /// The engine in use.
    pub fn engine(&self) -> Engine {
        match self.running {
            Running::Explicit(_) => Engine::Explicit,
            Running::Symbolic { .. } => Engine::Symbolic,
        }
    }

    /// How many worlds the model has.
    pub fn worlds(&self) -> BigUint {
        match &self.running {
            Running::Explicit(checker) => checker.model(0).size().into(),
            Running::Symbolic { checker, .. } => {
                let structure = checker.structure(0);
                count(checker.bdd(), &structure.law, &structure.frame.vars)
            }
        }
    }

    /// The listed worlds, if the engine is explicit.
    pub fn kripke(&self) -> Option<&Kripke> {
        match &self.running {
            Running::Explicit(checker) => Some(checker.model(0)),
            Running::Symbolic { .. } => None,
        }
    }

    /// Answers the next question; `None` when all have been answered.
    pub fn answer(&mut self) -> Option<Result<Answer, CheckError>> {
        let question = self.questions.get(self.next)?.clone();
        let answer = loop {
            let result = match &mut self.running {
                Running::Explicit(checker) => ask_explicit(checker, &question, &self.names).map_err(Stopped::Error),
                Running::Symbolic { checker, capacity } => {
                    let bytes = usize::try_from(capacity.bytes()).unwrap_or(usize::MAX);
                    ask_symbolic(checker, &self.model, &question, &self.names, bytes)
                }
            };
            match result {
                Ok(answer) => break stop::go_on().map(|()| answer).map_err(CheckError::from),
                Err(stopped) => {
                    if let Err(error) = self.recover(stopped) {
                        break Err(error);
                    }
                }
            }
        };
        self.next += 1;
        Some(answer)
    }

    /// Makes another attempt possible: a larger manager, or the other engine; gives back the error if there is none.
    fn recover(&mut self, stopped: Stopped) -> Result<(), CheckError> {
        stop::go_on()?;
        let rest = &self.questions[self.next..];
        self.running = match (stopped, &self.running) {
            (Stopped::Full, Running::Symbolic { capacity, .. }) => {
                let larger = grown(*capacity, &self.limits)?;
                start_symbolic(&self.model, rest, &self.limits, larger)?
            }
            (Stopped::Error(CheckError::Limit(limit)), running) if self.choice == EngineChoice::Auto => {
                // Auto has one more engine to try; after that every limit is final.
                self.choice = match running {
                    Running::Explicit(_) => EngineChoice::Symbolic,
                    Running::Symbolic { .. } => EngineChoice::Explicit,
                };
                match running {
                    Running::Explicit(_) if !self.model.is_belief() => {
                        start_symbolic(&self.model, rest, &self.limits, first_capacity(&self.limits)?)?
                    }
                    Running::Explicit(_) => return Err(limit.into()),
                    Running::Symbolic { .. } => {
                        let budget = Budget { worlds: self.limits.worlds, steps: usize::MAX };
                        let kripke = list(&self.model, budget, &self.limits)?.ok_or(limit)?;
                        Running::Explicit(Box::new(Explicit::new(kripke, self.limits)))
                    }
                }
            }
            (Stopped::Error(error), _) => return Err(error),
            (Stopped::Full, Running::Explicit(_)) => return Err(Limit::Worlds(self.limits.worlds).into()),
        };
        Ok(())
    }
}

/// Lists the worlds; `None` if that costs more than the budget. Models that have only this way get all the limits allow.
fn list(model: &Model, budget: Budget, limits: &Limits) -> Result<Option<Kripke>, CheckError> {
    let over = || CheckError::from(Limit::Worlds(limits.worlds));
    match model {
        Model::Kripke(kripke) if kripke.size() > limits.worlds => Err(over()),
        Model::Kripke(kripke) => Ok(Some(kripke.clone())),
        Model::Law(law) if law.belief => {
            let budget = Budget { worlds: limits.worlds, steps: usize::MAX };
            Ok(Some(enumerate(law, budget)?.ok_or_else(over)?))
        }
        Model::Law(law) => enumerate(law, budget),
    }
}

pub(super) fn first_capacity(limits: &Limits) -> Result<Capacity, CheckError> {
    stop::go_on()?;
    let capacity = Capacity::default();
    if capacity.bytes() <= limits.diagram_bytes as u64 {
        return Ok(capacity);
    }
    let small = Capacity::with_nodes(1 << 14);
    if small.bytes() <= limits.diagram_bytes as u64 {
        Ok(small)
    } else {
        Err(Limit::DiagramBytes(limits.diagram_bytes).into())
    }
}

/// A larger capacity to try. An operation that was stopped reports that there is no room, too: then there is no next try.
pub(super) fn grown(capacity: Capacity, limits: &Limits) -> Result<Capacity, CheckError> {
    stop::go_on()?;
    let larger = capacity.grown().filter(|c| c.bytes() <= limits.diagram_bytes as u64);
    larger.ok_or_else(|| Limit::DiagramBytes(limits.diagram_bytes).into())
}

fn start_symbolic(
    model: &Model,
    questions: &[Question],
    limits: &Limits,
    mut capacity: Capacity,
) -> Result<Running, CheckError> {
    let formulas: Vec<F> = questions.iter().map(|q| q.formula.clone()).collect();
    let order = plan(model, &formulas)?;
    let checker = loop {
        match SymbolicChecker::new(OxiddBdd::open(order.len(), capacity)?, model, &order) {
            Ok(checker) => break checker,
            Err(Stopped::Full) => capacity = grown(capacity, limits)?,
            Err(Stopped::Error(error)) => return Err(error),
        }
    };
    if let (Split::Const(false), Model::Law(law)) = (checker.bdd().split(&checker.structure(0).law), model) {
        return Err(CheckError::NoWorld(symbolic_contradiction(law, capacity)));
    }
    Ok(Running::Symbolic { checker: Box::new(checker), capacity })
}

/// A set of laws without a model from which none can be left out; all of them if that costs too much.
fn symbolic_contradiction(model: &LawModel, capacity: Capacity) -> Vec<Law> {
    let mut laws = model.laws.clone();
    let mut at = 0;
    while at < laws.len() && laws.len() <= 400 {
        let mut fewer = laws.clone();
        fewer.remove(at);
        let smaller = Model::Law(LawModel { laws: fewer.clone(), observes: Vec::new(), ..model.clone() });
        let Ok(order) = plan(&smaller, &[]) else { break };
        let Ok(bdd) = OxiddBdd::open(order.len(), capacity) else { break };
        match SymbolicChecker::new(bdd, &smaller, &order) {
            Ok(c) if matches!(c.bdd().split(&c.structure(0).law), Split::Const(false)) => laws = fewer,
            _ => at += 1,
        }
    }
    laws
}

fn ask_explicit(checker: &mut Explicit, question: &Question, names: &Names) -> Result<Answer, CheckError> {
    let set = checker.check(&question.formula)?;
    let world = match &question.at {
        At::Everywhere => None,
        At::Point => checker.model(0).point(),
        At::Named(name) => {
            let found = checker.model(0).world(name);
            Some(found.ok_or_else(|| CheckError::UnknownWorld(name.clone()))?)
        }
        At::Facts(facts) => {
            let found = find(checker.model(0), facts);
            Some(found.ok_or_else(|| CheckError::UnknownWorld(facts.label()))?)
        }
    };
    let world = if question.kind == QueryKind::Check { world } else { None };
    let holds = match (question.kind, world) {
        (QueryKind::Check, Some(world)) => set.contains(world),
        (QueryKind::Check | QueryKind::Valid, _) => set.is_full(),
        (QueryKind::Where | QueryKind::Count, _) => !set.is_empty(),
    };
    let judged = matches!(question.kind, QueryKind::Check | QueryKind::Valid);
    let shown = world.or_else(|| (judged && !holds).then(|| (0..set.universe()).find(|&w| !set.contains(w)))?);
    let reason = match shown {
        Some(world) if question.explain => {
            Some(Explainer { ground: checker, names }.explain(0, &question.formula, &world)?)
        }
        _ => None,
    };
    let holding = set.count();
    Ok(Answer {
        engine: Engine::Explicit,
        kind: question.kind,
        holds,
        at: world.map(|w| checker.view(0, &w)),
        worlds: set.universe().into(),
        holding: holding.into(),
        holds_at: (holding <= question.list).then(|| set.iter().map(|w| checker.view(0, &w)).collect()),
        reason,
    })
}

fn ask_symbolic(
    checker: &mut SymbolicChecker<OxiddBdd>,
    model: &Model,
    question: &Question,
    names: &Names,
    bytes: usize,
) -> Symbolic<Answer> {
    let f = checker.check(&question.formula)?;
    let structure = checker.structure(0).clone();
    let vars = structure.frame.vars.clone();
    let holding = checker.bdd().and(&structure.law, &f)?;
    let failing = checker.bdd().and(&structure.law, &checker.bdd().not(&f)?)?;
    let world = match question.kind {
        QueryKind::Check => locate(checker, model, &question.at)?,
        QueryKind::Valid | QueryKind::Where | QueryKind::Count => None,
    };
    let (worlds, number) = (count(checker.bdd(), &structure.law, &vars), count(checker.bdd(), &holding, &vars));
    let empty = |g| matches!(checker.bdd().split(g), Split::Const(false));
    let holds = match (question.kind, &world) {
        (QueryKind::Check, Some(world)) => {
            let value = |v: u32| world.binary_search(&(v, true)).is_ok();
            crate::bdd::evaluate(checker.bdd(), &f, value)
        }
        (QueryKind::Check | QueryKind::Valid, _) => empty(&failing),
        (QueryKind::Where | QueryKind::Count, _) => !empty(&holding),
    };
    let assignment = |values: Vec<bool>| -> Assignment { vars.iter().copied().zip(values).collect() };
    let holds_at = (number <= question.list.into()).then(|| {
        let all: Vec<Assignment> = models(checker.bdd(), &holding, &vars).map(&assignment).collect();
        all
    });
    let judged = matches!(question.kind, QueryKind::Check | QueryKind::Valid);
    let shown = world.clone().or_else(|| {
        let first = (judged && !holds).then(|| models(checker.bdd(), &failing, &vars).next());
        first.flatten().map(&assignment)
    });
    let mut ground = SymbolicGround { checker, bytes };
    let reason = match shown {
        Some(world) if question.explain => {
            Some(Explainer { ground: &mut ground, names }.explain(0, &question.formula, &world)?)
        }
        _ => None,
    };
    Ok(Answer {
        engine: Engine::Symbolic,
        kind: question.kind,
        holds,
        at: world.map(|w| ground.view(0, &w)),
        worlds,
        holding: number,
        holds_at: holds_at.map(|all| all.iter().map(|w| ground.view(0, w)).collect()),
        reason,
    })
}

/// The world at which a question is asked, if it is one.
fn locate(checker: &SymbolicChecker<OxiddBdd>, model: &Model, at: &At) -> Symbolic<Option<Assignment>> {
    let facts = match (at, model) {
        (At::Everywhere, _) => return Ok(None),
        (At::Facts(facts), _) => facts.clone(),
        (At::Point, Model::Law(law)) => match law.points.first() {
            None => return Ok(None),
            Some(point) => match assignment_of(checker, &point.facts)? {
                None => return Err(CheckError::NotAWorld(point.span).into()),
                found => return Ok(found),
            },
        },
        (At::Point, Model::Kripke(kripke)) => {
            return Ok(kripke.point().map(|w| checker.world_code(w)));
        }
        (At::Named(name), Model::Law(law)) => {
            let named = law.points.iter().find(|p| p.name.as_deref() == Some(name));
            match named {
                Some(point) => point.facts.clone(),
                None => return Err(CheckError::UnknownWorld(name.clone()).into()),
            }
        }
        (At::Named(name), Model::Kripke(kripke)) => {
            let world = kripke.world(name).ok_or_else(|| CheckError::UnknownWorld(name.clone()))?;
            return Ok(Some(checker.world_code(world)));
        }
    };
    match assignment_of(checker, &facts)? {
        None => Err(CheckError::UnknownWorld(facts.label()).into()),
        found => Ok(found),
    }
}

fn assignment_of(checker: &SymbolicChecker<OxiddBdd>, facts: &Facts) -> Symbolic<Option<Assignment>> {
    let bdd = checker.bdd();
    let structure = checker.structure(0);
    let mut parts = vec![structure.law.clone()];
    for prop in &facts.props {
        let Some(f) = structure.atoms.get(prop) else { return Ok(None) };
        parts.push(f.clone());
    }
    for (name, f) in structure.atoms.iter() {
        if !facts.props.contains(name) {
            parts.push(bdd.not(f)?);
        }
    }
    for (name, value) in &facts.vars {
        let found = structure.terms.get(name).and_then(|ps| ps.iter().find(|(v, _)| v == value));
        let Some((_, f)) = found else { return Ok(None) };
        parts.push(f.clone());
    }
    let world = all(bdd, parts)?;
    let vars = &structure.frame.vars;
    Ok(models(bdd, &world, vars).next().map(|values| vars.iter().copied().zip(values).collect()))
}
