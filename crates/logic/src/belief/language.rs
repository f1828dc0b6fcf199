//! The languages of beliefs, each formula stored once.
//!
//! Section 3 of the paper has three languages, each inside the next:
//!
//! ```text
//! L0   α ::= p@t | B[h]@t α | now>=t | !α | α & α | B[m] α
//! L    φ ::= α | !φ | φ & φ | I[m] α
//! L+   φ ::= α | !φ | φ & φ | I[m] α | [+ α @t] φ
//! ```
//!
//! `p@t`: the atom is true at time t. `B[h]@t α`: the human has α in its base at time t. `now>=t`: the time is at
//! least t. `B[m] α`: the machine has α in its base now. `I[m] α`: α follows from the machine's base. `[+ α @t] φ`:
//! φ after the machine has learned α at time t or later. Times are natural numbers. The *timed* formulas L0ᵀ are
//! `p@t`, `B[h]@t α` and `now>=t`.
//!
//! Everything else is an abbreviation: `φ | ψ` is `!(!φ & !ψ)`, `φ -> ψ` is `!(φ & !ψ)`, `φ <-> ψ` is
//! `(φ -> ψ) & (ψ -> φ)`, `false` is `now>=0 & !now>=0` and `true` its negation. Explicit belief is a matter of the
//! letter: two formulas are the same iff they are equal when everything is written out, and then they have one number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The name of an atom with its arguments, without its time: `col(3,red)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Prop(u32);

/// A formula of L0, by its number in a [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Alpha(u32);

impl Alpha {
    /// The number: numbers are given in order from 0, parts before the whole.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A formula of L+, by its number in a [`Store`]. Those of L0 are all [`Node::Basic`]: no formula has two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

/// What a formula of L0 is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basic {
    /// `p@t`
    Atom(Prop, u32),
    /// `B[h]@t α`
    Human(u32, Alpha),
    /// `now>=t`
    Now(u32),
    /// `!α`
    Not(Alpha),
    /// `α & β`
    And(Alpha, Alpha),
    /// `B[m] α`
    Machine(Alpha),
}

/// What a formula of L+ is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A formula of L0.
    Basic(Alpha),
    /// `!φ`
    Not(Formula),
    /// `φ & ψ`
    And(Formula, Formula),
    /// `I[m] α`
    Implicit(Alpha),
    /// `[+ α @t] φ`
    After(Alpha, u32, Formula),
}

/// Multiplies and rotates: the keys are small numbers of our own, nobody can choose them to collide.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(u64::from(b));
        }
    }
    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// Nodes in order, and where each is.
#[derive(Clone, Debug)]
struct Arena<T> {
    nodes: Vec<T>,
    numbers: HashMap<T, u32, BuildHasherDefault<Mix>>,
}

impl<T: Copy + Eq + Hash> Arena<T> {
    fn new() -> Arena<T> {
        Arena { nodes: Vec::new(), numbers: HashMap::default() }
    }

    fn number(&mut self, node: T) -> u32 {
        *self.numbers.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            u32::try_from(self.nodes.len() - 1).expect("memory ends before the numbers do")
        })
    }
}

/// All formulas, each once. Numbers of one store mean nothing in another.
#[derive(Clone, Debug)]
pub struct Store {
    props: Vec<Box<str>>,
    prop_numbers: HashMap<Box<str>, u32>,
    basics: Arena<Basic>,
    formulas: Arena<Node>,
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl Store {
    /// An empty store.
    pub fn new() -> Store {
        Store { props: Vec::new(), prop_numbers: HashMap::new(), basics: Arena::new(), formulas: Arena::new() }
    }

    /// The name of an atom, as the parser would read it: a name, or a name with arguments and no spaces. Other text
    /// is taken as it is, but then what is printed cannot be read back.
    pub fn prop(&mut self, name: &str) -> Prop {
        if let Some(&number) = self.prop_numbers.get(name) {
            return Prop(number);
        }
        let number = u32::try_from(self.props.len()).expect("memory ends before the numbers do");
        self.props.push(name.into());
        self.prop_numbers.insert(name.into(), number);
        Prop(number)
    }

    /// The text of an atom's name.
    pub fn name(&self, prop: Prop) -> &str {
        &self.props[prop.0 as usize]
    }

    /// What a formula of L0 is made of.
    pub fn basic(&self, alpha: Alpha) -> Basic {
        self.basics.nodes[alpha.index()]
    }

    /// What a formula of L+ is made of.
    pub fn node(&self, formula: Formula) -> Node {
        self.formulas.nodes[formula.0 as usize]
    }

    /// The number of different formulas of L0 so far.
    pub fn len(&self) -> usize {
        self.basics.nodes.len()
    }

    /// Whether there is no formula yet.
    pub fn is_empty(&self) -> bool {
        self.basics.nodes.is_empty()
    }

    fn put(&mut self, basic: Basic) -> Alpha {
        Alpha(self.basics.number(basic))
    }

    fn put_node(&mut self, node: Node) -> Formula {
        Formula(self.formulas.number(node))
    }

    /// `p@t`
    pub fn atom(&mut self, prop: Prop, time: u32) -> Alpha {
        self.put(Basic::Atom(prop, time))
    }

    /// `B[h]@t α`
    pub fn human(&mut self, time: u32, alpha: Alpha) -> Alpha {
        self.put(Basic::Human(time, alpha))
    }

    /// `now>=t`
    pub fn now(&mut self, time: u32) -> Alpha {
        self.put(Basic::Now(time))
    }

    /// `B[m] α`
    pub fn machine(&mut self, alpha: Alpha) -> Alpha {
        self.put(Basic::Machine(alpha))
    }

    /// `!α`
    pub fn not(&mut self, alpha: Alpha) -> Alpha {
        self.put(Basic::Not(alpha))
    }

    /// `α & β`
    pub fn and(&mut self, a: Alpha, b: Alpha) -> Alpha {
        self.put(Basic::And(a, b))
    }

    /// `α | β`, that is `!(!α & !β)`
    pub fn or(&mut self, a: Alpha, b: Alpha) -> Alpha {
        let (a, b) = (self.not(a), self.not(b));
        let both = self.and(a, b);
        self.not(both)
    }

    /// `α -> β`, that is `!(α & !β)`
    pub fn implies(&mut self, a: Alpha, b: Alpha) -> Alpha {
        let b = self.not(b);
        let both = self.and(a, b);
        self.not(both)
    }

    /// `α <-> β`, that is `(α -> β) & (β -> α)`
    pub fn iff(&mut self, a: Alpha, b: Alpha) -> Alpha {
        let (there, back) = (self.implies(a, b), self.implies(b, a));
        self.and(there, back)
    }

    /// `false`, that is `now>=0 & !now>=0`
    pub fn falsum(&mut self) -> Alpha {
        let now = self.now(0);
        let not = self.not(now);
        self.and(now, not)
    }

    /// `true`, that is `!false`
    pub fn verum(&mut self) -> Alpha {
        let falsum = self.falsum();
        self.not(falsum)
    }

    /// `α & β & …` from the left, as the text is read; `true` if there is none.
    pub fn and_all(&mut self, all: impl IntoIterator<Item = Alpha>) -> Alpha {
        let mut all = all.into_iter();
        match all.next() {
            None => self.verum(),
            Some(first) => all.fold(first, |sum, next| self.and(sum, next)),
        }
    }

    /// `α | β | …` from the left, as the text is read; `false` if there is none.
    pub fn or_all(&mut self, all: impl IntoIterator<Item = Alpha>) -> Alpha {
        let mut all = all.into_iter();
        match all.next() {
            None => self.falsum(),
            Some(first) => all.fold(first, |sum, next| self.or(sum, next)),
        }
    }

    /// Exactly `k` of these are true. As many parts as `k` times the number of formulas, not one for each subset: the
    /// same part says "`j` of the first `i`" wherever it is needed.
    pub fn exactly(&mut self, k: usize, all: &[Alpha]) -> Alpha {
        // rows[j]: exactly j of those seen so far.
        let mut rows = vec![self.falsum(); k + 1];
        rows[0] = self.verum();
        for &alpha in all {
            let not = self.not(alpha);
            for j in (0..=k).rev() {
                let without = self.and(not, rows[j]);
                rows[j] = match j {
                    0 => without,
                    _ => {
                        let with = self.and(alpha, rows[j - 1]);
                        self.or(with, without)
                    }
                };
            }
        }
        rows[k]
    }

    /// A formula of L0 as one of L+.
    pub fn plain(&mut self, alpha: Alpha) -> Formula {
        self.put_node(Node::Basic(alpha))
    }

    /// `I[m] α`
    pub fn implicit(&mut self, alpha: Alpha) -> Formula {
        self.put_node(Node::Implicit(alpha))
    }

    /// `[+ α @t] φ`
    pub fn after(&mut self, learned: Alpha, time: u32, then: Formula) -> Formula {
        self.put_node(Node::After(learned, time, then))
    }

    /// `!φ`
    pub fn negate(&mut self, formula: Formula) -> Formula {
        match self.node(formula) {
            Node::Basic(alpha) => {
                let not = self.not(alpha);
                self.plain(not)
            }
            Node::Not(_) | Node::And(..) | Node::Implicit(_) | Node::After(..) => self.put_node(Node::Not(formula)),
        }
    }

    /// `φ & ψ`
    pub fn both(&mut self, a: Formula, b: Formula) -> Formula {
        match (self.node(a), self.node(b)) {
            (Node::Basic(a), Node::Basic(b)) => {
                let both = self.and(a, b);
                self.plain(both)
            }
            _ => self.put_node(Node::And(a, b)),
        }
    }

    /// `φ | ψ`
    pub fn either(&mut self, a: Formula, b: Formula) -> Formula {
        let (a, b) = (self.negate(a), self.negate(b));
        let both = self.both(a, b);
        self.negate(both)
    }

    /// `φ -> ψ`
    pub fn if_then(&mut self, a: Formula, b: Formula) -> Formula {
        let b = self.negate(b);
        let both = self.both(a, b);
        self.negate(both)
    }

    /// `φ <-> ψ`
    pub fn equivalent(&mut self, a: Formula, b: Formula) -> Formula {
        let (there, back) = (self.if_then(a, b), self.if_then(b, a));
        self.both(there, back)
    }

    /// `φ & ψ & …` from the left; `true` if there is none.
    pub fn both_all(&mut self, all: &[Formula]) -> Formula {
        let joined = all.iter().copied().reduce(|whole, next| self.both(whole, next));
        joined.unwrap_or_else(|| {
            let always = self.verum();
            self.plain(always)
        })
    }

    /// The parts that `&` joins into the formula, from the left; double negations are taken off.
    pub fn conjuncts(&mut self, formula: Formula) -> Vec<Formula> {
        let mut parts = Vec::new();
        let mut open = vec![(formula, true)];
        while let Some((at, positive)) = open.pop() {
            match (self.node(at), positive) {
                (Node::Not(part), _) => open.push((part, !positive)),
                (Node::And(a, b), true) => open.extend([(b, true), (a, true)]),
                (Node::Basic(alpha), _) => match (self.basic(alpha), positive) {
                    (Basic::Not(part), _) => open.push((self.plain(part), !positive)),
                    (Basic::And(a, b), true) => {
                        let (a, b) = (self.plain(a), self.plain(b));
                        open.extend([(b, true), (a, true)]);
                    }
                    _ => parts.push(if positive { at } else { self.negate(at) }),
                },
                _ => parts.push(if positive { at } else { self.negate(at) }),
            }
        }
        parts
    }

    /// The formula of L0 that this is, if it is one.
    pub fn as_basic(&self, formula: Formula) -> Option<Alpha> {
        match self.node(formula) {
            Node::Basic(alpha) => Some(alpha),
            Node::Not(_) | Node::And(..) | Node::Implicit(_) | Node::After(..) => None,
        }
    }

    /// Every time index of the formula moved by `by`, those inside beliefs too: the paper's *incrt* repeated. `None`
    /// where a time would fall below 0 or beyond what a time can be.
    pub fn shift(&mut self, alpha: Alpha, by: i32) -> Option<Alpha> {
        let mut done = HashMap::default();
        self.shift_with(alpha, by, &mut done)
    }

    /// [`Store::shift`] of many, what they share moved once.
    pub fn shift_all(&mut self, all: &[Alpha], by: i32) -> Option<Vec<Alpha>> {
        let mut done = HashMap::default();
        all.iter().map(|&alpha| self.shift_with(alpha, by, &mut done)).collect()
    }

    fn shift_with(&mut self, alpha: Alpha, by: i32, done: &mut Moved) -> Option<Alpha> {
        // Without recursion: conjunctions written by programs are as deep as they are long.
        let mut open = vec![alpha];
        while let Some(&at) = open.last() {
            if done.contains_key(&at) {
                open.pop();
                continue;
            }
            let waiting = open.len();
            let part = |part: Alpha, open: &mut Vec<Alpha>| {
                let moved = done.get(&part).copied();
                if moved.is_none() {
                    open.push(part);
                }
                moved.unwrap_or(part)
            };
            let moved = match self.basic(at) {
                Basic::Atom(prop, t) => Basic::Atom(prop, t.checked_add_signed(by)?),
                Basic::Now(t) => Basic::Now(t.checked_add_signed(by)?),
                Basic::Human(t, a) => Basic::Human(t.checked_add_signed(by)?, part(a, &mut open)),
                Basic::Machine(a) => Basic::Machine(part(a, &mut open)),
                Basic::Not(a) => Basic::Not(part(a, &mut open)),
                Basic::And(a, b) => Basic::And(part(a, &mut open), part(b, &mut open)),
            };
            if open.len() == waiting {
                let moved = self.put(moved);
                done.insert(at, moved);
                open.pop();
            }
        }
        done.get(&alpha).copied()
    }
}

/// What each formula became.
type Moved = HashMap<Alpha, Alpha, BuildHasherDefault<Mix>>;
