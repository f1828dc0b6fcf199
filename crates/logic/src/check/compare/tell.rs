//! A formula from the splits of a refinement: literals, S[a] and K[a], conjunctions and disjunctions.

use super::{MAX_SIZE, Tree, Union};
use crate::formula::{Cmp, F, Formula, Name, Term, Value};
use crate::model::BitSet;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How many pairs of worlds are told apart in the shortest of several ways; afterwards the first way is taken.
const THOROUGH: usize = 2_000;
/// How many ways are tried for one pair.
const WAYS: usize = 12;

/// A formula, where it holds in the union, and its size.
#[derive(Clone)]
pub(super) struct Told {
    pub(super) formula: F,
    pub(super) set: BitSet,
    pub(super) size: u64,
}

impl Told {
    fn new(formula: F, set: BitSet) -> Told {
        let size = formula.size();
        Told { formula, set, size }
    }
}

/// A simple fact of a world.
enum Literal {
    /// A proposition is true or false.
    Prop(usize, bool),
    /// A variable has, or has not, a value.
    Var(usize, Value, bool),
}

/// One way to tell two worlds apart: what an agent considers possible at one of them and not at the other.
struct Way {
    agent: usize,
    /// The witness is at the second world: the first one then satisfies a K formula.
    dual: bool,
    witness: usize,
    /// One world for each block that the agent considers possible at the other world.
    others: Vec<usize>,
}

pub(super) struct Teller<'u, 'm> {
    union: &'u Union<'m>,
    tree: &'u Tree,
    memo: HashMap<(u32, u32), Option<Told>>,
}

impl<'u, 'm> Teller<'u, 'm> {
    pub(super) fn new(union: &'u Union<'m>, tree: &'u Tree) -> Teller<'u, 'm> {
        Teller { union, tree, memo: HashMap::new() }
    }

    /// A formula true at `u` and false at `v`; `None` if all found are too long.
    pub(super) fn tell(&mut self, u: usize, v: usize) -> Option<Told> {
        let key = self.tree.split(u, v)?;
        if let Some(told) = self.memo.get(&key) {
            return told.clone();
        }
        if let Some(told) = self.memo.get(&(key.1, key.0)) {
            return told.as_ref().map(|t| Told::new(self.negation(&t.formula), t.set.clone().complement()));
        }
        let round = self.tree.nodes[key.0 as usize].round;
        let told = if round == 0 { self.cover(u, &[v], false) } else { self.modal(u, v, round) };
        let told = told.filter(|t| t.size <= MAX_SIZE);
        self.memo.insert(key, told.clone());
        told
    }

    /// Tells worlds apart by what some agent considers possible: the shortest of several ways.
    fn modal(&mut self, u: usize, v: usize, round: u32) -> Option<Told> {
        let ways = self.ways(u, v, round);
        let tries = if self.memo.len() < THOROUGH { WAYS } else { 1 };
        // The shortest; of equals, what is known says more than what is possible.
        let mut best: Option<((u64, bool), Told)> = None;
        for way in ways.iter().take(tries) {
            let Some(cover) = self.cover(way.witness, &way.others, way.dual) else { continue };
            if cover.size >= MAX_SIZE {
                continue;
            }
            let name = self.union.agents[way.agent].clone();
            let seen = self.union.possibly(way.agent, &cover.set);
            let told = if way.dual {
                let set = seen.complement();
                Told::new(Arc::new(Formula::Knows(name, self.negation(&cover.formula))), set)
            } else {
                Told::new(Arc::new(Formula::Possible(name, cover.formula)), seen)
            };
            let rank = (told.size, !way.dual);
            if best.as_ref().is_none_or(|(best, _)| rank < *best) {
                best = Some((rank, told));
            }
        }
        best.map(|(_, told)| told)
    }

    /// The ways to tell two worlds apart in a round, the most promising first.
    fn ways(&self, u: usize, v: usize, round: u32) -> Vec<Way> {
        let mut ways = Vec::new();
        for agent in 0..self.union.agents.len() {
            let blocks = |world: usize| {
                let mut blocks = BTreeMap::new();
                for target in self.union.possible(agent, world) {
                    blocks.entry(self.tree.block(target, round - 1)).or_insert(target);
                }
                blocks
            };
            let (here, there) = (blocks(u), blocks(v));
            for (from, other, dual) in [(&there, &here, true), (&here, &there, false)] {
                let others: Vec<usize> = other.values().copied().collect();
                let witnesses = from.iter().filter(|(block, _)| !other.contains_key(block)).take(WAYS);
                ways.extend(witnesses.map(|(_, &witness)| Way { agent, dual, witness, others: others.clone() }));
            }
        }
        ways.sort_by_cached_key(|way| {
            let hard = way.others.iter().filter(|&&o| !self.by_facts(way.witness, o)).count();
            (hard, way.others.len())
        });
        ways
    }

    /// Whether two worlds differ in a fact.
    fn by_facts(&self, u: usize, v: usize) -> bool {
        self.tree.split(u, v).is_some_and(|(node, _)| self.tree.nodes[node as usize].round == 0)
    }

    /// A conjunction true at `world` and false at all `others`; `dual` says that it will be negated.
    fn cover(&mut self, world: usize, others: &[usize], dual: bool) -> Option<Told> {
        let mut parts: Vec<Told> = Vec::new();
        let mut left = others.to_vec();
        // Others with the same facts need a modality each; it may exclude more of them, and so save literals.
        for &other in others {
            if !self.by_facts(world, other) && left.contains(&other) {
                let told = self.tell(world, other)?;
                left.retain(|&o| told.set.contains(o));
                parts.push(told);
            }
        }
        let literals = self.literals(world, dual);
        while !left.is_empty() {
            let excluded = |literal: &Literal| left.iter().filter(|&&o| !self.holds(literal, o)).count();
            let mut best: Option<(usize, &Literal)> = None;
            for literal in &literals {
                let count = excluded(literal);
                if count > best.map_or(0, |(most, _)| most) {
                    best = Some((count, literal));
                }
            }
            let (_, literal) = best?;
            let told = self.told(literal);
            left.retain(|&o| told.set.contains(o));
            parts.push(told);
        }
        // What the other parts exclude anyway goes, the longest first.
        parts.sort_by_key(|part| std::cmp::Reverse(part.size));
        let mut at = 0;
        while at < parts.len() {
            let needed = others.iter().any(|&o| (0..parts.len()).all(|p| p == at || parts[p].set.contains(o)));
            if needed {
                at += 1;
            } else {
                parts.remove(at);
            }
        }
        parts.reverse();
        let mut set = BitSet::full(self.union.size);
        parts.iter().for_each(|part| set.intersect(&part.set));
        let size = parts.iter().fold(u64::from(parts.len() > 1), |n, part| n.saturating_add(part.size));
        (size <= MAX_SIZE).then(|| Told::new(Formula::and(parts.into_iter().map(|part| part.formula).collect()), set))
    }

    /// The literals true at a world: those first that read best, after negation if `dual`.
    fn literals(&self, world: usize, dual: bool) -> Vec<Literal> {
        let union = self.union;
        let (mut good, mut bad) = (Vec::new(), Vec::new());
        for (p, (_, column)) in union.props.iter().enumerate() {
            let truth = column.contains(world);
            let list = if truth == dual { &mut bad } else { &mut good };
            list.push(Literal::Prop(p, truth));
        }
        for var in 0..union.vars.len() {
            match union.value(var, world) {
                Some(value) => good.push(Literal::Var(var, value.clone(), true)),
                // Where the variable has no value, what can be said is that it has none of those it has elsewhere.
                None => {
                    let elsewhere = (0..union.size).filter_map(|w| union.value(var, w).cloned());
                    let values: std::collections::BTreeSet<Value> = elsewhere.collect();
                    bad.extend(values.into_iter().map(|value| Literal::Var(var, value, false)));
                }
            }
        }
        good.append(&mut bad);
        good
    }

    fn holds(&self, literal: &Literal, world: usize) -> bool {
        match literal {
            Literal::Prop(p, truth) => self.union.props[*p].1.contains(world) == *truth,
            Literal::Var(var, value, truth) => (self.union.value(*var, world) == Some(value)) == *truth,
        }
    }

    fn told(&self, literal: &Literal) -> Told {
        let (positive, truth) = match literal {
            Literal::Prop(p, truth) => (Formula::atom(self.union.props[*p].0.clone()), *truth),
            Literal::Var(var, value, truth) => (self.compare(Cmp::Eq, &self.union.vars[*var].0, value), *truth),
        };
        let formula = if truth { positive } else { self.negation(&positive) };
        Told::new(formula, BitSet::from_fn(self.union.size, |w| self.holds(literal, w)))
    }

    fn compare(&self, cmp: Cmp, var: &Name, value: &Value) -> F {
        Arc::new(Formula::Compare(cmp, Term::Var(var.clone()), Term::Value(value.clone())))
    }

    /// The negation of a formula of this module, pushed down to its literals.
    fn negation(&self, formula: &F) -> F {
        match &**formula {
            Formula::And(parts) => Formula::or(parts.iter().map(|f| self.negation(f)).collect()),
            Formula::Or(parts) => Formula::and(parts.iter().map(|f| self.negation(f)).collect()),
            Formula::Knows(a, f) => Arc::new(Formula::Possible(a.clone(), self.negation(f))),
            Formula::Possible(a, f) => Arc::new(Formula::Knows(a.clone(), self.negation(f))),
            // Where a variable has no value, `x = 3` and `x != 3` are both false: then only `!(x = 3)` will do.
            Formula::Compare(Cmp::Eq, Term::Var(x), Term::Value(value)) if self.total(x) => {
                self.compare(Cmp::Ne, x, value)
            }
            Formula::Compare(Cmp::Ne, Term::Var(x), Term::Value(value)) => self.compare(Cmp::Eq, x, value),
            _ => Formula::negation(formula.clone()),
        }
    }

    /// Whether both models have the variable.
    fn total(&self, var: &Name) -> bool {
        self.union.vars.iter().any(|(name, both)| name == var && *both)
    }
}
