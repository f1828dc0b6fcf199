//! Truth values put for propositions, for the Boolean quantifiers.

use crate::formula::{F, Formula};
use std::collections::HashSet;
use std::sync::Arc;

/// An objective formula with a truth value for an atom, simplified; the same formula if the atom does not occur.
pub(super) fn put(f: &F, atom: &F, value: bool) -> F {
    if f == atom {
        return Arc::new(Formula::Const(value));
    }
    let below = f.children();
    let parts: Vec<F> = below.iter().map(|g| put(g, atom, value)).collect();
    if parts.iter().zip(below).all(|(new, old)| Arc::ptr_eq(new, old)) {
        return f.clone();
    }
    let constant = |f: &F| match **f {
        Formula::Const(b) => Some(b),
        _ => None,
    };
    let negated = |f: F, yes: bool| if yes { Formula::negation(f) } else { f };
    match (&**f, parts.as_slice()) {
        (Formula::Not(_), [g]) => Formula::negation(g.clone()),
        (Formula::And(_), _) => lattice(true, parts),
        (Formula::Or(_), _) => lattice(false, parts),
        (Formula::Imp(..), [a, b]) => lattice(false, vec![Formula::negation(a.clone()), b.clone()]),
        (Formula::Iff(..), [a, b]) => match (constant(a), constant(b)) {
            (Some(value), _) => negated(b.clone(), !value),
            (_, Some(value)) => negated(a.clone(), !value),
            _ => Formula::iff(a.clone(), b.clone()),
        },
        (Formula::Xor(_), _) => {
            let odd = parts.iter().filter(|p| constant(p) == Some(true)).count() % 2 == 1;
            let open: Vec<F> = parts.into_iter().filter(|p| constant(p).is_none()).collect();
            let rest = if open.is_empty() { Formula::falsity() } else { Arc::new(Formula::Xor(open)) };
            negated(rest, odd)
        }
        (Formula::Count(cmp, n, _), _) => {
            let certain = parts.iter().filter(|p| constant(p) == Some(true)).count() as u64;
            let open: Vec<F> = parts.into_iter().filter(|p| constant(p).is_none()).collect();
            match n.checked_sub(certain) {
                // Only `ONEOF` makes counts, so the comparison is with equality.
                None => Formula::falsity(),
                Some(0) => Formula::negation(lattice(false, open)),
                Some(n) if n > open.len() as u64 => Formula::falsity(),
                Some(n) => Arc::new(Formula::Count(*cmp, n, open)),
            }
        }
        // The other operators are not objective.
        _ => f.clone(),
    }
}

/// The conjunction or disjunction of the parts, without constants and repetitions, those of the same kind taken apart.
pub(super) fn lattice(conjunction: bool, parts: Vec<F>) -> F {
    let mut all: Vec<F> = Vec::new();
    for part in parts {
        match (&*part, conjunction) {
            (Formula::Const(b), _) if *b == conjunction => {}
            (Formula::Const(_), _) => return part,
            (Formula::And(inner), true) | (Formula::Or(inner), false) => all.extend(inner.iter().cloned()),
            _ => all.push(part),
        }
    }
    // Where nothing was put both values leave the same part: looking at addresses is enough, and cheap.
    let mut seen = HashSet::new();
    all.retain(|part| seen.insert(Arc::as_ptr(part)));
    if conjunction { Formula::and(all) } else { Formula::or(all) }
}
