//! The SAT solver behind everything here: `batsat`, pure Rust, incremental, with assumptions and cores.

use super::language::{Alpha, Basic, Store};
use super::rotate::Turns;
use crate::stop;
use batsat::{Callbacks, Lit, Solver, SolverInterface, lbool};
use std::collections::HashSet;

/// So few suspects are tried one by one.
const FEW: usize = 64;

/// Nothing is told on the way, and a search ends when the work was stopped. (The solver's own callbacks cannot be sent to
/// another thread; players are.)
#[derive(Default)]
struct Quiet;

impl Callbacks for Quiet {
    fn stop(&self) -> bool {
        stop::asked()
    }
}

/// A solver with a literal that is always true.
pub(super) struct Sat {
    solver: Solver<Quiet>,
    top: Lit,
    buffer: Vec<Lit>,
}

impl Sat {
    pub(super) fn new() -> Sat {
        let mut solver = Solver::<Quiet>::default();
        let top = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![top]);
        Sat { solver, top, buffer: Vec::new() }
    }

    /// The literal that is true in every model.
    pub(super) fn top(&self) -> Lit {
        self.top
    }

    pub(super) fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub(super) fn clause(&mut self, lits: &[Lit]) {
        self.buffer.clear();
        self.buffer.extend_from_slice(lits);
        self.solver.add_clause_reuse(&mut self.buffer);
    }

    /// Whether everything said so far is possible together with these. Work that was [stopped](crate::stop) hears "no", and
    /// whatever it makes of that is thrown away.
    pub(super) fn solve(&mut self, assumed: &[Lit]) -> bool {
        self.solver.solve_limited(assumed) == lbool::TRUE
    }

    /// After a solve that failed: whether the assumption is among those that it found impossible together.
    pub(super) fn in_core(&self, lit: Lit) -> bool {
        // The solver keeps the core as the clause that it refutes: the negations of the assumptions.
        self.solver.unsat_core_contains_lit(!lit)
    }

    /// After a solve that succeeded: whether the literal is true in the model found.
    pub(super) fn holds(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit) == lbool::TRUE
    }

    /// After a solve that succeeded: the value of an atom with this literal, and whether it may have another in other models.
    pub(super) fn atom(&self, lit: Option<Lit>) -> (bool, Turns) {
        let turns = |lit: Lit| self.solver.value_lvl_0(lit) == lbool::UNDEF;
        let free = lit.is_some_and(turns);
        (lit.is_some_and(|lit| self.holds(lit)), if free { Turns::Freely } else { Turns::Never })
    }

    /// A subset of `suspects` that cannot hold together with `fixed`, and of which every proper subset can: each is
    /// left out in turn, and every failure throws out all that its core does not need. `fixed` and `suspects` together
    /// must be impossible. What `fine` knows to be possible is not tried. After a model has shown that a suspect is
    /// needed, `more` may name others of those left of which the same is certain.
    pub(super) fn minimal(
        &mut self,
        fixed: &[Lit],
        suspects: &[Lit],
        fine: impl Fn(&[Lit]) -> bool,
        mut more: impl FnMut(&Sat, Lit, &HashSet<Lit>) -> Vec<Lit>,
    ) -> Vec<Lit> {
        let mut needed: Vec<Lit> = Vec::new();
        let mut open = suspects.to_vec();
        let mut assumed = Vec::with_capacity(fixed.len() + suspects.len());
        while let Some(tried) = open.pop().filter(|_| !stop::asked()) {
            assumed.clear();
            assumed.extend_from_slice(&needed);
            assumed.extend_from_slice(&open);
            assumed.extend_from_slice(fixed);
            if fine(&assumed) {
                needed.push(tried);
            } else if self.solve(&assumed) {
                needed.push(tried);
                if open.len() > FEW {
                    let left: HashSet<Lit> = needed.iter().chain(&open).chain(fixed).copied().collect();
                    let also: HashSet<Lit> = more(self, tried, &left).into_iter().collect();
                    needed.extend(open.extract_if(.., |lit| also.contains(lit)));
                }
            } else {
                open.retain(|&lit| self.in_core(lit));
            }
        }
        needed
    }

    /// The literal of `lits` all being true, defined in both directions.
    pub(super) fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        let top = self.top;
        lits.sort_unstable();
        lits.dedup();
        lits.retain(|&lit| lit != top);
        // A literal and its negation are neighbours in the order.
        if lits.contains(&!top) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return !top;
        }
        match lits[..] {
            [] => top,
            [only] => only,
            _ => {
                // What is defined follows from the rest: nothing to decide.
                let whole = Lit::new(self.solver.new_var(lbool::UNDEF, false), true);
                for &lit in &lits {
                    self.clause(&[!whole, lit]);
                }
                for lit in &mut lits {
                    *lit = !*lit;
                }
                lits.push(whole);
                self.clause(&lits);
                whole
            }
        }
    }
}

/// The literals of formulas of L0 in one world: timed formulas and `B[m] α` are atoms, `&` is defined by clauses,
/// `!` costs nothing.
#[derive(Default)]
pub(super) struct World {
    lits: Vec<Option<Lit>>,
    /// The formulas that have a literal, in the order in which they got it.
    learned: Vec<Alpha>,
}

/// What a world does with an atom that it meets for the first time.
pub(super) trait Atoms {
    /// The literal of a timed formula or of `B[m] α`.
    fn atom(&mut self, sat: &mut Sat, store: &Store, alpha: Alpha, basic: Basic) -> Lit;
}

impl World {
    pub(super) fn known(&self, alpha: Alpha) -> Option<Lit> {
        self.lits.get(alpha.index()).copied().flatten()
    }

    pub(super) fn learn(&mut self, alpha: Alpha, lit: Lit) {
        if self.lits.len() <= alpha.index() {
            self.lits.resize(alpha.index() + 1, None);
        }
        self.lits[alpha.index()] = Some(lit);
        self.learned.push(alpha);
    }

    /// Forgets all literals, for another solver; costs as much as there are.
    pub(super) fn clear(&mut self) {
        for alpha in self.learned.drain(..) {
            self.lits[alpha.index()] = None;
        }
    }

    /// The literal of a formula.
    pub(super) fn lit(&mut self, sat: &mut Sat, store: &Store, atoms: &mut impl Atoms, alpha: Alpha) -> Lit {
        if let Some(lit) = self.known(alpha) {
            return lit;
        }
        // Without recursion, as conjunctions written by programs are as deep as they are long; a chain of `&` becomes
        // one definition.
        let mut open = vec![alpha];
        while let Some(&at) = open.last() {
            if self.known(at).is_some() {
                open.pop();
                continue;
            }
            let basic = store.basic(at);
            let lit = match basic {
                Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::Machine(_) => {
                    atoms.atom(sat, store, at, basic)
                }
                Basic::Not(part) => match self.known(part) {
                    Some(lit) => !lit,
                    None => {
                        open.push(part);
                        continue;
                    }
                },
                Basic::And(..) => {
                    let mut lits = Vec::new();
                    let missing = open.len();
                    self.conjuncts(store, at, |part, lit| match lit {
                        Some(lit) => lits.push(lit),
                        None => open.push(part),
                    });
                    if open.len() > missing {
                        continue;
                    }
                    sat.all(lits)
                }
            };
            self.learn(at, lit);
            open.pop();
        }
        self.known(alpha).expect("just found")
    }

    /// The parts of a chain of `&`, double negations taken off; a part that has a literal is not taken apart.
    fn conjuncts(&self, store: &Store, whole: Alpha, mut part: impl FnMut(Alpha, Option<Lit>)) {
        let mut chain = vec![whole];
        while let Some(at) = chain.pop() {
            if let Some(lit) = self.known(at) {
                part(at, Some(lit));
                continue;
            }
            match store.basic(at) {
                Basic::And(a, b) => chain.extend([b, a]),
                Basic::Not(inner) => match store.basic(inner) {
                    Basic::Not(same) => chain.push(same),
                    Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::And(..) | Basic::Machine(_) => {
                        part(at, None);
                    }
                },
                Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::Machine(_) => part(at, None),
            }
        }
    }

    /// Says that the formula is true where all of `given` are: a conjunction part by part, a disjunction as one
    /// clause, so that what is only ever asserted needs no definitions.
    pub(super) fn assert(&mut self, sat: &mut Sat, store: &Store, atoms: &mut impl Atoms, given: &[Lit], alpha: Alpha) {
        let guard: Vec<Lit> = given.iter().map(|&lit| !lit).collect();
        let mut parts = Vec::new();
        self.conjuncts(store, alpha, |part, _| parts.push(part));
        for part in parts {
            let mut clause = guard.clone();
            match store.basic(part) {
                Basic::Not(inner) if self.known(part).is_none() && matches!(store.basic(inner), Basic::And(..)) => {
                    let mut some = Vec::new();
                    self.conjuncts(store, inner, |part, _| some.push(part));
                    for part in some {
                        clause.push(!self.lit(sat, store, atoms, part));
                    }
                }
                _ => clause.push(self.lit(sat, store, atoms, part)),
            }
            sat.clause(&clause);
        }
    }
}
