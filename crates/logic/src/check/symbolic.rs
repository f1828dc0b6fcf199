//! The symbolic engine: sets of worlds as Boolean functions; nothing is enumerated.

use super::core::{Core, Lit, Node, Tally, Who};
use super::evaluate::{Algebra, Evaluator, Execution};
use super::limits::CheckError;
use crate::bdd::{Bdd, Split, distance_one_forall, models};
use crate::formula::{Action, ActionModel, Change, F, Formula, Name, Sight};
use crate::model::symbolic::{Events, Fresh, Parts, PlanBdd, Stopped, Structure, Symbolic, all, count_of, odd};
use crate::model::{BitSet, Model, symbolic};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Checks formulas on a knowledge structure, keeping every updated structure and every answer for later questions.
pub struct SymbolicChecker<B: Bdd> {
    evaluator: Evaluator<Structures<B>>,
    /// The levels of the base variables.
    base: Vec<u32>,
    /// For an explicit model whose worlds have names: those names.
    world_names: Option<Vec<Name>>,
    /// Propositions and variables in the order of their declaration.
    declared: HashMap<Name, usize>,
}

/// Functions that say where a formula holds, of a structure and of those that updates make of it: meaningful where the
/// state law holds.
struct Structures<B: Bdd> {
    bdd: B,
    fresh: Fresh,
    agents: Vec<Name>,
    stages: Vec<Stage<B>>,
}

struct Stage<B: Bdd> {
    structure: Structure<B>,
    updates: HashMap<u32, Rc<SymbolicUpdate<B>>>,
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
        Ok(checker.evaluator.algebra.fresh)
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
        let core = Core::new(&agents);
        let mut structures = Structures { bdd, fresh, agents, stages: Vec::new() };
        structures.push(structure);
        let evaluator = Evaluator::new(structures, core);
        Ok(SymbolicChecker { evaluator, base: base.to_vec(), world_names, declared })
    }

    /// The manager.
    pub fn bdd(&self) -> &B {
        &self.evaluator.algebra.bdd
    }

    /// The agents, in order.
    pub fn agents(&self) -> &[Name] {
        &self.evaluator.algebra.agents
    }

    /// For an explicit model: the assignment of a world. Derived variables follow from the law.
    pub(crate) fn world_code(&self, world: usize) -> Vec<(u32, bool)> {
        let code: Vec<(u32, bool)> = self.base.iter().enumerate().map(|(i, &v)| (v, world >> i & 1 == 1)).collect();
        let structure = self.structure(0);
        let rest: Vec<u32> = structure.frame.vars.iter().copied().filter(|v| !self.base.contains(v)).collect();
        let mut all = code.clone();
        if let Ok(derived) = self.bdd().restrict(&structure.law, &code)
            && let Some(values) = models(self.bdd(), &derived, &rest).next()
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
        self.evaluator.algebra.structure(stage)
    }

    /// Where the formula holds in the given model: meaningful where the state law holds.
    pub fn check(&mut self, formula: &F) -> Symbolic<B::F> {
        self.eval(0, formula)
    }

    /// Where a formula holds at a stage.
    pub fn eval(&mut self, stage: usize, formula: &F) -> Symbolic<B::F> {
        self.evaluator.formula(stage, formula)
    }

    /// Executes an action model, an announcement or `L[all] α` on a stage.
    pub fn update(&mut self, stage: usize, action: &Action) -> Symbolic<Rc<SymbolicUpdate<B>>> {
        let number = self.evaluator.core.action(action)?;
        self.evaluator.update(stage, number)
    }
}

impl<B: Bdd> Structures<B> {
    fn push(&mut self, structure: Structure<B>) -> usize {
        self.stages.push(Stage { structure, updates: HashMap::new() });
        self.stages.len() - 1
    }

    fn structure(&self, stage: usize) -> &Structure<B> {
        &self.stages[stage].structure
    }

    /// ∀(variables that nobody of the group observes)(θ → f): what the group knows together.
    fn pooled(&self, stage: usize, agents: &[usize], f: &B::F) -> Symbolic<B::F> {
        let structure = self.structure(stage);
        let cube = structure.unobserved(&self.bdd, agents)?;
        Ok(self.bdd.forall_imp(&structure.law, f, &cube)?)
    }

    /// ∃(variables that the agent does not observe)(θ ∧ f).
    fn possible(&self, stage: usize, agent: usize, f: &B::F) -> Symbolic<B::F> {
        let structure = self.structure(stage);
        let cube = structure.unobserved(&self.bdd, &[agent])?;
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
        let parts = agents.iter().map(|&a| self.pooled(stage, &[a], f)).collect::<Symbolic<_>>()?;
        Ok(all(&self.bdd, parts)?)
    }

    /// The worlds from which no world without f can be reached: grown from those without, agent after agent.
    fn common(&self, stage: usize, agents: &[usize], f: &B::F) -> Symbolic<B::F> {
        let law = &self.structure(stage).law;
        let no = self.bdd.not(f)?;
        let mut bad = self.bdd.and(law, &no)?;
        let mut settled = 0;
        for &agent in agents.iter().cycle() {
            let more = self.possible(stage, agent, &bad)?;
            let next = self.bdd.and(law, &more)?;
            settled = if next == bad { settled + 1 } else { 0 };
            bad = next;
            if settled >= agents.len() {
                break;
            }
        }
        Ok(self.bdd.not(&bad)?)
    }

    /// The agent and the proposition of which a formula of the core says that the agent does not know whether it holds.
    fn ignorance(core: &Core, part: Lit) -> Option<(usize, F)> {
        let (number, false) = part.parts() else { return None };
        let Node::All(parts) = core.node(number) else { return None };
        let [yes, no] = parts.as_slice() else { return None };
        let unknown = |lit: Lit| match (lit.parts(), core.node(lit.parts().0)) {
            ((_, true), Node::Known(Who::Agent(agent), body)) => Some((agent, body)),
            _ => None,
        };
        let ((agent, yes), (other, no)) = (unknown(*yes)?, unknown(*no)?);
        match core.node(yes.parts().0) {
            Node::Fact(fact) if agent == other && no == !yes && matches!(*fact, Formula::Atom(_)) => {
                Some((agent, fact))
            }
            _ => None,
        }
    }

    /// The only variable that the agent does not see, if the proposition is just that variable.
    fn own_blind_spot(&mut self, stage: usize, agent: usize, fact: &Formula) -> Symbolic<Option<u32>> {
        let Some(spot) = self.blind_spot(stage, agent) else { return Ok(None) };
        let function = self.fact(stage, fact)?;
        let itself = match self.bdd.split(&function) {
            Split::Node { var, .. } => var == spot && function == self.bdd.var(spot)?,
            Split::Const(_) => false,
        };
        Ok(itself.then_some(spot))
    }

    fn run(&mut self, stage: usize, execution: Execution<'_, B::F>) -> Symbolic<SymbolicUpdate<B>> {
        let action = execution.update.model.clone();
        let pre = execution.pre;
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
        let mut terms = Vec::new();
        for event in &action.events {
            let mut event_terms: Vec<(Name, Parts<B::F>)> = Vec::new();
            for change in &event.changes {
                if let Change::Var(name, term) = change {
                    event_terms.push((name.clone(), self.structure(stage).partition(&self.bdd, term)?));
                }
            }
            terms.push(event_terms);
        }
        let events = Events { pre, props: execution.props, terms, classes };
        let step = self.stages[stage].structure.step(&self.bdd, &events, &self.fresh)?;
        let after = self.push(step.after);
        Ok(SymbolicUpdate { action, stage: after, pre: events.pre, literals: step.literals })
    }
}

impl<B: Bdd> Algebra for Structures<B> {
    type Set = B::F;
    type Update = Rc<SymbolicUpdate<B>>;
    type Stop = Stopped;

    fn all(&mut self, _stage: usize) -> Symbolic<B::F> {
        Ok(self.bdd.constant(true))
    }

    fn fact(&mut self, stage: usize, fact: &Formula) -> Symbolic<B::F> {
        match fact {
            Formula::Atom(name) => {
                let found = self.structure(stage).atoms.get(name);
                Ok(found.cloned().unwrap_or_else(|| self.bdd.constant(false)))
            }
            Formula::Compare(cmp, a, b) => self.structure(stage).compare(&self.bdd, *cmp, a, b),
            _ => Ok(self.bdd.constant(false)),
        }
    }

    fn not(&mut self, _stage: usize, set: &B::F) -> Symbolic<B::F> {
        Ok(self.bdd.not(set)?)
    }

    fn meet(&mut self, _stage: usize, sets: Vec<B::F>) -> Symbolic<B::F> {
        Ok(all(&self.bdd, sets)?)
    }

    fn tally(&mut self, _stage: usize, tally: Tally, sets: Vec<B::F>) -> Symbolic<B::F> {
        Ok(match tally {
            Tally::Is(cmp, n) => count_of(&self.bdd, cmp, n, sets)?,
            Tally::Odd => odd(&self.bdd, sets)?,
        })
    }

    fn known(&mut self, stage: usize, who: &Who, set: &B::F) -> Symbolic<B::F> {
        match who {
            Who::Agent(agent) => self.pooled(stage, &[*agent], set),
            Who::Together(group) => self.pooled(stage, group, set),
            Who::Each(group) => self.everyone(stage, group, set),
            Who::Commonly(group) => self.common(stage, group, set),
        }
    }

    /// "Nobody knows whether …" by agents who each miss just the variable in question is one pass over the law: within
    /// it, `!Kw[a] p` is ∀p θ. Doing that agent by agent would pass over the law once for each.
    fn together(&mut self, core: &Core, stage: usize, parts: &[Lit]) -> Symbolic<(Vec<B::F>, Vec<Lit>)> {
        let (mut rest, mut spots) = (Vec::new(), Vec::new());
        for part in parts {
            if let Some((agent, fact)) = Structures::<B>::ignorance(core, *part)
                && let Some(spot) = self.own_blind_spot(stage, agent, &fact)?
            {
                spots.push(spot);
            } else {
                rest.push(*part);
            }
        }
        if spots.is_empty() {
            return Ok((Vec::new(), rest));
        }
        let nobody = distance_one_forall(&self.bdd, &self.structure(stage).law, &spots)?;
        Ok((vec![nobody], rest))
    }

    fn executed(&self, stage: usize, number: u32) -> Option<Rc<SymbolicUpdate<B>>> {
        self.stages[stage].updates.get(&number).cloned()
    }

    fn stage_after(&self, update: &Rc<SymbolicUpdate<B>>) -> usize {
        update.stage
    }

    fn execute(
        &mut self,
        stage: usize,
        number: u32,
        execution: Execution<'_, B::F>,
    ) -> Symbolic<Rc<SymbolicUpdate<B>>> {
        if execution.update.model.sights.iter().any(|(_, sight)| matches!(sight, Sight::Edges(_))) {
            return Err(CheckError::BeliefInSymbolic.into());
        }
        let update = Rc::new(self.run(stage, execution)?);
        self.stages[stage].updates.insert(number, update.clone());
        Ok(update)
    }

    fn back(&mut self, _stage: usize, update: &Rc<SymbolicUpdate<B>>, then: &B::F) -> Symbolic<B::F> {
        let mut results = Vec::new();
        for (e, event) in update.action.events.iter().enumerate() {
            if event.designated {
                let then = self.bdd.restrict(then, &update.literals[e])?;
                results.push(self.bdd.imp(&update.pre[e], &then)?);
            }
        }
        Ok(all(&self.bdd, results)?)
    }

    fn same(&self, a: &B::F, b: &B::F) -> bool {
        a == b
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
        let holds = checker.bdd().and(&law, &f)?;
        let mut set = BitSet::empty(kripke.size());
        for world in 0..kripke.size() {
            let literals: Vec<(u32, bool)> = base.iter().enumerate().map(|(i, &v)| (v, world >> i & 1 == 1)).collect();
            // What remains is the one assignment of the derived variables, or nothing.
            let rest = checker.bdd().restrict(&holds, &literals)?;
            if !matches!(checker.bdd().split(&rest), Split::Const(false)) {
                set.insert(world);
            }
        }
        sets.push(set);
    }
    Ok(sets)
}
