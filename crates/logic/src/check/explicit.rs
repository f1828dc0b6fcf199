//! The explicit engine: sets of worlds, model by model.

use super::limits::{CheckError, Limit, Limits};
use crate::formula::{Action, ActionModel, Change, F, Formula, Group, Name, Sight};
use crate::model::kripke::{Classes, Relation};
use crate::model::{BitSet, Kripke};
use crate::stop;
use crate::update::{Changes, Keep, Product, contract, product, resolve};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Checks formulas on an explicit model, keeping every updated model and every answer for later questions.
pub struct Explicit {
    stages: Vec<Stage>,
    /// Formulas whose parts are keys of the memos: kept alive so that no address is used twice.
    roots: Vec<F>,
    limits: Limits,
    contracting: bool,
    keep: Keep,
}

/// A model reached by updates, with what is known about it.
struct Stage {
    model: Kripke,
    memo: HashMap<*const Formula, Rc<BitSet>>,
    updates: HashMap<(usize, Keep), Rc<Update>>,
    common: HashMap<Vec<usize>, Rc<Relation>>,
}

/// One executed action: the stage after it and how worlds correspond.
pub struct Update {
    /// The action model that was executed.
    pub action: Arc<ActionModel>,
    /// The stage after it.
    pub stage: usize,
    /// Old worlds and events of the worlds before contraction.
    pub product: Product,
    /// For each world before contraction, the world after it.
    pub contracted: Option<Vec<u32>>,
}

impl Update {
    /// The world of the stage after the update for an old world and an event.
    pub fn find(&self, world: usize, event: usize) -> Option<usize> {
        let at = self.product.find(world, event)?;
        Some(self.contracted.as_ref().map_or(at, |map| map[at] as usize))
    }
}

type Checked<T> = Result<T, CheckError>;

impl Explicit {
    /// A checker for the model.
    pub fn new(model: Kripke, limits: Limits) -> Explicit {
        let mut checker =
            Explicit { stages: Vec::new(), roots: Vec::new(), limits, contracting: true, keep: Keep::Bisimilar };
        checker.push(model);
        checker
    }

    /// Switches the contraction of updated models on or off; it never changes an answer.
    pub fn contracting(mut self, on: bool) -> Explicit {
        self.contracting = on;
        self
    }

    fn push(&mut self, model: Kripke) -> usize {
        self.stages.push(Stage { model, memo: HashMap::new(), updates: HashMap::new(), common: HashMap::new() });
        self.stages.len() - 1
    }

    /// The model of a stage; stage 0 is the model that was given.
    pub fn model(&self, stage: usize) -> &Kripke {
        &self.stages[stage].model
    }

    /// The worlds of the given model at which the formula holds.
    pub fn check(&mut self, formula: &F) -> Checked<BitSet> {
        self.roots.push(formula.clone());
        let collective = formula.any(&mut |f| matches!(f, Formula::Distributed(..)));
        self.keep = if collective { Keep::Everything } else { Keep::Bisimilar };
        Ok((*self.eval(0, formula)?).clone())
    }

    /// The worlds of a stage at which a formula holds. The formula must be part of one that was checked.
    pub fn eval(&mut self, stage: usize, formula: &F) -> Checked<Rc<BitSet>> {
        let key = Arc::as_ptr(formula);
        if let Some(found) = self.stages[stage].memo.get(&key) {
            return Ok(found.clone());
        }
        stop::go_on()?;
        let set = Rc::new(self.compute(stage, formula)?);
        stop::go_on()?;
        self.stages[stage].memo.insert(key, set.clone());
        Ok(set)
    }

    fn compute(&mut self, stage: usize, formula: &F) -> Checked<BitSet> {
        let size = self.model(stage).size();
        Ok(match &**formula {
            Formula::Const(true) => BitSet::full(size),
            Formula::Const(false) => BitSet::empty(size),
            Formula::Atom(name) => self.model(stage).column(name).cloned().unwrap_or_else(|| BitSet::empty(size)),
            Formula::Compare(cmp, a, b) => {
                let model = self.model(stage);
                BitSet::from_fn(size, |world| {
                    let lookup = |name: &str| model.value(name, world).cloned();
                    match (a.eval(&lookup), b.eval(&lookup)) {
                        (Some(x), Some(y)) => cmp.admits(x.cmp(&y)),
                        _ => false,
                    }
                })
            }
            Formula::Not(f) => (*self.eval(stage, f)?).clone().complement(),
            Formula::And(parts) => {
                let mut all = BitSet::full(size);
                for part in parts {
                    all.intersect(&*self.eval(stage, part)?);
                }
                all
            }
            Formula::Or(parts) => {
                let mut any = BitSet::empty(size);
                for part in parts {
                    any.unite(&*self.eval(stage, part)?);
                }
                any
            }
            Formula::Imp(a, b) => {
                let mut set = (*self.eval(stage, a)?).clone().complement();
                set.unite(&*self.eval(stage, b)?);
                set
            }
            Formula::Iff(a, b) => {
                let mut set = (*self.eval(stage, a)?).clone().complement();
                set.toggle(&*self.eval(stage, b)?);
                set
            }
            Formula::Xor(parts) => {
                let mut odd = BitSet::empty(size);
                for part in parts {
                    odd.toggle(&*self.eval(stage, part)?);
                }
                odd
            }
            Formula::Count(cmp, n, parts) => {
                let mut counts = vec![0u64; size];
                for part in parts {
                    for world in self.eval(stage, part)?.iter() {
                        counts[world] += 1;
                    }
                }
                BitSet::from_fn(size, |w| cmp.admits(counts[w].cmp(n)))
            }
            Formula::Knows(agent, f) => {
                let set = self.eval(stage, f)?;
                self.box_over(stage, agent, &set)?
            }
            Formula::Possible(agent, f) => {
                let set = (*self.eval(stage, f)?).clone().complement();
                self.box_over(stage, agent, &set)?.complement()
            }
            Formula::KnowsWhether(agent, f) => {
                let yes = self.eval(stage, f)?;
                let no = (*yes).clone().complement();
                let mut either = self.box_over(stage, agent, &yes)?;
                either.unite(&self.box_over(stage, agent, &no)?);
                either
            }
            Formula::Everyone(group, f) => {
                let set = self.eval(stage, f)?;
                let mut all = BitSet::full(size);
                for agent in self.members(stage, group)? {
                    all.intersect(&necessarily(self.model(stage).relation(agent), &set));
                }
                all
            }
            Formula::Common(group, f) => {
                let set = self.eval(stage, f)?;
                match self.closure(stage, group)? {
                    Some(classes) => necessarily(&classes, &set),
                    None => {
                        let members = self.members(stage, group)?;
                        everywhere_reachable(self.model(stage), &members, &set)
                    }
                }
            }
            Formula::Distributed(group, f) => {
                let set = self.eval(stage, f)?;
                let members = self.members(stage, group)?;
                necessarily(&intersection(self.model(stage), &members), &set)
            }
            Formula::After(action, f) => self.after(stage, &mut vec![action], f, false)?,
            Formula::Can(action, f) => self.after(stage, &mut vec![action], f, true)?,
            Formula::Path(..)
            | Formula::Until(..)
            | Formula::Ensure(..)
            | Formula::EnsureUntil(..)
            | Formula::Ought(..) => return Err(CheckError::Temporal),
        })
    }

    fn agent(&self, stage: usize, name: &Name) -> Checked<usize> {
        self.model(stage).agent(name).ok_or_else(|| CheckError::UnknownAgent(name.clone()))
    }

    /// The indices of the agents in a group.
    pub fn members(&self, stage: usize, group: &Group) -> Checked<Vec<usize>> {
        match group {
            Group::All => Ok((0..self.model(stage).agents().len()).collect()),
            Group::Of(names) => names.iter().map(|name| self.agent(stage, name)).collect(),
        }
    }

    fn box_over(&self, stage: usize, agent: &Name, set: &BitSet) -> Checked<BitSet> {
        let agent = self.agent(stage, agent)?;
        Ok(necessarily(self.model(stage).relation(agent), set))
    }

    /// The classes of the closure of the union; `None` if some member's relation is not an equivalence.
    fn closure(&mut self, stage: usize, group: &Group) -> Checked<Option<Rc<Relation>>> {
        let members = self.members(stage, group)?;
        if let Some(found) = self.stages[stage].common.get(&members) {
            return Ok(Some(found.clone()));
        }
        let model = self.model(stage);
        let classes: Option<Vec<&Classes>> = members
            .iter()
            .map(|&a| match model.relation(a) {
                Relation::Classes(c) => Some(c),
                Relation::Edges(_) => None,
            })
            .collect();
        let Some(classes) = classes else { return Ok(None) };
        let relation = Rc::new(Relation::Classes(Classes::join(model.size(), classes.into_iter())));
        self.stages[stage].common.insert(members, relation.clone());
        Ok(Some(relation))
    }

    /// `[α₁; α₂; …] f` or `<…> f`, the next action last in `todo`.
    fn after(&mut self, stage: usize, todo: &mut Vec<&Action>, f: &F, diamond: bool) -> Checked<BitSet> {
        let Some(action) = todo.pop() else { return Ok((*self.eval(stage, f)?).clone()) };
        let result = match action {
            Action::Test(test) => {
                let test = self.eval(stage, test)?;
                let mut then = self.after(stage, todo, f, diamond)?;
                if diamond {
                    then.intersect(&test);
                } else {
                    then.unite(&(*test).clone().complement());
                }
                then
            }
            Action::Seq(parts) => {
                let depth = todo.len();
                todo.extend(parts.iter().rev());
                let result = self.after(stage, todo, f, diamond)?;
                todo.truncate(depth);
                result
            }
            Action::Choice(parts) => {
                let mut parts = parts.iter();
                let mut result = match parts.next() {
                    Some(first) => self.branch(stage, first, todo, f, diamond)?,
                    None if diamond => BitSet::empty(self.model(stage).size()),
                    None => BitSet::full(self.model(stage).size()),
                };
                for part in parts {
                    let other = self.branch(stage, part, todo, f, diamond)?;
                    if diamond {
                        result.unite(&other);
                    } else {
                        result.intersect(&other);
                    }
                }
                result
            }
            Action::Both(a, b) => {
                let mut result = self.branch(stage, a, todo, f, diamond)?;
                let other = self.branch(stage, b, todo, f, diamond)?;
                if diamond {
                    result.intersect(&other);
                } else {
                    result.unite(&other);
                }
                result
            }
            Action::Learn(..) | Action::Announce(_) | Action::Model(_) => {
                let update = self.update(stage, action)?;
                let then = self.after(update.stage, todo, f, diamond)?;
                self.back(stage, &update, &then, diamond)
            }
            Action::Local(_) => return Err(crate::update::BrokenAction::Mark.into()),
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
    ) -> Checked<BitSet> {
        todo.push(part);
        let result = self.after(stage, todo, f, diamond)?;
        todo.pop();
        Ok(result)
    }

    /// The worlds before an update from which every (or some) designated event leads into `then`.
    fn back(&self, stage: usize, update: &Update, then: &BitSet, diamond: bool) -> BitSet {
        let size = self.model(stage).size();
        let mut result = if diamond { BitSet::empty(size) } else { BitSet::full(size) };
        for (i, (&world, &event)) in update.product.world.iter().zip(&update.product.event).enumerate() {
            if !update.action.events[event as usize].designated {
                continue;
            }
            let at = update.contracted.as_ref().map_or(i, |map| map[i] as usize);
            match (then.contains(at), diamond) {
                (true, true) => result.insert(world as usize),
                (false, false) => result.remove(world as usize),
                _ => {}
            }
        }
        result
    }

    /// Executes an action model, an announcement or `L[all] α` on a stage.
    pub fn update(&mut self, stage: usize, action: &Action) -> Checked<Rc<Update>> {
        let key = (action.address(), self.keep);
        if let Some(found) = self.stages[stage].updates.get(&key) {
            return Ok(found.clone());
        }
        let model = match action {
            Action::Model(model) => model.clone(),
            _ => Arc::new(resolve(action, self.model(stage).agents())?),
        };
        let private = model.sights.iter().any(|(_, s)| matches!(s, Sight::Edges(_)));
        if private && !self.model(stage).is_belief() {
            return Err(CheckError::BeliefInS5(model.name.clone()));
        }
        // The update keeps the preconditions alive, but there is none if a limit or an error comes first.
        self.roots.extend(model.events.iter().map(|e| e.pre.clone()));
        let mut pre = Vec::new();
        let mut total = 0;
        for event in &model.events {
            let holds = self.eval(stage, &event.pre)?;
            total += holds.count();
            pre.push((*holds).clone());
        }
        if total > self.limits.worlds {
            return Err(Limit::Worlds(self.limits.worlds).into());
        }
        let changes = self.changes(stage, &model)?;
        let product = product(self.model(stage), &model, &pre, &changes);
        stop::go_on()?;
        let worth = self.contracting && product.model.size() > 16 && model.events.len() > 1;
        let (after, contracted) = if worth {
            let contraction = contract(&product.model, self.keep);
            (contraction.model, Some(contraction.world))
        } else {
            (product.model.clone(), None)
        };
        stop::go_on()?;
        let after = self.push(after);
        let update = Rc::new(Update { action: model, stage: after, product, contracted });
        self.stages[stage].updates.insert(key, update.clone());
        Ok(update)
    }

    /// The changes of every event, evaluated at every world.
    fn changes(&mut self, stage: usize, model: &ActionModel) -> Checked<Changes> {
        let mut props = Vec::new();
        let mut vars = Vec::new();
        for event in &model.events {
            let (mut event_props, mut event_vars) = (Vec::new(), Vec::new());
            for change in &event.changes {
                match change {
                    Change::Prop(name, f) => {
                        let value = (*self.eval(stage, f)?).clone();
                        let kripke = &mut self.stages[stage].model;
                        let at = kripke.props.iter().position(|p| p == name).unwrap_or_else(|| {
                            // A proposition that is listed nowhere was false everywhere until now.
                            kripke.props.push(name.clone());
                            kripke.columns.push(BitSet::empty(kripke.size));
                            kripke.props.len() - 1
                        });
                        event_props.push((at, value));
                    }
                    Change::Var(name, term) => {
                        let kripke = self.model(stage);
                        let Some(at) = kripke.vars.iter().position(|v| v.name == *name) else { continue };
                        let values = (0..kripke.size())
                            .map(|world| {
                                // A new value that is undefined (division by zero, overflow) leaves the old one.
                                let lookup = |x: &str| kripke.value(x, world).cloned();
                                term.eval(&lookup).unwrap_or_else(|| kripke.vars[at].values[world].clone())
                            })
                            .collect();
                        event_vars.push((at, values));
                    }
                }
            }
            props.push(event_props);
            vars.push(event_vars);
        }
        Ok(Changes { props, vars })
    }
}

/// The worlds all of whose alternatives are in the set.
pub(crate) fn necessarily(relation: &Relation, set: &BitSet) -> BitSet {
    match relation {
        Relation::Classes(c) => {
            let mut fine = vec![true; c.count as usize];
            for (world, &class) in c.of.iter().enumerate() {
                fine[class as usize] &= set.contains(world);
            }
            BitSet::from_fn(c.of.len(), |w| fine[c.of[w] as usize])
        }
        Relation::Edges(e) => BitSet::from_fn(set.universe(), |w| e.from(w).iter().all(|&v| set.contains(v as usize))),
    }
}

/// The intersection of the agents' relations.
pub(crate) fn intersection(model: &Kripke, agents: &[usize]) -> Relation {
    let mut meet: Option<Relation> = None;
    for &agent in agents {
        let relation = model.relation(agent);
        meet = Some(match meet {
            None => relation.clone(),
            Some(Relation::Classes(a)) if let Relation::Classes(b) = relation => Relation::Classes(a.meet(b)),
            Some(other) => {
                let related = |r: &Relation, w: usize, v: u32| match r {
                    Relation::Classes(c) => c.of[w] == c.of[v as usize],
                    Relation::Edges(e) => e.from(w).binary_search(&v).is_ok(),
                };
                let mut pairs = Vec::new();
                for w in (0..model.size()).take_while(|_| !stop::asked()) {
                    let targets: Vec<u32> = match &other {
                        Relation::Edges(e) => e.from(w).to_vec(),
                        Relation::Classes(c) => {
                            (0..model.size() as u32).filter(|&v| c.of[v as usize] == c.of[w]).collect()
                        }
                    };
                    pairs.extend(targets.into_iter().filter(|&v| related(relation, w, v)).map(|v| (w as u32, v)));
                }
                Relation::Edges(crate::model::kripke::Edges::from_pairs(model.size(), pairs))
            }
        });
    }
    meet.unwrap_or_else(|| Relation::Classes(Classes { of: vec![0; model.size()], count: 1 }))
}

/// Common belief: the worlds from which only worlds of the set can be reached, themselves included.
fn everywhere_reachable(model: &Kripke, agents: &[usize], set: &BitSet) -> BitSet {
    let mut good = set.clone();
    loop {
        let mut next = good.clone();
        for &agent in agents {
            next.intersect(&necessarily(model.relation(agent), &good));
        }
        if next == good || stop::asked() {
            return good;
        }
        good = next;
    }
}
