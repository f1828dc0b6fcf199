//! Points and the steps between them.

use crate::model::{BitSet, Transitions};

/// A finite graph of points: reachable states, or knowledge states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// The state of each point.
    pub(crate) state: Vec<u32>,
    offsets: Vec<u32>,
    /// Label and target of each edge, point by point.
    edges: Vec<(u32, u32)>,
    /// The points of the initial states, in the order of the system's initial states.
    pub(crate) initial: Vec<u32>,
    /// Points whose successors have not been looked at.
    pub(crate) open: Option<BitSet>,
    back_offsets: Vec<u32>,
    back: Vec<(u32, u32)>,
}

impl Graph {
    /// A graph from the edges of each point.
    pub(crate) fn new(state: Vec<u32>, successors: Vec<Vec<(u32, u32)>>, initial: Vec<u32>) -> Graph {
        let size = state.len();
        let mut offsets = Vec::with_capacity(size + 1);
        offsets.push(0);
        let mut edges = Vec::with_capacity(successors.iter().map(Vec::len).sum());
        for list in successors {
            edges.extend(list);
            offsets.push(edges.len() as u32);
        }
        let mut back_offsets = vec![0u32; size + 1];
        for &(_, target) in &edges {
            back_offsets[target as usize + 1] += 1;
        }
        for i in 0..size {
            back_offsets[i + 1] += back_offsets[i];
        }
        let mut next = back_offsets.clone();
        let mut back = vec![(0, 0); edges.len()];
        for point in 0..size {
            for &(label, target) in &edges[offsets[point] as usize..offsets[point + 1] as usize] {
                let at = &mut next[target as usize];
                back[*at as usize] = (label, point as u32);
                *at += 1;
            }
        }
        Graph { state, offsets, edges, initial, open: None, back_offsets, back }
    }

    /// The reachable states of a system.
    pub(crate) fn reachable(system: &Transitions) -> Graph {
        let mut point = vec![u32::MAX; system.size()];
        let mut state: Vec<u32> = Vec::new();
        let mut reach = |s: u32, state: &mut Vec<u32>| {
            if point[s as usize] == u32::MAX {
                point[s as usize] = state.len() as u32;
                state.push(s);
            }
            point[s as usize]
        };
        let initial = system.initial.iter().map(|&s| reach(s, &mut state)).collect();
        let mut successors = Vec::new();
        let mut at = 0;
        while at < state.len() {
            let steps = system.from(state[at] as usize);
            successors.push(steps.iter().map(|step| (step.label, reach(step.target, &mut state))).collect());
            at += 1;
        }
        Graph::new(state, successors, initial)
    }

    /// The same graph, beginning at these points.
    pub(crate) fn beginning_at(&self, points: Vec<u32>) -> Graph {
        Graph { initial: points, ..self.clone() }
    }

    /// How many points there are.
    pub(crate) fn size(&self) -> usize {
        self.state.len()
    }

    /// Label and target of each edge from a point.
    pub(crate) fn from(&self, point: usize) -> &[(u32, u32)] {
        &self.edges[self.offsets[point] as usize..self.offsets[point + 1] as usize]
    }

    /// Label and source of each edge to a point.
    pub(crate) fn into(&self, point: usize) -> &[(u32, u32)] {
        &self.back[self.back_offsets[point] as usize..self.back_offsets[point + 1] as usize]
    }

    /// Whether every point's successors are known.
    pub(crate) fn is_closed(&self) -> bool {
        self.open.is_none()
    }
}
