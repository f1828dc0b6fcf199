//! States and models, and what is true in them: Definitions 1 to 6, evaluated as they stand.

use super::language::{Alpha, Basic, Formula, Node, Store};
use std::collections::BTreeSet;

/// A state (B, V), Definition 1: the machine's base B ⊆ L0 and the facts V ⊆ L0ᵀ, such that
///
/// 1. `now>=0` ∈ V,
/// 2. if `now>=t` ∈ V and t' ≤ t then `now>=t'` ∈ V,
/// 3. `now>=t` ∈ V iff `now>=t` ∈ B.
///
/// So the clock is one number: `now>=t` is in V, and in B, iff t ≤ `time`. The two sets hold everything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The largest t with `now>=t`.
    pub time: u32,
    /// The true atoms `p@t` and beliefs `B[h]@t α`.
    pub facts: BTreeSet<Alpha>,
    /// The machine's base, without its formulas `now>=t`.
    pub beliefs: BTreeSet<Alpha>,
}

impl State {
    /// S ⊨ α, Definition 2: a timed formula is true iff it is in V, `B[m] α` iff α is in B.
    pub fn satisfies(&self, store: &Store, alpha: Alpha) -> bool {
        let mut alpha = alpha;
        loop {
            return match store.basic(alpha) {
                Basic::Atom(..) | Basic::Human(..) => self.facts.contains(&alpha),
                Basic::Now(t) => t <= self.time,
                Basic::Machine(held) => match store.basic(held) {
                    Basic::Now(t) => t <= self.time,
                    Basic::Atom(..) | Basic::Human(..) | Basic::Not(_) | Basic::And(..) | Basic::Machine(_) => {
                        self.beliefs.contains(&held)
                    }
                },
                Basic::Not(part) => !self.satisfies(store, part),
                Basic::And(a, b) => {
                    if self.satisfies(store, b) {
                        alpha = a;
                        continue;
                    }
                    false
                }
            };
        }
    }

    /// S R S', Definition 4: the other state satisfies everything in the base.
    pub fn allows(&self, store: &Store, other: &State) -> bool {
        self.time <= other.time && self.beliefs.iter().all(|&alpha| other.satisfies(store, alpha))
    }

    /// The state after learning α at time t or later, Definition 6. Learning `now>=s` moves the time to s as well.
    pub fn expanded(&self, store: &Store, alpha: Alpha, time: u32) -> State {
        let mut state = self.clone();
        state.time = state.time.max(time);
        match store.basic(alpha) {
            Basic::Now(s) => state.time = state.time.max(s),
            Basic::Atom(..) | Basic::Human(..) | Basic::Not(_) | Basic::And(..) | Basic::Machine(_) => {
                state.beliefs.insert(alpha);
            }
        }
        state
    }
}

/// A model (S, Cxt), Definition 3: a state and the states that the machine's background knowledge leaves open. The
/// actual state need not be among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// The actual state S.
    pub actual: State,
    /// The context.
    pub context: Vec<State>,
}

impl Model {
    /// (S, Cxt) ⊨ φ, Definitions 5 and 6: `I[m] α` iff α holds in every state of the context that the base allows;
    /// `[+ α @t] φ` iff φ holds when the actual state has learned α.
    pub fn satisfies(&self, store: &Store, formula: Formula) -> bool {
        self.satisfies_at(store, &self.actual, formula)
    }

    fn satisfies_at(&self, store: &Store, actual: &State, formula: Formula) -> bool {
        match store.node(formula) {
            Node::Basic(alpha) => actual.satisfies(store, alpha),
            Node::Not(part) => !self.satisfies_at(store, actual, part),
            Node::And(a, b) => self.satisfies_at(store, actual, a) && self.satisfies_at(store, actual, b),
            Node::Implicit(alpha) => {
                self.context.iter().filter(|state| actual.allows(store, state)).all(|s| s.satisfies(store, alpha))
            }
            Node::After(alpha, time, then) => self.satisfies_at(store, &actual.expanded(store, alpha, time), then),
        }
    }
}
