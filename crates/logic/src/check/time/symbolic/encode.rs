//! A system as Boolean functions: a code for each element, before and after a step, and for each actor's choice.
//!
//! Each element (proposition or variable) has as many bits as its values need; a bit before the step is followed
//! directly by the same bit after it, so that going from one to the other keeps the order. The order of elements is
//! static: what occurs together in a rule, a protocol or a condition of the initial states stands together.

use crate::bdd::{Bdd, Full};
use crate::check::{CheckError, Limit};
use crate::formula::{Cmp, F, Formula, Name, Plain, Term, Value};
use crate::model::law::{Law, LawModel, Observation, Variable};
use crate::model::order::static_order;
use crate::model::symbolic::{Symbolic, all, any, count_of, odd};
use crate::model::system::{Next, Precedence, System};
use crate::syntax::Span;
use std::collections::HashMap;

/// The most combinations of values of one comparison or assignment.
const MAX_COMBINATIONS: usize = 1 << 20;

/// The bits of an element or a choice.
#[derive(Clone, Debug)]
struct Code {
    /// How many values there are.
    values: usize,
    /// The variable of each bit, the most significant first.
    bits: Vec<u32>,
    /// The same after a step; empty for choices.
    after: Vec<u32>,
}

/// The layout of all bits.
pub(crate) struct Layout {
    elements: Vec<Code>,
    choices: Vec<Code>,
    /// How many variables there are.
    pub(crate) vars: u32,
    names: HashMap<Name, usize>,
    does: HashMap<String, (usize, usize)>,
    domains: Vec<Vec<Value>>,
    /// First variable of those free for observed formulas.
    pub(crate) spare: u32,
}

/// How many functions an observation may need beside plain elements.
fn functions(observation: &Observation) -> u32 {
    match observation {
        Observation::Term(Term::Var(_)) => 0,
        Observation::Formula(f) => u32::from(!matches!(&**f, Formula::Atom(_))),
        Observation::Term(_) => MAX_COMBINATIONS.ilog2(),
    }
}

fn bits(values: usize) -> u32 {
    usize::BITS - values.saturating_sub(1).leading_zeros()
}

impl Layout {
    /// Plans the bits of a system, with some spare ones at the end for what agents see of formulas and terms.
    pub(crate) fn new(system: &System) -> Layout {
        let law = &system.vocabulary;
        let spare: u32 = law.observes.iter().flatten().map(functions).sum();
        let order = static_order(&dependencies(system));
        let (props, vars) = (law.props.len(), law.vars.len());
        // In the dependencies the choices of actors come after the variables.
        let size = |e: usize| match e {
            e if e < props => 2,
            e if e < props + vars => law.vars[e - props].values.len(),
            e => system.actors[e - props - vars].actions.len(),
        };
        let empty = Code { values: 0, bits: Vec::new(), after: Vec::new() };
        let mut elements = vec![empty.clone(); props + vars];
        let mut choices = vec![empty; system.actors.len()];
        let mut next = 0;
        for e in order {
            let count = bits(size(e));
            let mut code = Code { values: size(e), bits: Vec::new(), after: Vec::new() };
            for _ in 0..count {
                code.bits.push(next);
                next += 1;
                if e < props + vars {
                    code.after.push(next);
                    next += 1;
                }
            }
            if e < props + vars {
                elements[e] = code;
            } else {
                choices[e - props - vars] = code;
            }
        }
        let mut does = HashMap::new();
        for (a, actor) in system.actors.iter().enumerate() {
            for (x, action) in actor.actions.iter().enumerate() {
                does.insert(format!("{}.{action}", actor.name), (a, x));
            }
        }
        let names = law.props.iter().chain(law.vars.iter().map(|v| &v.name)).cloned().zip(0..).collect();
        let truth = vec![Value::Int(0), Value::Int(1)];
        let domains = (0..props).map(|_| truth.clone()).chain(law.vars.iter().map(|v| v.values.clone())).collect();
        Layout { elements, choices, vars: next + spare, names, does, domains, spare: next }
    }

    /// The variables of a state, in order.
    pub(crate) fn state_vars(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.elements.iter().flat_map(|c| c.bits.iter().copied()).collect();
        all.sort_unstable();
        all
    }

    /// The variables of some elements after a step.
    pub(crate) fn after_vars(&self, elements: &[usize]) -> Vec<u32> {
        elements.iter().flat_map(|&e| self.elements[e].after.iter().copied()).collect()
    }

    /// The variables of some elements before a step.
    pub(crate) fn before_vars(&self, elements: &[usize]) -> Vec<u32> {
        elements.iter().flat_map(|&e| self.elements[e].bits.iter().copied()).collect()
    }

    /// The variables of an actor's choice.
    pub(crate) fn choice_vars(&self, actor: usize) -> &[u32] {
        &self.choices[actor].bits
    }

    /// The index of an element.
    pub(crate) fn element(&self, name: &Name) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// How many elements there are.
    pub(crate) fn size(&self) -> usize {
        self.elements.len()
    }

    /// The bits of a state given by value indices.
    pub(crate) fn assignment(&self, state: &[u16]) -> HashMap<u32, bool> {
        let mut all = HashMap::new();
        for (code, &value) in self.elements.iter().zip(state) {
            for (i, &bit) in code.bits.iter().enumerate() {
                all.insert(bit, value as usize >> (code.bits.len() - 1 - i) & 1 == 1);
            }
        }
        all
    }

    /// The value indices of a state given by its bits.
    pub(crate) fn state(&self, value: impl Fn(u32) -> bool) -> Box<[u16]> {
        let number = |code: &Code| code.bits.iter().fold(0, |n, &bit| n << 1 | u16::from(value(bit)));
        self.elements.iter().map(number).collect()
    }
}

/// What depends on what, as a model whose laws name everything that occurs together.
fn dependencies(system: &System) -> LawModel {
    let law = &system.vocabulary;
    let choice = |a: usize| -> Name { format!("{}.", system.actors[a].name).into() };
    let mut vars = law.vars.clone();
    let mut declaration = law.declaration.clone();
    for (a, actor) in system.actors.iter().enumerate() {
        vars.push(Variable { name: choice(a), values: vec![Value::Int(0); actor.actions.len()] });
        declaration.push(choice(a));
    }
    let does: HashMap<String, usize> = system
        .actors
        .iter()
        .enumerate()
        .flat_map(|(a, actor)| actor.actions.iter().map(move |x| (format!("{}.{x}", actor.name), a)))
        .collect();
    // Atoms for actions become mentions of the actor's choice.
    let mention = |names: &mut Vec<Name>, f: &Formula| {
        crate::model::order::for_each_name(f, &mut |name| match does.get(&**name) {
            Some(&a) => names.push(choice(a)),
            None => names.push(name.clone()),
        });
    };
    let together = |names: Vec<Name>| Law {
        formula: Formula::and(names.into_iter().map(Formula::atom).collect()),
        span: Span::default(),
    };
    let mut laws = law.laws.clone();
    for (a, actor) in system.actors.iter().enumerate() {
        for line in &actor.protocol {
            let mut names = vec![choice(a)];
            mention(&mut names, &line.guard);
            laws.push(together(names));
        }
    }
    for rule in system.evolution.iter().flat_map(|g| &g.rules) {
        let mut names: Vec<Name> = rule.sets.iter().map(|(n, _)| n.clone()).collect();
        mention(&mut names, &rule.guard);
        for (_, next) in &rule.sets {
            match next {
                Next::Term(t) => t.for_each_var(&mut |n| names.push(n.clone())),
                Next::Formula(f) => mention(&mut names, f),
                Next::OneOf(_) | Next::Either => {}
            }
        }
        laws.push(together(names));
    }
    LawModel { laws, vars, declaration, observes: Vec::new(), ..law.clone() }
}

/// A part of the step relation: over states before, choices, and some elements after.
#[derive(Clone)]
pub(crate) struct Part<X> {
    /// The relation.
    pub(crate) relation: X,
    /// The elements it says something about after the step.
    pub(crate) targets: Vec<usize>,
    /// The actors whose choice it depends on.
    pub(crate) actors: Vec<usize>,
}

/// A step that would go wrong: where, for which rule and target.
pub(crate) struct Wrong<X> {
    pub(crate) states: X,
    pub(crate) target: Name,
    pub(crate) span: Span,
}

/// Parts of the step relation, and where rules would go wrong.
pub(crate) type Evolved<B> = (Vec<Part<<B as Bdd>::F>>, Vec<Wrong<<B as Bdd>::F>>);

/// The values of variables by name.
type Lookup<'l> = dyn Fn(&str) -> Option<Value> + 'l;

/// What is done with a combination of values, and the function that says so.
type Visit<'v, B> = dyn FnMut(&Lookup<'_>, &<B as Bdd>::F) -> Symbolic<()> + 'v;

/// Makes functions of formulas, rules and protocols.
pub(crate) struct Encoder<'a, B: Bdd> {
    pub(crate) bdd: &'a B,
    pub(crate) layout: &'a Layout,
    known: HashMap<F, B::F>,
}

impl<'a, B: Bdd> Encoder<'a, B> {
    pub(crate) fn new(bdd: &'a B, layout: &'a Layout) -> Encoder<'a, B> {
        Encoder { bdd, layout, known: HashMap::new() }
    }

    fn cube(&self, bits: &[u32], value: usize) -> Result<B::F, Full> {
        let mut f = self.bdd.constant(true);
        for (i, &bit) in bits.iter().enumerate().rev() {
            let v = self.bdd.var(bit)?;
            let on = value >> (bits.len() - 1 - i) & 1 == 1;
            f = if on { self.bdd.and(&v, &f)? } else { self.bdd.and(&self.bdd.not(&v)?, &f)? };
        }
        Ok(f)
    }

    /// The element has this value.
    pub(crate) fn is(&self, element: usize, value: usize) -> Result<B::F, Full> {
        self.cube(&self.layout.elements[element].bits, value)
    }

    fn becomes(&self, element: usize, value: usize) -> Result<B::F, Full> {
        self.cube(&self.layout.elements[element].after, value)
    }

    fn chooses(&self, actor: usize, action: usize) -> Result<B::F, Full> {
        self.cube(&self.layout.choices[actor].bits, action)
    }

    /// The element keeps its value.
    fn keeps(&self, element: usize) -> Result<B::F, Full> {
        let code = &self.layout.elements[element];
        let mut f = self.bdd.constant(true);
        for (&before, &after) in code.bits.iter().zip(&code.after).rev() {
            let same = self.bdd.iff(&self.bdd.var(before)?, &self.bdd.var(after)?)?;
            f = self.bdd.and(&same, &f)?;
        }
        Ok(f)
    }

    /// Codes that stand for values.
    pub(crate) fn valid(&self) -> Symbolic<B::F> {
        let mut parts = Vec::new();
        for (e, code) in self.layout.elements.iter().enumerate() {
            if code.values < 1 << code.bits.len() {
                let mut some = self.bdd.constant(false);
                for v in 0..code.values {
                    some = self.bdd.or(&some, &self.is(e, v)?)?;
                }
                parts.push(some);
            }
        }
        Ok(all(self.bdd, parts)?)
    }

    /// An objective formula; atoms may be actions.
    pub(crate) fn formula(&mut self, f: &F) -> Symbolic<B::F> {
        if let Some(found) = self.known.get(f) {
            return Ok(found.clone());
        }
        let made = self.make(f)?;
        self.known.insert(f.clone(), made.clone());
        Ok(made)
    }

    fn parts(&mut self, parts: &[F]) -> Symbolic<Vec<B::F>> {
        parts.iter().map(|p| self.formula(p)).collect()
    }

    fn make(&mut self, f: &F) -> Symbolic<B::F> {
        let bdd = self.bdd;
        Ok(match f.plain() {
            Plain::Const(b) => bdd.constant(b),
            Plain::Atom(name) => match (self.layout.element(name), self.layout.does.get(&**name)) {
                (Some(e), _) => self.is(e, 1)?,
                (None, Some(&(actor, action))) => self.chooses(actor, action)?,
                (None, None) => bdd.constant(false),
            },
            Plain::Compare(cmp, a, b) => self.compare(cmp, a, b)?,
            Plain::Not(g) => bdd.not(&self.formula(g)?)?,
            Plain::And(parts) => all(bdd, self.parts(parts)?)?,
            Plain::Or(parts) => any(bdd, self.parts(parts)?)?,
            Plain::Imp(a, b) => bdd.imp(&self.formula(a)?, &self.formula(b)?)?,
            Plain::Iff(a, b) => bdd.iff(&self.formula(a)?, &self.formula(b)?)?,
            Plain::Xor(parts) => odd(bdd, self.parts(parts)?)?,
            Plain::Count(cmp, n, parts) => count_of(bdd, cmp, n, self.parts(parts)?)?,
            Plain::Modal => {
                return Err(CheckError::NotHere("protocols that ask what an agent knows need perfect recall").into());
            }
        })
    }

    /// The elements of terms.
    fn elements(&self, terms: &[&Term]) -> Vec<usize> {
        let mut found = Vec::new();
        for term in terms {
            term.for_each_var(&mut |name| {
                if let Some(e) = self.layout.element(name)
                    && !found.contains(&e)
                {
                    found.push(e);
                }
            });
        }
        found
    }

    /// Calls `visit` with the value of the elements in every combination, and the function that says so.
    fn combinations(&self, elements: &[usize], visit: &mut Visit<'_, B>) -> Symbolic<()> {
        let total = elements
            .iter()
            .try_fold(1usize, |n, &e| n.checked_mul(self.layout.elements[e].values))
            .filter(|n| *n <= MAX_COMBINATIONS)
            .ok_or(CheckError::from(Limit::TermValues))?;
        let names: Vec<(&Name, usize)> = self
            .layout
            .names
            .iter()
            .filter_map(|(n, e)| elements.iter().position(|x| x == e).map(|at| (n, at)))
            .collect();
        for i in 0..total {
            let mut rest = i;
            let mut values = Vec::with_capacity(elements.len());
            let mut here = self.bdd.constant(true);
            for &e in elements {
                let count = self.layout.elements[e].values;
                let value = rest % count;
                rest /= count;
                here = self.bdd.and(&here, &self.is(e, value)?)?;
                values.push(self.layout.domains[e][value].clone());
            }
            let lookup = |name: &str| names.iter().find(|(n, _)| &***n == name).map(|(_, at)| values[*at].clone());
            visit(&lookup, &here)?;
        }
        Ok(())
    }

    fn compare(&self, cmp: Cmp, a: &Term, b: &Term) -> Symbolic<B::F> {
        let elements = self.elements(&[a, b]);
        let mut found = Vec::new();
        self.combinations(&elements, &mut |lookup, here| {
            if let (Some(x), Some(y)) = (a.eval(lookup), b.eval(lookup))
                && cmp.admits(x.cmp(&y))
            {
                found.push(here.clone());
            }
            Ok(())
        })?;
        Ok(any(self.bdd, found)?)
    }

    /// What an agent sees, as the elements that it sees as they are, and other functions.
    pub(crate) fn sight(&mut self, seen: &[Observation]) -> Symbolic<(Vec<usize>, Vec<B::F>)> {
        let (mut plain, mut other) = (Vec::new(), Vec::new());
        for observation in seen {
            match observation {
                Observation::Term(Term::Var(name)) => plain.extend(self.layout.element(name)),
                Observation::Formula(f) => match &**f {
                    Formula::Atom(name) => plain.extend(self.layout.element(name)),
                    _ => other.push(self.formula(f)?),
                },
                Observation::Term(term) => {
                    let elements = self.elements(&[term]);
                    let mut by_value: Vec<(Option<Value>, Vec<B::F>)> = Vec::new();
                    self.combinations(&elements, &mut |lookup, here| {
                        let value = term.eval(lookup);
                        match by_value.iter_mut().find(|(v, _)| *v == value) {
                            Some((_, list)) => list.push(here.clone()),
                            None => by_value.push((value, vec![here.clone()])),
                        }
                        Ok(())
                    })?;
                    // The number of the value, bit by bit.
                    for bit in 0..bits(by_value.len()) {
                        let on = by_value.iter().enumerate().filter(|(i, _)| i >> bit & 1 == 1);
                        let on: Vec<B::F> = on.flat_map(|(_, (_, list))| list.iter().cloned()).collect();
                        other.push(any(self.bdd, on)?);
                    }
                }
            }
        }
        plain.sort_unstable();
        plain.dedup();
        Ok((plain, other))
    }

    /// What each actor may do: over states and its own choice.
    pub(crate) fn protocols(&mut self, system: &System) -> Symbolic<Vec<Part<B::F>>> {
        let bdd = self.bdd;
        let mut parts = Vec::new();
        for (a, actor) in system.actors.iter().enumerate() {
            let one_of = |encoder: &Self, actions: &[usize]| -> Symbolic<B::F> {
                let list = actions.iter().map(|&x| encoder.chooses(a, x)).collect::<Result<Vec<_>, _>>()?;
                Ok(any(bdd, list)?)
            };
            let mut enabled = bdd.constant(false);
            let mut some = bdd.constant(false);
            for line in &actor.protocol {
                let guard = self.formula(&line.guard)?;
                let here = bdd.and(&guard, &one_of(self, &line.actions)?)?;
                enabled = bdd.or(&enabled, &here)?;
                some = bdd.or(&some, &guard)?;
            }
            let other = bdd.and(&bdd.not(&some)?, &one_of(self, &actor.otherwise)?)?;
            enabled = bdd.or(&enabled, &other)?;
            parts.push(Part { relation: enabled, targets: Vec::new(), actors: vec![a] });
        }
        Ok(parts)
    }

    /// What changes: a part for each group that can change something, and where a rule would go wrong.
    pub(crate) fn evolution(&mut self, system: &System) -> Symbolic<Evolved<B>> {
        let bdd = self.bdd;
        let (mut parts, mut wrong) = (Vec::new(), Vec::new());
        for group in &system.evolution {
            let mut targets: Vec<usize> = Vec::new();
            for (name, _) in group.rules.iter().flat_map(|r| &r.sets) {
                if let Some(e) = self.layout.element(name)
                    && !targets.contains(&e)
                {
                    targets.push(e);
                }
            }
            let mut relation = bdd.constant(false);
            let mut before = bdd.constant(false);
            for rule in &group.rules {
                let mut guard = self.formula(&rule.guard)?;
                if group.precedence == Precedence::First {
                    guard = bdd.and(&guard, &bdd.not(&before)?)?;
                }
                before = bdd.or(&before, &guard)?;
                let mut here = guard.clone();
                for &e in &targets {
                    let set = rule.sets.iter().find(|(name, _)| self.layout.element(name) == Some(e));
                    let change = match set {
                        None => self.keeps(e)?,
                        Some((name, next)) => {
                            let (change, bad) = self.change(e, next)?;
                            let bad = bdd.and(&guard, &bad)?;
                            if bad != bdd.constant(false) {
                                wrong.push(Wrong { states: bad, target: name.clone(), span: rule.span });
                            }
                            change
                        }
                    };
                    here = bdd.and(&here, &change)?;
                }
                relation = bdd.or(&relation, &here)?;
            }
            let mut kept = bdd.constant(true);
            for &e in &targets {
                kept = bdd.and(&kept, &self.keeps(e)?)?;
            }
            relation = bdd.or(&relation, &bdd.and(&bdd.not(&before)?, &kept)?)?;
            // A group that changes nothing needs no part: its elements stay as they are.
            if relation != kept {
                let mut actors = Vec::new();
                let support = crate::bdd::support(bdd, &relation);
                for (a, code) in self.layout.choices.iter().enumerate() {
                    if code.bits.iter().any(|b| support.contains(b)) {
                        actors.push(a);
                    }
                }
                parts.push(Part { relation, targets, actors });
            }
        }
        Ok((parts, wrong))
    }

    /// What an element becomes, and where that would be no value of it.
    fn change(&mut self, e: usize, next: &Next) -> Symbolic<(B::F, B::F)> {
        let bdd = self.bdd;
        let nowhere = bdd.constant(false);
        Ok(match next {
            Next::Formula(f) => {
                let value = self.formula(f)?;
                (bdd.iff(&self.becomes(e, 1)?, &value)?, nowhere)
            }
            Next::Either => (bdd.constant(true), nowhere),
            Next::OneOf(values) => {
                let mut list = Vec::new();
                for value in values {
                    if let Some(v) = self.layout.domains[e].iter().position(|d| d == value) {
                        list.push(self.becomes(e, v)?);
                    }
                }
                (any(bdd, list)?, nowhere)
            }
            Next::Term(term) => {
                let elements = self.elements(&[term]);
                let (mut good, mut bad) = (Vec::new(), Vec::new());
                self.combinations(&elements, &mut |lookup, here| {
                    let value = term.eval(lookup);
                    match value.and_then(|v| self.layout.domains[e].iter().position(|d| *d == v)) {
                        Some(v) => good.push(bdd.and(here, &self.becomes(e, v)?)?),
                        None => bad.push(here.clone()),
                    }
                    Ok(())
                })?;
                (any(bdd, good)?, any(bdd, bad)?)
            }
        })
    }
}
