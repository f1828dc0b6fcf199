//! Formulas and terms over value indices.

use crate::formula::{ArithOp, Cmp, F, Formula, Name, Plain, Term, Value};
use std::collections::HashMap;

/// A formula over value indices.
pub(super) enum Test {
    Const(bool),
    Prop(usize),
    Does(usize, u32),
    /// A comparison about one element, decided once for each of its values.
    Table(usize, Box<[bool]>),
    Compare(Cmp, Num, Num),
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
    Iff(Box<Test>, Box<Test>),
    Xor(Vec<Test>),
    Count(Cmp, u64, Vec<Test>),
    /// Knowledge: not decided by the state.
    Knowledge,
}

impl Test {
    /// Calls `visit` on every actor whose choice the test depends on.
    pub(super) fn for_each_actor(&self, visit: &mut dyn FnMut(usize)) {
        match self {
            Test::Const(_) | Test::Prop(_) | Test::Table(..) | Test::Compare(..) | Test::Knowledge => {}
            Test::Does(actor, _) => visit(*actor),
            Test::Not(t) => t.for_each_actor(visit),
            Test::Iff(a, b) => {
                a.for_each_actor(visit);
                b.for_each_actor(visit);
            }
            Test::All(parts) | Test::Any(parts) | Test::Xor(parts) | Test::Count(_, _, parts) => {
                parts.iter().for_each(|t| t.for_each_actor(visit));
            }
        }
    }
}

/// A term over value indices.
pub(super) enum Num {
    Value(i64),
    Var(usize),
    Neg(Box<Num>),
    Bin(ArithOp, Box<Num>, Box<Num>),
}

/// Constants of enumerations are numbers from here on: arithmetic on them has no value.
pub(super) const SYMBOLS: i64 = 1 << 60;

pub(super) struct Compiler<'s> {
    pub(super) elements: HashMap<&'s str, usize>,
    pub(super) props: usize,
    pub(super) does: HashMap<String, (usize, u32)>,
    pub(super) symbols: HashMap<Name, i64>,
    pub(super) values: Vec<Vec<Value>>,
}

impl Compiler<'_> {
    pub(super) fn code(&mut self, value: &Value) -> i64 {
        match value {
            Value::Int(n) => *n,
            Value::Sym(s) => {
                let next = SYMBOLS + self.symbols.len() as i64;
                *self.symbols.entry(s.clone()).or_insert(next)
            }
        }
    }

    pub(super) fn num(&mut self, term: &Term) -> Num {
        match term {
            Term::Value(v) => Num::Value(self.code(v)),
            Term::Var(name) => match self.elements.get(&**name) {
                Some(&e) => Num::Var(e),
                // A variable that the system does not have takes no value: compared with anything it is false.
                None => Num::Bin(ArithOp::Div, Box::new(Num::Value(0)), Box::new(Num::Value(0))),
            },
            Term::Neg(t) => Num::Neg(Box::new(self.num(t))),
            Term::Bin(op, a, b) => Num::Bin(*op, Box::new(self.num(a)), Box::new(self.num(b))),
        }
    }

    fn compare(&mut self, cmp: Cmp, a: &Term, b: &Term) -> Test {
        let mut elements: Vec<usize> = Vec::new();
        let mut strange = false;
        for term in [a, b] {
            term.for_each_var(&mut |name| match self.elements.get(&**name) {
                Some(&e) if elements.contains(&e) => {}
                Some(&e) => elements.push(e),
                None => strange = true,
            });
        }
        match (elements.as_slice(), strange) {
            (&[e], false) => {
                let truth = self.values[e].iter().map(|value| {
                    let lookup = |_: &str| Some(value.clone());
                    match (a.eval(&lookup), b.eval(&lookup)) {
                        (Some(x), Some(y)) => cmp.admits(x.cmp(&y)),
                        _ => false,
                    }
                });
                Test::Table(e, truth.collect())
            }
            _ => Test::Compare(cmp, self.num(a), self.num(b)),
        }
    }

    fn tests(&mut self, parts: &[F]) -> Vec<Test> {
        parts.iter().map(|p| self.test(p)).collect()
    }

    pub(super) fn test(&mut self, f: &Formula) -> Test {
        match f.plain() {
            Plain::Const(b) => Test::Const(b),
            Plain::Atom(name) => match (self.elements.get(&**name), self.does.get(&**name)) {
                (Some(&e), _) if e < self.props => Test::Prop(e),
                (_, Some(&(actor, action))) => Test::Does(actor, action),
                _ => Test::Const(false),
            },
            Plain::Compare(cmp, a, b) => self.compare(cmp, a, b),
            Plain::Not(g) => Test::Not(Box::new(self.test(g))),
            Plain::And(parts) => Test::All(self.tests(parts)),
            Plain::Or(parts) => Test::Any(self.tests(parts)),
            Plain::Imp(a, b) => Test::Any(vec![Test::Not(Box::new(self.test(a))), self.test(b)]),
            Plain::Iff(a, b) => Test::Iff(Box::new(self.test(a)), Box::new(self.test(b))),
            Plain::Xor(parts) => Test::Xor(self.tests(parts)),
            Plain::Count(cmp, n, parts) => Test::Count(cmp, n, self.tests(parts)),
            Plain::Modal => Test::Knowledge,
        }
    }
}
