//! The product of what the places demand: each card is taken by one place and left by all others.

use super::local::{DEAD, Local};

/// Six seats and the envelope.
const MAX_PLACES: usize = 7;

/// All ways to give the open cards to places, as a layered diagram. Layer `i` gives card `i`.
#[derive(Clone, Debug)]
pub(super) struct Diagram {
    pub(super) layers: Vec<Layer>,
    /// The number of ways through the diagram.
    pub(super) total: u128,
}

/// The states before a card is given, and what can be done with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// Where the edges of each state begin, and last where they end.
    pub(super) starts: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    /// How many ways lead to each state.
    pub(super) forward: Vec<u128>,
    /// How many ways lead from each state to the end.
    pub(super) backward: Vec<u128>,
}

/// The card goes to a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The state of the next layer.
    pub(super) to: u32,
    /// The index of the place among those that still get cards.
    pub(super) place: u8,
}

impl Layer {
    pub(super) fn edges(&self, state: usize) -> &[Edge] {
        &self.edges[self.starts[state] as usize..self.starts[state + 1] as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.forward.len()
    }
}

impl Diagram {
    pub(super) fn new(cards: usize, places: &[Local]) -> Diagram {
        let mut layers: Vec<Layer> = Vec::with_capacity(cards + 1);
        let mut states: Vec<u128> = vec![0];
        let mut forward: Vec<u128> = vec![1];
        let mut index = Index::default();
        for card in 0..cards {
            let product = Product::new(card, places);
            let mut layer = Layer { forward, ..Layer::default() };
            let mut next: Vec<u128> = Vec::with_capacity(2 * states.len());
            forward = Vec::with_capacity(2 * states.len());
            layer.starts.reserve(states.len() + 1);
            layer.edges.reserve(3 * states.len());
            index.clear(4 * states.len());
            for (&state, &ways) in states.iter().zip(&layer.forward) {
                layer.starts.push(layer.edges.len() as u32);
                product.steps(state, |place, key| {
                    let to = index.number(key, &mut next);
                    match forward.get_mut(to as usize) {
                        Some(sum) => *sum += ways,
                        None => forward.push(ways),
                    }
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

/// Numbers keys in the order in which they come: an open hash table of numbers into the list of keys.
#[derive(Default)]
struct Index {
    /// One more than the number of a key; 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl Index {
    /// Forgets all keys and has room for some.
    fn clear(&mut self, room: usize) {
        self.slots.clear();
        self.slots.resize(room.next_power_of_two().max(64), 0);
    }

    fn number(&mut self, key: u128, keys: &mut Vec<u128>) -> u32 {
        if 2 * keys.len() >= self.slots.len() {
            self.grow(keys);
        }
        let mut at = self.begin(key);
        loop {
            match self.slots[at] {
                0 => {
                    keys.push(key);
                    self.slots[at] = keys.len() as u32;
                    return keys.len() as u32 - 1;
                }
                n if keys[n as usize - 1] == key => return n - 1,
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    fn begin(&self, key: u128) -> usize {
        let folded = key as u64 ^ ((key >> 64) as u64).rotate_left(29);
        (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    fn grow(&mut self, keys: &[u128]) {
        self.clear(4 * self.slots.len());
        for (i, &key) in keys.iter().enumerate() {
            let mut at = self.begin(key);
            while self.slots[at] != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = i as u32 + 1;
        }
    }
}

/// The steps of one layer. A key packs the states of all places; 128 bits are enough for any position whose automata
/// fit into memory.
struct Product {
    places: Vec<Component>,
}

struct Component {
    /// Where the state stands in a key.
    shift: u32,
    mask: usize,
    /// For each state where it goes, already shifted to its position in the next key.
    ways: Vec<Ways>,
}

#[derive(Clone, Copy)]
struct Ways {
    take: u128,
    leave: u128,
}

/// No key: there is no way on.
const NONE: u128 = u128::MAX;

impl Product {
    fn new(card: usize, places: &[Local]) -> Product {
        let bits = |place: &Local, layer: usize| match place.layers.get(layer) {
            Some(steps) => usize::BITS - (steps.len() - 1).leading_zeros(),
            None => 0,
        };
        let (mut shift, mut shift_next) = (0, 0);
        let mut components = Vec::with_capacity(places.len());
        for place in places {
            let shifted = |to: u32| if to == DEAD { NONE } else { u128::from(to) << shift_next };
            let steps = &place.layers[card];
            let ways = std::iter::zip(&steps.take, &steps.leave);
            components.push(Component {
                shift,
                mask: (1 << bits(place, card)) - 1,
                ways: ways.map(|(&take, &leave)| Ways { take: shifted(take), leave: shifted(leave) }).collect(),
            });
            shift += bits(place, card);
            shift_next += bits(place, card + 1);
        }
        assert!(shift < u128::BITS && shift_next < u128::BITS, "a state fits into a key");
        Product { places: components }
    }

    /// Calls `go` with each place that can take the card and the state that follows.
    #[inline]
    fn steps(&self, state: u128, mut go: impl FnMut(u8, u128)) {
        let mut ways = [Ways { take: NONE, leave: NONE }; MAX_PLACES];
        let ways = &mut ways[..self.places.len()];
        let mut left = 0;
        let mut forced = None;
        for (i, (at, component)) in ways.iter_mut().zip(&self.places).enumerate() {
            *at = component.ways[(state >> component.shift) as usize & component.mask];
            if at.leave != NONE {
                left |= at.leave;
            } else if forced.replace(i).is_some() {
                // Two places cannot do without the card.
                return;
            }
        }
        match forced {
            Some(i) => go(i as u8, left | ways[i].take),
            None => {
                for (i, at) in ways.iter().enumerate().filter(|(_, at)| at.take != NONE) {
                    go(i as u8, left ^ at.leave | at.take);
                }
            }
        }
    }
}
