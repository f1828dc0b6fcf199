//! Algorithms over the nodes of a function, for any [`Bdd`].

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::BuildHasherDefault;

use ::oxidd::util::FxHasher;
use num_bigint::BigUint;

use super::{Bdd, Full, Split};

/// A table of results by function.
type Memo<K, V> = HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// The positions of a sorted list of variables.
struct Positions<'a> {
    vars: &'a [u32],
}

impl<'a> Positions<'a> {
    /// Checks that the list is strictly increasing.
    fn new(vars: &'a [u32]) -> Self {
        assert!(vars.is_sorted_by(|a, b| a < b), "the variables must be sorted and distinct");
        Self { vars }
    }

    /// Finds a variable of the function in the list.
    fn of(&self, var: u32) -> usize {
        match self.vars.binary_search(&var) {
            Ok(position) => position,
            Err(_) => panic!("the function depends on the unlisted variable {var}"),
        }
    }
}

/// Returns the variables that `f` depends on, in increasing order.
pub fn support<B: Bdd>(bdd: &B, f: &B::F) -> Vec<u32> {
    let mut seen: HashSet<B::F, BuildHasherDefault<FxHasher>> = HashSet::default();
    let mut found = BTreeSet::new();
    let mut open = vec![f.clone()];
    while let Some(f) = open.pop() {
        if let Split::Node { var, hi, lo } = bdd.split(&f)
            && seen.insert(f)
        {
            found.insert(var);
            open.push(lo);
            open.push(hi);
        }
    }
    found.into_iter().collect()
}

/// Returns the value of `f` where each variable `v` has the value `value(v)`.
pub fn evaluate<B: Bdd>(bdd: &B, f: &B::F, value: impl Fn(u32) -> bool) -> bool {
    let mut f = f.clone();
    loop {
        match bdd.split(&f) {
            Split::Const(result) => return result,
            Split::Node { var, hi, lo } => f = if value(var) { hi } else { lo },
        }
    }
}

/// Returns `f` with each of its variables `v` replaced by `to(v)`.
///
/// `to` must keep the order of the variables that `f` depends on; the result is
/// then built in time linear in the size of `f`.
pub fn renamed<B: Bdd>(bdd: &B, f: &B::F, to: &dyn Fn(u32) -> u32) -> Result<B::F, Full> {
    fn go<B: Bdd>(bdd: &B, f: &B::F, to: &dyn Fn(u32) -> u32, memo: &mut Memo<B::F, B::F>) -> Result<B::F, Full> {
        if let Some(found) = memo.get(f) {
            return Ok(found.clone());
        }
        let Split::Node { var, hi, lo } = bdd.split(f) else { return Ok(f.clone()) };
        let (hi, lo) = (go(bdd, &hi, to, memo)?, go(bdd, &lo, to, memo)?);
        let made = bdd.ite(&bdd.var(to(var))?, &hi, &lo)?;
        memo.insert(f.clone(), made.clone());
        Ok(made)
    }
    go(bdd, f, to, &mut Memo::default())
}

/// Counts the assignments to the variables `over` that satisfy `f`.
///
/// # Panics
///
/// Panics if `over` is not strictly increasing or if `f` depends on a variable
/// that is not in it.
pub fn count<B: Bdd>(bdd: &B, f: &B::F, over: &[u32]) -> BigUint {
    struct Counter<'a, B: Bdd> {
        bdd: &'a B,
        positions: Positions<'a>,
        /// For a node, its position and the count over the variables from there.
        memo: Memo<B::F, (usize, BigUint)>,
    }

    impl<B: Bdd> Counter<'_, B> {
        /// Counts over the variables from position `from`.
        fn count(&mut self, f: &B::F, from: usize) -> BigUint {
            if let Some((position, count)) = self.memo.get(f) {
                return count << (position - from);
            }
            match self.bdd.split(f) {
                Split::Const(false) => BigUint::ZERO,
                Split::Const(true) => BigUint::from(1_u32) << (self.positions.vars.len() - from),
                Split::Node { var, hi, lo } => {
                    let position = self.positions.of(var);
                    let count = self.count(&hi, position + 1) + self.count(&lo, position + 1);
                    let result = &count << (position - from);
                    self.memo.insert(f.clone(), (position, count));
                    result
                }
            }
        }
    }

    Counter { bdd, positions: Positions::new(over), memo: Memo::default() }.count(f, 0)
}

/// Iterates over the assignments to `vars` that satisfy `f`.
///
/// Each item holds the values of `vars`, in the same order. The items come in
/// lexicographic order, false before true. Finding the next one takes time
/// linear in the number of variables at most, so stopping early is cheap.
///
/// # Panics
///
/// Panics if `vars` is not strictly increasing, and on iteration if `f` depends
/// on a variable that is not in it.
pub fn models<'a, B: Bdd>(bdd: &'a B, f: &B::F, vars: &'a [u32]) -> Models<'a, B> {
    Models {
        bdd,
        positions: Positions::new(vars),
        no: bdd.constant(false),
        rest: vec![f.clone()],
        values: Vec::with_capacity(vars.len()),
        started: false,
    }
}

/// The iterator that [`models`] returns.
pub struct Models<'a, B: Bdd> {
    bdd: &'a B,
    positions: Positions<'a>,
    /// The constant false.
    no: B::F,
    /// The cofactors of the function by the first 0, 1, 2, … of the values.
    rest: Vec<B::F>,
    /// The values of the last item.
    values: Vec<bool>,
    started: bool,
}

impl<B: Bdd> Models<'_, B> {
    /// Returns the cofactors (hi, lo) of what is left by the next variable.
    fn cofactors(&self) -> Option<(B::F, B::F)> {
        let position = self.values.len();
        if position == self.positions.vars.len() {
            return None;
        }
        let f = self.rest.last()?;
        match self.bdd.split(f) {
            Split::Node { var, hi, lo } if self.positions.of(var) == position => Some((hi, lo)),
            _ => Some((f.clone(), f.clone())),
        }
    }

    fn push(&mut self, value: bool, rest: B::F) {
        self.values.push(value);
        self.rest.push(rest);
    }

    /// Turns the last value that can be turned from false to true.
    fn turn(&mut self) -> Option<()> {
        loop {
            self.rest.pop();
            if !self.values.pop()? {
                let (hi, _) = self.cofactors()?;
                if hi != self.no {
                    self.push(true, hi);
                    return Some(());
                }
            }
        }
    }
}

impl<B: Bdd> Iterator for Models<'_, B> {
    type Item = Vec<bool>;

    fn next(&mut self) -> Option<Vec<bool>> {
        if self.started {
            self.turn()?;
        } else {
            self.started = true;
            if self.rest.last() == Some(&self.no) {
                return None;
            }
        }
        // What is left is satisfiable, so one of its cofactors is as well.
        while let Some((hi, lo)) = self.cofactors() {
            if lo == self.no {
                self.push(true, hi);
            } else {
                self.push(false, lo);
            }
        }
        Some(self.values.clone())
    }
}

/// Finds an assignment to `vars` that satisfies `f` and is closest to `reference`.
///
/// The distance is the sum of the weights of the variables whose values differ.
/// Both `reference` and the result hold the values of `vars`, in the same order.
/// Among several closest assignments the choice falls on the one that agrees
/// with the reference at the first variable where they differ in that. The
/// result is `None` if `f` is unsatisfiable.
///
/// # Panics
///
/// Panics if `vars` is not strictly increasing, if `f` depends on a variable that
/// is not in it, or if `reference` has another length.
pub fn closest<B: Bdd>(
    bdd: &B,
    f: &B::F,
    vars: &[u32],
    reference: &[bool],
    weight: impl Fn(u32) -> u32,
) -> Option<Vec<bool>> {
    struct Search<'a, B: Bdd, W> {
        bdd: &'a B,
        positions: Positions<'a>,
        reference: &'a [bool],
        weight: W,
        /// The distances of the nodes, none for the unsatisfiable.
        memo: Memo<B::F, Option<u64>>,
    }

    impl<B: Bdd, W: Fn(u32) -> u32> Search<'_, B, W> {
        /// Returns the cofactors of a node with the reference value and without.
        fn cofactors(&self, var: u32, hi: B::F, lo: B::F) -> (usize, B::F, B::F) {
            let position = self.positions.of(var);
            if self.reference[position] { (position, hi, lo) } else { (position, lo, hi) }
        }

        fn distance(&mut self, f: &B::F) -> Option<u64> {
            if let Some(&distance) = self.memo.get(f) {
                return distance;
            }
            let distance = match self.bdd.split(f) {
                Split::Const(value) => value.then_some(0),
                Split::Node { var, hi, lo } => {
                    let (_, same, other) = self.cofactors(var, hi, lo);
                    let same = self.distance(&same);
                    let other = self.other(var, &other);
                    match (same, other) {
                        (Some(same), Some(other)) => Some(same.min(other)),
                        _ => same.or(other),
                    }
                }
            };
            self.memo.insert(f.clone(), distance);
            distance
        }

        /// Returns the distance if `var` differs and `rest` is left.
        fn other(&mut self, var: u32, rest: &B::F) -> Option<u64> {
            let weight = u64::from((self.weight)(var));
            Some(self.distance(rest)? + weight)
        }
    }

    assert_eq!(vars.len(), reference.len(), "one value per variable");
    let mut search = Search { bdd, positions: Positions::new(vars), reference, weight, memo: Memo::default() };
    search.distance(f)?;
    let mut values = reference.to_vec();
    let mut f = f.clone();
    while let Split::Node { var, hi, lo } = bdd.split(&f) {
        let (position, same, other) = search.cofactors(var, hi, lo);
        let stay = match (search.distance(&same), search.other(var, &other)) {
            (Some(same), Some(other)) => same <= other,
            (same, _) => same.is_some(),
        };
        if stay {
            f = same;
        } else {
            values[position] = !values[position];
            f = other;
        }
    }
    Some(values)
}

/// The variables as functions, each made when first asked for.
struct Variables<'a, B: Bdd> {
    bdd: &'a B,
    made: Vec<Option<B::F>>,
}

impl<'a, B: Bdd> Variables<'a, B> {
    fn new(bdd: &'a B) -> Self {
        Self { bdd, made: vec![None; bdd.vars() as usize] }
    }

    /// Makes a node from cofactors that depend on later variables only.
    fn node(&mut self, var: u32, hi: &B::F, lo: &B::F) -> Result<B::F, Full> {
        let variable = match &mut self.made[var as usize] {
            Some(variable) => variable,
            unmade => unmade.insert(self.bdd.var(var)?),
        };
        self.bdd.ite(variable, hi, lo)
    }
}

/// Copies `f` from one manager into another, with the same variables.
///
/// # Panics
///
/// Panics if `f` depends on a variable that the other manager lacks.
pub fn transfer<A: Bdd, B: Bdd>(from: &A, f: &A::F, to: &B) -> Result<B::F, Full> {
    struct Copy<'a, A: Bdd, B: Bdd> {
        from: &'a A,
        to: Variables<'a, B>,
        memo: Memo<A::F, B::F>,
    }

    impl<A: Bdd, B: Bdd> Copy<'_, A, B> {
        fn run(&mut self, f: &A::F) -> Result<B::F, Full> {
            if let Some(result) = self.memo.get(f) {
                return Ok(result.clone());
            }
            let result = match self.from.split(f) {
                Split::Const(value) => return Ok(self.to.bdd.constant(value)),
                Split::Node { var, hi, lo } => {
                    let hi = self.run(&hi)?;
                    let lo = self.run(&lo)?;
                    self.to.node(var, &hi, &lo)?
                }
            };
            self.memo.insert(f.clone(), result.clone());
            Ok(result)
        }
    }

    Copy { from, to: Variables::new(to), memo: Memo::default() }.run(f)
}

/// Computes f ∧ ⋀_{v ∈ vars} ∀v f, where `vars` may be in any order.
///
/// The result is true where f is and remains so when any single one of the
/// variables is flipped. It is ≤ f, and it is f if `vars` is empty; otherwise
/// the conjunct f is redundant. Variables on which f does not depend make no
/// difference.
///
/// This takes one pass over the diagram instead of one quantification per
/// variable. With f₀ and f₁ the cofactors by the first variable x, the result N
/// is N(f)|x=0 = f₁ ∧ N(f₀) and N(f)|x=1 = f₀ ∧ N(f₁) if x ∈ `vars`, and
/// otherwise N(f)|x=i = N(fᵢ).
///
/// # Panics
///
/// Panics if one of `vars` is not a variable of the manager.
pub fn distance_one_forall<B: Bdd>(bdd: &B, f: &B::F, vars: &[u32]) -> Result<B::F, Full> {
    struct Pass<'a, B: Bdd> {
        variables: Variables<'a, B>,
        /// Whether a variable is in the set.
        listed: Vec<bool>,
        memo: Memo<B::F, B::F>,
    }

    impl<B: Bdd> Pass<'_, B> {
        fn run(&mut self, f: &B::F) -> Result<B::F, Full> {
            if let Some(result) = self.memo.get(f) {
                return Ok(result.clone());
            }
            let bdd = self.variables.bdd;
            let Split::Node { var, hi, lo } = bdd.split(f) else {
                return Ok(f.clone());
            };
            let mut new_hi = self.run(&hi)?;
            let mut new_lo = self.run(&lo)?;
            if self.listed[var as usize] {
                new_hi = bdd.and(&lo, &new_hi)?;
                new_lo = bdd.and(&hi, &new_lo)?;
            }
            let result = self.variables.node(var, &new_hi, &new_lo)?;
            self.memo.insert(f.clone(), result.clone());
            Ok(result)
        }
    }

    let mut listed = vec![false; bdd.vars() as usize];
    for &v in vars {
        listed[v as usize] = true;
    }
    Pass { variables: Variables::new(bdd), listed, memo: Memo::default() }.run(f)
}
