//! The small core: what an engine must know to answer everything that can be written.
//!
//! The language of [`Formula`] is rich; before it is checked it is lowered to the dozen constructors of [`Node`].
//! Negation is no constructor but a sign on a reference ([`Lit`]), and equal formulas are stored once, so that two ways to
//! write the same are answered once. [`super::evaluate`] evaluates the core on any algebra of sets. Whoever explains an
//! answer keeps the formula as it was written.

use super::CheckError;
use super::linear::{Automaton, Line};
use crate::formula::{Action, ActionModel, Along, Change, Cmp, F, Formula, Group, Name, Path, Program, Sight, Term};
use crate::update::{BrokenAction, resolve};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Not;
use std::rc::Rc;
use std::sync::Arc;

type Checked<T> = Result<T, CheckError>;

/// A formula of the core, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Lit(u32);

impl Lit {
    /// The formula that holds everywhere.
    pub(crate) const TRUE: Lit = Lit(0);
    /// The formula that holds nowhere.
    pub(crate) const FALSE: Lit = Lit(1);

    /// The number of the node, and whether it is negated.
    pub(crate) fn parts(self) -> (u32, bool) {
        (self.0 >> 1, self.0 & 1 == 1)
    }

    /// The node without its negation.
    pub(crate) fn positive(self) -> Lit {
        Lit(self.0 & !1)
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// Whose knowledge is meant; agents by number, in ascending order, each once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Who {
    /// One agent.
    Agent(usize),
    /// Several, each by itself: what every one of them knows.
    Each(Vec<usize>),
    /// Several who pool what they know: worlds that all of them confuse.
    Together(Vec<usize>),
    /// Several, and what they know of each other: the closure of what any of them confuses.
    Commonly(Vec<usize>),
}

/// What is asked of the number of formulas that hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tally {
    /// How it compares with a number.
    Is(Cmp, u64),
    /// Whether it is odd.
    Odd,
}

impl Tally {
    /// Whether so many are what is asked for.
    pub(crate) fn admits(self, number: u64) -> bool {
        match self {
            Tally::Is(cmp, n) => cmp.admits(number.cmp(&n)),
            Tally::Odd => number % 2 == 1,
        }
    }
}

/// What a group makes sure of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Goal {
    /// It holds next.
    Next(Lit),
    /// It holds as long as the run goes on.
    Always(Lit),
    /// The first holds until the second does.
    Until(Lit, Lit),
}

/// A program over the core.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Steps {
    /// Any step.
    Any,
    /// A step of this name.
    Action(Name),
    /// One after the other.
    Seq(Vec<Steps>),
    /// One of these.
    Choice(Vec<Steps>),
    /// Any number of times.
    Star(Box<Steps>),
    /// No step, where the formula holds.
    Test(Lit),
}

/// A knowledge action over the core.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Deed {
    /// Nothing happens, where the formula holds.
    Test(Lit),
    /// One after the other.
    Seq(Vec<Deed>),
    /// One of these.
    Choice(Vec<Deed>),
    /// Both at once.
    Both(Box<Deed>, Box<Deed>),
    /// The update of this number.
    Update(u32),
}

/// An action model over the core.
#[derive(Clone, Debug)]
pub(crate) struct Update {
    /// As it was written.
    pub(crate) model: Arc<ActionModel>,
    /// Where each event can happen.
    pub(crate) pre: Vec<Lit>,
    /// For each event, what the propositions that it changes become.
    pub(crate) props: Vec<Vec<(Name, Lit)>>,
}

/// A constructor of the core.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    /// It holds everywhere.
    True,
    /// A proposition, or a comparison of terms.
    Fact(F),
    /// All of these hold.
    All(Vec<Lit>),
    /// So many of these hold.
    Count(Tally, Vec<Lit>),
    /// Somebody knows.
    Known(Who, Lit),
    /// It holds after every way in which the action can happen.
    After(Deed, Lit),
    /// Some step of the program leads to where it holds, and a run goes on from there.
    Next(Steps, Lit),
    /// On some run of the program the first holds until the second does.
    Until(Steps, Lit, Lit),
    /// On some run of the program it always holds.
    Lasting(Steps, Lit),
    /// Some run is as the path formula says.
    Run(Line),
    /// The group can make sure.
    Ensure(Group, Goal),
    /// It holds wherever the agent is as it ought to be.
    Ought(usize, Lit),
}

/// The formulas of one model, lowered. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Core(Rc<RefCell<Inner>>);

#[derive(Debug)]
struct Inner {
    agents: Vec<Name>,
    nodes: Vec<Node>,
    index: HashMap<Node, u32>,
    updates: Vec<Rc<Update>>,
    known_updates: HashMap<Shape, u32>,
    /// By address; the formulas are kept so that no address is used twice.
    lowered: HashMap<usize, (F, Lit)>,
    actions: HashMap<usize, (Arc<ActionModel>, u32)>,
    automata: HashMap<u32, Rc<Automaton>>,
}

/// What makes two updates the same.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Shape {
    name: Name,
    events: Vec<Event>,
    sights: Vec<(Name, Sight)>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Event {
    name: Name,
    pre: Lit,
    designated: bool,
    changes: Vec<(Name, Becomes)>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Becomes {
    Truth(Lit),
    Value(Term),
}

impl Core {
    /// For a model with these agents.
    pub(crate) fn new(agents: &[Name]) -> Core {
        Core(Rc::new(RefCell::new(Inner {
            agents: agents.to_vec(),
            nodes: vec![Node::True],
            index: HashMap::from([(Node::True, 0)]),
            updates: Vec::new(),
            known_updates: HashMap::new(),
            lowered: HashMap::new(),
            actions: HashMap::new(),
            automata: HashMap::new(),
        })))
    }

    /// The constructor of a node.
    pub(crate) fn node(&self, number: u32) -> Node {
        self.0.borrow().nodes[number as usize].clone()
    }

    /// An update by its number.
    pub(crate) fn update(&self, number: u32) -> Rc<Update> {
        self.0.borrow().updates[number as usize].clone()
    }

    /// The automaton of a path formula.
    pub(crate) fn automaton(&self, number: u32, line: &Line) -> Checked<Rc<Automaton>> {
        if let Some(found) = self.0.borrow().automata.get(&number) {
            return Ok(found.clone());
        }
        let automaton = Rc::new(Automaton::new(line)?);
        self.0.borrow_mut().automata.insert(number, automaton.clone());
        Ok(automaton)
    }

    /// Lowers a formula.
    pub(crate) fn lower(&self, f: &F) -> Checked<Lit> {
        let key = Arc::as_ptr(f).addr();
        if let Some((_, found)) = self.0.borrow().lowered.get(&key) {
            return Ok(*found);
        }
        let lit = self.lowered(f)?;
        self.0.borrow_mut().lowered.insert(key, (f.clone(), lit));
        Ok(lit)
    }

    /// Stores a node, or finds it.
    fn put(&self, node: Node) -> Lit {
        let mut inner = self.0.borrow_mut();
        if let Some(&found) = inner.index.get(&node) {
            return Lit(found << 1);
        }
        let number = inner.nodes.len() as u32;
        inner.nodes.push(node.clone());
        inner.index.insert(node, number);
        Lit(number << 1)
    }

    fn lower_all(&self, parts: &[F]) -> Checked<Vec<Lit>> {
        parts.iter().map(|part| self.lower(part)).collect()
    }

    fn all(&self, mut parts: Vec<Lit>) -> Lit {
        parts.retain(|part| *part != Lit::TRUE);
        match parts.as_slice() {
            [] => Lit::TRUE,
            [one] => *one,
            _ if parts.contains(&!Lit::TRUE) => !Lit::TRUE,
            _ => self.put(Node::All(parts)),
        }
    }

    fn any(&self, parts: Vec<Lit>) -> Lit {
        !self.all(parts.into_iter().map(|part| !part).collect())
    }

    fn known(&self, who: Who, body: Lit) -> Lit {
        self.put(Node::Known(who, body))
    }

    fn lowered(&self, f: &F) -> Checked<Lit> {
        Ok(match &**f {
            Formula::Const(true) => Lit::TRUE,
            Formula::Const(false) => !Lit::TRUE,
            Formula::Atom(_) | Formula::Compare(..) => self.put(Node::Fact(f.clone())),
            Formula::Not(g) => !self.lower(g)?,
            Formula::And(parts) => self.all(self.lower_all(parts)?),
            Formula::Or(parts) => self.any(self.lower_all(parts)?),
            Formula::Imp(a, b) => self.any(vec![!self.lower(a)?, self.lower(b)?]),
            Formula::Iff(a, b) => !self.put(Node::Count(Tally::Odd, vec![self.lower(a)?, self.lower(b)?])),
            Formula::Xor(parts) => self.put(Node::Count(Tally::Odd, self.lower_all(parts)?)),
            Formula::Count(cmp, n, parts) => self.put(Node::Count(Tally::Is(*cmp, *n), self.lower_all(parts)?)),
            Formula::Knows(name, g) => self.known(Who::Agent(self.agent(name)?), self.lower(g)?),
            Formula::Possible(name, g) => !self.known(Who::Agent(self.agent(name)?), !self.lower(g)?),
            Formula::KnowsWhether(name, g) => {
                let (who, body) = (Who::Agent(self.agent(name)?), self.lower(g)?);
                self.any(vec![self.known(who.clone(), body), self.known(who, !body)])
            }
            Formula::Everyone(group, g) => self.known(Who::each(self.members(group)?), self.lower(g)?),
            Formula::Distributed(group, g) => self.known(Who::together(self.members(group)?), self.lower(g)?),
            Formula::Common(group, g) => self.known(Who::Commonly(self.members(group)?), self.lower(g)?),
            Formula::After(action, g) => self.put(Node::After(self.deed(action)?, self.lower(g)?)),
            Formula::Can(action, g) => !self.put(Node::After(self.deed(action)?, !self.lower(g)?)),
            Formula::Path(path, along, program, g) => {
                let (steps, body) = (self.steps(program)?, self.lower(g)?);
                match (path, along) {
                    (Path::Some, Along::Next) => self.put(Node::Next(steps, body)),
                    (Path::Some, Along::Eventually) => self.put(Node::Until(steps, Lit::TRUE, body)),
                    (Path::Some, Along::Always) => self.put(Node::Lasting(steps, body)),
                    (Path::All, Along::Next) => !self.put(Node::Next(steps, !body)),
                    (Path::All, Along::Eventually) => !self.put(Node::Lasting(steps, !body)),
                    (Path::All, Along::Always) => !self.put(Node::Until(steps, Lit::TRUE, !body)),
                }
            }
            Formula::Until(Path::Some, program, a, b) => {
                self.put(Node::Until(self.steps(program)?, self.lower(a)?, self.lower(b)?))
            }
            Formula::Until(Path::All, program, a, b) => {
                // It fails where ¬b can last for ever, or until a point with neither a nor b.
                let (steps, a, b) = (self.steps(program)?, self.lower(a)?, self.lower(b)?);
                let escapes = self.put(Node::Until(steps.clone(), !b, self.all(vec![!a, !b])));
                let lasts = self.put(Node::Lasting(steps, !b));
                self.all(vec![!escapes, !lasts])
            }
            Formula::Runs(Path::Some, g) => self.put(Node::Run(Line::of(g, &mut |f| self.lower(f))?)),
            Formula::Runs(Path::All, g) => {
                let breaks = Line::of(&Formula::negation(g.clone()), &mut |f| self.lower(f))?;
                !self.put(Node::Run(breaks))
            }
            Formula::Linear(..) | Formula::LinearUntil(..) | Formula::Release(..) => {
                return Err(CheckError::NotHere("`X F G U R` speak of a run: put `A` or `E` before them"));
            }
            Formula::Ensure(group, along, g) => {
                let body = self.lower(g)?;
                let goal = match along {
                    Along::Next => Goal::Next(body),
                    Along::Eventually => Goal::Until(Lit::TRUE, body),
                    Along::Always => Goal::Always(body),
                };
                self.put(Node::Ensure(group.clone(), goal))
            }
            Formula::EnsureUntil(group, a, b) => {
                self.put(Node::Ensure(group.clone(), Goal::Until(self.lower(a)?, self.lower(b)?)))
            }
            Formula::Ought(name, g) => self.put(Node::Ought(self.agent(name)?, self.lower(g)?)),
        })
    }

    /// The number of an agent.
    pub(crate) fn agent(&self, name: &Name) -> Checked<usize> {
        let found = self.0.borrow().agents.iter().position(|agent| agent == name);
        found.ok_or_else(|| CheckError::UnknownAgent(name.clone()))
    }

    /// The numbers of the agents of a group.
    pub(crate) fn members(&self, group: &Group) -> Checked<Vec<usize>> {
        match group {
            Group::All => Ok((0..self.0.borrow().agents.len()).collect()),
            Group::Of(names) => {
                let mut all = names.iter().map(|name| self.agent(name)).collect::<Checked<Vec<usize>>>()?;
                all.sort_unstable();
                all.dedup();
                Ok(all)
            }
        }
    }

    fn steps(&self, program: &Program) -> Checked<Steps> {
        let list = |parts: &[Program]| parts.iter().map(|part| self.steps(part)).collect::<Checked<Vec<Steps>>>();
        Ok(match program {
            Program::Any => Steps::Any,
            Program::Action(name) => Steps::Action(name.clone()),
            Program::Seq(parts) => Steps::Seq(list(parts)?),
            Program::Choice(parts) => Steps::Choice(list(parts)?),
            Program::Star(inner) => Steps::Star(Box::new(self.steps(inner)?)),
            Program::Test(f) => Steps::Test(self.lower(f)?),
        })
    }

    fn deed(&self, action: &Action) -> Checked<Deed> {
        let list = |parts: &[Action]| parts.iter().map(|part| self.deed(part)).collect::<Checked<Vec<Deed>>>();
        Ok(match action {
            Action::Test(f) => Deed::Test(self.lower(f)?),
            Action::Seq(parts) => Deed::Seq(list(parts)?),
            Action::Choice(parts) => Deed::Choice(list(parts)?),
            Action::Both(a, b) => Deed::Both(Box::new(self.deed(a)?), Box::new(self.deed(b)?)),
            Action::Learn(..) | Action::Announce(_) | Action::Model(_) => Deed::Update(self.action(action)?),
            Action::Local(_) => return Err(BrokenAction::Mark.into()),
            Action::Move(_) => return Err(BrokenAction::Move.into()),
        })
    }

    /// The number of the update that an action model, an announcement or `L[all] α` is.
    pub(crate) fn action(&self, action: &Action) -> Checked<u32> {
        let model = match action {
            Action::Model(model) => {
                let key = Arc::as_ptr(model).addr();
                if let Some((_, found)) = self.0.borrow().actions.get(&key) {
                    return Ok(*found);
                }
                model.clone()
            }
            _ => Arc::new(resolve(action, &self.0.borrow().agents)?),
        };
        let mut shape = Shape { name: model.name.clone(), events: Vec::new(), sights: model.sights.clone() };
        let (mut pre, mut props) = (Vec::new(), Vec::new());
        for event in &model.events {
            let can = self.lower(&event.pre)?;
            let (mut truths, mut changes) = (Vec::new(), Vec::new());
            for change in &event.changes {
                match change {
                    Change::Prop(name, f) => {
                        let becomes = self.lower(f)?;
                        truths.push((name.clone(), becomes));
                        changes.push((name.clone(), Becomes::Truth(becomes)));
                    }
                    Change::Var(name, term) => changes.push((name.clone(), Becomes::Value(term.clone()))),
                }
            }
            pre.push(can);
            props.push(truths);
            shape.events.push(Event { name: event.name.clone(), pre: can, designated: event.designated, changes });
        }
        let mut inner = self.0.borrow_mut();
        let number = match inner.known_updates.get(&shape) {
            Some(&found) => found,
            None => {
                let number = inner.updates.len() as u32;
                inner.updates.push(Rc::new(Update { model: model.clone(), pre, props }));
                inner.known_updates.insert(shape, number);
                number
            }
        };
        if matches!(action, Action::Model(_)) {
            inner.actions.insert(Arc::as_ptr(&model).addr(), (model, number));
        }
        Ok(number)
    }

    /// Calls `visit` on every node that a formula is made of, each once; what it answers says whether to go on below it.
    pub(crate) fn walk(&self, roots: &[Lit], visit: &mut dyn FnMut(u32, &Node) -> bool) {
        let mut seen: HashSet<u32> = HashSet::new();
        let mut todo: Vec<u32> = roots.iter().map(|root| root.parts().0).collect();
        while let Some(number) = todo.pop() {
            if !seen.insert(number) {
                continue;
            }
            let node = self.node(number);
            if visit(number, &node) {
                todo.extend(self.below(&node).into_iter().map(|lit| lit.parts().0));
            }
        }
    }

    /// The formulas directly below a node.
    fn below(&self, node: &Node) -> Vec<Lit> {
        let mut found = Vec::new();
        match node {
            Node::True | Node::Fact(_) => {}
            Node::All(parts) | Node::Count(_, parts) => found.extend(parts),
            Node::Known(_, body) | Node::Ought(_, body) => found.push(*body),
            Node::After(deed, body) => {
                self.tested(deed, &mut found);
                found.push(*body);
            }
            Node::Next(steps, body) | Node::Lasting(steps, body) => {
                steps.tested(&mut found);
                found.push(*body);
            }
            Node::Until(steps, a, b) => {
                steps.tested(&mut found);
                found.extend([*a, *b]);
            }
            Node::Run(line) => line.states(&mut found),
            Node::Ensure(_, Goal::Next(body) | Goal::Always(body)) => found.push(*body),
            Node::Ensure(_, Goal::Until(a, b)) => found.extend([*a, *b]),
        }
        found
    }

    fn tested(&self, deed: &Deed, found: &mut Vec<Lit>) {
        match deed {
            Deed::Test(lit) => found.push(*lit),
            Deed::Seq(parts) | Deed::Choice(parts) => parts.iter().for_each(|part| self.tested(part, found)),
            Deed::Both(a, b) => {
                self.tested(a, found);
                self.tested(b, found);
            }
            Deed::Update(number) => {
                let update = self.update(*number);
                found.extend(&update.pre);
                found.extend(update.props.iter().flatten().map(|(_, lit)| *lit));
            }
        }
    }
}

impl Steps {
    fn tested(&self, found: &mut Vec<Lit>) {
        match self {
            Steps::Any | Steps::Action(_) => {}
            Steps::Seq(parts) | Steps::Choice(parts) => parts.iter().for_each(|part| part.tested(found)),
            Steps::Star(inner) => inner.tested(found),
            Steps::Test(lit) => found.push(*lit),
        }
    }
}

impl Who {
    /// Everybody of a group; a group of one is that one.
    fn each(group: Vec<usize>) -> Who {
        if group.len() == 1 { Who::Agent(group[0]) } else { Who::Each(group) }
    }

    /// A group that pools what it knows; a group of one is that one.
    pub(crate) fn together(mut group: Vec<usize>) -> Who {
        group.sort_unstable();
        group.dedup();
        if group.len() == 1 { Who::Agent(group[0]) } else { Who::Together(group) }
    }
}
