//! Questions to a model of worlds: the engine is chosen here, and grows or changes when it must.

use super::answer::{Answer, Explanation, Found};
use super::explicit::Explicit;
use super::ground::{Assignment, SymbolicGround};
use super::limits::{CheckError, Limit, Limits};
use super::options::{Engine, EngineChoice};
use super::question::{Question, Start};
use super::reason::{Explainer, Ground, WorldView};
use super::symbolic::{SymbolicChecker, plan};
use crate::bdd::{Bdd, Capacity, OxiddBdd, Split, count, models};
use crate::document::QueryKind;
use crate::formula::{F, Names};
use crate::model::enumerate::{Budget, enumerate, find};
use crate::model::law::{Facts, Law, LawModel};
use crate::model::symbolic::{Stopped, Symbolic, all};
use crate::model::{Kripke, Model};
use crate::stop;
use num_bigint::BigUint;
use std::sync::Arc;

/// A model of worlds with what is known of it so far. Whatever was asked before, a question is answered in the same way.
pub(crate) struct WorldChecker {
    model: Model,
    /// Formulas that will be asked: they share one order of variables.
    hints: Vec<F>,
    choice: EngineChoice,
    limits: Limits,
    /// The engine that is tried first, once it is known.
    first: Option<Engine>,
    listed: Option<Box<Explicit>>,
    /// Functions whose variables are ordered for the hints.
    planned: Option<Functions>,
    /// Functions whose variables are ordered for one formula alone.
    own: Option<(F, Functions)>,
}

/// A model as functions.
struct Functions {
    checker: Box<SymbolicChecker<OxiddBdd>>,
    capacity: Capacity,
    /// Whether something was asked already, so that there would be more room in a new manager.
    used: bool,
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

impl WorldChecker {
    pub(crate) fn new(model: Model, hints: Vec<F>, choice: EngineChoice, limits: Limits) -> WorldChecker {
        WorldChecker { model, hints, choice, limits, first: None, listed: None, planned: None, own: None }
    }

    /// Plans for these formulas instead of those before.
    pub(crate) fn plan(&mut self, hints: Vec<F>) {
        self.hints = hints;
        self.planned = None;
    }

    /// The engine that is tried first. It depends on the model alone.
    pub(crate) fn engine(&mut self) -> Result<Engine, CheckError> {
        if let Some(engine) = self.first {
            return Ok(engine);
        }
        let engine = match self.choice {
            EngineChoice::Symbolic => Engine::Symbolic,
            EngineChoice::Explicit => {
                self.explicit()?;
                Engine::Explicit
            }
            EngineChoice::Auto => {
                let quick = quickly_listed(&self.model);
                let budget = Budget { worlds: quick.worlds.min(self.limits.worlds), ..quick };
                match list(&self.model, budget, &self.limits)? {
                    None => Engine::Symbolic,
                    Some(kripke) => {
                        self.listed = Some(Box::new(Explicit::new(kripke, self.limits)));
                        Engine::Explicit
                    }
                }
            }
        };
        self.first = Some(engine);
        Ok(engine)
    }

    /// How many worlds there are, and by which engine.
    pub(crate) fn size(&mut self) -> Result<(BigUint, Engine), CheckError> {
        let listed = |checker: &Explicit| (checker.model(0).size().into(), Engine::Explicit);
        if self.engine()? == Engine::Explicit {
            return self.explicit().map(|checker| listed(checker));
        }
        match self.planned() {
            Ok(functions) => {
                let structure = functions.checker.structure(0);
                Ok((count(functions.checker.bdd(), &structure.law, &structure.frame.vars), Engine::Symbolic))
            }
            Err(CheckError::Limit(limit)) => self.otherwise(limit).map(|checker| listed(checker)),
            Err(error) => Err(error),
        }
    }

    /// The worlds one by one, within the limits.
    pub(crate) fn explicit(&mut self) -> Result<&mut Explicit, CheckError> {
        if self.listed.is_none() {
            let budget = Budget { worlds: self.limits.worlds, steps: usize::MAX };
            let kripke = list(&self.model, budget, &self.limits)?.ok_or(Limit::Worlds(self.limits.worlds))?;
            self.listed = Some(Box::new(Explicit::new(kripke, self.limits)));
        }
        self.listed.as_deref_mut().ok_or(CheckError::Limit(Limit::Worlds(self.limits.worlds)))
    }

    /// The worlds one by one, after functions have reached a limit.
    fn otherwise(&mut self, limit: Limit) -> Result<&mut Explicit, CheckError> {
        if self.choice != EngineChoice::Auto || limit == Limit::Stopped {
            return Err(limit.into());
        }
        match self.explicit() {
            Err(CheckError::Limit(Limit::Worlds(_))) => Err(limit.into()),
            listed => listed,
        }
    }

    /// Answers a question. A reason for which there is no room is left out.
    pub(crate) fn ask(&mut self, question: &Question, names: &Names) -> Result<Answer, CheckError> {
        let answer = match self.attempt(question, names) {
            Err(CheckError::Limit(limit)) if question.explain && limit != Limit::Stopped => {
                let plain = Question { explain: false, ..question.clone() };
                self.attempt(&plain, names).map_err(|_| CheckError::from(limit))
            }
            answer => answer,
        };
        stop::go_on()?;
        answer
    }

    /// Asks the engine that comes first, then the other one if the choice is free.
    fn attempt(&mut self, question: &Question, names: &Names) -> Result<Answer, CheckError> {
        if !question.steps.is_empty() {
            return Err(CheckError::NotHere("only systems have histories"));
        }
        if question.formula.is_temporal() {
            return Err(CheckError::Temporal);
        }
        match self.engine()? {
            Engine::Explicit => match ask_explicit(self.explicit()?, question, names) {
                Err(CheckError::Limit(limit))
                    if limit != Limit::Stopped && self.choice == EngineChoice::Auto && !self.model.is_belief() =>
                {
                    self.on_functions(question, names)
                }
                answer => answer,
            },
            Engine::Symbolic => match self.on_functions(question, names) {
                Err(CheckError::Limit(limit)) => ask_explicit(self.otherwise(limit)?, question, names),
                answer => answer,
            },
        }
    }

    /// Asks on functions. Formulas with updates need variables of their own: those that were not planned for get an order
    /// for themselves, and so does every formula for which there is no room beside the others.
    fn on_functions(&mut self, question: &Question, names: &Names) -> Result<Answer, CheckError> {
        let formula = &question.formula;
        if !formula.is_dynamic() || self.hints.iter().any(|hint| Arc::ptr_eq(hint, formula)) {
            match self.on_planned(question, names) {
                Err(CheckError::Limit(Limit::DiagramBytes(_))) => {}
                answer => return answer,
            }
        }
        self.on_own(question, names)
    }

    fn on_planned(&mut self, question: &Question, names: &Names) -> Result<Answer, CheckError> {
        loop {
            self.planned()?;
            let Some(functions) = &mut self.planned else { return Err(Limit::DiagramBytes(0).into()) };
            let used = std::mem::replace(&mut functions.used, true);
            let capacity = functions.capacity;
            match functions.ask(&self.model, question, names) {
                Ok(answer) => return Ok(answer),
                Err(Stopped::Error(error)) => return Err(error),
                Err(Stopped::Full) => {
                    let next = roomier(capacity, used, &self.limits);
                    self.planned = None;
                    self.planned = Some(Functions::open(&self.model, &self.hints, &self.limits, next?)?);
                }
            }
        }
    }

    fn on_own(&mut self, question: &Question, names: &Names) -> Result<Answer, CheckError> {
        let formula = &question.formula;
        let mut functions = match self.own.take() {
            Some((of, functions)) if Arc::ptr_eq(&of, formula) => functions,
            _ => self.open_own(formula, first_capacity(&self.limits)?)?,
        };
        let answer = loop {
            match functions.ask(&self.model, question, names) {
                Ok(answer) => break answer,
                Err(Stopped::Error(error)) => return Err(error),
                Err(Stopped::Full) => {
                    let larger = grown(functions.capacity, &self.limits)?;
                    drop(functions);
                    functions = self.open_own(formula, larger)?;
                }
            }
        };
        self.own = Some((formula.clone(), functions));
        Ok(answer)
    }

    /// Functions for one formula; those for the hints make room if there is not enough for both.
    fn open_own(&mut self, formula: &F, capacity: Capacity) -> Result<Functions, CheckError> {
        let both = self.planned.as_ref().map_or(0, |f| f.capacity.bytes()).saturating_add(capacity.bytes());
        if both > self.limits.diagram_bytes as u64 {
            self.planned = None;
        }
        Functions::open(&self.model, std::slice::from_ref(formula), &self.limits, capacity)
    }

    fn planned(&mut self) -> Result<&mut Functions, CheckError> {
        if self.planned.is_none() {
            self.own = None;
            let capacity = first_capacity(&self.limits)?;
            self.planned = Some(Functions::open(&self.model, &self.hints, &self.limits, capacity)?);
        }
        self.planned.as_mut().ok_or(CheckError::Limit(Limit::DiagramBytes(self.limits.diagram_bytes)))
    }
}

impl Functions {
    /// The model as functions in a manager of this capacity, or a larger one if it is full.
    fn open(model: &Model, formulas: &[F], limits: &Limits, mut capacity: Capacity) -> Result<Functions, CheckError> {
        let order = plan(model, formulas)?;
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
        Ok(Functions { checker: Box::new(checker), capacity, used: false })
    }

    fn ask(&mut self, model: &Model, question: &Question, names: &Names) -> Symbolic<Answer> {
        let bytes = usize::try_from(self.capacity.bytes()).unwrap_or(usize::MAX);
        ask_symbolic(&mut self.checker, model, question, names, bytes)
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

/// The capacity of the next manager to try: a larger one, or the same again where that is not allowed but other questions
/// have used the one that is full.
pub(super) fn roomier(capacity: Capacity, used: bool, limits: &Limits) -> Result<Capacity, CheckError> {
    match grown(capacity, limits) {
        Err(CheckError::Limit(Limit::DiagramBytes(_))) if used => Ok(capacity),
        larger => larger,
    }
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
        Some(Start::Everywhere) => None,
        None | Some(Start::Point) => checker.model(0).point(),
        Some(Start::Named(name)) => {
            let found = checker.model(0).world(name);
            Some(found.ok_or_else(|| CheckError::UnknownWorld(name.clone()))?)
        }
        Some(Start::Facts(facts)) => {
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
    let judged = question.kind.is_judged();
    let shown = world.or_else(|| (judged && !holds).then(|| (0..set.universe()).find(|&w| !set.contains(w)))?);
    let reason = match shown {
        Some(world) if question.explain => {
            let reason = Explainer { ground: checker, names }.explain(0, &question.formula, &world)?;
            Some(Explanation::World(reason))
        }
        _ => None,
    };
    let holding = set.count();
    Ok(Answer {
        engine: Engine::Explicit,
        kind: question.kind,
        holds,
        at: world.map(|w| checker.view(0, &w).name),
        asked: set.universe().into(),
        holding: holding.into(),
        holds_at: (holding <= question.list).then(|| set.iter().map(|w| found(checker.view(0, &w))).collect()),
        reason,
        system: None,
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
        QueryKind::Check => locate(checker, model, question.at.as_ref().unwrap_or(&Start::Point))?,
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
    let judged = question.kind.is_judged();
    let shown = world.clone().or_else(|| {
        let first = (judged && !holds).then(|| models(checker.bdd(), &failing, &vars).next());
        first.flatten().map(&assignment)
    });
    let mut ground = SymbolicGround { checker, bytes };
    let reason = match shown {
        Some(world) if question.explain => {
            let reason = Explainer { ground: &mut ground, names }.explain(0, &question.formula, &world)?;
            Some(Explanation::World(reason))
        }
        _ => None,
    };
    Ok(Answer {
        engine: Engine::Symbolic,
        kind: question.kind,
        holds,
        at: world.map(|w| ground.view(0, &w).name),
        asked: worlds,
        holding: number,
        holds_at: holds_at.map(|all| all.iter().map(|w| found(ground.view(0, w))).collect()),
        reason,
        system: None,
    })
}

fn found(WorldView { name, facts }: WorldView) -> Found {
    Found { name, facts: Some(facts) }
}

/// The world at which a question is asked, if it is one.
fn locate(checker: &SymbolicChecker<OxiddBdd>, model: &Model, at: &Start) -> Symbolic<Option<Assignment>> {
    let facts = match (at, model) {
        (Start::Everywhere, _) => return Ok(None),
        (Start::Facts(facts), _) => facts.clone(),
        (Start::Point, Model::Law(law)) => match law.points.first() {
            None => return Ok(None),
            Some(point) => match assignment_of(checker, &point.facts)? {
                None => return Err(CheckError::NotAWorld(point.span).into()),
                found => return Ok(found),
            },
        },
        (Start::Point, Model::Kripke(kripke)) => {
            return Ok(kripke.point().map(|w| checker.world_code(w)));
        }
        (Start::Named(name), Model::Law(law)) => {
            let named = law.points.iter().find(|p| p.name.as_deref() == Some(name));
            match named {
                Some(point) => point.facts.clone(),
                None => return Err(CheckError::UnknownWorld(name.clone()).into()),
            }
        }
        (Start::Named(name), Model::Kripke(kripke)) => {
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
