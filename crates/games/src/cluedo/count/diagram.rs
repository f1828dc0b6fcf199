//! The product of what the places demand: each card is taken by one place and left by all others.

use super::local::{DEAD, Local};
use rustc_hash::FxHashMap;

/// All ways to give the open cards to places, as a layered diagram. Layer `i` gives card `i`.
pub(super) struct Diagram {
    pub layers: Vec<Layer>,
    /// The number of ways through the diagram.
    pub total: u128,
}

/// The states before a card is given, and what can be done with it.
#[derive(Default)]
pub(super) struct Layer {
    /// Where the edges of each state begin, and last where they end.
    pub starts: Vec<u32>,
    pub edges: Vec<Edge>,
    /// How many ways lead to each state.
    pub forward: Vec<u128>,
    /// How many ways lead from each state to the end.
    pub backward: Vec<u128>,
}

/// The card goes to a place.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The state of the next layer.
    pub to: u32,
    /// The index of the place among those that still get cards.
    pub place: u8,
}

impl Layer {
    pub fn edges(&self, state: usize) -> &[Edge] {
        &self.edges[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    pub fn len(&self) -> usize {
        self.forward.len()
    }
}

impl Diagram {
    pub fn new(cards: usize, places: &[Local]) -> Diagram {
        let mut layers: Vec<Layer> = Vec::with_capacity(cards + 1);
        let mut states: Vec<u128> = vec![0];
        let mut forward: Vec<u128> = vec![1];
        for card in 0..cards {
            let product = Product::new(card, places);
            let mut layer = Layer { forward, ..Layer::default() };
            let mut index: FxHashMap<u128, u32> = FxHashMap::default();
            let mut next: Vec<u128> = Vec::new();
            forward = Vec::new();
            for (i, &state) in states.iter().enumerate() {
                layer.starts.push(layer.edges.len() as u32);
                product.steps(state, |place, key| {
                    let to = *index.entry(key).or_insert_with(|| {
                        next.push(key);
                        forward.push(0);
                        next.len() as u32 - 1
                    });
                    forward[to as usize] += layer.forward[i];
                    layer.edges.push(Edge { to, place });
                });
            }
            layer.starts.push(layer.edges.len() as u32);
            layers.push(layer);
            states = next;
        }
        // After the last card there is one state at most: every place has what it demands.
        let ends = forward.len();
        layers.push(Layer { starts: vec![0; ends + 1], forward, backward: vec![1; ends], ..Layer::default() });
        for card in (0..cards).rev() {
            let (before, after) = layers.split_at_mut(card + 1);
            let (layer, next) = (&mut before[card], &after[0]);
            let ways = |s: usize| layer.edges(s).iter().map(|e| next.backward[e.to as usize]).sum();
            layer.backward = (0..layer.len()).map(ways).collect();
        }
        let total = layers[0].backward[0];
        Diagram { layers, total }
    }
}

/// The steps of one layer: for each place how to read its state out of a key, and where its states go, already shifted
/// to their position in the next key.
struct Product {
    places: Vec<Component>,
}

struct Component {
    shift: u32,
    mask: u128,
    take: Vec<Option<u128>>,
    leave: Vec<Option<u128>>,
}

impl Product {
    fn new(card: usize, places: &[Local]) -> Product {
        let bits = |place: &Local, layer: usize| match place.layers.get(layer) {
            Some(steps) => usize::BITS - (steps.len() - 1).leading_zeros(),
            None => 0,
        };
        let (mut shift, mut shift_next) = (0, 0);
        let mut components = Vec::with_capacity(places.len());
        for place in places {
            let shifted = |&to: &u32| (to != DEAD).then(|| u128::from(to) << shift_next);
            let steps = &place.layers[card];
            components.push(Component {
                shift,
                mask: (1 << bits(place, card)) - 1,
                take: steps.take.iter().map(shifted).collect(),
                leave: steps.leave.iter().map(shifted).collect(),
            });
            shift += bits(place, card);
            shift_next += bits(place, card + 1);
        }
        assert!(shift < u128::BITS && shift_next < u128::BITS, "a state fits into a key");
        Product { places: components }
    }

    /// Calls `go` with each place that can take the card and the state that follows.
    fn steps(&self, state: u128, mut go: impl FnMut(u8, u128)) {
        let at = |c: &Component| (state >> c.shift & c.mask) as usize;
        let mut left = 0;
        let mut forced = None;
        for (i, component) in self.places.iter().enumerate() {
            match (component.leave[at(component)], forced) {
                (Some(to), _) => left |= to,
                (None, None) => forced = Some(i),
                (None, Some(_)) => return,
            }
        }
        match forced {
            Some(i) => {
                let component = &self.places[i];
                if let Some(to) = component.take[at(component)] {
                    go(i as u8, left | to);
                }
            }
            None => {
                for (i, component) in self.places.iter().enumerate() {
                    if let (Some(to), Some(instead)) = (component.take[at(component)], component.leave[at(component)]) {
                        go(i as u8, left ^ instead | to);
                    }
                }
            }
        }
    }
}
