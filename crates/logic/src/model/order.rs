//! A static variable order: things that occur together stand together.
//!
//! The FORCE heuristic (Aloul, Markov, Sakallah 2003): each element moves to the mean position of the constraints and
//! observations in which it occurs, until the total span stops shrinking. The order as declared is the start and is
//! kept unless the new one is clearly better, since authors often declare in a good order.

use super::law::{LawModel, Observation};
use crate::formula::{Formula, Name, Term};
use std::collections::HashMap;

/// The propositions and variables of a formula.
pub(crate) fn for_each_name(f: &Formula, visit: &mut dyn FnMut(&Name)) {
    match f {
        Formula::Atom(name) => visit(name),
        Formula::Compare(_, a, b) => {
            a.for_each_var(visit);
            b.for_each_var(visit);
        }
        _ => f.children().into_iter().for_each(|g| for_each_name(g, visit)),
    }
}

/// The order of a model's elements: indices into its propositions followed by its variables.
pub(crate) fn static_order(model: &LawModel) -> Vec<usize> {
    let names = model.props.iter().chain(model.vars.iter().map(|v| &v.name));
    let index: HashMap<&Name, usize> = names.zip(0..).collect();
    let n = index.len();
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut add = |mut group: Vec<usize>| {
        group.sort_unstable();
        group.dedup();
        // A group of nearly everything pulls nothing anywhere.
        if group.len() > 1 && (group.len() <= 8 || 2 * group.len() <= n) {
            groups.push(group);
        }
    };
    let formula_group = |f: &Formula| {
        let mut group = Vec::new();
        for_each_name(f, &mut |name| group.extend(index.get(name)));
        group
    };
    let term_group = |t: &Term| {
        let mut group = Vec::new();
        t.for_each_var(&mut |name| group.extend(index.get(name)));
        group
    };
    for law in &model.laws {
        add(formula_group(&law.formula));
    }
    for observed in &model.observes {
        let mut seen = Vec::new();
        for observation in observed {
            let group = match observation {
                Observation::Formula(f) => formula_group(f),
                Observation::Term(t) => term_group(t),
            };
            seen.extend(&group);
            add(group);
        }
        add(seen);
    }
    let place: HashMap<&Name, usize> = model.declaration.iter().zip(0..).collect();
    let mut as_declared: Vec<(usize, usize)> =
        index.iter().map(|(name, &e)| (place.get(name).copied().unwrap_or(usize::MAX), e)).collect();
    as_declared.sort_unstable();
    let as_declared: Vec<usize> = as_declared.into_iter().map(|(_, e)| e).collect();
    let mut order = as_declared.clone();
    let declared = span(&order, &groups);
    let (mut best, mut best_span) = (order.clone(), declared);
    for _ in 0..60 {
        let mut place = vec![0usize; n];
        for (at, &element) in order.iter().enumerate() {
            place[element] = at;
        }
        let mut pull = vec![(0f64, 0u32); n];
        for group in &groups {
            let centre = group.iter().map(|&e| place[e] as f64).sum::<f64>() / group.len() as f64;
            for &e in group {
                pull[e].0 += centre;
                pull[e].1 += 1;
            }
        }
        let target = |e: usize| if pull[e].1 == 0 { place[e] as f64 } else { pull[e].0 / f64::from(pull[e].1) };
        order.sort_by(|&a, &b| target(a).total_cmp(&target(b)).then(a.cmp(&b)));
        let now = span(&order, &groups);
        if now < best_span {
            best_span = now;
            best.clone_from(&order);
        }
    }
    if best_span * 5 < declared * 4 { best } else { as_declared }
}

/// The total distance between the first and the last element of each group.
fn span(order: &[usize], groups: &[Vec<usize>]) -> usize {
    let mut place = vec![0usize; order.len()];
    for (at, &element) in order.iter().enumerate() {
        place[element] = at;
    }
    groups
        .iter()
        .map(|group| {
            let places = group.iter().map(|&e| place[e]);
            places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)
        })
        .sum()
}
