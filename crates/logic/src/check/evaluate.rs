//! Truth on any algebra of sets: the one evaluator of the core.
//!
//! An engine is an [`Algebra`]: what a set of worlds, states or points is, and what a fact, a conjunction, knowledge, an
//! update and a step make of sets. Where an engine knows a faster way (a fixpoint by a work list, knowledge by one pass over
//! a diagram) it is inside a method of the algebra; what a formula means is only here.

use super::CheckError;
use super::core::{Core, Deed, Goal, Lit, Node, Steps, Tally, Update, Who};
use super::linear::{Automaton, Line};
use crate::formula::{F, Formula, Group, Name};
use crate::progress::{self, Stage};
use crate::stop;
use std::collections::HashMap;
use std::rc::Rc;

/// A program whose tests have been evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Moves<S> {
    /// Any step.
    Any,
    /// A step of this name.
    Action(Name),
    /// One after the other.
    Seq(Vec<Moves<S>>),
    /// One of these.
    Choice(Vec<Moves<S>>),
    /// Any number of times.
    Star(Box<Moves<S>>),
    /// No step, within the set.
    Test(S),
}

/// An update whose preconditions and assignments have been evaluated.
pub(crate) struct Execution<'u, S> {
    /// The update.
    pub(crate) update: &'u Update,
    /// Where each event can happen.
    pub(crate) pre: Vec<S>,
    /// For each event, what the propositions that it changes become.
    pub(crate) props: Vec<Vec<(Name, S)>>,
}

type Done<A, T> = Result<T, <A as Algebra>::Stop>;

/// Sets of worlds, states or points, and what the core needs of them.
///
/// A model that has been updated is a *stage*; stage 0 is the model that was given. A system has no other. What an engine
/// does not have (time in a model of worlds, updates in a system) it refuses.
pub(crate) trait Algebra: Sized {
    /// A set.
    type Set: Clone;
    /// An update that was executed.
    type Update: Clone;
    /// Why there is no set.
    type Stop: From<CheckError>;

    /// All of a stage.
    fn all(&mut self, stage: usize) -> Done<Self, Self::Set>;

    /// Where a proposition, or a comparison of terms, holds.
    fn fact(&mut self, stage: usize, fact: &Formula) -> Done<Self, Self::Set>;

    /// The complement.
    fn not(&mut self, stage: usize, set: &Self::Set) -> Done<Self, Self::Set>;

    /// The intersection.
    fn meet(&mut self, stage: usize, sets: Vec<Self::Set>) -> Done<Self, Self::Set>;

    /// What is in as many of the sets as asked for.
    fn tally(&mut self, stage: usize, tally: Tally, sets: Vec<Self::Set>) -> Done<Self, Self::Set>;

    /// Where somebody can exclude everything outside the set.
    fn known(&mut self, stage: usize, who: &Who, set: &Self::Set) -> Done<Self, Self::Set>;

    /// The result of `known` if the engine has it already; the body is then not evaluated.
    fn found(&mut self, _who: &Who, _body: Lit) -> Done<Self, Option<Self::Set>> {
        Ok(None)
    }

    /// Parts of a conjunction for which there is a faster way together than one by one: their sets, and the other parts.
    fn together(&mut self, _core: &Core, _stage: usize, parts: &[Lit]) -> Done<Self, (Vec<Self::Set>, Vec<Lit>)> {
        Ok((Vec::new(), parts.to_vec()))
    }

    /// Executes an update, and keeps it.
    fn execute(
        &mut self,
        _stage: usize,
        _number: u32,
        _execution: Execution<'_, Self::Set>,
    ) -> Done<Self, Self::Update> {
        Err(CheckError::NotHere("knowledge actions `[α]` and time do not go into one formula").into())
    }

    /// An update that has been executed.
    fn executed(&self, _stage: usize, _number: u32) -> Option<Self::Update> {
        None
    }

    /// The stage after an update.
    fn stage_after(&self, update: &Self::Update) -> usize;

    /// Where every designated event of an update leads into a set of the stage after it.
    fn back(&mut self, stage: usize, update: &Self::Update, then: &Self::Set) -> Done<Self, Self::Set>;

    /// Where some execution of the program leads into the set, and a run goes on from there.
    fn next(&mut self, _program: (&Steps, &Moves<Self::Set>), _set: &Self::Set) -> Done<Self, Self::Set> {
        Err(CheckError::Temporal.into())
    }

    /// Where on some run of the program the first holds until the second does.
    fn until(
        &mut self,
        _program: (&Steps, &Moves<Self::Set>),
        _a: &Self::Set,
        _b: &Self::Set,
    ) -> Done<Self, Self::Set> {
        Err(CheckError::Temporal.into())
    }

    /// Where on some run of the program the set is never left.
    fn lasting(&mut self, _program: (&Steps, &Moves<Self::Set>), _set: &Self::Set) -> Done<Self, Self::Set> {
        Err(CheckError::Temporal.into())
    }

    /// Where the group can make sure.
    fn ensure(&mut self, _group: &Group, _goal: Aim<'_, Self::Set>) -> Done<Self, Self::Set> {
        Err(CheckError::Temporal.into())
    }

    /// Everything if the set holds wherever the agent is as it ought to be, else nothing.
    fn ought(&mut self, _agent: usize, _set: &Self::Set) -> Done<Self, Self::Set> {
        Err(CheckError::Temporal.into())
    }

    /// Where a step leads into the set, among points on fair runs.
    fn before(&mut self, _set: &Self::Set) -> Done<Self, Self::Set> {
        Err(CheckError::Temporal.into())
    }

    /// What must hold again and again on a fair run.
    fn conditions(&mut self) -> Vec<Self::Set> {
        Vec::new()
    }

    /// The part of a set on fair runs.
    fn counting(&mut self, set: &Self::Set) -> Done<Self, Self::Set> {
        Ok(set.clone())
    }

    /// Whether two sets are the same.
    fn same(&self, a: &Self::Set, b: &Self::Set) -> bool;
}

/// What a group makes sure of, in sets.
pub(crate) enum Aim<'s, S> {
    /// The set holds next.
    Next(&'s S),
    /// The set holds as long as the run goes on.
    Always(&'s S),
    /// The first holds until the second does.
    Until(&'s S, &'s S),
}

/// Evaluates formulas, and remembers what it found.
pub(crate) struct Evaluator<A: Algebra> {
    pub(crate) algebra: A,
    pub(crate) core: Core,
    memo: HashMap<(usize, u32), A::Set>,
    accepted: HashMap<u32, Accepted<A::Set>>,
}

impl<A: Algebra> Evaluator<A> {
    pub(crate) fn new(algebra: A, core: Core) -> Evaluator<A> {
        Evaluator { algebra, core, memo: HashMap::new(), accepted: HashMap::new() }
    }

    /// Where a formula holds.
    pub(crate) fn formula(&mut self, stage: usize, f: &F) -> Done<A, A::Set> {
        let lit = self.core.lower(f)?;
        self.eval(stage, lit)
    }

    /// Where a formula of the core holds.
    pub(crate) fn eval(&mut self, stage: usize, lit: Lit) -> Done<A, A::Set> {
        let (number, negated) = lit.parts();
        let set = match self.memo.get(&(stage, number)) {
            Some(found) => found.clone(),
            None => {
                stop::go_on().map_err(CheckError::from)?;
                let set = self.compute(stage, number)?;
                stop::go_on().map_err(CheckError::from)?;
                self.memo.insert((stage, number), set.clone());
                progress::report(Stage::Formulas, self.memo.len());
                set
            }
        };
        if negated { self.algebra.not(stage, &set) } else { Ok(set) }
    }

    fn eval_all(&mut self, stage: usize, parts: &[Lit]) -> Done<A, Vec<A::Set>> {
        parts.iter().map(|part| self.eval(stage, *part)).collect()
    }

    fn compute(&mut self, stage: usize, number: u32) -> Done<A, A::Set> {
        match self.core.node(number) {
            Node::True => self.algebra.all(stage),
            Node::Fact(fact) => self.algebra.fact(stage, &fact),
            Node::All(parts) => {
                let core = self.core.clone();
                let (mut sets, rest) = self.algebra.together(&core, stage, &parts)?;
                sets.extend(self.eval_all(stage, &rest)?);
                self.algebra.meet(stage, sets)
            }
            Node::Count(tally, parts) => {
                let sets = self.eval_all(stage, &parts)?;
                self.algebra.tally(stage, tally, sets)
            }
            Node::Known(who, body) => {
                if let Some(found) = self.algebra.found(&who, body)? {
                    return Ok(found);
                }
                let set = self.eval(stage, body)?;
                self.algebra.known(stage, &who, &set)
            }
            Node::After(deed, body) => self.after(stage, &mut vec![&deed], body),
            Node::Next(steps, body) => {
                let (moves, set) = (self.moves(stage, &steps)?, self.eval(stage, body)?);
                self.algebra.next((&steps, &moves), &set)
            }
            Node::Until(steps, a, b) => {
                let moves = self.moves(stage, &steps)?;
                let (a, b) = (self.eval(stage, a)?, self.eval(stage, b)?);
                self.algebra.until((&steps, &moves), &a, &b)
            }
            Node::Lasting(steps, body) => {
                let (moves, set) = (self.moves(stage, &steps)?, self.eval(stage, body)?);
                self.algebra.lasting((&steps, &moves), &set)
            }
            Node::Run(line) => self.run(stage, number, &line),
            Node::Ensure(group, Goal::Next(body)) => {
                let set = self.eval(stage, body)?;
                self.algebra.ensure(&group, Aim::Next(&set))
            }
            Node::Ensure(group, Goal::Always(body)) => {
                let set = self.eval(stage, body)?;
                self.algebra.ensure(&group, Aim::Always(&set))
            }
            Node::Ensure(group, Goal::Until(a, b)) => {
                let (a, b) = (self.eval(stage, a)?, self.eval(stage, b)?);
                self.algebra.ensure(&group, Aim::Until(&a, &b))
            }
            Node::Ought(agent, body) => {
                let set = self.eval(stage, body)?;
                self.algebra.ought(agent, &set)
            }
        }
    }

    fn moves(&mut self, stage: usize, steps: &Steps) -> Done<A, Moves<A::Set>> {
        Ok(match steps {
            Steps::Any => Moves::Any,
            Steps::Action(name) => Moves::Action(name.clone()),
            Steps::Seq(parts) => {
                Moves::Seq(parts.iter().map(|part| self.moves(stage, part)).collect::<Done<A, Vec<_>>>()?)
            }
            Steps::Choice(parts) => {
                Moves::Choice(parts.iter().map(|part| self.moves(stage, part)).collect::<Done<A, Vec<_>>>()?)
            }
            Steps::Star(inner) => Moves::Star(Box::new(self.moves(stage, inner)?)),
            Steps::Test(lit) => Moves::Test(self.eval(stage, *lit)?),
        })
    }

    // Updates.

    /// Executes an update, or finds it executed.
    pub(crate) fn update(&mut self, stage: usize, number: u32) -> Done<A, A::Update> {
        if let Some(found) = self.algebra.executed(stage, number) {
            return Ok(found);
        }
        let update = self.core.update(number);
        let pre = self.eval_all(stage, &update.pre)?;
        let mut props = Vec::new();
        for event in &update.props {
            let mut becomes = Vec::new();
            for (name, lit) in event {
                becomes.push((name.clone(), self.eval(stage, *lit)?));
            }
            props.push(becomes);
        }
        self.algebra.execute(stage, number, Execution { update: &update, pre, props })
    }

    /// What holds after the actions, the next one last in `todo`.
    fn after(&mut self, stage: usize, todo: &mut Vec<&Deed>, body: Lit) -> Done<A, A::Set> {
        let Some(deed) = todo.pop() else { return self.eval(stage, body) };
        let set = match deed {
            Deed::Test(test) => {
                let cannot = self.eval(stage, !*test)?;
                let then = self.after(stage, todo, body)?;
                self.union(stage, vec![cannot, then])?
            }
            Deed::Seq(parts) => {
                let depth = todo.len();
                todo.extend(parts.iter().rev());
                let set = self.after(stage, todo, body)?;
                todo.truncate(depth);
                set
            }
            Deed::Choice(parts) => {
                let mut sets = Vec::new();
                for part in parts {
                    sets.push(self.branch(stage, part, todo, body)?);
                }
                self.algebra.meet(stage, sets)?
            }
            Deed::Both(a, b) => {
                let sets = vec![self.branch(stage, a, todo, body)?, self.branch(stage, b, todo, body)?];
                self.union(stage, sets)?
            }
            Deed::Update(number) => {
                let update = self.update(stage, *number)?;
                let then = self.after(self.algebra.stage_after(&update), todo, body)?;
                self.algebra.back(stage, &update, &then)?
            }
        };
        todo.push(deed);
        Ok(set)
    }

    fn branch<'d>(&mut self, stage: usize, part: &'d Deed, todo: &mut Vec<&'d Deed>, body: Lit) -> Done<A, A::Set> {
        todo.push(part);
        let set = self.after(stage, todo, body)?;
        todo.pop();
        Ok(set)
    }

    fn union(&mut self, stage: usize, sets: Vec<A::Set>) -> Done<A, A::Set> {
        let mut none = Vec::new();
        for set in sets {
            none.push(self.algebra.not(stage, &set)?);
        }
        let none = self.algebra.meet(stage, none)?;
        self.algebra.not(stage, &none)
    }

    // Runs.

    /// Where some run is as the path formula says: fair `EG` (Emerson and Lei) of the product with its automaton, kept as
    /// one set for each of the automaton's nodes.
    fn run(&mut self, stage: usize, number: u32, line: &Line) -> Done<A, A::Set> {
        let automaton = self.core.automaton(number, line)?;
        let all = self.algebra.all(stage)?;
        let none = self.algebra.not(stage, &all)?;
        let goes_on = self.algebra.before(&all)?;
        let stops = self.algebra.not(stage, &goes_on)?;
        let mut product = Product { automaton: automaton.clone(), fits: Vec::new(), ends: Vec::new() };
        for place in &automaton.places {
            let mut sets = vec![self.algebra.counting(&all)?];
            sets.extend(self.eval_all(stage, &place.now)?);
            let fits = self.algebra.meet(stage, sets)?;
            let ends =
                if place.may_end { self.algebra.meet(stage, vec![fits.clone(), stops.clone()])? } else { none.clone() };
            product.fits.push(fits);
            product.ends.push(ends);
        }
        let fairness = self.algebra.conditions();
        let mut now = product.fits.clone();
        loop {
            stop::go_on().map_err(CheckError::from)?;
            let mut next = now.clone();
            for condition in 0..automaton.conditions + fairness.len() {
                let mut goal = Vec::new();
                for (at, place) in automaton.places.iter().enumerate() {
                    let met = match condition.checked_sub(automaton.conditions) {
                        None if place.paid[condition] => now[at].clone(),
                        None => self.algebra.meet(stage, vec![now[at].clone(), product.ends[at].clone()])?,
                        Some(fair) => {
                            let met = self.union(stage, vec![fairness[fair].clone(), product.ends[at].clone()])?;
                            self.algebra.meet(stage, vec![now[at].clone(), met])?
                        }
                    };
                    goal.push(met);
                }
                let leading = self.leading(stage, &product, goal)?;
                let before = self.before(stage, &product, &leading)?;
                for (at, set) in before.into_iter().enumerate() {
                    let stays = self.union(stage, vec![set, product.ends[at].clone()])?;
                    next[at] = self.algebra.meet(stage, vec![next[at].clone(), stays])?;
                }
            }
            if automaton.conditions + fairness.len() == 0 {
                let before = self.before(stage, &product, &now)?;
                for (at, set) in before.into_iter().enumerate() {
                    let stays = self.union(stage, vec![set, product.ends[at].clone()])?;
                    next[at] = self.algebra.meet(stage, vec![next[at].clone(), stays])?;
                }
            }
            let settled = next.iter().zip(&now).all(|(a, b)| self.algebra.same(a, b));
            now = next;
            if settled {
                let found = automaton.start.iter().map(|&at| now[at].clone()).collect();
                self.accepted.insert(number, Accepted { automaton, from: Rc::new(now) });
                return self.union(stage, found);
            }
        }
    }

    /// What accepts the runs of `E ψ`; `None` of any other formula.
    pub(crate) fn accepted(&mut self, f: &F) -> Done<A, Option<Accepted<A::Set>>> {
        let lit = self.core.lower(f)?;
        self.eval(0, lit)?;
        Ok(self.accepted.get(&lit.parts().0).cloned())
    }

    /// From where the product can go on into these sets by one step.
    fn before(&mut self, stage: usize, product: &Product<A::Set>, sets: &[A::Set]) -> Done<A, Vec<A::Set>> {
        let mut into = Vec::new();
        for set in sets {
            into.push(self.algebra.before(set)?);
        }
        let mut found = Vec::new();
        for (at, follow) in product.automaton.follow.iter().enumerate() {
            let some = self.union(stage, follow.iter().map(|&next| into[next].clone()).collect())?;
            found.push(self.algebra.meet(stage, vec![product.fits[at].clone(), some])?);
        }
        Ok(found)
    }

    /// The least sets with the goals, and with everything from which the product leads into them.
    fn leading(&mut self, stage: usize, product: &Product<A::Set>, goal: Vec<A::Set>) -> Done<A, Vec<A::Set>> {
        let mut found = goal;
        loop {
            stop::go_on().map_err(CheckError::from)?;
            let more = self.before(stage, product, &found)?;
            let mut settled = true;
            for (at, set) in more.into_iter().enumerate() {
                let wider = self.union(stage, vec![found[at].clone(), set])?;
                settled &= self.algebra.same(&wider, &found[at]);
                found[at] = wider;
            }
            if settled {
                return Ok(found);
            }
        }
    }
}

/// The automaton of a path formula, and for each of its nodes from where a run goes on as it says.
#[derive(Clone, Debug)]
pub(crate) struct Accepted<S> {
    pub(crate) automaton: Rc<Automaton>,
    pub(crate) from: Rc<Vec<S>>,
}

/// A model beside an automaton.
struct Product<S> {
    automaton: Rc<Automaton>,
    /// For each node, the points at which what it says holds, if they lie on fair runs.
    fits: Vec<S>,
    /// Those of them at which a run may end.
    ends: Vec<S>,
}
