//! The explicit engine: sets of worlds, model by model.

use super::core::{Core, Tally, Who};
use super::evaluate::{Algebra, Evaluator, Execution};
use super::limits::{CheckError, Limit, Limits};
use crate::formula::{Action, ActionModel, Change, F, Formula, Sight};
use crate::model::kripke::{Classes, Relation};
use crate::model::{BitSet, Kripke};
use crate::stop;
use crate::update::{Changes, Keep, Product, contract, product};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

type Checked<T> = Result<T, CheckError>;

/// Checks formulas on an explicit model, keeping every updated model and every answer for later questions.
pub struct Explicit(Evaluator<Worlds>);

/// Sets of worlds, of a model and of those that updates make of it.
struct Worlds {
    stages: Vec<Stage>,
    limits: Limits,
    contracting: bool,
    keep: Keep,
}

/// A model reached by updates, with what is known about it.
struct Stage {
    model: Kripke,
    updates: HashMap<(u32, Keep), Rc<Update>>,
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

impl Explicit {
    /// A checker for the model.
    pub fn new(model: Kripke, limits: Limits) -> Explicit {
        let core = Core::new(model.agents());
        let mut worlds = Worlds { stages: Vec::new(), limits, contracting: true, keep: Keep::Bisimilar };
        worlds.push(model);
        Explicit(Evaluator::new(worlds, core))
    }

    /// Switches the contraction of updated models on or off; it never changes an answer.
    pub fn contracting(mut self, on: bool) -> Explicit {
        self.0.algebra.contracting = on;
        self
    }

    /// The model of a stage; stage 0 is the model that was given.
    pub fn model(&self, stage: usize) -> &Kripke {
        self.0.algebra.model(stage)
    }

    /// The worlds of the given model at which the formula holds.
    pub fn check(&mut self, formula: &F) -> Checked<BitSet> {
        let collective = formula.any(&mut |f| matches!(f, Formula::Distributed(..)));
        self.0.algebra.keep = if collective { Keep::Everything } else { Keep::Bisimilar };
        Ok((*self.eval(0, formula)?).clone())
    }

    /// The worlds of a stage at which a formula holds.
    pub fn eval(&mut self, stage: usize, formula: &F) -> Checked<Rc<BitSet>> {
        self.0.formula(stage, formula)
    }

    /// Executes an action model, an announcement or `L[all] α` on a stage.
    pub fn update(&mut self, stage: usize, action: &Action) -> Checked<Rc<Update>> {
        let number = self.0.core.action(action)?;
        self.0.update(stage, number)
    }
}

impl Worlds {
    fn push(&mut self, model: Kripke) -> usize {
        self.stages.push(Stage { model, updates: HashMap::new(), common: HashMap::new() });
        self.stages.len() - 1
    }

    fn model(&self, stage: usize) -> &Kripke {
        &self.stages[stage].model
    }

    /// The classes of the closure of the union; `None` if some member's relation is not an equivalence.
    fn closure(&mut self, stage: usize, members: &[usize]) -> Option<Rc<Relation>> {
        if let Some(found) = self.stages[stage].common.get(members) {
            return Some(found.clone());
        }
        let model = self.model(stage);
        let classes: Option<Vec<&Classes>> = members
            .iter()
            .map(|&a| match model.relation(a) {
                Relation::Classes(c) => Some(c),
                Relation::Edges(_) => None,
            })
            .collect();
        let relation = Rc::new(Relation::Classes(Classes::join(model.size(), classes?.into_iter())));
        self.stages[stage].common.insert(members.to_vec(), relation.clone());
        Some(relation)
    }

    /// The changes of every event, evaluated at every world.
    fn changes(&mut self, stage: usize, execution: &Execution<'_, Rc<BitSet>>) -> Changes {
        let mut props = Vec::new();
        let mut vars = Vec::new();
        for (event, becomes) in execution.update.model.events.iter().zip(&execution.props) {
            let kripke = &mut self.stages[stage].model;
            let mut event_props = Vec::new();
            for (name, value) in becomes {
                let at = kripke.props.iter().position(|p| p == name).unwrap_or_else(|| {
                    // A proposition that is listed nowhere was false everywhere until now.
                    kripke.props.push(name.clone());
                    kripke.columns.push(BitSet::empty(kripke.size));
                    kripke.props.len() - 1
                });
                event_props.push((at, (**value).clone()));
            }
            let mut event_vars = Vec::new();
            for change in &event.changes {
                let Change::Var(name, term) = change else { continue };
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
            props.push(event_props);
            vars.push(event_vars);
        }
        Changes { props, vars }
    }
}

impl Algebra for Worlds {
    type Set = Rc<BitSet>;
    type Update = Rc<Update>;
    type Stop = CheckError;

    fn all(&mut self, stage: usize) -> Checked<Rc<BitSet>> {
        Ok(Rc::new(BitSet::full(self.model(stage).size())))
    }

    fn fact(&mut self, stage: usize, fact: &Formula) -> Checked<Rc<BitSet>> {
        let model = self.model(stage);
        let size = model.size();
        Ok(Rc::new(match fact {
            Formula::Atom(name) => model.column(name).cloned().unwrap_or_else(|| BitSet::empty(size)),
            Formula::Compare(cmp, a, b) => BitSet::from_fn(size, |world| {
                let lookup = |name: &str| model.value(name, world).cloned();
                match (a.eval(&lookup), b.eval(&lookup)) {
                    (Some(x), Some(y)) => cmp.admits(x.cmp(&y)),
                    _ => false,
                }
            }),
            _ => BitSet::empty(size),
        }))
    }

    fn not(&mut self, _stage: usize, set: &Rc<BitSet>) -> Checked<Rc<BitSet>> {
        Ok(Rc::new((**set).clone().complement()))
    }

    fn meet(&mut self, stage: usize, sets: Vec<Rc<BitSet>>) -> Checked<Rc<BitSet>> {
        let mut sets = sets.into_iter();
        let Some(first) = sets.next() else { return self.all(stage) };
        let mut all = (*first).clone();
        sets.for_each(|set| all.intersect(&set));
        Ok(Rc::new(all))
    }

    fn tally(&mut self, stage: usize, tally: Tally, sets: Vec<Rc<BitSet>>) -> Checked<Rc<BitSet>> {
        let size = self.model(stage).size();
        if tally == Tally::Odd {
            let mut odd = BitSet::empty(size);
            sets.iter().for_each(|set| odd.toggle(set));
            return Ok(Rc::new(odd));
        }
        let mut counts = vec![0u64; size];
        sets.iter().flat_map(|set| set.iter()).for_each(|world| counts[world] += 1);
        Ok(Rc::new(BitSet::from_fn(size, |world| tally.admits(counts[world]))))
    }

    fn known(&mut self, stage: usize, who: &Who, set: &Rc<BitSet>) -> Checked<Rc<BitSet>> {
        Ok(Rc::new(match who {
            Who::Agent(agent) => necessarily(self.model(stage).relation(*agent), set),
            Who::Each(group) => {
                let model = self.model(stage);
                let mut all = BitSet::full(model.size());
                group.iter().for_each(|&agent| all.intersect(&necessarily(model.relation(agent), set)));
                all
            }
            Who::Together(group) => necessarily(&intersection(self.model(stage), group), set),
            Who::Commonly(group) => match self.closure(stage, group) {
                Some(classes) => necessarily(&classes, set),
                None => everywhere_reachable(self.model(stage), group, set),
            },
        }))
    }

    fn executed(&self, stage: usize, number: u32) -> Option<Rc<Update>> {
        self.stages[stage].updates.get(&(number, self.keep)).cloned()
    }

    fn stage_after(&self, update: &Rc<Update>) -> usize {
        update.stage
    }

    fn execute(&mut self, stage: usize, number: u32, execution: Execution<'_, Rc<BitSet>>) -> Checked<Rc<Update>> {
        let action = execution.update.model.clone();
        let private = action.sights.iter().any(|(_, sight)| matches!(sight, Sight::Edges(_)));
        if private && !self.model(stage).is_belief() {
            return Err(CheckError::BeliefInS5(action.name.clone()));
        }
        if execution.pre.iter().map(|set| set.count()).sum::<usize>() > self.limits.worlds {
            return Err(Limit::Worlds(self.limits.worlds).into());
        }
        let changes = self.changes(stage, &execution);
        let pre: Vec<BitSet> = execution.pre.iter().map(|set| (**set).clone()).collect();
        let product = product(self.model(stage), &action, &pre, &changes);
        stop::go_on()?;
        let worth = self.contracting && product.model.size() > 16 && action.events.len() > 1;
        let (after, contracted) = if worth {
            let contraction = contract(&product.model, self.keep);
            (contraction.model, Some(contraction.world))
        } else {
            (product.model.clone(), None)
        };
        stop::go_on()?;
        let after = self.push(after);
        let update = Rc::new(Update { action, stage: after, product, contracted });
        self.stages[stage].updates.insert((number, self.keep), update.clone());
        Ok(update)
    }

    fn back(&mut self, stage: usize, update: &Rc<Update>, then: &Rc<BitSet>) -> Checked<Rc<BitSet>> {
        let mut result = BitSet::full(self.model(stage).size());
        for (i, (&world, &event)) in update.product.world.iter().zip(&update.product.event).enumerate() {
            let at = update.contracted.as_ref().map_or(i, |map| map[i] as usize);
            if update.action.events[event as usize].designated && !then.contains(at) {
                result.remove(world as usize);
            }
        }
        Ok(Rc::new(result))
    }

    fn same(&self, a: &Rc<BitSet>, b: &Rc<BitSet>) -> bool {
        a == b
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
