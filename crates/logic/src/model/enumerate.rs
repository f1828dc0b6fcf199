//! The worlds of a law model, listed.
//!
//! Depth-first over propositions and variables; a branch is cut as soon as some law is false whatever the rest.

use super::BitSet;
use super::kripke::{Classes, Kripke, Relation, VarColumn};
use super::law::{Facts, Law, LawModel, Observation};
use super::order::{for_each_name, static_order};
use crate::check::CheckError;
use crate::check::Limits;
use crate::check::explicit::Explicit;
use crate::formula::{ArithOp, Cmp, Formula, Name, Plain, Term, Value};
use crate::progress::{self, Stage};
use crate::stop;
use std::collections::HashMap;

/// How much listing may cost: the most worlds, and the most branches looked at.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// The most worlds.
    pub worlds: usize,
    /// The most branches.
    pub steps: usize,
}

/// A law with names replaced by indices of elements.
enum Node {
    Const(bool),
    Prop(usize),
    Compare(Cmp, Num, Num),
    Not(Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
    Iff(Box<Node>, Box<Node>),
    Xor(Vec<Node>),
    Count(Cmp, u64, Vec<Node>),
}

enum Num {
    Value(Value),
    Var(usize),
    Neg(Box<Num>),
    Bin(ArithOp, Box<Num>, Box<Num>),
}

/// A partial world: for each element, the index of its value (0 and 1 for propositions).
struct Search<'m> {
    model: &'m LawModel,
    values: Vec<Option<u32>>,
    laws: Vec<Node>,
    /// For each element, the laws in which it occurs.
    watch: Vec<Vec<usize>>,
    order: Vec<usize>,
    budget: Budget,
    steps: usize,
    found: Vec<Vec<u32>>,
    /// Stop at the first world.
    first: bool,
}

/// The most values of all listed worlds together (2 GiB).
const MAX_CELLS: usize = 1 << 29;

/// The result was cut short by the budget.
struct OutOfBudget;

impl<'m> Search<'m> {
    fn new(model: &'m LawModel, laws: &[Law], budget: Budget, first: bool) -> Search<'m> {
        let names = model.props.iter().chain(model.vars.iter().map(|v| &v.name));
        let index: HashMap<&Name, usize> = names.zip(0..).collect();
        let n = index.len();
        let mut watch = vec![Vec::new(); n];
        let mut nodes = Vec::new();
        for law in laws {
            let mut parts = vec![&law.formula];
            while let Some(part) = parts.pop() {
                if let Formula::And(inner) = &**part {
                    parts.extend(inner);
                    continue;
                }
                for_each_name(part, &mut |name| {
                    if let Some(&e) = index.get(name)
                        && watch[e].last() != Some(&nodes.len())
                    {
                        watch[e].push(nodes.len());
                    }
                });
                nodes.push(compile(part, &index));
            }
        }
        Search {
            model,
            values: vec![None; n],
            laws: nodes,
            watch,
            order: static_order(model),
            budget,
            steps: 0,
            found: Vec::new(),
            first,
        }
    }

    fn domain(&self, element: usize) -> u32 {
        match element.checked_sub(self.model.props.len()) {
            None => 2,
            Some(var) => self.model.vars[var].values.len() as u32,
        }
    }

    fn run(&mut self) -> Result<(), OutOfBudget> {
        if self.laws.iter().any(|law| self.truth(law) == Some(false)) {
            return Ok(());
        }
        self.extend(0)
    }

    fn extend(&mut self, at: usize) -> Result<(), OutOfBudget> {
        let Some(&element) = self.order.get(at) else {
            // Worlds are kept side by side: many propositions leave room for fewer.
            if self.found.len() >= self.budget.worlds.min(MAX_CELLS / self.values.len().max(1)) {
                return Err(OutOfBudget);
            }
            self.found.push(self.values.iter().map(|v| v.unwrap_or(0)).collect());
            progress::report(Stage::Worlds, self.found.len());
            return Ok(());
        };
        for value in 0..self.domain(element) {
            self.steps += 1;
            if self.steps > self.budget.steps || (self.steps.is_multiple_of(64) && stop::asked()) {
                return Err(OutOfBudget);
            }
            self.values[element] = Some(value);
            let fine = self.watch[element].iter().all(|&law| self.truth(&self.laws[law]) != Some(false));
            if fine {
                self.extend(at + 1)?;
            }
            if self.first && !self.found.is_empty() {
                break;
            }
        }
        self.values[element] = None;
        Ok(())
    }

    /// The truth of a law in the partial world; `None` if that is open.
    fn truth(&self, node: &Node) -> Option<bool> {
        match node {
            Node::Const(b) => Some(*b),
            Node::Prop(e) => self.values[*e].map(|v| v == 1),
            Node::Compare(cmp, a, b) => match (self.number(a), self.number(b)) {
                (Ok(Some(a)), Ok(Some(b))) => Some(cmp.admits(a.cmp(&b))),
                (Err(()), _) | (_, Err(())) => Some(false),
                _ => None,
            },
            Node::Not(f) => self.truth(f).map(|b| !b),
            Node::All(parts) => self.lattice(parts, false),
            Node::Any(parts) => self.lattice(parts, true),
            Node::Iff(a, b) => Some(self.truth(a)? == self.truth(b)?),
            Node::Xor(parts) => {
                let mut odd = false;
                for part in parts {
                    odd ^= self.truth(part)?;
                }
                Some(odd)
            }
            Node::Count(cmp, n, parts) => {
                let (mut low, mut high) = (0u64, 0u64);
                for part in parts {
                    let truth = self.truth(part);
                    low += u64::from(truth == Some(true));
                    high += u64::from(truth != Some(false));
                }
                let admits = |count: u64| cmp.admits(count.cmp(n));
                // The count lies between low and high: the comparison is decided if it is the same throughout.
                let crosses = low <= *n && *n <= high;
                match (admits(low), admits(high)) {
                    (a, b) if a == b && (low == high || !crosses) => Some(a),
                    (true, true) if matches!(cmp, Cmp::Le | Cmp::Lt | Cmp::Ge | Cmp::Gt) => Some(true),
                    (false, false) if matches!(cmp, Cmp::Le | Cmp::Lt | Cmp::Ge | Cmp::Gt) => Some(false),
                    _ => None,
                }
            }
        }
    }

    /// Conjunction (`stop` = false) or disjunction (`stop` = true) of three-valued truths.
    fn lattice(&self, parts: &[Node], stop: bool) -> Option<bool> {
        let mut open = false;
        for part in parts {
            match self.truth(part) {
                Some(b) if b == stop => return Some(stop),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then_some(!stop)
    }

    /// A term's value: `Ok(None)` if it is open, `Err` if it has none.
    fn number(&self, num: &Num) -> Result<Option<Value>, ()> {
        let int = |n: &Num| match self.number(n)? {
            None => Ok(None),
            Some(Value::Int(n)) => Ok(Some(n)),
            Some(Value::Sym(_)) => Err(()),
        };
        match num {
            Num::Value(v) => Ok(Some(v.clone())),
            Num::Var(e) => {
                let var = &self.model.vars[e - self.model.props.len()];
                Ok(self.values[*e].map(|v| var.values[v as usize].clone()))
            }
            Num::Neg(n) => match int(n)? {
                None => Ok(None),
                Some(n) => n.checked_neg().map(|n| Some(Value::Int(n))).ok_or(()),
            },
            Num::Bin(op, a, b) => match (int(a)?, int(b)?) {
                (Some(a), Some(b)) => op.apply(a, b).map(|n| Some(Value::Int(n))).ok_or(()),
                _ => Ok(None),
            },
        }
    }
}

fn compile(f: &Formula, index: &HashMap<&Name, usize>) -> Node {
    let list = |parts: &[crate::formula::F]| parts.iter().map(|p| compile(p, index)).collect();
    match f.plain() {
        Plain::Const(b) => Node::Const(b),
        Plain::Atom(name) => index.get(name).map_or(Node::Const(false), |&e| Node::Prop(e)),
        Plain::Compare(cmp, a, b) => Node::Compare(cmp, compile_term(a, index), compile_term(b, index)),
        Plain::Not(g) => Node::Not(Box::new(compile(g, index))),
        Plain::And(parts) => Node::All(list(parts)),
        Plain::Or(parts) => Node::Any(list(parts)),
        Plain::Imp(a, b) => Node::Any(vec![Node::Not(Box::new(compile(a, index))), compile(b, index)]),
        Plain::Iff(a, b) => Node::Iff(Box::new(compile(a, index)), Box::new(compile(b, index))),
        Plain::Xor(parts) => Node::Xor(list(parts)),
        Plain::Count(cmp, n, parts) => Node::Count(cmp, n, list(parts)),
        Plain::Modal => unreachable!("laws are objective: checked when the model is read"),
    }
}

fn compile_term(t: &Term, index: &HashMap<&Name, usize>) -> Num {
    match t {
        Term::Value(v) => Num::Value(v.clone()),
        Term::Var(name) => match index.get(name) {
            Some(&e) => Num::Var(e),
            // Unknown variables have no value; a constant in arithmetic has none either.
            None => Num::Neg(Box::new(Num::Value(Value::Sym(name.clone())))),
        },
        Term::Neg(t) => Num::Neg(Box::new(compile_term(t, index))),
        Term::Bin(op, a, b) => Num::Bin(*op, Box::new(compile_term(a, index)), Box::new(compile_term(b, index))),
    }
}

/// Lists the worlds of a model; `Ok(None)` if that would cost more than the budget.
pub fn enumerate(model: &LawModel, budget: Budget) -> Result<Option<Kripke>, CheckError> {
    let mut search = Search::new(model, &model.laws, budget, false);
    if search.run().is_err() {
        stop::go_on()?;
        return Ok(None);
    }
    let mut worlds = search.found;
    if worlds.is_empty() {
        return Err(CheckError::NoWorld(contradiction(model, budget)));
    }
    worlds.sort_unstable();
    let size = worlds.len();
    let mut kripke = Kripke::new(size, model.agents.clone(), model.props.clone());
    for (p, column) in kripke.columns.iter_mut().enumerate() {
        *column = BitSet::from_fn(size, |w| worlds[w][p] == 1);
    }
    kripke.vars = model
        .vars
        .iter()
        .enumerate()
        .map(|(v, var)| VarColumn {
            name: var.name.clone(),
            values: worlds.iter().map(|w| var.values[w[model.props.len() + v] as usize].clone()).collect(),
        })
        .collect();
    kripke.belief = model.belief;
    observe(model, &mut kripke)?;
    for point in &model.points {
        let at = find(&kripke, &point.facts).ok_or(CheckError::NotAWorld(point.span))?;
        kripke.add_point(point.name.clone(), at);
    }
    Ok(Some(kripke))
}

/// The world with exactly these facts.
pub fn find(model: &Kripke, facts: &Facts) -> Option<usize> {
    let mut worlds = BitSet::full(model.size());
    for (prop, column) in model.props().iter().zip(&model.columns) {
        if facts.props.contains(prop) {
            worlds.intersect(column);
        } else {
            worlds.intersect(&column.clone().complement());
        }
    }
    worlds.iter().find(|&w| facts.vars.iter().all(|(x, v)| model.value(x, w) == Some(v)))
}

/// Gives each agent its classes: worlds are confused iff all observations agree.
fn observe(model: &LawModel, kripke: &mut Kripke) -> Result<(), CheckError> {
    let size = kripke.size();
    let mut checker = Explicit::new(kripke.clone(), Limits::default());
    for (agent, observations) in model.observes.iter().enumerate() {
        let mut classes = Classes { of: vec![0; size], count: 1 };
        for observation in observations {
            classes = match observation {
                Observation::Formula(f) => {
                    let column = checker.check(f)?;
                    Classes::by_key((0..size).map(|w| (classes.of[w], column.contains(w))))
                }
                Observation::Term(term) => Classes::by_key((0..size).map(|w| {
                    let value = term.eval(&|x| kripke.value(x, w).cloned());
                    (classes.of[w], value)
                })),
            };
        }
        kripke.set_relation(agent, Relation::Classes(classes));
    }
    Ok(())
}

/// A smallest-by-deletion set of laws that no valuation satisfies; all of them if that costs too much.
pub(crate) fn contradiction(model: &LawModel, budget: Budget) -> Vec<Law> {
    let mut laws = model.laws.clone();
    let mut at = 0;
    while at < laws.len() {
        let mut fewer = laws.clone();
        fewer.remove(at);
        let mut search = Search::new(model, &fewer, budget, true);
        if search.run().is_ok() && search.found.is_empty() {
            laws = fewer;
        } else {
            at += 1;
        }
    }
    laws
}
