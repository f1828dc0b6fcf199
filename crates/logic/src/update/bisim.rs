//! Bisimulation: the coarsest partition of worlds that no formula can tell apart, and the model it leaves.

use crate::model::Kripke;
use crate::model::kripke::{Classes, Edges, Relation};
use crate::stop;

/// What a contraction must preserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// Every formula without distributed knowledge: worlds are merged when they are bisimilar.
    Bisimilar,
    /// Every formula: worlds are merged only when they have the same facts and no agent tells them apart.
    ///
    /// Distributed knowledge is not invariant under bisimulation, since intersections are not.
    Everything,
}

/// A smaller model and the new world of each old one.
#[derive(Debug)]
pub struct Contraction {
    /// The contracted model.
    pub model: Kripke,
    /// For each old world, the new one.
    pub world: Vec<u32>,
}

/// Merges worlds that `keep` allows to merge; points are carried over.
pub fn contract(model: &Kripke, keep: Keep) -> Contraction {
    let blocks = match keep {
        Keep::Bisimilar => refine(model, facts(model), &mut |_| {}),
        Keep::Everything => model.relations().iter().fold(facts(model), |blocks, relation| match relation {
            Relation::Classes(c) => blocks.meet(c),
            Relation::Edges(e) => {
                let incoming = incoming(e, model.size());
                blocks.meet(&Classes::by_key((0..model.size()).map(|w| (e.from(w).to_vec(), &incoming[w]))))
            }
        }),
    };
    let mut first: Vec<u32> = vec![u32::MAX; blocks.count as usize];
    for (world, &block) in blocks.of.iter().enumerate() {
        if first[block as usize] == u32::MAX {
            first[block as usize] = world as u32;
        }
    }
    let relations = model
        .relations()
        .iter()
        .map(|relation| match relation {
            Relation::Classes(c) => Relation::Classes(quotient(c, &blocks)),
            Relation::Edges(e) => {
                let pairs = first
                    .iter()
                    .enumerate()
                    .flat_map(|(new, &w)| e.from(w as usize).iter().map(move |&t| (new as u32, t)));
                let pairs = pairs.map(|(new, t)| (new, blocks.of[t as usize])).collect();
                Relation::Edges(Edges::from_pairs(first.len(), pairs))
            }
        })
        .collect();
    let mut contracted = model.rebuilt(&first, relations);
    for (name, world) in &model.points {
        contracted.add_point(name.clone(), blocks.of[*world as usize] as usize);
    }
    Contraction { model: contracted, world: blocks.of }
}

/// The classes of an equivalence, seen on blocks: blocks share a class iff some members do.
fn quotient(classes: &Classes, blocks: &Classes) -> Classes {
    // Blocks that meet the same class must be related; joining both partitions gives the finest equivalence.
    let joined = Classes::join(classes.of.len(), [classes, blocks].into_iter());
    let mut of = vec![0; blocks.count as usize];
    for (world, &block) in blocks.of.iter().enumerate() {
        of[block as usize] = joined.of[world];
    }
    Classes::by_key(of)
}

fn incoming(edges: &Edges, size: usize) -> Vec<Vec<u32>> {
    let mut sources = vec![Vec::new(); size];
    for world in 0..size {
        for &target in edges.from(world) {
            sources[target as usize].push(world as u32);
        }
    }
    sources
}

/// The partition by facts.
fn facts(model: &Kripke) -> Classes {
    let mut blocks = Classes { of: vec![0; model.size()], count: u32::from(model.size() > 0) };
    for column in &model.columns {
        blocks = Classes::by_key((0..model.size()).map(|w| (blocks.of[w], column.contains(w))));
    }
    for var in &model.vars {
        blocks = Classes::by_key((0..model.size()).map(|w| (blocks.of[w], &var.values[w])));
    }
    blocks
}

/// Refines a partition until worlds of one block see the same blocks through every relation; `round` is shown the
/// partition after each round.
pub fn refine(model: &Kripke, start: Classes, round: &mut dyn FnMut(&Classes)) -> Classes {
    let mut blocks = start;
    round(&blocks);
    loop {
        let mut next = blocks.clone();
        for relation in model.relations() {
            let seen = match relation {
                Relation::Classes(c) => {
                    let mut sets: Vec<Vec<u32>> = vec![Vec::new(); c.count as usize];
                    for world in 0..model.size() {
                        sets[c.of[world] as usize].push(blocks.of[world]);
                    }
                    for set in &mut sets {
                        set.sort_unstable();
                        set.dedup();
                    }
                    let of_class = Classes::by_key(sets);
                    Classes::by_key((0..model.size()).map(|w| of_class.of[c.of[w] as usize]))
                }
                Relation::Edges(e) => Classes::by_key((0..model.size()).map(|w| {
                    let mut set: Vec<u32> = e.from(w).iter().map(|&t| blocks.of[t as usize]).collect();
                    set.sort_unstable();
                    set.dedup();
                    set
                })),
            };
            next = next.meet(&seen);
        }
        if next.count == blocks.count || stop::asked() {
            return blocks;
        }
        blocks = next;
        round(&blocks);
    }
}
