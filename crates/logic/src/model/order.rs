//! A static variable order: things that occur together stand together.
//!
//! The FORCE heuristic (Aloul, Markov, Sakallah 2003): each element moves to the mean position of the constraints and
//! observations in which it occurs, until the total span stops shrinking. The order as declared is the start and is
//! kept unless the new one is clearly better, since authors often declare in a good order. Large groups weigh little, and
//! elements that occur nearly everywhere come first and do not take part.

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
        // Parts that speak of one variable each say nothing about an order: then the law counts as a whole.
        let parts: Vec<_> = Formula::conjuncts(&law.formula).into_iter().map(|part| formula_group(part)).collect();
        match parts.iter().any(|part| part.len() > 1) {
            true => parts.into_iter().for_each(&mut add),
            false => add(formula_group(&law.formula)),
        }
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
    arranged(n, &groups, as_declared)
}

/// Elements that occur in far more groups than others: everything is near them, so they pull nothing anywhere.
fn hubs(n: usize, groups: &[Vec<usize>]) -> Vec<bool> {
    let mut degree = vec![0usize; n];
    groups.iter().flatten().for_each(|&e| degree[e] += 1);
    let mean = degree.iter().sum::<usize>() / n.max(1);
    degree.iter().map(|&d| d > 4 * mean + 8).collect()
}

fn arranged(n: usize, groups: &[Vec<usize>], as_declared: Vec<usize>) -> Vec<usize> {
    let hub = hubs(n, groups);
    let groups: Vec<Vec<usize>> = groups
        .iter()
        .map(|g| g.iter().copied().filter(|&e| !hub[e]).collect::<Vec<_>>())
        .filter(|g| g.len() > 1)
        .collect();
    // Hubs decide much for everybody: they come first.
    let as_declared: Vec<usize> = as_declared
        .iter()
        .copied()
        .filter(|&e| hub[e])
        .chain(as_declared.iter().copied().filter(|&e| !hub[e]))
        .collect();
    let mut order = as_declared.clone();
    let declared = span(&order, &groups);
    let (mut best, mut best_span) = (order.clone(), declared);
    for _ in 0..60 {
        let mut place = vec![0usize; n];
        for (at, &element) in order.iter().enumerate() {
            place[element] = at;
        }
        let mut pull = vec![(0f64, 0f64); n];
        for group in &groups {
            let centre = group.iter().map(|&e| place[e] as f64).sum::<f64>() / group.len() as f64;
            // A large group says little about each of its elements.
            let weight = 1.0 / (group.len() - 1) as f64;
            for &e in group {
                pull[e].0 += weight * centre;
                pull[e].1 += weight;
            }
        }
        let target = |e: usize| match (hub[e], pull[e].1 > 0.0) {
            (true, _) => -1.0,
            (false, true) => pull[e].0 / pull[e].1,
            (false, false) => place[e] as f64,
        };
        order.sort_by(|&a, &b| target(a).total_cmp(&target(b)).then(a.cmp(&b)));
        let now = span(&order, &groups);
        if now < best_span {
            best_span = now;
            best.clone_from(&order);
        }
    }
    if best_span * 5 < declared * 4 { best } else { as_declared }
}

/// The total distance between the first and the last element of each group, for each of its other elements.
fn span(order: &[usize], groups: &[Vec<usize>]) -> usize {
    let mut place = vec![0usize; order.len()];
    for (at, &element) in order.iter().enumerate() {
        place[element] = at;
    }
    groups
        .iter()
        .map(|group| {
            let places = group.iter().map(|&e| place[e]);
            (places.clone().max().unwrap_or(0) - places.min().unwrap_or(0)) * 1_000 / (group.len() - 1)
        })
        .sum()
}
