//! The symbolic engine: sets of worlds as Boolean functions; nothing is enumerated.

use super::limits::CheckError;
use crate::bdd::{Bdd, Split, distance_one_forall, models};
use crate::formula::{Action, ActionModel, Change, F, Formula, Group, Name, Sight};
use crate::model::symbolic::{Events, Fresh, Parts, PlanBdd, Stopped, Structure, Symbolic, all, any, count_of, odd};
use crate::model::{BitSet, Model, symbolic};
use crate::update::{BrokenAction, resolve};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Checks formulas on a knowledge structure, keeping every updated structure and every answer for later questions.
pub struct SymbolicChecker<B: Bdd> {
    bdd: B,
    fresh: Fresh,
    agents: Vec<Name>,
    /// The levels of the base variables.
    base: Vec<u32>,
    /// For an explicit model whose worlds have names: those names.
    world_names: Option<Vec<Name>>,
    /// Propositions and variables in the order of their declaration.
    declared: HashMap<Name, usize>,
    stages: Vec<Stage<B>>,
    /// Formulas whose parts are keys of the memos: kept alive so that no address is used twice.
    roots: Vec<F>,
}

struct Stage<B: Bdd> {
    structure: Structure<B>,
    memo: HashMap<*const Formula, B::F>,
    updates: HashMap<usize, Rc<SymbolicUpdate<B>>>,
}

/// One executed action: the stage after it and how worlds correspond.
pub struct SymbolicUpdate<B: Bdd> {
    /// The action model that was executed.
    pub action: Arc<ActionModel>,
    /// The stage after it.
    pub stage: usize,
    /// Where each event can happen.
    pub pre: Vec<B::F>,
    /// For each event, the literals that say it was this one.
    pub literals: Vec<Vec<(u32, bool)>>,
}

/// The levels of a planned order: of the base variables, and of new ones in the order in which they are made.
#[derive(Clone, Debug)]
pub struct Order {
    base: Vec<u32>,
    fresh: Vec<u32>,
}

impl Order {
    /// How many variables there are.
    pub fn len(&self) -> u32 {
        (self.base.len() + self.fresh.len()) as u32
    }

    /// Whether there is no variable at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn base_size(model: &Model) -> usize {
    match model {
        Model::Law(law) => symbolic::base_size(law),
        Model::Kripke(kripke) => kripke.size().max(1).next_power_of_two().trailing_zeros() as usize,
    }
}

/// Plans a variable order for checking these formulas, in this order, by a dry run.
pub fn plan(model: &Model, formulas: &[F]) -> Result<Order, CheckError> {
    let size = base_size(model);
    let base: Vec<u32> = (1..=size as u32).collect();
    let fresh = Fresh::Planning(Default::default());
    let dry = || -> Symbolic<Fresh> {
        let mut checker = SymbolicChecker::start(PlanBdd(size as u32 + 1), model, &base, fresh)?;
        for formula in formulas {
            checker.check(formula)?;
        }
        Ok(checker.fresh)
    };
    let depths = match dry() {
        Ok(Fresh::Planning(depths)) => depths.into_inner(),
        Ok(Fresh::Planned { .. }) | Err(Stopped::Full) => Vec::new(),
        Err(Stopped::Error(error)) => return Err(error),
    };
    let (base, fresh) = symbolic::plan(size, &depths);
    Ok(Order { base, fresh })
}

impl<B: Bdd> SymbolicChecker<B> {
    /// A checker for the model in a manager with `order.len()` variables; check the planned formulas, in that order.
    pub fn new(bdd: B, model: &Model, order: &Order) -> Symbolic<SymbolicChecker<B>> {
        let fresh = Fresh::Planned { levels: order.fresh.clone(), next: Default::default() };
        SymbolicChecker::start(bdd, model, &order.base, fresh)
    }

    fn start(bdd: B, model: &Model, base: &[u32], fresh: Fresh) -> Symbolic<SymbolicChecker<B>> {
        let (structure, agents, names): (_, _, Vec<&Name>) = match model {
            Model::Law(law) => {
                if law.belief {
                    return Err(CheckError::BeliefInSymbolic.into());
                }
                let names = law.props.iter().chain(law.vars.iter().map(|v| &v.name)).collect();
                (Structure::from_law(&bdd, law, base, &fresh)?, law.agents.clone(), names)
            }
            Model::Kripke(kripke) => {
                let names = kripke.props().iter().chain(kripke.vars.iter().map(|v| &v.name)).collect();
                (Structure::from_kripke(&bdd, kripke, base, &fresh)?, kripke.agents().to_vec(), names)
            }
        };
        let declared = names.into_iter().cloned().zip(0..).collect();
        let world_names = match model {
            Model::Law(_) => None,
            Model::Kripke(kripke) => kripke.names.clone(),
        };
        let mut checker = SymbolicChecker {
            bdd,
            fresh,
            agents,
            base: base.to_vec(),
            world_names,
            declared,
            stages: Vec::new(),
            roots: Vec::new(),
        };
        checker.push(structure);
        Ok(checker)
    }

    fn push(&mut self, structure: Structure<B>) -> usize {
        self.stages.push(Stage { structure, memo: HashMap::new(), updates: HashMap::new() });
        self.stages.len() - 1
    }

    /// The manager.
    pub fn bdd(&self) -> &B {
        &self.bdd
    }

    /// The agents, in order.
    pub fn agents(&self) -> &[Name] {
        &self.agents
    }

    /// For an explicit model: the assignment of a world. Derived variables follow from the law.
    pub(crate) fn world_code(&self, world: usize) -> Vec<(u32, bool)> {
        let code: Vec<(u32, bool)> = self.base.iter().enumerate().map(|(i, &v)| (v, world >> i & 1 == 1)).collect();
        let structure = self.structure(0);
        let rest: Vec<u32> = structure.frame.vars.iter().copied().filter(|v| !self.base.contains(v)).collect();
        let mut all = code.clone();
        if let Ok(derived) = self.bdd.restrict(&structure.law, &code)
            && let Some(values) = models(&self.bdd, &derived, &rest).next()
        {
            all.extend(rest.into_iter().zip(values));
        }
        all.sort_unstable();
        all
    }

    /// For an explicit model whose worlds have names: the name of the original world behind an assignment.
    pub(crate) fn original_name(&self, value: &dyn Fn(u32) -> bool) -> Option<&Name> {
        let names = self.world_names.as_ref()?;
        names.get(self.base.iter().enumerate().fold(0, |code, (i, &v)| code | usize::from(value(v)) << i))
    }

    pub(crate) fn declared(&self) -> &HashMap<Name, usize> {
        &self.declared
    }

    /// The structure of a stage; stage 0 is the model that was given.
    pub fn structure(&self, stage: usize) -> &Structure<B> {
        &self.stages[stage].structure
    }

    /// Where the formula holds in the given model: meaningful where the state law holds.
    pub fn check(&mut self, formula: &F) -> Symbolic<B::F> {
        self.roots.push(formula.clone());
        self.eval(0, formula)
    }

    /// Where a formula holds at a stage. The formula must be part of one that was checked.
    pub fn eval(&mut self, stage: usize, formula: &F) -> Symbolic<B::F> {
        let key = Arc::as_ptr(formula);
        if let Some(found) = self.stages[stage].memo.get(&key) {
            return Ok(found.clone());
        }
        let function = self.compute(stage, formula)?;
        self.stages[stage].memo.insert(key, function.clone());
        Ok(function)
    }

    fn list(&mut self, stage: usize, parts: &[F]) -> Symbolic<Vec<B::F>> {
        parts.iter().map(|p| self.eval(stage, p)).collect()
    }

    fn compute(&mut self, stage: usize, formula: &F) -> Symbolic<B::F> {
        Ok(match &**formula {
            Formula::Const(b) => self.bdd.constant(*b),
            Formula::Atom(name) => {
                let found = self.structure(stage).atoms.get(name);
                found.cloned().unwrap_or_else(|| self.bdd.constant(false))
            }
            Formula::Compare(cmp, a, b) => self.structure(stage).compare(&self.bdd, *cmp, a, b)?,
            Formula::Not(f) => {
                let f = self.eval(stage, f)?;
                self.bdd.not(&f)?
            }
            Formula::And(parts) => self.conjunction(stage, parts, false)?,
            Formula::Or(parts) => {
                let none = self.conjunction(stage, parts, true)?;
                self.bdd.not(&none)?
            }
            Formula::Imp(a, b) => {
                let (a, b) = (self.eval(stage, a)?, self.eval(stage, b)?);
                self.bdd.imp(&a, &b)?
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.eval(stage, a)?, self.eval(stage, b)?);
                self.bdd.iff(&a, &b)?
            }
            Formula::Xor(parts) => {
                let parts = self.list(stage, parts)?;
                odd(&self.bdd, parts)?
            }
            Formula::Count(cmp, n, parts) => {
                let parts = self.list(stage, parts)?;
                count_of(&self.bdd, *cmp, *n, parts)?
            }
            Formula::Knows(agent, f) => {
                let f = self.eval(stage, f)?;
                self.knows(stage, &[self.agent(agent)?], &f)?
            }
            Formula::Possible(agent, f) => {
                let f = self.eval(stage, f)?;
                self.possible(stage, &[self.agent(agent)?], &f)?
            }
            Formula::KnowsWhether(agent, f) => {
                let f = self.eval(stage, f)?;
                let agent = self.agent(agent)?;
                let no = self.bdd.not(&f)?;
                let (yes, no) = (self.knows(stage, &[agent], &f)?, self.knows(stage, &[agent], &no)?);
                self.bdd.or(&yes, &no)?
            }
            Formula::Everyone(group, f) => {
                let f = self.eval(stage, f)?;
                let members = self.members(group)?;
                self.everyone(stage, &members, &f)?
            }
            Formula::Common(group, f) => {
                let f = self.eval(stage, f)?;
                let members = self.members(group)?;
                self.common(stage, &members, &f)?
            }
            Formula::Distributed(group, f) => {
                let f = self.eval(stage, f)?;
                let members = self.members(group)?;
                self.knows(stage, &members, &f)?
            }
            Formula::After(action, f) => self.after(stage, &mut vec![action], f, false)?,
            Formula::Can(action, f) => self.after(stage, &mut vec![action], f, true)?,
            Formula::Path(..)
            | Formula::Until(..)
            | Formula::Ensure(..)
            | Formula::EnsureUntil(..)
            | Formula::Ought(..) => return Err(CheckError::Temporal.into()),
        })
    }

    fn agent(&self, name: &Name) -> Result<usize, CheckError> {
        self.agents.iter().position(|a| a == name).ok_or_else(|| CheckError::UnknownAgent(name.clone()))
    }

    /// The indices of the agents in a group.
    pub fn members(&self, group: &Group) -> Result<Vec<usize>, CheckError> {
        match group {
            Group::All => Ok((0..self.agents.len()).collect()),
            Group::Of(names) => names.iter().map(|name| self.agent(name)).collect(),
        }
    }

    /// ∀(variables that nobody of the group observes)(θ → f): what the group knows together.
    fn knows(&self, stage: usize, agents: &[usize], f: &B::F) -> Symbolic<B::F> {
        let structure = self.structure(stage);
        let cube = structure.unobserved(&self.bdd, agents)?;
        Ok(self.bdd.forall_imp(&structure.law, f, &cube)?)
    }

    /// ∃(variables that nobody of the group observes)(θ ∧ f).
    fn possible(&self, stage: usize, agents: &[usize], f: &B::F) -> Symbolic<B::F> {
        let structure = self.structure(stage);
        let cube = structure.unobserved(&self.bdd, agents)?;
        Ok(self.bdd.and_exists(&structure.law, f, &cube)?)
    }

    /// The variable that the agent does not see, if it is the only one.
    fn blind_spot(&self, stage: usize, agent: usize) -> Option<u32> {
        match self.structure(stage).hidden(&[agent]).as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    fn everyone(&self, stage: usize, agents: &[usize], f: &B::F) -> Symbolic<B::F> {
        let spots: Option<Vec<u32>> = agents.iter().map(|&a| self.blind_spot(stage, a)).collect();
        if let Some(spots) = spots
            && !spots.is_empty()
        {
            let f = self.bdd.imp(&self.structure(stage).law, f)?;
            return Ok(distance_one_forall(&self.bdd, &f, &spots)?);
        }
        let parts = agents.iter().map(|&a| self.knows(stage, &[a], f)).collect::<Symbolic<_>>()?;
        Ok(all(&self.bdd, parts)?)
    }

    /// The worlds from which no world without f can be reached: grown from those without, agent after agent.
    fn common(&self, stage: usize, agents: &[usize], f: &B::F) -> Symbolic<B::F> {
        let law = &self.structure(stage).law;
        let no = self.bdd.not(f)?;
        let mut bad = self.bdd.and(law, &no)?;
        let mut settled = 0;
        for &agent in agents.iter().cycle() {
            let more = self.possible(stage, &[agent], &bad)?;
            let next = self.bdd.and(law, &more)?;
            settled = if next == bad { settled + 1 } else { 0 };
            bad = next;
            if settled >= agents.len() {
                break;
            }
        }
        Ok(self.bdd.not(&bad)?)
    }

    /// The conjunction of the parts, or with `negated` of their negations.
    ///
    /// "Nobody knows whether …" by agents who each miss just the variable in question is one pass over the law: within
    /// it, `!Kw[a] p` is ∀p θ. Doing that agent by agent would pass over the law once for each.
    fn conjunction(&mut self, stage: usize, parts: &[F], negated: bool) -> Symbolic<B::F> {
        let mut rest = Vec::new();
        let mut spots = Vec::new();
        for part in parts {
            let ignorance = match (&**part, negated) {
                (Formula::KnowsWhether(agent, f), true) => Some((agent, f)),
                (Formula::Not(inner), false) => match &**inner {
                    Formula::KnowsWhether(agent, f) => Some((agent, f)),
                    _ => None,
                },
                _ => None,
            };
            if parts.len() > 1
                && let Some((agent, f)) = ignorance
                && let Some(spot) = self.own_blind_spot(stage, agent, f)?
            {
                spots.push(spot);
                continue;
            }
            let function = self.eval(stage, part)?;
            rest.push(if negated { self.bdd.not(&function)? } else { function });
        }
        if !spots.is_empty() {
            rest.push(distance_one_forall(&self.bdd, &self.structure(stage).law, &spots)?);
        }
        Ok(all(&self.bdd, rest)?)
    }

    /// The only variable that the agent does not see, if the formula is just that variable.
    fn own_blind_spot(&mut self, stage: usize, agent: &Name, f: &F) -> Symbolic<Option<u32>> {
        let Formula::Atom(_) = &**f else { return Ok(None) };
        let agent = self.agent(agent)?;
        let Some(spot) = self.blind_spot(stage, agent) else { return Ok(None) };
        let function = self.eval(stage, f)?;
        let itself = match self.bdd.split(&function) {
            Split::Node { var, .. } => var == spot && function == self.bdd.var(spot)?,
            Split::Const(_) => false,
        };
        Ok(itself.then_some(spot))
    }

    /// `[α₁; α₂; …] f` or `<…> f`, the next action last in `todo`.
    fn after(&mut self, stage: usize, todo: &mut Vec<&Action>, f: &F, diamond: bool) -> Symbolic<B::F> {
        let Some(action) = todo.pop() else { return self.eval(stage, f) };
        let result = match action {
            Action::Test(test) => {
                let test = self.eval(stage, test)?;
                let then = self.after(stage, todo, f, diamond)?;
                if diamond { self.bdd.and(&test, &then)? } else { self.bdd.imp(&test, &then)? }
            }
            Action::Seq(parts) => {
                let depth = todo.len();
                todo.extend(parts.iter().rev());
                let result = self.after(stage, todo, f, diamond)?;
                todo.truncate(depth);
                result
            }
            Action::Choice(parts) => {
                let results = parts.iter().map(|p| self.branch(stage, p, todo, f, diamond)).collect::<Symbolic<_>>()?;
                if diamond { any(&self.bdd, results)? } else { all(&self.bdd, results)? }
            }
            Action::Both(a, b) => {
                let results = vec![self.branch(stage, a, todo, f, diamond)?, self.branch(stage, b, todo, f, diamond)?];
                if diamond { all(&self.bdd, results)? } else { any(&self.bdd, results)? }
            }
            Action::Learn(..) | Action::Announce(_) | Action::Model(_) => {
                let update = self.update(stage, action)?;
                let then = self.after(update.stage, todo, f, diamond)?;
                let mut results = Vec::new();
                for (e, event) in update.action.events.iter().enumerate() {
                    if event.designated {
                        let then = self.bdd.restrict(&then, &update.literals[e])?;
                        let pre = &update.pre[e];
                        results.push(if diamond { self.bdd.and(pre, &then)? } else { self.bdd.imp(pre, &then)? });
                    }
                }
                if diamond { any(&self.bdd, results)? } else { all(&self.bdd, results)? }
            }
            Action::Local(_) => return Err(CheckError::from(BrokenAction::Mark).into()),
        };
        todo.push(action);
        Ok(result)
    }

    fn branch<'a>(
        &mut self,
        stage: usize,
        part: &'a Action,
        todo: &mut Vec<&'a Action>,
        f: &F,
        diamond: bool,
    ) -> Symbolic<B::F> {
        todo.push(part);
        let result = self.after(stage, todo, f, diamond)?;
        todo.pop();
        Ok(result)
    }

    /// Executes an action model, an announcement or `L[all] α` on a stage.
    pub fn update(&mut self, stage: usize, action: &Action) -> Symbolic<Rc<SymbolicUpdate<B>>> {
        let key = action.address();
        if let Some(found) = self.stages[stage].updates.get(&key) {
            return Ok(found.clone());
        }
        let model = match action {
            Action::Model(model) => model.clone(),
            _ => Arc::new(resolve(action, &self.agents).map_err(CheckError::from)?),
        };
        let update = Rc::new(self.execute(stage, model)?);
        self.stages[stage].updates.insert(key, update.clone());
        Ok(update)
    }

    fn execute(&mut self, stage: usize, action: Arc<ActionModel>) -> Symbolic<SymbolicUpdate<B>> {
        if action.sights.iter().any(|(_, sight)| matches!(sight, Sight::Edges(_))) {
            return Err(CheckError::BeliefInSymbolic.into());
        }
        // Kept even if a later event fails: their addresses are keys.
        self.roots.extend(action.events.iter().map(|e| e.pre.clone()));
        let mut pre = Vec::new();
        for event in &action.events {
            pre.push(self.eval(stage, &event.pre)?);
        }
        let unchanging = action.events.iter().all(|e| e.changes.is_empty());
        if let ([only], true) = (pre.as_slice(), unchanging) {
            let mut after = self.structure(stage).clone();
            after.law = self.bdd.and(&after.law, only)?;
            let stage = self.push(after);
            return Ok(SymbolicUpdate { action, stage, pre, literals: vec![Vec::new()] });
        }
        let mut classes = Vec::new();
        for agent in &self.agents {
            let sight = action.sights.iter().find(|(a, _)| a == agent).map(|(_, s)| s);
            classes.push(match sight {
                None => (0..action.events.len() as u32).collect(),
                Some(Sight::Classes(of)) => dense(of),
                Some(Sight::Edges(_)) => return Err(CheckError::BeliefInSymbolic.into()),
            });
        }
        let (mut props, mut terms) = (Vec::new(), Vec::new());
        for event in &action.events {
            let mut event_props: Vec<(Name, B::F)> = Vec::new();
            let mut event_terms: Vec<(Name, Parts<B::F>)> = Vec::new();
            for change in &event.changes {
                match change {
                    Change::Prop(name, f) => event_props.push((name.clone(), self.eval(stage, f)?)),
                    Change::Var(name, term) => {
                        event_terms.push((name.clone(), self.structure(stage).partition(&self.bdd, term)?));
                    }
                }
            }
            props.push(event_props);
            terms.push(event_terms);
        }
        let events = Events { pre, props, terms, classes };
        let step = self.stages[stage].structure.step(&self.bdd, &events, &self.fresh)?;
        let after = self.push(step.after);
        Ok(SymbolicUpdate { action, stage: after, pre: events.pre, literals: step.literals })
    }
}

/// Classes renumbered from 0 by first appearance.
fn dense(of: &[u32]) -> Vec<u32> {
    crate::model::kripke::Classes::by_key(of).of
}

/// Checks formulas on an explicit model by the symbolic engine in this manager: the worlds at which each holds.
///
/// For comparing engines; `make` builds a manager with the given number of variables.
pub fn worlds_by_symbolic<B: Bdd>(
    kripke: &crate::model::Kripke,
    formulas: &[F],
    make: impl FnOnce(u32) -> B,
) -> Symbolic<Vec<BitSet>> {
    let model = Model::Kripke(kripke.clone());
    let order = plan(&model, formulas)?;
    let base = order.base.clone();
    let mut checker = SymbolicChecker::new(make(order.len()), &model, &order)?;
    let mut sets = Vec::new();
    for formula in formulas {
        let f = checker.check(formula)?;
        let law = checker.structure(0).law.clone();
        let holds = checker.bdd.and(&law, &f)?;
        let mut set = BitSet::empty(kripke.size());
        for world in 0..kripke.size() {
            let literals: Vec<(u32, bool)> = base.iter().enumerate().map(|(i, &v)| (v, world >> i & 1 == 1)).collect();
            // What remains is the one assignment of the derived variables, or nothing.
            let rest = checker.bdd.restrict(&holds, &literals)?;
            if !matches!(checker.bdd.split(&rest), Split::Const(false)) {
                set.insert(world);
            }
        }
        sets.push(set);
    }
    Ok(sets)
}
