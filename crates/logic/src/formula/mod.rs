//! The one formula language: Boolean, epistemic, dynamic and temporal.
//!
//! ```text
//! φ ::= true | false | atom | !φ | φ & ψ | φ | ψ | φ -> ψ | φ <-> ψ
//!     | K[a] φ   S[a] φ   Kw[a] φ   E[a,b] φ   C[a,b] φ   D[a,b] φ
//!     | [α] φ    <α> φ
//!     | AX{π} φ  EX{π} φ  AG{π} φ  EG{π} φ  AF{π} φ  EF{π} φ   A(φ U{π} ψ)  E(φ U{π} ψ)
//!     | <<a,b>>X φ   <<a,b>>G φ   <<a,b>>F φ   <<a,b>>(φ U ψ)    O[a] φ
//!     | A ψ   E ψ
//! ψ ::= φ | !ψ | ψ & ψ | … | X ψ | F ψ | G ψ | ψ U ψ | ψ R ψ
//! ```
//!
//! A formula is a tree with shared branches ([`F`] is a counted reference): a name used twenty times is stored and
//! checked once. Names are canonical text (`muddy(2)`), so a formula prints as it would be typed and reads back equal.

mod action;
mod print;

pub use action::{Action, ActionModel, Change, EventPoint, Program, Sight};
pub use print::Names;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A shared piece of text: the canonical name of an atom, an agent, a variable or a constant.
pub type Name = Arc<str>;

/// A shared formula.
pub type F = Arc<Formula>;

/// A set of agents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Every agent of the model.
    All,
    /// The agents named.
    Of(Vec<Name>),
}

/// How two terms, or a number of true formulas and a number, are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cmp {
    /// Equal.
    Eq,
    /// Different.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

impl Cmp {
    /// Whether `ordering` satisfies the comparison.
    pub fn admits(self, ordering: std::cmp::Ordering) -> bool {
        match self {
            Cmp::Eq => ordering.is_eq(),
            Cmp::Ne => ordering.is_ne(),
            Cmp::Lt => ordering.is_lt(),
            Cmp::Le => ordering.is_le(),
            Cmp::Gt => ordering.is_gt(),
            Cmp::Ge => ordering.is_ge(),
        }
    }
}

/// A value of a typed variable: a number or a constant of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A number.
    Int(i64),
    /// A constant.
    Sym(Name),
}

/// An expression over typed variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A constant.
    Value(Value),
    /// The current value of a variable.
    Var(Name),
    /// The negative of a term.
    Neg(Box<Term>),
    /// Two terms joined by an arithmetic operator.
    Bin(ArithOp, Box<Term>, Box<Term>),
}

/// Arithmetic on numbers; division and remainder are Euclidean, so `-1 % 3` is 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Remainder.
    Mod,
}

impl ArithOp {
    /// Applies the operator; `None` on overflow or division by zero.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            ArithOp::Add => a.checked_add(b),
            ArithOp::Sub => a.checked_sub(b),
            ArithOp::Mul => a.checked_mul(b),
            ArithOp::Div => a.checked_div_euclid(b),
            ArithOp::Mod => a.checked_rem_euclid(b),
        }
    }
}

impl Term {
    /// The value of the term where `lookup` gives the variables' values.
    ///
    /// `None` where a variable has no value, a constant is used in arithmetic, or arithmetic overflows or divides by 0:
    /// every comparison with such a term is false.
    pub fn eval(&self, lookup: &dyn Fn(&str) -> Option<Value>) -> Option<Value> {
        let number = |t: &Term| match t.eval(lookup)? {
            Value::Int(n) => Some(n),
            Value::Sym(_) => None,
        };
        match self {
            Term::Value(v) => Some(v.clone()),
            Term::Var(name) => lookup(name),
            Term::Neg(t) => number(t)?.checked_neg().map(Value::Int),
            Term::Bin(op, a, b) => op.apply(number(a)?, number(b)?).map(Value::Int),
        }
    }

    /// Calls `visit` on every variable of the term.
    pub fn for_each_var(&self, visit: &mut dyn FnMut(&Name)) {
        match self {
            Term::Value(_) => {}
            Term::Var(name) => visit(name),
            Term::Neg(t) => t.for_each_var(visit),
            Term::Bin(_, a, b) => {
                a.for_each_var(visit);
                b.for_each_var(visit);
            }
        }
    }
}

/// Whether a path modality speaks of all maximal runs or of some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// On every run.
    All,
    /// On some run.
    Some,
}

/// What a unary path modality says of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Along {
    /// At the next point.
    Next,
    /// At every point.
    Always,
    /// At some point.
    Eventually,
}

/// A formula of the one language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// `true` or `false`.
    Const(bool),
    /// A proposition.
    Atom(Name),
    /// A comparison of two terms.
    Compare(Cmp, Term, Term),
    /// Negation.
    Not(F),
    /// Conjunction of any number of formulas; of none, it is true.
    And(Vec<F>),
    /// Disjunction of any number of formulas; of none, it is false.
    Or(Vec<F>),
    /// Implication.
    Imp(F, F),
    /// Equivalence.
    Iff(F, F),
    /// An odd number of these are true.
    Xor(Vec<F>),
    /// The number of true ones among these compares so with the number.
    Count(Cmp, u64, Vec<F>),
    /// The agent knows.
    Knows(Name, F),
    /// The agent considers possible: the dual of [`Formula::Knows`].
    Possible(Name, F),
    /// The agent knows whether.
    KnowsWhether(Name, F),
    /// Everyone in the group knows.
    Everyone(Group, F),
    /// It is common knowledge in the group: the reflexive-transitive closure of the union.
    Common(Group, F),
    /// The group knows when its members pool what they know: the intersection.
    Distributed(Group, F),
    /// After every execution of the action.
    After(Arc<Action>, F),
    /// After some execution of the action.
    Can(Arc<Action>, F),
    /// A unary path modality over the maximal runs of a program.
    Path(Path, Along, Program, F),
    /// The left formula holds along the run until the right one does.
    Until(Path, Program, F, F),
    /// The group can choose its actions, step by step and knowing the state, so that this holds of every run (ATL).
    Ensure(Group, Along, F),
    /// The group can choose its actions so that on every run the left formula holds until the right one does.
    EnsureUntil(Group, F, F),
    /// Wherever the agent is as it ought to be: in every reachable state that is not red for it.
    Ought(Name, F),
    /// On every run, or on some, the path formula holds (CTL*).
    Runs(Path, F),
    /// Of a run: the formula holds of the run from the next point on, or from every point, or from some point.
    Linear(Along, F),
    /// Of a run: the left formula holds until the right one does.
    LinearUntil(F, F),
    /// Of a run: the right formula holds until both do, or to the end.
    Release(F, F),
}

/// The outermost operator of a formula, with everything that looks beyond the present world taken together: what is
/// enough for laws, observations, protocols and rules.
#[derive(Clone, Copy, Debug)]
pub enum Plain<'f> {
    /// `true` or `false`.
    Const(bool),
    /// A proposition.
    Atom(&'f Name),
    /// A comparison of two terms.
    Compare(Cmp, &'f Term, &'f Term),
    /// Negation.
    Not(&'f F),
    /// Conjunction.
    And(&'f [F]),
    /// Disjunction.
    Or(&'f [F]),
    /// Implication.
    Imp(&'f F, &'f F),
    /// Equivalence.
    Iff(&'f F, &'f F),
    /// An odd number of these are true.
    Xor(&'f [F]),
    /// The number of true ones among these compares so with the number.
    Count(Cmp, u64, &'f [F]),
    /// Knowledge, an action or time.
    Modal,
}

impl Formula {
    /// The outermost operator, if it speaks of the present world.
    pub fn plain(&self) -> Plain<'_> {
        match self {
            Formula::Const(b) => Plain::Const(*b),
            Formula::Atom(name) => Plain::Atom(name),
            Formula::Compare(cmp, a, b) => Plain::Compare(*cmp, a, b),
            Formula::Not(f) => Plain::Not(f),
            Formula::And(parts) => Plain::And(parts),
            Formula::Or(parts) => Plain::Or(parts),
            Formula::Imp(f, g) => Plain::Imp(f, g),
            Formula::Iff(f, g) => Plain::Iff(f, g),
            Formula::Xor(parts) => Plain::Xor(parts),
            Formula::Count(cmp, n, parts) => Plain::Count(*cmp, *n, parts),
            _ => Plain::Modal,
        }
    }

    /// The constant `true`.
    pub fn truth() -> F {
        Arc::new(Formula::Const(true))
    }

    /// The constant `false`.
    pub fn falsity() -> F {
        Arc::new(Formula::Const(false))
    }

    /// A proposition.
    pub fn atom(name: impl Into<Name>) -> F {
        Arc::new(Formula::Atom(name.into()))
    }

    /// The negation of a formula; a double negation disappears.
    pub fn negation(f: F) -> F {
        match &*f {
            Formula::Not(inner) => inner.clone(),
            Formula::Const(b) => Arc::new(Formula::Const(!b)),
            _ => Arc::new(Formula::Not(f)),
        }
    }

    /// The conjunction of the formulas; a single one is left as it is.
    pub fn and(parts: Vec<F>) -> F {
        match <[F; 1]>::try_from(parts) {
            Ok([one]) => one,
            Err(parts) if parts.is_empty() => Formula::truth(),
            Err(parts) => Arc::new(Formula::And(parts)),
        }
    }

    /// The disjunction of the formulas; a single one is left as it is.
    pub fn or(parts: Vec<F>) -> F {
        match <[F; 1]>::try_from(parts) {
            Ok([one]) => one,
            Err(parts) if parts.is_empty() => Formula::falsity(),
            Err(parts) => Arc::new(Formula::Or(parts)),
        }
    }

    /// Implication.
    pub fn implies(f: F, g: F) -> F {
        Arc::new(Formula::Imp(f, g))
    }

    /// Equivalence.
    pub fn iff(f: F, g: F) -> F {
        Arc::new(Formula::Iff(f, g))
    }

    /// `K[agent] f`.
    pub fn knows(agent: impl Into<Name>, f: F) -> F {
        Arc::new(Formula::Knows(agent.into(), f))
    }

    /// `[action] f`.
    pub fn after(action: Action, f: F) -> F {
        Arc::new(Formula::After(Arc::new(action), f))
    }

    /// The parts of a conjunction, those of conjunctions inside it included; of any other formula, itself.
    pub fn conjuncts(f: &F) -> Vec<&F> {
        match &**f {
            Formula::And(parts) => parts.iter().flat_map(Formula::conjuncts).collect(),
            _ => vec![f],
        }
    }

    /// The formulas directly below this one, those inside its action included.
    pub fn children(&self) -> Vec<&F> {
        match self {
            Formula::Const(_) | Formula::Atom(_) | Formula::Compare(..) => Vec::new(),
            Formula::Not(f)
            | Formula::Knows(_, f)
            | Formula::Possible(_, f)
            | Formula::KnowsWhether(_, f)
            | Formula::Everyone(_, f)
            | Formula::Common(_, f)
            | Formula::Distributed(_, f)
            | Formula::Ensure(_, _, f)
            | Formula::Ought(_, f)
            | Formula::Runs(_, f)
            | Formula::Linear(_, f) => vec![f],
            Formula::Imp(f, g)
            | Formula::Iff(f, g)
            | Formula::EnsureUntil(_, f, g)
            | Formula::LinearUntil(f, g)
            | Formula::Release(f, g) => vec![f, g],
            Formula::And(fs) | Formula::Or(fs) | Formula::Xor(fs) | Formula::Count(_, _, fs) => fs.iter().collect(),
            Formula::After(a, f) | Formula::Can(a, f) => {
                let mut all = a.formulas();
                all.push(f);
                all
            }
            Formula::Path(_, _, p, f) => {
                let mut all = p.formulas();
                all.push(f);
                all
            }
            Formula::Until(_, p, f, g) => {
                let mut all = p.formulas();
                all.extend([f, g]);
                all
            }
        }
    }

    /// The number of operators and atoms, shared parts counted each time they occur.
    pub fn size(&self) -> u64 {
        fn size(f: &Formula, known: &mut HashMap<*const Formula, u64>) -> u64 {
            f.children().into_iter().fold(1, |n: u64, child| {
                let key = Arc::as_ptr(child);
                let below = match known.get(&key) {
                    Some(&below) => below,
                    None => {
                        let below = size(child, known);
                        known.insert(key, below);
                        below
                    }
                };
                n.saturating_add(below)
            })
        }
        size(self, &mut HashMap::new())
    }

    /// The largest number of operators inside one another.
    pub fn depth(&self) -> usize {
        self.deepest(&|_| true)
    }

    /// The largest number of knowledge operators inside one another; tests and preconditions count.
    pub fn knowledge_depth(&self) -> u32 {
        u32::try_from(self.deepest(&Formula::is_epistemic)).unwrap_or(u32::MAX)
    }

    /// The largest number of operators that count inside one another; shared parts are looked at once.
    fn deepest(&self, counts: &dyn Fn(&Formula) -> bool) -> usize {
        // An explicit stack: expanded repetitions may be deeper than a thread's stack allows.
        let mut known: HashMap<*const Formula, usize> = HashMap::new();
        let mut todo: Vec<(&Formula, bool)> = vec![(self, false)];
        while let Some((f, ready)) = todo.pop() {
            let key = std::ptr::from_ref(f);
            if known.contains_key(&key) {
                continue;
            }
            let children = f.children();
            if ready {
                let below = children.iter().filter_map(|c| known.get(&Arc::as_ptr(c))).max().copied().unwrap_or(0);
                known.insert(key, below + usize::from(counts(f)));
            } else {
                todo.push((f, true));
                todo.extend(children.into_iter().map(|c| (&**c, false)));
            }
        }
        known.get(&std::ptr::from_ref(self)).copied().unwrap_or(0)
    }

    /// Whether the outermost operator is one of K S Kw E C D.
    pub fn is_epistemic(&self) -> bool {
        matches!(
            self,
            Formula::Knows(..)
                | Formula::Possible(..)
                | Formula::KnowsWhether(..)
                | Formula::Everyone(..)
                | Formula::Common(..)
                | Formula::Distributed(..)
        )
    }

    /// Whether `test` holds of this formula or of one below it; shared parts are looked at once.
    pub fn any(&self, test: &mut dyn FnMut(&Formula) -> bool) -> bool {
        let mut seen: HashSet<*const Formula> = HashSet::new();
        let mut todo: Vec<&Formula> = vec![self];
        while let Some(f) = todo.pop() {
            if test(f) {
                return true;
            }
            todo.extend(f.children().into_iter().filter(|c| seen.insert(Arc::as_ptr(c))).map(|c| &**c));
        }
        false
    }

    /// Whether the outermost operator needs a system: one of time, a strategy or an obligation.
    pub fn needs_system(&self) -> bool {
        matches!(
            self,
            Formula::Path(..)
                | Formula::Until(..)
                | Formula::Ensure(..)
                | Formula::EnsureUntil(..)
                | Formula::Ought(..)
                | Formula::Runs(..)
        ) || self.is_linear()
    }

    /// Whether the outermost operator is one of path formulas, X F G U R.
    pub fn is_linear(&self) -> bool {
        matches!(self, Formula::Linear(..) | Formula::LinearUntil(..) | Formula::Release(..))
    }

    /// Whether the formula speaks of a run: an operator of path formulas stands outside every other modality.
    pub fn is_of_runs(&self) -> bool {
        match self {
            Formula::Not(f) => f.is_of_runs(),
            Formula::Imp(f, g) | Formula::Iff(f, g) => f.is_of_runs() || g.is_of_runs(),
            Formula::And(fs) | Formula::Or(fs) | Formula::Xor(fs) | Formula::Count(_, _, fs) => {
                fs.iter().any(|f| f.is_of_runs())
            }
            _ => self.is_linear(),
        }
    }

    /// Whether an operator that needs a system occurs anywhere.
    pub fn is_temporal(&self) -> bool {
        self.any(&mut |f| f.needs_system())
    }

    /// Whether a knowledge action occurs anywhere.
    pub fn is_dynamic(&self) -> bool {
        self.any(&mut |f| matches!(f, Formula::After(..) | Formula::Can(..)))
    }

    /// Whether the formula speaks of the present world alone: no knowledge, no action, no time.
    pub fn is_objective(&self) -> bool {
        !self.any(&mut |f| matches!(f.plain(), Plain::Modal))
    }
}
