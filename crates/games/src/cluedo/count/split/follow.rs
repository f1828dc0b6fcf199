//! Following paths through a category, with one of its cards asked for and one in the envelope.

use super::Paths;
use super::block::{Block, Choice};

/// In which part of the table a card that is asked for may lie.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// Whether it is with the seat that answers.
    pub(super) here: bool,
    /// The places of the diagram, as bits, without the envelope.
    pub(super) places: u32,
    /// Whether it may lie in the envelope.
    pub(super) envelope: bool,
}

/// Ways to each state, several side by side: state by state.
#[derive(Clone, Debug)]
pub(super) struct Ways {
    pub(super) width: usize,
    pub(super) sums: Vec<f64>,
}

impl Ways {
    /// Ways of the same states side by side, in this order of all of them.
    pub(super) fn beside<K>(all: &[(K, Ways)], order: &[(K, usize)]) -> Ways {
        let width = order.len();
        let (_, first) = all.first().expect("there are ways");
        let states = first.sums.len() / first.width;
        let mut sums = vec![0.0; states * width];
        for (at, &(_, from)) in order.iter().enumerate() {
            let (_, ways) = &all[from / first.width];
            for state in 0..states {
                sums[state * width + at] = ways.sums[state * ways.width + from % first.width];
            }
        }
        Ways { width, sums }
    }
}

/// Which ways through a category these are.
pub(super) struct Arrival {
    /// The choice of the card asked for.
    pub(super) choice: usize,
    /// Which of the cards that may lie beside it is in the envelope.
    pub(super) lying: usize,
    /// For how many cards that one stands.
    pub(super) weight: f64,
    /// Whether the seat that answers has the card asked for.
    pub(super) here: bool,
}

/// One walk through a category.
struct Walk<'p> {
    paths: &'p Paths<'p>,
    block: &'p Block,
    parts: &'p [Part],
    rank: usize,
    /// From the end to the start.
    backward: bool,
    /// The envelope among the places of the diagram, as a bit.
    envelope: u32,
    /// Whether cards are asked for whose place is known.
    settled: bool,
    arrive: &'p mut dyn FnMut(&Arrival, &Ways),
}

/// What was met so far.
#[derive(Clone, Copy, Default)]
struct Met {
    /// The layer of the card in the envelope.
    lies: Option<usize>,
    /// The layer of the card asked for, and whether the seat that answers has it.
    asked: Option<(usize, bool)>,
}

impl Paths<'_> {
    /// Follows ways through a category, from its end to its start if `backward`. Calls `arrive` with what they come to for
    /// each choice, each card that may lie in the envelope beside it, and each part where the card asked for may lie.
    pub(super) fn follow(
        &self,
        block: &Block,
        parts: &[Part],
        rank: usize,
        ways: &Ways,
        backward: bool,
        arrive: &mut dyn FnMut(&Arrival, &Ways),
    ) {
        let envelope = self.deals.places.iter().position(|&p| p + 1 == self.ranks.len());
        let settled = block.choices.iter().any(|c| !matches!(c, Choice::Open(_)));
        let envelope = envelope.map_or(0, |place| 1 << place);
        let mut walk = Walk { paths: self, block, parts, rank, backward, envelope, settled, arrive };
        walk.go(0, ways, Met::default());
    }

    /// Through a layer by the edges to these places; nothing if there is no way.
    fn step(&self, layer: usize, ways: &Ways, places: u32, backward: bool) -> Option<Ways> {
        let (here, next) = (&self.diagram.layers[layer], &self.diagram.layers[layer + 1]);
        let width = ways.width;
        let mut sums = vec![0.0; width * if backward { here.len() } else { next.len() }];
        let mut any = false;
        for state in 0..here.len() {
            for edge in here.edges(state).iter().filter(|e| places >> e.place & 1 == 1) {
                let (from, to) = if backward { (edge.to as usize, state) } else { (state, edge.to as usize) };
                let row = &ways.sums[from * width..][..width];
                if width == 1 && row[0] == 0.0 {
                    continue;
                }
                any = true;
                sums[to * width..][..width].iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
            }
        }
        any.then_some(Ways { width, sums })
    }
}

impl Walk<'_> {
    fn go(&mut self, done: usize, ways: &Ways, met: Met) {
        let layers = self.block.layers.clone();
        if done == layers.len() {
            return self.arrive(ways, met);
        }
        let layer = if self.backward { layers.end - 1 - done } else { layers.start + done };
        let step = |this: &mut Self, places: u32, met: Met| {
            if this.matters(met, done + 1)
                && let Some(ways) = this.paths.step(layer, ways, places, this.backward)
            {
                this.go(done + 1, &ways, met);
            }
        };
        step(self, !self.envelope, met);
        let asks = met.asked.is_none() && self.block.choices.contains(&Choice::Open(layer));
        let lies = met.lies.is_none();
        if lies {
            step(self, self.envelope, Met { lies: Some(layer), ..met });
        }
        for part in self.parts.iter().filter(|_| asks) {
            let asked = Some((layer, part.here));
            step(self, part.places, Met { asked, ..met });
            if lies && part.envelope {
                step(self, self.envelope, Met { lies: Some(layer), asked });
            }
        }
    }

    /// Whether something may come of this: the card in the envelope stands for others beside a card that is asked for.
    fn matters(&self, met: Met, done: usize) -> bool {
        let layers = &self.block.layers;
        let ahead = if self.backward { layers.start..layers.end - done } else { layers.start + done..layers.end };
        let can = |choice: usize| {
            let lying = &self.block.lying[choice];
            lying.iter().any(|l| match (l.0, met.lies) {
                (None, lies) => lies.is_none(),
                (Some(layer), None) => ahead.contains(&layer),
                (Some(layer), Some(lies)) => layer == lies,
            })
        };
        self.block.choices.iter().enumerate().any(|(i, choice)| match (*choice, met.asked) {
            (Choice::Open(layer), Some((asked, _))) => layer == asked && can(i),
            (Choice::Open(layer), None) => ahead.contains(&layer) && can(i),
            (Choice::Held(_) | Choice::Found, Some(_)) => false,
            (Choice::Held(_) | Choice::Found, None) => can(i),
        })
    }

    fn arrive(&mut self, ways: &Ways, met: Met) {
        let mut put = |choice: usize, here: bool| {
            let lying = &self.block.lying[choice];
            if let Some(at) = lying.iter().position(|l| l.0 == met.lies) {
                (self.arrive)(&Arrival { choice, lying: at, weight: lying[at].1, here }, ways);
            }
        };
        match met.asked {
            Some((layer, here)) => {
                let choice = self.block.choices.iter().position(|c| *c == Choice::Open(layer));
                put(choice.expect("only choices are asked for"), here);
            }
            None if self.settled => {
                for (choice, held) in self.block.choices.iter().enumerate() {
                    let holder = match *held {
                        Choice::Open(_) => continue,
                        Choice::Held(rank) => rank,
                        Choice::Found => self.paths.asked(),
                    };
                    if let Some(here) = self.paths.part_of(holder, self.rank) {
                        put(choice, here);
                    }
                }
            }
            None => {}
        }
    }
}
