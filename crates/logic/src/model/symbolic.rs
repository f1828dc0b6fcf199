//! Knowledge structures: a model as a Boolean function.
//!
//! A [`Structure`] is (V, θ, O₁ … Oₙ): variables, a state law over them, and the variables that each agent observes
//! (Van Benthem, Van Eijck, Gattinger, Su: *Symbolic model checking for Dynamic Epistemic Logic*). Worlds are the
//! assignments that satisfy θ; agent i confuses two of them iff they agree on Oᵢ; so `K[i] φ` is ∀(V∖Oᵢ)(θ → φ).
//!
//! Three things differ from the papers. Observing a formula adds a variable that equals it. An event of an action
//! model adds variables for which event it was. And a proposition is a *function* of the variables, so factual change
//! replaces the function and needs no copy of the vocabulary: old observations stay about old values by themselves.

use super::kripke::{Kripke, Relation};
use super::law::{LawModel, Observation};
use super::order::static_order;
use crate::bdd::{Bdd, Full, Split, support};
use crate::check::{CheckError, Limit};
use crate::formula::{Cmp, F, Formula, Name, Plain, Term, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Why a symbolic computation stopped.
#[derive(Debug)]
pub enum Stopped {
    /// The manager is full: start again in a larger one.
    Full,
    /// There is no answer.
    Error(CheckError),
}

impl Stopped {
    /// What stopped an account: a manager that was full can be replaced by a larger one, as for any other question.
    pub(crate) fn of_account(error: CheckError) -> Stopped {
        match error {
            CheckError::Limit(Limit::DiagramBytes(_)) => Stopped::Full,
            error => Stopped::Error(error),
        }
    }
}

impl From<Full> for Stopped {
    fn from(_: Full) -> Stopped {
        Stopped::Full
    }
}

impl From<CheckError> for Stopped {
    fn from(error: CheckError) -> Stopped {
        Stopped::Error(error)
    }
}

/// The result of a symbolic computation.
pub type Symbolic<T> = Result<T, Stopped>;

/// Where new variables go in the order.
///
/// The order is planned in a dry run of the same computation with [`PlanBdd`], in which a function is only the depth of
/// its deepest variable: each new variable is placed right after the variables that decide it.
pub enum Fresh {
    /// Dry run: collects, for each new variable in turn, the depth after which it goes.
    Planning(RefCell<Vec<u32>>),
    /// Real run: hands out the planned levels in the same turn.
    Planned {
        /// The level of each new variable.
        levels: Vec<u32>,
        /// How many have been handed out.
        next: RefCell<usize>,
    },
}

impl Fresh {
    fn take(&self, depth: u32) -> Result<u32, Full> {
        match self {
            Fresh::Planning(depths) => {
                depths.borrow_mut().push(depth);
                Ok(depth)
            }
            Fresh::Planned { levels, next } => {
                let mut next = next.borrow_mut();
                *next += 1;
                levels.get(*next - 1).copied().ok_or(Full)
            }
        }
    }
}

/// What does not change under announcements: variables and observations.
#[derive(Debug)]
pub struct Frame<C> {
    /// All variables, sorted.
    pub vars: Vec<u32>,
    /// For each agent, the variables it observes, sorted.
    pub observed: Vec<Vec<u32>>,
    cubes: RefCell<HashMap<Vec<usize>, C>>,
}

/// A variable's values, each with the function that says where it is taken.
pub type Parts<T> = Vec<(Value, T)>;

/// A knowledge structure.
#[derive(Debug)]
pub struct Structure<B: Bdd> {
    /// The state law θ.
    pub law: B::F,
    /// The propositions as functions.
    pub atoms: Rc<HashMap<Name, B::F>>,
    /// The typed variables: for each value, where it is taken.
    pub terms: Rc<HashMap<Name, Parts<B::F>>>,
    /// Variables and observations.
    pub frame: Rc<Frame<B::Cube>>,
}

impl<B: Bdd> Clone for Structure<B> {
    fn clone(&self) -> Structure<B> {
        let Structure { law, atoms, terms, frame } = self;
        Structure { law: law.clone(), atoms: atoms.clone(), terms: terms.clone(), frame: frame.clone() }
    }
}

/// The number of bits that tell `n` things apart.
fn bits_for(n: usize) -> u32 {
    n.max(1).next_power_of_two().trailing_zeros()
}

/// How many base variables a model takes.
pub fn base_size(model: &LawModel) -> usize {
    model.props.len() + model.vars.iter().map(|v| bits_for(v.values.len()) as usize).sum::<usize>()
}

impl<B: Bdd> Structure<B> {
    /// The structure of a law model; `base` are the levels of its base variables, in static order.
    pub fn from_law(bdd: &B, model: &LawModel, base: &[u32], fresh: &Fresh) -> Symbolic<Structure<B>> {
        let mut atoms = HashMap::new();
        let mut terms = HashMap::new();
        let mut levels: Vec<Vec<u32>> = vec![Vec::new(); model.props.len() + model.vars.len()];
        let mut next = base.iter().copied();
        let mut law = bdd.constant(true);
        for element in static_order(model) {
            match element.checked_sub(model.props.len()) {
                None => {
                    let level = next.next().ok_or(Stopped::Full)?;
                    levels[element].push(level);
                    atoms.insert(model.props[element].clone(), bdd.var(level)?);
                }
                Some(var) => {
                    let variable = &model.vars[var];
                    let bits: Vec<u32> = next.by_ref().take(bits_for(variable.values.len()) as usize).collect();
                    let mut parts = Vec::new();
                    for (i, value) in variable.values.iter().enumerate() {
                        parts.push((value.clone(), code(bdd, &bits, i)?));
                    }
                    let some = any(bdd, parts.iter().map(|(_, f)| f.clone()).collect())?;
                    law = bdd.and(&law, &some)?;
                    levels[element] = bits;
                    parts.sort_by(|(a, _), (b, _)| a.cmp(b));
                    terms.insert(variable.name.clone(), parts);
                }
            }
        }
        let mut vars: Vec<u32> = base.to_vec();
        let frame = Frame { vars: vars.clone(), observed: Vec::new(), cubes: RefCell::default() };
        let mut structure: Structure<B> =
            Structure { law, atoms: Rc::new(atoms), terms: Rc::new(terms), frame: Rc::new(frame) };
        let mut laws = vec![structure.law.clone()];
        for part in model.laws.iter().flat_map(|law| Formula::conjuncts(&law.formula)) {
            laws.push(structure.objective(bdd, part)?);
        }
        structure.law = all_upwards(bdd, laws)?;
        let index: HashMap<&Name, usize> =
            model.props.iter().chain(model.vars.iter().map(|v| &v.name)).zip(0..).collect();
        // Observations that several agents share become variables once.
        let mut shared: Vec<(&Observation, Vec<u32>)> = Vec::new();
        let mut observed = Vec::new();
        for observations in &model.observes {
            let mut seen: Vec<u32> = Vec::new();
            for observation in observations {
                let direct = match observation {
                    Observation::Formula(f) => match &**f {
                        Formula::Atom(name) => index.get(name),
                        _ => None,
                    },
                    Observation::Term(Term::Var(name)) => index.get(name),
                    Observation::Term(_) => None,
                };
                if let Some(&element) = direct {
                    seen.extend(&levels[element]);
                    continue;
                }
                if let Some((_, bits)) = shared.iter().find(|(o, _)| *o == observation) {
                    seen.extend(bits);
                    continue;
                }
                let parts = match observation {
                    Observation::Formula(f) => {
                        let f = structure.objective(bdd, f)?;
                        vec![bdd.not(&f)?, f]
                    }
                    Observation::Term(term) => {
                        let parts = structure.partition(bdd, term)?;
                        let mut functions: Vec<B::F> = parts.into_iter().map(|(_, f)| f).collect();
                        let some = any(bdd, functions.clone())?;
                        functions.push(bdd.not(&some)?);
                        functions
                    }
                };
                let bits = structure.name_parts(bdd, &parts, fresh)?;
                vars.extend(&bits);
                seen.extend(&bits);
                shared.push((observation, bits));
            }
            seen.sort_unstable();
            seen.dedup();
            observed.push(seen);
        }
        vars.sort_unstable();
        structure.frame = Rc::new(Frame { vars, observed, cubes: RefCell::default() });
        Ok(structure)
    }

    /// The structure of an explicit S5 model: variables for which world it is.
    pub fn from_kripke(bdd: &B, model: &Kripke, base: &[u32], fresh: &Fresh) -> Symbolic<Structure<B>> {
        let worlds: Vec<B::F> = (0..model.size()).map(|w| code(bdd, base, w)).collect::<Result<_, _>>()?;
        let union = |set: &mut dyn Iterator<Item = usize>| any(bdd, set.map(|w| worlds[w].clone()).collect());
        let law = union(&mut (0..model.size()))?;
        let mut atoms = HashMap::new();
        for (prop, column) in model.props().iter().zip(&model.columns) {
            atoms.insert(prop.clone(), union(&mut column.iter())?);
        }
        let mut terms = HashMap::new();
        for var in &model.vars {
            let mut values: BTreeMap<&Value, Vec<usize>> = BTreeMap::new();
            for (w, value) in var.values.iter().enumerate() {
                values.entry(value).or_default().push(w);
            }
            let mut parts = Vec::new();
            for (value, set) in values {
                parts.push((value.clone(), union(&mut set.into_iter())?));
            }
            terms.insert(var.name.clone(), parts);
        }
        let frame = Frame { vars: base.to_vec(), observed: Vec::new(), cubes: RefCell::default() };
        let mut structure: Structure<B> =
            Structure { law, atoms: Rc::new(atoms), terms: Rc::new(terms), frame: Rc::new(frame) };
        let mut vars = base.to_vec();
        let mut observed = Vec::new();
        for relation in model.relations() {
            let Relation::Classes(classes) = relation else { return Err(CheckError::BeliefInSymbolic.into()) };
            let members = classes.members();
            let mut parts = Vec::new();
            for class in &members {
                parts.push(union(&mut class.iter().map(|&w| w as usize))?);
            }
            let mut bits = structure.name_parts(bdd, &parts, fresh)?;
            vars.extend(&bits);
            bits.sort_unstable();
            observed.push(bits);
        }
        vars.sort_unstable();
        structure.frame = Rc::new(Frame { vars, observed, cubes: RefCell::default() });
        Ok(structure)
    }

    /// Adds variables that say in which of these disjoint parts the world is; strengthens the law by their meaning.
    fn name_parts(&mut self, bdd: &B, parts: &[B::F], fresh: &Fresh) -> Symbolic<Vec<u32>> {
        let depth = parts.iter().map(|f| deepest(bdd, f)).max().unwrap_or(0);
        let mut bits = Vec::new();
        let mut laws = vec![self.law.clone()];
        for bit in 0..bits_for(parts.len()) {
            let level = fresh.take(depth)?;
            let set = parts.iter().enumerate().filter(|(i, _)| i >> bit & 1 == 1).map(|(_, f)| f.clone());
            laws.push(bdd.iff(&bdd.var(level)?, &any(bdd, set.collect())?)?);
            bits.push(level);
        }
        self.law = all(bdd, laws)?;
        Ok(bits)
    }

    /// The cube of the variables that no agent of the group observes.
    pub fn unobserved(&self, bdd: &B, agents: &[usize]) -> Symbolic<B::Cube> {
        if let Some(cube) = self.frame.cubes.borrow().get(agents) {
            return Ok(cube.clone());
        }
        let hidden = self.hidden(agents);
        let cube = bdd.cube(hidden)?;
        self.frame.cubes.borrow_mut().insert(agents.to_vec(), cube.clone());
        Ok(cube)
    }

    /// The variables that no agent of the group observes.
    pub fn hidden(&self, agents: &[usize]) -> Vec<u32> {
        let seen = |v: &u32| agents.iter().any(|&a| self.frame.observed[a].binary_search(v).is_ok());
        self.frame.vars.iter().copied().filter(|v| !seen(v)).collect()
    }

    /// The function of an objective formula.
    fn objective(&self, bdd: &B, f: &F) -> Symbolic<B::F> {
        let list = |parts: &[F]| parts.iter().map(|p| self.objective(bdd, p)).collect::<Symbolic<Vec<_>>>();
        Ok(match f.plain() {
            Plain::Const(b) => bdd.constant(b),
            Plain::Atom(name) => self.atoms.get(name).cloned().unwrap_or_else(|| bdd.constant(false)),
            Plain::Compare(cmp, a, b) => self.compare(bdd, cmp, a, b)?,
            Plain::Not(g) => bdd.not(&self.objective(bdd, g)?)?,
            Plain::And(parts) => all(bdd, list(parts)?)?,
            Plain::Or(parts) => any(bdd, list(parts)?)?,
            Plain::Imp(a, b) => bdd.imp(&self.objective(bdd, a)?, &self.objective(bdd, b)?)?,
            Plain::Iff(a, b) => bdd.iff(&self.objective(bdd, a)?, &self.objective(bdd, b)?)?,
            Plain::Xor(parts) => odd(bdd, list(parts)?)?,
            Plain::Count(cmp, n, parts) => count_of(bdd, cmp, n, list(parts)?)?,
            Plain::Modal => unreachable!("laws and observations are objective: checked when the model is read"),
        })
    }

    /// Where the comparison holds; nowhere where a side has no value.
    pub fn compare(&self, bdd: &B, cmp: Cmp, a: &Term, b: &Term) -> Symbolic<B::F> {
        let (left, right) = (self.partition(bdd, a)?, self.partition(bdd, b)?);
        if left.len().saturating_mul(right.len()) > MAX_COMBINATIONS {
            return Err(CheckError::from(Limit::TermValues).into());
        }
        let mut cases = Vec::new();
        for (x, f) in &left {
            let matching = right.iter().filter(|(y, _)| cmp.admits(x.cmp(y))).map(|(_, g)| g.clone()).collect();
            cases.push(bdd.and(f, &any(bdd, matching)?)?);
        }
        Ok(any(bdd, cases)?)
    }

    /// The values of a term, each with where it is taken, sorted by value.
    pub fn partition(&self, bdd: &B, term: &Term) -> Symbolic<Parts<B::F>> {
        Ok(match term {
            Term::Value(v) => vec![(v.clone(), bdd.constant(true))],
            Term::Var(name) => self.terms.get(name).cloned().unwrap_or_default(),
            Term::Neg(inner) => {
                let parts = self.partition(bdd, inner)?.into_iter().filter_map(|(v, f)| match v {
                    Value::Int(n) => Some((Value::Int(n.checked_neg()?), f)),
                    Value::Sym(_) => None,
                });
                let mut parts: Parts<B::F> = parts.collect();
                parts.sort_by(|(a, _), (b, _)| a.cmp(b));
                parts
            }
            Term::Bin(op, a, b) => {
                let (left, right) = (self.partition(bdd, a)?, self.partition(bdd, b)?);
                if left.len().saturating_mul(right.len()) > MAX_COMBINATIONS {
                    return Err(CheckError::from(Limit::TermValues).into());
                }
                let mut cases: BTreeMap<i64, Vec<B::F>> = BTreeMap::new();
                for (x, f) in &left {
                    for (y, g) in &right {
                        let (Value::Int(x), Value::Int(y)) = (x, y) else { continue };
                        let Some(n) = op.apply(*x, *y) else { continue };
                        cases.entry(n).or_default().push(bdd.and(f, g)?);
                    }
                }
                let mut parts = Vec::new();
                for (n, functions) in cases {
                    parts.push((Value::Int(n), any(bdd, functions)?));
                }
                parts
            }
        })
    }

    /// The structure after an action with several events; see [`Step`].
    pub fn step(&self, bdd: &B, events: &Events<B>, fresh: &Fresh) -> Symbolic<Step<B>> {
        let depth = events.pre.iter().map(|f| deepest(bdd, f)).max().unwrap_or(0);
        let bits: Vec<u32> = (0..bits_for(events.pre.len())).map(|_| fresh.take(depth)).collect::<Result<_, _>>()?;
        let codes: Vec<B::F> = (0..events.pre.len()).map(|e| code(bdd, &bits, e)).collect::<Result<_, _>>()?;
        let mut cases = Vec::new();
        for (code, pre) in codes.iter().zip(&events.pre) {
            cases.push(bdd.and(code, pre)?);
        }
        let mut after = self.clone();
        after.law = bdd.and(&self.law, &any(bdd, cases)?)?;
        let mut vars = self.frame.vars.clone();
        vars.extend(&bits);
        let mut literals: Vec<Vec<(u32, bool)>> =
            (0..codes.len()).map(|e| bits.iter().enumerate().map(|(i, &v)| (v, e >> i & 1 == 1)).collect()).collect();
        // Agents with the same view of the events share the variables that stand for it.
        let mut views: Vec<(&Vec<u32>, Vec<u32>)> = Vec::new();
        let mut observed = self.frame.observed.clone();
        for (agent, seen) in observed.iter_mut().enumerate() {
            let view = &events.classes[agent];
            let classes = view.iter().max().map_or(0, |m| m + 1) as usize;
            let own: Vec<u32> = if classes == view.len() {
                bits.clone()
            } else if let Some((_, own)) = views.iter().find(|(v, _)| *v == view) {
                own.clone()
            } else {
                let mut parts = Vec::new();
                for class in 0..classes as u32 {
                    let set = (0..view.len()).filter(|&e| view[e] == class).map(|e| codes[e].clone());
                    parts.push(any(bdd, set.collect())?);
                }
                let own = after.name_parts(bdd, &parts, fresh)?;
                vars.extend(&own);
                for (e, literals) in literals.iter_mut().enumerate() {
                    literals.extend(own.iter().enumerate().map(|(i, &v)| (v, view[e] >> i & 1 == 1)));
                }
                views.push((view, own.clone()));
                own
            };
            seen.extend(own);
            seen.sort_unstable();
        }
        vars.sort_unstable();
        after.frame = Rc::new(Frame { vars, observed, cubes: RefCell::default() });
        self.change(bdd, &mut after, events, &codes)?;
        Ok(Step { after, literals })
    }

    /// Replaces the functions of what the events change.
    fn change(&self, bdd: &B, after: &mut Structure<B>, events: &Events<B>, codes: &[B::F]) -> Symbolic<()> {
        let mut atoms = (*self.atoms).clone();
        let mut touched: Vec<&Name> = events.props.iter().flatten().map(|(name, _)| name).collect();
        touched.sort_unstable();
        touched.dedup();
        for name in touched {
            let old = self.atoms.get(name).cloned().unwrap_or_else(|| bdd.constant(false));
            let mut function = old;
            for (code, changes) in codes.iter().zip(&events.props) {
                if let Some((_, new)) = changes.iter().rfind(|(n, _)| n == name) {
                    function = bdd.ite(code, new, &function)?;
                }
            }
            atoms.insert(name.clone(), function);
        }
        after.atoms = Rc::new(atoms);
        let mut touched: Vec<&Name> = events.terms.iter().flatten().map(|(name, _)| name).collect();
        touched.sort_unstable();
        touched.dedup();
        if touched.is_empty() {
            return Ok(());
        }
        let mut terms = (*self.terms).clone();
        for name in touched {
            // A variable that the model does not have stays without a value.
            let Some(old) = self.terms.get(name).cloned() else { continue };
            let mut cases: BTreeMap<Value, Vec<B::F>> = BTreeMap::new();
            for (code, changes) in codes.iter().zip(&events.terms) {
                let parts = match changes.iter().rfind(|(n, _)| n == name) {
                    None => old.clone(),
                    Some((_, new)) => {
                        // Where the new value is undefined the old one stays.
                        let some = any(bdd, new.iter().map(|(_, f)| f.clone()).collect())?;
                        let none = bdd.not(&some)?;
                        let mut parts = new.clone();
                        for (value, f) in &old {
                            parts.push((value.clone(), bdd.and(f, &none)?));
                        }
                        parts
                    }
                };
                for (value, f) in parts {
                    cases.entry(value).or_default().push(bdd.and(code, &f)?);
                }
            }
            let mut parts = Vec::new();
            for (value, functions) in cases {
                parts.push((value, any(bdd, functions)?));
            }
            terms.insert(name.clone(), parts);
        }
        after.terms = Rc::new(terms);
        Ok(())
    }
}

const MAX_COMBINATIONS: usize = 1 << 20;

/// The events of an action, evaluated in a structure.
pub struct Events<B: Bdd> {
    /// The precondition of each event.
    pub pre: Vec<B::F>,
    /// For each event, the propositions it changes and their new values.
    pub props: Vec<Vec<(Name, B::F)>>,
    /// For each event, the variables it changes and their new values.
    pub terms: Vec<Vec<(Name, Parts<B::F>)>>,
    /// For each agent, the class of each event, numbered from 0.
    pub classes: Vec<Vec<u32>>,
}

/// A structure after an action.
pub struct Step<B: Bdd> {
    /// The structure.
    pub after: Structure<B>,
    /// For each event, the literals that say it was this one.
    pub literals: Vec<Vec<(u32, bool)>>,
}

/// The function that is true at one code word.
fn code<B: Bdd>(bdd: &B, bits: &[u32], word: usize) -> Result<B::F, Full> {
    let mut literals: Vec<(u32, bool)> = bits.iter().enumerate().map(|(i, &v)| (v, word >> i & 1 == 1)).collect();
    literals.sort_unstable_by(|a, b| b.cmp(a));
    let mut f = bdd.constant(true);
    for (v, value) in literals {
        let literal = bdd.var(v)?;
        f = bdd.and(&if value { literal } else { bdd.not(&literal)? }, &f)?;
    }
    Ok(f)
}

/// The level of the deepest variable that the function seems to depend on, for placing new variables.
fn deepest<B: Bdd>(bdd: &B, f: &B::F) -> u32 {
    // Only the dry run looks at the answer, and there a function *is* its depth.
    match bdd.split(f) {
        Split::Const(_) => 0,
        Split::Node { var, .. } => var,
    }
}

/// The conjunction, combined pairwise so that small functions meet first.
pub fn all<B: Bdd>(bdd: &B, parts: Vec<B::F>) -> Result<B::F, Full> {
    combine(parts, bdd.constant(true), |a, b| bdd.and(a, b))
}

/// The disjunction, combined pairwise so that small functions meet first.
pub fn any<B: Bdd>(bdd: &B, parts: Vec<B::F>) -> Result<B::F, Full> {
    combine(parts, bdd.constant(false), |a, b| bdd.or(a, b))
}

/// Whether an odd number holds.
pub fn odd<B: Bdd>(bdd: &B, parts: Vec<B::F>) -> Result<B::F, Full> {
    combine(parts, bdd.constant(false), |a, b| bdd.xor(a, b))
}

fn combine<F: Clone>(mut parts: Vec<F>, empty: F, op: impl Fn(&F, &F) -> Result<F, Full>) -> Result<F, Full> {
    while parts.len() > 1 {
        parts = parts
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => op(a, b),
                rest => Ok(rest[0].clone()),
            })
            .collect::<Result<_, _>>()?;
    }
    Ok(parts.pop().unwrap_or(empty))
}

/// The conjunction, short parts first and from the deepest up: parts that reach far, such as counts over everything, meet
/// what the short ones have already excluded, and never each other alone.
fn all_upwards<B: Bdd>(bdd: &B, mut parts: Vec<B::F>) -> Result<B::F, Full> {
    parts.sort_by_cached_key(|f| {
        let top = top(bdd, f);
        (support(bdd, f).last().map_or(0, |last| last - top), std::cmp::Reverse(top))
    });
    parts.iter().try_fold(bdd.constant(true), |law, part| bdd.and(part, &law))
}

/// The level of the first variable that the function depends on.
fn top<B: Bdd>(bdd: &B, f: &B::F) -> u32 {
    match bdd.split(f) {
        Split::Const(_) => u32::MAX,
        Split::Node { var, .. } => var,
    }
}

/// Whether the number that hold compares so with `n`: a counter, built from the deepest part up.
pub fn count_of<B: Bdd>(bdd: &B, cmp: Cmp, n: u64, mut parts: Vec<B::F>) -> Result<B::F, Full> {
    parts.sort_by_key(|f| std::cmp::Reverse(top(bdd, f)));
    // row[j]: the comparison holds if j of the parts still to come (those above) hold; counts beyond n + 1 are alike.
    let limit = (n.saturating_add(1)).min(parts.len() as u64) as usize;
    let mut row: Vec<B::F> = (0..=limit).map(|j| bdd.constant(cmp.admits((j as u64).cmp(&n)))).collect();
    for part in &parts {
        row = (0..=limit).map(|j| bdd.ite(part, &row[(j + 1).min(limit)], &row[j])).collect::<Result<_, _>>()?;
    }
    Ok(row.swap_remove(0))
}

/// The dry run: a function is the depth of its deepest variable, counted from 1; constants have depth 0.
///
/// Its field is the number of depths, one more than there are base variables.
#[derive(Debug)]
pub struct PlanBdd(pub u32);

impl Bdd for PlanBdd {
    type F = u32;
    type Cube = ();

    fn vars(&self) -> u32 {
        self.0
    }
    fn constant(&self, _: bool) -> u32 {
        0
    }
    fn var(&self, v: u32) -> Result<u32, Full> {
        Ok(v)
    }
    fn not(&self, f: &u32) -> Result<u32, Full> {
        Ok(*f)
    }
    fn and(&self, f: &u32, g: &u32) -> Result<u32, Full> {
        Ok(*f.max(g))
    }
    fn or(&self, f: &u32, g: &u32) -> Result<u32, Full> {
        Ok(*f.max(g))
    }
    fn xor(&self, f: &u32, g: &u32) -> Result<u32, Full> {
        Ok(*f.max(g))
    }
    fn iff(&self, f: &u32, g: &u32) -> Result<u32, Full> {
        Ok(*f.max(g))
    }
    fn imp(&self, f: &u32, g: &u32) -> Result<u32, Full> {
        Ok(*f.max(g))
    }
    fn ite(&self, f: &u32, g: &u32, h: &u32) -> Result<u32, Full> {
        Ok(*f.max(g).max(h))
    }
    fn cube(&self, _: impl IntoIterator<Item = u32>) -> Result<(), Full> {
        Ok(())
    }
    fn exists(&self, f: &u32, _: &()) -> Result<u32, Full> {
        Ok(*f)
    }
    fn forall(&self, f: &u32, _: &()) -> Result<u32, Full> {
        Ok(*f)
    }
    fn and_exists(&self, f: &u32, g: &u32, _: &()) -> Result<u32, Full> {
        Ok(*f.max(g))
    }
    fn forall_imp(&self, f: &u32, g: &u32, _: &()) -> Result<u32, Full> {
        Ok(*f.max(g))
    }
    fn restrict(&self, f: &u32, _: &[(u32, bool)]) -> Result<u32, Full> {
        Ok(*f)
    }
    fn split(&self, f: &u32) -> Split<u32> {
        if *f == 0 { Split::Const(true) } else { Split::Node { var: *f, hi: 0, lo: 0 } }
    }
    fn node_count(&self, _: &u32) -> usize {
        0
    }
}

/// Levels for base and new variables from a dry run: a new variable of depth d goes after base variable d.
///
/// `base` is the number of base variables, `depths` the depth of each new one (0: before all base variables).
pub fn plan(base: usize, depths: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut order: Vec<(u32, u32)> = (0..base as u32).map(|i| (i + 1, 0)).collect();
    order.extend(depths.iter().enumerate().map(|(i, &d)| (d, i as u32 + 1)));
    order.sort_unstable();
    let (mut base_levels, mut fresh_levels) = (vec![0; base], vec![0; depths.len()]);
    for (level, (depth, which)) in order.into_iter().enumerate() {
        match which {
            0 => base_levels[depth as usize - 1] = level as u32,
            i => fresh_levels[i as usize - 1] = level as u32,
        }
    }
    (base_levels, fresh_levels)
}
