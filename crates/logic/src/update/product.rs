//! Product update of an explicit model with an action model.

use crate::formula::{ActionModel, Sight, Value};
use crate::model::kripke::{Classes, Edges, Relation, VarColumn};
use crate::model::{BitSet, Kripke};
use crate::stop;
use std::collections::HashMap;

/// The updated model, and where each of its worlds comes from.
#[derive(Debug)]
pub struct Product {
    /// The updated model.
    pub model: Kripke,
    /// The old world of each new world.
    pub world: Vec<u32>,
    /// The event of each new world.
    pub event: Vec<u32>,
}

impl Product {
    /// The new world for an old world and an event.
    pub fn find(&self, world: usize, event: usize) -> Option<usize> {
        // Worlds are made event by event, each in order of the old worlds.
        let key = (event as u32, world as u32);
        let n = self.world.len();
        let (mut low, mut high) = (0, n);
        while low < high {
            let middle = (low + high) / 2;
            if (self.event[middle], self.world[middle]) < key { low = middle + 1 } else { high = middle }
        }
        (low < n && (self.event[low], self.world[low]) == key).then_some(low)
    }
}

/// What the events of an action change, evaluated at every old world.
#[derive(Debug, Default)]
pub struct Changes {
    /// For each event, the propositions by index, with where they become true.
    pub props: Vec<Vec<(usize, BitSet)>>,
    /// For each event, the variables by index, with their new values.
    pub vars: Vec<Vec<(usize, Vec<Value>)>>,
}

/// The product of `model` with `action`: worlds (w, e) where `pre[e]` holds at w; an agent confuses two of them iff it
/// confuses the worlds and the events.
pub fn product(model: &Kripke, action: &ActionModel, pre: &[BitSet], changes: &Changes) -> Product {
    let mut world = Vec::new();
    let mut event = Vec::new();
    for (e, holds) in pre.iter().enumerate() {
        for w in holds.iter() {
            world.push(w as u32);
            event.push(e as u32);
        }
    }
    let relations = model
        .agents()
        .iter()
        .enumerate()
        .map(|(agent, name)| {
            let sight = action.sights.iter().find(|(a, _)| a == name).map(|(_, s)| s);
            relation(model.relation(agent), sight, &world, &event)
        })
        .collect();
    let mut updated = model.rebuilt(&world, relations);
    for (e, props) in changes.props.iter().enumerate() {
        for (prop, value) in props {
            for i in (0..world.len()).filter(|&i| event[i] as usize == e) {
                if value.contains(world[i] as usize) {
                    updated.columns[*prop].insert(i);
                } else {
                    updated.columns[*prop].remove(i);
                }
            }
        }
    }
    for (e, vars) in changes.vars.iter().enumerate() {
        for (var, values) in vars {
            let VarColumn { values: column, .. } = &mut updated.vars[*var];
            for i in (0..world.len()).filter(|&i| event[i] as usize == e) {
                column[i] = values[world[i] as usize].clone();
            }
        }
    }
    updated.names = model.names.as_ref().map(|names| {
        let single = action.events.len() == 1;
        (0..world.len())
            .map(|i| {
                let old = &names[world[i] as usize];
                if single { old.clone() } else { format!("{old}·{}", action.events[event[i] as usize].name).into() }
            })
            .collect()
    });
    Product { model: updated, world, event }
}

fn relation(old: &Relation, sight: Option<&Sight>, world: &[u32], event: &[u32]) -> Relation {
    match (old, sight) {
        (Relation::Classes(c), None) => {
            Relation::Classes(Classes::by_key(world.iter().zip(event).map(|(&w, &e)| (c.of[w as usize], e))))
        }
        (Relation::Classes(c), Some(Sight::Classes(of))) => Relation::Classes(Classes::by_key(
            world.iter().zip(event).map(|(&w, &e)| (c.of[w as usize], of[e as usize])),
        )),
        _ => {
            let mut at: HashMap<(u32, u32), u32> = HashMap::new();
            for (i, (&w, &e)) in world.iter().zip(event).enumerate() {
                at.insert((w, e), i as u32);
            }
            let events = event.iter().copied().max().map_or(0, |m| m + 1);
            let seen: Vec<Vec<u32>> = (0..events)
                .map(|e| match sight {
                    None => vec![e],
                    Some(Sight::Classes(of)) => (0..events).filter(|&f| of[f as usize] == of[e as usize]).collect(),
                    Some(Sight::Edges(pairs)) => pairs.iter().filter(|p| p.0 == e).map(|p| p.1).collect(),
                })
                .collect();
            let members = match old {
                Relation::Classes(c) => c.members(),
                Relation::Edges(_) => Vec::new(),
            };
            let mut pairs = Vec::new();
            for (i, (&w, &e)) in world.iter().zip(event).enumerate().take_while(|_| !stop::asked()) {
                let worlds: &[u32] = match old {
                    Relation::Classes(c) => &members[c.of[w as usize] as usize],
                    Relation::Edges(edges) => edges.from(w as usize),
                };
                for v in worlds {
                    for f in &seen[e as usize] {
                        if let Some(&j) = at.get(&(*v, *f)) {
                            pairs.push((i as u32, j));
                        }
                    }
                }
            }
            Relation::Edges(Edges::from_pairs(world.len(), pairs))
        }
    }
}
