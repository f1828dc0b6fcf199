//! Expansion without expansion operators: every formula of L+ says the same as one of L.
//!
//! Definition 6 (learning): after `[+ α @t]` the machine's base holds α and `now>=t'` for every t' up to t, and the
//! time is at least t. Learning `now>=s` moves the time too, else the base would say what the time denies.
//!
//! The printed reduction says "`[+ α @t]` of `B[m] α` is true" and goes on for one expansion at a time; here all
//! expansions around a formula are taken together, and formulas are compared as they are stored, after abbreviations
//! are written out.

use super::language::{Alpha, Basic, Formula, Node, Store};

/// What was learned on the way to a formula.
#[derive(Clone, Default)]
struct Learned {
    formulas: Vec<Alpha>,
    /// The time is at least this.
    time: Option<u32>,
}

impl Learned {
    fn and(&self, store: &Store, alpha: Alpha, time: u32) -> Learned {
        let mut more = self.clone();
        let moved = match store.basic(alpha) {
            Basic::Now(s) => s.max(time),
            Basic::Atom(..) | Basic::Human(..) | Basic::Not(_) | Basic::And(..) | Basic::Machine(_) => {
                if !more.formulas.contains(&alpha) {
                    more.formulas.push(alpha);
                }
                time
            }
        };
        more.time = more.time.max(Some(moved));
        more
    }

    /// Whether the time is at least `t` because it was learned.
    fn reached(&self, t: u32) -> bool {
        self.time.is_some_and(|time| t <= time)
    }
}

impl Store {
    /// The formula of L that holds in exactly the models in which this one does.
    pub fn reduce(&mut self, formula: Formula) -> Formula {
        self.reduce_after(formula, &Learned::default())
    }

    fn reduce_after(&mut self, formula: Formula, learned: &Learned) -> Formula {
        match self.node(formula) {
            Node::Basic(_) | Node::Implicit(_) if learned.time.is_none() => formula,
            Node::Basic(alpha) => {
                let alpha = self.basic_after(alpha, learned);
                self.plain(alpha)
            }
            Node::Not(part) => {
                let part = self.reduce_after(part, learned);
                self.negate(part)
            }
            Node::And(a, b) => {
                let (a, b) = (self.reduce_after(a, learned), self.reduce_after(b, learned));
                self.both(a, b)
            }
            // The alternatives are those from before that satisfy what was learned.
            Node::Implicit(alpha) => {
                let now = learned.time.map(|time| self.now(time));
                let given = self.and_all(learned.formulas.iter().copied().chain(now));
                let then = self.implies(given, alpha);
                self.implicit(then)
            }
            Node::After(alpha, time, then) => {
                let learned = learned.and(self, alpha, time);
                self.reduce_after(then, &learned)
            }
        }
    }

    /// A formula of L0 at the actual state: what was learned is in the base, the rest is as it was.
    fn basic_after(&mut self, alpha: Alpha, learned: &Learned) -> Alpha {
        match self.basic(alpha) {
            Basic::Atom(..) | Basic::Human(..) => alpha,
            Basic::Now(t) if learned.reached(t) => self.verum(),
            Basic::Now(_) => alpha,
            Basic::Machine(held) => {
                let known = match self.basic(held) {
                    Basic::Now(t) => learned.reached(t),
                    Basic::Atom(..) | Basic::Human(..) | Basic::Not(_) | Basic::And(..) | Basic::Machine(_) => {
                        learned.formulas.contains(&held)
                    }
                };
                if known { self.verum() } else { alpha }
            }
            Basic::Not(part) => {
                let part = self.basic_after(part, learned);
                self.not(part)
            }
            Basic::And(a, b) => {
                let (a, b) = (self.basic_after(a, learned), self.basic_after(b, learned));
                self.and(a, b)
            }
        }
    }
}
